//! Columns that are told by how their texts are written (see `forms`): elements of one name, and siblings of a record. `divided` has the lines of an element and the
//! pieces of its texts between signs.
//!
//! A path tests the text: `span[matches(normalize-space(.), "^\$\d[\d.,]*$")]`. What has no form is the n-th of those that match none of the expressions. A second way is for values that are
//! written in another way on another page (`Free` for a price): the place, if the record has as many texts as full records have, and the text there has no other form.
//!
//! Linear in the texts.

use super::super::forms::{self, Columns, Told};
use super::super::labelled::TEXT;
use super::{ANY, Cells, Key, Made, Maker, PathField, Way, Written};
use crate::exalg::parts;
use crate::guided::literal;
use page::{Kind, NameId, NodeId};
use std::collections::BTreeMap;
use wrapper::rule::paths::value;

/// A text that says something, and one that does so with words.
pub(super) const SAYS: &str = r#"matches(., "[\p{L}\p{N}]")"#;
const WORDS: &str = r#"matches(., "\p{L}{2}")"#;

/// A test that a text matches an expression as a whole.
pub(super) fn test(expression: &str) -> String {
    format!("matches({TEXT}, {})", literal(&format!("^(?:{expression})$")))
}

/// One way to the texts of a column: a test, the number among those that pass it, from 1, if it counts, and how many must pass it in the record.
pub(super) struct Find {
    pub(super) test: String,
    pub(super) nth: Option<usize>,
    pub(super) count: Option<usize>,
}

/// The ways to a column, for records with different numbers of texts.
pub(super) fn finds(columns: &Columns, told: &Told) -> Vec<Find> {
    let plain = |nth: Option<usize>, count: Option<usize>| {
        let forms = columns.any();
        // A value of a form that no page had is not taken for words.
        let says = if columns.worded { WORDS } else { SAYS };
        let test = match forms.is_empty() {
            true => format!("[{says}]"),
            false => format!("[{says}][not({})]", test(&forms)),
        };
        Find { test, nth, count }
    };
    match told {
        Told::Form { expression, nth, .. } => vec![Find {
            test: format!("[{}]", test(expression)),
            nth: nth.map(|nth| nth + 1),
            count: None,
        }],
        Told::Plain(nth) => vec![plain((columns.plain > 1 || *nth > 0).then_some(nth + 1), None)],
        Told::Counted(places) => {
            let places = places.iter();
            places.map(|(count, nth)| plain(Some(nth + 1), Some(*count))).collect()
        }
    }
}

/// The place of a column in records that have as many texts as any, and the number of these, if it is the same in all of them.
pub(super) fn place(columns: &Columns, column: usize) -> Option<(usize, usize)> {
    let most = columns.of.iter().map(Vec::len).max()?;
    let mut full = columns.of.iter().filter(|of| of.len() == most);
    let place = full.clone().find_map(|of| of.iter().position(|own| *own == column))?;
    full.all(|of| of[place] == column).then_some((place + 1, most))
}

impl Maker<'_, '_> {
    /// The field of a column that is told by its form.
    pub(super) fn by_form(&self, at: usize, written: &Written) -> Made {
        let nodes: Vec<NodeId> = self.cells[at].nodes.iter().flatten().copied().collect();
        let after = |way: usize| match &written.label {
            Some(label) if way == 0 => label.clone(),
            _ => String::new(),
        };
        let ways = written.paths.iter().enumerate().map(|(number, path)| Way {
            path: path.clone(),
            after: after(number),
            ..Way::default()
        });
        let ways = ways.collect();
        let texts: Vec<String> = nodes.iter().map(|node| value(self.page, *node)).collect();
        Made {
            field: PathField { many: false, ways },
            label: (written.name.clone().or_else(|| written.label.clone())).or_else(|| self.label_of(&nodes, &texts)),
            nodes,
            attribute: None,
        }
    }

