//! What the names of HTML mean: which elements a reader does not see, which belong to a line of text, which attributes
//! contain data, and which names tell what something is.
//!
//! A page is made for readers, and a wrapper extracts what readers see. So every learner, every rule that runs and every
//! check asks the same few questions about tags and attributes. The answers are here, once: a value that a learner finds
//! must also be a value to the rule that it learns and to the check that watches this rule.
//!
//! The answers follow the HTML standard where it has one (its section *Rendering* lists what browsers hide and what is
//! inline) and common practice where it has none (`data-src`, `data-testid`). They are judgements about HTML, not about
//! sites: no entry was added or removed because of a page of a benchmark. All names are in lower case, as
//! [`Page::name`] gives them.
//!
//! Where two questions sound alike and have different answers, they have two functions here, and the second says how and
//! why it differs from the first:
//!
//! | question | function |
//! |---|---|
//! | does a reader see what is inside? | [`is_unseen`], [`is_seen`], [`seen_elements`] |
//! | is it part of a line of text? | [`is_phrasing`] |
//! | … and does it show nothing itself? | [`shows_nothing`] |
//! | … and can a word go on across its tag? | [`joins_words`] |
//! | does an attribute contain a value of a record? | [`DATA`] |
//! | … in place of text that is not shown? | [`STAND_INS`] |
//! | … as an address? | [`is_address`] |
//! | can an attribute tell elements apart by what they are for? | [`tells_role`] |
//! | what is an element called? | [`NAMING`] |
//! | does the tag alone say what the element contains? | [`is_telling`] |
//! | is it how pages write labels? | [`is_label`] |
//! | is a word of a class about the layout, not the content? | [`says_layout`] |
//! | … or about what is around the content? | [`says_chrome`] |
//!
//! Not here: what the parser does with a tag, what a form sends, what is safe to show again, and which
//! addresses to fetch. Those are rules of HTML or of security, not of reading.
//!
//! Known limits: style sheets are not read, so an element that a page hides by `display: none` counts as seen, and one
//! that a page shows as a block counts as inline.

use crate::tree::{NodeId, Page};

/// Elements whose content no browser shows as part of the page.
///
/// Code (`script`, `style`), content for later use (`template`), and content for browsers that lack something
/// (`noscript`, `noframes`, `noembed`, and `iframe`, which shows another page). Content of `noscript` is elements on a page
/// that was fetched and one text on a page that a browser has built, which is one more reason to leave it out: otherwise
/// a rule learned from the one would not fit the other.
///
/// The standard hides `head` and `title` too, but what they say is about the page and is often wanted, so it counts as
/// seen. It also hides `rp` and `datalist`, which are too rare to matter.
pub const UNSEEN: [&str; 7] = [
    "script", "style", "template", "noscript", "noframes", "noembed", "iframe",
];

/// Is this an element whose content no reader sees? See [`UNSEEN`].
pub fn is_unseen(element: &str) -> bool {
    UNSEEN.contains(&element)
}

/// Does a reader see what a node contains? True unless the node or an element above it is unseen.
///
/// Takes time proportional to the depth of the node; use [`seen_elements`] to go through a page.
///
/// ```
/// use page::{Page, vocabulary};
/// let html = "<body><noscript><p>Turn it on</p></noscript><p>12.50</p>";
/// let page = Page::parse_str(html, &Default::default())?;
/// let seen: Vec<bool> = page.texts().iter().map(|text| vocabulary::is_seen(&page, *text)).collect();
/// assert_eq!(seen, [false, true]);
/// # Ok::<(), page::LimitError>(())
/// ```
pub fn is_seen(page: &Page, node: NodeId) -> bool {
    let mut around = std::iter::once(node).chain(page.ancestors(node));
    !around.any(|node| page.is_element(node) && is_unseen(page.name(node)))
}

/// The elements that a reader sees, in document order, in one pass over the page.
pub fn seen_elements(page: &Page) -> impl Iterator<Item = NodeId> + '_ {
    let mut unseen = NodeId::DOCUMENT;
    page.elements().iter().copied().filter(move |element| {
        if *element >= unseen && is_unseen(page.name(*element)) {
            unseen = page.end(*element);
        }
        *element >= unseen
    })
}

