"""The command that comes with the wheel."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import wrapwright as ww


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("wrapwright")
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, timeout=60)


def test_it_runs(shop: Path, tmp_path: Path) -> None:
    assert ww.__version__ in command("--version").stdout
    file = tmp_path / "shop.wrapper.json"
    assert command("infer", str(shop), "--method", "regions", "-o", str(file)).returncode == 0
    done = command("extract", str(file), str(shop))
    assert done.returncode == 0
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["title"] for row in records] == [row["title"] for row in ww.Wrapper.load(file).extract_many(shop)]


def test_exit_codes_are_those_of_the_program() -> None:
    wrong = command("query", "//a[")
    assert wrong.returncode == 2 and "error" in wrong.stderr
    assert command("--nope").returncode == 2
    module = subprocess.run([sys.executable, "-m", "wrapwright", "--help"], capture_output=True, text=True)
    assert module.returncode == 0 and "Usage: wrapwright" in module.stdout
