//! Both frontiers do the same; and what is lost, given back and done again.

use super::*;
use std::sync::Arc;

#[cfg(feature = "postgres")]
#[path = "../../../columnar/tests/stores/server.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod database;

const LONG: Duration = Duration::from_secs(3600);

fn program(delay: f64, tries: i32) -> Program {
    Program {
        delay: Some(delay),
        tries,
        ..Program::new(Task::Expression {
            source: "doc($u)//p:<p=.>".to_owned(),
            whole_addresses: false,
        })
    }
}

fn units(job: usize, hosts: usize, count: usize) -> Vec<Unit> {
    let unit = |number: usize| Unit {
        host: format!("h{}.test", number % hosts),
        input: Input::Values(vec![("u".to_owned(), format!("{job}/{number}"))]).to_json(),
    };
    (0..count).map(unit).collect()
}

/// The same checks on both frontiers, if there is a server.
#[test]
fn both_frontiers_do_the_same() {
    let checks: [fn(&dyn Frontier); 4] = [
        a_job_is_worked_on_and_followed,
        a_worker_that_is_silent_loses_its_units_and_nothing_doubles,
        a_unit_that_kills_its_workers_is_given_up,
        turns_are_apart_and_leases_go_where_a_turn_is_free,
    ];
    checks.iter().for_each(|check| check(&Memory::new()));
    #[cfg(feature = "postgres")]
    match database::Server::start() {
        Ok(server) => {
            for check in checks {
                check(&Postgresql::open(&server.url(), None).expect("a frontier"));
                server.ask("DROP SCHEMA wrapwright_frontier CASCADE");
            }
        }
        Err(why) => skip::skip("frontier", &why),
    }
}

fn leased(frontier: &dyn Frontier, worker: WorkerId, most: usize) -> Vec<Lease> {
    match frontier.lease(worker, most).expect("an answer") {
        Leased::Units(units) => units,
        _ => Vec::new(),
    }
}

