#!/usr/bin/env python3
"""Made-up collections of pages with a rich schema, after the kinds of pages in the paper on EXALG: profiles with two tables of one shape, films with
optional parts and reviews, packages in lists of lists, artists in lists; and of eight other kinds (jobs, houses, hotels, recipes, threads, weather, dockets, courses). Seeded: each seed is another site, drawn from ways to write a page.

    python3 bench/made_sites.py --seed 1 --sites 8        # makes a template of each site with the program, and scores it on the same pages and on others
    python3 bench/made_sites.py --only profile --show 1   # which attributes are not right

An attribute is right if one field has, on every page, exactly its values in their order. It is counted on the pages that the template was made from, and on as many others.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

FIRST = "Ada Boris Carla Dmitri Elena Felix Greta Hugo Ines Jonas Karin Luis Marta Nils Olga Pavel Rosa Sven Tina Ugo Vera Wim Xenia Yuri Zoe".split()
LAST = "Abel Berger Costa Duval Eriksson Ferrer Gomez Haas Ivanov Jensen Kovac Lopez Meyer Novak Olsen Petrov Quinn Rossi Svensson Tanaka Urban Vidal Weber Young Zorn".split()
LANDS = "Spain France Germany Sweden Argentina Russia Croatia Chile Brazil Australia Switzerland Slovakia".split() + ["United States", "Czech Republic", "South Africa"]
TOWNS = "Lyon Graz Turin Malmo Porto Split Ghent Leeds Basel Brno Parma Tampa".split() + ["Buenos Aires", "Palm Springs", "San Diego"]
WORDS = "river stone night garden silver winter broken silent golden lost summer paper hidden distant burning quiet velvet empty northern last".split()
PLAIN = "a story of two friends who meet by chance and find what they had lost while the town around them slowly changes its mind about everything".split()
MONTHS = "January February March April May June July August September October November December".split()


def name(r):
    return f"{r.choice(FIRST)} {r.choice(LAST)}"


def title(r):
    return " ".join(r.sample(WORDS, r.choice([1, 2, 2, 3]))).title()


def prose(r, low, high):
    words = [r.choice(PLAIN) for _ in range(r.randint(low, high))]
    return " ".join(words).capitalize() + "."


def date(r):
    return f"{r.choice(MONTHS)} {r.randint(1, 28)}, {r.randint(1950, 2002)}"


class Style:
    """How one site writes what all sites have."""

    def __init__(self, r):
        self.bold = r.choice(["b", "strong", "font color=#003366", "span class=lbl"])
        self.colon = r.choice([":", ":", ""])
        self.font = r.choice(["font size=2", "font face=Arial", "span", "small"])
        self.pairs = r.choice(["rows", "lines", "cells", "paragraphs"])
        self.table = r.choice(['<table border=0 cellpadding=2>', '<table class=data width="100%">', "<table>"])
        self.stripes = r.choice([True, False])
        self.space = r.choice(["", "&nbsp;", "\n  "])
        self.heading = r.choice(["h3", "b", "p class=head"])
        self.menu = r.sample(["Home", "News", "Scores", "Browse", "Help", "Your account", "Store", "Site map"], 5)

    def tag(self, name, text):
        return f"<{name}>{text}</{name.split()[0]}>"

    def label(self, text):
        return self.tag(self.bold, text + self.colon)

    def labelled(self, pairs):
        """Labels with values; a value that is None is left out with its label."""
        pairs = [pair for pair in pairs if pair[1] is not None]
        if self.pairs == "rows":
            rows = "".join(f"<tr><td>{self.label(a)}</td><td>{self.space}{b}</td></tr>\n" for a, b in pairs)
            return f"{self.table}{rows}</table>"
        if self.pairs == "cells":
            rows = "".join(f"<tr><td align=right>{self.label(a)}</td><td>{self.tag(self.font, b)}</td></tr>\n" for a, b in pairs)
            return f"{self.table}{rows}</table>"
        if self.pairs == "lines":
            return "".join(f"{self.label(a)} {b}<br>\n" for a, b in pairs)
        return "".join(f"<p>{self.label(a)} {b}</p>\n" for a, b in pairs)

    def rows(self, head, rows):
        out = [self.table]
        if head:
            out.append("<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>")
        for at, row in enumerate(rows):
            shade = (" bgcolor=#eeeeee" if at % 2 else " bgcolor=#ffffff") if self.stripes else ""
            out.append(f"<tr{shade}>" + "".join(f"<td>{cell if cell else self.space or '&nbsp;'}</td>" for cell in row) + "</tr>")
        return "\n".join(out) + "</table>\n"

    def page(self, name, body):
        menu = " | ".join(f"<a href=/{word.lower().replace(' ', '-')}>{word}</a>" for word in self.menu)
        return f"<html><head><title>{name}</title></head><body>\n<table><tr><td><img src=/logo.gif></td><td>{menu}</td></tr></table>\n{body}\n<hr><p>Copyright 2001. All rights reserved.</p></body></html>"


def profile(r, s, number):
    """A player: labelled facts, some of them optional, and two tables of titles."""
    truth = collections.defaultdict(list)
    who = f"{name(r)}"
    truth["name"] = [who]
    facts = [("Country", r.choice(LANDS)), ("Birthdate", date(r)), ("Birthplace", r.choice(TOWNS) + ", " + r.choice(LANDS)), ("Residence", r.choice(TOWNS)),
             ("Height", f"{r.randint(5, 6)}'{r.randint(0, 11)}\" ({r.randint(165, 205)} cm)"), ("Weight", f"{r.randint(140, 210)} lbs"),
             ("Plays", r.choice(["Right-handed", "Right-handed", "Left-handed"])), ("Turned Pro", str(r.randint(1985, 2001)))]
    if r.random() < 0.4:
        facts.append(("Coach", name(r)))
    for label, value in facts:
        truth[label].append(value)
    body = [s.tag("h1", who), s.labelled(facts)]
    for kind in ("Singles", "Doubles"):
        won, lost = r.randint(5, 400), r.randint(5, 300)
        money = f"${r.randint(10, 999)},{r.randint(100, 999)}"
        truth[kind + " record"].append(f"{won} - {lost}")
        rank = str(r.randint(1, 400))
        truth[kind + " rank"].append(rank)
        body.append(s.tag(s.heading, kind))
        body.append(s.labelled([("Ranking", rank), ("Record", f"{won} - {lost}"), ("Prize money", money)]))
        truth[kind + " money"].append(money)
        wins = []
        for year in sorted(r.sample(range(1990, 2002), r.choice([0, 1, 2, 3, 5])), reverse=True):
            town, over = r.choice(TOWNS), name(r)
            wins.append((str(year), town, over))
            truth[kind + " year"].append(str(year))
            truth[kind + " town"].append(town)
            truth[kind + " over"].append(over)
        if wins:
            body.append(s.tag("b", f"Career {kind} Titles"))
            body.append(s.rows(["Year", "Tournament", "Opponent"], wins))
    notes = [prose(r, 8, 30) for _ in range(r.randint(1, 3))]
    truth["note"] = notes
    body.append("<h4>Personal</h4><ul>" + "".join(f"<li>{note}</li>" for note in notes) + "</ul>")
    return s.page(f"Player profile: {who}", "\n".join(body)), truth


def film(r, s, number):
    """A film: a name with a local one on few pages, people in lists, parts that only some have, reviews of readers."""
    truth = collections.defaultdict(list)
    what = title(r)
    year = str(r.randint(1935, 2002))
    truth["title"], truth["year"] = [what], [f"({year})" if s.stripes else year]
    body = [f"<h2>{what}</h2> <i>({year})</i>" if s.stripes else f"<h2>{what}</h2><p><i>{year}</i></p>"]
    people = lambda low, high: [name(r) for _ in range(r.randint(low, high))]
    link = lambda all: ", ".join(f'<a href="/p/{n.replace(" ", "-")}">{n}</a>' for n in all)
    directors, cast = people(1, 2), people(1, 5)
    truth["director"], truth["cast"] = directors, cast
    pairs = [("Starring", link(cast)), ("Directed by", link(directors))]
    genre = r.choice(["Drama", "Comedy", "Western", "Thriller", "Musical", "Documentary"])
    pairs.append(("Genre", genre))
    truth["genre"].append(genre)
    for label, share, value in (("Rated", 0.8, r.choice(["PG", "R", "PG-13", "NR"])), ("Running time", 0.7, f"{r.randint(70, 190)} minutes"),
                                ("Language", 0.4, r.choice(["French", "Spanish", "Japanese"])), ("Awards", 0.35, prose(r, 3, 8))):
        if r.random() < share:
            pairs.append((label, value))
            truth[label].append(value)
    body.append(s.labelled(pairs))
    text = prose(r, 20, 60)
    truth["text"].append(text)
    body.append(f"<p>{text}</p>")
    if r.random() < 0.6:
        score, count = f"{r.randint(10, 49) / 10}", str(r.randint(20, 90000))
        truth["score"].append(score)
        truth["raters"].append(count)
        body.append(f"<p>Members rate it <b>{score}</b> stars (<i>{count}</i> ratings)</p>")
    else:
        body.append("<p>Not rated by members yet.</p>")
    also = [title(r) for _ in range(r.randint(2, 5))]
    truth["also"] = also
    body.append("<h4>You may also like</h4><ul>" + "".join(f'<li><a href="/m/{number}{at}">{n}</a></li>' for at, n in enumerate(also)) + "</ul>")
    reviews = []
    for _ in range(r.choice([0, 1, 2, 4])):
        by, head, stars, words = name(r), title(r), str(r.randint(1, 5)), prose(r, 12, 50)
        for key, value in (("by", by), ("head", head), ("stars", stars), ("review", words)):
            truth[key].append(value)
        reviews.append(f"<tr><td><b>{head}</b> <img src=/star{stars}.gif> <font color=red>{stars}</font> of 5<br>by {s.tag(s.font, by)}<br>{words}</td></tr>")
    if reviews:
        body.append("<h4>Reviews</h4><table>" + "\n".join(reviews) + "</table>")
    return s.page(f"Films: {what}", "\n".join(body)), truth


def package(r, s, number):
    """Packages of one letter: each has a name, a text and a list of builds with an optional date."""
    truth = collections.defaultdict(list)
    body = [f"<h1>Index of packages, page {number}</h1>", s.table]
    for _ in range(r.randint(3, 7)):
        what, text = r.choice(WORDS) + "-" + r.choice(WORDS), prose(r, 4, 9)
        truth["package"].append(what)
        truth["summary"].append(text)
        builds = []
        for _ in range(r.randint(1, 4)):
            version, land = f"{r.randint(0, 9)}.{r.randint(0, 30)}-{r.randint(1, 9)}", r.choice(["i386", "alpha", "ppc", "sparc"])
            size = f"{r.randint(4, 9000)} kB"
            truth["version"].append(version)
            truth["arch"].append(land)
            truth["size"].append(size)
            builds.append(f'<a href="/d/{what}-{version}.rpm">{version}</a> <i>{land}</i> <tt>{size}</tt>')
        inner = "<br>\n".join(builds) if s.stripes else "<ul>" + "".join(f"<li>{b}</li>" for b in builds) + "</ul>"
        body.append(f"<tr><td><a name={what}></a><b>{what}</b></td><td>{s.tag(s.font, text)}</td><td>{inner}</td></tr>")
    body.append("</table>")
    return s.page("Packages", "\n".join(body)), truth


def artist(r, s, number):
    """Artists in lists below letters, some with a number of albums, some with a note."""
    truth = collections.defaultdict(list)
    letter = chr(ord("A") + number % 26)
    truth["letter"].append(letter)
    body = [f"<h2>Artists: {letter}</h2>"]
    items = []
    for _ in range(r.randint(3, 14)):
        who, albums = name(r), str(r.randint(1, 40))
        truth["artist"].append(who)
        truth["albums"].append(albums)
        note = ""
        if r.random() < 0.3:
            song = title(r)
            truth["song"].append(song)
            note = f"<br><i>Hit:</i> <em>{song}</em>"
        items.append(f'<a href="/a/{who}">{who}</a> (<b>{albums}</b>){note}')
    body.append("<ul>" + "\n".join(f"<li>{item}</li>" for item in items) + "</ul>" if s.stripes else s.rows(None, [[item] for item in items]))
    return s.page(f"Artists {letter}", "\n".join(body)), truth


class Free(Style):
    """More ways to write a page, for the kinds below."""

    def __init__(self, r):
        super().__init__(r)
        self.pairs = r.choice(["rows", "lines", "cells", "paragraphs", "definitions", "boxes", "bullets"])
        self.listed = r.choice(["ul", "ol", "div"])
        self.record = r.choice(["div class=item", "tr", "li", "article"])
        self.head = r.choice(["h2", "h3", "h4", "div class=head", "p class=head"])
        self.join = r.choice([", ", " | ", " / ", " and ", "; "])
        self.people = r.choice(["links", "spans", "text"])
        self.dates = r.choice(["{m} {d}, {y}", "{d} {m} {y}", "{y}-{n:02}-{d:02}"])
        self.banner = r.choice([None, None, "some"])

    def date(self, r):
        n = r.randint(1, 12)
        return self.dates.format(m=MONTHS[n - 1], n=n, d=r.randint(1, 28), y=r.randint(1998, 2025))

    def labelled(self, pairs):
        there = [pair for pair in pairs if pair[1] is not None]
        if self.pairs == "definitions":
            return "<dl>" + "".join(f"<dt>{a}{self.colon}</dt><dd>{b}</dd>\n" for a, b in there) + "</dl>"
        if self.pairs == "boxes":
            return "<div class=facts>" + "".join(f"<div class=fact><span class=k>{a}{self.colon}</span> <span class=v>{b}</span></div>\n" for a, b in there) + "</div>"
        if self.pairs == "bullets":
            return "<ul class=facts>" + "".join(f"<li>{self.label(a)} {b}</li>\n" for a, b in there) + "</ul>"
        return super().labelled(pairs)

    def bullets(self, texts):
        if self.listed == "div":
            return "<div class=points>" + "".join(f"<div>{text}</div>\n" for text in texts) + "</div>"
        return f"<{self.listed}>" + "".join(f"<li>{text}</li>\n" for text in texts) + f"</{self.listed}>"

    def records(self, records):
        name = self.record.split()[0]
        items = "".join(f"<{self.record}>" + (f"<td>{item}</td>" if name == "tr" else item) + f"</{name}>\n" for item in records)
        around = {"tr": "table", "li": "ul"}.get(name, "div")
        return f"<{around}>{items}</{around}>"

    def title(self, text):
        return self.tag(self.head, text)

    def names(self, all, path):
        if self.people == "links":
            return self.join.join(f'<a href="/{path}/{n.replace(" ", "-")}">{n}</a>' for n in all)
        if self.people == "spans":
            return self.join.join(f"<span class=name>{n}</span>" for n in all)
        return None

    def page(self, name, body):
        return super().page(name, body)


COMPANIES = "Northwind Acme Globex Initech Umbrella Vandelay Stark Wayne Hooli Soylent Cyberdyne Tyrell".split()
TASKS = "design build test write lead support plan review sell repair teach measure".split()
THINGS = "systems bridges reports engines contracts courses vehicles databases kitchens budgets networks gardens".split()
ROOMS = ["Living room", "Kitchen", "Master bedroom", "Bedroom", "Bathroom", "Dining room", "Study", "Hall"]
FOODS = "flour butter sugar salt rice onions garlic basil tomatoes olive oil cream eggs milk lemon pepper chicken".split()
UNITS = ["cup", "tbsp", "tsp", "g", "ml"]
SKIES = ["Sunny", "Cloudy", "Light rain", "Snow", "Partly cloudy", "Thunderstorms", "Fog"]


def sentence(r):
    return f"{r.choice(TASKS).capitalize()} {r.choice(WORDS)} {r.choice(THINGS)} {r.choice(['for', 'with', 'near', 'in'])} {r.choice(TOWNS)}"


def put(truth, record):
    """Adds the values of a record, without those that are missing, and gives the record."""
    for key, value in record.items():
        if value is not None:
            truth[key].append(value)
    return record


def maybe(r, share, value):
    return value() if r.random() < share else None


def job(r, s, number):
    """A job: facts, some optional, a text in paragraphs, duties and, on some pages, benefits in bullets, similar jobs."""
    truth = collections.defaultdict(list)
    what, firm = f"{r.choice(['Senior', 'Junior', 'Lead', 'Assistant'])} {r.choice(THINGS)[:-1]} {r.choice(['engineer', 'manager', 'clerk', 'analyst'])}", f"{r.choice(COMPANIES)} {r.choice(['Inc', 'Ltd', 'Group'])}"
    put(truth, {"title": what, "company": firm})
    facts = {"Location": r.choice(TOWNS), "Salary": maybe(r, 0.6, lambda: f"${r.randint(30, 150)},000"), "Contract": r.choice(["Permanent", "Temporary", "Freelance"]),
             "Experience": maybe(r, 0.5, lambda: f"{r.randint(1, 9)} years"), "Reference": f"{r.choice('ABCDEF')}{r.randint(1000, 9999)}", "Posted": s.date(r)}
    put(truth, facts)
    body = [f"<h1>{what}</h1><p class=firm><a href=/c/{number}>{firm}</a></p>", s.labelled(list(facts.items()))]
    texts = [prose(r, 12, 40) for _ in range(r.randint(1, 4))]
    truth["text"] = texts
    body.append(s.title("About the job") + "<div>" + "".join(f"<p>{text}</p>" for text in texts) + "</div>")
    duties = [sentence(r) for _ in range(r.randint(2, 6))]
    truth["duty"] = duties
    body.append(s.title("Requirements") + s.bullets(duties))
    if r.random() < 0.6:
        gains = [r.choice(["Free lunch", "Company car", "Health plan", "Gym", "Bonus", "Remote work", "Extra holidays", "Training budget"]) + f" {r.randint(1, 99)}" for _ in range(r.randint(1, 5))]
        truth["benefit"] = gains
        body.append(s.title("What we offer") + s.bullets(gains))
    if r.random() < 0.7:
        who, phone = name(r), f"+1 {r.randint(200, 999)} {r.randint(1000, 9999)}"
        put(truth, {"contact": who, "phone": phone})
        body.append(f"<p class=contact>Questions? Ask <b>{who}</b> at <i>{phone}</i></p>")
    more = []
    for at in range(r.choice([0, 2, 3, 4])):
        one = put(truth, {"similar": title(r), "similar firm": r.choice(COMPANIES)})
        more.append(f'<a href="/j/{number}{at}">{one["similar"]}</a> <span class=at>{one["similar firm"]}</span>')
    if more:
        body.append(s.title("Similar jobs") + s.records(more))
    return s.page(f"{what} - Jobs", "\n".join(body)), truth


def estate(r, s, number):
    """A house: price, facts, a table of rooms, features in bullets, the agent, viewings on some pages."""
    truth = collections.defaultdict(list)
    where, price = f"{r.randint(1, 250)} {r.choice(WORDS).title()} {r.choice(['Street', 'Road', 'Lane', 'Avenue'])}, {r.choice(TOWNS)}", f"${r.randint(90, 999)},{r.randint(100, 999)}"
    put(truth, {"address": where, "price": price, "was": maybe(r, 0.35, lambda: f"${r.randint(90, 999)},{r.randint(100, 999)}")})
    was = f" <s>{truth['was'][0]}</s>" if truth["was"] else ""
    body = [f"<h1>{where}</h1>", f"<p class=price><b>{price}</b>{was}</p>"]
    facts = {"Bedrooms": str(r.randint(1, 6)), "Bathrooms": str(r.randint(1, 4)), "Floor area": f"{r.randint(40, 400)} sq m", "Year built": maybe(r, 0.6, lambda: str(r.randint(1880, 2024))),
             "Garage": maybe(r, 0.4, lambda: r.choice(["Single", "Double", "Carport"])), "Heating": r.choice(["Gas", "Oil", "Electric"]), "Status": r.choice(["For sale", "Under offer", "Sold"])}
    put(truth, facts)
    body.append(s.labelled(list(facts.items())))
    text = prose(r, 25, 70)
    truth["text"].append(text)
    body.append(s.title("Description") + f"<p>{text}</p>")
    rooms = []
    for _ in range(r.randint(2, 7)):
        one = put(truth, {"room": r.choice(ROOMS), "room size": f"{r.randint(2, 8)}.{r.randint(0, 9)} x {r.randint(2, 8)}.{r.randint(0, 9)} m", "level": maybe(r, 0.7, lambda: r.choice(["Ground", "First", "Second"]))})
        rooms.append(tuple(one.values()))
    body.append(s.title("Rooms") + s.rows(["Room", "Size", "Level"], rooms))
    features = r.sample(["Garden", "Balcony", "Fireplace", "Sea view", "Cellar", "Lift", "New roof", "Solar panels", "Alarm", "Pool"], r.randint(1, 6))
    truth["feature"] = features
    body.append(s.title("Features") + s.bullets(features))
    if r.random() < 0.5:
        views = [(s.date(r), f"{r.randint(9, 17)}:{r.choice(['00', '30'])}") for _ in range(r.randint(1, 3))]
        for view in views:
            put(truth, {"viewing date": view[0], "viewing time": view[1]})
        body.append(s.title("Viewings") + s.rows(["Date", "Time"], views))
    agent = {"agent": name(r), "agent phone": f"{r.randint(100, 999)}-{r.randint(1000, 9999)}", "fax": maybe(r, 0.4, lambda: f"{r.randint(100, 999)}-{r.randint(1000, 9999)}")}
    put(truth, agent)
    body.append(s.title("Contact the agent") + s.labelled([("Agent", agent["agent"]), ("Phone", agent["agent phone"]), ("Fax", agent["fax"])]))
    return s.page(f"House: {where}", "\n".join(body)), truth


def hotel(r, s, number):
    """A hotel: an address in lines, rates, amenities as names with separators, reviews with optional good and bad sides."""
    truth = collections.defaultdict(list)
    what = f"{r.choice(['Hotel', 'Grand', 'Park', 'Royal'])} {r.choice(WORDS).title()}"
    put(truth, {"name": what, "stars": str(r.randint(1, 5))})
    street, town, land = f"{r.randint(1, 99)} {r.choice(WORDS).title()} St", f"{r.randint(10000, 99999)} {r.choice(TOWNS)}", r.choice(LANDS)
    put(truth, {"street": street, "town": town, "land": land})
    body = [f"<h1>{what}</h1><p class=stars><em>{truth['stars'][0]}</em> stars</p>", f"<p class=adr>{street}<br>{town}<br>{land}</p>"]
    facts = {"Check-in": f"{r.randint(12, 16)}:00", "Check-out": f"{r.randint(9, 12)}:00", "Rooms": str(r.randint(10, 400)), "Built": maybe(r, 0.5, lambda: str(r.randint(1890, 2020))), "Airport": maybe(r, 0.6, lambda: f"{r.randint(2, 60)} km")}
    put(truth, facts)
    body.append(s.labelled(list(facts.items())))
    goods = r.sample(["Pool", "Sauna", "Bar", "Parking", "Wi-Fi", "Gym", "Garden", "Lift", "Spa", "Restaurant"], r.randint(1, 6))
    linked = s.names(goods, "amenity")
    truth["amenity" if linked else "amenities"] = goods if linked else [s.join.join(goods)]
    body.append(s.title("Amenities") + f"<p>{linked or s.join.join(goods)}</p>")
    rates = []
    for _ in range(r.randint(1, 5)):
        one = put(truth, {"room": r.choice(["Single", "Double", "Twin", "Suite", "Family"]) + " room", "sleeps": str(r.randint(1, 5)), "rate": f"${r.randint(40, 400)}"})
        rates.append(tuple(one.values()))
    body.append(s.title("Rates") + s.rows(["Room", "Sleeps", "Per night"], rates))
    reviews = []
    for _ in range(r.choice([0, 1, 2, 3, 5])):
        one = put(truth, {"by": name(r), "when": s.date(r), "mark": f"{r.randint(2, 9)}.{r.randint(0, 9)}", "good": maybe(r, 0.6, lambda: prose(r, 4, 14)), "bad": maybe(r, 0.5, lambda: prose(r, 4, 14))})
        sides = "".join(f"<p><b>{label}:</b> {one[key]}</p>" for key, label in (("good", "Liked"), ("bad", "Disliked")) if one[key])
        reviews.append(f"<b class=mark>{one['mark']}</b> by <i>{one['by']}</i> on <span>{one['when']}</span>{sides}")
    body.append(s.title("Guest reviews") + (s.records(reviews) if reviews else "<p>No reviews yet.</p>"))
    return s.page(f"{what}, {town}", "\n".join(body)), truth


def recipe(r, s, number):
    """A recipe: an author, times, ingredients of two parts, steps, nutrition on some pages, comments with replies."""
    truth = collections.defaultdict(list)
    what, who = f"{r.choice(WORDS).title()} {r.choice(FOODS)} {r.choice(['soup', 'pie', 'salad', 'stew', 'cake'])}", name(r)
    put(truth, {"title": what, "author": who, "added": s.date(r)})
    body = [f"<h1>{what}</h1>", f"<p class=by>Recipe by <a href=/u/{number}>{who}</a>, added on <i>{truth['added'][0]}</i></p>"]
    facts = {"Serves": str(r.randint(1, 10)), "Prep time": f"{r.randint(5, 60)} min", "Cooking time": maybe(r, 0.7, lambda: f"{r.randint(5, 180)} min"), "Difficulty": maybe(r, 0.5, lambda: r.choice(["Easy", "Medium", "Hard"]))}
    put(truth, facts)
    body.append(s.labelled(list(facts.items())))
    parts = []
    for _ in range(r.randint(3, 9)):
        one = put(truth, {"amount": f"{r.randint(1, 500)} {r.choice(UNITS)}", "ingredient": f"{r.choice(WORDS)} {r.choice(FOODS)}"})
        parts.append(f"<b>{one['amount']}</b> {one['ingredient']}" if s.stripes else f"<span class=amount>{one['amount']}</span> <span class=what>{one['ingredient']}</span>")
    body.append(s.title("Ingredients") + s.bullets(parts))
    steps = [prose(r, 8, 25) for _ in range(r.randint(2, 6))]
    truth["step"] = steps
    body.append(s.title("Method") + "<ol>" + "".join(f"<li>{step}</li>" for step in steps) + "</ol>")
    if r.random() < 0.6:
        rows = [(label, f"{r.randint(1, 900)} {unit}") for label, unit in (("Energy", "kcal"), ("Fat", "g"), ("Sugars", "g"))]
        put(truth, dict(rows))
        body.append(s.title("Nutrition per portion") + s.rows(None, rows))
    if r.random() < 0.3:
        tip = prose(r, 6, 20)
        truth["tip"].append(tip)
        body.append(f"<div class=tip><b>Tip:</b> {tip}</div>")
    notes = []
    for _ in range(r.choice([0, 1, 2, 4])):
        one = put(truth, {"reader": name(r), "comment": prose(r, 5, 30), "reply": maybe(r, 0.35, lambda: prose(r, 4, 12))})
        reply = f"<blockquote>The author replies: <i>{one['reply']}</i></blockquote>" if one["reply"] else ""
        notes.append(f"<b>{one['reader']}</b> says <q>{one['comment']}</q>{reply}")
    if notes:
        body.append(s.title("Comments") + s.records(notes))
    return s.page(f"{what} recipe", "\n".join(body)), truth


def forum(r, s, number):
    """A thread: posts with a place, a quote and a signature on some of them."""
    truth = collections.defaultdict(list)
    what = title(r) + "?"
    put(truth, {"thread": what, "views": str(r.randint(10, 9000))})
    body = [f"<h1>{what}</h1>", f"<p>Forum: General. Seen <b>{truth['views'][0]}</b> times.</p>"]
    posts = []
    for _ in range(r.randint(1, 7)):
        one = put(truth, {"author": name(r), "date": s.date(r), "count": str(r.randint(1, 5000)), "place": maybe(r, 0.5, lambda: r.choice(TOWNS)), "quote": maybe(r, 0.3, lambda: prose(r, 4, 12)),
                          "post": prose(r, 8, 50), "signature": maybe(r, 0.4, lambda: prose(r, 3, 7))})
        place = f"<br>From: <u>{one['place']}</u>" if one["place"] else ""
        quote = f"<blockquote><i>{one['quote']}</i></blockquote>" if one["quote"] else ""
        mark = f"<div class=sig>{one['signature']}</div>" if one["signature"] else ""
        left = f"<b>{one['author']}</b><br>Posts: <tt>{one['count']}</tt>{place}"
        right = f"<small>{one['date']}</small>{quote}<p>{one['post']}</p>{mark}"
        posts.append(f"<tr><td>{left}</td><td>{right}</td></tr>" if s.stripes else f"<div class=post><div class=who>{left}</div><div class=what>{right}</div></div>")
    body.append(f"{s.table}{''.join(posts)}</table>" if s.stripes else "<div class=posts>" + "\n".join(posts) + "</div>")
    return s.page(f"{what} - Forum", "\n".join(body)), truth


def weather(r, s, number):
    """A town's weather: what is measured now, the next days (always five), warnings on some pages, the records of each month (always twelve)."""
    truth = collections.defaultdict(list)
    town = f"{r.choice(WORDS).title()} {r.choice(['Bay', 'Hill', 'Point', 'Falls'])}"
    put(truth, {"town": town, "now": f"{r.randint(-20, 40)} °C", "sky": r.choice(SKIES)})
    body = [f"<h1>{town}</h1>", f"<p class=now><b>{truth['now'][0]}</b> <i>{truth['sky'][0]}</i></p>"]
    facts = {"Wind": f"{r.choice('NESW')} {r.randint(0, 90)} km/h", "Humidity": f"{r.randint(10, 100)}%", "Gusts": maybe(r, 0.4, lambda: f"{r.randint(20, 140)} km/h"), "Pressure": f"{r.randint(970, 1040)} hPa", "Snow depth": maybe(r, 0.3, lambda: f"{r.randint(1, 200)} cm")}
    put(truth, facts)
    body.append(s.labelled(list(facts.items())))
    if r.random() < 0.4:
        warning = prose(r, 5, 15)
        truth["warning"].append(warning)
        body.append(f"<div class=warning><strong>Warning in force:</strong> {warning}</div>")
    first = r.randint(0, 6)
    days = []
    for at in range(5):
        one = put(truth, {"day": "Mon Tue Wed Thu Fri Sat Sun".split()[(first + at) % 7], "high": str(r.randint(0, 40)), "low": str(r.randint(-20, 15)), "outlook": r.choice(SKIES), "rain": maybe(r, 0.6, lambda: f"{r.randint(1, 60)} mm")})
        days.append(tuple(one.values()))
    body.append(s.title("Next days") + s.rows(["Day", "High", "Low", "Outlook", "Rain"], days))
    months = []
    for month in MONTHS:
        one = put(truth, {"month": month, "highest": str(r.randint(10, 45)), "lowest": str(r.randint(-40, 10))})
        months.append(tuple(one.values()))
    body.append(s.title("Records") + s.rows(["Month", "Highest", "Lowest"], months))
    return s.page(f"Weather in {town}", "\n".join(body)), truth


