//! What actions do without scripts, over pages in memory: each row is a page, an action on the element with the id
//! `x`, and what comes of it.

use browse::{HttpSettings, Memory, Request, Response};
use page::driver::{Action, Driver, DriverError, FailureKind, Live, Options, Outcome};
use page::{NodeId, Remedy};

const START: &str = "http://site.test/dir/start?q=1";

/// A driver that has `html` at [`START`] and an empty page everywhere else.
fn driver(html: &str) -> Memory {
    let html = html.to_owned();
    Memory::with(move |request| {
        Some(Response::html(if request.url.as_str() == START {
            html.as_str()
        } else {
            ""
        }))
    })
}

fn by_id(live: &Live, id: &str) -> NodeId {
    live.page
        .element_by_id(id)
        .unwrap_or_else(|| panic!("no element has the id {id}"))
}

fn start(driver: &mut Memory) -> Live {
    driver.open(START, &Options::default()).unwrap()
}

fn act(driver: &mut Memory, on: &Live, id: &str, action: Action) -> Result<Outcome, DriverError> {
    driver.act(on, by_id(on, id), &action, &Options::default())
}

/// Does each step in turn, each on the page that the one before left, and tells the last request but the first.
fn run(html: &str, steps: &[(&str, Action)]) -> Result<String, DriverError> {
    let mut driver = driver(html);
    let mut live = start(&mut driver);
    let mut last = "same".to_owned();
    for (id, action) in steps {
        let before = driver.requests();
        live = match act(&mut driver, &live, id, action.clone())? {
            Outcome::Same(after) => {
                assert!(std::sync::Arc::ptr_eq(&after.page, &live.page), "the same tree");
                assert_eq!(driver.requests(), before, "nothing is asked for");
                after
            }
            Outcome::New(after) => {
                last = driver.log()[before].clone();
                after
            }
        };
    }
    Ok(last)
}

#[test]
fn links() {
    let rows: &[(&str, &str)] = &[
        ("<a id=x href=two>", "GET http://site.test/dir/two"),
        ("<a id=x href='?q=2#p'>", "GET http://site.test/dir/start?q=2#p"),
        ("<a href=two><b><img id=x></b></a>", "GET http://site.test/dir/two"),
        (
            "<a href=two><span id=x onclick='f()'></span></a>",
            "GET http://site.test/dir/two",
        ),
        ("<a id=x href='//other.test'>", "GET http://other.test/"),
        ("<base href=/root/><a id=x href=two>", "GET http://site.test/root/two"),
        (
            "<base href=http://other.test><a id=x href='#top'>",
            "GET http://other.test/#top",
        ),
        ("<map><area id=x href=two></map>", "GET http://site.test/dir/two"),
        ("<svg><a id=x xlink:href=two></a></svg>", "GET http://site.test/dir/two"),
        (
            "<a id=x href='two words?ä'>",
            "GET http://site.test/dir/two%20words?%C3%A4",
        ),
        ("<a id=x href=''>", "GET http://site.test/dir/start?q=1"),
        (
            "<a id=x href=two onclick='return go()'>",
            "GET http://site.test/dir/two",
        ),
        ("<a id=x href='#'>", "same"),
        ("<a id=x href='#part'>", "same"),
        ("<a id=x href='/dir/start?q=1#part'>", "same"),
        ("<details><summary id=x>more</summary>text</details>", "same"),
    ];
    for (html, expected) in rows {
        assert_eq!(run(html, &[("x", Action::Click)]).unwrap(), *expected, "{html}");
        assert_eq!(run(html, &[("x", Action::DoubleClick)]).unwrap(), *expected, "{html}");
    }
    // An attribute or a text stands for its element.
    let mut driver = driver("<a id=x href=two>text</a>");
    let live = start(&mut driver);
    for node in live
        .page
        .attributes(by_id(&live, "x"))
        .chain(live.page.texts().iter().map(|n| n.0))
    {
        let outcome = driver
            .act(&live, NodeId(node), &Action::Click, &Options::default())
            .unwrap();
        assert_eq!(&*outcome.live().url, "http://site.test/dir/two");
    }
}

