//! Any text is a schema or an error that says where, as a DTD and as a JSON Schema.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wrapper::schema::{from_dtd, from_json_schema};

fuzz_target!(|text: &str| {
    for read in [from_dtd(text), from_json_schema(text)] {
        match read {
            Ok(kind) => {
                let tables = kind.tables();
                assert!(!tables.is_empty());
                assert_eq!(kind.rows(&[]).len(), tables.len());
            }
            Err(error) => assert!(!error.place.is_empty() && !error.message.is_empty()),
        }
    }
});
