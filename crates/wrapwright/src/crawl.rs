//! The way through a site: from page to page of a list, and from each of them to the pages that it links to.
//!
//! A [`Route`] is a [`Navigation`] made ready: given a page, it says which links to follow and where the list goes on. [`walk`]
//! goes along it and leaves to its caller what to do with the pages: `fetch` saves them, a run extracts from them, and an
//! inference takes a sample of them.
//!
//! A walk ends when the list does, when it comes back to a page of the list, or when several pages in a row lead to nothing new
//! ([`PATIENCE`]): calendars and some searches have a next page for ever. Each page that is linked to is visited once.

use crate::CompileError;
use oxpath::{Query, Value};
use page::driver::Live;
use page::{Kind, NodeId};
use std::collections::HashSet;
use url::{Position, Url};
use wrapper::{Links, Navigation, Onward};

/// A walk ends after this many pages of a list in a row that lead to nothing new.
pub const PATIENCE: usize = 3;

/// The most links of a page that are looked at.
const MOST: usize = 20_000;

/// A navigation made ready.
#[derive(Clone, Debug, Default)]
pub struct Route {
    next: Option<Next>,
    follow: Vec<Follow>,
}

/// What leads from a page to the one after it.
#[derive(Clone, Debug)]
pub enum Next {
    /// The first link that this finds.
    Link(Box<Query>),
    /// The page's pager, see [`pager`](crate::pager).
    Pager,
}

/// Links to follow.
#[derive(Clone, Debug)]
pub enum Follow {
    /// Those that this finds.
    Path(Box<Query>),
    /// Those with an address like this one; see [`Links::Like`].
    Like(String),
}

impl Route {
    /// A route by its parts.
    pub fn new(next: Option<Next>, follow: Vec<Follow>) -> Route {
        Route { next, follow }
    }

    /// A navigation made ready.
    ///
    /// # Errors
    ///
    /// One of its expressions does not compile.
    pub fn of(navigation: &Navigation) -> Result<Route, CompileError> {
        let next = match &navigation.next {
            None => None,
            Some(Onward::Pager) => Some(Next::Pager),
            Some(Onward::Link(path)) => Some(Next::Link(Box::new(Query::compile(path)?))),
        };
        let follow = navigation.follow.iter().map(|links| match links {
            Links::Path(path) => Query::compile(path).map(|query| Follow::Path(Box::new(query))),
            Links::Like(address) => Ok(Follow::Like(address.clone())),
        });
        Ok(Route {
            next,
            follow: follow.collect::<Result<_, _>>()?,
        })
    }

    /// Do records come from the pages that are linked to?
    pub fn follows(&self) -> bool {
        !self.follow.is_empty()
    }

    /// The addresses of the links of a page that are to be followed, each once, without fragments.
    pub fn details(&self, live: &Live) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut out = Vec::new();
        for follow in &self.follow {
            let links = match follow {
                Follow::Path(query) => links_of(live, query),
                Follow::Like(address) => links_like(live, address),
            };
            for link in links {
                let link = link.split('#').next().unwrap_or_default().to_owned();
                if seen.insert(plain(&link)) {
                    out.push(link);
                }
            }
        }
        out
    }

    /// Where the list goes on after a page.
    pub fn onward(&self, live: &Live) -> Option<String> {
        match self.next.as_ref()? {
            Next::Link(query) => links_of(live, query).into_iter().next(),
            Next::Pager => {
                let url = Url::parse(&live.url).ok()?;
                crate::pager::find(&live.page, &url).onward().map(str::to_owned)
            }
        }
    }
}

/// Pages that a walk asks its caller to visit.
#[derive(Debug)]
pub struct Stop<'s> {
    /// Their addresses.
    pub urls: Vec<String>,
    /// The page that leads to them.
    pub from: Option<&'s Live>,
    /// How many pages from the start; the first is 1.
    pub depth: usize,
    /// Are they pages that a page of the list links to?
    pub is_detail: bool,
}

