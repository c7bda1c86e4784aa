//! WARC files: what is written is read, and what others write, or what is left of it.

use browse::warc::{Fault, Problem, Reader, Record, Shelf, Spot, Writer, is_warc};
use browse::{Body, Message, Method, Request, Response};
use flate2::{Compression, write::GzEncoder};
use page::driver::{DriverError, FailureKind};
use std::io::Write;
use std::time::{Duration, SystemTime};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn at() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_709_208_000)
}

fn get(url: &str) -> Request {
    Request::get(url.parse().unwrap())
}

/// An archive of three exchanges, and the ends of its pieces: the first record, then each exchange.
fn sample(compressed: bool) -> (Vec<u8>, Vec<usize>) {
    let writer = Writer::new(compressed, "a seed");
    let mut bytes = writer.info(at(), &[("operator", "a\r\ntest")]).unwrap();
    let mut ends = vec![bytes.len()];
    let mut post = get("http://a.test/send?x=1#part");
    post.method = Method::Post;
    post.body = Some(Body {
        content_type: "text/plain".to_owned(),
        bytes: b"q=1\r\n\r\nWARC/1.1\r\n".to_vec(),
    });
    let latin = Response {
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html; charset=latin1".to_owned())],
        body: b"<p>gr\xFC\xDFe\r\n\r\nWARC/1.1\r\n".to_vec(),
        ..Response::default()
    };
    let failure = DriverError::new(FailureKind::Timeout, "it took too long").with_remedy("wait");
    for (request, answer) in [
        (get("http://a.test/"), Ok(Response::html("<title>One</title>"))),
        (post, Ok(latin)),
        (get("http://a.test/slow"), Err(failure)),
    ] {
        bytes.extend(writer.exchange(at(), &request, &answer).unwrap());
        ends.push(bytes.len());
    }
    (bytes, ends)
}

fn read(bytes: &[u8]) -> (Vec<Record>, Vec<Fault>) {
    let mut records = Vec::new();
    let mut faults = Vec::new();
    for item in Reader::new(bytes, 1 << 20) {
        match item {
            Ok(record) => records.push(record),
            Err(fault) => faults.push(fault),
        }
    }
    (records, faults)
}

fn kinds(records: &[Record]) -> Vec<&str> {
    records.iter().filter_map(|r| r.head.field("WARC-Type")).collect()
}

const KINDS: [&str; 7] = [
    "warcinfo", "request", "response", "request", "response", "request", "metadata",
];

#[test]
fn what_is_written_is_read() {
    for compressed in [false, true] {
        let (bytes, _) = sample(compressed);
        assert!(is_warc(&bytes[..100]));
        let (records, faults) = read(&bytes);
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(kinds(&records), KINDS);
        assert_eq!(records[0].head.field("warc-date"), Some("2024-02-29T12:00:00Z"));
        assert!(String::from_utf8_lossy(&records[0].block).ends_with("operator: a  test\r\n"));
        let (asked, answered) = (&records[3], &records[4]);
        assert_eq!(asked.head.target(), Some("http://a.test/send?x=1"));
        assert_eq!(
            asked.head.field("WARC-Record-ID"),
            answered.head.field("WARC-Concurrent-To")
        );
        let asked = Message::parse(&asked.block).unwrap();
        assert_eq!(asked.start, "POST /send?x=1 HTTP/1.1");
        assert_eq!(asked.header("host"), Some("a.test"));
        assert_eq!(asked.stored, b"q=1\r\n\r\nWARC/1.1\r\n");
        let answer = Message::parse(&answered.block).unwrap();
        assert_eq!((answer.status(), answer.charset()), (Some(200), Some("latin1")));
        assert_eq!(answer.stored, b"<p>gr\xFC\xDFe\r\n\r\nWARC/1.1\r\n");
        assert_eq!(records[6].head.field("Wrapwright-Failure"), Some("timeout"));
        let mut ids: Vec<&str> = records.iter().filter_map(|r| r.head.field("WARC-Record-ID")).collect();
        assert!(ids[0].starts_with("<urn:uuid:") && ids[0].len() == 47, "{}", ids[0]);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), KINDS.len());
        assert_eq!(sample(compressed).0, bytes, "nothing but what is passed in decides");
    }
}

