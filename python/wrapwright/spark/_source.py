"""What data sources in Python share: the files of a path, on this machine or elsewhere, and columns as engines expect them."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

import pyarrow


def plain(column: Any) -> Any:
    """A column as engines expect it: a time without its zone, which is always UTC, and lists whose items are called
    ``element``, as Spark calls them. A cast does not rename items, so lists are put together again around the same values.
    """
    kind = column.type
    if pyarrow.types.is_timestamp(kind):
        return column.cast(pyarrow.timestamp("us"))
    if pyarrow.types.is_list(kind):
        items = plain(column.values)
        renamed = pyarrow.list_(pyarrow.field("element", items.type))
        # The first two buffers are the list's own: which are null, and where each begins.
        own = column.buffers()[:2]
        return pyarrow.Array.from_buffers(renamed, len(column), own, column.null_count, column.offset, [items])
    if pyarrow.types.is_struct(kind):
        inner = [plain(column.field(at)) for at in range(kind.num_fields)]
        names = [kind.field(at).name for at in range(kind.num_fields)]
        return pyarrow.StructArray.from_arrays(inner, names, mask=column.is_null())
    return column


def flag(options: Any, name: str) -> bool:
    return str(options.get(name, "false")).lower() == "true"


def files(path: str, endings: tuple[str, ...]) -> list[str]:
    """The files that a path stands for, in order."""
    path = path.removeprefix("file://")
    if "://" in path:
        import fsspec

        system, inner = fsspec.core.url_to_fs(path)
        if not any(sign in inner for sign in "*?["):
            return [path]
        return [system.unstrip_protocol(found) for found in sorted(system.glob(inner))]
    if os.path.isdir(path):
        return sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if name.endswith(endings)
        )
    if os.path.exists(path):
        return [path]
    return sorted(glob.glob(path, recursive=True))


def grouped(found: list[str], partitions: int | None) -> list[list[str]]:
    """The files of each partition: one file, or a number of partitions that are about equal."""
    if partitions is None or partitions >= len(found):
        return [[file] for file in found]
    if partitions < 1:
        raise ValueError(f"partitions: found {partitions}, expected 1 or more")
    return [found[at::partitions] for at in range(partitions)]


_TURNS = threading.BoundedSemaphore(os.cpu_count() or 1)
"""Some engines read all partitions at once, in threads of one process: without turns they would all have their pages in memory."""


def in_turn(batches: Iterator[Any]) -> Iterator[Any]:
    """The batches; in one process, as many are made at a time as there are processors."""
    while True:
        # Only while a batch is made: an engine may ask for batches of other partitions before the next of this one.
        with _TURNS:
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


@contextlib.contextmanager
def local(path: str, ending: str) -> Iterator[str]:
    """A file on this machine; a copy of one that is elsewhere has this ending."""
    if "://" not in path:
        yield path
        return
    import fsspec

    with tempfile.NamedTemporaryFile(suffix=ending) as copy, fsspec.open(path, "rb", compression=None) as remote:
        shutil.copyfileobj(remote, copy)
        copy.flush()
        yield copy.name
