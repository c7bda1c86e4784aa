#!/usr/bin/env python3
"""Made-up sites in the ways that real sites are built, with exact truth: how well does the program infer wrappers for them,
and how well does it notice and repair their redesigns?

    python3 bench/designs.py --split development              # everything, on the families that are developed on; apart, new: others
    python3 bench/designs.py --only woo --show 1              # designs whose name or family contains this, and what is wrong
    python3 bench/designs.py --part infer --keep target/d     # only this part; writes pages, truth and what came out
    python3 bench/designs.py --part redesign --new            # redesigns whose records are all new

A family is a kind of records (designs_kinds.py) with two designs or more (designs_made.py). A hash of its name says on which side it is:
development, opened (kept apart until its pages were read) or apart (only totals were ever seen). Those of designs_more_kinds.py, with
designs of designs_more.py, were written later and are on the sides new (only totals were ever seen) and new-opened.

- infer: a wrapper is made from one page, from five pages, and from five with `--method exalg`, and reads four other pages. Rows are
  aligned in order. An attribute is correct if one field has all of its values, and nothing where it lacks; partial if it has
  them with a fixed text before or after; else incorrect. A record too many or too few makes all attributes incorrect.
- redesign: a wrapper of five pages of one design; five pages of another design of the family with half of the records and as
  many new ones. `check` must say so, and not on five more pages of the old design; then `repair`, and both rates on other new
  pages. A few words around a value are no mistake here (`489` and `489 points`).
- exchanged: two fields of a kind change places in the pages of one design; half of the records are known. `check` must say so.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import designs_more  # noqa: F401  (adds to DESIGNS)
from designs_kinds import FAMILIES, Site
from designs_made import DESIGNS

SIDES = ("development", "opened", "apart", "new", "new-opened")
ROOT = pathlib.Path(__file__).resolve().parent.parent
MODES = {"one page": (1, []), "five pages": (5, []), "five, exalg": (5, ["--method", "exalg"])}
TRAINED, TESTED = 5, 4
RANK = re.compile(r"^\d+\. *$")  # before a title


def half(family):
    """The side that a family is on."""
    kept, opened = hashlib.sha256(f"made designs {family}".encode()).digest()[:2]
    if FAMILIES[family].draw.__module__ == "designs_more_kinds":
        return "new-opened" if opened % 2 else "new"
    return "development" if kept % 2 == 0 else "opened" if opened % 2 else "apart"


# --- pages


def draw(kind, seed, what, pages):
    """Records for this many pages: some pages have more than others, and the last one is short."""
    family = FAMILIES[kind.family]
    r = random.Random(f"records {seed} {kind.family} {what}")
    count = 1 if family.single else r.randint(9, 14)
    sizes = [count if kind.steady or family.single else max(3, count - r.choice([0, 0, 0, 1, 2])) for _ in range(pages)]
    if not (kind.steady or family.single):
        sizes[-1] = r.randint(2, 4)
    return [[family.draw(r, family.lang) for _ in range(size)] for size in sizes]


def recurring(r, known, new):
    """The new records, half of them replaced by known ones."""
    pool = [record for page in known for record in page]
    r.shuffle(pool)
    return [[pool.pop() if pool and r.random() < .5 else record for record in page] for page in new]


def exchanged(records, pair):
    """The records with the values of two fields in each other's place."""
    first, second = pair
    return [[{**it, first: it[second], second: it[first]} if first in it and second in it else it for it in page] for page in records]


def write(kind, seed, folder, records, first=1):
    """Writes the pages of these records, and gives their truth by the file's name."""
    site, truth = Site(kind, seed), {}
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(records, first):
        text, rows = site.write(number, first + len(records) - 1, page)
        (folder / f"{number:02}.html").write_text(text)
        truth[f"{number:02}.html"] = [{field: tidy(value) for field, value in row.items()} for row in rows]
    return truth


def tidy(value):
    """A value as it is compared: white space is one blank."""
    return [tidy(part) for part in value] if isinstance(value, list) else " ".join(str(value).split())


# --- the program


