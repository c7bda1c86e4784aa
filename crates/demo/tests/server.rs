//! The server over real sockets: what it answers, what it refuses, and that it stops.

use demo::server::{self, Answer, Limits, Request, Response, Running};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Says back what it understood.
fn echo(request: &Request) -> Answer {
    let response = Response::text(format!(
        "{} {} {:?} {:?} {}",
        request.method,
        request.path,
        request.query,
        request.cookie("id"),
        String::from_utf8_lossy(&request.body)
    ));
    match request.path.as_str() {
        "/late" => Answer::Late(response, Duration::from_millis(100)),
        "/later" => Answer::Late(response, Duration::from_secs(3600)),
        "/cut" => Answer::Cut { response, after: 4 },
        "/lie" => Answer::Misstated { response, length: 3 },
        "/endless" => Answer::Endless {
            response,
            pause: Duration::ZERO,
        },
        "/raw" => Answer::Raw(b"what?".to_vec()),
        "/reset" => Answer::Reset,
        "/panic" => panic!("a site that panics on purpose"),
        "/split" => Response::see_other("/a\r\nSet-Cookie: id=evil").into(),
        _ => response.into(),
    }
}

fn small() -> Limits {
    Limits {
        head: 1024,
        headers: 8,
        body: 100,
        connections: 4,
        idle: Duration::from_millis(600),
        request: Duration::from_millis(1200),
    }
}

fn serve() -> Running {
    server::start_with("127.0.0.1:0", echo, small()).expect("a port")
}

fn connect(running: &Running) -> TcpStream {
    let stream = TcpStream::connect(running.address()).expect("a connection");
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .expect("a timeout");
    stream
}

/// All that the server says to these bytes until it closes the connection.
fn say(running: &Running, bytes: &[u8]) -> String {
    let mut stream = connect(running);
    stream.write_all(bytes).expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

#[track_caller]
fn check_status(request: impl AsRef<[u8]>, status: u16) {
    let answer = say(&serve(), request.as_ref());
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
}

#[test]
fn understands_requests() {
    let running = serve();
    let ask = |request: &str| say(&running, request.as_bytes());
    let answer =
        ask("GET /caf%C3%A9?q=a+b&q=%zz HTTP/1.1\r\nHost: x\r\nCookie: a=b; id=7\r\nConnection: close\r\n\r\n");
    assert!(
        answer.ends_with("GET /café [(\"q\", \"a b\"), (\"q\", \"%zz\")] Some(\"7\") "),
        "{answer}"
    );
    assert!(answer.contains("\r\nConnection: close\r\n"), "{answer}");
    let answer = ask("POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\na=b&c");
    assert!(answer.ends_with("POST / [] None a=b&c"), "{answer}");
    // Bare line feeds, an empty line in front, an absolute target.
    let answer = ask("\r\nGET http://host/p?x HTTP/1.0\n\n");
    assert!(answer.ends_with("GET /p [(\"x\", \"\")] None "), "{answer}");
    let answer = ask("HEAD /h HTTP/1.0\r\n\r\n");
    assert!(
        answer.contains("Content-Length: 16\r\n") && answer.ends_with("\r\n\r\n"),
        "{answer}"
    );
}

#[test]
fn keeps_connections_and_answers_pipelines_in_order() {
    let running = serve();
    let one = |n: usize| {
        format!(
            "POST /{n} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{n}",
            n.to_string().len()
        )
    };
    let pipeline: String = (0..200).map(one).collect();
    let answers = say(&running, (pipeline + "GET /last HTTP/1.0\r\n\r\n").as_bytes());
    let mut at = 0;
    for n in 0..200 {
        let line = format!("POST /{n} [] None {n}HTTP");
        at += answers[at..].find(&line).expect("the answers in order");
    }
    assert!(answers.ends_with("GET /last [] None "), "{answers}");
    // And a request that comes byte by byte.
    let mut stream = connect(&running);
    for byte in b"GET /slowly HTTP/1.0\r\nA: b\r\n\r\n" {
        stream.write_all(&[*byte]).expect("a byte");
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.contains("GET /slowly"), "{answer}");
}

#[test]
fn refuses_garbage() {
    check_status("\0\x01\x02 garbage\r\n\r\n", 400);
    check_status(b"GET /\xff\xfe HTTP/1.1\r\n\r\n", 400);
    check_status("GET / HTTP/1.1 more\r\n\r\n", 400);
    check_status("GET /\r\n\r\n", 400);
    check_status("GET nowhere HTTP/1.1\r\n\r\n", 400);
    check_status("GET / HTTP/2.0\r\n\r\n", 505);
    check_status("GET / FTP/1.1\r\n\r\n", 400);
    check_status("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400);
    check_status("GET / HTTP/1.1\r\nspace : x\r\n\r\n", 400);
    check_status("GET / HTTP/1.1\r\nA: \x07\r\n\r\n", 400);
    check_status("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400);
    check_status("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\nx", 400);
    check_status(
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        400,
    );
    check_status("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501);
    // A TLS greeting: no line ever ends, so the client is asked to hurry up.
    check_status(b"\x16\x03\x01\x02\x00\x01\x00", 408);
}

/// Whatever comes, there is a refusal or silence, and the server goes on.
#[test]
fn survives_random_bytes() {
    let running = serve();
    let mut state = 7_u64;
    let mut random = |bound: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    };
    let pieces: [&[u8]; 16] = [
        b"GET ",
        b"/",
        b"?",
        b"%",
        b"%f",
        b"=",
        b"&",
        b" HTTP/1.1",
        b"\r\n",
        b"\n",
        b"\r\n\r\n",
        b":",
        b"Content-Length: 3",
        b"\xff\xc3",
        b"\0",
        b"http://\xc3\xa9/",
    ];
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..random(14))
            .flat_map(|_| pieces[random(pieces.len())])
            .copied()
            .collect();
        let mut stream = connect(&running);
        stream.write_all(&bytes).expect("a request");
        stream.shutdown(Shutdown::Write).expect("an end");
        let mut answer = Vec::new();
        // A reset is fine too.
        let _ = stream.read_to_end(&mut answer);
        assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 "), "{answer:?}");
    }
    assert!(say(&running, b"GET / HTTP/1.0\r\n\r\n").contains("200 OK"));
}

#[test]
fn refuses_what_is_too_much() {
    check_status(format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(5000)), 414);
    check_status(format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "a".repeat(5000)), 431);
    check_status(format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(9)), 431);
    check_status("POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", 413);
    check_status(
        format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", "9".repeat(50)),
        413,
    );
    // Half a head, half a body, and silence.
    check_status("GET / HTTP/1.1\r\nA: b", 408);
    check_status("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nhalf", 408);
}

