//! What servers do wrong: every fault ends by itself, is tried again where that may help, and says what happened.

use crate::server::{Asked, Server, write};
use browse::{Http, HttpSettings};
use flate2::{Compression, write::GzEncoder};
use page::Remedy;
use page::driver::{Action, Driver, DriverError, FailureKind, Options};
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const HTML: (&str, &str) = ("Content-Type", "text/html");
const MS: Duration = Duration::from_millis(1);

fn settings() -> HttpSettings {
    let mut settings = HttpSettings {
        timeout: Duration::from_secs(20),
        backoff: MS,
        robots: false,
        env_proxy: false,
        ..HttpSettings::default()
    };
    settings.limits.bytes = 1 << 20;
    settings
}

fn open(driver: &mut Http, server: &Server) -> Result<String, DriverError> {
    let live = driver.open(&server.url("/"), &Options::default())?;
    Ok(live.page.text().to_owned())
}

/// A server that fails as often as said, then answers.
fn failing(times: usize, fail: impl Fn(&Asked, &mut TcpStream) + Send + Sync + 'static) -> Server {
    let count = AtomicUsize::new(0);
    Server::start(move |asked, stream| {
        if count.fetch_add(1, Ordering::SeqCst) < times {
            fail(asked, stream);
        } else {
            write(stream, "200 OK", &[HTML], b"<p>fine");
        }
    })
}

#[test]
fn what_may_pass_is_tried_again() {
    type Fault = fn(&Asked, &mut TcpStream);
    let rows: [(&str, Fault); 6] = [
        ("closed", |_, _| {}),
        ("500", |_, stream| write(stream, "500 Oops", &[], b"")),
        ("429", |_, stream| write(stream, "429 Slow Down", &[], b"")),
        ("503 with a time", |_, stream| {
            write(stream, "503 Later", &[("Retry-After", "0")], b"")
        }),
        ("short body", |_, stream| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<p>half");
        }),
        ("short chunks", |_, stream| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>ha\r\n");
        }),
    ];
    for (name, fault) in rows {
        let server = failing(2, fault);
        let mut driver = Http::new(settings()).unwrap();
        assert_eq!(open(&mut driver, &server).as_deref(), Ok("fine"), "{name}");
        assert_eq!((driver.stats().retries, driver.stats().requests), (2, 3), "{name}");

        let server = failing(3, fault);
        let mut driver = Http::new(settings()).unwrap();
        let error = open(&mut driver, &server).unwrap_err();
        assert!(error.message.ends_with(", 3 times"), "{name}: {error}");
        assert_eq!(server.log().len(), 3, "{name}");
        let mut once = Http::new(HttpSettings {
            retries: 0,
            ..settings()
        })
        .unwrap();
        let server = failing(1, fault);
        assert!(open(&mut once, &server).is_err(), "{name}");
        assert_eq!(server.log().len(), 1, "{name}");
    }
    let server = failing(9, |_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<p>half");
    });
    let error = open(&mut Http::new(settings()).unwrap(), &server).unwrap_err();
    assert_eq!(error.kind, FailureKind::Unreachable);
    assert!(error.message.contains(" ended early"), "{error}");
}

