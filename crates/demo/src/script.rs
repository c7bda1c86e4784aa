//! The script corner: pages that only a browser can show.
//!
//! Each page is an empty shell; `assets/corner.js` fills it from the JSON that is served beside it. Together they have
//! what makes scripted pages hard to read: content that arrives after the page, lists that grow, states without an address,
//! fields that depend on other fields, a login that is not a page.

use crate::html::{Json, framed, missing};
use crate::server::{Request, Response};
use crate::shop::{self, Product, Review};
use std::fmt::{Display, Write};

/// The number of entries that the endless list loads at a time.
pub const FEED_PER_PAGE: usize = 12;

/// The number of rows that a click on "More" adds to the members' list.
pub const DESK_PER_PAGE: usize = 5;

/// The cookie of a member in this corner, and its value.
const COOKIE: (&str, &str) = ("lantern-desk", "ada-41c8e0");

/// A city and the addresses of its shops.
pub type City = (&'static str, &'static [&'static str]);

/// Shops by country and city, for the fields that depend on each other.
pub const STORES: [(&str, &[City]); 3] = [
    (
        "Norway",
        &[
            ("Bergen", &["Strandgaten 12", "Fisketorget 3"]),
            ("Tromsø", &["Storgata 88"]),
        ],
    ),
    (
        "Portugal",
        &[
            ("Lisbon", &["Rua da Bica 40", "Largo do Carmo 9", "Rua das Flores 101"]),
            ("Porto", &["Rua do Almada 275", "Cais da Ribeira 6"]),
        ],
    ),
    (
        "Canada",
        &[
            ("Halifax", &["Barrington Street 1650"]),
            ("Victoria", &["Wharf Street 1200", "Fan Tan Alley 7"]),
            ("Québec", &["Rue du Petit-Champlain 59"]),
        ],
    ),
];

/// The tabs of the page with tabs, and what they say.
pub const TABS: [(&str, &str); 3] = [
    (
        "Delivery",
        "Parcels leave the warehouse on weekdays at four and take two to five days.",
    ),
    (
        "Returns",
        "Everything can be sent back for sixty days, used or not, and the postage is ours.",
    ),
    (
        "Repairs",
        "What breaks is mended in the workshop in Halden, for ten years and for nothing.",
    ),
];

/// The products on the page that is made by a script, in their order.
#[must_use]
pub fn products() -> Vec<&'static Product> {
    shop::search(&shop::Search {
        category: "Travel",
        ..shop::Search::default()
    })
}

/// What the field with suggestions suggests.
#[must_use]
pub fn suggestions(words: &str) -> Vec<&'static str> {
    if words.trim().is_empty() {
        return Vec::new();
    }
    let found = shop::search(&shop::Search {
        words,
        ..shop::Search::default()
    });
    found.into_iter().map(|product| product.name.as_str()).take(8).collect()
}

/// The entries of the endless list, which does have an end.
#[must_use]
pub fn feed() -> Vec<(&'static Product, &'static Review)> {
    let newest = shop::all()
        .iter()
        .filter_map(|product| Some((product, product.reviews.first()?)));
    newest.take(60).collect()
}

/// The products on the members' desk, in their order.
#[must_use]
pub fn desk() -> Vec<&'static Product> {
    shop::for_members().into_iter().take(12).collect()
}

/// What the members' desk asks for. There is no page without the login, and the login has no address of its own.
fn desk_data(request: &Request, what: &str) -> Response {
    if what == "login" {
        let fields = request.form();
        let is = |name: &str, value: &str| fields.iter().any(|(field, is)| field == name && is == value);
        if !is("name", shop::MEMBER) || !is("password", shop::PASSWORD) {
            return Response::plain(403);
        }
        let cookie = format!("{}={}; Path=/script; HttpOnly; SameSite=Lax", COOKIE.0, COOKIE.1);
        return Response::json("true").with_header("Set-Cookie", cookie);
    }
    if request.cookie(COOKIE.0) != Some(COOKIE.1) {
        return Response::plain(403);
    }
    let number = |name: &str| request.value(name).and_then(|number| number.parse::<usize>().ok());
    match what {
        "rows" => {
            let rows = desk()
                .into_iter()
                .skip(number("after").unwrap_or(0))
                .take(DESK_PER_PAGE);
            Response::json(list(rows, |product| {
                format!("{{\"id\":{},\"name\":{}}}", product.id, Json(&product.name))
            }))
        }
        _ => {
            let wanted = number("id");
            match desk().into_iter().find(|product| Some(product.id) == wanted) {
                Some(product) => Response::json(format!(
                    "{{\"maker\":{},\"price\":{}}}",
                    Json(product.maker),
                    Json(&product.member_price())
                )),
                None => Response::plain(404),
            }
        }
    }
}

