//! The client's side of RFC 6455 (WebSocket), as far as a browser on this machine needs it: text messages whole or in
//! fragments, ping and pong, close. No extensions, no TLS, no proxy.
//!
//! The protocol makes clients mask what they send, to protect proxies on the way. There is no proxy between us and a
//! browser, so the mask is zero, which is valid and costs nothing.

use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::Duration;
use url::Url;

/// The most bytes of one message: the whole tree of a page is one message.
const MOST_BYTES: usize = 1 << 30;
/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(10);

const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// The reading end.
pub(super) struct Reader {
    stream: BufReader<TcpStream>,
}

/// The writing end.
pub(super) struct Writer {
    stream: TcpStream,
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

/// Connects to an address such as `ws://127.0.0.1:9222/devtools/browser/…`.
pub(super) fn connect(address: &Url) -> io::Result<(Reader, Writer)> {
    let host = address
        .host_str()
        .ok_or_else(|| broken("the address names no host"))?
        .trim_matches(['[', ']']);
    let port = address.port().unwrap_or(80);
    let mut last = broken("the host has no address");
    let mut found = None;
    for candidate in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&candidate, CONNECT) {
            Ok(stream) => {
                found = Some(stream);
                break;
            }
            Err(error) => last = error,
        }
    }
    let Some(mut stream) = found else { return Err(last) };
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(CONNECT))?;
    let path = &address[url::Position::BeforePath..url::Position::AfterQuery];
    let hello = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: d3JhcHdyaWdodC13cmFwdw==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    );
    stream.write_all(hello.as_bytes())?;
    let mut reader = BufReader::with_capacity(64 << 10, stream.try_clone()?);
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() > 16 << 10 {
            return Err(broken("the answer is not that of a WebSocket"));
        }
        let mut byte = [0];
        reader.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    if !head.starts_with(b"HTTP/1.1 101") {
        let line = String::from_utf8_lossy(&head);
        let line: String = line.lines().next().unwrap_or("").chars().take(80).collect();
        return Err(broken(&format!("expected a WebSocket, found \"{line}\"")));
    }
    stream.set_read_timeout(None)?;
    Ok((Reader { stream: reader }, Writer { stream }))
}

/// What was received.
pub(super) enum Message {
    Text(String),
    /// Something that needs this answer.
    Ping(Vec<u8>),
    Closed,
}

impl Reader {
    /// The next message; waits for it.
    pub(super) fn next(&mut self) -> io::Result<Message> {
        let mut text = Vec::new();
        loop {
            let mut head = [0; 2];
            self.stream.read_exact(&mut head)?;
            let (last, code, masked) = (head[0] & 0x80 != 0, head[0] & 0x0F, head[1] & 0x80 != 0);
            let len = match head[1] & 0x7F {
                126 => {
                    let mut len = [0; 2];
                    self.stream.read_exact(&mut len)?;
                    u64::from(u16::from_be_bytes(len))
                }
                127 => {
                    let mut len = [0; 8];
                    self.stream.read_exact(&mut len)?;
                    u64::from_be_bytes(len)
                }
                len => u64::from(len),
            };
            if masked || len > (MOST_BYTES - text.len()) as u64 {
                return Err(broken("a message is masked or too long"));
            }
            match code {
                // A fragment continues the message before it.
                0 | TEXT => {
                    (&mut self.stream).take(len).read_to_end(&mut text)?;
                    if last {
                        return Ok(Message::Text(lossy(text)));
                    }
                }
                CLOSE => return Ok(Message::Closed),
                PING => {
                    let mut body = vec![0; len.min(125) as usize];
                    self.stream.read_exact(&mut body)?;
                    return Ok(Message::Ping(body));
                }
                _ => {
                    io::copy(&mut (&mut self.stream).take(len), &mut io::sink())?;
                }
            }
        }
    }
}

/// Text from bytes, without a copy if they are UTF-8.
fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

impl Writer {
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        self.send(TEXT, text.as_bytes())
    }

    pub(super) fn pong(&mut self, body: &[u8]) -> io::Result<()> {
        self.send(PONG, body)
    }

    /// Ends the connection; the reading end notices.
    pub(super) fn close(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    fn send(&mut self, code: u8, body: &[u8]) -> io::Result<()> {
        let mut frame = Vec::with_capacity(body.len() + 14);
        frame.push(0x80 | code);
        match body.len() {
            len @ 0..=125 => frame.push(0x80 | len as u8),
            len @ 126..=0xFFFF => {
                frame.push(0x80 | 126);
                frame.extend_from_slice(&(len as u16).to_be_bytes());
            }
            len => {
                frame.push(0x80 | 127);
                frame.extend_from_slice(&(len as u64).to_be_bytes());
            }
        }
        frame.extend_from_slice(&[0; 4]);
        frame.extend_from_slice(body);
        self.stream.write_all(&frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// What the client reads of these bytes, until it stops.
    fn read(bytes: &'static [u8]) -> Vec<String> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut asked = Vec::new();
            while !asked.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).expect("a byte");
                asked.push(byte[0]);
            }
            stream
                .write_all(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
                .expect("sent");
            stream.write_all(bytes).expect("sent");
        });
        let address = Url::parse(&format!("ws://127.0.0.1:{port}/x")).expect("an address");
        let (mut reader, _writer) = connect(&address).expect("connected");
        let mut all = Vec::new();
        loop {
            match reader.next() {
                Ok(Message::Text(text)) => all.push(text),
                Ok(Message::Ping(body)) => all.push(format!("ping {}", body.len())),
                Ok(Message::Closed) => {
                    all.push("closed".to_owned());
                    break;
                }
                Err(error) => {
                    all.push(format!("{:?}", error.kind()));
                    break;
                }
            }
        }
        server.join().expect("the server ends");
        all
    }

    #[test]
    fn messages_come_whole_and_in_pieces() {
        assert_eq!(
            read(b"\x81\x02hi\x01\x01a\x80\x01b\x89\x01x\x88\x00"),
            ["hi", "ab", "ping 1", "closed"]
        );
        assert_eq!(read(b"\x81\x7E\x00\x03abc"), ["abc", "UnexpectedEof"]);
    }

    #[test]
    fn nonsense_is_an_error_and_no_panic() {
        assert_eq!(read(b"\x81\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), ["InvalidData"]);
        assert_eq!(read(b"\x81\x85abcd"), ["InvalidData"]);
        assert_eq!(read(b"\x81"), ["UnexpectedEof"]);
    }
}
