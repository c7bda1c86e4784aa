//! The binary as a user runs it: every console block of the README, of the guides and of the files in `cmd/` is run and compared.

mod past;

#[test]
fn consoles() {
    // Commands are written as from the root of the project.
    std::env::set_current_dir("../..").expect("the root of the project");
    // The tour goes to the demo where users have it. If one is there already, it is the same.
    let served = demo::server::start("127.0.0.1:8807", demo::Demo);
    if let Err(error) = &served {
        assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse, "{error}");
    }
    let redesigned = demo::server::start("127.0.0.1:8808", demo::Redesigned);
    if let Err(error) = &redesigned {
        assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse, "{error}");
    }
    std::fs::create_dir_all("target").expect("a place for what the examples write");
    // The page for assistants writes to a directory that is called after its site.
    let _ = std::fs::remove_dir_all("target/skill");
    std::fs::create_dir_all("target/skill").expect("a place for a site");
    let page = std::fs::read_to_string("skills/wrapwright/SKILL.md").expect("the page");
    assert!(page.lines().count() < 300, "it must be short");
    let page = page
        .replace(" shop/", " target/skill/")
        .replace("@shop/", "@target/skill/");
    std::fs::write("target/skill/SKILL.md", page).expect("a file");
    // The tour begins with a directory that is not there.
    let _ = std::fs::remove_dir_all("target/tour");
    // A wrapper that is replaced is kept, and said to be.
    for entry in std::fs::read_dir("target").expect("a directory").flatten() {
        if entry.file_name().to_string_lossy().starts_with("repaired.") {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    // Tables are written from the beginning.
    let _ = std::fs::remove_dir_all("target/records");
    std::fs::create_dir_all("target/records").expect("a place for records");
    // A run begins in a directory that is not there.
    let _ = std::fs::remove_dir_all("target/runs");
    // Wrappers are learned, checked and repaired from the beginning.
    let _ = std::fs::remove_dir_all("target/tending");
    std::fs::create_dir_all("target/tending").expect("a place for wrappers");
    // A wrapper that was watched for three weeks.
    std::fs::create_dir_all("target/watched").expect("a place for a history");
    past::write(std::path::Path::new("target/watched/shop.wrapper.json"), &past::shop());
    let cases = trycmd::TestCases::new();
    cases
        .case("README.md")
        .case("docs/*.md")
        .case("target/skill/SKILL.md")
        .case("crates/cli/tests/cmd/*.md");
    cases.run();
}
