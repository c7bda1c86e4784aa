//! Files of records that are under way: `out.ndjson.part` becomes `out.ndjson` when a run has come to its end.
//!
//! Half a file never has the name of a whole one. A part has the same name in every run, and it is locked while it is
//! written. So the next run knows what the last one left, however that one ended, and neither removes nor replaces it
//! unasked: [`Existing`](super::Existing) says what is to be done. Adding to a whole file makes it a part first, by a rename.
//!
//! A run that is resumed gives all its records again. They are compared with what its part has, byte by byte; from the first
//! difference on, and after the end of the part, they are written. So a part never loses a record that it had, every format
//! can be resumed, and the result is what a run without interruption writes.

use super::error::OutputProblem;
use super::{Existing, Packing};
use crate::record::Format;
use crate::whole::{Pieces, followed};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What the name of a part ends in.
const PART: &str = ".part";

/// A file of records that is being written.
#[derive(Debug)]
pub(super) struct PartFile {
    pieces: Pieces,
    /// Its name until it is whole; none for a pipe or a device.
    part: Option<PathBuf>,
    target: PathBuf,
    /// What was there before, in bytes.
    before: u64,
    /// Was it whole before?
    was_whole: bool,
    /// Bytes that were added.
    added: u64,
    /// What is left of an earlier process of the same run, to be compared with: the place, and the end.
    compared: Option<(u64, u64)>,
    /// Is it the file of a run that can be resumed? Then it stays, even if this process adds nothing.
    stays: bool,
}

/// The name of a file until it is whole.
fn part_of(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(PART);
    PathBuf::from(name)
}

/// Opens a part, or makes it, for this process alone.
fn open_locked(part: &Path) -> Result<File, OutputProblem> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(part)?;
    lock(&file, part)?;
    Ok(file)
}

/// How a run goes on with a file that it began before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Again {
    /// The bytes that were there before the run; unknown if it did not come to that.
    pub(super) before: Option<u64>,
}

/// What is already in a file that is continued.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Begun {
    /// Is there anything?
    pub(super) continued: bool,
    /// The first line of a table.
    pub(super) header: Option<String>,
}

impl PartFile {
    /// Begins a file, or continues one.
    pub(super) fn open(
        target: &Path,
        existing: Existing,
        format: Option<Format>,
        packing: Packing,
    ) -> Result<(PartFile, Begun), OutputProblem> {
        let target = followed(target)?;
        match fs::metadata(&target) {
            Ok(about) if about.is_dir() => return Err(OutputProblem::Directory),
            Ok(about) if !about.is_file() => {
                let pieces = Pieces::new(OpenOptions::new().write(true).open(&target)?);
                let direct = PartFile {
                    pieces,
                    part: None,
                    target,
                    before: 0,
                    was_whole: false,
                    added: 0,
                    compared: None,
                    stays: false,
                };
                return Ok((direct, Begun::default()));
            }
            _ => {}
        }
        let part = part_of(&target);
        let left = fs::metadata(&part).is_ok_and(|about| about.len() > 0);
        if left && existing == Existing::Replace {
            // It may be in use, which is another message.
            lock(&OpenOptions::new().read(true).write(true).open(&part)?, &part)?;
            return Err(OutputProblem::Left(part));
        }
        let was_whole = existing == Existing::Append && !left && target.is_file();
        if was_whole {
            // Looked at before it is touched.
            look(&mut File::open(&target)?, format, packing)?;
            fs::rename(&target, &part)?;
        }
        let mut file = open_locked(&part)?;
        let mut begun = Begun::default();
        let mut before = 0;
        if existing == Existing::Append && (left || was_whole) {
            let (end, header) = look(&mut file, format, packing)?;
            before = end;
            begun = Begun {
                continued: end > 0,
                header,
            };
        }
        file.set_len(before)?;
        file.seek(SeekFrom::End(0))?;
        let whole = PartFile {
            pieces: Pieces::new(file),
            part: Some(part),
            target,
            before,
            was_whole,
            added: 0,
            compared: None,
            stays: false,
        };
        Ok((whole, begun))
    }

