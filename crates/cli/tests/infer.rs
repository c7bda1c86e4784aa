//! `infer`, and the other commands on what it makes.

use std::path::Path;
use std::process::{Command, Output};

fn wrapwright(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.current_dir(directory).args(arguments).output().unwrap()
}

fn pages(directory: &Path) {
    for (name, title, price) in [
        ("a", "Alien", "7.50"),
        ("b", "Solaris", "8.00"),
        ("c", "Stalker", "9.20"),
    ] {
        let html = format!("<h1>{title}</h1><table><tr><td>Price:<td>{price}</table>");
        std::fs::write(directory.join(format!("{name}.html")), html).unwrap();
    }
}

#[test]
fn a_wrapper_from_pages_gives_their_records() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    pages(at);
    let made = wrapwright(at, &["infer", ".", "-o", "w.json"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let out = wrapwright(at, &["extract", "w.json", "b.html", "--no-meta"]);
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "{\"title\":\"Solaris\",\"price\":\"8.00\"}\n"
    );
    let table = wrapwright(at, &["extract", "w.json", ".", "--no-meta", "--format", "csv"]);
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert_eq!(table, "title,price\nAlien,7.50\nSolaris,8.00\nStalker,9.20\n");
    let shown = wrapwright(at, &["show", "w.json", "--full"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("= price"), "{shown:?}");
    let drawn = wrapwright(
        at,
        &["show", "w.json", "--svg", "w.svg", "--on", "a.html", "--html", "a.out"],
    );
    assert_eq!(drawn.status.code(), Some(0), "{drawn:?}");
    assert!(std::fs::read_to_string(at.join("w.svg")).unwrap().starts_with("<svg"));
    assert!(
        std::fs::read_to_string(at.join("a.out"))
            .unwrap()
            .contains("<h1><ww-v>Alien</ww-v><ww-n>title</ww-n></h1>")
    );
}

#[test]
fn a_field_has_one_form_on_all_pages() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let page = |name: &str, title: &str, price: &str| {
        let html = format!("<h1>{title}</h1><table><tr><td>Price:<td>{price}</table>");
        std::fs::write(at.join(name), html).unwrap();
    };
    pages(at);
    page("new.htm", "Mirror", "6.10<br>or 7.00");
    // No page of the three has two prices: a price is a value, also where a page has two.
    let seen = ["infer", "a.html", "b.html", "c.html", "-o", "w.json"];
    assert_eq!(wrapwright(at, &seen).status.code(), Some(0));
    let out = wrapwright(at, &["extract", "w.json", "new.htm", "a.html", "--no-meta"]);
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "{\"title\":\"Mirror\",\"price\":\"6.10 or 7.00\"}\n{\"title\":\"Alien\",\"price\":\"7.50\"}\n"
    );
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(
        said.contains("warning: new.htm: `price` has several values, expected one; they were joined"),
        "{said}"
    );
    assert!(said.contains("hint: to get a list of values"), "{said}");
    assert_eq!(out.status.code(), Some(0));
    // With that page, or a word in the file, a price is a list, also where a page has one.
    let lists = "{\"title\":\"Mirror\",\"price\":[\"6.10\",\"or 7.00\"]}\n{\"title\":\"Alien\",\"price\":[\"7.50\"]}\n";
    let file = std::fs::read_to_string(at.join("w.json")).unwrap();
    let (single, list) = (r#""price", "kind": "text""#, r#""price", "kind": { "list": "text" }"#);
    assert!(file.contains(single), "{file}");
    std::fs::write(at.join("edited.json"), file.replace(single, list)).unwrap();
    let more = ["infer", "a.html", "b.html", "c.html", "new.htm", "-o", "more.json"];
    assert_eq!(wrapwright(at, &more).status.code(), Some(0));
    for wrapper in ["edited.json", "more.json"] {
        let out = wrapwright(at, &["extract", wrapper, "new.htm", "a.html", "--no-meta"]);
        assert_eq!(String::from_utf8_lossy(&out.stdout), lists, "{wrapper}");
        assert_eq!((out.status.code(), out.stderr.len()), (Some(0), 0), "{wrapper}");
    }
}

