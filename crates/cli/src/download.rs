//! `run --download`: files that records link to, fetched before the records are written.

use crate::progress::RunProgress;
use crate::{Exit, report};
use clap::Args as ClapArgs;
use std::io;
use std::path::PathBuf;
use wrapwright::download::{DownloadSpec, Downloads, Filled};
use wrapwright::{Job, Record, RecordType, Session};

/// The most records that wait for their files.
const MOST_WAITING: usize = 64;

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
    pub(crate) fn spec(&self, jobs: usize, run: &str) -> Option<DownloadSpec> {
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
}

/// Records that wait for their files, or pass through if there are none to download.
pub(crate) struct Filler {
    downloads: Option<Downloads>,
    /// Each with whether it was finished early.
    waiting: Vec<(Record, bool)>,
    job: Job,
    failures: Vec<String>,
}

impl Filler {
    pub(crate) fn open(spec: Option<DownloadSpec>, session: &Session, job: &Job) -> Result<Filler, Exit> {
        let refused = |text: &str, exit: Exit| {
            report::mistake(text, None);
            exit
        };
        let downloads = match (spec, session.web()) {
            (None, _) => None,
            (Some(_), None) => return Err(refused("--download does not work with this driver", Exit::Mistake)),
            (Some(spec), Some(web)) => {
                let folder = spec.folder.display().to_string();
                let opened = spec.open(web.clone());
                let failed = |error: io::Error| refused(&format!("cannot use {folder}: {error}"), Exit::Outside);
                Some(opened.map_err(failed)?)
            }
        };
        Ok(Filler {
            downloads,
            waiting: Vec::new(),
            job: job.clone(),
            failures: Vec::new(),
        })
    }

    /// Takes a record, and writes those that have their files.
    pub(crate) fn take(
        &mut self,
        record: Record,
        is_ending: bool,
        progress: &RunProgress,
        write: &mut dyn FnMut(&Record, bool) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.downloads.is_none() {
            return write(&record, is_ending);
        }
        self.waiting.push((record, is_ending));
        match self.waiting.len() < MOST_WAITING {
            true => Ok(()),
            false => self.flush(progress, write),
        }
    }

    /// Writes all records that wait.
    pub(crate) fn flush(
        &mut self,
        progress: &RunProgress,
        write: &mut dyn FnMut(&Record, bool) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(downloads) = self.downloads.as_mut().filter(|_| !self.waiting.is_empty()) else {
            return Ok(());
        };
        let (mut records, endings): (Vec<Record>, Vec<bool>) = std::mem::take(&mut self.waiting).into_iter().unzip();
        let folder = downloads.folder().display().to_string();
        let filled = downloads.fill(&mut records, &self.job);
        let filled = filled.map_err(|error| io::Error::new(error.kind(), format!("{folder}: {error}")))?;
        // Records without their files are not what the run finds when it goes on.
        let Filled::All(failures) = filled else { return Ok(()) };
        for failure in failures {
            progress.download(&failure.message, || {
                report::trouble(&failure.message, failure.remedy.as_ref())
            });
            self.failures.push(failure.message);
        }
        let mut all = records.iter().zip(endings);
        all.try_for_each(|(record, is_ending)| write(record, is_ending))
    }

    /// What could not be downloaded.
    pub(crate) fn failures(&self) -> &[String] {
        &self.failures
    }
}
