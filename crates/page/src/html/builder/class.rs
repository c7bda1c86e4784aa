//! What the tree builder must know about an element's name, as bits.
//!
//! The standard groups elements into sets (special, scoping, formatting, with an implied end tag, …; HTML Standard
//! 13.2.4.2 and 13.2.6.3). An open element stores its sets as one integer, so that a test is an AND and not a
//! comparison with eighty names.

use crate::name::{NameId, Namespace, known};

/// A union of the bits below.
pub(super) type Class = u32;

/// The "special" category.
pub(super) const SPECIAL: Class = 1;
/// Bounds the default scope, and therefore the list item and button scopes too.
pub(super) const SCOPE: Class = 1 << 1;
/// Its end tag is implied by the end of the element around it.
pub(super) const IMPLIED: Class = 1 << 2;
/// Its end tag is implied where the standard says "thoroughly".
pub(super) const IMPLIED_THOROUGHLY: Class = 1 << 3;
/// Content that is not allowed in it goes before the table: `table`, `tbody`, `tfoot`, `thead`, `tr`.
pub(super) const FOSTER: Class = 1 << 4;
/// Special, but neither `address`, `div` nor `p`: the search for a list item to close ends here.
pub(super) const ITEM_BOUND: Class = 1 << 5;
/// `h1` to `h6`.
pub(super) const HEADING: Class = 1 << 6;
/// Not an HTML element.
pub(super) const FOREIGN: Class = 1 << 7;
/// A MathML element; [`FOREIGN`] is set too.
pub(super) const MATHML: Class = 1 << 8;
/// An HTML integration point (13.2.6.5).
pub(super) const HTML_POINT: Class = 1 << 9;
/// A MathML text integration point.
pub(super) const TEXT_POINT: Class = 1 << 10;
/// The element is in the list of active formatting elements. Set by that list, not by the name.
pub(super) const LISTED: Class = 1 << 11;

/// The class of an HTML element.
#[inline]
pub(super) fn of_html(name: NameId) -> Class {
    match OF_HTML.get(name.index()) {
        Some(&class) => class,
        None => 0,
    }
}

/// The class of an element of a namespace, without regard to its attributes.
pub(super) fn of(name: NameId, namespace: Namespace) -> Class {
    match (namespace, name) {
        (Namespace::Html, _) => of_html(name),
        (Namespace::Svg, known::FOREIGNOBJECT | known::DESC | known::TITLE) => {
            FOREIGN | SPECIAL | ITEM_BOUND | SCOPE | HTML_POINT
        }
        (Namespace::Svg, _) => FOREIGN,
        (Namespace::MathMl, known::MI | known::MO | known::MN | known::MS | known::MTEXT) => {
            FOREIGN | MATHML | SPECIAL | ITEM_BOUND | SCOPE | TEXT_POINT
        }
        (Namespace::MathMl, known::ANNOTATION_XML) => FOREIGN | MATHML | SPECIAL | ITEM_BOUND | SCOPE,
        (Namespace::MathMl, _) => FOREIGN | MATHML,
    }
}

/// Elements come first among the known names, so the table need not include the attributes.
const NAMES: usize = 256;

static OF_HTML: [Class; NAMES] = {
    use crate::name::known::*;
    let mut table = [0; NAMES];
    table = mark(
        table,
        &[
            APPLET, AREA, ARTICLE, ASIDE, BASE, BASEFONT, BGSOUND, BLOCKQUOTE, BODY, BR, BUTTON, CAPTION, CENTER, COL,
            COLGROUP, DD, DETAILS, DIR, DL, DT, EMBED, FIELDSET, FIGCAPTION, FIGURE, FOOTER, FORM, FRAME, FRAMESET, H1,
            H2, H3, H4, H5, H6, HEAD, HEADER, HGROUP, HR, HTML, IFRAME, IMG, INPUT, KEYGEN, LI, LINK, LISTING, MAIN,
            MARQUEE, MENU, META, NAV, NOEMBED, NOFRAMES, NOSCRIPT, OBJECT, OL, PARAM, PLAINTEXT, PRE, SCRIPT, SEARCH,
            SECTION, SELECT, SOURCE, STYLE, SUMMARY, TABLE, TBODY, TD, TEMPLATE, TEXTAREA, TFOOT, TH, THEAD, TITLE, TR,
            TRACK, UL, WBR, XMP,
        ],
        SPECIAL | ITEM_BOUND,
    );
    table = mark(table, &[ADDRESS, DIV, P], SPECIAL);
    table = mark(
        table,
        &[APPLET, CAPTION, HTML, TABLE, TD, TH, MARQUEE, OBJECT, SELECT, TEMPLATE],
        self::SCOPE,
    );
    table = mark(
        table,
        &[DD, DT, LI, OPTGROUP, OPTION, P, RB, RP, RT, RTC],
        IMPLIED | IMPLIED_THOROUGHLY,
    );
    table = mark(
        table,
        &[CAPTION, COLGROUP, TBODY, TD, TFOOT, TH, THEAD, TR],
        IMPLIED_THOROUGHLY,
    );
    table = mark(table, &[TABLE, TBODY, TFOOT, THEAD, TR], FOSTER);
    mark(table, &[H1, H2, H3, H4, H5, H6], HEADING)
};

const fn mark(mut table: [Class; NAMES], names: &[NameId], class: Class) -> [Class; NAMES] {
    let mut i = 0;
    while i < names.len() {
        table[names[i].0 as usize] |= class;
        i += 1;
    }
    table
}
