//! Forms without scripts: which field belongs to which form, the value of a field, and what the form would send.
//!
//! This is the part of the HTML Standard's chapter 4.10 that every driver needs and that uses no network:
//! form owner (4.10.17.3), checkedness and radio groups (4.10.5.1.16), selectedness (4.10.7), the disabled state
//! (4.10.18.5), the default button (4.10.21.2) and constructing the entry list (4.10.21.4). Everything is a method of
//! [`Live`]: the markup gives the initial value of a field, [`Fields`] its present value. Methods that change a field
//! return a new `Live` over the same tree.
//!
//! Cost: the entries of a form take one pass over the part of the page it spans; a hostile page with a million fields
//! in nested fieldsets stays linear, because "inside a disabled fieldset" is a search among merged id ranges rather
//! than a walk up the tree for each field. A question about a single field walks up its ancestors.
//!
//! Differences from the standard: a form directly inside a table (`<table><form><tr><td><input>`) loses its fields in
//! the tree, and a browser knows the owner only because its parser remembers it. Our tree does not, so such a field
//! belongs to the last form before it if that form is empty and the field is in the form's table. A form that other
//! misnested markup closes early (`<div><form></div><input>`) loses the fields after that. Values are not sanitised by
//! type except for line breaks, nothing is validated, and form-associated custom elements are not supported.

use crate::driver::{Field, Fields, Live};
use crate::name::known;
use crate::{Namespace, NodeId, Page};
use encoding_rs::{Encoding, REPLACEMENT};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What kind of field an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Control {
    /// An `input` for a line of text of any `type`: text, search, email, number, date.
    Text,
    /// A `textarea`.
    TextArea,
    /// An `input` of type `hidden`.
    Hidden,
    /// A checkbox.
    Checkbox,
    /// A radio button.
    Radio,
    /// A `select`.
    Select,
    /// A file to upload.
    File,
    /// A button that submits: `input` or `button`.
    Submit,
    /// An image that submits the form and the place of the click.
    Image,
    /// A button that resets the form.
    Reset,
    /// A button that does nothing without scripts.
    Button,
}

impl Control {
    /// Does it submit a form when pressed?
    pub fn submits(self) -> bool {
        matches!(self, Control::Submit | Control::Image)
    }

    /// Is it a button of any kind?
    pub fn is_button(self) -> bool {
        matches!(
            self,
            Control::Submit | Control::Image | Control::Reset | Control::Button
        )
    }
}

/// A name and a value that a form sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The field's name.
    pub name: String,
    /// Its value; for a file, the file's name.
    pub value: String,
    /// Is it a file? Without a browser it is always a file without name and content.
    pub is_file: bool,
}

impl Entry {
    fn text(name: &str, value: &str) -> Entry {
        Entry {
            name: name.to_owned(),
            value: value.to_owned(),
            is_file: false,
        }
    }
}

impl Page {
    /// What kind of field an element is, if it is one.
    pub fn control(&self, node: NodeId) -> Option<Control> {
        if self.namespace(node)? != Namespace::Html || self.is_attribute(node) {
            return None;
        }
        let kind = self
            .attribute(node, known::TYPE)
            .map(|kind| self.string_value(kind).to_ascii_lowercase());
        let kind = kind.as_deref().unwrap_or("");
        match self.name_of(node)? {
            known::INPUT => Some(match kind {
                "hidden" => Control::Hidden,
                "checkbox" => Control::Checkbox,
                "radio" => Control::Radio,
                "file" => Control::File,
                "submit" => Control::Submit,
                "image" => Control::Image,
                "reset" => Control::Reset,
                "button" => Control::Button,
                _ => Control::Text,
            }),
            known::BUTTON => Some(match kind {
                "reset" => Control::Reset,
                "button" => Control::Button,
                _ => Control::Submit,
            }),
            known::SELECT => Some(Control::Select),
            known::TEXTAREA => Some(Control::TextArea),
            _ => None,
        }
    }

    /// The form that a field belongs to: the one its `form` attribute names, or else the nearest around it. A form
    /// belongs to itself; an element that is not a field belongs to the form around it.
    pub fn form_of(&self, node: NodeId) -> Option<NodeId> {
        if self.is_element_named(node, known::FORM) {
            return Some(node);
        }
        if self.control(node).is_some()
            && let Some(named) = self.attribute(node, known::FORM)
        {
            let form = self.element_by_id(self.string_value(named))?;
            return self.is_element_named(form, known::FORM).then_some(form);
        }
        if let Some(form) = self.ancestors(node).find(|n| self.is_element_named(*n, known::FORM)) {
            return Some(form);
        }
        let forms = self.elements_named(known::FORM);
        let before = forms.partition_point(|form| *form < node);
        let form = *forms[..before].last()?;
        self.lost_fields(form)
            .is_some_and(|(start, end)| start <= node && node < end)
            .then_some(form)
    }

