//! Expressions that give text.

use super::{Compiler, compile_regex, static_type};
use crate::diag::{Code, Diagnostic};
use crate::functions::{Function, Type};
use crate::plan::{Choice, Each, Markup, Nodes, Number, Path, Pattern, Start, Text};
use crate::syntax::ast::{Expr, ExprKind};
use crate::value::number_to_string;
use record::values::DateFormat;

impl Compiler {
    pub(crate) fn text(&mut self, expr: &Expr) -> Text {
        if self.is_fixed(expr) {
            let inner = self.without_fixed(|this| this.text(expr));
            // The text of a node is not copied; a remembered text would be.
            if let Text::OfNodes(_) = inner {
                return inner;
            }
            self.slots.fixed_texts += 1;
            return Text::Fixed {
                slot: self.slots.fixed_texts - 1,
                inner: Box::new(inner),
            };
        }
        match static_type(expr) {
            Type::NodeSet | Type::Any => match self.nodes(expr) {
                Nodes::Path(Path {
                    start: Start::Context,
                    steps,
                    ..
                }) if steps.is_empty() => Text::Context,
                nodes => Text::OfNodes(Box::new(nodes)),
            },
            Type::Boolean => Text::OfTruth(Box::new(self.truth(expr))),
            Type::Number => match self.number(expr) {
                Number::Constant(value) => Text::Constant(number_to_string(value)),
                number => Text::OfNumber(Box::new(number)),
            },
            Type::String => match &expr.kind {
                ExprKind::Literal(text) => Text::Constant(text.clone()),
                ExprKind::FirstOf(operands) => self.first_text(operands),
                ExprKind::Call { name, args, .. } => self.text_call(name, args),
                _ => Text::Constant(String::new()),
            },
        }
    }

    fn text_call(&mut self, name: &str, args: &[Expr]) -> Text {
        let Some(function) = Function::find(name) else {
            return Text::Constant(String::new());
        };
        let local = function == Function::LocalName;
        let mut text = |at: usize| Box::new(self.operand_text(&args[at]));
        match function {
            Function::String => self.text(&args[0]),
            Function::Concat => Text::Concat(args.iter().map(|arg| self.operand_text(arg)).collect()),
            Function::SubstringBefore if args.len() == 2 => Text::SubstringBefore(text(0), text(1)),
            Function::SubstringAfter if args.len() == 2 => Text::SubstringAfter(text(0), text(1)),
            Function::SubstringBefore
            | Function::SubstringAfter
            | Function::SubstringBeforeReverse
            | Function::SubstringAfterReverse => Text::Part {
                text: text(0),
                mark: text(1),
                nth: args.get(2).map(|nth| Box::new(self.operand_number(nth))),
                after: matches!(function, Function::SubstringAfter | Function::SubstringAfterReverse),
                from_end: matches!(
                    function,
                    Function::SubstringBeforeReverse | Function::SubstringAfterReverse
                ),
            },
            Function::QualifyUrl => Text::Absolute(text(0)),
            Function::CurrentUrl => Text::PageUrl,
            Function::Now => Text::Now,
            Function::InnerHtml => Text::Markup {
                nodes: Box::new(self.nodes(&args[0])),
                form: Markup::Inner,
            },
            Function::OuterHtml => Text::Markup {
                nodes: Box::new(self.nodes(&args[0])),
                form: Markup::Outer,
            },
            Function::ToXml => Text::Markup {
                nodes: Box::new(self.nodes(&args[0])),
                form: Markup::Xml,
            },
            Function::PageContent => {
                let root = Path {
                    start: Start::Root,
                    steps: Vec::new(),
                    walkable: true,
                    ordered: true,
                    table: None,
                };
                Text::Markup {
                    nodes: Box::new(Nodes::Path(root)),
                    form: Markup::Outer,
                }
            }
            Function::NormalizeSpace => Text::NormalizeSpace(text(0)),
            Function::Trim => Text::Trim(text(0)),
            Function::Tokenize => {
                let text = text(0);
                Text::Token {
                    text,
                    pattern: self.pattern(&args[1], None),
                    nth: Box::new(self.operand_number(&args[2])),
                }
            }
            Function::Json => Text::Json {
                text: text(0),
                path: text(1),
                nth: args.get(2).map(|nth| Box::new(self.operand_number(nth))),
            },
            Function::Data => Text::Data {
                path: (!args.is_empty()).then(|| text(0)),
                kind: (args.len() > 1).then(|| text(1)),
                nth: args.get(2).map(|nth| Box::new(self.operand_number(nth))),
            },
            Function::Date => self.date(&args[0], &args[1]),
            Function::Translate => Text::Translate(text(0), text(1), text(2)),
            Function::LowerCase => Text::LowerCase(text(0)),
            Function::UpperCase => Text::UpperCase(text(0)),
            Function::Substring => Text::Substring {
                text: text(0),
                start: Box::new(self.operand_number(&args[1])),
                length: args.get(2).map(|length| Box::new(self.operand_number(length))),
            },
            // Positions count from the end: the substring of the reverse, reversed.
            Function::SubstringReverse => Text::Reverse(Box::new(Text::Substring {
                text: Box::new(Text::Reverse(text(0))),
                start: Box::new(self.operand_number(&args[1])),
                length: args.get(2).map(|length| Box::new(self.operand_number(length))),
            })),
            Function::Name | Function::LocalName => Text::Name {
                nodes: Box::new(self.nodes(&args[0])),
                local,
            },
            Function::StringJoin => {
                let separator = args
                    .get(1)
                    .map_or(Text::Constant(String::new()), |arg| self.operand_text(arg));
                match static_type(&args[0]) {
                    Type::NodeSet => Text::Join {
                        nodes: Box::new(self.nodes(&args[0])),
                        separator: Box::new(separator),
                        each: args.get(2).map_or(Each::Value, |name| self.each(name)),
                    },
                    _ => self.text(&args[0]),
                }
            }
            Function::Replace => {
                let text = text(0);
                let pattern = self.pattern(&args[1], args.get(3));
                Text::Replace {
                    text,
                    pattern,
                    with: Box::new(self.operand_text(&args[2])),
                }
            }
            // `namespace-uri()`: names on a page are in no namespace.
            _ => Text::Constant(String::new()),
        }
    }

