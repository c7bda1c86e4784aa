//! Forms, through both drivers: the server must receive the same.
//!
//! Each case is a form and an action on it. It runs over plain HTTP and in the browser, there once on a page without
//! scripts and once on a page with one, because the browser's driver goes other ways then. What the server received is
//! compared: method, address, content type and body. Two things differ by nature and are made the same: the boundary of a
//! multipart body, and the coordinates of an image button, which is clicked in its middle.

use super::stage::{Ran, Stage, run_with, run_with_driver, shared, site};
use demo::server::{Request, Response, Running};
use std::sync::{Arc, Mutex};
use wrapwright::drivers::{HttpSettings, Web, Wire};

/// A form, an action on it, and what the server receives.
struct Case {
    name: &'static str,
    html: &'static str,
    action: &'static str,
    /// `METHOD target [type] body`, line breaks as `|`.
    received: &'static [&'static str],
}

const FIELDS: &str = "<input name=a value='x y'><input type=hidden name=h value='ä&'>";
const URLENCODED: &str = "a=x+y&h=%C3%A4%26";

const CASES: &[Case] = &[
    Case {
        name: "get",
        html: "<form action=/got>FIELDS<button>go</button></form>",
        action: "//button/{click /}",
        received: &["GET /got?URLENCODED"],
    },
    Case {
        name: "get replaces the query of the address",
        html: "<form action='/got?old=1#f'>FIELDS<button>go</button></form>",
        action: "//button/{click /}",
        received: &["GET /got?URLENCODED"],
    },
    Case {
        name: "post",
        html: "<form action=/got method=post>FIELDS<button>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED"],
    },
    Case {
        name: "post keeps the query of the address",
        html: "<form action='/got?old=1' method=POST>FIELDS<button>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got?old=1 [application/x-www-form-urlencoded] URLENCODED"],
    },
    Case {
        name: "the page itself",
        html: "<form method=post>FIELDS<button>go</button></form>",
        action: "//button/{click /}",
        received: &["POST / [application/x-www-form-urlencoded] URLENCODED"],
    },
    Case {
        name: "formaction",
        html: "<form action=/wrong>FIELDS<button formaction=/got>go</button></form>",
        action: "//button/{click /}",
        received: &["GET /got?URLENCODED"],
    },
    Case {
        name: "formmethod post",
        html: "<form action=/got>FIELDS<button formmethod=post>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED"],
    },
    Case {
        name: "formmethod post, by an input",
        html: "<form action=/got>FIELDS<input type=submit formmethod=POST></form>",
        action: "//input[@type='submit']/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED"],
    },
    Case {
        name: "formmethod post by {submit}",
        html: "<form action=/got>FIELDS<button formmethod=post>go</button></form>",
        action: "//button/{submit /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED"],
    },
    Case {
        name: "formmethod post by Enter",
        html: "<form action=/got>FIELDS<button formmethod=post>go</button></form>",
        action: "//input[@name='a']/{press 'Enter' /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED"],
    },
    Case {
        name: "formmethod get",
        html: "<form action=/got method=post>FIELDS<button formmethod=get>go</button></form>",
        action: "//button/{click /}",
        received: &["GET /got?URLENCODED"],
    },
    Case {
        name: "formmethod that is no method",
        html: "<form action=/got method=post>FIELDS<button formmethod=put>go</button></form>",
        action: "//button/{click /}",
        received: &["GET /got?URLENCODED"],
    },
    Case {
        name: "formmethod, formaction and formenctype",
        html: "<form action=/wrong>FIELDS<button formmethod=post formaction='/got?q=1' formenctype=multipart/form-data>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got?q=1 [multipart/form-data; boundary=B] MULTIPART"],
    },
    Case {
        name: "formenctype text/plain",
        html: "<form action=/got method=post>FIELDS<button formenctype=text/plain>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got [text/plain] a=x y|h=ä&|"],
    },
    Case {
        name: "formenctype multipart",
        html: "<form action=/got method=post>FIELDS<button formenctype=multipart/form-data>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got [multipart/form-data; boundary=B] MULTIPART"],
    },
    Case {
        name: "multipart",
        html: "<form action=/got method=post enctype=multipart/form-data>FIELDS<button>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got [multipart/form-data; boundary=B] MULTIPART"],
    },
    Case {
        name: "multipart with an empty file",
        html: "<form action=/got method=post enctype=multipart/form-data><input type=file name=f><button>go</button></form>",
        action: "//button/{click /}",
        received: &[
            "POST /got [multipart/form-data; boundary=B] --B|Content-Disposition: form-data; name=\"f\"; filename=\"\"|Content-Type: application/octet-stream|||--B--|",
        ],
    },
    Case {
        name: "text/plain",
        html: "<form action=/got method=post enctype=text/plain>FIELDS<textarea name=t>1\n2</textarea><button>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got [text/plain] a=x y|h=ä&|t=1|2|"],
    },
    Case {
        name: "an encoding without effect",
        html: "<form action=/got enctype=multipart/form-data>FIELDS<button>go</button></form>",
        action: "//button/{click /}",
        received: &["GET /got?URLENCODED"],
    },
    Case {
        name: "a button outside",
        html: "<form id=f action=/got method=post>FIELDS</form><button form=f name=b value=1>go</button>",
        action: "//button/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED&b=1"],
    },
    Case {
        name: "a button outside, with formmethod",
        html: "<form id=f action=/wrong>FIELDS</form><button form=f formmethod=post formaction=/got>go</button>",
        action: "//button/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED"],
    },
    Case {
        name: "a field outside",
        html: "<form id=f action=/got>FIELDS<button>go</button></form><input form=f name=o value=1>",
        action: "//button/{click /}",
        received: &["GET /got?URLENCODED&o=1"],
    },
    Case {
        name: "an image button with a name",
        html: "<form action=/got>FIELDS<input type=image name=i alt=go></form>",
        action: "//input[@type='image']/{click /}",
        received: &["GET /got?URLENCODED&i.x=N&i.y=N"],
    },
    Case {
        name: "an image button without a name",
        html: "<form action=/got>FIELDS<input type=image alt=go formmethod=post></form>",
        action: "//input[@type='image']/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED&x=N&y=N"],
    },
    Case {
        name: "the button that is pressed",
        html: "<form action=/got>FIELDS<button name=b value=1>one</button><button name=b value=2>two</button></form>",
        action: "//button[2]/{click /}",
        received: &["GET /got?URLENCODED&b=2"],
    },
    Case {
        name: "Enter presses the first button",
        html: "<form action=/got method=post>FIELDS<button name=b value=1>one</button><button name=b value=2>two</button></form>",
        action: "//input[@name='a']/{press 'Enter' /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED&b=1"],
    },
    Case {
        name: "Enter after text",
        html: "<form action=/got><input name=q></form>",
        action: "//input/{'a b\n' /}",
        received: &["GET /got?q=a+b"],
    },
    Case {
        name: "{submit} presses no button",
        html: "<form action=/got method=post>FIELDS<button name=b value=1>one</button></form>",
        action: "//form/{submit /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED"],
    },
    Case {
        name: "disabled fields",
        html: "<form action=/got method=post>FIELDS<input name=d value=1 disabled>
               <fieldset disabled><legend><input name=l value=2></legend><input name=g value=3></fieldset>
               <select name=s><option disabled selected>no<option>yes</select><button>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] URLENCODED&l=2"],
    },
    Case {
        name: "boxes, lists and texts",
        html: "<form action=/got method=post><input type=checkbox name=c checked><input type=checkbox name=d>
               <input type=radio name=r value=1><input type=radio name=r value=2 checked>
               <select name=s><option value=1>one<option>two</select>
               <select name=m multiple><option selected>p<option>q<option selected>r</select>
               <textarea name=t>\none\ntwo</textarea><input value=nameless><button>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] c=on&r=2&s=1&m=p&m=r&t=one%0D%0Atwo"],
    },
    Case {
        name: "what was typed and chosen",
        html: "<form action=/got method=post><input name=a><textarea name=t></textarea>
               <select name=s><option>one<option>two</select><input type=checkbox name=c><button>go</button></form>",
        action: "//input[@name='a']/{'ä b'}/following::textarea[1]/{'x'}/following::select[1]/{'two'}/following::input[1]/{check}/following::button[1]/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] a=%C3%A4+b&t=x&s=two&c=on"],
    },
    Case {
        name: "dialog",
        html: "<dialog open><form method=dialog>FIELDS<button>go</button></form></dialog>",
        action: "//button/{click /}",
        received: &[],
    },
    Case {
        name: "formmethod dialog",
        html: "<dialog open><form action=/got method=post>FIELDS<button formmethod=dialog>go</button></form></dialog>",
        action: "//button/{click /}",
        received: &[],
    },
    Case {
        name: "the form's own encoding",
        html: "<form action=/got accept-charset=iso-8859-1><input name=a value='ä'><button>go</button></form>",
        action: "//button/{click /}",
        received: &["GET /got?a=%E4"],
    },
    Case {
        name: "the name of the encoding",
        html: "<form action=/got method=post><input type=hidden name=_charset_><button>go</button></form>",
        action: "//button/{click /}",
        received: &["POST /got [application/x-www-form-urlencoded] _charset_=UTF-8"],
    },
    Case {
        name: "the direction of fields",
        html: "<form action=/got><input name=a value=x dirname=a.dir>
               <p dir=rtl><input name=b value=x dirname=b.dir><input name=c value='א' dirname=c.dir dir=auto></p>
               <button>go</button></form>",
        action: "//button/{click /}",
        received: &["GET /got?a=x&a.dir=ltr&b=x&b.dir=rtl&c=%D7%90&c.dir=rtl"],
    },
];