    /// The fields of a form in document order, buttons included.
    pub fn controls(&self, form: NodeId) -> Vec<NodeId> {
        let id = self.attribute(form, known::ID).map(|id| self.string_value(id));
        let id = id.filter(|id| !id.is_empty() && self.element_by_id(id) == Some(form));
        let inside = self.lost_fields(form).unwrap_or((form, self.end(form)));
        let forms = self
            .elements_named(known::FORM)
            .iter()
            .filter(|n| inside.0 <= **n && **n < inside.1 && **n != form);
        let others = Ranges::new(forms.map(|n| (*n, self.end(*n))).collect());
        let inert = self.ranges_of_named(&[known::TEMPLATE]);
        let owned = |node: NodeId| match self.attribute(node, known::FORM) {
            Some(named) => id == Some(self.string_value(named)),
            None => inside.0 <= node && node < inside.1 && !others.contains(node),
        };
        // Fields elsewhere on the page can only belong to a form that has an id.
        let elements = self.elements();
        let span = match id {
            Some(_) => elements,
            None => {
                let start = elements.partition_point(|n| *n < inside.0);
                &elements[start..elements.partition_point(|n| *n < inside.1)]
            }
        };
        let mut controls: Vec<NodeId> = span
            .iter()
            .copied()
            .filter(|n| self.is_control(*n) && owned(*n))
            .collect();
        controls.retain(|n| !inert.contains(*n));
        controls
    }

    /// A cheaper `control(node).is_some()`.
    fn is_control(&self, node: NodeId) -> bool {
        matches!(
            self.name_of(node),
            Some(known::INPUT | known::BUTTON | known::SELECT | known::TEXTAREA)
        ) && self.namespace(node) == Some(Namespace::Html)
    }

    /// Where the fields are of a form that the parser had to leave empty in a table.
    fn lost_fields(&self, form: NodeId) -> Option<(NodeId, NodeId)> {
        let table_parts = [known::TABLE, known::TBODY, known::THEAD, known::TFOOT, known::TR];
        let parent = self.parent(form)?;
        if !table_parts.contains(&self.name_of(parent)?) || self.children(form).any(|n| self.is_element(n)) {
            return None;
        }
        let table = self.ancestors(form).find(|n| self.is_element_named(*n, known::TABLE))?;
        let forms = self.elements_named(known::FORM);
        let next = forms.get(forms.partition_point(|n| *n <= form)).copied();
        let end = self.end(table);
        Some((self.end(form), next.map_or(end, |next| next.min(end))))
    }

    fn ranges_of_named(&self, names: &[crate::NameId]) -> Ranges {
        let nodes = names.iter().flat_map(|name| self.elements_named(*name));
        Ranges::new(nodes.map(|n| (*n, self.end(*n))).collect())
    }

    /// The parts of the page that disabled fieldsets disable: everything in them except their first legend.
    fn disabled_ranges(&self) -> Ranges {
        let mut ranges = Vec::new();
        for &fieldset in self.elements_named(known::FIELDSET) {
            if self.attribute(fieldset, known::DISABLED).is_none() {
                continue;
            }
            match self
                .children(fieldset)
                .find(|n| self.is_element_named(*n, known::LEGEND))
            {
                Some(legend) => {
                    ranges.push((NodeId(fieldset.0 + 1), legend));
                    ranges.push((self.end(legend), self.end(fieldset)));
                }
                None => ranges.push((NodeId(fieldset.0 + 1), self.end(fieldset))),
            }
        }
        Ranges::new(ranges)
    }

    /// Is a field disabled, by itself or by a fieldset around it? Is an option disabled, by itself or by its group?
    pub fn is_disabled(&self, node: NodeId) -> bool {
        if self.attribute(node, known::DISABLED).is_some() {
            return self.is_control(node) || self.is_element_named(node, known::OPTION);
        }
        if self.is_element_named(node, known::OPTION) {
            return self.parent(node).is_some_and(|group| {
                self.is_element_named(group, known::OPTGROUP) && self.attribute(group, known::DISABLED).is_some()
            });
        }
        self.is_control(node) && self.disabled_ranges().contains(node)
    }

    /// The options of a `select` in document order.
    pub fn options(&self, select: NodeId) -> Vec<NodeId> {
        let options = self.elements_named(known::OPTION);
        let start = options.partition_point(|n| *n < select);
        let end = self.end(select);
        options[start..].iter().copied().take_while(|n| *n < end).collect()
    }

