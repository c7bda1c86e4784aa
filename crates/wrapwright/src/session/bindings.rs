//! One expression, many sets of values: a run for each row of a table and each combination of given values.
//!
//! A value replaces `${name}` in the text of the expression (see [`template`]) and is the value of the
//! variable `$name`. Constants are checked when an expression is compiled, so an expression may be fine with one set of
//! values and wrong with another. That is why [`Runs::compile`] compiles all of them before anything is fetched. It keeps
//! only the first, because there may be a million of them; each is compiled again when its run begins.

use crate::shard::host_of;
use crate::{Shard, Table, template};
use oxpath::check::{Dialect, check_as};
use oxpath::diag::{Code, Diagnostic, Severity};
use oxpath::run::Script;
use oxpath::{CompileError, Value};
use page::Job;
use record::VALUE;
use std::fmt;
use std::sync::Arc;

/// Keys that records have anyway, so no marker may have these names.
pub const RESERVED: [&str; 4] = ["_bind", "_page", "_record", VALUE];

/// Sets of values for variables: each row of a table with each combination of the given values.
///
/// ```
/// use wrapwright::session::Bindings;
/// let given = [("city", "Rome"), ("city", "Oslo"), ("year", "1999")];
/// let bindings = Bindings::new(given.map(|(name, value)| (name.to_owned(), value.to_owned())), None);
/// assert_eq!(bindings.count(), 2);
/// assert_eq!(bindings.of(1)[0], ("city".to_owned(), "Oslo".to_owned()));
/// ```
#[derive(Clone, Debug)]
pub struct Bindings {
    rows: Vec<Row>,
    combinations: Vec<Vec<(String, String)>>,
    from_table: bool,
    /// The sets of a shard; all of them without one.
    chosen: Option<Vec<usize>>,
}

/// The values of a row, and the line that it begins on.
#[derive(Clone, Debug, Default)]
struct Row {
    line: usize,
    values: Vec<(String, String)>,
}

impl Default for Bindings {
    /// One set, without values.
    fn default() -> Bindings {
        Bindings::new([], None)
    }
}

impl Bindings {
    /// The sets of these values and, if there is a table, its rows. A name may be given several values; a name that is
    /// given a value ignores the column of that name.
    pub fn new(given: impl IntoIterator<Item = (String, String)>, table: Option<Table>) -> Bindings {
        let given: Vec<(String, String)> = given.into_iter().collect();
        let from_table = table.is_some();
        let rows = match table {
            None => vec![Row::default()],
            Some(Table { names, rows, lines }) => {
                let rows = rows.into_iter().zip(lines).map(|(row, line)| Row {
                    line,
                    values: names.iter().cloned().zip(row).collect(),
                });
                rows.collect()
            }
        };
        Bindings {
            rows,
            combinations: combinations(&given),
            from_table,
            chosen: None,
        }
    }

    /// Only the sets of a shard, by their names and values or, if the shard is [by host](Shard::by_host), by the host of the
    /// first page of this expression. They may be none: the other shards have them.
    #[must_use]
    pub fn shard(self, shard: &Shard, source: &str) -> Bindings {
        let takes = |number: &usize| {
            let mut values = self.of(*number);
            if shard.is_by_host()
                && let Some(host) = first_page(source, &values).as_deref().and_then(host_of)
            {
                return shard.takes_all([host.as_str()]);
            }
            values.sort_unstable();
            shard.takes_all(values.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]))
        };
        let chosen = (0..self.count()).filter(takes).collect();
        Bindings {
            chosen: Some(chosen),
            ..self
        }
    }

    /// The number of sets.
    pub fn count(&self) -> usize {
        match &self.chosen {
            Some(chosen) => chosen.len(),
            None => self.count_all(),
        }
    }

    /// The number of sets of all shards.
    fn count_all(&self) -> usize {
        self.rows.len() * self.combinations.len()
    }

    /// The number of a set among all of them.
    fn at(&self, number: usize) -> usize {
        self.chosen.as_ref().map_or(number, |chosen| chosen[number])
    }

    /// The values of a set.
    ///
    /// # Panics
    ///
    /// There is no set of this number.
    pub fn of(&self, number: usize) -> Vec<(String, String)> {
        self.of_all(self.at(number))
    }

    /// The values of a set, by its number among those of all shards.
    fn of_all(&self, number: usize) -> Vec<(String, String)> {
        let mut values = self.combinations[number % self.combinations.len()].clone();
        for (name, value) in &self.row(number).values {
            if !values.iter().any(|(bound, _)| bound == name) {
                values.push((name.clone(), value.clone()));
            }
        }
        values
    }

    /// The line of the table that a set comes from, if there is a table.
    ///
    /// # Panics
    ///
    /// There is no set of this number.
    pub fn line(&self, number: usize) -> Option<usize> {
        self.from_table.then(|| self.row(self.at(number)).line)
    }

    fn row(&self, number: usize) -> &Row {
        &self.rows[number / self.combinations.len()]
    }
}

