//! Questions about many values that few pages have, as a list has them.
//!
//! The other questions count pages more than values, because values of one page resemble each other. So a list that was learned from one page
//! could hardly ever raise an alarm, even if each of its dates became a name. These questions are about what a template
//! does to *all* values at once, and what even a page of quite other things does not do. Each is asked only if there are enough values, before and now,
//! and its answer decides by itself:
//!
//! - values of a kind, such as dates, are of no such kind, or the other way round ([`super::kinds`]);
//! - all values begin or end with a sign that none had there: a box to tick ([`signs`]);
//! - values begin with 1, 2, 3 and so on, or all begin with a number, and hardly any did: the numbers of the rows ([`numbered`]);
//! - all values began with the same label, and none does ([`unlabelled`]), or all do now ([`labelled`]);
//! - nearly all links had the same word, such as "Agenda", and none has ([`unsaid`]);
//! - a field has the values of another field, which it never had ([`doubled`]);
//! - each value had another text of the same make beside it in its record, and none has: it may be the other one ([`lonely`]);
//! - all values follow the label of another field ([`misplaced`]);
//! - many records lack a field that every record had ([`thinned`]);
//! - few records are read, and the page has many other texts that are written like their values ([`scattered`]);
//! - few records are read, and their values are much longer than any were ([`swollen`]);
//! - few records are read, and the page has many other elements of the same make as those of their values ([`outnumbered`]);
//! - each page has fewer records than any had, and texts or elements that are like values are not read ([`skipped`]);
//! - half as many texts that are written like values are not read as are read, and hardly any was ([`beside`]);
//! - the records were in one list, and are in several, and many more ([`divided`]).
//!
//! The numbers of values are judgements; how often they are wrong was measured on healthy pages (`cargo xtask alarms`).

use super::questions::{Answer, Sides, roughly};
use crate::evidence::{common_label, label_in, said};
use crate::signs::{are_counted, first_sign, last_sign};
use std::collections::HashSet;
use wrapper::profile::{FieldProfile, KEPT, Profile, SAID, shape};

/// Different values before, and now, that tell what values are like.
pub(super) const ENOUGH: (usize, usize) = (8, 5);
/// A healthy list does such a thing in rare cases. None of 3,081 checks of healthy pages had one of these answers, so the chance is below one in a thousand (the
/// rule of three); twice that is taken. Where many pages are looked at one by one, it counts as often as there are pages.
pub(super) const RARE: f64 = 0.002;

/// Has a page several records? Where it has one, each value is from another page, and the other questions are as good.
pub(super) fn is_list(sides: Sides<'_>) -> bool {
    sides.known.records > sides.known.pages
}

fn is_enough(sides: Sides<'_>) -> bool {
    sides.was().samples.len() >= ENOUGH.0 && sides.is().samples.len() >= ENOUGH.1
}

/// Different values before and now that tell whether a sign is new.
const SIGNED: usize = 3;

/// The sign at one end of a text.
type Sign = fn(&str) -> Option<&str>;

/// Have all values a sign at their beginning or end that none had, or nothing but signs?
pub(super) fn signs(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if is_address(was) {
        return None;
    }
    let says = |text: &String| text.contains(char::is_alphanumeric);
    let is_enough = was.count >= SIGNED as u64 && is.count >= SIGNED as u64;
    if is_enough && was.samples.iter().all(says) && !is.samples.iter().any(says) {
        let words = format!("none of {} values has a letter or a digit, all had", is.count);
        return Answer::new(RARE, words);
    }
    let are_different = was.samples.len() >= SIGNED && is.samples.len() >= SIGNED;
    for (at, end) in [("begin", first_sign as Sign), ("end", last_sign)] {
        let Some(sign) = is.samples.first().and_then(|text| end(text)) else {
            continue;
        };
        let has = |text: &String| end(text) == Some(sign);
        // A few different values say little, unless they are known ones with the sign.
        let is_known = |text: &String| {
            let bare = text.trim_start_matches(sign).trim_end_matches(sign).trim();
            was.samples.iter().any(|known| known == bare)
        };
        let is_enough = are_different || is.count >= SIGNED as u64 && is.samples.iter().all(is_known);
        if is_enough && is.samples.iter().all(has) && !was.samples.iter().any(has) {
            let words = format!("all {} values {at} with \"{sign}\", none did", is.count);
            return Answer::new(RARE, words);
        }
    }
    None
}