    /// The `select` that an option belongs to.
    pub fn select_of(&self, option: NodeId) -> Option<NodeId> {
        self.ancestors(option)
            .find(|n| self.is_element_named(*n, known::SELECT))
    }

    /// The value that an option sends: its `value`, or else its text.
    pub fn option_value(&self, option: NodeId) -> String {
        match self.attribute(option, known::VALUE) {
            Some(value) => self.string_value(value).to_owned(),
            None => collapse(self.string_value(option)),
        }
    }

    /// The visible text of an option: its `label`, or else its text.
    pub fn option_text(&self, option: NodeId) -> String {
        match self
            .attribute(option, known::LABEL)
            .map(|label| self.string_value(label))
        {
            Some(label) if !label.is_empty() => label.to_owned(),
            _ => collapse(self.string_value(option)),
        }
    }

    /// The option of a `select` whose visible text is `text`, or else whose value is.
    pub fn find_option(&self, select: NodeId, text: &str) -> Option<NodeId> {
        let options = self.options(select);
        let wanted = collapse(text);
        let shown = options.iter().find(|n| collapse(&self.option_text(**n)) == wanted);
        shown
            .or_else(|| options.iter().find(|n| self.option_value(**n) == text))
            .copied()
    }

    /// Can several options of a `select` be selected at once?
    pub fn is_multiple(&self, select: NodeId) -> bool {
        self.attribute(select, known::MULTIPLE).is_some()
    }

    /// The field that a label is for: the one its `for` names, or else the first inside it.
    pub fn label_target(&self, label: NodeId) -> Option<NodeId> {
        let labelable = |n: &NodeId| self.control(*n).is_some_and(|control| control != Control::Hidden);
        if let Some(named) = self.attribute(label, known::FOR) {
            return self.element_by_id(self.string_value(named)).filter(labelable);
        }
        let elements = self.elements();
        let start = elements.partition_point(|n| *n <= label);
        let end = self.end(label);
        elements[start..]
            .iter()
            .copied()
            .take_while(|n| *n < end)
            .find(labelable)
    }

    /// The labels of a field in document order.
    pub fn labels(&self, control: NodeId) -> Vec<NodeId> {
        let id = self.attribute(control, known::ID).map(|id| self.string_value(id));
        let id = id.filter(|id| self.element_by_id(id) == Some(control));
        let around = |n: NodeId| n < control && control < self.end(n) && self.label_target(n) == Some(control);
        let labels = self.elements_named(known::LABEL).iter().copied();
        labels
            .filter(|n| match self.attribute(*n, known::FOR) {
                Some(named) => id == Some(self.string_value(named)),
                None => around(*n),
            })
            .collect()
    }

    /// The button that Enter in a field of the form presses: its first one that submits, even if it is disabled.
    pub fn default_button(&self, form: NodeId) -> Option<NodeId> {
        self.controls(form)
            .into_iter()
            .find(|n| self.control(*n).is_some_and(Control::submits))
    }

