//! Tests of redesigns.

use super::draw::{Redesign, drift, parse};
use super::*;
use page::NodeId;

fn sample(name: &str, body: &str, truth: &[&[&str]]) -> Sample {
    Sample {
        name: name.to_owned(),
        page: parse(&format!(
            "<!DOCTYPE html><html><head><title>x</title></head><body>{body}</body></html>"
        ))
        .unwrap(),
        truth: truth
            .iter()
            .map(|values| values.iter().map(|value| (*value).to_owned()).collect())
            .collect(),
    }
}

fn kind(text: &str) -> Kind {
    let (tag, class) = text
        .split_once('.')
        .map_or((text, None), |(tag, class)| (tag, Some(class)));
    Kind {
        tag: tag.to_owned(),
        class: class.map(str::to_owned),
    }
}

fn step(change: Change, kinds: &[&str]) -> Step {
    Step {
        change,
        kinds: kinds.iter().map(|text| kind(text)).collect(),
        words: Vec::new(),
        salt: 7,
    }
}

/// The content of the body after a step. Names that the step made are `N`, each new one with the next number.
fn after(step: &Step, sample: &Sample) -> String {
    let html = step.apply(sample);
    let page = parse(&html).unwrap();
    // The written text parses back to the same page.
    assert_eq!(page.to_html(NodeId::DOCUMENT), html);
    let body = page.elements_named(page.name_id("body").unwrap())[0];
    let html = page.inner_html(body);
    let mut names: Vec<String> = Vec::new();
    let mut out = String::new();
    for piece in html.split_inclusive(|c: char| !c.is_ascii_lowercase()) {
        let word = piece.trim_end_matches(|c: char| !c.is_ascii_lowercase());
        let is_new = word.len() == 10 && !sample.page.to_html(NodeId::DOCUMENT).contains(word);
        if !is_new {
            out += piece;
            continue;
        }
        let number = names.iter().position(|name| name == word).unwrap_or_else(|| {
            names.push(word.to_owned());
            names.len() - 1
        });
        out += &format!("N{number}{}", &piece[word.len()..]);
    }
    out
}

fn check(change: Change, kinds: &[&str], body: &str, expected: &str) {
    assert_eq!(after(&step(change, kinds), &sample("1", body, &[])), expected);
}

#[test]
fn wraps_around_or_inside() {
    let div = "<div class=\"a\">x</div>";
    check(
        Change::Wrap,
        &["div.a"],
        div,
        "<div class=\"N0\"><div class=\"a\">x</div></div>",
    );
    check(Change::Wrap, &["div"], div, div);
    let cell = "<table><tbody><tr><td>1</td><td class=\"v\">2</td></tr></tbody></table>";
    let filled = cell.replace("2", "<div class=\"N0\">2</div>");
    check(Change::Wrap, &["td.v"], cell, &filled);
    // Rows are not wrapped: an element between them would be moved before the table.
    check(Change::Wrap, &["tr"], cell, cell);
    let text = "<p>A <b>c</b> <img src=\"d\"></p>";
    let spans = "<p>A <span class=\"N0\"><b>c</b></span> <span class=\"N1\"><img src=\"d\"></span></p>";
    check(Change::Wrap, &["b", "img"], text, spans);
    check(Change::Wrap, &["body"], "<p>x</p>", "<div class=\"N0\"><p>x</p></div>");
}

#[test]
fn unwraps_what_has_no_text_of_its_own() {
    let body = "<div class=\"a\"><div class=\"a\"><b>x</b></div><i>y</i></div><div class=\"a\">z</div>";
    check(
        Change::Unwrap,
        &["div.a"],
        body,
        "<b>x</b><i>y</i><div class=\"a\">z</div>",
    );
}

#[test]
fn reorders_blocks_of_different_kinds() {
    let block = |class: &str| format!("<div class=\"{class}\"><b>{class}</b><i>text</i></div>");
    let all = ["a", "b", "c", "d"].map(block);
    // The label is one text and not a block.
    let body = format!("<div class=\"o\"><h2>label</h2>{}</div>", all.concat());
    let step = step(Change::Reorder, &["div.o"]);
    let first = after(&step, &sample("1", &body, &[]));
    assert_ne!(first, body);
    assert!(
        first.starts_with("<div class=\"o\"><h2>label</h2><div class="),
        "{first}"
    );
    assert!(all.iter().all(|block| first.contains(block)), "{first}");
    // On a page that lacks a block, the others have the same order.
    let less = format!("<div class=\"o\"><h2>label</h2>{}{}{}</div>", all[0], all[1], all[3]);
    assert_eq!(after(&step, &sample("2", &less, &[])), first.replace(&all[2], ""));
    // Two of a kind may be a list, whose order has a meaning.
    let list = format!("<div class=\"o\">{}{}</div>", all[0], all[0]);
    assert_eq!(after(&step, &sample("3", &list, &[])), list);
}

