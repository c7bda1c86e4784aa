//! Prints paths rules in languages that other tools run: XQuery with FOR, LET and RETURN, and OXPath with markers.
//!
//! Both do what the rule does: the first way that finds something is used, with only one node of it unless the field
//! may have several, and the words around a value are cut off. A space that does not break is white space to the rule but not
//! to XPath, so it is replaced first. OXPath has no "first of these", so a second way has the
//! condition that the ways before it find nothing. If records are headings of what follows them, their inner records
//! are not inside their elements. Neither language can express that, so there is no result then.

use super::{PathField, Paths, Way};
use record::{Content, Field, RecordType};

/// The rule as an XQuery over `$page`; `document` is the element around the records, if there is one.
pub fn to_xquery(rule: &Paths, kind: &RecordType, document: Option<&str>) -> Option<String> {
    if !rule.inner.iter().all(expressible) {
        return None;
    }
    let mut out = match has_texts(rule) {
        true => "(: XQuery does not read structured data; what is said only there is left out :)\n".to_owned(),
        false => String::new(),
    };
    out += "declare variable $page external;\n\n";
    match document {
        Some(name) => {
            out += &format!("<{}> {{\n", page::xml_name(name));
            out += &flwr(rule, &kind.name, kind.fields(), "$page", 1);
            out += &format!("\n}} </{}>\n", page::xml_name(name));
        }
        None => out += &(flwr(rule, &kind.name, kind.fields(), "$page", 0) + "\n"),
    }
    Some(out)
}

/// Does a rule read structured data? XQuery has no function for that.
fn has_texts(rule: &Paths) -> bool {
    rule.fields.iter().flat_map(|field| &field.ways).any(is_text) || rule.inner.iter().any(has_texts)
}

/// Inner records can be found from the elements of their outer records only if their paths search below them.
fn expressible(inner: &Paths) -> bool {
    inner.each.iter().all(|path| below(path).is_some()) && inner.inner.iter().all(expressible)
}