/// The address in the first `doc("…")` or `doc($name)` of an expression, where it can be seen without running it. A wrong
/// guess costs little: another order of units, or a row in the shard of another host.
pub(crate) fn first_page(source: &str, values: &[(String, String)]) -> Option<String> {
    let pairs: Vec<(&str, &str)> = values.iter().map(|(name, value)| (&**name, &**value)).collect();
    let (text, _) = template::fill(source, &pairs);
    let argument = text[text.find("doc(")? + 4..].trim_start();
    if let Some(name) = argument.strip_prefix('$') {
        let name = name.split([')', ' ', ',']).next()?;
        return pairs
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| (*value).to_owned());
    }
    let quote = argument.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    argument[1..].split_once(quote).map(|(address, _)| address.to_owned())
}

/// One set for each combination of the values given, in the order given.
fn combinations(given: &[(String, String)]) -> Vec<Vec<(String, String)>> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in given {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for name in names {
        let values: Vec<&(String, String)> = given.iter().filter(|(bound, _)| bound == name).collect();
        all = all
            .iter()
            .flat_map(|before| {
                let with = |binding: &&(String, String)| before.iter().cloned().chain([(*binding).clone()]).collect();
                values.iter().map(with).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// What an expression must be like.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Must it open its first page itself?
    pub opens_page: bool,
    /// Must it open its first page itself, and ask for no styles unless there is a browser?
    pub runnable: bool,
    /// Is there a browser, which knows styles?
    pub browser: bool,
    /// Are warnings errors?
    pub strict: bool,
    /// May names have no value? For a check of the expression alone: it is compiled as if each had some value.
    pub allow_unbound: bool,
}

/// Runs of one expression that were checked, one for each set of values. A copy costs a reference count.
#[derive(Clone, Debug)]
pub struct Runs {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    source: String,
    bindings: Bindings,
    allow_unbound: bool,
    first: Script,
    first_source: String,
    styles: Vec<String>,
}

/// Why an expression cannot be run with its values.
#[derive(Debug)]
pub struct RunsError {
    /// The set of values that it cannot be run with; none if there is not a single set, or the check was stopped.
    pub number: Option<usize>,
    /// These values.
    pub values: Vec<(String, String)>,
    /// The line of the table that they come from.
    pub line: Option<usize>,
    /// Is there more than one set, or a table?
    pub several: bool,
    /// What is wrong.
    pub problem: Box<RunsProblem>,
    /// The warnings of the first set, and the text that their spans refer to; if that set could be compiled.
    pub warnings: Option<(String, Vec<Diagnostic>)>,
}

/// What can be wrong with an expression and its values.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunsProblem {
    /// A table without a row.
    NoRows,
    /// `${name}` has no value.
    Unbound(String),
    /// It cannot be compiled.
    Compile(CompileError),
    /// It has warnings, and [`Checks::strict`] makes them errors.
    Warnings {
        /// The text that spans refer to.
        source: String,
        /// The warnings.
        warnings: Vec<Diagnostic>,
    },
    /// A marker has one of the [`RESERVED`] names.
    Reserved(String),
    /// It does not begin with `doc(…)`.
    NoStartPage {
        /// The text that the span refers to.
        source: String,
        /// Where `doc(…)` is missing.
        found: Box<Diagnostic>,
    },
    /// It asks for these styles, which only a browser knows.
    NeedsBrowser(Vec<String>),
    /// The job was stopped.
    Stopped,
}

impl fmt::Display for RunsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunsProblem::NoRows => f.write_str("the file of bindings has no rows, so there is nothing to run"),
            RunsProblem::Unbound(name) => write!(f, "`${{{name}}}` in the expression is not bound"),
            RunsProblem::Compile(error) => error.fmt(f),
            RunsProblem::Warnings { warnings, .. } => match warnings.first() {
                Some(first) => write!(f, "{} (a warning, which counts as an error)", first.message),
                None => f.write_str("the expression has warnings"),
            },
            RunsProblem::Reserved(name) => {
                write!(f, "the marker `{name}` has the name of a key that records have anyway")
            }
            RunsProblem::NoStartPage { .. } => {
                f.write_str("the expression does not begin with doc(…), so there is no page to start on")
            }
            RunsProblem::NeedsBrowser(styles) => write!(
                f,
                "the expression asks for styles ({}), which only a browser knows",
                styles.join(", ")
            ),
            RunsProblem::Stopped => f.write_str("stopped"),
        }
    }
}

