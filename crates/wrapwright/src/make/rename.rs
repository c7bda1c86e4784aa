//! Names for fields, in a wrapper of any kind.
//!
//! Where a name is kept depends on the rule. Delimiters and paths know fields by their numbers, so the names are in the record
//! type alone. Landmarks and templates name their fields and lists themselves, and the record type follows from the rule. An
//! OXPath expression has names in its markers, and a schema that a user gave has them in its text.
//!
//! Texts are changed name by name and then *checked*: the record type of the new text must be the old one with the new
//! names. If it is not (a name that is also a keyword of the schema, a marker that is used in two places), the renaming is
//! refused, and nothing changes. The order of fields stays, so the profiles, which go by numbers, stay valid.

use super::MakeError;
use crate::record::{Content, Field, RecordType, Sort};
use crate::{Remedy, Tail, Wrapper};
use std::error::Error;
use std::fmt;
use wrapper::rule::landmark::{self, Landmarks};
use wrapper::rule::template::{self, Template};
use wrapper::{Given, Rule};

/// Why a field cannot be renamed, or changed otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenameError {
    /// There is no field of this name; these are there.
    NoSuchField(String, Vec<String>),
    /// This is not a name: it is empty, or has a dot or a space.
    NotAName(String),
    /// Two fields of a record would have this name.
    Taken(String),
    /// No field would be shown.
    NothingLeft,
    /// None of these fields was found.
    NothingFound(Vec<String>),
    /// Most values of the field are not of this sort.
    NotOfSort {
        /// The field.
        field: String,
        /// The sort that was asked for.
        sort: Sort,
        /// How many of the values that the wrapper remembers are of this sort, and how many it remembers.
        fits: (usize, usize),
        /// A value that is not.
        example: String,
    },
    /// The field is a record, so it has no type of values.
    NotAValue(String),
    /// The types of the records are said elsewhere: by the expression, or by the schema that was given.
    FixedTypes(String),
    /// The field cannot tell records apart: it may have several values, or is part of a nested record.
    NotAKey(String),
    /// The field tells records apart, so it must be shown.
    KeyNotShown(String),
    /// The expression uses the name in a way that cannot be changed.
    Expression(String),
    /// The schema that the user gave uses the name in a way that cannot be changed.
    Schema(String),
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenameError::NoSuchField(name, known) => {
                write!(f, "found no field `{name}`, expected one of {}", known.join(", "))
            }
            RenameError::NotAName(name) => {
                write!(f, "found the name {name:?}, expected one without dots and spaces")
            }
            RenameError::NothingFound(names) => write!(f, "none of these fields was found: {}", names.join(", ")),
            RenameError::NothingLeft => f.write_str("no field would be left, expected at least one"),
            RenameError::NotOfSort {
                field,
                sort,
                fits: (fits, of),
                example,
            } => write!(
                f,
                "`{field}`: {} of {of} known values are not {}, such as {example:?}",
                of - fits,
                sort.with_article()
            ),
            RenameError::NotAValue(name) => write!(f, "`{name}` is a record, expected a field with values"),
            RenameError::FixedTypes(name) => write!(f, "the type of `{name}` cannot be changed in the wrapper"),
            RenameError::NotAKey(name) => write!(
                f,
                "`{name}` cannot be a key, expected a field of the record itself that has one value"
            ),
            RenameError::KeyNotShown(name) => write!(f, "`{name}` is the key of the records, so it must be shown"),
            RenameError::Taken(name) => write!(f, "a record would have two fields named `{name}`"),
            RenameError::Expression(name) => write!(f, "`{name}` cannot be renamed in the expression"),
            RenameError::Schema(name) => write!(f, "`{name}` cannot be renamed in the schema that was given"),
        }
    }
}

impl Error for RenameError {}

impl RenameError {
    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            RenameError::NoSuchField(..) => Some("fields of nested records are named with dots: item.price".into()),
            RenameError::Expression(_) => Some("change the expression, and make the wrapper again".into()),
            RenameError::Schema(_) => Some("change the schema, and make the wrapper again".into()),
            RenameError::NothingFound(_) => Some("infer without names first, and look at the fields".into()),
            RenameError::NotOfSort { .. } => Some("leave it a text, or choose another type".into()),
            RenameError::NotAValue(_) => Some("name a field of the record: items.price".into()),
            RenameError::FixedTypes(_) => {
                Some("change the schema, or the expression (number(…) is a number), and make the wrapper again".into())
            }
            RenameError::KeyNotShown(_) => Some("keep it, choose another key, or take the key away".into()),
            RenameError::NotAName(_) | RenameError::Taken(_) | RenameError::NothingLeft | RenameError::NotAKey(_) => {
                None
            }
        }
    }
}

