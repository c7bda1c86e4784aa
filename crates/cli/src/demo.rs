//! `wrapwright demo`: the bundled sites, on loopback, until somebody has enough.

use crate::Exit;
use crate::args::Format;
use crate::{report, terminal};
use anyhow::Context;
use clap::Args;
use demo::server::{self, Running};
use demo::shop::PASSWORD;
use demo::{Demo, Redesigned};
use std::io;
use std::net::Ipv4Addr;
use std::sync::mpsc;

const EXAMPLES: &str = "\
Examples:
  wrapwright demo                                   on http://127.0.0.1:8807/
  wrapwright demo --port 0                          on a free port, which it prints first
  wrapwright demo --redesign                        the shop after a redesign
  wrapwright run examples/shop.oxp --bind site=http://127.0.0.1:8807/";

#[derive(Debug, Args)]
#[command(before_long_help = EXAMPLES)]
pub(crate) struct DemoArgs {
    /// The port to listen on, at 127.0.0.1; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 8807)]
    port: u16,

    /// Serve the shop as it is after a redesign: the same products in other pages
    #[arg(long)]
    redesign: bool,
}

/// Runs the command.
pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<Exit> {
    let address = (Ipv4Addr::LOCALHOST, args.port);
    let started = match args.redesign {
        true => server::start(address, Redesigned),
        false => server::start(address, Demo),
    };
    let running = match started {
        Ok(running) => running,
        Err(error) => {
            let (reason, hint) = match error.kind() {
                io::ErrorKind::AddrInUse => (
                    "it is taken, perhaps by another demo".to_owned(),
                    "choose another with --port N, or any free one with --port 0",
                ),
                io::ErrorKind::PermissionDenied => (
                    "this needs more rights".to_owned(),
                    "choose a port from 1024 on with --port N",
                ),
                _ => (error.to_string(), "choose another with --port N"),
            };
            let text = format!("cannot listen on port {} of 127.0.0.1: {reason}", args.port);
            report::message(&text, Some(hint), None, Format::Text);
            return Ok(Exit::Outside);
        }
    };
    // Before the address is printed: whoever reads it may stop us at once.
    let (stop, stopped) = mpsc::channel();
    ctrlc::set_handler(move || {
        // Nobody listens any more when we are stopping already.
        let _ = stop.send(());
    })
    .context("cannot listen for Ctrl-C")?;
    greet(&running)?;
    let _ = stopped.recv();
    drop(running);
    report::words("stopped");
    Ok(Exit::Fine)
}

fn greet(running: &Running) -> anyhow::Result<()> {
    let url = running.url();
    terminal::print(&format!("{url}\n"))?;
    report::words(&format!(
        "\
The demo is at {url} and stops with Ctrl-C. Look at it in a browser, or try in another terminal:
  wrapwright infer {url}shop/search -o shop.wrapper.json
  wrapwright run shop.wrapper.json --format csv
  wrapwright run examples/shop.oxp --bind site={url}
  wrapwright run examples/login.oxp --bind site={url} --bind password={PASSWORD}
  wrapwright run examples/seattle-books.oxp --bind site={url}
  wrapwright run examples/citations.oxp --bind site={url}
  wrapwright run examples/flights.oxp --bind site={url}
  wrapwright run examples/stocks.oxp --bind site={url}"
    ));
    Ok(())
}