#[test]
fn one_page_of_one_record_is_not_enough() {
    let directory = tempfile::tempdir().unwrap();
    pages(directory.path());
    for (arguments, expected) in [
        (&["infer", "a.html"][..], "found no list of records on the page"),
        (
            &["infer", "a.html", "--method", "regions"],
            "found no list of records on the page",
        ),
        (&["infer", "a.html", "--method", "landmarks"], "expected at least two"),
    ] {
        let out = wrapwright(directory.path(), arguments);
        assert_eq!(out.status.code(), Some(2), "{out:?}");
        assert!(complaint(&out).contains(expected), "{out:?}");
    }
}

/// A wrapper without fields is no wrapper: nothing is written, and the program fails.
#[test]
fn pages_with_nothing_in_common_give_no_wrapper() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    std::fs::write(at.join("empty.html"), "").unwrap();
    std::fs::write(at.join("words.html"), "<!-- nothing else -->some words").unwrap();
    let out = wrapwright(at, &["infer", "empty.html", "words.html", "-o", "w.json"]);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    assert!(complaint(&out).contains("found no value on any of 2 pages"), "{out:?}");
    let out = wrapwright(at, &["infer", "empty.html", "-o", "w.json"]);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    assert!(complaint(&out).contains("empty.html: found an empty page"), "{out:?}");
    assert!(!at.join("w.json").exists());
}

/// A page with two lists, the longer one in rows of three and with an advert in between.
fn lists(directory: &Path) {
    let mut rows = String::new();
    for (number, name) in ["Kelp", "Moss", "Fern", "Reed", "Sedge"].iter().enumerate() {
        rows += &format!("<tr><td><b><a href=\"p{number}.html\">{name}</a></b></td></tr>");
        rows += &format!(
            "<tr><td>It grows in {number} places of the north</td></tr><tr><td><i>{number}.50 €</i></td></tr>"
        );
        if number == 2 {
            rows += "<tr><td><center><img src=\"ad.gif\"></center></td></tr>";
        }
    }
    let news = (1..5).map(|number| format!("<li>{number} May: <a href=\"n{number}.html\">Fair {number}</a></li>"));
    let html = format!(
        "<nav><a href=\"/\">Home</a> <a href=\"/a\">About</a></nav><h1>Plants</h1><table>{rows}</table><ul>{}</ul>",
        news.collect::<String>()
    );
    std::fs::write(directory.join("list.html"), html).unwrap();
}

#[test]
fn one_page_is_enough_for_a_list() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    lists(at);
    for method in [&[][..], &["--method", "regions"], &["--method", "auto"]] {
        let made = wrapwright(at, &[&["infer", "list.html", "-o", "w.json"], method].concat());
        assert_eq!(made.status.code(), Some(0), "{made:?}");
        assert!(
            complaint(&made).contains("found a list of 5 records with 4 fields"),
            "{made:?}"
        );
        let read = wrapwright(at, &["extract", "w.json", "list.html", "--no-meta"]);
        let read = String::from_utf8_lossy(&read.stdout).into_owned();
        let records: Vec<&str> = read.lines().collect();
        assert_eq!(records.len(), 5, "{read}");
        for said in [
            "\"Reed\"",
            "\"p3.html\"",
            "\"It grows in 3 places of the north\"",
            "\"3.50 €\"",
        ] {
            assert!(records[3].contains(said), "{}", records[3]);
        }
    }
}

#[test]
fn another_list_of_the_page_can_be_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    lists(at);
    let found = (2..=10).any(|number| {
        let number = number.to_string();
        let made = wrapwright(at, &["infer", "list.html", "--records", &number, "-o", "w.json"]);
        if made.status.code() != Some(0) {
            return false;
        }
        let read = wrapwright(at, &["extract", "w.json", "list.html", "--no-meta"]);
        let read = String::from_utf8_lossy(&read.stdout).into_owned();
        read.lines().count() == 4 && read.contains("Fair 1") && !read.contains("Kelp")
    });
    assert!(found, "the second list is among the lists of the page");
    let made = wrapwright(at, &["infer", "list.html", "--records", "99"]);
    assert_eq!(made.status.code(), Some(2), "{made:?}");
    assert!(complaint(&made).contains("list 99 was asked for"), "{made:?}");
}

