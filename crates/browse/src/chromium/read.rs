//! From the text that our script sends to a [`Page`].
//!
//! One string, in pieces with U+007F between them; the first letter of a piece is its kind:
//!
//! | letter | the rest |
//! |---|---|
//! | `n` `u` `e` `j` | the version of the tree, its address, its encoding, whether it has scripts |
//! | `a` | the rank of the element that was acted on last; -1 if it is not there any more |
//! | `i` | a number for the document, and the numbers of its elements in order, as runs: `first,count` |
//! | `<` `s` `m` | an element begins: its name, in HTML, SVG or MathML |
//! | `@` | an attribute of it: `name=value` |
//! | `y` | the names of all styles, if all were asked for |
//! | `^` | a style of it, in the order in which they were asked for, or in that of `y` |
//! | `h` | it is not visible |
//! | `=` `c` `o` | the value of a field that differs from the markup: text, checked, the ranks of selected options |
//! | `>` | an element ends |
//! | `'` `!` `D` | text, a comment, the document type |
//! | `#` | in a message with fields only: the rank of the element that the next piece belongs to |
//! | `N` `B` | there were more nodes or bytes than allowed |
//!
//! A hostile page can at most cause a strange page here: the builder makes a tree of any sequence of pieces.

use page::driver::{Field, Fields};
use page::{Builder, Doctype, LimitError, Limits, Namespace, NodeId, Page};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A page as sent by its browser.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) page: Page,
    pub(super) fields: Fields,
    pub(super) url: String,
    pub(super) version: u64,
    /// Are there scripts that can change it?
    pub(super) scripted: bool,
    /// The element that was acted on last; none inside if it is gone.
    pub(super) acted: Option<Option<NodeId>>,
    /// A number for each element, which it keeps in later copies.
    pub(super) elements: Option<Arc<[u64]>>,
}

/// Reads a page.
pub(super) fn page(told: &str, styles: &[String], limits: Limits) -> Result<Told, LimitError> {
    match told {
        "N" => return Err(LimitError::Nodes(limits.nodes)),
        "B" => return Err(LimitError::Bytes(limits.bytes)),
        _ => {}
    }
    let mut builder = Builder::new(limits);
    let mut fields = Values::default();
    let (mut url, mut version, mut scripted, mut acted, mut runs) = (String::new(), 0, true, None, "");
    // Those that were asked for or, if all were, those that there are.
    let mut styles = Cow::Borrowed(styles);
    let mut next_style = 0;
    let mut element = NodeId::DOCUMENT;
    builder.all_seen();
    for piece in told.split('\x7F') {
        let mut letters = piece.chars();
        let Some(kind) = letters.next() else { continue };
        let rest = letters.as_str();
        match kind {
            '<' | 's' | 'm' => {
                let namespace = match kind {
                    's' => Namespace::Svg,
                    'm' => Namespace::MathMl,
                    _ => Namespace::Html,
                };
                element = builder.open(rest, namespace)?;
                next_style = 0;
            }
            '>' => builder.close(),
            '\'' => builder.text(rest)?,
            '@' => {
                // A name may begin with an equals sign, so the separator is never the first character.
                let at = rest.char_indices().skip(1).find(|(_, c)| *c == '=').map(|(at, _)| at);
                if let Some(at) = at {
                    builder.attribute(&rest[..at], &rest[at + 1..])?;
                }
            }
            '^' => {
                if let Some(name) = styles.get(next_style)
                    && !rest.is_empty()
                {
                    builder.style(name, length(rest))?;
                }
                next_style += 1;
            }
            'h' => builder.hidden(),
            '=' | 'c' | 'o' => fields.add(element, kind, rest),
            '!' => builder.comment(rest)?,
            'D' => {
                let mut parts = rest.split('\n').map(str::to_owned);
                builder.doctype(Doctype {
                    name: parts.next().unwrap_or_default(),
                    public_id: parts.next().unwrap_or_default(),
                    system_id: parts.next().unwrap_or_default(),
                });
            }
            'y' => styles = rest.split(',').map(str::to_owned).collect(),
            'u' => url = rest.to_owned(),
            'n' => version = rest.parse().unwrap_or(0),
            'j' => scripted = rest != "0",
            'a' => acted = Some(rest.parse::<usize>().ok()),
            'i' => runs = rest,
            _ => {}
        }
    }
    let page = builder.finish();
    let fields = fields.on(&page);
    let acted = acted.map(|rank| rank.and_then(|rank| page.elements().get(rank).copied()));
    let elements = numbers(runs, page.elements().len());
    Ok(Told {
        acted,
        elements,
        page,
        fields,
        url,
        version,
        scripted,
    })
}

/// The numbers of `count` elements; none if there are more or fewer.
fn numbers(runs: &str, count: usize) -> Option<Arc<[u64]>> {
    let mut runs = runs.split(';');
    let document: u32 = runs.next()?.parse().ok()?;
    let mut numbers = Vec::with_capacity(count);
    for run in runs {
        let (first, length) = run.split_once(',')?;
        let (first, length): (u32, usize) = (first.parse().ok()?, length.parse().ok()?);
        if length > count - numbers.len() {
            return None;
        }
        numbers.extend((0..length as u64).map(|at| (u64::from(document) << 32) + u64::from(first) + at));
    }
    (numbers.len() == count).then(|| numbers.into())
}

