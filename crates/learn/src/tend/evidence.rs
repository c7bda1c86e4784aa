//! What is seen of values on their pages, and how well two such sights agree.

use crate::guided::locate::Places;
use crate::guided::{Lesson, Wanted};
use page::{Kind, NodeId, Page};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use wrapper::profile::{FieldProfile, Profile, Sight, number, shape};
use wrapper::rule::guided::value;

/// How many texts a label may be away, and how long it may be.
const REACH: usize = 6;
const LONGEST: usize = 60;

/// Gathers the profile of fields from pages and what was extracted from them.
pub fn gather(wanted: &[Wanted], lessons: &[Lesson<'_>]) -> Profile {
    let mut profile = Profile {
        fields: vec![FieldProfile::default(); wanted.len()],
        ..Profile::default()
    };
    for lesson in lessons {
        let places = Places::new(lesson.page);
        let known: HashSet<String> = lesson
            .records
            .iter()
            .flatten()
            .flatten()
            .map(|text| tidy(text))
            .collect();
        let of = |field: usize| lesson.records.iter().filter_map(move |record| record.get(field));
        let values: Vec<u64> = (0..wanted.len())
            .map(|field| of(field).map(|values| values.len() as u64).sum())
            .collect();
        profile.add_page(lesson.records.len() as u64, &values);
        let mut last: Vec<NodeId> = vec![NodeId::DOCUMENT; wanted.len()];
        for record in &lesson.records {
            for (field, values) in record.iter().enumerate().take(wanted.len()) {
                profile.fields[field].records += u64::from(!values.is_empty());
                for text in values {
                    let text = tidy(text);
                    let spots = places.of(&text);
                    // The first place behind the last one of this field, as records go.
                    let next = spots.iter().find(|spot| spot.node > last[field]).or(spots.first());
                    let sight = match next {
                        Some(spot) => {
                            last[field] = spot.node;
                            let mut sight = sight(lesson.page, spot.node, &known);
                            let inside = spot.before.trim();
                            if !inside.is_empty()
                                && inside.chars().count() <= LONGEST
                                && inside.chars().any(char::is_alphabetic)
                            {
                                sight.label = Some(inside.to_owned());
                            }
                            Sight { text, ..sight }
                        }
                        None => Sight {
                            text,
                            ..Sight::default()
                        },
                    };
                    profile.fields[field].add(&sight);
                }
            }
        }
    }
    profile
}

pub(super) fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is seen of a node; `known` are texts that are values, and so no labels.
pub(super) fn sight(page: &Page, node: NodeId, known: &HashSet<String>) -> Sight {
    let attribute = page.kind(node) == Kind::Attribute;
    let owner = if page.is_element(node) {
        node
    } else {
        page.parent(node).unwrap_or(node)
    };
    let link = page.name(owner) == "a" || page.ancestors(owner).take(3).any(|up| page.name(up) == "a");
    let mut names = Vec::new();
    for up in std::iter::once(owner)
        .chain(page.ancestors(owner))
        .filter(|up| page.is_element(*up))
        .take(3)
    {
        for name in ["class", "id", "itemprop", "property", "data-testid", "headers"] {
            if let Some(text) = page.attribute_value(up, name) {
                names.extend(words(text));
            }
        }
    }
    names.sort();
    names.dedup();
    Sight {
        text: value(page, node),
        link,
        attribute,
        label: label(page, node, known).or_else(|| heading(page, owner)),
        tag: match attribute {
            true => format!("@{}", page.name(node)),
            false => page.name(owner).to_owned(),
        },
        names,
    }
}

/// The words of a name: `wprm-recipeIngredient_2` is wprm, recipe, ingredient.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && lower) {
            words.push(std::mem::take(&mut word));
        }
        lower = c.is_lowercase();
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
    }
    words.push(word);
    words.retain(|word| word.len() > 1);
    // One or many are the same.
    for word in &mut words {
        if word.len() > 3 && word.ends_with('s') {
            word.pop();
        }
    }
    words
}

