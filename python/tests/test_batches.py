"""Tables of pages in, tables of records out; WARC files as tables; and what runs on the workers of Spark. No Spark here."""

from __future__ import annotations

import datetime
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wrapwright as ww
from archive import write
from conftest import ROOT
from wrapwright import _wrapwright

pyarrow = pytest.importorskip("pyarrow")
from wrapwright.spark import _batches  # noqa: E402


def bodies(folder: Path) -> list[tuple[str, bytes]]:
    return [(f"http://a.test/{file.name}", file.read_bytes()) for file in sorted(folder.glob("*.html"))]


def batches(pages: list[tuple[str, bytes]], rows: int = 2) -> Iterator[Any]:
    table = pyarrow.table({"url": [url for url, _ in pages], "html": [body for _, body in pages]})
    return iter(table.to_batches(max_chunksize=rows))


def test_batches_of_pages_become_batches_of_records(wrapper: ww.Wrapper, shop: Path) -> None:
    made = list(_batches.extract(batches(bodies(shop)), wrapper))
    assert [batch.num_rows for batch in made] == [5, 2], "a batch for each batch"
    assert made[0].schema == _batches.schema(wrapper)
    assert pyarrow.Table.from_batches(made).to_pylist() == list(wrapper.extract_many(shop))
    assert list(_batches.extract(iter(()), wrapper)) == []


def test_batches_are_taken_as_they_are_needed(wrapper: ww.Wrapper, shop: Path) -> None:
    taken = []

    def pages() -> Iterator[Any]:
        for batch in batches(bodies(shop), 1):
            taken.append(batch)
            yield batch

    records = _batches.extract(pages(), wrapper)
    next(records)
    assert len(taken) < 3


def test_columns_of_the_page_and_errors(wrapper: ww.Wrapper, shop: Path, caplog: pytest.LogCaptureFixture) -> None:
    url, body = bodies(shop)[1]
    pages = [("http://a.test/pdf", b"%PDF-1.7"), (url, body)]
    made = list(_batches.extract(batches(pages), wrapper, carry=["url"], error="_error"))
    rows = pyarrow.Table.from_batches(made).to_pylist()
    assert rows[0]["url"] == "http://a.test/pdf" and rows[0]["title"] is None
    assert "found a PDF file" in rows[0]["_error"]
    assert rows[1] == {"url": url, **wrapper.extract(body)[0], "_error": None}
    with caplog.at_level(logging.WARNING):
        assert len(list(_batches.extract(batches(pages), wrapper))) == 1
    assert "1 pages could not be used; the first: http://a.test/pdf: found a PDF file" in caplog.text
    with pytest.raises(ValueError, match="two columns"):
        list(_batches.extract(batches(pages), wrapper.rename(title="url"), carry=["url"]))
    with pytest.raises(ValueError, match="expected page"):
        list(_batches.extract(batches(pages), wrapper, html="page"))


def test_a_table_is_read_once(wrapper: ww.Wrapper, shop: Path) -> None:
    table = wrapper.extract_table(pyarrow.Table.from_batches(list(batches(bodies(shop)))))
    assert pyarrow.table(table).num_rows == 7
    assert table.summary == {"pages": 3, "records": 7, "failures": 0} and table.messages == []
    with pytest.raises(ValueError, match="once"):
        pyarrow.table(table)


def test_parts_of_a_check_are_judged_as_one() -> None:
    lamps = ww.infer(ROOT / "examples/lamps/before")
    for folder, fine in (("before", True), ("after", False)):
        pages = bodies(ROOT / "examples/lamps" / folder)
        parts = [part for batch in batches(pages, 1) for part in _batches.survey(iter([batch]), lamps)]
        assert len(parts) == len(pages)
        merged = list(_batches.merge(iter(parts), lamps))
        assert len(merged) == 1
        texts = merged[0].column(0).to_pylist()
        assert bool(lamps.judge(texts)) is fine
        backwards = list(_batches.merge(reversed(parts), lamps))[0].column(0).to_pylist()
        assert backwards == texts, "the order of parts does not matter"
        whole = lamps.check(pages).to_dict()
        assert lamps.judge(texts).to_dict()["counts"] == whole["counts"]
    assert list(_batches.survey(iter(()), lamps)) == list(_batches.merge(iter(()), lamps)) == []
    with pytest.raises(ww.errors.CheckError, match="no page"):
        lamps.judge([])
    with pytest.raises(ww.errors.CheckError, match="not a part of a check"):
        lamps.judge(["{}"])


def test_a_warc_file_is_a_table(shop: Path, tmp_path: Path) -> None:
    pages = bodies(shop)
    file = write(tmp_path / "a.warc.gz", pages)
    table = pyarrow.table(_wrapwright.warc(file))
    assert table.schema == pyarrow.schema(_wrapwright.warc_columns())
    assert table["url"].to_pylist() == [url for url, _ in pages] and table["html"].to_pylist() == [b for _, b in pages]
    first = table.to_pylist()[0]
    assert first["fetch_status"] == 200 and first["content_mime_type"] == "text/html"
    assert first["fetch_time"].replace(tzinfo=None) == datetime.datetime(2024, 3, 1, 12, 30)
    assert sum(table["warc_record_length"].to_pylist()) == file.stat().st_size
    missing = write(tmp_path / "b.warc.gz", pages[:1], status=404)
    assert pyarrow.table(_wrapwright.warc(missing)).num_rows == 0
    assert pyarrow.table(_wrapwright.warc(missing, all=True))["content"].to_pylist() == [pages[0][1]]
    damaged = tmp_path / "c.warc.gz"
    damaged.write_bytes(file.read_bytes()[:-40])
    cut = _wrapwright.warc(damaged)
    assert pyarrow.table(cut).num_rows == 2 and "ends in the middle" in cut.messages[0]
    with pytest.raises(FileNotFoundError):
        _wrapwright.warc(tmp_path / "none.warc")


def test_records_are_those_of_the_command(wrapper: ww.Wrapper, shop: Path, tmp_path: Path) -> None:
    """Byte for byte: both tables as Arrow's own file."""
    import pyarrow.parquet

    latin = [("http://a.test/latin", (shop / "page-1.html").read_bytes().decode().encode("latin-1", "replace"))]
    file = write(tmp_path / "a.warc.gz", bodies(shop) + latin, media="text/html; charset=iso-8859-1")
    wrapper.save(tmp_path / "shop.wrapper.json")
    target = tmp_path / "out.parquet"
    command = [sys.executable, "-m", "wrapwright", "extract", tmp_path / "shop.wrapper.json", file, "-o", target]
    subprocess.run([str(part) for part in command], check=True, timeout=60)
    plain = pyarrow.parquet.read_table(target)
    pages = pyarrow.RecordBatchReader.from_stream(_wrapwright.warc(file))
    ours = pyarrow.table(wrapper.extract_table(pages, meta=True))
    assert serialized(ours) == serialized(plain)


def serialized(table: Any) -> bytes:
    """A table as bytes, whatever batches it came in."""
    sink = pyarrow.BufferOutputStream()
    table = table.combine_chunks().replace_schema_metadata(None)
    with pyarrow.ipc.new_stream(sink, table.schema) as out:
        out.write_table(table)
    return bytes(sink.getvalue())
