//! Pages of strangers who mean harm. Nothing on them runs, and no request leaves: the log of a real server proves it.

use crate::common::opening;
use crate::tab::{Tab, shots};
use demo::server::{self, Answer, Request, Response, Running};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// `SPY` is the address of the server that must never be asked; `evil()` marks the window if a script runs.
const PAGES: [&str; 31] = [
    "<script>evil()</script><p>inline script</p>",
    "<script src=SPY></script><script type=module src=SPY></script><p>scripts in files</p>",
    "<img src=SPY onerror=evil() onload=evil()><p>picture</p>",
    "<img srcset='SPY 1x, SPY 2x' sizes=100vw><picture><source srcset=SPY><img src=SPY></picture>",
    "<body onload=evil() onpageshow=evil() onfocus=evil()><p>handlers of the body</p>",
    "<meta http-equiv=refresh content='0;url=SPY'><p>refresh</p>",
    "<meta http-equiv=Content-Security-Policy content=\"default-src *\"><p>a policy</p>",
    "<iframe src=SPY></iframe><iframe srcdoc='<script>parent.evil()</script>'></iframe>",
    "<iframe srcdoc=\"<iframe srcdoc='<img src=SPY>'></iframe>\"></iframe><p>frames in frames</p>",
    "<frameset cols=*><frame src=SPY></frameset>",
    "<object data=SPY type=text/html></object><embed src=SPY><applet code=x codebase=SPY></applet>",
    "<form action=SPY id=f><input name=a value=b><button autofocus onfocus=evil()>x</button></form><script>f.submit()</script>",
    "<form action=SPY><button formaction=SPY>go</button><input type=image src=SPY></form>",
    "<base href=SPY><a href=x>relative</a><img src=x.png><p>base</p>",
    "<link rel=stylesheet href=SPY><link rel=preload as=image href=SPY><link rel=prefetch href=SPY><link rel=icon href=SPY>",
    "<link rel=dns-prefetch href=SPY><link rel=preconnect href=SPY><link rel=modulepreload href=SPY><link rel=manifest href=SPY>",
    "<style>@import 'SPY'; @import url(SPY); body { background: url(SPY) }</style><p>style</p>",
    "<style>p { background: \\75rl(SPY); list-style: image-set('SPY' 1x); cursor: url(SPY), auto }</style><p>escapes</p>",
    "<style>@font-face { font-family: x; src: url(SPY) } p { font-family: x } p::before { content: url(SPY) }</style><p>fonts</p>",
    "<p style='background:url(SPY);border-image:url(SPY) 1'>inline style</p><table background=SPY><tr><td background=SPY>x</table>",
    "<svg><script>evil()</script><image href=SPY /><use href='SPY#x'/></svg><svg onload=evil()></svg>",
    "<svg><a xlink:href='javascript:evil()'><text y=20>svg link</text></a><animate attributeName=href to=SPY begin=0s /></svg>",
    "<svg><style>p{background:url(SPY)}</style></svg><svg><foreignObject><img src=SPY onerror=evil()></foreignObject></svg>",
    "<svg><style>&lt;/style>&lt;img src=SPY onerror=evil()></style></svg><p>style that ends early</p>",
    "<a href='javascript:evil()' autofocus>script link</a><a href=SPY ping=SPY id=go>link</a><area href=SPY>",
    "<video src=SPY poster=SPY autoplay></video><audio src=SPY autoplay></audio><video><track src=SPY default></video>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=SPY onerror=evil()&gt;'></math><p>mixed up</p>",
    "<noscript><img src=SPY></noscript><template><img src=SPY></template><plaintext><img src=SPY onerror=evil()>",
    "<div style='position:fixed;inset:0;z-index:99999;background:red'>over everything</div><p>below</p>",
    "<details open ontoggle=evil()><summary>x</summary></details><dialog open>x</dialog><input autofocus onfocus=evil()>",
    "<x-y onclick=evil() is=evil>custom</x-y><p popover=auto>x</p><p contenteditable onbeforeinput=evil() autofocus>edit</p>",
];

