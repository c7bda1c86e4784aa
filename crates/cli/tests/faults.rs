//! `wrapwright run` when things go wrong: the run ends by itself, says what happened and keeps every good record.

use demo::server::{Answer, Request, Response, Running, start};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// What stands on the list, in order; `good` ones have a page with a name.
const ITEMS: &[&str] = &[
    "good/1",
    "reset",
    "late",
    "500",
    "short",
    "loop",
    "huge",
    "endless",
    "bomb",
    "good/2",
    "gone",
    "forbidden/x",
    "good/3",
];

fn list() -> Response {
    let items = ITEMS
        .iter()
        .map(|item| format!("<li><a href='/{item}'>{item}</a></li>"));
    Response::html(items.collect::<String>())
}

fn zeros(count: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let piece = vec![0; 1 << 20];
    for _ in 0..count >> 20 {
        encoder.write_all(&piece).expect("a vector takes all");
    }
    encoder.finish().expect("a vector takes all")
}

fn answer(request: &Request) -> Answer {
    let path = request.path.as_str();
    if let Some(name) = path.strip_prefix("/good/") {
        return Answer::Whole(Response::html(format!("<h1>number {name}</h1>")));
    }
    Answer::Whole(match path {
        "/" => list(),
        "/robots.txt" => Response::text("User-agent: *\nDisallow: /forbidden/\n"),
        "/reset" => return Answer::Reset,
        "/late" => return Answer::Late(Response::html("<h1>late</h1>"), Duration::from_secs(30)),
        "/500" => Response::plain(500),
        "/short" => {
            return Answer::Misstated {
                response: Response::html("<h1>short</h1>"),
                length: 5000,
            };
        }
        "/loop" => Response::see_other("/loop"),
        "/huge" => {
            return Answer::Misstated {
                response: Response::html("<h1>huge</h1>"),
                length: 2 << 30,
            };
        }
        "/endless" => {
            return Answer::Endless {
                response: Response::html("<p>on and on</p>"),
                pause: Duration::ZERO,
            };
        }
        "/bomb" => Response::html(zeros(256 << 20)).with_header("Content-Encoding", "gzip"),
        "/circle" => Response::html("<p>here again</p><a class=next href='/circle'>Next</a>"),
        _ => Response::plain(404),
    })
}

fn serve() -> Running {
    start("127.0.0.1:0", answer as fn(&Request) -> Answer).expect("a free port")
}

fn wrapwright(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.args(["run", "--no-meta"]).args(args);
    command
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}

#[track_caller]
fn summary(output: &Output) -> serde_json::Value {
    let stderr = lines(&output.stderr);
    let last = stderr.last().expect("a summary");
    serde_json::from_str(last).unwrap_or_else(|_| panic!("no summary: {stderr:#?}"))
}

#[test]
fn a_run_survives_all_faults_of_a_server() {
    let server = serve();
    let expression = format!(
        "doc('{}')//li:<item>[a:<path=.>][? a/{{click /}}//h1:<name=.>]",
        server.url()
    );
    let flags = [
        "--timeout",
        "2",
        "--retries",
        "1",
        "--max-page-bytes",
        "8000000",
        "--summary",
        "json",
    ];
    for jobs in ["1", "4"] {
        let output = wrapwright(&flags)
            .args(["--jobs", jobs, "-e", &expression])
            .output()
            .expect("a run");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        let expected: Vec<String> = ITEMS
            .iter()
            .map(|item| match item.strip_prefix("good/") {
                Some(name) => format!("{{\"path\":[\"{item}\"],\"name\":[\"number {name}\"]}}"),
                None => format!("{{\"path\":[\"{item}\"],\"name\":[]}}"),
            })
            .collect();
        assert_eq!(lines(&output.stdout), expected, "{stderr}");
        let summary = summary(&output);
        // What never ends is too large or too late, whichever limit it meets first: a busy machine meets the clock.
        let (late, large) = match stderr.contains("/endless took longer") {
            true => (2, 2),
            false => (1, 3),
        };
        let expected = serde_json::json!({
            "other": 1, "robots": 1, "status-404": 1, "status-500": 1, "timeout": late, "too-large": large, "unreachable": 2,
        });
        assert_eq!(summary["failures_by_kind"], expected, "{stderr}");
        assert_eq!(
            (summary["records"].as_u64(), summary["failures"].as_u64()),
            (Some(13), Some(10))
        );
        for part in [
            "/loop redirects more than 10 times",
            "/500 answered 500",
            "--ignore-robots",
            "--max-page-bytes",
        ] {
            assert!(stderr.contains(part), "{part}: {stderr}");
        }
    }
}