    /// What values are called by their kind, if nothing else says it.
    pub(super) fn label_of(&self, nodes: &[NodeId], texts: &[String]) -> Option<String> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let is_named = nodes.iter().any(|node| super::is_named_by(self.page, *node));
        parts::label(&texts).filter(|_| !is_named).map(str::to_owned)
    }

    /// Makes a column for each form of elements that a record has several of.
    pub(super) fn tell_by_form(&mut self) {
        for at in 0..self.keys.len() {
            let key = &self.keys[at];
            let is_plain = key.attribute.is_none() && key.sign.is_none() && key.told.is_none() && key.role.is_none();
            let is_cell = key.steps.last().is_none_or(|(_, cell)| cell.is_some());
            let is_mixed = |node: &NodeId| self.sight.range(*node).len() > 1;
            let nodes = &self.cells[at].nodes;
            if !is_plain || is_cell || nodes.iter().all(|nodes| nodes.len() < 2) || nodes.iter().flatten().any(is_mixed)
            {
                continue;
            }
            let records = self.cells[at].nodes.iter();
            let texts: Vec<Vec<String>> = records
                .map(|nodes| nodes.iter().map(|node| value(self.page, *node)).collect())
                .collect();
            let found = match self.cells[at].nodes.iter().flatten().any(|node| self.is_in_text(*node)) {
                true => forms::told(&texts, false),
                false => forms::aligned(&texts, false),
            };
            let Some(columns) = found else { continue };
            let plain = self.path(key, "[text()[normalize-space()]]");
            let paths = |number: usize| {
                let first = finds(&columns, &columns.told[number]).into_iter().map(|find| {
                    let path = self.path(key, &format!("[text()[normalize-space()]]{}", find.test));
                    let guard = find.count.map(|count| format!("self::node()[count({path})={count}]/"));
                    let path = find.nth.map_or(path.clone(), |nth| format!("({path})[{nth}]"));
                    format!("{}{path}", guard.unwrap_or_default())
                });
                let first: Vec<String> = first.collect();
                let is_labelled = matches!(
                    &columns.told[number],
                    Told::Form { label: Some(_), .. } | Told::Form { begins: true, .. }
                );
                let second = place(&columns, number).filter(|_| !is_labelled).map(|(place, most)| {
                    let no_form = test_of_none(&columns);
                    format!("self::node()[count({plain})={most}]/({plain})[{place}]{no_form}")
                });
                let is_form = matches!(columns.told[number], Told::Form { .. });
                first.into_iter().chain(second.filter(|_| is_form)).collect()
            };
            let all: Vec<Vec<String>> = (0..columns.told.len()).map(paths).collect();
            self.replace(at, &columns, all);
        }
    }

    /// Puts the nodes of a key into columns.
    fn replace(&mut self, at: usize, columns: &Columns, paths: Vec<Vec<String>>) {
        let old = std::mem::take(&mut self.cells[at].nodes);
        for (number, (told, paths)) in columns.told.iter().zip(paths).enumerate() {
            let label = match told {
                Told::Form { label, .. } => label.clone(),
                Told::Plain(_) | Told::Counted(_) => None,
            };
            let key = Key {
                written: Some(Written {
                    paths,
                    label,
                    name: None,
                }),
                ..self.keys[at].clone()
            };
            let own = |(nodes, of): (&Vec<NodeId>, &Vec<usize>)| {
                let own = nodes.iter().zip(of).filter(|(_, of)| **of == number);
                own.map(|(node, _)| *node).collect()
            };
            let nodes = old.iter().zip(&columns.of).map(own).collect();
            self.keys.push(key);
            self.cells.push(Cells { nodes });
        }
        self.cells[at].nodes = vec![Vec::new(); self.count];
    }

    /// Makes columns of the siblings of a record, each told by its form, or by what is in it.
    pub(super) fn tell_siblings(&mut self) {
        if !self.candidate.heads.test.is_free() {
            return;
        }
        self.find_inner();
        let mut tags: Vec<Option<NameId>> = Vec::new();
        for key in &self.keys {
            if let Some((tag, _)) = key.role
                && !tags.contains(&tag)
            {
                tags.push(tag);
            }
        }
        for tag in tags {
            let is_own = |key: &Key| {
                let is_text = key.steps.is_empty() && key.attribute.is_none() && key.sign.is_none();
                is_text && matches!(key.role, Some((own, time)) if own == tag && time != ANY)
            };
            let own: Vec<usize> = (0..self.keys.len()).filter(|at| is_own(&self.keys[*at])).collect();
            if own.len() < 2 {
                continue;
            }
            let record = |number: usize| -> Vec<NodeId> {
                let nodes = own.iter().flat_map(|at| self.cells[*at].nodes[number].iter());
                let mut nodes: Vec<NodeId> = nodes.copied().collect();
                nodes.sort_unstable();
                nodes
            };
            let nodes: Vec<Vec<NodeId>> = (0..self.count).map(record).collect();
            let texts: Vec<Vec<String>> = nodes
                .iter()
                .map(|nodes| nodes.iter().map(|node| value(self.page, *node)).collect())
                .collect();
            let Some(columns) = forms::aligned(&texts, true) else {
                continue;
            };
            let direct = match tag {
                Some(_) => "[text()[normalize-space()]]",
                None => "",
            };
            let path = |find: Find| {
                let wanted = format!("{}{direct}{}", self.item(tag), find.test);
                let steps = |count: usize| vec![self.next(&wanted); count].join("/");
                let guard = |count: usize| format!("self::node()[{}][not({})]/", steps(count), steps(count + 1));
                let guard = find.count.map(guard).unwrap_or_default();
                format!("{guard}{}", steps(find.nth.unwrap_or(1)))
            };
            let paths = |told: &Told| finds(&columns, told).into_iter().map(path).collect();
            let paths: Vec<Vec<String>> = columns.told.iter().map(paths).collect();
            for at in &own[1..] {
                self.cells[*at].nodes = vec![Vec::new(); self.count];
            }
            self.cells[own[0]].nodes = nodes;
            self.replace(own[0], &columns, paths);
        }
    }

    /// Elements inside of siblings, such as pictures, of which a record has one at most, are found in whichever sibling they are.
    fn find_inner(&mut self) {
        let mut groups: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for (at, key) in self.keys.iter().enumerate() {
            let Some((Some(tag), time)) = key.role else { continue };
            if !key.steps.is_empty() && key.sign.is_none() && key.told.is_none() && time != ANY {
                let attribute = match key.attribute {
                    None => 0,
                    Some("href") => 1,
                    Some("src") => 2,
                    Some(_) => 3,
                };
                let steps = key.steps.iter().map(|(name, _)| name.index() as u32);
                let group = [tag.index() as u32, attribute].into_iter().chain(steps).collect();
                groups.entry(group).or_default().push(at);
            }
        }
        for group in groups.into_values().filter(|group| group.len() > 1) {
            let all = |number: usize| -> Vec<NodeId> {
                let nodes = group.iter().flat_map(|at| self.cells[*at].nodes[number].iter());
                nodes.copied().collect()
            };
            let nodes: Vec<Vec<NodeId>> = (0..self.count).map(all).collect();
            if nodes.iter().any(|nodes| nodes.len() > 1) {
                continue;
            }
            let key = &self.keys[group[0]];
            let Some((tag, _)) = key.role else { continue };
            let steps = key.steps.iter().map(|(name, _)| self.page.name_text(*name));
            let steps = steps.collect::<Vec<&str>>().join("/");
            let end = key
                .attribute
                .map_or(String::new(), |attribute| format!("/@{attribute}"));
            let path = self.next(&format!("{}[{steps}{end}]", self.item(tag)));
            let written = Written {
                paths: vec![format!("{path}/{steps}{end}")],
                label: None,
                name: None,
            };
            self.keys[group[0]].written = Some(written);
            self.cells[group[0]].nodes = nodes;
            for at in &group[1..] {
                self.cells[*at].nodes = vec![Vec::new(); self.count];
            }
        }
    }

    fn item(&self, tag: Option<NameId>) -> String {
        format!("self::{}", tag.map_or("text()", |tag| self.page.name_text(tag)))
    }

    /// The step to the next sibling that passes a test and belongs to the record.
    fn next(&self, wanted: &str) -> String {
        let heads = &self.candidate.heads;
        let head = format!("{}{}", self.item(heads.tag), heads.test.predicate(self.page));
        format!("following-sibling::node()[{wanted} or {head}][1][{wanted}][not({head})]")
    }

    /// Is an element beside a text, as words in bold are in a sentence?
    fn is_in_text(&self, node: NodeId) -> bool {
        let page = self.page;
        let siblings = page.parent(node).into_iter().flat_map(|parent| page.children(parent));
        let mut texts = siblings.filter(|other| page.kind(*other) == Kind::Text);
        texts.any(|text| page.string_value(text).contains(char::is_alphanumeric))
    }
}

