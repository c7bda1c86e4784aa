//! What a wrapper gives on all pages, laid out for the screen: one table, and the place of each value.
//!
//! The table is that of the records of which there are most; columns of the records around them are repeated in each row.
//! Fields of other kinds of records are not columns, but have boxes and counts. Computed once for each change, linear in the
//! values.

use crate::api;
use wrapwright::record::Format;
use wrapwright::show::{self, Placed, PlacedRow};
use wrapwright::wrapper::WrapperError;
use wrapwright::{Document, NodeId, Page, SinkSpec, Wrapper, fields};

/// The most boxes of a page that are sent.
const MOST_BOXES: usize = 5000;
/// The most characters of a value that are sent; the rest is on the page.
const LONGEST: usize = 300;
/// The most threads that run a wrapper.
const MOST_JOBS: usize = 8;
/// The most rows that are sent at once.
const MOST_ROWS: usize = 500;

/// Which rows are asked for, and in which order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked<'a> {
    pub(crate) from: usize,
    pub(crate) count: usize,
    pub(crate) without: Option<&'a str>,
    pub(crate) find: Option<&'a str>,
    pub(crate) sort: Option<&'a str>,
    pub(crate) is_down: bool,
}

/// What rows are ordered by: numbers before texts, and rows without a value last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(i128, String),
    Text(String),
    Missing,
}

impl Key {
    fn of(values: &[Placed]) -> Key {
        let Some(first) = values.first() else {
            return Key::Missing;
        };
        let text = first.text.trim().to_lowercase();
        match number(&text) {
            Some(number) => Key::Number(number, text),
            None => Key::Text(text),
        }
    }
}

/// The number that a text begins with, after at most three other signs such as those of a currency, in millionths. A sign
/// between three digits and the end or more digits separates thousands; any other one separates the fraction.
fn number(text: &str) -> Option<i128> {
    let begin = text.char_indices().take(5).find(|(_, c)| c.is_ascii_digit())?.0;
    let is_negative = text[..begin].contains(['-', '\u{2212}']);
    if text[..begin]
        .chars()
        .any(|c| c.is_alphanumeric() && !"eurusdgbpchf".contains(c))
    {
        return None;
    }
    let mut whole: i128 = 0;
    let mut rest = &text[begin..];
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        whole = whole.checked_mul(10_i128.checked_pow(u32::try_from(end).ok()?)?)?;
        whole = whole.checked_add(rest[..end].parse().ok()?)?;
        rest = &rest[end..];
        let mut after = rest.chars();
        let separates = matches!(after.next(), Some(',' | '.' | '\u{a0}' | '\'' | '\u{202f}'));
        let digits = after.as_str().bytes().take_while(u8::is_ascii_digit).count();
        if !separates || digits != 3 {
            break;
        }
        rest = after.as_str();
    }
    let mut after = rest.chars();
    let has_fraction = matches!(after.next(), Some(',' | '.'));
    let digits: String = after
        .as_str()
        .chars()
        .take_while(char::is_ascii_digit)
        .take(6)
        .collect();
    let fraction: i128 = match has_fraction && !digits.is_empty() {
        true => format!("{digits:0<6}").parse().ok()?,
        false => 0,
    };
    let sum = whole.checked_mul(1_000_000)?.checked_add(fraction)?;
    Some(if is_negative { -sum } else { sum })
}

/// A wrapper's values on all pages.
#[derive(Default)]
pub(crate) struct View {
    /// The names of all fields that are shown, table by table.
    fields: Vec<Vec<String>>,
    /// For each column of the table, the field.
    pub(crate) columns: Vec<String>,
    /// For each page its tables.
    pages: Vec<Vec<Vec<PlacedRow>>>,
    /// The table on the screen: page, row of the page's table.
    rows: Vec<(usize, usize)>,
    /// Which of the tables it is, after those around it.
    chain: Vec<usize>,
    /// The name of its records, if they are inside of others.
    inner: Option<String>,
    /// For each page, why the wrapper gives nothing there.
    pub(crate) notes: Vec<Option<String>>,
}

