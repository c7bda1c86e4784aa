//! The public pages of the shop.

use super::{CATEGORIES, PER_PAGE, Product, REVIEWS_PER_PAGE, Search, Sort, search};
use crate::chance::Chance;
use crate::html::{Part, Text, address, page};
use crate::server::{Request, Response};
use std::fmt::Write;

const SORTS: [(Sort, &str, &str); 3] = [
    (Sort::Name, "name", "Name"),
    (Sort::Price, "price", "Price"),
    (Sort::Rating, "rating", "Rating"),
];

/// The first page.
pub(super) fn front() -> Response {
    let mut out = String::from(
        "<h1>Lantern Row</h1>\n<p class=\"lead\">Good things for the house, the garden and the road. \
         <a href=\"/shop/login\">Members</a> pay a tenth less.</p>\n",
    );
    out += &form(&Search::default());
    out += "<h2>Departments</h2>\n<ul class=\"tags\">\n";
    for category in CATEGORIES {
        let href = address("/shop/search", [("category", category)]);
        let _ = writeln!(out, "<li><a href=\"{}\">{category}</a></li>", Text(&href));
    }
    out += "</ul>\n<h2>People like</h2>\n<div class=\"grid\">\n";
    let best = search(&Search {
        in_stock: true,
        sort: Sort::Rating,
        ..Search::default()
    });
    for product in best.into_iter().take(4) {
        card(&mut out, product);
    }
    page("shop", "Lantern Row", &(out + "</div>\n"))
}

fn form(asked: &Search<'_>) -> String {
    let mut out = format!(
        "<form class=\"search card\" action=\"/shop/search\" role=\"search\">\n\
         <label>Search <input type=\"search\" name=\"q\" value=\"{}\"></label>\n\
         <label>Department <select name=\"category\">\n<option value=\"\">All</option>\n",
        Text(asked.words)
    );
    for category in CATEGORIES {
        let selected = if category == asked.category { " selected" } else { "" };
        let _ = writeln!(out, "<option{selected}>{category}</option>");
    }
    let checked = if asked.in_stock { " checked" } else { "" };
    let _ = write!(
        out,
        "</select></label>\n<label class=\"check\"><input type=\"checkbox\" name=\"stock\" value=\"yes\"{checked}> In stock\
         </label>\n<fieldset>\n<legend>Sort by</legend>\n"
    );
    for (sort, value, label) in SORTS {
        let checked = if sort == asked.sort { " checked" } else { "" };
        let _ = writeln!(
            out,
            "<label><input type=\"radio\" name=\"sort\" value=\"{value}\"{checked}> {label}</label>"
        );
    }
    out + "</fieldset>\n<button type=\"submit\">Search</button>\n</form>\n"
}

/// The list of results.
pub(super) fn results(request: &Request) -> Response {
    let value = |name: &str| request.value(name).unwrap_or("");
    let sort = SORTS.into_iter().find(|(_, name, _)| *name == value("sort"));
    let (sort, sort_name, _) = sort.unwrap_or(SORTS[0]);
    let asked = Search {
        words: value("q"),
        category: value("category"),
        in_stock: !value("stock").is_empty(),
        sort,
    };
    let found = search(&asked);
    let part = Part::of(&found, PER_PAGE, request.value("page"));
    let mut out = form(&asked);
    let _ = write!(
        out,
        "<h1>{} products</h1>\n<p class=\"count\">Page {} of {}</p>\n<div class=\"grid\">\n",
        found.len(),
        part.page,
        part.pages
    );
    for product in part.items {
        card(&mut out, product);
    }
    out += "</div>\n";
    let mut query = vec![("q", asked.words), ("category", asked.category), ("sort", sort_name)];
    if asked.in_stock {
        query.push(("stock", "yes"));
    }
    out += &part.pager("/shop/search", &query);
    page("shop", "Search · Lantern Row", &out)
}

fn card(out: &mut String, product: &Product) {
    let _ = write!(
        out,
        "<article class=\"product card\">\n<img src=\"/shop/picture/{0}\" alt=\"\" width=\"240\" height=\"160\">\n\
         <h2><a href=\"/shop/product/{0}\">{1}</a></h2>\n<p class=\"maker\">{2}</p>\n\
         <p><span class=\"price\">{3}</span> {4}</p>\n</article>\n",
        product.id,
        Text(&product.name),
        Text(product.maker),
        product.price(),
        stock(product)
    );
}

fn stock(product: &Product) -> String {
    match product.stock {
        0 => "<span class=\"stock none\">sold out</span>".to_owned(),
        few @ 1..=5 => format!("<span class=\"stock few\">only {few} left</span>"),
        _ => "<span class=\"stock\">in stock</span>".to_owned(),
    }
}

fn stars(count: usize) -> String {
    format!(
        "<span class=\"stars\" title=\"{count} of 5\">{}{}</span>",
        "★".repeat(count),
        "☆".repeat(5_usize.saturating_sub(count))
    )
}

