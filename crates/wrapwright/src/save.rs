//! Saving pages to a directory, with a manifest that says what came from where.
//!
//! A walk goes along a [`Route`]: from page to page of a list, and from each of them to the pages that it links to. Bytes are
//! saved as they were received, because the detected encoding may change; a page that a browser made is saved as it is after its
//! scripts. What the server declared is in the manifest,
//! `manifest.ndjson`, one line for each page:
//! `{"file":…,"url":…,"asked":…,"charset":…,"content_type":…,"bytes":…,"from":…,"private":…}`. Logins are not written.
//!
//! A page's line is written after its file, so whatever ends a walk, the manifest names only complete files. A walk
//! into a directory that has a manifest continues where the earlier one ended: a page that is already saved is read
//! from the directory and not requested again, unless lists are to be ([`Walk::refresh`]), whether that address was requested or was the target of a redirect. Its
//! links are treated as if it had just been fetched: the sites that the user names are named again, and a page whose
//! host had a private address may lead to such addresses (`private`), as far as the manifest can be trusted.

mod beside;

pub use crate::crawl::{Follow, Next};
use crate::crawl::{Route, Stop, plain, without_login};
use crate::errand::map_until;
use crate::visit::{Visit, Visitor};
use crate::{bounded, crawl, whole};
use page::driver::{DriverError, FailureKind, Live, Options};
use page::{Job, Markup, Page};
use serde_json::json;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use url::Url;

pub use beside::{keep_documents, pages_beside};

/// The manifest's name in its directory.
pub const MANIFEST: &str = "manifest.ndjson";

/// What to save besides the pages that are named.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// The way through the site.
    pub route: Route,
    /// How many pages to fetch at once.
    pub jobs: usize,
    /// The most pages to save in the directory.
    pub max_pages: Option<usize>,
    /// Stop at this time.
    pub deadline: Option<Instant>,
    /// Request pages of the list again, because lists change? If one has changed, its file is replaced, and the manifest has
    /// another line for it, which counts. Pages that it links to are kept.
    pub refresh: bool,
}

