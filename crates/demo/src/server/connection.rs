//! One connection, from its first request to its end.
//!
//! Requests are peeked at before they are read. This costs one more system call per request and has two advantages.
//! Pipelined requests stay in the kernel's buffer until their turn, so this module needs no buffer for the rest. And
//! [`Answer::Reset`] is a real reset: a socket that is closed while it has unread bytes sends RST, and `std` has no
//! other way to do that. So the last byte of a request is read only when the answer is known.

use super::answer::{Answer, Response};
use super::request::{self, Head};
use super::running::Shared;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// How often an idle connection checks whether others wait for its place.
const LOOK: Duration = Duration::from_millis(250);

/// How long a client may be silent while others wait.
const CROWDED: Duration = Duration::from_secs(1);

/// Why a connection ends before its answer.
enum End {
    /// The client left, or was silent for too long.
    Gone,
    /// The client broke a rule.
    Refused(u16),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> End {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => End::Refused(408),
            _ => End::Gone,
        }
    }
}

/// Answers requests until the connection ends.
pub(super) fn serve(stream: &TcpStream, shared: &Shared) {
    let limits = &shared.limits;
    let ready = stream
        .set_nodelay(true)
        .and_then(|()| stream.set_read_timeout(Some(limits.idle.min(LOOK))))
        .and_then(|()| stream.set_write_timeout(Some(limits.request)));
    if ready.is_err() {
        return;
    }
    let mut connection = Connection {
        stream,
        shared,
        head: vec![0; limits.head],
        out: Vec::new(),
    };
    loop {
        match connection.turn() {
            Ok(true) => {}
            Ok(false) | Err(End::Gone) => return,
            Err(End::Refused(status)) => return connection.refuse(status),
        }
    }
}

struct Connection<'c> {
    stream: &'c TcpStream,
    shared: &'c Shared,
    /// The buffer for a head.
    head: Vec<u8>,
    /// The buffer for responses, reused.
    out: Vec<u8>,
}

