//! A history as a picture: the records of each run as a line, and below it a strip for each field.
//!
//! A column is a run. A fine field is a thin band, a doubtful one is thicker, a broken one fills its row, and a missing
//! one fills it except for a slit; a field that the run repaired is a diamond. The shapes say as much as the colours, so the picture can also be read in print and
//! by people who do not see the colours. A repair is a line from top to bottom with a diamond on it. With many runs
//! columns become narrow and equal neighbours become one shape; problems keep a visible width. Each problem has its
//! reason as a tooltip.
//!
//! The picture is as wide as its runs need, up to a limit, and as high as its fields need. Time and size are linear in
//! runs and fields. More than [`MOST`] runs would be narrower than a pixel: only the last are drawn, and the picture
//! says so.

mod draw;

use self::draw::{escaped, label, rectangle, round, short};
use super::cells::{columns, cut};
use super::words::{date, minute, second, tally};
use super::{Entry, Health, Outcome, names, rows};
use std::collections::HashSet;
use std::fmt::Write;

/// The most runs that are drawn.
const MOST: usize = 720;
/// The width of all columns together, at most and at least.
const WIDE: (f64, f64) = (720.0, 460.0);
/// Space on the left, for names, and on the right, for half a date.
const SIDES: (f64, f64) = (176.0, 48.0);
/// The largest width of a column.
const COLUMN: f64 = 32.0;
/// Space between the strip of runs and those of fields.
const GAP: f64 = 6.0;
/// The columns of text that a name may take.
const NAME: usize = 22;
/// Top and height of the line of records.
const CHART: (f64, f64) = (84.0, 60.0);
/// The average width of a letter, as a fraction of its height.
const LETTER: f64 = 0.6;

const INK: &str = "#24292f";
const PALE: &str = "#6e7781";
const RULE: &str = "#d8dee4";
const BAND: &str = "#f6f8fa";
const LINE: &str = "#2f6f9f";
const REPAIR: &str = "#6639ba";

