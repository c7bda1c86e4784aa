//! Texts. String-values are borrowed from the page; only what an expression makes anew is allocated.

use super::{Context, EvalError, Evaluator, MAX_TEXT, Result};
use crate::plan::{Nodes, Number, Pattern, Text, compile_regex};
use crate::value::{normalize_space, number_to_string, substring, translate};
use std::borrow::Cow;
use std::rc::Rc;

impl<'p> Evaluator<'p> {
    /// As with truth values, each kind that takes room has a frame of its own.
    pub(super) fn text(&mut self, text: &'p Text, context: Context) -> Result<Cow<'p, str>> {
        match text {
            Text::Constant(text) => Ok(Cow::Borrowed(text)),
            Text::Context => Ok(Cow::Borrowed(self.page.string_value(context.node))),
            Text::OfNodes(nodes) => self.text_of_nodes(nodes, context),
            Text::OfNumber(number) => self.number(number, context).map(|n| Cow::Owned(number_to_string(n))),
            Text::OfTruth(truth) => self.truth(truth, context).map(|truth| Cow::Owned(truth.to_string())),
            Text::Concat(parts) => self.concat(parts, context),
            Text::Name { nodes, local } => self.name(nodes, *local, context),
            Text::SubstringBefore(text, part) => self.substring_before(text, part, context),
            Text::SubstringAfter(text, part) => self.substring_after(text, part, context),
            Text::Substring { text, start, length } => self.substring(text, start, length.as_deref(), context),
            Text::NormalizeSpace(text) => self.text(text, context).map(|text| map(text, normalize_space)),
            Text::Translate(text, from, to) => self.translate(text, from, to, context),
            Text::LowerCase(text) => self.text(text, context).map(|text| Cow::Owned(text.to_lowercase())),
            Text::UpperCase(text) => self.text(text, context).map(|text| Cow::Owned(text.to_uppercase())),
            Text::Join { nodes, separator } => self.join(nodes, separator, context),
            Text::Replace { text, pattern, with } => self.replace(text, pattern, with, context),
            Text::Memo { slot, inner } => self.remembered_text(*slot, inner, context),
        }
    }

    fn text_of_nodes(&mut self, nodes: &'p Nodes, context: Context) -> Result<Cow<'p, str>> {
        let first = self.first(nodes, context)?;
        Ok(first.map_or("", |node| self.page.string_value(node)).into())
    }

    fn concat(&mut self, parts: &'p [Text], context: Context) -> Result<Cow<'p, str>> {
        let mut all = String::new();
        for part in parts {
            let part = self.text(part, context)?;
            bounded(all.len().saturating_add(part.len()))?;
            all.push_str(&part);
        }
        Ok(all.into())
    }

    fn name(&mut self, nodes: &'p Nodes, local: bool, context: Context) -> Result<Cow<'p, str>> {
        let name = self.first(nodes, context)?.map_or("", |node| self.page.name(node));
        let local_name = name.rsplit_once(':').map_or(name, |(_, local)| local);
        Ok(if local { local_name } else { name }.into())
    }

    fn substring_before(&mut self, text: &'p Text, part: &'p Text, context: Context) -> Result<Cow<'p, str>> {
        let text = self.text(text, context)?;
        let part = self.text(part, context)?;
        let at = text.find(&*part).unwrap_or(0);
        Ok(slice(text, 0, at))
    }

    fn substring_after(&mut self, text: &'p Text, part: &'p Text, context: Context) -> Result<Cow<'p, str>> {
        let text = self.text(text, context)?;
        let part = self.text(part, context)?;
        let (at, end) = (text.find(&*part).map_or(text.len(), |at| at + part.len()), text.len());
        Ok(slice(text, at, end))
    }

    fn substring(
        &mut self,
        text: &'p Text,
        start: &'p Number,
        length: Option<&'p Number>,
        context: Context,
    ) -> Result<Cow<'p, str>> {
        let text = self.text(text, context)?;
        let start = self.number(start, context)?;
        let length = length.map(|length| self.number(length, context)).transpose()?;
        Ok(map(text, |text| Cow::Borrowed(substring(text, start, length))))
    }

    fn translate(&mut self, text: &'p Text, from: &'p Text, to: &'p Text, context: Context) -> Result<Cow<'p, str>> {
        let text = self.text(text, context)?;
        let from = self.text(from, context)?;
        Ok(translate(&text, &from, &self.text(to, context)?).into())
    }

    fn join(&mut self, nodes: &'p Nodes, separator: &'p Text, context: Context) -> Result<Cow<'p, str>> {
        let separator = self.text(separator, context)?;
        let mut all = String::new();
        for (at, node) in self.nodes(nodes, context)?.iter().enumerate() {
            let value = self.page.string_value(*node);
            bounded(all.len() + separator.len() + value.len())?;
            if at > 0 {
                all.push_str(&separator);
            }
            all.push_str(value);
        }
        Ok(all.into())
    }

    fn replace(
        &mut self,
        text: &'p Text,
        pattern: &'p Pattern,
        with: &'p Text,
        context: Context,
    ) -> Result<Cow<'p, str>> {
        let text = self.text(text, context)?;
        let with = self.text(with, context)?;
        let regex = self.regex(pattern, context)?;
        Ok(replace(&text, &regex, &with)?.into())
    }

