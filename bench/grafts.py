#!/usr/bin/env python3
"""Pages with a known list, without end: the surroundings of one real page around the list of another one, with known changes. Runs `wrapwright infer PAGE`
on each and counts how often the first list is the known one.

    python3 bench/grafts.py                          # the families of pages that are developed on
    python3 bench/grafts.py --split kept --seed 7    # the other families
    python3 bench/grafts.py --only faq,quotes --wrong --keep DIR

*Surroundings* are modern pages whose list is known (`bench/grafts.json`: its path, looked at by a person): menus, filters, recommended things, footers. *Donors* are these lists and
those of `../shared/bench/onepage` (`truth.json`), for development only. The list of the surroundings is taken out and that of the donor put in its place. Then one change
is made that leaves the list as it is: texts cut short, a block of questions below it, a footer without its names, and so on. Families are split by a hash of the host.

A list is *whole* if it has exactly the records of the donor, and *right* if its F1 with them is 0.8 at least: what a person would call the same list. A found record is one of the
donor's if it is in it, or has it and no other one. Needs lxml and html5lib.
"""

import sys

# The folder of this script has another module with the name `collections`.
sys.path.pop(0)

import argparse
import collections
import concurrent.futures
import copy
import csv
import hashlib
import importlib.util
import json
import pathlib
import pickle
import random
import re
import subprocess
import tarfile
import tempfile
import warnings
from urllib.parse import urlsplit

import html5lib
from lxml import etree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared/bench"
GONE = ("script", "style", "noscript", "template", "iframe", "link", "meta", "base")
# What cannot hold a block of another kind.
NARROW = ("ul", "ol", "dl", "table", "tbody", "thead", "tfoot", "tr", "p", "a", "span", "b", "font", "center", "h1", "h2", "h3", "h4", "h5", "h6")
PRICE = re.compile(r"[$€£¥]\s?\d|\d\s?(€|kr|USD|EUR)\b")
MARK = "graft-record"
NAMES = ("class", "id", "role", "aria-label", "aria-labelledby", "itemtype", "itemprop")


def half(family):
    """The part that a family of pages belongs to."""
    return "kept" if hashlib.sha256(f"grafts {family}".encode()).digest()[0] % 2 else "development"


def text_of(node):
    return " ".join("".join(node.itertext()).split())


def is_seen(node):
    return isinstance(node.tag, str)


class Source:
    """A page with its records marked, and without what no reader sees."""

    def __init__(self, name, family, html, path):
        self.name, self.family = name, family
        tree = html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False)
        root = tree.getroot()
        found = root.xpath(path)
        for number, record in enumerate(found):
            record.set(MARK, str(number))
        for node in list(root.iter()):
            if (not is_seen(node) or node.tag in GONE) and node.getparent() is not None:
                drop(node)
            elif node.tag == "svg":
                tail = node.tail
                for child in list(node):
                    node.remove(child)
                node.text, node.tail = None, tail
        for node in root.iter():
            node.tag = etree.QName(node).localname
            for attribute in [name for name in node.attrib if name.startswith("xmlns")]:
                del node.attrib[attribute]
        etree.cleanup_namespaces(root)
        self.root = re.sub(rb'\sxmlns(:[\w-]+)?="[^"]*"', b"", etree.tostring(root))
        self.count = len(records(self.tree()))
        if self.count != len(found):
            print(f"{name}: {self.count} of {len(found)} records are left")

    def tree(self):
        return etree.fromstring(self.root, etree.XMLParser(huge_tree=True, recover=True))


def drop(node):
    """Takes a node out and leaves the text after it."""
    parent, before = node.getparent(), node.getprevious()
    if node.tail:
        if before is not None:
            before.tail = (before.tail or "") + node.tail
        else:
            parent.text = (parent.text or "") + node.tail
    parent.remove(node)


def records(root):
    found = {}
    for node in root.iter():
        number = node.get(MARK) if is_seen(node) else None
        if number is not None:
            found.setdefault(int(number), node)
    return [found[number] for number in sorted(found)]


