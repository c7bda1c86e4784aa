"""Regular expressions over what expressions found."""

from __future__ import annotations

import re


def matches(pattern: str | re.Pattern[str], texts: list[str]) -> list[str]:
    """All matches in texts. With groups, what is in the groups; with a group named ``extract``, what is in that one."""
    compiled = re.compile(pattern) if isinstance(pattern, str) else pattern
    found: list[str] = []
    for text in texts:
        if "extract" in compiled.groupindex:
            match = compiled.search(text)
            if match is not None and match.group("extract") is not None:
                found.append(match.group("extract"))
            continue
        for match in compiled.finditer(text):
            groups = match.groups()
            found.extend((group or "" for group in groups) if groups else [match.group()])
    return found