impl From<RenameError> for MakeError {
    fn from(error: RenameError) -> MakeError {
        MakeError::Rename(error)
    }
}

/// A field by its names from the outermost record on, and its new name.
type Renamed<'n> = (Vec<&'n str>, &'n str);

/// The wrapper with other names for some fields; all are renamed at once, so two can change places.
///
/// A field of a nested record is named with dots, as `item.price`; the new name is that of the field alone.
///
/// # Errors
///
/// [`MakeError::Rename`] if there is no such field, if the name is taken, or if the rule cannot be changed.
///
/// ```
/// use wrapwright::{Document, Job, ParseSettings, infer, make::rename_fields};
///
/// let page = |name: &str, title: &str| Document::from_source(name, format!("<h1>{title}</h1>"), &ParseSettings::default());
/// let pages = [page("a", "Kelp")?, page("b", "Moss")?];
/// let wrapper = infer(&pages, &Default::default(), &Job::new())?.wrapper;
/// let wrapper = rename_fields(&wrapper, &[("title", "product")])?;
/// assert_eq!(wrapper.extract(&pages[0])?[0].get("product"), Some("Kelp"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rename_fields(wrapper: &Wrapper, names: &[(&str, &str)]) -> Result<Wrapper, MakeError> {
    let mut renamed: Vec<Renamed<'_>> = Vec::new();
    for (old, new) in names {
        let path: Vec<&str> = old.split('.').collect();
        if !has(wrapper.record_type.fields(), &path) {
            let mut known = Vec::new();
            paths(wrapper.record_type.fields(), "", &mut known);
            return Err(RenameError::NoSuchField((*old).to_owned(), known).into());
        }
        if new.is_empty() || new.contains(|c: char| c == '.' || c.is_whitespace()) {
            return Err(RenameError::NotAName((*new).to_owned()).into());
        }
        renamed.push((path, new));
    }
    let fields = with_names(wrapper.record_type.fields(), &mut Vec::new(), &renamed)?;
    let mut record_type = wrapper.record_type.clone();
    if let Content::Record(inner) = &mut record_type.content {
        *inner = fields;
    }
    let rule = match &wrapper.rule {
        Rule::Landmarks(rule) => Rule::Landmarks(in_landmarks(rule, &renamed)),
        Rule::Template(rule) => Rule::Template(in_template(rule, &renamed)),
        Rule::Oxpath(text) => Rule::Oxpath(in_expression(text, &renamed, &record_type)?),
        other => other.clone(),
    };
    let follows = match &rule {
        Rule::Landmarks(rule) => Some(landmark::record_type(rule, &record_type.name)),
        Rule::Template(rule) => Some(template::record_type(rule, &record_type.name)),
        _ => None,
    };
    if let (Some(follows), Some((_, new))) = (follows, renamed.first())
        && follows.shaped_like(&record_type).fields() != record_type.fields()
    {
        return Err(RenameError::Taken((*new).to_owned()).into());
    }
    let given = match &wrapper.given {
        Some(given) => Some(in_schema(given, &renamed, &record_type)?),
        None => None,
    };
    Ok(Wrapper {
        record_type,
        given,
        rule,
        evidence: wrapper.evidence.clone(),
        shown: wrapper
            .shown
            .as_ref()
            .map(|shown| shown.iter().map(|path| new_path(path, &renamed)).collect()),
        key: wrapper.key.iter().map(|path| new_path(path, &renamed)).collect(),
        navigation: wrapper.navigation.clone(),
    })
}

