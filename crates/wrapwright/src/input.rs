//! Pages as users name them: files, directories, WARC files, addresses, lists of these, `-` for standard input.
//!
//! [`find`] turns arguments into a list of places and reports missing ones at once; [`Place::read`] reads a place and
//! parses it. Directories are walked in sorted order, so a run over them is repeatable. Links are followed only to
//! files, so that a cycle of directories cannot cause an endless walk. A WARC file means the pages in it, in its order.
//! `@urls.txt` means what its lines name, and `@shops.csv#url` what is in that column of a table. Addresses need somebody who
//! opens them, see `find_with`; the page is fetched when it is read.
//!
//! A charset that is declared beside a page (in the header of an archived response, or in the manifest of a directory
//! of saved pages) is treated like the header of a server, unless [`ParseSettings::charset`] overrides it.

mod find;

pub use crate::archived::Archived;
use crate::archived::Unread;
#[cfg(feature = "http")]
use crate::visit::Visitor;
use crate::{Document, DriverError, LimitError, Page, ParseSettings, Remedy};
use browse::warc::Fault;
#[cfg(feature = "http")]
pub use find::find_with;
pub use find::{expand, find, is_address, lines};
use page::Markup;
#[cfg(feature = "http")]
use page::driver::Options;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;
#[cfg(feature = "http")]
use std::sync::Arc;

/// Where a page is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file.
    File(PathBuf),
    /// A file that is listed in a manifest.
    Listed {
        /// The file.
        path: PathBuf,
        /// The address it was fetched from.
        url: String,
        /// The charset that the manifest gives.
        charset: Option<String>,
        /// What the manifest says that it is.
        markup: Markup,
    },
    /// A page in a WARC file.
    Archived(Archived),
    /// A page on the web, which is fetched when it is read.
    #[cfg(feature = "http")]
    Remote(Remote),
    /// Standard input.
    Stdin,
}

/// A page on the web.
#[cfg(feature = "http")]
#[derive(Clone)]
pub struct Remote {
    url: String,
    visitor: Arc<dyn Visitor>,
}

#[cfg(feature = "http")]
impl PartialEq for Remote {
    fn eq(&self, other: &Remote) -> bool {
        self.url == other.url
    }
}

#[cfg(feature = "http")]
impl Eq for Remote {}

#[cfg(feature = "http")]
impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Remote").field(&self.url).finish()
    }
}

/// The places that are in a shard, by their names, or by the hosts that they come from; all of them without a shard.
pub fn of_shard(places: Vec<Place>, shard: Option<&crate::Shard>) -> Vec<Place> {
    let takes = |place: &Place| {
        shard.is_none_or(|shard| match place.url().filter(|_| shard.is_by_host()) {
            Some(url) => shard.takes(url),
            None => shard.takes(&place.to_string()),
        })
    };
    places.into_iter().filter(takes).collect()
}

/// The decoded source of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The text.
    pub text: String,
    /// What came with it about its markup.
    pub markup: Markup,
    /// The address that it was fetched from, if known.
    pub url: Option<String>,
}

