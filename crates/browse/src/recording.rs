//! A recording that a run answers from and adds to, so that a run that was killed can go on.
//!
//! **Idea.** Every answer is appended to a WARC file before it is used. When the run is started again, a request that
//! was answered before gets the same answer, without the network; a new request goes to the network and is added. So
//! the second process does exactly what the first did, up to where the first ended, and then goes on.
//!
//! **Which answer.** A request is known by its fingerprint: method, address without fragment, body. It may have been
//! made several times, with different answers. Answers are therefore kept by their [`Moment`] as well: the number of the
//! run, where an expression is run with several sets of values, and its *turn*, the number of forms that this run had sent
//! (requests other than GET) when the request began. Within a moment, the first request gets the first
//! answer, the second the second, and when all of them were given the network is asked. With several workers, a page
//! may be fetched ahead, forgotten because a form was sent, and fetched again: the turn tells the two answers apart. Runs
//! that are made at the same time send the same forms in any order: their numbers tell them apart.
//!
//! **Input, output.** The index of the file is not kept here: [`Recording::append`] and [`Recording::open`] tell each
//! exchange as a [`Kept`], and [`Recording::answer`] reads one by its offset. Opening reads only what comes after the
//! part that the caller knows, and cuts off half an exchange at the end.
//!
//! **Cost.** One write for each exchange; opening takes time linear in the unknown part of the file.
//!
//! **Answers of an earlier run** are read by [`Answers`], so that a server can say that a page has not changed.
//!
//! **Known failures.** Files that the user names (`file:`) are not recorded. If a site answers the same request
//! differently within one moment and several workers ask at once, the answers may be given in another order.

use crate::archive::{Tape, TapeError, fingerprint, key, read_answer};
use crate::fetch::{Budget, Request, Response};
use crate::message::Message;
use crate::warc::{Problem, Reader, Shelf, Spot};
use page::driver::DriverError;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The fields that name the moment of an exchange.
const TURN: &str = "Wrapwright-Turn";
const RUN: &str = "Wrapwright-Run";

/// The most bytes of a recorded request that are read to identify it.
const MOST_SENT: u64 = 64 << 20;

/// What makes a run go on where it was killed: answers of before, and a place for new ones.
pub trait Recall: Send + Sync + fmt::Debug {
    /// The answer that this process has for a request of a run, by its number; or what [`Recall::keep`] must be given with a
    /// new one.
    ///
    /// # Errors
    ///
    /// There can be no more answers, because they cannot be kept.
    fn recall(&self, run: u64, request: &Request, budget: &Budget) -> Result<Recalled, TapeError>;

    /// Keeps an answer. It is used only after that.
    ///
    /// # Errors
    ///
    /// It cannot be kept; the run must end.
    fn keep(&self, when: Moment, request: &Request, answer: &Result<Response, DriverError>) -> Result<(), TapeError>;
}

/// What is known of a request.
#[derive(Debug)]
pub enum Recalled {
    /// Its answer, which may be a failure.
    Answer(Result<Response, DriverError>),
    /// Nothing: the network must be asked, at this moment.
    Unknown {
        /// When the request was made.
        when: Moment,
        /// What an earlier run got: if the server says that it is still the same, it is the answer.
        earlier: Option<Response>,
    },
}

/// When a request was made, as far as that decides its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment {
    /// The number of the run, of several with one set of values each.
    pub run: u64,
    /// The number of forms that the run had sent.
    pub turn: u64,
}

/// An exchange in a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What identifies its request.
    pub fingerprint: u128,
    /// When the request was made.
    pub when: Moment,
    /// Where the answer begins in the file.
    pub offset: u64,
    /// Where the exchange ends.
    pub end: u64,
    /// The address that was asked for.
    pub url: String,
    /// `200`, or the kind of a failure, such as `timeout`.
    pub outcome: String,
    /// Did the request send a form?
    pub is_form: bool,
}

/// A file of answers that is read and added to.
#[derive(Debug)]
pub struct Recording {
    tape: Tape,
    answers: Answers,
}

/// A recording that answers are read from by their offsets.
#[derive(Debug)]
pub struct Answers {
    shelf: Shelf,
}

impl Answers {
    /// The answers of a recording, which is opened when the first one is wanted.
    pub fn of(path: &Path) -> Answers {
        Answers {
            shelf: Shelf::new(path),
        }
    }

    /// The answer at an offset.
    ///
    /// # Errors
    ///
    /// It was a failure, or it cannot be read.
    pub fn at(&self, offset: u64, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
        read_answer(&self.shelf, Spot { offset, skip: 0 }, request, budget)
    }
}

