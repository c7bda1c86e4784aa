//! Elements of one name that a record has several of, told by their classes: `<span class=author>` and `<span class=date>`.
//!
//! Their places do not tell them where a record lacks one of them. If each has a class, and hardly any record has a class twice, elements with one class
//! are a column. Two classes that are in one record are of two fields, even if one of them is rare: an optional element. Classes that are never together may say what is special about one field (a price that was
//! reduced), so each class must be together with each one that most records have, or with all but one of several if it is rare. If no class is in most records, most must have several of these elements.
//!
//! One element of a record may have no class, where others have several: that tells it, too.
//!
//! If the elements have no such classes, those of the elements around them may tell: `<div class=date><span>`, `<div class=place><span>`. The nearest that tell are taken.
//!
//! Linear in the elements.

use super::{Cells, Key, Maker, ODD};
use page::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// The most classes of one path.
const CLASSES: usize = 12;
/// The share of the elements whose class comes again in their record, at most.
const AGAIN: f64 = 0.05;

impl Maker<'_, '_> {
    /// Makes a column for each class of elements that only a class tells.
    pub(super) fn tell_by_class(&mut self) {
        for at in 0..self.keys.len() {
            let key = &self.keys[at];
            // Classes of pictures say how large they are.
            let is_said = matches!(key.attribute, None | Some("href"));
            let is_plain =
                is_said && key.sign.is_none() && key.told.is_none() && key.around.is_none() && !key.steps.is_empty();
            if !is_plain || self.cells[at].nodes.iter().all(|nodes| nodes.len() < 2) {
                continue;
            }
            let steps = key.steps.iter().rev();
            let free = steps.take_while(|(_, cell)| cell.is_none()).count();
            let found = (0..free).find_map(|above| Some((above, self.classes(at, above)?)));
            let Some((above, classes)) = found else { continue };
            let mut columns: Vec<(Key, Cells)> = Vec::new();
            for class in classes {
                let of_class = |nodes: &Vec<NodeId>| -> Vec<NodeId> {
                    let those = nodes
                        .iter()
                        .copied()
                        .filter(|node| self.class(*node, above) == Some(class.as_str()));
                    those.collect()
                };
                let key = Key {
                    told: (above == 0).then(|| class.clone()),
                    around: (above > 0).then(|| (above, class.clone())),
                    ..self.keys[at].clone()
                };
                let nodes = self.cells[at].nodes.iter().map(of_class).collect();
                columns.push((key, Cells { nodes }));
            }
            self.cells[at].nodes = vec![Vec::new(); self.count];
            for (key, cells) in columns {
                self.numbers.insert(key.clone(), self.keys.len());
                self.keys.push(key);
                self.cells.push(cells);
            }
        }
    }

    /// The class of an element, which may be empty, or of the one that is this number of steps above it.
    fn class(&self, node: NodeId, above: usize) -> Option<&str> {
        let mut around = std::iter::once(node).chain(self.page.ancestors(node));
        let class = self
            .page
            .attribute_value(around.nth(above)?, "class")
            .unwrap_or_default();
        Some(class).filter(|class| above == 0 || !class.trim().is_empty())
    }

