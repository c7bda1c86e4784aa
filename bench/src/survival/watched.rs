//! A wrapper of any kind that the library saves, checked and repaired as a user would: its values are compared with
//! their profile, and it is repaired when something seems to be wrong.

use super::{Repaired, Said, Sample, Site, Wrapper};
use learn::guided::wanted;
use page::{Document, NodeId, Page};
use record::RecordType;
use tend::{ENOUGH, compare, recover, repair_at_least};
use wrapper::{Rule, Runner, Wrapper as Saved, WrapperError};

/// A wrapper, and the columns of its records that have the fields of the site.
#[derive(Debug)]
pub struct Watched {
    wrapper: Saved,
    runner: Runner,
    fields: Vec<String>,
    /// For each field, a table and a column of the records.
    columns: Vec<Option<(usize, usize)>>,
    /// For each field, how sure its repair was said to be, if it was repaired.
    said: Vec<Option<Said>>,
    /// How sure a field must be to be repaired.
    at_least: f64,
}

impl Watched {
    /// Takes a wrapper whose text fields have the names of those of the site, and gathers the profile of what it gives
    /// on pages.
    ///
    /// # Errors
    ///
    /// The rule cannot be run.
    pub fn new(bare: Saved, site: &Site, met: &[&Sample]) -> Result<Watched, WrapperError> {
        let sheets: Vec<Document> = met.iter().map(|sample| sheet(&sample.name, &sample.page)).collect();
        let wrapper = Saved::made(bare.rule, bare.record_type, bare.given, &sheets)?;
        Watched::known(wrapper, site.fields.clone())
    }

    fn known(wrapper: Saved, fields: Vec<String>) -> Result<Watched, WrapperError> {
        Ok(Watched {
            runner: wrapper.runner()?,
            columns: fields.iter().map(|field| column(&wrapper.record_type, field)).collect(),
            said: vec![None; fields.len()],
            at_least: ENOUGH,
            wrapper,
            fields,
        })
    }

    /// The same, which is repaired with the fields that are at least so sure.
    #[must_use]
    pub fn at_least(self, at_least: f64) -> Watched {
        Watched { at_least, ..self }
    }

    /// The kind of its rule.
    pub fn kind(&self) -> &'static str {
        self.wrapper.rule.kind()
    }

    /// What is wrong with what it gives on pages, in words; `None` if all seems to be well.
    pub fn alarm(&self, pages: &[Sample]) -> Option<String> {
        let sheets = sheets(pages);
        if pages
            .iter()
            .all(|sample| self.extract(&sample.page).iter().all(Vec::is_empty))
        {
            return Some("nothing is given".to_owned());
        }
        let now = self.wrapper.observe(&sheets).ok()?;
        let report = compare(&self.wrapper, now).ok().filter(|report| !report.is_fine())?;
        let alarms = report.tables.iter().map(|table| &table.alarm);
        let fields = alarms.flat_map(|alarm| alarm.fields.iter().map(|field| (&field.name, &field.reasons)));
        let words = fields.filter_map(|(name, reasons)| Some(format!("{name}: {}", reasons.first()?)));
        Some(words.collect::<Vec<_>>().join("; "))
    }

    /// The paths to a field, if its rule has paths.
    pub fn paths(&self, field: usize) -> Vec<String> {
        match (&self.wrapper.rule, self.columns[field]) {
            (Rule::Paths(rule), Some((0, column))) => {
                let ways = rule.fields.get(column).map(|field| &field.ways);
                let each = ways.into_iter().flatten();
                each.map(|way| format!("{} [{}…{}]", way.path, way.after, way.before))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The values of each field as they are recovered on a page, without a rule; only those of the outermost records.
    pub fn recovered(&self, page: &Page) -> Vec<Vec<String>> {
        let table = self.wrapper.record_type.tables().swap_remove(0);
        let found = recover(page, &wanted(&table), &self.wrapper.evidence.profiles[0], false);
        let record = found.records.into_iter().next().unwrap_or_default();
        let cells = |place: &Option<(usize, usize)>| match place {
            Some((0, column)) => record.get(*column).cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        self.columns.iter().map(cells).collect()
    }
}

impl Wrapper for Watched {
    fn extract(&self, page: &Page) -> Vec<Vec<String>> {
        let mut sheet = sheet("page", page);
        if !self.runner.reads_source() {
            sheet.source = None;
        }
        let rows = self.runner.rows(&sheet);
        let cells = |place: &Option<(usize, usize)>| match place {
            Some((table, column)) => rows[*table].iter().flat_map(|row| row[*column].clone()).collect(),
            None => Vec::new(),
        };
        self.columns.iter().map(cells).collect()
    }

    fn repair(&self, pages: &[Sample]) -> Repaired<Watched> {
        if self.alarm(pages).is_none() {
            return Repaired::Fine;
        }
        let Ok(new) = repair_at_least(&self.wrapper, &sheets(pages), self.at_least, &page::Job::new()) else {
            return Repaired::Lost;
        };
        // As the program does: if no field is sure enough, the old wrapper stays.
        if self.at_least > 0.0 && !new.needed().any(|field| field.sure >= self.at_least) {
            return Repaired::Lost;
        }
        let said = |field: &String| {
            let of = new
                .fields
                .iter()
                .find(|of| of.name.rsplit('.').next() == Some(field.as_str()));
            of.map(|of| Said {
                score: of.score,
                sure: of.sure,
                left_out: of.left_out,
            })
        };
        let said = self.fields.iter().map(said).collect();
        match Watched::known(new.wrapper, self.fields.clone()) {
            Ok(new) => Repaired::New(Watched { said, ..new }),
            Err(_) => Repaired::Lost,
        }
    }

    fn said(&self) -> Vec<Option<Said>> {
        self.said.clone()
    }
}

/// The table and the column of a field in a record type: the first text of that name.
fn column(schema: &RecordType, field: &str) -> Option<(usize, usize)> {
    let tables = schema.tables();
    tables.iter().enumerate().find_map(|(number, table)| {
        let is_it = |path: &Vec<String>| path.last().is_some_and(|name| name == field);
        let at = table.columns.iter().position(|column| is_it(&column.path))?;
        Some((number, at))
    })
}

pub(super) fn sheet(name: &str, page: &Page) -> Document {
    Document {
        name: name.into(),
        url: None,
        page: page.clone().into(),
        source: Some(page.to_html(NodeId::DOCUMENT).into()),
    }
}

fn sheets(pages: &[Sample]) -> Vec<Document> {
    pages.iter().map(|sample| sheet(&sample.name, &sample.page)).collect()
}
