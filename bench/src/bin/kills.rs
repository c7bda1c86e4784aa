//! Runs that are killed: `kills PROGRAM [ROUNDS [SEED]]` lets `PROGRAM run --run …` be killed at random moments with every
//! sink and 1, 4 and 16 jobs, resumes it until it has ended, and counts what is lost or doubled. Prints a table.
//!
//! A round is four times `kill -9` and once two `SIGTERM`, on each of ten sinks with three numbers of jobs. Outputs are read by
//! Python's `json`, `csv`, `gzip`, `xml` and `sqlite3`, by `pyarrow`, and by `psql`.

#[path = "../../../crates/columnar/tests/stores/server.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod database;
#[path = "../../../crates/cli/tests/kills/mod.rs"]
mod kills;

use anyhow::{Context, anyhow};
use kills::{Blow, Chance, Site, Trial, losses, numbers, timed};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Pages of the list: 480 pages and 1200 records in all.
const LISTS: usize = 80;

const SINKS: [(&str, &str); 10] = [
    ("o.ndjson", "json"),
    ("o.json", "json"),
    ("o.csv", "csv"),
    ("o.xml", "xml.etree"),
    ("o.ndjson.gz", "gzip, json"),
    ("o.parquet", "pyarrow"),
    ("p.parquet/", "pyarrow"),
    ("o.arrows", "pyarrow"),
    ("o.sqlite#items", "sqlite3, integrity_check"),
    ("postgresql", "psql"),
];

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let program: PathBuf = args.next().context("expected the program to run")?.into();
    let program = program.canonicalize()?;
    let rounds: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let seed: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let server = database::Server::start().map_err(|why| anyhow!(why))?;
    let site = Site::start(LISTS, Duration::from_millis(2));
    let expression = site.expression();
    let mut out = std::io::stdout();
    writeln!(
        out,
        "| sink | jobs | killed | SIGTERM twice | processes | pages | requests | lost | doubled | in order | read by |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|--:|--:|--:|---|---|")?;
    let mut total = [0; 5];
    for (sink, reader) in SINKS {
        for jobs in [1, 4, 16] {
            let mut row = [0; 5];
            let (mut in_order, mut asked) = (true, 0);
            for round in 0..rounds {
                let folder = tempfile::tempdir()?;
                let table = format!("t{jobs}_{round}");
                let output = match sink {
                    "postgresql" => format!("{}&table={table}", server.url()),
                    file => file.to_owned(),
                };
                let trial = |run| Trial {
                    program: &program,
                    folder: folder.path(),
                    run,
                    jobs,
                };
                let mut chance = Chance::new(seed + round * 1000 + jobs as u64 * 100 + sink.len() as u64);
                // How long it takes without being killed.
                let whole = ["-e", &expression, "--no-meta", "-o", "whole.ndjson"];
                let (time, _) = timed(|| trial("whole").strike(&whole, Blow::Kill, 0, Duration::ZERO, &mut chance));
                site.take_asked();
                for (blow, blows, name) in [(Blow::Kill, 4, "kill"), (Blow::TermTwice, 1, "term")] {
                    let (output, table) = match (sink, blow) {
                        ("postgresql", Blow::TermTwice) => (format!("{output}_term"), format!("{table}_term")),
                        ("p.parquet/", Blow::TermTwice) => ("term.parquet/".to_owned(), table.clone()),
                        ("o.sqlite#items", Blow::TermTwice) => ("term.sqlite#items".to_owned(), table.clone()),
                        _ => (output.clone(), table.clone()),
                    };
                    let args = ["-e", &expression, "--no-meta", "-o", &output, "--part-seconds", "0.1"];
                    let fate = trial(name).strike(&args, blow, blows, time, &mut chance);
                    let found = match sink {
                        "postgresql" => server
                            .ask(&format!("SELECT n::int FROM {table} ORDER BY _id"))
                            .iter()
                            .map(|row| row.parse())
                            .collect::<Result<Vec<usize>, _>>()?,
                        _ => numbers(folder.path(), &output),
                    };
                    let (lost, doubled) = losses(&found, site.records());
                    in_order &= found.is_sorted();
                    row[usize::from(blow == Blow::TermTwice)] += fate.blows;
                    row[2] += fate.processes;
                    row[3] += lost;
                    row[4] += doubled;
                    asked += site.take_asked();
                }
            }
            let pages = site.pages() as u64 * 2 * rounds;
            writeln!(
                out,
                "| {sink} | {jobs} | {} | {} | {} | {pages} | {asked} | {} | {} | {} | {reader} |",
                row[0],
                row[1],
                row[2],
                row[3],
                row[4],
                if in_order { "yes" } else { "no" }
            )?;
            total.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
    }
    writeln!(
        out,
        "| all | | {} | {} | {} | | | {} | {} | | |",
        total[0], total[1], total[2], total[3], total[4]
    )?;
    Ok(())
}
