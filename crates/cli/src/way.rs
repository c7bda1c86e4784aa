//! How a wrapper gets through its site: what was typed, over what the wrapper says.

use crate::args::RunArgs;
use crate::{Exit, report};
use clap::Args as ClapArgs;
use std::path::Path;
use wrapwright::crawl::Route;
use wrapwright::sample::{FollowChoice, NextChoice};
use wrapwright::wrapper::{Links, Navigation, Onward};
use wrapwright::{Query, Wrapper, input};

/// Nothing is followed.
const NONE: &str = "none";
/// It is found.
const AUTO: &str = "auto";

/// Where a wrapper runs, if it does not say so itself.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Navigation of a wrapper")]
pub(crate) struct WayArgs {
    /// Start at this address instead of the one in the wrapper; @FILE is a list of addresses
    #[arg(long, value_name = "URL")]
    pub(crate) start: Vec<String>,

    #[command(flatten)]
    pub(crate) links: LinkArgs,
}

/// Which links lead through a site.
#[derive(Debug, ClapArgs)]
pub(crate) struct LinkArgs {
    /// Follow the first link that this XPath gives to the next page of the list; `auto` finds it, `none` is no next page
    #[arg(long, value_name = "XPATH")]
    pub(crate) next: Option<String>,

    /// Records are on the pages that these links lead to: an XPath, an address with * for the parts that differ, `auto`, or
    /// `none` for records on the list itself
    #[arg(long, value_name = "XPATH|URL")]
    pub(crate) follow: Vec<String>,
}

/// Changes the navigation of a wrapper. One that has none follows the pager.
pub(crate) fn change(wrapper: &mut Wrapper, typed: &WayArgs) -> Result<(), Exit> {
    let is_typed = !typed.start.is_empty() || typed.links.next.is_some() || !typed.links.follow.is_empty();
    if !is_typed {
        return Ok(());
    }
    let (start, errors) = input::expand(typed.start.iter().map(String::as_str));
    for error in &errors {
        report::input(error, crate::args::Format::Text);
    }
    if !errors.is_empty() {
        return Err(Exit::Mistake);
    }
    let navigation = wrapper.navigation.get_or_insert_with(|| Navigation {
        next: Some(Onward::Pager),
        ..Navigation::default()
    });
    if !start.is_empty() {
        navigation.start = start;
    }
    match typed.links.next.as_deref() {
        None => {}
        Some(NONE) => navigation.next = None,
        Some(next) => navigation.next = Some(Onward::from_text(next)),
    }
    let follow = typed.links.follow.iter().filter(|text| *text != AUTO && *text != NONE);
    if !typed.links.follow.is_empty() && !typed.links.follow.iter().any(|text| text == AUTO) {
        navigation.follow = follow.map(|text| Links::from_text(text)).collect();
    }
    Ok(())
}

/// Keeps the addresses of a shard.
pub(crate) fn shard(wrapper: &mut Wrapper, args: &RunArgs) -> Result<(), Exit> {
    let (Some(shard), Some(navigation)) = (args.shard.shard(), &mut wrapper.navigation) else {
        return Ok(());
    };
    let all = navigation.start.len();
    if all == 1 {
        report::mistake(
            "found --shard, but there is only one address to start at",
            Some("--shard divides the addresses of --start, which may be a list: --start @urls.txt"),
        );
        return Err(Exit::Mistake);
    }
    navigation.start.retain(|url| shard.takes(url));
    args.shard.tell_empty(navigation.start.len(), all, "URL", args.quiet);
    Ok(())
}

/// Reports what is wrong with the navigation of a wrapper.
pub(crate) fn check(wrapper: &Wrapper, file: &Path) -> Result<(), Exit> {
    let Some(navigation) = wrapper
        .navigation
        .as_ref()
        .filter(|navigation| !navigation.start.is_empty())
    else {
        let text = format!("{}: the wrapper does not say where its site begins", file.display());
        report::mistake(
            &text,
            Some("add --start URL; `wrapwright extract` runs it over saved pages"),
        );
        return Err(Exit::Mistake);
    };
    Route::of(navigation).map(drop).map_err(|error| {
        report::diagnostics(error.source_text(), error.diagnostics(), crate::args::Format::Text);
        Exit::Mistake
    })
}

/// Which links a sample follows.
pub(crate) fn choices(typed: &LinkArgs) -> Result<(NextChoice, FollowChoice), Exit> {
    let compile = |path: &str| match Query::compile(path) {
        Ok(_) => Ok(()),
        Err(found) => {
            report::diagnostics(path, found.diagnostics(), crate::args::Format::Text);
            Err(Exit::Mistake)
        }
    };
    let next = match typed.next.as_deref() {
        None | Some(AUTO) => NextChoice::Auto,
        Some(NONE) => NextChoice::Nothing,
        Some(path) => {
            compile(path)?;
            NextChoice::This(Onward::Link(path.to_owned()))
        }
    };
    let texts: Vec<&str> = typed.follow.iter().map(String::as_str).collect();
    let follow = match &texts[..] {
        [] | [AUTO] => FollowChoice::Auto,
        [NONE] => FollowChoice::Nothing,
        texts => {
            let links: Vec<Links> = texts.iter().map(|text| Links::from_text(text)).collect();
            for links in &links {
                if let Links::Path(path) = links {
                    compile(path)?;
                }
            }
            FollowChoice::These(links)
        }
    };
    Ok((next, follow))
}