class Program:
    """Runs the binary, and keeps what it wrote if that is wanted."""

    def __init__(self, binary):
        self.binary, self.log = binary, []

    def __call__(self, *words):
        start = time.monotonic()
        try:
            done = subprocess.run([self.binary, *map(str, words)], capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess(words, 124, "", "no end after 300 seconds")
        self.log.append(f"$ wrapwright {' '.join(map(str, words))}\n? {done.returncode}, {time.monotonic() - start:.1f} s\n{done.stderr}{done.stdout[:20000]}")
        return done

    def extract(self, wrapper, pages):
        """The rows of each page, by table: the outermost records and each list in them."""
        done = self("extract", wrapper, "-q", *pages)
        out = {page.name: {} for page in pages}
        for line in done.stdout.splitlines():
            record = json.loads(line)
            page = pathlib.PurePath(record.pop("_page")).name
            record.pop("_record", None)
            spread(record, "", {}, out[page])
        return out


def spread(record, path, around, tables):
    """Adds a record to the rows of its table, and the records in it to theirs, with the values around them."""
    row, nested = dict(around), []
    for key, value in record.items():
        parts = value if isinstance(value, list) else [value]
        if any(isinstance(part, dict) for part in parts):
            nested.append((key, parts))
        elif [part for part in parts if part not in (None, "")]:
            row[path + key] = [tidy(part) for part in parts if part not in (None, "")]
    tables.setdefault(path, []).append(row)
    for key, parts in nested:
        for part in parts:
            if isinstance(part, dict):
                spread(part, f"{path}{key}.", row, tables)


# --- scores


def letters(text):
    return "".join(c for c in text if c.isalnum())


def same(value, found):
    """Is what was found the value? A list may be one text, and a text with commas a list."""
    if isinstance(value, list) or len(found) > 1:
        return letters("".join(found)) == letters("".join(value))
    return " ".join(found) == value


def near(value, found):
    """Is it the value but for a few words around it, as designs of one kind have them: `489` and `489 points`?"""
    if same(value, found) or isinstance(value, list):
        return same(value, found)
    text = " ".join(found)
    longer, shorter = (text, value) if len(text) > len(value) else (value, text)
    rest = RANK.sub("", longer.replace(shorter, "", 1))
    fits = shorter in longer and len(rest) <= 24 and not any(c.isdigit() for c in rest)
    return fits and (longer == text or any(c.isdigit() for c in shorter))


def around(value, found):
    """The text before and after the value in what was found, or nothing."""
    text = " ".join(found)
    value = value if isinstance(value, str) else None
    at = text.find(value) if value else -1
    return None if at < 0 else (RANK.sub("#", text[:at]), text[at + len(value):])


def likeness(main, record, row):
    """How much a row has of a record."""
    texts = [" ".join(found) for found in row.values()]
    score = 0
    for field, value in record.items():
        value = value if isinstance(value, str) else " ".join(value)
        weight = 4 if field == main else 1
        score += weight * 2 if value in texts else weight if len(value) > 3 and any(value in text for text in texts) else 0
    return score


def align(main, truth, rows):
    """The pairs of records and rows, in the order of both, that have most in common."""
    weight = [[likeness(main, record, row) for row in rows] for record in truth]
    best = [[0] * (len(rows) + 1) for _ in range(len(truth) + 1)]
    for i in range(len(truth) - 1, -1, -1):
        for j in range(len(rows) - 1, -1, -1):
            paired = weight[i][j] + best[i + 1][j + 1] if weight[i][j] else 0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    pairs, i, j = {}, 0, 0
    while i < len(truth) and j < len(rows):
        if weight[i][j] and best[i][j] == weight[i][j] + best[i + 1][j + 1]:
            pairs[i], i, j = j, i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


class Count:
    """How one output field compares with one attribute."""

    def __init__(self):
        self.right = self.within = self.wrong = self.missing = self.false = self.gave = self.hits = self.there = self.near = 0
        self.edges, self.samples = set(), []

    def add(self, value, found):
        self.gave += bool(found)
        self.there += value is not None
        self.near += value is not None and bool(found) and near(value, found)
        if value is None and not found or value is not None and found and same(value, found):
            self.right += 1
            self.hits += value is not None
            return
        if value is None:
            self.false += 1
        elif not found:
            self.missing += 1
        elif around(value, found):
            self.within += 1
            self.edges.add(around(value, found))
        else:
            self.wrong += 1
        if len(self.samples) < 4:
            self.samples.append((value, found))

    def partial(self):
        return self.within and not (self.wrong or self.missing or self.false) and len(self.edges) <= 2


class Table:
    """One table of the output against the truth of its pages."""

    def __init__(self, name, main, attributes, truth, out):
        self.name, self.extra, self.lost = name, 0, 0
        self.counts = {attribute: collections.defaultdict(Count) for attribute in attributes}
        cells = []
        for page, records in truth.items():
            rows = out[page].get(name, [])
            pairs = align(main, records, rows)
            self.extra += len(rows) - len(pairs)
            self.lost += len(records) - len(pairs)
            cells += [(record, rows[pairs[i]] if i in pairs else {}) for i, record in enumerate(records)]
            self.spare = [row for j, row in enumerate(rows) if j not in pairs.values()] + getattr(self, "spare", [])
        fields = sorted({field for _, row in cells for field in row} | {""})
        for attribute, by_field in self.counts.items():
            for field in fields:
                for record, row in cells:
                    by_field[field].add(record.get(attribute), row.get(field, []))
        self.best = {attribute: max(by_field, key=lambda f, b=by_field: (b[f].hits, b[f].within, b[f].right)) for attribute, by_field in self.counts.items()}
        self.value = sum(self.of(a).hits + self.of(a).within / 2 for a in attributes) - self.extra

    def of(self, attribute):
        return self.counts[attribute][self.best[attribute]]

    def verdict(self, attribute):
        count = self.of(attribute)
        if self.extra or self.lost:
            return "incorrect"
        if not (count.wrong or count.missing or count.false or count.within):
            return "correct"
        return "partial" if count.partial() else "incorrect"


def compare(main, attributes, truth, out):
    """The table of the output that is most like the truth."""
    names = {name for tables in out.values() for name in tables} | {""}
    return max((Table(name, main, attributes, truth, out) for name in sorted(names)), key=lambda table: table.value)


def counted(family, trained, tested):
    """The attributes that a wrapper can know: they are on the pages that it was made from, and on those that it reads."""
    seen = collections.Counter(field for page in trained for record in page for field in record)
    later = collections.Counter(field for page in tested for record in page for field in record)
    return [field for field in seen if later[field] and seen[field] >= (1 if family.single else 2)]


# --- inference


def infer_one(program, kind, mode, seed, folder):
    """Makes a wrapper of the design by one mode, and compares what it reads on other pages with the truth."""
    count, options = MODES[mode]
    family = FAMILIES[kind.family]
    truth = write(kind, seed, folder / "pages", draw(kind, seed, "infer", TRAINED + TESTED))
    pages = sorted((folder / "pages").iterdir())
    tested = {page.name: truth[page.name] for page in pages[TRAINED:]}
    attributes = counted(family, [truth[page.name] for page in pages[:count]], tested.values())
    wrapper = folder / f"{mode.replace(', ', '-').replace(' ', '-')}.json"
    start = time.monotonic()
    code = program("infer", *options, "-o", wrapper, *pages[:count]).returncode
    seconds = time.monotonic() - start
    out = program.extract(wrapper, pages[TRAINED:]) if wrapper.exists() else {page.name: {} for page in pages[TRAINED:]}
    (folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1))
    wrapper.with_suffix(".out.json").write_text(json.dumps(out, ensure_ascii=False, indent=1))
    return compare(family.main, attributes, tested, out), code, seconds


