//! Pages of which `infer` has to see whether they are about one thing or lists, and of which list its records are.

use super::page;
use crate::record::Record;
use crate::{Document, Job, infer};

const NAMES: [&str; 8] = [
    "Ada Moor", "Bo Lund", "Cy Grant", "Di Stone", "Ed Marsh", "Flo Reed", "Gus Oak", "Ida Fenn",
];
const THINGS: [&str; 7] = ["kelp", "moss", "fern", "algae", "reed", "lichen", "sedge"];

/// Ten pages.
fn ten(html: impl Fn(usize) -> String) -> Vec<Document> {
    (0..10).map(|n| page(&n.to_string(), &html(n))).collect()
}

/// The records of pages with the wrapper that is inferred from them.
fn records(pages: &[Document]) -> Vec<Vec<Record>> {
    let inferred = infer(pages, &Default::default(), &Job::new()).expect("a wrapper");
    pages
        .iter()
        .map(|page| inferred.wrapper.extract(page).expect("records"))
        .collect()
}

/// The only record of each page.
#[track_caller]
fn things(pages: &[Document]) -> Vec<Record> {
    let all = records(pages).into_iter().enumerate();
    all.map(|(at, mut records)| {
        assert_eq!(records.len(), 1, "page {at}: {records:?}");
        records.remove(0)
    })
    .collect()
}

#[test]
fn labels_two_in_a_row_are_those_of_one_thing() {
    let pages = ten(|n| {
        let fee = match n % 3 {
            0 => String::new(),
            _ => format!("<tr><td>Fee</td><td>${n}.50</td></tr>"),
        };
        format!(
            "<title>Permit</title><h2>Permit</h2><table><tr><td>Number</td><td>P-{}</td><td>Kind</td><td>{}</td></tr>\
            <tr><td>Issued</td><td>May {}, 2019</td><td>Office</td><td>{}</td></tr>{fee}\
            <tr><td>Applicant</td><td colspan=3>{}</td></tr></table>",
            100 + 7 * n,
            ["Fence", "Shed", "Sign"][n % 3],
            n + 1,
            ["North", "South"][n % 2],
            NAMES[n % 8],
        )
    });
    for (n, record) in things(&pages).iter().enumerate() {
        assert_eq!(record.get("number"), Some(&*format!("P-{}", 100 + 7 * n)), "{record:?}");
        assert_eq!(record.get("office"), Some(["North", "South"][n % 2]), "{record:?}");
        assert_eq!(record.get("applicant"), Some(NAMES[n % 8]), "{record:?}");
    }
}

#[test]
fn rows_without_a_label_belong_to_the_one_above() {
    let pages = ten(|n| {
        let more: String = (0..n % 4)
            .map(|at| {
                format!(
                    "<tr><th>&nbsp;</th><td>{} of page {n}</td></tr>",
                    THINGS[(n + 2 * at) % 7]
                )
            })
            .collect();
        let size = match n % 2 {
            0 => String::new(),
            _ => format!("<tr><th>Size</th><td>{} cm</td></tr>", 10 + n),
        };
        format!(
            "<title>Herbarium</title><table><tr><th>Sheet</th><td>H-{}</td></tr><tr><th>Collector</th><td>{}</td></tr>{size}\
            <tr><th>Species</th><td>{}</td></tr>{more}<tr><th>Found</th><td>June {}, 1998</td></tr></table>",
            300 + 11 * n,
            NAMES[n % 8],
            THINGS[n % 7],
            n + 3,
        )
    });
    for (n, record) in things(&pages).iter().enumerate() {
        assert_eq!(record.get("sheet"), Some(&*format!("H-{}", 300 + 11 * n)), "{record:?}");
        assert_eq!(record.get("collector"), Some(NAMES[n % 8]), "{record:?}");
        assert_eq!(
            record.get("found"),
            Some(&*format!("June {}, 1998", n + 3)),
            "{record:?}"
        );
    }
}

/// A page with a table of rows with a day, a number and words.
fn log(head: &str, n: usize) -> String {
    let row = |at: usize| {
        format!(
            "<tr><td>July {}, 2021</td><td>{}</td><td>{} seen near the {} pond by {}</td></tr>",
            at + 1,
            at + 1,
            THINGS[(n + at) % 7],
            THINGS[(n + 3 * at) % 7],
            NAMES[(2 * n + at) % 8],
        )
    };
    let rows: String = (0..3 + n % 5).map(row).collect();
    format!("{head}<table><tr><th>Day</th><th>No.</th><th>Note</th></tr>{rows}</table>")
}

#[test]
fn a_table_beside_labelled_values_is_a_part_of_their_record() {
    let pages = ten(|n| {
        let head = format!(
            "<title>Survey</title><h3>Survey</h3><p>Warden: {}</p><p>Begun: {}/{}/2020</p><p>Area: {}</p>",
            NAMES[n % 8],
            n + 1,
            n + 1,
            12 + 3 * n,
        );
        log(&head, n)
    });
    for (n, record) in things(&pages).iter().enumerate() {
        assert_eq!(record.get("warden"), Some(NAMES[n % 8]), "{record:?}");
        assert_eq!(
            record.get("begun"),
            Some(&*format!("{0}/{0}/2020", n + 1)),
            "{record:?}"
        );
        let said = format!("{record:?}");
        assert!(said.contains(&format!("July {}, 2021", 3 + n % 5)), "{said}");
    }
    // Without them, the rows are the records.
    let pages = ten(|n| {
        log(
            &format!("<title>Survey</title><h3>Survey</h3><p>Page {} of 10</p>", n + 1),
            n,
        )
    });
    for (n, records) in records(&pages).iter().enumerate() {
        assert_eq!(records.len(), 3 + n % 5, "{records:?}");
    }
}
