//! What the page and the server say to each other, as JSON.
//!
//! Reads are addresses under `/api/`; all changes are one [`Command`] that is posted to `/api/do`. Both answer with the new
//! [`State`], so a page never has to guess what a change did.

use serde::{Deserialize, Serialize};

/// A change.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Command {
    /// Gives a field another name.
    Rename { field: String, to: String },
    /// Shows a field no longer.
    Hide { field: String },
    /// Shows these fields alone.
    Only { fields: Vec<String> },
    /// Shows a field again.
    Show { field: String },
    /// Puts a field before another one, or last.
    Move { field: String, before: Option<String> },
    /// Gives a field another type of values.
    Type { field: String, to: String },
    /// Makes a field part of the key that tells records apart, or no longer.
    Key { field: String, on: bool },
    /// Begins again with the list that has both of these places, in different records.
    List { page: usize, at: [Spot; 2] },
    /// Lets pictures and styles of pages be loaded, or no longer.
    Load { on: bool },
    /// A value that somebody points at: of a field that is there, or of a new one.
    Point {
        page: usize,
        at: Spot,
        field: String,
        #[serde(default)]
        wrong: bool,
        /// Only a part of the text: from one character to another.
        #[serde(default)]
        part: Option<(usize, usize)>,
    },
    /// Begins again from one value.
    Begin { page: usize, at: Spot, field: String },
    /// Takes another of the ways to a field.
    Prefer { field: String, way: usize },
    /// Infers again, by another method; or another list of a page, the best being the first.
    Infer {
        method: Option<String>,
        #[serde(default)]
        list: Option<usize>,
    },
    /// Adds pages: an address, or a file or directory of the project. An address gives a sample of its site, or its page alone.
    Add {
        name: String,
        #[serde(default)]
        alone: bool,
    },
    /// Takes a page away.
    Drop { page: usize },
    /// Takes the last change back.
    Undo,
    /// Makes the change again that was taken back.
    Redo,
    /// Saves the wrapper; in another file of the project, if one is named.
    Save { file: Option<String> },
    /// Compares what the wrapper gives with what it gave before.
    Check,
    /// Looks for the values on changed pages.
    Repair,
    /// Takes the repaired wrapper, without these fields.
    Accept {
        #[serde(default)]
        leave: Vec<String>,
    },
    /// Forgets the repaired wrapper.
    Reject,
    /// Fetches the pages again, checks the saved wrapper, and notes it in its history.
    Look,
    /// Takes a path to a field that somebody wrote, in the place of another one or as the last one.
    SetWay { field: String, at: usize, path: String },
    /// Takes a path to the records of a field, or to the outermost ones, that somebody wrote; an empty one goes away.
    SetEach {
        #[serde(default)]
        field: Option<String>,
        at: usize,
        path: String,
    },
    /// Says the rule as paths.
    ToPaths,
    /// Says how the pages of the site are reached: `next` is `auto`, `none` or a path.
    Navigate {
        start: String,
        next: String,
        #[serde(default)]
        follow: Vec<String>,
    },
    /// Starts a run over the site, whose records go to a file of the project.
    Run {
        file: String,
        pages: Option<usize>,
        #[serde(default)]
        replace: bool,
    },
    /// Goes on with a run.
    Resume { folder: String, pages: Option<usize> },
    /// Stops the run.
    StopRun,
    /// Stops what is under way.
    Cancel,
}

/// Pages that were dropped on the window, posted to `/api/files`; they become files of the project.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Files {
    pub(crate) files: Vec<Dropped>,
}

/// A file that was dropped on the window.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dropped {
    pub(crate) name: String,
    /// Its bytes, in base 64.
    pub(crate) data: String,
}

/// A place on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spot {
    /// The element's number.
    pub(crate) n: u32,
    /// The number of one of its texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) t: Option<usize>,
    /// The name of one of its attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) a: Option<String>,
}

