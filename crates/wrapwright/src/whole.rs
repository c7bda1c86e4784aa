//! Files that appear whole or not at all, and records that are written whole or not at all.
//!
//! A file is written under a temporary name next to its target and renamed when it is complete. Links are followed, so a link
//! stays a link. A pipe or a device, such as `/dev/null`, cannot be replaced and is written to directly. A record is written
//! in one piece; if the disk fills up in the middle of it, the part that was written is cut off again. So the disk always
//! contains whole records.
//!
//! A process that is killed leaves its temporary file. The next one that writes to the same target removes it. While a file is
//! written it is locked, and the system releases a lock when its process ends, however that happens. So a file with a
//! temporary name whose lock can be had belongs to nobody. Process ids would tell less: they are used again, and mean nothing
//! in another container. What a user was told to look at ([`Whole::keep`]) has a name of another kind, `….part`, and stays.
//!
//! [`save_wrapper`] and [`replace_wrapper`] write wrappers in this way.

use crate::Wrapper;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that is being written; it is removed if it is dropped before [`Whole::finish`] or [`Whole::keep`].
///
/// ```
/// use std::io::Write;
/// use wrapwright::whole::Whole;
///
/// let folder = tempfile::tempdir()?;
/// let target = folder.path().join("records.ndjson");
/// let mut file = Whole::create(&target)?;
/// file.write_all(b"{}\n")?;
/// assert!(!target.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read(&target)?, b"{}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Whole {
    file: Option<Pieces>,
    /// Its name until it is done, if that is not its name all along.
    temporary: Option<PathBuf>,
    target: PathBuf,
}

impl Whole {
    /// Begins a file next to its target, so that the last step is a rename within one file system.
    ///
    /// # Errors
    ///
    /// The target is a directory, or nothing can be written there.
    pub fn create(target: &Path) -> io::Result<Whole> {
        let target = followed(target)?;
        let (file, temporary) = match fs::metadata(&target) {
            Ok(about) if about.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(about) if !about.is_file() => (OpenOptions::new().write(true).open(&target)?, None),
            _ => {
                let (file, name) = create_beside(&target)?;
                (file, Some(name))
            }
        };
        Ok(Whole {
            file: Some(Pieces(file)),
            temporary,
            target,
        })
    }

    /// Moves the file to its target.
    ///
    /// # Errors
    ///
    /// It cannot be moved there. The file is then kept, and the error says where.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(temporary) = self.temporary.take() else {
            return Ok(());
        };
        // Still locked: others must not take it for a file that was left.
        fs::rename(&temporary, &self.target).map_err(|error| {
            let text = format!("{error}; what was written is in {}", put_aside(temporary).display());
            io::Error::new(error.kind(), text)
        })
    }

    /// Keeps the unfinished file and gives its name; none if it has no temporary name.
    pub fn keep(mut self) -> Option<PathBuf> {
        self.temporary.take().map(put_aside)
    }
}

/// What temporary names end in.
const TEMPORARY: &str = ".tmp";

/// Gives a temporary file a name that is not temporary: `out.123.part` for `out.123.tmp`.
fn put_aside(temporary: PathBuf) -> PathBuf {
    let kept = temporary.with_extension("part");
    match fs::hard_link(&temporary, &kept).and_then(|()| fs::remove_file(&temporary)) {
        Ok(()) => kept,
        // There is such a file, or there are no links here. The next run may then remove it.
        Err(_) => temporary,
    }
}

/// Removes the files of a folder that processes left when they were killed: those with a temporary name that nobody has
/// locked. What cannot be removed stays.
pub(crate) fn sweep(folder: &Path, is_temporary: impl Fn(&str) -> bool) {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(&is_temporary) || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let opened = OpenOptions::new().write(true).open(entry.path());
        if opened.is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Is this a temporary name for a target: `out.123.tmp` or `out.123-4.tmp` for `out`?
fn is_temporary_of(name: &str, target: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let middle = name
        .strip_prefix(target)
        .and_then(|rest| rest.strip_prefix('.'))
        .and_then(|rest| rest.strip_suffix(TEMPORARY));
    middle.is_some_and(|middle| match middle.split_once('-') {
        Some((process, count)) => number(process) && number(count),
        None => number(middle),
    })
}

/// Where links lead to, whether there is a file or not.
pub(crate) fn followed(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "links lead in a circle"))
}

