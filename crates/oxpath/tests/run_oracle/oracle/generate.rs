//! Page graphs and expressions out of a list of choices, as for the oracle of simple expressions.

use std::fmt::Write;

/// Choices yet to be made. At its end every choice is the first, simplest one.
pub(crate) struct Tape<'t> {
    rest: std::slice::Iter<'t, u16>,
    /// Mostly steps that give at most one node?
    narrow: bool,
}

impl<'t> Tape<'t> {
    pub(crate) fn new(choices: &'t [u16]) -> Tape<'t> {
        Tape {
            rest: choices.iter(),
            narrow: false,
        }
    }

    /// For expressions with fields that have at most one value.
    pub(crate) fn narrow(choices: &'t [u16]) -> Tape<'t> {
        Tape {
            narrow: true,
            ..Tape::new(choices)
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.rest.next().map_or(0, |choice| usize::from(*choice) % bound)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// True once in `n`, and never at the end of the tape.
    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }
}

const ELEMENTS: [&str; 5] = ["b", "i", "ul", "li", "div"];
const NAMES: [&str; 10] = ["*", "b", "li", "*", "i", "a", "*", "div", "ul", "*"];

/// Pages with links to later ones only, so that no repetition comes back to a page.
pub(crate) fn pages(tape: &mut Tape<'_>) -> Vec<(String, String)> {
    let count = 3 + tape.below(4);
    (0..count)
        .map(|number| {
            let mut html = String::new();
            let mut budget = 4 + tape.below(8);
            while budget > 0 {
                node(tape, number, count, 0, &mut budget, &mut html);
            }
            (format!("http://t/{number}"), html)
        })
        .collect()
}

fn node(tape: &mut Tape<'_>, number: usize, count: usize, depth: usize, budget: &mut usize, html: &mut String) {
    *budget = budget.saturating_sub(1);
    match tape.below(6) {
        0 | 1 if number + 1 < count => {
            // Now and then a link leads nowhere.
            let to = if tape.once_in(12) {
                99
            } else {
                number + 1 + tape.below(count - number - 1)
            };
            // Each link has an address of its own: within a repetition, two links to one address are one way.
            let _ = write!(html, "<a href='/{to}?{}'>{to}</a>", html.len());
        }
        2 if tape.once_in(2) => html.push_str("<input name=q>"),
        _ => {
            let name = tape.pick(&ELEMENTS);
            let class = tape.pick(&["", " class=c", " class='c d'"]);
            let _ = write!(html, "<{name}{class}>{}", tape.pick(&["", "x", "y"]));
            while depth < 3 && *budget > 0 && !tape.once_in(3) && html.len() < 2000 {
                node(tape, number, count, depth + 1, budget, html);
            }
            let _ = write!(html, "</{name}>");
        }
    }
}

/// What an expression may still have.
#[derive(Clone, Copy)]
struct Room {
    depth: usize,
    /// In a predicate, so values may be extracted.
    predicate: bool,
    /// In a repetition: no contextual actions.
    repeats: bool,
}

/// The source of an expression; most pass the checks.
pub(crate) fn expression(tape: &mut Tape<'_>) -> String {
    let room = Room {
        depth: 3,
        predicate: false,
        repeats: false,
    };
    let mut source = String::new();
    for _ in 0..=usize::from(tape.once_in(10)) {
        if !source.is_empty() {
            source.push_str(" | ");
        }
        let _ = write!(source, "doc('http://t/{}')", usize::from(tape.once_in(4)));
        axis(tape, "/", &mut source);
        if !tape.once_in(3) {
            source.push_str(":<R>");
        }
        let length = 1 + tape.below(4);
        for _ in 0..length {
            segment(tape, room, &mut source);
        }
    }
    source
}

fn axis(tape: &mut Tape<'_>, separator: &str, source: &mut String) {
    if tape.narrow && !tape.once_in(5) {
        let step = tape.pick(&[
            ".",
            "self::node()",
            ".",
            "*[1]",
            "..",
            "(.)",
            "self::*",
            "@class",
            "*[last()]",
            "following-sibling::*[1]",
            "descendant::*[2]",
            "(.|*)[1]",
        ]);
        let _ = write!(source, "{separator}{step}");
        return;
    }
    match tape.below(12) {
        0..=2 | 10 | 11 => {
            let _ = write!(source, "//{}", tape.pick(&NAMES));
        }
        3 | 4 => {
            let _ = write!(source, "{separator}{}", tape.pick(&NAMES));
        }
        5 => {
            let _ = write!(source, "{separator}..");
        }
        6 => {
            let _ = write!(source, "//{}.{}", tape.pick(&NAMES), tape.pick(&["c", "d"]));
        }
        7 => {
            let axis = tape.pick(&[
                "following-sibling",
                "ancestor",
                "ancestor-or-self",
                "preceding",
                "self",
                "following",
            ]);
            let _ = write!(source, "{separator}{axis}::{}", tape.pick(&NAMES));
        }
        8 => {
            let _ = write!(source, "{separator}.");
        }
        _ => {
            let _ = write!(source, "{separator}(..|*)*{}", tape.pick(&["", "{1,2}", "{0,1}"]));
        }
    }
    if tape.once_in(4) {
        source.push_str(tape.pick(&[
            "[1]",
            "[last()]",
            "[.//b]",
            "[@class]",
            "[. ~ 'x']",
            "[*]",
            "[? i]",
            "[not(li)]",
        ]));
    }
}

/// A step with what stands after it.
fn segment(tape: &mut Tape<'_>, room: Room, source: &mut String) {
    match tape.below(14) {
        0..=3 => axis(tape, "/", source),
        4 | 5 => {
            axis(tape, "/", source);
            let _ = write!(source, ":<{}>", tape.pick(&["R", "S", "T"]));
            let predicates = tape.below(3);
            for _ in 0..predicates {
                predicate(tape, room, source);
            }
        }
        6 | 7 => {
            if !tape.once_in(3) {
                axis(tape, "/", source);
            }
            predicate(tape, room, source);
        }
        // Only links: a click on a field stays on the page, which a repetition takes for a circle.
        8 | 9 => source.push_str(tape.pick(&[
            "//a/{click /}",
            "/a/{click /}",
            "/self::a/{click /}",
            "/descendant-or-self::a/{click /}",
        ])),
        10 if !room.repeats => source.push_str(tape.pick(&[
            "//input/{'x'}",
            "//a/{click}",
            "//a[1]/{focus}",
            "/descendant::a/{click}",
            "//input/{'y'}",
        ])),
        11 | 12 if room.depth > 0 => {
            source.push_str("/(");
            body(tape, room, source);
            if tape.once_in(4) {
                source.push('|');
                body(tape, room, source);
            }
            source.push(')');
            source.push_str(tape.pick(&[
                "*", "*{1,1}", "*{2,3}", "+", "*{0,2}", "", "*{2,2}", "*{0,1}", "*{3,}", "*{0,0}",
            ]));
        }
        _ if room.predicate => value(tape, source),
        _ => axis(tape, "/", source),
    }
}

fn value(tape: &mut Tape<'_>, source: &mut String) {
    axis(tape, "/", source);
    let value = tape.pick(&[".", "@class", "count(.//b)", "name(..)", "string(.)"]);
    let _ = write!(source, ":<{}={value}>", tape.pick(&["v", "w"]));
}

fn body(tape: &mut Tape<'_>, room: Room, source: &mut String) {
    let room = Room {
        depth: room.depth - 1,
        repeats: true,
        ..room
    };
    source.push_str(tape.pick(&[".", "*", "..", "a", "self::*"]));
    for _ in 0..tape.below(3) {
        segment(tape, room, source);
    }
}

fn predicate(tape: &mut Tape<'_>, room: Room, source: &mut String) {
    source.push_str(if tape.once_in(3) { "[? " } else { "[" });
    condition(tape, room, source);
    source.push(']');
}

fn condition(tape: &mut Tape<'_>, room: Room, source: &mut String) {
    if room.depth > 0 && tape.once_in(4) {
        let room = Room {
            depth: room.depth - 1,
            ..room
        };
        condition(tape, room, source);
        source.push_str(tape.pick(&[" and ", " or ", " | "]));
        condition(tape, room, source);
        return;
    }
    // From the node, or from the root of its page.
    if !tape.once_in(6) {
        source.push('.');
    }
    let inside = Room {
        depth: room.depth.saturating_sub(1),
        predicate: true,
        ..room
    };
    if source.ends_with('.') {
        for _ in 0..tape.below(3).min(room.depth) {
            segment(tape, inside, source);
        }
    }
    match tape.below(5) {
        0..=2 => value(tape, source),
        3 => {
            axis(tape, "/", source);
            source.push_str(":<Q>");
            if room.depth > 0 {
                predicate(tape, inside, source);
            }
        }
        _ => axis(tape, "/", source),
    }
}
