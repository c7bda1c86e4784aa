"""What runs on the workers: iterators of record batches in, iterators of record batches out. Needs pyarrow alone."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow

if TYPE_CHECKING:
    from wrapwright._wrapwright import Table, Wrapper

_log = logging.getLogger("wrapwright.spark")
_PARTS = pyarrow.schema([("part", pyarrow.string())])


def reader(batches: Iterator[Any]) -> Any:
    """The batches as one stream; None if there are none. They are taken as they are needed."""
    first = next(batches, None)
    if first is None:
        return None
    return pyarrow.RecordBatchReader.from_batches(first.schema, chain([first], batches))


def columns(there: Sequence[str], html: str, url: str, charset: str, carry: Iterable[str]) -> list[str]:
    """The columns of a table that are needed, each once."""
    wanted = [html, *(name for name in (url, charset) if name in there), *carry]
    missing = [name for name in wanted if name not in there]
    if missing:
        raise ValueError(f"found a table with the columns {', '.join(there)}; expected {', '.join(missing)}")
    return list(dict.fromkeys(wanted))


def schema(wrapper: Wrapper, *, meta: bool = False) -> Any:
    """The columns of the records of a wrapper."""
    empty = pyarrow.table({"html": pyarrow.array([], pyarrow.string())})
    return pyarrow.schema(wrapper.extract_table(empty, meta=meta))


def extract(batches: Iterator[Any], wrapper: Wrapper, **settings: Any) -> Iterator[Any]:
    """The records of batches of pages."""
    pages = reader(batches)
    if pages is None:
        return
    table = wrapper.extract_table(pages, **settings)
    yield from pyarrow.RecordBatchReader.from_stream(table)
    if settings.get("error") is None:
        tell(table, "pages")


def survey(batches: Iterator[Any], wrapper: Wrapper, **settings: Any) -> Iterator[Any]:
    """What a check finds on batches of pages: one row."""
    pages = reader(batches)
    if pages is not None:
        yield _part(wrapper.survey(pages, **settings))


def merge(batches: Iterator[Any], wrapper: Wrapper) -> Iterator[Any]:
    """Parts of a check as one row."""
    parts = [part for batch in batches for part in batch.column(0).to_pylist()]
    if parts:
        yield _part(wrapper.merge(parts))


def tell(table: Table, what: str) -> None:
    """Writes to the log of the worker what went wrong."""
    failures = table.summary["failures"]
    if failures:
        _log.warning("%s %s could not be used; the first: %s", failures, what, table.messages[0])


def _part(text: str) -> Any:
    return pyarrow.record_batch([[text]], schema=_PARTS)
