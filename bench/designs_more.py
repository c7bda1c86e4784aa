"""More site designs for designs.py: three for each family of designs_more_kinds.py.

As in designs_made.py, a design is a function from (site, rows) to the main part of a page. `rows` have values as HTML text,
and what a row lacks is an empty text.
"""

from designs_kinds import by_date, design, dotted, iso, join, name, opt, prose, side, slashed, slug, thousands, title, us, us_short, with_day, yen
from designs_more_kinds import arabic, euro, european, groups, italian, japanese, millions, portuguese, portuguese_day, pounds, russian, russian_day, sorted_by, spanish, spanish_day, twelve


def tale(s, count=2):
    return "".join(f"<p>{prose(s.p, s.lang, 20, 50)}</p>" for _ in range(count))


def amid(s, parts, extra, every=5):
    """The parts with something else between them here and there, but not at the ends."""
    out = []
    for i, part in enumerate(parts):
        out += [extra(i)] if i and i % every == 0 else []
        out.append(part)
    return "".join(out)


# --- designs: flights and school menus


@design("airport-grid", "flights", "react", "Departures")
@sorted_by("due")
def airport_grid(s, rows):
    h = s.h
    def cell(key, value, label):
        return f'<div role="cell" class="{h("cell")} {h(key)}"><span class="{h("mobile")}">{label}</span><span class="{h("v")}">{value}</span></div>'
    def item(v):
        late = f'<span class="{h("late")}">{v.expected}</span>' if v.expected else ""
        return f"""<div role="row" class="{h('row')}">{cell('due', v.due, 'Scheduled')}{cell('exp', late, 'Expected')}{cell('city', f'<strong>{v.city}</strong>', 'Destination')}<div role="cell" class="{h('cell')} {h('fl')}"><span class="{h('v')}">{v.number}</span><span class="{h('air')}">{v.airline}</span></div>{cell('gate', v.gate, 'Gate')}<div role="cell" class="{h('cell')}">{opt(v.status, f'<span class="{h("chip")}">' + '{}</span>')}</div></div>"""
    heads = "".join(f'<div role="columnheader">{word}</div>' for word in ("Scheduled", "Expected", "Destination", "Flight", "Gate", "Status"))
    return f'<div class="{h("tools")}"><label>Search flights <input type="search"></label><button>Earlier flights</button></div><div role="table" aria-label="Departures" class="{h("table")}"><div role="rowgroup"><div role="row">{heads}</div></div><div role="rowgroup">{join(rows, item)}</div></div><p class="{h("upd")}">Last updated {s.p.randint(10, 22)}:{s.p.randint(10, 59)}</p>'


@design("flights-font", "flights", "home", "Departures Today")
@sorted_by("due")
def flights_font(s, rows):
    def item(v, i):
        color = "#99CCFF" if i % 2 else "#CCE5FF"
        font = '<FONT FACE="Arial" SIZE=2>'
        return f'<TR BGCOLOR="{color}"><TD>{font}{v.airline}</FONT><TD>{font}<B>{v.number}</B></FONT><TD>{font}{v.city}</FONT><TD>{font}{v.due}</FONT><TD>{font}{v.expected or "&nbsp;"}</FONT><TD ALIGN=CENTER>{font}{v.gate}</FONT><TD>{opt(v.status, "<FONT FACE=Arial SIZE=2 COLOR=red><B>{}</B></FONT>") or "&nbsp;"}</TR>'
    heads = "".join(f'<TH><FONT FACE="Arial" SIZE=2 COLOR="#FFFFFF">{word}</FONT></TH>' for word in ("Airline", "Flight", "To", "Sched.", "Est.", "Gate", "Remarks"))
    return f'<CENTER><TABLE BORDER=0 CELLSPACING=1 CELLPADDING=3><TR BGCOLOR="#003399">{heads}</TR>\n{"".join(item(v, i) for i, v in enumerate(rows))}</TABLE></CENTER><P><FONT SIZE=1>All times are local. Please check with your airline.</FONT>'


@design("flight-accordion", "flights", "bootstrap", "Departures", due=twelve, expected=twelve)
@sorted_by("due")
def flight_accordion(s, rows):
    def item(v):
        number = s.p.randint(100, 999)
        now = f'<span class="text-danger ms-2">now {v.expected}</span>' if v.expected else ""
        return f"""<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button collapsed" type="button" aria-controls="f{number}"><span class="fw-bold me-3">{v.due}</span>{now}<span class="flex-grow-1">{v.city}</span>{opt(v.status, '<span class="badge rounded-pill bg-warning">{}</span>')}</button></h2><div id="f{number}" class="accordion-collapse collapse"><div class="accordion-body"><ul class="list-inline"><li class="list-inline-item">Flight <b>{v.number}</b></li><li class="list-inline-item">Operated by {v.airline}</li><li class="list-inline-item">Gate {v.gate}</li><li class="list-inline-item"><a href="/track">Track this flight</a></li></ul></div></div></div>"""
    return f'<ul class="nav nav-tabs"><li class="nav-item"><a class="nav-link" href="/arrivals">Arrivals</a></li><li class="nav-item"><a class="nav-link active" href="#">Departures</a></li></ul><div class="accordion">{join(rows, item)}</div>'


@design("ementa-rowspan", "menus", "drupal", "Ementa escolar", date=european)
@by_date
def ementa_rowspan(s, rows):
    def item(v):
        lines = [("Sopa", v.soup), ("Prato", v.dish)] + ([("Vegetariano", v.vegetarian)] if v.vegetarian else []) + [("Sobremesa", v.dessert)] + ([("Energia", v.calories)] if v.calories else [])
        first, *rest = [f"<td>{label}</td><td>{value}</td>" for label, value in lines]
        return f'<tr class="dia"><th rowspan="{len(lines)}" scope="rowgroup">{v.date}</th>{first}</tr>' + "".join(f"<tr>{line}</tr>" for line in rest)
    return f'<table class="ementa table-bordered"><thead><tr><th>Dia</th><th>&nbsp;</th><th>Almoço</th></tr></thead><tbody>{join(rows, item)}</tbody></table><p><em>A ementa pode sofrer alterações.</em></p>'


@design("ementa-blocks", "menus", "blocks", "Ementas", date=portuguese_day)
@by_date
def ementa_blocks(s, rows):
    def item(v):
        return f"""<h3 class="wp-block-heading has-text-align-left">{v.date}</h3>
<ul class="wp-block-list"><li><strong>Sopa:</strong> {v.soup}</li><li><strong>Prato:</strong> {v.dish}</li>{opt(v.vegetarian, '<li><strong>Vegetariano:</strong> {}</li>')}<li><strong>Sobremesa:</strong> {v.dessert}</li></ul>
{opt(v.calories, '<p class="has-small-font-size"><em>{}</em></p>')}"""
    return f'<p>Caros pais, aqui está a ementa das próximas semanas.</p>{join(rows, item)}<div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="/e.pdf">Imprimir</a></div></div>'


