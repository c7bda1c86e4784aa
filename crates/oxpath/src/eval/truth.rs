//! Truth values.

use super::gather::{Extremes, Values};
use super::index::Sought;
use super::search::first_not_below;
use super::{Context, Evaluator, Result};
use crate::plan::{Comparison, Nodes, Number, Pattern, Separators, Test, Text, Truth};
use crate::value::{is_space, normalized_contains, normalizes_to};
use page::{Kind, NodeId};

/// The most contexts that a memo slot remembers.
const MOST_CONTEXTS: usize = 1 << 20;

impl Comparison {
    pub(super) fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEqual => left >= right,
        }
    }
}

impl<'p> Evaluator<'p> {
    /// Expressions nest deeply and this recurses with them, so each kind has its own function and stack frame.
    pub(super) fn truth(&mut self, truth: &'p Truth, context: Context) -> Result<bool> {
        match truth {
            Truth::Constant(value) => Ok(*value),
            Truth::Any(operands) => self.one_of(operands, true, context),
            Truth::All(operands) => self.one_of(operands, false, context).map(|found| !found),
            Truth::Not(inner) => self.truth(inner, context).map(|value| !value),
            Truth::Exists(nodes) => self.some(nodes, context, &|_| true),
            Truth::Precedes(test) => Ok(self.precedes(test, context.node)),
            Truth::Follows(test) => Ok(self.follows(test, context.node)),
            Truth::Is(test) => Ok(self.passes(context.node, test)),
            Truth::HasAttribute(name) => Ok(self.has_attribute(*name, context.node)),
            Truth::OfNumber(number) => self.number(number, context).map(|n| n != 0.0 && !n.is_nan()),
            Truth::OfText(text) => self.text(text, context).map(|text| !text.is_empty()),
            Truth::CompareNumbers(comparison, left, right) => self.compare_numbers(*comparison, left, right, context),
            Truth::SameText {
                equal,
                left: Text::NormalizeSpace(text),
                right: wanted @ Text::Constant(_),
            }
            | Truth::SameText {
                equal,
                left: wanted @ Text::Constant(_),
                right: Text::NormalizeSpace(text),
            } => self.two_texts(text, wanted, context, |text, wanted| {
                normalizes_to(text, wanted) == *equal
            }),
            Truth::SameText { equal, left, right } => {
                self.two_texts(left, right, context, |left, right| (left == right) == *equal)
            }
            Truth::BothOrNeither { equal, left, right } => {
                self.same_truth(left, right, context).map(|same| same == *equal)
            }
            Truth::NodesNumber(comparison, nodes, number) => self.nodes_number(*comparison, nodes, number, context),
            Truth::NodesText { equal, nodes, text } => self.nodes_text(*equal, nodes, text, context),
            Truth::NodesNodes(comparison, left, right) => self.compare_nodes(*comparison, left, right, context),
            Truth::Contains(Text::NormalizeSpace(text), part @ Text::Constant(_)) => {
                self.two_texts(text, part, context, normalized_contains)
            }
            Truth::Contains(text, part) => self.two_texts(text, part, context, |text, part| text.contains(part)),
            Truth::ContextContains { needle } => Ok(self.context_contains(*needle, context.node)),
            Truth::FirstContains { nodes, needle } => {
                let first = self.first(nodes, context)?;
                Ok(first.is_some_and(|node| self.context_contains(*needle, node)))
            }
            Truth::HasWord { text, word, separators } => {
                self.two_texts(text, word, context, |text, word| match separators {
                    Separators::Space => !word.is_empty() && text.split(is_space).any(|part| part == word),
                    Separators::Blank => text.split(' ').any(|part| part == word),
                })
            }
            Truth::Subset(part, whole) => self.subset(part, whole, context),
            Truth::Visible(nodes) => {
                let first = self.first(nodes, context)?;
                Ok(first.is_some_and(|node| self.is_visible(node)))
            }
            Truth::StartsWith(text, part) => self.two_texts(text, part, context, |text, part| text.starts_with(part)),
            Truth::EndsWith(text, part) => self.two_texts(text, part, context, |text, part| text.ends_with(part)),
            Truth::Matches { text, pattern } => self.matches(text, pattern, context),
            Truth::Lang(language) => self.lang(language, context),
            Truth::Memo { slot, inner } => self.remembered_truth(*slot, inner, context),
            Truth::ContextMemo { slot, inner } => self.remembered_context(*slot, inner, context),
            Truth::Fixed { slot, inner } => self.fixed_truth(*slot, inner, context),
        }
    }

