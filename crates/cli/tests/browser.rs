//! `wrapwright run --browser` as a user has it: flags, mistakes, Ctrl-C, and nothing that stays behind.

use demo::server::{Answer, Request, Response, Running, start};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn answer(request: &Request) -> Answer {
    match request.path.as_str() {
        "/" => Response::html(
            "<a href=/p/1>1</a> <a href=/p/2>2</a> <a href=/slow>3</a><script>document.title = 'x'</script>",
        )
        .into(),
        "/slow" => Answer::Late(Response::html("<h1>slow</h1>"), Duration::from_secs(20)),
        path if path.starts_with("/p/") => {
            Response::html(format!("<h1 id=h></h1><script>h.textContent = 'page {path}'</script>")).into()
        }
        _ => Response::plain(404).into(),
    }
}

fn site() -> Running {
    start("127.0.0.1:0", answer).expect("a server")
}

fn wrapwright(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.arg("run").args(args).stdin(Stdio::null());
    command
}

fn follow(server: &Running) -> String {
    format!("doc('{}')//a/{{click /}}//h1:<x=string(.)>", server.url())
}

/// Is a browser installed? Says so if not.
fn has_browser() -> bool {
    let server = site();
    let output = wrapwright(&["--browser", "-q", "-e", &format!("doc('{}')//b:<b>", server.url())])
        .output()
        .expect("a run");
    let said = String::from_utf8_lossy(&output.stderr);
    let missing = said.contains("no browser is installed");
    if missing {
        skip::skip("cli: browser", &said);
    }
    !missing
}

