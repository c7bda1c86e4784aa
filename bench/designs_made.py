"""The site designs of designs.py: for each kind of records (designs_kinds.py) two or more ways in which real sites write them.

A design is a function from (site, rows) to the main part of a page. `rows` have values as HTML text, and what a row lacks is
an empty text.
"""

import html

from designs_kinds import (DESIGNS, FIRMS, WORDS, british, by_date, design, dotted, french, french_day, iso, join, name, opt, prose, round_dollars,  # noqa: F401
                           side, slashed, slug, thousands, title, us, us_short, with_day, yen, zloty)


# --- designs: shops


@design("woocommerce", "shop", "wp")
def woocommerce(s, rows):
    def item(v):
        price = f'<span class="woocommerce-Price-amount amount"><bdi>{v.price}</bdi></span>'
        if v.old:
            price = f'<del aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi>{v.old}</bdi></span></del> <ins>{price}</ins>'
        return f"""<li class="product type-product post-{s.p.randint(10, 9999)} status-publish{' sale' if v.old else ''} instock"><a href="/product/{slug(v.title)}/" class="woocommerce-LoopProduct-link">{opt(v.badge, '<span class="onsale">{}</span>')}
<img src="/u/{s.p.randint(1, 999)}.jpg" alt="" width="300"><h2 class="woocommerce-loop-product__title">{v.title}</h2>{opt(v.rating, '<div class="star-rating" role="img"><span style="width:90%">Rated <strong class="rating">{}</strong> out of 5</span></div>')}
<span class="price">{price}</span></a><a href="?add-to-cart={s.p.randint(10, 999)}" class="button add_to_cart_button">Add to cart</a></li>"""
    return f'<header class="woocommerce-products-header"><h1 class="page-title">{s.label}</h1></header><p class="woocommerce-result-count">Showing {s.page * 12 - 11}&ndash;{s.page * 12} of 68 results</p><ul class="products columns-4">{join(rows, item)}</ul>'


@design("shopify", "shop", "plain")
def shopify(s, rows):
    def item(v):
        sale = " price--on-sale" if v.old else ""
        return f"""<li class="grid__item"><div class="card-wrapper"><div class="card card--standard"><div class="card__media"><img srcset="a.jpg 165w" alt="{v.title}"></div><div class="card__content"><div class="card__information"><h3 class="card__heading"><a href="/products/{slug(v.title)}" class="full-unstyled-link">{v.title}</a></h3></div>{opt(v.badge, '<div class="card__badge"><span class="badge">{}</span></div>')}</div></div>
<div class="card-information">{opt(v.rating, '<div class="rating"><span class="rating-text">{}</span></div>')}<div class="price{sale}"><div class="price__container"><div class="price__regular"><span class="visually-hidden">Regular price</span> <span class="price-item price-item--regular">{v.price}</span></div>
<div class="price__sale"><span class="visually-hidden">Regular price</span> <span><s class="price-item price-item--regular">{v.old}</s></span> <span class="visually-hidden">Sale price</span> <span class="price-item price-item--sale price-item--last">{v.price}</span></div></div></div></div></div></li>"""
    facets = "".join(f'<li><label><input type="checkbox"> {word.title()} ({s.p.randint(1, 40)})</label></li>' for word in WORDS["en"][:8])
    return f'<div class="facets-container"><details><summary>Filter</summary><ul>{facets}</ul></details></div><ul id="product-grid" class="grid product-grid">{join(rows, item)}</ul>'


@design("bootstrap-cards", "shop", "bootstrap")
def bootstrap_cards(s, rows):
    def item(v):
        return f"""<div class="col-lg-4 col-md-6 mb-4"><div class="card h-100"><a href="/p/{slug(v.title)}"><img class="card-img-top" src="{s.p.randint(1, 99)}.png"></a>{opt(v.badge, '<div class="badge bg-dark position-absolute">{}</div>')}<div class="card-body"><h4 class="card-title"><a href="/p/{slug(v.title)}">{v.title}</a></h4>
<h5>{opt(v.old, '<span class="text-muted text-decoration-line-through">{}</span> ')}<span>{v.price}</span></h5></div><div class="card-footer">{opt(v.rating, '<small class="text-muted">{}</small>')}</div></div></div>"""
    groups = [rows[i:i + 3] for i in range(0, len(rows), 3)]
    return "".join(f'<div class="row">{join(group, item)}</div>' for group in groups)


@design("tailwind-soup", "shop", "tailwind")
def tailwind_soup(s, rows):
    def item(v):
        return f"""<div class="group relative"><div class="w-full bg-gray-200 rounded-md overflow-hidden"><img class="w-full h-full object-cover" src="i.jpg" alt="">{opt(v.badge, '<div class="absolute top-2 left-2 rounded-full bg-red-500 text-xs text-white px-2">{}</div>')}</div><div class="mt-4 flex justify-between"><div><h3 class="text-sm text-gray-700"><a href="/p/{slug(v.title)}"><span class="absolute inset-0"></span>{v.title}</a></h3>{opt(v.rating, '<p class="mt-1 text-sm text-gray-500">{}</p>')}</div>
<div><p class="text-sm font-medium text-gray-900">{v.price}</p>{opt(v.old, '<p class="text-sm line-through text-gray-400">{}</p>')}</div></div></div>"""
    return f'<div class="mt-6 grid grid-cols-1 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">{join(rows, item)}</div>'


@design("rakuten", "tea", "plain", price=yen, points=lambda x: f"{x}ポイント")
def rakuten(s, rows):
    def item(v):
        return f"""<div class="dui-card searchresultitem"><div class="image"><a href="/i/{s.p.randint(100, 999)}"><img src="t.jpg"></a></div><div class="content title"><h2><a href="/i/1" title="">{v.title}</a></h2></div><div class="content description price"><span class="important">{v.price}</span></div><div class="content points"><span>{v.points}</span></div>{opt(v.note, '<div class="content label"><span class="dui-tag -shipping">{}</span></div>')}<div class="content merchant"><a href="/shop">{v.maker}</a></div></div>"""
    return f'<div class="dui-cards searchresultitems">{join(rows, item)}</div>'


@design("kakaku", "tea", "old", price=yen, points=lambda x: f"{x}pt")
def kakaku(s, rows):
    def item(v):
        return f'<tr bgcolor="#ffffff"><td align="center"><img src="/s.gif"></td><td><a href="/item/{s.p.randint(1, 999)}.html">{v.title}</a><br>{v.maker}</td><td align="right"><b>{v.price}</b></td><td align="right">{v.points}</td><td>{v.note or "&nbsp;"}</td></tr>'
    return f'<table border="1" cellspacing="0"><tr bgcolor="#ccccff"><th>画像</th><th>商品名</th><th>価格</th><th>ポイント</th><th>備考</th></tr>{join(rows, item)}</table>'


# --- designs: one product a page


def tale(s, count=3):
    return "".join(f"<p>{prose(s.p, s.lang, 20, 50)}</p>" for _ in range(count))


@design("woo-single", "product", "wp")
def woo_single(s, rows):
    v = rows[0]
    price = f"<del>{v.old}</del> <ins>{v.price}</ins>" if v.old else v.price
    related = side(s, '<li class="product"><h2 class="woocommerce-loop-product__title">{t}</h2><span class="price">{p}</span></li>')
    return f"""<div id="product-{s.p.randint(1, 999)}" class="product"><div class="woocommerce-product-gallery"><img src="a.jpg"></div><div class="summary entry-summary"><h1 class="product_title entry-title">{v.title}</h1><p class="price">{price}</p><div class="woocommerce-product-details__short-description"><p>{v.description}</p></div><form class="cart"><input type="number" name="quantity" value="1"><button>Add to cart</button></form>
<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">{v.sku}</span></span> <span class="posted_in">Brand: <a href="#" rel="tag">{v.brand}</a></span></div></div><div class="woocommerce-tabs"><h2>Additional information</h2><table class="shop_attributes"><tr><th>Weight</th><td>{v.weight}</td></tr>{opt(v.colour, '<tr><th>Colour</th><td>{}</td></tr>')}</table></div><section class="related products"><h2>Related products</h2><ul class="products">{related}</ul></section></div>"""


@design("styled-single", "product", "tailwind")
def styled_single(s, rows):
    v, h = rows[0], s.h
    def line(label, value):
        return f'<div class="{h("line")}"><span class="{h("label")}">{label}</span><span class="{h("value")}">{value}</span></div>' if value else ""
    return f"""<div class="sc-{h('box')}"><div class="{h('crumb')}"><a href="/">All</a> / <a href="/b">{v.brand}</a></div><div class="{h('price')}"><span class="{h('now')}">{v.price}</span>{opt(v.old, f'<span class="{h("old")}">' + '{}</span>')}</div><p class="{h('text')}">{v.description}</p>{line('Item no.', v.sku)}{line('Maker', v.brand)}{line('Weight', v.weight)}{line('Colour', v.colour)}
<div class="{h('rev')}"><h3>Reviews</h3>{"".join(f'<div class="{h("one")}"><b>{name(s.p)}</b><p>{prose(s.p)}</p></div>' for _ in range(s.p.randint(0, 4)))}</div></div>"""


