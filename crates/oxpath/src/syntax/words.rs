//! The words of the language, for editors.

use super::ast::Axis;
use super::lexer;
use super::parser;
use crate::functions;

/// The words that have a meaning, by what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// Operators that are words: `or`, `div`.
    pub operators: Vec<&'static str>,
    /// What begins a definition or an import.
    pub definitions: Vec<&'static str>,
    /// Axes, without `::`.
    pub axes: Vec<&'static str>,
    /// Node types, without parentheses.
    pub node_types: Vec<&'static str>,
    /// Functions, also those that are known and not supported.
    pub functions: Vec<&'static str>,
    /// Actions, as in `{click}`.
    pub actions: Vec<&'static str>,
    /// Options of actions and of `doc`.
    pub options: Vec<&'static str>,
    /// Words in a marker.
    pub marker_words: Vec<&'static str>,
}

/// The words of the language.
///
/// ```
/// assert!(oxpath::syntax::words().operators.contains(&"subset"));
/// ```
#[must_use]
pub fn words() -> Words {
    let (actions, options) = parser::action_words();
    Words {
        operators: lexer::WORDS.iter().map(|(word, _)| *word).collect(),
        definitions: lexer::DEFINITIONS.to_vec(),
        axes: Axis::ALL.map(Axis::name).to_vec(),
        node_types: lexer::NODE_TYPES.to_vec(),
        functions: functions::SIGNATURES.iter().map(|signature| signature.name).collect(),
        actions,
        options,
        marker_words: vec![crate::run::REQUIRED],
    }
}
