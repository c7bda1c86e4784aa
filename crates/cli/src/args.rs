//! What can be typed.

mod learn;

pub(crate) use learn::{Extension, LearnArgs, Taste};

use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Args as ClapArgs, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use wrapwright::SinkSpec;
use wrapwright::config::{self, Config, ConfigError};
use wrapwright::output::{Existing, Form, OnNewField, OutputSpec, PartLimits, Target};
use wrapwright::record::OnMisfit;

/// The name of the flag -q.
const QUIET: &str = "quiet";

/// Turns the pages of web sites into records.
#[derive(Debug, Parser)]
#[command(name = "wrapwright", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Colours in messages: auto is on a terminal, unless NO_COLOR is set
    #[arg(
        help_heading = MESSAGES,
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true
    )]
    pub(crate) color: crate::terminal::Colour,

    /// How much is told on standard error: error is the same as -q, debug is the same as -v
    #[arg(
        help_heading = MESSAGES,
        long,
        global = true,
        value_name = "LEVEL",
        conflicts_with = "verbose"
    )]
    pub(crate) log_level: Option<Level>,

    /// Also tell each request, retry and action as it happens: the same as --log-level debug
    #[arg(help_heading = MESSAGES, long, short, global = true)]
    pub(crate) verbose: bool,

    /// Was -q given to the command?
    #[arg(skip)]
    pub(crate) is_quiet: bool,
}

/// How much is told on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Level {
    /// Errors only
    Error,
    /// Also warnings, but neither progress nor summaries
    Warning,
    /// Also progress and summaries
    #[default]
    Info,
    /// Also each request, retry and action
    Debug,
}

impl Args {
    /// How much is told.
    pub(crate) fn level(&self) -> Level {
        match (self.verbose, self.is_quiet) {
            (true, _) => Level::Debug,
            (false, true) => Level::Error,
            (false, false) => self.log_level.unwrap_or_default(),
        }
    }

    /// What was typed, over what the environment says, over what the configuration says. An empty variable says nothing.
    ///
    /// The configuration is read only for commands that have flags it can set, after they were typed without mistakes.
    pub(crate) fn read(typed: &[OsString]) -> Result<Args, ConfigError> {
        let args = Args::parse_over(&Config::default(), false, typed);
        if args.verbose && args.is_quiet {
            let text = "-q tells nothing and -v tells everything; give one of them";
            Args::command().error(ErrorKind::ArgumentConflict, text).exit();
        }
        let quiet = args.level() == Level::Error;
        match args.command.is_configured() {
            true => Ok(Args::parse_over(&Config::load()?, quiet, typed)),
            false => Ok(Args::parse_over(&Config::default(), quiet, typed)),
        }
    }

