#!/usr/bin/env python3
"""Pages about one thing, without end, and what `wrapwright infer PAGE` makes of each. A page about one thing has parts that repeat (properties, photos, sizes, chapters) and no list of records.

    python3 bench/things.py                          # the families of pages that are developed on
    python3 bench/things.py --split kept --seed 7    # the other families
    python3 bench/things.py --only properties,hours --wrong --keep DIR

*Made* pages have one block of a kind, a name and a text, alone or in the surroundings of a modern page whose list was taken out (`bench/grafts.py`). *Products* are the
pages of products of `../shared/bench/modern` without what they say to programs. *Pairs* are lists that look like properties: names with prices, numbers or places.
What comes out is one of

    record    one record for the page; for properties, with at least four fifths of the values by their labels
    refused   exit code 2, with a reason
    aside     a list of another part of the page: recommended things, say
    list      a list of parts of the thing; for pairs, the list itself, which is right
    wrong     for properties, a record without most of them; for pairs, anything but their list

Families are split by a hash of the host, labels and names by the split, so that none is in both. Needs lxml and html5lib.
"""

import sys

# The folder of this script has another module with the name `collections`.
sys.path.pop(0)

import collections
import concurrent.futures
import csv
import importlib.util
import json
import pathlib
import random
import re
import subprocess
import tarfile
import tempfile
import warnings
from urllib.parse import urlsplit

from lxml import etree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared/bench"
spec = importlib.util.spec_from_file_location("grafts", ROOT / "bench/grafts.py")
grafts = importlib.util.module_from_spec(spec)
sys.modules["grafts"] = grafts
spec.loader.exec_module(grafts)

LABELS = {
    "development": ["Weight", "Colour", "Material", "Size", "Brand", "Height", "Model number", "Country of origin", "Warranty", "Released", "Gewicht", "Farbe", "Hersteller", "Lieferzeit", "Battery life", "Energy class",
                    "ISBN", "Language", "Pages", "Publisher"],
    "kept": ["Width", "Finish", "Made in", "Capacity", "Designer", "Depth", "Item code", "Care", "Guarantee", "In stock since", "Poids", "Couleur", "Marque", "Disponibilité", "Screen size", "Noise level", "Edition",
             "Format", "Chapters", "Author"],
}
NAMES = {
    "development": ["Kelp Lamp", "Moss Chair", "Fern Table", "Reed Shelf", "Alga Rug", "Bergen", "Lisbon", "Oporto", "Hanna Roe", "Ivan Petrov", "Carla Diaz", "Otto Klein", "Pine Desk", "Birch Bed", "Oak Stool", "Ash Bench"],
    "kept": ["Quartz Clock", "Jade Vase", "Onyx Bowl", "Opal Ring", "Amber Tray", "Turin", "Malmo", "Ghent", "Paul Novak", "Mia Rossi", "Lena Weber", "Tom Hughes", "Silk Scarf", "Wool Hat", "Linen Shirt", "Cotton Socks"],
}


