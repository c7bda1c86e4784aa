//! The life of a wrapper: infer it from pages, name its fields, extract a table, notice a redesign, repair it.
//!
//!     cargo run --release -p wrapwright --example journey

#![allow(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use std::error::Error;
use wrapwright::make::{InferSettings, Method, rename_fields};
use wrapwright::record::Format;
use wrapwright::{Document, Job, ParseSettings, SinkSpec, Wrapper, input, tend};

/// The pages of a directory.
fn documents(directory: &str) -> Result<Vec<Document>, Box<dyn Error>> {
    let (places, errors) = input::find([directory]);
    if let Some(error) = errors.into_iter().next() {
        return Err(error.into());
    }
    let read = places
        .iter()
        .map(|place| place.document(&ParseSettings::default(), false));
    Ok(read.collect::<Result<_, _>>()?)
}

/// Prints what a wrapper gives on pages, as a table.
fn print_table(wrapper: &Wrapper, pages: &[Document]) -> Result<(), Box<dyn Error>> {
    let spec = SinkSpec {
        format: Format::Csv,
        no_meta: true,
        ..SinkSpec::default()
    };
    let runner = wrapper.runner()?;
    let mut sink = spec.open(&[wrapper.sink_type()], std::io::stdout())?;
    for page in pages {
        for record in runner.run(page, false).records {
            sink.record(&record)?;
        }
    }
    Ok(sink.finish()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/lamps");
    let (before, after) = (
        documents(&format!("{root}/before"))?,
        documents(&format!("{root}/after"))?,
    );
    let job = Job::new();

    println!("# Infer a wrapper from {} pages, and rename two fields", before.len());
    let settings = InferSettings {
        method: Method::Auto,
        ..InferSettings::default()
    };
    let inferred = wrapwright::infer(&before, &settings, &job)?;
    let wrapper = rename_fields(&inferred.wrapper, &[("title", "lamp"), ("about", "description")])?;
    print_table(&wrapper, &before)?;

    println!("\n# Check it on the redesigned pages");
    let report = tend::compare(&wrapper, wrapper.observe(&after)?)?;
    let changed = if report.is_fine() {
        "is as it was"
    } else {
        "has changed"
    };
    println!("the site {changed}");

    println!("\n# Repair it, and extract again");
    let repair = tend::repair(&wrapper, &after, &job)?;
    for field in repair.fields.iter().filter(|field| field.shown) {
        println!("{:<12} {:>3.0} % sure", field.name, field.sure * 100.0);
    }
    println!();
    print_table(&repair.wrapper, &after)
}
