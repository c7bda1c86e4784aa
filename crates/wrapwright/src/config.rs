//! `wrapwright.toml`: the user's defaults for settings.
//!
//! There may be two files: one of the project, `wrapwright.toml` in the current directory, and one of the user,
//! `wrapwright/wrapwright.toml` in the user's configuration folder. The project's file wins where both have a setting.
//! What a program or a person sets explicitly wins over both: [`Config::apply`] and [`Config::apply_to_run`] fill settings
//! that the caller then changes, and [`Config::values`] lists the settings by name for a front end that has defaults by
//! name.
//!
//! Secrets do not belong in a file that is shared. Headers and proxies may be written as `env:NAME` or `file:PATH`; an
//! `Authorization` or `Cookie` header, or a proxy with a password, must be.
//!
//! The project's file may be a stranger's: whoever runs a wrapper in a folder that was downloaded reads that folder's file.
//! So what it takes from the environment or from files goes only to hosts that it names beside them
//! (`[header."shop.example"]`), where a reader sees who gets it, and [`Config::from_project`] tells what it sets. The
//! user's own file may send a secret to every site that the user opens.

use crate::bounded;
use crate::session::{RunSettings, SessionSettings};
use record::Format;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the project's file, in the current directory.
pub const FILE: &str = "wrapwright.toml";

/// The largest number of seconds or hours that a setting takes: about thirty years.
pub const MOST_AMOUNT: f64 = 1e9;

/// The most pages at a time. Each has a thread and some open files.
pub const MOST_JOBS: usize = 1024;

/// The settings of a file. In the file, names have hyphens: `max-pages`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Config {
    /// May pages from public addresses lead to private ones?
    pub allow_private: Option<bool>,
    /// A folder for a cache of answers.
    pub cache: Option<PathBuf>,
    /// How old an answer in the cache may be, in hours.
    #[serde(default, deserialize_with = "amount")]
    pub cache_hours: Option<f64>,
    /// A file for cookies.
    pub cookies: Option<PathBuf>,
    /// Seconds between requests to one host.
    #[serde(default, deserialize_with = "amount")]
    pub delay: Option<f64>,
    /// How records are written: `ndjson`, `csv` or `xml`.
    #[serde(default, deserialize_with = "format")]
    pub format: Option<Format>,
    /// Headers for the sites that the user names, by name.
    #[serde(skip)]
    pub header: BTreeMap<String, String>,
    /// Headers for one host each, by its name: `[header."shop.example"]`.
    #[serde(skip)]
    pub site_header: BTreeMap<String, BTreeMap<String, String>>,
    /// Fetch what robots.txt asks programs not to?
    pub ignore_robots: Option<bool>,
    /// Pages at a time.
    #[serde(default, deserialize_with = "jobs")]
    pub jobs: Option<usize>,
    /// Pages from the start of a branch.
    pub max_depth: Option<usize>,
    /// Bytes of a page.
    pub max_page_bytes: Option<usize>,
    /// Pages in all.
    pub max_pages: Option<usize>,
    /// Seconds for a run.
    #[serde(default, deserialize_with = "amount")]
    pub max_time: Option<f64>,
    /// Requests to one host at a time.
    pub per_host: Option<usize>,
    /// The address of a proxy.
    pub proxy: Option<String>,
    /// Retries for a page.
    pub retries: Option<u32>,
    /// Seconds for a page.
    #[serde(default, deserialize_with = "amount")]
    pub timeout: Option<f64>,
    /// How the program names itself to servers.
    pub user_agent: Option<String>,
    /// What the project's file sets, for people: `delay`, `header X-Key for shop.example`.
    #[serde(skip)]
    pub from_project: Vec<String>,
    /// Headers as they are written.
    #[serde(default, rename = "header")]
    written: BTreeMap<String, Header>,
}

/// A header, or the headers of a host.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(
    untagged,
    expecting = "expected the text of a header, or a table with the headers of a host"
)]
enum Header {
    Value(String),
    Host(BTreeMap<String, String>),
}

