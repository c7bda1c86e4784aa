//! `wrapwright.toml`: defaults for flags, under the names of the flags.
//!
//! A flag says more than the environment (`WRAPWRIGHT_DELAY` for `--delay`), which says more than the project's file
//! (`wrapwright.toml` in the current directory), which says more than the user's (`wrapwright/wrapwright.toml` in the
//! user's configuration folder). Secrets do not belong into a file that is shared: headers and proxies may be given as
//! `env:NAME` or `file:PATH`, and an `Authorization` or `Cookie` header, or a password, must be.

use crate::args::{self, RecordFormat};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The settings of a file. Names are those of the flags.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Config {
    pub(crate) allow_private: Option<bool>,
    pub(crate) cache: Option<PathBuf>,
    #[serde(default, deserialize_with = "amount")]
    pub(crate) cache_hours: Option<f64>,
    pub(crate) cookies: Option<PathBuf>,
    #[serde(default, deserialize_with = "amount")]
    pub(crate) delay: Option<f64>,
    pub(crate) format: Option<RecordFormat>,
    #[serde(default)]
    pub(crate) header: BTreeMap<String, String>,
    pub(crate) ignore_robots: Option<bool>,
    #[serde(default, deserialize_with = "jobs")]
    pub(crate) jobs: Option<usize>,
    pub(crate) max_depth: Option<usize>,
    pub(crate) max_page_bytes: Option<usize>,
    pub(crate) max_pages: Option<usize>,
    #[serde(default, deserialize_with = "amount")]
    pub(crate) max_time: Option<f64>,
    pub(crate) per_host: Option<usize>,
    pub(crate) proxy: Option<String>,
    pub(crate) retries: Option<u32>,
    #[serde(default, deserialize_with = "amount")]
    pub(crate) timeout: Option<f64>,
    pub(crate) user_agent: Option<String>,
}

/// What is wrong with a file, for people.
#[derive(Debug)]
pub(crate) struct ConfigError(pub(crate) String);

impl Config {
    /// The project's settings over the user's.
    pub(crate) fn load() -> Result<Config, ConfigError> {
        let project = Config::read(Path::new("wrapwright.toml"))?;
        let user = match user_folder() {
            Some(folder) => Config::read(&folder.join("wrapwright/wrapwright.toml"))?,
            None => Config::default(),
        };
        Ok(project.over(user))
    }

    fn read(file: &Path) -> Result<Config, ConfigError> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
            Err(error) => return Err(ConfigError(format!("{}: {error}", file.display()))),
        };
        Config::parse(&text).map_err(|ConfigError(why)| ConfigError(format!("{}: {why}", file.display())))
    }

    fn parse(text: &str) -> Result<Config, ConfigError> {
        let mut config: Config = toml::from_str(text).map_err(|error| {
            let line = error
                .span()
                .map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            ConfigError(format!("line {line}: {}", error.message().trim()))
        })?;
        for (name, value) in &mut config.header {
            let secret =
                ["authorization", "cookie", "proxy-authorization"].contains(&name.to_ascii_lowercase().as_str());
            *value = reveal(value, secret).map_err(|why| ConfigError(format!("header {name}: {why}")))?;
        }
        if let Some(proxy) = &mut config.proxy {
            // A proxy's address has nothing but a login before an @, with or without a scheme.
            let secret = proxy.contains('@');
            *proxy = reveal(proxy, secret).map_err(|why| ConfigError(format!("proxy: {why}")))?;
        }
        Ok(config)
    }

    fn over(self, other: Config) -> Config {
        let mut header = other.header;
        header.extend(self.header);
        Config {
            allow_private: self.allow_private.or(other.allow_private),
            cache: self.cache.or(other.cache),
            cache_hours: self.cache_hours.or(other.cache_hours),
            cookies: self.cookies.or(other.cookies),
            delay: self.delay.or(other.delay),
            format: self.format.or(other.format),
            header,
            ignore_robots: self.ignore_robots.or(other.ignore_robots),
            jobs: self.jobs.or(other.jobs),
            max_depth: self.max_depth.or(other.max_depth),
            max_page_bytes: self.max_page_bytes.or(other.max_page_bytes),
            max_pages: self.max_pages.or(other.max_pages),
            max_time: self.max_time.or(other.max_time),
            per_host: self.per_host.or(other.per_host),
            proxy: self.proxy.or(other.proxy),
            retries: self.retries.or(other.retries),
            timeout: self.timeout.or(other.timeout),
            user_agent: self.user_agent.or(other.user_agent),
        }
    }
}

/// A number that a flag would take.
fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number = f64::deserialize(deserializer)?;
    match args::is_amount(number) {
        true => Ok(Some(number)),
        false => Err(D::Error::custom(format!("found {number}, expected {}", args::AMOUNT))),
    }
}

/// A number of jobs that a flag would take.
fn jobs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let number = usize::deserialize(deserializer)?;
    match (1..=args::MOST_JOBS).contains(&(number as u64)) {
        true => Ok(Some(number)),
        false => Err(D::Error::custom(format!(
            "found {number}, expected a number from 1 to {}",
            args::MOST_JOBS
        ))),
    }
}

fn user_folder() -> Option<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))
}

/// A value as it is, or as the environment or a file has it.
pub(crate) fn reveal(value: &str, secret: bool) -> Result<String, String> {
    if let Some(name) = value.strip_prefix("env:") {
        return std::env::var(name).map_err(|_| format!("the environment has no variable {name}"));
    }
    if let Some(path) = value.strip_prefix("file:") {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        return Ok(text.trim_end_matches(['\n', '\r']).to_owned());
    }
    if secret {
        return Err("a secret must not stand in this file; write env:NAME or file:PATH".to_owned());
    }
    Ok(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_says_more_than_the_user() {
        let project = Config::parse("delay = 0.5\nformat = \"csv\"\n[header]\nX-A = \"1\"\n").expect("settings");
        let user = Config::parse("delay = 2\njobs = 4\n[header]\nX-A = \"2\"\nX-B = \"3\"\n").expect("settings");
        let both = project.over(user);
        assert_eq!(
            (both.delay, both.jobs, both.format),
            (Some(0.5), Some(4), Some(RecordFormat::Csv))
        );
        assert_eq!(both.header["X-A"], "1");
        assert_eq!(both.header["X-B"], "3");
    }

    #[track_caller]
    fn refused(text: &str, part: &str) {
        let ConfigError(why) = Config::parse(text).expect_err("a mistake");
        assert!(why.contains(part), "{why}");
    }

    #[test]
    fn mistakes_are_named() {
        refused("jobs = 1\ndelai = 1\n", "line 2: unknown field `delai`");
        refused("delay = \"fast\"\n", "line 1: ");
        for number in ["-1", "nan", "inf", "1e300", "-0.5"] {
            for name in ["cache-hours", "delay", "max-time", "timeout"] {
                refused(&format!("jobs = 1\n{name} = {number}\n"), "line 2: found ");
            }
        }
        for number in ["0", "1025"] {
            refused(&format!("\njobs = {number}\n"), "line 2: found ");
        }
        refused("jobs = -1\n", "line 1: ");
        refused(
            "[header]\nAuthorization = \"Bearer abc\"\n",
            "must not stand in this file",
        );
        for proxy in ["http://me:secret@proxy:1", "me:secret@proxy:9"] {
            refused(&format!("proxy = \"{proxy}\"\n"), "must not stand in this file");
        }
        refused(
            "[header]\nAuthorization = \"env:NO_SUCH_VARIABLE_HERE\"\n",
            "no variable NO_SUCH_VARIABLE_HERE",
        );
    }
}
