//! A run over the site: started and stopped from the page, told as it goes.
//!
//! The run is on a thread of its own, so the studio stays usable. What happens is kept as counts and the first
//! [`MOST_SHOWN`] rows; all records go to a file of the project. Whoever listens ([`Going::listen`]) gets what is new since the
//! last time, a few times a second, so a slow browser costs nothing.
//!
//! Without a browser, the run is kept in a directory below `runs/`, where this page or the command line can resume it.

use crate::api;
use crate::files;
use crate::project::{Project, RunNames, Sessions, Trouble};
use crate::state::relative;
use crate::view::clip;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use wrapwright::crawl::{self, Route};
use wrapwright::output::{Existing, Output, OutputSpec, Target};
use wrapwright::runs::{Carried, Finish, KeptRun, Plan, carry_out};
use wrapwright::session::{Records, RunEvent, RunSettings, SessionError};
use wrapwright::wrapper::{Links, Navigation, Onward};
use wrapwright::{Job, Live, RecordType, Session, Wrapper, pager};

/// The most rows that are shown; the file has all.
pub(crate) const MOST_SHOWN: usize = 2000;
/// The most failures that are told in words.
const MOST_TOLD: usize = 20;
/// The most rows in one message.
const AT_ONCE: usize = 200;
/// The time between messages.
const PACE: Duration = Duration::from_millis(100);
/// The time after which a silent connection says that it is there.
const SILENCE: Duration = Duration::from_secs(15);
/// The most pages that can be asked for.
const MOST_PAGES: usize = 1_000_000;

/// How many runs were started.
static STARTED: AtomicU64 = AtomicU64::new(1);

/// A run.
pub(crate) struct Going {
    job: Job,
    told: Mutex<Told>,
    news: watch::Sender<u64>,
}

/// What is known of a run.
struct Told {
    run: api::Run,
    rows: Vec<Vec<String>>,
}

