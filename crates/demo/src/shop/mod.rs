//! Lantern Row: a web shop of the usual kind.
//!
//! A search form with every kind of field, result lists with a pager, a page for each product, reviews on pages of
//! their own, and prices that only members see after they have logged in.

mod goods;
mod members;
mod pages;
pub mod redesign;
mod reviews;

pub use goods::{CATEGORIES, MAKERS};
pub use members::{MEMBER, PASSWORD};
pub use reviews::Review;

use crate::html::{Money, missing};
use crate::server::{Request, Response};
use std::sync::LazyLock;

/// The number of products on a page of results.
pub const PER_PAGE: usize = 12;

/// The number of reviews on a page.
pub const REVIEWS_PER_PAGE: usize = 5;

/// Something to buy.
#[derive(Clone, Debug)]
pub struct Product {
    /// Its number.
    pub id: usize,
    /// Its name.
    pub name: String,
    /// Its category; one of [`CATEGORIES`].
    pub category: &'static str,
    /// Who makes it.
    pub maker: &'static str,
    /// The price in cents.
    pub cents: u32,
    /// The number in stock.
    pub stock: usize,
    /// Its material.
    pub material: &'static str,
    /// Its weight in grams.
    pub grams: usize,
    /// A few sentences about it.
    pub blurb: String,
    /// Its reviews.
    pub reviews: Vec<Review>,
}

impl Product {
    /// The price as the pages show it.
    #[must_use]
    pub fn price(&self) -> String {
        format!("${}", Money(self.cents))
    }

    /// The price for members: a tenth less.
    #[must_use]
    pub fn member_price(&self) -> String {
        format!("${}", Money(self.cents - self.cents / 10))
    }

    /// The mean of its stars, in tenths; none without reviews.
    #[must_use]
    pub fn rating(&self) -> Option<usize> {
        let sum: usize = self.reviews.iter().map(|review| review.stars).sum();
        (!self.reviews.is_empty()).then(|| sum * 10 / self.reviews.len())
    }
}

/// A search.
#[derive(Clone, Debug, Default)]
pub struct Search<'s> {
    /// Words that the name must contain.
    pub words: &'s str,
    /// A category; empty for all.
    pub category: &'s str,
    /// Only products in stock.
    pub in_stock: bool,
    /// The order of the results.
    pub sort: Sort,
}

/// An order of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// By name.
    #[default]
    Name,
    /// Cheapest first.
    Price,
    /// Best first.
    Rating,
}

static PRODUCTS: LazyLock<Vec<Product>> = LazyLock::new(goods::make);

/// All products, by number.
#[must_use]
pub fn all() -> &'static [Product] {
    &PRODUCTS
}

/// The products that a search finds, in the order of the list.
#[must_use]
pub fn search(search: &Search<'_>) -> Vec<&'static Product> {
    let words = search.words.to_lowercase();
    let mut found: Vec<&Product> = (all().iter())
        .filter(|product| {
            let name = product.name.to_lowercase();
            words.split_whitespace().all(|word| name.contains(word))
        })
        .filter(|product| search.category.is_empty() || product.category == search.category)
        .filter(|product| !search.in_stock || product.stock > 0)
        .collect();
    match search.sort {
        Sort::Name => found.sort_by(|one, other| one.name.cmp(&other.name)),
        Sort::Price => found.sort_by_key(|product| product.cents),
        Sort::Rating => found.sort_by_key(|product| std::cmp::Reverse(product.rating())),
    }
    found
}

/// The products with prices for members, in the order of the list.
#[must_use]
pub fn for_members() -> Vec<&'static Product> {
    all().iter().step_by(9).collect()
}

pub(crate) fn answer(request: &Request, rest: &str) -> Response {
    match rest {
        "" => pages::front(),
        "search" => pages::results(request),
        "login" => members::login(request),
        "logout" => members::logout(),
        "members" => members::prices(request),
        _ => {
            let mut words = rest.split('/');
            let kind = words.next().unwrap_or("");
            let product = words
                .next()
                .and_then(|id| id.parse::<usize>().ok())
                .and_then(|id| all().get(id));
            match (kind, product, words.next(), words.next()) {
                ("product", Some(product), None, _) => pages::detail(product),
                ("product", Some(product), Some("reviews"), None) => pages::reviews(product, request),
                ("picture", Some(product), None, _) => pages::picture(product),
                _ => missing("shop"),
            }
        }
    }
}
