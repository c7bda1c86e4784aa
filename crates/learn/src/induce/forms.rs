//! The forms that an edge may take: one string, the n-th such string, a string after landmarks, a few strings.
//!
//! An edge fits if it is first found at the end of every gap that leads to its field, and not found at all in any gap
//! that is searched for it but leads elsewhere. Each form is a small search over pieces of the gaps, and only this
//! condition is tested.

use super::edges;
use super::extend::Allow;
use super::gaps::{Gap, Gaps};
use super::prefer::{self, Prefer};
use memchr::memmem;
use std::ops::RangeInclusive;
use wrapper::rule::Left;

/// The number of forms.
pub(super) const FORMS: usize = 5;
/// The most strings for one edge.
pub(super) const MOST_ALTERNATIVES: usize = 4;
/// The most pieces that are tried as landmarks.
const MOST_LANDMARKS: usize = 60;
/// The most pieces that are tried in pairs.
const MOST_PAIRED: usize = 12;

/// The gaps that a field's left edge must fit.
pub(super) struct Places<'g, 'a> {
    /// Those that lead to the field.
    pub(super) to: Vec<&'g Gap<'a>>,
    /// Those that are searched for it but lead elsewhere.
    pub(super) past: Vec<&'g Gap<'a>>,
}

impl<'g, 'a> Places<'g, 'a> {
    /// The simplest form that fits, among those that are allowed and simpler than `most`, and its distance from the
    /// simplest. The order is: one string, the second or third such string, one after a landmark, the n-th such string,
    /// a few strings.
    pub(super) fn simplest(&self, prefer: Prefer, allow: Allow, most: usize) -> Option<(usize, Vec<Left>)> {
        let Allow {
            skips, alternatives, ..
        } = allow;
        let allowed = [true, skips, skips, skips, alternatives];
        (0..most.min(FORMS)).filter(|form| allowed[*form]).find_map(|form| {
            let found = match form {
                0 => self.single(prefer),
                1 => self.counted(prefer, 2..=3),
                2 => self.behind_landmark(prefer),
                3 => self.counted(prefer, 4..=40),
                _ => self.alternatives(prefer),
            };
            Some((form, found?))
        })
    }

    pub(super) fn suits(&self, lefts: &[Left]) -> bool {
        self.to.iter().all(|gap| begin(gap.text, lefts) == Some(gap.text.len()))
            && self.past.iter().all(|gap| begin(gap.text, lefts).is_none())
    }