/// Is this one of the three elements that every page has? They say nothing about a page, and their text is all of it.
pub fn is_shell(element: &str) -> bool {
    matches!(element, "html" | "head" | "body")
}

/// Elements that mark a part of a line of text: how it looks, what it means, where it leads.
///
/// These have `display: inline` in every browser and show nothing but their text.
const INLINE: [&str; 34] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
    "u", "var", "wbr",
];

/// Can the element be part of a paragraph's text? The standard calls such content phrasing.
///
/// Inline elements, and with them line breaks, pictures and input fields, which stand between words of a paragraph.
pub fn is_phrasing(element: &str) -> bool {
    INLINE.contains(&element) || matches!(element, "br" | "img" | "input")
}

/// Does the tag itself show nothing, so that a value may be cut before or after it without a visible difference?
///
/// As [`is_phrasing`], but without pictures and input fields, which a reader does see, and with `center`, which old pages
/// write around a value as they write `font`.
pub fn shows_nothing(element: &str) -> bool {
    INLINE.contains(&element) || matches!(element, "br" | "center")
}

/// Can a word go on across the tag, as in `<b>N</b>ame`?
///
/// As [`is_phrasing`], but without line breaks, pictures and input fields, which separate words, and without elements whose
/// text is another one than the text beside it: `<del>10</del>8` is not 108, and a `label` is not part of the value after
/// it.
pub fn joins_words(element: &str) -> bool {
    INLINE.contains(&element) && !matches!(element, "del" | "ins" | "s" | "strike" | "label")
}

/// Attributes that contain values of records: what is followed, shown in place of something, or given to programs.
///
/// `data-value` and `data-src` are not in the standard; pages use them for the exact value of what they show rounded and
/// for pictures that load later.
pub const DATA: [&str; 9] = [
    "href",
    "src",
    "content",
    "alt",
    "title",
    "datetime",
    "value",
    "data-value",
    "data-src",
];

/// Of [`DATA`], the attributes that say in words what the page does not show as text.
///
/// `content` of a `meta` and `alt` of a picture. The others repeat text that is shown (`title`, `datetime`, `value`) or are
/// addresses, which vary from page to page even where nothing is said; a learner without examples takes them only when
/// asked.
pub const STAND_INS: [&str; 2] = ["content", "alt"];

/// Is the whole value of the attribute one address: of a link or of a picture?
///
/// `data-src` and its like contain the address of a picture that loads later. `srcset` has several addresses, so it is not one
/// of these.
pub fn is_address(attribute: &str) -> bool {
    matches!(
        attribute,
        "href" | "src" | "poster" | "background" | "cite" | "data-src" | "data-href" | "data-original"
    )
}

/// Can values of the attribute tell what an element is for?
///
/// False for [`DATA`], and also for code (`style`, `onclick` and all other handlers) and for the addresses that are no
/// values of records (`action`, `srcset`): they differ between elements of one role, and are equal between elements of two.
pub fn tells_role(attribute: &str) -> bool {
    !(DATA.contains(&attribute)
        || matches!(attribute, "style" | "action" | "srcset" | "data-srcset")
        || attribute.starts_with("on"))
}

/// Attributes that say what an element is called, the most telling first.
///
/// First what says what a value *is*, to programs that read the page (`itemprop`, `property`) or test it (`data-testid`);
/// then what names the column of a table's cell (`data-label`, `headers`); then an `id`, which is unique on a page but may
/// contain the number of the record; `name`, which forms and anchors have; and `class` last, since it often says how
/// something looks.
pub const NAMING: [&str; 8] = [
    "itemprop",
    "property",
    "data-testid",
    "data-label",
    "headers",
    "id",
    "name",
    "class",
];

/// Does the tag alone say what the element contains, so that it can name a field?
///
/// Titles and headings down to the fourth level, below which headings are used for their looks, and the few tags with a
/// narrow meaning.
pub fn is_telling(element: &str) -> bool {
    matches!(
        element,
        "title" | "h1" | "h2" | "h3" | "h4" | "address" | "time" | "caption" | "legend"
    )
}

