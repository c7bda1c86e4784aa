"""Parquet files with pages in a column, read by the worker that applies the wrapper.

Only :func:`wrapwright.spark.extract_parquet` uses it. Paths are those of :mod:`wrapwright.spark.warc`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow
import pyarrow.parquet
from pyspark.sql import types
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from wrapwright._wrapwright import Wrapper
from wrapwright.spark import _batches, _source, _types

__all__ = ["NAME", "StoredPages"]

NAME = "wrapwright_parquet"
"""What ``format`` takes."""
_ENDINGS = (".parquet",)
_ROWS = 500
"""Pages of a batch: some tens of megabytes."""


class StoredPages(DataSource):  # type: ignore[misc, unused-ignore]
    """Records of the pages of Parquet files as a data source of Spark."""

    @classmethod
    def name(cls) -> str:
        """What ``format`` takes."""
        return NAME

    def schema(self) -> types.StructType:
        """The columns of the records."""
        wrapper, settings = _settings(self.options)
        with _source.local(_found(self.options)[0], _ENDINGS[0]) as local:
            there = pyarrow.parquet.read_schema(local)
        empty = _chosen(there, settings).empty_table()
        return types.StructType(_types.fields(pyarrow.schema(wrapper.extract_table(empty, **settings))))

    def reader(self, schema: Any) -> StoredReader:
        """Reads the columns of a schema."""
        return StoredReader(dict(self.options), list(schema.names))


class StoredReader(DataSourceReader):  # type: ignore[misc, unused-ignore]
    """Reads Parquet files."""

    def __init__(self, options: dict[str, str], columns: list[str]) -> None:
        self.options = options
        self.columns = columns

    def partitions(self) -> Sequence[InputPartition]:
        """A partition for each file, or as many as were asked for."""
        partitions = json.loads(_option(self.options, "partitions"))
        return [InputPartition(group) for group in _source.grouped(_found(self.options), partitions)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The batches of some files."""
        for path in partition.value:
            yield from self._file(path)

    def _file(self, path: str) -> Iterator[Any]:
        wrapper, settings = _settings(self.options)
        with _source.local(path, _ENDINGS[0]) as local, pyarrow.parquet.ParquetFile(local) as file:
            chosen = _chosen(file.schema_arrow, settings)
            pages = file.iter_batches(batch_size=_ROWS, columns=chosen.names, use_threads=False)
            for batch in _source.in_turn(_batches.extract(pages, wrapper, **settings)):
                columns = [_source.plain(batch.column(name)) for name in self.columns]
                yield pyarrow.RecordBatch.from_arrays(columns, names=self.columns)


def _settings(options: Any) -> tuple[Wrapper, dict[str, Any]]:
    return Wrapper.from_json(_option(options, "wrapper")), json.loads(_option(options, "settings"))


def _option(options: Any, name: str) -> str:
    """An option; some engines change the case of their names."""
    return next(str(value) for given, value in dict(options).items() if given.lower() == name)


def _found(options: Any) -> list[str]:
    path = _option(options, "path")
    found = _source.files(path, _ENDINGS)
    if not found:
        raise FileNotFoundError(f"{path}: found no Parquet file; expected .parquet")
    return found


def _chosen(there: Any, settings: dict[str, Any]) -> Any:
    """The columns that are needed."""
    names = _batches.columns(there.names, *(settings[name] for name in ("html", "url", "charset", "carry")))
    return pyarrow.schema([there.field(name) for name in names])
