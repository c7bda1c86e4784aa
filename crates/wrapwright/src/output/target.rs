//! Where records go, as a user names it: a file whose ending says the format, a directory, a table.

use crate::Shard;
use crate::record::Format;
use std::path::{Path, PathBuf};

/// Where records go.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// Standard output.
    Stdout(Form),
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// What is in it.
        form: Form,
        /// How it is compressed.
        packing: Packing,
    },
    /// A directory of Parquet files.
    Parts(PathBuf),
    /// An SQLite file.
    Sqlite {
        /// Its path.
        path: PathBuf,
        /// The table; without one, tables are named after the types of the records.
        table: Option<String>,
    },
    /// A PostgreSQL server, by its address.
    Postgresql(String),
}

/// How records are written into a file or a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// As text.
    Text(Format),
    /// As a stream of Arrow record batches.
    Arrow,
    /// As a Parquet file.
    Parquet,
}

impl Default for Form {
    fn default() -> Form {
        Form::Text(Format::default())
    }
}

/// How a file is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Packing {
    /// Not at all.
    #[default]
    Plain,
    /// With gzip.
    Gzip,
    /// With Zstandard.
    Zstd,
}

/// The form that an ending stands for.
fn form_of(ending: &str) -> Option<Form> {
    Some(match ending {
        "ndjson" | "jsonl" => Form::Text(Format::Ndjson),
        "json" => Form::Text(Format::Json),
        "csv" => Form::Text(Format::Csv),
        "tsv" => Form::Text(Format::Tsv),
        "xml" => Form::Text(Format::Xml),
        "arrows" => Form::Arrow,
        "parquet" => Form::Parquet,
        _ => return None,
    })
}

/// The ending of a path in small letters, and the path without it.
fn split(path: &Path) -> (PathBuf, String) {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    (path.with_extension(""), ending.to_ascii_lowercase())
}

impl Target {
    /// What a user means by a place and, if it was given, a form. Without a place, records go to standard output. The ending
    /// of a file decides; the form counts where it says nothing. Without either, records are lines of JSON.
    ///
    /// ```
    /// use std::path::Path;
    /// use wrapwright::output::{Form, Packing, Target};
    /// use wrapwright::record::Format;
    ///
    /// let target = |place: &str| Target::new(Some(Path::new(place)), None);
    /// let file = |path: &str, format, packing| Target::File { path: path.into(), form: Form::Text(format), packing };
    /// assert_eq!(target("out.csv"), file("out.csv", Format::Csv, Packing::Plain));
    /// assert_eq!(target("out.ndjson.gz"), file("out.ndjson.gz", Format::Ndjson, Packing::Gzip));
    /// assert_eq!(target("out.parquet/"), Target::Parts("out.parquet/".into()));
    /// let table = Target::Sqlite { path: "shop.sqlite".into(), table: Some("books".to_owned()) };
    /// assert_eq!(target("shop.sqlite#books"), table);
    /// assert_eq!(Target::new(None, Some(Form::Arrow)), Target::Stdout(Form::Arrow));
    /// ```
    pub fn new(place: Option<&Path>, form: Option<Form>) -> Target {
        let Some(path) = place.filter(|path| path.as_os_str() != "-") else {
            return Target::Stdout(form.unwrap_or_default());
        };
        let text = path.to_str().unwrap_or("");
        if text.starts_with("postgresql://") || text.starts_with("postgres://") {
            return Target::Postgresql(text.to_owned());
        }
        let (file, table) = match text.rsplit_once('#') {
            Some((file, table)) => (Path::new(file), Some(table)),
            None => (path, None),
        };
        if matches!(split(file).1.as_str(), "sqlite" | "sqlite3" | "db") {
            return Target::Sqlite {
                path: file.to_owned(),
                table: table.filter(|name| !name.is_empty()).map(str::to_owned),
            };
        }
        let (stem, mut ending) = split(path);
        let packing = match ending.as_str() {
            "gz" => Packing::Gzip,
            "zst" => Packing::Zstd,
            _ => Packing::Plain,
        };
        if packing != Packing::Plain {
            ending = split(&stem).1;
        }
        let by_ending = form_of(&ending);
        let form = by_ending.or(form).unwrap_or_default();
        let is_folder = text.ends_with('/') || path.is_dir();
        if is_folder && form == Form::Parquet {
            return Target::Parts(path.to_owned());
        }
        Target::File {
            path: path.to_owned(),
            form,
            packing,
        }
    }

