//! The hand: acts on an element as a person would.
//!
//! The mouse moves to the element and clicks, keys go down and up, so a page's scripts see the same as from a person:
//! trusted events in the right order. An element that the mouse cannot reach, because it has no box or something covers
//! it, is clicked by a script instead, with a warning, because the page may react differently. Lists and fields with
//! pickers (dates, colours, sliders) are set by a script with the events that a picker would send.

use super::keys;
use super::tab::Tab;
use super::wire::Fault;
use page::driver::{Action, DriverError, FailureKind};
use serde_json::{Value, json};
use std::time::Instant;
use url::Url;

/// Text up to this length is typed key by key.
const MOST_KEYS: usize = 200;

/// What went wrong: with the browser, or with the action.
#[derive(Debug)]
pub(super) enum Trouble {
    Fault(Fault),
    Error(DriverError),
    /// Nothing is wrong, but the page leads to an address of the other zone, which another tab must open.
    Elsewhere(Url),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

impl From<DriverError> for Trouble {
    fn from(error: DriverError) -> Trouble {
        Trouble::Error(error)
    }
}

/// The result of an action.
#[derive(Debug, PartialEq)]
pub(super) enum Done {
    /// Something was done to the page, which reports the result.
    Touched,
    /// Only an address to go to.
    Go(String),
}

/// An element of a page in a tab, by its rank in the last copy of the tree.
pub(super) struct Hand<'t> {
    pub(super) tab: &'t Tab,
    pub(super) version: u64,
    pub(super) rank: usize,
    /// Its start tag, for messages.
    pub(super) tag: &'t str,
    pub(super) deadline: Instant,
    pub(super) warn: &'t dyn Fn(String),
}

pub(super) fn not_actionable(message: String) -> DriverError {
    DriverError::new(FailureKind::NotActionable, message)
}

/// What to send for a key.
fn named(name: &str) -> Result<Value, DriverError> {
    keys::key(name).ok_or_else(|| {
        not_actionable(format!("there is no key \"{name}\"")).with_remedy("keys are Enter, Tab, ArrowDown, a, …")
    })
}