    fn remembered_text(&mut self, slot: usize, inner: &'p Text, context: Context) -> Result<Cow<'p, str>> {
        if let Some(answer) = self.texts[slot].get(&context.node) {
            return Ok(answer.to_string().into());
        }
        let answer: Rc<str> = self.text(inner, context)?.into();
        self.texts[slot].insert(context.node, Rc::clone(&answer));
        Ok(answer.to_string().into())
    }

    /// A pattern's regular expression; computed ones are compiled once each.
    pub(super) fn regex(&mut self, pattern: &'p Pattern, context: Context) -> Result<regex::Regex> {
        match pattern {
            Pattern::Fixed(regex) => Ok(regex.clone()),
            Pattern::Computed { pattern, flags } => {
                let pattern = self.text(pattern, context)?;
                let flags = match flags {
                    Some(flags) => self.text(flags, context)?,
                    None => "".into(),
                };
                let key = (pattern.into_owned(), flags.into_owned());
                if let Some(regex) = self.regexes.get(&key) {
                    return Ok(regex.clone());
                }
                let regex = compile_regex(&key.0, &key.1).map_err(|reason| {
                    Box::new(EvalError::InvalidRegex {
                        pattern: key.0.clone(),
                        reason,
                    })
                })?;
                // A page that computes a new pattern for every node must not make us keep them all.
                if self.regexes.len() >= 64 {
                    self.regexes.clear();
                }
                self.regexes.insert(key, regex.clone());
                Ok(regex)
            }
        }
    }
}

fn bounded(length: usize) -> Result<()> {
    if length > MAX_TEXT {
        Err(Box::new(EvalError::TextTooLong))
    } else {
        Ok(())
    }
}

/// A part of a text, borrowed from the page where the text is.
fn slice(text: Cow<'_, str>, from: usize, to: usize) -> Cow<'_, str> {
    map(text, |text| Cow::Borrowed(&text[from..to]))
}

/// Applies a function that may borrow, which is possible only where its input is borrowed from the page.
fn map<'t>(text: Cow<'t, str>, change: impl for<'a> Fn(&'a str) -> Cow<'a, str>) -> Cow<'t, str> {
    match text {
        Cow::Borrowed(text) => change(text),
        Cow::Owned(text) => Cow::Owned(change(&text).into_owned()),
    }
}

/// `replace()`: every match, with `$1` to `$9` for groups and `\$`, `\\` for themselves.
fn replace(text: &str, regex: &regex::Regex, with: &str) -> Result<String> {
    let mut out = String::new();
    let mut from = 0;
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get(0) else { continue };
        out.push_str(&text[from..whole.start()]);
        let mut chars = with.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek().copied()) {
                ('\\', Some(next @ ('\\' | '$'))) => {
                    chars.next();
                    out.push(next);
                }
                ('$', Some(digit)) if digit.is_ascii_digit() => {
                    chars.next();
                    let group = captures.get(digit as usize - '0' as usize);
                    out.push_str(group.map_or("", |group| group.as_str()));
                }
                _ => out.push(c),
            }
        }
        bounded(out.len())?;
        from = whole.end();
    }
    out.push_str(&text[from..]);
    bounded(out.len())?;
    Ok(out)
}
