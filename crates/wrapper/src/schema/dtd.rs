//! Reads a DTD: `ELEMENT` with sequences, choices, `?`, `*`, `+` and `#PCDATA`, and `ATTLIST`.
//!
//! The root is the element that no other element contains. An attribute becomes a member that contains text; the text
//! of an element with attributes becomes a member called `_value`. A group of several elements with a sign of its own,
//! `(a, b)*`, says that they repeat together; since records have names, each of them repeats.

use super::{DEEPEST, LONGEST_NAME, MOST, SchemaError, clip, error, of_document};
use record::{Cardinality, Content, Field, RecordType, VALUE};
use std::collections::{BTreeMap, HashSet};

/// The declarations of a DTD.
#[derive(Default)]
struct Declared {
    /// The content of each element, and the line of its declaration.
    elements: BTreeMap<String, (Vec<Piece>, usize)>,
    attributes: BTreeMap<String, Vec<(String, Cardinality)>>,
    order: Vec<String>,
}

/// A part of a content model.
#[derive(Clone)]
struct Piece {
    name: String,
    times: Cardinality,
    choice: Option<usize>,
}

/// Reads a DTD.
///
/// # Errors
///
/// Something is not understood (the error names the line), or an element is not declared or contains itself.
pub fn from_dtd(text: &str) -> Result<RecordType, SchemaError> {
    let declared = declarations(text)?;
    let held: HashSet<&String> = declared
        .elements
        .values()
        .flat_map(|(pieces, _)| pieces.iter().map(|piece| &piece.name))
        .collect();
    let roots: Vec<&String> = declared.order.iter().filter(|name| !held.contains(name)).collect();
    let root = match roots.as_slice() {
        [root] => (*root).clone(),
        [] if declared.order.is_empty() => {
            return Err(error("line 1", "there is no <!ELEMENT …>, expected at least one"));
        }
        [] => {
            return Err(error(
                "line 1",
                "every element is held by another, so the schema has no end; records cannot be recursive",
            ));
        }
        [first, second, ..] => {
            let line = declared.elements[*second].1;
            let message = format!("`{second}` is held by no element, and neither is `{first}`; expected one root");
            return Err(error(format!("line {line}"), message));
        }
    };
    let content = content(&declared, &root, &mut Vec::new(), &mut 0)?;
    Ok(of_document(root, content))
}

/// The content of an element; `count` is the number of members of the schema so far.
fn content<'d>(
    declared: &'d Declared,
    name: &'d str,
    way: &mut Vec<&'d str>,
    count: &mut usize,
) -> Result<Content, SchemaError> {
    let Some((pieces, line)) = declared.elements.get(name) else {
        let line = way
            .last()
            .and_then(|from| declared.elements.get(*from))
            .map_or(1, |(_, line)| *line);
        return Err(error(
            format!("line {line}"),
            format!("`{name}` is not declared; add <!ELEMENT {name} (#PCDATA)>"),
        ));
    };
    let here = || format!("line {line}");
    if way.contains(&name) {
        let message = format!("`{name}` holds itself; records cannot be recursive");
        return Err(error(here(), message));
    }
    if way.len() >= DEEPEST {
        let message = format!("`{name}` is nested too deeply, expected at most {DEEPEST} levels");
        return Err(error(here(), message));
    }
    // A few declarations may stand for very many members, if several elements contain the same ones.
    let attributes = declared.attributes.get(name).map_or(&[][..], Vec::as_slice);
    *count += 1 + attributes.len();
    if *count > MOST {
        let message = format!("with `{name}` a record has more than {MOST} members");
        return Err(error(here(), message));
    }
    way.push(name);
    let mut members = Vec::new();
    for (attribute, times) in attributes {
        members.push(Field {
            attribute: true,
            ..Field::new(attribute, *times, Content::text())
        });
    }
    for piece in pieces {
        let inner = content(declared, &piece.name, way, count)?;
        members.push(Field {
            choice: piece.choice,
            ..Field::new(&piece.name, piece.times, inner)
        });
    }
    way.pop();
    let mut names = HashSet::new();
    if let Some(twice) = members.iter().find(|member| !names.insert(member.name.as_str())) {
        let twice = &twice.name;
        let message = format!("`{name}` has `{twice}` twice; write {twice}+ or {twice}* for several");
        return Err(error(here(), message));
    }
    if pieces.is_empty() && !members.is_empty() {
        members.push(Field::text(VALUE));
    }
    Ok(match members.is_empty() {
        true => Content::text(),
        false => Content::Record(members),
    })
}

