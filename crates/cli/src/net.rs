//! From flags, environment and configuration to a session.

use crate::Exit;
use crate::args::{Level, NetArgs};
use crate::report;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use wrapwright::config::{self, Config, ConfigError, SecretError};
#[cfg(feature = "chromium")]
use wrapwright::drivers::Patience;
use wrapwright::session::{NotInBrowser, Session, SessionError, SessionSettings};

/// A session over the web, a browser or a recording.
pub(crate) struct Net {
    pub(crate) session: Session,
}

/// What an expression asks of a browser.
#[derive(Default)]
pub(crate) struct Wants {
    /// The computed styles that it names.
    pub(crate) styles: Vec<String>,
    /// How many pages it may have at once.
    pub(crate) jobs: usize,
}

/// Why there is no session.
enum Refusal {
    Words(String),
    Session(SessionError),
}

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Refusal {
        Refusal::Session(error)
    }
}

/// Reads the configuration; reports what is wrong.
pub(crate) fn configuration(quiet: bool) -> Result<Config, Exit> {
    let config = Config::load().map_err(|error| misconfigured(&error))?;
    // The folder may be a stranger's, so the user is always told who gets secrets and traffic.
    let told = |setting: &&String| !quiet || setting.starts_with("header ") || *setting == "proxy";
    let told: Vec<&str> = config.from_project.iter().filter(told).map(String::as_str).collect();
    if !told.is_empty() {
        report::words(&format!("note: {} here sets {}", config::FILE, told.join(", ")));
    }
    Ok(config)
}

/// Reports what is wrong with the configuration.
pub(crate) fn misconfigured(error: &ConfigError) -> Exit {
    report::mistake(&error.to_string(), None);
    Exit::Mistake
}

/// Reports why a session cannot begin or run.
pub(crate) fn refused(error: &SessionError) -> Exit {
    match error {
        SessionError::NotInBrowser(what) => {
            let message = match what {
                NotInBrowser::Record => "--record does not work with a browser yet",
                NotInBrowser::Run => {
                    "--run does not work with a browser, because the state of a browser cannot be kept"
                }
                NotInBrowser::Cache => "--cache does not work with a browser yet",
                NotInBrowser::Cookies => {
                    "--cookies does not work with --connect, because a running browser has its own cookies"
                }
                _ => return trouble(error, Exit::Mistake),
            };
            report::mistake(message, None);
            Exit::Mistake
        }
        SessionError::Browser(_) | SessionError::Threads(_) => trouble(error, Exit::Outside),
        _ => trouble(error, Exit::Mistake),
    }
}

fn trouble(error: &SessionError, exit: Exit) -> Exit {
    report::trouble(&error.to_string(), error.remedy().as_ref());
    exit
}

/// Do pages come from a browser?
pub(crate) fn is_browser(args: &NetArgs) -> bool {
    #[cfg(feature = "chromium")]
    if args.browser.browser || args.browser.connect.is_some() {
        return true;
    }
    args.driver.as_deref() == Some("chromium")
}

/// Begins a session; reports what is wrong.
pub(crate) fn prepare(args: &NetArgs, config: &Config, wants: &Wants) -> Result<Net, Exit> {
    prepare_with(args, config, wants, |_| ())
}

/// Begins a session, after `change` has had a look at its settings; reports what is wrong.
pub(crate) fn prepare_with(
    args: &NetArgs,
    config: &Config,
    wants: &Wants,
    change: impl FnOnce(&mut SessionSettings),
) -> Result<Net, Exit> {
    let session = open(args, config, wants, change).map_err(|refusal| match refusal {
        Refusal::Words(words) => {
            report::mistake(&words, None);
            Exit::Mistake
        }
        Refusal::Session(error) => refused(&error),
    })?;
    warn(&session);
    Ok(Net { session })
}

/// How pages are fetched, for whoever makes sessions itself; reports what is wrong.
pub(crate) fn session_settings(args: &NetArgs, config: &Config) -> Result<SessionSettings, Exit> {
    settings(args, config, &Wants::default()).map_err(|refusal| match refusal {
        Refusal::Words(words) => {
            report::mistake(&words, None);
            Exit::Mistake
        }
        Refusal::Session(error) => refused(&error),
    })
}

