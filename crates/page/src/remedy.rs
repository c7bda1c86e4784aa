//! What a user can do about an error.
//!
//! A library does not know how its settings are named where the user sits: as flags on a command line, as arguments in
//! Python, as fields of a form. So errors carry a [`Remedy`], and whoever shows the error puts it into words. `Display`
//! gives neutral words, for logs and for programs that have no better ones.

use std::borrow::Cow;
use std::fmt;

/// What a user can do about an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Raise a limit on the size of pages.
    RaiseLimit(Limit),
    /// Give requests more time.
    RaiseTimeout,
    /// Let public pages lead to private addresses.
    AllowPrivate,
    /// Ask for pages that robots.txt excludes.
    IgnoreRobots,
    /// Open pages in a browser, which runs their scripts.
    UseBrowser,
    /// Install a browser, or say where one is.
    InstallBrowser,
    /// Start the browser without its sandbox.
    DisableSandbox,
    /// Start the browser so that it can be connected to, and use the address that it prints.
    ConnectBrowser,
    /// Wait longer between requests to a host.
    AskLessOften,
    /// Change how often a host is asked and by how many connections, or give the run more time.
    ChangePace,
    /// Do less at a time.
    FewerJobs,
    /// Correct the proxy in this environment variable, or set another one.
    CorrectProxy {
        /// The name of the variable.
        variable: String,
    },
    /// Save the page to a file, and read that.
    SavePage,
    /// Watch the wrapper once, which starts its history.
    StartHistory,
    /// Move a file away that is not a history; watching the wrapper then starts a history in its place.
    ReplaceHistory,
    /// Add to what a run that did not end has left, or replace it.
    AppendOrOverwrite,
    /// Advice in words, which names no setting.
    Advice(Cow<'static, str>),
}

/// One of the limits on the size of a page; see [`Limits`](crate::Limits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::bytes`](crate::Limits::bytes).
    Bytes,
    /// [`Limits::nodes`](crate::Limits::nodes).
    Nodes,
    /// [`Limits::depth`](crate::Limits::depth).
    Depth,
}

/// The names of remedies, for files and programs; they never change.
const NAMES: [(Remedy, &str); 17] = [
    (Remedy::RaiseLimit(Limit::Bytes), "raise-page-bytes"),
    (Remedy::RaiseLimit(Limit::Nodes), "raise-page-nodes"),
    (Remedy::RaiseLimit(Limit::Depth), "raise-page-depth"),
    (Remedy::RaiseTimeout, "raise-timeout"),
    (Remedy::AllowPrivate, "allow-private"),
    (Remedy::IgnoreRobots, "ignore-robots"),
    (Remedy::UseBrowser, "use-browser"),
    (Remedy::InstallBrowser, "install-browser"),
    (Remedy::DisableSandbox, "disable-sandbox"),
    (Remedy::ConnectBrowser, "connect-browser"),
    (Remedy::AskLessOften, "ask-less-often"),
    (Remedy::ChangePace, "change-pace"),
    (Remedy::FewerJobs, "fewer-jobs"),
    (Remedy::SavePage, "save-page"),
    (Remedy::StartHistory, "start-history"),
    (Remedy::ReplaceHistory, "replace-history"),
    (Remedy::AppendOrOverwrite, "append-or-overwrite"),
];

impl Remedy {
    /// The name of the remedy, for files and programs; none for those that carry text.
    ///
    /// ```
    /// use page::Remedy;
    /// assert_eq!(Remedy::RaiseTimeout.name(), Some("raise-timeout"));
    /// assert_eq!(Remedy::from_name("raise-timeout"), Some(Remedy::RaiseTimeout));
    /// assert_eq!(Remedy::from("try again later").name(), None);
    /// ```
    pub fn name(&self) -> Option<&'static str> {
        let found = NAMES.iter().find(|(remedy, _)| remedy == self);
        found.map(|(_, name)| *name)
    }

    /// The remedy of that name.
    pub fn from_name(name: &str) -> Option<Remedy> {
        let found = NAMES.iter().find(|(_, known)| *known == name);
        found.map(|(remedy, _)| remedy.clone())
    }

    /// All remedies that have a name.
    pub fn named() -> impl Iterator<Item = Remedy> {
        NAMES.iter().map(|(remedy, _)| remedy.clone())
    }
}

