#!/usr/bin/env python3
"""What it costs to keep a run in a directory.

    python3 bench/runs.py overhead        # 2,257 pages with and without --run, by turns; the best and the median of each
    python3 bench/runs.py overhead --pages 20000   # the same with more pages, where what is paid once counts for less
    python3 bench/runs.py memory          # 100,000 pages with --run: memory at the beginning and at the end, and again replayed
    python3 bench/runs.py million         # a run that knows a million requests: the time and the memory until it goes on

Needs `cargo build --release -p wrapwright-cli -p wrapwright-bench`. The site is that of bench/crawl.py, served by a process of
its own; the crawl is bench/crawl.oxp. Linux only: memory and processor time are read from /proc. Prints lines of JSON.
"""

import argparse
import json
import os
import pathlib
import resource
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = ROOT / "target" / "release"
EXPRESSION = ROOT / "bench" / "crawl.oxp"


class Site:
    """A server of papers."""

    def __enter__(self):
        self.process = subprocess.Popen([RELEASE / "wrapwright-bench", "citations"], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def command(site, depth, jobs, more):
    return [RELEASE / "wrapwright", "run", EXPRESSION, "--bind", "site=" + site.url, "--bind", "depth=%d" % depth,
            "--jobs", str(jobs), "--ignore-robots", "--quiet", *more]


def timed(arguments, folder):
    """Wall and processor seconds of a program."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(arguments, cwd=folder, check=True)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def overhead(arguments):
    ways = {"not kept": [], "--record x.warc": ["--record", "x.warc"], "--run": ["--run", "kept"]}
    depth, bound = (3, ["--max-pages", str(arguments.pages)]) if arguments.pages else (2, [])
    with Site() as site:
        for jobs in (1, 8):
            seconds = {name: [] for name in ways}
            for number in range(arguments.rounds + 1):
                for name, more in ways.items():
                    with tempfile.TemporaryDirectory() as folder:
                        found = timed(command(site, depth, jobs, [*more, *bound, "-o", "o.ndjson"]), folder)
                    if number > 0:
                        seconds[name].append(found)
            plain = seconds["not kept"]
            for name, rounds in seconds.items():
                walls, processor = zip(*rounds)
                ratios = [wall / other for (wall, _), (other, _) in zip(rounds, plain)]
                best = min(processor) / min(seconds for _, seconds in plain)
                print(json.dumps({
                    "jobs": jobs, "way": name, "rounds": len(rounds), "best_wall": round(min(walls), 3),
                    "median_wall": round(statistics.median(walls), 3), "best_processor": round(min(processor), 3),
                    "ratio_of_best": round(min(walls) / min(wall for wall, _ in plain), 3),
                    "median_of_ratios": round(statistics.median(ratios), 3), "ratio_of_processor": round(best, 3),
                }), flush=True)


def resident(process):
    """Megabytes of memory of a process; 0 if it has gone."""
    try:
        text = pathlib.Path("/proc/%d/status" % process).read_text()
    except OSError:
        return 0
    found = [line.split()[1] for line in text.splitlines() if line.startswith("VmRSS:")]
    return int(found[0]) / 1024 if found else 0


def watched(arguments, folder):
    """Runs a program, and tells its memory ten times a second."""
    begun, seen = time.perf_counter(), []
    process = subprocess.Popen(arguments, cwd=folder)

    def look():
        while process.returncode is None:
            seen.append(resident(process.pid))
            time.sleep(0.1)

    looking = threading.Thread(target=look)
    looking.start()
    process.wait()
    looking.join()
    assert process.returncode == 0, process.returncode
    tenth = max(1, len(seen) // 10)
    return {"seconds": round(time.perf_counter() - begun, 1), "first_tenth_mb": round(max(seen[:tenth]), 1),
            "last_tenth_mb": round(max(seen[-tenth:]), 1)}


def memory(arguments):
    with Site() as site, tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        folder = pathlib.Path(folder)
        most = arguments.pages or 100_000
        more = ["-o", "o.ndjson", "--run", "kept", "--max-pages", str(most), "--summary", "s.json"]
        first = watched(command(site, 3, 8, more), folder)
        pages = json.loads((folder / "s.json").read_text())["pages"]
        sizes = {name: round((folder / "kept" / name).stat().st_size / 1e6, 1) for name in ("pages.warc", "run.sqlite")}
        print(json.dumps({"what": "fetched", "pages": pages, **first, "mb": sizes}), flush=True)
        # A higher limit: the known pages are walked through again, without the network.
        again = [RELEASE / "wrapwright", "run", "--resume", "kept", "--quiet", "--max-pages", str(most + 10)]
        print(json.dumps({"what": "replayed", **watched(again, folder)}), flush=True)


def million(arguments):
    with Site() as site, tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        folder = pathlib.Path(folder)
        subprocess.run(command(site, 3, 1, ["-o", "o.ndjson", "--run", "kept", "--max-pages", "10"]), cwd=folder, check=True)
        database = sqlite3.connect(folder / "kept" / "run.sqlite")
        rows = ((os.urandom(16), 0, 0, 0, "200") for _ in range(1_000_000))
        database.executemany("INSERT INTO requests (fingerprint, run, turn, offset, outcome) VALUES (?, ?, ?, ?, ?)", rows)
        database.commit()
        database.close()
        again = [RELEASE / "wrapwright", "run", "--resume", "kept", "--max-pages", "10", "--log", "json", "--log-interval", "60"]
        begun = time.perf_counter()
        process = subprocess.Popen(again, cwd=folder, stderr=subprocess.PIPE, text=True)
        first = next(line for line in process.stderr if '"begin"' in line)
        seconds = time.perf_counter() - begun
        rest = process.stderr.read()
        _, _, usage = os.wait4(process.pid, 0)
        size = (folder / "kept" / "run.sqlite").stat().st_size
        print(json.dumps({"known": 1_000_010, "first_event_seconds": round(seconds, 3),
                          "whole_seconds": round(time.perf_counter() - begun, 3),
                          "most_mb": round(usage.ru_maxrss / 1024, 1), "database_mb": round(size / 1e6, 1)}))
        assert first and "failed" not in rest, rest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["overhead", "memory", "million"])
    parser.add_argument("--rounds", type=int, default=7, help="rounds that count, after one that does not")
    parser.add_argument("--pages", type=int, help="the most pages; 100,000 for memory")
    parser.add_argument("--folder", help="where to keep runs meanwhile; needs 2 GB for memory")
    arguments = parser.parse_args()
    if arguments.folder:
        os.makedirs(arguments.folder, exist_ok=True)
    globals()[arguments.what](arguments)


if __name__ == "__main__":
    main()