    /// The same for words that were typed before.
    pub(crate) fn read_from(words: impl Iterator<Item = String>) -> Result<Args, ConfigError> {
        let matches = Args::command_over(&Config::load()?, false).get_matches_from(words);
        Ok(Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
    }

    fn parse_over(config: &Config, quiet: bool, typed: &[OsString]) -> Args {
        let matches = Args::command_over(config, quiet).get_matches_from(typed);
        let args = Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        let of_command = matches.subcommand().map(|(_, matches)| matches.try_get_one(QUIET));
        let is_quiet = matches!(of_command, Some(Ok(Some(true))));
        Args { is_quiet, ..args }
    }

    /// All commands. A setting of the configuration is the default of every flag that has its name and takes its value; with
    /// `quiet`, -q is the default.
    fn command_over(config: &Config, quiet: bool) -> clap::Command {
        let silence = move |arg: Arg| match quiet && arg.get_id() == QUIET {
            true => arg.default_value("true"),
            false => arg,
        };
        Args::command().mut_subcommands(|command| command.mut_args(Args::configure(config)).mut_args(silence))
    }

    /// Gives a flag the default that the configuration has for it.
    fn configure(config: &Config) -> impl Fn(Arg) -> Arg {
        // A flag keeps its default as long as the program runs.
        let values: Vec<(&str, &'static str)> = config
            .values()
            .into_iter()
            .map(|(name, value)| (name, &*value.leak()))
            .collect();
        let unset = |arg: Arg| {
            let empty = arg
                .get_env()
                .and_then(std::env::var_os)
                .is_some_and(|value| value.is_empty());
            if empty { arg.env(None::<&'static str>) } else { arg }
        };
        let over = move |arg: Arg| {
            let named = values.iter().find(|(name, _)| arg.get_long() == Some(name));
            let takes = |value: &str| {
                let possible = arg.get_possible_values();
                possible.is_empty() || possible.iter().any(|known| known.matches(value, false))
            };
            match named {
                Some((_, value)) if takes(value) => arg.default_value(*value),
                _ => arg,
            }
        };
        move |arg| over(unset(arg))
    }
}

/// How pages are fetched where nothing about it can be typed.
#[derive(Debug, Parser)]
#[command(name = "wrapwright")]
struct Untyped {
    #[command(flatten)]
    net: NetArgs,
}

impl NetArgs {
    /// What the environment and the configuration say.
    pub(crate) fn untyped(config: &Config) -> NetArgs {
        let command = Untyped::command().mut_args(Args::configure(config));
        let matches = command.get_matches_from(["wrapwright"]);
        Untyped::from_arg_matches(&matches)
            .unwrap_or_else(|error| error.exit())
            .net
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run an OXPath expression or a wrapper over a live site
    Run(Box<RunArgs>),
    /// Work on runs that were submitted with `run --frontier`, on this or another machine
    Worker(Box<crate::worker::WorkerArgs>),
    /// Try an XPath expression on saved pages
    Query(QueryArgs),
    /// Save pages to a directory
    Fetch(Box<crate::fetch::FetchArgs>),
    /// Find the link to the next page of a list
    Pager(crate::pager::PagerArgs),
    /// Serve a small web to practise on, on this machine only
    Demo(crate::demo::DemoArgs),
    /// Make, check and repair wrappers on a web page of this machine, by pointing
    Studio(Box<crate::studio::StudioArgs>),
    /// Learn a wrapper from pages and examples of what is on them
    Learn(LearnArgs),
    /// Infer a wrapper from pages alone
    Infer(Box<crate::infer::InferArgs>),
    /// Print the fields of a wrapper with samples; keep some, rename them
    Fields(crate::fields::FieldsArgs),
    /// Run a wrapper over pages
    Extract(ExtractArgs),
    /// Check whether a wrapper still works on pages
    Check(crate::check::CheckArgs),
    /// Repair a wrapper with pages that have changed
    Repair(crate::repair::RepairArgs),
    /// Check a site once, repair the wrapper if needed, and add an entry to its history
    Watch(Box<crate::watch::WatchArgs>),
    /// Test expressions and wrappers with pages that were kept
    Test(Box<crate::trial::TestArgs>),
    /// Lay out expressions: spaces, lines and indentation
    Fmt(crate::fmt::FmtArgs),
    /// Print what a wrapper does
    Show(ShowArgs),
    /// List the runs that a directory keeps
    Runs(crate::listing::RunsArgs),
    /// Print the history of a watched wrapper: runs, the health of each field, repairs
    History(crate::history::HistoryArgs),
    /// Serve tools over the Model Context Protocol, on standard input and output
    #[cfg(feature = "mcp")]
    Mcp(crate::mcp::McpArgs),
    /// Print a page that teaches coding assistants to use this program
    Skill,
    /// Print the completions for a shell
    Completions(crate::shell::CompletionsArgs),
    /// Write the manual pages, one for each command
    Man(crate::shell::ManArgs),
}

impl Command {
    /// Does the configuration matter for it?
    fn is_configured(&self) -> bool {
        match self {
            Command::Run(args) => !args.check && !args.explain,
            Command::Query(_)
            | Command::Fetch(_)
            | Command::Learn(_)
            | Command::Infer(_)
            | Command::Extract(_)
            | Command::Check(_)
            | Command::Pager(_)
            | Command::Test(_)
            | Command::Repair(_)
            | Command::Studio(_)
            | Command::Watch(_)
            | Command::Worker(_) => true,
            Command::Demo(_)
            | Command::Fmt(_)
            | Command::Show(_)
            | Command::Fields(_)
            | Command::History(_)
            | Command::Runs(_)
            | Command::Skill
            | Command::Completions(_)
            | Command::Man(_) => false,
            #[cfg(feature = "mcp")]
            Command::Mcp(_) => false,
        }
    }
}

const RUN_EXAMPLES: &str = "\
Examples:
  wrapwright run books.oxp                          records as lines of JSON
  wrapwright run books.oxp --format xml -o out.xml  as one XML document, written when all is done
  wrapwright run -e 'doc(\"https://example.org\")//a:<link=@href>'
  wrapwright run books.oxp --bind city=Rome         $city in the expression is Rome
  wrapwright run books.oxp --bind-file cities.csv   once for each row of a table
  wrapwright run books.oxp --bind-file cities.csv --shard 2/8 -o o.csv   an eighth of the rows, to o.2-of-8.csv
  wrapwright run books.oxp --format csv --rows review
  wrapwright run books.oxp --jobs 8 --max-pages 500 eight pages at once, 500 in all
  wrapwright run books.oxp --record b.warc.gz       keep what was fetched ...
  wrapwright run books.oxp --driver archive:b.warc.gz   ... and run without the network
  wrapwright run books.oxp -o books.csv --run monday   keep the run in a directory ...
  wrapwright run --resume monday                    ... and go on with it after it was killed
  wrapwright run books.oxp --bind-file cities.csv --frontier postgresql://db/crawl   on many machines
  wrapwright run books.oxp --browser                with scripts, in an installed Chromium
  wrapwright run books.oxp --check                  parse and check only; fetches nothing
  wrapwright run shop.wrapper.json --format csv     a wrapper over its site: list, pager, details
  wrapwright run w.json --start https://example.org/list --follow '//h2/a'   over any site";

#[derive(Debug, ClapArgs)]
#[command(before_long_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    /// A file with an OXPath expression, a wrapper (.json), or - for standard input
    #[arg(
        value_name = "FILE",
        required_unless_present_any = ["expression", "resume"],
        conflicts_with = "expression"
    )]
    pub(crate) file: Option<PathBuf>,

    /// The expression itself
    #[arg(help_heading = EXPRESSION, long, short = 'e', value_name = "EXPR")]
    pub(crate) expression: Option<String>,

    /// Only parse and check the expression; exit code 2 if something is wrong
    ///
    /// With --format json, each finding is a line of JSON on standard output, for editors: file, severity, code, message,
    /// range (lines and UTF-16 units from 0, as in the Language Server Protocol), label, related, hints, and fix, the text
    /// to write instead where that is known exactly.
    #[arg(help_heading = EXPRESSION, long)]
    pub(crate) check: bool,

    /// Print the normal form and the plan of the expression; do not run it
    #[arg(help_heading = EXPRESSION, long)]
    pub(crate) explain: bool,

    /// Bind a variable to a string; if given several times for one name, the expression runs once for each value
    #[arg(help_heading = EXPRESSION, long = "bind", value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub(crate) bindings: Vec<(String, String)>,

    /// Run the expression for each row of a CSV file; its first line names the variables
    #[arg(help_heading = EXPRESSION, long, value_name = "FILE")]
    pub(crate) bind_file: Option<PathBuf>,

    /// Put the values of variables into the records, under _bind
    #[arg(help_heading = EXPRESSION, long)]
    pub(crate) with_bindings: bool,

    #[command(flatten)]
    pub(crate) way: crate::way::WayArgs,

    #[command(flatten)]
    pub(crate) records: RecordArgs,

    /// Warnings are errors
    #[arg(help_heading = RUN, long)]
    pub(crate) strict: bool,

    /// Stop at the first page or action that fails
    #[arg(help_heading = RUN, long)]
    pub(crate) fail_fast: bool,

    /// Pages to fetch at once, over all hosts; records come in the same order [default: 1]
    #[arg(help_heading = RUN, long, short, value_name = "N", env = "WRAPWRIGHT_JOBS", hide_env_values = true, value_parser = jobs())]
    pub(crate) jobs: Option<usize>,

    /// Open at most N pages
    #[arg(help_heading = RUN, long, value_name = "N", env = "WRAPWRIGHT_MAX_PAGES", hide_env_values = true)]
    pub(crate) max_pages: Option<usize>,

    /// Follow each branch for at most N pages from its start
    #[arg(help_heading = RUN, long, value_name = "N", env = "WRAPWRIGHT_MAX_DEPTH", hide_env_values = true)]
    pub(crate) max_depth: Option<usize>,

    /// Stop after this many seconds
    #[arg(help_heading = RUN, long, value_name = "SECONDS", env = "WRAPWRIGHT_MAX_TIME", hide_env_values = true, value_parser = seconds)]
    pub(crate) max_time: Option<f64>,

    #[command(flatten)]
    pub(crate) keep: crate::kept::KeepArgs,

    #[command(flatten)]
    pub(crate) files: crate::download::DownloadArgs,

    #[command(flatten)]
    pub(crate) shard: crate::shards::ShardArgs,

    #[command(flatten)]
    pub(crate) frontier: crate::submit::FrontierArgs,

    #[command(flatten)]
    pub(crate) log: crate::progress::LogArgs,

    /// Print no warnings, no progress and no text summary
    #[arg(help_heading = MESSAGES, long, short)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) net: NetArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecordFormat {
    /// A line of JSON for each record
    Ndjson,
    /// One JSON array
    Json,
    /// One XML document
    Xml,
    /// A table with comma-separated values
    Csv,
    /// A table with tab-separated values
    Tsv,
    /// A stream of Arrow record batches
    Arrow,
    /// A Parquet file, or a directory of them
    Parquet,
}

impl RecordFormat {
    fn form(self) -> Form {
        use wrapwright::record::Format;
        match self {
            RecordFormat::Ndjson => Form::Text(Format::Ndjson),
            RecordFormat::Json => Form::Text(Format::Json),
            RecordFormat::Xml => Form::Text(Format::Xml),
            RecordFormat::Csv => Form::Text(Format::Csv),
            RecordFormat::Tsv => Form::Text(Format::Tsv),
            RecordFormat::Arrow => Form::Arrow,
            RecordFormat::Parquet => Form::Parquet,
        }
    }
}

/// What becomes of a value that does not fit its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Misfits {
    /// It is null; its text is in _misfit
    Null,
    /// Its text is written as it is
    KeepText,
    /// Its record is left out
    Drop,
    /// Nothing more is written
    Fail,
}

/// What becomes of fields that a table does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewFields {
    /// The table gets columns for them
    Evolve,
    /// Nothing is written
    Freeze,
    /// They are left out
    Drop,
}