fn declarations(text: &str) -> Result<Declared, SchemaError> {
    let mut declared = Declared::default();
    let mut at = 0;
    // The line of the last place that was asked for; places come in order.
    let (mut counted, mut number) = (0, 1);
    let mut line = |at: usize| {
        number += text[counted..at].matches('\n').count();
        counted = at;
        number
    };
    while let Some(start) = text[at..].find('<').map(|start| at + start) {
        let stray = text[at..start].trim();
        if !stray.is_empty() {
            return Err(error(
                format!("line {}", line(start)),
                format!("found `{}`, expected a declaration", clip(stray)),
            ));
        }
        let number = line(start);
        let here = format!("line {number}");
        if text[start..].starts_with("<!--") {
            let end = text[start..]
                .find("-->")
                .ok_or_else(|| error(&*here, "the comment has no end"))?;
            at = start + end + 3;
            continue;
        }
        let end = text[start..]
            .find('>')
            .ok_or_else(|| error(&*here, "the declaration has no `>`"))?
            + start;
        let body = &text[start..end];
        at = end + 1;
        if let Some(rest) = body.strip_prefix("<!ELEMENT") {
            let rest = rest.trim();
            let (name, _) = rest
                .split_once(|c: char| c.is_whitespace() || c == '(')
                .ok_or_else(|| error(&*here, "an element needs a name and a content"))?;
            check_length(name, &here)?;
            let model = &rest[name.len()..];
            let pieces = pieces(model.trim(), &here)?;
            if declared.elements.insert(name.to_owned(), (pieces, number)).is_some() {
                return Err(error(here, format!("`{name}` is declared twice")));
            }
            declared.order.push(name.to_owned());
        } else if let Some(rest) = body.strip_prefix("<!ATTLIST") {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let [element, attributes @ ..] = words.as_slice() else {
                return Err(error(here, "an attribute list needs the name of an element"));
            };
            for attribute in attributes.chunks(3) {
                let [name, kind, default] = attribute else {
                    return Err(error(
                        here,
                        format!("expected name, type and default of an attribute of `{}`", clip(element)),
                    ));
                };
                check_length(name, &here)?;
                if !matches!(*kind, "CDATA" | "ID" | "NMTOKEN") {
                    let kind = clip(kind);
                    return Err(error(
                        here,
                        format!("the attribute type {kind} is not known here, expected CDATA"),
                    ));
                }
                let times = if *default == "#REQUIRED" {
                    Cardinality::One
                } else {
                    Cardinality::Optional
                };
                declared
                    .attributes
                    .entry((*element).to_owned())
                    .or_default()
                    .push(((*name).to_owned(), times));
            }
        } else {
            let word: String = body.chars().take_while(|c| !c.is_whitespace()).collect();
            return Err(error(
                here,
                format!(
                    "`{}` is not known here, expected <!ELEMENT …> or <!ATTLIST …>",
                    clip(&word)
                ),
            ));
        }
    }
    let rest = text[at..].trim();
    match rest.is_empty() {
        true => Ok(declared),
        false => Err(error(
            format!("line {}", line(text.len())),
            format!("found `{}`, expected a declaration", clip(rest)),
        )),
    }
}

/// Is a name short enough?
fn check_length(name: &str, here: &str) -> Result<(), SchemaError> {
    match name.len() > LONGEST_NAME {
        true => {
            let name = clip(name);
            let message = format!("the name `{name}…` is longer than {LONGEST_NAME} bytes");
            Err(error(here, message))
        }
        false => Ok(()),
    }
}

/// The pieces of a content model.
fn pieces(model: &str, here: &str) -> Result<Vec<Piece>, SchemaError> {
    match model {
        "EMPTY" | "(#PCDATA)" | "( #PCDATA )" => return Ok(Vec::new()),
        "ANY" => {
            return Err(error(
                here,
                "ANY says nothing about a record; name the elements that it holds",
            ));
        }
        _ => {}
    }
    let mut reader = Reader {
        rest: model,
        here,
        choices: 0,
    };
    let pieces = reader.group(0)?;
    match reader.rest.trim() {
        "" => Ok(pieces),
        more => Err(error(here, format!("found `{}` behind the content", clip(more)))),
    }
}

struct Reader<'t> {
    rest: &'t str,
    here: &'t str,
    choices: usize,
}

