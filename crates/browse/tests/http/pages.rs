//! Links, forms, cookies, redirects, encodings.

use crate::server::{Asked, Server, write};
use browse::{Http, HttpSettings};
use flate2::{Compression, write::GzEncoder};
use page::NodeId;
use page::driver::{Action, Driver, DriverError, FailureKind, Live, Options};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn site(asked: &Asked, stream: &mut TcpStream) {
    match asked.line.as_str() {
        "GET /" => write(
            stream,
            "200 OK",
            &[HTML],
            b"<title>Start</title><a id=link href=/echo?x=1>on</a>\
              <form id=get action=/echo><input id=q name=q><select id=s name=s><option>a<option>b</select></form>\
              <form action=/echo method=post><input name=t value='a b&amp;c'><button id=post name=go value=1>Go</button></form>\
              <form action=/echo method=post enctype=multipart/form-data><input name=t value=v><button id=multi>Go</button></form>\
              <form action=/303 method=post><button id=303>Go</button></form>",
        ),
        "GET /set" => write(stream, "200 OK", &[HTML, ("Set-Cookie", "id=7; Path=/; HttpOnly"), ("Set-Cookie", "b=x")], b""),
        "GET /drop" => write(stream, "200 OK", &[HTML, ("Set-Cookie", "id=; Path=/; Max-Age=0")], b""),
        "GET /301" => write(stream, "301 Moved Permanently", &[("Location", "/set-then")], b"moved"),
        "GET /set-then" => write(stream, "302 Found", &[("Location", "echo#part"), ("Set-Cookie", "hop=1")], b""),
        "POST /303" => write(stream, "303 See Other", &[("Location", "/echo?after")], b""),
        "GET /loop" => write(stream, "302 Found", &[("Location", "/loop")], b""),
        "GET /gzip" => write(stream, "200 OK", &[HTML, ("Content-Encoding", "gzip")], &gzip("<p>gepackt ä".as_bytes())),
        "GET /bomb" => write(stream, "200 OK", &[HTML, ("Content-Encoding", "gzip")], &gzip(&vec![b'x'; 8 << 20])),
        "GET /broken-gzip" => write(stream, "200 OK", &[HTML, ("Content-Encoding", "gzip")], b"not gzip at all"),
        "GET /latin1" => write(stream, "200 OK", &[("Content-Type", "text/html; Charset=\"ISO-8859-1\"")], b"<p>gr\xFC\xDFe"),
        "GET /large" => write(stream, "200 OK", &[HTML], &vec![b'x'; 2 << 20]),
        "GET /short" => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n<p>");
        }
        "GET /nonsense" => {
            let _ = stream.write_all(b"this is not HTTP\r\n\r\n");
        }
        line if line.split(['?', ' ']).nth(1) == Some("/echo") => {
            let shown: Vec<String> = ["Cookie", "User-Agent", "Content-Type", "Accept-Encoding", "Referer"]
                .iter()
                .map(|name| format!("<p id={name}>{}</p>", asked.header(name)))
                .collect();
            let body = asked.body.replace('&', "&amp;");
            let html = format!("<p id=line>{}</p><p id=body>{body}</p>{}", line.replace('&', "&amp;"), shown.concat());
            write(stream, "200 OK", &[HTML], html.as_bytes());
        }
        _ => write(stream, "404 Not Found", &[HTML], b"<h1>no such page</h1>"),
    }
}

fn http() -> Http {
    let mut settings = HttpSettings {
        timeout: Duration::from_secs(10),
        backoff: Duration::from_millis(1),
        env_proxy: false,
        ..HttpSettings::default()
    };
    settings.limits.bytes = 1 << 20;
    Http::new(settings).unwrap()
}

fn by_id(live: &Live, id: &str) -> NodeId {
    live.page
        .element_by_id(id)
        .unwrap_or_else(|| panic!("no element has the id {id}"))
}

fn shown<'l>(live: &'l Live, id: &str) -> &'l str {
    live.page.string_value(by_id(live, id))
}

fn act(driver: &mut Http, on: &Live, id: &str, action: Action) -> Live {
    driver
        .act(on, by_id(on, id), &action, &Options::default())
        .unwrap()
        .into_live()
}

fn fails(driver: &mut Http, url: &str, options: &Options) -> DriverError {
    driver.open(url, options).unwrap_err()
}

