//! Finds the values of a wrapper on pages that it no longer matches.
//!
//! Where each page is one record, several pages are better than one: a template says the same thing at the same place, or
//! after the same label, on all of them. So a candidate is worth more if candidates at its place, or with its label, are
//! worth much on the other pages too, and a text that looks like a value on one page by chance is worth less
//! ([`together`]). Fields that some records did not have are expected on as many pages as before. A text is often at several places of a page,
//! and the one that fits best may be another one on each page; so all of them are compared with the other pages before each text is considered once. What is said
//! at the same place of all pages is a part of the template ([`common`]), and whether two fields could be exchanged is asked of all pages together
//! ([`exchanged`]).
//!
//! Labels are also sought after values and past texts that a redesign puts between the two (`labels`).
//!
//! Known failures: a text that a redesign puts between a label and its value, and that is made as the values are, is taken for the value.

mod common;
mod foreign;
mod labels;
mod rows;

use self::common::{Common, counts};
use self::labels::Template;
use self::rows::{beside, holding};
use crate::assign::assign;
use crate::blocks::{self, Sought};
use crate::columns::{Items, Place, Structure};
use crate::evidence::{Known, tied};
use crate::healthy::{Fixed, Healthy};
use crate::weights;
use crate::words::{Words, tokens};
use learn::guided::Wanted;
use page::{NodeId, Page};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use wrapper::profile::Profile;

/// What was found on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recovered {
    /// For each record, the values of each field.
    pub records: Vec<Vec<Vec<String>>>,
    /// For each field how sure the result is, from 0 to 1; if it is 0, nothing was found.
    pub sure: Vec<f64>,
    /// For each field the most that its score may be: less than 1 if nothing tells it from something else.
    pub most: Vec<f64>,
    /// For each field, some values of the next best place, if it fits nearly as well.
    pub instead: Vec<Vec<String>>,
    /// For each field, are its values made of other things than all known ones? This is not asked about lists.
    pub otherwise: Vec<bool>,
}

/// A column that fits less well than this is considered to be something else.
const LEAST: f64 = 0.3;
/// A choice that is better than the next one by this much is clear.
const CLEAR: f64 = 0.2;
/// The number of candidates of a field that are weighed against those of other fields.
const CANDIDATES: usize = 12;
/// The number of candidates with different texts that are considered, and the number of places that are compared with those of other pages.
const COMPARED: usize = 100;
const PLACES: usize = 300;

/// Finds the values of a wrapper's fields on a page, using their profiles.
pub fn recover(page: &Page, wanted: &[Wanted], profile: &Profile, listed: bool) -> Recovered {
    let alone = Template::default();
    let read = Read::new(page, wanted, profile, (!listed).then_some(&alone));
    match listed {
        true => records(&read, wanted, profile, &[], None),
        false => {
            let mut found = one(&read, wanted, read.candidates(wanted, &Common::default()), &[]);
            exchanged(std::slice::from_mut(&mut found));
            found.recovered
        }
    }
}

/// The same for a page of a list of pages; `before` are elements that may be the records.
pub(crate) fn recover_list(page: &Page, wanted: &[Wanted], profile: &Profile, before: &[Vec<NodeId>]) -> Recovered {
    let read = Read::new(page, wanted, profile, None);
    records(&read, wanted, profile, before, None)
}

/// The same for a list of which some fields are known: the others are sought in its records.
pub(crate) fn recover_rest(page: &Page, wanted: &[Wanted], profile: &Profile, fixed: Fixed<'_>) -> Recovered {
    let read = Read::new(page, wanted, profile, None);
    let mut found = records(&read, wanted, profile, &[], Some(fixed));
    if found.records.len() != fixed.rows.len() {
        // The records do not stand apart.
        found.records = fixed.rows.to_vec();
        found.sure.fill(0.0);
    }
    fix(&mut found, fixed);
    found
}