    /// The name of the encoding a form sends in: the first known one of its `accept-charset`, or else the page's own.
    pub fn form_charset(&self, form: NodeId) -> &'static str {
        let own = || Encoding::for_label(self.decoding().encoding.as_bytes());
        let labels = self
            .attribute(form, known::ACCEPT_CHARSET)
            .map(|labels| self.string_value(labels));
        let named = labels.and_then(|labels| labels.split([' ', '\t', '\n', '\x0C', '\r', ',']).find_map(known_label));
        let encoding = named.or_else(own).unwrap_or(encoding_rs::UTF_8).output_encoding();
        encoding.name()
    }

    /// The radio buttons of one group, including this one, in document order.
    pub fn radio_group(&self, radio: NodeId) -> Vec<NodeId> {
        let name = self
            .attribute(radio, known::NAME)
            .map_or("", |name| self.string_value(name));
        if name.is_empty() {
            return vec![radio];
        }
        let same = |n: &NodeId| {
            self.control(*n) == Some(Control::Radio)
                && self
                    .attribute(*n, known::NAME)
                    .is_some_and(|other| self.string_value(other) == name)
        };
        match self.form_of(radio) {
            Some(form) => self.controls(form).into_iter().filter(same).collect(),
            // A `form` attribute that names no form puts its radio button in no group.
            None if self.attribute(radio, known::FORM).is_some() => vec![radio],
            None => {
                let inputs = self.elements_named(known::INPUT).iter().copied().filter(same);
                inputs
                    .filter(|n| self.attribute(*n, known::FORM).is_none() && self.form_of(*n).is_none())
                    .collect()
            }
        }
    }

    /// The value of a text field in the markup.
    fn markup_value(&self, node: NodeId, control: Control) -> Cow<'_, str> {
        let value = self.attribute(node, known::VALUE).map(|value| self.string_value(value));
        match control {
            Control::TextArea => Cow::Borrowed(self.string_value(node)),
            Control::Checkbox | Control::Radio => Cow::Borrowed(value.unwrap_or("on")),
            Control::Text => match (self.attribute_value(node, "type"), value) {
                (Some(kind), None | Some("")) if kind.eq_ignore_ascii_case("color") => Cow::Borrowed("#000000"),
                (Some(kind), None | Some("")) if kind.eq_ignore_ascii_case("range") => self.middle(node),
                (_, value) => one_line(value.unwrap_or("")),
            },
            _ => Cow::Borrowed(value.unwrap_or("")),
        }
    }

    /// The value of a slider without a `value`.
    fn middle(&self, range: NodeId) -> Cow<'_, str> {
        let number = |name| {
            self.attribute_value(range, name)
                .and_then(|n| n.trim().parse::<f64>().ok())
        };
        let least = number("min").filter(|n| n.is_finite()).unwrap_or(0.0);
        let most = number("max").filter(|n| n.is_finite()).unwrap_or(100.0);
        Cow::Owned(format!(
            "{}",
            if most < least {
                least
            } else {
                least + (most - least) / 2.0
            }
        ))
    }

    /// The options that the markup selects.
    fn markup_selected(&self, select: NodeId) -> Vec<NodeId> {
        let options = self.options(select);
        let mut selected: Vec<NodeId> = options
            .iter()
            .copied()
            .filter(|n| self.attribute(*n, known::SELECTED).is_some())
            .collect();
        if self.is_multiple(select) {
            return selected;
        }
        // Each one parsed unselects those before it, so the last one wins.
        if selected.len() > 1 {
            selected.drain(..selected.len() - 1);
        }
        let rows = self
            .attribute_value(select, "size")
            .and_then(|size| size.trim().parse::<u32>().ok())
            .unwrap_or(1);
        if selected.is_empty() && rows <= 1 {
            selected.extend(options.into_iter().find(|n| !self.is_disabled(*n)));
        }
        selected
    }

    /// Does the markup check this one? In a radio group the last one marked wins.
    fn markup_checked(&self, node: NodeId) -> bool {
        let marked = |n: NodeId| self.attribute(n, known::CHECKED).is_some();
        marked(node)
            && (self.control(node) != Some(Control::Radio)
                || self.radio_group(node).into_iter().rfind(|n| marked(*n)) == Some(node))
    }
}

