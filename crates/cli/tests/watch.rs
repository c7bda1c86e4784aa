//! `watch`: pages of directories and of the web, over and over, and what is left when it is killed.

mod sites;

use demo::server::{Answer, Request, Response, start};
use serde_json::{Value, json};
use sites::{Place, VIDEOS, extracted, new_records, new_videos, old_videos, video_shop};
use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The verdicts in the history of `v.wrapper.json`, oldest first.
fn verdicts(place: &Place) -> Vec<String> {
    let ran = place
        .run(&["history", "v.wrapper.json", "--format", "json"])
        .ended(0, "");
    let verdict = |run: &Value| run["verdict"].as_str().expect("a verdict").to_owned();
    ran.records().iter().map(verdict).collect()
}

#[test]
fn watch_learns_repairs_and_writes_down() {
    let place = video_shop();
    place
        .write("saved/1.html", old_videos(&VIDEOS))
        .write("saved/2.html", old_videos(&VIDEOS[2..]));
    let watch = ["watch", "v.wrapper.json", "--pages", "saved"];
    place.run(&watch).ended(0, "v.wrapper.json: 2 pages, 8 records: fine\n");
    let known = |place: &Place| place.json("v.wrapper.json")["evidence"]["profiles"][0]["records"].clone();
    assert_eq!(
        known(&place),
        8,
        "5 of the page that it was learned from, 3 of the other one"
    );
    place.run(&[&watch[..], &["--no-update", "-q"]].concat()).ended(0, "");
    assert_eq!(known(&place), 8);
    let learned = place.read("v.wrapper.json");

    // The site changes. Without leave nothing is repaired.
    place
        .write("saved/1.html", new_videos(&VIDEOS))
        .write("saved/2.html", new_videos(&VIDEOS[2..]));
    place
        .run(&[&watch[..], &["--no-repair"]].concat())
        .ended(3, ": changed\n");
    assert_eq!(place.read("v.wrapper.json"), learned);
    place
        .run(&watch)
        .ended(0, "the wrapper was repaired, and the old one is v.old-1.wrapper.json");
    assert_eq!(place.read("v.old-1.wrapper.json"), learned);
    assert_eq!(extracted(&place, "v.wrapper.json", "saved/1.html"), new_records());
    let quiet = place.run(&[&watch[..], &["-q"]].concat()).ended(0, "");
    assert_eq!(
        (quiet.out.as_str(), quiet.words.as_str()),
        ("", ""),
        "cron sends mail for every word"
    );

    // Nothing that could be repaired.
    let repaired = place.read("v.wrapper.json");
    place
        .write("saved/1.html", "<h1>Closed for the holidays</h1>")
        .write("saved/2.html", "<h1>Closed</h1>");
    place.run(&watch).ended(
        3,
        "these are not pages of the kind that the wrapper is for: saved/1.html",
    );
    assert_eq!(place.read("v.wrapper.json"), repaired);
    // An error that is answered like a page.
    let error = "<title>Not found</title><h1>Not found</h1><p>There is no such video.</p>";
    place.write("saved/1.html", error).write("saved/2.html", error);
    place.run(&watch).ended(3, "(it says \"Not found\")");
    place
        .run(&["repair", "v.wrapper.json", "saved", "-o", "v.wrapper.json"])
        .ended(3, "it says");
    assert_eq!(place.read("v.wrapper.json"), repaired);

    assert_eq!(
        verdicts(&place),
        [
            "fine",
            "fine",
            "changed",
            "repaired",
            "fine",
            "not repaired",
            "not repaired"
        ]
    );
    let runs = place.run(&["history", "v.wrapper.json", "--format", "json"]).records();
    assert_eq!((&runs[0]["pages"], &runs[0]["records"]), (&json!(2), &json!(8)));
    assert_eq!(runs[3]["repair"]["kept_as"], "v.old-1.wrapper.json");
    assert_ne!(runs[3]["repair"]["from"], runs[3]["repair"]["to"]);
    assert_eq!(runs[4]["wrapper"], runs[3]["repair"]["to"]);
    assert_eq!(runs[5]["repair"]["kept_as"], "");
}

