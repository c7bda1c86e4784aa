//! Types by example: `name` is one, `name?` optional, `name*` many; a value is followed by `=`.

use super::*;

fn show(fields: &[Field]) -> String {
    let shown = fields.iter().map(|field| {
        let sign = match field.cardinality {
            Cardinality::One => "",
            Cardinality::Optional => "?",
            Cardinality::Many => "*",
            Cardinality::AtLeastOne => "+",
        };
        format!("{}{sign}{}", field.name, show_content(&field.content))
    });
    shown.collect::<Vec<_>>().join(" ")
}

fn show_content(content: &Content) -> String {
    match content {
        Content::Value(_) => "=".to_owned(),
        Content::Record(fields) => format!("({})", show(fields)),
    }
}

#[track_caller]
fn check(source: &str, expected: &str) {
    let script = Script::compile(source, &[]).unwrap_or_else(|found| panic!("{source}: {found:?}"));
    let types = script.record_types();
    let shown = types
        .iter()
        .map(|one| format!("{}{}", one.name, show_content(&one.content)));
    assert_eq!(shown.collect::<Vec<_>>().join(" "), expected, "{source}");
}

#[test]
fn markers_nest_as_records_will() {
    check("doc('a')//b:<x=.>", "x=");
    check("doc('a')//b:<x>", "x()");
    check(
        "doc('a')//b:<book>[./t:<title=.>][? .//a/{click /}//r:<review>[./i:<by=.>]]",
        "book(title*= review*(by*=))",
    );
    check("doc('a')//b:<x>[./c:<y=.>]/d:<z>[./e:<w=.>]", "x(y*=) z(w*=)");
    check("doc('a')//b:<x=.> | doc('a')//c:<x>[.:<y=.>]", "x(_value?= y?=)");
    check("doc('a')//b:<x=.> | doc('a')//c:<x>", "x(_value?=)");
    check("doc('a')//b:<x>[.:<y=.>]:<y>[.:<z=.>]", "x(y=) y(z=)");
}

#[test]
fn one_where_it_is_certain() {
    for (path, expected) in [
        ("[.:<v=.>]", "v="),
        ("[.:<v=string(h2)>]", "v="),
        ("[./self::node():<v=.>]", "v="),
        ("[.:<v=.>][.:<w=.>]", "v= w="),
        ("[.:<v=.> and .:<w=.>]", "v= w="),
        ("[.:<v=.> or ./b:<w=.>][.:<u=.>]", "v= w*= u="),
        ("[? ./b:<w=.>][.:<v=.>]", "w*= v="),
        ("[./(.):<v=.>]", "v="),
        ("[.:<y>[.:<v=.>]]", "y(v=)"),
        ("[.:<v=replace(., 'a+', 'b')>]", "v="),
    ] {
        check(&format!("doc('a')//b:<x>{path}"), &format!("x({expected})"));
    }
}

#[test]
fn optional_where_there_may_be_none() {
    for (path, expected) in [
        ("[./@href:<v=.>]", "v?="),
        ("[./..:<v=.>]", "v?="),
        ("[./self::b:<v=.>]", "v?="),
        ("[./h2[1]:<v=.>]", "v?="),
        ("[./h2[last()]:<v=.>]", "v?="),
        ("[./h2[position()=2]:<v=.>]", "v?="),
        ("[./h2[@class][3]:<v=.>]", "v?="),
        ("[./h2.c[1]:<v=.>]", "v?="),
        ("[./following-sibling::p[1]:<v=.>]", "v?="),
        ("[./h2[1]/@id:<v=.>]", "v?="),
        ("[./descendant::h2[1]:<v=.>]", "v?="),
        ("[(.//h2)[1]:<v=.>]", "v?="),
        ("[? .:<v=.>]", "v?="),
        ("[./b][.:<v=.>]", "v?="),
        ("[./b:<w=.>][.:<v=.>]", "w*= v?="),
        ("[./a[1]/{click /}:<v=.>]", "v?="),
        ("[.:<v=replace(., @pattern, 'b')>][.:<w=.>]", "v?= w?="),
        ("[matches(., @pattern) or .:<v=.>]", "v?="),
        ("[./h2[1]:<y>[.:<v=.>]]", "y?(v=)"),
    ] {
        check(&format!("doc('a')//b:<x>{path}"), &format!("x({expected})"));
    }
}

#[test]
fn many_otherwise() {
    for (path, expected) in [
        ("[./h2:<v=.>]", "v*="),
        ("[.//h2:<v=.>]", "v*="),
        ("[.//h2[1]:<v=.>]", "v*="),
        ("[./h2[position()<3]:<v=.>]", "v*="),
        ("[./h2[1]/b:<v=.>]", "v*="),
        ("[./@*:<v=.>]", "v*="),
        ("[(./h1[1]|./h2[1]):<v=.>]", "v*="),
        ("[./(h1[1]|h2[1]):<v=.>]", "v*="),
        ("[./(..)*:<v=.>]", "v*="),
        ("[id('a'):<v=.>]", "v*="),
        ("[.:<v=.>][.:<v=@id>]", "v*="),
        ("[./h1[1]:<v=.> or ./h2[1]:<v=.>]", "v*="),
        ("[./(../{click /}:<v=.>)*]", "v*="),
        ("[./a/{click /}:<v=.>]", "v*="),
        ("[./(.:<v=.>)*{0,0}]", "v*="),
        ("/i[.:<v=.>]", "v*="),
        ("/i[1][.:<v=.>]", "v?="),
        ("/..[.:<v=.>]", "v?="),
    ] {
        check(&format!("doc('a')//b:<x>{path}"), &format!("x({expected})"));
    }
}

#[test]
fn records_of_one_name_share_a_type() {
    // Different records: both have the field.
    check(
        "doc('a')//b:<x>[.:<y=.>] | doc('b')//c:<x>[.:<y=.>][.:<z=.>]",
        "x(y= z?=)",
    );
    check(
        "doc('a')//b:<x>[./c:<y=.> or ./d:<z=.>] | doc('b')//c:<x>[./e:<w=.>]",
        "x(y*= z*= w*=)",
    );
}

#[test]
fn a_round_goes_on_with_the_record_of_the_round_before() {
    check("doc('a')/(./a[.:<w=.>]:<R>)*", "w= R(w*=)");
    check("doc('a')/(//n/{click /})*//b:<x>[.:<y=.>]", "x(y=)");
    check("doc('a')/(./a:<R>[.:<v=.>])*/b[.:<w=.>]", "R(v= w*=) w=");
}

#[test]
fn too_many_fields_are_refused() {
    let nested = |depth: usize| {
        let mut source = ".:<v=.>".to_owned();
        for _ in 0..depth {
            source = format!("./(.:<a>|.:<b>)[{source}]");
        }
        format!("doc('a')/{}", &source[2..])
    };
    let script = Script::compile(&nested(3), &[]).expect("a valid expression");
    assert_eq!(script.record_types().len(), 2);
    let error = Script::compile(&nested(40), &[]).expect_err("too many fields");
    assert_eq!(error.message(), "the expression has more than 10000 fields");
}

#[test]
fn nested_repetitions_are_walked_once() {
    let mut source = ".:<R>[.:<v=.>]".to_owned();
    for _ in 0..60 {
        source = format!("./({source})*");
    }
    check(&format!("doc('a')/{}", &source[2..]), "R(v=)");
}
