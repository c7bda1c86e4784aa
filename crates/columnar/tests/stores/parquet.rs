//! Parquet files and Arrow streams, read by pyarrow and DuckDB.

use crate::films::{bare, film, films, record};
use columnar::{Arrow, Mark, Parquet, PartFiles, PartLimits, Parts};
use record::{OnMisfit, Record, RecordType, Sink, SinkSpec};
use skip::skip;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What Python says, if it has the module.
fn python(module: &str, test: &str, script: &str, file: &Path) -> Option<String> {
    let has = Command::new("python3")
        .args(["-c", &format!("import {module}")])
        .output();
    if !has.is_ok_and(|output| output.status.success()) {
        skip(test, &format!("Python has no {module}"));
        return None;
    }
    let file = file.to_str().expect("a name");
    crate::films::printed("python3", &["-c", script, file])
}

fn written(types: &[RecordType], spec: &SinkSpec, records: &[Record]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut sink = Parquet::new(types, spec, &mut out);
    for record in records {
        sink.record(record).expect("a record");
    }
    assert_eq!(sink.flushed(), 0, "nothing can be read before the end");
    sink.finish().expect("a file");
    drop(sink);
    out
}

#[test]
fn pyarrow_reads_every_sort_of_value() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("films.parquet");
    std::fs::write(&file, written(&[film()], &bare(), &films())).expect("a file");
    let script = "import sys, json, pyarrow.parquet as pq\nt = pq.read_table(sys.argv[1])\nprint('\\n'.join(f'{f.name}: {f.type}' for f in t.schema))\n\
                  for row in t.to_pylist(): print(json.dumps(row, default=str, ensure_ascii=False))";
    let Some(said) = python("pyarrow", "parquet: pyarrow_reads_every_sort_of_value", script, &file) else {
        return;
    };
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[..12],
        [
            "title: string",
            "year: int64",
            "price: double",
            "new: bool",
            "released: date32[day]",
            "shown: timestamp[us]",
            "poster: string",
            "actor: list<item: string>",
            "score: list<item: int64>",
            "shop: struct<name: string, price: double>",
            "review: list<item: struct<by: string, stars: int64, answer: list<item: struct<text: string>> not null>>",
            "_misfit: string",
        ],
        "{said}"
    );
    let whole: serde_json::Value = serde_json::from_str(lines[12]).expect("JSON");
    assert_eq!(
        whole,
        serde_json::json!({
            "title": "Kelp \"and\" tide\tä", "year": 1999, "price": 12.5, "new": true, "released": "2019-05-09",
            "shown": "2019-05-10 01:30:00", "poster": "/kelp.png", "actor": ["Ada {x}", "B\\o"], "score": [3, 4],
            "shop": { "name": "Quay", "price": 7.25 },
            "review": [
                { "by": "Ann", "stars": 5, "answer": [{ "text": "yes" }, { "text": "no" }] },
                { "by": "Bob", "stars": null, "answer": [] }
            ],
            "_misfit": null
        })
    );
    let odd: serde_json::Value = serde_json::from_str(lines[14]).expect("JSON");
    assert_eq!(
        (&odd["year"], &odd["score"]),
        (&serde_json::Value::Null, &serde_json::json!([1, null]))
    );
    assert_eq!(odd["_misfit"], r#"{"year":"soon","score[1]":"x"}"#);
}

#[test]
fn duckdb_reads_nested_records() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("films.parquet");
    std::fs::write(&file, written(&[film()], &bare(), &films())).expect("a file");
    let script = "import sys, duckdb\nprint(duckdb.sql(f\"SELECT title, r.by, len(r.answer) FROM '{sys.argv[1]}', \
                  unnest(review) AS u(r)\").fetchall())";
    let said = python("duckdb", "parquet: duckdb_reads_nested_records", script, &file);
    if let Some(said) = said {
        assert_eq!(
            said,
            "[('Kelp \"and\" tide\\tä', 'Ann', 2), ('Kelp \"and\" tide\\tä', 'Bob', 0)]"
        );
    }
}

