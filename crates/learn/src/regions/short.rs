//! Rows that lack a cell on pages that were not learned from.
//!
//! If all rows of the known page are full, nothing there tells what a row with one cell less lacks, and the place of a cell says nothing: it is
//! that of its column if a later cell is missing, and one less if an earlier one is. So the cells themselves are asked. Two
//! neighbouring columns are told apart by what all cells of one have and no cell of the other has: a link, a picture, a class, digits, words, a year, the
//! signs of times, prices, shares and addresses; or one of them is always blank and the other never is. If the cell at the place of a column is, by such a sign, a cell of that column and not of the next, nothing is missing up to
//! there; if it is a cell of the next column, something is missing before it, and all later cells are moved. A column about which no cell says anything
//! is empty in such a row: no value is better than that of another column.
//!
//! A row with a cell across several columns lacks nothing and is read by places, and so are rows that lack more than one cell.
//!
//! Linear in the cells of the rows that are looked at.

use page::{NodeId, Page};

/// The most rows whose cells are compared.
const ROWS: usize = 60;
/// The fewest cells with something in them that tell what a column has.
const FEWEST: usize = 3;
/// The most signs of two columns that a cell is tested for: a cell must have all of them, or none.
const SIGNS: usize = 2;
/// The most cells of a row that are asked where a column is.
const ASKED: usize = 3;

/// What a cell may have, as XPath; each is a bit of [`seen`].
const FORMS: [&str; 12] = [
    ".//a",
    ".//img",
    "translate(.,'0123456789','')!=string()",
    "contains(translate(.,'123456789','000000000'),'0000')",
    "translate(.,'aeiou','')!=string()",
    "contains(.,':')",
    "contains(.,'/')",
    "contains(.,'$')",
    "contains(.,'€')",
    "contains(.,'£')",
    "contains(.,'%')",
    "contains(.,'@')",
];
/// The signs among them, from the sixth on.
const MARKS: [char; 7] = [':', '/', '$', '€', '£', '%', '@'];

/// There is something in a cell.
const FILLED: &str = "(translate(normalize-space(),'\u{a0} ','') or .//img)";

/// Tests that tell a cell of a column from one of the next.
struct Told {
    here: String,
    next: String,
}

/// How a row with one cell less than usual is read.
pub(super) struct Short {
    name: String,
    usual: usize,
    /// For each column but the last.
    told: Vec<Option<Told>>,
}

impl Short {
    /// From rows with the usual number of cells.
    pub(super) fn new(page: &Page, name: &str, rows: &[&Vec<NodeId>], usual: usize) -> Short {
        let columns: Vec<Column<'_>> = (0..usual).map(|at| Column::new(page, rows, at)).collect();
        Short {
            name: name.to_owned(),
            usual,
            told: columns.windows(2).map(|two| told(&two[0], &two[1])).collect(),
        }
    }

    fn cells(&self) -> String {
        format!("count(../{})", self.name)
    }

    /// A test for cells at the place of a column, counted from 1: the row is full, or lacks a later cell.
    pub(super) fn in_place(&self, column: usize) -> String {
        if column >= self.usual {
            return String::new();
        }
        let (name, cells, less) = (&self.name, self.cells(), self.usual - 1);
        let asked = self.told.iter().enumerate().skip(column - 1);
        let asked = asked.filter_map(|(at, told)| Some((at, told.as_ref()?))).take(ASKED);
        let tests = asked.map(|(at, told)| format!(" or ../{name}[{}][{}]", at + 1, told.here));
        format!("[{cells}!={less} or ../{name}/@colspan{}]", tests.collect::<String>())
    }

    /// The place of a column in rows that lack an earlier cell, with a test for them.
    pub(super) fn moved(&self, column: usize) -> Option<(usize, String)> {
        let (name, cells, less) = (&self.name, self.cells(), self.usual - 1);
        let before = column.checked_sub(1).filter(|before| *before > 0)?;
        let asked = self.told.iter().enumerate().take(before).rev();
        let asked = asked.filter_map(|(at, told)| Some((at, told.as_ref()?))).take(ASKED);
        let tests = asked.map(|(at, told)| format!("../{name}[{}][{}]", at + 1, told.next));
        let tests: Vec<String> = tests.collect();
        let test = format!("[{cells}={less} and not(../{name}/@colspan)][{}]", tests.join(" or "));
        (!tests.is_empty()).then_some((before, test))
    }
}

