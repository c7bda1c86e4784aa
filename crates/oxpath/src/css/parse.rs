//! From text to selectors, by hand and one function for each production.
//!
//! Nothing is repaired as style sheets would have it: a bracket or a quote that is not closed is a mistake.

use super::scan::{Parser, Result};
use super::{Combinator, Compare, Compound, MAX_BYTES, MAX_NESTING, Nth, Selector, Step, Take, Test};

const PSEUDO_CLASSES: &str = ":first-child, :last-child, :only-child, :nth-child(), :nth-last-child(), :first-of-type, \
    :last-of-type, :only-of-type, :nth-of-type(), :nth-last-of-type(), :not(), :is(), :where(), :has(), :contains(), \
    :empty and :root";

/// ```text
/// list ::= selector (',' selector)*
/// ```
pub(super) fn parse(source: &str) -> Result<Vec<Selector>> {
    let mut parser = Parser::new(source);
    if source.len() > MAX_BYTES {
        return parser.fail(0, format!("expected at most {MAX_BYTES} bytes, found {}", source.len()));
    }
    let mut selectors = Vec::new();
    loop {
        selectors.push(parser.selector()?);
        parser.skip()?;
        if parser.peek().is_none() {
            return Ok(selectors);
        }
        if !parser.eat(",") {
            return parser.expected("`,` or the end");
        }
    }
}