fn open(
    args: &NetArgs,
    config: &Config,
    wants: &Wants,
    change: impl FnOnce(&mut SessionSettings),
) -> Result<Session, Refusal> {
    let mut settings = settings(args, config, wants)?;
    change(&mut settings);
    if is_browser(args) {
        return browser(&settings);
    }
    let Some(driver) = args.driver.as_deref().filter(|driver| *driver != "http") else {
        return Ok(Session::http(&settings)?);
    };
    match driver.strip_prefix("archive:") {
        Some(file) => Ok(Session::archive(Path::new(file), &settings)?),
        None => Err(Refusal::Words(format!(
            "there is no driver `{driver}`; expected http, chromium or archive:FILE"
        ))),
    }
}

/// Begins another session with the same settings.
pub(crate) fn begin(is_browser: bool, settings: &SessionSettings) -> Result<Session, SessionError> {
    #[cfg(feature = "chromium")]
    if is_browser {
        return Session::chromium(settings);
    }
    // Without the driver for browsers, the first session was refused already.
    let _ = is_browser;
    Session::http(settings)
}

#[cfg(feature = "chromium")]
fn browser(settings: &SessionSettings) -> Result<Session, Refusal> {
    Ok(Session::chromium(settings)?)
}

#[cfg(not(feature = "chromium"))]
fn browser(_: &SessionSettings) -> Result<Session, Refusal> {
    Err(Refusal::Words(
        "this program was built without its browser driver".to_owned(),
    ))
}

/// What was typed, over what the environment and the configuration say. These are defaults of the flags, except for
/// headers, which are merged by name.
fn settings(args: &NetArgs, config: &Config, wants: &Wants) -> Result<SessionSettings, Refusal> {
    let mut settings = SessionSettings {
        record: args.record.clone(),
        cookies: args.fetching.cookies.clone(),
        ..SessionSettings::default()
    };
    let web = &mut settings.web;
    if report::level() == Level::Debug {
        web.log = Some(Arc::new(report::StepLog));
    }
    let seconds = Duration::from_secs_f64;
    web.timeout = args.fetching.timeout.map_or(web.timeout, seconds);
    web.limits.bytes = args.fetching.max_page_bytes.unwrap_or(web.limits.bytes);
    web.retries = args.fetching.retries.unwrap_or(web.retries);
    web.cache_age = args
        .fetching
        .cache_hours
        .map_or(web.cache_age, |hours| seconds(hours * 3600.0));
    if let Some(name) = &args.fetching.user_agent {
        web.user_agent.clone_from(name);
    }
    web.delay = args.fetching.delay.map(seconds);
    web.per_host = args.fetching.per_host;
    web.robots = !args.fetching.ignore_robots.unwrap_or(false);
    web.allow_private = args.fetching.allow_private.unwrap_or(false);
    web.cache.clone_from(&args.fetching.cache);
    let lost = |what: &str, why: &SecretError| Refusal::Words(format!("{what}: {why}"));
    if let Some(proxy) = &args.fetching.proxy {
        let proxy = config::reveal(proxy, false).map_err(|why| lost("the proxy", &why))?;
        web.proxy = Some(proxy);
    }
    for (name, value) in &config.header {
        settings.set_header(name, value);
    }
    settings.set_site_headers(&config.site_header);
    for (name, value) in &args.fetching.headers {
        let value = config::reveal(value, false).map_err(|why| lost(&format!("header {name}"), &why))?;
        settings.set_header(name, &value);
    }
    #[cfg(feature = "chromium")]
    {
        let browser = &args.browser;
        settings.browser = wrapwright::drivers::Setup {
            program: browser.browser_path.clone(),
            connect: browser.connect.clone(),
            headed: browser.headed,
            no_sandbox: browser.no_sandbox,
            load_images: browser.load.is_some(),
            styles: wants.styles.clone(),
            tabs: wants.jobs,
            screenshots: browser.screenshot_on_error.clone(),
            patience: {
                let usual = Patience::default();
                Patience {
                    react: browser.react.map_or(usual.react, seconds),
                    settle: browser.settle.map_or(usual.settle, seconds),
                    ..usual
                }
            },
        };
    }
    #[cfg(not(feature = "chromium"))]
    let _ = (&wants.styles, wants.jobs);
    Ok(settings)
}

fn warn(session: &Session) {
    for warning in session.warnings() {
        report::words(&format!("warning: {warning}"));
    }
}

impl Net {
    /// Keeps what is to outlive the run, as much of it as can be; tells what went wrong. Did all go well?
    pub(crate) fn finish(&self) -> bool {
        let kept = self.session.finish();
        warn(&self.session);
        let Err(error) = kept else { return true };
        if let Some(error) = &error.cookies {
            report::trouble(&error.message, error.remedy.as_ref());
        }
        if let Some(error) = &error.recording {
            report::trouble(&error.to_string(), error.remedy().as_ref());
        }
        false
    }
}
