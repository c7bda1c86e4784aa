//! Labels whose edges may move: a value may include the white space around it, and the tags around that.
//!
//! Examples given by value say what a value reads like, not where it begins. So each edge of each field may be kept
//! tight, or moved outwards over white space, or over white space and inline tags, such as those for formatting and
//! links. A value as wide as its cell is what a person would delimit, so that is preferred; the tight edge comes next,
//! because text may have to be cut inside a line.

use crate::example::Example;
use crate::induce::{Gap, Gaps, Prefer, common_prefix, common_suffix, lefts, prefer_right};
use wrapper::rule::Found;

/// How far an edge of a value is moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// Not at all.
    #[default]
    Tight,
    /// Over white space.
    Space,
    /// Over white space and tags for formatting and links.
    Looks,
}

impl Reach {
    /// All distances, the preferred first.
    pub(crate) const ALL: [Reach; 3] = [Reach::Space, Reach::Tight, Reach::Looks];
    /// The same for values that fill their cells.
    const CELLS: [Reach; 3] = [Reach::Looks, Reach::Space, Reach::Tight];

    /// The order in which to try the distances for the edges of a field: as far as possible first, if that makes whole
    /// cells of all its values, with a tag before and after each.
    pub(crate) fn order(examples: &[Example<'_>], field: usize) -> &'static [Reach; 3] {
        let mut reaches = vec![Reaches::default(); field + 1];
        reaches[field] = Reaches {
            left: Reach::Looks,
            right: Reach::Looks,
        };
        let is_cell = |example: &Example<'_>| {
            let own = moved_values(example, &reaches);
            let own = own.iter().filter(|value| value.field as usize == field);
            own.into_iter().all(|value| {
                let (before, behind) = (
                    &example.text[..value.start as usize],
                    &example.text[value.end as usize..],
                );
                before.ends_with('>') && behind.starts_with('<')
            })
        };
        if examples.iter().all(is_cell) {
            &Reach::CELLS
        } else {
            &Reach::ALL
        }
    }
}

/// How far the two edges of a field's values are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reaches {
    pub(crate) left: Reach,
    pub(crate) right: Reach,
}

/// The examples with the edges of each field moved.
pub(crate) fn moved<'a>(examples: &[Example<'a>], reaches: &[Reaches]) -> Vec<Example<'a>> {
    let each = examples.iter().map(|example| Example {
        name: example.name,
        text: example.text,
        values: moved_values(example, reaches),
    });
    each.collect()
}

fn moved_values(example: &Example<'_>, reaches: &[Reaches]) -> Vec<Found> {
    let text = example.text;
    let mut values: Vec<Found> = Vec::with_capacity(example.values.len());
    for (number, value) in example.values.iter().enumerate() {
        let reach = reaches.get(value.field as usize).copied().unwrap_or_default();
        let before = values.last().map_or(0, |before| before.end) as usize;
        let behind = example
            .values
            .get(number + 1)
            .map_or(text.len(), |next| next.start as usize);
        let start = move_left(text, before, value.start as usize, reach.left);
        let mut end = move_right(text, value.end as usize, behind, reach.right);
        // Where only space separates two values, it must still separate them.
        if end == behind && number + 1 < example.values.len() {
            end = value.end as usize;
        }
        values.push(Found {
            field: value.field,
            start: start as u32,
            end: end as u32,
        });
    }
    values
}

/// References for spaces that do not break and other spaces that a reader sees as nothing.
const SPACES: [&str; 7] = ["&nbsp;", "&#160;", "&#xa0;", "&#xA0;", "&ensp;", "&emsp;", "&thinsp;"];

fn move_right(text: &str, start: usize, limit: usize, reach: Reach) -> usize {
    let mut at = start;
    while reach > Reach::Tight && at < limit {
        let rest = &text[at..limit];
        let step = match rest.chars().next() {
            Some(c) if c.is_whitespace() => c.len_utf8(),
            Some('&') => SPACES
                .iter()
                .find(|space| rest.starts_with(**space))
                .map_or(0, |space| space.len()),
            Some('<') if reach == Reach::Looks => {
                let len = rest.find('>').map_or(0, |end| end + 1);
                if is_looks(&rest[..len]) { len } else { 0 }
            }
            _ => 0,
        };
        if step == 0 {
            break;
        }
        at += step;
    }
    at
}

fn move_left(text: &str, limit: usize, start: usize, reach: Reach) -> usize {
    let mut at = start;
    while reach > Reach::Tight && at > limit {
        let rest = &text[limit..at];
        let step = match rest.chars().next_back() {
            Some(c) if c.is_whitespace() => c.len_utf8(),
            Some(';') => SPACES
                .iter()
                .find(|space| rest.ends_with(**space))
                .map_or(0, |space| space.len()),
            Some('>') if reach == Reach::Looks => {
                let len = rest.rfind('<').map_or(0, |begin| rest.len() - begin);
                if is_looks(&rest[rest.len() - len..]) { len } else { 0 }
            }
            _ => 0,
        };
        if step == 0 {
            break;
        }
        at -= step;
    }
    at
}

