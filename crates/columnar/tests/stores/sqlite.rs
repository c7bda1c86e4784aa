//! Tables of an SQLite file, read by its own shell.

use crate::films::{bare, film, films, printed, record, run, short};
use columnar::{OnNewField, Sqlite, TableSpec};
use record::{Ending, Field, Record, RecordType, Sink, Tally};
use skip::skip;
use std::path::Path;

/// What SQLite's own shell says; empty if there is none.
#[track_caller]
fn ask(path: &Path, sql: &str) -> Vec<String> {
    match printed("sqlite3", &[path.to_str().expect("a name"), sql]) {
        Some(text) => text.lines().map(str::to_owned).collect(),
        None => panic!("sqlite3 is missing"),
    }
}

fn is_missing(test: &str) -> bool {
    let missing = std::process::Command::new("sqlite3").arg("--version").output().is_err();
    if missing {
        skip(test, "sqlite3 is missing");
    }
    missing
}

fn write(
    path: &Path,
    spec: &TableSpec,
    kind: &RecordType,
    records: &[Record],
    ending: Ending,
) -> std::io::Result<Tally> {
    let mut sink = Sqlite::open(path, std::slice::from_ref(kind), &bare(), spec)?;
    for record in records {
        sink.record(record)?;
    }
    sink.finish()?;
    sink.settle(ending)?;
    Ok(sink.tally().clone())
}

#[test]
fn every_sort_of_value_comes_back() {
    if is_missing("sqlite: every_sort_of_value_comes_back") {
        return;
    }
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("films.sqlite");
    let tally = write(&path, &run(0, &[]), &film(), &films(), Ending::Complete).expect("a database");
    assert_eq!((tally.records, tally.misfits.len()), (3, 2));
    let rows = ask(
        &path,
        "SELECT title, year, price, new, released, shown, poster, actor, score, shop_name, shop_price, typeof(year), typeof(price) \
         FROM film",
    );
    assert_eq!(
        rows[0],
        "Kelp \"and\" tide\tä|1999|12.5|1|2019-05-09|2019-05-10T01:30:00|/kelp.png|[\"Ada {x}\",\"B\\\\o\"]|[3,4]|Quay|7.25|\
         integer|real"
    );
    assert_eq!(rows[1], "Bare|||||||[]|[]|||null|null");
    let odd = ask(
        &path,
        "SELECT year IS NULL, score, _misfit FROM film WHERE title = 'Odd'",
    );
    assert_eq!(odd, ["1|[1,null]|{\"year\":\"soon\",\"score[1]\":\"x\"}"]);
    let nested = "SELECT f.title, r._position, r.by, r.stars, a._position, a.text FROM film f JOIN film_review r \
                  ON r._parent = f._id LEFT JOIN film_review_answer a ON a._parent = r._id ORDER BY 2, 5";
    let reviews: Vec<String> = ask(&path, nested)
        .iter()
        .map(|row| row.split_once('|').expect("a title").1.to_owned())
        .collect();
    assert_eq!(reviews, ["0|Ann|5|0|yes", "0|Ann|5|1|no", "1|Bob|||"]);
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a directory").count(),
        1,
        "one file"
    );
}

#[test]
fn a_key_updates_and_tells_the_history() {
    if is_missing("sqlite: a_key_updates_and_tells_the_history") {
        return;
    }
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("films.db");
    let gone = |number: u32| TableSpec {
        mark_gone: true,
        table: Some("t".to_owned()),
        ..run(number, &["title"])
    };
    let with_reviews = |title: &str, reviewers: &[&str]| {
        let mut film = short(title, "2000");
        film.children
            .extend(reviewers.iter().map(|by| record("review", &[("by", by)])));
        film
    };
    let first = [
        with_reviews("A", &["x", "y"]),
        short("B", "2001"),
        short("C", "2002"),
        record("film", &[("year", "1")]),
    ];
    let tally = write(&path, &gone(0), &film(), &first, Ending::Complete).expect("a database");
    assert_eq!((tally.added, tally.changed, tally.gone, tally.keyless), (3, 0, 0, 1));
    // A has other reviews, B is as it was, C is gone; A is found twice.
    let second = [with_reviews("A", &["w"]), short("B", "2001"), with_reviews("A", &["z"])];
    let tally = write(&path, &gone(1), &film(), &second, Ending::Complete).expect("a database");
    assert_eq!((tally.added, tally.changed, tally.gone), (0, 1, 1));
    let sql = "SELECT title, substr(_first_seen, 12, 2), substr(_last_seen, 12, 2), _run, substr(_changed, 12, 2), \
               substr(_gone, 12, 2) FROM t ORDER BY title";
    assert_eq!(
        ask(&path, sql),
        ["A|12|13|run1|13|", "B|12|13|run1|12|", "C|12|12|run0|12|13"]
    );
    assert_eq!(ask(&path, "SELECT by FROM t_review"), ["z"], "the old reviews are gone");
    // A run with gaps marks nothing; what comes back is no longer gone.
    let tally = write(&path, &gone(2), &film(), &[short("C", "2002")], Ending::Gaps).expect("a database");
    assert_eq!((tally.added, tally.changed, tally.gone), (0, 0, 0));
    assert_eq!(ask(&path, "SELECT count(*), count(_gone) FROM t"), ["3|0"]);
    // A table that was written without a key gets one.
    let plain = folder.path().join("plain.db");
    write(&plain, &run(0, &[]), &film(), &[short("A", "1")], Ending::Complete).expect("a database");
    write(
        &plain,
        &run(1, &["title"]),
        &film(),
        &[short("A", "2")],
        Ending::Complete,
    )
    .expect("a database");
    assert_eq!(ask(&plain, "SELECT title, year, _run FROM film"), ["A|2|run1"]);
    let error = write(&path, &run(3, &["isbn"]), &film(), &[], Ending::Complete).expect_err("no such field");
    assert!(
        error
            .to_string()
            .contains("no field `isbn` for the key; they have: title, year"),
        "{error}"
    );
    let error = write(&path, &run(3, &["review.by"]), &film(), &[], Ending::Complete).expect_err("a nested field");
    assert!(error.to_string().contains("nested records"), "{error}");
}

