//! `cargo run --release -p wrapwright-browse --example speed [seconds]`: pages per second of the HTTP driver.
//!
//! The server is this program once more, in a process of its own, so that the processor time shown is the driver's
//! alone. It keeps connections and answers every request with the same page of 10 KB.

#![allow(clippy::print_stdout)]

use browse::{Http, HttpSettings};
use page::driver::{Driver, Options};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let first = std::env::args().nth(1);
    if first.as_deref() == Some("serve") {
        return serve();
    }
    let time = Duration::from_secs_f64(first.map_or(Ok(3.0), |text| text.parse())?);
    let mut server = Command::new(std::env::current_exe()?)
        .arg("serve")
        .stdout(Stdio::piped())
        .spawn()?;
    let mut port = String::new();
    if let Some(out) = server.stdout.take() {
        BufReader::new(out).read_line(&mut port)?;
    }
    let url = format!("http://127.0.0.1:{}/", port.trim());
    println!("         threads  pages/s  pages per second of the driver's processor time");
    for (threads, parsed) in [(1, true), (4, true), (1, false), (4, false)] {
        let driver = Http::new(HttpSettings::default())?;
        let (start, used) = (Instant::now(), processor_time());
        let pages: u64 = std::thread::scope(|scope| {
            let count = |mut driver: Http| {
                let mut pages = 0;
                while start.elapsed() < time {
                    let found = match parsed {
                        true => driver.open(&url, &Options::default()).map(|_| ()),
                        false => driver.get(&url, None, &Options::default()).map(|_| ()),
                    };
                    match found {
                        Ok(()) => pages += 1,
                        Err(error) => panic!("{error}"),
                    }
                }
                pages
            };
            let running: Vec<_> = (0..threads)
                .map(|_| {
                    let driver = driver.clone();
                    scope.spawn(move || count(driver))
                })
                .collect();
            running.into_iter().map(|thread| thread.join().unwrap_or(0)).sum()
        });
        let busy = processor_time() - used;
        let pages = pages as f64;
        println!(
            "{}  {threads:7}  {:7.0}  {:7.0}",
            if parsed { "parsed " } else { "fetched" },
            pages / start.elapsed().as_secs_f64(),
            pages / busy
        );
    }
    server.kill()?;
    server.wait()?;
    Ok(())
}

/// Seconds that this process has used, where the system tells.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or("");
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?.port());
    let row = "<tr><td class=name>A thing with a name</td><td class=price>12.50</td></tr>\n";
    let body = format!(
        "<!DOCTYPE html><title>Things</title><table>{}</table>",
        row.repeat(10_000 / row.len())
    );
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    for stream in listener.incoming() {
        let (stream, answer) = (stream?, answer.clone());
        std::thread::spawn(move || answer_all(stream, answer.as_bytes()));
    }
    Ok(())
}

fn answer_all(mut stream: TcpStream, answer: &[u8]) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut piece = [0; 4096];
    let mut held = Vec::new();
    loop {
        let n = stream.read(&mut piece)?;
        if n == 0 {
            return Ok(());
        }
        held.extend_from_slice(&piece[..n]);
        if held.ends_with(b"\r\n\r\n") {
            held.clear();
            stream.write_all(answer)?;
        }
    }
}