/// Is it an element in which pages write the label of what follows?
///
/// Those with this meaning (`th`, `dt`, `label`), headings within a page, and bold text, which pages without the former
/// use. Not `h1`, which is the title of the page and no label of a part of it.
pub fn is_label(element: &str) -> bool {
    matches!(
        element,
        "th" | "dt" | "label" | "b" | "strong" | "h2" | "h3" | "h4" | "h5" | "h6"
    )
}

/// Words of classes and ids that say where or how something is shown, or what kind of box it is, and nothing of its content.
///
/// From the habits of style sheets and of the common frameworks: grids, boxes, positions, sizes, colours, states, and the prefixes
/// that server frameworks give to controls.
const LAYOUT: [&str; 233] = [
    "absolute",
    "active",
    "align",
    "anchor",
    "antialiased",
    "area",
    "auto",
    "back",
    "background",
    "base",
    "between",
    "bg",
    "big",
    "black",
    "block",
    "blue",
    "body",
    "bold",
    "border",
    "bottom",
    "box",
    "break",
    "btn",
    "button",
    "capitalize",
    "card",
    "carousel",
    "case",
    "cell",
    "center",
    "centre",
    "clamp",
    "clear",
    "clearfix",
    "cls",
    "col",
    "color",
    "colour",
    "cols",
    "column",
    "columns",
    "component",
    "container",
    "content",
    "contents",
    "control",
    "copy",
    "css",
    "ctl",
    "ctrl",
    "current",
    "cursor",
    "dark",
    "data",
    "default",
    "dib",
    "display",
    "div",
    "dtc",
    "ease",
    "element",
    "ellipsis",
    "even",
    "ff",
    "field",
    "first",
    "fixed",
    "flex",
    "float",
    "focus",
    "focusable",
    "font",
    "footer",
    "fs",
    "full",
    "gap",
    "global",
    "gray",
    "green",
    "grey",
    "grid",
    "group",
    "grow",
    "gutter",
    "half",
    "has",
    "head",
    "header",
    "hidden",
    "holder",
    "hover",
    "icon",
    "inline",
    "inner",
    "inset",
    "is",
    "italic",
    "item",
    "items",
    "js",
    "justify",
    "label",
    "large",
    "last",
    "layout",
    "lbl",
    "leading",
    "left",
    "lg",
    "lh",
    "light",
    "line",
    "lines",
    "link",
    "links",
    "list",
    "lockup",
    "lower",
    "lowercase",
    "main",
    "margin",
    "max",
    "mb",
    "md",
    "medium",
    "middle",
    "min",
    "minus",
    "ml",
    "module",
    "mono",
    "mr",
    "mt",
    "nav",
    "neutral",
    "no",
    "nobr",
    "none",
    "normal",
    "nowrap",
    "odd",
    "offset",
    "one",
    "only",
    "opacity",
    "outer",
    "overflow",
    "overlay",
    "padding",
    "page",
    "panel",
    "part",
    "placeholder",
    "plus",
    "pointer",
    "primary",
    "pull",
    "px",
    "py",
    "red",
    "region",
    "relative",
    "right",
    "root",
    "round",
    "rounded",
    "row",
    "rows",
    "sans",
    "sc",
    "scroll",
    "secondary",
    "section",
    "selected",
    "semibold",
    "sep",
    "serif",
    "shadow",
    "shrink",
    "side",
    "size",
    "slate",
    "slick",
    "slide",
    "slider",
    "sm",
    "small",
    "spacing",
    "span",
    "sr",
    "static",
    "std",
    "sticky",
    "stone",
    "styled",
    "styles",
    "swiper",
    "tab",
    "table",
    "td",
    "tertiary",
    "text",
    "thick",
    "thin",
    "third",
    "three",
    "tight",
    "top",
    "tracking",
    "transition",
    "truncate",
    "two",
    "txt",
    "ui",
    "underline",
    "upper",
    "uppercase",
    "value",
    "view",
    "visible",
    "visually",
    "white",
    "wide",
    "wider",
    "widget",
    "width",
    "wrap",
    "wrapper",
    "xl",
    "xs",
    "xxl",
    "xxs",
    "zinc",
];