impl RunsError {
    /// The values that it is about, as one line that is not too long: `$city = "Rome"`.
    pub fn values_in_words(&self) -> String {
        const MOST: usize = 200;
        let each = self.values.iter().map(|(name, value)| format!("${name} = {value:?}"));
        let mut values = each.collect::<Vec<_>>().join(", ");
        if let Some((end, _)) = values.char_indices().nth(MOST) {
            values.truncate(end);
            values.push('…');
        }
        values
    }
}

impl fmt::Display for RunsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.several && self.number.is_some() {
            if let Some(line) = self.line {
                write!(f, "line {line}: ")?;
            }
            write!(f, "with {}: ", self.values_in_words())?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for RunsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.problem {
            RunsProblem::Compile(error) => Some(error),
            _ => None,
        }
    }
}

impl Runs {
    /// Compiles an expression with each set of values, and checks it.
    ///
    /// ```
    /// use wrapwright::session::{Bindings, Checks, Runs};
    /// let given = ["1", "2"].map(|page| ("page".to_owned(), page.to_owned()));
    /// let source = "doc('http://a.test/${page}')//h1:<title=.>";
    /// let runs = Runs::compile(source, Bindings::new(given, None), &Checks::default(), &Default::default())?;
    /// assert_eq!(runs.count(), 2);
    /// # Ok::<(), wrapwright::session::RunsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// It cannot be run with one of them, or there is none.
    pub fn compile(source: &str, bindings: Bindings, checks: &Checks, job: &Job) -> Result<Runs, RunsError> {
        let mut first: Option<(Script, String)> = None;
        let mut styles = Vec::new();
        let count = bindings.count();
        let error = |number: Option<usize>, problem, first: Option<(Script, String)>| RunsError {
            values: number.map(|number| bindings.of(number)).unwrap_or_default(),
            line: number.and_then(|number| bindings.line(number)),
            several: count != 1 || bindings.from_table,
            number,
            problem: Box::new(problem),
            warnings: first.map(|(script, source)| (source, script.warnings().to_vec())),
        };
        for number in 0..count {
            if job.is_stopped() {
                return Err(error(None, RunsProblem::Stopped, first));
            }
            let (script, text) = match compile(source, &bindings.of(number), checks.allow_unbound) {
                Ok(compiled) => compiled,
                Err(problem) => return Err(error(Some(number), problem, first)),
            };
            let found = problem(&script, &text, checks);
            styles.extend(script.styles());
            styles.sort_unstable();
            styles.dedup();
            if let Some(problem) = found {
                let told = matches!(problem, RunsProblem::Warnings { .. }) && number == 0;
                let first = first.or((!told && number == 0).then_some((script, text)));
                return Err(error(Some(number), problem, first));
            }
            first.get_or_insert((script, text));
        }
        if first.is_none() && bindings.count_all() > 0 {
            // The types of the records are known from a set of another shard.
            let compiled = compile(source, &bindings.of_all(0), checks.allow_unbound);
            first = Some(compiled.map_err(|problem| error(None, problem, None))?);
        }
        let Some((first, first_source)) = first else {
            return Err(error(None, RunsProblem::NoRows, None));
        };
        Ok(Runs {
            shared: Arc::new(Shared {
                source: source.to_owned(),
                bindings,
                allow_unbound: checks.allow_unbound,
                first,
                first_source,
                styles,
            }),
        })
    }

    /// The number of runs: at least 1, unless this is a shard without any.
    pub fn count(&self) -> usize {
        self.shared.bindings.count()
    }

    /// The sets of values.
    pub fn bindings(&self) -> &Bindings {
        &self.shared.bindings
    }

    /// The expression of the first run.
    pub fn first(&self) -> &Script {
        &self.shared.first
    }

    /// The text of the first run's expression, with its values filled in; spans of warnings refer to it.
    pub fn first_source(&self) -> &str {
        &self.shared.first_source
    }

