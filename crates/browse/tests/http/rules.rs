//! The rules that requests keep: robots.txt, turns, the cache, private addresses, proxies, secrets.

use crate::server::{Asked, Server, write};
use browse::{Budget, Fetch, Http, HttpSettings, Memory, Request, Response, Web, Wire};
use page::Remedy;
use page::driver::{Action, Driver, DriverError, FailureKind, Live, Options};
use std::collections::BTreeMap;
use std::net::{IpAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const HTML: (&str, &str) = ("Content-Type", "text/html");
const MS: Duration = Duration::from_millis(1);

fn settings() -> HttpSettings {
    HttpSettings {
        backoff: MS,
        env_proxy: false,
        ..HttpSettings::default()
    }
}

fn http(settings: HttpSettings) -> Http {
    Http::new(settings).unwrap()
}

fn ok(stream: &mut TcpStream, html: &str) {
    write(stream, "200 OK", &[HTML], html.as_bytes());
}

fn click<F: Fetch>(driver: &mut Web<F>, on: &Live, id: &str) -> Result<Live, DriverError> {
    let node = on
        .page
        .element_by_id(id)
        .unwrap_or_else(|| panic!("no element has the id {id}"));
    driver
        .act(on, node, &Action::Click, &Options::default())
        .map(|outcome| outcome.into_live())
}

#[test]
fn robots_txt_is_honoured() {
    let server = Server::start(|asked, stream| match asked.line.as_str() {
        "GET /robots.txt" => write(
            stream,
            "200 OK",
            &[],
            b"User-agent: *\nDisallow: /secret\nDisallow: /*?sort=",
        ),
        "GET /hop" => write(stream, "302 Found", &[("Location", "/secret/2")], b""),
        _ => ok(
            stream,
            "<a id=a href=/secret/1>1</a><a id=b href=/b>2</a><form method=post action=/secret><button id=c>",
        ),
    });
    let mut driver = http(settings());
    let live = driver.open(&server.url("/"), &Options::default()).unwrap();
    let error = click(&mut driver, &live, "a").unwrap_err();
    assert_eq!(error.kind, FailureKind::Robots);
    let (page, file) = (server.url("/secret/1"), server.url("/robots.txt"));
    let expected = format!(
        "{page} is not for programs: {file} says \"Disallow: /secret\" (ignore robots.txt to ask for it anyway)"
    );
    assert_eq!(error.to_string(), expected);
    assert_eq!(click(&mut driver, &live, "c").unwrap_err().kind, FailureKind::Robots);
    click(&mut driver, &live, "b").unwrap();
    for path in ["/secret", "/hop", "/list?sort=up"] {
        let error = driver.open(&server.url(path), &Options::default()).unwrap_err();
        assert_eq!(error.kind, FailureKind::Robots, "{path}");
    }
    assert_eq!(server.log(), ["GET /", "GET /b", "GET /hop"]);
    assert_eq!((server.robots(), driver.stats().robots_refusals), (1, 5));

    let mut rude = http(HttpSettings {
        robots: false,
        ..settings()
    });
    rude.open(&server.url("/secret"), &Options::default()).unwrap();
    assert_eq!(server.robots(), 1);
}

#[test]
fn robots_txt_that_is_not_there_or_fails() {
    let site = |status: &'static str| {
        Server::start(move |asked, stream| match asked.line.as_str() {
            "GET /robots.txt" => write(
                stream,
                status,
                &[("Location", "/robots2")],
                b"User-agent: *\nDisallow: /",
            ),
            "GET /robots2" => write(stream, "200 OK", &[], b"User-agent: *\nDisallow: /moved"),
            _ => ok(stream, ""),
        })
    };
    for (status, path, expected) in [
        ("404 No", "/", None),
        ("403 No", "/", None),
        ("200 OK", "/", Some(FailureKind::Robots)),
        ("302 Found", "/", None),
        ("302 Found", "/moved", Some(FailureKind::Robots)),
        ("500 Oops", "/", Some(FailureKind::Robots)),
        ("503 Later", "/", Some(FailureKind::Robots)),
    ] {
        let server = site(status);
        let found = http(settings()).open(&server.url(path), &Options::default());
        assert_eq!(
            found.map(|_| ()).map_err(|error| error.kind).err(),
            expected,
            "{status}"
        );
    }
    let endless = Server::start(|asked, stream| match asked.line.as_str() {
        "GET /" => ok(stream, ""),
        _ => write(stream, "302 Found", &[("Location", "/more")], b""),
    });
    http(settings()).open(&endless.url("/"), &Options::default()).unwrap();
    assert_eq!(
        endless.log().len() + endless.robots(),
        1 + 6,
        "five redirects are followed"
    );
    let huge = Server::start(|asked, stream| match asked.line.as_str() {
        "GET /robots.txt" => {
            let file = format!("User-agent: *\nDisallow: /a\n{}\nDisallow: /b", "#\n".repeat(1 << 20));
            write(stream, "200 OK", &[], file.as_bytes());
        }
        _ => ok(stream, ""),
    });
    let mut driver = http(settings());
    assert!(driver.open(&huge.url("/a"), &Options::default()).is_err());
    assert!(
        driver.open(&huge.url("/b"), &Options::default()).is_ok(),
        "beyond 500 KiB"
    );
    // Nobody there: the message is about the page.
    let server = site("404 No");
    let gone = server.url("/page");
    drop(server);
    let error = http(settings()).open(&gone, &Options::default()).unwrap_err();
    assert_eq!(error.kind, FailureKind::Unreachable);
    assert!(
        error.message.starts_with(&format!("{gone} cannot be reached: ")),
        "{error}"
    );
}

