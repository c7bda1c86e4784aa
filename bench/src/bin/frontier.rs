//! A frontier under load: `frontier [SECONDS [CONNECTIONS]]` lets 1,000 simulated workers crawl 100,000 hosts with the real
//! SQL on a real server, which waits for its disk, for SECONDS (30) in each of three phases.
//!
//! A simulated worker does what `wrapwright worker` does, but instead of fetching a page it is waited for by a timer: lease, turn,
//! page, finish, and heartbeats. One in 200 units kills its worker, which comes back as a new one after five seconds; one page in
//! 100 takes 20 seconds. A few connections serve all workers, as a pool in front of the server would.
//!
//! 1. *load*: a page takes one second on average; what do the workers wait for?
//! 2. *limit, eight at once*: pages take no time, so the server is the limit; leases of eight units.
//! 3. *limit*: the same with leases of one unit.
//!
//! The processor time of the server tells what a quieter or larger machine can do.
//!
//! After each phase the tables are checked: every unit that is done has its two records, and no two turns at a host were
//! closer than the delay.

#[path = "../../../crates/columnar/tests/stores/server.rs"]
#[allow(dead_code, reason = "tests use the rest of it")]
mod database;

use anyhow::{anyhow, ensure};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::io::Write;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use wrapwright::frontier::{
    AHEAD, Frontier, Lease, Leased, Postgresql, Program, Task, Turn, Unit, UnitReport, WorkerId,
};

const WORKERS: usize = 1_000;
const HOSTS: usize = 100_000;
const UNITS: usize = 1_000_000;
const DELAY: Duration = Duration::from_secs(1);
const LIMIT: Duration = Duration::from_secs(6);
const REBIRTH: Duration = Duration::from_secs(5);

/// What is to be done next, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Beat(usize),
    Enter(usize),
    Lease(usize),
    Turn(usize),
    Finish(usize),
    Reap,
}

#[derive(Default)]
struct Simulated {
    id: Option<WorkerId>,
    units: VecDeque<Lease>,
    /// Changes when it dies, so that steps of before are dropped.
    life: u32,
}

/// What a phase is like.
#[derive(Clone, Copy)]
struct Phase {
    name: &'static str,
    page: Duration,
    at_once: usize,
}

#[derive(Default)]
struct Measured {
    statements: BTreeMap<&'static str, Vec<f64>>,
    /// How late steps were taken.
    late: Vec<f64>,
    pages: usize,
    deaths: usize,
    freed: usize,
    idle: usize,
    turns: BTreeMap<String, Vec<Instant>>,
}

struct World {
    phase: Phase,
    end: Instant,
    queue: Mutex<BinaryHeap<Reverse<(Instant, u32, Step)>>>,
    moved: Condvar,
    workers: Vec<Mutex<Simulated>>,
    measured: Mutex<Measured>,
    chance: Mutex<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    fn new(phase: Phase, seconds: u64) -> World {
        let now = Instant::now();
        let mut queue = BinaryHeap::new();
        for worker in 0..WORKERS {
            // They do not start all at once.
            let at = now + Duration::from_micros(worker as u64 * 1000);
            queue.push(Reverse((at, 0, Step::Enter(worker))));
        }
        queue.push(Reverse((now, 0, Step::Reap)));
        World {
            phase,
            end: now + Duration::from_secs(seconds),
            queue: Mutex::new(queue),
            moved: Condvar::new(),
            workers: (0..WORKERS).map(|_| Mutex::default()).collect(),
            measured: Mutex::default(),
            chance: Mutex::new(0x9e37_79b9_7f4a_7c15),
        }
    }

    fn below(&self, limit: u64) -> u64 {
        let mut seed = lock(&self.chance);
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed % limit
    }

    fn plan(&self, wait: Duration, life: u32, step: Step) {
        lock(&self.queue).push(Reverse((Instant::now() + wait, life, step)));
        self.moved.notify_one();
    }

