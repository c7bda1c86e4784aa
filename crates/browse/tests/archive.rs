//! A run over a real server on loopback, recorded; the same run with the server gone, replayed.

#[path = "http/server.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod server;

use browse::warc::Reader;
use browse::{Archive, Budget, Fetch, HttpSettings, Memory, Method, Request, Response, Tape, Web, Wire};
use page::driver::{Action, Driver, DriverError, FailureKind, Live, Options};
use page::{NodeId, Remedy};
use server::{Asked, Server, write};
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");
const LATIN: (&str, &str) = ("Content-Type", "text/html; Charset=\"ISO-8859-1\"");

/// A site with a login, forms of all kinds, redirects, two charsets and pages that change with every visit.
fn site() -> impl Fn(&Asked, &mut TcpStream) + Send + Sync {
    let visits = AtomicUsize::new(0);
    move |asked, stream| {
        match asked.line.as_str() {
        "GET /" => write(
            stream,
            "200 OK",
            &[LATIN],
            b"<title>Gr\xFC\xDFe</title><form action=/login method=post><input id=user name=user><input id=pass type=password \
              name=pass><button id=login>In</button></form><form action=/find><input id=q name=q><button id=find>Find</button>\
              </form><form action=/upload method=post enctype=multipart/form-data><input name=t value='\xE4 b'><button id=up>\
              Up</button></form><a id=me href=/me>me</a><a id=moved href=/301>moved</a><a id=gone href=/gone>gone</a>\
              <a id=slow href=/slow>slow</a><a id=broken href=/short>broken</a><a id=visit href=/visit#here>visit</a>",
        ),
        "POST /login" => {
            let ok = ("Set-Cookie", "session=7; Path=/; HttpOnly");
            write(stream, "303 See Other", &[ok, ("Set-Cookie", "b=é"), ("Location", "/me")], b"");
        }
        "GET /me" => {
            let html = format!("<p>cookie: {}; from {}</p>", asked.header("Cookie"), asked.header("Referer"));
            write(stream, "200 OK", &[HTML], html.as_bytes());
        }
        "GET /301" => write(stream, "301 Moved Permanently", &[("Location", "/302")], b"moved"),
        "GET /302" => write(stream, "302 Found", &[("Location", "find?q=redirected#part")], b""),
        "GET /visit" => {
            let count = visits.fetch_add(1, Ordering::SeqCst);
            let html = format!("<p>visit {count}</p>");
            // In chunks.
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n{:x}\r\n{html}\r\n0\r\n\r\n",
                html.len()
            );
        }
        "GET /slow" => std::thread::sleep(Duration::from_millis(600)),
        "GET /short" => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n<p>");
        }
        "GET /gone" => write(stream, "410 Gone", &[HTML], b"<h1>gone</h1>"),
        line if line.starts_with("GET /find") || line.starts_with("POST /upload") => {
            let html = format!("<p>{line}</p><pre>{}</pre>", asked.body.replace('<', "&lt;"));
            write(stream, "200 OK", &[LATIN, ("Content-Language", "de")], html.as_bytes());
        }
        _ => write(stream, "404 Not Found", &[HTML], b"<h1>no such page</h1>"),
    }
    }
}

fn settings() -> HttpSettings {
    HttpSettings {
        timeout: Duration::from_millis(300),
        backoff: Duration::from_millis(10),
        ..HttpSettings::default()
    }
}

fn by_id(live: &Live, id: &str) -> NodeId {
    live.page
        .element_by_id(id)
        .unwrap_or_else(|| panic!("no element has the id {id}"))
}

/// What a run saw, page by page: address, source of the tree, encoding; or the failure.
fn shown(seen: &Result<Live, DriverError>) -> String {
    match seen {
        Ok(live) => format!(
            "{} {:?} {}",
            live.url,
            live.page.decoding().encoding,
            live.page.to_html(NodeId::DOCUMENT)
        ),
        // How long it took and how often it was tried is told in words, and a replay tries once.
        Err(error) => format!("{:?}", error.kind),
    }
}

