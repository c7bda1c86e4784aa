//! A page as a picture: HTML that a browser shows and that does nothing.
//!
//! **In**: a parsed page. **Out**: HTML text in which every element has its node number in `data-n`, so whoever shows it can
//! go from a value to its place and back ([`Spot`]).
//!
//! The page comes from a stranger. So the output is built from lists of what is allowed, not from lists of what is
//! forbidden:
//!
//! - Elements that load, run or navigate are left out with their content: scripts, plug-ins, `base`, `link`, `meta`,
//!   templates, SVG animations. Frames become empty boxes. Other elements keep their names, if these are plain.
//! - Attributes are kept only if they say how something looks or what it is called: `class`, `id`, `data-*`, sizes, the
//!   geometry of SVG. No address is kept except pictures that are contained in the page (`data:image/…`); a link gets `#`,
//!   so that it still looks like a link. Handlers (`on…`), form targets and focus are not in the list.
//! - Somebody may want pictures and styles ([`thawed`]): then addresses of pictures and style sheets, and only these, are
//!   replaced by what a function of the caller makes of them, and the policy must allow that place alone ([`loading_policy`]).
//! - Styles keep their text without `@import` and without addresses. A style sheet can hide an address from this filter
//!   with escapes, so this is one wall of two: **whoever serves the page must forbid all requests and scripts with a content
//!   security policy** ([`POLICY`]) and show it in a frame with `sandbox`.
//!
//! A browser parses this text again and may get another tree, for example where a `p` is inside a `p`. The numbers stay with
//! their elements, which is enough to find places. Comments are written empty: they keep neighbouring texts apart, so the
//! texts of an element can be counted.
//!
//! **Cost**: linear, without recursion, and bounded: after [`MOST_NODES`] nodes or [`MOST_BYTES`] bytes the rest of the page
//! is left out and [`Frozen::is_cut`] is set.
//!
//! Known failures: without [`thawed`], style sheets in files of their own are missing, which makes most pages look plain; what a
//! script would draw is missing. Of several pictures for different screens, the one in `src` is taken.

use super::page::escape;
use crate::{Kind, NodeId, Page};
use ::page::Namespace;

/// The most nodes of a page that are written. A browser lays out this number in a few seconds, and shows its beginning at once.
pub const MOST_NODES: usize = 200_000;
/// The most bytes that are written, about.
pub const MOST_BYTES: usize = 24 << 20;

/// The content security policy that a frozen page must be served with: no script, no request, no form, no navigation.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/// The same policy for a page with pictures and styles ([`thawed`]), which may come from one address of the server only.
pub fn loading_policy(from: &str) -> String {
    POLICY
        .replace(
            "style-src 'unsafe-inline'",
            &format!("style-src 'unsafe-inline' {from}"),
        )
        .replace("img-src data:", &format!("img-src data: {from}"))
}

/// What becomes of the address of a picture or a style sheet, as the page has it; nothing if it is left out.
pub type Loader<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How pictures look that are not loaded: grey, and not so high that they push everything else away.
const PICTURES: &str = "<style>img:not([src]){background:#e4e7ea;max-height:140px}</style>";

/// A page that does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// The HTML.
    pub html: String,
    /// Was the end of the page left out?
    pub is_cut: bool,
}

/// Where a node is on a frozen page: an element, one of its texts, or one of its attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The element, as `data-n` has it.
    pub element: NodeId,
    /// For a text: its number among the texts of the element that are not blank.
    pub text: Option<usize>,
    /// For an attribute: its name.
    pub attribute: Option<String>,
}

