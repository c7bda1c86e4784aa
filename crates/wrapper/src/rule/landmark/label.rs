//! Labels that lead to values wherever they stand on a page.
//!
//! Rows of a table move: one page has a row more, another one shows it in the next column, a third one has it in a frame of its own. A
//! reader still finds the value, because its label is beside it. So does a [`Label`]. **In**: the tokens of a page and the place of the
//! words. **Out**: the texts that they are the label of.
//!
//! - [`Side::After`]: the label is enlarged to the highest element that says nothing else. The next sibling that says something is
//!   the value, and so are those behind it, up to one of the label's own kind, to another label, or to a block of another
//!   kind. An empty cell after the cell of a label is an empty value. A heading is the value of nothing before it.
//! - [`Side::Below`]: the label is alone in its cell, and the value is the cell of the same column in the next row.
//!
//! Cost: the siblings beside the label and the texts of the value. A value has at most [`MOST`] texts: more are a section of the page
//! with a heading.

use super::{Piece, Token, Tokens};
use page::{Page, vocabulary};

/// The words before or above the values of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its spellings.
    pub words: Vec<String>,
    /// Where the values are.
    pub side: Side,
    /// May a page have several values?
    pub many: bool,
}

/// Where the values of a label are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// After it.
    After,
    /// In the cell below it.
    Below,
}

/// The most texts of a value.
const MOST: usize = 20;
/// How far above a label the element may be that also has the value.
const DEEP: usize = 5;
/// The most cells of a row.
const CELLS: usize = 400;

impl Side {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Side::After => "after",
            Side::Below => "below",
        }
    }

    /// The positions of the texts that the text at a position is the label of; `is_label` says which other texts are labels.
    pub fn values(self, page: &Page, tokens: &Tokens, label: u32, is_label: &dyn Fn(u32) -> bool) -> Vec<u32> {
        let sight = Sight {
            page,
            tokens: &tokens.tokens,
            is_label,
        };
        match self {
            Side::After => sight.after(label),
            Side::Below => sight.below(label).unwrap_or_default(),
        }
    }
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

struct Sight<'p> {
    page: &'p Page,
    tokens: &'p [Token],
    is_label: &'p dyn Fn(u32) -> bool,
}