    /// The classes of the elements of a column, or of those that are `above` them by this number of steps, in the order of the page, if they tell them apart.
    fn classes(&self, at: usize, above: usize) -> Option<Vec<String>> {
        let mut records: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        let mut order: Vec<&str> = Vec::new();
        let (mut again, mut all) = (0, 0);
        let (mut filled, mut several) = (0, 0);
        for (number, nodes) in self.cells[at].nodes.iter().enumerate() {
            filled += usize::from(!nodes.is_empty());
            several += usize::from(nodes.len() > 1);
            let mut known: Vec<&str> = Vec::new();
            for node in nodes {
                let class = self.class(*node, above)?;
                all += 1;
                match known.contains(&class) {
                    true => again += 1,
                    false => known.push(class),
                }
                if !order.contains(&class) {
                    order.push(class);
                }
                if order.len() > CLASSES {
                    return None;
                }
            }
            known.iter().for_each(|class| {
                records.entry(class).or_default().insert(number);
            });
        }
        let usual: Vec<&BTreeSet<usize>> = records.values().filter(|of| of.len() * 2 >= filled).collect();
        // A rare class that is never with one of them is another class of the same field (see `levels`).
        let together = |of: &BTreeSet<usize>| {
            let apart = usual.iter().filter(|usual| of.is_disjoint(usual)).count();
            apart == 0 || apart == 1 && of.len() * ODD <= filled && usual.len() > 2
        };
        let named = records.keys().filter(|class| !class.trim().is_empty()).count();
        let is_sure = named > 1 || named == records.len();
        let tells = records.len() > 1
            && is_sure
            && again as f64 <= AGAIN * f64::from(all)
            && (several * 2 >= filled || !usual.is_empty())
            && records.values().all(together);
        tells.then(|| order.into_iter().map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::regions;
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    const NAMES: [&str; 10] = ["Ann", "Bob", "Cy", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Joe"];

    /// Stories, some of which have no author.
    fn page(without: &[usize]) -> Page {
        let story = |number: usize| {
            let author = match without.contains(&number) {
                true => String::new(),
                false => format!("<span class=author>{} Bell</span> ", NAMES[number]),
            };
            let kind = if number.is_multiple_of(2) { "News" } else { "Sport" };
            format!(
                "<li><h3><a href=s{number}>Story number {number} of the day</a></h3>\
                 <p>{author}<span class=date>{} May 2024</span> <span class=kind>{kind}</span></p></li>",
                number + 1
            )
        };
        let list: String = (0..10).map(story).collect();
        Page::parse_str(&format!("<h1>Stories</h1><ul>{list}</ul>"), &Default::default()).unwrap()
    }

    #[test]
    fn one_element_without_a_class_is_told_by_that() {
        let page = |without: &[usize]| {
            let story = |number: usize| {
                let author = match without.contains(&number) {
                    true => String::new(),
                    false => format!("<p class=author>{} Bell</p>", NAMES[number]),
                };
                format!(
                    "<div><h3><a href=s{number}>Story number {number} of the day</a></h3>{author}<p class=town>Town of {}</p><p>All that is said in {number}</p></div>",
                    NAMES[9 - number]
                )
            };
            let list: String = (0..10).map(story).collect();
            Page::parse_str(&format!("<h1>Stories</h1><main>{list}</main>"), &Default::default()).unwrap()
        };
        let best = regions::find(&page(&[2, 5, 6]), &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page(&[0, 3]));
        let town = best
            .names
            .iter()
            .position(|name| name == "town")
            .unwrap_or_else(|| panic!("{:?}", best.names));
        for (at, record) in records.iter().enumerate() {
            let said: Vec<&str> = record
                .values
                .iter()
                .filter(|value| value.field == town)
                .map(|value| value.text.as_str())
                .collect();
            assert_eq!(said, [format!("Town of {}", NAMES[9 - at])], "{:?}", best.rule.fields);
        }
    }

    #[test]
    fn a_field_of_one_record_may_have_another_class() {
        let page = |large: usize| {
            let story = |number: usize| {
                let class = if number == large { "lead" } else { "summary" };
                let author = match number % 3 {
                    1 => String::new(),
                    _ => format!("<p class=author>{} Bell</p>", NAMES[number]),
                };
                format!(
                    "<div><h3><a href=s{number}>Story number {number} of the day</a></h3>{author}<p class=town>Town of {}</p><p class={class}>All of it in {number}</p><p class=day>Day {number}</p></div>",
                    NAMES[9 - number]
                )
            };
            let list: String = (0..10).map(story).collect();
            Page::parse_str(&format!("<h1>Stories</h1><main>{list}</main>"), &Default::default()).unwrap()
        };
        let best = regions::find(&page(0), &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page(4));
        let field = |name: &str| {
            best.names
                .iter()
                .position(|other| other == name)
                .unwrap_or_else(|| panic!("{:?}", best.names))
        };
        for (at, record) in records.iter().enumerate() {
            let said = |name: &str| {
                record
                    .values
                    .iter()
                    .find(|value| value.field == field(name))
                    .map(|value| value.text.clone())
            };
            assert_eq!(
                said("summary"),
                Some(format!("All of it in {at}")),
                "{:?}",
                best.rule.fields
            );
            assert_eq!(
                said("town"),
                Some(format!("Town of {}", NAMES[9 - at])),
                "{:?}",
                best.rule.fields
            );
        }
    }

    #[test]
    fn what_a_class_tells_does_not_move_where_another_one_is_missing() {
        for known in [&[][..], &[2, 5, 6]] {
            let best = regions::find(&page(known), &Job::new()).remove(0);
            assert_eq!(
                best.names,
                ["title", "link", "author", "date", "kind"],
                "{:?}",
                best.rule
            );
            let records = PathsRun::new(&best.rule).unwrap().page(&page(&[0, 3]));
            let said =
                |at: usize| -> Vec<&str> { records[at].values.iter().map(|value| value.text.as_str()).collect() };
            assert_eq!(said(0), ["Story number 0 of the day", "s0", "1 May 2024", "News"]);
            assert_eq!(
                said(1),
                ["Story number 1 of the day", "s1", "Bob Bell", "2 May 2024", "Sport"]
            );
        }
    }
    #[test]
    fn an_element_that_few_records_have_does_not_move_the_others() {
        let story = |number: usize| {
            let code = match number {
                3 | 7 => format!("<span class=code>A-{number}</span> "),
                _ => String::new(),
            };
            let kind = if number.is_multiple_of(3) { "Public" } else { "Closed" };
            format!(
                "<li><h3><a href=s{number}>{} Bell</a></h3><p>{code}<span class=kind>{kind}</span></p></li>",
                NAMES[number]
            )
        };
        let list: String = (0..10).map(story).collect();
        let page = Page::parse_str(&format!("<h1>People</h1><ul>{list}</ul>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let said = |at: usize| -> Vec<(&str, &str)> {
            let values = records[at].values.iter();
            values
                .map(|value| (best.names[value.field].as_str(), value.text.as_str()))
                .collect()
        };
        assert!(said(2).contains(&("kind", "Closed")), "{:?}", said(2));
        assert!(said(3).contains(&("kind", "Public")), "{:?}", said(3));
        assert!(said(3).iter().any(|(_, text)| *text == "A-3"), "{:?}", said(3));
    }

    #[test]
    fn a_class_of_the_element_around_tells_too() {
        let row = |number: usize, without: &[usize]| {
            let place = match without.contains(&number) {
                true => String::new(),
                false => format!("<div class=place><span>{} Hall</span></div>", NAMES[9 - number]),
            };
            format!(
                "<div class=row><div class=title><span><a href=n{number}>{} Bell</a></span></div>{place}<div class=note><span>{} sings</span></div></div>",
                NAMES[number],
                NAMES[(number + 3) % 10]
            )
        };
        let page = |without: &[usize]| {
            let rows: String = (0..10).map(|number| row(number, without)).collect();
            Page::parse_str(&format!("<h1>Concerts</h1><div>{rows}</div>"), &Default::default()).unwrap()
        };
        let best = regions::find(&page(&[1, 2, 5, 6]), &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page(&[0, 3]));
        let said = |at: usize| -> Vec<&str> { records[at].values.iter().map(|value| value.text.as_str()).collect() };
        assert_eq!(said(0), ["Ann Bell", "n0", "Dan sings"], "{:?}", best.rule);
        assert_eq!(said(1), ["Bob Bell", "n1", "Ida Hall", "Eve sings"], "{:?}", best.rule);
        let field = |at: usize, text: &str| {
            records[at]
                .values
                .iter()
                .find(|value| value.text == text)
                .map(|value| value.field)
        };
        assert_eq!(field(0, "Dan sings"), field(1, "Eve sings"));
    }
}