#[test]
fn hosts_are_asked_in_turn() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (n, m) = (now.clone(), most.clone());
    let server = Server::start(move |asked, stream| {
        m.fetch_max(n.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(10 * MS);
        n.fetch_sub(1, Ordering::SeqCst);
        match asked.line.as_str() {
            "GET /robots.txt" => write(stream, "200 OK", &[], b"User-agent: *\nCrawl-delay: 0.05"),
            _ => ok(stream, ""),
        }
    });
    let run = |settings: HttpSettings, pages: usize| {
        most.store(0, Ordering::SeqCst);
        let start = Instant::now();
        let driver = http(settings);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let mut driver = driver.clone();
                let url = server.url("/");
                scope.spawn(move || {
                    for _ in 0..pages {
                        driver.open(&url, &Options::default()).unwrap();
                    }
                });
            }
        });
        (most.load(Ordering::SeqCst), start.elapsed(), driver.stats())
    };
    let one = HttpSettings {
        per_host: Some(1),
        robots: false,
        ..settings()
    };
    assert_eq!(run(one, 3).0, 1);
    let free = HttpSettings {
        robots: false,
        ..settings()
    };
    assert!(run(free, 10).0 > 1, "loopback is not held back");
    let delayed = HttpSettings {
        delay: Some(30 * MS),
        robots: false,
        ..settings()
    };
    let (_, time, stats) = run(delayed, 1);
    assert!(time >= 90 * MS && stats.waiting > Duration::ZERO, "{time:?} {stats:?}");
    let (_, time, stats) = run(settings(), 1);
    assert!(time >= 150 * MS, "by robots.txt: {time:?}");
    assert_eq!((stats.requests, stats.retries, stats.cache_hits), (5, 0, 0));
    assert!(stats.fetching >= 50 * MS && stats.parsing > Duration::ZERO);
}

#[test]
fn waiting_is_not_taking_long() {
    let server = Server::start(|_, stream| ok(stream, ""));
    let mut driver = http(HttpSettings {
        delay: Some(300 * MS),
        timeout: 200 * MS,
        robots: false,
        ..settings()
    });
    for _ in 0..2 {
        driver.open(&server.url("/"), &Options::default()).unwrap();
    }
}