@design("ementa-br", "menus", "old", "Refeitório - ementa", date=portuguese)
@by_date
def ementa_br(s, rows):
    def item(v):
        return f'<p><font color="#006600"><b>{v.date}</b></font><br>&nbsp;&nbsp;{v.soup}<br>&nbsp;&nbsp;{v.dish}<br>{opt(v.vegetarian, "&nbsp;&nbsp;<i>ou</i> {}<br>")}&nbsp;&nbsp;<font size="2">Sobremesa: {v.dessert}{opt(v.calories, " ({})")}</font></p>'
    return f'<img src="garfo.gif">{join(rows, item)}'


# --- designs: tenders and trials


@design("bandi-schede", "tenders", "gov", "Bandi di gara", amount=euro, published=italian, deadline=italian)
def bandi_schede(s, rows):
    def item(v):
        return f"""<article class="scheda-bando" about="/bando/{s.p.randint(100, 999)}"><h3 class="scheda-titolo"><a href="/bando/{slug(v.title)}">{v.title}</a></h3>{opt(v.state, '<span class="stato">{}</span>')}<dl class="dati"><dt>Stazione appaltante</dt><dd>{v.body}</dd><dt>CIG</dt><dd>{v.cig}</dd><dt>Importo</dt><dd>{v.amount}</dd><dt>Data di pubblicazione</dt><dd><time>{v.published}</time></dd><dt>Scadenza</dt><dd><time>{v.deadline}</time></dd></dl></article>"""
    return f'<p>Pagina {s.page} di {s.pages}</p>{join(rows, item)}'


@design("bandi-tabella", "tenders", "old", "Elenco bandi", amount=lambda x: euro(x)[2:], published=european, deadline=european)
def bandi_tabella(s, rows):
    def item(v, i):
        return f'<tr class="riga{i % 2}"><td align="center">{i + 1}</td><td><a href="dettaglio.aspx?id={s.p.randint(1, 9999)}">{v.title}</a><br><small>{v.body}</small></td><td><tt>{v.cig}</tt></td><td align="right">{v.amount}</td><td>{v.published}</td><td><b>{v.deadline}</b></td><td>{opt(v.state, "<span>{}</span>")}</td><td><a href="#"><img src="pdf.gif" border="0"></a></td></tr>'
    heads = "".join(f"<th>{word}</th>" for word in ("N.", "Oggetto", "CIG", "Importo (euro)", "Pubblicato", "Scade", "Stato", "Atti"))
    return f'<form action="bandi.aspx"><select><option>Tutti</option><option>Lavori</option><option>Servizi</option></select></form><table border="1" cellpadding="4" summary="Bandi"><tr>{heads}</tr>{"".join(item(v, i) for i, v in enumerate(rows))}</table>'


@design("bandi-righe", "tenders", "portal", "Gare e appalti", amount=euro, published=european, deadline=european)
def bandi_righe(s, rows):
    def item(v):
        return f'<li class="gara"><span class="data">{v.published}</span> <a href="/gara/{s.p.randint(1, 999)}">{v.title}</a>{opt(v.state, " [{}]")}<p>{v.body} | CIG: {v.cig} | Importo a base di gara: {v.amount} | Termine: {v.deadline}</p></li>'
    return f'<ul class="gare">{amid(s, [item(v) for v in rows], lambda i: "<li class=spot><a href=/ad>Corsi per il nuovo codice degli appalti</a></li>")}</ul>'


@design("trial-cards", "trials", "react", "Search results", patients=thousands)
def trial_cards(s, rows):
    h = s.h
    def line(label, value):
        return f'<div class="{h("line")}"><div class="{h("label")}">{label}</div><div class="{h("value")}">{value}</div></div>' if value else ""
    def item(v):
        return f"""<div class="{h('card')}" data-index="{s.p.randint(0, 99)}"><div class="{h('head')}"><span class="{h('code')}">{v.code}</span><span class="{h('chip')}"><svg width="12" height="12"></svg>{v.status}</span></div><a class="{h('title')}" href="/study/{v.code}"><h2>{v.title}</h2></a>{line('Conditions', v.condition)}{line('Phase', v.phase)}{line('Sponsor', v.sponsor)}{line('Collaborator', v.partner)}<div class="{h('foot')}"><strong>{v.patients}</strong> participants<button type="button">Save this study</button></div></div>"""
    return f'<p class="{h("n")}">Viewing page {s.page}</p><div class="{h("list")}">{join(rows, item)}</div>'


@design("trial-table", "trials", "plain", "List of studies")
def trial_table(s, rows):
    def item(v, i):
        return f"""<tr><td class="tight"><input type="checkbox"></td><td style="text-align:center">{i + 1}</td><td><span class="recruiting">{v.status}</span></td><td><a href="/ct2/show/{v.code}?rank={i}" title="Show study">{v.title}</a></td><td><ul class="multi"><li>{v.condition}</li></ul></td><td>{v.phase}</td><td>{v.patients}</td><td>{v.sponsor}</td><td><ul class="multi">{opt(v.partner, '<li>{}</li>')}</ul></td><td nowrap>{v.code}</td></tr>"""
    heads = "".join(f"<th>{word}</th>" for word in ("Save", "Row", "Status", "Study Title", "Conditions", "Phase", "Enrollment", "Sponsor", "Collaborators", "NCT Number"))
    return f'<div class="tabs"><a href="#l">List</a> <a href="#m">By Topic</a> <a href="#x">On Map</a></div><table class="data_table dataTable"><thead><tr>{heads}</tr></thead><tbody>{"".join(item(v, i) for i, v in enumerate(rows))}</tbody></table>'


@design("trial-tbodies", "trials", "bootstrap", "Open trials")
def trial_tbodies(s, rows):
    def item(v):
        return f"""<tbody><tr class="title-row"><td colspan="4"><h5><a href="/t/{v.code}">{v.title}</a></h5></td></tr><tr class="small"><td>{v.code}</td><td>{v.condition}</td><td>{v.phase}</td><td class="text-end">{v.status}</td></tr><tr class="small text-muted"><td colspan="3">{v.sponsor}{opt(v.partner, '; with <span>{}</span>')}</td><td class="text-end">n = {v.patients}</td></tr></tbody>"""
    return f'<table class="table">{join(rows, item)}</table>'


# --- designs: museum objects and sightings