def empty_up(node):
    """Takes out the elements around a place that have nothing left in them."""
    while node is not None and node.tag not in ("body", "html", "main"):
        up = node.getparent()
        if text_of(node) or any(is_seen(inner) and inner.tag in ("img", "input", "picture") for inner in node.iter()):
            return
        drop(node)
        node = up


def block(source, keep=None):
    """A copy of the element around all records of a page, with nothing in it but them; `keep` are the numbers of those that stay."""
    root = source.tree()
    all_records = records(root)
    keep = set(range(len(all_records))) if keep is None else set(keep)
    kept = [record for number, record in enumerate(all_records) if number in keep]
    path = [list(reversed([*record.iterancestors()])) for record in kept]
    shared = [ups[0] for ups in zip(*path) if all(up is ups[0] for up in ups)]
    base = shared[-1]
    for up in reversed(shared):
        if up.tag in ("table", "thead", "tbody", "tr", "dl", "ul", "ol"):
            base = up
        else:
            break
    wanted = set()
    for record in kept:
        wanted.update(record.iter())
        wanted.update(record.iterancestors())
    for head in base.iter("thead", "colgroup"):
        wanted.update(head.iter())
    for node in list(base.iter()):
        if node not in wanted and node is not base and node.getparent() is not None:
            node.tail = None
            node.getparent().remove(node)
    inside = set()
    for record in kept:
        inside.update(record.iter())
    for node in base.iter():
        if node not in inside and is_seen(node) and node.tag != "th":
            node.text = None
            for child in node:
                child.tail = None
    if base.tag in ("body", "html", "main", "td", "th", "tr", "tbody"):
        base.tag = "div" if base.tag in ("body", "html", "main", "td", "th") else base.tag
    if base.tag in ("tbody", "tr"):
        table = etree.Element("table")
        table.append(base)
        base = table
    base.tail = None
    return base


def place(root):
    """Takes the records out of a page and gives the element that stands for them."""
    old = records(root)
    at = old[0]
    while at.getparent() is not None and at.getparent().tag in NARROW:
        at = at.getparent()
    stand = etree.Element("div")
    stand.text = "list"
    at.addprevious(stand)
    for record in old:
        up = record.getparent()
        if up is None:
            continue
        drop(record)
        empty_up(up)
    stand.text = None
    return stand


def texts(node):
    """The texts of an element as (holder, `text` or `tail`)."""
    for inner in node.iter():
        if inner.text and inner.text.strip():
            yield inner, "text"
        if inner is not node and inner.tail and inner.tail.strip():
            yield inner, "tail"


def title_text(record):
    """The place of the title: the text of the first heading, else the first link with words, else the first text."""
    def first(nodes):
        for node in nodes:
            for holder, part in texts(node):
                if re.search(r"[^\W\d_]{2}", getattr(holder, part)):
                    return holder, part
        return None
    return first(record.iter("h1", "h2", "h3", "h4", "h5", "h6")) or first(record.iter("a")) or first([record])


def bare(each, words=None):
    """Leaves the pictures, the title and the price of each record."""
    for record in each:
        title = title_text(record)
        for holder, part in list(texts(record)):
            said = getattr(holder, part)
            if title == (holder, part):
                if words:
                    setattr(holder, part, " ".join(said.split()[:words]))
            elif not (PRICE.search(said) and len(said) < 30):
                setattr(holder, part, None)


# What is put beside a list. Each is (heading, HTML), from a choice of makes.


