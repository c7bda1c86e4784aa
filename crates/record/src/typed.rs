//! Records as rows of typed columns, and what happens to values that do not fit their column.
//!
//! The record type decides the type of each column before the first record: a column never changes its type because of
//! the data of one run. A text that is not a value of its sort is a *misfit*, and [`OnMisfit`] says what becomes of it.
//! Every sink asks here, so a value is a misfit for all of them or for none.
//!
//! [`Typing`] turns records into rows of [`Cell`]s for sinks with typed columns. **Input**: records and their types.
//! **Output**: for each record the number of its type and one cell for each field of [`Typing::types`], in order. These
//! types have the columns of the sink as well: `_record`, `_page`, `_bind`, and `_misfit` if a value could be a misfit.
//! The cost is linear in the record.

use crate::fit::stranger;
use crate::types::merge;
use crate::value::children;
use crate::values::{self, Convention, Date, Misread, Number, Timestamp};
use crate::{Cardinality, Content, Field, Record, RecordType, SinkSpec, Sort, ValueType};
use std::borrow::Cow;
use std::fmt;
use std::io;

/// The field for the texts of values that do not fit.
pub const MISFIT: &str = "_misfit";

/// Between several values where only one is expected.
const BETWEEN: &str = "; ";

/// What becomes of a value that does not fit the sort of its field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnMisfit {
    /// It is null, and its text is kept in `_misfit`.
    #[default]
    Null,
    /// Its text is written in its place. Columns with strict types become columns of text.
    KeepText,
    /// The whole record is left out.
    Drop,
    /// Nothing more is written, and the error says why.
    Fail,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Null,
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number, with all its digits.
    Decimal(Number),
    /// True or false.
    Boolean(bool),
    /// A day.
    Date(Date),
    /// A day and a time.
    Timestamp(Timestamp),
    /// The values of a field that may have several.
    List(Vec<Cell>),
    /// The cells of a nested record, one for each of its fields.
    Record(Vec<Cell>),
}

impl Cell {
    /// The text of a single value: numbers with a decimal point, dates by ISO 8601. Empty for anything else.
    pub fn written(&self) -> Cow<'_, str> {
        match self {
            Cell::Null | Cell::List(_) | Cell::Record(_) => Cow::Borrowed(""),
            Cell::Text(text) => Cow::Borrowed(text),
            Cell::Integer(number) => number.to_string().into(),
            Cell::Decimal(number) => Cow::Borrowed(number.as_str()),
            Cell::Boolean(truth) => Cow::Borrowed(if *truth { "true" } else { "false" }),
            Cell::Date(date) => date.to_string().into(),
            Cell::Timestamp(moment) => moment.to_string().into(),
        }
    }

    /// Is there no value: null, or an empty list?
    pub fn is_nothing(&self) -> bool {
        match self {
            Cell::Null => true,
            Cell::List(cells) => cells.is_empty(),
            _ => false,
        }
    }
}

impl ValueType {
    /// The value of a text as a cell.
    ///
    /// ```
    /// use record::{Cell, Sort, ValueType};
    /// let price = ValueType { sort: Sort::Decimal, ..ValueType::default() };
    /// assert_eq!(price.cell("$1,299.50")?.written(), "1299.50");
    /// assert!(price.cell("soon").is_err());
    /// # Ok::<(), record::values::Misread>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text does not stand for a value of the sort.
    pub fn cell(&self, text: &str) -> Result<Cell, Misread> {
        // Databases have no year 0.
        let after_zero = |date: Date| match date.year() {
            0 => Err(Misread::NoSuchDay),
            _ => Ok(date),
        };
        match self.sort {
            Sort::Text | Sort::Link => Ok(Cell::Text(text.to_owned())),
            Sort::Integer => values::integer(text, &self.convention).map(Cell::Integer),
            Sort::Decimal => values::number(text, &self.convention).map(Cell::Decimal),
            Sort::Boolean => values::truth(text).map(Cell::Boolean),
            Sort::Date => values::date(text, &self.convention)
                .and_then(after_zero)
                .map(Cell::Date),
            Sort::Timestamp => {
                let moment = values::timestamp(text, &self.convention)?;
                after_zero(moment.date)?;
                Ok(Cell::Timestamp(moment))
            }
        }
    }

    /// Can every text be a value?
    pub fn takes_all(&self) -> bool {
        matches!(self.sort, Sort::Text | Sort::Link)
    }
}