/// The same for pages with one record each, together. Fields whose values vary do not have the texts that are on all pages.
/// `kept` are the fields whose values are known. `step` is called before each page; nothing is found if it says that the work is to stop.
pub(crate) fn recover_together(
    pages: &[&Page],
    wanted: &[Wanted],
    profile: &Profile,
    kept: Option<&Healthy>,
    step: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<Recovered>> {
    let template = Template::new(pages);
    let mut read = Vec::with_capacity(pages.len());
    for (number, page) in pages.iter().enumerate() {
        if !step(number) {
            return None;
        }
        read.push(Read::new(page, wanted, profile, Some(&template)));
    }
    let common = Common::new(&read);
    let mut candidates: Vec<Vec<Vec<Candidate>>> = read.iter().map(|page| page.candidates(wanted, &common)).collect();
    let are_known = known_pages(&read, &candidates);
    for field in 0..wanted.len() {
        let mut of: Vec<&mut Vec<Candidate>> = candidates.iter_mut().map(|page| &mut page[field]).collect();
        framed(&mut of, &read, field);
        let recurs = |(page, of): (usize, &&mut Vec<Candidate>)| {
            are_known[page] && of.iter().any(|candidate| candidate.recurring(&read[page], field) > 0)
        };
        let witnesses: Vec<bool> = of.iter().enumerate().map(recurs).collect();
        let usual = profile.fields[field].records as f64 / profile.records.max(1) as f64;
        together(of, usual, &witnesses);
    }
    let levels = levels(&read, &candidates);
    for ((page, candidates), fixed) in read.iter().zip(&mut candidates).zip(fixed_rows(kept)) {
        take(page, candidates, fixed);
    }
    let each = read.iter().zip(candidates);
    let mut found: Vec<One> = each
        .map(|(read, candidates)| one(read, wanted, candidates, &levels))
        .collect();
    exchanged(&mut found);
    let mut found: Vec<Recovered> = found.into_iter().map(|one| one.recovered).collect();
    for (found, fixed) in found.iter_mut().zip(fixed_rows(kept)) {
        fix(found, fixed);
    }
    Some(found)
}

/// For each page, is it about a thing that is known: do at least half of the fields that differ from thing to thing have a value on it that was seen before, to the
/// letter? One of them may recur by chance, such as a price.
fn known_pages(read: &[Read<'_>], candidates: &[Vec<Vec<Candidate>>]) -> Vec<bool> {
    let of = |(page, candidates): (&Read<'_>, &Vec<Vec<Candidate>>)| {
        let varies = |field: &usize| page.known[*field].varies();
        let telling: Vec<usize> = (0..page.known.len()).filter(varies).collect();
        let recurs = |field: &&usize| {
            let mut of = candidates[**field].iter();
            of.any(|candidate| candidate.recurring(page, **field) > 0)
        };
        let count = telling.iter().filter(recurs).count();
        count > 0 && count * 2 >= telling.len()
    };
    read.iter().zip(candidates).map(of).collect()
}

/// For each field, how many values recur to the letter at each place, on all pages together. Where they recur decides between an element and a part of it, also on
/// the pages where none does.
fn levels(read: &[Read<'_>], candidates: &[Vec<Vec<Candidate>>]) -> Vec<HashMap<u64, usize>> {
    let fields = candidates.first().map_or(0, Vec::len);
    let mut levels: Vec<HashMap<u64, usize>> = vec![HashMap::new(); fields];
    for (page, of) in read.iter().zip(candidates) {
        for (field, of) in of.iter().enumerate() {
            for candidate in of {
                let (Some(place), count) = (candidate.keys[0], candidate.recurring(page, field)) else {
                    continue;
                };
                if count > 0 {
                    *levels[field].entry(place).or_default() += count;
                }
            }
        }
    }
    levels
}

/// For each page, what is known of its records.
fn fixed_rows(kept: Option<&Healthy>) -> impl Iterator<Item = Fixed<'_>> {
    kept.into_iter()
        .flat_map(|kept| (0..kept.rows.len()).map(|page| kept.on(page)))
}

/// Leaves to fields whose values are known the places of these, and to no other field, unless it had the same values.
fn take(read: &Read<'_>, candidates: &mut [Vec<Candidate>], fixed: Fixed<'_>) {
    let Some(row) = fixed.rows.first() else { return };
    let text = |item: &usize| &read.items.looks[*item].sight.text;
    for (field, of) in candidates.iter_mut().enumerate() {
        let is_of = |candidate: &Candidate, other: usize| candidate.items.iter().map(text).eq(&row[other]);
        if fixed.keeps[field] {
            of.retain(|candidate| is_of(candidate, field));
            continue;
        }
        let may_be = |other: usize| same(&read.known[field], &read.known[other]);
        let taken: Vec<usize> = (0..row.len())
            .filter(|other| fixed.keeps[*other] && !may_be(*other))
            .collect();
        of.retain(|candidate| !taken.iter().any(|other| is_of(candidate, *other)));
    }
}

/// Puts the values that are known into what was found.
fn fix(found: &mut Recovered, fixed: Fixed<'_>) {
    for (field, _) in fixed.keeps.iter().enumerate().filter(|(_, keeps)| **keeps) {
        found.sure[field] = 1.0;
        found.most[field] = 1.0;
        found.instead[field].clear();
        for (record, row) in found.records.iter_mut().zip(fixed.rows) {
            record[field].clone_from(&row[field]);
        }
    }
}

/// What was found on a page with one record.
struct One {
    recovered: Recovered,
    /// For each pair of fields that could be exchanged, what that would lose.
    margins: Vec<Vec<Option<f64>>>,
}

/// Makes fields less sure that could be exchanged with another one. One page may not tell a name from another one, but several do: what is lost is the mean over
/// all pages.
fn exchanged(pages: &mut [One]) {
    let fields = pages.first().map_or(0, |page| page.margins.len());
    for field in 0..fields {
        let lost = (0..fields).filter_map(|other| {
            let margins = pages.iter().filter_map(|page| page.margins[field][other]);
            let (sum, count) = margins.fold((0.0, 0), |(sum, count), margin| (sum + margin, count + 1));
            (count > 0).then(|| sum / f64::from(count))
        });
        let left = apart(lost.fold(f64::INFINITY, f64::min));
        for page in &mut *pages {
            page.recovered.sure[field] *= left;
        }
    }
}

/// The largest part of a candidate's worth that all pages decide; a value without a label may be at another place on each.
const TOGETHER: f64 = 0.7;

/// Makes the candidates of a field on several pages worth what candidates at the same place, or with the same label, are worth
/// on all pages, in part. The field is expected in this share of the records. Pages where values of before recur decide alone, if there are any: what is new on the
/// others says little about where the values are, and would make a repair less sure the more pages there are.
fn together(mut pages: Vec<&mut Vec<Candidate>>, usual: f64, witnesses: &[bool]) {
    if pages.len() < 2 {
        return;
    }
    // Each page is one witness of several.
    let part = (1.0 - 1.0 / pages.len() as f64).min(TOGETHER);
    let recurring = witnesses.iter().filter(|is_witness| **is_witness).count();
    let expected = match recurring {
        0 => (pages.len() as f64 * usual).max(1.0),
        _ => recurring as f64,
    };
    let mut worths: [HashMap<u64, f64>; 2] = Default::default();
    let heard = pages.iter().zip(witnesses);
    for (page, _) in heard.filter(|(_, is_witness)| recurring == 0 || **is_witness) {
        let mut here: [BTreeMap<u64, f64>; 2] = Default::default();
        for candidate in page.iter() {
            for (here, key) in here.iter_mut().zip(candidate.keys) {
                let Some(key) = key else { continue };
                let best = here.entry(key).or_default();
                *best = best.max(candidate.worth);
            }
        }
        for (worths, here) in worths.iter_mut().zip(here) {
            for (key, worth) in here {
                *worths.entry(key).or_default() += worth;
            }
        }
    }
    for candidate in pages.iter_mut().flat_map(|page| page.iter_mut()) {
        let on_all = worths
            .iter()
            .zip(candidate.keys)
            .filter_map(|(worths, key)| worths.get(&key?));
        let on_all = on_all.fold(0.0, |best: f64, sum| best.max(sum / expected)).min(1.0);
        candidate.worth = (1.0 - part) * candidate.worth + part * on_all;
    }
}

/// Makes candidates worth less that have, at the same place or after the same label of all pages, the same new word or sign around them.
fn framed(pages: &mut [&mut Vec<Candidate>], read: &[Read<'_>], field: usize) {
    let Some(known) = read.first().map(|page| &page.known[field]) else {
        return;
    };
    let mut texts: HashMap<u64, Vec<&str>> = HashMap::new();
    for (page, read) in pages.iter().zip(read) {
        for candidate in page.iter() {
            let [item] = candidate.items[..] else { continue };
            for key in candidate.keys.iter().flatten() {
                texts.entry(*key).or_default().push(&read.items.looks[item].sight.text);
            }
        }
    }
    let is_framed = |(key, mut texts): (u64, Vec<&str>)| {
        texts.sort_unstable();
        texts.dedup();
        known.is_framed(&texts).then_some(key)
    };
    let framed: HashSet<u64> = texts.into_iter().filter_map(is_framed).collect();
    for candidate in pages.iter_mut().flat_map(|page| page.iter_mut()) {
        if candidate.keys.iter().flatten().any(|key| framed.contains(key)) {
            candidate.worth *= weights::FRAMED;
        }
    }
}

/// A page with its items, and each field compared with them.
struct Read<'a> {
    page: &'a Page,
    structure: Structure,
    items: Items,
    known: Vec<Known<'a>>,
    /// By what each item is told on another page.
    keys: Vec<Keys>,
    /// How often the page has each text.
    counts: HashMap<String, usize>,
}

impl<'a> Read<'a> {
    /// `template` is what other pages say, too; none for a list, whose labels are mostly headings.
    fn new(page: &'a Page, wanted: &[Wanted], profile: &'a Profile, template: Option<&Template>) -> Read<'a> {
        let structure = Structure::new(page);
        let mut items = Items::new(page, &structure);
        let mut known: Vec<Known<'_>> = wanted
            .iter()
            .zip(&profile.fields)
            .map(|(want, field)| {
                let is_listed = profile.records > profile.pages || field.count > field.records;
                Known::new(field, &want.name).of_list(is_listed)
            })
            .collect();
        let mut said = Words::default();
        let mut heard: HashSet<&str> = HashSet::new();
        for look in &items.looks {
            if heard.insert(&look.sight.text) {
                said.add(&look.tokens);
            }
        }
        if let Some(template) = template {
            labels::relabel(page, &mut items, &known, template);
        }
        let labels = template.map(|template| template.labels.clone()).unwrap_or_default();
        items.cut_labels(page, &structure, &known, &labels);
        items.cut_frames(page, &structure, &known);
        for known in &known {
            items.cut(known);
        }
        for (field, known) in known.iter_mut().enumerate() {
            let mut elsewhere = said.clone();
            let others = profile.fields.iter().enumerate().filter(|(other, _)| *other != field);
            for text in others.flat_map(|(_, other)| &other.samples) {
                elsewhere.add(&tokens(text));
            }
            known.look_at(&items.looks, &elsewhere);
        }
        Read {
            keys: keys(page, &structure, &items),
            counts: counts(page),
            page,
            structure,
            items,
            known,
        }
    }

    /// For a page with one record, what each field could take.
    fn candidates(&self, wanted: &[Wanted], common: &Common) -> Vec<Vec<Candidate>> {
        let groups = self.items.groups(self.page);
        let of = |(want, known): (&Wanted, &Known<'_>)| match want.many {
            true => several(self, &groups, known, common),
            false => single(self, known, common),
        };
        wanted.iter().zip(&self.known).map(of).collect()
    }
}

/// By what an item is told on another page: its place with its number there, and its label with its element.
fn keys(page: &Page, structure: &Structure, items: &Items) -> Vec<Keys> {
    let mut counts: HashMap<Place<'_>, usize> = HashMap::new();
    let each = items.nodes.iter().zip(&items.looks).map(|(node, look)| {
        let place = structure.place(page, *node, CLASSES);
        let number = counts.entry(place).or_default();
        *number += 1;
        let label = look.sight.label.as_ref();
        [
            Some(hash((place, *number))),
            label.map(|label| hash((label, &look.sight.tag, look.nearness()))),
        ]
    });
    each.collect()
}

/// The number of elements whose classes tell a place from others, see [`Structure::place`].
const CLASSES: usize = 1;

type Keys = [Option<u64>; 2];

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

fn records(
    read: &Read<'_>,
    wanted: &[Wanted],
    profile: &Profile,
    before: &[Vec<NodeId>],
    fixed: Option<Fixed<'_>>,
) -> Recovered {
    let Read {
        page,
        structure,
        items,
        known,
        ..
    } = read;
    let sought = Sought {
        page,
        structure,
        items,
        wanted,
        known,
        profile,
        before,
        within: &within(profile),
        fixed,
    };
    let Some(mut found) = blocks::find(&sought) else {
        return Recovered {
            records: Vec::new(),
            sure: vec![0.0; wanted.len()],
            most: vec![1.0; wanted.len()],
            instead: vec![Vec::new(); wanted.len()],
            otherwise: vec![false; wanted.len()],
        };
    };
    for (known, (_, column)) in known.iter().zip(&mut found.fields) {
        known.drop_unsaid(&items.looks, column);
        known.drop_led_away(&items.looks, column);
    }
    let holds = holding(read, &found, &sought);
    let text = |item: &usize| items.looks[*item].sight.text.clone();
    let instead = (0..wanted.len()).map(|field| match is_close(found.fields[field].0, found.rivals[field]) {
        true => found.instead[field].iter().map(text).collect(),
        false => Vec::new(),
    });
    let instead = instead.collect();
    let headed: Vec<Option<bool>> = (0..wanted.len())
        .map(|field| {
            let column: Vec<usize> = found.fields[field].1.iter().flatten().copied().collect();
            known[field].keeps_heading(&column)
        })
        .collect();
    // The share of known values of each field, and whether many records have the same value.
    let shares: Vec<(Option<f64>, bool)> = (0..wanted.len())
        .map(|field| {
            let column: Vec<usize> = found.fields[field].1.iter().flatten().copied().collect();
            let share = known[field].known_share(&items.looks, &column);
            (share, Known::is_shared(&items.looks, &column))
        })
        .collect();
    let ways: Vec<Option<bool>> = (0..wanted.len())
        .map(|field| {
            let column: Vec<usize> = found.fields[field].1.iter().flatten().copied().collect();
            known[field].keeps_ways(&items.looks, &column)
        })
        .collect();
    let each = found.fields.iter().zip(&found.rivals).zip(&found.margins).enumerate();
    let (sure, most): (Vec<f64>, Vec<f64>) = each
        .map(|(field, (((worth, column), rival), margin))| {
            let column_of: Vec<usize> = column.iter().flatten().copied().collect();
            let (known, looks) = (&known[field], &items.looks);
            // Where all other fields keep their headings, a column with another one is another column.
            let mut others = (0..wanted.len())
                .filter(|other| *other != field)
                .filter_map(|other| headed[other])
                .peekable();
            let are_headed = others.peek().is_some() && others.all(|keeps| keeps);
            // The records are known by other values, and this value of each is new, and written as before or the same for many: it is another one.
            let are_known = (0..wanted.len()).any(|other| {
                let (share, is_shared) = shares[other];
                other != field && !is_shared && share.is_some_and(|share| share >= weights::SAME_RECORDS.0)
            });
            let (share, is_shared) = shares[field];
            let is_renewed = are_known
                && share.is_some_and(|share| share <= weights::SAME_RECORDS.1)
                && (is_shared || known.is_written_so(&column_of));
            // Where the other addresses of the records are made as before, and these are not at all, they are others.
            let is_led_away = ways[field] == Some(false)
                && (0..wanted.len()).any(|other| other != field && ways[other] == Some(true));
            let doubts = [
                (is_renewed, weights::RENEWED),
                (known.is_of_no_kind(looks, &column_of), weights::WITHOUT_KIND),
                (known.is_repetitive(looks, &column_of), weights::MADE_OTHERWISE),
                (holds[field], weights::MADE_OTHERWISE),
                (
                    are_headed && known.has_other_heading(looks, &column_of),
                    weights::WITHOUT_LABEL,
                ),
                (known.lacks_said(looks, &column_of), weights::WITHOUT_LABEL),
                (
                    is_led_away || known.leads_elsewhere(looks, &column_of),
                    weights::MADE_OTHERWISE,
                ),
            ];
            let is_mixed = known.lacks_kind(looks, &column_of) || known.has_strays(looks, &column_of);
            let most = if is_mixed { weights::UNTOLD } else { found.most };
            let most = most.min(told(*worth, *rival, known.is_told(looks, &column_of)));
            let sure = sureness(*worth, *rival) * apart(*margin) * covered(items, known, column);
            (sure * left(&doubts) * found.left, most)
        })
        .unzip();
    // A field is hardly surer than its record, of which most fields must be there.
    let sought = profile.fields.iter().filter(|field| field.count > 0).count();
    let is_part = sure.iter().filter(|sure| **sure >= LEAST).count() * 2 < sought;
    let of_record = if is_part { weights::UNTOLD } else { 1.0 };
    let mut most: Vec<f64> = most.into_iter().map(|most| most.min(of_record)).collect();
    let mut records = Vec::new();
    let is_beside = beside(read, &found, &sure);
    let heads: Vec<Option<String>> = (0..wanted.len()).map(|field| headed_by(items, &found, field)).collect();
    foreign::drop_foreign(read, wanted, profile, &mut found);
    for (number, is_beside) in is_beside.into_iter().enumerate() {
        let all =
            || (0..wanted.len()).flat_map(|field| found.fields[field].1[number].iter().map(move |at| (field, *at)));
        let headings = all().filter(|(field, item)| {
            let text = &items.looks[*item].sight.text;
            known[*field].is_heading(text) || heads[*field].as_ref() == Some(text)
        });
        // A row of headings, and what is above or below the records, such as a pager.
        let is_heading = headings.count() * 2 > all().count();
        if fixed.is_none() && (is_heading || is_beside) {
            continue;
        }
        let record: Vec<Vec<String>> = (0..wanted.len())
            .map(|field| match sure[field] > 0.0 {
                true => found.fields[field].1[number]
                    .iter()
                    .map(|item| items.looks[*item].sight.text.clone())
                    .collect(),
                false => Vec::new(),
            })
            .collect();
        // Rows that have hardly any field of a record are headings and separators. Rows that name the columns are
        // skipped too.
        let named = (0..wanted.len())
            .filter(|field| sure[*field] > 0.0)
            .flat_map(|field| &found.fields[field].1[number])
            .all(|item| page.name(items.nodes[*item]) == "th");
        if named && fixed.is_none() {
            continue;
        }
        let filled = record.iter().filter(|values| !values.is_empty()).count();
        if fixed.is_some() || filled * 2 >= sure.iter().filter(|sure| **sure > 0.0).count().max(1) {
            records.push(record);
        }
    }
    for (field, most) in most.iter_mut().enumerate() {
        let values: Vec<&str> = records
            .iter()
            .flat_map(|record| &record[field])
            .map(String::as_str)
            .collect();
        if known[field].is_mixed(&values) {
            *most = most.min(weights::UNTOLD);
        }
    }
    Recovered {
        records,
        sure,
        most,
        instead,
        otherwise: vec![false; wanted.len()],
    }
}

/// The label that most items of a column follow. A row that says it in their place is a row of headings.
fn headed_by(items: &Items, found: &blocks::Blocks, field: usize) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let column = || found.fields[field].1.iter().flatten();
    for label in column().filter_map(|item| items.looks[*item].sight.label.as_deref()) {
        *counts.entry(label).or_default() += 1;
    }
    let (label, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count * 2 > column().count()).then(|| label.to_owned())
}