    /// The variables of the first run that have no value, as warnings; there are some only if [`Checks::allow_unbound`].
    pub fn unbound(&self) -> Vec<Diagnostic> {
        let values = self.bindings().of_all(0);
        let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
        let Ok(expr) = oxpath::syntax::parse(self.first_source()) else {
            return Vec::new();
        };
        let found = check_as(Dialect::OXPath, &expr, &names).into_iter();
        let unbound = found.filter(|found| found.code == Code::UnknownVariable);
        let as_warning = |found| Diagnostic {
            severity: Severity::Warning,
            ..found
        };
        unbound.map(as_warning).collect()
    }

    /// The computed styles that the expressions of all runs ask for.
    pub fn styles(&self) -> &[String] {
        &self.shared.styles
    }

    /// The expression of a run.
    ///
    /// # Panics
    ///
    /// There is no run of this number.
    pub fn script(&self, number: usize) -> Script {
        let shared = &self.shared;
        let compiled = compile(&shared.source, &shared.bindings.of(number), shared.allow_unbound);
        let (script, _) = compiled.expect("compiling depends on text and values alone, and these were compiled before");
        script
    }
}

/// Compiles the expression with one set of values; gives its text with the values filled in, too.
fn compile(source: &str, values: &[(String, String)], allow_unbound: bool) -> Result<(Script, String), RunsProblem> {
    let pairs: Vec<(&str, &str)> = values
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let (mut text, missing) = template::fill(source, &pairs);
    if let Some(name) = missing.first() {
        if !allow_unbound {
            return Err(RunsProblem::Unbound(name.clone()));
        }
        // A number can stand wherever a template can.
        let ones: Vec<(&str, &str)> = missing.iter().map(|name| (name.as_str(), "1")).collect();
        text = template::fill(&text, &ones).0;
    }
    let mut variables: Vec<(&str, Value)> = pairs
        .iter()
        .map(|(name, value)| (*name, Value::String((*value).to_owned())))
        .collect();
    let free = match allow_unbound {
        true => oxpath::syntax::free_variables(&text),
        false => Vec::new(),
    };
    for name in &free {
        if !variables.iter().any(|(bound, _)| bound == name) {
            variables.push((name, Value::String(String::new())));
        }
    }
    match Script::compile(&text, &variables) {
        Ok(script) => Ok((script, text)),
        Err(error) => Err(RunsProblem::Compile(error)),
    }
}

/// What an expression that compiles is refused for.
fn problem(script: &Script, source: &str, checks: &Checks) -> Option<RunsProblem> {
    let warnings = script.warnings();
    if checks.strict && warnings.iter().any(|warning| warning.severity == Severity::Warning) {
        return Some(RunsProblem::Warnings {
            source: source.to_owned(),
            warnings: warnings.to_vec(),
        });
    }
    if let Some(name) = reserved(script) {
        return Some(RunsProblem::Reserved(name));
    }
    if (checks.runnable || checks.opens_page)
        && let Some(found) = oxpath::check::no_start_page(script.ast())
    {
        return Some(RunsProblem::NoStartPage {
            source: source.to_owned(),
            found: Box::new(found),
        });
    }
    if !checks.runnable {
        return None;
    }
    let styles = script.styles();
    match styles.is_empty() || checks.browser {
        true => None,
        false => Some(RunsProblem::NeedsBrowser(styles)),
    }
}