/// Different values that begin with numbers, by which numbers of rows are told: in order, and any.
const COUNTED: (usize, usize) = (3, 5);
/// Values are as before without the numbers if at least this share of them is, and that of those with the numbers is at most this part of it.
const WITHOUT: (f64, f64) = (0.5, 0.5);

/// Do values begin with the numbers of their rows, or all with a number, and did they not?
pub(super) fn numbered(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if is_address(was) || is_address(is) {
        return None;
    }
    let count = is.samples.len();
    if count >= COUNTED.0 && are_counted(&is.samples) && !are_counted(&was.samples) {
        let bare = without_numbers(&is.samples);
        // The days of a month begin with 1, 2, 3 as well, but without them nothing is as before.
        let ways: [fn(&str) -> String; 2] = [shape, |text| roughly(&shape(text))];
        let is_new = ways.into_iter().any(|written| {
            let (with, without) = (like_before(was, &is.samples, written), like_before(was, &bare, written));
            without >= WITHOUT.0 && with <= WITHOUT.1 * without
        });
        if is_new {
            let words = format!("{count} different values begin with 1, 2, 3 and so on, which was not so");
            return Answer::new(RARE, words);
        }
    }
    let is_numbered = |text: &String| text.starts_with(char::is_numeric);
    let is_enough = count >= COUNTED.1 && was.samples.len() >= COUNTED.1;
    if is_enough && is.samples.iter().all(is_numbered) && !was.samples.iter().any(is_numbered) {
        let words = format!("all {count} different values begin with a number, none did");
        return Answer::new(RARE, words);
    }
    None
}

/// Texts that begin with 1, 2, 3 and so on, without these numbers.
fn without_numbers(texts: &[String]) -> Vec<String> {
    let mut number = 0;
    let bare = |text: &String| {
        number = match text.starts_with(&format!("{}", number + 1)) {
            true => number + 1,
            false => 1,
        };
        let rest = &text[format!("{number}").len()..];
        rest.trim_start_matches(['.', ')', ' ']).to_owned()
    };
    texts.iter().map(bare).collect()
}

/// The share of texts that are known values, or written like one.
fn like_before(was: &FieldProfile, texts: &[String], written: fn(&str) -> String) -> f64 {
    let shapes: HashSet<String> = was.samples.iter().map(|text| written(text)).collect();
    let known: HashSet<&str> = was.samples.iter().map(String::as_str).collect();
    let is_like = |text: &&String| known.contains(text.as_str()) || shapes.contains(&written(text));
    texts.iter().filter(is_like).count() as f64 / texts.len().max(1) as f64
}

/// Different values before, and now, that tell whether a word is missing.
const WORDED: (usize, usize) = (8, 3);

/// Did all values begin with the same label, such as "Publisher:", and does none now? Then they are something else.
pub(super) fn unlabelled(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let mine = common_label(&was.samples)?;
    let has = |text: &String| label_in(text) == Some(mine);
    let is_enough = was.samples.len() >= WORDED.0 && is.samples.len() >= WORDED.1;
    if !is_enough || is.samples.iter().any(has) {
        return None;
    }
    let words = format!(
        "none of {} different values begins with \"{mine}:\", all did",
        is.samples.len()
    );
    Answer::new(RARE, words)
}

