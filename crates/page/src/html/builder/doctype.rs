//! The document type, and the quirks mode that it may set (HTML Standard 13.2.6.4.1).
//!
//! Quirks mode has only one effect on the tree: a table does not end the paragraph it is in.

use super::{Builder, Mode};
use crate::scratch::Doctype;

/// A document type declaration as the tokenizer saw it.
#[derive(Debug, Default)]
pub(in crate::html) struct DoctypeToken {
    pub(in crate::html) name: String,
    pub(in crate::html) public_id: Option<String>,
    pub(in crate::html) system_id: Option<String>,
    pub(in crate::html) force_quirks: bool,
}

impl Builder<'_> {
    pub(in crate::html) fn doctype(&mut self, token: DoctypeToken) {
        self.skip_newline = false;
        if !self.pending.is_empty() {
            self.flush_pending();
        }
        if self.mode != Mode::Initial {
            return;
        }
        self.quirks = is_quirky(&token);
        self.scratch.doctype = Some(Doctype {
            name: token.name,
            public_id: token.public_id.unwrap_or_default(),
            system_id: token.system_id.unwrap_or_default(),
        });
        self.mode = Mode::BeforeHtml;
    }

    /// The page continues without a document type.
    pub(super) fn no_doctype(&mut self) {
        self.quirks = true;
        self.mode = Mode::BeforeHtml;
    }
}

fn is_quirky(doctype: &DoctypeToken) -> bool {
    if doctype.force_quirks || doctype.name != "html" {
        return true;
    }
    let lower = |id: &Option<String>| id.as_ref().map(|id| id.to_ascii_lowercase());
    let system = lower(&doctype.system_id);
    if system.as_deref() == Some("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd") {
        return true;
    }
    let Some(public) = lower(&doctype.public_id) else {
        return false;
    };
    matches!(
        &*public,
        "-//w3o//dtd w3 html strict 3.0//en//" | "-/w3c/dtd html 4.0 transitional/en" | "html"
    ) || QUIRKY_PREFIXES.iter().any(|prefix| public.starts_with(prefix))
        || (system.is_none() && QUIRKY_WITHOUT_SYSTEM.iter().any(|prefix| public.starts_with(prefix)))
}

/// Beginnings of public identifiers, in lower case, that set quirks mode.
const QUIRKY_PREFIXES: [&str; 55] = [
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];

/// Beginnings that set it only if there is no system identifier.
const QUIRKY_WITHOUT_SYSTEM: [&str; 2] = [
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
];