class Beside:
    def __init__(self, r, sentences):
        self.r, self.number = r, 0
        self.sentences = [re.sub(r"""[&<>"']""", "", said) for said in sentences]

    def words(self, low, high):
        said = self.r.choice(self.sentences).split()
        return " ".join(said[: self.r.randint(low, high)]).strip(",.;:")

    def prose(self, low, high):
        said = ""
        while len(said) < low:
            said += self.r.choice(self.sentences) + " "
        return said[:high].rsplit(" ", 1)[0]

    def picture(self):
        self.number += 1
        return self.r.choice(['<img src="/img/{}.jpg" alt=""/>', '<img src="/img/{}.jpg" width="400" height="300" alt="x"/>',
                              '<picture><img src="/img/{}.jpg" loading="lazy"/></picture>']).format(self.r.randrange(10**6))

    def address(self):
        self.number += 1
        return f"/{self.r.choice(['p', 'blog', 'shop', 'c'])}/{self.words(1, 3).lower().replace(' ', '-')}-{self.number}"

    def each(self, count, makes):
        make = self.r.choice(makes)
        return "".join(make() for _ in range(count))

    def box(self, heading, inner):
        name = self.r.choice(["", f' class="{self.r.choice(["block", "row", "s-12", "css-1x2y", "section-inner", "container"])}"'])
        around = self.r.choice(["div", "section", "div"])
        level = self.r.choice(["h2", "h2", "h3", "p"])
        return etree.fromstring(f"<{around}{name}><{level}>{heading}</{level}><div>{inner}</div></{around}>")

    def faq(self):
        question = lambda: self.words(5, 10) + "?"
        answer = lambda: self.prose(150, 420)
        return self.box(self.r.choice(["Frequently asked questions", "FAQ", "Good to know"]), self.each(self.r.randint(4, 9), [
            lambda: f"<details><summary>{question()}</summary><p>{answer()}</p></details>",
            lambda: f"<div><h3>{question()}</h3><p>{answer()}</p></div>",
            lambda: f"<div><button>{question()}</button><div><p>{answer()}</p><p>{answer()}</p></div></div>",
            lambda: f'<div><h3>{question()}</h3><p>{answer()} <a href="{self.address()}">{self.words(2, 4)}</a></p></div>',
            lambda: f"<dl><dt>{question()}</dt><dd>{answer()}</dd></dl>",
        ]))

    def quotes(self):
        who = lambda: self.r.choice(["Ann", "Bob", "Carla", "Dmitri", "Elena", "Felix"]) + " " + self.r.choice("ABCDEFGHKLM") + "."
        said = lambda: self.prose(140, 380)
        day = lambda: f"{self.r.randint(1, 28)} {self.r.choice(['May', 'June', 'July'])} 2025"
        return self.box(self.r.choice(["What our customers say", "Reviews", "Loved by thousands"]), self.each(self.r.randint(4, 9), [
            lambda: f"<blockquote><p>{said()}</p><cite>{who()}</cite></blockquote>",
            lambda: f"<div>{self.picture()}<p>{said()}</p><strong>{who()}</strong><span>Verified buyer</span></div>",
            lambda: f"<div><span>★★★★★</span><h4>{self.words(2, 5)}</h4><p>{said()}</p><p>{who()}</p><time>{day()}</time></div>",
        ]))

    def teasers(self):
        day = lambda: f"{self.r.choice(['May', 'June', 'July'])} {self.r.randint(1, 28)}, 2025"
        return self.box(self.r.choice(["From the blog", "Latest stories", "Guides and tips"]), self.each(self.r.randint(3, 5), [
            lambda: f'<article><a href="{self.address()}">{self.picture()}</a><h3><a href="{self.address()}">{self.words(5, 9)}</a></h3><p>{self.prose(120, 260)}</p><span>{day()}</span></article>',
            lambda: f'<div><a href="{self.address()}">{self.picture()}<h3>{self.words(5, 9)}</h3><p>{self.prose(120, 260)}</p></a></div>',
            lambda: f'<div>{self.picture()}<h4>{self.words(5, 9)}</h4><p>{self.prose(120, 260)}</p><a href="{self.address()}">Read more</a></div>',
        ]))

    def tiles(self):
        return self.box(self.r.choice(["Shop by category", "Browse", "Popular topics"]), self.each(self.r.randint(4, 8), [
            lambda: f'<a href="{self.address()}">{self.picture()}<span>{self.words(1, 2)}</span></a>',
            lambda: f'<div><a href="{self.address()}">{self.picture()}</a><h3><a href="{self.address()}">{self.words(1, 2)}</a></h3></div>',
            lambda: f'<div>{self.picture()}<p>{self.words(1, 3)}</p><a href="{self.address()}">Shop now</a></div>',
        ]))

    def slides(self):
        return self.box("", self.each(self.r.randint(3, 5), [
            lambda: f'<div>{self.picture()}<h2>{self.words(3, 7)}</h2><p>{self.prose(80, 240)}</p><a href="{self.address()}">Shop now</a></div>',
            lambda: f'<div><a href="{self.address()}">{self.picture()}</a><div><h2>{self.words(3, 7)}</h2><h3>{self.prose(60, 140)}</h3><a href="{self.address()}">Learn more</a></div></div>',
        ]))

    def chapters(self):
        return self.box(self.words(2, 5), self.each(self.r.randint(3, 7), [
            lambda: f"<div><h2>{self.words(3, 7)}</h2><p>{self.prose(250, 500)}</p><p>{self.prose(250, 500)}</p></div>",
            lambda: f"<h2>{self.words(3, 7)}</h2><p>{self.prose(250, 500)}</p><p>{self.prose(250, 500)}</p>",
            lambda: f'<h3>{self.words(3, 7)}</h3><p>{self.prose(250, 500)} <a href="{self.address()}">{self.words(2, 4)}</a> {self.prose(50, 150)}</p>',
        ]))

    def columns(self):
        """A footer that nothing calls one."""
        column = lambda: f"<div><h4>{self.words(1, 2)}</h4><ul>" + "".join(
            f'<li><a href="{self.address()}">{self.words(1, 3)}</a></li>' for _ in range(self.r.randint(3, 8))) + "</ul></div>"
        return etree.fromstring("<div><div>" + "".join(column() for _ in range(self.r.randint(3, 5))) + "</div></div>")

    def filters(self):
        """Filters that nothing calls so."""
        group = lambda: f"<div><h4>{self.words(1, 2)}</h4><ul>" + "".join(
            f'<li><a href="{self.address()}">{self.words(1, 3)}</a> <span>({self.r.randint(1, 300)})</span></li>' for _ in range(self.r.randint(3, 10))) + "</ul></div>"
        return etree.fromstring("<div>" + "".join(group() for _ in range(self.r.randint(3, 6))) + "</div>")


