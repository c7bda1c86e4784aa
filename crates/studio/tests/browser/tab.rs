//! A tab of a real Chromium, as a user has it: a mouse, a keyboard, eyes. It speaks just enough of the DevTools protocol.

use crate::wire::Wire;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wrapwright::drivers::base64;

const CHROMIUM: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// How long a test waits: on a busy machine, a page of a million nodes takes minutes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

pub(crate) struct Tab {
    child: Child,
    _profile: TempDir,
    wire: Wire,
}

impl Drop for Tab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first of these programs that is there.
pub(crate) fn program(names: &[&str]) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let mut all = names
        .iter()
        .flat_map(|name| std::env::split_paths(&folders).map(move |folder| folder.join(name)));
    all.find(|path| path.is_file())
}

impl Tab {
    /// A browser with one tab; nothing where none is installed.
    pub(crate) fn open() -> Option<Tab> {
        let Some(program) = program(&CHROMIUM) else {
            skip::skip("studio: browser", "no browser is installed");
            return None;
        };
        let profile = tempfile::tempdir().expect("a directory");
        let child = Command::new(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-extensions",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--remote-debugging-port=0",
            ])
            .args([
                "--window-size=1280,720",
                "--force-color-profile=srgb",
                "--disable-dev-shm-usage",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a browser");
        let file = profile.path().join("DevToolsActivePort");
        let begin = Instant::now();
        let port: u16 = loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some(port) = text.lines().next().and_then(|line| line.parse().ok()) {
                break port;
            }
            assert!(begin.elapsed() < PATIENCE, "the browser does not start");
            std::thread::sleep(Duration::from_millis(50));
        };
        let path = loop {
            let list = http(port, "/json/list");
            let pages: Value = serde_json::from_str(&list).unwrap_or_default();
            let pages = pages.as_array().cloned().unwrap_or_default();
            let page = pages.iter().find(|page| page["type"] == json!("page"));
            if let Some(url) = page.and_then(|page| page["webSocketDebuggerUrl"].as_str()) {
                break url
                    .split_once("://")
                    .and_then(|(_, rest)| rest.split_once('/'))
                    .expect("a path")
                    .1
                    .to_owned();
            }
            assert!(begin.elapsed() < PATIENCE, "the browser has no tab");
            std::thread::sleep(Duration::from_millis(50));
        };
        let mut tab = Tab {
            child,
            _profile: profile,
            wire: Wire::connect(port, &path),
        };
        tab.call("Page.enable", json!({}));
        tab.call("Runtime.enable", json!({}));
        tab.size(1280, 720);
        Some(tab)
    }

    pub(crate) fn size(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    pub(crate) fn dark(&mut self) {
        self.scheme("dark");
    }

    /// What the system prefers: `light` or `dark`.
    pub(crate) fn scheme(&mut self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.call("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
    }

    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.wire.call(method, params)
    }

    pub(crate) fn go(&mut self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
    }

    /// What an expression of JavaScript gives.
    pub(crate) fn eval(&mut self, code: &str) -> Value {
        let params = json!({ "expression": code, "awaitPromise": true, "returnByValue": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(
            result["exceptionDetails"].is_null(),
            "{code}: {}",
            result["exceptionDetails"]
        );
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn until(&mut self, code: &str) {
        let begin = Instant::now();
        loop {
            let params = json!({ "expression": format!("Boolean({code})"), "returnByValue": true });
            if self.call("Runtime.evaluate", params)["result"]["value"] == json!(true) {
                return;
            }
            if begin.elapsed() > PATIENCE {
                self.shoot(&std::env::temp_dir().join("studio-failed.png"));
                let said =
                    self.eval("document.getElementById('says')?.textContent ?? document.body.innerText.slice(0, 500)");
                panic!("{code}: waited in vain; the page says {said}");
            }
            std::thread::sleep(Duration::from_millis(60));
        }
    }

    fn mouse(&mut self, kind: &str, x: f64, y: f64, count: u32, modifiers: u32) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let params =
            json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": count, "modifiers": modifiers });
        self.call("Input.dispatchMouseEvent", params);
    }

    pub(crate) fn click_at(&mut self, x: f64, y: f64, modifiers: u32) {
        self.mouse("mouseMoved", x, y, 0, modifiers);
        self.mouse("mousePressed", x, y, 1, modifiers);
        self.mouse("mouseReleased", x, y, 1, modifiers);
    }

    pub(crate) fn hover(&mut self, x: f64, y: f64) {
        self.mouse("mouseMoved", x, y, 0, 0);
    }

    /// The middle of the first element that matches.
    pub(crate) fn middle(&mut self, selector: &str) -> (f64, f64) {
        self.until(&format!("document.querySelector({selector:?})"));
        let code = format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{ block: 'nearest' }}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let found = self.eval(&code);
        (found[0].as_f64().expect("x"), found[1].as_f64().expect("y"))
    }

    /// Clicks where the element is, once it can be clicked and stays in its place.
    pub(crate) fn click(&mut self, selector: &str) {
        self.until(&format!("document.querySelector({selector:?})?.disabled !== true"));
        let mut place = self.middle(selector);
        let begin = Instant::now();
        loop {
            std::thread::sleep(Duration::from_millis(20));
            let now = self.middle(selector);
            if now == place || begin.elapsed() > PATIENCE {
                break;
            }
            place = now;
        }
        self.click_at(place.0, place.1, 0);
    }

    pub(crate) fn key(&mut self, key: &str, modifiers: u32) {
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            other => i64::from(other.to_ascii_uppercase().as_bytes()[0]),
        };
        let mut down = json!({ "type": "keyDown", "key": key, "modifiers": modifiers, "windowsVirtualKeyCode": code });
        if key.len() == 1 && modifiers & 2 == 0 {
            down["text"] = json!(key);
        } else if key == "Enter" {
            down["text"] = json!("\r");
        }
        self.call("Input.dispatchKeyEvent", down);
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }),
        );
    }

    pub(crate) fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Takes a picture of what is seen.
    pub(crate) fn shoot(&mut self, file: &Path) {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = base64::decode(picture["data"].as_str().expect("a picture")).expect("base 64");
        std::fs::write(file, bytes).expect("a file");
    }
}

/// Where pictures go.
pub(crate) fn shots() -> PathBuf {
    let folder =
        std::env::var_os("STUDIO_PICTURES").map_or_else(|| std::env::temp_dir().join("studio-pictures"), PathBuf::from);
    std::fs::create_dir_all(&folder).expect("a directory");
    folder
}

fn http(port: u16, path: &str) -> String {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else {
        return String::new();
    };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(request.as_bytes());
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text.split_once("\r\n\r\n")
        .map(|(_, body)| body.to_owned())
        .unwrap_or_default()
}