#[test]
fn addresses_and_forms_are_in_the_encoding_of_the_page() {
    let html = "<meta charset=latin1><a id=a href='two-&auml;?&auml;'></a><form action=two><input name=q value='&auml;&#x4e00;'>";
    let answer = move |_: &Request| {
        Some(Response {
            status: 200,
            body: html.into(),
            ..Response::default()
        })
    };
    let mut driver = Memory::with(answer);
    let live = start(&mut driver);
    act(&mut driver, &live, "a", Action::Click).unwrap();
    let form = live.page.elements_named(live.page.name_id("form").unwrap())[0];
    driver.act(&live, form, &Action::Submit, &Options::default()).unwrap();
    let expected = [
        "GET http://site.test/dir/two-%C3%A4?%E4",
        "GET http://site.test/dir/two?q=%E4%26%2319968%3B",
    ];
    assert_eq!(driver.log()[1..], expected);
}

#[test]
fn what_only_a_script_can_do_is_refused() {
    let rows = [
        "<a id=x href='javascript:go()'>",
        "<a id=x href=' JavaScript:void(0)'>",
        "<a id=x href='#' onclick='go()'>",
        "<a id=x>",
        "<div id=x onclick='go()'>",
        "<div id=x>",
        "<button id=x type=button>",
        "<form><input id=x type=button></form>",
        "<button id=x>",
        "<form action='javascript:go()'><button id=x></form>",
    ];
    for html in rows {
        let error = run(html, &[("x", Action::Click)]).unwrap_err();
        assert_eq!(error.kind, FailureKind::NeedsBrowser, "{html}");
        assert_eq!(error.remedy, Some(Remedy::UseBrowser));
    }
    let error = run("<a id=x class=more>", &[("x", Action::Click)]).unwrap_err();
    let expected = "only a script can tell what happens when <a id=\"x\" class=\"more\"> is clicked (use a browser, which runs scripts)";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn forms() {
    let click = || ("x", Action::Click);
    let text = |id, text: &str| (id, Action::Type(text.to_owned()));
    let key = |id, key: &str| (id, Action::Press(key.to_owned()));
    let select = |id, text: &str| (id, Action::Select(text.to_owned()));
    type Row<'r> = (&'r str, Vec<(&'r str, Action)>, &'r str);
    let rows: Vec<Row> = vec![
        (
            "<form><input name=a value=1><button id=x>",
            vec![click()],
            "GET http://site.test/dir/start?a=1",
        ),
        (
            "<form action=/find?old><input name=a><input id=x type=submit name=go value=Go>",
            vec![click()],
            "GET http://site.test/find?a=&go=Go",
        ),
        (
            "<form action=/find method=POST><input name=a value='1 2'><button id=x>",
            vec![click()],
            "POST http://site.test/find a=1+2",
        ),
        (
            "<base href=/root/><form><button id=x>",
            vec![click()],
            "GET http://site.test/dir/start?",
        ),
        (
            "<base href=/root/><form action=f><button id=x>",
            vec![click()],
            "GET http://site.test/root/f?",
        ),
        (
            "<form action=/a><button id=x formaction=/b formmethod=post name=n value=v>",
            vec![click()],
            "POST http://site.test/b n=v",
        ),
        (
            "<form action=/a method=post><button id=x formmethod=get formaction=/b name=n value=v>",
            vec![click()],
            "GET http://site.test/b?n=v",
        ),
        (
            "<form action=/a method=post><input name=q value=1><input type=submit id=x formenctype=text/plain>",
            vec![click()],
            "POST http://site.test/a q=1\r\n",
        ),
        (
            "<form action=/a><input type=image id=x formaction=/b>",
            vec![click()],
            "GET http://site.test/b?x=0&y=0",
        ),
        (
            "<form action=/a><fieldset disabled><legend><input name=l value=1></legend><input name=q value=2></fieldset>\
             <input name=d value=3 disabled><button id=x>",
            vec![click()],
            "GET http://site.test/a?l=1",
        ),
        (
            "<form action=/a id=f><input name=in value=1></form><form action=/b><input name=out value=2 form=f>\
             <button id=x form=f formaction=/c></form>",
            vec![click()],
            "GET http://site.test/c?in=1&out=2",
        ),
        (
            "<form action=/a id=f></form><input name=q form=f value=1><button id=x form=f>",
            vec![click()],
            "GET http://site.test/a?q=1",
        ),
        (
            "<form action=/a><input id=x type=image name=i>",
            vec![click()],
            "GET http://site.test/a?i.x=0&i.y=0",
        ),
        (
            "<form action=/a><label id=x for=b></label><button id=b name=n value=v>",
            vec![click()],
            "GET http://site.test/a?n=v",
        ),
        // Typing, then Enter, a line break, {submit}.
        (
            "<form action=/a><input id=t name=q value=old><button name=go value=1>",
            vec![text("t", "new"), key("t", "Enter")],
            "GET http://site.test/a?q=new&go=1",
        ),
        (
            "<form action=/a><input id=t name=q>",
            vec![text("t", "new\n")],
            "GET http://site.test/a?q=new",
        ),
        (
            "<form action=/a><input id=t name=q><input name=r><button name=go>",
            vec![text("t", "new"), ("t", Action::Submit)],
            "GET http://site.test/a?q=new&r=",
        ),
        (
            "<form id=x action=/a><input name=q><button name=go>",
            vec![("x", Action::Submit)],
            "GET http://site.test/a?q=",
        ),
        (
            "<form action=/a><input name=q><button id=x name=go value=1>",
            vec![("x", Action::Submit)],
            "GET http://site.test/a?q=&go=1",
        ),
        (
            "<form action=/a><p id=x></p><input name=q>",
            vec![("x", Action::Submit)],
            "GET http://site.test/a?q=",
        ),
        (
            "<form id=x action=/a method=post><textarea id=t name=q></textarea>",
            vec![
                text("t", "a\nb"),
                key("t", "Enter"),
                key("t", "c"),
                ("x", Action::Submit),
            ],
            "POST http://site.test/a q=a%0D%0Ab%0D%0Ac",
        ),
        (
            "<form id=x action=/a><input id=t name=q value=a>",
            vec![key("t", "b"), key("t", "Tab"), key("t", "Enter")],
            "GET http://site.test/a?q=ab",
        ),
        (
            "<form action=/a><label id=l>Name <input name=q></label><button id=x>",
            vec![text("l", "v"), click()],
            "GET http://site.test/a?q=v",
        ),
        (
            "<form action=/a><input type=hidden id=h name=q value=1><button id=x>",
            vec![text("h", "2"), click()],
            "GET http://site.test/a?q=2",
        ),
        // Boxes.
        (
            "<form action=/a><input id=c type=checkbox name=c><button id=x>",
            vec![("c", Action::Click), click()],
            "GET http://site.test/a?c=on",
        ),
        (
            "<form action=/a><input id=c type=checkbox name=c><button id=x>",
            vec![("c", Action::DoubleClick), click()],
            "GET http://site.test/a?",
        ),
        (
            "<form action=/a><input id=c type=checkbox name=c><button id=x>",
            vec![("c", Action::Check), ("c", Action::Check), click()],
            "GET http://site.test/a?c=on",
        ),
        (
            "<form action=/a><input id=c type=checkbox name=c checked><button id=x>",
            vec![("c", Action::Uncheck), click()],
            "GET http://site.test/a?",
        ),
        (
            "<form action=/a><label><input type=checkbox name=c><b id=l>text</b></label><button id=x>",
            vec![("l", Action::Click), click()],
            "GET http://site.test/a?c=on",
        ),
        (
            "<form action=/a><input type=radio name=r value=1 checked><input id=r type=radio name=r value=2><button id=x>",
            vec![("r", Action::Click), click()],
            "GET http://site.test/a?r=2",
        ),
        // Choices.
        (
            "<form action=/a><select id=s name=s><option>a<option value=2>b</select><button id=x>",
            vec![select("s", "b"), click()],
            "GET http://site.test/a?s=2",
        ),
        (
            "<form action=/a><select id=s name=s><option>a<option value=2>b</select><button id=x>",
            vec![select("s", "2"), click()],
            "GET http://site.test/a?s=2",
        ),
        (
            "<form action=/a><select id=s name=s><option>a<option value=2>b</select><button id=x>",
            vec![text("s", "b"), click()],
            "GET http://site.test/a?s=2",
        ),
        (
            "<form action=/a><select id=s name=s><option>a<option value=2>b</select><button id=x>",
            vec![("s", Action::SelectIndex(1)), click()],
            "GET http://site.test/a?s=2",
        ),
        (
            "<form action=/a><select name=s><option>a<option id=o value=2>b</select><button id=x>",
            vec![("o", Action::Click), click()],
            "GET http://site.test/a?s=2",
        ),
        (
            "<form action=/a><select id=s name=s multiple><option selected>a<option>b<option id=o>c</select><button id=x>",
            vec![select("s", "b"), ("o", Action::Click), ("o", Action::Click), click()],
            "GET http://site.test/a?s=a&s=b",
        ),
        // Back to the start.
        (
            "<form action=/a><input id=t name=q value=1><input id=r type=reset><button id=x>",
            vec![text("t", "2"), ("r", Action::Click), click()],
            "GET http://site.test/a?q=1",
        ),
        // Nothing happens.
        (
            "<p id=x>",
            vec![
                ("x", Action::MouseOver),
                ("x", Action::Focus),
                ("x", Action::Scroll),
                ("x", Action::Mouse("wheel".into())),
            ],
            "same",
        ),
        ("<form method=dialog><button id=x>", vec![click()], "same"),
        (
            "<form><select id=x><option>a</select><input id=y>",
            vec![click(), ("y", Action::Click)],
            "same",
        ),
        // Elsewhere.
        (
            "<iframe id=x src=frame></iframe>",
            vec![("x", Action::EnterFrame)],
            "GET http://site.test/dir/frame",
        ),
        (
            "<frameset><frame id=x src=frame></frameset>",
            vec![("x", Action::MoveToFrame)],
            "GET http://site.test/dir/frame",
        ),
        (
            "<link id=x rel=next href=two>",
            vec![("x", Action::MoveToHref)],
            "GET http://site.test/dir/two",
        ),
        (
            "<a id=x href=two>",
            vec![key("x", "Enter")],
            "GET http://site.test/dir/two",
        ),
    ];
    for (html, steps, expected) in rows {
        assert_eq!(
            run(html, &steps).unwrap_or_else(|e| panic!("{html}: {e}")),
            expected,
            "{html}"
        );
    }
}

#[test]
fn what_a_node_does_not_take_is_refused() {
    let text = || Action::Type("t".into());
    let rows: Vec<(&str, Action, &str)> = vec![
        (
            "<p id=x>",
            text(),
            "<p id=\"x\"> cannot be typed into, expected an input, a textarea or a select",
        ),
        ("<input id=x disabled>", text(), "<input id=\"x\"> is disabled"),
        ("<input id=x readonly>", text(), "<input id=\"x\"> is read-only"),
        (
            "<input type=file id=x>",
            text(),
            "<input type=\"file\" id=\"x\"> expects a file, and files cannot be uploaded",
        ),
        (
            "<form><fieldset disabled><button id=x>",
            Action::Click,
            "<button id=\"x\"> is disabled",
        ),
        (
            "<p id=x>",
            Action::Submit,
            "<p id=\"x\"> cannot be submitted, expected a form, or an element of one",
        ),
        (
            "<input id=x>",
            Action::Check,
            "<input id=\"x\"> cannot be checked, expected a checkbox or a radio button",
        ),
        (
            "<input id=x type=radio>",
            Action::Uncheck,
            "<input type=\"radio\" id=\"x\"> cannot be unchecked (check another button of its group)",
        ),
        (
            "<select id=x><option>a<option>b",
            Action::Select("c".into()),
            "<select id=\"x\"> has no option \"c\" (it has \"a\", \"b\")",
        ),
        (
            "<select id=x><option>a",
            Action::SelectIndex(1),
            "<select id=\"x\"> has 1 options, none has the index 1 (indices start at 0)",
        ),
        (
            "<select><option id=x disabled>a",
            Action::Click,
            "<option id=\"x\"> is disabled",
        ),
        (
            "<p id=x>",
            Action::SelectIndex(1),
            "<p id=\"x\"> cannot be chosen from, expected a select",
        ),
        (
            "<p id=x>",
            Action::EnterFrame,
            "<p id=\"x\"> cannot be entered, expected an iframe or a frame",
        ),
        (
            "<p id=x>",
            Action::MoveToHref,
            "<p id=\"x\"> cannot be moved to, expected an element with href",
        ),
        (
            "<form><input id=x><input>",
            Action::Press("Enter".into()),
            "Enter does not submit the form of <input id=\"x\">: it has several fields and no submit button ({submit} submits it)",
        ),
    ];
    for (html, action, expected) in rows {
        let error = run(html, &[("x", action)]).unwrap_err();
        assert_eq!(
            (error.kind, error.to_string().as_str()),
            (FailureKind::NotActionable, expected),
            "{html}"
        );
    }
    let mut driver = driver("<p>");
    let live = start(&mut driver);
    let error = driver
        .act(&live, NodeId(1_000_000), &Action::Click, &Options::default())
        .unwrap_err();
    assert_eq!(error.kind, FailureKind::NotActionable);
    let error = driver
        .act(&live, NodeId::DOCUMENT, &Action::Click, &Options::default())
        .unwrap_err();
    assert_eq!(error.kind, FailureKind::NeedsBrowser);
}

#[test]
fn pages_may_not_send_us_anywhere() {
    let rows = [
        "file:///etc/passwd",
        "ftp://a.test/",
        "mailto:a@b.test",
        "data:text/html,x",
        "about:blank",
        "blob:x",
    ];
    for href in rows {
        for html in [
            format!("<a id=x href='{href}'>"),
            format!("<form action='{href}'><button id=x>"),
        ] {
            let error = run(&html, &[("x", Action::Click)]).unwrap_err();
            assert_eq!(error.kind, FailureKind::Forbidden, "{html}: {error}");
        }
    }
    let error = run("<a id=x href='http://a b/'>", &[("x", Action::Click)]).unwrap_err();
    assert_eq!(error.kind, FailureKind::BadUrl);
    let mut redirects = Memory::with(|_| Some(Response::status(302).with("Location", "file:///etc/passwd")));
    let error = redirects.open(START, &Options::default()).unwrap_err();
    assert_eq!(error.kind, FailureKind::Forbidden);
    let error = redirects.open("file:///etc/passwd", &Options::default()).unwrap_err();
    assert_eq!(error.kind, FailureKind::Forbidden, "memory opens no files");
}

#[test]
fn frames_in_the_page_itself() {
    let mut driver = driver("<iframe id=x srcdoc='<p id=in>inside <a href=two id=a></a>'></iframe>");
    let live = start(&mut driver);
    let inside = act(&mut driver, &live, "x", Action::EnterFrame).unwrap().into_live();
    assert_eq!(inside.page.string_value(by_id(&inside, "in")), "inside ");
    let outcome = act(&mut driver, &inside, "a", Action::Click).unwrap();
    assert_eq!(&*outcome.live().url, "http://site.test/dir/two");
}

#[test]
fn redirects_keep_what_the_status_says() {
    let answer = |request: &Request| {
        let path = request.url.path().to_owned();
        let redirect = |status| Response::status(status).with("Location", "/end?done");
        Some(match &*path {
            "/start" => Response::html(
                "<form method=post action=/302><input name=a value=1><button id=302></button></form>\
                 <form method=post action=/303><input name=a value=1><button id=303></button></form>\
                 <form method=post action=/307><input name=a value=1><button id=307></button></form>\
                 <form action=/301#part><input name=a value=1><button id=301></button></form>",
            ),
            "/301" => redirect(301),
            "/302" => redirect(302),
            "/303" => redirect(303),
            "/307" => redirect(307),
            "/loop" => Response::status(301).with("Location", "/loop"),
            "/nowhere" => Response::status(302),
            "/bad" => Response::status(302).with("Location", "http://:80:80/"),
            _ => Response::html(""),
        })
    };
    let mut driver = Memory::with(answer);
    let live = driver.open("http://site.test/start", &Options::default()).unwrap();
    let rows = [
        ("301", "GET http://site.test/end?done#part"),
        ("302", "GET http://site.test/end?done"),
        ("303", "GET http://site.test/end?done"),
        ("307", "POST http://site.test/end?done a=1"),
    ];
    for (id, expected) in rows {
        let outcome = act(&mut driver, &live, id, Action::Click).unwrap();
        assert_eq!(driver.log().last().unwrap(), expected);
        assert!(outcome.live().url.starts_with("http://site.test/end?done"));
    }
    let before = driver.requests();
    let error = driver.open("http://site.test/loop", &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "http://site.test/loop redirects more than 10 times");
    assert_eq!(driver.requests() - before, 11);
    let error = driver
        .open("http://site.test/nowhere", &Options::default())
        .unwrap_err();
    assert_eq!(error.kind, FailureKind::Status(302));
    let error = driver.open("http://site.test/bad", &Options::default()).unwrap_err();
    assert_eq!(error.kind, FailureKind::BadUrl);
}

#[test]
fn cookies_and_referrers_go_where_they_belong() {
    let mut driver = Memory::with(|request| {
        let cookie = request.header("cookie").unwrap_or("-");
        let referrer = request.header("referer").unwrap_or("-");
        let html = format!(
            "<p id=c>{cookie}</p><p id=r>{referrer}</p><a id=same href=/b>b</a><a id=other href=http://two.test/>2</a>"
        );
        let answer = Response::html(html);
        Some(match request.url.path() {
            "/set" => answer
                .with("Set-Cookie", "b=2; Path=/")
                .with("Set-Cookie", "a=1")
                .with("Set-Cookie", "s=1; Secure"),
            _ => answer,
        })
    });
    let shown = |live: &Live| ["c", "r"].map(|id| live.page.string_value(by_id(live, id)).to_owned());
    let first = driver.open("http://one.test/set#part", &Options::default()).unwrap();
    assert_eq!(shown(&first), ["-", "-"]);
    let same = act(&mut driver, &first, "same", Action::Click).unwrap().into_live();
    assert_eq!(shown(&same), ["a=1; b=2", "http://one.test/set"]);
    let other = act(&mut driver, &first, "other", Action::Click).unwrap().into_live();
    assert_eq!(shown(&other), ["-", "http://one.test/"]);
}

#[test]
fn answers_that_are_no_page() {
    let answer = |request: &Request| {
        Some(match request.url.path() {
            "/pdf" => Response {
                status: 200,
                ..Response::default()
            }
            .with("content-type", "application/PDF"),
            "/large" => Response::html(vec![b'x'; 5000]),
            "/empty" => Response::status(204),
            _ => return None,
        })
    };
    let mut settings = HttpSettings::offline();
    settings.limits.bytes = 1000;
    let mut driver = Memory::with_settings(settings, answer);
    let rows = [
        (
            "http://a.test/pdf",
            FailureKind::Other,
            "http://a.test/pdf is application/pdf, expected a page of HTML",
        ),
        (
            "http://a.test/large",
            FailureKind::TooLarge,
            "http://a.test/large is larger than the limit of 1000 bytes",
        ),
        (
            "http://a.test/none",
            FailureKind::Status(404),
            "http://a.test/none answered 404 not found",
        ),
        (
            "http://me:secret@a.test/x",
            FailureKind::Status(404),
            "http://a.test/x answered 404 not found",
        ),
        (
            "a.test",
            FailureKind::BadUrl,
            "\"a.test\" is not an address: relative URL without a base (an address begins with http:// or https://)",
        ),
        (
            "gopher://a.test/",
            FailureKind::Forbidden,
            "gopher://a.test/ is a gopher: address, expected http: or https:",
        ),
    ];
    for (url, kind, message) in rows {
        let error = driver.open(url, &Options::default()).unwrap_err();
        assert_eq!((error.kind, error.to_string().as_str()), (kind, message), "{url}");
    }
    assert_eq!(
        driver
            .open("http://a.test/empty", &Options::default())
            .unwrap()
            .page
            .text(),
        ""
    );
}

#[test]
fn a_table_of_pages_and_a_trait_object() {
    let mut memory = Memory::new([("http://a.test", "<p>one"), ("http://a.test/2", "<p>two")]);
    let driver: &mut dyn Driver = &mut memory;
    assert_eq!(
        driver
            .open("http://a.test/#x", &Options::default())
            .unwrap()
            .page
            .text(),
        "one"
    );
    assert_eq!(
        driver
            .open(" http://a.test/2 ", &Options::default())
            .unwrap()
            .page
            .text(),
        "two"
    );
    assert_eq!(memory.requests(), 2);
}
