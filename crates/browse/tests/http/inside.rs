//! Ways from a public page to what only this machine and its network may reach: every spelling of a private address, by
//! every way that a page can lead somewhere. None may send a single request.

use crate::rules::Pretending;
use crate::server::{Asked, Server, write};
use browse::{HttpSettings, Web, Wire};
use page::driver::{Action, Driver, DriverError, FailureKind, Live, Options};
use std::collections::BTreeMap;
use std::net::{IpAddr, TcpStream};

/// Hosts that are, or resolve to, private addresses.
const INSIDE: &[&str] = &[
    "127.0.0.1",
    "127.1",
    "127.0.0.1.",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7F.1",
    "0177.0.0.1",
    "017700000001",
    "%31%32%37.0.0.1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "deep.name.localhost",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "0.0.0.0",
    "0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[ff02::1]",
    "inner.test",
    "INNER.test",
    "user:secret@inner.test",
];

/// Addresses that lead out of the web.
const OUTSIDE: &[&str] = &[
    "file:///etc/passwd",
    "file:/etc/passwd",
    "FILE:///etc/passwd",
    "file://localhost/etc/passwd",
    "view-source:file:///etc/passwd",
    "ftp://inner.test/",
    "gopher://inner.test/",
    "data:text/html,<p>made",
    "javascript:1",
    "about:blank",
    "chrome://version",
];

/// How a page leads somewhere.
const WAYS: &[&str] = &["link", "form", "frame", "href", "redirect", "refresh", "doc"];

fn answer(asked: &Asked, stream: &mut TcpStream) {
    let target = asked
        .line
        .split_once("?to=")
        .map(|(_, to)| decoded(to))
        .unwrap_or_default();
    let html = match asked.line.as_str() {
        line if line.starts_with("GET /redirect") => {
            return write(stream, "302 Found", &[("Location", &target)], b"");
        }
        line if line.starts_with("GET /refresh") => {
            format!("<meta http-equiv=refresh content=\"0; url={target}\"><p>before")
        }
        line if line.starts_with("GET /start") => format!(
            "<a id=link href=\"{target}\">a</a><form action=\"{target}\" method=post><button id=form>b</button></form>\
             <iframe id=frame src=\"{target}\"></iframe><a id=href href=\"{target}\">c</a>"
        ),
        _ => "<p>secret of the inside".to_owned(),
    };
    let kind = ("Content-Type", "text/html; charset=utf-8");
    write(stream, "200 OK", &[kind], html.as_bytes());
}

