//! What pages call themselves: the name of the thing that a page is about.
//!
//! A page says its name several times: in the `title` of its head, mostly with the name of the site, in `og:title` and other
//! structured data, and in its largest heading. No single one is reliable: headings hold the name of the site, titles hold
//! advertising, structured data is missing. So a value is judged by how many of them agree on it.
//!
//! **In**: pages of one site. Several pages tell more than one: what the titles of all of them begin or end with is the site's,
//! and the rest is the page's. **Out**: [`Titles`] of each page, which say of any text how much it is the name of the thing.
//!
//! **Cost**: one look at the titles and headings of each page, and at its structured data.

use crate::structured::{Source, Structured};
use crate::{NodeId, Page};

/// How a page calls itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Titles {
    /// The titles of the head, as a whole.
    whole: Vec<String>,
    /// The same without what the titles of all pages have in common, where that is something.
    core: Vec<String>,
    /// What the titles of all pages begin and end with.
    common: Vec<String>,
    /// The parts of the titles between separators, without those that all pages have.
    parts: Vec<String>,
    /// The largest headings.
    headings: Vec<String>,
    /// Names in structured data that not all pages have.
    data: Vec<String>,
}

/// Longer texts are no names.
const LONGEST: usize = 150;
/// More headings are not looked at.
const HEADINGS: usize = 8;

/// How much each witness says, from 0 to 1. These are judgements: two witnesses that agree are more than half sure, and a heading
/// alone, or a part of the title alone, is not.
mod weights {
    /// In the title and equal to a heading; the rest is the share of the title.
    pub(super) const BOTH: f64 = 0.7;
    /// In the title, and a heading says more or less.
    pub(super) const NEAR: f64 = 0.5;
    /// In the title alone, times its share.
    pub(super) const TITLE: f64 = 0.75;
    /// A heading alone, and a part of a heading.
    pub(super) const HEADING: f64 = 0.5;
    pub(super) const PART: f64 = 0.3;
    /// The whole title: it has the name of the site in it.
    pub(super) const WHOLE: f64 = 0.35;
    /// The least share of a title that is counted for a part of it.
    pub(super) const LEAST: f64 = 0.4;
    /// A whole part of the title counts for this share of it: the first one, and any other.
    pub(super) const FIRST_PART: f64 = 0.9;
    pub(super) const OTHER_PART: f64 = 0.82;
    /// A heading of several words that are all in the title, but not in a row, has this part of its share.
    pub(super) const SCATTERED: f64 = 0.8;
    /// Structured data says the same.
    pub(super) const DATA: f64 = 0.25;
    pub(super) const DATA_ALONE: f64 = 0.6;
}

impl Titles {
    /// How each of some pages calls itself.
    ///
    /// ```
    /// use page::titles::Titles;
    /// let page = |name: &str| {
    ///     let html = format!("<title>{name} - The Shop</title><h1>{name}</h1><p>The Shop");
    ///     page::Page::parse_str(&html, &Default::default())
    /// };
    /// let (one, other) = (page("Kelp")?, page("Salt Road")?);
    /// let titles = Titles::of(&[&one, &other]);
    /// assert_eq!(titles[1].share("Salt Road"), 1.0);
    /// assert_eq!(titles[1].share("The Shop"), 0.0);
    /// # Ok::<(), page::LimitError>(())
    /// ```
    pub fn of(pages: &[&Page]) -> Vec<Titles> {
        let data: Vec<Structured> = pages.iter().map(|page| Structured::of(page)).collect();
        Titles::with(pages, &data)
    }

