//! Who the visitor is: cookies and headers of the user, in a browser.

use super::stage::site;
use demo::server::{Request, Response, Running};
use std::path::Path;
use std::sync::{Arc, Mutex};
use wrapwright::Script;
use wrapwright::drivers::HttpSettings;
use wrapwright::session::{Session, SessionError, SessionSettings};

fn settings() -> SessionSettings {
    SessionSettings {
        web: HttpSettings {
            robots: false,
            ..HttpSettings::default()
        },
        ..SessionSettings::default()
    }
}

/// Runs an expression in a session of its own and gives its values; none without a browser.
fn run(settings: &SessionSettings, expression: &str) -> Option<Vec<String>> {
    let mut session = match Session::chromium(settings) {
        Ok(session) => session,
        Err(SessionError::Browser(error)) if error.message.starts_with("no browser is installed") => {
            skip::skip("wrapwright: browser", &error.message);
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    let script = Script::compile(expression, &[]).unwrap_or_else(|found| panic!("{found:?}"));
    let records = session.run(&script).expect("a run");
    let values = records.map(|record| record.expect("a record").value.unwrap_or_default());
    let values = values.collect();
    session.finish().expect("all is kept");
    Some(values)
}

fn shop() -> Running {
    site(|request| {
        let cookies = request.header("cookie").unwrap_or("").to_owned();
        let mut pairs: Vec<&str> = cookies.split("; ").collect();
        pairs.sort_unstable();
        let page = Response::html(format!(
            "<a href=/next>next</a><p>{}</p><script>1</script>",
            pairs.join("; ")
        ));
        match request.path.as_str() {
            "/" => page
                .with_header("Set-Cookie", "visits=2; Max-Age=9000; Path=/")
                .with_header("Set-Cookie", "old=; Max-Age=0; Path=/")
                .with_header("Set-Cookie", "here=1; HttpOnly"),
            _ => page,
        }
        .into()
    })
}

#[test]
fn cookies_come_from_a_file_and_go_back_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cookies.txt");
    let cookies = "127.0.0.1\tFALSE\t/\tFALSE\t0\tlogin\tsecret\n\
        127.0.0.1\tFALSE\t/\tFALSE\t4000000000\tvisits\t1\n\
        127.0.0.1\tFALSE\t/\tFALSE\t0\told\t1\n\
        .example.org\tTRUE\t/x\tTRUE\t4000000000\tother\tkept\n";
    std::fs::write(&file, cookies).expect("written");
    let settings = SessionSettings {
        cookies: Some(file.clone()),
        ..settings()
    };
    let server = shop();
    let expression = format!("doc('{0}')//p:<x=.>", server.url());
    let Some(values) = run(&settings, &expression) else {
        return;
    };
    assert_eq!(values, ["login=secret; old=1; visits=1"]);
    let names = |file: &Path| -> Vec<String> {
        let text = std::fs::read_to_string(file).expect("a file");
        let lines = text.lines().filter(|line| line.contains('\t'));
        let field = |line: &str, n: usize| line.split('\t').nth(n).unwrap_or("").to_owned();
        let mut names: Vec<String> = lines
            .map(|line| {
                format!(
                    "{} {} {}={}",
                    field(line, 0),
                    field(line, 2),
                    field(line, 5),
                    field(line, 6)
                )
            })
            .collect();
        names.sort_unstable();
        names
    };
    assert_eq!(
        names(&file),
        [
            "#HttpOnly_127.0.0.1 / here=1",
            ".example.org /x other=kept",
            "127.0.0.1 / login=secret",
            "127.0.0.1 / visits=2",
        ]
    );
    // A second run begins where the first ended.
    let Some(values) = run(&settings, &expression) else {
        return;
    };
    assert_eq!(values, ["here=1; login=secret; visits=2"]);
}

/// A server that notes the path and some headers of each request.
fn noting(page: impl Fn(&Request) -> Response + Send + Sync + 'static) -> (Running, Arc<Mutex<Vec<String>>>) {
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let writes = Arc::clone(&log);
    let server = site(move |request| {
        let told = ["x-token", "x-site", "accept-language", "cookie", "authorization"];
        let told = told
            .iter()
            .filter_map(|name| Some(format!(" {name}={}", request.header(name)?)));
        let line = format!("{}{}", request.path, told.collect::<String>());
        writes.lock().expect("no panic").push(line);
        page(request).into()
    });
    (server, log)
}

#[test]
fn headers_go_to_the_sites_that_the_user_named() {
    let (other, at_other) = noting(|request| match request.path.as_str() {
        "/script.js" => Response::text("1").with_header("Content-Type", "text/javascript"),
        path => {
            // A page of somebody else makes requests to the named site.
            let named = request.value("from").unwrap_or("").to_owned();
            Response::html(format!(
                "<p>other {path}</p><script>fetch('http://{named}/stolen', {{ mode: 'no-cors' }})</script>"
            ))
        }
    });
    let at = other
        .url()
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .to_owned();
    let elsewhere = at.clone();
    let (named, at_named) = noting(move |request| {
        let own = request.header("host").unwrap_or("");
        match request.path.as_str() {
            "/" => Response::html(format!(
                "<a href=/moved>a</a><a href='http://{elsewhere}/linked?from={own}'>b</a>
                 <script>fetch('/api')</script><script src='http://{elsewhere}/script.js'></script>
                 <form action=/post method=post><button name=q value=1>go</button></form>"
            )),
            "/moved" => Response::plain(302).with_header("Location", format!("http://{elsewhere}/moved?from={own}")),
            path => Response::html(format!("<p>named {path}</p>")),
        }
    });
    let mut settings = settings();
    settings.set_header("X-Token", "secret");
    settings.set_header("Accept-Language", "de");
    settings.set_header("Cookie", "own=1");
    settings.web.site_headers = [(at, vec![("X-Site".to_owned(), "ä b".to_owned())])].into();
    let expression = format!("doc('{}')(//a|//button)/{{click /}}//p:<x=.>", named.url()).replace(")(", ")/(");
    let Some(mut values) = run(&settings, &expression) else {
        return;
    };
    values.sort_unstable();
    assert_eq!(values, ["named /post", "other /linked", "other /moved"]);
    let sorted = |log: &Mutex<Vec<String>>| {
        let mut lines = log.lock().expect("no panic").clone();
        lines.retain(|line| !line.starts_with("/favicon"));
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    let own = "x-token=secret accept-language=de cookie=own=1";
    let (stolen, received): (Vec<String>, Vec<String>) = sorted(&at_named)
        .into_iter()
        .partition(|line| line.starts_with("/stolen"));
    assert_eq!(
        received,
        ["/", "/api", "/moved", "/post"].map(|path| format!("{path} {own}"))
    );
    // A page of somebody else does not send the user's headers, nor does anything else go there.
    assert_eq!(stolen.len(), 1, "{stolen:?}");
    let at_other = sorted(&at_other);
    assert_eq!(at_other.len(), 3, "{at_other:?}");
    for line in stolen.iter().chain(&at_other) {
        assert!(!line.contains("secret") && !line.contains("own=1"), "{line}");
    }
    at_other
        .iter()
        .for_each(|line| assert!(line.contains("x-site="), "{line}"));
}

#[test]
fn a_running_browser_keeps_its_cookies() {
    let mut settings = settings();
    settings.cookies = Some("cookies.txt".into());
    settings.browser.connect = Some("ws://127.0.0.1:1/".to_owned());
    let refused = Session::chromium(&settings).expect_err("refused");
    assert!(refused.to_string().contains("its own cookies"), "{refused}");
}