#[test]
fn a_file_that_is_cut_anywhere_gives_its_whole_records() {
    for compressed in [false, true] {
        let (bytes, _) = sample(compressed);
        let (all, _) = read(&bytes);
        // Where each record ends: at the beginning of the next one, or four bytes earlier without its line breaks.
        let slack = if compressed { 0 } else { 4 };
        let ends: Vec<usize> = all[1..]
            .iter()
            .map(|r| usize::try_from(r.head.spot.offset).unwrap())
            .chain([bytes.len()])
            .map(|end| end - slack)
            .collect();
        for cut in 0..bytes.len() {
            let (records, faults) = read(&bytes[..cut]);
            let whole = ends.iter().filter(|end| **end <= cut).count();
            assert_eq!(records[..], all[..whole], "cut at {cut}, compressed: {compressed}");
            let clean = cut == 0 || ends.iter().any(|end| (*end..=end + slack).contains(&cut));
            assert_eq!(
                faults.len(),
                usize::from(!clean),
                "cut at {cut}, compressed: {compressed}: {faults:?}"
            );
            if let Some(fault) = faults.first() {
                assert!(matches!(fault.problem, Problem::CutShort), "cut at {cut}: {fault}");
            }
        }
    }
}

#[test]
fn other_line_ends_versions_types_and_members() {
    let text = "\n\nWARC/1.0\nwarc-type: revisit\nContent-Length: 3\n\nabc\n\n\
        WARC/0.18\r\nWARC-Type: novelty\r\nX-Folded: one\r\n\ttwo\r\nno field\r\nContent-Length:0\r\n\r\n\r\n\r\n\
        WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: <http://a.test/>\r\nContent-Length: 2\r\n\r\nxy";
    let (records, faults) = read(text.as_bytes());
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(kinds(&records), ["revisit", "novelty", "resource"]);
    assert_eq!(records[1].head.field("x-folded"), Some("one two"));
    assert_eq!(records[2].head.target(), Some("http://a.test/"));
    let spots: Vec<Spot> = records.iter().map(|r| r.head.spot).collect();
    assert!(text[usize::try_from(spots[1].offset).unwrap()..].starts_with("WARC/0.18"));

    // All in one member, then mixed: members and plain text end to end, zeros at the end.
    let blocks = |records: &[Record]| records.iter().map(|r| r.block.clone()).collect::<Vec<_>>();
    let (packed, faults) = read(&gzip(text.as_bytes()));
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(blocks(&packed), blocks(&records));
    assert_eq!(
        packed[1].head.spot,
        Spot {
            offset: 0,
            skip: spots[1].offset
        }
    );
    let mixed = [&gzip(text.as_bytes())[..], &sample(true).0, text.as_bytes()].concat();
    let (records, faults) = read(&mixed);
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(records.len(), 3 + 7 + 3);
    let padded = [&sample(true).0[..], &[0; 512]].concat();
    let (records, faults) = read(&padded);
    assert_eq!((records.len(), faults.len()), (7, 0), "{faults:?}");
}

#[test]
fn damage_costs_what_is_damaged() {
    // Plain: nonsense between records, a record without a length, one with nonsense for a length.
    let text = "WARC/1.0\r\nContent-Length: 1\r\n\r\na\r\n\r\nnonsense\r\n\r\nWARC/1.0\r\nContent-Length: 1\r\n\r\nb\r\n\r\n\
        WARC/1.0\r\nWARC-Type: x\r\n\r\nWARC/1.0\r\nContent-Length: -1\r\n\r\n\r\n\r\nWARC/1.0\r\nContent-Length: 1\r\n\r\nc\r\n\r\n";
    let lengths = [
        "the record has no Content-Length",
        "the Content-Length of the record is not a number",
    ];
    let rows: [(_, &[&[u8]], _); 2] = [
        (
            text.as_bytes().to_vec(),
            &[b"a", b"b", b"c"],
            "found \"nonsense\", expected a record that begins with WARC/1.1",
        ),
        (
            gzip(text.as_bytes()),
            &[b"b", b"c"],
            "the record does not end where it says, or is damaged",
        ),
    ];
    for (bytes, blocks, first) in rows {
        let (records, faults) = read(&bytes);
        assert_eq!(records.iter().map(|r| &r.block[..]).collect::<Vec<_>>(), blocks);
        let faults: Vec<String> = faults.iter().map(|fault| fault.problem.to_string()).collect();
        assert_eq!(faults, [first, lengths[0], lengths[1]]);
    }
    // Compressed: one byte of one member. All other records come out, unless the damage hides the end of the member
    // and the decompressor reads on into the next.
    let (bytes, _) = sample(true);
    let (all, _) = read(&bytes);
    let begin = usize::try_from(all[2].head.spot.offset).unwrap();
    let end = usize::try_from(all[3].head.spot.offset).unwrap();
    let mut dear = 0;
    for at in begin..end {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x55;
        let (records, faults) = read(&bytes);
        assert!(
            records.iter().all(|r| all.contains(r)),
            "byte {at} makes no other record"
        );
        // The time and the system in the header of a member mean nothing.
        let harmless = faults.is_empty() && (4..10).contains(&(at - begin));
        assert!(faults.len() == 1 || harmless, "byte {at}: {faults:?}");
        let others = records.iter().filter(|r| **r != all[2]).count();
        assert!(others >= 2, "byte {at}: {faults:?}");
        dear += usize::from(others < 6);
    }
    assert!(dear * 10 < end - begin, "{dear} of {}", end - begin);
    // A member that ends within its record.
    let bytes = [gzip(b"WARC/1.0\r\nContent-Length: 9\r\n\r\nabc"), sample(true).0].concat();
    let (records, faults) = read(&bytes);
    assert_eq!((records.len(), faults.len()), (7, 1));
    assert!(
        faults[0].to_string().contains("longer than the compressed data"),
        "{}",
        faults[0]
    );
}