/// The words before a node that a reader would take for its label.
fn label(page: &Page, node: NodeId, known: &HashSet<String>) -> Option<String> {
    let texts = page.texts();
    let place = texts.partition_point(|text| *text < node);
    let mut steps = 0;
    for text in texts[..place].iter().rev() {
        let holder = page.parent(*text)?;
        if matches!(page.name(holder), "script" | "style" | "noscript") {
            continue;
        }
        let words = value(page, *text);
        if words.is_empty() {
            continue;
        }
        steps += 1;
        if known.contains(&words) || words.chars().count() > LONGEST || steps > REACH {
            return None;
        }
        if words.chars().any(char::is_alphabetic) {
            return Some(words);
        }
    }
    None
}

/// The heading of a table's column.
fn heading(page: &Page, node: NodeId) -> Option<String> {
    let cell = std::iter::once(node)
        .chain(page.ancestors(node))
        .take(4)
        .find(|up| page.name(*up) == "td")?;
    let row = page.parent(cell)?;
    let place = page
        .children(row)
        .filter(|child| page.is_element(*child))
        .position(|child| child == cell)?;
    let table = page.ancestors(row).find(|up| page.name(*up) == "table")?;
    let end = page.end(table);
    let rows = page.elements_named(page.name_id("tr")?);
    let first = rows[rows.partition_point(|row| *row < table)..]
        .iter()
        .find(|row| **row < end)?;
    if *first == row {
        return None;
    }
    let head = page
        .children(*first)
        .filter(|child| page.is_element(*child))
        .nth(place)?;
    let words = value(page, head);
    let telling = page.name(head) == "th"
        || page
            .children(head)
            .any(|child| matches!(page.name(child), "b" | "strong"));
    (telling && !words.is_empty() && words.chars().count() <= LONGEST).then_some(words)
}

/// What a value is, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Address,
    Date,
    Number,
    Code,
    Words,
    Prose,
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

pub(super) fn sort(text: &str) -> Sort {
    let spaces = text.split_whitespace().count();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if spaces <= 1 && (text.contains("://") || text.starts_with('/') || text.starts_with("www.")) {
        return Sort::Address;
    }
    let groups: Vec<&str> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|group| !group.is_empty())
        .collect();
    let lower = text.to_lowercase();
    let month = lower
        .split(|c: char| !c.is_alphabetic())
        .any(|word| word.len() >= 3 && MONTHS.iter().any(|month| word.starts_with(month)));
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let separated = text.contains(['/', '-', '.']);
    if spaces <= 6
        && ((month && (1..=3).contains(&groups.len()) && letters < 20)
            || (groups.len() == 3 && separated && letters == 0 && groups.iter().all(|group| group.len() <= 4)))
    {
        return Sort::Date;
    }
    if number(text).is_some() && letters <= 3 {
        return Sort::Number;
    }
    if digits > 0 && spaces <= 2 && letters < 16 {
        return Sort::Code;
    }
    if spaces > 12 { Sort::Prose } else { Sort::Words }
}

/// A sight with what is asked of it again and again.
pub(super) struct Look {
    pub(super) sight: Sight,
    bare: String,
    shape: String,
    sort: Sort,
    label: HashSet<String>,
    length: f64,
}

impl Look {
    pub(super) fn new(sight: Sight) -> Look {
        Look {
            bare: bare(&sight.text),
            shape: shape(&sight.text),
            sort: sort(&sight.text),
            label: sight.label.iter().flat_map(|label| words(label)).collect(),
            length: sight.text.chars().count() as f64,
            sight,
        }
    }

    /// The same place with another text: a part of its own.
    pub(super) fn cut(&self, text: &str, before: &str) -> Look {
        let label = Some(before.trim())
            .filter(|before| before.chars().any(char::is_alphabetic) && before.chars().count() <= LONGEST);
        Look::new(Sight {
            text: text.to_owned(),
            label: label.map(str::to_owned).or_else(|| self.sight.label.clone()),
            ..self.sight.clone()
        })
    }
}

