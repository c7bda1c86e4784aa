//! XPath 1.0 a second time, slowly: what the evaluator is held against.
//!
//! This evaluator follows the text of the recommendation (W3C, 16 November 1999) sentence by sentence and does nothing
//! clever. It works on the syntax tree as it was parsed, so that what `normal` and `plan` make of an expression is
//! tested along with `eval`, and it shares no code with them: numbers, strings and comparisons are written again. Of a
//! page it uses only the kinds, names, parents and own texts of nodes; an axis is the list of all nodes of the page
//! that stand in the relation which defines the axis, found by walking up from each of them.
//!
//! A value carries its type with it, a context is the triple of section 1, and a predicate is evaluated anew for every
//! node it is asked about. The time this takes is exponential in the nesting of predicates, so it is counted: an
//! evaluation that asks for too many nodes stops with [`Stop::Fuel`], and tells nothing.
//!
//! Where the crate departs from the recommendation on purpose, so does the oracle, here and nowhere else: names are
//! compared without regard to ASCII case and have no namespace ([`Oracle::passes`], [`local_name`]); an element's id is
//! its attribute `id` ([`Oracle::element_with_id`]); its language is `xml:lang`, or else `lang`
//! ([`Oracle::is_in_language`]); and there are some functions more, and `??`.

pub(crate) mod generate;
mod tests;

use crate::syntax::ast::{Axis, BinaryOp, Expr, ExprKind, NodeTest, Path, PathStart, Separator, Step, StepForm};
use page::{Kind, NodeId, Page};
use std::cell::Cell;

/// A value with its type (section 1).
#[derive(Clone, Debug, PartialEq)]
enum Value {
    /// In document order, each once.
    Nodes(Vec<NodeId>),
    Boolean(bool),
    Number(f64),
    String(String),
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// It would have taken too long.
    Fuel,
    /// A regular expression is invalid.
    Regex,
}

type Result<T> = std::result::Result<T, Stop>;

/// What an expression is evaluated with respect to, but for the page and the variables (section 1).
#[derive(Clone, Copy, Debug)]
struct Context {
    node: NodeId,
    position: usize,
    size: usize,
}

struct Oracle<'p> {
    page: &'p Page,
    variables: &'p [(&'p str, Value)],
    /// How many nodes may still be looked at.
    fuel: Cell<usize>,
}

/// Evaluates an expression at a node, looking at no more nodes than `fuel`.
fn evaluate(expr: &Expr, page: &Page, node: NodeId, variables: &[(&str, Value)], fuel: usize) -> Result<Value> {
    let oracle = Oracle {
        page,
        variables,
        fuel: Cell::new(fuel),
    };
    let context = Context {
        node,
        position: 1,
        size: 1,
    };
    oracle.eval(expr, context)
}

