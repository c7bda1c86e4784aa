//! Hosts on this machine that log their requests, and workers as processes.
#![allow(dead_code, reason = "the test and the bench use different parts of it")]

use demo::server::{Answer, Request, Response, Running, start};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The program under test; a bench names its own.
pub(crate) const PROGRAM: &str = match option_env!("CARGO_BIN_EXE_wrapwright") {
    Some(program) => program,
    None => "wrapwright",
};

/// The host and the moment of a request.
pub(crate) type Log = Vec<(String, Instant)>;

/// Hosts at 127.0.1.1, 127.0.1.2 and so on, with pages that have two records each.
pub(crate) struct Web {
    servers: Vec<Running>,
    names: Vec<String>,
    pages: usize,
    log: Arc<Mutex<Log>>,
}

impl Web {
    /// Pages that take `pause` to come.
    pub(crate) fn start(hosts: usize, pages: usize, pause: Duration) -> Web {
        let log: Arc<Mutex<Log>> = Arc::default();
        let names: Vec<String> = (1..=hosts).map(|host| format!("127.0.1.{host}")).collect();
        let serve = |(number, name): (usize, &String)| {
            let (log, host) = (Arc::clone(&log), name.clone());
            let answer = move |request: &Request| {
                log.lock().expect("a log").push((host.clone(), Instant::now()));
                std::thread::sleep(pause);
                let page = request.path.trim_start_matches('/').parse::<usize>().ok();
                let Some(page) = page.filter(|page| *page < pages) else {
                    return Answer::Whole(Response::new(404, "text/plain", b"nothing here".to_vec()));
                };
                let record = |record: usize| {
                    let n = (number * pages + page) * 2 + record;
                    format!("<p><b>{n}</b><i>text {n}</i></p>")
                };
                Answer::Whole(Response::html(record(0) + &record(1)))
            };
            start(format!("{name}:0"), answer).expect("a free port")
        };
        let servers = names.iter().enumerate().map(serve).collect();
        Web {
            servers,
            names,
            pages,
            log,
        }
    }

    /// The names of the hosts.
    pub(crate) fn hosts(&self) -> &[String] {
        &self.names
    }

    /// Where a host begins.
    pub(crate) fn url(&self, host: usize) -> String {
        self.servers[host].url().to_string()
    }

    /// The addresses of all pages, host by host.
    pub(crate) fn list(&self) -> String {
        let hosts = 0..self.servers.len();
        let pages = hosts.flat_map(|host| (0..self.pages).map(move |page| (host, page)));
        pages
            .map(|(host, page)| format!("{}{page}\n", self.url(host)))
            .collect()
    }

    /// A table of these addresses.
    pub(crate) fn table(&self) -> String {
        format!("url\n{}", self.list())
    }

    /// The number of requests since the log was taken.
    pub(crate) fn count(&self) -> usize {
        self.log.lock().expect("a log").len()
    }

    /// The requests since the last call.
    pub(crate) fn take_log(&self) -> Log {
        std::mem::take(&mut self.log.lock().expect("a log"))
    }
}

/// The times between two requests to the same host.
pub(crate) fn gaps(log: &Log) -> Vec<Duration> {
    let mut log = log.clone();
    log.sort();
    let pairs = log.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    pairs.map(|pair| pair[1].1 - pair[0].1).collect()
}

/// A worker.
pub(crate) struct Worker(Child);

impl Worker {
    pub(crate) fn start(database: &str, args: &[&str]) -> Worker {
        Worker::of(PROGRAM, database, args)
    }

    pub(crate) fn of(program: &str, database: &str, args: &[&str]) -> Worker {
        let child = Command::new(program)
            .args(["worker", database, "-q", "--allow-private", "--ignore-robots"])
            .args(args)
            .stderr(Stdio::inherit())
            .spawn();
        Worker(child.expect("the program starts"))
    }

    /// Ends it without a chance to say anything.
    pub(crate) fn kill(mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }

    /// Asks it to end.
    pub(crate) fn stop(mut self) {
        let asked = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        assert!(asked.expect("kill").success());
        assert_eq!(self.0.wait().expect("it ends").code(), Some(130));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
