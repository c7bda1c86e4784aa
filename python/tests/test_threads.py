"""Threads and memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import wrapwright as ww


def test_eight_threads_with_one_wrapper(wrapper: ww.Wrapper, shop: Path) -> None:
    bodies = [file.read_bytes() for file in sorted(shop.glob("*.html"))]
    expected = [wrapper.extract(body) for body in bodies]
    page = ww.Page(bodies[0])
    find = ww.xpath.compile("//li")
    count = len(find(page))
    begin = threading.Barrier(8)

    def hammer(seed: int) -> None:
        begin.wait()
        for turn in range(60):
            at = (seed + turn) % len(bodies)
            assert wrapper.extract(bodies[at]) == expected[at]
            assert len(find(page)) == count
            assert len(page.css(f"li:nth-child({turn + 1})")) <= count
            if turn % 20 == 0:
                assert len(wrapper.extract_many(bodies, threads=2)) == 7

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(hammer, seed) for seed in range(8)]:
            done.result(timeout=120)


def test_records_belong_to_one_thread_at_a_time(wrapper: ww.Wrapper, shop: Path) -> None:
    inside, go_on = threading.Event(), threading.Event()

    def pages() -> object:
        inside.set()
        go_on.wait(10)
        yield shop / "page-1.html"

    records = wrapper.extract_many(pages())  # type: ignore[arg-type]
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(lambda: len(list(records)))
        assert inside.wait(10)
        with pytest.raises(RuntimeError, match="borrowed"):
            next(iter(records))
        go_on.set()
        assert other.result(timeout=10) == 3


def resident() -> int:
    """The memory of this process, in bytes."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="it is read from /proc")
def test_memory_is_flat_over_a_thousand_pages(wrapper: ww.Wrapper) -> None:
    row = "<li class=item><h2><a href='/%d'>Book %d</a></h2><p>by <b>Ada</b></p><p>Price: <b>%d.50</b></p></li>"
    html = ("<ul>" + "".join(row % (n, n, n) for n in range(300)) + "</ul>").encode()

    def once() -> None:
        page = ww.Page(html, url="http://a.test/")
        assert len(page.css("li")) == 300
        page.xpath("//li/h2/a/text()").getall()
        wrapper.extract(page)

    def growth(work: Callable[[], object]) -> int:
        before = resident()
        work()
        return resident() - before

    # What leaks does so each time; an allocator keeps some megabytes at times.
    assert min(growth(lambda: [once() for _ in range(500)]) for _ in range(3)) < 4 << 20

    def many() -> None:
        for _ in wrapper.extract_many((html for _ in range(300)), keep=False, threads=2):
            pass

    assert min(growth(many) for _ in range(3)) < 16 << 20
