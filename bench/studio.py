#!/usr/bin/env python3
"""The studio as somebody uses it: how many clicks, and how long they wait. Needs Chromium.

    python3 bench/studio.py clicks               # from `studio URL` to a table with six wanted fields, on five SWDE sites
    python3 bench/studio.py times                # first boxes on pages of 100,000 nodes; a clicked field on twenty pages
    python3 bench/studio.py times --only boxes   # or: fields

**clicks.** For each site, a loopback server has a list that links to its first 20 pages. `wrapwright studio` gets the address of the
list, and a real Chromium shows it at 1280 × 720. Wanted are the labelled attributes of SWDE and then, in page order, the first texts
of the page that stand alone in their element, are 2 to 60 characters long and are on at most a fifth of the other pages (or half,
where there are fewer), until there are six. A wanted value of the page that is in a column needs nothing. Any other one is clicked on the page with the mouse, and
then what the small window offers first. Each press of the mouse counts; scrolling and typing names do not. Then the six are ticked, and
all other fields hidden, which is counted too. At the end the script tells on how many
pages one column has the labelled value.

**times.** Boxes: from the key that opens a page of 100,000 nodes to its first box, beside the time that the same browser needs to load
the same frozen page alone. Fields: from the request that a click makes to the answer with the new state, on twenty pages of the
same five sites, beside a rename, which runs the wrapper once, and the processor time of all threads together: on a machine with nothing
else to do, somebody waits no longer than that. The first click also needs the rule as paths, which is prepared from
the moment the table is there; so it is measured at once and after a pause.
"""

import argparse
import base64
import html
import http.client
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITES = ["auto-msn", "book-deepdiscount", "job-monster", "movie-yahoo", "restaurant-urbanspoon"]
PAGES = 20


class Studio:
    """A studio that was started, and somebody who came in."""

    def __init__(self, binary, named, folder):
        command = [binary, "studio", "--no-open", "--delay", "0", *named]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            sys.exit("error: the studio does not start")
        self.host = urllib.parse.urlsplit(self.url).netloc
        self.cookie = None

    def enter(self):
        connection = http.client.HTTPConnection(self.host)
        connection.request("GET", self.url.split(self.host)[1])
        self.cookie = connection.getresponse().getheader("set-cookie").split(";")[0]
        return self

    def ask(self, path, command=None):
        """The answer, and the seconds until it was there."""
        headers = {"Cookie": self.cookie, "Origin": f"http://{self.host}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection(self.host, timeout=120)
        begin = time.perf_counter()
        connection.request("POST" if command else "GET", path, json.dumps(command) if command else None, headers)
        answer = connection.getresponse()
        body = answer.read()
        return answer.status, body, time.perf_counter() - begin

    def worked(self):
        """Seconds of processor time so far, of all threads; 0 where the system does not tell."""
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return 0
        found = stat.read_text().rsplit(")", 1)[1].split()
        return (int(found[11]) + int(found[12])) / os.sysconf("SC_CLK_TCK")

    def settled(self):
        while True:
            state = json.loads(self.ask("/api/state")[1])
            if state["busy"] is None and (state["rev"] or state["error"]):
                return state
            time.sleep(0.02)

    def end(self):
        self.process.terminate()
        self.process.wait()


class Tab:
    """A tab of a Chromium: just enough of its protocol."""

    def __init__(self, width=1280, height=720):
        program = next((p for p in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if p), None)
        if not program:
            sys.exit("error: no Chromium is installed")
        self.profile = tempfile.mkdtemp()
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions", "--remote-debugging-port=0",
                 "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"]
        self.child = subprocess.Popen([program, *flags, f"--user-data-dir={self.profile}", "about:blank"],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        file = pathlib.Path(self.profile) / "DevToolsActivePort"
        while not file.exists() or not file.read_text().strip():
            time.sleep(0.05)
        port = int(file.read_text().split()[0])
        path = None
        while not path:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", "/json/list")
            pages = [page for page in json.loads(connection.getresponse().read()) if page["type"] == "page"]
            path = urllib.parse.urlsplit(pages[0]["webSocketDebuggerUrl"]).path if pages else None
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        while not self.exactly(1) == b"\r" or not self.exactly(3) == b"\n\r\n":
            pass
        self.number = 0
        self.clicks = 0
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                sys.exit("error: the browser has gone")
            data += part
        return data

    def message(self):
        data = b""
        while True:
            first, second = self.exactly(2)
            length = second & 127
            if length > 125:
                length = int.from_bytes(self.exactly(2 if length == 126 else 8), "big")
            data += self.exactly(length)
            if first & 128:
                return data

    def call(self, method, **params):
        self.number += 1
        data = json.dumps({"id": self.number, "method": method, "params": params}).encode()
        size = bytes([128 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data)) if len(data) < 65536 else b"\xff" + struct.pack(">Q", len(data))
        self.socket.sendall(b"\x81" + size + b"\0\0\0\0" + data)
        while True:
            answer = json.loads(self.message())
            if answer.get("id") == self.number:
                return answer.get("result", {})

    def eval(self, code):
        result = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"error: {code}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, code, patience=90):
        begin = time.monotonic()
        while not self.eval(f"Boolean({code})"):
            if time.monotonic() - begin > patience:
                self.shoot(pathlib.Path(tempfile.gettempdir()) / "studio-bench.png")
                sys.exit(f"error: waited in vain for {code}")
            time.sleep(0.03)

    def click(self, x, y):
        for kind, count in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 1)]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if count else "none", clickCount=count)
        self.clicks += 1

    def key(self, key):
        code = 13 if key == "Enter" else ord(key.upper())
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, text="\r" if key == "Enter" else key)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def shoot(self, file):
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def end(self):
        self.child.kill()
        self.child.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def unpack(data, site, folder):
    """The first pages of a site, and what is labelled on them."""
    with tarfile.open(data / f"{site}.tar.xz") as pack:
        pack.extractall(folder / site, filter="data")
    found = list((folder / site).rglob("groundtruth.json"))[0]
    names = sorted(page.name for page in (found.parent / "pages").iterdir())[:PAGES]
    pages = {name: (found.parent / "pages" / name).read_bytes() for name in names}
    truth = json.loads(found.read_text(encoding="utf-8"))
    return pages, {name: {page.split(".")[0]: values for page, values in pages.items()} for name, pages in truth.items()}