#[test]
fn reorders_rows_that_begin_with_words_of_the_template() {
    let row = |name: &str, value: &str| format!("<tr><th>{name}</th><td>{value}</td></tr>");
    let table = |rows: &[String]| format!("<table><tbody>{}</tbody></table>", rows.concat());
    let mut step = step(Change::Reorder, &["tbody"]);
    step.words = ["Ink", "Size", "Top", "Weight"].map(str::to_owned).to_vec();
    let order = |names: &[&str]| {
        let rows: Vec<String> = names.iter().map(|name| row(name, "1")).collect();
        let html = after(&step, &sample("1", &table(&rows), &[]));
        let mut found: Vec<&str> = names.to_vec();
        found.sort_by_key(|name| html.find(*name));
        found.join(" ")
    };
    let all = order(&["Ink", "Size", "Top", "Weight"]);
    assert_ne!(all, "Ink Size Top Weight");
    assert_eq!(order(&["Weight", "Top", "Size", "Ink"]), all);
    // A row that does not begin with a word of the template keeps its place.
    assert!(order(&["Ink", "Unknown", "Size", "Top", "Weight"]).split(' ').nth(1) == Some("Unknown"));
}

#[test]
fn renames_alike_on_all_pages() {
    let body = "<div class=\"a b\" id=\"i\"><a class=\"b\" href=\"#i\">x</a><a href=\"#none\">y</a><label for=\"i\">l</label></div>";
    let expected = "<div class=\"N0 N1\" id=\"N2\"><a class=\"N1\" href=\"#N2\">x</a><a href=\"#none\">y</a><label for=\"N2\">l</label></div>";
    check(Change::Rename(100), &[], body, expected);
    check(Change::Rename(0), &[], body, body);
    let rename = step(Change::Rename(100), &[]);
    let names = |body: &str| rename.apply(&sample("1", body, &[]));
    let class = new_name(7, "b");
    assert!(names(body).contains(&class) && names("<p class=\"c b\">").contains(&class));
    // About half of the names.
    let many: String = (0..200).map(|number| format!("<p class=\"k{number}\"></p>")).collect();
    let half = step(Change::Rename(50), &[]).apply(&sample("1", &many, &[]));
    let kept = half.matches("class=\"k").count();
    assert!((60..140).contains(&kept), "{kept} kept");
    // No two names become the same.
    let all = names(&many);
    let different: std::collections::BTreeSet<&str> = all.split("class=\"").skip(1).map(|rest| &rest[..10]).collect();
    assert_eq!(different.len(), 200);
}

#[test]
fn adverts_differ_and_say_nothing_true() {
    let body = "<div class=\"a\">Title</div><p>x <b class=\"a\">y</b></p><table><tbody><tr><td class=\"a\">c</td></tr></tbody></table>";
    let step = step(Change::Adverts, &["div.a", "b.a", "td.a"]);
    let text = |name: &str, truth: &[&[&str]]| {
        let html = after(&step, &sample(name, body, truth));
        // Before the title and in the paragraph, not between a row and its cell.
        assert_eq!(html.matches("href=\"/go/").count(), 2, "{html}");
        assert!(html.contains("<p>x <span class=") && html.contains("<tr><td"), "{html}");
        parse(&html).unwrap().text().to_owned()
    };
    let first = text("1", &[]);
    assert_ne!(first, text("2", &[]));
    assert_eq!(first, text("1", &[]));
    let start = first.find("Title").unwrap();
    let price = &first[first.find('$').unwrap()..start];
    let words = &first[..start - price.len()];
    let others = text("1", &[&[price], &[words.split(' ').next().unwrap()]]);
    assert!(!others.contains(price) && !truth::holds(&others, words), "{others}");
}