def docket(r, s, number):
    """A court's docket: facts, parties with their lawyers, entries with papers attached on some."""
    truth = collections.defaultdict(list)
    no, caption = f"{r.randint(1, 9)}:{r.randint(10, 25)}-cv-{r.randint(10000, 99999)}", f"{r.choice(LAST)} v. {r.choice(COMPANIES)} Corp."
    put(truth, {"number": no, "caption": caption})
    body = [f"<h1>{caption}</h1><p class=no>Case {s.tag(s.font, no)}</p>"]
    facts = {"Judge": name(r), "Filed": s.date(r), "Closed": maybe(r, 0.4, lambda: s.date(r)), "Cause": r.choice(["Contract", "Patent", "Civil rights", "Labor"]), "Jury demand": maybe(r, 0.6, lambda: r.choice(["Plaintiff", "Both", "None"]))}
    put(truth, facts)
    body.append(s.labelled(list(facts.items())))
    parties = []
    for _ in range(r.randint(2, 5)):
        one = put(truth, {"party": f"{name(r)}", "role": r.choice(["Plaintiff", "Defendant", "Intervenor"])})
        lawyers = []
        for _ in range(r.randint(0, 3)):
            lawyer = put(truth, {"lawyer": name(r), "office": f"{r.choice(LAST)} & {r.choice(LAST)} LLP"})
            lawyers.append(f"<li><b>{lawyer['lawyer']}</b><br><i>{lawyer['office']}</i></li>")
        inner = f"<p>represented by</p><ul>{''.join(lawyers)}</ul>" if lawyers else ""
        parties.append(f"<b>{one['party']}</b> <i>{one['role']}</i>{inner}")
    body.append(s.title("Parties") + s.records(parties))
    entries = []
    for at in range(r.randint(1, 8)):
        one = put(truth, {"entry": str(at + r.randint(1, 3) * 10), "entry date": s.date(r), "entry text": prose(r, 6, 30), "attached": maybe(r, 0.3, lambda: f"{r.randint(1, 9)} exhibits")})
        extra = f" <small>(Attachments: <u>{one['attached']}</u>)</small>" if one["attached"] else ""
        entries.append((one["entry"], one["entry date"], f"<span>{one['entry text']}</span>{extra}"))
    body.append(s.title("Docket entries") + s.rows(["#", "Date", "Text"], entries))
    return s.page(f"Docket {no}", "\n".join(body)), truth