/// Whose file it is.
#[derive(Clone, Copy, PartialEq)]
enum Whose {
    User,
    Project,
}

/// What is wrong with a configuration.
#[derive(Debug)]
pub struct ConfigError {
    /// The file, if the text came from one.
    pub file: Option<PathBuf>,
    /// What is wrong with it.
    pub problem: ConfigProblem,
}

/// What can be wrong with a configuration.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConfigProblem {
    /// The file cannot be read.
    Io(io::Error),
    /// It is not TOML, or has a setting that does not exist or a value that the setting does not take.
    Setting {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// A value cannot be looked up.
    Secret {
        /// The setting.
        setting: String,
        /// Why not.
        why: SecretError,
    },
}

/// Why a value that may be `env:NAME` or `file:PATH` cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum SecretError {
    /// The environment does not have this variable.
    NoVariable(String),
    /// This file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A secret is written as it is in a file that may be shared.
    Plain,
    /// The project's file has a secret that would go to every site.
    ForAllSites,
}

impl fmt::Display for SecretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecretError::NoVariable(name) => write!(f, "the environment has no variable {name}"),
            SecretError::Unreadable(path, error) => write!(f, "{}: {error}", path.display()),
            SecretError::Plain => f.write_str("a secret must not stand in this file; write env:NAME or file:PATH"),
            SecretError::ForAllSites => f.write_str(
                "the file of a project may give a secret only to hosts that it names, as in [header.\"shop.example\"]; \
                 one for all sites belongs in your own configuration",
            ),
        }
    }
}

impl std::error::Error for SecretError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SecretError::Unreadable(_, error) => Some(error),
            SecretError::NoVariable(_) | SecretError::Plain | SecretError::ForAllSites => None,
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        match &self.problem {
            ConfigProblem::Io(error) => error.fmt(f),
            ConfigProblem::Setting { line, message } => write!(f, "line {line}: {message}"),
            ConfigProblem::Secret { setting, why } => write!(f, "{setting}: {why}"),
        }
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            ConfigProblem::Io(error) => Some(error),
            ConfigProblem::Secret { why, .. } => Some(why),
            ConfigProblem::Setting { .. } => None,
        }
    }
}

impl From<ConfigProblem> for ConfigError {
    fn from(problem: ConfigProblem) -> ConfigError {
        ConfigError { file: None, problem }
    }
}

impl Config {
    /// The settings of the project's file in the current directory, and below them those of the user's file. A file that
    /// does not exist sets nothing.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is wrong.
    pub fn load() -> Result<Config, ConfigError> {
        let mut project = Config::read_as(Path::new(FILE), Whose::Project)?;
        project.from_project = project.named();
        let user = match user_folder() {
            Some(folder) => Config::read(&folder.join("wrapwright").join(FILE))?,
            None => Config::default(),
        };
        Ok(project.over(user))
    }

    /// The settings of a file; one that does not exist sets nothing.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is wrong.
    pub fn read(file: &Path) -> Result<Config, ConfigError> {
        Config::read_as(file, Whose::User)
    }

