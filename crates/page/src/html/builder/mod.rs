//! Tree construction (HTML Standard 13.2.6): tags, text and comments in, a scratch tree out.
//!
//! The tokenizer calls [`Builder::start_tag`] and its siblings; the builder answers with the kind of text that follows
//! in [`Builder::content`]. Rules are grouped as in the standard: [`head`] has the insertion modes before the body,
//! [`body`] the body, [`table`] the tables and templates, [`frames`] the framesets and what follows the body, and
//! [`foreign`] SVG and MathML. A rule function handles a token and returns whether it is [`Step::Done`] or must be
//! processed [`Step::Again`], in the mode that is then set.
//!
//! Parse errors are not reported, so rules that only report are absent. "Generate implied end tags, then pop until X"
//! is one truncation of the stack, because the stack knows where X is.
//!
//! The implementation differs from the letter of the standard in ways that do not show in the tree: runs of characters
//! are one token; the "in table text" mode is the list of pending pieces; a template's contents are its children;
//! scripts do not run. Attributes that a second `<html>` or `<body>` adds are merged at the end, because the attributes
//! of an element are stored side by side.
//!
//! Every token costs constant time apart from the nodes it makes and, where the adoption agency moves open elements,
//! their number. After each token the tokenizer checks the limits with [`Builder::check`].

mod body;
mod class;
mod doctype;
mod foreign;
mod formatting;
mod frames;
mod head;
mod selected;
mod stack;
mod table;

use crate::limits::{LimitError, Limits, MOST_BYTES};
use crate::name::{NameId, Namespace, known};
use crate::scratch::{Attribute, Kind, Piece, Ref, Scratch};
use class::{Class, FOSTER};
pub(super) use doctype::DoctypeToken;
use formatting::Entry;
use stack::{Open, Stack};

/// A start tag. Its attributes are the last ones of [`Scratch::attributes`]; they are kept if an element takes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub(super) name: NameId,
    pub(super) first_attribute: u32,
    pub(super) attributes: u32,
    pub(super) self_closing: bool,
}

impl Tag {
    /// A tag that is not in the source.
    fn implied(name: NameId) -> Tag {
        Tag {
            name,
            first_attribute: 0,
            attributes: 0,
            self_closing: false,
        }
    }
}

/// What the tokenizer must read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Markup.
    Data,
    /// Text with character references, up to the end tag of the element.
    Rcdata,
    /// Text up to the end tag of the element.
    Rawtext,
    /// Text up to `</script>`, with the exceptions for comments in scripts.
    Script,
    /// Text up to the end of the page.
    Plaintext,
}

/// The result of a rule function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Done,
    /// The mode has changed; process the token again.
    Again,
}

/// The insertion mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// The context element of a fragment.
#[derive(Clone, Copy, Debug)]
struct Context {
    name: NameId,
    class: Class,
}

/// Attributes that a repeated `<html>` or `<body>` adds to an element.
#[derive(Debug, Default)]
struct Late {
    /// The element, once there is something to add.
    node: Option<Ref>,
    /// By name: does the element have that attribute?
    present: Vec<bool>,
    attributes: Vec<Attribute>,
}

/// The tree builder.
#[derive(Debug)]
pub(super) struct Builder<'s> {
    pub(super) scratch: Scratch<'s>,
    /// The kind of text that follows.
    pub(super) content: Content,
    stack: Stack,
    formatting: Vec<Entry>,
    mode: Mode,
    /// The mode to go back to after [`Mode::Text`].
    original: Mode,
    template_modes: Vec<Mode>,
    head: Ref,
    form: Ref,
    context: Option<Context>,
    scripting: bool,
    quirks: bool,
    frameset_ok: bool,
    /// Is content that is not allowed in a table put before it?
    fostering: bool,
    /// Is the next line feed dropped?
    skip_newline: bool,
    /// Do the attributes of the current tag belong to an element?
    attributes_taken: bool,
    has_selectedcontent: bool,
    /// Text in a table, until it is known whether it is only white space.
    pending: Vec<Piece>,
    pending_is_space: bool,
    late_html: Late,
    late_body: Late,
    /// Attributes of copied elements, which share those of the original here but not on the finished page.
    copied_attributes: usize,
    /// The bytes of their values.
    copied_bytes: usize,
    limits: Limits,
}

