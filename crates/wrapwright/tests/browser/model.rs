//! Random pages with scripts and random expressions: the browser against the oracle of runs, on a model of the page.
//!
//! The oracle has graphs of plain pages in memory, and evaluates expressions by the tables of the paper. Here such a graph
//! is a site with scripts. Each of its pages is a *state*: a click on a link lets a script replace the content of the body
//! by the state that the link leads to, some time later and in one of several ways ([`Way`]). So the tree in the browser,
//! once it is ready, is the tree of the page in memory, and the same expression must give the same output tree. States
//! that the expression needs again are brought back by the driver, which is what this test is about.
//!
//! A case is right if the trees are equal, in whatever order. If they are not, the run must have told a failure, apart from
//! the links to nowhere, which fail in the model as well; such cases are counted and must be rare. Data that is different
//! without a failure is never right.
//!
//! **What is left out**, because there the browser means to be different:
//!
//! - *Repetitions over states of one page.* They give only what is new in each state, which the tables know nothing of. If
//!   an expression repeats actions, all links of its site lead to other documents, some at once and some by a script.
//! - *Delays that are longer than the driver promises to wait.* Timers begin within [`LONGEST_TIMER`], because a page that
//!   does nothing for 0.3 s is ready, and parts follow each other within [`LONGEST_GAP`], because a tree that is quiet for
//!   0.1 s is ready. Requests may take longer, and do.
//! - *Addresses.* States of one page have one address; expressions do not ask for it.
//! - *Expressions that do little or take long*, see [`TURNS`], and most of those that extract nothing from the states that
//!   their actions lead to.
//!
//! `MODEL_CASES` and `MODEL_SEED` ask for more or other cases, and `MODEL_COUNTS` shows what there was.

use crate::oracle::generate::{self, Tape};
use crate::oracle::{Collected, Expected, expected, show_records};
use crate::stage::{Stage, shared, site};
use demo::server::{Answer, Request, Response, Running};
use oxpath::syntax::ast::{Expr, ExprKind, KleeneForm, StepForm};
use oxpath::syntax::{each_child, parse};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wrapwright::{Driver, RunOptions, Script, Workers};

/// Milliseconds until a script does something by itself.
const LONGEST_TIMER: u64 = 200;
/// Milliseconds between the parts of a state that a timer separates.
const LONGEST_GAP: u64 = 50;
/// Milliseconds until the server answers a script.
const LONGEST_REQUEST: u64 = 300;
/// How many pages an expression opens and how many actions it performs, together.
const TURNS: RangeInclusive<usize> = 3..=16;
/// Cases that run at the same time; most of their time is waiting.
const THREADS: usize = 4;

/// How a click on a link leads to its state.
#[derive(Clone, Copy)]
enum Way {
    /// It is a link like any other.
    Link,
    /// A script goes to the address, after some time.
    Go,
    /// The state replaces the one before, at once or after some time.
    Set,
    /// The same, with the state from the server.
    Fetch,
    /// A first part of the state comes after some time, the rest a little later.
    Parts,
    /// A first part of the state comes at once, and all of it from the server.
    Preview,
    /// A notice comes at once, and then the state from the server.
    Loading,
}

impl Way {
    const OF_DOCUMENTS: &[Way] = &[Way::Link, Way::Go];
    const ALL: &[Way] = &[
        Way::Set,
        Way::Fetch,
        Way::Parts,
        Way::Preview,
        Way::Loading,
        Way::Set,
        Way::Fetch,
        Way::Link,
        Way::Go,
    ];

    fn name(self) -> &'static str {
        match self {
            Way::Link => "link",
            Way::Go => "go",
            Way::Set => "set",
            Way::Fetch => "fetch",
            Way::Parts => "parts",
            Way::Preview => "preview",
            Way::Loading => "loading",
        }
    }
}

/// What the pages do; `WAYS` and `STATES` come before it.
const SCRIPT: &str = "
    const parts = (html) => {
      const all = document.createElement('template');
      all.innerHTML = html;
      return [...all.content.childNodes];
    };
    const show = (html) => { document.body.innerHTML = html };
    const begin = (html) => {
      const nodes = parts(html);
      document.body.replaceChildren(...nodes.slice(0, nodes.length / 2));
      return nodes.slice(nodes.length / 2);
    };
    const after = (time, act) => { if (time) setTimeout(act, time); else act() };
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a');
      const href = link && link.getAttribute('href');
      const [way, timer, gap, late] = WAYS[href] || ['link'];
      if (way === 'link') return;
      event.preventDefault();
      const number = href.match(/\\d+/)[0];
      const ask = () => fetch(`/state/${number}?late=${late}`).then((answer) => answer.text()).then(show);
      if (way === 'go') after(timer, () => { location = href });
      if (way === 'set') after(timer, () => show(STATES[number]));
      if (way === 'fetch') ask();
      if (way === 'parts') after(timer, () => {
        const rest = begin(STATES[number]);
        after(gap, () => document.body.append(...rest));
      });
      if (way === 'preview') { begin(STATES[number]); ask() }
      if (way === 'loading') { show('<p>loading</p>'); ask() }
    });";

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn choices(&mut self, least: u64, most: u64) -> Vec<u16> {
        let count = least + self.next() % (most - least);
        (0..count).map(|_| self.next() as u16).collect()
    }

    /// Often 0, otherwise up to `most`.
    fn time(&mut self, most: u64) -> u64 {
        (self.next() % (most * 4 / 3)).saturating_sub(most / 3)
    }
}

