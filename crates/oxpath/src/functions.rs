//! The functions an expression may call: names, parameters, results.
//!
//! This is a catalogue, one row per function, which the checker reads to object to a call and the evaluator to
//! dispatch one. It holds all of XPath 1.0 (section 4), a few functions of XPath 2.0 that wrappers cannot do without
//! (`ends-with`, `lower-case`, `upper-case`, `matches`, `replace`, `string-join`, `min`, `max`, `tokenize`,
//! `distinct-values`), `trim`, `json`, `date`, and those that the old implementation of OXPath added. XPath 1.0 has no sequences of
//! strings, so `tokenize` takes the number of the part that is wanted, and `distinct-values` gives nodes. A few of the latter are known and not supported ([`Signature::unsupported`]): wrappers that call
//! them still pass the checks, with a warning, and get an empty string. `doc` is not here: it is a step.
//!
//! Parameter types say what a function *works on*. XPath 1.0 converts every value to a string, number or boolean by
//! itself, so only [`Type::NodeSet`] can be violated: nothing converts to a node-set.

use std::fmt;

/// The types of XPath 1.0, and the absence of knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A set of nodes.
    NodeSet,
    /// A string.
    String,
    /// A double-precision number.
    Number,
    /// True or false.
    Boolean,
    /// Any of the above: the type of a variable, or of a parameter that takes everything.
    Any,
}

impl Type {
    /// May a value of this type stand where `wanted` is called for, after the conversions of XPath 1.0?
    #[must_use]
    pub fn fits(self, wanted: Type) -> bool {
        wanted != Type::NodeSet || matches!(self, Type::NodeSet | Type::Any)
    }

    /// The type with its article, for messages.
    #[must_use]
    pub fn with_article(self) -> &'static str {
        match self {
            Type::NodeSet => "a node-set",
            Type::String => "a string",
            Type::Number => "a number",
            Type::Boolean => "a boolean",
            Type::Any => "any value",
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::NodeSet => "node-set",
            Type::String => "string",
            Type::Number => "number",
            Type::Boolean => "boolean",
            Type::Any => "any",
        })
    }
}

/// The functions, by identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Function {
    // Section 4.1, node-sets.
    Last,
    Position,
    Count,
    Id,
    LocalName,
    NamespaceUri,
    Name,
    // Section 4.2, strings.
    String,
    Concat,
    StartsWith,
    Contains,
    SubstringBefore,
    SubstringAfter,
    Substring,
    StringLength,
    NormalizeSpace,
    Translate,
    // Section 4.3, booleans.
    Boolean,
    Not,
    True,
    False,
    Lang,
    // Section 4.4, numbers.
    Number,
    Sum,
    Floor,
    Ceiling,
    Round,
    // Beyond XPath 1.0.
    EndsWith,
    LowerCase,
    UpperCase,
    Matches,
    Replace,
    StringJoin,
    Min,
    Max,
    Trim,
    Tokenize,
    DistinctValues,
    Json,
    Data,
    Date,
    // Of the old implementation of OXPath.
    QualifyUrl,
    CurrentUrl,
    PageContent,
    InnerHtml,
    OuterHtml,
    ToXml,
    SubstringBeforeReverse,
    SubstringAfterReverse,
    SubstringReverse,
    Now,
    Minus,
    Plus,
    IsVisible,
    IsInvisible,
    // Known and not supported.
    SelectText,
    DomProperty,
    JaroWinkler,
    Urify,
    Screenshot,
    SavePage,
}

impl Function {
    /// The function of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Function> {
        lookup(name).map(|signature| signature.function)
    }

    /// What is known about the function.
    #[must_use]
    pub fn signature(self) -> &'static Signature {
        &SIGNATURES[self as usize]
    }
}

/// What a function takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name in expressions.
    pub name: &'static str,
    /// Which function it is.
    pub function: Function,
    /// The fewest arguments it takes.
    pub min: usize,
    /// The most arguments it takes, if there is a bound.
    pub max: Option<usize>,
    /// The types of the first arguments.
    pub params: &'static [Type],
    /// The type of every argument after those.
    pub rest: Type,
    /// The type of its value.
    pub result: Type,
    /// What it does, in one line.
    pub doc: &'static str,
    /// Why calls of it evaluate to nothing, if they do.
    pub unsupported: Option<&'static str>,
}

impl Signature {
    /// The type wanted of the argument at `index`, counted from 0.
    #[must_use]
    pub fn param(&self, index: usize) -> Type {
        self.params.get(index).copied().unwrap_or(self.rest)
    }

    /// Does the function take this number of arguments?
    #[must_use]
    pub fn takes(&self, count: usize) -> bool {
        self.min <= count && self.max.is_none_or(|max| count <= max)
    }
}

