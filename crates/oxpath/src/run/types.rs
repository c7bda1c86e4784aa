//! The types of the records that an expression gives, read off the compiled expression.
//!
//! Which marker nests in which does not depend on pages: a marker's record belongs to the record that its path started
//! in, and the path of a predicate starts in the last record before the predicate. So the fields of every record are known
//! before the first page is opened. This module also finds out *how many* values a field can have.
//!
//! **Input** is the program, **output** one [`RecordType`] for each name at the top level. The walk over the program mirrors
//! the machine: a tuple `⟨node, parent, last⟩` goes from operation to operation. We do not know the tuples, but we know
//! bounds for their number ([`Count`]): how many reach an operation for one record `parent`, and how many for each record
//! that may be `last`. A simple path multiplies the bounds by how many nodes it gives ([`nodes`]); `self`, `parent`,
//! a named attribute and a position such as `[1]` give at most one, everything else may give many. `doc()` and an action
//! give at most one page, and none if they fail. A predicate may let nothing through, unless it is certain to hold. A
//! marker adds the count of its parent to its field. Different markers with the same name in one record add up, so two of
//! them give `Many`; markers with the same name in *different* records are alternatives of one type.
//!
//! The bounds are safe, not tight: `Many` unless it is provable that there is at most one, `One` only if it is provable
//! that the value cannot be missing. What stands inside `[? …]` is `Optional` because its author says so.
//!
//! The sort of a field is that of its expression: `number(.)` gives decimals, `count(…)` integers, `boolean(…)` booleans, and
//! everything else texts. `date(…)` gives dates, or times if its format has them. A marker that is `required` makes its field
//! one that no record lacks.
//!
//! **Limits.** A record whose run was stopped before all its pages were opened may lack a field of cardinality `One`; so may
//! one with a value longer than [`MAX_TEXT`](crate::MAX_TEXT). Both are reported by the run.
//!
//! **Cost**: time and size grow with the number of pairs of a marker and a record it can belong to. That number can be
//! exponential in the nesting of the expression, so it is limited ([`MOST_FIELDS`]).

use super::program::{Condition, Mark, Op, Program, Script, Test};
use super::required::Needs;
use crate::plan::{
    Axis, Comparison, Detour, Nodes, Number, Predicate, Start, Step, Test as NodeTest, Text, Truth, Walk,
};
use record::values::Convention;
use record::{Cardinality, Content, Field, RecordType, Sort, VALUE, ValueType, XmlRoot};

impl Script {
    /// The types of the records that the expression gives, in the order of their first markers.
    ///
    /// ```
    /// use oxpath::run::Script;
    /// use record::Cardinality;
    ///
    /// let script = Script::compile("doc('a')//div:<book>[.:<title=string(h2)>][.//li:<author=.>]", &[]).unwrap();
    /// let types = script.record_types();
    /// assert_eq!(types[0].name, "book");
    /// assert_eq!(types[0].fields()[0].cardinality, Cardinality::One);
    /// assert_eq!(types[0].fields()[1].cardinality, Cardinality::Many);
    /// ```
    pub fn record_types(&self) -> Vec<RecordType> {
        self.types.clone()
    }

    /// The names of its markers, each once, in the order of the expression.
    ///
    /// ```
    /// let script = oxpath::run::Script::compile("doc('a')//b:<x>[i:<y=.>] | doc('a')//c:<x=.>", &[]).unwrap();
    /// assert_eq!(script.marker_names(), ["x", "y"]);
    /// ```
    pub fn marker_names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.program
            .branches
            .iter()
            .for_each(|branch| names_of(branch, &mut names));
        names
    }
}

fn names_of<'p>(ops: &'p [Op], names: &mut Vec<&'p str>) {
    for op in ops {
        match op {
            Op::Mark(mark) => {
                if !names.contains(&mark.name.as_str()) {
                    names.push(&mark.name);
                }
                mark.tests.iter().for_each(|test| names_in(&test.condition, names));
            }
            Op::Test(test) => names_in(&test.condition, names),
            Op::Loop { body, .. } | Op::Choose { body, .. } => body.iter().for_each(|ops| names_of(ops, names)),
            Op::Walk { .. } | Op::Doc { .. } | Op::Act { .. } => {}
        }
    }
}