#[test]
fn records_of_several_types_share_a_file() {
    let folder = tempfile::tempdir().expect("a directory");
    let types = [RecordType::flat("a", ["x"]), RecordType::single("b")];
    let mut second = record("b", &[]);
    second.value = Some("alone".to_owned());
    let mut sink = Arrow::new(&types, &SinkSpec::default(), Vec::new());
    let mut out = Vec::new();
    let mut stream = Arrow::new(&types, &SinkSpec::default(), &mut out);
    for each in [&mut sink as &mut dyn Sink, &mut stream] {
        each.bindings(&[("city".to_owned(), "Rome".to_owned())]);
        each.record(&record("a", &[("x", "1")])).expect("a record");
        each.record(&second).expect("a record");
        each.record(&record("c", &[])).expect_err("no such type");
        each.finish().expect("a stream");
        assert_eq!(each.flushed(), 2);
    }
    drop(stream);
    let file = folder.path().join("x.arrows");
    std::fs::write(&file, &out).expect("a file");
    let script =
        "import sys, pyarrow as pa\nt = pa.ipc.open_stream(open(sys.argv[1], 'rb')).read_all()\nprint(t.to_pylist())";
    let said = python(
        "pyarrow",
        "parquet: records_of_several_types_share_a_file",
        script,
        &file,
    );
    if let Some(said) = said {
        let expected = "[{'_record': 'a', '_page': 'http://x/', '_bind': {'city': 'Rome'}, 'a': {'x': '1'}, 'b': None}, \
                        {'_record': 'b', '_page': 'http://x/', '_bind': {'city': 'Rome'}, 'a': None, 'b': {'b': 'alone'}}]";
        assert_eq!(said, expected);
    }
}

#[test]
fn misfits_are_kept_as_text_or_left_out() {
    let spec = |on_misfit: OnMisfit| SinkSpec { on_misfit, ..bare() };
    let mut sink = Parquet::new(&[film()], &spec(OnMisfit::Drop), Vec::new());
    films().iter().for_each(|film| sink.record(film).expect("a record"));
    assert_eq!((sink.tally().records, sink.tally().dropped), (2, 1));
    let mut sink = Parquet::new(&[film()], &spec(OnMisfit::Fail), Vec::new());
    let error = sink.record(&films()[2]).expect_err("a misfit").to_string();
    assert_eq!(error, "http://x/: `year`: \"soon\" is not an integer");
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("films.parquet");
    std::fs::write(&file, written(&[film()], &spec(OnMisfit::KeepText), &films())).expect("a file");
    let script = "import sys, pyarrow.parquet as pq\nt = pq.read_table(sys.argv[1])\nprint(t.column('year').to_pylist(), t.column('price').to_pylist())";
    let said = python(
        "pyarrow",
        "parquet: misfits_are_kept_as_text_or_left_out",
        script,
        &file,
    );
    if let Some(said) = said {
        assert_eq!(said, "['1999', None, 'soon'] ['12.50', None, None]");
    }
}

/// Parts in memory.
#[derive(Default)]
struct Memory(Vec<Vec<u8>>);

impl PartFiles for Memory {
    type File = Vec<u8>;

    fn begin(&mut self) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn end(&mut self, file: Vec<u8>, _: &Mark) -> io::Result<()> {
        self.0.push(file);
        Ok(())
    }
}

#[test]
fn parts_are_closed_at_a_size_or_an_interval() {
    let kind = RecordType::flat("r", ["x"]);
    let parts = |limits: PartLimits, records: usize| {
        let mut sink = Parts::new(std::slice::from_ref(&kind), &bare(), limits, Memory::default());
        let mut flushed = Vec::new();
        for number in 0..records {
            let text = format!("{number}{}", "x".repeat(100));
            sink.record(&record("r", &[("x", &text)])).expect("a record");
            flushed.push(sink.flushed());
        }
        sink.finish().expect("parts");
        assert_eq!(sink.flushed(), records as u64);
        flushed.dedup();
        for file in &sink.files().0 {
            assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"), "each is whole");
        }
        (sink.files().0.len(), flushed.len())
    };
    let never = Duration::from_secs(3600);
    let small = PartLimits {
        bytes: 1,
        interval: never,
    };
    assert_eq!(parts(small, 3), (3, 3));
    let soon = PartLimits {
        bytes: u64::MAX,
        interval: Duration::ZERO,
    };
    assert_eq!(parts(soon, 3), (3, 3));
    let large = PartLimits {
        bytes: u64::MAX,
        interval: never,
    };
    assert_eq!(parts(large, 3), (1, 1));
    assert_eq!(parts(large, 0).0, 1, "a part without rows says which columns there are");
}
