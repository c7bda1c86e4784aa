#!/usr/bin/env python3
"""Writes what extruct (https://pypi.org/project/extruct/) reads from the pages beside this file, for the test `structured`.

    pip install extruct && python3 crates/page/tests/structured/record.py
"""

import json
import pathlib

import extruct

for page in sorted(pathlib.Path(__file__).parent.glob("*.html")):
    found = extruct.extract(page.read_text(encoding="utf-8"), syntaxes=["json-ld", "microdata", "opengraph", "rdfa"], errors="ignore")
    page.with_suffix(".extruct.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
