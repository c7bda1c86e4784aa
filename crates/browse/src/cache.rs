//! Answers kept on disk, so that a wrapper can be tried many times without asking the site each time.
//!
//! This is the user's cache, not HTTP's: an answer is used until it is older than the user allows, whatever the server
//! says about freshness. `Cache-Control: no-store` and `Vary: *` are respected. The cache keeps answers to GET that
//! mean the same tomorrow: pages (200, 203), redirects with their cookies, and missing pages (404, 410).
//!
//! Each answer is a file, named by the SHA-256 of its request: method, address, and the headers that answers depend on
//! (cookies, credentials, the user's own; not the referrer). So one user's pages are not shown to another, and no
//! cookie appears in a name. An answer can set cookies, so only the owner may read the files. Cookies are set again
//! from the cache, so a second run requests the same pages as the first.
//!
//! ```text
//! wrapwright-cache 1
//! time 1794646800
//! status 200
//! remote 192.0.2.7
//! header content-type: text/html
//! body 5120 3f7a…    bytes, and the SHA-256 of all lines above and of the body
//!
//! …
//! ```
//!
//! Files are written under another name and renamed, so several processes can share a folder and readers see only
//! complete files. A file with a wrong checksum is ignored and replaced. A folder that cannot be written to, or a full
//! disk, causes a warning and nothing more. Known gap: files are replaced, but never deleted.

use crate::fetch::{Method, Request, Response};
use ring::digest::{Context, SHA256};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MAGIC: &str = "wrapwright-cache 1\n";

/// A folder of answers.
pub(crate) struct Cache {
    folder: PathBuf,
    age: Duration,
}

/// Under what name an answer is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Cache {
    pub(crate) fn new(folder: PathBuf, age: Duration) -> Cache {
        Cache { folder, age }
    }

    /// The name for a request; none if its answer must not be kept.
    pub(crate) fn key(request: &Request) -> Option<Key> {
        if request.method != Method::Get || request.body.is_some() {
            return None;
        }
        let mut hash = Context::new(&SHA256);
        let address = request.url.as_str().split('#').next().unwrap_or("");
        hash.update(format!("GET {address}\n").as_bytes());
        let mut headers: Vec<(String, &str)> = request
            .headers
            .iter()
            .map(|(name, value)| (name.to_ascii_lowercase(), value.as_str()))
            // Where one comes from and what one has do not change the page.
            .filter(|(name, _)| !["referer", "if-none-match", "if-modified-since"].contains(&name.as_str()))
            .collect();
        headers.sort();
        for (name, value) in headers {
            hash.update(format!("{name}: {value}\n").as_bytes());
        }
        Some(Key(hex(hash)))
    }

    fn path(&self, key: &Key) -> PathBuf {
        let (first, rest) = key.0.split_at(2);
        self.folder.join(first).join(rest)
    }

    /// The answer in the cache, if it is not too old. Bodies of more than `most` bytes are not read.
    pub(crate) fn get(&self, key: &Key, most: usize, now: SystemTime) -> Option<Response> {
        let path = self.path(key);
        // The lines before the body are short; hostile headers are bounded by the client.
        if fs::metadata(&path).ok()?.len() > (most as u64).saturating_add(1 << 20) {
            return None;
        }
        let (response, time) = parse(&fs::read(path).ok()?)?;
        let age = now.duration_since(UNIX_EPOCH).ok()?.checked_sub(time)?;
        (age <= self.age && response.body.len() <= most).then_some(response)
    }

    /// Stores an answer, if it may be stored.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn put(&self, key: &Key, response: &Response, now: SystemTime) -> io::Result<()> {
        if !is_to_keep(response) {
            return Ok(());
        }
        let Some(head) = head(response, now) else {
            return Ok(());
        };
        write_whole(&self.path(key), &[head.as_bytes(), &response.body])
    }
}

