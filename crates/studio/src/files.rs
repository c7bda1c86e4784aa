//! The project directory: the only files that the page can name.
//!
//! What the user typed when the program was started may be anywhere. What comes through the page is looked for below the
//! project directory alone, after links are resolved, so neither `..` nor a link leads out of it.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The ending of wrappers.
const ENDING: &str = ".wrapper.json";

/// The directory of runs.
pub(crate) const RUNS: &str = "runs";
/// The directory of pages that were dropped on the window.
const DROPPED: &str = "pages";
/// The endings of files for records.
const RECORDS: [&str; 10] = [
    ".csv", ".ndjson", ".json", ".xml", ".tsv", ".jsonl", ".parquet", ".arrows", ".sqlite", ".db",
];
/// The endings of pages that can be dropped on the window.
const PAGES: [&str; 5] = [".html", ".htm", ".xhtml", ".warc", ".warc.gz"];

/// Why a name is refused.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It is not below the project directory.
    Outside,
    /// It is not the name of a wrapper's file.
    NotAWrapper,
    /// It is not the name of a file for records.
    NotRecords,
    /// It is not the name of a page.
    NotAPage,
    /// There is no such file.
    Missing(String),
    /// The system's error.
    Io(io::Error),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Outside => f.write_str("only files below the project directory can be named here"),
            Refused::NotAWrapper => write!(f, "expected a file name that ends in {ENDING}"),
            Refused::NotRecords => write!(
                f,
                "expected a file name with an ending for records, such as {}",
                RECORDS[..4].join(", ")
            ),
            Refused::NotAPage => write!(f, "expected files that end in {}", PAGES.join(", ")),
            Refused::Missing(name) => write!(f, "{name}: there is no such file or folder in this project"),
            Refused::Io(error) => error.fmt(f),
        }
    }
}

/// A file or directory of the project that is there.
pub(crate) fn existing(project: &Path, name: &str) -> Result<PathBuf, Refused> {
    let path = joined(project, name)?;
    let path = fs::canonicalize(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Refused::Missing(name.to_owned()),
        _ => Refused::Io(error),
    })?;
    is_below(project, &path)
}

/// A file of the project that a wrapper is saved to, which may be new.
pub(crate) fn wrapper(project: &Path, name: &str) -> Result<PathBuf, Refused> {
    let path = joined(project, name)?;
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let Some(file) = file.filter(|file| file.ends_with(ENDING) && file.len() > ENDING.len()) else {
        return Err(Refused::NotAWrapper);
    };
    beside(project, &path, &file)
}

/// Is it the address of a database?
pub(crate) fn is_database(name: &str) -> bool {
    ["postgresql://", "postgres://"]
        .iter()
        .any(|scheme| name.starts_with(scheme))
}

/// Where records go: a file of the project, a table of an SQLite file of the project (`shop.sqlite#goods`), or the address of a database,
/// which is no file.
pub(crate) fn target(project: &Path, name: &str) -> Result<PathBuf, Refused> {
    if is_database(name) {
        return Ok(PathBuf::from(name));
    }
    match name.split_once('#') {
        Some((file, table)) => {
            let path = output(project, file)?.into_os_string().into_string();
            let path = path.map_err(|_| Refused::NotRecords)?;
            Ok(PathBuf::from(format!("{path}#{table}")))
        }
        None => output(project, name),
    }
}

/// A file of the project that records are written to, which may be new. Wrappers are never overwritten by records.
pub(crate) fn output(project: &Path, name: &str) -> Result<PathBuf, Refused> {
    let path = joined(project, name)?;
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let plain = file.as_deref().unwrap_or_default().to_lowercase();
    let unpacked = plain.strip_suffix(".gz").or_else(|| plain.strip_suffix(".zst"));
    let unpacked = unpacked.unwrap_or(&plain);
    let is_history = plain.ends_with(".history.sqlite");
    let has_ending = RECORDS
        .iter()
        .any(|ending| unpacked.ends_with(ending) && unpacked.len() > ending.len());
    let Some(file) = file.filter(|_| has_ending && !is_history && !unpacked.ends_with(ENDING)) else {
        return Err(Refused::NotRecords);
    };
    beside(project, &path, &file)
}

