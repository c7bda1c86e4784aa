//! `cargo xtask exalg`: templates on the page collections of EXALG's authors, compared with their own results.
//!
//! The authors made a schema by hand for each collection. For each of its attributes, the values that their program
//! extracted, page by page, are compared with our fields. Values are compared without tags and white space. The
//! categories are those of Table 2: correct if one field has the same values on every page, partially correct if some
//! field has, for each value on each page, its own text that contains it, otherwise incorrect; most of a page's text is
//! not a value. Only if their result spreads an attribute over several schema nodes, ours may use several fields too, each
//! of which has only values of the attribute. If several attributes share one node, their texts may be several values or
//! fields that together are its text; what is an attribute inside that text is not known. Templates are saved and read
//! back; they are made from all pages, and once more from the first half and read on the other pages. In the authors' files, values with letters beyond ASCII are lost: they are empty there. On a page with lost
//! values, the same number of our values with such letters is ignored.

use crate::Options;
use crate::pages::unpack_all;
use crate::random::Random;
use anyhow::{Context as _, Result, bail};
use learn::exalg::TemplateSettings;
use page::Page;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use wrapper::rule::Event;
use wrapper::rule::template::{Run, Template, infix, record_type};
use wrapper::{Rule, Wrapper};

/// The values of one field or attribute on each page, in page order.
pub(crate) type Column = Vec<Vec<String>>;

/// How well an attribute was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Incorrect,
    Partial,
    Correct,
}

/// Runs the chore.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    match options.text("part") {
        None | Some("authors") => {}
        Some("growth") => return growth(),
        Some("draws") => return draws(options),
        Some(other) => bail!("unknown part `{other}`; there are `authors`, `draws` and `growth`"),
    }
    let settings = TemplateSettings {
        paper: options.text("method") == Some("paper"),
        ..TemplateSettings::default()
    };
    let mut lost = 0;
    println!(
        "| collection | pages | attributes | theirs correct | ours correct | partial | incorrect | on others: correct | partial | incorrect | rounds | ms |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut details = String::new();
    let mut sums = [[0; 3]; 2];
    for (name, collection) in &collections(options)? {
        let started = Instant::now();
        let pages: Vec<&Page> = collection.pages.iter().collect();
        let inferred = learn::exalg::infer(&pages, &settings, &page::Job::new())?;
        let columns = columns(&saved(&inferred.template)?, &pages);
        let time = started.elapsed();
        if options.text("dump").is_some() {
            println!("{}\n{}", infix(&inferred.template, true), inferred.template.parts.len());
        }
        let (mut theirs, mut counts) = (0, [[0; 3]; 2]);
        details += &format!("\n{name}:\n");
        for attribute in &collection.attributes {
            let (verdict, fields) = attribute.verdict(&columns, &pages);
            theirs += usize::from(attribute.theirs);
            lost += usize::from(attribute.theirs && verdict != Verdict::Correct);
            counts[0][verdict as usize] += 1;
            let names: Vec<&str> = fields
                .iter()
                .map(|field| inferred.template.fields[*field].as_str())
                .collect();
            let mark = if attribute.theirs { "(c)" } else { "   " };
            details += &format!("  {mark} {:<24} {verdict:?}: {}\n", attribute.name, names.join(", "));
            if verdict != Verdict::Correct {
                details += &attribute.difference(&columns);
            }
        }
        let half = pages.len().div_ceil(2);
        let rest: Vec<usize> = (half..pages.len()).collect();
        let other = learn::exalg::infer(&pages[..half], &settings, &page::Job::new())?;
        let others = self::columns(&saved(&other.template)?, &pages[half..]);
        for attribute in &collection.attributes {
            let (verdict, _) = attribute.on(&rest).verdict(&others, &pages[half..]);
            counts[1][verdict as usize] += 1;
        }
        for (sum, counts) in sums.iter_mut().flatten().zip(counts.iter().flatten()) {
            *sum += counts;
        }
        let [same, others] = counts;
        println!(
            "| {name} | {} | {} | {theirs} | {} | {} | {} | {} | {} | {} | {} | {:.0} |",
            pages.len(),
            collection.attributes.len(),
            same[2],
            same[1],
            same[0],
            others[2],
            others[1],
            others[0],
            inferred.iterations,
            time.as_secs_f64() * 1e3
        );
    }
    let [same, others] = sums;
    println!(
        "| all | | {} | | {} | {} | {} | {} | {} | {} | | |",
        same.iter().sum::<usize>(),
        same[2],
        same[1],
        same[0],
        others[2],
        others[1],
        others[0]
    );
    print!("{details}");
    println!("\nattributes that theirs got right and ours did not: {lost}");
    Ok(ExitCode::SUCCESS)
}

