//! `--shard`: one part of the work, for several processes that share nothing.

use crate::report;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::{Path, PathBuf};
use wrapwright::Shard;

/// The heading of these flags.
const HEADING: &str = "A part of the work";

/// Which part of the work to do.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct ShardArgs {
    /// Work on part I of N only; each page, or row of values, is in one part, by a hash of its name
    ///
    /// Outputs are named by the part: out.csv becomes out.2-of-8.csv, and {shard} in a name becomes 2-of-8. A directory of
    /// saved pages or of a run gets a directory for each part. out.parquet/ and tables of PostgreSQL are for all parts.
    #[arg(help_heading = HEADING, id = "shard", long = "shard", value_name = "I/N")]
    part: Option<Shard>,

    /// With --shard: what is hashed. All pages of a host are in one part with `host`, so --delay holds although the parts do
    /// not know of each other
    #[arg(help_heading = HEADING, long, value_name = "WHAT", default_value = "name", requires = "shard")]
    shard_by: By,
}

/// What decides which part a page belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum By {
    /// The name or address of the page, or the values of the row
    #[default]
    Name,
    /// The host of the address
    Host,
}

impl ShardArgs {
    /// The part.
    pub(crate) fn shard(&self) -> Option<Shard> {
        match self.shard_by {
            By::Name => self.part,
            By::Host => self.part.map(Shard::by_host),
        }
    }

    /// The directory for this part.
    pub(crate) fn folder(&self, folder: &Path) -> PathBuf {
        match &self.part {
            Some(shard) => shard.folder(folder),
            None => folder.to_owned(),
        }
    }

    /// Says so if this part has nothing of `all` things to do.
    pub(crate) fn tell_empty(&self, left: usize, all: usize, what: &str, quiet: bool) {
        if let Some(shard) = self.part.filter(|_| left == 0 && !quiet) {
            let all = report::counted(all, what);
            report::words(&format!(
                "note: none of {all} is in shard {shard}; there is nothing to do"
            ));
        }
    }
}
