//! What is waited for after an action, for how long, and what is said if it does not come.

use super::stage::{Ran, check_on, own, own_with, run_with, shared, site};
use demo::server::{Answer, Response, Running};
use std::time::{Duration, Instant};
use wrapwright::drivers::{HttpSettings, Patience, Setup};

/// Rows with a button that does something `delay` ms after it was clicked.
fn buttons(delay: u64, then: &str) -> Running {
    let page = format!(
        "<ul><li>pen <button>Details</button></li><li>cup <button>Details</button></li></ul><p class=c></p><script>
        for (const b of document.querySelectorAll('button')) b.onclick = () => setTimeout(() => {{
          const n = b.parentNode.firstChild.data.trim(); {then} }}, {delay});
        </script>"
    );
    site(move |_| Response::html(page.clone()).into())
}

const SHOW: &str = "b.className = 'done'; document.querySelector('p').textContent = n.toUpperCase();";

#[track_caller]
fn gives(ran: &Ran, records: &[&str]) {
    assert_eq!(ran.failures, [""; 0], "records {:?}", ran.records);
    assert_eq!(ran.records, records);
}

#[test]
fn until_sees_the_node_that_was_acted_on() {
    let Some(stage) = shared() else { return };
    let server = buttons(600, SHOW);
    let expression = "doc('SITE/')//li:<i>[? button/{click [until=$this[@class='done'], timeout=10] /}//p:<c=.>]";
    gives(&run_with(&stage, 1, &server, expression), &["i(c=PEN)", "i(c=CUP)"]);
    // The row of the button, not any row.
    let expression = "doc('SITE/')//li[2]/button/{click [until=$this/..[contains(., 'cup')]/button/@class] /}//p:<c=.>";
    gives(&run_with(&stage, 1, &server, expression), &["c=CUP"]);
}

#[test]
fn until_counts_for_contextual_actions_on_a_page_that_stays() {
    let Some(stage) = shared() else { return };
    let server = buttons(900, SHOW);
    let expression = "doc('SITE/')//li[1]/button/{click [until=$this/@class]}/following::p:<c=.>";
    gives(&run_with(&stage, 1, &server, expression), &["c=PEN"]);
}