/// The heading of what is about the whole run.
pub(crate) const RUN: &str = "The run";

/// The heading of what is told, and how.
pub(crate) const MESSAGES: &str = "Messages";

/// The heading of the expression and its variables.
const EXPRESSION: &str = "The expression";

/// How records are written.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Records")]
pub(crate) struct RecordArgs {
    /// Format of the records, where the name of the file does not say it [default: ndjson]
    ///
    /// In NDJSON, a field that may have several values is an array. In CSV, a row is a top-level record, or a nested one if
    /// records have nothing else (or see --rows); a column is a value, named by its path in the record (title, review.by),
    /// and several values in one cell are joined with "; ".
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<RecordFormat>,

    /// Write one CSV row for each of these nested records (review, or review.reply), and repeat the values around them; an
    /// empty NAME means top-level records
    #[arg(long, value_name = "NAME")]
    pub(crate) rows: Option<String>,

    /// In CSV, put a ' before values that a spreadsheet would run as a formula
    #[arg(long)]
    pub(crate) safe_csv: bool,

    /// Begin a CSV file with a mark by which spreadsheets recognize UTF-8
    #[arg(long)]
    pub(crate) bom: bool,

    /// Write records to this file or table; the ending says the format
    ///
    /// Files: out.ndjson, .jsonl, .json (an array), .csv, .tsv, .xml, each also with .gz or .zst; out.parquet; out.arrows (a
    /// stream). A file has the name out.csv.part until the run has ended, and keeps it if the run was interrupted.
    /// Directories: out.parquet/ gets files that are whole from time to time. Tables: out.sqlite#TABLE,
    /// postgresql://USER@HOST/DATABASE?table=TABLE (the password may be in PGPASSWORD).
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Add to the records that are there, also to those of a run that did not end
    #[arg(long, conflicts_with = "overwrite")]
    pub(crate) append: bool,

