//! `run --download`: files that records link to, fetched before the records are written.

use crate::{Exit, report};
use clap::Args as ClapArgs;
use std::path::PathBuf;
use wrapwright::download::{DownloadSpec, Filler};
use wrapwright::{Job, RecordType, Session};

/// Which files are downloaded, and where to.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Files")]
pub(crate) struct DownloadArgs {
    /// Download the file that this field links to; records get its name in FIELD_file
    ///
    /// May be repeated. Nested fields are written as in CSV: offer.picture. Files are named by their content, and an address
    /// is fetched once, also by later runs with the same directory.
    #[arg(long, value_name = "FIELD", conflicts_with = "frontier")]
    pub(crate) download: Vec<String>,

    /// The directory for downloaded files
    #[arg(long, value_name = "DIR", default_value = "files", requires = "download")]
    pub(crate) download_to: PathBuf,

    /// The most megabytes of a downloaded file; larger ones are failures
    #[arg(long, value_name = "MB", default_value_t = 50, requires = "download", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) download_mb: u64,
}

impl DownloadArgs {
    /// What to download in a run, if anything.
    fn spec(&self, jobs: usize, run: &str) -> Option<DownloadSpec> {
        (!self.download.is_empty()).then(|| DownloadSpec {
            fields: self.download.clone(),
            folder: self.download_to.clone(),
            most_bytes: usize::try_from(self.download_mb << 20).unwrap_or(usize::MAX),
            jobs,
            run: run.to_owned(),
        })
    }

    /// The types of records that have their files.
    pub(crate) fn types(&self, types: &[RecordType]) -> Result<Vec<RecordType>, Exit> {
        let with = self.spec(1, "").map_or(Ok(types.to_vec()), |spec| spec.types(types));
        with.map_err(|error| {
            report::mistake(&error.to_string(), Some("--download takes a field that is a link"));
            Exit::Mistake
        })
    }

    /// What gives records of a run their files.
    pub(crate) fn open(&self, jobs: usize, run: &str, session: &Session, job: &Job) -> Result<Filler, Exit> {
        let refused = |text: &str, exit: Exit| {
            report::mistake(text, None);
            exit
        };
        let Some(spec) = self.spec(jobs, run) else {
            return Ok(Filler::none());
        };
        let Some(web) = session.web() else {
            return Err(refused("--download does not work with this driver", Exit::Mistake));
        };
        let folder = spec.folder.display().to_string();
        let opened = spec.open(web.clone());
        let opened = opened.map_err(|error| refused(&format!("cannot use {folder}: {error}"), Exit::Outside))?;
        Ok(Filler::new(opened, job))
    }
}
