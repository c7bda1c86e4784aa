//! The insertion modes up to the body: "before html", "before head", "in head", "in head noscript" and "after head"
//! (HTML Standard 13.2.6.4.2 to 13.2.6.4.6).

use super::{Builder, Content, Mode, Step, Tag, class};
use crate::name::{NameId, known};

impl Builder<'_> {
    pub(super) fn imply_html(&mut self) {
        self.insert_root(Tag::implied(known::HTML));
        self.mode = Mode::BeforeHead;
    }

    pub(super) fn imply_head(&mut self) {
        self.head = self.imply(known::HEAD);
        self.mode = Mode::InHead;
    }

    pub(super) fn leave_head(&mut self) {
        self.stack.pop();
        self.mode = Mode::AfterHead;
    }

    pub(super) fn leave_noscript(&mut self) {
        self.stack.pop();
        self.mode = Mode::InHead;
    }

    pub(super) fn imply_body(&mut self) {
        self.imply(known::BODY);
        self.mode = Mode::InBody;
    }

    pub(super) fn before_html_start(&mut self, tag: Tag) -> Step {
        if tag.name == known::HTML {
            self.insert_root(tag);
            self.mode = Mode::BeforeHead;
            return Step::Done;
        }
        self.imply_html();
        Step::Again
    }

    pub(super) fn before_html_end(&mut self, name: NameId) -> Step {
        match name {
            known::HEAD | known::BODY | known::HTML | known::BR => {
                self.imply_html();
                Step::Again
            }
            _ => Step::Done,
        }
    }

    pub(super) fn before_head_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::HTML => self.body_start(tag),
            known::HEAD => {
                self.head = self.insert(tag);
                self.mode = Mode::InHead;
                Step::Done
            }
            _ => {
                self.imply_head();
                Step::Again
            }
        }
    }

    pub(super) fn before_head_end(&mut self, name: NameId) -> Step {
        match name {
            known::HEAD | known::BODY | known::HTML | known::BR => {
                self.imply_head();
                Step::Again
            }
            _ => Step::Done,
        }
    }

    pub(super) fn head_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::HTML => return self.body_start(tag),
            known::BASE | known::BASEFONT | known::BGSOUND | known::LINK | known::META => {
                self.insert_void(tag);
            }
            known::TITLE => return self.insert_raw(tag, Content::Rcdata),
            known::NOFRAMES | known::STYLE => return self.insert_raw(tag, Content::Rawtext),
            known::NOSCRIPT if self.scripting => return self.insert_raw(tag, Content::Rawtext),
            known::NOSCRIPT => {
                self.insert(tag);
                self.mode = Mode::InHeadNoscript;
            }
            known::SCRIPT => return self.insert_raw(tag, Content::Script),
            known::TEMPLATE => {
                self.insert(tag);
                self.push_marker();
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
            }
            known::HEAD => {}
            _ => {
                self.leave_head();
                return Step::Again;
            }
        }
        Step::Done
    }

    pub(super) fn head_end(&mut self, name: NameId) -> Step {
        match name {
            known::HEAD => self.leave_head(),
            known::BODY | known::HTML | known::BR => {
                self.leave_head();
                return Step::Again;
            }
            known::TEMPLATE if self.stack.is_open(known::TEMPLATE) => self.close_template(),
            _ => {}
        }
        Step::Done
    }

    /// Closes the innermost template.
    pub(super) fn close_template(&mut self) {
        self.stack.pop_to(known::TEMPLATE);
        self.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    pub(super) fn noscript_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::HTML => self.body_start(tag),
            known::BASEFONT | known::BGSOUND | known::LINK | known::META | known::NOFRAMES | known::STYLE => {
                self.head_start(tag)
            }
            known::HEAD | known::NOSCRIPT => Step::Done,
            _ => {
                self.leave_noscript();
                Step::Again
            }
        }
    }

    pub(super) fn noscript_end(&mut self, name: NameId) -> Step {
        match name {
            known::NOSCRIPT => {
                self.leave_noscript();
                Step::Done
            }
            known::BR => {
                self.leave_noscript();
                Step::Again
            }
            _ => Step::Done,
        }
    }

    pub(super) fn after_head_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::HTML => return self.body_start(tag),
            known::BODY => {
                self.insert(tag);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
            }
            known::FRAMESET => {
                self.insert(tag);
                self.mode = Mode::InFrameset;
            }
            known::BASE
            | known::BASEFONT
            | known::BGSOUND
            | known::LINK
            | known::META
            | known::NOFRAMES
            | known::SCRIPT
            | known::STYLE
            | known::TEMPLATE
            | known::TITLE => {
                self.stack.push(self.head, known::HEAD, class::of_html(known::HEAD));
                let place = self.stack.len() as u32;
                self.head_start(tag);
                self.stack.remove(place);
            }
            known::HEAD => {}
            _ => {
                self.imply_body();
                return Step::Again;
            }
        }
        Step::Done
    }

    pub(super) fn after_head_end(&mut self, name: NameId) -> Step {
        match name {
            known::TEMPLATE => self.head_end(name),
            known::BODY | known::HTML | known::BR => {
                self.imply_body();
                Step::Again
            }
            _ => Step::Done,
        }
    }
}