/// A test that a text has no form.
pub(super) fn test_of_none(columns: &Columns) -> String {
    format!("[not({})]", test(&columns.any()))
}

#[cfg(test)]
mod tests {
    use crate::regions;
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    const TITLES: [&str; 8] = [
        "Night Ledger",
        "Amber Paper Winter",
        "Attic and Cellar",
        "Kelp Harbour",
        "The Tin Compass",
        "Salt and Rope",
        "A Quiet Press",
        "Late Orchard",
    ];

    /// The title, price and date of a record, without some of the last two.
    fn values(number: usize, without: &[(usize, usize)]) -> [Option<String>; 3] {
        let has = |part: usize| !without.contains(&(number, part));
        [
            Some(TITLES[number].to_owned()),
            has(1).then(|| format!("${}.50", 13 + number * 7)),
            has(2).then(|| format!("May {}, 20{}", number + 1, 10 + number)),
        ]
    }

    /// Checks that all values of records are found where some lack a part, on the page itself and on another one.
    fn check(frame: [&str; 2], record: impl Fn(&[&String]) -> String) {
        let page = |without: &[(usize, usize)]| {
            let own = |number: usize| {
                let values = values(number, without);
                record(&values.iter().flatten().collect::<Vec<&String>>())
            };
            let list: String = (0..8).map(own).collect();
            let menu = "<div id=nav><a href=/>Home</a> <a href=/about>About us</a></div><h1>Books</h1>";
            Page::parse_str(&format!("{menu}{}{list}{}", frame[0], frame[1]), &Default::default()).unwrap()
        };
        let known = [(1, 1), (4, 1), (6, 2)];
        let best = regions::find(&page(&known), &Job::new()).remove(0);
        let run = PathsRun::new(&best.rule).unwrap();
        for without in [&known[..], &[], &[(0, 1), (0, 2), (3, 1), (7, 2)]] {
            let records = run.page(&page(without));
            assert_eq!(records.len(), 8, "{:?}", best.rule);
            // One field for each of them has its values, and nothing where there is none.
            for part in 0..3 {
                let is_field = |field: usize| {
                    records.iter().enumerate().all(|(number, record)| {
                        let found = record.values.iter().find(|value| value.field == field);
                        found.map(|found| found.text.clone()) == values(number, without)[part]
                    })
                };
                assert!(
                    (0..best.names.len()).any(is_field),
                    "{part} of {without:?}: {:?}",
                    best.rule
                );
            }
        }
    }

