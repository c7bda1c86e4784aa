//! Landmark rules as paths, with the landmarks as conditions.
//!
//! A region of a rule is a run of siblings. Here it is the path of their parent and the landmarks before and after them, as
//! conditions on siblings. A landmark with several tests gives several ways: the first way uses the first test of each landmark, the
//! second way the second one where there is one, and so on. What a landmark rule does beyond that is lost: it goes on where a
//! landmark is missing, and it seeks each landmark only between those that are surer.

use super::{Datum, Grain, Landmark, Landmarks, Part, PartId, Test, What};
use crate::rule::paths::Way;
use crate::rule::translate::{Gathered, LONGEST, TEXT, Translation, attribute, literal};
use record::RecordType;

/// Ways of tests that are tried.
const ALTERNATIVES: usize = 3;
/// Texts that no reader sees are no values.
const SEEN: &str = "[not(parent::script or parent::style or parent::noscript)]";

const BESIDE: &str = "it is beside the first element of an item, not in it";
const MISSING: &str = "it is found only on pages that lack a landmark";
const GROUP: &str = "it joins the values of other fields";
const SEVERAL: &str = "a page has several values of it in its structured data";
const LABELLED: &str = "its label leads to it, wherever that stands";
const UNSAID: &str = "no path says the same as its landmarks";

/// A landmark rule as paths to the fields of a record type; `None` if nothing of it can be said so.
pub fn to_paths(rule: &Landmarks, record_type: &RecordType) -> Option<Translation> {
    if rule.grain == Grain::Words || rule.fault().is_some() {
        return None;
    }
    let mut gathered = Gathered::default();
    for alternative in 0..ALTERNATIVES {
        let mut walk = Walk {
            rule,
            alternative,
            around: Vec::new(),
            places: vec![0; rule.fields.len()],
            gathered: &mut gathered,
        };
        walk.part(0, &Region::new(Parent::Document));
    }
    for slot in &rule.fields {
        match &slot.data {
            None => {}
            Some(data) if data.many => gathered.lose(vec![slot.name.clone()], SEVERAL),
            Some(data) => match data_path(data) {
                Some(path) => gathered.add(vec![slot.name.clone()], 0, Way { path, ..Way::default() }),
                None => gathered.lose(vec![slot.name.clone()], UNSAID),
            },
        }
    }
    for (slot, _) in super::shape::only_labelled(rule) {
        gathered.lose(vec![slot.name.clone()], LABELLED);
    }
    let mut translation = gathered.finish(record_type)?;
    translation
        .lost
        .push("on pages that lack a landmark, values beside it are not found".to_owned());
    Some(translation)
}

/// A place in structured data as a call of `data`.
fn data_path(data: &Datum) -> Option<String> {
    let path = literal(&data.path)?;
    Some(match &data.kind {
        Some(kind) => format!("data({path}, {})", literal(kind)?),
        None => format!("data({path})"),
    })
}

/// What is around a region.
#[derive(Clone, Debug)]
enum Parent {
    Document,
    /// The element `html`: its children are found from the document and from itself.
    Html,
    /// The element at a path; the region is among its children.
    Element(String),
    /// The region is the text at a path.
    Text(String),
    /// The region is an item that begins with the node at a path, of this kind.
    Item(String, What),
}

/// A run of siblings.
#[derive(Clone, Debug)]
struct Region {
    parent: Parent,
    /// The landmark before it, as a step, and the one after it.
    after: Option<String>,
    before: Option<String>,
}

impl Region {
    fn new(parent: Parent) -> Region {
        Region {
            parent,
            after: None,
            before: None,
        }
    }

    /// The conditions on its members.
    fn bounds(&self) -> String {
        let after = self.after.as_ref().map(|step| format!("[preceding-sibling::{step}]"));
        let before = self.before.as_ref().map(|step| format!("[following-sibling::{step}]"));
        after.unwrap_or_default() + &before.unwrap_or_default()
    }

    /// The path to its texts.
    fn texts(&self) -> String {
        match &self.parent {
            Parent::Document | Parent::Html => format!(".//text(){SEEN}"),
            Parent::Text(path) => path.clone(),
            Parent::Item(path, What::Element(_)) => format!("{path}//text(){SEEN}"),
            Parent::Item(path, _) => path.clone(),
            Parent::Element(path) => match self.bounds().as_str() {
                "" => format!("{path}//text(){SEEN}"),
                bounds => format!("{path}/node(){bounds}/descendant-or-self::text(){SEEN}"),
            },
        }
    }
}

struct Walk<'r, 'g> {
    rule: &'r Landmarks,
    /// Which of its tests a landmark is recognized by.
    alternative: usize,
    /// The names of the records around.
    around: Vec<String>,
    /// For each field the places that were passed.
    places: Vec<usize>,
    gathered: &'g mut Gathered,
}

