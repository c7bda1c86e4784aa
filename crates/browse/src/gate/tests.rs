//! Tests of the gate, with real servers and clients on loopback.

use super::*;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, Sender, channel};

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn gate(settings: HttpSettings) -> Gate {
    let settings = HttpSettings {
        env_proxy: false,
        ..settings
    };
    Gate::start(&settings, |_, _| {}).unwrap().unwrap()
}

fn named(names: &[(&str, [u8; 4])]) -> HttpSettings {
    HttpSettings {
        resolve: names
            .iter()
            .map(|(name, at)| ((*name).to_owned(), IpAddr::from(*at)))
            .collect(),
        ..HttpSettings::default()
    }
}

/// A server that tells what it was sent, up to the end of each head, and gives these answers.
fn server(answers: &'static [&'static [u8]]) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, heads) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let sender = sender.clone();
            std::thread::spawn(move || serve(stream, answers, &sender));
        }
    });
    (port, heads)
}

fn serve(mut stream: TcpStream, answers: &[&[u8]], sender: &Sender<String>) {
    for answer in answers {
        match head(&mut stream) {
            Some(head) => {
                let _ = sender.send(head);
            }
            None => return,
        }
        let _ = stream.write_all(answer);
    }
}

/// Bytes up to an empty line.
fn head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    Some(String::from_utf8_lossy(&head).into_owned())
}

fn connect(gate: &Gate, door: Zone) -> TcpStream {
    let stream = TcpStream::connect(gate.door(door)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
}

fn ask(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).unwrap();
    head(stream).unwrap_or_default()
}

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Wrapwright-Gate: false\r\n\r\nhi";

#[test]
fn the_public_door_leads_to_public_addresses_only() {
    let (port, heads) = server(&[OK, OK]);
    let gate = gate(named(&[
        ("inside.test", [127, 0, 0, 1]),
        ("gone.test", [10, 255, 255, 1]),
    ]));
    for host in [
        "127.0.0.1",
        "localhost",
        "a.localhost",
        "[::1]",
        "inside.test",
        "2130706433",
        "gone.test",
    ] {
        for request in [
            format!("GET http://{host}:{port}/ HTTP/1.1\r\nHost: example.org\r\n\r\n"),
            format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: example.org\r\n\r\n"),
        ] {
            let answer = ask(&mut connect(&gate, Zone::Public), &request);
            assert!(answer.starts_with("HTTP/1.1 403 "), "{request}: {answer}");
            assert!(answer.contains(MARK), "{answer}");
        }
        assert_eq!(
            gate.trouble(&url(&format!("http://{host}:{port}/"))),
            Some(Why::Private),
            "{host}"
        );
    }
    assert!(heads.try_recv().is_err(), "nobody came");
    // The other door does, with one connection for two requests; the mark of a server is removed.
    let mut stream = connect(&gate, Zone::Private);
    for _ in 0..2 {
        let request = format!(
            "GET http://inside.test:{port}/a|b^[c]?x={{|}}^`~ HTTP/1.1\r\nHost: evil.test\r\nProxy-Connection: keep-alive\r\n\r\n"
        );
        let answer = ask(&mut stream, &request);
        assert!(
            answer.starts_with("HTTP/1.1 200 ") && !answer.to_lowercase().contains(MARK),
            "{answer}"
        );
        stream.read_exact(&mut [0; 2]).unwrap();
        let head = heads.recv().unwrap();
        assert!(head.starts_with("GET /a|b^[c]?x={|}^`~ HTTP/1.1\r\n"), "{head}");
        assert!(
            head.to_lowercase()
                .contains(&format!("\r\nhost: inside.test:{port}\r\n")),
            "{head}"
        );
        assert!(!head.to_lowercase().contains("proxy-connection"), "{head}");
    }
    assert_eq!(gate.trouble(&url(&format!("http://inside.test:{port}/"))), None);
}

