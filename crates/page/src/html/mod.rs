//! The HTML parser: text of a page in, scratch tree out, by the rules of the HTML Standard, section 13.2.
//!
//! [`tokenizer`] reads the source byte by byte and calls [`builder`] for every tag, run of text and comment; neither
//! makes a token that outlives the call. Text and attribute values are ranges of the source wherever the page means
//! what it says; only where a character reference, a carriage return or a NUL changes the text is it written anew.
//! Names are interned as they are read, attributes go straight into the scratch tree.
//!
//! Any text is a page: there are no errors but those of [`Limits`]. Time is linear in the source and in the nodes made.
//! The depth limit bounds the factor where formatting elements are reopened or adopted; everything else costs the same
//! at any depth. Memory is the scratch tree and what decoding adds to the source.
//!
//! The parser agrees with the html5lib tree construction tests and, on random markup and on real pages, with html5ever.
//! Left out: scripts and what they would write, parse errors, encodings (see [`crate::decode`]), shadow roots declared
//! in markup (they stay templates), and the document's base for forms and images, which the tree does not show.

mod builder;
mod entities;
mod lookup;
mod scan;
#[cfg(test)]
mod tests;
mod tokenizer;

use crate::limits::{LimitError, Limits, MOST_BYTES};
use crate::name::Namespace;
use crate::scratch::Scratch;
use builder::Builder;
use tokenizer::Tokenizer;

/// How to parse.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    /// Is `noscript` text, as in a browser that runs scripts? Off, it is parsed as markup.
    pub(crate) scripting: bool,
}

/// Parses a page.
///
/// # Errors
///
/// A page beyond one of the limits is refused as soon as it is.
pub(crate) fn parse<'s>(source: &'s str, limits: &Limits, options: Options) -> Result<Scratch<'s>, LimitError> {
    check_len(source, limits)?;
    Tokenizer::new(source, Builder::new(source, limits, options.scripting)).run()
}

/// Parses a fragment as if it were the content of a `context` element; the nodes are children of the root element.
///
/// # Errors
///
/// A fragment beyond one of the limits is refused as soon as it is.
#[cfg_attr(not(test), expect(dead_code, reason = "the html5lib tests need it"))]
pub(crate) fn parse_fragment<'s>(
    source: &'s str,
    context: (Namespace, &str),
    limits: &Limits,
    options: Options,
) -> Result<Scratch<'s>, LimitError> {
    check_len(source, limits)?;
    let mut builder = Builder::new(source, limits, options.scripting);
    builder.enter_fragment(context.0, context.1);
    Tokenizer::new(source, builder).run()
}

/// Decodes the character reference that `text` begins with, appending its characters to `out`, and returns the bytes it
/// takes, or 0 for a `&` that is only itself. The rules are those of attributes, which decode less: a piece of source may
/// be an address, where `&copy=1` is a parameter.
pub(crate) fn decode_reference(text: &[u8], out: &mut String) -> usize {
    entities::decode(text, true, out)
}

fn check_len(source: &str, limits: &Limits) -> Result<(), LimitError> {
    let most = limits.bytes.min(MOST_BYTES);
    if source.len() > most {
        Err(LimitError::Bytes(most))
    } else {
        Ok(())
    }
}
