//! XML read as XML: feeds, sitemaps and other documents that are not HTML.
//!
//! The rules of HTML destroy such documents: `<link>https://…</link>` of a feed is empty there, `<title/>` swallows what
//! follows, and CDATA is a comment. What the server says decides ([`Markup`]), but not alone: feeds are often served as HTML,
//! and pages of XHTML are meant as HTML whatever they are served as. So a document is read by the rules of XML
//! - if its media type is one of XML, or if none is known and it begins with `<?xml`, unless its root is `html`;
//! - in any case if its root is that of a feed or sitemap.
//!
//! **Input**: any text. **Output**: a scratch tree with elements, attributes, texts and comments. CDATA is text;
//! instructions and the document type are left out. Names are in lower case, as on all pages here, with their prefixes.
//! Nothing is refused but what is beyond a limit: what is no markup is text, an end tag without a beginning is left out,
//! and what is open at the end is closed, because feeds are written by programs with mistakes.
//!
//! **Cost**: linear in the source; an end tag looks for its element among those that are open, at most [`LOOKED_AT`] of
//! them, and an element has at most [`MOST_ATTRIBUTES`]. **Known limits**: entities that a document type defines stay as they are written; references of HTML are known.

use crate::html::decode_reference;
use crate::limits::{LimitError, Limits};
use crate::name::Namespace;
use crate::scratch::{Attribute, Kind, Piece, Ref, Scratch};

/// Among how many open elements an end tag looks for its own.
const LOOKED_AT: usize = 64;

/// The most attributes of an element; more are left out, because each is compared with those before it.
const MOST_ATTRIBUTES: usize = 500;

/// The roots of feeds, sitemaps and lists of feeds, by which they are recognized without `<?xml`.
const ROOTS: [&str; 6] = ["rss", "feed", "rdf:rdf", "urlset", "sitemapindex", "opml"];

/// What the transport says that a page is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// Nothing, or something other than HTML and XML.
    #[default]
    Unknown,
    /// `text/html` or `application/xhtml+xml`.
    Html,
    /// `text/xml`, `application/xml`, or a type that ends with `+xml`.
    Xml,
}

impl Markup {
    /// What a media type says, as in HTTP's `Content-Type`; its parameters are ignored.
    ///
    /// ```
    /// use page::{Markup, Page, ParseSettings};
    /// let markup = Markup::of_media("application/xml; charset=utf-8");
    /// assert_eq!(markup, Markup::Xml);
    /// let settings = ParseSettings { markup, ..ParseSettings::default() };
    /// let page = Page::parse(b"<shop><link>https://a.example/</link></shop>", &settings)?;
    /// assert_eq!(page.text(), "https://a.example/");
    /// # Ok::<(), page::LimitError>(())
    /// ```
    pub fn of_media(media: &str) -> Markup {
        let kind = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match kind.as_str() {
            "text/html" | "application/xhtml+xml" => Markup::Html,
            "text/xml" | "application/xml" => Markup::Xml,
            _ if kind.ends_with("+xml") => Markup::Xml,
            _ => Markup::Unknown,
        }
    }

    /// What the name of a file says: `.xml`, `.rss` and `.atom` are XML.
    pub fn of_file(path: &std::path::Path) -> Markup {
        let ending = path.extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "xml" | "rss" | "atom" => Markup::Xml,
            _ => Markup::Unknown,
        }
    }
}

/// Is this text XML, and not a page of HTML?
pub(crate) fn is_xml(text: &str, markup: Markup) -> bool {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let Some(root) = root(text) else { return false };
    let root = root.to_ascii_lowercase();
    let is_declared = || text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("<?xml"));
    let is_told = match markup {
        Markup::Xml => true,
        Markup::Html => false,
        Markup::Unknown => is_declared(),
    };
    ROOTS.contains(&root.as_str()) || is_told && root != "html" && !root.ends_with(":html")
}