#[test]
fn a_name_keeps_its_zone() {
    let gate = gate(named(&[
        ("now-public.test", [93, 184, 216, 34]),
        ("now-private.test", [10, 0, 0, 1]),
    ]));
    let deadline = Instant::now() + Duration::from_secs(5);
    let (was_private, was_public) = (url("http://now-public.test/"), url("http://now-private.test/"));
    let at = |address: [u8; 4]| [SocketAddr::from((address, 80))];
    assert_eq!(
        gate.inner.remember(&was_private, &at([10, 0, 0, 1]), true),
        Zone::Private
    );
    assert_eq!(
        gate.inner.remember(&was_public, &at([93, 184, 216, 34]), true),
        Zone::Public
    );
    assert_eq!(gate.zone(&was_private, deadline), Ok(Zone::Private));
    // After rebinding, no connection is made: neither to the new zone, nor as a page of the new zone.
    for (host, door, why) in [
        ("now-public.test", Zone::Private, Why::Moved),
        ("now-private.test", Zone::Private, Why::Moved),
        ("now-private.test", Zone::Public, Why::Private),
    ] {
        let answer = ask(
            &mut connect(&gate, door),
            &format!("GET http://{host}/ HTTP/1.1\r\nHost: x\r\n\r\n"),
        );
        assert!(answer.starts_with("HTTP/1.1 403 "), "{host} {door:?}: {answer}");
        assert_eq!(gate.trouble(&url(&format!("http://{host}/"))), Some(why));
    }
    let mixed = [
        SocketAddr::from(([10, 0, 0, 1], 80)),
        SocketAddr::from(([8, 8, 8, 8], 80)),
    ];
    assert_eq!(
        gate.inner.remember(&url("http://mixed.test/"), &mixed, false),
        Zone::Public
    );
}

