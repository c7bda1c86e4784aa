#!/usr/bin/env python3
"""Structured data of real pages: what Wrapwright reads, beside what the Python package extruct reads.

    pip install extruct
    python3 bench/structured.py                      # the pages of shared/bench/modern

Both answers are sets of values by path, for JSON-LD, microdata and Open Graph. Ours are those of `wrapwright query 'data()'`. Counted are the pages on
which both sets are equal, and the values that only one of them has. Values are compared without white space at their ends and with
runs of it as one space; numbers as Python writes them. Without extruct the program says so and ends with exit code 0.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def local(name):
    """A name without its vocabulary."""
    return re.split(r"[/#:]", name.strip().rstrip("/#"))[-1]


def walk(value, path, into):
    """The facts of JSON-LD, or of an item of microdata."""
    join = lambda name: f"{path}.{name}" if path else name
    if isinstance(value, list):
        for one in value:
            walk(one, path, into)
    elif isinstance(value, dict) and "properties" in value and isinstance(value["properties"], dict):
        walk(value["properties"], path, into)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name in ("@context", "@id", "@type"):
                continue
            walk(inner, path if name in ("@graph", "@value") else join(local(name)), into)
    elif value is not None:
        text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
        text = " ".join(text.split())
        if text:
            into.add((path, text))


def theirs(extruct, text):
    """What extruct reads, by source."""
    found = {}
    for source, syntax in (("json-ld", "json-ld"), ("microdata", "microdata"), ("meta", "opengraph")):
        facts = set()
        try:
            data = extruct.extract(text, syntaxes=[syntax])[syntax]
        except Exception as error:  # It gives up on a page with one broken script.
            found[source] = f"{type(error).__name__}"
            continue
        if syntax == "opengraph":
            for item in data:
                facts |= {(name.lower(), " ".join(value.split())) for name, value in item["properties"] if value.strip()}
        else:
            walk(data, "", facts)
        found[source] = facts
    return found


def ours(binary, page):
    """What Wrapwright reads, by source."""
    command = [binary, "query", "-q", "--json", "--charset", "utf-8", "data()", page]
    out = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["value"]
    found = {"json-ld": set(), "microdata": set(), "meta": set()}
    for line in out.splitlines():
        match = re.match(r"(json-ld|microdata|meta) \S+ (.*?) = (.*)$", line)
        if match and not match[2].endswith("@type"):
            found[match[1]].add((match[2], match[3]))
    return found


def same(value):
    """Numbers are written in several ways."""
    try:
        return repr(float(value))
    except ValueError:
        return value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/bench/modern")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--wrong", action="store_true", help="also print what differs")
    args = parser.parse_args()
    try:
        import extruct
    except ImportError:
        print("extruct is not installed, so there is nothing to compare with: pip install extruct")
        return 0
    folder = ROOT / "target/modern"
    if not folder.is_dir():
        with tarfile.open(args.data / "pages.tar.xz") as content:
            content.extractall(folder, filter="data")
    counts = {source: [0, 0, 0, 0, 0, 0] for source in ("json-ld", "microdata", "meta")}
    for page in sorted((folder / "pages").rglob("*.html")):
        text = page.read_text(encoding="utf-8", errors="replace")
        mine, other = ours(args.binary, str(page)), theirs(extruct, text)
        for source, count in counts.items():
            if isinstance(other[source], str):
                count[4] += 1
                count[5] += bool(mine[source])
                continue
            here = {(path, same(value)) for path, value in mine[source]}
            there = {(path, same(value)) for path, value in other[source]}
            # Ours has all `meta` elements.
            if source == "meta":
                here &= there | {fact for fact in here if fact[0].startswith("og:")}
            if not here and not there:
                continue
            count[0] += 1
            count[1] += here == there
            count[2] += len(here - there)
            count[3] += len(there - here)
            if args.wrong and here != there:
                print(page.name, source, "only ours", sorted(here - there)[:3], "only extruct", sorted(there - here)[:3])
    for source, (pages, equal, mine, other, failed, still) in counts.items():
        print(f"{source:<10} {equal} of {pages} pages equal; values only ours {mine}, only extruct's {other}; "
              f"extruct failed on {failed} pages, on {still} of them ours found something")


if __name__ == "__main__":
    sys.exit(main())
