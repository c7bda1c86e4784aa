//! Made-up pages of which one or a few records are given.

use super::super::records::tests::learned;

/// What a rule from one record finds on the same page, and on another.
fn check(fields: &[&str], given: &[&str], page: &str, all: usize, other: &str, expected: &[&str]) {
    let own = learned(fields, page, &[given], page);
    assert_eq!(own.len(), all, "{own:?}");
    assert_eq!(learned(fields, page, &[given], other), expected);
}

fn rows<const N: usize>(rows: &[[&str; N]], row: impl Fn(&[&str; N]) -> String) -> String {
    rows.iter().map(row).collect()
}

/// The page is one record, and its rows are fields: the worst that could happen is that it becomes a list.
#[test]
fn a_table_of_labels_is_one_record() {
    let fields = ["sku", "brand", "stock"];
    let given = ["A-1", "Acme", "3 left"];
    let one = [
        ["SKU", "A-1"],
        ["Brand", "Acme"],
        ["Stock", "3 left"],
        ["Weight", "2 kg"],
    ];
    let two = [
        ["SKU", "A-2"],
        ["Stock", "7 left"],
        ["Weight", "9 kg"],
        ["Color", "red"],
    ];
    let table = |all: &[[&str; 2]]| {
        let rows = rows(all, |[label, value]| {
            format!("<tr><td>{label}</td><td>{value}</td></tr>")
        });
        format!("<h1>Shop</h1><table>{rows}</table>")
    };
    check(&fields, &given, &table(&one), 1, &table(&two), &["A-2|7 left"]);
    let terms = |all: &[[&str; 2]]| {
        let rows = rows(all, |[label, value]| format!("<dt>{label}</dt><dd>{value}</dd>"));
        format!("<h1>Shop</h1><dl>{rows}</dl>")
    };
    assert_eq!(learned(&fields, &terms(&one), &[&given], &terms(&one)).len(), 1);
    let lines = |all: &[[&str; 2]]| {
        let rows = rows(all, |[label, value]| format!("<b>{label}:</b> {value}<br>"));
        format!("<h1>Shop</h1><p>{rows}</p>")
    };
    assert_eq!(learned(&fields, &lines(&one), &[&given], &lines(&one)).len(), 1);
}

/// Two labels and two values in each row: the row of the example is a part of the record like the others.
#[test]
fn two_labels_in_each_row_are_of_one_record() {
    let table = |all: &[[&str; 4]]| {
        let rows = rows(all, |[label, value, other, more]| {
            format!("<tr><td>{label}</td><td>{value}</td><td>{other}</td><td>{more}</td></tr>")
        });
        format!("<h1>Shop</h1><table>{rows}</table>")
    };
    let page = table(&[
        ["SKU", "A-1", "Brand", "Acme"],
        ["Stock", "3 left", "Weight", "2 kg"],
        ["Colour", "red", "Size", "XL"],
        ["Made in", "Peru", "Age", "3 years"],
    ]);
    let own = learned(&["sku", "brand"], &page, &[&["A-1", "Acme"]], &page);
    assert_eq!(own, ["A-1|Acme"]);
    // The same words in each row are labels of a list.
    let page = table(&[
        ["SKU", "A-1", "Brand", "Acme"],
        ["SKU", "A-2", "Brand", "Bolt"],
        ["SKU", "A-3", "Brand", "Cord"],
    ]);
    let own = learned(&["sku", "brand"], &page, &[&["A-1", "Acme"]], &page);
    assert_eq!(own, ["A-1|Acme", "A-2|Bolt", "A-3|Cord"]);
}

/// Links and texts after labels: shapes differ by chance, labels are all different.
#[test]
fn labels_that_differ_are_of_one_record() {
    let page = |who: &str, year: &str| {
        format!(
            "<h1>Film</h1><p><b>Director:</b> <a href=1>{who}</a><br><b>Year:</b> {year}<br><b>Writer:</b> \
             <a href=2>Cy</a><br><b>Country:</b> Peru<br><b>Music:</b> <a href=3>Di</a><br><b>Length:</b> 90</p>"
        )
    };
    check(
        &["director", "year"],
        &["Ann", "1990"],
        &page("Ann", "1990"),
        1,
        &page("Bob", "2001"),
        &["Bob|2001"],
    );
}

#[test]
fn one_row_of_a_table_shows_the_table() {
    let page = |all: &[[&str; 2]]| {
        let rows = rows(all, |[name, price]| format!("<tr><td>{name}</td><td>{price}</td></tr>"));
        format!("<h1>Shop</h1><table>{rows}</table>")
    };
    let one = page(&[["Kelp", "4"], ["Moss", "5"], ["Reed", "6"], ["Fern", "7"]]);
    let two = page(&[["Ash", "14"], ["Elm", "15"]]);
    check(&["name", "price"], &["Reed", "6"], &one, 4, &two, &["Ash|14", "Elm|15"]);
}

