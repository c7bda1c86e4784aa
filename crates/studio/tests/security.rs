//! Who may talk to the studio, over real HTTP; and what nobody can make it do.

mod common;

use common::{Visitor, ask, online, project, raw, shown, start};
use serde_json::json;

const READS: [&str; 6] = [
    "/",
    "/main.js",
    "/api/state",
    "/api/rows",
    "/api/boxes?page=0",
    "/page?page=0",
];

#[test]
fn it_listens_on_loopback_and_answers_to_its_own_names_only() {
    let folder = project();
    let running = start(&folder);
    let to = running.address();
    assert!(to.ip().is_loopback());
    let visitor = Visitor::enter(&running);
    let other = format!("127.0.0.1:{}", to.port().wrapping_add(1));
    let rebound = format!("evil.example:{}", to.port());
    for host in ["evil.example", &rebound, "127.0.0.1", "localhost", &other, "[::1]", ""] {
        for path in READS {
            let answer = ask(to, "GET", path, &[("Host", host), ("Cookie", &visitor.cookie)], "");
            assert_eq!(answer.status, 421, "{host} {path}: {answer:?}");
        }
    }
    let missing = raw(
        to,
        &format!(
            "GET / HTTP/1.1\r\nConnection: close\r\nCookie: {}\r\n\r\n",
            visitor.cookie
        ),
    );
    assert_ne!(missing.status, 200, "no host at all");
    let two = format!("{to}\r\nHost: evil.example");
    assert_ne!(
        ask(to, "GET", "/", &[("Host", &two), ("Cookie", &visitor.cookie)], "").status,
        200
    );
    let own = format!("localhost:{}", to.port());
    let answer = ask(to, "GET", "/", &[("Host", &own), ("Cookie", &visitor.cookie)], "");
    assert_eq!(answer.status, 200);
}

#[test]
fn nobody_gets_in_without_the_token_and_nobody_twice() {
    let folder = project();
    let running = start(&folder);
    let to = running.address();
    for path in READS {
        assert_eq!(ask(to, "GET", path, &[], "").status, 403, "{path}");
        let guess = format!("wrapwright-studio-{}=0000", to.port());
        assert_eq!(ask(to, "GET", path, &[("Cookie", &guess)], "").status, 403, "{path}");
    }
    for wrong in ["/enter", "/enter?token=", "/enter?token=00", "/enter?x=1&token=00"] {
        assert_eq!(ask(to, "GET", wrong, &[], "").status, 403, "{wrong}");
    }
    let entry = running.url().split_once(&to.to_string()).expect("its address").1;
    assert_eq!(
        ask(to, "POST", entry, &[("Content-Type", "application/json")], "{}").status,
        403
    );
    let answer = ask(to, "GET", entry, &[], "");
    assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
    let cookie = answer.header("set-cookie").expect("a cookie");
    assert!(
        cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"),
        "{cookie}"
    );
    // A history, a log or a shoulder may have seen the address.
    let again = ask(to, "GET", entry, &[], "");
    assert_eq!((again.status, again.header("set-cookie")), (403, None));
    // Somebody who is in already only gets a clean address.
    let pair = cookie.split(';').next().expect("a pair");
    let known = ask(to, "GET", entry, &[("Cookie", pair)], "");
    assert_eq!(
        (known.status, known.header("location"), known.header("set-cookie")),
        (303, Some("/"), None)
    );
}