/// What the cells of a column have.
struct Column<'p> {
    /// The number of cells.
    rows: usize,
    /// The number of cells that are not blank.
    count: usize,
    /// What all of them have, and what any of them has.
    all: u32,
    any: u32,
    /// Their classes; `None` for those without one.
    classes: Vec<Option<&'p str>>,
}

impl<'p> Column<'p> {
    fn new(page: &'p Page, rows: &[&Vec<NodeId>], at: usize) -> Column<'p> {
        let mut column = Column {
            rows: rows.len().min(ROWS),
            count: 0,
            all: u32::MAX,
            any: 0,
            classes: Vec::new(),
        };
        for row in rows.iter().take(ROWS) {
            let class = page.attribute_value(row[at], "class");
            if !column.classes.contains(&class) {
                column.classes.push(class);
            }
            if let Some(seen) = seen(page, row[at]) {
                column.count += 1;
                column.all &= seen;
                column.any |= seen;
            }
        }
        column
    }

    /// Is no cell blank?
    fn is_full(&self) -> bool {
        self.count >= FEWEST && self.count == self.rows
    }

    /// The class of all cells, if no cell of another column has it.
    fn class(&self, other: &Column<'_>) -> Option<String> {
        let [Some(class)] = self.classes[..] else { return None };
        let own = !class.trim().is_empty() && !class.contains(['"', '\'']) && !other.classes.contains(&Some(class));
        own.then(|| format!("@class=\"{class}\""))
    }
}

/// What a cell has, a bit for each of [`FORMS`]; nothing for a blank cell.
fn seen(page: &Page, cell: NodeId) -> Option<u32> {
    let text = page.string_value(cell);
    let inside = (cell.0 + 1..page.end(cell).0).map(NodeId);
    let has = |name: &str| {
        inside
            .clone()
            .any(|node| page.is_element(node) && page.name(node) == name)
    };
    if text.trim().is_empty() && !has("img") {
        return None;
    }
    let digits = |c: char| c.is_ascii_digit();
    let is_year = text.split(|c| !digits(c)).any(|run| run.len() >= 4);
    let forms = [
        has("a"),
        has("img"),
        text.contains(digits),
        is_year,
        text.contains(['a', 'e', 'i', 'o', 'u']),
    ];
    let marks = MARKS.map(|mark| text.contains(mark));
    let all = forms.into_iter().chain(marks).enumerate();
    Some(all.map(|(bit, has)| u32::from(has) << bit).sum())
}

/// What tells the cells of two columns apart.
fn told(one: &Column<'_>, other: &Column<'_>) -> Option<Told> {
    let blank = format!("not{FILLED}");
    match (one.is_full(), other.is_full()) {
        (true, _) if other.count == 0 => {
            return Some(Told {
                here: FILLED.to_owned(),
                next: blank,
            });
        }
        (_, true) if one.count == 0 => {
            return Some(Told {
                here: blank,
                next: FILLED.to_owned(),
            });
        }
        _ => {}
    }
    if one.count < FEWEST || other.count < FEWEST {
        return None;
    }
    let mut tests = [Tests::default(), Tests::default()];
    for (tests, class) in tests.iter_mut().zip([one.class(other), other.class(one)]) {
        tests.has.extend(class);
    }
    let mut signs = 0;
    for (bit, form) in FORMS.iter().enumerate() {
        let has = |mask: u32| mask >> bit & 1 == 1;
        let (mine, theirs) = (has(one.all) && !has(other.any), has(other.all) && !has(one.any));
        if (mine || theirs) && signs < SIGNS {
            signs += 1;
            let [here, next] = &mut tests;
            let (with, without) = if mine { (here, next) } else { (next, here) };
            with.has.push((*form).to_owned());
            without.lacks.push(format!("not({form})"));
        }
    }
    let [here, next] = tests.map(Tests::all);
    Some(Told {
        here: here?,
        next: next?,
    })
}

/// What a cell must have, and what it must not have.
#[derive(Default)]
struct Tests {
    has: Vec<String>,
    lacks: Vec<String>,
}

impl Tests {
    /// All of them, if there are some. A blank cell, which lacks everything, says nothing.
    fn all(self) -> Option<String> {
        let Tests { mut has, lacks } = self;
        if has.is_empty() && !lacks.is_empty() {
            has.push(FILLED.to_owned());
        }
        has.extend(lacks);
        (!has.is_empty()).then(|| has.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};
    use wrapper::rule::paths::PathsRun;

    /// Rows as they are written; the list of the first page is read on the second.
    fn read(known: &str, other: &str) -> Vec<Vec<String>> {
        let page = |html: &str| Page::parse_str(html, &Default::default()).unwrap();
        let best = crate::regions::find(&page(known), &Job::new()).remove(0);
        let run = PathsRun::new(&best.rule).unwrap();
        let records = run.page(&page(other));
        let said = |name: &str| best.names.iter().position(|known| known == name);
        let fields: Vec<usize> = ["day", "body", "place", "papers"]
            .into_iter()
            .filter_map(said)
            .collect();
        assert_eq!(fields.len(), 4, "{:?}", best.names);
        let value = |record: &wrapper::rule::paths::PathRecord, field: usize| {
            let found = record.values.iter().find(|value| value.field == field);
            found.map_or("-".to_owned(), |value| value.text.clone())
        };
        let row = |record| fields.iter().map(|field| value(record, *field)).collect();
        records.iter().map(row).collect()
    }

    fn table(head: bool, odd: Option<&str>) -> String {
        let row = |at: usize| {
            let names = ["Council", "School Board", "Parks", "Zoning", "Library", "Water"];
            format!(
                "<tr><td>May {}, 2019</td><td>{} of Kelp</td><td>Room of {}</td><td><a href='p{at}.pdf'>Papers for {at}</a></td></tr>",
                at + 1,
                names[at],
                ["Anna", "Bob", "Carol", "Dora", "Emil", "Frida"][at]
            )
        };
        let mut rows: Vec<String> = (0..6).map(row).collect();
        if let Some(odd) = odd {
            rows[2] = format!("<tr>{odd}</tr>");
        }
        let names = "<tr><th>Day</th><th>Body</th><th>Place</th><th>Papers</th></tr>";
        match head {
            true => format!("<table><thead>{names}</thead><tbody>{}</tbody></table>", rows.concat()),
            false => format!("<table>{names}{}</table>", rows.concat()),
        }
    }

    #[test]
    fn a_row_that_lacks_a_cell_is_not_moved() {
        let cells = [
            "<td>May 3, 2019</td>",
            "<td>Parks of Kelp</td>",
            "<td>Room of Carol</td>",
            "<td><a href='p2.pdf'>Papers for 2</a></td>",
        ];
        for head in [true, false] {
            let check = |lacks: usize, expected: [&str; 4]| {
                let left = cells.iter().enumerate().filter(|(at, _)| *at != lacks);
                let odd: String = left.map(|(_, cell)| *cell).collect();
                let rows = read(&table(head, None), &table(head, Some(&odd)));
                assert_eq!(rows.len(), 6);
                assert_eq!(rows[2], expected, "without {lacks}");
                assert_eq!(
                    rows[3],
                    ["May 4, 2019", "Zoning of Kelp", "Room of Dora", "Papers for 3"]
                );
            };
            check(0, ["-", "Parks of Kelp", "Room of Carol", "Papers for 2"]);
            // Nothing tells whether a body or a place is missing.
            check(1, ["May 3, 2019", "-", "-", "Papers for 2"]);
            check(2, ["May 3, 2019", "-", "-", "Papers for 2"]);
            check(3, ["May 3, 2019", "Parks of Kelp", "Room of Carol", "-"]);
        }
    }

    #[test]
    fn a_cell_that_is_always_blank_may_be_missing() {
        let row = |name: &str, blank: &str| format!("<p><span>{name} of Kelp</span>{blank}</p>");
        let page = |blank: &str| {
            let names = ["Council", "School Board", "Parks", "Zoning", "Library"];
            let rows: String = names.iter().map(|name| row(name, "<span> </span>")).collect();
            Page::parse_str(
                &format!("<div>{rows}{}</div>", row("Water", blank)),
                &Default::default(),
            )
            .unwrap()
        };
        let best = crate::regions::find(&page("<span> </span>"), &Job::new()).remove(0);
        let records = PathsRun::new(&best.rule).unwrap().page(&page(""));
        assert_eq!(records[5].values[0].text, "Water of Kelp", "{:?}", best.rule);
    }

    #[test]
    fn a_cell_across_columns_is_no_missing_one() {
        let odd = "<td>May 3, 2019</td><td>Parks of Kelp</td><td colspan=2>No meeting</td>";
        let rows = read(&table(true, None), &table(true, Some(odd)));
        assert_eq!(rows[2], ["May 3, 2019", "Parks of Kelp", "No meeting", "-"]);
    }
}
