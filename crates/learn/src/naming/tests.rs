//! Names on small pages, each with what a person would call the fields.

use super::*;

fn pages(sources: &[String]) -> Vec<Page> {
    sources
        .iter()
        .map(|html| Page::parse_str(html, &Default::default()).unwrap())
        .collect()
}

/// The names of the texts of pages, in page order; all pages have as many.
fn names(sources: &[String]) -> Vec<String> {
    let pages = pages(sources);
    let pages: Vec<&Page> = pages.iter().collect();
    let texts = |page: &Page| -> Vec<NodeId> {
        let seen = page
            .texts()
            .iter()
            .copied()
            .filter(|text| vocabulary::is_seen(page, *text));
        seen.filter(|text| !page.string_value(*text).trim().is_empty())
            .collect()
    };
    let all: Vec<Vec<NodeId>> = pages.iter().map(|page| texts(page)).collect();
    let fields: Vec<Unnamed> = (0..all[0].len())
        .map(|at| Unnamed {
            places: all
                .iter()
                .enumerate()
                .map(|(number, texts)| (number, texts[at]))
                .collect(),
            may_be_main: true,
            ..Unnamed::default()
        })
        .collect();
    Naming::new(&pages).names(&fields)
}

#[test]
fn no_two_fields_have_one_name() {
    let mut used = Used::default();
    let asked = ["isbn", "isbn", "isbn_2", "isbn_3", "isbn", "isbn_2"];
    let names: Vec<String> = asked.iter().map(|name| used.fresh((*name).to_owned())).collect();
    assert_eq!(names, ["isbn", "isbn_2", "isbn_2_2", "isbn_3", "isbn_4", "isbn_2_3"]);
}

#[test]
fn what_a_field_is_names_it() {
    let page = |name: &str, price: &str, date: &str, code: &str| {
        format!(
            "<title>{name} | Shop</title><div class='sc-a55f6282-6 imumim'>{name}</div><p>{price}</p><p>{date}</p>\
             <p class='col-md-6 item-code'>{code}</p><h2>About {name}</h2>"
        )
    };
    let found = names(&[
        page("Kelp", "12.50 €", "May 9, 2019", "17"),
        page("Salt Road", "9.00 €", "June 1, 2020", "23"),
        page("Moss", "7.25 €", "July 7, 2021", "5"),
    ]);
    assert_eq!(found, ["page_title", "title", "price", "date", "code", "heading"]);
}

#[test]
fn structured_data_names_its_visible_twin() {
    let page = |name: &str, price: &str, maker: &str| {
        format!(
            r#"<script type="application/ld+json">{{"@type":"Product","name":"{name}","brand":{{"name":"{maker}"}},"offers":{{"price":{price}}}}}</script>
               <b>{name}</b><i>{maker}</i><u>$ {price}0</u><s itemprop="color">red</s>"#
        )
    };
    let found = names(&[page("Kelp", "12.5", "Brandt"), page("Moss", "9.1", "Thule")]);
    assert_eq!(found, ["title", "brand", "price", "color"]);
}

#[test]
fn sentences_and_values_are_no_labels() {
    for (label, name) in [
        ("Director:", Some("director")),
        ("Our price", Some("our_price")),
        ("Women's Shoes", Some("womens_shoes")),
        ("In stock?", Some("in_stock")),
        ("Enter your e-mail address to be told of news:", None),
        ("Hurry! Only today", None),
        ("$ 12.50", None),
        ("555-123-4567", None),
        ("2009", None),
        ("»", None),
    ] {
        assert_eq!(label_name(label).as_deref(), name, "{label}");
    }
}