/// Where a node is inserted.
enum Place {
    LastChildOf(Ref),
    Before(Ref),
}

/// The number of leading bytes of white space; the text contains no carriage return.
fn space_len(text: &str) -> usize {
    text.bytes().position(|b| !is_space(b)).unwrap_or(text.len())
}

#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\x0C' | b'\r')
}

impl<'s> Builder<'s> {
    pub(super) fn new(source: &'s str, limits: &Limits, scripting: bool) -> Builder<'s> {
        Builder {
            scratch: Scratch::new(source),
            content: Content::Data,
            stack: Stack::new(),
            formatting: Vec::new(),
            mode: Mode::Initial,
            original: Mode::Initial,
            template_modes: Vec::new(),
            head: Ref::NONE,
            form: Ref::NONE,
            context: None,
            scripting,
            quirks: false,
            frameset_ok: true,
            fostering: false,
            skip_newline: false,
            attributes_taken: false,
            has_selectedcontent: false,
            pending: Vec::new(),
            pending_is_space: true,
            late_html: Late::default(),
            late_body: Late::default(),
            copied_attributes: 0,
            copied_bytes: 0,
            limits: Limits {
                bytes: limits.bytes.min(MOST_BYTES),
                ..*limits
            },
        }
    }

    /// Prepares for the fragment algorithm (13.4): the nodes will be children of an `html` element.
    pub(super) fn enter_fragment(&mut self, namespace: Namespace, name: &str) {
        let name = self.scratch.names.intern(name);
        self.context = Some(Context {
            name,
            class: class::of(name, namespace),
        });
        self.insert_root(Tag::implied(known::HTML));
        if namespace == Namespace::Html {
            if name == known::TEMPLATE {
                self.template_modes.push(Mode::InTemplate);
            }
            self.content = match name {
                known::TITLE | known::TEXTAREA => Content::Rcdata,
                known::STYLE | known::XMP | known::IFRAME | known::NOEMBED | known::NOFRAMES => Content::Rawtext,
                known::NOSCRIPT if self.scripting => Content::Rawtext,
                known::SCRIPT => Content::Script,
                known::PLAINTEXT => Content::Plaintext,
                _ => Content::Data,
            };
        }
        self.reset_mode();
    }

    /// A piece of the extra buffer from `start` on. Positions in this buffer have 31 bits: text that goes beyond them
    /// is removed, and the page is rejected at the next check. Only a gigabyte of NULs can cause that.
    pub(super) fn extra_piece(&mut self, start: usize) -> Piece {
        let extra = &mut self.scratch.extra;
        if extra.len() > i32::MAX as usize {
            extra.truncate(start);
            self.copied_bytes = usize::MAX;
        }
        Piece::of_extra(start, self.scratch.extra.len())
    }

    fn store(&mut self, text: &str) -> Piece {
        let start = self.scratch.extra.len();
        self.scratch.store(text);
        self.extra_piece(start)
    }

    /// Does the page exceed one of its limits?
    #[inline]
    pub(super) fn check(&self) -> Result<(), LimitError> {
        let nodes = self.scratch.nodes.len() + self.scratch.attributes.len() + self.copied_attributes;
        if nodes > self.limits.nodes || self.stack.len() > self.limits.depth || self.copied_bytes > self.limits.bytes {
            return Err(self.limit_error(nodes));
        }
        Ok(())
    }

    #[cold]
    fn limit_error(&self, nodes: usize) -> LimitError {
        if self.stack.len() > self.limits.depth {
            LimitError::Depth(self.limits.depth)
        } else if nodes > self.limits.nodes {
            LimitError::Nodes(self.limits.nodes)
        } else {
            LimitError::Bytes(self.limits.bytes)
        }
    }

    /// Is the adjusted current node foreign? Then `<![CDATA[` opens a CDATA section.
    pub(super) fn in_foreign(&self) -> bool {
        self.adjusted_class() & class::FOREIGN != 0
    }

    /// The class of the adjusted current node: the context's, if only the root of a fragment is open.
    #[inline]
    fn adjusted_class(&self) -> Class {
        match self.context {
            Some(context) if self.stack.len() == 1 => context.class,
            _ => self.stack.top_class(),
        }
    }

    /// Handles a start tag; its attributes are the last ones of the scratch tree.
    #[inline]
    pub(super) fn start_tag(&mut self, tag: Tag) {
        self.skip_newline = false;
        self.attributes_taken = false;
        if !self.pending.is_empty() {
            self.flush_pending();
        }
        while self.start_tag_step(tag) == Step::Again {}
        if !self.attributes_taken {
            self.scratch.attributes.truncate(tag.first_attribute as usize);
        }
    }

    #[inline]
    fn start_tag_step(&mut self, tag: Tag) -> Step {
        if self.adjusted_class() & class::FOREIGN != 0 && self.start_is_foreign(tag.name) {
            return self.foreign_start(tag);
        }
        self.start_in_mode(tag)
    }

    /// Handles a start tag by the rules of the insertion mode.
    #[inline]
    fn start_in_mode(&mut self, tag: Tag) -> Step {
        match self.mode {
            Mode::InBody => self.body_start(tag),
            Mode::InCell => self.cell_start(tag),
            Mode::InRow => self.row_start(tag),
            Mode::InTableBody => self.table_body_start(tag),
            Mode::InTable => self.table_start(tag),
            Mode::InCaption => self.caption_start(tag),
            Mode::InColumnGroup => self.column_group_start(tag),
            Mode::InTemplate => self.template_start(tag),
            Mode::InHead => self.head_start(tag),
            Mode::Initial => {
                self.no_doctype();
                Step::Again
            }
            Mode::BeforeHtml => self.before_html_start(tag),
            Mode::BeforeHead => self.before_head_start(tag),
            Mode::InHeadNoscript => self.noscript_start(tag),
            Mode::AfterHead => self.after_head_start(tag),
            Mode::AfterBody | Mode::AfterAfterBody => self.after_body_start(tag),
            Mode::InFrameset => self.frameset_start(tag),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.after_frameset_start(tag),
            Mode::Text => Step::Done,
        }
    }

    /// Handles an end tag.
    #[inline]
    pub(super) fn end_tag(&mut self, name: NameId) {
        self.skip_newline = false;
        if !self.pending.is_empty() {
            self.flush_pending();
        }
        while self.end_tag_step(name) == Step::Again {}
    }

    #[inline]
    fn end_tag_step(&mut self, name: NameId) -> Step {
        if self.adjusted_class() & class::FOREIGN != 0 {
            return self.foreign_end(name);
        }
        self.end_in_mode(name)
    }

    /// Handles an end tag by the rules of the insertion mode.
    #[inline]
    fn end_in_mode(&mut self, name: NameId) -> Step {
        match self.mode {
            Mode::InBody => self.body_end(name),
            Mode::InCell => self.cell_end(name),
            Mode::InRow => self.row_end(name),
            Mode::InTableBody => self.table_body_end(name),
            Mode::InTable => self.table_end(name),
            Mode::InCaption => self.caption_end(name),
            Mode::InColumnGroup => self.column_group_end(name),
            Mode::InTemplate => self.template_end(name),
            Mode::Text => {
                self.stack.pop();
                self.mode = self.original;
                Step::Done
            }
            Mode::InHead => self.head_end(name),
            Mode::Initial => {
                self.no_doctype();
                Step::Again
            }
            Mode::BeforeHtml => self.before_html_end(name),
            Mode::BeforeHead => self.before_head_end(name),
            Mode::InHeadNoscript => self.noscript_end(name),
            Mode::AfterHead => self.after_head_end(name),
            Mode::AfterBody | Mode::AfterAfterBody => self.after_body_end(name),
            Mode::InFrameset => self.frameset_end(name),
            Mode::AfterFrameset | Mode::AfterAfterFrameset => self.after_frameset_end(name),
        }
    }

    /// Handles a run of characters without NUL.
    pub(super) fn text(&mut self, mut piece: Piece) {
        if self.skip_newline {
            self.skip_newline = false;
            if self.scratch.text(piece).starts_with('\n') {
                piece = piece.split_at(1).1;
            }
        }
        while piece.len() > 0 {
            let class = self.adjusted_class();
            if class & class::FOREIGN != 0 && class & (class::HTML_POINT | class::TEXT_POINT) == 0 {
                if self.frameset_ok && !self.is_all_space(piece) {
                    self.frameset_ok = false;
                }
                self.insert_text(piece);
                return;
            }
            match self.mode {
                Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate => return self.body_text(piece),
                Mode::Text => return self.insert_text(piece),
                Mode::InTable | Mode::InTableBody | Mode::InRow => return self.table_text(piece),
                Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => return self.frameset_text(piece),
                _ => {
                    // Leading space has its own rule in these modes; anything else changes the mode.
                    let (space, rest) = piece.split_at(space_len(self.scratch.text(piece)));
                    if space.len() > 0 {
                        self.leading_space(space);
                    }
                    piece = rest;
                    if rest.len() > 0 && self.leave_for_text() == Step::Done {
                        let text = self.scratch.text(rest);
                        piece = rest.split_at(text.bytes().position(is_space).unwrap_or(text.len())).1;
                    }
                }
            }
        }
    }

    fn leading_space(&mut self, space: Piece) {
        match self.mode {
            Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead | Mode::InColumnGroup => self.insert_text(space),
            Mode::AfterBody | Mode::AfterAfterBody => self.body_text(space),
            _ => {}
        }
    }

    /// Handles characters other than space in a mode that does not accept them. Returns `Done` if they must be dropped.
    fn leave_for_text(&mut self) -> Step {
        match self.mode {
            Mode::Initial => self.no_doctype(),
            Mode::BeforeHtml => self.imply_html(),
            Mode::BeforeHead => self.imply_head(),
            Mode::InHead => self.leave_head(),
            Mode::InHeadNoscript => self.leave_noscript(),
            Mode::AfterHead => self.imply_body(),
            Mode::InColumnGroup => return self.leave_column_group(),
            _ => self.mode = Mode::InBody,
        }
        Step::Again
    }

    /// Handles a NUL character outside of raw text; in raw text the tokenizer has replaced it.
    pub(super) fn null(&mut self) {
        self.skip_newline = false;
        loop {
            let class = self.adjusted_class();
            if class & class::FOREIGN != 0 && class & (class::HTML_POINT | class::TEXT_POINT) == 0 {
                let piece = self.store("\u{FFFD}");
                return self.insert_text(piece);
            }
            match self.mode {
                Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => return,
                Mode::InTable | Mode::InTableBody | Mode::InRow => return,
                Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate | Mode::Text => return,
                _ => {
                    if self.leave_for_text() == Step::Done {
                        return;
                    }
                }
            }
        }
    }

    pub(super) fn comment(&mut self, piece: Piece) {
        self.skip_newline = false;
        if !self.pending.is_empty() {
            self.flush_pending();
        }
        let kind = Kind::Comment(piece);
        match self.mode {
            _ if self.in_foreign() => {
                self.place_new(kind);
            }
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                self.scratch.append_new(Ref::DOCUMENT, kind);
            }
            Mode::AfterBody => {
                let root = self.root();
                self.scratch.append_new(root, kind);
            }
            _ => {
                self.place_new(kind);
            }
        }
    }

