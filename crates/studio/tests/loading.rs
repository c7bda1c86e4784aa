//! Pictures and styles: nothing leaves without the tick, and with it only what the rules for links allow.

mod common;

use common::{Visitor, online, opening};
use demo::server::{self, Answer, Request, Response, Running};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

type Log = Arc<Mutex<Vec<String>>>;

/// A site that remembers what it was asked for.
fn site() -> (Running, Log) {
    let log = Log::default();
    let seen = Arc::clone(&log);
    let answer = move |request: &Request| -> Answer {
        seen.lock().expect("a log").push(request.path.clone());
        let css = "@import 'more.css'; h1 { background: url(../dot.png) } @font-face { src: url(font.woff) }";
        match request.path.as_str() {
            "/robots.txt" => Response::text("User-agent: *\nDisallow: /secret/").into(),
            "/a" => Response::html(
                "<!doctype html><title>A</title><link rel=stylesheet href=/style/main.css><h1>Kelp</h1><p>Price: <b>7.25</b></p>\
                 <img src=pic.png><img src=/secret/pic.png><img src=/page.html><img src=/away><script src=/evil.js></script>\
                 <iframe src=/frame></iframe><video src=/film poster=/poster.png></video><object data=/object></object>",
            )
            .into(),
            "/style/main.css" => Response::new(200, "text/css", css).into(),
            "/pic.png" | "/dot.png" => Response::new(200, "image/png", PNG).into(),
            "/page.html" => Response::html("<script>evil()</script>").into(),
            "/away" => Response::see_other("/pic.png").into(),
            _ => Response::plain(404).into(),
        }
    };
    (server::start("127.0.0.1:0", answer).expect("a server"), log)
}

fn opened(page: &str) -> (TempDir, studio::Running, Visitor) {
    let folder = tempfile::tempdir().expect("a directory");
    let running = studio::start(online(folder.path(), &[page]), 0).expect("a studio");
    let visitor = Visitor::enter(&running);
    visitor.settled();
    (folder, running, visitor)
}

/// The addresses of this server on a page or in a style sheet.
fn parts(text: &str) -> Vec<String> {
    let each = text.split("/load?").skip(1);
    each.map(|rest| {
        let end = rest.find(['"', '\'', ')']).expect("an end");
        format!("/load?{}", rest[..end].replace("&amp;", "&"))
    })
    .collect()
}

#[test]
fn without_the_tick_nothing_leaves() {
    let (site, log) = site();
    let (_folder, _running, visitor) = opened(&format!("{}a", site.url()));
    assert_eq!(visitor.get("/api/state").json()["loading"]["on"], json!(false));
    log.lock().expect("a log").clear();
    let page = visitor.get("/page?page=0");
    assert_eq!(parts(&page.body), Vec::<String>::new());
    assert!(
        page.header("content-security-policy")
            .is_some_and(|policy| !policy.contains("/load"))
    );
    // Whatever a page has hidden in its styles.
    for address in ["pic.png", "%2Fstyle%2Fmain.css", &format!("{}pic.png", site.url())] {
        assert_eq!(visitor.get(&format!("/load?page=0&url={address}")).status, 403);
    }
    assert_eq!(*log.lock().expect("a log"), Vec::<String>::new());
}

