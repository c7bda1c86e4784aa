//! From flags, environment and configuration to a driver.

use crate::Exit;
use crate::args::NetArgs;
use crate::config::{self, Config};
use crate::report;
use std::path::PathBuf;
use std::time::Duration;
use wrapwright::drivers::{Archive, Fetch, Settings, Stats, Tape, Web, Wire};
use wrapwright::{Driver, DriverError, Local};

/// Where pages come from.
pub(crate) struct Net {
    pub(crate) web: Web<Box<dyn Fetch>>,
    tape: Option<Tape>,
    cookies: Option<PathBuf>,
}

/// Why there are no pages to be had.
struct Refusal {
    exit: Exit,
    message: String,
    hint: Option<String>,
}

impl Refusal {
    fn mistake(message: String) -> Refusal {
        Refusal {
            exit: Exit::Mistake,
            message,
            hint: None,
        }
    }
}

impl From<DriverError> for Refusal {
    fn from(error: DriverError) -> Refusal {
        Refusal {
            exit: Exit::Mistake,
            message: error.message,
            hint: error.hint,
        }
    }
}

/// Reads the configuration and prepares a driver; reports what is wrong.
pub(crate) fn prepare(args: &NetArgs) -> Result<(Config, Net), Exit> {
    let refused = |refusal: Refusal| {
        report::mistake(&refusal.message, refusal.hint.as_deref());
        refusal.exit
    };
    let config = Config::load().map_err(|error| refused(Refusal::mistake(error.0)))?;
    let net = open(args, &config).map_err(refused)?;
    Ok((config, net))
}

fn open(args: &NetArgs, config: &Config) -> Result<Net, Refusal> {
    let settings = settings(args, config)?;
    let tape = match &args.record {
        Some(file) => Some(Tape::create(file, false).map_err(|error| Refusal {
            exit: Exit::Mistake,
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
        })?),
        None => None,
    };
    let replayed = match args.driver.as_deref() {
        None | Some("http") => None,
        Some(driver) => Some(driver.strip_prefix("archive:").ok_or_else(|| {
            Refusal::mistake(format!("there is no driver `{driver}`; expected http or archive:FILE"))
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
    let web = match &tape {
        Some(tape) => Web::recorded(fetch, settings, tape.clone()),
        None => Web::over(fetch, settings),
    };
    let net = Net {
        web,
        tape,
        cookies: args.cookies.clone().or(config.cookies.clone()),
    };
    if let Some(file) = net.cookies.as_ref().filter(|file| file.exists()) {
        net.web.load_cookies(file)?;
    }
    Ok(net)
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
    settings.robots = !(args.ignore_robots || config.ignore_robots.unwrap_or(false));
    settings.allow_private = args.allow_private || config.allow_private.unwrap_or(false);
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
        Box::new(Local(self.web.clone()))
    }

    pub(crate) fn stats(&self) -> Stats {
        self.web.stats()
    }

    /// Keeps what is to outlive the run, and tells what went wrong by the way.
    pub(crate) fn finish(&self) -> anyhow::Result<()> {
        for warning in self.web.warnings() {
            report::words(&format!("warning: {warning}"));
        }
        if let Some(file) = &self.cookies {
            self.web.save_cookies(file)?;
        }
        if let Some(tape) = &self.tape {
            tape.finish()?;
        }
        Ok(())
    }
}
