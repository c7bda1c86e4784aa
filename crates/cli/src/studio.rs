//! `wrapwright studio`: the local web page, until somebody has enough.

use crate::Exit;
#[cfg(feature = "chromium")]
use crate::args::BrowserArgs;
use crate::args::{FetchingArgs, Format, NetArgs};
use crate::{extract, net, report, sheets, terminal};
use anyhow::Context;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use studio::{Opening, RunNames, Sessions};
use wrapwright::SessionSettings;

const EXAMPLES: &str = "\
Examples:
  wrapwright studio https://example.org/list         a site: fields and table are there at once
  wrapwright studio pages/                           saved pages
  wrapwright studio site.wrapper.json                a wrapper, with pages along its navigation
  wrapwright studio site.wrapper.json new-pages/     a wrapper on changed pages: check and repair it
  wrapwright studio --no-open --port 8900            print the address only";

#[derive(Debug, clap::Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct StudioArgs {
    /// A wrapper (a file that ends in .json) and pages: the address of a list, files, directories, WARC files, addresses, or
    /// @FILE for a list of these
    #[arg(value_name = "WRAPPER|PAGE")]
    named: Vec<String>,

    /// The port to listen on, at 127.0.0.1 [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Do not open a browser; print the address only
    #[arg(long)]
    no_open: bool,

    /// Read pages in this encoding, whatever they declare
    #[arg(long, value_name = "LABEL")]
    charset: Option<String>,

    #[cfg(feature = "chromium")]
    #[command(flatten)]
    browser: BrowserArgs,

    #[command(flatten)]
    fetching: FetchingArgs,
}

/// Runs the command.
pub(crate) fn run(args: &StudioArgs) -> anyhow::Result<Exit> {
    let read = sheets::ReadArgs {
        charset: args.charset.clone(),
        max_page_bytes: args
            .fetching
            .max_page_bytes
            .unwrap_or(wrapwright::Limits::default().bytes),
    };
    let Some(parse) = read.settings() else {
        return Ok(Exit::Mistake);
    };
    let (wrapper, pages) = match &args.named[..] {
        [first, rest @ ..] if first.ends_with(".json") => (Some(PathBuf::from(first)), rest.to_vec()),
        all => (None, all.to_vec()),
    };
    if let Some(file) = &wrapper
        && extract::read_wrapper(file).is_none()
    {
        return Ok(Exit::Mistake);
    }
    let fetching = NetArgs {
        driver: None,
        #[cfg(feature = "chromium")]
        browser: args.browser.clone(),
        record: None,
        fetching: args.fetching.clone(),
    };
    let config = match net::configuration(false) {
        Ok(config) => config,
        Err(exit) => return Ok(exit),
    };
    let mut settings = SessionSettings::default();
    let copy = |own: &mut SessionSettings| settings = own.clone();
    let net = match net::prepare_with(&fetching, &config, &net::Wants::default(), copy) {
        Ok(net) => net,
        Err(exit) => return Ok(exit),
    };
    let is_browser = net::is_browser(&fetching);
    let sessions = Sessions {
        begin: Arc::new(move |recall| {
            net::begin(
                is_browser,
                &SessionSettings {
                    recall,
                    ..settings.clone()
                },
            )
        }),
        can_keep: !is_browser,
        arguments: Arc::new(arguments),
    };
    let project = std::env::current_dir().context("the current directory cannot be used")?;
    let opening = Opening {
        project: project.canonicalize().unwrap_or(project),
        wrapper: wrapper.map(|file| file.canonicalize().unwrap_or(file)),
        pages,
        visitor: Some(net.session.visitor()),
        sessions: Some(sessions),
        parse,
    };
    let running = match studio::start(opening, args.port) {
        Ok(running) => running,
        Err(error) => return Ok(unable(args.port, &error)),
    };
    // Before the address is printed: whoever reads it may stop us at once.
    let (stop, stopped) = mpsc::channel();
    ctrlc::set_handler(move || {
        // Nobody listens any more when we are stopping already.
        let _ = stop.send(());
    })
    .context("cannot listen for Ctrl-C")?;
    terminal::print(&format!("{}\n", running.url()))?;
    report::words("The studio is at this address, which works once, and stops with Ctrl-C.");
    if !args.no_open && !opened(running.url()) {
        report::words("no browser could be opened: open the address yourself");
    }
    let _ = stopped.recv();
    drop(running);
    net.finish();
    report::words("stopped");
    Ok(Exit::Fine)
}

/// A run as it is typed.
fn arguments(run: &RunNames<'_>) -> Vec<String> {
    let words = ["run", run.wrapper, "-o", run.output, "--safe-csv", "--run", run.folder];
    let more = run.replace.then_some("--overwrite");
    words.into_iter().chain(more).map(str::to_owned).collect()
}

fn unable(port: u16, error: &io::Error) -> Exit {
    let reason = match error.kind() {
        io::ErrorKind::AddrInUse => "it is taken".to_owned(),
        io::ErrorKind::PermissionDenied => "this needs more rights".to_owned(),
        _ => error.to_string(),
    };
    let text = format!("cannot listen on port {port} of 127.0.0.1: {reason}");
    report::message(
        &text,
        Some("leave --port out to use any that is free"),
        None,
        Format::Text,
    );
    Exit::Outside
}

/// Opens an address in the user's browser; false if the system has no way to.
fn opened(url: &str) -> bool {
    let programs: &[&[&str]] = match std::env::consts::OS {
        "macos" => &[&["open"]],
        "windows" => &[&["rundll32", "url.dll,FileProtocolHandler"]],
        _ => &[&["xdg-open"], &["gio", "open"]],
    };
    programs.iter().any(|program| {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).arg(url);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    })
}