/// Elements that are left out with all that is in them.
const DROPPED: [&str; 33] = [
    "animate",
    "animatemotion",
    "animatetransform",
    "applet",
    "audio",
    "base",
    "basefont",
    "bgsound",
    "embed",
    "feimage",
    "fencedframe",
    "handler",
    "image",
    "link",
    "listener",
    "meta",
    "mpath",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "param",
    "portal",
    "script",
    "set",
    "source",
    "template",
    "track",
    "use",
    "video",
    "nextid",
    "isindex",
    "keygen",
];
/// Elements that are written under another name: their own would load something or change how the rest is read.
const RENAMED: [(&str, &str); 6] = [
    ("iframe", "div"),
    ("frame", "div"),
    ("frameset", "body"),
    ("plaintext", "pre"),
    ("xmp", "pre"),
    ("listing", "pre"),
];
/// Elements without an end.
const VOID: [&str; 8] = ["area", "br", "col", "hr", "img", "input", "wbr", "spacer"];
/// Attributes that say how something looks or what it is called.
const KEPT: [&str; 76] = [
    "abbr",
    "align",
    "alt",
    "axis",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "char",
    "checked",
    "class",
    "clear",
    "clip-rule",
    "color",
    "cols",
    "colspan",
    "compact",
    "content",
    "cx",
    "cy",
    "d",
    "datetime",
    "dir",
    "disabled",
    "dx",
    "dy",
    "face",
    "fill",
    "fill-opacity",
    "fill-rule",
    "frame",
    "gradienttransform",
    "headers",
    "height",
    "hidden",
    "hspace",
    "id",
    "itemprop",
    "label",
    "lang",
    "max",
    "min",
    "multiple",
    "noshade",
    "nowrap",
    "offset",
    "opacity",
    "open",
    "placeholder",
    "points",
    "preserveaspectratio",
    "r",
    "role",
    "rows",
    "rowspan",
    "rules",
    "rx",
    "ry",
    "scope",
    "selected",
    "size",
    "span",
    "start",
    "stroke",
    "stroke-width",
    "summary",
    "title",
    "transform",
    "type",
    "valign",
    "value",
    "viewbox",
    "vspace",
    "width",
    "x",
    "y",
];

/// The page as a picture. `plain` leaves out its styles, which helps where something covers everything else.
///
/// ```
/// use wrapwright::{Page, show};
///
/// let html = "<h1 onclick='steal()'>Kelp</h1><script>steal()</script><img src='http://example.org/spy.gif'>";
/// let frozen = show::frozen(&Page::parse_str(html, &Default::default())?, false);
/// assert!(frozen.html.contains(">Kelp</h1>"));
/// assert!(!frozen.html.contains("steal") && !frozen.html.contains("example.org"));
/// # Ok::<(), wrapwright::LimitError>(())
/// ```
pub fn frozen(page: &Page, plain: bool) -> Frozen {
    written(page, plain, None)
}

/// The same with its pictures and style sheets, from the addresses that `load` gives.
///
/// ```
/// use wrapwright::{Page, show};
///
/// let html = "<link rel=stylesheet href=a.css><script src=b.js></script><img src=c.png onerror='steal()'>";
/// let page = Page::parse_str(html, &Default::default())?;
/// let thawed = show::thawed(&page, &|address| Some(format!("/load?{address}"))).html;
/// assert!(thawed.contains("href=\"/load?a.css\"") && thawed.contains("src=\"/load?c.png\""));
/// assert!(!thawed.contains("b.js") && !thawed.contains("steal"));
/// # Ok::<(), wrapwright::LimitError>(())
/// ```
pub fn thawed(page: &Page, load: Loader<'_>) -> Frozen {
    written(page, false, Some(load))
}

/// A style sheet of its own file, with the addresses in it replaced; those that `load` does not give are left out.
pub fn thawed_sheet(text: &str, load: Loader<'_>) -> String {
    css(text, Some(load))
}

fn written(page: &Page, plain: bool, load: Option<Loader<'_>>) -> Frozen {
    let mut out = String::new();
    if page.doctype().is_some() {
        out += "<!doctype html>";
    }
    let mut is_cut = false;
    let mut written = 0;
    let mut open: Vec<(NodeId, &str)> = Vec::new();
    let mut at = 0;
    let end = page.len() as u32;
    loop {
        while let Some((element, name)) = open.last()
            && (at >= page.end(*element).0 || is_cut)
        {
            out += "</";
            out += name;
            out.push('>');
            open.pop();
        }
        if at >= end || is_cut {
            return Frozen { html: out, is_cut };
        }
        let node = NodeId(at);
        at += 1;
        written += 1;
        if written > MOST_NODES || out.len() > MOST_BYTES {
            is_cut = true;
            continue;
        }
        match page.kind(node) {
            Kind::Element => {
                let name = page.name(node);
                if name == "link"
                    && let Some(address) = load.and_then(|load| load(sheet(page, node)?))
                {
                    out += &format!("<link rel=\"stylesheet\" href=\"{}\">", escape(&address));
                    at = page.end(node).0;
                    continue;
                }
                if is_dropped(name) || (plain && name == "style") {
                    at = page.end(node).0;
                    out += "<!---->";
                    continue;
                }
                at = page.styles(node).end;
                let name = written_as(name);
                start(page, node, name, plain, load, &mut out);
                if name == "head" {
                    out += PICTURES;
                }
                if page.namespace(node) != Some(Namespace::Html) || !VOID.contains(&name) {
                    open.push((node, name));
                }
                if matches!(page.name(node), "iframe" | "frame") {
                    at = page.end(node).0;
                }
            }
            Kind::Text => text(page, node, load, &mut out),
            Kind::Comment => out += "<!---->",
            Kind::Document | Kind::Attribute => {}
        }
    }
}