/// All that the page shows, but for rows and boxes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct State {
    /// Grows with each change.
    pub(crate) rev: u64,
    /// What is under way.
    pub(crate) busy: Option<Busy>,
    /// What went wrong last.
    pub(crate) error: Option<Said>,
    /// What is worth knowing about the last change.
    pub(crate) notes: Vec<String>,
    pub(crate) pages: Vec<Page>,
    /// Pages that could not be read.
    pub(crate) failed: Vec<Said>,
    pub(crate) fields: Vec<Field>,
    pub(crate) rows: usize,
    /// Cells without a value.
    pub(crate) empty: usize,
    pub(crate) wrapper: Option<Wrapper>,
    /// The file that the wrapper is saved to, within the project.
    pub(crate) file: String,
    /// Does the file contain what is shown?
    pub(crate) is_saved: bool,
    /// How often it was saved.
    pub(crate) saves: usize,
    /// What undo would take back.
    pub(crate) undo: Option<String>,
    /// What redo would make again.
    pub(crate) redo: Option<String>,
    pub(crate) health: Option<Health>,
    pub(crate) repair: Option<Repair>,
    /// The run that is under way, or the last one.
    pub(crate) run: Option<Run>,
    pub(crate) loading: Loading,
}

/// Pictures and styles of pages.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Loading {
    /// May they be loaded?
    pub(crate) on: bool,
    pub(crate) loaded: usize,
    pub(crate) failed: usize,
}

/// Something that takes a while.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Busy {
    pub(crate) what: String,
    pub(crate) step: Option<String>,
}

/// A message, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Said {
    pub(crate) message: String,
    pub(crate) remedy: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Wrapper {
    /// The kind of its rule.
    pub(crate) kind: &'static str,
    /// The name of a record.
    pub(crate) record: String,
    /// Where a run starts, if it is known.
    pub(crate) start: Option<String>,
    /// What leads to the next page of a list: `auto`, `none` or a path.
    pub(crate) next: String,
    /// The links that lead to the pages with records.
    pub(crate) follow: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) rows: usize,
    /// Why it has no rows, or is not like the others.
    pub(crate) note: Option<String>,
    /// Did it come from an address? Then its pictures and styles can be loaded.
    pub(crate) has_address: bool,
    /// Is its end left out, because it is too large to be shown?
    pub(crate) is_cut: bool,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) sort: &'static str,
    /// The type of its values in the records.
    pub(crate) value: &'static str,
    /// Is it part of the key?
    pub(crate) key: bool,
    pub(crate) shown: bool,
    /// Records that have it, of how many.
    pub(crate) filled: usize,
    pub(crate) of: usize,
    pub(crate) samples: Vec<String>,
    /// How many values somebody pointed at.
    pub(crate) pointed: usize,
    /// The column of the table that it is in.
    pub(crate) column: Option<usize>,
    /// What a check says of it, if it is not well.
    pub(crate) doubt: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Health {
    pub(crate) is_fine: bool,
    pub(crate) reasons: Vec<String>,
    /// The whole report.
    pub(crate) text: String,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Repair {
    /// `repaired`, `partly`, `unsure` or `healthy`.
    pub(crate) outcome: &'static str,
    pub(crate) words: String,
    pub(crate) fields: Vec<RepairedField>,
    pub(crate) notes: Vec<String>,
    /// How many pages of before there are to compare with.
    pub(crate) old_pages: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct RepairedField {
    pub(crate) name: String,
    /// In per cent.
    pub(crate) sure: u32,
    pub(crate) left_out: bool,
    /// Has somebody corrected it by pointing?
    pub(crate) corrected: bool,
    pub(crate) before: Vec<String>,
    pub(crate) now: Vec<String>,
}

/// Some rows of the table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rows {
    pub(crate) rev: u64,
    pub(crate) columns: Vec<String>,
    pub(crate) total: usize,
    pub(crate) from: usize,
    pub(crate) rows: Vec<Row>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// Its number in the whole table.
    pub(crate) number: usize,
    pub(crate) page: usize,
    pub(crate) cells: Vec<Option<Cell>>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) at: Option<Spot>,
}

/// The values on a page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Boxes {
    pub(crate) rev: u64,
    pub(crate) boxes: Vec<Box>,
    /// Were there more than are sent?
    pub(crate) is_cut: bool,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Box {
    pub(crate) field: String,
    /// The row of the whole table, if the field is in it.
    pub(crate) row: Option<usize>,
    pub(crate) at: Spot,
}

/// What somebody could mean by a place.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Choices {
    pub(crate) choices: Vec<Choice>,
    /// A name for a new field.
    pub(crate) name: String,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Choice {
    /// `text`, or the name of an attribute.
    pub(crate) what: String,
    pub(crate) text: String,
    pub(crate) at: Spot,
    /// The field that finds it already.
    pub(crate) field: Option<String>,
    /// Is that field shown?
    pub(crate) shown: bool,
}

