//! `wrapwright repair`: a new rule for a wrapper whose pages have changed, shown before it is trusted.

use crate::args::Format;
use crate::extract::read_wrapper;
use crate::sheets::{self, ReadArgs};
use crate::{Exit, report, show, whole};
use anyhow::Context;
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wrapwright::tend::{Repair, RepairError, compare, repair};
use wrapwright::wrapper::{Evidence, Wrapper};

/// How sure every needed field must be.
pub(crate) const ENOUGH: f64 = 0.3;

const EXAMPLES: &str = "\
Examples:
  wrapwright repair site.wrapper.json new/                       show what would change
  wrapwright repair site.wrapper.json new/ -o new.wrapper.json   write the new wrapper
  wrapwright repair site.wrapper.json new/ -o site.wrapper.json  in its place; the old one is kept

Exit code 0: the new wrapper is sure enough, or the old one works; 3: it is not, or there is none,
and nothing was written. A wrapper that is replaced is kept as site.old-1.wrapper.json beside it.";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct RepairArgs {
    /// A wrapper, as learn, infer or repair writes it
    #[arg(value_name = "WRAPPER")]
    wrapper: PathBuf,

    /// Changed pages: files, directories (every .htm and .html below, sorted), WARC files, or - for standard input
    #[arg(value_name = "PAGE", required = true)]
    pages: Vec<String>,

    /// Where to write the new wrapper; without it nothing is written
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// How sure each field that most records have must be, from 0 to 1
    #[arg(long, value_name = "SURE", default_value_t = ENOUGH, value_parser = sheets::share)]
    at_least: f64,

    /// Write the new wrapper however sure it is, and even if the old one works
    #[arg(long)]
    force: bool,

    /// How to print what was done
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    read: ReadArgs,
}

/// What to do about a wrapper that cannot be mended.
pub(crate) const ANEW: &str = "are these pages of the kind that the wrapper is for? Then it must be learned anew";