def course(r, s, number):
    """A course: credits, teachers as names with separators, what is needed before it, sections, books on some pages."""
    truth = collections.defaultdict(list)
    code, what = f"{r.choice(['CS', 'MATH', 'HIST', 'BIO'])} {r.randint(100, 499)}", title(r)
    put(truth, {"code": code, "title": what})
    body = [f"<h1><span>{code}</span> <em>{what}</em></h1>"]
    teachers = [name(r) for _ in range(r.randint(1, 3))]
    linked = s.names(teachers, "staff")
    truth["teacher" if linked else "teachers"] = teachers if linked else [s.join.join(teachers)]
    facts = {"Credits": str(r.randint(1, 6)), "Level": r.choice(["Introductory", "Advanced", "Graduate"]), "Prerequisites": maybe(r, 0.5, lambda: f"{r.choice(['CS', 'MATH'])} {r.randint(100, 299)}"), "Grading": r.choice(["Letter", "Pass/fail"]), "Lab fee": maybe(r, 0.35, lambda: f"${r.randint(20, 300)}")}
    put(truth, facts)
    body.append(s.labelled([("Taught by", linked or s.join.join(teachers)), *facts.items()]))
    text = prose(r, 20, 60)
    truth["text"].append(text)
    body.append(s.title("Description") + f"<p>{text}</p>")
    goals = [sentence(r) for _ in range(r.randint(2, 5))]
    truth["goal"] = goals
    body.append(s.title("Learning outcomes") + s.bullets(goals))
    sections = []
    for at in range(r.randint(1, 5)):
        one = put(truth, {"section": f"{at + 1:03}", "days": r.choice(["MWF", "TTh", "Sat", "MW"]), "hour": f"{r.randint(8, 18)}:{r.choice(['00', '30'])}", "hall": f"{r.choice(LAST)} {r.randint(1, 400)}", "remark": maybe(r, 0.3, lambda: r.choice(["Honors only", "Online", "Evening", "Full"]))})
        sections.append(tuple(one.values()))
    body.append(s.title("Sections") + s.rows(["Section", "Days", "Time", "Room", "Notes"], sections))
    if r.random() < 0.6:
        books = []
        for _ in range(r.randint(1, 3)):
            one = put(truth, {"book": title(r), "writer": name(r), "required": maybe(r, 0.5, lambda: "required")})
            books.append(f"<i>{one['book']}</i> by <b>{one['writer']}</b>" + (" (<u>required</u>)" if one["required"] else ""))
        body.append(s.title("Books") + s.bullets(books))
    return s.page(f"{code}: {what}", "\n".join(body)), truth


