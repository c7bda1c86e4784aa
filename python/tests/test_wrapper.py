"""Making wrappers, extraction, checks and repairs."""

from __future__ import annotations

import gc
import pickle
from pathlib import Path

import pytest

import wrapwright as ww
from conftest import ROOT

TITLES = [
    "The Tin Compass",
    "Salt and Ledger",
    "A Field Guide to Lighthouses",
    "The Quiet Press",
    "Kelp",
    "Nine Harbours",
    "Rope Work",
]


def titles(records: object) -> list[str]:
    return [record["title"] for record in records]  # type: ignore[attr-defined]


def test_infer_keep_extract_many_to_a_data_frame() -> None:
    # The lines of the README.
    import wrapwright as ww

    wrapper = ww.infer(ROOT / "examples" / "shop", method="regions")
    wrapper = wrapper.keep("title", "author", "price").rename(author="writer")
    frame = wrapper.extract_many(ROOT / "examples" / "shop").to_pandas()

    assert list(frame.columns) == ["title", "writer", "price"]
    assert list(frame["title"]) == TITLES
    assert frame["price"][0] == "12.50"


def test_pages_from_anything_give_the_same_records(wrapper: ww.Wrapper, shop: Path, tmp_path: Path) -> None:
    files = sorted(shop.glob("*.html"))
    bodies = [file.read_bytes() for file in files]
    texts = [body.decode() for body in bodies]
    warc = tmp_path / "shop.warc"
    warc.write_bytes(
        b"".join(
            b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\nWARC-Target-URI: http://a.test/%d\r\n"
            b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (number, len(body), body)
            for number, body in enumerate(bodies)
        )
    )

    class Response:
        def __init__(self, url: str, body: bytes) -> None:
            self.url, self.body = url, body

    for pages in (
        shop,
        str(shop),
        files,
        bodies,
        texts,
        [ww.Page(body) for body in bodies],
        (ww.Page.open(file) for file in files),
        [("http://a.test/1", bodies[0]), *texts[1:]],
        [Response("http://a.test/", body) for body in bodies],
        warc,
        [files[0], [bodies[1], texts[2]]],
    ):
        assert titles(wrapper.extract_many(pages, threads=2)) == TITLES
    rows = wrapper.extract_many([("http://a.test/1", bodies[0])], meta=True)
    assert rows[0]["_page"] == "http://a.test/1"
    assert titles(wrapper.extract(files[0])) == TITLES[:3]
    with pytest.raises(TypeError, match="extract_many"):
        wrapper.extract(shop)
    with pytest.raises(TypeError, match="int"):
        list(wrapper.extract_many([7]))  # type: ignore[list-item]


