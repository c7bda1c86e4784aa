#!/usr/bin/env python3
"""Names to fields: infers a wrapper for names that a user would ask for, from pages without labels, and scores what it gives.

    python3 bench/names.py                       # 20 pages of each SWDE site at hand
    python3 bench/names.py --pages 3
    python3 bench/names.py --pages 3 --first 3   # the fourth to the sixth page instead: another draw of the same sites
    python3 bench/names.py --read 200            # scored on so many pages of each site only
    python3 bench/names.py --split development   # the sites that are developed on; opened: read since 2026-11-17; apart: the others
    python3 bench/names.py --wrong               # also what is wrong
    python3 bench/names.py --inferred            # without asking for names: how fields are called, and what is shown

`wrapwright infer PAGES --fields SCHEMA` with the names and descriptions of attributes.json, then `extract` on all pages. Scored with
the benchmark's own score.py, any-of, for the field of the asked name; F1 is the mean over attributes, then sites. A pick is wrong if
less than half of the pages that have a value have a right one.

With `--inferred`, no names are given. The field with the best strict F1 for the main attribute (title, name, model), among all fields and
among those that are shown, must be called `title` or `name`; and recall among the fields that are shown is compared with that among all fields, and among those that are no second forms of others (`_all`, `_mentions`).
"""

import argparse
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


# All texts of a group, and all mentions of a datum, are second forms of other fields, which are shown on demand.
SECOND = re.compile(r"_(all|mentions)(_\d+)?$")


def half(site):
    """The part that a site belongs to."""
    return ("apart", "opened", "development", "development", "development")[sum(site.encode()) % 5]


