//! Random expressions, and pages of a given size.

use std::fmt::Write;
use xtask::random::Random;

/// The kinds of pages.
pub(super) const FAMILIES: [&str; 3] = ["table", "siblings", "tree"];

/// The source of a page with about this number of nodes.
pub(super) fn page(family: &str, nodes: usize) -> String {
    let mut out = String::from("<body lang=en><em id=first>0</em>");
    match family {
        // Each row has 14 nodes.
        "table" => {
            out.push_str("<table>");
            for row in 0..nodes / 14 {
                let _ = write!(
                    out,
                    "<tr class='r x{}'><td id=c{row}>{}</td><td class=p>{row}</td><td><b>{}</b> <a href=u{}>go</a></td></tr>",
                    row % 2,
                    row % 97,
                    row % 7,
                    row % 50
                );
            }
            out.push_str("</table>");
        }
        // Each element has 3 nodes, every tenth is a heading.
        "siblings" => {
            out.push_str("<div>");
            for row in 0..nodes / 3 {
                let name = ["p", "li", "p", "b", "p", "a", "div", "p", "li", "h2"][row % 10];
                let _ = write!(out, "<{name} class=x{}>{}</{name}>", row % 3, row % 31);
            }
            out.push_str("</div>");
        }
        _ => tree(nodes, &mut out),
    }
    out.push_str("<p>1</p><i class=last>1</i></body>");
    out
}

/// Lists in lists: seven items in each list, each item with a heading and, above the leaves, a list.
fn tree(nodes: usize, out: &mut String) {
    fn below(depth: usize, at: usize, left: &mut usize, out: &mut String) {
        for item in 0..7 {
            if *left < 8 {
                return;
            }
            *left -= 8;
            let _ = write!(out, "<div class=x{}><b>{}</b><a href=u{at}>go</a>", item % 3, at + item);
            if depth > 0 {
                out.push_str("<div>");
                below(depth - 1, at + item, left, out);
                out.push_str("</div>");
            }
            out.push_str("</div>");
        }
    }
    let mut left = nodes;
    let depth = (nodes as f64).log(7.0).ceil() as usize;
    while left >= 8 {
        below(depth, left % 10, &mut left, out);
    }
}

const NAMES: [&str; 12] = ["td", "b", "a", "p", "tr", "div", "li", "h2", "em", "i", "u", "*"];
const ATTRIBUTES: [&str; 4] = ["class", "id", "href", "u"];
const WORDS: [&str; 7] = ["1", "x1", "go", "5", "96", "u", "zz"];
const COMPARISONS: [&str; 6] = ["=", ">", "<", ">=", "<=", "!="];
const AXES: [&str; 12] = [
    "following",
    "preceding",
    "following-sibling",
    "preceding-sibling",
    "ancestor",
    "descendant",
    "child",
    "parent",
    "following",
    "preceding",
    "ancestor-or-self",
    "descendant-or-self",
];

/// The source of an expression.
pub(super) fn expression(random: &mut Random) -> String {
    match random.below(12) {
        0..7 => format!("count(//{}{})", name(random), predicate(random, 2)),
        7 => format!("count(//{}{}/{})", name(random), predicate(random, 1), step(random, 2)),
        8 => format!("count(//{}/{}/{})", name(random), step(random, 1), step(random, 1)),
        9 => format!(
            "count(//{}{}{})",
            name(random),
            predicate(random, 1),
            predicate(random, 1)
        ),
        10 => format!("count(//{})", step(random, 2)),
        _ => css(random),
    }
}

fn name(random: &mut Random) -> &'static str {
    // Half of the time a name that every family of pages has often.
    if random.chance(50) {
        "*"
    } else {
        NAMES[random.below(NAMES.len())]
    }
}

fn test(random: &mut Random) -> &'static str {
    match random.below(8) {
        0 => "text()",
        1 => "node()",
        _ => NAMES[random.below(NAMES.len())],
    }
}

fn step(random: &mut Random, depth: usize) -> String {
    let mut out = format!("{}::{}", random.pick(&AXES), test(random));
    if depth > 0 && random.chance(60) {
        out.push_str(&predicate(random, depth - 1));
    }
    out
}