impl Sight<'_> {
    fn after(&self, label: u32) -> Vec<u32> {
        let mut own = label;
        for _ in 0..DEEP {
            match self.behind(own) {
                Some(texts) if texts.len() > MOST => return Vec::new(),
                Some(texts) => return texts,
                None => {}
            }
            match self.parent(own).filter(|up| self.says_only(*up, label)) {
                Some(up) => own = up,
                None => break,
            }
        }
        Vec::new()
    }

    /// The texts of the value among the siblings after an element or text; `None` if there is no value.
    fn behind(&self, own: u32) -> Option<Vec<u32>> {
        let is_cell = ["td", "th"].contains(&self.tag(own));
        let mut first: Option<u32> = None;
        let mut found = Vec::new();
        for unit in self.units(self.tokens[own as usize].mate + 1) {
            if first.is_some_and(|first| self.ends(own, first, unit)) {
                break;
            }
            let texts = self.texts(unit);
            if let Some(at) = texts.iter().position(|text| (self.is_label)(*text)) {
                // Another label comes first, so there is no value.
                found.extend(&texts[..at]);
                return Some(found);
            }
            if first.is_none() && is_heading(self.tag(unit)) {
                return Some(found);
            }
            if first.is_none() && (!texts.is_empty() || is_cell && self.tag(unit) == self.tag(own)) {
                first = Some(unit);
            }
            found.extend(texts);
            if found.len() > MOST {
                break;
            }
        }
        first.map(|_| found)
    }

    /// Does a value that begins with `first` end before a unit?
    fn ends(&self, own: u32, first: u32, unit: u32) -> bool {
        let tag = self.tag(unit);
        match self.tokens[own as usize].piece {
            Piece::Text if self.tokens[unit as usize].piece == Piece::Text => self.is_said(unit),
            Piece::Text if tag == "br" => true,
            _ if self.tokens[unit as usize].piece == Piece::Text => false,
            _ => tag == self.tag(own) || tag != self.tag(first) && !vocabulary::is_phrasing(tag),
        }
    }

    fn below(&self, label: u32) -> Option<Vec<u32>> {
        let mut cell = self.parent(label)?;
        for _ in 0..DEEP {
            if ["td", "th"].contains(&self.tag(cell)) {
                break;
            }
            cell = self.parent(cell)?;
        }
        if !["td", "th"].contains(&self.tag(cell)) || !self.says_only(cell, label) {
            return None;
        }
        let row = self.parent(cell).filter(|row| self.tag(*row) == "tr")?;
        let column: usize = self
            .cells(row)
            .take_while(|(other, _)| *other != cell)
            .map(|(_, span)| span)
            .sum();
        let next = |from: u32| self.units(from).find(|unit| self.tag(*unit) == "tr");
        let after = next(self.tokens[row as usize].mate + 1).or_else(|| {
            let head = self.parent(row).filter(|head| self.tag(*head) == "thead")?;
            let mut bodies = self.units(self.tokens[head as usize].mate + 1);
            next(bodies.find(|unit| self.tag(*unit) == "tbody")? + 1)
        })?;
        let mut at = 0;
        for (cell, span) in self.cells(after) {
            if (at..at + span).contains(&column) {
                let texts = self.texts(cell);
                let is_value = texts.len() <= MOST && !texts.iter().any(|text| (self.is_label)(*text));
                return is_value.then_some(texts);
            }
            at += span;
        }
        None
    }

    fn cells(&self, row: u32) -> impl Iterator<Item = (u32, usize)> + '_ {
        let cells = self
            .units(row + 1)
            .filter(|unit| ["td", "th"].contains(&self.tag(*unit)));
        cells.take(CELLS).map(|cell| {
            let span = self.page.attribute_value(self.tokens[cell as usize].node, "colspan");
            let span = span.and_then(|span| span.trim().parse().ok()).unwrap_or(1);
            (cell, span.clamp(1, CELLS))
        })
    }

    /// What a token is; an element that was opened ([`Tokens::set_open`]) is still an element.
    fn piece(&self, at: u32) -> Piece {
        match self.tokens[at as usize] {
            Token {
                piece: Piece::End,
                mate,
                ..
            } if mate > at => Piece::Start,
            token => token.piece,
        }
    }

    /// The siblings from a position on, up to the end of their parent.
    fn units(&self, from: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = from as usize;
        std::iter::from_fn(move || {
            let token = self
                .tokens
                .get(next)
                .filter(|_| self.piece(next as u32) != Piece::End)?;
            let unit = next as u32;
            next = token.mate as usize + 1;
            Some(unit)
        })
    }

    /// The element around a token.
    fn parent(&self, at: u32) -> Option<u32> {
        let mut before = at;
        loop {
            before = before.checked_sub(1)?;
            match self.piece(before) {
                Piece::Start => return Some(before),
                Piece::End => before = self.tokens[before as usize].mate,
                Piece::Text | Piece::Word => {}
            }
        }
    }

    fn tag(&self, at: u32) -> &str {
        match self.piece(at) {
            Piece::Start => self.page.name(self.tokens[at as usize].node),
            _ => "",
        }
    }

    fn is_said(&self, text: u32) -> bool {
        let text = self.page.string_value(self.tokens[text as usize].node);
        text.chars().any(char::is_alphanumeric)
    }

    /// The texts in a unit that are no separators.
    fn texts(&self, unit: u32) -> Vec<u32> {
        let inside = unit..=self.tokens[unit as usize].mate;
        let texts = inside.filter(|at| self.tokens[*at as usize].piece == Piece::Text && self.is_said(*at));
        texts.take(MOST + 1).collect()
    }

    /// Is a text the only one in an element?
    fn says_only(&self, element: u32, text: u32) -> bool {
        self.texts(element) == [text]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::landmark::Grain;

    fn value(html: &str, side: Side, words: &str) -> String {
        let page = Page::parse_str(html, &Default::default()).unwrap();
        let tokens = Tokens::new(&page, Grain::Nodes);
        let said = |at: u32| page.string_value(tokens.tokens[at as usize].node).trim();
        let is_text = |at: &u32| tokens.tokens[*at as usize].piece == Piece::Text;
        let label = (0..tokens.len()).find(|at| is_text(at) && said(*at) == words).unwrap();
        let found = side.values(&page, &tokens, label, &|at| said(at).ends_with(':'));
        found.into_iter().map(said).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn values_are_after_their_label() {
        for (html, expected) in [
            ("<table><tr><td><b>Age:</b><td>31<td>Team:<td>x</table>", "31"),
            ("<table><tr><td>Age:<td><td>Team:<td>x</table>", ""),
            ("<table><tr><td>Age:<td>31<td>x</table>", "31"),
            (
                "<p><b>Age:</b> 31 <i>years</i>, <i>old</i><b>Team:</b> x",
                "31|years|old",
            ),
            ("<p><b>Age:</b><br><b>Team:</b> x", ""),
            ("<dl><dt>Age:<dd>31<dd>32<dt>Team:<dd>x</dl>", "31|32"),
            ("<div><div>Age:</div></div><div>31</div><div>x</div>", "31"),
            ("<h3>Age:</h3><p>31<p>32<div>x</div>", "31|32"),
            ("<p>Age: <i>31</i><br>x", "31"),
            ("<p>a</p><div><p>b</p><p>Age:</p></div><p>x</p>", ""),
            ("<p>Age:</p><h1>x</h1><p>31</p>", ""),
        ] {
            assert_eq!(value(html, Side::After, "Age:"), expected, "{html}");
        }
    }

    #[test]
    fn values_are_below_their_heading() {
        let rows = "<tr><th colspan=2>Name<th><b>Age</b></tr>";
        for (html, expected) in [
            (format!("<table>{rows}<tr><td>a<td>b<td>31<tr><td>x</table>"), "31"),
            (
                format!("<table><thead>{rows}</thead><tbody><tr><td>a<td>b<td>31</tbody></table>"),
                "31",
            ),
            (format!("<table>{rows}</table><p>x"), ""),
            (format!("<table>{rows}<tr><td>a<td>b</table>"), ""),
        ] {
            assert_eq!(value(&html, Side::Below, "Age"), expected, "{html}");
        }
    }
}