#[test]
fn links_and_forms() {
    let server = Server::start(site);
    let mut driver = http();
    let start = driver.open(&server.url("/"), &Options::default()).unwrap();
    assert_eq!(*start.url, server.url("/"));

    let there = act(&mut driver, &start, "link", Action::Click);
    assert_eq!(shown(&there, "line"), "GET /echo?x=1");
    assert_eq!(
        shown(&there, "User-Agent"),
        concat!("wrapwright/", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(shown(&there, "Accept-Encoding"), "gzip, deflate, br, zstd");
    assert_eq!(shown(&there, "Referer"), server.url("/"));

    let typed = act(&mut driver, &start, "q", Action::Type("ä b".into()));
    let typed = act(&mut driver, &typed, "s", Action::SelectIndex(1));
    let there = act(&mut driver, &typed, "q", Action::Press("Enter".into()));
    assert_eq!(shown(&there, "line"), "GET /echo?q=%C3%A4+b&s=b");
    let there = act(&mut driver, &start, "get", Action::Submit);
    assert_eq!(
        shown(&there, "line"),
        "GET /echo?q=&s=a",
        "the first state is as it was"
    );

    let there = act(&mut driver, &start, "post", Action::Click);
    assert_eq!(
        (shown(&there, "line"), shown(&there, "body")),
        ("POST /echo", "t=a+b%26c&go=1")
    );
    assert_eq!(shown(&there, "Content-Type"), "application/x-www-form-urlencoded");
    let there = act(&mut driver, &start, "multi", Action::Click);
    assert!(shown(&there, "Content-Type").starts_with("multipart/form-data; boundary="));
    assert!(
        shown(&there, "body").contains("name=\"t\"\n\nv\n"),
        "{}",
        shown(&there, "body")
    );
    let there = act(&mut driver, &start, "303", Action::Click);
    assert_eq!((shown(&there, "line"), shown(&there, "body")), ("GET /echo?after", ""));
}

#[test]
fn cookies_and_redirects() {
    let server = Server::start(site);
    let mut driver = http();
    let open = |driver: &mut Http, path: &str| driver.open(&server.url(path), &Options::default()).unwrap();
    assert_eq!(shown(&open(&mut driver, "/echo"), "Cookie"), "");
    open(&mut driver, "/set");
    assert_eq!(shown(&open(&mut driver, "/echo"), "Cookie"), "b=x; id=7");
    open(&mut driver, "/drop");
    assert_eq!(shown(&open(&mut driver, "/echo"), "Cookie"), "b=x");
    let there = open(&mut driver, "/301");
    assert_eq!(*there.url, server.url("/echo#part"));
    assert_eq!(shown(&there, "Cookie"), "b=x; hop=1");
    let error = fails(&mut driver, &server.url("/loop"), &Options::default());
    assert!(error.message.ends_with("/loop redirects more than 10 times"), "{error}");
}

#[test]
fn bytes_to_text() {
    let server = Server::start(site);
    let mut driver = http();
    for (path, text) in [("/gzip", "gepackt ä"), ("/latin1", "grüße")] {
        assert_eq!(
            driver.open(&server.url(path), &Options::default()).unwrap().page.text(),
            text
        );
    }
}

#[test]
fn failures() {
    let server = Server::start(site);
    let mut driver = http();
    let rows = [
        ("/missing", FailureKind::Status(404)),
        ("/large", FailureKind::TooLarge),
        ("/bomb", FailureKind::TooLarge),
        ("/broken-gzip", FailureKind::Unreachable),
        ("/short", FailureKind::Unreachable),
        ("/nonsense", FailureKind::Unreachable),
    ];
    for (path, kind) in rows {
        let error = fails(&mut driver, &server.url(path), &Options::default());
        assert_eq!(error.kind, kind, "{path}: {error}");
        assert!(error.message.starts_with(&server.url(path)), "{error}");
    }
    let gone = server.url("/");
    drop(server);
    let error = fails(&mut driver, &gone, &Options::default());
    assert_eq!(error.kind, FailureKind::Unreachable);
    assert!(error.message.contains("refused"), "{error}");
}

#[test]
fn files_are_opened_only_for_the_user() {
    let folder = std::env::temp_dir().join(format!("wrapwright-browse-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("page one.html");
    std::fs::write(
        &path,
        "<p>saved</p><a id=a href=other.html>other</a><a id=b href='#x'>here</a>",
    )
    .unwrap();
    let url = url::Url::from_file_path(&path).unwrap();
    let mut driver = http();
    let live = driver.open(url.as_str(), &Options::default()).unwrap();
    assert!(live.page.text().starts_with("saved"));
    let error = driver
        .act(&live, by_id(&live, "a"), &Action::Click, &Options::default())
        .unwrap_err();
    assert_eq!(error.kind, FailureKind::Forbidden);
    assert!(
        driver
            .act(&live, by_id(&live, "b"), &Action::Click, &Options::default())
            .is_ok()
    );
    let folder_url = url::Url::from_file_path(&folder).unwrap();
    assert_eq!(
        fails(&mut driver, folder_url.as_str(), &Options::default()).kind,
        FailureKind::Unreachable
    );
    assert_eq!(
        fails(&mut driver, "file:///no/such/file", &Options::default()).kind,
        FailureKind::Unreachable
    );
    let mut careful = Http::new(HttpSettings {
        allow_file: false,
        ..HttpSettings::default()
    })
    .unwrap();
    assert_eq!(
        fails(&mut careful, url.as_str(), &Options::default()).kind,
        FailureKind::Forbidden
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
