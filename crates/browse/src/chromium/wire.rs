//! The DevTools protocol over one connection: requests with numbers, answers, events.
//!
//! The protocol grows with every release of Chromium, and clients with fixed types fail on newer messages. So this
//! module knows no message types: an answer is JSON whose fields the caller picks, an event goes to the listener of its
//! session, and other messages are dropped.
//!
//! One thread reads. Answers wake the caller that waits for them; events are handed to the session's listener on the
//! reading thread itself, so that a dialog is answered and a request refused even while the tab's owner waits for
//! something else. A listener must therefore never wait for an answer; it may [`post`](Wire::post). When the connection
//! ends, all waiting callers get an error at once.

use super::socket::{self, Message, Writer};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;
use url::Url;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The browser is gone, or the connection to it.
    Gone,
    /// The tab is gone: closed or crashed.
    Tab(String),
    /// It took too long.
    Late,
    /// The browser refused.
    Refused(String),
}

impl Fault {
    /// Did the script's world disappear while the script ran? A navigation causes this.
    pub(super) fn is_new_document(&self) -> bool {
        matches!(self, Fault::Refused(why) if why.contains("context") || why.contains("navigated") || why.contains("frame"))
    }
}

/// Receives the events of a session.
pub(super) trait Listener: Send + Sync {
    fn event(&self, wire: &Wire, method: &str, params: &Value);
    /// The connection is gone.
    fn gone(&self);
}

type Answer = Result<Value, Fault>;

/// A connection to a browser.
pub(super) struct Wire {
    writer: Mutex<Writer>,
    /// Waiting callers, and their sessions.
    waiting: Mutex<HashMap<u64, (String, Sender<Answer>)>>,
    listeners: Mutex<HashMap<String, Weak<dyn Listener>>>,
    next: AtomicU64,
    gone: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An answer that is on its way.
pub(super) struct Pending {
    answer: Receiver<Answer>,
}

impl Pending {
    pub(super) fn wait(self, deadline: Instant) -> Answer {
        let time = deadline.saturating_duration_since(Instant::now());
        match self.answer.recv_timeout(time) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => Err(Fault::Late),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Gone),
        }
    }
}

impl Wire {
    /// Connects and starts to read.
    pub(super) fn connect(address: &Url) -> io::Result<Arc<Wire>> {
        let (mut reader, writer) = socket::connect(address)?;
        let wire = Arc::new(Wire {
            writer: Mutex::new(writer),
            waiting: Mutex::default(),
            listeners: Mutex::default(),
            next: AtomicU64::new(1),
            gone: AtomicBool::new(false),
        });
        let listening = Arc::clone(&wire);
        std::thread::Builder::new().name("browser".to_owned()).spawn(move || {
            loop {
                match reader.next() {
                    Ok(Message::Text(text)) => listening.take(&text),
                    Ok(Message::Ping(body)) => {
                        let _ = lock(&listening.writer).pong(&body);
                    }
                    Ok(Message::Closed) | Err(_) => break,
                }
            }
            listening.end();
        })?;
        Ok(wire)
    }

    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::SeqCst)
    }

    /// Ends the connection.
    pub(super) fn close(&self) {
        lock(&self.writer).close();
        self.end();
    }

    /// Tells all listeners and waiting callers that the connection is gone.
    fn end(&self) {
        self.gone.store(true, Ordering::SeqCst);
        lock(&self.waiting).clear();
        let listeners: Vec<_> = lock(&self.listeners).drain().collect();
        for (_, listener) in listeners {
            if let Some(listener) = listener.upgrade() {
                listener.gone();
            }
        }
    }

    /// Sets the listener of a session; the empty name is the browser itself.
    pub(super) fn listen(&self, session: &str, listener: Weak<dyn Listener>) {
        lock(&self.listeners).insert(session.to_owned(), listener);
    }

    /// A session is over: waiting callers get an error.
    pub(super) fn forget(&self, session: &str, why: &str) {
        lock(&self.listeners).remove(session);
        self.give_up(session, why);
    }

    /// Ends all requests of a session that are still waiting.
    pub(super) fn give_up(&self, session: &str, why: &str) {
        lock(&self.waiting).retain(|_, (asked, sender)| {
            let over = asked == session;
            if over {
                let _ = sender.send(Err(Fault::Tab(why.to_owned())));
            }
            !over
        });
    }

    /// Sends a request whose answer is waited for later.
    pub(super) fn send(&self, session: &str, method: &str, params: &Value) -> Pending {
        let (sender, answer) = channel();
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        lock(&self.waiting).insert(id, (session.to_owned(), sender));
        if self.write(id, session, method, params).is_err() || self.is_gone() {
            // Without a sender the caller gets the error that the browser is gone.
            lock(&self.waiting).remove(&id);
        }
        Pending { answer }
    }

    /// Sends a request and ignores its answer.
    pub(super) fn post(&self, session: &str, method: &str, params: &Value) {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let _ = self.write(id, session, method, params);
    }

    /// Sends a request and waits for its answer.
    pub(super) fn call(&self, session: &str, method: &str, params: &Value, deadline: Instant) -> Answer {
        self.send(session, method, params).wait(deadline)
    }

    fn write(&self, id: u64, session: &str, method: &str, params: &Value) -> io::Result<()> {
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let written = lock(&self.writer).text(&message.to_string());
        if written.is_err() {
            self.gone.store(true, Ordering::SeqCst);
        }
        written
    }

    fn take(&self, text: &str) {
        let Ok(mut message) = serde_json::from_str::<Value>(text) else {
            return;
        };
        if let Some(id) = message["id"].as_u64() {
            let Some((_, sender)) = lock(&self.waiting).remove(&id) else {
                return;
            };
            let answer = match message.get("error") {
                Some(error) => {
                    let why = error["message"].as_str().unwrap_or("no reason given").to_owned();
                    // An ended session means that the tab is gone.
                    match error["code"].as_i64() {
                        Some(-32001) => Err(Fault::Tab(why)),
                        _ => Err(Fault::Refused(why)),
                    }
                }
                None => Ok(message["result"].take()),
            };
            let _ = sender.send(answer);
            return;
        }
        let Some(method) = message["method"].as_str() else {
            return;
        };
        let session = message["sessionId"].as_str().unwrap_or("");
        let listener = lock(&self.listeners).get(session).and_then(Weak::upgrade);
        if let Some(listener) = listener {
            listener.event(self, method, &message["params"]);
        }
    }
}
