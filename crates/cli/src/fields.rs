//! `wrapwright fields`: the fields of a wrapper, with samples; keep some, rename them, give them types and a key.

use crate::extract::read_wrapper;
use crate::{Exit, learn, report, terminal};
use std::path::PathBuf;
use wrapwright::fields::{self, Edit};
use wrapwright::record::Sort;
use wrapwright::save_wrapper;

const EXAMPLES: &str = "\
Examples:
  wrapwright fields site.wrapper.json                            a table with samples
  wrapwright fields site.wrapper.json --keep title,price,isbn    show only these, in this order
  wrapwright fields site.wrapper.json --rename field_7=isbn --drop share
  wrapwright fields site.wrapper.json --type price=number --type published=date --key isbn
  wrapwright fields site.wrapper.json --all                      show all again

A change is written to the wrapper, or to another file with -o. Fields that are not shown are still
checked and repaired, and can be shown again.";

/// Changes of fields.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct EditArgs {
    /// Show only these fields, in this order
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    keep: Vec<String>,

    /// Do not show these fields
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    drop: Vec<String>,

    /// Show these fields first, in this order
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    order: Vec<String>,

    /// Give a field another name
    #[arg(long, value_name = "OLD=NEW", value_parser = pair)]
    rename: Vec<(String, String)>,

    /// The fields that tell records apart: tables are updated by them, as with --key of run, extract and watch
    #[arg(long, value_name = "A,B", value_delimiter = ',', conflicts_with = "no_key")]
    key: Vec<String>,

    /// Take the key away
    #[arg(long)]
    no_key: bool,

    /// Give the values of a field a type: text, integer, number, boolean, date, timestamp or link
    #[arg(long = "type", value_name = "FIELD=TYPE", value_parser = typed)]
    types: Vec<(String, Sort)>,
}

impl EditArgs {
    /// What was typed, as a change.
    pub(crate) fn edit(&self) -> Edit {
        let EditArgs {
            keep,
            drop,
            order,
            rename,
            key,
            no_key,
            types,
        } = self.clone();
        Edit {
            all: false,
            keep,
            drop,
            order,
            rename,
            key: (no_key || !key.is_empty()).then_some(key),
            types,
        }
    }
}

/// A field and a type.
fn typed(text: &str) -> Result<(String, Sort), String> {
    const EXPECTED: &str = "expected FIELD=TYPE, with the type text, integer, number, boolean, date, timestamp or link";
    let (field, name) = pair(text).map_err(|_| EXPECTED)?;
    let sort = Sort::named(&name).ok_or(EXPECTED)?;
    Ok((field, sort))
}

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct FieldsArgs {
    /// A wrapper file
    #[arg(value_name = "WRAPPER")]
    wrapper: PathBuf,

    #[command(flatten)]
    edit: EditArgs,

    /// Show all fields again
    #[arg(long)]
    all: bool,

    /// Write the changed wrapper to this file [default: the wrapper itself]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print the fields as JSON
    #[arg(long)]
    json: bool,
}

/// An old name and a new one.
fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text
        .split_once('=')
        .filter(|(old, new)| !old.is_empty() && !new.is_empty());
    let (old, new) = pair.ok_or("expected OLD=NEW")?;
    Ok((old.to_owned(), new.to_owned()))
}

/// Runs the command.
pub(crate) fn run(args: &FieldsArgs) -> anyhow::Result<Exit> {
    let Some(mut wrapper) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let edit = Edit {
        all: args.all,
        ..args.edit.edit()
    };
    if !edit.is_empty() || args.output.is_some() {
        wrapper = match edit.apply(&wrapper) {
            Ok(wrapper) => wrapper,
            Err(error) => {
                learn::refused(&error);
                return Ok(Exit::Mistake);
            }
        };
        let target = args.output.as_ref().unwrap_or(&args.wrapper);
        save_wrapper(target, &wrapper)?;
        report::words(&format!("wrote {}", target.display()));
        for note in fields::notes(&wrapper) {
            report::words(&format!("warning: {note}"));
        }
    }
    let list = fields::list(&wrapper);
    let text = match args.json {
        true => format!("{}\n", fields::to_json(&list)),
        false => fields::to_text(&list, crate::check::WIDTH),
    };
    terminal::print(&text)?;
    Ok(Exit::Fine)
}