/// What a sink has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Records that were written.
    pub records: u64,
    /// Records that were left out because a value does not fit.
    pub dropped: u64,
    /// Records that were left out because they have no value for the key.
    pub keyless: u64,
    /// Records whose key was not there before; only if there is a key.
    pub added: u64,
    /// Records that were there before with other values; only if there is a key.
    pub changed: u64,
    /// Records that were there before and were not found again; only if these are marked.
    pub gone: u64,
    /// The fields with values that do not fit, in the order in which they were found.
    pub misfits: Vec<FieldMisfits>,
    /// What else a user should know, in sentences.
    pub notices: Vec<String>,
}

/// The values of a field that do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldMisfits {
    /// The path of the field, such as `book.price`.
    pub field: String,
    /// How many values.
    pub count: u64,
    /// The first one, cut if it is long.
    pub example: String,
    /// The page of the first one.
    pub page: String,
    /// What is wrong with the first one: `is not a number: it is a range`.
    pub problem: String,
}

impl fmt::Display for FieldMisfits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldMisfits {
            field, count, example, ..
        } = self;
        match count {
            1 => write!(f, "{field}: {example:?} on {} {}", self.page, self.problem),
            _ => write!(
                f,
                "{field}: {count} values do not fit; the first, {example:?} on {}, {}",
                self.page, self.problem
            ),
        }
    }
}

/// The most characters of an example.
const EXAMPLE: usize = 60;

/// Decides what becomes of misfits, and counts them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fitting {
    pub(crate) on: OnMisfit,
    pub(crate) tally: Tally,
    /// The misfits of the record at hand: places within the record, and texts.
    pub(crate) found: Vec<(String, String)>,
}

/// A place within a record: names of fields, each with a number if the field may repeat.
pub(crate) type Path<'t> = Vec<(&'t str, Option<usize>)>;

impl Fitting {
    pub(crate) fn new(on: OnMisfit) -> Fitting {
        Fitting {
            on,
            ..Fitting::default()
        }
    }

    /// Takes note of a misfit of the record at hand.
    pub(crate) fn misfit(&mut self, path: &Path, text: &str, problem: String, record: &Record) -> io::Result<()> {
        let names: Vec<&str> = path.iter().map(|(name, _)| *name).collect();
        let field = names.join(".");
        let example = cut(text);
        if self.on == OnMisfit::Fail {
            let text = format!("{}: `{field}`: {example:?} {problem}", record.page);
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        let steps = path.iter().map(|(name, number)| match number {
            Some(number) => format!("{name}[{number}]"),
            None => (*name).to_owned(),
        });
        self.found.push((steps.collect::<Vec<_>>().join("."), text.to_owned()));
        match self.tally.misfits.iter_mut().find(|known| known.field == field) {
            Some(known) => known.count += 1,
            None => self.tally.misfits.push(FieldMisfits {
                field,
                count: 1,
                example,
                page: record.page.to_string(),
                problem,
            }),
        }
        Ok(())
    }

    /// Is the record at hand to be left out? Counts it if so.
    pub(crate) fn drops(&mut self) -> bool {
        let drops = self.on == OnMisfit::Drop && !self.found.is_empty();
        self.tally.dropped += u64::from(drops);
        drops
    }

    /// The misfits of the record at hand as a JSON object, if its text must be kept there.
    pub(crate) fn kept(&self) -> Option<String> {
        if self.on != OnMisfit::Null || self.found.is_empty() {
            return None;
        }
        let json = |text: &str| serde_json::Value::from(text).to_string();
        let members = self.found.iter().map(|(place, text)| json(place) + ":" + &json(text));
        Some(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
    }

    /// The record with its values as every program reads them, for formats without types; `None` if it is left out.
    /// Texts of values that do not fit become a value of the field `_misfit`.
    pub(crate) fn canonical<'r>(
        &mut self,
        kind: &RecordType,
        record: &'r Record,
    ) -> io::Result<Option<Cow<'r, Record>>> {
        if !has_types(&kind.content) {
            return Ok(Some(Cow::Borrowed(record)));
        }
        self.found.clear();
        let mut whole = record.clone();
        let mut path = Path::new();
        if let Content::Value(_) = kind.content {
            path.push((&kind.name, None));
        }
        self.rewrite(&kind.content, &mut whole, record, &mut path)?;
        if self.drops() {
            return Ok(None);
        }
        if let Some(text) = self.kept() {
            whole
                .children
                .push(Record::leaf(MISFIT, text, &record.page, record.node));
        }
        Ok(Some(Cow::Owned(whole)))
    }