def inside(change, r, beside, each):
    """Puts parts into each record that repeat in it: a page of their own, they have none."""
    make = {
        "photos inside": lambda: "".join(r.choice(["<span>{}</span>", "<div>{}</div>"]).format(beside.picture()) for _ in range(r.randint(3, 6))),
        "choices inside": lambda: "".join(f'<button type="button">{size}</button>' for size in r.choice([["S", "M", "L", "XL"], ["Black", "Dark blue", "White"]])),
        "labels inside": lambda: "".join(f"<p>{label}: {value}</p>" for label, value in
                                         [("Weight", f"{r.randint(1, 90)} kg"), ("Colour", r.choice(["red", "blue"])), ("Made in", r.choice(["Norway", "Italy"])), ("Size", f"{r.randint(20, 90)} cm")]),
    }[change]
    for record in each:
        part = etree.fromstring(f'<div class="more">{make()}</div>')
        tag = record.tag
        at = record
        if tag == "tr":
            cells = [cell for cell in record if cell.tag in ("td", "th")]
            at = cells[-1] if cells else record
        at.append(part)


def unnamed(root):
    """Takes the names off menus and footers."""
    for node in list(root.iter("nav", "footer", "header", "aside")):
        for inner in node.iter():
            if is_seen(inner):
                for name in NAMES:
                    inner.attrib.pop(name, None)
        node.tag = "div"


def draw(r, sources):
    """A family, and then a page of it, so that a site with many pages does not count more."""
    family = r.choice(sorted({source.family for source in sources}))
    return r.choice([source for source in sources if source.family == family])


def others(sources, source):
    return [other for other in sources if other.family != source.family and other.count >= 4]


