"""Wrappers in Scrapy: as page objects of web-poet, and a pipeline that notices when a site has changed.

A page object, which scrapy-poet gives to callbacks; rules say for which addresses it is::

    @handle_urls("books.example")
    class BookPage(WrapperPage):
        wrapper = "books.wrapper.json"

    class Books(scrapy.Spider):
        async def parse_book(self, response, page: BookPage):
            yield await page.to_item()

The pipeline, in the settings::

    ITEM_PIPELINES = {"wrapwright.scrapy.DriftPipeline": 100}
    WRAPWRIGHT_WRAPPER = "books.wrapper.json"
    WRAPWRIGHT_CHECK_EVERY = 50

Fixtures, which ``pytest`` runs, from a test that ``wrapwright test --record`` made::

    save_fixtures("tests/books", BookPage)
"""

from __future__ import annotations

import asyncio
import datetime
import json
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

try:
    import attrs
    import scrapy_poet  # noqa: F401
except ImportError as error:
    raise ImportError("wrapwright.scrapy needs Scrapy and scrapy-poet: pip install 'wrapwright[scrapy]'") from error
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from web_poet import HttpResponse, WebPage, cached_method, validates_input
from web_poet.testing import Fixture
from web_poet.testing.itemadapter import WebPoetTestItemAdapter
from web_poet.utils import ensure_awaitable, get_fq_class_name

from wrapwright._wrapwright import Wrapper, sources
from wrapwright.errors import CheckError, ExtractError

__all__ = ["CLOSED", "DriftPipeline", "FixtureAdapter", "WrapperPage", "save_fixtures"]

CLOSED = "wrapwright_drift"
"""The reason for which a spider is closed when the site has changed."""

_ItemT = TypeVar("_ItemT")
_log = logging.getLogger(__name__)


@attrs.define(kw_only=False)
class WrapperPage(WebPage[_ItemT], Generic[_ItemT]):
    """A page object whose item is what a wrapper gives. ``wrapper`` is a Wrapper, or the path of a saved one."""

    wrapper: ClassVar[Wrapper | str | os.PathLike[str]]

    @cached_method
    def _records(self) -> list[dict[str, Any]]:
        cls = type(self)
        wrapper = cls.wrapper
        if not isinstance(wrapper, Wrapper):
            # Read once for all pages.
            wrapper = cls.wrapper = Wrapper.load(wrapper)
        return wrapper.extract((str(self.response.url), bytes(self.response.body)), charset=self.response.encoding)

    @property
    def records(self) -> list[dict[str, Any]]:
        """All records of the page."""
        return list(self._records())

    @validates_input
    async def to_item(self) -> _ItemT:
        """The first record of the page, as the item class of the page object."""
        records = self._records()
        if not records:
            raise ExtractError(f"{self.response.url}: the wrapper gives no record on this page")
        item: _ItemT = self.item_cls(**records[0])
        return item