    /// Goes on with a file that an earlier process of the same run began.
    pub(super) fn open_again(
        target: &Path,
        existing: Existing,
        again: Again,
        format: Option<Format>,
        packing: Packing,
    ) -> Result<(PartFile, Begun), OutputProblem> {
        let target = followed(target)?;
        let part = part_of(&target);
        // Records were added to a whole file, and it was given its name again.
        let adds = existing == Existing::Append;
        if adds && !part.exists() && target.is_file() {
            fs::rename(&target, &part)?;
        }
        let mut file = open_locked(&part)?;
        let length = file.metadata()?.len();
        // Half a record at the end was not written to its end.
        let looked = match format {
            Some(_) if length > 0 => look(&mut file, format, packing).ok(),
            _ => None,
        };
        let (end, header) = looked.unwrap_or((length, None));
        let before = match again.before.filter(|_| adds) {
            Some(before) => before.min(length),
            None if adds => end,
            None => 0,
        };
        let end = end.max(before);
        file.set_len(end)?;
        file.seek(SeekFrom::Start(before))?;
        let whole = PartFile {
            pieces: Pieces::new(file),
            part: Some(part),
            target,
            before,
            was_whole: false,
            added: 0,
            compared: (end > before).then_some((before, end)),
            stays: true,
        };
        let begun = Begun {
            continued: before > 0,
            header: header.filter(|_| before > 0),
        };
        Ok((whole, begun))
    }

    /// Keeps the file whatever happens, because its run can be resumed.
    pub(super) fn stay(&mut self) {
        self.stays = true;
    }

    /// The bytes that were there before the run.
    pub(super) fn before(&self) -> u64 {
        self.before
    }

    /// Is it a file that can be gone on with, and not a pipe or a device?
    pub(super) fn is_file(&self) -> bool {
        self.part.is_some()
    }

    /// Compares bytes with what is there. If they differ, what is there ends before them.
    fn is_there(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let Some((at, end)) = self.compared else {
            return Ok(false);
        };
        let next = at + bytes.len() as u64;
        if next <= end {
            let mut found = vec![0; bytes.len()];
            self.pieces.read_at(at, &mut found)?;
            if found == bytes {
                self.compared = Some((next, end));
                return Ok(true);
            }
        }
        self.cut(at)?;
        Ok(false)
    }

    /// Ends what is there, so that the next bytes are written after it.
    fn cut(&mut self, at: u64) -> io::Result<()> {
        self.compared = None;
        self.pieces.cut(at)
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.part.is_none() {
            return Ok(());
        }
        if let Some((at, _)) = self.compared {
            // The run found fewer records than before.
            self.cut(at)?;
        }
        self.pieces.sync()?;
        match self.part.take() {
            Some(part) => fs::rename(&part, &self.target).inspect_err(|_| self.part = Some(part)),
            None => Ok(()),
        }
    }

    /// Leaves the file as a part, if there is something new in it, and gives its name.
    pub(super) fn leave(mut self) -> Option<PathBuf> {
        match self.added > 0 || self.stays {
            true => self.part.take(),
            false => None,
        }
    }
}

impl Drop for PartFile {
    /// Nothing was added: all is as it was. What was added stays as a part.
    fn drop(&mut self) {
        let Some(part) = self.part.take().filter(|_| self.added == 0 && !self.stays) else {
            return;
        };
        let _ = match (self.was_whole, self.before) {
            (true, _) => fs::rename(&part, &self.target),
            (false, 0) => fs::remove_file(&part),
            (false, _) => Ok(()),
        };
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = match self.is_there(bytes)? {
            true => bytes.len(),
            false => self.pieces.write(bytes)?,
        };
        self.added += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pieces.flush()
    }
}

fn lock(file: &File, part: &Path) -> Result<(), OutputProblem> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(OutputProblem::Busy(part.to_owned())),
        // Where there are no locks, one hopes for the best.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Where whole records end in a file, and the first line of a table.
