"""A real spider over a real server: page objects, and the pipeline that notices a change."""

from __future__ import annotations

import functools
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import wrapwright as ww
from conftest import ROOT

pytest.importorskip("scrapy_poet")

LAMPS = ROOT / "examples" / "lamps"
SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess
from web_poet import handle_urls
from wrapwright.scrapy import WrapperPage

site, wrapper, *paths = sys.argv[1:]
items, reasons = [], []

@handle_urls("127.0.0.1")
class LampPage(WrapperPage):
    pass

LampPage.wrapper = wrapper

class Lamps(scrapy.Spider):
    name = "lamps"
    start_urls = [site + path for path in paths]

    async def parse(self, response, page: LampPage):
        assert len(page.records) == 1
        items.append(await page.to_item())
        yield items[-1]

    def closed(self, reason):
        reasons.append(reason)

process = CrawlerProcess({
    "ADDONS": {"scrapy_poet.Addon": 300},
    "ITEM_PIPELINES": {"wrapwright.scrapy.DriftPipeline": 100},
    "WRAPWRIGHT_WRAPPER": wrapper, "ROBOTSTXT_OBEY": False, "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
})
crawler = process.create_crawler(Lamps)
process.crawl(crawler)
process.start()
print(json.dumps({"items": items, "reason": reasons[0], "checks": crawler.stats.get_value("wrapwright/checks")}))
"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def lamps() -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(LAMPS))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def crawl(site: str, folder: str, tmp_path: Path) -> tuple[dict[str, object], str]:
    file = tmp_path / "lamps.wrapper.json"
    ww.infer(LAMPS / "before").save(file)
    pages = [f"{folder}/{page.name}" for page in sorted((LAMPS / folder).glob("*.html"))]
    command = [sys.executable, "-c", SPIDER, site, str(file), *pages]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def test_a_spider_gets_records(lamps: str, tmp_path: Path) -> None:
    result, _ = crawl(lamps, "before", tmp_path)
    assert result["reason"] == "finished" and result["checks"] == 1
    items = result["items"]
    assert isinstance(items, list) and len(items) == len(list((LAMPS / "before").glob("*.html")))
    assert {key for item in items for key in item} == set(ww.infer(LAMPS / "before").fields.names)


def test_a_spider_is_closed_when_the_site_has_changed(lamps: str, tmp_path: Path) -> None:
    result, log = crawl(lamps, "after", tmp_path)
    assert result["reason"] == "wrapwright_drift"
    assert "the site has changed; repair the wrapper" in log


PAGES = """
from wrapwright.scrapy import WrapperPage

class LampPage(WrapperPage):
    wrapper = "lamps.wrapper.json"
"""


def test_a_test_becomes_fixtures_of_web_poet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "lamp_pages.py").write_text(PAGES)
    ww.infer(LAMPS / "before").save("lamps.wrapper.json")
    run = [sys.executable, "-m"]
    record = ["wrapwright", "test", "--record", "tests/lamps", "lamps.wrapper.json", str(LAMPS / "before")]
    subprocess.run(run + record, check=True, capture_output=True)
    import lamp_pages  # type: ignore[import-not-found]

    from web_poet.testing import Fixture
    from web_poet.testing.exceptions import ItemValueIncorrect

    from wrapwright.scrapy import save_fixtures

    saved = save_fixtures("tests/lamps", lamp_pages.LampPage)
    assert len(saved) == len(list((LAMPS / "before").glob("*.html")))
    # The second time they are replaced.
    assert save_fixtures("tests/lamps", lamp_pages.LampPage) == saved
    tried = [*run, "pytest", "-q", "-p", "no:cacheprovider", "fixtures"]
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = subprocess.run(tried, capture_output=True, text=True)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout
    # A fixture can fail: the page changes, and its field with it.
    (page,) = saved[0].glob("inputs/HttpResponse-body.html")
    expected = json.loads((saved[0] / "output.json").read_text())
    value = next(value for value in expected.values() if isinstance(value, str) and value in page.read_text())
    page.write_text(page.read_text().replace(value, "Gone"))
    # Asked directly: the plugin cannot show a difference with the newest pytest, whose functions it uses have changed.
    with pytest.raises(ItemValueIncorrect, match="Gone"):
        Fixture(saved[0]).assert_full_item_correct(lamp_pages.LampPage)
    # A red test makes no fixtures.
    (tmp_path / "tests/lamps/expected.ndjson").write_text("{}\n")
    with pytest.raises(ww.errors.CheckError, match="the test is not green"):
        save_fixtures("tests/lamps", lamp_pages.LampPage)
