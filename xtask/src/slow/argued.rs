//! The shapes that may take more than linear time, and why.
//!
//! | shape | why |
//! |---|---|
//! | `count(following::a/ancestor::b)`: a count or sum along several long steps | Two nodes may lead to the same one, which must be counted once. So the nodes are collected for each context node. |
//! | `. = preceding::a/following::b`: a comparison of the node's own value with such nodes | The same. |
//! | `following::a[position() != last()]`: any condition on the position along a long axis, except `[n]`, `[last()]`, `[last() - n]`, and, from several nodes, `[position() <= n]` and `[position() > n]` | It may be different for each pair of a context node and a node on its axis, and the number of pairs is quadratic. |
//! | `normalize-space(ancestor::*)`: a function of a text that contains most of the page | The text is read for each context node. Only `contains()` with a fixed text uses an index. |
//!
//! What is here is recognised by the source, which is what the search prints: a reader can compare the two.

/// Why an expression may take more than linear time.
pub(super) fn reason(source: &str) -> Option<&'static str> {
    if arguments(source, &["count", "sum"]).any(overlaps) {
        return Some("nodes that several others lead to are collected");
    }
    if compared(source).any(|path| overlaps(&path)) {
        return Some("values of nodes that several others lead to are compared with the node's own");
    }
    if predicates(source).any(|(before, predicate)| is_long(before) && depends_on_position(before, predicate)) {
        return Some("a condition on the position is evaluated for pairs of nodes");
    }
    const READ: [&str; 6] = [
        "normalize-space",
        "string-length",
        "translate",
        "contains",
        "starts-with",
        "substring",
    ];
    let large = ["ancestor", "parent::", "..", "//*", "//node()"];
    if arguments(source, &READ).any(|text| large.iter().any(|path| text.contains(path))) {
        return Some("a text as long as the page is read for each node");
    }
    None
}

/// The arguments of calls of functions, as they are written.
fn arguments<'s>(source: &'s str, names: &'s [&str]) -> impl Iterator<Item = &'s str> {
    source.match_indices('(').filter_map(|(at, _)| {
        let named = names.iter().any(|name| source[..at].ends_with(name));
        named.then(|| inside(&source[at..])).flatten()
    })
}

/// What the context node or its attribute must be equal to, without predicates.
fn compared(source: &str) -> impl Iterator<Item = String> {
    source.match_indices(" = ").filter_map(|(at, equals)| {
        let own = source[..at].rsplit([' ', '[', '(']).next()?;
        // The parentheses of `text()` do not end a path.
        let rest = without_predicates(&source[at + equals.len()..]).replace("()", "");
        let path = rest.split([' ', ')', ']']).next()?.to_owned();
        (own == "." || own.starts_with('@')).then_some(path)
    })
}

/// The predicates, each with what is before it.
fn predicates(source: &str) -> impl Iterator<Item = (&str, &str)> {
    let starts = source.match_indices('[');
    starts.filter_map(|(at, _)| Some((&source[..at], inside(&source[at..])?)))
}

/// What is between the bracket at the start and the one that closes it.
fn inside(source: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in source.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return source.get(1..at);
        }
    }
    None
}

/// A source without its predicates; after the last bracket that is not closed.
fn without_predicates(source: &str) -> String {
    let mut levels = vec![String::new()];
    for c in source.chars() {
        match c {
            '[' => levels.push(String::new()),
            ']' if levels.len() > 1 => {
                levels.pop();
            }
            _ => levels.iter_mut().last().into_iter().for_each(|level| level.push(c)),
        }
    }
    levels.pop().unwrap_or_default()
}

/// Has a path two steps of which the later may lead from two nodes to one?
fn overlaps(path: &str) -> bool {
    // From the document: collected once.
    if path.starts_with('/') {
        return false;
    }
    let path = without_predicates(path);
    let mut parts = path.split('|').flat_map(|path| path.split('/').skip(1));
    let several = path.split('|').count() > 1
        && ["following", "preceding"]
            .iter()
            .any(|axis| path.matches(axis).count() > 1);
    several || parts.any(|step| step.contains("::") && !step.trim_start().starts_with("child::"))
}

/// Is this the end of a step along an axis that several nodes share?
fn is_long(before: &str) -> bool {
    let before = without_predicates(before);
    // A step, or a path in parentheses.
    let step = before.rsplit(['/', '[', '(', ' ']).next().unwrap_or_default();
    before.ends_with(')') || step.contains("::") && !step.starts_with("child::")
}

/// Does a predicate depend on the position in a way that has no short cut?
fn depends_on_position(before: &str, predicate: &str) -> bool {
    let own = without_predicates(predicate);
    if !own.contains("position()") && !own.contains("last()") {
        return false;
    }
    let number = |text: &str| text.parse::<u32>().is_ok();
    let pick = own == "last()" || own.strip_prefix("last() - ").is_some_and(number);
    let range = ["position() <= ", "position() > "]
        .iter()
        .any(|start| own.strip_prefix(start).is_some_and(number));
    // In a predicate, a range is asked of each node.
    let nested = before.matches('[').count() > before.matches(']').count();
    !pick && (nested || before.ends_with(')') || !range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_listed_shapes_are_argued() {
        for argued in [
            "count(//*[count(following::a/ancestor::b) > 1])",
            "count(//*[following::p[position() != last()]])",
            "count(//*[. = preceding::div[count(child::li) <= 2]/preceding::text()])",
            "count(//*[. = preceding::text()/preceding::text()])",
            "count(//*[(preceding::p)[position() > 1] = 15])",
            "count(//*/following::a[position() < count(//b)])",
            "count(//*[starts-with(normalize-space(ancestor::*), 'x')])",
        ] {
            assert!(reason(argued).is_some(), "{argued}");
        }
        for linear in [
            "count(//td[count(following::td) > 5])",
            "count(//a/following::b/ancestor::div)",
            "count(//*[position() > count(//b)])",
            "count(//*/following::a[position() > 3])",
            "count(//*[preceding::a[last()]/child::b = '1'])",
            "count(//*[count(preceding::a/@href | following::b) > 1])",
            "count(//*[contains(., 'x')])",
            "count(//*[@u = following::td/@class or . = preceding::b])",
        ] {
            assert_eq!(reason(linear), None, "{linear}");
        }
    }
}
