//! The command line: what was typed → what it means → run.
//!
//! It is a library so that a package for Python can have the program, too, without a second copy of everything.
//! Records go to standard output, words to standard error. The exit codes are in `Exit`.

mod args;
mod check;
mod demo;
mod download;
mod extract;
mod fetch;
mod fields;
mod fmt;
mod history;
mod infer;
mod interrupt;
mod kept;
mod learn;
mod listing;
mod mcp;
mod net;
mod notify;
mod pager;
mod progress;
mod query;
mod remedy;
mod repair;
mod report;
mod run;
mod runs;
mod shards;
mod sheets;
mod shell;
mod show;
mod studio;
mod submit;
mod summary;
mod terminal;
mod trial;
mod watch;
mod way;
mod whole;
mod worker;

use std::ffi::OsString;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// All went well.
    Fine = 0,
    /// It ran, but some pages failed.
    Partial = 1,
    /// The user's mistake: usage, syntax, a bad file.
    Mistake = 2,
    /// A check failed.
    Failed = 3,
    /// The outside failed: no room on the disk, say.
    Outside = 4,
    /// The user interrupted it.
    Interrupted = interrupt::EXIT as isize,
}

/// Runs the program with its arguments, the first of which is its own name, and gives its exit code.
///
/// Arguments that are wrong, `--help` and `--version` end the process.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let args = match args::Args::read(&arguments) {
        Ok(args) => args,
        Err(error) => return net::misconfigured(&error) as u8,
    };
    report::set_colour(args.color);
    let steps = match &args.command {
        args::Command::Run(run) => run.log.log.unwrap_or(args::Format::Text),
        _ => args::Format::Text,
    };
    report::set_level(args.level(), steps);
    let result = match args.command {
        args::Command::Run(args) => run::run(&args),
        args::Command::Query(args) => query::run(&args),
        args::Command::Fetch(args) => fetch::run(&args),
        args::Command::Demo(args) => demo::run(&args),
        args::Command::Learn(args) => learn::run(&args),
        args::Command::Infer(args) => infer::run(&args),
        args::Command::Extract(args) => extract::run(&args),
        args::Command::Check(args) => check::run(&args),
        args::Command::Fields(args) => fields::run(&args),
        args::Command::Pager(args) => pager::run(&args),
        args::Command::Repair(args) => repair::run(&args),
        args::Command::Watch(args) => watch::run(&args),
        args::Command::Test(args) => trial::run(&args),
        args::Command::Fmt(args) => fmt::run(&args),
        args::Command::Show(args) => show::run(&args),
        args::Command::Studio(args) => studio::run(&args),
        args::Command::History(args) => history::run(&args),
        args::Command::Runs(args) => listing::run(&args),
        #[cfg(feature = "mcp")]
        args::Command::Mcp(args) => mcp::run(&args),
        args::Command::Skill => mcp::skill(),
        args::Command::Completions(args) => shell::completions(&args),
        args::Command::Man(args) => shell::man(&args),
        args::Command::Worker(args) => worker::run(&args),
    };
    let exit = match result {
        Ok(exit) => exit,
        Err(error) if report::is_broken_pipe(&error) => Exit::Fine,
        Err(error) => {
            report::failure(&error);
            Exit::Outside
        }
    };
    exit as u8
}
