//! Saving pages to a directory, with a manifest that says what came from where.
//!
//! A walk begins with an address. `next` leads from a page to the one after it, until there is none or it was seen;
//! `follow` leads from each of these pages to others, which are saved and not followed further. Bytes are saved as they
//! came, because what an encoding is taken for may change its mind; what the server said about it stands in the manifest,
//! `manifest.ndjson`, a line for each page: `{"file":…,"url":…,"asked":…,"charset":…,"content_type":…,"bytes":…,"from":…}`.
//!
//! A page's line is written after its file, so whatever ends a walk, the manifest names only what is whole. A walk into a
//! directory that has a manifest goes on where that one ended: what is there is read from there and not asked for again.

use crate::map_in_order;
use browse::{Fetch, Fetched, Web};
use oxpath::{Query, Value};
use page::driver::{DriverError, Live, Options};
use page::{Kind, NodeId, Page};
use serde_json::json;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use url::Url;

/// The manifest's name in its directory.
pub const MANIFEST: &str = "manifest.ndjson";

/// What to save besides the pages that are named.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Leads from a page to the one after it: the first link among what it gives.
    pub next: Option<Query>,
    /// Lead from each of these pages to others.
    pub follow: Vec<Query>,
    /// Pages to fetch at once.
    pub jobs: usize,
    /// Save at most so many pages.
    pub max_pages: Option<usize>,
    /// Stop when this becomes true.
    pub stop: Option<Arc<AtomicBool>>,
}

/// What a walk tells.
#[derive(Debug)]
pub enum Step<'a> {
    /// A page was saved, or was there already.
    Saved {
        /// Its address.
        url: &'a str,
        /// Its file.
        file: &'a str,
        /// Was it there before?
        known: bool,
    },
    /// A page could not be had.
    Failed(&'a DriverError),
}

/// A directory of saved pages.
pub struct Album {
    folder: PathBuf,
    manifest: File,
    /// What was saved, by the address that was asked for.
    known: HashMap<String, Entry>,
    saved: usize,
}

#[derive(Clone)]
struct Entry {
    file: String,
    url: String,
    charset: Option<String>,
}

/// A page of a walk.
struct Stop {
    live: Option<Live>,
}

