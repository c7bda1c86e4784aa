//! `wrapwright studio` as a user starts it: the address that works once, mistakes, and the end by Ctrl-C.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

fn studio(folder: &std::path::Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(["studio", "--no-open"])
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a studio")
}

/// The first line of an answer, and its headers.
fn ask(host: &str, path: &str, more: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("a connection");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).expect("a request");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    text
}

#[test]
fn the_address_is_printed_works_once_and_ends_with_the_program() {
    let folder = tempfile::tempdir().expect("a directory");
    for (name, title) in [("a.html", "Kelp"), ("b.html", "Moss")] {
        std::fs::write(folder.path().join(name), format!("<h1>{title}</h1>")).expect("a page");
    }
    let mut child = studio(folder.path(), &["a.html", "b.html"]);
    let mut url = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut url).expect("an address");
    let rest = url.trim().strip_prefix("http://").expect("an address");
    let (host, path) = rest.split_once('/').expect("a path");
    assert!(host.starts_with("127.0.0.1:"), "{host}");
    assert!(ask(host, "/", "").starts_with("HTTP/1.1 403"));
    let entered = ask(host, &format!("/{path}"), "");
    assert!(entered.starts_with("HTTP/1.1 303"), "{entered}");
    let cookie = entered
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .expect("a cookie");
    let cookie = format!("Cookie: {}\r\n", cookie.split(';').next().expect("a pair"));
    assert!(ask(host, "/", &cookie).contains("wrapwright <span>studio</span>"));
    assert!(
        ask(host, &format!("/{path}"), "").starts_with("HTTP/1.1 403"),
        "used already"
    );
    let done = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(done.expect("kill runs").success());
    assert_eq!(child.wait().expect("a status").code(), Some(0));
    assert!(TcpStream::connect(host).is_err(), "nobody listens any more");
}

#[test]
fn mistakes_are_told_before_anything_is_served() {
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::write(folder.path().join("x.json"), "{}").expect("a file");
    for (args, words) in [
        (&["x.json"][..], "x.json"),
        (&["missing.wrapper.json"], "missing.wrapper.json"),
        (&["--charset", "klingon"], "klingon"),
    ] {
        let output = studio(folder.path(), args).wait_with_output().expect("an end");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
        assert!(output.stdout.is_empty());
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = studio(folder.path(), &["--port", &port])
        .wait_with_output()
        .expect("an end");
    assert_eq!(output.status.code(), Some(4));
}