/// As documentation writes it: `substring(string, number, number?)`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for index in 0..self.max.unwrap_or(self.min) {
            let comma = if index == 0 { "" } else { ", " };
            let optional = if index < self.min { "" } else { "?" };
            write!(f, "{comma}{}{optional}", self.param(index))?;
        }
        f.write_str(if self.max.is_none() { ", …)" } else { ")" })
    }
}

/// The function of that name.
#[must_use]
pub fn lookup(name: &str) -> Option<&'static Signature> {
    SIGNATURES.iter().find(|signature| signature.name == name)
}

/// A function that takes all of `params`, of which the first `min` must be given.
const fn row(
    function: Function,
    name: &'static str,
    min: usize,
    params: &'static [Type],
    result: Type,
    doc: &'static str,
) -> Signature {
    Signature {
        name,
        function,
        min,
        max: Some(params.len()),
        params,
        rest: Type::Any,
        result,
        doc,
        unsupported: None,
    }
}

/// A function of the old implementation that is known and not supported, giving a string.
const fn unsupported(
    function: Function,
    name: &'static str,
    min: usize,
    params: &'static [Type],
    doc: &'static str,
    reason: &'static str,
) -> Signature {
    Signature {
        unsupported: Some(reason),
        ..row(function, name, min, params, Type::String, doc)
    }
}