impl Reader<'_> {
    fn eat(&mut self, sign: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn times(&mut self) -> Cardinality {
        for (sign, times) in [
            ('?', Cardinality::Optional),
            ('*', Cardinality::Many),
            ('+', Cardinality::AtLeastOne),
        ] {
            // A sign belongs to what comes directly before it.
            if let Some(rest) = self.rest.strip_prefix(sign) {
                self.rest = rest;
                return times;
            }
        }
        Cardinality::One
    }

    /// `(a, b?, (c | d)*)`, and the sign after it.
    fn group(&mut self, depth: usize) -> Result<Vec<Piece>, SchemaError> {
        if depth > DEEPEST {
            return Err(error(self.here, "the content is nested too deeply"));
        }
        if !self.eat('(') {
            return Err(error(self.here, format!("found `{}`, expected `(`", clip(self.rest))));
        }
        let mut parts: Vec<Vec<Piece>> = Vec::new();
        let mut separator = None;
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with('(') {
                parts.push(self.group(depth + 1)?);
            } else {
                let end = self
                    .rest
                    .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '#')))
                    .unwrap_or(self.rest.len());
                let name = &self.rest[..end];
                if name == "#PCDATA" {
                    return Err(error(
                        self.here,
                        "text between elements is no record; declare an element for it",
                    ));
                }
                if name.is_empty() {
                    return Err(error(
                        self.here,
                        format!("found `{}`, expected the name of an element", clip(self.rest)),
                    ));
                }
                check_length(name, self.here)?;
                let name = name.to_owned();
                self.rest = &self.rest[end..];
                let times = self.times();
                parts.push(vec![Piece {
                    name,
                    times,
                    choice: None,
                }]);
            }
            let next = [',', '|'].into_iter().find(|sign| self.eat(*sign));
            match (next, separator) {
                (Some(sign), Some(known)) if sign != known => {
                    return Err(error(self.here, "`,` and `|` are mixed; put one of them into brackets"));
                }
                (Some(sign), _) => separator = Some(sign),
                (None, _) if self.eat(')') => break,
                (None, _) => {
                    return Err(error(
                        self.here,
                        format!("found `{}`, expected `,`, `|` or `)`", clip(self.rest)),
                    ));
                }
            }
        }
        let times = self.times();
        let choice = (separator == Some('|')).then(|| {
            self.choices += 1;
            self.choices
        });
        let mut pieces = Vec::new();
        for part in parts {
            for mut piece in part {
                piece.times = both(piece.times, times);
                // In a choice that repeats, each alternative may occur any number of times.
                match (choice, times) {
                    (Some(choice), Cardinality::One) => piece.choice = Some(choice),
                    (Some(_), _) => {
                        piece.times = if times.may_repeat() {
                            Cardinality::Many
                        } else {
                            Cardinality::Optional
                        }
                    }
                    (None, _) => {}
                }
                pieces.push(piece);
            }
        }
        Ok(pieces)
    }
}