/// The run.
fn browse(driver: &mut dyn Driver, home: &str) -> Vec<String> {
    let options = Options::default();
    let mut seen = Vec::new();
    let start = driver.open(home, &options);
    seen.push(shown(&start));
    let start = start.unwrap();
    let mut act = |on: &Live, id: &str, action: Action| {
        let outcome = driver.act(on, by_id(on, id), &action, &options);
        let live = outcome.map(page::driver::Outcome::into_live);
        seen.push(shown(&live));
        live.unwrap_or_else(|_| on.clone())
    };
    act(&start, "me", Action::Click);
    let typed = act(&start, "user", Action::Type("Jürgen <a>".to_owned()));
    let typed = act(&typed, "pass", Action::Type("geheim".to_owned()));
    act(&typed, "login", Action::Click);
    act(&start, "me", Action::Click);
    let typed = act(&start, "q", Action::Type("Straße 1".to_owned()));
    act(&typed, "find", Action::Click);
    for id in ["up", "moved", "gone", "visit", "visit", "slow", "broken", "visit"] {
        act(&start, id, Action::Click);
    }
    seen.push(shown(&driver.open(&format!("{home}missing"), &options)));
    seen
}

#[test]
fn a_replay_is_the_run_again() {
    for name in ["run.warc.gz", "run.warc"] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(name);
        let server = Server::start(site());
        let home = server.url("/");
        let tape = Tape::create(&file, false).unwrap();
        let wire = Wire::new(&settings()).unwrap();
        let mut driver = Web::recorded(wire, settings(), tape.clone());
        let live = browse(&mut driver, &home);
        assert!(!file.exists(), "not before it is whole");
        drop(server);
        tape.finish().unwrap();
        assert!(file.exists());
        assert!(live.iter().any(|seen| seen.contains("session=7")));
        assert!(live.iter().any(|seen| seen.contains("visit 2")), "{live:#?}");
        assert!(live.iter().any(|seen| seen.contains("Grüße")));
        assert!(live.iter().any(|seen| seen.starts_with("Timeout")), "{live:#?}");
        assert!(live.iter().any(|seen| seen.starts_with("Unreachable")), "{live:#?}");

        for _ in 0..2 {
            let archive = Archive::open(&file).unwrap();
            assert!(archive.faults().is_empty());
            let mut driver = Web::over(archive, HttpSettings::offline());
            assert_eq!(browse(&mut driver, &home), live);
            // After the last answer the last again.
            let again = driver.open(&format!("{home}visit"), &Options::default()).unwrap();
            assert_eq!(again.page.string_value(NodeId::DOCUMENT), "visit 2");
            let error = driver
                .open(&format!("{home}never?asked"), &Options::default())
                .unwrap_err();
            assert_eq!(error.kind, FailureKind::NotRecorded);
            let message = format!("GET {home}never?asked is not in the recording {}", file.display());
            assert_eq!(error.message, message);
        }
        // What was fetched after the end is refused.
        let error = driver.open(&home, &Options::default()).unwrap_err();
        assert!(error.message.ends_with(&format!("{name}: it is finished")), "{error}");
    }
}

fn recorded(dir: &std::path::Path, answers: Vec<(Request, Result<Response, DriverError>)>) -> Archive {
    let file = dir.join("r.warc.gz");
    let tape = Tape::create(&file, true).unwrap();
    for (request, answer) in answers {
        tape.write(std::time::SystemTime::UNIX_EPOCH, &request, &answer)
            .unwrap();
    }
    tape.finish().unwrap();
    Archive::open(file).unwrap()
}

const BUDGET: Budget = Budget {
    bytes: 1000,
    time: Duration::from_secs(1),
    private: true,
    cut: false,
};

fn get(url: &str) -> Request {
    Request::get(url.parse().unwrap())
}

fn post(url: &str, body: &str) -> Request {
    Request {
        method: Method::Post,
        body: Some(browse::Body {
            content_type: "text/plain".to_owned(),
            bytes: body.into(),
        }),
        ..get(url)
    }
}

