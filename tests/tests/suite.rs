//! Runs the suites.

use std::fs;

#[test]
fn suites() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/suite");
    let mut files: Vec<_> = fs::read_dir(dir)
        .expect("the suites")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let expected = fs::read_to_string(&file).expect("a suite");
        let today = wrapwright_tests::answer(&expected);
        if std::env::var_os("UPDATE_SUITE").is_some() {
            fs::write(&file, today).expect("room for the suite");
            continue;
        }
        for (number, (expected, today)) in expected.lines().zip(today.lines()).enumerate() {
            assert_eq!(today, expected, "{}:{}", file.display(), number + 1);
        }
        assert_eq!(today.lines().count(), expected.lines().count(), "{}", file.display());
    }
}
