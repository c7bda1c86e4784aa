//! The HTML parser: turns the text of a page into a scratch tree, by the rules of the HTML Standard, section 13.2.
//!
//! [`tokenizer`] reads the source byte by byte and calls [`builder`] for every tag, run of text and comment; neither
//! makes a token that outlives the call. Text and attribute values are ranges of the source where possible; text is
//! copied only where a character reference, a carriage return or a NUL changes it. Names are interned as they are read,
//! and attributes go directly into the scratch tree.
//!
//! Every text is a page: the only errors are those of [`Limits`]. The time is linear in the source and in the nodes
//! made. The depth limit bounds the factor where formatting elements are reopened or adopted; everything else costs the
//! same at any depth. The memory is the scratch tree and what decoding adds to the source.
//!
//! The parser agrees with the html5lib tree construction tests and, on random markup and on real pages, with html5ever.
//! Not implemented: scripts and what they would write, parse errors, encodings (see [`crate::decode`]), shadow roots
//! declared in markup (they stay templates), and the document's base for forms and images, which the tree does not
//! show.

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
    /// Is `noscript` text, as in a browser that runs scripts? Otherwise it is parsed as markup.
    pub(crate) scripting: bool,
}

/// Parses a page.
///
/// # Errors
///
/// A page that exceeds one of the limits is rejected as soon as it does.
pub(crate) fn parse<'s>(source: &'s str, limits: &Limits, options: Options) -> Result<Scratch<'s>, LimitError> {
    check_len(source, limits)?;
    Tokenizer::new(source, Builder::new(source, limits, options.scripting)).run()
}

/// Parses a fragment as if it were the content of a `context` element; the nodes are children of the root element.
///
/// # Errors
///
/// A fragment that exceeds one of the limits is rejected as soon as it does.
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

/// Decodes the character reference that `text` begins with, and appends its characters to `out`. Returns the number of
/// bytes of the reference, or 0 if the `&` stands for itself. The rules are those of attributes, which decode less: a
/// piece of source may be an address, where `&copy=1` is a parameter.
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