/// Walks along a route from an address. `visit` opens pages and returns those that could be opened; what it returns for pages
/// that are linked to is not used.
///
/// # Errors
///
/// What `visit` fails with.
pub fn walk<E>(
    start: &str,
    route: &Route,
    is_over: &dyn Fn() -> bool,
    visit: &mut dyn FnMut(Stop<'_>) -> Result<Vec<Live>, E>,
) -> Result<(), E> {
    let mut from: Option<Live> = None;
    let mut asked = start.to_owned();
    let mut been = HashSet::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut nothing_new = 0;
    let mut depth = 1;
    while been.insert(plain(&asked)) && !is_over() {
        let stop = Stop {
            urls: vec![asked.clone()],
            from: from.as_ref(),
            depth,
            is_detail: false,
        };
        let Some(live) = visit(stop)?.pop() else {
            return Ok(());
        };
        let mut urls = route.details(&live);
        urls.retain(|url| seen.insert(plain(url)));
        // A page of a list that was there before, word for word, says nothing new either.
        let is_new = match route.follows() {
            true => !urls.is_empty(),
            false => seen.insert(wrapper::hash(live.page.text())),
        };
        nothing_new = if is_new { 0 } else { nothing_new + 1 };
        if !urls.is_empty() {
            visit(Stop {
                urls,
                from: Some(&live),
                depth: depth + 1,
                is_detail: true,
            })?;
        }
        if nothing_new >= PATIENCE {
            return Ok(());
        }
        let Some(next) = route.onward(&live) else {
            return Ok(());
        };
        asked = next;
        from = Some(live);
        depth += 1;
    }
    Ok(())
}

/// What links of a page are relative to.
fn base_of(live: &Live) -> Option<Url> {
    let url = Url::parse(&live.url).ok()?;
    let base = live.page.base_href().and_then(|href| url.join(href.trim()).ok());
    Some(base.unwrap_or(url))
}

/// The addresses that an expression finds: values of attributes, the links of elements, or text.
fn links_of(live: &Live, query: &Query) -> Vec<String> {
    let page = &live.page;
    let link = |node: NodeId| match page.kind(node) {
        Kind::Element => ["href", "src"].iter().find_map(|name| {
            let attribute = page.attribute(node, page.name_id(name)?)?;
            Some(page.string_value(attribute).to_owned())
        }),
        _ => Some(page.string_value(node).to_owned()),
    };
    let written = match query.evaluate(page) {
        Ok(Value::Nodes(nodes)) => nodes.into_iter().filter_map(link).collect(),
        Ok(Value::String(text)) => vec![text],
        _ => Vec::new(),
    };
    let base = base_of(live);
    let absolute = |link: String| match &base {
        Some(base) => base.join(link.trim()).ok().map(String::from),
        None => Some(link),
    };
    let written = written.into_iter().filter(|link| !link.trim().is_empty());
    written.filter_map(absolute).collect()
}

/// The links of a page with an address of their own, in page order.
pub(crate) fn links(live: &Live) -> Vec<(NodeId, Url)> {
    let page = &live.page;
    let (Some(base), Some(name)) = (base_of(live), page.name_id("a")) else {
        return Vec::new();
    };
    let each = page.elements_named(name).iter().copied().take(MOST);
    let each = each.filter_map(|node| {
        let href = page.attribute_value(node, "href")?.trim();
        let url = base.join(href).ok()?;
        (!href.starts_with('#') && matches!(url.scheme(), "http" | "https")).then_some((node, url))
    });
    each.collect()
}

/// The links of a page that lead to one of these addresses, in page order: where a person sees the way through a site.
pub fn links_to(live: &Live, addresses: &[String]) -> Vec<NodeId> {
    let wanted: HashSet<String> = addresses.iter().map(|address| plain(address)).collect();
    let found = links(live)
        .into_iter()
        .filter(|(_, url)| wanted.contains(&plain(url.as_str())));
    found.map(|(node, _)| node).collect()
}

/// The links of a page whose addresses are like this one.
fn links_like(live: &Live, like: &str) -> Vec<String> {
    let Ok(own) = Url::parse(&live.url) else {
        return Vec::new();
    };
    let all = links(live).into_iter().map(|(_, url)| url);
    all.filter(|url| is_like(like, &own, url)).map(String::from).collect()
}

/// Is an address like this one, for a page at `own`?
pub(crate) fn is_like(like: &str, own: &Url, url: &Url) -> bool {
    let whole = &url[..Position::AfterQuery];
    match like.starts_with('/') {
        true => own.origin() == url.origin() && matches_pattern(like, &url[Position::BeforePath..Position::AfterQuery]),
        false => matches_pattern(like, whole),
    }
}

/// Does a text match a pattern in which `*` stands for one or more characters other than `/`, `?` and `&`? Takes time
/// proportional to the product of their lengths.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let text = text.as_bytes();
    // Where in the text the pattern so far may end.
    let mut ends = vec![false; text.len() + 1];
    ends[0] = true;
    for sign in pattern.bytes() {
        let mut next = vec![false; text.len() + 1];
        for at in 0..text.len() {
            next[at + 1] = match sign {
                b'*' => (ends[at] || next[at]) && !matches!(text[at], b'/' | b'?' | b'&'),
                sign => ends[at] && text[at] == sign,
            };
        }
        ends = next;
    }
    ends[text.len()]
}

/// An address normalized for comparison, without login and fragment.
pub(crate) fn plain(url: &str) -> String {
    let address = without_login(url.trim());
    address.split('#').next().unwrap_or_default().to_owned()
}