/// Expressions (section 3).
impl Oracle<'_> {
    fn eval(&self, expr: &Expr, context: Context) -> Result<Value> {
        self.burn(1)?;
        Ok(match &expr.kind {
            ExprKind::Or(operands) => {
                for operand in operands {
                    if self.boolean(&self.eval(operand, context)?) {
                        return Ok(Value::Boolean(true));
                    }
                }
                Value::Boolean(false)
            }
            ExprKind::And(operands) => {
                for operand in operands {
                    if !self.boolean(&self.eval(operand, context)?) {
                        return Ok(Value::Boolean(false));
                    }
                }
                Value::Boolean(true)
            }
            ExprKind::Binary { op, left, right } => {
                let left = self.eval(left, context)?;
                let right = self.eval(right, context)?;
                self.binary(*op, &left, &right)
            }
            ExprKind::Negate(inner) => Value::Number(-self.number(&self.eval(inner, context)?)),
            ExprKind::Union(operands) => {
                let mut all = Vec::new();
                for operand in operands {
                    all.extend(self.nodes(operand, context)?);
                }
                Value::Nodes(in_document_order(all))
            }
            ExprKind::FirstOf(operands) => {
                let mut values = Vec::new();
                for operand in operands {
                    values.push(self.eval(operand, context)?);
                }
                let is_missing = |value: &Value| match value {
                    Value::Nodes(nodes) => nodes.is_empty(),
                    Value::String(text) => text.is_empty(),
                    Value::Number(number) => number.is_nan(),
                    Value::Boolean(_) => false,
                };
                let last = values.len() - 1;
                let chosen = values.iter().position(|value| !is_missing(value)).unwrap_or(last);
                // "… of one type, or else a string": what the operands are shows without evaluating them.
                let kinds: Vec<_> = values.iter().map(std::mem::discriminant).collect();
                match kinds.iter().all(|kind| *kind == kinds[0]) {
                    true => values.swap_remove(chosen),
                    false => Value::String(self.string(&values[chosen])),
                }
            }
            ExprKind::Path(path) => Value::Nodes(self.path(path, context)?),
            ExprKind::Filter { primary, predicates } => {
                // "A predicate filters the node-set with respect to the child axis" (section 3.3): forwards.
                let mut list = self.nodes(primary, context)?;
                for predicate in predicates {
                    list = self.filter(list, predicate)?;
                }
                Value::Nodes(list)
            }
            ExprKind::Literal(text) => Value::String(text.clone()),
            ExprKind::Number(number) => Value::Number(*number),
            ExprKind::Variable(name) => {
                let bound = self.variables.iter().find(|(known, _)| known == name);
                bound.expect("every variable is bound").1.clone()
            }
            ExprKind::Call { name, args, .. } => self.call(name, args, context)?,
        })
    }

    /// Evaluates an expression whose value has to be a node-set.
    fn nodes(&self, expr: &Expr, context: Context) -> Result<Vec<NodeId>> {
        match self.eval(expr, context)? {
            Value::Nodes(nodes) => Ok(nodes),
            value => panic!("expected a node-set, found {value:?}"),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Value, right: &Value) -> Value {
        let (a, b) = (|| self.number(left), || self.number(right));
        Value::Number(match op {
            BinaryOp::Add => a() + b(),
            BinaryOp::Subtract => a() - b(),
            BinaryOp::Multiply => a() * b(),
            BinaryOp::Divide => a() / b(),
            // The remainder of a truncating division, as of Java's `%` (section 3.5); Rust's is the same.
            BinaryOp::Modulo => a() % b(),
            _ => return Value::Boolean(self.compare(op, left, right)),
        })
    }

    /// Comparisons, in the words of section 3.4.
    fn compare(&self, op: BinaryOp, left: &Value, right: &Value) -> bool {
        use Value::{Boolean, Nodes, Number, String};
        let equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let text = |node: &NodeId| String(self.string_value(*node));
        match (left, right) {
            // "… true if and only if there is a node in the first node-set and a node in the second node-set such that
            // the result of performing the comparison on the string-values of the two nodes is true."
            (Nodes(left), Nodes(right)) => left
                .iter()
                .any(|l| right.iter().any(|r| self.compare(op, &text(l), &text(r)))),
            // "… the comparison on the number … and on the result of converting the string-value of that node to a
            // number"; and with strings "on the string-value of the node and the other string".
            (Nodes(nodes), Number(_) | String(_)) => nodes.iter().any(|node| self.compare(op, &text(node), right)),
            (Number(_) | String(_), Nodes(nodes)) => nodes.iter().any(|node| self.compare(op, left, &text(node))),
            // "… the comparison on the boolean and on the result of converting the node-set to a boolean".
            (Nodes(_), Boolean(_)) => self.compare(op, &Boolean(self.boolean(left)), right),
            (Boolean(_), Nodes(_)) => self.compare(op, left, &Boolean(self.boolean(right))),
            (Boolean(_), _) | (_, Boolean(_)) if equality => {
                (self.boolean(left) == self.boolean(right)) == (op == BinaryOp::Equal)
            }
            (String(left), String(right)) if equality => (left == right) == (op == BinaryOp::Equal),
            _ => {
                let (left, right) = (self.number(left), self.number(right));
                match op {
                    BinaryOp::Equal => left == right,
                    BinaryOp::NotEqual => left != right,
                    BinaryOp::Less => left < right,
                    BinaryOp::LessEqual => left <= right,
                    BinaryOp::Greater => left > right,
                    _ => left >= right,
                }
            }
        }
    }

    fn burn(&self, amount: usize) -> Result<()> {
        self.fuel.set(self.fuel.get().checked_sub(amount).ok_or(Stop::Fuel)?);
        Ok(())
    }
}

