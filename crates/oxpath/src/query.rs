//! A compiled expression.

use crate::diag::{Diagnostic, Severity};
use crate::error::CompileError;
use crate::eval::{self, EvalError};
use crate::plan::{self, Plan};
use crate::syntax::ast::{Expr, ExprKind};
use crate::value::Value;
use crate::{check, normal, syntax};
use page::{NodeId, Page};

/// A compiled expression: immutable, cheap to keep, usable on any number of pages from any number of threads.
///
/// ```
/// use oxpath::{Query, Value};
/// let page = page::Page::parse(b"<ul><li>one<li>two</ul>", &Default::default()).unwrap();
/// let query = Query::compile("count(//li)").unwrap();
/// assert_eq!(query.evaluate(&page), Ok(Value::Number(2.0)));
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    ast: Expr,
    plan: Plan,
    warnings: Vec<Diagnostic>,
}

impl Query {
    /// Compiles an expression without variables.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the expression, in the order of the source, including warnings.
    pub fn compile(source: &str) -> Result<Query, CompileError> {
        Query::with_variables(source, &[])
    }

    /// Compiles an expression whose variables have the given values.
    ///
    /// Values are strings, numbers or booleans; nodes belong to a page and cannot be bound before there is one.
    ///
    /// # Errors
    ///
    /// As [`Query::compile`].
    pub fn with_variables(source: &str, variables: &[(&str, Value)]) -> Result<Query, CompileError> {
        Query::checked(source, variables).map_err(|found| CompileError::new(source, found))
    }

    fn checked(source: &str, variables: &[(&str, Value)]) -> Result<Query, Vec<Diagnostic>> {
        let mut ast = syntax::parse(source)?;
        let names: Vec<&str> = variables.iter().map(|(name, _)| *name).collect();
        let found = check::check(&ast, &names);
        if found.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Err(found);
        }
        if !variables.is_empty() {
            bind(&mut ast, variables);
        }
        let plan = plan::compile(&normal::normalize(&ast))?;
        Ok(Query {
            ast,
            plan,
            warnings: found,
        })
    }

    /// What looks wrong in the expression but does not prevent evaluation.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// What looks wrong if the expression is evaluated with the document of a page as context, as [`Query::evaluate`]
    /// does: `h1` alone finds nothing there.
    pub fn warning_at_document(&self) -> Option<Diagnostic> {
        check::at_document(&self.ast)
    }

    /// The expression; it prints in canonical form.
    pub fn ast(&self) -> &Expr {
        &self.ast
    }

    /// Evaluates the expression with the document of a page as context.
    ///
    /// # Errors
    ///
    /// When a computed value is invalid or too long: see [`EvalError`].
    pub fn evaluate(&self, page: &Page) -> Result<Value, EvalError> {
        self.evaluate_at(page, NodeId::DOCUMENT)
    }

    /// Evaluates the expression with a node of a page as context.
    ///
    /// # Errors
    ///
    /// As [`Query::evaluate`].
    pub fn evaluate_at(&self, page: &Page, node: NodeId) -> Result<Value, EvalError> {
        eval::evaluate(&self.plan, page, node)
    }

    /// The number of nodes that an evaluation visits, with the document of a page as context.
    ///
    /// A measure of its time that is the same on every machine. Work on texts is not included.
    ///
    /// # Errors
    ///
    /// As [`Query::evaluate`].
    pub fn visits(&self, page: &Page) -> Result<u64, EvalError> {
        eval::visits(&self.plan, page)
    }
}

#[cfg(test)]
impl Query {
    /// As [`Query::evaluate_at`], with all tables that are otherwise made on large pages only.
    pub(crate) fn evaluate_impatiently_at(&self, page: &Page, node: NodeId) -> Result<Value, EvalError> {
        eval::evaluate_impatiently(&self.plan, page, node)
    }
}

/// Puts values in the place of variables. The checks let reserved ones stand only where they mean nodes.
pub(crate) fn bind(expr: &mut Expr, variables: &[(&str, Value)]) {
    syntax::each_child_mut(expr, &mut |child| bind(child, variables));
    let ExprKind::Variable(name) = &expr.kind else {
        return;
    };
    if check::RESERVED.contains(&&**name) {
        return;
    }
    let call = |name: &str| ExprKind::Call {
        name: name.to_owned(),
        name_span: expr.span,
        args: Vec::new(),
    };
    let value = variables
        .iter()
        .find(|(known, _)| known == name)
        .map(|(_, value)| value);
    expr.kind = match value {
        Some(Value::String(text)) => ExprKind::Literal(text.clone()),
        Some(Value::Number(number)) => ExprKind::Number(*number),
        Some(Value::Boolean(true)) => call("true"),
        Some(Value::Boolean(false)) => call("false"),
        Some(Value::Nodes(_)) | None => return,
    };
}
