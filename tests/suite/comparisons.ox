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
=== //li = '2'
boolean true
=== //li != '2'
boolean true
=== //li = 2
boolean true
=== //li > 2
boolean true
=== //li < //td
boolean false
=== //li = //td
boolean false
=== //li = //li
boolean true
=== //nothing = //li
boolean false
=== //nothing != //li
boolean false
=== //nothing = false()
boolean true
=== //li = true()
boolean true
=== 'a' = 'a'
boolean true
=== '1' = 1
boolean true
=== 1 = true()
boolean true
=== '' = false()
boolean true
=== 'a' < 'b'
boolean false
=== '1' < '2'
boolean true
=== 0 div 0 = 0 div 0
boolean false
=== true() > false()
boolean true
=== 1 or 0
boolean true
=== 'x' and ''
boolean false
=== 1 = 1 = 1
boolean true
=== 2 + 3 * 4
number 14
=== - 2 - - 3
number 1
=== 10 div 4
number 2.5
=== //td[. = //td[2]]
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[1]/td[2] "r1c2"
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2]/td[2] "r2c2"
=== //tr[count(td) = 2]
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[1] "r1c1r1c2"
=== //tr[count(td) > 2]
/html[1]/body[1]/div[1]/table[1]/tbody[1]/tr[2] "r2c1r2c2r2c3"