/// What is left of how sure a field is, with those doubts that hold.
fn left(doubts: &[(bool, f64)]) -> f64 {
    let hold = doubts.iter().filter(|(holds, _)| *holds);
    hold.map(|(_, left)| left).product()
}

/// The least number of known values on a page that say something about where its records are.
const SEVERAL: usize = 5;

/// What is left of how sure a list is if most of the known values that are on the page are elsewhere: then it is another list,
/// or a part of one.
fn covered(items: &Items, known: &Known<'_>, column: &[Vec<usize>]) -> f64 {
    let is_known = |item: &usize| known.has_value(&items.looks[*item]);
    let texts = |of: &mut dyn Iterator<Item = usize>| -> HashSet<&str> {
        let known = of.filter(is_known);
        known.map(|item| items.looks[item].sight.text.as_str()).collect()
    };
    let on_page = texts(&mut (0..items.looks.len())).len();
    let found = texts(&mut column.iter().flatten().copied()).len();
    match on_page >= SEVERAL && found * 2 < on_page {
        true => 2.0 * found as f64 / on_page as f64,
        false => 1.0,
    }
}

/// Does the next best choice fit nearly as well?
fn is_close(worth: f64, rival: f64) -> bool {
    rival >= LEAST && worth - rival < CLEAR
}

