#!/usr/bin/env python3
"""Measures parsing and XPath against peers, all in one run on one machine, and prints the ratios to the fastest.

    cargo xtask pages                     # once: unpacks the sample of real pages
    python3 bench/compare.py              # everything, about five minutes
    python3 bench/compare.py --pages 1    # one page per site instead of five
    python3 bench/compare.py --record     # also writes bench/record/DATE-xpath-parse.md

Peers: lxml (libxml2), turbohtml, selectolax (lexbor) and parsel from Python; html5ever and scraper from Rust. A peer
that is not installed is named and left out. Absolute numbers depend on the machine; only ratios of one run are worth keeping.

How it is kept fair:

- Parsing is bytes to tree for everybody, trees dropped inside the measured time; rounds of all engines alternate and the
  best round of each counts. html5ever is given a sink that builds nothing, so it is charged for less than a tree, and
  is not named as the fastest. turbohtml is asked not to record positions, its fastest setting.
- XPath runs on the same tree everywhere: the page as we parsed it, which lxml and turbohtml read from our XML dump. Both
  are asked for `count(…)` of a compiled expression, so no Python object is made; we make the whole list of nodes. Where
  counts differ the table says so. parsel makes Python objects, which is what its users pay; its column is there for
  information, and it is not named as the fastest.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ROOT / "target" / "pages" / "swde"

QUERIES = [
    ("a", "//a[@href]"),
    ("b", "//div[contains(concat(' ',normalize-space(@class),' '),' item ')]//a/text()"),
    ("c", "//tr[td[2]]/td[1]//text()"),
    ("d", "//*[contains(., 'Price')]"),
    ("e", "//table//tr[position()>1][td]/td[last()]"),
    ("f", "//td/following::a[1]"),
    ("g", "//a/ancestor::div[1]/descendant::text()"),
    ("h", "//*[preceding::td and following::td]"),
]


def nested(level):
    """`//b[count(parent::*/b[…])>0]`, predicates nested so deep."""
    inner = ""
    for _ in range(level):
        inner = "[count(parent::*/b%s)>0]" % inner
    return "//b" + inner


# Queries that grow: a name, how to write level n, and the levels.
FAMILIES = [
    ("i", "/descendant-or-self::*[self::*]  × n", lambda n: "/descendant-or-self::*[self::*]" * n, range(1, 9)),
    ("j", "//b/parent::*/b…  × n", lambda n: "//b" + "/parent::*/b" * n, (1, 2, 5, 10, 20)),
    ("k", "//b[count(parent::*/b[…])>0]  nested n", nested, range(1, 9)),
]

# One evaluation that takes longer than this ends the asking of that peer for that query.
CAP = 2.0


class Report:
    """What is printed, kept for the record."""

    def __init__(self):
        self.lines = []

    def __call__(self, line=""):
        print(line, flush=True)
        self.lines.append(line)


def optional(name):
    try:
        return __import__(name, fromlist=["_"])
    except ImportError:
        return None


def ours(program, *words, stdin=""):
    done = subprocess.run([program, *map(str, words)], input=stdin, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s %s failed: %s" % (program, words[0], done.stderr.strip()))
    return done.stdout


def best(work, rounds=5, budget=0.2):
    """The best of a few rounds after one that does not count, and the value; one slow round is enough."""
    start = time.perf_counter()
    value = work()
    least = time.perf_counter() - start
    begin = time.perf_counter()
    for done in range(rounds):
        if least > budget or (done >= 3 and time.perf_counter() - begin > budget):
            break
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    return least, value


def ratio(theirs, mine):
    return "%.1f ×" % (theirs / mine) if mine > 0 else "-"


def geometric_mean(values):
    return math.exp(sum(math.log(max(value, 1e-9)) for value in values) / len(values))


def sample(per_site):
    """So many pages of every site, the same ones each time."""
    if not PAGES.is_dir():
        sys.exit("the sample of real pages is not unpacked; run: cargo xtask pages")
    files = []
    for site in sorted(path for path in PAGES.iterdir() if path.is_dir() and not path.name.startswith(".")):
        files += sorted(site.glob("*.htm*"))[:per_site]
    return files


def measure_parsing(report, program, files, peers):
    sources = [path.read_bytes() for path in files]
    size = sum(map(len, sources))
    engines = {name: lambda name=name: json.loads(ours(program, "parse", name, *files))["seconds"]
               for name in ("ours", "html5ever", "scraper")}

    def timed(parse):
        def run():
            start = time.perf_counter()
            for source in sources:
                parse(source)
            return time.perf_counter() - start
        return run

    if etree := peers["lxml.etree"]:
        engines["lxml"] = timed(lambda source: etree.fromstring(source, etree.HTMLParser(huge_tree=True)))
    if lexbor := peers["selectolax.lexbor"]:
        engines["selectolax (lexbor)"] = timed(lexbor.LexborHTMLParser)
    if turbohtml := peers["turbohtml"]:
        engines["turbohtml"] = timed(lambda source: turbohtml.parse(source, positions=False))
    seconds = dict.fromkeys(engines, math.inf)
    for _ in range(3):
        for name, run in engines.items():
            seconds[name] = min(seconds[name], run())
    report("## Parsing: %d pages, %.1f MB" % (len(files), size / 1e6))
    report()
    report("| engine | MB/s | ours is |")
    report("|---|--:|--:|")
    notes = {"html5ever": "html5ever (no tree built)", "scraper": "scraper (html5ever)", "lxml": "lxml (libxml2)"}
    for name, took in seconds.items():
        faster = "" if name == "ours" else ratio(took, seconds["ours"])
        report("| %s | %.0f | %s |" % (notes.get(name, name), size / took / 1e6, faster))
    # html5ever builds no tree here, so it is no parser that one could use instead.
    rivals = {name: took for name, took in seconds.items() if name not in ("ours", "html5ever")}
    fastest = min(rivals, key=rivals.get)
    report()
    report("The fastest peer is %s: %.0f MB/s, ours is %s as fast." % (
        notes.get(fastest, fastest), size / rivals[fastest] / 1e6, ratio(rivals[fastest], seconds["ours"])))
    heap = json.loads(ours(program, "parse", "ours", *files))
    report()
    report("Our tree takes %.2f bytes per source byte in the mean, %.2f at worst."
           % (heap["heap_mean"], heap["heap_worst"]))
    report()


class Peer:
    """An XPath engine of Python on dumps of our trees: how it compiles an expression, and the trees."""

    def __init__(self, compiled, roots):
        self.compiled = compiled
        self.roots = roots

    def __call__(self, query, cap=CAP):
        """Seconds and counts per page; shorter than the pages if one page took longer than the cap."""
        evaluate = self.compiled("count(" + query + ")")
        seconds, counts = [], []
        for root in self.roots:
            took, count = best(lambda: evaluate(root))
            seconds.append(took)
            counts.append(int(count))
            if took > cap:
                break
        return seconds, counts


def xpath_peers(peers, dumps):
    """The peers that evaluate XPath without making objects, by name."""
    found = {}
    if etree := peers["lxml.etree"]:
        parser = etree.XMLParser(huge_tree=True)
        found["lxml"] = Peer(etree.XPath, [etree.fromstring(dump.encode(), parser) for dump in dumps])
    if turbohtml := peers["turbohtml"]:
        found["turbohtml"] = Peer(turbohtml.XPath, [turbohtml.parse_xml(dump) for dump in dumps])
    return found


def dumps_of(program, files):
    return [json.loads(line) for line in ours(program, "dump", *files).splitlines()]


def ask_ours(program, files, queries):
    answers = json.loads(ours(program, "xpath", *files, stdin="\n".join(queries) + "\n"))
    return [(answer["seconds"], answer["counts"]) for answer in answers]


def measure_queries(report, program, files, peers):
    dumps = dumps_of(program, files)
    engines = xpath_peers(peers, dumps)
    parsel = peers["parsel"]
    selectors = [parsel.Selector(text=dump.split("\n", 1)[1], type="xml", huge_tree=True)
                 for dump in dumps[::5]] if parsel else []
    report("## XPath: time per page, %d pages" % len(files))
    report()
    names = list(engines)
    report("| | query | nodes | ours, µs | %sfastest peer / ours | parsel / ours (makes objects) |"
           % "".join("%s, µs | " % name for name in names))
    report("|---|---|--:|--:|%s--:|--:|" % ("--:|" * len(names)))
    rows = [(name, query) for name, query in QUERIES]
    # Of the growing ones a small member each; the table of levels below has the others.
    rows += [(name, write(2)) for name, _, write, _ in FAMILIES]
    ratios = {name: [] for name in names}
    least = []
    for (name, query), (seconds, counts) in zip(rows, ask_ours(program, files, [query for _, query in rows])):
        mine = sum(seconds) / len(seconds)
        cells = []
        for peer, ask in engines.items():
            their_seconds, their_counts = ask(query)
            asked = len(their_seconds)
            ratios[peer].append(sum(their_seconds) / sum(seconds[:asked]))
            cells.append("%.0f" % (1e6 * sum(their_seconds) / asked))
            if asked < len(files):
                cells[-1] += " (first %d pages: capped)" % asked
            if their_counts != counts[:asked]:
                cells[-1] += " COUNTS DIFFER"
        if engines:
            fastest = min(names, key=lambda peer: ratios[peer][-1])
            least.append(ratios[fastest][-1])
            cells.append("%s: %.1f ×" % (fastest, least[-1]))
        else:
            cells.append("")
        if selectors:
            theirs = sum(best(lambda: selector.xpath(query), rounds=3)[0] for selector in selectors)
            cells.append(ratio(theirs, sum(seconds[::5])))
        else:
            cells.append("")
        report("| %s | `%s` | %d | %.1f | %s |" % (name, query, sum(counts), 1e6 * mine, " | ".join(cells)))
    report()
    for peer in names:
        report("%s takes %.1f times as long in the geometric mean, %.1f at least."
               % (peer, geometric_mean(ratios[peer]), min(ratios[peer])))
    if len(names) > 1:
        report("The fastest peer of each row takes %.1f times as long in the geometric mean, %.1f at least."
               % (geometric_mean(least), min(least)))
    report()


def page_with(files, tag):
    """Of a few pages the one with the most of a tag, so that queries about it have something to do."""
    return max(files, key=lambda path: path.read_bytes().lower().count(tag) if path.stat().st_size < 200_000 else 0)


def measure_levels(report, program, files, peers):
    """Queries that repeat or nest a part: the time must grow with the expression, not with a power of it."""
    path = page_with(files, b"<b>")
    engines = xpath_peers(peers, dumps_of(program, [path]))
    report("## Growth with the expression: %s, µs per evaluation" % path.relative_to(PAGES))
    report()
    for name, text, write, levels in FAMILIES:
        report("%s: `%s`" % (name, text))
        report()
        report("| n | " + " | ".join(map(str, levels)) + " |")
        report("|---|" + "--:|" * len(levels))
        answers = ask_ours(program, [path], [write(level) for level in levels])
        report("| ours | " + " | ".join("%.1f" % (1e6 * seconds[0]) for seconds, _ in answers) + " |")
        for peer, ask in engines.items():
            cells = []
            for (_, counts), level in zip(answers, levels):
                their_seconds, their_counts = ask(write(level))
                cells.append("%.0f" % (1e6 * their_seconds[0]))
                if their_counts != counts:
                    cells[-1] += " COUNTS DIFFER"
                if their_seconds[0] > CAP / 10:
                    # The next level may take a hundred times as long.
                    cells += ["not asked"] + ["-"] * len(levels)
                    break
            report("| %s | " % peer + " | ".join(cells[: len(levels)]) + " |")
        report()


def measure_growth(report, program, files, peers):
    """The same page with its body's content ten times: near linear is a factor of ten."""
    path = page_with(files, b"<td")
    rows = list(QUERIES) + [(name + ", n = %d" % levels[1], write(levels[1])) for name, _, write, levels in FAMILIES]
    with tempfile.TemporaryDirectory() as directory:
        both = []
        for times in (1, 10):
            both.append(pathlib.Path(directory, "%d.html" % times))
            both[-1].write_text(json.loads(ours(program, "repeat", times, path)), "utf-8")
        answers = ask_ours(program, both, [query for _, query in rows])
        engines = xpath_peers(peers, dumps_of(program, both))
    report("## Growth with the page: body of %s once and ten times" % path.relative_to(PAGES))
    report()
    report("| | ours, µs | ours × 10, µs | factor |" + "".join(" %s's factor |" % name for name in engines))
    report("|---|--:|--:|--:|" + "--:|" * len(engines))
    factors = []
    for (name, query), (seconds, counts) in zip(rows, answers):
        factors.append(seconds[1] / seconds[0])
        cells = ["%.1f" % (1e6 * seconds[0]), "%.1f" % (1e6 * seconds[1]), "%.1f" % factors[-1]]
        for ask in engines.values():
            # A quadratic query takes a hundred times as long on the long page.
            their_seconds, their_counts = ask(query, cap=CAP / 20)
            asked = len(their_counts) == 2
            cells.append("%.1f" % (their_seconds[1] / their_seconds[0]) if asked else "too slow to ask")
            if their_counts != counts[: len(their_counts)]:
                cells[-1] += " COUNTS DIFFER"
        report("| %s | %s |" % (name, " | ".join(cells)))
    report()
    report("Our largest factor is %.1f." % max(factors))
    report()


