//! What a run says about itself: pages made by scripts, fields that predicates skipped, the file of a mistake; and limits
//! that hold.

use demo::server::{Request, Response, Running, start};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn wrapwright(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(args)
        .output()
        .expect("the binary")
}

fn run(expression: &str, args: &[&str]) -> Output {
    wrapwright(&[&["run", "--no-meta", "-e", expression][..], args].concat())
}

/// A server, and its address without the slash at the end.
fn serve(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> (Running, String) {
    let server = start("127.0.0.1:0", move |request: &Request| answer(request).into()).expect("a server");
    let url = server.url().trim_end_matches('/').to_owned();
    (server, url)
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_page_made_by_scripts_needs_a_browser() {
    let (_server, url) = serve(|request: &Request| match request.path.as_str() {
        "/app" => Response::html("<title>Shop</title><div id=root></div><script src=a.js></script>"),
        _ => Response::html(format!(
            "<p>{}</p><script src=a.js></script>",
            "Plenty of text. ".repeat(40)
        )),
    });
    let app = format!("doc('{url}/app')//li:<item>");
    let expected = format!(
        "warning: {url}/app has 1 script and only 0 letters of text, and its element with the id `root` is empty\n  \
         hint: --browser runs scripts, in an installed Chromium\n0 records from 1 page, 0 failures\n"
    );
    assert_eq!(words(&run(&app, &[])), expected);
    assert_eq!(words(&run(&app, &["-q"])), "");
    // There is text: the expression is wrong, or the page has none of it.
    let text = format!("doc('{url}/text')//li:<item>");
    assert_eq!(words(&run(&text, &[])), "0 records from 1 page, 0 failures\n");
    // There are records.
    let found = format!("doc('{url}/app')//div:<item>");
    assert_eq!(words(&run(&found, &[])), "1 record from 1 page, 0 failures\n");
}

#[test]
fn skipped_fields_are_told_once() {
    let (_server, url) = serve(|_: &Request| {
        let with = "<li><b>Acme</b><i>9</i><u>in stock</u></li>";
        let without = "<li><i>7</i><u>sold out</u></li>";
        Response::html(format!("<ul>{with}{without}{without}</ul>"))
    });
    let source = |predicate: &str| {
        format!("doc('{url}/')//li:<item>[{predicate}b[1]:<brand=.>][i[1]:<price=.>][u[1]:<stock=.>]")
    };
    let said = "warning: 2 `item` records lack `brand`, and so the fields after it: `price`, `stock`\n  \
                hint: to keep a record that lacks a field, write the field's predicate as `[? …]`\n\
                3 records from 1 page, 0 failures\n";
    assert_eq!(words(&run(&source(""), &[])), said);
    assert_eq!(words(&run(&source(""), &["-q"])), "");
    let kept = run(&source("? "), &[]);
    assert_eq!(words(&kept), "3 records from 1 page, 0 failures\n");
    assert_eq!(String::from_utf8_lossy(&kept.stdout).matches("price").count(), 3);
}

#[test]
fn quiet_runs_give_no_warnings() {
    let (_server, url) = serve(|request: &Request| match request.path.as_str() {
        "/a" => Response::html("<a href=/b>Next</a><p>a"),
        _ => Response::html("<a href=/a>Next</a><p>b"),
    });
    let source = format!("doc('{url}/a')/(//a/{{click /}})*//p:<p>[.:<t=.>]");
    assert!(
        words(&run(&source, &[])).contains("warning: "),
        "{}",
        words(&run(&source, &[]))
    );
    assert_eq!(words(&run(&source, &["-q"])), "");
}

#[test]
fn positions_name_the_file() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("books.oxp");
    std::fs::write(&file, "doc('http://127.0.0.1:1/')\n  //li:<item>[h2 == 'x']").expect("a file");
    let file = file.display().to_string();
    let said = words(&wrapwright(&["run", "--check", &file]));
    assert!(said.contains(&format!("[ {file}:2:18 ]")), "{said}");
}

/// Fetching ahead asks for no page beyond the limit.
#[test]
fn max_pages_holds_with_jobs() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let (_server, url) = serve(move |request: &Request| {
        if request.path != "/robots.txt" {
            count.fetch_add(1, Ordering::Relaxed);
        }
        match request.path.as_str() {
            "/" => {
                let links: String = (0..60).map(|n| format!("<li><a href='/{n}'>{n}</a></li>")).collect();
                Response::html(links)
            }
            path => Response::html(format!("<h1>{path}</h1>")),
        }
    });
    let source = format!("doc('{url}/')//li:<item>[a/{{click /}}//h1:<title=.>]");
    let output = run(
        &source,
        &["--max-pages", "3", "--jobs", "32", "--per-host", "32", "--delay", "0"],
    );
    assert!(
        words(&output).ends_with("3 records from 3 pages, 0 failures; stopped by --max-pages\n"),
        "{}",
        words(&output)
    );
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}
