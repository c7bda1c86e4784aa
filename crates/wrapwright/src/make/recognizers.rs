//! Recognizer files: how the values of each attribute are known, and which mistakes that makes.

use super::read::bytes_of;
use super::{MakeError, Node};
use learn::label::{Mistakes, Recognizer, Scope};
use std::path::Path;

/// How the values of each attribute are known.
#[derive(Debug)]
pub struct Recognizers {
    /// What messages call them: their file.
    pub name: String,
    /// The attributes.
    pub attributes: Vec<Attribute>,
}

/// An attribute and how its values are known.
#[derive(Debug)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// What finds its values.
    pub recognizer: Recognizer,
    /// Which mistakes the recognizer makes.
    pub mistakes: Mistakes,
}

impl Recognizers {
    /// Reads recognizers: `{"attribute": {"use": "date", "mistakes": "none"}, …}`. Files of words are looked for in `dir`.
    ///
    /// # Errors
    ///
    /// They are not of that form, or a file of words cannot be read.
    ///
    /// ```
    /// use std::path::Path;
    /// use wrapwright::make::Recognizers;
    /// let text = r#"{"code": {"regex": "[1-9][0-9]+", "in": "cell", "mistakes": "false-positives"}}"#;
    /// let recognizers = Recognizers::parse("r.json", text, Path::new("."))?;
    /// assert_eq!(recognizers.attributes[0].name, "code");
    /// # Ok::<(), wrapwright::make::MakeError>(())
    /// ```
    pub fn parse(name: impl Into<String>, text: &str, dir: &Path) -> Result<Recognizers, MakeError> {
        let name = name.into();
        match parse(text, dir) {
            Ok(attributes) => Ok(Recognizers { name, attributes }),
            Err(message) => Err(MakeError::Recognizers {
                place: name,
                message,
                advice: None,
            }),
        }
    }

    /// Reads a file of recognizers; files of words are looked for beside it.
    ///
    /// # Errors
    ///
    /// As [`Recognizers::parse`], and when the file cannot be read.
    pub fn open(file: &Path) -> Result<Recognizers, MakeError> {
        let bytes = bytes_of(file, "recognizers")?;
        let dir = file.parent().unwrap_or_else(|| Path::new(""));
        Recognizers::parse(file.display().to_string(), &String::from_utf8_lossy(&bytes), dir)
    }
}

const EXPECTED: &str = "expected {\"attribute\": {\"use\": \"date\", \"mistakes\": \"none\"}, …}";

fn parse(text: &str, dir: &Path) -> Result<Vec<Attribute>, String> {
    let node: Node = serde_json::from_str(text).map_err(|error| format!("not JSON as expected: {error}"))?;
    let Node::Object(pairs) = node else {
        return Err(format!("found no object, {EXPECTED}"));
    };
    if pairs.is_empty() {
        return Err(format!("found no attribute, {EXPECTED}"));
    }
    let mut attributes: Vec<Attribute> = Vec::new();
    for (name, node) in pairs {
        if attributes.iter().any(|known| known.name == name) {
            return Err(format!("found the attribute `{name}` twice"));
        }
        let (recognizer, mistakes) = attribute(&node, dir).map_err(|what| format!("`{name}`: {what}"))?;
        attributes.push(Attribute {
            name,
            recognizer,
            mistakes,
        });
    }
    Ok(attributes)
}

fn attribute(node: &Node, dir: &Path) -> Result<(Recognizer, Mistakes), String> {
    let Node::Object(pairs) = node else {
        return Err(format!("found no object, {EXPECTED}"));
    };
    let known = ["use", "regex", "words", "words-file", "in", "mistakes"];
    if let Some((key, _)) = pairs.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        return Err(format!(
            "found the unknown key `{key}`, expected one of {}",
            known.join(", ")
        ));
    }
    let get = |key: &str| pairs.iter().find(|(name, _)| name == key).map(|(_, node)| node);
    let text = |key: &str| match get(key) {
        None => Ok(None),
        Some(Node::Text(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(format!("found no text for `{key}`")),
    };
    let scope = match text("in")? {
        None | Some("text") => Scope::Text,
        Some("cell") => Scope::Whole,
        Some("source") => Scope::Source,
        Some(other) => return Err(format!("found `in` {other:?}, expected text, cell or source")),
    };
    let mistakes = match text("mistakes")? {
        None => return Err(format!("found no `mistakes`, expected {}", mistake_names())),
        Some(name) => Mistakes::from_name(name)
            .ok_or_else(|| format!("found `mistakes` {name:?}, expected {}", mistake_names()))?,
    };
    let words = match get("words") {
        None => None,
        Some(Node::List(list)) => {
            let words: Option<Vec<&str>> = list
                .iter()
                .map(|node| match node {
                    Node::Text(text) => Some(text.as_str()),
                    _ => None,
                })
                .collect();
            Some(words.ok_or("found something else than texts in `words`")?)
        }
        Some(_) => return Err("found no list for `words`".to_owned()),
    };
    let recognizer = match (text("use")?, text("regex")?, words, text("words-file")?) {
        (Some(_), None, None, None) if get("in").is_some() => {
            return Err("found `in`, which a built-in recognizer decides itself".to_owned());
        }
        (Some(name), None, None, None) => Recognizer::built_in(name),
        (None, Some(pattern), None, None) => Recognizer::regex(pattern, scope),
        (None, None, Some(words), None) => Recognizer::words(words, scope),
        (None, None, None, Some(file)) => {
            let path = dir.join(file);
            let bytes = bytes_of(&path, "a word on each line").map_err(|error| error.to_string())?;
            Recognizer::words(String::from_utf8_lossy(&bytes).lines(), scope)
        }
        _ => return Err("expected exactly one of `use`, `regex`, `words` and `words-file`".to_owned()),
    };
    Ok((recognizer.map_err(|error| error.to_string())?, mistakes))
}

fn mistake_names() -> String {
    Mistakes::ALL.map(Mistakes::name).join(", ")
}
