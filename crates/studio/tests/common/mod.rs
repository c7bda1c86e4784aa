//! A project with pages, and an HTTP client that can say anything.
#![allow(dead_code, reason = "each test program uses some of it")]

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use studio::{Opening, Running, Sessions};
use tempfile::TempDir;
use wrapwright::{ParseSettings, Session, SessionSettings};

/// An answer of the server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// Sends a request as it is written.
pub(crate) fn raw(to: SocketAddr, request: &str) -> Answer {
    let mut stream = TcpStream::connect(to).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    // The server may refuse before it has read everything.
    let _ = stream.write_all(request.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0);
    Answer {
        status,
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

/// A request with the headers that are given, and a `Host`.
pub(crate) fn ask(to: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        request += &format!("Host: {to}\r\n");
    }
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    raw(to, &format!("{request}\r\n{body}"))
}

/// Somebody who came in.
pub(crate) struct Visitor {
    pub(crate) to: SocketAddr,
    pub(crate) cookie: String,
}

impl Visitor {
    /// Uses the token.
    pub(crate) fn enter(running: &Running) -> Visitor {
        let to = running.address();
        let path = running.url().split_once(&to.to_string()).expect("its address").1;
        let answer = ask(to, "GET", path, &[], "");
        assert_eq!(answer.status, 303, "{answer:?}");
        let cookie = answer.header("set-cookie").expect("a cookie");
        let cookie = cookie.split(';').next().expect("a pair").to_owned();
        Visitor { to, cookie }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        ask(self.to, "GET", path, &[("Cookie", &self.cookie)], "")
    }

    pub(crate) fn act(&self, command: &Value) -> Answer {
        self.post("/api/do", command)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let origin = format!("http://{}", self.to);
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Origin", &origin),
            ("Content-Type", "application/json"),
        ];
        ask(self.to, "POST", path, &headers, &body.to_string())
    }

    /// The state, as soon as nothing is under way.
    pub(crate) fn settled(&self) -> Value {
        let begin = Instant::now();
        loop {
            let state = self.get("/api/state").json();
            if state["busy"].is_null() && (state["rev"] != json!(0) || !state["error"].is_null()) {
                return state;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "{state}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

/// The names of the fields that are shown.
pub(crate) fn shown(state: &Value) -> Vec<String> {
    let fields = state["fields"].as_array().expect("fields").iter();
    let shown = fields.filter(|field| field["shown"] == json!(true));
    shown
        .map(|field| field["name"].as_str().expect("a name").to_owned())
        .collect()
}

/// A directory `project` with pages of a shop, inside a directory with a secret.
pub(crate) fn project() -> TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    let pages = folder.path().join("project/pages");
    std::fs::create_dir_all(&pages).expect("directories");
    for (number, (title, price, note)) in [
        ("Kelp", "7.25", "by sea"),
        ("Moss", "8.00", "by land"),
        ("Fern", "9.10", "by air"),
        ("Salt Road", "3.50", "by sea"),
    ]
    .into_iter()
    .enumerate()
    {
        let html = format!(
            "<!doctype html><title>{title}</title><h1>{title}</h1><p>Price: <b>{price}</b></p>\
             <p>Comes <i>{note}</i></p><p>Sold by <u>Ada Lovelace</u></p>"
        );
        std::fs::write(pages.join(format!("{number}.html")), html).expect("a page");
    }
    std::fs::write(folder.path().join("secret.html"), "<h1>secret</h1>").expect("a page");
    folder
}

/// A directory with the page `shelf.html`: a shelf and, if they are wanted, some posts.
pub(crate) fn shelf(has_posts: bool) -> TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    let goods = [
        ("Kelp", "7.25"),
        ("Moss", "8.00"),
        ("Fern", "9.10"),
        ("Salt Road", "3.50"),
    ];
    let goods = goods.map(|(name, price)| format!("<li><h3>{name}</h3><p>Price: <b>{price}</b></p></li>"));
    let posts = [
        ("Ada", "2024-05-01"),
        ("Ugo", "2024-05-02"),
        ("Cy", "2024-05-03"),
        ("Bo", "2024-05-04"),
    ];
    let posts = posts.map(|(who, when)| format!("<div class=post><i>{who}</i> wrote on <u>{when}</u></div>"));
    let posts = if has_posts { posts.concat() } else { String::new() };
    let style = "<style>li, h3, p, div { margin: 2px }</style>";
    let html = format!(
        "<title>Shelf</title>{style}<ul>{}</ul><section>{}</section>",
        goods.concat(),
        posts
    );
    std::fs::write(folder.path().join("shelf.html"), html).expect("a page");
    folder
}

pub(crate) fn opening(project: &Path, pages: &[&str]) -> Opening {
    Opening {
        project: project.canonicalize().expect("a directory"),
        wrapper: None,
        pages: pages.iter().map(|page| (*page).to_owned()).collect(),
        visitor: None,
        sessions: None,
        parse: ParseSettings::default(),
    }
}

/// The same with somebody who may open addresses.
pub(crate) fn online(project: &Path, pages: &[&str]) -> Opening {
    let session = Session::http(&SessionSettings::default()).expect("a session");
    let begin = |recall| {
        let settings = SessionSettings {
            recall,
            ..SessionSettings::default()
        };
        Session::http(&settings)
    };
    Opening {
        visitor: Some(session.visitor()),
        sessions: Some(Sessions {
            begin: Arc::new(begin),
            can_keep: true,
            arguments: Arc::new(|run| vec![run.wrapper.to_owned(), format!("{run:?}")]),
        }),
        ..opening(project, pages)
    }
}

/// A studio with the pages of the project.
pub(crate) fn start(folder: &TempDir) -> Running {
    let project = folder.path().join("project");
    let pages = project.join("pages").display().to_string();
    studio::start(opening(&project, &[&pages]), 0).expect("a studio")
}
