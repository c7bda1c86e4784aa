"""Pages, what expressions find on them, and errors."""

from __future__ import annotations

import gc
import pickle
import sys
import traceback
from pathlib import Path

import pytest

import wrapwright as ww

HTML = '<ul id=u><li class="a b">Kelp <b>1</b></li><li>Tides</li></ul><p>5 &lt; 6 &amp; 7</p>'


@pytest.fixture
def page() -> ww.Page:
    return ww.Page(HTML, url="http://a.test/x")


def test_what_expressions_find(page: ww.Page) -> None:
    assert page.xpath("//li").getall() == ['<li class="a b">Kelp <b>1</b></li>', "<li>Tides</li>"]
    assert page.css("li::text").getall() == ["Kelp ", "Tides"]
    assert page.css("li::attr(class)").get() == "a b"
    assert page.css("h1").get() is None
    assert page.css("h1").get("none") == "none"
    assert page.xpath("count(//li)").value == 2.0
    assert page.xpath("count(//li)").get() == "2"
    assert page.xpath("//li = 'Tides'").value is True
    assert page.xpath("string(//b)").value == "1"
    assert page.xpath("//li").value is None
    assert page.xpath("//li[. = $name]", name="Tides").get() == "<li>Tides</li>"
    assert page.xpath("//li[$n]", n=2).texts == ["Tides"]
    assert page.text == "Kelp 1Tides5 < 6 & 7"
    assert page.url == "http://a.test/x"
    assert page.html.startswith("<html><head></head><body><ul")


def test_results_are_sequences(page: ww.Page) -> None:
    found = page.css("li")
    assert len(found) == 2 and bool(found)
    assert [node.text for node in found] == ["Kelp 1", "Tides"]
    assert found[-1].text == "Tides"
    assert found[::-1].texts == ["Tides", "Kelp 1"]
    assert found[5:].getall() == []
    assert not page.css("h1")
    with pytest.raises(IndexError):
        found[2]
    assert found.attrib == {"class": "a b"}
    assert page.css("h1").attrib == {}
    assert found.css("b").get() == "<b>1</b>"
    assert found.xpath("..").getall() == page.css("ul").getall(), "each node once"
    assert found.re(r"\w+s") == ["class", "Tides"]
    assert found.re_first(r"(?P<extract>T\w+)") == "Tides"
    assert found.re_first(r"x+", "none") == "none"


def test_nodes(page: ww.Page) -> None:
    node = page.css("b")[0]
    assert (node.name, node.kind, node.text, node.html, node.inner_html) == ("b", "element", "1", "<b>1</b>", "1")
    assert node.parent is not None and node.parent.name == "li"
    assert page.xpath(node.path)[0] == node
    assert node != page.css("li")[0]
    assert len({node, page.css("b")[0]}) == 1
    assert page.css("li")[1].css("b").get() is None, "only what is below"
    assert ww.Page("<p>a<br>b").css("p")[0].xml == "<p>a<br/>b</p>"
    assert page.xpath("//@class")[0].kind == "attribute"
    assert page.xpath("//p/text()").get() == "5 < 6 & 7"


def test_pages_from_bytes_are_decoded_as_browsers_do() -> None:
    assert ww.Page("<p>Größe".encode()).text == "Größe"
    assert ww.Page(b"<meta charset=koi8-r><p>\xe4").text == "Д"
    assert ww.Page(b"<p>\xe4", charset="koi8-r").encoding == "KOI8-R"
    assert ww.Page(bytearray(b"<p>x")).text == ww.Page(memoryview(b"<p>x")).text == "x"
    with pytest.raises(LookupError, match="nope"):
        ww.Page(b"", charset="nope")
    with pytest.raises(TypeError):
        ww.Page(7)  # type: ignore[arg-type]
    with pytest.raises(ww.errors.PageError, match="max_page_bytes"):
        ww.Page("x" * 11, max_page_bytes=10)


