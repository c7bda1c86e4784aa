//! Batches of pages from WARC files and tables: columns, records, failures, and parts of a check.

use super::*;
use crate::batch;
use crate::extract::ExtractSettings;
use crate::input::find;
use crate::{Batches, Job, RecordType, SinkSpec, Wrapper};
use arrow_array::{BinaryArray, Int16Array, Int64Array, StringArray};
use arrow_select::concat::concat_batches;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wrapper::Rule;

fn wrapper() -> Wrapper {
    let rule = Rule::Oxpath("//li:<row>[.:<item=.>]".to_owned());
    Wrapper::made(rule, RecordType::flat("row", ["item"]), None, &[]).expect("a rule that runs")
}

fn record(kind: &str, url: &str, block: &[u8]) -> Vec<u8> {
    let mut out = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-03-01T00:00:00Z\r\n\
         WARC-Payload-Digest: sha1:ABC\r\nContent-Length: {}\r\n\r\n",
        block.len()
    )
    .into_bytes();
    out.extend_from_slice(block);
    out.extend_from_slice(b"\r\n\r\n");
    out
}

fn response(status: u16, media: &str, body: &[u8]) -> Vec<u8> {
    let mut out = format!("HTTP/1.1 {status} X\r\nContent-Type: {media}\r\n\r\n").into_bytes();
    out.extend_from_slice(body);
    out
}

/// A file with a gzip member for each record, and the offset of each.
fn archive(folder: &Path, records: &[Vec<u8>]) -> (PathBuf, Vec<i64>) {
    let (mut file, mut offsets) = (Vec::new(), Vec::new());
    for record in records {
        offsets.push(i64::try_from(file.len()).expect("a small file"));
        let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        member.write_all(record).expect("memory");
        file.extend(member.finish().expect("memory"));
    }
    offsets.push(i64::try_from(file.len()).expect("a small file"));
    let path = folder.join("a.warc.gz");
    std::fs::write(&path, file).expect("a file");
    (path, offsets)
}

fn shop(folder: &Path) -> (PathBuf, Vec<i64>) {
    archive(
        folder,
        &[
            record("warcinfo", "", b"x"),
            record(
                "response",
                "http://a.test/1",
                &response(200, "text/html", b"<li>one<li>two"),
            ),
            record("request", "http://a.test/1", b"GET / HTTP/1.1\r\n\r\n"),
            record(
                "response",
                "http://a.test/2",
                &response(200, "text/html; charset=koi8-r", b"<li>\xE4"),
            ),
            record("response", "http://a.test/3", &response(404, "text/html", b"<li>no")),
            record(
                "response",
                "http://a.test/4",
                &response(200, "image/png", b"\x89PNG\r\n\x1a\n"),
            ),
            record(
                "response",
                "http://a.test/5",
                &response(200, "text/html", b"%PDF-1.7<li>no"),
            ),
            record("resource", "http://a.test/6", b"<p>"),
        ],
    )
}

fn texts(batch: &RecordBatch, name: &str) -> Vec<Option<String>> {
    let column = batch.column_by_name(name).expect("a column");
    let column = column.as_any().downcast_ref::<StringArray>().expect("texts");
    column.iter().map(|text| text.map(str::to_owned)).collect()
}

