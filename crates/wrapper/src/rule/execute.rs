//! Runs delimiter rules: the six procedures of the paper as one machine.
//!
//! The *state* of the machine is the attribute whose value it took last (none at first). The class says which
//! attributes may follow: in LR exactly one, the next one or the first again; in N-LR the levels 1 to k + 1; with
//! optional attributes all up to the next required one. The machine seeks the left delimiters of all attributes that
//! may follow and takes the one that begins first. Head, tail, open and close work as described in `delimiter`.
//!
//! Each string has a searcher that is prepared once ([`memchr::memmem`]). When several strings are sought at once, each
//! remembers the position where it was found last. As long as that position is ahead, the string need not be sought
//! again, and a string that was not found ahead never will be. So a page is read about once for each delimiter, however
//! many values it has: the time is linear in the page for LR, and at most the number of delimiters times that for the
//! others. The memory is that of the values.
//!
//! Known weakness: a chain of landmarks (`skips`) is sought again from each position that passes its beginning. This is
//! quadratic on a page that consists of beginnings without ends.

use super::delimiter::{Class, Delimiters, Left, RuleError};
use super::loose::Loosened;
use memchr::memmem::Finder;
use page::LimitError;
use std::ops::Range;

/// A value found on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// The attribute, counted from 0.
    pub field: u32,
    /// The position of its first byte in the decoded source.
    pub start: u32,
    /// The position after its last byte.
    pub end: u32,
}

impl Found {
    /// Its byte range in the decoded source.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What a wrapper gives on a page; the paper calls it the label of the page.
///
/// The values are in page order, and that is enough to group them: a value of the first attribute begins a tuple, and
/// in a tree a value of level k is a child of the last value of level k − 1 before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extraction {
    /// The values, in page order.
    pub values: Vec<Found>,
    /// How the run ended.
    pub end: End,
}

impl Extraction {
    /// The values tuple by tuple: each begins with a value of the first attribute.
    pub fn tuples(&self) -> impl Iterator<Item = &[Found]> {
        self.values.chunk_by(|_, next| next.field != 0)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As the class requires.
    Regular,
    /// The head delimiter is not on the page.
    NoHead,
    /// There is no tail delimiter after the last tuple.
    NoTail,
    /// There is no close delimiter after the last tuple, which is left out.
    NoClose,
    /// A tuple is incomplete: no left or no right delimiter was found for the attribute with this number (from 0). The
    /// tuple is left out; in a tree, only the value is.
    Unfinished(u32),
    /// The page exceeds a limit, and nothing was read. Delimiters accept pages of at most [`u32::MAX`] bytes; the other
    /// rules parse the page, within its [`Limits`](page::Limits).
    OverLimit(LimitError),
    /// This many stretches of the page do not fit the template; the rest was read.
    Gaps(u32),
    /// The expression could not be evaluated in this many places; the rest was read.
    Failed(u32),
}

/// A wrapper made ready to run on any number of pages.
#[derive(Debug)]
pub struct Program {
    class: Class,
    head: Option<Finder<'static>>,
    tail: Option<Finder<'static>>,
    open: Option<Finder<'static>>,
    close: Option<Finder<'static>>,
    fields: Vec<Field>,
    /// Does each left delimiter say after which attribute it is sought?
    transitions: bool,
    loose: bool,
    /// For each state, the range of attributes that may follow, and whether the first one may follow because a tuple
    /// may end here.
    next: Vec<(Range<usize>, bool)>,
}

#[derive(Debug)]
struct Field {
    left: Vec<Chain>,
    right: Vec<Finder<'static>>,
}

#[derive(Debug)]
struct Chain {
    from: Option<u32>,
    skips: Vec<Finder<'static>>,
    last: Finder<'static>,
}

impl Chain {
    fn new(left: &Left) -> Chain {
        Chain {
            from: left.from,
            skips: left.skips.iter().map(|text| finder(text)).collect(),
            last: finder(&left.text),
        }
    }

    /// The position where the first landmark begins, from `at` on, and the position where the delimiter itself begins.
    fn find(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let mut first = None;
        let mut place = at;
        for skip in &self.skips {
            let start = place + skip.find(&text[place..])?;
            first = first.or(Some(start));
            place = start + skip.needle().len();
        }
        let last = place + self.last.find(&text[place..])?;
        Some((first.unwrap_or(last), last))
    }
}

fn finder(text: &str) -> Finder<'static> {
    Finder::new(text).into_owned()
}

