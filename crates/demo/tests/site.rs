//! The demo as a site: every link leads somewhere, and no request brings it down.

use demo::server::{Answer, Request, Response, Site, pairs, percent_decode};
use demo::{Demo, books, flights, scholar, script, shop, stocks};
use std::collections::BTreeSet;

fn ask(method: &str, target: &str) -> Answer {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    Demo.answer(&Request {
        method: method.to_owned(),
        path: percent_decode(path),
        query: pairs(query),
        target: target.to_owned(),
        ..Request::default()
    })
}

#[track_caller]
fn get(target: &str) -> Response {
    match ask("GET", target) {
        Answer::Whole(response) => response,
        other => panic!("{target}: {other:?}"),
    }
}

/// The addresses in attributes of a page.
fn links(page: &str) -> Vec<String> {
    page.split("href=\"")
        .skip(1)
        .chain(page.split("src=\"").skip(1))
        .filter_map(|rest| rest.split('"').next())
        .map(|link| link.replace("&amp;", "&").replace("&#39;", "'"))
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut seen = BTreeSet::from(["/".to_owned()]);
    let mut waiting = vec!["/".to_owned()];
    while let Some(target) = waiting.pop() {
        let response = get(&target);
        assert!(matches!(response.status, 200 | 303), "{target}: {}", response.status);
        let page = String::from_utf8(response.body).expect("UTF-8");
        for link in links(&page) {
            assert!(link.starts_with('/'), "{target} links to {link}");
            // Those are broken on purpose. Toggles of flights can be combined in many ways.
            let skip = link.starts_with("/broken/") && link != "/broken/"
                || link.starts_with("/slow")
                || link.contains("without=") && target.contains("without=");
            if !skip && seen.insert(link.clone()) {
                waiting.push(link);
            }
        }
    }
    assert!(seen.len() > 1000, "{}", seen.len());
}

