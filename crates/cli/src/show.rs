//! `wrapwright show`: a wrapper in words, as a picture, on a page, in another language.

use crate::args::{Format, Language, ShowArgs, TypeFormat};
use crate::extract::read_wrapper;
use crate::{Exit, report, sheets, terminal, whole};
use anyhow::Context;
use std::path::Path;
use wrapwright::show::{self, SchemaFormat, ShowError};
use wrapwright::{ParseSettings, Wrapper, input};

/// Runs the command.
pub(crate) fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    let Some(wrapper) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let files = match files(args, &wrapper) {
        Ok(files) => files,
        Err(exit) => return Ok(exit),
    };
    if !files.is_empty() {
        for (file, text) in files {
            write(file, &text)?;
        }
        return Ok(Exit::Fine);
    }
    let shown = match (args.language, args.schema) {
        (Some(Language::Xquery), _) => show::in_language(&wrapper, show::Language::Xquery),
        (Some(Language::Oxpath), _) => show::in_language(&wrapper, show::Language::Oxpath),
        (None, Some(TypeFormat::Json)) => show::schema(&wrapper, SchemaFormat::Json),
        (None, Some(TypeFormat::Dtd)) => show::schema(&wrapper, SchemaFormat::Dtd),
        (None, None) if args.full => Ok(format!("{}\n{}", show::brief(&wrapper), show::text(&wrapper))),
        (None, None) => Ok(show::brief(&wrapper)),
    };
    match shown {
        Ok(text) => terminal::print(&text).map(|()| Exit::Fine),
        Err(error) => Ok(complain(error)),
    }
}

/// The files that were asked for, and what goes into them.
fn files<'a>(args: &'a ShowArgs, wrapper: &Wrapper) -> Result<Vec<(&'a Path, String)>, Exit> {
    let mut files = Vec::new();
    if let Some(file) = &args.svg {
        files.push((file.as_path(), show::svg(wrapper).map_err(complain)?));
    }
    if let (Some(page), Some(file)) = (&args.on, &args.html) {
        let told = |error: &input::InputError| {
            report::input(error, Format::Text);
            Exit::Mistake
        };
        let (places, errors) = sheets::find(std::slice::from_ref(page))?;
        if let Some(error) = errors.first() {
            return Err(told(error));
        }
        let place = places.first().ok_or(Exit::Mistake)?;
        let page = place.read(&ParseSettings::default()).map_err(|error| told(&error))?;
        files.push((file, show::page(wrapper, &page).map_err(complain)?));
    }
    Ok(files)
}

fn complain(error: ShowError) -> Exit {
    let hint = match error {
        ShowError::OtherSchema(SchemaFormat::Dtd) => Some("--schema dtd prints it"),
        ShowError::OtherSchema(SchemaFormat::Json) => Some("--schema json prints it"),
        _ => None,
    };
    report::mistake(&error.to_string(), hint);
    Exit::Mistake
}

/// Writes a text to a file.
pub(crate) fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    whole::write(file, text.as_bytes()).with_context(|| format!("cannot write {}", file.display()))
}
