//! A tree as text: in the notation of the html5lib tests, and as a short outline.

use crate::name::{Namespace, spelling};
use crate::scratch::{Doctype, Kind, Ref, Scratch};

/// Writes lines of the html5lib notation. Text that comes in several pieces is one line.
pub(crate) struct Lines {
    out: String,
    text: Option<usize>,
}

impl Lines {
    pub(crate) fn new() -> Lines {
        Lines {
            out: String::new(),
            text: None,
        }
    }

    pub(crate) fn finish(mut self) -> String {
        self.end_text();
        self.out
    }

    fn end_text(&mut self) {
        if self.text.take().is_some() {
            self.out.push_str("\"\n");
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        self.end_text();
        self.out
            .push_str(&format!("| {:depth$}{line}\n", "", depth = depth * 2));
    }

    pub(crate) fn text(&mut self, depth: usize, text: &str) {
        if self.text != Some(depth) {
            self.end_text();
            self.text = Some(depth);
            self.out.push_str(&format!("| {:depth$}\"", "", depth = depth * 2));
        }
        self.out.push_str(text);
    }

    pub(crate) fn comment(&mut self, depth: usize, text: &str) {
        self.line(depth, &format!("<!-- {text} -->"));
    }

    /// `attributes` must have their names as the notation writes them.
    pub(crate) fn element(
        &mut self,
        depth: usize,
        namespace: Namespace,
        name: &str,
        mut attributes: Vec<(String, &str)>,
    ) {
        let prefix = match namespace {
            Namespace::Html => "",
            Namespace::Svg => "svg ",
            Namespace::MathMl => "math ",
        };
        self.line(depth, &format!("<{prefix}{name}>"));
        attributes.sort();
        for (name, value) in attributes {
            self.line(depth + 1, &format!("{name}=\"{value}\""));
        }
        if namespace == Namespace::Html && name == "template" {
            self.line(depth + 1, "content");
        }
    }
}

/// The document type as a line without its bar.
pub(crate) fn doctype(doctype: &Doctype) -> String {
    let Doctype {
        name,
        public_id,
        system_id,
    } = doctype;
    if public_id.is_empty() && system_id.is_empty() {
        format!("<!DOCTYPE {name}>")
    } else {
        format!("<!DOCTYPE {name} \"{public_id}\" \"{system_id}\">")
    }
}

/// The name of an attribute in the notation, with the namespace that foreign content gives it.
fn attribute_name(name: &str, namespace: Namespace) -> String {
    if namespace != Namespace::Html {
        match name {
            "xlink:actuate" | "xlink:arcrole" | "xlink:href" | "xlink:role" | "xlink:show" | "xlink:title"
            | "xlink:type" | "xml:lang" | "xml:space" | "xmlns:xlink" => return name.replace(':', " "),
            "xmlns" => return "xmlns xmlns".to_owned(),
            _ => {}
        }
    }
    spelling(name, namespace, true).to_owned()
}

/// All nodes except the document type, which the scratch tree stores separately.
pub(crate) fn document(scratch: &Scratch<'_>) -> String {
    below(scratch, Ref::DOCUMENT)
}

/// The nodes below a node.
pub(crate) fn below(scratch: &Scratch<'_>, root: Ref) -> String {
    let mut lines = Lines::new();
    walk(scratch, root, |node, depth, entering| {
        if !entering {
            return;
        }
        // A template's contents are one level deeper in the notation.
        let depth = depth + templates_above(scratch, node, root);
        match scratch.node(node).kind {
            Kind::Document => {}
            Kind::Text(piece) => lines.text(depth, scratch.text(piece)),
            Kind::Comment(piece) => lines.comment(depth, scratch.text(piece)),
            Kind::Element {
                name,
                namespace,
                first_attribute,
                attributes,
            } => {
                let own = &scratch.attributes[first_attribute as usize..][..attributes as usize];
                let own = own.iter().map(|a| {
                    (
                        attribute_name(scratch.names.text(a.name), namespace),
                        scratch.text(a.value),
                    )
                });
                lines.element(
                    depth,
                    namespace,
                    spelling(scratch.names.text(name), namespace, false),
                    own.collect(),
                );
            }
        }
    });
    lines.finish()
}

fn templates_above(scratch: &Scratch<'_>, node: Ref, root: Ref) -> usize {
    let mut count = 0;
    let mut at = scratch.node(node).parent;
    while at != root && !at.is_none() {
        if let Kind::Element {
            name: crate::name::known::TEMPLATE,
            namespace: Namespace::Html,
            ..
        } = scratch.node(at).kind
        {
            count += 1;
        }
        at = scratch.node(at).parent;
    }
    count
}

/// Calls `visit` with each node below `root`, its depth, and whether it is entered or left.
fn walk(scratch: &Scratch<'_>, root: Ref, mut visit: impl FnMut(Ref, usize, bool)) {
    let mut at = scratch.node(root).first_child;
    let mut depth = 0;
    while !at.is_none() {
        visit(at, depth, true);
        let node = scratch.node(at);
        if !node.first_child.is_none() {
            at = node.first_child;
            depth += 1;
            continue;
        }
        loop {
            visit(at, depth, false);
            let node = scratch.node(at);
            if !node.next.is_none() {
                at = node.next;
                break;
            }
            at = node.parent;
            if at == root {
                return;
            }
            depth -= 1;
        }
    }
}

/// The tree on one line: `p[class=x]('text' b)`.
pub(crate) fn outline(scratch: &Scratch<'_>) -> String {
    let mut out = String::new();
    let mut in_text = false;
    walk(scratch, Ref::DOCUMENT, |node, _, entering| {
        let is_text = matches!(scratch.node(node).kind, Kind::Text(_));
        let has_children = !scratch.node(node).first_child.is_none();
        if !entering {
            if has_children {
                out.push_str(if in_text { "')" } else { ")" });
                in_text = false;
            }
            return;
        }
        if in_text && !is_text {
            out.push('\'');
        }
        if !(out.is_empty() || out.ends_with('(') || (in_text && is_text)) {
            out.push(' ');
        }
        match scratch.node(node).kind {
            Kind::Document => {}
            Kind::Text(piece) => {
                if !in_text {
                    out.push('\'');
                }
                out.push_str(&scratch.text(piece).replace('\n', "\\n"));
            }
            Kind::Comment(piece) => out.push_str(&format!("<!--{}-->", scratch.text(piece))),
            Kind::Element {
                name,
                namespace,
                first_attribute,
                attributes,
            } => {
                out.push_str(match namespace {
                    Namespace::Html => "",
                    Namespace::Svg => "svg:",
                    Namespace::MathMl => "math:",
                });
                out.push_str(scratch.names.text(name));
                let own = &scratch.attributes[first_attribute as usize..][..attributes as usize];
                if !own.is_empty() {
                    let own = own
                        .iter()
                        .map(|a| format!("{}={}", scratch.names.text(a.name), scratch.text(a.value)));
                    out.push_str(&format!("[{}]", own.collect::<Vec<_>>().join(" ").replace('\n', "\\n")));
                }
            }
        }
        in_text = is_text;
        if has_children {
            out.push('(');
        }
    });
    out
}
