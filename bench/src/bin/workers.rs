//! Workers on one PostgreSQL server: `workers PROGRAM [HOSTS [PAGES]]` crawls HOSTS hosts (40) of this machine with PAGES
//! pages each (40), with one worker, with four, and with four of which two are killed in the middle. Prints a table:
//! throughput, whether the delay held between requests to a host, and what is lost or doubled.
//!
//! A page takes 100 ms to come, and a worker runs four units at once, so one worker makes at most 40 pages a second.
//! Between two requests to a host are 100 ms, so 40 hosts allow 400: they are not the limit. The first row has no frontier.

#[path = "../../../crates/columnar/tests/stores/server.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod database;
#[path = "../../../crates/cli/tests/herd/mod.rs"]
mod herd;

use anyhow::{Context, anyhow, ensure};
use herd::{Web, Worker, gaps};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const DELAY: Duration = Duration::from_millis(100);
const PAUSE: Duration = Duration::from_millis(100);

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let program = args.next().context("expected the program to run")?;
    let program = std::fs::canonicalize(program)?.display().to_string();
    let hosts: usize = args.next().map_or(Ok(40), |text| text.parse())?;
    let pages: usize = args.next().map_or(Ok(40), |text| text.parse())?;
    let server = database::Server::start_with(&[]).map_err(|why| anyhow!(why))?;
    let folder = tempfile::tempdir()?;
    let web = Web::start(hosts, pages, PAUSE);
    std::fs::write(folder.path().join("urls.csv"), web.table())?;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "| workers | killed | seconds | pages a second | requests | shortest gap | gaps below 90 ms | lost | doubled |"
    )?;
    writeln!(out, "|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    let url = server.url();
    let mut rates = Vec::new();
    for (workers, killed) in [(0, 0), (1, 0), (4, 0), (4, 2)] {
        web.take_log();
        let mut team: Vec<Worker> = (0..workers)
            .map(|_| Worker::of(&program, &url, &["--jobs", "4", "--lease", "2"]))
            .collect();
        // They are ready before the time is taken.
        std::thread::sleep(Duration::from_millis(300));
        let output = format!("out-{workers}-{killed}.ndjson");
        let mut command = Command::new(&program);
        command
            .args(["run", "-q", "-e", "doc($url)//p:<item>[.:<n=number(b)>]", "--bind-file"])
            .args([
                "urls.csv",
                "--no-meta",
                "-o",
                &output,
                "--delay",
                "0.1",
                "--ignore-robots",
            ])
            .current_dir(folder.path())
            .stderr(Stdio::inherit());
        match workers {
            0 => command.args(["--jobs", "4"]),
            _ => command.args(["--frontier", &url]),
        };
        let begun = Instant::now();
        let mut follower = command.spawn()?;
        if killed > 0 {
            while web.count() < hosts * pages / 2 {
                std::thread::sleep(Duration::from_millis(5));
            }
            team.drain(..killed).for_each(Worker::kill);
        }
        let status = follower.wait()?;
        let time = begun.elapsed().as_secs_f64();
        ensure!(status.success(), "the run ended with {status}");
        team.into_iter().for_each(Worker::stop);
        let log = web.take_log();
        let gaps = gaps(&log);
        let shortest = gaps.iter().min().copied().unwrap_or_default();
        let short = gaps.iter().filter(|gap| **gap < DELAY * 9 / 10).count();
        let text = std::fs::read_to_string(folder.path().join(&output))?;
        let mut seen = vec![0_usize; hosts * pages * 2];
        for line in text.lines() {
            let record: serde_json::Value = serde_json::from_str(line)?;
            let number = record["n"].as_u64().context("a number")?;
            seen[usize::try_from(number)?] += 1;
        }
        let lost = seen.iter().filter(|count| **count == 0).count();
        let doubled: usize = seen.iter().map(|count| count.saturating_sub(1)).sum();
        let rate = (hosts * pages) as f64 / time;
        rates.push(rate);
        let name = if workers == 0 {
            "none".to_owned()
        } else {
            workers.to_string()
        };
        writeln!(
            out,
            "| {name} | {killed} | {time:.1} | {rate:.1} | {} | {:.0} ms | {short} of {} | {lost} | {doubled} |",
            log.len(),
            shortest.as_secs_f64() * 1000.0,
            gaps.len()
        )?;
    }
    writeln!(
        out,
        "\nfour workers are {:.2} times as fast as one",
        rates[2] / rates[1]
    )?;
    Ok(())
}