def test_pages_from_files(shop: Path) -> None:
    assert ww.Page.open(shop / "page-1.html").css("title::text").get() is not None
    with pytest.raises(FileNotFoundError):
        ww.Page.open(shop / "missing.html")


def test_compiled_expressions_travel() -> None:
    find = ww.xpath.compile("//li[. = $name]", name="Tides")
    again = pickle.loads(pickle.dumps(find))
    assert again == find and hash(again) == hash(find) and again.source == find.source
    page = ww.Page(HTML)
    assert again(page).get() == "<li>Tides</li>"
    assert ww.xpath.compile("b")(page.css("li")[0]).texts == ["1"]
    with pytest.raises(TypeError):
        find("<li>")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="name"):
        ww.xpath.compile("$name", name=[])  # type: ignore[arg-type]
    copy = pickle.loads(pickle.dumps(ww.Page(b"<p>\xe4", "http://a.test/", "koi8-r")))
    assert (copy.text, copy.url) == ("Д", "http://a.test/")


def test_a_node_keeps_its_page() -> None:
    found = ww.Page("<li>Kelp<li>Tides").css("li")
    gc.collect()
    node = found[1]
    del found
    gc.collect()
    assert node.get() == "<li>Tides</li>"


def test_errors_of_expressions_have_a_caret() -> None:
    with pytest.raises(ww.ExpressionError) as caught:
        ww.xpath.compile("//a[\n  foo(1)\n]")
    error = caught.value
    assert isinstance(error, SyntaxError) and isinstance(error, ww.WrapwrightError)
    assert (error.lineno, error.offset, error.text) == (2, 3, "  foo(1)")
    shown = traceback.format_exception_only(ww.ExpressionError, error)
    assert shown[0] == '  File "<xpath>", line 2\n' and shown[1] == "    foo(1)\n" and shown[2].startswith("    ^^^")
    assert "wrapwright.errors.ExpressionError: unknown function `foo`\n" in shown
    assert "2 |   foo(1)" in str(error)
    assert error.diagnostics[0]["code"] == "XPST0017"
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.diagnostics == error.diagnostics
    with pytest.raises(ww.ExpressionError) as caught:
        ww.Page("").css("a:hover")
    assert caught.value.offset == 2
    with pytest.raises(ww.errors.EvaluationError):
        ww.Page("<p>(").xpath("matches('a', //p)")
    hinted = pickle.loads(pickle.dumps(ww.errors.RunError("it failed", "try again")))
    assert (str(hinted), hinted.hint) == ("it failed\nhint: try again", "try again")


def test_expressions_that_were_compiled_are_forgotten_at_some_time() -> None:
    page = ww.Page("<p>x")
    for number in range(2000):
        assert page.xpath(f"//p[{number} = {number}]").get() == "<p>x</p>"


def test_messages_are_in_the_words_of_python(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="found int, expected the page as bytes or str"):
        ww.Page(12)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match='got an unexpected keyword argument "fiels"'):
        ww.infer(tmp_path, fiels=["x"])
    with pytest.raises(FileNotFoundError) as missing:
        ww.Wrapper.load(tmp_path / "none.json")
    assert str(missing.value) == f"[Errno 2] No such file or directory: '{tmp_path / 'none.json'}'"
    with pytest.raises(ww.ExpressionError) as unbound:
        ww.Page("<p>").xpath("//p[. = $word]")
    assert unbound.value.hint == "give its value as an argument: word=…"
    with pytest.raises(ww.ExpressionError) as unbound:
        ww.run("doc($site)//h1:<x>[.:<t=.>]")
    assert unbound.value.hint == 'give its value as an argument: bindings={"site": …}'
    with pytest.raises(ww.ExpressionError) as nowhere:
        ww.run("nowhere.oxp")
    assert nowhere.value.hint == "there is no file nowhere.oxp, so this was read as an expression"
    if sys.version_info >= (3, 11):
        assert nowhere.value.__notes__ == [f"hint: {nowhere.value.hint}"]
