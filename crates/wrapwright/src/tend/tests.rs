//! The pipelines on small shops: paths to a title and a price, before and after a redesign.

use super::*;
use crate::rule::paths::{PathField, Paths, Way};
use crate::wrapper::Rule;
use crate::{ParseSettings, RecordType};

const BOOKS: [(&str, &str); 4] = [
    ("Kelp", "$6.10"),
    ("The Salt Road", "$18.75"),
    ("Harbour Lights", "$9.99"),
    ("Winter Ledger", "$21.75"),
];

fn documents(page: impl Fn(&str, &str) -> String) -> Vec<Document> {
    let document = |(title, price): &(&str, &str)| {
        Document::from_source(*title, page(title, price), &ParseSettings::default()).expect("a page")
    };
    BOOKS.iter().map(document).collect()
}

fn before() -> Vec<Document> {
    documents(|title, price| format!("<h1>{title}</h1><p>Our price: <b>{price}</b></p>"))
}

fn after() -> Vec<Document> {
    documents(|title, price| format!("<div>Shop</div><h2>{title}</h2><ul><li>Our price: <em>{price}</em></ul>"))
}

fn bare() -> Wrapper {
    let field = |path: &str| PathField {
        many: false,
        ways: vec![Way {
            path: path.to_owned(),
            ..Way::default()
        }],
    };
    let rule = Paths {
        fields: vec![field(".//h1"), field(".//b")],
        ..Paths::default()
    };
    Wrapper::bare(Rule::Paths(rule), RecordType::flat("book", ["title", "price"]), None)
}

fn known() -> Wrapper {
    let mut wrapper = bare();
    accept(&mut wrapper, before(), &Job::new()).expect("records");
    wrapper
}

#[test]
fn a_wrapper_learns_what_it_is_told_is_right() {
    let job = Job::new();
    let mut wrapper = bare();
    assert_eq!(check(&wrapper, before(), &job).err(), Some(TendError::Unknown(Unknown)));
    assert_eq!(accept(&mut wrapper, after(), &job), Err(TendError::NoRecords));
    let none: [Document; 0] = [];
    assert_eq!(accept(&mut wrapper, &none, &job), Err(TendError::NoPages));
    assert_eq!(wrapper, bare());
    let accepted = accept(&mut wrapper, before(), &job);
    let four = |known| Accepted {
        pages: 4,
        records: 4,
        known,
    };
    assert_eq!(accepted, Ok(four(0)));
    // One document at a time, from anything that gives them.
    assert!(check(&wrapper, before().into_iter(), &job).expect("a report").is_fine());
    assert!(!check(&wrapper, after(), &job).expect("a report").is_fine());
    assert_eq!(check(&wrapper, &none, &job).err(), Some(TendError::NoPages));
    // The same pages again are no new evidence, the same names with other pages are.
    assert_eq!(accept(&mut wrapper, before(), &job), Ok(four(4)));
    assert_eq!(wrapper.evidence.profiles[0].records, 4);
    let others = || documents(|title, price| format!("<h1>{title}, again</h1><p>Our price: <b>{price}</b></p>"));
    assert_eq!(accept(&mut wrapper, others(), &job), Ok(four(0)));
    assert_eq!(wrapper.evidence.profiles[0].records, 8);
}

/// Half of the pages are redesigned: the report names them.
#[test]
fn pages_of_two_templates_are_told_apart() {
    let job = Job::new();
    let (old, new) = (before(), after());
    let mixed = old[..2].iter().chain(&new[2..]);
    let report = check(&known(), mixed, &job).expect("a report");
    assert!(report.is_mixed());
    assert_eq!(report.as_before(), ["Kelp", "The Salt Road"]);
    assert_eq!(report.changed(), ["Harbour Lights", "Winter Ledger"]);
    let text = report.to_text(100, false);
    let expected = "✗ The pages are mixed: 2 of 4 are as before, 2 have changed.\n  As before: Kelp, The Salt Road.\n  \
        Changed: Harbour Lights, Winter Ledger.\n";
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(report.to_json()["mixed"], true);
    assert_eq!(report.to_json()["pages"][2]["state"], "changed");
    assert!(!check(&known(), &new, &job).expect("a report").is_mixed());
    assert!(!check(&known(), &old, &job).expect("a report").is_mixed());
}

