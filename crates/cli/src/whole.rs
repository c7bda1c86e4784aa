//! Files that appear whole or not at all, and records that are written whole or not at all.
//!
//! A file is written under a temporary name beside its target and renamed when it is done. Links are followed, so that a
//! link stays one. What is no file, such as a pipe or `/dev/null`, cannot be replaced and is written into at once. A record
//! is written in one piece; if the disk fills up in the middle of it, what was written of it is cut off again, so that
//! what is on the disk is whole records whatever happened.

use anyhow::Context;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file under construction; gone if it is dropped before [`Whole::finish`] or [`Whole::keep`].
pub(crate) struct Whole {
    file: Option<Pieces>,
    /// Its name until it is done, if that is not its name all along.
    temporary: Option<PathBuf>,
    target: PathBuf,
}

impl Whole {
    /// Begins a file beside its target, so that the last step is a rename within one file system.
    pub(crate) fn create(target: &Path) -> io::Result<Whole> {
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

    /// Puts the file in its place; if it does not go there it is kept, and the error says where.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        drop(self.file.take());
        let Some(temporary) = self.temporary.take() else {
            return Ok(());
        };
        fs::rename(&temporary, &self.target).map_err(|error| {
            let text = format!("{error}; what was written is in {}", temporary.display());
            io::Error::new(error.kind(), text)
        })
    }

    /// Leaves the file where it is, unfinished, and says where, unless it is at its place.
    pub(crate) fn keep(mut self) -> Option<PathBuf> {
        drop(self.file.take());
        self.temporary.take()
    }
}

/// Where links lead to, whether there is a file or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
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

/// A new file beside another, under a name that nobody has.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let id = std::process::id();
    let mut number = 0;
    loop {
        let mut name = target.as_os_str().to_owned();
        name.push(match number {
            0 => format!(".{id}.tmp"),
            _ => format!(".{id}-{number}.tmp"),
        });
        let name = PathBuf::from(name);
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            opened => return opened.map(|file| (file, name)),
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

/// Writes a whole file, or to standard output where there is no target.
pub(crate) fn write_or_print(target: Option<&Path>, bytes: &[u8]) -> anyhow::Result<()> {
    match target {
        Some(file) => write(file, bytes).with_context(|| format!("cannot write {}", file.display())),
        None => io::stdout()
            .lock()
            .write_all(bytes)
            .context("cannot write to standard output"),
    }
}

/// Writes a whole file.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut whole = Whole::create(target)?;
    whole.write_all(bytes)?;
    whole.finish()
}

/// A file that takes each piece whole or not at all, as far as it can: from a pipe nothing can be taken back.
pub(crate) struct Pieces(File);

impl Pieces {
    /// Standard output, without the buffer that would cut records at arbitrary places.
    pub(crate) fn stdout() -> io::Result<Pieces> {
        let output = io::stdout();
        output.lock().flush()?;
        #[cfg(unix)]
        let output = std::os::fd::AsFd::as_fd(&output).try_clone_to_owned()?;
        #[cfg(windows)]
        let output = std::os::windows::io::AsHandle::as_handle(&output).try_clone_to_owned()?;
        Ok(Pieces(File::from(output)))
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
}