/// Why a page could not be read.
#[derive(Debug)]
pub struct InputError {
    /// The file or argument in question.
    pub place: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with an input.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// No such file or directory.
    Missing,
    /// A directory without a page in it.
    NoPages,
    /// A WARC file without a page in it.
    NoArchivedPages,
    /// A part of a WARC file that cannot be used.
    Archive(Fault),
    /// The number of further places in a WARC file that cannot be used.
    ArchiveFurther(usize),
    /// An archived page whose body cannot be read.
    Body(browse::BodyError),
    /// The number of a line of a manifest, from 1, and what is wrong in it.
    Manifest(usize, Box<dyn std::error::Error + Send + Sync>),
    /// A URL, where pages are read from files only.
    Url,
    /// The page could not be fetched.
    Fetch(DriverError),
    /// The file of a list does not have a column of this name.
    NoColumn(String),
    /// The file of a list is not a table.
    Table(crate::TableError),
    /// Not text; the string says what it looks like instead.
    Binary(&'static str),
    /// The page exceeds a limit.
    Limit(LimitError),
    /// An error of the operating system.
    Io(io::Error),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match &self.problem {
            Problem::Missing => write!(f, "{place}: no such file or directory"),
            Problem::NoPages => write!(
                f,
                "{place}: found no page, expected files ending in .htm or .html in this directory"
            ),
            Problem::NoArchivedPages => write!(
                f,
                "{place}: found no page, expected answers of type text/html in this WARC file"
            ),
            Problem::Archive(fault) => write!(f, "{place}: {fault}"),
            Problem::ArchiveFurther(count) => write!(f, "{place}: {count} more places cannot be read"),
            Problem::Body(error) => write!(f, "{place}: {error}"),
            Problem::Manifest(line, reason) => write!(f, "{place}: line {line}: {reason}"),
            Problem::Url => write!(f, "{place}: found a URL, expected a file or directory"),
            Problem::Fetch(error) if error.message.contains(place.as_str()) => error.fmt(f),
            Problem::Fetch(error) => write!(f, "{place}: {error}"),
            Problem::NoColumn(name) => write!(f, "{place}: found no column {name:?}"),
            Problem::Table(error) => write!(f, "{place}: {error}"),
            Problem::Binary(what) => write!(f, "{place}: found {what}, expected an HTML page"),
            Problem::Limit(error) => write!(f, "{place}: {error}"),
            Problem::Io(error) => write!(f, "{place}: {error}"),
        }
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Archive(fault) => Some(fault),
            Problem::Body(error) => Some(error),
            Problem::Manifest(_, error) => Some(&**error),
            Problem::Limit(error) => Some(error),
            Problem::Io(error) => Some(error),
            Problem::Fetch(error) => Some(error),
            Problem::Table(error) => Some(error),
            Problem::Missing
            | Problem::NoPages
            | Problem::NoArchivedPages
            | Problem::ArchiveFurther(_)
            | Problem::Url
            | Problem::NoColumn(_)
            | Problem::Binary(_) => None,
        }
    }
}

impl InputError {
    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match &self.problem {
            Problem::Missing => Some("check the spelling; a directory stands for all pages below it".into()),
            Problem::NoPages => Some("name files with other endings one by one".into()),
            Problem::Archive(_) | Problem::ArchiveFurther(_) => Some("the rest of the file is used".into()),
            Problem::Manifest(..) => Some("the pages that it lists after that line are read without it".into()),
            Problem::Url => Some(Remedy::SavePage),
            Problem::Limit(error) => Some(error.remedy()),
            Problem::Fetch(error) => error.remedy.clone(),
            Problem::NoColumn(_) => Some("the first line of the table names its columns".into()),
            Problem::NoArchivedPages | Problem::Body(_) | Problem::Binary(_) | Problem::Table(_) | Problem::Io(_) => {
                None
            }
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            io::ErrorKind::NotFound => Problem::Missing,
            _ => Problem::Io(error),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) | Place::Listed { path, .. } => path.display().fmt(f),
            Place::Archived(page) => f.write_str(page.url()),
            #[cfg(feature = "http")]
            Place::Remote(remote) => f.write_str(&remote.url),
            Place::Stdin => f.write_str("-"),
        }
    }
}

impl Place {
    /// The address that the page was fetched from, if known.
    pub fn url(&self) -> Option<&str> {
        match self {
            Place::Listed { url, .. } => Some(url),
            Place::Archived(page) => Some(page.url()),
            #[cfg(feature = "http")]
            Place::Remote(remote) => Some(&remote.url),
            Place::File(_) | Place::Stdin => None,
        }
    }

    /// Reads and parses the page.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is not text, or exceeds a limit.
    pub fn read(&self, settings: &ParseSettings) -> Result<Page, InputError> {
        self.parsed(settings).map(|(page, _)| page)
    }

