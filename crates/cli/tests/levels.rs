//! How much is told: `-q`, `-v` and `--log-level`.

use demo::server::{Answer, Request, Response, start};
use std::process::Command;

/// What is said on standard error.
fn said(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_wrapwright"))
        .args(args)
        .output()
        .expect("a run");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn levels_of_a_run() {
    let server = start("127.0.0.1:0", |request: &Request| match request.path.as_str() {
        "/" => Answer::from(Response::html(
            "<form action=/in><input name=p type=password><button>In</button></form>",
        )),
        "/in" => Answer::from(Response::html("<p>one<p>two")),
        _ => Answer::from(Response::html("none").with_status(404)),
    })
    .expect("a free port");
    let site = server.url();
    // A warning: `required` has no effect there, and a field is lacking.
    let expression = format!(
        "doc('{site}')//input/{{'s3cret'}}/following::button/{{click /}}//p:<row>[.:<text=.>][? b:<price(required)=.>]"
    );
    let run = |more: &[&str]| said(&[&["run", "-e", &expression], more].concat());
    let (usual, quiet, warnings, all) = (run(&[]), run(&["-q"]), run(&["--log-level", "warning"]), run(&["-v"]));
    assert!(
        usual.contains("warning: 2 `row` records lack") && usual.contains("2 records"),
        "{usual}"
    );
    assert_eq!(quiet, "");
    assert_eq!(run(&["--log-level", "error"]), "");
    assert!(
        warnings.contains("warning: 2 `row` records lack") && !warnings.contains("2 records,"),
        "{warnings}"
    );
    assert!(all.contains(&format!("GET {site}robots.txt: 404, ")), "{all}");
    assert!(all.contains(&format!("GET {site}: 200, ")), "{all}");
    assert!(all.contains(&usual.lines().next().expect("a line").to_owned()), "{all}");
    let json = run(&["-v", "--log", "json"]);
    let steps: Vec<serde_json::Value> = json
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let answered: Vec<&serde_json::Value> = steps.iter().filter(|step| step["event"] == "answered").collect();
    assert_eq!(answered.len(), 3, "{json}");
    assert_eq!(
        (&answered[1]["status"], &answered[1]["method"]),
        (&200.into(), &"GET".into())
    );
    assert!(said(&["run", "-qv", "-e", &expression]).contains("give one of them"));
}