def scorer(data):
    """The benchmark's scorer as a module."""
    spec = importlib.util.spec_from_file_location("score", data / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def unpacked(pack):
    """The folder with the pages and the truth of a site."""
    folder = ROOT / "target/names" / pack.name.removesuffix(".tar.xz")
    if not folder.is_dir():
        part = folder.with_suffix(".part")
        with tarfile.open(pack) as content:
            content.extractall(part, filter="data")
        part.rename(folder)
    return next(path.parent for path in folder.rglob("groundtruth.json"))


def texts(value):
    """All texts of a value of a record."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    return [] if value is None else [str(value)]


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


def flat(record, path, into):
    """All values of a record by their paths."""
    for name, value in record.items():
        if name.startswith("_"):
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                flat(one, f"{path}{name}.", into)
            elif one is not None:
                into.setdefault(path + name, []).append(str(one))
    return into


def inferred(args, score, home, pages, attributes, folder):
    """For the fields that are shown, for all, and for all but second forms of others: how many there are, and for each attribute the best field and recall by measure."""
    wrapper = folder / "w.json"
    subprocess.run([args.binary, "infer", "-q", "--method", "landmarks", "--charset", "utf-8", "-o", wrapper, *pages], capture_output=True, check=True)
    truth = json.loads((home / "groundtruth.json").read_text(encoding="utf-8"))
    answers = []
    for which in ("shown", "all", "first forms"):
        if which == "all":
            subprocess.run([args.binary, "fields", wrapper, "--all"], capture_output=True, check=True)
        listed = json.loads(subprocess.run([args.binary, "fields", wrapper, "--json"], capture_output=True, check=True).stdout)
        done = subprocess.run([args.binary, "extract", "--charset", "utf-8", wrapper, home / "pages"], capture_output=True, text=True)
        memo, found = score.Values(), {}
        for line in done.stdout.splitlines():
            record = json.loads(line)
            flat(record, "", found.setdefault(pathlib.Path(record["_page"]).stem, {}))
        if which == "first forms":
            found = {page: {name: texts for name, texts in of.items() if not SECOND.search(name)} for page, of in found.items()}
        out = score.Output(found, memo)
        rows = {}
        for name in attributes:
            true = {page: [memo[text] for text in dict.fromkeys(values) if memo[text] is not None] for page, values in truth.get(name, {}).items()}
            true = {page: values for page, values in true.items() if values}
            if len(true) >= 5:
                rows[name] = score.score_attribute(true, out)
            if name in ("title", "name", "model"):
                mains = []
                for called in ("title", "name"):
                    only = {page: {called: of[called]} for page, of in found.items() if called in of}
                    scored = score.score_attribute(true, score.Output(only, memo))
                    mains.append((scored["strict"][0], scored["any-of"][2]))
        shown = [field["name"] for field in listed if field["shown"]]
        answers.append((len(shown), rows, shown, mains))
    return answers


def named_fields(args, score, asked, train):
    """How fields are called without asking for names, and what is shown of them."""
    good, good_shown, near, right, counts, recall = 0, 0, 0, 0, ([], [], []), {measure: ([], [], []) for measure in ("strict", "any-of")}
    sites = 0
    for pack in sorted(args.data.glob("*.tar.xz")):
        site = pack.name.removesuffix(".tar.xz")
        if args.split and half(site) != args.split or args.sites and site not in args.sites.split(","):
            continue
        attributes = asked[site.split("-")[0]]
        home = unpacked(pack)
        pages = [str(next((home / "pages").glob(f"{page}.*"))) for page in train[site][:args.pages]]
        with tempfile.TemporaryDirectory() as folder:
            answers = inferred(args, score, home, pages, attributes, pathlib.Path(folder))
        main = next(name for name in attributes if name in ("title", "name", "model"))
        called = answers[1][1][main]["strict"][3] or "-"
        near += any(answers[1][1][main]["strict"][0] - strict <= 0.02 for strict, _ in answers[1][3])
        right += any(recall_here >= 0.95 for _, recall_here in answers[0][3])
        is_good = called.rsplit(".", 1)[-1] in ("title", "name")
        seen = answers[0][1].get(main, {}).get("strict", (0, 0, 0, "-"))[3] or "-"
        good_shown += seen.rsplit(".", 1)[-1] in ("title", "name")
        good += is_good
        sites += 1
        for number in (0, 1, 2):
            counts[number].append(answers[number][0])
            for measure in recall:
                of = [row[measure][2] for row in answers[number][1].values()]
                recall[measure][number].append(sum(of) / len(of))
        lost = [
            name if measure == "any-of" else f"{name} in full"
            for measure in ("any-of", "strict")
            for name, row in answers[0][1].items()
            if answers[1][1][name][measure][2] - row[measure][2] > 0.02
        ]
        best = {name: row["any-of"][3] for name, row in answers[1][1].items()}
        print(f"{site:<28} {'' if is_good else 'BAD '}{main}: {called} (shown: {seen}); {answers[0][0]} of {answers[1][0]} shown; not among them: {lost or '-'}")
        if args.wrong:
            print("    title, name: " + ", ".join(f"strict F1 {strict:.3f}, any-of recall {here:.3f}" for strict, here in answers[0][3]))
            rank = lambda field: answers[0][2].index(field) + 1 if field in answers[0][2] else 0
            print("    best: " + ", ".join(f"{name} = {field} ({rank(field)})" for name, field in best.items()))
            strict = {name: row["strict"][3] for name, row in answers[1][1].items()}
            print("    strict: " + ", ".join(f"{name} = {field} ({rank(field)})" for name, field in strict.items() if field != best[name]))
            print("    shown: " + " ".join(answers[0][2]))
            print("    hidden: " + " ".join(name for name in answers[1][2] if name not in answers[0][2]))
    mean = lambda values: 100 * sum(values) / max(len(values), 1)
    middle = lambda values: sorted(values)[len(values) // 2] if values else 0
    print(f"{good} of {sites} main names are called title or name among all fields, {good_shown} among those shown, {near} with a field of that name that is as good, {right} with one that is shown and right on 95 % of the pages; median {middle(counts[0])} of {middle(counts[1])} fields shown; "
          + "; ".join(f"{measure} recall {mean(of[0]):.2f} of {mean(of[1]):.2f}, of {mean(of[2]):.2f} without second forms" for measure, of in recall.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/bench/swde")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--read", type=int)
    parser.add_argument("--split", choices=("development", "opened", "apart"))
    parser.add_argument("--sites")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--inferred", action="store_true")
    parser.add_argument("--wrong-values", action="store_true")
    args = parser.parse_args()
    score = scorer(args.data)
    asked = json.loads((args.data / "attributes.json").read_text(encoding="utf-8"))
    train = {}
    for line in (args.data / "train20.txt").read_text().split("\n"):
        if line.strip():
            site, page = line.split()
            train.setdefault(site, []).append(page)
    if args.inferred:
        return named_fields(args, score, asked, train)
    means, picks, sure_wrong, unsure = [], 0, 0, 0
    for pack in sorted(args.data.glob("*.tar.xz")):
        site = pack.name.removesuffix(".tar.xz")
        if args.split and half(site) != args.split or args.sites and site not in args.sites.split(","):
            continue
        attributes = asked[site.split("-")[0]]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            home = unpacked(pack)
            truth = json.loads((home / "groundtruth.json").read_text(encoding="utf-8"))
            schema = {"type": "object", "properties": {name: {"type": "string", "description": text} for name, text in attributes.items()}}
            (folder / "asked.json").write_text(json.dumps(schema))
            pages = [str(next((home / "pages").glob(f"{page}.*"))) for page in train[site][args.first:args.first + args.pages]]
            every = sorted((home / "pages").iterdir())
            some = every[::max(len(every) // args.read, 1)][:args.read] if args.read else [home / "pages"]
            made = subprocess.run([args.binary, "infer", "--charset", "utf-8", "--fields", folder / "asked.json", "-o", folder / "w.json", *pages],
                                  capture_output=True, text=True)
            done = subprocess.run([args.binary, "extract", "--charset", "utf-8", folder / "w.json", *some], capture_output=True, text=True)
            given = {}
            for line in done.stdout.splitlines():
                record = json.loads(line)
                given.setdefault(pathlib.Path(record["_page"]).stem, []).append(record)
            said = {name: re.search(rf"`{name}` (is|may be|was).*", made.stderr) for name in attributes}
            scores = []
            memo = score.Values()
            read = {path.stem for path in some}
            fields = {page: {name: [text for record in records for text in named(record, name)] for name in attributes}
                      for page, records in given.items()}
            for name in attributes:
                true = {}
                for page, values in truth.get(name, {}).items():
                    values = [memo[text] for text in dict.fromkeys(values) if memo[text] is not None]
                    if values and (not args.read or page in read):
                        true[page] = values
                if len(true) < 5:
                    continue
                mine = {page: {name: of[name]} for page, of in fields.items()}
                f1, precision, recall, _ = score.score_attribute(true, score.Output(mine, memo))["any-of"]
                shown = sum(bool(of[name]) for of in mine.values())
                right = recall * len(true)
                scores.append(f1)
                is_sure = bool(said[name] and said[name].group(1) == "is")
                picks += 1
                sure_wrong += is_sure and shown > 0 and right * 2 < shown
                unsure += not is_sure
                if args.wrong and f1 < 0.9:
                    told = said[name].group(0) if said[name] else made.stderr.strip()[:200]
                    print(f"  {site} {name}: {f1:.2f} (P {precision:.2f}, R {recall:.2f}), {told}")
                    if args.wrong_values and right * 2 < max(shown, 1):
                        page = next(iter(true))
                        print(f"      true {truth[name][page][:3]}, given {mine.get(page, {}).get(name, [])[:3]}")
            means.append(sum(scores) / max(len(scores), 1))
            print(f"{site:<28} {means[-1]:.3f}")
    print(f"{len(means)} sites from {args.pages} pages: F1 {sum(means) / max(len(means), 1):.3f}; "
          f"wrong picks told sure: {sure_wrong} of {picks} ({100 * sure_wrong / max(picks, 1):.1f} %), not told sure: {unsure}")


if __name__ == "__main__":
    sys.exit(main())