fn is_stopped(job: &Job, deadline: Option<Instant>) -> bool {
    job.is_stopped() || deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// A report from a walk.
#[derive(Debug)]
pub enum Step<'a> {
    /// A page was saved, or had been saved before.
    Saved {
        /// Its address.
        url: &'a str,
        /// Its file.
        file: &'a str,
        /// Had it been saved before?
        known: bool,
    },
    /// A page could not be fetched.
    Failed(&'a DriverError),
}

/// Does a file have these bytes?
fn is_same(path: &Path, bytes: &[u8]) -> bool {
    let about = fs::metadata(path);
    about.is_ok_and(|about| about.len() == bytes.len() as u64) && fs::read(path).is_ok_and(|found| found == bytes)
}

/// A directory of saved pages.
pub struct Album {
    folder: PathBuf,
    manifest: File,
    entries: Vec<Entry>,
    /// Entries by the addresses that were requested, and by those that responded.
    known: HashMap<String, usize>,
    /// The number of the last file.
    last: usize,
}

#[derive(Clone)]
struct Entry {
    file: String,
    url: String,
    asked: String,
    charset: Option<String>,
    markup: Markup,
    /// Did its host have a private address, so that it may lead to others there?
    private: bool,
}

impl Album {
    /// Opens a directory, or creates one.
    ///
    /// # Errors
    ///
    /// If it cannot be written to, or its manifest is not valid.
    pub fn open(folder: &Path) -> io::Result<Album> {
        fs::create_dir_all(folder)?;
        whole::sweep(folder, is_temporary);
        let path = folder.join(MANIFEST);
        let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, format!("{}{why}", path.display()));
        let text = match bounded::read(&path, bounded::LONGEST_LIST) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| wrong(": found bytes that are not UTF-8".to_owned()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        // An incomplete last line is ignored.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut entries = Vec::new();
        let mut last = 0;
        for (at, line) in text[..whole].lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let entry =
                entry(line).ok_or_else(|| wrong(format!(", line {}: this is not a line of a manifest", at + 1)))?;
            let digits = entry.file.split('-').next().unwrap_or_default();
            last = last.max(digits.parse().unwrap_or(0)).max(at + 1);
            entries.push(entry);
        }
        let manifest = OpenOptions::new().create(true).append(true).open(&path)?;
        manifest.set_len(whole as u64)?;
        let mut album = Album {
            folder: folder.to_owned(),
            manifest,
            entries: Vec::new(),
            known: HashMap::new(),
            last,
        };
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for entry in entries {
            // A page that was fetched again has several lines, and the last one counts.
            if let Some(number) = numbers.get(&entry.file) {
                album.entries[*number] = entry;
                continue;
            }
            // A missing file is fetched again.
            if album.folder.join(&entry.file).is_file() {
                numbers.insert(entry.file.clone(), album.entries.len());
                album.know(entry);
            }
        }
        Ok(album)
    }

    fn know(&mut self, entry: Entry) {
        let number = self.entries.len();
        self.known.entry(plain(&entry.url)).or_insert(number);
        self.known.insert(plain(&entry.asked), number);
        self.entries.push(entry);
    }

    /// Saves the page at an address and those that the walk leads to.
    ///
    /// # Errors
    ///
    /// If the directory cannot be written to. A page that cannot be fetched is reported to `tell`, and the walk
    /// continues.
    pub fn walk(
        &mut self,
        visitor: &Arc<dyn Visitor>,
        start: &str,
        walk: &Walk,
        tell: &mut dyn FnMut(Step<'_>),
        job: &Job,
    ) -> io::Result<()> {
        // Also if the page itself is already saved: its links still lead to the user's site.
        visitor.name(start);
        let most = walk.max_pages;
        let count = std::cell::Cell::new(self.entries.len());
        let is_over = || is_stopped(job, walk.deadline) || most.is_some_and(|most| count.get() >= most);
        crawl::walk(start, &walk.route, &is_over, &mut |stop| {
            let pages = self.visit(visitor, stop, walk, tell, job);
            count.set(self.entries.len());
            pages
        })
    }

    /// Saves a page that was opened, unless it was saved before.
    ///
    /// # Errors
    ///
    /// If the directory cannot be written to.
    pub fn add(&mut self, visitor: &Arc<dyn Visitor>, visit: &Visit) -> io::Result<()> {
        match self.known.contains_key(&plain(&visit.live.url)) {
            true => Ok(()),
            false => self.keep(visitor, &visit.live.url, visit, None, &mut |_| {}),
        }
    }

    /// Saves pages, in their order, and returns them.
    fn visit(
        &mut self,
        visitor: &Arc<dyn Visitor>,
        stop: Stop<'_>,
        walk: &Walk,
        tell: &mut dyn FnMut(Step<'_>),
        job: &Job,
    ) -> io::Result<Vec<Live>> {
        let mut room = walk
            .max_pages
            .map_or(usize::MAX, |most| most.saturating_sub(self.entries.len()));
        // Pages that are already saved cost no request.
        let from = stop.from;
        let urls = stop.urls.into_iter();
        let again = walk.refresh && !stop.is_detail;
        let errands: Vec<(String, bool)> = urls
            .map(|url| {
                let known = self.known.contains_key(&plain(&url));
                (url, known)
            })
            .filter(|(_, known)| {
                let fits = *known || room > 0;
                room = room.saturating_sub(usize::from(!known));
                fits
            })
            .map(|(url, known)| (url, known && !again))
            .collect();
        let fetch = {
            let (visitor, from) = (Arc::clone(visitor), from.cloned());
            let options = Options {
                deadline: walk.deadline,
                ..Options::default()
            };
            let job = job.clone();
            move |(url, known): &(String, bool)| {
                if *known || is_stopped(&job, options.deadline) {
                    return None;
                }
                Some(visitor.open(url, from.as_ref(), &options))
            }
        };
        let mut stops = Vec::new();
        let mut result = Ok(());
        let is_over = || is_stopped(job, walk.deadline);
        let mapped = map_until(errands.clone(), walk.jobs.max(1), fetch, &is_over, |at, answer| {
            let url = &errands[at].0;
            let broken = || DriverError::new(FailureKind::Other, format!("{}: the driver broke down", plain(url)));
            let live = match answer.unwrap_or_else(|| Some(Err(broken()))) {
                None => match self.known.get(&plain(url)).map(|number| &self.entries[*number]) {
                    Some(entry) => self.recall(visitor, entry, tell),
                    None => return false,
                },
                // A fetch that the end of the walk interrupted is not a failure.
                Some(Err(_)) if is_over() => return false,
                Some(Err(error)) => match self.known.get(&plain(url)).map(|number| &self.entries[*number]) {
                    // The page of before still leads on.
                    Some(entry) => {
                        tell(Step::Failed(&error));
                        self.recall(visitor, entry, tell)
                    }
                    None => Err(error),
                },
                Some(Ok(visit)) => match self.keep(visitor, url, &visit, from, tell) {
                    Ok(()) => Ok(visit.live),
                    Err(error) => {
                        result = Err(error);
                        return false;
                    }
                },
            };
            match live {
                Ok(live) => stops.push(live),
                Err(error) => tell(Step::Failed(&error)),
            }
            true
        });
        mapped?;
        result.map(|()| stops)
    }

    /// A page that was saved before.
    fn recall(
        &self,
        visitor: &Arc<dyn Visitor>,
        entry: &Entry,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> Result<Live, DriverError> {
        let path = self.folder.join(&entry.file);
        let failed = |kind, why: &dyn std::fmt::Display| {
            let message = format!("{}, which was saved before, cannot be read: {why}", path.display());
            DriverError::new(kind, message)
        };
        let limits = visitor.limits();
        // A page that is too large is refused with the limit on pages.
        let most = (limits.bytes as u64).saturating_add(1);
        let mut bytes = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(most).read_to_end(&mut bytes))
            .map_err(|error| failed(FailureKind::Other, &error))?;
        let settings = page::ParseSettings {
            charset: entry.charset.clone(),
            markup: entry.markup,
            limits,
        };
        let page = Page::parse(&bytes, &settings).map_err(|error| failed(FailureKind::TooLarge, &error))?;
        if entry.private {
            visitor.set_private(&entry.url);
        }
        tell(Step::Saved {
            url: &entry.url,
            file: &entry.file,
            known: true,
        });
        Ok(Live::new(Arc::new(page), entry.url.as_str()))
    }

    /// Saves a page and adds its line to the manifest.
    fn keep(
        &mut self,
        visitor: &Arc<dyn Visitor>,
        asked: &str,
        visit: &Visit,
        from: Option<&Live>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<()> {
        let number = self.known.get(&plain(asked)).copied();
        let before = number.map(|number| &self.entries[number]);
        if let Some(entry) = before
            && is_same(&self.folder.join(&entry.file), &visit.body)
        {
            tell(Step::Saved {
                url: &entry.url,
                file: &entry.file,
                known: true,
            });
            return Ok(());
        }
        let file = match before {
            Some(entry) => entry.file.clone(),
            None => {
                self.last += 1;
                format!("{:05}-{}.html", self.last, slug(&visit.live.url))
            }
        };
        let temporary = self.folder.join(format!("{file}.part"));
        // Locked while it is written, so that nobody takes it for one that was left.
        let mut written = File::create(&temporary)?;
        let _ = written.try_lock();
        written.write_all(&visit.body)?;
        fs::rename(&temporary, self.folder.join(&file))?;
        let entry = Entry {
            file,
            url: without_login(&visit.live.url),
            asked: plain(asked),
            charset: visit.charset().map(str::to_owned),
            markup: visit.content_type.as_deref().map_or(Markup::Unknown, Markup::of_media),
            private: visitor.was_private(&visit.live.url),
        };
        let line = json!({
            "file": entry.file,
            "url": entry.url,
            "asked": entry.asked,
            "content_type": visit.content_type,
            "charset": entry.charset,
            "bytes": visit.body.len(),
            "from": from.map(|live| without_login(&live.url)),
            "private": entry.private,
        });
        self.manifest.write_all(format!("{line}\n").as_bytes())?;
        tell(Step::Saved {
            url: &entry.url,
            file: &entry.file,
            known: false,
        });
        match number {
            Some(number) => self.entries[number] = entry,
            None => self.know(entry),
        }
        Ok(())
    }
}

/// Is this the name of a page that is being saved: `00012-shop.html.part`?
fn is_temporary(name: &str) -> bool {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    digits >= 5 && name[digits..].starts_with('-') && name.ends_with(".html.part")
}

fn entry(line: &str) -> Option<Entry> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| line.get(key)?.as_str().map(str::to_owned);
    let file = text("file")?;
    // A manifest that was written elsewhere must not refer to files outside its directory.
    if Path::new(&file).file_name()? != file.as_str() {
        return None;
    }
    let url = text("url")?;
    Some(Entry {
        file,
        asked: text("asked").unwrap_or_else(|| url.clone()),
        url,
        charset: text("charset"),
        markup: text("content_type").map_or(Markup::Unknown, |media| Markup::of_media(&media)),
        private: line.get("private").and_then(serde_json::Value::as_bool) == Some(true),
    })
}

/// The last part of an address, as a name that is valid on every file system.
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
    use browse::{Budget, Fetch, HttpSettings, Request, Response, Web};
    use oxpath::Query;

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

    /// A host with a private address, whose page leads to another such host.
    struct Inside;

    impl Fetch for Inside {
        fn fetch(&self, _: &Request, _: &Budget) -> Result<Response, DriverError> {
            let mut page = Response::html("<a href='http://10.0.0.2/'>there</a>");
            page.remote = Some([10, 0, 0, 1].into());
            Ok(page)
        }
    }

    #[test]
    fn a_page_from_inside_leads_inside_also_when_it_was_saved_before() {
        let folder = tempfile::tempdir().expect("a directory");
        let links = Follow::Path(Box::new(Query::compile("//a").expect("a valid expression")));
        let mut told = Vec::new();
        for follow in [vec![], vec![links]] {
            let web: Arc<dyn Visitor> = Arc::new(Web::over(Inside, HttpSettings::offline()));
            let walk = Walk {
                route: Route::new(None, follow),
                ..Walk::default()
            };
            let mut album = Album::open(folder.path()).expect("a directory");
            let mut tell = |step: Step<'_>| {
                told.push(match step {
                    Step::Saved { url, known, .. } => format!("{url} {known}"),
                    Step::Failed(error) => error.to_string(),
                });
            };
            album
                .walk(&web, "http://a.test/", &walk, &mut tell, &Job::new())
                .expect("a directory");
        }
        assert_eq!(
            told,
            ["http://a.test/ false", "http://a.test/ true", "http://10.0.0.2/ false"]
        );
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