/// A file in the directory of a path, which may be new, and must be in the project.
fn beside(project: &Path, path: &Path, file: &str) -> Result<PathBuf, Refused> {
    let folder = path.parent().unwrap_or(project);
    let folder = is_below(project, &fs::canonicalize(folder).map_err(Refused::Io)?)?;
    let path = folder.join(file);
    // A link to a file elsewhere would be written through.
    match fs::symlink_metadata(&path) {
        Ok(found) if !found.is_file() => Err(Refused::Outside),
        _ => Ok(path),
    }
}

/// A directory for a new run that is not there yet: `runs/shop-1`, `runs/shop-2`, …
pub(crate) fn new_run(project: &Path, output: &Path) -> PathBuf {
    let name = output.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = match output.to_str().is_some_and(is_database) {
        true => "database".to_owned(),
        false => name.unwrap_or_default(),
    };
    let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("run");
    let names = (1..).map(|number| project.join(RUNS).join(format!("{stem}-{number}")));
    let mut free = names.filter(|path| !path.exists());
    free.next().unwrap_or_else(|| project.join(RUNS).join(stem))
}

/// Writes a page that was dropped on the window into the project, under a name that is free; returns it.
pub(crate) fn drop_in(project: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Refused> {
    let name = Path::new(name)
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name = name.filter(|name| !name.contains(['/', '\\', '\0']) && !name.starts_with('.'));
    let lower = name.as_deref().unwrap_or_default().to_lowercase();
    let ending = PAGES.iter().rev().find(|ending| lower.ends_with(*ending));
    let (Some(name), Some(ending)) = (name, ending) else {
        return Err(Refused::NotAPage);
    };
    let folder = project.join(DROPPED);
    fs::create_dir_all(&folder).map_err(Refused::Io)?;
    let folder = is_below(project, &fs::canonicalize(folder).map_err(Refused::Io)?)?;
    let stem: String = name[..name.len() - ending.len()].chars().take(100).collect();
    let names =
        std::iter::once(format!("{stem}{ending}")).chain((2..).map(|number| format!("{stem}-{number}{ending}")));
    for path in names.map(|name| folder.join(name)) {
        let made = fs::OpenOptions::new().write(true).create_new(true).open(&path);
        match made {
            Ok(mut file) => {
                io::Write::write_all(&mut file, bytes).map_err(Refused::Io)?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Refused::Io(error)),
        }
    }
    Err(Refused::NotAPage)
}

fn joined(project: &Path, name: &str) -> Result<PathBuf, Refused> {
    let relative = Path::new(name);
    let is_inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    match is_inside && !name.is_empty() && !name.contains('\0') {
        true => Ok(project.join(relative)),
        false => Err(Refused::Outside),
    }
}

fn is_below(project: &Path, path: &Path) -> Result<PathBuf, Refused> {
    let project = fs::canonicalize(project).map_err(Refused::Io)?;
    match path.starts_with(&project) {
        true => Ok(path.to_owned()),
        false => Err(Refused::Outside),
    }
}

/// Is a file that was found really in the project? A directory may contain links.
pub(crate) fn is_in(project: &Path, file: &Path) -> bool {
    fs::canonicalize(file).is_ok_and(|path| is_below(project, &path).is_ok())
}

/// A file for a new wrapper that is not there yet: `shop.example.wrapper.json`, `shop.example-2.wrapper.json`, …
pub(crate) fn new_wrapper(project: &Path, about: &str) -> PathBuf {
    let plain: String = about
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '.') {
                c
            } else {
                '-'
            }
        })
        .take(60)
        .collect();
    let plain = plain.trim_matches(['-', '.']);
    let plain = if plain.is_empty() { "site" } else { plain };
    let names =
        std::iter::once(format!("{plain}{ENDING}")).chain((2..).map(|number| format!("{plain}-{number}{ENDING}")));
    let mut free = names.map(|name| project.join(name)).filter(|path| !path.exists());
    free.next().unwrap_or_else(|| project.join(format!("site{ENDING}")))
}