    /// The page, and the address that it came from.
    fn parsed(&self, settings: &ParseSettings) -> Result<(Page, Option<String>), InputError> {
        let Read {
            bytes,
            charset,
            markup,
            url,
        } = self.bytes(settings)?;
        let settings = ParseSettings {
            limits: settings.limits,
            charset,
            markup,
        };
        let page = Page::parse(&bytes, &settings).map_err(|reason| self.error(Problem::Limit(reason)))?;
        Ok((page, url))
    }

    /// Reads the page's source and decodes it, without parsing it: the text to which delimiters are applied.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is not text, or exceeds the limit of bytes.
    pub fn source(&self, settings: &ParseSettings) -> Result<Source, InputError> {
        let Read {
            bytes,
            charset,
            markup,
            url,
        } = self.bytes(settings)?;
        let most = settings.limits.bytes;
        let (text, _) = page::decode(&bytes, charset.as_deref());
        if bytes.len() > most || text.len() > most {
            return Err(self.error(Problem::Limit(LimitError::Bytes(most))));
        }
        Ok(Source {
            text: text.into_owned(),
            markup,
            url,
        })
    }

    /// Reads the page as a document; `with_source` keeps its decoded source, for rules that need it.
    ///
    /// # Errors
    ///
    /// As [`Place::read`].
    pub fn document(&self, settings: &ParseSettings, with_source: bool) -> Result<Document, InputError> {
        let name = self.to_string();
        let (document, url) = match with_source {
            false => {
                let (page, url) = self.parsed(settings)?;
                (Document::new(name, page), url)
            }
            true => {
                let Source { text, markup, url } = self.source(settings)?;
                let settings = ParseSettings {
                    markup,
                    ..settings.clone()
                };
                let document = Document::from_source(name, text, &settings);
                (document.map_err(|reason| self.error(Problem::Limit(reason)))?, url)
            }
        };
        Ok(match url {
            Some(url) => document.fetched_from(url),
            None => document,
        })
    }

    fn error(&self, problem: Problem) -> InputError {
        InputError {
            place: self.to_string(),
            problem,
        }
    }

    /// The page's bytes, its address, and the charset to decode them: the one in the settings, or else the one that came with
    /// the page.
    fn bytes(&self, settings: &ParseSettings) -> Result<Read, InputError> {
        // One byte more than the limit is enough to detect the excess, and no more is ever in memory.
        let most = settings.limits.bytes as u64 + 1;
        let mut bytes = Vec::new();
        let mut told = None;
        let mut markup = Markup::Unknown;
        #[cfg_attr(
            not(feature = "http"),
            expect(unused_mut, reason = "only a page from the network has another address")
        )]
        let mut url = self.url().map(str::to_owned);
        match self {
            #[cfg(feature = "http")]
            Place::Remote(remote) => {
                let visit = remote.visitor.open(&remote.url, None, &Options::default());
                let visit = visit.map_err(|error| self.error(Problem::Fetch(error)))?;
                url = Some(visit.live.url.to_string());
                told = visit.charset().map(str::to_owned);
                markup = visit.content_type.as_deref().map_or(markup, Markup::of_media);
                bytes = visit.body;
                Ok(0)
            }
            Place::Archived(page) => {
                let body = page.read(settings).map_err(|unread| match unread {
                    Unread::Limit(limit) => self.error(Problem::Limit(limit)),
                    // The page's own name is its address; its position in the file is more useful here.
                    Unread::Fault(fault) => InputError {
                        place: page.file().display().to_string(),
                        problem: Problem::Archive(fault),
                    },
                    Unread::Body(body) => InputError {
                        place: format!("{}: at {}: {}", page.file().display(), page.spot(), page.url()),
                        problem: Problem::Body(body),
                    },
                })?;
                (bytes, told, markup) = (body.bytes, body.charset, body.markup);
                Ok(0)
            }
            Place::File(path) | Place::Listed { path, .. } => {
                markup = Markup::of_file(path);
                File::open(path).and_then(|file| {
                    let size = file.metadata().map_or(0, |metadata| metadata.len());
                    bytes.reserve(usize::try_from(size.min(most)).unwrap_or(0));
                    file.take(most).read_to_end(&mut bytes)
                })
            }
            Place::Stdin => io::stdin().lock().take(most).read_to_end(&mut bytes),
        }
        .map_err(|reason| self.error(reason.into()))?;
        if let Some(what) = binary(&bytes) {
            return Err(self.error(Problem::Binary(what)));
        }
        if let Place::Listed {
            charset, markup: named, ..
        } = self
        {
            told.clone_from(charset);
            markup = *named;
        }
        Ok(Read {
            bytes,
            charset: settings.charset.clone().or(told),
            markup,
            url,
        })
    }
}

