//! Lists that are for getting around the site: a page on which nothing else repeats has no list of records.
//!
//! Where a page has another list, menus are given too, as the last ones: somebody may want them.

use super::sight::Sight;
use super::{Candidate, MENU};
use page::NodeId;
use std::ops::Range;

/// The most links of a menu without a name, and the most words of each: lists of links are longer, and so are titles.
const MENU_LINKS: usize = 7;
const MENU_WORDS: usize = 3;

/// Is a list for getting around: links in a part of the page for that, or a few short links, one of which leads to the first page of the site?
pub(super) fn is_navigation(sight: &Sight<'_>, candidate: &Candidate) -> bool {
    let page = sight.page;
    let items = &candidate.items;
    let leaves = |record: &Range<usize>| items.leaves[record.start].start..items.leaves[record.end - 1].end;
    let all = || candidate.records.iter().map(leaves);
    let text: f64 = all().map(|leaves| sight.text(&leaves)).sum();
    let in_links: f64 = all().map(|leaves| sight.in_links(&leaves)).sum();
    if in_links < MENU * text {
        return false;
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
    sight.is_framing(candidate.firsts()[0]) || sight.says_frame(items.base) || is_bar()
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