/// Is a word of a class or id about the layout of a page, so that it cannot name a value?
pub fn says_layout(word: &str) -> bool {
    LAYOUT.binary_search(&word).is_ok()
}

/// Words of classes and ids that say that a part of a page is not about the thing that the page is about: menus, adverts, forms,
/// and links to other things. In the singular.
const CHROME: [&str; 56] = [
    "ad",
    "advert",
    "advertisement",
    "advertising",
    "banner",
    "basket",
    "bookmark",
    "bottomnav",
    "breadcrumb",
    "cart",
    "cookie",
    "copyright",
    "crumb",
    "dropdown",
    "facebook",
    "feedback",
    "foot",
    "footer",
    "globalnav",
    "login",
    "logo",
    "mainnav",
    "masthead",
    "menu",
    "modal",
    "nav",
    "navbar",
    "navigation",
    "newsletter",
    "pager",
    "pagination",
    "popular",
    "promo",
    "promotion",
    "recommendation",
    "recommended",
    "related",
    "rss",
    "search",
    "share",
    "sidebar",
    "signin",
    "signup",
    "similar",
    "sitemap",
    "skip",
    "social",
    "sponsor",
    "sponsored",
    "subnav",
    "subscribe",
    "toolbar",
    "topnav",
    "trending",
    "tweet",
    "twitter",
];

/// Does a word of a class or id say that the part is around the content of a page, not part of it?
pub fn says_chrome(word: &str) -> bool {
    CHROME.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::parse_str(html, &Default::default()).unwrap()
    }

    #[test]
    fn what_is_inside_the_unseen_is_unseen() {
        let html = "<title>T</title><style>s</style><p>a<noscript><i>b</i></noscript><script>c</script>d\
                    <template><p>e</p></template><iframe>f</iframe><b>g</b>";
        let page = page(html);
        let texts = page.texts().iter().filter(|text| is_seen(&page, **text));
        let texts: Vec<&str> = texts.map(|text| page.string_value(*text)).collect();
        assert_eq!(texts, ["T", "a", "d", "g"]);
        let names: Vec<&str> = seen_elements(&page).map(|node| page.name(node)).collect();
        assert_eq!(names, ["html", "head", "title", "body", "p", "b"]);
    }

    /// The pass over a page and the look at one node must give the same answer.
    #[test]
    fn both_ways_to_ask_what_is_seen_agree() {
        for html in [
            "<noscript><template><p>x</p></template><p>y</p></noscript><p>z</p>",
            "<template><script>1</script><b>2</b></template><b>3</b>",
            "<p>1<svg><style>2</style><g>3</g></svg>4",
            "",
        ] {
            let page = page(html);
            let one: Vec<NodeId> = seen_elements(&page).collect();
            let elements = page.elements().iter().copied();
            let other: Vec<NodeId> = elements.filter(|element| is_seen(&page, *element)).collect();
            assert_eq!(one, other, "{html}");
        }
    }

    #[test]
    fn words_about_layout_are_in_order() {
        assert!(
            LAYOUT.is_sorted() && CHROME.is_sorted(),
            "the lists are searched by halves"
        );
        assert!(says_layout("clearfix") && says_layout("wrapper") && !says_layout("price"));
    }

    #[test]
    fn a_line_of_text_is_asked_about_in_three_ways() {
        let check = |element: &str| (is_phrasing(element), shows_nothing(element), joins_words(element));
        for (element, expected) in [
            ("b", (true, true, true)),
            ("wbr", (true, true, true)),
            ("del", (true, true, false)),
            ("label", (true, true, false)),
            ("br", (true, true, false)),
            ("img", (true, false, false)),
            ("center", (false, true, false)),
            ("p", (false, false, false)),
            ("td", (false, false, false)),
        ] {
            assert_eq!(check(element), expected, "{element}");
        }
    }

    #[test]
    fn data_and_code_tell_no_role() {
        for attribute in ["href", "data-src", "style", "onclick", "srcset"] {
            assert!(!tells_role(attribute), "{attribute}");
        }
        for attribute in NAMING.iter().chain(&["rel", "width", "data-toggle"]) {
            assert!(tells_role(attribute), "{attribute}");
        }
        assert!(STAND_INS.iter().all(|name| DATA.contains(name)));
    }
}