#[test]
fn watch_reads_addresses_from_a_list() {
    let place = video_shop();
    let changed = Arc::new(AtomicBool::new(false));
    let site = Arc::clone(&changed);
    let server = start("127.0.0.1:0", move |request: &Request| {
        let page = if site.load(Ordering::SeqCst) {
            new_videos
        } else {
            old_videos
        };
        Answer::Whole(match request.path.as_str() {
            "/a" => Response::html(page(&VIDEOS)),
            "/b" => Response::html(page(&VIDEOS[1..])),
            _ => Response::plain(404),
        })
    })
    .expect("a free port");
    let url = server.url();
    place.write("urls.txt", format!("\u{feff}# every morning\n{url}a\n\n{url}b\r\n"));
    place.write("gone.txt", format!("{url}gone\n"));
    let watch = |pages: &str| place.run(&["watch", "v.wrapper.json", "--pages", pages]);
    watch("urls.txt").ended(0, "2 pages, 9 records: fine");
    changed.store(true, Ordering::SeqCst);
    watch("urls.txt").ended(0, "the wrapper was repaired");
    watch(&format!("{url}b")).ended(0, "1 page, 4 records: fine");
    // No page at all is told apart from pages that changed: the site may be down.
    let repaired = place.read("v.wrapper.json");
    let ran = watch("gone.txt").ended(4, "no page could be read, so nothing was checked");
    assert_eq!(ran.words.matches(&format!("{url}gone")).count(), 1, "{}", ran.words);
    watch("nowhere").ended(4, "nowhere: no such file");
    drop(server);
    watch("urls.txt").ended(4, "no page could be read");
    assert_eq!(place.read("v.wrapper.json"), repaired);
    let expected = ["fine", "repaired", "fine", "unreadable", "unreadable", "unreadable"];
    assert_eq!(verdicts(&place), expected);
    let last = place
        .run(&["history", "v.wrapper.json", "--last", "1", "--format", "json"])
        .records();
    assert_eq!((&last[0]["pages"], &last[0]["failed_pages"]), (&json!(2), &json!(2)));
}

#[test]
fn a_history_that_cannot_be_written_is_told_before_anything_is_done() {
    let place = video_shop();
    let learned = place.read("v.wrapper.json");
    let watch = ["watch", "v.wrapper.json", "--pages", "new.html"];
    place.write("v.history.sqlite", "a shopping list");
    let ran = place
        .run(&watch)
        .ended(2, "v.history.sqlite: found a file that is not an SQLite database");
    assert!(ran.words.contains("hint: "), "{}", ran.words);
    assert_eq!(place.read("v.history.sqlite"), "a shopping list");
    fs::remove_file(place.path("v.history.sqlite")).expect("gone");
    fs::create_dir(place.path("v.history.sqlite")).expect("a directory");
    place.run(&watch).ended(4, "v.history.sqlite");
    assert_eq!(place.read("v.wrapper.json"), learned);
    assert!(!place.has("v.old-1.wrapper.json"));
}

/// However early or late a run is killed, there is a whole wrapper afterwards, and a whole history.
#[test]
fn a_run_that_is_killed_leaves_a_whole_wrapper() {
    let place = video_shop();
    for page in 0..12 {
        let page = format!("saved/{page}.html");
        place.write(&page, new_videos(&VIDEOS));
    }
    let learned = place.read("v.wrapper.json");
    for wait in [0, 40, 120, 250, 500] {
        place.write("v.wrapper.json", &learned);
        let mut command = place.command(&["watch", "v.wrapper.json", "--pages", "saved"]);
        let mut child = command
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("a run");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        child.kill().expect("it is killed, or over");
        child.wait().expect("an end");
        // The old wrapper or the new one, and nothing between; the old one is not lost.
        let now = place.read("v.wrapper.json");
        let ran = place.run(&["extract", "--no-meta", "v.wrapper.json", "saved/0.html"]);
        match now == learned {
            true => assert_eq!(ran.out, ""),
            false => {
                assert_eq!(ran.records(), new_records());
                let kept = place.files().into_iter().filter(|name| name.starts_with("v.old-"));
                assert!(kept.map(|name| place.read(&name)).any(|old| old == learned));
            }
        }
        // A run that nobody kills works on what was left, and its history is whole.
        place.run(&["watch", "v.wrapper.json", "--pages", "saved"]).ended(0, "");
        assert!(!verdicts(&place).is_empty());
    }
}
