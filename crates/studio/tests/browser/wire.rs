//! A connection to a browser: messages in JSON over a web socket, as both Chromium and Firefox speak them.

use crate::tab::PATIENCE;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

pub(crate) struct Wire {
    stream: BufReader<TcpStream>,
    next: u64,
}

impl Wire {
    /// Connects to a path of a browser on this machine.
    pub(crate) fn connect(port: u16, path: &str) -> Wire {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let hello = format!(
            "GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        );
        stream.write_all(hello.as_bytes()).expect("a request");
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(
                stream.read_line(&mut line).expect("an answer") > 0,
                "the browser does not answer"
            );
        }
        Wire { stream, next: 0 }
    }

    /// Asks for something, and waits for the answer.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let text = json!({ "id": id, "method": method, "params": params }).to_string();
        let bytes = text.as_bytes();
        let mut frame = vec![0x81];
        match bytes.len() {
            short @ 0..=125 => frame.push(0x80 | short as u8),
            middle @ 126..=65535 => {
                frame.push(0x80 | 126);
                frame.extend((middle as u16).to_be_bytes());
            }
            long => {
                frame.push(0x80 | 127);
                frame.extend((long as u64).to_be_bytes());
            }
        }
        // Firefox refuses a mask of zeros.
        let mask = [1, 2, 3, 4];
        frame.extend(mask);
        frame.extend(bytes.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        self.stream.get_mut().write_all(&frame).expect("a message");
        loop {
            let answer: Value = serde_json::from_slice(&self.message()).expect("JSON");
            if answer["id"] == json!(id) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    fn message(&mut self) -> Vec<u8> {
        let mut whole = Vec::new();
        loop {
            let mut head = [0; 2];
            self.stream.read_exact(&mut head).expect("a frame");
            let length = match head[1] & 0x7f {
                126 => {
                    let mut bytes = [0; 2];
                    self.stream.read_exact(&mut bytes).expect("a length");
                    usize::from(u16::from_be_bytes(bytes))
                }
                127 => {
                    let mut bytes = [0; 8];
                    self.stream.read_exact(&mut bytes).expect("a length");
                    u64::from_be_bytes(bytes) as usize
                }
                short => usize::from(short),
            };
            let mut body = vec![0; length];
            self.stream.read_exact(&mut body).expect("a body");
            if head[0] & 0x0f <= 2 {
                whole.extend(body);
                if head[0] & 0x80 != 0 {
                    return whole;
                }
            }
        }
    }
}
