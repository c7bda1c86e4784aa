//! Changes that the page asks for. Each is one call of the library on a copy of the state.

use crate::api::{self, Command};
use crate::project::{Project, Snapshot, Trouble};
use crate::view::{View, clip, node_at, place};
use std::sync::Arc;
use wrapwright::fields::Edit;
use wrapwright::make::{self, Pointed};
use wrapwright::record::Sort;
use wrapwright::tend;
use wrapwright::{Document, Job, Kind, NodeId, Page, Wrapper};

/// The most values of a field that are taken as right when another one is called wrong.
const TAKEN_AS_RIGHT: usize = 6;
/// How far above a place its links and pictures are looked for.
const REACH: usize = 3;
/// Attributes that somebody may want.
const WANTED: [&str; 8] = [
    "href", "src", "alt", "title", "content", "datetime", "value", "data-src",
];

impl Project {
    /// Does what the page asks for.
    pub(crate) fn perform(self: &Arc<Project>, command: Command) -> Result<(), Trouble> {
        // Where nothing had to be repaired, nothing has to be decided.
        let mending = self.lock().repair.clone().filter(|mending| mending.wrapper().is_some());
        if let Some(mending) = &mending {
            match &command {
                Command::Point {
                    page, at, field, wrong, ..
                } => return self.correct(mending, *page, at, field, *wrong),
                Command::Undo => return self.uncorrect(),
                Command::Accept { .. }
                | Command::Reject
                | Command::Check
                | Command::Cancel
                | Command::StopRun
                | Command::Load { .. }
                | Command::Repair => {}
                _ => return Err(Trouble::new("accept or reject the repair first")),
            }
        }
        match command {
            Command::Rename { field, to } => {
                let what = format!("rename {field} to {to}");
                let edit = Edit {
                    rename: vec![(field.clone(), to.clone())],
                    ..Edit::default()
                };
                self.edit(&what, &edit, Some((&field, &to)))
            }
            Command::Hide { field } => {
                let edit = Edit {
                    drop: vec![field.clone()],
                    ..Edit::default()
                };
                self.edit(&format!("hide {field}"), &edit, None)
            }
            Command::Only { fields } => {
                let edit = Edit {
                    keep: fields,
                    ..Edit::default()
                };
                self.edit("hide all other fields", &edit, None)
            }
            Command::Type { field, to } => {
                let sort = Sort::named(&to).ok_or_else(|| Trouble::new(format!("there is no type `{to}`")))?;
                let edit = Edit {
                    types: vec![(field.clone(), sort)],
                    ..Edit::default()
                };
                self.edit(&format!("{field} is {}", sort.with_article()), &edit, None)
            }
            Command::Key { field, on } => self.key(field, on),
            Command::List { page, at } => self.list(page, &at),
            Command::Load { on } => {
                // The work stays what it is, so its number does, too.
                self.loading.set(on);
                Ok(())
            }
            Command::Show { field } => self.show(&field),
            Command::Move { field, before } => self.move_before(&field, before.as_deref()),
            Command::Point {
                page,
                at,
                field,
                part: Some(part),
                ..
            } => self.point_part(page, &at, &field, part),
            Command::Point {
                page, at, field, wrong, ..
            } => self.point(page, &at, &field, wrong),
            Command::Begin { page, at, field } => self.begin_from(page, &at, &field),
            Command::Prefer { field, way } => {
                let (rev, mut now, wrapper) = self.with_wrapper()?;
                now.wrapper = Some(Arc::new(make::prefer(&wrapper, &now.documents, &field, way)?));
                self.commit(rev, &format!("another way to {field}"), now, Vec::new())
            }
            Command::Infer { method, list } => self.infer(method.as_deref(), list.unwrap_or(1)),
            Command::Add { name, alone } => self.add(&name, alone),
            Command::Drop { page } => self.drop_page(page),
            Command::Undo => self.step(true),
            Command::Redo => self.step(false),
            Command::Save { file } => self.save(file.as_deref()),
            Command::Check => self.check(),
            Command::Repair => self.repair(),
            Command::Accept { leave } => self.accept(&leave),
            Command::Look => self.look(),
            Command::SetWay { field, at, path } => self.set_way(&field, at, &path),
            Command::SetEach { field, at, path } => self.set_each(field.as_deref(), at, &path),
            Command::ToPaths => self.to_paths(),
            Command::Navigate { start, next, follow } => self.navigate(&start, &next, &follow),
            Command::Run { file, pages, replace } => self.run(&file, pages, replace),
            Command::Resume { folder, pages } => self.resume(&folder, pages),
            Command::StopRun => {
                self.stop_run();
                Ok(())
            }

            Command::Reject => {
                let mut inner = self.lock();
                inner.repair = None;
                inner.rev += 1;
                Ok(())
            }
            Command::Cancel => {
                self.cancel();
                Ok(())
            }
        }
    }