fn names_in<'p>(condition: &'p Condition, names: &mut Vec<&'p str>) {
    match condition {
        Condition::Simple(_) => {}
        Condition::Path(ops) => names_of(ops, names),
        Condition::Any(parts) | Condition::All(parts) => parts.iter().for_each(|part| names_in(part, names)),
    }
}

/// How many pairs of a marker and a record it can belong to an expression may have.
pub(super) const MOST_FIELDS: usize = 10_000;

/// The types of what a program extracts, and what is required there; none if it has more than [`MOST_FIELDS`] fields.
pub(super) fn record_types(program: &Program) -> Option<(Vec<RecordType>, Vec<Needs>)> {
    let mut tree = Tree {
        nodes: vec![Node::default()],
    };
    for branch in &program.branches {
        tree.operations(branch, ROOT, Flow::start(ROOT, Count::ONE));
    }
    if tree.is_full() {
        return None;
    }
    let into_type = |field: Field| RecordType {
        name: field.name,
        root: XmlRoot::default(),
        content: field.content,
    };
    let fields = tree.fields(&[ROOT]);
    let needs = tree.needs(&fields, &[ROOT]);
    Some((fields.into_iter().map(into_type).collect(), needs))
}

/// Bounds for a number of tuples or nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    /// Is there always at least one?
    some: bool,
    /// Can there be more than one?
    many: bool,
}

impl Count {
    const ONE: Count = Count {
        some: true,
        many: false,
    };
    const AT_MOST_ONE: Count = Count {
        some: false,
        many: false,
    };
    const ANY: Count = Count {
        some: false,
        many: true,
    };

    /// `each` for each of them.
    fn times(self, each: Count) -> Count {
        Count {
            some: self.some && each.some,
            many: self.many || each.many,
        }
    }

    /// Both together.
    fn plus(self, other: Count) -> Count {
        Count {
            some: self.some || other.some,
            many: true,
        }
    }

    fn or_none(self) -> Count {
        Count { some: false, ..self }
    }

    fn repeated(self) -> Count {
        Count { many: true, ..self }
    }

    fn cardinality(self) -> Cardinality {
        match (self.many, self.some) {
            (true, _) => Cardinality::Many,
            (false, true) => Cardinality::One,
            (false, false) => Cardinality::Optional,
        }
    }
}

const ROOT: usize = 0;

/// A marker in one of the records that it can belong to.
#[derive(Default)]
struct Node {
    mark: usize,
    name: String,
    /// The sort of its value; none if it makes a record.
    value: Option<Sort>,
    is_required: bool,
    /// How many of it one parent has; none until the walk came to the marker.
    count: Option<Count>,
    children: Vec<usize>,
}

/// What is known of the tuples at an operation.
#[derive(Clone)]
struct Flow {
    /// How many there are for one parent.
    here: Count,
    /// The records that may be the last, and how many tuples there are for each one of them.
    lasts: Vec<(usize, Count)>,
}

impl Flow {
    fn start(parent: usize, here: Count) -> Flow {
        Flow {
            here,
            lasts: vec![(parent, here)],
        }
    }

    fn nothing() -> Flow {
        Flow {
            here: Count::AT_MOST_ONE,
            lasts: Vec::new(),
        }
    }

    fn each(&mut self, change: impl Fn(Count) -> Count) {
        self.here = change(self.here);
        for (_, count) in &mut self.lasts {
            *count = change(*count);
        }
    }

    fn times(&mut self, each: Count) {
        self.each(|count| count.times(each));
    }

    /// The tuples of both.
    fn add(&mut self, other: Flow) {
        self.here = self.here.plus(other.here);
        for (node, count) in other.lasts {
            match self.lasts.iter_mut().find(|(known, _)| *known == node) {
                Some((_, known)) => *known = known.plus(count),
                None => self.lasts.push((node, count)),
            }
        }
    }
}

struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Are there too many fields? Then the walk stops.
    fn is_full(&self) -> bool {
        self.nodes.len() > MOST_FIELDS
    }

    /// The node of a marker below a parent.
    fn child(&mut self, parent: usize, mark: &Mark) -> usize {
        let children = &self.nodes[parent].children;
        if let Some(known) = children.iter().find(|child| self.nodes[**child].mark == mark.id) {
            return *known;
        }
        let child = self.nodes.len();
        self.nodes[parent].children.push(child);
        self.nodes.push(Node {
            mark: mark.id,
            name: mark.name.clone(),
            value: mark.value.as_ref().map(sort),
            is_required: mark.is_required,
            ..Node::default()
        });
        child
    }

    /// Follows the tuples along operations.
    fn operations(&mut self, ops: &[Op], parent: usize, mut flow: Flow) -> Flow {
        for op in ops {
            if self.is_full() {
                break;
            }
            flow = self.operation(op, parent, flow);
        }
        flow
    }

    fn operation(&mut self, op: &Op, parent: usize, mut flow: Flow) -> Flow {
        match op {
            Op::Walk {
                nodes: walked, fails, ..
            } => {
                let found = nodes(walked);
                flow.times(if *fails { found.or_none() } else { found });
            }
            Op::Doc { .. } | Op::Act { .. } => flow.times(Count::AT_MOST_ONE),
            Op::Mark(mark) => {
                if mark.fails {
                    flow.times(Count::AT_MOST_ONE);
                }
                let child = self.child(parent, mark);
                let node = &mut self.nodes[child];
                node.count = Some(node.count.map_or(flow.here, |before| before.plus(flow.here)));
                if mark.value.is_none() {
                    flow.lasts = vec![(child, Count::ONE)];
                    for test in &mark.tests {
                        self.test(test, &mut flow);
                    }
                }
            }
            Op::Test(test) => self.test(test, &mut flow),
            Op::Choose { body, position } => {
                let picks_one = picks_one(position);
                let before = flow.clone();
                flow = self.branches(body, parent, &before);
                if picks_one {
                    flow.here = before.here;
                    for (node, count) in &mut flow.lasts {
                        if let Some((_, earlier)) = before.lasts.iter().find(|(earlier, _)| earlier == node) {
                            *count = *earlier;
                        }
                    }
                }
                flow.each(Count::or_none);
            }
            Op::Loop { body, min, max, .. } => return self.repetition(body, *min, *max, parent, flow),
        }
        flow
    }

    /// The tuples after all of several branches.
    fn branches(&mut self, body: &[Vec<Op>], parent: usize, flow: &Flow) -> Flow {
        let mut after: Option<Flow> = None;
        for branch in body {
            let through = self.operations(branch, parent, flow.clone());
            match &mut after {
                Some(after) => after.add(through),
                None => after = Some(through),
            }
        }
        after.unwrap_or_else(Flow::nothing)
    }

    fn repetition(&mut self, body: &[Vec<Op>], min: u32, max: Option<u32>, parent: usize, before: Flow) -> Flow {
        if max == Some(1) {
            let mut after = self.branches(body, parent, &before);
            if min == 0 {
                after.add(before);
            }
            return after;
        }
        // A round starts where any round before it ended, so with any record that a round may leave as the last.
        let mut inside = before.clone();
        for (_, count) in &mut inside.lasts {
            *count = Count::ANY;
        }
        for mark in body.iter().flat_map(|branch| last_marks(branch).0) {
            let node = self.child(parent, mark);
            if !inside.lasts.iter().any(|(known, _)| *known == node) {
                inside.lasts.push((node, Count::ANY));
            }
        }
        inside.here = inside.here.repeated();
        if max == Some(0) {
            inside.here = Count::ANY;
        }
        let mut after = self.branches(body, parent, &inside);
        after.each(|_| Count::ANY);
        if min == 0 {
            after.add(before);
        }
        after
    }

    /// The markers inside a predicate, and what it leaves of the tuples.
    fn test(&mut self, test: &Test, flow: &mut Flow) {
        let surely = !test.fails;
        let mut holds = surely;
        for &(last, count) in &flow.lasts {
            let start = if test.optional || test.fails {
                count.or_none()
            } else {
                count
            };
            let start = Flow::start(last, start);
            // Whether it holds is a question about one tuple, whatever their number.
            holds &= self.condition(&test.condition, last, &start) || !count.some;
        }
        let certain = if test.optional { surely } else { holds };
        if !certain {
            flow.each(Count::or_none);
        }
    }

    /// Walks through a condition for one parent; is it certain to hold?
    fn condition(&mut self, condition: &Condition, parent: usize, start: &Flow) -> bool {
        match condition {
            Condition::Simple(_) => false,
            Condition::Path(ops) => self.operations(ops, parent, start.clone()).here.some,
            Condition::Any(parts) => {
                let mut any = false;
                for part in parts {
                    any |= self.condition(part, parent, start);
                }
                any
            }
            Condition::All(parts) => {
                let mut all = true;
                for part in parts {
                    all &= self.condition(part, parent, start);
                }
                all
            }
        }
    }

    /// The fields of records that any of these markers give.
    fn fields(&self, parents: &[usize]) -> Vec<Field> {
        let mut names: Vec<(usize, &str)> = Vec::new();
        for &child in parents.iter().flat_map(|parent| &self.nodes[*parent].children) {
            let Node { mark, name, .. } = &self.nodes[child];
            match names.iter_mut().find(|(_, known)| known == name) {
                Some((first, _)) => *first = (*first).min(*mark),
                None => names.push((*mark, name)),
            }
        }
        names.sort_unstable();
        names.into_iter().map(|(_, name)| self.field(name, parents)).collect()
    }

    fn field(&self, name: &str, parents: &[usize]) -> Field {
        let mut all: Option<Count> = None;
        let mut markers: Vec<usize> = Vec::new();
        for parent in parents {
            let children = self.nodes[*parent].children.iter().copied();
            let named: Vec<usize> = children.filter(|child| self.nodes[*child].name == name).collect();
            // In one record all markers of a name count together.
            let counts = named.iter().filter_map(|child| self.nodes[*child].count);
            let count = counts.reduce(Count::plus).unwrap_or(Count::AT_MOST_ONE);
            // Records of different markers are alternatives.
            all = Some(all.map_or(count, |before| Count {
                some: before.some && count.some,
                many: before.many || count.many,
            }));
            markers.extend(named);
        }
        let count = all.unwrap_or(Count::AT_MOST_ONE);
        let cardinality = match (count.cardinality(), self.is_required(&markers)) {
            (Cardinality::Many, true) => Cardinality::AtLeastOne,
            (_, true) => Cardinality::One,
            (cardinality, false) => cardinality,
        };
        Field::new(name, cardinality, self.content(&markers))
    }

    fn is_required(&self, markers: &[usize]) -> bool {
        markers.iter().any(|marker| self.nodes[*marker].is_required)
    }

    /// What is required of fields in records that any of these markers give.
    fn needs(&self, fields: &[Field], parents: &[usize]) -> Vec<Needs> {
        let named = |name: &str| -> Vec<usize> {
            let children = parents.iter().flat_map(|parent| &self.nodes[*parent].children);
            children
                .copied()
                .filter(|child| self.nodes[*child].name == name)
                .collect()
        };
        let needs = fields.iter().filter_map(|field| {
            let markers = named(&field.name);
            let inside = self.needs(field.content.fields(), &markers);
            Needs::of(field, self.is_required(&markers), inside)
        });
        needs.collect()
    }

    fn content(&self, markers: &[usize]) -> Content {
        let records: Vec<usize> = markers
            .iter()
            .copied()
            .filter(|marker| self.nodes[*marker].value.is_none())
            .collect();
        // Markers of one name that give different sorts of values give texts.
        let mut sorts = markers.iter().filter_map(|marker| self.nodes[*marker].value);
        let first = sorts.next().unwrap_or_default();
        let same = sorts.all(|sort| sort == first);
        let value = value_type(if same { first } else { Sort::Text });
        if records.is_empty() {
            return Content::Value(value);
        }
        let mut fields = self.fields(&records);
        if records.len() < markers.len() {
            for field in &mut fields {
                if field.cardinality == Cardinality::One {
                    field.cardinality = Cardinality::Optional;
                }
            }
            let text = Field::new(VALUE, Cardinality::Optional, Content::Value(value));
            fields.insert(0, text);
        }
        Content::Record(fields)
    }
}