    /// Replace what is there when the run has ended, also what is left of a run that did not end
    #[arg(long)]
    pub(crate) overwrite: bool,

    /// What to do with a value that does not fit its type
    #[arg(long, value_name = "WHAT", default_value = "null")]
    pub(crate) on_misfit: Misfits,

    /// Write the currency of this price into a field of its own, FIELD_currency: EUR, USD, or as it is written
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub(crate) currency: Vec<String>,

    /// In a table, recognize records by these fields: update those that are there, and keep when they were seen
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub(crate) key: Vec<String>,

    /// With --key, mark the records that a run without failures did not find any more
    #[arg(long)]
    pub(crate) mark_gone: bool,

    /// Make all records visible at once at the end, or none of them
    #[arg(long)]
    pub(crate) publish: bool,

    /// What to do with fields that a table does not have yet
    #[arg(long, value_name = "WHAT", default_value = "evolve")]
    pub(crate) on_new_field: NewFields,

    /// In a directory of Parquet files, begin a new one after this many megabytes
    #[arg(long, value_name = "MB", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) part_mb: u64,

    /// In a directory of Parquet files, begin a new one after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) part_seconds: f64,

    /// Leave out the keys _record and _page
    #[arg(long)]
    pub(crate) no_meta: bool,
}

