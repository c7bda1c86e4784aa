#!/usr/bin/env python3
"""Which link is the next page? Runs `wrapwright pager` on labelled pages, and scores what it prints with the data's own scorer.

    python3 bench/pagers.py                          # all pages of ../shared/bench/pagers
    python3 bench/pagers.py --split development      # the sites that are developed on; opened: read since 2026-11-17; apart: the others
    python3 bench/pagers.py --wrong                  # also what is wrong

Sites are split by the sum of the letters of their names, as in `cargo xtask guided --split`.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def half(site):
    """The part that a site belongs to."""
    return ("apart", "opened", "development", "development", "development")[sum(site.encode()) % 5]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/bench/pagers")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--split", choices=("development", "opened", "apart"))
    parser.add_argument("--wrong", action="store_true")
    args = parser.parse_args()
    if not args.data.is_dir():
        sys.exit(f"error: {args.data} is not there")
    truth = json.loads((args.data / "truth.json").read_text(encoding="utf-8"))
    if args.split:
        truth = {page: about for page, about in truth.items() if half(about["site"]) == args.split}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with tarfile.open(args.data / "pages.tar.xz") as pack:
            pack.extractall(folder, filter="data")
        lines = []
        for page, about in truth.items():
            command = [args.binary, "pager", "--json", "--charset", about["encoding"], "--url", about["url"],
                       str(folder / "html" / f"{page}.html")]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                print(f"{page}: exit {done.returncode}: {done.stderr.strip()}")
                continue
            found = json.loads(done.stdout)
            lines.append(found | {"page": page})
            right = about.get("next") or []
            if args.wrong and not about.get("unscored") and (found["next"] not in right if right else found["next"]):
                print(f"{page} {about['url']}\n  found {found['next']} ({found['sure']})\n  right {right}")
        (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
        (folder / "out.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        sys.exit(subprocess.run([sys.executable, args.data / "score.py", folder / "out.ndjson", folder]).returncode)


if __name__ == "__main__":
    main()
