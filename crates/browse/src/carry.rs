//! The path of one request: cache, robots.txt, turn, transport, and retries.
//!
//! ```text
//! ask ─▶ cache ─miss─▶ robots.txt ─▶ turn at the host ─▶ Fetch ─▶ fine? ─▶ cache ─▶ answer
//!                                          ▲                        │ no
//!                                          └──────── pause ◀────────┘
//! ```
//!
//! An answer from the cache needs no server, so it needs neither permission nor a turn. A turn is released before a
//! pause, so a host that fails for one page does not delay the others. The request for robots.txt itself takes the same
//! path, except for the robots.txt check.
//!
//! Two clocks limit a request, both in [`Trip`]: the page's own, which counts the time to fetch all its redirects but
//! neither waiting nor failed tries; and the end of the run, which counts everything. Retries are counted per page, not
//! per redirect, so a page takes at most its timeout times the number of its tries.

use crate::address::{self, Origins, Written};
use crate::archive::{Tape, TapeError};
use crate::cache::Cache;
use crate::fetch::{Budget, Fetch, Method, Request, Response};
use crate::http;
use crate::log::{Deed, Step};
use crate::polite::{Manners, Polite, Turn};
use crate::recording::{Recall, Recalled};
use crate::retry::{self, Next};
use crate::robots::{self, Robots, Rules, Said};
use crate::settings::HttpSettings;
use crate::stats::Counters;
use crate::web::{brief, redirected};
use page::Remedy;
use page::driver::{Again, DriverError, FailureKind, Options};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use url::Url;

/// The most warnings that are kept.
const MOST_WARNINGS: usize = 1000;

/// What a page may still cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trip {
    /// The time for all its requests, without waiting.
    pub(crate) time: Duration,
    /// Does the expression say so?
    is_stated: bool,
    spent: Duration,
    /// The end of the run.
    pub(crate) deadline: Option<Instant>,
    retries: u32,
    /// The number of tries of the last request.
    pub(crate) tries: u32,
    /// The number of redirects so far.
    pub(crate) followed: usize,
    /// The number of the run that asks.
    run: u64,
    /// The most bytes of a file, which is neither recorded nor cached; none for a page.
    file: Option<usize>,
}

impl Trip {
    pub(crate) fn new(settings: &HttpSettings, options: &Options) -> Trip {
        Trip {
            time: options.timeout.unwrap_or(settings.timeout),
            is_stated: options.timeout.is_some(),
            spent: Duration::ZERO,
            deadline: options.deadline,
            retries: settings.retries,
            tries: 0,
            followed: 0,
            run: options.run,
            file: None,
        }
    }

    /// For a file, with the most bytes that it may have.
    pub(crate) fn for_file(settings: &HttpSettings, options: &Options, most: usize) -> Trip {
        Trip {
            file: Some(most),
            ..Trip::new(settings, options)
        }
    }

    pub(crate) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    fn is_over(&self, at: Instant) -> bool {
        self.deadline.is_some_and(|deadline| at >= deadline)
    }
}

/// What to request, and why.
pub(crate) struct Errand<'r> {
    pub(crate) request: &'r Request,
    /// May it lead to a private address?
    pub(crate) private: bool,
    /// Is it for robots.txt itself?
    pub(crate) robots: bool,
}

/// Everything that requests pass through.
pub(crate) struct Carrier<F> {
    pub(crate) fetch: F,
    pub(crate) settings: HttpSettings,
    pub(crate) origins: Origins,
    pub(crate) counters: Counters,
    pub(crate) warnings: Mutex<Vec<String>>,
    polite: Polite,
    robots: Robots<DriverError>,
    cache: Option<Cache>,
    tape: Option<Tape>,
    recall: Option<Arc<dyn Recall>>,
    /// Was the warning given that the cache does not work?
    told: AtomicBool,
}

impl<F: Fetch> Carrier<F> {
    pub(crate) fn new(
        fetch: F,
        settings: HttpSettings,
        tape: Option<Tape>,
        recall: Option<Arc<dyn Recall>>,
    ) -> Carrier<F> {
        Carrier {
            cache: settings
                .cache
                .clone()
                .map(|folder| Cache::new(folder, settings.cache_age)),
            fetch,
            settings,
            origins: Origins::default(),
            counters: Counters::default(),
            warnings: Mutex::default(),
            polite: Polite::default(),
            robots: Robots::default(),
            tape,
            recall,
            told: AtomicBool::default(),
        }
    }