class DriftPipeline:
    """Compares what a wrapper gives with what it gave when it was made, and closes the spider when the site has changed.

    It looks at the HTML answers of a spider, ``WRAPWRIGHT_CHECK_EVERY`` at a time; fewer at the end are looked at, too, but
    not fewer than ``LEAST``. Pages of another kind than the wrapper is for do not count. Items pass unchanged.
    """

    LEAST = 3
    """A check of fewer pages says little."""

    def __init__(self, crawler: Any, wrapper: Wrapper, every: int) -> None:
        self.crawler = crawler
        self.wrapper = wrapper
        self.every = max(every, self.LEAST)
        self.pages: list[tuple[str, bytes]] = []
        self.changed = False

    @classmethod
    def from_crawler(cls, crawler: Any) -> DriftPipeline:
        """As Scrapy makes pipelines."""
        wrapper = crawler.settings.get("WRAPWRIGHT_WRAPPER")
        if not wrapper:
            raise NotConfigured("WRAPWRIGHT_WRAPPER is not set; it is the path of a wrapper")
        if not isinstance(wrapper, Wrapper):
            wrapper = Wrapper.load(wrapper)
        pipeline = cls(crawler, wrapper, crawler.settings.getint("WRAPWRIGHT_CHECK_EVERY", 50))
        crawler.signals.connect(pipeline.response_received, signal=signals.response_received)
        crawler.signals.connect(pipeline.spider_idle, signal=signals.spider_idle)
        return pipeline

    def process_item(self, item: Any) -> Any:
        """Items pass unchanged."""
        return item

    def response_received(self, response: Any) -> None:
        """Keeps a page until there are enough to compare."""
        if not isinstance(response, HtmlResponse) or response.status != 200:
            return
        self.pages.append((response.url, response.body))
        if len(self.pages) >= self.every:
            self.check()

    def spider_idle(self) -> None:
        """Compares the last pages, before the spider ends by itself."""
        if len(self.pages) >= self.LEAST:
            self.check()

    def check(self) -> None:
        """Compares the pages that were kept, and forgets them."""
        pages, self.pages = self.pages, []
        try:
            report = self.wrapper.check(pages)
        except CheckError as error:
            _log.warning("the wrapper could not be checked: %s", error)
            return
        self.crawler.stats.inc_value("wrapwright/checks")
        if report.fine or self.changed:
            return
        self.changed = True
        self.crawler.stats.set_value("wrapwright/drift", report.text)
        _log.error("the site has changed; repair the wrapper:\n%s", report.text)
        self._close()

    def _close(self) -> None:
        engine = self.crawler.engine
        if hasattr(engine, "close_spider_async"):
            # A signal cannot wait.
            from scrapy.utils.defer import deferred_from_coro

            deferred_from_coro(engine.close_spider_async(reason=CLOSED))
        else:
            engine.close_spider(self.crawler.spider, CLOSED)


class FixtureAdapter(WebPoetTestItemAdapter):
    """Items of fixtures as JSON has them: dates and times are texts."""

    def asdict(self) -> dict[str, Any]:
        """The item as a dict."""
        plain: dict[str, Any] = _plain(super().asdict())
        return plain


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return value


def save_fixtures(
    test: str | os.PathLike[str], page: type[WrapperPage[Any]], folder: str | os.PathLike[str] = "fixtures"
) -> list[Path]:
    """Writes the pages of a test as fixtures of web-poet for a page object, and gives the directories of the fixtures.

    ``test`` is a directory that ``wrapwright test --record DIR WRAPPER PAGE…`` made. The test must be green, so that the
    fixtures expect what it expects. ``pytest`` runs them, as web-poet describes it; fixtures of these pages that are there
    already are replaced.
    """
    place = Path(test)
    about = json.loads((place / "test.json").read_text(encoding="utf-8"))
    if "wrapper" not in about:
        raise CheckError(
            f"{place}: this is a test of an expression, expected one of a wrapper",
            "make one with `wrapwright test --record DIR WRAPPER PAGE…`",
        )
    command = [sys.executable, "-m", "wrapwright", "test", str(place)]
    tried = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if tried.returncode != 0:
        words = (tried.stdout + tried.stderr).strip()
        raise CheckError(f"{place}: the test is not green, so it says nothing about right items\n{words}")
    home = Path(folder) / get_fq_class_name(page)
    saved: list[Path] = []
    for name, url, source in sources([place / pages for pages in about["pages"]]):
        response = HttpResponse(
            url=url or Path(name).resolve().as_uri(),
            body=source.encode(),
            status=200,
            headers={"Content-Type": "text/html; charset=utf-8"},
        )
        instance = page(response)
        if not instance.records:
            continue
        path = home / Path(name).stem
        while path in saved:
            path = path.with_name(path.name + "-again")
        if Fixture(path).is_valid():
            shutil.rmtree(path)
        item = asyncio.run(ensure_awaitable(instance.to_item()))  # type: ignore[no-untyped-call, unused-ignore]
        meta = {"adapter": FixtureAdapter}
        saved.append(Fixture.save(home, inputs=[response], item=item, meta=meta, fixture_name=path.name).path)
    return saved
