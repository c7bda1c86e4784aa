#!/usr/bin/env python3
"""A shop that only scripts can read, with Wrapwright and with Playwright: the same job, the same server, the same browser.

    python3 bench/shop.py                  # three rounds of each, by turns
    python3 bench/shop.py --rounds 1
    python3 bench/shop.py --natural        # also the expression without [noback]

The job: log in (a form that scripts send), press "Load more" until all 30 products are there, click each product and read
its panel, which has no address. Playwright is installed into a virtual environment under target/ when it is missing; it
drives the installed Chromium, as Wrapwright does.

How it is kept fair: both start a browser and end it, both write one line of JSON for each product, and the lines must be
the same. Neither loads pictures (there are none). Playwright's script is what its documentation teaches: locators and
waiting for a text to appear. Processor time is that of the program and all its children, including the browser. Requests
are counted by the server. The best of the rounds counts.
"""

import argparse
import http.server
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRODUCTS = 30
STEP = 10

PAGE = """<!doctype html><title>Shop</title><div id=app></div><script>
const app = document.getElementById('app');
const shop = () => {
  app.innerHTML = '<ul id=list></ul><button id=more>Load more</button><div id=panel></div>';
  const list = document.getElementById('list'), more = document.getElementById('more');
  const panel = document.getElementById('panel');
  let from = 0;
  const load = async () => {
    const rows = await (await fetch('/rows?from=' + from)).json();
    for (const row of rows) {
      const li = document.createElement('li');
      li.innerHTML = '<a href="#"></a>';
      li.firstChild.textContent = row.name;
      li.firstChild.onclick = async (event) => {
        event.preventDefault();
        const detail = await (await fetch('/detail?id=' + row.id)).json();
        panel.innerHTML = '<h2></h2><p class=price></p>';
        panel.children[0].textContent = detail.name;
        panel.children[1].textContent = detail.price;
      };
      list.append(li);
    }
    from += rows.length;
    if (from >= %d) more.remove();
  };
  more.onclick = load;
  load();
};
if (document.cookie.includes('in=1')) app.innerHTML = '<p>You are logged in already.</p>';
else {
  app.innerHTML = '<form><input name=user><input name=word type=password><button>Log in</button></form>';
  app.firstChild.onsubmit = async (event) => {
    event.preventDefault();
    await fetch('/login', { method: 'POST' });
    document.cookie = 'in=1';
    shop();
  };
}
</script>""" % PRODUCTS

LOGIN = "doc('{url}')//input[@name='user']/{{'ada'}}/following-sibling::input/{{'secret'}}/..//button/{{click [until=//li] /}}"
MORE = "/(//button[@id='more']/{{click [until=count(//li) mod 10 = 0 and (count(//li) = 30 or //button[@id='more'])] /}})*"
EACH = "//ul[not(../button)]/li:<product>[a:<name=.>][a/{{click{noback} /}}//div[@id='panel'][h2]:<panel>[h2:<title=.>][p:<price=.>]]"


def product(number):
    return {"id": number, "name": f"Product {number}", "price": f"{number * 7 % 50}.{number % 10}0"}


class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        url = urllib.parse.urlparse(self.path)
        query = {key: int(values[0]) for key, values in urllib.parse.parse_qs(url.query).items()}
        if url.path == "/favicon.ico":
            return self.send(404, "text/plain", "")
        self.server.asked.append(self.path)
        time.sleep(0.02)
        if url.path == "/rows":
            first = query["from"]
            rows = [{"id": n, "name": product(n)["name"]} for n in range(first, min(first + STEP, PRODUCTS))]
            return self.send(200, "application/json", json.dumps(rows))
        if url.path == "/detail":
            time.sleep(0.05)
            return self.send(200, "application/json", json.dumps(product(query["id"])))
        if url.path == "/login":
            return self.send(200, "text/plain", "")
        return self.send(200, "text/html", PAGE)

    def do_GET(self):
        self.answer()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.answer()

    def send(self, status, kind, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


PLAYWRIGHT = """
import json, sys
from playwright.sync_api import sync_playwright
url, program = sys.argv[1:3]
with sync_playwright() as play:
    browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
    page = browser.new_page()
    page.goto(url)
    page.locator("input[name=user]").fill("ada")
    page.locator("input[name=word]").fill("secret")
    page.get_by_role("button", name="Log in").click()
    page.locator("li").first.wait_for()
    while page.locator("#more").count():
        before = page.locator("li").count()
        page.locator("#more").click()
        page.wait_for_function("n => document.querySelectorAll('li').length > n", arg=before)
    for link in page.locator("li a").all():
        name = link.inner_text()
        link.click()
        page.locator("#panel h2", has_text=name).get_by_text(name, exact=True).wait_for()
        print(json.dumps({"title": page.locator("#panel h2").inner_text(),
                          "price": page.locator("#panel .price").inner_text()}))
    browser.close()
"""


def playwright_python():
    """A Python with Playwright."""
    home = ROOT / "target" / "playwright"
    python = home / "bin" / "python3"
    ready = subprocess.run([python, "-c", "import playwright"], capture_output=True) if python.exists() else None
    if ready is None or ready.returncode != 0:
        print("installing Playwright into target/playwright")
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "playwright"], check=True)
    return python


def products(text):
    """The panels, in order, of lines of JSON by either program."""
    found = []
    for line in text.splitlines():
        record = json.loads(line)
        for panel in record.get("panel", [record]):
            flat = lambda value: value[0] if isinstance(value, list) else value
            found.append((flat(panel["title"]), flat(panel["price"])))
    return found


def measure(server, command):
    server.asked.clear()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    wall = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "asked": len(server.asked), "code": done.returncode,
            "found": products(done.stdout), "said": done.stderr.strip()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--natural", action="store_true")
    parser.add_argument("--binary", default=str(ROOT / "target/release/wrapwright"))
    args = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, ["chromium", "google-chrome", "chromium-browser"])), None)
    if chromium is None:
        sys.exit("error: no Chromium is installed")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    script = tempfile.NamedTemporaryFile("w", suffix=".py", delete=False)
    script.write(PLAYWRIGHT)
    script.close()
    ours = lambda noback: [args.binary, "run", "--browser", "--no-meta", "-q", "-e",
                           (LOGIN + MORE + EACH).format(url=url, noback=noback)]
    ways = {"Playwright": [str(playwright_python()), script.name, url, chromium], "Wrapwright": ours(" [noback]")}
    if args.natural:
        ways["Wrapwright, without noback"] = ours("")
    wanted = [(product(n)["name"], product(n)["price"]) for n in range(PRODUCTS)]
    best = {}
    for _ in range(args.rounds):
        for name, command in ways.items():
            got = measure(server, command)
            if got["found"] != wanted:
                right = sum(pair in wanted for pair in got["found"])
                print(f"{name}: {right} of {PRODUCTS} products, {len(got['found'])} lines, exit {got['code']}\n{got['said']}")
                continue
            known = best.setdefault(name, got)
            best[name] = {key: min(known[key], got[key]) if key in ("wall", "cpu") else got[key] for key in got}
    os.unlink(script.name)
    peer = best.get("Playwright")
    print(f"| | products | requests | wall | processor |\n|---|---|---|---|---|")
    for name, got in best.items():
        ratio = lambda key: f"{got[key]:.2f} s" + (f" ({got[key] / peer[key]:.2f} ×)" if peer else "")
        print(f"| {name} | {len(got['found'])} of {PRODUCTS} | {got['asked']} | {ratio('wall')} | {ratio('cpu')} |")
    sys.exit(0 if len(best) == len(ways) else 1)


if __name__ == "__main__":
    main()
