//! Fields that come from structured data.
//!
//! Pages say much to programs that readers do not see, or see in another form: a `sku`, a currency, the date of the first
//! publication, all ingredients ([`page::structured`]). **In**: the pages, a landmark rule with names, and what it finds. **Out**: the
//! rule with more fields, each of which is a path of names in the structured data ([`Datum`]).
//!
//! A path becomes a field if
//!
//! - it is on at least half of the pages, and its values differ;
//! - it is about the thing of the page: another value of the same thing is also a value that readers see, on at least half of those pages. This
//!   *witness* keeps out the site, its owner, and the state that scripts need for themselves. In JSON state, which has no things, the
//!   object around the value, or the one around that, must have it;
//! - readers do not see it: a value that is on the page is a field already, and only gets its name from here (`naming`);
//! - pages have one value of it, or it is a list that belongs to the thing itself.
//!
//! Values compare as names do: by letters and digits, numbers by their digits. At most `MOST` fields are added, in the order of the
//! sources and of the page. **Cost**: linear in the facts, which are bounded for each page, and in the values.
//!
//! Known limits: lists of things with several values each are left out (all offers with price and seller), and so are things of pages
//! that are lists.

use crate::naming::{Used, forms, path_name};
use page::Page;
use page::structured::{Fact, Source, Structured};
use page::titles::{Titles, plain};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use wrapper::rule::Event;
use wrapper::rule::landmark::{Datum, Grain, Landmarks, Part, Slot};

/// The most fields from structured data.
const MOST: usize = 30;
/// The longest value, in bytes: the body of an article.
const LONGEST: usize = 100_000;
/// A witness has at least this many characters: short values agree by chance.
const WITNESS: usize = 4;
/// One page in this many may have several values of a field that has one.
const RARELY: usize = 5;

/// A path of names of things of a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key<'d> {
    source: Source,
    kind: Option<&'d str>,
    path: &'d str,
}

/// What pages say at a path.
#[derive(Default)]
struct Said<'d> {
    /// Where it was first, by page and number of the fact.
    order: (usize, usize),
    /// For each page that has it: its number, the first value, and the number of values.
    pages: Vec<(usize, &'d str, usize)>,
    /// A hash of all values of each of them.
    hashes: Vec<u64>,
    /// On how many of them the thing has a witness.
    witnessed: usize,
}

/// The values that readers see on a page, by their forms, with the fields that have them.
type Seen = HashMap<String, BTreeSet<u32>>;

/// Adds the fields of structured data to a rule; `found` is what the rule finds on the pages.
pub(super) fn add(pages: &[&Page], rule: &mut Landmarks, found: &[Vec<Event>]) {
    let data: Vec<Structured> = pages.iter().map(|page| Structured::of(page)).collect();
    if data.iter().all(|data| data.facts.is_empty()) {
        return;
    }
    let mut seen: Vec<Seen> = found.iter().map(|events| seen_on(events)).collect();
    let constant = constant_fields(found);
    let mut paths: BTreeMap<Key<'_>, Said<'_>> = BTreeMap::new();
    for (number, data) in data.iter().enumerate() {
        gather(number, data, &seen[number], &constant, &mut paths);
    }
    let mut ordered: Vec<(Key<'_>, Said<'_>)> = paths.into_iter().collect();
    ordered.sort_by_key(|(key, said)| (key.source, said.order));
    let mut used = Used::default();
    for slot in &rule.fields {
        used.fresh(slot.name.clone());
    }
    let mut added = 0;
    for (key, said) in ordered {
        let Some(many) = is_wanted(&key, &said, pages.len()) else {
            continue;
        };
        let field = rule.fields.len() as u32;
        let forms: Vec<Vec<String>> = said.pages.iter().map(|(_, value, _)| forms(value)).collect();
        if has_twin(&said, &forms, &seen) {
            continue;
        }
        let Some(name) = path_name(key.path) else { continue };
        rule.fields.push(Slot {
            name: used.fresh(name),
            data: Some(Datum {
                source: key.source,
                kind: key.kind.map(str::to_owned),
                path: key.path.to_owned(),
                many,
            }),
            ..Slot::default()
        });
        // A page may say one thing in several sources.
        for ((number, _, _), forms) in said.pages.iter().zip(forms) {
            for form in forms {
                seen[*number].entry(form).or_default().insert(field);
            }
        }
        added += 1;
        if added == MOST {
            return;
        }
    }
}

