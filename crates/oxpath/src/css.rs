//! CSS selectors as XPath 1.0.
//!
//! People have selectors already: browsers' developer tools copy them, and scrapers are full of them. [`to_xpath`] turns
//! one into an expression that [`Query`](crate::Query) evaluates, so there is one engine and no second matcher.
//!
//! *Idea.* A selector is a path read from left to right: `a b` is `//a//b`, `a > b` is `//a/b`, `a ~ b` goes along
//! `following-sibling::`, and all else an element must satisfy is one predicate. CSS counts among siblings, and so does a
//! child step of XPath: `li:nth-child(2)` is `//*[position() = 2 and self::li]`, `li:nth-of-type(2)` is
//! `//li[position() = 2]`. The predicate is a single one because a second would count what the first has left. `:not()` and
//! `:is()` are about the same element and share its positions. After `+` and `~` positions mean something else, and there
//! the siblings before or after are looked at.
//!
//! *Input.* Type and universal selectors, `.class`, `#id`, `[a]` with all six comparisons, the four combinators, lists,
//! `:first-child` and its family, `:first-of-type` and its family, `:not()`, `:is()` and `:where()` of compound selectors,
//! `:has()`, `:empty`, `:root`, `:contains("text")`, and at the end `::text` or `::attr(name)` as in Scrapy. As there,
//! `td ::text` is all text in a `td`, its own included, whereas `td::text` is its own only. Escapes and comments as in
//! CSS; names of elements and attributes are lower-cased.
//!
//! *Output.* An absolute XPath 1.0 expression for nodes. The only warnings it can give are that a part such as
//! `[a^=""]` matches nothing or, as `:nth-child(n)`, everything. Names that XPath cannot write are compared with `name()`; a value with both kinds of
//! quotes becomes a `concat()`.
//!
//! *Cost.* Linear in the selector, but for a name that is repeated wherever it is counted; both lengths are bounded
//! ([`MAX_BYTES`], [`MAX_SOURCE`]), as is nesting ([`MAX_NESTING`]). On a page selectors take linear time, also those that
//! count siblings after `+` and `~`: the evaluator makes a table of such counts.
//!
//! *Known failures.* `*:first-of-type` and its family without an element's name are refused: XPath 1.0 cannot compare the
//! names of two nodes when neither is known beforehand. So are the flag `i`, namespaces, `:nth-child(… of …)`, combinators
//! within `:not()` and `:is()`, and what depends on a user (`:hover`). Values compare with regard to case, even those of
//! attributes like `type` that HTML compares without, and classes in quirks mode. A form feed does not separate classes.
//! The content of a `template` is below it and can be selected.

mod parse;
mod scan;
#[cfg(test)]
mod tests;

use crate::syntax::MAX_SOURCE;
use std::fmt;

/// How many bytes a selector may have.
pub const MAX_BYTES: usize = 8192;

/// How deeply `:not()`, `:is()`, `:where()` and `:has()` may nest.
pub const MAX_NESTING: usize = 16;

/// What is wrong with a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CssError {
    /// Where, in bytes from the start of the selector.
    pub at: usize,
    /// What was expected there, and what was found.
    pub message: String,
}

impl fmt::Display for CssError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CSS selector, byte {}: {}", self.at, self.message)
    }
}

impl std::error::Error for CssError {}

/// Turns a CSS selector into an XPath expression for the same nodes of a document.
///
/// ```
/// let xpath = oxpath::css::to_xpath("#main > b:nth-of-type(2)::text").unwrap();
/// assert_eq!(xpath, "//*[@id = 'main']/b[position() = 2]/text()");
/// let error = oxpath::css::to_xpath("a:hover").unwrap_err();
/// assert_eq!(error.at, 1);
/// ```
///
/// # Errors
///
/// If the text is not a selector, or one that this module does not know: see its list of known failures.
pub fn to_xpath(selector: &str) -> Result<String, CssError> {
    from(selector, "")
}

/// Turns a CSS selector into an XPath expression for the same nodes below the context node.
///
/// ```
/// assert_eq!(oxpath::css::to_xpath_below("b, i::text").unwrap(), ".//b | .//i/text()");
/// ```
///
/// # Errors
///
/// As [`to_xpath`].
pub fn to_xpath_below(selector: &str) -> Result<String, CssError> {
    from(selector, ".")
}

/// The expression, with each path beginning at a place. All paths begin with `//`.
fn from(selector: &str, place: &str) -> Result<String, CssError> {
    let selectors = parse::parse(selector)?;
    let paths = selectors.iter().map(|selector| place.to_owned() + &whole(selector));
    let xpath = paths.collect::<Vec<_>>().join(" | ");
    if xpath.len() > MAX_SOURCE {
        let message = format!(
            "expected a selector for at most {MAX_SOURCE} bytes of XPath, found {}",
            xpath.len()
        );
        return Err(CssError { at: 0, message });
    }
    Ok(xpath)
}