/// How sure a choice is, from how well it fits and how well the next best one fits.
fn sureness(worth: f64, rival: f64) -> f64 {
    if worth < LEAST {
        return 0.0;
    }
    let clear = ((worth - rival) / CLEAR).clamp(0.0, 1.0);
    (worth.min(1.0) * (0.6 + 0.4 * clear)).min(1.0)
}

/// The most that the score of a choice may be, if neither words nor known values tell that it is the right one: where the next best one fits as well,
/// either may be right.
fn told(worth: f64, rival: f64, is_told: bool) -> f64 {
    let clear = ((worth - rival) / CLEAR).clamp(0.0, 1.0);
    if is_told {
        1.0
    } else {
        weights::UNTOLD + (1.0 - weights::UNTOLD) * clear
    }
}

/// Two fields whose columns could be exchanged with so little loss are told apart by nothing but their order.
const EXCHANGED: f64 = 0.1;

/// How sure it is that a field was not exchanged with another one, by what that would lose.
fn apart(margin: f64) -> f64 {
    (margin / EXCHANGED).clamp(0.0, 1.0)
}

/// For each pair of fields: are values of the first parts of values of the second?
fn within(profile: &Profile) -> Vec<Vec<bool>> {
    let of = |one: usize, other: usize| {
        let parts = &profile.fields[one].samples;
        let wholes = &profile.fields[other].samples;
        wholes
            .iter()
            .take(50)
            .any(|whole| parts.iter().take(50).any(|part| whole.contains(part.as_str())))
    };
    let count = profile.fields.len();
    (0..count)
        .map(|one| (0..count).map(|other| of(one, other)).collect())
        .collect()
}