    /// Makes a request and records its result; true if the answer is from the cache.
    pub(crate) fn ask(&self, errand: &Errand, trip: &mut Trip) -> Result<(Response, bool), DriverError> {
        if trip.is_file() {
            return self.answer(errand, trip);
        }
        if let Some(recall) = self.recall.as_ref().filter(|_| !errand.robots) {
            return self.ask_once(&**recall, errand, trip);
        }
        let Some(tape) = self.tape.as_ref().filter(|_| !errand.robots) else {
            return self.answer(errand, trip);
        };
        // A run that can no longer be recorded must not continue as if it were.
        tape.check().map_err(failed)?;
        let (answer, from_cache) = match self.answer(errand, trip) {
            Ok((response, from_cache)) => (Ok(response), from_cache),
            Err(error) => (Err(error), false),
        };
        tape.write(SystemTime::now(), errand.request, &answer).map_err(failed)?;
        answer.map(|response| (response, from_cache))
    }

    /// Makes a request that the run did not make before; otherwise gives the answer of then.
    fn ask_once(&self, recall: &dyn Recall, errand: &Errand, trip: &mut Trip) -> Result<(Response, bool), DriverError> {
        let request = errand.request;
        let budget = Budget {
            bytes: self.settings.limits.bytes,
            ..Budget::default()
        };
        let (when, earlier) = match recall.recall(trip.run, request, &budget).map_err(failed)? {
            Recalled::Answer(answer) => {
                self.counters.recalled.add(1);
                self.tell(&request.url, Duration::ZERO, || Deed::Recalled);
                trip.tries = 0;
                let response = answer?;
                self.origins.reached(&request.url, response.remote);
                return Ok((response, false));
            }
            Recalled::Unknown { when, earlier } => (when, earlier),
        };
        let (answer, from_cache) = match self.answer_anew(errand, earlier, trip) {
            Ok((response, from_cache)) => (Ok(response), from_cache),
            // The run ends here, and will ask again when it goes on.
            Err(error) if trip.is_over(Instant::now()) => return Err(error),
            Err(error) => (Err(error), false),
        };
        recall.keep(when, request, &answer).map_err(failed)?;
        answer.map(|response| (response, from_cache))
    }

    /// Makes a request whose answer may still be the one of an earlier run: then the server says so, and sends nothing.
    fn answer_anew(
        &self,
        errand: &Errand,
        earlier: Option<Response>,
        trip: &mut Trip,
    ) -> Result<(Response, bool), DriverError> {
        let asked = earlier
            .as_ref()
            .and_then(|earlier| conditional(errand.request, earlier));
        let (Some(request), Some(earlier)) = (asked, earlier) else {
            return self.answer(errand, trip);
        };
        let errand = Errand {
            request: &request,
            ..*errand
        };
        let (response, from_cache) = self.answer(&errand, trip)?;
        if response.status != 304 {
            return Ok((response, from_cache));
        }
        self.counters.unchanged.add(1);
        // Cookies are those of now.
        let is_cookie = |name: &str| name.eq_ignore_ascii_case("set-cookie");
        let mut answer = Response {
            remote: response.remote,
            ..earlier
        };
        answer.headers.retain(|(name, _)| !is_cookie(name));
        let cookies = response.headers.into_iter().filter(|(name, _)| is_cookie(name));
        answer.headers.extend(cookies);
        Ok((answer, false))
    }