#[test]
fn the_cache_answers_without_a_request() {
    let folder = tempfile::tempdir().unwrap();
    let count = AtomicUsize::new(0);
    let server = Server::start(move |asked, stream| {
        let n = count.fetch_add(1, Ordering::SeqCst);
        match asked.line.as_str() {
            "GET /hop" => write(
                stream,
                "302 Found",
                &[("Location", "/page"), ("Set-Cookie", "a=1")],
                b"",
            ),
            "GET /no-store" => write(stream, "200 OK", &[HTML, ("Cache-Control", "no-store")], b"x"),
            "GET /missing" => write(stream, "404 No", &[HTML], b"x"),
            "GET /broken" => write(stream, "500 Oops", &[HTML], b"x"),
            _ => ok(stream, &format!("<p>{n} {}", asked.header("cookie"))),
        }
    });
    let with = |age| {
        http(HttpSettings {
            cache: Some(folder.path().join("cache")),
            cache_age: age,
            retries: 0,
            delay: Some(10 * MS),
            ..settings()
        })
    };
    let hour = Duration::from_secs(3600);
    let text = |driver: &mut Http, path: &str| {
        let live = driver.open(&server.url(path), &Options::default()).unwrap();
        live.page.text().to_owned()
    };
    let first = text(&mut with(hour), "/hop");
    assert!(first.ends_with(" a=1"), "{first}");
    let before = (server.log().len(), server.robots());
    let mut again = with(hour);
    assert_eq!(text(&mut again, "/hop"), first, "cookies of redirects are part of it");
    assert_eq!((server.log().len(), server.robots()), before, "nothing was asked");
    let stats = again.stats();
    assert_eq!(
        (stats.requests, stats.cache_hits, stats.waiting),
        (0, 2, Duration::ZERO)
    );
    let fetched = again.get(&server.url("/page"), None, &Options::default()).unwrap();
    assert!(fetched.from_cache && fetched.status == 200);

    for (path, asked) in [("/no-store", 2), ("/missing", 1), ("/broken", 2)] {
        let mut driver = with(hour);
        let before = server.log().len();
        for _ in 0..2 {
            let _ = driver.open(&server.url(path), &Options::default());
        }
        assert_eq!(server.log().len() - before, asked, "{path}");
    }
    let mut other = with(hour);
    assert_ne!(text(&mut other, "/page"), first, "another visitor, without the cookie");
    std::thread::sleep(2 * MS);
    assert_ne!(text(&mut with(Duration::ZERO), "/other"), text(&mut with(hour), "/new"));

    // Damage every file: all is asked for again and replaced.
    for entry in walk(&folder.path().join("cache")) {
        let mut bytes = std::fs::read(&entry).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&entry, bytes).unwrap();
    }
    let replaced = text(&mut with(hour), "/hop");
    assert_ne!(replaced, first);
    assert_eq!(text(&mut with(hour), "/hop"), replaced);

    // A folder that cannot be: one warning, and the run goes on.
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut driver = http(HttpSettings {
        cache: Some(file),
        ..settings()
    });
    text(&mut driver, "/one");
    text(&mut driver, "/two");
    let warnings = driver.warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("cannot be written to"), "{warnings:?}");
    assert!(driver.warnings().is_empty());
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    folders
        .flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()))
        .collect()
}

/// The network, as if `public.test` were on the internet.
pub(crate) struct Pretending(pub(crate) Wire);

impl Fetch for Pretending {
    fn fetch(&self, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
        let mut response = self.0.fetch(request, budget)?;
        if request.url.host_str() == Some("public.test") {
            response.remote = Some(IpAddr::from([8, 8, 8, 8]));
        }
        Ok(response)
    }
}