#[test]
fn terms_and_paragraphs_in_a_row_are_records() {
    let page = |all: &[[&str; 2]]| {
        let rows = rows(all, |[name, text]| format!("<dt><b>{name}</b></dt><dd>{text}</dd>"));
        format!("<p>Found:</p><dl>{rows}</dl>")
    };
    let one = page(&[["Kelp", "in the sea"], ["Moss", "in woods"], ["Reed", "by lakes"]]);
    let two = page(&[["Ash", "in parks"], ["Elm", "by roads"]]);
    let expected = ["Ash|in parks", "Elm|by roads"];
    check(&["name", "text"], &["Moss", "in woods"], &one, 3, &two, &expected);
}

#[test]
fn rows_below_headings_are_records() {
    let page = |all: &[(&str, &[&str])]| {
        let item = |name: &&str| format!("<li><a href=/{name}.pdf>{name}</a></li>");
        let group = |(date, names): &(&str, &[&str])| {
            format!(
                "<p><b>{date}</b></p><ul>{}</ul>",
                names.iter().map(item).collect::<String>()
            )
        };
        // A menu of the same shape has no heading.
        let menu: String = ["Home", "Help", "Jobs"].iter().map(item).collect();
        let groups: String = all.iter().map(group).collect();
        format!("<div><ul>{menu}</ul></div><div>{groups}</div>")
    };
    let one = page(&[
        ("May 9", &["Zoo", "Park"]),
        ("May 10", &["Hall"]),
        ("May 12", &["Mill", "Inn", "Gate"]),
    ]);
    let two = page(&[("June 1", &["Pool"]), ("June 2", &["Barn", "Yard"])]);
    let expected = [
        "June 1|/Pool.pdf|Pool",
        "June 2|/Barn.pdf|Barn",
        "June 2|/Yard.pdf|Yard",
    ];
    let fields = ["date", "link", "name"];
    check(&fields, &["May 12", "/Inn.pdf", "Inn"], &one, 6, &two, &expected);
    // Two of them show the same.
    let given: [&[&str]; 2] = [&["May 9", "/Zoo.pdf", "Zoo"], &["May 12", "/Mill.pdf", "Mill"]];
    assert_eq!(learned(&fields, &one, &given, &two), expected);
}

/// What the page is about is one record, also if other things below it have the same fields; two examples show that they are meant.
#[test]
fn other_editions_are_no_list_of_a_book() {
    let page = |title: &str, all: &[[&str; 2]]| {
        let edition = |[date, maker]: &[&str; 2]| format!("<li><b>{date}</b> <i>{maker}</i></li>");
        format!("<h1>{title}</h1><ul>{}</ul>", rows(all, edition))
    };
    let one = page(
        "Kelp",
        &[["May 2005", "Acme"], ["June 2006", "Bolt"], ["July 2007", "Cog"]],
    );
    let given: [&[&str]; 2] = [&["Kelp", "May 2005", "Acme"], &["Kelp", "July 2007", "Cog"]];
    let fields = ["title", "date", "maker"];
    assert_eq!(learned(&fields, &one, &given[..1], &one), ["Kelp|May 2005|Acme"]);
    let two = page("Moss", &[["May 1995", "Dent"], ["June 1996", "Acme"]]);
    let expected = ["Moss|May 1995|Dent", "Moss|June 1996|Acme"];
    assert_eq!(learned(&fields, &one, &given, &two), expected);
}

/// A value of the record is also elsewhere, alone; the other values tell which place is meant.
#[test]
fn values_are_where_they_are_together() {
    let page = |all: &[[&str; 2]]| {
        let rows = rows(all, |[name, maker]| {
            format!("<tr><td>{name}</td><td>made by {maker}</td></tr>")
        });
        format!("<p><a href=m>Acme</a></p><table>{rows}</table>")
    };
    let one = page(&[["Kelp", "Acme"], ["Moss", "Bolt"], ["Reed", "Acme"], ["Fern", "Cog"]]);
    let two = page(&[["Ash", "Dent"], ["Elm", "Acme"]]);
    check(
        &["name", "maker"],
        &["Reed", "Acme"],
        &one,
        4,
        &two,
        &["Ash|Dent", "Elm|Acme"],
    );
}