    fn read_as(file: &Path, whose: Whose) -> Result<Config, ConfigError> {
        let found = match read(file) {
            Ok(text) => Config::parse_as(&text, whose),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Config::default()),
            Err(error) => Err(ConfigProblem::Io(error).into()),
        };
        found.map_err(|error| ConfigError {
            file: Some(file.to_owned()),
            ..error
        })
    }

    /// The settings of a text.
    ///
    /// ```
    /// use wrapwright::config::Config;
    /// let config = Config::parse("delay = 0.5\nmax-pages = 100\n")?;
    /// assert_eq!((config.delay, config.max_pages), (Some(0.5), Some(100)));
    /// let error = Config::parse("delai = 1\n").unwrap_err();
    /// assert!(error.to_string().starts_with("line 1: unknown field `delai`"));
    /// # Ok::<(), wrapwright::config::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// It is wrong.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        Config::parse_as(text, Whose::User)
    }

    fn parse_as(text: &str, whose: Whose) -> Result<Config, ConfigError> {
        let mut config: Config = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let before = text.get(..start).unwrap_or(text);
            ConfigProblem::Setting {
                line: before.matches('\n').count() + 1,
                message: error.message().trim().to_owned(),
            }
        })?;
        let refused = |setting: String| move |why| ConfigProblem::Secret { setting, why };
        for (name, header) in std::mem::take(&mut config.written) {
            match header {
                Header::Value(value) => {
                    let shown = || format!("header {name}");
                    fit_for_all(&value, whose).map_err(refused(shown()))?;
                    let value = reveal(&value, is_secret(&name)).map_err(refused(shown()))?;
                    config.header.insert(name, value);
                }
                Header::Host(headers) => {
                    let site = config.site_header.entry(name.to_ascii_lowercase()).or_default();
                    for (header, value) in headers {
                        let shown = format!("header {header} for {name}");
                        let value = reveal(&value, is_secret(&header)).map_err(refused(shown))?;
                        site.insert(header, value);
                    }
                }
            }
        }
        if let Some(proxy) = &mut config.proxy {
            fit_for_all(proxy, whose).map_err(refused("proxy".to_owned()))?;
            // Before an @, the address of a proxy has a login and nothing else, with or without a scheme.
            let secret = proxy.contains('@');
            *proxy = reveal(proxy, secret).map_err(refused("proxy".to_owned()))?;
        }
        Ok(config)
    }

    /// What is set, for people.
    fn named(&self) -> Vec<String> {
        let mut named: Vec<String> = self.values().into_iter().map(|(name, _)| name.to_owned()).collect();
        named.extend(self.header.keys().map(|name| format!("header {name}")));
        for (host, headers) in &self.site_header {
            named.extend(headers.keys().map(|name| format!("header {name} for {host}")));
        }
        named
    }

    /// These settings, and those of another configuration where these say nothing. Headers are merged by name.
    pub fn over(self, other: Config) -> Config {
        let mut header = other.header;
        header.extend(self.header);
        let mut site_header = other.site_header;
        for (host, headers) in self.site_header {
            site_header.entry(host).or_default().extend(headers);
        }
        Config {
            allow_private: self.allow_private.or(other.allow_private),
            cache: self.cache.or(other.cache),
            cache_hours: self.cache_hours.or(other.cache_hours),
            cookies: self.cookies.or(other.cookies),
            delay: self.delay.or(other.delay),
            format: self.format.or(other.format),
            header,
            site_header,
            from_project: self.from_project,
            written: BTreeMap::new(),
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

    /// Sets what this configuration says about drivers.
    pub fn apply(&self, settings: &mut SessionSettings) {
        fn set<T: Clone>(to: &mut T, from: &Option<T>) {
            if let Some(value) = from {
                to.clone_from(value);
            }
        }
        let web = &mut settings.web;
        set(&mut web.allow_private, &self.allow_private);
        set(&mut web.robots, &self.ignore_robots.map(|ignore| !ignore));
        set(&mut web.limits.bytes, &self.max_page_bytes);
        set(&mut web.retries, &self.retries);
        set(&mut web.user_agent, &self.user_agent);
        set(&mut web.timeout, &self.timeout.map(Duration::from_secs_f64));
        let age = self.cache_hours.map(|hours| Duration::from_secs_f64(hours * 3600.0));
        set(&mut web.cache_age, &age);
        web.cache = self.cache.clone().or(web.cache.take());
        web.delay = self.delay.map(Duration::from_secs_f64).or(web.delay);
        web.per_host = self.per_host.or(web.per_host);
        web.proxy = self.proxy.clone().or(web.proxy.take());
        for (name, value) in &self.header {
            settings.set_header(name, value);
        }
        settings.set_site_headers(&self.site_header);
        settings.cookies = self.cookies.clone().or(settings.cookies.take());
    }

    /// Sets what this configuration says about runs.
    pub fn apply_to_run(&self, settings: &mut RunSettings) {
        settings.jobs = self.jobs.unwrap_or(settings.jobs);
        settings.max_depth = self.max_depth.or(settings.max_depth);
        settings.max_pages = self.max_pages.or(settings.max_pages);
        settings.max_time = self.max_time.map(Duration::from_secs_f64).or(settings.max_time);
    }

    /// The settings that are set, by their names in the file and as text; without headers, which are a table.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let number = |number: Option<usize>| number.map(|number| number.to_string());
        let amount = |amount: Option<f64>| amount.map(|amount| amount.to_string());
        let truth = |truth: Option<bool>| truth.map(|truth| truth.to_string());
        let format = self.format.and_then(|format| {
            let known = FORMATS.iter().find(|(_, known)| *known == format);
            known.map(|(name, _)| (*name).to_owned())
        });
        let all = [
            ("allow-private", truth(self.allow_private)),
            ("cache", path(&self.cache)),
            ("cache-hours", amount(self.cache_hours)),
            ("cookies", path(&self.cookies)),
            ("delay", amount(self.delay)),
            ("format", format),
            ("ignore-robots", truth(self.ignore_robots)),
            ("jobs", number(self.jobs)),
            ("max-depth", number(self.max_depth)),
            ("max-page-bytes", number(self.max_page_bytes)),
            ("max-pages", number(self.max_pages)),
            ("max-time", amount(self.max_time)),
            ("per-host", number(self.per_host)),
            ("proxy", self.proxy.clone()),
            ("retries", self.retries.map(|retries| retries.to_string())),
            ("timeout", amount(self.timeout)),
            ("user-agent", self.user_agent.clone()),
        ];
        let set = all.into_iter().filter_map(|(name, value)| Some((name, value?)));
        set.collect()
    }
}