/// A new file beside another, locked, under a name that nobody has.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    if let (Some(folder), Some(own)) = (target.parent(), target.file_name().and_then(|name| name.to_str())) {
        sweep(folder, |name| is_temporary_of(name, own));
    }
    let id = std::process::id();
    let mut number = 0;
    loop {
        let mut name = target.as_os_str().to_owned();
        name.push(match number {
            0 => format!(".{id}{TEMPORARY}"),
            _ => format!(".{id}-{number}{TEMPORARY}"),
        });
        let name = PathBuf::from(name);
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
            Ok(file) => match file.try_lock() {
                // Somebody took it for a file that was left, before it was locked.
                Err(TryLockError::WouldBlock) => number += 1,
                Ok(()) if !name.exists() => number += 1,
                // Where there are no locks, nobody removes a file either.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok((file, name)),
            },
        }
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a whole file.
///
/// # Errors
///
/// It cannot be written.
pub fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut whole = Whole::create(target)?;
    whole.write_all(bytes)?;
    whole.finish()
}

/// Why a wrapper could not be saved.
#[derive(Debug)]
pub struct SaveError {
    /// The file that could not be written.
    pub path: PathBuf,
    /// Was it the copy of the old wrapper?
    pub is_copy: bool,
    /// The system's error.
    pub error: io::Error,
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_copy {
            "keep the old wrapper as"
        } else {
            "write"
        };
        write!(f, "cannot {what} {}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for SaveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Writes a wrapper to a file. An existing file is replaced.
///
/// # Errors
///
/// The file cannot be written. An existing file is then still as it was.
pub fn save_wrapper(path: &Path, wrapper: &Wrapper) -> Result<(), SaveError> {
    write(path, wrapper.to_json().as_bytes()).map_err(|error| SaveError {
        path: path.to_owned(),
        is_copy: false,
        error,
    })
}

/// Writes a wrapper to a file. An existing file is kept under another name, which is returned: `site.old-1.wrapper.json` for
/// `site.wrapper.json`, with the first number that is free.
///
/// # Errors
///
/// The old file cannot be kept, or the new one cannot be written. The file at `path` is then still as it was.
pub fn replace_wrapper(path: &Path, wrapper: &Wrapper) -> Result<Option<PathBuf>, SaveError> {
    let mut kept = None;
    if path.is_file() {
        let old = free_name(path);
        if let Err(error) = fs::copy(path, &old) {
            return Err(SaveError {
                path: old,
                is_copy: true,
                error,
            });
        }
        kept = Some(old);
    }
    save_wrapper(path, wrapper)?;
    Ok(kept)
}

/// `site.wrapper.json` as `site.old-1.wrapper.json`, with the first number that is free.
fn free_name(target: &Path) -> PathBuf {
    let name = target
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let ending = [".wrapper.json", ".json"]
        .into_iter()
        .find(|ending| name.ends_with(ending));
    let (stem, ending) = match ending {
        Some(ending) => (&name[..name.len() - ending.len()], ending),
        None => (name.as_str(), ""),
    };
    let mut number = 1;
    loop {
        let path = target.with_file_name(format!("{stem}.old-{number}{ending}"));
        if !path.exists() {
            return path;
        }
        number += 1;
    }
}

/// A file that takes each piece whole or not at all, as far as possible: nothing can be taken back from a pipe.
#[derive(Debug)]
pub struct Pieces(File);

impl Pieces {
    /// A file that is written from where it is now.
    pub(crate) fn new(file: File) -> Pieces {
        Pieces(file)
    }

    /// Waits until the disk has everything.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    /// Standard output, without the buffer that would cut records at arbitrary places.
    ///
    /// # Errors
    ///
    /// Standard output cannot be used.
    pub fn stdout() -> io::Result<Pieces> {
        let output = io::stdout();
        output.lock().flush()?;
        #[cfg(unix)]
        let output = std::os::fd::AsFd::as_fd(&output).try_clone_to_owned()?;
        #[cfg(windows)]
        let output = std::os::windows::io::AsHandle::as_handle(&output).try_clone_to_owned()?;
        Ok(Pieces(File::from(output)))
    }

    /// Reads bytes at a place. What is written next comes after them.
    pub(crate) fn read_at(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(at))?;
        self.0.read_exact(bytes)
    }

    /// Cuts the file at a place; what is written next comes there.
    pub(crate) fn cut(&mut self, at: u64) -> io::Result<()> {
        self.0.set_len(at)?;
        self.0.seek(SeekFrom::Start(at)).map(|_| ())
    }

    /// Takes back the last bytes that were written.
    fn take_back(&mut self, count: usize) -> io::Result<()> {
        let about = self.0.metadata()?;
        if count > 0 && about.is_file() {
            self.0.set_len(about.len().saturating_sub(count as u64))?;
            self.0.seek(SeekFrom::End(0))?;
        }
        Ok(())
    }
}

impl Write for Pieces {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < piece.len() {
            let error = match self.0.write(&piece[written..]) {
                Ok(0) => io::ErrorKind::WriteZero.into(),
                Ok(count) => {
                    written += count;
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => error,
            };
            // The first failure is the one to report.
            let _ = self.take_back(written);
            return Err(error);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_stay_and_names_that_are_taken_are_not() {
        let folder = tempfile::tempdir().expect("a directory");
        let at = |name: &str| folder.path().join(name);
        symlink("real", at("link")).expect("a link");
        let taken = at(&format!("real.{}.tmp", std::process::id()));
        symlink(at("precious"), &taken).expect("a link");
        fs::write(at("precious"), "precious").expect("a file");
        for text in ["one", "two"] {
            write(&at("link"), text.as_bytes()).expect("a file");
            assert_eq!(fs::read_to_string(at("real")).expect("a file"), text);
        }
        assert_eq!(fs::read_to_string(at("precious")).expect("a file"), "precious");
        assert!(fs::symlink_metadata(at("link")).expect("a link").is_symlink());
        assert_eq!(
            fs::read_dir(&folder).expect("a directory").count(),
            4,
            "nothing is left"
        );
    }

    #[test]
    fn files_that_were_left_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a directory");
        let at = |name: &str| folder.path().join(name);
        let left = ["out.1.tmp", "out.77-3.tmp"];
        let others = [
            "out.tmp",
            "out.1.tmp.gz",
            "out.x.tmp",
            "out.1-.tmp",
            "another.1.tmp",
            "out.9.part",
            "xout.1.tmp",
        ];
        for name in left.iter().chain(&others) {
            fs::write(at(name), "x").expect("a file");
        }
        symlink(at("another.1.tmp"), at("out.2.tmp")).expect("a link");
        fs::create_dir(at("out.3.tmp")).expect("a directory");
        // Somebody writes at the same time.
        let busy = Whole::create(&at("out")).expect("a file");
        let other = Whole::create(&at("out")).expect("a file");
        for name in left {
            assert!(!at(name).exists(), "{name}");
        }
        for name in others.iter().chain(&["out.2.tmp", "out.3.tmp"]) {
            assert!(at(name).exists(), "{name}");
        }
        assert!(busy.temporary.as_ref().is_some_and(|name| name.exists()));
        other.finish().expect("a file");
        busy.finish().expect("it is still there");
        // What is kept stays, whoever writes afterwards.
        let mut kept = Whole::create(&at("out")).expect("a file");
        kept.write_all(b"half").expect("a file");
        let kept = kept.keep().expect("a name");
        write(&at("out"), b"whole").expect("a file");
        assert_eq!(fs::read_to_string(kept).expect("it is kept"), "half");
    }

