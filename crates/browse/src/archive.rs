//! Recording runs, and replaying recordings.
//!
//! [`Web::recorded`](crate::Web::recorded) writes every exchange to a [`Tape`], a WARC file; [`Archive`] is a transport
//! that answers from such a file. The recording contains the final result of each request: after cache, turns and
//! retries, and before redirects, cookies and parsing. So a replay repeats the latter but not the former, and gives the
//! same records without the network. robots.txt is not recorded; a page that it forbids is recorded as a failure.
//!
//! An answer is found by its request: method, address without fragment, body. Headers do not count, because cookies and
//! referrers follow from the pages before, and a site may number its sessions. A request may have had several answers,
//! as when a page is opened before and after a login: the first request gets the first answer, the second the second,
//! and after the last one the last again. So a replay is exact if it makes each request as often, and in the same
//! order, as the recorded run did. Several requests for one address at the same time are ordered by when their answers
//! came.
//!
//! Failures are recorded as well: where the recorded run had a timeout, so has its replay, and the answer to a later
//! request is not taken instead. A request that was never made is [`FailureKind::NotRecorded`].
//!
//! The index takes one pass over the file and stores a hash and a place for each exchange, but no text; answers are
//! read when they are needed. Archives of other programs work as well: where the request is missing, it is taken as a
//! GET.
//!
//! A recording contains what was sent: cookies, and what was typed into forms, including passwords. On Unix only its
//! owner may read it. Files that the user opens do not pass through a transport: they are not recorded, and a replay
//! reads the files themselves.

use crate::fetch::{Budget, Fetch, Request, Response};
use crate::message::{self, BodyError, Message};
use crate::warc::{Fault, Problem, Reader, Shelf, Spot, Writer, hash, room_for};
use crate::web::brief;
use page::driver::{DriverError, FailureKind};
use page::{Limit, Remedy};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use url::{Position, Url};

/// The most bytes of a recorded request that are read to identify it.
const MOST_SENT: u64 = 64 << 20;

/// At most this many faults of a file are reported one by one.
const MOST_FAULTS: usize = 100;

/// The file that a run is recorded in.
///
/// Until [`Tape::finish`] its name ends in `.part`. Each exchange is written at once and in one piece, so whatever ends
/// the process, the file that it leaves can be read. Clones are the same file; if the last is dropped unfinished and
/// nothing was recorded, the file goes too.
#[derive(Clone, Debug)]
pub struct Tape {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    target: PathBuf,
    part: PathBuf,
    overwrite: bool,
    writer: Writer,
    /// The length of the file before the first exchange.
    bare: u64,
    state: Mutex<State>,
    /// Can more be written? What `state` says, for those who ask often while others write.
    is_open: AtomicBool,
}

impl Drop for Shared {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if matches!(state, State::Open(_, whole) if *whole <= self.bare) {
            let _ = fs::remove_file(&self.part);
        }
    }
}

#[derive(Debug)]
enum State {
    /// The file, and the length of its complete records.
    Open(File, u64),
    Failed(TapeError),
    Finished,
}

/// Why a recording cannot be written.
#[derive(Clone, Debug)]
pub struct TapeError {
    /// The file in question.
    pub path: PathBuf,
    cause: Arc<io::Error>,
}

impl TapeError {
    pub(crate) fn new(path: &Path, error: io::Error) -> TapeError {
        TapeError {
            path: path.to_owned(),
            cause: Arc::new(error),
        }
    }

    /// The system's kind of error.
    pub fn kind(&self) -> io::ErrorKind {
        self.cause.kind()
    }

    /// What the user can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        let advice = match self.kind() {
            io::ErrorKind::AlreadyExists if self.path.extension().is_some_and(|ending| ending == "part") => {
                "another run is writing it, or a run was stopped and left what it had recorded; move the file away"
            }
            io::ErrorKind::AlreadyExists => "choose another name, or remove it first",
            io::ErrorKind::StorageFull => "what was recorded before is kept there",
            _ => return None,
        };
        Some(advice.into())
    }
}

impl fmt::Display for TapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.kind() {
            io::ErrorKind::AlreadyExists => write!(f, "{path} exists already and is not overwritten"),
            _ => write!(f, "cannot write the recording {path}: {}", self.cause),
        }
    }
}

impl std::error::Error for TapeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.cause)
    }
}