/// Do all values begin with a label that none had, such as "Disc:"? Then the words before them have changed, and are taken for a part of them.
///
/// A few different values say little, unless one of them is a known value of any field behind the label.
pub(super) fn labelled(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let mine = common_label(&is.samples)?;
    if is_address(was) || was.samples.is_empty() || was.samples.iter().any(|text| label_in(text) == Some(mine)) {
        return None;
    }
    let is_enough = was.samples.len() >= WORDED.0 && is.samples.len() >= WORDED.1;
    let fields = || sides.known.fields.iter().flat_map(|field| &field.samples);
    let is_known = |text: &String| {
        let bare = text[mine.len()..].trim_start_matches(':').trim();
        !bare.is_empty() && fields().any(|known| known == bare)
    };
    if !is_enough && !is.samples.iter().any(is_known) {
        return None;
    }
    let words = format!("all {} values begin with \"{mine}:\", none did", is.count);
    Answer::new(RARE, words)
}

/// Had nearly all links of its addresses the same word, and has none? Then they are other links.
pub(super) fn unsaid(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let said = said(was);
    let is_enough = was.count >= WORDED.0 as u64 && is.count >= WORDED.1 as u64;
    // Where no link has words any more, pictures stand for them. Where they have too many, not all are kept.
    let is_known = is.names.len() < KEPT && is.names.keys().any(|name| name.starts_with(SAID));
    if !is_enough || said.is_empty() || !is_known || said.iter().any(|word| is.names.contains_key(*word)) {
        return None;
    }
    let words = said.iter().map(|word| word.trim_start_matches(SAID));
    let words = words.collect::<Vec<_>>().join(" ");
    let words = format!("none of {} links says \"{words}\", nearly all did", is.count);
    Answer::new(RARE, words)
}

/// The share of the values of a field that another one must have now, and the most that it may have had before.
const SHARED: (f64, f64) = (0.9, 0.1);

/// Has it the values of another field, which it never had? Of the two, the one that is less like before is told.
pub(super) fn doubled(sides: Sides<'_>, names: &[&str]) -> Option<Answer> {
    if !is_enough(sides) {
        return None;
    }
    let shared = |one: &FieldProfile, other: &FieldProfile| -> f64 {
        let others: HashSet<&str> = other.samples.iter().map(String::as_str).collect();
        let both = one.samples.iter().filter(|text| others.contains(text.as_str())).count();
        both as f64 / one.samples.len().max(1) as f64
    };
    let others = (0..sides.known.fields.len().min(sides.now.fields.len())).filter(|other| *other != sides.field);
    let mut others = others.map(|other| Sides { field: other, ..sides });
    let other = others.find(|other| {
        is_enough(*other)
            && shared(sides.is(), other.is()) >= SHARED.0
            && shared(sides.was(), other.was()) <= SHARED.1
            && shared(other.was(), sides.was()) <= SHARED.1
            && familiar(sides) <= familiar(*other)
    })?;
    let name = names.get(other.field).copied().unwrap_or_default();
    let words = format!(
        "it has the values of {name}, {} different ones, and had others",
        sides.is().samples.len()
    );
    Answer::new(RARE, words)
}

/// The share of values that must have had another text of their make beside them.
const PAIRED: f64 = 0.9;

/// Had nearly each value another text of the same make beside it in its record, and has none now? Then one of the two is gone, and which one is not known;
/// unless values recur, or follow their label.
pub(crate) fn lonely(was: &FieldProfile, is: &FieldProfile) -> bool {
    let is_enough = was.peers.0 >= ENOUGH.0 as u64 && is.peers.0 >= ENOUGH.1 as u64;
    let had = was.peers.1 as f64 >= PAIRED * was.peers.0 as f64;
    if !is_enough || !had || is.peers.1 > 0 {
        return false;
    }
    let known: HashSet<&str> = was.samples.iter().map(String::as_str).collect();
    let recurring = is.samples.iter().filter(|text| known.contains(text.as_str())).count();
    let is_labelled = was.label().is_some_and(|label| is.label() == Some(label));
    recurring * 2 < is.samples.len() && !is_labelled
}

/// The answer to [`lonely`].
pub(super) fn unpaired(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if !is_list(sides) || !lonely(was, is) {
        return None;
    }
    let words = format!(
        "none of {} values has another one like it beside it, {} of {} had",
        is.peers.0, was.peers.1, was.peers.0
    );
    Answer::new(RARE, words)
}

/// The share of the values that are known or written as before.
fn familiar(sides: Sides<'_>) -> f64 {
    written_so(sides.was(), sides.is())
}

