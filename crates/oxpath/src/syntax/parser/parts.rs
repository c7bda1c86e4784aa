//! Named parts of an expression: `let next = //a.next/{click /};`.
//!
//! ```text
//! Import     ::= 'import' Literal ';'
//! Definition ::= 'let' Name ('(' Parameter (',' Parameter)* ')')? '=' Expr ';'
//! Parameter  ::= '$' Name
//! Use        ::= Name '(' (Argument (',' Argument)*)? ')'
//! ```
//!
//! **Meaning.** A part is put in where it is used: as an expression it counts as one in parentheses, and in place of a
//! step, as in `doc("…")/login()//li`, as a group. So nothing after the parser knows of parts, every restriction holds
//! for what is put in, and the tree prints as one expression without definitions. What is put in keeps the positions of
//! its definition, so a message shows the line that must be changed.
//!
//! **Scope.** All definitions of a source share one scope. A part may use the parts that are defined before it, so there
//! are no cycles. No part has the name of a function, and no name is defined twice.
//!
//! **Parameters** are values: texts, numbers, variables, and what functions make of these. They do not read the page,
//! because it would not be clear of which node: the one where the part is used, or the one where the parameter is.
//!
//! Uses have parentheses because a name alone is an element, and a `$` before it a value. Definitions end with a
//! semicolon because an expression may go on in the next line.
//!
//! **Cost.** A part that uses another one twice doubles with each level, so the number of expressions that are put in is
//! limited ([`MOST_PASTED`]).

use super::super::ast::{Expr, ExprKind, KleeneForm, NodeTest, Separator, Step, StepForm};
use super::super::lexer::{NODE_TYPES, Token, TokenKind};
use super::super::shape::{each_child, each_child_mut, is_simple, reads_page};
use super::{Imports, Parser, Tall, brief};
use crate::check::RESERVED;
use crate::diag::{Code, Diagnostic, Span, nearest};
use crate::functions;

/// The most expressions that may be put in for parts: ten times what the largest expression by hand has.
const MOST_PASTED: usize = 50_000;

/// A part that was defined.
pub(super) struct Part {
    span: Span,
    params: Vec<String>,
    body: Expr,
    height: usize,
    size: usize,
}