def about_the_machine(peers):
    model = platform.processor() or platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    versions = ["Python " + platform.python_version()]
    if etree := peers["lxml.etree"]:
        versions.append("lxml %s with libxml2 %s" % (etree.__version__, ".".join(map(str, etree.LIBXML_VERSION))))
    for name in ("turbohtml", "selectolax", "parsel"):
        module = optional(name)
        if module:
            versions.append("%s %s" % (name, getattr(module, "__version__", "")))
    lock = (ROOT / "Cargo.lock").read_text().split("[[package]]")
    for name in ("html5ever", "scraper"):
        found = [part for part in lock if '\nname = "%s"\n' % name in part]
        versions += ["%s %s" % (name, part.split('version = "', 1)[1].split('"', 1)[0]) for part in found]
    return "%s, %s" % (model, ", ".join(versions))


def main():
    arguments = argparse.ArgumentParser(description="Compares parsing and XPath with peers.")
    arguments.add_argument("--pages", type=int, default=5, metavar="N", help="pages of each site (default 5)")
    arguments.add_argument("--record", action="store_true", help="also write bench/record/DATE-xpath-parse.md")
    arguments.add_argument("--program", help="a built wrapwright-bench (default: build it)")
    options = arguments.parse_args()

    peers = {name: optional(name) for name in ("lxml.etree", "turbohtml", "selectolax.lexbor", "parsel")}
    for name, module in peers.items():
        if module is None:
            package = name.split(".")[0]
            print("%s is not installed and left out; get it with: pip install %s" % (package, package), file=sys.stderr)
    files = sample(options.pages)
    program = options.program
    if not program:
        build = ["cargo", "build", "--release", "--quiet", "--package", "wrapwright-bench", "--bin", "wrapwright-bench", "--message-format=json"]
        done = subprocess.run(build, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit("wrapwright-bench does not build")
        messages = map(json.loads, done.stdout.splitlines())
        program = [message["executable"] for message in messages if message.get("executable")][-1]

    report = Report()
    date = datetime.date.today().isoformat()
    report("# Parsing and XPath against peers, %s" % date)
    report()
    report(about_the_machine(peers))
    report()
    if hasattr(os, "getloadavg") and os.getloadavg()[0] > 1.0:
        report("**The machine was busy with other work (load %.1f): do not trust these numbers.**" % os.getloadavg()[0])
        report()
    measure_parsing(report, program, files, peers)
    measure_queries(report, program, files, peers)
    measure_levels(report, program, files, peers)
    measure_growth(report, program, files, peers)
    if options.record:
        target = ROOT / "bench" / "record" / (date + "-xpath-parse.md")
        target.parent.mkdir(exist_ok=True)
        target.write_text("\n".join(report.lines).rstrip() + "\n")
        print("written to", target.relative_to(ROOT), file=sys.stderr)


main()
