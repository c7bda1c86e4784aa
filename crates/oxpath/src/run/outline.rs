//! The shape of what an expression can extract, read off the expression.
//!
//! Which marker nests in which does not depend on pages: a marker's output node is a child of what the path began with,
//! and a predicate begins with the last record on its way. So the columns of a table are known before the first page is.

use super::program::{Condition, Op, Script};

/// A marker and those that nest in it; markers of one name in one place are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The marker's name.
    pub name: String,
    /// Can it have a value of its own? Where a value and a record share a name, it can have things inside as well.
    pub value: bool,
    /// What can be extracted inside it, in the order of the expression. A value has nothing inside.
    pub children: Vec<Outline>,
}

impl Script {
    /// What the expression can extract.
    pub fn outline(&self) -> Vec<Outline> {
        let mut tree = Tree {
            nodes: vec![Node::default()],
        };
        for branch in &self.program.branches {
            tree.operations(branch, ROOT, &[ROOT]);
        }
        tree.below(ROOT)
    }
}

const ROOT: usize = 0;

#[derive(Default)]
struct Node {
    name: String,
    value: bool,
    children: Vec<usize>,
}

struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    fn below(&self, node: usize) -> Vec<Outline> {
        let children = self.nodes[node].children.iter();
        children
            .map(|child| Outline {
                name: self.nodes[*child].name.clone(),
                value: self.nodes[*child].value,
                children: self.below(*child),
            })
            .collect()
    }

    fn child(&mut self, parent: usize, name: &str) -> usize {
        let children = &self.nodes[parent].children;
        if let Some(known) = children.iter().find(|child| self.nodes[**child].name == name) {
            return *known;
        }
        let child = self.nodes.len();
        self.nodes[parent].children.push(child);
        self.nodes.push(Node {
            name: name.to_owned(),
            ..Node::default()
        });
        child
    }

    /// Goes along operations; gives the records that may be the last one after them.
    fn operations(&mut self, ops: &[Op], parent: usize, lasts: &[usize]) -> Vec<usize> {
        let mut lasts = lasts.to_vec();
        for op in ops {
            match op {
                Op::Mark(mark) => {
                    let child = self.child(parent, &mark.name);
                    if mark.value.is_none() {
                        lasts = vec![child];
                    } else {
                        self.nodes[child].value = true;
                    }
                    for test in &mark.tests {
                        self.condition(&test.condition, &lasts);
                    }
                }
                Op::Test(test) => self.condition(&test.condition, &lasts),
                Op::Loop { body, .. } | Op::Choose { body, .. } => {
                    let before = lasts.clone();
                    for branch in body {
                        for last in self.operations(branch, parent, &before) {
                            if !lasts.contains(&last) {
                                lasts.push(last);
                            }
                        }
                    }
                }
                Op::Walk { .. } | Op::Doc { .. } | Op::Act { .. } => {}
            }
        }
        lasts
    }

    fn condition(&mut self, condition: &Condition, lasts: &[usize]) {
        match condition {
            Condition::Simple(_) => {}
            Condition::Path(ops) => {
                for last in lasts {
                    self.operations(ops, *last, &[*last]);
                }
            }
            Condition::Any(parts) | Condition::All(parts) => {
                parts.iter().for_each(|part| self.condition(part, lasts));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(outline: &[Outline]) -> String {
        let inside = outline.iter().map(|node| {
            let value = if node.value { "=" } else { "" };
            format!("{}{value}{}", node.name, show(&node.children))
        });
        match outline {
            [] => String::new(),
            _ => format!("({})", inside.collect::<Vec<_>>().join(" ")),
        }
    }

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let script = Script::compile(source, &[]).expect("a valid expression");
        assert_eq!(show(&script.outline()), expected);
    }

    #[test]
    fn markers_nest_as_records_will() {
        check("doc('a')//b:<x=.>", "(x=)");
        check(
            "doc('a')//b:<book>[./t:<title=.>][? .//a/{click /}//r:<review>[./i:<by=.>]]",
            "(book(title= review(by=)))",
        );
        check("doc('a')//b:<x>[./c:<y=.>]/d:<z>[./e:<w=.>]", "(x(y=) z(w=))");
        check("doc('a')/(//n/{click /})*//b:<x>[./c:<y=.>][./d:<y=.>]", "(x(y=))");
        check(
            "doc('a')//b:<x>[./c:<y=.> or ./d:<z=.>] | doc('b')//c:<x>[./e:<w=.>]",
            "(x(y= z= w=))",
        );
        check("doc('a')//b:<x=.> | doc('a')//c:<x>[./i:<y=.>]", "(x=(y=))");
        check("doc('a')//b:<x>", "(x)");
    }
}