/// Definitions.
impl Parser<'_> {
    /// The definitions before the expression.
    pub(super) fn definitions(&mut self) {
        for pair in self.tokens.windows(2) {
            self.has_imports |= pair[0].kind == TokenKind::Import;
            if pair[0].kind == TokenKind::Let {
                let name = &self.source[pair[1].span.range()];
                self.declared.entry(name).or_insert(pair[1].span);
            }
        }
        loop {
            match self.kind() {
                TokenKind::Let => self.definition(),
                TokenKind::Import => self.import(),
                _ => return,
            }
        }
    }

    fn import(&mut self) {
        let start = self.bump().span;
        self.bump();
        if self.imports == Imports::Refused {
            let span = self.since(start.start);
            let message = "expected a source that is complete, found an import";
            let error = Diagnostic::error(Code::Import, span, message).with_label("not read here");
            self.diagnostics
                .push(error.with_hint("imports are read when an expression is read from its file"));
        }
        self.semicolon("the import");
    }

    /// ```text
    /// Definition ::= 'let' Name ('(' Parameter (',' Parameter)* ')')? '=' Expr ';'
    /// ```
    fn definition(&mut self) {
        let before = self.diagnostics.len();
        let start = self.at;
        self.bump();
        let span = self.bump().span;
        let name = self.text(span).to_owned();
        let is_new = self.check_name(&name, span);
        let mut params: Vec<String> = Vec::new();
        if self.is(TokenKind::OpenParen) {
            let open = self.open(TokenKind::CloseParen);
            while self.is(TokenKind::Variable) {
                let span = self.bump().span;
                let param = self.text(span)[1..].to_owned();
                if params.contains(&param) || RESERVED.contains(&param.as_str()) {
                    let message = format!("expected another name for a parameter, found `${param}`");
                    let why = match params.contains(&param) {
                        true => "there is one of this name",
                        false => "the expression binds this variable itself",
                    };
                    self.diagnostics
                        .push(Diagnostic::error(Code::Part, span, message).with_label(why));
                }
                params.push(param);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.close(open);
        }
        if !self.eat(TokenKind::Equal) {
            let error = self
                .expected(&format!("`=` after the name of the part `{name}`"))
                .with_hint(format!(
                    "write it like `let {name} = …;`, parameters like `let {name}($x) = …;`"
                ));
            self.complain(error);
        }
        let Tall { expr: body, height } = self.expr();
        if self.is(TokenKind::End) && !self.cut_off {
            self.diagnostics.truncate(before);
            return self.endless(start, &name);
        }
        self.semicolon(&format!("the definition of `{name}`"));
        if !is_new {
            return;
        }
        let size = size(&body);
        let part = Part {
            span,
            params,
            body,
            height,
            size,
        };
        self.parts.insert(name, part);
    }

    /// Reports a definition that never ends, where the expression after it probably begins.
    fn endless(&mut self, start: usize, name: &str) {
        let begins = |pair: &&[Token]| {
            let goes_on = matches!(
                pair[0].kind,
                TokenKind::Slash | TokenKind::DoubleSlash | TokenKind::OpenParen
            );
            pair[1].kind == TokenKind::FunctionName && self.text(pair[1].span) == "doc" && !goes_on
        };
        // The first `doc` of the definition itself is its value.
        let found = self.tokens[start..].windows(2).skip(3).find(begins).map(|pair| pair[1]);
        let message = format!("expected `;` at the end of the definition of `{name}`");
        let span = found.unwrap_or(self.token()).span;
        let mut error = Diagnostic::error(Code::Syntax, span, message)
            .with_hint("a definition ends with `;`, and the expression comes after all definitions");
        if found.is_some() {
            let at = Span {
                end: span.start,
                ..span
            };
            error = error.with_label("does the expression begin here?").with_fix(at, "; ");
        }
        self.diagnostics.push(error);
        self.abandon();
    }

    /// Reports a name that a part cannot have; false if it is one.
    fn check_name(&mut self, name: &str, span: Span) -> bool {
        let error = |message: String| Diagnostic::error(Code::Part, span, message);
        let is_known = functions::lookup(name).is_some() || NODE_TYPES.contains(&name) || name == "doc";
        if is_known {
            let found = error(format!("expected a new name for a part, found the function `{name}`"));
            self.diagnostics
                .push(found.with_hint(format!("call it something else, such as `my-{name}`")));
        } else if let Some(first) = self.parts.get(name) {
            let found = error(format!("the part `{name}` is defined twice"));
            let found = found.with_secondary(first.span, "first defined here");
            self.diagnostics.push(found);
        } else {
            return true;
        }
        false
    }

    /// Takes the semicolon, or reports that it is missing and goes on after the next one.
    fn semicolon(&mut self, after: &str) {
        if self.eat(TokenKind::Semicolon) {
            return;
        }
        let error = self.expected(&format!("`;` at the end of {after}"));
        self.complain(error);
        // Up to the next definition, so that one mistake is one message.
        while !matches!(self.kind(), TokenKind::Semicolon | TokenKind::Let | TokenKind::End) {
            self.bump();
        }
        if self.is(TokenKind::End) {
            self.cut_off = true;
        }
        self.eat(TokenKind::Semicolon);
    }
}