/// A rule for what structured data says about the thing that each page is about; none if it says little. For pages that cannot be compared
/// with others, or that show nothing without their scripts.
///
/// A page must have one thing of its type, and the name of the thing must be what the page calls itself.
pub fn of_things(pages: &[&Page]) -> Option<Landmarks> {
    let data: Vec<Structured> = pages.iter().map(|page| Structured::of(page)).collect();
    let titles = Titles::with(pages, &data);
    let Some((source, kind)) = main_kind(pages.first()?, data.first()?, titles.first()?) else {
        return of_metas(&data);
    };
    // The paths of all pages, in the order of the first ones.
    let mut paths: Vec<&str> = Vec::new();
    let mut said: HashMap<&str, (usize, usize)> = HashMap::new();
    for data in &data {
        let mut here: BTreeMap<&str, usize> = BTreeMap::new();
        let is_this = |fact: &&Fact| fact.source == source && data.kind(fact) == Some(&kind);
        for fact in data.facts.iter().filter(is_this) {
            let count = here.entry(&fact.path).or_default();
            *count += 1;
            if *count == 1 && !said.contains_key(fact.path.as_str()) {
                paths.push(&fact.path);
                said.insert(&fact.path, (0, 0));
            }
        }
        for (path, count) in here {
            let of = said.entry(path).or_default();
            *of = (of.0 + 1, of.1.max(count));
        }
    }
    let mut used = Used::default();
    let mut fields = Vec::new();
    // The name comes first, whatever the order of the script.
    paths.sort_by_key(|path| !is_name(path));
    for path in paths {
        let (on, most) = said[path];
        let is_type = path.rsplit('.').next().is_none_or(|last| last.starts_with('@'));
        // Which values of an inner list belong together is not known.
        let is_inner_list = most > 1 && path.contains('.');
        if is_type || is_aside(path) || is_inner_list || on * 2 < pages.len() || fields.len() == MOST {
            continue;
        }
        let Some(name) = path_name(path) else { continue };
        fields.push(Slot {
            name: used.fresh(name),
            data: Some(Datum {
                source,
                kind: Some(kind.clone()),
                path: path.to_owned(),
                many: most > 1,
            }),
            ..Slot::default()
        });
    }
    let rule = Landmarks {
        grain: Grain::Nodes,
        parts: vec![Part::Nothing],
        fields,
    };
    (rule.fields.len() >= FEWEST).then_some(rule)
}

/// The same for pages whose `meta` elements say that they are about one product.
fn of_metas(data: &[Structured]) -> Option<Landmarks> {
    let is_product = |data: &Structured| {
        let kinds = data.of_kind(Source::Meta, None, "og:type");
        // A `product.group` is a list.
        kinds
            .into_iter()
            .any(|fact| matches!(fact.value.as_str(), "product" | "og:product" | "product.item"))
    };
    // These are about the page and its site.
    const AROUND: [&str; 4] = ["og:type", "og:url", "og:site_name", "og:locale"];
    let is_own = |fact: &&Fact| {
        let is_thing = fact.path.starts_with("og:") || fact.path.starts_with("product:");
        fact.source == Source::Meta && is_thing && !AROUND.iter().any(|around| fact.path.starts_with(around))
    };
    if !data.iter().all(is_product) {
        return None;
    }
    let mut used = Used::default();
    let mut fields: Vec<Slot> = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for fact in data.first()?.facts.iter().filter(is_own) {
        // The size of a picture says nothing about the thing.
        let is_of_picture = fact.path.starts_with("og:image:") || fact.path.starts_with("og:video");
        let Some(name) = path_name(&fact.path).filter(|_| !is_of_picture) else {
            continue;
        };
        if known.insert(&fact.path) && fields.len() < MOST {
            fields.push(Slot {
                name: used.fresh(name),
                data: Some(Datum {
                    source: Source::Meta,
                    kind: None,
                    path: fact.path.clone(),
                    many: false,
                }),
                ..Slot::default()
            });
        }
    }
    let is_named = fields.iter().any(|field| field.name == "title");
    (is_named && fields.len() >= FEWEST).then_some(Landmarks {
        grain: Grain::Nodes,
        parts: vec![Part::Nothing],
        fields,
    })
}

/// With fewer fields, structured data says little.
const FEWEST: usize = 3;