impl From<&'static str> for Remedy {
    fn from(advice: &'static str) -> Remedy {
        Remedy::Advice(advice.into())
    }
}

impl From<String> for Remedy {
    fn from(advice: String) -> Remedy {
        Remedy::Advice(advice.into())
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Remedy::RaiseLimit(Limit::Bytes) => "raise the limit on the bytes of a page",
            Remedy::RaiseLimit(Limit::Nodes) => "raise the limit on the nodes of a page",
            Remedy::RaiseLimit(Limit::Depth) => "raise the limit on the depth of a page",
            Remedy::RaiseTimeout => "raise the timeout",
            Remedy::AllowPrivate => "allow private addresses",
            Remedy::IgnoreRobots => "ignore robots.txt to ask for it anyway",
            Remedy::UseBrowser => "use a browser, which runs scripts",
            Remedy::InstallBrowser => {
                "install a browser, on Debian with `apt install chromium`, or name the path of one"
            }
            Remedy::DisableSandbox => "the browser's sandbox does not work here; turn it off",
            Remedy::ConnectBrowser => "a browser prints its address when its remote debugging port is open",
            Remedy::AskLessOften => "the site asks for fewer requests; use a longer delay, or try again later",
            Remedy::ChangePace => "change the delay between requests, or the number of requests at a time, to a host",
            Remedy::FewerJobs => "raise the system's limit on open files (ulimit -n), or run fewer jobs",
            Remedy::CorrectProxy { variable } => {
                return write!(
                    f,
                    "the environment variable {variable} says so; correct it, or set another proxy"
                );
            }
            Remedy::SavePage => "save the page to a file first",
            Remedy::StartHistory => "watch the wrapper once: each watched run adds an entry to its history",
            Remedy::ReplaceHistory => {
                "the file was left as it is; move it away, and the next watched run starts a history there"
            }
            Remedy::AppendOrOverwrite => "go on after what is there, or overwrite it",
            Remedy::Advice(words) => words,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails to compile when a variant is added, as a reminder to name it above.
    fn is_named(remedy: &Remedy) -> bool {
        match remedy {
            Remedy::RaiseLimit(Limit::Bytes | Limit::Nodes | Limit::Depth)
            | Remedy::RaiseTimeout
            | Remedy::AllowPrivate
            | Remedy::IgnoreRobots
            | Remedy::UseBrowser
            | Remedy::InstallBrowser
            | Remedy::DisableSandbox
            | Remedy::ConnectBrowser
            | Remedy::AskLessOften
            | Remedy::ChangePace
            | Remedy::FewerJobs
            | Remedy::SavePage
            | Remedy::StartHistory
            | Remedy::ReplaceHistory
            | Remedy::AppendOrOverwrite => true,
            Remedy::CorrectProxy { .. } | Remedy::Advice(_) => false,
        }
    }

    #[test]
    fn names_lead_back_and_words_have_no_flags() {
        let proxy = Remedy::CorrectProxy {
            variable: "HTTP_PROXY".to_owned(),
        };
        for remedy in Remedy::named().chain([proxy, "wait".into()]) {
            assert_eq!(remedy.name().is_some(), is_named(&remedy), "{remedy:?}");
            if let Some(name) = remedy.name() {
                assert_eq!(Remedy::from_name(name), Some(remedy.clone()));
            }
            let words = remedy.to_string();
            assert!(!words.is_empty() && !words.contains("--"), "{words}");
        }
        assert_eq!(Remedy::from_name("wait"), None);
    }
}