OLD = {"profile": profile, "film": film, "package": package, "artist": artist}
KINDS = {**OLD, "job": job, "estate": estate, "hotel": hotel, "recipe": recipe, "forum": forum, "weather": weather, "docket": docket, "course": course}


def values(record, at=()):
    """The values of each field, by its path, in order."""
    if isinstance(record, dict):
        for key, value in record.items():
            yield from values(value, (*at, key))
    elif isinstance(record, list):
        for value in record:
            yield from values(value, at)
    elif record is not None:
        yield at, str(record)


def fields(records):
    out = collections.defaultdict(list)
    for record in records:
        for at, value in values(record):
            out[at].append(" ".join(value.split()))
    return out


def score(truths, extracted):
    """Which attributes are right: one field has their values on all pages."""
    verdicts = {}
    for attribute in sorted({key for truth in truths for key in truth}):
        wanted = [truth.get(attribute, []) for truth in truths]
        names = {name for page in extracted for name in page}
        exact = [name for name in names if all(page.get(name, []) == want for page, want in zip(extracted, wanted))]
        part = [name for name in names if all(all(any(v in x for x in page.get(name, [])) for v in want) for page, want in zip(extracted, wanted))]
        verdicts[attribute] = "right" if exact else "partial" if part else "wrong"
    return verdicts


