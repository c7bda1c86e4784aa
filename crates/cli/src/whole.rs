//! Files that appear whole or not at all, and records that are written whole or not at all.
//!
//! A file is written under a temporary name beside its target and renamed when it is done. A record is written in one
//! piece; if the disk fills up in the middle of it, what was written of it is cut off again, so that what is on the disk
//! is whole records whatever happened.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file under construction; gone if it is dropped before [`Whole::finish`] or [`Whole::keep`].
pub(crate) struct Whole {
    file: Option<Pieces>,
    temporary: PathBuf,
    target: PathBuf,
}

impl Whole {
    /// Begins a file beside its target, so that the last step is a rename within one file system.
    pub(crate) fn create(target: &Path) -> io::Result<Whole> {
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = PathBuf::from(name);
        let file = Some(Pieces(File::create(&temporary)?));
        Ok(Whole {
            file,
            temporary,
            target: target.to_owned(),
        })
    }

    /// Puts the file in its place.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        drop(self.file.take());
        fs::rename(&self.temporary, &self.target)
    }

    /// Leaves the file where it is, unfinished, and says where.
    pub(crate) fn keep(mut self) -> PathBuf {
        drop(self.file.take());
        std::mem::take(&mut self.temporary)
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
        // After a rename there is nothing left to remove.
        let _ = fs::remove_file(&self.temporary);
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
        use std::os::fd::AsFd;
        let output = io::stdout();
        output.lock().flush()?;
        Ok(Pieces(File::from(output.as_fd().try_clone_to_owned()?)))
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