/// Location paths (section 2).
impl Oracle<'_> {
    fn path(&self, path: &Path, context: Context) -> Result<Vec<NodeId>> {
        let mut set = match &path.start {
            PathStart::Context => vec![context.node],
            PathStart::Root => vec![NodeId::DOCUMENT],
            PathStart::Expr(expr) => self.nodes(expr, context)?,
        };
        for step in &path.steps {
            if step.separator == Separator::DoubleSlash {
                set = self.step(&set, Axis::DescendantOrSelf, &NodeTest::Node, &[])?;
            }
            let Step { form, predicates, .. } = step;
            set = match form {
                StepForm::Dot => self.step(&set, Axis::Self_, &NodeTest::Node, predicates)?,
                StepForm::DotDot => self.step(&set, Axis::Parent, &NodeTest::Node, predicates)?,
                StepForm::Full { axis, test, .. } => self.step(&set, *axis, test, predicates)?,
                form => panic!("not XPath: {form}"),
            };
        }
        Ok(set)
    }

    /// "Each node in that set is used as a context node for the following step. The sets of nodes identified by that
    /// step are unioned together."
    fn step(&self, set: &[NodeId], axis: Axis, test: &NodeTest, predicates: &[Expr]) -> Result<Vec<NodeId>> {
        let mut all = Vec::new();
        for &node in set {
            let mut list = self.axis(node, axis)?;
            list.retain(|candidate| self.passes(*candidate, axis, test));
            for predicate in predicates {
                list = self.filter(list, predicate)?;
            }
            all.extend(list);
        }
        Ok(in_document_order(all))
    }

    /// Filters a list by a predicate; its order is that of the proximity positions (section 2.4).
    fn filter(&self, list: Vec<NodeId>, predicate: &Expr) -> Result<Vec<NodeId>> {
        let size = list.len();
        let mut kept = Vec::new();
        for (index, node) in list.into_iter().enumerate() {
            let position = index + 1;
            let value = self.eval(predicate, Context { node, position, size })?;
            let holds = match value {
                Value::Number(number) => number == position as f64,
                value => self.boolean(&value),
            };
            if holds {
                kept.push(node);
            }
        }
        Ok(kept)
    }

    /// The nodes of an axis (section 2.2), in document order or, on a reverse axis, in reverse document order.
    fn axis(&self, node: NodeId, axis: Axis) -> Result<Vec<NodeId>> {
        self.burn(self.page.len())?;
        let is_attribute = |n| self.page.kind(n) == Kind::Attribute;
        let mut list: Vec<NodeId> = (0..self.page.len() as u32)
            .map(NodeId)
            .filter(|&other| match axis {
                Axis::Self_ => other == node,
                Axis::Child => self.page.parent(other) == Some(node) && !is_attribute(other),
                Axis::Parent => self.page.parent(node) == Some(other),
                Axis::Ancestor => self.is_above(other, node),
                Axis::AncestorOrSelf => other == node || self.is_above(other, node),
                Axis::Descendant => self.is_above(node, other) && !is_attribute(other),
                Axis::DescendantOrSelf => other == node || self.is_above(node, other) && !is_attribute(other),
                Axis::FollowingSibling => self.are_siblings(node, other) && other > node,
                Axis::PrecedingSibling => self.are_siblings(node, other) && other < node,
                Axis::Following => other > node && !self.is_above(node, other) && !is_attribute(other),
                Axis::Preceding => other < node && !self.is_above(other, node) && !is_attribute(other),
                Axis::Attribute => self.page.parent(other) == Some(node) && is_attribute(other),
                Axis::Namespace | Axis::Style => false,
            })
            .collect();
        if let Axis::Ancestor | Axis::AncestorOrSelf | Axis::Preceding | Axis::PrecedingSibling = axis {
            list.reverse();
        }
        Ok(list)
    }

    /// Is `upper` an ancestor of `lower`?
    fn is_above(&self, upper: NodeId, lower: NodeId) -> bool {
        let mut at = lower;
        while let Some(parent) = self.page.parent(at) {
            if parent == upper {
                return true;
            }
            at = parent;
        }
        false
    }

    /// Have both the same parent? "If the context node is an attribute node …, the following-sibling axis is empty."
    fn are_siblings(&self, a: NodeId, b: NodeId) -> bool {
        let is_child = |n| self.page.kind(n) != Kind::Attribute && self.page.parent(n).is_some();
        is_child(a) && is_child(b) && self.page.parent(a) == self.page.parent(b)
    }

    /// Node tests (section 2.3).
    fn passes(&self, node: NodeId, axis: Axis, test: &NodeTest) -> bool {
        let kind = self.page.kind(node);
        let principal = if axis == Axis::Attribute {
            Kind::Attribute
        } else {
            Kind::Element
        };
        let name = self.page.name(node).to_ascii_lowercase();
        match test {
            NodeTest::Any => kind == principal,
            NodeTest::AnyOf(prefix) => {
                kind == principal && name.starts_with(&format!("{}:", prefix.to_ascii_lowercase()))
            }
            NodeTest::Name(wanted) => kind == principal && name == wanted.to_ascii_lowercase(),
            NodeTest::Node => true,
            NodeTest::Text => kind == Kind::Text,
            NodeTest::Comment => kind == Kind::Comment,
            NodeTest::ProcessingInstruction(_) | NodeTest::Field | NodeTest::AnyField => false,
        }
    }

    /// String-values (section 5): of the document and of elements "the concatenation of the string-values of all text
    /// node descendants … in document order".
    fn string_value(&self, node: NodeId) -> String {
        match self.page.kind(node) {
            Kind::Attribute | Kind::Text | Kind::Comment => self.page.string_value(node).to_owned(),
            Kind::Document | Kind::Element => (0..self.page.len() as u32)
                .map(NodeId)
                .filter(|&other| self.page.kind(other) == Kind::Text && self.is_above(node, other))
                .map(|text| self.page.string_value(text))
                .collect(),
        }
    }
}

