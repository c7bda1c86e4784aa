=== page
<a>x</a>
=== //
XPST0003 2..2 expected a step after `//`, found the end of the expression
=== //a[
XPST0003 4..4 expected an expression after `[`, found the end of the expression
=== //a[@href='x]
XPST0003 10..11 expected a closing `'`, found the end of the expression
=== //a)
XPST0003 3..4 expected the end of the expression, found `)`
=== foo(1)
XPST0017 0..3 unknown function `foo`
=== count()
XPST0017 0..7 `count` takes 1 argument, found 0
=== count(1, 2)
XPST0017 0..11 `count` takes 1 argument, found 2
=== count('x')
XPTY0004 6..9 expected a node-set as the argument of `count`, found a string
=== //a[foo::b]
XPST0003 4..7 expected an axis, found `foo`
=== //a == 'x'
XPST0003 4..6 expected `=`, found `==`
=== //a && //b
XPST0003 4..6 expected `and`, found `&&`
=== $x
XPST0008 0..2 unknown variable `$x`
=== //a[]
XPST0003 4..5 expected a condition or a position between the brackets, found `]`
=== 1 +
XPST0003 3..3 expected an expression after `+`, found the end of the expression
=== //a/
XPST0003 4..4 expected a step after `/`, found the end of the expression
=== @
XPST0003 1..1 expected an attribute's name after `@`, found the end of the expression
=== (//a
XPST0003 4..4 expected `)`, found the end of the expression
=== 'a'/b
XPTY0004 0..3 expected a node-set before `/`, found a string
=== //a[matches(., '(')]
FORX0002 15..18 invalid regular expression: unclosed group
=== a b
XPST0003 2..3 expected an operator or the end of the expression, found `b`
=== dom-property('x')
string ""
=== jaro-wrinkler('a', 'b')
number NaN
=== opex:plus(1, 2)
number 3
=== opex:minus(1, 2)
number -1
=== save-page()
string ""
=== select-text(//p)
string ""
=== urify('a')
string ""