/// How something is drawn in its row: a colour, the part of the row that it fills, and the part of that which is left
/// out.
type Look = (&'static str, f64, f64);

/// Instead of the part that is left out: the mark is a diamond.
const DIAMOND: f64 = -1.0;

fn look(health: Health) -> Look {
    match health {
        Health::Fine => ("#7fb2d6", 0.34, 0.0),
        Health::Doubtful => ("#e3a008", 0.66, 0.0),
        Health::Broken => ("#c2410c", 1.0, 0.0),
        Health::Gone => ("#6b1207", 1.0, 0.3),
        Health::Empty => ("#a8b1ba", 0.1, 0.0),
        Health::Mended => (REPAIR, 1.0, DIAMOND),
    }
}

fn look_of_run(outcome: Outcome) -> Look {
    match outcome {
        Outcome::Fine => look(Health::Fine),
        Outcome::Changed | Outcome::NotRepaired => look(Health::Broken),
        Outcome::Repaired => (REPAIR, 0.66, 0.0),
        Outcome::Unreadable => ("#57606a", 1.0, 0.6),
    }
}

/// A part of a strip: consecutive runs that look the same, and their tooltip.
struct Piece {
    from: usize,
    to: usize,
    look: Look,
    title: Option<String>,
}

/// Positions and sizes.
struct Layout {
    column: f64,
    plot: f64,
    row: f64,
    top: f64,
}

impl Layout {
    fn x(&self, run: usize) -> f64 {
        SIDES.0 + self.column * run as f64
    }

    /// The top of a strip; the strip of runs is the first.
    fn y(&self, strip: usize) -> f64 {
        let gap = if strip > 0 { GAP } else { 0.0 };
        self.top + gap + self.row * strip as f64
    }

    fn middle(&self, run: usize) -> f64 {
        self.x(run) + self.column / 2.0
    }

    /// Are columns wide enough to have a gap between them?
    fn is_wide(&self) -> bool {
        self.column >= 5.0
    }
}

/// A picture of a history, as SVG.
pub fn svg(entries: &[Entry], title: &str) -> String {
    let drawn = &entries[entries.len().saturating_sub(MOST)..];
    let names = names(drawn);
    let rows = rows(drawn, &names);
    let column = (WIDE.0 / drawn.len().max(1) as f64).min(COLUMN);
    let layout = Layout {
        column,
        plot: (column * drawn.len() as f64).max(WIDE.1),
        row: if names.len() > 24 { 16.0 } else { 20.0 },
        top: CHART.0 + CHART.1 + 16.0,
    };
    let width = SIDES.0 + layout.plot + SIDES.1;
    let bottom = layout.y(names.len() + 1);
    let mut body = String::new();
    heading(&mut body, entries, drawn, title, width);
    if drawn.is_empty() {
        label(
            &mut body,
            (16.0, CHART.0),
            12.0,
            (PALE, "start"),
            "There are no runs yet.",
        );
        return page(width, CHART.0 + 24.0, title, &body);
    }
    for number in (0..=names.len()).filter(|number| number % 2 == 0) {
        rectangle(
            &mut body,
            (SIDES.0, layout.y(number), layout.plot, layout.row),
            BAND,
            None,
        );
    }
    dates(&mut body, drawn, &layout, bottom);
    records(&mut body, drawn, &layout);
    repairs(&mut body, drawn, &layout, bottom);
    let runs = drawn.iter().map(|entry| {
        let title = (entry.verdict != Outcome::Fine).then(|| about_run(entry));
        Some((look_of_run(entry.verdict), title))
    });
    strip(&mut body, "run", 0, &pieces(runs, &layout), &layout);
    for (number, (name, row)) in names.iter().zip(&rows).enumerate() {
        let cells = row.iter().zip(drawn).map(|(field, entry)| {
            let field = field.as_ref()?;
            let title = field
                .reason
                .as_ref()
                .map(|reason| format!("{}: {}", minute(entry), cut(reason, 200)));
            Some((look(entry.health(field)), title))
        });
        strip(&mut body, name, number + 1, &pieces(cells, &layout), &layout);
    }
    let height = legend(&mut body, drawn, bottom + 46.0, width);
    page(width, height, title, &body)
}

/// The whole SVG document.
fn page(width: f64, height: f64, title: &str, body: &str) -> String {
    let (width, height, title) = (short(width), short(height), escaped(&cut(title, 200)));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Verdana, sans-serif\">\n\
         <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    )
}

fn heading(out: &mut String, entries: &[Entry], drawn: &[Entry], title: &str, width: f64) {
    let letters = |size: f64| ((width - 32.0) / (size * LETTER)) as usize;
    label(out, (16.0, 30.0), 17.0, (INK, "start"), &cut(title, letters(17.0)));
    let (Some(first), Some(last)) = (drawn.first(), drawn.last()) else {
        return;
    };
    let what = match (drawn.len(), entries.len()) {
        (1, 1) => "1 run".to_owned(),
        (drawn, all) if drawn < all => format!("the last {drawn} of {all} runs"),
        (drawn, _) => format!("{drawn} runs"),
    };
    let span = match (date(first), date(last)) {
        (first, last) if first == last => format!("on {first}"),
        (first, last) => format!("from {first} to {last}"),
    };
    let words = format!("{what} {span}: {}", tally(drawn));
    label(out, (16.0, 50.0), 12.0, (PALE, "start"), &cut(&words, letters(12.0)));
}

/// The line of records, on a scale from zero to a round number.
fn records(out: &mut String, drawn: &[Entry], layout: &Layout) {
    let (top, height) = CHART;
    let limit = round(drawn.iter().map(|entry| entry.records).max().unwrap_or(0));
    label(out, (16.0, top + height / 2.0 + 4.0), 12.0, (INK, "start"), "records");
    for (y, number) in [(top, limit), (top + height, 0)] {
        let (from, to) = (short(SIDES.0), short(SIDES.0 + layout.plot));
        let _ = writeln!(out, "<path d=\"M{from} {y}H{to}\" stroke=\"{RULE}\"/>");
        label(out, (SIDES.0 - 8.0, y + 4.0), 11.0, (PALE, "end"), &number.to_string());
    }
    let y = |entry: &Entry| top + height * (1.0 - entry.records as f64 / limit as f64);
    let is_read = |entry: &Entry| entry.verdict != Outcome::Unreadable;
    let mut path = String::new();
    for (run, entry) in drawn.iter().enumerate().filter(|(_, entry)| is_read(entry)) {
        // Runs without pages have no known count, so the line is interrupted there.
        let is_joined = run > 0 && is_read(&drawn[run - 1]);
        // A line of length zero is a dot, so that a run between two such runs is visible.
        let (letter, dot) = if is_joined { ('L', "") } else { ('M', "h0") };
        let _ = write!(path, "{letter}{} {}{dot}", short(layout.middle(run)), short(y(entry)));
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{LINE}\" stroke-width=\"1.5\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\"/>"
    );
    if layout.column >= 9.0 {
        for (run, entry) in drawn.iter().enumerate().filter(|(_, entry)| is_read(entry)) {
            let (x, y) = (short(layout.middle(run)), short(y(entry)));
            let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.2\" fill=\"{LINE}\"/>");
        }
    }
}

