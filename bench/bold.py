#!/usr/bin/env python3
"""Lists with texts in bold: what a wrapper of a list page finds if texts of the page are in `strong` elements, compared with what it finds
on the page as it is. No truth is needed, because bold changes no value.

    python3 bench/bold.py                 # list pages of onepage (development) and modern
    python3 bench/bold.py --wrong         # also what was lost

*Read*: a wrapper of the page as it is reads the page with all texts in bold. *Made*: a wrapper is made from the page with its first record
in bold, and reads that page.
"""

import argparse
import concurrent.futures
import csv
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

from onepage import SOURCES, half
from modern import KINDS

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Elements whose texts are not shown as such, and those that may not have texts.
UNSHOWN = {"script", "style", "title", "textarea", "option", "select", "noscript", "head", "template", "button", "svg", "iframe"}
TEXTLESS = {"table", "tr", "tbody", "thead", "tfoot", "ul", "ol", "dl", "html", "colgroup"}
TAG = re.compile(r"<!--.*?-->|<[!?/]?[a-zA-Z][^>]*>|<![^>]*>", re.S)
NAME = re.compile(r"<(/?)([a-zA-Z0-9]+)")
# A shorter value does not tell where a record is, and a record is not longer than this in the source.
SHORTEST, LONGEST = 6, 20_000


def bold(source):
    """The source with each text in a `strong` element."""
    parts, end, inside, last = [], 0, None, None

    def text(piece):
        plain = inside or not piece.strip() or last in TEXTLESS
        return piece if plain else f"<strong>{piece}</strong>"

    for tag in TAG.finditer(source):
        parts += [text(source[end : tag.start()]), tag.group()]
        end = tag.end()
        name = NAME.match(tag.group())
        if not name:
            continue
        closes, name = name.group(1), name.group(2).lower()
        if inside:
            inside = None if closes and name == inside else inside
        elif not closes and name in UNSHOWN and not tag.group().endswith("/>"):
            inside = name
        last = closes + name
    return "".join(parts) + text(source[end:])


def values(record):
    """The texts of a record."""
    lists = [value if isinstance(value, list) else [value] for value in record.values()]
    return [text for texts in lists for text in texts if isinstance(text, str)]


def first_in_bold(source, records):
    """The source with the first record in bold; None if it is not clear where that is."""

    def place(record, start):
        found = [source.find(value, start) for value in values(record) if len(value) >= SHORTEST and source.count(value) <= 2]
        return min((at for at in found if at >= 0), default=None)

    start = place(records[0], 0)
    end = None if start is None else place(records[1], start + 1)
    if end is None or end - start > LONGEST:
        return None
    start, end = source.rfind(">", 0, start) + 1, source.rfind(">", 0, end) + 1
    return source[:start] + bold("<p>" + source[start:end])[3:] + source[end:]


def extract(binary, wrapper, page):
    read = subprocess.run([binary, "extract", "--no-meta", wrapper, page], capture_output=True, text=True, errors="replace")
    return [json.loads(line) for line in read.stdout.splitlines()]


def look(binary, page):
    """For a list page: the fields with a value, those lost if all is in bold, the values of the first record, and those lost if it is in bold."""
    with tempfile.TemporaryDirectory() as folder:
        wrapper, other = pathlib.Path(folder) / "w.json", pathlib.Path(folder) / "bold.html"

        def made_from(path):
            return subprocess.run([binary, "infer", "--quiet", "-o", wrapper, path], capture_output=True).returncode == 0

        if not made_from(page) or "each" not in json.loads(wrapper.read_text(encoding="utf-8"))["rule"]:
            return None
        known = extract(binary, wrapper, page)
        if len(known) < 5:
            return None
        source = page.read_bytes().decode("latin-1")
        other.write_bytes(bold(source).encode("latin-1"))
        read = extract(binary, wrapper, other)
        fields = sorted({name for record in known for name in record if record[name] not in (None, [])})
        pairs = list(zip(known, read)) if len(known) == len(read) else []
        is_lost = lambda name: 10 * sum(one.get(name) != two.get(name) for one, two in pairs) > len(known)
        lost = [name for name in fields if not pairs or is_lost(name)]
        first, gone = [], []
        marked = first_in_bold(source, known)
        if marked:
            other.write_bytes(marked.encode("latin-1"))
            first = sorted(set(values(known[0])))
            found = extract(binary, wrapper, other) if made_from(other) else []
            gone = [value for value in first if len(found) != len(known) or value not in values(found[0])]
        return len(fields), lost, len(first), gone


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/bench")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--wrong", action="store_true")
    args = parser.parse_args()
    if not args.data.is_dir():
        sys.exit(f"error: {args.data} is not there")
    with tempfile.TemporaryDirectory() as folder:
        folder, pages = pathlib.Path(folder), []
        for pack in [*(f"onepage/{source}" for source in SOURCES), "modern/pages"]:
            with tarfile.open(args.data / f"{pack}.tar.xz") as files:
                files.extractall(folder, filter="data")
        for bench in ("onepage", "modern"):
            with open(args.data / bench / "FACTS.tsv", encoding="utf-8", newline="") as facts:
                for row in csv.DictReader(facts, delimiter="\t"):
                    if bench == "onepage" and half(row["family"]) == "development":
                        pages.append(folder / f"{row['page']}.html")
                    if bench == "modern" and row["kind"] in KINDS:
                        pages.append(folder / "pages" / row["page"])
        pages = sorted(page for page in set(pages) if page.exists())
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            looks = list(pool.map(lambda page: look(args.binary, page), pages))
    looked = [(page, found) for page, found in zip(pages, looks) if found]
    for page, (_, lost, _, gone) in looked if args.wrong else []:
        if lost or gone:
            print(page.parent.name, page.name, lost, [value[:40] for value in gone])
    fields, lost = sum(found[0] for _, found in looked), sum(len(found[1]) for _, found in looked)
    first, gone = sum(found[2] for _, found in looked), sum(len(found[3]) for _, found in looked)
    print(f"{len(looked)} list pages")
    print(f"read: {lost} of {fields} fields differ on the page in bold")
    print(f"made: {gone} of {first} values of first records in bold are lost")


if __name__ == "__main__":
    main()