#[test]
fn responses_come_out_as_they_went_in() {
    let dir = tempfile::tempdir().unwrap();
    let odd = Response {
        status: 599,
        headers: [
            ("transfer-encoding", "chunked"),
            ("Content-Encoding", "br"),
            ("content-length", "99"),
            ("x-latin", "é ü"),
            ("x-empty", ""),
            ("set-cookie", "a=1"),
            ("set-cookie", "b=2"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec(),
        body: (0..=255).collect(),
        ..Response::default()
    };
    let failure = DriverError::new(FailureKind::Status(418), "short and stout").with_remedy("tip me over");
    let slow = DriverError::new(FailureKind::Timeout, "slow").with_remedy(Remedy::RaiseTimeout);
    let exchanges = vec![
        (get("http://a.test/a#part"), Ok(odd.clone())),
        (get("http://a.test/b"), Err(failure.clone())),
        (get("http://a.test/b"), Ok(Response::html("now"))),
        (get("http://a.test/slow"), Err(slow.clone())),
        (post("http://a.test/a", "one"), Ok(Response::html("1"))),
        (post("http://a.test/a", "two"), Ok(Response::html("2"))),
        (post("http://a.test/a", ""), Ok(Response::status(204))),
        (get("http://a.test/large"), Ok(Response::html(vec![b'x'; 1001]))),
    ];
    let archive = recorded(dir.path(), exchanges);
    assert_eq!(archive.exchanges(), 8);
    let fetch = |request: &Request| archive.fetch(request, &BUDGET);
    assert_eq!(fetch(&get("http://a.test/a#other")), Ok(odd));
    assert_eq!(fetch(&get("http://a.test/slow")), Err(slow));
    assert_eq!(fetch(&get("HTTP://A.test:80/b")), Err(failure));
    assert_eq!(fetch(&get("http://a.test/b")), Ok(Response::html("now")));
    assert_eq!(fetch(&post("http://a.test/a", "two")).unwrap().body, b"2");
    assert_eq!(fetch(&post("http://a.test/a", "one")).unwrap().body, b"1");
    assert_eq!(fetch(&post("http://a.test/a", "")).unwrap().status, 204);
    let kind = |request: &Request| fetch(request).unwrap_err().kind;
    assert_eq!(kind(&post("http://a.test/a", "three")), FailureKind::NotRecorded);
    assert_eq!(kind(&post("http://a.test/b", "")), FailureKind::NotRecorded);
    assert_eq!(kind(&get("http://a.test/large")), FailureKind::TooLarge);
}

#[test]
fn archives_of_others() {
    // Responses without requests, a request after its response, a revisit, another protocol, LF, chunks and gzip.
    let record = |fields: &str, block: &str| {
        format!("WARC/1.0\n{fields}\nContent-Length: {}\n\n{block}\n\n", block.len()).into_bytes()
    };
    let uri = |path: &str| format!("WARC-Target-URI: <http://a.test/{path}>");
    let response = "WARC-Type: response\nContent-Type: application/http;msgtype=response\n";
    let file = [
        record("WARC-Type: warcinfo", "software: Wget/1.21"),
        record(
            &format!("{response}{}\nWARC-Record-ID: <urn:1>", uri("a")),
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nContent-Length: 77\n\n3\r\nabc\r\n0\r\n\r\n",
        ),
        record(
            &format!("{response}{}\nWARC-Record-ID: <urn:2>", uri("form")),
            "HTTP/1.0 201\n\nsent",
        ),
        record(
            &format!("WARC-Type: request\nWARC-Concurrent-To: <urn:2>\n{}", uri("form")),
            "POST /form HTTP/1.0\r\n\r\nq=1",
        ),
        record(
            &format!("WARC-Type: revisit\n{}", uri("a")),
            "HTTP/1.1 304 Not Modified\n\n",
        ),
        record(&format!("WARC-Type: metadata\n{}", uri("a")), "fetchTimeMs: 4"),
        record(
            "WARC-Type: response\nContent-Type: text/dns\nWARC-Target-URI: dns:a.test",
            "127.0.0.1",
        ),
        record(
            &format!("{response}{}", uri("br")),
            "HTTP/1.1 200 OK\nContent-Encoding: br\n\nxyz",
        ),
        record(&format!("{response}{}", uri("odd")), "no HTTP at all"),
        record(
            &format!("{response}{}\nWARC-Truncated: length", uri("cut")),
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n9\r\nabc",
        ),
    ]
    .concat();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("others.warc");
    fs::write(&path, file).unwrap();
    let archive = Archive::open(&path).unwrap();
    let fetch = |request: &Request| archive.fetch(request, &BUDGET);
    for _ in 0..2 {
        let a = fetch(&get("http://a.test/a")).unwrap();
        assert_eq!((a.status, &a.body[..], a.headers.len()), (200, &b"abc"[..], 0));
    }
    assert_eq!(fetch(&post("http://a.test/form", "q=1")).unwrap().body, b"sent");
    assert_eq!(
        fetch(&get("http://a.test/form")).unwrap_err().kind,
        FailureKind::NotRecorded
    );
    let error = fetch(&get("http://a.test/br")).unwrap_err();
    assert!(error.message.contains("the coding \"br\""), "{error}");
    let error = fetch(&get("http://a.test/odd")).unwrap_err();
    assert!(error.message.ends_with("it is not an HTTP response"), "{error}");
    assert_eq!(fetch(&get("http://a.test/cut")).unwrap().body, b"abc");
}

#[test]
fn what_is_no_recording_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.warc");
    let open = || Archive::open(&path).map(|_| ()).unwrap_err().message;
    let place = path.display().to_string();
    assert_eq!(open(), format!("{place} cannot be replayed: there is no such file"));
    fs::write(&path, "").unwrap();
    assert_eq!(open(), format!("{place} cannot be replayed: the file is empty"));
    fs::write(&path, "<html>").unwrap();
    let expected = "at byte 0: found \"<html>\", expected a record that begins with WARC/1.1";
    assert_eq!(open(), format!("{place} cannot be replayed: {expected}"));
}

#[test]
fn a_tape_overwrites_nothing_unless_told() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.warc.gz");
    fs::write(&file, "precious").unwrap();
    let error = Tape::create(&file, false).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{} exists already and is not overwritten", file.display())
    );
    let tape = Tape::create(&file, true).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"precious", "until it is finished");
    // While one run writes, another may not.
    let other = dir.path().join("y.warc.gz");
    let first = Tape::create(&other, false).unwrap();
    let error = Tape::create(&other, false).unwrap_err();
    assert!(error.to_string().contains("y.warc.gz.part exists"), "{error}");
    assert!(error.remedy().unwrap().to_string().contains("another run"));
    // Somebody else took the name meanwhile.
    fs::write(&other, "theirs").unwrap();
    first.finish().unwrap_err();
    assert_eq!(fs::read(&other).unwrap(), b"theirs");
    tape.finish().unwrap();
    tape.finish().unwrap();
    assert_eq!(
        Reader::new(&*fs::read(&file).unwrap(), 1 << 20)
            .filter(Result::is_ok)
            .count(),
        1
    );
    let error = Tape::create(dir.path().join("no/such/x.warc"), false).unwrap_err();
    assert!(error.to_string().starts_with("cannot write the recording"), "{error}");
}

