//! Lists that are for getting around the site: a page on which nothing else repeats has no list of records.
//!
//! Where a page has another list, menus are given too, as the last ones: somebody may want them.

use super::sight::Sight;
use super::{Candidate, HALF, MENU, seen};
use page::NodeId;
use std::ops::Range;

/// The most links of a menu without a name, and the most words of each: lists of links are longer, and so are titles.
const MENU_LINKS: usize = 7;
const MENU_WORDS: usize = 3;
/// How many texts of a record are looked at.
const TEXTS: usize = 12;

/// Is a list for getting around: links in a part of the page for that, or a few short links, one of which leads to the first page of the site?
pub(super) fn is_navigation(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let page = sight.page;
    let items = &candidate.items;
    let leaves = |record: &Range<usize>| items.leaves[record.start].start..items.leaves[record.end - 1].end;
    let all = || candidate.records.iter().map(leaves);
    let text: f64 = all().map(|leaves| sight.text(&leaves)).sum();
    let in_links: f64 = all().map(|leaves| sight.in_links(&leaves)).sum();
    let is_framing = sight.is_framing(candidate.firsts()[0]);
    if in_links < MENU * text {
        // A form or a notice in the header, in the footer or in a dialog is no list, either; rows with prices or dates may be.
        let has_data = |leaves: &Range<usize>| {
            let texts = leaves.clone().filter(|leaf| sight.leaves[*leaf].is_text());
            texts.take(TEXTS).any(|leaf| sight.is_data(leaf))
        };
        let data = all().filter(has_data).count();
        return is_framing && data * 2 < candidate.records.len();
    }
    let is_link = |leaves: Range<usize>| match &sight.leaves[leaves] {
        [leaf] => leaf
            .link()
            .filter(|_| page.string_value(leaf.node).split_whitespace().count() <= MENU_WORDS),
        _ => None,
    };
    let links: Option<Vec<NodeId>> = all().map(is_link).collect();
    let is_root = |link: &NodeId| {
        let address = page.attribute_value(*link, "href").unwrap_or("").trim();
        matches!(address, "/" | "./") || address.trim_start_matches('/').starts_with("index.")
    };
    let is_bar = || links.is_some_and(|links| links.len() <= MENU_LINKS && links.iter().any(is_root));
    // A card may be one link with all that is in it, and a menu has no dates or prices.
    let is_menu = || seen::are_short_links(sight, candidate) && seen::data(sight, candidate) < HALF;
    is_framing || sight.says_frame(items.base) && is_menu() || is_bar()
}

#[cfg(test)]
mod tests {
    use page::{Job, Page};

    fn lists(html: &str) -> usize {
        let page = Page::parse_str(html, &Default::default()).unwrap();
        crate::regions::find(&page, &Job::new()).len()
    }

    #[test]
    fn a_menu_alone_is_no_list() {
        let text = "<form><input name=a><label>Name</label><input></form><p>One paragraph about our shop.</p>";
        let links = "<a href=/a>Home</a><a href=/b>Shop</a><a href=/c>About</a>";
        assert_eq!(lists(&format!("<nav>{links}</nav>{text}")), 0);
        assert_eq!(lists(&format!("<div class=menu>{links}</div>{text}")), 0);
        let bar = "<ul><li><a href=/>Home</a><li><a href=/b>Shop</a><li><a href=/c>About us</a></ul>";
        assert_eq!(lists(&format!("{bar}{text}")), 0);
    }

    #[test]
    fn a_page_whose_list_a_script_would_make_has_none() {
        let cart = "<div role=dialog><p>Subtotal</p><p>$0 USD</p><p>Shipping</p><p>Calculated at checkout</p></div>";
        let foot = "<footer><div><h2>Help</h2><a href=/o>Orders</a><a href=/q>Questions</a></div>\
            <div><h2>About</h2><a href=/s>Stores</a><a href=/w>Our work</a></div>\
            <div><h2>Legal</h2><a href=/p>Privacy</a><a href=/t>Terms</a></div></footer>";
        assert_eq!(lists(&format!("{cart}<main><div id=app></div></main>{foot}")), 0);
    }

    #[test]
    fn links_with_times_are_no_menu_whatever_their_part_is_called() {
        let row = |n: usize| format!("<div><a href=/{n}><span>Board {n}</span> <i>0{n}:00 AM</i></a></div>");
        let rows: String = (1..6).map(row).collect();
        assert!(lists(&format!("<h1>Events</h1><div class=menu>{rows}</div>")) >= 1);
    }

    #[test]
    fn links_that_are_no_menu_are_a_list() {
        let links = "<ul><li><a href=/1>Kelp</a><li><a href=/2>Moss</a><li><a href=/3>Fern</a></ul>";
        assert_eq!(lists(links), 1);
        let goods = "<ul><li><b>Kelp</b> $5<li><b>Moss</b> $6<li><b>Fern</b> $7</ul>";
        assert!(
            lists(&format!(
                "<nav><a href=/a>Home</a><a href=/b>Shop</a><a href=/c>About</a></nav>{goods}"
            )) >= 1
        );
    }
}