    fn first_text(&mut self, operands: &[Expr]) -> Text {
        Text::FirstOf(operands.iter().map(|operand| self.choice(operand)).collect())
    }

    fn choice(&mut self, expr: &Expr) -> Choice {
        match static_type(expr) {
            Type::NodeSet | Type::Any => Choice::Nodes(self.nodes(expr)),
            Type::String => Choice::Text(self.operand_text(expr)),
            Type::Number => Choice::Number(self.operand_number(expr)),
            Type::Boolean => Choice::Truth(self.operand_truth(expr)),
        }
    }

    /// A date by its format, which is known before the first page: it decides the type of the column.
    fn date(&mut self, text: &Expr, format: &Expr) -> Text {
        let text = self.operand_text(text);
        let ExprKind::Literal(written) = &format.kind else {
            let words = "expected the format of `date` as a text in quotes, found an expression";
            self.diagnostics.push(
                Diagnostic::error(Code::TypeMismatch, format.span, words).with_hint("write it like `\"D.M.YYYY\"`"),
            );
            return text;
        };
        match DateFormat::new(written) {
            Ok(format) => Text::Date {
                text: Box::new(text),
                format: Box::new(format),
            },
            Err(reason) => {
                let words = format!("expected a format of dates, found `{written}`: {reason}");
                let error = Diagnostic::error(Code::InvalidFormat, format.span, words);
                self.diagnostics
                    .push(error.with_hint("the day is `D`, the month `M` or `MMM`, the year `YYYY`, the time `H:mm`"));
                text
            }
        }
    }

    /// The function that `string-join` applies to each node, by its name.
    fn each(&mut self, name: &Expr) -> Each {
        let ExprKind::Literal(text) = &name.kind else {
            return Each::Value;
        };
        match text.as_str() {
            "normalize-space" => Each::NormalizedValue,
            "innerhtml" => Each::Markup(Markup::Inner),
            "outerhtml" => Each::Markup(Markup::Outer),
            "to-xml" => Each::Markup(Markup::Xml),
            "string" => Each::Value,
            other => {
                let text = format!("expected a function that `string-join` can apply, found `{other}`");
                let hint = "it can apply `normalize-space`, `innerhtml`, `outerhtml`, `to-xml` and `string`";
                self.diagnostics
                    .push(Diagnostic::error(Code::UnknownFunction, name.span, text).with_hint(hint));
                Each::Value
            }
        }
    }

    pub(super) fn pattern(&mut self, pattern: &Expr, flags: Option<&Expr>) -> Pattern {
        let planned = self.operand_text(pattern);
        let planned_flags = flags.map(|flags| self.operand_text(flags));
        match (
            &planned,
            planned_flags.as_ref().unwrap_or(&Text::Constant(String::new())),
        ) {
            (Text::Constant(text), Text::Constant(set)) => match compile_regex(text, set) {
                Ok(regex) => Pattern::Fixed(regex),
                Err(reason) => {
                    let mut diagnostic = Diagnostic::error(
                        Code::InvalidRegex,
                        pattern.span,
                        format!("invalid regular expression: {reason}"),
                    );
                    diagnostic.label = "in this pattern".to_owned();
                    self.diagnostics.push(diagnostic);
                    Pattern::Computed {
                        pattern: Box::new(planned),
                        flags: None,
                    }
                }
            },
            _ => {
                self.computed += 1;
                Pattern::Computed {
                    pattern: Box::new(planned),
                    flags: planned_flags.map(Box::new),
                }
            }
        }
    }
}