#[test]
fn a_run_is_published_as_a_whole_or_not_at_all() {
    if is_missing("sqlite: a_run_is_published_as_a_whole_or_not_at_all") {
        return;
    }
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("films.sqlite");
    let kind = film();
    write(&path, &run(0, &[]), &kind, &[short("A", "1")], Ending::Complete).expect("a database");
    let publish = TableSpec {
        publish: true,
        ..run(1, &[])
    };
    let replace = TableSpec {
        replace: true,
        ..run(2, &[])
    };
    for (spec, before, after) in [(publish, "1", "3001"), (replace, "3001", "3000")] {
        let many: Vec<Record> = (0..3000).map(|number| short(&number.to_string(), "2")).collect();
        write(&path, &spec, &kind, &many, Ending::Broken).expect("a database");
        assert_eq!(ask(&path, "SELECT count(*) FROM film"), [before]);
        let mut sink = Sqlite::open(&path, std::slice::from_ref(&kind), &bare(), &spec).expect("a database");
        for record in &many {
            sink.record(record).expect("a record");
        }
        sink.finish().expect("all records");
        assert_eq!(ask(&path, "SELECT count(*) FROM film"), [before], "not yet");
        assert_eq!(sink.flushed(), 0);
        sink.settle(Ending::Gaps).expect("all records");
        assert_eq!(sink.flushed(), 3000);
        drop(sink);
        assert_eq!(ask(&path, "SELECT count(*) FROM film"), [after]);
    }
}

#[test]
fn new_fields_are_added_refused_or_left_out() {
    if is_missing("sqlite: new_fields_are_added_refused_or_left_out") {
        return;
    }
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("films.sqlite");
    let old = RecordType::flat("film", ["title"]);
    write(
        &path,
        &run(0, &[]),
        &old,
        &[record("film", &[("title", "A")])],
        Ending::Complete,
    )
    .expect("a database");
    let new = RecordType::new(
        "film",
        vec![Field::text("title"), Field::text("Price"), Field::text("isbn")],
    );
    let priced = [record("film", &[("title", "B"), ("Price", "1"), ("isbn", "2")])];
    let on = |on_new_field: OnNewField| TableSpec {
        on_new_field,
        ..run(1, &[])
    };
    let error = write(&path, &on(OnNewField::Freeze), &new, &priced, Ending::Complete).expect_err("frozen");
    assert!(error.to_string().contains("no columns for: `Price`, `isbn`"), "{error}");
    let tally = write(&path, &on(OnNewField::Drop), &new, &priced, Ending::Complete).expect("a database");
    assert_eq!(
        tally.notices,
        ["the table `film` has no columns for: `Price`, `isbn`; they were left out"]
    );
    assert_eq!(ask(&path, "SELECT * FROM film"), ["1|A", "2|B"]);
    let tally = write(&path, &on(OnNewField::Evolve), &new, &priced, Ending::Complete).expect("a database");
    assert_eq!(tally.notices, ["the table `film` has new columns: `Price`, `isbn`"]);
    assert_eq!(ask(&path, "SELECT * FROM film"), ["1|A||", "2|B||", "3|B|1|2"]);
}

#[test]
fn what_is_not_ours_is_refused() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("x.sqlite");
    std::fs::write(
        &path,
        "this is a letter, not a database, and it is long enough to have a header of its own",
    )
    .expect("a file");
    let error = write(&path, &run(0, &[]), &film(), &films(), Ending::Complete).expect_err("no database");
    assert!(error.to_string().contains("not a database"), "{error}");
    let missing = folder.path().join("no/such/place.sqlite");
    write(&missing, &run(0, &[]), &film(), &films(), Ending::Complete).expect_err("no directory");
    if is_missing("sqlite: what_is_not_ours_is_refused") {
        return;
    }
    let path = folder.path().join("y.sqlite");
    ask(&path, "CREATE TABLE film (title TEXT)");
    let error = write(&path, &run(0, &[]), &film(), &films(), Ending::Complete).expect_err("another table");
    assert!(error.to_string().contains("no column `_id`"), "{error}");
    let two = [RecordType::flat("a", ["x"]), RecordType::flat("b", ["x"])];
    let named = TableSpec {
        table: Some("t".to_owned()),
        ..run(0, &[])
    };
    let error = Sqlite::open(&path, &two, &bare(), &named)
        .err()
        .expect("two types, one table");
    assert!(error.to_string().contains("2 types (a, b)"), "{error}");
}
