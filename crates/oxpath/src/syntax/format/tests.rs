//! Layouts by example, and what holds for all: same tokens, same comments, same tree, and nothing new the second time.

use super::super::parse;
use super::{Imports, WIDTH, format, parse_as, pieces};

fn formatted(source: &str) -> String {
    let out = format(source).unwrap_or_else(|found| panic!("{source}\n{found}"));
    check_kept(source, &out);
    out
}

/// Same tokens, same comments, same tree; and formatting again changes nothing.
#[track_caller]
fn check_kept(source: &str, out: &str) {
    let texts = |source: &str| -> Vec<String> { pieces(source).iter().map(|piece| piece.text.to_owned()).collect() };
    assert_eq!(texts(out), texts(source), "{source}\n{out}");
    let tree = |source: &str| parse_as(source, Imports::Assumed).map(|expr| expr.to_string()).ok();
    assert_eq!(tree(out), tree(source), "{source}\n{out}");
    let again = format(out).unwrap_or_else(|found| panic!("{out}\n{found}"));
    assert_eq!(again, out, "formatted twice\n{source}");
}

#[test]
fn spaces() {
    for (source, expected) in [
        ("// a [ 1 ] / @href", "//a[1]/@href"),
        ("a|b  or c=1and-1<2", "a | b or c = 1 and -1 < 2"),
        ("concat( 'a','b' ,  - 3)", "concat('a', 'b', -3)"),
        ("a - -1", "a - -1"),
        ("a:<x>[b :<y = string( . ) >]", "a:<x>[b:<y=string(.)>]"),
        ("a:<x( required,string )=(b>c)>", "a:<x(required, string)=(b > c)>"),
        (
            "doc( $u,[ wait = 2,until=//b ] )//a/{click[wait=2]/}",
            "doc($u, [wait=2, until=//b])//a/{click [wait=2] /}",
        ),
        ("a/{ press'Enter' }", "a/{press 'Enter'}"),
        ("a/{ select( $x ) }", "a/{select($x)}"),
        ("a/( b )*{ 2 , 5 }", "a/(b)*{2,5}"),
        ("a [?b:<x=.>]", "a[? b:<x=.>]"),
        ("[ $lhs/@id=$rhs/@for ] ::label", "[$lhs/@id = $rhs/@for]::label"),
        ("a doc(@href)", "a doc(@href)"),
        ("ancestor :: a. b #c", "ancestor::a. b#c"),
        (".//h1??.//title", ".//h1 ?? .//title"),
        ("let a=b;a()", "let a = b;\na()"),
        (
            "let f($x,$y)=a/{$x};\n\n\n\nb/f('1',2)",
            "let f($x, $y) = a/{$x};\n\nb/f('1', 2)",
        ),
        ("import'x.oxp' ; let a = b;", "import 'x.oxp';\nlet a = b;"),
        ("a mod b div c subset d", "a mod b div c subset d"),
    ] {
        if parse_as(source, Imports::Assumed).is_err() && !expected.ends_with(';') {
            assert!(format(source).is_err(), "{source}");
            continue;
        }
        assert_eq!(formatted(source).trim_end(), expected, "{source}");
    }
}

