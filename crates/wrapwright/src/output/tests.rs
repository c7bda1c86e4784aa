//! Files of records: whole, as parts, continued.

use super::*;
use page::NodeId;
use std::fs;
use std::path::Path;

fn book(title: &str) -> Record {
    let (page, node) = ("a.html".into(), NodeId::DOCUMENT);
    let mut book = Record::new("book", &page, node);
    book.children.push(Record::leaf("title", title, &page, node));
    book
}

fn types() -> [RecordType; 1] {
    [RecordType::flat("book", ["title"])]
}

fn spec(path: &Path, existing: Existing) -> OutputSpec {
    let mut spec = OutputSpec::new(Target::new(Some(path), None));
    spec.sink.no_meta = true;
    spec.existing = existing;
    spec
}

/// Writes books, and ends.
fn write(spec: &OutputSpec, titles: &[&str], ending: Ending) -> Result<Ended, OutputError> {
    let mut output = spec.open(&types(), io::sink())?;
    for title in titles {
        output.record(&book(title)).expect("it takes records");
    }
    output.end(ending)
}

/// What is in a file, whatever its form.
fn read(path: &Path) -> String {
    let bytes = fs::read(path).expect("a file");
    let name = path.to_string_lossy().trim_end_matches(".part").to_owned();
    let mut text = String::new();
    use std::io::Read;
    if name.ends_with(".gz") {
        let mut decoder = flate2::read::MultiGzDecoder::new(bytes.as_slice());
        decoder.read_to_string(&mut text).expect("gzip");
    } else if name.ends_with(".zst") {
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let mut decoder = ruzstd::decoding::StreamingDecoder::new(&mut rest).expect("a frame");
            decoder.read_to_string(&mut text).expect("Zstandard");
        }
    } else {
        text = String::from_utf8(bytes).expect("text");
    }
    text
}

fn titles(path: &Path) -> Vec<String> {
    let text = read(path);
    match path.to_string_lossy().contains(".csv") {
        true => text.lines().skip(1).map(str::to_owned).collect(),
        false => text
            .lines()
            .filter_map(|line| Some(line.split_once(":\"")?.1.split_once('"')?.0.to_owned()))
            .collect(),
    }
}

#[test]
fn a_file_is_whole_or_a_part() {
    let folder = tempfile::tempdir().expect("a directory");
    for name in [
        "a.ndjson",
        "a.json",
        "a.csv",
        "a.ndjson.gz",
        "a.ndjson.zst",
        "a.csv.gz",
        "a.csv.zst",
    ] {
        let path = folder.path().join(name);
        let part = folder.path().join(format!("{name}.part"));
        write(&spec(&path, Existing::Replace), &["one", "two"], Ending::Complete).expect("a file");
        assert_eq!(titles(&path), ["one", "two"], "{name}");
        // A whole file is replaced by a whole run, and by no other.
        write(&spec(&path, Existing::Replace), &["three"], Ending::Gaps).expect("a file");
        assert_eq!(titles(&path), ["three"], "{name}");
        let ended = write(&spec(&path, Existing::Replace), &["four"], Ending::Broken).expect("a part");
        assert_eq!(ended.kept.as_deref(), Some(part.as_path()));
        assert_eq!(
            (titles(&path), titles(&part)),
            (vec!["three".to_owned()], vec!["four".to_owned()])
        );
        // What a broken run left is not replaced unasked.
        let error = write(&spec(&path, Existing::Replace), &["five"], Ending::Complete).expect_err("a part is there");
        assert!(
            matches!(&error.problem, OutputProblem::Left(left) if *left == part),
            "{error}"
        );
        assert!(error.is_mistake() && error.remedy().is_some());
        assert_eq!(titles(&part), ["four"], "{name}");
        if name == "a.json" {
            // The part of an array has its end, too.
            assert!(serde_json::from_str::<serde_json::Value>(&read(&part)).is_ok());
        }
        // It is continued,
        write(&spec(&path, Existing::Append), &["five"], Ending::Complete).expect("a file");
        assert_eq!(titles(&path), ["four", "five"], "{name}");
        assert!(!part.exists());
        // a whole file, too,
        write(&spec(&path, Existing::Append), &["six"], Ending::Complete).expect("a file");
        assert_eq!(titles(&path), ["four", "five", "six"], "{name}");
        // also after a run that breaks off;
        write(&spec(&path, Existing::Append), &["seven"], Ending::Broken).expect("a part");
        assert!(!path.exists(), "half a file does not have the name of a whole one");
        assert_eq!(titles(&part), ["four", "five", "six", "seven"], "{name}");
        // or it is overwritten.
        write(&spec(&path, Existing::Overwrite), &["eight"], Ending::Complete).expect("a file");
        assert_eq!(titles(&path), ["eight"], "{name}");
        assert!(!part.exists());
    }
}