/// The source and type of the only thing of its type on a page whose name is what the page calls itself.
fn main_kind(page: &Page, data: &Structured, titles: &Titles) -> Option<(Source, String)> {
    // These are about the page, its place in the site, or its owner.
    const AROUND: [&str; 14] = [
        "AboutPage",
        "BreadcrumbList",
        "CollectionPage",
        "ContactPage",
        "ImageObject",
        "ItemList",
        "ItemPage",
        "Organization",
        "OnlineStore",
        "ProductCollection",
        "SearchResultsPage",
        "SiteNavigationElement",
        "WebPage",
        "WebSite",
    ];
    // Owners have many types: `MensClothingStore`, `NewsMediaOrganization`.
    let is_around = |kind: &str| {
        AROUND.contains(&kind)
            || ["Organization", "Store", "LocalBusiness"]
                .iter()
                .any(|end| kind.ends_with(end))
    };
    let title = page.elements().iter().find(|element| page.name(**element) == "title");
    let title = title.map(|title| plain(page.string_value(*title))).unwrap_or_default();
    // A heading may be shorter than the name, which is all of the title then.
    let is_title = |name: &str| !title.is_empty() && plain(name) == title;
    let names = data.facts.iter().filter(|fact| is_name(&fact.path));
    for fact in names {
        let Some(kind) = data.kind(fact) else { continue };
        let things: BTreeSet<u32> = data
            .facts
            .iter()
            .filter(|other| other.source == fact.source && data.kind(other) == Some(kind))
            .map(|other| other.item)
            .collect();
        let is_own = titles.share(&fact.value) >= NAMED || is_title(&fact.value);
        if !is_around(kind) && things.len() == 1 && is_own {
            return Some((fact.source, kind.to_owned()));
        }
    }
    None
}

/// Is a path the name of a thing?
fn is_name(path: &str) -> bool {
    matches!(path, "name" | "headline" | "title")
}

/// Is a path about what others say, not about the thing?
fn is_aside(path: &str) -> bool {
    let first = path.split('.').next().unwrap_or(path);
    path.contains('.')
        && matches!(
            first,
            "review" | "reviews" | "comment" | "publisher" | "isPartOf" | "mainEntityOfPage"
        )
}

/// How much the name of a thing must be what its page calls itself: more than structured data alone says.
const NAMED: f64 = 0.65;

fn seen_on(events: &[Event]) -> Seen {
    let mut seen = Seen::new();
    for event in events {
        if let Event::Value { field, text, .. } = event
            && text.len() <= LONGEST
        {
            for form in forms(text) {
                seen.entry(form).or_default().insert(*field);
            }
        }
    }
    seen
}

/// The fields with the same value on all pages, which witness nothing.
fn constant_fields(found: &[Vec<Event>]) -> HashSet<u32> {
    let mut values: HashMap<u32, Option<&str>> = HashMap::new();
    for event in found.iter().flatten() {
        if let Event::Value { field, text, .. } = event {
            let known = values.entry(*field).or_insert(Some(text));
            if *known != Some(text) {
                *known = None;
            }
        }
    }
    let constant = values.into_iter().filter(|(_, value)| value.is_some());
    constant.map(|(field, _)| field).collect()
}

/// Adds what a page says.
fn gather<'d>(
    number: usize,
    data: &'d Structured,
    seen: &Seen,
    constant: &HashSet<u32>,
    paths: &mut BTreeMap<Key<'d>, Said<'d>>,
) {
    let is_witness = |fact: &Fact| {
        fact.value.len() <= LONGEST
            && fact.value.chars().count() >= WITNESS
            && forms(&fact.value).iter().any(|form| {
                let fields = seen.get(form).into_iter().flatten();
                form.chars().count() >= WITNESS && fields.into_iter().any(|field| !constant.contains(field))
            })
    };
    // Things, and objects of state, with a value that readers see.
    let mut witnessed: HashSet<(Source, u32, &str)> = HashSet::new();
    for fact in data.facts.iter().filter(|fact| is_witness(fact)) {
        witnessed.insert((fact.source, fact.item, object(fact.source, &fact.path)));
    }
    for (order, fact) in data.facts.iter().enumerate() {
        let key = Key {
            source: fact.source,
            kind: data.kind(fact),
            path: &fact.path,
        };
        let said = paths.entry(key).or_insert_with(|| Said {
            order: (number, order),
            ..Said::default()
        });
        let hash = |before: u64| {
            let mut hasher = DefaultHasher::new();
            (before, &fact.value).hash(&mut hasher);
            hasher.finish()
        };
        match (said.pages.last_mut(), said.hashes.last_mut()) {
            (Some((last, _, count)), Some(all)) if *last == number => {
                *count += 1;
                *all = hash(*all);
            }
            _ => {
                said.hashes.push(hash(0));
                said.pages.push((number, &fact.value, 1));
                let own = object(fact.source, &fact.path);
                let outer = object(fact.source, own);
                let is_known = |object: &str| witnessed.contains(&(fact.source, fact.item, object));
                said.witnessed += usize::from(is_known(own) || is_known(outer));
            }
        }
    }
}

