//! Headings of another level, and other classes: the first card of a page has its title in an `h2`, and the others in an `h3`; its text is `<p class=lead>`, and theirs `<p class=text>`.
//!
//! What few records have in a heading, in the same steps but for the level of that heading, belongs to the column that these records lack: it is a second way to the values of that. Linear
//! in the records, for each two keys.

use super::{Key, MOST, Maker, ODD, full};
use page::NameId;
use std::collections::HashMap;

impl Maker<'_, '_> {
    /// The ways to what is in headings of another level, by the key of the column that it belongs to. Nothing is left of the keys that these are from.
    pub(super) fn other_levels(&mut self) -> HashMap<usize, Vec<String>> {
        let mut ways: HashMap<usize, Vec<String>> = HashMap::new();
        let mut taken = Vec::new();
        for at in 0..self.keys.len() {
            for other in 0..self.keys.len() {
                if self.is_other_level(at, other) {
                    ways.entry(at).or_default().push(self.best(other));
                    taken.push(other);
                }
            }
        }
        for other in taken {
            self.cells[other].nodes = vec![Vec::new(); self.count];
        }
        ways
    }

    /// Is the second key that of a few records that lack the first one, in headings of another level?
    fn is_other_level(&self, at: usize, other: usize) -> bool {
        let (one, two) = (&self.keys[at], &self.keys[other]);
        let is_plain = |key: &Key| key.sign.is_none() && key.written.is_none();
        if !is_plain(one) || !is_plain(two) || !(self.differ_in_level(one, two) || differ_in_class(one, two)) {
            return false;
        }
        let (most, few) = (full(&self.cells[at]), full(&self.cells[other]));
        let is_single = |key: usize| self.cells[key].nodes.iter().all(|nodes| nodes.len() <= 1);
        most.len() as f64 >= MOST * self.count as f64
            && !few.is_empty()
            && few.len() * ODD <= self.count
            && few.iter().all(|record| most.binary_search(record).is_err())
            && is_single(at)
            && is_single(other)
    }

    /// Are two keys the same but for the level of a heading?
    fn differ_in_level(&self, one: &Key, other: &Key) -> bool {
        let is_heading = |name: NameId| matches!(self.page.name_text(name), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        let mut steps = one.steps.iter().zip(&other.steps);
        let are_same = |name: NameId, other: NameId| name == other || is_heading(name) && is_heading(other);
        one.role == other.role
            && one.attribute == other.attribute
            && (&one.told, &one.around) == (&other.told, &other.around)
            && one.steps.len() == other.steps.len()
            && one.steps != other.steps
            && steps.all(|((name, cell), (other, at))| cell == at && are_same(*name, *other))
    }
}

/// Are two keys the same but for the class that tells their elements?
fn differ_in_class(one: &Key, other: &Key) -> bool {
    one.told.is_some()
        && other.told.is_some()
        && one.told != other.told
        && (one.role, &one.steps, one.attribute, &one.around)
            == (other.role, &other.steps, other.attribute, &other.around)
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn a_title_in_a_heading_of_another_level_is_the_title() {
        let names = ["Kelp", "Moss", "Fern", "Reed", "Oak", "Elm", "Ash", "Ivy"];
        let page = |large: &[usize]| {
            let card = |at: usize| {
                let level = if large.contains(&at) { 2 } else { 4 };
                let picture = if large.contains(&at) {
                    "<img src=/large.png>"
                } else {
                    ""
                };
                format!(
                    "<article>{picture}<i>{}</i><h{level}><a href=/{at}>{} in the old garden</a></h{level}><p>All that is known of number {at}</p></article>",
                    ["Trees", "Ponds"][at % 2],
                    names[at]
                )
            };
            let cards: String = (0..8).map(card).collect();
            Page::parse_str(&format!("<h1>Garden</h1><main>{cards}</main>"), &Default::default()).unwrap()
        };
        let best = crate::regions::find(&page(&[0]), &Job::new()).remove(0);
        let title = best.names.iter().position(|name| name == "title").unwrap();
        for large in [&[0][..], &[], &[3, 5]] {
            let records = PathsRun::new(&best.rule).unwrap().page(&page(large));
            let said = |at: usize| records[at].values.iter().find(|value| value.field == title);
            for (at, name) in names.iter().enumerate() {
                let expected = format!("{name} in the old garden");
                assert_eq!(
                    said(at).map(|value| value.text.as_str()),
                    Some(expected.as_str()),
                    "{:?}",
                    best.rule
                );
            }
        }
    }
}
