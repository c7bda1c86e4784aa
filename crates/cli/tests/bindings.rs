//! `wrapwright run --bind-file`: rows are checked before anything is fetched, and each is run with its own values.

use demo::server::{Answer, Request, Response, Running, start};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn serve(asked: &Arc<AtomicUsize>) -> Running {
    let asked = Arc::clone(asked);
    start("127.0.0.1:0", move |_: &Request| {
        asked.fetch_add(1, Ordering::SeqCst);
        Answer::Whole(Response::html("<p>a</p><p>b</p>"))
    })
    .expect("a free port")
}

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(["run", "-q", "--no-meta", "--with-bindings"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("a run")
}

#[test]
fn a_row_that_is_a_mistake_is_named_and_nothing_is_fetched() {
    let asked = Arc::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let site = server.url();
    let expressions = [
        format!("doc('{site}')//p[matches(., $re)]:<p=.>"),
        format!("doc('{site}')//p[matches(., '${{re}}')]:<p=.>"),
    ];
    std::fs::write(folder.path().join("rows.csv"), "re\na\n\n(\nb\n").expect("a file");
    for expression in &expressions {
        for jobs in ["1", "3"] {
            let args = ["-e", expression, "--bind-file", "rows.csv", "--jobs", jobs];
            let output = run(folder.path(), &args);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{stderr}");
            assert!(
                stderr.contains("rows.csv, line 4: the expression cannot be run with $re = \"(\""),
                "{stderr}"
            );
            assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        }
        let output = run(folder.path(), &["-e", expression, "--bind", "re=a", "--bind", "re=("]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("cannot be run with $re = \"(\""), "{stderr}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}

#[test]
fn an_empty_value_is_a_row_and_names_are_trimmed() {
    let asked = Arc::default();
    let server = serve(&asked);
    let folder = tempfile::tempdir().expect("a directory");
    let expression = format!("doc('{}')//p[.=$v or $v='']:<p=.>", server.url());
    std::fs::write(folder.path().join("rows.csv"), " $v \n\"\"\n\nb\n").expect("a file");
    let output = run(folder.path(), &["-e", &expression, "--bind-file", "rows.csv"]);
    let lines = "{\"_bind\":{\"v\":\"\"},\"p\":\"a\"}\n{\"_bind\":{\"v\":\"\"},\"p\":\"b\"}\n{\"_bind\":{\"v\":\"b\"},\"p\":\"b\"}\n";
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        lines,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::write(folder.path().join("rows.csv"), "v, $v\n1,2\n").expect("a file");
    let output = run(folder.path(), &["-e", &expression, "--bind-file", "rows.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("two columns are named `v`"));
}
