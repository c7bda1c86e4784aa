//! Tests of survival.

use super::*;

fn sample(name: &str, body: &str, truth: &[&[&str]]) -> Sample {
    Sample {
        name: name.to_owned(),
        page: Page::parse(body.as_bytes(), &Default::default()).unwrap(),
        truth: truth
            .iter()
            .map(|values| values.iter().map(|value| (*value).to_owned()).collect())
            .collect(),
    }
}

fn strings(values: &[&[&str]]) -> Vec<Vec<String>> {
    values
        .iter()
        .map(|values| values.iter().map(|value| (*value).to_owned()).collect())
        .collect()
}

#[test]
fn scores_pairs_of_page_and_value() {
    let pages = [
        sample("1", "", &[&["a", "b"], &["x"], &[], &[]]),
        sample("2", "", &[&["c"], &["y"], &[], &[]]),
    ];
    // A repeated value counts once, and white space does not matter.
    let found = [
        strings(&[&["a", " a ", "z"], &["x"], &[], &["d"]]),
        strings(&[&["c"], &[], &["e"], &[]]),
    ];
    let scores = f1(&found, &pages, &BTreeSet::from([2, 3]));
    // Two of three right, three wanted; one of one, two wanted; a dropped field that is given on one of two pages.
    assert_eq!(scores, [Some(4.0 / 6.0), Some(2.0 / 3.0), Some(0.5), Some(0.5)]);
    let nothing = [strings(&[&[], &[], &[], &[]]), strings(&[&[], &[], &[], &[]])];
    assert_eq!(
        f1(&nothing, &pages, &BTreeSet::from([2, 3])),
        [Some(0.0), Some(0.0), None, None]
    );
}

fn shop() -> Site {
    let page = |number: usize| {
        let (name, price) = (format!("Thing {number}{number}"), format!("${number}.50"));
        let body = format!(
            "<div class=\"top\">Shop</div><h1 class=\"name\">{name}</h1><p class=\"cost\"><b>Price:</b> <span class=\"price\">{price}</span></p>"
        );
        sample(&number.to_string(), &body, &[&[&name], &[&price]])
    };
    Site {
        name: "shop".to_owned(),
        fields: ["name", "price"].map(str::to_owned).to_vec(),
        labelled: (1..3).map(page).collect(),
        met: (3..9).map(page).collect(),
        later: (9..17).map(page).collect(),
        fresh: 4,
    }
}

#[test]
fn rules_are_repaired_when_they_fail_and_left_alone_when_not() {
    let site = shop();
    let rules = Learner::Paths.learn(&site, 1, true).unwrap();
    assert_eq!(rules.kind(), "paths");
    assert_eq!(score(&rules, &site.later, &BTreeSet::new()), 1.0);
    assert!(matches!(rules.repair(&site.later), Repaired::Fine));
    // Everything that a rule could rely on is different.
    let page = |number: usize| {
        let (name, price) = (format!("Thing {number}{number}"), format!("${number}.50"));
        let body = format!(
            "<table><tr><td>Menu</td></tr></table><div><div><h2>{name}</h2><i>Price:</i> <em>{price}</em></div></div>"
        );
        sample(&number.to_string(), &body, &[&[&name], &[&price]])
    };
    let later: Vec<Sample> = (3..15).map(page).collect();
    assert!(score(&rules, &later, &BTreeSet::new()) < 0.9);
    let Repaired::New(repaired) = rules.repair(&later[..6]) else {
        panic!("no repair");
    };
    assert_eq!(score(&repaired, &later[6..], &BTreeSet::new()), 1.0);
}

#[test]
fn every_learner_makes_a_wrapper_that_works_before_the_redesign() {
    let site = shop();
    for learner in [
        Learner::Paths,
        Learner::Landmarks,
        Learner::Template,
        Learner::Delimiters,
    ] {
        let wrapper = learner.learn(&site, 2, true).unwrap();
        assert_eq!(wrapper.kind(), learner.name());
        assert_eq!(score(&wrapper, &site.later, &BTreeSet::new()), 1.0, "{learner:?}");
        assert_eq!(wrapper.alarm(&site.later), None, "{learner:?}");
    }
}

#[test]
fn indexed_paths_lead_to_the_same_place() {
    let site = shop();
    let paths = Indexed::learn(&site);
    assert_eq!(score(&paths, &site.later, &BTreeSet::new()), 1.0);
    let moved = [sample("1", "<div><h1>Thing</h1></div>", &[&["Thing"], &[]])];
    assert_eq!(score(&paths, &moved, &BTreeSet::new()), 0.0);
}

#[test]
fn plots_are_svg_with_a_line_for_each_curve() {
    let curve = |kind: &str, repaired: bool| Curve {
        kind: kind.to_owned(),
        repaired,
        shares: vec![1.0, 0.5, 0.0],
    };
    let svg = plot(
        "a < b",
        "x",
        "y",
        &[0, 1, 4],
        &[curve("paths", true), curve("paths", false), curve("other", true)],
    );
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("a &lt; b"));
    // A dashed line and its legend.
    assert_eq!(svg.matches("stroke-dasharray").count(), 2);
    assert_eq!(svg.matches("paths, with").count(), 2);
    let page = Page::parse(svg.as_bytes(), &Default::default()).unwrap();
    assert_eq!(page.elements_named(page.name_id("circle").unwrap()).len(), 8);
}