    /// The present state, and its number.
    pub(crate) fn now(&self) -> (u64, Snapshot) {
        let inner = self.lock();
        (inner.rev, inner.now.clone())
    }

    pub(crate) fn with_wrapper(&self) -> Result<(u64, Snapshot, Arc<Wrapper>), Trouble> {
        let (rev, now) = self.now();
        let wrapper = now.wrapper.clone();
        let wrapper = wrapper.ok_or_else(|| Trouble::new("there is no wrapper yet; add pages, or point at a value"))?;
        Ok((rev, now, wrapper))
    }

    fn edit(&self, what: &str, edit: &Edit, renamed: Option<(&str, &str)>) -> Result<(), Trouble> {
        let (rev, mut now, wrapper) = self.with_wrapper()?;
        now.wrapper = Some(Arc::new(edit.apply(&wrapper)?));
        if let Some((old, new)) = renamed
            && let Some(points) = now.points.get(old).cloned()
        {
            let mut all = (*now.points).clone();
            all.remove(old);
            all.insert(sibling(old, new), points);
            now.points = Arc::new(all);
        }
        self.commit(rev, what, now, Vec::new())
    }

    /// Shows a field again, after the others.
    fn show(&self, field: &str) -> Result<(), Trouble> {
        let (_, _, wrapper) = self.with_wrapper()?;
        let mut keep = shown(&wrapper);
        if !keep.iter().any(|name| name == field) {
            keep.push(field.to_owned());
        }
        let edit = Edit {
            all: true,
            keep,
            ..Edit::default()
        };
        self.edit(&format!("show {field}"), &edit, None)
    }

    fn move_before(&self, field: &str, before: Option<&str>) -> Result<(), Trouble> {
        let (_, _, wrapper) = self.with_wrapper()?;
        let mut keep = shown(&wrapper);
        keep.retain(|name| name != field);
        let at = before.and_then(|before| keep.iter().position(|name| name == before));
        keep.insert(at.unwrap_or(keep.len()), field.to_owned());
        let edit = Edit {
            keep,
            ..Edit::default()
        };
        self.edit(&format!("move {field}"), &edit, None)
    }

    /// Makes a field part of the key, or no longer.
    fn key(&self, field: String, is_on: bool) -> Result<(), Trouble> {
        let (_, _, wrapper) = self.with_wrapper()?;
        let what = match is_on {
            true => format!("{field} is the key"),
            false => format!("{field} is not the key"),
        };
        let mut key = wrapper.key.clone();
        key.retain(|name| *name != field);
        if is_on {
            key.push(field);
        }
        let edit = Edit {
            key: Some(key),
            ..Edit::default()
        };
        self.edit(&what, &edit, None)
    }

    /// A new wrapper for the list that has both places in different records.
    fn list(self: &Arc<Project>, page: usize, at: &[api::Spot; 2]) -> Result<(), Trouble> {
        self.busy("looking for the list", |job: &Job| {
            let (rev, mut now) = self.now();
            let [one, other] = at;
            let (one, other) = (
                pointed(&now.documents, page, one, false)?,
                pointed(&now.documents, page, other, false)?,
            );
            let made = make::list_of(&now.documents, one, other, job)?;
            let navigation = now.wrapper.as_ref().and_then(|wrapper| wrapper.navigation.clone());
            now.wrapper = Some(Arc::new(Wrapper {
                navigation,
                ..made.wrapper
            }));
            now.points = Arc::default();
            self.commit(rev, "the list that was pointed at", now, made.notes)
        })
    }

    fn drop_page(&self, page: usize) -> Result<(), Trouble> {
        let (rev, mut now) = self.now();
        if page >= now.documents.len() {
            return Err(Trouble::new("there is no such page"));
        }
        let mut documents = now.documents.to_vec();
        let name = documents.remove(page).name;
        let mut points = (*now.points).clone();
        for list in points.values_mut() {
            list.retain(|point| point.document != page);
            for point in list.iter_mut().filter(|point| point.document > page) {
                point.document -= 1;
            }
        }
        now = now.with_documents(documents);
        now.points = Arc::new(points);
        self.commit(rev, &format!("take away {name}"), now, Vec::new())
    }

