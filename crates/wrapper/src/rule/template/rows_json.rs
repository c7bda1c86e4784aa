//! Lists of rows as they are saved.

use super::leaves::Cut;
use super::rows::{Make, RowCell, RowHeading, RowWhole, Rows, Split};
use crate::file::{At, WrapperError};
use record::values::{Kind, Kinds};
use serde_json::{Value, json};

/// The kinds by the names they have in files.
const KINDS: [(&str, Kind); 13] = [
    ("date", Kind::Date),
    ("time", Kind::Time),
    ("datetime", Kind::DateTime),
    ("price", Kind::Price),
    ("percentage", Kind::Percentage),
    ("integer", Kind::Integer),
    ("decimal", Kind::Decimal),
    ("phone", Kind::Phone),
    ("link", Kind::Link),
    ("image", Kind::Image),
    ("email", Kind::Email),
    ("address", Kind::Address),
    ("code", Kind::Code),
];

/// The name that a kind has in files.
pub(super) fn kind_name(kind: Kind) -> &'static str {
    let known = KINDS.iter().find(|(_, known)| *known == kind);
    known.map_or("text", |(name, _)| name)
}

pub(super) fn write(rows: &Rows) -> Value {
    let mut value = json!({
        "name": rows.name,
        "path": rows.path.join("/"),
        "row": rows.row,
        "cells": rows.cells.iter().map(cell_json).collect::<Vec<_>>(),
    });
    if rows.run {
        value["run"] = json!(true);
    }
    if !rows.cuts.is_empty() {
        let cut = |cut: &Cut| json!([cut.path, cut.sign]);
        value["cuts"] = rows.cuts.iter().map(cut).collect();
    }
    if !rows.makes.is_empty() {
        let make = |make: &Make| json!({ "leaves": make.leaves, "cells": make.cells });
        value["makes"] = rows.makes.iter().map(make).collect();
    }
    if let Some((name, role)) = &rows.role {
        value["role"] = json!([name, role]);
    }
    if let Some(set) = rows.backs {
        value["backs"] = json!(set);
    }
    if let Some(label) = &rows.label {
        value["label"] = json!(label);
    }
    if !rows.wholes.is_empty() {
        let whole = |whole: &RowWhole| json!([whole.field, whole.from, whole.to]);
        value["wholes"] = rows.wholes.iter().map(whole).collect();
    }
    if let Some(heading) = &rows.heading {
        value["heading"] = json!({ "field": heading.field });
        if let Some(among) = &heading.among {
            value["heading"]["among"] = json!(among);
        }
    }
    value
}

fn cell_json(cell: &RowCell) -> Value {
    let mut value = json!({ "path": cell.path, "number": cell.number, "place": cell.place });
    if !cell.class.is_empty() {
        value["class"] = json!(cell.class);
    }
    if let Some(words) = &cell.words {
        value["words"] = json!(words);
    }
    if let Some(label) = &cell.label {
        value["label"] = json!(label);
    }
    let kinds: Vec<&str> = KINDS
        .iter()
        .filter(|(_, kind)| cell.kinds.contains(*kind))
        .map(|(name, _)| *name)
        .collect();
    if !kinds.is_empty() {
        value["kinds"] = json!(kinds);
    }
    if !cell.usual {
        value["optional"] = json!(true);
    }
    if let Some(field) = cell.field {
        value["field"] = json!(field);
    }
    if !cell.attributes.is_empty() {
        value["attributes"] = json!(cell.attributes);
    }
    if let Some(split) = &cell.split {
        value["split"] = json!({ "separators": split.separators, "fields": split.fields });
        for (key, text) in [("before", &split.before), ("after", &split.after)] {
            if !text.is_empty() {
                value["split"][key] = json!(text);
            }
        }
    }
    value
}

fn texts(at: &At<'_>) -> Result<Vec<String>, WrapperError> {
    at.list()?.iter().map(|item| Ok(item.text()?.to_owned())).collect()
}

fn is_set(at: &At<'_>, key: &str) -> Result<bool, WrapperError> {
    match at.get(key)? {
        None => Ok(false),
        Some(at) => at.value.as_bool().map_or_else(|| at.fail("true or false"), Ok),
    }
}