/// The function library (section 4).
impl Oracle<'_> {
    fn call(&self, name: &str, args: &[Expr], context: Context) -> Result<Value> {
        let arg = |at: usize| self.eval(&args[at], context);
        // An argument that is left out is "a node-set with the context node as its only member".
        let arg_or_context = |at: usize| match args.get(at) {
            Some(arg) => self.eval(arg, context),
            None => Ok(Value::Nodes(vec![context.node])),
        };
        let string = |at: usize| Ok(self.string(&arg(at)?));
        let number = |at: usize| Ok(self.number(&arg(at)?));
        let nodes = |at: usize| self.nodes(&args[at], context);
        let first_name = || -> Result<String> {
            match arg_or_context(0)? {
                Value::Nodes(nodes) => Ok(nodes.first().map_or("", |node| self.page.name(*node)).to_owned()),
                value => panic!("expected a node-set, found {value:?}"),
            }
        };
        Ok(match name {
            "last" => Value::Number(context.size as f64),
            "position" => Value::Number(context.position as f64),
            "count" => Value::Number(nodes(0)?.len() as f64),
            "id" => {
                let texts = match arg(0)? {
                    Value::Nodes(nodes) => nodes.iter().map(|node| self.string_value(*node)).collect(),
                    value => vec![self.string(&value)],
                };
                let found = texts.iter().flat_map(|text| words(text));
                let found = found.filter_map(|word| self.element_with_id(&word));
                Value::Nodes(in_document_order(found.collect()))
            }
            "local-name" => Value::String(local_name(&first_name()?)),
            "namespace-uri" => {
                first_name()?;
                Value::String(String::new())
            }
            "name" => Value::String(first_name()?),

            "string" => Value::String(self.string(&arg_or_context(0)?)),
            "concat" => {
                let parts: Result<Vec<String>> = (0..args.len()).map(string).collect();
                Value::String(parts?.concat())
            }
            "starts-with" => Value::Boolean(string(0)?.starts_with(&string(1)?)),
            "contains" => Value::Boolean(string(0)?.contains(&string(1)?)),
            "substring-before" => {
                let (text, part) = (string(0)?, string(1)?);
                let halves = text.split_once(&part);
                Value::String(halves.map_or(String::new(), |(before, _)| before.to_owned()))
            }
            "substring-after" => {
                let (text, part) = (string(0)?, string(1)?);
                let halves = text.split_once(&part);
                Value::String(halves.map_or(String::new(), |(_, after)| after.to_owned()))
            }
            "substring" => {
                let length = if args.len() == 3 { Some(number(2)?) } else { None };
                Value::String(substring(&string(0)?, number(1)?, length))
            }
            "string-length" => Value::Number(self.string(&arg_or_context(0)?).chars().count() as f64),
            "normalize-space" => Value::String(words(&self.string(&arg_or_context(0)?)).join(" ")),
            "translate" => Value::String(translate(&string(0)?, &string(1)?, &string(2)?)),

            "boolean" => Value::Boolean(self.boolean(&arg(0)?)),
            "not" => Value::Boolean(!self.boolean(&arg(0)?)),
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            "lang" => Value::Boolean(self.is_in_language(context.node, &string(0)?)),

            "number" => Value::Number(self.number(&arg_or_context(0)?)),
            "sum" => {
                let mut sum = 0.0;
                for node in nodes(0)? {
                    sum += to_number(&self.string_value(node));
                }
                Value::Number(sum)
            }
            "min" | "max" => {
                let mut numbers = Vec::new();
                for node in nodes(0)? {
                    numbers.push(to_number(&self.string_value(node)));
                }
                let mut best = f64::NAN;
                for number in &numbers {
                    let others = numbers.iter().filter(|other| !other.is_nan());
                    let beaten = match name {
                        "min" => others.clone().any(|other| other < number),
                        _ => others.clone().any(|other| other > number),
                    };
                    // Of equal ones, which may be zeros of different signs, the first.
                    if !beaten && best.is_nan() {
                        best = *number;
                    }
                }
                let is_number = !numbers.iter().any(|number| number.is_nan());
                Value::Number(if is_number { best } else { f64::NAN })
            }
            "trim" => {
                let text = self.string(&arg_or_context(0)?);
                let spaces = [' ', '\t', '\n', '\r'];
                Value::String(text.trim_start_matches(spaces).trim_end_matches(spaces).to_owned())
            }
            "tokenize" => {
                let (text, nth) = (string(0)?, number(2)?);
                let regex = regex(&string(1)?, "")?;
                let mut parts = Vec::new();
                let mut from = 0;
                for found in regex.find_iter(&text) {
                    parts.push(text[from..found.start()].to_owned());
                    from = found.end();
                }
                parts.push(text[from..].to_owned());
                let part = parts.iter().zip(1_u32..).find(|(_, at)| f64::from(*at) == nth);
                Value::String(part.map(|(part, _)| part.clone()).unwrap_or_default())
            }
            "distinct-values" => {
                let mut distinct: Vec<NodeId> = Vec::new();
                for node in nodes(0)? {
                    let value = self.string_value(node);
                    if !distinct.iter().any(|other| self.string_value(*other) == value) {
                        distinct.push(node);
                    }
                }
                Value::Nodes(distinct)
            }
            "floor" => Value::Number(number(0)?.floor()),
            "ceiling" => Value::Number(number(0)?.ceil()),
            "round" => Value::Number(round(number(0)?)),

            "ends-with" => Value::Boolean(string(0)?.ends_with(&string(1)?)),
            "lower-case" => Value::String(self.string(&arg_or_context(0)?).to_lowercase()),
            "upper-case" => Value::String(self.string(&arg_or_context(0)?).to_uppercase()),
            "matches" => {
                let flags = if args.len() == 3 { string(2)? } else { String::new() };
                Value::Boolean(regex(&string(1)?, &flags)?.is_match(&string(0)?))
            }
            "replace" => {
                let flags = if args.len() == 4 { string(3)? } else { String::new() };
                let (text, template) = (string(0)?, string(2)?);
                let regex = regex(&string(1)?, &flags)?;
                let replaced = regex.replace_all(&text, |groups: &regex::Captures<'_>| expand(&template, groups));
                Value::String(replaced.into_owned())
            }
            "string-join" => {
                let separator = if args.len() == 2 { string(1)? } else { String::new() };
                Value::String(match arg(0)? {
                    Value::Nodes(nodes) => {
                        let texts: Vec<String> = nodes.iter().map(|node| self.string_value(*node)).collect();
                        texts.join(&separator)
                    }
                    value => self.string(&value),
                })
            }
            "date" => {
                let text = string(0)?;
                let form = match string(1)?.as_str() {
                    "D.M.YYYY" => r"^\s*(?<d>[0-9]{1,2})\.(?<m>[0-9]{1,2})\.(?<y>[0-9]{4})\s*$",
                    "YYYYMMDD" => r"^\s*(?<y>[0-9]{4})(?<m>[0-9]{2})(?<d>[0-9]{2})\s*$",
                    other => panic!("the oracle has no format {other}"),
                };
                let found = regex::Regex::new(form).expect("a pattern");
                let found = found.captures(&text).map(|found| {
                    let part = |name: &str| found[name].parse::<u32>().expect("digits");
                    (part("y"), part("m"), part("d"))
                });
                Value::String(match found {
                    Some((y, m, d)) if (1..=12).contains(&m) && (1..=days(y, m)).contains(&d) => {
                        format!("{y:04}-{m:02}-{d:02}")
                    }
                    _ => String::new(),
                })
            }
            "json" => {
                let nth = if args.len() == 3 { number(2)? } else { 1.0 };
                let mut found = Vec::new();
                if let Ok(value) = serde_json::from_str(&string(0)?) {
                    at_path(&value, &string(1)?, &mut found);
                }
                let one = found.into_iter().zip(1_u32..).find(|(_, at)| f64::from(*at) == nth);
                Value::String(one.map(|(text, _)| text).unwrap_or_default())
            }
            // Pages of the oracle have no structured data.
            "data" => Value::String(String::new()),
            _ => panic!("there is no function {name}"),
        })
    }

    /// `string()` (section 4.2).
    fn string(&self, value: &Value) -> String {
        match value {
            Value::Nodes(nodes) => nodes.first().map_or(String::new(), |node| self.string_value(*node)),
            Value::Boolean(true) => "true".to_owned(),
            Value::Boolean(false) => "false".to_owned(),
            Value::Number(number) => from_number(*number),
            Value::String(text) => text.clone(),
        }
    }

    /// `number()` (section 4.4).
    fn number(&self, value: &Value) -> f64 {
        match value {
            Value::Nodes(_) => to_number(&self.string(value)),
            Value::Boolean(true) => 1.0,
            Value::Boolean(false) => 0.0,
            Value::Number(number) => *number,
            Value::String(text) => to_number(text),
        }
    }

    /// `boolean()` (section 4.3).
    fn boolean(&self, value: &Value) -> bool {
        match value {
            Value::Nodes(nodes) => !nodes.is_empty(),
            Value::Boolean(value) => *value,
            Value::Number(number) => !(*number == 0.0 || number.is_nan()),
            Value::String(text) => !text.is_empty(),
        }
    }

    /// "If … two elements … have the same unique ID, then the second element … must be treated as not having a unique
    /// ID" (section 5.2.1).
    fn element_with_id(&self, id: &str) -> Option<NodeId> {
        let all = (0..self.page.len() as u32).map(NodeId);
        let mut elements = all.filter(|n| self.page.kind(*n) == Kind::Element);
        elements.find(|element| self.attribute(*element, "id").as_deref() == Some(id))
    }

    fn attribute(&self, element: NodeId, name: &str) -> Option<String> {
        let all = (0..self.page.len() as u32).map(NodeId);
        let mut own = all.filter(|n| self.page.kind(*n) == Kind::Attribute && self.page.parent(*n) == Some(element));
        own.find(|attribute| self.page.name(*attribute).eq_ignore_ascii_case(name))
            .map(|attribute| self.page.string_value(attribute).to_owned())
    }

    /// `lang()` (section 4.3): by "the nearest ancestor of the context node that has an xml:lang attribute".
    fn is_in_language(&self, node: NodeId, wanted: &str) -> bool {
        let mut at = Some(node);
        while let Some(node) = at {
            if let Some(found) = self
                .attribute(node, "xml:lang")
                .or_else(|| self.attribute(node, "lang"))
            {
                let (found, wanted) = (found.to_ascii_lowercase(), wanted.to_ascii_lowercase());
                return found == wanted || found.starts_with(&format!("{wanted}-"));
            }
            at = self.page.parent(node);
        }
        false
    }
}