#[test]
fn large_records_are_passed_over() {
    let writer = Writer::new(true, "");
    let mut bytes = writer
        .record(&[("WARC-Type", "resource")], &vec![b'x'; 3 << 20])
        .unwrap();
    bytes.extend(writer.record(&[("WARC-Type", "resource")], b"small").unwrap());
    let (records, faults) = read(&bytes);
    assert_eq!(records.len(), 1);
    assert_eq!(
        faults[0].to_string(),
        "at byte 0: a record of 3145728 bytes is larger than the limit of 1048576 bytes"
    );
    let mut reader = Reader::new(&bytes[..], 0);
    let first = reader.next_keeping(|_| 4).unwrap().unwrap();
    assert_eq!((first.head.length, &first.block[..]), (3 << 20, &b"xxxx"[..]));
    // A length that is a lie costs no memory.
    let lie = b"WARC/1.0\r\nContent-Length: 18446744073709551615\r\n\r\nabc";
    let (records, faults) = read(lie);
    assert!(records.is_empty() && faults.len() == 1);
    // Fields without end.
    let endless = [
        &b"WARC/1.0\r\nX: "[..],
        &vec![b'y'; 1 << 20],
        b"\r\n\r\n",
        &sample(false).0,
    ]
    .concat();
    let (records, faults) = read(&endless);
    assert_eq!((records.len(), faults.len()), (7, 1));
}

#[test]
fn records_are_read_by_their_places() {
    let dir = tempfile::tempdir().unwrap();
    let plain = sample(false).0;
    for (name, bytes) in [("a", sample(true).0), ("b", gzip(&plain)), ("c", plain)] {
        let path = dir.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let (all, _) = read(&bytes);
        let shelf = Shelf::new(&path);
        let order = [0, 1, 2, 3, 4, 5, 6, 6, 0, 3, 2, 4, 1];
        for at in order {
            assert_eq!(shelf.read(all[at].head.spot, 1 << 20).unwrap(), all[at], "{name} {at}");
        }
        std::thread::scope(|scope| {
            for start in 0..4 {
                let (shelf, all) = (&shelf, &all);
                scope.spawn(move || {
                    for at in (0..100).map(|n| (start + n) % all.len()) {
                        assert_eq!(shelf.read(all[at].head.spot, 1 << 20).unwrap(), all[at]);
                    }
                });
            }
        });
        assert!(matches!(
            shelf.read(all[1].head.spot, 3).unwrap_err().problem,
            Problem::TooLarge { limit: 3, .. }
        ));
        for spot in [
            Spot { offset: 1, skip: 0 },
            Spot { offset: 0, skip: 3 },
            Spot {
                offset: 1 << 40,
                skip: 0,
            },
        ] {
            shelf.read(spot, 1 << 20).unwrap_err();
        }
    }
    let missing = Shelf::new(dir.path().join("missing"));
    let fault = missing.read(Spot { offset: 0, skip: 0 }, 1).unwrap_err();
    assert!(matches!(fault.problem, Problem::Io(_)));
}

