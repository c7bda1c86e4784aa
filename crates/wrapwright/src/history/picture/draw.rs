//! Shapes, numbers and text of an SVG.

use std::fmt::Write;

/// The next number that is 1, 2 or 5 followed by zeros.
pub(super) fn round(number: u64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for digit in [1, 2, 5] {
            match power.checked_mul(digit) {
                Some(limit) if limit >= number => return limit,
                Some(_) => {}
                None => return number.max(1),
            }
        }
        power = power.saturating_mul(10);
    }
}

/// A rectangle, with a tooltip if `title` is given.
pub(super) fn rectangle(out: &mut String, (x, y, wide, high): (f64, f64, f64, f64), colour: &str, title: Option<&str>) {
    let (x, y, wide, high) = (short(x), short(y), short(wide), short(high));
    let _ = write!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"{colour}\""
    );
    let _ = match title {
        Some(title) => writeln!(out, "><title>{}</title></rect>", escaped(title)),
        None => writeln!(out, "/>"),
    };
}

/// A line of text.
pub(super) fn label(out: &mut String, (x, y): (f64, f64), size: f64, (colour, anchor): (&str, &str), words: &str) {
    let (x, y, words) = (short(x), short(y), escaped(words));
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}

/// A length, rounded to a hundredth.
pub(super) fn short(length: f64) -> String {
    let text = format!("{length:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Text escaped for XML: for content, and for attributes in double quotes.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
