//! The "in body" insertion mode (HTML Standard 13.2.6.4.7).

use super::class::{self, HEADING};
use super::{Builder, Content, Mode, Step, Tag};
use crate::name::{NameId, known};
use crate::scratch::{Piece, Ref};

impl Builder<'_> {
    #[inline]
    pub(super) fn body_text(&mut self, piece: Piece) {
        self.reconstruct();
        if self.frameset_ok && !self.is_all_space(piece) {
            self.frameset_ok = false;
        }
        self.insert_text(piece);
    }

    #[inline]
    fn close_p(&mut self) {
        if self.stack.in_button_scope(known::P) {
            self.stack.pop_to(known::P);
        }
    }

    pub(super) fn body_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::ADDRESS
            | known::ARTICLE
            | known::ASIDE
            | known::BLOCKQUOTE
            | known::CENTER
            | known::DETAILS
            | known::DIALOG
            | known::DIR
            | known::DIV
            | known::DL
            | known::FIELDSET
            | known::FIGCAPTION
            | known::FIGURE
            | known::FOOTER
            | known::HEADER
            | known::HGROUP
            | known::MAIN
            | known::MENU
            | known::NAV
            | known::OL
            | known::P
            | known::SEARCH
            | known::SECTION
            | known::SUMMARY
            | known::UL => {
                self.close_p();
                self.insert(tag);
            }
            known::A => self.start_a(tag),
            known::B
            | known::BIG
            | known::CODE
            | known::EM
            | known::FONT
            | known::I
            | known::S
            | known::SMALL
            | known::STRIKE
            | known::STRONG
            | known::TT
            | known::U => {
                self.reconstruct();
                self.insert_formatting(tag);
            }
            known::LI => {
                self.frameset_ok = false;
                self.close_item(self.stack.place(known::LI));
                self.close_p();
                self.insert(tag);
            }
            known::DD | known::DT => {
                self.frameset_ok = false;
                self.close_item(self.stack.place(known::DD).max(self.stack.place(known::DT)));
                self.close_p();
                self.insert(tag);
            }
            known::AREA | known::BR | known::EMBED | known::IMG | known::KEYGEN | known::WBR => {
                self.reconstruct();
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            known::IMAGE => {
                return self.body_start(Tag {
                    name: known::IMG,
                    ..tag
                });
            }
            known::INPUT => self.start_input(tag),
            known::PARAM | known::SOURCE | known::TRACK => {
                self.insert_void(tag);
            }
            known::H1 | known::H2 | known::H3 | known::H4 | known::H5 | known::H6 => {
                self.close_p();
                if self.stack.top().has(HEADING) {
                    self.stack.pop();
                }
                self.insert(tag);
            }
            known::TABLE => {
                if !self.quirks {
                    self.close_p();
                }
                self.insert(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            known::SCRIPT
            | known::STYLE
            | known::LINK
            | known::META
            | known::TITLE
            | known::TEMPLATE
            | known::BASE
            | known::BASEFONT
            | known::BGSOUND
            | known::NOFRAMES => return self.head_start(tag),
            known::FORM => self.start_form(tag),
            known::PRE | known::LISTING => {
                self.close_p();
                self.insert(tag);
                self.skip_newline = true;
                self.frameset_ok = false;
            }
            known::BUTTON => {
                if self.stack.in_scope(known::BUTTON) {
                    self.stack.pop_to(known::BUTTON);
                }
                self.reconstruct();
                self.insert(tag);
                self.frameset_ok = false;
            }
            known::SELECT => self.start_select(tag),
            known::OPTION => {
                if self.stack.in_scope(known::SELECT) {
                    self.close_implied(Some(known::OPTGROUP));
                } else if self.stack.top().is(known::OPTION) {
                    self.stack.pop();
                }
                self.reconstruct();
                self.insert(tag);
            }
            known::OPTGROUP => {
                if self.stack.in_scope(known::SELECT) {
                    self.close_implied(None);
                } else if self.stack.top().is(known::OPTION) {
                    self.stack.pop();
                }
                self.reconstruct();
                self.insert(tag);
            }
            known::HR => {
                self.close_p();
                if self.stack.in_scope(known::SELECT) {
                    self.close_implied(None);
                }
                self.insert_void(tag);
                self.frameset_ok = false;
            }
            known::TEXTAREA => {
                self.insert_raw(tag, Content::Rcdata);
                self.skip_newline = true;
                self.frameset_ok = false;
            }
            known::XMP => {
                self.close_p();
                self.reconstruct();
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::Rawtext);
            }
            known::IFRAME => {
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::Rawtext);
            }
            known::NOEMBED => return self.insert_raw(tag, Content::Rawtext),
            known::NOSCRIPT if self.scripting => return self.insert_raw(tag, Content::Rawtext),
            known::NOBR => {
                self.reconstruct();
                if self.stack.in_scope(known::NOBR) {
                    self.adopt(known::NOBR);
                    self.reconstruct();
                }
                self.insert_formatting(tag);
            }
            known::APPLET | known::MARQUEE | known::OBJECT => {
                self.reconstruct();
                self.insert(tag);
                self.push_marker();
                self.frameset_ok = false;
            }
            known::RB | known::RTC => {
                if self.stack.in_scope(known::RUBY) {
                    self.close_implied(None);
                }
                self.insert(tag);
            }
            known::RP | known::RT => {
                if self.stack.in_scope(known::RUBY) {
                    self.close_implied(Some(known::RTC));
                }
                self.insert(tag);
            }
            known::MATH | known::SVG => {
                self.reconstruct();
                self.enter_foreign(tag);
            }
            known::PLAINTEXT => {
                self.close_p();
                self.insert(tag);
                self.content = Content::Plaintext;
            }
            known::CAPTION
            | known::COL
            | known::COLGROUP
            | known::FRAME
            | known::HEAD
            | known::TBODY
            | known::TD
            | known::TFOOT
            | known::TH
            | known::THEAD
            | known::TR => {}
            known::HTML => {
                if !self.stack.is_open(known::TEMPLATE) {
                    self.add_late(self.root(), tag);
                }
            }
            known::BODY => self.start_second_body(tag),
            known::FRAMESET => self.start_late_frameset(tag),
            _ => {
                self.has_selectedcontent |= tag.name == known::SELECTEDCONTENT;
                self.reconstruct();
                self.insert(tag);
            }
        }
        Step::Done
    }

    /// Closes an open list item, unless an element that may contain a list of its own is above it.
    fn close_item(&mut self, place: u32) {
        if place != 0 && place >= self.stack.item_bound() {
            self.stack.truncate(place as usize - 1);
        }
    }

    /// A link ends where the next one begins.
    fn start_a(&mut self, tag: Tag) {
        if let Some(at) = self.find_formatting(known::A) {
            let node = self.formatting_node(at);
            self.adopt(known::A);
            self.forget_formatting(node, known::A);
        }
        self.reconstruct();
        self.insert_formatting(tag);
    }

    fn start_form(&mut self, tag: Tag) {
        let in_template = self.stack.is_open(known::TEMPLATE);
        if !self.form.is_none() && !in_template {
            return;
        }
        self.close_p();
        let node = self.insert(tag);
        if !in_template {
            self.form = node;
        }
    }

    /// Is this the fragment algorithm with a `select` as its context?
    fn in_select_context(&self) -> bool {
        self.context
            .is_some_and(|context| context.name == known::SELECT && context.class & class::FOREIGN == 0)
    }

    fn start_input(&mut self, tag: Tag) {
        if self.in_select_context() {
            return;
        }
        if self.stack.in_scope(known::SELECT) {
            self.stack.pop_to(known::SELECT);
        }
        self.reconstruct();
        self.insert_void(tag);
        if !self.is_hidden(tag) {
            self.frameset_ok = false;
        }
    }

    /// Does the tag have `type=hidden`?
    pub(super) fn is_hidden(&self, tag: Tag) -> bool {
        self.value(tag, known::TYPE)
            .is_some_and(|value| value.eq_ignore_ascii_case("hidden"))
    }

    fn start_select(&mut self, tag: Tag) {
        if self.in_select_context() {
            return;
        }
        if self.stack.in_scope(known::SELECT) {
            self.stack.pop_to(known::SELECT);
            return;
        }
        self.reconstruct();
        self.insert(tag);
        self.frameset_ok = false;
    }

    /// The second element of the stack, if it is the body.
    fn body(&self) -> Option<Ref> {
        self.stack
            .get(1)
            .filter(|open| open.is(known::BODY))
            .map(|open| open.node)
    }

    fn start_second_body(&mut self, tag: Tag) {
        if let Some(body) = self.body()
            && !self.stack.is_open(known::TEMPLATE)
        {
            self.frameset_ok = false;
            self.add_late(body, tag);
        }
    }

    fn start_late_frameset(&mut self, tag: Tag) {
        if let Some(body) = self.body()
            && self.frameset_ok
        {
            self.scratch.detach(body);
            self.stack.truncate(1);
            self.insert(tag);
            self.mode = Mode::InFrameset;
        }
    }

    pub(super) fn body_end(&mut self, name: NameId) -> Step {
        match name {
            known::ADDRESS
            | known::ARTICLE
            | known::ASIDE
            | known::BLOCKQUOTE
            | known::BUTTON
            | known::CENTER
            | known::DD
            | known::DETAILS
            | known::DIALOG
            | known::DIR
            | known::DIV
            | known::DL
            | known::DT
            | known::FIELDSET
            | known::FIGCAPTION
            | known::FIGURE
            | known::FOOTER
            | known::HEADER
            | known::HGROUP
            | known::LISTING
            | known::MAIN
            | known::MENU
            | known::NAV
            | known::OL
            | known::PRE
            | known::SEARCH
            | known::SECTION
            | known::SELECT
            | known::SUMMARY
            | known::UL => {
                if self.stack.in_scope(name) {
                    self.stack.pop_to(name);
                }
            }
            known::A
            | known::B
            | known::BIG
            | known::CODE
            | known::EM
            | known::FONT
            | known::I
            | known::NOBR
            | known::S
            | known::SMALL
            | known::STRIKE
            | known::STRONG
            | known::TT
            | known::U => self.adopt(name),
            known::P => {
                if !self.stack.in_button_scope(known::P) {
                    self.imply(known::P);
                }
                self.stack.pop_to(known::P);
            }
            known::LI => {
                if self.stack.in_list_scope(known::LI) {
                    self.stack.pop_to(known::LI);
                }
            }
            known::H1 | known::H2 | known::H3 | known::H4 | known::H5 | known::H6 => {
                let place = self.stack.heading();
                if place != 0 && self.stack.place_in_scope(place) {
                    self.stack.truncate(place as usize - 1);
                }
            }
            known::APPLET | known::MARQUEE | known::OBJECT => {
                if self.stack.in_scope(name) {
                    self.stack.pop_to(name);
                    self.clear_to_marker();
                }
            }
            known::FORM => self.end_form(),
            known::BR => {
                self.body_start(Tag::implied(known::BR));
            }
            known::TEMPLATE => return self.head_end(name),
            known::BODY => {
                if self.stack.in_scope(known::BODY) {
                    self.mode = Mode::AfterBody;
                }
            }
            known::HTML => {
                if self.stack.in_scope(known::BODY) {
                    self.mode = Mode::AfterBody;
                    return Step::Again;
                }
            }
            _ => self.close_named(name),
        }
        Step::Done
    }

    fn end_form(&mut self) {
        if self.stack.is_open(known::TEMPLATE) {
            if self.stack.in_scope(known::FORM) {
                self.stack.pop_to(known::FORM);
            }
            return;
        }
        let node = std::mem::replace(&mut self.form, Ref::NONE);
        if node.is_none() {
            return;
        }
        let place = self.stack.place_of(node, known::FORM);
        if place == 0 || !self.stack.place_in_scope(place) {
            return;
        }
        self.close_implied(None);
        if self.stack.len() == place as usize {
            self.stack.pop();
        } else {
            self.stack.remove(place);
        }
    }

    /// "Any other end tag": closes the element of that name, unless a special one is above it.
    #[inline]
    pub(super) fn close_named(&mut self, name: NameId) {
        let place = self.stack.place(name);
        if place != 0 && place >= self.stack.special() {
            self.stack.truncate(place as usize - 1);
        }
    }
}