    fn answer(&self, errand: &Errand, trip: &mut Trip) -> Result<(Response, bool), DriverError> {
        let request = errand.request;
        if !errand.private && address::written(&request.url) == Written::Private {
            return Err(http::private(request));
        }
        let bytes = match errand.robots {
            true => robots::MOST_BYTES,
            false => trip.file.unwrap_or(self.settings.limits.bytes),
        };
        let kept = self
            .cache
            .as_ref()
            .filter(|_| !trip.is_file())
            .and_then(|cache| Some((cache, Cache::key(request)?)));
        if let Some((cache, key)) = &kept
            && let Some(response) = cache.get(key, bytes, SystemTime::now())
            && (errand.private || !response.remote.is_some_and(address::is_private))
        {
            self.counters.cache_hits.add(1);
            self.tell(&request.url, Duration::ZERO, || Deed::Cached);
            trip.tries = 0;
            self.origins.reached(&request.url, response.remote);
            return Ok((response, true));
        }
        let delay = match self.settings.robots && !errand.robots {
            true => self.leave(errand, trip)?.delay,
            false => None,
        };
        let budget = Budget {
            bytes,
            time: Duration::ZERO,
            private: errand.private,
            cut: errand.robots,
        };
        let response = self.tries(request, budget, self.manners(&request.url, delay), trip)?;
        self.origins.reached(&request.url, response.remote);
        if let Some((cache, key)) = &kept
            && let Err(error) = cache.put(key, &response, SystemTime::now())
            && !self.told.swap(true, Ordering::Relaxed)
        {
            let folder = self.settings.cache.as_deref().unwrap_or(Path::new("")).display();
            self.warn(format!(
                "the cache in {folder} cannot be written to, so pages are not kept: {error}"
            ));
        }
        Ok((response, false))
    }

    /// Tells the log of a step, if there is one.
    pub(crate) fn tell(&self, url: &Url, time: Duration, deed: impl FnOnce() -> Deed) {
        if let Some(log) = &self.settings.log {
            log.tell(&Step {
                deed: deed(),
                url: brief(url),
                time,
            });
        }
    }

