"""The notebook is executed, and what it shows is what is saved in it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from conftest import ROOT

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")


def shown(cell: Any) -> list[str]:
    """What a cell shows, as HTML where there is some. Tables of pandas have styles that change with its version."""
    if cell.cell_type != "code":
        return []
    data = [output.get("data", {}) for output in cell.outputs]
    assert all(output.output_type != "error" for output in cell.outputs)
    return [each.get("text/html", each.get("text/plain")) for each in data if "dataframe" not in each.get("text/html", "")]


@pytest.mark.filterwarnings("ignore")
def test_the_notebook() -> None:
    saved = nbformat.read(ROOT / "python" / "notebooks" / "shop.ipynb", as_version=4)
    fresh = copy.deepcopy(saved)
    place = {"metadata": {"path": str(ROOT)}}
    nbclient.NotebookClient(fresh, timeout=120, kernel_name="python3", resources=place).execute()
    assert len(fresh.cells) > 10
    for before, now in zip(saved.cells, fresh.cells, strict=True):
        assert shown(now) == shown(before), before.source