/// Uses.
impl Parser<'_> {
    /// Is a part used here?
    pub(super) fn at_part(&self) -> bool {
        if !self.is(TokenKind::FunctionName) {
            return false;
        }
        let name = self.text(self.token().span);
        self.declared.contains_key(name) && functions::lookup(name).is_none() || self.is_assumed(name)
    }

    /// May it be a part of a file that is not read?
    fn is_assumed(&self, name: &str) -> bool {
        self.has_imports && self.imports == Imports::Assumed && functions::lookup(name).is_none()
    }

    /// A part in place of a step: a group.
    pub(super) fn part_step(&mut self, separator: Separator, steps: &mut Vec<Step>) -> usize {
        let start = self.token().span.start;
        let Tall { expr, height } = self.part();
        steps.push(Step {
            separator,
            form: StepForm::Kleene {
                body: Box::new(expr),
                min: 1,
                max: Some(1),
                form: KleeneForm::Group,
            },
            predicates: Vec::new(),
            span: self.since(start),
        });
        height.max(self.suffixes(steps))
    }

    /// What is put in for the use of a part.
    pub(super) fn part(&mut self) -> Tall {
        let name_span = self.token().span;
        let name = self.text(name_span).to_owned();
        let call = self.function_call();
        let ExprKind::Call { args, .. } = call.expr.kind else {
            return call;
        };
        if let (None, Some(defined)) = (self.parts.get(&name), self.declared.get(name.as_str())) {
            let message = format!("the part `{name}` is used before it is defined");
            let error = Diagnostic::error(Code::Part, name_span, message).with_secondary(*defined, "defined here");
            self.diagnostics
                .push(error.with_hint("parts use those before them; a part that is repeated is written `(part())*`"));
            return self.placeholder();
        }
        let Some(part) = self.parts.get(&name) else {
            // Of a file that is not read: a step that says nothing.
            let step = Step {
                separator: Separator::None,
                form: StepForm::Full {
                    axis: super::Axis::Self_,
                    explicit: true,
                    test: NodeTest::Node,
                    selectors: Vec::new(),
                },
                predicates: Vec::new(),
                span: call.expr.span,
            };
            let kind = ExprKind::Path(super::Path {
                start: super::PathStart::Context,
                steps: vec![step],
            });
            return self.build(kind, call.expr.span, 2);
        };
        self.pasted += part.size;
        if self.pasted > MOST_PASTED {
            let message = format!("expected at most {MOST_PASTED} expressions in all uses of parts, found more");
            let error = Diagnostic::error(Code::LimitExceeded, call.expr.span, message);
            self.diagnostics
                .push(error.with_hint("a part that uses another one twice doubles with each level"));
            self.abandon();
            return self.placeholder();
        }
        self.diagnostics
            .extend(wrong_arguments(&name, part, &args, call.expr.span));
        let (mut body, height) = (part.body.clone(), part.height);
        if !part.params.is_empty() {
            let values: Vec<(&str, &Expr)> = part.params.iter().map(String::as_str).zip(&args).collect();
            put_in(&mut body, &values);
        }
        let deepest = args.iter().map(deep).max().unwrap_or(0);
        // Values stand where variables were.
        let height = height + deepest.saturating_sub(1);
        match height + self.depth > super::MAX_DEPTH {
            true => {
                self.too_deep();
                self.placeholder()
            }
            false => Tall { expr: body, height },
        }
    }

    /// A hint for a function that does not exist as a step: a part with a similar name.
    pub(super) fn nearest_part(&self, name: &str) -> Option<&str> {
        let mut names: Vec<&str> = self.parts.keys().map(String::as_str).collect();
        names.sort_unstable();
        nearest(name, names)
    }
}

/// What is wrong with the values for a part.
fn wrong_arguments(name: &str, part: &Part, args: &[Expr], span: Span) -> Vec<Diagnostic> {
    if part.params.len() != args.len() {
        let plural = if part.params.len() == 1 { "" } else { "s" };
        let count = part.params.len();
        let message = format!("the part `{name}` takes {count} value{plural}, found {}", args.len());
        return vec![Diagnostic::error(Code::Part, span, message).with_secondary(part.span, "defined here")];
    }
    let reads = args.iter().filter(|arg| reads_page(arg) || !is_simple(arg));
    let error = |arg: &Expr| {
        let found = brief(&arg.to_string());
        let message = format!("expected a value that does not depend on the page, found `{found}`");
        Diagnostic::error(Code::Part, arg.span, message)
            .with_hint("parts take texts, numbers and variables, such as `login(\"me\", $password)`")
    };
    reads.map(error).collect()
}

/// Puts values in for variables.
fn put_in(expr: &mut Expr, values: &[(&str, &Expr)]) {
    if let ExprKind::Variable(name) = &expr.kind
        && let Some((_, value)) = values.iter().find(|(param, _)| param == name)
    {
        *expr = (*value).clone();
        return;
    }
    each_child_mut(expr, &mut |child| put_in(child, values));
}

/// How many expressions there are in an expression, itself included.
fn size(expr: &Expr) -> usize {
    let mut all = 1;
    each_child(expr, &mut |child| all += size(child));
    all
}

/// The height of a tree.
fn deep(expr: &Expr) -> usize {
    let mut highest = 0;
    each_child(expr, &mut |child| highest = highest.max(deep(child)));
    1 + highest
}

#[cfg(test)]
mod tests {
    use super::super::{Imports, parse, parse_as};