/// A set of items that a field could take.
struct Candidate {
    worth: f64,
    items: Vec<usize>,
    keys: Keys,
}

impl Candidate {
    /// How many of its items are values that were seen before, to the letter.
    fn recurring(&self, read: &Read<'_>, field: usize) -> usize {
        read.known[field].recurring(&read.items.looks, self.items.iter().copied())
    }
}

/// For pages with one record: the fields together take the columns that fit them best. `levels` says where values recur on all pages, see [`levels`].
fn one(read: &Read<'_>, wanted: &[Wanted], candidates: Vec<Vec<Candidate>>, levels: &[HashMap<u64, usize>]) -> One {
    let Read { page, items, known, .. } = read;
    let (mut candidates, rest): (Vec<Vec<Candidate>>, Vec<Vec<Candidate>>) = candidates
        .into_iter()
        .map(|of| {
            let mut of = best(items, of, COMPARED);
            let rest = of.split_off(of.len().min(CANDIDATES));
            (of, rest)
        })
        .unzip();
    let worths: Vec<Vec<f64>> = candidates
        .iter()
        .map(|candidates| candidates.iter().map(|candidate| candidate.worth).collect())
        .collect();
    let same: Vec<Vec<bool>> = known
        .iter()
        .map(|one| known.iter().map(|other| same(one, other)).collect())
        .collect();
    let mut chosen = assign(&worths, &|a, b| {
        !same[a.0][b.0] && share(page, items, &candidates[a.0][a.1], &candidates[b.0][b.1])
    });
    let tied = tied(known).and_then(|(text, address)| {
        let of = *candidates[text][chosen[text]?].items.first()?;
        let best = candidates[address].first()?.worth * weights::SAME_LINK;
        let same = candidates[address].iter().position(|candidate| {
            let is_one = |item: &usize| items.are_one(page, of, *item);
            candidate.worth >= best && candidate.items.first().is_some_and(is_one)
        })?;
        chosen[address] = Some(same);
        Some(address)
    });
    // Values that recur to the letter decide whether the element or a part of it is the value. A part that some of the elements lack
    // would lose values.
    for (field, number) in chosen.iter().enumerate() {
        let Some(number) = *number else { continue };
        let recurring = |of: &Candidate| {
            let elsewhere = levels
                .get(field)
                .zip(of.keys[0])
                .and_then(|(known, place)| known.get(&place));
            (of.recurring(read, field), elsewhere.copied().unwrap_or(0))
        };
        let mine = &candidates[field][number];
        let around = candidates[field].iter().chain(&rest[field]);
        let around = around
            .filter(|other| other.items.len() >= mine.items.len() && items.are_levels(page, &mine.items, &other.items));
        let best = around.max_by_key(|other| (recurring(other), other.items == mine.items));
        if let Some(best) = best.filter(|best| recurring(best) > recurring(mine)) {
            let (items, keys) = (best.items.clone(), best.keys);
            let worth = mine.worth.max(best.worth);
            candidates[field][number] = Candidate { worth, items, keys };
        }
    }
    let mut record = Vec::new();
    let (mut sure, mut most) = (Vec::new(), Vec::new());
    let (mut instead, mut otherwise, mut margins) = (Vec::new(), Vec::new(), Vec::new());
    for (field, number) in chosen.iter().enumerate() {
        let found = number.map(|number| &candidates[field][number]);
        // The best candidate that shares nothing with the chosen one.
        let rival = candidates[field].iter().find(|other| {
            let mut taken = chosen.iter().enumerate();
            !taken.any(|(field, number)| {
                number.is_some_and(|number| share(page, items, other, &candidates[field][number]))
            })
        });
        // Other links have other texts.
        let rival = rival.filter(|_| tied != Some(field));
        // A price is no rival of a code.
        let gains = |of: &Candidate| known[field].gains_kind(&items.looks, &of.items);
        let rival = rival.filter(|rival| !gains(rival) || found.is_none_or(gains));
        let next = rival.filter(|rival| found.is_none_or(|found| is_close(found.worth, rival.worth)));
        let texts = |of: Option<&Candidate>| -> Vec<String> {
            let items_of = of.iter().flat_map(|of| &of.items);
            items_of.map(|item| items.looks[*item].sight.text.clone()).collect()
        };
        let (mine, mut next) = (texts(found), texts(next));
        // An element around the value is no other place.
        next.retain(|text| !mine.iter().any(|mine| text.contains(mine.as_str())));
        instead.push(next);
        let rival = rival.map_or(0.0, |rival| rival.worth);
        let taken = |field: usize| chosen[field].map(|number| &candidates[field][number].items);
        let fit = |field: usize, of: &Vec<usize>| known[field].fit(&items.looks, of, of.len() as f64);
        let of = (0..wanted.len()).map(|other| {
            let (own, others) = (taken(field)?, taken(other)?);
            let alike = other != field && !same[field][other] && wanted[field].many == wanted[other].many;
            alike.then(|| fit(field, own) + fit(other, others) - fit(field, others) - fit(other, own))
        });
        margins.push(of.collect());
        let is_otherwise = found.is_some_and(|found| known[field].is_made_otherwise(&items.looks, &found.items));
        otherwise.push(is_otherwise);
        let doubted = |found: &Candidate| {
            let lacks = [
                (
                    known[field].lacks_label(&items.looks, &found.items),
                    weights::WITHOUT_LABEL,
                ),
                (
                    known[field].lacks_said(&items.looks, &found.items),
                    weights::WITHOUT_LABEL,
                ),
                (is_otherwise, weights::MADE_OTHERWISE),
                (
                    known[field].lacks_kind(&items.looks, &found.items)
                        || known[field].gains_kind(&items.looks, &found.items),
                    weights::WITHOUT_KIND,
                ),
            ];
            left(&lacks)
        };
        sure.push(found.map_or(0.0, |found| sureness(found.worth, rival) * doubted(found)));
        most.push(found.map_or(1.0, |found| {
            told(found.worth, rival, known[field].is_told(&items.looks, &found.items))
        }));
        let texts = found.iter().flat_map(|found| &found.items);
        record.push(texts.map(|item| items.looks[*item].sight.text.clone()).collect());
    }
    One {
        recovered: Recovered {
            records: vec![record],
            sure,
            most,
            instead,
            otherwise,
        },
        margins,
    }
}