impl Live {
    /// The value of a field, as it would be sent; empty for a `select`.
    pub fn value(&self, node: NodeId) -> Cow<'_, str> {
        match (self.fields.0.get(&node), self.page.control(node)) {
            (Some(Field::Text(text)), _) => Cow::Borrowed(text),
            (_, Some(control)) => self.page.markup_value(node, control),
            _ => Cow::Borrowed(""),
        }
    }

    /// Is this checkbox or radio button checked?
    pub fn is_checked(&self, node: NodeId) -> bool {
        match self.fields.0.get(&node) {
            Some(Field::Checked(checked)) => *checked,
            _ => {
                matches!(self.page.control(node), Some(Control::Checkbox | Control::Radio))
                    && self.page.markup_checked(node)
            }
        }
    }

    /// The selected options of a `select` in document order.
    pub fn selected(&self, select: NodeId) -> Vec<NodeId> {
        match self.fields.0.get(&select) {
            Some(Field::Selected(options)) => options.clone(),
            _ => self.page.markup_selected(select),
        }
    }

    /// The page with that text in a field. A field of one line drops line breaks, as a browser does.
    #[must_use]
    pub fn with_text(&self, node: NodeId, text: &str) -> Live {
        let control = self.page.control(node).unwrap_or(Control::Text);
        let text = if control == Control::Text {
            one_line(text)
        } else {
            Cow::Borrowed(text)
        };
        let same = self.page.markup_value(node, control) == text;
        self.changed(|fields| set(fields, node, same, || Field::Text(text.into_owned())))
    }

    /// The page with a checkbox or radio button checked or not; checking a radio button unchecks its group.
    #[must_use]
    pub fn with_checked(&self, node: NodeId, checked: bool) -> Live {
        let radio = self.page.control(node) == Some(Control::Radio);
        let group = if radio { self.page.radio_group(node) } else { vec![node] };
        let marked = |n: &NodeId| self.page.attribute(*n, known::CHECKED).is_some();
        let by_markup = if radio {
            group.iter().copied().rfind(marked)
        } else {
            Some(node).filter(marked)
        };
        self.changed(|fields| {
            for member in group.iter().copied().filter(|n| *n == node || checked) {
                let now = checked && member == node;
                set(fields, member, now == (by_markup == Some(member)), || {
                    Field::Checked(now)
                });
            }
        })
    }

    /// The page with these options of a `select` selected; the last of them if only one can be.
    #[must_use]
    pub fn with_selected(&self, select: NodeId, mut options: Vec<NodeId>) -> Live {
        if !self.page.is_multiple(select) {
            options.drain(..options.len().saturating_sub(1));
        }
        options.sort_unstable();
        options.dedup();
        let same = self.page.markup_selected(select) == options;
        self.changed(|fields| set(fields, select, same, || Field::Selected(options)))
    }

    /// The page with the fields of a form reset to the markup.
    #[must_use]
    pub fn with_reset(&self, form: NodeId) -> Live {
        let controls = self.page.controls(form);
        self.changed(|fields| fields.0.retain(|node, _| controls.binary_search(node).is_err()))
    }

    fn changed(&self, change: impl FnOnce(&mut Fields)) -> Live {
        let mut live = self.clone();
        change(Arc::make_mut(&mut live.fields));
        live
    }

    /// What a form sends when it is submitted by this button, or without a button: the standard's entry list.
    ///
    /// ```
    /// use page::{Page, driver::Live};
    /// let html = b"<form><input name=q value=x><input type=checkbox name=new checked><input type=submit name=go>";
    /// let live = Live::new(Page::parse(html, &Default::default()).unwrap().into(), "http://shop.example/");
    /// let form = live.page.elements_named(live.page.name_id("form").unwrap())[0];
    /// let sent: Vec<_> = live.entries(form, None).into_iter().map(|e| format!("{}={}", e.name, e.value)).collect();
    /// assert_eq!(sent, ["q=x", "new=on"]);
    /// ```
    pub fn entries(&self, form: NodeId, submitter: Option<NodeId>) -> Vec<Entry> {
        let page = &*self.page;
        let controls = page.controls(form);
        let disabled = page.disabled_ranges();
        let inert = page.ranges_of_named(&[known::DATALIST]);
        let name_of = |node| {
            page.attribute(node, known::NAME)
                .map_or("", |name| page.string_value(name))
        };
        // The radio button that the markup checks in each group, found once rather than once for each button.
        let marked = |n: &&NodeId| page.attribute(**n, known::CHECKED).is_some();
        let radios = controls
            .iter()
            .filter(|n| page.control(**n) == Some(Control::Radio))
            .filter(marked);
        let marked_radios: BTreeMap<&str, NodeId> = radios.map(|n| (name_of(*n), *n)).collect();
        let mut entries = Vec::new();
        for &node in &controls {
            let Some(control) = page.control(node) else { continue };
            let off =
                page.attribute(node, known::DISABLED).is_some() || disabled.contains(node) || inert.contains(node);
            if off || (control.is_button() && submitter != Some(node)) {
                continue;
            }
            let name = name_of(node);
            if control == Control::Image {
                let prefix = if name.is_empty() {
                    String::new()
                } else {
                    format!("{name}.")
                };
                entries.push(Entry::text(&format!("{prefix}x"), "0"));
                entries.push(Entry::text(&format!("{prefix}y"), "0"));
                continue;
            }
            if name.is_empty() {
                continue;
            }
            match control {
                Control::Select => {
                    for option in self.selected(node) {
                        if !page.is_disabled(option) {
                            entries.push(Entry::text(name, &page.option_value(option)));
                        }
                    }
                }
                Control::Checkbox | Control::Radio => {
                    let checked = match self.fields.0.get(&node) {
                        Some(Field::Checked(checked)) => *checked,
                        _ if control == Control::Radio => marked_radios.get(name) == Some(&node),
                        _ => page.attribute(node, known::CHECKED).is_some(),
                    };
                    if checked {
                        entries.push(Entry::text(name, &page.markup_value(node, control)));
                    }
                }
                Control::Hidden if name.eq_ignore_ascii_case("_charset_") => {
                    entries.push(Entry::text(name, page.form_charset(form)));
                }
                Control::File => entries.push(Entry {
                    is_file: true,
                    ..Entry::text(name, "")
                }),
                _ => {
                    let value = self.value(node);
                    entries.push(Entry::text(name, &value));
                    let direction = page.attribute_value(node, "dirname").filter(|name| !name.is_empty());
                    if let Some(direction) = direction.filter(|_| control != Control::Hidden) {
                        entries.push(Entry::text(direction, page.direction(node, &value)));
                    }
                }
            }
        }
        entries
    }
}

