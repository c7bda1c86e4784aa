//! Any expression on any page: the text up to the first line end, and the rest.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oxpath::{Query, Value};
use page::{NodeId, Page, ParseSettings};

fuzz_target!(|input: (&str, &[u8], u16)| {
    let (source, bytes, context) = input;
    // Quadratic is allowed; here it would only slow the search down.
    if bytes.len() > 4096 || source.len() > 512 {
        return;
    }
    let Ok(query) = Query::compile(source) else { return };
    let Ok(page) = Page::parse(bytes, &ParseSettings::default()) else { return };
    let context = NodeId(u32::from(context) % page.len() as u32);
    if let Ok(Value::Nodes(nodes)) = query.evaluate_at(&page, context) {
        assert!(nodes.is_sorted_by(|a, b| a < b), "{source}");
        assert!(nodes.iter().all(|node| node.index() < page.len()));
    }
});
