#!/usr/bin/env python3
"""Lists on single modern pages, which have no truth: runs `wrapwright infer PAGE` on each list page alone, counts the pages with a list and the
slowest, and prints some records of a seeded draw for a person to judge.

    python3 bench/modern.py                          # all list pages of ../shared/bench/modern
    python3 bench/modern.py --show 50 --seed 17      # three records of each of 50 pages
    python3 bench/modern.py --against OTHER          # the pages on which another program finds other records
"""

import argparse
import concurrent.futures
import csv
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/bench/modern")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--against", help="another program, to compare with")
    parser.add_argument("--show", type=int, default=0, help="how many pages to print")
    parser.add_argument("--seed", type=int, default=1)
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
        pages = sorted(page for page in about if (folder / "pages" / page).exists())
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