/// A server that remembers who asked.
fn spy() -> (Running, Arc<Mutex<Vec<String>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&log);
    let answer = move |request: &Request| -> Answer {
        seen.lock().expect("a log").push(request.path.clone());
        match request.path.as_str() {
            "/control" => Response::html("<img src=/control.gif><style>@import '/control.css';</style>").into(),
            _ => Response::plain(404).into(),
        }
    };
    (server::start("127.0.0.1:0", answer).expect("a server"), log)
}

/// Waits until the frame shows a page.
fn shown(tab: &mut Tab, page: usize) {
    tab.until(&format!(
        "(() => {{ const f = document.getElementById('frame'); return f.contentWindow.location.search.includes('page={page}&') \
         && f.contentDocument.readyState === 'complete'; }})()"
    ));
}

#[test]
fn hostile_pages_do_nothing() {
    let Some(mut tab) = Tab::open() else { return };
    let (spy, log) = spy();
    // The log works: a page that is not frozen asks.
    tab.go(&format!("{}control", spy.url()));
    let begin = Instant::now();
    while log.lock().expect("a log").len() < 3 {
        assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", log.lock());
        std::thread::sleep(Duration::from_millis(50));
    }
    let folder = tempfile::tempdir().expect("a directory");
    let pages = folder.path().join("pages");
    std::fs::create_dir(&pages).expect("a directory");
    for (number, html) in PAGES.iter().enumerate() {
        let html = html.replace("SPY", &format!("{}{number}", spy.url()));
        let html = html.replace("evil()", "parent.evil=top.evil=window.evil=1");
        std::fs::write(pages.join(format!("{number:02}.html")), html).expect("a page");
    }
    tab.go("about:blank");
    std::thread::sleep(Duration::from_millis(300));
    log.lock().expect("a log").clear();

    let running = studio::start(opening(folder.path(), &[&pages.display().to_string()]), 0).expect("a studio");
    tab.go(running.url());
    tab.until(&format!(
        "document.querySelectorAll('#pages li').length === {}",
        PAGES.len()
    ));
    tab.until("document.getElementById('busy').hidden");
    assert_eq!(tab.eval("location.href.includes('token')"), json!(false));
    for (number, html) in PAGES.iter().enumerate() {
        shown(&mut tab, number);
        // What a user may do by mistake: click around, and press keys in the frame.
        tab.eval("document.getElementById('frame').contentWindow.focus()");
        tab.key("Tab", 0);
        tab.key("Enter", 0);
        tab.eval("document.getElementById('overlay').focus()");
        tab.hover(500.0, 200.0);
        tab.click_at(500.0, 140.0, 0);
        let state = tab.eval(
            "(() => { const f = document.getElementById('frame'); const w = f.contentWindow; \
             return [window.evil, w.evil, w.location.host === location.host, Boolean(f.contentDocument), \
             f.contentDocument.querySelectorAll('script, iframe, frame, object, embed, base, link, meta').length]; })()",
        );
        assert_eq!(state, json!([null, null, true, true, 0]), "{html}");
        tab.key("Escape", 0);
        tab.eval("document.activeElement.blur()");
        if number + 1 < PAGES.len() {
            tab.key("j", 0);
        }
    }
    // Links in the frame lead nowhere, also when a script of ours follows them.
    tab.eval("document.querySelectorAll('#pages li button')[48].click()");
    shown(&mut tab, 24);
    tab.eval("document.getElementById('frame').contentDocument.querySelectorAll('a').forEach((a) => a.click())");
    std::thread::sleep(Duration::from_millis(800));
    assert_eq!(
        tab.eval("document.getElementById('frame').contentWindow.location.host === location.host"),
        json!(true)
    );
    assert_eq!(*log.lock().expect("a log"), Vec::<String>::new(), "no request left");
    tab.shoot(&shots().join("hostile.png"));
}

