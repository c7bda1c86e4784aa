//! Interned names of elements and attributes.
//!
//! HTML names are case-insensitive and the parser lower-cases them, so a page stores lower-case names only and a name
//! test is one integer comparison. The few names that keep capitals (SVG's `linearGradient`, `viewBox`, MathML's
//! `definitionURL`) are spelled from their lower-case form and the namespace of their element: see [`spelling`].
//!
//! Names known to HTML have the same [`NameId`] on every page, so the tree builder can match on constants and a
//! compiled expression need not look them up again. Other names get ids after those, page by page.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

/// An interned lower-case name; equal names on one page have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub(crate) u32);

impl NameId {
    /// The id as an index into per-name tables of its page.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

macro_rules! known_names {
    ($($constant:ident $text:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Rank { $($constant,)* COUNT }
        /// Constants for the names that HTML knows.
        #[allow(missing_docs, dead_code)]
        pub(crate) mod known {
            use super::{NameId, Rank};
            $(pub(crate) const $constant: NameId = NameId(Rank::$constant as u32);)*
        }
        const KNOWN: [&str; Rank::COUNT as usize] = [$($text,)*];
    };
}

known_names! {
    A "a" ABBR "abbr" ACRONYM "acronym" ADDRESS "address" APPLET "applet" AREA "area" ARTICLE "article" ASIDE "aside"
    AUDIO "audio" B "b" BASE "base" BASEFONT "basefont" BDI "bdi" BDO "bdo" BGSOUND "bgsound" BIG "big" BLINK "blink"
    BLOCKQUOTE "blockquote" BODY "body" BR "br" BUTTON "button" CANVAS "canvas" CAPTION "caption" CENTER "center"
    CITE "cite" CODE "code" COL "col" COLGROUP "colgroup" COMMAND "command" DATA "data" DATALIST "datalist" DD "dd"
    DEL "del" DETAILS "details" DFN "dfn" DIALOG "dialog" DIR "dir" DIV "div" DL "dl" DT "dt" EM "em" EMBED "embed"
    FIELDSET "fieldset" FIGCAPTION "figcaption" FIGURE "figure" FONT "font" FOOTER "footer" FORM "form" FRAME "frame"
    FRAMESET "frameset" H1 "h1" H2 "h2" H3 "h3" H4 "h4" H5 "h5" H6 "h6" HEAD "head" HEADER "header" HGROUP "hgroup"
    HR "hr" HTML "html" I "i" IFRAME "iframe" IMAGE "image" IMG "img" INPUT "input" INS "ins" ISINDEX "isindex"
    KBD "kbd" KEYGEN "keygen" LABEL "label" LEGEND "legend" LI "li" LINK "link" LISTING "listing" MAIN "main" MAP "map"
    MARK "mark" MARQUEE "marquee" MENU "menu" MENUITEM "menuitem" META "meta" METER "meter" NAV "nav" NOBR "nobr"
    NOEMBED "noembed" NOFRAMES "noframes" NOSCRIPT "noscript" OBJECT "object" OL "ol" OPTGROUP "optgroup"
    OPTION "option" OUTPUT "output" P "p" PARAM "param" PICTURE "picture" PLAINTEXT "plaintext" PRE "pre"
    PROGRESS "progress" Q "q" RB "rb" RP "rp" RT "rt" RTC "rtc" RUBY "ruby" S "s" SAMP "samp" SCRIPT "script"
    SEARCH "search" SECTION "section" SELECT "select" SELECTEDCONTENT "selectedcontent" SLOT "slot" SMALL "small"
    SOURCE "source" SPAN "span" STRIKE "strike" STRONG "strong" STYLE "style" SUB "sub" SUMMARY "summary" SUP "sup"
    SVG "svg" TABLE "table" TBODY "tbody" TD "td" TEMPLATE "template" TEXTAREA "textarea" TFOOT "tfoot" TH "th"
    THEAD "thead" TIME "time" TITLE "title" TR "tr" TRACK "track" TT "tt" U "u" UL "ul" VAR "var" VIDEO "video"
    WBR "wbr" XMP "xmp"
    MATH "math" MI "mi" MO "mo" MN "mn" MS "ms" MTEXT "mtext" MGLYPH "mglyph" MALIGNMARK "malignmark"
    ANNOTATION_XML "annotation-xml" FOREIGNOBJECT "foreignobject" DESC "desc" G "g" PATH "path" CIRCLE "circle"
    RECT "rect" LINE "line" POLYGON "polygon" POLYLINE "polyline" ELLIPSE "ellipse" TEXT "text" TSPAN "tspan" USE "use"
    DEFS "defs" SYMBOL "symbol" CLIPPATH "clippath" LINEARGRADIENT "lineargradient" RADIALGRADIENT "radialgradient"
    STOP "stop" MASK "mask" FILTER "filter"
    ACCEPT "accept" ACCEPT_CHARSET "accept-charset" ACCESSKEY "accesskey" ACTION "action" ALIGN "align" ALT "alt"
    ARIA_HIDDEN "aria-hidden" ARIA_LABEL "aria-label" ARIA_EXPANDED "aria-expanded" ARIA_CONTROLS "aria-controls"
    ASYNC "async" AUTOCOMPLETE "autocomplete" BACKGROUND "background" BGCOLOR "bgcolor" BORDER "border"
    CELLPADDING "cellpadding" CELLSPACING "cellspacing" CHARSET "charset" CHECKED "checked" CLASS "class"
    CLEAR "clear" COLOR "color" COLS "cols" COLSPAN "colspan" CONTENT "content" COORDS "coords" CROSSORIGIN
    "crossorigin" D "d" DATA_ID "data-id" DATA_SRC "data-src" DATA_TOGGLE "data-toggle" DATA_TARGET "data-target"
    DATETIME "datetime" DEFER "defer" DISABLED "disabled" ENCODING "encoding" ENCTYPE "enctype" FACE "face"
    FILL "fill" FOR "for" FRAMEBORDER "frameborder" HEADERS "headers" HEIGHT "height" HIDDEN "hidden" HREF "href"
    HREFLANG "hreflang" HSPACE "hspace" HTTP_EQUIV "http-equiv" ID "id" INTEGRITY "integrity" ITEMID "itemid"
    ITEMPROP "itemprop" ITEMSCOPE "itemscope" ITEMTYPE "itemtype" LANG "lang" LANGUAGE "language" LOADING "loading"
    MARGINHEIGHT "marginheight" MARGINWIDTH "marginwidth" MAXLENGTH "maxlength" MEDIA "media" METHOD "method"
    MULTIPLE "multiple" NAME "name" NONCE "nonce" NOWRAP "nowrap" ONBLUR "onblur" ONCHANGE "onchange" ONCLICK "onclick"
    ONFOCUS "onfocus" ONLOAD "onload" ONMOUSEOUT "onmouseout" ONMOUSEOVER "onmouseover" ONSUBMIT "onsubmit"
    PLACEHOLDER "placeholder" PROPERTY "property" READONLY "readonly" REL "rel" REQUIRED "required" ROLE "role"
    ROWS "rows" ROWSPAN "rowspan" SCOPE "scope" SCROLLING "scrolling" SELECTED "selected" SHADOWROOTMODE
    "shadowrootmode" SHAPE "shape" SIZE "size" SIZES "sizes" SRC "src" SRCSET "srcset" START "start" STROKE "stroke"
    TABINDEX "tabindex" TARGET "target" TYPE "type" USEMAP "usemap" VALIGN "valign" VALUE "value" VIEWBOX "viewbox"
    VSPACE "vspace" WIDTH "width" XMLNS "xmlns" XML_LANG "xml:lang" XLINK_HREF "xlink:href"
    DEFINITIONURL "definitionurl"
}

/// The hash of the known names: they are short, so the length and eight bytes from each end distinguish nearly all of
/// them.
fn hash(name: &[u8]) -> u32 {
    let mut head = [0u8; 8];
    let n = name.len().min(8);
    head[..n].copy_from_slice(&name[..n]);
    let mut tail = [0u8; 8];
    tail[..n].copy_from_slice(&name[name.len() - n..]);
    let mixed = (u64::from_le_bytes(head) ^ u64::from_le_bytes(tail).rotate_left(29) ^ name.len() as u64)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

/// The hash of a page's own names: it uses all their bytes and differs in each run, so that no page can be made whose
/// names all fall into one slot. Ids are given in order of appearance and do not depend on it.
fn own_hash(name: &[u8], seed: u64) -> u32 {
    let mut mixed = seed ^ name.len() as u64;
    for chunk in name.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let product = u128::from(mixed ^ u64::from_le_bytes(word)) * 0x9E37_79B9_7F4A_7C15;
        mixed = (product >> 64) as u64 ^ product as u64 ^ seed;
    }
    (mixed >> 32) as u32 ^ mixed as u32
}

const EMPTY: u32 = u32::MAX;
/// A power of two, about four times the number of known names, so that probes are short.
const KNOWN_SLOTS: usize = 2048;

static KNOWN_TABLE: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut slots = vec![EMPTY; KNOWN_SLOTS];
    for (id, name) in KNOWN.iter().enumerate() {
        let mut at = hash(name.as_bytes()) as usize % KNOWN_SLOTS;
        while slots[at] != EMPTY {
            at = (at + 1) % KNOWN_SLOTS;
        }
        slots[at] = id as u32;
    }
    slots
});

