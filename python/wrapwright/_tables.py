"""Records as tables of other packages."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wrapwright._wrapwright import Records

# Types that have a missing value, so that a column has the same type on every run.
_PANDAS = {
    "integer": "Int64",
    "decimal": "Float64",
    "boolean": "boolean",
    "timestamp": "datetime64[us]",
    "date": "datetime64[us]",
}

_SHOWN = 20


def to_pandas(records: Records) -> Any:
    """A pandas data frame, made without pyarrow, so that it is the same whether pyarrow is there or not."""
    import pandas

    rows = list(records)
    columns = {}
    for name, sort in records.columns:
        values = [row.get(name) for row in rows]
        columns[name] = pandas.Series(values, dtype=_PANDAS.get(sort)) if rows else _empty(pandas, sort)
    return pandas.DataFrame(columns)


def _empty(pandas: Any, sort: str) -> Any:
    return pandas.Series([], dtype=_PANDAS.get(sort, "object"))


def to_polars(records: Records) -> Any:
    """A Polars data frame."""
    import polars

    return polars.DataFrame(records)


def to_arrow(records: Records) -> Any:
    """A pyarrow table."""
    import pyarrow

    return pyarrow.table(records)


def to_duckdb(records: Records, connection: Any = None) -> Any:
    """A relation of DuckDB, in the default database or in that of a connection."""
    import duckdb

    return (connection or duckdb).from_arrow(_reader(records))


def _reader(records: Records) -> Any:
    """What DuckDB takes: a reader of pyarrow if it is there, otherwise the records themselves."""
    try:
        import pyarrow
    except ImportError:
        return records
    return pyarrow.table(records)


def to_html(records: Records) -> str:
    """The first records that were got, as a table for notebooks. It waits for nothing."""
    got = records.summary["records"]
    names = [name for name, _ in records.columns]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    rows = []
    if records.summary["kept"]:
        for _, row in zip(range(min(got, _SHOWN)), records, strict=False):
            cells = "".join(f"<td>{html.escape(_short(row.get(name)))}</td>" for name in names)
            rows.append(f"<tr>{cells}</tr>")
    more = "" if records.summary["done"] else ", and more to come"
    return f"<table><tr>{head}</tr>{''.join(rows)}</table><p>{got} records{more}</p>"


def _short(value: object) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= 80 else text[:79] + "…"
