//! What is on a page: content that comes late, frames, shadow trees, fields.

use crate::stage::{check, check_on, own, run_with, shared, site};
use demo::server::Response;
use std::time::Duration;
use wrapwright::drivers::Setup;

#[test]
fn what_a_script_writes_is_there() {
    check(
        &[
            (
                "/",
                "<ul id=l></ul><script>fetch('/d').then(r => r.json()).then(d => {
                   for (const x of d) { const li = document.createElement('li'); li.textContent = x; l.append(li) } })</script>",
            ),
            ("/d", "[\"one\",\"two\",\"three\"]"),
        ],
        "doc('SITE/')//li:<x=string(.)>",
        &["x=one", "x=two", "x=three"],
    );
}

#[test]
fn slow_answers_are_waited_for() {
    let server = site(|request| match request.path.as_str() {
        "/" => Response::html(
            "<p id=p>wait</p><script>fetch('/1').then(r => r.text()).then(() => fetch('/2')).then(r => r.text())
               .then(t => p.textContent = t)</script>",
        )
        .into(),
        path => {
            std::thread::sleep(Duration::from_millis(250));
            Response::text(format!("answer {path}")).into()
        }
    });
    check_on(&server, "doc('SITE/')//p:<x=string(.)>", &["x=answer /2"]);
}

#[test]
fn lazy_content_comes_with_a_condition() {
    let pages = &[(
        "/",
        "<p id=p>soon</p><button id=b>go</button>
         <script>setTimeout(() => p.textContent = 'there', 700);
           b.onclick = () => setTimeout(() => p.textContent = 'clicked', 900)</script>",
    )];
    check(
        pages,
        "doc('SITE/', [until=//p[.='there']])//p:<x=string(.)>",
        &["x=there"],
    );
    check(
        pages,
        "doc('SITE/')//button/{click[until=//p[.='clicked']] /}//p:<x=string(.)>",
        &["x=clicked"],
    );
    check(pages, "doc('SITE/', [wait=1.5])//p:<x=string(.)>", &["x=there"]);
}

#[test]
fn a_condition_that_never_holds_is_a_failure() {
    let Some(stage) = shared() else { return };
    let server = site(|_| Response::html("<p>x</p><script>1</script>").into());
    let ran = run_with(
        &stage,
        1,
        &server,
        "doc('SITE/', [until=//h1, timeout=1])//p:<x=string(.)>",
    );
    assert_eq!(ran.records, Vec::<String>::new());
    assert!(
        ran.failures[0].contains("[until=…] does not hold"),
        "{:?}",
        ran.failures
    );
}

#[test]
fn links_are_followed_and_their_page_stays() {
    check(
        &[
            (
                "/",
                "<h1>List</h1><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a><script>let x = 1</script>",
            ),
            ("/a", "<h1>Page A</h1>"),
            ("/b", "<h1>Page B</h1><script>1</script>"),
            ("/c", "<h1>Page C</h1>"),
        ],
        "doc('SITE/')//a/{click /}//h1:<x=string(.)>",
        &["x=Page A", "x=Page B", "x=Page C"],
    );
}

#[test]
fn frames_and_shadow_trees_are_content_of_their_hosts() {
    check(
        &[
            (
                "/",
                "<iframe src=/f></iframe><iframe srcdoc='<p>inline</p>'></iframe><div id=h><b>light</b></div>
                 <script>h.attachShadow({mode:'open'}).innerHTML = '<p>shadow</p>'</script>",
            ),
            ("/f", "<p>framed</p><iframe src=/g></iframe>"),
            ("/g", "<p>deeper</p>"),
        ],
        "doc('SITE/')//p:<x=string(.)>",
        &["x=framed", "x=deeper", "x=inline", "x=shadow"],
    );
}

#[test]
fn frames_of_other_sites_are_pages_of_their_own() {
    let other = site(|_| Response::html("<p>other site</p>").into());
    let address = other.url().replace("127.0.0.1", "localhost");
    let server = site(move |_| Response::html(format!("<h1>here</h1><iframe src='{address}'></iframe>")).into());
    check_on(&server, "doc('SITE/')//iframe:<x=count(.//p)>", &["x=0"]);
    check_on(
        &server,
        "doc('SITE/')//iframe/{movetoframe /}//p:<x=string(.)>",
        &["x=other site"],
    );
}