class Thing(grafts.Beside):
    """Blocks of a page about one thing, each as HTML; properties also as what they say."""

    def __init__(self, r, sentences, split):
        super().__init__(r, sentences)
        self.split = split
        self.name = self.words(2, 5)

    def value(self):
        r = self.r
        return r.choice([
            lambda: f"{r.randint(1, 90)} {r.choice(['kg', 'cm', 'mm', 'h', 'W', 'GB'])}", lambda: r.choice(["red", "dark blue", "grün", "noir", "Steel", "oak and glass", "white"]),
            lambda: str(r.randint(2, 900)), lambda: f"{r.randint(10, 90)} x {r.randint(10, 90)} cm", lambda: r.choice(["Acme", "Nordlys AS", "Casa Verde", "Meyer and Sons"]),
            lambda: r.choice(["Norway", "Portugal", "Made in Italy"]), lambda: f"{r.randint(1, 28)} {r.choice(['May', 'June'])} 20{r.randint(10, 25)}", lambda: r.choice(["yes", "No", "2 years", "3–5 days", "A++"]),
            lambda: f"{r.choice('ABCX')}{r.randint(100, 9999)}-{r.randint(1, 99)}", lambda: self.words(4, 9)])()

    def properties(self):
        labels = self.r.sample(LABELS[self.split], self.r.randint(3, 10))
        pairs = [(label, self.value()) for label in labels]
        make = self.r.choice([
            ("<table><tbody>", "<tr><td>{}</td><td>{}</td></tr>", "</tbody></table>"), ("<table><tbody>", "<tr><th>{}</th><td>{}</td></tr>", "</tbody></table>"), ("<table><tbody>", '<tr><td><b>{}:</b></td><td>{}</td></tr>', "</tbody></table>"),
            ("<dl>", "<dt>{}</dt><dd>{}</dd>", "</dl>"), ("<dl>", "<div><dt>{}</dt><dd>{}</dd></div>", "</dl>"), ("<ul>", "<li>{}: {}</li>", "</ul>"), ("<ul>", "<li><strong>{}:</strong> {}</li>", "</ul>"),
            ("<ul>", "<li><b>{}</b>: {}</li>", "</ul>"), ("<p>", "<b>{}:</b> {}<br/>", "</p>"), ("<div>", '<div class="row"><span>{}</span><span>{}</span></div>', "</div>"), ("<div>", "<p>{}: <span>{}</span></p>", "</div>"),
            ("<div>", '<div class="spec"><div class="spec-name">{}</div><div class="spec-value">{}</div></div>', "</div>"), ("<ul>", "<li><span>{}</span> <strong>{}</strong></li>", "</ul>"),
        ])
        return make[0] + "".join(make[1].format(label, value) for label, value in pairs) + make[2], pairs

    def photos(self):
        return "<div>" + self.each(self.r.randint(3, 8), [
            lambda: f"<div>{self.picture()}</div>", lambda: f'<a href="/img/big-{self.r.randrange(10**6)}.jpg">{self.picture()}</a>', lambda: f"<li>{self.picture()}</li>",
            lambda: f'<button type="button">{self.picture()}</button>', lambda: f'<figure>{self.picture()}</figure>']) + "</div>", None

    def options(self):
        sizes = self.r.choice([["XS", "S", "M", "L", "XL"], ["36", "37", "38", "39", "40", "41"], ["Black", "Dark blue", "Green", "White"], ["250 g", "500 g", "1 kg"]])
        number = lambda: self.r.randrange(10**5)
        make = self.r.choice([
            lambda size: f'<label><input type="radio" name="size" value="{size}"/> {size}</label>', lambda size: f'<li><button type="button">{size}</button></li>', lambda size: f'<button>{size}</button>',
            lambda size: f'<div><input type="radio" id="o{size}"/><label for="o{size}">{size}</label></div>', lambda size: f'<a href="?variant={number()}">{size}</a>',
            lambda size: f'<li><a href="#">{size}</a></li>'])
        return "<h3>" + self.words(1, 2) + "</h3><div>" + "".join(make(size) for size in sizes) + "</div>", None

    def hours(self):
        days = self.r.choice([["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"], ["Mo", "Di", "Mi", "Do", "Fr"], ["Mon–Fri", "Sat", "Sun"]])
        pairs = [(day, f"{self.r.randint(7, 11)}:{self.r.choice(['00', '30'])}–{self.r.randint(15, 20)}:00") for day in days]
        make = self.r.choice([("<table><tbody>", "<tr><td>{}</td><td>{}</td></tr>", "</tbody></table>"), ("<dl>", "<dt>{}</dt><dd>{}</dd>", "</dl>"), ("<ul>", "<li>{}: {}</li>", "</ul>"), ("<div>", "<div><span>{}</span><span>{}</span></div>", "</div>")])
        return make[0] + "".join(make[1].format(day, value) for day, value in pairs) + make[2], None

    def stars(self):
        make = self.r.choice([
            lambda star, share: f"<div><span>{star} stars</span><div></div><span>{share}%</span></div>", lambda star, share: f"<li>{star} ★ <span>{share}</span></li>",
            lambda star, share: f"<tr><td>{star} star</td><td>{share}%</td></tr>", lambda star, share: f'<li><a href="#r{star}">{star} stars</a> <span>({share})</span></li>'])
        rows = "".join(make(star, self.r.randint(1, 90)) for star in range(5, 0, -1))
        return f"<table><tbody>{rows}</tbody></table>" if rows.startswith("<tr") else f"<div>{rows}</div>", None

    def steps(self):
        return self.each(1, [lambda: "<ol>" + "".join(f"<li>{self.prose(60, 200)}</li>" for _ in range(self.r.randint(3, 8))) + "</ol>",
                             lambda: "<div>" + "".join(f"<div><h3>{at}. {self.words(2, 5)}</h3><p>{self.prose(100, 300)}</p></div>" for at in range(1, self.r.randint(4, 8))) + "</div>",
                             lambda: "<div>" + "".join(f"<p><b>Step {at}.</b> {self.prose(100, 300)}</p>" for at in range(1, self.r.randint(4, 8))) + "</div>"]), None

    def story(self):
        return "".join(f"<p>{self.prose(150, 500)}</p>" for _ in range(self.r.randint(3, 9))), None

    def parts(self):
        names = [self.words(2, 6) for _ in range(self.r.randint(3, 8))]
        level = self.r.choice(["h2", "h3"])
        paragraphs = lambda: "".join(f"<p>{self.prose(150, 500)}</p>" for _ in range(self.r.randint(1, 4)))
        around = self.r.choice([("", ""), ("<section>", "</section>"), ("<div>", "</div>")])
        body = "".join(f'{around[0]}<{level} id="part-{at}">{name}</{level}>{paragraphs()}{around[1]}' for at, name in enumerate(names))
        return names, body

    def chapters_of(self):
        return self.parts()[1], None

    def contents(self):
        names, body = self.parts()
        entries = "".join(f'<li><a href="#part-{at}">{name}</a></li>' for at, name in enumerate(names))
        return f"<ul>{entries}</ul>{body}", None

    def trail(self):
        steps = self.r.randint(2, 4)
        items = "".join(f'<li><a href="{self.address()}">{self.words(1, 2)}</a></li>' for _ in range(steps))
        return f"<ol>{items}<li>{self.name}</li></ol><p>{self.prose(200, 500)}</p>", None

    def pairs(self):
        """A list of things, with one datum each."""
        names = self.r.sample(NAMES[self.split], self.r.randint(4, 12))
        r = self.r
        kind = r.choice([lambda: f"${r.randint(2, 90)}.{r.randint(10, 99)}", lambda: str(r.randint(2, 9000)), lambda: r.choice(["Norway", "Portugal", "Italy", "Germany"]), lambda: f"{r.randint(1, 28)} May 20{r.randint(10, 25)}"])
        make = r.choice([("<table><tbody>", "<tr><td>{}</td><td>{}</td></tr>", "</tbody></table>"), ("<ul>", "<li><b>{}</b> {}</li>", "</ul>"), ("<ul>", '<li><a href="/t/{0}">{0}</a> <span>{1}</span></li>', "</ul>"),
                         ("<table><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody>", "<tr><td>{}</td><td>{}</td></tr>", "</tbody></table>"), ("<div>", "<div><h3>{}</h3><p>{}</p></div>", "</div>")])
        return make[0] + "".join(make[1].format(name, kind()) for name in names) + make[2], [(name, "") for name in names]