@design("cartels", "museum", "blocks", "Collections", made=lambda x: f"Vers {x}", given=lambda x: f"Don, {x}")
def cartels(s, rows):
    def item(v):
        return f"""<figure class="wp-block-image size-medium"><a href="/oeuvre/{s.p.randint(10, 999)}"><img src="/wp-content/o{s.p.randint(1, 99)}.jpg" alt=""></a><figcaption class="wp-element-caption">{opt(v.maker, '{}<br>')}<em>{v.title}</em><br>{v.made}<br>{v.matter}{opt(v.size, '<br>{}')}<br>{v.given}<br>{v.number}</figcaption></figure>"""
    return f'{tale(s, 1)}<div class="wp-block-gallery has-nested-images columns-3">{join(rows, item)}</div>'


@design("notices-musee", "museum", "plain", "Résultats de la recherche")
def notices_musee(s, rows):
    def line(label, value):
        return f'<p class="champ"><span class="label">{label} :</span> <span class="valeur">{value}</span></p>\n' if value else ""
    def item(v, i):
        return f"""<a name="n{i}"></a><p class="ordre">{i + 1} / {s.p.randint(100, 999)}</p>{line('Titre', v.title)}{line('Auteur', v.maker)}{line('Millésime', v.made)}{line('Technique', v.matter)}{line('Mesures', v.size)}{line('Entrée', v.given)}{line("Numéro d'inventaire", v.number)}<p class="suite"><a href="/notice">Notice complète</a></p><hr>"""
    return "".join(item(v, i) for i, v in enumerate(rows))


@design("oeuvres-liens", "museum", "tailwind", "Les œuvres", made=lambda x: f"{x}", given=lambda x: f"Acquis en {x}")
def oeuvres_liens(s, rows):
    def item(v):
        return f"""<li><a href="/oeuvres/{slug(v.title)}" class="group block overflow-hidden"><div class="aspect-w-3 aspect-h-4 bg-stone-100"><img loading="lazy" src="/m/{s.p.randint(1, 999)}.webp" alt=""></div><div class="pt-3"><h3 class="text-base font-serif">{v.title}<span class="text-stone-500">, {v.made}</span></h3>{opt(v.maker, '<p class="text-sm">{}</p>')}<p class="text-sm text-stone-600">{v.matter}</p>{opt(v.size, '<p class="text-xs text-stone-400">{}</p>')}<p class="mt-2 flex justify-between text-xs"><span>{v.number}</span><span>{v.given}</span></p></div></a></li>"""
    return f'<div class="flex gap-2">{side(s, "<button class=rounded-full>{t}</button>", 4)}</div><ul class="grid grid-cols-2 md:grid-cols-3 gap-8">{join(rows, item)}</ul>'


@design("bird-days", "sightings", "drupal", "Recent sightings", date=with_day)
@by_date
def bird_days(s, rows):
    def item(v):
        return f"""<div class="views-row sighting"><span class="field-species"><strong>{v.species}</strong> <em>{v.latin}</em></span> {opt(v.count, '<span class="field-count">({})</span> ')}<span class="field-site">{v.place}</span> <span class="field-observer">{v.observer}</span>{opt(v.checker, ' <span class="field-verified" title="verified by">{}</span>')}{opt(v.note, '<div class="field-note">{}</div>')}</div>"""
    return f'<div class="view-content">{"".join(f"<h3>{day}</h3>{join(group, item)}" for day, group in groups(rows, "date"))}</div>'


@design("bird-text", "sightings", "home", "Latest bird news", date=lambda d: f"{d.day:02}/{d.month:02}")
def bird_text(s, rows):
    def item(v):
        return f'<P><B>{v.date}</B> {opt(v.count, "{} ")}<B><FONT COLOR="#006633">{v.species}</FONT></B> (<I>{v.latin}</I>) at {v.place}. <FONT SIZE=2>{opt(v.note, "<I>{}</I> ")}[{v.observer}{opt(v.checker, "; conf. {}")}]</FONT>\n'
    return f'<P>Please send your records to the county recorder. Thank you!{join(rows, item)}'


@design("bird-panels", "sightings", "tailwind", "Sightings near you", date=us_short, count=lambda x: f"× {x}")
def bird_panels(s, rows):
    def item(v):
        return f"""<article class="flex gap-4 border-b py-4"><img class="h-16 w-16 rounded" src="b{s.p.randint(1, 99)}.jpg" alt=""><div class="flex-1"><div class="flex items-baseline gap-2"><h3 class="font-semibold text-emerald-800">{v.species}</h3><span class="italic text-sm text-gray-500">{v.latin}</span>{opt(v.count, '<span class="ml-auto text-lg">{}</span>')}</div><dl class="grid grid-cols-2 text-sm"><div><dt class="inline text-gray-400">Where</dt> <dd class="inline">{v.place}</dd></div><div><dt class="inline text-gray-400">When</dt> <dd class="inline">{v.date}</dd></div><div><dt class="inline text-gray-400">Seen by</dt> <dd class="inline">{v.observer}</dd></div>{opt(v.checker, '<div><dt class="inline text-gray-400">Checked by</dt> <dd class="inline">{}</dd></div>')}</dl>{opt(v.note, '<p class="mt-1 text-sm">{}</p>')}</div></article>"""
    return f'<section class="divide-y">{join(rows, item)}</section>'


# --- designs: playlists and motions


@design("titelliste", "playlist", "portal", "Titelsuche", time=lambda x: f"{x} Uhr")
@sorted_by("time")
def titelliste(s, rows):
    def item(v, i):
        return f'<tr class="{"hell" if i % 2 else "dunkel"}"><td class="zeit">{v.time}</td><td><b>{v.artist}</b><br>{v.title}</td><td>{v.album}</td><td>{v.label}</td><td><a class="kauf" href="/k?i={s.p.randint(1, 999)}">kaufen</a></td></tr>'
    return f'<form class="suche">Datum <input name="d"> Uhrzeit <input name="t"> <button>Suchen</button></form><table class="playlist"><tr><th>Zeit</th><th>Interpret / Titel</th><th>Album</th><th>Label</th><th></th></tr>{"".join(item(v, i) for i, v in enumerate(rows))}</table>'


@design("titel-microdata", "playlist", "wp", "Playlist")
@sorted_by("time")
def titel_microdata(s, rows):
    def item(v):
        return f"""<li class="playlist__item" itemscope itemtype="http://schema.org/MusicRecording"><time class="playlist__time">{v.time}</time><div class="playlist__cover"><img itemprop="image" src="c.jpg" alt=""></div><div class="playlist__text"><span class="playlist__title" itemprop="name">{v.title}</span> <span class="playlist__by">von</span> <span class="playlist__artist" itemprop="byArtist">{v.artist}</span>{opt(v.album, '<div class="playlist__album" itemprop="inAlbum">{}</div>')}{opt(v.label, '<div class="playlist__label">℗ {}</div>')}</div></li>"""
    parts = [item(v) for v in rows]
    return f'<article class="page"><h1 class="entry-title">Playlist</h1><div class="player"><button>Live hören</button></div><ul class="playlist">{amid(s, parts, lambda i: f"<li class=playlist__show><h3>{title(s.p, s.lang, 1, 2)} am Abend</h3></li>", 6)}</ul></article>'