#[test]
fn a_warc_file_is_a_table_with_the_columns_of_common_crawl() {
    let folder = tempfile::tempdir().expect("a directory");
    let (path, offsets) = shop(folder.path());
    let mut batches = WarcBatches::open(&path, "a.warc.gz", WarcSettings::default()).expect("a file");
    let table = batches.next().expect("a batch").expect("rows");
    assert!(batches.next().is_none());
    assert_eq!((table.schema(), batches.faults()), (warc_schema(false), 0));
    let urls: Vec<_> = texts(&table, "url").into_iter().flatten().collect();
    assert_eq!(
        urls,
        [
            "http://a.test/1",
            "http://a.test/2",
            "http://a.test/5",
            "http://a.test/6"
        ]
    );
    assert_eq!(texts(&table, "content_charset")[1].as_deref(), Some("koi8-r"));
    assert_eq!(texts(&table, "content_digest")[0].as_deref(), Some("ABC"));
    assert_eq!(texts(&table, "url_host_name")[0].as_deref(), Some("a.test"));
    let number = |name: &str, row: usize| {
        let column = table.column_by_name(name).expect("a column");
        column
            .as_any()
            .downcast_ref::<Int64Array>()
            .expect("numbers")
            .value(row)
    };
    assert_eq!(number("warc_record_offset", 1), offsets[3]);
    assert_eq!(number("warc_record_length", 1), offsets[4] - offsets[3]);

    let all = WarcSettings {
        all: true,
        ..WarcSettings::default()
    };
    let table = WarcBatches::open(&path, "a", all)
        .expect("a file")
        .next()
        .expect("a batch")
        .expect("rows");
    assert_eq!((table.num_rows(), table.schema()), (6, warc_schema(true)));
    let status = table.column_by_name("fetch_status").expect("a column");
    let status = status.as_any().downcast_ref::<Int16Array>().expect("numbers");
    assert_eq!(
        status.iter().collect::<Vec<_>>(),
        [Some(200), Some(200), Some(404), Some(200), Some(200), None]
    );
}

#[test]
fn damage_and_pages_that_are_too_large_are_told_and_cost_nothing_else() {
    let folder = tempfile::tempdir().expect("a directory");
    let (path, offsets) = shop(folder.path());
    let mut bytes = std::fs::read(&path).expect("a file");
    let middle = usize::try_from(offsets[2] - 12).expect("a small file");
    bytes[middle] ^= 0xFF;
    std::fs::write(&path, &bytes).expect("a file");
    let small = WarcSettings { all: false, bytes: 5 };
    let mut batches = WarcBatches::open(&path, "a", small).expect("a file");
    let table = batches.next().expect("a batch").expect("rows");
    assert_eq!(
        texts(&table, "url"),
        ["http://a.test/2", "http://a.test/6"].map(|url| Some(url.to_owned()))
    );
    assert_eq!(batches.faults(), 2, "{:?}", batches.messages());
}

#[test]
fn records_are_those_of_extract() {
    let folder = tempfile::tempdir().expect("a directory");
    let (path, _) = shop(folder.path());
    let (wrapper, spec) = (wrapper(), SinkSpec::default());
    let mut plain = Batches::new(&[wrapper.sink_type()], &spec);
    let (places, _) = find([path.to_str().expect("a name")]);
    let inputs: Vec<Input> = places.into_iter().map(Input::from).collect();
    let runner = wrapper.runner().expect("a rule that runs");
    batch::each(
        &runner,
        None,
        &inputs,
        &ExtractSettings::default(),
        &Job::new(),
        &mut |outcome| outcome.records().iter().all(|record| plain.push(record).is_ok()),
    )
    .expect("threads");
    let plain = plain.rest().expect("memory").expect("records");
    assert_eq!(
        texts(&plain, "item"),
        ["one", "two", "Д"].map(|text| Some(text.to_owned()))
    );
    for jobs in [1, 3] {
        let settings = ExtractionSettings {
            meta: true,
            extract: ExtractSettings {
                jobs,
                ..ExtractSettings::default()
            },
            ..ExtractionSettings::default()
        };
        let mut extraction = Extraction::new(&wrapper, &warc_schema(false), &settings).expect("columns");
        let mut made = Vec::new();
        for pages in WarcBatches::open(&path, "a", WarcSettings::default()).expect("a file") {
            made.extend(extraction.batch(&pages.expect("rows"), &Job::new()).expect("records"));
        }
        assert_eq!(concat_batches(&plain.schema(), &made).expect("one schema"), plain);
        let failures = extraction.failures();
        assert_eq!((failures.pages, failures.records, failures.failed), (4, 3, 1));
        assert_eq!(
            failures.first.as_deref(),
            Some("http://a.test/5: found a PDF file, expected an HTML page")
        );
    }
}