#[test]
fn drops_what_says_nothing_but_a_value() {
    let body = "<div><b>Price</b> <span><i>5 €</i></span></div><table><tbody><tr><td>5  €</td></tr></tbody></table><p>now 5 €</p>";
    let step = step(Change::Drop(1), &[]);
    assert_eq!(
        after(&step, &sample("1", body, &[&["Price"], &["5 €"]])),
        "<div><b>Price</b> </div><table><tbody><tr><td></td></tr></tbody></table><p>now 5 €</p>"
    );
}

#[test]
fn swaps_columns_of_its_own_table_and_its_header() {
    let body = "<table class=\"t\"><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody><tr><td>1</td> <td>2</td><td>\
        <table><tbody><tr><td>x</td><td>y</td></tr></tbody></table></td></tr><tr><td colspan=\"2\">w</td><td>v</td></tr></tbody></table>";
    let swapped = body.replace("<th>A</th><th>B</th>", "<th>B</th><th>A</th>");
    let swapped = swapped.replace("<td>1</td> <td>2</td>", "<td>2</td> <td>1</td>");
    check(Change::Swap(0), &["table.t"], body, &swapped);
    check(Change::Swap(2), &["table.t"], body, body);
}

#[test]
fn makes_divs_of_its_own_table() {
    let body = "<table class=\"t\" id=\"i\" width=\"3\"><colgroup><col></colgroup><tbody><tr><th>A</th><td>1</td></tr><tr><td>\
        <table class=\"u\"><tbody><tr><td>x</td></tr></tbody></table></td></tr></tbody></table>";
    let expected = "<div id=\"i\" class=\"N0\"><div class=\"N1\"><div class=\"N2\"><div class=\"N3\">A</div><div class=\"N4\">1</div>\
        </div><div class=\"N2\"><div class=\"N4\"><table class=\"u\"><tbody><tr><td>x</td></tr></tbody></table></div></div></div></div>";
    check(Change::Divs, &["table.t"], body, expected);
    let both = after(&step(Change::Divs, &["table.t", "table.u"]), &sample("1", body, &[]));
    assert!(!both.contains("<t") && both.contains(">x</div>"), "{both}");
}

#[test]
fn values_are_held_as_whole_words() {
    for (text, value, expected) in [
        ("rated PG today", "PG", true),
        ("rated PG-13", "PG", true),
        ("OPG", "PG", false),
        ("15", "5", false),
        ("is 5", "5", true),
        ("($5)", "$5", true),
        ("x", "", false),
    ] {
        assert_eq!(truth::holds(text, value), expected, "{text} {value}");
    }
}

/// Pages of one template to which every change can be made.
fn site() -> Vec<Sample> {
    let page = |number: usize| {
        let (title, price, note) = (
            format!("Thing {number}"),
            format!("{number}5.20"),
            format!("note about {number}"),
        );
        let body = format!(
            "<div class=\"top\"><div class=\"logo\"><a>Shop</a><a>Home</a></div></div><div class=\"main\"><h1 class=\"name\">{title}</h1>\
             <div class=\"facts\"><b>Facts</b><table class=\"t\"><tbody><tr><th>Price</th><td class=\"v\">{price}</td><td>a</td></tr>\
             <tr><th>Weight</th><td>{number}3 kg</td><td>b</td></tr></tbody></table></div>\
             <div class=\"more\"><span>More</span><p class=\"text\">{note}</p></div></div>"
        );
        sample(&format!("{number}"), &body, &[&[&title], &[&price], &[&note]])
    };
    (1..=6).map(page).collect()
}

fn texts(redesign: &Redesign) -> Vec<String> {
    redesign
        .samples()
        .iter()
        .map(|sample| sample.page.to_html(NodeId::DOCUMENT))
        .collect()
}

#[test]
fn a_redesign_follows_from_its_seed() {
    let run = |seed: u64, strength: usize| {
        let mut redesign = Redesign::new(site(), "shop", seed).unwrap();
        (0..strength).for_each(|_| assert!(redesign.step()));
        (redesign.steps().to_vec(), texts(&redesign))
    };
    let (steps, pages) = run(1, 8);
    assert_eq!((&steps, &pages), (&run(1, 8).0, &run(1, 8).1));
    assert_ne!(pages, run(2, 8).1);
    // A stronger redesign begins with the weaker one.
    assert_eq!(steps[..3], run(1, 3).0);
    assert_eq!(steps.len(), 8);
}