@design("bold-single", "product", "old")
def bold_single(s, rows):
    v = rows[0]
    return f"""<table><tr><td><img src="p.gif"></td><td><b>Our price:</b> {v.price}<br>{opt(v.old, '<b>List price:</b> <strike>{}</strike><br>')}<b>Manufacturer:</b> {v.brand}<br><b>Item #:</b> {v.sku}<br><b>Shipping weight:</b> {v.weight}<br>{opt(v.colour, '<b>Color:</b> {}<br>')}</td></tr></table><p>{v.description}</p><p><a href="/cart">Add to basket</a></p>"""


# --- designs: jobs, houses, hotels, cars


@design("greenhouse", "jobs", "plain", posted=us_short)
def greenhouse(s, rows):
    def item(v):
        return f"""<li class="job-listing"><a class="job-title" href="/jobs/{s.p.randint(1000, 9999)}">{v.title}</a><div class="meta"><span class="company">{v.company}</span><span class="location">{v.place}</span>{opt(v.kind, '<span class="type">{}</span>')}{opt(v.salary, '<span class="salary">{}</span>')}<time datetime="2019">{v.posted}</time></div></li>"""
    return f'<form class="facets"><select><option>All</option><option>Remote</option></select></form><ul class="jobs">{join(rows, item)}</ul>'


@design("indeed", "jobs", "tailwind", posted=lambda d: f"Posted {iso(d)}")
def indeed(s, rows):
    h = s.h
    def card(v):
        return f"""<div class="{h('beacon')} result"><div class="{h('inner')}"><h2 class="{h('title')}"><a data-jk="{s.p.randint(10**6, 10**7)}" href="/rc/clk"><span title="{v.title}">{v.title}</span></a></h2><div class="{h('firm')}"><span data-testid="company-name">{v.company}</span><div data-testid="text-location" class="{h('loc')}">{v.place}</div></div>
<div class="{h('meta')}">{opt(v.salary, f'<div class="{h("attr")}">' + '{}</div>')}{opt(v.kind, f'<div class="{h("attr")}">' + '{}</div>')}</div><span class="{h('date')}">{v.posted}</span></div></div>"""
    parts = [card(v) for v in rows]
    ad = f'<div class="{h("ad")}"><span>Sponsored</span><a href="/ad">{title(s.p)} is hiring now</a></div>'
    parts.insert(min(len(parts), 3), ad)
    return f'<div id="mosaic-jobcards">{"".join(parts)}</div>'


@design("job-table", "jobs", "old", posted=slashed)
def job_table(s, rows):
    def item(v, i):
        return f'<tr class="{"even" if i % 2 else "odd"}"><td>{v.posted}</td><td><a href="job.asp?id={s.p.randint(1, 999)}">{v.title}</a></td><td>{v.company}</td><td>{v.place}</td><td>{v.kind}</td><td>{v.salary}</td></tr>'
    return f'<table border="1"><tr><td><b>Posted</b></td><td><b>Position</b></td><td><b>Employer</b></td><td><b>Location</b></td><td><b>Type</b></td><td><b>Pay</b></td></tr>{"".join(item(v, i) for i, v in enumerate(rows))}</table>'


@design("zillow", "houses", "tailwind", price=round_dollars, area=thousands)
def zillow(s, rows):
    h = s.h
    def item(v):
        return f"""<li class="ListItem-{h('li')}"><div class="{h('tile')}"><div class="property-card-data"><a href="/homedetails/{s.p.randint(1, 99999)}_zpid/" class="{h('a')}"><address>{v.address}</address></a><div class="{h('wrap')}">{opt(v.agent, '<div>{}</div>')}<div class="{h('price')}"><span>{v.price}</span></div><ul class="{h('facts')}"><li><b>{v.beds}</b> <abbr>bds</abbr></li><li><b>{v.baths}</b> <abbr>ba</abbr></li><li><b>{v.area}</b> <abbr>sqft</abbr></li></ul></div></div>{opt(v.flag, f'<div class="{h("flag")}">' + '{}</div>')}</div></li>"""
    return f'<h2 class="{h("count")}">{s.p.randint(100, 900)} results</h2><ul class="photo-cards">{join(rows, item)}</ul>'


@design("realty-cards", "houses", "bootstrap", price=round_dollars, area=thousands)
def realty_cards(s, rows):
    def item(v):
        return f"""<div class="listing-item media">{opt(v.flag, '<span class="label label-success">{}</span>')}<img class="mr-3" src="h.jpg"><div class="media-body"><div class="listing-price">{v.price}</div><h4 class="mt-0"><a href="/l/{s.p.randint(1, 9999)}">{v.address}</a></h4><table class="facts"><tr><td>Beds</td><td>{v.beds}</td><td>Baths</td><td>{v.baths}</td><td>Sq. ft.</td><td>{v.area}</td></tr></table>{opt(v.agent, '<p class="courtesy">{}</p>')}</div></div>"""
    return f'<div class="listings">{join(rows, item)}</div>'


@design("mls-lines", "houses", "old", price=round_dollars, area=thousands)
def mls_lines(s, rows):
    def item(v):
        return f"""<table width="100%"><tr><td width="120"><img src="h{s.p.randint(1, 99)}.jpg"></td><td><a href="d.cgi?{s.p.randint(1, 999)}"><b>{v.address}</b></a><br><b>Price:</b> {v.price}<br><b>Bedrooms:</b> {v.beds}<br><b>Bathrooms:</b> {v.baths}<br><b>Square feet:</b> {v.area}<br>{opt(v.agent, '<b>Listed by:</b> {}<br>')}{opt(v.flag, '<i>{}</i>')}</td></tr></table><hr>"""
    return join(rows, item)


@design("booking", "hotels", "tailwind", price=lambda x: f"€ {x}", reviews=lambda x: f"{x:,} comentarios".replace(",", "."))
def booking(s, rows):
    h = s.h
    def item(v):
        score = f'<div data-testid="review-score"><div class="{h("sc")}">{v.rating}</div><div class="{h("rv")}">{v.reviews}</div></div>' if v.rating else ""
        return f"""<div data-testid="property-card" class="{h('card')}"><div class="{h('img')}"><a href="/hotel/es/{slug(v.name)}.html"><img alt="{v.name}" src="x.jpg"></a></div><div class="{h('body')}"><h3><a href="/hotel/es/{slug(v.name)}.html"><div data-testid="title">{v.name}</div><div class="{h('new')}">Se abre en una ventana nueva</div></a></h3><span data-testid="address">{v.place}</span>{score}{opt(v.offer, '<strong>{}</strong>')}<span class="{h('p')}">{v.price}</span><a class="{h('b')}" href="#">Ver disponibilidad</a></div></div>"""
    return join(rows, item)


@design("hoteles", "hotels", "bootstrap", price=lambda x: f"{x} €", reviews=lambda x: f"{x}")
def hoteles(s, rows):
    def item(v):
        return f"""<article class="hotel row"><div class="col-3"><img src="x.jpg"></div><div class="col-6"><h2><a href="/{slug(v.name)}">{v.name}</a></h2><p class="donde">{v.place}</p>{opt(v.offer, '<p class="oferta">{}</p>')}{opt(v.rating, '<p>Puntuación: <b>{}</b></p>')}{opt(v.reviews, '<p>Opiniones: <b>{}</b></p>')}</div><div class="col-3">desde <span class="precio">{v.price}</span> / noche</div></article>"""
    return f'<div class="resultados">{join(rows, item)}</div>'


@design("otomoto", "cars", "tailwind", price=zloty)
def otomoto(s, rows):
    h = s.h
    def item(v):
        return f"""<article class="ooa-{h('a')}"><section>{opt(v.flag, f'<p class="ooa-{h("f")}">' + '{}</p>')}<h2 class="ooa-{h('t')}"><a href="/oferta/{s.p.randint(1, 9999)}">{v.title}</a></h2><dl><dt>Rok</dt><dd data-parameter="year">{v.year}</dd><dt>Przebieg</dt><dd data-parameter="mileage">{v.mileage}</dd><dt>Paliwo</dt><dd data-parameter="fuel">{v.fuel}</dd></dl><p class="ooa-{h('l')}">{v.town}</p><h3 class="ooa-{h('p')}">{v.price}</h3></section></article>"""
    return f'<main>{join(rows, item)}</main>'


@design("gielda", "cars", "old", price=zloty)
def gielda(s, rows):
    def item(v):
        return f'<li><a href="/o/{s.p.randint(1, 999)}">{v.title}</a> {opt(v.flag, "<em>{}</em>")}<br>Cena: <b>{v.price}</b><br>Rok: {v.year}, przebieg: {v.mileage}<br>{v.fuel} | {v.town}</li>'
    return f'<ul>{join(rows, item)}</ul>'


# --- designs: public bodies, courts


@design("legistar", "meetings", "plain", date=slashed)
def legistar(s, rows):
    heads = "".join(f'<th class="rgHeader" scope="col"><a href="#">{h}</a></th>' for h in ("Name", "Meeting Date", "Meeting Time", "Meeting Location", "Note", "Agenda", "Minutes"))
    def item(v, i):
        minutes = '<a href="View.ashx?M=M">Minutes</a>' if s.p.random() < .6 else '<span>Not&nbsp;available</span>'
        return f'<tr class="{"rgAltRow" if i % 2 else "rgRow"}" id="ctl00_grid__{i}"><td class="rgSorted"><a href="D.aspx?ID={s.p.randint(1, 999)}"><font face="Tahoma">{v.body}</font></a></td><td><font face="Tahoma">{v.date}</font></td><td><font face="Tahoma"><span>{v.time}</span></font></td><td><font face="Tahoma">{v.place}</font></td><td>{v.status or "&nbsp;"}</td><td><a href="View.ashx?M=A">Agenda</a></td><td>{minutes}</td></tr>'
    body = "\n".join(item(v, i) for i, v in enumerate(rows))
    return f'<form><select name="y"><option>2019</option><option>2018</option></select></form><div class="RadGrid"><table class="rgMasterTable"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'


