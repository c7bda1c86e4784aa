//! The store: files, versions and faults.

use super::super::tests::entry;
use super::*;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("site.history.sqlite");
    (directory, path)
}

fn fine(number: usize) -> Entry {
    let when = format!("2026-11-{:02}T06:00:00Z", number % 28 + 1);
    entry(
        &when,
        number as u64,
        Outcome::Fine,
        &[("title", 20, 1.0), ("price", 20, 0.7)],
    )
}

fn repaired() -> Entry {
    let fields = [("title", 20, 1.0), ("price", 0, 0.0), ("größe", 3, 1e-300)];
    Entry {
        failed_pages: 1,
        repair: Some(RepairEntry {
            from_hash: "0123456789abcdef".to_owned(),
            to_hash: "fedcba9876543210".to_owned(),
            kept_as: "site.wrapper.1.json".to_owned(),
            fields: vec![("price".to_owned(), 0.97), ("größe".to_owned(), 0.5)],
            note: "1 of 3 pages failed".to_owned(),
        }),
        ..entry("2026-11-15T06:00:00Z", 20, Outcome::Repaired, &fields)
    }
}

fn trouble(path: &Path) -> Trouble {
    let error = open(path, true, Duration::from_millis(50)).expect_err("this is no history");
    let words = format!("{error}; {}", error.remedy());
    assert!(words.contains(&path.display().to_string()), "{words}");
    error.trouble
}

#[test]
fn what_is_added_comes_back() {
    let (_directory, path) = place();
    let mut all: Vec<Entry> = (0..5).map(fine).collect();
    all.push(repaired());
    for verdict in Outcome::ALL {
        all.push(entry("2026-11-16T06:00:00Z", 0, verdict, &[]));
    }
    let mut history = History::open(&path).unwrap();
    assert_eq!((history.count().unwrap(), history.last(9).unwrap()), (0, vec![]));
    for entry in &all {
        history.add(entry).unwrap();
    }
    assert_eq!(history.last(usize::MAX).unwrap(), all);
    drop(history);
    let history = History::existing(&path).unwrap();
    assert_eq!(history.count().unwrap(), 11);
    assert_eq!(history.last(7).unwrap(), all[4..], "the newest is the last");
    assert_eq!(history.last(0).unwrap(), []);
    let names: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "no journal is left: {names:?}");
}

#[test]
fn a_run_of_twenty_fields_takes_less_than_a_kilobyte() {
    let (_directory, path) = place();
    let mut history = History::open(&path).unwrap();
    let empty = fs::metadata(&path).unwrap().len();
    let transaction = history.connection.transaction().unwrap();
    let run = entry(
        "2026-11-15T06:00:00Z",
        2000,
        Outcome::Fine,
        &[("field name", 2000, 0.84); 20],
    );
    for _ in 0..1000 {
        insert(&transaction, &run).unwrap();
    }
    transaction.commit().unwrap();
    let taken = fs::metadata(&path).unwrap().len() - empty;
    assert!((100_000..1_000_000).contains(&taken), "{taken}");
}

#[test]
fn numbers_that_sqlite_does_not_have_are_kept_as_the_nearest() {
    let (_directory, path) = place();
    let mut odd = entry(
        "",
        u64::MAX,
        Outcome::Fine,
        &[("a", u64::MAX, f64::NAN), ("b", 1, f64::INFINITY)],
    );
    let mut history = History::open(&path).unwrap();
    history.add(&odd).unwrap();
    (odd.records, odd.fields[0].count, odd.fields[0].chance) = (i64::MAX as u64, i64::MAX as u64, 0.0);
    assert_eq!(history.last(1).unwrap(), [odd]);
}

#[test]
fn a_history_that_is_not_there_is_missing_and_not_made() {
    let (_directory, path) = place();
    assert_eq!(History::existing(&path).unwrap_err().trouble, Trouble::Missing);
    assert!(!path.exists());
    // What a process leaves that was killed before it created the tables.
    fs::write(&path, "").unwrap();
    assert_eq!(History::existing(&path).unwrap_err().trouble, Trouble::Missing);
    assert_eq!(History::open(&path).unwrap().count().unwrap(), 0);
}