impl View {
    /// Runs a wrapper on all pages.
    pub(crate) fn new(wrapper: &Wrapper, documents: &[Document]) -> Result<View, WrapperError> {
        let runner = wrapper.runner()?;
        let kind = runner.record_type();
        let tables = kind.tables();
        let mut pages = Vec::new();
        let mut notes = Vec::new();
        let on = |document: &Document| {
            let found = runner.run(document, false);
            let note = match (&found.misfit, found.records.is_empty()) {
                (Some(_), _) => Some("lacks most of what the others have".to_owned()),
                (None, true) => Some("no records on this page".to_owned()),
                (None, false) => None,
            };
            (note, show::placed(kind, &document.page, &found.records))
        };
        let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let take = |(note, placed)| {
            notes.push(note);
            pages.push(placed);
            true
        };
        if wrapwright::map_in_order(documents, jobs.min(MOST_JOBS), on, take).is_err() {
            // The system gives no threads.
            (notes, pages) = documents.iter().map(on).unzip();
        }
        let count = |table: usize| pages.iter().map(|page| page[table].len()).sum::<usize>();
        let has_columns = |table: &usize| !tables[*table].columns.is_empty();
        let most = (0..tables.len())
            .filter(has_columns)
            .max_by_key(|table| (count(*table), std::cmp::Reverse(*table)))
            .unwrap_or(0);
        let mut chain = vec![most];
        while let Some(parent) = tables[chain[0]].parent {
            chain.insert(0, parent);
        }
        let name = |table: usize, column: usize| {
            [&tables[table].path[..], &tables[table].columns[column].path]
                .concat()
                .join(".")
        };
        let names = |table: usize| -> Vec<String> {
            (0..tables[table].columns.len())
                .map(|column| name(table, column))
                .collect()
        };
        let fields: Vec<Vec<String>> = (0..tables.len()).map(names).collect();
        let columns = chain.iter().flat_map(|table| fields[*table].clone()).collect();
        let rows = pages.iter().enumerate();
        let rows = rows.flat_map(|(number, page)| (0..page[most].len()).map(move |row| (number, row)));
        let path = tables[most].path.join(".");
        Ok(View {
            inner: Some(path).filter(|path| !path.is_empty()),
            rows: rows.collect(),
            columns,
            fields,
            pages,
            chain,
            notes,
        })
    }

    /// The table as CSV, as `wrapwright extract` writes it: cells that a spreadsheet would compute are made safe.
    pub(crate) fn csv(&self, wrapper: &Wrapper, documents: &[Document]) -> Result<Vec<u8>, String> {
        let runner = wrapper.runner().map_err(|error| error.to_string())?;
        let spec = SinkSpec {
            format: Format::Csv,
            rows: self.inner.clone(),
            safe_csv: true,
            ..SinkSpec::default()
        };
        let mut out = Vec::new();
        let sink = spec.open(std::slice::from_ref(runner.record_type()), &mut out);
        let mut sink = sink.map_err(|error| error.to_string())?;
        for document in documents {
            for record in &runner.run(document, false).records {
                sink.record(record).map_err(|error| error.to_string())?;
            }
        }
        sink.finish().map_err(|error| error.to_string())?;
        drop(sink);
        Ok(out)
    }

    /// The number of rows.
    pub(crate) fn total(&self) -> usize {
        self.rows.len()
    }

    /// The number of rows on a page.
    pub(crate) fn rows_of(&self, page: usize) -> usize {
        self.rows.iter().filter(|(number, _)| *number == page).count()
    }

    /// The number of cells without a value.
    pub(crate) fn empty(&self) -> usize {
        let empty = |row: &(usize, usize)| self.cells(row.0, row.1).iter().filter(|cell| cell.is_empty()).count();
        self.rows.iter().map(empty).sum()
    }