#[test]
fn other_pages_can_neither_write_nor_read() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    let state = visitor.settled();
    let to = visitor.to;
    let own = format!("http://{to}");
    let near = format!("http://127.0.0.1:{}", to.port().wrapping_add(1));
    let body = json!({ "do": "hide", "field": "title" }).to_string();
    let post = |headers: &[(&str, &str)]| {
        let all: Vec<(&str, &str)> = [("Cookie", visitor.cookie.as_str())]
            .into_iter()
            .chain(headers.iter().copied())
            .collect();
        ask(to, "POST", "/api/do", &all, &body).status
    };
    const JSON: (&str, &str) = ("Content-Type", "application/json");
    assert_eq!(post(&[JSON]), 403, "no origin");
    assert_eq!(post(&[JSON, ("Origin", "https://evil.example")]), 403);
    assert_eq!(post(&[JSON, ("Origin", "null")]), 403);
    assert_eq!(post(&[JSON, ("Origin", &near)]), 403, "another port of this machine");
    assert_eq!(post(&[JSON, ("Origin", &own), ("Sec-Fetch-Site", "same-site")]), 403);
    assert_eq!(post(&[JSON, ("Origin", &own), ("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(post(&[JSON, ("Sec-Fetch-Site", "none")]), 403);
    for media in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
    ] {
        assert_eq!(post(&[("Origin", &own), ("Content-Type", media)]), 415, "{media}");
    }
    assert_eq!(post(&[("Origin", &own)]), 415, "no content type");
    for site in ["cross-site", "same-site"] {
        for path in READS {
            let headers = [("Cookie", visitor.cookie.as_str()), ("Sec-Fetch-Site", site)];
            assert_eq!(ask(to, "GET", path, &headers, "").status, 403, "{site} {path}");
        }
    }
    for method in ["OPTIONS", "PUT", "DELETE", "TRACE"] {
        let headers = [("Cookie", visitor.cookie.as_str()), ("Origin", "https://evil.example")];
        assert_ne!(ask(to, method, "/api/do", &headers, "").status, 200, "{method}");
    }
    assert_eq!(visitor.settled()["rev"], state["rev"], "nothing was changed");
    assert_eq!(post(&[JSON, ("Origin", &own), ("Sec-Fetch-Site", "same-origin")]), 200);
}

#[test]
fn every_answer_has_a_policy_and_none_is_shared() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    visitor.settled();
    for path in READS {
        let answer = visitor.get(path);
        assert_eq!(answer.status, 200, "{path}");
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert!(
            !policy.contains("unsafe-eval") && !policy.contains("script-src 'unsafe"),
            "{path}: {policy}"
        );
        let framed = if path.starts_with("/page") {
            "frame-ancestors 'self'"
        } else {
            "frame-ancestors 'none'"
        };
        assert!(policy.contains(framed), "{path}: {policy}");
        assert!(!answer.head.to_lowercase().contains("access-control-"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
    let page = visitor.get("/page?page=0");
    assert!(
        page.header("content-security-policy")
            .is_some_and(|policy| !policy.contains("script-src"))
    );
    assert!(
        page.header("content-security-policy")
            .is_some_and(|policy| policy.contains("sandbox allow-same-origin"))
    );
}

#[test]
fn no_path_leads_out_of_the_project() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    visitor.settled();
    let secret = folder.path().join("secret.html").display().to_string();
    for name in [
        "../secret.html",
        "pages/../../secret.html",
        secret.as_str(),
        "/etc/passwd",
        "@../secret.html",
        "-",
        "",
    ] {
        let answer = visitor.act(&json!({ "do": "add", "name": name }));
        assert_eq!(answer.status, 422, "{name}: {answer:?}");
        assert!(!answer.body.contains("secret</h1>"));
    }
    let target = folder.path().join("out.wrapper.json").display().to_string();
    for file in [
        "../out.wrapper.json",
        target.as_str(),
        "pages/../../out.wrapper.json",
        "pages/0.html",
        "wrapwright.toml",
    ] {
        let answer = visitor.act(&json!({ "do": "save", "file": file }));
        assert_eq!(answer.status, 422, "{file}: {answer:?}");
    }
    assert!(!folder.path().join("out.wrapper.json").exists());
    // Records, runs and pages that are dropped stay in the project, too.
    let pages = folder.path().join("project/pages").display().to_string();
    let running = studio::start(online(&folder.path().join("project"), &[&pages]), 0).expect("a studio");
    let insider = Visitor::enter(&running);
    insider.settled();
    let way = json!({ "do": "navigate", "start": "http://127.0.0.1:1/", "next": "none" });
    assert_eq!(insider.act(&way).status, 200);
    for start in ["file:///etc/passwd", "secret.html", "javascript:alert(1)", ""] {
        let way = json!({ "do": "navigate", "start": start, "next": "none" });
        assert_eq!(insider.act(&way).status, 422, "{start}");
    }
    for file in [
        "../out.csv",
        "/tmp/out.csv",
        "pages/../../out.csv",
        "x.wrapper.json",
        "postgresql://localhost/x",
        "pages/0.html",
    ] {
        let answer = insider.act(&json!({ "do": "run", "file": file }));
        assert_eq!(answer.status, 422, "{file}: {answer:?}");
    }
    assert!(!folder.path().join("out.csv").exists() && !folder.path().join("out.csv.part").exists());
    for folder in ["..", "../project", "/tmp", "pages"] {
        let answer = insider.act(&json!({ "do": "resume", "folder": folder }));
        assert_eq!(answer.status, 422, "{folder}: {answer:?}");
    }
    let dropped = json!({ "files": [{ "name": "../../evil.html", "data": "PGgxPng8L2gxPg==" }] });
    let answer = insider.post("/api/files", &dropped);
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(!folder.path().join("evil.html").exists());
    assert!(folder.path().join("project/pages/evil.html").exists());
    for path in [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/pages/0.html",
        "/assets/../Cargo.toml",
    ] {
        assert_eq!(visitor.get(path).status, 404, "{path}");
    }
}

#[test]
fn what_a_client_may_send_is_limited() {
    let folder = project();
    let running = start(&folder);
    let visitor = Visitor::enter(&running);
    visitor.settled();
    let answer = visitor.act(&json!({ "do": "add", "name": "x".repeat(3 << 20) }));
    assert_ne!(answer.status, 200);
    assert_ne!(answer.status, 422, "it was not even read");
    for wrong in [
        json!({}),
        json!({ "do": "run", "command": "ls" }),
        json!([1]),
        json!({ "do": "hide", "field": "a", "more": 1 }),
    ] {
        assert_eq!(visitor.act(&wrong).status, 400, "{wrong}");
    }
    for command in [
        json!({ "do": "hide", "field": "no such field" }),
        json!({ "do": "drop", "page": 999_999 }),
        json!({ "do": "point", "page": 0, "at": { "n": 4_000_000_000_u32 }, "field": "x" }),
        json!({ "do": "point", "page": 77, "at": { "n": 1 }, "field": "x" }),
        json!({ "do": "redo" }),
        json!({ "do": "infer", "method": "magic" }),
    ] {
        let answer = visitor.act(&command);
        assert_eq!(answer.status, 422, "{command}: {answer:?}");
        assert!(
            answer.json()["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty())
        );
    }
    assert_eq!(visitor.get("/page?page=99").status, 404);
    assert_eq!(visitor.get("/api/choices?page=0&n=99999999").status, 404);
}

#[test]
fn two_tabs_see_the_same_work() {
    let folder = project();
    let running = start(&folder);
    let one = Visitor::enter(&running);
    let other = Visitor {
        to: one.to,
        cookie: one.cookie.clone(),
    };
    let before = shown(&one.settled());
    assert!(before.iter().any(|name| name == "title"), "{before:?}");
    let done = one.act(&json!({ "do": "rename", "field": "title", "to": "product" }));
    assert_eq!(done.status, 200, "{done:?}");
    let seen = other.settled();
    assert!(shown(&seen).iter().any(|name| name == "product"));
    assert_eq!(seen["rev"], done.json()["rev"]);
    assert_eq!(other.act(&json!({ "do": "undo" })).status, 200);
    assert_eq!(shown(&one.settled()), before);
}