/// The file that keeps changes which are not saved yet.
pub(crate) fn draft(file: &Path) -> PathBuf {
    let name = file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let stem = name
        .strip_suffix(ENDING)
        .or_else(|| name.strip_suffix(".json"))
        .unwrap_or(&name);
    file.with_file_name(format!("{stem}.draft{ENDING}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leads_out_of_the_project() {
        let folder = tempfile::tempdir().expect("a directory");
        let project = folder.path().join("project");
        fs::create_dir_all(project.join("pages")).expect("directories");
        fs::write(project.join("pages/a.html"), "a").expect("a file");
        fs::write(folder.path().join("secret.html"), "secret").expect("a file");
        assert!(existing(&project, "pages/a.html").is_ok());
        assert!(existing(&project, "./pages").is_ok());
        assert!(matches!(existing(&project, "no/such"), Err(Refused::Missing(_))));
        let absolute = folder.path().join("secret.html").display().to_string();
        for name in [
            "../secret.html",
            "pages/../../secret.html",
            &absolute,
            "",
            "..",
            "/etc/passwd",
            "a\0b",
        ] {
            assert!(matches!(existing(&project, name), Err(Refused::Outside)), "{name}");
            assert!(wrapper(&project, name).is_err(), "{name}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path(), project.join("out")).expect("a link");
            assert!(matches!(existing(&project, "out/secret.html"), Err(Refused::Outside)));
            assert!(matches!(wrapper(&project, "out/x.wrapper.json"), Err(Refused::Outside)));
            std::os::unix::fs::symlink(&absolute, project.join("x.wrapper.json")).expect("a link");
            assert!(matches!(wrapper(&project, "x.wrapper.json"), Err(Refused::Outside)));
        }
        assert!(wrapper(&project, "site.wrapper.json").is_ok());
        assert!(matches!(
            wrapper(&project, "wrapwright.toml"),
            Err(Refused::NotAWrapper)
        ));
    }

    #[test]
    fn records_and_dropped_pages_stay_in_the_project() {
        let folder = tempfile::tempdir().expect("a directory");
        let project = folder.path().join("project");
        fs::create_dir_all(project.join("out")).expect("directories");
        for name in ["shop.csv", "out/shop.ndjson.gz", "shop.sqlite", "SHOP.CSV"] {
            assert!(output(&project, name).is_ok(), "{name}");
        }
        for name in [
            "../shop.csv",
            "/tmp/shop.csv",
            "out/../../shop.csv",
            "shop.wrapper.json",
            "wrapwright.toml",
            ".csv",
            "",
        ] {
            assert!(output(&project, name).is_err(), "{name}");
        }
        for name in ["shop.history.sqlite", "shop.wrapper.json.gz"] {
            assert!(matches!(output(&project, name), Err(Refused::NotRecords)), "{name}");
        }
        for name in ["shop.csv", "shop.sqlite#goods", "postgresql://ada@host/db?table=t"] {
            assert!(target(&project, name).is_ok(), "{name}");
        }
        for name in [
            "../shop.sqlite#goods",
            "/tmp/x.db#t",
            "mysql://host/db",
            "shop.wrapper.json#x",
        ] {
            assert!(target(&project, name).is_err(), "{name}");
        }
        assert!(new_run(&project, Path::new("postgresql://ada@host/db")).ends_with("project/runs/database-1"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join("secret"), project.join("link.csv")).expect("a link");
            assert!(matches!(output(&project, "link.csv"), Err(Refused::Outside)));
        }
        let first = drop_in(&project, "../../a.html", b"one").expect("written");
        let second = drop_in(&project, "a.html", b"two").expect("written");
        assert!(first.ends_with("project/pages/a.html") && second.ends_with("project/pages/a-2.html"));
        assert_eq!(fs::read(first).expect("a file"), b"one");
        for name in ["a.exe", ".html", "..", "wrapwright.toml"] {
            assert!(drop_in(&project, name, b"").is_err(), "{name}");
        }
        assert!(new_run(&project, Path::new("out/shop.ndjson.gz")).ends_with("project/runs/shop-1"));
    }

    #[test]
    fn a_new_file_is_never_an_old_one() {
        let folder = tempfile::tempdir().expect("a directory");
        let first = new_wrapper(folder.path(), "shop.example:80/x");
        assert!(first.ends_with("shop.example-80-x.wrapper.json"));
        fs::write(&first, "").expect("a file");
        assert!(new_wrapper(folder.path(), "shop.example:80/x").ends_with("shop.example-80-x-2.wrapper.json"));
        assert!(draft(&first).ends_with("shop.example-80-x.draft.wrapper.json"));
    }
}
