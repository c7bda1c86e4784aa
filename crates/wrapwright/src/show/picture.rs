//! The tree of a wrapper as a picture in SVG.

use super::page::escape;
use std::collections::BTreeMap;

/// A line of the tree.
pub(super) struct Line {
    pub(super) depth: usize,
    pub(super) text: String,
    /// Does it name a field?
    pub(super) field: bool,
}

/// The tree as a picture: a box for each line, fields in colour.
pub(super) fn svg(lines: &[Line]) -> String {
    const ROW: usize = 22;
    const STEP: usize = 18;
    const LONGEST: usize = 84;
    let deepest = lines.iter().map(|line| line.depth).max().unwrap_or(0);
    let (width, height) = (deepest * STEP + 660, lines.len() * ROW + 16);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    // For each depth, the row of the last line there: what is deeper hangs from it.
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    for (row, line) in lines.iter().enumerate() {
        let (x, y) = (8 + line.depth * STEP, 8 + row * ROW);
        if let Some(parent) = line.depth.checked_sub(1).and_then(|depth| last.get(&depth)) {
            let (px, py) = (x - STEP + 6, 8 + parent * ROW + ROW - 4);
            out += &format!("<path d=\"M{px} {py}V{}H{x}\" fill=\"none\" stroke=\"#999\"/>\n", y + 9);
        }
        last.insert(line.depth, row);
        let fill = if line.field { "#d7f0d7" } else { "#e3ebf7" };
        let mut text: String = line.text.chars().take(LONGEST).collect();
        if line.text.chars().nth(LONGEST).is_some() {
            text.push('…');
        }
        // A monospaced letter of this size is about 7.25 wide.
        let wide = text.chars().count() * 29 / 4 + 12;
        out += &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"18\" rx=\"4\" fill=\"{fill}\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>\n",
            x + 5,
            y + 13,
            escape(&text)
        );
    }
    out + "</svg>\n"
}
