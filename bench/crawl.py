#!/usr/bin/env python3
"""Crawls a generated citation site: how memory goes over a long run, and how fast it is next to Scrapy.

    python3 bench/crawl.py memory                  # 106,080 pages, 5 million papers; writes bench/out/memory.svg
    python3 bench/crawl.py memory --branching 15   # a trial of 3,616 pages
    python3 bench/crawl.py speed                   # 2,257 pages at 1, 8 and 16 jobs, about ten minutes
    python3 bench/crawl.py all --record            # both, and writes bench/record/DATE-crawl.md

The site is served by `wrapwright-bench citations`, a process of its own; the crawl is bench/crawl.oxp. Scrapy is installed
into a virtual environment under target/ when it is not there. Linux only: memory and time are read from /proc.

How it is kept fair:

- Memory is what the system says of the process (resident set), looked at ten times a second from outside. Records are
  counted as they come through a pipe, pages by the server; so nothing is believed that the run says of itself. The peak of
  the first tenth of the time is compared with that of the last.
- Both crawl the same pages of the same server on the same machine, by turns, and the best of three rounds counts. Both
  write a line of JSON for each paper to a file, and the papers, each with its page and four values, must be the same.
- Both have the same number of requests under way. Cookies, retries, redirects, the filter of duplicates and statistics are
  on in ours and off in Scrapy; robots.txt and delays are off in both.
- The time to start, measured by a crawl of one page, is taken off both, because Scrapy's is long and a long crawl would
  not show it.
- The server is not what is measured: the table has the processor time that it took, and what it sends when the client does
  nothing but count bytes.
"""

import argparse
import contextlib
import datetime
import fcntl
import hashlib
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPRESSION = ROOT / "bench" / "crawl.oxp"
SPIDER = ROOT / "bench" / "scrapy_citations.py"
SCRAPY = ROOT / "target" / "scrapy"
OUT = ROOT / "bench" / "out"
VALUES = ("title", "authors", "venue", "year")
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
MB = 1 << 20


class Report:
    """What is printed, kept for the record."""

    def __init__(self):
        self.lines = []

    def __call__(self, line=""):
        print(line, flush=True)
        self.lines.append(line)


def pages_within(branching, depth):
    return sum(branching**level for level in range(depth + 1))


def build():
    """The release builds of the crawler and of what serves the site."""
    words = ["cargo", "build", "--release", "--quiet", "--package", "wrapwright-cli", "--package", "wrapwright-bench",
             "--message-format=json"]
    done = subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("wrapwright does not build")
    messages = map(json.loads, done.stdout.splitlines())
    programs = {pathlib.Path(message["executable"]).name: message["executable"]
                for message in messages if message.get("executable")}
    return programs["wrapwright"], programs["wrapwright-bench"]


