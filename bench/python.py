#!/usr/bin/env python3
"""Measures the Python package against peers, end to end: bytes of pages to dicts, five expressions for each page.

    scripts/python --release                             # once: builds the wheel and an environment with peers
    target/python/bin/python bench/python.py             # about two minutes
    target/python/bin/python bench/python.py --pages 2   # two pages per site instead of five

Pages are those of SWDE, in ../shared/bench/swde. Each engine parses every page and makes a dict of five fields; time is
that of the processor (`time.process_time`), rounds of all engines alternate, and the best round of each counts. Engines
that have no XPath (selectolax, BeautifulSoup) are asked in their own language for the same things, as their users would
do; counts of values are printed, so that one can see what differs. Then: `extract_many` with one and two threads by the
clock on the wall, time and size of the package. Absolute numbers depend on the machine; ratios of one run are worth keeping.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import wrapwright as ww

SWDE = Path(__file__).resolve().parents[2] / "shared" / "bench" / "swde"
FIELDS = {
    "title": "//title/text()",
    "headings": "//h1//text()",
    "links": "//a/@href",
    "pictures": "//img/@alt",
    "labels": "//tr[td[2]]/td[1]//text()",
}
Engine = Callable[[bytes], dict[str, list[str]]]


def ours(page: bytes) -> dict[str, list[str]]:
    tree = ww.Page(page)
    return {name: tree.xpath(path).getall() for name, path in FIELDS.items()}


def our_selector() -> Engine:
    from wrapwright.parsel import Selector

    def run(page: bytes) -> dict[str, list[str]]:
        tree = Selector(body=page, type="html")
        return {name: tree.xpath(path).getall() for name, path in FIELDS.items()}

    return run


def by_parsel() -> Engine:
    from parsel import Selector

    def run(page: bytes) -> dict[str, list[str]]:
        tree = Selector(body=page, type="html")
        return {name: tree.xpath(path).getall() for name, path in FIELDS.items()}

    return run


def by_lxml() -> Engine:
    from lxml import etree, html

    paths = {name: etree.XPath(path, smart_strings=False) for name, path in FIELDS.items()}

    def run(page: bytes) -> dict[str, list[str]]:
        tree = html.document_fromstring(page)
        return {name: path(tree) for name, path in paths.items()}

    return run


def by_selectolax() -> Engine:
    from selectolax.lexbor import LexborHTMLParser

    def run(page: bytes) -> dict[str, list[str]]:
        tree = LexborHTMLParser(page)
        return {
            "title": [node.text() for node in tree.css("title")],
            "headings": [node.text() for node in tree.css("h1")],
            "links": [node.attributes["href"] or "" for node in tree.css("a[href]")],
            "pictures": [node.attributes["alt"] or "" for node in tree.css("img[alt]")],
            "labels": [node.text() for node in tree.css("tr:has(> td + td) > td:first-of-type")],
        }

    return run


def by_soup(parser: str) -> Engine:
    from bs4 import BeautifulSoup

    def run(page: bytes) -> dict[str, list[str]]:
        tree = BeautifulSoup(page, parser)
        rows = (row.find_all("td", recursive=False) for row in tree.find_all("tr"))
        return {
            "title": [str(node.string) for node in tree.find_all("title")],
            "headings": [text for node in tree.find_all("h1") for text in node.strings],
            "links": [node["href"] for node in tree.find_all("a", href=True)],
            "pictures": [node["alt"] for node in tree.find_all("img", alt=True)],
            "labels": [text for cells in rows if len(cells) > 1 for text in cells[0].strings],
        }

    return run


def pages(count: int) -> dict[str, list[bytes]]:
    sites = {}
    for file in sorted(SWDE.glob("*.tar.xz")):
        with tarfile.open(file) as archive:
            bodies = []
            for member in archive:
                if member.isfile() and member.name.endswith((".htm", ".html")):
                    content = archive.extractfile(member)
                    assert content is not None
                    bodies.append(content.read())
                if len(bodies) == count:
                    break
        sites[file.name.removesuffix(".tar.xz")] = bodies
    return sites


def measure(engines: dict[str, Engine], all_pages: list[bytes], rounds: int) -> None:
    best = dict.fromkeys(engines, float("inf"))
    counts: dict[str, int] = {}
    for _ in range(rounds):
        for name, engine in engines.items():
            begin = time.process_time()
            counts[name] = sum(len(values) for page in all_pages for values in engine(page).values())
            best[name] = min(best[name], time.process_time() - begin)
    parsel = best.get("parsel", float("nan"))
    print("| engine | pages per CPU-second | against parsel | values |\n|---|--:|--:|--:|")
    for name, seconds in best.items():
        print(f"| {name} | {len(all_pages) / seconds:.0f} | {parsel / seconds:.1f} × | {counts[name]} |")


def threads(sites: dict[str, list[bytes]], rounds: int) -> None:
    site, bodies = max(sites.items(), key=lambda item: sum(map(len, item[1])))
    wrapper = ww.infer(bodies)
    many = bodies * max(1, 400 // len(bodies))
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(rounds):
        for count in best:
            begin = time.perf_counter()
            records = len(wrapper.extract_many(many, threads=count, keep=False))
            best[count] = min(best[count], time.perf_counter() - begin)
    print(f"\n`extract_many`, {len(many)} pages of {site}, {records} records: ", end="")
    print(f"{len(many) / best[1]:.0f} pages per second with one thread, {len(many) / best[2]:.0f} with two: ", end="")
    print(f"{best[1] / best[2]:.2f} ×")


def package() -> None:
    code = "import time; begin = time.perf_counter(); import wrapwright; print(time.perf_counter() - begin)"
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True).stdout) for _ in range(10)]
    print(f"\n`import wrapwright`: {min(times) * 1000:.0f} ms at best of ten, {sorted(times)[5] * 1000:.0f} ms in the middle")
    files = importlib.metadata.files("wrapwright") or []
    size = sum(Path(str(file.locate())).stat().st_size for file in files if Path(str(file.locate())).is_file())
    print(f"installed: {size / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5, help="pages of each site")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    sites = pages(options.pages)
    all_pages = [page for bodies in sites.values() for page in bodies]
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}"
        for name in ("wrapwright", "parsel", "lxml", "selectolax", "beautifulsoup4")
    )
    print(f"{len(all_pages)} pages, {sum(map(len, all_pages)) / 1e6:.1f} MB; Python {sys.version.split()[0]}, {versions}\n")
    engines: dict[str, Engine] = {
        "wrapwright": ours,
        "wrapwright.parsel": our_selector(),
        "parsel": by_parsel(),
        "lxml": by_lxml(),
        "selectolax": by_selectolax(),
        "BeautifulSoup, lxml": by_soup("lxml"),
        "BeautifulSoup, html.parser": by_soup("html.parser"),
    }
    measure(engines, all_pages, options.rounds)
    threads(sites, options.rounds + 2)
    package()


if __name__ == "__main__":
    main()
