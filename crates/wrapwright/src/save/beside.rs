//! The pages that a wrapper was made or saved with, kept beside it, so that a person can compare them with later ones.
//!
//! The pages of `site.wrapper.json` are in `site.pages`, with a manifest. Each time they are kept, the directory is brought up
//! to date: pages that are no longer among them are removed, other files are left alone. Only pages from an address are kept;
//! saved files are there already.

use super::{MANIFEST, slug};
use crate::crawl::without_login;
use crate::{Document, NodeId, whole};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The directory for the pages of a wrapper: `site.pages` beside `site.wrapper.json`.
///
/// ```
/// use std::path::Path;
/// use wrapwright::save::pages_beside;
/// assert_eq!(pages_beside(Path::new("a/site.wrapper.json")), Path::new("a/site.pages"));
/// ```
pub fn pages_beside(wrapper: &Path) -> PathBuf {
    let name = wrapper.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name
        .strip_suffix(".wrapper.json")
        .or_else(|| name.strip_suffix(".json"));
    let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or(&name);
    wrapper.with_file_name(format!("{stem}.pages"))
}

/// Writes the pages of documents that have an address into a directory, with a manifest; returns how many there are.
///
/// The text is written as UTF-8. A page without its source is written as the tree that was read.
///
/// # Errors
///
/// The directory cannot be written to.
pub fn keep_documents(folder: &Path, documents: &[Document]) -> io::Result<usize> {
    let named = documents
        .iter()
        .filter_map(|document| Some((document.url.as_deref()?, document)));
    let named: Vec<(&str, &Document)> = named.collect();
    if named.is_empty() {
        return Ok(0);
    }
    fs::create_dir_all(folder)?;
    let old = listed(folder);
    let mut lines = String::new();
    let mut written = HashSet::new();
    for (number, (url, document)) in named.iter().enumerate() {
        let file = format!("{:05}-{}.html", number + 1, slug(url));
        let made;
        let text = match &document.source {
            Some(source) => &**source,
            None => {
                made = document.page.to_html(NodeId::DOCUMENT);
                &made
            }
        };
        whole::write(&folder.join(&file), text.as_bytes())?;
        let line = json!({ "file": file, "url": without_login(url), "charset": "utf-8", "bytes": text.len() });
        lines += &format!("{line}\n");
        written.insert(file);
    }
    whole::write(&folder.join(MANIFEST), lines.as_bytes())?;
    // After the new manifest: whatever ends this, no line names a file that is missing.
    for file in old.iter().filter(|file| !written.contains(*file)) {
        let _ = fs::remove_file(folder.join(file));
    }
    Ok(named.len())
}

/// The files that a manifest of ours names.
fn listed(folder: &Path) -> Vec<String> {
    let text = crate::bounded::read_text(&folder.join(MANIFEST), crate::bounded::LONGEST_LIST).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let files = lines.filter_map(|line| Some(line.get("file")?.as_str()?.to_owned()));
    let is_ours = |file: &String| {
        let (digits, rest) = file.split_at_checked(5).unwrap_or_default();
        digits.bytes().all(|byte| byte.is_ascii_digit()) && rest.ends_with(".html") && !rest.contains(['/', '\\'])
    };
    files.filter(is_ours).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParseSettings, input};

    #[test]
    fn pages_are_kept_with_their_addresses_and_brought_up_to_date() {
        let folder = tempfile::tempdir().expect("a directory");
        let pages = folder.path().join("site.pages");
        let page = |url: &str, html: &str| {
            let document = Document::from_source(url, html, &ParseSettings::default()).expect("a page");
            Document {
                url: Some(url.into()),
                ..document
            }
        };
        let file = Document::from_source("a.html", "<p>file", &ParseSettings::default()).expect("a page");
        let first = [
            page("http://me:pw@a.test/1", "<p>é</p>"),
            page("http://a.test/2", "two"),
            file,
        ];
        assert_eq!(keep_documents(&pages, &first).expect("kept"), 2);
        fs::write(pages.join("own.txt"), "mine").expect("a file");
        let (places, errors) = input::find([pages.display().to_string().as_str()]);
        assert!(errors.is_empty());
        let found: Vec<Document> = places
            .iter()
            .map(|place| place.document(&ParseSettings::default(), false).expect("a page"))
            .collect();
        assert_eq!(found[0].page.text(), "é");
        assert_eq!(places[0].url(), Some("http://a.test/1"), "without the login");
        assert_eq!(keep_documents(&pages, &first[1..2]).expect("kept"), 1);
        let mut names: Vec<String> = fs::read_dir(&pages)
            .expect("files")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, ["00001-2.html", "manifest.ndjson", "own.txt"]);
    }
}
