"""The notebook is executed, and what it shows is what is saved in it.

With WRAPWRIGHT_UPDATE_NOTEBOOK=1 it is saved as it is now; read what that changed.
"""

from __future__ import annotations

import copy
import os
import re
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
    texts = [each.get("text/html", each.get("text/plain")) for each in data]
    # How sure a repair is depends on weights that are measured anew from time to time.
    return [re.sub(r"\d+\s%", "N %", text) for text in texts if "dataframe" not in text]


@pytest.mark.filterwarnings("ignore")
def test_the_notebook() -> None:
    file = ROOT / "python" / "notebooks" / "shop.ipynb"
    saved = nbformat.read(file, as_version=4)
    fresh = copy.deepcopy(saved)
    place = {"metadata": {"path": str(ROOT)}}
    nbclient.NotebookClient(fresh, timeout=120, kernel_name="python3", resources=place).execute()
    assert len(fresh.cells) > 10
    if os.environ.get("WRAPWRIGHT_UPDATE_NOTEBOOK"):
        for cell in fresh.cells:
            cell.metadata.pop("execution", None)
        fresh.metadata["language_info"] = {"name": "python"}
        nbformat.write(fresh, file)
        return
    for before, now in zip(saved.cells, fresh.cells, strict=True):
        assert shown(now) == shown(before), before.source