/// A random site with an expression, and what it must give.
struct Case {
    seed: u64,
    source: String,
    /// The content of the body of each state.
    states: Vec<String>,
    /// How the links lead on, as a script.
    ways: String,
    /// Do scripts make states, and not only other documents?
    scripted: bool,
    /// Does what it extracts depend on the states that actions lead to?
    from_states: bool,
    expected: Vec<String>,
}

impl Case {
    /// None if the choices give an expression that is wrong or left out.
    fn new(seed: u64) -> Option<Case> {
        let mut random = Random(seed);
        let graph = generate::pages(&mut Tape::new(&random.choices(40, 200)));
        let choices = random.choices(10, 80);
        let mut tape = match seed % 3 {
            0 => Tape::narrow(&choices),
            _ => Tape::new(&choices),
        };
        let source = generate::expression(&mut tape);
        Script::compile(&source, &[]).ok()?;
        let expr = parse(&source).expect("it compiled");
        let states: Vec<String> = graph.into_iter().map(|(_, state)| state).collect();
        let expected = model(&states, &expr).filter(|expected| TURNS.contains(&expected.turns))?;
        // No expression opens the states after the first two by their address.
        let first = states.iter().enumerate().map(|(at, state)| match at {
            0 | 1 => state.clone(),
            _ => String::new(),
        });
        let without = model(&first.collect::<Vec<_>>(), &expr)?;
        let from_states = without.trees != expected.trees;
        if !from_states && !seed.is_multiple_of(64) {
            return None;
        }
        let scripted = !repeats_actions(&expr);
        let ways = match scripted {
            true => Way::ALL,
            false => Way::OF_DOCUMENTS,
        };
        Some(Case {
            seed,
            source,
            ways: ways_of_links(&states, ways, &mut random),
            states,
            scripted,
            from_states,
            expected: expected.trees,
        })
    }

    /// The site; counts how often it is opened by an address of the expression.
    fn serve(&self, opened: &Arc<AtomicU64>) -> Running {
        let opened = Arc::clone(opened);
        let states = self.states.clone();
        let texts: BTreeMap<usize, &String> = self.states.iter().enumerate().collect();
        let texts = serde_json::to_string(&texts).expect("texts");
        let script = format!("const WAYS = {};\nconst STATES = {texts};\n{SCRIPT}", self.ways);
        site(move |request: &Request| -> Answer {
            let state = |number: &str| states.get(number.parse::<usize>().ok()?);
            if request.path == "/model.js" {
                return Response::new(200, "text/javascript", script.clone()).into();
            }
            if let Some(state) = request.path.strip_prefix("/state/").and_then(state) {
                let late = request.value("late").and_then(|late| late.parse().ok()).unwrap_or(0);
                return Answer::Late(Response::text(state.clone()), Duration::from_millis(late));
            }
            match request.path.strip_prefix('/').and_then(state) {
                Some(state) => {
                    // The addresses of links have a query.
                    opened.fetch_add(u64::from(request.query.is_empty()), Ordering::Relaxed);
                    Response::html(document(state)).into()
                }
                None => Response::plain(404).into(),
            }
        })
    }

    /// Runs it, and says whether a state had to be brought back from the start.
    fn run(&self, stage: &Stage) -> (Verdict, bool) {
        let opened = Arc::new(AtomicU64::new(0));
        let server = self.serve(&opened);
        let source = self.source.replace("http://t/", &server.url());
        let script = Script::compile(&source, &[]).unwrap_or_else(|found| panic!("{found:?}"));
        let driver = || Box::new(stage.0.clone()) as Box<dyn Driver + Send>;
        // With fetching ahead and without.
        let mut workers = Workers::new(1 + (self.seed % 2) as usize, driver).expect("threads");
        let mut collected = Collected::default();
        script.run_with(&mut workers, None, &RunOptions::default(), &mut collected);
        let found = show_records(&collected.records);
        let again = opened.load(Ordering::Relaxed) > self.source.matches("doc(").count() as u64;
        if found == self.expected {
            return (Verdict::Equal, again);
        }
        let Case {
            seed,
            source,
            states,
            ways,
            expected,
            ..
        } = self;
        let failures = collected.failures;
        let told = failures.iter().any(|failure| !failure.contains("404"));
        let report = format!(
            "seed {seed}: {source}\nfound {found:#?}\nexpected {expected:#?}\nfailures {failures:#?}\nways {ways}\n{states:#?}"
        );
        let verdict = match told {
            true => Verdict::Told(report),
            false => Verdict::Wrong(report),
        };
        (verdict, again)
    }
}