/// The name of the first element, if nothing but instructions, comments and a document type come before it.
fn root(text: &str) -> Option<&str> {
    /// This many of them: more is no prologue.
    const MOST: usize = 32;
    let mut rest = text;
    for _ in 0..MOST {
        rest = rest.trim_start();
        let end = if rest.starts_with("<?") {
            rest.find("?>")? + 2
        } else if rest.starts_with("<!--") {
            rest.find("-->")? + 3
        } else if rest.starts_with("<!") {
            doctype_len(rest)
        } else {
            let name = rest.strip_prefix('<')?;
            return Some(&name[..name_len(name)]).filter(|name| !name.is_empty());
        };
        rest = &rest[end..];
    }
    None
}

/// The length of a document type, with the declarations in it.
fn doctype_len(text: &str) -> usize {
    let close = text.find('>').unwrap_or(text.len());
    match text[..close].find('[') {
        Some(open) => {
            let inside = text[open..].find(']').map_or(text.len(), |at| open + at);
            text[inside..].find('>').map_or(text.len(), |at| inside + at + 1)
        }
        None => (close + 1).min(text.len()),
    }
}

/// The length of a name; names end where markup, white space or a sign of an attribute begins.
fn name_len(text: &str) -> usize {
    match text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == ':') {
        true => text
            .find(|c: char| c.is_whitespace() || "<>/=\"'&".contains(c))
            .unwrap_or(text.len()),
        false => 0,
    }
}

/// Reads a document.
///
/// # Errors
///
/// It exceeds one of the limits.
pub(crate) fn parse<'s>(source: &'s str, limits: &Limits) -> Result<Scratch<'s>, LimitError> {
    let mut reader = Reader {
        source,
        at: 0,
        scratch: Scratch::new(source),
        open: Vec::new(),
        limits: *limits,
    };
    while reader.at < source.len() {
        reader.piece()?;
    }
    Ok(reader.scratch)
}

struct Reader<'s> {
    source: &'s str,
    at: usize,
    scratch: Scratch<'s>,
    /// The open elements with their names as they are written.
    open: Vec<(Ref, &'s str)>,
    limits: Limits,
}

