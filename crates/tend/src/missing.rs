//! Records that a repaired wrapper may not read.
//!
//! *Idea.* A repair finds one template. In the middle of a redesign a list has two, and the records of the other one are lost without a trace: all that is read is right. Two things tell it. A page
//! has far fewer records than any page had; or its list has parts that look like the records and are not read, and the lists of before had none.
//!
//! *Input*: the old wrapper and its repair. *Output*: the repair with what is told, and a note for each. *Cost*: none but a look at the profiles.
//!
//! *Known failures*: a longer list of which the records of the other template do not look like those that are read.

use crate::healthy::FEWER;
use crate::repair::Repair;
use wrapper::Wrapper;
use wrapper::profile::Profile;

/// Pages that tell how many records a page has, and the fewest records of which some can be missing.
const TOLD: (u64, u64) = (3, 4);
/// One part that is not read for this number of those that are read: there are others. Fewer than one for this larger number: there were none.
const OTHERS: (u64, u64) = (8, 20);

/// A repair that says whether records may be missing.
pub(crate) fn counted(wrapper: &Wrapper, mut repair: Repair) -> Repair {
    let tables = pairs(wrapper, &repair.wrapper);
    repair.fewer = tables.iter().filter_map(|(was, is)| fewer(was, is)).min();
    repair.unread = tables.iter().filter_map(|(was, is)| unread(was, is)).max();
    if let Some((now, before)) = repair.fewer {
        repair.notes.push(format!(
            "a page has {now} records at most, and had {before} at least: some may have another template, which is not read"
        ));
    }
    if let Some((read, others)) = repair.unread {
        repair.notes.push(format!(
            "{others} parts of lists look like the {read} that are read, and there were none before: they may have another template, which is not read"
        ));
    }
    repair
}

/// The profiles of each table, before and now.
fn pairs(old: &Wrapper, new: &Wrapper) -> Vec<(Profile, Profile)> {
    let (old_tables, new_tables) = (old.record_type.tables(), new.record_type.tables());
    let both = old_tables.iter().zip(&old.evidence.profiles);
    let pair = |(table, was): (&record::Table, &Profile)| {
        let home = new_tables.iter().position(|other| other.path == table.path)?;
        Some((was.clone(), new.evidence.profiles.get(home)?.clone()))
    };
    both.filter_map(pair).collect()
}

/// If there are far fewer records on each page than on any page before: the most that a page has, and the fewest that there were.
fn fewer(was: &Profile, is: &Profile) -> Option<(u64, u64)> {
    let (least, most) = (was.per_page.0, is.per_page.1);
    let is_told = was.pages >= TOLD.0 && least >= TOLD.1;
    (is_told && (most as f64) < FEWER * least as f64).then_some((most, least))
}

/// If parts of lists look like records and are not read, and there were none before: those that are read, and those that are not.
fn unread(was: &Profile, is: &Profile) -> Option<(u64, u64)> {
    let (read, others) = was.parts;
    let had_none = read >= TOLD.1 && others.saturating_mul(OTHERS.1) < read;
    let (read, others) = is.parts;
    (had_none && others > 0 && others.saturating_mul(OTHERS.0) >= read).then_some((read, others))
}
