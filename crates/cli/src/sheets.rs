//! Pages for commands that look at what wrappers give: named on the command line, read one after the other.

use crate::args::{Format, NetArgs};
use crate::{Exit, net, report};
use std::path::Path;
use wrapwright::input::{self, InputError, Place};
use wrapwright::tend::Unknown;
use wrapwright::{Document, Limits, ParseSettings, Shard};

/// How pages are read.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadArgs {
    /// Read pages in this encoding, whatever they declare
    #[arg(long, value_name = "LABEL")]
    pub(crate) charset: Option<String>,

    /// Refuse pages with more bytes than this
    #[arg(long, value_name = "N", default_value_t = wrapwright::Limits::default().bytes)]
    pub(crate) max_page_bytes: usize,
}

impl ReadArgs {
    /// The settings, if the charset is one.
    pub(crate) fn settings(&self) -> Option<ParseSettings> {
        if let Some(charset) = self.charset.as_deref().filter(|name| !wrapwright::is_charset(name)) {
            report::mistake(&format!("found the unknown charset `{charset}`"), None);
            return None;
        }
        Some(ParseSettings {
            limits: Limits {
                bytes: self.max_page_bytes,
                ..Limits::default()
            },
            charset: self.charset.clone(),
            ..ParseSettings::default()
        })
    }
}

/// The places that were named, and what is wrong with those that cannot be found. Addresses are fetched as the environment and the
/// configuration say, when they are read.
pub(crate) fn find(named: &[String]) -> Result<(Vec<Place>, Vec<InputError>), Exit> {
    let (named, mut errors) = input::expand(named.iter().map(String::as_str));
    let names = named.iter().map(String::as_str);
    let (places, more) = match named.iter().any(|name| input::is_address(name)) {
        false => input::find(names),
        true => {
            let config = net::configuration(false)?;
            let net = net::prepare(&NetArgs::untyped(&config), &config, &net::Wants::default())?;
            input::find_with(names, &net.session.visitor())
        }
    };
    errors.extend(more);
    Ok((places, errors))
}

/// The places that were named; those that are not there are told, and counted.
pub(crate) fn places(named: &[String]) -> Result<(Vec<Place>, usize), Exit> {
    let (places, errors) = find(named)?;
    for error in &errors {
        report::input(error, Format::Text);
    }
    Ok((places, errors.len()))
}

/// The pages that were named, read one after the other. Those that cannot be read are reported, and counted.
pub(crate) struct Reading {
    places: std::vec::IntoIter<Place>,
    settings: ParseSettings,
    with_source: bool,
    /// Pages that could not be read so far.
    pub(crate) failed: usize,
}

impl Reading {
    /// Pages by their names; `with_source` keeps their sources.
    pub(crate) fn new(named: &[String], settings: ParseSettings, with_source: bool) -> Result<Reading, Exit> {
        let (places, failed) = places(named)?;
        Ok(Reading {
            places: places.into_iter(),
            settings,
            with_source,
            failed,
        })
    }

    /// The number of pages that are left to read.
    pub(crate) fn left(&self) -> usize {
        self.places.len()
    }

    /// Keeps only the pages with these numbers.
    pub(crate) fn keep(&mut self, is_kept: impl Fn(usize) -> bool) {
        let places = std::mem::take(&mut self.places).enumerate();
        let places: Vec<Place> = places.filter(|(at, _)| is_kept(*at)).map(|(_, place)| place).collect();
        self.places = places.into_iter();
    }

    /// Keeps only the pages of a shard.
    pub(crate) fn shard(&mut self, shard: Option<&Shard>) {
        let places = std::mem::take(&mut self.places).collect();
        self.places = input::of_shard(places, shard).into_iter();
    }

    /// How a command ends that did what it should with the pages that could be read.
    pub(crate) fn exit(&self) -> Exit {
        match self.failed {
            0 => Exit::Fine,
            _ => Exit::Partial,
        }
    }
}

impl Iterator for Reading {
    type Item = Document;

    fn next(&mut self) -> Option<Document> {
        loop {
            match self.places.next()?.document(&self.settings, self.with_source) {
                Ok(document) => return Some(document),
                Err(error) => {
                    self.failed += 1;
                    report::input(&error, Format::Text);
                }
            }
        }
    }
}

/// Says that a wrapper keeps nothing to compare with, and what to do about it.
pub(crate) fn unknown(wrapper: &Path) -> Exit {
    let file = wrapper.display();
    let hint = format!("`wrapwright check {file} --accept PAGE…` with pages on which it works makes it do so");
    report::mistake(&format!("{file}: {Unknown}"), Some(&hint));
    Exit::Mistake
}

/// Is the page with this number in an even sample of `most` of `all` pages?
pub(crate) fn is_sampled(at: usize, most: usize, all: usize) -> bool {
    // Exactly `most` numbers are those at which the quotient grows.
    most >= all || (at + 1) * most / all > at * most / all
}

/// A number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::is_sampled;

    #[test]
    fn samples_are_even_and_as_large_as_asked_for() {
        for (most, all) in [(100, 150), (100, 101), (1, 7), (7, 7), (9, 7), (3, 1000)] {
            let sample: Vec<usize> = (0..all).filter(|at| is_sampled(*at, most, all)).collect();
            assert_eq!(sample.len(), most.min(all), "{most} of {all}");
            let widest = sample.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
            assert!(widest <= all.div_ceil(most), "{sample:?}");
        }
    }
}
