//! `cargo xtask lists`: templates from unlabelled pages, on page sets with known rows.
//!
//! The program itself is scored (or, with `--binary none`, what it calls): it infers a wrapper into a file and extracts with it. This is done twice: from all pages
//! of a set, read on the same pages, and from the first half of them, read on the other half. Sets with one page count in
//! the first only. `tables` says what is right. Sets are split by family, so that what was developed on one half can be
//! judged on the other.

use crate::Options;
use crate::exalg::{Verdict, plain};
use crate::records::data;
use crate::tables::{Known, Row, Tree, score};
use anyhow::{Context, bail};
use learn::exalg::TemplateSettings;
use page::Document;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use wrapper::rule::template::{infix, record_type};
use wrapper::{Rule, Wrapper};

/// The data that is used by default.
pub(crate) const DATA: &str = "../shared/bench/records,../shared/bench/meetings/records";

/// Counts of attributes by verdict, and of sets whose attributes are all right.
#[derive(Clone, Copy, Default)]
struct Sum {
    verdicts: [usize; 3],
    sets: usize,
    whole: usize,
}

impl Sum {
    fn add(&mut self, verdicts: &[Verdict]) {
        verdicts
            .iter()
            .for_each(|verdict| self.verdicts[*verdict as usize] += 1);
        self.sets += 1;
        self.whole += usize::from(verdicts.iter().all(|verdict| *verdict == Verdict::Correct));
    }

    fn cells(&self) -> String {
        let all: usize = self.verdicts.iter().sum();
        let percent = |count: usize| 100.0 * count as f64 / all.max(1) as f64;
        let [incorrect, partial, correct] = self.verdicts.map(percent);
        format!(
            "{all} | {correct:.1} | {partial:.1} | {incorrect:.1} | {} of {}",
            self.whole, self.sets
        )
    }
}

/// How many pairs of pages and a change there are, and how many are right, for each change.
#[derive(Default)]
pub(crate) struct Counts(BTreeMap<String, (usize, usize)>);

impl Counts {
    pub(crate) fn add(&mut self, change: &str, right: bool) {
        let (tried, good) = self.0.entry(change.to_owned()).or_default();
        *tried += 1;
        *good += usize::from(right);
    }

    /// Prints a table, in the order of the names.
    pub(crate) fn print(&self, names: &[&str]) {
        println!("| change | pairs | unchanged % |\n|---|--:|--:|");
        let mut sum = (0, 0);
        let line = |name: &str, (tried, good): (usize, usize)| {
            println!(
                "| {name} | {tried} | {:.1} |",
                100.0 * good as f64 / tried.max(1) as f64
            );
        };
        for name in names {
            let (tried, good) = self.0.get(*name).copied().unwrap_or_default();
            sum = (sum.0 + tried, sum.1 + good);
            line(name, (tried, good));
        }
        line("all", sum);
    }
}

/// The sets of several directories that the options ask for.
pub(crate) fn sets(options: &Options) -> anyhow::Result<Vec<data::Set>> {
    let mut sets = Vec::new();
    for dir in options.text("data").unwrap_or(DATA).split(',') {
        sets.extend(data::load_part(Path::new(dir), options.text("split"))?);
    }
    if let Some(half) = options.text("split") {
        sets.retain(|set| set.is_of(half, &set.family));
    }
    if let Some(wanted) = options.text("sites") {
        sets.retain(|set| wanted.split(',').any(|wanted| set.name.contains(wanted)));
    }
    Ok(sets)
}

/// What is known about a page.
pub(crate) fn known(page: &data::Page) -> Known {
    let text = |value: &Option<String>| {
        let text = value.as_deref().map(|value| plain(&page::source_text(value)));
        text.filter(|text| !text.is_empty())
    };
    Known {
        rows: page
            .tuples
            .iter()
            .map(|tuple| tuple.iter().map(text).collect())
            .collect(),
        length: plain(&page::source_text(&page.text)).len(),
    }
}

/// Runs the chore.
pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let maker = Maker::new(options)?;
    let method = options.text("method").unwrap_or("exalg");
    let place = std::env::temp_dir().join(format!("lists-{}", std::process::id()));
    let show = options.text("show").is_some();
    let mut sources: BTreeMap<(String, &str), Sum> = BTreeMap::new();
    let mut time = Duration::ZERO;
    for set in &sets(options)? {
        std::fs::create_dir_all(&place)?;
        let mut files = Vec::new();
        for (number, page) in set.pages.iter().enumerate() {
            let file = place.join(format!("{number:03}.html"));
            // The mark at the beginning tells the encoding, whatever the page says.
            std::fs::write(&file, format!("\u{feff}{}", page.text))?;
            files.push(file);
        }
        let half = files.len().div_ceil(2);
        let source = set.name.split('/').next().unwrap_or_default().to_owned();
        let mut line = format!("{:<46}", set.name);
        for (what, train, read) in [
            ("same", 0..files.len(), 0..files.len()),
            ("others", 0..half, half..files.len()),
        ] {
            if read.is_empty() {
                continue;
            }
            let started = Instant::now();
            let found = maker.tables(method, &files[train], &files[read.clone()])?;
            time += started.elapsed();
            let known: Vec<Known> = set.pages[read].iter().map(known).collect();
            let verdicts = score(set.attributes.len(), &known, &found);
            sources.entry((source.clone(), what)).or_default().add(&verdicts);
            sources.entry(("all".to_owned(), what)).or_default().add(&verdicts);
            let letters = verdicts.iter().map(|verdict| match verdict {
                Verdict::Correct => 'c',
                Verdict::Partial => 'p',
                Verdict::Incorrect => '-',
            });
            line += &format!("  {what} {:<18}", letters.collect::<String>());
        }
        if show {
            println!("{line} {}", set.attributes.join(" "));
        }
        std::fs::remove_dir_all(&place)?;
    }
    println!("| source | read on | attributes | correct % | partial % | incorrect % | whole tables |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    for ((source, what), sum) in &sources {
        println!("| {source} | {what} | {} |", sum.cells());
    }
    println!("\n{:.1} s in the program", time.as_secs_f64());
    Ok(ExitCode::SUCCESS)
}