/// The same for two profiles of a field.
pub(crate) fn written_so(was: &FieldProfile, is: &FieldProfile) -> f64 {
    like_before(was, &is.samples, |text| roughly(&shape(text)))
}

/// Do all values follow the label of another field, which none did?
pub(super) fn misplaced(sides: Sides<'_>, names: &[&str]) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let (label, count) = is.labels.iter().max_by_key(|(_, count)| **count)?;
    // What was so on many pages is so on the next one, however few values it has.
    let is_known = is_list(sides) && is_enough(sides) || sides.known.pages >= EVERY && was.count >= EVERY;
    if !is_known || *count < is.count || was.labels.contains_key(label) {
        return None;
    }
    let mut others = sides.known.fields.iter().enumerate();
    let (other, _) = others.find(|(at, other)| {
        *at != sides.field && other.count > 0 && other.labels.get(label).is_some_and(|count| *count >= other.count)
    })?;
    let name = names.get(other).copied().unwrap_or_default();
    let words = format!(
        "all {} values follow \"{label}\", the label of {name}, none did",
        is.count
    );
    Answer::new(RARE, words)
}

/// Records before that tell whether every record has a field, and records that lack it now.
const RECORDS: (u64, u64) = (10, 5);
/// The largest share of records that have it if it is not a matter of a few records; and that if the records of several pages are known: these differ, as records of
/// several days do, and had it all the same.
const THIN: (f64, f64) = (0.6, 0.75);
/// Pages before that tell what pages have in common.
const PAGES: u64 = 3;

/// Records before that tell that a field is on the next one as well: by Laplace's rule of succession, as for pages ([`super::questions::gone`]).
pub(super) const EVERY: u64 = 19;

/// Do many records of a list lack what every one had, or all of them? In the middle of a redesign, it may be those with the new template.
pub(super) fn thinned(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let (had, has) = (sides.known.records, sides.now.records);
    let lack = has.saturating_sub(is.records);
    let most = if sides.known.pages >= PAGES { THIN.1 } else { THIN.0 };
    let is_thin = was.records >= had && lack >= RECORDS.1 && is.records as f64 <= most * has as f64;
    let is_gone = was.records >= had && had >= EVERY && has > 0 && is.records == 0;
    if !is_list(sides) || !is_gone && (had < RECORDS.0 || !is_thin) {
        return None;
    }
    Answer::new(RARE, format!("{} of {has} records have it, all {had} had", is.records))
}

/// Values before that tell how many other texts are written like them.
const WRITTEN: u64 = 5;
/// Other texts that are written like values, and how many times as many as these: two, and three times the share of before in addition.
const STRAYS: (u64, f64, f64) = (5, 2.0, 3.0);

/// Are there many more texts that are written like values than values, which was not so before? Then most records are not read.
pub(super) fn scattered(known: &Profile, now: &Profile) -> Option<Answer> {
    let ((had, before), (read, others)) = (known.strays, now.strays);
    if known.records <= known.pages || had < WRITTEN || others < STRAYS.0 {
        return None;
    }
    let usual = before as f64 / had as f64;
    if (others as f64) < read as f64 * (STRAYS.1 + STRAYS.2 * usual) {
        return None;
    }
    let values = match read {
        1 => "1 value is read".to_owned(),
        _ => format!("{read} values are read"),
    };
    let words = format!("{values}, and {others} other texts are written like them; it was {had} and {before}");
    Answer::new(RARE, words)
}

/// How many more elements like those of values there must be on a page than before: at least this number, this multiple of the records that are read, and
/// this multiple of those before.
const OUTNUMBERED: (f64, f64, f64) = (3.0, 2.0, 2.0);