/// The processes of the browser that a process of ours started, by the profile's name.
fn browsers(of: u32) -> Vec<u32> {
    let name = format!("wrapwright-browser-{of}-");
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    processes
        .filter_map(|entry| {
            let process = entry.file_name().to_string_lossy().parse::<u32>().ok()?;
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            (line.contains(&name) && line.contains("user-data-dir")).then_some(process)
        })
        .collect()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A run that waits for the slow page, after its first two records.
fn under_way(server: &Running) -> (Child, Vec<String>) {
    let mut child = wrapwright(&["--browser", "--no-meta", "-e", &follow(server)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a run");
    let out = child.stdout.take().expect("a pipe");
    let lines = BufReader::new(out).lines().take(2).map(|line| line.expect("a line"));
    let lines = lines.collect();
    (child, lines)
}

const RECORDS: [&str; 2] = [r#"{"x":"page /p/1"}"#, r#"{"x":"page /p/2"}"#];

#[test]
fn records_come_from_what_scripts_wrote() {
    if !has_browser() {
        return;
    }
    let server = site();
    let expression = format!("doc('{}')//a[.!='3']/{{click /}}//h1:<x=string(.)>", server.url());
    for how in [&["--browser"][..], &["--driver", "chromium", "--jobs", "2"]] {
        let output = wrapwright(how)
            .args(["--no-meta", "-e", &expression])
            .output()
            .expect("a run");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        let records = String::from_utf8(output.stdout).expect("text");
        assert_eq!(records.lines().collect::<Vec<_>>(), RECORDS, "{said}");
    }
}

#[test]
fn an_interrupt_keeps_records_and_ends_the_browser() {
    if !has_browser() {
        return;
    }
    let server = site();
    let (mut child, records) = under_way(&server);
    assert_eq!(records, RECORDS);
    assert!(!browsers(child.id()).is_empty());
    let done = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(done.expect("kill runs").success());
    let id = child.id();
    until("the run ends", || child.try_wait().expect("a status").is_some());
    assert_eq!(child.wait().expect("a status").code(), Some(130));
    until("the browser ends", || browsers(id).is_empty());
}

#[test]
fn a_browser_does_not_outlive_a_run_that_is_killed() {
    if !has_browser() {
        return;
    }
    let server = site();
    let (mut child, _) = under_way(&server);
    let id = child.id();
    assert!(!browsers(id).is_empty());
    child.kill().expect("it can be killed");
    child.wait().expect("a status");
    until("the browser ends", || browsers(id).is_empty());
    let name = format!("wrapwright-browser-{id}-");
    until("the profile goes", || {
        let entries = std::fs::read_dir(std::env::temp_dir()).expect("a folder").flatten();
        entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&name))
            .count()
            == 0
    });
}

#[test]
fn cookies_and_headers_are_those_of_the_user() {
    if !has_browser() {
        return;
    }
    let server = start("127.0.0.1:0", |request: &Request| -> Answer {
        let told = ["x-token", "cookie"].map(|name| request.header(name).unwrap_or("-").to_owned());
        Response::html(format!("<p>{}</p>", told.join(" ")))
            .with_header("Set-Cookie", "in=1; Path=/")
            .into()
    })
    .expect("a server");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cookies.txt");
    let cookies = file.to_str().expect("a path");
    let expression = format!("doc('{}')//p:<x=.>", server.url());
    let how = [
        "--browser",
        "--header",
        "X-Token: secret",
        "--cookies",
        cookies,
        "--no-meta",
        "--react",
        "0.2",
    ];
    for expected in ["{\"x\":\"secret -\"}\n", "{\"x\":\"secret in=1\"}\n"] {
        let output = wrapwright(&how).args(["-e", &expression]).output().expect("a run");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{said}");
    }
}

#[test]
fn mistakes_say_what_to_do() {
    let expression = "doc('http://127.0.0.1:1/')//b:<b>";
    let fails = |args: &[&str], code: i32, says: &[&str]| {
        let output = wrapwright(args).args(["-e", expression]).output().expect("a run");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        says.iter().for_each(|words| assert!(said.contains(words), "{said}"));
    };
    fails(
        &["--browser", "--browser-path", "/no/such"],
        4,
        &["there is no browser at /no/such"],
    );
    fails(
        &["--connect", "http://x/"],
        4,
        &["is not the address of a browser", "--remote-debugging-port"],
    );
    fails(&["--connect", "ws://127.0.0.1:1/devtools"], 4, &["cannot be reached"]);
    fails(
        &["--browser", "--record", "x.warc.gz"],
        2,
        &["--record does not work with a browser"],
    );
    fails(
        &["--connect", "ws://127.0.0.1:1/devtools", "--cookies", "x.txt"],
        2,
        &["--cookies does not work with --connect"],
    );
    let nothing = wrapwright(&["--browser", "-e", expression])
        .env("PATH", "")
        .output()
        .expect("a run");
    let said = String::from_utf8_lossy(&nothing.stderr);
    assert_eq!(nothing.status.code(), Some(4), "{said}");
    assert!(
        said.contains("no browser is installed") && said.contains("apt install chromium"),
        "{said}"
    );
}

#[test]
fn a_kept_run_asks_for_its_pages_again_when_it_goes_on() {
    if !has_browser() {
        return;
    }
    let server = start("127.0.0.1:0", |request: &Request| {
        Answer::Whole(match request.path.as_str() {
            "/" => Response::html("<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>"),
            path => Response::html(format!(
                "<h1></h1><script>document.querySelector('h1').textContent = '{path}'</script>"
            )),
        })
    });
    let server = server.expect("a free port");
    let folder = tempfile::tempdir().expect("a folder");
    let expression = format!("doc('{}')//a/{{click /}}//h1:<item>[.:<x=string(.)>]", server.url());
    let go = |args: &[&str]| {
        let output = wrapwright(args).current_dir(folder.path()).output().expect("a run");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        said
    };
    for (output, more) in [("o.ndjson", &[][..]), ("o.sqlite#x", &["--key", "x"])] {
        let kept = output.split('#').next().unwrap_or_default().replace("o.", "kept-");
        let args = [
            "--browser",
            "--no-meta",
            "-e",
            &expression,
            "-o",
            output,
            "--run",
            &kept,
        ];
        let said = go(&[&args[..], &["--max-pages", "3"], more].concat());
        assert!(
            said.contains(&format!("--resume {}", folder.path().display())),
            "{said}"
        );
        go(&["--resume", &kept, "--max-pages", "9"]);
    }
    let found = std::fs::read_to_string(folder.path().join("o.ndjson")).expect("records");
    let found: Vec<&str> = found.lines().collect();
    assert_eq!(found.len(), 3, "{found:?}");
    for (line, path) in found.iter().zip(["/1", "/2", "/3"]) {
        assert!(line.contains(&format!("\"{path}\"")), "{line}");
    }
}

#[test]
fn a_file_is_opened_by_its_path() {
    if !has_browser() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let page = "<p id=p></p><script>p.textContent = 'by script'</script>";
    std::fs::write(folder.path().join("page.html"), page).expect("a file");
    let url = format!("file://{}/page.html", folder.path().display());
    for address in ["page.html", &url] {
        let output = wrapwright(&[
            "--browser",
            "--no-meta",
            "-e",
            &format!("doc('{address}')//p:<x=string(.)>"),
        ])
        .current_dir(folder.path())
        .output()
        .expect("a run");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).trim(),
            r#"{"x":"by script"}"#,
            "{said}"
        );
    }
}