impl Going {
    fn lock(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far it is.
    pub(crate) fn told(&self) -> api::Run {
        self.lock().run.clone()
    }

    fn is_over(&self) -> bool {
        self.lock().run.state != "running"
    }

    fn change(&self, change: impl FnOnce(&mut Told)) {
        change(&mut self.lock());
        self.news.send_modify(|count| *count += 1);
    }

    /// Tells what happens until the run is over or nobody listens.
    pub(crate) async fn listen(self: Arc<Going>, out: mpsc::Sender<String>) {
        let mut news = self.news.subscribe();
        let mut from = 0;
        loop {
            news.mark_unchanged();
            let (message, is_last) = {
                let told = self.lock();
                let rows = told.rows.get(from..).unwrap_or_default();
                let rows = &rows[..rows.len().min(AT_ONCE)];
                let message = serde_json::json!({ "run": told.run, "from": from, "rows": rows });
                from += rows.len();
                (message, told.run.state != "running" && from == told.rows.len())
            };
            if out.send(format!("data: {message}\n\n")).await.is_err() || is_last {
                return;
            }
            tokio::time::sleep(PACE).await;
            let has_more = from < self.lock().rows.len() || self.is_over();
            if !has_more && tokio::time::timeout(SILENCE, news.changed()).await.is_err() {
                // A comment: whoever has gone is noticed by it.
                if out.send(":\n\n".to_owned()).await.is_err() {
                    return;
                }
            }
        }
    }

    fn take(&self, event: &RunEvent, kind: &RecordType, table: usize) {
        match event {
            RunEvent::Page { .. } => self.change(|told| told.run.pages += 1),
            RunEvent::Record(record) => {
                let rows = kind.rows(std::slice::from_ref(record));
                let rows = rows.into_iter().nth(table).unwrap_or_default();
                self.change(|told| {
                    told.run.records += 1;
                    let room = MOST_SHOWN.saturating_sub(told.rows.len());
                    let rows = rows.into_iter().take(room);
                    told.rows
                        .extend(rows.map(|row| row.iter().map(|values| clip(&values.join(" · "))).collect()));
                });
            }
            RunEvent::Failure(failure) if failure.is_warning() => self.tell(failure),
            RunEvent::Failure(failure) => {
                self.change(|told| told.run.failures += 1);
                self.tell(failure);
            }
            RunEvent::Trouble(trouble) => self.tell(trouble),
            _ => {}
        }
    }

    fn tell(&self, what: &dyn std::fmt::Display) {
        self.change(|told| {
            if told.run.notes.len() < MOST_TOLD {
                told.run.notes.push(clip(&what.to_string()));
            }
        });
    }

    /// The run has come to its end, whichever it was.
    fn end(&self, carried: &Carried) {
        let report = &carried.report;
        for notice in report.notices() {
            self.tell(&format!("{}: {}", notice.message, notice.remedy));
        }
        self.change(|told| {
            let run = &mut told.run;
            run.state = carried.finish.name();
            run.seconds = report.time.as_secs_f64();
            run.problem = carried.problem.as_ref().map(ToString::to_string);
            let kept = carried.ended.as_ref().and_then(|ended| ended.kept.as_ref());
            run.part = kept
                .and_then(|part| part.file_name())
                .map(|name| name.to_string_lossy().into_owned());
            run.can_go_on = run.folder.is_some() && carried.finish != Finish::Ended;
        });
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        self.job.stop();
    }
}

/// What a run needs.
struct Begun {
    wrapper: Wrapper,
    spec: OutputSpec,
    kept: Option<KeptRun>,
    sessions: Sessions,
    pages: Option<usize>,
}

impl Begun {
    /// Opens the output, and then the session: nothing is asked for if records have nowhere to go.
    fn opened(&self, job: &Job) -> Result<(Output<'static>, Records<'static>, Session), Trouble> {
        let settings = RunSettings {
            max_pages: Some(self.pages.unwrap_or(MOST_PAGES).min(MOST_PAGES)),
            job: job.clone(),
            known: self.kept.as_ref().map(KeptRun::known_pages),
            ..RunSettings::default()
        };
        let out = self.spec.open(&[self.wrapper.sink_type()], io::sink());
        let out = out.map_err(|error| Trouble::with(&error, error.remedy()))?;
        if let Some(kept) = &self.kept {
            kept.opened(&out)
                .map_err(|error| Trouble::with(&error, error.remedy()))?;
        }
        let failed = |error: SessionError| Trouble::with(&error, error.remedy());
        let session = (self.sessions.begin)(self.kept.as_ref().and_then(KeptRun::recall)).map_err(failed)?;
        let records = session.run_wrapper(&self.wrapper, &settings).map_err(failed)?;
        Ok((out, records, session))
    }
}

impl Project {
    /// Says how the pages of the site are reached.
    pub(crate) fn navigate(&self, start: &str, next: &str, follow: &[String]) -> Result<(), Trouble> {
        let (rev, mut now, wrapper) = self.with_wrapper()?;
        let start = start.trim();
        if !wrapwright::input::is_address(start) {
            let trouble = Trouble::new(format!("found {start:?}, expected an address to start at"));
            return Err(trouble.advised("write it in full: https://shop.example/list"));
        }
        let follow = follow.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
        let follow = follow.map(
            |text| match text.starts_with('/') && text.contains('*') && !text.starts_with("//") {
                // An address on the site of the page, as a sample finds them.
                true => Links::Like(text.to_owned()),
                false => Links::from_text(text),
            },
        );
        let navigation = Navigation {
            start: vec![start.to_owned()],
            next: match next.trim() {
                "" | "none" => None,
                next => Some(Onward::from_text(next)),
            },
            follow: follow.collect(),
        };
        Route::of(&navigation).map_err(Trouble::from_display)?;
        if wrapper.navigation.as_ref() == Some(&navigation) {
            return Ok(());
        }
        now.wrapper = Some(Arc::new(Wrapper {
            navigation: Some(navigation),
            ..(*wrapper).clone()
        }));
        self.commit(rev, "another way through the site", now, Vec::new())
    }