@design("titel-zeilen", "playlist", "plain", "Musikliste der Sendung")
@sorted_by("time")
def titel_zeilen(s, rows):
    def item(v):
        return f'<p class="titel">{v.time} | {v.artist}: &bdquo;{v.title}&ldquo;{opt(v.album, " | CD: {}")}{opt(v.label, " ({})")}</p>'
    return f'<div class="sendung"><p class="moderation">Am Mikrofon: {name(s.p)}</p>{join(rows, item)}</div>'


@design("minutes", "motions", "gov", "Council decisions")
def minutes(s, rows):
    def item(v):
        return f"""<section class="decision"><h2 class="gov-heading-m">{v.number} {v.title}</h2><p class="gov-body">Moved by {v.mover}{opt(v.seconder, ', seconded by {}')}.</p>{opt(v.note, '<div class="gov-inset-text">{}</div>')}<table class="gov-table"><tr><th>For</th><td>{v.ayes}</td></tr><tr><th>Against</th><td>{v.noes}</td></tr></table><p class="gov-body outcome"><strong class="gov-tag">{v.result}</strong></p></section>"""
    return f'<p class="gov-body-l">The clerk publishes decisions within five days.</p>{join(rows, item)}'


@design("vote-bars", "motions", "bootstrap", "Votes", ayes=lambda x: f"{x} for", noes=lambda x: f"{x} against")
def vote_bars(s, rows):
    def item(v):
        return f"""<div class="list-group-item"><div class="d-flex w-100 justify-content-between"><h5 class="mb-1">{v.title}</h5><small class="text-muted">#{v.number}</small></div><div class="progress"><div class="progress-bar bg-success" style="width:70%">{v.ayes}</div><div class="progress-bar bg-danger" style="width:30%">{v.noes}</div></div><div class="mt-2"><span class="badge bg-secondary">{v.result}</span> {opt(v.note, '<span class="badge bg-light">{}</span> ')}<small>{v.mover}{opt(v.seconder, ' / {}')}</small></div></div>"""
    return f'<div class="row"><div class="col-3"><h6>Term</h6><div class="form-check"><input type="checkbox"> 2019</div><div class="form-check"><input type="checkbox"> 2018</div></div><div class="col-9 list-group">{join(rows, item)}</div></div>'


@design("nested-minutes", "motions", "drupal", "Minutes of the council")
def nested_minutes(s, rows):
    def item(v):
        return f'<li>{v.title} <span class="ref">({v.number})</span><ul><li>Mover: {v.mover}</li>{opt(v.seconder, "<li>Seconder: {}</li>")}<li>Ayes {v.ayes}, Noes {v.noes}</li>{opt(v.note, "<li><em>{}</em></li>")}<li>Result: <b>{v.result}</b></li></ul></li>'
    return f'<p>Present: {", ".join(name(s.p) for _ in range(5))}</p><ol class="minutes">{join(rows, item)}</ol><p>The meeting rose at {s.p.randint(8, 11)}.{s.p.randint(10, 59)} pm.</p>'


# --- designs: releases and fixtures


@design("keep-a-changelog", "releases", "plain", "Changelog", date=iso)
def keep_a_changelog(s, rows):
    def item(v):
        return f'<h2 id="v{v.version.replace(".", "")}"><a href="/compare/{v.version}">{v.version}</a> - {v.date}{opt(v.label, " <em>{}</em>")}</h2>{opt(v.size, "<p>Download size: {}</p>")}<ul>{"".join(f"<li>{c}</li>" for c in v.changes)}</ul>'
    return f'<p>All notable changes to this project are written in this file.</p>{join(rows, item)}'


@design("release-cards", "releases", "react", "Releases", date=us_short)
def release_cards(s, rows):
    h = s.h
    def item(v):
        size = f'<li><a href="/d/{v.version}.zip"><span>Source code (zip)</span></a> <span class="{h("size")}">{v.size}</span></li>' if v.size else ""
        return f"""<section aria-labelledby="h{s.p.randint(1, 999)}"><div class="{h('side')}"><div class="{h('when')}"><span>released this</span> <relative-time>{v.date}</relative-time></div><a class="{h('hash')}" href="/c"><code>{s.p.randrange(16 ** 6, 16 ** 7):x}</code></a></div><div class="{h('box')}"><div class="{h('bh')}"><h2><a href="/tag/{v.version}">{v.version}</a></h2>{opt(v.label, f'<span class="{h("lab")}">' + '{}</span>')}</div><div class="markdown-body"><h3>What is new</h3><ul>{"".join(f"<li>{c}</li>" for c in v.changes)}</ul></div><details open><summary>Assets</summary><ul>{size}<li><a href="/d/{v.version}.sig"><span>Signature</span></a></li></ul></details></div></section>"""
    return f'<div class="{h("list")}">{join(rows, item)}</div>'


@design("history-table", "releases", "old", "Version history", date=slashed)
def history_table(s, rows):
    def item(v):
        return f'<tr valign="top"><td><b>{v.version}</b>{opt(v.label, "<br><font size=1 color=red>{}</font>")}</td><td nowrap>{v.date}</td><td>{"<br>".join(v.changes)}</td><td align="right" nowrap>{v.size or "&nbsp;"}</td></tr>'
    return f'<table border="1" cellpadding="5"><tr bgcolor="#dddddd"><td>Version</td><td>Date</td><td>Changes</td><td>Installer</td></tr>{join(rows, item)}</table><p>Questions? See the <a href="faq.html">FAQ</a>.</p>'


@design("match-table", "fixtures", "old", "Календарь игр", date=dotted, crowd=thousands)
def match_table(s, rows):
    def item(v):
        return f'<tr><td>{v.date}<br><small>{v.time}</small></td><td align="right"><a href="/team/{s.p.randint(1, 14)}">{v.home}</a></td><td align="center"><b>{v.score or "&nbsp;"}</b></td><td><a href="/team/{s.p.randint(1, 14)}">{v.away}</a></td><td>{v.ground}</td><td>{v.crowd}</td></tr>'
    return f'<table class="games" cellspacing="0"><tr><th>Дата</th><th>Хозяева</th><th>Счёт</th><th>Гости</th><th>Стадион</th><th>Зрители</th></tr>{join(rows, item)}</table>'