def make(change, r, around, donor, modern, beside):
    """A page: its tree and its true records."""
    root = around.tree()
    stand = place(root)
    many = list(range(donor.count))
    if change == "few":
        start = r.randint(0, max(0, donor.count - 5))
        many = many[start : start + 5]
    spare = []
    if change == "same recommended":
        count = max(2, min(6, donor.count // 3))
        spare, many = many[-count:], many[:-count]
    inner = block(donor, many)
    each = records(inner)
    if change == "bare":
        bare(each)
    if change == "bare, short":
        bare(each, 2)
    if change == "sections":
        inner, each = sections(r, beside, donor, many)
    if change.endswith(" inside"):
        inside(change, r, beside, each)
    stand.append(inner)
    for node in root.iter():
        node.attrib.pop(MARK, None)
    if change in ("bare", "bare, short", "few"):
        # What makes it hard is beside it.
        kind = r.choice([beside.faq, beside.quotes, beside.teasers, beside.chapters, beside.slides])
        stand.addnext(kind())
    if change in ("recommended", "same recommended"):
        other = donor if spare else draw(r, others(modern, donor))
        more = block(other, spare or list(range(min(4, other.count))))
        for node in more.iter():
            node.attrib.pop(MARK, None)
        box = beside.box(r.choice(["You may also like", "Recommended for you", "Recently viewed", "Trending"]), "")
        box[-1].append(more)
        add(r, stand, box, before=False)
    if change in ("faq", "quotes", "teasers", "chapters"):
        add(r, stand, getattr(beside, change)(), before=False)
    if change in ("tiles", "slides"):
        add(r, stand, getattr(beside, change)(), before=True)
    if change == "columns":
        root.find(".//body").append(beside.columns())
    if change == "filters":
        stand.addprevious(beside.filters())
    if change == "unnamed":
        unnamed(root)
    if change == "no classes":
        for node in root.iter():
            if is_seen(node):
                node.attrib.pop("class", None)
                node.attrib.pop("id", None)
    return root, each


def add(r, stand, box, before):
    """Puts a block beside the list, or beside an element around it."""
    at = stand
    for _ in range(r.randint(0, 3)):
        up = at.getparent()
        if up is None or up.tag in ("body", "html", "main"):
            break
        at = up
    (at.addprevious if before else at.addnext)(box)


def sections(r, beside, donor, many):
    count = min(r.randint(4, 6), len(many) // 2)
    cuts = sorted(r.sample(range(1, len(many)), count - 1))
    tag, level = r.choice(["section", "div", None]), r.choice(["h2", "h3"])
    inner, each = etree.Element("div"), []
    for start, end in zip([0] + cuts, cuts + [len(many)]):
        heading = etree.fromstring(f"<{level}>{beside.words(1, 3)}</{level}>")
        part = block(donor, many[start:end])
        if part.get(MARK) is not None:
            part, single = etree.Element("div"), part
            part.append(single)
        each += records(part)
        up = inner if tag is None else etree.SubElement(inner, tag)
        up.append(heading)
        up.append(part)
    return inner, each


CHANGES = ("plain", "few", "bare", "bare, short", "recommended", "same recommended", "faq", "quotes", "teasers", "chapters", "tiles", "slides", "columns", "filters",
           "unnamed", "no classes", "sections", "photos inside", "choices inside", "labels inside")


def found_by(binary, file, wrapper):
    made = subprocess.run([binary, "infer", "--quiet", "-o", wrapper, file], capture_output=True, text=True)
    if made.returncode not in (0, 3):
        return None, f"exit {made.returncode}: {made.stderr.strip()[:100]}"
    rule = json.loads(wrapper.read_text())["rule"]
    return rule.get("each") or rule.get("paths", {}).get("each"), ""


def score(root, each, paths):
    """How many records are found, how many true ones there are, how many of them are right."""
    nodes = []
    for path in paths or []:
        try:
            nodes = [node for node in root.xpath(path)]
        except etree.XPathError:
            nodes = []
        if nodes:
            break
    number = {record: at for at, record in enumerate(each)}
    got = collections.Counter()
    for node in nodes:
        if isinstance(node, etree._ElementUnicodeResult):
            node = node.getparent()
        owner = next((number[up] for up in [node, *node.iterancestors()] if up in number), None)
        if owner is None:
            inside = [number[inner] for inner in node.iter() if inner in number]
            owner = inside[0] if len(inside) == 1 else None
        if owner is not None:
            got[owner] += 1
    right = sum(1 for times in got.values() if times == 1)
    return len(nodes), len(each), right


def sources(args):
    """The modern pages and the donors, from a cache if there is one."""
    if args.cache and args.cache.exists():
        return pickle.loads(args.cache.read_bytes())
    modern, old = [], []
    known = json.loads((ROOT / "bench/grafts.json").read_text())
    with open(SHARED / "modern/FACTS.tsv", encoding="utf-8", newline="") as facts:
        hosts = {row["page"]: urlsplit(row["url"]).hostname.removeprefix("www.") for row in csv.DictReader(facts, delimiter="\t")}
    with tarfile.open(SHARED / "modern/pages.tar.xz") as pack:
        for page, path in known.items():
            html = pack.extractfile(f"pages/{page}").read()
            modern.append(Source(page, hosts[page], html, path))
    spec = importlib.util.spec_from_file_location("onepage", ROOT / "bench/onepage.py")
    onepage = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(onepage)
    truth = json.loads((SHARED / "onepage/truth.json").read_text(encoding="utf-8"))
    with open(SHARED / "onepage/FACTS.tsv", encoding="utf-8", newline="") as facts:
        rows = {row["page"]: row for row in csv.DictReader(facts, delimiter="\t")}
    for name in onepage.SOURCES:
        with tarfile.open(SHARED / f"onepage/{name}.tar.xz") as pack:
            for page, about in truth.items():
                row = rows[page]
                if page.startswith(name + "/") and onepage.half(row["family"]) == "development" and row["form"] == "whole" and row["one_parent"] == "yes":
                    old.append(Source(page, row["family"], pack.extractfile(f"{page}.html").read(), about["xpath"]))
    if args.cache:
        args.cache.write_bytes(pickle.dumps((modern, old)))
    return modern, old


def options(doc, count):
    """The options that all scores of changed modern pages have."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--split", choices=("development", "kept"), default="development")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=count, help="pages of each sort")
    parser.add_argument("--jobs", type=int, default=2)
    return parser


def main():
    parser = options(__doc__, 40)
    parser.add_argument("--only", default="", help="changes, with commas between them")
    parser.add_argument("--old", type=float, default=0.2, help="the share of donors that are old pages")
    parser.add_argument("--wrong", action="store_true", help="print the pages whose list is not right")
    parser.add_argument("--keep", type=pathlib.Path, help="write the pages to this folder")
    parser.add_argument("--cache", type=pathlib.Path, help="keep the parsed pages in this file")
    args = parser.parse_args()
    # Names of attributes that XML does not allow.
    warnings.simplefilter("ignore")
    modern, old = sources(args)
    modern = [source for source in modern if half(source.family) == args.split]
    old = [source for source in old if half(source.family) == args.split]
    sentences = sorted({said for source in modern for node in source.tree().iter("p") for said in [text_of(node)] if 60 < len(said) < 400})
    changes = [change for change in CHANGES if not args.only or change in args.only.split(",")]
    folder = args.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)

    def one(change, number):
        r = random.Random(f"{args.seed} {change} {number}")
        around = draw(r, modern)
        donors = old if r.random() < args.old else modern
        donor = draw(r, [donor for donor in donors if donor.family != around.family and donor.count >= 8])
        root, each = make(change, r, around, donor, modern, Beside(r, sentences))
        file = folder / f"{change.replace(', ', '-').replace(' ', '-')}-{number}.html"
        file.write_bytes(b"<!DOCTYPE html>\n" + etree.tostring(root, method="html", encoding="utf-8"))
        paths, why = found_by(args.binary, file, file.with_suffix(".json"))
        nodes, true, right = score(root, each, paths)
        return f"{file.name} {around.name} + {donor.name}", nodes, true, right, (paths or [why])[0]

    total = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        work = [(change, pool.submit(one, change, number)) for change in changes for number in range(args.count)]
        results = collections.defaultdict(list)
        for change, result in work:
            results[change].append(result.result())
    for change in changes:
        whole = right = 0
        for name, nodes, true, hits, path in results[change]:
            is_right = 2 * hits >= 0.8 * (nodes + true)
            whole += nodes == true == hits
            right += is_right
            if args.wrong and not is_right:
                print(f"  {name}: {hits} of {true}, {nodes} found: {path}")
        total["whole"] += whole
        total["right"] += right
        total["all"] += len(results[change])
        print(f"{change:20} right {right:4} whole {whole:4} of {len(results[change])}", flush=True)
    print(f"{'all':20} right {total['right']:4} whole {total['whole']:4} of {total['all']}  {100 * total['right'] / total['all']:.1f} %")


if __name__ == "__main__":
    main()
