//! Records with every sort of value, lists, and records inside records.

use columnar::TableSpec;
use page::NodeId;
use record::{Cardinality, Content, Field, Record, RecordType, SinkSpec, Sort, ValueType};
use std::process::Command;

fn value(name: &str, cardinality: Cardinality, sort: Sort) -> Field {
    let kind = ValueType {
        sort,
        ..ValueType::default()
    };
    Field::new(name, cardinality, Content::Value(kind))
}

/// The type of a film.
pub(crate) fn film() -> RecordType {
    use Cardinality::{Many, Optional};
    let answer = Field::records("answer", vec![Field::text("text")]);
    let shop = Content::Record(vec![Field::text("name"), value("price", Optional, Sort::Decimal)]);
    RecordType::new(
        "film",
        vec![
            Field::text("title"),
            value("year", Optional, Sort::Integer),
            value("price", Optional, Sort::Decimal),
            value("new", Optional, Sort::Boolean),
            value("released", Optional, Sort::Date),
            value("shown", Optional, Sort::Timestamp),
            value("poster", Optional, Sort::Link),
            Field::texts("actor"),
            value("score", Many, Sort::Integer),
            Field::new("shop", Optional, shop),
            Field::records(
                "review",
                vec![Field::text("by"), value("stars", Optional, Sort::Integer), answer],
            ),
        ],
    )
}

/// A record; a name may be a path of two, whose first is a nested record.
pub(crate) fn record(name: &str, values: &[(&str, &str)]) -> Record {
    let (page, node) = ("http://x/".into(), NodeId::DOCUMENT);
    let mut record = Record::new(name, &page, node);
    for (name, text) in values {
        record.children.push(Record::leaf(*name, *text, &page, node));
    }
    record
}

/// A film with everything, one with nothing but a title, and one whose values do not fit.
pub(crate) fn films() -> Vec<Record> {
    let mut whole = record(
        "film",
        &[
            ("title", "Kelp \"and\" tide\tä"),
            ("year", "1,999"),
            ("price", "12,50 €"),
            ("new", "Yes"),
            ("released", "May 9, 2019"),
            ("shown", "2019-05-09T23:30:00-02:00"),
            ("poster", "/kelp.png"),
            ("actor", "Ada {x}"),
            ("actor", "B\\o"),
            ("score", "3"),
            ("score", "4"),
        ],
    );
    whole
        .children
        .push(record("shop", &[("name", "Quay"), ("price", "7.25")]));
    let mut review = record("review", &[("by", "Ann"), ("stars", "5")]);
    review.children.push(record("answer", &[("text", "yes")]));
    review.children.push(record("answer", &[("text", "no")]));
    whole.children.push(review);
    whole.children.push(record("review", &[("by", "Bob")]));
    let misfits = record(
        "film",
        &[("title", "Odd"), ("year", "soon"), ("score", "1"), ("score", "x")],
    );
    vec![whole, record("film", &[("title", "Bare")]), misfits]
}

/// A film with a title and a year, for keys.
pub(crate) fn short(title: &str, year: &str) -> Record {
    record("film", &[("title", title), ("year", year)])
}

pub(crate) fn bare() -> SinkSpec {
    SinkSpec {
        no_meta: true,
        ..SinkSpec::default()
    }
}

/// Settings of a run with a number: its time is that many hours after noon.
pub(crate) fn run(number: u32, key: &[&str]) -> TableSpec {
    TableSpec {
        key: key.iter().map(|name| (*name).to_owned()).collect(),
        run: format!("run{number}"),
        now: format!("2026-11-16T{:02}:00:00.000000Z", 12 + number),
        ..TableSpec::default()
    }
}

/// What a program prints, if it is there.
pub(crate) fn printed(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok()?;
    assert!(
        output.status.success(),
        "{program}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}