/// The address of a link is no part of the link's text, also if another text says it.
#[test]
fn an_address_is_where_its_link_is() {
    let page = |names: &[&str]| {
        let item = |name: &&str| {
            format!("<div><b><a href=http://x.org/{name}>{name}</a></b><i>http://x.org/{name} -</i></div>")
        };
        format!("<h1>All</h1><div>{}</div>", names.iter().map(item).collect::<String>())
    };
    check(
        &["name", "link", "shown"],
        &["Moss", "http://x.org/Moss", "http://x.org/Moss -"],
        &page(&["Kelp", "Moss", "Reed", "Fern"]),
        4,
        &page(&["Ash", "Elm"]),
        &[
            "Ash|http://x.org/Ash|http://x.org/Ash -",
            "Elm|http://x.org/Elm|http://x.org/Elm -",
        ],
    );
}

/// The description of a record has its name in it; the name is meant where it is alone, if that shows a list.
#[test]
fn a_name_is_where_it_is_alone() {
    let page = |all: &[[&str; 2]]| {
        rows(all, |[name, size]| {
            format!("<dl><dt><a href=x>{name}</a></dt><dd>{name} is a plant <i>{size}</i></dd></dl>")
        })
    };
    let one = page(&[["Kelp", "4 m"], ["Moss", "1 cm"], ["Reed", "2 m"], ["Fern", "60 cm"]]);
    let two = page(&[["Ash", "30 m"], ["Elm", "25 m"]]);
    check(
        &["name", "size"],
        &["Moss", "1 cm"],
        &one,
        4,
        &two,
        &["Ash|30 m", "Elm|25 m"],
    );
}

/// A value that most records have is meant near the others, however long the list is.
#[test]
fn a_value_of_most_records_is_near_the_others() {
    let page = |count: usize| {
        let row = |at: usize| {
            format!(
                "<tr><td><b>Name {at}</b></td><td><b>May 9</b></td><td>{}</td></tr>",
                at * 7
            )
        };
        format!("<table>{}</table>", (0..count).map(row).collect::<String>())
    };
    let found = learned(&["name", "day"], &page(200), &[&["Name 150", "May 9"]], &page(3));
    assert_eq!(found, ["Name 0|May 9", "Name 1|May 9", "Name 2|May 9"]);
}

/// Two records with values that they and others share.
#[test]
fn records_that_share_values_are_apart() {
    let page = |all: &[[&str; 3]]| {
        let rows = rows(all, |[name, kind, day]| {
            format!("<tr><td>{name}</td><td>{kind}</td><td>{day}</td></tr>")
        });
        format!("<p>Tree</p><p>May 9</p><table>{rows}</table>")
    };
    let one = page(&[
        ["Ash", "Tree", "May 9"],
        ["Elm", "Tree", "May 9"],
        ["Moss", "Plant", "May 8"],
        ["Elm", "Tree", "May 7"],
        ["Reed", "Plant", "May 9"],
        ["Fir", "Tree", "May 9"],
    ]);
    let two = page(&[["Kelp", "Plant", "June 1"], ["Oak", "Tree", "June 2"]]);
    let fields = ["name", "kind", "day"];
    let expected = ["Kelp|Plant|June 1", "Oak|Tree|June 2"];
    let given: [&[&str]; 2] = [&["Elm", "Tree", "May 7"], &["Fir", "Tree", "May 9"]];
    assert_eq!(learned(&fields, &one, &given, &two), expected);
    let given: [&[&str]; 2] = [&["Ash", "Tree", "May 9"], &["Reed", "Plant", "May 9"]];
    assert_eq!(learned(&fields, &one, &given, &two), expected);
}

/// Several values in one text: the signs around them are in the other texts, too.
#[test]
fn texts_with_the_same_signs_are_records() {
    let page = |all: &[[&str; 3]]| {
        let items = rows(all, |[name, size, day]| {
            format!("<li>{name}</li><li><i>- size {size} bytes - {day} GMT</i></li>")
        });
        format!("<ul>{items}</ul>")
    };
    let one = page(&[
        ["Kelp", "6,403", "5/28/97"],
        ["Moss", "14,061", "6/27/97"],
        ["Reed", "771", "12/14/96"],
        ["Fern", "7,396", "12/16/96"],
    ]);
    let two = page(&[["Ash", "1,200", "1/2/98"], ["Elm", "33", "3/4/98"]]);
    let expected = ["1,200|1/2/98", "33|3/4/98"];
    check(&["size", "day"], &["14,061", "6/27/97"], &one, 4, &two, &expected);
    // Words alone do not show a list.
    let page = "<h2>Cosmo's Pizza</h2><p>Good food</p><h2>Menu</h2><p>Long</p><h2>Stars</h2><p>Five</p>";
    let own = learned(&["kind", "name"], page, &[&["Pizza", "Cosmo's Pizza"]], page);
    assert_eq!(own.len(), 1, "{own:?}");
}

