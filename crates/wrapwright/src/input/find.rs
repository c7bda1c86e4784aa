//! From arguments to places: files, directories, WARC files, addresses, and lists of these.

#[cfg(feature = "http")]
use super::Remote;
use super::{InputError, Place, Problem};
use crate::manifest::{self, Known};
#[cfg(feature = "http")]
use crate::visit::Visitor;
use crate::{archived, bounded};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(feature = "http")]
use std::sync::Arc;

/// The pages that arguments name, in their order, and the errors for arguments that name none. Addresses are errors.
pub fn find<'a>(arguments: impl IntoIterator<Item = &'a str>) -> (Vec<Place>, Vec<InputError>) {
    let (arguments, mut errors) = expand(arguments);
    let mut finder = Finder::default();
    for argument in &arguments {
        match is_address(argument) {
            true => errors.push(InputError {
                place: argument.clone(),
                problem: Problem::Url,
            }),
            false => finder.find(argument, &mut errors),
        }
    }
    (finder.places, errors)
}

/// The same, with somebody who opens addresses.
#[cfg(feature = "http")]
pub fn find_with<'a>(
    arguments: impl IntoIterator<Item = &'a str>,
    visitor: &Arc<dyn Visitor>,
) -> (Vec<Place>, Vec<InputError>) {
    let (arguments, mut errors) = expand(arguments);
    let mut finder = Finder::default();
    for argument in arguments {
        match is_address(&argument) {
            true => finder.places.push(Place::Remote(Remote {
                url: argument,
                visitor: Arc::clone(visitor),
            })),
            false => finder.find(&argument, &mut errors),
        }
    }
    (finder.places, errors)
}

/// Is this an address on the web?
pub fn is_address(argument: &str) -> bool {
    let begins = |scheme: &str| {
        argument
            .get(..scheme.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    };
    begins("http://") || begins("https://")
}

/// The arguments, with lists replaced by what they contain, and the errors for lists that cannot be read. Each list is read once,
/// so it may be a pipe. [`find`] does this itself.
pub fn expand<'a>(arguments: impl IntoIterator<Item = &'a str>) -> (Vec<String>, Vec<InputError>) {
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    for argument in arguments {
        match argument.strip_prefix('@') {
            None => out.push(argument.to_owned()),
            Some(file) => match listed(file) {
                Ok(lines) => out.extend(lines),
                Err(problem) => errors.push(InputError {
                    place: file.to_owned(),
                    problem,
                }),
            },
        }
    }
    (out, errors)
}

/// The lines of a list, or a column of a table: `urls.txt`, `shops.csv#url`.
fn listed(file: &str) -> Result<Vec<String>, Problem> {
    let column = file.rsplit_once('#').filter(|_| !Path::new(file).exists());
    let path = Path::new(column.map_or(file, |(path, _)| path));
    let text = bounded::read_text(path, bounded::LONGEST_LIST)?;
    Ok(match column {
        None => lines(&text),
        Some((_, name)) => {
            let table = crate::Table::read(&text).map_err(Problem::Table)?;
            let at = table.names.iter().position(|known| known == name);
            let at = at.ok_or_else(|| Problem::NoColumn(name.to_owned()))?;
            let cells = table.rows.into_iter().filter_map(|row| row.into_iter().nth(at));
            cells
                .map(|cell| cell.trim().to_owned())
                .filter(|cell| !cell.is_empty())
                .collect()
        }
    })
}

/// The lines of a list that are neither empty nor comments.
pub fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// Collects the places that arguments name.
#[derive(Default)]
struct Finder {
    places: Vec<Place>,
    /// What manifests say about the files beside them, by directory.
    manifests: BTreeMap<PathBuf, BTreeMap<PathBuf, Known>>,
}

impl Finder {
    /// Adds the pages that an argument names, which is not an address.
    fn find(&mut self, argument: &str, errors: &mut Vec<InputError>) {
        let error = |problem| InputError {
            place: argument.to_owned(),
            problem,
        };
        if argument == "-" {
            self.places.push(Place::Stdin);
            return;
        }
        let path = Path::new(argument);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = (self.places.len(), errors.len());
                walk(path, &mut self.places, errors);
                if before == (self.places.len(), errors.len()) {
                    errors.push(error(Problem::NoPages));
                }
            }
            Ok(_) if archived::is_archive(path) => unpack(argument, &mut self.places, errors),
            Ok(_) => {
                let known = self.beside(path, errors).get(path).cloned();
                self.places.push(place(path.to_owned(), known));
            }
            Err(reason) => errors.push(error(reason.into())),
        }
    }

    /// What the manifest beside a file says, if there is one.
    fn beside(&mut self, path: &Path, errors: &mut Vec<InputError>) -> &BTreeMap<PathBuf, Known> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        self.manifests.entry(folder).or_insert_with_key(|folder| {
            let manifest = folder.join(manifest::NAME);
            let mut known = BTreeMap::new();
            if manifest.is_file() {
                read_manifest(&manifest, &mut known, errors);
            }
            known
        })
    }
}

/// A file with what is known about it.
fn place(path: PathBuf, known: Option<Known>) -> Place {
    match known {
        Some(Known { url, charset, markup }) => Place::Listed {
            path,
            url,
            charset,
            markup,
        },
        None => Place::File(path),
    }
}

/// Reads a manifest; what is wrong with it is added to the errors.
fn read_manifest(path: &Path, known: &mut BTreeMap<PathBuf, Known>, errors: &mut Vec<InputError>) {
    if let Err(error) = manifest::read(path, known) {
        errors.push(InputError {
            place: path.display().to_string(),
            problem: match error {
                manifest::Unread::Line(line, reason) => Problem::Manifest(line, reason),
                manifest::Unread::Io(error) => error.into(),
            },
        });
    }
}

/// Lists the pages of a WARC file.
fn unpack(argument: &str, places: &mut Vec<Place>, errors: &mut Vec<InputError>) {
    let mut tell = |problem| {
        errors.push(InputError {
            place: argument.to_owned(),
            problem,
        });
    };
    match archived::list(Path::new(argument)) {
        Err(error) => tell(error.into()),
        Ok((pages, faults, more)) => {
            if pages.is_empty() && faults.is_empty() {
                tell(Problem::NoArchivedPages);
            }
            places.extend(pages.into_iter().map(Place::Archived));
            faults.into_iter().map(Problem::Archive).for_each(&mut tell);
            if more > 0 {
                tell(Problem::ArchiveFurther(more));
            }
        }
    }
}

/// Collects the pages below a directory, sorted by path, without recursion.
fn walk(directory: &Path, places: &mut Vec<Place>, errors: &mut Vec<InputError>) {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut known = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        let entries = match fs::read_dir(&directory).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => entries,
            Err(error) => {
                errors.push(InputError {
                    place: directory.display().to_string(),
                    problem: Problem::Io(error),
                });
                continue;
            }
        };
        for entry in entries {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                directories.push(path);
            } else if path.extension().is_some_and(is_page_ending) && path.is_file() {
                found.push(path);
            } else if path.file_name().is_some_and(|name| name == manifest::NAME) && path.is_file() {
                read_manifest(&path, &mut known, errors);
            }
        }
    }
    found.sort();
    places.extend(found.into_iter().map(|path| {
        let known = known.remove(&path);
        place(path, known)
    }));
}

fn is_page_ending(ending: &std::ffi::OsStr) -> bool {
    ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm")
}