pub(super) fn read(at: &At<'_>) -> Result<Rows, WrapperError> {
    let number = super::json::number;
    let role = match at.get("role")? {
        None => None,
        Some(role) => match &texts(&role)?[..] {
            [name, value] => Some((name.clone(), value.clone())),
            _ => return role.fail("an attribute and its value"),
        },
    };
    let mut cuts = Vec::new();
    for cut in at.get("cuts")?.map_or(Ok(Vec::new()), |cuts| cuts.list())? {
        match &texts(&cut)?[..] {
            [path, sign] if !sign.is_empty() => cuts.push(Cut {
                path: path.clone(),
                sign: sign.clone(),
            }),
            _ => return cut.fail("a path and a sign"),
        }
    }
    let mut makes = Vec::new();
    for make in at.get("makes")?.map_or(Ok(Vec::new()), |makes| makes.list())? {
        let leaves = texts(&make.key("leaves")?)?;
        let cell = |cell: &At<'_>| match cell.value.is_null() {
            true => Ok(None),
            false => number(cell).map(Some),
        };
        let cells = make
            .key("cells")?
            .list()?
            .iter()
            .map(cell)
            .collect::<Result<Vec<_>, _>>()?;
        if cells.len() != leaves.len() {
            return make.fail("a cell for each leaf");
        }
        makes.push(Make { leaves, cells });
    }
    let mut wholes = Vec::new();
    for whole in at.get("wholes")?.map_or(Ok(Vec::new()), |wholes| wholes.list())? {
        match super::json::numbers(&whole)?[..] {
            [field, from, to] => wholes.push(RowWhole { field, from, to }),
            _ => return whole.fail("three numbers"),
        }
    }
    let heading = match at.get("heading")? {
        None => None,
        Some(heading) => Some(RowHeading {
            field: number(&heading.key("field")?)?,
            among: heading.get("among")?.map(|among| texts(&among)).transpose()?,
        }),
    };
    let text = |key: &str| -> Result<String, WrapperError> { Ok(at.key(key)?.text()?.to_owned()) };
    Ok(Rows {
        name: text("name")?,
        path: text("path")?.split('/').map(str::to_owned).collect(),
        role,
        label: at
            .get("label")?
            .map(|label| label.text().map(str::to_owned))
            .transpose()?,
        row: text("row")?,
        run: is_set(at, "run")?,
        cuts,
        makes,
        cells: at
            .key("cells")?
            .list()?
            .iter()
            .map(read_cell)
            .collect::<Result<_, _>>()?,
        wholes,
        heading,
        backs: at.get("backs")?.map(|set| number(&set)).transpose()?,
    })
}

fn read_cell(at: &At<'_>) -> Result<RowCell, WrapperError> {
    let number = super::json::number;
    let mut kinds = Kinds::default();
    for kind in at.get("kinds")?.map_or(Ok(Vec::new()), |kinds| kinds.list())? {
        let name = kind.text()?;
        match KINDS.iter().find(|(known, _)| *known == name) {
            Some((_, known)) => kinds.insert(*known),
            None => return kind.fail("a kind of value"),
        }
    }
    let mut attributes = Vec::new();
    for attribute in at.get("attributes")?.map_or(Ok(Vec::new()), |list| list.list())? {
        match &attribute.list()?[..] {
            [element, name, field] => {
                attributes.push((element.text()?.to_owned(), name.text()?.to_owned(), number(field)?));
            }
            _ => return attribute.fail("an element, an attribute and a field"),
        }
    }
    let split = match at.get("split")? {
        None => None,
        Some(split) => {
            let separators = texts(&split.key("separators")?)?;
            let fields = super::json::numbers(&split.key("fields")?)?;
            if fields.len() != separators.len() + 1 || separators.iter().any(String::is_empty) {
                return split.fail("one more field than separators");
            }
            let text = |key: &str| -> Result<String, WrapperError> {
                split
                    .get(key)?
                    .map_or(Ok(String::new()), |at| Ok(at.text()?.to_owned()))
            };
            Some(Split {
                before: text("before")?,
                after: text("after")?,
                separators,
                fields,
            })
        }
    };
    let text = |key: &str| -> Result<Option<String>, WrapperError> {
        at.get(key)?.map(|at| at.text().map(str::to_owned)).transpose()
    };
    Ok(RowCell {
        path: at.key("path")?.text()?.to_owned(),
        number: number(&at.key("number")?)?,
        place: super::json::numbers(&at.key("place")?)?
            .into_iter()
            .map(|place| u16::try_from(place).unwrap_or(u16::MAX))
            .collect(),
        class: text("class")?.unwrap_or_default(),
        words: text("words")?,
        label: text("label")?,
        kinds,
        usual: !is_set(at, "optional")?,
        field: at.get("field")?.map(|field| number(&field)).transpose()?,
        attributes,
        split,
    })
}