/// Pages that are not of the site's template say nothing about the site, unless they are many.
#[test]
fn pages_of_another_kind_are_told_apart() {
    let job = Job::new();
    let gone = || page("gone", "<div>Not found. Go to the start page.</div>");
    let mut pages = before();
    pages.push(gone());
    let report = check(&known(), &pages, &job).expect("a report");
    assert!(report.is_fine(), "{report:?}");
    assert_eq!(report.others(), ["gone"]);
    let text = report.to_text(100, false);
    assert!(
        text.contains("1 of 5 pages seem to be of another kind and were not counted"),
        "{text}"
    );
    // A page with the words of the site is one that has changed.
    pages[4] = page("new", "<dl><dt>Our price:<dd>$3.00</dl>");
    let report = check(&known(), &pages, &job).expect("a report");
    assert_eq!((report.others().len(), report.changed()), (0, vec!["new"]));
    let report = check(&known(), [gone(), gone()], &job).expect("a report");
    assert!(!report.is_fine());
    let text = report.to_text(300, false);
    let expected = "✗ All 2 pages seem to be of another kind, or all of each has changed.\n  Of another kind (few of the \
        fields, labels and values that are known, or a title such as \"Not found\"): gone, gone.\n";
    assert!(text.starts_with(expected), "{text}");
}

/// One page alone: one that has a label only as a part of other words, and an overview of the shop.
#[test]
fn one_page_of_another_kind_is_no_changed_site() {
    let job = Job::new();
    let page = |html: &str| Document::from_source("one", html, &ParseSettings::default()).expect("a page");
    let titles: String = BOOKS.iter().map(|(title, _)| format!("<li><a>{title}</a>")).collect();
    let overview = format!("<h2>Our books</h2><ul>{titles}</ul>");
    for html in ["<p>NotOur price: lists</p><p>Sign in</p>".to_owned(), overview] {
        let html = html.as_str();
        let report = check(&known(), [page(html)], &job).expect("a report");
        assert_eq!(report.others(), ["one"], "{html}");
        let text = report.to_text(100, false);
        assert!(text.starts_with("✗ The page seems to be of another kind"), "{text}");
    }
    // The same book after a redesign.
    let report = check(&known(), [page("<h2>The Salt Road</h2><i>USD 18.75</i>")], &job).expect("a report");
    assert_eq!(report.changed(), ["one"]);
}

/// A shop whose pages say in their titles what they are about, and say who made the thing.
fn titled() -> (Wrapper, Vec<Document>) {
    let pages = documents(|title, price| {
        format!(
            "<title>{title} - Shop</title><h1>{title}</h1><p>Our price: <b>{price}</b></p><p>By: <i>The {title} Works</i></p>"
        )
    });
    let field = |path: &str| PathField {
        many: false,
        ways: vec![Way {
            path: path.to_owned(),
            ..Way::default()
        }],
    };
    let rule = Paths {
        fields: vec![field(".//h1"), field(".//b"), field(".//i")],
        ..Paths::default()
    };
    let record_type = RecordType::flat("book", ["title", "price", "maker"]);
    let wrapper = Wrapper::made(Rule::Paths(rule), record_type, None, &pages).expect("a wrapper");
    (wrapper, pages)
}

fn page(name: &str, html: &str) -> Document {
    Document::from_source(name, html, &ParseSettings::default()).expect("a page")
}

