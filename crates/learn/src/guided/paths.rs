//! Paths to a node: all the ways in which a person might write one, with an estimate of how likely each is to last.
//!
//! What a path depends on determines how long it lasts. An `id` or `itemprop` exists to be referred to. A label beside
//! the value (`Director:`) is what readers go by, so it stays while rows move. A class says what an element is, if it
//! is the only class. A position only says where an element happened to be, and every position in a path is a chance to
//! be wrong. So each path has a *trust*, the chance that it is right on another page: the product of the weights of
//! what it depends on (see [`trust`]). Examples decide first; trust decides among the paths that fit them all.

mod words;

pub use self::words::caption;
use self::words::{by_caption, by_label, by_own_words};
pub(super) use self::words::{is_called, is_colon};
use super::trust::{self, Trust};
use page::{Kind, NodeId, Page, vocabulary};
use std::collections::HashSet;

/// A path that leads to a node, and its trust.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    pub(crate) text: String,
    pub(crate) trust: Trust,
    pub(crate) leans: Leans,
    pub(crate) tells: Tells,
}

/// Does what a path depends on tell by itself which field it is?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tells {
    /// No: a position, or words that are far away.
    No,
    /// If another page has it, too: words right before the value.
    IfConfirmed,
    /// Yes: a name, a class or a label.
    Yes,
}

impl Tells {
    fn if_so(tells: bool) -> Tells {
        if tells { Tells::Yes } else { Tells::No }
    }
}

/// What a path depends on most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Leans {
    Name,
    Label,
    Class,
    Position,
}

/// What is known about a field besides the places of its values.
#[derive(Clone, Copy)]
pub(crate) struct Hints<'h> {
    /// Texts that are values, of this field or another one, and so not labels.
    pub(crate) values: &'h HashSet<String>,
    /// What the field is called. People often call it as the page does.
    pub(crate) name: &'h str,
    /// What is before and after its values, within their texts, wherever they are known.
    pub(crate) shared: Option<&'h (String, String)>,
    /// Where the values of other fields are, in order; none if that is not known.
    pub(crate) others: &'h [NodeId],
}

impl Hints<'_> {
    /// Does a text say a value of the example, alone or among other words? Then it is no label: another page says another value.
    pub(crate) fn says_value(&self, words: &str) -> bool {
        // Two texts may be side by side without a space: `by AcmePrice:`.
        let edge = |before: Option<char>, after: Option<char>| {
            let is_letter = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
            let is_seam = before.is_some_and(char::is_lowercase) && after.is_some_and(char::is_uppercase);
            !is_letter(before) || !is_letter(after) || is_seam
        };
        let inside = |value: &String| {
            let letters = value.chars().filter(|letter| letter.is_alphanumeric()).count();
            letters >= LEAST_VALUE
                && words.match_indices(value.as_str()).any(|(at, _)| {
                    let (before, after) = (&words[..at], &words[at + value.len()..]);
                    edge(before.chars().next_back(), value.chars().next())
                        && edge(value.chars().next_back(), after.chars().next())
                })
        };
        self.values.contains(words) || (self.values.len() <= MOST_VALUES && self.values.iter().any(inside))
    }
}

/// A value with fewer letters and digits may be inside of other words by chance.
const LEAST_VALUE: usize = 4;
/// With more values than this, words are only held against whole ones.
const MOST_VALUES: usize = 100;

/// How far above a node a path may begin.
const REACH: usize = 8;
/// How many labels are considered, the nearest first.
const LABELS: usize = 4;
/// The longest label, in characters.
const LONGEST_LABEL: usize = 60;

/// A mark at most this many steps above a node tells what the node is.
const NEAR: usize = 2;
/// With fewer rows than this, it may be chance that they look alike.
const LEAST_ROWS: usize = 3;

/// A string as an XPath literal.
pub(crate) fn literal(text: &str) -> String {
    if !text.contains('"') {
        return format!("\"{text}\"");
    }
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    let pieces: Vec<String> = text.split('"').map(|piece| format!("\"{piece}\"")).collect();
    format!("concat({})", pieces.join(", '\"', "))
}

/// An expression for the text of a node with each run of white space replaced by one space. XPath knows only the white
/// space of XML; pages also have spaces that do not break.
pub(crate) fn spaced(text: &str) -> String {
    let mut other: Vec<char> = text.chars().filter(|c| c.is_whitespace() && !c.is_ascii()).collect();
    other.sort_unstable();
    other.dedup();
    match other.is_empty() {
        true => "normalize-space(.)".to_owned(),
        false => {
            let (from, to) = (String::from_iter(&other), " ".repeat(other.len()));
            format!("normalize-space(translate(., \"{from}\", \"{to}\"))")
        }
    }
}