KINDS = {"properties": Thing.properties, "photos": Thing.photos, "options": Thing.options, "hours": Thing.hours, "stars": Thing.stars, "steps": Thing.steps, "paragraphs": Thing.story, "chapters": Thing.chapters_of,
         "contents": Thing.contents, "trail": Thing.trail, "pairs": Thing.pairs}


def made(kind, r, modern, sentences, split):
    """A page: its tree, the element of the block, and its pairs."""
    thing = Thing(r, sentences, split)
    name = thing.name
    html, pairs = KINDS[kind](thing)
    price = f"<p>${r.randint(5, 300)}.00</p>" if r.random() < 0.5 and kind not in ("chapters", "contents", "steps", "paragraphs", "pairs") else ""
    about = "" if kind == "pairs" else f"<p>{thing.prose(100, 400)}</p>"
    own = etree.fromstring(f"<div><div>{thing.picture() if r.random() < 0.5 else ''}{price}{about}</div><div>{html}</div></div>")
    if r.random() < 0.5:
        menu = "".join(f'<a href="{thing.address()}">{thing.words(1, 2)}</a>' for _ in range(r.randint(3, 7)))
        root = etree.fromstring(f"<html><head><title>{name}</title></head><body><nav>{menu}</nav><main><h1>{name}</h1></main><footer><p>{thing.prose(60, 150)}</p></footer></body></html>")
        root.find(".//main").append(own)
    else:
        around = grafts.draw(r, modern)
        root = around.tree()
        stand = grafts.place(root)
        for node in root.iter():
            node.attrib.pop(grafts.MARK, None)
        headings = list(root.iter("h1"))
        for heading in headings[1:]:
            heading.tag = "h2"
        for heading in headings[:1]:
            for child in list(heading):
                heading.remove(child)
            heading.text = name
        if not headings:
            stand.append(etree.fromstring(f"<h1>{name}</h1>"))
        for title in root.iter("title"):
            title.text = name
        stand.append(own)
    return root, own[-1], pairs


def told(node):
    """What a page says to programs is taken out."""
    for name in ("itemscope", "itemtype", "itemprop", "itemid", "itemref", "typeof", "property", "vocab"):
        node.attrib.pop(name, None)


