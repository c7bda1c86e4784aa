//! What an action does to a page when no script runs.
//!
//! A pure function from a page, a node and an action to an [`Effect`]: the page stays, perhaps with other field values,
//! or a request must be made. It follows the HTML Standard's activation behaviour: a click goes to the nearest element,
//! from the node upwards, that does something when clicked, so a click on the image in a link follows the link.
//! Attribute and text nodes stand for their elements, because expressions such as `//a/@href/{click /}` mean those.
//!
//! An action that needs a script is an error, never a silent success: an element without any behaviour, a button
//! outside a form, a `javascript:` link. Mouse movements, focus and scrolling are exceptions: expressions often contain
//! them as a precaution, and they rarely change anything.
//!
//! An `onclick` beside a real `href` is ignored: such links are meant to work without scripts too.

use crate::encode::{self, Packing};
use crate::fetch::{Method, Request};
use page::driver::{Action, DriverError, FailureKind, Live};
use page::form::Control;
use page::{Kind, Namespace, NodeId, Remedy};
use url::Url;

/// What an action leads to.
#[derive(Debug)]
pub(crate) enum Effect {
    /// The same tree.
    Stay(Live),
    /// Another page, which must be requested.
    Go(Request),
    /// Another page, whose HTML is contained in this one.
    Inline(String),
}

type Acted = Result<Effect, DriverError>;

/// What `action` on `node` leads to.
pub(crate) fn act(on: &Live, node: NodeId, action: &Action) -> Acted {
    if node.index() >= on.page.len() {
        return Err(not_actionable("the node is not on this page".to_owned()));
    }
    let scene = Scene { live: on };
    let node = scene.element(node);
    match action {
        Action::Click => scene.click(node),
        Action::DoubleClick => match scene.click(node)? {
            // The second click undoes the first.
            Effect::Stay(_) if scene.control(node) == Some(Control::Checkbox) => scene.stay(),
            effect => Ok(effect),
        },
        Action::MouseOver | Action::Focus | Action::Scroll | Action::Mouse(_) => scene.stay(),
        Action::RightClick => Err(scene.needs_browser(node, "clicked with the right button")),
        Action::KeyDown(_) | Action::KeyUp(_) => Err(scene.needs_browser(node, "given a single event of a key")),
        Action::Drag(_) => Err(scene.needs_browser(node, "dragged")),
        Action::Submit => {
            let node = scene.labelled(node);
            let button = scene.control(node).is_some_and(Control::submits).then_some(node);
            match on.page.form_of(node) {
                Some(form) => scene.submit(form, button),
                None => Err(scene.refuse(node, "submitted", "a form, or an element of one")),
            }
        }
        Action::Check => scene.check(node, true),
        Action::Uncheck => scene.check(node, false),
        Action::Press(key) => scene.press(node, key),
        Action::Type(text) => scene.type_text(node, text),
        Action::Select(text) => {
            let node = scene.labelled(node);
            scene.select(node, text)
        }
        Action::SelectIndex(index) => scene.select_index(scene.labelled(node), *index),
        Action::EnterFrame | Action::MoveToFrame => scene.frame(node),
        Action::MoveToHref => match on.page.attribute_value(node, "href") {
            Some(href) => scene.go(node, href),
            None => Err(scene.refuse(node, "moved to", "an element with href")),
        },
    }
}

/// The base address for relative links of a page.
pub(crate) fn base_of(live: &Live) -> Option<Url> {
    let own = Url::parse(&live.url).ok();
    let written = live.page.base_href();
    let base = written.and_then(|href| Url::options().base_url(own.as_ref()).parse(href).ok());
    base.filter(|base| !matches!(base.scheme(), "data" | "javascript"))
        .or(own)
}

/// The start tag of the element that a node stands for, shortened to the attributes that identify it.
#[cfg(feature = "chromium")]
pub(crate) fn tag(live: &Live, node: NodeId) -> String {
    let scene = Scene { live };
    scene.tag(scene.element(node))
}

/// The element that a node stands for; none for the document.
#[cfg(feature = "chromium")]
pub(crate) fn element(live: &Live, node: NodeId) -> Option<NodeId> {
    let page = &live.page;
    let known = (node.index() < page.len()).then_some(node)?;
    Some(Scene { live }.element(known)).filter(|element| page.is_element(*element))
}

/// A page that is acted on.
struct Scene<'l> {
    live: &'l Live,
}

