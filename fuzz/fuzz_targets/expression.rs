//! Any text is an expression or a list of mistakes, and what is printed parses back to the same print.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oxpath::{Query, syntax};

fuzz_target!(|source: &str| {
    match syntax::parse(source) {
        Ok(expr) => {
            let printed = expr.to_string();
            let again = syntax::parse(&printed).unwrap_or_else(|_| panic!("{printed} does not parse"));
            assert_eq!(again.to_string(), printed);
            let normal = oxpath::normalize(&expr).to_string();
            assert!(syntax::parse(&normal).is_ok(), "{normal} does not parse");
        }
        Err(found) => {
            assert!(!found.is_empty());
            for diagnostic in found {
                assert!(source.get(diagnostic.span.range()).is_some());
                assert!(!diagnostic.message.is_empty());
            }
        }
    }
    let _ = Query::compile(source);
});