    #[test]
    fn parts_are_put_in() {
        let check = |source: &str, expected: &str| {
            let found = parse(source).unwrap_or_else(|found| panic!("{source}: {found:?}"));
            assert_eq!(found.to_string(), expected, "{source}");
            // What is printed is one expression, and the same.
            assert_eq!(parse(expected).expect(expected).to_string(), expected);
        };
        check("let a = b; a()", "b");
        check("let a = b; count(a())", "count(b)");
        check("let a = b | c; a()/d", "(b | c)/d");
        check("let a = b | c; //x/a()/d", "//x/(b | c)/d");
        check("let a = 1 + 2; a() * 3", "(1 + 2) * 3");
        check("let a = b;\nlet c = a()/d; (: uses it :) x[c()]", "x[(b)/d]");
        check(
            "let next = //a.next/{click /}; doc('u')/(next())*//li:<x>",
            "doc(\"u\")/(//a.next/{click /})*//li:<x>",
        );
        check(
            "let login($user, $pass) = //input#u/{$user}/following::input/{$pass}/{press 'Enter' /};
             doc('u')/login('me', concat($secret, '!'))//li:<x>",
            "doc(\"u\")/(//input#u/{\"me\"}/following::input/{concat($secret, \"!\")}/{press \"Enter\" /})//li:<x>",
        );
        check("let f = b[1]; f():<x>[c:<y=.>]", "(b[1]):<x>[c:<y=.>]");
        check("let f = b; //a/f():<x>[c:<y=.>]", "//a/(b):<x>[c:<y=.>]");
        check(
            "let f = string(h2) ?? string(h3); //a:<x>[.:<y=f()>]",
            "//a:<x>[.:<y=string(h2) ?? string(h3)>]",
        );
        // Elements may have these names.
        check("let/import", "let/import");
        check("let | import", "let | import");
        check("let div (3)", "let div 3");
    }

    #[test]
    fn mistakes_in_parts() {
        let check = |source: &str, expected: &[&str]| {
            let found = parse(source).expect_err(source);
            let found: Vec<String> = found
                .iter()
                .map(|found| format!("{} at {}", found.message, &source[found.span.range()]))
                .collect();
            assert_eq!(found, expected, "{source}");
        };
        check("let a = b; let a = c; a()", &["the part `a` is defined twice at a"]);
        check(
            "let count = b; count(c)",
            &["expected a new name for a part, found the function `count` at count"],
        );
        check(
            "let f($x) = {$x}; //a/f()",
            &["the part `f` takes 1 value, found 0 at f()"],
        );
        check(
            "let f($x) = {$x}; //a/f(@b)",
            &["expected a value that does not depend on the page, found `@b` at @b"],
        );
        check(
            "let f($x, $x) = {$x}; //a/f('a', 'b')",
            &["expected another name for a parameter, found `$x` at $x"],
        );
        check(
            "let f($this) = {$this}; //a/f('a')",
            &["expected another name for a parameter, found `$this` at $this"],
        );
        check(
            "let f = //a 3",
            &["expected `;` at the end of the definition of `f`, found `3` at 3"],
        );
        check(
            "let f = //a; //b;",
            &["expected the end of the expression, found `;` at ;"],
        );
    }

    /// A part sees only those before it, so none can use itself.
    #[test]
    fn there_are_no_cycles() {
        let found = parse("let a = //x/a(); a()").expect_err("a cycle");
        assert_eq!(found[0].message, "the part `a` is used before it is defined");
        let found = parse("let a = //x/b(); let b = //y; a()").expect_err("used before it is defined");
        assert_eq!(found[0].message, "the part `b` is used before it is defined");
    }

    #[test]
    fn doubling_parts_are_refused() {
        let mut source = "let p0 = a;".to_owned();
        for at in 1..60 {
            source += &format!("let p{at} = p{0}() | p{0}();", at - 1);
        }
        let found = parse(&format!("{source} p59()")).expect_err("too long");
        assert!(found[0].message.contains("in all uses of parts"), "{found:?}");
        let mut source = "let p0 = a;".to_owned();
        for at in 1..400 {
            source += &format!("let p{at} = x[p{}()];", at - 1);
        }
        let found = parse(&format!("{source} p399()")).expect_err("too deep");
        assert!(found[0].message.contains("levels of nesting"), "{found:?}");
    }

    #[test]
    fn imports_are_refused_or_assumed() {
        let source = "import 'common.oxp'; doc('u')/login()//li:<x>";
        let found = parse(source).expect_err("not complete");
        assert_eq!(found[0].message, "expected a source that is complete, found an import");
        assert!(parse_as(source, Imports::Assumed).is_ok());
    }
}
