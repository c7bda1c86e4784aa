//! Evidence as it is saved: what a wrapper was made from, and what its values look like.

use super::{At, WrapperError, shape};
use crate::profile::{FieldProfile, Profile};
use record::RecordType;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a wrapper was made from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The pages, in order.
    pub pages: Vec<Seen>,
    /// The profile of each table of the record type; empty in old wrappers.
    pub profiles: Vec<Profile>,
    /// The pages that were added to the profiles after the wrapper was made, so that none is counted twice.
    pub later: Vec<Seen>,
    /// What the repair that made the wrapper was not sure of, until somebody accepts what it gives.
    pub doubts: Vec<Doubt>,
}

/// A field that a repair was not sure of.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// Its name, with those of the records around it.
    pub field: String,
    /// How sure the repair was, from 0 to 1.
    pub sure: f64,
    /// Was it left out, so that the wrapper has no values of it?
    pub left_out: bool,
    /// In which share of the records it was, from 0 to 1.
    pub usual: f64,
    /// If it was left out: what its values were like, so that a later repair can find it.
    pub known: Option<Box<FieldProfile>>,
}

impl Evidence {
    /// All pages that the profiles were gathered from.
    pub fn counted(&self) -> impl Iterator<Item = &Seen> {
        self.pages.iter().chain(&self.later)
    }
}

/// A page that a wrapper was made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Its name.
    pub name: String,
    /// The length of its decoded source.
    pub bytes: u64,
    /// A hash of its decoded source ([`hash`](crate::hash)).
    pub hash: String,
    /// The number of values on it.
    pub values: u64,
}

/// Writes the member `evidence`, without a line end after it.
pub(super) fn write(evidence: &Evidence) -> String {
    let list = |lines: Vec<String>| -> String {
        let lines: Vec<String> = lines.into_iter().map(|line| format!("\n      {line}")).collect();
        lines.join(",")
    };
    let page = |seen: &Seen| {
        let (name, hash) = (Value::from(seen.name.as_str()), Value::from(seen.hash.as_str()));
        let (bytes, values) = (seen.bytes, seen.values);
        format!("{{ \"name\": {name}, \"bytes\": {bytes}, \"hash\": {hash}, \"values\": {values} }}")
    };
    let pages = |pages: &[Seen]| list(pages.iter().map(page).collect());
    let mut out = format!("  \"evidence\": {{\n    \"pages\": [{}\n    ]", pages(&evidence.pages));
    if !evidence.later.is_empty() {
        out += &format!(",\n    \"later\": [{}\n    ]", pages(&evidence.later));
    }
    if !evidence.doubts.is_empty() {
        let doubt = |doubt: &Doubt| {
            let mut value = json!({
                "field": doubt.field, "sure": doubt.sure, "left-out": doubt.left_out, "usual": doubt.usual,
            });
            if let Some(known) = &doubt.known {
                value["known"] = field_json(known);
            }
            value.to_string()
        };
        let doubts = evidence.doubts.iter().map(doubt);
        out += &format!(",\n    \"doubts\": [{}\n    ]", list(doubts.collect()));
    }
    if !evidence.profiles.is_empty() {
        let profiles = evidence.profiles.iter().map(write_profile);
        out += &format!(",\n    \"profiles\": [{}\n    ]", list(profiles.collect()));
    }
    out + "\n  }\n"
}

fn write_profile(profile: &Profile) -> String {
    let pair = |name: &str, pair: (u64, u64)| match pair {
        (0, 0) => String::new(),
        (read, others) => format!(", \"{name}\": [{read}, {others}]"),
    };
    let (parts, strays) = (pair("parts", profile.parts), pair("strays", profile.strays));
    let head = format!(
        "\"pages\": {}, \"records\": {}, \"per-page\": {}, \"counts\": {}{parts}{strays}",
        profile.pages,
        profile.records,
        json!([profile.per_page.0, profile.per_page.1]),
        json!(profile.counts)
    );
    let fields = profile
        .fields
        .iter()
        .map(|field| format!("\n        {}", field_json(field)));
    let fields: Vec<String> = fields.collect();
    format!("{{ {head}, \"fields\": [{}] }}", fields.join(","))
}