#[test]
fn a_frame_can_be_entered() {
    let pages = &[
        ("/", "<p>outside</p><iframe src=/f></iframe>"),
        (
            "/f",
            "<p>inside</p><button onclick=\"this.textContent='pressed'\">b</button>",
        ),
    ];
    check(
        pages,
        "doc('SITE/')//iframe/{enterframe /}//p:<x=string(.)>",
        &["x=inside"],
    );
    check(
        pages,
        "doc('SITE/')//iframe/{enterframe /}//button/{click /}//button:<x=string(.)>",
        &["x=pressed"],
    );
    check(
        pages,
        "doc('SITE/')//iframe/{movetoframe /}/html/body/p:<x=string(.)>",
        &["x=inside"],
    );
}

#[test]
fn fields_are_what_can_be_seen() {
    check(
        &[(
            "/",
            "<style>.off{display:none} .out{visibility:hidden}</style>
             <form><input name=a><input name=b type=hidden><p class=off><input name=c></p>
             <input name=d class=out><select name=e></select><textarea name=f></textarea><button name=g>x</button></form>",
        )],
        "doc('SITE/')//field():<x=@name>",
        &["x=a", "x=e", "x=f", "x=g"],
    );
}

#[test]
fn styles_and_boxes() {
    let pages = &[(
        "/",
        "<style>body{margin:0} .g{color:#767676;font-size:12px} div{position:absolute;width:10px;height:10px}</style>
         <p class=g>grey</p><p style='color:rgb(255,0,0)'>red</p><p>plain</p>
         <div id=a style='left:10px;top:200px'></div><div id=b style='left:50px;top:300px'></div>
         <div id=c style='left:50px;top:200px;width:40px'></div>",
    )];
    let Some(stage) = crate::stage::own(wrapwright::drivers::Setup {
        styles: [
            "color",
            "font-size",
            "box-left",
            "box-right",
            "box-top",
            "box-bottom",
            "box-width",
        ]
        .map(str::to_owned)
        .to_vec(),
        ..Default::default()
    }) else {
        return;
    };
    let server = crate::stage::serve(pages);
    for (expression, expected) in [
        ("//p[^color='#767676']:<x=string(.)>", &["x=grey"][..]),
        ("//p[style::color='rgb(118,118,118)']:<x=string(.)>", &["x=grey"]),
        ("//p[^color='red']:<x=string(.)>", &["x=red"]),
        ("//p[^font-size < 14]:<x=string(.)>", &["x=grey"]),
        ("//p[^font-size = '16px']:<x=^font-size>", &["x=16", "x=16"]),
        ("//div[^box-width > 20]:<x=@id>", &["x=c"]),
        ("//div[@id='a']:<x=^box-left>", &["x=10"]),
        (
            "//div[@id='b']/[$rhs/^box-right < $lhs/^box-left and $rhs/^box-bottom < $lhs/^box-top]::div:<x=@id>",
            &["x=a"],
        ),
        (
            "//p[.='red']/[$lhs/^font-size = $rhs/^font-size]::p:<x=string(.)>",
            &["x=red", "x=plain"],
        ),
    ] {
        let ran = run_with(&stage, 1, &server, &format!("doc('SITE/'){expression}"));
        assert_eq!(ran.failures, Vec::<String>::new(), "{expression}");
        assert_eq!(ran.records, expected, "{expression}");
    }
}