    /// Where the navigation of the wrapper leads from a page, to be seen there.
    pub(crate) fn way(&self, page: usize) -> Option<api::WayOn> {
        let now = self.lock().now.clone();
        let document = now.documents.get(page)?;
        let url = document.url.as_deref().or_else(|| {
            let name: &str = &document.name;
            wrapwright::input::is_address(name).then_some(name)
        })?;
        let navigation = now.wrapper.as_ref()?.navigation.clone().unwrap_or_default();
        let route = Route::of(&navigation).ok()?;
        let live = Live::new(Arc::clone(&document.page), url);
        let spots = |addresses: &[String]| -> Vec<api::Spot> {
            let nodes = crawl::links_to(&live, addresses);
            nodes
                .iter()
                .filter_map(|node| crate::view::place(&document.page, *node))
                .collect()
        };
        let next = route.onward(&live);
        let details = route.details(&live);
        let found = pager::of_document(document, Some(url)).ok()?.pager;
        Some(api::WayOn {
            next_at: spots(&next.clone().into_iter().collect::<Vec<_>>()),
            follow_at: spots(&details),
            follow: details.len(),
            found: found.onward().map(str::to_owned),
            sure: (found.sure * 100.0).floor().clamp(0.0, 100.0) as u32,
            next,
        })
    }

    /// Starts a run of the wrapper over its site.
    pub(crate) fn run(self: &Arc<Project>, file: &str, pages: Option<usize>, replace: bool) -> Result<(), Trouble> {
        self.is_free()?;
        let (_, _, wrapper) = self.with_wrapper()?;
        let sessions = self.sessions()?;
        let target = files::target(&self.opening.project, file).map_err(Trouble::from_display)?;
        let mut spec = written_to(&target, replace).keyed_by(&wrapper);
        spec.check(&[wrapper.sink_type()])
            .map_err(|error| Trouble::with(&error, error.remedy()))?;
        let mut kept = None;
        if sessions.can_keep {
            let own = relative(&self.opening.project, &self.lock().file);
            let folder = files::new_run(&self.opening.project, Path::new(file));
            let names = RunNames {
                wrapper: &own,
                output: file,
                folder: &relative(&self.opening.project, &folder),
                replace,
            };
            let arguments = (sessions.arguments)(&names);
            let plan = Plan {
                arguments,
                folder: self.opening.project.clone(),
                max_pages: pages,
                ..Plan::of(&wrapper.to_json())
            };
            let begun = KeptRun::begin(&folder, &plan).map_err(|error| Trouble::with(&error, error.remedy()))?;
            begun.prepare(&mut spec);
            kept = Some(begun);
        }
        let wrapper = (*wrapper).clone();
        self.go(
            Begun {
                wrapper,
                spec,
                kept,
                sessions,
                pages,
            },
            file,
        )
    }

    /// Goes on with a run that was begun here.
    pub(crate) fn resume(self: &Arc<Project>, folder: &str, pages: Option<usize>) -> Result<(), Trouble> {
        self.is_free()?;
        let sessions = self.sessions()?;
        let path = files::existing(&self.opening.project, folder).map_err(Trouble::from_display)?;
        let kept = KeptRun::resume(&path).map_err(|error| Trouble::with(&error, error.remedy()))?;
        let plan = kept.plan().clone();
        let Some((file, replace)) = self.asked(&plan, folder, &sessions) else {
            return Err(elsewhere());
        };
        let file = &file;
        let target = files::target(&self.opening.project, file).map_err(Trouble::from_display)?;
        let wrapper = Wrapper::from_json(&plan.source).map_err(Trouble::from_display)?;
        let mut spec = written_to(&target, replace).keyed_by(&wrapper);
        kept.prepare(&mut spec);
        let pages = pages.or(plan.max_pages);
        let begun = Begun {
            wrapper,
            spec,
            kept: Some(kept),
            sessions,
            pages,
        };
        self.go(begun, file)
    }

    /// The file of a run that was begun here, and whether it replaces what a stopped run left; none if it was begun elsewhere.
    fn asked(&self, plan: &Plan, folder: &str, sessions: &Sessions) -> Option<(String, bool)> {
        let project = &self.opening.project;
        let entries = wrapwright::runs::list(&project.join(folder)).ok()?;
        let file = relative(project, Path::new(&entries.first()?.output));
        // A database is listed without its address, and a file without its table.
        let whole = |word: &&String| {
            files::is_database(word) || word.strip_prefix(&file).is_some_and(|rest| rest.starts_with('#'))
        };
        let file = plan.arguments.iter().find(whole).cloned().unwrap_or(file);
        let own = |replace: bool| {
            let wrapper = plan.arguments.iter().find(|word| word.ends_with(".json"))?;
            let names = RunNames {
                wrapper,
                output: &file,
                folder,
                replace,
            };
            Some((sessions.arguments)(&names) == plan.arguments && plan.folder == *project)
        };
        let replace = [false, true].into_iter().find(|replace| own(*replace) == Some(true))?;
        Some((file, replace))
    }