impl Walk<'_, '_> {
    fn name(&self, field: u32) -> Vec<String> {
        let own = self.rule.fields[field as usize].name.clone();
        self.around.iter().cloned().chain([own]).collect()
    }

    fn add(&mut self, field: u32, path: String) {
        let place = self.places[field as usize];
        self.places[field as usize] += 1;
        let name = self.name(field);
        if path.len() > LONGEST {
            return self.gathered.lose(name, UNSAID);
        }
        let slot = &self.rule.fields[field as usize];
        if !slot.prefix.trim().is_empty() {
            let after = slot.prefix.trim_end().to_owned();
            let path = path.clone();
            let way = Way {
                path,
                after,
                ..Way::default()
            };
            self.gathered.add(name.clone(), place, way);
        }
        let way = Way { path, ..Way::default() };
        self.gathered.add(name, place, way);
    }

    /// Loses all fields below a part.
    fn lose(&mut self, part: PartId, reason: &'static str) {
        let rule = self.rule;
        let part = &rule.parts[part as usize];
        for field in part.fields() {
            self.gathered.lose(self.name(field), reason);
        }
        if let Part::List { name, .. } = part
            && !name.is_empty()
        {
            let list = self.around.iter().cloned().chain([name.clone()]).collect();
            self.gathered.lose(list, reason);
        }
        part.parts().into_iter().for_each(|inner| self.lose(inner, reason));
    }

    fn part(&mut self, part: PartId, region: &Region) {
        if region.bounds().len() > LONGEST {
            return self.lose(part, UNSAID);
        }
        let rule = self.rule;
        match &rule.parts[part as usize] {
            Part::Nothing => {}
            Part::Field(field) => self.add(*field, region.texts()),
            Part::Group { field, of } => {
                self.gathered.lose(self.name(*field), GROUP);
                self.part(*of, region);
            }
            Part::Unwrap { wrapper, of } => {
                // The texts of a field are the same with the element around them and without it.
                if !matches!(rule.parts[*of as usize], Part::Field(_))
                    && let Some(inside) = self.unit(region, wrapper)
                {
                    let places = self.places.clone();
                    self.part(*of, &Region::new(inside));
                    self.places = places;
                }
                self.part(*of, region);
            }
            Part::Split { before, marks, failed } => {
                failed
                    .iter()
                    .for_each(|field| self.gathered.lose(self.name(*field), MISSING));
                let steps: Vec<Option<String>> = marks
                    .iter()
                    .map(|mark| self.step(region, &mark.landmark, false))
                    .collect();
                match (&region.parent, steps.first()) {
                    // Blocks are found by their `id`, wherever they are.
                    (Parent::Document, Some(_)) => self.part(*before, region),
                    (Parent::Item(..) | Parent::Document | Parent::Html | Parent::Text(_), _) | (_, None) => {
                        self.lose(*before, BESIDE);
                    }
                    (_, Some(None)) => self.lose(*before, UNSAID),
                    (_, Some(Some(first))) => self.part(
                        *before,
                        &Region {
                            before: Some(first.clone()),
                            ..region.clone()
                        },
                    ),
                }
                for (number, mark) in marks.iter().enumerate() {
                    match self.unit(region, &mark.landmark).filter(|_| {
                        // Only the first one can be the beginning of an item.
                        number == 0 || !matches!(region.parent, Parent::Item(..))
                    }) {
                        None => {
                            let reason = match region.parent {
                                Parent::Item(..) => BESIDE,
                                _ => UNSAID,
                            };
                            mark.attributes
                                .iter()
                                .for_each(|(_, field)| self.gathered.lose(self.name(*field), reason));
                            self.lose(mark.inner, reason);
                        }
                        Some(inside) => {
                            if let Parent::Element(path) = &inside {
                                for (name, field) in &mark.attributes {
                                    self.add(*field, format!("{path}/@{name}"));
                                }
                            }
                            self.part(mark.inner, &Region::new(inside));
                        }
                    }
                    let upper = steps.get(number + 1);
                    match (&region.parent, &steps[number], upper) {
                        (Parent::Element(_), Some(lower), None | Some(Some(_))) => {
                            let before = upper.cloned().flatten().or_else(|| region.before.clone());
                            self.part(
                                mark.after,
                                &Region {
                                    after: Some(lower.clone()),
                                    before,
                                    ..region.clone()
                                },
                            );
                        }
                        (Parent::Item(..), _, _) => self.lose(mark.after, BESIDE),
                        _ => self.lose(mark.after, UNSAID),
                    }
                }
            }
            Part::List {
                name,
                start,
                before,
                each,
            } => self.list(region, name, start, *before, *each),
        }
    }