/// `style::*` is all computed properties and the box, also if nothing else names one.
#[test]
fn all_styles() {
    let pages = &[(
        "/",
        "<body style='margin:0'><p style='color:rgb(1,2,3);width:40px'>one</p>",
    )];
    let Some(stage) = crate::stage::own(wrapwright::drivers::Setup {
        styles: vec!["*".to_owned()],
        ..Default::default()
    }) else {
        return;
    };
    let server = crate::stage::serve(pages);
    for (expression, expected) in [
        (
            "//p[style::*[name() = 'color'] = 'rgb(1, 2, 3)']:<x=string(.)>",
            "x=one",
        ),
        ("//p:<x=style::*[name() = 'box-width']>", "x=40"),
        ("//p:<x=(count(style::*) > 100)>", "x=true"),
    ] {
        let ran = run_with(&stage, 1, &server, &format!("doc('SITE/'){expression}"));
        assert_eq!(ran.failures, Vec::<String>::new(), "{expression}");
        assert_eq!(ran.records, [expected], "{expression}");
    }
}

#[test]
fn hostile_pages_are_pages() {
    let pages = &[
        (
            "/",
            "<form id=wrapwright><input name=attributes><input name=firstChild><input name=nodeType></form><p>ok</p>
             <script>Array.prototype.push = null; Element.prototype.getAttribute = null; window.setTimeout = null;
               Node.prototype.__defineGetter__('nextSibling', () => null)</script>",
        ),
        (
            "/deep",
            "<p>deep</p><script>let e = document.body; for (let i = 0; i < 600; i++) { const d = document.createElement('div');
               e.append(d); e = d }</script>",
        ),
        ("/restless", "<p>x</p><b id=t></b><script>setInterval(() => t.textContent = Math.random(), 10)</script>"),
    ];
    check(pages, "doc('SITE/')//p:<x=string(.)>", &["x=ok"]);
    check(pages, "doc('SITE/deep')//p:<x=string(.)>", &["x=deep"]);
    check(pages, "doc('SITE/restless')//p:<x=string(.)>", &["x=x"]);
}

#[test]
fn what_is_no_page_is_a_failure_with_a_reason() {
    let Some(stage) = shared() else { return };
    let server = site(|request| match request.path.as_str() {
        "/file" => Response::new(200, "application/zip", "PK")
            .with_header("Content-Disposition", "attachment")
            .into(),
        "/hang" => Response::html("<script>while (true);</script>").into(),
        _ => Response::plain(404).into(),
    });
    for (path, why) in [("/no", "answered 404"), ("/file", "is a download")] {
        let ran = run_with(&stage, 1, &server, &format!("doc('SITE{path}')//p:<x=string(.)>"));
        assert!(ran.failures[0].contains(why), "{:?}", ran.failures);
    }
    let ran = run_with(&stage, 1, &server, "doc('SITE/hang', [timeout=2])//p:<x=string(.)>");
    assert!(ran.failures[0].contains("took longer"), "{:?}", ran.failures);
    let ran = run_with(&stage, 1, &server, "doc('http://127.0.0.1:1/')//p:<x=string(.)>");
    assert!(
        ran.failures[0].contains("refused") || ran.failures[0].contains("cannot be reached"),
        "{:?}",
        ran.failures
    );
}

/// A window that a page opened shares a process with it, so when one hangs the other does not answer either: neither
/// may be used for another page.
#[test]
fn a_hung_window_holds_up_no_other_page() {
    let setup = Setup {
        tabs: 4,
        ..Setup::default()
    };
    let Some(stage) = own(setup) else { return };
    let server = site(|request| match request.path.as_str() {
        "/" => Response::html("<button onclick=\"window.open('/window')\">open</button>").into(),
        "/hang" => Response::html("<script>while (true);</script>").into(),
        _ => Response::html("<p>here</p>").into(),
    });
    for _ in 0..2 {
        let ran = run_with(&stage, 1, &server, "doc('SITE/')//button/{click /}//p:<x=string(.)>");
        assert_eq!(ran.records, ["x=here"], "{:?}", ran.failures);
    }
    let ran = run_with(&stage, 1, &server, "doc('SITE/hang', [timeout=1])//p:<x=string(.)>");
    assert!(ran.failures[0].contains("took longer"), "{:?}", ran.failures);
    for _ in 0..4 {
        let ran = run_with(&stage, 1, &server, "doc('SITE/next')//p/{click /}//p:<x=string(.)>");
        assert_eq!(ran.records, ["x=here"], "{:?}", ran.failures);
    }
}