fn a_job_is_worked_on_and_followed(frontier: &dyn Frontier) {
    let (program, units) = (program(0.0, 3), units(1, 2, 5));
    let job = frontier.submit(&program, &units).expect("a job");
    assert_eq!((job.again, job.units, job.opened), (false, 5, false));
    assert_eq!(frontier.program(job.job).expect("an answer"), Some(program.clone()));
    let again = frontier.submit(&program, &units).expect("the same job");
    assert_eq!((again.again, again.job), (true, job.job));
    frontier.opened(job.job, Some(7)).expect("noted");
    let again = frontier.submit(&program, &units).expect("the same job");
    assert_eq!((again.opened, again.before), (true, Some(7)));
    let claim = frontier.claim(job.job).expect("nobody follows it");
    assert!(matches!(frontier.claim(job.job), Err(FrontierError::Followed)));
    drop(claim);
    // The server may need a moment to see that the connection is gone.
    let begun = std::time::Instant::now();
    while frontier.claim(job.job).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(20));
    }
    let worker = frontier.enter("w", LONG).expect("a worker");
    let found = leased(frontier, worker, 10);
    let mut numbers: Vec<i64> = found.iter().map(|lease| lease.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
    assert_eq!(frontier.lease(worker, 10).expect("an answer"), Leased::Nothing);
    for lease in found.iter().filter(|lease| lease.number != 1) {
        let records = vec![format!("{}a", lease.number), format!("{}b", lease.number)];
        let report = UnitReport {
            records: 2,
            ..UnitReport::default()
        };
        assert!(frontier.finish(lease, &report, &records).expect("an answer"));
        // An answer that was lost is asked for again.
        assert!(frontier.finish(lease, &report, &records).expect("an answer"));
    }
    // Unit 1 is not over, so nothing after it is given.
    let done = frontier.done(job.job, 0, 100).expect("an answer");
    assert_eq!(
        done.iter().map(|done| (done.number, done.bytes)).collect::<Vec<_>>(),
        [(0, 4)]
    );
    let lease = found.iter().find(|lease| lease.number == 1).expect("it");
    assert!(
        frontier
            .finish(lease, &UnitReport::failed("x", "y"), &[])
            .expect("an answer")
    );
    let done = frontier.done(job.job, 1, 3).expect("an answer");
    assert_eq!(done.iter().map(|done| done.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(done[0].report.first_failures["x"], "y");
    let records = frontier.records(job.job, 0..3).expect("an answer");
    let records: Vec<&str> = records.iter().map(|(_, record)| record.as_str()).collect();
    assert_eq!(records, ["0a", "0b", "2a", "2b"]);
    frontier.forget(job.job).expect("removed");
    assert_eq!(frontier.program(job.job).expect("an answer"), None);
    assert!(!frontier.submit(&program, &units).expect("a new job").again);
}

fn a_worker_that_is_silent_loses_its_units_and_nothing_doubles(frontier: &dyn Frontier) {
    let job = frontier.submit(&program(0.0, 2), &units(1, 1, 3)).expect("a job");
    let dead = frontier.enter("dead", Duration::ZERO).expect("a worker");
    let first = leased(frontier, dead, 2);
    assert_eq!(first.len(), 2);
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(frontier.reap().expect("an answer"), 2);
    assert_eq!(frontier.reap().expect("an answer"), 0);
    assert!(!frontier.beat(dead, LONG).expect("an answer"));
    assert!(matches!(frontier.lease(dead, 1), Err(FrontierError::GivenUp)));
    let alive = frontier.enter("alive", LONG).expect("a worker");
    assert!(frontier.beat(alive, LONG).expect("an answer"));
    // Units that were tried before come last.
    let second = leased(frontier, alive, 9);
    let tries: Vec<(i64, i32)> = second.iter().map(|lease| (lease.number, lease.tries)).collect();
    assert_eq!(tries, [(2, 1), (0, 2), (1, 2)]);
    // The dead one comes back with an old lease.
    let record = ["late".to_owned()];
    assert!(
        !frontier
            .finish(&first[0], &UnitReport::default(), &record)
            .expect("an answer")
    );
    assert!(!frontier.give_back(&first[0], None).expect("an answer"));
    assert!(
        frontier
            .finish(&second[1], &UnitReport::default(), &["0".to_owned()])
            .expect("an answer")
    );
    assert!(
        !frontier
            .finish(&first[0], &UnitReport::default(), &record)
            .expect("an answer")
    );
    // The second try of two fails: the unit is given up. One that a stopped worker gives back has lost no try.
    assert!(
        frontier
            .give_back(&second[2], Some(&UnitReport::failed("status-500", "no")))
            .expect("an answer")
    );
    assert!(frontier.give_back(&second[0], None).expect("an answer"));
    let third = leased(frontier, alive, 9);
    assert_eq!(
        third
            .iter()
            .map(|lease| (lease.number, lease.tries))
            .collect::<Vec<_>>(),
        [(2, 1)]
    );
    assert!(
        frontier
            .finish(&third[0], &UnitReport::default(), &["2".to_owned()])
            .expect("an answer")
    );
    let records = frontier.records(job.job, 0..3).expect("an answer");
    assert_eq!(records, [(0, "0".to_owned()), (2, "2".to_owned())]);
    let done = frontier.done(job.job, 0, 9).expect("an answer");
    assert_eq!(done.len(), 3);
    assert_eq!(done[1].report.failures["status-500"], 1);
    assert_eq!(frontier.lease(alive, 1).expect("an answer"), Leased::Nothing);
}

fn a_unit_that_kills_its_workers_is_given_up(frontier: &dyn Frontier) {
    let job = frontier.submit(&program(0.0, 2), &units(1, 1, 1)).expect("a job");
    for _ in 0..2 {
        let worker = frontier.enter("w", Duration::ZERO).expect("a worker");
        assert_eq!(leased(frontier, worker, 1).len(), 1);
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(frontier.reap().expect("an answer"), 1);
    }
    let done = frontier.done(job.job, 0, 9).expect("an answer");
    assert_eq!(done[0].report.failures["worker-lost"], 1);
}

fn turns_are_apart_and_leases_go_where_a_turn_is_free(frontier: &dyn Frontier) {
    let turn = |delay: u64, longest: u64| {
        let (delay, longest) = (Duration::from_secs(delay), Duration::from_secs(longest));
        frontier.turn("a.test", delay, longest).expect("an answer")
    };
    let about = |turn: Turn, seconds: f64| match turn {
        Turn::In(time) => assert!(
            (time.as_secs_f64() - seconds).abs() < 2.0,
            "{time:?}, expected {seconds}"
        ),
        Turn::NotBefore(time) => panic!("not before {time:?}, expected {seconds}"),
    };
    about(turn(100, 1000), 0.0);
    about(turn(100, 1000), 100.0);
    assert!(matches!(turn(100, 150), Turn::NotBefore(time) if time > Duration::from_secs(190)));
    // What was refused was not reserved.
    about(turn(50, 1000), 200.0);
    about(turn(50, 1000), 250.0);
    frontier.hold("a.test", Duration::from_secs(600)).expect("an answer");
    about(turn(50, 1000), 600.0);
    frontier.hold("b.test", Duration::from_secs(500)).expect("an answer");
    // Three units of a busy host, and one of each of two others.
    let mut units = units(1, 1, 3);
    units.iter_mut().for_each(|unit| unit.host = "a.test".to_owned());
    for (host, input) in [("c.test", "c"), ("d.test", "d"), ("c.test", "c2")] {
        units.push(Unit {
            host: host.to_owned(),
            input: input.to_owned(),
        });
    }
    frontier.submit(&program(100.0, 3), &units).expect("a job");
    let worker = frontier.enter("w", LONG).expect("a worker");
    let mut found: Vec<String> = leased(frontier, worker, 10)
        .into_iter()
        .map(|lease| lease.input)
        .collect();
    found.sort();
    // One of each free host; the second of c.test must wait.
    assert_eq!(found, ["c", "d"]);
    let Leased::Wait(time) = frontier.lease(worker, 10).expect("an answer") else {
        panic!("units wait");
    };
    assert!(
        time > Duration::from_secs(90) && time <= Duration::from_secs(100),
        "{time:?}"
    );
}

/// Random calls have the same answers from both. Times are all zero or very long, so the clock does not matter.
#[cfg(feature = "postgres")]
#[test]
fn the_sql_does_what_the_model_does() {
    let server = match database::Server::start() {
        Ok(server) => server,
        Err(why) => return skip::skip("frontier", &why),
    };
    let sql = Postgresql::open(&server.url(), None).expect("a frontier");
    let model = Memory::new();
    let both: [&dyn Frontier; 2] = [&model, &sql];
    let mut seed = 7_u64;
    let mut below = |limit: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % limit as u64).unwrap_or(0)
    };
    let mut jobs: Vec<JobId> = Vec::new();
    // Workers and leases as each of the two numbers them.
    let mut workers: Vec<[WorkerId; 2]> = Vec::new();
    let mut leases: Vec<[Lease; 2]> = Vec::new();
    let mut compared = 0;
    for step in 0..400 {
        match below(10) {
            0 if jobs.len() < 12 => {
                let (tries, hosts) = (1 + below(3) as i32, 1 + below(3));
                let units = units(step, hosts, 1 + below(8));
                let made = both.map(|frontier| frontier.submit(&program(0.0, tries), &units).expect("a job"));
                assert_eq!(made[0].job, made[1].job);
                jobs.push(made[0].job);
            }
            1 => workers.push(both.map(|frontier| frontier.enter("w", LONG).expect("a worker"))),
            2..=4 if !workers.is_empty() => {
                let worker = workers[below(workers.len())];
                let most = 1 + below(4);
                let answers = [0, 1].map(|at| both[at].lease(worker[at], most));
                match answers {
                    [Ok(Leased::Units(mut one)), Ok(Leased::Units(mut other))] => {
                        // Hosts that are ready since the same time come in any order.
                        assert_eq!(one.len(), other.len(), "step {step}");
                        let key = |lease: &Lease| (lease.job, lease.number);
                        one.sort_by_key(key);
                        other.sort_by_key(key);
                        if one.iter().map(key).ne(other.iter().map(key)) {
                            // They chose other hosts, which is allowed: put them back.
                            one.iter()
                                .for_each(|lease| assert!(model.give_back(lease, None).expect("it")));
                            other
                                .iter()
                                .for_each(|lease| assert!(sql.give_back(lease, None).expect("it")));
                            continue;
                        }
                        for (one, other) in one.into_iter().zip(other) {
                            assert_eq!((one.tries, &one.input), (other.tries, &other.input), "step {step}");
                            leases.push([one, other]);
                            compared += 1;
                        }
                    }
                    [Ok(one), Ok(other)] => assert_eq!(one, other, "step {step}"),
                    [Err(FrontierError::GivenUp), Err(FrontierError::GivenUp)] => {}
                    answers => panic!("step {step}: {answers:?}"),
                }
            }
            5 | 6 if !leases.is_empty() => {
                let lease = leases[below(leases.len())].clone();
                let records: Vec<String> = (0..below(3)).map(|record| format!("{step}-{record}")).collect();
                let done = [0, 1].map(|at| {
                    both[at]
                        .finish(&lease[at], &UnitReport::default(), &records)
                        .expect("it")
                });
                assert_eq!(done[0], done[1], "step {step}");
            }
            7 if !leases.is_empty() => {
                let lease = leases.swap_remove(below(leases.len()));
                let report = (below(2) == 0).then(|| UnitReport::failed("k", "w"));
                let back = [0, 1].map(|at| both[at].give_back(&lease[at], report.as_ref()).expect("it"));
                assert_eq!(back[0], back[1], "step {step}");
            }
            8 if !workers.is_empty() && below(3) == 0 => {
                let worker = workers.swap_remove(below(workers.len()));
                let told = [0, 1].map(|at| both[at].beat(worker[at], Duration::ZERO).expect("it"));
                assert_eq!(told[0], told[1]);
                std::thread::sleep(Duration::from_millis(2));
                let freed = both.map(|frontier| frontier.reap().expect("it"));
                assert_eq!(freed[0], freed[1], "step {step}");
            }
            9 if !jobs.is_empty() && below(8) == 0 => {
                let job = jobs.swap_remove(below(jobs.len()));
                let _ = both.map(|frontier| frontier.forget(job).expect("it"));
            }
            _ => {}
        }
        for job in jobs.iter().filter(|_| step % 8 == 0) {
            let done = both.map(|frontier| frontier.done(*job, 0, 100).expect("it"));
            assert_eq!(done[0], done[1], "step {step}");
            let records = both.map(|frontier| frontier.records(*job, 0..100).expect("it"));
            assert_eq!(records[0], records[1], "step {step}");
        }
    }
    assert!(compared > 30, "the test does something: {compared}");
}