/// Runs the command.
pub(crate) fn run(args: &RepairArgs) -> anyhow::Result<Exit> {
    let Some(artifact) = read_wrapper(&args.wrapper) else {
        return Ok(Exit::Mistake);
    };
    let Some(settings) = args.read.settings() else {
        return Ok(Exit::Mistake);
    };
    let (places, missing) = sheets::places(&args.pages);
    let with_source = artifact.runner()?.reads_source();
    let mut pages = Vec::new();
    let mut failed = missing;
    for place in &places {
        match sheets::read(place, &settings, with_source) {
            Ok(sheet) => pages.push(sheet),
            Err(error) => {
                failed += 1;
                report::input(&error, Format::Text);
            }
        }
    }
    if pages.is_empty() {
        report::mistake("there is no page to mend the wrapper with, expected at least one", None);
        return Ok(Exit::Mistake);
    }
    // To learn anew what works can only make it worse.
    if !args.force && compare(&artifact, artifact.observe(&pages)?).is_ok_and(|found| found.is_fine()) {
        let words = "works on these pages as it did, so nothing was mended; --force mends it all the same";
        report::words(&format!("{} {words}", args.wrapper.display()));
        return Ok(if failed > 0 { Exit::Partial } else { Exit::Fine });
    }
    let mended = match repair(&artifact, &pages) {
        Ok(mended) => mended,
        Err(error) => {
            let (exit, hint) = match &error {
                RepairError::Unknown(_) => return Ok(sheets::unwatched(&args.wrapper)),
                RepairError::NothingFound | RepairError::NoRule(_) => (Exit::Failed, Some(ANEW)),
                _ => (Exit::Mistake, None),
            };
            report::mistake(&format!("{}: {error}", args.wrapper.display()), hint);
            return Ok(exit);
        }
    };
    let good = mended.sure() >= args.at_least;
    let text = match args.format {
        Format::Text => in_words(&artifact, &mended),
        Format::Json => format!("{}\n", as_json(&mended, good)),
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .context("cannot write to standard output")?;
    if !good && !args.force {
        let text = format!("{}, so nothing was written", not_sure(&mended, args.at_least));
        let hint =
            "look at the samples: if they are right, --force writes it all the same; more pages may make it surer";
        report::mistake(&text, Some(hint));
        return Ok(Exit::Failed);
    }
    match &args.output {
        None => report::words("nothing was written; name a file with -o to keep the new wrapper"),
        Some(target) => {
            let kept = replace(target, &mended.wrapper)?;
            let kept = kept.map_or_else(String::new, |kept| format!("; the old one is {}", kept.display()));
            report::words(&format!("wrote {}{kept}", target.display()));
        }
    }
    Ok(if failed > 0 { Exit::Partial } else { Exit::Fine })
}

/// Which fields are not sure enough.
pub(crate) fn not_sure(mended: &Repair, at_least: f64) -> String {
    let weak = mended
        .fields
        .iter()
        .filter(|field| field.usual >= 0.5 && field.sure < at_least);
    let names: Vec<String> = weak
        .map(|field| format!("`{}` ({:.0} %)", field.name, field.sure * 100.0))
        .collect();
    let enough = at_least * 100.0;
    format!("not sure enough of {}; {enough:.0} % are asked for", names.join(", "))
}

/// Writes a wrapper; a file that is there is kept under another name, which is given back.
pub(crate) fn replace(target: &Path, artifact: &Wrapper) -> anyhow::Result<Option<PathBuf>> {
    let place = || format!("cannot write {}", target.display());
    let mut kept = None;
    if target.is_file() {
        let old = free_name(target);
        fs::copy(target, &old).with_context(|| format!("cannot keep the old wrapper as {}", old.display()))?;
        kept = Some(old);
    }
    whole::write(target, artifact.to_json().as_bytes()).with_context(place)?;
    Ok(kept)
}

/// `site.wrapper.json` as `site.old-1.wrapper.json`, with the first number that is free.
fn free_name(target: &Path) -> PathBuf {
    let name = target
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let ending = [".wrapper.json", ".json"]
        .into_iter()
        .find(|ending| name.ends_with(ending));
    let (stem, ending) = match ending {
        Some(ending) => (&name[..name.len() - ending.len()], ending),
        None => (name.as_str(), ""),
    };
    let mut number = 1;
    loop {
        let path = target.with_file_name(format!("{stem}.old-{number}{ending}"));
        if !path.exists() {
            return path;
        }
        number += 1;
    }
}

/// A text cut to so many characters.
fn clip(text: &str, width: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() > width {
        true => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        false => text,
    }
}

/// The rule alone: what is known of the values, and of which pages, is not what a user has to judge.
fn rule_of(artifact: &Wrapper) -> String {
    let bare = Wrapper {
        evidence: Evidence::default(),
        ..artifact.clone()
    };
    show::describe(&bare)
}

/// Columns of samples are so wide.
const SAMPLE: usize = 34;

fn in_words(old: &Wrapper, mended: &Repair) -> String {
    let names = mended.fields.iter().map(|field| field.name.chars().count());
    let width = names.max().unwrap_or(0).clamp(5, 24);
    let mut out = format!("{:<width$}  sure  {:<SAMPLE$}  now\n", "field", "before");
    for field in &mended.fields {
        let mut first = format!("{:<width$}  {:>3.0}%", clip(&field.name, width), field.sure * 100.0);
        let lines = field.before.len().max(field.after.len()).clamp(1, 3);
        for line in 0..lines {
            let cell = |values: &[String], or: &str| {
                values.get(line).map_or_else(
                    || if line == 0 { or.to_owned() } else { String::new() },
                    |text| clip(text, SAMPLE),
                )
            };
            let (before, after) = (cell(&field.before, "(none)"), cell(&field.after, "(none)"));
            out += format!("{first}  {before:<SAMPLE$}  {after}").trim_end();
            out.push('\n');
            first = " ".repeat(width + 6);
        }
    }
    let changed = diff(&rule_of(old), &rule_of(&mended.wrapper));
    if !changed.is_empty() {
        out += "\n";
        out += &changed;
    }
    for note in &mended.notes {
        out += &format!("\nnote: {note}\n");
    }
    out
}

fn as_json(mended: &Repair, good: bool) -> serde_json::Value {
    let fields = mended.fields.iter().map(|field| {
        json!({
            "name": field.name, "sure": field.sure, "usual": field.usual,
            "before": field.before, "after": field.after,
        })
    });
    json!({
        "good": good, "sure": mended.sure(), "kind": mended.wrapper.rule.kind(),
        "fields": fields.collect::<Vec<_>>(), "notes": mended.notes,
    })
}

/// Lines that are compared, and printed, at most.
const COMPARED: usize = 1500;
const PRINTED: usize = 60;

/// The lines that two texts do not share, `-` those of the first, `+` those of the second, in order.
fn diff(old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (
        old.lines().take(COMPARED).collect(),
        new.lines().take(COMPARED).collect(),
    );
    // The longest common subsequence from each pair of places on.
    let mut longest = vec![vec![0u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i][j] = match a[i] == b[j] {
                true => longest[i + 1][j + 1] + 1,
                false => longest[i + 1][j].max(longest[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || longest[i + 1][j] >= longest[i][j + 1]) {
            lines.push(format!("- {}\n", a[i]));
            i += 1;
        } else {
            lines.push(format!("+ {}\n", b[j]));
            j += 1;
        }
    }
    let more = lines.len().saturating_sub(PRINTED);
    let mut out: String = lines.into_iter().take(PRINTED).collect();
    if more > 0 {
        out += &format!("… and {more} more lines\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_lines() {
        assert_eq!(diff("a\nb\nc\n", "a\nx\nc\nd\n"), "- b\n+ x\n+ d\n");
        assert_eq!(diff("a\n", "a\n"), "");
        assert_eq!(diff("", "a\n"), "+ a\n");
    }

    #[test]
    fn old_wrappers_get_a_name_that_is_free() {
        let folder = std::env::temp_dir().join(format!("wrapwright-free-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let target = folder.join("site.wrapper.json");
        assert_eq!(free_name(&target), folder.join("site.old-1.wrapper.json"));
        fs::write(folder.join("site.old-1.wrapper.json"), "").expect("a file");
        assert_eq!(free_name(&target), folder.join("site.old-2.wrapper.json"));
        assert_eq!(free_name(&folder.join("w")), folder.join("w.old-1"));
        fs::remove_dir_all(&folder).expect("gone");
    }
}
