//! `wrapwright learn`: a wrapper from pages and what is known about them.

use crate::Exit;
use crate::args::{Extension, LearnArgs, Taste};
use crate::{interrupt, remedy, report, sheets, whole};
use wrapwright::input::{InputError, Place};
use wrapwright::job::Event;
use wrapwright::learn::infer::InferError;
use wrapwright::learn::{Allow, Prefer};
use wrapwright::make::{self, Basis, Examples, Expression, LearnSettings, Made, MakeError, Recognizers, Schema};
use wrapwright::rule::Class;
use wrapwright::{Document, Job, ParseSettings};

/// Why there is no wrapper.
enum Trouble {
    Page(InputError),
    Make(MakeError),
    /// It was said already.
    Told(Exit),
}

impl From<InputError> for Trouble {
    fn from(error: InputError) -> Trouble {
        Trouble::Page(error)
    }
}

impl From<MakeError> for Trouble {
    fn from(error: MakeError) -> Trouble {
        Trouble::Make(error)
    }
}

/// Runs the command.
pub(crate) fn run(args: &LearnArgs) -> anyhow::Result<Exit> {
    let (Some(reading), Some(settings)) = (args.read.settings(), settings(args)) else {
        return Ok(Exit::Mistake);
    };
    let job = interrupt::job().on_event(|event| {
        if let Event::Warning(text) = event {
            report::words(&format!("warning: {text}"));
        }
    });
    let made = match learn(args, &reading, settings, &job) {
        Ok(made) => made,
        Err(Trouble::Make(MakeError::Stopped)) => return Ok(Exit::Interrupted),
        Err(Trouble::Make(error)) => {
            refused(&error);
            return Ok(Exit::Mistake);
        }
        Err(Trouble::Told(exit)) => return Ok(exit),
        Err(Trouble::Page(error)) => {
            report::trouble(&error.to_string(), error.remedy().as_ref());
            return Ok(Exit::Mistake);
        }
    };
    whole::write_or_print(args.output.as_deref(), &made.wrapper.to_json())?;
    for words in made.never_found() {
        report::words(&format!("warning: {words}"));
    }
    if !args.quiet {
        let details = made.details.iter().filter(|_| args.explain);
        made.notes.iter().chain(details).for_each(|note| report::words(note));
    }
    if !made.missing.is_empty() {
        let fields = made.missing.join("`, `");
        let text = format!("no rule for `{fields}`, which every record must have");
        report::mistake(
            &text,
            Some("give values of it that the pages say, or make it optional in the schema"),
        );
        return Ok(Exit::Partial);
    }
    Ok(Exit::Fine)
}

/// What was typed, as settings; none if it makes no sense, which was said then.
fn settings(args: &LearnArgs) -> Option<LearnSettings> {
    let class = match args.class.as_deref().unwrap_or("auto") {
        name if name.eq_ignore_ascii_case("auto") => None,
        name => {
            let class = Class::from_name(name);
            if class.is_none() {
                let names = Class::ALL.map(Class::name).join(", ");
                let text = format!("found the unknown class `{name}`, expected auto, {names}");
                report::mistake(&text, None);
            }
            Some(class?)
        }
    };
    let has = |extension| args.allow.contains(&extension);
    let allow = if args.allow.is_empty() && class.is_none() {
        Allow::ALL
    } else {
        Allow {
            missing: has(Extension::Missing),
            alternatives: has(Extension::Alternatives),
            skips: has(Extension::Skips),
            eof: has(Extension::Eof),
            spaces: has(Extension::Spaces),
        }
    };
    let prefer = match args.prefer {
        Taste::Tags => Prefer::Tags,
        Taste::Short => Prefer::Short,
        Taste::Long => Prefer::Long,
    };
    Some(LearnSettings {
        record: args.record.clone(),
        class,
        delimiters: args.class.is_some(),
        prefer,
        allow,
        epsilon: args.epsilon,
        delta: args.delta,
        also: Vec::new(),
    })
}

fn learn(args: &LearnArgs, reading: &ParseSettings, mut settings: LearnSettings, job: &Job) -> Result<Made, Trouble> {
    let read = |places: &[&Place]| -> Result<Vec<Document>, InputError> {
        places.iter().map(|place| place.document(reading, true)).collect()
    };
    let learn =
        |documents: &[Document], basis, settings: &LearnSettings| Ok(make::learn(documents, basis, settings, job)?);
    let schema = args.schema.as_deref().map(Schema::open).transpose()?;
    if let Some(file) = &args.examples {
        let examples = Examples::open(file)?;
        let (places, more) = (find_pages(&args.pages)?, find_pages(&args.also)?);
        let documents = read(&examples.choose(&places)?)?;
        // A page that only helps to choose may be missing.
        let others = examples.others(&places, &more)?.into_iter();
        settings.also = others.filter_map(|place| place.document(reading, true).ok()).collect();
        return match &schema {
            Some(schema) => learn(&documents, Basis::Schema(schema, &examples), &settings),
            None => learn(&documents, Basis::Examples(&examples), &settings),
        };
    }
    if let Some(file) = &args.recognizers {
        let recognizers = Recognizers::open(file)?;
        let documents = read(&find_pages(&args.pages)?.iter().collect::<Vec<_>>())?;
        return learn(&documents, Basis::Recognizers(&recognizers), &settings);
    }
    // One of the three is required.
    let expression = Expression::open(args.oxpath.as_deref().unwrap_or_else(|| "".as_ref()))?;
    let documents = read(&find_pages(&args.pages)?.iter().collect::<Vec<_>>())?;
    learn(&documents, Basis::Expression(&expression), &settings)
}

/// The pages that were named; the first that is not there is an error.
fn find_pages(pages: &[String]) -> Result<Vec<Place>, Trouble> {
    let (places, errors) = sheets::find(pages).map_err(Trouble::Told)?;
    match errors.into_iter().next() {
        Some(error) => Err(error.into()),
        None => Ok(places),
    }
}

/// Says why there is no wrapper, and what to type instead.
pub(crate) fn refused(error: &MakeError) {
    let hint = match error {
        MakeError::NoSuchPage { .. } => "name the page on the command line, or its directory",
        MakeError::SeveralPages { .. } => "write its path as on the command line",
        MakeError::SelectsNothing { .. } => {
            "`wrapwright query XPATH PAGE` shows what an expression selects; scripts of a page are not run"
        }
        MakeError::NoRecords { .. } => "give pages that its navigation leads to, saved with `wrapwright fetch`",
        MakeError::NoDelimiters { recognized: false, .. } => {
            "give more exact examples, or allow more: --allow missing,alternatives,skips,eof,spaces"
        }
        MakeError::NoDelimiters { recognized: true, .. } => {
            "check what each recognizer is said to get wrong, or give --examples of some pages instead"
        }
        MakeError::Infer(InferError::TooFew(_)) => "name more pages of the site, or a directory of them",
        MakeError::Infer(InferError::Identical) => "--all makes fields of what all pages say, too",
        MakeError::NotAShare { name, value } => {
            let text = format!("found --{name} {value}, expected a number between 0 and 1");
            return report::mistake(&text, None);
        }
        _ => {
            let hint = error.remedy().as_ref().map(remedy::in_words);
            return report::mistake(&error.to_string(), hint.as_deref());
        }
    };
    report::mistake(&error.to_string(), Some(hint));
}
