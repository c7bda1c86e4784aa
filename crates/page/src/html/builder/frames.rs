//! The insertion modes of framesets and of what follows the body: "in frameset", "after frameset", "after body", "after
//! after body" and "after after frameset" (HTML Standard 13.2.6.4.17 to 13.2.6.4.21).

use super::{Builder, Mode, Step, Tag, is_space};
use crate::name::{NameId, known};
use crate::scratch::Piece;

impl Builder<'_> {
    pub(super) fn after_body_start(&mut self, tag: Tag) -> Step {
        if tag.name == known::HTML {
            return self.body_start(tag);
        }
        self.mode = Mode::InBody;
        Step::Again
    }

    pub(super) fn after_body_end(&mut self, name: NameId) -> Step {
        if name == known::HTML && self.mode == Mode::AfterBody {
            if self.context.is_none() {
                self.mode = Mode::AfterAfterBody;
            }
            return Step::Done;
        }
        self.mode = Mode::InBody;
        Step::Again
    }

    /// Among frames, only the white space of text is kept.
    pub(super) fn frameset_text(&mut self, piece: Piece) {
        let text = self.scratch.text(piece);
        let piece = if text.bytes().all(is_space) {
            piece
        } else {
            let space: String = text.chars().filter(|c| c.is_ascii() && is_space(*c as u8)).collect();
            self.store(&space)
        };
        if piece.len() > 0 {
            if self.mode == Mode::AfterAfterFrameset {
                self.body_text(piece);
            } else {
                self.insert_text(piece);
            }
        }
    }

    pub(super) fn frameset_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::HTML => self.body_start(tag),
            known::FRAMESET => {
                self.insert(tag);
                Step::Done
            }
            known::FRAME => {
                self.insert_void(tag);
                Step::Done
            }
            known::NOFRAMES => self.head_start(tag),
            _ => Step::Done,
        }
    }

    pub(super) fn frameset_end(&mut self, name: NameId) -> Step {
        if name == known::FRAMESET && self.stack.len() > 1 {
            self.stack.pop();
            if self.context.is_none() && !self.stack.top().is(known::FRAMESET) {
                self.mode = Mode::AfterFrameset;
            }
        }
        Step::Done
    }

    pub(super) fn after_frameset_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::HTML => self.body_start(tag),
            known::NOFRAMES => self.head_start(tag),
            _ => Step::Done,
        }
    }

    pub(super) fn after_frameset_end(&mut self, name: NameId) -> Step {
        if name == known::HTML && self.mode == Mode::AfterFrameset {
            self.mode = Mode::AfterAfterFrameset;
        }
        Step::Done
    }
}
