"""A bar that shows how a run goes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def bar() -> Callable[[int, int], None]:
    """A function that shows the numbers of pages and records: by tqdm if it is there, otherwise as a line."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line()
    shown = tqdm(unit=" pages")

    def show(pages: int, records: int) -> None:
        shown.set_postfix(records=records, refresh=False)
        shown.update(pages - shown.n)

    return show


def _line() -> Callable[[int, int], None]:
    last = 0.0

    def show(pages: int, records: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= 0.2:
            last = now
            print(f"\r{pages} pages, {records} records", end="", file=sys.stderr, flush=True)

    return show