impl Hand<'_> {
    /// Performs the action.
    pub(super) fn perform(&self, action: &Action) -> Result<Done, Trouble> {
        match action {
            Action::Click => self.click(1)?,
            Action::DoubleClick => self.click(2)?,
            Action::RightClick => self.right_click()?,
            Action::KeyDown(key) => self.half_key(key, "keyDown")?,
            Action::KeyUp(key) => self.half_key(key, "keyUp")?,
            Action::Drag(to) => self.drag(to)?,
            Action::MouseOver => self.mouse("mouseover")?,
            Action::Mouse(event) => self.mouse(event)?,
            Action::Focus => {
                self.act("focus", &Value::Null)?;
            }
            Action::Scroll => {
                self.act("scroll", &Value::Null)?;
            }
            Action::Submit => match self.act("submit", &Value::Null)?.as_str() {
                "" => {}
                _ => return Err(self.refuse("submitted", "a form, or an element of one")),
            },
            Action::Check => self.check(true)?,
            Action::Uncheck => self.check(false)?,
            Action::Press(key) => {
                self.act("focus", &Value::Null)?;
                self.key(key)?;
            }
            Action::Type(text) => self.type_text(text)?,
            Action::Select(text) => self.choose(&text.as_str().into())?,
            Action::SelectIndex(index) => self.choose(&(*index).into())?,
            Action::EnterFrame => match self.act("enter", &Value::Null)?.as_str() {
                "" => {}
                "closed" => return Err(not_actionable(format!("{} shows nothing yet", self.tag)).into()),
                _ => return Err(self.refuse("entered", "an iframe or a frame")),
            },
            Action::MoveToFrame => return self.go("source", "an iframe or a frame"),
            Action::MoveToHref => return self.go("href", "an element with href"),
        }
        Ok(Done::Touched)
    }

    fn go(&self, what: &str, expected: &str) -> Result<Done, Trouble> {
        match self.act(what, &Value::Null)?.strip_prefix('=') {
            Some(url) => Ok(Done::Go(url.to_owned())),
            None => Err(self.refuse("moved to", expected)),
        }
    }

    fn refuse(&self, done: &str, expected: &str) -> Trouble {
        not_actionable(format!("{} cannot be {done}, expected {expected}", self.tag)).into()
    }

    fn gone(&self) -> Trouble {
        not_actionable(format!("{} is not on the page any more", self.tag)).into()
    }

    pub(super) fn act(&self, what: &str, value: &Value) -> Result<String, Trouble> {
        let script = format!("act({}, {}, {}, {value})", self.version, self.rank, json!(what));
        let told = self.tab.ask(&script, self.deadline)?;
        if told == "gone" {
            return Err(self.gone());
        }
        Ok(told)
    }

    /// Brings the element into view; with `follow`, the field of a label instead of the label.
    pub(super) fn aim(&self, follow: bool) -> Result<Value, Trouble> {
        let script = format!("aim({}, {}, {follow})", self.version, self.rank);
        let told = self.tab.ask(&script, self.deadline)?;
        match serde_json::from_str(&told) {
            Ok(Value::Null) | Err(_) => Err(self.gone()),
            Ok(aim) => Ok(aim),
        }
    }

    pub(super) fn enabled(&self, aim: &Value) -> Result<(), Trouble> {
        match aim["disabled"] == true {
            true => Err(not_actionable(format!("{} is disabled", self.tag)).into()),
            false => Ok(()),
        }
    }

    fn click(&self, times: u32) -> Result<(), Trouble> {
        let aim = self.aim(false)?;
        self.enabled(&aim)?;
        if aim["name"] == "option" {
            return self.choose(&Value::Null);
        }
        self.click_at(&aim, times)
    }

    fn click_at(&self, aim: &Value, times: u32) -> Result<(), Trouble> {
        if aim["hit"] != true {
            let why = match aim["boxed"] == true {
                true => "something covers it",
                false => "it cannot be seen",
            };
            (self.warn)(format!("{} is clicked by a script, because {why}", self.tag));
            for _ in 0..times {
                self.act("click", &Value::Null)?;
            }
            return Ok(());
        }
        let mut waiting = vec![self.mouse_event("mouseMoved", aim, 0)];
        for count in 1..=times {
            waiting.push(self.mouse_event("mousePressed", aim, count));
            waiting.push(self.mouse_event("mouseReleased", aim, count));
        }
        self.answers(waiting)
    }

    /// Waits until events are handled. If the page went away because of an event, the event was handled.
    pub(super) fn answers(&self, waiting: Vec<super::wire::Pending>) -> Result<(), Trouble> {
        for pending in waiting {
            match pending.wait(self.deadline) {
                Ok(_) => {}
                Err(Fault::Refused(why)) if why.contains("navigat") || why.contains("detached") => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        Ok(())
    }

    fn mouse_event(&self, kind: &str, aim: &Value, count: u32) -> super::wire::Pending {
        let pressed = kind == "mousePressed" || kind == "mouseReleased";
        let event = json!({
            "type": kind,
            "x": aim["x"],
            "y": aim["y"],
            "button": if pressed { "left" } else { "none" },
            "buttons": u32::from(kind == "mousePressed"),
            "clickCount": count,
        });
        self.tab
            .wire
            .send(&self.tab.session, "Input.dispatchMouseEvent", &event)
    }

    /// Clicks with the right button; pages show menus of their own then.
    fn right_click(&self) -> Result<(), Trouble> {
        let aim = self.aim(false)?;
        self.enabled(&aim)?;
        if aim["hit"] != true {
            self.act("mouse", &"contextmenu".into())?;
            return Ok(());
        }
        let event = |kind: &str, buttons: u32| {
            let event = json!({
                "type": kind, "x": aim["x"], "y": aim["y"], "button": "right", "buttons": buttons, "clickCount": 1,
            });
            self.tab
                .wire
                .send(&self.tab.session, "Input.dispatchMouseEvent", &event)
        };
        let waiting = vec![
            self.mouse_event("mouseMoved", &aim, 0),
            event("mousePressed", 2),
            event("mouseReleased", 0),
        ];
        self.answers(waiting)
    }

    fn mouse(&self, event: &str) -> Result<(), Trouble> {
        let aim = self.aim(false)?;
        let kind = match event {
            "mouseover" | "mouseenter" | "mousemove" => "mouseMoved",
            "mousedown" => "mousePressed",
            "mouseup" => "mouseReleased",
            "wheel" => "mouseWheel",
            _ => "",
        };
        if aim["hit"] != true || kind.is_empty() {
            self.act("mouse", &event.into())?;
            return Ok(());
        }
        let mut waiting = vec![self.mouse_event("mouseMoved", &aim, 0)];
        match kind {
            "mouseMoved" => {}
            "mouseWheel" => {
                let event = json!({ "type": kind, "x": aim["x"], "y": aim["y"], "deltaX": 0, "deltaY": 400 });
                waiting.push(
                    self.tab
                        .wire
                        .send(&self.tab.session, "Input.dispatchMouseEvent", &event),
                );
            }
            _ => waiting.push(self.mouse_event(kind, &aim, 1)),
        }
        self.answers(waiting)
    }

    fn check(&self, checked: bool) -> Result<(), Trouble> {
        let aim = self.aim(true)?;
        let kind = aim["type"].as_str().unwrap_or("");
        match kind {
            "checkbox" => {}
            "radio" if checked => {}
            "radio" => {
                let error = not_actionable(format!("{} cannot be unchecked", self.tag));
                return Err(error.with_remedy("check another button of its group").into());
            }
            _ => {
                let done = if checked { "checked" } else { "unchecked" };
                return Err(self.refuse(done, "a checkbox or a radio button"));
            }
        }
        self.enabled(&aim)?;
        if (aim["checked"] == true) == checked {
            return Ok(());
        }
        if aim["hit"] == true {
            return self.click_at(&aim, 1);
        }
        // Many pages hide the box and draw their own, so there is no warning.
        self.act("click", &Value::Null)?;
        Ok(())
    }

    fn choose(&self, value: &Value) -> Result<(), Trouble> {
        let told = self.act("choose", value)?;
        match told.as_str() {
            "" => Ok(()),
            "disabled" => Err(not_actionable(format!("{} is disabled", self.tag)).into()),
            "no select" => Err(self.refuse("chosen from", "a select")),
            _ => {
                let there = told.strip_prefix("none:").unwrap_or("");
                let message = match value {
                    Value::Number(rank) => format!("{} has no option with the index {rank}", self.tag),
                    _ => format!("{} has no option {value}", self.tag),
                };
                let advice = match there {
                    "" => "it has no options".to_owned(),
                    there => format!("it has {there}"),
                };
                Err(not_actionable(message).with_remedy(advice).into())
            }
        }
    }

    /// Presses a key where the focus is.
    fn key(&self, name: &str) -> Result<(), Trouble> {
        self.answers(self.press(named(name)?))
    }

    /// Sends one of the two events of a key to the element: `keyDown` or `keyUp`.
    fn half_key(&self, name: &str, kind: &str) -> Result<(), Trouble> {
        let mut key = named(name)?;
        self.act("focus", &Value::Null)?;
        key["type"] = kind.into();
        if let Some(key) = key.as_object_mut().filter(|_| kind == "keyUp") {
            key.remove("text");
        }
        let sent = self.tab.wire.send(&self.tab.session, "Input.dispatchKeyEvent", &key);
        self.answers(vec![sent])
    }

    fn press(&self, mut key: Value) -> Vec<super::wire::Pending> {
        key["type"] = "keyDown".into();
        let down = self.tab.wire.send(&self.tab.session, "Input.dispatchKeyEvent", &key);
        key["type"] = "keyUp".into();
        if let Some(key) = key.as_object_mut() {
            key.remove("text");
        }
        let up = self.tab.wire.send(&self.tab.session, "Input.dispatchKeyEvent", &key);
        vec![down, up]
    }

    /// Replaces the text of a field. A line break at the end of a line of text presses Enter.
    fn type_text(&self, text: &str) -> Result<(), Trouble> {
        let aim = self.aim(true)?;
        self.enabled(&aim)?;
        let name = aim["name"].as_str().unwrap_or("");
        let kind = aim["type"].as_str().unwrap_or("");
        if name == "select" {
            return self.choose(&text.trim_end_matches(['\n', '\r']).into());
        }
        if aim["readonly"] == true {
            return Err(not_actionable(format!("{} is read-only", self.tag)).into());
        }
        let line = text.strip_suffix('\n').map(|line| line.trim_end_matches('\r'));
        match (name, kind) {
            ("input", "file") => self.upload(text.trim_end_matches(['\n', '\r'])),
            ("input", "checkbox" | "radio" | "button" | "submit" | "image" | "reset") => {
                Err(self.refuse("typed into", "an input, a textarea or a select"))
            }
            ("input", "date" | "time" | "datetime-local" | "month" | "week" | "color" | "range" | "hidden") => {
                let value = line.unwrap_or(text);
                match self.act("set", &value.into())?.as_str() {
                    "" => Ok(()),
                    _ => Err(not_actionable(format!("{} does not take \"{value}\"", self.tag)).into()),
                }
            }
            ("input", _) => {
                self.write(line.unwrap_or(text))?;
                if line.is_some() {
                    self.key("Enter")?;
                }
                Ok(())
            }
            ("textarea", _) => self.write(text),
            _ if aim["editable"] == true => self.write(text),
            _ => Err(self.refuse("typed into", "an input, a textarea or a select")),
        }
    }

    fn write(&self, text: &str) -> Result<(), Trouble> {
        let mut waiting = Vec::new();
        if self.act("take", &Value::Null)? == "full" {
            waiting.extend(keys::key("Backspace").map(|key| self.press(key)).unwrap_or_default());
        }
        if text.chars().count() > MOST_KEYS {
            let text = json!({ "text": text });
            waiting.push(self.tab.wire.send(&self.tab.session, "Input.insertText", &text));
            return self.answers(waiting);
        }
        for letter in text.chars() {
            let key = keys::key(letter.encode_utf8(&mut [0; 4]));
            waiting.extend(key.map(|key| self.press(key)).unwrap_or_default());
        }
        self.answers(waiting)
    }

    fn upload(&self, file: &str) -> Result<(), Trouble> {
        let path = std::path::Path::new(file);
        let path = match path.canonicalize() {
            Ok(path) if path.is_file() => path,
            _ => return Err(not_actionable(format!("there is no file \"{file}\" to upload")).into()),
        };
        let element = format!("element({}, {})", self.version, self.rank);
        let handle = self.tab.handle(&element, self.deadline)?;
        let Some(handle) = handle else { return Err(self.gone()) };
        let params = json!({ "objectId": handle, "files": [path.to_string_lossy()] });
        self.tab.call("DOM.setFileInputFiles", &params, self.deadline)?;
        Ok(())
    }
}