impl Connection<'_> {
    /// One request and its answer. True if the connection can be used again.
    fn turn(&mut self) -> Result<bool, End> {
        let (head, waiting) = self.receive()?;
        let shared = self.shared;
        let answer = shared.site.answer(&head.request);
        if matches!(answer, Answer::Reset) {
            return Ok(false);
        }
        self.take(waiting)?;
        let bodiless = head.request.method == "HEAD";
        let keep = head.keep && !shared.wants_room();
        self.out.clear();
        match answer {
            Answer::Whole(response) => {
                self.send(&response, bodiless, keep)?;
                return Ok(keep);
            }
            Answer::Late(response, delay) => {
                if !shared.sleep(delay) {
                    return Ok(false);
                }
                self.send(&response, bodiless, keep)?;
                return Ok(keep);
            }
            Answer::Cut { response, after } => {
                response.write_head(&mut self.out, Some(response.body.len() as u64), false);
                let after = if bodiless { 0 } else { after.min(response.body.len()) };
                self.out.extend_from_slice(&response.body[..after]);
                self.put(&self.out)?;
            }
            Answer::Misstated { response, length } => {
                response.write_head(&mut self.out, Some(length), false);
                if !bodiless {
                    self.out.extend_from_slice(&response.body);
                }
                self.put(&self.out)?;
            }
            Answer::Endless { response, pause } => {
                response.write_head(&mut self.out, None, false);
                self.put(&self.out)?;
                while !bodiless && !response.body.is_empty() {
                    self.put(&response.body)?;
                    if !shared.sleep(pause) {
                        break;
                    }
                }
            }
            Answer::Raw(bytes) => self.put(&bytes)?,
            Answer::Reset => {}
        }
        Ok(false)
    }

    /// A whole response in one write.
    fn send(&mut self, response: &Response, bodiless: bool, keep: bool) -> Result<(), End> {
        response.write_head(&mut self.out, Some(response.body.len() as u64), keep);
        if !bodiless {
            self.out.extend_from_slice(&response.body);
        }
        self.put(&self.out)
    }

    /// Writes bytes. If the client does not read them it is gone, and an error would reach no one.
    fn put(&self, bytes: &[u8]) -> Result<(), End> {
        let mut stream = self.stream;
        stream.write_all(bytes).map_err(|_| End::Gone)
    }

    /// The next request, and how many of its bytes are still unread: at least one.
    fn receive(&mut self) -> Result<(Head, usize), End> {
        let limits = &self.shared.limits;
        let mut taken = 0;
        let mut deadline = None;
        let mut silent = Instant::now();
        let end = loop {
            let room = &mut self.head[taken..];
            if room.is_empty() {
                let line = self.head.contains(&b'\n');
                return Err(End::Refused(if line { 431 } else { 414 }));
            }
            let seen = match self.stream.peek(room) {
                Ok(0) => return Err(End::Gone),
                Ok(seen) => seen,
                Err(error) if self.waits_on(&error, silent) => continue,
                // There was no request, so there is no answer.
                Err(_) if taken == 0 => return Err(End::Gone),
                Err(error) => return Err(error.into()),
            };
            let end = request::head_end(&self.head[..taken + seen], taken);
            if let Some(end) = end {
                break end;
            }
            self.stream.read_exact(&mut self.head[taken..taken + seen])?;
            taken += seen;
            silent = Instant::now();
            check(*deadline.get_or_insert_with(|| Instant::now() + limits.request))?;
        };
        let mut head = request::parse(&self.head[..end], limits.headers).map_err(End::Refused)?;
        if head.length > limits.body {
            return Err(End::Refused(413));
        }
        if head.length == 0 {
            return Ok((head, end - taken));
        }
        self.take(end - taken)?;
        let deadline = deadline.unwrap_or_else(|| Instant::now() + limits.request);
        let mut body = vec![0; head.length];
        let mut have = 0;
        let last = head.length - 1;
        while have < last {
            match self.stream.read(&mut body[have..last]) {
                Ok(0) => return Err(End::Gone),
                Ok(read) => {
                    have += read;
                    silent = Instant::now();
                }
                Err(error) if self.waits_on(&error, silent) => {}
                Err(error) => return Err(error.into()),
            }
            check(deadline)?;
        }
        loop {
            match self.stream.peek(&mut body[last..]) {
                Ok(0) => return Err(End::Gone),
                Ok(_) => break,
                Err(error) if self.waits_on(&error, silent) => check(deadline)?,
                Err(error) => return Err(error.into()),
            }
        }
        head.request.body = body;
        Ok((head, 1))
    }

    /// May reading be tried again after this failure? A client may be silent for long, but not while others wait for
    /// its place.
    fn waits_on(&self, error: &io::Error, silent: Instant) -> bool {
        match error.kind() {
            io::ErrorKind::Interrupted => true,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                let silent = silent.elapsed();
                silent < self.shared.limits.idle && !(silent >= CROWDED && self.shared.wants_room())
            }
            _ => false,
        }
    }

    /// Reads bytes that were peeked at before.
    fn take(&mut self, count: usize) -> io::Result<()> {
        let room = &mut self.head[..count];
        let mut stream = self.stream;
        stream.read_exact(room)
    }

    /// Sends the reason, and waits a moment for the client to read it: unread bytes would reset the connection and
    /// discard the answer.
    fn refuse(&mut self, status: u16) {
        self.out.clear();
        if self.send(&Response::plain(status), false, false).is_err() || self.stream.shutdown(Shutdown::Write).is_err()
        {
            return;
        }
        let _ = self.stream.set_read_timeout(Some(Duration::from_millis(500)));
        let end = Instant::now() + Duration::from_secs(2);
        while Instant::now() < end && matches!(self.stream.read(&mut self.head), Ok(read) if read > 0) {}
    }
}

fn check(deadline: Instant) -> Result<(), End> {
    if Instant::now() > deadline {
        Err(End::Refused(408))
    } else {
        Ok(())
    }
}
