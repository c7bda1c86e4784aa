//! Remedies in the words of the command line: flags and commands.

use wrapwright::{Limit, Remedy};

/// What to type, or to do, about an error.
pub(crate) fn in_words(remedy: &Remedy) -> String {
    let words = match remedy {
        Remedy::RaiseLimit(Limit::Bytes) => "raise it with --max-page-bytes",
        Remedy::RaiseLimit(Limit::Nodes) => "only `query` reads such a page, with --max-page-nodes",
        Remedy::RaiseLimit(Limit::Depth) => "only `query` reads such a page, with --max-page-depth",
        Remedy::RaiseTimeout => "--timeout gives it more time",
        Remedy::AllowPrivate => "--allow-private allows private addresses",
        Remedy::IgnoreRobots => "--ignore-robots asks for it anyway",
        Remedy::UseBrowser => "--browser runs scripts, in an installed Chromium",
        Remedy::InstallBrowser => {
            "install one, on Debian with `apt install chromium`, or name it with --browser-path PATH"
        }
        Remedy::DisableSandbox => "the browser's sandbox does not work here; --no-sandbox turns it off",
        Remedy::ConnectBrowser => "a browser that is started with --remote-debugging-port=9222 prints its address",
        Remedy::AskLessOften => "the site asks for fewer requests; use a longer --delay, or try again later",
        Remedy::ChangePace => "--delay and --per-host set how often a host is asked",
        Remedy::FewerJobs => "raise the system's limit on open files (ulimit -n), or use fewer --jobs",
        Remedy::CorrectProxy { variable } => {
            return format!("the environment variable {variable} says so; correct it, or use --proxy");
        }
        Remedy::SavePage => "save the page first: wrapwright fetch URL -o DIR",
        Remedy::StartHistory => "`wrapwright watch` starts one: it adds a line for each run",
        Remedy::ReplaceHistory => {
            "the file was left as it is; move it away, and the next `wrapwright watch` starts a history there"
        }
        Remedy::AppendOrOverwrite => "--append goes on after it, --overwrite discards it",
        // Advice, and what this program does not know yet.
        _ => return remedy.to_string(),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// Flags of other programs.
    const FOREIGN: [&str; 1] = ["--remote-debugging-port"];

    /// The flags of all commands.
    fn flags(command: &clap::Command, into: &mut BTreeSet<String>) {
        let long = command.get_arguments().filter_map(clap::Arg::get_long);
        into.extend(long.map(|name| format!("--{name}")));
        command.get_subcommands().for_each(|inner| flags(inner, into));
    }

    #[test]
    fn every_remedy_names_a_flag_or_a_command_that_exists() {
        let command = crate::args::Args::command();
        let mut known = BTreeSet::new();
        flags(&command, &mut known);
        let proxy = Remedy::CorrectProxy {
            variable: "HTTPS_PROXY".to_owned(),
        };
        for remedy in Remedy::named().chain([proxy]) {
            let words = in_words(&remedy);
            assert_ne!(words, remedy.to_string(), "{remedy:?} has no words of the command line");
            let mut named = 0;
            for flag in words.split([' ', '=', ',', ';']).filter(|word| word.starts_with("--")) {
                named += 1;
                assert!(known.contains(flag) || FOREIGN.contains(&flag), "{words}");
            }
            if let Some((_, rest)) = words.split_once("wrapwright ") {
                named += 1;
                let name = rest.split([' ', '`']).next().unwrap_or("");
                assert!(command.find_subcommand(name).is_some(), "{words}");
            }
            assert!(named > 0, "{words}");
        }
    }

    #[test]
    fn the_words() {
        let rows = [
            (Remedy::RaiseLimit(Limit::Bytes), "raise it with --max-page-bytes"),
            (Remedy::RaiseTimeout, "--timeout gives it more time"),
            (
                Remedy::CorrectProxy {
                    variable: "HTTP_PROXY".to_owned(),
                },
                "the environment variable HTTP_PROXY says so; correct it, or use --proxy",
            ),
            ("indices start at 0".into(), "indices start at 0"),
        ];
        for (remedy, words) in rows {
            assert_eq!(in_words(&remedy), words);
        }
    }
}
