//! The insertion modes of tables and templates: "in table", "in table text", "in caption", "in column group", "in table
//! body", "in row", "in cell" and "in template" (HTML Standard 13.2.6.4.9 to 13.2.6.4.16).

use super::class::FOSTER;
use super::{Builder, Mode, Step, Tag};
use crate::name::{NameId, known};
use crate::scratch::Piece;

impl Builder<'_> {
    /// Text directly in a table is kept until it is complete: if it is only white space it stays, otherwise it goes
    /// before the table.
    pub(super) fn table_text(&mut self, piece: Piece) {
        let top = self.stack.top();
        if top.has(FOSTER) || top.is(known::TEMPLATE) {
            let space = self.is_all_space(piece);
            self.pending_is_space = space && (self.pending_is_space || self.pending.is_empty());
            self.pending.push(piece);
        } else {
            self.fostering = true;
            self.body_text(piece);
            self.fostering = false;
        }
    }

    /// Handles the pending text when something other than text comes.
    pub(super) fn flush_pending(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        self.fostering = !self.pending_is_space;
        for piece in pending.drain(..) {
            if self.pending_is_space {
                self.insert_text(piece);
            } else {
                self.body_text(piece);
            }
        }
        self.fostering = false;
        self.pending = pending;
    }

    /// Closes elements until the current node is one of `names`, the root or a template.
    fn clear_to(&mut self, names: &[NameId]) {
        let place = names.iter().map(|&name| self.stack.place(name)).max().unwrap_or(0);
        let place = place.max(self.stack.place(known::TEMPLATE)).max(1);
        self.stack.truncate(place as usize);
    }

    fn clear_to_table(&mut self) {
        self.clear_to(&[known::TABLE]);
    }

    fn clear_to_table_body(&mut self) {
        self.clear_to(&[known::TBODY, known::TFOOT, known::THEAD]);
    }

    fn clear_to_row(&mut self) {
        self.clear_to(&[known::TR]);
    }

    pub(super) fn table_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::CAPTION => {
                self.clear_to_table();
                self.push_marker();
                self.insert(tag);
                self.mode = Mode::InCaption;
            }
            known::COLGROUP => {
                self.clear_to_table();
                self.insert(tag);
                self.mode = Mode::InColumnGroup;
            }
            known::COL => {
                self.clear_to_table();
                self.imply(known::COLGROUP);
                self.mode = Mode::InColumnGroup;
                return Step::Again;
            }
            known::TBODY | known::TFOOT | known::THEAD => {
                self.clear_to_table();
                self.insert(tag);
                self.mode = Mode::InTableBody;
            }
            known::TD | known::TH | known::TR => {
                self.clear_to_table();
                self.imply(known::TBODY);
                self.mode = Mode::InTableBody;
                return Step::Again;
            }
            known::TABLE => {
                if self.stack.in_table_scope(known::TABLE) {
                    self.close_table();
                    return Step::Again;
                }
            }
            known::STYLE | known::SCRIPT | known::TEMPLATE => return self.head_start(tag),
            known::INPUT if self.is_hidden(tag) => {
                self.insert_void(tag);
            }
            known::FORM => {
                if self.form.is_none() && !self.stack.is_open(known::TEMPLATE) {
                    self.form = self.insert_void(tag);
                }
            }
            _ => {
                self.fostering = true;
                let step = self.body_start(tag);
                self.fostering = false;
                return step;
            }
        }
        Step::Done
    }

    fn close_table(&mut self) {
        self.stack.pop_to(known::TABLE);
        self.reset_mode();
    }

    pub(super) fn table_end(&mut self, name: NameId) -> Step {
        match name {
            known::TABLE => {
                if self.stack.in_table_scope(known::TABLE) {
                    self.close_table();
                }
            }
            known::BODY
            | known::CAPTION
            | known::COL
            | known::COLGROUP
            | known::HTML
            | known::TBODY
            | known::TD
            | known::TFOOT
            | known::TH
            | known::THEAD
            | known::TR => {}
            known::TEMPLATE => return self.head_end(name),
            _ => {
                self.fostering = true;
                let step = self.body_end(name);
                self.fostering = false;
                return step;
            }
        }
        Step::Done
    }

    /// Closes the caption, if there is one to close.
    fn close_caption(&mut self) -> bool {
        let open = self.stack.in_table_scope(known::CAPTION);
        if open {
            self.stack.pop_to(known::CAPTION);
            self.clear_to_marker();
            self.mode = Mode::InTable;
        }
        open
    }

    pub(super) fn caption_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::CAPTION
            | known::COL
            | known::COLGROUP
            | known::TBODY
            | known::TD
            | known::TFOOT
            | known::TH
            | known::THEAD
            | known::TR => again_if(self.close_caption()),
            _ => self.body_start(tag),
        }
    }

    pub(super) fn caption_end(&mut self, name: NameId) -> Step {
        match name {
            known::CAPTION => {
                self.close_caption();
                Step::Done
            }
            known::TABLE => again_if(self.close_caption()),
            known::BODY
            | known::COL
            | known::COLGROUP
            | known::HTML
            | known::TBODY
            | known::TD
            | known::TFOOT
            | known::TH
            | known::THEAD
            | known::TR => Step::Done,
            _ => self.body_end(name),
        }
    }

    pub(super) fn column_group_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::HTML => self.body_start(tag),
            known::COL => {
                self.insert_void(tag);
                Step::Done
            }
            known::TEMPLATE => self.head_start(tag),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn column_group_end(&mut self, name: NameId) -> Step {
        match name {
            known::COLGROUP => {
                self.leave_column_group();
                Step::Done
            }
            known::COL => Step::Done,
            known::TEMPLATE => self.head_end(name),
            _ => self.leave_column_group(),
        }
    }

    pub(super) fn leave_column_group(&mut self) -> Step {
        let open = self.stack.top().is(known::COLGROUP);
        if open {
            self.stack.pop();
            self.mode = Mode::InTable;
        }
        again_if(open)
    }

    pub(super) fn table_body_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::TR => {
                self.clear_to_table_body();
                self.insert(tag);
                self.mode = Mode::InRow;
                Step::Done
            }
            known::TH | known::TD => {
                self.clear_to_table_body();
                self.imply(known::TR);
                self.mode = Mode::InRow;
                Step::Again
            }
            known::CAPTION | known::COL | known::COLGROUP | known::TBODY | known::TFOOT | known::THEAD => {
                again_if(self.close_table_body())
            }
            _ => self.table_start(tag),
        }
    }

    /// Closes the group of rows, if there is one to close.
    fn close_table_body(&mut self) -> bool {
        let open = [known::TBODY, known::THEAD, known::TFOOT]
            .iter()
            .any(|&name| self.stack.in_table_scope(name));
        if open {
            self.leave_table_body();
        }
        open
    }

    fn leave_table_body(&mut self) {
        self.clear_to_table_body();
        self.stack.pop();
        self.mode = Mode::InTable;
    }

    pub(super) fn table_body_end(&mut self, name: NameId) -> Step {
        match name {
            known::TBODY | known::TFOOT | known::THEAD => {
                if self.stack.in_table_scope(name) {
                    self.leave_table_body();
                }
                Step::Done
            }
            known::TABLE => again_if(self.close_table_body()),
            known::BODY
            | known::CAPTION
            | known::COL
            | known::COLGROUP
            | known::HTML
            | known::TD
            | known::TH
            | known::TR => Step::Done,
            _ => self.table_end(name),
        }
    }

    pub(super) fn row_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::TD | known::TH => {
                self.clear_to_row();
                self.insert(tag);
                self.mode = Mode::InCell;
                self.push_marker();
                Step::Done
            }
            known::CAPTION | known::COL | known::COLGROUP | known::TBODY | known::TFOOT | known::THEAD | known::TR => {
                again_if(self.close_row())
            }
            _ => self.table_start(tag),
        }
    }

    /// Closes the row, if there is one to close.
    fn close_row(&mut self) -> bool {
        let open = self.stack.in_table_scope(known::TR);
        if open {
            self.clear_to_row();
            self.stack.pop();
            self.mode = Mode::InTableBody;
        }
        open
    }

    pub(super) fn row_end(&mut self, name: NameId) -> Step {
        match name {
            known::TR => {
                self.close_row();
                Step::Done
            }
            known::TABLE => again_if(self.close_row()),
            known::TBODY | known::TFOOT | known::THEAD => again_if(self.stack.in_table_scope(name) && self.close_row()),
            known::BODY | known::CAPTION | known::COL | known::COLGROUP | known::HTML | known::TD | known::TH => {
                Step::Done
            }
            _ => self.table_end(name),
        }
    }

    pub(super) fn cell_start(&mut self, tag: Tag) -> Step {
        match tag.name {
            known::CAPTION
            | known::COL
            | known::COLGROUP
            | known::TBODY
            | known::TD
            | known::TFOOT
            | known::TH
            | known::THEAD
            | known::TR => {
                let open = self.stack.in_table_scope(known::TD) || self.stack.in_table_scope(known::TH);
                if open {
                    self.close_cell();
                }
                again_if(open)
            }
            _ => self.body_start(tag),
        }
    }

    fn close_cell(&mut self) {
        let place = self.stack.place(known::TD).max(self.stack.place(known::TH));
        if place != 0 {
            self.stack.truncate(place as usize - 1);
        }
        self.clear_to_marker();
        self.mode = Mode::InRow;
    }

    pub(super) fn cell_end(&mut self, name: NameId) -> Step {
        match name {
            known::TD | known::TH => {
                if self.stack.in_table_scope(name) {
                    self.stack.pop_to(name);
                    self.clear_to_marker();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            known::BODY | known::CAPTION | known::COL | known::COLGROUP | known::HTML => Step::Done,
            known::TABLE | known::TBODY | known::TFOOT | known::THEAD | known::TR => {
                let open = self.stack.in_table_scope(name);
                if open {
                    self.close_cell();
                }
                again_if(open)
            }
            _ => self.body_end(name),
        }
    }

    pub(super) fn template_start(&mut self, tag: Tag) -> Step {
        let mode = match tag.name {
            known::BASE
            | known::BASEFONT
            | known::BGSOUND
            | known::LINK
            | known::META
            | known::NOFRAMES
            | known::SCRIPT
            | known::STYLE
            | known::TEMPLATE
            | known::TITLE => return self.head_start(tag),
            known::CAPTION | known::COLGROUP | known::TBODY | known::TFOOT | known::THEAD => Mode::InTable,
            known::COL => Mode::InColumnGroup,
            known::TR => Mode::InTableBody,
            known::TD | known::TH => Mode::InRow,
            _ => Mode::InBody,
        };
        if let Some(last) = self.template_modes.last_mut() {
            *last = mode;
        }
        self.mode = mode;
        Step::Again
    }

    pub(super) fn template_end(&mut self, name: NameId) -> Step {
        match name {
            known::TEMPLATE => self.head_end(name),
            _ => Step::Done,
        }
    }
}

fn again_if(condition: bool) -> Step {
    if condition { Step::Again } else { Step::Done }
}
