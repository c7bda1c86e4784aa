//! What the binary says about typical mistakes: `mistakes/mistakes.md` has each expression with the whole answer.

/// Fewer would leave out some that were reported.
const MISTAKES: usize = 45;

#[test]
fn mistakes() {
    // Commands are written as from the root of the project.
    std::env::set_current_dir("../..").expect("the root of the project");
    let file = "crates/cli/tests/mistakes/mistakes.md";
    trycmd::TestCases::new().case(file).run();
    let text = std::fs::read_to_string(file).expect("the mistakes");
    let answers: Vec<&str> = text.split("$ wrapwright ").skip(1).collect();
    assert!(answers.len() >= MISTAKES, "{} mistakes", answers.len());
    for answer in answers {
        let messages = ["Error: ", "Warning: ", "error: "].map(|word| answer.matches(word).count());
        assert_eq!(
            messages.iter().sum::<usize>(),
            1,
            "one message for one mistake: {answer}"
        );
    }
}