/// The paths that a union consists of, or the path itself.
fn alternatives(path: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start) = (0, None, 0);
    let mut out = Vec::new();
    for (at, sign) in path.char_indices() {
        match (quote, sign) {
            (Some(open), _) if open == sign => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(sign),
            (None, '[' | '(') => depth += 1,
            (None, ']' | ')') => depth -= 1,
            (None, '|') if depth == 0 => {
                out.push(path[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(path[start..].trim());
    out
}

/// A path to inner records, from an outer record; `None` if it does not search below it.
fn below(path: &str) -> Option<String> {
    let each = alternatives(path);
    let each = each
        .iter()
        .map(|path| path.starts_with("//").then(|| format!(".{path}")));
    Some(each.collect::<Option<Vec<String>>>()?.join(" | "))
}

/// A string literal of XPath 2.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A path that begins at a variable.
fn from(variable: &str, path: &str) -> String {
    match path {
        "." => variable.to_owned(),
        _ if path.starts_with(['/', '(', '.']) || path.contains('|') => format!("{variable}/({path})"),
        _ => format!("{variable}/{path}"),
    }
}

/// The texts that a way finds.
fn texts(variable: &str, way: &Way) -> String {
    let nodes = from(variable, &way.path);
    let text = "normalize-space(translate(., \"&#160;\", \" \"))";
    let mut value = text.to_owned();
    let mut tests = String::new();
    for words in way.skips.iter().chain([&way.after]).filter(|words| !words.is_empty()) {
        tests += &format!("[contains({value}, {})]", quoted(words));
        value = format!("substring-after({value}, {})", quoted(words));
    }
    if !way.before.is_empty() {
        tests += &format!("[contains({value}, {})]", quoted(&way.before));
        value = format!("substring-before({value}, {})", quoted(&way.before));
    }
    if !way.matching.is_empty() {
        let pattern = quoted(&format!("^(?:{})$", way.matching));
        value = format!("normalize-space({value})");
        tests += &format!("[matches({value}, {pattern})]");
        value = format!("replace({value}, {pattern}, \"{}\")", group(way));
    }
    if !tests.is_empty() {
        value = format!("normalize-space({value})");
    }
    format!("{nodes}{tests}[{value}]/{value}")
}

/// The value of a field.
fn chosen(variable: &str, field: &PathField) -> String {
    let ways = field.ways.iter().filter(|way| !is_text(way));
    let ways: Vec<String> = ways.map(|way| texts(variable, way)).collect();
    match (ways.as_slice(), field.many) {
        ([], _) => "()".to_owned(),
        ([one], true) => one.clone(),
        ([one], false) => format!("({one})[1]"),
        (many, false) => format!("({})[1]", many.join(", ")),
        ([first @ .., last], true) => {
            let mut out = String::new();
            for way in first {
                out += &format!("if (exists({way})) then {way} else ");
            }
            out + last
        }
    }
}

/// A variable for a name. Nested names are joined, so that equal names in different records stay distinct.
fn variable(names: &[&str]) -> String {
    let joined = names.join("-").to_lowercase();
    format!("${}", page::xml_name(&joined))
}

/// A path to records, from the document or from the record around them.
fn begun(path: &str, depth: usize) -> String {
    match (depth, below(path)) {
        (2.., Some(path)) => path,
        _ => path.to_owned(),
    }
}

fn flwr(rule: &Paths, name: &str, fields: &[Field], context: &str, depth: usize) -> String {
    let pad = "  ".repeat(depth);
    let mine = variable(&[name]);
    let mut out = match rule.each.as_slice() {
        [] => format!("{pad}let {mine} := {context}\n"),
        [one] => format!("{pad}for {mine} in {}\n", from(context, &begun(one, depth))),
        many => {
            let mut paths = String::new();
            for (number, path) in many.iter().enumerate() {
                let nodes = from(context, &begun(path, depth));
                match number + 1 < many.len() {
                    true => paths += &format!("if (exists({nodes})) then {nodes} else "),
                    false => paths += &nodes,
                }
            }
            format!("{pad}for {mine} in ({paths})\n")
        }
    };
    let mut field = 0;
    lets(fields, rule, &mine, &[name], &mut field, &pad, &mut out);
    out += &format!("{pad}return\n");
    let (mut field, mut kind) = (0, 0);
    out += &format!("{pad}  <{}>\n", page::xml_name(name));
    out += &members(fields, rule, &mine, &[name], (&mut field, &mut kind), depth + 2);
    out + &format!("{pad}  </{}>", page::xml_name(name))
}

fn lets<'s>(
    fields: &'s [Field],
    rule: &Paths,
    record: &str,
    names: &[&'s str],
    field: &mut usize,
    pad: &str,
    out: &mut String,
) {
    for member in fields {
        let names: Vec<&str> = names.iter().copied().chain([member.name.as_str()]).collect();
        match &member.content {
            Content::Value(_) => {
                if let Some(found) = rule.fields.get(*field) {
                    *out += &format!("{pad}let {} := {}\n", variable(&names), chosen(record, found));
                }
                *field += 1;
            }
            Content::Record(_) if member.cardinality.may_repeat() => {}
            Content::Record(inner) => lets(inner, rule, record, &names, field, pad, out),
        }
    }
}

fn members<'s>(
    fields: &'s [Field],
    rule: &Paths,
    record: &str,
    names: &[&'s str],
    (field, kind): (&mut usize, &mut usize),
    depth: usize,
) -> String {
    let pad = "  ".repeat(depth);
    let mut out = String::new();
    for member in fields {
        let names: Vec<&str> = names.iter().copied().chain([member.name.as_str()]).collect();
        let tag = page::xml_name(&member.name);
        match &member.content {
            Content::Value(_) => {
                let mine = variable(&names);
                out += &format!("{pad}{{ for $v in {mine} return <{tag}>{{ $v }}</{tag}> }}\n");
                *field += 1;
            }
            Content::Record(inner) if member.cardinality.may_repeat() => {
                if let Some(rule) = rule.inner.get(*kind) {
                    let inner = flwr(rule, &member.name, inner, record, depth + 1);
                    out += &format!("{pad}{{\n{inner}\n{pad}}}\n");
                }
                *kind += 1;
            }
            Content::Record(inner) => {
                let inside = members(inner, rule, record, &names, (field, kind), depth + 1);
                out += &format!("{pad}<{tag}>\n{inside}{pad}</{tag}>\n");
            }
        }
    }
    out
}

/// The rule as OXPath, or `None` if there is no such expression.
pub fn to_oxpath(rule: &Paths, kind: &RecordType, start: &str) -> Option<String> {
    let each = match rule.each.as_slice() {
        [] => "/html".to_owned(),
        [one] if alternatives(one).len() == 1 => one.clone(),
        // Here too, the first one that finds something is used.
        paths => first_of(paths),
    };
    let inside = predicates(rule, kind.fields(), 1)?;
    Some(format!("{start}{each}:<{}>{inside}\n", marker(&kind.name)?))
}

/// Paths from the document, each with the condition that the ones before it find nothing. Each path of a union has it, too.
fn first_of(paths: &[String]) -> String {
    let mut out: Vec<String> = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let before: String = paths[..number].iter().map(|path| format!("[not({path})]")).collect();
        out.extend(alternatives(path).iter().map(|path| format!("{path}{before}")));
    }
    format!("/({})", out.join(" | "))
}

/// A name as a marker, if it is allowed as one.
fn marker(name: &str) -> Option<&str> {
    let mut letters = name.chars();
    let first = letters.next()?;
    let plain = (first.is_alphabetic() || first == '_') && letters.all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    plain.then_some(name)
}

/// A string literal of XPath 1, or `None` if the string contains both quotes.
fn literal(text: &str) -> Option<String> {
    match (text.contains('"'), text.contains('\'')) {
        (false, _) => Some(format!("\"{text}\"")),
        (true, false) => Some(format!("'{text}'")),
        (true, true) => None,
    }
}

fn predicates(rule: &Paths, fields: &[Field], depth: usize) -> Option<String> {
    let (mut field, mut kind) = (0, 0);
    marks(fields, rule, (&mut field, &mut kind), depth)
}

fn marks(fields: &[Field], rule: &Paths, (field, kind): (&mut usize, &mut usize), depth: usize) -> Option<String> {
    let pad = "  ".repeat(depth);
    let mut out = String::new();
    for member in fields {
        let name = marker(&member.name)?;
        match &member.content {
            Content::Value(_) => {
                let mut before = String::new();
                let found = rule.fields.get(*field);
                for way in found.map_or(&[][..], |found| &found.ways) {
                    let (path, value) = marked(way)?;
                    let first = if found.is_some_and(|found| found.many) {
                        ""
                    } else {
                        "[1]"
                    };
                    let path = match first {
                        "" => path,
                        _ => format!("({path}){first}"),
                    };
                    let guard = match before.is_empty() {
                        true => String::new(),
                        false => format!("{before} and "),
                    };
                    out += &match guard.is_empty() {
                        true => format!("\n{pad}[? {path}:<{name}={value}>]"),
                        false => format!("\n{pad}[? self::node()[{before}]/({path}):<{name}={value}>]"),
                    };
                    before = format!("{guard}not({path})");
                }
                *field += 1;
            }
            Content::Record(inner) if member.cardinality.may_repeat() => {
                let rule = rule.inner.get(*kind)?;
                *kind += 1;
                let [each] = rule.each.as_slice() else { return None };
                let each = match below(each)? {
                    union if alternatives(&union).len() > 1 => format!("({union})"),
                    one => one,
                };
                let inside = predicates(rule, inner, depth + 1)?;
                out += &format!("\n{pad}[? {each}:<{name}>{inside}]");
            }
            Content::Record(inner) => {
                let inside = marks(inner, rule, (field, kind), depth + 1)?;
                out += &format!("\n{pad}[? .:<{name}>{inside}]");
            }
        }
    }
    Some(out)
}

/// Is what a way finds a text and no node?
fn is_text(way: &Way) -> bool {
    ["data(", "json("].iter().any(|call| way.path.starts_with(call))
}

/// The group that is the value of an expression: the first one, or all of it.
fn group(way: &Way) -> &'static str {
    match super::pattern(&way.matching).is_ok_and(|pattern| pattern.captures_len() == 1) {
        true => "$0",
        false => "$1",
    }
}

/// A way as a path, and the value of the nodes it finds.
fn marked(way: &Way) -> Option<(String, String)> {
    // A text is found at the record.
    let (nodes, found) = match is_text(way) {
        true => (".", way.path.as_str()),
        false => (way.path.as_str(), "."),
    };
    let mut value = format!("normalize-space(translate({found}, \"\u{a0}\", \" \"))");
    let mut tests = String::new();
    for words in way.skips.iter().chain([&way.after]).filter(|words| !words.is_empty()) {
        let words = literal(words)?;
        tests += &format!("[contains({value}, {words})]");
        value = format!("substring-after({value}, {words})");
    }
    if !way.before.is_empty() {
        let words = literal(&way.before)?;
        tests += &format!("[contains({value}, {words})]");
        value = format!("substring-before({value}, {words})");
    }
    if !way.matching.is_empty() {
        let pattern = literal(&format!("^(?:{})$", way.matching))?;
        value = format!("normalize-space({value})");
        tests += &format!("[matches({value}, {pattern})]");
        value = format!("replace({value}, {pattern}, \"{}\")", group(way));
    }
    let path = match nodes.contains('|') {
        true => format!("({nodes})"),
        false => nodes.to_owned(),
    };
    let value = match tests.is_empty() {
        true => value,
        false => format!("normalize-space({value})"),
    };
    // An empty text is not a value.
    Some((format!("{path}{tests}[{value}]"), value))
}

#[cfg(test)]
mod tests {
    use super::super::{PathsRun, assemble};
    use super::*;
    use oxpath::run::Tail;
    use page::Page;

    fn way(path: &str, after: &str, before: &str) -> Way {
        Way {
            path: path.to_owned(),
            after: after.to_owned(),
            before: before.to_owned(),
            ..Way::default()
        }
    }

    fn field(many: bool, ways: Vec<Way>) -> PathField {
        PathField { many, ways }
    }

    /// Films with a name, a director, prices in a record, tags, and reviews.
    fn films() -> (Paths, RecordType) {
        let rule = Paths {
            each: vec!["//div[@class=\"film\"]".to_owned()],
            fields: vec![
                field(false, vec![way("b", "", "")]),
                field(
                    false,
                    vec![
                        way("i", "by ", "("),
                        way("p[contains(., \"Directed\")]", "Directed by:", ""),
                    ],
                ),
                field(false, vec![way(".//u | .//em", "", "")]),
                field(true, vec![way("a", "", ""), way("s", "", "")]),
            ],
            inner: vec![Paths {
                each: vec!["//li".to_owned()],
                fields: vec![field(false, vec![way(".", "", "")])],
                ..Paths::default()
            }],
        };
        let price = Content::Record(vec![Field::text("dvd")]);
        let fields = vec![
            Field::text("name"),
            Field::text("director"),
            Field::new("price", record::Cardinality::Optional, price),
            Field::texts("tag"),
            Field::records("review", vec![Field::text("text")]),
        ];
        let schema = RecordType::new("film", fields);
        (rule, schema)
    }

    const PAGE: &str = "<div class=film><b>One</b><b>not</b><i>by Ann (1972)</i><u>$1</u><em>$2</em><a>x</a><a>y</a>\
        <ul><li>good<li>bad</ul></div>\
        <div class=film><b>Two</b><i>nobody</i><p>Directed by:\n Bob</p><s>z</s></div><ul><li>stray</ul>";

    #[test]
    fn the_oxpath_of_a_rule_does_the_same() {
        let (rule, schema) = films();
        let page = Page::parse(PAGE.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let own = assemble(&schema, &PathsRun::new(&rule).expect("a rule").page(&page), &"p".into());
        let own = schema.rows(&own);
        assert_eq!(own[0][1][1], ["Bob"]);
        assert_eq!(own[0][0][3], ["x", "y"]);
        assert_eq!(own[1].len(), 2);
        let text = to_oxpath(&rule, &schema, "doc('x')").expect("an expression");
        let tail = Tail::new(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(
            schema.rows(&tail.page(&std::sync::Arc::new(page), &"p".into()).records),
            own,
            "{text}"
        );
    }

    #[test]
    fn the_records_of_two_lists_are_one_expression() {
        let rule = Paths {
            each: vec![
                "//table[@id=\"a|b\"]//tr | //ul/li[b]".to_owned(),
                "//p | //pre".to_owned(),
            ],
            fields: vec![field(false, vec![way("td[1]", "", ""), way("b", "", "")])],
            inner: vec![Paths {
                each: vec!["//i | //u".to_owned()],
                fields: vec![field(false, vec![way(".", "", "")])],
                ..Paths::default()
            }],
        };
        let schema = RecordType::new(
            "plant",
            vec![Field::text("name"), Field::records("tag", vec![Field::text("text")])],
        );
        let lists = "<p><b>not</b></p><ul><li><b>Fern</b><u>z</u><i>y</i></li><li>not</li></ul>\
            <table id='a|b'><tr><td>Kelp</td><td><i>x</i></td></tr><tr><td>Moss</td></tr></table>";
        let text = to_oxpath(&rule, &schema, "doc('x')").expect("an expression");
        let tail = Tail::new(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        for (html, names) in [
            (lists, &["Fern", "Kelp", "Moss"][..]),
            ("<p><b>One</b></p><pre><b>Two</b></pre>", &["One", "Two"]),
        ] {
            let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
            let own = assemble(&schema, &PathsRun::new(&rule).expect("a rule").page(&page), &"p".into());
            let own = schema.rows(&own);
            let found: Vec<&String> = own[0].iter().flat_map(|row| &row[0]).collect();
            assert_eq!(found, names);
            let run = tail.page(&std::sync::Arc::new(page), &"p".into()).records;
            assert_eq!(schema.rows(&run), own, "{text}");
        }
        let text = to_xquery(&rule, &schema, None).expect("a query");
        assert!(text.contains("for $tag in $plant/(.//i | .//u)\n"), "{text}");
        assert!(
            text.contains("(if (exists($page/(//table[@id=\"a|b\"]//tr | //ul/li[b]))) then "),
            "{text}"
        );
    }

    #[test]
    fn expressions_for_parts_are_printed_too() {
        let matching = |path: &str, matching: &str| {
            let way = Way {
                matching: matching.to_owned(),
                ..way(path, "", "")
            };
            field(false, vec![way])
        };
        let rule = Paths {
            each: vec!["//li".to_owned()],
            fields: vec![
                matching("i", r"(.+?)(?: - \$\d+)?"),
                matching("i", r"(?:.* )?- (\$\d+)"),
                matching("b[matches(., \"^(?:x|y)$\")]", r"[xyz]"),
            ],
            ..Paths::default()
        };
        let schema = RecordType::flat("thing", ["name", "price", "sign"]);
        let html = "<li><i>A - B\u{a0}- $5</i><b>y</b><li><i>C</i><b>z</b>";
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let own = assemble(&schema, &PathsRun::new(&rule).expect("a rule").page(&page), &"p".into());
        let own = schema.rows(&own);
        assert_eq!(own[0][0], [["A - B"], ["$5"], ["y"]]);
        let text = to_oxpath(&rule, &schema, "doc('x')").expect("an expression");
        let tail = Tail::new(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let run = tail.page(&std::sync::Arc::new(page), &"p".into()).records;
        assert_eq!(schema.rows(&run), own, "{text}");
        let text = to_xquery(&rule, &schema, None).expect("a query");
        assert!(text.contains("replace(") && text.contains("\"$0\")"), "{text}");
    }

    #[test]
    fn structured_data_is_read_by_the_expression_too() {
        let rule = Paths {
            fields: vec![
                field(false, vec![way("data(\"sku\", \"Product\")", "", "")]),
                field(false, vec![way("//u", "", ""), way("data(\"name\")", "The ", "")]),
            ],
            ..Paths::default()
        };
        let schema = RecordType::flat("thing", ["sku", "name"]);
        let html = "<script type=application/ld+json>{\"@type\": \"Product\", \"sku\": 7, \"name\": \"The Kelp\"}</script><p>x";
        let page = Page::parse(html.as_bytes(), &page::ParseSettings::default()).expect("a page");
        let own = assemble(&schema, &PathsRun::new(&rule).expect("a rule").page(&page), &"p".into());
        assert_eq!(schema.rows(&own)[0][0], [["7"], ["Kelp"]]);
        let text = to_oxpath(&rule, &schema, "doc('x')").expect("an expression");
        let tail = Tail::new(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let run = tail.page(&std::sync::Arc::new(page), &"p".into()).records;
        assert_eq!(schema.rows(&run), schema.rows(&own), "{text}");
        let text = to_xquery(&rule, &schema, None).expect("a query");
        assert!(text.starts_with("(: XQuery does not read structured data"), "{text}");
        assert!(text.contains("let $thing-sku := ()\n"), "{text}");
    }

    #[test]
    fn the_xquery_of_a_rule_has_for_and_let() {
        let (rule, schema) = films();
        let text = to_xquery(&rule, &schema, Some("films")).expect("a query");
        for piece in [
            "<films> {\n  for $film in $page/(//div[@class=\"film\"])\n",
            "let $film-name := ($film/b[normalize-space(translate(., \"&#160;\", \" \"))]/normalize-space(",
            "substring-after(normalize-space(translate(., \"&#160;\", \" \")), \"Directed by:\")",
            "let $film-price-dvd := (",
            "{ for $v in $film-tag return <tag>{ $v }</tag> }",
            "for $review in $film/(.//li)\n",
            "</films>",
        ] {
            assert!(text.contains(piece), "{piece}\n{text}");
        }
    }

    #[test]
    fn what_no_expression_says_is_none() {
        let (mut rule, schema) = films();
        rule.inner[0].each = vec!["/html/body/ul/li".to_owned()];
        assert_eq!(to_xquery(&rule, &schema, None), None);
        assert_eq!(to_oxpath(&rule, &schema, ""), None);
        let flat = RecordType::flat("a b", ["c"]);
        let rule = Paths {
            fields: vec![field(false, vec![way("//c", "", "")])],
            ..Paths::default()
        };
        assert_eq!(to_oxpath(&rule, &flat, ""), None);
    }
}