def tell(mode, table, code, show):
    """Prints what is wrong with one table."""
    verdicts = {attribute: table.verdict(attribute) for attribute in table.counts}
    bad = [attribute for attribute, verdict in verdicts.items() if verdict != "correct"]
    if not bad:
        return f"  {mode}: right\n"
    wrong = sum(table.of(a).wrong + table.of(a).false for a in bad)
    lines = [f"  {mode}: exit {code}, {len(bad)} of {len(verdicts)} attributes not right; records lost {table.lost}, too many {table.extra}; wrong values {wrong}"]
    if show:
        for a in bad:
            c, field = table.of(a), table.best[a]
            head = f"    {verdicts[a]} {a} ~ {field or '(no field)'}: right {c.right}, around {c.within}, wrong {c.wrong}, missing {c.missing}, false {c.false}"
            lines.append(head + "".join(f"\n      expected {value!r}, found {found!r}" for value, found in c.samples[:show]))
        lines += [f"    too many: {row}" for row in table.spare[:show]]
    return "\n".join(lines) + "\n"


def infer_part(program, kinds, args, folder):
    totals = {mode: collections.Counter() for mode in MODES}
    for kind in kinds:
        report = ""
        for mode in MODES:
            table, code, seconds = infer_one(program, kind, mode, args.seed, folder / kind.name)
            verdicts = collections.Counter(table.verdict(attribute) for attribute in table.counts)
            totals[mode].update(verdicts, whole=verdicts["correct"] == len(table.counts), designs=1)
            totals[mode]["slow"] = max(totals[mode]["slow"], seconds)
            totals[mode]["wrong"] += sum(table.of(a).wrong + table.of(a).false for a in table.counts) + table.extra
            totals[mode]["missing"] += sum(table.of(a).missing for a in table.counts)
            report += tell(mode, table, code, args.show)
        finish(program, folder / kind.name, report)
        if args.show is not None:
            print(f"{kind.name} ({kind.family})\n{report}", end="")
    for mode, t in totals.items():
        n = max(1, t["correct"] + t["partial"] + t["incorrect"])
        print(f"{mode:12} attributes {n}: correct {100 * t['correct'] / n:.1f} / partial {100 * t['partial'] / n:.1f} / incorrect {100 * t['incorrect'] / n:.1f} %; "
              f"whole tables {t['whole']} of {t['designs']}; values wrong or too many {t['wrong']}, missing {t['missing']}; slowest {t['slow']:.1f} s")