#[test]
fn a_run_that_is_killed_leaves_what_it_had() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.warc.gz");
    let tape = Tape::create(&file, false).unwrap();
    for n in 0..5 {
        let request = get(&format!("http://a.test/{n}"));
        tape.write(std::time::SystemTime::UNIX_EPOCH, &request, &Ok(Response::html("x")))
            .unwrap();
        let bytes = fs::read(dir.path().join("x.warc.gz.part")).unwrap();
        assert_eq!(
            Reader::new(&bytes[..], 1 << 20).filter(Result::is_ok).count(),
            3 + 2 * n
        );
    }
    drop(tape);
    let archive = Archive::open(dir.path().join("x.warc.gz.part")).unwrap();
    assert_eq!(archive.exchanges(), 5);
    #[cfg(unix)]
    {
        let mode = fs::metadata(dir.path().join("x.warc.gz.part")).unwrap();
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777,
            0o600
        );
    }
}

#[test]
fn several_threads_record_whole_exchanges() {
    struct Echo;
    impl Fetch for Echo {
        fn fetch(&self, request: &Request, _: &Budget) -> Result<Response, DriverError> {
            Ok(Response::html(request.url.path().repeat(50)))
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.warc.gz");
    let tape = Tape::create(&file, false).unwrap();
    let driver = Web::recorded(Echo, HttpSettings::offline(), tape.clone());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let driver = &driver;
            scope.spawn(move || {
                for n in 0..50 {
                    let url = format!("http://a.test/{thread}/{n}");
                    driver.get(&url, None, &Options::default()).unwrap();
                }
            });
        }
    });
    tape.finish().unwrap();
    let archive = Archive::open(&file).unwrap();
    assert_eq!((archive.exchanges(), archive.faults().len()), (200, 0));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let archive = &archive;
            scope.spawn(move || {
                for n in 0..50 {
                    let path = format!("/{}/{n}", (thread + n) % 4);
                    let answer = archive.fetch(&get(&format!("http://a.test{path}")), &BUDGET).unwrap();
                    assert_eq!(answer.body, path.repeat(50).as_bytes());
                }
            });
        }
    });
}

