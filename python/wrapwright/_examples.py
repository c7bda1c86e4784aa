"""Examples and schemas as Python's programs have them, as the JSON that the library reads."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def examples(given: Any, names: list[str]) -> str:
    """Examples: a path, a mapping of page names to records, or a list with the records of each page in order.

    The records of a page are a list of dicts, or a dict if a page is one record. None in the list is a page without
    examples.
    """
    if isinstance(given, (str, os.PathLike)):
        return Path(given).read_text(encoding="utf-8")
    if isinstance(given, Mapping):
        pages = {str(name): _plain(records) for name, records in given.items()}
        return json.dumps(pages, ensure_ascii=False)
    if not isinstance(given, Sequence):
        raise TypeError(f"examples are {type(given).__name__}, expected a dict, a list or a path")
    if len(given) > len(names):
        raise ValueError(f"found examples for {len(given)} pages, and {len(names)} pages")
    pages = {}
    for name, records in zip(names, given, strict=False):
        if records is None:
            continue
        if name in pages:
            raise ValueError(f"two pages are called {name!r}; give examples by name")
        pages[name] = _plain(records)
    return json.dumps(pages, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """Values as texts, because that is what a page says."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(end, int) for end in value):
        # Two offsets into the source.
        return list(value)
    if isinstance(value, Sequence):
        return [_plain(inner) for inner in value]
    return str(value)


def schema(given: Any, _names: list[str]) -> str:
    """A schema: a JSON Schema as a dict, the text of a JSON Schema or a DTD, or the path of a file with one."""
    if isinstance(given, Mapping):
        return json.dumps(given, ensure_ascii=False)
    text = os.fspath(given)
    if isinstance(text, str) and text.lstrip().startswith(("{", "<")):
        return text
    return Path(text).read_text(encoding="utf-8")
