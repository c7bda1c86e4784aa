#!/usr/bin/env python3
"""Made-up collections of pages with a rich schema, after the kinds of pages in the paper on EXALG: profiles with two tables of one shape, films with
optional parts and reviews, packages in lists of lists, artists in lists. Seeded: each seed is another site, drawn from ways to write a page.

    python3 bench/collections.py --seed 1 --sites 8        # makes a template of each site with the program, and scores it on the same pages and on others
    python3 bench/collections.py --only profile --show 1   # which attributes are not right

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


KINDS = {"profile": profile, "film": film, "package": package, "artist": artist}


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--method", default="exalg")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", type=int, default=4, help="sites of each kind")
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    sums = collections.Counter()
    for kind, make in KINDS.items():
        if args.only and args.only != kind:
            continue
        for at in range(args.sites):
            seed = args.seed * 1000 + at
            r = random.Random(f"{kind} {seed}")
            style = Style(r)
            made = [make(r, style, number) for number in range(2 * args.pages)]
            with tempfile.TemporaryDirectory() as folder:
                folder = args.keep / f"{kind}-{seed}" if args.keep else pathlib.Path(folder)
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
                extracted = []
                for file in files:
                    out = subprocess.run([args.binary, "extract", "--no-meta", wrapper, file], capture_output=True, text=True).stdout
                    extracted.append(fields(json.loads(line) for line in out.splitlines()))
            truths = [{key: [" ".join(v.split()) for v in vs] for key, vs in truth.items()} for _, truth in made]
            for part, span in (("same", slice(0, args.pages)), ("others", slice(args.pages, None))):
                verdicts = score(truths[span], extracted[span])
                for verdict in verdicts.values():
                    sums[kind, part, verdict] += 1
                if args.show:
                    bad = [f"{key} ({verdict})" for key, verdict in verdicts.items() if verdict != "right"]
                    print(kind, seed, part, f"{len(verdicts) - len(bad)} of {len(verdicts)};", ", ".join(bad))
    print("\n| | on | right | partial | wrong |\n|---|---|--:|--:|--:|")
    for kind in KINDS:
        for part in ("same", "others"):
            counts = [sums[kind, part, verdict] for verdict in ("right", "partial", "wrong")]
            if sum(counts):
                print(f"| {kind} | {part} | {counts[0]} of {sum(counts)} | {counts[1]} | {counts[2]} |")


main()
