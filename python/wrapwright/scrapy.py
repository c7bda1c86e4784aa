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
"""

from __future__ import annotations

import logging
import os
from typing import Any, ClassVar, Generic, TypeVar

import attrs
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from web_poet import WebPage, cached_method, validates_input

from wrapwright._wrapwright import Wrapper
from wrapwright.errors import CheckError, ExtractError

__all__ = ["CLOSED", "DriftPipeline", "WrapperPage"]

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
