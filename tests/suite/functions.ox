=== page
<!DOCTYPE html>
<title>Suite</title>
<div id="top" class="main  wide" lang="en-GB">
  <p class="first">One <b>bold</b> <i>two</i></p><!-- note -->
  <p>Price: <b>12.50</b> <a HREF="/a?x=1&amp;y=2">link</a></p>
  <table><tr><td>r1c1<td>r1c2<tr><td>r2c1<td>r2c2<td>r2c3</table>
</div>
<ul><li>1<ul><li>1.1<li>1.2</ul><li>2<li>3</ul>
<svg viewBox="0 0 1 1"><linearGradient id="g"/></svg>
<o:tag>office</o:tag>
=== last()
number 1
=== position()
number 1
=== count(//li)
number 5
=== local-name(//b)
string "b"
=== name(//o:tag)
string "o:tag"
=== local-name(//o:tag)
string "tag"
=== namespace-uri(//svg)
string ""
=== name(//svg/*)
string "linearGradient"
=== string(//p)
string "One bold two"
=== string(//nothing)
string ""
=== concat('a', 1, true())
string "a1true"
=== starts-with(//p, 'One')
boolean true
=== contains(//p[2], '12.50')
boolean true
=== substring-before('1999/04/01', '/')
string "1999"
=== substring-after('1999/04/01', '/')
string "04/01"
=== substring-after('1999/04/01', '19')
string "99/04/01"
=== substring('12345', 1.5, 2.6)
string "234"
=== substring('12345', 0 div 0, 3)
string ""
=== string-length('äöü')
number 3
=== normalize-space(//div/@class)
string "main wide"
=== translate('--aaa--', 'abc-', 'ABC')
string "AAA"
=== boolean(//nothing)
boolean false
=== not(//nothing)
boolean true
=== lang('en')
boolean false
=== //b[lang('en')]
/html[1]/body[1]/div[1]/p[1]/b[1] "bold"
/html[1]/body[1]/div[1]/p[2]/b[1] "12.50"
=== //li[lang('en')]
=== number('  12.50 ')
number 12.5
=== number('1e3')
number NaN
=== number(//p[2]/b)
number 12.5
=== sum(//li/text()[number(.) = number(.)])
number 8.3
=== floor(-1.5)
number -2
=== ceiling(-1.5)
number -1
=== round(-1.5)
number -1
=== round(2.5)
number 3
=== 1 div 0
number Infinity
=== -1 div 0
number -Infinity
=== 0 div 0
number NaN
=== 5 mod -2
number 1
=== -5 mod 2
number -1
=== 1.5 mod 0.5
number 0
=== string(0.1 + 0.2)
string "0.30000000000000004"
=== string(1 div 3)
string "0.3333333333333333"
=== string(100000000000000000000000)
string "100000000000000000000000"
=== string(-0)
string "0"
=== matches(//a/@href, '^/[a-z]')
boolean true
=== matches('ABC', 'b', 'i')
boolean true
=== replace('2026-11-15', '(\d+)-(\d+)-(\d+)', '$3.$2.$1')
string "15.11.2026"
=== string-join(//li/text(), ', ')
string "1, 1.1, 1.2, 2, 3"
=== lower-case('ÄB')
string "äb"
=== upper-case('äb')
string "ÄB"
=== ends-with(//a/@href, 'y=2')
boolean true
=== //p[contains(., 'Price')]
/html[1]/body[1]/div[1]/p[2] "Price: 12.50 link"
=== //div[contains(concat(' ', normalize-space(@class), ' '), ' wide ')]/@id
/html[1]/body[1]/div[1]/@id "top"
=== json('{"name": "Kelp", "offers": [{"price": 12.5}, {"price": 9}]}', 'name')
string "Kelp"
=== json('{"name": "Kelp", "offers": [{"price": 12.5}, {"price": 9}]}', 'offers.price')
string "12.5"
=== json('{"name": "Kelp", "offers": [{"price": 12.5}, {"price": 9}]}', 'offers.price', 2)
string "9"
=== json('{"name": "Kelp", "offers": [{"price": 12.5}, {"price": 9}]}', 'offers.price', 0)
string ""
=== json('{"name": "Kelp"}', 'offers')
string ""
=== json(//p, 'name')
string ""
=== date('9.5.2019', 'D.M.YYYY')
string "2019-05-09"
=== date('9.5.2019 7:05', 'D.M.YYYY H:mm')
string "2019-05-09T07:05:00"
=== date('31.2.2019', 'D.M.YYYY')
string ""
=== date(//p, 'D.M.YYYY')
string ""
=== date('1', 'dd')
WW0008 10..14 expected a format of dates, found `dd`: `dd` means nothing in a format of dates; write text as `[dd]`
=== date('1', //p)
XPTY0004 10..13 expected the format of `date` as a text in quotes, found an expression
=== json('[1, 2]', '', 2)
string "2"
=== json('{"a": {"b": [true, " x "]}}', 'a.b', 2)
string "x"
=== count(//li ?? //p)
number 5
=== (//h1 ?? //h2 ?? //b)[1]
/html[1]/body[1]/div[1]/p[1]/b[1] "bold"
=== //h1 ?? 'none'
string "none"
=== number(//h1) ?? 3
number 3
=== number(//h1) ?? number(//h2)
number NaN
=== '' ?? //h1 ?? number('x')
string "NaN"
=== true() ?? //p
string "true"
=== @a ?? @b = 'x'
boolean false
=== -//h1 ?? 1
number -1
=== //h1 ?? -1
string "-1"
=== let price = //p[2]/b; number(price()) * 2
number 25
=== let cell($n) = //td[position() = $n]; string(//tr[2]/td[1])
string "r2c1"
=== let item = li; //ul/item()[2]
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] "1.2"
/html[1]/body[1]/ul[1]/li[2] "2"
=== min(//li/ul/li)
number 1.1
=== max(//p/b)
number NaN
=== max(//p[2]/b)
number 12.5
=== min(//nothing)
number NaN
=== trim('  a b ')
string "a b"
=== tokenize('12.50 EUR', ' ', 2)
string "EUR"
=== tokenize('a', ' ', 2)
string ""
=== distinct-values(//td/..)
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[1] "r1c1r1c2"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2] "r2c1r2c2r2c3"
=== count(distinct-values(//li))
number 5
=== current-url()
string ""
=== qualify-url(//a/@href)
string "/a?x=1&y=2"
=== innerhtml(//p)
string "One <b>bold</b> <i>two</i>"
=== outerhtml(//p[2]/b)
string "<b>12.50</b>"
=== to-xml(//svg)
string "<svg viewBox=\"0 0 1 1\"><linearGradient id=\"g\"/></svg>"
=== starts-with(page-content(), '<!DOCTYPE html><html><head><title>Suite')
boolean true
=== substring-before-reverse('a/b/c', '/')
string "a/b"
=== substring-after-reverse('a/b/c', '/', 2)
string "b/c"
=== substring-reverse('lantern', 3)
string "lante"
=== is-visible(//p)
boolean true
=== is-invisible(//p)
boolean false
=== string-length(now())
number 20
=== //a/attribute::href
/html[1]/body[1]/div[1]/p[2]/a[1]/@href "/a?x=1&y=2"