    #[test]
    fn elements_are_told_by_their_texts() {
        let elements = |values: &[&String]| -> String {
            let parts: String = values.iter().map(|value| format!("<div>{value}</div>")).collect();
            format!("<div class=book>{parts}</div>")
        };
        check(["<div>", "</div>"], elements);
        let spans = |values: &[&String]| -> String {
            let parts: String = values[1..]
                .iter()
                .map(|value| format!(" <span>{value}</span>"))
                .collect();
            format!("<li><h3><a href=/x>{}</a></h3><div>{parts}</div></li>", values[0])
        };
        check(["<ul>", "</ul>"], spans);
    }

    #[test]
    fn lines_are_told_by_their_texts() {
        let lines = |values: &[&String]| -> String {
            let parts: Vec<&str> = values.iter().map(|value| value.as_str()).collect();
            format!("<div class=book>{}</div>", parts.join("<br>\n"))
        };
        check(["<div>", "</div>"], lines);
    }

    #[test]
    fn siblings_are_told_by_their_texts() {
        let terms = |values: &[&String]| -> String {
            let parts: String = values[1..].iter().map(|value| format!("<dd>{value}</dd>")).collect();
            format!("<dt><a href=/x>{}</a></dt>{parts}", values[0])
        };
        check(["<dl>", "</dl>"], terms);
    }