/// A length in pixels becomes a number, so that it can be compared with numbers.
fn length(value: &str) -> &str {
    match value.strip_suffix("px") {
        Some(number) if number.parse::<f64>().is_ok() => number,
        _ => value,
    }
}

/// Reads the fields of a page, sent without the tree.
pub(super) fn fields(told: &str, page: &Page) -> Fields {
    let mut fields = Values::default();
    let mut element = None;
    for piece in told.split('\x7F') {
        let mut letters = piece.chars();
        match (letters.next(), letters.as_str(), element) {
            (Some('#'), rank, _) => {
                let rank: Option<usize> = rank.parse().ok();
                element = rank.and_then(|rank| page.elements().get(rank)).copied();
            }
            (Some(kind), rest, Some(element)) => fields.add(element, kind, rest),
            _ => {}
        }
    }
    fields.on(page)
}

#[derive(Default)]
struct Values {
    found: BTreeMap<NodeId, Field>,
    chosen: Vec<(NodeId, Vec<usize>)>,
}

impl Values {
    fn add(&mut self, element: NodeId, kind: char, rest: &str) {
        match kind {
            '=' => {
                self.found.insert(element, Field::Text(rest.to_owned()));
            }
            'c' => {
                self.found.insert(element, Field::Checked(rest == "1"));
            }
            'o' => {
                let ranks = rest.split(',').filter_map(|rank| rank.parse().ok()).collect();
                self.chosen.push((element, ranks));
            }
            _ => {}
        }
    }

    fn on(mut self, page: &Page) -> Fields {
        for (select, ranks) in self.chosen {
            let options = page.options(select);
            let chosen = ranks.iter().filter_map(|rank| options.get(*rank)).copied().collect();
            self.found.insert(select, Field::Selected(chosen));
        }
        Fields(self.found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pieces: &[&str], styles: &[&str]) -> Told {
        let styles: Vec<String> = styles.iter().map(|style| (*style).to_owned()).collect();
        page(&pieces.join("\x7F"), &styles, Limits::default()).expect("a page")
    }

    #[test]
    fn elements_have_their_numbers() {
        let document = 5 << 32;
        assert_eq!(
            numbers("5;1,2;7,1", 3).as_deref(),
            Some(&[document + 1, document + 2, document + 7][..])
        );
        for strange in [
            "",
            "5",
            "5;1",
            "x;1,3",
            "5;1,2",
            "5;1,4",
            "5;1,99999999999",
            "5;-1,3",
            "5;1,3;1,1",
        ] {
            assert_eq!(numbers(strange, 3), None, "{strange}");
        }
    }

    #[test]
    fn a_page_is_what_was_told() {
        let told = told(
            &[
                "n3",
                "uhttp://a/",
                "j0",
                "Dhtml\n\n",
                "<p",
                "@class=a=b",
                "@=x=1",
                "'one ",
                "'two",
                "srect",
                ">",
                "!c",
                ">",
            ],
            &[],
        );
        assert_eq!(
            (told.version, told.url.as_str(), told.scripted),
            (3, "http://a/", false)
        );
        let html = told.page.to_html(NodeId::DOCUMENT);
        assert_eq!(
            html,
            "<!DOCTYPE html><p class=\"a=b\" =x=\"1\">one two<rect></rect><!--c--></p>"
        );
    }

    #[test]
    fn styles_and_fields_are_told() {
        let styles = ["color", "font-size", "no-such"];
        let pieces = [
            "<select",
            "^rgb(1, 2, 3)",
            "^16px",
            "^",
            "h",
            "o1",
            "<option",
            "^x",
            "^y",
            "^",
            ">",
            "<option",
            ">",
            ">",
        ];
        let told = told(&pieces, &styles);
        let select = told.page.elements()[0];
        let style = |name: &str| {
            let style = told.page.style(select, told.page.name_id(name)?)?;
            Some(told.page.string_value(style))
        };
        assert_eq!(style("color"), Some("rgb(1, 2, 3)"));
        assert_eq!(style("font-size"), Some("16"));
        assert_eq!(style("no-such"), None);
        assert_eq!(told.page.is_hidden(select), Some(true));
        let second = told.page.elements()[2];
        assert_eq!(told.fields.0[&select], Field::Selected(vec![second]));
        let again = fields("#0\x7Fo0\x7F#9\x7F=x", &told.page);
        assert_eq!(again.0[&select], Field::Selected(vec![told.page.elements()[1]]));
    }

    #[test]
    fn all_styles_are_told_with_their_names() {
        let told = told(&["ycolor,width", "<p", "^red", "^5px", ">"], &["*"]);
        let p = told.page.elements()[0];
        let style = |name: &str| {
            let style = told.page.style(p, told.page.name_id(name)?)?;
            Some(told.page.string_value(style))
        };
        assert_eq!(
            (style("color"), style("width"), style("*")),
            (Some("red"), Some("5"), None)
        );
    }

    #[test]
    fn nonsense_is_a_page_too() {
        for nonsense in [
            "",
            "\x7F\x7F",
            "@a=b\x7F^x\x7Fh\x7F>\x7F>\x7F=x\x7Fo9",
            "zzz\x7F'\x7F<\x7F#",
        ] {
            let told = page(nonsense, &[], Limits::default()).expect("a page");
            assert!(told.page.len() < 10);
        }
        assert_eq!(
            page("N", &[], Limits::default()).err(),
            Some(LimitError::Nodes(16_000_000))
        );
    }
}