/// Combines how often something occurs with how often its group occurs.
fn both(inner: Cardinality, outer: Cardinality) -> Cardinality {
    match (
        inner.may_lack() || outer.may_lack(),
        inner.may_repeat() || outer.may_repeat(),
    ) {
        (false, false) => Cardinality::One,
        (true, false) => Cardinality::Optional,
        (true, true) => Cardinality::Many,
        (false, true) => Cardinality::AtLeastOne,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(content: &Content) -> String {
        if !content.is_record() {
            return String::new();
        }
        let members = content.fields().iter().map(|member| {
            let sign = match member.cardinality {
                Cardinality::One => "",
                Cardinality::Optional => "?",
                Cardinality::Many => "*",
                Cardinality::AtLeastOne => "+",
            };
            let choice = member.choice.map(|choice| format!("|{choice}")).unwrap_or_default();
            format!("{}{}{sign}{choice}", member.name, outline(&member.content))
        });
        format!("({})", members.collect::<Vec<_>>().join(", "))
    }

    /// Figure 3 of the paper.
    #[test]
    fn the_papers_schema() {
        let model = from_dtd(
            "<!ELEMENT VideoList (Video+)>\n<!ELEMENT Video (Name, Director, Actors, Price)>\n<!ELEMENT Name (#PCDATA)>\n\
             <!ELEMENT Director (#PCDATA)>\n<!ELEMENT Actors (#PCDATA)>\n<!ELEMENT Price (VHSPrice, DVDPrice)>\n\
             <!ELEMENT VHSPrice (#PCDATA)>\n<!ELEMENT DVDPrice (#PCDATA)>",
        )
        .expect("a schema");
        assert_eq!(model.name, "Video");
        assert_eq!(model.root, record::XmlRoot::Element("VideoList".to_owned()));
        assert_eq!(
            outline(&model.content),
            "(Name, Director, Actors, Price(VHSPrice, DVDPrice))"
        );
    }

    #[test]
    fn signs_choices_and_attributes() {
        let model = from_dtd("<!-- x --><!ELEMENT a (b?, (c | d)*, (e, f)+, (g|h))><!ATTLIST a id CDATA #REQUIRED lang CDATA #IMPLIED>\
            <!ELEMENT b EMPTY><!ELEMENT c (#PCDATA)><!ELEMENT d (#PCDATA)><!ELEMENT e (#PCDATA)><!ELEMENT f (#PCDATA)><!ELEMENT g (#PCDATA)><!ELEMENT h (#PCDATA)>")
        .expect("a schema");
        assert_eq!(outline(&model.content), "(id, lang?, b?, c*, d*, e+, f+, g|2, h|2)");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let faults = [
            ("", "line 1: there is no <!ELEMENT …>"),
            ("<!ELEMENT a (b)>", "line 1: `b` is not declared"),
            ("<!ELEMENT a (a?)>", "so the schema has no end"),
            (
                "<!ELEMENT r (a)>\n<!ELEMENT a (b)>\n<!ELEMENT b (a?)>",
                "line 2: `a` holds itself",
            ),
            (
                "<!ELEMENT a (#PCDATA)>\n<!ELEMENT b (#PCDATA)>",
                "line 2: `b` is held by no element",
            ),
            ("<!ENTITY x 'y'>", "`<!ENTITY` is not known here"),
            ("<!ELEMENT a ANY>", "ANY says nothing"),
            ("<!ELEMENT a (#PCDATA | b)*>", "text between elements"),
            ("<!ELEMENT a (b, c | d)>", "are mixed"),
            ("<!ELEMENT a (b", "has no `>`"),
            ("<!ELEMENT a (b>", "expected `,`, `|` or `)`"),
            ("<!ELEMENT a>", "needs a name and a content"),
            ("hello", "expected a declaration"),
            ("<!ELEMENT a (#PCDATA)><!ELEMENT a (#PCDATA)>", "declared twice"),
            (
                "<!ELEMENT a (b, c, b)><!ELEMENT b (#PCDATA)><!ELEMENT c (#PCDATA)>",
                "`a` has `b` twice; write b+ or b*",
            ),
        ];
        for (text, said) in faults {
            let found = from_dtd(text).expect_err(text).to_string();
            assert!(found.contains(said), "{text}: {found}");
        }
        let deep = format!("<!ELEMENT a {}b{}>", "(".repeat(100_000), ")".repeat(100_000));
        assert!(from_dtd(&deep).is_err());
    }

    /// On each level two elements that both contain the two of the next level, so the size doubles with each level.
    fn doubling(levels: usize) -> String {
        let mut text = "<!ELEMENT r (a0, b0)>".to_owned();
        for level in 0..levels {
            let next = level + 1;
            text += &format!("<!ELEMENT a{level} (a{next}, b{next})><!ELEMENT b{level} (a{next}, b{next})>");
        }
        text + &format!("<!ELEMENT a{levels} (#PCDATA)><!ELEMENT b{levels} (#PCDATA)>")
    }

    #[test]
    fn what_is_deep_or_large_is_told_apart_from_what_is_recursive() {
        assert!(from_dtd(&doubling(8)).is_ok());
        let found = from_dtd(&doubling(28)).expect_err("too many").to_string();
        assert!(found.contains("more than 10000 members"), "{found}");
        let chain = |levels: usize| {
            let each = (1..levels).map(|level| format!("<!ELEMENT a{level} (a{})>", level + 1));
            each.collect::<String>() + &format!("<!ELEMENT a{levels} (#PCDATA)>")
        };
        assert!(from_dtd(&chain(DEEPEST)).is_ok());
        let found = from_dtd(&chain(DEEPEST + 1)).expect_err("too deep").to_string();
        assert!(
            found.contains("`a33` is nested too deeply, expected at most 32 levels"),
            "{found}"
        );
    }
}
