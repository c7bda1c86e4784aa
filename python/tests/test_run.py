"""Runs over a real server on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import wrapwright as ww
from conftest import ROOT, Site

ITEMS = "doc($site)/(//a[@rel='next']/{click /})*//li:<item>[.:<text=string(.)>]"


def test_records_stream_in_order(site: Site) -> None:
    for jobs in (1, 3):
        told: list[tuple[int, int]] = []
        records = ww.run(ITEMS, {"site": site.url + "1"}, jobs=jobs, progress=lambda *counts: told.append(counts))
        assert records.columns == [("text", "text")]
        texts = [record["text"] for record in records]
        assert texts == [f"item {page}{letter}" for page in range(1, 6) for letter in "ab"]
        assert records.summary["pages"] == 5 and records.summary["done"] and told[-1][0] == 5
    assert records.to_pandas()["text"].tolist() == texts


def test_one_record_at_a_time(site: Site) -> None:
    site.pages, site.pause = 200, 0.02
    begin = time.monotonic()
    with ww.run(ITEMS, {"site": site.url + "1"}) as records:
        assert next(iter(records)) == {"text": "item 1a"}
        assert time.monotonic() - begin < 2
    assert records.summary["stopped"] and records.summary["pages"] < 200


def test_bindings(site: Site) -> None:
    expression = "doc(concat($site, '${page}'))//li:<item>[.:<text=string(.)>]"
    every = ww.run(expression, {"site": site.url, "page": [1, 3]}, with_bindings=True)
    assert [row["text"] for row in every] == ["item 1a", "item 1b", "item 3a", "item 3b"]
    assert every[2]["_bind"]["page"] == "3"
    rows = ww.run(expression, [{"site": site.url, "page": "2"}, {"site": site.url, "page": "4"}])
    assert [row["text"] for row in rows] == ["item 2a", "item 2b", "item 4a", "item 4b"]
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(every)["_bind"].struct.field("page").to_list() == ["1", "1", "3", "3"]
    with pytest.raises(ww.errors.RunError, match="page"):
        ww.run(expression, {"site": site.url})


def test_failures(site: Site) -> None:
    expression = "doc($page)//li:<item>[.:<text=string(.)>]"
    pages = {"page": [site.url + "1", site.url + "nope"]}
    records = ww.run(expression, pages, retries=0)
    with pytest.warns(ww.errors.RunWarning, match="1 page failed"):
        assert len(records) == 2
    assert "404" in records.messages[0]
    with pytest.raises(ww.errors.RunError, match="404"):
        list(ww.run(expression, {"page": site.url + "nope"}, retries=0))
    with pytest.raises(ww.ExpressionError) as caught:
        ww.run("//li:<item>")
    assert caught.value.filename == "<oxpath>"
    with pytest.raises(ValueError, match="negative"):
        ww.run(expression, pages, timeout=-1)
    with pytest.raises(TypeError, match="start"):
        ww.run(expression, pages, start=site.url)


def test_a_wrapper_over_its_site(site: Site) -> None:
    import urllib.request

    pages = [urllib.request.urlopen(f"{site.url}{number}").read() for number in (1, 2)]
    wrapper = ww.learn(
        pages, [[{"text": "item 1a"}, {"text": "item 1b"}], [{"text": "item 2a"}, {"text": "item 2b"}]]
    )
    records = ww.run(wrapper, start=site.url + "1", next="auto")
    assert [row["text"] for row in records] == [f"item {page}{letter}" for page in range(1, 6) for letter in "ab"]
    with pytest.raises(ww.errors.RunError, match="where its site begins"):
        list(ww.run(wrapper))


def test_infer_from_an_address(demo: str) -> None:
    wrapper = ww.infer(demo + "shop/", sample=4)
    assert wrapper.fields
    records = ww.run(wrapper, max_pages=6)
    assert len(records) > 3


def test_the_shop_of_the_demo(demo: str) -> None:
    records = ww.run(ROOT / "examples" / "shop.oxp", {"site": demo})
    first = records[0]
    assert first["name"] and first["review"][0]["stars"]
    prices = [float(row["price"]) for row in records]
    assert len(prices) > 3 and prices == sorted(prices)


def test_recordings(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "run.warc.gz"
    bindings = {"site": site.url + "1"}
    live = list(ww.run(ITEMS, bindings, record=file))
    site.shutdown()
    assert list(ww.run(ITEMS, bindings, replay=file)) == live and len(live) == 10


INTERRUPTED = """
import wrapwright as ww, sys
records = ww.run(sys.argv[1], {"site": sys.argv[2]})
try:
    for record in records:
        print("got", flush=True)
except KeyboardInterrupt:
    print("kept", len(records.to_pandas()), len(list(records)), flush=True)
"""


def test_ctrl_c_stops_a_run_and_keeps_what_was_got(site: Site) -> None:
    site.pages, site.pause = 1000, 0.1
    command = [sys.executable, "-c", INTERRUPTED, ITEMS, site.url + "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(6):
            assert process.stdout.readline() == "got\n"
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        rest = process.stdout.read().split()
        assert process.wait(10) == 0
    assert time.monotonic() - begin < 40, "a thousand pages take longer"
    kept = rest[rest.index("kept") + 1 :]
    assert int(kept[0]) >= 6 and kept[0] == kept[1]


IN_THE_LOOP = """
import wrapwright as ww, sys, signal
records = ww.run(sys.argv[1], {"site": sys.argv[2]})
for number, record in enumerate(records):
    if number == 2:
        break
try:
    for number, record in enumerate(records):
        if number == 6:
            signal.raise_signal(signal.SIGINT)
            sum(range(10_000_000))
except KeyboardInterrupt:
    print(len(records.to_pandas()), records.summary["stopped"])
"""


def test_ctrl_c_in_the_body_of_a_loop_stops_the_run_too(site: Site) -> None:
    site.pages, site.pause = 1000, 0.05
    command = [sys.executable, "-c", IN_THE_LOOP, ITEMS, site.url + "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=45)
    count, stopped = done.stdout.split()
    assert 7 <= int(count) < 500 and stopped == "True"


ENDLESS = """
import wrapwright as ww, sys
wrapper = ww.infer(sys.argv[1])
page = open(sys.argv[2], "rb").read()
def pages():
    while True:
        yield page
print("begin", flush=True)
try:
    for _ in wrapper.extract_many(pages(), keep=False):
        pass
except KeyboardInterrupt:
    print("stopped")
"""


def test_ctrl_c_stops_an_extraction(shop: Path) -> None:
    command = [sys.executable, "-c", ENDLESS, str(shop), str(shop / "page-1.html")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "stopped\n"
        assert process.wait(10) == 0


def test_a_browser(demo: str) -> None:
    import shutil

    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))):
        pytest.skip("no browser is installed")
    expression = f"doc('{demo}shop/')//article:<product>[h2[1]:<name=string(.)>]"
    records = ww.run(expression, browser=True, max_pages=1, no_sandbox=os.getuid() == 0)
    assert len(records) > 0