/// `/dev/full` is a disk without room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.warc");
    std::os::unix::fs::symlink("/dev/full", dir.path().join("x.warc.part")).unwrap();
    let error = Tape::create(&file, true).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<std::io::Error>());
    assert_eq!(source.map(std::io::Error::kind), Some(std::io::ErrorKind::StorageFull));
    assert!(error.to_string().contains("x.warc.part: No space left"), "{error}");
    assert!(!file.exists());
}

#[test]
fn an_archive_answers_as_memory_does() {
    let dir = tempfile::tempdir().unwrap();
    let archive = recorded(
        dir.path(),
        vec![(get("http://a.test/"), Ok(Response::html("<a href=two>on</a>")))],
    );
    let mut driver = Web::over(archive, HttpSettings::offline());
    let mut memory = Memory::new([("http://a.test/", "<a href=two>on</a>")]);
    let options = Options::default();
    let (a, b) = (
        driver.open("http://a.test/", &options),
        memory.open("http://a.test/", &options),
    );
    assert_eq!(shown(&a), shown(&b));
}

/// A recording with a damaged byte, or cut short, answers as it should or not at all.
#[test]
fn damage_never_changes_an_answer() {
    let dir = tempfile::tempdir().unwrap();
    let urls: Vec<String> = (0..4).map(|n| format!("http://a.test/{n}")).collect();
    let exchange = |url: &String| (get(url), Ok(Response::html(url.repeat(9))));
    drop(recorded(dir.path(), urls.iter().map(exchange).collect()));
    let bytes = fs::read(dir.path().join("r.warc.gz")).unwrap();
    let damaged = dir.path().join("damaged.warc.gz");
    let mut answered = 0;
    for at in (0..bytes.len()).step_by(11) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        for bytes in [&flipped[..], &bytes[..at]] {
            fs::write(&damaged, bytes).unwrap();
            let Ok(archive) = Archive::open(&damaged) else { continue };
            for url in &urls {
                if let Ok(response) = archive.fetch(&get(url), &BUDGET) {
                    assert_eq!(response, Response::html(url.repeat(9)), "byte {at}");
                    answered += 1;
                }
            }
        }
    }
    assert!(
        answered > bytes.len() / 11 * 4,
        "{answered} of {}",
        bytes.len() / 11 * 8
    );
}