    /// The next step whose time has come; none at the end.
    fn next(&self) -> Option<(u32, Step)> {
        let mut queue = lock(&self.queue);
        loop {
            let now = Instant::now();
            if now >= self.end {
                return None;
            }
            let wait = match queue.peek() {
                Some(Reverse((at, ..))) if *at <= now => {
                    let Reverse((at, life, step)) = queue.pop()?;
                    drop(queue);
                    lock(&self.measured).late.push((now - at).as_secs_f64());
                    return Some((life, step));
                }
                Some(Reverse((at, ..))) => *at - now,
                None => Duration::from_millis(10),
            };
            let wait = wait.min(self.end - now);
            let waited = self.moved.wait_timeout(queue, wait);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn timed<T>(&self, what: &'static str, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = work();
        let time = begun.elapsed().as_secs_f64();
        lock(&self.measured).statements.entry(what).or_default().push(time);
        done
    }

    /// Page times: most are around the mean, one in a hundred is a straggler.
    fn page(&self) -> Duration {
        match self.below(100) {
            _ if self.phase.page.is_zero() => Duration::ZERO,
            0 => Duration::from_secs(20),
            _ => self.phase.page * u32::try_from(500 + self.below(1000)).unwrap_or(1000) / 1000,
        }
    }

    fn take(&self, frontier: &Postgresql, life: u32, step: Step) -> anyhow::Result<()> {
        let again = Duration::from_millis(500);
        match step {
            Step::Reap => {
                let freed = self.timed("reap", || frontier.reap())?;
                lock(&self.measured).freed += freed;
                self.plan(Duration::from_secs(1), 0, Step::Reap);
            }
            Step::Enter(number) => {
                let id = self.timed("enter", || frontier.enter("simulated", LIMIT))?;
                lock(&self.workers[number]).id = Some(id);
                self.plan(LIMIT / 3, life, Step::Beat(number));
                self.plan(Duration::ZERO, life, Step::Lease(number));
            }
            Step::Beat(number) => {
                let Some(id) = self.alive(number, life) else {
                    return Ok(());
                };
                if self.timed("beat", || frontier.beat(id, LIMIT))? {
                    self.plan(LIMIT / 3, life, Step::Beat(number));
                } else {
                    self.die(number, Duration::ZERO);
                }
            }
            Step::Lease(number) => {
                let Some(id) = self.alive(number, life) else {
                    return Ok(());
                };
                match self.timed("lease", || frontier.lease(id, self.phase.at_once)) {
                    Ok(Leased::Units(units)) => {
                        lock(&self.workers[number]).units = units.into();
                        self.plan(Duration::ZERO, life, Step::Turn(number));
                    }
                    Ok(Leased::Wait(time)) => {
                        lock(&self.measured).idle += 1;
                        self.plan(time.clamp(Duration::from_millis(5), again), life, Step::Lease(number));
                    }
                    Ok(Leased::Nothing) => {
                        lock(&self.measured).idle += 1;
                        self.plan(again, life, Step::Lease(number));
                    }
                    // It was late with its heartbeat.
                    Err(wrapwright::frontier::FrontierError::GivenUp) => self.die(number, Duration::ZERO),
                    Err(error) => return Err(error.into()),
                }
            }
            Step::Turn(number) => {
                if self.alive(number, life).is_none() {
                    return Ok(());
                }
                if self.below(200) == 0 {
                    lock(&self.measured).deaths += 1;
                    self.die(number, REBIRTH);
                    return Ok(());
                }
                let host = lock(&self.workers[number]).units.front().map(|unit| unit.input.clone());
                let Some(host) = host else { return Ok(()) };
                match self.timed("turn", || frontier.turn(&host, DELAY, AHEAD))? {
                    Turn::In(wait) => {
                        let mut measured = lock(&self.measured);
                        measured.turns.entry(host).or_default().push(Instant::now() + wait);
                        drop(measured);
                        self.plan(wait + self.page(), life, Step::Finish(number));
                    }
                    Turn::NotBefore(time) => {
                        let pause = time.saturating_sub(AHEAD).max(Duration::from_millis(100));
                        self.plan(pause, life, Step::Turn(number));
                    }
                }
            }
            Step::Finish(number) => {
                if self.alive(number, life).is_none() {
                    return Ok(());
                }
                let unit = lock(&self.workers[number]).units.pop_front();
                let Some(unit) = unit else { return Ok(()) };
                let record = format!(
                    "[\"book\",null,\"http://{}/\",[[\"title\",\"{}\",null,[]]]]",
                    unit.input,
                    "x".repeat(200)
                );
                let report = UnitReport {
                    pages: 1,
                    records: 2,
                    ..UnitReport::default()
                };
                let kept = self.timed("finish", || frontier.finish(&unit, &report, &[record.clone(), record]))?;
                lock(&self.measured).pages += usize::from(kept);
                let is_last = lock(&self.workers[number]).units.is_empty();
                let next = if is_last {
                    Step::Lease(number)
                } else {
                    Step::Turn(number)
                };
                self.plan(Duration::ZERO, life, next);
            }
        }
        Ok(())
    }

    fn alive(&self, number: usize, life: u32) -> Option<WorkerId> {
        let worker = lock(&self.workers[number]);
        worker.id.filter(|_| worker.life == life)
    }

    fn die(&self, number: usize, rebirth: Duration) {
        let mut worker = lock(&self.workers[number]);
        let life = worker.life + 1;
        *worker = Simulated {
            life,
            ..Simulated::default()
        };
        drop(worker);
        self.plan(rebirth, life, Step::Enter(number));
    }
}

/// The processor time of the server so far, in seconds, on Linux.
fn processor(url: &str) -> Option<f64> {
    let folder = url.split("host=").nth(1)?;
    let text = std::fs::read_to_string(format!("{folder}/data/postmaster.pid")).ok()?;
    let server: u32 = text.lines().next()?.trim().parse().ok()?;
    let mut ticks = 0.0;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name of the program is in brackets, and may have spaces.
        let Some((before, after)) = stat.rsplit_once(") ") else {
            continue;
        };
        let fields: Vec<&str> = after.split(' ').collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
        let is_server = before.split(' ').next() == Some(&server.to_string());
        if is_server || number(1) == Some(f64::from(server)) {
            ticks += number(11).unwrap_or(0.0) + number(12).unwrap_or(0.0);
        }
    }
    Some(ticks / 100.0)
}

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let seconds: u64 = args.next().map_or(Ok(30), |text| text.parse())?;
    let connections: usize = args.next().map_or(Ok(8), |text| text.parse())?;
    let mut out = std::io::stdout();
    let server = database::Server::start_with(&["-c", "shared_buffers=256MB", "-c", "max_wal_size=4GB"]);
    let server = server.map_err(|why| anyhow!(why))?;
    let frontier = Postgresql::open(&server.url(), None)?;
    // Half of the units are spread evenly, half of them are on few hosts.
    let mut seed = 1_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % 1_000_000) as f64 / 1e6
    };
    let units: Vec<Unit> = (0..UNITS)
        .map(|number| {
            let host = match number % 2 {
                0 => number / 2 % HOSTS,
                _ => (random().powi(3) * HOSTS as f64) as usize,
            };
            let host = format!("h{host}.test");
            Unit {
                input: host.clone(),
                host,
            }
        })
        .collect();
    let program = Program {
        delay: Some(DELAY.as_secs_f64()),
        tries: 10,
        ..Program::new(Task::Expression {
            source: "doc('http://h/')".to_owned(),
            whole_addresses: false,
        })
    };
    let begun = Instant::now();
    let job = frontier.submit(&program, &units)?;
    let time = begun.elapsed().as_secs_f64();
    writeln!(
        out,
        "{UNITS} units on {HOSTS} hosts submitted in {time:.1} s ({:.0} a second); {WORKERS} workers, {connections} connections, {seconds} s for each phase\n",
        UNITS as f64 / time
    )?;
    server.ask("ANALYZE");
    writeln!(
        out,
        "| phase | pages a second | statements a second | lease p50, p99 | turn p50, p99 | finish p50, p99 | steps late p50, p99 | died | units freed | turns too close | server's processor time per 1,000 pages |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    let phases = [
        ("load", Duration::from_secs(1), 1),
        ("limit, eight at once", Duration::ZERO, 8),
        ("limit", Duration::ZERO, 1),
    ];
    for (name, page, at_once) in phases {
        let world = World::new(Phase { name, page, at_once }, seconds);
        let begun = Instant::now();
        let before = processor(&server.url());
        let failed: Vec<anyhow::Error> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..connections)
                .map(|_| {
                    scope.spawn(|| {
                        while let Some((life, step)) = world.next() {
                            world.take(&frontier, life, step)?;
                        }
                        Ok::<(), anyhow::Error>(())
                    })
                })
                .collect();
            let ended = threads.into_iter().map(|thread| thread.join());
            ended.filter_map(|ended| ended.ok().and_then(Result::err)).collect()
        });
        let time = begun.elapsed().as_secs_f64();
        ensure!(failed.is_empty(), "{failed:?}");
        let used = processor(&server.url())
            .zip(before)
            .map(|(after, before)| after - before);
        report(&mut out, &world, time, used)?;
        let wrong = server.ask(&format!(
            "SELECT count(*) FROM wrapwright_frontier.units u WHERE job = {} AND (state = 2) <> \
             ((SELECT count(*) FROM wrapwright_frontier.records r WHERE r.job = u.job AND r.unit = u.number) = 2)",
            job.job.0
        ));
        ensure!(
            wrong == ["0"],
            "{wrong:?} units have records that they should not have, or lack some"
        );
        // The workers of this phase are gone.
        server.ask("UPDATE wrapwright_frontier.workers SET until = to_timestamp(0)");
        frontier.reap()?;
    }
    let left = server.ask("SELECT state, count(*) FROM wrapwright_frontier.units GROUP BY state ORDER BY state");
    writeln!(
        out,
        "\nunits by state (0 waits, 2 done, 3 given up): {}",
        left.join(", ")
    )?;
    let size = server.ask("SELECT pg_size_pretty(pg_database_size(current_database()))");
    writeln!(out, "size of the database: {}", size.join(""))?;
    Ok(())
}