@design("drupal-meetings", "meetings", "drupal", date=with_day)
def drupal_meetings(s, rows):
    def field(key, value):
        return f'<div class="views-field views-field-field-{key}"><div class="field-content">{value}</div></div>' if value else ""
    def item(v):
        return f'<div class="views-row">{field("title", "<a href=/m>" + v.body + "</a>")}{field("date", v.date)}{field("time", v.time)}{field("place", v.place)}{field("status", v.status)}</div>'
    return f'<div class="view view-meetings"><div class="view-content">{join(rows, item)}</div></div>'


@design("granicus", "meetings", "plain", date=us_short)
@by_date
def granicus(s, rows):
    def item(v):
        return f'<tr class="listingRow"><td class="listItem" headers="Name">{v.body}{opt(v.status, " <strong>{}</strong>")}</td><td class="listItem" headers="Date"><span style="display:none">1549</span>{v.date}</td><td class="listItem">{v.time}</td><td class="listItem">{v.place}</td><td><a href="//x/AgendaViewer.php">Agenda</a></td></tr>'
    half = max(1, len(rows) // 3)
    head = '<thead><tr><th>Name</th><th>Date</th><th>Time</th><th>Location</th><th>Agenda</th></tr></thead>'
    return f'<h3>Upcoming Events</h3><table class="listingTable">{head}{join(rows[:half], item)}</table><h3>Archived</h3><table class="listingTable">{head}{join(rows[half:], item)}</table>' if len(rows) > 5 else f'<h3>Archived</h3><table class="listingTable">{head}{join(rows, item)}</table>'


@design("jsp-dockets", "dockets", "old", filed=slashed, hearing=slashed)
def jsp_dockets(s, rows):
    def item(v):
        return f'<tr><td><a href="case.jsp?n={s.p.randint(1, 999)}">{v.number}</a></td><td>{v.caption}</td><td>{v.filed}</td><td>{v.judge}</td><td>{v.status}</td><td>{v.hearing or "&nbsp;"}</td></tr>'
    return f'<p>{len(rows)} case(s) found</p><table border=1 cellpadding=2><tr bgcolor=#cccccc><td>Case Number</td><td>Style</td><td>Filed</td><td>Judge</td><td>Status</td><td>Next Hearing</td></tr>{join(rows, item)}</table>'


@design("two-row-dockets", "dockets", "plain", filed=us_short, hearing=us_short)
def two_row_dockets(s, rows):
    def item(v):
        return f'<tr class="main"><td rowspan="2"><a href="/c">{v.number}</a></td><td><b>{v.caption}</b></td><td>{v.status}</td></tr><tr class="sub"><td>{v.judge}</td><td>Filed {v.filed}{opt(v.hearing, "<br>Hearing {}")}</td></tr>'
    return f'<table class="cases">{join(rows, item)}</table>'


@design("docket-lines", "dockets", "drupal", filed=us, hearing=us)
def docket_lines(s, rows):
    def item(v):
        return f'<li class="case"><h4>{v.number} &ndash; {v.caption}</h4><p>Judge: {v.judge}<br>Filed: {v.filed}<br>Status: {v.status}{opt(v.hearing, "<br>Hearing: {}")}</p></li>'
    return f'<ul class="case-list">{join(rows, item)}</ul>'


# --- designs: papers, books, files


@design("arxiv", "papers", "plain")
def arxiv(s, rows):
    def item(v, i):
        return f"""<dt><a name="item{i}">[{i}]</a>&nbsp; <a href="/abs/{v.code}" title="Abstract">{v.code}</a> [<a href="/pdf/{v.code}">pdf</a>, <a href="/format/{v.code}">other</a>]</dt><dd><div class="meta"><div class="list-title mathjax"><span class="descriptor">Title:</span> {v.title}</div><div class="list-authors"><span class="descriptor">Authors:</span> {", ".join(f'<a href="/a">{a}</a>' for a in v.authors.split(", "))}</div>{opt(v.comments, '<div class="list-comments"><span class="descriptor">Comments:</span> {}</div>')}<div class="list-subjects"><span class="descriptor">Subjects:</span> <span class="primary-subject">{v.subject}</span></div></div></dd>"""
    return f'<h3>Showing {len(rows)} entries</h3><dl id="articles">{"".join(item(v, i + 1) for i, v in enumerate(rows))}</dl>'


@design("dspace", "papers", "bootstrap")
def dspace(s, rows):
    def item(v):
        return f"""<div class="row ds-artifact-item"><div class="col-sm-3 thumbnail-wrapper"><img src="t.jpg" alt="Thumbnail"></div><div class="col-sm-9 artifact-description"><h4 class="artifact-title"><a href="/handle/1/{s.p.randint(1, 999)}">{v.title}</a><span class="Z3988" title="ctx_ver=Z39">&nbsp;</span></h4><div class="artifact-info"><span class="author h4"><small>{"; ".join(f"<span>{a}</span>" for a in v.authors.split(", "))}</small></span> <span class="number h4"><small>({v.code})</small></span></div>{opt(v.comments, '<div class="artifact-abstract">{}</div>')}<div class="subject">{v.subject}</div></div></div>"""
    return f'<div class="ds-artifact-list">{join(rows, item)}</div>'


@design("eprints", "papers", "drupal")
def eprints(s, rows):
    def item(v):
        return f'<p><span class="person_name">{v.authors}</span> <a href="/{s.p.randint(1, 999)}/"><em>{v.title}</em></a>. <span class="number">{v.code}</span> {opt(v.comments, "<span class=extent>{}</span> ")}[<span class="type">{v.subject}</span>]</p>'
    return f'<div class="ep_view_page"><p>Number of items: <strong>{len(rows)}</strong>.</p>{join(rows, item)}</div>'


@design("koha", "library", "bootstrap")
def koha(s, rows):
    def item(v, i):
        return f"""<tr><td class="bibliocol"><input type="checkbox" name="b" value="{s.p.randint(1, 999)}"></td><td class="bibliocol"><label>{i}.</label></td><td class="bibliocol"><a class="title" href="/bib/{i}">{v.title}</a><p><span class="byAuthor">von <span class="author">{v.author}</span></span></p>{opt(v.edition, '<div class="results_summary edition"><span class="label">Ausgabe: </span>{}</div>')}<div class="results_summary publisher"><span class="label">Verlag: </span>{v.publisher}</div><div class="results_summary"><span class="label">Jahr: </span>{v.year}</div>{opt(v.state, '<div class="results_summary availability"><span class="label">Status: </span>{}</div>')}<div class="results_summary"><span class="label">Signatur: </span>{v.shelf}</div></td></tr>"""
    return f'<table class="table table-striped">{"".join(item(v, i + 1) for i, v in enumerate(rows))}</table>'


@design("opac-br", "library", "old")
def opac_br(s, rows):
    def item(v):
        return f'<p><b>Titel:</b> {v.title}<br><b>Verfasser:</b> {v.author}<br>{opt(v.edition, "<b>Auflage:</b> {}<br>")}<b>Verlag:</b> {v.publisher}<br><b>Jahr:</b> {v.year}<br><b>Signatur:</b> {v.shelf}<br>{opt(v.state, "<b>Status:</b> {}<br>")}<a href="/m">Merken</a></p>'
    return join(rows, item)


@design("opac-table", "library", "drupal")
def opac_table(s, rows):
    def item(v):
        return f'<tr><td><strong><a href="/b">{v.title}</a></strong>{opt(v.edition, "<br><small>{}</small>")}</td><td>{v.author}</td><td>{v.publisher}</td><td>{v.year}</td><td><code>{v.shelf}</code></td><td>{opt(v.state, "<span class=st>{}</span>")}</td></tr>'
    return f'<table><caption>Treffer</caption><thead><tr><th>Titel</th><th>Verfasser</th><th>Verlag</th><th>Jahr</th><th>Signatur</th><th>Status</th></tr></thead><tbody>{join(rows, item)}</tbody></table>'


# --- designs: forums and links


@design("phpbb", "threads", "plain", last=us_short)
def phpbb(s, rows):
    def item(v, i):
        return f"""<li class="row bg{i % 2 + 1}"><dl class="row-item topic_read"><dt title="No unread posts"><div class="list-inner"><a href="./viewtopic.php?t={s.p.randint(1, 9999)}" class="topictitle">{v.title}</a>{opt(v.tag, ' <span class="prefix">{}</span>')}<br><div class="topic-poster">by <a href="./m" class="username">{v.author}</a></div></div></dt><dd class="posts">{v.replies} <dfn>Replies</dfn></dd><dd class="views">{v.views} <dfn>Views</dfn></dd><dd class="lastpost"><span><dfn>Last post</dfn> {v.last}</span></dd></dl></li>"""
    return f'<div class="forumbg"><div class="inner"><ul class="topiclist"><li class="header"><dl><dt>Topics</dt><dd class="posts">Replies</dd><dd class="views">Views</dd><dd class="lastpost">Last post</dd></dl></li></ul><ul class="topiclist topics">{"".join(item(v, i) for i, v in enumerate(rows))}</ul></div></div>'


@design("discourse", "threads", "tailwind", last=us_short)
def discourse(s, rows):
    def item(v):
        return f"""<tr class="topic-list-item" data-topic-id="{s.p.randint(1, 9999)}"><td class="main-link"><a class="title raw-link" href="/t/{slug(v.title)}">{v.title}</a>{opt(v.tag, '<div class="discourse-tags"><a class="discourse-tag">{}</a></div>')}</td><td class="posters"><a href="/u" data-user-card="{v.author}"><img src="a.png"></a><span class="name">{v.author}</span></td><td class="num posts-map">{v.replies}</td><td class="num views"><span class="number">{v.views}</span></td><td class="num age"><span class="relative-date">{v.last}</span></td></tr>"""
    return f'<table class="topic-list"><thead><tr><th class="default">Topic</th><th class="posters"></th><th class="num">Replies</th><th class="num">Views</th><th class="num">Activity</th></tr></thead><tbody>{join(rows, item)}</tbody></table>'


@design("vbulletin", "threads", "old", last=slashed)
def vbulletin(s, rows):
    def item(v):
        return f'<tr><td class="alt1"><img src="i.gif"></td><td class="alt1"><div>{opt(v.tag, "<strong>{}:</strong> ")}<a href="t.php?{s.p.randint(1, 999)}">{v.title}</a></div><div class="smallfont"><span>{v.author}</span></div></td><td class="alt2"><div>{v.last}</div></td><td class="alt1" align="center"><a href="#">{v.replies}</a></td><td class="alt2" align="center">{v.views}</td></tr>'
    return f'<table class="tborder"><tr><td class="thead">&nbsp;</td><td class="thead">Thread</td><td class="thead">Last Post</td><td class="thead">Replies</td><td class="thead">Views</td></tr>{join(rows, item)}</table>'


@design("viewtopic", "posts", "plain", date=us_short)
def viewtopic(s, rows):
    def item(v):
        return f"""<div id="p{s.p.randint(1, 9999)}" class="post has-profile"><dl class="postprofile"><dt><a href="#" class="username">{v.author}</a></dt><dd class="profile-rank">Member</dd>{opt(v.home, '<dd class="profile-location"><strong>Location:</strong> {}</dd>')}</dl><div class="postbody"><p class="author"><time>{v.date}</time></p><div class="content">{v.text}</div></div></div><hr class="divider">"""
    return join(rows, item)


@design("wp-comments", "posts", "wp", date=us)
def wp_comments(s, rows):
    def item(v, i):
        return f"""<li class="comment depth-{1 + i % 2}" id="comment-{s.p.randint(1, 999)}"><article class="comment-body"><footer class="comment-meta"><b class="fn">{v.author}</b><span class="says">says:</span> <time>{v.date}</time>{opt(v.home, '<span class="from">{}</span>')}</footer><div class="comment-content"><p>{v.text}</p></div><div class="reply"><a href="#">Reply</a></div></article>"""
    out = []
    for i in range(0, len(rows), 2):
        reply = f'<ol class="children">{item(rows[i + 1], 1)}</li></ol>' if i + 1 < len(rows) else ""
        out.append(f"{item(rows[i], 0)}{reply}</li>")
    return f'<article><h1>{s.label}</h1>{tale(s, 2)}</article><div id="comments"><h2>{len(rows)} thoughts</h2><ol class="comment-list">{"".join(out)}</ol></div>'


@design("hackernews", "links", "plain", points=lambda x: f"{x} points", comments=lambda x: f"{x} comments")
def hackernews(s, rows):
    def item(v, i):
        return f"""<tr class="athing" id="{s.p.randint(10**6, 10**7)}"><td align="right" class="title"><span class="rank">{i}.</span></td><td class="votelinks"><a href="vote?"><div class="votearrow"></div></a></td><td class="title"><span class="titleline"><a href="https://x/{i}">{v.title}</a>{opt(v.site, ' <span class="sitebit comhead"> (<a href="from?"><span class="sitestr">{}</span></a>)</span>')}</span></td></tr>
<tr><td colspan="2"></td><td class="subtext"><span class="score">{v.points}</span> by <a href="user?" class="hnuser">{v.author}</a> <span class="age"><a href="item?">{v.age}</a></span> | <a href="hide?">hide</a> | <a href="item?">{v.comments}</a></td></tr><tr class="spacer" style="height:5px"></tr>"""
    return f'<table class="itemlist">{"".join(item(v, i + 1 + 30 * s.page) for i, v in enumerate(rows))}<tr class="morespace"></tr><tr><td colspan="2"></td><td class="title"><a href="?p=2" class="morelink">More</a></td></tr></table>'


@design("old-reddit", "links", "plain", comments=lambda x: f"{x} comments")
def old_reddit(s, rows):
    def item(v, i):
        return f"""<div class="thing link" data-fullname="t3_{s.p.randint(1, 9999)}"><span class="rank">{i}</span><div class="midcol"><div class="arrow up"></div><div class="score unvoted">{v.points}</div><div class="arrow down"></div></div><div class="entry"><p class="title"><a class="title" href="/r">{v.title}</a>{opt(v.site, ' <span class="domain">(<a href="/d">{}</a>)</span>')}</p><p class="tagline">submitted <time>{v.age}</time> by <a href="/u" class="author">{v.author}</a></p><ul class="flat-list buttons"><li class="first"><a href="/c" class="comments">{v.comments}</a></li><li class="share"><a>share</a></li><li><a>save</a></li></ul></div></div><div class="clearleft"></div>"""
    parts = [item(v, i + 1) for i, v in enumerate(rows)]
    parts.insert(0, f'<div class="thing promoted"><div class="entry"><p class="title"><a href="/ad">{title(s.p)}</a></p><p class="tagline">promoted by {r_firm(s)}</p></div></div>')
    return f'<div id="siteTable" class="sitetable linklisting">{"".join(parts)}</div>'


def r_firm(s):
    return html.escape(s.p.choice(FIRMS))


@design("lobsters", "links", "drupal")
def lobsters(s, rows):
    def item(v):
        return f'<li class="story"><div class="voters"><a class="upvoter"></a><div class="score">{v.points}</div></div><div class="details"><span class="link"><a href="/s" class="u-url">{v.title}</a></span>{opt(v.site, " <a class=domain href=/d>{}</a>")}<div class="byline"><a class="u-author" href="/u">{v.author}</a> <span title="x">{v.age}</span> | <span class="comments_label"><a href="/c"><b>{v.comments}</b> comments</a></span></div></div></li>'
    return f'<ol class="stories list">{join(rows, item)}</ol>'


@design("github", "repos", "tailwind", stars=thousands, updated=us_short)
def github(s, rows):
    def item(v):
        return f"""<li class="col-12 d-flex width-full py-4 border-bottom public source"><div class="col-10"><div class="d-inline-block mb-1"><h3 class="wb-break-all"><a href="/o/{v.name}" itemprop="name codeRepository">{v.name}</a> <span class="Label">Public</span></h3></div><div>{opt(v.about, '<p class="col-9 color-fg-muted mb-2 pr-4" itemprop="description">{}</p>')}</div><div class="f6 color-fg-muted mt-2">{opt(v.language, '<span class="ml-0 mr-3"><span class="repo-language-color"></span> <span itemprop="programmingLanguage">{}</span></span>')}<a class="Link--muted mr-3" href="/s"><svg aria-label="star"></svg> {v.stars}</a> Updated <relative-time class="no-wrap">{v.updated}</relative-time></div></div></li>"""
    return f'<div id="user-repositories-list"><ul data-filterable-for="your-repos-filter">{join(rows, item)}</ul></div>'


@design("gitlab", "repos", "bootstrap", updated=iso)
def gitlab(s, rows):
    def item(v):
        return f"""<div class="project-row"><div class="project-title"><a href="/{v.name}"><span class="project-name">{v.name}</span></a></div>{opt(v.about, '<div class="description"><p>{}</p></div>')}<div class="controls"><span class="stars" title="Stars">{v.stars}</span>{opt(v.language, '<span class="lang">{}</span>')}<span class="updated-note"><span>Updated</span> <time>{v.updated}</time></span></div></div>"""
    return f'<div class="projects-list">{join(rows, item)}</div>'


@design("stackexchange", "questions", "plain", views=thousands)
def stackexchange(s, rows):
    def item(v):
        tags = " ".join(f'<a href="/t/{t}" class="post-tag" rel="tag">{t}</a>' for t in v.tags)
        return f"""<div class="question-summary" id="question-summary-{s.p.randint(1, 99999)}"><div class="statscontainer"><div class="stats"><div class="vote"><div class="votes"><span class="vote-count-post"><strong>{v.votes}</strong></span><div class="viewcount">votes</div></div></div><div class="status answered"><strong>{v.answers}</strong>answers</div></div><div class="views"><span class="v">{v.views}</span> views</div></div><div class="summary"><h3><a href="/q" class="question-hyperlink">{v.title}</a></h3><div class="excerpt">{prose(s.p)}</div><div class="tags">{tags}</div><div class="started"><div class="user-details"><a href="/u">{v.user}</a></div></div></div></div>"""
    return f'<div id="questions">{join(rows, item)}</div>'


@design("q2a", "questions", "drupal")
def q2a(s, rows):
    def item(v):
        tags = "".join(f'<li class="qa-q-item-tag-item"><a href="/t">{t}</a></li>' for t in v.tags)
        return f"""<div class="qa-q-list-item"><div class="qa-q-item-stats"><span class="qa-netvote-count-data">{v.votes}</span><span class="qa-a-count"><span class="qa-a-count-data">{v.answers}</span><span class="qa-a-count-pad"> answers</span></span></div><div class="qa-q-item-main"><div class="qa-q-item-title"><a href="/1">{v.title}</a></div><span class="qa-q-item-meta">asked by <a class="qa-user-link" href="/u">{v.user}</a></span> <span class="qa-view-count"><span class="qa-view-count-data">{v.views}</span> views</span><ul class="qa-q-item-tag-list">{tags}</ul></div></div>"""
    return f'<div class="qa-q-list">{join(rows, item)}</div>'


# --- designs: writing


@design("wp-archive", "blog", "wp")
def wp_archive(s, rows):
    def item(v):
        return f"""<article id="post-{s.p.randint(1, 9999)}" class="post type-post status-publish hentry"><header class="entry-header"><h2 class="entry-title"><a href="/{slug(v.title)}/" rel="bookmark">{v.title}</a></h2><div class="entry-meta"><span class="posted-on">Posted on <a href="/d"><time class="entry-date published">{v.date}</time></a></span>{opt(v.author, '<span class="byline"> by <span class="author vcard"><a class="url fn n" href="/a">{}</a></span></span>')}</div></header><div class="entry-summary"><p>{v.excerpt}</p></div><footer class="entry-footer"><span class="cat-links">Posted in <a href="/c" rel="category tag">{v.category}</a></span></footer></article>"""
    return join(rows, item)


@design("joomla", "blog", "drupal", date=british)
def joomla(s, rows):
    def item(v):
        return f"""<div class="item column-1"><h2 class="item-title"><a href="/i">{v.title}</a></h2><dl class="article-info"><dt class="article-info-term">Details</dt>{opt(v.author, '<dd class="createdby">Written by <span>{}</span></dd>')}<dd class="category-name">Category: <a href="/c">{v.category}</a></dd><dd class="published">Published: <time>{v.date}</time></dd></dl><p>{v.excerpt}</p><p class="readmore"><a class="btn" href="/i">Read more ...</a></p></div>"""
    return f'<div class="blog"><div class="items-row cols-1">{join(rows, item)}</div></div>'


@design("hero-first", "blog", "tailwind", date=us_short)
def hero_first(s, rows):
    def item(v):
        return f'<article class="p-4 border"><span class="text-xs uppercase">{v.category}</span><h3 class="font-bold"><a href="/{slug(v.title)}">{v.title}</a></h3><p class="text-sm">{v.excerpt}</p><div class="text-xs flex">{opt(v.author, "<span>{}</span>")}<time>{v.date}</time></div></article>'
    def hero(v):
        return f'<article class="p-8 col-span-3 bg-black text-white"><span class="text-xs uppercase">{v.category}</span><h2 class="text-4xl font-bold"><a href="/{slug(v.title)}">{v.title}</a></h2><p class="text-lg">{v.excerpt}</p><div class="text-sm flex">{opt(v.author, "<span>{}</span>")}<time>{v.date}</time></div></article>'
    return f'<div class="grid grid-cols-3">{hero(rows[0])}{join(rows[1:], item)}</div><button class="load-more">Load more</button>'


@design("journal", "article", "wp", date=french)
def journal(s, rows):
    v = rows[0]
    return f"""<article class="article"><p class="rubrique">{v.section}</p><h1>{v.title}</h1><p class="chapo">{v.lead}</p><p class="meta">Par <span class="auteur">{v.author}</span>, le <time>{v.date}</time>{opt(v.minutes, ' &middot; Lecture : <span class="duree">{}</span>')}</p><div class="corps">{tale(s, s.p.randint(2, 6))}</div></article>"""


@design("gazette", "article", "tailwind", date=french_day)
def gazette(s, rows):
    v, h = rows[0], s.h
    return f"""<div class="{h('a')}"><a class="{h('s')}" href="/s">{v.section}</a><div class="{h('l')}">{v.lead}</div><div class="{h('m')}"><div>{v.author}</div><div>Publié le {v.date}</div>{opt(v.minutes, '<div>Temps de lecture {}</div>')}</div><div class="{h('t')}">{tale(s, s.p.randint(2, 6))}</div></div>"""


@design("recipe-cards", "recipes", "wp")
def recipe_cards(s, rows):
    def item(v):
        return f"""<div class="recipe-card"><a href="/r/{slug(v.title)}"><img src="r.jpg" alt="{v.title}"></a><h3 class="recipe-card__title"><a href="/r/{slug(v.title)}">{v.title}</a></h3>{opt(v.rating, '<div class="recipe-card__stars"><span class="score">{}</span></div>')}<ul class="recipe-card__facts"><li><strong>Total:</strong> {v.time}</li><li><strong>Prep:</strong> {v.prep}</li>{opt(v.serves, '<li><strong>Serves:</strong> {}</li>')}</ul><p class="recipe-card__author">By {v.author}</p></div>"""
    return f'<div class="recipe-grid">{join(rows, item)}</div>'


@design("recipe-list", "recipes", "drupal")
def recipe_list(s, rows):
    def item(v):
        return f'<tr><td><a href="/r">{v.title}</a></td><td>{v.author}</td><td>{v.prep}</td><td>{v.time}</td><td>{v.serves}</td><td>{v.rating}</td></tr>'
    return f'<table class="views-table"><thead><tr><th>Recipe</th><th>Cook</th><th>Preparation</th><th>Total time</th><th>Servings</th><th>Stars</th></tr></thead><tbody>{join(rows, item)}</tbody></table>'


# --- designs: calendars


def days(rows):
    """The rows by their date, in order."""
    groups = {}
    for row in rows:
        groups.setdefault(row.date, []).append(row)
    return groups.items()


@design("event-days", "events", "wp", date=with_day)
@by_date
def event_days(s, rows):
    def item(v):
        return f"""<div class="tribe-event"><span class="tribe-time">{v.time}</span><h3><a href="/e/{slug(v.title)}">{v.title}</a></h3><div class="tribe-venue">{v.venue}</div>{opt(v.cost, '<div class="tribe-cost">{}</div>')}</div>"""
    return "".join(f'<h2 class="tribe-day">{day}</h2>{join(group, item)}' for day, group in days(rows))


@design("event-table", "events", "old", date=us)
@by_date
def event_table(s, rows):
    def item(v):
        return f'<tr><td nowrap>{v.time}</td><td><a href="e.cfm?id={s.p.randint(1, 999)}">{v.title}</a></td><td>{v.venue}</td><td>{v.cost or "&nbsp;"}</td></tr>'
    return "<table>" + "".join(f'<tr><td colspan="4" bgcolor="#dddddd"><b>{day}</b></td></tr>{join(group, item)}' for day, group in days(rows)) + "</table>"


@design("event-badges", "events", "bootstrap", date=us_short)
def event_badges(s, rows):
    def item(v):
        return f"""<div class="row event"><div class="col-2"><span class="badge badge-primary">{v.date}</span></div><div class="col-7"><h4><a href="/e">{v.title}</a></h4><p><i class="fa fa-clock"></i> {v.time} <i class="fa fa-map-marker"></i> {v.venue}</p></div><div class="col-3">{opt(v.cost, '<span class="cost">{}</span>')}</div></div>"""
    return join(rows, item)


@design("baladodiffusion", "podcasts", "wp", date=french)
def baladodiffusion(s, rows):
    def item(v):
        return f'<article class="episode"><h2><a href="/e/{s.p.randint(1, 999)}">{v.title}</a></h2><p class="meta"><time>{v.date}</time> &middot; <span class="duree">{v.length}</span>{opt(v.guest, " &middot; Avec <b>{}</b>")}</p><audio src="x.mp3"></audio><p>{v.about}</p></article>'
    return join(rows, item)


@design("ondes", "podcasts", "tailwind", date=dotted)
def ondes(s, rows):
    h = s.h
    def item(v):
        return f"""<div class="{h('e')}"><div class="{h('l')}"><img src="c.jpg"></div><div class="{h('r')}"><div class="{h('d')}">{v.date}</div><a class="{h('t')}" href="/e">{v.title}</a>{opt(v.guest, f'<div class="{h("g")}">Invité : ' + '{}</div>')}<div class="{h('a')}">{v.about}</div><div class="{h('x')}"><button>Écouter</button><span>{v.length}</span></div></div></div>"""
    return f'<div class="{h("list")}">{join(rows, item)}</div>'


@design("abfahrt", "departures", "old")
def abfahrt(s, rows):
    def item(v):
        return f'<tr><td>{v.time}{opt(v.note, " <font color=red>{}</font>")}</td><td><a href="/z">{v.train}</a></td><td>{v.to}</td><td align="center">{v.platform}</td></tr>'
    return f'<table class="t"><tr><th>Zeit</th><th>Zug</th><th>Richtung</th><th>Gleis</th></tr>{join(rows, item)}</table>'


@design("tafel", "departures", "bootstrap")
def tafel(s, rows):
    def item(v):
        return f'<div class="board-row d-flex"><div class="col time">{v.time}</div><div class="col train">{v.train}</div><div class="col-6 dest"><strong>{v.to}</strong></div><div class="col">Gleis <span>{v.platform}</span></div>{opt(v.note, "<div class=delay>{}</div>")}</div>'
    return f'<div class="board">{join(rows, item)}</div>'


# --- designs: tables and lists of things


@design("app-store", "apps", "tailwind")
def app_store(s, rows):
    h = s.h
    def item(v):
        return f"""<a class="{h('card')}" href="/store/apps/details?id={slug(v.name)}"><div class="{h('i')}"><img src="i.png"></div><div class="{h('b')}"><div class="{h('n')}"><span>{v.name}</span></div><div class="{h('m')}"><span>{v.maker}</span></div><div class="{h('c')}"><span>{v.category}</span></div>{opt(v.rating, f'<div class="{h("r")}"><span>' + '{}</span><i>star</i></div>')}<div class="{h('p')}">{v.price}</div></div></a>"""
    return f'<div role="list" class="{h("grid")}">{join(rows, item)}</div>'


@design("app-dl", "apps", "plain")
def app_dl(s, rows):
    def item(v):
        return f'<div class="app"><h3><a href="/a">{v.name}</a></h3><dl><dt>Developer</dt><dd>{v.maker}</dd><dt>Category</dt><dd>{v.category}</dd>{opt(v.rating, "<dt>Rating</dt><dd>{}</dd>")}<dt>Price</dt><dd>{v.price}</dd></dl></div>'
    return join(rows, item)


@design("league-table", "league", "bootstrap", steady=True)
def league_table(s, rows):
    def item(v, i):
        return f'<tr class="{"table-success" if i < 3 else ""}"><td>{i + 1}</td><td class="team"><img src="c.svg" alt=""> <a href="/t">{v.team}</a></td><td>{v.played}</td><td>{v.won}</td><td>{v.drawn}</td><td>{v.lost}</td><td><strong>{v.points}</strong></td></tr>'
    return f'<table class="table"><thead><tr><th>#</th><th>Team</th><th>P</th><th>W</th><th>D</th><th>L</th><th>Pts</th></tr></thead><tbody>{"".join(item(v, i) for i, v in enumerate(rows))}</tbody></table>'


@design("wikitable", "league", "plain", steady=True)
def wikitable(s, rows):
    def item(v, i):
        return f'<tr><th scope="row" align="center">{i + 1}</th><td style="text-align:left;"><a href="/wiki/{slug(v.team)}" title="{v.team}">{v.team}</a></td><td>{v.played}</td><td>{v.won}</td><td>{v.drawn}</td><td>{v.lost}</td><td><b>{v.points}</b></td></tr>'
    return f'{tale(s, 2)}<h2><span class="mw-headline">League table</span><span class="mw-editsection">[<a href="#">edit</a>]</span></h2><table class="wikitable sortable"><tbody><tr><th>Pos</th><th>Team</th><th>Pld</th><th>Won</th><th>Drawn</th><th>Lost</th><th>Points</th></tr>{"".join(item(v, i) for i, v in enumerate(rows))}</tbody></table>{tale(s, 1)}'


@design("quotes", "stocks", "tailwind", last=lambda x: f"{x:.2f}", high=lambda x: f"{x:.2f}", volume=thousands)
def quotes(s, rows):
    def item(v):
        return f'<tr class="simpTblRow"><td class="Va(m)"><a href="/q" title="{v.company}">{v.symbol}</a></td><td class="Va(m)">{v.company}</td><td class="Va(m)"><fin-streamer>{v.last}</fin-streamer></td><td class="Va(m)"><fin-streamer><span class="{"C(g)" if "+" in v.change else "C(r)"}">{v.change}</span></fin-streamer></td><td class="Va(m)">{v.high}</td><td class="Va(m)">{v.volume}</td></tr>'
    return f'<table class="W(100%)"><thead><tr><th>Symbol</th><th>Name</th><th>Price</th><th>% Change</th><th>Day high</th><th>Volume</th></tr></thead><tbody>{join(rows, item)}</tbody></table>'


@design("ticker", "stocks", "old", last=lambda x: f"{x:.2f}", high=lambda x: f"{x:.2f}")
def ticker(s, rows):
    def item(v):
        return f'<tr><td><font size="2"><b>{v.symbol}</b></font></td><td><font size="2">{v.company}</font></td><td align="right">{v.high}</td><td align="right">{v.last}</td><td align="right"><font color="{"green" if "+" in v.change else "red"}">{v.change}</font></td><td align="right">{v.volume}</td></tr>'
    return f'<table border="0">{join(rows, item)}</table><p>Quotes delayed 15 minutes.</p>'


@design("legacy", "obituaries", "tailwind")
def legacy(s, rows):
    h = s.h
    def item(v):
        return f"""<div class="{h('o')}"><div class="{h('img')}"><img src="o.jpg"></div><div><h3 class="{h('n')}"><a href="/o">{v.name}</a></h3><div class="{h('d')}">{v.died}</div><div class="{h('d')}">Age <span>{v.age}</span>, <span>{v.town}</span></div><p>{v.text} <a href="/o">Read more</a></p>{opt(v.home, f'<div class="{h("h")}">' + '{}</div>')}</div></div>"""
    return join(rows, item)


@design("notices", "obituaries", "drupal", died=us_short)
def notices(s, rows):
    def item(v):
        return f'<div class="obit"><p><b>{v.name}</b>, {v.age}, of {v.town}, died {v.died}.</p><p class="text">{v.text}</p>{opt(v.home, "<p class=home>Arrangements: <a href=/h>{}</a></p>")}</div>'
    return f'<div class="obits">{join(rows, item)}</div>'


@design("auction-cards", "auctions", "bootstrap", ends=us_short)
def auction_cards(s, rows):
    def item(v):
        return f"""<div class="col-md-4 lot"><div class="lot-number">Lot {v.lot}</div><h4><a href="/lot/{v.lot}">{v.title}</a></h4>{opt(v.reserve, '<span class="badge">{}</span>')}<div class="bid"><label>Current bid</label> <strong>{v.current}</strong></div><div class="bid"><label>Starting bid</label> <strong>{v.start}</strong></div><div class="foot"><span>{v.bids} bids</span><span>Ends {v.ends}</span></div></div>"""
    return f'<div class="row">{join(rows, item)}</div>'


@design("auction-table", "auctions", "old", ends=slashed)
def auction_table(s, rows):
    def item(v):
        return f'<tr valign="top"><td>{v.lot}</td><td><a href="lot?{v.lot}">{v.title}</a>{opt(v.reserve, "<br><i>{}</i>")}</td><td>{v.start}</td><td><b>{v.current}</b></td><td>{v.bids}</td><td>{v.ends}</td></tr>'
    return f'<table border="1"><tr><th>Lot</th><th>Description</th><th>Opening</th><th>High bid</th><th>Bids</th><th>Closes</th></tr>{join(rows, item)}</table>'


@design("wiki-peaks", "mountains", "plain", height=lambda x: f"{x:,} m")
def wiki_peaks(s, rows):
    half = (len(rows) + 1) // 2
    def item(v):
        note = f'<sup class="reference"><a href="#cite">[{s.p.randint(1, 30)}]</a></sup>' if s.p.random() < .3 else ""
        return f'<tr><td><a href="/wiki/x" title="{v.name}">{v.name}</a></td><td>{v.height}{note}</td><td><a href="/wiki/r">{v.range}</a></td><td><span class="flagicon"><img src="f.svg"></span>&nbsp;<a href="/wiki/c">{v.country}</a></td><td>{v.climbed}</td></tr>'
    head = '<tr><th>Mountain</th><th>Height</th><th>Range</th><th>Country</th><th>First ascent</th></tr>'
    return f'{tale(s, 1)}<table class="wikitable sortable"><tbody>{head}{join(rows[:half], item)}{head}{join(rows[half:], item)}</tbody></table>'


@design("peak-list", "mountains", "wp", height=lambda x: f"{x} m")
def peak_list(s, rows):
    def item(v):
        return f'<li><strong>{v.name}</strong> <span class="h">{v.height}</span> <span class="r">{v.range}</span>, <span class="c">{v.country}</span>{opt(v.climbed, " <em>{}</em>")}</li>'
    return f'<ol class="peaks">{join(rows, item)}</ol>'


@design("gridview", "courses", "plain")
def gridview(s, rows):
    def item(v, i):
        return f'<tr style="background-color:{"White" if i % 2 else "#EFF3FB"};"><td><span id="ctl00_GridView1_ctl{i + 2:02}_Label1">{v.code}</span></td><td><a id="ctl00_GridView1_ctl{i + 2:02}_Link" href="javascript:__doPostBack(&#39;x&#39;)">{v.title}</a></td><td>{v.teacher}</td><td>{v.assistant or "&nbsp;"}</td><td align="right">{v.credits}</td><td>{v.days}</td></tr>'
    return f'<form method="post"><input type="hidden" name="__VIEWSTATE" value="/wEPDwUK{s.p.randint(10**8, 10**9)}"><div><table cellspacing="0" rules="all" border="1" id="ctl00_GridView1"><tr><th scope="col">Course</th><th scope="col">Title</th><th scope="col">Instructor</th><th scope="col">Assistant</th><th scope="col">Cr</th><th scope="col">Days</th></tr>{"".join(item(v, i) for i, v in enumerate(rows))}</table></div></form>'


@design("course-dl", "courses", "drupal")
def course_dl(s, rows):
    def item(v):
        return f'<h3 class="course"><span>{v.code}</span> {v.title}</h3><dl><dt>Instructor</dt><dd>{v.teacher}</dd>{opt(v.assistant, "<dt>Assistant</dt><dd>{}</dd>")}<dt>Credits</dt><dd>{v.credits}</dd><dt>Meets</dt><dd>{v.days}</dd></dl>'
    return f'<div class="catalog">{join(rows, item)}</div>'


@design("faculty-page", "staff", "drupal")
def faculty_page(s, rows):
    v = rows[0]
    def field(label, value):
        return f'<div class="field field-label-inline clearfix"><div class="field-label">{label}:&nbsp;</div><div class="field-items"><div class="field-item even">{value}</div></div></div>' if value else ""
    return f'<div class="node node-person"><div class="field-name-field-title">{v.role}</div><div class="field-name-unit">{v.unit}</div>{field("Phone", v.phone)}{field("Fax", v.fax)}{field("Email", v.email)}{field("Office", v.office)}<div class="field-name-body"><p>{v.text}</p></div><h3>Publications</h3><ul>{"".join(f"<li>{title(s.p)}, {s.p.randint(1990, 2019)}</li>" for _ in range(s.p.randint(1, 6)))}</ul></div>'


@design("vcard-page", "staff", "old")
def vcard_page(s, rows):
    v = rows[0]
    return f'<table><tr><td><img src="p.jpg"></td><td><i>{v.role}</i><br>{v.unit}<br>{opt(v.office, "Office: {}<br>")}Tel: {v.phone}<br>{opt(v.fax, "Fax: {}<br>")}<a href="mailto:x">{v.email}</a></td></tr></table><p>{v.text}</p>'


@design("council-cards", "members", "bootstrap")
def council_cards(s, rows):
    def item(v):
        return f"""<td width="33%" valign="top"><img src="m.jpg"><br><strong>{v.name}</strong><br>{v.role}<br>Phone: {v.phone}<br>{opt(v.mobile, 'Mobile: {}<br>')}<a href="mailto:x">{v.email}</a></td>"""
    groups = [rows[i:i + 3] for i in range(0, len(rows), 3)]
    return "<table>" + "".join(f"<tr>{join(group, item)}</tr>" for group in groups) + "</table>"


@design("member-flex", "members", "tailwind")
def member_flex(s, rows):
    def item(v):
        return f"""<div class="flex p-4"><img class="h-12 w-12 rounded-full" src="m.jpg" alt="{v.name}"><div class="ml-4"><p class="text-lg font-medium">{v.name}</p><p class="text-sm text-gray-500">{v.role}</p><p class="text-sm"><a href="tel:1">{v.phone}</a></p>{opt(v.mobile, '<p class="text-sm"><a href="tel:2">{}</a></p>')}<p class="text-sm"><a href="mailto:x">{v.email}</a></p></div></div>"""
    return f'<div class="grid grid-cols-2">{join(rows, item)}</div>'


# --- designs: more of the same kinds


@design("magento", "shop", "drupal")
def magento(s, rows):
    def item(v):
        price = f'<span class="price-container"><span class="price-wrapper"><span class="price">{v.price}</span></span></span>'
        if v.old:
            price = f'<span class="special-price"><span class="price-container"><span class="price-label">Special Price</span> <span class="price-wrapper"><span class="price">{v.price}</span></span></span></span> <span class="old-price"><span class="price-container"><span class="price-label">Regular Price</span> <span class="price-wrapper"><span class="price">{v.old}</span></span></span></span>'
        return f"""<li class="item product product-item"><div class="product-item-info" id="product-item-info_{s.p.randint(1, 999)}"><a href="/p.html" class="product photo"><img class="product-image-photo" src="p.jpg" alt="{v.title}"></a>{opt(v.badge, '<span class="product-label">{}</span>')}<div class="product details product-item-details"><strong class="product name product-item-name"><a class="product-item-link" href="/p.html">{v.title}</a></strong>{opt(v.rating, '<div class="product-reviews-summary short"><div class="rating-result"><span>{}</span></div></div>')}<div class="price-box price-final_price">{price}</div><div class="product-item-inner"><button class="action tocart"><span>Add to Cart</span></button></div></div></div></li>"""
    return f'<div class="toolbar toolbar-products"><p class="toolbar-amount">Items <span class="toolbar-number">1</span>-<span class="toolbar-number">12</span> of <span class="toolbar-number">{s.p.randint(30, 90)}</span></p></div><div class="products wrapper grid"><ol class="products list items product-items">{join(rows, item)}</ol></div>'


@design("detail-table", "product", "bootstrap")
def detail_table(s, rows):
    v = rows[0]
    def line(label, value):
        return f'<tr><th class="prodDetSectionEntry">{label}</th><td class="prodDetAttrValue">{value}</td></tr>' if value else ""
    return f"""<div class="row"><div class="col-6"><img src="x.jpg" alt="{v.title}"></div><div class="col-6"><div class="price-block">{opt(v.old, '<span class="was">{}</span> ')}<span class="now">{v.price}</span></div><a class="btn btn-primary" href="/cart">Add to cart</a></div></div><div id="productDescription"><p>{v.description}</p></div><table id="productDetails" class="prodDetTable">{line("Colour", v.colour)}{line("Item Weight", v.weight)}{line("Manufacturer", v.brand)}{line("Item model number", v.sku)}</table><div class="carousel"><h2>Customers also viewed</h2><ol>{side(s, '<li><a href="/d">{t}</a><span>{p}</span></li>')}</ol></div>"""


@design("job-lines", "jobs", "wp", posted=us)
def job_lines(s, rows):
    def item(v):
        return f'<div class="job"><p class="job-head"><a href="/j/{s.p.randint(1, 999)}"><strong>{v.title}</strong></a></p><p class="job-sub">{v.company} &mdash; {v.place}</p><ul class="job-meta"><li>{v.posted}</li>{opt(v.kind, "<li>{}</li>")}{opt(v.salary, "<li>{}</li>")}</ul></div>'
    return f'<div class="jobs">{join(rows, item)}</div>'


@design("houses-two-rows", "houses", "drupal", price=round_dollars, area=thousands)
def houses_two_rows(s, rows):
    def item(v):
        return f'<tr class="a"><td rowspan="2"><img src="h.jpg"></td><td colspan="3"><a href="/h/{s.p.randint(1, 999)}">{v.address}</a>{opt(v.flag, " <em>{}</em>")}</td><td>{v.price}</td></tr><tr class="b"><td>{v.beds} beds</td><td>{v.baths} baths</td><td>{v.area} sq ft</td><td>{v.agent}</td></tr>'
    return f'<table class="houses">{join(rows, item)}</table>'


@design("hoteles-ranking", "hotels", "drupal", price=lambda x: f"{x} €", reviews=lambda x: f"{x} opiniones")
def hoteles_ranking(s, rows):
    def item(v, i):
        return f"""<div class="listing"><div class="listing_title"><a href="/h">{i}. {v.name}</a></div><div class="listing_place">{v.place}</div>{opt(v.rating, '<div class="bubble">{}</div>')}{opt(v.reviews, '<a class="review_count" href="/r">{}</a>')}<div class="price-wrap"><div class="price">{v.price}</div><div class="vendor">Ver oferta</div></div>{opt(v.offer, '<div class="tag">{}</div>')}</div>"""
    return "".join(item(v, i + 1) for i, v in enumerate(rows))


@design("vufind", "library", "tailwind")
def vufind(s, rows):
    def item(v):
        return f"""<div class="result"><div class="media-left"><input type="checkbox"></div><div class="result-body"><div class="resultItemLine1"><a class="title getFull" href="/Record/{s.p.randint(1, 9999)}">{v.title}</a></div><div class="resultItemLine2">von <a href="/Author">{v.author}</a><br>{v.publisher}, {v.year}{opt(v.edition, '<br><span class="ed">{}</span>')}</div><div class="callnumAndLocation"><strong>Signatur:</strong> <span class="callnumber">{v.shelf}</span></div>{opt(v.state, '<div class="status"><span class="label">{}</span></div>')}</div></div>"""
    return f'<div class="results">{join(rows, item)}</div>'


@design("npm-search", "repos", "wp", updated=iso, stars=thousands)
def npm_search(s, rows):
    h = s.h
    def item(v):
        return f"""<section class="{h('s')}"><div class="{h('w')}"><a href="/package/{v.name}"><h3 class="{h('n')}">{v.name}</h3></a>{opt(v.about, f'<p class="{h("p")}">' + '{}</p>')}<div class="{h('f')}"><span class="{h('u')}">published {v.updated}</span>{opt(v.language, f' <span class="{h("l")}">' + '{}</span>')}<span class="{h('t')}"><b>{v.stars}</b> stars</span></div></div></section>"""
    return join(rows, item)


@design("blogger", "blog", "plain", date=with_day)
@by_date
def blogger(s, rows):
    def item(v):
        return f"""<div class="post hentry"><h3 class="post-title entry-title"><a href="/2019/{slug(v.title)}.html">{v.title}</a></h3><div class="post-body entry-content">{v.excerpt}</div><div class="post-footer"><div class="post-footer-line"><span class="post-author vcard">{opt(v.author, 'Posted by <span class="fn">{}</span>')}</span> <span class="post-comment-link"><a href="#c">{s.p.randint(2, 30)} comments</a></span></div><div class="post-footer-line"><span class="post-labels">Labels: <a href="/l" rel="tag">{v.category}</a></span></div></div></div>"""
    return '<div class="blog-posts hfeed">' + "".join(f'<div class="date-outer"><h2 class="date-header"><span>{day}</span></h2><div class="date-posts">{join(group, item)}</div></div>' for day, group in days(rows)) + "</div>"


@design("recipe-lines", "recipes", "old")
def recipe_lines(s, rows):
    def item(v):
        return f'<dt><a href="/r/{s.p.randint(1, 999)}">{v.title}</a>{opt(v.rating, " ({} stars)")}</dt><dd>by {v.author}<br>Prep: {v.prep}; total: {v.time}{opt(v.serves, "; serves {}")}</dd>'
    return f'<dl>{join(rows, item)}</dl>'


@design("emissions", "podcasts", "drupal", date=french)
def emissions(s, rows):
    def item(v):
        return f'<tr><td class="views-field views-field-created">{v.date}</td><td class="views-field views-field-title"><a href="/e">{v.title}</a><div class="chapo">{v.about}</div></td><td class="views-field views-field-field-invite">{v.guest}</td><td class="views-field views-field-field-duree">{v.length}</td></tr>'
    return f'<table class="views-table"><tbody>{join(rows, item)}</tbody></table>'


@design("fdroid", "apps", "wp")
def fdroid(s, rows):
    def item(v):
        return f"""<a class="package-header" href="/packages/{slug(v.name)}"><img class="package-icon" src="i.png" alt=""><div class="package-info"><h4 class="package-name">{v.name}</h4><div class="package-desc"><span class="package-summary">{v.category} by {v.maker}</span><span class="package-license">{v.price}</span>{opt(v.rating, '<span class="package-rating">{}</span>')}</div></div></a>"""
    return f'<div id="package-list">{join(rows, item)}</div>'


@design("groups", "league", "drupal", steady=True)
def league_groups(s, rows):
    def item(v):
        return f'<tr><td>{v.team}</td><td>{v.played}</td><td>{v.won}</td><td>{v.drawn}</td><td>{v.lost}</td><td>{v.points}</td></tr>'
    head = '<tr><th>Team</th><th>Played</th><th>Won</th><th>Drawn</th><th>Lost</th><th>Points</th></tr>'
    half = (len(rows) + 1) // 2
    return f'<h3>Group A</h3><table>{head}{join(rows[:half], item)}</table><h3>Group B</h3><table>{head}{join(rows[half:], item)}</table>'


@design("watchlist", "stocks", "bootstrap", last=lambda x: f"{x:.2f}", high=lambda x: f"{x:.2f}", volume=thousands)
def watchlist(s, rows):
    def item(v):
        return f"""<div class="list-group-item d-flex"><div class="w-50"><a href="/s/{v.symbol}" class="fw-bold">{v.symbol}</a><br><small>{v.company}</small></div><div class="w-25 text-end"><div>{v.last}</div><div class="small text-{'success' if '+' in v.change else 'danger'}">{v.change}</div></div><div class="w-25 text-end small">High {v.high}<br>Vol {v.volume}</div></div>"""
    return f'<div class="list-group">{join(rows, item)}</div>'


@design("abfahrten-liste", "departures", "wp")
def abfahrten_liste(s, rows):
    def item(v):
        return f'<li class="abfahrt"><span class="zeit">{v.time}</span>{opt(v.note, " <span class=stoerung>{}</span>")} <span class="zug">{v.train}</span> nach <b>{v.to}</b>, Gleis {v.platform}</li>'
    return f'<ul class="abfahrten">{join(rows, item)}</ul>'


@design("lot-list", "auctions", "wp", ends=us)
def lot_list(s, rows):
    def item(v):
        return f"""<li class="s-item"><div class="s-item__wrapper"><div class="s-item__image"><img src="l.jpg"></div><div class="s-item__info"><a class="s-item__link" href="/itm/{s.p.randint(1, 9999)}"><h3 class="s-item__title">{v.title}</h3></a><div class="s-item__subtitle"><span class="SECONDARY_INFO">Lot {v.lot}</span></div>{opt(v.reserve, '<div class="s-item__reserve">{}</div>')}<div class="s-item__details"><span class="s-item__price">{v.current}</span><span class="s-item__start">from {v.start}</span><span class="s-item__bids">{v.bids} bids</span><span class="s-item__time">{v.ends}</span></div></div></div></li>"""
    parts = [item(v) for v in rows]
    parts.insert(min(len(parts), 4), '<li class="srp-river-answer"><h3>Refine your search</h3><a href="/a">Antiques</a> <a href="/b">Books</a></li>')
    return f'<ul class="srp-results">{"".join(parts)}</ul>'


@design("infoboxes", "mountains", "drupal", height=lambda x: f"{x:,} metres")
def infoboxes(s, rows):
    def item(v):
        return f'<h3><span class="mw-headline">{v.name}</span></h3><table class="infobox"><tr><th>Elevation</th><td>{v.height}</td></tr><tr><th>Parent range</th><td>{v.range}</td></tr><tr><th>Country</th><td>{v.country}</td></tr>{opt(v.climbed, "<tr><th>First ascent</th><td>{}</td></tr>")}</table>'
    return join(rows, item)


@design("timetable", "courses", "bootstrap")
def timetable(s, rows):
    def item(v):
        return f'<tr class="section"><td>{v.code}</td><td>{v.credits}</td><td colspan="2"><strong>{v.title}</strong></td></tr><tr class="detail"><td>{v.days}</td><td></td><td>{v.teacher}</td><td>{opt(v.assistant, "TA: {}")}</td></tr>'
    return f'<table class="table table-sm">{join(rows, item)}</table>'


@design("profile-dl", "staff", "bootstrap")
def profile_dl(s, rows):
    v = rows[0]
    return f"""<div class="card"><div class="card-body"><h5 class="card-subtitle">{v.role}</h5><p class="text-muted">{v.unit}</p><dl class="row"><dt class="col-3">Phone</dt><dd class="col-9">{v.phone}</dd>{opt(v.fax, '<dt class="col-3">Fax</dt><dd class="col-9">{}</dd>')}<dt class="col-3">E-mail</dt><dd class="col-9"><a href="mailto:x">{v.email}</a></dd>{opt(v.office, '<dt class="col-3">Office</dt><dd class="col-9">{}</dd>')}</dl><h4>About</h4><p>{v.text}</p></div></div>"""


@design("meetings-by-year", "meetings", "wp", date=us)
@by_date
def meetings_by_year(s, rows):
    def item(v):
        return f'<li><a href="/m/{s.p.randint(1, 999)}">{v.body}</a>, {v.date}, {v.time}, {v.place}{opt(v.status, " - {}")}</li>'
    years = {}
    for row in rows:
        years.setdefault(row.date[-4:], []).append(row)
    return "".join(f'<h3>{year}</h3><ul class="meetings">{join(group, item)}</ul>' for year, group in years.items())


@design("nodebb", "threads", "bootstrap", last=british)
def nodebb(s, rows):
    def item(v):
        return f"""<li component="category/topic" class="row clearfix category-item"><div class="col-md-6 content"><h2 class="title"><a href="/topic/{s.p.randint(1, 999)}">{v.title}</a></h2><small>{opt(v.tag, '<span class="tag">{}</span> ')}<span class="who">{v.author}</span></small></div><div class="col-md-1 stats"><span class="human-readable-number">{v.replies}</span><br><small>Posts</small></div><div class="col-md-1 stats"><span class="human-readable-number">{v.views}</span><br><small>Views</small></div><div class="col-md-3 teaser"><p><span class="timeago">{v.last}</span></p></div></li>"""
    return f'<ul component="category" class="topic-list">{join(rows, item)}</ul>'


@design("revue", "article", "drupal", date=french)
def revue(s, rows):
    v = rows[0]
    return f"""<div class="cartouche"><p class="info-publi">Publié le <abbr class="published">{v.date}</abbr>, par <span class="vcard author">{v.author}</span>{opt(v.minutes, ' <span class="lecture">{} de lecture</span>')}</p></div><div class="rubrique">Rubrique : <a href="/r">{v.section}</a></div><div class="chapo"><p>{v.lead}</p></div><div class="texte">{tale(s, s.p.randint(2, 5))}</div>"""


@design("ogloszenia", "cars", "drupal", price=zloty)
def ogloszenia(s, rows):
    def item(v):
        return f'<tr><td><a href="/o/{s.p.randint(1, 999)}">{v.title}</a>{opt(v.flag, "<br><small>{}</small>")}</td><td>{v.year}</td><td>{v.mileage}</td><td>{v.fuel}</td><td>{v.town}</td><td><strong>{v.price}</strong></td></tr>'
    return f'<table><thead><tr><th>Model</th><th>Rocznik</th><th>Przebieg</th><th>Paliwo</th><th>Miasto</th><th>Cena</th></tr></thead><tbody>{join(rows, item)}</tbody></table>'


@design("roster", "members", "wp")
def roster(s, rows):
    def item(v):
        return f'<p><strong>{v.name}</strong>, {v.role}<br>Tel. {v.phone}{opt(v.mobile, "<br>Cell {}")}<br><a href="mailto:x">{v.email}</a></p>'
    return f'<div class="entry-content">{join(rows, item)}</div>'