impl Page {
    /// The direction of the text of a field: `ltr` or `rtl` (HTML Standard 3.2.6.4).
    fn direction(&self, field: NodeId, value: &str) -> &'static str {
        for at in std::iter::once(field).chain(self.ancestors(field)) {
            let written = self.attribute_value(at, "dir").unwrap_or("");
            let is = |direction: &str| written.eq_ignore_ascii_case(direction);
            match () {
                () if is("ltr") => return "ltr",
                () if is("rtl") => return "rtl",
                // The first letter decides.
                () if is("auto") && at == field => {
                    let first = value.chars().find(|letter| letter.is_alphabetic());
                    return if first.is_some_and(is_right_to_left) {
                        "rtl"
                    } else {
                        "ltr"
                    };
                }
                () => {}
            }
        }
        "ltr"
    }
}

/// Is this a letter of a script that is written from right to left? Hebrew, Arabic and their neighbours.
fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// Sets a field, or removes it if its value is that of the markup.
fn set(fields: &mut Fields, node: NodeId, as_in_markup: bool, value: impl FnOnce() -> Field) {
    if as_in_markup {
        fields.0.remove(&node);
    } else {
        fields.0.insert(node, value());
    }
}

fn known_label(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.as_bytes()).filter(|encoding| *encoding != REPLACEMENT)
}

