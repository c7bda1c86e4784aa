//! What the rows of a list say about each other: blocks beside the records that are not values, and texts that hold a whole record.

use super::Read;
use crate::blocks::{self, Sought};
use page::NodeId;
use std::collections::HashMap;

/// At most one of this number of values is not of the kind that a field has strictly.
const STRICT: usize = 5;
/// Fields of a kind that a row lacks, for it to be no record whatever else it has.
const LACKING: usize = 2;

/// Which blocks are no records but something beside them, such as a pager below a table: `<<`, `<`, `1 2 3`, `>` in the cells of the name, the date, the time and the
/// place.
///
/// Only the first and the last block, and those of another parent than most, may be. All values of such a block must be unlike the values of their fields: of another kind
/// where these are of a kind, or without words where these have some. If it lacks two kinds, the others do not matter. A block with a known value is a record.
pub(super) fn beside(read: &Read<'_>, found: &blocks::Blocks, sure: &[f64]) -> Vec<bool> {
    let Read { page, items, known, .. } = read;
    let items_of = |field: usize| found.fields[field].1.iter().flatten();
    // Fields whose values are of a kind, in nearly all blocks.
    let is_strict = |field: usize| {
        let odd = items_of(field).filter(|item| known[field].is_no_kind(&items.looks[**item]));
        known[field].is_of_kind() && odd.count() * STRICT <= items_of(field).count()
    };
    let fields: Vec<(usize, bool)> = (0..known.len())
        .filter(|field| sure[*field] > 0.0)
        .map(|field| (field, is_strict(field)))
        .collect();
    let mut parents: HashMap<Option<NodeId>, usize> = HashMap::new();
    for block in &found.blocks {
        *parents.entry(page.parent(block.0)).or_default() += 1;
    }
    let last = found.blocks.len().saturating_sub(1);
    let is_beside = |(number, block): (usize, &blocks::Block)| {
        let is_aside = parents[&page.parent(block.0)] * 2 < found.blocks.len();
        if number != 0 && number != last && !is_aside {
            return false;
        }
        let (mut lacking, mut others) = (0, 0);
        for (field, is_strict) in &fields {
            for item in &found.fields[*field].1[number] {
                let look = &items.looks[*item];
                if known[*field].has_value(look) {
                    return false;
                }
                // Any link is one, so addresses are told by their words.
                match (*is_strict && !look.sight.attribute, known[*field].is_no_kind(look)) {
                    (true, false) => return false,
                    (true, true) => lacking += 1,
                    (false, _) => {
                        let is_odd = known[*field].is_wordless(look)
                            || look.sight.attribute && known[*field].is_stray_address(look);
                        others += usize::from(!is_odd);
                    }
                }
            }
        }
        let is_empty = fields
            .iter()
            .all(|(field, _)| found.fields[*field].1[number].is_empty());
        !is_empty && (lacking >= LACKING || others == 0)
    };
    found.blocks.iter().enumerate().map(is_beside).collect()
}

/// One of this number of values with the value of another field in it is too many.
const HOLDING: usize = 5;

/// For each field: do some of its texts have the value of another field of the same record in them, and no known value had? In a list whose redesign is half-finished, the title of
/// an old row may be at the place of a whole new row.
pub(super) fn holding(read: &Read<'_>, found: &blocks::Blocks, sought: &Sought<'_>) -> Vec<bool> {
    let text = |items: &Vec<usize>| items.first().map(|item| &read.items.looks[*item].sight);
    let holds = |field: usize, other: usize| {
        let rows = found.fields[field].1.iter().zip(&found.fields[other].1);
        let both: Vec<bool> = rows
            .filter_map(|(mine, others)| {
                let (mine, others) = (text(mine)?, text(others)?);
                let is_told = !mine.attribute && !others.attribute && others.text.len() > TOLD;
                Some(is_told && mine.text.len() > others.text.len() && mine.text.contains(&others.text))
            })
            .collect();
        both.iter().filter(|holds| **holds).count() * HOLDING > both.len()
    };
    let fields = 0..found.fields.len();
    fields
        .clone()
        .map(|field| {
            let mut others = fields
                .clone()
                .filter(|other| *other != field && !sought.within[*other][field]);
            others.any(|other| holds(field, other))
        })
        .collect()
}

/// A value that is no longer than this may be in a text by chance.
const TOLD: usize = 3;

#[cfg(test)]
mod tests {
    use crate::recover::recover;
    use crate::{Recovered, gather};
    use learn::guided::{Lesson, Wanted};
    use page::Page;

    fn page(html: &str) -> Page {
        Page::parse_str(html, &Default::default()).expect("a page")
    }