/// A field with what is asked of it again and again.
pub(super) struct Known<'p> {
    pub(super) field: &'p FieldProfile,
    bares: HashSet<String>,
    sorts: BTreeMap<Sort, f64>,
    labels: Vec<HashSet<String>>,
    own: HashSet<String>,
    shapes: RefCell<HashMap<String, f64>>,
    /// Ways of writing by which a value can be told from the text around it.
    telling: Vec<&'p str>,
}

impl<'p> Known<'p> {
    pub(super) fn new(field: &'p FieldProfile, name: &str) -> Known<'p> {
        let mut sorts: BTreeMap<Sort, f64> = BTreeMap::new();
        for text in &field.samples {
            *sorts.entry(sort(text)).or_default() += 1.0 / field.samples.len() as f64;
        }
        let labelled: u64 = field.labels.values().sum();
        let labels = match labelled * 2 < field.count || field.label().is_none() {
            true => Vec::new(),
            false => field
                .labels
                .keys()
                .map(|label| words(label).into_iter().collect())
                .collect(),
        };
        let telling = field.shapes.iter().filter(|(shape, count)| {
            **count * 5 >= field.count
                && shape.contains('0')
                && shape.chars().filter(|c| !c.is_alphanumeric()).count() > 0
        });
        Known {
            field,
            bares: field.samples.iter().map(|text| bare(text)).collect(),
            sorts,
            labels,
            own: words(name).into_iter().collect(),
            shapes: RefCell::default(),
            telling: telling.map(|(shape, _)| shape.as_str()).collect(),
        }
    }

    fn shape_fit(&self, shape: &str) -> f64 {
        if let Some(fit) = self.shapes.borrow().get(shape) {
            return *fit;
        }
        let fit = self
            .field
            .shapes
            .keys()
            .map(|known| alike(known, shape))
            .fold(0.0, f64::max);
        self.shapes.borrow_mut().insert(shape.to_owned(), fit);
        fit
    }

    /// The part of a text that is written as values are, if the text is not: the text before it, and the part.
    pub(super) fn part<'t>(&self, look: &'t Look) -> Option<(&'t str, &'t str)> {
        let text = look.sight.text.as_str();
        let digits = text.bytes().any(|byte| byte.is_ascii_digit());
        if self.telling.is_empty() || !digits || text.len() > 200 || self.field.shapes.contains_key(&look.shape) {
            return None;
        }
        let mut starts: Vec<usize> = vec![0];
        let mut ends: Vec<usize> = Vec::new();
        for (at, c) in text.char_indices() {
            if !c.is_alphanumeric() {
                ends.push(at);
                starts.push(at + c.len_utf8());
            }
        }
        ends.push(text.len());
        // The longest part at the first place.
        for start in starts {
            let longest = start + self.field.length.2 as usize * 2 + 4;
            for end in ends.iter().rev().filter(|end| **end > start && **end <= longest) {
                let part = &text[start..*end];
                if part.starts_with(char::is_alphanumeric) && self.telling.contains(&shape(part).as_str()) {
                    return Some((&text[..start], part));
                }
            }
        }
        None
    }