/// The path of the object of a path: state has objects in objects, everything else has things.
fn object(source: Source, path: &str) -> &str {
    match source {
        Source::State => path.rsplit_once('.').map_or("", |(object, _)| object),
        _ => "",
    }
}

/// Is a path a field, and may a page have several values of it?
fn is_wanted(key: &Key<'_>, said: &Said<'_>, pages: usize) -> Option<bool> {
    // The way to the page and its menus are about the site.
    let is_about_site = matches!(
        key.kind,
        Some("BreadcrumbList" | "SiteNavigationElement" | "ItemList" | "WPHeader" | "WPFooter")
    );
    let last = key.path.rsplit('.').next().unwrap_or(key.path);
    // Most `meta` elements have no thing, and landmarks find them.
    if is_about_site || is_aside(key.path) || key.source == Source::Meta || last.is_empty() || last.starts_with('@') {
        return None;
    }
    let on = said.pages.len();
    let is_value = |value: &str| value.len() <= LONGEST && !value.starts_with(['{', '[']);
    let differs = said.hashes.iter().any(|hash| *hash != said.hashes[0]);
    let is_usual = on >= 2 && on * 2 >= pages && said.witnessed * 2 >= on;
    if !is_usual || !differs || !said.pages.iter().all(|(_, value, _)| is_value(value)) {
        return None;
    }
    let several = said.pages.iter().filter(|(_, _, count)| *count > 1).count();
    match several * RARELY > on {
        false => Some(false),
        // Which values of an inner list belong together is not known.
        true => (key.source != Source::State && !key.path.contains('.')).then_some(true),
    }
}

/// Has one field the same value on most pages?
fn has_twin(said: &Said<'_>, forms: &[Vec<String>], seen: &[Seen]) -> bool {
    let mut votes: HashMap<u32, usize> = HashMap::new();
    for ((number, _, _), forms) in said.pages.iter().zip(forms) {
        let fields: BTreeSet<u32> = forms
            .iter()
            .filter_map(|form| seen[*number].get(form))
            .flatten()
            .copied()
            .collect();
        fields
            .into_iter()
            .for_each(|field| *votes.entry(field).or_default() += 1);
    }
    votes.into_values().any(|times| times * 2 > said.pages.len())
}

#[cfg(test)]
mod tests {
    use super::super::{LandmarkSettings, infer};
    use super::*;
    use wrapper::rule::landmark::Run;

    /// What the data fields of a rule from these pages are, and their values on each page.
    fn fields(pages: &[String]) -> Vec<(String, String, Vec<String>)> {
        let pages: Vec<Page> = pages
            .iter()
            .map(|html| Page::parse_str(html, &Default::default()).unwrap())
            .collect();
        let pages: Vec<&Page> = pages.iter().collect();
        let rule = infer(&pages, &LandmarkSettings::default()).unwrap().rule;
        let run = Run::new(&rule);
        let value = |page: &Page, wanted: u32| {
            let events = run.page(page, false).into_iter();
            let values = events.filter_map(|event| match event {
                Event::Value { field, text, .. } if field == wanted => Some(text),
                _ => None,
            });
            values.collect::<Vec<_>>().join("|")
        };
        let slots = (0u32..).zip(&rule.fields);
        let data = slots.filter_map(|(field, slot)| Some((field, slot, slot.data.as_ref()?)));
        data.map(|(field, slot, data)| {
            let values = pages.iter().map(|page| value(page, field)).collect();
            (slot.name.clone(), data.to_string(), values)
        })
        .collect()
    }

    fn page(name: &str, number: usize, script: &str) -> String {
        format!(
            "<title>{name} - Shop</title><h1>{name}</h1><p>Price: <b>$ {number}.50</b></p><p>All about {name}.</p>{script}"
        )
    }

    const NAMES: [&str; 4] = ["Kelp Lamp", "Moss Chair", "Fern Table", "Reed Shelf"];