    /// A value that somebody points at becomes an example of a field.
    fn point(self: &Arc<Project>, page: usize, at: &api::Spot, field: &str, is_wrong: bool) -> Result<(), Trouble> {
        self.busy("learning", |job| {
            let (rev, mut now) = self.now();
            let point = pointed(&now.documents, page, at, is_wrong)?;
            let mut points = (*now.points).clone();
            let list = points.entry(field.to_owned()).or_default();
            list.retain(|known| (known.document, known.node) != (point.document, point.node));
            list.push(point);
            if is_wrong && list.iter().all(|point| point.is_wrong) {
                let view = Arc::clone(&self.lock().view);
                list.extend(others(&view, &now.documents, field, &point));
            }
            let name = field.rsplit('.').next().unwrap_or(field);
            let paths = self.by_paths(&now, job);
            let wrapper = paths.as_ref().map(|made| &made.wrapper).or(now.wrapper.as_deref());
            let made = make::point(&now.documents, wrapper, name, list, job)?;
            now.wrapper = Some(Arc::new(made.wrapper));
            now.points = Arc::new(points);
            let changed = paths.map(|made| made.warnings).unwrap_or_default();
            let notes = changed.into_iter().chain(made.warnings).chain(made.notes).collect();
            let what = match is_wrong {
                true => format!("not {field}"),
                false => format!("point at {field}"),
            };
            self.commit(rev, &what, now, notes)
        })
    }

    /// A part of a text that somebody selected becomes a field.
    fn point_part(
        self: &Arc<Project>,
        page: usize,
        at: &api::Spot,
        field: &str,
        (from, to): (usize, usize),
    ) -> Result<(), Trouble> {
        self.busy("learning", |job| {
            let (rev, mut now) = self.now();
            let point = pointed(&now.documents, page, at, false)?;
            let text = wrapwright::rule::paths::value(&now.documents[page].page, point.node);
            let byte = |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(byte, _)| byte);
            let selected = byte(from)..byte(to.max(from));
            let name = field.rsplit('.').next().unwrap_or(field);
            let paths = self.by_paths(&now, job);
            let wrapper = paths.as_ref().map(|made| &made.wrapper).or(now.wrapper.as_deref());
            let made = make::point_part(&now.documents, wrapper, name, point, selected, job)?;
            now.wrapper = Some(Arc::new(made.wrapper));
            let mut points = (*now.points).clone();
            points.insert(field.to_owned(), vec![point]);
            now.points = Arc::new(points);
            let changed = paths.map(|made| made.warnings).unwrap_or_default();
            let notes = changed.into_iter().chain(made.warnings).chain(made.notes).collect();
            self.commit(rev, &format!("point at a part for {field}"), now, notes)
        })
    }

    /// A new wrapper that begins with one value.
    fn begin_from(self: &Arc<Project>, page: usize, at: &api::Spot, field: &str) -> Result<(), Trouble> {
        self.busy("learning", |job: &Job| {
            let (rev, mut now) = self.now();
            let point = pointed(&now.documents, page, at, false)?;
            let made = make::point(&now.documents, None, field, &[point], job)?;
            let navigation = now.wrapper.as_ref().and_then(|wrapper| wrapper.navigation.clone());
            let wrapper = Wrapper {
                navigation,
                ..made.wrapper
            };
            now.wrapper = Some(Arc::new(wrapper));
            now.points = Arc::new([(field.to_owned(), vec![point])].into());
            self.commit(rev, "begin again from a value", now, made.notes)
        })
    }

    fn check(self: &Arc<Project>) -> Result<(), Trouble> {
        let (_, now, wrapper) = self.with_wrapper()?;
        self.busy("checking", |job| {
            let report = tend::check(&wrapper, now.documents.iter(), job);
            let report = report.map_err(|error| Trouble::with(&error, error.remedy()))?;
            self.lock().checked(Some(report));
            Ok(())
        })
    }

    /// What somebody could mean who points at a place.
    pub(crate) fn choices(&self, page: usize, at: &api::Spot) -> Result<api::Choices, Trouble> {
        let (_, now) = self.now();
        let document = now
            .documents
            .get(page)
            .ok_or_else(|| Trouble::new("there is no such page"))?;
        let tree = &document.page;
        let node = node_at(tree, at).ok_or_else(|| Trouble::new("there is nothing at this place"))?;
        let (view, mending) = {
            let inner = self.lock();
            (inner.shown(), inner.repair.clone())
        };
        // While a repair is looked at, only the fields that it has can be pointed at.
        let own = now.wrapper.as_deref().filter(|_| mending.is_none());
        let hidden = own.and_then(|wrapper| {
            let all = Wrapper {
                shown: None,
                ..wrapper.clone()
            };
            View::new(&all, std::slice::from_ref(document)).ok()
        });
        let mut nodes = vec![("text".to_owned(), node)];
        let around = std::iter::once(node)
            .chain(tree.ancestors(node))
            .filter(|up| tree.is_element(*up));
        for element in around.take(REACH) {
            for name in WANTED {
                let attribute = tree.name_id(name).and_then(|id| tree.attribute(element, id));
                nodes.extend(attribute.map(|attribute| (name.to_owned(), attribute)));
            }
        }
        let choices = nodes.into_iter().filter_map(|(what, node)| {
            let text = tree.string_value(node).split_whitespace().collect::<Vec<_>>().join(" ");
            let at = place(tree, node).filter(|_| !text.is_empty())?;
            let is_there = |other: NodeId| is_same(tree, node, other);
            let found = view.field_at(page, is_there).map(|field| (field.to_owned(), true));
            let found = found.or_else(|| {
                let field = hidden.as_ref()?.field_at(0, is_there)?;
                Some((field.to_owned(), false))
            });
            Some(api::Choice {
                what,
                text: clip(&text),
                at,
                shown: found.as_ref().is_some_and(|(_, shown)| *shown),
                field: found.map(|(field, _)| field),
            })
        });
        let known = |name: &String| {
            now.wrapper
                .as_ref()
                .is_some_and(|wrapper| wrapper.record_type.has_path(name))
        };
        let mut names = (1..).map(|number| format!("field{number}")).filter(|name| !known(name));
        Ok(api::Choices {
            choices: choices.collect(),
            name: names.next().unwrap_or_default(),
        })
    }
}

