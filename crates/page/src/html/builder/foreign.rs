//! SVG and MathML in HTML (HTML Standard 13.2.6.5).
//!
//! Names stay in lower case here; [`crate::name::spelling`] decides how a namespace spells them, and which namespace an
//! attribute such as `xlink:href` has.

use super::class::{self, FOREIGN, HTML_POINT, MATHML, SPECIAL, TEXT_POINT};
use super::{Builder, Step, Tag};
use crate::name::{NameId, Namespace, known};

impl Builder<'_> {
    /// Assuming that the adjusted current node is foreign: do the rules for foreign content handle this start tag?
    pub(super) fn start_is_foreign(&self, name: NameId) -> bool {
        let class = self.adjusted_class();
        if class & HTML_POINT != 0 {
            return false;
        }
        if class & TEXT_POINT != 0 {
            return name == known::MGLYPH || name == known::MALIGNMARK;
        }
        // Among the MathML elements, only annotation-xml is special without being an integration point.
        !(name == known::SVG && class & MATHML != 0 && class & SPECIAL != 0)
    }

    /// Opens an `svg` or `math` element in HTML.
    pub(super) fn enter_foreign(&mut self, tag: Tag) {
        let namespace = if tag.name == known::SVG {
            Namespace::Svg
        } else {
            Namespace::MathMl
        };
        self.insert_foreign(tag, namespace);
    }

    fn insert_foreign(&mut self, tag: Tag, namespace: Namespace) {
        let mut class = class::of(tag.name, namespace);
        if namespace == Namespace::MathMl && tag.name == known::ANNOTATION_XML {
            let encoding = self.value(tag, known::ENCODING).unwrap_or_default();
            if encoding.eq_ignore_ascii_case("text/html") || encoding.eq_ignore_ascii_case("application/xhtml+xml") {
                class |= HTML_POINT;
            }
        }
        let kind = self.element(tag, namespace);
        let node = self.place_new(kind);
        if !tag.self_closing {
            self.stack.push(node, tag.name, class);
        }
    }

    pub(super) fn foreign_start(&mut self, tag: Tag) -> Step {
        if self.breaks_out(tag) {
            return self.break_out_start(tag);
        }
        let mathml = self.adjusted_class() & MATHML != 0;
        self.insert_foreign(tag, if mathml { Namespace::MathMl } else { Namespace::Svg });
        Step::Done
    }

    fn break_out_start(&mut self, tag: Tag) -> Step {
        self.leave_foreign();
        self.start_in_mode(tag)
    }

    /// Closes foreign elements down to one that may contain HTML.
    fn leave_foreign(&mut self) {
        while self.stack.top().has(FOREIGN) && !self.stack.top().has(HTML_POINT | TEXT_POINT) {
            self.stack.pop();
        }
    }

    /// Is this a tag that is never foreign?
    fn breaks_out(&self, tag: Tag) -> bool {
        match tag.name {
            known::B
            | known::BIG
            | known::BLOCKQUOTE
            | known::BODY
            | known::BR
            | known::CENTER
            | known::CODE
            | known::DD
            | known::DIV
            | known::DL
            | known::DT
            | known::EM
            | known::EMBED
            | known::H1
            | known::H2
            | known::H3
            | known::H4
            | known::H5
            | known::H6
            | known::HEAD
            | known::HR
            | known::I
            | known::IMG
            | known::LI
            | known::LISTING
            | known::MENU
            | known::META
            | known::NOBR
            | known::OL
            | known::P
            | known::PRE
            | known::RUBY
            | known::S
            | known::SMALL
            | known::SPAN
            | known::STRONG
            | known::STRIKE
            | known::SUB
            | known::SUP
            | known::TABLE
            | known::TT
            | known::U
            | known::UL
            | known::VAR => true,
            known::FONT => [known::COLOR, known::FACE, known::SIZE]
                .iter()
                .any(|&name| self.value(tag, name).is_some()),
            _ => false,
        }
    }

    pub(super) fn foreign_end(&mut self, name: NameId) -> Step {
        if name == known::BR || name == known::P {
            self.leave_foreign();
            return self.end_in_mode(name);
        }
        let html = self.stack.html();
        let place = self.stack.foreign_place(name);
        if place > html {
            self.stack.truncate(place as usize - 1);
            return Step::Done;
        }
        // Only the root of a fragment is open, or HTML rules handle the rest of the stack.
        if self.stack.len() == 1 {
            return Step::Done;
        }
        self.end_in_mode(name)
    }
}