/// How many days a month has.
fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(400) || year.is_multiple_of(4) && !year.is_multiple_of(100) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The texts at a path of names in JSON, in its order; lists have no names, empty texts do not count.
fn at_path(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Array(values) => values.iter().for_each(|value| at_path(value, path, found)),
        serde_json::Value::Object(fields) => {
            let (name, rest) = path.split_once('.').unwrap_or((path, ""));
            if let Some(value) = fields.get(name) {
                at_path(value, rest, found);
            }
        }
        serde_json::Value::String(text) if path.is_empty() && !text.trim().is_empty() => {
            found.push(text.trim().to_owned());
        }
        serde_json::Value::Number(number) if path.is_empty() => found.push(number.to_string()),
        serde_json::Value::Bool(truth) if path.is_empty() => found.push(truth.to_string()),
        _ => {}
    }
}

fn in_document_order(mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    nodes.sort();
    nodes.dedup();
    nodes
}

fn is_white_space(c: char) -> bool {
    c == '\u{20}' || c == '\u{9}' || c == '\u{D}' || c == '\u{A}'
}

/// What white space separates.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in text.chars() {
        if is_white_space(c) {
            words.push(String::new());
        } else {
            words.last_mut().expect("never empty").push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn local_name(name: &str) -> String {
    name.split(':').next_back().unwrap_or_default().to_owned()
}

/// "… a string that consists of optional whitespace followed by an optional minus sign followed by a Number followed by
/// whitespace …; any other string is converted to NaN." A Number is `Digits ('.' Digits?)? | '.' Digits`.
fn to_number(text: &str) -> f64 {
    let inner: Vec<char> = text.chars().collect();
    let start = inner.iter().take_while(|c| is_white_space(**c)).count();
    let end = inner.len() - inner[start..].iter().rev().take_while(|c| is_white_space(**c)).count();
    let inner: String = inner[start..end].iter().collect();
    let number = inner.strip_prefix('-').unwrap_or(&inner);
    let is_digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let is_number = match number.split_once('.') {
        None => is_digits(number),
        Some((whole, "")) => is_digits(whole),
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && is_digits(fraction),
    };
    if !is_number {
        return f64::NAN;
    }
    // Digits on both sides of the point, so that nothing hangs on what else the library takes for a number.
    let padded = if number.contains('.') {
        format!("0{number}0")
    } else {
        format!("{number}.0")
    };
    let magnitude: f64 = padded.parse().expect("digits, a point and digits");
    if inner.starts_with('-') { -magnitude } else { magnitude }
}

/// A number as a string: the shortest digits that tell it apart, written out without an exponent.
fn from_number(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if number < 0.0 { "-" } else { "" };
    if number.is_infinite() {
        return format!("{sign}Infinity");
    }
    // `d.ddde±x`
    let scientific = format!("{:e}", number.abs());
    let (mantissa, exponent) = scientific.split_once('e').expect("there is an exponent");
    let digits: Vec<char> = mantissa.chars().filter(|c| *c != '.').collect();
    let exponent: i32 = exponent.parse().expect("the exponent is whole");
    let digit = |power: i32| {
        // The digit that stands for this power of ten.
        usize::try_from(exponent - power)
            .ok()
            .and_then(|at| digits.get(at))
            .unwrap_or(&'0')
    };
    let whole: String = (0..=exponent.max(0)).rev().map(digit).collect();
    let lowest = exponent - (digits.len() as i32 - 1);
    let fraction: String = (lowest..0).rev().map(digit).collect();
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// "… the number that is closest to the argument and that is an integer. If there are two such numbers, then the one
/// that is closest to positive infinity is returned."
fn round(number: f64) -> f64 {
    if number.is_nan() || number.is_infinite() || number == 0.0 {
        return number;
    }
    let (below, above) = (number.floor(), number.ceil());
    if number - below < above - number { below } else { above }
}

/// "… the characters … for which the position of the character is greater than or equal to the rounded value of the
/// second argument and, if the third argument is specified, less than the sum of the rounded value of the second
/// argument and the rounded value of the third argument."
fn substring(text: &str, start: f64, length: Option<f64>) -> String {
    let mut position = 0.0;
    let mut out = String::new();
    for c in text.chars() {
        position += 1.0;
        let reached = position >= round(start);
        let within = length.is_none_or(|length| position < round(start) + round(length));
        if reached && within {
            out.push(c);
        }
    }
    out
}

/// "If a character occurs more than once in the second argument string, then the first occurrence determines the
/// replacement character. If the third argument string is longer …, then excess characters are ignored."
fn translate(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match from.chars().position(|other| other == c) {
            None => out.push(c),
            Some(at) => out.extend(to.chars().nth(at)),
        }
    }
    out
}

fn regex(pattern: &str, flags: &str) -> Result<regex::Regex> {
    let pattern = if flags.is_empty() {
        pattern.to_owned()
    } else {
        format!("(?{flags}:{pattern})")
    };
    regex::Regex::new(&pattern).map_err(|_| Stop::Regex)
}

/// The replacement for one match: `$1` is its first group and so on; `\$` and `\\` stand for `$` and `\`.
fn expand(template: &str, groups: &regex::Captures<'_>) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(c) = rest.chars().next() {
        let next = rest[c.len_utf8()..].chars().next();
        if c == '\\' && (next == Some('$') || next == Some('\\')) {
            out.extend(next);
            rest = &rest[2..];
        } else if c == '$'
            && let Some(group) = next.and_then(|digit| digit.to_digit(10))
        {
            out.push_str(groups.get(group as usize).map_or("", |group| group.as_str()));
            rest = &rest[2..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}