/// What makes wrappers and reads pages with them.
pub(crate) enum Maker {
    /// The program.
    Program(PathBuf),
    /// The learner itself; the wrapper is still saved and read back. For quick trials.
    Here {
        /// Is the template printed?
        show: bool,
    },
}

impl Maker {
    /// The maker that the options ask for.
    pub(crate) fn new(options: &Options) -> anyhow::Result<Maker> {
        match options.text("binary") {
            Some("none") => Ok(Maker::Here {
                show: options.text("dump").is_some(),
            }),
            file => {
                let program = PathBuf::from(file.unwrap_or("target/release/wrapwright"));
                if !program.is_file() {
                    bail!(
                        "{} is missing; build it with `cargo build --release`",
                        program.display()
                    );
                }
                Ok(Maker::Program(program))
            }
        }
    }

    /// The tables of each page that is read.
    pub(crate) fn tables(
        &self,
        method: &str,
        train: &[PathBuf],
        read: &[PathBuf],
    ) -> anyhow::Result<Vec<BTreeMap<String, Vec<Row>>>> {
        match self {
            Maker::Program(program) => written(program, method, train, read),
            Maker::Here { show } => extracted(method == "paper", *show, train, read),
        }
    }
}

fn extracted(
    paper: bool,
    show: bool,
    train: &[PathBuf],
    read: &[PathBuf],
) -> anyhow::Result<Vec<BTreeMap<String, Vec<Row>>>> {
    let document = |file: &PathBuf| -> anyhow::Result<Document> {
        let page = page::Page::parse(&std::fs::read(file)?, &Default::default())?;
        Ok(Document::new(file.display().to_string(), page))
    };
    let train = train.iter().map(document).collect::<anyhow::Result<Vec<_>>>()?;
    let pages: Vec<&page::Page> = train.iter().map(|document| &*document.page).collect();
    let settings = TemplateSettings {
        paper,
        ..TemplateSettings::default()
    };
    let Ok(inferred) = learn::exalg::infer(&pages, &settings, &page::Job::new()) else {
        return Ok(vec![BTreeMap::new(); read.len()]);
    };
    if show {
        println!("{}", infix(&inferred.template, true));
    }
    let kind = record_type(&inferred.template, "record");
    let made = Wrapper::made(Rule::Template(inferred.template), kind, None, &train)?;
    let runner = Wrapper::from_json(&made.to_json())?.runner()?;
    let mut out = Vec::new();
    for file in read {
        let records = runner.run(&document(file)?, false).records;
        out.push(
            records
                .first()
                .map_or_else(BTreeMap::new, |record| Tree::of_record(record).tables()),
        );
    }
    Ok(out)
}

/// The tables that the program writes for each page.
fn written(
    program: &Path,
    method: &str,
    train: &[PathBuf],
    read: &[PathBuf],
) -> anyhow::Result<Vec<BTreeMap<String, Vec<Row>>>> {
    let wrapper = read[0].with_file_name("made.wrapper.json");
    let done = Command::new(program)
        .args(["infer", "--method", method, "-o"])
        .arg(&wrapper)
        .args(train)
        .output()
        .context("cannot run the program")?;
    let mut pages = vec![BTreeMap::new(); read.len()];
    if !done.status.success() {
        return Ok(pages);
    }
    let done = Command::new(program).arg("extract").arg(&wrapper).args(read).output()?;
    for line in String::from_utf8(done.stdout)?.lines() {
        let line: serde_json::Value = serde_json::from_str(line)?;
        let name = Path::new(line["_page"].as_str().unwrap_or_default()).file_name();
        let at = read.iter().position(|file| file.file_name() == name);
        let at = at.with_context(|| format!("unknown page {name:?}"))?;
        let tree = Tree::of_json("", &line);
        // A page may have one record with lists in it, or be a list of records.
        for (name, rows) in tree.first().map_or_else(BTreeMap::new, Tree::tables) {
            pages[at].entry(name).or_default().extend(rows);
        }
    }
    Ok(pages)
}