/// Are there many more elements like those of the values than before, and fewer records? Then most records are not read, such as those of a list that became a grid. This
/// must be so for most fields, since one may be like the links of a menu.
pub(super) fn outnumbered(known: &Profile, now: &Profile) -> Option<Answer> {
    let mean = |count: u64, pages: u64| count as f64 / pages.max(1) as f64;
    let (had, has) = (mean(known.records, known.pages), mean(now.records, now.pages));
    if known.records <= known.pages || has * OUTNUMBERED.1 > had {
        return None;
    }
    let asked = known.fields.iter().zip(&now.fields);
    let asked = asked.filter(|(was, is)| was.makes.0 > 0 && is.makes.0 > 0);
    let grown = |(was, is): &(&FieldProfile, &FieldProfile)| {
        let (before, after) = (mean(was.makes.1, known.pages), mean(is.makes.1, now.pages));
        let more = after - before;
        more >= OUTNUMBERED.0 && more >= OUTNUMBERED.1 * has && after >= OUTNUMBERED.2 * before
    };
    let all = asked.clone().count();
    let most = asked.clone().filter(grown).max_by_key(|(_, is)| is.makes.1)?;
    if asked.filter(grown).count() * 2 <= all {
        return None;
    }
    let words = format!(
        "a page has {has:.0} records, it had {had:.0}, and {:.0} other elements like those of the values; it had {:.0}",
        mean(most.1.makes.1, now.pages),
        mean(most.0.makes.1, known.pages)
    );
    Answer::new(RARE, words)
}

/// Values before that tell how long values are, and how many times as long as the longest of them all must be now.
const SWOLLEN: (u64, u64) = (5, 3);

/// Are there fewer records, and is each value of a field much longer than any was? Then a record has the texts of several.
pub(super) fn swollen(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    let mean = |profile: &Profile| profile.records as f64 / profile.pages.max(1) as f64;
    let (had, has) = (mean(sides.known), mean(sides.now));
    let is_long = is.count > 0 && is.length.0 > was.length.2.saturating_mul(SWOLLEN.1);
    if !is_list(sides) || is_address(was) || was.count < SWOLLEN.0 || has * 2.0 > had || !is_long {
        return None;
    }
    let words = format!(
        "a page has {has:.0} records, it had {had:.0}, and values have at least {} characters, they had at most {}",
        is.length.0, was.length.2
    );
    Answer::new(RARE, words)
}

/// Values before that tell that hardly any other text is written like them: their number, and how many times as many as the others they are.
const ALONE: (u64, u64) = (20, 20);

/// Has each page fewer records than any had, and at least half as many other texts that are written like values as values, where there were hardly any?
/// Then records are skipped: two lines that changed places make a rule by delimiters read one record from two. The same for elements of the same make, since not all values are
/// told by how they are written.
pub(super) fn skipped(known: &Profile, now: &Profile) -> Option<Answer> {
    if known.records <= known.pages || now.per_page.1 >= known.per_page.0 {
        return None;
    }
    let is_odd = |(had, before): (u64, u64), (read, others): (u64, u64)| {
        let were_alone = had >= ALONE.0 && before.saturating_mul(ALONE.1) <= had;
        were_alone && others >= STRAYS.0 && others.saturating_mul(2) >= read
    };
    let makes = known.fields.iter().zip(&now.fields);
    let makes = makes.filter(|(was, is)| is_odd(was.makes, is.makes)).count();
    let what = match is_odd(known.strays, now.strays) {
        true => format!("{} texts are not read that are written like values", now.strays.1),
        // One field may be like something else on the page.
        false if makes * 2 > known.fields.len() => {
            let most = now.fields.iter().map(|field| field.makes.1).max().unwrap_or(0);
            format!("{most} elements are not read that are like those of values")
        }
        false => return None,
    };
    let words = format!(
        "no page has more than {} records, each had at least {}, and {what}",
        now.per_page.1, known.per_page.0
    );
    Answer::new(RARE, words)
}

/// Are at least half as many texts on pages written like values and not read as there are values, where there were hardly any? Then a part of the records has a
/// new template, or another list of such things came to the page.
pub(super) fn beside(known: &Profile, now: &Profile) -> Option<Answer> {
    let ((had, before), (read, others)) = (known.strays, now.strays);
    let were_alone = had >= ALONE.0 && before.saturating_mul(ALONE.1) <= had;
    // A text in each record is a new column, and not another list.
    let others = others.saturating_sub(in_new_columns(known, now));
    if known.records <= known.pages || !were_alone || others < STRAYS.0 || others.saturating_mul(2) < read {
        return None;
    }
    let words =
        format!("{others} texts are not read that are written like the {read} values; it was {before} and {had}");
    Answer::new(RARE, words)
}