    #[test]
    fn what_cannot_be_replaced() {
        let folder = tempfile::tempdir().expect("a directory");
        assert!(Whole::create(folder.path()).is_err());
        write(Path::new("/dev/null"), b"x").expect("a device");
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
        // The place is taken while the file is written.
        let target = folder.path().join("out");
        let mut whole = Whole::create(&target).expect("a file");
        whole.write_all(b"records").expect("a file");
        fs::create_dir(&target).expect("a directory");
        let error = whole.finish().expect_err("a directory").to_string();
        let kept = error.rsplit(" is in ").next().expect("a name");
        assert_eq!(fs::read_to_string(kept).expect("it is kept"), "records");
    }

    #[test]
    fn old_wrappers_get_a_name_that_is_free() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let target = folder.join("site.wrapper.json");
        assert_eq!(free_name(&target), folder.join("site.old-1.wrapper.json"));
        fs::write(folder.join("site.old-1.wrapper.json"), "").expect("a file");
        assert_eq!(free_name(&target), folder.join("site.old-2.wrapper.json"));
        assert_eq!(free_name(&folder.join("w")), folder.join("w.old-1"));
    }

    #[test]
    fn a_wrapper_that_is_replaced_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("site.wrapper.json");
        let wrapper = |name: &str| {
            let rule = crate::wrapper::Rule::Oxpath("doc(\"x\")//p:<p>[.:<a=string(.)>]".to_owned());
            Wrapper::bare(rule, crate::RecordType::flat(name, ["a"]), None)
        };
        let (one, two) = (wrapper("one"), wrapper("two"));
        assert_eq!(replace_wrapper(&path, &one).expect("a file"), None);
        let kept = replace_wrapper(&path, &two).expect("a file").expect("the old one");
        assert_eq!(kept, folder.path().join("site.old-1.wrapper.json"));
        assert_eq!(Wrapper::open(&kept).expect("a wrapper"), one);
        assert_eq!(Wrapper::open(&path).expect("a wrapper"), two);
        let error = save_wrapper(folder.path(), &one).expect_err("a directory").to_string();
        assert!(error.starts_with("cannot write "), "{error}");
    }
}