/// Dates below the strips, as many as fit; the last run always has one. No two are the same: if days do not distinguish the
/// runs, the labels have the minute or the second, and where not even that does, only the last of them has a label.
fn dates(out: &mut String, drawn: &[Entry], layout: &Layout, bottom: f64) {
    type Form = (f64, fn(&Entry) -> String);
    const FORMS: [Form; 3] = [(84.0, date), (118.0, minute), (136.0, second)];
    let ticks = |(room, form): Form| -> Vec<(usize, String)> {
        let step = (room / layout.column).ceil().max(1.0) as usize;
        let runs = (0..drawn.len()).rev().step_by(step);
        runs.map(|run| (run, form(&drawn[run]))).collect()
    };
    let is_distinct = |ticks: &Vec<(usize, String)>| {
        let words: HashSet<&String> = ticks.iter().map(|(_, words)| words).collect();
        words.len() == ticks.len()
    };
    let found = FORMS.into_iter().map(ticks).find(is_distinct);
    let at = found.unwrap_or_else(|| {
        let mut seen = HashSet::new();
        let mut at = ticks(FORMS[FORMS.len() - 1]);
        at.retain(|(_, words)| seen.insert(words.clone()));
        at
    });
    for (run, words) in at {
        let x = layout.middle(run);
        let (top, foot) = (short(CHART.0), short(bottom + 4.0));
        let _ = writeln!(out, "<path d=\"M{} {top}V{foot}\" stroke=\"{RULE}\"/>", short(x));
        // The label of the last run must not be cut off at the edge of the picture.
        let half = columns(&words) as f64 * 11.0 * LETTER / 2.0;
        let edge = SIDES.0 + layout.plot + SIDES.1 - 4.0;
        label(out, (x.min(edge - half), bottom + 18.0), 11.0, (PALE, "middle"), &words);
    }
}

/// The pieces of a strip: one for each run if they fit, else one for all equal neighbours.
fn pieces(cells: impl Iterator<Item = Option<(Look, Option<String>)>>, layout: &Layout) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (run, cell) in cells.enumerate() {
        let Some((look, title)) = cell else {
            continue;
        };
        match pieces.last_mut() {
            Some(last) if !layout.is_wide() && last.to == run && last.look == look => {
                last.to = run + 1;
                last.title = title.or(last.title.take());
            }
            _ => pieces.push(Piece {
                from: run,
                to: run + 1,
                look,
                title,
            }),
        }
    }
    pieces
}

fn strip(out: &mut String, name: &str, number: usize, pieces: &[Piece], layout: &Layout) {
    let y = layout.y(number);
    let size = if layout.row < 20.0 { 11.0 } else { 12.0 };
    label(
        out,
        (16.0, y + layout.row / 2.0 + 4.0),
        size,
        (INK, "start"),
        &cut(name, NAME),
    );
    // Problems are drawn last, because they may be wider than their columns.
    let (calm, trouble): (Vec<&Piece>, Vec<&Piece>) = pieces.iter().partition(|piece| piece.look.1 < 0.5);
    for piece in calm.into_iter().chain(trouble) {
        let (mut x, mut wide) = (layout.x(piece.from), layout.column * (piece.to - piece.from) as f64);
        if layout.is_wide() {
            (x, wide) = (x + 0.5, wide - 1.0);
        } else if piece.look.1 > 0.5 && wide < 2.5 {
            (x, wide) = (x + (wide - 2.5) / 2.0, 2.5);
        }
        mark(out, (x, y, wide, layout.row), piece.look, piece.title.as_deref());
    }
}

