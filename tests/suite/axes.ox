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
=== /
/ "Suite\n\n  One bold two\n  Price: 12.50 link\n  r1c1r1c2r2c1r2c2r2c3\n\n11.11.223\n\noffice"
=== /*
/html[1] "Suite\n\n  One bold two\n  Price: 12.50 link\n  r1c1r1c2r2c1r2c2r2c3\n\n11.11.223\n\noffice"
=== //p
/html[1]/body[1]/div[1]/p[1] "One bold two"
/html[1]/body[1]/div[1]/p[2] "Price: 12.50 link"
=== //P/B
/html[1]/body[1]/div[1]/p[1]/b[1] "bold"
/html[1]/body[1]/div[1]/p[2]/b[1] "12.50"
=== //p/@class
/html[1]/body[1]/div[1]/p[1]/@class "first"
=== //@href
/html[1]/body[1]/div[1]/p[2]/a[1]/@href "/a?x=1&y=2"
=== //a/@*
/html[1]/body[1]/div[1]/p[2]/a[1]/@href "/a?x=1&y=2"
=== //td
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[1]/td[1] "r1c1"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[1]/td[2] "r1c2"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2]/td[1] "r2c1"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2]/td[2] "r2c2"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2]/td[3] "r2c3"
=== //td[1]
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[1]/td[1] "r1c1"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2]/td[1] "r2c1"
=== //td[last()]
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[1]/td[2] "r1c2"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2]/td[3] "r2c3"
=== (//td)[last()]
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2]/td[3] "r2c3"
=== //tr[2]/td[position()>1]
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2]/td[2] "r2c2"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2]/td[3] "r2c3"
=== //li/..
/html[1]/body[1]/ul[1] "11.11.223"
/html[1]/body[1]/ul[1]/li[1]/ul[1] "1.11.2"
=== //li[.='1.2']/ancestor::*
/html[1] "Suite\n\n  One bold two\n  Price: 12.50 link\n  r1c1r1c2r2c1r2c2r2c3\n\n11.11.223\n\noffice"
/html[1]/body[1] "\n  One bold two\n  Price: 12.50 link\n  r1c1r1c2r2c1r2c2r2c3\n\n11.11.223\n\noffice"
/html[1]/body[1]/ul[1] "11.11.223"
/html[1]/body[1]/ul[1]/li[1] "11.11.2"
/html[1]/body[1]/ul[1]/li[1]/ul[1] "1.11.2"
=== //li[.='1.2']/ancestor::li
/html[1]/body[1]/ul[1]/li[1] "11.11.2"
=== //li[.='1.2']/ancestor-or-self::li[1]
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] "1.2"
=== //li[.='2']/preceding::li
/html[1]/body[1]/ul[1]/li[1] "11.11.2"
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[1] "1.1"
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] "1.2"
=== //li[.='2']/preceding::li[1]
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] "1.2"
=== //li[.='1.1']/following::li
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] "1.2"
/html[1]/body[1]/ul[1]/li[2] "2"
/html[1]/body[1]/ul[1]/li[3] "3"
=== //li[.='1.1']/following::li[1]
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] "1.2"
=== //li[.='2']/preceding-sibling::li
/html[1]/body[1]/ul[1]/li[1] "11.11.2"
=== //li[.='1.1']/following-sibling::*
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] "1.2"
=== //b/following::text()[1]
/html[1]/body[1]/div[1]/p[1]/text()[2] " "
/html[1]/body[1]/div[1]/p[2]/text()[2] " "
=== //comment()
/html[1]/body[1]/div[1]/comment()[1] " note "
=== //processing-instruction()
=== //namespace::*
=== //div/child::node()[2]
/html[1]/body[1]/div[1]/p[1] "One bold two"
=== //div//b/self::b
/html[1]/body[1]/div[1]/p[1]/b[1] "bold"
/html[1]/body[1]/div[1]/p[2]/b[1] "12.50"
=== //b/parent::p
/html[1]/body[1]/div[1]/p[1] "One bold two"
/html[1]/body[1]/div[1]/p[2] "Price: 12.50 link"
=== //p[1]/descendant-or-self::node()
/html[1]/body[1]/div[1]/p[1] "One bold two"
/html[1]/body[1]/div[1]/p[1]/text()[1] "One "
/html[1]/body[1]/div[1]/p[1]/b[1] "bold"
/html[1]/body[1]/div[1]/p[1]/b[1]/text()[1] "bold"
/html[1]/body[1]/div[1]/p[1]/text()[2] " "
/html[1]/body[1]/div[1]/p[1]/i[1] "two"
/html[1]/body[1]/div[1]/p[1]/i[1]/text()[1] "two"
=== //p/descendant::text()[2]
/html[1]/body[1]/div[1]/p[1]/b[1]/text()[1] "bold"
/html[1]/body[1]/div[1]/p[2]/b[1]/text()[1] "12.50"
=== //@class/..
/html[1]/body[1]/div[1] "\n  One bold two\n  Price: 12.50 link\n  r1c1r1c2r2c1r2c2r2c3\n"
/html[1]/body[1]/div[1]/p[1] "One bold two"
=== //@class/following::b
/html[1]/body[1]/div[1]/p[1]/b[1] "bold"
/html[1]/body[1]/div[1]/p[2]/b[1] "12.50"
=== //*[self::b or self::i]
/html[1]/body[1]/div[1]/p[1]/b[1] "bold"
/html[1]/body[1]/div[1]/p[1]/i[1] "two"
/html[1]/body[1]/div[1]/p[2]/b[1] "12.50"
=== //ul/li[2]
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] "1.2"
/html[1]/body[1]/ul[1]/li[2] "2"
=== //ul//li[2]
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[2] "1.2"
/html[1]/body[1]/ul[1]/li[2] "2"
=== descendant::li[2]
/html[1]/body[1]/ul[1]/li[1]/ul[1]/li[1] "1.1"
=== //b | //i | //b
/html[1]/body[1]/div[1]/p[1]/b[1] "bold"
/html[1]/body[1]/div[1]/p[1]/i[1] "two"
/html[1]/body[1]/div[1]/p[2]/b[1] "12.50"
=== /html/body/div/p[2]/b
/html[1]/body[1]/div[1]/p[2]/b[1] "12.50"
=== //lineargradient
/html[1]/body[1]/svg[1]/linearGradient[1] ""
=== //linearGradient/@id
/html[1]/body[1]/svg[1]/linearGradient[1]/@id "g"
=== //svg/@viewbox
/html[1]/body[1]/svg[1]/@viewBox "0 0 1 1"
=== //o:tag
/html[1]/body[1]/o:tag[1] "office"
=== //o:*
/html[1]/body[1]/o:tag[1] "office"
=== //td[position()=2]/..
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[1] "r1c1r1c2"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2] "r2c1r2c2r2c3"
=== //tr[td[3]]
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2] "r2c1r2c2r2c3"
=== //tr[not(td[3])]
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[1] "r1c1r1c2"
=== id('top')/p
/html[1]/body[1]/div[1]/p[1] "One bold two"
/html[1]/body[1]/div[1]/p[2] "Price: 12.50 link"
=== id('g top')
/html[1]/body[1]/div[1] "\n  One bold two\n  Price: 12.50 link\n  r1c1r1c2r2c1r2c2r2c3\n"
/html[1]/body[1]/svg[1]/linearGradient[1] ""
=== id(//svg/*/@id)
/html[1]/body[1]/svg[1]/linearGradient[1] ""
