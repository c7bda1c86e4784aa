//! Any bytes are a WARC file: records and faults, with positions that do not go back, and an end.
#![no_main]

use browse::warc::{Reader, is_warc};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = is_warc(bytes);
    for limit in [0, 64, 1 << 20] {
        let mut reader = Reader::new(bytes, limit);
        let mut count = 0;
        while let Some(next) = reader.next_keeping(|_| limit) {
            match next {
                Ok(record) => {
                    let _ = (record.head.target(), record.head.is("response"));
                }
                Err(fault) => assert!(!fault.to_string().is_empty()),
            }
            count += 1;
            // A byte of gzip stands for at most 1,032 bytes, and a record takes twenty.
            assert!(count <= bytes.len() * 60 + 1, "there is an end");
        }
        Reader::new(bytes, limit).for_each(drop);
    }
});