impl RecordArgs {
    /// Where records go, and how they are written.
    pub(crate) fn spec(&self) -> OutputSpec {
        let target = Target::new(self.output.as_deref(), self.format.map(RecordFormat::form));
        OutputSpec {
            sink: SinkSpec {
                no_meta: self.no_meta,
                rows: self.rows.clone(),
                safe_csv: self.safe_csv,
                bom: self.bom,
                on_misfit: match self.on_misfit {
                    Misfits::Null => OnMisfit::Null,
                    Misfits::KeepText => OnMisfit::KeepText,
                    Misfits::Drop => OnMisfit::Drop,
                    Misfits::Fail => OnMisfit::Fail,
                },
                ..SinkSpec::default()
            },
            existing: match (self.append, self.overwrite) {
                (true, _) => Existing::Append,
                (_, true) => Existing::Overwrite,
                _ => Existing::Replace,
            },
            key: self.key.clone(),
            currency: self.currency.clone(),
            mark_gone: self.mark_gone,
            publish: self.publish,
            on_new_field: match self.on_new_field {
                NewFields::Evolve => OnNewField::Evolve,
                NewFields::Freeze => OnNewField::Freeze,
                NewFields::Drop => OnNewField::Drop,
            },
            parts: PartLimits {
                bytes: self.part_mb << 20,
                interval: std::time::Duration::try_from_secs_f64(self.part_seconds).unwrap_or_default(),
            },
            password: std::env::var("PGPASSWORD").ok(),
            ..OutputSpec::new(target)
        }
    }
}

/// The heading of how pages are fetched.
const FETCHING: &str = "Fetching";