/// The path of a field after the renaming.
fn new_path(path: &str, renamed: &[Renamed<'_>]) -> String {
    let old: Vec<&str> = path.split('.').collect();
    let new = (0..old.len()).map(|at| {
        let is_this = |(path, _): &&Renamed<'_>| path[..] == old[..=at];
        renamed.iter().find(is_this).map_or(old[at], |(_, new)| *new)
    });
    new.collect::<Vec<&str>>().join(".")
}

/// Is there such a field?
fn has(fields: &[Field], path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else {
        return false;
    };
    let field = fields.iter().find(|field| field.name == *first);
    field.is_some_and(|field| rest.is_empty() || has(field.content.fields(), rest))
}

/// The names of all fields, with dots.
fn paths(fields: &[Field], way: &str, out: &mut Vec<String>) {
    for field in fields {
        let path = format!("{way}{}", field.name);
        let inside = format!("{path}.");
        out.push(path);
        paths(field.content.fields(), &inside, out);
    }
}

/// Fields with their new names.
fn with_names(fields: &[Field], way: &mut Vec<String>, renamed: &[Renamed<'_>]) -> Result<Vec<Field>, RenameError> {
    let mut out: Vec<Field> = Vec::new();
    for field in fields {
        way.push(field.name.clone());
        let mut field = field.clone();
        if let Content::Record(inner) = &mut field.content {
            *inner = with_names(inner, way, renamed)?;
        }
        if let Some((_, new)) = renamed.iter().find(|(path, _)| path == way) {
            field.name = (*new).to_owned();
        }
        way.pop();
        if out.iter().any(|other| other.name == field.name) {
            return Err(RenameError::Taken(field.name));
        }
        out.push(field);
    }
    Ok(out)
}

/// A name that no field has.
const MARK: &str = "\u{0}";

/// Is this field named by a certain part of a rule? `marked` is the type of the rule with that name marked.
fn is_named_by(marked: &RecordType, path: &[&str]) -> bool {
    let mut path = path.to_vec();
    path.pop();
    path.push(MARK);
    has(marked.fields(), &path)
}

fn in_landmarks(rule: &Landmarks, renamed: &[Renamed<'_>]) -> Landmarks {
    let mut out = rule.clone();
    for (path, new) in renamed {
        let old = path.last().copied().unwrap_or_default();
        let mut marked = rule.clone();
        for (number, slot) in rule.fields.iter().enumerate().filter(|(_, slot)| slot.name == old) {
            marked.fields[number].name = MARK.to_owned();
            if is_named_by(&landmark::record_type(&marked, ""), path) {
                out.fields[number].name = (*new).to_owned();
            }
            marked.fields[number].name.clone_from(&slot.name);
        }
        for number in 0..rule.parts.len() {
            let landmark::Part::List { name, .. } = &mut marked.parts[number] else {
                continue;
            };
            if name != old {
                continue;
            }
            *name = MARK.to_owned();
            if is_named_by(&landmark::record_type(&marked, ""), path)
                && let landmark::Part::List { name, .. } = &mut out.parts[number]
            {
                *name = (*new).to_owned();
            }
            marked.parts[number] = rule.parts[number].clone();
        }
    }
    out
}

fn in_template(rule: &Template, renamed: &[Renamed<'_>]) -> Template {
    let mut out = rule.clone();
    for (path, new) in renamed {
        let old = path.last().copied().unwrap_or_default();
        let mut marked = rule.clone();
        for number in (0..rule.fields.len()).filter(|number| rule.fields[*number] == old) {
            marked.fields[number] = MARK.to_owned();
            if is_named_by(&template::record_type(&marked, ""), path) {
                out.fields[number] = (*new).to_owned();
            }
            marked.fields[number].clone_from(&rule.fields[number]);
        }
        for number in 0..rule.lists() {
            let Some(name) = marked.list_name_mut(number).filter(|name| *name == old) else {
                continue;
            };
            *name = MARK.to_owned();
            if is_named_by(&template::record_type(&marked, ""), path)
                && let Some(name) = out.list_name_mut(number)
            {
                *name = (*new).to_owned();
            }
            if let Some(name) = marked.list_name_mut(number) {
                *name = old.to_owned();
            }
        }
    }
    out
}

/// Can the character be part of a name?
fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// A text with some of its names replaced; `wanted` says of a name, by what is before it, whether it may be.
fn replaced(text: &str, renamed: &[Renamed<'_>], wanted: impl Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part_of_name) {
        let (between, tail) = rest.split_at(start);
        out += between;
        let end = tail.find(|c| !is_part_of_name(c)).unwrap_or(tail.len());
        let (name, after) = tail.split_at(end);
        let new = renamed.iter().find(|(path, _)| path.last() == Some(&name));
        out += match new {
            Some((_, new)) if wanted(&out) => new,
            _ => name,
        };
        rest = after;
    }
    out + rest
}

/// An expression with other names in its markers.
fn in_expression(text: &str, renamed: &[Renamed<'_>], expected: &RecordType) -> Result<String, RenameError> {
    let new = replaced(text, renamed, |before| before.trim_end().ends_with(":<"));
    let types = Tail::new(&new).map(|tail| tail.script().record_types());
    match types.as_deref() {
        Ok([found]) if found.fields() == expected.fields() => Ok(new),
        _ => Err(RenameError::Expression(first_name(renamed))),
    }
}

/// A user's schema with other names.
fn in_schema(given: &Given, renamed: &[Renamed<'_>], expected: &RecordType) -> Result<Given, RenameError> {
    let new = match given {
        Given::Dtd(text) => Given::Dtd(replaced(text, renamed, |before| !before.ends_with(['#', '!']))),
        Given::JsonSchema(text) => Given::JsonSchema(replaced(text, renamed, |before| before.ends_with('"'))),
    };
    match new.record_type() {
        Ok(found) if found == *expected => Ok(new),
        _ => Err(RenameError::Schema(first_name(renamed))),
    }
}

fn first_name(renamed: &[Renamed<'_>]) -> String {
    renamed.first().map(|(path, _)| path.join(".")).unwrap_or_default()
}