impl Album {
    /// Opens a directory, or makes one.
    ///
    /// # Errors
    ///
    /// It cannot be written to, or its manifest is none.
    pub fn open(folder: &Path) -> io::Result<Album> {
        fs::create_dir_all(folder)?;
        let path = folder.join(MANIFEST);
        let mut known = HashMap::new();
        let mut whole = 0;
        match fs::read_to_string(&path) {
            Ok(text) => {
                // A line that was cut is not there.
                whole = text.rfind('\n').map_or(0, |end| end + 1);
                for (at, line) in text[..whole].lines().enumerate() {
                    let (asked, entry) = entry(line).ok_or_else(|| {
                        let why = format!("{}, line {}: this is no line of a manifest", path.display(), at + 1);
                        io::Error::new(io::ErrorKind::InvalidData, why)
                    })?;
                    known.insert(asked, entry);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let manifest = OpenOptions::new().create(true).append(true).open(&path)?;
        manifest.set_len(whole as u64)?;
        let saved = known.len();
        Ok(Album {
            folder: folder.to_owned(),
            manifest,
            known,
            saved,
        })
    }

    /// Saves the page at an address and those that the walk leads to.
    ///
    /// # Errors
    ///
    /// The directory cannot be written to. A page that cannot be had is told to `tell`, and the walk goes on.
    pub fn walk<F: Fetch>(
        &mut self,
        web: &Web<F>,
        start: &str,
        walk: &Walk,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<()> {
        let mut from: Option<Live> = None;
        let mut asked = start.to_owned();
        let mut been = std::collections::HashSet::new();
        while been.insert(without_fragment(&asked)) && !self.is_over(walk) {
            let Some(stop) = self.visit(web, vec![asked.clone()], from.as_ref(), walk, tell)?.pop() else {
                return Ok(());
            };
            let Some(live) = stop.live else { return Ok(()) };
            let mut links: Vec<String> = Vec::new();
            for query in &walk.follow {
                for link in links_of(&live, query) {
                    let link = without_fragment(&link);
                    if !links.contains(&link) {
                        links.push(link);
                    }
                }
            }
            self.visit(web, links, Some(&live), walk, tell)?;
            let next = walk
                .next
                .as_ref()
                .and_then(|query| links_of(&live, query).into_iter().next());
            let Some(next) = next else { return Ok(()) };
            asked = next;
            from = Some(live);
        }
        Ok(())
    }

    fn is_over(&self, walk: &Walk) -> bool {
        let stopped = walk.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || walk.max_pages.is_some_and(|most| self.saved >= most)
    }

    /// Saves pages, in their order, and gives them.
    fn visit<F: Fetch>(
        &mut self,
        web: &Web<F>,
        mut asked: Vec<String>,
        from: Option<&Live>,
        walk: &Walk,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<Vec<Stop>> {
        let mut stops = Vec::new();
        if let Some(most) = walk.max_pages {
            asked.truncate(most.saturating_sub(self.saved));
        }
        let known: HashMap<String, Entry> = asked
            .iter()
            .filter_map(|url| Some((url.clone(), self.known.get(&without_fragment(url))?.clone())))
            .collect();
        let is_stopped = || walk.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let fetch = |url: &String| {
            if known.contains_key(url) || is_stopped() {
                return None;
            }
            let fetched = web.get(url, from, &Options::default());
            Some(fetched.and_then(|fetched| web.read(&fetched).map(|live| (fetched, live))))
        };
        let mut at = 0;
        let mut result = Ok(());
        map_in_order(&asked, walk.jobs.max(1), fetch, |answer| {
            let url = &asked[at];
            at += 1;
            let step = match answer {
                None => known.get(url).map(|entry| self.recall(entry, tell)),
                Some(Err(error)) => {
                    tell(Step::Failed(&error));
                    return true;
                }
                Some(Ok((fetched, live))) => Some(self.keep(url, &fetched, live, from, tell)),
            };
            match step {
                None => false,
                Some(Ok(stop)) => {
                    stops.push(stop);
                    true
                }
                Some(Err(error)) => {
                    result = Err(error);
                    false
                }
            }
        });
        result.map(|()| stops)
    }

    /// A page that was saved before.
    fn recall(&self, entry: &Entry, tell: &mut dyn FnMut(Step<'_>)) -> io::Result<Stop> {
        let bytes = fs::read(self.folder.join(&entry.file))?;
        tell(Step::Saved {
            url: &entry.url,
            file: &entry.file,
            known: true,
        });
        let settings = page::Settings {
            charset: entry.charset.clone(),
            ..page::Settings::default()
        };
        let page = Page::parse(&bytes, &settings).ok();
        Ok(Stop {
            live: page.map(|page| Live::new(Arc::new(page), entry.url.as_str())),
        })
    }

    /// Saves a page and adds its line to the manifest.
    fn keep(
        &mut self,
        asked: &str,
        fetched: &Fetched,
        live: Live,
        from: Option<&Live>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<Stop> {
        self.saved += 1;
        let file = format!("{:05}-{}.html", self.saved, slug(&fetched.url));
        let temporary = self.folder.join(format!("{file}.part"));
        fs::write(&temporary, &fetched.body)?;
        fs::rename(&temporary, self.folder.join(&file))?;
        let content_type = fetched.header("content-type");
        let charset = content_type.and_then(browse::charset).map(str::to_owned);
        let asked = without_fragment(asked);
        let line = json!({
            "file": file,
            "url": fetched.url,
            "asked": asked,
            "content_type": content_type,
            "charset": charset,
            "bytes": fetched.body.len(),
            "from": from.map(|live| live.url.to_string()),
        });
        self.manifest.write_all(format!("{line}\n").as_bytes())?;
        tell(Step::Saved {
            url: &fetched.url,
            file: &file,
            known: false,
        });
        let entry = Entry {
            file,
            url: fetched.url.clone(),
            charset,
        };
        self.known.insert(asked, entry);
        Ok(Stop { live: Some(live) })
    }
}

fn entry(line: &str) -> Option<(String, Entry)> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| line.get(key)?.as_str().map(str::to_owned);
    let file = text("file")?;
    // A manifest that was written elsewhere must not lead out of its directory.
    if Path::new(&file).file_name()? != file.as_str() {
        return None;
    }
    let entry = Entry {
        file,
        url: text("url")?,
        charset: text("charset"),
    };
    Some((text("asked").unwrap_or_else(|| entry.url.clone()), entry))
}

/// The addresses that an expression leads to: values of attributes, the links of elements, or text.
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
    let base = Url::parse(&live.url).ok();
    let base = base.map(|url| {
        page.base_href()
            .and_then(|href| url.join(href.trim()).ok())
            .unwrap_or(url)
    });
    let absolute = |link: String| match &base {
        Some(base) => base.join(link.trim()).ok().map(String::from),
        None => Some(link),
    };
    let written = written.into_iter().filter(|link| !link.trim().is_empty());
    written.filter_map(absolute).collect()
}

fn without_fragment(url: &str) -> String {
    url.split('#').next().unwrap_or_default().to_owned()
}

/// The last part of an address, as a name that any file system takes.
fn slug(url: &str) -> String {
    let path = Url::parse(url).map(|url| {
        let query = url.query().map(|query| format!("-{query}")).unwrap_or_default();
        let mut parts = url
            .path_segments()
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty());
        format!("{}{query}", parts.next_back().or(url.host_str()).unwrap_or("page"))
    });
    let plain: String = path
        .unwrap_or_default()
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let mut slug = words.join("-");
    slug.truncate(60);
    match slug.strip_suffix("-html").or(slug.strip_suffix("-htm")) {
        Some(bare) => bare.to_owned(),
        None if slug.is_empty() => "page".to_owned(),
        None => slug,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        for (url, expected) in [
            ("http://a.test/", "a-test"),
            ("http://a.test/shop/Item%207.html", "item-207"),
            ("http://a.test/list?page=2&q=ä", "list-page-2-q-c3-a4"),
            ("http://a.test/../../etc/passwd", "passwd"),
            ("no address", "page"),
        ] {
            assert_eq!(slug(url), expected, "{url}");
        }
    }

    #[test]
    fn a_manifest_does_not_lead_out_of_its_directory() {
        assert!(entry(r#"{"file":"00001-a.html","url":"http://a/"}"#).is_some());
        for line in [
            r#"{"file":"../x","url":"http://a/"}"#,
            r#"{"file":"/etc/passwd","url":"http://a/"}"#,
            "{}",
            "x",
        ] {
            assert!(entry(line).is_none(), "{line}");
        }
    }
}