def arguments(parser):
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--method", default="exalg")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", type=int, default=4, help="sites of each kind")
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--only", default="", help="kinds, separated by + signs")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)


def judge(args, kind, seed, made, sums):
    """Makes a template from the first half of the pages, and scores it on both halves."""
    with tempfile.TemporaryDirectory() as folder:
        folder = args.keep / f"{kind.replace(', ', '-').replace(' ', '-')}-{seed}" if args.keep else pathlib.Path(folder)
        for part in ("train", "other"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        files = []
        for number, (html, _) in enumerate(made):
            part = "train" if number < args.pages else "other"
            file = folder / part / f"{number:03}.html"
            file.write_text(html)
            files.append(file)
        wrapper = folder / "w.json"
        run = subprocess.run([args.binary, "infer", "--quiet", "--method", args.method, "-o", wrapper, folder / "train"], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            print(kind, seed, "refused:", run.stderr.strip()[:200])
        subprocess.run([args.binary, "fields", wrapper, "--all"], capture_output=True)
        out = subprocess.run([args.binary, "extract", wrapper, folder / "train", folder / "other"], capture_output=True, text=True).stdout
        records = collections.defaultdict(list)
        for line in out.splitlines():
            record = json.loads(line)
            page = pathlib.Path(record.pop("_page")).name
            record.pop("_record", None)
            records[page].append(record)
        extracted = [fields(records[file.name]) for file in files]
    truths = [{key: [" ".join(v.split()) for v in vs] for key, vs in truth.items()} for _, truth in made]
    for part, span in (("same", slice(0, args.pages)), ("others", slice(args.pages, None))):
        verdicts = score(truths[span], extracted[span])
        for verdict in verdicts.values():
            sums[kind, part, verdict] += 1
        sums[kind, part, "sites"] += 1
        sums[kind, part, "whole"] += all(verdict == "right" for verdict in verdicts.values())
        if args.show:
            bad = [f"{key} ({verdict})" for key, verdict in verdicts.items() if verdict != "right"]
            print(kind, seed, part, f"{len(verdicts) - len(bad)} of {len(verdicts)};", ", ".join(bad), flush=True)


def report(kinds, sums):
    print("\n| | on | right | partial | wrong | sites wholly right |\n|---|---|--:|--:|--:|--:|")
    for kind in kinds:
        for part in ("same", "others"):
            counts = [sums[kind, part, verdict] for verdict in ("right", "partial", "wrong")]
            if sum(counts):
                print(f"| {kind} | {part} | {counts[0]} of {sum(counts)} | {counts[1]} | {counts[2]} | {sums[kind, part, 'whole']} of {sums[kind, part, 'sites']} |")


def run(doc, kinds, make):
    """Reads the options, and scores `make(kind, random, pages)` of each kind and site."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments(parser)
    args = parser.parse_args()
    sums = collections.Counter()
    for kind in kinds:
        if args.only and kind not in args.only.split("+"):
            continue
        for at in range(args.sites):
            seed = args.seed * 1000 + at
            judge(args, kind, seed, make(kind, random.Random(f"{kind} {seed}"), 2 * args.pages), sums)
    report(kinds, sums)


def pages(kind, r, count):
    style = (Style if kind in OLD else Free)(r)
    return [KINDS[kind](r, style, number) for number in range(count)]


if __name__ == "__main__":
    run(__doc__, KINDS, pages)
