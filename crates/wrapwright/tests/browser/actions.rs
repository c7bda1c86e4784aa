//! What is done to a page.

use crate::stage::{check, check_on, run_with, shared, site};
use demo::server::Response;

#[test]
fn an_autocomplete_completes() {
    check(
        &[
            (
                "/",
                "<input id=q><ul id=l></ul><p id=c></p><script>
                   let timer;
                   q.addEventListener('keyup', () => { clearTimeout(timer); timer = setTimeout(async () => {
                     const d = await (await fetch('/s')).json();
                     l.replaceChildren(...d.filter(x => x.startsWith(q.value)).map(x => { const li = document.createElement('li');
                       li.textContent = x; li.onmousedown = () => { q.value = x; c.textContent = 'chose ' + x }; return li })) }, 150) })
                 </script>",
            ),
            ("/s", "[\"Rome\",\"Rotterdam\",\"Oslo\"]"),
        ],
        "doc('SITE/')//input/{'Ro' /}//li[2]/{click /}//p:<x=string(.)>",
        &["x=chose Rotterdam"],
    );
}

#[test]
fn right_clicks_single_keys_and_drags() {
    const PAGES: &[(&str, &str)] = &[("/", "<p id=m oncontextmenu=\"this.textContent='menu ' + event.button; event.preventDefault()\">none</p>
         <input id=k><b id=s></b><div id=h style='position:absolute;left:20px;top:200px;width:30px;height:30px;background:red'></div><i id=d></i>
         <script>
           k.addEventListener('keydown', e => s.textContent += 'down ' + e.key + ' ');
           k.addEventListener('keyup', e => s.textContent += 'up ' + e.key + ' ');
           let from = null, moves = 0;
           h.addEventListener('mousedown', e => { from = e.clientX; e.preventDefault() });
           addEventListener('mousemove', e => { if (from !== null) moves++ });
           addEventListener('mouseup', e => { if (from !== null) { d.textContent = 'dragged ' + (e.clientX - from) +
             (moves > 2 ? ' in steps' : ''); from = null } })</script>")];
    check(PAGES, "doc('SITE/')//p/{rightclick /}//p:<x=string(.)>", &["x=menu 2"]);
    check(
        PAGES,
        "doc('SITE/')//input/{keydown 'Shift'}/{keyup 'Shift' /}//b:<x=normalize-space(.)>",
        &["x=down Shift up Shift"],
    );
    check(
        PAGES,
        "doc('SITE/')//div/{drag '120,0' /}//i:<x=string(.)>",
        &["x=dragged 120 in steps"],
    );
}

/// A board with cards that the browser itself drags.
const BOARD: &[(&str, &str)] = &[(
    "/",
    "<style>div { position:absolute; top:20px; width:120px; height:200px; background:silver } #todo { left:10px }
       #done { left:300px } .card { display:block; height:30px; margin:10px; background:white }</style>
     <div id=todo><span class=card draggable=true id=a>Sow</span><span class=card draggable=true id=b>Reap</span></div>
     <div id=done></div><p id=log style='margin-top:260px'></p><script>
       const say = (e) => { if (!log.textContent.includes(e.type)) log.append(e.type + (e.isTrusted ? ' ' : '! ')) };
       for (const type of ['dragstart', 'dragenter', 'dragover', 'drop', 'dragend']) addEventListener(type, say);
       for (const card of document.querySelectorAll('.card'))
         card.addEventListener('dragstart', (e) => e.dataTransfer.setData('text/plain', card.id));
       done.addEventListener('dragover', (e) => e.preventDefault());
       done.addEventListener('drop', (e) => { e.preventDefault();
         done.append(document.getElementById(e.dataTransfer.getData('text/plain'))) })</script>",
)];

#[test]
fn the_browser_drags_and_drops() {
    // By pixels and onto an element; the card has moved, with the events that a person's hand gives.
    for to in ["290,0", "#done"] {
        check(
            BOARD,
            &format!("doc('SITE/')//span[@id='b']/{{drag '{to}' /}}//div[@id='done']:<x=normalize-space(.)>"),
            &["x=Reap"],
        );
    }
    check(
        BOARD,
        "doc('SITE/')//span[@id='a']/{drag '#done' /}//p:<x=normalize-space(.)>",
        &["x=dragstart dragenter dragover drop dragend"],
    );
    // Where nothing takes it, it stays; the next drag is not disturbed.
    check(
        BOARD,
        "doc('SITE/')//span[@id='a']/{drag '0,400' /}//span[@id='b']/{drag '#done' /}//div[@id='todo']:<x=normalize-space(.)>",
        &["x=Sow"],
    );
}

#[test]
fn single_events_of_the_mouse() {
    const PAGES: &[(&str, &str)] = &[(
        "/",
        "<div id=d style='width:80px;height:80px;background:silver'></div><p id=p></p><script>
           for (const type of ['mousedown', 'mouseenter', 'mousemove', 'mouseout', 'mouseup', 'wheel'])
             d.addEventListener(type, () => { if (!p.textContent.includes(type)) p.append(type + ' ') })</script>",
    )];
    for (action, event) in [
        ("{mousedown /}", "mousedown"),
        ("{mouseenter /}", "mouseenter"),
        ("{mousemove /}", "mousemove"),
        ("{mouseout /}", "mouseout"),
        ("{mouseup /}", "mouseup"),
        ("{wheel /}", "wheel"),
    ] {
        check(
            PAGES,
            &format!("doc('SITE/')//div/{action}//p[contains(., '{event}')]:<x=\"{event}\">"),
            &[&format!("x={event}")],
        );
    }
}

#[test]
fn an_endless_list_grows_when_it_is_scrolled() {
    check(
        &[(
            "/",
            "<body style='overflow-anchor:none'><div id=l></div><footer id=f style='margin-top:2000px'>end</footer><script>
               let n = 0;
               const more = () => { for (let i = 0; i < 3 && n < 9; i++) { const p = document.createElement('p');
                 p.textContent = 'row ' + ++n; p.style.marginBottom = '900px'; l.append(p) } };
               new IntersectionObserver(e => { if (e.some(x => x.isIntersecting)) fetch('/').then(more) }).observe(f);
               more()</script>",
        )],
        "doc('SITE/')/(//body/{scroll /})*{2,2}//p[last()]:<x=string(.)>",
        &["x=row 9"],
    );
}

const TABS: &[(&str, &str)] = &[(
    "/",
    "<button class=t>one</button><button class=t>two</button><button class=t>three</button><div id=p>none</div>
     <script>for (const b of document.querySelectorAll('.t')) b.addEventListener('click', () => p.innerHTML =
       '<h2>' + b.textContent + '</h2><button class=more>more</button>');
       p.addEventListener('click', e => { if (e.target.className == 'more') p.insertAdjacentHTML('beforeend',
         '<i>more of ' + p.firstChild.textContent + '</i>') })</script>",
)];

#[test]
fn tabs_without_an_address_are_states() {
    check(
        TABS,
        "doc('SITE/')//button[@class='t']/{click /}//h2:<x=string(.)>",
        &["x=one", "x=two", "x=three"],
    );
}

#[test]
fn a_state_that_was_left_is_reached_again() {
    // Each state is acted on in its turn, after others have used its tab.
    check(
        TABS,
        "doc('SITE/')//button[@class='t']/{click /}//button[@class='more']/{click /}//i:<x=string(.)>",
        &["x=more of one", "x=more of two", "x=more of three"],
    );
}

#[test]
fn selects_may_depend_on_selects() {
    check(
        &[(
            "/",
            "<select id=a><option>-<option>Norway<option>Canada</select><select id=b disabled></select><p id=p></p>
             <script>const c = {Norway: ['Bergen', 'Oslo'], Canada: ['Halifax']};
               a.onchange = () => { b.replaceChildren(...c[a.value].map(x => new Option(x))); b.disabled = false };
               b.onchange = () => p.textContent = a.value + '/' + b.value</script>",
        )],
        "doc('SITE/')//select[@id='a']/{'Norway' /}//select[@id='b']/{select 'Oslo' /}//p:<x=string(.)>",
        &["x=Norway/Oslo"],
    );
}

#[test]
fn dialogs_are_answered() {
    check(
        &[(
            "/",
            "<button onclick=\"alert('hm'); if (confirm('sure?')) document.getElementById('p').textContent = prompt('n?', 'yes')\">b</button><p id=p></p>",
        )],
        "doc('SITE/')//button/{click /}//p:<x=string(.)>",
        &["x=yes"],
    );
}

#[test]
fn new_windows_are_followed() {
    let pages = &[
        (
            "/",
            "<a id=a href=/n target=_blank>new</a><button onclick=\"window.open('/n')\">open</button>
             <span onclick=\"const w = window.open(''); w.document.write('<h1>written</h1>')\">write</span>",
        ),
        ("/n", "<h1>new window</h1>"),
    ];
    check(pages, "doc('SITE/')//a/{click /}//h1:<x=string(.)>", &["x=new window"]);
    check(
        pages,
        "doc('SITE/')//button/{click /}//h1:<x=string(.)>",
        &["x=new window"],
    );
    check(pages, "doc('SITE/')//span/{click /}//h1:<x=string(.)>", &["x=written"]);
}

#[test]
fn a_disabled_button_is_not_pressed() {
    let Some(stage) = shared() else { return };
    let server = site(|_| Response::html("<button disabled>no</button><p>x</p><script>1</script>").into());
    let ran = run_with(&stage, 1, &server, "doc('SITE/')//button/{click /}//p:<x=string(.)>");
    assert_eq!(ran.failures, ["<button> is disabled"]);
}

#[test]
fn a_form_may_post_by_fetch() {
    let server = site(|request| match request.path.as_str() {
        "/" => Response::html(
            "<form><input name=q><button>go</button></form><p id=p></p><script>
               document.forms[0].addEventListener('submit', async e => { e.preventDefault();
                 const r = await fetch('/find', {method: 'POST', body: new URLSearchParams(new FormData(e.target))});
                 p.textContent = await r.text() })</script>",
        )
        .into(),
        _ => {
            let form = request.form();
            let q = form.iter().find(|(name, _)| name == "q").map_or("", |(_, value)| value);
            Response::text(format!("found {q}")).into()
        }
    });
    check_on(
        &server,
        "doc('SITE/')//input/{'ink' /}//button/{click /}//p:<x=string(.)>",
        &["x=found ink"],
    );
    check_on(
        &server,
        "doc('SITE/')//input/{'pen\n' /}//p:<x=string(.)>",
        &["x=found pen"],
    );
}

#[test]
fn forms_are_sent_by_get_and_post() {
    let server = site(|request| {
        match request.path.as_str() {
        "/" => Response::html(
            "<form action=/get><input name=q value=old><input type=checkbox name=c><button name=b value=1>go</button></form>
             <form action=/post method=post><textarea name=t></textarea><input type=submit></form><script>1</script>",
        )
        .into(),
        "/get" => Response::html(format!(
            "<p>get {} {} {}</p>",
            request.value("q").unwrap_or("-"),
            request.value("c").unwrap_or("-"),
            request.value("b").unwrap_or("-")
        ))
        .into(),
        _ => Response::html(format!("<p>post {:?}</p>", request.form())).into(),
    }
    });
    check_on(
        &server,
        "doc('SITE/')//input[@name='q']/{'new'}/..//input[@name='c']/{check}/..//button/{click /}//p:<x=string(.)>",
        &["x=get new on 1"],
    );
    check_on(
        &server,
        "doc('SITE/')//textarea/{'hello'}/ancestor::form/{submit /}//p:<x=string(.)>",
        &["x=post [(\"t\", \"hello\")]"],
    );
}

#[test]
fn a_pager_by_script_comes_to_its_end() {
    check(
        &[(
            "/",
            "<ul id=l></ul><button id=n>next</button><script>
               let page = 0; const show = () => { page++; l.innerHTML = '<li>item ' + page + 'a</li><li>item ' + page + 'b</li>';
                 if (page == 4) n.remove() };
               n.onclick = () => setTimeout(show, 50); show()</script>",
        )],
        "doc('SITE/')/(//button/{click /})*//li:<x=string(.)>",
        &[
            "x=item 1a", "x=item 1b", "x=item 2a", "x=item 2b", "x=item 3a", "x=item 3b", "x=item 4a", "x=item 4b",
        ],
    );
}

#[test]
fn mouse_and_keys_arrive_as_from_a_person() {
    let page = "<p id=o style='width:50px'>menu</p><input id=i><p id=t></p><b id=d>twice</b><script>
        const say = x => t.textContent += x + ' ';
        o.addEventListener('mouseenter', e => say('over' + e.isTrusted));
        i.addEventListener('keydown', e => say(e.key + e.isTrusted));
        i.addEventListener('focus', () => say('focus'));
        d.addEventListener('dblclick', () => say('dbl'));</script>";
    let pages: &'static [(&str, &str)] =
        Box::leak(vec![("/", &*Box::leak(page.to_owned().into_boxed_str()))].into_boxed_slice());
    check(
        pages,
        "doc('SITE/')//p[@id='o']/{mouseover /}//p[@id='t']:<x=string(.)>",
        &["x=overtrue"],
    );
    check(
        pages,
        "doc('SITE/')//input/{press 'ArrowDown' /}//p[@id='t']:<x=string(.)>",
        &["x=focus ArrowDowntrue"],
    );
    check(
        pages,
        "doc('SITE/')//input/{'a' /}//p[@id='t']:<x=string(.)>",
        &["x=focus atrue"],
    );
    check(
        pages,
        "doc('SITE/')//b/{dblclick /}//p[@id='t']:<x=string(.)>",
        &["x=dbl"],
    );
}

#[test]
fn what_is_covered_or_hidden_is_clicked_by_a_script() {
    check(
        &[(
            "/",
            "<button id=a onclick=\"p.textContent='covered'\">x</button><button hidden id=b onclick=\"p.textContent='hidden'\">y</button>
             <div style='position:fixed;inset:0'></div><p id=p></p>",
        )],
        "doc('SITE/')//button/{click /}//p:<x=string(.)>",
        &["x=covered", "x=hidden"],
    );
}

#[test]
fn a_file_is_uploaded() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "twelve bytes").expect("written");
    let server = site(|_| {
        Response::html(
            "<input type=file id=f><p id=p></p><script>f.onchange = () => p.textContent = f.files[0].size</script>",
        )
        .into()
    });
    let expression = format!("doc('SITE/')//input/{{'{}' /}}//p:<x=string(.)>", file.path().display());
    check_on(&server, &expression, &["x=12"]);
}

#[test]
fn an_action_without_effect_keeps_the_page() {
    let Some(stage) = shared() else { return };
    let server = site(|_| Response::html("<p><b>x</b><input></p><script>1</script>").into());
    let ran = run_with(&stage, 1, &server, "doc('SITE/')//b/{mouseover}:<x=string(.)>");
    assert_eq!(
        (ran.records.as_slice(), ran.summary.pages),
        (&["x=x".to_owned()][..], 1)
    );
    let ran = run_with(&stage, 1, &server, "doc('SITE/')//input/{'typed'}/..//b:<x=string(.)>");
    assert_eq!(
        (ran.records.as_slice(), ran.summary.pages),
        (&["x=x".to_owned()][..], 1)
    );
}