    /// Rewrites the value of a record, or the values inside it.
    fn rewrite<'t>(
        &mut self,
        content: &'t Content,
        record: &mut Record,
        top: &Record,
        path: &mut Path<'t>,
    ) -> io::Result<()> {
        match content {
            Content::Value(kind) if kind.takes_all() => Ok(()),
            Content::Value(kind) => {
                let text = record.value.take().unwrap_or_default();
                match kind.cell(&text) {
                    Ok(cell) => record.value = Some(cell.written().into_owned()),
                    Err(why) => {
                        self.misfit(path, &text, problem(kind, &why), top)?;
                        record.value = match self.on {
                            OnMisfit::KeepText => Some(text),
                            _ => None,
                        };
                    }
                }
                Ok(())
            }
            Content::Record(fields) => {
                for field in fields.iter().filter(|field| has_types(&field.content)) {
                    if field.name == crate::VALUE && record.value.is_some() {
                        path.push((&field.name, None));
                        self.rewrite(&field.content, record, top, path)?;
                        path.pop();
                        continue;
                    }
                    let children = record.children.iter_mut().filter(|child| child.name == field.name);
                    for (number, child) in children.enumerate() {
                        path.push((&field.name, field.cardinality.may_repeat().then_some(number)));
                        self.rewrite(&field.content, child, top, path)?;
                        path.pop();
                    }
                }
                Ok(())
            }
        }
    }
}

