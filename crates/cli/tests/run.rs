//! `wrapwright run` against a real server on loopback: pagers, forms, details, pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};

/// Serves pages on loopback until the test process ends; gives its address.
fn serve(answer: fn(&str) -> Option<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = respond(stream, answer);
        }
    });
    address
}

fn respond(stream: TcpStream, answer: fn(&str) -> Option<String>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = request.split(' ').nth(1).unwrap_or("/").to_owned();
    let asked = if body.is_empty() {
        path
    } else {
        format!("{path} {}", String::from_utf8_lossy(&body))
    };
    let (status, page) = match answer(&asked) {
        Some(page) => ("200 OK", page),
        None => ("404 Not Found", "<h1>nothing here</h1>".to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        page.len()
    );
    reader.get_mut().write_all((head + &page).as_bytes())
}

/// A list of 40 pages with two items each; item 7 has no page of its own.
fn shop(path: &str) -> Option<String> {
    if let Some(item) = path.strip_prefix("/item/") {
        return (item != "7").then(|| format!("<h1>Item {item}</h1><p class=maker>Maker {item}</p>"));
    }
    if path == "/search name=tide&go=Go" {
        return Some("<p class=found>tide tables</p>".to_owned());
    }
    if path == "/" {
        return Some(
            "<form action=/search method=post><input name=name><button name=go value=Go>Go</button></form>".to_owned(),
        );
    }
    let page: usize = path.strip_prefix("/list/")?.parse().ok()?;
    let items: String = (0..2)
        .map(|n| page * 2 + n)
        .map(|n| format!("<li><a href=/item/{n}>{n}</a></li>"))
        .collect();
    let next = if page < 39 {
        format!("<a class=next href=/list/{}>Next</a>", page + 1)
    } else {
        String::new()
    };
    Some(format!("<ul>{items}</ul>{next}"))
}

fn wrapwright(expression: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.args(["run", "--no-meta", "-e", expression]);
    command
}

#[track_caller]
fn assert_run(output: &Output, code: i32, stderr_has: &str) -> Vec<String> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(stderr_has), "{stderr}");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_pager_with_details_and_one_missing_page() {
    let server = serve(shop);
    let expression = format!(
        "doc('{server}/list/0')/(//a.next/{{click /}})*//li:<item>[a:<n=.>][? a/{{click /}}//p.maker:<maker=.>]"
    );
    let lines = assert_run(
        &wrapwright(&expression).output().expect("a run"),
        1,
        "80 records from 119 pages, 1 failure",
    );
    assert_eq!(lines.len(), 80);
    assert_eq!(lines[0], r#"{"n":["0"],"maker":["Maker 0"]}"#);
    assert_eq!(lines[7], r#"{"n":["7"],"maker":[]}"#);
    assert_eq!(lines[79], r#"{"n":["79"],"maker":["Maker 79"]}"#);
}

#[test]
fn a_form_is_posted() {
    let server = serve(shop);
    let expression =
        format!("doc('{server}/')//field()[1]/{{'tide'}}/following::field()[1]/{{click /}}//p.found:<hit=.>");
    let lines = assert_run(
        &wrapwright(&expression).output().expect("a run"),
        0,
        "1 record from 2 pages",
    );
    assert_eq!(lines, [r#"{"hit":"tide tables"}"#]);
}

#[test]
fn several_bindings_run_one_after_the_other() {
    let server = serve(shop);
    let expression = format!("doc(concat('{server}/item/', $n))//h1:<h=.>");
    let output = wrapwright(&expression)
        .args(["--bind", "n=3", "--bind", "n=5"])
        .output()
        .expect("a run");
    assert_eq!(
        assert_run(&output, 0, "2 records"),
        [r#"{"h":"Item 3"}"#, r#"{"h":"Item 5"}"#]
    );
}

/// `| head -1`: the run ends when nobody reads any more, without a word.
#[test]
fn a_closed_pipe_ends_the_run() {
    let server = serve(shop);
    // Without an end: every page leads to the next.
    let expression = format!("doc('{server}/list/0')/(//a.next/{{click /}})*//li:<item>[a:<n=.>]");
    let mut child = wrapwright(&expression)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a run");
    let mut first = [0; 8];
    child
        .stdout
        .take()
        .expect("a pipe")
        .read_exact(&mut first)
        .expect("a first record");
    let output = child.wait_with_output().expect("an end");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn fail_fast_stops_at_the_first_failure() {
    let server = serve(shop);
    let expression = format!("doc('{server}/list/3')//li:<item>[a/{{click /}}//p.maker:<maker=.>]");
    let output = wrapwright(&expression).arg("--fail-fast").output().expect("a run");
    assert_eq!(
        assert_run(&output, 1, "404"),
        [r#"{"maker":["Maker 6"]}"#, r#"{"maker":[]}"#]
    );
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let server = serve(shop);
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("out.xml");
    let expression = format!("doc('{server}/item/1')//h1:<h=.>");
    let output = wrapwright(&expression)
        .args(["--format", "xml", "-o"])
        .arg(&file)
        .output()
        .expect("a run");
    assert_run(&output, 0, "1 record");
    let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<results>\n  <h>Item 1</h>\n</results>\n";
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), expected);
    let nowhere = dir.path().join("absent/out.xml");
    let output = wrapwright(&expression).arg("-o").arg(&nowhere).output().expect("a run");
    assert_run(&output, 4, "cannot write");
    assert_eq!(
        std::fs::read_dir(dir.path()).expect("a directory").count(),
        1,
        "no temporary file is left"
    );
}

#[test]
fn styles_need_a_browser() {
    let output = wrapwright("doc('http://x/')//a[style::color='red']:<a>")
        .output()
        .expect("a run");
    assert_run(&output, 2, "which only a browser knows");
}