fn look(file: &mut File, format: Option<Format>, packing: Packing) -> Result<(u64, Option<String>), OutputProblem> {
    file.seek(SeekFrom::Start(0))?;
    let Some(format) = format else {
        return Err(OutputProblem::NoAppending("a Parquet file or an Arrow stream"));
    };
    let is_table = matches!(format, Format::Csv | Format::Tsv);
    match (format, packing) {
        (Format::Xml, _) => Err(OutputProblem::NoAppending("an XML document")),
        (Format::Json, Packing::Gzip | Packing::Zstd) => {
            Err(OutputProblem::NoAppending("a JSON array that is compressed"))
        }
        (_, Packing::Gzip | Packing::Zstd) => {
            let (end, first) = super::pack::whole_end(file, packing)?;
            Ok((end, is_table.then(|| first_line(&first))))
        }
        (Format::Json, Packing::Plain) => array_end(file).map(|end| (end, None)),
        (Format::Csv | Format::Tsv, Packing::Plain) => Ok(table_end(file)?),
        _ => Ok((line_end(file)?, None)),
    }
}

/// The first row of a table, without the mark of its encoding and its line end.
fn first_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut quoted = false;
    let end = text.find(|c| {
        quoted ^= c == '"';
        c == '\n' && !quoted
    });
    let line = &text[..end.unwrap_or(text.len())];
    line.trim_start_matches('\u{feff}').trim_end_matches('\r').to_owned()
}

/// The place after the last line that is whole, looked for from the end.
fn line_end(file: &mut File) -> io::Result<u64> {
    const STEP: u64 = 64 << 10;
    let mut end = file.metadata()?.len();
    while end > 0 {
        let start = end.saturating_sub(STEP);
        let mut bytes = vec![0; usize::try_from(end - start).unwrap_or(0)];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        if let Some(at) = bytes.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// The place after the last record of an array that is written as ours are: a record on each line. 0 if there is none.
fn array_end(file: &mut File) -> Result<u64, OutputProblem> {
    let end = line_end(file)?;
    let mut first = vec![0; 3.min(usize::try_from(end).unwrap_or(3))];
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut first)?;
    let mut last = [0; 4];
    let tail = end.min(4);
    file.seek(SeekFrom::Start(end - tail))?;
    file.read_exact(&mut last[..usize::try_from(tail).unwrap_or(0)])?;
    let last = &last[..usize::try_from(tail).unwrap_or(0)];
    match first.as_slice() {
        // No record: it begins anew.
        b"" | b"[\n" | b"[\n]" => Ok(0),
        b"[\n{" if last.ends_with(b"}\n]\n") => Ok(end - 2),
        b"[\n{" if last.ends_with(b"}\n") => Ok(end),
        _ => Err(OutputProblem::Unlike {
            found: "an array that is written in another way".to_owned(),
            expected: "a record on each line".to_owned(),
        }),
    }
}

/// The place after the last row of a table, and its first row.
fn table_end(file: &mut File) -> io::Result<(u64, Option<String>)> {
    const MOST: usize = 1 << 20;
    file.seek(SeekFrom::Start(0))?;
    let mut reader = io::BufReader::with_capacity(64 << 10, file);
    let (mut at, mut end, mut quoted, mut first) = (0_u64, 0, false, Vec::new());
    loop {
        let bytes = io::BufRead::fill_buf(&mut reader)?;
        if bytes.is_empty() {
            break;
        }
        if first.len() < MOST {
            first.extend_from_slice(bytes);
        }
        for byte in bytes {
            at += 1;
            quoted ^= *byte == b'"';
            if *byte == b'\n' && !quoted {
                end = at;
            }
        }
        let count = bytes.len();
        io::BufRead::consume(&mut reader, count);
    }
    Ok((end, (end > 0).then(|| first_line(&first))))
}

impl From<io::Error> for OutputProblem {
    fn from(error: io::Error) -> OutputProblem {
        OutputProblem::Io(error)
    }
}