/// The page of a product.
pub(super) fn detail(product: &Product) -> Response {
    let mut out = format!(
        "<p class=\"crumbs\"><a href=\"/shop/\">Lantern Row</a> › <a href=\"{}\">{}</a></p>\n\
         <article class=\"detail\">\n<img src=\"/shop/picture/{}\" alt=\"\" width=\"480\" height=\"320\">\n<div>\n<h1>{}</h1>\n",
        Text(&address("/shop/search", [("category", product.category)])),
        product.category,
        product.id,
        Text(&product.name)
    );
    if let Some(tenths) = product.rating() {
        let _ = writeln!(
            out,
            "<p>{} <a class=\"reviews\" href=\"/shop/product/{}/reviews\">{} reviews</a></p>",
            stars((tenths + 5) / 10),
            product.id,
            product.reviews.len()
        );
    }
    let _ = write!(
        out,
        "<p><span class=\"price\">{}</span> {}</p>\n<p class=\"blurb\">{}</p>\n<dl>\n<dt>Maker</dt><dd class=\"maker\">{}</dd>\n\
         <dt>Material</dt><dd class=\"material\">{}</dd>\n<dt>Weight</dt><dd class=\"weight\">{} g</dd>\n\
         <dt>Item</dt><dd class=\"item\">LR-{:04}</dd>\n</dl>\n</div>\n</article>\n",
        product.price(),
        stock(product),
        Text(&product.blurb),
        Text(product.maker),
        Text(product.material),
        product.grams,
        product.id
    );
    page("shop", &format!("{} · Lantern Row", product.name), &out)
}

/// A page of reviews.
pub(super) fn reviews(product: &Product, request: &Request) -> Response {
    let part = Part::of(&product.reviews, REVIEWS_PER_PAGE, request.value("page"));
    let path = format!("/shop/product/{}", product.id);
    let mut out = format!(
        "<p class=\"crumbs\"><a href=\"/shop/\">Lantern Row</a> › <a href=\"{path}\">{0}</a></p>\n\
         <h1>Reviews of {0}</h1>\n<ol class=\"reviews plain\">\n",
        Text(&product.name)
    );
    for review in part.items {
        let _ = write!(
            out,
            "<li class=\"review card\">\n<h2>{}</h2>\n<p>{} <span class=\"author\">{}</span>, \
             <time datetime=\"{4}\">{4}</time></p>\n<p class=\"text\">{3}</p>\n</li>\n",
            Text(review.title),
            stars(review.stars),
            Text(&review.author),
            Text(&review.text),
            review.date
        );
    }
    out += "</ol>\n";
    out += &part.pager(&format!("{path}/reviews"), &[]);
    page("shop", &format!("Reviews of {}", product.name), &out)
}

/// Drawings by the ending of a product's name, in a box of 120 by 80; the last one is for all others.
const SHAPES: [(&str, &str); 13] = [
    (
        "Lamp",
        "<path d='M48 16h24l12 24H36z'/><path d='M58 40h4v24h-4zM46 64h28v4H46z'/>",
    ),
    (
        "Pendant",
        "<path d='M59 4h2v22h-2z'/><path d='M60 24c18 0 26 14 26 26H34c0-12 8-26 26-26z'/>",
    ),
    (
        "Lantern",
        "<path d='M44 28h32v6H44zM44 62h32v6H44z'/><path d='M48 36h4v24h-4zM68 36h4v24h-4z'/>\
         <circle cx='60' cy='50' r='7'/><path fill='none' stroke-width='3' d='M50 28a10 12 0 0 1 20 0'/>",
    ),
    ("Knife", "<path d='M20 36h52v8q-40 0-52-8zM74 35h28v8H74z'/>"),
    ("Bowl", "<path d='M32 34h56q-2 28-22 32H54Q34 62 32 34z'/>"),
    (
        "Skillet",
        "<circle cx='50' cy='46' r='20'/><path d='M70 43h34v6H70z'/><circle cx='50' cy='46' r='14' fill='#fff' opacity='.25'/>",
    ),
    (
        "Pot",
        "<circle cx='58' cy='48' r='19'/><path d='M74 46l18-14 3 3-17 22zM54 24h8v6h-8z'/>\
         <path fill='none' stroke-width='4' d='M40 40a10 9 0 1 0 0 16'/>",
    ),
    (
        "Kettle",
        "<path d='M40 34h40l6 34H34z'/><path fill='none' stroke-width='4' d='M44 32a16 16 0 0 1 32 0'/>",
    ),
    ("Pen", "<path d='M28 60l6-12 46-34 8 10-46 34z'/>"),
    (
        "Notebook",
        "<path d='M40 14h40v52H40z'/><path fill='#fff' opacity='.6' d='M48 26h24v3H48zM48 34h24v3H48zM48 42h16v3H48z'/>",
    ),
    ("Flask", "<path d='M48 24h24v44H48zM51 12h18v9H51z'/>"),
    (
        "Rucksack",
        "<path d='M40 30q20-20 40 0v38H40z'/><path fill='#fff' opacity='.35' d='M46 46h28v14H46z'/>",
    ),
    // A box with a ribbon.
    (
        "",
        "<path d='M36 28h48v40H36z'/><path fill='#fff' opacity='.4' d='M57 28h6v40h-6z'/><path d='M60 27l-14-10v10zM60 27l14-10v10z'/>",
    ),
];

const HUES: [usize; 9] = [18, 38, 88, 150, 178, 205, 232, 280, 338];

/// A drawing of a product.
pub(super) fn picture(product: &Product) -> Response {
    let shape = SHAPES.iter().find(|(end, _)| product.name.ends_with(end));
    let hue = HUES[Chance::named(&product.name).below(HUES.len())];
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 120 80'>\
         <rect width='120' height='80' fill='hsl({hue} 45% 90%)'/><ellipse cx='60' cy='70' rx='34' ry='4' \
         fill='hsl({hue} 30% 78%)'/><g fill='hsl({hue} 45% 42%)' stroke='hsl({hue} 45% 42%)' stroke-width='0'>{}</g></svg>",
        shape.map_or("", |(_, shape)| shape)
    );
    Response::new(200, "image/svg+xml", svg)
}
