//! Files that records link to: images, documents, sounds.
//!
//! **Idea.** [`Downloads::fill`] takes records before they are written, fetches what some of their fields link to, and adds a field
//! with the name of the file: next to `cover` there is `cover_file`. Files go to one directory and are named by their content
//! (SHA-256), so the same picture is there once, whatever its addresses are, and no name comes from a page.
//!
//! ```text
//! files/
//!   3f/3f7a….jpg
//!   downloads.ndjson     a line for each address: {"url":…, "file":…, "bytes":…, "type":…} or {"url":…, "failure":…, "run":…}
//! ```
//!
//! **Politeness.** Files are fetched by the driver that fetches the pages: robots.txt, pauses at a host, retries, cookies and the
//! rules for private addresses are the same. They are not recorded and not cached.
//!
//! **Going on.** An address that has a line and a file is not asked for again, by this run or another one with the same
//! directory. A file has its name only when it is whole, and its line comes after that. A failure counts for its run alone:
//! when that goes on after a kill, its records must be the same as before.
//!
//! **Limits.** A file has a limit of bytes ([`DownloadSpec::most_bytes`]) and is in memory until it is written, one for each job.
//! Memory is about a hundred bytes for each known address.

use crate::errand::map_until;
use crate::whole;
use browse::{Fetch, Fetched, Web, in_hex, sha256};
use page::driver::{DriverError, FailureKind, Options};
use page::{Job, Remedy};
use record::{NotBeside, Record, RecordType};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The most bytes of a file, if nothing else is said.
pub const MOST_BYTES: usize = 50 << 20;

/// The file that says which address is which file.
const INDEX: &str = "downloads.ndjson";

/// The most records that wait for their files.
#[cfg(feature = "runs")]
const MOST_WAITING: usize = 64;

/// What is added to the name of a field.
const SUFFIX: &str = "_file";

/// The time for one file. It is more than that of a page, because files are larger.
const TIME: Duration = Duration::from_secs(300);

/// The longest ending of a name that is taken over from an address.
const LONGEST_ENDING: usize = 5;

/// What is downloaded, and where to.
#[derive(Clone, Debug)]
pub struct DownloadSpec {
    /// Paths of fields: `cover`, `offer.picture`.
    pub fields: Vec<String>,
    /// The directory, which is made.
    pub folder: PathBuf,
    /// The most bytes of a file.
    pub most_bytes: usize,
    /// Files to fetch at a time.
    pub jobs: usize,
    /// The name of the run.
    pub run: String,
}

/// A file that could not be had.
#[derive(Debug)]
pub struct DownloadFailure {
    /// What went wrong; it names the address.
    pub message: String,
    /// What can be done about it.
    pub remedy: Option<Remedy>,
}

/// A line of the index.
#[derive(Serialize, Deserialize)]
struct Line {
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
}

/// What is known of an address.
#[derive(Debug)]
enum Known {
    File(Box<str>),
    /// It failed in this run.
    Failed,
}

/// Downloads of a run.
pub struct Downloads {
    spec: DownloadSpec,
    web: Web<Box<dyn Fetch>>,
    index: File,
    known: HashMap<Box<str>, Known>,
}

/// What became of a portion of records.
#[derive(Debug)]
pub enum Filled {
    /// They have their files, except for these.
    All(Vec<DownloadFailure>),
    /// The job was stopped before they had them.
    Stopped,
}

/// Records that wait for their files: they are fetched for several records at once. Without anything to download no record
/// waits.
#[cfg(feature = "runs")]
pub struct Filler {
    downloads: Option<(Downloads, Job)>,
    /// Each with whether it was finished early.
    waiting: Vec<(Record, bool)>,
}

#[cfg(feature = "runs")]
impl Filler {
    /// For runs that download nothing.
    pub fn none() -> Filler {
        Filler {
            downloads: None,
            waiting: Vec::new(),
        }
    }

    /// Gives records their files until the job is stopped.
    pub fn new(downloads: Downloads, job: &Job) -> Filler {
        Filler {
            downloads: Some((downloads, job.clone())),
            waiting: Vec::new(),
        }
    }