fn complaint(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

#[test]
fn pages_without_anything_to_tell_apart_are_mistakes() {
    let cases = [
        (["", ""], "found pages without text"),
        (
            ["<p></p><img src=a>", "<p><script>x</script>"],
            "found pages without text",
        ),
        (["<p>a</p>", "<p>a</p>"], "found pages that are all the same"),
    ];
    for (sources, expected) in cases {
        let directory = tempfile::tempdir().unwrap();
        for (name, html) in ["a.html", "b.html"].iter().zip(sources) {
            std::fs::write(directory.path().join(name), html).unwrap();
        }
        let out = wrapwright(directory.path(), &["infer", ".", "-o", "w.json"]);
        assert_eq!(out.status.code(), Some(2), "{sources:?}: {out:?}");
        assert!(complaint(&out).contains(expected), "{sources:?}: {}", complaint(&out));
        assert!(
            !complaint(&out).contains("templates"),
            "{sources:?}: {}",
            complaint(&out)
        );
        assert!(!directory.path().join("w.json").exists());
    }
}

#[test]
fn a_wrapper_for_each_template() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for n in 1..4 {
        let film = format!("<div class=film><h1 class=title>Film {n}</h1><p class=year>19{n}0</p></div>");
        let shop = format!("<table class=shop><tr class=row><td class=price>{n}.50</td></tr></table>");
        std::fs::write(at.join(format!("film{n}.html")), film).unwrap();
        std::fs::write(at.join(format!("shop{n}.html")), shop).unwrap();
    }
    std::fs::write(
        at.join("film4.html"),
        "<div class=film><h1 class=title>Film 4</h1></div>",
    )
    .unwrap();
    let warned = wrapwright(at, &["infer", ".", "-o", "all.json"]);
    assert!(
        complaint(&warned).contains("2 templates had made them (4, 3 pages)"),
        "{warned:?}"
    );
    let nowhere = wrapwright(at, &["infer", ".", "--clusters", "auto"]);
    assert_eq!(nowhere.status.code(), Some(2), "{nowhere:?}");
    let made = wrapwright(at, &["infer", ".", "--clusters", "auto", "-o", "w.wrapper.json"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let extract = |wrapper: &str, page: &str| {
        let out = wrapwright(at, &["extract", wrapper, page, "--no-meta"]);
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    assert_eq!(
        extract("w.wrapper.json", "film2.html"),
        "{\"title\":\"Film 2\",\"year\":\"1920\"}\n"
    );
    assert_eq!(extract("w.2.wrapper.json", "shop3.html"), "{\"price\":\"3.50\"}\n");
}

#[test]
fn of_many_pages_a_sample_is_drawn_by_seed() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for n in 0..2000 {
        let html = format!("<h1>Film {n}</h1><p>Price: <b>{n}.50</b></p>");
        std::fs::write(at.join(format!("{n:04}.html")), html).unwrap();
    }
    let infer = |seed: &str| {
        let out = wrapwright(at, &["infer", ".", "--seed", seed]);
        let said = format!("looking at 20 of 2000 pages, drawn with seed {seed}");
        assert!(complaint(&out).contains(&said), "{}", complaint(&out));
        out.stdout
    };
    let first = infer("1");
    assert!(first == infer("1"), "the same seed must give the same wrapper");
    assert!(first != infer("2"), "another seed must draw other pages");
}

/// Pages on which the search for the fewest tokens would take very long: words in all orders.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_the_best_so_far() {
    use std::io::{BufRead, BufReader, Read};
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let mut seed = 5u64;
    for page in 0..22 {
        let mut html = String::from("<h1>Begin</h1>");
        for _ in 0..2500 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            html += &format!("<p>w{} <b>v{}</b></p>", (seed >> 33) % 3000, (seed >> 45) % 3000);
        }
        std::fs::write(at.join(format!("{page:02}.html")), html).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_wrapwright"));
    command.current_dir(at);
    command.args(["infer", ".", "--objective", "tokens", "-k", "2", "-o", "w.json"]);
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut words = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    // By the time that it says this, it listens to interrupts.
    words.read_line(&mut line).unwrap();
    assert!(line.contains("looking at 20 of 22 pages"), "{line}");
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let mut rest = String::new();
    words.read_to_string(&mut rest).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(1), "{rest}");
    assert!(
        rest.contains("interrupted: the wrapper is the best found so far"),
        "{rest}"
    );
    let shown = wrapwright(at, &["show", "w.json", "--full"]);
    assert_eq!(shown.status.code(), Some(0), "{shown:?}");
}