impl<'s> Reader<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    fn parent(&self) -> Ref {
        self.open.last().map_or(Ref::DOCUMENT, |(node, _)| *node)
    }

    /// Reads one piece of markup or text.
    fn piece(&mut self) -> Result<(), LimitError> {
        let rest = self.rest();
        let until = |mark: &str| rest.find(mark).map_or(rest.len(), |at| at + mark.len());
        if !rest.starts_with('<') {
            let end = rest.find('<').unwrap_or(rest.len());
            self.text(end, true);
        } else if rest.starts_with("<!--") {
            let end = until("-->");
            let inside = Piece::of_source(self.at + 4, (self.at + end).saturating_sub(3).max(self.at + 4));
            let parent = self.parent();
            self.scratch.append_new(parent, Kind::Comment(inside));
            self.at += end;
        } else if rest.starts_with("<![CDATA[") {
            self.at += "<![CDATA[".len();
            let inside = self.rest();
            let end = inside.find("]]>").unwrap_or(inside.len());
            self.text(end, false);
            self.at = (self.at + "]]>".len()).min(self.source.len());
        } else if rest.starts_with("<!") {
            self.at += doctype_len(rest);
        } else if rest.starts_with("<?") {
            self.at += until("?>");
        } else if let Some(name) = rest.strip_prefix("</") {
            let name = &name[..name_len(name)];
            let nearby = self.open.len().saturating_sub(LOOKED_AT);
            if let Some(at) = self.open[nearby..].iter().rposition(|(_, open)| *open == name) {
                self.open.truncate(nearby + at);
            }
            self.at += until(">");
        } else if name_len(&rest[1..]) > 0 {
            self.element();
        } else {
            // A sign that is no markup.
            self.text(1, true);
        }
        let nodes = self.scratch.nodes.len() + self.scratch.attributes.len();
        match () {
            () if self.open.len() > self.limits.depth => Err(LimitError::Depth(self.limits.depth)),
            () if nodes > self.limits.nodes => Err(LimitError::Nodes(self.limits.nodes)),
            () => Ok(()),
        }
    }

    /// Adds the next bytes as text; outside of the root there is none.
    fn text(&mut self, len: usize, decodes: bool) {
        let (start, end) = (self.at, self.at + len);
        self.at = end;
        if len == 0 || self.open.is_empty() {
            return;
        }
        let piece = self.value(start, end, decodes);
        let parent = self.parent();
        if piece.len() > 0 {
            self.scratch.append_text(parent, piece);
        }
    }

    /// A part of the source as it is read: with references decoded, if asked for, and line ends as line feeds.
    fn value(&mut self, start: usize, end: usize, decodes: bool) -> Piece {
        let text = &self.source[start..end];
        let is_plain = !text.contains('\r') && (!decodes || !text.contains('&'));
        if is_plain {
            return Piece::of_source(start, end);
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['&', '\r']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let taken = match rest.starts_with('&') {
                true if decodes => decode_reference(rest.as_bytes(), &mut out),
                true => 0,
                false => {
                    out.push('\n');
                    if rest.starts_with("\r\n") { 2 } else { 1 }
                }
            };
            match taken {
                0 => {
                    out.push('&');
                    rest = &rest[1..];
                }
                taken => rest = &rest[taken..],
            }
        }
        out.push_str(rest);
        self.scratch.store(&out)
    }

    /// Reads a start tag.
    fn element(&mut self) {
        self.at += 1;
        let name = &self.rest()[..name_len(self.rest())];
        self.at += name.len();
        let first_attribute = self.scratch.attributes.len();
        let mut is_empty = false;
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            if rest.is_empty() || rest.starts_with('<') {
                break;
            }
            if rest.starts_with('>') || rest.starts_with("/>") {
                is_empty = rest.starts_with('/');
                self.at += 1 + usize::from(is_empty);
                break;
            }
            self.attribute(first_attribute);
        }
        let kind = Kind::Element {
            name: self.scratch.names.intern(&name.to_ascii_lowercase()),
            namespace: Namespace::Html,
            first_attribute: first_attribute as u32,
            attributes: (self.scratch.attributes.len() - first_attribute) as u32,
        };
        let parent = self.parent();
        let node = self.scratch.append_new(parent, kind);
        if !is_empty {
            self.open.push((node, name));
        }
    }

    /// Reads an attribute of the element whose attributes begin at `first`; of two with one name, the first counts.
    fn attribute(&mut self, first: usize) {
        let rest = self.rest();
        let len = name_len(rest);
        if len == 0 {
            self.at += rest.chars().next().map_or(1, char::len_utf8);
            return;
        }
        self.at += len;
        let name = self.scratch.names.intern(&rest[..len].to_ascii_lowercase());
        let after = self.rest().trim_start();
        let mut value = Piece::default();
        if let Some(written) = after.strip_prefix('=') {
            let written = written.trim_start();
            let start = self.source.len() - written.len();
            let (from, to, next) = match written.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let end = written[1..].find(quote).map_or(self.source.len(), |at| start + 1 + at);
                    (start + 1, end.max(start + 1), (end + 1).min(self.source.len()))
                }
                _ => {
                    let end = written
                        .find(|c: char| c.is_whitespace() || c == '>' || c == '<')
                        .unwrap_or(written.len());
                    (start, start + end, start + end)
                }
            };
            self.at = next;
            value = self.value(from, to, true);
        }
        let known = &self.scratch.attributes[first..];
        if known.len() < MOST_ATTRIBUTES && !known.iter().any(|known| known.name == name) {
            self.scratch.attributes.push(Attribute { name, value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NodeId, Page};

    fn written(text: &str) -> String {
        let page = Page::parse_str(text, &Limits::default()).expect("small");
        page.to_xml(NodeId::DOCUMENT)
    }

    #[test]
    fn feeds_are_read_as_xml() {
        let feed = "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY x 'y'>]>\n<rss><channel><title/><item>\
            <link>https://a.example/?a=1&amp;b=2</link><description><![CDATA[x <b>y</b> &amp;]]></description>\
            <Media:Content URL='u' url='v'/></item></channel></rss>\n";
        let page = Page::parse_str(feed, &Limits::default()).expect("small");
        let text = |name: &str| {
            let name = page.name_id(name).expect(name);
            page.string_value(page.elements_named(name)[0]).to_owned()
        };
        assert_eq!(text("link"), "https://a.example/?a=1&b=2");
        assert_eq!(text("description"), "x <b>y</b> &amp;");
        assert_eq!(text("title"), "");
        let media = page.elements_named(page.name_id("media:content").expect("a name"))[0];
        assert_eq!(page.attribute_value(media, "url"), Some("u"));
    }

    #[test]
    fn pages_stay_pages() {
        let unknown = Markup::Unknown;
        for (text, expected) in [
            ("<?xml version='1.0'?><rss/>", true),
            ("\u{feff} <rss version=2>", true),
            ("<!-- a feed --><feed>", true),
            ("<?xml version='1.0'?><svg:svg/>", true),
            ("<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html xmlns='y'>", false),
            ("<?xml version='1.0'?><HTML>", false),
            ("<html><rss>", false),
            ("<!DOCTYPE html><p>", false),
            ("<p>", false),
            ("rss", false),
            ("", false),
            ("<?xml", false),
        ] {
            assert_eq!(is_xml(text, unknown), expected, "{text}");
        }
    }

    #[test]
    fn the_media_type_decides() {
        for (media, text, expected) in [
            ("text/xml", "<shop><link>a</link></shop>", true),
            ("application/xml;charset=x", "<!DOCTYPE shop><shop/>", true),
            ("Application/Atom+XML", "<entry/>", true),
            ("text/html", "<shop/>", false),
            // Feeds are often served as HTML, and pages of XHTML as XML.
            ("text/html", "<rss/>", true),
            ("text/html", "<?xml version='1.0'?><head><title>x</title>", false),
            ("application/xml", "<?xml version='1.0'?><html/>", false),
            ("application/xhtml+xml", "<?xml version='1.0'?><div/>", false),
            ("application/xml", "an error in words", false),
            ("text/plain", "<?xml version='1.0'?><shop/>", true),
            ("", "<shop/>", false),
        ] {
            assert_eq!(is_xml(text, Markup::of_media(media)), expected, "{media} {text}");
        }
    }

    #[test]
    fn mistakes_are_forgiven() {
        for (text, expected) in [
            ("<rss><a>1 < 2 & 3</b></a>", "<rss><a>1 &lt; 2 &amp; 3</a></rss>"),
            ("<rss><a b", "<rss><a b=\"\"/></rss>"),
            ("<rss><a b='1", "<rss><a b=\"1\"/></rss>"),
            ("<rss><a><b>x</a>y", "<rss><a><b>x</b></a>y</rss>"),
            ("<rss><![CDATA[x", "<rss>x</rss>"),
            ("<rss>a\r\nb\rc</rss>", "<rss>a\nb\nc</rss>"),
        ] {
            let found = written(text);
            assert!(found.contains(expected), "{text}: {found}");
        }
    }

    #[test]
    fn limits_hold() {
        let limits = Limits {
            nodes: 1000,
            depth: 50,
            ..Limits::default()
        };
        let deep = format!("<rss>{}", "<a>".repeat(100));
        assert_eq!(parse(&deep, &limits).err(), Some(LimitError::Depth(50)));
        let wide = format!("<rss>{}", "<a/>".repeat(2000));
        assert_eq!(parse(&wide, &limits).err(), Some(LimitError::Nodes(1000)));
    }
}