/// An address without its login, which may be written to a file.
pub(crate) fn without_login(url: &str) -> String {
    let Ok(mut url) = Url::parse(url) else {
        return url.to_owned();
    };
    // Fails only for addresses that cannot have a login.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::Page;
    use std::convert::Infallible;
    use std::sync::Arc;

    #[test]
    fn addresses_are_compared_as_they_are_meant() {
        for (url, expected) in [
            ("http://A.test", "http://a.test/"),
            (" http://me:secret@a.test/x?y#z", "http://a.test/x?y"),
            ("http://a.test:80/%7e", "http://a.test/%7e"),
            ("no address#x", "no address"),
        ] {
            assert_eq!(plain(url), expected);
        }
    }

    #[test]
    fn a_star_is_a_part_of_an_address() {
        let own = Url::parse("http://a.test/list?page=2").expect("an address");
        for (like, url, expected) in [
            ("/item/*", "http://a.test/item/7", true),
            ("/item/*", "http://a.test/item/7#top", true),
            ("/item/*", "http://a.test/item/", false),
            ("/item/*", "http://a.test/item/7/reviews", false),
            ("/item/*", "http://a.test/item/7?lang=de", false),
            ("/item/*", "http://b.test/item/7", false),
            ("http://b.test/item/*", "http://b.test/item/7", true),
            ("/item-*.html", "http://a.test/item-7.html", true),
            ("/item-*.html", "http://a.test/item-7.htm", false),
            ("/show?id=*&x=*", "http://a.test/show?id=7&x=y", true),
            ("/**", "http://a.test/ab", true),
        ] {
            let url = Url::parse(url).expect("an address");
            assert_eq!(is_like(like, &own, &url), expected, "{like} {url}");
        }
    }

    /// The addresses of a walk over pages that `html` makes for numbers.
    fn walked(route: &Route, html: impl Fn(usize) -> String) -> Vec<String> {
        let mut out = Vec::new();
        let mut visit = |stop: Stop<'_>| {
            let mut pages = Vec::new();
            for url in stop.urls {
                out.push(url.clone());
                let number = url.rsplit('/').next().and_then(|number| number.parse().ok());
                let page = Page::parse_str(&html(number.unwrap_or(0)), &Default::default()).expect("a page");
                pages.push(Live::new(Arc::new(page), url));
            }
            Ok::<_, Infallible>(pages)
        };
        let Ok(()) = walk("http://a.test/l/1", route, &|| false, &mut visit);
        out.iter().map(|url| url["http://a.test".len()..].to_owned()).collect()
    }

    #[test]
    fn links_are_found_by_where_they_lead() {
        let html = "<a href=/l/2#top>Next</a><a href='//a.test/d/1'>one</a><a href=/d/2>two</a><a name=x>none</a>";
        let page = Page::parse_str(html, &Default::default()).expect("a page");
        let live = Live::new(Arc::new(page), "http://a.test/l/1".to_owned());
        let texts = |addresses: &[&str]| -> Vec<String> {
            let addresses: Vec<String> = addresses.iter().map(|address| (*address).to_owned()).collect();
            let nodes = links_to(&live, &addresses);
            nodes
                .iter()
                .map(|node| live.page.string_value(*node).to_owned())
                .collect()
        };
        assert_eq!(texts(&["http://a.test/l/2"]), ["Next"]);
        assert_eq!(texts(&["http://a.test/d/1", "http://a.test/d/2"]), ["one", "two"]);
        assert!(texts(&["http://b.test/d/1"]).is_empty());
    }

    #[test]
    fn a_walk_ends_where_there_is_nothing_new() {
        let route = Route::new(
            Some(Next::Link(Box::new(Query::compile("//a[.='Next']").expect("valid")))),
            vec![Follow::Like("/d/*".to_owned())],
        );
        // Back to the first page.
        let circle = |n: usize| {
            format!(
                "<a href=/d/{n}>x</a><a href=/d/9>y</a><a href=/l/{}>Next</a>",
                n % 2 + 1
            )
        };
        assert_eq!(walked(&route, circle), ["/l/1", "/d/1", "/d/9", "/l/2", "/d/2"]);
        // A next page for ever, without anything on it.
        let endless = |n: usize| format!("<a href=/d/1>x</a><a href=/l/{}>Next</a>", n + 1);
        assert_eq!(walked(&route, endless), ["/l/1", "/d/1", "/l/2", "/l/3", "/l/4"]);
        let list = Route::new(
            Some(Next::Link(Box::new(Query::compile("//a[.='Next']").expect("valid")))),
            Vec::new(),
        );
        assert_eq!(walked(&list, endless).len(), 1 + PATIENCE);
        let alone = Route::new(Some(Next::Pager), Vec::new());
        assert_eq!(walked(&alone, |_| "<p>alone".to_owned()), ["/l/1"]);
    }
}
