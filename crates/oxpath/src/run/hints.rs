//! What a run noticed that its records do not show.
//!
//! Two things make a run give less than its author expects, without any failure. A page may be made by scripts, which run
//! only in a browser: fetched over HTTP it has hardly any text. And a predicate with a field drops its node where the
//! field is missing, so the fields after it are not looked for: that is the meaning of a predicate, and newcomers learn
//! it the hard way.
//!
//! Both are noticed while the run goes on, and told in its summary.

use super::program::{Condition, Mark, Op};
use page::{Kind, NodeId, Page, vocabulary};
use std::sync::Arc;

/// With as many letters that a reader sees, a page has its content without scripts. Pages that show nothing without
/// scripts have a title, a loading message and perhaps a footer.
const FEW_LETTERS: usize = 400;

/// The ids that frameworks give to the element which their scripts fill.
const MOUNTS: [&str; 6] = ["root", "app", "__next", "__nuxt", "svelte", "main-app"];

/// A page that seems to be made by scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptedPage {
    /// Its address.
    pub url: Arc<str>,
    /// How many scripts it has.
    pub scripts: usize,
    /// How many letters a reader sees; counted only as far as they are few.
    pub letters: usize,
    /// The id of an empty element that scripts usually fill.
    pub mount: Option<String>,
}

impl ScriptedPage {
    /// What suggests that a page is made by scripts; nothing if it has text enough.
    pub(super) fn of(page: &Page, url: &Arc<str>) -> Option<ScriptedPage> {
        let scripts = page.name_id("script").map(|name| page.elements_named(name));
        let runs = |script: &&NodeId| {
            let kind = page.attribute_value(**script, "type").unwrap_or_default();
            !kind.contains("json") && !kind.contains("template")
        };
        let scripts = scripts.unwrap_or_default().iter().filter(runs).count();
        if scripts == 0 {
            return None;
        }
        let mut letters = 0;
        let mut mount = None;
        for element in vocabulary::seen_elements(page).filter(|element| page.name(*element) != "title") {
            for text in page.children(element).filter(|child| page.kind(*child) == Kind::Text) {
                letters += page.string_value(text).chars().filter(|c| !c.is_whitespace()).count();
            }
            if letters >= FEW_LETTERS {
                return None;
            }
            let id = page.attribute_value(element, "id").unwrap_or_default();
            if MOUNTS.contains(&id) && page.string_value(element).trim().is_empty() {
                mount = Some(id.to_owned());
            }
        }
        Some(ScriptedPage {
            url: Arc::clone(url),
            scripts,
            letters,
            mount,
        })
    }
}

impl std::fmt::Display for ScriptedPage {
    /// What is on the page, as a sentence without an end.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let many = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let (scripts, letters) = (many(self.scripts, "script"), many(self.letters, "letter"));
        write!(f, "{} has {scripts} and only {letters} of text", self.url)?;
        match &self.mount {
            Some(id) => write!(f, ", and its element with the id `{id}` is empty"),
            None => Ok(()),
        }
    }
}

/// Fields that records lack because a predicate before them was false.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedFields {
    /// The name of the records.
    pub record: String,
    /// The fields in the predicate.
    pub missing: Vec<String>,
    /// The fields in the predicates after it.
    pub skipped: Vec<String>,
    /// In how many records.
    pub records: usize,
}

impl SkippedFields {
    /// What is skipped in a record whose predicate at `failed` is false; nothing if that predicate extracts nothing, or
    /// those after it do not.
    pub(super) fn of(mark: &Mark, failed: usize) -> Option<SkippedFields> {
        let (mut missing, mut skipped) = (Vec::new(), Vec::new());
        fields(&mark.tests.get(failed)?.condition, &mut missing);
        for test in &mark.tests[failed + 1..] {
            fields(&test.condition, &mut skipped);
        }
        (!missing.is_empty() && !skipped.is_empty()).then(|| SkippedFields {
            record: mark.name.clone(),
            missing,
            skipped,
            records: 1,
        })
    }

    /// Are these the same fields, whatever the number of records?
    #[must_use]
    pub fn is_same(&self, other: &SkippedFields) -> bool {
        (&self.record, &self.missing, &self.skipped) == (&other.record, &other.missing, &other.skipped)
    }
}

impl std::fmt::Display for SkippedFields {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = |names: &[String]| {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            quoted.join(", ")
        };
        let (missing, skipped) = (names(&self.missing), names(&self.skipped));
        let lack = if self.records == 1 {
            "record lacks"
        } else {
            "records lack"
        };
        write!(
            f,
            "{} `{}` {lack} {missing}, and so the fields after it: {skipped}",
            self.records, self.record
        )
    }
}

/// The names of the markers in a condition, but for those inside their predicates.
fn fields(condition: &Condition, names: &mut Vec<String>) {
    match condition {
        Condition::Simple(_) => {}
        Condition::Path(ops) => marked(ops, names),
        Condition::Any(parts) | Condition::All(parts) => parts.iter().for_each(|part| fields(part, names)),
    }
}

fn marked(ops: &[Op], names: &mut Vec<String>) {
    for op in ops {
        match op {
            Op::Mark(mark) if !names.contains(&mark.name) => names.push(mark.name.clone()),
            Op::Test(test) => fields(&test.condition, names),
            Op::Loop { body, .. } | Op::Choose { body, .. } => body.iter().for_each(|branch| marked(branch, names)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_made_by_scripts() {
        let check = |html: &str, expected: Option<&str>| {
            let page = Page::parse_str(html, &Default::default()).expect("a page");
            let found = ScriptedPage::of(&page, &"http://a/".into()).map(|page| page.to_string());
            assert_eq!(found.as_deref(), expected, "{html}");
        };
        check(
            "<title>Shop</title><div id=root></div><script src=a.js></script><script src=b.js></script>",
            Some("http://a/ has 2 scripts and only 0 letters of text, and its element with the id `root` is empty"),
        );
        check(
            "<p>Loading</p><script>let text = 'x'.repeat(1000)</script>",
            Some("http://a/ has 1 script and only 7 letters of text"),
        );
        check("<p>Loading</p>", None);
        check("<p>a</p><script type='application/ld+json'>{}</script>", None);
        check(
            &format!("<p>{}</p><script src=a.js></script>", "word ".repeat(100)),
            None,
        );
    }
}
