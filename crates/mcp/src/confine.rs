//! Names of files that stay below one directory.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The directory that files are read from and written to.
#[derive(Clone, Debug)]
pub struct Root {
    /// Without symbolic links.
    path: PathBuf,
}

/// Why a name is not used.
#[derive(Debug)]
pub enum Refused {
    /// It leads out of the directory.
    Outside(String),
    /// There is no such file, or it cannot be looked at.
    Io(String, io::Error),
    /// It has no name of a file at its end.
    NotAFile(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Outside(name) => write!(f, "{name}: this is outside of the directory that was given at start"),
            Refused::Io(name, error) => write!(f, "{name}: {error}"),
            Refused::NotAFile(name) => write!(f, "{name}: expected the name of a file"),
        }
    }
}

impl std::error::Error for Refused {}

impl Root {
    /// A directory that is there.
    ///
    /// # Errors
    ///
    /// It is not a directory, or cannot be looked at.
    pub fn new(path: &Path) -> io::Result<Root> {
        let path = path.canonicalize()?;
        match path.is_dir() {
            true => Ok(Root { path }),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file or directory that is there. Links are followed, and must not lead out.
    ///
    /// # Errors
    ///
    /// It leads out, or is not there.
    pub fn existing(&self, name: &str) -> Result<PathBuf, Refused> {
        let found = self.path.join(name).canonicalize();
        let found = found.map_err(|error| Refused::Io(name.to_owned(), error))?;
        self.inside(found, name)
    }

    /// A file to write to. Its directory is there; it may be there itself, unless it is a link.
    ///
    /// # Errors
    ///
    /// It leads out, or its directory is not there.
    pub fn target(&self, name: &str) -> Result<PathBuf, Refused> {
        let path = self.path.join(name);
        let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else {
            return Err(Refused::NotAFile(name.to_owned()));
        };
        if name.ends_with('/') || file == OsStr::new("..") {
            return Err(Refused::NotAFile(name.to_owned()));
        }
        let folder = folder
            .canonicalize()
            .map_err(|error| Refused::Io(name.to_owned(), error))?;
        let target = self.inside(folder, name)?.join(file);
        match target.symlink_metadata() {
            Ok(found) if found.is_symlink() => Err(Refused::Outside(name.to_owned())),
            Ok(found) if found.is_dir() => Err(Refused::NotAFile(name.to_owned())),
            _ => Ok(target),
        }
    }

    /// A path that was found below the directory: does it stay there when links are followed?
    pub(crate) fn holds(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| path.starts_with(&self.path))
    }

    fn inside(&self, path: PathBuf, name: &str) -> Result<PathBuf, Refused> {
        match path.starts_with(&self.path) {
            true => Ok(path),
            false => Err(Refused::Outside(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_do_not_lead_out() {
        let outer = tempfile::tempdir().expect("a directory");
        let inner = outer.path().join("inner");
        fs::create_dir_all(inner.join("pages")).expect("directories");
        fs::write(outer.path().join("secret"), "x").expect("a file");
        fs::write(inner.join("pages/a.html"), "x").expect("a file");
        let root = Root::new(&inner).expect("a directory");
        assert!(root.existing("pages/a.html").is_ok() && root.existing("pages").is_ok() && root.existing(".").is_ok());
        assert!(root.existing("pages/../pages/a.html").is_ok());
        let absolute = outer.path().join("secret").display().to_string();
        for name in [
            "../secret",
            "pages/../../secret",
            absolute.as_str(),
            "/etc/passwd",
            "..",
        ] {
            assert!(matches!(root.existing(name), Err(Refused::Outside(_))), "{name}");
        }
        assert!(matches!(root.existing("missing"), Err(Refused::Io(..))));
        assert!(root.target("new.json").is_ok() && root.target("pages/new.json").is_ok());
        for name in ["../new.json", "/tmp/new.json", "pages/../../new.json"] {
            assert!(matches!(root.target(name), Err(Refused::Outside(_))), "{name}");
        }
        for name in ["", ".", "..", "pages", "pages/"] {
            assert!(root.target(name).is_err(), "{name}");
        }
        assert!(Root::new(&outer.path().join("secret")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().expect("a directory");
        let inner = outer.path().join("inner");
        fs::create_dir(&inner).expect("a directory");
        fs::write(outer.path().join("secret"), "x").expect("a file");
        fs::write(inner.join("a"), "x").expect("a file");
        symlink(outer.path().join("secret"), inner.join("out")).expect("a link");
        symlink(outer.path(), inner.join("up")).expect("a link");
        symlink(inner.join("a"), inner.join("own")).expect("a link");
        let root = Root::new(&inner).expect("a directory");
        for name in ["out", "up", "up/secret"] {
            assert!(matches!(root.existing(name), Err(Refused::Outside(_))), "{name}");
        }
        assert!(root.existing("own").is_ok(), "a link to a file below the directory");
        for name in ["out", "up/new", "own"] {
            assert!(root.target(name).is_err(), "{name}");
        }
        assert!(root.holds(&inner.join("own")) && !root.holds(&inner.join("out")));
    }
}
