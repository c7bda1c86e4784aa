"""Compiled XPath expressions, to be used on many pages.

>>> import wrapwright as ww
>>> find = ww.xpath.compile("//li[. = $name]", name="Kelp")
>>> find(ww.Page("<li>Kelp<li>Tides")).get()
'<li>Kelp</li>'
"""

from __future__ import annotations

from wrapwright._wrapwright import XPath, compile, css_to_xpath

__all__ = ["XPath", "compile", "css_to_xpath"]


def _again(source: str, variables: dict[str, str | float | bool]) -> XPath:
    """An expression that was pickled."""
    return compile(source, **variables)
