//! States of a page that only scripts reach: brought back, or acted on in place. Right data, or a failure that is told.

use super::stage::{Ran, own, run_with, site};
use demo::server::{Request, Response, Running};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use wrapwright::drivers::Setup;

/// A server that counts what it was asked for.
struct Counted {
    server: Running,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Counted {
    fn new(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Counted {
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&asked);
        let server = site(move |request| {
            log.lock().expect("no panic").push(request.path.clone());
            answer(request).into()
        });
        Counted { server, asked }
    }

    fn count(&self, path: &str) -> usize {
        let asked = self.asked.lock().expect("no panic");
        asked.iter().filter(|asked| asked.starts_with(path)).count()
    }
}

/// Runs in a browser of its own; also gives its warnings.
fn run(server: &Running, expression: &str) -> Option<(Ran, Vec<String>)> {
    let stage = own(Setup::default())?;
    let ran = run_with(&stage, 1, server, expression);
    let warnings = stage.0.warnings();
    Some((ran, warnings))
}

const NAMES: [&str; 5] = ["pen", "cup", "hat", "map", "key"];

/// A list whose rows open a panel; `script` is what a click does with the name of a row in `n`.
fn list(order: &[&str], script: &str) -> String {
    let rows = order
        .iter()
        .map(|name| format!("<li><a href='#' data-n={name}>{name}</a></li>"));
    format!(
        "<ul>{}</ul><div id=panel></div><script>
        for (const a of document.querySelectorAll('a')) a.onclick = (event) => {{
            event.preventDefault(); const n = a.dataset.n; {script} }};
        </script>",
        rows.collect::<String>()
    )
}

const EACH: &str = "doc('SITE/')//li:<i>[a:<t=.>][? a/{click /}//p.c:<c=.>]";

fn right(names: &[&str]) -> Vec<String> {
    names
        .iter()
        .map(|name| format!("i(t={name}, c={})", name.to_uppercase()))
        .collect()
}

/// A panel is filled again by each row.
const PANEL: &str = "panel.innerHTML = '<p class=c>' + n.toUpperCase() + '</p>';";

#[test]
fn a_page_in_another_order_each_time_gives_no_wrong_data() {
    let visits = AtomicUsize::new(0);
    let server = Counted::new(move |_| {
        let mut order = NAMES;
        order.rotate_left(visits.fetch_add(1, Ordering::SeqCst) % NAMES.len());
        // Opens a page of its own, so that nothing can be done in place.
        Response::html(list(
            &order,
            "document.body.innerHTML = '<p class=c>' + n.toUpperCase() + '</p>';",
        ))
    });
    let Some((ran, _)) = run(&server.server, EACH) else {
        return;
    };
    assert_eq!(ran.failures, [""; 0]);
    assert_eq!(ran.records, right(&NAMES));
}

#[test]
fn a_page_that_has_lost_the_row_fails() {
    let visits = AtomicUsize::new(0);
    let server = Counted::new(move |_| {
        let rows = match visits.fetch_add(1, Ordering::SeqCst) {
            0 => &NAMES[..],
            _ => &NAMES[..2],
        };
        Response::html(list(
            rows,
            "document.body.innerHTML = '<p class=c>' + n.toUpperCase() + '</p>';",
        ))
    });
    let Some((ran, _)) = run(&server.server, EACH) else {
        return;
    };
    let mut expected = right(&NAMES[..2]);
    expected.extend(NAMES[2..].iter().map(|name| format!("i(t={name})")));
    assert_eq!(ran.records, expected);
    assert_eq!(ran.failures.len(), 3, "{:?}", ran.failures);
    assert!(
        ran.failures.iter().all(|why| why.contains("cannot be brought back")),
        "{:?}",
        ran.failures
    );
}

#[test]
fn rows_that_fill_a_panel_are_clicked_in_place() {
    let server = Counted::new(|request| match request.path.as_str() {
        path if path.starts_with("/detail/") => Response::text(path.trim_start_matches("/detail/").to_uppercase()),
        _ => Response::html(list(
            &NAMES,
            "fetch('/detail/' + n).then((r) => r.text()).then((t) => { panel.innerHTML = '<p class=c>' + t + '</p>' });",
        )),
    });
    let Some((ran, warnings)) = run(&server.server, EACH) else {
        return;
    };
    assert_eq!((ran.failures, warnings), (vec![], vec![]));
    assert_eq!(ran.records, right(&NAMES));
    // The page twice: once to see that it makes no difference.
    assert_eq!(server.count("/detail/"), NAMES.len() + 1);
    assert_eq!(
        server.count("/") - server.count("/detail/") - server.count("/favicon"),
        2
    );
}

#[test]
fn rows_that_stay_open_are_not_clicked_in_place() {
    let server = Counted::new(|_| {
        Response::html(list(
            &NAMES,
            "a.parentNode.insertAdjacentHTML('beforeend', '<p class=c>' + n.toUpperCase() + '</p>');",
        ))
    });
    let Some((ran, warnings)) = run(&server.server, EACH) else {
        return;
    };
    assert_eq!((ran.failures, warnings), (vec![], vec![]));
    assert_eq!(ran.records, right(&NAMES));
    assert_eq!(server.count("/") - server.count("/favicon"), NAMES.len());
}

#[test]
fn one_long_conversation_needs_no_page_twice() {
    let server = Counted::new(|_| Response::html(list(&NAMES, PANEL)));
    let each = EACH.replace("{click /}", "{click [noback] /}");
    let Some((ran, warnings)) = run(&server.server, &each) else {
        return;
    };
    assert_eq!((ran.failures, warnings), (vec![], vec![]));
    assert_eq!(ran.records, right(&NAMES));
    assert_eq!(server.count("/") - server.count("/favicon"), 1);
}

#[test]
fn after_a_login_the_run_goes_on_in_place_and_says_so() {
    let server = Counted::new(|request| {
        let inside = request.header("cookie").is_some_and(|cookie| cookie.contains("in=1"));
        match (request.path.as_str(), inside) {
            ("/login", _) => Response::text("").with_header("Set-Cookie", "in=1"),
            // Whoever is logged in gets another page, without the button.
            (_, true) => Response::html("<h1>Welcome back</h1>"),
            (_, false) => {
                let shop = list(&NAMES, PANEL)
                    .replace('\n', " ")
                    .replace("<script>", "")
                    .replace("</script>", "");
                let (html, script) = shop.split_once("for (const").expect("a script");
                Response::html(format!(
                    "<button id=b>Log in</button><div id=shop></div><script>b.onclick = async () => {{
                     await fetch('/login'); b.remove(); shop.innerHTML = {html:?}; for (const{script} }}</script>"
                ))
            }
        }
    });
    let expression = "doc('SITE/')//button/{click /}//li:<i>[a:<t=.>][? a/{click /}//p.c:<c=.>]";
    let Some((ran, warnings)) = run(&server.server, expression) else {
        return;
    };
    assert_eq!(ran.failures, [""; 0]);
    assert_eq!(ran.records, right(&NAMES));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("goes on in the page as it is"), "{warnings:?}");
}

