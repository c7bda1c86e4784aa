//! What is kept, without a network.

use super::*;
use crate::drivers::{Budget, Method, Recalled, Request, Response};
use browse::Body;

fn request(path: &str) -> Request {
    Request::get(url::Url::parse(&format!("http://a.test/{path}")).expect("an address"))
}

fn form(path: &str) -> Request {
    Request {
        method: Method::Post,
        body: Some(Body {
            content_type: "text/plain".to_owned(),
            bytes: b"x".to_vec(),
        }),
        ..request(path)
    }
}

/// Asks as a driver does: what is not known is answered with a text of its own. Gives the answer, and whether it was known.
fn ask(kept: &KeptRun, request: &Request, text: &str) -> (String, bool) {
    ask_in(kept, 0, request, text)
}

/// The same in one of several runs.
fn ask_in(kept: &KeptRun, run: u64, request: &Request, text: &str) -> (String, bool) {
    let recall = kept.recall().expect("no browser");
    match recall.recall(run, request, &Budget::default()).expect("a recording") {
        Recalled::Answer(answer) => {
            let body = answer.expect("a page").body;
            (String::from_utf8(body).expect("text"), true)
        }
        Recalled::Unknown { when, .. } => {
            recall
                .keep(when, request, &Ok(Response::html(text)))
                .expect("room on the disk");
            (text.to_owned(), false)
        }
    }
}

#[test]
fn answers_are_given_again_in_their_order_and_turn() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path().join("run");
    let kept = KeptRun::begin(&folder, &Plan::of("x")).expect("a directory");
    assert_eq!(ask(&kept, &request("a"), "first"), ("first".to_owned(), false));
    assert_eq!(ask(&kept, &request("a"), "second"), ("second".to_owned(), false));
    // Fetched ahead, and again after a form was sent.
    assert_eq!(ask(&kept, &request("b"), "before"), ("before".to_owned(), false));
    assert_eq!(ask(&kept, &form("login"), "welcome"), ("welcome".to_owned(), false));
    assert_eq!(ask(&kept, &request("b"), "after"), ("after".to_owned(), false));
    // Killed: nothing was committed.
    drop(kept);
    let kept = KeptRun::resume(&folder).expect("a run");
    assert_eq!(kept.known(), 5);
    assert_eq!(ask(&kept, &request("a"), ""), ("first".to_owned(), true));
    assert_eq!(ask(&kept, &form("login"), ""), ("welcome".to_owned(), true));
    // The page of before the form is not taken for the one after it, although it was not asked for this time.
    assert_eq!(ask(&kept, &request("b"), ""), ("after".to_owned(), true));
    assert_eq!(ask(&kept, &request("b"), "new"), ("new".to_owned(), false));
    kept.memory.keep_up(Store::commit).expect("a database");
    drop(kept);
    // The new answer is among the known ones, and those of before still are.
    let kept = KeptRun::resume(&folder).expect("a run");
    assert_eq!(kept.known(), 6);
    assert_eq!(ask(&kept, &request("a"), ""), ("first".to_owned(), true));
    assert_eq!(ask(&kept, &request("a"), ""), ("second".to_owned(), true));
    assert_eq!(ask(&kept, &request("a"), "third"), ("third".to_owned(), false));
}

#[test]
fn runs_with_several_sets_of_values_get_their_own_answers() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path().join("run");
    let kept = KeptRun::begin(&folder, &Plan::of("x")).expect("a directory");
    // Both send the same form and look at the same page afterwards, in an order that chance decides.
    for (run, text) in [(1, "form of 1"), (0, "form of 0")] {
        assert_eq!(ask_in(&kept, run, &form("f"), text), (text.to_owned(), false));
    }
    for (run, text) in [(0, "list of 0"), (1, "list of 1")] {
        assert_eq!(ask_in(&kept, run, &request("list"), text), (text.to_owned(), false));
    }
    drop(kept);
    let kept = KeptRun::resume(&folder).expect("a run");
    for (run, form_text, list_text) in [(0, "form of 0", "list of 0"), (1, "form of 1", "list of 1")] {
        assert_eq!(ask_in(&kept, run, &form("f"), ""), (form_text.to_owned(), true));
        assert_eq!(ask_in(&kept, run, &request("list"), ""), (list_text.to_owned(), true));
    }
    assert_eq!(ask_in(&kept, 2, &form("f"), "new"), ("new".to_owned(), false));
}

