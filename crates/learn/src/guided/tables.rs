//! Rules for records inside of records: each kind of record is learned on its own, over all pages, and the rules are put
//! into each other as the records are.

use super::{Lesson, Taught, Trouble, Wanted, learn_guided};
use page::Page;
use wrapper::rule::guided::Guided;
use wrapper::schema::{Schema, Table};

/// A page with the rows of each table of its records.
#[derive(Clone, Debug)]
pub struct Chapter<'p> {
    /// What messages call it.
    pub name: &'p str,
    /// The page.
    pub page: &'p Page,
    /// For each table its rows, for each row the values of each column.
    pub rows: Vec<Vec<Vec<Vec<String>>>>,
}

/// The columns of a table, as learners want them.
pub fn wanted(table: &Table) -> Vec<Wanted> {
    let columns = table.columns.iter().map(|column| Wanted {
        name: column.name(),
        many: column.many,
    });
    columns.collect()
}

/// Learns a rule for all tables of a schema; `listed` says for each whether a page may have several of its records. Also gives
/// what was learned of each table; none where there were no examples.
///
/// # Errors
///
/// There is no rule for the outermost records; see [`Trouble`].
pub fn learn_tables(
    schema: &Schema,
    chapters: &[Chapter<'_>],
    listed: &[bool],
) -> Result<(Guided, Vec<Option<Taught>>), Trouble> {
    let tables = schema.tables();
    let mut rules: Vec<Guided> = Vec::new();
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
        let lessons: Vec<Lesson<'_>> = lessons.filter(has_values).collect();
        let taught = match learn_guided(&wanted, &lessons, listed) {
            Ok(taught) => Some(taught),
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
