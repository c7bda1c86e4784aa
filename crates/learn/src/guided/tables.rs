//! Rules for records inside of records: each kind of record is learned on its own, over all pages, and the rules are put
//! into each other as the records are.

use super::trust::Weights;
use super::{Lesson, Pins, Taught, Trouble, Wanted, learn_pinned};
use page::{Job, NodeId, Page};
use record::{Field, RecordType, Rows, Table};
use wrapper::rule::paths::Paths;

/// A page with the rows of each table of its records.
#[derive(Clone, Debug)]
pub struct Chapter<'p> {
    /// What messages call it.
    pub name: &'p str,
    /// The page.
    pub page: &'p Page,
    /// For each table its rows, for each row the values of each column.
    pub rows: Rows,
    /// Values that were given by their nodes.
    pub pins: Vec<(String, NodeId)>,
}

/// The columns of a table, as learners want them.
pub fn wanted(table: &Table) -> Vec<Wanted> {
    let columns = table.columns.iter().map(|column| Wanted {
        name: column.name(),
        many: column.many,
    });
    columns.collect()
}

/// The type of records with these fields.
pub fn record_type(name: &str, wanted: &[Wanted]) -> RecordType {
    let field = |want: &Wanted| match want.many {
        true => Field::texts(&want.name),
        false => Field::text(&want.name),
    };
    RecordType::new(name, wanted.iter().map(field).collect())
}

/// Learns a rule for all tables of a schema; `listed` says for each whether a page may have several of its records, and `also`
/// are pages without examples. Also gives what was learned of each table; none where there were no examples.
///
/// # Errors
///
/// There is no rule for the outermost records; see [`Trouble`].
pub fn learn_tables(
    schema: &RecordType,
    chapters: &[Chapter<'_>],
    also: &[&Page],
    listed: &[bool],
    job: &Job,
) -> Result<(Paths, Vec<Option<Taught>>), Trouble> {
    let (tables, weights) = (schema.tables(), Weights::default());
    let mut rules: Vec<Paths> = Vec::new();
    let mut all: Vec<Option<Taught>> = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        let wanted = wanted(table);
        let listed = listed.get(number).copied().unwrap_or(true);
        let lessons = chapters.iter().map(|chapter| Lesson {
            name: chapter.name,
            page: chapter.page,
            records: chapter.rows[number].clone(),
        });
        let has_values = |lesson: &Lesson<'_>| lesson.records.iter().flatten().any(|values| !values.is_empty());
        // A page without records says little; one record without a field says that it can be missing.
        let (lessons, pins): (Vec<Lesson<'_>>, Vec<Pins>) = lessons
            .zip(chapters)
            .filter(|(lesson, _)| has_values(lesson))
            .map(|(lesson, chapter)| (lesson, chapter.pins.clone()))
            .unzip();
        let taught = match learn_pinned(&wanted, &lessons, &pins, (also, &weights), listed, job) {
            Ok(taught) => Some(taught),
            Err(Trouble::Stopped) => return Err(Trouble::Stopped),
            Err(trouble) if number == 0 && !wanted.is_empty() => return Err(trouble),
            Err(_) => None,
        };
        let mut rule = taught.as_ref().map(|taught| taught.rule.clone()).unwrap_or_default();
        rule.fields.resize_with(wanted.len(), Default::default);
        for (field, want) in rule.fields.iter_mut().zip(&wanted) {
            field.many = want.many;
        }
        rules.push(rule);
        all.push(taught);
    }
    // Each rule into that of the table around it, innermost first.
    for number in (1..tables.len()).rev() {
        let rule = rules.remove(number);
        if let Some(parent) = tables[number].parent {
            rules[parent].inner.insert(0, rule);
        }
    }
    Ok((rules.into_iter().next().unwrap_or_default(), all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wrapper::rule::paths::PathsRun;

    #[test]
    fn a_value_that_was_pointed_at_is_that_one() {
        let html = "<p class=a>12</p><p class=b>12</p><p class=c>12</p>";
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let other = "<p class=a>1</p><p class=b>2</p><p class=c>3</p>";
        let other = Page::parse(other.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let schema = RecordType::flat("r", ["x"]);
        for (number, expected) in ["1", "2", "3"].into_iter().enumerate() {
            let shown = page
                .elements()
                .iter()
                .copied()
                .filter(|node| page.name(*node) == "p")
                .nth(number)
                .expect("a paragraph");
            let chapter = Chapter {
                name: "p",
                page: &page,
                rows: vec![vec![vec![vec!["12".to_owned()]]]],
                pins: vec![("12".to_owned(), shown)],
            };
            let (rule, _) = learn_tables(&schema, &[chapter], &[], &[false], &Job::new()).expect("a rule");
            let found = PathsRun::new(&rule).expect("a rule").page(&other);
            assert_eq!(found[0].values[0].text, expected);
        }
    }
}