def scrapy():
    """A Python that has Scrapy."""
    python = SCRAPY / "bin" / "python"
    if not python.exists():
        print("installing Scrapy into %s" % SCRAPY.relative_to(ROOT), file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", SCRAPY], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "scrapy"], check=True)
    return python


class Server:
    """The site, in a process of its own."""

    def __init__(self, program, branching):
        words = [program, "citations", "--port", "0", "--branching", str(branching)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            sys.exit("the site cannot be served")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def count(self):
        """Pages sent."""
        with urllib.request.urlopen(self.url + "count") as answer:
            return int(answer.read())

    def often(self):
        """Pages that were sent more often than the others."""
        with urllib.request.urlopen(self.url + "often") as answer:
            return answer.read().decode().strip() or "no page more often than the others"

    def seconds(self):
        """Processor time taken."""
        words = pathlib.Path("/proc/%d/stat" % self.process.pid).read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / TICK


def command(wrapwright, site, depth, jobs):
    return [wrapwright, "run", str(EXPRESSION), "--bind", "site=" + site, "--bind", "depth=%d" % depth,
            "--jobs", str(jobs), "--ignore-robots", "--quiet"]


# Memory.


class Sampler(threading.Thread):
    """Looks at a process and its server ten times a second."""

    def __init__(self, pid, server, counted):
        super().__init__(daemon=True)
        self.statm = "/proc/%d/statm" % pid
        self.server = server
        self.counted = counted
        self.begin = time.monotonic()
        self.over = threading.Event()
        # Seconds, bytes, pages, records.
        self.samples = []

    def run(self):
        while not self.over.wait(0.1):
            try:
                size = int(pathlib.Path(self.statm).read_text().split()[1]) * PAGE
                pages = self.server.count()
            except (OSError, ValueError):
                continue
            # A process that has ended but was not waited for has no memory.
            if size:
                self.samples.append((time.monotonic() - self.begin, size, pages, self.counted["records"]))


def count_records(pipe, counted):
    """Counts records and values as they come, whole lines at a time."""
    with contextlib.suppress(OSError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, MB)
    keys = [b'"%s":"' % key.encode() for key in VALUES]
    rest = b""
    while piece := os.read(pipe, MB):
        lines, end, last = piece.rpartition(b"\n")
        if not end:
            rest += piece
            continue
        lines = rest + lines + end
        rest = last
        counted["records"] += lines.count(b"\n")
        counted["values"] += sum(map(lines.count, keys))
    if rest:
        sys.exit("the output ends in the middle of a line")


def measure_memory(report, programs, branching, jobs):
    wrapwright, bench = programs
    counted = {"records": 0, "values": 0}
    with Server(bench, branching) as server:
        begin = time.monotonic()
        process = subprocess.Popen(command(wrapwright, server.url, 3, jobs), stdout=subprocess.PIPE)
        sampler = Sampler(process.pid, server, counted)
        sampler.start()
        try:
            count_records(process.stdout.fileno(), counted)
        finally:
            process.stdout.close()
            _, status, used = os.wait4(process.pid, 0)
            seconds = time.monotonic() - begin
            sampler.over.set()
            sampler.join()
        if status != 0:
            sys.exit("the run failed")
        pages = server.count()
        server_seconds = server.seconds()
    samples = sampler.samples
    if len(samples) < 20:
        sys.exit("the run was too short to say anything; let it branch more")
    expected = pages_within(branching, 3)
    if (pages, counted["records"]) != (expected, expected * branching):
        sys.exit("expected %d pages and %d records, counted %d and %d"
                 % (expected, expected * branching, pages, counted["records"]))
    first = max(size for at, size, _, _ in samples if at <= seconds / 10)
    last = max(size for at, size, _, _ in samples if at >= seconds * 9 / 10)
    report("## Memory: depth 3, branching %d, %d jobs" % (branching, jobs))
    report()
    report("| pages | records | values | seconds | pages per second | peak memory, first tenth | last tenth "
           "| ratio (at most 1.1) |")
    report("|--:|--:|--:|--:|--:|--:|--:|--:|")
    report("| {:,} | {:,} | {:,} | {:.1f} | {:,.0f} | {:.1f} MB | {:.1f} MB | {:.3f} |".format(
        pages, counted["records"], counted["values"], seconds, pages / seconds, first / MB, last / MB, last / first))
    report()
    report("Most at any time: %.1f MB. Processor time: %.1f s ours, %.1f s the server's."
           % (max(size for _, size, _, _ in samples) / MB, used.ru_utime + used.ru_stime, server_seconds))
    report()
    OUT.mkdir(exist_ok=True)
    target = OUT / "memory.svg"
    title = "{:,} pages, {:,} records, {} jobs".format(pages, counted["records"], jobs)
    target.write_text(plot(samples, seconds, title))
    print("plotted in", target.relative_to(ROOT), file=sys.stderr)


def nice(most, steps=5):
    """Round numbers from 0 to at least `most`."""
    raw = most / steps
    magnitude = 10 ** math.floor(math.log10(raw)) if raw > 0 else 1
    step = next(factor * magnitude for factor in (1, 2, 2.5, 5, 10) if factor * magnitude >= raw)
    count = max(1, math.ceil(most / step - 1e-9))
    return [step * at for at in range(count + 1)]


def short(number):
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return "%g %s" % (number / size, unit)
    return "%g" % number


class Panel:
    """A part of the plot: one axis of time, and a scale at the left and maybe one at the right."""

    LEFT, WIDTH = 80, 740

    def __init__(self, top, height, seconds):
        self.top, self.height = top, height
        self.times = nice(seconds, 10)
        self.parts = []

    def x(self, at):
        return self.LEFT + self.WIDTH * at / self.times[-1]

    def y(self, share):
        return self.top + self.height * (1 - share)

    def text(self, x, y, text, anchor="middle", more=""):
        self.parts.append('<text x="%.1f" y="%.1f" text-anchor="%s" %s>%s</text>' % (x, y, anchor, more, text))

    def line(self, x1, y1, x2, y2, color):
        self.parts.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>' % (x1, y1, x2, y2, color))

    def frame(self, ticks):
        """Lines behind the curves."""
        right = self.LEFT + self.WIDTH
        for tick in ticks[1:]:
            y = self.y(tick / ticks[-1])
            self.line(self.LEFT, y, right, y, "#e4e4e4")
        for at in self.times:
            self.line(self.x(at), self.top, self.x(at), self.top + self.height, "#f0f0f0")
            self.text(self.x(at), self.top + self.height + 18, "%g" % at)
        self.line(self.LEFT, self.y(0), right, self.y(0), "#666")

    def scale(self, ticks, name, color, write, right=False):
        x = self.LEFT + (self.WIDTH + 10 if right else -10)
        for tick in ticks:
            self.text(x, self.y(tick / ticks[-1]) + 4, write(tick), "start" if right else "end", 'fill="%s"' % color)
        edge, middle = self.LEFT + (self.WIDTH + 68 if right else -62), self.top + self.height / 2
        turn = 'transform="rotate(%d %.1f %.1f)" fill="%s"' % (90 if right else -90, edge, middle, color)
        self.text(edge, middle, name, "middle", turn)

    def curve(self, points, most, color, more=""):
        path = " ".join("%.1f,%.1f" % (self.x(at), self.y(value / most)) for at, value in points)
        self.parts.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="1.8" %s/>' % (path, color, more))

    def legend(self, entries):
        x = self.LEFT + 14
        for name, color, more in entries:
            y = self.top + 18
            self.parts.append('<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="2.4" %s/>'
                              % (x, y - 4, x + 26, y - 4, color, more))
            self.text(x + 33, y, name, "start")
            x += 60 + 7 * len(name)


def thin(points, most=1500):
    """Of each stretch of time the point with the largest value, so that no peak is lost."""
    size = max(1, math.ceil(len(points) / most))
    return [max(points[at:at + size], key=lambda point: point[1]) for at in range(0, len(points), size)]


def plot(samples, seconds, title):
    """Memory, pages and records over time, as SVG."""
    memory = [(at, size / MB) for at, size, _, _ in samples]
    pages = [(at, count) for at, _, count, _ in samples]
    records = [(at, count) for at, _, _, count in samples]
    blue, green, orange = "#1f5fa8", "#2a7d3f", "#c65a11"
    upper = Panel(64, 190, seconds)
    ticks = nice(1.25 * max(size for _, size in memory), 4)
    upper.frame(ticks)
    upper.scale(ticks, "memory, MB", blue, lambda tick: "%g" % tick)
    upper.curve(thin(memory), ticks[-1], blue)
    upper.legend([("resident memory of wrapwright run", blue, "")])
    lower = Panel(300, 190, seconds)
    page_ticks = nice(pages[-1][1])
    # The same number of steps on both sides, so that one set of lines serves both.
    step = nice(records[-1][1], len(page_ticks) - 1)[1]
    record_ticks = [step * at for at in range(len(page_ticks))]
    lower.frame(page_ticks)
    lower.scale(page_ticks, "pages", green, short)
    lower.scale(record_ticks, "records", orange, short, right=True)
    dashed = 'stroke-dasharray="7 5"'
    lower.curve(thin(pages), page_ticks[-1], green)
    lower.curve(thin(records), record_ticks[-1], orange, dashed)
    lower.legend([("pages sent by the server (left)", green, ""), ("records received (right)", orange, dashed)])
    lower.text(lower.LEFT + lower.WIDTH / 2, lower.top + lower.height + 42, "seconds")
    lower.text(lower.LEFT, 30, "Crawling citations to depth 3: " + title, "start", 'font-size="17" fill="#111"')
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 550" width="920" height="550" '
            'font-family="system-ui, sans-serif" font-size="13" fill="#333">\n'
            '<rect width="920" height="550" fill="#fff"/>\n%s\n</svg>\n' % "\n".join(upper.parts + lower.parts))


# Speed.


class Run:
    """One crawl: how long it took, and what it cost."""

    def __init__(self, words, server, output=None):
        before = server.count(), server.seconds()
        with contextlib.ExitStack() as stack:
            out = stack.enter_context(open(output, "wb")) if output else subprocess.DEVNULL
            begin = time.perf_counter()
            process = subprocess.Popen([str(word) for word in words], stdout=out)
            _, status, used = os.wait4(process.pid, 0)
            self.seconds = time.perf_counter() - begin
        if status != 0:
            sys.exit("%s failed" % words[0])
        self.client = used.ru_utime + used.ru_stime
        self.pages = server.count() - before[0]
        self.server = server.seconds() - before[1]


def papers(file, page):
    """A fingerprint of the papers in a file of JSON lines, whatever their order, and their number."""
    found = []
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            paper = json.loads(line)
            found.append("\t".join([paper[page], *(paper[key] for key in VALUES)]))
    found.sort()
    return len(found), hashlib.sha256("\n".join(found).encode()).hexdigest()


def measure_speed(report, programs, branching, rounds, concurrencies):
    wrapwright, bench = programs
    python = scrapy()
    depth = 2
    expected = pages_within(branching, depth)
    with Server(bench, branching) as server, tempfile.TemporaryDirectory() as directory:
        mine, theirs = pathlib.Path(directory, "ours.jsonl"), pathlib.Path(directory, "scrapy.jsonl")

        def ours(jobs, deep):
            return Run(command(wrapwright, server.url, deep, jobs), server, mine)

        def spider(concurrency, deep):
            return Run([python, SPIDER, server.url, deep, concurrency, theirs], server)

        # Once for nothing, so that files are in memory and Python has compiled its own.
        starts = {"ours": math.inf, "Scrapy": math.inf}
        for turn in range(rounds + 1):
            for name, crawl in (("ours", ours), ("Scrapy", spider)):
                took = crawl(8, 0).seconds
                if turn:
                    starts[name] = min(starts[name], took)
        best, same = {}, True
        for turn in range(rounds):
            for concurrency in concurrencies:
                for name, crawl in (("ours", ours), ("Scrapy", spider)):
                    run = crawl(concurrency, depth)
                    print("round %d, %s, %d at once: %.2f s" % (turn + 1, name, concurrency, run.seconds),
                          file=sys.stderr)
                    if run.pages != expected:
                        sys.exit("%s fetched %d pages, expected %d: %s" % (name, run.pages, expected, server.often()))
                    known = best.get((name, concurrency))
                    if not known or run.seconds < known.seconds:
                        best[name, concurrency] = run
                if turn == 0:
                    found = papers(mine, "_page"), papers(theirs, "page")
                    if found[0] != found[1] or found[0][0] != expected * branching:
                        same = False
        capacity = {}
        for concurrency in concurrencies:
            words = [bench, "load", server.url, str(concurrency), "--branching", str(branching)]
            done = subprocess.run(words, stdout=subprocess.PIPE, check=True)
            answer = json.loads(done.stdout)
            capacity[concurrency] = answer["pages"] / answer["seconds"]
            size = answer["bytes"] / answer["pages"]
    report("## Speed: depth %d, %s pages of %.1f KB, %s papers" % (
        depth, format(expected, ","), size / 1000, format(expected * branching, ",")))
    report()
    report("Time to start, for a crawl of one page: ours %.3f s, Scrapy %.3f s. It is taken off below. %s" % (
        starts["ours"], starts["Scrapy"],
        "Both found the same papers." if same else "**THE PAPERS DIFFER.**"))
    report()
    report("| at once | | seconds | pages per second | ours is (at least 5 ×) | processor time, client | and server "
           "| server busy | the server alone, pages per second |")
    report("|--:|---|--:|--:|--:|--:|--:|--:|--:|")
    for concurrency in concurrencies:
        rates = {name: expected / max(best[name, concurrency].seconds - starts[name], 1e-3) for name in starts}
        for name in starts:
            run = best[name, concurrency]
            ours_is = "%.1f ×" % (rates["ours"] / rates["Scrapy"]) if name == "ours" else ""
            alone = format(capacity[concurrency], ",.0f") if name == "ours" else ""
            report("| %d | %s | %.2f | %s | %s | %.2f s | %.2f s | %.0f %% | %s |" % (
                concurrency, name, run.seconds, format(rates[name], ",.0f"), ours_is, run.client, run.server,
                100 * run.server / run.seconds, alone))
    report()
    report("*Server busy* is its processor time in hundredths of one processor's; *the server alone* is what it sends to a "
           "client on so many connections that only counts bytes. Where the second is well above our pages per second, "
           "the server held nobody up.")
    report()


def about_the_machine():
    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    versions = ["%d processors" % os.cpu_count(), "Linux " + platform.release()]
    python = SCRAPY / "bin" / "python"
    if python.exists():
        code = ("import platform, lxml, parsel, scrapy, twisted; print('Python %s, Scrapy %s, Twisted %s, parsel %s, lxml %s'"
                " % (platform.python_version(), scrapy.__version__, twisted.__version__, parsel.__version__, lxml.__version__))")
        versions.append(subprocess.run([python, "-c", code], stdout=subprocess.PIPE, text=True).stdout.strip())
    return "%s, %s" % (model, ", ".join(versions))


def main():
    arguments = argparse.ArgumentParser(description="Crawls a generated citation site.")
    arguments.add_argument("what", choices=("memory", "speed", "all"))
    arguments.add_argument("--branching", type=int, default=47, metavar="N", help="papers on a page (default 47)")
    arguments.add_argument("--jobs", type=int, default=8, metavar="N", help="pages at once, for memory (default 8)")
    arguments.add_argument("--rounds", type=int, default=3, metavar="N", help="of which the best counts, for speed (default 3)")
    arguments.add_argument("--concurrency", default="1,8,16", metavar="N,…", help="pages at once, for speed (default 1,8,16)")
    arguments.add_argument("--record", action="store_true", help="also write bench/record/DATE-crawl.md")
    arguments.add_argument("--programs", metavar="DIR", help="where wrapwright and wrapwright-bench are (default: build them)")
    options = arguments.parse_args()

    programs = build() if not options.programs else tuple(
        str(pathlib.Path(options.programs, name).resolve()) for name in ("wrapwright", "wrapwright-bench"))
    if options.what != "memory":
        scrapy()
    report = Report()
    date = datetime.date.today().isoformat()
    report("# Crawling, %s" % date)
    report()
    report(about_the_machine())
    report()
    if os.getloadavg()[0] > 1.0:
        report("**The machine was busy with other work (load %.1f): do not trust these numbers.**" % os.getloadavg()[0])
        report()
    if options.what != "speed":
        measure_memory(report, programs, options.branching, options.jobs)
    if options.what != "memory":
        concurrencies = [int(number) for number in options.concurrency.split(",")]
        measure_speed(report, programs, options.branching, options.rounds, concurrencies)
    if options.record:
        target = ROOT / "bench" / "record" / (date + "-crawl.md")
        target.write_text("\n".join(report.lines).rstrip() + "\n")
        print("written to", target.relative_to(ROOT), file=sys.stderr)


main()
