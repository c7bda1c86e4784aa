"""``spark.read.format("warc")``: WARC files as tables, a page in each row, a partition for each file.

Columns have the names of Common Crawl's columnar index: ``url``, ``url_host_name``, ``fetch_time``, ``fetch_status``,
``content_digest``, ``content_mime_type``, ``content_charset``, ``content_truncated``, ``warc_filename``,
``warc_record_offset``, ``warc_record_length``; and ``html``, the page. ``fetch_time`` is in UTC.

Options:

=================  =====================================================================================
``all``            ``true``: every response, whatever its status and type; the body is then ``content``
``maxPageBytes``   the most bytes of a page; larger ones are left out
``mode``           ``PERMISSIVE`` (default): damaged records are left out, and the log says so;
                   ``FAILFAST``: they are an error
=================  =====================================================================================

Paths are files, directories or patterns. A path with a scheme, such as ``s3://``, is read by fsspec: each worker copies its
file to a temporary one first.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from wrapwright import _wrapwright
from wrapwright.spark import _batches

__all__ = ["WarcDataSource"]

_ENDINGS = (".warc", ".warc.gz")
_TYPES = {
    pyarrow.string(): "string",
    pyarrow.binary(): "binary",
    pyarrow.int16(): "smallint",
    pyarrow.int64(): "bigint",
    pyarrow.timestamp("us", "UTC"): "timestamp_ntz",
}


class WarcDataSource(DataSource):  # type: ignore[misc, unused-ignore]
    """WARC files as a data source of Spark."""

    @classmethod
    def name(cls) -> str:
        """What ``format`` takes."""
        return "warc"

    def schema(self) -> str:
        """The columns."""
        columns = pyarrow.schema(_wrapwright.warc_columns(all=_flag(self.options, "all")))
        return ", ".join(f"{column.name} {_TYPES[column.type]}" for column in columns)

    def reader(self, schema: Any) -> WarcReader:
        """Reads the columns of a schema."""
        return WarcReader(dict(self.options), list(schema.names))


class _File(InputPartition):  # type: ignore[misc, unused-ignore]
    """A file, which is a partition."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class WarcReader(DataSourceReader):  # type: ignore[misc, unused-ignore]
    """Reads WARC files."""

    def __init__(self, options: dict[str, str], columns: list[str]) -> None:
        given = {name.lower(): value for name, value in options.items()}
        self.paths: list[str] = json.loads(given["paths"]) if "paths" in given else [given.get("path", "")]
        self.all = _flag(given, "all")
        self.strict = given.get("mode", "PERMISSIVE").upper() == "FAILFAST"
        self.most = int(given["maxpagebytes"]) if "maxpagebytes" in given else None
        self.columns = columns

    def partitions(self) -> Sequence[InputPartition]:
        """A partition for each file."""
        files = [file for path in self.paths for file in _files(path)]
        if not files:
            raise FileNotFoundError(f"{', '.join(self.paths)}: found no WARC file; expected .warc or .warc.gz")
        return [_File(file) for file in files]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The batches of a file."""
        path: str = partition.path
        with _local(path) as local:
            table = _wrapwright.warc(local, name=path, all=self.all, max_page_bytes=self.most)
            for batch in pyarrow.RecordBatchReader.from_stream(table):
                columns = [_plain(batch.column(name)) for name in self.columns]
                yield pyarrow.RecordBatch.from_arrays(columns, names=self.columns)
            if self.strict and table.messages:
                raise ValueError(table.messages[0])
            _batches.tell(table, "records")


def _plain(column: Any) -> Any:
    """A time without its zone, which is always UTC: engines differ in what they take a zone for."""
    return column.cast(pyarrow.timestamp("us")) if pyarrow.types.is_timestamp(column.type) else column


def _flag(options: Any, name: str) -> bool:
    return str(options.get(name, "false")).lower() == "true"


def _files(path: str) -> list[str]:
    """The files that a path stands for, in order."""
    path = path.removeprefix("file://")
    if "://" in path:
        import fsspec

        system, inner = fsspec.core.url_to_fs(path)
        if not any(sign in inner for sign in "*?["):
            return [path]
        return [system.unstrip_protocol(found) for found in sorted(system.glob(inner))]
    if os.path.isdir(path):
        return sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if name.endswith(_ENDINGS)
        )
    if os.path.exists(path):
        return [path]
    return sorted(glob.glob(path, recursive=True))


@contextlib.contextmanager
def _local(path: str) -> Iterator[str]:
    """A file on this machine."""
    if "://" not in path:
        yield path
        return
    import fsspec

    with tempfile.NamedTemporaryFile(suffix=".warc") as copy, fsspec.open(path, "rb", compression=None) as remote:
        shutil.copyfileobj(remote, copy)
        copy.flush()
        yield copy.name