#[test]
fn a_page_that_nests_too_deeply_is_named() {
    let directory = tempfile::tempdir().unwrap();
    pages(directory.path());
    std::fs::write(directory.path().join("d.html"), "<div>".repeat(30_000)).unwrap();
    let out = wrapwright(directory.path(), &["infer", ".", "-o", "w.json"]);
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert!(
        complaint(&out).contains("d.html: the page nests deeper than the limit"),
        "{out:?}"
    );
    assert!(directory.path().join("w.json").exists());
}

#[test]
fn hostile_pages_are_got_through() {
    let cases = [
        ("deep", "<div>".repeat(1_000)),
        ("wide", "<p>x".repeat(20_000)),
        ("empty", "<i></i>".repeat(20_000)),
        ("words", format!("<p>{}", "word ".repeat(30_000))),
    ];
    for (name, html) in cases {
        for objective in ["records", "tokens"] {
            let directory = tempfile::tempdir().unwrap();
            let at = directory.path();
            std::fs::write(at.join("a.html"), format!("{html}<b>one</b>")).unwrap();
            std::fs::write(at.join("b.html"), format!("{html}<b>two</b>")).unwrap();
            let out = wrapwright(at, &["infer", ".", "--objective", objective, "-o", "w.json"]);
            assert_eq!(out.status.code(), Some(0), "{name}, {objective}: {}", complaint(&out));
            // A rule of the fewest tokens may give no record.
            let out = wrapwright(at, &["extract", "w.json", "a.html"]);
            let expected = [Some(0), Some(1)];
            assert!(
                expected.contains(&out.status.code()),
                "{name}, {objective}: {}",
                complaint(&out)
            );
        }
    }
}

/// Pages of a book with its reviews.
fn books(directory: &Path) {
    let review = |(name, rating): &(&str, &str)| format!("<li><b>By</b> {name} <i>Rating</i> {rating}</li>");
    for (name, title, reviews) in [
        ("a", "Databases", vec![("John", "7")]),
        ("b", "Data Mining", vec![("Jeff", "2"), ("Jane", "6")]),
        ("c", "Query Opt.", vec![("Jim", "8"), ("Joe", "3"), ("Jo", "5")]),
        ("d", "Transactions", vec![]),
    ] {
        let reviews: String = reviews.iter().map(review).collect();
        let html = format!("<h1>Book</h1><p>{title}</p><h2>Reviews</h2><ol>{reviews}</ol>");
        std::fs::write(directory.join(format!("{name}.html")), html).unwrap();
    }
}

#[test]
fn a_template_gives_nested_records_and_their_type() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    books(at);
    let made = wrapwright(
        at,
        &["infer", ".", "--method", "exalg", "-o", "w.json", "--record", "page"],
    );
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let out = wrapwright(at, &["extract", "w.json", "b.html", "d.html", "--no-meta"]);
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "{\"book\":\"Data Mining\",\"by_items\":[{\"by\":\"Jeff\",\"rating\":\"2\"},{\"by\":\"Jane\",\"rating\":\"6\"}]}\n\
         {\"book\":\"Transactions\",\"by_items\":[]}\n"
    );
    let shown = wrapwright(at, &["show", "w.json", "--full"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("<ol> {<<li> <b> By </b> *by <i> Rating </i> *rating </li>>} </ol>"),
        "{shown}"
    );
    let dtd = wrapwright(at, &["show", "w.json", "--schema", "dtd"]);
    assert_eq!(
        String::from_utf8_lossy(&dtd.stdout),
        "<!ELEMENT page (book?, by_items*)>\n<!ELEMENT book (#PCDATA)>\n<!ELEMENT by_items (by?, rating?)>\n\
         <!ELEMENT by (#PCDATA)>\n<!ELEMENT rating (#PCDATA)>\n"
    );
    let schema = wrapwright(at, &["show", "w.json", "--schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(
        schema["properties"]["by_items"]["items"]["properties"]["rating"]["type"],
        "string"
    );
    let drawn = wrapwright(at, &["show", "w.json", "--svg", "w.svg"]);
    assert_eq!(drawn.status.code(), Some(0), "{drawn:?}");
    assert!(
        std::fs::read_to_string(at.join("w.svg"))
            .unwrap()
            .contains("set by_items")
    );
}

#[test]
fn what_does_not_fit_a_template_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    books(at);
    wrapwright(at, &["infer", ".", "--method", "exalg", "-o", "w.json"]);
    std::fs::write(
        at.join("odd.htm"),
        "<h1>Book</h1><p>Odd</p><h2>Reviews</h2><ol><li><b>By</b> A <i>Rating</i> 1</li><li>none</li>\
         <li><b>By</b> B <i>Rating</i> 2</li></ol>",
    )
    .unwrap();
    let out = wrapwright(at, &["extract", "w.json", "odd.htm", "--no-meta"]);
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert_eq!(
        String::from_utf8_lossy(&out.stdout),
        "{\"book\":\"Odd\",\"by_items\":[{\"by\":\"A\",\"rating\":\"1\"},{\"by\":\"B\",\"rating\":\"2\"}]}\n"
    );
    assert!(
        String::from_utf8_lossy(&out.stderr).contains("one place does not fit the template"),
        "{out:?}"
    );
}