    /// In how many records a field is, of how many.
    pub(crate) fn filled(&self, field: &str) -> Option<(usize, usize)> {
        let (table, column) = self.fields.iter().enumerate().find_map(|(table, names)| {
            let column = names.iter().position(|name| name == field)?;
            Some((table, column))
        })?;
        let rows = || self.pages.iter().flat_map(|page| &page[table]);
        let filled = rows().filter(|row| row.cells.get(column).is_some_and(|cell| !cell.is_empty()));
        Some((filled.count(), rows().count()))
    }

    /// Some values of a field.
    pub(crate) fn some(&self, field: &str, most: usize) -> Vec<String> {
        let found = self.fields.iter().enumerate().find_map(|(table, names)| {
            let column = names.iter().position(|name| name == field)?;
            Some((table, column))
        });
        let Some((table, column)) = found else {
            return Vec::new();
        };
        let rows = self.pages.iter().flat_map(|page| &page[table]);
        let values = rows.filter_map(|row| row.cells.get(column)?.first());
        values.take(most).map(|value| value.text.clone()).collect()
    }

    /// The cells of a row, those of the records around it first.
    fn cells(&self, page: usize, row: usize) -> Vec<&[Placed]> {
        let mut parts = Vec::new();
        let mut at = Some(row);
        for table in self.chain.iter().rev() {
            let found = at.and_then(|at| self.pages[page][*table].get(at));
            let cells = (0..self.fields[*table].len()).map(|column| {
                found
                    .and_then(|row| row.cells.get(column))
                    .map_or(&[][..], Vec::as_slice)
            });
            parts.splice(0..0, cells);
            at = found.and_then(|row| row.parent);
        }
        parts
    }

    /// Some rows: those without a value for a field only, if one is named, and those with these words; in the order of a field,
    /// if one is named.
    pub(crate) fn rows(&self, documents: &[Document], asked: &Asked<'_>) -> (usize, Vec<api::Row>) {
        let Asked {
            from,
            count,
            without,
            find,
            sort,
            is_down,
        } = *asked;
        let column = without.and_then(|field| self.columns.iter().position(|name| name == field));
        let words = find.map(str::to_lowercase);
        let words = words.as_deref();
        let mut wanted: Vec<usize> = (0..self.rows.len())
            .filter(|number| {
                let (page, row) = self.rows[*number];
                let cells = self.cells(page, row);
                column.is_none_or(|column| cells[column].is_empty()) && words.is_none_or(|words| says(&cells, words))
            })
            .collect();
        if let Some(column) = sort.and_then(|field| self.columns.iter().position(|name| name == field)) {
            let key = |number: &usize| {
                let (page, row) = self.rows[*number];
                Key::of(self.cells(page, row)[column])
            };
            wanted.sort_by_cached_key(key);
            if is_down {
                // Rows without a value stay last.
                let filled = wanted.partition_point(|number| key(number) != Key::Missing);
                wanted[..filled].reverse();
            }
        }
        let some = wanted.iter().skip(from).take(count.min(MOST_ROWS));
        let rows = some.map(|number| {
            let (page, row) = self.rows[*number];
            let cells = self.cells(page, row);
            let cells = cells.iter().map(|values| cell(&documents[page].page, values));
            api::Row {
                number: *number,
                page,
                cells: cells.collect(),
            }
        });
        (wanted.len(), rows.collect())
    }

