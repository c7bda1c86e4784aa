//! From flags, environment and configuration to a driver.

use crate::Exit;
use crate::args::NetArgs;
use crate::config::{self, Config};
use crate::report;
use std::path::PathBuf;
use std::time::Duration;
use wrapwright::drivers::{Archive, Fetch, Settings, Stats, Tape, Web, Wire};
#[cfg(feature = "chromium")]
use wrapwright::drivers::{Chromium, Setup};
use wrapwright::{Driver, DriverError, Local, Remedy};

/// Where pages come from.
pub(crate) struct Net {
    pub(crate) web: Web<Box<dyn Fetch>>,
    tape: Option<Tape>,
    cookies: Option<PathBuf>,
    #[cfg(feature = "chromium")]
    browser: Option<Chromium>,
}

/// What an expression asks of a browser.
#[derive(Default)]
pub(crate) struct Wants {
    /// The computed styles that it names.
    pub(crate) styles: Vec<String>,
    /// How many pages it may have at once.
    pub(crate) jobs: usize,
}

/// Why there are no pages to be had.
struct Refusal {
    exit: Exit,
    message: String,
    remedy: Option<Remedy>,
}

impl Refusal {
    fn mistake(message: String) -> Refusal {
        Refusal {
            exit: Exit::Mistake,
            message,
            remedy: None,
        }
    }
}

impl From<DriverError> for Refusal {
    fn from(error: DriverError) -> Refusal {
        Refusal {
            exit: Exit::Mistake,
            message: error.message,
            remedy: error.remedy,
        }
    }
}

fn refused(refusal: Refusal) -> Exit {
    report::trouble(&refusal.message, refusal.remedy.as_ref());
    refusal.exit
}

/// Reads the configuration; reports what is wrong.
pub(crate) fn configuration() -> Result<Config, Exit> {
    Config::load().map_err(|error| refused(Refusal::mistake(error.0)))
}

/// Do pages come from a browser?
pub(crate) fn is_browser(args: &NetArgs) -> bool {
    #[cfg(feature = "chromium")]
    if args.browser.browser || args.browser.connect.is_some() {
        return true;
    }
    args.driver.as_deref() == Some("chromium")
}

/// Prepares a driver; reports what is wrong.
pub(crate) fn prepare(args: &NetArgs, config: &Config, wants: &Wants) -> Result<Net, Exit> {
    open(args, config, wants).map_err(refused)
}

fn open(args: &NetArgs, config: &Config, wants: &Wants) -> Result<Net, Refusal> {
    let settings = settings(args, config)?;
    if is_browser(args) {
        for_browser(args, config, &settings)?;
    }
    let replayed = match args.driver.as_deref() {
        None | Some("http" | "chromium") => None,
        Some(driver) => Some(driver.strip_prefix("archive:").ok_or_else(|| {
            let text = format!("there is no driver `{driver}`; expected http, chromium or archive:FILE");
            Refusal::mistake(text)
        })?),
    };
    let (fetch, settings): (Box<dyn Fetch>, Settings) = match replayed {
        None => (Box::new(Wire::new(&settings)?), settings),
        Some(file) => {
            let archive = Archive::open(file)?;
            for fault in archive.faults() {
                report::words(&format!("warning: {file}: {fault}"));
            }
            let offline = Settings {
                limits: settings.limits,
                allow_file: settings.allow_file,
                allow_private: true,
                ..Settings::offline()
            };
            (Box::new(archive), offline)
        }
    };
    // Behind what can be refused; if it is dropped before anything was recorded, it leaves no file.
    let tape = match &args.record {
        Some(file) => Some(Tape::create(file, false).map_err(|error| Refusal {
            exit: Exit::Mistake,
            message: error.to_string(),
            remedy: error.remedy(),
        })?),
        None => None,
    };
    let web = match &tape {
        Some(tape) => Web::recorded(fetch, settings, tape.clone()),
        None => Web::over(fetch, settings),
    };
    let net = Net {
        #[cfg(feature = "chromium")]
        browser: match is_browser(args) {
            true => Some(start(args, wants, &web)?),
            false => None,
        },
        web,
        tape,
        cookies: args.cookies.clone().or(config.cookies.clone()),
    };
    #[cfg(not(feature = "chromium"))]
    let _ = (&wants.styles, wants.jobs);
    if let Some(file) = &net.cookies {
        // What cannot be written at the end should not be found out there.
        net.web.check_cookies_file(file)?;
        if file.is_file() {
            net.web.load_cookies(file)?;
        }
    }
    Ok(net)
}