/// A mark in the area of a cell, without the gap between rows.
fn mark(out: &mut String, (x, y, wide, high): (f64, f64, f64, f64), (colour, part, slit): Look, title: Option<&str>) {
    let full = (high - 4.0) * part;
    let y = y + (high - full) / 2.0;
    if slit == 0.0 {
        return rectangle(out, (x, y, wide, full), colour, title);
    }
    if slit < 0.0 {
        // Narrow columns have narrow diamonds, but none that cannot be seen.
        let (w, h) = (short((wide / 2.0).clamp(1.5, full / 2.0)), short(full / 2.0));
        let title = title.map_or_else(String::new, |title| format!("<title>{}</title>", escaped(title)));
        let (x, y) = (short(x + wide / 2.0), short(y));
        let _ = writeln!(
            out,
            "<path d=\"M{x} {y}l{w} {h}l-{w} {h}l-{w} -{h}z\" fill=\"{colour}\">{title}</path>"
        );
        return;
    }
    let half = full * (1.0 - slit) / 2.0;
    rectangle(out, (x, y, wide, half), colour, title);
    rectangle(out, (x, y + full - half, wide, half), colour, title);
}

/// The tooltip of a run that was not fine.
fn about_run(entry: &Entry) -> String {
    let mut words = format!("{}: {}", minute(entry), entry.verdict.name());
    if entry.failed_pages > 0 {
        let _ = write!(words, ", {} of {} pages failed", entry.failed_pages, entry.pages);
    }
    if let Some(repair) = entry.repair.as_ref().filter(|repair| !repair.note.is_empty()) {
        let _ = write!(words, ", {}", cut(&repair.note, 200));
    }
    words
}

/// A line with a diamond on top for each repair that was made.
fn repairs(out: &mut String, drawn: &[Entry], layout: &Layout, bottom: f64) {
    for (run, entry) in drawn.iter().enumerate() {
        if entry.verdict != Outcome::Repaired {
            continue;
        }
        let (x, top) = (layout.middle(run), CHART.0 - 8.0);
        let (foot, title) = (short(bottom), escaped(&about_run(entry)));
        let _ = writeln!(
            out,
            "<g><title>{title}</title><path d=\"M{} {}V{foot}\" stroke=\"{REPAIR}\" stroke-dasharray=\"3 2\"/>",
            short(x),
            short(top)
        );
        diamond(out, (x, top));
        out.push_str("</g>\n");
    }
}

fn diamond(out: &mut String, (x, y): (f64, f64)) {
    let (x, y) = (short(x), short(y - 5.0));
    let _ = writeln!(out, "<path d=\"M{x} {y}l5 5l-5 5l-5 -5z\" fill=\"{REPAIR}\"/>");
}

/// What the marks mean; returns the height of the picture.
fn legend(out: &mut String, drawn: &[Entry], y: f64, width: f64) -> f64 {
    let (mut x, mut y) = (16.0, y);
    let mut next = |words: &str| {
        let wide = 22.0 + columns(words) as f64 * 11.0 * LETTER + 18.0;
        if x + wide > width && x > 16.0 {
            (x, y) = (16.0, y + 20.0);
        }
        let place = (x, y);
        x += wide;
        place
    };
    let fields = [
        (Health::Fine, "fine"),
        (Health::Doubtful, "doubtful"),
        (Health::Broken, "broken"),
        (Health::Gone, "nothing found"),
        (Health::Empty, "nothing found (optional)"),
        (Health::Mended, "mended"),
    ];
    for (health, words) in fields {
        let (x, y) = next(words);
        mark(out, (x, y, 16.0, 18.0), look(health), None);
        label(out, (x + 22.0, y + 13.0), 11.0, (INK, "start"), words);
    }
    if drawn.iter().any(|entry| entry.verdict == Outcome::Unreadable) {
        let (x, y) = next("unreadable");
        mark(out, (x, y, 16.0, 18.0), look_of_run(Outcome::Unreadable), None);
        label(out, (x + 22.0, y + 13.0), 11.0, (INK, "start"), "unreadable");
    }
    let (x, y) = next("repaired");
    diamond(out, (x + 8.0, y + 9.0));
    label(out, (x + 22.0, y + 13.0), 11.0, (INK, "start"), "repaired");
    y + 34.0
}

#[cfg(test)]
mod tests;
