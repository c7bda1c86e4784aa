//! The example program, as the README has it: from pages to a wrapper, to a table, through a redesign, to the same table.

use std::process::Command;

#[test]
fn the_life_of_a_wrapper() {
    // Cargo builds examples beside the tests.
    let here = std::env::current_exe().expect("a program");
    let program = here
        .ancestors()
        .nth(2)
        .expect("a build directory")
        .join("examples/journey");
    let output = Command::new(&program).output().expect("the example was built");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = text.lines().collect();
    // The same columns, in the same order, before and after.
    let header = "page_title,lamp,description,maker,price,weight,material";
    assert_eq!(lines.iter().filter(|line| **line == header).count(), 2, "{text}");
    assert!(lines.contains(&"the site has changed"), "{text}");
    // A lamp of before the redesign, found again, and one that is new.
    for (name, maker, price) in [
        ("Attic Lamp", "Nine Rooms", "€ 31.50"),
        ("Moss Light", "Oda Works", "€ 27.40"),
    ] {
        let found = lines.iter().any(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            cells.contains(&name) && cells.contains(&maker) && cells.contains(&price) && line.contains("| Lampwright")
        });
        assert!(found, "{name}: {text}");
    }
}
