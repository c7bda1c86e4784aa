"""What tests share: the bundled shop, a real HTTP server on loopback, and the demo site of the command."""

from __future__ import annotations

import http.server
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import wrapwright as ww

ROOT = Path(__file__).resolve().parents[2]
SHOP = ROOT / "examples" / "shop"

# Pages with values of several types, and what is on the first two.
PAGE = "<h1>%s</h1><p>Price: <b>%s</b></p><p>Pages: <i>%s</i></p><p>Out: <time>%s</time></p><ul>%s</ul>"
SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "price": {"type": "number"},
        "pages": {"type": "integer"},
        "out": {"type": "string", "format": "date"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}
PAGES = [
    PAGE % ("Kelp", "$1,299.50", "12", "2024-03-01", "<li>sea<li>green"),
    PAGE % ("Moss", "$8.00", "7", "2023-11-30", "<li>wood"),
    PAGE % ("Fern", "$9.75", "many", "2022-01-15", ""),
]
TYPED = [
    {"title": "Kelp", "price": "$1,299.50", "pages": "12", "out": "2024-03-01", "tags": ["sea", "green"]},
    {"title": "Moss", "price": "$8.00", "pages": "7", "out": "2023-11-30", "tags": ["wood"]},
]


@pytest.fixture(scope="session")
def shop() -> Path:
    return SHOP


@pytest.fixture(scope="session")
def wrapper(shop: Path) -> ww.Wrapper:
    return ww.infer(shop, method="regions").keep("title", "author", "price")


class Site(http.server.ThreadingHTTPServer):
    """Pages ``/1``, ``/2`` … with two items each and a link to the next one."""

    daemon_threads = True
    pages = 5
    pause = 0.0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        name = self.path.strip("/")
        if not name.isdigit() or int(name) > self.server.pages:
            self.send_error(404)
            return
        time.sleep(self.server.pause)
        number = int(name)
        more = f'<a rel=next href="/{number + 1}">Next</a>' if number < self.server.pages else ""
        body = f"<li>item {number}a</li><li>item {number}b</li>{more}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def demo() -> Iterator[str]:
    """The demo site, served by the command that the wheel has."""
    command = [sys.executable, "-m", "wrapwright", "demo", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http://"))
        yield address.rstrip("/") + "/"
        process.terminate()