/// Where a string that is sought repeatedly was found last.
#[derive(Clone, Copy)]
enum Memory {
    Unknown,
    /// The positions where the first landmark begins, and where the string itself begins.
    At(usize, usize),
    Never,
}

/// The last positions of all competing strings on a page.
struct Memories {
    left: Vec<Vec<Memory>>,
    open: Memory,
    tail: Memory,
}

fn recall(memory: &mut Memory, at: usize, find: impl FnOnce() -> Option<(usize, usize)>) -> Option<usize> {
    match *memory {
        Memory::Never => return None,
        Memory::At(first, start) if first >= at => return Some(start),
        Memory::At(..) | Memory::Unknown => {}
    }
    *memory = find().map_or(Memory::Never, |(first, start)| Memory::At(first, start));
    match *memory {
        Memory::At(_, start) => Some(start),
        _ => None,
    }
}

fn find_one(finder: &Finder<'_>, text: &[u8], at: usize) -> Option<(usize, usize)> {
    let start = at + finder.find(&text[at..])?;
    Some((start, start))
}

/// A left delimiter that was found. The lesser of two comes first: the one that begins first, then the longest, then
/// the one of the lowest attribute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    start: usize,
    len: std::cmp::Reverse<usize>,
    field: usize,
}

impl Hit {
    /// Where the value begins.
    fn begin(&self) -> usize {
        self.start + self.len.0
    }
}

impl Program {
    /// Makes a rule ready to run.
    ///
    /// # Errors
    ///
    /// The strings are not a wrapper of the class: one is missing, or is empty where it must not be.
    ///
    /// ```
    /// use wrapper::rule::{Class, Delimiters, Edges, Program};
    /// let rule = Delimiters {
    ///     class: Class::Lr,
    ///     head: None, tail: None, open: None, close: None, loose: false,
    ///     fields: vec![Edges::plain("<b>", "</b>"), Edges::plain("<i>", "</i>")],
    /// };
    /// let page = "<b>Congo</b> <i>242</i><br><b>Egypt</b> <i>20</i>";
    /// let found = Program::new(&rule)?.apply(page);
    /// let texts: Vec<&str> = found.values.iter().map(|value| &page[value.range()]).collect();
    /// assert_eq!(texts, ["Congo", "242", "Egypt", "20"]);
    /// # Ok::<(), wrapper::rule::RuleError>(())
    /// ```
    pub fn new(rule: &Delimiters) -> Result<Program, RuleError> {
        rule.check()?;
        let ready = |text: &Option<String>| text.as_deref().map(finder);
        let fields = rule.fields.iter().map(|edges| Field {
            left: edges.left.iter().map(Chain::new).collect(),
            right: edges.right.iter().map(|text| finder(text)).collect(),
        });
        let count = rule.fields.len();
        let transitions = rule.is_by_transitions();
        let next = (0..=count).map(|state| {
            if transitions {
                return (0..count, false);
            }
            if rule.class.is_nested() {
                return (0..count.min(state + 1), false);
            }
            let required = (state..count).find(|&field| !rule.fields[field].optional);
            // The first attribute begins a tuple. State 0 leads to it, and so does a state after which nothing is
            // required.
            match required {
                _ if state == 0 => (0..0, true),
                Some(field) => (state..field + 1, false),
                None => (state..count, true),
            }
        });
        Ok(Program {
            class: rule.class,
            head: ready(&rule.head),
            tail: ready(&rule.tail),
            open: ready(&rule.open),
            close: ready(&rule.close),
            fields: fields.collect(),
            transitions,
            loose: rule.loose,
            next: next.collect(),
        })
    }

    /// Runs the rule on the decoded source of a page.
    pub fn apply(&self, page: &str) -> Extraction {
        // Positions have 32 bits.
        if u32::try_from(page.len()).is_err() {
            return Extraction {
                values: Vec::new(),
                end: End::OverLimit(LimitError::Bytes(u32::MAX as usize)),
            };
        }
        if !self.loose {
            return self.apply_as_is(page);
        }
        let loose = Loosened::new(page);
        let mut found = self.apply_as_is(&loose.text);
        for value in &mut found.values {
            let (start, end) = loose.piece_to_source(value.start as usize, value.end as usize);
            (value.start, value.end) = (start as u32, end as u32);
        }
        found
    }