/// Pages with a title and none of the data.
const STRANGERS: [(&str, &str); 3] = [
    (
        "error",
        "<title>Not found</title><h1>Error 404</h1><p>There is nothing here.</p>",
    ),
    (
        "login",
        "<title>Shop</title><h1>Please log in</h1><form>Name: <input name=u></form>",
    ),
    ("closed", "<title>Shop</title><h1>We are away until spring</h1>"),
];

#[test]
fn errors_and_logins_are_no_reason_for_a_repair() {
    let job = Job::new();
    let (wrapper, good) = titled();
    for (name, html) in STRANGERS {
        let alone = [page(name, html)];
        let report = check(&wrapper, &alone, &job).expect("a report");
        assert_eq!((report.is_fine(), report.others()), (false, vec![name]));
        let refused = repair_with(&wrapper, &alone, &RepairSettings::default(), &job);
        let Err(error @ RepairError::OtherKind(_)) = refused else {
            panic!("{name}: {refused:?}")
        };
        assert!(error.to_string().contains(&format!("{name} (")), "{error}");
        // Among good pages it does not count, and is told.
        let mut mixed = good.clone();
        mixed.push(page(name, html));
        let report = check(&wrapper, &mixed, &job).expect("a report");
        assert_eq!((report.is_fine(), report.others()), (true, vec![name]), "{report:?}");
    }
    // A page with the data is of the kind, whatever its title says.
    let odd = page(
        "odd",
        "<title>Error 404 - Shop</title><h1>Error 404</h1><p>Our price: <b>$7.00</b></p><p>By: <i>Oda</i></p>",
    );
    assert_eq!(strangers(&wrapper, &[odd]), Ok(Vec::new()));
    // So is a redesign in which no word is left, as long as there is a price.
    let new = page(
        "new",
        "<title>Kelp Soup</title><h2>Kelp Soup</h2><div>Oda <span>costs $8.50</span></div>",
    );
    assert_eq!(strangers(&wrapper, &[new]), Ok(Vec::new()));
}

/// A redesign without prices: the field is told as missing on each day, and comes back when the pages have it again.
#[test]
fn fields_that_a_repair_left_out_stay_known() {
    let job = Job::new();
    let (wrapper, _) = titled();
    let redesigned = |price: &'static str| {
        documents(move |title, cost| {
            let price = price.replace('$', cost);
            format!(
                "<title>{title} | Shop</title><h2>{title}</h2><dl><dt>By:</dt><dd>The {title} Works</dd>{price}</dl>"
            )
        })
    };
    let (without, with) = (redesigned(""), redesigned("<dt>Our price:</dt><dd>$</dd>"));
    let outcome = repair_with(&wrapper, &without, &RepairSettings::default(), &job).expect("an outcome");
    let RepairOutcome::Partly(repair) = outcome else {
        panic!("{outcome:?}")
    };
    let partly = Wrapper::from_json(&repair.wrapper.to_json()).expect("a wrapper");
    let report = check(&partly, &without, &job).expect("a report");
    assert_eq!(report.left_out().collect::<Vec<_>>(), ["price"]);
    assert!(!report.is_fine() && !report.has_changed());
    let text = report.to_text(100, false);
    assert!(
        text.starts_with("✗ A field is missing that the last repair left out: price."),
        "{text}"
    );
    let outcome = repair_with(&partly, &with, &RepairSettings::default(), &job).expect("an outcome");
    let RepairOutcome::Repaired(repair) = outcome else {
        panic!("{outcome:?}")
    };
    let records = repair.wrapper.extract(&with[1]).expect("records");
    assert_eq!(records[0].get("price"), Some("$18.75"));
    assert!(check(&repair.wrapper, &with, &job).expect("a report").is_fine());
    // Somebody who says that all is well without the field is believed.
    let mut accepted = partly;
    accept(&mut accepted, &without, &job).expect("records");
    assert!(check(&accepted, &without, &job).expect("a report").is_fine());
}