/// The name of a field that is renamed, with those of the records around it.
fn sibling(old: &str, new: &str) -> String {
    match old.rsplit_once('.') {
        Some((around, _)) => format!("{around}.{new}"),
        None => new.to_owned(),
    }
}

/// The fields that a wrapper shows, in order.
fn shown(wrapper: &Wrapper) -> Vec<String> {
    let listed = wrapwright::fields::list(wrapper).into_iter();
    listed.filter(|field| field.shown).map(|field| field.name).collect()
}

pub(crate) fn pointed(documents: &[Document], page: usize, at: &api::Spot, is_wrong: bool) -> Result<Pointed, Trouble> {
    let document = documents
        .get(page)
        .ok_or_else(|| Trouble::new("there is no such page"))?;
    let node = node_at(&document.page, at).ok_or_else(|| Trouble::new("there is nothing at this place"))?;
    Ok(Pointed {
        document: page,
        node,
        is_wrong,
    })
}

/// Some other values of a field, which are taken as right.
pub(crate) fn others(view: &View, documents: &[Document], field: &str, wrong: &Pointed) -> Vec<Pointed> {
    let mut right = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let (boxes, _) = view.boxes(documents, number);
        let nodes = boxes.iter().filter(|found| found.field == field);
        let nodes = nodes.filter_map(|found| node_at(&document.page, &found.at));
        let nodes = nodes.filter(|node| (number, *node) != (wrong.document, wrong.node));
        right.extend(nodes.map(|node| Pointed {
            document: number,
            node,
            is_wrong: false,
        }));
    }
    let step = right.len().div_ceil(TAKEN_AS_RIGHT).max(1);
    right.into_iter().step_by(step).collect()
}

/// Do two nodes say the same in the same place? A text and the element around it may.
fn is_same(page: &Page, one: NodeId, other: NodeId) -> bool {
    let is_attribute = |node: NodeId| page.kind(node) == Kind::Attribute;
    if one == other || is_attribute(one) || is_attribute(other) {
        return one == other;
    }
    let (outer, inner) = (one.min(other), one.max(other));
    inner < page.end(outer) && page.string_value(outer).trim() == page.string_value(inner).trim()
}