def finish(program, folder, report):
    """Keeps what was run and said beside the pages."""
    (folder / "report.txt").write_text(report)
    (folder / "log.txt").write_text("\n".join(program.log))
    program.log.clear()


# --- redesigns


class Wrapper:
    """A wrapper of five old pages, with the output field of each attribute that it reads well."""

    def __init__(self, program, kind, maker, seed, folder):
        self.program, self.kind, self.family = program, kind, FAMILIES[kind.family]
        self.old = draw(kind, seed, "old", 10)
        self.truth = write(kind, seed, folder / "old", self.old)
        self.pages = sorted((folder / "old").iterdir())
        self.file = folder / "wrapper.json"
        self.file.unlink(missing_ok=True)
        self.fields = {}
        self.infer() if maker == "infer" else self.learn(folder)

    def infer(self):
        if self.program("infer", "-o", self.file, *self.pages[:5]).returncode not in (0, 1) or not self.file.exists():
            return
        self.fields = self.known(self.program.extract(self.file, self.pages[:5]))
        if self.fields:
            keep = list(dict.fromkeys(self.fields.values()))
            self.program("fields", self.file, "--keep", ",".join(keep))

    def known(self, out):
        """The fields that are right in nine records of ten on the pages of the wrapper."""
        truth = {page.name: self.truth[page.name] for page in self.pages[:5]}
        table = compare(self.family.main, counted(self.family, truth.values(), truth.values()), truth, out)
        good = {a: table.best[a] for a in table.counts if table.best[a] and table.of(a).hits >= .9 * table.of(a).there and table.of(a).hits >= .9 * table.of(a).gave}
        return {a: field for a, field in good.items() if list(good.values()).count(field) == 1} if table.extra == 0 else {}

    def learn(self, folder):
        page = self.pages[0]
        chosen = self.truth[page.name] if self.family.single else sorted(self.truth[page.name], key=len)[-2:]
        given = [{field: value for field, value in record.items() if isinstance(value, str)} for record in chosen]
        examples = folder / "examples.json"
        examples.write_text(json.dumps({str(page): given}, ensure_ascii=False))
        if self.program("learn", page, "--examples", examples, "-o", self.file, *(word for more in self.pages[1:5] for word in ("--also", more))).returncode == 0:
            self.fields = self.known(self.program.extract(self.file, self.pages[:5]))

    def rates(self, file, pages, truth):
        """Of each attribute: values there, values given, values right."""
        out = self.program.extract(file, pages)
        tables = {path for field in self.fields.values() for path in [field.rpartition(".")[0]]}
        deepest = max((f"{path}." if path else "" for path in tables), key=len)
        if not any(deepest in page for page in out.values()):
            deepest = ""
        table = Table(deepest, self.family.main, list(self.fields), {page.name: truth[page.name] for page in pages}, out)
        result = {}
        for attribute, field in self.fields.items():
            count = table.counts[attribute][field]
            spare = sum(field in row for row in table.spare)
            result[attribute] = (sum(attribute in record for page in pages for record in truth[page.name]), count.gave + spare, count.near)
        return result