    /// The same for pages whose structured data is at hand.
    pub fn with(pages: &[&Page], data: &[Structured]) -> Vec<Titles> {
        let mut all: Vec<Titles> = pages.iter().zip(data).map(|(page, data)| one(page, data)).collect();
        let is_everywhere = |name: &String, of: fn(&Titles) -> &Vec<String>| {
            pages.len() > 1 && all.iter().all(|titles| of(titles).contains(name))
        };
        // What all pages say is the name of the site.
        let drop = |of: fn(&Titles) -> &Vec<String>| -> Vec<String> {
            let first = all.first().map(of).cloned().unwrap_or_default();
            first.into_iter().filter(|name| is_everywhere(name, of)).collect()
        };
        let dropped = [
            drop(|titles| &titles.whole),
            drop(|titles| &titles.headings),
            drop(|titles| &titles.data),
            drop(|titles| &titles.parts),
        ];
        for titles in &mut all {
            titles.whole.retain(|name| !dropped[0].contains(name));
            titles.headings.retain(|name| !dropped[1].contains(name));
            titles.data.retain(|name| !dropped[2].contains(name));
            titles.parts.retain(|name| !dropped[3].contains(name));
        }
        cores(&mut all);
        all
    }

    /// How much a text is the name of the thing that the page is about, from 0 to 1.
    pub fn share(&self, text: &str) -> f64 {
        let value = plain(text);
        let letters = value.chars().filter(|c| c.is_alphabetic()).count();
        if letters < 2 || value.chars().count() > LONGEST {
            return 0.0;
        }
        // A part of the title that is long enough not to be there by chance.
        let share = |title: &String| match has_words(title, &value) {
            true if title.len() == value.len() => weights::WHOLE,
            true => (value.len() as f64 / title.len() as f64).sqrt().max(weights::LEAST),
            false => 0.0,
        };
        let mut in_title = match self.common.iter().any(|common| has_words(common, &value)) {
            true => 0.0,
            false => self.whole.iter().map(share).fold(0.0, f64::max),
        };
        for core in &self.core {
            if has_words(core, &value) {
                in_title = in_title.max((value.len() as f64 / core.len() as f64).sqrt());
            }
        }
        match self.parts.iter().position(|part| *part == value) {
            Some(0) => in_title = in_title.max(weights::FIRST_PART),
            Some(_) => in_title = in_title.max(weights::OTHER_PART),
            None => {}
        }
        // One title says this alone, and another says more: two witnesses, as a title and a heading are.
        let says_more = |title: &String| title.len() > value.len() && has_words(title, &value);
        let is_agreed = self.whole.contains(&value) && self.parts.contains(&value) && self.whole.iter().any(says_more);
        let is_heading = self.headings.contains(&value);
        // A heading whose words are in the title, with others between them, agrees with it.
        if is_heading {
            let scattered = self.whole.iter().filter(|title| has_scattered(title, &value));
            let share = |title: &String| weights::SCATTERED * (value.len() as f64 / title.len() as f64).sqrt();
            in_title = scattered.map(share).fold(in_title, f64::max);
        }
        let in_heading = is_agreed || is_heading;
        let near = self.headings.iter().any(|heading| {
            let (short, long) = match heading.len() < value.len() {
                true => (heading, &value),
                false => (&value, heading),
            };
            short.len() * 2 > long.len() && has_words(long, short)
        });
        let said = match (in_title > 0.0, in_heading, near) {
            (true, true, _) => weights::BOTH + (1.0 - weights::BOTH) * in_title,
            (true, false, true) => weights::NEAR + (1.0 - weights::BOTH) * in_title,
            (true, false, false) => weights::TITLE * in_title,
            (false, true, _) => weights::HEADING,
            (false, false, true) => weights::PART,
            (false, false, false) => 0.0,
        };
        match self.data.contains(&value) {
            true => (said + weights::DATA).clamp(weights::DATA_ALONE, 1.0),
            false => said.min(1.0),
        }
    }
}