fn report(out: &mut impl Write, world: &World, time: f64, used: Option<f64>) -> anyhow::Result<()> {
    let mut measured = lock(&world.measured);
    let at = |times: &mut Vec<f64>, share: f64| {
        times.sort_by(f64::total_cmp);
        let place = ((times.len().max(1) - 1) as f64 * share) as usize;
        times.get(place).copied().unwrap_or(0.0) * 1000.0
    };
    let both = |times: &mut Vec<f64>| format!("{:.1}, {:.1} ms", at(times, 0.5), at(times, 0.99));
    let statements: usize = measured.statements.values().map(Vec::len).sum();
    let mut columns = Vec::new();
    for what in ["lease", "turn", "finish"] {
        columns.push(both(measured.statements.entry(what).or_default()));
    }
    let late = both(&mut measured.late);
    // The moment of a turn is known here only as well as its answer was quick.
    let close = |times: &mut Vec<Instant>| {
        times.sort();
        let pairs = times.windows(2);
        pairs.filter(|pair| pair[1] - pair[0] < DELAY * 9 / 10).count()
    };
    let too_close: usize = measured.turns.values_mut().map(close).sum();
    writeln!(
        out,
        "| {} | {:.0} | {:.0} | {} | {late} | {} | {} | {too_close} | {:.2} s |",
        world.phase.name,
        measured.pages as f64 / time,
        statements as f64 / time,
        columns.join(" | "),
        measured.deaths,
        measured.freed,
        used.unwrap_or(0.0) * 1000.0 / measured.pages.max(1) as f64
    )?;
    Ok(())
}