#[cfg(feature = "postgres")]
#[test]
fn a_wrong_server_is_named_and_a_restart_is_survived() {
    let error = Postgresql::open("postgresql://", None).map(drop);
    assert!(
        matches!(error, Err(FrontierError::Server { .. } | FrontierError::Address(_))),
        "{error:?}"
    );
    let error = Postgresql::open("postgresql://nobody@127.0.0.1:1/none", None).expect_err("no server");
    assert!(error.to_string().contains("127.0.0.1"), "{error}");
    assert!(!error.is_mistake() && error.remedy().is_some());
    let mut server = match database::Server::start() {
        Ok(server) => server,
        Err(why) => return skip::skip("frontier", &why),
    };
    let frontier = Postgresql::open(&server.url(), None).expect("a frontier");
    let job = frontier.submit(&program(0.0, 1), &units(1, 1, 1)).expect("a job");
    server.kill();
    server.start_again();
    assert!(frontier.program(job.job).expect("a new connection").is_some());
    server.ask("UPDATE wrapwright_frontier.version SET number = 99");
    let error = Postgresql::open(&server.url(), None).expect_err("another version");
    assert!(error.to_string().contains("version 99, expected version 1"), "{error}");
}

#[test]
fn a_worker_runs_units_and_a_follower_gets_their_records_in_order() {
    use demo::server::{Answer, Request, Response, start};
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let site = start("127.0.0.1:0", move |request: &Request| match request.path.as_str() {
        // The first time it is busy.
        "/b" if asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 => {
            Answer::Whole(Response::new(503, "text/plain", Vec::new()))
        }
        "/robots.txt" => Answer::Whole(Response::new(404, "text/plain", Vec::new())),
        "/bad" => Answer::Whole(Response::new(404, "text/plain", Vec::new())),
        path => Answer::Whole(Response::html(format!("<p>{path}<p>second"))),
    });
    let site = site.expect("a free port");
    let frontier: Arc<dyn Frontier> = Arc::new(Memory::new());
    let program = program(0.0, 2);
    let mut units: Vec<Unit> = ["a", "b", "bad", "c"]
        .iter()
        .map(|page| Unit {
            host: "127.0.0.1".to_owned(),
            input: Input::Values(vec![("u".to_owned(), format!("{}{page}", site.url()))]).to_json(),
        })
        .collect();
    units.push(Unit {
        host: "?1".to_owned(),
        input: Input::Values(vec![("u".to_owned(), "file:///etc/hostname".to_owned())]).to_json(),
    });
    let submitted = frontier.submit(&program, &units).expect("a job");
    let mut session = crate::SessionSettings::default();
    session.web.allow_private = true;
    session.web.retries = 0;
    let settings = WorkerSettings {
        jobs: 3,
        idle: Some(Duration::from_millis(50)),
        ..WorkerSettings::new(session)
    };
    let report = work(&frontier, &settings, &mut |_| ()).expect("it works");
    assert_eq!(
        (report.units, report.again, report.records, report.dropped),
        (5, 1, 6, 0),
        "{report:?}"
    );
    let mut following = Following::new(&frontier, &submitted, crate::Job::new()).expect("a follower");
    let mut texts = Vec::new();
    while let Some(event) = following.next_event().expect("an event") {
        match event {
            Followed::Record(record) => texts.push(record.value.unwrap_or_default()),
            Followed::Unit(number) => texts.push(format!("#{number}")),
            Followed::Over(_) => {}
        }
    }
    let expected = [
        "#0", "/a", "second", "#1", "/b", "second", "#2", "#3", "/c", "second", "#4",
    ];
    assert_eq!(texts, expected);
    assert!(following.is_over());
    let total = following.report();
    assert_eq!((total.summary.records, total.summary.failures), (6, 2));
    assert_eq!(total.failures_by_kind["status-404"], 1);
    // Without leave, not even loopback is asked.
    let frontier: Arc<dyn Frontier> = Arc::new(Memory::new());
    let submitted = frontier.submit(&program, &units[..1]).expect("a job");
    let settings = WorkerSettings {
        idle: Some(Duration::from_millis(50)),
        ..WorkerSettings::new(crate::SessionSettings::default())
    };
    work(&frontier, &settings, &mut |_| ()).expect("it works");
    let done = frontier.done(submitted.job, 0, 1).expect("an answer");
    assert_eq!(done[0].report.records, 0);
    assert_eq!(done[0].report.failures["forbidden"], 1, "{done:?}");
}