#[test]
fn a_next_link_to_its_own_page_ends_the_pager() {
    let server = serve();
    let expression = format!("doc('{}circle')/(//a.next/{{click /}})*//p:<p=.>", server.url());
    let output = wrapwright(&["-e", &expression]).output().expect("a run");
    assert_eq!(lines(&output.stdout), [r#"{"p":"here again"}"#]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("came back to this page"), "{stderr}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn nothing_but_failures_is_the_outside() {
    let server = serve();
    for (path, part) in [("500", "500"), ("gone", "404"), ("forbidden/x", "robots.txt")] {
        let expression = format!("doc('{}{path}')//p:<p=.>", server.url());
        let output = wrapwright(&["--retries", "0", "-e", &expression])
            .output()
            .expect("a run");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{stderr}");
        assert!(stderr.contains(part), "{stderr}");
    }
    let forbidden = format!("doc('{}forbidden/x')//p:<p=.>", server.url());
    let output = wrapwright(&["--ignore-robots", "-e", &forbidden])
        .output()
        .expect("a run");
    assert!(String::from_utf8_lossy(&output.stderr).contains("404"));
}

/// A proxy makes a public site of a loopback server, since it is the proxy that looks names up.
#[test]
fn a_public_page_may_not_lead_to_private_addresses() {
    let inside = serve();
    let private = inside.url();
    let proxy = start("127.0.0.1:0", move |request: &Request| {
        Answer::Whole(match request.path.as_str() {
            "/" => {
                let links = [
                    "http://public.test/jump",
                    private.as_str(),
                    "http://10.0.0.1/",
                    "http://[::1]:1/",
                ];
                Response::html(
                    links
                        .map(|link| format!("<li><a href='{link}'>{link}</a></li>"))
                        .concat(),
                )
            }
            "/jump" => Response::see_other("http://192.168.0.1/admin"),
            _ => Response::plain(404),
        })
    })
    .expect("a free port");
    let expression = "doc('http://public.test/')//li:<item>[? a/{click /}//h1:<name=.>]";
    let output = wrapwright(&[
        "--proxy",
        &proxy.url(),
        "--delay",
        "0",
        "--summary",
        "json",
        "-e",
        expression,
    ])
    .output()
    .expect("a run");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(lines(&output.stdout), ["{\"name\":[]}"; 4]);
    assert_eq!(
        summary(&output)["failures_by_kind"],
        serde_json::json!({"forbidden": 4}),
        "{stderr}"
    );
    assert!(stderr.contains("--allow-private"), "{stderr}");
}

/// A pager without an end, ten records a page.
fn endless() -> Running {
    start("127.0.0.1:0", |request: &Request| {
        let number: usize = request.path.trim_start_matches('/').parse().unwrap_or(0);
        let items: String = (0..10)
            .map(|n| format!("<li>item {number} {n} {}</li>", "x".repeat(300)))
            .collect();
        let next = format!("<a class=next href='/{}'>Next</a>", number + 1);
        Answer::Whole(Response::html(items + &next))
    })
    .expect("a free port")
}

fn endless_run(server: &Running) -> Command {
    let expression = format!(
        "doc('{}0')/(//a.next/{{click /}})*//li:<item>[.:<text=.>]",
        server.url()
    );
    wrapwright(&["-q", "-e", &expression])
}

#[track_caller]
fn whole_lines(bytes: &[u8], at_least: usize) {
    assert_eq!(bytes.last(), Some(&b'\n'), "the last line is whole");
    let lines = lines(bytes);
    assert!(lines.len() >= at_least, "{} lines", lines.len());
    for (at, line) in lines.iter().enumerate() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a whole record");
        let text = record["text"].as_str().expect("a text");
        assert!(text.starts_with(&format!("item {} {} ", at / 10, at % 10)), "{line}");
    }
}

fn wait_for_size(path: &Path, size: u64) {
    while std::fs::metadata(path).map_or(0, |about| about.len()) < size {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_run_leaves_whole_lines() {
    let server = endless();
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("out.ndjson");
    let file = std::fs::File::create(&path).expect("a file");
    let mut child = endless_run(&server).stdout(file).spawn().expect("a run");
    wait_for_size(&path, 100_000);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    whole_lines(&std::fs::read(&path).expect("a file"), 100);
}

#[test]
fn an_interrupted_run_ends_in_good_order() {
    let server = endless();
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("out.xml");
    let mut child = endless_run(&server)
        .args(["--format", "xml", "--jobs", "3", "-o"])
        .arg(&path)
        .spawn()
        .expect("a run");
    let part = path.with_extension("xml.part");
    wait_for_size(&part, 50_000);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(!path.exists(), "half a file does not have the name of a whole one");
    let text = std::fs::read_to_string(&part).expect("the records so far");
    assert!(text.ends_with("</item>\n</results>\n"));
    // Nobody replaces it unasked.
    let again = endless_run(&server)
        .args(["--format", "xml", "--max-pages", "1", "-o"])
        .arg(&path)
        .output()
        .expect("a run");
    let stderr = String::from_utf8_lossy(&again.stderr);
    assert_eq!(again.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("--append goes on after it, --overwrite discards it"),
        "{stderr}"
    );
    assert_eq!(std::fs::read_to_string(&part).expect("the records so far"), text);
}

#[test]
fn a_reader_that_has_enough_ends_the_run() {
    let server = endless();
    let mut child = endless_run(&server).stdout(Stdio::piped()).spawn().expect("a run");
    let mut first = String::new();
    BufReader::new(child.stdout.take().expect("a pipe"))
        .read_line(&mut first)
        .expect("a line");
    assert!(first.contains("item 0 0"));
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_full_disk_is_an_error_and_no_line_is_cut() {
    let server = endless();
    let output = endless_run(&server)
        .stdout(
            std::fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .expect("a full device"),
        )
        .output()
        .expect("a run");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(
        stderr.contains("cannot write to standard output: No space left on device"),
        "{stderr}"
    );
    // A limit on the size of files stops a write in the middle, as a full disk does.
    let folder = tempfile::tempdir().expect("a directory");
    for (redirect, flags) in [(" > out.ndjson", ""), ("", " -o out.ndjson")] {
        let run = endless_run(&server);
        let words: Vec<String> = std::iter::once(run.get_program())
            .chain(run.get_args())
            .map(|word| format!("\"{}\"", word.to_string_lossy().replace('\\', "\\\\")))
            .collect();
        let script = format!("trap '' XFSZ; ulimit -f 64; {}{flags}{redirect}", words.join(" "));
        let output = Command::new("bash")
            .arg("-c")
            .arg(script)
            .current_dir(&folder)
            .output()
            .expect("bash");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{stderr}");
        assert!(stderr.contains("File too large"), "{stderr}");
        let mut files: Vec<_> = std::fs::read_dir(&folder)
            .expect("a directory")
            .flatten()
            .map(|entry| entry.path())
            .collect();
        let path = files.pop().expect("records are kept");
        assert_eq!(files.len(), 0);
        if redirect.is_empty() {
            assert!(
                stderr.contains(&format!(
                    "the records written so far are in {}",
                    path.file_name().expect("a name").to_string_lossy()
                )),
                "{stderr}"
            );
        }
        whole_lines(&std::fs::read(&path).expect("a file"), 100);
        std::fs::remove_file(path).expect("a file");
    }
}

#[test]
fn limits_end_a_run() {
    let server = endless();
    let output = endless_run(&server).args(["--max-pages", "3"]).output().expect("a run");
    assert_eq!((output.status.code(), lines(&output.stdout).len()), (Some(0), 30));
    let output = endless_run(&server).args(["--max-depth", "2"]).output().expect("a run");
    assert_eq!((output.status.code(), lines(&output.stdout).len()), (Some(0), 20));
    let output = endless_run(&server)
        .args(["--max-time", "0.5", "--summary", "json"])
        .output()
        .expect("a run");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(summary(&output)["ended"], "max-time");
    whole_lines(&output.stdout, 10);
}
