//! What is odd about structured data; what is usual is compared with another program in `tests/structured.rs`.

use super::*;

fn facts(html: &str) -> Vec<(Source, String, String)> {
    let page = Page::parse_str(html, &Default::default()).unwrap();
    let facts = Structured::of(&page).facts;
    facts
        .into_iter()
        .map(|fact| (fact.source, fact.path, fact.value))
        .collect()
}

#[test]
fn broken_scripts_do_not_spoil_others() {
    let html = "<script type='application/ld+json'>{\"name\": \"Ke\nlp\"}</script><script type='application/ld+json'>{\"name\":</script>\
                <script type='application/ld+json'></script><script>{\"name\": \"code\"}</script>\
                <script type='Application/JSON; charset=utf-8'><!-- {\"a\": [1, [2, null]]} --></script>";
    let expected = [
        (Source::JsonLd, "name", "Ke lp"),
        (Source::State, "a", "1"),
        (Source::State, "a", "2"),
    ];
    assert_eq!(
        facts(html),
        expected.map(|(source, path, value)| (source, path.to_owned(), value.to_owned()))
    );
}

#[test]
fn deep_and_many_facts_are_bounded() {
    let deep = format!(
        "<script type=application/json>{}1{}</script>",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(facts(&deep), []);
    let many = format!(
        "<script type=application/json>[{}1]</script>",
        "1,".repeat(MOST_FACTS + 10)
    );
    let page = Page::parse_str(&many, &Default::default()).unwrap();
    let data = Structured::of(&page);
    assert!(data.cut);
    assert_eq!(data.facts.len(), MOST_FACTS);
    // Each property has the text of all inside it, so the whole would be quadratic.
    let nested = format!("<div itemscope>{}{}", "<i itemprop=a>".repeat(3000), "x".repeat(5000));
    let page = Page::parse_str(&nested, &Default::default()).unwrap();
    let data = Structured::of(&page);
    assert!(data.cut && data.facts.iter().map(|fact| fact.value.len()).sum::<usize>() <= MOST_BYTES);
}

#[test]
fn properties_outside_of_items_are_nothing() {
    assert_eq!(facts("<p itemprop=name>x</p><p property=name>y</p>"), []);
}

/// A page describes its site and its thing side by side; each keeps its own name.
#[test]
fn things_are_told_apart_by_their_types() {
    let html = r#"<script type="application/ld+json">{"@graph": [{"@type": "WebSite", "name": "Shop"}, {"name": "Kelp",
        "@type": ["Product", "Thing"], "offers": {"@type": "Offer", "price": 12}}], "name": "all"}</script>
        <div itemscope itemtype="https://schema.org/Book"><p itemprop=name>Moss</p><div itemscope><i itemprop=name>inner</i></div>
        <p itemprop=isbn>7</p></div>"#;
    let page = Page::parse_str(html, &Default::default()).unwrap();
    let data = Structured::of(&page);
    for (source, kind, path, expected) in [
        (Source::JsonLd, Some("Product"), "name", &["Kelp"][..]),
        (Source::JsonLd, Some("WebSite"), "name", &["Shop"]),
        (Source::JsonLd, Some("Product"), "offers.price", &["12"]),
        (Source::JsonLd, Some("Offer"), "price", &[]),
        (Source::JsonLd, None, "name", &["all", "Shop", "Kelp"]),
        (Source::Microdata, Some("Book"), "name", &["Moss"]),
        (Source::Microdata, Some("Book"), "isbn", &["7"]),
        (Source::Microdata, None, "name", &["Moss", "inner"]),
    ] {
        let found: Vec<&str> = data
            .of_kind(source, kind, path)
            .map(|fact| fact.value.as_str())
            .collect();
        assert_eq!(found, expected, "{source:?} {kind:?} {path}");
    }
}