@design("match-cards", "fixtures", "react", "Матчи", date=russian, crowd=lambda x: f"{x} зрителей")
def match_cards(s, rows):
    h = s.h
    def team(value):
        return f'<div class="{h("team")}"><img class="{h("logo")}" src="/logo/{s.p.randint(1, 99)}.svg" alt=""><span class="{h("tn")}">{value}</span></div>'
    def item(v):
        return f"""<a class="{h('card')}" href="/match/{s.p.randint(100, 999)}"><div class="{h('top')}"><span>{v.date}</span><span>{v.time}</span></div><div class="{h('mid')}">{team(v.home)}<div class="{h('vs')}">–{opt(v.score, f'<div class="{h("sc")}">' + '{}</div>')}</div>{team(v.away)}</div><div class="{h('bot')}"><span>{v.ground}</span>{opt(v.crowd, f'<span class="{h("cr")}">' + '{}</span>')}</div></a>"""
    return f'<div class="{h("filter")}"><button>Все</button><button>Дома</button><button>В гостях</button></div><div class="{h("grid")}">{join(rows, item)}</div>'


@design("match-days", "fixtures", "portal", "Расписание и результаты", date=russian_day)
@by_date
def match_days(s, rows):
    def item(v):
        return f'<li><i>{v.time}</i> <span class="t1">{v.home}</span> — <span class="t2">{v.away}</span>{opt(v.score, " <b>{}</b>")}<br><small>{v.ground}{opt(v.crowd, ", {} чел.")}</small></li>'
    return "".join(f'<h3 class="day">{day}</h3><ul class="games">{join(group, item)}</ul>' for day, group in groups(rows, "date"))


# --- designs: hot springs, recalls, lottery


@design("onsen-hyou", "onsen", "portal", "温泉一覧", price=yen, holiday=yen)
def onsen_hyou(s, rows):
    def item(v):
        return f"""<div class="yado"><h2><a href="/yado/{s.p.randint(1, 999)}.html">{v.name}</a><span class="kana">（{v.kana}）</span></h2>{opt(v.mark, '<p class="icon"><span>{}</span></p>')}<table class="data"><tr><th>住所</th><td>{v.place}</td></tr><tr><th>電話番号</th><td>{v.phone}</td></tr><tr><th>平日料金</th><td>{v.price}</td></tr><tr><th>休日料金</th><td>{v.holiday}</td></tr>{opt(v.water, '<tr><th>泉質</th><td>{}</td></tr>')}</table></div>"""
    return f'<p class="kensu">全{s.p.randint(60, 99)}件</p>{join(rows, item)}'


@design("onsen-kado", "onsen", "tailwind", "温泉を探す", price=lambda x: f"¥{x:,}", holiday=lambda x: f"¥{x:,}")
def onsen_kado(s, rows):
    h = s.h
    def item(v):
        return f"""<div class="p-{h('card')} rounded-lg shadow"><a href="/onsen/{s.p.randint(1, 999)}" class="block"><img src="o.jpg" alt="{v.name}"><ruby class="text-lg font-bold">{v.name}<rt>{v.kana}</rt></ruby></a>{opt(v.mark, '<span class="text-xs bg-pink-100">{}</span>')}<p class="text-sm text-gray-600">{v.place}</p><p class="text-sm"><a href="tel:0">{v.phone}</a></p><dl class="flex text-sm"><dt>平日</dt><dd class="mr-4 font-bold">{v.price}</dd><dt>土日祝</dt><dd class="font-bold">{v.holiday}</dd></dl>{opt(v.water, '<p class="text-xs">{}</p>')}</div>"""
    return f'<div class="grid md:grid-cols-2 gap-4">{join(rows, item)}</div>'


@design("onsen-shikaku", "onsen", "home", "日帰り温泉リスト", price=yen, holiday=yen)
def onsen_shikaku(s, rows):
    def item(v):
        return f'<FONT COLOR="#CC0000">■</FONT><B>{v.name}</B> {v.kana}{opt(v.mark, " <FONT COLOR=blue>【{}】</FONT>")}<BR>住所：{v.place}<BR>TEL：{v.phone}<BR>{opt(v.water, "泉質：{}<BR>")}料金：平日{v.price}／休日{v.holiday}<BR><BR>'
    return join(rows, item)


@design("istidaa-cards", "recalls", "gov", "الاستدعاءات", date=arabic)
def istidaa_cards(s, rows):
    def item(v):
        return f"""<div class="recall-item"><div class="recall-no">رقم الاستدعاء <span>{v.number}</span></div><h3><a href="/ar/recall/{s.p.randint(100, 999)}">{v.product}</a></h3><ul class="recall-info"><li><i class="icon-calendar"></i> {v.date}</li><li><i class="icon-factory"></i> {v.maker}</li>{opt(v.seller, '<li><i class="icon-shop"></i> {}</li>')}{opt(v.units, '<li><i class="icon-box"></i> {} قطعة</li>')}</ul><span class="hazard-tag">{v.hazard}</span></div>"""
    return f'<div class="recalls">{join(rows, item)}</div>'


@design("istidaa-table", "recalls", "portal", "قائمة الاستدعاءات", date=european, units=thousands)
def istidaa_table(s, rows):
    def item(v, i):
        return f'<tr class="{"alt" if i % 2 else "row"}"><td>{v.number}</td><td>{v.date}</td><td><a href="view.aspx?i={s.p.randint(1, 999)}">{v.product}</a></td><td>{v.maker}</td><td>{v.seller or "&nbsp;"}</td><td>{v.units or "&nbsp;"}</td><td><font color="#990000">{v.hazard}</font></td></tr>'
    heads = "".join(f"<th>{word}</th>" for word in ("الرقم", "التاريخ", "المنتج", "الصانع", "البائع", "العدد", "الخطر"))
    return f'<table class="grid" border="1" width="100%"><tr>{heads}</tr>{"".join(item(v, i) for i, v in enumerate(rows))}</table>'


@design("istidaa-posts", "recalls", "blocks", "تنبيهات السلامة", date=arabic)
def istidaa_posts(s, rows):
    def item(v):
        return f"""<li class="wp-block-post"><h2 class="wp-block-post-title"><a href="/p/{s.p.randint(100, 999)}">{v.product}</a></h2><div class="wp-block-post-date">{v.date}</div><p><strong>الخطر:</strong> {v.hazard}<br><strong>الصانع:</strong> {v.maker}<br>{opt(v.seller, '<strong>البائع:</strong> {}<br>')}<strong>رقم الملف:</strong> {v.number}{opt(v.units, '<br><strong>عدد القطع:</strong> {}')}</p><a class="wp-block-read-more" href="/p">اقرأ المزيد</a></li>"""
    return f'<ul class="wp-block-post-template">{join(rows, item)}</ul>'


