//! The canonical path of a node: `/html[1]/body[1]/div[2]/a[1]/@href`.
//!
//! Every step has its position among the siblings of its name, so a node has one path, and evaluating the path on the
//! page gives exactly that node. Positions are counted once for each parent and remembered, so that naming all rows of
//! a long table is linear in the table.

use crate::name::NameId;
use crate::tree::{Kind, NodeId, Page};
use std::collections::HashMap;

/// Names nodes of one page by their canonical paths.
#[derive(Clone, Debug)]
pub struct Paths<'p> {
    page: &'p Page,
    /// The position of each node among its siblings of the same kind and name; zero if it is not counted yet.
    ranks: Vec<u32>,
}

impl<'p> Paths<'p> {
    /// Paths for the nodes of a page.
    pub fn new(page: &'p Page) -> Paths<'p> {
        Paths {
            page,
            ranks: vec![0; page.len()],
        }
    }

    /// The canonical path of a node.
    pub fn path(&mut self, node: NodeId) -> String {
        let page = self.page;
        let mut chain: Vec<NodeId> = std::iter::once(node).chain(page.ancestors(node)).collect();
        chain.pop();
        if chain.is_empty() {
            return "/".to_owned();
        }
        let mut path = String::new();
        for &step in chain.iter().rev() {
            path.push('/');
            match page.kind(step) {
                Kind::Attribute => {
                    path.push('@');
                    self.push_name(&mut path, step);
                }
                Kind::Element => {
                    self.push_name(&mut path, step);
                    self.push_rank(&mut path, step);
                }
                Kind::Text => {
                    path.push_str("text()");
                    self.push_rank(&mut path, step);
                }
                Kind::Comment => {
                    path.push_str("comment()");
                    self.push_rank(&mut path, step);
                }
                Kind::Document => {}
            }
        }
        path
    }

    /// Adds a name as a name test; a name that XPath cannot spell is compared as text.
    fn push_name(&self, path: &mut String, node: NodeId) {
        let name = self.page.name(node);
        if is_name_test(name) {
            path.push_str(name);
        } else if name.contains('"') && name.contains('\'') {
            let parts: Vec<String> = name.split('"').map(|part| format!("\"{part}\"")).collect();
            path.push_str(&format!("*[name()=concat({})]", parts.join(",'\"',")));
        } else {
            let quote = if name.contains('"') { '\'' } else { '"' };
            path.push_str(&format!("*[name()={quote}{name}{quote}]"));
        }
    }

    fn push_rank(&mut self, path: &mut String, node: NodeId) {
        if self.ranks[node.index()] == 0 {
            let parent = self.page.parent(node).unwrap_or(NodeId::DOCUMENT);
            let mut counts: HashMap<(Kind, Option<NameId>), u32> = HashMap::new();
            for child in self.page.children(parent) {
                let count = counts
                    .entry((self.page.kind(child), self.page.name_of(child)))
                    .or_default();
                *count += 1;
                self.ranks[child.index()] = *count;
            }
        }
        path.push_str(&format!("[{}]", self.ranks[node.index()]));
    }
}

/// Can XPath spell this name as a name test? Conservative: letters, digits, `-`, `_`, at most one colon inside. A
/// dot would begin a class in OXPath.
fn is_name_test(name: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    match name.split_once(':') {
        Some((prefix, local)) => part(prefix) && part(local),
        None => part(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_count_siblings_of_the_same_name() {
        let page = Page::parse(
            b"<div>a<p>b</p><!--c--><p id=x>d</p>e<a\"b></a\"b><o.p x.y=1></o.p></div><svg viewBox=0><linearGradient>",
            &Default::default(),
        )
        .unwrap();
        let mut paths = Paths::new(&page);
        let all: Vec<String> = (0..page.len() as u32).map(|n| paths.path(NodeId(n))).collect();
        let expected = [
            "/",
            "/html[1]",
            "/html[1]/head[1]",
            "/html[1]/body[1]",
            "/html[1]/body[1]/div[1]",
            "/html[1]/body[1]/div[1]/text()[1]",
            "/html[1]/body[1]/div[1]/p[1]",
            "/html[1]/body[1]/div[1]/p[1]/text()[1]",
            "/html[1]/body[1]/div[1]/comment()[1]",
            "/html[1]/body[1]/div[1]/p[2]",
            "/html[1]/body[1]/div[1]/p[2]/@id",
            "/html[1]/body[1]/div[1]/p[2]/text()[1]",
            "/html[1]/body[1]/div[1]/text()[2]",
            "/html[1]/body[1]/div[1]/*[name()='a\"b'][1]",
            "/html[1]/body[1]/div[1]/*[name()=\"o.p\"][1]",
            "/html[1]/body[1]/div[1]/*[name()=\"o.p\"][1]/@*[name()=\"x.y\"]",
            "/html[1]/body[1]/svg[1]",
            "/html[1]/body[1]/svg[1]/@viewBox",
            "/html[1]/body[1]/svg[1]/linearGradient[1]",
        ];
        assert_eq!(all, expected);
    }
}