fn field_json(field: &FieldProfile) -> Value {
    let mut value = json!({
        "count": field.count,
        "records": field.records,
        "per-page": field.per_page,
        "links": field.links,
        "attributes": field.attributes,
        "labels": field.labels,
        "shapes": field.shapes,
        "pattern": field.pattern(),
        "tags": field.tags,
        "names": field.names,
        "lengths": field.lengths,
        "length": [field.length.0, field.length.1, field.length.2],
        "numbers": [field.numbers.0 as f64, field.numbers.1, field.numbers.2],
        "different": field.different,
        "samples": field.samples,
    });
    if field.peers != (0, 0) {
        value["peers"] = json!([field.peers.0, field.peers.1]);
    }
    if field.makes != (0, 0) {
        value["makes"] = json!([field.makes.0, field.makes.1]);
    }
    if field.whole > 0 {
        value["whole"] = json!(field.whole);
    }
    value
}

/// Profiles as JSON, one for each table, as a wrapper's file has them.
pub fn profiles_to_json(profiles: &[Profile]) -> Value {
    let profiles = profiles.iter().map(|profile| {
        json!({
            "pages": profile.pages,
            "records": profile.records,
            "per-page": [profile.per_page.0, profile.per_page.1],
            "counts": profile.counts,
            "parts": [profile.parts.0, profile.parts.1],
            "strays": [profile.strays.0, profile.strays.1],
            "fields": profile.fields.iter().map(field_json).collect::<Vec<_>>(),
        })
    });
    profiles.collect()
}

/// Reads profiles of the tables of a type.
///
/// # Errors
///
/// They are not profiles, or of other tables.
pub fn profiles_from_json(value: &Value, kind: &RecordType) -> Result<Vec<Profile>, WrapperError> {
    let place = "profiles".to_owned();
    let profiles = At { value, place }.list()?;
    let tables = kind.tables();
    if profiles.len() != tables.len() {
        let (found, expected) = (profiles.len(), tables.len());
        let message = format!("found {found}, expected {expected}, one for each kind of record");
        return Err(shape("profiles", &message));
    }
    let each = profiles.iter().zip(&tables);
    each.map(|(profile, table)| read_profile(profile, table.columns.len()))
        .collect()
}

/// Reads the member `evidence`; `columns` is the number of columns of each table.
pub(super) fn read(root: &At<'_>, columns: &[usize]) -> Result<Evidence, WrapperError> {
    let mut evidence = Evidence::default();
    let Some(at) = root.get("evidence")? else {
        return Ok(evidence);
    };
    let list = |key: &str| at.get(key)?.map_or(Ok(Vec::new()), |found| found.list());
    let page = |page: &At<'_>| -> Result<Seen, WrapperError> {
        Ok(Seen {
            name: page.key("name")?.text()?.to_owned(),
            bytes: page.key("bytes")?.number()?,
            hash: page.key("hash")?.text()?.to_owned(),
            values: page.key("values")?.number()?,
        })
    };
    evidence.pages = list("pages")?.iter().map(page).collect::<Result<_, _>>()?;
    evidence.later = list("later")?.iter().map(page).collect::<Result<_, _>>()?;
    let doubt = |doubt: &At<'_>| -> Result<Doubt, WrapperError> {
        Ok(Doubt {
            field: doubt.key("field")?.text()?.to_owned(),
            sure: sure(&doubt.key("sure")?)?,
            left_out: doubt.key("left-out")?.value == &Value::Bool(true),
            // Older versions did not keep these.
            usual: doubt.get("usual")?.map_or(Ok(1.0), |usual| sure(&usual))?,
            known: match doubt.get("known")? {
                Some(known) => Some(Box::new(read_field(&known, LARGEST)?)),
                None => None,
            },
        })
    };
    evidence.doubts = list("doubts")?.iter().map(doubt).collect::<Result<_, _>>()?;
    let profiles = list("profiles")?;
    let (found, tables) = (profiles.len(), columns.len());
    if found != 0 && found != tables {
        return Err(shape(
            "evidence.profiles",
            &format!("found {found}, expected {tables}, one for each kind of record"),
        ));
    }
    for (profile, columns) in profiles.iter().zip(columns) {
        evidence.profiles.push(read_profile(profile, *columns)?);
    }
    Ok(evidence)
}

/// The largest count that is accepted. Sums and small multiples of such numbers do not overflow.
const LARGEST: u64 = 1 << 48;

fn count(at: &At<'_>) -> Result<u64, WrapperError> {
    at_most(at, LARGEST)
}

fn at_most(at: &At<'_>, most: u64) -> Result<u64, WrapperError> {
    match at.number()? {
        number if number > most => Err(shape(&at.place, &format!("found {number}, expected at most {most}"))),
        number => Ok(number),
    }
}