    /// How well a column fits the field, from 0 to about 1.
    pub(super) fn fit(&self, looks: &[&Look], per_record: f64) -> f64 {
        let field = self.field;
        if looks.is_empty() || field.count == 0 {
            return 0.0;
        }
        let count = looks.len() as f64;
        let mean = |of: &dyn Fn(&Look) -> f64| looks.iter().map(|look| of(look)).sum::<f64>() / count;
        let share = |holds: &dyn Fn(&Look) -> bool| mean(&|look: &Look| f64::from(u8::from(holds(look))));
        let recurs = share(&|look: &Look| self.bares.contains(&look.bare));
        let shapes = mean(&|look: &Look| self.shape_fit(&look.shape));
        let sorted = mean(&|look: &Look| self.sorts.get(&look.sort).copied().unwrap_or(0.0));
        let length = (-((mean(&|look: &Look| look.length) + 2.0) / (field.mean_length() + 2.0))
            .ln()
            .abs())
        .exp();
        let link = 1.0 - (share(&|look: &Look| look.sight.link) - field.link_share()).abs();
        let attributes = field.attributes as f64 / field.count as f64;
        let in_attribute = 1.0 - (share(&|look: &Look| look.sight.attribute) - attributes).abs();
        let tag = share(&|look: &Look| field.tags.contains_key(&look.sight.tag));
        let usual = field.count as f64 / field.records.max(1) as f64;
        let many = (-(per_record.max(0.1) / usual.max(0.1)).ln().abs()).exp();
        // Values that are different should be so here too.
        let mut different: Vec<&str> = looks.iter().map(|look| look.sight.text.as_str()).collect();
        different.sort_unstable();
        different.dedup();
        let variety = 1.0 - (different.len() as f64 / count - field.different as f64 / field.count as f64).abs() * 0.7;
        let sum = 3.0 * recurs
            + 1.2 * shapes
            + sorted
            + 0.8 * length
            + 0.5 * link
            + self.label_fit(looks)
            + 1.2 * mean(&|look: &Look| self.name_fit(look))
            + 0.4 * tag
            + 0.8 * many
            + 0.4 * variety;
        (sum / 8.0) * (0.3 + 0.7 * in_attribute)
    }

    /// How well the words before values agree: the same words, or some of them.
    fn label_fit(&self, looks: &[&Look]) -> f64 {
        if self.labels.is_empty() {
            // Nothing is known, so nothing can be said.
            return 0.4;
        }
        let of = |look: &&Look| -> f64 {
            let shared = |known: &HashSet<String>| known.intersection(&look.label).count() as f64;
            let same = self
                .labels
                .iter()
                .map(|known| shared(known) / known.union(&look.label).count().max(1) as f64);
            same.fold(0.0, f64::max)
        };
        // For a list it is its first item that has the label.
        let first = looks.first().map_or(0.0, of);
        first.max(looks.iter().map(of).sum::<f64>() / looks.len() as f64)
    }

    /// How well what the elements are called agrees with what they were, or with the name of the field.
    fn name_fit(&self, look: &Look) -> f64 {
        let names = &look.sight.names;
        let called = names.iter().any(|name| self.own.contains(name));
        let shares = names.iter().filter_map(|name| self.field.names.get(name));
        let same: f64 = shares.map(|count| *count as f64 / self.field.count.max(1) as f64).sum();
        let same = (same / (self.field.names.len().max(1) as f64).sqrt()).min(1.0);
        if called { 0.6 + 0.4 * same } else { 0.7 * same }
    }
}

fn bare(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// How alike two shapes are, by the pieces they share in order.
fn alike(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = (before + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            before = row[j + 1];
            row[j + 1] = cost;
        }
    }
    1.0 - row[b.len()] as f64 / a.len().max(b.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_roughly() {
        let sorts = [
            ("10/31/23", Sort::Date),
            ("OCTOBER 24, 2016", Sort::Date),
            ("/pre/x.pdf", Sort::Address),
            ("$15.38", Sort::Number),
            ("23-2009", Sort::Code),
            ("CC-12-1226", Sort::Code),
            ("Ugo Liberatore", Sort::Words),
        ];
        for (text, expected) in sorts {
            assert_eq!(sort(text), expected, "{text}");
        }
    }

    #[test]
    fn names_are_words() {
        assert_eq!(words("wprm-recipeIngredients_2"), ["wprm", "recipe", "ingredient"]);
        assert_eq!(words(""), Vec::<String>::new());
    }

    #[test]
    fn labels_and_headings_are_seen() {
        let html = "<table><tr><th>Title<th>Price</tr><tr><td>Data<td><i>$23</i></tr></table><p><b>By:</b> Ann</p>";
        let page = Page::parse(html.as_bytes(), &page::Settings::default()).expect("a page");
        let places = Places::new(&page);
        let known: HashSet<String> = ["Data", "$23", "Ann"].map(str::to_owned).into();
        let seen = |text: &str| sight(&page, places.of(text)[0].node, &known).label;
        assert_eq!(seen("$23").as_deref(), Some("Price"));
        assert_eq!(seen("Ann").as_deref(), Some("By:"));
    }
}
