//! Delimiter wrappers in words: the strings, and the procedure step by step.

use crate::Wrapper;
use crate::rule::{Class, Delimiters, Left};

/// A delimiter wrapper in words.
pub(super) fn describe(wrapper: &Wrapper, rule: &Delimiters) -> String {
    let names: Vec<&str> = wrapper.record_type.leaves().iter().map(|leaf| leaf.name).collect();
    let extended = if rule.is_pure() { "" } else { ", extended" };
    let levels = wrapper.record_type.levels().join(" > ");
    let mut out = format!("{} wrapper by delimiters{extended}; records: {levels}\n\n", rule.class);
    for (letter, what, text) in [
        ("h", "head", &rule.head),
        ("t", "tail", &rule.tail),
        ("o", "open", &rule.open),
        ("c", "close", &rule.close),
    ] {
        if let Some(text) = text {
            out += &format!("{letter}   {what:<8}{}\n", quote(text));
        }
    }
    for (number, (edges, name)) in rule.fields.iter().zip(&names).enumerate() {
        let optional = if edges.optional { ", may be missing" } else { "" };
        let left: Vec<String> = edges.left.iter().map(|left| left_in_words(left, &names)).collect();
        let right: Vec<String> = edges.right.iter().map(|text| quote(text)).collect();
        out += &format!(
            "l{n}  {name}, before: {}{optional}\nr{n}  {name}, behind: {}\n",
            left.join(" or "),
            right.join(" or "),
            n = number + 1
        );
    }
    out += &format!("\n{}", procedure(rule));
    if let Some(oxpath) = as_oxpath(wrapper, rule) {
        out += &format!("\nOn pages whose tags are well formed, the same as OXPath:\n  {oxpath}\n");
    } else {
        out += "\nThere is no equivalent OXPath: delimiters cut the source of a page, not its tree.\n";
    }
    if !wrapper.evidence.pages.is_empty() {
        let pages: Vec<&str> = wrapper.evidence.pages.iter().map(|page| page.name.as_str()).collect();
        out += &format!("\nLearned from {}.\n", pages.join(", "));
    }
    out
}

/// The OXPath of a wrapper with one attribute whose delimiters are a start tag and the end tag that belongs to it: only then
/// does what they cut have a node of its own.
fn as_oxpath(wrapper: &Wrapper, rule: &Delimiters) -> Option<String> {
    let ([edges], [field]) = (&rule.fields[..], &wrapper.record_type.leaves()[..]) else {
        return None;
    };
    let ([left], [right]) = (&edges.left[..], &edges.right[..]) else {
        return None;
    };
    let plain = rule.is_pure() && rule.class == Class::Lr;
    let tag = left.text.strip_prefix('<')?.strip_suffix('>')?;
    let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
    let is_name = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_end = right.eq_ignore_ascii_case(&format!("</{name}>"));
    if !plain || !is_name(name) || !is_end {
        return None;
    }
    let mut step = name.to_ascii_lowercase();
    if !attributes.is_empty() {
        let (key, value) = attributes.split_once('=')?;
        let value = value.strip_prefix('"')?.strip_suffix('"')?;
        if !is_name(key) || value.contains(['"', '&']) {
            return None;
        }
        step += &format!("[@{}=\"{value}\"]", key.to_ascii_lowercase());
    }
    let record = &wrapper.record_type.name;
    Some(format!("//{step}:<{record}>[.:<{}=string(.)>]", field.name))
}

fn quote(text: &str) -> String {
    if text.is_empty() {
        "(nothing)".to_owned()
    } else {
        format!("{text:?}")
    }
}

fn left_in_words(left: &Left, names: &[&str]) -> String {
    let from = match left.from {
        None => String::new(),
        Some(0) => "at first ".to_owned(),
        Some(from) => format!("after {} ", names.get(from as usize - 1).unwrap_or(&"")),
    };
    let behind: Vec<String> = left
        .skips
        .iter()
        .map(|skip| format!("behind {}, ", quote(skip)))
        .collect();
    format!("{from}{}{}", behind.concat(), quote(&left.text))
}

/// What the wrapper does, step by step.
fn procedure(rule: &Delimiters) -> String {
    let mut steps = Vec::new();
    if rule.loose {
        steps.push("leave out white space beside tags, and make one space or line end of any other".to_owned());
    }
    if let Some(head) = rule.head.as_ref().filter(|head| !head.is_empty()) {
        steps.push(format!("go to the first {}", quote(head)));
    }
    let stop = rule
        .tail
        .as_ref()
        .map(|tail| format!(" and {} does not come first", quote(tail)))
        .unwrap_or_default();
    if rule.is_by_transitions() {
        steps.push(format!(
            "look for the left delimiters that may come at first, then for those that may come after the attribute found \
             last, and take the one that comes first; the value goes up to the next right delimiter of its attribute; go \
             on while one is found{stop}"
        ));
    } else if rule.class.is_nested() {
        steps.push(format!(
            "after a value of level k look for the left delimiters of the levels 1 to k + 1 and take the one that comes \
             first; the value goes up to the next right delimiter of its level; go on while one is found{stop}"
        ));
    } else {
        let begin = match &rule.open {
            Some(open) => format!("while there is {}{stop}, go there", quote(open)),
            None => format!("while there is the left delimiter of the first attribute{stop}"),
        };
        steps.push(format!(
            "{begin}: for each attribute in turn go behind its next left delimiter; the value goes up to its next right one"
        ));
        if let Some(close) = rule.close.as_ref().filter(|close| !close.is_empty()) {
            steps.push(format!("behind each record go to the next {}", quote(close)));
        }
    }
    let lines: Vec<String> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| format!("{}. {step}\n", at + 1))
        .collect();
    lines.concat()
}