impl Recording {
    /// Opens the recording, or makes it. `known` bytes of it are known; `tell` gets each exchange after them.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or is shorter than what is known.
    pub fn open(path: &Path, known: u64, tell: &mut dyn FnMut(Kept)) -> Result<Recording, TapeError> {
        let failed = |error: io::Error| TapeError::new(path, error);
        let length = match std::fs::metadata(path) {
            Ok(about) => about.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(failed(error)),
        };
        if length < known {
            let text = format!("it has {length} bytes, and the run had recorded {known}");
            return Err(failed(io::Error::new(io::ErrorKind::InvalidData, text)));
        }
        let end = match length > known {
            true => tail(path, known, length, tell).map_err(failed)?,
            false => known,
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(failed)?;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Recording {
            tape: Tape::over(path.to_owned(), file, end)?,
            answers: Answers::of(path),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.answers.shelf.path()
    }

    /// The bytes of all exchanges so far.
    pub fn length(&self) -> u64 {
        self.tape.length()
    }

    /// Can more be written?
    ///
    /// # Errors
    ///
    /// An answer could not be written.
    pub fn check(&self) -> Result<(), TapeError> {
        self.tape.check()
    }

    /// Ends the recording because of an error elsewhere: nothing more can be kept.
    pub fn fail(&self, error: io::Error) -> TapeError {
        self.tape.fail(error)
    }

    /// Waits until the disk has everything that was kept before this call.
    ///
    /// # Errors
    ///
    /// The disk refuses.
    pub fn sync(&self) -> Result<(), TapeError> {
        self.tape.sync()
    }

    /// The answer at an offset.
    ///
    /// # Errors
    ///
    /// It was a failure, or it cannot be read.
    pub fn answer(&self, offset: u64, request: &Request, budget: &Budget) -> Result<Response, DriverError> {
        self.answers.at(offset, request, budget)
    }

    /// An exchange as it will be written. This takes the time, and needs no order.
    ///
    /// # Errors
    ///
    /// It cannot be compressed, which does not happen in memory.
    pub fn pack(
        &self,
        when: Moment,
        request: &Request,
        answer: &Result<Response, DriverError>,
    ) -> Result<Packed, TapeError> {
        let fields = [(TURN, when.turn.to_string()), (RUN, when.run.to_string())];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        let (bytes, answer_at) = self.tape.pack(SystemTime::now(), request, answer, &fields)?;
        let kept = Kept {
            fingerprint: fingerprint(request),
            when,
            offset: 0,
            end: 0,
            url: crate::web::brief(&request.url),
            outcome: match answer {
                Ok(response) => response.status.to_string(),
                Err(error) => error.kind.name(),
            },
            is_form: request.method != crate::Method::Get,
        };
        Ok(Packed { bytes, answer_at, kept })
    }

    /// Writes an exchange.
    ///
    /// # Errors
    ///
    /// It cannot be written, or an earlier one could not.
    pub fn append(&self, packed: Packed) -> Result<Kept, TapeError> {
        let begin = self.tape.append(&packed.bytes)?;
        Ok(Kept {
            offset: begin + packed.answer_at as u64,
            end: begin + packed.bytes.len() as u64,
            ..packed.kept
        })
    }
}

/// An exchange that is ready to be written.
#[derive(Debug)]
pub struct Packed {
    bytes: Vec<u8>,
    answer_at: usize,
    kept: Kept,
}

/// Reads the exchanges after `known` bytes, and gives the place where the last whole one ends.
fn tail(path: &Path, known: u64, length: u64, tell: &mut dyn FnMut(Kept)) -> io::Result<u64> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(known))?;
    let mut reader = Reader::at(file, 0, known);
    let mut end = known;
    /// A request whose answer comes next.
    struct Asked {
        fingerprint: u128,
        when: Moment,
        url: String,
        is_form: bool,
    }
    let mut asked: Option<Asked> = None;
    let mut answered: Option<Kept> = None;
    let mut block = 0;
    // What was read is whole once something follows it, or the file ends there.
    let mut whole = |kept: Option<Kept>, until: u64, end: &mut u64| {
        if let Some(kept) = kept {
            *end = until;
            tell(Kept { end: until, ..kept });
        }
    };
    loop {
        // The status line and the fields of a failure are at the beginning.
        let next = reader.next_keeping(|head| if head.is("request") { MOST_SENT } else { 64 });
        let record = match next {
            None => {
                // A plain record also has two line breaks after it, which no length or checksum tells.
                let until = match (&answered, is_gzip(path)) {
                    (Some(last), false) => plain_end(path, last.offset, block)?,
                    _ => length,
                };
                if until <= length {
                    whole(answered.take(), until, &mut end);
                }
                return Ok(end);
            }
            Some(Ok(record)) => record,
            Some(Err(fault)) => {
                // What is damaged was not written to its end. What follows it is fetched again.
                whole(answered.take(), fault.spot.offset, &mut end);
                return match fault.problem {
                    Problem::Io(error) => Err(error),
                    _ => Ok(end),
                };
            }
        };
        let at = record.head.spot.offset;
        whole(answered.take(), at, &mut end);
        let head = &record.head;
        let Some(target) = head.target() else {
            // The first record of the file.
            continue;
        };
        if head.is("request") {
            let request = Message::parse(&record.block);
            let method = request.as_ref().and_then(Message::method).unwrap_or("GET");
            let body = request.as_ref().map_or(&[][..], |request| request.stored);
            let number = |name| head.field(name).and_then(|text| text.parse().ok()).unwrap_or(0);
            asked = key(method, target, body).map(|fingerprint| Asked {
                fingerprint,
                when: Moment {
                    run: number(RUN),
                    turn: number(TURN),
                },
                url: target.to_owned(),
                is_form: method != "GET",
            });
        } else if let Some(asked) = asked.take() {
            let status = Message::parse(&record.block).and_then(|answer| answer.status());
            let failure = head.field(crate::archive::FAILURE).map(str::to_owned);
            block = head.length;
            answered = Some(Kept {
                fingerprint: asked.fingerprint,
                when: asked.when,
                offset: at,
                end: at,
                url: asked.url,
                outcome: failure.unwrap_or_else(|| status.unwrap_or(0).to_string()),
                is_form: asked.is_form,
            });
        }
    }
}