impl Tape {
    /// Starts a recording in this file; compressed if its name ends in `.gz`.
    ///
    /// # Errors
    ///
    /// The file, or its `.part` file, exists and must not be overwritten; or it cannot be written.
    pub fn create(target: impl Into<PathBuf>, overwrite: bool) -> Result<Tape, TapeError> {
        Tape::begin(target.into(), overwrite, SystemTime::now())
    }

    fn begin(target: PathBuf, overwrite: bool, now: SystemTime) -> Result<Tape, TapeError> {
        let mut part = target.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        if !overwrite && target.symlink_metadata().is_ok() {
            return Err(TapeError::new(&target, io::ErrorKind::AlreadyExists.into()));
        }
        let mut options = OpenOptions::new();
        options.write(true);
        if overwrite {
            options.create(true).truncate(true);
        } else {
            options.create_new(true);
        }
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let failed = |error: io::Error| TapeError::new(&part, error);
        let file = options.open(&part).map_err(failed)?;
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let gzip = target
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
        let age = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let writer = Writer::new(gzip, &format!("{name} {} {}", age.as_nanos(), std::process::id()));
        let info = writer.info(now, &[]).map_err(failed)?;
        let tape = Tape {
            shared: Arc::new(Shared {
                target,
                part,
                overwrite,
                writer,
                bare: info.len() as u64,
                state: Mutex::new(State::Open(file, 0)),
                is_open: AtomicBool::new(true),
            }),
        };
        tape.append(&info)?;
        Ok(tape)
    }

    /// Continues a file that has these bytes already. Its name stays as it is.
    pub(crate) fn over(path: PathBuf, file: File, length: u64) -> Result<Tape, TapeError> {
        let now = SystemTime::now();
        let age = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let seed = format!("{} {} {}", path.display(), age.as_nanos(), std::process::id());
        let writer = match crate::recording::is_gzip(&path) {
            true => Writer::fast(&seed),
            false => Writer::new(false, &seed),
        };
        let info = writer.info(now, &[]).map_err(|error| TapeError::new(&path, error))?;
        let tape = Tape {
            shared: Arc::new(Shared {
                target: path.clone(),
                part: path,
                overwrite: true,
                writer,
                bare: 0,
                state: Mutex::new(State::Open(file, length)),
                is_open: AtomicBool::new(true),
            }),
        };
        if length == 0 {
            tape.append(&info)?;
        }
        Ok(tape)
    }

    /// The bytes that were written, with those that were there before.
    pub(crate) fn length(&self) -> u64 {
        match &*self.state() {
            State::Open(_, whole) => *whole,
            _ => 0,
        }
    }

    /// Waits until the disk has everything that was written before this call.
    pub(crate) fn sync(&self) -> Result<(), TapeError> {
        let file = match &*self.state() {
            State::Open(file, _) => file.try_clone(),
            State::Failed(error) => return Err(error.clone()),
            State::Finished => return Ok(()),
        };
        // Others may write meanwhile.
        let synced = file.and_then(|file| file.sync_data());
        synced.map_err(|error| self.fail(error))
    }