#[test]
#[allow(clippy::print_stdout, reason = "times are worth reading")]
fn a_large_page_stays_usable() {
    let Some(mut tab) = Tab::open() else { return };
    let folder = tempfile::tempdir().expect("a directory");
    let pages = folder.path().join("pages");
    std::fs::create_dir(&pages).expect("a directory");
    // 100,000 nodes and more boxes than anybody can look at.
    let row = |number: usize| format!("<tr><td>Name {number}</td><td><b>{}.50</b></td></tr>", number * 7 % 90);
    let rows: String = (0..12_500).map(row).collect();
    std::fs::write(
        pages.join("large.html"),
        format!("<title>Large</title><h1>All</h1><table>{rows}</table>"),
    )
    .expect("a page");
    let running = studio::start(opening(folder.path(), &[&pages.display().to_string()]), 0).expect("a studio");
    tab.go(running.url());
    tab.until("document.querySelector('#rows tr.cell, #rows td.cell')");
    tab.until("document.querySelector('.box')");
    // Once more, without the inference: from the page's address to its boxes.
    tab.eval("(async () => { window.begin = performance.now(); [...document.querySelectorAll('#page-bar button')].pop().click(); })()");
    tab.until("document.querySelector('.box')");
    let drawn = tab.eval("performance.now() - window.begin");
    println!("boxes on a page of 100,000 nodes after {drawn} ms");
    assert!(
        tab.eval("document.querySelectorAll('.box').length")
            .as_u64()
            .is_some_and(|count| count <= 800)
    );
    assert!(
        tab.eval("document.querySelectorAll('#rows tr').length")
            .as_u64()
            .is_some_and(|count| count < 80)
    );
    let begin = Instant::now();
    tab.eval("document.getElementById('rows').scrollTop = 200000");
    tab.until("[...document.querySelectorAll('#rows td.cell')].some((td) => td.textContent.startsWith('Name 71'))");
    println!("the table is at row 7,100 after {} ms", begin.elapsed().as_millis());
    tab.shoot(&shots().join("large.png"));
}

/// Opens a project with one page, and waits for its rows.
fn opened(tab: &mut Tab, html: &str) -> (tempfile::TempDir, studio::Running) {
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::write(folder.path().join("page.html"), html).expect("a page");
    let page = folder.path().join("page.html").display().to_string();
    let running = studio::start(opening(folder.path(), &[&page]), 0).expect("a studio");
    tab.go(running.url());
    (folder, running)
}

#[test]
fn a_million_nodes_are_cut_or_refused_and_the_studio_stays_usable() {
    let Some(mut tab) = Tab::open() else { return };
    let row = |number: usize| format!("<p>Name <b>{number}</b></p>");
    let html = format!("<title>Huge</title>{}", (0..250_000).map(row).collect::<String>());
    let (_folder, running) = opened(&mut tab, &html);
    tab.until("document.getElementById('busy')?.hidden && (document.querySelector('#rows td.cell') || !document.getElementById('says').hidden)");
    // It is told, in words, and another page can be opened.
    let told = "document.getElementById('page-bar').textContent + document.getElementById('says').textContent + document.getElementById('pages').textContent";
    let told = tab.eval(told);
    let told = told.as_str().expect("words").to_owned();
    assert!(
        told.contains("the end is not shown") || told.contains("limit"),
        "{told}"
    );
    tab.shoot(&shots().join("huge.png"));
    tab.eval("document.activeElement.blur()");
    tab.key("?", 0);
    tab.until("!document.getElementById('help').hidden");
    drop(running);
}

#[test]
fn a_hundred_thousand_boxes_are_not_drawn_at_once() {
    let Some(mut tab) = Tab::open() else { return };
    let row = |number: usize| {
        format!(
            "<tr><td>N {number}<td>{}.50<td>{}<td>{}",
            number % 97,
            number % 89,
            number % 83
        )
    };
    let html = format!(
        "<title>Many</title><table>{}</table>",
        (0..25_000).map(row).collect::<String>()
    );
    let (_folder, _running) = opened(&mut tab, &html);
    tab.until("document.querySelector('#rows td.cell') && document.querySelector('#overlay .box')");
    // It is told that not all is shown.
    tab.until("/not all values have boxes|the end is not shown/.test(document.getElementById('page-bar').textContent)");
    assert!(
        tab.eval("document.querySelectorAll('.box').length")
            .as_u64()
            .is_some_and(|count| count <= 800)
    );
    // A cell far below still shows its place.
    tab.eval("document.getElementById('rows').scrollTop = 28 * 10000");
    tab.until("[...document.querySelectorAll('#rows td.cell')].some((td) => td.textContent === 'N 10001')");
    tab.eval("[...document.querySelectorAll('#rows td.cell')].find((td) => td.textContent === 'N 10001').click()");
    tab.until("document.getElementById('frame').contentWindow.scrollY > 1000");
    tab.shoot(&shots().join("many-boxes.png"));
}

