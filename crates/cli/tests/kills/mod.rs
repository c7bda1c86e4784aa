//! Runs that are killed at random moments and resumed, and what is in their outputs then.
//!
//! The site is a list of pages with links to items; each item page has three records. Every record has a number of its own,
//! so what is lost or doubled shows. Outputs are read by programs that are not ours: Python's own modules, pyarrow, psql.
#![allow(dead_code, reason = "the test and the bench use different parts of it")]

use demo::server::{Answer, Request, Response, Running, start};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Item pages that a page of the list links to.
const ITEMS: usize = 5;
/// Records on an item page.
const RECORDS: usize = 3;

/// A site that counts how often each page was asked for.
pub(crate) struct Site {
    server: Running,
    lists: usize,
    asked: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Site {
    /// Pages that take a moment to come.
    pub(crate) fn start(lists: usize, pause: Duration) -> Site {
        let asked: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
        let counted = Arc::clone(&asked);
        let noise = AtomicUsize::new(0);
        let server = start("127.0.0.1:0", move |request: &Request| -> Answer {
            if let Ok(mut asked) = counted.lock() {
                *asked.entry(request.path.clone()).or_default() += 1;
            }
            // Answers come in another order than requests.
            let some = noise.fetch_add(7, Ordering::Relaxed) % 5;
            std::thread::sleep(pause * u32::try_from(some).unwrap_or(1));
            Answer::Whole(page(&request.path, lists))
        });
        Site {
            server: server.expect("a free port"),
            lists,
            asked,
        }
    }

    /// How many records there are.
    pub(crate) fn records(&self) -> usize {
        self.lists * ITEMS * RECORDS
    }

    /// How many pages there are.
    pub(crate) fn pages(&self) -> usize {
        self.lists * (ITEMS + 1)
    }

    /// Requests for pages since the last call.
    pub(crate) fn take_asked(&self) -> usize {
        let asked = self.asked.lock().map(|mut asked| std::mem::take(&mut *asked));
        let asked = asked.unwrap_or_default();
        asked
            .iter()
            .filter(|(path, _)| *path != "/robots.txt")
            .map(|(_, count)| count)
            .sum()
    }

    /// The expression that finds all records.
    pub(crate) fn expression(&self) -> String {
        format!(
            "doc('{}list/0')/(//a.next/{{click /}})*//a.item/{{click /}}//li:<item>[.:<n=number(b)>][.:<text=string(i)>][b:<tag=.>]",
            self.server.url()
        )
    }

    /// An expression whose records are made from several pages each, one of which is opened twice.
    pub(crate) fn nested(&self) -> String {
        format!(
            "doc('{}')/(//a.next/{{click /}})*//p:<item>[a.item/{{click /}}//li[1]/b:<n=number(.)>][a.item/{{click /}}//li[1]/i:<text=string(.)>]",
            self.url()
        )
    }

    /// The numbers of the records of that expression.
    pub(crate) fn nested_numbers(&self) -> Vec<usize> {
        (0..self.lists * ITEMS).map(|item| item * RECORDS).collect()
    }

    /// Where the list begins.
    pub(crate) fn url(&self) -> String {
        format!("{}list/0", self.server.url())
    }
}

fn page(path: &str, lists: usize) -> Response {
    let number = |prefix: &str| path.strip_prefix(prefix).and_then(|rest| rest.parse::<usize>().ok());
    if let Some(list) = number("/list/").filter(|list| *list < lists) {
        let items: String = (0..ITEMS)
            .map(|item| format!("<p><a class=item href='/item/{}'>item</a></p>", list * ITEMS + item))
            .collect();
        let next = match list + 1 < lists {
            true => format!("<a class=next rel=next href='/list/{}'>Next</a>", list + 1),
            false => String::new(),
        };
        return Response::html(items + &next);
    }
    if let Some(item) = number("/item/") {
        let records: String = (0..RECORDS)
            .map(|record| {
                let n = item * RECORDS + record;
                format!(
                    "<li><b>{n}</b><i>text {n}, \"quoted\"\n{}</i></li>",
                    "x".repeat(n % 97 * 7)
                )
            })
            .collect();
        return Response::html(format!("<ul>{records}</ul>"));
    }
    Response::new(404, "text/plain", b"nothing here".to_vec())
}

/// Numbers that look random and depend on a seed alone (xorshift).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}

/// How a process is ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blow {
    /// `kill -9`.
    Kill,
    /// `SIGTERM`, and all the time that the process needs to end in good order.
    Term,
    /// `SIGTERM`, and another a moment later.
    TermTwice,
}

/// What became of a run that was ended many times.
#[derive(Debug, Default)]
pub(crate) struct Fate {
    /// Processes that were ended before they had ended by themselves.
    pub(crate) blows: usize,
    /// Processes in all.
    pub(crate) processes: usize,
    /// What the last one said.
    pub(crate) words: String,
}

/// A run and where its records go.
pub(crate) struct Trial<'t> {
    pub(crate) program: &'t Path,
    pub(crate) folder: &'t Path,
    pub(crate) run: &'t str,
    pub(crate) jobs: usize,
}

