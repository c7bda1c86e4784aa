//! The pages that a watch looked at, kept for a person to look at: a directory for each look, the last few.
//!
//! The pages of `site.wrapper.json` are in `site.watched`, each look in a directory named by its time, with a manifest. So the
//! pages can be given to `extract`, `check` and `repair` as they were. Only directories with such names are ever removed.

use crate::save::Album;
use crate::visit::{Visit, Visitor};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many looks are kept if nothing else is said.
pub const KEPT_LOOKS: usize = 7;

/// Saves the pages of a look and removes those of old ones; returns their directory, none if nothing is kept. `when` is the
/// time of the look, as in the history.
///
/// # Errors
///
/// The pages cannot be written.
pub fn keep_pages(
    wrapper: &Path,
    when: &str,
    pages: &[Visit],
    visitor: &Arc<dyn Visitor>,
    keep: usize,
) -> io::Result<Option<PathBuf>> {
    if keep == 0 || pages.is_empty() {
        return Ok(None);
    }
    let folder = crate::history::default_path(wrapper);
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = folder.with_file_name(name.replace(".history.sqlite", ".watched"));
    let mut album = Album::open(&folder.join(when.replace(':', "-")))?;
    for visit in pages {
        album.add(visitor, visit)?;
    }
    let entries = fs::read_dir(&folder)?.filter_map(Result::ok);
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut looks: Vec<String> = names.filter(|name| is_look(name)).collect();
    looks.sort();
    looks.truncate(looks.len().saturating_sub(keep));
    for look in looks {
        fs::remove_dir_all(folder.join(look))?;
    }
    Ok(Some(folder.join(when.replace(':', "-"))))
}

/// Is this the name of a look: `2026-11-16T06-17-00Z`?
fn is_look(name: &str) -> bool {
    const FORM: &[u8] = b"0000-00-00T00-00-00Z";
    name.len() == FORM.len()
        && name.bytes().zip(FORM).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            form => byte == *form,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use browse::Memory;
    use page::driver::Options;

    #[test]
    fn the_last_looks_are_kept() {
        let folder = tempfile::tempdir().expect("a directory");
        let wrapper = folder.path().join("site.wrapper.json");
        let pages = Memory::new([("http://a.test/", "<p>one"), ("http://a.test/2", "<p>two")]);
        let visitor: Arc<dyn Visitor> = Arc::new(pages);
        let open = |url: &str| visitor.open(url, None, &Options::default()).expect("a page");
        let visits = [open("http://a.test/"), open("http://a.test/2")];
        let mine = folder.path().join("site.watched/mine");
        fs::create_dir_all(&mine).expect("a directory");
        for day in 1..=4 {
            let when = format!("2026-11-0{day}T06:17:00Z");
            let kept = keep_pages(&wrapper, &when, &visits, &visitor, 2).expect("written");
            assert_eq!(
                kept,
                Some(folder.path().join(format!("site.watched/2026-11-0{day}T06-17-00Z")))
            );
        }
        let mut left: Vec<String> = fs::read_dir(folder.path().join("site.watched"))
            .expect("a directory")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        left.sort();
        assert_eq!(left, ["2026-11-03T06-17-00Z", "2026-11-04T06-17-00Z", "mine"]);
        let saved = folder.path().join("site.watched/2026-11-04T06-17-00Z");
        let (places, errors) = crate::input::find([saved.to_str().expect("UTF-8")]);
        assert!(errors.is_empty());
        let urls: Vec<Option<&str>> = places.iter().map(crate::input::Place::url).collect();
        assert_eq!(urls, [Some("http://a.test/"), Some("http://a.test/2")]);
        assert_eq!(keep_pages(&wrapper, "x", &visits, &visitor, 0).expect("nothing"), None);
    }
}