/// Where a node is on the frozen page; nothing for the document itself.
///
/// ```
/// use wrapwright::{NodeId, Page, show};
///
/// let page = Page::parse_str("<p>Price: <b>12</b> each</p>", &Default::default())?;
/// let each = *page.texts().last().ok_or("no text")?;
/// let spot = show::spot(&page, each).ok_or("no place")?;
/// assert_eq!((page.name(spot.element), spot.text), ("p", Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn spot(page: &Page, node: NodeId) -> Option<Spot> {
    if node.index() >= page.len() {
        return None;
    }
    let parent = || page.parent(node).filter(|parent| page.is_element(*parent));
    match page.kind(node) {
        Kind::Element => Some(Spot {
            element: node,
            text: None,
            attribute: None,
        }),
        Kind::Text => {
            let element = parent()?;
            let before = texts(page, element).take_while(|text| *text < node).count();
            Some(Spot {
                element,
                text: Some(before),
                attribute: None,
            })
        }
        Kind::Attribute => Some(Spot {
            element: parent()?,
            text: None,
            attribute: Some(page.name(node).to_owned()),
        }),
        Kind::Document | Kind::Comment => None,
    }
}

/// The node at a place of the frozen page: the reverse of [`spot`].
pub fn node_at(page: &Page, spot: &Spot) -> Option<NodeId> {
    let element = Some(spot.element).filter(|node| node.index() < page.len() && page.is_element(*node))?;
    match (&spot.attribute, spot.text) {
        (Some(name), _) => page.attribute(element, page.name_id(name)?),
        (None, Some(number)) => texts(page, element).nth(number),
        (None, None) => Some(element),
    }
}

/// The texts of an element that are not blank and not inside another element.
fn texts(page: &Page, element: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    page.children(element)
        .filter(|child| page.kind(*child) == Kind::Text && !page.string_value(*child).trim().is_empty())
}

fn is_dropped(name: &str) -> bool {
    DROPPED.iter().any(|dropped| dropped.eq_ignore_ascii_case(name))
}

/// The name that an element is written with.
fn written_as(name: &str) -> &str {
    if let Some((_, other)) = RENAMED.iter().find(|(own, _)| *own == name) {
        return other;
    }
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if is_plain { name } else { "ww-x" }
}

/// The address of the style sheet that an element `link` has for all who look.
fn sheet(page: &Page, node: NodeId) -> Option<&str> {
    let value = |name: &str| {
        let attribute = page.attribute(node, page.name_id(name)?)?;
        Some(page.string_value(attribute))
    };
    let mut kinds = value("rel")?.split_ascii_whitespace();
    let is_sheet = kinds.clone().any(|kind| kind.eq_ignore_ascii_case("stylesheet"))
        && !kinds.any(|kind| kind.eq_ignore_ascii_case("alternate"));
    let media = value("media").unwrap_or_default().trim().to_ascii_lowercase();
    let is_seen = media.is_empty() || media.contains("screen") || media.contains("all") || media.starts_with('(');
    value("href").filter(|_| is_sheet && is_seen)
}

fn start(page: &Page, node: NodeId, name: &str, plain: bool, load: Option<Loader<'_>>, out: &mut String) {
    out.push('<');
    out.push_str(name);
    for id in page.attributes(node) {
        let attribute = NodeId(id);
        let value = page.string_value(attribute);
        let own = page.name(attribute);
        let kept = match own.to_ascii_lowercase().as_str() {
            "style" if plain => None,
            "style" => Some(css(value, load)),
            "href" if matches!(name, "a" | "area") => Some("#".to_owned()),
            "src" if name == "img" && is_picture(value) => Some(value.to_owned()),
            "src" if name == "img" && !value.trim().is_empty() => load.and_then(|load| load(value)),
            lower if is_kept(lower) && !value.to_ascii_lowercase().contains("url(") => Some(value.to_owned()),
            _ => None,
        };
        if let Some(value) = kept {
            *out += &format!(" {own}=\"{}\"", escape(&value));
        }
    }
    *out += &format!(" data-n=\"{}\">", node.0);
    // A line end right after the tag would be lost.
    let first = page.first_child(node).filter(|first| page.kind(*first) == Kind::Text);
    if matches!(name, "pre" | "textarea") && first.is_some_and(|text| page.string_value(text).starts_with('\n')) {
        out.push('\n');
    }
}