    /// Handles the end of the page: implies what is missing, and finishes the tree.
    pub(super) fn finish(mut self) -> Result<Scratch<'s>, LimitError> {
        if !self.pending.is_empty() {
            self.flush_pending();
        }
        loop {
            match self.mode {
                Mode::Initial => self.no_doctype(),
                Mode::BeforeHtml => self.imply_html(),
                Mode::BeforeHead => self.imply_head(),
                Mode::InHead => self.leave_head(),
                Mode::InHeadNoscript => self.leave_noscript(),
                Mode::AfterHead => self.imply_body(),
                Mode::Text => {
                    self.stack.pop();
                    self.mode = self.original;
                }
                Mode::InFrameset | Mode::AfterBody | Mode::AfterFrameset => break,
                Mode::AfterAfterBody | Mode::AfterAfterFrameset => break,
                _ if !self.template_modes.is_empty() && self.stack.is_open(known::TEMPLATE) => self.close_template(),
                _ => break,
            }
        }
        for late in [std::mem::take(&mut self.late_html), std::mem::take(&mut self.late_body)] {
            self.merge_late(late);
        }
        if self.has_selectedcontent {
            self.fill_selectedcontent()?;
        }
        self.check()?;
        Ok(self.scratch)
    }

    fn root(&self) -> Ref {
        self.stack.get(0).map_or(Ref::DOCUMENT, |root| root.node)
    }

    #[inline]
    fn element(&mut self, tag: Tag, namespace: Namespace) -> Kind {
        self.attributes_taken = true;
        let Tag {
            name,
            first_attribute,
            attributes,
            ..
        } = tag;
        Kind::Element {
            name,
            namespace,
            first_attribute,
            attributes,
        }
    }

    fn insert_root(&mut self, tag: Tag) {
        let kind = self.element(tag, Namespace::Html);
        let root = self.scratch.append_new(Ref::DOCUMENT, kind);
        self.stack.push(root, known::HTML, class::of_html(known::HTML));
    }

    /// Inserts an HTML element and opens it.
    #[inline]
    fn insert(&mut self, tag: Tag) -> Ref {
        let node = self.insert_void(tag);
        self.stack.push(node, tag.name, class::of_html(tag.name));
        node
    }

    /// Inserts an HTML element without opening it.
    #[inline]
    fn insert_void(&mut self, tag: Tag) -> Ref {
        let kind = self.element(tag, Namespace::Html);
        self.place_new(kind)
    }

    /// Inserts and opens an element that has no tag in the source.
    fn imply(&mut self, name: NameId) -> Ref {
        let kind = Kind::Element {
            name,
            namespace: Namespace::Html,
            first_attribute: 0,
            attributes: 0,
        };
        let node = self.place_new(kind);
        self.stack.push(node, name, class::of_html(name));
        node
    }

    /// Adds a node at the appropriate place (13.2.6.1).
    #[inline]
    fn place_new(&mut self, kind: Kind) -> Ref {
        let top = self.stack.top();
        if !self.fostering || !top.has(FOSTER) {
            return self.scratch.append_new(top.node, kind);
        }
        let node = self.scratch.create(kind);
        self.foster(node);
        node
    }

    /// Inserts a node at the appropriate place for an overriding target.
    fn place_under(&mut self, target: &Open, node: Ref) {
        if self.fostering && target.has(FOSTER) {
            self.foster(node);
        } else {
            self.scratch.append(target.node, node);
        }
    }

    fn foster(&mut self, node: Ref) {
        match self.foster_place() {
            Place::LastChildOf(parent) => self.scratch.append(parent, node),
            Place::Before(sibling) => self.scratch.insert_before(sibling, node),
        }
    }

    /// The place for content that is not allowed in a table.
    fn foster_place(&self) -> Place {
        let table = self.stack.place(known::TABLE);
        let template = self.stack.place(known::TEMPLATE);
        if template > table {
            return Place::LastChildOf(self.stack.at(template).map_or(self.root(), |open| open.node));
        }
        let Some(open) = self.stack.at(table) else {
            return Place::LastChildOf(self.root());
        };
        if self.scratch.node(open.node).parent.is_none() {
            return Place::LastChildOf(self.stack.at(table - 1).map_or(self.root(), |below| below.node));
        }
        Place::Before(open.node)
    }

    #[inline]
    fn insert_text(&mut self, piece: Piece) {
        let top = self.stack.top();
        if !self.fostering || !top.has(FOSTER) {
            return self.scratch.append_text(top.node, piece);
        }
        match self.foster_place() {
            Place::LastChildOf(parent) => self.scratch.append_text(parent, piece),
            Place::Before(sibling) => self.scratch.insert_text_before(sibling, piece),
        }
    }

    fn is_all_space(&self, piece: Piece) -> bool {
        self.scratch.text(piece).bytes().all(is_space)
    }

    /// Inserts an element whose content is text (13.2.6.2).
    fn insert_raw(&mut self, tag: Tag, content: Content) -> Step {
        self.insert(tag);
        self.content = content;
        self.original = self.mode;
        self.mode = Mode::Text;
        Step::Done
    }

    /// Closes elements whose end is implied, up to one named `except`.
    fn close_implied(&mut self, except: Option<NameId>) {
        while self.stack.top().has(class::IMPLIED) && Some(self.stack.top().name) != except {
            self.stack.pop();
        }
    }

    /// Sets the mode from the stack (13.2.4.1). Only a few elements decide, so their places are compared.
    fn reset_mode(&mut self) {
        const DECISIVE: [NameId; 13] = [
            known::TD,
            known::TH,
            known::TR,
            known::TBODY,
            known::THEAD,
            known::TFOOT,
            known::CAPTION,
            known::COLGROUP,
            known::TABLE,
            known::TEMPLATE,
            known::HEAD,
            known::BODY,
            known::FRAMESET,
        ];
        let place = DECISIVE
            .into_iter()
            .map(|name| self.stack.place(name))
            .max()
            .unwrap_or(0);
        let lowest = place <= 1;
        let name = match (self.stack.at(place.max(1)), self.context) {
            (_, Some(context)) if lowest => Some(context.name).filter(|_| context.class & class::FOREIGN == 0),
            (open, _) => open.map(|open| open.name),
        };
        self.mode = match name {
            Some(known::TD | known::TH) if !lowest => Mode::InCell,
            Some(known::TR) => Mode::InRow,
            Some(known::TBODY | known::THEAD | known::TFOOT) => Mode::InTableBody,
            Some(known::CAPTION) => Mode::InCaption,
            Some(known::COLGROUP) => Mode::InColumnGroup,
            Some(known::TABLE) => Mode::InTable,
            Some(known::TEMPLATE) => self.template_modes.last().copied().unwrap_or(Mode::InBody),
            Some(known::HEAD) if !lowest => Mode::InHead,
            Some(known::FRAMESET) => Mode::InFrameset,
            Some(known::HTML) if self.head.is_none() => Mode::BeforeHead,
            Some(known::HTML) => Mode::AfterHead,
            _ => Mode::InBody,
        };
    }

    /// Keeps the attributes of a repeated `<html>` or `<body>` that the element does not have yet.
    fn add_late(&mut self, node: Ref, tag: Tag) {
        if tag.attributes == 0 {
            return;
        }
        let body = node != self.root();
        let late = if body { &mut self.late_body } else { &mut self.late_html };
        late.present
            .resize(self.scratch.names.len().max(late.present.len()), false);
        if late.node.replace(node).is_none()
            && let Kind::Element {
                first_attribute,
                attributes,
                ..
            } = self.scratch.node(node).kind
        {
            for at in first_attribute..first_attribute + attributes {
                late.present[self.scratch.attributes[at as usize].name.index()] = true;
            }
        }
        for &attribute in &self.scratch.attributes[tag.first_attribute as usize..] {
            let present = &mut late.present[attribute.name.index()];
            if !std::mem::replace(present, true) {
                late.attributes.push(attribute);
                self.copied_attributes += 1;
            }
        }
    }

    /// Stores the element's own attributes and the late ones side by side.
    fn merge_late(&mut self, late: Late) {
        let Some(node) = late.node else { return };
        let Kind::Element {
            name,
            namespace,
            first_attribute,
            attributes,
        } = self.scratch.node(node).kind
        else {
            return;
        };
        let first = self.scratch.attributes.len() as u32;
        self.scratch
            .attributes
            .extend_from_within(first_attribute as usize..(first_attribute + attributes) as usize);
        self.scratch.attributes.extend_from_slice(&late.attributes);
        let attributes = attributes + late.attributes.len() as u32;
        self.scratch.nodes[node.0 as usize].kind = Kind::Element {
            name,
            namespace,
            first_attribute: first,
            attributes,
        };
    }

    /// The value of one of a tag's attributes.
    fn value(&self, tag: Tag, name: NameId) -> Option<&str> {
        let attributes = &self.scratch.attributes[tag.first_attribute as usize..][..tag.attributes as usize];
        attributes
            .iter()
            .find(|attribute| attribute.name == name)
            .map(|attribute| self.scratch.text(attribute.value))
    }
}
