//! How fast records are written: `sinks RECORDS TARGET…` writes the same made-up records to each target, which is named as for
//! `-o`, and prints a line of JSON for it. Records have texts, an integer, a price, a date, a list and two nested records.

use anyhow::Context;
use page::NodeId;
use record::{Cardinality, Content, Ending, Field, Record, RecordType, Sink, Sort, ValueType};
use std::path::Path;
use std::time::Instant;
use wrapwright::output::{Existing, OutputSpec, Target};

fn value(name: &str, sort: Sort) -> Field {
    let kind = ValueType {
        sort,
        ..ValueType::default()
    };
    Field::new(name, Cardinality::Optional, Content::Value(kind))
}

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let count: u64 = args.next().context("expected the number of records")?.parse()?;
    let review = Field::records("review", vec![Field::text("by"), Field::text("text")]);
    let kind = RecordType::new(
        "book",
        vec![
            Field::text("title"),
            value("year", Sort::Integer),
            value("price", Sort::Decimal),
            value("released", Sort::Date),
            Field::texts("tag"),
            review,
        ],
    );
    for place in args {
        let mut spec = OutputSpec::new(Target::new(Some(Path::new(&place)), None));
        spec.existing = Existing::Overwrite;
        let (begun, used) = (Instant::now(), processor());
        let mut output = spec.open(std::slice::from_ref(&kind), std::io::sink())?;
        for number in 0..count {
            output.record(&book(number))?;
        }
        output.end(Ending::Complete)?;
        let seconds = begun.elapsed().as_secs_f64();
        let (bytes, used) = (size(Path::new(&place)), processor() - used);
        let line = serde_json::json!({
            "target": place, "records": count, "seconds": seconds, "records_per_second": (count as f64 / seconds).round(),
            "processor_seconds": used, "records_per_processor_second": (count as f64 / used).round(), "bytes": bytes,
        });
        write_line(&line.to_string())?;
    }
    Ok(())
}

/// Seconds of the processor that this process has used, which depend less on what else the machine does. Linux only: 0 elsewhere.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or("");
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|number| number.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn write_line(line: &str) -> std::io::Result<()> {
    use std::io::Write;
    writeln!(std::io::stdout(), "{line}")
}

/// A record that depends on its number alone.
fn book(number: u64) -> Record {
    let (page, node) = ("http://shop.test/page".into(), NodeId::DOCUMENT);
    let mut book = Record::new("book", &page, node);
    let mut leaf = |name: &str, text: String| book.children.push(Record::leaf(name, text, &page, node));
    leaf("title", format!("The {}th Tin Compass and Other Tales", number));
    leaf("year", (1900 + number % 120).to_string());
    leaf(
        "price",
        format!("${},{:03}.{:02}", 1 + number % 9, number % 1000, number % 100),
    );
    leaf(
        "released",
        format!("2019-{:02}-{:02}", 1 + number % 12, 1 + number % 28),
    );
    leaf("tag", format!("tag {}", number % 17));
    leaf("tag", format!("shelf {}", number % 5));
    for which in 0..2 {
        let mut review = Record::new("review", &page, node);
        review
            .children
            .push(Record::leaf("by", format!("reader {}", number % 1000), &page, node));
        let text = format!(
            "Review {which} of {number}: a fair wind blows through it, and the maps alone are worth the price."
        );
        review.children.push(Record::leaf("text", text, &page, node));
        book.children.push(review);
    }
    book
}

fn size(path: &Path) -> u64 {
    let path = path.to_string_lossy();
    let path = Path::new(path.split('#').next().unwrap_or_default());
    match std::fs::read_dir(path) {
        Ok(entries) => entries
            .flatten()
            .filter_map(|entry| Some(entry.metadata().ok()?.len()))
            .sum(),
        Err(_) => std::fs::metadata(path).map_or(0, |about| about.len()),
    }
}