#[test]
fn with_pictures_and_styles_only_these_are_asked_for_and_only_by_the_program() {
    let Some(mut tab) = Tab::open() else { return };
    let log = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&log);
    let html = "<!doctype html><title>A</title><link rel=stylesheet href=/main.css><h1>Kelp</h1><p>Price: <b>7.25</b></p>\
                <img id=pic src=/pic.svg width=40 height=40 onload=parent.evil=1><script src=/evil.js></script><iframe src=/frame></iframe>\
                <link rel=preload as=image href=/preload><video src=/film poster=/poster></video><img srcset='/set 2x'>\
                <style>@font-face { font-family: x; src: url(/font) } b { font-family: x; background: \\75rl(/hidden) }</style>";
    let answer = move |request: &Request| -> Answer {
        let agent = request.header("user-agent").unwrap_or_default().to_owned();
        seen.lock().expect("a log").push((request.path.clone(), agent));
        match request.path.as_str() {
            "/a" => Response::html(html).into(),
            "/main.css" => Response::new(200, "text/css", "h1 { color: rgb(1, 2, 3) } @import url(/more.css);").into(),
            "/pic.svg" => Response::new(
                200,
                "image/svg+xml",
                "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><script>top.evil=1</script><image href='/inner'/></svg>",
            )
            .into(),
            _ => Response::plain(404).into(),
        }
    };
    let site = server::start("127.0.0.1:0", answer).expect("a server");
    let folder = tempfile::tempdir().expect("a directory");
    let address = format!("{}a", site.url());
    let running = studio::start(crate::common::online(folder.path(), &[&address]), 0).expect("a studio");
    tab.go(running.url());
    tab.until("document.getElementById('busy').hidden && document.getElementById('load')");
    shown(&mut tab, 0);
    std::thread::sleep(Duration::from_millis(500));
    log.lock().expect("a log").clear();
    tab.eval("document.getElementById('load').click()");
    let color =
        "getComputedStyle(document.getElementById('frame').contentDocument.querySelector('h1') ?? document.body).color";
    tab.until(&format!("{color} === 'rgb(1, 2, 3)'"));
    tab.until("document.getElementById('frame').contentDocument.querySelector('#pic')?.naturalWidth === 40");
    std::thread::sleep(Duration::from_millis(800));
    tab.shoot(&shots().join("images-and-styles.png"));
    assert_eq!(
        tab.eval("[window.evil, document.getElementById('frame').contentWindow.evil]"),
        json!([null, null])
    );
    let mut asked: Vec<String> = log
        .lock()
        .expect("a log")
        .iter()
        .map(|(path, _)| path.clone())
        .collect();
    asked.sort();
    asked.dedup();
    let allowed = ["/font", "/main.css", "/more.css", "/pic.svg", "/robots.txt"];
    assert!(asked.iter().all(|path| allowed.contains(&path.as_str())), "{asked:?}");
    assert!(
        log.lock()
            .expect("a log")
            .iter()
            .all(|(_, agent)| !agent.contains("Chrome")),
        "{:?}",
        log.lock()
    );
    // Without the tick again: nothing.
    tab.eval("document.getElementById('load').click()");
    tab.until(&format!("{color} !== 'rgb(1, 2, 3)'"));
    log.lock().expect("a log").clear();
    tab.eval("location.reload()");
    tab.until("document.getElementById('busy')?.hidden && document.querySelector('#rows')");
    std::thread::sleep(Duration::from_millis(800));
    assert_eq!(*log.lock().expect("a log"), Vec::new());
}
