"""WARC files for tests."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path


def write(path: Path, pages: Iterable[tuple[str, bytes]], *, status: int = 200, media: str = "text/html") -> Path:
    """A file with a gzip member for each page."""
    with path.open("wb") as out:
        for url, body in pages:
            head = f"HTTP/1.1 {status} OK\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n\r\n"
            block = head.encode() + body
            fields = [
                "WARC/1.1",
                "WARC-Type: response",
                f"WARC-Target-URI: {url}",
                "WARC-Date: 2024-03-01T12:30:00Z",
                "Content-Type: application/http; msgtype=response",
                f"Content-Length: {len(block)}",
            ]
            record = "\r\n".join(fields).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"
            out.write(gzip.compress(record, 1, mtime=0))
    return path