@design("sorteo-bolas", "lottery", "bootstrap", "Resultados", date=spanish, jackpot=millions)
@by_date
def sorteo_bolas(s, rows):
    def item(v):
        balls = "".join(f'<li class="bola">{n}</li>' for n in v.numbers)
        return f"""<div class="card sorteo mb-3"><div class="card-header">Sorteo <strong>{v.draw}</strong> <span class="float-end">{v.date}</span></div><div class="card-body"><ul class="bolas list-inline">{balls}</ul><div class="extra"><span class="lbl">C</span><span class="bola c">{v.bonus}</span> <span class="lbl">R</span><span class="bola r">{v.refund}</span></div>{opt(v.jackpot, '<p class="bote">Bote: <b>{}</b></p>')}{opt(v.winners, '<p class="ganadores">Acertantes de primera: {}</p>')}</div></div>"""
    return join(rows, item)


@design("sorteo-tabla", "lottery", "portal", "Sorteos anteriores", date=european, jackpot=millions)
@by_date
def sorteo_tabla(s, rows):
    def item(v):
        return f'<tr><td>{v.draw}</td><td>{v.date}</td><td class="combi">{" - ".join(v.numbers)}</td><td>{v.bonus}</td><td>{v.refund}</td><td>{v.winners}</td><td align="right">{v.jackpot or "&nbsp;"}</td></tr>'
    heads = "".join(f"<th>{word}</th>" for word in ("Sorteo", "Fecha", "Combinación", "Compl.", "Reint.", "Acert.", "Bote"))
    return f'<table class="tablaSorteos"><thead><tr>{heads}</tr></thead><tbody>{amid(s, [item(v) for v in rows], lambda i: "<tr><td colspan=7 class=publi><a href=/jugar>¡Juega ahora!</a></td></tr>", 4)}</tbody></table>'


@design("sorteo-texto", "lottery", "home", "Loteria - combinaciones ganadoras", date=spanish_day, jackpot=millions)
@by_date
def sorteo_texto(s, rows):
    def item(v):
        nums = " ".join(f"<B>{n}</B>" for n in v.numbers)
        return f'<DT><FONT COLOR="#0000AA">{v.date}</FONT> (sorteo {v.draw})<DD>{nums}<BR>Complementario: {v.bonus} Reintegro: {v.refund}{opt(v.jackpot, "<BR>Bote de {}")}{opt(v.winners, "<BR>{} acertantes")}\n'
    return f'<DL>{join(rows, item)}</DL>'


# --- designs: cottages


@design("cottage-links", "cottages", "tailwind", "Cottages in the country", price=lambda x: f"From {pounds(x)}")
def cottage_links(s, rows):
    def item(v):
        return f"""<a href="/cottages/{slug(v.name)}" class="group flex flex-col overflow-hidden rounded-xl border"><div class="relative"><img src="c1.jpg" alt=""><img src="c2.jpg" alt="" class="hidden">{opt(v.offer, '<span class="absolute left-3 top-3 bg-rose-600 px-2 text-xs text-white">{}</span>')}</div><div class="flex-1 p-4"><div class="flex"><h2 class="text-lg font-semibold">{v.name}</h2>{opt(v.rating, '<span class="ml-auto rounded bg-green-700 px-1 text-white">{}</span>')}</div><p class="text-sm text-gray-500">{v.place}</p><p class="mt-2 line-clamp-2">{v.text}</p><div class="mt-3 flex gap-4 text-sm"><span><svg class="inline h-4 w-4" width="16" height="16"></svg> {v.sleeps}</span><span><svg class="inline h-4 w-4" width="16" height="16"></svg> {v.bedrooms}</span></div></div><div class="border-t p-4"><span class="font-bold">{v.price}</span> <span class="text-xs">for 7 nights</span></div></a>"""
    def more(i):
        return '<div class="col-span-full rounded-xl bg-amber-50 p-6"><p class="text-lg">Own a cottage? Let it with us.</p><a href="/owners">Find out more</a></div>'
    return f'<div class="grid grid-cols-3 gap-6">{amid(s, [item(v) for v in rows], more, 6)}</div>'


@design("cottage-tables", "cottages", "old", "Self catering cottages", price=lambda x: f"{pounds(x)} per week")
def cottage_tables(s, rows):
    def item(v):
        return f"""<table width="560" cellpadding="2" bgcolor="#F5F0E0"><tr><td rowspan="3" width="130"><img src="c{s.p.randint(1, 50)}.jpg" width="120"></td><td><font size="4"><a href="cottage.php?id={s.p.randint(1, 99)}">{v.name}</a></font>{opt(v.offer, ' <img src="new.gif"> <font color="red">{}</font>')}</td><td align="right">{opt(v.rating, '<b>{}</b>/10')}</td></tr><tr><td colspan="2"><i>{v.place}</i><br>{v.text}</td></tr><tr><td>Sleeps: {v.sleeps} &nbsp; Bedrooms: {v.bedrooms}</td><td align="right">{v.price}</td></tr></table><br>"""
    return join(rows, item)


@design("cottage-hero", "cottages", "blocks", "Our cottages", price=pounds, sleeps=lambda x: f"{x} guests", bedrooms=lambda x: f"{x} bedrooms")
def cottage_hero(s, rows):
    def facts(v):
        return f'<p class="facts">{v.sleeps} · {v.bedrooms}</p><p class="price">{v.price} <small>/ week</small></p>'
    def item(v):
        return f"""<div class="wp-block-column"><h3 class="wp-block-heading"><a href="/{slug(v.name)}">{v.name}</a></h3>{opt(v.offer, '<p class="has-background offer">{}</p>')}<p class="where">{v.place}</p><p>{v.text}</p>{opt(v.rating, '<p class="stars">★ {}</p>')}{facts(v)}</div>"""
    def hero(v):
        return f"""<div class="wp-block-cover"><img class="wp-block-cover__image-background" src="big.jpg" alt=""><div class="wp-block-cover__inner-container"><h2 class="wp-block-heading has-x-large-font-size"><a href="/{slug(v.name)}">{v.name}</a></h2>{opt(v.offer, '<p class="has-background offer">{}</p>')}<p class="where">{v.place}</p><p class="has-large-font-size">{v.text}</p>{opt(v.rating, '<p class="stars">★ {}</p>')}{facts(v)}</div></div>"""
    pairs = [rows[i:i + 2] for i in range(1, len(rows), 2)]
    return hero(rows[0]) + "".join(f'<div class="wp-block-columns">{join(pair, item)}</div>' for pair in pairs)