/// Where a plain record ends that begins at an offset and has a block of this length.
fn plain_end(path: &Path, at: u64, block: u64) -> io::Result<u64> {
    const MOST_HEAD: u64 = 256 << 10;
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(at))?;
    let mut head = Vec::new();
    file.take(MOST_HEAD).read_to_end(&mut head)?;
    let empty = head.windows(4).position(|four| four == b"\r\n\r\n");
    Ok(empty.map_or(u64::MAX, |empty| at + empty as u64 + 4 + block + 4))
}

/// Is a recording compressed, by its name?
pub(crate) fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
}

/// The path of the recording in the directory of a run. It is not compressed: that would cost half as much processor time again
/// as a fast run takes without being kept, and a plain one costs less than a tenth.
pub fn recording_in(folder: &Path) -> PathBuf {
    folder.join("pages.warc")
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::driver::FailureKind;
    use url::Url;

    fn request(path: &str) -> Request {
        Request::get(
            Url::parse("http://a.test/")
                .and_then(|url| url.join(path))
                .expect("an address"),
        )
    }

    fn keep(recording: &Recording, turn: u64, request: &Request, answer: &Result<Response, DriverError>) -> Kept {
        let when = Moment { run: turn % 2, turn };
        let packed = recording.pack(when, request, answer).expect("memory");
        recording.append(packed).expect("room")
    }

    fn kept(path: &Path, known: u64) -> (Recording, Vec<Kept>) {
        let mut found = Vec::new();
        let recording = Recording::open(path, known, &mut |kept| found.push(kept)).expect("a recording");
        (recording, found)
    }

    #[test]
    fn what_was_kept_is_found_again_wherever_the_file_was_cut() {
        found_again("x.warc");
        found_again("x.warc.gz");
    }

    fn found_again(name: &str) {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join(name);
        let (recording, _) = kept(&path, 0);
        let mut all = Vec::new();
        for number in 0..4_u64 {
            let answer = match number {
                2 => Err(DriverError::new(FailureKind::Timeout, "too slow")),
                _ => Ok(Response::html(format!("page {number}"))),
            };
            let turn = number / 2;
            all.push(keep(&recording, turn, &request(&number.to_string()), &answer));
        }
        drop(recording);
        let bytes = std::fs::read(&path).expect("a file");
        assert_eq!(all[3].end, bytes.len() as u64);
        for length in (0..=bytes.len()).rev() {
            std::fs::write(&path, &bytes[..length]).expect("a file");
            let (recording, found) = kept(&path, 0);
            let expected: Vec<Kept> = all.iter().filter(|kept| kept.end <= length as u64).cloned().collect();
            assert_eq!(found, expected, "cut at {length}");
            let end = found.last().map_or(recording.length(), |kept| kept.end);
            assert_eq!(recording.length(), end);
            if let Some(first) = found.first() {
                let answer = recording.answer(first.offset, &request("0"), &Budget::default());
                assert_eq!(answer.expect("an answer").body, b"page 0");
            }
        }
        // Only what is not known is read.
        std::fs::write(&path, &bytes).expect("a file");
        let (recording, found) = kept(&path, all[1].end);
        assert_eq!(found, all[2..]);
        let failure = recording.answer(all[2].offset, &request("2"), &Budget::default());
        assert_eq!(failure.expect_err("a failure").kind, FailureKind::Timeout);
        // What follows a cut is appended there.
        std::fs::write(&path, &bytes[..bytes.len() - 3]).expect("a file");
        let (recording, found) = kept(&path, 0);
        assert_eq!(found.len(), 3);
        keep(&recording, 9, &request("9"), &Ok(Response::html("new")));
        drop(recording);
        assert_eq!(kept(&path, 0).1.last().map(|kept| kept.when.turn), Some(9));
    }

    #[test]
    fn a_recording_that_lost_what_is_known_is_refused() {
        let folder = tempfile::tempdir().expect("a directory");
        let error = Recording::open(&folder.path().join("x.warc.gz"), 10, &mut |_| ()).expect_err("nothing is there");
        assert!(error.to_string().contains("it has 0 bytes"), "{error}");
    }
}
