//! The binary as a user runs it: every console block of the README, of the guides and of the files in `cmd/` is run and compared.

#[test]
fn consoles() {
    // Commands are written as from the root of the project.
    std::env::set_current_dir("../..").expect("the root of the project");
    let cases = trycmd::TestCases::new();
    cases
        .case("README.md")
        .case("docs/*.md")
        .case("crates/cli/tests/cmd/*.md");
    cases.run();
}