pub(crate) fn answer(request: &Request, rest: &str) -> Response {
    match rest {
        "" => shell("Script corner", "", INDEX),
        "products" => shell("Products by script", "products", "<p>What there is for the road:</p>\n"),
        "suggest" => shell("Suggestions", "suggest", "<p>Type two letters or more.</p>\n"),
        "scroll" => shell("Endless list", "scroll", "<p>Scroll, and there is more.</p>\n"),
        "tabs" => shell("Tabs", "tabs", "<p>Three tabs and one address.</p>\n"),
        "desk" => shell(
            "Members' desk",
            "desk",
            &format!(
                "<p>For members, such as {}, with the password {}.</p>\n",
                shop::MEMBER,
                shop::PASSWORD
            ),
        ),
        "desk/login" | "desk/rows" | "desk/row" => desk_data(request, rest.trim_start_matches("desk/")),
        "places" => shell("Find a shop", "places", "<p>Choose a country, then a city.</p>\n"),
        "products.json" => Response::json(list(products(), |product| {
            format!(
                "{{\"id\":{},\"name\":{},\"maker\":{},\"price\":{},\"stock\":{}}}",
                product.id,
                Json(&product.name),
                Json(product.maker),
                Json(&product.price()),
                product.stock
            )
        })),
        "suggest.json" => Response::json(list(suggestions(request.value("q").unwrap_or("")), Json)),
        "feed.json" => {
            let after = request.value("after").and_then(|after| after.parse().ok()).unwrap_or(0);
            Response::json(list(
                feed().into_iter().skip(after).take(FEED_PER_PAGE),
                |(product, review)| {
                    format!(
                        "{{\"product\":{},\"author\":{},\"stars\":{},\"text\":{}}}",
                        Json(&product.name),
                        Json(&review.author),
                        review.stars,
                        Json(&review.text)
                    )
                },
            ))
        }
        "tabs.json" => Response::json(list(TABS, |(name, text)| {
            format!("{{\"name\":{},\"text\":{}}}", Json(name), Json(text))
        })),
        "places.json" => Response::json(list(STORES, |(country, cities)| {
            let cities = list(cities, |(city, stores)| {
                let stores = list(*stores, |store| Json(store));
                format!("{{\"name\":{},\"stores\":{stores}}}", Json(city))
            });
            format!("{{\"name\":{},\"cities\":{cities}}}", Json(country))
        })),
        _ => missing("script"),
    }
}

fn shell(title: &str, corner: &str, intro: &str) -> Response {
    let mut main = format!("<h1>{title}</h1>\n{intro}");
    if !corner.is_empty() {
        let _ = write!(
            main,
            "<div id=\"corner\" data-corner=\"{corner}\"></div>\n\
             <noscript><p class=\"error\">This page needs a browser that runs scripts.</p></noscript>\n"
        );
    }
    framed("script", title, &main, "<script src=\"/corner.js\" defer></script>\n")
}

/// A JSON array.
fn list<T, D: Display>(items: impl IntoIterator<Item = T>, show: impl Fn(T) -> D) -> String {
    let items: Vec<String> = items.into_iter().map(|item| show(item).to_string()).collect();
    format!("[{}]", items.join(","))
}

const INDEX: &str = "\
<p class=\"lead\">Nothing here works without scripts, and that is the point.</p>
<ul>
<li><a href=\"/script/products\">Products by script</a>: the list comes after the page</li>
<li><a href=\"/script/suggest\">Suggestions</a>: a field that completes what is typed</li>
<li><a href=\"/script/scroll\">Endless list</a>: it grows when its end is in sight</li>
<li><a href=\"/script/tabs\">Tabs</a>: states without an address</li>
<li><a href=\"/script/desk\">Members' desk</a>: a login, a list and a panel, all on one page</li>
<li><a href=\"/script/places\">Find a shop</a>: fields that depend on fields</li>
</ul>
";