fn is_to_keep(response: &Response) -> bool {
    let says = |name: &str, word: &str| {
        response
            .headers
            .iter()
            .filter(|(n, _)| n.eq_ignore_ascii_case(name))
            .flat_map(|(_, value)| value.split(','))
            .any(|part| part.trim().eq_ignore_ascii_case(word))
    };
    matches!(response.status, 200 | 203 | 301 | 302 | 303 | 307 | 308 | 404 | 410)
        && !says("cache-control", "no-store")
        && !says("vary", "*")
}

/// The lines before the body; none if a header would break a line.
fn head(response: &Response, now: SystemTime) -> Option<String> {
    let seconds = now.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let mut head = format!("{MAGIC}time {seconds}\nstatus {}\n", response.status);
    if let Some(remote) = response.remote {
        let _ = writeln!(head, "remote {remote}");
    }
    for (name, value) in &response.headers {
        if name.contains([':', '\n', '\r']) || value.contains(['\n', '\r']) {
            return None;
        }
        let _ = writeln!(head, "header {name}: {value}");
    }
    let sum = sum(head.as_bytes(), &response.body);
    let _ = write!(head, "body {} {sum}\n\n", response.body.len());
    Some(head)
}

fn parse(file: &[u8]) -> Option<(Response, Duration)> {
    let mut at = MAGIC.len();
    if !file.starts_with(MAGIC.as_bytes()) {
        return None;
    }
    let mut response = Response::default();
    let mut time = None;
    loop {
        let start = at;
        let end = start + memchr::memchr(b'\n', &file[start..])?;
        let line = std::str::from_utf8(&file[start..end]).ok()?;
        at = end + 1;
        let (key, value) = line.split_once(' ')?;
        match key {
            "time" => time = Some(Duration::from_secs(value.parse().ok()?)),
            "status" => response.status = value.parse().ok()?,
            "remote" => response.remote = Some(value.parse().ok()?),
            "header" => {
                let (name, value) = value.split_once(": ")?;
                response.headers.push((name.to_owned(), value.to_owned()));
            }
            "body" => {
                let (length, expected) = value.split_once(' ')?;
                let body = file[at..].strip_prefix(b"\n")?;
                if body.len() != length.parse::<usize>().ok()? || sum(&file[..start], body) != expected {
                    return None;
                }
                response.body = body.to_vec();
                return Some((response, time?));
            }
            _ => return None,
        }
    }
}

fn sum(head: &[u8], body: &[u8]) -> String {
    let mut hash = Context::new(&SHA256);
    hash.update(head);
    hash.update(body);
    hex(hash)
}

fn hex(hash: Context) -> String {
    in_hex(hash.finish().as_ref())
}

/// Bytes as hexadecimal digits.
pub fn in_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The SHA-256 of some parts, one after the other.
pub fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Context::new(&SHA256);
    parts.iter().for_each(|part| hash.update(part));
    let digest = hash.finish();
    std::array::from_fn(|at| digest.as_ref()[at])
}

/// Writes a file completely or not at all, readable by its owner only. Creates its folder if that is missing. Links are
/// followed; devices and pipes are written to directly.
pub(crate) fn write_whole(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let path = &followed(path)?;
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        let mut file = fs::OpenOptions::new().write(true).open(path)?;
        return parts.iter().try_for_each(|part| file.write_all(part));
    }
    let (mut file, temporary) = create_beside(path)?;
    let written = parts.iter().try_for_each(|part| file.write_all(part));
    let done = written
        .and_then(|()| file.flush())
        .and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Could [`write_whole`] write this file, as far as is known without trying?
pub(crate) fn check_whole(path: &Path) -> io::Result<()> {
    let path = &followed(path)?;
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(about) if !about.is_file() => Ok(()),
        _ => create_beside(path).and_then(|(_, temporary)| fs::remove_file(temporary)),
    }
}