    fn apply_as_is(&self, page: &str) -> Extraction {
        let text = page.as_bytes();
        let mut values = Vec::new();
        let mut start = 0;
        if let Some(head) = &self.head {
            match head.find(text) {
                Some(found) => start = found,
                None => {
                    return Extraction {
                        values,
                        end: End::NoHead,
                    };
                }
            }
        }
        let end = if self.class.is_nested() || self.transitions {
            self.run_nested(text, start, &mut values)
        } else {
            self.run_tabular(text, start, &mut values)
        };
        Extraction { values, end }
    }

    fn memories(&self) -> Memories {
        Memories {
            left: self
                .fields
                .iter()
                .map(|field| vec![Memory::Unknown; field.left.len()])
                .collect(),
            open: Memory::Unknown,
            tail: Memory::Unknown,
        }
    }

    /// The first left delimiter of an attribute in a state, from `at` on.
    fn left(&self, text: &[u8], at: usize, field: usize, state: usize, memories: &mut Memories) -> Option<Hit> {
        let chains = self.fields[field].left.iter().zip(&mut memories.left[field]);
        let chains = chains.filter(|(chain, _)| chain.from.is_none_or(|from| from as usize == state));
        let hits = chains.filter_map(|(chain, memory)| {
            let start = recall(memory, at, || chain.find(text, at))?;
            let len = std::cmp::Reverse(chain.last.needle().len());
            Some(Hit { start, len, field })
        });
        hits.min()
    }

    /// The first left delimiter among all that may follow in a state.
    fn first(&self, text: &[u8], at: usize, state: usize, memories: &mut Memories) -> Option<Hit> {
        let fields = self.next[state].0.clone();
        fields
            .filter_map(|field| self.left(text, at, field, state, memories))
            .min()
    }

    /// The position where a value that begins at `at` ends.
    fn right(&self, text: &[u8], at: usize, field: usize) -> Option<usize> {
        match &self.fields[field].right[..] {
            [one] => one.find(&text[at..]).map(|found| at + found),
            several => several
                .iter()
                .filter_map(|finder| finder.find(&text[at..]))
                .min()
                .map(|found| at + found),
        }
    }

    /// Does the tail begin before `rival`, or at the same position?
    fn stops(&self, text: &[u8], at: usize, rival: usize, memories: &mut Memories) -> bool {
        self.tail.as_ref().is_some_and(|tail| {
            recall(&mut memories.tail, at, || find_one(tail, text, at)).is_some_and(|start| start <= rival)
        })
    }

    /// How a loop that found nothing more ends: regularly only if the tail, where required, is somewhere after the last
    /// value.
    fn ending(&self, text: &[u8], last: usize) -> End {
        match &self.tail {
            Some(tail) if tail.find(&text[last..]).is_none() => End::NoTail,
            _ => End::Regular,
        }
    }

    fn run_nested(&self, text: &[u8], start: usize, values: &mut Vec<Found>) -> End {
        let mut memories = self.memories();
        let (mut at, mut state) = (start, 0);
        loop {
            let hit = self.first(text, at, state, &mut memories);
            let Some(hit) = hit.filter(|hit| !self.stops(text, at, hit.start, &mut memories)) else {
                return self.ending(text, at);
            };
            let Some(end) = self.right(text, hit.begin(), hit.field) else {
                return End::Unfinished(hit.field as u32);
            };
            values.push(found(hit.field, hit.begin(), end));
            (at, state) = (end, hit.field + 1);
        }
    }