fn is_kept(name: &str) -> bool {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    KEPT.contains(&name) || (is_plain && name != "data-n" && (name.starts_with("data-") || name.starts_with("aria-")))
}

/// A picture that is part of the page; not SVG, which is a document of its own.
fn is_picture(address: &str) -> bool {
    let begin: String = address
        .trim_start()
        .chars()
        .take(20)
        .collect::<String>()
        .to_ascii_lowercase();
    ["png", "gif", "jpeg", "jpg", "webp", "avif"]
        .iter()
        .any(|kind| begin.starts_with(&format!("data:image/{kind}")))
}

fn text(page: &Page, node: NodeId, load: Option<Loader<'_>>, out: &mut String) {
    let said = page.string_value(node);
    let is_style = page
        .parent(node)
        .is_some_and(|parent| page.name(parent).eq_ignore_ascii_case("style"));
    match is_style {
        // Nothing in it may look like a tag, whatever the reader takes it for.
        true => *out += &css(said, load).replace('<', ""),
        false => *out += &escape(said),
    }
}

/// A style sheet or declarations without addresses, or with those that `load` gives.
fn css(text: &str, load: Option<Loader<'_>>) -> String {
    let lower = text.to_ascii_lowercase();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    // ASCII letters keep their places when they become lower case.
    let find = |word: &str, from: usize| lower[from..].find(word).map(|found| from + found);
    while at < text.len() {
        let next = [
            ("@import", ';'),
            ("url(", ')'),
            ("src(", ')'),
            ("image-set(", ')'),
            ("expression(", ')'),
        ]
        .iter()
        .filter_map(|(word, end)| find(word, at).map(|found| (found, word.len(), *end)))
        .min();
        let Some((found, length, end)) = next else { break };
        out += &text[at..found];
        let rest = &text[found + length..];
        let inside = rest.trim_start().trim_start_matches(['"', '\'']).trim_start();
        let close = rest.find(end).map_or(text.len(), |close| found + length + close + 1);
        let is_safe = lower[found..].starts_with("url(") && (is_picture(inside) || inside.starts_with('#'));
        let other = load.filter(|_| !is_safe && lower[found..].starts_with("url("));
        let other = other.and_then(|load| load(quoted(&text[found + length..close])));
        // A style sheet may name another one without `url(`.
        let import = load.filter(|_| end == ';' && !rest.trim_start().to_ascii_lowercase().starts_with("url("));
        let import =
            import.and_then(|load| load(Some(quoted(&text[found + length..close])).filter(|name| !name.is_empty())?));
        match (is_safe, other, import) {
            (true, _, _) => out += &text[found..close],
            (_, Some(address), _) => out += &format!("url(\"{address}\")"),
            (_, _, Some(address)) => out += &format!("@import \"{address}\";"),
            _ if end == ')' => out += "none",
            // What is in an import by `url(` is looked at next.
            _ if load.is_some() && !rest.trim_start().starts_with(['"', '\'']) => {
                out += "@import ";
                at = found + length;
                continue;
            }
            _ => {}
        }
        at = close;
    }
    out += &text[at.min(text.len())..];
    out
}

