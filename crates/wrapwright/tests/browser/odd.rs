//! Pages that get in the way of reading them, and pages in files.

use crate::stage::{check_on, own, own_with, run_with, shared, site};
use demo::server::{Request, Response};
use std::time::{Duration, Instant};
use wrapwright::drivers::{HttpSettings, Setup};

#[test]
fn a_storm_of_dialogs_does_not_reach_the_next_page() {
    let Some(stage) = own(Setup::default()) else { return };
    let server = site(|request| {
        match request.path.as_str() {
        "/" => Response::html("<a href=/storm>1</a><a href=/calm>2</a><a href=/leave>3</a><a href=/calm>4</a>").into(),
        "/storm" => Response::html("<p>storm</p><script>setInterval(() => alert(1), 1)</script>").into(),
        "/leave" => Response::html(
            "<p>leave</p><script>setInterval(() => confirm(1), 1); onbeforeunload = e => { e.preventDefault(); return 'no' }</script>",
        )
        .into(),
        _ => Response::html("<p>calm</p><script>1</script>").into(),
    }
    });
    let begin = Instant::now();
    let ran = run_with(&stage, 1, &server, "doc('SITE/')//a/{click /}//p:<x=string(.)>");
    assert_eq!(ran.failures, Vec::<String>::new());
    assert_eq!(ran.records, ["x=storm", "x=calm", "x=leave", "x=calm"]);
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

#[test]
fn a_page_in_a_sandbox_is_read() {
    let Some(stage) = shared() else { return };
    for policy in [
        "sandbox",
        "sandbox allow-scripts",
        "sandbox allow-scripts allow-same-origin allow-forms",
    ] {
        let server = site(move |request: &Request| match request.path.as_str() {
            "/" => Response::html(
                "<h1>page</h1><p id=p>text</p><noscript><i>no</i></noscript><a href=/next>next</a>
                 <script>p.textContent = 'by script'; setTimeout(() => p.textContent = 'later', 20)</script>",
            )
            .with_header("Content-Security-Policy", policy)
            .into(),
            _ => Response::html("<h1>next</h1>").into(),
        });
        let begin = Instant::now();
        let says = if policy == "sandbox" { "x=text" } else { "x=later" };
        let ran = run_with(&stage, 1, &server, "doc('SITE/')//p:<x=string(.)>");
        assert_eq!((ran.records, ran.failures), (vec![says.to_owned()], vec![]), "{policy}");
        let ran = run_with(&stage, 1, &server, "doc('SITE/')//a/{click /}//h1:<x=string(.)>");
        assert_eq!(
            (ran.records, ran.failures),
            (vec!["x=next".to_owned()], vec![]),
            "{policy}"
        );
        let ran = run_with(&stage, 1, &server, "doc('SITE/')//p/{click /}//h1:<x=string(.)>");
        assert_eq!(
            (ran.records, ran.failures),
            (vec!["x=page".to_owned()], vec![]),
            "{policy}"
        );
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "{policy}: {:?}",
            begin.elapsed()
        );
    }
}

#[test]
fn a_file_that_the_user_names_is_opened() {
    let Some(stage) = shared() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("secret.txt"), "a secret").expect("a file");
    let server = site(|_| Response::html("<h1>on the web</h1>").into());
    let page = format!(
        "<h1>title</h1><p id=p></p><script>p.textContent = 'by script';
           fetch('secret.txt').then(r => r.text()).then(t => document.body.append(t)).catch(() => 1)</script>
         <iframe src='secret.txt'></iframe><iframe src='file://{}'></iframe><a id=f href=secret.txt>f</a>
         <b onclick=\"location='secret.txt'\">b</b><i onclick=\"window.open('secret.txt')\">i</i>",
        path("secret.txt")
    );
    std::fs::write(path("a page.html"), page).expect("a file");
    let file = format!("file://{}", path("a%20page.html"));
    let run = |expression: &str| run_with(&stage, 1, &server, &expression.replace("FILE", &file));
    let ran = run("doc('FILE')//p:<x=string(.)>");
    assert_eq!((ran.records, ran.failures), (vec!["x=by script".to_owned()], vec![]));
    let ran = run("doc('FILE#part', [wait=1])/html:<x=contains(., 'a secret')>");
    assert_eq!((ran.records, ran.failures), (vec!["x=false".to_owned()], vec![]));
    // It counts as a public page: where it leads, files are not.
    for way in [
        "//a/{click /}",
        "//b/{click /}",
        "//i/{click /}",
        "//iframe[1]/{movetoframe /}",
    ] {
        let ran = run(&format!("doc('FILE'){way}/html:<x=string(.)>"));
        assert_eq!(
            (ran.records.len(), ran.failures.len()),
            (0, 1),
            "{way}: {:?}",
            ran.records
        );
        assert!(!ran.failures[0].contains("a secret"));
    }
    for (name, says) in [("missing.html", "cannot be read"), ("", "not a regular file")] {
        let ran = run(&format!("doc('file://{}')//p:<x=string(.)>", path(name)));
        assert!(ran.failures[0].contains(says), "{:?}", ran.failures);
    }
    let settings = HttpSettings {
        allow_file: false,
        ..HttpSettings::default()
    };
    let Some(strict) = own_with(Setup::default(), settings) else {
        return;
    };
    let ran = run_with(&strict, 1, &server, &format!("doc('{file}')//p:<x=string(.)>"));
    assert!(
        ran.failures[0].contains("opening files is not allowed"),
        "{:?}",
        ran.failures
    );
}

#[test]
fn pages_from_the_web_reach_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("secret.txt");
    std::fs::write(&path, "a secret").expect("a file");
    let file = format!("file://{}", path.display());
    let to = file.clone();
    let server = site(move |request| match request.path.as_str() {
        "/" => Response::html(format!(
            "<a href='{to}'>a</a><a href=/hop>hop</a><a href=/meta>meta</a><a href=/move>move</a>
             <a href='view-source:{to}'>source</a><a href='chrome://version'>chrome</a>"
        ))
        .into(),
        "/hop" => Response::see_other(&to).into(),
        "/meta" => Response::html(format!("<meta http-equiv=refresh content='0;url={to}'><p>x</p>")).into(),
        "/move" => Response::html(format!(
            "<p>x</p><script>location = '{to}'; window.open('{to}')</script>"
        ))
        .into(),
        _ => Response::html(format!(
            "<p>x</p><iframe src='{to}'></iframe><object data='{to}'></object><embed src='{to}'>
            <script>fetch('{to}').then(r => r.text()).then(t => document.body.append(t)).catch(() => 1)</script>"
        ))
        .into(),
    });
    let Some(stage) = shared() else { return };
    let ran = run_with(&stage, 1, &server, "doc('SITE/')//a/{click /}/html:<x=string(.)>");
    assert!(
        ran.records.iter().all(|record| !record.contains("a secret")),
        "{:?}",
        ran.records
    );
    // The browser ignores a refresh and a script that lead to a file.
    assert_eq!(ran.failures.len(), 4, "{:?} {:?}", ran.failures, ran.records);
    check_on(
        &server,
        "doc('SITE/frames', [wait=1])/html:<x=contains(., 'a secret')>",
        &["x=false"],
    );
}
