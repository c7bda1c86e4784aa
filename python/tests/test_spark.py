"""Spark, with two threads on this machine, and Sail, which speaks Spark Connect without Java. ``scripts/python --spark``
installs both; otherwise these tests say that they cannot run."""

from __future__ import annotations

import doctest
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wrapwright as ww
from archive import write
from conftest import PAGES, ROOT, SCHEMA, TYPED

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed; scripts/python --spark does that")
pyarrow = pytest.importorskip("pyarrow")
import pyarrow.parquet  # noqa: E402

from wrapwright import _wrapwright  # noqa: E402
from wrapwright import spark as ws  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module", params=["spark", "sail"])
def session(request: pytest.FixtureRequest) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    if request.param == "spark":
        if not (Path(pyspark.__file__).parent / "jars").is_dir():
            pytest.skip("this is the client of Spark alone; the package pyspark has all of it")
        if shutil.which("java") is None:
            pytest.skip("Java is not installed; Debian has it as openjdk-17-jre-headless")
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        made = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
        yield made
        made.stop()
        return
    pytest.importorskip("pysail", reason="pysail is not installed; scripts/python --spark does that")
    from pysail.spark import SparkConnectServer

    server = SparkConnectServer(port=0)
    server.start(background=True)
    _, port = server.listening_address
    made = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
    yield made
    made.stop()
    server.stop()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two WARC files with the pages of the shop."""
    folder = tmp_path_factory.mktemp("crawl")
    pages = [(f"http://a.test/{file.name}", file.read_bytes()) for file in sorted((ROOT / "examples/shop").glob("*.html"))]
    write(folder / "1.warc.gz", pages[:2])
    write(folder / "2.warc.gz", pages[2:])
    return folder


@pytest.fixture
def pages(session: Any, files: Path) -> Any:
    ws.register(session)
    return session.read.format("warc").load(str(files))


def test_a_crawl_is_a_table(session: Any, files: Path, pages: Any) -> None:
    assert pages.columns[:4] == ["url", "url_host_name", "fetch_time", "fetch_status"] and pages.columns[-1] == "html"
    rows = pages.orderBy("url").collect()
    assert [row.url for row in rows] == [f"http://a.test/page-{at}.html" for at in (1, 2, 3)]
    assert bytes(rows[0].html) == (ROOT / "examples/shop/page-1.html").read_bytes()
    assert {row.fetch_status for row in rows} == {200}
    few = session.read.format("warc").schema("url string, html binary").load(f"{files}/1*.gz")
    assert few.columns == ["url", "html"] and few.count() == 2


def test_extract_gives_what_the_command_gives(
    session: Any, pages: Any, wrapper: ww.Wrapper, files: Path, tmp_path: Path
) -> None:
    from test_batches import serialized

    plain = wrapper.extract_many(sorted(files.glob("*.gz")), meta=True).to_arrow()
    made = ws.extract(pages, wrapper, meta=True)
    assert made.columns == plain.schema.names
    table = made.toArrow()
    order = [("_page", "ascending"), ("_record", "ascending"), ("title", "ascending")]
    # Engines may say of a column that it has no nulls; types and values are the same.
    assert serialized(table.cast(plain.schema).sort_by(order)) == serialized(plain.sort_by(order))
    direct = ws.extract_warc(session, str(files), wrapper, meta=True).toArrow()
    assert serialized(direct.cast(plain.schema).sort_by(order)) == serialized(plain.sort_by(order))
    for number, part in enumerate(sorted(files.glob("*.gz"))):
        table = pyarrow.table(_wrapwright.warc(part)).select(["url", "html"])
        pyarrow.parquet.write_table(table, tmp_path / f"{number}.parquet")
    stored = ws.extract_parquet(session, str(tmp_path), wrapper, meta=True).toArrow()
    assert serialized(stored.cast(plain.schema).sort_by(order)) == serialized(plain.sort_by(order))
    # Both files in one task.
    direct = ws.extract_warc(session, str(files), wrapper, meta=True, partitions=1)
    stored = ws.extract_parquet(session, str(tmp_path), wrapper, meta=True, partitions=1)
    for made in (direct, stored):
        assert serialized(made.toArrow().cast(plain.schema).sort_by(order)) == serialized(plain.sort_by(order))
    with pytest.raises(Exception, match="expected 1 or more"):
        ws.extract_warc(session, str(files), wrapper, partitions=0).count()
    carried = ws.extract_warc(session, f"{files}/1*", wrapper, carry=["url", "fetch_time"], error="_error")
    assert carried.columns == ["url", "fetch_time", "title", "author", "price", "_error"]
    assert carried.where("url like '%page-1%'").count() == 3
    carried = ws.extract_parquet(session, f"{tmp_path}/0*", wrapper, carry=["url"], error="_error")
    assert carried.columns == ["url", "title", "author", "price", "_error"]
    assert carried.where("url like '%page-1%'").count() == 3
    with pytest.raises(Exception, match="found no Parquet file"):
        ws.extract_parquet(session, str(files), wrapper).count()
    with pytest.raises(Exception, match="expected page"):
        ws.extract_parquet(session, str(tmp_path), wrapper, "page").count()


def test_files_are_grouped_evenly() -> None:
    from wrapwright.spark import _source

    names = [str(number) for number in range(7)]
    assert _source.grouped(names, None) == _source.grouped(names, 9) == [[name] for name in names]
    groups = _source.grouped(names, 3)
    assert [len(group) for group in groups] == [3, 2, 2]
    assert sorted(sum(groups, [])) == names


def test_columns_come_along_and_errors_too(session: Any, wrapper: ww.Wrapper) -> None:
    text = (ROOT / "examples/shop/page-2.html").read_text()
    df = session.createDataFrame([(1, "u1", text), (2, "u2", None), (3, "u3", "<p>nothing")], "id int, at string, page string")
    made = ws.extract(df, wrapper, "page", "at", carry=["id", "at"], error="_error")
    assert made.columns == ["id", "at", "title", "author", "price", "_error"]
    rows = made.where("id = 1").collect()
    assert [row.title for row in rows] == [row["title"] for row in wrapper.extract(text)]
    assert {(row.id, row.at, row._error) for row in rows} == {(1, "u1", None)}
    with pytest.raises(ValueError, match="expected html"):
        ws.extract(df, wrapper)
    with pytest.raises(ValueError, match="two columns"):
        ws.extract(df, wrapper.rename(title="at"), "page", carry=["at"])


def test_types_are_those_of_the_records(session: Any, tmp_path: Path) -> None:
    typed = ww.learn(PAGES[:2], TYPED, SCHEMA)
    df = session.createDataFrame([(page,) for page in PAGES], "html string")
    made = ws.extract(df, typed)
    kinds = {field.name: field.dataType.simpleString() for field in made.schema.fields}
    expected = {"price": "double", "pages": "bigint", "out": "date", "tags": "array<string>"}
    assert kinds == {"title": "string", **expected, "_misfit": "string"}
    file = write(tmp_path / "typed.warc.gz", [(f"http://a.test/{at}", page.encode()) for at, page in enumerate(PAGES)])
    direct = ws.extract_warc(session, str(file), typed)
    assert direct.schema.simpleString() == made.schema.simpleString()
    for records in (made, direct):
        rows = sorted(records.collect(), key=lambda row: row.price)
        assert [row.price for row in rows] == [8.0, 9.75, 1299.5] and rows[2].tags == ["sea", "green"]


def test_nested_columns_keep_their_values() -> None:
    from wrapwright.spark._source import plain

    rows = [[{"a": ["x", "y"], "b": None}], [], [{"a": [], "b": "z"}, None]]
    column = pyarrow.array(rows, pyarrow.list_(pyarrow.struct([("a", pyarrow.list_(pyarrow.string())), ("b", pyarrow.string())])))
    for part in (column, column.slice(1)):
        made = plain(part)
        made.validate(full=True)
        assert made.to_pylist() == part.to_pylist() and str(made.type).startswith("list<element: struct<a: list<element:")


def test_check_judges_once(session: Any) -> None:
    lamps = ww.infer(ROOT / "examples/lamps/before")
    for folder, fine in (("before", True), ("after", False)):
        files = sorted((ROOT / "examples/lamps" / folder).glob("*.html"))
        df = session.createDataFrame([(file.name, file.read_text()) for file in files], "url string, html string")
        report = ws.check(df.repartition(3), lamps)
        assert report.fine is fine and sum(report.to_dict()["counts"].values()) == len(files)


def test_infer_samples(session: Any) -> None:
    files = sorted((ROOT / "examples/lamps/before").glob("*.html"))
    df = session.createDataFrame([(file.name, file.read_text()) for file in files], "url string, html string")
    made = ws.infer(df, sample=20)
    again = ws.infer(df.repartition(3), sample=20)
    assert made.fields.names == again.fields.names == ww.infer(ROOT / "examples/lamps/before").fields.names


def test_the_guide(session: Any, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "spark.md").read_text()
    lines = ["" if line.startswith("```") else line for line in text.splitlines()]
    names = {"spark": session, "crawl": str(files), "stored": str(tmp_path / "pages")}
    test = doctest.DocTestParser().get_doctest("\n".join(lines), names, "spark.md", "docs/spark.md", 0)
    assert len(test.examples) > 5
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0