/// The collections that the options ask for, with their names.
fn collections(options: &Options) -> Result<Vec<(String, Collection)>> {
    let data = PathBuf::from(options.text("data").unwrap_or("../shared/bench/exalg"));
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(&data).with_context(|| format!("cannot read {}", data.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".tar.xz").map(str::to_owned));
    }
    names.sort();
    if let Some(wanted) = options.text("sites") {
        names.retain(|name| wanted.split(',').any(|wanted| wanted == name));
    }
    let place = std::env::temp_dir().join(format!("exalg-{}", std::process::id()));
    let mut collections = Vec::new();
    for name in names {
        unpack_all(&data.join(format!("{name}.tar.xz")), &place)?;
        let collection = Collection::read(&place.join(&name)).with_context(|| name.clone())?;
        std::fs::remove_dir_all(&place)?;
        collections.push((name, collection));
    }
    Ok(collections)
}

/// Infers from pages drawn by chance and reads the others: what depends on the pages at hand, another collection lacks.
fn draws(options: &Options) -> Result<ExitCode> {
    let (times, seed) = (options.number("times", 10)?, options.number("seed", 1)?);
    let settings = TemplateSettings::default();
    println!(
        "| collection | pages drawn | attributes that theirs got right, in all draws | correct | partial | incorrect |"
    );
    println!("|---|--:|--:|--:|--:|--:|");
    let mut details = String::new();
    for (name, collection) in &collections(options)? {
        let all = collection.pages.len();
        let count = options.number("pages", all as u64 / 2)? as usize;
        let mut sum = [0; 3];
        let mut lost: BTreeMap<&str, usize> = BTreeMap::new();
        for draw in 0..times {
            let mut random = Random::new(seed + draw);
            let mut others: Vec<usize> = (0..all).collect();
            let mut drawn: Vec<usize> = (0..count.min(all - 1))
                .map(|_| others.swap_remove(random.below(others.len())))
                .collect();
            drawn.sort_unstable();
            others.sort_unstable();
            let pages =
                |numbers: &[usize]| -> Vec<&Page> { numbers.iter().map(|page| &collection.pages[*page]).collect() };
            let inferred = learn::exalg::infer(&pages(&drawn), &settings, &page::Job::new())?;
            let read = pages(&others);
            let columns = columns(&saved(&inferred.template)?, &read);
            for known in collection.attributes.iter().filter(|attribute| attribute.theirs) {
                let attribute = known.on(&others);
                let (verdict, _) = attribute.verdict(&columns, &read);
                sum[verdict as usize] += 1;
                if verdict == Verdict::Correct {
                    continue;
                }
                *lost.entry(known.name.as_str()).or_default() += 1;
                if options.text("show").is_some() {
                    let difference = attribute.difference(&columns);
                    details += &format!("{name}, draw {draw}, {} {verdict:?}:\n{difference}", known.name);
                }
            }
        }
        println!(
            "| {name} | {count} of {all} | {} | {} | {} | {} |",
            sum.iter().sum::<usize>(),
            sum[2],
            sum[1],
            sum[0]
        );
        for (attribute, times) in lost {
            details += &format!("{name}: {attribute} not right in {times} draws\n");
        }
    }
    print!("\n{details}");
    Ok(ExitCode::SUCCESS)
}