impl Scene<'_> {
    /// The element that a node stands for.
    fn element(&self, node: NodeId) -> NodeId {
        match self.live.page.kind(node) {
            Kind::Element | Kind::Document => node,
            Kind::Attribute | Kind::Text | Kind::Comment => self.live.page.parent(node).unwrap_or(node),
        }
    }

    fn control(&self, node: NodeId) -> Option<Control> {
        self.live.page.control(node)
    }

    fn is_html(&self, node: NodeId) -> bool {
        self.live.page.namespace(node) == Some(Namespace::Html)
    }

    /// The field of a label; any other node itself.
    fn labelled(&self, node: NodeId) -> NodeId {
        let page = &self.live.page;
        if self.is_html(node) && page.name(node) == "label" {
            page.label_target(node).unwrap_or(node)
        } else {
            node
        }
    }

    fn stay(&self) -> Acted {
        Ok(Effect::Stay(self.live.clone()))
    }

    /// Clicks the nearest element from `node` upwards that does something when clicked.
    fn click(&self, node: NodeId) -> Acted {
        let page = &self.live.page;
        for at in std::iter::once(node).chain(page.ancestors(node)) {
            if self.control(at).is_some() {
                return self.click_control(at);
            }
            let html = self.is_html(at);
            match page.name(at) {
                "a" | "area" => {
                    if let Some(href) = self.href(at) {
                        return self.follow(at, href);
                    }
                }
                "option" if html => return self.click_option(at),
                // Open or closed makes no difference here: the tree contains everything.
                "summary" if html => return self.stay(),
                "label" if html => {
                    if let Some(field) = page.label_target(at) {
                        return self.click_control(field);
                    }
                }
                _ => {}
            }
        }
        Err(self.needs_browser(node, "clicked"))
    }

    fn href(&self, link: NodeId) -> Option<&str> {
        let page = &self.live.page;
        let href = page.attribute_value(link, "href");
        if self.is_html(link) {
            href
        } else {
            href.or_else(|| page.attribute_value(link, "xlink:href"))
        }
    }

    fn follow(&self, link: NodeId, href: &str) -> Acted {
        let fragment = self.resolve(href).is_ok_and(|url| self.is_fragment(&url));
        if fragment && self.live.page.attribute_value(link, "onclick").is_some() {
            return Err(self.needs_browser(link, "clicked"));
        }
        self.go(link, href)
    }

    /// Follows an address on the page, if pages may lead to it.
    fn go(&self, node: NodeId, address: &str) -> Acted {
        let url = self.resolve(address)?;
        if url.scheme() == "javascript" {
            return Err(self.needs_browser(node, "followed"));
        }
        if self.is_fragment(&url) {
            return self.stay();
        }
        Ok(Effect::Go(Request::get(url)))
    }

    /// Is this a place on the same page?
    fn is_fragment(&self, url: &Url) -> bool {
        let bare = |url: &str| url.split('#').next().unwrap_or("").to_owned();
        url.fragment().is_some() && bare(url.as_str()) == bare(&self.live.url)
    }

    /// An address as the page means it: relative to its base, its query in the page's encoding.
    fn resolve(&self, address: &str) -> Result<Url, DriverError> {
        let base = base_of(self.live);
        let encoding = encoding_rs::Encoding::for_label(self.live.page.decoding().encoding.as_bytes());
        let encoding = encoding.unwrap_or(encoding_rs::UTF_8).output_encoding();
        let encode = encode::encoder(encoding);
        let parsed = Url::options()
            .base_url(base.as_ref())
            .encoding_override(Some(&encode))
            .parse(address);
        parsed.map_err(|error| {
            let address: String = address.chars().take(200).collect();
            DriverError::new(
                FailureKind::BadUrl,
                format!("the page links to \"{address}\", which is not an address: {error}"),
            )
            .with_source(error)
        })
    }

    fn click_control(&self, node: NodeId) -> Acted {
        let page = &self.live.page;
        let Some(control) = self.control(node) else {
            return self.stay();
        };
        if page.is_disabled(node) {
            return Err(self.disabled(node));
        }
        match control {
            Control::Checkbox => Ok(Effect::Stay(self.live.with_checked(node, !self.live.is_checked(node)))),
            Control::Radio => Ok(Effect::Stay(self.live.with_checked(node, true))),
            Control::Submit | Control::Image => match page.form_of(node) {
                Some(form) => self.submit(form, Some(node)),
                None => Err(self.needs_browser(node, "clicked")),
            },
            Control::Reset => match page.form_of(node) {
                Some(form) => Ok(Effect::Stay(self.live.with_reset(form))),
                None => Err(self.needs_browser(node, "clicked")),
            },
            Control::Button => Err(self.needs_browser(node, "clicked")),
            // Only the focus moves.
            _ => self.stay(),
        }
    }

    fn click_option(&self, option: NodeId) -> Acted {
        let page = &self.live.page;
        let Some(select) = page.select_of(option) else {
            return Err(self.refuse(option, "chosen", "an option of a select"));
        };
        let mut selected = self.live.selected(select);
        match selected.binary_search(&option) {
            Ok(at) if page.is_multiple(select) => {
                self.enabled(select)?;
                selected.remove(at);
                Ok(Effect::Stay(self.live.with_selected(select, selected)))
            }
            _ => self.choose(select, option),
        }
    }

    fn choose(&self, select: NodeId, option: NodeId) -> Acted {
        self.enabled(select)?;
        self.enabled(option)?;
        let mut selected = if self.live.page.is_multiple(select) {
            self.live.selected(select)
        } else {
            Vec::new()
        };
        selected.push(option);
        Ok(Effect::Stay(self.live.with_selected(select, selected)))
    }

    fn enabled(&self, node: NodeId) -> Result<(), DriverError> {
        if self.live.page.is_disabled(node) {
            Err(self.disabled(node))
        } else {
            Ok(())
        }
    }

    fn select(&self, node: NodeId, text: &str) -> Acted {
        let page = &self.live.page;
        if self.control(node) != Some(Control::Select) {
            return Err(self.refuse(node, "chosen from", "a select"));
        }
        match page.find_option(node, text) {
            Some(option) => self.choose(node, option),
            None => {
                let shown: Vec<String> = page
                    .options(node)
                    .iter()
                    .take(12)
                    .map(|n| format!("\"{}\"", page.option_text(*n)))
                    .collect();
                let error = format!("{} has no option \"{text}\"", self.tag(node));
                let advice = if shown.is_empty() {
                    "it has no options".to_owned()
                } else {
                    format!("it has {}", shown.join(", "))
                };
                Err(not_actionable(error).with_remedy(advice))
            }
        }
    }

    fn select_index(&self, node: NodeId, index: usize) -> Acted {
        if self.control(node) != Some(Control::Select) {
            return Err(self.refuse(node, "chosen from", "a select"));
        }
        let options = self.live.page.options(node);
        match options.get(index) {
            Some(option) => self.choose(node, *option),
            None => {
                let error = format!(
                    "{} has {} options, none has the index {index}",
                    self.tag(node),
                    options.len()
                );
                Err(not_actionable(error).with_remedy("indices start at 0"))
            }
        }
    }

    fn check(&self, node: NodeId, checked: bool) -> Acted {
        let node = self.labelled(node);
        match self.control(node) {
            Some(Control::Checkbox) => {}
            Some(Control::Radio) if checked => {}
            Some(Control::Radio) => {
                let error = format!("{} cannot be unchecked", self.tag(node));
                return Err(not_actionable(error).with_remedy("check another button of its group"));
            }
            _ => {
                let done = if checked { "checked" } else { "unchecked" };
                return Err(self.refuse(node, done, "a checkbox or a radio button"));
            }
        }
        self.enabled(node)?;
        Ok(Effect::Stay(self.live.with_checked(node, checked)))
    }

    /// Replaces the text of a field. A line break at the end of a line of text presses Enter.
    fn type_text(&self, node: NodeId, text: &str) -> Acted {
        let page = &self.live.page;
        let node = self.labelled(node);
        let control = self.control(node);
        match control {
            Some(Control::Select) => return self.select(node, text.trim_end_matches(['\n', '\r'])),
            Some(Control::Text | Control::TextArea | Control::Hidden) => {}
            Some(Control::File) => {
                let error = format!("{} expects a file, and files cannot be uploaded", self.tag(node));
                return Err(not_actionable(error));
            }
            _ if page.attribute_value(node, "contenteditable").is_some() => {
                return Err(self.needs_browser(node, "typed into"));
            }
            _ => return Err(self.refuse(node, "typed into", "an input, a textarea or a select")),
        }
        self.writable(node)?;
        let live = self.live.with_text(node, text);
        if control == Some(Control::Text) && text.ends_with(['\n', '\r']) {
            return Scene { live: &live }.enter(node);
        }
        Ok(Effect::Stay(live))
    }

    fn writable(&self, node: NodeId) -> Result<(), DriverError> {
        self.enabled(node)?;
        if self.live.page.attribute_value(node, "readonly").is_some() {
            return Err(not_actionable(format!("{} is read-only", self.tag(node))));
        }
        Ok(())
    }

    fn press(&self, node: NodeId, key: &str) -> Acted {
        let node = self.labelled(node);
        let control = self.control(node);
        let mut chars = key.chars();
        let typed = match (chars.next(), chars.next()) {
            (Some(c), None) if !c.is_control() => Some(c),
            _ => None,
        };
        let enter = key.eq_ignore_ascii_case("enter") || key.eq_ignore_ascii_case("return");
        match control {
            Some(Control::TextArea) if enter => {
                self.writable(node)?;
                Ok(Effect::Stay(
                    self.live.with_text(node, &format!("{}\n", self.live.value(node))),
                ))
            }
            Some(Control::Text | Control::TextArea) if typed.is_some() => {
                self.writable(node)?;
                Ok(Effect::Stay(
                    self.live.with_text(node, &format!("{}{key}", self.live.value(node))),
                ))
            }
            Some(control) if control.is_button() && (enter || typed == Some(' ')) => self.click_control(node),
            Some(Control::Checkbox | Control::Radio) if typed == Some(' ') => self.click_control(node),
            Some(_) if enter => self.enter(node),
            None if enter && self.href(node).is_some() => self.click(node),
            _ => self.stay(),
        }
    }

    /// Enter in a field: implicit submission (HTML Standard 4.10.21.2).
    fn enter(&self, node: NodeId) -> Acted {
        let page = &self.live.page;
        let Some(form) = page.form_of(node) else {
            return Err(self.needs_browser(node, "entered"));
        };
        let controls = page.controls(form);
        let button = controls
            .iter()
            .copied()
            .find(|n| self.control(*n).is_some_and(Control::submits));
        let blocking = || {
            controls
                .iter()
                .filter(|n| self.control(**n) == Some(Control::Text))
                .count()
        };
        let why = match button {
            Some(button) if page.is_disabled(button) => "its first submit button is disabled",
            None if blocking() > 1 => "it has several fields and no submit button",
            button => return self.submit(form, button),
        };
        let error = format!("Enter does not submit the form of {}: {why}", self.tag(node));
        Err(not_actionable(error).with_remedy("{submit} submits it"))
    }

    /// Submits a form, with or without a button.
    fn submit(&self, form: NodeId, button: Option<NodeId>) -> Acted {
        let page = &self.live.page;
        if let Some(button) = button {
            self.enabled(button)?;
        }
        let setting = |own: &str, name: &str| {
            let overridden = button.and_then(|button| page.attribute_value(button, own));
            overridden.or_else(|| page.attribute_value(form, name)).unwrap_or("")
        };
        let method = setting("formmethod", "method");
        if method.eq_ignore_ascii_case("dialog") {
            return self.stay();
        }
        let method = if method.eq_ignore_ascii_case("post") {
            Method::Post
        } else {
            Method::Get
        };
        // An empty action is the page itself, even if it has a base.
        let action = setting("formaction", "action").trim_matches([' ', '\t', '\n', '\x0C', '\r']);
        let url = if action.is_empty() {
            self.resolve(&self.live.url)?
        } else {
            self.resolve(action)?
        };
        if url.scheme() == "javascript" {
            return Err(self.needs_browser(form, "submitted"));
        }
        let packing = Packing::of(setting("formenctype", "enctype"));
        let entries = self.live.entries(form, button);
        Ok(Effect::Go(encode::request(
            method,
            url,
            packing,
            page.form_charset(form),
            &entries,
        )))
    }

    fn frame(&self, node: NodeId) -> Acted {
        let page = &self.live.page;
        if !self.is_html(node) || !matches!(page.name(node), "iframe" | "frame") {
            return Err(self.refuse(node, "entered", "an iframe or a frame"));
        }
        if let Some(html) = page.attribute_value(node, "srcdoc") {
            return Ok(Effect::Inline(html.to_owned()));
        }
        let src = page.attribute_value(node, "src").unwrap_or("").trim();
        if src.is_empty() || src.eq_ignore_ascii_case("about:blank") {
            return Err(self.needs_browser(node, "entered"));
        }
        let url = self.resolve(src)?;
        if url.scheme() == "javascript" {
            return Err(self.needs_browser(node, "entered"));
        }
        Ok(Effect::Go(Request::get(url)))
    }

    /// The start tag of an element, shortened to the attributes that identify it.
    fn tag(&self, node: NodeId) -> String {
        let page = &self.live.page;
        if !page.is_element(node) {
            return "the document".to_owned();
        }
        let mut tag = format!("<{}", page.name(node));
        for name in ["type", "id", "name", "href", "class"] {
            if let Some(value) = page.attribute_value(node, name)
                && tag.len() < 80
            {
                let value: String = value.chars().take(40).collect();
                tag += &format!(" {name}=\"{value}\"");
            }
        }
        tag + ">"
    }

    fn needs_browser(&self, node: NodeId, done: &str) -> DriverError {
        let message = format!("only a script can tell what happens when {} is {done}", self.tag(node));
        DriverError::new(FailureKind::NeedsBrowser, message).with_remedy(Remedy::UseBrowser)
    }

    fn refuse(&self, node: NodeId, done: &str, expected: &str) -> DriverError {
        not_actionable(format!("{} cannot be {done}, expected {expected}", self.tag(node)))
    }

    fn disabled(&self, node: NodeId) -> DriverError {
        not_actionable(format!("{} is disabled", self.tag(node)))
    }
}

fn not_actionable(message: String) -> DriverError {
    DriverError::new(FailureKind::NotActionable, message)
}
