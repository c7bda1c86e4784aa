//! The overlay in Firefox, by WebDriver BiDi: boxes are where the values are, and clicks reach the learner.

use crate::common::project;
use crate::journeys::start;
use crate::tab::{PATIENCE, program, shots};
use crate::wire::Wire;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wrapwright::drivers::base64;

struct Fox {
    child: Child,
    _profile: TempDir,
    wire: Wire,
    context: String,
}

impl Drop for Fox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Fox {
    fn open() -> Option<Fox> {
        let Some(program) = program(&["firefox-esr", "firefox"]) else {
            skip::skip("studio: Firefox", "it is not installed");
            return None;
        };
        let profile = tempfile::tempdir().expect("a directory");
        let mut child = Command::new(program)
            .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
            .arg(profile.path())
            .env("HOME", profile.path())
            .env("MOZ_REMOTE_SETTINGS_DEVTOOLS", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a browser");
        let mut said = BufReader::new(child.stderr.take().expect("its words"));
        let mut line = String::new();
        let port: u16 = loop {
            line.clear();
            assert!(said.read_line(&mut line).expect("words") > 0, "Firefox does not start");
            if let Some((_, rest)) = line.split_once("ws://127.0.0.1:") {
                break rest.trim().trim_end_matches('/').parse().expect("a port");
            }
        };
        // What it says later must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let mut wire = Wire::connect(port, "session");
        wire.call("session.new", json!({ "capabilities": {} }));
        let tree = wire.call("browsingContext.getTree", json!({}));
        let context = tree["contexts"][0]["context"].as_str().expect("a tab").to_owned();
        let size = json!({ "context": context, "viewport": { "width": 1280, "height": 720 } });
        wire.call("browsingContext.setViewport", size);
        Some(Fox {
            child,
            _profile: profile,
            wire,
            context,
        })
    }

    fn eval(&mut self, code: &str) -> Value {
        let params = json!({ "expression": format!("JSON.stringify({code})"), "target": { "context": self.context }, "awaitPromise": true });
        let answer = self.wire.call("script.evaluate", params);
        let text = answer["result"]["value"].as_str().unwrap_or("null");
        serde_json::from_str(text).unwrap_or_default()
    }

    fn until(&mut self, code: &str) {
        let begin = Instant::now();
        while self.eval(&format!("Boolean({code})")) != json!(true) {
            assert!(begin.elapsed() < PATIENCE, "{code}: waited in vain");
            std::thread::sleep(Duration::from_millis(60));
        }
    }

    fn click(&mut self, (x, y): (f64, f64), shift: bool) {
        let press = [("keyDown", shift), ("pause", true), ("pause", true), ("keyUp", shift)];
        let keys = press.map(|(kind, is_real)| match is_real && kind != "pause" {
            true => json!({ "type": kind, "value": "\u{e008}" }),
            false => json!({ "type": "pause" }),
        });
        let mouse = [
            json!({ "type": "pointerMove", "x": x as i64, "y": y as i64 }),
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let actions = json!([{ "type": "key", "id": "keys", "actions": keys }, { "type": "pointer", "id": "mouse", "actions": mouse }]);
        self.wire.call(
            "input.performActions",
            json!({ "context": self.context, "actions": actions }),
        );
    }

    /// The middle of an element, of the studio or of the page in its frame.
    fn middle(&mut self, selector: &str, in_frame: bool) -> (f64, f64) {
        let place = self.eval(&format!(
            "(() => {{ const f = document.getElementById('frame'), s = {in_frame} ? f.getBoundingClientRect() : {{ x: 0, y: 0 }}; \
             const r = ({in_frame} ? f.contentDocument : document).querySelector({selector:?}).getBoundingClientRect(); \
             return [s.x + r.x + r.width / 2, s.y + r.y + r.height / 2]; }})()"
        ));
        (place[0].as_f64().expect("x"), place[1].as_f64().expect("y"))
    }
}

#[test]
fn the_overlay_works_in_firefox() {
    let Some(mut fox) = Fox::open() else { return };
    let folder = project();
    let pages = folder.path().join("project/pages").display().to_string();
    let running = start(&folder.path().join("project"), None, &[&pages]);
    let go = json!({ "context": fox.context, "url": running.url(), "wait": "complete" });
    fox.wire.call("browsingContext.navigate", go);
    fox.until("document.querySelector('#rows td.cell') && document.querySelector('#overlay .box')");
    // Each box is around the text that it is about.
    let far = fox.eval(
        "(() => { const f = document.getElementById('frame'), s = f.getBoundingClientRect(), h = f.contentDocument.querySelector('b'), r = h.getBoundingClientRect(); \
         return Math.min(...[...document.querySelectorAll('#overlay .box')].map((box) => { const b = box.getBoundingClientRect(); \
         return Math.abs(b.x + b.width / 2 - s.x - r.x - r.width / 2) + Math.abs(b.y + b.height / 2 - s.y - r.y - r.height / 2); })); })()",
    );
    assert!(far.as_f64().is_some_and(|far| far < 3.0), "{far}");
    // A value that is clicked becomes a field on all pages.
    let at = fox.middle("u", true);
    fox.click(at, false);
    fox.until("!document.getElementById('popover').hidden");
    let pick = fox.middle("#popover .pick", false);
    fox.click(pick, false);
    fox.until("[...document.querySelectorAll('#rows td.cell')].filter((td) => td.textContent === 'Ada Lovelace').length === 4");
    // A click with Shift reaches the learner, which says what it needs or takes the value away.
    fox.until("document.activeElement.matches('#fields li input')");
    fox.eval("document.activeElement.blur()");
    fox.until("document.getElementById('busy').hidden");
    let at = fox.middle("u", true);
    fox.click(at, true);
    fox.until("document.getElementById('busy').hidden && (!document.getElementById('says').hidden || document.querySelector('#rows td.gap'))");
    let picture = fox
        .wire
        .call("browsingContext.captureScreenshot", json!({ "context": fox.context }));
    let bytes = base64::decode(picture["data"].as_str().expect("a picture")).expect("base 64");
    std::fs::write(shots().join("firefox.png"), bytes).expect("a file");
    // Nothing in the frame could run.
    assert_eq!(
        fox.eval("document.getElementById('frame').contentDocument.scripts.length"),
        json!(0)
    );
}