    fn list(&mut self, region: &Region, name: &str, start: &Landmark, before: PartId, each: PartId) {
        let step = self.step(region, start, true);
        let (Parent::Element(path), Some(step)) = (&region.parent, step) else {
            self.lose(before, UNSAID);
            return self.lose(each, UNSAID);
        };
        let first = Region {
            before: Some(step.clone()),
            ..region.clone()
        };
        self.part(before, &first);
        let items = join(path, &step);
        if name.is_empty() {
            return self.part(each, &Region::new(Parent::Item(items, start.what.clone())));
        }
        let list: Vec<String> = self.around.iter().cloned().chain([name.to_owned()]).collect();
        if !self.around.is_empty() || items.len() > LONGEST {
            return self.lose(each, "it is a list in a list");
        }
        // Records are found from the document.
        let from_document = items.strip_prefix('.').unwrap_or(&items).to_owned();
        self.gathered.add_list(list, from_document);
        self.around.push(name.to_owned());
        self.part(each, &Region::new(Parent::Item(".".to_owned(), start.what.clone())));
        self.around.pop();
    }

    /// The unit of a region that a landmark is, as what is around its content.
    fn unit(&self, region: &Region, landmark: &Landmark) -> Option<Parent> {
        let path = match (&region.parent, &landmark.what) {
            (Parent::Document, What::Element(name)) if name == "html" => return Some(Parent::Html),
            (Parent::Html, What::Element(name)) => return Some(Parent::Element(format!(".//{name}"))),
            (Parent::Document, What::Element(name)) => {
                let test = self.test(landmark).filter(|test| test.nth.is_none())?;
                format!(".//{name}[{}][last() = 1]", conditions(test, false)?)
            }
            (Parent::Document | Parent::Html, _) | (_, What::Word(_)) => return None,
            (Parent::Item(path, what), mine) => {
                if what != mine {
                    return None;
                }
                path.clone()
            }
            (Parent::Text(path), What::Text) => path.clone(),
            (Parent::Text(_), _) => return None,
            (Parent::Element(path), _) => {
                let step = self.step(region, landmark, false)?;
                let test = self.test(landmark);
                // A test that several pass decides nothing.
                let only = match test.is_none_or(|test| test.nth.is_none()) {
                    true => "[last() = 1]",
                    false => "",
                };
                join(path, &step) + only
            }
        };
        Some(match landmark.what {
            What::Element(_) => Parent::Element(path),
            _ => Parent::Text(path),
        })
    }

    /// The test of a landmark that is used; the strong ones come first.
    fn test<'l>(&self, landmark: &'l Landmark) -> Option<&'l Test> {
        let mut tests: Vec<&Test> = landmark.tests.iter().collect();
        tests.sort_by_key(|test| super::run::strength(test));
        let at = self.alternative.min(tests.len().saturating_sub(1));
        tests.get(at).copied()
    }

    /// A landmark as a step from the parent of its region. `any` is for beginnings of items, which may pass any test.
    fn step(&self, region: &Region, landmark: &Landmark, any: bool) -> Option<String> {
        // White space between elements is no unit of a region.
        let text = format!("text()[{TEXT}]");
        let (name, is_text) = match &landmark.what {
            What::Element(name) => (name.as_str(), false),
            What::Text => (text.as_str(), true),
            What::Word(_) => return None,
        };
        let bounds = region.bounds();
        if any {
            let tests: Option<Vec<String>> = landmark.tests.iter().map(|test| conditions(test, is_text)).collect();
            let tests: Vec<String> = tests?.into_iter().filter(|test| !test.is_empty()).collect();
            // An empty test lets everything pass.
            let tests = match tests.len() < landmark.tests.len() {
                true => String::new(),
                false => tests.join(" or "),
            };
            return Some(match tests.is_empty() {
                true => format!("{name}{bounds}"),
                false => format!("{name}[{tests}]{bounds}"),
            });
        }
        let Some(test) = self.test(landmark) else {
            return Some(format!("{name}{bounds}"));
        };
        let said = match conditions(test, is_text)?.as_str() {
            "" => format!("{name}{bounds}"),
            said => format!("{name}[{said}]{bounds}"),
        };
        Some(match test.nth {
            // Positions would count backwards among preceding siblings.
            Some(nth) => format!("{said}[count(preceding-sibling::{said}) = {}]", nth.saturating_sub(1)),
            None => said,
        })
    }
}

fn join(path: &str, step: &str) -> String {
    match path {
        "." => step.to_owned(),
        _ => format!("{path}/{step}"),
    }
}

/// The conditions of a test, without its number.
fn conditions(test: &Test, is_text: bool) -> Option<String> {
    let mut out = Vec::new();
    for (name, value) in &test.attributes {
        out.push(attribute(name, value.as_deref())?);
    }
    if test.plain {
        out.push("not(@*)".to_owned());
    }
    if let Some(says) = &test.says {
        let says = format!("{TEXT} = {}", literal(says)?);
        out.push(match is_text {
            true => says,
            false => format!(".//text()[{says}]"),
        });
    }
    if let Some((name, value)) = &test.holds {
        out.push(format!(".//*[{}]", attribute(name, Some(value))?));
    }
    Some(out.join(" and "))
}