/// A new file in the folder of another, and its name.
fn create_beside(path: &Path) -> io::Result<(fs::File, PathBuf)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder)?;
    }
    sweep_once(folder);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Process ids repeat in containers, and a killed process may have left such a file.
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos();
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".{name}.{}-{now:x}-{number}", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&temporary)?;
    // Where there are no locks, nobody removes a file either.
    let _ = file.try_lock();
    Ok((file, temporary))
}

/// Removes the temporary files of a folder that killed processes left, when this process writes there for the first time.
///
/// A temporary file is locked while it is written, and the system releases the lock when its process ends. So one whose lock
/// can be had belongs to nobody. Process ids would not tell: they are used again, and mean nothing in another container.
/// Between its creation and its lock a file might be taken for one that was left; it must be a minute old, too.
fn sweep_once(folder: &Path) {
    const OLD: Duration = Duration::from_secs(60);
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if !swept.insert(folder.to_owned()) {
        return;
    }
    drop(swept);
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry.file_name().to_str().is_some_and(is_temporary) {
            continue;
        }
        let about = entry.metadata().ok().filter(fs::Metadata::is_file);
        let age = about.and_then(|about| about.modified().ok()?.elapsed().ok());
        let opened = || fs::OpenOptions::new().write(true).open(entry.path());
        if age.is_some_and(|age| age > OLD) && opened().is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Is this a name that [`create_beside`] gives: a dot, the name, a dot, a process, a time and a number?
fn is_temporary(name: &str) -> bool {
    let Some((_, last)) = name.strip_prefix('.').and_then(|name| name.rsplit_once('.')) else {
        return false;
    };
    let is = |part: &str, test: fn(&u8) -> bool| !part.is_empty() && part.as_bytes().iter().all(test);
    match last.split('-').collect::<Vec<_>>()[..] {
        // A time in nanoseconds has 15 or 16 digits.
        [process, time, number] => {
            is(process, u8::is_ascii_digit)
                && is(time, u8::is_ascii_hexdigit)
                && time.len() >= 15
                && is(number, u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// The target of links, whether it exists or not.
///
/// # Errors
///
/// They lead in a circle.
fn followed(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    let why = format!("{} is a link that leads in a circle", path.display());
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    #[test]
    fn files_that_were_left_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let old = SystemTime::now() - Duration::from_secs(3600);
        let make = |name: &str, time: SystemTime| {
            let file = fs::File::create(at(name)).unwrap();
            file.set_modified(time).unwrap();
            file
        };
        make(".jar.123-18a1b2c3d4e5f607-0", old);
        let others = [
            ".jar",
            ".jar.123",
            ".jar.123-4-5",
            "jar.123-18a1b2c3d4e5f607-0",
            ".a.b-18a1b2c3d4e5f607-0",
        ];
        for name in others {
            make(name, old);
        }
        make(".jar.7-18a1b2c3d4e5f607-0", SystemTime::now());
        let busy = make(".jar.8-18a1b2c3d4e5f607-0", old);
        busy.try_lock().unwrap();
        write_whole(&at("jar"), &[b"x"]).unwrap();
        assert!(!at(".jar.123-18a1b2c3d4e5f607-0").exists());
        let young = [".jar.7-18a1b2c3d4e5f607-0", ".jar.8-18a1b2c3d4e5f607-0", "jar"];
        for name in others.into_iter().chain(young) {
            assert!(at(name).exists(), "{name}");
        }
        // The names that are given are recognized.
        let (_, temporary) = create_beside(&at("jar")).unwrap();
        assert!(is_temporary(temporary.file_name().unwrap().to_str().unwrap()));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_devices_are_written_into() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("real", at("link")).unwrap();
        symlink("link", at("second")).unwrap();
        for text in ["one", "two"] {
            write_whole(&at("second"), &[text.as_bytes()]).unwrap();
            assert_eq!(fs::read_to_string(at("real")).unwrap(), text);
        }
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        symlink("b", at("a")).unwrap();
        symlink("a", at("b")).unwrap();
        assert!(write_whole(&at("a"), &[b"x"]).is_err());
        assert!(check_whole(&at("a")).is_err() && check_whole(folder.path()).is_err());
        assert!(check_whole(&at("link")).is_ok() && check_whole(&at("real/x")).is_err());
        symlink("/dev/null", at("null")).unwrap();
        write_whole(&at("null"), &[b"x"]).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    fn request(url: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::get(Url::parse(url).unwrap());
        request.headers = headers
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        request
    }

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn keys_tell_apart_what_answers_depend_on() {
        let key = |url, headers: &[_]| Cache::key(&request(url, headers)).unwrap();
        let plain = key("http://a.test/", &[]);
        assert_eq!(key("http://a.test/#x", &[("Referer", "http://b.test/")]), plain);
        assert_ne!(key("http://a.test/?x", &[]), plain);
        assert_ne!(key("http://a.test/", &[("Cookie", "a=1")]), plain);
        assert_ne!(
            key("http://a.test/", &[("Cookie", "a=1")]),
            key("http://a.test/", &[("Cookie", "a=2")])
        );
        let mut post = request("http://a.test/", &[]);
        post.method = Method::Post;
        assert_eq!(Cache::key(&post), None);
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("new/cache"), Duration::from_secs(10));
        let key = Cache::key(&request("http://a.test/", &[])).unwrap();
        assert_eq!(cache.get(&key, 1000, at(100)), None);
        let mut page = Response::html("<p>\0\n\nbody ä")
            .with("Set-Cookie", "a=1")
            .with("Empty", "");
        page.remote = Some([10, 0, 0, 1].into());
        cache.put(&key, &page, at(100)).unwrap();
        assert_eq!(cache.get(&key, 1000, at(110)), Some(page.clone()));
        assert_eq!(cache.get(&key, 1000, at(111)), None, "too old");
        assert_eq!(cache.get(&key, 1000, at(99)), None, "from the future");
        assert_eq!(cache.get(&key, 5, at(100)), None, "too large");
        let other = Response::html("other");
        cache.put(&key, &other, at(120)).unwrap();
        assert_eq!(cache.get(&key, 1000, at(120)), Some(other));
        let path = cache.path(&key);
        let files = fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(files, 1, "no temporary file is left");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        // Any damage makes it as good as not there.
        let whole = fs::read(&path).unwrap();
        for n in 0..whole.len() {
            let mut broken = whole.clone();
            broken[n] ^= 1;
            fs::write(&path, &broken).unwrap();
            assert_eq!(cache.get(&key, 1000, at(120)), None, "byte {n}");
            fs::write(&path, &whole[..n]).unwrap();
            assert_eq!(cache.get(&key, 1000, at(120)), None, "cut at {n}");
        }
        cache.put(&key, &page, at(130)).unwrap();
        assert_eq!(cache.get(&key, 1000, at(130)), Some(page), "and is replaced");
    }

    #[test]
    fn what_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().to_owned(), Duration::from_secs(10));
        let key = Cache::key(&request("http://a.test/", &[])).unwrap();
        let rows = [
            Response::status(500),
            Response::status(403),
            Response::html("x").with("Cache-Control", "private, No-Store"),
            Response::html("x").with("Vary", "*"),
            Response::html("x").with("Odd", "a\nb"),
        ];
        for response in rows {
            cache.put(&key, &response, at(0)).unwrap();
            assert_eq!(cache.get(&key, 1000, at(0)), None, "{response:?}");
        }
        cache
            .put(&key, &Response::status(404).with("Cache-Control", "max-age=0"), at(0))
            .unwrap();
        assert!(cache.get(&key, 1000, at(0)).is_some());
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(
            Cache::new(file, Duration::ZERO)
                .put(&key, &Response::html(""), at(0))
                .is_err()
        );
    }
}
