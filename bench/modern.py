#!/usr/bin/env python3
"""Lists on single modern pages: runs `wrapwright infer PAGE` on each list page alone, counts the pages with a list and the
slowest, and prints some records of a seeded draw for a person to judge.

    python3 bench/modern.py                          # all list pages of ../shared/bench/modern
    python3 bench/modern.py --split development      # scored by what was judged to be on the pages (modern_truth.tsv); apart: the others
    python3 bench/modern.py --split development --wrong   # also what is wrong with each page
    python3 bench/modern.py --show 50 --seed 17      # three records of each of 50 pages
    python3 bench/modern.py --against OTHER          # the pages on which another program finds other records

The data has no truth, so each page was judged, mostly from its text and markup and rarely from a picture, without running the program on it: how many
records its main list has, and the titles of the first and the last one. A list is
*right* if the number of its records is within what was counted, and the first and last record have these titles; *nearly* right if the number differs
by a tenth at most and one of the titles is there. A page whose HTML has no list is right if it is refused. A value of the first record is *found* if a
field is that value, without other words. The side of a page is a hash of its name.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ("listing", "collection")
TRUTH = pathlib.Path(__file__).with_name("modern_truth.tsv")


def infer(binary, folder, page, number):
    """The records that the program finds on a page, the seconds that it takes, and its exit code."""
    wrapper = folder / f"{number}-{page.replace('/', '_')}.json"
    start = time.monotonic()
    made = subprocess.run([binary, "infer", "--quiet", "-o", wrapper, folder / "pages" / page], capture_output=True, text=True)
    seconds = time.monotonic() - start
    if made.returncode != 0:
        return [], seconds, made.returncode
    read = subprocess.run([binary, "extract", "--no-meta", wrapper, folder / "pages" / page], capture_output=True, text=True)
    return [json.loads(line) for line in read.stdout.splitlines()], seconds, 0


def brief(record):
    """The first fields of a record, cut."""
    return {name: str(value)[:40] for name, value in list(record.items())[:5]}


def some(records):
    """The first record, the one in the middle and the last."""
    return [brief(records[at]) for at in sorted({0, len(records) // 2, len(records) - 1})] if records else []


def half(page):
    """The side that a page is on."""
    return "apart" if hashlib.sha256(f"modern {page}".encode()).digest()[0] % 2 else "development"


def truth(file):
    """What was judged to be on the pages: for each page one list, or several that are as good."""
    seen = {}
    with open(file, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            seen.setdefault(row["page"], []).append(row)
    return seen


def plain(text):
    return " ".join(str(text).split()).casefold()


def values(record):
    """All texts of a record."""
    for value in record.values():
        for part in value if isinstance(value, list) else [value]:
            yield from values(part) if isinstance(part, dict) else [plain(part)]


def verdict(records, row):
    """How well records fit what was seen."""
    least, most = int(row["records_min"]), int(row["records_max"])
    if most == 0:
        return "right" if len(records) < 2 else "no list"
    ends = [any(plain(row[end]) in text for text in values(records[at])) for end, at in (("first", 0), ("last", -1))] if records else [False]
    if least <= len(records) <= most and all(ends):
        return "right"
    return "nearly" if .9 * least <= len(records) <= 1.1 * most and any(ends) else "wrong"


def wanted(row):
    """The values of the first record that a person would want."""
    return [plain(part.partition("=")[2]) for part in row["fields"].split(";") if part.partition("=")[2].strip()]


def score(found, seen, wrong):
    """Prints how many pages are right."""
    order = ("right", "nearly", "no list", "wrong")
    counts, there, hits = dict.fromkeys(order, 0), 0, 0
    for page, rows in sorted(seen.items()):
        records = found[page][0]
        best = min(rows, key=lambda row: order.index(verdict(records, row)))
        answer = verdict(records, best)
        counts[answer] += 1
        if answer in ("right", "nearly") and records:
            asked, given = wanted(best), set(values(records[0]))
            there, hits = there + len(asked), hits + sum(value in given for value in asked)
        if wrong and answer != "right":
            print(f"{answer}: {page}: {len(records)} records, expected {best['records_min']}–{best['records_max']}: {best['first']!r} … {best['last']!r} ({best['note']})")
            print("   ", *some(records), sep="\n     ")
    pages = max(1, len(seen))
    print(f"{len(seen)} pages judged: " + ", ".join(f"{answer} {count} ({100 * count / pages:.0f} %)" for answer, count in counts.items()))
    print(f"values of the first record found in a field of their own: {hits} of {there}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/bench/modern")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--against", help="another program, to compare with")
    parser.add_argument("--show", type=int, default=0, help="how many pages to print")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--split", choices=("development", "apart"))
    parser.add_argument("--wrong", action="store_true", help="what is wrong with each page")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if not args.data.is_dir():
        sys.exit(f"error: {args.data} is not there")
    with open(args.data / "FACTS.tsv", encoding="utf-8", newline="") as facts:
        about = {row["page"]: row for row in csv.DictReader(facts, delimiter="\t") if row["kind"] in KINDS}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with tarfile.open(args.data / "pages.tar.xz") as pack:
            pack.extractall(folder, filter="data")
        pages = sorted(page for page in about if (folder / "pages" / page).exists() and args.split in (None, half(page)))
        found = []
        for number, binary in enumerate([args.binary, args.against][: 2 if args.against else 1]):
            with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                work = {page: pool.submit(infer, binary, folder, page, number) for page in pages}
                found.append({page: one.result() for page, one in work.items()})
    shown = pages
    if args.against:
        shown = [page for page in pages if found[0][page][0] != found[1][page][0]]
    elif args.show:
        shown = random.Random(args.seed).sample(pages, min(args.show, len(pages)))
    for page in shown if args.against or args.show else []:
        print(page, about[page]["url"][:100])
        for sign, results in zip("+-", found):
            records = results[page][0]
            print(f" {sign} {len(records)} records", *some(records), sep="\n     ")
    seen = truth(TRUTH)
    score(found[0], {page: seen[page] for page in pages if page in seen}, args.wrong)
    results = found[0].values()
    broken = [page for page, (_, _, code) in found[0].items() if code not in (0, 2)]
    lists = sum(len(records) > 1 for records, _, _ in results)
    seconds = sorted(seconds for _, seconds, _ in results)
    print(f"{len(pages)} pages: {lists} with a list, {len(broken)} crashes {' '.join(broken)}")
    print(f"seconds for a page: median {seconds[len(seconds) // 2]:.3f}, most {seconds[-1]:.3f}")
    if args.against:
        print(f"{len(shown)} pages have other records")


if __name__ == "__main__":
    main()