/// What can identify an element: a step with a predicate, its trust, and what it depends on. What says how the field is called
/// is more likely to be about it.
fn marks(page: &Page, element: NodeId, field: &str) -> Vec<(String, Trust, Leans)> {
    let tag = page.name(element);
    let mut marks = Vec::new();
    let called = |text: &str, weight: Trust| match is_called(text, field) {
        true => weight * trust::CALLED_MARK,
        false => weight,
    };
    let telling = |text: &str| !text.is_empty() && text.len() <= 80 && !text.chars().any(|c| c.is_ascii_digit());
    for (name, weight) in trust::NAMES {
        if let Some(text) = page
            .attribute_value(element, name)
            .filter(|text| !text.is_empty() && text.len() <= 80)
        {
            // A number in an id is often that of the record.
            let weight = if telling(text) {
                weight
            } else {
                weight * trust::NUMBERED_NAME
            };
            marks.push((
                format!("{tag}[@{name}={}]", literal(text)),
                called(text, weight),
                Leans::Name,
            ));
        }
    }
    // Which of the choices of a form was made is not a matter of position.
    if tag == "option" && page.attribute_value(element, "selected").is_some() {
        marks.push(("option[@selected]".to_owned(), trust::SELECTED, Leans::Name));
    }
    if let Some(class) = page.attribute_value(element, "class") {
        let tokens: Vec<&str> = class.split_whitespace().collect();
        if !tokens.is_empty() && class.len() <= 120 {
            let weight = if telling(class) {
                trust::CLASS
            } else {
                trust::NUMBERED_CLASS
            };
            marks.push((
                format!("{tag}[@class={}]", literal(class)),
                called(class, weight),
                Leans::Class,
            ));
        }
        if tokens.len() > 1 {
            for token in tokens.iter().take(4).filter(|token| telling(token)) {
                let has = format!(
                    "contains(concat(\" \", normalize-space(@class), \" \"), {})",
                    literal(&format!(" {token} "))
                );
                marks.push((format!("{tag}[{has}]"), called(token, trust::ONE_CLASS), Leans::Class));
            }
        }
    }
    marks
}

/// The step to a node from its parent, with its position among nodes like it if there are several.
fn step(page: &Page, node: NodeId) -> (String, bool) {
    let name = match page.kind(node) {
        Kind::Attribute => return (format!("@{}", page.name(node)), false),
        Kind::Text => "text()".to_owned(),
        _ => page.name(node).to_owned(),
    };
    let Some(parent) = page.parent(node) else {
        return (name, false);
    };
    let alike = |other: &NodeId| page.kind(*other) == page.kind(node) && page.name_of(*other) == page.name_of(node);
    let siblings: Vec<NodeId> = page.children(parent).filter(alike).collect();
    match siblings.len() {
        0 | 1 => (name, false),
        _ => {
            let at = siblings.iter().position(|other| *other == node).unwrap_or(0) + 1;
            (format!("{name}[{at}]"), true)
        }
    }
}

/// The nodes from below `from` down to `to`.
pub(crate) fn chain(page: &Page, from: NodeId, to: NodeId) -> Vec<NodeId> {
    let mut chain = vec![to];
    for up in page.ancestors(to) {
        if up == from {
            chain.reverse();
            return chain;
        }
        chain.push(up);
    }
    chain.reverse();
    chain
}

/// The steps down a chain, each with its position where it needs one, their trust, and whether one has a position.
fn descend(page: &Page, chain: &[NodeId]) -> (String, Trust, bool) {
    let (mut all, mut any) = (Trust::FULL, false);
    let steps = chain.iter().map(|node| {
        let (step, placed) = step(page, *node);
        all = all * if placed { trust::PLACED_STEP } else { trust::ONLY_STEP };
        any |= placed;
        step
    });
    let steps: Vec<String> = steps.collect();
    (steps.join("/"), all, any)
}

/// The same without positions.
fn descend_anyhow(page: &Page, chain: &[NodeId]) -> String {
    let steps = chain.iter().map(|node| match page.kind(*node) {
        Kind::Attribute => format!("@{}", page.name(*node)),
        Kind::Text => "text()".to_owned(),
        _ => page.name(*node).to_owned(),
    });
    steps.collect::<Vec<_>>().join("/")
}