/// How many texts beside values, one in each record, are a new column that surely is not one of the fields: each field that may be meant follows its label as before, or its known
/// values recur.
fn in_new_columns(known: &Profile, now: &Profile) -> u64 {
    let mut columns = 0;
    for (was, is) in known.fields.iter().zip(&now.fields) {
        if !is_beside_new(was, is) {
            continue;
        }
        if !is_told(was, is) {
            return 0;
        }
        columns = columns.max(is.peers.1);
    }
    columns
}

/// Has nearly each value another text like it beside it in its record, and had hardly any?
fn is_beside_new(was: &FieldProfile, is: &FieldProfile) -> bool {
    let has = is.peers.0 >= ENOUGH.1 as u64 && is.peers.1 as f64 >= PAIRED * is.peers.0 as f64;
    let had = was.peers.1 as f64 > (1.0 - PAIRED) * was.peers.0 as f64;
    has && was.peers.0 >= ENOUGH.0 as u64 && !had
}

/// Is it told which values are those of a field, by their label or because they recur?
fn is_told(was: &FieldProfile, is: &FieldProfile) -> bool {
    let is_labelled = was.label().is_some_and(|label| {
        let still = is.labels.get(label).copied().unwrap_or(0);
        still as f64 >= PAIRED * is.count as f64
    });
    let known: HashSet<&str> = was.samples.iter().map(String::as_str).collect();
    let recurring = is.samples.iter().filter(|text| known.contains(text.as_str())).count();
    is_labelled || recurring * 2 >= is.samples.len()
}

/// Has each value another text like it beside it in its record, which none had, and does nothing tell which of the two is meant?
pub(super) fn paired(sides: Sides<'_>) -> Option<Answer> {
    let (was, is) = (sides.was(), sides.is());
    if !is_list(sides) || !is_beside_new(was, is) || is_told(was, is) || beside(sides.known, sides.now).is_none() {
        return None;
    }
    let words = format!(
        "{} of {} values have another one like it beside them, {} of {} had: it may be the other one",
        is.peers.1, is.peers.0, was.peers.1, was.peers.0
    );
    Answer::new(RARE, words)
}

/// Records before that tell that a page has one list, and how many times as many as any page had are a second list.
const DIVIDED: (u64, f64) = (5, 1.5);

/// Records of a page that are not counted as parts of a list: so few do not tell what a part looks like.
const UNCOUNTED: u64 = 3;

/// Were the records of each page neighbours, the parts of one list? Pages with few records do not tell, if others do.
pub(crate) fn was_one_list(known: &Profile) -> bool {
    let parts = known.parts.0;
    let few = match known.per_page.0 <= UNCOUNTED {
        true => UNCOUNTED.saturating_mul(known.pages.saturating_sub(1)),
        false => 0,
    };
    parts >= DIVIDED.0 && parts.saturating_mul(2) > known.records && parts.saturating_add(few) >= known.records
}

/// Were the records of each page the parts of one list, and are they in several now, and many more than any page had? Then another list of the same make came
/// to the page, and is read, too.
pub(super) fn divided(known: &Profile, now: &Profile) -> Option<Answer> {
    let has = now.records as f64 / now.pages.max(1) as f64;
    let is_more = has >= DIVIDED.1 * known.per_page.1 as f64;
    if known.records <= known.pages || !was_one_list(known) || now.parts.0 > 0 || !is_more {
        return None;
    }
    let words = format!(
        "a page has {has:.0} records in several lists, none had more than {}, all in one list",
        known.per_page.1
    );
    Answer::new(RARE, words)
}

/// Are the values addresses? These get another host or protocol at once, and mean the same.
pub(super) fn is_address(field: &FieldProfile) -> bool {
    field.attributes.saturating_mul(2) > field.count
}