    /// Takes a record that must wait; gives it back if none does.
    pub(crate) fn wait(&mut self, record: Record, is_ending: bool) -> Option<Record> {
        if self.downloads.is_none() {
            return Some(record);
        }
        self.waiting.push((record, is_ending));
        None
    }

    /// Do as many records wait as may?
    pub(crate) fn is_full(&self) -> bool {
        self.waiting.len() >= MOST_WAITING
    }

    /// All records that wait, with their files; `fails` hears of files that could not be had. If the job was stopped there are
    /// no records: without their files they are not what the run finds when it goes on.
    pub(crate) fn filled(&mut self, fails: &mut dyn FnMut(DownloadFailure)) -> io::Result<Vec<(Record, bool)>> {
        let Some((downloads, job)) = self.downloads.as_mut().filter(|_| !self.waiting.is_empty()) else {
            return Ok(Vec::new());
        };
        let (mut records, endings): (Vec<Record>, Vec<bool>) = std::mem::take(&mut self.waiting).into_iter().unzip();
        let folder = downloads.folder().display().to_string();
        let filled = downloads.fill(&mut records, job);
        let filled = filled.map_err(|error| io::Error::new(error.kind(), format!("{folder}: {error}")))?;
        let Filled::All(failures) = filled else {
            return Ok(Vec::new());
        };
        failures.into_iter().for_each(fails);
        Ok(records.into_iter().zip(endings).collect())
    }
}

impl DownloadSpec {
    /// The types of records that have their files.
    ///
    /// # Errors
    ///
    /// A field does not exist in any of them, or its new name does.
    pub fn types(&self, types: &[RecordType]) -> Result<Vec<RecordType>, NotBeside> {
        RecordType::with_beside(types, &self.fields, SUFFIX)
    }

    /// Opens the directory. Files are fetched by the driver.
    ///
    /// # Errors
    ///
    /// It cannot be written or read.
    pub fn open(self, web: Web<Box<dyn Fetch>>) -> io::Result<Downloads> {
        fs::create_dir_all(&self.folder)?;
        let path = self.folder.join(INDEX);
        let mut index = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let known = read_index(&index, &self.run)?;
        end_line(&mut index)?;
        Ok(Downloads {
            spec: self,
            web,
            index,
            known,
        })
    }
}

impl Downloads {
    /// Where files go.
    pub fn folder(&self) -> &Path {
        &self.spec.folder
    }

    /// Fetches what these records link to, and adds the names of the files to them.
    ///
    /// # Errors
    ///
    /// A file cannot be written: the run must end.
    pub fn fill(&mut self, records: &mut [Record], job: &Job) -> io::Result<Filled> {
        // Each address once, with the first page that leads to it.
        let mut wanted: BTreeMap<String, Arc<str>> = BTreeMap::new();
        for record in records.iter() {
            for path in &self.spec.fields {
                record.each_value(path, &mut |value| {
                    if let Some(url) = address(value).filter(|url| !self.is_known(url)) {
                        wanted.entry(url).or_insert_with(|| Arc::clone(&value.page));
                    }
                });
            }
        }
        let failures = match self.fetch(wanted.into_iter().collect(), job)? {
            Some(failures) => failures,
            None => return Ok(Filled::Stopped),
        };
        let name_of = |value: &Record| match self.known.get(&*address(value)?)? {
            Known::File(name) => Some(name.to_string()),
            Known::Failed => None,
        };
        for record in records {
            for path in &self.spec.fields {
                record.add_beside(path, SUFFIX, &name_of);
            }
        }
        Ok(Filled::All(failures))
    }

    fn is_known(&self, url: &str) -> bool {
        match self.known.get(url) {
            // Somebody may have removed it.
            Some(Known::File(name)) => self.spec.folder.join(&**name).is_file(),
            Some(Known::Failed) => true,
            None => false,
        }
    }