/// A text for a message, cut if it is long.
fn cut(text: &str) -> String {
    match text.char_indices().nth(EXAMPLE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What is wrong with a text.
pub(crate) fn problem(kind: &ValueType, why: &Misread) -> String {
    match why {
        Misread::Nothing | Misread::Words => format!("is not {}", kind.sort.with_article()),
        why => format!("is not {}: {why}", kind.sort.with_article()),
    }
}

/// Is there a value that not every text can be?
pub(crate) fn has_types(content: &Content) -> bool {
    match content {
        Content::Value(kind) => !kind.takes_all(),
        Content::Record(fields) => fields.iter().any(|field| has_types(&field.content)),
    }
}

/// The types, each with the field `_misfit` if a sink for it may need that.
pub(crate) fn with_misfit(types: &[RecordType], on: OnMisfit) -> Vec<RecordType> {
    let mut types = types.to_vec();
    for kind in &mut types {
        if !has_misfits(kind, on) {
            continue;
        }
        if kind.fields().is_empty() {
            let value = Field::new(crate::VALUE, Cardinality::Optional, kind.content.clone());
            kind.content = Content::Record(vec![value]);
        }
        if let Content::Record(fields) = &mut kind.content {
            fields.push(Field::text(MISFIT));
        }
    }
    types
}

/// Turns records into rows of typed columns.
///
/// ```
/// use record::{Cardinality, Cell, Content, Field, Record, RecordType, SinkSpec, Sort, Typing, ValueType};
/// let number = ValueType { sort: Sort::Integer, ..ValueType::default() };
/// let pages = Field::new("pages", Cardinality::Optional, Content::Value(number));
/// let book = RecordType::new("book", vec![Field::text("title"), pages]);
/// let spec = SinkSpec { no_meta: true, ..SinkSpec::default() };
/// let mut typing = Typing::new(&[book], &spec);
/// let names: Vec<&str> = typing.types()[0].fields().iter().map(|field| field.name.as_str()).collect();
/// assert_eq!(names, ["title", "pages", "_misfit"]);
///
/// let (page, node) = ("a.html".into(), page::NodeId::DOCUMENT);
/// let mut record = Record::new("book", &page, node);
/// record.children.push(Record::leaf("pages", "many", &page, node));
/// let (_, cells) = typing.row(&record)?.expect("it is not left out");
/// assert_eq!(cells, [Cell::Null, Cell::Null, Cell::Text(r#"{"pages":"many"}"#.to_owned())]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Typing {
    /// The types as they were given; they say how texts are read.
    given: Vec<RecordType>,
    /// The types of the rows.
    types: Vec<RecordType>,
    fitting: Fitting,
    no_meta: bool,
    bound: Vec<(String, String)>,
}

impl Typing {
    /// Rows of records of these types. The number of a row's type is that of its type here.
    pub fn new(types: &[RecordType], spec: &SinkSpec) -> Typing {
        let mut typing = Typing {
            given: types.iter().map(prepared).collect(),
            types: Vec::new(),
            fitting: Fitting::new(spec.on_misfit),
            no_meta: spec.no_meta,
            bound: Vec::new(),
        };
        typing.types = typing.given.iter().map(|kind| typing.extended(kind)).collect();
        typing
    }

    /// The types of the rows: the fields of the records and those that sinks add.
    pub fn types(&self) -> &[RecordType] {
        &self.types
    }

    /// How many columns come before those of the records: `_record`, `_page`, `_bind`.
    pub fn columns_before(&self) -> usize {
        2 * usize::from(!self.no_meta) + usize::from(!self.bound.is_empty())
    }

    /// Sets the values that the following records were made with. The first call decides which columns there are, so it
    /// comes before [`Typing::types`] is used.
    pub fn bind(&mut self, bindings: &[(String, String)]) {
        let names =
            |bound: &[(String, String)]| -> Vec<String> { bound.iter().map(|(name, _)| name.clone()).collect() };
        let is_new = names(&self.bound) != names(bindings);
        self.bound = bindings.to_vec();
        if is_new {
            self.types = self.given.iter().map(|kind| self.extended(kind)).collect();
        }
    }

    /// What was done so far.
    pub fn tally(&self) -> &Tally {
        &self.fitting.tally
    }

    /// As [`Typing::tally`], for a sink that counts there as well.
    pub fn tally_mut(&mut self) -> &mut Tally {
        &mut self.fitting.tally
    }

    /// The type of a record's rows, and its cells; `None` if the record is left out.
    ///
    /// # Errors
    ///
    /// The record has something that its type does not have, or a value does not fit and that is an error.
    pub fn row(&mut self, record: &Record) -> io::Result<Option<(usize, Vec<Cell>)>> {
        let at = self.given.iter().position(|kind| kind.name == record.name);
        let at = at.ok_or_else(|| crate::sink::unknown("record", &record.name))?;
        self.fitting.found.clear();
        let mut cells = Vec::new();
        if !self.no_meta {
            cells.push(Cell::Text(record.name.clone()));
            cells.push(Cell::Text(record.page.to_string()));
        }
        if !self.bound.is_empty() {
            let values = self.bound.iter().map(|(_, value)| Cell::Text(value.clone()));
            cells.push(Cell::Record(values.collect()));
        }
        let kind = &self.given[at];
        let mut path = Path::new();
        match &kind.content {
            Content::Value(value) => {
                path.push((&kind.name, None));
                cells.push(cell(&mut self.fitting, value, record, record, &path)?);
            }
            Content::Record(fields) => self::cells(&mut self.fitting, fields, record, record, &mut path, &mut cells)?,
        }
        if self.fitting.drops() {
            return Ok(None);
        }
        if has_misfits(kind, self.fitting.on) {
            cells.push(self.fitting.kept().map_or(Cell::Null, Cell::Text));
        }
        Ok(Some((at, cells)))
    }

    /// A type with the columns that sinks add.
    fn extended(&self, kind: &RecordType) -> RecordType {
        let mut fields = Vec::new();
        let text = |name: &str| Field::new(name, Cardinality::One, Content::text());
        if !self.no_meta {
            fields.extend(["_record", "_page"].map(text));
        }
        if !self.bound.is_empty() {
            let inside = self.bound.iter().map(|(name, _)| text(name)).collect();
            fields.push(Field::new("_bind", Cardinality::One, Content::Record(inside)));
        }
        match &kind.content {
            Content::Value(_) => fields.push(Field::new(&kind.name, Cardinality::Optional, kind.content.clone())),
            Content::Record(inside) => fields.extend_from_slice(inside),
        }
        if self.fitting.on == OnMisfit::KeepText {
            fields.iter_mut().for_each(as_text);
        }
        if has_misfits(kind, self.fitting.on) {
            fields.push(Field::text(MISFIT));
        }
        RecordType {
            content: Content::Record(fields),
            ..kind.clone()
        }
    }
}

/// Is there a column for misfits?
fn has_misfits(kind: &RecordType, on: OnMisfit) -> bool {
    on == OnMisfit::Null && may_misfit(&kind.content)
}

/// Can there be a text that is no value? What a program counts always is one; what it calculates may be no number.
fn may_misfit(content: &Content) -> bool {
    match content {
        Content::Value(kind) => {
            let is_counted = matches!(kind.sort, Sort::Integer | Sort::Boolean);
            !(kind.takes_all() || is_counted && kind.convention == Convention::of_programs())
        }
        Content::Record(fields) => fields.iter().any(|field| may_misfit(&field.content)),
    }
}

/// A type without what no table can have: fields of the same name, and nested records without fields.
fn prepared(kind: &RecordType) -> RecordType {
    fn inside(content: &Content) -> Content {
        let Content::Record(fields) = content else {
            return content.clone();
        };
        let fields = fields.iter().map(|field| Field {
            content: match &field.content {
                // That it is there is all there is to say.
                Content::Record(inner) if inner.is_empty() => Content::Value(ValueType {
                    sort: Sort::Text,
                    ..ValueType::default()
                }),
                content => inside(content),
            },
            ..field.clone()
        });
        Content::Record(merge(fields.collect()))
    }
    RecordType {
        content: inside(&kind.content),
        ..kind.clone()
    }
}

/// Makes texts of all values of a field.
fn as_text(field: &mut Field) {
    match &mut field.content {
        Content::Value(kind) => kind.sort = Sort::Text,
        Content::Record(fields) => fields.iter_mut().for_each(as_text),
    }
}

/// Adds a cell for each field.
fn cells<'t>(
    fitting: &mut Fitting,
    fields: &'t [Field],
    record: &Record,
    top: &Record,
    path: &mut Path<'t>,
    into: &mut Vec<Cell>,
) -> io::Result<()> {
    let mut known = 0;
    for field in fields {
        let found: Vec<&Record> = children(field, record).collect();
        known += found.len();
        let many = field.cardinality.may_repeat();
        let mut list = Vec::new();
        for (number, child) in found.iter().enumerate() {
            path.push((&field.name, many.then_some(number)));
            list.push(match &field.content {
                Content::Value(kind) => cell(fitting, kind, child, top, path)?,
                Content::Record(inner) => {
                    let mut inside = Vec::new();
                    cells(fitting, inner, child, top, path, &mut inside)?;
                    Cell::Record(inside)
                }
            });
            path.pop();
        }
        into.push(match (many, list.len()) {
            (true, _) => Cell::List(list),
            (false, 0) => Cell::Null,
            (false, 1) => list.remove(0),
            (false, count) => {
                path.push((&field.name, None));
                let one = several(fitting, &field.content, list, count, top, path);
                path.pop();
                one?
            }
        });
    }
    // Only a record with more children than were read is searched for what its type does not have.
    if known < record.children.len()
        && let Some(name) = stranger(fields, record)
    {
        return Err(crate::sink::unknown("field", name));
    }
    Ok(())
}

