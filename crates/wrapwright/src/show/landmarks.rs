//! Landmark wrappers: the tree as text.

use super::inferred_from;
use super::picture::Line;
use crate::Wrapper;
use crate::rule::landmark::{Landmark, Landmarks, Part, PartId, Test, What};

/// A landmark wrapper in words.
pub(super) fn describe(wrapper: &Wrapper, rule: &Landmarks) -> String {
    let lines = lines(rule);
    let mut out = format!(
        "landmark wrapper of {} fields; records: {}\n\n",
        rule.fields.iter().filter(|slot| !slot.name.is_empty()).count(),
        wrapper.record_type.name
    );
    for line in &lines {
        out += &format!("{}{}\n", "  ".repeat(line.depth), line.text);
    }
    out + &inferred_from(wrapper)
}

/// The lines of the tree.
pub(super) fn lines(rule: &Landmarks) -> Vec<Line> {
    let mut lines = Vec::new();
    tree(rule, 0, 0, &mut lines);
    let data = rule
        .fields
        .iter()
        .filter_map(|slot| Some((&slot.name, slot.data.as_ref()?)));
    let data: Vec<String> = data.map(|(name, data)| format!("= {name} at {data}")).collect();
    if !data.is_empty() {
        let text = "structured data of the page".to_owned();
        lines.push(Line {
            depth: 0,
            text,
            field: false,
        });
    }
    lines.extend(data.into_iter().map(|text| Line {
        depth: 1,
        text,
        field: true,
    }));
    let labels = rule
        .fields
        .iter()
        .filter_map(|slot| Some((&slot.name, slot.label.as_ref()?)));
    let labels: Vec<String> = labels
        .map(|(name, label)| format!("= {name} {} {}", label.side.name(), label.words.join(" or ")))
        .collect();
    if !labels.is_empty() {
        lines.push(Line {
            depth: 0,
            text: "labels, if nothing was found above".to_owned(),
            field: false,
        });
    }
    lines.extend(labels.into_iter().map(|text| Line {
        depth: 1,
        text,
        field: true,
    }));
    lines
}

fn tree(rule: &Landmarks, part: PartId, depth: usize, lines: &mut Vec<Line>) {
    let mut line = |text: String, field| lines.push(Line { depth, text, field });
    match &rule.parts[part as usize] {
        Part::Nothing => {}
        Part::Field(field) => line(format!("= {}", field_name(rule, *field)), true),
        Part::Unwrap { wrapper, of } => {
            line(format!("perhaps in {}", landmark(wrapper)), false);
            tree(rule, *of, depth, lines);
        }
        Part::Group { field, of } => {
            line(format!("= {}, all of:", field_name(rule, *field)), true);
            tree(rule, *of, depth + 1, lines);
        }
        Part::List {
            name,
            start,
            before,
            each,
        } => {
            tree(rule, *before, depth, lines);
            let records = if name.is_empty() {
                String::new()
            } else {
                format!(", records {name}")
            };
            lines.push(Line {
                depth,
                text: format!("each {}{records}", landmark(start)),
                field: false,
            });
            tree(rule, *each, depth + 1, lines);
        }
        Part::Split { before, marks, failed } => {
            if let Some(field) = failed {
                line(format!("= {}, if this is missing:", field_name(rule, *field)), true);
            }
            tree(rule, *before, depth, lines);
            for mark in marks {
                let attributes: Vec<String> = mark
                    .attributes
                    .iter()
                    .map(|(name, field)| format!("; @{name} = {}", field_name(rule, *field)))
                    .collect();
                let text = format!("{}{}", landmark(&mark.landmark), attributes.concat());
                lines.push(Line {
                    depth,
                    text,
                    field: !mark.attributes.is_empty(),
                });
                tree(rule, mark.inner, depth + 1, lines);
                tree(rule, mark.after, depth, lines);
            }
        }
    }
}

fn field_name(rule: &Landmarks, field: u32) -> String {
    let slot = &rule.fields[field as usize];
    match slot.prefix.is_empty() {
        true => slot.name.clone(),
        false => format!("{} behind {:?}", slot.name, slot.prefix),
    }
}

fn landmark(landmark: &Landmark) -> String {
    let what = match &landmark.what {
        What::Element(name) => format!("<{name}>"),
        What::Text => "text".to_owned(),
        What::Word(word) => format!("{word:?}"),
    };
    let tests: Vec<String> = landmark
        .tests
        .iter()
        .map(test)
        .filter(|text| !text.is_empty())
        .collect();
    if tests.is_empty() {
        what
    } else {
        format!("{what} {}", tests.join(" or "))
    }
}

fn test(test: &Test) -> String {
    let mut words = Vec::new();
    for (name, value) in &test.attributes {
        words.push(
            value
                .as_ref()
                .map_or_else(|| format!("@{name}"), |value| format!("@{name}={value}")),
        );
    }
    if test.plain {
        words.push("without attributes".to_owned());
    }
    if let Some(says) = &test.says {
        words.push(format!("with {says:?}"));
    }
    if let Some((name, value)) = &test.holds {
        words.push(format!("holding @{name}={value}"));
    }
    if let Some(nth) = test.nth {
        words.push(format!("number {nth}"));
    }
    words.join(" ")
}