/// The sort of values that an expression gives: what XPath calls a number or a boolean is one, everything else is text.
fn sort(value: &Text) -> Sort {
    match value {
        Text::OfNumber(number) if is_count(number) => Sort::Integer,
        Text::OfNumber(_) => Sort::Decimal,
        Text::OfTruth(_) => Sort::Boolean,
        Text::Date { format, .. } if format.has_time() => Sort::Timestamp,
        Text::Date { .. } => Sort::Date,
        Text::Memo { inner, .. } | Text::Fixed { inner, .. } => sort(inner),
        _ => Sort::Text,
    }
}

fn is_count(number: &Number) -> bool {
    match number {
        Number::Count(_) | Number::Position | Number::Last => true,
        Number::Memo { inner, .. } | Number::Fixed { inner, .. } => is_count(inner),
        _ => false,
    }
}

fn value_type(sort: Sort) -> ValueType {
    ValueType {
        sort,
        convention: match sort {
            Sort::Integer | Sort::Decimal | Sort::Boolean | Sort::Date | Sort::Timestamp => Convention::of_programs(),
            _ => Convention::default(),
        },
        ..ValueType::default()
    }
}

/// The record markers that may be the last one after operations, and whether there may be none on the way.
fn last_marks(ops: &[Op]) -> (Vec<&Mark>, bool) {
    let (mut marks, mut may_lack) = (Vec::new(), true);
    for op in ops {
        match op {
            Op::Mark(mark) if mark.value.is_none() => (marks, may_lack) = (vec![mark], false),
            Op::Loop { body, .. } | Op::Choose { body, .. } => {
                let optional = !matches!(op, Op::Loop { min: 1.., .. } | Op::Choose { .. });
                let inside: Vec<(Vec<&Mark>, bool)> = body.iter().map(|branch| last_marks(branch)).collect();
                let passes = optional || inside.iter().any(|(_, may_lack)| *may_lack);
                if !passes {
                    (marks, may_lack) = (Vec::new(), false);
                }
                marks.extend(inside.into_iter().flat_map(|(marks, _)| marks));
            }
            _ => {}
        }
    }
    (marks, may_lack)
}