/// A list with a button that loads two more rows after a delay; rows replace the page, so that each needs the state back.
fn load_more(delay: u64) -> Counted {
    Counted::new(move |request| {
        match request.path.as_str() {
        "/more" => {
            std::thread::sleep(std::time::Duration::from_millis(delay));
            Response::text("hat map")
        }
        _ => Response::html(format!(
            "<ul id=u></ul><button id=b>More</button><script>
            const add = (n) => {{ u.insertAdjacentHTML('beforeend', `<li><a href='#'>${{n}}</a></li>`);
              u.lastChild.firstChild.onclick = (e) => {{ e.preventDefault();
                document.body.innerHTML = '<p class=c>' + n.toUpperCase() + '</p>' }} }};
            ['pen', 'cup'].forEach(add);
            b.onclick = () => setTimeout(() => fetch('/more').then((r) => r.text()).then((t) => t.split(' ').forEach(add)), {});
            </script>",
            delay / 2
        )),
    }
    })
}

#[test]
fn a_state_that_is_brought_back_waits_as_the_first_time() {
    for delay in [0, 60, 200, 800] {
        let server = load_more(delay);
        let expression =
            "doc('SITE/')//button/{click [until=count(//li) = 4] /}//li:<i>[a:<t=.>][? a/{click /}//p.c:<c=.>]";
        let Some((ran, _)) = run(&server.server, expression) else {
            return;
        };
        assert_eq!(ran.failures, [""; 0], "{delay} ms");
        assert_eq!(ran.records, right(&NAMES[..4]), "{delay} ms");
    }
}
