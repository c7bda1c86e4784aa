//! Servers that are wrong on purpose: each answer ends in a page or in a failure of the right kind, nothing panics or hangs,
//! and the next page of the same server is read as if nothing had happened.

use crate::server::{Server, write};
use browse::{Http, HttpSettings};
use flate2::{Compression, write::GzEncoder};
use page::driver::{Driver, FailureKind, Options};
use std::io::Write;
use std::time::Duration;

/// What must come of an answer.
#[derive(Debug, PartialEq)]
enum Comes {
    /// A page whose text begins so.
    Page(&'static str),
    /// A failure of this kind.
    Fails(FailureKind),
}

use Comes::{Fails, Page};
use FailureKind::{BadUrl, Forbidden, Other, Status, Timeout, TooLarge, Unreachable};

fn head(lines: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n{lines}\r\n").into_bytes()
}

fn with_body(lines: &str, body: &[u8]) -> Vec<u8> {
    [
        head(&format!("Content-Length: {}\r\n{lines}", body.len())),
        body.to_vec(),
    ]
    .concat()
}

fn html(body: &str) -> Vec<u8> {
    with_body("", body.as_bytes())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

/// A name, the bytes that the server sends before it closes, and what must come of them.
fn cases() -> Vec<(&'static str, Vec<u8>, Comes)> {
    let raw = |text: &str| text.replace('\n', "\r\n").into_bytes();
    let packed = gzip(b"<p>packed");
    vec![
        // No answer, or not HTTP.
        ("nothing at all", Vec::new(), Fails(Unreachable)),
        ("noise", (0..=255).cycle().take(5000).collect(), Fails(Unreachable)),
        ("an old answer without a head", b"<p>0.9".to_vec(), Fails(Unreachable)),
        (
            "HTTP/2",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
            Fails(Unreachable),
        ),
        ("TLS", vec![0x16, 3, 3, 0, 2, 1, 0], Fails(Unreachable)),
        ("SSH", b"SSH-2.0-OpenSSH_9\r\n".to_vec(), Fails(Unreachable)),
        (
            "a head that does not end",
            raw("HTTP/1.1 200 OK\nContent-Type: text/html\n"),
            Fails(Unreachable),
        ),
        ("only zeros", vec![0; 100_000], Fails(Unreachable)),
        // Status lines.
        ("a status of letters", raw("HTTP/1.1 abc OK\n\n"), Fails(Unreachable)),
        ("status 0", raw("HTTP/1.1 0 No\n\n"), Fails(Unreachable)),
        ("status 99999", raw("HTTP/1.1 99999 No\n\n"), Fails(Unreachable)),
        (
            "status 999",
            raw("HTTP/1.1 999 No\nContent-Length: 0\n\n"),
            Fails(Status(999)),
        ),
        (
            "a version that there is not",
            raw("HTTP/7.3 200 OK\nContent-Length: 0\n\n"),
            Fails(Unreachable),
        ),
        (
            "no content",
            raw("HTTP/1.1 204 No\nContent-Length: 9\n\n<p>hidden"),
            Page(""),
        ),
        ("not modified", raw("HTTP/1.1 304 Not Modified\n\n"), Fails(Status(304))),
        (
            "a part",
            raw(
                "HTTP/1.1 206 Partial\nContent-Type: text/html\nContent-Range: bytes 0-3/9\nContent-Length: 6\n\n<p>hal",
            ),
            Page("hal"),
        ),
        (
            "switching protocols",
            raw("HTTP/1.1 101 Switching\nUpgrade: x\n\n"),
            Fails(Status(101)),
        ),
        (
            "a hint before the answer",
            [raw("HTTP/1.1 103 Early Hints\nLink: <a>\n\n"), html("<p>after")].concat(),
            Page("after"),
        ),
        // Lengths.
        (
            "a negative length",
            [head("Content-Length: -1\r\n"), b"<p>x".to_vec()].concat(),
            Fails(Unreachable),
        ),
        (
            "a length of letters",
            [head("Content-Length: x\r\n"), b"<p>x".to_vec()].concat(),
            Fails(Unreachable),
        ),
        (
            "two lengths",
            [head("Content-Length: 4\r\nContent-Length: 9\r\n"), b"<p>x".to_vec()].concat(),
            Fails(Unreachable),
        ),
        (
            "a length beyond numbers",
            [head("Content-Length: 99999999999999999999\r\n"), b"<p>x".to_vec()].concat(),
            Fails(Unreachable),
        ),
        (
            "a length beyond the limit",
            [head("Content-Length: 999999999999\r\n"), b"<p>x".to_vec()].concat(),
            Fails(TooLarge),
        ),
        (
            "less than announced",
            [head("Content-Length: 500\r\n"), b"<p>short".to_vec()].concat(),
            Fails(Unreachable),
        ),
        (
            "a second answer after the first",
            [html("<p>first"), html("<p>second")].concat(),
            Page("first"),
        ),
        // Chunks.
        (
            "a chunk of letters",
            [head("Transfer-Encoding: chunked\r\n"), b"zz\r\nx\r\n0\r\n\r\n".to_vec()].concat(),
            Fails(Unreachable),
        ),
        (
            "a chunk beyond numbers",
            [
                head("Transfer-Encoding: chunked\r\n"),
                b"fffffffffffffffff\r\nx".to_vec(),
            ]
            .concat(),
            Fails(Unreachable),
        ),
        (
            "chunks without an end",
            [head("Transfer-Encoding: chunked\r\n"), b"4\r\n<p>x\r\n".to_vec()].concat(),
            Fails(Unreachable),
        ),
        (
            "chunks and a length",
            [
                head("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n"),
                b"4\r\n<p>x\r\n0\r\n\r\n".to_vec(),
            ]
            .concat(),
            Page("x"),
        ),
        (
            "an unknown transfer",
            [head("Transfer-Encoding: wild\r\n"), b"<p>x".to_vec()].concat(),
            Page("x"),
        ),
        // Headers.
        (
            "a header of 2 MB",
            with_body(&format!("X: {}\r\n", "y".repeat(2 << 20)), b"<p>x"),
            Fails(Unreachable),
        ),
        (
            "20,000 headers",
            with_body(&"X: y\r\n".repeat(20_000), b"<p>x"),
            Fails(Unreachable),
        ),
        (
            "a header without a colon",
            with_body("nonsense\r\n", b"<p>x"),
            Fails(Unreachable),
        ),
        (
            "a header with a zero byte",
            with_body("X: a\0b\r\n", b"<p>x"),
            Fails(Unreachable),
        ),
        (
            "a folded header",
            with_body("X: a\r\n b\r\n", b"<p>x"),
            Fails(Unreachable),
        ),
        (
            "90 cookies",
            with_body(&"Set-Cookie: a=b; Path=/x\r\n".repeat(90), b"<p>x"),
            Page("x"),
        ),
        (
            "a cookie of 60 kB",
            with_body(&format!("Set-Cookie: a={}\r\n", "b".repeat(60_000)), b"<p>x"),
            Page("x"),
        ),
        (
            "an unknown charset",
            raw("HTTP/1.1 200 OK\nContent-Type: text/html; charset=klingon\nContent-Length: 4\n\n<p>x"),
            Page("x"),
        ),
        (
            "a picture",
            raw("HTTP/1.1 200 OK\nContent-Type: image/png\nContent-Length: 4\n\n<p>x"),
            Fails(Other),
        ),
        // Redirects.
        (
            "a redirect to nowhere",
            raw("HTTP/1.1 302 Found\nContent-Length: 0\n\n"),
            Fails(Status(302)),
        ),
        (
            "a redirect to itself",
            // Many answers in a row: each says that the connection ends, or the next request may meet one that is closing.
            raw("HTTP/1.1 302 Found\nLocation: \nConnection: close\nContent-Length: 0\n\n"),
            Fails(Other),
        ),
        (
            "a redirect to a script",
            raw("HTTP/1.1 302 Found\nLocation: javascript:alert(1)\nContent-Length: 0\n\n"),
            Fails(Forbidden),
        ),
        (
            "a redirect to a file",
            raw("HTTP/1.1 302 Found\nLocation: file:///etc/passwd\nContent-Length: 0\n\n"),
            Fails(Forbidden),
        ),
        (
            "a redirect to no address",
            raw("HTTP/1.1 302 Found\nLocation: http://[x\nContent-Length: 0\n\n"),
            Fails(BadUrl),
        ),
        (
            "a refresh to itself",
            html("<meta http-equiv=refresh content='0; url=?again'><p>x"),
            Page("x"),
        ),
        // Packing.
        (
            "noise that is called gzip",
            with_body("Content-Encoding: gzip\r\n", b"<p>plain"),
            Fails(Unreachable),
        ),
        (
            "half of a gzip",
            with_body("Content-Encoding: gzip\r\n", &packed[..packed.len() / 2]),
            Fails(Unreachable),
        ),
        (
            "two gzips in a row",
            with_body(
                "Content-Encoding: gzip\r\n",
                &[packed.clone(), gzip(b" twice")].concat(),
            ),
            Page("packed twice"),
        ),
        (
            "noise after a gzip",
            with_body(
                "Content-Encoding: gzip\r\n",
                &[packed.clone(), b"noise".to_vec()].concat(),
            ),
            Page("packed"),
        ),
        (
            "ten gzips in each other",
            with_body(
                &format!("Content-Encoding: {}\r\n", ["gzip"; 10].join(", ")),
                &(0..10).fold(b"<p>deep".to_vec(), |inner, _| gzip(&inner)),
            ),
            Fails(Unreachable),
        ),
        (
            "an unknown packing",
            with_body("Content-Encoding: zip\r\n", b"<p>x"),
            Page("x"),
        ),
        (
            "noise that is called brotli",
            with_body("Content-Encoding: br\r\n", b"\xff\xff\xff\xff"),
            Fails(Unreachable),
        ),
        (
            "noise that is called zstd",
            with_body("Content-Encoding: zstd\r\n", b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff"),
            Fails(Unreachable),
        ),
        // Content.
        ("zeros as a page", with_body("", &[0; 1000]), Page("")),
        ("bytes that are no text", with_body("", b"<p>\xff\xfe\xfd"), Page("ÿ")),
        (
            "half a character",
            with_body("", "<p>ä".as_bytes().split_last().expect("bytes").1),
            Page("Ă"),
        ),
        ("200,000 open elements", html(&"<b>".repeat(200_000)), Fails(TooLarge)),
        (
            "an element with 80,000 attributes",
            html(&format!(
                "<p {}>x",
                (0..80_000).map(|n| format!("a{n} ")).collect::<String>()
            )),
            Page("x"),
        ),
        (
            "a tag that never ends",
            html(&format!("<p a='{}", "x".repeat(500_000))),
            Page(""),
        ),
        (
            "a comment that never ends",
            html(&format!("<p>x<!--{}", "-".repeat(500_000))),
            Page("x"),
        ),
    ]
}

#[test]
fn hostile_answers_end_and_leave_the_driver_sound() {
    let cases = cases();
    assert!(cases.len() >= 40);
    let answers: Vec<Vec<u8>> = cases.iter().map(|(_, bytes, _)| bytes.clone()).collect();
    let server = Server::start(move |asked, stream| {
        let number = asked.line.trim_start_matches("GET /").split('?').next().unwrap_or("");
        match number.parse::<usize>().ok().and_then(|number| answers.get(number)) {
            Some(bytes) => drop(stream.write_all(bytes)),
            None => write(stream, "200 OK", &[("Content-Type", "text/html")], b"<p>sound"),
        }
    });
    let mut settings = HttpSettings {
        timeout: Duration::from_secs(5),
        backoff: Duration::from_millis(1),
        retries: 1,
        robots: false,
        env_proxy: false,
        ..HttpSettings::default()
    };
    settings.limits.bytes = 4 << 20;
    let mut driver = Http::new(settings).expect("a client");
    let mut wrong = Vec::new();
    for (number, (name, _, expected)) in cases.iter().enumerate() {
        let came = driver.open(&server.url(&format!("/{number}")), &Options::default());
        let fits = match (&came, expected) {
            (Ok(live), Page(text)) => {
                live.page.text().trim().starts_with(text)
                    && (!text.is_empty() || live.page.text().trim_matches(['\0', '\u{fffd}']).is_empty())
            }
            (Err(error), Fails(kind)) => error.kind == *kind && !error.message.is_empty(),
            _ => false,
        };
        if !fits {
            let came = came.map(|live| live.page.text().chars().take(40).collect::<String>());
            wrong.push(format!("{name}: expected {expected:?}, found {came:?}"));
        }
        let next = driver.open(&server.url("/sound"), &Options::default());
        let next = next.map(|live| live.page.text().to_owned());
        if next.as_deref() != Ok("sound") {
            wrong.push(format!("after {name}: {next:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn an_answer_that_drips_runs_out_of_time() {
    let server = Server::start(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        for _ in 0..200 {
            std::thread::sleep(Duration::from_millis(20));
            if stream.write_all(b"X: y\r\n").is_err() {
                return;
            }
        }
    });
    let settings = HttpSettings {
        timeout: Duration::from_millis(300),
        retries: 0,
        robots: false,
        env_proxy: false,
        ..HttpSettings::default()
    };
    let error = Http::new(settings)
        .expect("a client")
        .open(&server.url("/"), &Options::default());
    assert_eq!(error.expect_err("too slow").kind, Timeout);
}