#[test]
fn one_process_at_a_time_and_one_run_in_a_directory() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path().join("run");
    let kept = KeptRun::begin(&folder, &Plan::of("x")).expect("a directory");
    let refused = KeptRun::resume(&folder).expect_err("another process works on it");
    assert!(matches!(refused.problem, KeptProblem::Busy), "{refused}");
    assert_eq!(list(&folder).expect("a run")[0].state, "running");
    ask(&kept, &request("a"), "");
    drop(kept);
    assert_eq!(list(&folder).expect("a run")[0].state, "killed");
    let refused = KeptRun::begin(&folder, &Plan::of("y")).expect_err("there is a run");
    assert!(
        matches!(refused.problem, KeptProblem::Exists { ended: false }),
        "{refused}"
    );
    let kept = KeptRun::resume(&folder).expect("a run");
    assert!(kept.check(&Plan::of("x")).is_ok());
    let refused = kept.check(&Plan::of("y")).expect_err("another expression");
    assert!(matches!(refused.problem, KeptProblem::Changed), "{refused}");
    kept.end(Finish::Stopped, &RunReport::default(), None)
        .expect("a database");
    let kept = KeptRun::resume(&folder).expect("it did not come to its end");
    kept.end(Finish::Ended, &RunReport::default(), None)
        .expect("a database");
    let refused = KeptRun::resume(&folder).expect_err("it has ended");
    assert!(matches!(refused.problem, KeptProblem::Ended), "{refused}");
    let entry = &list(folder.parent().expect("a directory")).expect("runs")[0];
    assert_eq!((entry.state.as_str(), entry.processes, entry.requests), ("ended", 1, 1));
}

#[test]
fn a_run_that_could_not_start_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path().join("run");
    KeptRun::begin(&folder, &Plan::of("x")).expect("a directory").discard();
    assert!(!folder.exists());
    let kept = KeptRun::begin(&folder, &Plan::of("x")).expect("a directory");
    ask(&kept, &request("a"), "");
    kept.discard();
    assert!(KeptRun::resume(&folder).is_ok(), "what was fetched is kept");
}

#[test]
fn a_process_that_was_killed_while_it_began_leaves_no_run() {
    let folder = tempfile::tempdir().expect("a directory");
    // As far as it came: a lock and half a database.
    std::fs::write(folder.path().join("lock"), "").expect("a file");
    std::fs::write(folder.path().join("run.new"), "half").expect("a file");
    let refused = KeptRun::resume(folder.path()).expect_err("nothing was begun");
    assert!(matches!(refused.problem, KeptProblem::Missing), "{refused}");
    KeptRun::begin(folder.path(), &Plan::of("x")).expect("it begins again");
    assert!(!folder.path().join("run.new").exists());
}

#[test]
fn what_is_not_a_run_is_left_alone() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join(store::FILE);
    std::fs::write(&file, "something else").expect("a file");
    for refused in [
        KeptRun::resume(folder.path()),
        KeptRun::begin(folder.path(), &Plan::of("x")),
    ] {
        let error = refused.expect_err("not a database");
        assert!(
            matches!(error.problem, KeptProblem::Strange(_) | KeptProblem::Database(_)),
            "{error}"
        );
    }
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "something else");
}

#[test]
fn a_recording_that_is_damaged_ends_the_run() {
    let folder = tempfile::tempdir().expect("a directory");
    let folder = folder.path().join("run");
    let kept = KeptRun::begin(&folder, &Plan::of("x")).expect("a directory");
    ask(&kept, &request("a"), "first");
    ask(&kept, &request("b"), "second");
    kept.memory.keep_up(Store::commit).expect("a database");
    drop(kept);
    let path = recording_in(&folder);
    let mut bytes = std::fs::read(&path).expect("a recording");
    let middle = bytes.len() * 3 / 4;
    bytes[middle..].fill(0);
    std::fs::write(&path, &bytes).expect("a recording");
    let kept = KeptRun::resume(&folder).expect("a run");
    let recall = kept.recall().expect("no browser");
    let answer = recall.recall(0, &request("b"), &Budget::default());
    assert!(answer.is_err(), "{answer:?}");
    assert!(kept.memory.check().is_err());
}