#[test]
fn long_sources_are_divided_where_a_reader_looks() {
    let source = "(: Lamps. :) doc(concat($site, 'shop/'))//field()[@name='q']/{'lamp'}/following::button[.='Search']/{click /}\
        /(//a[@rel='next']/{click /})*//article.product:<product>[h2[1]:<name=string(.)>][(.//span.price)[1]:<price=number(.)>]\
        [? .//a.reviews/{click /}/(//a[@rel='next']/{click /})*//li.review:<review>[h2[1]:<title=string(.)>]\
        [(.//span.author)[1]:<author=normalize-space(string(.))>]] | doc('other.html')//li:<product>[.:<name=string(.)>]";
    let expected = "\
(: Lamps. :) doc(concat($site, 'shop/'))
  //field()[@name = 'q']/{'lamp'}
  /following::button[. = 'Search']/{click /}
  /(//a[@rel = 'next']/{click /})*
  //article.product:<product>
    [h2[1]:<name=string(.)>]
    [(.//span.price)[1]:<price=number(.)>]
    [? .//a.reviews/{click /}
      /(//a[@rel = 'next']/{click /})*
      //li.review:<review>
        [h2[1]:<title=string(.)>]
        [(.//span.author)[1]:<author=normalize-space(string(.))>]]
| doc('other.html')//li:<product>[.:<name=string(.)>]
";
    let out = formatted(source);
    assert!(out.lines().all(|line| line.chars().count() <= WIDTH), "{out}");
    assert_eq!(out, expected);
}

#[test]
fn comments_stay_where_they_are() {
    let source = "\
(: A file
   with two lines. :)

let next = //a.next/{click /}; (: the pager :)
(: the list :)
let rows = //li;


doc('u') (: start :) /(next())*
  (: each row :)
  //li:<row> (: one :)
    [b:<name=.>] (: its name :)
    (: the end :)
";
    let out = formatted(source);
    assert_eq!(
        out,
        "\
(: A file
   with two lines. :)

let next = //a.next/{click /}; (: the pager :)
(: the list :)
let rows = //li;

doc('u') (: start :) /(next())*
(: each row :)
//li:<row> (: one :)
  [b:<name=.>] (: its name :)
  (: the end :)
"
    );
}

/// The expressions of the suites, the examples and the documentation, each as it is, in pieces, and with comments.
#[test]
fn all_expressions_of_the_suites() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut sources: Vec<String> = Vec::new();
    let files = |folder: &str, ending: &str| -> Vec<String> {
        let entries = std::fs::read_dir(format!("{root}/{folder}")).expect(folder);
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let mut paths: Vec<_> = paths.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
        paths.sort();
        paths
            .iter()
            .map(|path| std::fs::read_to_string(path).expect("a text"))
            .collect()
    };
    for suite in files("tests/suite", ".ox") {
        sources.extend(
            suite
                .lines()
                .filter_map(|line| line.strip_prefix("=== "))
                .map(str::to_owned),
        );
    }
    sources.extend(files("examples", ".oxp"));
    for page in files("docs", ".md") {
        let quoted = page.split("-e '").skip(1).filter_map(|rest| rest.split('\'').next());
        sources.extend(quoted.map(str::to_owned));
        sources.extend(page.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    let (mut formatted, mut divided) = (0, 0);
    for source in &sources {
        if parse(source).is_err() {
            continue;
        }
        formatted += 1;
        check(source);
        // With a comment between any two tokens, in the line or below it.
        for (seed, comment) in [
            (1, " (: a :) "),
            (2, "\n(: b :)\n"),
            (3, " (: c\nc :)\n"),
            (5, "\n\n  (: d :) "),
        ] {
            let mut with = String::new();
            let mut at = 0;
            for (number, token) in super::lexer::lex(source).tokens.iter().enumerate() {
                let start = (token.span.start as usize).max(at);
                with.push_str(&source[at..start]);
                if (number * 7 + seed) % 5 == 0 {
                    with.push_str(comment);
                }
                at = start;
            }
            with.push_str(&source[at..]);
            if parse(&with).is_ok_and(|expr| Some(expr.to_string()) == parse(source).ok().map(|expr| expr.to_string()))
            {
                divided += 1;
                check(&with);
            }
        }
    }
    assert!(formatted > 300 && divided > 900, "{formatted} {divided}");
}

#[track_caller]
fn check(source: &str) {
    formatted(source);
}

/// What the generator of expressions makes, so long that lines must be divided.
#[test]
fn generated_expressions() {
    use crate::oracle::generate::{Tape, expression};
    use proptest::collection::vec;
    use proptest::test_runner::{Config, RngSeed, TestRunner};
    let mut runner = TestRunner::new(Config {
        cases: 2000,
        rng_seed: RngSeed::Fixed(22),
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(
        &(
            vec(proptest::num::u16::ANY, 0..200),
            vec(proptest::num::u16::ANY, 0..200),
        ),
        |(a, b)| {
            let (a, b) = (expression(&mut Tape::new(&a)), expression(&mut Tape::new(&b)));
            formatted(&a);
            formatted(&std::format!(
                "let part = {a};let other = ({b}) = ({a});concat(part(), other())"
            ));
            Ok(())
        },
    );
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
