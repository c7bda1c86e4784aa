//! What is known about saved pages besides their text: `manifest.ndjson`.
//!
//! Each line is an object about one page: `file`, relative to the manifest; `url`, where it was fetched; `charset`,
//! if the server named one; and `content_type`, the media type. Without the charset, a page that does not name it itself
//! might be decoded wrongly, and without the media type XML might be read as HTML. Other keys are ignored.

use page::Markup;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The name of the manifest in a directory.
pub(crate) const NAME: &str = "manifest.ndjson";

/// A longer line is an error.
const LONGEST: u64 = 1 << 20;

/// What is known about a saved page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) url: String,
    pub(crate) charset: Option<String>,
    pub(crate) markup: Markup,
}

/// What can be wrong with a manifest.
pub(crate) enum Unread {
    /// The number of the line that is wrong, and the reason.
    Line(usize, Box<dyn std::error::Error + Send + Sync>),
    Io(io::Error),
}

/// Reads a manifest; paths are relative to the manifest's directory.
pub(crate) fn read(path: &Path, known: &mut BTreeMap<PathBuf, Known>) -> Result<(), Unread> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut lines = BufReader::new(File::open(path).map_err(Unread::Io)?);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let count = lines
            .by_ref()
            .take(LONGEST)
            .read_until(b'\n', &mut line)
            .map_err(Unread::Io)?;
        if count == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let value: serde_json::Value =
            serde_json::from_slice(&line).map_err(|error| Unread::Line(number, error.into()))?;
        let text = |key: &str| value.get(key).and_then(|value| value.as_str()).map(str::to_owned);
        let (Some(file), Some(url)) = (text("file"), text("url")) else {
            let reason = "expected an object with the keys file and url";
            return Err(Unread::Line(number, reason.into()));
        };
        let charset = text("charset");
        let markup = text("content_type").map_or(Markup::Unknown, |media| Markup::of_media(&media));
        known.insert(folder.join(file), Known { url, charset, markup });
    }
    Ok(())
}