#[test]
fn other_files_are_refused_and_left_as_they_are() {
    let (directory, path) = place();
    for text in ["x", &"y".repeat(400), "{\"a\": 1}\n", &"not a database ".repeat(1000)] {
        fs::write(&path, text).unwrap();
        assert_eq!(trouble(&path), Trouble::NoDatabase);
        assert_eq!(History::existing(&path).unwrap_err().trouble, Trouble::NoDatabase);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::remove_file(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("CREATE TABLE cookies (a); PRAGMA user_version = 1")
        .unwrap();
    assert_eq!(trouble(&path), Trouble::NoHistory);
    other.pragma_update(None, "application_id", OURS).unwrap();
    assert!(matches!(trouble(&path), Trouble::Damaged(_)));
    let path = directory.path().join("no/such.history.sqlite");
    assert!(matches!(trouble(&path), Trouble::Other(words) if words.starts_with("there is no directory ")));
    assert_eq!(
        trouble(directory.path()),
        Trouble::Other("this is a directory".to_owned())
    );
}

#[test]
fn a_newer_form_is_refused() {
    let (_directory, path) = place();
    drop(History::open(&path).unwrap());
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 7)
        .unwrap();
    assert_eq!(trouble(&path), Trouble::Newer(7));
    let words = History::open(&path).unwrap_err().to_string();
    assert!(words.ends_with("found a history of form 7, expected form 1"), "{words}");
}

#[test]
fn damage_is_told() {
    let (_directory, path) = place();
    let mut history = History::open(&path).unwrap();
    history.add(&repaired()).unwrap();
    let check = |change: &str, expected: &str| {
        history.connection.execute_batch(change).unwrap();
        let error = history.last(1).unwrap_err();
        assert_eq!(error.trouble, Trouble::Damaged(expected.to_owned()), "{error}");
    };
    check("UPDATE runs SET pages = -4", "found the count -4");
    check(
        "UPDATE runs SET pages = 4, verdict = 'odd'",
        "found the verdict \"odd\"",
    );
    drop(history);
    // A hole in the middle of the file.
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[4096..middle].fill(0xAA);
    fs::write(&path, bytes).unwrap();
    let error = History::open(&path).and_then(|history| history.last(1)).unwrap_err();
    assert!(matches!(error.trouble, Trouble::Damaged(_)), "{error}");
}

#[test]
fn who_cannot_write_is_told_why_and_loses_nothing() {
    let (_directory, path) = place();
    let mut history = History::open(&path).unwrap();
    history.add(&fine(0)).unwrap();
    history.connection.pragma_update(None, "query_only", true).unwrap();
    assert_eq!(history.add(&fine(1)).unwrap_err().trouble, Trouble::ReadOnly);
    history.connection.pragma_update(None, "query_only", false).unwrap();
    // The same error code as for a full disk.
    let pages: i64 = history
        .connection
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .unwrap();
    history
        .connection
        .pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
        .unwrap();
    let mut large = fine(1);
    large.fields[0].reason = Some("x".repeat(100_000));
    assert_eq!(history.add(&large).unwrap_err().trouble, Trouble::Full);
    assert_eq!(history.last(9).unwrap(), [fine(0)]);
    history.add(&fine(2)).expect("a small one fits in");
}

#[test]
fn who_finds_it_locked_waits_and_then_says_so() {
    let (_directory, path) = place();
    let mut first = History::open(&path).unwrap();
    first.add(&fine(0)).unwrap();
    let mut second = open(&path, true, Duration::from_millis(50)).unwrap();
    let lock = first
        .connection
        .transaction_with_behavior(TransactionBehavior::Exclusive)
        .unwrap();
    let error = second.add(&fine(1)).unwrap_err();
    assert_eq!(error.trouble, Trouble::Locked);
    assert!(
        error.remedy().to_string().contains("another process"),
        "{}",
        error.remedy()
    );
    assert_eq!(second.last(1).unwrap_err().trouble, Trouble::Locked);
    assert_eq!(trouble(&path), Trouble::Locked);
    drop(lock);
    second.add(&fine(1)).unwrap();
    assert_eq!(first.last(9).unwrap(), [fine(0), fine(1)]);
}

#[test]
fn an_unfinished_entry_is_not_there() {
    let (_directory, path) = place();
    let mut history = History::open(&path).unwrap();
    history.add(&fine(0)).unwrap();
    let transaction = history
        .connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .unwrap();
    insert(&transaction, &repaired()).unwrap();
    drop(transaction);
    assert_eq!(history.last(9).unwrap(), [fine(0)]);
    for table in ["fields", "repairs", "repaired_fields"] {
        let orphans = format!("SELECT count(*) FROM {table} WHERE run > 1");
        let count: i64 = history.connection.query_row(&orphans, [], |row| row.get(0)).unwrap();
        assert_eq!(count, 0, "{table}");
    }
}

#[test]
fn many_at_once_all_succeed() {
    let (_directory, path) = place();
    let (lanes, each) = (4, 12);
    let start = Barrier::new(lanes);
    std::thread::scope(|scope| {
        for lane in 0..lanes {
            let (path, start) = (&path, &start);
            scope.spawn(move || {
                start.wait();
                // All threads also create the history.
                let mut history = open(path, true, Duration::from_secs(60)).unwrap();
                for number in 0..each {
                    history.add(&fine(lane * 100 + number)).unwrap();
                }
            });
        }
    });
    let all = History::open(&path).unwrap().last(usize::MAX).unwrap();
    assert_eq!(all.len(), lanes * each);
    for lane in 0..lanes {
        let of_lane: Vec<u64> = all
            .iter()
            .map(|entry| entry.records)
            .filter(|at| at / 100 == lane as u64)
            .collect();
        let expected: Vec<u64> = (0..each as u64).map(|number| lane as u64 * 100 + number).collect();
        assert_eq!(of_lane, expected);
    }
}

/// The process that [`a_killed_writer_loses_only_what_it_was_writing`] kills. By itself it does nothing.
#[test]
fn killed() {
    let Some(path) = std::env::var_os("WRAPWRIGHT_TEST_HISTORY") else {
        return;
    };
    let mut history = History::open(Path::new(&path)).unwrap();
    history.add(&fine(0)).unwrap();
    history.add(&fine(1)).unwrap();
    // With such a small cache, unfinished changes are written to the file.
    history.connection.pragma_update(None, "cache_size", 1).unwrap();
    let transaction = history
        .connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .unwrap();
    for number in 0..2000 {
        insert(&transaction, &fine(number)).unwrap();
    }
    writeln!(std::io::stdout(), "\nready").unwrap();
    std::thread::sleep(Duration::from_secs(600));
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_killed_writer_loses_only_what_it_was_writing() {
    let (_directory, path) = place();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "history::store::tests::killed", "--nocapture"])
        .env("WRAPWRIGHT_TEST_HISTORY", &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = child.stdout.take().unwrap();
    let killed = Killed(child);
    let is_ready = BufReader::new(out).lines().any(|line| line.unwrap() == "ready");
    assert!(is_ready, "the other process ended by itself");
    drop(killed);
    let journal = path.with_file_name("site.history.sqlite-journal");
    assert!(journal.exists(), "it was killed while it wrote");
    assert!(
        fs::metadata(&path).unwrap().len() > 100_000,
        "much of it is in the file"
    );
    let mut history = History::open(&path).unwrap();
    assert_eq!(history.last(usize::MAX).unwrap(), [fine(0), fine(1)]);
    assert!(!journal.exists());
    history.add(&fine(2)).unwrap();
}