/// Names and words with a number that only one record has do not lead to the values of others.
#[test]
fn numbers_of_a_record_are_no_names() {
    let page = |numbers: std::ops::Range<usize>| {
        let item = |at: usize| {
            format!(
                "<p><a name={0} href=/{0}>Job {0}{1}</a> <b>{at} Oak Street</b> {2}</p>",
                at * 731,
                " of all".repeat(at % 5),
                "Text. ".repeat(1 + at * 7 % 11)
            )
        };
        numbers.map(item).collect::<String>()
    };
    let given = ["Job 5848 of all of all of all", "Text. Text."];
    let found = learned(&["job", "text"], &page(3..13), &[&given], &page(21..24));
    let jobs: Vec<&str> = found.iter().filter_map(|record| record.split('|').next()).collect();
    assert_eq!(
        jobs,
        [
            "Job 15351 of all",
            "Job 16082 of all of all",
            "Job 16813 of all of all of all"
        ]
    );
    assert!(found.iter().all(|record| record.contains("|Text.")), "{found:?}");
}

/// Records from anywhere of a list, all in rows of one colour, are not all records.
#[test]
fn some_records_of_a_list_show_the_list() {
    let page = |count: usize| {
        let row = |at: usize| {
            let class = if at.is_multiple_of(2) { "even" } else { "odd" };
            format!("<tr class={class}><td>Name {at}</td><td>{}.50</td></tr>", at * 7)
        };
        format!("<table>{}</table>", (0..count).map(row).collect::<String>())
    };
    let texts: Vec<[String; 2]> = (0..20)
        .map(|at| [format!("Name {at}"), format!("{}.50", at * 7)])
        .collect();
    for given in [vec![8], vec![4, 12], vec![2, 8, 16], vec![2, 8, 14, 18]] {
        let records: Vec<Vec<&str>> = given
            .iter()
            .map(|at| texts[*at].iter().map(String::as_str).collect())
            .collect();
        let records: Vec<&[&str]> = records.iter().map(Vec::as_slice).collect();
        assert_eq!(
            learned(&["name", "price"], &page(20), &records, &page(7)).len(),
            7,
            "{given:?}"
        );
    }
}

#[test]
fn one_value_may_be_of_a_list() {
    let parse = |html: &str| page::Page::parse(html.as_bytes(), &Default::default()).expect("a page");
    let list = parse("<ul><li>Ann</li><li>Bob</li><li>Cy</li></ul>");
    assert_eq!(super::places_like(&list, "Bob", "name"), 2);
    let one = parse("<p>Name: Bob</p><table><tr><td>Brand<td>Acme<tr><td>Size<td>XL<tr><td>Color<td>red</table>");
    assert_eq!(super::places_like(&one, "Acme", "brand"), 0);
    let year = parse("<table><tr><td>founded in<td>2008<tr><td>call<td>555-1234<tr><td>size<td>big</table>");
    assert_eq!(super::places_like(&year, "2008", "year"), 0);
}

/// A card in two halves, the first of which says the rating of some cards: the name is no heading above the halves.
#[test]
fn halves_of_a_card_are_no_records() {
    let cards = |all: &[[&str; 4]]| {
        let all = rows(all, |[name, rating, price, old]| {
            let part = |text: &str| match text {
                "" => String::new(),
                text => format!("<p>{text}</p>"),
            };
            let left = format!("<div><h3><a href=/p>{name}</a></h3>{}</div>", part(rating));
            let right = format!("<div>{}{}</div>", part(price), part(old));
            format!("<div class=group><div><img src=i.jpg></div><div>{left}{right}</div></div>")
        });
        format!("<main><div class=grid>{all}</div></main>")
    };
    let fields = ["name", "rating", "price", "old"];
    let page = cards(&[
        ["Copper Lamp", "2.0", "$250.99", "$362.23"],
        ["Autumn Lamp", "", "$653.91", ""],
        ["Velvet Lamp", "3.8", "$842.17", ""],
        ["Silver Lamp", "", "$829.31", "$1,068.88"],
        ["Amber Lamp", "4.4", "$471.47", "$586.99"],
        ["River Lamp", "", "$655.79", "$880.21"],
        ["Stone Lamp", "2.9", "$671.17", "$955.40"],
    ]);
    let given: [&[&str]; 2] = [
        &["Amber Lamp", "4.4", "$471.47", "$586.99"],
        &["Stone Lamp", "2.9", "$671.17", "$955.40"],
    ];
    let found = learned(&fields, &page, &given, &page);
    let names: Vec<&str> = found
        .iter()
        .map(|record| record.split('|').next().unwrap_or(""))
        .collect();
    let expected = ["Copper", "Autumn", "Velvet", "Silver", "Amber", "River", "Stone"];
    assert_eq!(names, expected.map(|name| format!("{name} Lamp")));
}