    pub(crate) fn warn(&self, warning: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        // A long run may give the same warning for every page.
        if warnings.len() < MOST_WARNINGS && !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// The pace at a host.
    fn manners(&self, url: &Url, asked: Option<Duration>) -> Manners {
        let listed = url.host_str().and_then(|host| self.settings.resolve.get(host));
        let loopback = address::is_loopback(url) || listed.is_some_and(|address| address.is_loopback());
        let (at_once, delay) = match loopback {
            true => (usize::MAX, Duration::ZERO),
            false => (1, Duration::from_secs(1)),
        };
        Manners {
            at_once: self.settings.per_host.unwrap_or(at_once),
            delay: self.settings.delay.unwrap_or(delay).max(asked.unwrap_or_default()),
        }
    }

    /// Makes a request until it is answered or further tries make no sense.
    fn tries(
        &self,
        request: &Request,
        budget: Budget,
        manners: Manners,
        trip: &mut Trip,
    ) -> Result<Response, DriverError> {
        let host = request.url.host_str().unwrap_or("");
        trip.tries = 0;
        loop {
            let start = Instant::now();
            let turn = self.turn(host, manners, trip.deadline);
            self.counters.waiting.add_since(start);
            let turn = turn?.ok_or_else(|| too_late(&request.url, trip))?;
            let start = Instant::now();
            let left = trip.time.saturating_sub(trip.spent);
            let run = trip.deadline.map(|deadline| deadline.saturating_duration_since(start));
            let time = run.map_or(left, |run| run.min(left));
            if time.is_zero() {
                return Err(timed_out(&request.url, trip));
            }
            let result = self.fetch.fetch(request, &Budget { time, ..budget });
            drop(turn);
            trip.tries += 1;
            self.counters.requests.add(1);
            self.counters.fetching.add_since(start);
            if let Ok(response) = &result {
                self.counters.bytes.add(response.body.len() as u64);
            }
            self.tell(&request.url, start.elapsed(), || match &result {
                Ok(response) => Deed::Answered {
                    method: request.method.as_str(),
                    status: response.status,
                    bytes: response.body.len(),
                },
                Err(error) => Deed::Failed { why: error.to_string() },
            });
            let next = retry::next(request, &result, SystemTime::now());
            let now = Instant::now();
            let pause = match next {
                Next::Done => None,
                Next::Again => Some(retry::pause(self.settings.backoff, trip.tries - 1)),
                Next::AfterAsked(pause) => Some(pause),
            };
            // The turns hold back all other requests to this host too.
            if let Next::AfterAsked(pause) = next {
                self.polite.hold(host, now + pause);
                if let Some(turns) = &self.settings.turns {
                    turns.hold(host, pause);
                }
            }
            let pause = pause.filter(|pause| trip.retries > 0 && !trip.is_over(now + *pause));
            let Some(pause) = pause else {
                trip.spent += start.elapsed();
                return result.map_err(|error| final_error(error, &request.url, trip));
            };
            trip.retries -= 1;
            self.counters.retries.add(1);
            self.tell(&request.url, Duration::ZERO, || Deed::Again { after: pause });
            if next == Next::Again {
                self.wait(pause);
            }
        }
    }

    /// Waits for a turn at a host, among the requests of this driver and, if turns are shared, among those of all.
    fn turn(&self, host: &str, manners: Manners, deadline: Option<Instant>) -> Result<Option<Turn>, DriverError> {
        let Some(turns) = self.settings.turns.as_ref().filter(|_| !manners.delay.is_zero()) else {
            return Ok(self.polite.turn(host, manners, deadline));
        };
        let alone = Manners {
            delay: Duration::ZERO,
            ..manners
        };
        let Some(turn) = self.polite.turn(host, alone, deadline) else {
            return Ok(None);
        };
        let is_taken = turns.take(host, manners.delay, deadline)?;
        Ok(is_taken.then_some(turn))
    }

    /// Waits for a while.
    pub(crate) fn wait(&self, time: Duration) {
        let start = Instant::now();
        std::thread::sleep(time);
        self.counters.waiting.add_since(start);
    }

    /// Whether robots.txt allows an address, and its rules.
    fn leave(&self, errand: &Errand, trip: &Trip) -> Result<Arc<Rules>, DriverError> {
        let url = &errand.request.url;
        let Ok(mut place) = url.join("/robots.txt") else {
            return Ok(Arc::default());
        };
        // Without login and fragment.
        let _ = place.set_username("");
        let _ = place.set_password(None);
        let forget = |error: &DriverError| error.kind == FailureKind::Forbidden;
        let said = self.robots.of(&url.origin(), forget, || {
            self.ask_robots(place.clone(), errand.private, trip)
        });
        let refused = |why: String| {
            self.counters.robots_refusals.add(1);
            DriverError::new(
                FailureKind::Robots,
                format!("{} is not for programs: {why}", brief(url)),
            )
            .with_remedy(Remedy::IgnoreRobots)
        };
        match said {
            Said::Rules(rules) => match rules.verdict(url) {
                Some(rule) => Err(refused(format!("{} says \"{rule}\"", brief(&place)))),
                None => Ok(rules),
            },
            Said::Failed(status) => Err(refused(format!(
                "{} answered {status}, which forbids everything until the server answers",
                brief(&place)
            ))),
            // If robots.txt cannot be reached, neither can the page.
            Said::Unreached(mut error) => match error.message.strip_prefix(&brief(&place)) {
                Some(rest) if error.again == Again::Yes => {
                    error.message = format!("{}{rest}", brief(url));
                    Err(error)
                }
                _ if error.kind == FailureKind::Forbidden => Err(error),
                _ => {
                    error.message = format!("{} is not asked for without robots.txt: {}", brief(url), error.message);
                    Err(error.with_remedy(Remedy::IgnoreRobots))
                }
            },
        }
    }

    /// Fetches the robots.txt of a server.
    fn ask_robots(&self, place: Url, mut private: bool, trip: &Trip) -> Said<DriverError> {
        let token = robots::product(self.settings.user_agent.as_bytes());
        let token = String::from_utf8_lossy(token).into_owned();
        let mut request = Request::get(place);
        let options = Options {
            deadline: trip.deadline,
            ..Options::default()
        };
        let mut trip = Trip::new(&self.settings, &options);
        for _ in 0..=robots::MOST_REDIRECTS {
            let errand = Errand {
                request: &request,
                private,
                robots: true,
            };
            let response = match self.ask(&errand, &mut trip) {
                Ok((response, _)) => response,
                Err(error) => return Said::Unreached(error),
            };
            let target = match (response.status, response.header("location")) {
                (200..=299, _) => return Said::Rules(Arc::new(Rules::parse(&response.body, &token))),
                (500..=599, _) => return Said::Failed(response.status),
                (301 | 302 | 303 | 307 | 308, Some(location)) => location.to_owned(),
                _ => break,
            };
            private = self.may_be_private_from(&request.url);
            match redirected(request, response.status, &target) {
                Ok(next) if matches!(next.url.scheme(), "http" | "https") && next.url.has_host() => request = next,
                _ => break,
            }
        }
        Said::Rules(Arc::default())
    }

    /// Waits until a page may be fetched by other means, such as a browser: robots.txt allows it, and it has a turn.
    #[cfg(feature = "chromium")]
    pub(crate) fn admit(&self, url: &Url, private: bool, options: &Options) -> Result<Turn, DriverError> {
        let request = Request::get(url.clone());
        if !private && address::written(url) == Written::Private {
            return Err(http::private(&request));
        }
        let trip = Trip::new(&self.settings, options);
        let errand = Errand {
            request: &request,
            private,
            robots: false,
        };
        let delay = match self.settings.robots {
            true => self.leave(&errand, &trip)?.delay,
            false => None,
        };
        let start = Instant::now();
        let host = url.host_str().unwrap_or("");
        let turn = self.turn(host, self.manners(url, delay), trip.deadline);
        self.counters.waiting.add_since(start);
        turn?.ok_or_else(|| too_late(url, &trip))
    }

    /// May a page from there lead to private addresses?
    pub(crate) fn may_be_private_from(&self, url: &Url) -> bool {
        self.settings.allow_private || self.origins.is_private(url)
    }
}

/// The same request, for an answer other than an earlier one; none if that has nothing to recognize it by.
///
/// A time alone does not tell variants of a page apart, so it counts only if the page is the same for everybody.
fn conditional(request: &Request, earlier: &Response) -> Option<Request> {
    const CONDITIONS: [&str; 2] = ["If-None-Match", "If-Modified-Since"];
    if request.method != Method::Get || earlier.status != 200 || CONDITIONS.iter().any(|c| request.header(c).is_some())
    {
        return None;
    }
    let varies = earlier.headers.iter().any(|(name, value)| {
        let mut parts = value.split(',').map(str::trim);
        name.eq_ignore_ascii_case("vary") && parts.any(|part| !part.eq_ignore_ascii_case("accept-encoding"))
    });
    let mut asked = request.clone();
    if let Some(tag) = earlier.header("etag") {
        asked.headers.push((CONDITIONS[0].to_owned(), tag.to_owned()));
    }
    if let Some(time) = earlier.header("last-modified").filter(|_| !varies) {
        asked.headers.push((CONDITIONS[1].to_owned(), time.to_owned()));
    }
    (asked.headers.len() > request.headers.len()).then_some(asked)
}

/// The failure of a page that cannot be recorded.
fn failed(error: TapeError) -> DriverError {
    let failure = DriverError::new(FailureKind::Other, error.to_string());
    let failure = match error.remedy() {
        Some(remedy) => failure.with_remedy(remedy),
        None => failure,
    };
    failure.with_source(error)
}

fn final_error(mut error: DriverError, url: &Url, trip: &Trip) -> DriverError {
    if error.kind == FailureKind::Timeout {
        error = timed_out(url, trip).with_again(error.again);
    }
    if trip.tries > 1 {
        error.message += &format!(", {} times", trip.tries);
    }
    error
}

fn timed_out(url: &Url, trip: &Trip) -> DriverError {
    if trip.is_over(Instant::now()) {
        let message = format!("the time for the run was over before {} arrived", brief(url));
        return DriverError::new(FailureKind::Timeout, message);
    }
    let message = format!("{} took longer than {} s", brief(url), trip.time.as_secs_f64());
    DriverError::new(FailureKind::Timeout, message).with_remedy(more_time(trip.is_stated))
}

/// What to do if a page took too long; `is_stated` if the expression set the limit.
pub(crate) fn more_time(is_stated: bool) -> Remedy {
    match is_stated {
        true => "the option `timeout` in the expression sets this limit".into(),
        false => Remedy::RaiseTimeout,
    }
}

fn too_late(url: &Url, trip: &Trip) -> DriverError {
    let error = timed_out(url, trip);
    if trip.is_over(Instant::now()) {
        return error;
    }
    let message = format!("the time for the run will be over before {} gets its turn", brief(url));
    DriverError::new(FailureKind::Timeout, message).with_remedy(Remedy::ChangePace)
}
