//! From flags, environment and configuration to a driver.

use crate::Exit;
use crate::args::NetArgs;
use crate::config::Config;
use std::time::Duration;
use wrapwright::drivers::{Http, Settings, Stats};
use wrapwright::{Driver, Local};

/// Where pages come from.
pub(crate) struct Net {
    web: Http,
}

/// Why there are no pages to be had.
pub(crate) struct Refusal {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// Prepares a driver.
pub(crate) fn open(args: &NetArgs, config: &Config) -> Result<Net, Refusal> {
    let mut settings = Settings::default();
    if let Some(seconds) = args.timeout.or(config.timeout) {
        settings.timeout = Duration::from_secs_f64(seconds);
    }
    let web = Http::new(settings).map_err(|error| Refusal {
        exit: Exit::Outside,
        message: error.message,
        hint: error.hint,
    })?;
    Ok(Net { web })
}

impl Net {
    /// A driver; all that this gives share cookies and the rest.
    pub(crate) fn driver(&self) -> Box<dyn Driver + Send> {
        Box::new(Local(self.web.clone()))
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats::default()
    }

    /// Keeps what is to outlive the run.
    pub(crate) fn finish(&self) -> anyhow::Result<()> {
        Ok(())
    }
}
