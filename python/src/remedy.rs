//! Remedies in Python's words: arguments and functions.

use wrapwright::{Limit, Remedy};

/// What to write, or to do, about an error.
pub(crate) fn in_words(remedy: &Remedy) -> String {
    let words = match remedy {
        Remedy::RaiseLimit(Limit::Bytes) => "raise it with the argument max_page_bytes",
        Remedy::RaiseTimeout => "give it more time with the argument timeout",
        Remedy::AllowPrivate => "allow private addresses with allow_private=True",
        Remedy::IgnoreRobots => "ask for it anyway with robots=False",
        Remedy::UseBrowser => "run its scripts in an installed Chromium with browser=True",
        Remedy::InstallBrowser => {
            "install one, on Debian with `apt install chromium`, or name it with browser=\"/path/to/chromium\""
        }
        Remedy::AskLessOften => "the site asks for fewer requests; use a longer delay, or try again later",
        Remedy::ChangePace => "the arguments delay and per_host set how often a host is asked",
        Remedy::FewerJobs => "raise the system's limit on open files (ulimit -n), or use fewer jobs",
        Remedy::CorrectProxy { variable } => {
            return format!("the environment variable {variable} says so; correct it, or use the argument proxy");
        }
        Remedy::SavePage => "read it first, and give its bytes: Page(response.content, url=response.url)",
        // Advice, and what needs no argument.
        _ => return remedy.to_string(),
    };
    words.to_owned()
}