    fn common(&self) -> Option<&'a str> {
        let (first, rest) = self.to.split_first()?;
        let common = rest
            .iter()
            .fold(first.text, |common, gap| edges::common_suffix(common, gap.text));
        (!common.is_empty()).then_some(common)
    }

    /// One string.
    pub(super) fn single(&self, prefer: Prefer) -> Option<Vec<Left>> {
        let longest = self.common()?;
        let good = |text: &str| self.suits(&[Left::plain(text)]);
        if !good(longest) {
            return None;
        }
        let least = edges::left_least(longest, good);
        Some(vec![Left::plain(prefer::left(longest, least, prefer))])
    }

    /// The n-th such string, for n in a range.
    pub(super) fn counted(&self, prefer: Prefer, times: RangeInclusive<usize>) -> Option<Vec<Left>> {
        let longest = self.common()?;
        prefer::lefts(longest, prefer)
            .into_iter()
            .chain([longest])
            .find_map(|text| {
                let count = memmem::find_iter(self.to.first()?.text.as_bytes(), text).count();
                let left = vec![Left {
                    from: None,
                    skips: vec![text.to_owned(); count.saturating_sub(1)],
                    text: text.to_owned(),
                }];
                (times.contains(&count) && self.suits(&left)).then_some(left)
            })
    }

    /// The next such string after one or two landmarks.
    pub(super) fn behind_landmark(&self, prefer: Prefer) -> Option<Vec<Left>> {
        let longest = self.common()?;
        let shortest = self.to.iter().map(|gap| gap.text).min_by_key(|text| text.len())?;
        let mut marks = prefer::pieces(shortest);
        marks.reverse();
        marks.retain(|mark| self.to.iter().all(|gap| gap.text.contains(mark)));
        let mut seen = std::collections::BTreeSet::new();
        marks.retain(|mark| seen.insert(*mark));
        marks.truncate(MOST_LANDMARKS);
        // A landmark that contains words is more specific than a bare tag.
        marks.sort_by_key(|mark| {
            !mark.trim_matches(|c: char| c != '>').contains(char::is_alphanumeric) && mark.len() < 8
        });
        let mut texts = prefer::lefts(longest, prefer);
        texts.truncate(3);
        texts.push(longest);
        let left = |skips: &[&str], text: &str| {
            let skips = skips.iter().map(|skip| (*skip).to_owned()).collect();
            vec![Left {
                from: None,
                skips,
                text: text.to_owned(),
            }]
        };
        for text in &texts {
            if let Some(mark) = marks.iter().find(|mark| self.suits(&left(&[mark], text))) {
                return Some(left(&[mark], text));
            }
        }
        marks.truncate(MOST_PAIRED);
        for text in &texts {
            for second in &marks {
                if let Some(first) = marks.iter().find(|first| self.suits(&left(&[first, second], text))) {
                    return Some(left(&[first, second], text));
                }
            }
        }
        None
    }

    /// A few strings.
    pub(super) fn alternatives(&self, prefer: Prefer) -> Option<Vec<Left>> {
        let mut chosen: Vec<Left> = Vec::new();
        let mut open: Vec<&Gap<'a>> = self.to.clone();
        while let Some(gap) = open.first() {
            if chosen.len() == MOST_ALTERNATIVES {
                return None;
            }
            // Suffixes of this gap that are nowhere found too early; the preferred one of those.
            let safe = |text: &str| {
                let found =
                    |gap: &&Gap<'_>| memmem::find(gap.text.as_bytes(), text.as_bytes()).map(|at| at + text.len());
                self.to
                    .iter()
                    .all(|gap| found(gap).is_none_or(|end| end == gap.text.len()))
                    && self.past.iter().all(|gap| found(gap).is_none())
            };
            let mut start = gap.text.len().saturating_sub(300);
            while !gap.text.is_char_boundary(start) {
                start += 1;
            }
            let longest = &gap.text[start..];
            if longest.is_empty() || !safe(longest) {
                return None;
            }
            // The shortest covers the most gaps; the preferred one of all that cover the same gaps.
            let least = edges::left_least(longest, safe);
            let shortest = &longest[longest.len() - least..];
            let alike = open.iter().filter(|gap| gap.text.ends_with(shortest));
            let shared = alike.fold(longest, |common, gap| edges::common_suffix(common, gap.text));
            let text = prefer::left(
                shared,
                least,
                if prefer == Prefer::Long { Prefer::Tags } else { prefer },
            );
            let before = open.len();
            open.retain(|gap| !gap.text.ends_with(text));
            if open.len() == before {
                return None;
            }
            chosen.push(Left::plain(text));
        }
        (self.suits(&chosen) && !chosen.is_empty()).then_some(chosen)
    }
}

/// Where a value would begin in a gap.
pub(super) fn begin(text: &str, lefts: &[Left]) -> Option<usize> {
    let hits = lefts.iter().filter_map(|left| {
        let mut at = 0;
        for skip in &left.skips {
            at += memmem::find(&text.as_bytes()[at..], skip.as_bytes())? + skip.len();
        }
        let start = at + memmem::find(&text.as_bytes()[at..], left.text.as_bytes())?;
        Some((start, std::cmp::Reverse(left.text.len())))
    });
    hits.min().map(|(start, len)| start + len.0)
}

/// A few right delimiters: none is found inside a value, and one follows each value.
pub(super) fn several_rights(gaps: &Gaps<'_>, field: usize, prefer: Prefer) -> Option<Vec<String>> {
    let values: Vec<_> = gaps
        .values
        .iter()
        .filter(|value| value.found.field as usize == field)
        .collect();
    let mut chosen: Vec<String> = Vec::new();
    let mut open = values.clone();
    while let Some(value) = open.first() {
        if chosen.len() == MOST_ALTERNATIVES {
            return None;
        }
        let follow = &value.text[value.len()..];
        let mut end = follow.len().min(200);
        while !follow.is_char_boundary(end) {
            end -= 1;
        }
        let longest = &follow[..end];
        let safe = |text: &str| {
            !text.is_empty()
                && values.iter().all(|value| {
                    let end = (value.len() + text.len() - 1).min(value.text.len());
                    memmem::find(&value.text.as_bytes()[..end], text.as_bytes()).is_none()
                })
        };
        let lengths: Vec<usize> = (1..=longest.len())
            .filter(|len| longest.is_char_boundary(*len))
            .collect();
        let least = lengths.get(lengths.partition_point(|len| !safe(&longest[..*len])))?;
        // The shortest covers the most values; the preferred one of all that cover the same values.
        let follows = open.iter().map(|value| &value.text[value.len()..]);
        let alike = follows.filter(|follow| follow.starts_with(&longest[..*least]));
        let shared = alike.fold(longest, |common, follow| edges::common_prefix(common, follow));
        let text = prefer::right(
            shared,
            *least,
            if prefer == Prefer::Long { Prefer::Tags } else { prefer },
        );
        open.retain(|value| !value.text[value.len()..].starts_with(text));
        chosen.push(text.to_owned());
    }
    (!chosen.is_empty()).then_some(chosen)
}
