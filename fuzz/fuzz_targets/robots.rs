//! Any bytes are a robots.txt: a page is fetched or refused, and always the same way.
#![no_main]

use browse::{HttpSettings, Memory, Response};
use libfuzzer_sys::fuzz_target;
use page::driver::{Driver, FailureKind, Options};
use std::time::Duration;

fuzz_target!(|input: (&[u8], &str)| {
    let (rules, path) = input;
    let settings = HttpSettings {
        robots: true,
        delay: Some(Duration::ZERO),
        retries: 0,
        ..HttpSettings::offline()
    };
    let file = rules.to_vec();
    let mut driver = Memory::with_settings(settings, move |request| {
        Some(match request.url.path() {
            "/robots.txt" => Response::html(file.clone()).with("Content-Type", "text/plain"),
            _ => Response::html("<p>here</p>"),
        })
    });
    // A delay that the file asks for must not slow the search down.
    let options = Options {
        deadline: Some(std::time::Instant::now() + Duration::from_millis(20)),
        ..Options::default()
    };
    let url = format!("http://a.test/{path}");
    // The time may be up, if the machine is busy.
    if let Err(error) = driver.open(&url, &options)
        && rules.is_empty()
    {
        assert!(error.kind != FailureKind::Robots, "no rules, no refusal: {error}");
    }
});
