//! Files that are read whole, up to a limit: anybody may name a device that never ends, or a file of a terabyte.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of a list that grows with the number of pages: addresses, rows of values, pages that were saved.
pub const LONGEST_LIST: u64 = 256 << 20;

/// The bytes of a file.
///
/// # Errors
///
/// It cannot be read, or has more than `most` bytes. The latter is [`io::ErrorKind::FileTooLarge`], and names the limit.
///
/// ```
/// use wrapwright::bounded;
/// # let file = tempfile::NamedTempFile::new()?;
/// # let path = file.path();
/// std::fs::write(path, "four")?;
/// assert_eq!(bounded::read(path, 4)?, b"four");
/// let error = bounded::read(path, 3).unwrap_err();
/// assert_eq!(error.to_string(), "found more than 3 bytes, which is too large to be read");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_from(File::open(path)?, most)
}

/// What a reader gives to its end; see [`read`].
///
/// # Errors
///
/// As for [`read`].
pub fn read_from(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => {
            let text = format!("found more than {most} bytes, which is too large to be read");
            Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
        }
        false => Ok(bytes),
    }
}

/// The text of a file; see [`read`].
///
/// # Errors
///
/// As for [`read`], and [`io::ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text(read(path, most)?)
}

/// Bytes that must be UTF-8.
///
/// # Errors
///
/// [`io::ErrorKind::InvalidData`] if they are not.
pub fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}
