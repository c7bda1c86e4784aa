#!/usr/bin/env python3
"""Names to fields: infers a wrapper for names that a user would ask for, from pages without labels, and scores what it gives.

    python3 bench/names.py                       # 20 pages of each SWDE site at hand
    python3 bench/names.py --pages 3
    python3 bench/names.py --split development   # the sites that are developed on; apart: the others
    python3 bench/names.py --wrong               # also what is wrong

`wrapwright infer PAGES --fields SCHEMA` with the names and descriptions of attributes.json, then `extract` on all pages. A page is
right if one of the values of the field is a true value of the attribute; F1 over pages, its mean over attributes, then sites.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def half(site):
    """The part that a site belongs to."""
    return "apart" if sum(site.encode()) % 5 < 2 else "development"


def normal(text):
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ")).strip()


def texts(value):
    """All texts of a value of a record."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    return [] if value is None else [normal(str(value))]


def named(record, name):
    """The values of the field of that name, wherever it is."""
    found = []
    for key, value in record.items():
        if key == name:
            found += texts(value)
        elif isinstance(value, dict):
            found += named(value, name)
        elif isinstance(value, list):
            found += [text for inner in value if isinstance(inner, dict) for text in named(inner, name)]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/bench/swde")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--split", choices=("development", "apart"))
    parser.add_argument("--sites")
    parser.add_argument("--wrong", action="store_true")
    args = parser.parse_args()
    asked = json.loads((args.data / "attributes.json").read_text(encoding="utf-8"))
    train = {}
    for line in (args.data / "train20.txt").read_text().split("\n"):
        if line.strip():
            site, page = line.split()
            train.setdefault(site, []).append(page)
    means, picks, sure_wrong = [], 0, 0
    for pack in sorted(args.data.glob("*.tar.xz")):
        site = pack.name.removesuffix(".tar.xz")
        if args.split and half(site) != args.split or args.sites and site not in args.sites.split(","):
            continue
        attributes = asked[site.split("-")[0]]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            with tarfile.open(pack) as content:
                content.extractall(folder, filter="data")
            home = next(path.parent for path in folder.rglob("groundtruth.json"))
            truth = json.loads((home / "groundtruth.json").read_text(encoding="utf-8"))
            schema = {"type": "object", "properties": {name: {"type": "string", "description": text} for name, text in attributes.items()}}
            (folder / "asked.json").write_text(json.dumps(schema))
            pages = [str(next((home / "pages").glob(f"{page}.*"))) for page in train[site][:args.pages]]
            made = subprocess.run([args.binary, "infer", "--charset", "utf-8", "--fields", folder / "asked.json", "-o", folder / "w.json", *pages],
                                  capture_output=True, text=True)
            done = subprocess.run([args.binary, "extract", "--charset", "utf-8", folder / "w.json", home / "pages"], capture_output=True, text=True)
            given = {}
            for line in done.stdout.splitlines():
                record = json.loads(line)
                given.setdefault(pathlib.Path(record["_page"]).stem, []).append(record)
            said = {name: re.search(rf"`{name}` (is|may be|was).*", made.stderr) for name in attributes}
            scores = []
            for name in attributes:
                true = {page: {normal(text) for text in values} for page, values in truth.get(name, {}).items() if values}
                if not true:
                    continue
                right = shown = 0
                for page, values in true.items():
                    mine = [text for record in given.get(page, []) for text in named(record, name)]
                    shown += bool(mine)
                    right += any(text in values for text in mine)
                score = 2 * right / (shown + len(true)) if shown else 0.0
                scores.append(score)
                is_sure = bool(said[name] and said[name].group(1) == "is")
                picks += 1
                sure_wrong += is_sure and right * 2 < max(shown, 1)
                if args.wrong and score < 0.9:
                    print(f"  {site} {name}: {score:.2f}, {said[name].group(0) if said[name] else made.stderr.strip()[:200]}")
            means.append(sum(scores) / max(len(scores), 1))
            print(f"{site:<28} {means[-1]:.3f}")
    print(f"{len(means)} sites from {args.pages} pages: F1 {sum(means) / max(len(means), 1):.3f}; "
          f"wrong picks told sure: {sure_wrong} of {picks} ({100 * sure_wrong / max(picks, 1):.1f} %)")


if __name__ == "__main__":
    sys.exit(main())