    #[test]
    fn what_readers_do_not_see_becomes_a_field() {
        let made = |(number, name): (usize, &&str)| {
            let script = format!(
                r#"<script type="application/ld+json">{{"@graph": [{{"@type": "WebSite", "name": "Shop", "visits": {number}}},
                {{"@type": "BreadcrumbList", "itemListElement": [{{"name": "Home"}}, {{"name": "{name}"}}], "id": "x{number}"}},
                {{"@type": "Product", "name": "{name}", "sku": "S-{number}", "brand": {{"name": "Brand {number}"}}, "color": ["red", "c{number}"],
                "offers": {{"price": {number}.5, "priceCurrency": "EUR"}},
                "review": [{{"author": "A{number}"}}, {{"author": "B"}}]}}]}}</script>"#
            );
            page(name, number, &script)
        };
        let expected = |name: &str, from: &str, value: &dyn Fn(usize) -> String| {
            (
                name.to_owned(),
                from.to_owned(),
                (0..NAMES.len()).map(value).collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            fields(&NAMES.iter().enumerate().map(made).collect::<Vec<_>>()),
            [
                expected("brand", "json-ld Product brand.name", &|at| format!("Brand {at}")),
                expected("color", "json-ld Product color", &|at| format!("red|c{at}")),
                expected("sku", "json-ld Product sku", &|at| format!("S-{at}")),
            ]
        );
    }

    #[test]
    fn state_is_a_source_where_readers_see_part_of_its_object() {
        let made = |(number, name): (usize, &&str)| {
            let script = format!(
                r#"<script id=__NEXT_DATA__ type="application/json">{{"buildId": "b{number}", "props": {{"session": {{"token": "t{number}"}},
                "product": {{"title": "{name}", "stock": {number}7, "maker": {{"city": "City {number}"}}}}}}}}</script>"#
            );
            page(name, number, &script)
        };
        let found = fields(&NAMES.iter().enumerate().map(made).collect::<Vec<_>>());
        let names: Vec<(&str, &str)> = found
            .iter()
            .map(|(name, from, _)| (name.as_str(), from.as_str()))
            .collect();
        assert_eq!(
            names,
            [
                ("city", "state props.product.maker.city"),
                ("stock", "state props.product.stock")
            ]
        );
    }

    #[test]
    fn one_page_about_a_thing_is_a_record() {
        let page = |extra: &str| {
            let html = format!(
                r#"<title>Kelp Lamp - Shop</title><h1>Kelp Lamp</h1><script type="application/ld+json">[{{"@type": "WebSite", "name": "Shop"}},
                {{"@type": "Product", "name": "Kelp Lamp", "sku": "S1", "image": ["/a.png", "/b.png"], "offers": {{"@type": "Offer", "price": 12}}}}{extra}]
                </script>"#
            );
            Page::parse_str(&html, &Default::default()).unwrap()
        };
        let rule = of_things(&[&page("")]).unwrap();
        let names: Vec<&str> = rule.fields.iter().map(|slot| slot.name.as_str()).collect();
        assert_eq!(names, ["name", "image", "price", "sku"]);
        assert!(rule.fault().is_none());
        // Several things of one type are a list.
        assert!(of_things(&[&page(r#", {"@type": "Product", "name": "Moss"}"#)]).is_none());
    }

    #[test]
    fn one_page_that_says_in_meta_elements_that_it_is_a_product_is_a_record() {
        let page = |kind: &str| {
            let html = format!(
                r#"<title>Kelp Lamp - Shop</title><meta property="og:type" content="{kind}"><meta property="og:title" content="Kelp Lamp">
                <meta property="og:site_name" content="Shop"><meta property="og:image" content="/a.png"><meta property="og:image:width" content="800">
                <meta property="product:price:amount" content="12.50">"#
            );
            Page::parse_str(&html, &Default::default()).unwrap()
        };
        let rule = of_things(&[&page("product")]).unwrap();
        let names: Vec<&str> = rule.fields.iter().map(|slot| slot.name.as_str()).collect();
        assert_eq!(names, ["title", "image", "price"]);
        assert!(of_things(&[&page("product.group")]).is_none());
        assert!(of_things(&[&page("website")]).is_none());
    }

    #[test]
    fn a_thing_with_the_whole_title_as_its_name_is_that_of_the_page() {
        let html = r#"<title>Kelp Lamp: light for desk and table</title><h1>The Lamp</h1><script type="application/ld+json">{"@type": "Product",
            "name": "Kelp Lamp: Light for Desk and Table", "sku": "S1", "color": "red"}</script>"#;
        let page = Page::parse_str(html, &Default::default()).unwrap();
        assert_eq!(of_things(&[&page]).unwrap().fields.len(), 3);
    }

    #[test]
    fn nothing_is_added_where_nothing_is_said() {
        let plain = |(number, name): (usize, &&str)| page(name, number, "");
        assert_eq!(fields(&NAMES.iter().enumerate().map(plain).collect::<Vec<_>>()), []);
        // Broken and strange scripts.
        let strange = |(number, name): (usize, &&str)| {
            let deep = "[".repeat(5000);
            page(
                name,
                number,
                &format!(
                    "<script type=application/ld+json>{deep}</script><script type=application/json>{number}</script>"
                ),
            )
        };
        assert_eq!(fields(&NAMES.iter().enumerate().map(strange).collect::<Vec<_>>()), []);
    }
}