/// One cell for several values where only one is expected.
fn several(
    fitting: &mut Fitting,
    content: &Content,
    mut list: Vec<Cell>,
    count: usize,
    top: &Record,
    path: &Path,
) -> io::Result<Cell> {
    let joined = || {
        let texts: Vec<String> = list.iter().map(|cell| cell.written().into_owned()).collect();
        texts.join(BETWEEN)
    };
    match content {
        Content::Value(kind) if kind.takes_all() || fitting.on == OnMisfit::KeepText => Ok(Cell::Text(joined())),
        Content::Value(_) => {
            let text = joined();
            fitting.misfit(path, &text, format!("is {count} values, expected one"), top)?;
            Ok(Cell::Null)
        }
        Content::Record(_) => {
            let text = format!("{count} records");
            fitting.misfit(
                path,
                &text,
                "were found, expected one; only the first is kept".to_owned(),
                top,
            )?;
            Ok(list.swap_remove(0))
        }
    }
}

/// The cell of a value.
fn cell(fitting: &mut Fitting, kind: &ValueType, record: &Record, top: &Record, path: &Path) -> io::Result<Cell> {
    let text = record.value.as_deref().unwrap_or_default();
    match kind.cell(text) {
        Ok(Cell::Text(text)) => Ok(Cell::Text(text)),
        Ok(cell) if fitting.on == OnMisfit::KeepText => Ok(Cell::Text(cell.written().into_owned())),
        Ok(cell) => Ok(cell),
        Err(why) => {
            fitting.misfit(path, text, problem(kind, &why), top)?;
            Ok(match fitting.on {
                OnMisfit::KeepText => Cell::Text(text.to_owned()),
                _ => Cell::Null,
            })
        }
    }
}