/// Refuses what a browser does in its own way.
fn for_browser(args: &NetArgs, config: &Config, settings: &Settings) -> Result<(), Refusal> {
    if cfg!(not(feature = "chromium")) {
        return Err(Refusal::mistake(
            "this program was built without its browser driver".to_owned(),
        ));
    }
    let set = [
        ("--record", args.record.is_some()),
        ("--cache", settings.cache.is_some()),
        ("--cookies", args.cookies.is_some() || config.cookies.is_some()),
        ("--header", !settings.headers.is_empty()),
    ];
    match set.iter().find(|(_, is_set)| *is_set) {
        Some((flag, _)) => Err(Refusal::mistake(format!("{flag} does not work with a browser yet"))),
        None => Ok(()),
    }
}

#[cfg(feature = "chromium")]
fn start(args: &NetArgs, wants: &Wants, web: &Web<Box<dyn Fetch>>) -> Result<Chromium, Refusal> {
    let browser = &args.browser;
    let setup = Setup {
        program: browser.browser_path.clone(),
        connect: browser.connect.clone(),
        headed: browser.headed,
        no_sandbox: browser.no_sandbox,
        load_images: browser.load.is_some(),
        styles: wants.styles.clone(),
        tabs: wants.jobs,
        screenshots: browser.screenshot_on_error.clone(),
    };
    Chromium::start(setup, web.clone()).map_err(|error| Refusal {
        exit: Exit::Outside,
        ..Refusal::from(error)
    })
}

fn settings(args: &NetArgs, config: &Config) -> Result<Settings, Refusal> {
    let mut settings = Settings::default();
    let seconds = Duration::from_secs_f64;
    if let Some(timeout) = args.timeout.or(config.timeout) {
        settings.timeout = seconds(timeout);
    }
    if let Some(bytes) = args.max_page_bytes.or(config.max_page_bytes) {
        settings.limits.bytes = bytes;
    }
    if let Some(retries) = args.retries.or(config.retries) {
        settings.retries = retries;
    }
    if let Some(hours) = args.cache_hours.or(config.cache_hours) {
        settings.cache_age = seconds(hours * 3600.0);
    }
    if let Some(name) = args.user_agent.as_ref().or(config.user_agent.as_ref()) {
        settings.user_agent.clone_from(name);
    }
    settings.delay = args.delay.or(config.delay).map(seconds);
    settings.per_host = args.per_host.or(config.per_host);
    settings.robots = !args.ignore_robots.or(config.ignore_robots).unwrap_or(false);
    settings.allow_private = args.allow_private.or(config.allow_private).unwrap_or(false);
    settings.cache = args.cache.clone().or(config.cache.clone());
    settings.headers = config.header.clone().into_iter().collect();
    for (name, value) in &args.headers {
        let value = config::reveal(value, false).map_err(|why| Refusal::mistake(format!("header {name}: {why}")))?;
        settings.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        settings.headers.push((name.clone(), value));
    }
    settings.proxy = match &args.proxy {
        Some(proxy) => Some(config::reveal(proxy, false).map_err(|why| Refusal::mistake(format!("the proxy: {why}")))?),
        None => config.proxy.clone(),
    };
    Ok(settings)
}

impl Net {
    /// A driver; all that this gives share cookies and the rest.
    pub(crate) fn driver(&self) -> Box<dyn Driver + Send> {
        #[cfg(feature = "chromium")]
        if let Some(browser) = &self.browser {
            return Box::new(Local(browser.clone()));
        }
        Box::new(Local(self.web.clone()))
    }

    pub(crate) fn stats(&self) -> Stats {
        self.web.stats()
    }

    /// Keeps what is to outlive the run, as much of it as can be; tells what went wrong. Did all go well?
    pub(crate) fn finish(&self) -> bool {
        #[cfg(feature = "chromium")]
        if let Some(browser) = &self.browser {
            browser.end();
        }
        for warning in self.web.warnings() {
            report::words(&format!("warning: {warning}"));
        }
        let cookies = self.cookies.as_ref().map_or(Ok(()), |file| self.web.save_cookies(file));
        if let Err(error) = &cookies {
            report::trouble(&error.message, error.remedy.as_ref());
        }
        let tape = self.tape.as_ref().map_or(Ok(()), Tape::finish);
        if let Err(error) = &tape {
            report::trouble(&error.to_string(), error.remedy().as_ref());
        }
        cookies.is_ok() && tape.is_ok()
    }
}