/// A template as it is read back from a file.
fn saved(template: &Template) -> Result<Template> {
    let wrapper = Wrapper::bare(Rule::Template(template.clone()), record_type(template, "page"), None);
    match Wrapper::from_json(&wrapper.to_json())?.rule {
        Rule::Template(template) => Ok(template),
        _ => bail!("found another rule, expected a template"),
    }
}

/// Measures how the time grows with generated pages of some 50 KB, from 10 to 1,000 pages.
fn growth() -> Result<ExitCode> {
    println!(
        "| pages | MB | parse ms | infer ms | infer ms a page | rounds | read ms a page |\n|--:|--:|--:|--:|--:|--:|--:|"
    );
    for count in [10, 30, 100, 300, 1000] {
        let sources: Vec<String> = (0..count).map(made_up).collect();
        let bytes: usize = sources.iter().map(String::len).sum();
        let started = Instant::now();
        let pages: Vec<Page> = sources
            .iter()
            .map(|html| Page::parse(html.as_bytes(), &Default::default()))
            .collect::<Result<_, _>>()?;
        let parsed = started.elapsed().as_secs_f64() * 1e3;
        let pages: Vec<&Page> = pages.iter().collect();
        let started = Instant::now();
        let inferred = learn::exalg::infer(&pages, &TemplateSettings::default(), &page::Job::new())?;
        let time = started.elapsed().as_secs_f64() * 1e3;
        let run = Run::new(&inferred.template);
        let started = Instant::now();
        let values: usize = pages.iter().map(|page| run.page(page).0.len()).sum();
        let read = started.elapsed().as_secs_f64() * 1e3;
        if values < count * 100 {
            bail!("found {values} values on {count} pages, expected the lists");
        }
        println!(
            "| {count} | {:.1} | {parsed:.0} | {time:.0} | {:.2} | {} | {:.2} |",
            bytes as f64 / 1e6,
            time / count as f64,
            inferred.iterations,
            read / count as f64
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// A page with a menu and a list of 40 to 60 offers with descriptions.
fn made_up(number: usize) -> String {
    let mut state = number as u64 + 1;
    let mut chance = move |limit: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let menu: String = (0..150)
        .map(|item| format!("<li><a href='/m{item}'>Menu entry {item}</a></li>\n"))
        .collect();
    let mut offers = String::new();
    for _ in 0..40 + chance(20) {
        let text: String = (0..120).map(|_| format!("w{} ", chance(5000))).collect();
        let stock = if chance(2) == 0 {
            "<em class=stock>In stock since</em> <u>May</u>"
        } else {
            ""
        };
        offers += &format!(
            "<div class=offer><h3><a href='/o{0}'>n{0} n{1}</a></h3><p>{text}</p><b>Price:</b> <i>{2}.{3}</i> {stock}</div>\n",
            chance(1_000_000),
            chance(1000),
            chance(500),
            chance(90) + 10
        );
    }
    format!(
        "<html><head><title>Offers {number}</title></head><body><ul>{menu}</ul><h1>Offers</h1>{offers}<p>Contact us</p></body></html>"
    )
}

/// The columns of a template's fields.
pub(crate) fn columns(template: &wrapper::rule::template::Template, pages: &[&Page]) -> Vec<Column> {
    let run = Run::new(template);
    let mut columns: Vec<Column> = vec![vec![Vec::new(); pages.len()]; template.fields.len()];
    for (number, page) in pages.iter().enumerate() {
        for event in run.page(page).0 {
            if let Event::Value { field, text, .. } = event {
                columns[field as usize][number].push(plain(&text));
            }
        }
    }
    columns
}

/// A text without white space, and without full stops at its end: their files have `1` where the pages have `1.`.
pub(crate) fn plain(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    text.trim_end_matches('.').to_owned()
}

/// Is there a field that has, for each value on each page, its own text that contains it, and that is not most of the page?
fn contained(wanted: &Column, columns: &[Column], pages: &[&Page]) -> bool {
    let lengths: Vec<usize> = pages.iter().map(|page| plain(page.text()).len()).collect();
    columns.iter().any(|column| {
        let mut pages = wanted.iter().zip(column).zip(&lengths);
        pages.all(|((wanted, found), length)| {
            let mut left: Vec<&String> = found.iter().filter(|text| text.len() * 2 < *length).collect();
            wanted.iter().all(|value| {
                let place = left.iter().position(|text| text.contains(value.as_str()));
                place.map(|place| left.remove(place)).is_some()
            })
        })
    })
}

struct Collection {
    pages: Vec<Page>,
    attributes: Vec<Attribute>,
}

struct Attribute {
    name: String,
    /// Was their result right?
    theirs: bool,
    /// Its values, in one or two readings: with the texts that their result has in the template, and without them.
    readings: Vec<Column>,
    /// The number of its values that are lost on each page.
    lost: Vec<usize>,
    /// Is its node shared with other attributes?
    shared: bool,
    /// Is it spread over several nodes?
    spread: bool,
}

impl Attribute {
    fn verdict(&self, columns: &[Column], pages: &[&Page]) -> (Verdict, Vec<usize>) {
        let known: Vec<Column>;
        let columns = if self.lost.iter().any(|lost| *lost > 0) {
            known = columns.iter().map(|column| self.without_lost(column)).collect();
            &known
        } else {
            columns
        };
        let set = |values: &[String]| values.iter().cloned().collect::<BTreeSet<String>>();
        for wanted in &self.readings {
            let sets: Vec<BTreeSet<String>> = wanted.iter().map(|values| set(values)).collect();
            let mut covered: Vec<BTreeSet<String>> = vec![BTreeSet::new(); wanted.len()];
            let mut used = Vec::new();
            for (field, column) in columns.iter().enumerate() {
                let found: Vec<BTreeSet<String>> = column.iter().map(|values| set(values)).collect();
                if found == sets {
                    return (Verdict::Correct, vec![field]);
                }
                let news = || {
                    found
                        .iter()
                        .zip(&covered)
                        .any(|(found, covered)| !found.is_subset(covered))
                };
                if found.iter().zip(&sets).all(|(found, wanted)| found.is_subset(wanted)) && news() {
                    covered
                        .iter_mut()
                        .zip(found)
                        .for_each(|(covered, found)| covered.extend(found));
                    used.push(field);
                }
            }
            if self.spread && covered == sets {
                return (Verdict::Correct, used);
            }
            if self.shared
                && let Some(fields) = together(wanted, columns)
            {
                return (Verdict::Correct, fields);
            }
        }
        match self.readings.iter().any(|wanted| contained(wanted, columns, pages)) {
            true => (Verdict::Partial, Vec::new()),
            false => (Verdict::Incorrect, Vec::new()),
        }
    }

    /// The same for some of the pages.
    fn on(&self, pages: &[usize]) -> Attribute {
        let some = |column: &Column| pages.iter().map(|page| column[*page].clone()).collect();
        Attribute {
            name: self.name.clone(),
            readings: self.readings.iter().map(some).collect(),
            lost: pages.iter().map(|page| self.lost[*page]).collect(),
            ..*self
        }
    }

    /// A column without the values that are lost in their files.
    fn without_lost(&self, column: &Column) -> Column {
        let page = |(values, lost): (&Vec<String>, &usize)| {
            let mut left = *lost;
            let mut out = values.clone();
            out.retain(|value| {
                let passed = !value.is_ascii() && left > 0;
                left -= usize::from(passed);
                !passed
            });
            out
        };
        column.iter().zip(&self.lost).map(page).collect()
    }

    /// The first page where the most similar field differs.
    fn difference(&self, columns: &[Column]) -> String {
        let Some(wanted) = self.readings.first() else {
            return String::new();
        };
        let same = |column: &Column| {
            wanted
                .iter()
                .zip(column)
                .filter(|(wanted, found)| wanted == found)
                .count()
        };
        let Some(best) = columns.iter().max_by_key(|column| same(column)) else {
            return String::new();
        };
        let short = |values: &[String]| -> String { format!("{values:?}").chars().take(150).collect() };
        let page = wanted
            .iter()
            .zip(best)
            .position(|(wanted, found)| wanted != found)
            .unwrap_or(0);
        format!(
            "        {} of {} pages alike; on {}: expected {}\n        found {}\n",
            same(best),
            wanted.len(),
            page + 1,
            short(&wanted[page]),
            short(&best[page])
        )
    }
}

/// Neighbouring fields whose texts together are those of a column.
fn together(wanted: &Column, columns: &[Column]) -> Option<Vec<usize>> {
    const MOST: usize = 4;
    for first in 0..columns.len() {
        for count in 1..=MOST.min(columns.len() - first) {
            let fields: Vec<usize> = (first..first + count).collect();
            let joined = (0..wanted.len())
                .map(|page| -> String { fields.iter().flat_map(|f| columns[*f][page].clone()).collect() });
            if joined.zip(wanted).all(|(joined, wanted)| joined == wanted.concat()) {
                return Some(fields);
            }
        }
    }
    None
}

impl Collection {
    fn read(directory: &Path) -> Result<Collection> {
        let text = |name: &str| -> Result<String> {
            let bytes = std::fs::read(directory.join(name)).with_context(|| name.to_owned())?;
            Ok(page::decode(&bytes, None).0.into_owned())
        };
        let mut pages = Vec::new();
        let mut values: Vec<BTreeMap<u32, Vec<String>>> = Vec::new();
        let constants = constants(&text("template.xml")?);
        while let Ok(bytes) = std::fs::read(directory.join(format!("sources/{}.html", pages.len() + 1))) {
            let xml = text(&format!("values/v{}.xml", pages.len()))?;
            pages.push(Page::parse(&bytes, &Default::default())?);
            values.push(read_values(&xml, &constants));
        }
        let attributes = read_attributes(&text("manschema.txt")?, &values);
        if pages.is_empty() || attributes.is_empty() {
            bail!("found {} pages and {} attributes", pages.len(), attributes.len());
        }
        Ok(Collection { pages, attributes })
    }
}

/// The constant strings of the template, without tags, by the node after them.
fn constants(xml: &str) -> BTreeMap<u32, String> {
    let mut out = BTreeMap::new();
    for part in xml.split("<start-string context=\"").skip(1) {
        let id = part.split('"').next().and_then(|id| id.parse().ok());
        if let (Some(id), Some((_, rest))) = (id, part.split_once("<![CDATA["))
            && let Some((text, _)) = rest.split_once("]]>")
        {
            out.insert(id, without_tags(text));
        }
    }
    out
}

/// The values of each schema node on a page; for a choice between constants, the constant.
fn read_values(xml: &str, constants: &BTreeMap<u32, String>) -> BTreeMap<u32, Vec<String>> {
    let mut out: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut open: Vec<(u32, bool)> = Vec::new();
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if let Some(text) = rest.strip_prefix("<![CDATA[") {
            let (text, behind) = text.split_once("]]>").unwrap_or((text, ""));
            if let Some((id, filled)) = open.last_mut() {
                *filled = true;
                out.entry(*id).or_default().push(text.to_owned());
            }
            rest = behind;
        } else if let Some(text) = rest.strip_prefix("<value instanceof=\"") {
            let (id, behind) = text.split_once('"').unwrap_or((text, ""));
            if let Some((_, filled)) = open.last_mut() {
                *filled = true;
            }
            open.push((id.parse().unwrap_or(u32::MAX), false));
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix("</value>") {
            if let (Some((id, false)), Some((parent, _))) = (open.pop(), open.last())
                && let Some(constant) = constants.get(&id)
            {
                out.entry(*parent).or_default().push(constant.clone());
            }
            rest = behind;
        } else {
            rest = &rest[1..];
        }
    }
    out
}

/// Reads the attributes of the schema made by hand: lines with a name, nodes or constants, and a verdict.
fn read_attributes(text: &str, values: &[BTreeMap<u32, Vec<String>>]) -> Vec<Attribute> {
    let mut nodes: Vec<Vec<u32>> = Vec::new();
    let mut out: Vec<Attribute> = Vec::new();
    for line in text.lines().map(str::trim) {
        let numbered = line
            .split_once('.')
            .filter(|(number, _)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
        let Some((_, rest)) = numbered else { continue };
        let rest = rest.strip_prefix(|c: char| c.is_ascii_lowercase()).unwrap_or(rest);
        let Some(verdict) = rest.rfind('(').map(|at| &rest[at..]) else {
            continue;
        };
        let body = &rest[..rest.len() - verdict.len()];
        let name: String = body
            .split(['(', '['])
            .next()
            .unwrap_or("")
            .trim()
            .trim_end_matches(',')
            .to_owned();
        let mut ids = Vec::new();
        // A constant, and the node directly after it if there is one: their result splits what belongs together.
        let mut fixed: Vec<(String, Option<u32>)> = Vec::new();
        let mut at = body;
        while let Some(start) = at.find(['(', '[']) {
            let close = if at[start..].starts_with('(') { ')' } else { ']' };
            let Some(end) = at[start..].find(close) else { break };
            let inside = &at[start + 1..start + end];
            if let Ok(id) = inside.parse::<u32>() {
                ids.push(id);
                let next = at[..start].trim_end().is_empty();
                if let Some((_, joined @ None)) = fixed.last_mut().filter(|_| next && !at[..start].contains(',')) {
                    *joined = Some(id);
                }
            } else if let Some(text) = inside.strip_prefix("FIXED") {
                fixed.push((text.trim_start_matches('=').to_owned(), None));
            }
            at = &at[start + end + 1..];
        }
        let column = |with: bool| -> Column {
            let page = |page: &BTreeMap<u32, Vec<String>>| {
                let mut found = Vec::new();
                for (text, joined) in fixed
                    .iter()
                    .filter(|(text, joined)| with && joined.is_none() && !text.is_empty())
                {
                    debug_assert!(joined.is_none());
                    found.push(plain(text));
                }
                for id in &ids {
                    let before = fixed
                        .iter()
                        .find(|(_, joined)| with && *joined == Some(*id))
                        .map_or("", |(text, _)| text);
                    for value in page.get(id).into_iter().flatten() {
                        found.push(plain(&format!("{before}{}", without_tags(value))));
                    }
                }
                found.retain(|value| !value.is_empty());
                found
            };
            values.iter().map(page).collect()
        };
        let readings = if ids.is_empty() {
            // Only constants: our result must not have put them into a field with more.
            vec![column(true)]
        } else if fixed.is_empty() {
            vec![column(true)]
        } else {
            vec![column(true), column(false)]
        };
        let empty = |value: &&String| value.trim().is_empty();
        let lost = values.iter().map(|page| {
            ids.iter()
                .flat_map(|id| page.get(id).into_iter().flatten())
                .filter(empty)
                .count()
        });
        let lost = lost.collect();
        nodes.push(ids);
        out.push(Attribute {
            lost,
            name,
            theirs: verdict.starts_with("(c)"),
            readings,
            shared: false,
            spread: false,
        });
    }
    for (at, attribute) in out.iter_mut().enumerate() {
        let others = nodes.iter().enumerate().filter(|(other, _)| *other != at);
        attribute.spread = nodes[at].len() > 1;
        attribute.shared = !nodes[at].is_empty() && others.into_iter().any(|(_, ids)| *ids == nodes[at]);
    }
    // What their result has as a constant of the template is not a value.
    let keep: Vec<bool> = nodes.iter().map(|ids| !ids.is_empty()).collect();
    let mut keep = keep.into_iter();
    out.retain(|_| keep.next().unwrap_or(true));
    out
}

/// A text from their files without tags and with entities decoded.
fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out += &rest[..at];
        let tag = rest[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match rest[at..].find('>').filter(|_| tag) {
            Some(end) => rest = &rest[at + end + 1..],
            None => {
                out.push('<');
                rest = &rest[at + 1..];
            }
        }
        out.push(' ');
    }
    out += rest;
    page::source_text(&out).into_owned()
}
