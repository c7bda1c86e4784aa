"""Turns the pages of web sites into records: makes wrappers, runs them, and mends them when sites change.

>>> import wrapwright as ww
>>> page = ww.Page("<ul><li>Kelp<li>Tides</ul>")
>>> page.css("li::text").getall()
['Kelp', 'Tides']
"""

from wrapwright import errors, xpath
from wrapwright._wrapwright import VERSION as __version__
from wrapwright._wrapwright import Node, Nodes, Page, Records, Wrapper, infer, learn, run
from wrapwright.errors import ExpressionError, WrapwrightError

__all__ = [
    "ExpressionError",
    "Node",
    "Nodes",
    "Page",
    "Records",
    "Wrapper",
    "WrapwrightError",
    "__version__",
    "errors",
    "infer",
    "learn",
    "run",
    "xpath",
]