/// Every function, in the order of [`Function`].
#[rustfmt::skip]
pub static SIGNATURES: &[Signature] = {
    use Type::{Any, Boolean, NodeSet, Number, String};
    &[
        row(Function::Last, "last", 0, &[], Number, "how many nodes the context has"),
        row(Function::Position, "position", 0, &[], Number, "which of them the context node is, counted from 1"),
        row(Function::Count, "count", 1, &[NodeSet], Number, "how many nodes the set has"),
        row(Function::Id, "id", 1, &[Any], NodeSet, "the elements with these ids, separated by white space"),
        row(Function::LocalName, "local-name", 0, &[NodeSet], String, "the first node's name without its prefix"),
        row(Function::NamespaceUri, "namespace-uri", 0, &[NodeSet], String, "the namespace of the first node's name"),
        row(Function::Name, "name", 0, &[NodeSet], String, "the first node's name"),
        row(Function::String, "string", 0, &[Any], String, "the value as a string"),
        Signature {
            name: "concat", function: Function::Concat, min: 2, max: None, params: &[], rest: String, result: String,
            doc: "the strings one after the other", unsupported: None,
        },
        row(Function::StartsWith, "starts-with", 2, &[String, String], Boolean, "does the first begin with the second?"),
        row(Function::Contains, "contains", 2, &[String, String], Boolean, "does the first contain the second?"),
        row(Function::SubstringBefore, "substring-before", 2, &[String, String, Number], String, "what precedes the second, or its n-th occurrence, in the first"),
        row(Function::SubstringAfter, "substring-after", 2, &[String, String, Number], String, "what follows the second, or its n-th occurrence, in the first"),
        row(Function::Substring, "substring", 2, &[String, Number, Number], String, "the part from a position, counted from 1, of a length"),
        row(Function::StringLength, "string-length", 0, &[String], Number, "how many characters it has"),
        row(Function::NormalizeSpace, "normalize-space", 0, &[String], String, "trimmed, inner white space collapsed to one space"),
        row(Function::Translate, "translate", 3, &[String, String, String], String, "each character of the second replaced by its peer in the third"),
        row(Function::Boolean, "boolean", 1, &[Any], Boolean, "the value as a boolean"),
        row(Function::Not, "not", 1, &[Boolean], Boolean, "true if the value is false"),
        row(Function::True, "true", 0, &[], Boolean, "true"),
        row(Function::False, "false", 0, &[], Boolean, "false"),
        row(Function::Lang, "lang", 1, &[String], Boolean, "is the context node in this language?"),
        row(Function::Number, "number", 0, &[Any], Number, "the value as a number"),
        row(Function::Sum, "sum", 1, &[NodeSet], Number, "the sum of the nodes' values as numbers"),
        row(Function::Floor, "floor", 1, &[Number], Number, "the largest integer not above it"),
        row(Function::Ceiling, "ceiling", 1, &[Number], Number, "the smallest integer not below it"),
        row(Function::Round, "round", 1, &[Number], Number, "the nearest integer, halves upwards"),
        row(Function::EndsWith, "ends-with", 2, &[String, String], Boolean, "does the first end with the second?"),
        row(Function::LowerCase, "lower-case", 0, &[String], String, "in lower case"),
        row(Function::UpperCase, "upper-case", 0, &[String], String, "in upper case"),
        row(Function::Matches, "matches", 2, &[String, String, String], Boolean, "does a regular expression, with flags, match somewhere in it?"),
        row(Function::Replace, "replace", 3, &[String, String, String, String], String, "with every match of a regular expression replaced"),
        row(Function::StringJoin, "string-join", 1, &[Any, String, String], String, "the nodes' string values, or what a function makes of them, with a separator between them"),
        row(Function::Min, "min", 1, &[NodeSet], Number, "the smallest of the nodes' values as numbers"),
        row(Function::Max, "max", 1, &[NodeSet], Number, "the largest of the nodes' values as numbers"),
        row(Function::Trim, "trim", 0, &[String], String, "without white space at its ends"),
        row(Function::Tokenize, "tokenize", 3, &[String, String, Number], String, "the n-th part between matches of a regular expression, counted from 1"),
        row(Function::DistinctValues, "distinct-values", 1, &[NodeSet], NodeSet, "the first node of each string value"),
        row(Function::Json, "json", 2, &[String, String, Number], String, "the first, or n-th, value at a path of names in a text that is JSON"),
        row(Function::Data, "data", 0, &[String, String, Number], String, "the first, or n-th, value at a path of names in the structured data of the page, of things of a type; or all of it, a line each"),
        row(Function::Date, "date", 2, &[String, String], String, "the date, or the date and time, that a text of this format stands for, as `2019-05-09`"),
        row(Function::QualifyUrl, "qualify-url", 0, &[String], String, "the address made absolute"),
        row(Function::CurrentUrl, "current-url", 0, &[], String, "the address of the page"),
        row(Function::PageContent, "page-content", 0, &[], String, "the source of the page"),
        row(Function::InnerHtml, "innerhtml", 0, &[NodeSet], String, "the first node's content as HTML"),
        row(Function::OuterHtml, "outerhtml", 0, &[NodeSet], String, "the first node as HTML"),
        row(Function::ToXml, "to-xml", 0, &[NodeSet], String, "the first node as XML"),
        row(Function::SubstringBeforeReverse, "substring-before-reverse", 2, &[String, String, Number], String, "what precedes the last, or n-th last, occurrence of the second in the first"),
        row(Function::SubstringAfterReverse, "substring-after-reverse", 2, &[String, String, Number], String, "what follows the last, or n-th last, occurrence of the second in the first"),
        row(Function::SubstringReverse, "substring-reverse", 2, &[String, Number, Number], String, "the part up to a position counted from the end, of a length"),
        row(Function::Now, "now", 0, &[], String, "the time in UTC"),
        row(Function::Minus, "opex:minus", 2, &[Number, Number], Number, "the difference, as `-` gives it"),
        row(Function::Plus, "opex:plus", 2, &[Number, Number], Number, "the sum, as `+` gives it"),
        row(Function::IsVisible, "is-visible", 0, &[NodeSet], Boolean, "can the first node be seen?"),
        row(Function::IsInvisible, "is-invisible", 0, &[NodeSet], Boolean, "can the first node not be seen?"),
        unsupported(Function::SelectText, "select-text", 0, &[NodeSet, NodeSet], "the text of a node, or from a node to another, as a browser renders it", "it needs a browser's selection; `string(…)` or `normalize-space(…)` comes close"),
        unsupported(Function::DomProperty, "dom-property", 1, &[String], "a property of the node in scripts", "it needs scripts; most properties are attributes too: `@…`"),
        Signature {
            result: Number,
            ..unsupported(Function::JaroWinkler, "jaro-wrinkler", 2, &[String, String], "how similar two strings are, from 0 to 1", "compare strings after the extraction")
        },
        unsupported(Function::Urify, "urify", 1, &[String], "an identifier made from a string", "make identifiers after the extraction"),
        unsupported(Function::Screenshot, "screenshot", 0, &[], "the path of a picture of the page", "an expression writes no files"),
        unsupported(Function::SavePage, "save-page", 0, &[], "the path of a copy of the page", "an expression writes no files; record the run as an archive"),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum() {
        for (index, signature) in SIGNATURES.iter().enumerate() {
            assert_eq!(signature.function as usize, index, "{}", signature.name);
            assert_eq!(signature.function.signature(), signature);
            assert_eq!(lookup(signature.name), Some(signature));
            assert!(signature.params.len() >= signature.min || signature.max.is_none());
        }
        assert_eq!(Function::SavePage as usize + 1, SIGNATURES.len());
    }

    #[test]
    fn signatures_print() {
        let check = |name, expected: &str| assert_eq!(lookup(name).unwrap().to_string(), expected);
        check("last", "last()");
        check("name", "name(node-set?)");
        check("substring", "substring(string, number, number?)");
        check("concat", "concat(string, string, …)");
        check("boolean", "boolean(any)");
        check("opex:minus", "opex:minus(number, number)");
        check("select-text", "select-text(node-set?, node-set?)");
    }

    #[test]
    fn only_node_sets_are_demanding() {
        assert!(Type::NodeSet.fits(Type::Number));
        assert!(Type::Boolean.fits(Type::String));
        assert!(Type::Any.fits(Type::NodeSet));
        assert!(!Type::String.fits(Type::NodeSet));
    }
}
