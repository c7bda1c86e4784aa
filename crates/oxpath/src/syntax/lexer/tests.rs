//! Tests of `lexer`.

use super::*;

/// Lexes without errors to these kinds.
fn check(source: &str, expected: &[TokenKind]) {
    let lexed = lex(source);
    assert_eq!(lexed.diagnostics, [], "{source}");
    let kinds: Vec<TokenKind> = lexed.tokens.iter().map(|token| token.kind).collect();
    assert_eq!(kinds, [expected, &[TokenKind::End]].concat(), "{source}");
}

#[test]
fn operators_need_an_operand_before_them() {
    use TokenKind::*;
    check("* * *", &[AnyName, Multiply, AnyName]);
    check("div div div", &[Name, Div, Name]);
    check("and/or", &[Name, Slash, Name]);
    check("@mod mod mod", &[At, Name, Mod, Name]);
    check("child::or or or", &[AxisName, ColonColon, Name, Or, Name]);
    check(
        "(and)and(and)",
        &[OpenParen, Name, CloseParen, And, OpenParen, Name, CloseParen],
    );
    check("a[*]*2", &[Name, OpenBracket, AnyName, CloseBracket, Multiply, Number]);
    check("$x*$y", &[Variable, Multiply, Variable]);
    // Not the comment of another language.
    check("a/* - b/*", &[Name, Slash, AnyName, Minus, Name, Slash, AnyName]);
    check("// a - b", &[DoubleSlash, Name, Minus, Name]);
    check("/*", &[Slash, AnyName]);
    check("..*.", &[DotDot, Multiply, Dot]);
    check("-*", &[Minus, AnyName]);
    check("p:* * p:*", &[AnyNameOf, Multiply, AnyNameOf]);
}

#[test]
fn names_look_ahead() {
    use TokenKind::*;
    check("text", &[Name]);
    check("text()", &[NodeType, OpenParen, CloseParen]);
    check("text (: why? :) ()", &[NodeType, OpenParen, CloseParen]);
    check("text (: not this one :)", &[Name]);
    check("id()", &[FunctionName, OpenParen, CloseParen]);
    check("p:f()", &[FunctionName, OpenParen, CloseParen]);
    check(
        "self :: node()",
        &[AxisName, ColonColon, NodeType, OpenParen, CloseParen],
    );
    check("child::p:q", &[AxisName, ColonColon, Name]);
}

#[test]
fn names() {
    use TokenKind::*;
    check("a-b", &[Name]);
    check("a -b", &[Name, Minus, Name]);
    check("a.b", &[Name, Class]);
    check("a.b#c-d.e", &[Name, Class, Id, Class]);
    check("@a.b", &[At, Name]);
    check("attribute::a.b", &[AxisName, ColonColon, Name]);
    check("self::a.b", &[AxisName, ColonColon, Name, Class]);
    check("p:q.r", &[Name, Class]);
    check("a.b()", &[FunctionName, OpenParen, CloseParen]);
    check("$a.b", &[Variable]);
    check(":<a.b>", &[OpenMarker, Name, CloseMarker]);
    check("//.a", &[DoubleSlash, Class]);
    check(".and .b", &[Dot, And, Class]);
    check("h1", &[Name]);
    check("_größe-№", &[Name]);
    check("日本語", &[Name]);
    check("$ns:v", &[Variable]);
}

#[test]
fn what_a_greater_sign_ends() {
    use TokenKind::*;
    check("a > b", &[Name, Greater, Name]);
    check("a:<b>", &[Name, OpenMarker, Name, CloseMarker]);
    check(
        "a:<b=c[d > 1]>:<e=(f >= 1)> and *",
        &[
            Name,
            OpenMarker,
            Name,
            Equal,
            Name,
            OpenBracket,
            Name,
            Greater,
            Number,
            CloseBracket,
            CloseMarker,
            OpenMarker,
            Name,
            Equal,
            OpenParen,
            Name,
            GreaterEqual,
            Number,
            CloseParen,
            CloseMarker,
            And,
            AnyName,
        ],
    );
    check("a:<b>= c", &[Name, OpenMarker, Name, CloseMarker, Equal, Name]);
}

#[test]
fn what_a_star_does() {
    use TokenKind::*;
    check("a/(b)*", &[Name, Slash, OpenParen, Name, CloseParen, KleeneStar]);
    check(
        "a/(b)* * 2",
        &[Name, Slash, OpenParen, Name, CloseParen, KleeneStar, Multiply, Number],
    );
    check(
        "a/(b) (: :) + 1",
        &[Name, Slash, OpenParen, Name, CloseParen, KleenePlus, Number],
    );
    check("(b)*", &[OpenParen, Name, CloseParen, KleeneStar]);
    check(
        "(b)*[c]",
        &[OpenParen, Name, CloseParen, KleeneStar, OpenBracket, Name, CloseBracket],
    );
    check(
        "(b)* != 1",
        &[OpenParen, Name, CloseParen, KleeneStar, NotEqual, Number],
    );
    check("(b)*/c", &[OpenParen, Name, CloseParen, Multiply, Slash, Name]);
    check("(b)*(: :)c", &[OpenParen, Name, CloseParen, Multiply, Name]);
    check("f(b)*2", &[FunctionName, OpenParen, Name, CloseParen, Multiply, Number]);
    check("*{1}", &[AnyName, OpenBrace, Number, CloseBrace]);
}

#[test]
fn numbers() {
    use TokenKind::*;
    check("1", &[Number]);
    check("1.", &[Number]);
    check(".5", &[Number]);
    check("1.5", &[Number]);
    check("1.5.", &[Number, Dot]);
    check("1-1", &[Number, Minus, Number]);
}

#[test]
fn white_space() {
    use TokenKind::*;
    check("", &[]);
    check(" \t\r\n", &[]);
    check("(: a (: nested :) comment :)", &[]);
    check("a(::)/(: - :)b", &[Name, Slash, Name]);
    check("\"(: text :)\"", &[Literal]);
}

#[test]
fn name_characters() {
    for c in ['a', 'Z', '_', 'é', 'Ω', '\u{200C}', '\u{10000}', '\u{EFFFF}'] {
        assert!(is_name_start(c) && is_name_char(c), "{c:?}");
    }
    for c in ['-', '.', '7', '\u{B7}', '\u{300}', '\u{2040}'] {
        assert!(!is_name_start(c) && is_name_char(c), "{c:?}");
    }
    for c in [':', ' ', '×', '÷', '\u{37E}', '\u{2000}', '\u{E000}', '\u{F0000}', '/'] {
        assert!(!is_name_char(c), "{c:?}");
    }
}