/// The ways to a field, the one that is used first.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Ways {
    pub(crate) rev: u64,
    pub(crate) ways: Vec<Way>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Way {
    pub(crate) path: String,
    /// Words before the value and after it.
    pub(crate) around: (String, String),
    pub(crate) filled: usize,
    pub(crate) of: usize,
}

/// A run over the site.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Run {
    /// Its number, since the studio was started.
    pub(crate) id: u64,
    /// `running`, `ended`, `limit`, `stopped` or `failed`.
    pub(crate) state: &'static str,
    pub(crate) pages: usize,
    pub(crate) records: usize,
    pub(crate) failures: usize,
    /// How long it took.
    pub(crate) seconds: f64,
    /// The most pages that were asked for.
    pub(crate) limit: Option<usize>,
    /// Where the records go.
    pub(crate) file: String,
    /// The file with the records so far, if the run broke off.
    pub(crate) part: Option<String>,
    /// The directory that keeps the run.
    pub(crate) folder: Option<String>,
    pub(crate) can_go_on: bool,
    pub(crate) columns: Vec<String>,
    /// What failed, in words: the first ones.
    pub(crate) notes: Vec<String>,
    /// Why the records could not be written.
    pub(crate) problem: Option<String>,
}

/// Where the navigation of the wrapper leads from a page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WayOn {
    /// The next page of the list.
    pub(crate) next: Option<String>,
    pub(crate) next_at: Vec<Spot>,
    /// How many links are followed.
    pub(crate) follow: usize,
    pub(crate) follow_at: Vec<Spot>,
    /// The next page by the pager that was found, and how sure that is, in per cent.
    pub(crate) found: Option<String>,
    pub(crate) sure: u32,
}

/// The wrapper over time.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Over {
    pub(crate) rev: u64,
    /// The file of the history.
    pub(crate) file: String,
    /// Looks in all; the last ones are listed, the oldest first.
    pub(crate) count: u64,
    pub(crate) looks: Vec<Look>,
    pub(crate) fields: Vec<Strip>,
    pub(crate) runs: Vec<KeptRun>,
    /// Why the history cannot be read.
    pub(crate) problem: Option<String>,
}

/// A look at the site.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Look {
    pub(crate) when: String,
    pub(crate) verdict: &'static str,
    pub(crate) pages: u64,
    pub(crate) failed: u64,
    pub(crate) records: u64,
    /// The fields that were repaired, and how sure each was, in per cent.
    pub(crate) sure: Vec<(String, u32)>,
    /// The wrapper before the repair.
    pub(crate) kept_as: String,
    pub(crate) note: String,
}

/// A field over time.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Strip {
    pub(crate) name: String,
    pub(crate) cells: Vec<Option<StripCell>>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct StripCell {
    pub(crate) state: &'static str,
    pub(crate) count: u64,
    pub(crate) reason: Option<String>,
}

/// A run that is kept in a directory of the project.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct KeptRun {
    pub(crate) folder: String,
    pub(crate) state: String,
    pub(crate) can_go_on: bool,
    pub(crate) begun: String,
    pub(crate) pages: u64,
    pub(crate) records: u64,
    pub(crate) failures: u64,
    pub(crate) output: String,
}

/// The rule as people read it.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Rule {
    pub(crate) rev: u64,
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) oxpath: Option<String>,
    /// The paths to the records; none if each page is one record.
    pub(crate) each: Vec<Each>,
}

/// A path to records.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Each {
    pub(crate) path: String,
    /// On how many pages it finds something, of how many.
    pub(crate) filled: usize,
    pub(crate) of: usize,
    pub(crate) records: usize,
}

/// What a path that somebody is writing would give.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Tried {
    pub(crate) problem: Option<Mistake>,
    pub(crate) filled: usize,
    pub(crate) of: usize,
    pub(crate) samples: Vec<String>,
    /// The places on the page.
    pub(crate) at: Vec<Spot>,
    /// For a path to records: how many there are.
    pub(crate) records: usize,
}

/// What is wrong with a path, and where: from one character to another.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Mistake {
    pub(crate) message: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) hints: Vec<String>,
}

/// A page of before, with the values that it had.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OldPage {
    pub(crate) name: String,
    pub(crate) boxes: Vec<Box>,
}
