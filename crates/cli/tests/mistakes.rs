//! What the binary says about typical mistakes: `mistakes/mistakes.md` has each expression with the whole answer.

/// Fewer would leave out some that were reported.
const MISTAKES: usize = 45;

#[test]
fn mistakes() {
    // Commands are written as from the root of the project.
    std::env::set_current_dir("../..").expect("the root of the project");
    let file = "crates/cli/tests/mistakes/mistakes.md";
    let text = std::fs::read_to_string(file).expect("the mistakes");
    let mut silent = Vec::new();
    let mut count = 0;
    for block in text.split("$ wrapwright ").skip(1) {
        count += 1;
        if !(block.contains("Error: ") || block.contains("Warning: ") || block.contains("error: ")) {
            silent.push(block.lines().next().unwrap_or_default());
        }
    }
    assert!(count >= MISTAKES, "{count} mistakes");
    assert_eq!(silent, Vec::<&str>::new(), "nothing is said about these");
    trycmd::TestCases::new().case(file).run();
}