/// A rule that found nothing where it was learned is told.
#[test]
fn rules_that_never_worked_are_told() {
    let job = Job::new();
    let wrapper = bare();
    let mut pages = before();
    pages[1] = Document::from_source("odd.html", "<p>Closed</p>", &ParseSettings::default()).expect("a page");
    let wrapper = Wrapper::made(wrapper.rule, wrapper.record_type, None, &pages).expect("a wrapper");
    let text = check(&wrapper, before(), &job).expect("a report").to_text(100, false);
    let expected = "On 1 of 4 pages that the wrapper was made from it found nothing (odd.html)";
    assert!(text.contains(expected), "{text}");
    // The field that is never there.
    let Rule::Paths(mut rule) = bare().rule else {
        panic!("paths")
    };
    rule.fields[1].ways[0].path = ".//u".to_owned();
    let wrapper = Wrapper::made(Rule::Paths(rule), bare().record_type, None, &before()).expect("a wrapper");
    let text = check(&wrapper, before(), &job).expect("a report").to_text(100, false);
    assert!(
        text.contains("price: it was never found: none of 4 known records has it"),
        "{text}"
    );
}

#[test]
fn a_job_that_is_stopped_ends_everything() {
    let job = Job::new();
    let (copy, pages) = (job.clone(), before());
    // Stopped after the second page.
    let stopping = pages.iter().enumerate().inspect(|(number, _)| {
        if *number == 2 {
            copy.stop();
        }
    });
    let checked = check(&known(), stopping.map(|(_, page)| page), &job);
    assert_eq!(checked.err(), Some(TendError::Stopped));
    let mut wrapper = bare();
    assert_eq!(accept(&mut wrapper, &pages, &job), Err(TendError::Stopped));
    assert_eq!(wrapper, bare());
    for force in [false, true] {
        let settings = RepairSettings {
            force,
            ..RepairSettings::default()
        };
        let stopped = repair_with(&known(), &after(), &settings, &job);
        assert_eq!(stopped.err(), Some(RepairError::Stopped));
    }
}

#[test]
fn a_repair_is_made_if_need_be_and_judged() {
    let job = Job::new();
    let (wrapper, after) = (known(), after());
    let mut settings = RepairSettings::default();
    let outcome = repair_with(&wrapper, &before(), &settings, &job).expect("an outcome");
    assert!(matches!(&outcome, RepairOutcome::Healthy(report) if report.is_fine()));
    assert!(outcome.repair().is_none() && outcome.accepted(&settings).is_none());

    let outcome = repair_with(&wrapper, &after, &settings, &job).expect("an outcome");
    assert!(matches!(outcome, RepairOutcome::Repaired(_)));
    let new = outcome.accepted(&settings).expect("a wrapper");
    assert_eq!(new.extract(&after[1]).expect("records")[0].get("price"), Some("$18.75"));
    let repair = outcome.repair().expect("a repair");
    let text = repair_text(&wrapper, repair);
    assert!(text.starts_with("field  sure  before "), "{text}");
    assert!(text.contains("\n- ") && text.contains("\n+ "), "{text}");
    assert_eq!(repair_json(repair, true)["fields"][1]["name"], "price");

    // Nothing is as sure as this.
    settings.at_least = 1.1;
    let outcome = repair_with(&wrapper, &after, &settings, &job).expect("an outcome");
    assert!(matches!(outcome, RepairOutcome::Unsure(_)));
    assert!(outcome.accepted(&settings).is_none());
    let words = not_sure(outcome.repair().expect("a repair"), settings.at_least);
    assert!(words.starts_with("not sure enough of `title` ("), "{words}");
    settings.force = true;
    assert!(outcome.accepted(&settings).is_some());
    assert_eq!(
        repair_with(&bare(), &after, &settings, &job).err(),
        Some(RepairError::Unknown(Unknown))
    );
}

#[cfg(feature = "history")]
mod watching {
    use super::*;
    use crate::history::{History, Outcome, default_path};
    use crate::save_wrapper;