/// Did two fields mostly have the same values before? Then they may again: a title, and all places that mention it.
fn same(one: &Known<'_>, other: &Known<'_>) -> bool {
    let (one, other) = (&one.field.samples, &other.field.samples);
    let shared = one.iter().filter(|text| other.contains(text)).count();
    shared > 0 && shared * 2 >= one.len().min(other.len())
}

/// Do two candidates have the same text, or is one a part of the other?
fn share(page: &Page, items: &Items, one: &Candidate, other: &Candidate) -> bool {
    let text = |item: &usize| items.looks[*item].sight.text.as_str();
    if one.items.len() == 1 && other.items.len() == 1 {
        return text(&one.items[0]) == text(&other.items[0]);
    }
    let holds = |a: &usize, b: &usize| {
        let (a, b) = (items.nodes[*a], items.nodes[*b]);
        a <= b && b < page.end(a)
    };
    // Both are in page order.
    let mut at = 0;
    for item in &one.items {
        while at < other.items.len() && page.end(items.nodes[other.items[at]]) <= items.nodes[*item] {
            at += 1;
        }
        let near = other.items[at..].iter().take(2);
        if near.into_iter().any(|other| holds(item, other) || holds(other, item)) {
            return true;
        }
    }
    false
}

/// The candidates that fit best, also several with the same text: which of the places is the one of all pages is not known yet.
fn fitting(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.retain(|candidate| candidate.worth >= LEAST);
    candidates.sort_by(|a, b| b.worth.total_cmp(&a.worth).then_with(|| a.items.cmp(&b.items)));
    candidates.truncate(PLACES);
    candidates
}

