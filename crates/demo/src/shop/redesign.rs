//! The shop after a redesign: the same products at the same addresses, in pages that were made anew.
//!
//! Nothing of the old markup is left: other elements, other classes, another order, some other labels, twice as many products on
//! a page of results, and another pager. What pages say about a product stays the same, except that the price has a label
//! and the maker has another one.

use super::{Product, Search, search};
use crate::html::{Part, Text, address};
use crate::server::{Request, Response};
use std::fmt::Write;

/// The number of products on a page of results.
pub const PER_PAGE: usize = 24;

/// The pages that were made anew; none for the others.
pub(crate) fn answer(request: &Request, rest: &str) -> Option<Response> {
    match rest {
        "" => Some(front()),
        "search" => Some(results(request)),
        _ => {
            let id = rest.strip_prefix("product/")?.parse::<usize>().ok()?;
            super::all().get(id).map(detail)
        }
    }
}

fn page(title: &str, main: &str) -> Response {
    Response::html(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Lantern Row | {title}</title>\n\
         <link rel=\"stylesheet\" href=\"/style.css\">\n</head>\n<body>\n<div id=\"lr\">\n<div class=\"lr-bar\">\
         <b>Lantern Row</b> <span><a href=\"/shop/\">Home</a> · <a href=\"/shop/search\">All products</a> · \
         <a href=\"/shop/login\">Log in</a></span></div>\n<div class=\"lr-body\">\n{main}</div>\n\
         <div class=\"lr-foot\">Nothing here is real. <a href=\"/\">Wrapwright demo</a></div>\n</div>\n</body>\n</html>\n",
        title = Text(title)
    ))
}

fn front() -> Response {
    let mut out = String::from(
        "<h3>New look, same shop</h3>\n<p class=\"lr-note\">Find things by department.</p>\n<div class=\"lr-depts\">\n",
    );
    for category in super::CATEGORIES {
        let href = address("/shop/search", [("category", category)]);
        let _ = writeln!(out, "<div><a href=\"{}\">{category}</a></div>", Text(&href));
    }
    page("Home", &(out + "</div>\n"))
}

fn stock(product: &Product) -> String {
    match product.stock {
        0 => "sold out".to_owned(),
        few @ 1..=5 => format!("only {few} left"),
        _ => "in stock".to_owned(),
    }
}

fn results(request: &Request) -> Response {
    let value = |name: &str| request.value(name).unwrap_or("");
    let found = search(&Search {
        words: value("q"),
        category: value("category"),
        in_stock: !value("stock").is_empty(),
        ..Search::default()
    });
    let part = Part::of(&found, PER_PAGE, request.value("page"));
    let mut out = format!(
        "<h3>We have {} things for you</h3>\n<ol class=\"tiles\">\n",
        found.len()
    );
    for product in part.items {
        let _ = writeln!(
            out,
            "<li class=\"tile\"><a class=\"tile-link\" href=\"/shop/product/{}\"><strong>{}</strong></a>\n\
             <div class=\"tile-line\"><i>{}</i> by {}</div>\n<small>{}</small></li>",
            product.id,
            Text(&product.name),
            product.price(),
            Text(product.maker),
            stock(product)
        );
    }
    out += "</ol>\n";
    let page_at = |number: usize| {
        let number = number.to_string();
        let query = [
            ("q", value("q")),
            ("category", value("category")),
            ("stock", value("stock")),
        ];
        let query = query.into_iter().filter(|(_, value)| !value.is_empty());
        address("/shop/search", query.chain([("page", number.as_str())]))
    };
    if part.pages > 1 {
        out += "<div class=\"turn\">";
        if part.page > 1 {
            let _ = write!(out, "<a href=\"{}\">« Back</a> ", Text(&page_at(part.page - 1)));
        }
        let _ = write!(out, "<span>{} / {}</span>", part.page, part.pages);
        if part.page < part.pages {
            let _ = write!(out, " <a href=\"{}\">Next »</a>", Text(&page_at(part.page + 1)));
        }
        out += "</div>\n";
    }
    page("All products", &out)
}

fn detail(product: &Product) -> Response {
    let mut out = format!(
        "<div class=\"pdp\">\n<div class=\"pdp-top\"><span class=\"dept\">{}</span>\n<h2 class=\"pdp-name\">{}</h2></div>\n\
         <section class=\"pdp-buy\"><div>Price: <strong>{}</strong></div><div class=\"avail\">{}</div></section>\n\
         <table class=\"pdp-data\">\n<tr><th>Item</th><td>LR-{:04}</td></tr>\n<tr><th>Made by</th><td>{}</td></tr>\n\
         <tr><th>Weight</th><td>{} g</td></tr>\n<tr><th>Material</th><td>{}</td></tr>\n</table>\n<div class=\"pdp-text\">{}</div>\n",
        product.category,
        Text(&product.name),
        product.price(),
        stock(product),
        product.id,
        Text(product.maker),
        product.grams,
        Text(product.material),
        Text(&product.blurb)
    );
    if !product.reviews.is_empty() {
        let _ = writeln!(
            out,
            "<p><a href=\"/shop/product/{}/reviews\">What {} people say</a></p>",
            product.id,
            product.reviews.len()
        );
    }
    page(&product.name, &(out + "</div>\n"))
}