/// The address at the beginning of what is in `url(…)` or after `@import`, without its quotes.
fn quoted(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_suffix([')', ';']).unwrap_or(text).trim();
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => text[1..].split(quote).next().unwrap_or_default().trim(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn freeze(html: &str) -> String {
        frozen(&Page::parse_str(html, &Default::default()).expect("a page"), false).html
    }

    #[test]
    fn what_loads_runs_or_navigates_is_gone() {
        let hostile = [
            "<script>evil()</script>",
            "<svg><script>evil()</script><a xlink:href='javascript:evil()'>x</a></svg>",
            "<svg><style>&lt;/style>&lt;script>evil()</style></svg>",
            "<img src=//evil/ srcset='//evil/ 2x' onerror=evil()>",
            "<iframe src=//evil/ srcdoc='<script>evil()</script>'></iframe>",
            "<object data=//evil/></object><embed src=//evil/>",
            "<meta http-equiv=refresh content='0;url=//evil/'>",
            "<base href=//evil/><link rel=stylesheet href=//evil/>",
            "<form action=//evil/><button formaction=//evil/ autofocus>x</button></form>",
            "<a href='javascript:evil()' ping=//evil/>x</a>",
            "<p style='background:URL( //evil/ )'>x</p>",
            "<style>@import '//evil/'; p { background: url(\"//evil/\") } @font-face { src: url(//evil/) }</style>",
            "<svg><image href=//evil/ /><use href=//evil/ /><rect fill='url(//evil/)'/></svg>",
            "<video src=//evil/ poster=//evil/></video><table background=//evil/></table>",
            "<math><annotation-xml encoding='text/html'><img src=//evil/></annotation-xml></math>",
            "<plaintext>x",
        ];
        for html in hostile {
            let frozen = freeze(html);
            for word in [
                "//evil/",
                "evil()",
                "javascript:",
                "<script",
                "<iframe",
                "<plaintext",
                "onerror",
                "autofocus",
            ] {
                let is_text = html.contains("&lt;") && word == "evil()";
                assert!(
                    is_text || !frozen.replace(PICTURES, "").contains(word),
                    "{html} gives {frozen}"
                );
            }
        }
    }

    #[test]
    fn styles_stay_without_addresses() {
        let plain = |text: &str| css(text, None);
        assert_eq!(plain("a{color:red}"), "a{color:red}");
        assert_eq!(plain("a{background:url(x.png) red}"), "a{background:none red}");
        assert_eq!(plain("@IMPORT 'x';a{}"), "a{}");
        assert_eq!(plain("a{fill:url(#g)}"), "a{fill:url(#g)}");
        assert_eq!(plain("a{b:url(x"), "a{b:none");
        assert_eq!(plain("é{b:url(x)}é"), "é{b:none}é");
    }

    #[test]
    fn pictures_and_styles_come_from_where_they_are_told_to() {
        let load = |address: &str| (!address.contains("evil")).then(|| format!("/l?{address}"));
        for (text, expected) in [
            ("a{b:url(x.png) red}", "a{b:url(\"/l?x.png\") red}"),
            ("a{b:url( 'x.png' )}", "a{b:url(\"/l?x.png\")}"),
            ("a{b:url(evil)}", "a{b:none}"),
            ("a{b:url(#g)}", "a{b:url(#g)}"),
            ("@import 'x.css';a{}", "@import \"/l?x.css\";a{}"),
            ("@import \"x.css\" screen;a{}", "@import \"/l?x.css\";a{}"),
            ("@import url(x.css);a{}", "@import url(\"/l?x.css\");a{}"),
            ("@import url('evil');a{}", "@import none;a{}"),
            ("a{b:image-set('x' 1x)}", "a{b:none}"),
            ("@import", "@import "),
        ] {
            assert_eq!(
                css(text, Some(&load)).replace("@import  ", "@import "),
                expected,
                "{text}"
            );
        }
        let page = |html: &str| Page::parse_str(html, &Default::default()).expect("a page");
        let html = "<link rel='alternate stylesheet' href=1><link rel=icon href=2><link rel=stylesheet media=print href=3>\
                    <link rel=StyleSheet href='4\"'><img srcset='5 2x'><img src=evil><script src=6></script><iframe src=7></iframe>\
                    <object data=8></object><a href=9>x</a><video poster=10 src=11></video><svg><image href=12 /></svg>";
        let thawed = thawed(&page(html), &load).html;
        assert_eq!(thawed.matches("/l?").count(), 1, "{thawed}");
        assert!(thawed.contains("href=\"/l?4&quot;\""), "{thawed}");
        let policy = loading_policy("http://127.0.0.1:1/load");
        assert!(policy.contains("img-src data: http://127.0.0.1:1/load;") && !policy.contains("script-src"));
    }

    #[test]
    fn every_node_has_a_place_and_every_place_its_node() {
        let html = "<div id=a>one<!-- --> two <b>three</b>\n<i></i> four</div>";
        let page = Page::parse_str(html, &Default::default()).expect("a page");
        for number in 1..page.len() as u32 {
            let node = NodeId(number);
            let Some(spot) = spot(&page, node) else { continue };
            let is_blank = page.kind(node) == Kind::Text && page.string_value(node).trim().is_empty();
            assert!(is_blank || node_at(&page, &spot) == Some(node), "{spot:?}");
        }
        assert_eq!(spot(&page, NodeId(10_000)), None);
    }

    #[test]
    fn a_huge_page_is_cut() {
        let html = "<p>x".repeat(MOST_NODES);
        let page = Page::parse_str(&html, &Default::default()).expect("a page");
        let frozen = frozen(&page, false);
        assert!(frozen.is_cut);
        assert!(frozen.html.ends_with("</body></html>"));
    }
}