    /// Where the records of one shard go. A file gets the name of the shard ([`Shard::file`]). A directory of Parquet files and
    /// a table of a server are for all shards together.
    ///
    /// ```
    /// use std::path::Path;
    /// use wrapwright::output::Target;
    /// let target = |place: &str| Target::new(Some(Path::new(place)), None);
    /// let shard = "2/8".parse()?;
    /// assert_eq!(target("out.csv").of_shard(&shard), target("out.2-of-8.csv"));
    /// assert_eq!(target("a.sqlite#books").of_shard(&shard), target("a.2-of-8.sqlite#books"));
    /// assert_eq!(target("out.parquet/").of_shard(&shard), target("out.parquet/"));
    /// # Ok::<(), wrapwright::shard::ShardError>(())
    /// ```
    #[must_use]
    pub fn of_shard(&self, shard: &Shard) -> Target {
        match self.clone() {
            Target::File { path, form, packing } => Target::File {
                path: shard.file(&path),
                form,
                packing,
            },
            Target::Sqlite { path, table } => Target::Sqlite {
                path: shard.file(&path),
                table,
            },
            target => target,
        }
    }

    /// The format, if it is one of text.
    pub fn format(&self) -> Option<Format> {
        match self {
            Target::Stdout(Form::Text(format))
            | Target::File {
                form: Form::Text(format),
                ..
            } => Some(*format),
            _ => None,
        }
    }

    /// Is it a table of a database?
    pub fn is_table(&self) -> bool {
        matches!(self, Target::Sqlite { .. } | Target::Postgresql(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_says_what_it_is() {
        let new = |place: &str, form| Target::new(Some(Path::new(place)), form);
        let file = |path: &str, form, packing| Target::File {
            path: path.into(),
            form,
            packing,
        };
        let text = Form::Text;
        for (place, form, expected) in [
            ("out", None, file("out", text(Format::Ndjson), Packing::Plain)),
            ("a.b/out", None, file("a.b/out", text(Format::Ndjson), Packing::Plain)),
            ("out.JSON", None, file("out.JSON", text(Format::Json), Packing::Plain)),
            (
                "x.jsonl.zst",
                None,
                file("x.jsonl.zst", text(Format::Ndjson), Packing::Zstd),
            ),
            ("x.tsv.gz", None, file("x.tsv.gz", text(Format::Tsv), Packing::Gzip)),
            ("x.gz", None, file("x.gz", text(Format::Ndjson), Packing::Gzip)),
            (
                "x.json",
                Some(text(Format::Csv)),
                file("x.json", text(Format::Json), Packing::Plain),
            ),
            (
                "x.txt",
                Some(text(Format::Csv)),
                file("x.txt", text(Format::Csv), Packing::Plain),
            ),
            ("x.parquet", None, file("x.parquet", Form::Parquet, Packing::Plain)),
            ("x.arrows", None, file("x.arrows", Form::Arrow, Packing::Plain)),
            ("x#1.csv", None, file("x#1.csv", text(Format::Csv), Packing::Plain)),
            ("x", Some(Form::Parquet), file("x", Form::Parquet, Packing::Plain)),
            ("x/", Some(Form::Parquet), Target::Parts("x/".into())),
            ("-", None, Target::Stdout(Form::default())),
        ] {
            assert_eq!(new(place, form), expected, "{place}");
        }
        let table = |path: &str, table: Option<&str>| Target::Sqlite {
            path: path.into(),
            table: table.map(str::to_owned),
        };
        assert_eq!(new("d/x.db#t", None), table("d/x.db", Some("t")));
        assert_eq!(new("x.sqlite3", None), table("x.sqlite3", None));
        assert_eq!(new("x.sqlite#", None), table("x.sqlite", None));
        let address = "postgresql://ada@host/db?table=t";
        assert_eq!(new(address, None), Target::Postgresql(address.to_owned()));
        assert!(new(address, None).is_table());
    }
}