#[test]
fn it_is_a_proxy_and_nothing_else() {
    let gate = gate(HttpSettings::default());
    for door in [Zone::Public, Zone::Private] {
        for line in [
            "GET /",
            "POST /x",
            "GET https://a.test/",
            "GET ftp://a.test/",
            "OPTIONS *",
        ] {
            let answer = ask(
                &mut connect(&gate, door),
                &format!("{line} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
            );
            assert!(answer.starts_with("HTTP/1.1 400 "), "{line}: {answer}");
        }
    }
    // Its own doors and the browser's port are not to be reached.
    gate.close_port(9);
    let ports = [gate.door(Zone::Public).port(), gate.door(Zone::Private).port(), 9];
    for (port, host) in ports.iter().zip(["127.0.0.1", "localhost", "0.0.0.0"]) {
        let request = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(
            ask(&mut connect(&gate, Zone::Private), &request).starts_with("HTTP/1.1 403 "),
            "{host}"
        );
        assert_eq!(gate.trouble(&url(&format!("http://{host}:{port}/"))), Some(Why::Own));
    }
    gate.end();
    let begin = Instant::now();
    while TcpStream::connect(gate.door(Zone::Public)).is_ok() {
        assert!(begin.elapsed() < Duration::from_secs(5), "the door is still open");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nothing_to_check_needs_no_gate() {
    let free = HttpSettings {
        allow_private: true,
        env_proxy: false,
        ..HttpSettings::default()
    };
    assert!(Gate::start(&free, |_, _| {}).unwrap().is_none());
    let proxied = HttpSettings {
        proxy: Some("http://127.0.0.1:1".to_owned()),
        ..free
    };
    assert!(
        Gate::start(&proxied, |_, _| {})
            .unwrap()
            .is_some_and(|gate| gate.is_free())
    );
}

#[test]
fn the_users_proxy_comes_after_it() {
    const ECHO: &[u8] = b"HTTP/1.1 200 Connected\r\n\r\n";
    let (port, heads) = server(&[ECHO, OK]);
    let gate = gate(HttpSettings {
        proxy: Some(format!("http://me:w%6Frd@127.0.0.1:{port}")),
        ..HttpSettings::default()
    });
    let login = "proxy-authorization: basic bWU6d29yZA==".to_lowercase();
    // A tunnel; what is sent in it is not the gate's business.
    let mut stream = connect(&gate, Zone::Public);
    let answer = ask(&mut stream, "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let head = heads.recv().unwrap();
    assert!(head.starts_with("CONNECT a.test:443 HTTP/1.1\r\n"), "{head}");
    assert!(head.to_lowercase().contains(&login), "{head}");
    assert!(ask(&mut stream, "HELLO\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
    assert_eq!(heads.recv().unwrap(), "HELLO\r\n\r\n");
    // Plain http: the whole address.
    let (port, heads) = server(&[OK]);
    let gate = super::tests::gate(HttpSettings {
        proxy: Some(format!("127.0.0.1:{port}")),
        ..HttpSettings::default()
    });
    ask(
        &mut connect(&gate, Zone::Public),
        "GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n",
    );
    let head = heads.recv().unwrap();
    assert!(head.starts_with("GET http://a.test/x HTTP/1.1\r\n"), "{head}");
    // Addresses are checked all the same.
    for host in ["10.0.0.1", "127.0.0.1", "[fd00::1]", "localhost"] {
        let request = format!("GET http://{host}/x HTTP/1.1\r\nHost: a.test\r\n\r\n");
        assert!(
            ask(&mut connect(&gate, Zone::Public), &request).starts_with("HTTP/1.1 403 "),
            "{host}"
        );
    }
    assert!(heads.try_recv().is_err());
    assert_eq!(gate.known(&url("http://any.test/")), Some(Zone::Public));
}

#[test]
fn the_users_proxy_may_speak_socks() {
    for (scheme, login) in [("socks5h", ""), ("socks5h", "me:word@"), ("socks5", "")] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, asked) = channel();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut read = |count: usize| {
                let mut bytes = vec![0; count];
                stream.read_exact(&mut bytes).unwrap();
                bytes
            };
            let method = read(3)[2];
            stream.write_all(&[5, method]).unwrap();
            let mut read = |count: usize| {
                let mut bytes = vec![0; count];
                stream.read_exact(&mut bytes).unwrap();
                bytes
            };
            if method == 2 {
                assert_eq!(read(9), b"\x01\x02me\x04word");
                stream.write_all(&[1, 0]).unwrap();
            }
            let mut start = [0; 4];
            stream.read_exact(&mut start).unwrap();
            let length = match start[3] {
                1 => 4,
                _ => {
                    let mut length = [0];
                    stream.read_exact(&mut length).unwrap();
                    usize::from(length[0])
                }
            };
            let mut rest = vec![0; length + 2];
            stream.read_exact(&mut rest).unwrap();
            sender.send((start[3], rest)).unwrap();
            stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
            head(&mut stream).unwrap();
            stream.write_all(OK).unwrap();
        });
        let gate = gate(HttpSettings {
            proxy: Some(format!("{scheme}://{login}127.0.0.1:{port}")),
            ..named(&[("a.test", [93, 184, 216, 34])])
        });
        let answer = ask(
            &mut connect(&gate, Zone::Public),
            "GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n",
        );
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{scheme}: {answer}");
        let (kind, rest) = asked.recv().unwrap();
        match scheme {
            "socks5" => assert_eq!((kind, &rest[..4]), (1, &[93, 184, 216, 34][..])),
            _ => assert_eq!((kind, &rest[..6]), (3, &b"a.test"[..])),
        }
        assert_eq!(rest[rest.len() - 2..], [0, 80]);
    }
}

#[test]
fn failures_are_told_apart() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (port, _heads) = server(&[b"not http\r\n\r\n"]);
    let gate = gate(HttpSettings::default());
    let why = |address: String| {
        ask(
            &mut connect(&gate, Zone::Private),
            &format!("GET {address} HTTP/1.1\r\nHost: x\r\n\r\n"),
        );
        gate.trouble(&url(&address))
    };
    assert_eq!(why(format!("http://127.0.0.1:{closed}/")), Some(Why::Refused));
    assert_eq!(why("http://name.invalid/".to_owned()), Some(Why::NoHost));
    assert!(matches!(why(format!("http://127.0.0.1:{port}/")), Some(Why::Other(_))));
}

/// A server may close a connection at any time; then a request that does no harm is sent once more.
#[test]
fn a_connection_that_was_closed_meanwhile_is_replaced() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut count = 0;
        for mut stream in listener.incoming().flatten() {
            // Reads a second request on the first connection, and does not answer it.
            head(&mut stream).unwrap();
            stream.write_all(OK).unwrap();
            count += 1;
            if count == 1 {
                head(&mut stream).unwrap();
            }
        }
    });
    let gate = gate(HttpSettings::default());
    let mut stream = connect(&gate, Zone::Private);
    for _ in 0..2 {
        let answer = ask(
            &mut stream,
            &format!("GET http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n"),
        );
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        stream.read_exact(&mut [0; 2]).unwrap();
    }
}
