#!/usr/bin/env python3
"""Lists on single pages: runs `wrapwright infer PAGE` and `wrapwright extract` on labelled pages, and scores the records with
the data's own scorer.

    python3 bench/onepage.py                         # all pages of ../shared/bench/onepage
    python3 bench/onepage.py --split development     # the families that are developed on; apart: the others
    python3 bench/onepage.py --wrong                 # also each page that is not wholly right
    python3 bench/onepage.py --lists 5               # the five best lists of each page, not only the best

Families of pages are split by a hash of their names, so a family is on one side.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("yamada", "zhao1", "zhao2", "zhao3")


def half(family):
    """The part that a family belongs to."""
    return "apart" if hashlib.sha256(f"onepage {family}".encode()).digest()[0] % 2 else "development"


def lists(binary, folder, page, most):
    """The lists of records of a page, the best first, and the seconds that the first one took."""
    found, seconds = [], 0.0
    for number in range(1, most + 1):
        wrapper = folder / f"{page.replace('/', '_')}.{number}.json"
        start = time.monotonic()
        command = [binary, "infer", "--quiet", "--records", str(number), "-o", wrapper, folder / f"{page}.html"]
        made = subprocess.run(command, capture_output=True, text=True)
        seconds = seconds or time.monotonic() - start
        if made.returncode != 0:
            if number == 1 or made.returncode not in (0, 2):
                print(f"{page}: exit {made.returncode}: {made.stderr.strip()}")
            break
        command = [binary, "extract", wrapper, folder / f"{page}.html", "--no-meta"]
        read = subprocess.run(command, capture_output=True, text=True)
        found.append([json.loads(line) for line in read.stdout.splitlines()])
    return found, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/bench/onepage")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--split", choices=("development", "apart"))
    parser.add_argument("--only", default="", help="pages whose name contains this")
    parser.add_argument("--lists", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--names", action="store_true", help="only print the names of the pages")
    parser.add_argument("--keep", type=pathlib.Path, help="write what was found to this file")
    args = parser.parse_args()
    if not args.data.is_dir():
        sys.exit(f"error: {args.data} is not there")
    truth = json.loads((args.data / "truth.json").read_text(encoding="utf-8"))
    with open(args.data / "FACTS.tsv", encoding="utf-8", newline="") as facts:
        families = {row["page"]: row["family"] for row in csv.DictReader(facts, delimiter="\t")}
    if args.split:
        truth = {page: about for page, about in truth.items() if half(families[page]) == args.split}
    truth = {page: about for page, about in truth.items() if args.only in page}
    if args.names:
        print("\n".join(truth))
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for source in SOURCES:
            with tarfile.open(args.data / f"{source}.tar.xz") as pack:
                pack.extractall(folder, filter="data")
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            work = {page: pool.submit(lists, args.binary, folder, page, args.lists) for page in truth}
            done = {page: one.result() for page, one in work.items()}
        times = sorted(seconds for _, seconds in done.values())
        lines = [json.dumps({"page": page, "lists": found}) + "\n" for page, (found, _) in done.items()]
        (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
        (folder / "out.ndjson").write_text("".join(lines), encoding="utf-8")
        if args.keep:
            args.keep.write_text("".join(lines), encoding="utf-8")
        command = [sys.executable, args.data / "score.py", folder / "out.ndjson", folder]
        if args.wrong:
            pages = subprocess.run(command + ["-v"], capture_output=True, text=True).stdout.splitlines()
            print("\n".join(line for line in pages if line.endswith("<")))
        scored = subprocess.run(command)
        print(f"seconds for a page: median {times[len(times) // 2]:.3f}, most {times[-1]:.3f}")
        sys.exit(scored.returncode)


if __name__ == "__main__":
    main()