#[test]
fn with_the_tick_pictures_and_styles_come_through_the_rules() {
    let (site, log) = site();
    let (_folder, running, visitor) = opened(&format!("{}a", site.url()));
    log.lock().expect("a log").clear();
    let state = visitor.act(&json!({ "do": "load", "on": true })).json();
    assert_eq!(
        (&state["loading"]["on"], &state["undo"]),
        (&json!(true), &Value::Null),
        "it is no change of the work"
    );
    let page = visitor.get("/page?page=0");
    let policy = page.header("content-security-policy").expect("a policy").to_owned();
    assert!(
        policy.contains(&format!("img-src data: http://{}/load;", running.address())),
        "{policy}"
    );
    assert!(
        policy.contains("default-src 'none'")
            && !policy.contains("script-src")
            && policy.contains("sandbox allow-same-origin")
    );
    let found = parts(&page.body);
    assert_eq!(found.len(), 5, "a style sheet and four pictures: {found:?}");
    assert_eq!(
        *log.lock().expect("a log"),
        Vec::<String>::new(),
        "nothing is fetched before the browser asks"
    );
    let sheet = visitor.get(&found[0]);
    assert_eq!(
        (sheet.status, sheet.header("content-type")),
        (200, Some("text/css; charset=utf-8"))
    );
    assert!(
        sheet
            .header("content-security-policy")
            .is_some_and(|policy| policy.contains("sandbox;"))
    );
    let inside = parts(&sheet.body);
    assert!(inside.iter().all(|part| part.contains("&sheet=0&")), "{inside:?}");
    let dot = inside
        .iter()
        .find(|part| part.contains("dot.png"))
        .expect("a picture of the style");
    assert_eq!(
        visitor.get(dot).header("content-type"),
        Some("image/png"),
        "relative to the style sheet"
    );
    let status = |name: &str| {
        let part = found.iter().find(|part| part.ends_with(name)).expect("a part");
        visitor.get(part).status
    };
    assert_eq!(status("url=pic.png"), 200);
    assert_eq!(status("url=/away"), 200, "a redirect is followed");
    assert_eq!(status("url=/secret/pic.png"), 403, "robots.txt");
    assert_eq!(status("url=/page.html"), 403, "not a picture");
    // Once more: it is known.
    assert_eq!(status("url=pic.png"), 200);
    let asked = log.lock().expect("a log").clone();
    let expected = [
        "/style/main.css",
        "/dot.png",
        "/pic.png",
        "/away",
        "/pic.png",
        "/page.html",
    ];
    assert_eq!(
        asked, expected,
        "no secret, no script, no frame, no film, and nothing twice"
    );
    // Somebody says that a style sheet of this machine asks.
    assert_eq!(visitor.get("/load?page=0&sheet=7&url=pic.png").status, 403);
    let state = visitor.get("/api/state").json();
    assert_eq!(state["loading"]["failed"], json!(3));
    // And off again.
    visitor.act(&json!({ "do": "load", "on": false }));
    assert_eq!(status("url=pic.png"), 403);
    assert_eq!(parts(&visitor.get("/page?page=0").body), Vec::<String>::new());
}

/// A recording of a page of a public site that names this machine.
fn recorded(file: &Path, inside: &str) {
    let body = format!("<!doctype html><title>A</title><h1>Kelp</h1><p>Price: <b>7.25</b></p>{inside}");
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut out = std::fs::File::create(file).expect("a file");
    write!(
        out,
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n\
         WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://shop.example/a\r\n\
         Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{answer}\r\n\r\n",
        answer.len()
    )
    .expect("written");
}

#[test]
fn a_public_page_does_not_lead_to_this_machine() {
    let (site, log) = site();
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("a.warc");
    let own = format!("{}pic.png", site.url());
    recorded(
        &file,
        &format!("<img src='{own}'><style>h1 {{ background: url({own}) }}</style>"),
    );
    let running = studio::start(online(folder.path(), &[&file.display().to_string()]), 0).expect("a studio");
    let visitor = Visitor::enter(&running);
    let state = visitor.settled();
    assert_eq!(state["pages"][0]["has_address"], json!(true), "{state}");
    visitor.act(&json!({ "do": "load", "on": true }));
    let found = parts(&visitor.get("/page?page=0").body);
    assert_eq!(found.len(), 2);
    for part in found {
        let answer = visitor.get(&part);
        assert_eq!(answer.status, 403, "{answer:?}");
    }
    assert_eq!(*log.lock().expect("a log"), Vec::<String>::new());
}

#[test]
fn a_page_from_a_file_has_no_site_to_ask() {
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::write(
        folder.path().join("a.html"),
        "<title>A</title><h1>x</h1><img src=http://127.0.0.1:1/x.png>",
    )
    .expect("a page");
    let page = folder.path().join("a.html").display().to_string();
    for opening in [opening(folder.path(), &[&page]), online(folder.path(), &[&page])] {
        let running = studio::start(opening, 0).expect("a studio");
        let visitor = Visitor::enter(&running);
        assert_eq!(visitor.settled()["pages"][0]["has_address"], json!(false));
        visitor.act(&json!({ "do": "load", "on": true }));
        assert_eq!(parts(&visitor.get("/page?page=0").body), Vec::<String>::new());
        assert_eq!(visitor.get("/load?page=0&url=http://127.0.0.1:1/x.png").status, 403);
    }
}