/// The element itself, or the element of a text or attribute.
pub(crate) fn owner(page: &Page, node: NodeId) -> NodeId {
    match page.is_element(node) {
        true => node,
        false => page.parent(node).unwrap_or(node),
    }
}

/// Paths from a context to a node.
pub(crate) fn to_one(page: &Page, context: NodeId, target: NodeId, hints: Hints<'_>) -> Vec<Path> {
    let mut paths = Vec::new();
    let root = if context == NodeId::DOCUMENT { "/" } else { "./" };
    let down = chain(page, context, target);
    // From each element on the way that can be identified.
    for (at, up) in down
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, up)| page.is_element(**up))
        .take(REACH)
    {
        let (rest, rest_trust, placed) = descend(page, &down[at + 1..]);
        let plain = descend_anyhow(page, &down[at + 1..]);
        // What is far above says little.
        let near = down.len() - at <= NEAR + 1;
        for (mark, weight, leans) in marks(page, *up, hints.name) {
            let begin = format!("{root}/{mark}");
            if rest.is_empty() {
                paths.push(Path {
                    text: begin,
                    trust: weight,
                    leans,
                    tells: Tells::Yes,
                });
                continue;
            }
            paths.push(Path {
                text: format!("{begin}/{rest}"),
                trust: weight * rest_trust,
                leans,
                tells: Tells::if_so(!placed && near),
            });
            if plain != rest {
                paths.push(Path {
                    text: format!("{begin}/{plain}"),
                    trust: weight * trust::UNPLACED,
                    leans,
                    tells: Tells::if_so(near),
                });
            }
            // The last step, at any depth below.
            if let Some(last) = down[at + 1..].last() {
                for (mark, more, leans) in marks(page, *last, hints.name) {
                    paths.push(Path {
                        text: format!("{begin}//{mark}"),
                        trust: weight * more,
                        leans,
                        tells: Tells::Yes,
                    });
                }
            }
        }
    }
    // By position alone.
    let (all, steps, _) = descend(page, &down);
    let begin = if context == NodeId::DOCUMENT { "/" } else { "" };
    paths.push(Path {
        text: format!("{begin}{all}"),
        trust: steps * trust::PLACE_ALONE,
        leans: Leans::Position,
        tells: Tells::No,
    });
    let end = owner(page, target);
    let tail = if end == target {
        String::new()
    } else {
        format!("/{}", step(page, target).0)
    };
    if vocabulary::is_telling(page.name(end)) {
        paths.push(Path {
            text: format!("{root}/{}{tail}", page.name(end)),
            trust: trust::TELLING_TAG,
            leans: Leans::Class,
            tells: Tells::Yes,
        });
    } else if context != NodeId::DOCUMENT && end != context && is_only(page, context, end) {
        // The only one of its name in a record may be in a link in some records and not in others.
        paths.push(Path {
            text: format!("{root}/{}{tail}", page.name(end)),
            trust: trust::BARE_TAG,
            // Another record may have another one, so it is no way out where something else finds nothing.
            leans: Leans::Position,
            tells: Tells::No,
        });
    }
    by_own_words(page, target, root, hints, &mut paths);
    by_label(page, context, target, hints, &mut paths);
    by_caption(page, context, target, hints, &mut paths);
    by_heading(page, context, &down, hints, &mut paths);
    paths
}

/// Is it the only element of its name in a record?
fn is_only(page: &Page, context: NodeId, element: NodeId) -> bool {
    let Some(name) = page.name_id(page.name(element)) else {
        return false;
    };
    let all = page.elements_named(name);
    let first = all.partition_point(|node| *node < context);
    let inside = all[first..].iter().take_while(|node| **node < page.end(context));
    inside.take(2).count() == 1
}

/// The first rows of the sections of a table, from one of its cells.
pub(super) const FIRST_ROWS: &str = "ancestor::table[1]/*/tr[1]/";