fn one(page: &Page, data: &Structured) -> Titles {
    let of = |name: &str| -> Vec<String> {
        let nodes = page.name_id(name).map(|name| page.elements_named(name));
        let texts = nodes
            .unwrap_or_default()
            .iter()
            .take(HEADINGS)
            .map(|node| words_of(page, *node));
        texts.filter(|text| !text.is_empty()).collect()
    };
    let mut titles = Titles {
        whole: of("title").into_iter().take(1).collect(),
        headings: of("h1"),
        ..Titles::default()
    };
    let title = page.name_id("title").and_then(|name| page.elements_named(name).first());
    if let Some(title) = title
        .map(|title| page.string_value(*title))
        .filter(|title| title.len() <= 10 * LONGEST)
    {
        titles.parts = parts(title);
    }
    if titles.headings.is_empty() {
        titles.headings = of("h2").into_iter().take(1).collect();
    }
    for fact in &data.facts {
        let value = || plain(&fact.value);
        match (fact.source, fact.path.as_str()) {
            (Source::Meta, "og:title" | "twitter:title") => titles.whole.push(value()),
            (Source::JsonLd | Source::Microdata | Source::Rdfa, "name" | "headline" | "title") => {
                titles.data.push(value())
            }
            _ => {}
        }
    }
    titles
}

/// The parts of a title between separators: signs that are no part of a name, and dashes and colons with a space beside them.
fn parts(title: &str) -> Vec<String> {
    let letters: Vec<char> = title.chars().collect();
    let space = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_none_or(|c| c.is_whitespace());
    let mut parts = vec![String::new()];
    for (at, c) in letters.iter().enumerate() {
        let is_separator = match c {
            '|' | '»' | '«' | '·' | '•' | '›' | '‹' | '<' | '>' => true,
            '-' | '–' | '—' | '~' => space(at.checked_sub(1)) && space(Some(at + 1)),
            ':' => space(Some(at + 1)),
            _ => false,
        };
        match (is_separator, parts.last_mut()) {
            (false, Some(part)) => part.push(*c),
            _ => parts.push(String::new()),
        }
    }
    let parts = parts.iter().map(|part| plain(part)).filter(|part| !part.is_empty());
    parts.collect()
}

/// The words of a heading; very long ones are no names.
fn words_of(page: &Page, node: NodeId) -> String {
    let text = page.string_value(node);
    match text.len() <= 10 * LONGEST {
        true => plain(text),
        false => String::new(),
    }
}

/// The titles without the words that they all begin or end with.
fn cores(all: &mut [Titles]) {
    let titles: Vec<Vec<&str>> = all
        .iter()
        .filter_map(|titles| titles.whole.first())
        .map(|title| title.split(' ').collect())
        .collect();
    if titles.len() < 2 {
        return;
    }
    let shortest = titles.iter().map(Vec::len).min().unwrap_or(0);
    let same =
        |at: &dyn Fn(&Vec<&str>) -> usize| titles.iter().all(|title| title[at(title)] == titles[0][at(&titles[0])]);
    let before = (0..shortest).take_while(|at| same(&|_| *at)).count();
    let after = (0..shortest - before)
        .take_while(|at| same(&|title| title.len() - 1 - at))
        .count();
    if before + after == 0 {
        return;
    }
    let cores: Vec<Option<String>> = all
        .iter()
        .map(|titles| {
            let words: Vec<&str> = titles.whole.first()?.split(' ').collect();
            Some(words.get(before..words.len() - after)?.join(" ")).filter(|core| !core.is_empty())
        })
        .collect();
    let words = &titles[0];
    let common = [words[..before].join(" "), words[words.len() - after..].join(" ")];
    let common: Vec<String> = common.into_iter().filter(|common| !common.is_empty()).collect();
    for (titles, core) in all.iter_mut().zip(cores) {
        titles.core.extend(core);
        titles.common = common.clone();
    }
}

/// Are the words of a text a run of the words of another?
fn has_words(long: &str, short: &str) -> bool {
    let edge = |at: usize| long.as_bytes().get(at).is_none_or(|byte| *byte == b' ');
    let mut found = long.match_indices(short);
    found.any(|(at, _)| (at == 0 || edge(at - 1)) && edge(at + short.len()))
}

/// Are the words of a text, of which there are several, among the words of another, in the same order?
fn has_scattered(long: &str, short: &str) -> bool {
    let mut words = long.split(' ');
    short.contains(' ') && short.split(' ').all(|word| words.any(|other| other == word))
}