    fn run_tabular(&self, text: &[u8], start: usize, values: &mut Vec<Found>) -> End {
        let mut memories = self.memories();
        let mut at = start;
        // The tail must be after the last value, but not necessarily after the last close delimiter.
        let mut last = start;
        loop {
            // Does another tuple begin?
            let tuple = values.len();
            if let Some(open) = &self.open {
                match recall(&mut memories.open, at, || find_one(open, text, at)) {
                    Some(start) if !self.stops(text, at, start, &mut memories) => at = start,
                    _ => return self.ending(text, last),
                }
            }
            let hit = self.left(text, at, 0, 0, &mut memories);
            let hit = match hit {
                None if self.open.is_some() => return End::Unfinished(0),
                Some(hit) if self.open.is_some() || !self.stops(text, at, hit.start, &mut memories) => hit,
                _ => return self.ending(text, last),
            };
            let Some(end) = self.right(text, hit.begin(), 0) else {
                return End::Unfinished(0);
            };
            values.push(found(0, hit.begin(), end));
            (at, last) = (end, end);
            // The rest of the tuple.
            let mut state = 1;
            loop {
                let may_end = self.next[state].1;
                let mut hit = self.first(text, at, state, &mut memories);
                if may_end && let Some(optional) = hit {
                    // What is found after the beginning of the next tuple, or after the tail, does not belong to this
                    // tuple.
                    let rival = match &self.open {
                        Some(open) => recall(&mut memories.open, at, || find_one(open, text, at)),
                        None => self
                            .left(text, at, 0, state, &mut memories)
                            .filter(|next| *next < optional)
                            .map(|next| next.start),
                    };
                    if rival.is_some_and(|rival| rival <= optional.start)
                        || self.stops(text, at, optional.start, &mut memories)
                    {
                        hit = None;
                    }
                }
                let Some(hit) = hit else {
                    if may_end {
                        break;
                    }
                    values.truncate(tuple);
                    return End::Unfinished(state as u32);
                };
                let Some(end) = self.right(text, hit.begin(), hit.field) else {
                    values.truncate(tuple);
                    return End::Unfinished(hit.field as u32);
                };
                values.push(found(hit.field, hit.begin(), end));
                (at, last) = (end, end);
                state = hit.field + 1;
            }
            if let Some(close) = &self.close {
                match close.find(&text[at..]) {
                    Some(found) => at += found,
                    None => {
                        values.truncate(tuple);
                        return End::NoClose;
                    }
                }
            }
        }
    }
}