#[test]
fn public_pages_lead_to_public_addresses_only() {
    let server = Server::start(|asked, stream| match asked.line.as_str() {
        "GET /hop" => {
            let port = asked.header("host").rsplit(':').next().unwrap_or("").to_owned();
            let location = format!("http://inner.test:{port}/");
            write(stream, "302 Found", &[("Location", &location)], b"");
        }
        _ => {
            let port = asked.header("host").rsplit(':').next().unwrap_or("").to_owned();
            let link = |id: &str, host: &str| format!("<a id={id} href=http://{host}:{port}/x></a>");
            let html = link("name", "inner.test")
                + &link("literal", "2130706433")
                + &link("local", "localhost")
                + &link("six", "[::ffff:127.0.0.1]")
                + &link("self", "public.test");
            ok(stream, &html);
        }
    });
    let port = server.address().port();
    let loopback = IpAddr::from([127, 0, 0, 1]);
    let make = |allow_private| {
        let settings = HttpSettings {
            allow_private,
            robots: false,
            resolve: BTreeMap::from([
                ("public.test".to_owned(), loopback),
                ("inner.test".to_owned(), loopback),
            ]),
            ..settings()
        };
        Web::over(Pretending(Wire::new(&settings).unwrap()), settings)
    };
    let mut driver = make(false);
    let start = driver
        .open(&format!("http://public.test:{port}/"), &Options::default())
        .unwrap();
    // The last is a name that has changed its mind: the same host, now at a private address.
    for id in ["name", "literal", "local", "six", "self"] {
        let error = click(&mut driver, &start, id).unwrap_err();
        assert_eq!(error.kind, FailureKind::Forbidden, "{id}: {error}");
        assert_eq!(error.remedy, Some(Remedy::AllowPrivate), "{error}");
    }
    let error = driver
        .open(&format!("http://public.test:{port}/hop"), &Options::default())
        .unwrap_err();
    assert_eq!(error.kind, FailureKind::Forbidden, "by redirect: {error}");
    assert_eq!(server.log(), ["GET /", "GET /hop"], "nothing else was asked");
    let error = driver
        .get("http://10.0.0.1/", Some(&start), &Options::default())
        .unwrap_err();
    assert_eq!(error.kind, FailureKind::Forbidden);

    // What the user opens himself, and what that leads to.
    let inner = driver
        .open(&format!("http://inner.test:{port}/"), &Options::default())
        .unwrap();
    for id in ["name", "literal", "local"] {
        click(&mut driver, &inner, id).unwrap_or_else(|error| panic!("{id}: {error}"));
    }
    let mut lax = make(true);
    let start = lax
        .open(&format!("http://public.test:{port}/hop"), &Options::default())
        .unwrap();
    click(&mut lax, &start, "literal").unwrap();
}

#[test]
fn robots_txt_is_no_way_inside_either() {
    let server = Server::start(|_, stream| ok(stream, ""));
    let inside = server.url("/");
    let mut driver = Memory::with_settings(
        HttpSettings {
            robots: true,
            ..HttpSettings::offline()
        },
        move |request| {
            Some(match request.url.path() {
                "/robots.txt" => Response::status(302).with("Location", &inside),
                _ => Response::html(""),
            })
        },
    );
    let error = driver.open("http://public.test/", &Options::default()).unwrap_err();
    assert_eq!(error.kind, FailureKind::Forbidden, "{error}");
    assert_eq!(driver.log(), ["GET http://public.test/robots.txt"]);
}

#[test]
fn proxies() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    // A proxy is a server that is asked for whole addresses.
    let proxy = Server::start(move |asked: &Asked, stream| {
        log.lock()
            .unwrap()
            .push((asked.line.clone(), asked.header("proxy-authorization").to_owned()));
        ok(
            stream,
            "<p>by proxy</p><a id=in href=http://192.168.0.1/></a><a id=next href=/next></a>",
        );
    });
    let direct = Server::start(|_, stream| ok(stream, "<p>direct"));
    let mut driver = http(HttpSettings {
        proxy: Some(format!("http://me:secret@{}", proxy.address())),
        robots: false,
        delay: Some(Duration::ZERO),
        ..settings()
    });
    let live = driver.open("http://far.test/page", &Options::default()).unwrap();
    assert!(live.page.text().starts_with("by proxy"));
    click(&mut driver, &live, "next").unwrap();
    let seen = |n: usize| seen.lock().unwrap()[n].clone();
    assert_eq!(
        seen(0),
        ("GET http://far.test/page".to_owned(), "Basic bWU6c2VjcmV0".to_owned())
    );
    assert_eq!(seen(1).0, "GET http://far.test/next");
    assert_eq!(
        click(&mut driver, &live, "in").unwrap_err().kind,
        FailureKind::Forbidden
    );
    let live = driver.open(&direct.url("/"), &Options::default()).unwrap();
    assert_eq!(live.page.text(), "direct", "loopback is never asked by proxy");
    drop(proxy);
    let error = driver.open("http://far.test/page", &Options::default()).unwrap_err();
    assert_eq!(error.kind, FailureKind::Unreachable);
    assert!(!error.to_string().contains("secret"), "{error}");
    let error = Http::new(HttpSettings {
        proxy: Some("gopher://me:secret@x".into()),
        ..settings()
    })
    .err()
    .unwrap();
    assert!(
        error.to_string().contains("socks5h://") && !error.to_string().contains("secret"),
        "{error}"
    );
}

