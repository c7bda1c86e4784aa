//! How the pages of a site are reached: where to start, what leads to the next page of a list, which links to follow.
//!
//! This is the part of a wrapper that a run over a live site needs besides its rule. It says what to follow, not how: the
//! library that fetches pages walks along it. If there are links to follow, records come from the pages that they lead to;
//! otherwise from the pages of the list itself.

use crate::file::{At, WrapperError, shape};
use oxpath::Query;
use serde_json::{Value, json};

/// How the pages of a site are reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Navigation {
    /// Where to start.
    pub start: Vec<String>,
    /// What leads from a page of a list to the next one.
    pub next: Option<Onward>,
    /// The links that lead to the pages with records; without any, these are the pages of the list.
    pub follow: Vec<Links>,
}

/// What leads from a page of a list to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Onward {
    /// The pager, wherever it is on the page.
    Pager,
    /// The first link that this XPath expression finds.
    Link(String),
}

/// Some of the links of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Links {
    /// Those that this XPath expression finds.
    Path(String),
    /// Those whose address is like this one, where `*` stands for any characters other than `/`, `?` and `&`. An address
    /// that begins with `/` is one on the site of the page.
    Like(String),
}

impl Onward {
    /// As a user writes it: `auto` for the pager, or an XPath expression.
    pub fn from_text(text: &str) -> Onward {
        match text {
            AUTO => Onward::Pager,
            path => Onward::Link(path.to_owned()),
        }
    }
}

impl Links {
    /// As a user writes them: an address on the web with `*` in it, or an XPath expression.
    pub fn from_text(text: &str) -> Links {
        match text.starts_with("http://") || text.starts_with("https://") {
            true => Links::Like(text.to_owned()),
            false => Links::Path(text.to_owned()),
        }
    }
}

/// How the pager is written.
const AUTO: &str = "auto";

impl Navigation {
    /// As it is saved.
    pub(crate) fn to_json(&self) -> Value {
        let mut out = json!({ "start": self.start });
        match &self.next {
            None => {}
            Some(Onward::Pager) => out["next"] = AUTO.into(),
            Some(Onward::Link(path)) => out["next"] = json!({ "xpath": path }),
        }
        if !self.follow.is_empty() {
            let links = self.follow.iter().map(|links| match links {
                Links::Path(path) => json!({ "xpath": path }),
                Links::Like(address) => json!({ "like": address }),
            });
            out["follow"] = links.collect();
        }
        out
    }

    /// Reads the member `navigation`.
    pub(crate) fn read(root: &At<'_>) -> Result<Option<Navigation>, WrapperError> {
        let Some(at) = root.get("navigation")? else {
            return Ok(None);
        };
        let mut navigation = Navigation::default();
        for start in at.key("start")?.one_or_many()? {
            navigation.start.push(start.text()?.to_owned());
        }
        if let Some(next) = at.get("next")? {
            navigation.next = Some(match next.value.as_str() {
                Some(AUTO) => Onward::Pager,
                Some(_) => return next.fail("\"auto\" or { \"xpath\": … }"),
                None => Onward::Link(path(&next.key("xpath")?)?),
            });
        }
        if let Some(follow) = at.get("follow")? {
            for links in follow.one_or_many()? {
                navigation.follow.push(match links.optional_text("like")? {
                    Some(address) => Links::Like(address),
                    None => Links::Path(path(&links.key("xpath")?)?),
                });
            }
        }
        Ok(Some(navigation))
    }
}

/// An XPath expression that compiles.
fn path(at: &At<'_>) -> Result<String, WrapperError> {
    let text = at.text()?;
    match Query::compile(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(shape(
            &at.place,
            &format!("found no XPath expression: {}", error.message()),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &Value) -> Result<Option<Navigation>, WrapperError> {
        Navigation::read(&At {
            value,
            place: String::new(),
        })
    }

    #[test]
    fn what_is_written_is_read_back() {
        let navigation = Navigation {
            start: vec!["http://a.test/list".to_owned()],
            next: Some(Onward::Pager),
            follow: vec![Links::Like("/item/*".to_owned()), Links::Path("//h2/a".to_owned())],
        };
        let by_link = Navigation {
            next: Some(Onward::Link("//a[.='Next']".to_owned())),
            follow: Vec::new(),
            ..navigation.clone()
        };
        let only_start = Navigation {
            next: None,
            ..by_link.clone()
        };
        for navigation in [navigation, by_link, only_start] {
            let saved = json!({ "navigation": navigation.to_json() });
            assert_eq!(read(&saved), Ok(Some(navigation)), "{saved}");
        }
        assert_eq!(read(&json!({})), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (saved, expected) in [
            (json!({}), "navigation: found no \"start\""),
            (json!({"start": 1}), "navigation.start: found a number"),
            (
                json!({"start": "x", "next": "//a"}),
                "navigation.next: found a string, expected \"auto\"",
            ),
            (
                json!({"start": "x", "follow": [{"xpath": "//a["}]}),
                "navigation.follow[0].xpath: found no XPath expression",
            ),
            (
                json!({"start": "x", "follow": [{}]}),
                "navigation.follow[0]: found no \"xpath\"",
            ),
        ] {
            let error = read(&json!({ "navigation": saved })).expect_err("broken").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
