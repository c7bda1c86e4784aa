=== page
<!DOCTYPE html>
<title>Kelp</title>
<meta property="og:title" content="Kelp, the book">
<script type="application/ld+json">{"@graph": [{"@type": "WebSite", "name": "Shop"},
  {"@type": "Product", "name": "Kelp", "offers": [{"price": 12.5}, {"price": 9}]}]}</script>
<script type="application/json">{"props": {"id": 17, "name": "state"}}</script>
<div itemscope itemtype="https://schema.org/Book"><h1 itemprop="name">Kelp (micro)</h1><i itemprop="isbn">7</i></div>
<script type="application/json">{"broken": </script>
=== data('name')
string "Shop"
=== data('name', 'Product')
string "Kelp"
=== data('name', 'Book')
string "Kelp (micro)"
=== data('name', '', 2)
string "Kelp"
=== data('isbn')
string "7"
=== data('offers.price', 'Product', 2)
string "9"
=== data('offers.price', 'Product', 3)
string ""
=== data('og:title')
string "Kelp, the book"
=== data('props.id')
string "17"
=== data('name', 'Movie')
string ""
=== data('name', '', 0.5)
string ""
=== count(//i[. = data('isbn')])
number 1
=== contains(data(), 'json-ld Product offers.price = 12.5')
boolean true
=== contains(data(), 'meta - og:title = Kelp, the book')
boolean true
=== data(//i, 'a', 1, 2)
XPST0017 0..20 `data` takes at most 3 arguments, found 4