#[test]
fn secrets_go_only_where_they_belong() {
    let echo = |asked: &Asked, stream: &mut TcpStream| {
        let shown =
            ["authorization", "x-key", "accept-language", "cookie"].map(|name| format!("[{}]", asked.header(name)));
        match asked.line.as_str() {
            line if line.starts_with("GET /to/") => {
                let location = format!("http://{}/", line.trim_start_matches("GET /to/"));
                write(stream, "302 Found", &[("Location", &location)], b"");
            }
            _ => ok(stream, &format!("<p>{}</p><a id=a href=/next></a>", shown.concat())),
        }
    };
    let (one, two) = (Server::start(echo), Server::start(echo));
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut driver = http(HttpSettings {
        headers: vec![
            header("Authorization", "Bearer t"),
            header("X-Key", "k"),
            header("Accept-Language", "de"),
            header("Cookie", "mine=1"),
        ],
        robots: false,
        ..settings()
    });
    let text = |live: &Live| live.page.text().to_owned();
    let live = driver.open(&one.url("/"), &Options::default()).unwrap();
    assert_eq!(text(&live), "[Bearer t][k][de][mine=1]");
    assert_eq!(
        text(&click(&mut driver, &live, "a").unwrap()),
        "[Bearer t][k][de][mine=1]"
    );
    let there = one.url(&format!("/to/{}", two.address()));
    assert_eq!(text(&driver.open(&there, &Options::default()).unwrap()), "[][][de][]");

    let mut driver = http(HttpSettings {
        robots: false,
        ..settings()
    });
    let with_login = |url: String| url.replace("http://", "http://me:a%20b@");
    let live = driver.open(&with_login(one.url("/")), &Options::default()).unwrap();
    assert_eq!(*live.url, one.url("/"), "the login is nowhere to be seen");
    assert_eq!(text(&live), "[Basic bWU6YSBi][][][]");
    assert_eq!(text(&click(&mut driver, &live, "a").unwrap()), "[Basic bWU6YSBi][][][]");
    assert_eq!(
        text(&driver.open(&with_login(there), &Options::default()).unwrap()),
        "[][][][]"
    );
    assert_eq!(
        text(&driver.open(&one.url("/"), &Options::default()).unwrap()),
        "[Basic bWU6YSBi][][][]"
    );

    for (name, value) in [("bad name", "x"), ("X", "a\nb"), ("Content-Length", "3"), ("Host", "x")] {
        let found = Http::new(HttpSettings {
            headers: vec![header(name, value)],
            ..settings()
        });
        assert!(found.is_err(), "{name}");
    }
}

#[test]
fn cookies_outlive_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/cookies.txt");
    let server = Server::start(|asked, stream| match asked.line.as_str() {
        "GET /login" => write(
            stream,
            "200 OK",
            &[
                HTML,
                ("Set-Cookie", "id=7; HttpOnly"),
                ("Set-Cookie", "k=1; Max-Age=99"),
            ],
            b"",
        ),
        _ => ok(stream, &format!("<p>{}", asked.header("cookie"))),
    });
    let mut first = http(settings());
    first.open(&server.url("/login"), &Options::default()).unwrap();
    first.save_cookies(&path).unwrap();
    let mut second = http(settings());
    assert_eq!(second.load_cookies(&path).unwrap(), 2);
    let live = second.open(&server.url("/"), &Options::default()).unwrap();
    assert_eq!(live.page.text(), "id=7; k=1");
    let error = second.load_cookies(&folder.path().join("none")).unwrap_err();
    assert!(error.message.contains("none cannot be read"), "{error}");
    assert!(second.save_cookies(folder.path()).is_err());
}