#[test]
fn every_change_can_be_made_and_keeps_the_truth() {
    for change in [
        Change::Wrap,
        Change::Unwrap,
        Change::Reorder,
        Change::Rename(50),
        Change::Adverts,
        Change::Drop(1),
        Change::Swap(0),
        Change::Divs,
    ] {
        let mut redesign = Redesign::new(site(), "shop", 1).unwrap();
        let before = texts(&redesign);
        assert!(redesign.make(change), "{change:?}");
        assert!(
            texts(&redesign)
                .iter()
                .zip(&before)
                .all(|(after, before)| after != before),
            "{change:?}"
        );
        let dropped = matches!(change, Change::Drop(_));
        for (sample, levels) in redesign.samples().iter().zip(redesign.levels()) {
            assert_eq!(sample.truth[1].is_empty(), dropped);
            assert!(
                levels.iter().flatten().all(|level| *level == Level::Whole),
                "{change:?}"
            );
            assert_eq!(levels.iter().flatten().count(), 3 - usize::from(dropped));
        }
    }
}

#[test]
fn a_step_that_spoils_a_value_is_not_taken() {
    // The value is the text of two elements; without the element around them, no element has it.
    let body = "<div class=\"v\"><b>New</b> <b>York</b></div><p>x</p>";
    let page = || sample("1", body, &[&["New York"], &["x"], &["x"]]);
    let mut redesign = Redesign::new(vec![page()], "s", 1).unwrap();
    assert_eq!(redesign.levels()[0][0], [Level::Whole]);
    assert!(!redesign.take(step(Change::Unwrap, &["div.v"])));
    assert!(redesign.take(step(Change::Wrap, &["div.v"])));
    // A field that still occurs elsewhere is not dropped.
    let mut redesign = Redesign::new(
        vec![sample("1", "<b>a1</b><p>of a1</p>", &[&["a1"], &["of a1"], &[]])],
        "s",
        1,
    )
    .unwrap();
    assert!(!redesign.make(Change::Drop(0)));
    // A step that changes nothing is not taken either.
    assert!(!redesign.take(step(Change::Wrap, &["h6"])));
}

#[test]
fn drifts_rename_everything_and_wrap_the_body() {
    let names = |page: &Page| -> Vec<String> {
        let class = page.name_id("class").unwrap();
        page.attributes_named(class)
            .iter()
            .map(|at| page.string_value(*at).to_owned())
            .collect()
    };
    let old = names(&site()[0].page);
    let renamed = drift(site(), "shop", 1, true, false).unwrap();
    assert_eq!(names(&renamed.samples()[0].page).len(), old.len());
    assert!(names(&renamed.samples()[0].page).iter().all(|name| !old.contains(name)));
    for both in [false, true] {
        let wrapped = drift(site(), "shop", 1, both, true).unwrap();
        let page = &wrapped.samples()[0].page;
        assert!(names(page).len() > old.len() + 1);
        let body = page.elements_named(page.name_id("body").unwrap())[0];
        assert_eq!(page.children(body).count(), 1);
        assert_eq!(names(page).iter().any(|name| old.contains(name)), !both);
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "whoever runs the tests should know what was skipped")]
fn real_pages_keep_their_truth() {
    let packs = std::path::Path::new("..").join(xtask::sites::PACKS);
    let Some(name) = xtask::sites::names(&packs)
        .ok()
        .and_then(|names| names.into_iter().next())
    else {
        println!("skipped: no pages at {}", packs.display());
        return;
    };
    let files = xtask::sites::files(&packs, &name).unwrap().unwrap();
    let truth = xtask::sites::truth(&packs, &name, false).unwrap().unwrap();
    let samples: Vec<Sample> = files[..6]
        .iter()
        .map(|(page, bytes)| Sample {
            name: page.clone(),
            page: parse(&String::from_utf8_lossy(bytes)).unwrap(),
            truth: truth
                .keys()
                .map(|field| xtask::sites::values(&truth, field, page))
                .collect(),
        })
        .collect();
    let mut redesign = Redesign::new(samples, &name, 1).unwrap();
    let before = redesign.levels().to_vec();
    assert!(before.iter().flatten().flatten().any(|level| *level == Level::Whole));
    for _ in 0..8 {
        assert!(redesign.step());
    }
    for (now, before) in redesign.levels().iter().zip(&before) {
        for (field, (now, before)) in now.iter().zip(before).enumerate() {
            if !redesign.dropped().contains(&field) {
                assert_eq!(now.len(), before.len());
                assert!(now.iter().zip(before).all(|(now, before)| now >= before));
            }
        }
    }
}