impl Parser<'_> {
    /// ```text
    /// selector ::= path ('::text' | '::attr(' name ')')?
    /// ```
    fn selector(&mut self) -> Result<Selector> {
        self.skip()?;
        let path = self.path(Combinator::Descendant)?;
        let at = self.at;
        if !self.eat("::") {
            let take = Take::Elements;
            return Ok(Selector { path, take });
        }
        let name = self.ident("`text` or `attr(name)`")?.to_ascii_lowercase();
        let take = match (&*name, self.eat("(")) {
            ("text", false) => Take::Text,
            ("attr", true) => {
                self.skip()?;
                let name = self.ident("an attribute's name")?.to_ascii_lowercase();
                self.skip()?;
                self.expect(")")?;
                Take::Attribute(name)
            }
            _ => return self.fail(at, format!("expected `::text` or `::attr(name)`, found `::{name}`")),
        };
        Ok(Selector { path, take })
    }

    /// ```text
    /// path ::= compound (combinator compound)*
    /// ```
    fn path(&mut self, first: Combinator) -> Result<Vec<Step>> {
        let mut combinator = first;
        let mut steps = Vec::new();
        loop {
            let compound = self.compound(None)?;
            steps.push(Step { combinator, compound });
            if self.rest().starts_with("::") {
                return Ok(steps);
            }
            let spaced = self.skip()?;
            combinator = match (self.combinator()?, self.peek()) {
                (Some(combinator), _) => combinator,
                (None, None | Some(',' | ')')) => return Ok(steps),
                (None, _) if spaced => Combinator::Descendant,
                _ => return self.expected("a space, `>`, `+`, `~`, `,` or the end"),
            };
        }
    }

    fn combinator(&mut self) -> Result<Option<Combinator>> {
        let combinator = match self.peek() {
            Some('>') => Combinator::Child,
            Some('+') => Combinator::Next,
            Some('~') => Combinator::Later,
            _ => return Ok(None),
        };
        self.bump();
        self.skip()?;
        Ok(Some(combinator))
    }

    /// ```text
    /// compound ::= (name | '*')? ('.' name | '#' name | attribute | pseudo)*      not empty, unless `::` follows
    /// ```
    ///
    /// The name around is that of the compound which this one is an argument of, and says more of the same element.
    fn compound(&mut self, around: Option<&str>) -> Result<Compound> {
        let start = self.at;
        let mut compound = Compound::default();
        if !self.eat("*") && self.at_ident() {
            compound.name = Some(self.ident("an element's name")?.to_ascii_lowercase());
        }
        let name = compound.name.clone().or(around.map(str::to_owned));
        let attribute = |name: &str, compare, value| Test::Attribute {
            name: name.to_owned(),
            compare,
            value,
        };
        loop {
            self.skip_comments()?;
            let at = self.at;
            match self.peek() {
                _ if self.rest().starts_with("::") => return Ok(compound),
                Some('.') => {
                    self.bump();
                    let class = self.ident("a class's name")?;
                    compound.tests.push(attribute("class", Compare::Word, class));
                }
                Some('#') => {
                    self.bump();
                    let id = self.ident("an id")?;
                    compound.tests.push(attribute("id", Compare::Equal, id));
                }
                Some('[') => compound.tests.push(self.attribute()?),
                Some(':') => self.pseudo_class(name.as_deref(), &mut compound.tests)?,
                Some('|') => return self.fail(at, "expected a name without a namespace, found `|`"),
                _ if at == start => return self.expected("a selector, as in `div.price > b`"),
                _ => return Ok(compound),
            }
        }
    }

    /// ```text
    /// attribute ::= '[' name (('=' | '~=' | '|=' | '^=' | '$=' | '*=') (string | name) 's'?)? ']'
    /// ```
    fn attribute(&mut self) -> Result<Test> {
        self.expect("[")?;
        self.skip()?;
        let name = self.ident("an attribute's name")?.to_ascii_lowercase();
        self.skip()?;
        let (mut compare, mut value) = (Compare::Exists, String::new());
        if self.peek() != Some(']') {
            compare = match self.peek() {
                Some('=') => Compare::Equal,
                Some('~') => Compare::Word,
                Some('|') => Compare::Dash,
                Some('^') => Compare::Prefix,
                Some('$') => Compare::Suffix,
                Some('*') => Compare::Infix,
                _ => return self.expected("`]`, `=`, `~=`, `|=`, `^=`, `$=` or `*=`"),
            };
            if compare != Compare::Equal {
                self.bump();
            }
            self.expect("=")?;
            self.skip()?;
            value = self.text("a value; all but names need quotes, as in `[n=\"1\"]`")?;
            self.skip()?;
            let at = self.at;
            if self.at_ident() {
                match &*self.ident("`]`")?.to_ascii_lowercase() {
                    "s" => {}
                    "i" => {
                        return self.fail(
                            at,
                            "expected `]`, found the flag `i`: values compare with regard to case",
                        );
                    }
                    flag => return self.fail(at, format!("expected `]`, found `{flag}`")),
                }
                self.skip()?;
            }
        }
        self.expect("]")?;
        Ok(Test::Attribute { name, compare, value })
    }

    /// ```text
    /// pseudo ::= ':' name ('(' arguments ')')?
    /// ```
    fn pseudo_class(&mut self, element: Option<&str>, tests: &mut Vec<Test>) -> Result<()> {
        let at = self.at;
        self.expect(":")?;
        let name = self.ident("the name of a pseudo-class")?.to_ascii_lowercase();
        let arguments = self.eat("(");
        let of_type = name.ends_with("-of-type");
        let of = element.filter(|_| of_type);
        let nth = |step, offset, from_end| {
            let of = of.map(str::to_owned);
            Test::Nth(Nth {
                step,
                offset,
                from_end,
                of,
            })
        };
        match (&*name, arguments) {
            ("first-child" | "first-of-type", false) => tests.push(nth(0, 1, false)),
            ("last-child" | "last-of-type", false) => tests.push(nth(0, 1, true)),
            ("only-child" | "only-of-type", false) => tests.extend([nth(0, 1, false), nth(0, 1, true)]),
            ("nth-child" | "nth-of-type" | "nth-last-child" | "nth-last-of-type", true) => {
                let (step, offset) = self.an_plus_b()?;
                tests.push(nth(step, offset, name.starts_with("nth-last")));
            }
            ("empty", false) => tests.push(Test::Empty),
            ("root", false) => tests.push(Test::Root),
            ("contains", true) => {
                self.skip()?;
                tests.push(Test::Contains(self.text("a text in quotes")?));
                self.skip()?;
            }
            ("not", true) => tests.push(Test::Not(self.arguments(at, |parser| parser.compound(element))?)),
            ("is" | "where", true) => tests.push(Test::Is(self.arguments(at, |parser| parser.compound(element))?)),
            ("has", true) => tests.push(Test::Has(self.arguments(at, |parser| {
                let first = parser.combinator()?;
                parser.path(first.unwrap_or(Combinator::Descendant))
            })?)),
            _ => {
                let mut words = PSEUDO_CLASSES
                    .split([' ', ','])
                    .filter_map(|word| word.strip_prefix(':'));
                let known = words.any(|word| word.trim_end_matches("()") == name);
                return match (known, arguments) {
                    (true, true) => self.fail(at, format!("expected `:{name}` without arguments, found `(`")),
                    (true, false) => self.fail(at, format!("expected arguments for `:{name}`, as in `:{name}(…)`")),
                    _ => self.fail(at, format!("expected one of {PSEUDO_CLASSES}; found `:{name}`")),
                };
            }
        }
        if of_type && element.is_none() {
            let message = format!("expected an element's name before `:{name}`, as in `b:{name}`, to count by it");
            return self.fail(at, message);
        }
        if arguments {
            self.expect(")")?;
        }
        Ok(())
    }

    /// A list of arguments, up to the parenthesis that closes it.
    fn arguments<T>(&mut self, at: usize, one: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        if self.nesting == MAX_NESTING {
            return self.fail(
                at,
                format!("expected at most {MAX_NESTING} levels of nesting, found more"),
            );
        }
        self.nesting += 1;
        let mut list = Vec::new();
        loop {
            self.skip()?;
            list.push(one(self)?);
            self.skip()?;
            if self.peek() == Some(')') {
                self.nesting -= 1;
                return Ok(list);
            }
            if !self.eat(",") {
                return self.expected("`,` or `)`; combinators stand in `:has()` only and `::` at the very end");
            }
        }
    }

    /// ```text
    /// an_plus_b ::= 'odd' | 'even' | sign? digits | sign? digits? 'n' (sign digits)?
    /// ```
    fn an_plus_b(&mut self) -> Result<(i64, i64)> {
        const WHAT: &str = "`odd`, `even`, a number or something like `2n+1`";
        self.skip()?;
        for (word, value) in [("odd", (2, 1)), ("even", (2, 0))] {
            if self
                .rest()
                .get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word))
            {
                self.at += word.len();
                self.skip()?;
                return Ok(value);
            }
        }
        let sign = self.sign().unwrap_or(1);
        let number = self.digits();
        if !self.eat("n") && !self.eat("N") {
            let Some(number) = number else {
                return self.expected(WHAT);
            };
            self.skip()?;
            return Ok((0, sign * number));
        }
        let step = sign * number.unwrap_or(1);
        self.skip()?;
        let mut offset = 0;
        if let Some(sign) = self.sign() {
            self.skip()?;
            match self.digits() {
                Some(number) => offset = sign * number,
                None => return self.expected("a number"),
            }
            self.skip()?;
        }
        Ok((step, offset))
    }
}