# --- designs: one record a page


@design("taxobox", "species", "wiki")
def taxobox(s, rows):
    v = rows[0]
    refs = "".join(f'<li id="cite_note-{i}"><span class="mw-cite-backlink"><b><a href="#r">^</a></b></span> <span class="reference-text">{name(s.p)}. <i>{title(s.p)}</i>. {s.p.randint(1960, 2018)}.</span></li>' for i in range(s.p.randint(2, 6)))
    return f"""<table class="infobox biota"><tbody><tr><th colspan="2">{v.name}</th></tr><tr><td colspan="2"><img src="b.jpg" alt=""></td></tr><tr><th colspan="2"><a href="/wiki/Conservation_status">Conservation status</a></th></tr><tr><td colspan="2">{v.status}</td></tr><tr><td>Class:</td><td><a href="/wiki/Aves">Aves</a></td></tr><tr><td>Family:</td><td><a href="/wiki/F">{v.group}</a></td></tr><tr><td>Species:</td><td><i>{v.latin}</i></td></tr><tr><td>Length:</td><td>{v.length}</td></tr>{opt(v.span, '<tr><td>Wingspan:</td><td>{}</td></tr>')}{opt(v.diet, '<tr><td>Diet:</td><td>{}</td></tr>')}</tbody></table>
<p>{v.text}</p><div id="toc" class="toc"><h2>Contents</h2><ul><li><a href="#a">1 Behaviour</a></li><li><a href="#b">2 References</a></li></ul></div><h2><span class="mw-headline" id="a">Behaviour</span></h2>{tale(s, s.p.randint(1, 4))}<h2><span class="mw-headline" id="b">References</span></h2><ol class="references">{refs}</ol>"""


@design("bird-page", "species", "react")
def bird_page(s, rows):
    v, h = rows[0], s.h
    def fact(label, value):
        return f'<li class="{h("fact")}"><span class="{h("k")}">{label}</span><span class="{h("v")}">{value}</span></li>' if value else ""
    near = side(s, f'<li class="{h("nb")}"><a href="/bird"><img src="n.jpg" alt=""><h3>{{t}}</h3></a></li>', 3)
    return f"""<div class="{h('hero')}"><p class="{h('lat')}">{v.latin}</p><span class="{h('st')}">{v.status}</span></div><section class="{h('about')}"><h2>At a glance</h2><p>{v.text}</p></section><ul class="{h('facts')}">{fact('Family', v.group)}{fact('Length', v.length)}{fact('Wingspan', v.span)}{fact('Food', v.diet)}</ul><section><h2>Similar birds</h2><ul class="{h('near')}">{near}</ul></section>"""


@design("bird-sheet", "species", "old")
def bird_sheet(s, rows):
    v = rows[0]
    return f"""<i>{v.latin}</i> &nbsp; <font size="2">({v.group})</font><br><img src="pic.jpg" width="300" border="1"><br><dl><dt>Description<dd>{v.text}<dt>Size<dd>{v.length}{opt(v.span, '<dt>Wingspan<dd>{}')}{opt(v.diet, '<dt>Diet<dd>{}')}<dt>Status<dd>{v.status}</dl><p><font size="1">Photos: {name(s.p)}</font></p>"""


@design("patent-office", "patent", "old", filed=us, granted=us)
def patent_office(s, rows):
    v = rows[0]
    cited = "".join(f'<tr><td><a href="p?{i}">{s.p.randint(3000000, 7999999)}</a></td><td>{s.p.randint(1975, 2005)}</td><td>{s.p.choice(["Abel", "Meyer", "Zorn", "Young"])} et al.</td></tr>' for i in range(s.p.randint(2, 7)))
    return f"""<table width="100%"><tr><td align="left" width="50%"><b>United States Patent</b></td><td align="right" width="50%"><b>{v.number}</b></td></tr><tr><td></td><td align="right"><b>{v.granted}</b></td></tr></table><hr><center><b>Abstract</b></center><p>{v.abstract}</p><hr><table width="100%"><tr><td valign="top" width="10%">Inventors:</td><td width="90%">{"; ".join(f"<b>{n}</b>" for n in v.inventors)}</td></tr>{opt(v.owner, '<tr><td valign="top">Assignee:</td><td><b>{}</b></td></tr>')}<tr><td valign="top">Filed:</td><td><b>{v.filed}</b></td></tr>{opt(v.agent, '<tr><td valign="top">Attorney:</td><td>{}</td></tr>')}<tr><td>Claims:</td><td>{v.claims}</td></tr></table><hr><center><b>References Cited</b></center><table width="60%">{cited}</table>"""


@design("patent-dl", "patent", "plain", filed=iso, granted=iso)
def patent_dl(s, rows):
    v = rows[0]
    similar = "".join(f'<tr itemprop="similarDocuments" itemscope><td><a href="/p"><span>US{s.p.randint(5, 7)}{s.p.randint(100000, 999999)}</span></a></td><td><time>{s.p.randint(1990, 2007)}-0{s.p.randint(1, 9)}-1{s.p.randint(0, 9)}</time></td><td>{title(s.p)} holder</td></tr>' for _ in range(s.p.randint(3, 6)))
    return f"""<article itemscope itemtype="http://schema.org/ScholarlyArticle"><h2>Info</h2><dl><dt>Publication number</dt><dd itemprop="publicationNumber">{v.number}</dd>{"".join(f'<dt>Inventor</dt><dd itemprop="inventor" repeat>{n}</dd>' for n in v.inventors)}{opt(v.owner, '<dt>Current Assignee</dt><dd itemprop="assigneeCurrent">{}</dd>')}{opt(v.agent, '<dt>Agent</dt><dd>{}</dd>')}<dt>Filing date</dt><dd><time itemprop="filingDate">{v.filed}</time></dd><dt>Grant date</dt><dd><time itemprop="grantDate">{v.granted}</time></dd></dl><section itemprop="abstract"><h2>Abstract</h2><div class="abstract">{v.abstract}</div></section><section itemprop="claims"><h2>Claims (<span itemprop="count">{v.claims}</span>)</h2><ol class="claims">{"".join(f"<li>{prose(s.p)}</li>" for _ in range(s.p.randint(3, 8)))}</ol></section><section><h2>Similar documents</h2><table>{similar}</table></section></article>"""