    /// Fetches addresses, each on behalf of a page; none if the job was stopped.
    fn fetch(&mut self, wanted: Vec<(String, Arc<str>)>, job: &Job) -> io::Result<Option<Vec<DownloadFailure>>> {
        let (mut failures, mut error, mut done) = (Vec::new(), None, 0);
        let count = wanted.len();
        if count == 0 {
            return Ok(Some(failures));
        }
        let urls: Vec<String> = wanted.iter().map(|(url, _)| url.clone()).collect();
        let work = {
            let (web, most) = (self.web.clone(), self.spec.most_bytes);
            let options = Options {
                timeout: Some(TIME),
                ..Options::default()
            };
            move |(url, page): &(String, Arc<str>)| web.download(url, page, most, &options)
        };
        let stopped = {
            let job = job.clone();
            move || job.is_stopped()
        };
        map_until(wanted, self.spec.jobs, work, &stopped, |at, answer| {
            let url = &urls[at];
            let answer = answer.unwrap_or_else(|| {
                let message = format!("{url}: a bug ended this download");
                Err(DriverError::new(FailureKind::Other, message))
            });
            let kept = match answer.and_then(is_fine) {
                Ok(fetched) => self.keep(url, &fetched),
                Err(failure) => {
                    let noted = self.note(&Line {
                        failure: Some(failure.kind.name()),
                        run: Some(self.spec.run.clone()),
                        ..Line::of(url)
                    });
                    self.known.insert(url.as_str().into(), Known::Failed);
                    failures.push(DownloadFailure {
                        message: format!("a file could not be downloaded: {}", failure.message),
                        remedy: failure.remedy,
                    });
                    noted
                }
            };
            done += 1;
            error = kept.err();
            error.is_none()
        })?;
        match error {
            Some(error) => Err(error),
            None => Ok((done == count).then_some(failures)),
        }
    }

    /// Writes a file, and then its line.
    fn keep(&mut self, url: &str, fetched: &Fetched) -> io::Result<()> {
        let kind = fetched.header("content-type").map(str::to_owned);
        let hash = in_hex(&sha256(&[&fetched.body]));
        let folder = &hash[..2];
        let name = format!("{folder}/{hash}{}", ending(&fetched.url, kind.as_deref()));
        let path = self.spec.folder.join(&name);
        if !path.is_file() {
            fs::create_dir_all(self.spec.folder.join(folder))?;
            whole::write(&path, &fetched.body)?;
        }
        self.note(&Line {
            file: Some(name.clone()),
            bytes: Some(fetched.body.len() as u64),
            kind,
            ..Line::of(url)
        })?;
        self.known.insert(url.into(), Known::File(name.into()));
        Ok(())
    }

    /// One write for a line, so that lines of several processes do not mix.
    fn note(&self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        (&self.index).write_all(text.as_bytes())
    }
}

impl Line {
    fn of(url: &str) -> Line {
        Line {
            url: url.to_owned(),
            file: None,
            bytes: None,
            kind: None,
            failure: None,
            run: None,
        }
    }
}

/// What the index says, as far as it concerns a run. A line that a kill cut off says nothing.
fn read_index(index: &File, run: &str) -> io::Result<HashMap<Box<str>, Known>> {
    /// A line has an address and little more.
    const LONGEST: u64 = 1 << 20;
    let mut known = HashMap::new();
    let mut lines = BufReader::new(index);
    loop {
        let mut line = Vec::new();
        if lines.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(known);
        }
        let Ok(line) = serde_json::from_slice::<Line>(&line) else {
            continue;
        };
        let url = line.url.into_boxed_str();
        match line.file {
            Some(file) if is_ours(&file) => drop(known.insert(url, Known::File(file.into()))),
            _ if line.run.as_deref() == Some(run) => drop(known.insert(url, Known::Failed)),
            _ => {}
        }
    }
}