fn is_looks(tag: &str) -> bool {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    page::vocabulary::shows_nothing(&name[..end].to_ascii_lowercase())
}

/// Do two lists of values read the same? A value that reads as empty does not count.
pub(crate) fn reads_alike(text: &str, one: &[Found], other: &[Found]) -> bool {
    let read = |value: &Found| page::source_text(&text[value.range()]);
    let mut one = one.iter().filter(|value| !read(value).is_empty());
    let mut other = other.iter().filter(|value| !read(value).is_empty());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a.field == b.field && (a == b || read(a) == read(b)) => {}
            _ => return false,
        }
    }
}

/// The examples with empty values where a field is missing but its cell exists. Such a cell is what surrounds all
/// values of the field, with nothing but white space in it. A field that is missing somewhere without such a cell is
/// left as it is.
pub(crate) fn with_blanks<'a>(fields: usize, examples: &[Example<'a>]) -> Vec<Example<'a>> {
    let mut examples = examples.to_vec();
    // The first field comes last: where a record ends early and the next begins late, the cells of the former come first.
    for field in (1..fields).chain([0]) {
        // An empty cell often lacks the tags for formatting and links that are around a value.
        let reaches = [Reach::Space, Reach::Looks];
        if let Some(filled) = reaches
            .into_iter()
            .find_map(|reach| fill(fields, &examples, field, reach))
        {
            examples = filled;
        }
    }
    examples
}

fn fill<'a>(fields: usize, examples: &[Example<'a>], field: usize, reach: Reach) -> Option<Vec<Example<'a>>> {
    let mut wide = vec![Reaches::default(); fields];
    wide[field] = Reaches {
        left: reach,
        right: reach,
    };
    let gaps = Gaps::new(fields, &moved(examples, &wide));
    // Is the field missing from what the gap passes over: the rest of a record, and the beginning of the next?
    let lacks = |gap: &&Gap<'_>| match gap.to {
        Some(to) if gap.state > 0 && to >= gap.state => (gap.state..to).contains(&field),
        to => (gap.state > 0 && field >= gap.state) || to.is_some_and(|to| field < to),
    };
    if !gaps.gaps.iter().any(|gap| lacks(&gap)) {
        return None;
    }
    let mut leads = gaps.gaps.iter().filter(|gap| gap.to == Some(field)).map(|gap| gap.text);
    let first = leads.next()?;
    let left = leads.fold(first, |common, text| common_suffix(common, text));
    let mut follows = gaps
        .values
        .iter()
        .filter(|value| value.found.field as usize == field)
        .map(|value| &value.text[value.len()..]);
    let first = follows.next()?;
    let right = follows.fold(first, |common, text| common_prefix(common, text));
    if left.is_empty() || right.is_empty() {
        return None;
    }
    let right = prefer_right(right, 1, Prefer::Tags);
    let proper = |left: &str| {
        gaps.gaps
            .iter()
            .filter(|gap| gap.to == Some(field))
            .all(|gap| gap.text.find(left) == Some(gap.text.len() - left.len()))
    };
    // The position of the empty value in a gap that lacks it.
    let blank = |gap: &Gap<'_>, left: &str| {
        let start = gap.text.find(left)? + left.len();
        let end = move_right(gap.text, start, gap.text.len(), Reach::Space);
        gap.text[end..].starts_with(right).then_some(start..end)
    };
    let mut lefts = lefts(left, Prefer::Tags);
    lefts.push(left);
    let left = lefts
        .into_iter()
        .find(|left| proper(left) && gaps.gaps.iter().filter(lacks).all(|gap| blank(gap, left).is_some()))?;
    let mut filled = examples.to_vec();
    for gap in gaps.gaps.iter().filter(lacks) {
        let example = &mut filled[gap.page];
        let at = example.text.len() - gap.onward.len();
        let place = blank(gap, left)?;
        example.values.push(Found {
            field: field as u32,
            start: (at + place.start) as u32,
            end: (at + place.end) as u32,
        });
    }
    for example in &mut filled {
        example
            .values
            .sort_by_key(|value| (value.start, value.end, value.field));
    }
    crate::check_labels(fields, &filled).is_ok().then_some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_move_over_space_and_looks() {
        let text = "<td> <b>&nbsp;x </b></td>y z";
        let place = |part: &str| text.find(part).unwrap_or(0) as u32;
        let value = |field, at: u32| Found {
            field,
            start: at,
            end: at + 1,
        };
        let values = vec![value(0, place("x")), value(1, place("y")), value(1, place("z"))];
        let example = Example { name: "", text, values };
        let check = |reach, expected: [&str; 3]| {
            let reaches = [Reaches {
                left: reach,
                right: reach,
            }; 2];
            let got = moved(std::slice::from_ref(&example), &reaches);
            let texts: Vec<&str> = got[0].values.iter().map(|value| &text[value.range()]).collect();
            assert_eq!(texts, expected);
            assert!(reads_alike(text, &got[0].values, &example.values));
        };
        check(Reach::Tight, ["x", "y", "z"]);
        check(Reach::Space, ["&nbsp;x ", "y", " z"]);
        check(Reach::Looks, [" <b>&nbsp;x </b>", "y", " z"]);
    }
}