    #[test]
    fn a_look_decides_and_changes_nothing() {
        let (job, wrapper) = (Job::new(), known());
        let settings = WatchSettings::default();
        let fine = watch(&wrapper, &more(), 1, &settings, &job).expect("a report");
        assert_eq!((fine.entry.verdict, fine.entry.pages), (Outcome::Fine, 5));
        let Update::Learned(learned) = fine.update else {
            panic!("{:?}", fine.update)
        };
        assert_eq!(learned.evidence.profiles[0].records, 8);
        let nothing = watch(&wrapper, &[], 3, &settings, &job).expect("a report");
        assert_eq!(nothing.problem, Some(WatchProblem::NoPages));
        assert_eq!(nothing.entry.verdict, Outcome::Unreadable);
        let only = WatchSettings {
            repair: false,
            ..settings.clone()
        };
        let changed = watch(&wrapper, &after(), 0, &only, &job).expect("a report");
        assert_eq!(
            (changed.entry.verdict, changed.update),
            (Outcome::Changed, Update::Nothing)
        );
        let strict = WatchSettings {
            at_least: 1.1,
            ..settings
        };
        let unsure = watch(&wrapper, &after(), 0, &strict, &job).expect("a report");
        assert_eq!(
            (unsure.entry.verdict, unsure.update),
            (Outcome::NotRepaired, Update::Nothing)
        );
        assert!(matches!(unsure.problem, Some(WatchProblem::Unsure(_))) && unsure.repair.is_some());
        let stranger = watch(&bare(), &before(), 0, &strict, &job);
        assert_eq!(stranger.err(), Some(TendError::Unknown(Unknown)));
    }

    /// What a repair would lose is not lost by itself.
    #[test]
    fn a_good_wrapper_is_not_exchanged_for_a_worse_one() {
        let (job, settings) = (Job::new(), WatchSettings::default());
        let (wrapper, _) = titled();
        for (name, html) in STRANGERS {
            let seen = watch(&wrapper, &[page(name, html)], 0, &settings, &job).expect("a report");
            assert_eq!(
                (seen.entry.verdict, seen.update),
                (Outcome::NotRepaired, Update::Nothing)
            );
            assert!(
                matches!(seen.problem, Some(WatchProblem::Repair(RepairError::OtherKind(_)))),
                "{:?}",
                seen.problem
            );
        }
        // The names are still there, nothing else is.
        let names =
            documents(|title, _| format!("<title>{title} - Shop</title><h2>{title}</h2><p>See our new site</p>"));
        let seen = watch(&wrapper, &names, 0, &settings, &job).expect("a report");
        assert_eq!(seen.update, Update::Nothing, "{:?}", seen.problem);
        assert!(seen.problem.is_some());
    }

    /// A wrapper without a field tries to find it again, and stays as it is if it does not.
    #[test]
    fn a_field_that_stays_missing_is_told_on_each_day() {
        let (job, settings) = (Job::new(), WatchSettings::default());
        let (wrapper, _) = titled();
        let without = documents(|title, _| {
            format!("<title>{title} | Shop</title><h2>{title}</h2><dl><dt>By:</dt><dd>The {title} Works</dd></dl>")
        });
        let first = watch(&wrapper, &without, 0, &settings, &job).expect("a report");
        assert!(
            matches!(first.problem, Some(WatchProblem::Partly(_))),
            "{:?}",
            first.problem
        );
        let Update::Repaired(partly) = first.update else {
            panic!("{:?}", first.problem)
        };
        let second = watch(&partly, &without, 0, &settings, &job).expect("a report");
        assert_eq!(second.update, Update::Nothing);
        assert_eq!(second.problem, Some(WatchProblem::StillMissing("`price`".to_owned())));
        assert_eq!(second.entry.verdict, Outcome::NotRepaired);
    }