/// Strips white space at the ends and replaces every other run of it by one space.
fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text
        .split([' ', '\t', '\n', '\x0C', '\r'])
        .filter(|word| !word.is_empty())
    {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r']) {
        Cow::Owned(text.replace(['\n', '\r'], ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// Ranges of ids, merged, so that membership is one binary search.
struct Ranges(Vec<(NodeId, NodeId)>);

impl Ranges {
    fn new(mut ranges: Vec<(NodeId, NodeId)>) -> Ranges {
        ranges.sort_unstable();
        let mut merged: Vec<(NodeId, NodeId)> = Vec::with_capacity(ranges.len());
        for (start, end) in ranges {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        Ranges(merged)
    }

    fn contains(&self, node: NodeId) -> bool {
        let after = self.0.partition_point(|(start, _)| *start <= node);
        after > 0 && node < self.0[after - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(html: &str) -> Live {
        let page = Page::parse(html.as_bytes(), &Default::default()).unwrap();
        Live::new(Arc::new(page), "http://site.test/")
    }

    fn by_id(live: &Live, id: &str) -> NodeId {
        live.page
            .element_by_id(id)
            .unwrap_or_else(|| panic!("no element has the id {id}"))
    }

    fn first_form(live: &Live) -> NodeId {
        live.page.elements_named(known::FORM)[0]
    }

    fn sent(live: &Live, submitter: Option<&str>) -> String {
        let entries = live.entries(first_form(live), submitter.map(|id| by_id(live, id)));
        let pairs: Vec<String> = entries.into_iter().map(|e| format!("{}={}", e.name, e.value)).collect();
        pairs.join("&")
    }

    #[test]
    fn what_the_markup_sends() {
        let rows: &[(&str, &str)] = &[
            (
                "<form><input name=a value=1><input name=b type=PASSWORD value=2><input name=c>",
                "a=1&b=2&c=",
            ),
            (
                "<form><input name=a type=hidden value=' x '><textarea name=b>\ny\nz</textarea>",
                "a= x &b=y\nz",
            ),
            (
                "<form><input value=nameless><input name='' value=1><textarea>t</textarea>",
                "",
            ),
            ("<form><input name=a value='x\ny'>", "a=xy"),
            (
                "<form><input type=color name=a><input type=range name=b><input type=range name=c min=2 max=5>",
                "a=#000000&b=50&c=3.5",
            ),
            (
                "<form><input type=checkbox name=a checked><input type=checkbox name=b value=2><input type=checkbox name=c value=3 checked>",
                "a=on&c=3",
            ),
            (
                "<form><input type=radio name=a value=1 checked><input type=radio name=a value=2 checked><input type=radio name=a value=3>",
                "a=2",
            ),
            (
                "<form><input type=radio name=a value=1><input type=radio name=a value=2>",
                "",
            ),
            (
                "<form><select name=s><option>one two <option value=2>b</select>",
                "s=one two",
            ),
            (
                "<form><select name=s><option>\n one\n  two <option selected value=2>b<option selected>c</select>",
                "s=c",
            ),
            ("<form><select name=s><option disabled>a<option>b</select>", "s=b"),
            ("<form><select name=s><option disabled selected>a<option>b</select>", ""),
            (
                "<form><select name=s><optgroup disabled><option>a</optgroup><option>b</select>",
                "s=b",
            ),
            ("<form><select name=s size=3><option>a<option>b</select>", ""),
            (
                "<form><select name=s multiple><option>a<option selected>b<option selected>c</select>",
                "s=b&s=c",
            ),
            ("<form><select name=s multiple><option>a</select>", ""),
            ("<form><select name=s></select>", ""),
            (
                "<form><input type=submit name=a><input type=image name=b><button name=c value=1></button><input type=reset name=d><input type=button name=e>",
                "",
            ),
            (
                "<form><input name=a disabled><select name=b disabled><option>x</select><textarea name=c disabled></textarea>",
                "",
            ),
            (
                "<form><fieldset disabled><legend><input name=a value=1></legend><input name=b><legend><input name=c></legend></fieldset><input name=d value=4>",
                "a=1&d=4",
            ),
            (
                "<form><fieldset disabled><legend><fieldset disabled><input name=a></fieldset></legend></fieldset>",
                "",
            ),
            ("<form><fieldset><input name=a value=1></fieldset>", "a=1"),
            ("<form><datalist><input name=a></datalist><input name=b value=2>", "b=2"),
            ("<form><template><input name=a></template><input name=b value=2>", "b=2"),
            ("<form><input type=file name=f><input name=b value=2>", "f=&b=2"),
            ("<form><input type=hidden name=_charset_ value=x>", "_charset_=UTF-8"),
            (
                "<form accept-charset='bogus, latin1'><input type=hidden name=_charset_>",
                "_charset_=windows-1252",
            ),
            // Ownership.
            (
                "<form id=f><input name=a value=1></form><input name=b value=2 form=f><input name=c value=3>",
                "a=1&b=2",
            ),
            ("<form id=f><input name=a form=g></form><form id=g></form>", ""),
            (
                "<input name=a value=0 form=f><form id=f><input name=b value=1></form>",
                "a=0&b=1",
            ),
            (
                "<table><form><tr><td><input name=a value=1></form></table><input name=b>",
                "a=1",
            ),
            (
                "<table><tr><form><td><input name=a value=1></tr></form><form><tr><td><input name=b></form></table>",
                "a=1",
            ),
            ("<svg><input name=a></svg><form><input name=b value=1>", "b=1"),
        ];
        for (html, expected) in rows {
            assert_eq!(sent(&live(html), None), *expected, "{html}");
        }
    }

    #[test]
    fn only_the_button_used_is_sent() {
        let html = "<form><input name=q value=1><input id=s type=submit name=s value=Go><input type=submit name=t value=No>\
            <button id=b name=b value=B>text</button><input id=i type=image name=i><input id=j type=image>";
        let live = live(html);
        for (button, expected) in [
            ("s", "q=1&s=Go"),
            ("b", "q=1&b=B"),
            ("i", "q=1&i.x=0&i.y=0"),
            ("j", "q=1&x=0&y=0"),
        ] {
            assert_eq!(sent(&live, Some(button)), expected, "{button}");
        }
        assert_eq!(live.page.default_button(first_form(&live)), Some(by_id(&live, "s")));
    }

    #[test]
    fn the_owner_of_a_field_is_the_form_that_counts_it() {
        let html = "<form id=f><div><input id=a><input id=b form=g><button id=c></button></div></form>\
            <form id=g></form><input id=d><input id=e form=f><input id=h form=nothing>\
            <table><form id=t><tr><td><select id=i></select></form></table><textarea id=j></textarea>\
            <div id=k></div>";
        let live = live(html);
        let page = &live.page;
        let rows = [
            ("a", Some("f")),
            ("b", Some("g")),
            ("c", Some("f")),
            ("d", None),
            ("e", Some("f")),
            ("h", None),
            ("i", Some("t")),
            ("j", None),
            ("k", None),
            ("f", Some("f")),
        ];
        for (id, form) in rows {
            let node = by_id(&live, id);
            assert_eq!(page.form_of(node), form.map(|f| by_id(&live, f)), "{id}");
            for candidate in ["f", "g", "t"].iter().filter(|_| page.control(node).is_some()) {
                let counted = page.controls(by_id(&live, candidate)).contains(&node);
                assert_eq!(counted, form == Some(*candidate), "{id} in {candidate}");
            }
        }
    }

    #[test]
    fn labels_and_their_fields() {
        let html = "<label id=l1 for=a>A</label><input id=a><label id=l2>B <b><input type=hidden><input id=b></b><input></label>\
            <label id=l3 for=none><input id=c></label><label id=l4>no field</label><label id=l5 for=a>again</label>";
        let live = live(html);
        for (label, field) in [
            ("l1", Some("a")),
            ("l2", Some("b")),
            ("l3", None),
            ("l4", None),
            ("l5", Some("a")),
        ] {
            assert_eq!(
                live.page.label_target(by_id(&live, label)),
                field.map(|f| by_id(&live, f)),
                "{label}"
            );
        }
        assert_eq!(
            live.page.labels(by_id(&live, "a")),
            [by_id(&live, "l1"), by_id(&live, "l5")]
        );
        assert_eq!(live.page.labels(by_id(&live, "b")), [by_id(&live, "l2")]);
        assert_eq!(live.page.labels(by_id(&live, "c")), []);
    }

    #[test]
    fn changes_show_in_what_is_sent_and_going_back_forgets_them() {
        let html = "<form><input id=t name=t value=old><input id=c type=checkbox name=c checked>\
            <input id=r1 type=radio name=r value=1 checked><input id=r2 type=radio name=r value=2>\
            <select id=s name=s><option id=o1>a<option id=o2>b</select>\
            <select id=m name=m multiple><option id=m1>x<option id=m2>y</select></form>";
        let start = live(html);
        let id = |name: &str| by_id(&start, name);
        assert_eq!(sent(&start, None), "t=old&c=on&r=1&s=a");
        let live = start
            .with_text(id("t"), "n\new")
            .with_checked(id("c"), false)
            .with_checked(id("r2"), true);
        assert!(live.is_checked(id("r2")) && !live.is_checked(id("r1")) && !live.is_checked(id("c")));
        let live = live
            .with_selected(id("s"), vec![id("o2")])
            .with_selected(id("m"), vec![id("m2"), id("m1"), id("m1")]);
        assert_eq!(sent(&live, None), "t=new&r=2&s=b&m=x&m=y");
        assert_eq!(
            (live.value(id("t")), live.selected(id("s"))),
            ("new".into(), vec![id("o2")])
        );
        assert_eq!(start.fields, Arc::default(), "the first state is untouched");
        let back = live
            .with_text(id("t"), "old")
            .with_checked(id("c"), true)
            .with_checked(id("r1"), true);
        let both = back.with_selected(id("s"), vec![id("o1"), id("o2")]);
        assert_eq!(both.selected(id("s")), [id("o2")], "a single choice keeps the last");
        let back = back
            .with_selected(id("s"), vec![id("o1")])
            .with_selected(id("m"), vec![]);
        assert_eq!(back.fields, start.fields);
        assert_eq!(live.with_reset(first_form(&start)).fields, start.fields);
    }

    #[test]
    fn radio_groups_are_by_name_and_form() {
        let html = "<form id=f><input id=a type=radio name=r><input id=b type=radio name=r><input id=c type=radio name=q>\
            </form><input id=d type=radio name=r><input id=e type=radio name=r form=f><input id=g type=radio>\
            <input id=h type=radio name=r><input id=i type=checkbox name=r>";
        let live = live(html);
        let rows: &[(&str, &[&str])] = &[
            ("a", &["a", "b", "e"]),
            ("c", &["c"]),
            ("d", &["d", "h"]),
            ("e", &["a", "b", "e"]),
            ("g", &["g"]),
        ];
        for (radio, group) in rows {
            let expected: Vec<NodeId> = group.iter().map(|id| by_id(&live, id)).collect();
            assert_eq!(live.page.radio_group(by_id(&live, radio)), expected, "{radio}");
        }
    }

    #[test]
    fn options_are_found_by_what_they_show_and_then_by_value() {
        let html = "<select id=s><option id=a value=b>One\n  two<option id=b value=3>b<option id=c label=Shown>hidden</select>";
        let live = live(html);
        let rows = [
            ("One two", Some("a")),
            (" One  two ", Some("a")),
            ("b", Some("b")),
            ("3", Some("b")),
            ("Shown", Some("c")),
            ("hidden", Some("c")),
            ("none", None),
        ];
        for (text, option) in rows {
            let found = live.page.find_option(by_id(&live, "s"), text);
            assert_eq!(found, option.map(|id| by_id(&live, id)), "{text}");
        }
    }

    #[test]
    fn many_fields_in_nested_fieldsets_cost_linear_time() {
        let deep = 300;
        let html = format!(
            "<form>{}{}",
            "<fieldset disabled><legend>".repeat(deep),
            "<input type=radio name=a checked value=1>".repeat(20_000)
        );
        let live = live(&html);
        assert_eq!(sent(&live, None), "a=1");
    }
}
