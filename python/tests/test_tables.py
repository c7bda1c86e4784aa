"""Records in pandas, Polars, DuckDB and pyarrow, and pages from their tables. All but pyarrow's own work without it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import wrapwright as ww
from conftest import PAGES, SCHEMA, TYPED

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")
HAS_PYARROW = importlib.util.find_spec("pyarrow") is not None
needs_pyarrow = pytest.mark.skipif(not HAS_PYARROW, reason="pyarrow is not installed")

@pytest.fixture(scope="module")
def typed() -> ww.Wrapper:
    return ww.learn(PAGES[:2], TYPED, SCHEMA)


@pytest.fixture
def records(typed: ww.Wrapper) -> ww.Records:
    return typed.extract_many(PAGES)


quiet = pytest.mark.filterwarnings("ignore::wrapwright.errors.RunWarning")


@quiet
def test_dicts(records: ww.Records) -> None:
    import datetime

    first, _, last = records
    assert first["tags"] == ["sea", "green"] and first["out"] == datetime.date(2024, 3, 1)
    assert last["pages"] is None and last["tags"] == []
    assert last["_misfit"] == '{"pages":"many"}' and "_misfit" not in first


@quiet
def test_pandas(records: ww.Records) -> None:
    frame = records.to_pandas()
    assert list(frame.columns) == ["title", "price", "pages", "out", "tags", "_misfit"]
    assert [str(kind) for kind in frame.dtypes[["price", "pages", "out"]]] == ["Float64", "Int64", "datetime64[us]"]
    assert frame["price"].tolist() == [1299.5, 8.0, 9.75]
    assert frame["pages"].isna().tolist() == [False, False, True]
    assert frame["tags"].tolist() == [["sea", "green"], ["wood"], []]


def test_pandas_without_records_has_the_same_columns(typed: ww.Wrapper) -> None:
    frame = typed.extract_many([]).to_pandas()
    assert len(frame) == 0 and str(frame["pages"].dtype) == "Int64"


@quiet
def test_polars(records: ww.Records) -> None:
    frame = records.to_polars()
    assert frame.schema["pages"] == polars.Int64 and frame.schema["out"] == polars.Date
    assert frame.schema["tags"] == polars.List(polars.String)
    assert frame["price"].to_list() == [1299.5, 8.0, 9.75]
    assert frame["tags"].to_list() == [["sea", "green"], ["wood"], []]
    assert polars.DataFrame(records).equals(frame), "it is taken as it is"


@quiet
def test_duckdb(records: ww.Records) -> None:
    connection = duckdb.connect()
    relation = records.to_duckdb(connection)
    assert relation.aggregate("count(*), sum(pages), max(out)").fetchall()[0][:2] == (3, 19)
    assert relation.filter("len(tags) = 2").project("title").fetchall() == [("Kelp",)]
    assert len(records.to_duckdb().fetchall()) == 3


@quiet
@needs_pyarrow
def test_pyarrow(records: ww.Records) -> None:
    import pyarrow

    table = records.to_arrow()
    assert table.num_rows == 3 and table.schema.field("pages").type == pyarrow.int64()
    assert pyarrow.schema(records) == table.schema
    assert table.to_pylist()[0]["tags"] == ["sea", "green"]


def test_many_batches(typed: ww.Wrapper) -> None:
    count = 9000
    frame = typed.extract_many(PAGES[0] for _ in range(count)).to_polars()
    assert frame.height == count and frame["price"].sum() == 1299.5 * count


def test_pages_from_tables(wrapper: ww.Wrapper, shop: Path) -> None:
    bodies = [file.read_bytes() for file in sorted(shop.glob("*.html"))]
    urls = [f"http://a.test/{number}" for number in range(len(bodies))]
    texts = polars.DataFrame({"url": urls, "html": [body.decode() for body in bodies]})
    as_bytes = polars.DataFrame({"html": bodies})
    for table in (texts, as_bytes, [as_bytes]):
        assert len(wrapper.extract_many(table)) == 7
    rows = wrapper.extract_many(texts, meta=True)
    assert [row["_page"] for row in rows][-1] == "http://a.test/2"
    gaps = polars.DataFrame({"html": [bodies[0], None]})
    assert len(wrapper.extract_many(gaps)) == 3
    with pytest.raises(ValueError, match="columns a; expected html"):
        wrapper.extract_many(polars.DataFrame({"a": [1]}))
    with pytest.raises(ValueError, match="texts or bytes"):
        wrapper.extract_many(polars.DataFrame({"html": [1]}))


@needs_pyarrow
def test_pages_from_a_reader_in_python(wrapper: ww.Wrapper, shop: Path) -> None:
    import pyarrow

    schema = pyarrow.schema([("html", pyarrow.binary())])

    def batches() -> object:
        for file in sorted(shop.glob("*.html")):
            yield pyarrow.record_batch([[file.read_bytes()]], schema=schema)

    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    assert len(wrapper.extract_many(reader, threads=2)) == 7


def test_records_that_are_not_kept(typed: ww.Wrapper) -> None:
    records = typed.extract_many(PAGES[:2], keep=False)
    assert [row["title"] for row in records] == ["Kelp", "Moss"]
    assert list(records) == []
    with pytest.raises(ValueError, match="keep=True"):
        records.to_polars()
    with pytest.raises(ValueError, match="keep=True"):
        records[0]
    assert "<table" in records._repr_html_()


@quiet
def test_notebooks(records: ww.Records) -> None:
    assert "0 records, and more to come" in records._repr_html_(), "it waits for nothing"
    assert len(records) == 3
    assert "<td>Kelp</td>" in records._repr_html_()