    /// Stops the run.
    pub(crate) fn stop_run(&self) {
        if let Some(going) = &*self.going() {
            going.job.stop();
        }
    }

    pub(crate) fn going(&self) -> MutexGuard<'_, Option<Arc<Going>>> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_free(&self) -> Result<(), Trouble> {
        match self.going().as_ref().is_some_and(|going| !going.is_over()) {
            true => Err(Trouble::new("a run is under way; stop it first, or wait for its end")),
            false => Ok(()),
        }
    }

    fn sessions(&self) -> Result<Sessions, Trouble> {
        let sessions = self.opening.sessions.clone();
        sessions.ok_or_else(|| Trouble::new("addresses cannot be opened here"))
    }

    /// Lets a run go on a thread of its own, and waits until it has begun.
    fn go(self: &Arc<Project>, begun: Begun, file: &str) -> Result<(), Trouble> {
        let kind = begun.wrapper.sink_type();
        let tables = kind.tables();
        let most = (0..tables.len()).max_by_key(|table| (tables[*table].columns.len(), std::cmp::Reverse(*table)));
        let table = most.unwrap_or(0);
        let columns = tables[table].columns.iter().map(|column| column.path.join("."));
        let folder = begun.kept.as_ref().map(KeptRun::folder);
        let job = Job::new();
        let going = Arc::new(Going {
            job: job.clone(),
            news: watch::channel(0).0,
            told: Mutex::new(Told {
                run: api::Run {
                    id: STARTED.fetch_add(1, Ordering::Relaxed),
                    state: "running",
                    file: file.to_owned(),
                    folder: folder.map(|folder| relative(&self.opening.project, folder)),
                    columns: columns.collect(),
                    limit: begun.pages,
                    ..api::Run::default()
                },
                rows: Vec::new(),
            }),
        });
        let worker = Arc::clone(&going);
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::Builder::new()
            .name("studio-run".to_owned())
            .spawn(move || {
                let (out, records, session) = match begun.opened(&job) {
                    Ok(opened) => opened,
                    Err(trouble) => {
                        begun.kept.into_iter().for_each(KeptRun::discard);
                        // Whoever asked may have gone.
                        let _ = tell.send(Err(trouble));
                        return;
                    }
                };
                let _ = tell.send(Ok(()));
                let mut take = |event: &RunEvent, _: &Records<'_>, _: &mut Output<'_>| worker.take(event, &kind, table);
                let carried = carry_out(records, out, begun.kept, &mut take);
                worker.end(&carried);
                if let Err(error) = session.finish() {
                    worker.tell(&error);
                }
            })
            .map_err(Trouble::from_display)?;
        told.recv()
            .unwrap_or_else(|_| Err(Trouble::new("the run broke down; this is a bug in the studio")))?;
        *self.going() = Some(going);
        Ok(())
    }
}

fn elsewhere() -> Trouble {
    Trouble::new("this run was begun on the command line with other settings").advised("resume it there")
}

/// Records to a file of the project. Cells that a spreadsheet would compute are made safe.
fn written_to(file: &Path, replace: bool) -> OutputSpec {
    let mut spec = OutputSpec::new(Target::new(Some(file), None));
    spec.sink.safe_csv = true;
    if replace {
        spec.existing = Existing::Overwrite;
    }
    spec
}

/// The runs below the project, the last first.
pub(crate) fn kept(project: &Path) -> Vec<api::KeptRun> {
    let folder: PathBuf = project.join(files::RUNS);
    let found = wrapwright::runs::list(&folder).unwrap_or_default();
    let each = found.into_iter().rev().take(50).map(|run| api::KeptRun {
        folder: relative(project, &run.folder),
        can_go_on: !matches!(run.state.as_str(), "ended" | "running"),
        state: run.state,
        begun: run.begun,
        pages: run.pages,
        records: run.records,
        failures: run.failures,
        output: relative(project, Path::new(&run.output)),
    });
    each.collect()
}