@design("patent-panels", "patent", "tailwind", filed=us_short, granted=us_short)
def patent_panels(s, rows):
    v = rows[0]
    def panel(label, value):
        return f'<div class="py-3 sm:grid sm:grid-cols-3"><div class="text-sm font-medium text-gray-500">{label}</div><div class="mt-1 text-sm sm:col-span-2">{value}</div></div>' if value else ""
    return f"""<div class="lg:flex"><div class="lg:w-2/3"><p class="text-lg">{v.abstract}</p><h3 class="mt-8 font-bold">Description</h3>{tale(s, s.p.randint(2, 4))}</div><aside class="divide-y lg:w-1/3"><div class="py-3 text-2xl">{v.number}</div>{panel('Inventors', '<ul>' + ''.join(f'<li>{n}</li>' for n in v.inventors) + '</ul>')}{panel('Owner', v.owner)}{panel('Application filed', v.filed)}{panel('Patent granted', v.granted)}{panel('Attorney', v.agent)}{panel('Number of claims', v.claims)}<a class="mt-4 inline-block bg-blue-700 text-white px-4 py-2" href="/x.pdf">Download PDF</a></aside></div>"""


@design("deputado-spans", "deputy", "portal", born=iso)
def deputado_spans(s, rows):
    v = rows[0]
    def line(key, label, value):
        return f'<div class="AR_Line"><span class="TitulosBio" id="ctl00_{key}_lbl">{label}</span><br><span class="TextoBio" id="ctl00_{key}">{value}</span></div>' if value else ""
    terms = "".join(f"<tr><td>{s.p.choice(['IX', 'X', 'XI', 'XII'])}</td><td>{s.p.choice(['Efetivo', 'Suplente', 'Renunciou'])}</td></tr>" for _ in range(s.p.randint(1, 4)))
    return f"""<div id="ctl00_bio"><img id="ctl00_foto" src="f.jpg" alt="">{line('Partido', 'Grupo parlamentar', v.party)}{line('Circulo', 'Círculo eleitoral', v.district)}{line('DOB', 'Data de nascimento', v.born)}{line('Prof', 'Profissão', v.job)}{line('Com', 'Comissão a que pertence', v.committee)}{line('Tel', 'Telefone', v.phone)}{line('Fax', 'Fax', v.fax)}{line('Mail', 'Correio eletrónico', f'<a href="mailto:x">{v.email}</a>')}<h3>Mandatos</h3><table class="mandatos"><tr><th>Leg.</th><th>Situação</th></tr>{terms}</table></div>"""


@design("deputado-blocos", "deputy", "blocks", born=portuguese)
def deputado_blocos(s, rows):
    v = rows[0]
    return f"""<div class="wp-block-media-text"><figure class="wp-block-media-text__media"><img src="d.jpg" alt="{v.name}"></figure><div class="wp-block-media-text__content"><p>{v.job}, nascida/o a {v.born}. Eleita/o pelo círculo de {v.district}.</p><p><strong>{v.party}</strong>{opt(v.committee, '<br>{}')}</p></div></div><h2 class="wp-block-heading">Contactos</h2><p>T. {v.phone}{opt(v.fax, '<br>F. {}')}<br><a href="mailto:x">{v.email}</a></p><h2 class="wp-block-heading">Biografia</h2>{tale(s, s.p.randint(1, 4))}"""


@design("deputado-cartao", "deputy", "bootstrap", born=european)
def deputado_cartao(s, rows):
    v = rows[0]
    asks = "".join(f'<a class="list-group-item" href="/p/{s.p.randint(1, 99)}">{title(s.p, s.lang, 2, 4)} <span class="badge">{s.p.randint(1, 28):02}/0{s.p.randint(1, 9)}/2019</span></a>' for _ in range(s.p.randint(2, 5)))
    return f"""<div class="row"><div class="col-md-4"><div class="card"><img class="card-img-top" src="p.jpg"><div class="card-body"><span class="badge bg-primary">{v.party}</span><ul class="list-unstyled mt-3"><li><i class="bi bi-geo"></i> {v.district}</li><li><i class="bi bi-telephone"></i> {v.phone}</li>{opt(v.fax, '<li><i class="bi bi-printer"></i> {}</li>')}<li><i class="bi bi-envelope"></i> {v.email}</li></ul></div></div></div><div class="col-md-8"><table class="table"><tr><th>Nascimento</th><td>{v.born}</td></tr><tr><th>Profissão</th><td>{v.job}</td></tr>{opt(v.committee, '<tr><th>Comissão</th><td>{}</td></tr>')}</table><h4>Perguntas ao Governo</h4><div class="list-group">{asks}</div></div></div>"""


@design("kaisha-gaiyou", "company", "portal", founded=japanese)
def kaisha_gaiyou(s, rows):
    v = rows[0]
    def line(label, value):
        return f'<tr><th bgcolor="#e6eef8" nowrap>{label}</th><td>{value}</td></tr>' if value else ""
    return f'<h3>会社概要</h3><table class="gaiyou" border="1" cellpadding="6">{line("社名", v.name)}{line("代表者", v.head)}{line("設立", v.founded)}{line("資本金", v.capital)}{line("従業員数", v.staff)}{line("所在地", v.place)}{line("電話", v.phone)}{line("FAX", v.fax)}{line("事業内容", v.trade)}</table><p><a href="/map.html">アクセスマップ</a></p>'


@design("kaisha-dl", "company", "blocks", founded=lambda d: f"{d.year}年{d.month}月")
def kaisha_dl(s, rows):
    v = rows[0]
    return f"""<p>{prose(s.p, s.lang, 6, 12)}</p><dl class="company-info"><dt>事業内容</dt><dd>{v.trade}</dd><dt>代表</dt><dd>{v.head}</dd><dt>創業</dt><dd>{v.founded}</dd><dt>資本金</dt><dd>{v.capital}</dd>{opt(v.staff, '<dt>社員数</dt><dd>{}</dd>')}<dt>本社</dt><dd>{v.place}<br>TEL {v.phone}{opt(v.fax, '<br>FAX {}')}</dd></dl><h2 class="wp-block-heading">沿革</h2><table class="wp-block-table">{"".join(f"<tr><td>{s.p.randint(1950, 2018)}年</td><td>{title(s.p, s.lang, 1, 2)}支店を開設</td></tr>" for _ in range(s.p.randint(2, 5)))}</table>"""


@design("kaisha-gyou", "company", "home", founded=japanese)
def kaisha_gyou(s, rows):
    v = rows[0]
    return f'<TABLE BORDER=0><TR><TD><IMG SRC="shaoku.jpg" WIDTH=200></TD><TD VALIGN=TOP>代表取締役　{v.head}<BR>{v.place}<BR>電話 {v.phone}<BR>{opt(v.fax, "ファックス {}<BR>")}<BR>{v.founded}設立<BR>資本金{v.capital}{opt(v.staff, "、従業員{}")}<BR></TD></TR></TABLE><P><B>主な業務</B><BR>{v.trade}</P>'
