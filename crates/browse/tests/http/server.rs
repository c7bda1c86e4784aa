//! A small HTTP server on loopback, for tests: a thread and one request for each connection, everything bounded.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// What a client sent.
pub(crate) struct Asked {
    /// `GET /path?query`.
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }
}

/// A server that ends when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves on a free port. The function writes the whole answer, status line and all.
    pub(crate) fn start(answer: impl Fn(&Asked, &mut TcpStream) + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let log = Arc::new(Mutex::new(Vec::new()));
        let lines = log.clone();
        let answer = Arc::new(answer);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(mut stream) = stream else { continue };
                let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
                let _ = stream.set_write_timeout(Some(Duration::from_secs(5)));
                let (lines, answer) = (lines.clone(), answer.clone());
                // Ends by itself: reading and writing are bounded.
                std::thread::spawn(move || {
                    if let Some(asked) = read(&stream) {
                        lines.lock().unwrap().push(asked.line.clone());
                        answer(&asked, &mut stream);
                    }
                });
            }
        });
        Server {
            address,
            stop,
            thread: Some(thread),
            log,
        }
    }

    /// What was asked so far, without robots.txt.
    pub(crate) fn log(&self) -> Vec<String> {
        let log = self.log.lock().unwrap();
        log.iter()
            .filter(|line| !line.ends_with("/robots.txt"))
            .cloned()
            .collect()
    }

    /// How often robots.txt was asked for.
    pub(crate) fn robots(&self) -> usize {
        let log = self.log.lock().unwrap();
        log.iter().filter(|line| line.ends_with("/robots.txt")).count()
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes the thread from its wait for a client.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(5));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream.take(1 << 20));
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let line = line.trim_end().strip_suffix(" HTTP/1.1")?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header).ok()? <= 2 {
            break;
        }
        let (name, value) = header.split_once(':')?;
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let mut asked = Asked {
        line,
        headers,
        body: String::new(),
    };
    let length: u64 = asked.header("content-length").parse().unwrap_or(0);
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body).ok()?;
    asked.body = String::from_utf8_lossy(&body).into_owned();
    Some(asked)
}

/// Writes an answer; errors are the client's business.
pub(crate) fn write(stream: &mut TcpStream, status: &str, headers: &[(&str, &str)], body: &[u8]) {
    let mut head = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(b"\r\n"))
        .and_then(|()| stream.write_all(body));
}
