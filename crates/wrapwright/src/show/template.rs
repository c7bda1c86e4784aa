//! Templates: infix notation, and the lines of their picture.

use super::inferred_from;
use super::picture::Line;
use crate::Wrapper;
use crate::rule::template::{Mark, Part, PartId, Template, What, infix};

/// A template in words.
pub(super) fn describe(wrapper: &Wrapper, template: &Template) -> String {
    format!(
        "template of {} fields; records: {}\n\n{}\n{}",
        template.fields.iter().filter(|name| !name.is_empty()).count(),
        wrapper.record_type.name,
        infix(template, true),
        inferred_from(wrapper)
    )
}

/// The lines of the tree.
pub(super) fn lines(template: &Template) -> Vec<Line> {
    let mut lines = Vec::new();
    tree(template, 0, 0, &mut lines);
    for rows in template.own_rows() {
        let line = |depth: usize, text: String, field: bool| Line { depth, text, field };
        lines.push(line(
            0,
            format!("rows {}: {}/{}", rows.name, rows.path.join("/"), rows.row),
            false,
        ));
        for field in rows.fields() {
            lines.push(line(1, format!("* {}", template.fields[field as usize]), true));
        }
    }
    lines
}

fn tree(template: &Template, part: PartId, depth: usize, lines: &mut Vec<Line>) {
    let field = |field: &u32| template.fields[*field as usize].as_str();
    let line = |text: String, is_field: bool, lines: &mut Vec<Line>| {
        lines.push(Line {
            depth,
            text,
            field: is_field,
        });
    };
    match &template.parts[part as usize] {
        Part::Basic(None) => line("*".to_owned(), false, lines),
        Part::Basic(Some(id)) => line(format!("* {}", field(id)), true, lines),
        Part::Tuple { strings, parts, .. } => {
            for (number, string) in strings.iter().enumerate() {
                if !string.is_empty() {
                    line(
                        string_text(template, string),
                        string.iter().any(|mark| !mark.attributes.is_empty()),
                        lines,
                    );
                }
                if let Some(part) = parts.get(number) {
                    tree(template, *part, depth + 1, lines);
                }
            }
        }
        Part::Set { name, of, separator } => {
            let with = if separator.is_empty() {
                String::new()
            } else {
                format!(" with {} between", string_text(template, separator))
            };
            line(format!("set {name}{with}"), false, lines);
            tree(template, *of, depth + 1, lines);
        }
        Part::Optional(of) => {
            line("optional".to_owned(), false, lines);
            tree(template, *of, depth + 1, lines);
        }
        Part::Either(parts) | Part::Mixed { parts, .. } => {
            let what = match &template.parts[part as usize] {
                Part::Mixed { rest: Some(rest), .. } => format!("any of these, and text {}", field(rest)),
                Part::Mixed { .. } => "any of these".to_owned(),
                _ => "one of these".to_owned(),
            };
            line(what, false, lines);
            parts.iter().for_each(|part| tree(template, *part, depth + 1, lines));
        }
    }
}

/// A string of a template, its middle left out if it is long.
fn string_text(template: &Template, string: &[Mark]) -> String {
    let text = |mark: &Mark| {
        let tag = &template.paths[mark.path as usize].name;
        match &mark.what {
            What::Start => format!("<{tag}>"),
            What::End => format!("</{tag}>"),
            What::Word(word) => word.clone(),
        }
    };
    let all: Vec<String> = string.iter().map(text).collect();
    match all.len() {
        0..=10 => all.join(" "),
        count => format!("{} … {}", all[..4].join(" "), all[count - 5..].join(" ")),
    }
}