const MULTIPART: &str =
    "--B|Content-Disposition: form-data; name=\"a\"||x y|--B|Content-Disposition: form-data; name=\"h\"||ä&|--B--|";

/// A page with the form of a case, and a list of what it received.
fn stage_of(html: String) -> (Running, Arc<Mutex<Vec<String>>>) {
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let writes = Arc::clone(&log);
    let server = site(move |request| {
        let (method, target) = (request.method.as_str(), request.target.as_str());
        match (method, target) {
            ("GET", "/favicon.ico" | "/robots.txt") => return Response::plain(404).into(),
            ("GET", "/") => {}
            _ => writes.lock().expect("no panic").push(line(request)),
        }
        let page = match request.path.as_str() {
            "/" if method == "GET" && target == "/" => html.clone(),
            _ => String::new(),
        };
        Response::html(format!("<!doctype html><title>t</title>{page}<p>{method}</p>")).into()
    });
    (server, log)
}

/// What was received, in a line.
fn line(request: &Request) -> String {
    let mut line = format!("{} {}", request.method, request.target);
    let body = String::from_utf8_lossy(&request.body).replace("\r\n", "|");
    if let Some(kind) = request.header("content-type") {
        line += &format!(" [{kind}] {body}");
        if let Some((_, boundary)) = kind.split_once("boundary=") {
            line = line.replace(boundary, "B");
        }
    }
    for coordinate in ["x=", "y="] {
        for before in ["&", "."] {
            let name = format!("{before}{coordinate}");
            if let Some((head, tail)) = line.split_once(&name) {
                line = format!("{head}{name}N{}", tail.trim_start_matches(|c: char| c.is_ascii_digit()));
            }
        }
    }
    line
}