#[test]
fn bodies_as_others_store_them() {
    let html = b"<p>hello</p>";
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(html).unwrap();
    let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast());
    raw.write_all(html).unwrap();
    let chunks = |bytes: &[u8]| {
        let (a, b) = bytes.split_at(5);
        let mut out = format!("{:X};ext=1\r\n", a.len()).into_bytes();
        out.extend(a);
        out.extend(format!("\r\n{:x}\r\n", b.len()).into_bytes());
        out.extend(b);
        out.extend(b"\r\n0\r\nTrailer: x\r\n\r\n");
        out
    };
    let rows: Vec<(&str, Vec<u8>)> = vec![
        ("", html.to_vec()),
        ("Content-Encoding: gzip", gzip(html)),
        ("Content-Encoding: GZIP, identity", gzip(html)),
        ("Content-Encoding: deflate", zlib.finish().unwrap()),
        ("Content-Encoding: deflate", raw.finish().unwrap()),
        ("Transfer-Encoding: chunked", chunks(html)),
        (
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip",
            chunks(&gzip(html)),
        ),
        ("Content-Encoding: gzip, gzip", gzip(&gzip(html))),
        ("Transfer-Encoding: gzip, chunked", chunks(&gzip(html))),
        // Undone, but still announced.
        ("Content-Encoding: gzip", html.to_vec()),
        ("Content-Encoding: deflate", html.to_vec()),
        ("Transfer-Encoding: chunked", html.to_vec()),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip", gzip(html)),
    ];
    for (headers, stored) in rows {
        for line_end in ["\r\n", "\n"] {
            let head = format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n").replace("\r\n\r\n\r\n", "\r\n\r\n");
            let block = [head.replace("\r\n", line_end).as_bytes(), &stored].concat();
            let message = Message::parse(&block).unwrap();
            assert_eq!(message.body(100).as_deref(), Ok(&html[..]), "{headers}");
            assert!(message.body(5).is_err(), "{headers}");
        }
    }
    let body = |headers: &str, stored: &[u8]| {
        let block = [format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n").as_bytes(), stored].concat();
        let body = Message::parse(&block).unwrap().body(1000).map(|body| body.into_owned());
        body.map_err(|error| error.to_string())
    };
    let error = body("Content-Encoding: br", b"xyz").unwrap_err();
    assert_eq!(
        error,
        "the body is stored in the coding \"br\", expected gzip, deflate or none"
    );
    let cut = &gzip(html)[..20];
    assert_eq!(
        body("Content-Encoding: gzip", cut).unwrap_err(),
        "the body is broken: it is not complete gzip"
    );
    body("Transfer-Encoding: chunked", b"5\r\nabc").unwrap_err();
    body("Transfer-Encoding: chunked", b"3\r\nabc\r\nzz\r\n").unwrap_err();
    let bomb = body("Content-Encoding: gzip", &gzip(&vec![0; 10 << 20])).unwrap_err();
    assert_eq!(bomb, "the body is larger than the limit of 1000 bytes");
    body(&format!("Content-Encoding: {}", "gzip, ".repeat(50)), &gzip(html)).unwrap_err();
    assert_eq!(Message::parse(b""), None);
    assert_eq!(Message::parse(b"\r\n\r\n"), None);
}

/// Bytes changed, cut, doubled and moved at random: whatever comes out, something does, and soon.
#[test]
fn nothing_makes_the_reader_panic() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 11).unwrap() % below.max(1)
    };
    let plain = sample(false).0;
    let sources = [plain.clone(), sample(true).0, gzip(&plain)];
    let words: [&[u8]; 8] = [
        b"WARC/1.1\r\n",
        b"Content-Length: 99999999999\r\n",
        b"Content-Length: 5\r\n",
        b"\r\n\r\n",
        b"\x1F\x8B\x08\0",
        b"Transfer-Encoding: chunked\r\n",
        b"Content-Encoding: gzip, deflate\r\n",
        b"\0\0\0\0",
    ];
    for round in 0..6000 {
        let mut bytes = sources[round % 3].clone();
        for _ in 0..=random(6) {
            if bytes.is_empty() {
                break;
            }
            let (a, b) = (random(bytes.len()), random(bytes.len()));
            match random(5) {
                0 => bytes[a] = u8::try_from(random(256)).unwrap(),
                1 => bytes.truncate(a),
                2 => drop(bytes.drain(a.min(b)..a.max(b))),
                3 => {
                    let some = bytes[a.min(b)..a.max(b)].to_vec();
                    bytes.splice(a..a, some);
                }
                _ => {
                    let word = words[random(words.len())];
                    bytes.splice(a..a, word.iter().copied());
                }
            }
        }
        let mut count = 0;
        for item in Reader::new(&bytes[..], 4096) {
            count += 1;
            if let Ok(record) = item {
                assert_eq!(record.block.len() as u64, record.head.length);
                if let Some(message) = Message::parse(&record.block) {
                    let _ = (message.status(), message.charset(), message.body(1 << 16));
                }
            }
        }
        assert!(count <= bytes.len() + plain.len() * 8, "round {round}");
        let _ = is_warc(&bytes);
    }
}