/// Letters and digits of a text in lower case, with one space between words.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            plain.extend(c.to_lowercase());
        } else if !plain.is_empty() && !plain.ends_with(' ') {
            plain.push(' ');
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(pages: &[&str]) -> Vec<Titles> {
        let pages: Vec<Page> = pages
            .iter()
            .map(|html| Page::parse_str(html, &Default::default()).unwrap())
            .collect();
        Titles::of(&pages.iter().collect::<Vec<_>>())
    }

    #[test]
    fn what_all_titles_share_is_the_name_of_the_site() {
        let page = |name: &str| format!("<title>Buy {name} | Shop of Ines</title><h1>Shop of Ines</h1><b>{name}</b>");
        let found = titles(&[&page("Kelp"), &page("Salt Road"), &page("A Field Guide")]);
        let shares = ["Salt Road", "Shop of Ines", "Salt", "Buy"].map(|text| found[1].share(text));
        assert!(shares[0] >= 0.75 && shares[0] > shares[2], "{shares:?}");
        assert_eq!((shares[1], shares[3] < 0.5), (0.0, true), "{shares:?}");
    }

    #[test]
    fn a_part_of_the_title_is_more_than_some_of_its_words() {
        let page = |name: &str, team: &str| format!("<title>Player Stats - {name} - {team} - Sports: all</title>");
        let found = titles(&[
            &page("Al Horford", "Atlanta Hawks"),
            &page("Nate Robinson", "Boston Celtics"),
        ]);
        let [name, team, some] = ["Al Horford", "Atlanta Hawks", "Horford Atlanta"].map(|text| found[0].share(text));
        assert!(name > team && team > some && some > 0.0, "{name} {team} {some}");
    }

    #[test]
    fn a_heading_of_words_of_the_title_is_more_than_the_rest() {
        let page = |name: &str, trim: &str| {
            format!("<title>2010 {name} {trim} Overview</title><h1>2010 {name} Overview</h1><b>{trim}</b>")
        };
        let found = titles(&[&page("Audi S6", "4dr Sdn Prestige"), &page("GMC Terrain", "AWD SLT-2")]);
        let [heading, trim] = ["2010 Audi S6 Overview", "4dr Sdn Prestige"].map(|text| found[0].share(text));
        assert!(heading > 0.8 && heading > trim, "{heading} {trim}");
        assert_eq!(
            found[0].share("Audi Overview 2010"),
            0.0,
            "other words, or in another order, are not the name"
        );
    }

    #[test]
    fn structured_data_is_a_witness() {
        let page = |name: &str| {
            format!(
                r#"<script type="application/ld+json">[{{"@type":"WebSite","name":"Ines"}},{{"@type":"Book","name":"{name}"}}]</script>
                   <p>Ines</p><p>{name}</p>"#
            )
        };
        let found = titles(&[&page("Kelp"), &page("Moss")]);
        assert_eq!((found[0].share("Kelp"), found[0].share("Ines")), (0.6, 0.0));
    }

    #[test]
    fn two_titles_that_agree_on_a_name_are_two_witnesses() {
        let page = |name: &str, more: &str| {
            format!(
                "<title>{name} | Hawks | Sports</title><meta property='og:title' content='{name}{more}'><h1>{name} 1 | Guard</h1>"
            )
        };
        let found = titles(&[&page("Maurice Evans", ""), &page("Josh Smith", "")]);
        let [name, last] = ["Maurice Evans", "Evans"].map(|text| found[0].share(text));
        assert!(name >= 0.9 && last < 0.5, "{name} {last}");
        let found = titles(&[&page("Maurice Evans", " | Sports"), &page("Josh Smith", " | Sports")]);
        let [name, whole] = ["Maurice Evans", "Maurice Evans | Sports"].map(|text| found[0].share(text));
        assert!(name > whole, "{name} {whole}");
    }

    #[test]
    fn titles_that_are_all_the_same_tell_nothing() {
        let found = titles(&["<title>Shop</title><h1>Kelp</h1>", "<title>Shop</title><h1>Moss</h1>"]);
        assert_eq!((found[0].share("Shop"), found[0].share("Kelp")), (0.0, 0.5));
    }
}