    /// Does one of the operands have this value?
    fn one_of(&mut self, operands: &'p [Truth], value: bool, context: Context) -> Result<bool> {
        for operand in operands {
            if self.truth(operand, context)? == value {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_attribute(&self, name: usize, node: NodeId) -> bool {
        self.memory.names[name].is_some_and(|name| self.page.attribute(node, name).is_some())
    }

    fn compare_numbers(
        &mut self,
        comparison: Comparison,
        left: &'p Number,
        right: &'p Number,
        context: Context,
    ) -> Result<bool> {
        let left = self.number(left, context)?;
        Ok(comparison.holds(left, self.number(right, context)?))
    }

    fn two_texts(
        &mut self,
        left: &'p Text,
        right: &'p Text,
        context: Context,
        relation: impl Fn(&str, &str) -> bool,
    ) -> Result<bool> {
        let left = self.text(left, context)?;
        Ok(relation(&left, &self.text(right, context)?))
    }

    fn same_truth(&mut self, left: &'p Truth, right: &'p Truth, context: Context) -> Result<bool> {
        let left = self.truth(left, context)?;
        Ok(left == self.truth(right, context)?)
    }

    fn nodes_number(
        &mut self,
        comparison: Comparison,
        nodes: &'p Nodes,
        number: &'p Number,
        context: Context,
    ) -> Result<bool> {
        let page = self.page;
        let fixed = matches!(number, Number::Constant(_) | Number::Fixed { .. });
        let number = self.number(number, context)?;
        let numbers = self.memory.numbers_of.clone();
        let holds = |node: NodeId| comparison.holds(numbers.get(page, node), number);
        match comparison {
            _ if fixed => self.some(nodes, context, &holds),
            Comparison::Equal => self.has_value(nodes, context, Sought::Number(number)),
            Comparison::NotEqual => self.visit(nodes, context, &mut |_, node| Ok(holds(node))),
            Comparison::Less | Comparison::LessEqual => {
                let Extremes(least, _) = self.extremes(nodes, context)?;
                Ok(comparison.holds(least, number))
            }
            Comparison::Greater | Comparison::GreaterEqual => {
                let Extremes(_, greatest) = self.extremes(nodes, context)?;
                Ok(comparison.holds(greatest, number))
            }
        }
    }

    fn nodes_text(&mut self, equal: bool, nodes: &'p Nodes, text: &'p Text, context: Context) -> Result<bool> {
        let page = self.page;
        let fixed = matches!(text, Text::Constant(_) | Text::Fixed { .. });
        let text = self.text(text, context)?;
        match equal {
            _ if fixed => self.some(nodes, context, &|node| (page.string_value(node) == text) == equal),
            true => self.has_value(nodes, context, Sought::Text(&text)),
            false => Ok(match self.values(nodes, context)? {
                Values::None => false,
                Values::One(node) => page.string_value(node) != text,
                Values::Many => true,
            }),
        }
    }

    fn matches(&mut self, text: &'p Text, pattern: &'p Pattern, context: Context) -> Result<bool> {
        let text = self.text(text, context)?;
        Ok(self.regex(pattern, context)?.is_match(&text))
    }

    fn lang(&mut self, language: &'p Text, context: Context) -> Result<bool> {
        let language = self.text(language, context)?;
        Ok(self.is_in_language(context.node, &language))
    }

    fn remembered_truth(&mut self, slot: usize, inner: &'p Truth, context: Context) -> Result<bool> {
        if let Some(answer) = self.memory.truths[slot].get(context.node) {
            return Ok(answer);
        }
        let answer = self.truth(inner, context)?;
        self.memory.truths[slot].set(context.node, self.page.len(), answer);
        Ok(answer)
    }

    fn fixed_truth(&mut self, slot: usize, inner: &'p Truth, context: Context) -> Result<bool> {
        if let Some(answer) = self.memory.fixed_truths[slot] {
            return Ok(answer);
        }
        let answer = self.truth(inner, context)?;
        self.memory.fixed_truths[slot] = Some(answer);
        Ok(answer)
    }

    fn remembered_context(&mut self, slot: usize, inner: &'p Truth, context: Context) -> Result<bool> {
        let key = (context.node, context.position, context.size);
        if let Some(answer) = self.memory.contexts[slot].get(&key) {
            return Ok(*answer);
        }
        let answer = self.truth(inner, context)?;
        // A node may have as many contexts as there are nodes: too many to store.
        if self.memory.contexts[slot].len() >= MOST_CONTEXTS {
            self.memory.contexts[slot].clear();
        }
        self.memory.contexts[slot].insert(key, answer);
        Ok(answer)
    }

    /// Is there a pair of nodes for whose string-values, or numbers, the comparison is true? Linear in the nodes.
    fn compare_nodes(
        &mut self,
        comparison: Comparison,
        left: &'p Nodes,
        right: &'p Nodes,
        context: Context,
    ) -> Result<bool> {
        match comparison {
            Comparison::Equal => self.have_a_common_value(left, right, context),
            Comparison::NotEqual => {
                // All pairs are equal only if there is one value on both sides.
                let left = self.values(left, context)?;
                if matches!(left, Values::None) {
                    return Ok(false);
                }
                Ok(match (left, self.values(right, context)?) {
                    (_, Values::None) => false,
                    (Values::One(a), Values::One(b)) => self.page.string_value(a) != self.page.string_value(b),
                    _ => true,
                })
            }
            Comparison::Less | Comparison::LessEqual | Comparison::Greater | Comparison::GreaterEqual => {
                // The extremes decide; comparisons with NaN are false.
                let left = self.extremes(left, context)?;
                let right = self.extremes(right, context)?;
                Ok(match comparison {
                    Comparison::Less | Comparison::LessEqual => comparison.holds(left.0, right.1),
                    _ => comparison.holds(left.1, right.0),
                })
            }
        }
    }

    /// Only ancestors of the node can be before it without preceding it, so the search is at most as long as the node
    /// is deep.
    fn precedes(&self, test: &Test, node: NodeId) -> bool {
        let mut before = self
            .list(test)
            .unwrap_or_default()
            .iter()
            .take_while(|other| **other < node);
        before.any(|other| self.page.end(*other) <= node)
    }

    fn follows(&self, test: &Test, node: NodeId) -> bool {
        let last = self.list(test).and_then(|list| list.last());
        last.is_some_and(|last| *last >= self.page.end(node))
    }

    /// Are all nodes of one expression among those of another?
    fn subset(&mut self, part: &'p Nodes, whole: &'p Nodes, context: Context) -> Result<bool> {
        let part = self.nodes(part, context)?;
        let whole = self.nodes(whole, context)?;
        Ok(part.iter().all(|node| whole.binary_search(node).is_ok()))
    }

    /// `contains(., needle)` by the positions of the needle in the text of the page.
    fn context_contains(&mut self, needle: usize, node: NodeId) -> bool {
        let page = self.page;
        let text = self.shared.needles[needle].as_str();
        if matches!(page.kind(node), Kind::Attribute | Kind::Comment) {
            return page.string_value(node).contains(text);
        }
        let places = self.memory.places[needle].get_or_insert_with(|| {
            // Overlapping occurrences count: a node may begin inside an earlier one.
            let finder = memchr::memmem::Finder::new(text);
            let whole = page.text().as_bytes();
            let mut places = Vec::new();
            let mut from = 0;
            while let Some(at) = finder.find(&whole[from..]) {
                places.push((from + at) as u32);
                from += at + 1;
            }
            places
        });
        if places.is_empty() {
            return false;
        }
        let start = page.text_start(node) as u32;
        let next = first_not_below(places, self.memory.near[needle], &start);
        self.memory.near[needle] = next;
        places
            .get(next)
            .is_some_and(|place| *place as usize + text.len() <= page.text_range(node).end)
    }

    /// `lang()`: by the nearest `lang` or `xml:lang` above the node.
    fn is_in_language(&self, node: NodeId, language: &str) -> bool {
        let page = self.page;
        let declared = std::iter::once(node).chain(page.ancestors(node)).find_map(|node| {
            page.attribute_value(node, "xml:lang")
                .or_else(|| page.attribute_value(node, "lang"))
        });
        let Some(declared) = declared else { return false };
        match declared.get(..language.len()) {
            Some(start) if start.eq_ignore_ascii_case(language) => {
                matches!(declared.as_bytes().get(language.len()), None | Some(b'-'))
            }
            _ => false,
        }
    }
}