def rate(counts):
    there, gave, right = counts
    return right / there if there else 1.0, right / gave if gave else (1.0 if not there else 0.0)


def fine(rates):
    """Does it read nearly all that is there, and little else?"""
    return all(min(rate(counts)) >= .95 for counts in rates.values())


def redesign(program, old, new, maker, args, folder, totals):
    """A wrapper of one design, and pages of another one."""
    wrapper = Wrapper(program, old, maker, args.seed, folder)
    if not wrapper.fields:
        totals["no wrapper"] += 1
        return "  no wrapper that reads the old pages\n"
    r = random.Random(f"redesign {args.seed} {old.name} {new.name}")
    fresh = draw(new, args.seed, "new", 9)
    if not args.new:
        fresh = recurring(r, wrapper.old, fresh)
    truth = write(new, args.seed, folder / "new", fresh)
    pages = sorted((folder / "new").iterdir())
    report = f"  fields {wrapper.fields}\n"
    report += alarm(program, wrapper, pages[:5], truth, totals)
    repaired = folder / "repaired.json"
    repaired.unlink(missing_ok=True)
    done = program("repair", wrapper.file, "-o", repaired, "--format", "json", *pages[:5])
    rates = wrapper.rates(repaired if repaired.exists() else wrapper.file, pages[5:], truth)
    try:
        told = {field["name"]: field for field in json.loads(done.stdout)["fields"]}
    except (ValueError, KeyError):
        told = {}
    report += f"  repair: exit {done.returncode}, {'written' if repaired.exists() else 'refused'}\n"
    totals["refused"] += not repaired.exists()
    for attribute, counts in rates.items():
        recall, precision = rate(counts)
        field = told.get(wrapper.fields[attribute], {})
        sure = field.get("sure", 0) if repaired.exists() and not field.get("left_out", True) else None
        bad = counts[1] > 0 and precision < .9
        totals.update(fields=1, recall=recall, gave=counts[1] > 0, precision=precision if counts[1] else 0)
        if sure is not None:
            totals.update(written=1, written_wrong=bad, sure_all=sure >= .9, sure_wrong=sure >= .9 and bad)
        report += f"  {'SURE AND WRONG ' if bad and sure is not None and sure >= .9 else 'wrong ' if bad else ''}{attribute}: recall {recall:.2f}, precision {precision:.2f} of {counts[1]} values, said {sure}\n"
    return report


def alarm(program, wrapper, new, truth, totals):
    """Asks `check` about further old pages, and about new ones."""
    report = ""
    later = wrapper.pages[5:]
    if fine(wrapper.rates(wrapper.file, later, wrapper.truth)):
        code = program("check", wrapper.file, *later).returncode
        totals.update(unchanged=1, false_alarms=code == 3)
        report += f"  old pages: exit {code}{' FALSE ALARM' if code == 3 else ''}\n"
    if not fine(wrapper.rates(wrapper.file, new, truth)):
        code = program("check", wrapper.file, *new).returncode
        totals.update(broken=1, noticed=code == 3)
        report += f"  new pages: exit {code}{'' if code == 3 else ' MISSED'}\n"
    return report


