//! Files that appear whole or not at all: written under a temporary name, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file under construction; gone if it is dropped before [`Whole::finish`].
pub(crate) struct Whole {
    file: Option<File>,
    temporary: PathBuf,
    target: PathBuf,
}

impl Whole {
    /// Begins a file beside its target, so that the last step is a rename within one file system.
    pub(crate) fn create(target: &Path) -> io::Result<Whole> {
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = PathBuf::from(name);
        let file = Some(File::create(&temporary)?);
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