    /// Ends the recording: nothing more can be written.
    pub(crate) fn fail(&self, error: io::Error) -> TapeError {
        let mut state = self.state();
        if let State::Failed(first) = &*state {
            return first.clone();
        }
        let failure = TapeError::new(&self.shared.part, error);
        self.close(&mut state, State::Failed(failure.clone()));
        failure
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Can more be written?
    pub(crate) fn check(&self) -> Result<(), TapeError> {
        if self.shared.is_open.load(Ordering::Acquire) {
            return Ok(());
        }
        match &*self.state() {
            State::Open(..) => Ok(()),
            State::Failed(error) => Err(error.clone()),
            State::Finished => Err(self.finished()),
        }
    }

    fn close(&self, state: &mut State, end: State) {
        *state = end;
        self.shared.is_open.store(false, Ordering::Release);
    }

    fn finished(&self) -> TapeError {
        TapeError::new(&self.shared.target, io::Error::other("it is finished"))
    }

    /// Writes bytes, and gives the place where they begin.
    pub(crate) fn append(&self, bytes: &[u8]) -> Result<u64, TapeError> {
        let mut state = self.state();
        let (file, whole) = match &mut *state {
            State::Open(file, whole) => (file, whole),
            State::Failed(error) => return Err(error.clone()),
            State::Finished => return Err(self.finished()),
        };
        match file.write_all(bytes) {
            Ok(()) => {
                *whole += bytes.len() as u64;
                Ok(*whole - bytes.len() as u64)
            }
            Err(error) => {
                let failure = TapeError::new(&self.shared.part, error);
                // Readers skip half a record at the end, but it is better to leave none.
                let _ = file.set_len(*whole);
                self.close(&mut state, State::Failed(failure.clone()));
                Err(failure)
            }
        }
    }

    /// Writes one exchange.
    ///
    /// # Errors
    ///
    /// It cannot be written, or an earlier one could not.
    pub fn write(
        &self,
        at: SystemTime,
        request: &Request,
        answer: &Result<Response, DriverError>,
    ) -> Result<(), TapeError> {
        let (bytes, _) = self.pack(at, request, answer, &[])?;
        self.append(&bytes).map(|_| ())
    }

    /// The bytes of an exchange, with further fields for its request, and where the answer begins in them.
    pub(crate) fn pack(
        &self,
        at: SystemTime,
        request: &Request,
        answer: &Result<Response, DriverError>,
        fields: &[(&str, &str)],
    ) -> Result<(Vec<u8>, usize), TapeError> {
        let packed = self.shared.writer.parts(at, request, answer, fields);
        packed.map_err(|error| TapeError::new(&self.shared.part, error))
    }

    /// Renames the file to its final name. Fetching anything after that is an error.
    ///
    /// # Errors
    ///
    /// The recording is not complete, because something could not be written; what was written keeps the name that ends
    /// in `.part`. Or the file cannot be renamed.
    pub fn finish(&self) -> Result<(), TapeError> {
        let Shared {
            target,
            part,
            overwrite,
            ..
        } = &*self.shared;
        let mut state = self.state();
        match &*state {
            State::Open(file, _) => file.sync_all().map_err(|error| TapeError::new(part, error))?,
            State::Failed(error) => return Err(error.clone()),
            State::Finished => return Ok(()),
        }
        if !overwrite && target.symlink_metadata().is_ok() {
            return Err(TapeError::new(target, io::ErrorKind::AlreadyExists.into()));
        }
        fs::rename(part, target).map_err(|error| TapeError::new(target, error))?;
        self.close(&mut state, State::Finished);
        Ok(())
    }
}

/// A transport that answers from a recording.
#[derive(Debug)]
pub struct Archive {
    shelf: Shelf,
    answers: BTreeMap<u128, Answers>,
    exchanges: usize,
    faults: Vec<Fault>,
    further_faults: usize,
}

/// The answers to one request.
#[derive(Debug, Default)]
struct Answers {
    spots: Vec<Spot>,
    asked: AtomicUsize,
}

impl Archive {
    /// Indexes the answers in a WARC file.
    ///
    /// Broken parts are skipped: see [`Archive::faults`].
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not a WARC file.
    pub fn open(path: impl Into<PathBuf>) -> Result<Archive, DriverError> {
        let path = path.into();
        let failed = |why: &dyn fmt::Display| {
            DriverError::new(
                FailureKind::Unreachable,
                format!("{} cannot be replayed: {why}", path.display()),
            )
        };
        let file = File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => failed(&"there is no such file"),
            _ => failed(&error).with_source(error),
        })?;
        let mut faults = Vec::new();
        let mut further_faults = 0;
        let mut records = 0usize;
        let mut index = Index::default();
        let mut reader = Reader::new(file, 0);
        while let Some(record) = reader.next_keeping(|head| if head.is("request") { MOST_SENT } else { 0 }) {
            match record {
                Ok(record) => {
                    records += 1;
                    index.add(&record);
                }
                Err(Fault {
                    problem: Problem::Io(error),
                    ..
                }) => return Err(failed(&error).with_source(error)),
                Err(fault) if faults.len() < MOST_FAULTS => faults.push(fault),
                Err(_) => further_faults += 1,
            }
        }
        if records == 0 {
            return Err(match faults.into_iter().next() {
                Some(fault) => failed(&fault).with_source(fault),
                None => failed(&"the file is empty"),
            }
            .with_remedy("expected a WARC file, such as a recorded run writes"));
        }
        let exchanges = index.answers.len();
        Ok(Archive {
            shelf: Shelf::new(path),
            answers: index.finish(),
            exchanges,
            faults,
            further_faults,
        })
    }

    /// The number of answers, including recorded failures.
    pub fn exchanges(&self) -> usize {
        self.exchanges
    }

    /// The parts of the file that cannot be used, up to a hundred.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The number of further faults.
    pub fn further_faults(&self) -> usize {
        self.further_faults
    }

    fn read(&self, spot: Spot, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
        let answer = read_answer(&self.shelf, spot, request, budget)?;
        // An old recording says nothing about the network of today.
        Ok(Response { remote: None, ..answer })
    }
}

