"""The examples in the documentation are run."""

from __future__ import annotations

import doctest
import importlib

import pytest

from conftest import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def test_the_guide(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("web_poet")
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "python.md").read_text()
    # A fence after an example would be taken for its output.
    lines = ["" if line.startswith("```") else line for line in text.splitlines()]
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, "python.md", "docs/python.md", 0)
    assert len(test.examples) > 20
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert result.failed == 0


@pytest.mark.parametrize("name", ["wrapwright", "wrapwright.xpath", "wrapwright.parsel"])
def test_modules(name: str) -> None:
    if name.endswith("parsel"):
        pytest.importorskip("parsel")
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0 and result.attempted > 0