/// The best candidates, each text once, up to `most`.
fn best(items: &Items, mut candidates: Vec<Candidate>, most: usize) -> Vec<Candidate> {
    candidates.retain(|candidate| candidate.worth >= LEAST);
    candidates.sort_by(|a, b| b.worth.total_cmp(&a.worth).then_with(|| a.items.cmp(&b.items)));
    let mut known: HashSet<Vec<&str>> = HashSet::new();
    candidates.retain(|candidate| {
        let texts = candidate
            .items
            .iter()
            .map(|item| items.looks[*item].sight.text.as_str());
        known.len() < most && known.insert(texts.collect())
    });
    candidates
}

fn single(read: &Read<'_>, known: &Known<'_>, common: &Common) -> Vec<Candidate> {
    let items = &read.items;
    let mut candidates = Vec::new();
    let varies = known.varies();
    for column in &items.columns {
        // One of many items that look alike is less likely to be the right one.
        let alone = 1.0 / (column.len() as f64).sqrt();
        // What all pages say is a part of the template, unless it was a value, or values were all the same.
        let fresh = |item: &&usize| {
            let look = &items.looks[**item];
            let may_be_common = !varies && (known.field.different < 2 || known.has_value(look));
            may_be_common || !common.has(read, **item)
        };
        for item in column.iter().take(40).filter(fresh) {
            let items_of = vec![*item];
            let said = match known.lacks_said(&items.looks, &items_of) {
                true => weights::WITHOUT_LABEL,
                false => 1.0,
            };
            let worth = known.fit(&items.looks, &items_of, 1.0) * (0.6 + 0.4 * alone) * said;
            candidates.push(Candidate {
                worth,
                items: items_of,
                keys: read.keys[*item],
            });
        }
    }
    fitting(candidates)
}