fn not_recorded(shelf: &Shelf, request: &Request) -> DriverError {
    let message = format!(
        "{} {} is not in the recording {}",
        request.method.as_str(),
        brief(&request.url),
        shelf.path().display()
    );
    DriverError::new(FailureKind::NotRecorded, message)
        .with_remedy("a replay has only what the recorded run asked for; record it again")
}

/// The recorded answer to a request, at its place.
pub(crate) fn read_answer(
    shelf: &Shelf,
    spot: Spot,
    request: &Request,
    budget: &Budget,
) -> Result<Response, DriverError> {
    let broken = |why: &dyn fmt::Display| {
        let (url, file) = (brief(&request.url), shelf.path().display());
        DriverError::new(
            FailureKind::Unreachable,
            format!("the recording of {url} in {file} at {spot} cannot be used: {why}"),
        )
    };
    let too_large = || {
        let message = format!(
            "{} is larger than the limit of {} bytes",
            brief(&request.url),
            budget.bytes
        );
        DriverError::new(FailureKind::TooLarge, message).with_remedy(Remedy::RaiseLimit(Limit::Bytes))
    };
    let record = shelf
        .read(spot, room_for(budget.bytes))
        .map_err(|fault| match fault.problem {
            Problem::TooLarge { .. } => too_large(),
            _ => broken(&fault).with_source(fault),
        })?;
    // Hashes can collide, at least on purpose.
    let target = record.head.target().and_then(bare);
    if target != bare(request.url.as_str()) {
        return Err(not_recorded(shelf, request));
    }
    if let Some(kind) = record.head.field(FAILURE) {
        return Err(message::failure(kind, &record.block));
    }
    let answer = Message::parse(&record.block).filter(|answer| answer.status().is_some());
    let answer = answer.ok_or_else(|| broken(&"it is not an HTTP response"))?;
    let cut = record.head.field("WARC-Truncated").is_some();
    let body = answer.body_so_far(budget.bytes).map_err(|error| broken(&error))?;
    match body {
        (bytes, _) if bytes.len() > budget.bytes => Err(too_large()),
        (_, Some(coding)) if !cut => Err(broken(&BodyError::Broken(coding))),
        (bytes, _) => Ok(Response {
            status: answer.status().unwrap_or(0),
            headers: answer.restored(),
            body: bytes.into_owned(),
            remote: record
                .head
                .field("WARC-IP-Address")
                .and_then(|ip| ip.trim().parse().ok()),
        }),
    }
}

impl Fetch for Archive {
    fn fetch(&self, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
        let Some(answers) = self.answers.get(&fingerprint(request)) else {
            return Err(not_recorded(&self.shelf, request));
        };
        let count = answers.asked.fetch_add(1, Ordering::Relaxed);
        match answers.spots.get(count).or(answers.spots.last()) {
            Some(spot) => self.read(*spot, request, budget),
            None => Err(not_recorded(&self.shelf, request)),
        }
    }
}

/// The field that names the kind of a recorded failure.
pub(crate) const FAILURE: &str = "Wrapwright-Failure";

/// An address without its fragment, as drivers write it.
fn bare(url: &str) -> Option<String> {
    let mut url = Url::parse(url).ok()?;
    url.set_fragment(None);
    Some(url.into())
}

/// What identifies a request: method, address without fragment, body.
pub fn fingerprint(request: &Request) -> u128 {
    let body = request.body.as_ref().map_or(&[][..], |body| &body.bytes);
    let bare = &request.url[..Position::AfterQuery];
    hash(&[request.method.as_str().as_bytes(), bare.as_bytes(), body])
}

/// What identifies a request that was written down: the same as its [`fingerprint`].
pub(crate) fn key(method: &str, url: &str, body: &[u8]) -> Option<u128> {
    Some(hash(&[method.as_bytes(), bare(url)?.as_bytes(), body]))
}

/// The index while a file is read.
#[derive(Default)]
struct Index {
    /// Requests, by their record ids and the ids that they refer to.
    questions: BTreeMap<u128, u128>,
    answers: Vec<Answer>,
}

/// A response, or a recorded failure.
struct Answer {
    spot: Spot,
    /// The request, if there is no record of it.
    plain: u128,
    id: Option<u128>,
    belongs_to: Option<u128>,
}