/// A value as it is written, or as the environment (`env:NAME`) or a file (`file:PATH`) has it. A secret that is written as
/// it is, is refused.
///
/// # Errors
///
/// The variable or the file is missing, or a secret is plain.
pub fn reveal(value: &str, secret: bool) -> Result<String, SecretError> {
    if let Some(name) = value.strip_prefix("env:") {
        return std::env::var(name).map_err(|_| SecretError::NoVariable(name.to_owned()));
    }
    if let Some(path) = value.strip_prefix("file:") {
        let text = bounded::read_text(Path::new(path), LONGEST)
            .map_err(|error| SecretError::Unreadable(PathBuf::from(path), error))?;
        return Ok(text.trim_end_matches(['\n', '\r']).to_owned());
    }
    match secret {
        true => Err(SecretError::Plain),
        false => Ok(value.to_owned()),
    }
}

/// Is it a header whose value is always a secret?
fn is_secret(header: &str) -> bool {
    let secrets = ["authorization", "cookie", "proxy-authorization"];
    secrets.iter().any(|secret| header.eq_ignore_ascii_case(secret))
}

/// Whoever wrote a project's file must not get what the user's environment and files contain.
fn fit_for_all(value: &str, whose: Whose) -> Result<(), SecretError> {
    let taken = value.starts_with("env:") || value.starts_with("file:");
    match whose == Whose::Project && taken {
        true => Err(SecretError::ForAllSites),
        false => Ok(()),
    }
}

/// The most bytes of a file of settings, and of a secret: 1 MiB.
const LONGEST: u64 = 1 << 20;

/// The text of a file of settings. It is read in any folder, so it must be a file: a pipe would stop every command there.
fn read(file: &Path) -> io::Result<String> {
    match std::fs::metadata(file)?.is_file() {
        true => bounded::read_text(file, LONGEST),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file")),
    }
}

/// May this be a number of seconds or hours?
pub fn is_amount(number: f64) -> bool {
    (0.0..=MOST_AMOUNT).contains(&number)
}

/// The names of formats.
const FORMATS: [(&str, Format); 5] = [
    ("ndjson", Format::Ndjson),
    ("json", Format::Json),
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("xml", Format::Xml),
];

fn format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Format>, D::Error> {
    let name = String::deserialize(deserializer)?;
    match FORMATS.iter().find(|(known, _)| *known == name) {
        Some((_, format)) => Ok(Some(*format)),
        None => Err(D::Error::custom(format!(
            "found the unknown format `{name}`, expected ndjson, json, csv, tsv or xml"
        ))),
    }
}

fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number = f64::deserialize(deserializer)?;
    match is_amount(number) {
        true => Ok(Some(number)),
        false => Err(D::Error::custom(format!(
            "found {number}, expected a number from 0 to {MOST_AMOUNT}"
        ))),
    }
}

fn jobs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let number = usize::deserialize(deserializer)?;
    match (1..=MOST_JOBS).contains(&number) {
        true => Ok(Some(number)),
        false => Err(D::Error::custom(format!(
            "found {number}, expected a number from 1 to {MOST_JOBS}"
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

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "allow-private = true\ncache = \"c\"\ncache-hours = 2\ncookies = \"k\"\ndelay = 0.5\nformat = \"csv\"\n\
        ignore-robots = true\njobs = 4\nmax-depth = 5\nmax-page-bytes = 6\nmax-pages = 7\nmax-time = 8\nper-host = 9\n\
        proxy = \"http://p:1\"\nretries = 10\ntimeout = 11\nuser-agent = \"me\"\n[header]\nX-A = \"1\"\n";

    #[test]
    fn the_project_wins_over_the_user() {
        let project = Config::parse("delay = 0.5\nformat = \"csv\"\n[header]\nX-A = \"1\"\n").expect("settings");
        let user = Config::parse("delay = 2\njobs = 4\n[header]\nX-A = \"2\"\nX-B = \"3\"\n").expect("settings");
        let both = project.over(user);
        assert_eq!(
            (both.delay, both.jobs, both.format),
            (Some(0.5), Some(4), Some(Format::Csv))
        );
        assert_eq!(both.header["X-A"], "1");
        assert_eq!(both.header["X-B"], "3");
    }

    /// What is listed by name reads back as the same settings, so no setting is left out.
    #[test]
    fn every_setting_has_a_name() {
        let config = Config::parse(ALL).expect("settings");
        assert_eq!(Config::default().over(config.clone()), config);
        let values = config.values();
        let line = |(name, value): &(&str, String)| match value.parse::<f64>().is_ok() || value == "true" {
            true => format!("{name} = {value}\n"),
            false => format!("{name} = {value:?}\n"),
        };
        let text: String = values.iter().map(line).collect();
        let again = Config::parse(&format!("{text}[header]\nX-A = \"1\"\n")).expect("settings");
        assert_eq!(again, config);
        assert_eq!(values.len(), ALL.lines().count() - 2);
    }

    #[test]
    fn settings_are_applied() {
        let config = Config::parse(ALL).expect("settings");
        let (mut session, mut run) = (SessionSettings::default(), RunSettings::default());
        session.set_header("x-a", "0");
        config.apply(&mut session);
        config.apply_to_run(&mut run);
        let web = &session.web;
        assert_eq!(web.headers, [("X-A".to_owned(), "1".to_owned())]);
        assert_eq!((web.robots, web.allow_private, web.limits.bytes), (false, true, 6));
        assert_eq!(
            (web.retries, web.per_host, web.user_agent.as_str()),
            (10, Some(9), "me")
        );
        assert_eq!(web.delay, Some(Duration::from_millis(500)));
        assert_eq!((web.timeout.as_secs(), web.cache_age.as_secs()), (11, 7200));
        assert_eq!(web.proxy.as_deref(), Some("http://p:1"));
        assert_eq!(session.cookies.as_deref(), Some(Path::new("k")));
        assert_eq!((run.jobs, run.max_depth, run.max_pages), (4, Some(5), Some(7)));
        assert_eq!(run.max_time, Some(Duration::from_secs(8)));
    }

    #[track_caller]
    fn refused(text: &str, part: &str) {
        let why = Config::parse(text).expect_err("a mistake").to_string();
        assert!(why.contains(part), "{why}");
    }

    #[test]
    fn mistakes_are_named() {
        refused("jobs = 1\ndelai = 1\n", "line 2: unknown field `delai`");
        refused("delay = \"fast\"\n", "line 1: ");
        refused("format = \"yaml\"\n", "line 1: found the unknown format `yaml`");
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