/// What was read of a page.
struct Read {
    bytes: Vec<u8>,
    charset: Option<String>,
    markup: Markup,
    url: Option<String>,
}

/// What a file that is not text looks like; `None` for text.
pub(crate) fn binary(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 10] = [
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"\xFF\xD8\xFF", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"%PDF-", "a PDF file"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1F\x8B", "a gzip file"),
        (b"\xFD7zXZ\0", "an xz file"),
        (b"\x28\xB5\x2F\xFD", "a zstd file"),
        (b"\x7FELF", "a program"),
        (b"SQLite format 3\0", "an SQLite database"),
    ];
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(what);
    }
    // Text in UTF-16 has many zero bytes, but then it has a byte order mark.
    let marked = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    let start = &bytes[..bytes.len().min(1024)];
    // Bytes that no encoding of text uses. Those that shift between the character sets of ISO 2022 are not among them.
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 0x0B | 0x10..=0x1A | 0x1C..=0x1F | 0x7F);
    let controls = start.iter().filter(is_control).count();
    // A stray zero occurs on real pages; one such byte in twenty does not. Of random bytes it is one in ten.
    (!marked && controls * 20 > start.len()).then_some("a binary file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn binary_files_are_told_from_text() {
        assert_eq!(binary(b"\x89PNG\r\n\x1a\n..."), Some("a PNG image"));
        assert_eq!(binary(b"\0\0\0\x01abc"), Some("a binary file"));
        let mixed: Vec<u8> = (0..=255).cycle().take(4096).collect();
        assert_eq!(binary(&mixed), Some("a binary file"));
        assert_eq!(binary(b"\x1B$B%+%J\x1B(B\r\n\t"), None);
        assert_eq!(binary(b"<html>a stray \0 in the middle of a page</html>"), None);
        assert_eq!(binary(b"\xFF\xFE<\0p\0>\0"), None);
        assert_eq!(binary(b""), None);
    }

    /// Name, address, text.
    type Seen = (String, Option<String>, String);

    /// The pages that an argument names, and the errors.
    fn all(argument: &Path, charset: Option<&str>) -> (Vec<Seen>, Vec<String>) {
        let (places, errors) = find([argument.to_str().unwrap()]);
        let mut errors: Vec<String> = errors.iter().map(InputError::to_string).collect();
        let settings = ParseSettings {
            charset: charset.map(str::to_owned),
            ..ParseSettings::default()
        };
        let mut pages = Vec::new();
        crate::map_in_order(
            &places,
            3,
            |place| (place.to_string(), place.url().map(str::to_owned), place.read(&settings)),
            |(name, url, page)| {
                match page {
                    Ok(page) => pages.push((name, url, page.string_value(page::NodeId::DOCUMENT).to_owned())),
                    Err(error) => errors.push(error.to_string()),
                }
                true
            },
        )
        .unwrap();
        (pages, errors)
    }

    #[test]
    fn manifests_tell_addresses_and_charsets() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(dir.path().join(name), bytes).unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        write("a.html", b"\xE4");
        write("sub/b.html", b"b");
        write("c.html", b"c");
        write(
            "manifest.ndjson",
            b"{\"file\":\"a.html\",\"url\":\"http://a.test/\",\"charset\":\"koi8-r\",\"status\":200}\n\n\
              {\"file\":\"sub/b.html\",\"url\":\"http://a.test/b\"}\n{\"file\":1}\n",
        );
        let (pages, errors) = all(dir.path(), None);
        let name = |name: &str| dir.path().join(name).display().to_string();
        let url = |url: &str| Some(url.to_owned());
        assert_eq!(
            pages,
            [
                (name("a.html"), url("http://a.test/"), "Д".to_owned()),
                (name("c.html"), None, "c".to_owned()),
                (name("sub/b.html"), url("http://a.test/b"), "b".to_owned()),
            ]
        );
        let manifest = name("manifest.ndjson");
        assert_eq!(
            errors,
            [format!(
                "{manifest}: line 4: expected an object with the keys file and url"
            )]
        );
        assert_eq!(
            all(dir.path(), Some("latin1")).0[0].2,
            "ä",
            "the user's word counts more"
        );
    }

    #[test]
    fn archives_are_pages() {
        let record = |fields: &str, block: &[u8]| {
            let head = format!("WARC/1.0\r\n{fields}\r\nContent-Length: {}\r\n\r\n", block.len());
            [head.as_bytes(), block, b"\r\n\r\n"].concat()
        };
        let response = |path: &str, block: &[u8]| {
            record(
                &format!("WARC-Type: response\r\nWARC-Target-URI: http://a.test/{path}"),
                block,
            )
        };
        let bytes = [
            record("WARC-Type: warcinfo", b""),
            response(
                "a",
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n\xE4",
            ),
            response(
                "b",
                b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\nnot this",
            ),
            response("c", b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nnor this"),
            response("d", b"HTTP/1.1 200 OK\r\n\r\n<!DOCTYPE html>this"),
            response("e", b"HTTP/1.1 200 OK\r\n\r\nnot this"),
            response(
                "f",
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\n\r\nxyz",
            ),
            record(
                "WARC-Type: resource\r\nContent-Type: text/html\r\nWARC-Target-URI: file:///x.html",
                b"a file",
            ),
            record(
                "WARC-Type: conversion\r\nContent-Type: text/html\r\nWARC-Target-URI: file:///y.html",
                b"not this",
            ),
            b"WARC/1.0\r\nContent-Le".to_vec(),
        ]
        .concat();
        let dir = tempfile::tempdir().unwrap();
        for name in ["x.warc", "by-its-beginning"] {
            let file = dir.path().join(name);
            fs::write(&file, &bytes).unwrap();
            let (pages, errors) = all(&file, None);
            let row = |url: &str, text: &str| (url.to_owned(), Some(url.to_owned()), text.to_owned());
            assert_eq!(
                pages,
                [
                    row("http://a.test/a", "Д"),
                    row("http://a.test/d", "this"),
                    row("file:///x.html", "a file"),
                ]
            );
            let cut = bytes.len() - b"WARC/1.0\r\nContent-Le".len();
            let place = file.display();
            assert_eq!(errors.len(), 2);
            assert_eq!(
                errors[0],
                format!("{place}: at byte {cut}: the file ends in the middle of a record")
            );
            let body = "http://a.test/f: the body is stored in the coding \"br\", expected gzip, deflate or none";
            assert!(
                errors[1].starts_with(&format!("{place}: at byte ")) && errors[1].ends_with(body),
                "{}",
                errors[1]
            );
            assert_eq!(all(&file, Some("latin1")).0[0].2, "ä", "the user's word counts more");
        }
        let empty = dir.path().join("empty.warc");
        fs::write(&empty, "").unwrap();
        assert!(
            all(&empty, None).1[0].ends_with("found no page, expected answers of type text/html in this WARC file")
        );
    }
}