/// Is it a name that [`Downloads::keep`] gives? An index that somebody has written must not lead elsewhere.
fn is_ours(name: &str) -> bool {
    let hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let Some((folder, file)) = name.split_once('/') else {
        return false;
    };
    let (hash, ending) = file.split_once('.').unwrap_or((file, ""));
    folder.len() == 2
        && hash.len() == 64
        && hash.starts_with(folder)
        && hex(hash)
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Ends a line that a kill cut off.
fn end_line(index: &mut File) -> io::Result<()> {
    let mut last = [b'\n'];
    if index.seek(SeekFrom::End(0))? > 0 {
        index.seek(SeekFrom::End(-1))?;
        index.read_exact(&mut last)?;
    }
    match last {
        [b'\n'] => Ok(()),
        _ => index.write_all(b"\n"),
    }
}

fn is_fine(fetched: Fetched) -> Result<Fetched, DriverError> {
    match fetched.status {
        200..=299 => Ok(fetched),
        status => {
            let message = format!("{} answered {status}", fetched.url);
            Err(DriverError::new(FailureKind::Status(status), message))
        }
    }
}

/// The ending of a name: that of the address if it looks like one, otherwise the usual one of the type.
fn ending(url: &str, kind: Option<&str>) -> String {
    const USUAL: [(&str, &str); 14] = [
        ("image/jpeg", "jpg"),
        ("image/png", "png"),
        ("image/gif", "gif"),
        ("image/webp", "webp"),
        ("image/avif", "avif"),
        ("image/svg+xml", "svg"),
        ("application/pdf", "pdf"),
        ("application/zip", "zip"),
        ("application/json", "json"),
        ("text/html", "html"),
        ("text/plain", "txt"),
        ("text/csv", "csv"),
        ("audio/mpeg", "mp3"),
        ("video/mp4", "mp4"),
    ];
    let path = url::Url::parse(url)
        .map(|url| url.path().to_owned())
        .unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or("");
    let written = last.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_usual = |ending: &String| {
        (1..=LONGEST_ENDING).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let by_kind = || {
        let kind = kind?.split(';').next()?.trim().to_ascii_lowercase();
        let (_, ending) = USUAL.iter().find(|(known, _)| *known == kind)?;
        Some((*ending).to_owned())
    };
    let ending = written.filter(is_usual).or_else(by_kind);
    ending.map(|ending| format!(".{ending}")).unwrap_or_default()
}

/// The address of a value, in full and without its fragment; none if it is empty or not an address.
fn address(value: &Record) -> Option<String> {
    let text = value.value.as_deref()?.trim();
    if text.is_empty() {
        return None;
    }
    let mut url = match url::Url::parse(&value.page) {
        Ok(page) => page.join(text).ok()?,
        Err(_) => url::Url::parse(text).ok()?,
    };
    url.set_fragment(None);
    Some(url.into())
}

impl fmt::Debug for Downloads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Downloads")
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use browse::{Budget, HttpSettings, Request, Response};
    use page::NodeId;

    /// A server with a few files, or with none.
    struct Server(bool);

    impl Fetch for Server {
        fn fetch(&self, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
            let file = |body: &[u8], kind: &str| {
                let response = Response {
                    body: body.to_vec(),
                    ..Response::status(200)
                };
                response.with("Content-Type", kind)
            };
            let answer = match request.url.path() {
                "/1.JPG" if self.0 => file(b"one", ""),
                "/2" if self.0 => file(b"one", "image/png; x"),
                "/large" if self.0 => file(&[0; 2000], ""),
                _ => Response::status(404),
            };
            match answer.body.len() > budget.bytes {
                true => Err(DriverError::new(FailureKind::TooLarge, "too large")),
                false => Ok(answer),
            }
        }
    }

    fn web_of(has_files: bool) -> Web<Box<dyn Fetch>> {
        Web::over(Box::new(Server(has_files)) as Box<dyn Fetch>, HttpSettings::offline())
    }

    fn web() -> Web<Box<dyn Fetch>> {
        web_of(true)
    }

    fn spec(folder: &Path, run: &str) -> DownloadSpec {
        DownloadSpec {
            fields: vec!["cover".to_owned(), "offer.picture".to_owned()],
            folder: folder.to_owned(),
            most_bytes: 1000,
            jobs: 2,
            run: run.to_owned(),
        }
    }

    fn book(covers: &[&str], picture: Option<&str>) -> Record {
        let page: Arc<str> = "http://a.test/list/".into();
        let mut record = Record::new("book", &page, NodeId::DOCUMENT);
        let leaf = |name: &str, value: &str| Record::leaf(name, value, &page, NodeId::DOCUMENT);
        record.children.extend(covers.iter().map(|cover| leaf("cover", cover)));
        if let Some(picture) = picture {
            let mut offer = Record::new("offer", &page, NodeId::DOCUMENT);
            offer.children.push(leaf("picture", picture));
            record.children.push(offer);
        }
        record
    }

    fn files(record: &Record) -> Vec<String> {
        record.all("cover_file").filter_map(|file| file.value.clone()).collect()
    }

    #[test]
    fn files_are_named_by_content_and_fetched_once() {
        let folder = tempfile::tempdir().expect("a directory");
        let mut downloads = spec(folder.path(), "r").open(web()).expect("a directory");
        let mut records = [
            book(&["/1.JPG#x", "../missing", "../2?x"], Some("/1.JPG")),
            book(&[], None),
        ];
        let filled = downloads.fill(&mut records, &Job::new()).expect("room");
        let Filled::All(failures) = filled else {
            panic!("nobody stopped it")
        };
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert!(failures[0].message.contains("http://a.test/missing"), "{failures:?}");
        let found = files(&records[0]);
        assert_eq!(found.len(), 3);
        assert!(
            found[0].ends_with(".jpg") && found[1].is_empty() && found[2].ends_with(".png"),
            "{found:?}"
        );
        assert_eq!(fs::read(folder.path().join(&found[0])).expect("a file"), b"one");
        let offer = records[0].all("offer").next().expect("an offer");
        assert_eq!(offer.get("picture_file"), Some(&*found[0]));
        assert!(files(&records[1]).is_empty());
        // Another process of the run has the same answers without asking; so has another run, which asks again what failed.
        for (run, failed) in [("r", 0), ("s", 1)] {
            let mut downloads = spec(folder.path(), run).open(web_of(false)).expect("a directory");
            let mut again = [book(&["/1.JPG#x", "../missing", "../2?x"], Some("/1.JPG"))];
            let Filled::All(failures) = downloads.fill(&mut again, &Job::new()).expect("room") else {
                panic!()
            };
            assert_eq!((failures.len(), &again[0]), (failed, &records[0]), "{run}");
        }
        // A file that somebody removed is fetched again.
        fs::remove_file(folder.path().join(&found[0])).expect("a file");
        let mut again = [book(&["/1.JPG"], None)];
        downloads.fill(&mut again, &Job::new()).expect("room");
        assert!(folder.path().join(&found[0]).is_file());
    }

    #[test]
    fn limits_and_stops_hold() {
        let folder = tempfile::tempdir().expect("a directory");
        let mut downloads = spec(folder.path(), "r").open(web()).expect("a directory");
        let mut records = [
            book(&["/large"], None),
            book(&["file:///etc/passwd"], None),
            book(&["mailto:x"], None),
        ];
        let Filled::All(failures) = downloads.fill(&mut records, &Job::new()).expect("room") else {
            panic!()
        };
        assert_eq!(failures.len(), 3, "{failures:?}");
        assert!(records.iter().all(|record| files(record).is_empty()));
        let job = Job::new();
        job.stop();
        let mut records = [book(&["/1.JPG"], None)];
        assert!(matches!(
            downloads.fill(&mut records, &job).expect("room"),
            Filled::Stopped
        ));
    }

    #[test]
    fn an_index_that_was_cut_off_or_written_by_others_does_no_harm() {
        let folder = tempfile::tempdir().expect("a directory");
        let lines = "{\"url\":\"http://a.test/1.JPG\",\"file\":\"../../etc/passwd\"}\n{\"url\":\"http://a.te";
        fs::write(folder.path().join(INDEX), lines).expect("a file");
        let mut downloads = spec(folder.path(), "r").open(web()).expect("a directory");
        assert!(downloads.known.is_empty());
        downloads
            .fill(&mut [book(&["/1.JPG"], None)], &Job::new())
            .expect("room");
        assert_eq!(
            spec(folder.path(), "r").open(web()).expect("a directory").known.len(),
            1
        );
        assert!(!is_ours(&format!("3f/3f{}/../x", "0".repeat(60))) && !is_ours("3f/3f") && !is_ours("x"));
    }
}
