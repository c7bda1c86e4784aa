//! Keys: what the protocol needs for each, by the names of the UI Events standard.

use serde_json::{Value, json};

/// Named keys: the code of the key, its number on Windows, the text it produces.
const NAMED: [(&str, &str, u32, &str); 20] = [
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, ""),
    ("Escape", "Escape", 27, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Insert", "Insert", 45, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    ("Shift", "ShiftLeft", 16, ""),
    ("Control", "ControlLeft", 17, ""),
    ("Alt", "AltLeft", 18, ""),
    ("F5", "F5", 116, ""),
    (" ", "Space", 32, " "),
    ("F1", "F1", 112, ""),
];

/// Other names that people write.
const ALIASES: [(&str, &str); 9] = [
    ("return", "Enter"),
    ("esc", "Escape"),
    ("space", " "),
    ("left", "ArrowLeft"),
    ("up", "ArrowUp"),
    ("right", "ArrowRight"),
    ("down", "ArrowDown"),
    ("del", "Delete"),
    ("\n", "Enter"),
];

/// What to send for pressing a key; none for an unknown name.
pub(super) fn key(name: &str) -> Option<Value> {
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    let name = alias.map_or(name, |(_, name)| name);
    if let Some((key, code, number, text)) = NAMED.iter().find(|(key, ..)| key.eq_ignore_ascii_case(name)) {
        let mut event = json!({ "key": key, "code": code, "windowsVirtualKeyCode": number });
        if !text.is_empty() {
            event["text"] = (*text).into();
        }
        return Some(event);
    }
    let mut letters = name.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return None;
    };
    let mut event = json!({ "key": name, "text": name });
    let upper = letter.to_ascii_uppercase();
    if upper.is_ascii_uppercase() {
        event["code"] = format!("Key{upper}").into();
        event["windowsVirtualKeyCode"] = u32::from(upper).into();
    } else if letter.is_ascii_digit() {
        event["code"] = format!("Digit{letter}").into();
        event["windowsVirtualKeyCode"] = u32::from(letter).into();
    }
    if letter.is_ascii_uppercase() {
        event["modifiers"] = 8.into();
    }
    Some(event)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_names() {
        assert_eq!(key("enter").expect("a key")["code"], "Enter");
        assert_eq!(key("Return").expect("a key")["text"], "\r");
        assert_eq!(key("a").expect("a key")["code"], "KeyA");
        assert_eq!(key("A").expect("a key")["modifiers"], 8);
        assert_eq!(key("é").expect("a key")["text"], "é");
        assert!(key("NoSuchKey").is_none());
    }
}