impl Trial<'_> {
    fn command(&self, args: &[&str]) -> Child {
        let mut command = Command::new(self.program);
        command
            .arg("run")
            .args(args)
            .current_dir(self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }

    /// Makes a run with these arguments, and ends its process `blows` times at random moments, each at most `longest` after
    /// its start; then lets it come to its end.
    pub(crate) fn strike(
        &self,
        args: &[&str],
        blow: Blow,
        blows: usize,
        longest: Duration,
        chance: &mut Chance,
    ) -> Fate {
        let mut fate = Fate::default();
        let jobs = self.jobs.to_string();
        let mut first: Vec<&str> = vec!["--run", self.run, "--jobs", &jobs, "--ignore-robots"];
        first.extend(args);
        let has_begun = || self.folder.join(self.run).join("run.sqlite").is_file();
        for _ in 0..blows {
            let mut child = match has_begun() {
                false => self.command(&first),
                true => self.command(&["--resume", self.run]),
            };
            fate.processes += 1;
            let micros = chance.below(u64::try_from(longest.as_micros()).unwrap_or(u64::MAX));
            std::thread::sleep(Duration::from_micros(micros));
            let has_ended = child.try_wait().expect("a process").is_some();
            match blow {
                _ if has_ended => {}
                Blow::Kill => child.kill().expect("it runs"),
                Blow::Term => {
                    let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
                }
                Blow::TermTwice => {
                    for pause in [0, chance.below(20)] {
                        std::thread::sleep(Duration::from_millis(pause));
                        let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
                    }
                }
            }
            let output = child.wait_with_output().expect("a process");
            fate.blows += usize::from(!has_ended);
            fate.words += &String::from_utf8_lossy(&output.stderr);
            // It came to its end before the blow.
            if output.status.success() || has_ended {
                assert!(output.status.success(), "{}: {}", self.run, fate.words);
                return fate;
            }
        }
        let child = match has_begun() {
            false => self.command(&first),
            true => self.command(&["--resume", self.run]),
        };
        fate.processes += 1;
        let output = child.wait_with_output().expect("a process");
        fate.words += &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {}", self.run, fate.words);
        fate
    }
}

/// Reads the numbers of records with programs that are not ours, in the order in which they are there.
const READER: &str = r"
import csv, gzip, io, json, os, sqlite3, sys
import xml.etree.ElementTree as tree
path = sys.argv[1]
def lines(text):
    return [json.loads(line) for line in text.splitlines()]
name = path.rstrip('/').split('#')[0]
if name.endswith('.gz'):
    rows = lines(gzip.open(name, 'rt', encoding='utf-8').read())
elif name.endswith('.ndjson'):
    rows = lines(open(name, encoding='utf-8').read())
elif name.endswith('.json'):
    rows = json.load(open(name, encoding='utf-8'))
elif name.endswith('.csv'):
    rows = list(csv.DictReader(io.StringIO(open(name, encoding='utf-8', newline='').read(), newline='')))
elif name.endswith('.xml'):
    rows = [{child.tag: child.text for child in item} for item in tree.parse(name).getroot()]
elif name.endswith('.parquet'):
    import pyarrow.parquet
    rows = pyarrow.parquet.read_table(name).to_pylist()
elif name.endswith('.arrows'):
    import pyarrow.ipc
    rows = pyarrow.ipc.open_stream(name).read_all().to_pylist()
else:
    database = sqlite3.connect(name)
    assert database.execute('PRAGMA integrity_check').fetchone() == ('ok',)
    database.row_factory = sqlite3.Row
    rows = [dict(row) for row in database.execute('SELECT * FROM items ORDER BY _id')]
def one(value):
    if isinstance(value, str) and value.startswith('['):
        value = json.loads(value)
    return value[0] if isinstance(value, list) else value
for row in rows:
    n = int(float(one(row['n'])))
    assert one(row['text']).startswith('text %d, ' % n), row
    print(n)
";

/// The numbers of the records in an output.
pub(crate) fn numbers(folder: &Path, output: &str) -> Vec<usize> {
    let read = Command::new("python3")
        .args(["-c", READER, output])
        .current_dir(folder)
        .output()
        .expect("Python");
    let stderr = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success(), "{output}: {stderr}");
    let text = String::from_utf8_lossy(&read.stdout).into_owned();
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

/// How many of `count` records are lost, and how many are there more than once.
pub(crate) fn losses(numbers: &[usize], count: usize) -> (usize, usize) {
    let mut seen = vec![0_usize; count];
    numbers.iter().for_each(|number| seen[*number] += 1);
    let lost = seen.iter().filter(|times| **times == 0).count();
    (lost, seen.iter().map(|times| times.saturating_sub(1)).sum())
}

/// The time that something takes.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let begun = Instant::now();
    let done = work();
    (begun.elapsed(), done)
}

/// Has Python this module?
pub(crate) fn has_module(module: &str) -> bool {
    let found = Command::new("python3")
        .args(["-c", &format!("import {module}")])
        .output();
    found.is_ok_and(|output| output.status.success())
}