#[test]
fn a_request_may_not_drip_for_ever() {
    let running = serve();
    let mut stream = connect(&running);
    let begun = Instant::now();
    stream.write_all(b"GET / HTTP/1.1\r\nA: ").expect("a start");
    // Never silent for as long as `idle`, and still too slow. Writing fails once the server has left.
    while begun.elapsed() < Duration::from_secs(8) && stream.write_all(b"a").is_ok() {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(begun.elapsed() < Duration::from_secs(6), "the server let it drip");
}

#[test]
fn a_silent_connection_is_closed_without_a_word() {
    assert_eq!(say(&serve(), b""), "");
}

#[test]
fn misbehaves_on_request() {
    let running = serve();
    let get = |path: &str| say(&running, format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes());
    let cut = get("/cut");
    assert!(
        cut.contains("Content-Length: 17\r\n") && cut.ends_with("\r\n\r\nGET "),
        "{cut}"
    );
    let lie = get("/lie");
    assert!(
        lie.contains("Content-Length: 3\r\n") && lie.ends_with("GET /lie [] None "),
        "{lie}"
    );
    assert_eq!(get("/raw"), "what?");
    assert!(
        !get("/split").contains("\r\nSet-Cookie"),
        "headers cannot be smuggled in"
    );
    let begun = Instant::now();
    assert!(say(&running, b"GET /late HTTP/1.0\r\n\r\n").contains("/late"));
    assert!(begun.elapsed() >= Duration::from_millis(100));

    let mut stream = connect(&running);
    stream.write_all(b"GET /reset HTTP/1.1\r\n\r\n").expect("a request");
    let error = stream.read(&mut [0; 10]).expect_err("a reset");
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    let mut stream = connect(&running);
    stream
        .write_all(b"POST /reset HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody")
        .expect("a request");
    let error = stream.read(&mut [0; 10]).expect_err("a reset");
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);

    let mut stream = connect(&running);
    stream.write_all(b"GET /endless HTTP/1.1\r\n\r\n").expect("a request");
    let mut much = vec![0; 1 << 20];
    stream.read_exact(&mut much).expect("a megabyte, and no end");
}

#[test]
fn a_panic_ends_one_connection() {
    let running = serve();
    for _ in 0..10 {
        // Dropped with its request unread or read: either way there is no answer.
        let mut stream = connect(&running);
        stream.write_all(b"GET /panic HTTP/1.1\r\n\r\n").expect("a request");
        let _ = stream.read(&mut [0; 10]);
    }
    assert!(say(&running, b"GET / HTTP/1.0\r\n\r\n").contains("200 OK"));
}

#[test]
fn connections_beyond_the_limit_wait_for_their_turn() {
    let running = serve();
    let answers = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..40)
            .map(|_| scope.spawn(|| say(&running, b"GET /late HTTP/1.1\r\n\r\n")))
            .collect();
        clients
            .into_iter()
            .map(|client| client.join().expect("a client"))
            .collect::<Vec<_>>()
    });
    assert!(answers.iter().all(|answer| answer.contains("/late")), "{answers:?}");
}

#[test]
fn stops_when_dropped() {
    let running = serve();
    let address = running.address();
    let mut idle = connect(&running);
    let mut late = connect(&running);
    late.write_all(b"GET /later HTTP/1.1\r\n\r\n").expect("a request");
    let mut endless = connect(&running);
    endless.write_all(b"GET /endless HTTP/1.1\r\n\r\n").expect("a request");
    std::thread::sleep(Duration::from_millis(50));
    let begun = Instant::now();
    drop(running);
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(TcpStream::connect(address).is_err());
    assert!(matches!(idle.read(&mut [0; 10]), Ok(0) | Err(_)));
    assert!(matches!(late.read(&mut [0; 10]), Ok(0) | Err(_)));
}

#[test]
fn silent_clients_give_way_to_others() {
    let running = server::start("127.0.0.1:0", echo).expect("a port");
    let silent: Vec<TcpStream> = (0..300)
        .map(|n| {
            let mut stream = connect(&running);
            let begun: &[u8] = if n % 2 == 0 { b"GET / HTTP/1.1\r\nA: " } else { b"" };
            stream.write_all(begun).expect("a start");
            stream
        })
        .collect();
    let begun = Instant::now();
    assert!(say(&running, b"GET / HTTP/1.0\r\n\r\n").contains("200 OK"));
    // Much more than it takes, and much less than a client may be silent when nobody waits.
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    drop(silent);
}