def test_pages_that_cannot_be_read_do_not_stop_the_others(wrapper: ww.Wrapper, shop: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.html"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    records = wrapper.extract_many([picture, *sorted(shop.glob("*.html"))])
    with pytest.warns(ww.errors.RunWarning, match="1 page failed"):
        assert titles(records) == TITLES
    assert records.summary["pages"] == 4 and records.summary["failures"] == 1
    assert "PNG" in records.messages[0]
    with pytest.raises(ww.errors.RunError, match="PNG"):
        list(wrapper.extract_many(picture))
    with pytest.raises(ww.errors.PageError, match="no such file"):
        wrapper.extract_many(tmp_path / "missing.html")


def test_records_are_a_sequence_and_stream(wrapper: ww.Wrapper, shop: Path) -> None:
    taken = 0

    def pages() -> object:
        nonlocal taken
        for _ in range(100):
            for file in sorted(shop.glob("*.html")):
                taken += 1
                yield file

    records = wrapper.extract_many(pages(), threads=1)  # type: ignore[arg-type]
    first = next(iter(records))
    assert first["title"] == TITLES[0]
    assert taken < 50, "pages are taken as they are needed"
    assert "so far" in repr(records)
    records.close()
    got = records.summary["records"]
    assert len(list(records)) == got == len(records) == len(list(records)), "what was got is kept"
    assert records[0] == first and records[-1]["title"] == records[got - 1]["title"]
    assert titles(records[:3]) == TITLES[:3]
    told: list[tuple[int, int]] = []
    assert len(wrapper.extract_many(shop, progress=lambda *counts: told.append(counts))) == 7
    assert told[-1] == (3, 7)


def test_an_error_of_the_pages_is_raised(wrapper: ww.Wrapper) -> None:
    def pages() -> object:
        yield b"<p>x"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(wrapper.extract_many(pages()))  # type: ignore[arg-type]


def test_what_is_kept_outlives_its_wrapper(shop: Path) -> None:
    wrapper = ww.infer(shop, method="regions")
    page = ww.Page.open(shop / "page-1.html")
    records = wrapper.extract_many(page)
    found = page.css("li")
    del wrapper, page
    gc.collect()
    assert titles(records) == TITLES[:3]
    assert found[0].text


def test_wrappers_are_saved_and_travel(wrapper: ww.Wrapper, shop: Path, tmp_path: Path) -> None:
    file = tmp_path / "shop.wrapper.json"
    wrapper.save(file)
    loaded = ww.Wrapper.load(file)
    assert loaded == wrapper == pickle.loads(pickle.dumps(wrapper))
    assert titles(loaded.extract_many(shop)) == TITLES
    with pytest.raises(FileNotFoundError):
        ww.Wrapper.load(tmp_path / "missing.json")
    with pytest.raises(ww.errors.WrapperError):
        ww.Wrapper.from_json("{}")
    with pytest.raises(OSError):
        wrapper.save(tmp_path / "no" / "such" / "directory.json")


def test_fields(wrapper: ww.Wrapper) -> None:
    assert wrapper.fields.names == ["title", "author", "price"]
    field = wrapper.fields[0]
    assert (field.name, field.records, field.of, field.shown) == ("title", 7, 7, True)
    assert "The Tin Compass" in field.samples
    assert "The Tin Compass" in str(wrapper.fields)
    assert wrapper.fields._repr_html_().startswith("<table") and wrapper._repr_html_().startswith("<table")
    assert wrapper.drop("price").fields.names == ["title", "author"]
    assert wrapper.keep(["price", "title"]).fields.names == ["price", "title"]
    assert wrapper.fields.names == ["title", "author", "price"], "it did not change"
    with pytest.raises(ww.errors.LearnError, match="nope"):
        wrapper.keep("nope")
    assert "title" in repr(wrapper)


def test_learn_from_examples() -> None:
    pages = ["<ul><li><b>Congo</b> 242</li><li><b>Egypt</b> 20</li></ul>", "<ul><li><b>Peru</b> 51</li></ul>"]
    by_place = ww.learn(pages, [[{"name": "Congo", "code": 242}, {"name": "Egypt", "code": 20}], None])
    by_name = ww.learn(
        [("http://a.test/1", pages[0])],
        {"http://a.test/1": [{"name": "Congo", "code": "242"}, {"name": "Egypt", "code": "20"}]},
    )
    for wrapper in (by_place, by_name):
        assert wrapper.extract(pages[1]) == [{"name": "Peru", "code": "51"}]
    with pytest.raises(ww.errors.LearnError, match="nope"):
        ww.learn(pages, {"nope": [{"name": "Congo"}]})
    with pytest.raises(ValueError, match="expected examples"):
        ww.learn(pages)


def test_learn_with_a_schema_gives_typed_values() -> None:
    page = "<h1>%s</h1><p>Price: <b>%s</b></p><p>Pages: <i>%d</i></p><p>Out: <time>%s</time></p>"
    pages = [
        page % ("Kelp", "$1,299.50", 12, "2024-03-01"),
        page % ("Moss", "$8.00", 7, "2023-11-30"),
        page % ("Fern", "$9.75", 120, "2022-01-15"),
    ]
    schema = {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "price": {"type": "number"},
            "pages": {"type": "integer"},
            "out": {"type": "string", "format": "date"},
        },
    }
    examples = [
        {"title": "Kelp", "price": "$1,299.50", "pages": "12", "out": "2024-03-01"},
        {"title": "Moss", "price": "$8.00", "pages": "7", "out": "2023-11-30"},
    ]
    wrapper = ww.learn(pages, examples, schema)
    import datetime

    assert wrapper.extract(pages[2]) == [
        {"title": "Fern", "price": 9.75, "pages": 120, "out": datetime.date(2022, 1, 15)}
    ]
    records = wrapper.extract_many(pages)
    assert dict(records.columns)["pages"] == "integer"
    frame = records.to_pandas()
    assert frame["pages"].sum() == 139 and frame["out"].max().year == 2024


def test_check_and_repair() -> None:
    lamps = ROOT / "examples" / "lamps"
    wrapper = ww.infer(lamps / "before")
    check = wrapper.check(lamps / "before")
    assert check and check.fine and check.to_dict()["fine"] is True
    assert "works as it did" in str(check) and "<svg" in check._repr_html_()
    changed = wrapper.check(lamps / "after")
    assert not changed and "changed" in repr(changed)
    assert wrapper.repair(lamps / "before").outcome == "healthy"
    repair = wrapper.repair(lamps / "after")
    assert repair and repair.wrapper is not None and repair.outcome in ("repaired", "partly")
    assert "<td" in repair._repr_html_() and repair.to_dict()["fields"]  # type: ignore[index]
    assert repair.wrapper.check(lamps / "after")
    accepted = wrapper.accept(lamps / "before")
    assert accepted.check(lamps / "before")


def test_show() -> None:
    lamps = ROOT / "examples" / "lamps" / "before"
    wrapper = ww.infer(lamps)
    view = wrapper.show()
    assert "landmark wrapper of 8 fields" in str(view) and view._repr_html_().startswith("<table")
    page = wrapper.show(sorted(lamps.glob("*.html"))[0])
    assert "<ww-v>" in page.html and page._repr_html_().startswith("<iframe sandbox")


def test_inference_says_what_is_wrong() -> None:
    with pytest.raises(ww.errors.LearnError) as caught:
        ww.infer(["<p>a</p>", "<p>a</p>"])
    assert caught.value.hint is not None
    with pytest.raises(ValueError, match="method"):
        ww.infer(["<p>a"], method="magic")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="did you mean timeout"):
        ww.infer(["<p>a"], timout=3)


EVENTS = """{"wrapwright": 1, "kind": "oxpath", "schema": {"name": "item", "fields": [{"name": "name", "kind": "text"}]},
  "rule": "doc('a')//li:<item>[? b:<name(required)=string(.)>]"}"""


def test_a_required_field_is_told() -> None:
    wrapper = ww.Wrapper.from_json(EVENTS)
    whole, gap = b"<ul><li><b>Kelp</b></ul>", b"<ul><li><i>2</i></ul>"
    assert list(wrapper.extract_many([whole])) == [{"name": "Kelp"}]
    with pytest.warns(ww.errors.RunWarning, match="1 `item` record lacks the required field `name`: on page-2"):
        assert len(list(wrapper.extract_many([whole, gap]))) == 2