enum Verdict {
    Equal,
    /// Not the same, but the run told a failure.
    Told(String),
    Wrong(String),
}

/// What an expression gives on the states as pages in memory; none if the oracle gave up.
fn model(states: &[String], expr: &Expr) -> Option<Expected> {
    let pages = states.iter().enumerate();
    let pages: Vec<(String, String)> = pages
        .map(|(number, state)| (format!("http://t/{number}"), document(state)))
        .collect();
    expected(&pages, expr)
}

/// A state as a page. The model has the script, too, so that both have the same tree.
fn document(state: &str) -> String {
    format!("<!doctype html><html><head><script src=/model.js></script></head><body>{state}</body></html>")
}

/// How each link of the states leads on: a JSON object from `href` to way and times. Links to nowhere are plain links.
fn ways_of_links(states: &[String], ways: &[Way], random: &mut Random) -> String {
    let mut table = BTreeMap::new();
    for state in states {
        for link in state.split("href='").skip(1) {
            let href = link.split('\'').next().unwrap_or("");
            let way = ways[random.next() as usize % ways.len()];
            let (timer, gap) = (random.time(LONGEST_TIMER), random.time(LONGEST_GAP));
            let late = random.time(LONGEST_REQUEST);
            if !href.starts_with("/99?") {
                table.insert(href, (way.name(), timer, gap, late));
            }
        }
    }
    serde_json::to_string(&table).expect("texts and numbers")
}

/// Is there a repetition with actions inside?
fn repeats_actions(expr: &Expr) -> bool {
    let steps = match &expr.kind {
        ExprKind::Path(path) => &path.steps[..],
        _ => &[],
    };
    let mut repeats = steps.iter().any(|step| match &step.form {
        StepForm::Kleene { body, form, .. } => *form != KleeneForm::Group && acts(body),
        _ => false,
    });
    each_child(expr, &mut |child| repeats |= repeats_actions(child));
    repeats
}

fn acts(expr: &Expr) -> bool {
    let mut acts = match &expr.kind {
        ExprKind::Path(path) => path.steps.iter().any(|step| step.form.turns_page()),
        _ => false,
    };
    each_child(expr, &mut |child| acts |= self::acts(child));
    acts
}

/// How many cases there were.
#[derive(Default, Debug)]
struct Counts {
    cases: usize,
    /// Those that extract something from states that actions lead to.
    from_states: usize,
    /// Those with states that a script makes.
    scripted: usize,
    /// Those that went back to the start for a state.
    again: usize,
    told: usize,
}

#[test]
fn states_are_those_of_the_model() {
    let Some(stage) = shared() else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let cases = number("MODEL_CASES").unwrap_or(25) as usize;
    let next = AtomicU64::new(number("MODEL_SEED").unwrap_or(2012));
    let counts = Mutex::new(Counts::default());
    let told = Mutex::new(Vec::new());
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let Some(case) = Case::new(next.fetch_add(1, Ordering::Relaxed)) else {
                        continue;
                    };
                    {
                        let mut counts = counts.lock().expect("no panic");
                        if counts.cases == cases {
                            break;
                        }
                        counts.cases += 1;
                        counts.from_states += usize::from(case.from_states);
                        counts.scripted += usize::from(case.scripted);
                    }
                    let (verdict, again) = case.run(&stage);
                    counts.lock().expect("no panic").again += usize::from(again);
                    match verdict {
                        Verdict::Equal => {}
                        Verdict::Told(report) => told.lock().expect("no panic").push(report),
                        Verdict::Wrong(report) => wrong.lock().expect("no panic").push(report),
                    }
                }
            });
        }
    });
    let (told, wrong) = (
        told.into_inner().expect("no panic"),
        wrong.into_inner().expect("no panic"),
    );
    let mut counts = counts.into_inner().expect("no panic");
    counts.told = told.len();
    assert!(
        wrong.is_empty(),
        "{} of {counts:?} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    // Otherwise this test says little; a single case may be of any kind.
    let some = counts.from_states * 2 > cases && counts.scripted * 2 > cases && counts.again * 2 > cases;
    assert!(some || cases < 25, "{counts:?}");
    assert!(counts.told * 20 <= counts.cases, "{counts:?}\n{}", told.join("\n\n"));
    if std::env::var_os("MODEL_COUNTS").is_some() {
        panic!("{counts:?}\n{}", told.join("\n\n"));
    }
}