/// The blocks of the documents that begin with `$ wrapwright run --browser`: the command, and what it prints.
fn blocks(document: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(format!("../../docs/{document}")).expect("a document");
    let fenced = text
        .split("```text\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("\n```"));
    let mut found = Vec::new();
    for (block, _) in fenced.filter(|(block, _)| block.starts_with("$ wrapwright run --browser")) {
        let mut lines = block.lines();
        let mut command = String::new();
        // An expression in quotes may span lines.
        for line in lines.by_ref() {
            command = format!("{command}{}\n", line.trim_start_matches("$ "));
            if command.matches('\'').count().is_multiple_of(2) {
                break;
            }
        }
        found.push((command, lines.collect::<Vec<_>>().join("\n")));
    }
    found
}

/// What the documents show of a browser is what it does.
#[test]
fn documents_show_what_a_browser_gives() {
    if !has_browser() {
        return;
    }
    let server = start("127.0.0.1:0", demo::Demo).expect("a server");
    let own = server.url();
    let own = own.trim_start_matches("http://").trim_end_matches('/');
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_wrapwright"))
        .parent()
        .expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut count = 0;
    for (document, (command, expected)) in ["oxpath-guide.md", "browser.md"]
        .into_iter()
        .flat_map(|document| blocks(document).into_iter().map(move |block| (document, block)))
    {
        count += 1;
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {}\n}} 2>&1", command.replace("127.0.0.1:8807", own))])
            .env("PATH", &path)
            // Files are named as from the root of the project.
            .current_dir("../..")
            .stdin(Stdio::null())
            .output()
            .expect("a run");
        let said = String::from_utf8_lossy(&output.stdout).replace(own, "127.0.0.1:8807");
        assert_eq!(said.trim_end(), expected, "{document}: {command}");
    }
    assert!(count >= 4, "{count} blocks");
}

/// A list and its items, all made by scripts.
fn scripted(request: &Request) -> Answer {
    const GOODS: [(&str, &str); 6] = [
        ("Kelp", "12.50"),
        ("Moss", "7.25"),
        ("Fern", "9.00"),
        ("Reed", "3.75"),
        ("Sedge", "4.10"),
        ("Gorse", "8.40"),
    ];
    let path = request.path.as_str();
    if path == "/list" {
        let names: Vec<String> = GOODS.iter().map(|(name, _)| format!("'{name}'")).collect();
        let script = "for (const [at, name] of [NAMES].entries()) main.innerHTML += \
                      `<div class=card><h2><a href=/item/${at}>${name}</a></h2><p>a plant for you</p></div>`";
        let script = script.replace("NAMES", &names.join(","));
        return Response::html(format!("<main id=main></main><script>{script}</script>")).into();
    }
    let number = path
        .strip_prefix("/item/")
        .and_then(|number| number.parse::<usize>().ok());
    match number.and_then(|number| GOODS.get(number)) {
        Some((name, price)) => Response::html(format!(
            "<main id=main></main><script>main.innerHTML = '<h1>{name}</h1><p>Price: <b>{price}</b></p>'</script>"
        ))
        .into(),
        None => Response::plain(404).into(),
    }
}

/// Learners run no scripts, so they need pages as they are after their scripts.
#[test]
fn pages_that_scripts_make_are_saved_inferred_from_and_run_over() {
    if !has_browser() {
        return;
    }
    let server = start("127.0.0.1:0", scripted).expect("a server");
    let folder = tempfile::tempdir().expect("a directory");
    let list = format!("{}list", server.url());
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
        let output = command.args(args).current_dir(folder.path()).output().expect("a run");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
        (String::from_utf8_lossy(&output.stdout).into_owned(), said)
    };
    run(&["fetch", &list, "--follow", "//h2/a", "-o", "pages", "--browser"]);
    let (out, _) = run(&["query", "-I", "//h1", "pages"]);
    assert_eq!(out, "Kelp\nMoss\nFern\nReed\nSedge\nGorse\n");
    // What was saved is not loaded again.
    let (_, said) = run(&["fetch", &list, "--follow", "//h2/a", "-o", "pages", "--browser"]);
    assert!(said.contains("0 saved in pages, 7 there already"), "{said}");
    let (_, said) = run(&["infer", &list, "--browser", "-o", "w.json"]);
    assert!(said.contains("links to /item/*"), "{said}");
    let (out, said) = run(&["run", "w.json", "--browser", "--format", "csv", "--no-meta"]);
    assert!(said.contains("6 records from 7 pages, 0 failures"), "{said}");
    assert!(out.contains("Gorse,8.40"), "{out}");
    let (_, said) = run(&["watch", "w.json", "--browser"]);
    assert!(said.contains("6 pages, 6 records: fine"), "{said}");
}