/// How pages are fetched.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = FETCHING)]
pub(crate) struct NetArgs {
    /// Where pages come from: http, chromium, or archive:FILE for a recording [default: http]
    #[arg(long, value_name = "DRIVER")]
    #[cfg_attr(feature = "chromium", arg(conflicts_with = "browser"))]
    pub(crate) driver: Option<String>,

    #[cfg(feature = "chromium")]
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,

    /// Record everything that is fetched in this WARC file
    #[arg(help_heading = FETCHING, long, value_name = "FILE.warc.gz")]
    pub(crate) record: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) fetching: FetchingArgs,
}

/// How requests are made.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = FETCHING)]
pub(crate) struct FetchingArgs {
    /// Seconds between requests to one host [default: 1; none on loopback]
    #[arg(long, value_name = "SECONDS", env = "WRAPWRIGHT_DELAY", hide_env_values = true, value_parser = seconds)]
    pub(crate) delay: Option<f64>,

    /// Parallel requests to one host [default: 1; no limit on loopback]
    #[arg(long, value_name = "N", env = "WRAPWRIGHT_PER_HOST", hide_env_values = true)]
    pub(crate) per_host: Option<usize>,

    /// Time limit for one page in seconds, redirects included [default: 30]
    #[arg(long, value_name = "SECONDS", env = "WRAPWRIGHT_TIMEOUT", hide_env_values = true, value_parser = seconds)]
    pub(crate) timeout: Option<f64>,

    /// How often to retry a request that failed for a temporary reason [default: 2]
    #[arg(long, value_name = "N", env = "WRAPWRIGHT_RETRIES", hide_env_values = true)]
    pub(crate) retries: Option<u32>,

    /// Fetch pages that robots.txt disallows
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        env = "WRAPWRIGHT_IGNORE_ROBOTS",
        hide_env_values = true,
        value_parser = switch
    )]
    pub(crate) ignore_robots: Option<bool>,

    /// Allow public pages to lead to loopback and private addresses
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        env = "WRAPWRIGHT_ALLOW_PRIVATE",
        hide_env_values = true,
        value_parser = switch
    )]
    pub(crate) allow_private: Option<bool>,

    /// Cache responses in this directory
    #[arg(long, value_name = "DIR", env = "WRAPWRIGHT_CACHE", hide_env_values = true)]
    pub(crate) cache: Option<PathBuf>,

    /// Use cached responses for this many hours [default: 24]
    #[arg(long, value_name = "HOURS", env = "WRAPWRIGHT_CACHE_HOURS", hide_env_values = true, value_parser = seconds)]
    pub(crate) cache_hours: Option<f64>,

    /// Load cookies from this file if it exists, and save them there at the end (cookies.txt, the format of curl and wget)
    #[arg(long, value_name = "FILE", env = "WRAPWRIGHT_COOKIES", hide_env_values = true)]
    pub(crate) cookies: Option<PathBuf>,

    /// Send this header to the hosts that the expression names; env:NAME and file:PATH read the value from there
    #[arg(long = "header", short = 'H', value_name = "NAME: VALUE", value_parser = parse_header)]
    pub(crate) headers: Vec<(String, String)>,

    /// Fetch through a proxy: http://host:port, socks5://host:port [default: as HTTP_PROXY and HTTPS_PROXY say]
    #[arg(long, value_name = "URL", env = "WRAPWRIGHT_PROXY", hide_env_values = true)]
    pub(crate) proxy: Option<String>,

    /// The User-Agent header
    #[arg(long, value_name = "TEXT", env = "WRAPWRIGHT_USER_AGENT", hide_env_values = true)]
    pub(crate) user_agent: Option<String>,

    /// Refuse pages with more bytes than this
    #[arg(long, value_name = "N", env = "WRAPWRIGHT_MAX_PAGE_BYTES", hide_env_values = true)]
    pub(crate) max_page_bytes: Option<usize>,
}

