//! Any text is a wrapper file or an error, and what is read can be run on a page, saved and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page::{Document, Page, ParseSettings};
use std::sync::LazyLock;
use wrapper::Wrapper;

/// Pages that a rule may find something on.
static PAGES: LazyLock<Vec<Document>> = LazyLock::new(|| {
    let list = "<title>Books</title><ul><li><b class=t>Salt</b> by <i>Joan</i> <u>$8.99</u><li><b>Cedar</b></ul>";
    let table = "<table><tr><th>Author<td>Mara<tr><th>Price<td>$12.50</table><p>All rights reserved";
    let deep = "<div><b>x</b>".repeat(50);
    [list, table, &deep, ""]
        .iter()
        .map(|html| Document {
            name: "p".into(),
            page: Page::parse(html.as_bytes(), &ParseSettings::default()).expect("a page").into(),
            source: Some((*html).into()),
        })
        .collect()
});

fuzz_target!(|text: &str| {
    let wrapper = match Wrapper::from_json(text) {
        Ok(wrapper) => wrapper,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let runner = wrapper.runner().expect("what was read can be run");
    for page in &*PAGES {
        let found = runner.run(page, false);
        let rows = runner.record_type().rows(&found.records);
        assert_eq!(rows.len(), runner.record_type().tables().len());
    }
    let saved = wrapper.to_json();
    let again = Wrapper::from_json(&saved).unwrap_or_else(|error| panic!("{error}: {saved}"));
    assert_eq!(again.to_json(), saved);
});