/// How many nodes a simple path gives for one context node.
fn nodes(nodes: &Nodes) -> Count {
    match nodes {
        Nodes::Path(path) => {
            let start = match &path.start {
                Start::Context | Start::Root => Count::ONE,
                Start::Nodes(inner) => self::nodes(inner),
            };
            path.steps.iter().fold(start, |count, one| count.times(step(one)))
        }
        Nodes::Filter { base, predicates } => {
            let base = self::nodes(base).or_none();
            if predicates.iter().any(picks) {
                Count::AT_MOST_ONE
            } else {
                base
            }
        }
        Nodes::Once { inner, .. } => self::nodes(inner),
        Nodes::Union(parts) | Nodes::Disjoint(parts) => match parts.as_slice() {
            [one] => self::nodes(one),
            _ => Count::ANY,
        },
        Nodes::FirstOf(parts) => {
            // One of them, so several only if one of them gives several; the last decides whether there are any.
            let counts = parts.iter().map(self::nodes);
            counts
                .reduce(|one, other| Count {
                    some: one.some || other.some,
                    many: one.many || other.many,
                })
                .unwrap_or(Count::ANY)
        }
        Nodes::Id(_) | Nodes::IdsIn(_) | Nodes::Distinct(_) | Nodes::Bound(_) => Count::ANY,
    }
}

/// How many nodes a step gives for one node.
fn step(step: &Step) -> Count {
    let all = match step.detour.as_deref() {
        Some(Detour::Repeat {
            body,
            min: 1,
            max: Some(1),
            ..
        }) => nodes(body),
        Some(_) => Count::ANY,
        None => match (step.axis, &step.test) {
            (Axis::Self_, NodeTest::Node) => Count::ONE,
            (Axis::Self_ | Axis::Parent, _) | (Axis::Attribute, NodeTest::Attribute(_)) => Count::AT_MOST_ONE,
            _ => Count::ANY,
        },
    };
    // Only then do positions count within what one node gives.
    let single = step.walk == Walk::Each && step.predicates.iter().any(picks);
    match (single, step.predicates.is_empty()) {
        (true, _) => Count::AT_MOST_ONE,
        (false, false) => all.or_none(),
        (false, true) => all,
    }
}

/// Does a predicate let through at most one of the nodes that it chooses from?
fn picks(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Nth(_) | Predicate::Last | Predicate::FromEnd(_) => true,
        Predicate::Between(first, last) => first >= last,
        Predicate::Filter(_) | Predicate::Positional(_) => false,
    }
}

/// The same for a condition on the position.
fn picks_one(position: &Truth) -> bool {
    let (Truth::CompareNumbers(Comparison::Equal, Number::Position, other)
    | Truth::CompareNumbers(Comparison::Equal, other, Number::Position)) = position
    else {
        return false;
    };
    matches!(other, Number::Constant(_) | Number::Last)
}

#[cfg(test)]
mod tests;
