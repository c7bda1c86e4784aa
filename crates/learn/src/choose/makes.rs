//! What the values of a field are, as a reader sees at once, and how much they differ in it.
//!
//! The values of a column are of one make: dates, or prices, or names. If rows are not aligned, or rows of several lists are taken for one, a field has prices among
//! names. The bits that say of each value what it is count this: none if all are alike, one if they are of two makes, half of them each. Linear in the
//! values. Known failures: two columns of one make, and a column of texts that are short in some rows and long in others.

use record::values::{self, Kind};

/// How often the values of a field are of each make.
#[derive(Default)]
pub(super) struct Makes([u32; MAKES]);

/// The number of makes that [`make`] tells apart.
const MAKES: usize = 11;
/// The most words of a name, and of a title.
const NAME: usize = 3;
const TITLE: usize = 12;

impl Makes {
    pub(super) fn add(&mut self, text: &str) {
        self.0[make(text)] += 1;
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().sum()
    }

    /// The bits that say the makes of all values.
    pub(super) fn bits(&self) -> f64 {
        let count = f64::from(self.count());
        let each = self.0.iter().filter(|times| **times > 0).map(|times| f64::from(*times));
        each.map(|times| -times * (times / count).log2()).sum()
    }
}

/// What a text is, as a reader sees at once: a moment, a price, a number, a link, a code, a name, a title, or a longer text.
fn make(text: &str) -> usize {
    use Kind::{Address, Code, Date, DateTime, Decimal, Email, Image, Integer, Link, Percentage, Phone, Price, Time};
    let makes: [&[Kind]; 8] = [
        &[Date, DateTime],
        &[Time],
        &[Price],
        &[Percentage, Decimal, Integer],
        &[Phone],
        &[Link, Image, Email],
        &[Address],
        &[Code],
    ];
    let kinds = values::kinds(text);
    let known = makes
        .iter()
        .position(|make| make.iter().any(|kind| kinds.contains(*kind)));
    known.unwrap_or_else(|| match text.split_whitespace().take(TITLE + 1).count() {
        words if words <= NAME => 8,
        words if words <= TITLE => 9,
        _ => 10,
    })
}