/// A path by position to a cell of a row that leads nowhere in rows with more or fewer cells: a heading that was only renamed leaves its column where it
/// was, a column that was put in does not.
pub(super) fn in_such_a_row(page: &Page, row: NodeId, path: &str) -> String {
    let (cell, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
    let is_cell = page.name(row) == "tr" && (cell.starts_with("td") || cell.starts_with("th"));
    // A cell that is known by a name is that cell in any row.
    if !is_cell || cell.contains('"') {
        return path.to_owned();
    }
    let cells = page.children(row).filter(|cell| page.is_element(*cell)).count();
    format!("{cell}[count(../*)={cells}]{rest}")
}

/// The path to what is in a cell of a row by the heading of its column, so that it is found where a table has more columns.
fn by_heading(page: &Page, context: NodeId, down: &[NodeId], hints: Hints<'_>, paths: &mut Vec<Path>) {
    let Some((cell, rest)) = down.split_first().filter(|_| page.name(context) == "tr") else {
        return;
    };
    let cells = |row: NodeId| page.children(row).filter(|cell| page.is_element(*cell));
    let Some(column) = cells(context).position(|other| other == *cell) else {
        return;
    };
    let Some(table) = page.ancestors(context).find(|up| page.name(*up) == "table") else {
        return;
    };
    let sections = page.children(table).filter(|section| page.is_element(*section));
    let rows = sections.filter_map(|section| page.children(section).find(|row| page.name(*row) == "tr"));
    let Some(row) = rows.take_while(|row| *row < context).last() else {
        return;
    };
    let words: Vec<String> = cells(row).map(|cell| wrapper::rule::paths::value(page, cell)).collect();
    let Some((heading, words, others)) = cells(row).nth(column).zip(words.get(column)).map(|(cell, own)| {
        let others = words.iter().filter(|other| *other == own).count();
        (cell, own, others)
    }) else {
        return;
    };
    let is_name = words.chars().any(char::is_alphabetic) && words.chars().count() <= LONGEST_LABEL;
    if !is_name || others > 1 || hints.says_value(words) {
        return;
    }
    let text = spaced(page.string_value(heading));
    let head = format!("{FIRST_ROWS}*[{text}={}]", literal(words));
    let tag = page.name(*cell);
    let (rest, rest_trust, _) = descend(page, rest);
    let rest = if rest.is_empty() { rest } else { format!("/{rest}") };
    paths.push(Path {
        text: format!("{tag}[{head}][count(preceding-sibling::*)=count(({head})[1]/preceding-sibling::*)]{rest}"),
        trust: trust::COLUMN_HEADING * rest_trust,
        leans: Leans::Label,
        // A page without this heading may have the column all the same (`in_such_a_row`).
        tells: Tells::No,
    });
}

/// Paths from a node to another that is not below it: a neighbour, or a heading above.
pub(crate) fn beside(page: &Page, context: NodeId, target: NodeId) -> Vec<Path> {
    let mut paths = Vec::new();
    let end = owner(page, target);
    let tail = if end == target {
        String::new()
    } else {
        format!("/{}", step(page, target).0)
    };
    let behind = target > context;
    let axis = if behind { "following" } else { "preceding" };
    // The next one of its kind.
    let mut kinds = marks(page, end, "");
    kinds.push((page.name(end).to_owned(), trust::NEXT_OF_TAG, Leans::Position));
    for (mark, weight, leans) in kinds {
        paths.push(Path {
            text: format!("{axis}::{mark}[1]{tail}"),
            trust: weight * trust::NEXT_ANYWHERE,
            leans,
            tells: Tells::No,
        });
        paths.push(Path {
            text: format!("{axis}-sibling::{mark}[1]{tail}"),
            trust: weight * trust::NEXT_SIBLING,
            leans,
            tells: Tells::if_so(leans != Leans::Position),
        });
    }
    if page.kind(target) == Kind::Text {
        paths.push(Path {
            text: format!("{axis}::text()[normalize-space()][1]"),
            trust: trust::NEXT_OF_TAG,
            leans: Leans::Position,
            tells: Tells::No,
        });
    }
    // Up to the element that contains both, along its children, and down again.
    let above: HashSet<NodeId> = page.ancestors(target).collect();
    let Some(common) = page.ancestors(context).find(|up| above.contains(up)) else {
        return paths;
    };
    let (up, down) = (chain(page, common, context), chain(page, common, target));
    let (Some(&from), Some(&side)) = (up.first(), down.first()) else {
        return paths;
    };
    let name = match page.kind(side) {
        Kind::Text => "text()[normalize-space()]".to_owned(),
        Kind::Attribute => {
            let (rest, steps, _) = descend(page, &down);
            paths.push(Path {
                text: format!("{}/{rest}", vec![".."; up.len()].join("/")),
                trust: trust::ATTRIBUTE_ABOVE * steps,
                leans: Leans::Position,
                tells: Tells::No,
            });
            return paths;
        }
        _ => page.name(side).to_owned(),
    };
    let alike = |node: &NodeId| {
        let blank = page.kind(*node) == Kind::Text && page.string_value(*node).trim().is_empty();
        page.kind(*node) == page.kind(side) && page.name_of(*node) == page.name_of(side) && !blank
    };
    let (low, high) = if behind { (from, side) } else { (side, from) };
    let between = page
        .children(common)
        .filter(|node| *node >= low && *node <= high && *node != from)
        .filter(alike)
        .count();
    if between == 0 {
        return paths;
    }
    let (rest, steps, _) = descend(page, &down[1..]);
    let rest = if rest.is_empty() { rest } else { format!("/{rest}") };
    let lift = if up.len() > 1 {
        format!("{}/", vec![".."; up.len() - 1].join("/"))
    } else {
        String::new()
    };
    let aside = if between == 1 {
        trust::FIRST_BESIDE
    } else {
        trust::LATER_BESIDE
    };
    paths.push(Path {
        text: format!("{lift}{axis}-sibling::{name}[{between}]{rest}"),
        trust: steps * aside,
        leans: Leans::Position,
        tells: Tells::No,
    });
    paths
}

/// Paths from a context to a set of nodes in document order: those to the first and the last, without what differs.
pub(crate) fn to_many(page: &Page, context: NodeId, targets: &[NodeId], hints: Hints<'_>) -> Vec<Path> {
    let (Some(&first), Some(&last)) = (targets.first(), targets.last()) else {
        return Vec::new();
    };
    let root = if context == NodeId::DOCUMENT { "/" } else { "./" };
    if first == last {
        let mut paths = to_one(page, context, first, hints);
        // Other pages may have more of them.
        for path in &mut paths {
            path.trust = path.trust * trust::LIST_OF_ONE;
        }
        return paths;
    }
    let mut paths = Vec::new();
    let (one, other) = (chain(page, context, first), chain(page, context, last));
    let shared = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let below = descend_anyhow(page, &one[shared..]);
    let end = owner(page, first);
    let tail = if end == first {
        String::new()
    } else {
        format!("/{}", descend_anyhow(page, &[first]))
    };
    // By their own marks, anywhere or below something.
    let mut marked: Vec<(String, Trust, Leans)> = marks(page, end, hints.name)
        .into_iter()
        .map(|(m, t, l)| (format!("{m}{tail}"), t, l))
        .collect();
    marked.push((format!("{}{tail}", page.name(end)), trust::BARE_TAG, Leans::Class));
    for (mark, weight, leans) in &marked {
        paths.push(Path {
            text: format!("{root}/{mark}"),
            trust: *weight * trust::ITEM_ANYWHERE,
            leans: *leans,
            tells: Tells::Yes,
        });
    }
    // Records that are not equally deep have the last steps in common.
    if let Some(parent) = page.parent(end).filter(|_| one.len() != other.len()) {
        paths.push(Path {
            text: format!("{root}/{}/{}{tail}", page.name(parent), page.name(end)),
            trust: trust::BARE_TAG * trust::ITEM_ANYWHERE,
            leans: Leans::Class,
            tells: Tells::Yes,
        });
    }
    for (at, up) in one[..shared]
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, up)| page.is_element(**up))
        .take(REACH)
    {
        let (middle, middle_trust, placed) = descend(page, &one[at + 1..shared]);
        let rest = if middle.is_empty() {
            below.clone()
        } else {
            format!("{middle}/{below}")
        };
        let plain = descend_anyhow(page, &one[at + 1..]);
        for (mark, weight, leans) in marks(page, *up, hints.name) {
            paths.push(Path {
                text: format!("{root}/{mark}/{rest}"),
                trust: weight * middle_trust,
                leans,
                tells: Tells::if_so(!placed),
            });
            if plain != rest {
                paths.push(Path {
                    text: format!("{root}/{mark}/{plain}"),
                    trust: weight * trust::UNPLACED_LIST,
                    leans,
                    tells: Tells::Yes,
                });
            }
            for (last, more, _) in &marked {
                paths.push(Path {
                    text: format!("{root}/{mark}//{last}"),
                    trust: weight * *more,
                    leans,
                    tells: Tells::Yes,
                });
            }
        }
    }
    // With positions where first and last agree on them, as in columns of a table.
    let mut placed_trust = trust::LIST_BY_PLACE;
    let steps: Vec<String> = one
        .iter()
        .enumerate()
        .map(|(at, node)| {
            let same_place = other
                .get(at)
                .is_some_and(|there| step(page, *there) == step(page, *node));
            let (text, placed) = step(page, *node);
            match same_place {
                true => {
                    placed_trust = placed_trust * if placed { trust::PLACED_STEP } else { trust::ONLY_STEP };
                    text
                }
                false => descend_anyhow(page, &[*node]),
            }
        })
        .collect();
    let begin = if context == NodeId::DOCUMENT { "/" } else { "" };
    paths.push(Path {
        text: format!("{begin}{}", steps.join("/")),
        trust: placed_trust,
        leans: Leans::Position,
        tells: Tells::No,
    });
    for (at, up) in one[..shared]
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, up)| page.is_element(**up))
        .take(REACH)
    {
        for (mark, more, leans) in marks(page, *up, hints.name) {
            paths.push(Path {
                text: format!("{root}/{mark}/{}", steps[at + 1..].join("/")),
                trust: more * trust::SHARED_PLACES,
                leans,
                tells: Tells::No,
            });
        }
    }
    // Below a heading.
    if let Some(&common) = one[..shared].last().filter(|common| page.is_element(**common)) {
        let mut headed = Vec::new();
        by_label(page, context, common, hints, &mut headed);
        let inside = descend_anyhow(page, &one[shared..]);
        for path in headed {
            paths.push(Path {
                text: format!("{}/{inside}", path.text),
                trust: path.trust * trust::BELOW_HEADING,
                leans: Leans::Label,
                tells: path.tells,
            });
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxpath::{Query, Value};
    use std::sync::LazyLock;

    static EMPTY: LazyLock<HashSet<String>> = LazyLock::new(HashSet::new);

    fn none() -> Hints<'static> {
        Hints {
            values: &EMPTY,
            name: "",
            shared: None,
            others: &[],
        }
    }

    /// Every path must lead to its node; it may also lead to others.
    #[test]
    fn paths_lead_where_they_should() {
        let html = "<div id=a><h1 class='t x'>T</h1><table><tr><th>Director:</th><td>Ann</td></tr>\
                    <tr><th>Year</th><td><a href=/1972>1972</a></td></tr></table><p><b>By</b> Bob <i>Cy</i></p>\
                    <ul class=l><li>1<li>2<li>3</ul></div>";
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let nodes = page.elements().iter().chain(page.texts()).copied();
        let mut count = 0;
        for node in nodes.filter(|node| !page.string_value(*node).trim().is_empty()) {
            for path in to_one(&page, NodeId::DOCUMENT, node, none()) {
                let query = Query::compile(&path.text).unwrap_or_else(|_| panic!("{}", path.text));
                let Ok(Value::Nodes(found)) = query.evaluate(&page) else {
                    panic!("{}", path.text)
                };
                assert!(
                    found.contains(&node),
                    "{} does not lead to {:?}",
                    path.text,
                    page.string_value(node)
                );
                assert!((0.0..=1.0).contains(&trust::Weights::default().of(&path.trust)));
                count += 1;
            }
        }
        assert!(count > 50, "{count}");
        let items = page.elements_named(page.name_id("li").expect("items"));
        for path in to_many(&page, NodeId::DOCUMENT, items, none()) {
            let Ok(Value::Nodes(found)) = Query::compile(&path.text).expect("a path").evaluate(&page) else {
                panic!()
            };
            assert!(items.iter().all(|item| found.contains(item)), "{}", path.text);
        }
    }

    #[test]
    fn labels_are_taken_for_labels() {
        let html = "<table><tr><th>Director:</th><td>Ann</td></tr><tr><th>Year</th><td>1972</td></tr></table>";
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let cell = page.elements_named(page.name_id("td").expect("cells"))[1];
        let paths = to_one(&page, NodeId::DOCUMENT, cell, none());
        let weights = trust::Weights::default();
        let trust = |path: &Path| weights.of(&path.trust);
        let best = paths
            .iter()
            .max_by(|a, b| trust(a).total_cmp(&trust(b)))
            .expect("a path");
        assert_eq!(best.text, "//th[normalize-space(.)=\"Year\"]/following-sibling::td[1]");
    }

    #[test]
    fn any_text_can_be_quoted() {
        assert_eq!(literal("a"), "\"a\"");
        assert_eq!(literal("a\"b"), "'a\"b'");
        assert_eq!(literal("a\"b'c"), "concat(\"a\", '\"', \"b'c\")");
    }
}