#[test]
fn what_was_cut_off_is_continued_after_the_last_whole_record() {
    let folder = tempfile::tempdir().expect("a directory");
    for name in ["a.ndjson", "a.json", "a.csv", "a.ndjson.gz", "a.ndjson.zst"] {
        let path = folder.path().join(name);
        let part = folder.path().join(format!("{name}.part"));
        write(&spec(&path, Existing::Replace), &["one"], Ending::Broken).expect("a part");
        write(&spec(&path, Existing::Append), &["t\"w\no"], Ending::Broken).expect("a part");
        let whole = fs::read(&part).expect("a part");
        let mut counts = Vec::new();
        for cut in 0..whole.len() {
            fs::write(&part, &whole[..cut]).expect("a part");
            let ended = write(&spec(&path, Existing::Append), &["three"], Ending::Complete).expect("a file");
            assert_eq!(ended.kept, None);
            let text = read(&path);
            let count = match name {
                "a.json" => serde_json::from_str::<Vec<serde_json::Value>>(&text)
                    .expect("an array")
                    .len(),
                "a.csv" => crate::Table::read(&text).expect("a table").rows.len(),
                _ => {
                    let whole = |line: &&str| serde_json::from_str::<serde_json::Value>(line).is_ok();
                    assert!(text.lines().all(|line| whole(&line)), "{text}");
                    text.lines().count()
                }
            };
            counts.push(count);
            fs::remove_file(&path).expect("a file");
        }
        counts.dedup();
        assert_eq!(counts.first(), Some(&1), "{name}");
        assert!(
            counts.windows(2).all(|pair| pair[1] == pair[0] + 1),
            "{name}: {counts:?}"
        );
        assert!(counts.last() >= Some(&2), "{name}: {counts:?}");
    }
}

#[test]
fn two_runs_do_not_write_one_file() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.ndjson");
    let mut first = spec(&path, Existing::Replace)
        .open(&types(), io::sink())
        .expect("a file");
    first.record(&book("one")).expect("a record");
    first.finish().expect("a record");
    for existing in [Existing::Replace, Existing::Append, Existing::Overwrite] {
        let error = spec(&path, existing)
            .open(&types(), io::sink())
            .expect_err("it is in use");
        assert!(matches!(error.problem, OutputProblem::Busy(_)), "{existing:?}: {error}");
    }
    first.end(Ending::Complete).expect("a file");
    assert_eq!(titles(&path), ["one"]);
}

#[test]
fn a_run_without_records_leaves_things_as_they_were() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.ndjson");
    fs::write(&path, "{\"title\":\"old\"}\n").expect("a file");
    for existing in [Existing::Replace, Existing::Append, Existing::Overwrite] {
        drop(spec(&path, existing).open(&types(), io::sink()).expect("a file"));
        assert_eq!(titles(&path), ["old"], "{existing:?}");
        assert_eq!(fs::read_dir(folder.path()).expect("a directory").count(), 1);
    }
}

#[test]
fn what_cannot_be_continued_is_refused_and_stays() {
    let folder = tempfile::tempdir().expect("a directory");
    for (name, content) in [
        ("a.xml", "<results>\n</results>\n"),
        ("a.json", "[{\"title\": \"in one line\"}]\n"),
        ("a.csv", "name,price\nx,1\n"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("a file");
        for titles in [&["x"][..], &[]] {
            match spec(&path, Existing::Append).open(&types(), io::sink()) {
                Err(error) => assert!(error.is_mistake(), "{error}"),
                Ok(mut output) => {
                    for title in titles {
                        output.record(&book(title)).expect_err("other columns");
                    }
                    let ended = output.end(Ending::Complete);
                    assert_eq!(ended.is_err(), titles.is_empty(), "it is told once: {ended:?}");
                }
            }
        }
        assert_eq!(fs::read_to_string(&path).expect("a file"), content, "{name}");
    }
    assert_eq!(
        fs::read_dir(folder.path()).expect("a directory").count(),
        3,
        "nothing else is there"
    );
}

#[test]
fn settings_that_do_not_go_together_are_mistakes() {
    let key = |target: &str| OutputSpec {
        key: vec!["title".to_owned()],
        ..OutputSpec::new(Target::new(Some(Path::new(target)), None))
    };
    let gone = OutputSpec {
        mark_gone: true,
        ..OutputSpec::new(Target::new(Some(Path::new("a.sqlite")), None))
    };
    for (spec, part) in [(key("a.csv"), "needs a table"), (gone, "needs a key")] {
        let error = spec.check(&types()).expect_err("a mistake");
        assert!(error.is_mistake() && error.to_string().contains(part), "{error}");
    }
}

#[test]
fn what_is_flushed_can_be_asked() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.ndjson");
    let mut output = spec(&path, Existing::Replace)
        .open(&types(), io::sink())
        .expect("a file");
    let long = "x".repeat(1000);
    for _ in 0..200 {
        output.record(&book(&long)).expect("a record");
    }
    let flushed = output.flushed();
    let part = folder.path().join("a.ndjson.part");
    let lines = fs::read_to_string(&part).expect("a part").lines().count() as u64;
    assert!(
        lines > 0 && flushed > 0 && flushed <= lines && lines < 200,
        "{flushed} of {lines}"
    );
    output.finish().expect("a part");
    assert_eq!(output.flushed(), 200);
}

#[test]
fn times_are_those_of_iso() {
    let moment = UNIX_EPOCH + std::time::Duration::from_micros(1_557_428_400_000_007);
    assert_eq!(iso(moment), "2019-05-09T19:00:00.000007Z");
}