/// Runs a case and gives what the server received.
fn received(html: &str, action: &str, run: impl FnOnce(&Running, &str) -> Ran) -> Vec<String> {
    let (server, log) = stage_of(html.replace("FIELDS", FIELDS));
    let ran = run(&server, &format!("doc('SITE/'){action}//p:<x=string(.)>"));
    let mut got = log.lock().expect("no panic").clone();
    got.extend(ran.failures.iter().map(|why| format!("failed: {why}")));
    got
}

fn in_browser(stage: &Stage) -> impl Fn(&Running, &str) -> Ran {
    |server, expression| run_with(stage, 1, server, expression)
}

fn over_http(server: &Running, expression: &str) -> Ran {
    let settings = HttpSettings {
        robots: false,
        ..HttpSettings::default()
    };
    let mut driver = Web::over(Wire::new(&settings).expect("a transport"), settings);
    run_with_driver(&mut driver, server, expression)
}

#[test]
fn both_drivers_send_the_same() {
    let stage = shared();
    let mut wrong = Vec::new();
    for case in CASES {
        let expected: Vec<String> = case
            .received
            .iter()
            .map(|line| line.replace("URLENCODED", URLENCODED).replace("MULTIPART", MULTIPART))
            .collect();
        let mut compare = |by: &str, got: Vec<String>| {
            if got != expected {
                wrong.push(format!("{}, {by}: got {got:?}, expected {expected:?}", case.name));
            }
        };
        compare("http", received(case.html, case.action, over_http));
        let Some(stage) = &stage else { continue };
        compare("chromium", received(case.html, case.action, in_browser(stage)));
        let scripted = format!("{}<script>0</script>", case.html);
        compare(
            "chromium, scripted",
            received(&scripted, case.action, in_browser(stage)),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