impl Index {
    fn add(&mut self, record: &crate::warc::Record) {
        let head = &record.head;
        let id = |name: &str| head.field(name).map(|id| hash(&[id.as_bytes()]));
        let Some(target) = head.target() else {
            return;
        };
        if head.is("request") && head.length <= MOST_SENT {
            let question = Message::parse(&record.block)
                .and_then(|request| key(request.method().unwrap_or("GET"), target, request.stored));
            if let Some(question) = question {
                let ids = [id("WARC-Record-ID"), id("WARC-Concurrent-To")];
                self.questions
                    .extend(ids.into_iter().flatten().map(|id| (id, question)));
            }
        } else if (head.is("response") && is_http(head, target))
            || (head.is("metadata") && head.field(FAILURE).is_some())
        {
            self.answers.extend(key("GET", target, &[]).map(|plain| Answer {
                spot: head.spot,
                plain,
                id: id("WARC-Record-ID"),
                belongs_to: id("WARC-Concurrent-To"),
            }));
        }
    }

    fn finish(self) -> BTreeMap<u128, Answers> {
        let mut found: BTreeMap<u128, Answers> = BTreeMap::new();
        for answer in self.answers {
            let ids = [answer.id, answer.belongs_to].into_iter().flatten();
            let question = ids.filter_map(|id| self.questions.get(&id)).next();
            let question = *question.unwrap_or(&answer.plain);
            found.entry(question).or_default().spots.push(answer.spot);
        }
        found
    }
}

/// Archives also contain answers of other protocols, such as `dns:`.
fn is_http(head: &crate::warc::Head, target: &str) -> bool {
    let media = head.field("Content-Type").unwrap_or("application/http");
    let http = media
        .trim_start()
        .get(..16)
        .is_some_and(|m| m.eq_ignore_ascii_case("application/http"));
    http && target
        .get(..4)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HttpSettings, Web};
    use page::driver::Options;

    #[test]
    fn a_recording_of_nothing_is_not_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let files = || fs::read_dir(dir.path()).unwrap().count();
        let tape = Tape::create(dir.path().join("x.warc"), false).unwrap();
        assert_eq!(files(), 1);
        drop(tape);
        assert_eq!(files(), 0);
        let tape = Tape::create(dir.path().join("x.warc"), false).unwrap();
        let request = Request::get(Url::parse("http://a.test/").unwrap());
        tape.write(SystemTime::now(), &request, &Ok(Response::html("x")))
            .unwrap();
        drop(tape);
        assert!(dir.path().join("x.warc.part").exists());
        let tape = Tape::create(dir.path().join("y.warc"), false).unwrap();
        tape.finish().unwrap();
        drop(tape);
        assert!(dir.path().join("y.warc").exists());
    }

    #[test]
    fn a_request_is_known_again_when_it_was_written_down() {
        for text in [
            "http://a.test",
            "http://a.test/b?c=d#e",
            "https://Ä.test:443/%41 b?#",
            "http://a.test/?q=x y",
        ] {
            let request = Request::get(Url::parse(text).unwrap());
            assert_eq!(key("GET", text, &[]), Some(fingerprint(&request)), "{text}");
            assert_eq!(
                key("GET", request.url.as_str(), &[]),
                Some(fingerprint(&request)),
                "{text}"
            );
        }
    }

    #[test]
    fn a_write_that_fails_ends_the_run_and_keeps_what_is_whole() {
        struct Count(AtomicUsize);
        impl Fetch for Count {
            fn fetch(&self, _: &Request, _: &Budget) -> Result<Response, DriverError> {
                self.0.fetch_add(1, Ordering::Relaxed);
                Ok(Response::html("x"))
            }
        }
        let dir = tempfile::tempdir().unwrap();
        let tape = Tape::create(dir.path().join("x.warc"), false).unwrap();
        let driver = Web::recorded(Count(AtomicUsize::new(0)), HttpSettings::offline(), tape.clone());
        let get = || driver.get("http://a.test/", None, &Options::default());
        get().unwrap();
        // A file that was opened to be read cannot be written.
        let part = dir.path().join("x.warc.part");
        let length = part.metadata().unwrap().len();
        *tape.state() = State::Open(File::open(&part).unwrap(), length);
        for _ in 0..2 {
            let error = get().unwrap_err();
            assert!(error.message.starts_with("cannot write the recording"), "{error}");
        }
        assert_eq!(
            driver.transport().0.load(Ordering::Relaxed),
            2,
            "after a failure nothing is asked"
        );
        assert!(tape.finish().is_err());
        assert!(!dir.path().join("x.warc").exists());
        assert_eq!(Archive::open(part).unwrap().exchanges(), 1);
    }
}