def swap(program, kind, maker, args, folder, totals):
    """Two fields change places on the pages of one design."""
    wrapper = Wrapper(program, kind, maker, args.seed, folder)
    pair = wrapper.family.twins
    if not all(field in wrapper.fields for field in pair):
        return "  the two fields are not known\n"
    r = random.Random(f"swap {args.seed} {kind.name}")
    known = wrapper.old[:5]
    fresh = draw(kind, args.seed, "new", 2 * len(known) if wrapper.family.single else len(known))
    if not args.new:
        fresh = recurring(r, known, fresh)
    write(kind, args.seed, folder / "new", exchanged(fresh, pair))
    code = program("check", wrapper.file, *sorted((folder / "new").iterdir())).returncode
    totals.update(swaps=1, swaps_noticed=code == 3)
    return f"  {pair}: exit {code}{'' if code == 3 else ' MISSED'}\n"


def redesign_part(program, kinds, args, folder):
    by_family = collections.defaultdict(list)
    for kind in DESIGNS.values():
        if half(kind.family) in args.sides:
            by_family[kind.family].append(kind)
    for maker in ("infer", "learn"):
        totals = collections.Counter()
        for old in kinds:
            others = by_family[old.family]
            new = others[(others.index(old) + 1) % len(others)]
            place = folder / f"{old.name}-to-{new.name}-{maker}"
            report_on(program, place, args, redesign(program, old, new, maker, args, place, totals))
        n, gave = max(1, totals["fields"]), max(1, totals["gave"])
        print(f"{maker}: redesigns {len(kinds)}, no wrapper {totals['no wrapper']}; noticed {totals['noticed']} of {totals['broken']}; false alarms {totals['false_alarms']} of {totals['unchanged']}; "
              f"refused {totals['refused']}; fields {n}: recall {totals['recall'] / n:.3f}, precision {totals['precision'] / gave:.3f} of those that give something; "
              f"written {totals['written']}, wrong {totals['written_wrong']}; told sure {totals['sure_all']}, wrong {totals['sure_wrong']}")


def swap_part(program, kinds, args, folder):
    for maker in ("infer", "learn"):
        totals = collections.Counter()
        for kind in kinds:
            if FAMILIES[kind.family].twins:
                place = folder / f"{kind.name}-exchanged-{maker}"
                report_on(program, place, args, swap(program, kind, maker, args, place, totals))
        print(f"{maker}: exchanged fields noticed {totals['swaps_noticed']} of {totals['swaps']}")


def report_on(program, place, args, report):
    finish(program, place, report)
    if args.show is not None:
        print(f"{place.name}\n{report}", end="")


PARTS = {"infer": infer_part, "redesign": redesign_part, "exchanged": swap_part}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--split", choices=SIDES, help="only the families of this side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only designs whose name or family contains this")
    parser.add_argument("--part", choices=PARTS, action="append", help="may be given several times; all by default")
    parser.add_argument("--new", action="store_true", help="no record recurs after a redesign")
    parser.add_argument("--show", type=int, metavar="N", help="what is wrong with each design, with N samples")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="write pages, truth and what came out to this directory")
    args = parser.parse_args()
    args.sides = (args.split,) if args.split else SIDES
    kinds = [kind for kind in DESIGNS.values() if half(kind.family) in args.sides and (args.only in kind.name or args.only in kind.family)]
    if not kinds:
        parser.error("no design has such a name")
    folder = args.keep or pathlib.Path(tempfile.mkdtemp(prefix="designs-"))
    program = Program(args.binary)
    print(f"{len(kinds)} designs of {len({kind.family for kind in kinds})} families, seed {args.seed}", flush=True)
    for part in args.part or PARTS:
        start = time.monotonic()
        PARTS[part](program, kinds, args, folder / part)
        print(f"{part}: {time.monotonic() - start:.0f} s", flush=True)
    if not args.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