#[test]
fn connections_that_are_reset() {
    // A connection that is closed with bytes unread is reset.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (n, stream) in listener.incoming().take(5).enumerate() {
            let Ok(mut stream) = stream else { continue };
            let mut request = [0; 4096];
            let _ = stream.peek(&mut request);
            if n == 4 {
                let _ = std::io::Read::read(&mut stream, &mut request);
                write(&mut stream, "200 OK", &[HTML], b"<p>fine");
            }
        }
    });
    let mut driver = Http::new(settings()).unwrap();
    let error = driver.open(&url, &Options::default()).unwrap_err();
    assert_eq!(error.kind, FailureKind::Unreachable);
    assert!(error.message.ends_with(", 3 times"), "{error}");
    assert!(driver.open(&url, &Options::default()).is_ok());
    assert_eq!(driver.stats().retries, 3);
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    let rows: [(&str, &[u8]); 4] = [
        ("404", b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"),
        (
            "much later",
            b"HTTP/1.1 503 Later\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n",
        ),
        ("large", b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"),
        (
            "image",
            b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 0\r\n\r\n",
        ),
    ];
    for (name, answer) in rows {
        let server = failing(9, move |_, stream| {
            let _ = stream.write_all(answer);
        });
        let error = open(&mut Http::new(settings()).unwrap(), &server).unwrap_err();
        assert_eq!(server.log().len(), 1, "{name}: {error}");
        if name == "much later" {
            assert!(error.to_string().contains("Retry-After: 86400"), "{error}");
        }
    }
}

#[test]
fn more_than_announced_is_cut() {
    let server = failing(9, |_, stream| {
        let _ =
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 7\r\n\r\n<p>fineEXTRA");
    });
    let mut driver = Http::new(settings()).unwrap();
    assert_eq!(open(&mut driver, &server).as_deref(), Ok("fine"));
    assert_eq!(
        open(&mut driver, &server).as_deref(),
        Ok("fine"),
        "and does no harm to the next"
    );
}

#[test]
fn forms_are_sent_again_only_when_that_is_safe() {
    let page = b"<form method=post><button id=x>";
    type Fault = fn(&mut TcpStream);
    let rows: [(Fault, usize); 4] = [
        (|_| {}, 1),
        (|stream| write(stream, "500 Oops", &[], b""), 1),
        (|stream| write(stream, "503 Later", &[], b""), 1),
        (|stream| write(stream, "503 Later", &[("Retry-After", "0")], b""), 3),
    ];
    for (n, (fault, expected)) in rows.into_iter().enumerate() {
        let server = Server::start(move |asked, stream| match asked.line.starts_with("POST") {
            true => fault(stream),
            false => write(stream, "200 OK", &[HTML], page),
        });
        let mut driver = Http::new(settings()).unwrap();
        let live = driver.open(&server.url("/"), &Options::default()).unwrap();
        let button = live.page.element_by_id("x").unwrap();
        driver
            .act(&live, button, &Action::Click, &Options::default())
            .unwrap_err();
        assert_eq!(server.log().len(), 1 + expected, "row {n}");
    }
    // Nobody listens, so nothing can have been sent.
    let server = Server::start(move |_, stream| write(stream, "200 OK", &[HTML], page));
    let mut driver = Http::new(settings()).unwrap();
    let live = driver.open(&server.url("/"), &Options::default()).unwrap();
    drop(server);
    let button = live.page.element_by_id("x").unwrap();
    let error = driver
        .act(&live, button, &Action::Click, &Options::default())
        .unwrap_err();
    assert!(
        error.message.contains("refused") && error.message.ends_with(", 3 times"),
        "{error}"
    );
}

#[test]
fn pauses_double_and_a_server_may_set_them() {
    let server = failing(2, |_, stream| write(stream, "502 Oops", &[], b""));
    let mut driver = Http::new(HttpSettings {
        backoff: 40 * MS,
        ..settings()
    })
    .unwrap();
    let start = Instant::now();
    open(&mut driver, &server).unwrap();
    assert!(
        start.elapsed() >= 120 * MS && driver.stats().waiting >= 120 * MS,
        "{:?}",
        start.elapsed()
    );

    let server = failing(1, |_, stream| write(stream, "429 Slow", &[("Retry-After", "1")], b""));
    let start = Instant::now();
    open(&mut driver, &server).unwrap();
    assert!(start.elapsed() >= 1000 * MS, "{:?}", start.elapsed());
}

#[test]
fn slow_servers_run_out_of_time() {
    let rows: [fn(&mut TcpStream); 3] = [
        |_| std::thread::sleep(1500 * MS),
        |stream| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<p>");
            std::thread::sleep(1500 * MS);
        },
        |stream| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
            for _ in 0..40 {
                if stream.write_all(b"x").is_err() {
                    break;
                }
                std::thread::sleep(40 * MS);
            }
        },
    ];
    for (n, fault) in rows.into_iter().enumerate() {
        let server = failing(9, move |_, stream| fault(stream));
        let options = Options {
            timeout: Some(200 * MS),
            ..Options::default()
        };
        let mut driver = Http::new(HttpSettings {
            retries: 1,
            ..settings()
        })
        .unwrap();
        let start = Instant::now();
        let error = driver.open(&server.url("/"), &options).unwrap_err();
        assert_eq!(error.kind, FailureKind::Timeout, "row {n}: {error}");
        assert!(error.message.ends_with(" took longer than 0.2 s, 2 times"), "{error}");
        assert!(start.elapsed() < 1400 * MS, "row {n} took {:?}", start.elapsed());
    }
}