fn several(read: &Read<'_>, groups: &[Vec<usize>], known: &Known<'_>, common: &Common) -> Vec<Candidate> {
    let items = &read.items;
    // What all pages say is a part of the template, such as a heading in the first row, if it was never a value. So is a number before each value, in an element like its own.
    let is_value = |item: &&usize| {
        let look = &items.looks[**item];
        known.has_value(look) || !common.has(read, **item) && !known.is_wordless(look)
    };
    let of = |group: &Vec<usize>| {
        let items_of: Vec<usize> = group.iter().filter(is_value).copied().collect();
        Some(Candidate {
            worth: known.fit(&items.looks, &items_of, items_of.len() as f64),
            keys: read.keys[*items_of.first()?],
            items: items_of,
        })
    };
    fitting(groups.iter().filter_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_new_things_do_not_outvote_known_values() {
        let candidate = |key: u64, worth: f64| Candidate {
            worth,
            items: Vec::new(),
            keys: [Some(key), None],
        };
        // At the first place a value recurs on the first page. On the other pages, other things fit better at the second place.
        let mut pages: Vec<Vec<Candidate>> = vec![vec![candidate(1, 1.0), candidate(2, 0.5)]];
        pages.extend((0..9).map(|_| vec![candidate(1, 0.5), candidate(2, 0.6)]));
        let witnesses: Vec<bool> = (0..10).map(|page| page == 0).collect();
        together(pages.iter_mut().collect(), 1.0, &witnesses);
        assert!(pages.iter().all(|page| page[0].worth > page[1].worth + CLEAR));
    }

    #[test]
    fn what_one_page_does_not_tell_apart_several_do() {
        let page = |margin: f64| One {
            recovered: Recovered {
                sure: vec![0.8, 0.8],
                ..Recovered::default()
            },
            margins: vec![vec![None, Some(margin)], vec![Some(margin), None]],
        };
        let sure = |margins: &[f64]| -> Vec<f64> {
            let mut pages: Vec<One> = margins.iter().map(|margin| page(*margin)).collect();
            exchanged(&mut pages);
            pages.iter().map(|page| page.recovered.sure[0]).collect()
        };
        assert_eq!(sure(&[0.0]), [0.0]);
        assert_eq!(sure(&[0.3]), [0.8]);
        // The second page says nothing, the others do.
        assert_eq!(sure(&[0.3, -0.05, 0.2]), [0.8; 3]);
        // On none of them is there a reason not to exchange the two.
        assert!(sure(&[0.01, 0.0, 0.005]).iter().all(|sure| *sure < 0.1));
    }
}