/// A button that adds what `/more` gives after `delay` ms.
fn load_more(delay: u64) -> Running {
    site(move |request| match request.path.as_str() {
        "/more" => Answer::Late(Response::text("two"), Duration::from_millis(delay)),
        _ => Response::html(
            "<button>more</button><ul><li>one</li></ul><script>
            document.querySelector('button').onclick = async () => {
              const t = await (await fetch('/more')).text();
              document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>' + t + '</li>') };
            </script>",
        )
        .into(),
    })
}

const MORE: &str = "doc('SITE/')//button/{click /}//li:<x=.>";

#[test]
fn requests_that_an_action_started_are_waited_for() {
    let Some(stage) = shared() else { return };
    gives(&run_with(&stage, 1, &load_more(6000), MORE), &["x=one", "x=two"]);
}

#[test]
fn how_long_is_a_setting() {
    let patient = |react: u64, settle: u64| {
        own(Setup {
            patience: Patience {
                react: Duration::from_millis(react),
                settle: Duration::from_millis(settle),
                ..Patience::default()
            },
            ..Setup::default()
        })
    };
    let Some(short) = patient(300, 1500) else { return };
    let begin = Instant::now();
    gives(&run_with(&short, 1, &load_more(10_000), MORE), &["x=one"]);
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
    drop(short);
    let Some(slow) = patient(3000, 8000) else { return };
    let server = buttons(1500, SHOW);
    let expression = "doc('SITE/')//li[1]/button/{click /}//p:<c=.>";
    gives(&run_with(&slow, 1, &server, expression), &["c=PEN"]);
    let Some(usual) = shared() else { return };
    gives(&run_with(&usual, 1, &server, expression), &["c="]);
}

#[test]
fn streams_and_long_polls_do_not_delay_for_ever() {
    let Some(stage) = shared() else { return };
    let server = site(|request| {
        match request.path.as_str() {
        "/poll" => Answer::Late(Response::text("never"), Duration::from_secs(60)),
        _ => Response::html(
            "<button>go</button><p>no</p><script>fetch('/poll');
            document.querySelector('button').onclick = () => { document.querySelector('p').textContent = 'yes' };</script>",
        )
        .into(),
    }
    });
    let begin = Instant::now();
    let ran = run_with(&stage, 1, &server, "doc('SITE/')//button/{click /}//p:<x=.>");
    gives(&ran, &["x=yes"]);
    // Once for the page; after the action only what it started counts.
    assert!(begin.elapsed() < Duration::from_secs(14), "{:?}", begin.elapsed());
}

#[test]
fn a_timeout_names_the_limit_that_decided() {
    let settings = HttpSettings {
        timeout: Duration::from_secs(4),
        ..HttpSettings::default()
    };
    let Some(stage) = own_with(Setup::default(), settings) else {
        return;
    };
    let server = site(|request| match request.path.as_str() {
        "/slow" => Answer::Late(Response::html("<p>slow</p>"), Duration::from_secs(30)),
        _ => Response::html("<a href=/slow>slow</a><p>here</p><script>1</script>").into(),
    });
    let rows = [
        ("//a/{click [timeout=1.5, wait=1] /}", "took longer than 1.5 s", 8),
        ("//a/{click /}", "took longer than 4 s", 12),
        (
            "//a/{mouseover [until=//table, timeout=1] /}",
            "does not hold after 1 s",
            6,
        ),
    ];
    for (action, says, most) in rows {
        let begin = Instant::now();
        let ran = run_with(&stage, 1, &server, &format!("doc('SITE/'){action}//p:<x=.>"));
        assert_eq!(ran.records, [""; 0], "{action}");
        assert!(
            ran.failures.len() == 1 && ran.failures[0].contains(says),
            "{action}: {:?}",
            ran.failures
        );
        assert!(
            begin.elapsed() < Duration::from_secs(most),
            "{action}: {:?}",
            begin.elapsed()
        );
    }
}

#[test]
fn a_condition_that_does_not_come_leaves_a_screenshot() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(stage) = own(Setup {
        screenshots: Some(folder.path().to_owned()),
        ..Setup::default()
    }) else {
        return;
    };
    let server = buttons(0, SHOW);
    let expression = "doc('SITE/')//li[1]/button/{click [until=//table, timeout=1] /}//p:<c=.>";
    let ran = run_with(&stage, 1, &server, expression);
    assert_eq!(ran.failures.len(), 1, "{:?}", ran.failures);
    let picture = std::fs::read(folder.path().join("001-condition-not-met.png")).expect("a screenshot");
    assert!(picture.starts_with(b"\x89PNG"));
}

/// The answer comes shortly before the page has had its time to begin something, and the page needs a moment for it.
#[test]
fn an_answer_at_the_last_moment_is_processed() {
    let server = site(|request| match request.path.as_str() {
        "/" => Response::html(
            "<p>old</p><script>
             const go = (late) => fetch('/answer?late=' + late).then((answer) => answer.text()).then((text) =>
               setTimeout(() => { document.querySelector('p').textContent = text }, 40));
             for (const late of [240, 255, 270, 280]) {
               document.body.insertAdjacentHTML('beforeend', `<b onclick='go(${late})'>${late}</b> `);
             }</script>",
        )
        .into(),
        "/answer" => {
            let late = request.value("late").unwrap_or("0");
            let time = Duration::from_millis(late.parse().expect("a number"));
            Answer::Late(Response::text(format!("after {late}")), time)
        }
        _ => Response::plain(404).into(),
    });
    check_on(
        &server,
        "doc('SITE/')//b/{click /}//p:<x=string(.)>",
        &["x=after 240", "x=after 255", "x=after 270", "x=after 280"],
    );
}