/// Which browser, and how it is run.
#[cfg(feature = "chromium")]
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Browser")]
pub(crate) struct BrowserArgs {
    /// Load pages in an installed Chromium or Chrome, which runs their scripts
    #[arg(long)]
    pub(crate) browser: bool,

    /// The browser to start [default: the first of chromium, google-chrome, … that is installed]
    #[arg(long, value_name = "FILE", env = "WRAPWRIGHT_BROWSER", hide_env_values = true)]
    pub(crate) browser_path: Option<PathBuf>,

    /// Use a running browser at this address
    #[arg(long, value_name = "ws://…")]
    pub(crate) connect: Option<String>,

    /// Show the browser's windows
    #[arg(long)]
    pub(crate) headed: bool,

    /// Run the browser without its sandbox; always so for root
    #[arg(long)]
    pub(crate) no_sandbox: bool,

    /// Also load images, fonts and advertisements, which are left out if the expression needs no styles
    #[arg(long, value_name = "WHAT")]
    pub(crate) load: Option<Load>,

    /// Save a screenshot of each page on which something failed to this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) screenshot_on_error: Option<PathBuf>,

    /// After an action, give the page this long to start something [default: 0.3]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) react: Option<f64>,

    /// Use a loaded page that does not become quiet as it is after this long [default: 8]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) settle: Option<f64>,
}

#[cfg(feature = "chromium")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Load {
    /// Images, fonts, films and advertisements
    Images,
}

const QUERY_EXAMPLES: &str = "\
Examples:
  wrapwright query '//h2' page.html                 the text of every h2, one a line
  wrapwright query '//a/@href' pages/               all links of all pages below a directory
  wrapwright query --count '//tr[td]' *.html        how many rows each page has
  wrapwright query '//title' crawl.warc.gz          of every page in an archive
  wrapwright query --json '//price' page.html       matches with path, name, value and HTML
  curl -s URL | wrapwright query '//title' -        a page from a pipe";

#[derive(Debug, ClapArgs)]
#[command(before_long_help = QUERY_EXAMPLES)]
pub(crate) struct QueryArgs {
    /// An XPath 1.0 expression; also `a ?? b`, matches(), replace(), date(), json() and others; with --css a selector
    #[arg(value_name = "XPATH")]
    pub(crate) expression: String,

    /// The expression is a CSS selector, which may end with ::text or ::attr(name)
    #[arg(long)]
    pub(crate) css: bool,

    /// Files, directories (every .htm and .html below, sorted), WARC files, or - for standard input
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    /// Format of results and errors
    ///
    /// As text, each match is a line: the text of the node with its white space joined, preceded by the page's name
    /// where there are several pages; a string keeps its lines. As JSON, each page is a line:
    /// {"page":…, "type":"node-set", "matches":[{"path":…, "kind":…, "name":…, "value":…, "html":…}]}, or
    /// {"page":…, "type":"string|number|boolean", "value":…}; errors are lines of JSON on standard error.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Print the number of matches instead of the matches
    #[arg(long, short)]
    pub(crate) count: bool,

    /// Write the tree that was evaluated as well-formed XML, to a file or, without one, to standard output instead of
    /// the matches
    ///
    /// Another XPath engine can then be asked the same question about the same tree. Takes one page.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with = "shard")]
    pub(crate) xml_dump: Option<Option<PathBuf>>,

    /// Bind a variable of the expression to a string
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub(crate) variables: Vec<(String, String)>,

    /// Read pages in this encoding, whatever they declare
    #[arg(long, value_name = "LABEL")]
    pub(crate) charset: Option<String>,

    #[command(flatten)]
    pub(crate) shard: crate::shards::ShardArgs,

    /// Never print the page's name before a match
    #[arg(long, short = 'I')]
    pub(crate) no_filename: bool,

    /// Print no warnings and no progress
    #[arg(help_heading = MESSAGES, long, short)]
    pub(crate) quiet: bool,

    /// Pages to work on in parallel; 0 means one for each processor
    #[arg(long, short, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,