    /// The boxes of a page, and whether there are more.
    pub(crate) fn boxes(&self, documents: &[Document], page: usize) -> (Vec<api::Box>, bool) {
        let Some((tables, document)) = self.pages.get(page).zip(documents.get(page)) else {
            return (Vec::new(), false);
        };
        let first = self.rows.partition_point(|(number, _)| *number < page);
        let shown = self.chain.last().copied();
        let mut boxes = Vec::new();
        for (table, rows) in tables.iter().enumerate() {
            for (number, row) in rows.iter().enumerate() {
                for (field, values) in self.fields[table].iter().zip(&row.cells) {
                    for spot in values.iter().filter_map(|value| place(&document.page, value.node?)) {
                        if boxes.len() >= MOST_BOXES {
                            return (boxes, true);
                        }
                        boxes.push(api::Box {
                            field: field.clone(),
                            row: (shown == Some(table)).then_some(first + number),
                            at: spot,
                        });
                    }
                }
            }
        }
        (boxes, false)
    }

    /// The field that has a value at a node of a page.
    pub(crate) fn field_at(&self, page: usize, is_there: impl Fn(NodeId) -> bool) -> Option<&str> {
        let tables = self.pages.get(page)?;
        tables.iter().zip(&self.fields).find_map(|(rows, fields)| {
            rows.iter().find_map(|row| {
                let mut cells = fields.iter().zip(&row.cells);
                let found = cells.find(|(_, cell)| cell.iter().any(|value| value.node.is_some_and(&is_there)));
                found.map(|(field, _)| field.as_str())
            })
        })
    }
}

/// Does one of the cells contain these words, in lower case?
fn says(cells: &[&[Placed]], words: &str) -> bool {
    let mut values = cells.iter().flat_map(|cell| cell.iter());
    values.any(|value| value.text.to_lowercase().contains(words))
}

/// The place of a node, as the page knows it.
pub(crate) fn place(page: &Page, node: NodeId) -> Option<api::Spot> {
    show::spot(page, node).map(|spot| api::Spot {
        n: spot.element.0,
        t: spot.text,
        a: spot.attribute,
    })
}

/// The node at a place.
pub(crate) fn node_at(page: &Page, spot: &api::Spot) -> Option<NodeId> {
    let spot = show::Spot {
        element: NodeId(spot.n),
        text: spot.t,
        attribute: spot.a.clone(),
    };
    show::node_at(page, &spot)
}

fn cell(page: &Page, values: &[Placed]) -> Option<api::Cell> {
    let first = values.first()?;
    let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
    Some(api::Cell {
        text: clip(&texts.join(" · ")),
        at: first.node.and_then(|node| place(page, node)),
    })
}

/// At most [`LONGEST`] characters.
pub(crate) fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The fields of a wrapper, those that are shown first.
pub(crate) fn fields(
    wrapper: &Wrapper,
    view: &View,
    pointed: impl Fn(&str) -> usize,
    doubt: impl Fn(&str) -> Option<String>,
) -> Vec<api::Field> {
    let listed = fields::list(wrapper).into_iter();
    let each = listed.map(|field| {
        let (filled, of) = view
            .filled(&field.name)
            .unwrap_or((field.records.0 as usize, field.records.1 as usize));
        api::Field {
            sort: field.sort,
            value: field.value.name(),
            key: field.key,
            shown: field.shown,
            filled,
            of,
            samples: field.samples.iter().map(|text| clip(text)).collect(),
            pointed: pointed(&field.name),
            column: view.columns.iter().position(|name| *name == field.name),
            doubt: doubt(&field.name),
            name: field.name,
        }
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_ordered_as_people_count() {
        for (text, expected) in [
            ("7", Some(7_000_000)),
            ("£7.25", Some(7_250_000)),
            ("eur 1.234,5", Some(1_234_500_000)),
            ("1,234 reviews", Some(1_234_000_000)),
            ("-3", Some(-3_000_000)),
            ("4.5 of 5", Some(4_500_000)),
            ("a 7", None),
            ("kelp", None),
            ("", None),
            ("99999999999999999999999999999999999999999999", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
        let key = |text: &str| {
            Key::of(&[Placed {
                text: text.to_owned(),
                node: None,
            }])
        };
        assert!(key("9") < key("10") && key("10") < key("kelp") && key("kelp") < Key::of(&[]));
    }
}