fn found(field: usize, start: usize, end: usize) -> Found {
    Found {
        field: field as u32,
        start: start as u32,
        end: end as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::*;

    fn rule(class: Class, outer: [Option<&str>; 4], fields: &[(&str, &str)]) -> Delimiters {
        let own = |text: Option<&str>| text.map(str::to_owned);
        Delimiters {
            class,
            head: own(outer[0]),
            tail: own(outer[1]),
            open: own(outer[2]),
            close: own(outer[3]),
            loose: false,
            fields: fields.iter().map(|(left, right)| Edges::plain(*left, *right)).collect(),
        }
    }

    fn check(rule: &Delimiters, page: &str, expected: &str, end: End) {
        let got = Program::new(rule).expect("a rule").apply(page);
        let texts: Vec<String> = got
            .values
            .iter()
            .map(|value| format!("{}{}", value.field + 1, &page[value.range()]))
            .collect();
        assert_eq!((texts.join(" ").as_str(), got.end), (expected, end));
    }

    const PAIR: [(&str, &str); 2] = [("[", "]"), ("(", ")")];

    #[test]
    fn the_flat_classes() {
        let lr = rule(Class::Lr, [None; 4], &PAIR);
        check(&lr, "h [a](b) [c](d) t", "1a 2b 1c 2d", End::Regular);
        check(&lr, "h [a](b) [c] t", "1a 2b", End::Unfinished(1));
        let hlrt = rule(Class::Hlrt, [Some("H"), Some("T"), None, None], &PAIR);
        check(&hlrt, "[x] H [a](b) [c](d) T [y](z)", "1a 2b 1c 2d", End::Regular);
        check(&hlrt, "[x] H [a](b)", "1a 2b", End::NoTail);
        check(&hlrt, "[a](b) T", "", End::NoHead);
        let oclr = rule(Class::Oclr, [None, None, Some("o"), Some("c")], &PAIR);
        check(&oclr, "[x]o[a](b)c[y]o[c](d)c[z]", "1a 2b 1c 2d", End::Regular);
        check(&oclr, "o[a](b)co[c](d)", "1a 2b", End::NoClose);
        let hoclrt = rule(Class::Hoclrt, [Some("H"), Some("T"), Some("o"), Some("c")], &PAIR);
        check(&hoclrt, "o[x]H[x]o[a](b)c[y]o[c](d)cTo", "1a 2b 1c 2d", End::Regular);
    }

    #[test]
    fn the_nested_classes() {
        let levels = [("name: ", "\n"), ("address: ", "\n"), ("phone: ", "\n")];
        let page = "name: A\n\taddress: X\n\t\tphone: 1\n\t\tphone: 2\n\taddress: Y\nname: B\n";
        check(
            &rule(Class::NLr, [None; 4], &levels),
            page,
            "1A 2X 31 32 2Y 1B",
            End::Regular,
        );
        let framed = format!("phone: 9\n--\n{page}--\nname: C\n");
        check(
            &rule(Class::NHlrt, [Some("--"), Some("--\nn"), None, None], &levels),
            &framed,
            "",
            End::Regular,
        );
        check(
            &rule(Class::NHlrt, [Some("--"), Some("\n--"), None, None], &levels),
            &framed,
            "1A 2X 31 32 2Y 1B",
            End::Regular,
        );
    }

    #[test]
    fn the_extensions() {
        let mut lr = rule(Class::Lr, [None; 4], &[("[", "]"), ("(", ")"), ("{", "}")]);
        lr.fields[1].optional = true;
        lr.fields[2].optional = true;
        check(&lr, "[a](b){c}[d]{e}[f](g)[h]", "1a 2b 3c 1d 3e 1f 2g 1h", End::Regular);
        lr.fields[2].left.push(Left {
            from: None,
            skips: vec!["|".to_owned(), "|".to_owned()],
            text: ":".to_owned(),
        });
        lr.fields[2].right.push(";".to_owned());
        check(&lr, "[a]x:|x|y:c;[b](d)", "1a 3c 1b 2d", End::Regular);
        // A heading above several records, each of which lacks one of the attributes.
        let mut transitions = rule(Class::Lr, [None; 4], &[("", "}"), ("", "]"), ("", ")")]);
        let lefts = [
            (0, 0, "{"),
            (1, 1, "["),
            (1, 2, ":"),
            (2, 2, "("),
            (2, 1, "["),
            (3, 1, "|"),
            (2, 0, "{"),
            (3, 0, "{"),
        ];
        transitions.fields.iter_mut().for_each(|edges| edges.left.clear());
        for (from, field, text) in lefts {
            transitions.fields[field].left.push(Left {
                from: Some(from),
                ..Left::plain(text)
            });
        }
        check(
            &transitions,
            "[x]{a} [b](c)|d]; [e] {f} :g) [h] |i]",
            "1a 2b 3c 2d 2e 1f 3g 2i",
            End::Regular,
        );
        let mut loose = rule(Class::Lr, [None; 4], &[("<td><b>", "</b>")]);
        loose.loose = true;
        check(&loose, "<td>\n <b> a  b </b><td><b>c</b>", "1a  b 1c", End::Regular);
        let eof = rule(Class::Hlrt, [Some("H"), None, None, None], &PAIR);
        check(&eof, "[x]H[a](b)", "1a 2b", End::Regular);
    }

    #[test]
    fn strings_that_are_no_wrapper_are_refused() {
        // The first left delimiters, as many as `fields`, are sought only after this attribute.
        let from = |class: Class, fields: usize, from: u32| {
            let outer = if class.has_open() {
                [None, None, Some("o"), Some("c")]
            } else {
                [None; 4]
            };
            let mut rule = rule(class, outer, &PAIR);
            for edges in &mut rule.fields[..fields] {
                edges.left[0].from = Some(from);
            }
            rule
        };
        for (broken, place) in [
            (rule(Class::Lr, [None; 4], &[]), "fields"),
            (rule(Class::Hlrt, [None; 4], &PAIR), "head"),
            (rule(Class::Lr, [Some("h"), None, None, None], &PAIR), "head"),
            (rule(Class::Oclr, [None, None, Some(""), Some("c")], &PAIR), "open"),
            (rule(Class::Lr, [None; 4], &[("", "]")]), "l1"),
            (rule(Class::Lr, [None; 4], &[("[", "")]), "r1"),
            (from(Class::Lr, 2, 3), "from"),
            (from(Class::Lr, 1, 1), "from"),
            (from(Class::Oclr, 2, 1), "from"),
        ] {
            assert_eq!(Program::new(&broken).expect_err("no wrapper").place, place);
        }
    }
}