#[test]
fn columns_of_the_page_and_messages_come_along() {
    let pages: Vec<Option<&[u8]>> = vec![
        Some(b"<li>a<li>b"),
        None,
        Some(b"%PDF-"),
        Some(b"<p>none"),
        Some(b"<li>c"),
    ];
    let ids = Int64Array::from_iter_values(0..5);
    let columns: [(&str, ArrayRef); 2] = [("id", Arc::new(ids)), ("page", Arc::new(BinaryArray::from(pages)))];
    let table = RecordBatch::try_from_iter(columns).expect("columns");
    let mut settings = ExtractionSettings {
        pages: PageColumns {
            html: "page".to_owned(),
            ..PageColumns::default()
        },
        carry: vec!["id".to_owned()],
        error: Some("error".to_owned()),
        ..ExtractionSettings::default()
    };
    let mut extraction = Extraction::new(&wrapper(), &table.schema(), &settings).expect("columns");
    let made = extraction.batch(&table, &Job::new()).expect("records");
    let [made] = &made[..] else { panic!("one batch") };
    let ids = made.column(0).as_any().downcast_ref::<Int64Array>().expect("numbers");
    assert_eq!(ids.values().to_vec(), [0, 0, 2, 4]);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts(made, "item"), [some("a"), some("b"), None, some("c")]);
    assert_eq!(
        texts(made, "error")[2],
        some("page-2: found a PDF file, expected an HTML page")
    );
    assert_eq!(made.schema(), extraction.schema());

    settings.carry = vec!["item".to_owned()];
    assert!(matches!(
        Extraction::new(&wrapper(), &table.schema(), &settings),
        Err(ColumnsError::Missing { .. })
    ));
    settings.carry = vec!["id".to_owned(), "id".to_owned()];
    assert!(matches!(
        Extraction::new(&wrapper(), &table.schema(), &settings),
        Err(ColumnsError::Twice(_))
    ));
    settings.pages.html = "id".to_owned();
    assert!(matches!(
        Extraction::new(&wrapper(), &table.schema(), &settings),
        Err(ColumnsError::NotPages { .. })
    ));
}

#[cfg(feature = "learn")]
#[test]
fn parts_of_a_check_are_judged_as_the_whole() {
    use crate::tend::{Findings, check, judge};
    use crate::{Document, ParseSettings};
    let html = |at: usize| format!("<ul><li>Book number {at}</ul>");
    let document = |at: usize| Document::from_source(format!("{at}"), html(at), &ParseSettings::default());
    let documents: Vec<Document> = (0..30).map(|at| document(at).expect("a page")).collect();
    let rule = Rule::Oxpath("//li:<row>[.:<item=.>]".to_owned());
    let kind = RecordType::flat("row", ["item"]);
    let wrapper = Wrapper::made(rule, kind, None, &documents).expect("a rule that runs");
    let job = Job::new();
    for (broken, expected) in [(false, true), (true, false)] {
        let page = |at: usize| match broken {
            true => html(at).replace("li", "b"),
            false => html(at),
        };
        let parts = [0..10, 10..30].map(|rows| {
            let pages = StringArray::from_iter_values(rows.map(page));
            let pages = RecordBatch::try_from_iter([("html", Arc::new(pages) as ArrayRef)]).expect("a column");
            let (schema, names) = (pages.schema(), PageColumns::default());
            let settings = ExtractSettings::default();
            let mut batches = [Ok(pages)].into_iter();
            let found = survey(&wrapper, &schema, &mut batches, &names, &settings, &job).expect("pages");
            Findings::from_json(&found.to_json(), &wrapper).expect("what was written")
        });
        let report = judge(&wrapper, parts).expect("profiles");
        assert_eq!((report.is_fine(), report.counts.all()), (expected, 30));
        if !broken {
            let whole = check(&wrapper, &documents, &job).expect("profiles");
            assert_eq!(report.to_json()["tables"], whole.to_json()["tables"]);
        }
    }
    assert!(judge(&wrapper, []).is_err(), "no page is no verdict");
}