#[test]
fn the_end_of_the_run_bounds_everything() {
    let soon = || Options {
        deadline: Some(Instant::now() + 200 * MS),
        ..Options::default()
    };
    let check = |name: &str, settings: HttpSettings, server: &Server| {
        let mut driver = Http::new(settings).unwrap();
        let _ = driver.open(&server.url("/first"), &Options::default());
        let start = Instant::now();
        let error = driver.open(&server.url("/"), &soon()).unwrap_err();
        assert!(start.elapsed() < 1500 * MS, "{name} took {:?}", start.elapsed());
        error
    };
    let answer = |asked: &Asked, stream: &mut TcpStream| match asked.line.as_str() {
        "GET /first" => write(stream, "200 OK", &[HTML], b""),
        "GET /robots.txt" => write(stream, "404 No", &[], b""),
        _ => std::thread::sleep(3000 * MS),
    };
    let slow = Server::start(answer);
    let error = check("fetching", settings(), &slow);
    assert!(
        error.message.starts_with("the time for the run was over before"),
        "{error}"
    );
    let fine = failing(0, |_, _| {});
    let waiting = HttpSettings {
        delay: Some(Duration::from_secs(60)),
        ..settings()
    };
    let error = check("a turn", waiting, &fine);
    assert_eq!(error.kind, FailureKind::Timeout);
    assert!(error.remedy == Some(Remedy::ChangePace), "{error}");
    let broken = failing(9, |_, stream| write(stream, "500 Oops", &[], b""));
    let patient = HttpSettings {
        backoff: Duration::from_secs(60),
        retries: 1,
        ..settings()
    };
    let mut driver = Http::new(patient).unwrap();
    let error = driver.open(&broken.url("/"), &soon()).unwrap_err();
    assert_eq!(
        error.kind,
        FailureKind::Status(500),
        "a pause that ends too late is not begun"
    );
    let over = Options {
        deadline: Some(Instant::now()),
        ..Options::default()
    };
    assert_eq!(
        driver.open(&fine.url("/"), &over).unwrap_err().kind,
        FailureKind::Timeout
    );
}

#[test]
fn endless_bodies_and_bombs_stop_at_the_limit() {
    let bomb = {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let piece = vec![b'x'; 1 << 20];
        for _ in 0..64 {
            encoder.write_all(&piece).unwrap();
        }
        encoder.finish().unwrap()
    };
    let sent = std::sync::Arc::new(AtomicUsize::new(0));
    let counter = sent.clone();
    let server = Server::start(move |asked, stream| match asked.line.as_str() {
        "GET /bomb" => write(stream, "200 OK", &[HTML, ("Content-Encoding", "gzip")], &bomb),
        "GET /huge" => {
            // 2 GB, made as they are sent.
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
            let piece = vec![b'x'; 64 << 10];
            for _ in 0..(2 << 30) / piece.len() {
                if stream.write_all(&piece).is_err() {
                    break;
                }
                counter.fetch_add(piece.len(), Ordering::SeqCst);
            }
        }
        _ => write(stream, "200 OK", &[HTML], &vec![b'x'; 2 << 20]),
    });
    let mut driver = Http::new(settings()).unwrap();
    for path in ["/huge", "/bomb", "/large"] {
        let error = driver.open(&server.url(path), &Options::default()).unwrap_err();
        assert_eq!(error.kind, FailureKind::TooLarge, "{path}: {error}");
        assert!(
            error.message.ends_with("is larger than the limit of 1048576 bytes"),
            "{error}"
        );
    }
    let sent = sent.load(Ordering::SeqCst);
    assert!(sent < 64 << 20, "{sent} bytes of 2 GB were taken");
    assert_eq!(driver.stats().retries, 0);
}

#[test]
fn connections_are_kept_and_dead_ones_do_no_harm() {
    // Answers two requests on each connection, then closes it without a word.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let connections = std::sync::Arc::new(AtomicUsize::new(0));
    let counter = connections.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(20) {
            counter.fetch_add(1, Ordering::SeqCst);
            let Ok(mut stream) = stream else { continue };
            for _ in 0..2 {
                let mut request = [0; 4096];
                if std::io::Read::read(&mut stream, &mut request).unwrap_or(0) == 0 {
                    break;
                }
                let _ =
                    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 7\r\n\r\n<p>fine");
            }
        }
    });
    let mut driver = Http::new(HttpSettings {
        backoff: Duration::from_secs(60),
        ..settings()
    })
    .unwrap();
    for _ in 0..10 {
        driver.open(&url, &Options::default()).unwrap();
        // Time for the end of the connection to arrive.
        std::thread::sleep(5 * MS);
    }
    assert_eq!(connections.load(Ordering::SeqCst), 5, "two pages by each connection");
    assert_eq!(driver.stats().retries, 0);
}