/// Without a method, lists are found as lists and details as details, and one line says so.
#[test]
fn the_method_that_suits_is_the_default_and_said() {
    let directory = tempfile::tempdir().unwrap();
    let (lists, details) = (directory.path().join("lists"), directory.path().join("details"));
    for folder in [&lists, &details] {
        std::fs::create_dir(folder).unwrap();
    }
    let plants = ["Kelp", "Moss", "Fern", "Reed", "Sedge"];
    for (number, name) in plants.iter().enumerate() {
        let row = |at: usize| {
            let plant = plants[(at * 3 + number) % 5];
            format!("<tr><td><a href=/{at}{number}>{plant} {at}{number}</a></td><td>{number}{at}.50</td></tr>")
        };
        let rows: String = (0..9 + number % 2).map(row).collect();
        let list = format!("<title>Plants</title><table><tr><th>Plant</th><th>Price</th></tr>{rows}</table>");
        std::fs::write(lists.join(format!("{number}.html")), list).unwrap();
        let detail = format!(
            "<title>{name} - Plants</title><h1>{name}</h1><p>Price: <b>{number}.50</b></p><p>Family: <b>{name} family</b></p>"
        );
        std::fs::write(details.join(format!("{number}.html")), detail).unwrap();
    }
    let made = wrapwright(directory.path(), &["infer", "lists", "-o", "l.json"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let said = complaint(&made);
    assert!(said.contains("found a list of about 9 records a page with "), "{said}");
    let made = wrapwright(directory.path(), &["infer", "details", "-o", "d.json"]);
    let said = complaint(&made);
    assert!(said.contains("found one record a page with 4 fields\n"), "{said}");
}

#[test]
fn fields_are_chosen_by_what_is_asked_for() {
    let folder = tempfile::tempdir().expect("a directory");
    let goods = [
        ["Kelp", "Ada Merrow", "12.50 €"],
        ["Salt Road", "Jonas Thule", "9.00 €"],
        ["Moss", "Bo Lind", "7.25 €"],
    ];
    for (number, [title, author, price]) in goods.iter().enumerate() {
        let html = format!(
            "<title>{title} - The Shop</title><h1>{title}</h1><p>Writer: <b>{author}</b></p><p>Our price: <i>{price}</i></p>"
        );
        std::fs::write(folder.path().join(format!("{number}.html")), html).expect("a file");
    }
    let run = |arguments: &[&str], code: i32| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_wrapwright"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("the binary runs");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words}");
        (String::from_utf8_lossy(&output.stdout).into_owned(), words)
    };
    run(&["infer", ".", "--fields", "price, title", "-o", "w.json"], 0);
    // What was not found is told, by the exit code, too; the others are written.
    let names = "price, author, title, colour";
    let (_, words) = run(&["infer", ".", "--fields", names, "-o", "w.json"], 1);
    assert!(words.contains("warning: `colour` was not found"), "{words}");
    let (csv, _) = run(&["extract", "w.json", ".", "--format", "csv", "--no-meta"], 0);
    assert_eq!(
        csv,
        "price,author,title\n12.50 €,Ada Merrow,Kelp\n9.00 €,Jonas Thule,Salt Road\n7.25 €,Bo Lind,Moss\n"
    );
    // Nothing is written rather than something else.
    for names in ["colour, size", ","] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_wrapwright"))
            .args(["infer", ".", "--fields", names, "-o", "none.json"])
            .current_dir(folder.path())
            .output()
            .expect("the binary runs");
        assert_eq!(
            output.status.code(),
            Some(2),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(!folder.path().join("none.json").exists());
    }
}