/// A browser that was lured here by another site sends the name of that site.
#[test]
fn only_requests_for_this_machine_are_answered() {
    let status = |hosts: &[&str]| {
        let header = |host: &&str| ("host".to_owned(), (*host).to_owned());
        let request = Request {
            method: "GET".to_owned(),
            path: "/shop/".to_owned(),
            headers: hosts.iter().map(header).collect(),
            ..Request::default()
        };
        match Demo.answer(&request) {
            Answer::Whole(response) => response.status,
            other => panic!("{other:?}"),
        }
    };
    for host in [
        "127.0.0.1:8807",
        "127.0.0.1",
        "127.8.9.1:1",
        "localhost",
        "LOCALHOST:8807",
        "localhost.:8807",
        "shop.localhost:80",
        "[::1]:8807",
        "[::1]",
    ] {
        assert_eq!(status(&[host]), 200, "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:8807",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8807",
        "notlocalhost",
        "127.0.0.1:8807.evil.example",
        "[::1].evil.example",
        "[::2]:8807",
        "0.0.0.0:8807",
        "192.168.0.7:8807",
        "",
        ":8807",
    ] {
        assert_eq!(status(&[host]), 421, "{host:?}");
    }
    assert_eq!(status(&["127.0.0.1:8807", "evil.example"]), 421, "two names");
    assert_eq!(status(&[]), 200, "no name at all");
}

#[test]
fn odd_requests_get_answers() {
    for target in [
        "/shop/search?page=0",
        "/shop/search?page=99999999999999999999&sort=x&category=<b>",
        "/shop/product/0/reviews?page=-1",
        "/books/search?in=&for=%00",
        "/scholar/search?q=",
        "/flights/search?origin=London&destination=London",
        "/flights/search?origin=<script>&destination=%FF&without=1,1,x,9",
        "/script/feed.json?after=18446744073709551615",
        "/script/suggest.json?q=%22",
    ] {
        let response = get(target);
        assert_eq!(response.status, 200, "{target}");
        let page = String::from_utf8_lossy(&response.body).into_owned();
        assert!(!page.contains("<script>"), "{target} is not escaped");
    }
    for target in [
        "/nothing",
        "/shop/product/9999",
        "/shop/product/x",
        "/shop/product/1/reviews/2",
        "/books/title/-1",
        "/scholar/cited?of=x",
        "/flights/detail?flight=3",
        "/stocks/q?s=NONE",
        "/a/b/c",
        "",
        "*",
    ] {
        assert_eq!(
            get(target).status,
            if target.is_empty() { 200 } else { 404 },
            "{target}"
        );
    }
    for (method, target) in [("POST", "/"), ("DELETE", "/shop/"), ("PUT", "/shop/login")] {
        let Answer::Whole(response) = ask(method, target) else {
            panic!("{method} {target}");
        };
        assert_eq!(response.status, 405);
        assert!(response.headers.iter().any(|(name, _)| *name == "Allow"));
    }
    assert_eq!(get("/shop").status, 301);
}

#[test]
fn broken_pages_are_broken() {
    assert_eq!(get("/broken/500").status, 500);
    assert!(matches!(ask("GET", "/broken/truncated"), Answer::Cut { .. }));
    assert!(matches!(ask("GET", "/broken/reset"), Answer::Reset));
    assert!(matches!(ask("GET", "/broken/length"), Answer::Misstated { .. }));
    assert!(matches!(ask("GET", "/broken/endless"), Answer::Endless { .. }));
    for (seconds, taken) in [("2", 2.0), ("-1", 0.0), ("NaN", 2.0), ("1e300", 60.0), ("x", 2.0)] {
        let Answer::Late(_, delay) = ask("GET", &format!("/slow?seconds={seconds}")) else {
            panic!("{seconds}");
        };
        assert_eq!(delay.as_secs_f64(), taken, "{seconds}");
    }
    assert_eq!(get("/robots.txt").body, b"User-agent: *\nDisallow: /private/\n");
    assert_eq!(get("/private/").status, 200);
}

/// What the examples and the tour count on.
#[test]
fn there_is_enough_of_everything() {
    assert!(books::matching("Seattle").len() > 20);
    assert!(books::search("All departments", "Seattle").len() > books::matching("Seattle").len());
    let papers = scholar::matching("world wide web");
    assert!(papers.len() > 3 * scholar::PER_PAGE);
    assert!(papers.iter().any(|paper| paper.cited_by.is_empty()));
    assert!(papers.iter().any(|paper| paper.cited_by.len() > scholar::PER_PAGE));
    assert!(scholar::all().iter().all(|paper| !paper.title.contains("Next")));
    for paper in scholar::all() {
        assert!(
            paper.cited_by.iter().all(|citing| *citing > paper.id),
            "citations go back in time"
        );
    }
    let flights = flights::between("london", " Seattle ");
    for stops in 0..3 {
        assert!(flights.iter().any(|flight| flight.stops() == stops));
    }
    let changes: BTreeSet<i32> = stocks::index("^FTAS")
        .iter()
        .map(|stock| stock.change.signum())
        .collect();
    assert_eq!(changes.len(), 3);
    let lamps = shop::search(&shop::Search {
        words: "lamp",
        in_stock: true,
        ..shop::Search::default()
    });
    assert!(lamps.len() > 2 * shop::PER_PAGE);
    assert!(lamps.iter().any(|lamp| lamp.reviews.is_empty()));
    assert!(lamps.iter().any(|lamp| lamp.reviews.len() > 2 * shop::REVIEWS_PER_PAGE));
    assert!(script::feed().len() > 3 * script::FEED_PER_PAGE);
    let names: BTreeSet<&str> = shop::all().iter().map(|product| product.name.as_str()).collect();
    assert_eq!(names.len(), shop::all().len(), "names are unique");
}

/// The redesigned shop has the same products at the same addresses, and nothing of the old markup.
#[test]
fn a_redesign_keeps_the_products() {
    let get = |target: &str| {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let request = Request {
            method: "GET".to_owned(),
            path: percent_decode(path),
            query: pairs(query),
            target: target.to_owned(),
            ..Request::default()
        };
        match demo::Redesigned.answer(&request) {
            Answer::Whole(response) => (response.status, String::from_utf8(response.body).expect("UTF-8")),
            other => panic!("{target}: {other:?}"),
        }
    };
    assert_eq!(shop::all().len(), 300);
    let (mut next, mut products) = (Some("/shop/search".to_owned()), BTreeSet::new());
    while let Some(list) = next {
        let (status, page) = get(&list);
        assert_eq!(status, 200, "{list}");
        let all = links(&page);
        products.extend(all.iter().filter(|link| link.starts_with("/shop/product/")).cloned());
        let on = page
            .split("<a href=\"")
            .find(|rest| rest.contains(">Next »<") && rest.starts_with("/shop/search"));
        next = on
            .and_then(|rest| rest.split('"').next())
            .map(|link| link.replace("&amp;", "&"));
    }
    assert_eq!(products.len(), 300);
    for product in shop::all() {
        let (status, page) = get(&format!("/shop/product/{}", product.id));
        assert_eq!(status, 200);
        let name = product.name.replace('\'', "&#39;").replace('&', "&amp;");
        assert!(page.contains(&format!("<h2 class=\"pdp-name\">{name}</h2>")), "{page}");
        assert!(
            page.contains(&product.price()) && !page.contains("class=\"detail\""),
            "{page}"
        );
    }
    // The rest is as it was.
    assert_eq!(get("/shop/login").0, 200);
    assert_eq!(get("/shop/product/9999").0, 404);
    assert_eq!(get("/books/").0, 200);
}