fn read_profile(at: &At<'_>, columns: usize) -> Result<Profile, WrapperError> {
    // Before the first page is seen, the fewest is the largest possible number.
    let [fewest, most] = whole_numbers(&at.key("per-page")?, u64::MAX)?;
    let records = count(&at.key("records")?)?;
    let fields = at.key("fields")?;
    let listed = fields.list()?;
    if listed.len() != columns {
        let message = format!("found {}, expected {columns}, one for each field", listed.len());
        return Err(shape(&fields.place, &message));
    }
    // Older versions did not count them.
    let pair = |name: &str| -> Result<(u64, u64), WrapperError> {
        let pair = match at.get(name)? {
            Some(pair) => whole_numbers(&pair, LARGEST)?,
            None => [0, 0],
        };
        Ok(pair.into())
    };
    Ok(Profile {
        parts: pair("parts")?,
        strays: pair("strays")?,
        pages: count(&at.key("pages")?)?,
        records,
        per_page: (fewest, most),
        counts: classes(&at.key("counts")?)?,
        fields: listed
            .iter()
            .map(|field| read_field(field, records))
            .collect::<Result<_, _>>()?,
    })
}

fn read_field(at: &At<'_>, records: u64) -> Result<FieldProfile, WrapperError> {
    let number = |key: &str| count(&at.key(key)?);
    let values = number("count")?;
    let some_of = |key: &str| at_most(&at.key(key)?, values);
    let [shortest, total, longest] = whole_numbers(&at.key("length")?, LARGEST)?;
    let range = numbers::<3>(&at.key("numbers")?)?;
    let samples = at.key("samples")?.list()?;
    let pair = |name: &str| -> Result<(u64, u64), WrapperError> {
        let pair = match at.get(name)? {
            Some(pair) => whole_numbers(&pair, LARGEST)?,
            None => [0, 0],
        };
        Ok(pair.into())
    };
    Ok(FieldProfile {
        count: values,
        records: at_most(&at.key("records")?, records)?,
        per_page: classes(&at.key("per-page")?)?,
        links: some_of("links")?,
        attributes: some_of("attributes")?,
        labels: counts(&at.key("labels")?)?,
        shapes: counts(&at.key("shapes")?)?,
        tags: counts(&at.key("tags")?)?,
        names: counts(&at.key("names")?)?,
        length: (shortest, total, longest),
        lengths: classes(&at.key("lengths")?)?,
        numbers: ((range[0].max(0.0) as u64).min(values), range[1], range[2]),
        // Older versions did not count them.
        peers: pair("peers")?,
        makes: pair("makes")?,
        whole: match at.get("whole")? {
            Some(whole) => at_most(&whole, values)?,
            None => 0,
        },
        different: number("different")?,
        samples: samples
            .iter()
            .map(|sample| sample.text().map(str::to_owned))
            .collect::<Result<_, _>>()?,
    })
}

/// Reads how often numbers of each class occurred.
fn classes(at: &At<'_>) -> Result<BTreeMap<u64, u64>, WrapperError> {
    let mut out = BTreeMap::new();
    for (class, count) in counts(at)? {
        let number = class.parse().ok().filter(|number| *number <= LARGEST);
        let Some(class) = number else {
            return Err(shape(&at.place, &format!("found the key {class:?}, expected numbers")));
        };
        out.insert(class, count);
    }
    Ok(out)
}

/// Reads a list of exactly `N` counts.
fn whole_numbers<const N: usize>(at: &At<'_>, most: u64) -> Result<[u64; N], WrapperError> {
    let list = at.list()?;
    let mut out = [0; N];
    if list.len() != N {
        return Err(shape(&at.place, &format!("found {} numbers, expected {N}", list.len())));
    }
    for (number, at) in out.iter_mut().zip(&list) {
        *number = at_most(at, most)?;
    }
    Ok(out)
}

/// Reads a list of exactly `N` numbers.
fn numbers<const N: usize>(at: &At<'_>) -> Result<[f64; N], WrapperError> {
    let list = at.list()?;
    let mut out = [0.0; N];
    if list.len() != N {
        return Err(shape(&at.place, &format!("found {} numbers, expected {N}", list.len())));
    }
    for (number, at) in out.iter_mut().zip(&list) {
        *number = at.value.as_f64().map_or_else(|| at.fail("a number"), Ok)?;
    }
    Ok(out)
}

/// Reads a number from 0 to 1.
fn sure(at: &At<'_>) -> Result<f64, WrapperError> {
    let number = at.value.as_f64().map_or_else(|| at.fail("a number"), Ok)?;
    Ok(number.clamp(0.0, 1.0))
}

fn counts(at: &At<'_>) -> Result<BTreeMap<String, u64>, WrapperError> {
    let mut out = BTreeMap::new();
    for (key, value) in at.object()? {
        let place = format!("{}.{key}", at.place);
        out.insert(key.clone(), count(&At { value, place })?);
    }
    Ok(out)
}