/// A marker with a reserved name. The types of the records do not tell: they have a field `_value` where one name is that of
/// values and of records.
fn reserved(script: &Script) -> Option<String> {
    let names = script.marker_names().into_iter();
    names.map(str::to_owned).find(|name| RESERVED.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        pairs.iter().map(own).collect()
    }

    #[test]
    fn rows_are_combined_with_values() {
        let table = Table::read("a,b\n1,2\n\n3,4\n").expect("a table");
        let bindings = Bindings::new(given(&[("c", "x"), ("b", "0"), ("c", "y")]), Some(table));
        let all: Vec<String> = (0..bindings.count())
            .map(|number| {
                let values = bindings.of(number);
                let each: Vec<String> = values.iter().map(|(name, value)| format!("{name}{value}")).collect();
                format!("{} {}", bindings.line(number).unwrap_or(0), each.join(" "))
            })
            .collect();
        assert_eq!(all, ["2 cx b0 a1", "2 cy b0 a1", "4 cx b0 a3", "4 cy b0 a3"]);
        assert_eq!(Bindings::default().line(0), None);
    }

    #[test]
    fn each_set_is_in_one_shard() {
        let table = Table::read("a\n1\n2\n3\n4\n5\n").expect("a table");
        let bindings = Bindings::new(given(&[("b", "x"), ("b", "y")]), Some(table));
        let mut found = Vec::new();
        for number in 1..=3 {
            let part = bindings
                .clone()
                .shard(&format!("{number}/3").parse().expect("a shard"), "");
            found.extend((0..part.count()).map(|number| (part.line(number), part.of(number))));
        }
        // By host, all rows of a host are together.
        let table = Table::read("u\nhttp://a.test/1\nhttp://a.test/2\nhttp://A.test:80/3\n").expect("a table");
        let by_host = Bindings::new([], Some(table));
        let counts = (1..=3).map(|number| {
            let shard: Shard = format!("{number}/3").parse().expect("a shard");
            by_host.clone().shard(&shard.by_host(), "doc($u)//p:<p=.>").count()
        });
        assert_eq!(counts.max(), Some(3));
        found.sort();
        let mut all: Vec<_> = (0..10)
            .map(|number| (bindings.line(number), bindings.of(number)))
            .collect();
        all.sort();
        assert_eq!(found, all);
        // A shard without sets knows the types of the records.
        let table = Table::read("a\n1\n").expect("a table");
        let empty = (1..=2).map(|number| format!("{number}/2").parse().expect("a shard"));
        let counts = empty.map(|shard| {
            let bindings = Bindings::new([], Some(table.clone())).shard(&shard, "");
            let runs = Runs::compile("doc($a)//p:<p=.>", bindings, &Checks::default(), &Job::new()).expect("fine");
            assert_eq!(runs.first().record_types()[0].name, "p");
            runs.count()
        });
        assert_eq!(counts.sum::<usize>(), 1);
    }

    #[track_caller]
    fn refused(source: &str, values: &[(&str, &str)], checks: &Checks) -> RunsError {
        let bindings = Bindings::new(given(values), None);
        Runs::compile(source, bindings, checks, &Job::new()).expect_err("a mistake")
    }

    #[test]
    fn mistakes_are_typed() {
        let runnable = Checks {
            runnable: true,
            ..Checks::default()
        };
        let error = refused("doc('${x}')//p:<p=.>", &[], &runnable);
        assert!(
            matches!(&*error.problem, RunsProblem::Unbound(name) if name == "x"),
            "{error}"
        );
        let error = refused("//p:<p=.>", &[], &runnable);
        assert!(matches!(&*error.problem, RunsProblem::NoStartPage { .. }), "{error}");
        let error = refused("doc('http://a/')//p[style::color='red']:<p=.>", &[], &runnable);
        assert!(matches!(&*error.problem, RunsProblem::NeedsBrowser(styles) if styles == &["color"]));
        let error = refused("doc('http://a/')//p:<p>[b:<_page=.>]", &[], &runnable);
        assert!(
            matches!(&*error.problem, RunsProblem::Reserved(name) if name == "_page"),
            "{error}"
        );
        let error = refused("doc('http://a/')//p:<p>[b:<_value=.>]", &[], &runnable);
        assert!(
            matches!(&*error.problem, RunsProblem::Reserved(name) if name == "_value"),
            "{error}"
        );
        // One name for values and records needs no marker of that name.
        let both = "doc('http://a/')//p:<p>[a:<x=.>][b:<x>[i:<y=.>]]";
        Runs::compile(both, Bindings::default(), &runnable, &Job::new()).expect("fine");
        let error = refused(
            "doc('http://a/')//p[matches(., $re)]:<p=.>",
            &[("re", "a"), ("re", "(")],
            &runnable,
        );
        assert_eq!(error.number, Some(1), "{error}");
        assert!(error.to_string().starts_with("with $re = \"(\": "), "{error}");
        let table = Table::read("a\n").expect("a table");
        let empty = Runs::compile("//p", Bindings::new([], Some(table)), &runnable, &Job::new());
        assert!(matches!(*empty.expect_err("no rows").problem, RunsProblem::NoRows));
        let job = Job::new();
        job.stop();
        let stopped = Runs::compile("//p:<p=.>", Bindings::default(), &Checks::default(), &job);
        assert!(matches!(*stopped.expect_err("stopped").problem, RunsProblem::Stopped));
    }

    #[test]
    fn names_without_values_may_be_allowed() {
        let checks = Checks {
            allow_unbound: true,
            ..Checks::default()
        };
        let runs = Runs::compile("doc($url)//p[${n}]:<p=.>", Bindings::default(), &checks, &Job::new());
        assert_eq!(runs.expect("fine").first_source(), "doc($url)//p[1]:<p=.>");
    }
}
