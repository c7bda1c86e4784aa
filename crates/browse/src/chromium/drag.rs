//! Dragging: the mouse presses, moves and lets go; or the browser drags and drops.
//!
//! Pages drag in two ways. Sliders, maps and many lists look at the movements of the mouse. Elements that are `draggable`,
//! links and pictures are dragged by the browser itself: after the first movements it tells no more of the mouse, but sends
//! `dragstart`, `dragenter`, `dragover` and `drop` with what is carried. A drag of the second kind belongs to the desktop,
//! which has none here, so the browser is asked to hand it over: it tells what is carried, and we say where it goes.
//!
//! Which of the two it is, the page decides in its own `dragstart`. So the mouse moves, and for an element that can be
//! dragged there is a short wait for what is carried; without it the mouse goes on.

use super::hand::{Hand, Trouble, not_actionable};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How many times the mouse moves on its way. Scripts look at where it comes from, and a browser begins to drag only after
/// some pixels.
const STEPS: u32 = 8;

/// How long to wait for what is carried, after the mouse has moved a draggable element. The browser tells it at once; only
/// a page that refuses to be dragged costs this time.
const BEGIN: Duration = Duration::from_millis(1000);

/// Where to drag to.
enum To {
    /// Pixels to the right and down.
    By(f64, f64),
    /// The middle of an element.
    Element(String),
}

impl To {
    fn of(text: &str) -> To {
        let parts = text.split_once(',').and_then(|(x, y)| {
            let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            Some((number(x)?, number(y)?))
        });
        match parts {
            Some((right, down)) => To::By(right, down),
            None => To::Element(text.trim().to_owned()),
        }
    }
}

impl Hand<'_> {
    /// Drags the element by pixels (`120,0`), or onto the first element of a CSS selector.
    pub(super) fn drag(&self, to: &str) -> Result<(), Trouble> {
        let aim = self.aim(false)?;
        self.enabled(&aim)?;
        let (Some(x), Some(y)) = (aim["x"].as_f64(), aim["y"].as_f64()) else {
            return Err(not_actionable(format!("{} cannot be seen, so it cannot be dragged", self.tag)).into());
        };
        let (right, down) = match To::of(to) {
            To::By(right, down) => (right, down),
            To::Element(selector) => {
                let (left, top) = self.middle_of(&selector)?;
                (left - x, top - y)
            }
        };
        let hand_over = |enabled: bool| {
            self.tab
                .call("Input.setInterceptDrags", &json!({ "enabled": enabled }), self.deadline)
        };
        self.tab.doing().carried = None;
        hand_over(true)?;
        let dragged = self.drag_from((x, y), (right, down), aim["draggable"] == true);
        // A page that went away while it was dragged takes the setting along.
        let _ = hand_over(false);
        dragged
    }

    /// The middle of the first element of a selector.
    fn middle_of(&self, selector: &str) -> Result<(f64, f64), Trouble> {
        let told = self.tab.ask(&format!("spot({})", json!(selector)), self.deadline)?;
        let spot: Value = serde_json::from_str(&told).unwrap_or_default();
        if let (Some(x), Some(y)) = (spot["x"].as_f64(), spot["y"].as_f64()) {
            return Ok((x, y));
        }
        let (tag, remedy) = (
            self.tag,
            "write pixels to the right and down (\"120,0\"), or a CSS selector (\"#basket\")",
        );
        let message = match spot["why"].as_str().unwrap_or_default() {
            "selector" => format!("{tag} cannot be dragged to \"{selector}\", which is neither pixels nor a selector"),
            "outside" => format!("{tag} cannot be dragged to \"{selector}\": both are not in view at the same time"),
            _ => format!("{tag} cannot be dragged to \"{selector}\": no element that can be seen matches it"),
        };
        Err(not_actionable(message).with_remedy(remedy).into())
    }

    fn drag_from(&self, (x, y): (f64, f64), (right, down): (f64, f64), draggable: bool) -> Result<(), Trouble> {
        let at = |step: u32| {
            let part = f64::from(step) / f64::from(STEPS);
            (x + right * part, y + down * part)
        };
        let mouse = |kind: &str, step: u32, buttons: u32| {
            let (x, y) = at(step);
            let event = json!({
                "type": kind, "x": x, "y": y, "buttons": buttons, "clickCount": 1,
                "button": if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" },
            });
            self.tab
                .wire
                .send(&self.tab.session, "Input.dispatchMouseEvent", &event)
        };
        let carry = |kind: &str, step: u32, data: &Value| {
            let (x, y) = at(step);
            let event = json!({ "type": kind, "x": x, "y": y, "data": data });
            self.answers(vec![self.tab.wire.send(
                &self.tab.session,
                "Input.dispatchDragEvent",
                &event,
            )])
        };
        self.answers(vec![mouse("mouseMoved", 0, 0), mouse("mousePressed", 0, 1)])?;
        let mut carried: Option<Value> = None;
        for step in 1..=STEPS {
            if let Some(data) = &carried {
                carry("dragOver", step, data)?;
                continue;
            }
            // One by one: a browser that is busy makes one move of several that wait.
            self.answers(vec![mouse("mouseMoved", step, 1)])?;
            // The browser begins at the first move that is far enough, which is the second at the latest.
            let wait = if draggable && step == 2 { BEGIN } else { Duration::ZERO };
            carried = self.tab.carried((Instant::now() + wait).min(self.deadline));
            if let Some(data) = &carried {
                carry("dragEnter", step, data)?;
                carry("dragOver", step, data)?;
            }
        }
        match &carried {
            Some(data) => carry("drop", STEPS, data),
            None => self.answers(vec![mouse("mouseReleased", STEPS, 0)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_or_a_selector() {
        let check = |text: &str, expected: &str| {
            let told = match To::of(text) {
                To::By(x, y) => format!("{x} {y}"),
                To::Element(selector) => format!("at {selector}"),
            };
            assert_eq!(told, expected);
        };
        check("120,0", "120 0");
        check(" -3.5 , 8 ", "-3.5 8");
        check("#basket", "at #basket");
        check("li.a, li.b", "at li.a, li.b");
        check("inf,1", "at inf,1");
    }
}