fn decoded(text: &str) -> String {
    let bytes: Vec<u8> = text
        .as_bytes()
        .chunks(2)
        .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    String::from_utf8(bytes).unwrap_or_default()
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

struct Stage {
    server: Server,
    driver: Web<Pretending>,
}

impl Stage {
    fn new(allow_private: bool) -> Stage {
        let server = Server::start(answer);
        let loopback = IpAddr::from([127, 0, 0, 1]);
        let settings = HttpSettings {
            robots: false,
            delay: Some(std::time::Duration::ZERO),
            env_proxy: false,
            resolve: BTreeMap::from([
                ("public.test".to_owned(), loopback),
                ("inner.test".to_owned(), loopback),
            ]),
            allow_file: true,
            allow_private,
            ..HttpSettings::default()
        };
        let driver = Web::over(Pretending(Wire::new(&settings).expect("a client")), settings);
        Stage { server, driver }
    }

    fn open(&mut self, path: &str, target: &str) -> Result<Live, DriverError> {
        let port = self.server.address().port();
        let url = format!("http://public.test:{port}/{path}?to={}", encoded(target));
        self.driver.open(&url, &Options::default())
    }

    /// Goes from a public page to the target.
    fn go(&mut self, way: &str, target: &str) -> Result<Live, DriverError> {
        if matches!(way, "redirect" | "refresh") {
            return self.open(way, target);
        }
        let start = self.open("start", target)?;
        if way == "doc" {
            return self.driver.open_from(target, &start, &Options::default());
        }
        let node = start.page.element_by_id(way).expect("an element");
        let action = match way {
            "frame" => Action::MoveToFrame,
            "href" => Action::MoveToHref,
            _ => Action::Click,
        };
        let outcome = self.driver.act(&start, node, &action, &Options::default())?;
        Ok(outcome.into_live())
    }
}

#[test]
fn no_spelling_of_a_private_address_is_reached_by_any_way() {
    let mut stage = Stage::new(false);
    let port = stage.server.address().port();
    let mut cases = 0;
    for way in WAYS {
        for host in INSIDE {
            let target = format!("http://{host}:{port}/inside");
            match stage.go(way, &target) {
                Err(error) => assert!(
                    matches!(error.kind, FailureKind::Forbidden | FailureKind::BadUrl),
                    "{way} to {target}: {error}"
                ),
                Ok(live) => panic!("{way} to {target} gives {}: {}", live.url, live.page.text()),
            }
            cases += 1;
        }
    }
    assert_eq!(cases, WAYS.len() * INSIDE.len());
    let inside: Vec<String> = stage
        .server
        .log()
        .into_iter()
        .filter(|line| line.contains("/inside"))
        .collect();
    assert_eq!(inside, [""; 0], "no request reached the inside");
    // If the user allows it, all ways lead there.
    let mut stage = Stage::new(true);
    let port = stage.server.address().port();
    for way in WAYS {
        let target = format!("http://inner.test:{port}/inside");
        let live = stage.go(way, &target).expect("a page");
        assert_eq!(live.page.text(), "secret of the inside", "{way}");
    }
}

#[test]
fn no_page_leads_out_of_the_web() {
    let mut stage = Stage::new(false);
    for way in WAYS {
        for target in OUTSIDE {
            // A refresh that is not followed leaves the page as it is; an empty page in a frame is no page.
            match stage.go(way, target) {
                Err(error) => assert!(
                    matches!(
                        error.kind,
                        FailureKind::Forbidden | FailureKind::NeedsBrowser | FailureKind::NotActionable
                    ),
                    "{way} to {target}: {:?} {error}",
                    error.kind
                ),
                Ok(live) => assert_eq!((*way, live.page.text()), ("refresh", "before"), "{way} to {target}"),
            }
        }
    }
}

#[test]
fn an_address_of_a_page_is_relative_to_it_and_gets_no_secrets() {
    let other = Server::start(|asked, stream| {
        let shown = ["x-key", "authorization", "cookie"].map(|name| format!("[{}]", asked.header(name)));
        write(
            stream,
            "200 OK",
            &[("Content-Type", "text/html")],
            shown.concat().as_bytes(),
        );
    });
    let own = Server::start(|asked, stream| {
        let html = format!("{} {}", asked.line, asked.header("x-key"));
        write(
            stream,
            "200 OK",
            &[("Content-Type", "text/html"), ("Set-Cookie", "session=1")],
            html.as_bytes(),
        );
    });
    let settings = HttpSettings {
        robots: false,
        delay: Some(std::time::Duration::ZERO),
        headers: vec![("X-Key".to_owned(), "secret".to_owned())],
        resolve: BTreeMap::from([("other.test".to_owned(), IpAddr::from([127, 0, 0, 1]))]),
        ..HttpSettings::default()
    };
    let mut driver = browse::Http::new(settings).expect("a client");
    let start = driver.open(&own.url("/a/b"), &Options::default()).expect("a page");
    let live = driver.open_from("../c?d", &start, &Options::default()).expect("a page");
    assert_eq!(live.page.text(), "GET /c?d secret");
    let elsewhere = format!("http://other.test:{}/", other.address().port());
    let led = driver
        .open_from(&elsewhere, &start, &Options::default())
        .expect("a page");
    assert_eq!(led.page.text(), "[][][]", "the page chose this site");
    let named = driver.open(&elsewhere, &Options::default()).expect("a page");
    assert_eq!(named.page.text(), "[secret][][]", "the user chose this site");
}