/// One of the selectors between commas.
#[derive(Clone, Debug, PartialEq)]
struct Selector {
    path: Vec<Step>,
    take: Take,
}

/// What to take of the elements a selector matches.
#[derive(Clone, Debug, PartialEq)]
enum Take {
    Elements,
    Text,
    Attribute(String),
}

/// A compound selector and how it is reached; the first of a selector is a descendant of the document.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    combinator: Combinator,
    compound: Compound,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Combinator {
    Descendant,
    Child,
    /// `+`
    Next,
    /// `~`
    Later,
}

/// Everything said of one element.
#[derive(Clone, Debug, Default, PartialEq)]
struct Compound {
    /// In lower case; none for `*`.
    name: Option<String>,
    tests: Vec<Test>,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    /// An attribute; `.c` and `#i` are `[class~=c]` and `[id=i]`.
    Attribute {
        name: String,
        compare: Compare,
        value: String,
    },
    Nth(Nth),
    Not(Vec<Compound>),
    Is(Vec<Compound>),
    Has(Vec<Vec<Step>>),
    Empty,
    Root,
    Contains(String),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Compare {
    Exists,
    /// `=`
    Equal,
    /// `~=`
    Word,
    /// `|=`
    Dash,
    /// `^=`
    Prefix,
    /// `$=`
    Suffix,
    /// `*=`
    Infix,
}

/// The element is number `step * n + offset` for some `n >= 0`, counted from 1.
#[derive(Clone, Debug, PartialEq)]
struct Nth {
    step: i64,
    offset: i64,
    /// Counted from the last sibling.
    from_end: bool,
    /// Among the siblings of this name, which is also the element's; among all if none.
    of: Option<String>,
}

/// What `position()` counts where a condition stands.
#[derive(Clone, Copy, PartialEq)]
enum Counted<'c> {
    /// Nothing that CSS counts.
    Other,
    /// All siblings, or those of a name.
    Siblings(Option<&'c str>),
}

fn whole(selector: &Selector) -> String {
    let end = match &selector.take {
        Take::Elements => return path(&selector.path),
        Take::Text => "text()".to_owned(),
        Take::Attribute(name) => attribute(name),
    };
    match selector.path.split_last() {
        Some((last, before)) if last.combinator == Combinator::Descendant && last.compound == Compound::default() => {
            path(before) + "//" + &end
        }
        _ => path(&selector.path) + "/" + &end,
    }
}

fn path(steps: &[Step]) -> String {
    steps
        .iter()
        .map(|Step { combinator, compound }| match combinator {
            Combinator::Descendant => "//".to_owned() + &counting_step(compound),
            Combinator::Child => "/".to_owned() + &counting_step(compound),
            Combinator::Next => {
                "/following-sibling::*[1]".to_owned() + &predicate(&conditions(compound, Counted::Other))
            }
            Combinator::Later => {
                let (test, rest) = (node_test(compound.name.as_deref()), tests(compound, Counted::Other));
                format!("/following-sibling::{test}{}", predicate(&rest))
            }
        })
        .collect()
}

/// A step along the child axis, whose positions are those of CSS if its node test lets everything pass that is counted.
fn counting_step(compound: &Compound) -> String {
    let name = compound.name.as_deref();
    if counts_all(compound) {
        let all = conditions(compound, Counted::Siblings(None));
        return "*".to_owned() + &predicate(&all);
    }
    node_test(name) + &predicate(&tests(compound, Counted::Siblings(name)))
}

/// Does the compound count siblings whatever their names?
fn counts_all(compound: &Compound) -> bool {
    compound.tests.iter().any(|test| match test {
        Test::Nth(nth) => nth.of.is_none(),
        Test::Not(list) | Test::Is(list) => list.iter().any(counts_all),
        _ => false,
    })
}

fn predicate(conditions: &[String]) -> String {
    match conditions {
        [] => String::new(),
        _ => format!("[{}]", conditions.join(" and ")),
    }
}

/// What must be true of an element, its name included.
fn conditions(compound: &Compound, counted: Counted<'_>) -> Vec<String> {
    let name = compound.name.as_deref();
    let own = name.map(|_| "self::".to_owned() + &node_test(name));
    own.into_iter().chain(tests(compound, counted)).collect()
}

/// What must be true of an element, its name aside. All can be operands of `and`.
fn tests(compound: &Compound, counted: Counted<'_>) -> Vec<String> {
    let any = |list: &[Compound]| {
        let one = |inner| match conditions(inner, counted) {
            all if all.is_empty() => "true()".to_owned(),
            all => all.join(" and "),
        };
        list.iter().map(one).collect::<Vec<_>>()
    };
    let test = |test: &Test| match test {
        Test::Attribute { name, compare, value } => compared(&attribute(name), *compare, value),
        Test::Nth(nth) => nth_condition(nth, counted),
        Test::Not(list) => format!("not({})", any(list).join(" or ")),
        Test::Is(list) => either(any(list)),
        Test::Has(paths) => either(paths.iter().map(|steps| ".".to_owned() + &path(steps)).collect()),
        Test::Empty => "not(*) and not(text())".to_owned(),
        Test::Root => "not(parent::*)".to_owned(),
        Test::Contains(text) => format!("contains(., {})", literal(text)),
    };
    compound.tests.iter().map(test).collect()
}

/// One of these, as an operand of `and`.
fn either(conditions: Vec<String>) -> String {
    match conditions.len() {
        1 => conditions.concat(),
        _ => format!("({})", conditions.join(" or ")),
    }
}

fn compared(attribute: &str, compare: Compare, value: &str) -> String {
    let quoted = literal(value);
    match compare {
        Compare::Exists => attribute.to_owned(),
        Compare::Equal => format!("{attribute} = {quoted}"),
        Compare::Dash => format!(
            "({attribute} = {quoted} or starts-with({attribute}, {}))",
            literal(&format!("{value}-"))
        ),
        // Every text begins and ends with the empty one; CSS has it that none does.
        _ if value.is_empty() => "false()".to_owned(),
        Compare::Word if value.contains(scan::is_space) => "false()".to_owned(),
        Compare::Word => format!(
            "contains(concat(' ', normalize-space({attribute}), ' '), {})",
            literal(&format!(" {value} "))
        ),
        Compare::Prefix => format!("starts-with({attribute}, {quoted})"),
        Compare::Infix => format!("contains({attribute}, {quoted})"),
        Compare::Suffix => {
            // A shorter text is taken whole, and differs by its length.
            let before = value.chars().count() - 1;
            format!("substring({attribute}, string-length({attribute}) - {before}) = {quoted}")
        }
    }
}

fn nth_condition(nth: &Nth, counted: Counted<'_>) -> String {
    let Nth { step, offset, .. } = *nth;
    if step <= 0 && offset <= 0 {
        return "false()".to_owned();
    }
    let positions = counted == Counted::Siblings(nth.of.as_deref());
    let others = match nth.from_end {
        true => "following-sibling::".to_owned() + &node_test(nth.of.as_deref()),
        false => "preceding-sibling::".to_owned() + &node_test(nth.of.as_deref()),
    };
    let index = match (positions, nth.from_end) {
        (true, false) => "position()".to_owned(),
        (true, true) => "last() - position() + 1".to_owned(),
        (false, _) => format!("count({others}) + 1"),
    };
    let mut all = Vec::new();
    if positions && step == 0 {
        all.push(format!("{index} = {offset}"));
    } else {
        // Where siblings must be looked at, no more of them than need be.
        if step >= 0 && offset > 1 {
            all.push(match positions {
                true => format!("{index} >= {offset}"),
                false => format!("{others}[{}]", offset - 1),
            });
        }
        if step <= 0 {
            all.push(match positions {
                true => format!("{index} <= {offset}"),
                false => format!("not({others}[{offset}])"),
            });
        }
        // The remainder's sign does not matter when it is compared with zero.
        if step.abs() > 1 {
            let from = if offset == 0 {
                String::new()
            } else {
                format!(" - {offset}")
            };
            all.push(format!("({index}{from}) mod {} = 0", step.abs()));
        }
    }
    match all.is_empty() {
        true => "true()".to_owned(),
        false => all.join(" and "),
    }
}

/// A test for elements of a name: what may follow an axis, and be followed by a position.
fn node_test(name: Option<&str>) -> String {
    match name {
        None => "*".to_owned(),
        Some(name) if is_plain(name) => name.to_owned(),
        Some(name) => format!("*[name() = {}]", literal(name)),
    }
}

fn attribute(name: &str) -> String {
    "@".to_owned() + &node_test(Some(name))
}

/// Can the name stand in XPath as it is?
fn is_plain(name: &str) -> bool {
    let inner = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.bytes().all(inner)
}

/// Text in quotes. XPath 1.0 has no escapes, so text with both kinds of quotes is put together.
fn literal(text: &str) -> String {
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    if !text.contains('"') {
        return format!("\"{text}\"");
    }
    let pieces: Vec<String> = text.split('\'').map(|piece| format!("'{piece}'")).collect();
    format!("concat({})", pieces.join(r#", "'", "#))
}