    /// Other pages of the shop before its redesign.
    fn more() -> Vec<Document> {
        let page = |number: usize| {
            let html = format!("<h1>Book {number}</h1><p>Our price: <b>${number}.00</b></p>");
            Document::from_source(format!("{number}.html"), html, &ParseSettings::default()).expect("a page")
        };
        (10..14).map(page).collect()
    }

    #[test]
    fn a_page_is_evidence_once_however_often_it_is_looked_at() {
        let (job, settings) = (Job::new(), WatchSettings::default());
        let mut wrapper = known();
        let known = |wrapper: &Wrapper| (wrapper.evidence.profiles[0].pages, wrapper.evidence.profiles[0].records);
        for _ in 0..3 {
            let seen = watch(&wrapper, &[before(), more()].concat(), 0, &settings, &job).expect("a report");
            if let Update::Learned(learned) = seen.update {
                wrapper = *learned;
            }
            assert_eq!(known(&wrapper), (8, 8));
            // What is saved knows it, too.
            wrapper = Wrapper::from_json(&wrapper.to_json()).expect("a wrapper");
        }
        // The same pages through another door, which keeps no source and calls them by their addresses.
        let address = |document: Document| Document::new(format!("http://a.test/{}", document.name), document.page);
        let pages: Vec<Document> = before().into_iter().map(address).collect();
        let seen = watch(&wrapper, &pages, 0, &settings, &job).expect("a report");
        assert_eq!(seen.update, Update::Nothing);
        // The same page with another price: its value is remembered, the page is not counted.
        let html = "<h1>Book 10</h1><p>Our price: <b>$77.00</b></p>";
        let page = Document::from_source("10.html", html, &ParseSettings::default()).expect("a page");
        let seen = watch(&wrapper, &[page], 0, &settings, &job).expect("a report");
        let Update::Learned(learned) = seen.update else {
            panic!("{:?}", seen.update)
        };
        assert_eq!(known(&learned), (8, 8));
        assert!(
            learned.evidence.profiles[0].fields[1]
                .samples
                .contains(&"$77.00".to_owned())
        );
    }

    #[test]
    fn a_wrapper_that_knows_enough_learns_no_more() {
        let mut wrapper = known();
        wrapper.evidence.profiles[0].pages = 1000;
        let fine = watch(&wrapper, &more(), 0, &WatchSettings::default(), &Job::new()).expect("a report");
        assert_eq!(fine.update, Update::Nothing);
    }

    #[test]
    fn a_watcher_saves_the_wrapper_and_the_history() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("site.wrapper.json");
        save_wrapper(&path, &bare()).expect("a file");
        assert!(matches!(
            Watcher::open(&path),
            Err(WatchError::Tend(TendError::Unknown(_)))
        ));
        assert!(!default_path(&path).exists(), "nothing was begun");
        save_wrapper(&path, &known()).expect("a file");
        let (job, settings) = (Job::new(), WatchSettings::default());
        let mut watcher = Watcher::open(&path).expect("a watcher");
        for documents in [more(), after(), after()] {
            watcher.look(&documents, 0, &settings, &job).expect("a look");
            assert_eq!(&Wrapper::open(&path).expect("a wrapper"), watcher.wrapper());
        }
        let entries = History::existing(&default_path(&path))
            .and_then(|history| history.last(9))
            .expect("a history");
        let verdicts: Vec<Outcome> = entries.iter().map(|entry| entry.verdict).collect();
        assert_eq!(verdicts, [Outcome::Fine, Outcome::Repaired, Outcome::Fine]);
        let kept = &entries[1].repair.as_ref().expect("a repair").kept_as;
        assert!(kept.ends_with("site.old-1.wrapper.json"), "{kept}");
        job.stop();
        let stopped = watcher.look(&before(), 0, &settings, &job);
        assert!(matches!(stopped, Err(WatchError::Tend(TendError::Stopped))));
    }
}