def run(binary, file):
    wrapper = file.with_suffix(".json")
    made = subprocess.run([binary, "infer", "--quiet", "-o", wrapper, file], capture_output=True, text=True)
    if made.returncode not in (0, 3):
        return None, [], f"exit {made.returncode}: {made.stderr.strip()[:90]}"
    rule = json.loads(wrapper.read_text())["rule"]
    rule = rule.get("paths", rule)
    got = subprocess.run([binary, "extract", "--quiet", wrapper, file], capture_output=True, text=True)
    return rule.get("each") or [], [json.loads(line) for line in got.stdout.splitlines() if line.startswith("{")], ""


def outcome(root, block, pairs, kind, each, records):
    if each is None:
        return "refused" if kind != "pairs" else "wrong"
    nodes = next((nodes for path in each for nodes in [root.xpath(path)] if nodes), [])
    if kind == "pairs":
        names = [grafts.text_of(node) if isinstance(node.tag, str) else "" for node in nodes if hasattr(node, "tag")]
        hits = [sum(1 for name, _ in pairs if name in said) == 1 for said in names]
        return "list" if len(names) == len(pairs) and all(hits) else "wrong"
    if not each:
        if kind == "properties":
            said = collections.Counter(" ".join(value.split()) for record in records for value in texts(record))
            right = sum(1 for _, value in pairs if said[" ".join(value.split())])
            return "record" if right >= 0.8 * len(pairs) else "wrong"
        return "record"
    if block is None:
        return "list"
    inside = set(block.iter())
    return "list" if any(node in inside for node in nodes if hasattr(node, "tag")) else "aside"


def texts(value):
    if isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    elif isinstance(value, str):
        yield value


def products(split):
    with open(SHARED / "modern/FACTS.tsv", encoding="utf-8", newline="") as facts:
        rows = {row["page"]: row["url"] for row in csv.DictReader(facts, delimiter="\t") if row["kind"] == "product"}
    with tarfile.open(SHARED / "modern/pages.tar.xz") as pack:
        for page, url in sorted(rows.items()):
            family = urlsplit(url).hostname.removeprefix("www.")
            if grafts.half(family) == split:
                yield page, family, pack.extractfile(f"pages/{page}").read()


def main():
    parser = grafts.options(__doc__, 20)
    parser.add_argument("--only", default="", help="kinds, with commas between them; `products` is one")
    parser.add_argument("--wrong", action="store_true", help="print the pages that are given as lists, or wrong")
    parser.add_argument("--keep", type=pathlib.Path, help="write the pages to this folder")
    parser.add_argument("--cache", type=pathlib.Path, help="keep the parsed pages in this file")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    modern, _ = grafts.sources(args)
    modern = [source for source in modern if grafts.half(source.family) == args.split]
    sentences = sorted({said for source in modern for node in source.tree().iter("p") for said in [grafts.text_of(node)] if 60 < len(said) < 400})
    kinds = [kind for kind in [*KINDS, "products"] if not args.only or kind in args.only.split(",")]
    folder = args.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)

    def one(kind, number):
        r = random.Random(f"{args.seed} {kind} {number}")
        root, block, pairs = made(kind, r, modern, sentences, args.split)
        file = folder / f"{kind}-{number}.html"
        file.write_bytes(b"<!DOCTYPE html>\n" + etree.tostring(root, method="html", encoding="utf-8"))
        each, records, why = run(args.binary, file)
        return file.name, outcome(root, block, pairs, kind, each, records), (each or [why])[0]

    def product(page, family, html):
        source = grafts.Source(page, family, html, "//no-such-element")
        root = source.tree()
        for node in root.iter():
            told(node)
        file = folder / f"product-{page.split('/')[-1]}"
        file.write_bytes(b"<!DOCTYPE html>\n" + etree.tostring(root, method="html", encoding="utf-8"))
        each, records, why = run(args.binary, file)
        return f"{file.name} {family}", outcome(root, None, [], "product", each, records), (each or [why])[0]

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        work = [(kind, pool.submit(one, kind, number)) for kind in kinds if kind in KINDS for number in range(args.count)]
        if "products" in kinds:
            work += [("products", pool.submit(product, *page)) for page in products(args.split)]
        results = collections.defaultdict(list)
        for kind, result in work:
            results[kind].append(result.result())
    columns = ("record", "refused", "aside", "list", "wrong")
    print(f"{'':12}" + "".join(f"{column:>9}" for column in columns))
    for kind in kinds:
        count = collections.Counter(what for _, what, _ in results[kind])
        for name, what, path in results[kind]:
            if args.wrong and what in (("wrong",) if kind == "pairs" else ("list", "wrong", "aside")):
                print(f"  {name}: {what}: {path}")
        print(f"{kind:12}" + "".join(f"{count[column]:9}" for column in columns), flush=True)


if __name__ == "__main__":
    main()
