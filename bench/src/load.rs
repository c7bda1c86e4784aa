//! Measures how many pages a server of [`citations`](crate::citations) can send: requests on persistent connections,
//! with bytes counted and discarded.
//!
//! This is the least that a client can do, so the result is what the server can do. It shows that a crawler was not
//! limited by its server.

use anyhow::{Context, Result, bail};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// How long to request pages.
const TIME: Duration = Duration::from_secs(3);

/// Requests pages from the site at `url`, which has this branching, on this number of connections at once.
pub(crate) fn load(url: &str, connections: usize, branching: usize) -> Result<Json> {
    let host = url
        .strip_prefix("http://")
        .map(|rest| rest.split('/').next().unwrap_or(rest))
        .context("expected an http:// address")?;
    let start = Instant::now();
    let counts = thread::scope(|scope| {
        let clients: Vec<_> = (0..connections)
            .map(|number| scope.spawn(move || client(host, number, branching, start)))
            .collect();
        clients
            .into_iter()
            .map(|client| client.join().unwrap_or_else(|_| bail!("a client panicked")))
            .collect::<Result<Vec<_>>>()
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let pages: usize = counts.iter().map(|(pages, _)| pages).sum();
    let bytes: usize = counts.iter().map(|(_, bytes)| bytes).sum();
    Ok(json!({ "pages": pages, "bytes": bytes, "seconds": seconds }))
}

/// Requests one page after the other; returns the number of pages and of their bytes.
fn client(host: &str, number: usize, branching: usize, start: Instant) -> Result<(usize, usize)> {
    let stream = TcpStream::connect(host).with_context(|| format!("cannot connect to {host}"))?;
    stream.set_nodelay(true)?;
    let mut input = BufReader::with_capacity(64 << 10, &stream);
    let (mut pages, mut bytes) = (0, 0);
    let (mut line, mut body) = (String::new(), Vec::new());
    while start.elapsed() < TIME {
        let (first, second) = ((number + pages) % branching, pages / branching % branching);
        let request = format!("GET /cites/{first:02}-{second:02} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        (&stream).write_all(request.as_bytes())?;
        let mut length = None;
        loop {
            line.clear();
            input.read_line(&mut line)?;
            let head = line.trim_end();
            if line.starts_with("HTTP/") && !line.contains(" 200 ") {
                bail!("the server answered {head}");
            }
            match head.split_once(':') {
                _ if head.is_empty() => break,
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().ok()
                }
                _ => {}
            }
        }
        body.resize(length.context("the server named no length")?, 0);
        input.read_exact(&mut body)?;
        pages += 1;
        bytes += body.len();
    }
    Ok((pages, bytes))
}