    #[test]
    fn pieces_of_a_text_are_told_by_how_they_are_written() {
        for sign in [" - ", " | ", " · "] {
            let whole = |values: &[&String]| -> String {
                let parts: Vec<&str> = values.iter().map(|value| value.as_str()).collect();
                format!("<li>{}</li>", parts.join(sign))
            };
            check(["<ul>", "</ul>"], whole);
            let linked = |values: &[&String]| -> String {
                let parts: String = values[1..].iter().map(|value| format!("{sign}{value}")).collect();
                format!("<li><a href=/x>{}</a>{parts}</li>", values[0])
            };
            check(["<ul>", "</ul>"], linked);
        }
    }

    #[test]
    fn signs_between_a_text_and_links_are_no_part_of_it() {
        let row = |number: usize| {
            let place = ["Hall", "Old Mill", "Library", "Dock"][number % 4];
            let file = match number % 3 {
                0 => String::new(),
                _ => format!(" · <a href=/f/{number}.pdf>Agenda</a>"),
            };
            format!("<li><a href=/{number}>{}</a> · {place}{file}</li>", TITLES[number])
        };
        let list: String = (0..8).map(row).collect();
        let page = Page::parse_str(&format!("<h1>Books</h1><ul>{list}</ul>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let says = |number: usize, text: &str| records[number].values.iter().any(|value| value.text == text);
        assert!(
            says(0, "Hall") && says(1, "Old Mill") && says(2, "Library"),
            "{:?}",
            best.rule
        );
    }

    /// Things with a price, some of which have a text more: at the place of it among the texts of a record.
    fn things(
        frame: [&str; 2],
        with: &[usize],
        place: usize,
        text: fn(usize) -> String,
        record: fn(&[String]) -> String,
    ) -> Page {
        let own = |number: usize| {
            let mut texts = vec![TITLES[number].to_owned(), format!("${}.50", 13 + number * 7)];
            if with.contains(&number) {
                texts.insert(place, text(number));
            }
            record(&texts)
        };
        let list: String = (0..8).map(own).collect();
        let menu = "<ul><li><a href=/a>Home</a></li><li><a href=/b>About</a></li></ul><h1>Things</h1>";
        Page::parse_str(&format!("{menu}{}{list}{}", frame[0], frame[1]), &Default::default()).unwrap()
    }

    /// Optional words, with a beginning in common or without one, are in no other field, on the page itself and on another one.
    #[test]
    fn optional_words_do_not_move_other_values() {
        let seller = |number: usize| {
            format!(
                "Sold by {} {}",
                ["Bo", "Ann", "Cy"][number % 3],
                ["Day", "Lee", "Fox"][number % 3]
            )
        };
        let note = |number: usize| format!("ships within {} working days from our store in the harbour", number + 2);
        let divs = |texts: &[String]| format!("<div class=item><div>{}</div></div>", texts.join("</div><div>"));
        let cells = |texts: &[String]| format!("<tr><td>{}</td></tr>", texts.join("</td><td>"));
        let lines = |texts: &[String]| format!("<div class=item>{}</div>", texts.join("<br>"));
        type Record = fn(&[String]) -> String;
        let makes: [([&str; 2], Record); 3] = [
            (["<div>", "</div>"], divs),
            (["<table>", "</table>"], cells),
            (["<div>", "</div>"], lines),
        ];
        for (frame, record) in makes {
            for (place, text) in [(1, seller as fn(usize) -> String), (0, note), (1, note), (2, note)] {
                let known = things(frame, &[1, 4, 6], place, text, record);
                let best = regions::find(&known, &Job::new()).remove(0);
                let run = PathsRun::new(&best.rule).unwrap();
                for with in [&[1, 4, 6][..], &[0, 2], &[]] {
                    let records = run.page(&things(frame, with, place, text, record));
                    assert_eq!(records.len(), 8, "{:?}", best.rule);
                    let field = |number: usize, wanted: &str| {
                        let found = records[number].values.iter().find(|value| value.text == wanted);
                        found.map(|found| found.field)
                    };
                    let titles: Vec<Option<usize>> = (0..8).map(|number| field(number, TITLES[number])).collect();
                    let prices: Vec<Option<usize>> = (0..8)
                        .map(|number| field(number, &format!("${}.50", 13 + number * 7)))
                        .collect();
                    assert!(
                        titles.iter().all(|field| field.is_some() && *field == titles[0]),
                        "{place}: {:?}",
                        best.rule
                    );
                    assert!(
                        prices.iter().all(|field| field.is_some() && *field == prices[0]),
                        "{place}: {:?}",
                        best.rule
                    );
                    for number in with {
                        let own = field(*number, &text(*number));
                        assert!(
                            own.is_some() && own != titles[0] && own != prices[0],
                            "{place}: {:?}",
                            best.rule
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_line_between_a_date_and_links_is_a_value() {
        let row = |number: usize| {
            let links = [
                "<a href=/a.pdf>Agenda</a>",
                "<a href=/a.pdf>Agenda</a> | <a href=/m.pdf>Minutes</a>",
                "",
            ][number % 3];
            format!(
                "<p><strong>May {}, 2019</strong><br>{}<br>{links}</p>",
                number + 1,
                TITLES[number]
            )
        };
        let list: String = (0..8).map(row).collect();
        let page = Page::parse_str(&format!("<h1>Meetings</h1><div>{list}</div>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let field = |number: usize| {
            let found = records[number].values.iter().find(|value| value.text == TITLES[number]);
            found.map(|found| found.field)
        };
        assert!(
            field(0).is_some() && (0..8).all(|number| field(number) == field(0)),
            "{:?}",
            best.rule
        );
    }

    #[test]
    fn words_in_bold_do_not_divide_a_sentence() {
        let row = |number: usize| {
            let text = [
                "A night in the <b>harbour</b> of Kelp",
                "The <b>harbour</b> and the <b>old</b> mill",
                "Salt and rope",
            ][number % 3];
            format!(
                "<li><a href=/{number}>{}</a><p>{text} {number}</p></li>",
                TITLES[number]
            )
        };
        let list: String = (0..8).map(row).collect();
        let page = Page::parse_str(&format!("<h1>Hits</h1><ul>{list}</ul>"), &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        let says = |number: usize, text: &str| records[number].values.iter().any(|value| value.text == text);
        assert!(
            says(0, "A night in the harbour of Kelp 0") && says(1, "The harbour and the old mill 1"),
            "{:?}",
            best.rule
        );
    }

    /// Has each of these records these texts, and are the first and the others in fields of their own?
    fn check_parts(frame: [&str; 2], record: fn(usize) -> (String, Vec<Option<String>>)) {
        let rows: Vec<(String, Vec<Option<String>>)> = (0..8).map(record).collect();
        let list: String = rows.iter().map(|(html, _)| html.as_str()).collect();
        let html = format!("<h1>Things</h1>{}{list}{}", frame[0], frame[1]);
        let page = Page::parse_str(&html, &Default::default()).unwrap();
        let best = regions::find(&page, &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page);
        assert_eq!(records.len(), 8, "{:?}", best.rule);
        for part in 0..rows[0].1.len() {
            let is_field = |field: usize| {
                records.iter().zip(&rows).all(|(record, (_, wanted))| {
                    let found = record.values.iter().find(|value| value.field == field);
                    found.map(|found| found.text.clone()) == wanted[part]
                })
            };
            assert!(
                (0..best.names.len()).any(is_field),
                "{part}: {:?} {records:?}",
                best.rule
            );
        }
    }

    #[test]
    fn lines_beside_one_label_are_told() {
        check_parts(["<div>", "</div>"], |number| {
            let text =
                (number % 4 != 2).then(|| format!("A long text about {} and all that is in it.", TITLES[number]));
            let size = (number % 3 != 1).then(|| format!("{}K", 3 + number * 7));
            let topic = (number % 2 == 0).then(|| ["Arts", "Home and Garden", "Science"][number % 3].to_owned());
            let part = |before: &str, text: &Option<String>| {
                text.as_ref().map_or(String::new(), |text| format!("{before}{text}"))
            };
            let html = format!(
                "<p><font size=+1><a href=/r/{number}>{}</a></font>{}<br><i>http://site{number}.example/</i>{}{}</p>",
                TITLES[number],
                part("<br>", &text),
                part(" - ", &size),
                part(" - <b>Category:</b> ", &topic)
            );
            (html, vec![Some(TITLES[number].to_owned()), text, size, topic])
        });
    }
}