fn find_known(name: &[u8], hash: u32) -> Option<NameId> {
    let slots = &**KNOWN_TABLE;
    let mut at = hash as usize % KNOWN_SLOTS;
    loop {
        match slots[at] {
            EMPTY => return None,
            id if KNOWN[id as usize].as_bytes() == name => return Some(NameId(id)),
            _ => at = (at + 1) % KNOWN_SLOTS,
        }
    }
}

/// The names of one page: the known ones, and its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Names other than the known ones, end to end.
    text: String,
    /// Where each of them ends in `text`.
    ends: Vec<u32>,
    /// Open addressing over indices into `ends`; its length is a power of two, or zero.
    slots: Vec<u32>,
    /// The seed of [`own_hash`]; set with the first slots.
    seed: u64,
}

impl Names {
    /// The number of ids: ids are `0..len`.
    pub(crate) fn len(&self) -> usize {
        KNOWN.len() + self.ends.len()
    }

    /// The text of a name.
    pub(crate) fn text(&self, id: NameId) -> &str {
        match KNOWN.get(id.index()) {
            Some(name) => name,
            None => self.own(id.index() - KNOWN.len()),
        }
    }

    fn own(&self, rank: usize) -> &str {
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] as usize };
        &self.text[start..self.ends[rank] as usize]
    }

    /// The id of a lower-case name, if the page has it.
    pub(crate) fn find(&self, name: &str) -> Option<NameId> {
        let hash = hash(name.as_bytes());
        find_known(name.as_bytes(), hash).or_else(|| self.find_own(name).ok())
    }

    fn find_own(&self, name: &str) -> Result<NameId, usize> {
        if self.slots.is_empty() {
            return Err(0);
        }
        let mask = self.slots.len() - 1;
        let mut at = own_hash(name.as_bytes(), self.seed) as usize & mask;
        loop {
            match self.slots[at] {
                EMPTY => return Err(at),
                rank if self.own(rank as usize) == name => return Ok(NameId(KNOWN.len() as u32 + rank)),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// The id of a lower-case name; a new name is added.
    pub(crate) fn intern(&mut self, name: &str) -> NameId {
        let hash = hash(name.as_bytes());
        if let Some(id) = find_known(name.as_bytes(), hash) {
            return id;
        }
        if self.slots.len() < 2 * (self.ends.len() + 1) {
            self.grow();
        }
        match self.find_own(name) {
            Ok(id) => id,
            Err(slot) => {
                let rank = self.ends.len() as u32;
                self.text.push_str(name);
                self.ends.push(self.text.len() as u32);
                self.slots[slot] = rank;
                NameId(KNOWN.len() as u32 + rank)
            }
        }
    }

    fn grow(&mut self) {
        if self.slots.is_empty() {
            self.seed = RandomState::new().build_hasher().finish();
        }
        let len = (self.slots.len() * 2).max(16);
        let mut slots = vec![EMPTY; len];
        for rank in 0..self.ends.len() {
            let mut at = own_hash(self.own(rank).as_bytes(), self.seed) as usize & (len - 1);
            while slots[at] != EMPTY {
                at = (at + 1) & (len - 1);
            }
            slots[at] = rank as u32;
        }
        self.slots = slots;
    }

    /// The heap bytes that it uses.
    pub(crate) fn heap_size(&self) -> usize {
        self.text.capacity() + 4 * (self.ends.capacity() + self.slots.capacity())
    }
}

/// How an element's or attribute's lower-case name is spelled in its namespace (HTML Standard 13.2.6.5).
///
/// Attributes take the namespace of their element.
pub(crate) fn spelling(name: &str, namespace: Namespace, attribute: bool) -> &str {
    let table: &[&'static str] = match (namespace, attribute) {
        (Namespace::Html, _) | (Namespace::MathMl, false) => return name,
        (Namespace::MathMl, true) => &["definitionURL"],
        (Namespace::Svg, false) => &SVG_ELEMENTS,
        (Namespace::Svg, true) => &SVG_ATTRIBUTES,
    };
    // Sorted without regard to case; the test below checks this.
    let found = table.binary_search_by(|spelled| spelled.bytes().map(|b| b.to_ascii_lowercase()).cmp(name.bytes()));
    found.map_or(name, |at| table[at])
}

const SVG_ELEMENTS: [&str; 37] = [
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

const SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_lower_case_and_distinct() {
        for (id, name) in KNOWN.iter().enumerate() {
            assert_eq!(
                find_known(name.as_bytes(), hash(name.as_bytes())),
                Some(NameId(id as u32)),
                "{name}"
            );
            assert!(!name.bytes().any(|b| b.is_ascii_uppercase()), "{name}");
        }
        assert_eq!(KNOWN[known::DIV.index()], "div");
        assert_eq!(KNOWN[known::DEFINITIONURL.index()], "definitionurl");
    }

    #[test]
    fn own_names_keep_their_ids_while_the_table_grows() {
        let mut names = Names::default();
        let ids: Vec<_> = (0..1000).map(|i| names.intern(&format!("x-{i}"))).collect();
        for (i, &id) in ids.iter().enumerate() {
            let name = format!("x-{i}");
            assert_eq!(names.find(&name), Some(id));
            assert_eq!(names.intern(&name), id);
            assert_eq!(names.text(id), name);
        }
        assert_eq!(names.find("x-1000"), None);
        assert_eq!(names.len(), KNOWN.len() + 1000);
    }

    #[test]
    fn spelling_tables_are_sorted() {
        for table in [&SVG_ELEMENTS[..], &SVG_ATTRIBUTES[..]] {
            assert!(table.is_sorted_by_key(|name| name.to_ascii_lowercase()));
        }
        assert_eq!(spelling("lineargradient", Namespace::Svg, false), "linearGradient");
        assert_eq!(spelling("lineargradient", Namespace::Html, false), "lineargradient");
        assert_eq!(spelling("viewbox", Namespace::Svg, true), "viewBox");
        assert_eq!(spelling("definitionurl", Namespace::MathMl, true), "definitionURL");
        assert_eq!(spelling("rect", Namespace::Svg, false), "rect");
    }
}
