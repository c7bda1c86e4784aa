//! The days and times that values stand for: `5/9/19-7pm` and `Thursday, May 9, 2019, 7:00 PM – 9:00 PM` begin at the same moment.
//!
//! Values are read by the convention of their field, so a date with two readings is only compared if the other values decide. A value with a time recurs only with
//! the same time, because another event may be on the same day; one without a time recurs with any. Of a period, the beginning counts.

use super::Look;
use record::values::{Convention, Kind, date, timestamp};
use std::collections::HashSet;

/// A day by its number, and its hour and minute if they are told.
type Moment = (i32, Option<(u8, u8)>);

/// The moments of a field.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments {
    known: HashSet<Moment>,
    convention: Convention,
}

impl Moments {
    pub(super) fn new(samples: &[String]) -> Moments {
        let convention = Convention::of(samples);
        let known = samples.iter().filter_map(|text| moment(text, &convention)).collect();
        Moments { known, convention }
    }

    /// Does an item stand for one of these moments?
    pub(super) fn has(&self, look: &Look) -> bool {
        let is_dated = [Kind::Date, Kind::DateTime]
            .iter()
            .any(|kind| look.kinds.contains(*kind));
        if self.known.is_empty() || !is_dated {
            return false;
        }
        let found = moment(&look.sight.text, &self.convention);
        found.is_some_and(|(day, time)| self.known.contains(&(day, time)) || self.known.contains(&(day, None)))
    }
}

/// The signs between the two ends of a period.
const UNTIL: [&str; 4] = [" – ", "–", " - ", " to "];

fn moment(text: &str, convention: &Convention) -> Option<Moment> {
    let starts = UNTIL.iter().filter_map(|sign| Some(text.split_once(sign)?.0));
    let mut texts = std::iter::once(text).chain(starts);
    match texts.find_map(|text| timestamp(text, convention).ok()) {
        Some(found) => Some((found.date.days(), Some((found.time.hour(), found.time.minute())))),
        None => Some((date(text, convention).ok()?.days(), None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wrapper::profile::Sight;

    #[test]
    fn the_same_moment_recurs_however_it_is_written() {
        let samples = ["5/9/19-7pm", "5/23/19-10am", "6/3/20-4pm"].map(str::to_owned);
        let known = Moments::new(&samples);
        let has = |known: &Moments, text: &str| {
            known.has(&Look::new(Sight {
                text: text.to_owned(),
                ..Sight::default()
            }))
        };
        assert!(has(&known, "Thursday, May 9, 2019, 7:00 PM – 9:00 PM"));
        assert!(has(&known, "June 3, 2020 at 4:00 PM"));
        assert!(!has(&known, "Thursday, May 9, 2019, 8:00 PM – 9:00 PM"));
        assert!(!has(&known, "May 9, 2019"));
        assert!(!has(&known, "Monday"));
        // Nothing decides whether this is in May or in September.
        assert!(!has(&Moments::new(&["5/9/2019".to_owned()]), "May 9, 2019"));
        assert!(has(&Moments::new(&["23/9/2019".to_owned()]), "September 23, 2019"));
    }
}