/// Nodes relative to a context node.
fn nodes(random: &mut Random, depth: usize) -> String {
    match random.below(14) {
        0..5 => step(random, depth),
        5 | 6 => format!("{}/{}", step(random, depth), step(random, 0)),
        7 => format!("{}/@{}", step(random, depth), random.pick(&ATTRIBUTES)),
        8 => format!("../{}", test(random)),
        9 => format!("//{}", test(random)),
        10 => format!("@{}", random.pick(&ATTRIBUTES)),
        11 => format!(".//{}", test(random)),
        12 => format!("({}){}", step(random, depth), position(random)),
        _ => format!("({} | {})", step(random, 0), step(random, 0)),
    }
}

fn position(random: &mut Random) -> String {
    let small = random.below(4) + 1;
    match random.below(6) {
        0 | 1 => format!("[{small}]"),
        2 => "[last()]".to_owned(),
        3 => format!("[position() <= {small}]"),
        4 => format!("[position() > {small}]"),
        _ => format!("[last() - {small}]"),
    }
}

fn predicate(random: &mut Random, depth: usize) -> String {
    if random.chance(20) {
        return position(random);
    }
    format!("[{}]", truth(random, depth))
}

fn truth(random: &mut Random, depth: usize) -> String {
    let depth = depth.saturating_sub(1);
    let comparison = random.pick(&COMPARISONS);
    match random.below(18) {
        0..3 => format!("count({}) {comparison} {}", nodes(random, depth), random.below(6)),
        3..6 => nodes(random, depth),
        6 => format!("not({})", nodes(random, depth)),
        7 => format!("{} {comparison} '{}'", nodes(random, depth), random.pick(&WORDS)),
        8 => format!("{} {comparison} {}", nodes(random, depth), random.below(60)),
        9 => format!(". {comparison} {}", nodes(random, depth)),
        10 => format!("@{} {comparison} {}", random.pick(&ATTRIBUTES), nodes(random, depth)),
        11 => format!("{} {comparison} {}", number(random, depth), number(random, depth)),
        12 => format!("contains({}, '{}')", text(random, depth), random.pick(&WORDS)),
        13 => format!("{} {comparison} '{}'", text(random, depth), random.pick(&WORDS)),
        14 => format!("starts-with({}, {})", text(random, depth), text(random, 0)),
        15 => format!("{} and {}", truth(random, depth), truth(random, depth)),
        16 => format!("({} or {})", truth(random, depth), truth(random, depth)),
        _ => format!("position() {comparison} {}", number(random, depth)),
    }
}

fn number(random: &mut Random, depth: usize) -> String {
    match random.below(8) {
        0..3 => format!("count({})", nodes(random, depth)),
        3 => format!("sum({})", nodes(random, depth)),
        4 => format!("string-length({})", text(random, depth)),
        5 => "last()".to_owned(),
        6 => format!("number({})", nodes(random, depth)),
        _ => random.below(50).to_string(),
    }
}

fn text(random: &mut Random, depth: usize) -> String {
    match random.below(8) {
        0 => ".".to_owned(),
        1 => format!("@{}", random.pick(&ATTRIBUTES)),
        2 => format!("string({})", nodes(random, depth)),
        3 => format!("name({})", nodes(random, depth)),
        4 => format!("normalize-space({})", nodes(random, depth)),
        5 => "substring(., 1, 2)".to_owned(),
        6 => format!("translate(@{}, 'x', {})", random.pick(&ATTRIBUTES), number(random, 0)),
        _ => format!("concat(@{}, '-')", random.pick(&ATTRIBUTES)),
    }
}

/// A CSS selector, as the expression that it becomes.
fn css(random: &mut Random) -> String {
    let mut selector = compound(random);
    for _ in 0..=random.below(2) {
        selector.push_str([" ~ ", " + ", " > ", " "][random.below(4)]);
        selector.push_str(&compound(random));
    }
    // The grammar makes no selector that cannot be translated; `*` is in its place if it ever does.
    oxpath::css::to_xpath(&selector).unwrap_or_else(|_| "//*".to_owned())
}

fn compound(random: &mut Random) -> String {
    let name = ["td", "b", "a", "p", "li", "h2", "em", "i", "u", "div"][random.below(10)];
    match random.below(8) {
        0 => format!("{name}.x1"),
        1 => format!("{name}:nth-child({}n+1)", random.below(3) + 1),
        2 => format!("{name}:nth-of-type({}n)", random.below(3) + 1),
        3 => format!("{name}:nth-last-child({}n+2)", random.below(3) + 1),
        4 => format!("{name}:has(~ {})", ["i", "u", "b"][random.below(3)]),
        5 => format!("{name}:not(.x1)"),
        _ => name.to_owned(),
    }
}