    /// Refuse pages with more bytes than this
    #[arg(long, value_name = "N", default_value_t = wrapwright::Limits::default().bytes)]
    pub(crate) max_page_bytes: usize,

    /// Refuse pages with more nodes than this
    #[arg(long, value_name = "N", default_value_t = wrapwright::Limits::default().nodes)]
    pub(crate) max_page_nodes: usize,

    /// Refuse pages that nest deeper than this
    #[arg(long, value_name = "N", default_value_t = wrapwright::Limits::default().depth)]
    pub(crate) max_page_depth: usize,
}

impl QueryArgs {
    /// The format that the two flags agree on.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExtractArgs {
    /// A wrapper file
    #[arg(value_name = "WRAPPER")]
    pub(crate) wrapper: PathBuf,

    /// Files, directories (every .htm and .html below, sorted), WARC files, addresses, @FILE for a list of these, or - for
    /// standard input
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<String>,

    #[command(flatten)]
    pub(crate) shard: crate::shards::ShardArgs,

    #[command(flatten)]
    pub(crate) records: RecordArgs,

    /// Give values as they are in the source, with tags and character references
    #[arg(help_heading = "Pages", long)]
    pub(crate) raw: bool,

    /// Read pages in this encoding, whatever they declare
    #[arg(help_heading = "Pages", long, value_name = "LABEL")]
    pub(crate) charset: Option<String>,

    /// Print no warnings
    #[arg(help_heading = MESSAGES, long, short)]
    pub(crate) quiet: bool,

    /// Pages to work on in parallel; 0 means one for each processor
    #[arg(help_heading = "Pages", long, short, value_name = "N", default_value_t = 0)]
    pub(crate) jobs: usize,

    /// Refuse pages with more bytes than this
    #[arg(help_heading = "Pages", long, value_name = "N", default_value_t = wrapwright::Limits::default().bytes)]
    pub(crate) max_page_bytes: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ShowArgs {
    /// A wrapper file
    #[arg(value_name = "WRAPPER")]
    pub(crate) wrapper: PathBuf,

    /// Draw the tree of a landmark wrapper or a template as SVG in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Print the type of a template's records, or the schema that the wrapper was learned with
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "json", conflicts_with = "svg")]
    pub(crate) schema: Option<TypeFormat>,

    /// Print the rule in another language, if it is of kind paths, landmarks or template; comments say what is lost
    #[arg(long = "as", value_name = "LANGUAGE", conflicts_with_all = ["svg", "schema", "on"])]
    pub(crate) language: Option<Language>,

    /// Also print the whole rule
    #[arg(long, conflicts_with_all = ["svg", "schema", "language", "on"])]
    pub(crate) full: bool,

    /// A page on which to show what the wrapper finds
    #[arg(long, value_name = "PAGE", requires = "html")]
    pub(crate) on: Option<String>,

    /// Write that page to this file, with template and values coloured
    #[arg(long, value_name = "FILE", requires = "on")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// XQuery with FOR, LET and RETURN
    Xquery,
    /// OXPath with markers
    Oxpath,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TypeFormat {
    /// As JSON Schema
    Json,
    /// As a DTD
    Dtd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// What numbers of seconds and hours may be, for people.
const AMOUNT: &str = "a number from 0 to 1000000000";

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(number) if config::is_amount(number) => Ok(number),
        _ => Err(format!("expected {AMOUNT}")),
    }
}

/// A number of jobs.
pub(crate) fn jobs() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=config::MOST_JOBS as u64)
}

/// A part of a whole.
pub(crate) fn part(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

/// What people write for yes and no.
fn switch(text: &str) -> Result<bool, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("expected true or false".to_owned()),
    }
}

fn parse_header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("expected NAME: VALUE".to_owned()),
    }
}

pub(crate) fn parse_variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => {
            Ok((name.strip_prefix('$').unwrap_or(name).to_owned(), value.to_owned()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests;
