"""Wrappers over the data frames of Spark: pages in one column, records in columns of their own.

Needs PySpark 4 or another client of Spark Connect, and this package on every worker::

    from wrapwright import Wrapper, spark as ws

    ws.register(spark)
    pages = spark.read.format("warc").load("crawl/*.warc.gz")
    wrapper = Wrapper.load("books.wrapper.json")
    books = ws.extract(pages, wrapper, carry=["url", "fetch_time"])
    print(ws.check(pages, wrapper))

Batches of Arrow go in and come out; no row becomes an object of Python.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from wrapwright import _wrapwright
from wrapwright.spark import _batches

if TYPE_CHECKING:
    from wrapwright._reports import Check
    from wrapwright._wrapwright import Wrapper

__all__ = ["check", "extract", "extract_parquet", "extract_warc", "infer", "register"]

_MERGERS = 8
"""Tasks that merge the parts of a check, so that the driver gets few of them, however many partitions there are."""


def register(session: Any) -> None:
    """Makes ``spark.read.format("warc")`` known to a session."""
    from wrapwright.spark.warc import WarcDataSource

    session.dataSource.register(WarcDataSource)


def extract(
    df: Any,
    wrapper: Wrapper,
    html: str = "html",
    url: str = "url",
    *,
    charset: str = "content_charset",
    carry: Sequence[str] = (),
    error: str | None = None,
    meta: bool = False,
    raw: bool = False,
) -> Any:
    """The records of the pages of a data frame, as a data frame with the columns of the wrapper.

    ``html`` is the column with pages, as text or as bytes. ``url`` and ``charset`` are the columns with their addresses and
    with the charset that was declared with their bytes; a data frame need not have these. ``carry`` names columns that
    each record gets from the row of its page. ``error`` names a last column: a page that cannot be used gives a row with
    its message and no values. Without it such pages are left out, and the log of the worker says how many.
    ``meta`` adds the columns ``_record`` and ``_page``, ``raw`` gives values as they are in the source.
    """
    pages = df.select(*_batches.columns(df.columns, html, url, charset, carry))
    settings = {"html": html, "url": url, "charset": charset, "carry": list(carry), "meta": meta, "raw": raw}

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        return _batches.extract(batches, wrapper, error=error, **settings)

    return pages.mapInArrow(work, _schema(df, wrapper, carry, error, meta))


def extract_warc(
    session: Any,
    path: str,
    wrapper: Wrapper,
    *,
    carry: Sequence[str] = (),
    error: str | None = None,
    meta: bool = False,
    partitions: int | None = None,
) -> Any:
    """The records of the pages of WARC files. Pages never leave the worker that reads them, so this is faster than to read
    pages as a table first. ``carry`` names columns of the WARC table. Each file is one task; with ``partitions``, there are
    that many tasks, each with several files.
    """
    register(session)
    reader = session.read.format("warc").option("wrapper", wrapper.to_json()).option("carry", ",".join(carry))
    reader = reader.option("meta", "true" if meta else "false")
    if partitions is not None:
        reader = reader.option("partitions", str(partitions))
    return (reader if error is None else reader.option("error", error)).load(path)


def extract_parquet(
    session: Any,
    path: str,
    wrapper: Wrapper,
    html: str = "html",
    url: str = "url",
    *,
    charset: str = "content_charset",
    carry: Sequence[str] = (),
    error: str | None = None,
    meta: bool = False,
    raw: bool = False,
    partitions: int | None = None,
) -> Any:
    """The records of the pages in Parquet files, as :func:`extract` gives them. Pages never leave the worker that reads them, so this
    is faster than to read them with Spark first. Each file is one task; with ``partitions``, there are that many tasks, each with
    several files. A path is a file, a directory or a pattern.
    """
    from wrapwright.spark.stored import NAME, StoredPages

    session.dataSource.register(StoredPages)
    settings = {"html": html, "url": url, "charset": charset, "carry": list(carry), "error": error, "meta": meta, "raw": raw}
    reader = session.read.format(NAME).option("wrapper", wrapper.to_json()).option("settings", json.dumps(settings))
    return reader.option("partitions", json.dumps(partitions)).load(path)


def check(
    df: Any, wrapper: Wrapper, html: str = "html", url: str = "url", *, charset: str = "content_charset"
) -> Check:
    """Compares what the wrapper gives on all pages of a data frame with what it gave when it was made: one verdict.

    Each partition is looked at where it is. What was found there merges, and is judged here.
    """

    def look(batches: Iterator[Any]) -> Iterator[Any]:
        return _batches.survey(batches, wrapper, html=html, url=url, charset=charset)

    def merge(batches: Iterator[Any]) -> Iterator[Any]:
        return _batches.merge(batches, wrapper)

    pages = df.select(*_batches.columns(df.columns, html, url, charset, ()))
    parts = pages.mapInArrow(look, "part string").repartition(_MERGERS).mapInArrow(merge, "part string")
    return wrapper.judge([row["part"] for row in parts.collect()])


def infer(
    df: Any,
    html: str = "html",
    url: str = "url",
    *,
    sample: int = 20,
    seed: int = 1,
    charset: str = "content_charset",
    **settings: Any,
) -> Wrapper:
    """Makes a wrapper from a sample of the pages of a data frame. They must be pages of one kind: filter them first.

    The same pages and the same seed give the same sample if there is a column with addresses. ``settings`` are those of
    :func:`wrapwright.infer`.
    """
    from pyspark.sql import functions as f

    names = _batches.columns(df.columns, html, url, charset, ())
    renamed = {html: "html", url: "url", charset: "content_charset"}
    pages = df.where(f.col(html).isNotNull()).select(*(f.col(name).alias(renamed[name]) for name in names))
    order = f.md5(f.concat(f.lit(f"{seed} "), f.coalesce(f.col("url"), f.lit("")))) if url in names else f.rand(seed)
    return _wrapwright.infer(pages.orderBy(order).limit(sample).toArrow(), sample=sample, seed=seed, **settings)


def _schema(df: Any, wrapper: Wrapper, carry: Sequence[str], error: str | None, meta: bool) -> Any:
    """The type of the records in Spark's terms."""
    from pyspark.sql import types

    from wrapwright.spark import _types

    fields = [df.schema[name] for name in carry] + _types.fields(_batches.schema(wrapper, meta=meta))
    if error is not None:
        fields.append(types.StructField(error, types.StringType(), True))
    names = [field.name for field in fields]
    twice = [name for at, name in enumerate(names) if name in names[:at]]
    if twice:
        raise ValueError(f"the result would have two columns {twice[0]!r}, expected one; rename the field or the column")
    return types.StructType(fields)