#[test]
fn pages_that_send_us_on() {
    let site = |request: &Request| {
        let refresh = |content: &str| Response::html(format!("<meta http-equiv=refresh content='{content}'>"));
        Some(match request.url.path() {
            "/0" => refresh("0; url=/end"),
            "/base" => Response::html("<base href=/dir/><meta http-equiv=refresh content='0; url=end'>"),
            "/header" => Response::html("").with("Refresh", "0; url=/end"),
            "/late" => refresh("30; url=/end"),
            "/self" => refresh("0; url=/self#again"),
            "/reload" => refresh("5"),
            "/ping" => refresh("0; url=/pong"),
            "/pong" => refresh("0; url=/ping"),
            "/script" => refresh("0; url=javascript:x()"),
            "/file" => refresh("0; url=file:///etc/passwd"),
            "/inside" => refresh("0; url=http://127.0.0.1/"),
            "/missing" => {
                let mut page = refresh("0; url=/end");
                page.status = 404;
                page
            }
            _ => Response::html("<p>end"),
        })
    };
    let mut driver = Memory::with(site);
    let rows = [
        ("/0", "/end"),
        ("/base", "/dir/end"),
        ("/header", "/end"),
        ("/late", "/late"),
        ("/self", "/self"),
        ("/reload", "/reload"),
        ("/script", "/script"),
        ("/file", "/file"),
    ];
    for (path, expected) in rows {
        let url = format!("http://a.test{path}");
        let live = driver.open(&url, &Options::default()).unwrap();
        assert_eq!(*live.url, format!("http://a.test{expected}"), "{path}");
        let fetched = driver.get(&url, None, &Options::default()).unwrap();
        assert_eq!(fetched.url, *live.url, "{path}");
        assert_eq!(driver.read(&fetched).unwrap().page.text(), live.page.text());
    }
    let mut fails = |path: &str| {
        driver
            .open(&format!("http://a.test{path}"), &Options::default())
            .unwrap_err()
    };
    assert!(fails("/ping").message.ends_with("redirects more than 10 times"));
    assert_eq!(fails("/missing").kind, FailureKind::Status(404));
    assert_eq!(fails("/inside").kind, FailureKind::Forbidden);
}

#[test]
fn bytes_as_they_came() {
    let server = Server::start(|asked, stream| match asked.line.as_str() {
        "GET /hop" => write(stream, "301 Moved", &[("Location", "/dir/pic")], b""),
        "GET /dir/pic" => write(stream, "200 OK", &[("Content-Type", "image/png")], b"\x89PNG\0"),
        "GET /missing" => write(stream, "404 No", &[HTML], b"gone"),
        _ => ok(stream, &format!("<base href=/dir/>{}", asked.header("referer"))),
    });
    let mut driver = http(settings());
    let get = |url: &str, from: Option<&Live>| driver.get(url, from, &Options::default());
    let fetched = get(&server.url("/hop"), None).unwrap();
    assert_eq!(
        (fetched.url, fetched.status, &*fetched.body),
        (server.url("/dir/pic"), 200, &b"\x89PNG\0"[..])
    );
    let fetched = get(&server.url("/missing"), None).unwrap();
    assert_eq!((fetched.status, &*fetched.body), (404, &b"gone"[..]));
    assert_eq!(driver.read(&fetched).unwrap_err().kind, FailureKind::Status(404));
    let page = driver.open(&server.url("/"), &Options::default()).unwrap();
    let get = |url: &str, from: Option<&Live>| driver.get(url, from, &Options::default());
    assert_eq!(
        get("pic", Some(&page)).unwrap().header("content-type"),
        Some("image/png")
    );
    let fetched = get("other", Some(&page)).unwrap();
    assert!(
        String::from_utf8_lossy(&fetched.body).ends_with(&server.url("/")),
        "with a referrer"
    );
    assert_eq!(
        get("file:///etc/passwd", Some(&page)).unwrap_err().kind,
        FailureKind::Forbidden
    );
    assert_eq!(get("pic", None).unwrap_err().kind, FailureKind::BadUrl);
}
