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
