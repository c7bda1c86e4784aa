//! Frames of other processes in pages from private addresses.
//!
//! The browser puts a frame of another site into a process of its own, whose requests the tab's session does not see.
//! In a tab for private pages a frame must not show a document of a public host (see [`gate`](crate::gate)), so there we
//! attach to such frames and decide about each of their documents. A frame that cannot be decided about is refused.

use super::Rules;
use super::wire::{Listener, Wire};
use crate::gate::Zone;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use url::Url;

/// A frame that has its own process.
pub(super) struct Frame {
    me: Weak<Frame>,
    wire: Arc<Wire>,
    rules: Arc<Rules>,
    session: String,
    inner: Mutex<Vec<Arc<Frame>>>,
}

impl Frame {
    /// How to attach to the frames below a page or frame: they wait until we are there.
    pub(super) fn attach() -> Value {
        json!({
            "autoAttach": true,
            "waitForDebuggerOnStart": true,
            "flatten": true,
            "filter": [{ "type": "iframe" }],
        })
    }

    /// A frame that waits for us.
    pub(super) fn new(wire: Arc<Wire>, rules: Arc<Rules>, session: String) -> Arc<Frame> {
        let frame = Arc::new_cyclic(|me| Frame {
            me: Weak::clone(me),
            wire,
            rules,
            session,
            inner: Mutex::default(),
        });
        let weak = Arc::downgrade(&frame);
        frame.wire.listen(&frame.session, weak);
        let documents = json!({ "patterns": [{ "resourceType": "Document" }] });
        frame.post("Fetch.enable", &documents);
        frame.post("Target.setAutoAttach", &Frame::attach());
        frame.post("Runtime.runIfWaitingForDebugger", &json!({}));
        frame
    }

    /// Is this its session?
    pub(super) fn is(&self, session: &str) -> bool {
        self.session == session
    }

    fn post(&self, method: &str, params: &Value) {
        self.wire.post(&self.session, method, params);
    }

    fn frames(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Frame>>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn paused(&self, params: &Value) {
        let id = params["requestId"].clone();
        let url = Url::parse(params["request"]["url"].as_str().unwrap_or("")).ok();
        let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
        let (Some(url), Some(gate)) = (url, &self.rules.gate) else {
            let params = json!({ "requestId": id, "errorReason": "BlockedByClient" });
            return self.post("Fetch.failRequest", &params);
        };
        let me = Weak::clone(&self.me);
        gate.zone_then(&url, move |zone| {
            let Some(frame) = me.upgrade() else { return };
            match zone {
                Ok(Zone::Private) => frame.post("Fetch.continueRequest", &json!({ "requestId": id })),
                _ => {
                    let params = json!({ "requestId": id, "errorReason": "BlockedByClient" });
                    frame.post("Fetch.failRequest", &params);
                }
            }
        });
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.wire.forget(&self.session, "the frame is gone");
    }
}

impl Listener for Frame {
    fn event(&self, _: &Wire, method: &str, params: &Value) {
        match method {
            "Fetch.requestPaused" => self.paused(params),
            "Target.attachedToTarget" => {
                let session = params["sessionId"].as_str().unwrap_or("").to_owned();
                let frame = Frame::new(Arc::clone(&self.wire), Arc::clone(&self.rules), session);
                self.frames().push(frame);
            }
            "Target.detachedFromTarget" => {
                let session = params["sessionId"].as_str().unwrap_or("");
                self.frames().retain(|frame| !frame.is(session));
            }
            _ => {}
        }
    }

    fn gone(&self) {}
}