    /// What is found on the second page after the first one, with these rows.
    fn found(names: &[&str], before: (&str, &[Vec<String>]), after: &str) -> Recovered {
        let want = |name: &&str| Wanted {
            name: (*name).to_owned(),
            many: false,
        };
        let wanted: Vec<Wanted> = names.iter().map(want).collect();
        let cells = |row: &Vec<String>| -> Vec<Vec<String>> {
            let values = row.iter().map(|text| match text.is_empty() {
                true => Vec::new(),
                false => vec![text.clone()],
            });
            values.collect()
        };
        let old = page(before.0);
        let lesson = Lesson {
            name: "before",
            page: &old,
            records: before.1.iter().map(cells).collect(),
        };
        let profile = gather(&wanted, &[lesson]);
        recover(&page(after), &wanted, &profile, true)
    }

    fn table(rows: &[String]) -> String {
        format!("<table>{}</table>", rows.concat())
    }

    const WORKS: [&str; 12] = [
        "Shed with a deck",
        "New dwelling",
        "Garage and carport",
        "Fence along the road",
        "Swimming pool",
        "Shop front",
        "Change of use to cafe",
        "Demolition of a barn",
        "Two lot subdivision",
        "Rear extension",
        "Retaining wall",
        "Solar panels",
    ];

    #[test]
    fn categories_are_no_descriptions() {
        let before: Vec<Vec<String>> = (0..12)
            .map(|n| vec![format!("DA-{}", 101 + n), WORKS[n].to_owned()])
            .collect();
        let old: Vec<String> = before
            .iter()
            .map(|row| format!("<tr><td>{}</td><td>{}</td></tr>", row[0], row[1]))
            .collect();
        let kinds = ["Planning application", "Building permit"];
        let after = |second: &dyn Fn(usize) -> String| -> String {
            let rows: Vec<String> = (0..12)
                .map(|n| format!("<tr class=r><th>DA-{}</th><td>{}</td></tr>", 201 + n, second(n)))
                .collect();
            table(&rows)
        };
        let names = ["reference", "description"];
        let sure = |page: &str| found(&names, (&table(&old), &before), page).sure[1];
        let (same, others) = (
            after(&|n| format!("{} at the rear", WORKS[(n * 5) % 12])),
            after(&|n| kinds[n % 2].to_owned()),
        );
        assert!(sure(&same) > 2.0 * sure(&others), "{} {}", sure(&same), sure(&others));
    }

    #[test]
    fn a_record_without_an_agenda_has_another_link_there() {
        let link = |n: usize, to: &str| format!("<a href=/files/{}-{to}.pdf>{to}</a>", 100 + n);
        let before: Vec<Vec<String>> = (0..8)
            .map(|n| vec![format!("May {}, 2019", n + 1), format!("/files/{}-Agenda.pdf", 100 + n)])
            .collect();
        let old: Vec<String> = (0..8)
            .map(|n| format!("<tr><td>{}</td><td>{}</td></tr>", before[n][0], link(n, "Agenda")))
            .collect();
        let new: Vec<String> = (0..8)
            .map(|n| {
                let to = if n == 3 { "Minutes" } else { "Agenda" };
                format!("<li><b>June {}, 2019</b><p>{}</p></li>", n + 1, link(n + 50, to))
            })
            .collect();
        let found = found(
            &["date", "agenda"],
            (&table(&old), &before),
            &format!("<ul>{}</ul>", new.concat()),
        );
        assert_eq!(found.records.len(), 8);
        assert_eq!(found.records[3][1], Vec::<String>::new(), "{:?}", found.records);
        assert_eq!(found.records[4][1], ["/files/154-Agenda.pdf"]);
    }

    #[test]
    fn a_span_of_time_is_not_cut() {
        let time = |n: usize| match n {
            7 => "06:00 PM – 08:00 PM".to_owned(),
            n => format!("0{}:30 AM", n + 1),
        };
        let before: Vec<Vec<String>> = (0..8).map(|n| vec![WORKS[n].to_owned(), time(n)]).collect();
        let old: Vec<String> = before
            .iter()
            .map(|row| format!("<tr><td>{}</td><td>{}</td></tr>", row[0], row[1]))
            .collect();
        let new: Vec<String> = (0..8)
            .map(|n| {
                let span = format!("0{}:00 AM – 0{}:15 PM", n + 1, n + 2);
                format!("<li><i>{}</i><p>▢ <span>{span}</span></p></li>", WORKS[11 - n])
            })
            .collect();
        let new = format!("<ul>{}</ul>", new.concat());
        let found = found(&["title", "time"], (&table(&old), &before), &new);
        let times: Vec<&str> = found
            .records
            .iter()
            .flat_map(|row| &row[1])
            .map(String::as_str)
            .collect();
        assert_eq!(times[0], "01:00 AM – 02:15 PM", "{times:?}");
    }
}
