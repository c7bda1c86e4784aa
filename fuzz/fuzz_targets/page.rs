//! Any bytes are a page, and all its views hold together.
#![no_main]

use libfuzzer_sys::fuzz_target;
use page::{Kind, NodeId, Page, Paths, ParseSettings};

fuzz_target!(|bytes: &[u8]| {
    let Ok(page) = Page::parse(bytes, &ParseSettings::default()) else { return };
    let mut before = Kind::Document;
    let mut text = String::new();
    for id in (0..page.len() as u32).map(NodeId) {
        assert!(page.end(id) > id && page.end(id).index() <= page.len());
        if let Some(parent) = page.parent(id) {
            assert!(parent < id && page.end(id) <= page.end(parent));
        }
        let kind = page.kind(id);
        if kind == Kind::Text {
            assert!(!page.string_value(id).is_empty());
            let neighbours = before == Kind::Text && page.parent(id) == page.parent(NodeId(id.0 - 1));
            assert!(!neighbours, "two text nodes side by side");
            text.push_str(page.string_value(id));
        }
        before = kind;
    }
    assert_eq!(text, page.string_value(NodeId::DOCUMENT));
    let _ = page.to_html(NodeId::DOCUMENT);
    let _ = page.to_xml(NodeId::DOCUMENT);
    let mut paths = Paths::new(&page);
    let last = NodeId(page.len() as u32 - 1);
    let path = paths.path(last);
    let query = oxpath::Query::compile(&path).unwrap_or_else(|_| panic!("{path} is no expression"));
    assert_eq!(query.evaluate(&page), Ok(oxpath::Value::Nodes(vec![last])), "{path}");
});