def serve(pages):
    """A server with a list of pages and the pages."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.strip("/")
            links = "".join(f"<li><a href='/item/{name}'>Item {number}</a></li>" for number, name in enumerate(pages))
            body = pages.get(name.removeprefix("item/")) if name.startswith("item/") else f"<title>List</title><ul>{links}</ul>".encode()
            self.send_response(200 if body and name != "robots.txt" else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/list"


def plain(text):
    return re.sub(r"\W+", " ", html.unescape(text)).strip().lower()


# The texts of the frame that stand alone in their element and can be seen, in order: [number of the element, text].
ALONE = """[...document.getElementById('frame').contentDocument.querySelectorAll('body [data-n]')]
  .filter((e) => e.childNodes.length === 1 && e.firstChild.nodeType === 3 && e.getClientRects().length)
  .map((e) => [e.getAttribute('data-n'), e.textContent.replace(/\\s+/g, ' ').trim()])
  .filter(([, text]) => text.length >= 2 && text.length <= 60)"""
ROWS = "fetch('/api/rows?count=500').then((answer) => answer.json())"


def columns(tab):
    """For each column, its values by page."""
    found = tab.eval(ROWS)
    return [[(row["page"], row["cells"][number]["text"]) for row in found["rows"] if row["cells"][number]] for number in range(len(found["columns"]))]


def middle(tab, selector):
    """The middle of an element of the studio."""
    return tab.eval(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{ block: 'nearest' }}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()")


def clicks(args, data, folder):
    for site in SITES:
        pages, truth = unpack(data, site, folder)
        server, url = serve(pages)
        project = folder / f"{site}-project"
        project.mkdir()
        studio, tab = Studio(args.binary, [url], project), Tab()
        begin = time.monotonic()
        tab.call("Page.navigate", url=studio.url)
        tab.until("document.querySelector('#rows td.cell') && document.getElementById('busy').hidden && document.querySelector('#overlay .box')")
        waited = time.monotonic() - begin
        opened = tab.eval("fetch('/api/state').then((answer) => answer.json()).then((state) => state.pages.map((page) => page.name))")
        keys = [name.rsplit("/", 1)[1].split(".")[0] for name in opened]
        others = [plain(re.sub(rb"<[^>]*>", b" ", body).decode("utf-8", "replace")) for body in pages.values()]
        wanted = [(name, [plain(value) for value in values[keys[0]]]) for name, values in truth.items() if values.get(keys[0])]
        for share in [5, 2]:
            for _, text in tab.eval(ALONE):
                known = any(plain(text) in values for _, values in wanted)
                if len(wanted) < 6 and plain(text) and not known and sum(plain(text) in other for other in others) <= len(others) / share:
                    wanted.append((f"text “{text}”", [plain(text)]))
        steps = []
        for name, values in wanted[:6]:
            has = lambda: any(page == 0 and (plain(text) in values or any(plain(part) in values for part in text.split(" · "))) for column in columns(tab) for page, text in column)
            if has():
                continue
            before = tab.clicks
            spot = next((number for number, text in tab.eval(ALONE) if plain(text) in values), None)
            if spot is None:
                steps.append(f"{name}: does not stand alone on the page, not tried")
                continue
            place = tab.eval(f"""(() => {{ const f = document.getElementById('frame'), e = f.contentDocument.querySelector('[data-n="{spot}"]');
              e.scrollIntoView({{ block: 'center' }}); const r = e.getBoundingClientRect(), s = f.getBoundingClientRect();
              return [s.x + r.x + Math.min(r.width / 2, 40), s.y + r.y + r.height / 2]; }})()""")
            time.sleep(0.2)
            tab.click(*place)
            tab.until("!document.getElementById('popover').hidden", 20)
            label = tab.eval("document.querySelector('#popover .pick').textContent")
            tab.click(*middle(tab, "#popover .pick"))
            tab.until("document.getElementById('popover').hidden && document.getElementById('busy').hidden")
            time.sleep(0.5)
            tab.key("Enter")
            tab.until("!document.activeElement.matches('#fields li input')")
            steps.append(f"{name}: {tab.clicks - before} clicks ({label}), {'there' if has() else 'NOT there'}")
        right = []
        found = columns(tab)
        for name in truth:
            best = 0
            for column in found:
                good = {page for page, text in column for part in [text, *text.split(" · ")] if plain(part) in map(plain, truth[name].get(keys[page], []))}
                best = max(best, len(good))
            right.append(f"{name} {best}/{sum(bool(truth[name].get(key)) for key in keys)}")
        there = tab.clicks
        names = tab.eval(ROWS)["columns"]
        for _, values in wanted[:6]:
            own = next((name for name, column in zip(names, found) if any(page == 0 and any(plain(part) in values for part in [text, *text.split(" · ")]) for page, text in column)), None)
            box = f"#fields li[data-field={json.dumps(own)}] .tick-field"
            if own and not tab.eval(f"document.querySelector({json.dumps(box)}).checked"):
                tab.click(*middle(tab, box))
                tab.until(f"document.querySelector({json.dumps(box)}).checked")
        if tab.eval("document.getElementById('only') !== null"):
            tab.click(*middle(tab, "#only"))
            tab.until("!document.getElementById('only')")
        left = tab.eval(ROWS)["columns"]
        print(f"{site}: {there} clicks until the table has the six, {tab.clicks} until it has only these ({len(left)} columns: {', '.join(left)}); for {len(wanted[:6])} wanted fields ({', '.join(name for name, _ in wanted[:6])}), {len(found)} columns before, first table after {waited:.1f} s; right: {', '.join(right)}")
        for step in steps:
            print(f"    {step}")
        tab.end()
        studio.end()
        server.shutdown()


def large(kind):
    """A page of about 100,000 nodes."""
    if kind == "table":
        row = lambda n: f"<tr><td>Name {n}</td><td><b>{n * 7 % 90}.50</b></td></tr>"
        return f"<!doctype html><title>Large table</title><h1>All</h1><table>{''.join(row(n) for n in range(16700))}</table>"
    card = lambda n: f"<div class=card><h3><a href='/p/{n}'>Name {n}</a></h3><p>Price: <b>{n * 7 % 90}.50</b></p><p class=note>Note <i>{n * 13 % 977}</i></p></div>"
    style = "<style>.card { border: 1px solid #ccc; padding: 4px; margin: 4px; } .note { color: #666 }</style>"
    return f"<!doctype html><title>Large cards</title>{style}<h1>All</h1><main>{''.join(card(n) for n in range(7000))}</main>"


# Remembers when the first box appears.
FIRST = """new MutationObserver(() => { if (window.begun && !window.seen && document.querySelector('#overlay .box')) window.seen = performance.now(); })
  .observe(document, { childList: true, subtree: true });"""


def boxes(args, folder):
    for kind in ["table", "cards"]:
        project = folder / f"large-{kind}"
        project.mkdir()
        text = large(kind)
        (project / "large.html").write_text(text)
        begin = time.monotonic()
        studio = Studio(args.binary, ["large.html"], project).enter()
        state = studio.settled()
        opened = time.monotonic() - begin
        _, frozen, served = studio.ask("/page?page=0&visit=1&")
        nodes = text.count("<") - text.count("</") + len(re.findall(r">[^<]+<", text))
        print(f"{kind}: about {nodes:,} nodes, {state['rows']:,} rows; the program reads it and finds the fields in {opened:.2f} s, freezes it in {served * 1000:.0f} ms")
        (project / "small.html").write_text("<title>Small</title><p>nothing here</p>")
        studio.ask("/api/do", {"do": "add", "name": "small.html"})
        tab = Tab()
        name, value = studio.cookie.split("=", 1)
        tab.call("Network.setCookie", url=f"http://{studio.host}/", name=name, value=value, path="/")
        firsts, alone, all_of_it = [], [], []
        for _ in range(args.rounds):
            tab.call("Page.navigate", url=f"http://{studio.host}/")
            tab.until("document.querySelector('#pages li:nth-child(2) button') && document.querySelector('#rows td.cell')")
            tab.eval("document.querySelector('#pages li:nth-child(2) button').click()")
            tab.until("document.getElementById('frame').contentDocument?.title === 'Small'")
            tab.eval(FIRST)
            tab.eval("document.activeElement.blur()")
            tab.eval("window.seen = 0; window.begun = performance.now(); document.getElementById('frame').addEventListener('load', () => { window.whole = performance.now(); }, { once: true }); document.querySelector('#pages li:nth-child(1) button').click()")
            tab.until("window.seen && window.whole")
            firsts.append(tab.eval("window.seen - window.begun") / 1000)
            all_of_it.append(tab.eval("window.whole - window.begun") / 1000)
            tab.call("Page.navigate", url=f"http://{studio.host}/page?page=0&visit=0&")
            tab.until("document.readyState === 'complete' && performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
            alone.append(tab.eval("document.body.getBoundingClientRect().height && performance.now() && performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000)
        middle = statistics.median
        print(f"    first boxes after {middle(firsts):.2f} s ({min(firsts):.2f} to {max(firsts):.2f}), whole page in the frame after {middle(all_of_it):.2f} s;"
              f" the page alone in the same browser: {middle(alone):.2f} s; first boxes / page alone = {middle(firsts) / middle(alone):.2f}")
        if args.shots:
            tab.call("Page.navigate", url=f"http://{studio.host}/")
            tab.until("document.querySelector('#overlay .box')")
            tab.shoot(pathlib.Path(args.shots) / f"large-{kind}.png")
        tab.end()
        studio.end()


def fields(args, data, folder):
    chance = random.Random(5)
    for site in SITES:
        pages, _ = unpack(data, site, folder)
        project = folder / f"{site}-times"
        (project / "pages").mkdir(parents=True)
        for name, body in pages.items():
            (project / "pages" / name).write_bytes(body)
        page, firsts = "", []
        for pause in [0, args.pause]:
            studio = Studio(args.binary, ["pages"], project).enter()
            studio.settled()
            time.sleep(pause)
            page = studio.ask("/page?page=0")[1].decode()
            texts = [number for number, text in re.findall(r'data-n="(\d+)">([^<]{3,60})</', page) if text.strip()]
            chance.shuffle(texts)
            taken, first, begin = [], None, 0
            for number in texts:
                field = f"new{len(taken)}{'' if first else 'x'}"
                status, _, seconds = studio.ask("/api/do", {"do": "point", "page": 0, "at": {"n": int(number)}, "field": field})
                if status == 200 and first is None:
                    first = seconds
                    firsts.append(seconds)
                    begin = studio.worked()
                elif status == 200:
                    taken.append(seconds)
                if len(taken) == args.points or (first and not pause):
                    break
            if not pause:
                studio.end()
                for draft in project.glob("*.draft.wrapper.json"):
                    draft.unlink()
        worked = (studio.worked() - begin) / len(taken)
        renames = [studio.ask("/api/do", {"do": "rename", "field": name, "to": to})[2] for name, to in [("new0", "a"), ("a", "b"), ("b", "c")]]
        middle = statistics.median
        print(f"{site}: a clicked field {middle(taken) * 1000:.0f} ms (largest {max(taken) * 1000:.0f} of {len(taken)}), {worked * 1000:.0f} ms of processor time each; the first one, which also changes the rule to paths, {firsts[1] * 1000:.0f} ms after {args.pause} s, {firsts[0] * 1000:.0f} ms at once;"
              f" rename {middle(renames) * 1000:.0f} ms; field / rename = {middle(taken) / middle(renames):.1f}")
        studio.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("clicks", "times"))
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/bench/swde")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    parser.add_argument("--only", choices=("boxes", "fields"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--points", type=int, default=10)
    parser.add_argument("--pause", type=float, default=3, help="seconds that somebody looks at the page before the first click")
    parser.add_argument("--shots", help="a directory for pictures")
    args = parser.parse_args()
    args.binary = os.path.abspath(args.binary)
    needs_data = args.what == "clicks" or args.only != "boxes"
    if needs_data and not args.data.is_dir():
        sys.exit(f"error: {args.data} is not there")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if args.what == "clicks":
            clicks(args, args.data, folder)
        else:
            if args.only != "fields":
                boxes(args, folder)
            if args.only != "boxes":
                fields(args, args.data, folder)


if __name__ == "__main__":
    main()
