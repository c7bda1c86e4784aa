#!/usr/bin/env python3
"""Lists with a value less: what a wrapper of a list page finds if the element of one value of one record is not there, compared with what it finds
on the page as it is. No truth is needed, because all other values stay what they are.

    python3 bench/gone.py                 # list pages of onepage (development) and modern
    python3 bench/gone.py --wrong         # also the fields that changed

Of each page, for each field, the first value is taken that the page has once, as the whole text of an element without others in it. The wrapper is that
of the page as it is.
"""

import argparse
import concurrent.futures
import csv
import json
import pathlib
import re
import sys
import subprocess
import tarfile
import tempfile

from bold import extract
from modern import KINDS
from onepage import SOURCES, half

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A shorter value does not tell where it is.
SHORTEST = 3


def without(source, value):
    """The source without the element whose text is a value; None if it is not clear which one that is."""
    found = list(re.finditer(r"<([a-zA-Z0-9]+)(\s[^<>]*)?>\s*" + re.escape(value) + r"\s*</\1\s*>", source))
    if len(found) != 1 or source.count(value) != 1:
        return None
    return source[: found[0].start()] + source[found[0].end() :]


def look(binary, page):
    """For a list page: how many values were taken away, and the fields of which that changed others."""
    with tempfile.TemporaryDirectory() as folder:
        wrapper, other = pathlib.Path(folder) / "w.json", pathlib.Path(folder) / "gone.html"
        made = subprocess.run([binary, "infer", "--quiet", "-o", wrapper, page], capture_output=True)
        if made.returncode != 0 or "each" not in json.loads(wrapper.read_text(encoding="utf-8"))["rule"]:
            return None
        known = extract(binary, wrapper, page)
        if len(known) < 5:
            return None
        source = page.read_bytes().decode("utf-8", errors="surrogateescape")
        tried, wrong = 0, []
        for name in sorted({name for record in known for name in record}):
            for at, record in enumerate(known):
                value = record.get(name)
                if not isinstance(value, str) or len(value) < SHORTEST:
                    continue
                changed = without(source, value)
                if changed is None:
                    continue
                other.write_bytes(changed.encode("utf-8", errors="surrogateescape"))
                found = extract(binary, wrapper, other)
                tried += 1
                # Fields whose text has the value in it may change, in this record.
                kept = [key for key, said in record.items() if value not in str(said)]
                same = len(found) == len(known) and all(found[at].get(key) == record[key] for key in kept)
                same = same and not found[at].get(name) and found[:at] + found[at + 1 :] == known[:at] + known[at + 1 :]
                if not same:
                    wrong.append(name)
                break
        return tried, wrong


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
        looked = [(page.relative_to(folder), found) for page, found in zip(pages, looks) if found]
    for page, (_, wrong) in looked if args.wrong else []:
        if wrong:
            print(f"{page}: {', '.join(wrong)}")
    tried = sum(found[0] for _, found in looked)
    wrong = sum(len(found[1]) for _, found in looked)
    print(f"{len(looked)} list pages: other values changed after {wrong} of {tried} that were taken away")


if __name__ == "__main__":
    main()
