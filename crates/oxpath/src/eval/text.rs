//! Texts. String-values are borrowed from the page; only new texts are allocated.

use super::{Context, EvalError, Evaluator, MAX_TEXT, Result};
use crate::plan::{Choice, Each, Markup, Nodes, Number, Pattern, Text, compile_regex};
use crate::value::{is_space, normalize_space, number_to_string, substring, translate};
use page::structured::Structured;
use record::values::DateFormat;
use std::borrow::Cow;
use std::rc::Rc;

/// The date that a text of a format stands for; empty if it does not have that format.
fn date(text: &str, format: &DateFormat) -> String {
    format.read(text).map(|when| when.to_string()).unwrap_or_default()
}

impl<'p> Evaluator<'p> {
    /// As with truth values, each kind that needs much stack has its own function.
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
            Text::Trim(text) => self
                .text(text, context)
                .map(|text| map(text, |text| Cow::Borrowed(text.trim_matches(is_space)))),
            Text::Token { text, pattern, nth } => self.token(text, pattern, nth, context),
            Text::Translate(text, from, to) => self.translate(text, from, to, context),
            Text::Json { text, path, nth } => self.json(text, path, nth.as_deref(), context),
            Text::Data { path, kind, nth } => self.data(path.as_deref(), kind.as_deref(), nth.as_deref(), context),
            Text::FirstOf(choices) => self.first_text(choices, context),
            Text::Date { text, format } => self.date(text, format, context),
            Text::LowerCase(text) => self.text(text, context).map(|text| Cow::Owned(text.to_lowercase())),
            Text::UpperCase(text) => self.text(text, context).map(|text| Cow::Owned(text.to_uppercase())),
            Text::Join { nodes, separator, each } => self.join(nodes, separator, *each, context),
            Text::Reverse(text) => self
                .text(text, context)
                .map(|text| Cow::Owned(text.chars().rev().collect())),
            Text::Replace { text, pattern, with } => self.replace(text, pattern, with, context),
            Text::Part { .. } | Text::Absolute(_) | Text::PageUrl | Text::Markup { .. } | Text::Now => {
                self.page_text(text, context)
            }
            Text::Memo { slot, inner } => self.remembered_text(*slot, inner, context),
            Text::Fixed { slot, inner } => self.fixed_text(*slot, inner, context),
        }
    }

    fn text_of_nodes(&mut self, nodes: &'p Nodes, context: Context) -> Result<Cow<'p, str>> {
        let first = self.first(nodes, context)?;
        Ok(first.map_or("", |node| self.page.string_value(node)).into())
    }

    fn date(&mut self, text: &'p Text, format: &'p DateFormat, context: Context) -> Result<Cow<'p, str>> {
        self.text(text, context).map(|text| date(&text, format).into())
    }

    /// The first value that is not missing; if all are, the last.
    fn first_text(&mut self, choices: &'p [Choice], context: Context) -> Result<Cow<'p, str>> {
        let mut text = Cow::Borrowed("");
        for choice in choices {
            let is_there;
            (text, is_there) = match choice {
                Choice::Nodes(nodes) => match self.first(nodes, context)? {
                    Some(node) => (self.page.string_value(node).into(), true),
                    None => (Cow::Borrowed(""), false),
                },
                Choice::Text(inner) => {
                    let text = self.text(inner, context)?;
                    let is_there = !text.is_empty();
                    (text, is_there)
                }
                Choice::Number(number) => {
                    let number = self.number(number, context)?;
                    (number_to_string(number).into(), !number.is_nan())
                }
                Choice::Truth(truth) => (self.truth(truth, context)?.to_string().into(), true),
            };
            if is_there {
                break;
            }
        }
        Ok(text)
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

    fn json(
        &mut self,
        text: &'p Text,
        path: &'p Text,
        nth: Option<&'p Number>,
        context: Context,
    ) -> Result<Cow<'p, str>> {
        let text = self.text(text, context)?;
        let path = self.text(path, context)?;
        let Some(before) = self.before(nth, context)? else {
            return Ok("".into());
        };
        let values = page::structured::json_values(&text, &path);
        Ok(values.into_iter().nth(before).unwrap_or_default().into())
    }

    fn data(
        &mut self,
        path: Option<&'p Text>,
        kind: Option<&'p Text>,
        nth: Option<&'p Number>,
        context: Context,
    ) -> Result<Cow<'p, str>> {
        let page = self.page;
        let Some(path) = path else {
            let data = self.memory.data.get_or_insert_with(|| Rc::new(Structured::of(page)));
            return Ok(data.to_text().into());
        };
        let path = self.text(path, context)?;
        let kind = kind.map(|kind| self.text(kind, context)).transpose()?;
        let kind = kind.as_deref().filter(|kind| !kind.is_empty());
        let Some(before) = self.before(nth, context)? else {
            return Ok("".into());
        };
        let data = self.memory.data.get_or_insert_with(|| Rc::new(Structured::of(page)));
        let value = data.values(kind, &path).nth(before);
        Ok(value.map(str::to_owned).unwrap_or_default().into())
    }

    /// How many values are before the n-th; `None` if the number is no position.
    fn before(&mut self, nth: Option<&'p Number>, context: Context) -> Result<Option<usize>> {
        let nth = match nth {
            Some(nth) => self.number(nth, context)?,
            None => 1.0,
        };
        Ok((nth >= 1.0 && nth.fract() == 0.0)
            .then_some(nth as usize)
            .map(|nth| nth - 1))
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

    fn join(&mut self, nodes: &'p Nodes, separator: &'p Text, each: Each, context: Context) -> Result<Cow<'p, str>> {
        let separator = self.text(separator, context)?;
        let mut all = String::new();
        for (at, node) in self.nodes(nodes, context)?.iter().enumerate() {
            let value: Cow<'_, str> = match each {
                Each::Value => self.page.string_value(*node).into(),
                Each::NormalizedValue => normalize_space(self.page.string_value(*node)),
                Each::Markup(form) => self.markup(*node, form).into(),
            };
            bounded(all.len() + separator.len() + value.len())?;
            if at > 0 {
                all.push_str(&separator);
            }
            all.push_str(&value);
        }
        Ok(Cow::Owned(all))
    }

    fn markup(&self, node: page::NodeId, form: Markup) -> String {
        match form {
            Markup::Inner => self.page.inner_html(node),
            Markup::Outer => self.page.to_html(node),
            Markup::Xml => self.page.to_xml(node),
        }
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

    fn token(
        &mut self,
        text: &'p Text,
        pattern: &'p Pattern,
        nth: &'p Number,
        context: Context,
    ) -> Result<Cow<'p, str>> {
        let text = self.text(text, context)?;
        let nth = self.number(nth, context)?;
        let regex = self.regex(pattern, context)?;
        if nth < 1.0 || nth.fract() != 0.0 {
            return Ok("".into());
        }
        Ok(map(text, |text| {
            Cow::Borrowed(regex.split(text).nth(nth as usize - 1).unwrap_or_default())
        }))
    }

    fn remembered_text(&mut self, slot: usize, inner: &'p Text, context: Context) -> Result<Cow<'p, str>> {
        if let Some(answer) = self.memory.texts[slot].get(&context.node) {
            return Ok(answer.to_string().into());
        }
        let answer: Rc<str> = self.text(inner, context)?.into();
        self.memory.texts[slot].insert(context.node, Rc::clone(&answer));
        Ok(answer.to_string().into())
    }

    fn fixed_text(&mut self, slot: usize, inner: &'p Text, context: Context) -> Result<Cow<'p, str>> {
        if let Some(answer) = &self.memory.fixed_texts[slot] {
            return Ok(answer.to_string().into());
        }
        let answer: Rc<str> = self.text(inner, context)?.into();
        self.memory.fixed_texts[slot] = Some(Rc::clone(&answer));
        Ok(answer.to_string().into())
    }

    /// The functions that OXPath adds.
    fn page_text(&mut self, text: &'p Text, context: Context) -> Result<Cow<'p, str>> {
        match text {
            Text::Part {
                text,
                mark,
                nth,
                after,
                from_end,
            } => {
                let text = self.text(text, context)?;
                let mark = self.text(mark, context)?;
                let nth = match nth {
                    Some(nth) => self.number(nth, context)?,
                    None => 1.0,
                };
                let found = find_nth(&text, &mark, nth, *from_end);
                let (from, to) = match (found, after) {
                    (Some(at), true) => (at + mark.len(), text.len()),
                    (Some(at), false) => (0, at),
                    (None, _) => (0, 0),
                };
                Ok(slice(text, from, to))
            }
            Text::Absolute(text) => {
                let text = self.text(text, context)?;
                let base = self.url.and_then(|url| url::Url::parse(url).ok()).map(|url| {
                    self.page
                        .base_href()
                        .and_then(|href| url.join(href).ok())
                        .unwrap_or(url)
                });
                let joined = base.and_then(|base| base.join(text.trim()).ok());
                Ok(joined.map_or(text, |url| String::from(url).into()))
            }
            Text::Markup { nodes, form } => {
                let Some(node) = self.first(nodes, context)? else {
                    return Ok("".into());
                };
                Ok(self.markup(node, *form).into())
            }
            Text::Now => Ok(now().into()),
            _ => Ok(self.url.unwrap_or_default().into()),
        }
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
                // If a page computes a new pattern for every node, they must not all be kept.
                if self.regexes.len() >= 64 {
                    self.regexes.clear();
                }
                self.regexes.insert(key, regex.clone());
                Ok(regex)
            }
        }
    }
}

/// Where the n-th occurrence of a mark begins, counted from 1 from the start of a text or from its end.
fn find_nth(text: &str, mark: &str, nth: f64, from_end: bool) -> Option<usize> {
    if nth < 1.0 || nth.fract() != 0.0 {
        return None;
    }
    let skip = nth as usize - 1;
    if from_end {
        text.rmatch_indices(mark).nth(skip).map(|(at, _)| at)
    } else {
        text.match_indices(mark).nth(skip).map(|(at, _)| at)
    }
}

/// The time in UTC as `2026-11-15T08:30:00Z`.
fn now() -> String {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let (days, seconds) = (since / 86_400, since % 86_400);
    // Years are counted from March, so that the leap day ends them, in eras of 400 years.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + carry;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn bounded(length: usize) -> Result<()> {
    if length > MAX_TEXT {
        Err(Box::new(EvalError::TextTooLong))
    } else {
        Ok(())
    }
}

/// A part of a text, borrowed from the page if the text is.
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
