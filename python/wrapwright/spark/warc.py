"""``spark.read.format("warc")``: WARC files as tables, a page in each row.

Columns have the names of Common Crawl's columnar index: ``url``, ``url_host_name``, ``fetch_time``, ``fetch_status``,
``content_digest``, ``content_mime_type``, ``content_charset``, ``content_truncated``, ``warc_filename``,
``warc_record_offset``, ``warc_record_length``; and ``html``, the page. ``fetch_time`` is in UTC.

Options:

=================  =====================================================================================
``all``            ``true``: every response, whatever its status and type; the body is then ``content``
``partitions``     the number of partitions, each with several files; without it, a partition for each file
``maxPageBytes``   the most bytes of a page; larger ones are left out
``mode``           ``PERMISSIVE`` (default): damaged records are left out, and the log says so;
                   ``FAILFAST``: they are an error
``wrapper``        the file or the JSON of a wrapper: rows are its records instead of pages
``carry``          with a wrapper: columns that each record gets from its page, with commas between them
``error``          with a wrapper: a column for what went wrong with a page
``meta``           with a wrapper: ``true`` adds ``_record`` and ``_page``
=================  =====================================================================================

Paths are files, directories or patterns. A path with a scheme, such as ``s3://``, is read by fsspec: each worker copies its
file to a temporary one first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow
from pyspark.sql import types
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from wrapwright import _wrapwright
from wrapwright._wrapwright import Wrapper
from wrapwright.spark import _batches, _source, _types

__all__ = ["WarcDataSource"]

_ENDINGS = (".warc", ".warc.gz")

class WarcDataSource(DataSource):  # type: ignore[misc, unused-ignore]
    """WARC files as a data source of Spark."""

    @classmethod
    def name(cls) -> str:
        """What ``format`` takes."""
        return "warc"

    def schema(self) -> types.StructType:
        """The columns: those of pages, or of records."""
        settings = _settings(self.options)
        return types.StructType(_types.fields(_columns(settings)))

    def reader(self, schema: Any) -> WarcReader:
        """Reads the columns of a schema."""
        return WarcReader(dict(self.options), list(schema.names))


class WarcReader(DataSourceReader):  # type: ignore[misc, unused-ignore]
    """Reads WARC files."""

    def __init__(self, options: dict[str, str], columns: list[str]) -> None:
        self.settings = _settings(options)
        self.columns = columns

    def partitions(self) -> Sequence[InputPartition]:
        """A partition for each file, or as many as were asked for."""
        paths = self.settings.paths
        files = [file for path in paths for file in _source.files(path, _ENDINGS)]
        if not files:
            raise FileNotFoundError(f"{', '.join(paths)}: found no WARC file; expected .warc or .warc.gz")
        return [InputPartition(group) for group in _source.grouped(files, self.settings.partitions)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The batches of some files."""
        for path in partition.value:
            yield from self._file(path)

    def _file(self, path: str) -> Iterator[Any]:
        settings = self.settings
        with _source.local(path, ".warc") as local:
            pages = _wrapwright.warc(local, name=path, all=settings.all, max_page_bytes=settings.most)
            table = pages
            if settings.wrapper is not None:
                table = _extracted(settings, pages)
            for batch in _source.in_turn(iter(pyarrow.RecordBatchReader.from_stream(table))):
                columns = [_source.plain(batch.column(name)) for name in self.columns]
                yield pyarrow.RecordBatch.from_arrays(columns, names=self.columns)
            if settings.strict and pages.messages:
                raise ValueError(pages.messages[0])
            _batches.tell(pages, "records")
            if settings.error is None and table is not pages:
                _batches.tell(table, "pages")


class _Settings(NamedTuple):
    """What the options say."""

    paths: list[str]
    all: bool
    strict: bool
    most: int | None
    wrapper: Wrapper | None
    carry: list[str]
    error: str | None
    meta: bool
    partitions: int | None


def _settings(options: Any) -> _Settings:
    given = {name.lower(): value for name, value in dict(options).items()}
    wrapper = given.get("wrapper")
    if wrapper is not None:
        wrapper = Wrapper.from_json(wrapper) if wrapper.lstrip().startswith("{") else Wrapper.load(wrapper)
    return _Settings(
        paths=json.loads(given["paths"]) if "paths" in given else [given.get("path", "")],
        all=_source.flag(given, "all"),
        strict=given.get("mode", "PERMISSIVE").upper() == "FAILFAST",
        most=int(given["maxpagebytes"]) if "maxpagebytes" in given else None,
        wrapper=wrapper,
        carry=[name.strip() for name in given.get("carry", "").split(",") if name.strip()],
        error=given.get("error"),
        meta=_source.flag(given, "meta"),
        partitions=int(given["partitions"]) if "partitions" in given else None,
    )


def _columns(settings: _Settings) -> Any:
    pages = _wrapwright.warc_columns(all=settings.all)
    return pyarrow.schema(pages if settings.wrapper is None else _extracted(settings, pages))


def _extracted(settings: _Settings, pages: Any) -> Any:
    """The records of a table of pages."""
    assert settings.wrapper is not None
    html = "content" if settings.all else "html"
    return settings.wrapper.extract_table(
        pages, html=html, carry=settings.carry, error=settings.error, meta=settings.meta
    )
