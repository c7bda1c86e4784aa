"""parsel's Selector over Wrapwright's engine: ``from wrapwright.parsel import Selector``.

It is a subclass of ``parsel.Selector``, so it fits wherever one is expected. HTML is parsed as browsers do, and XPath 1.0
and CSS are answered by Wrapwright. Everything else is parsel's own: XML, JSON, JMESPath, EXSLT functions, namespaces,
functions of one's own, ``drop()``, and whatever uses ``root``. For these the page is given to lxml, once and as it was
parsed; from then on lxml answers for that page, because its tree may have been changed.

>>> from wrapwright.parsel import Selector
>>> Selector(text="<ul><li>Kelp<li>Tides</ul>").css("li::text").getall()
['Kelp', 'Tides']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

try:
    import parsel
except ImportError as error:
    raise ImportError("wrapwright.parsel needs parsel: pip install 'wrapwright[parsel]'") from error
from lxml import etree, html
from parsel import SelectorList
from parsel.selector import _NOT_SET

from wrapwright._wrapwright import Node, Page
from wrapwright.errors import EvaluationError, ExpressionError

__all__ = ["Selector", "SelectorList"]

# Where the base class keeps its root; here it is made when somebody asks for it.
_ROOT: Any = parsel.Selector.__dict__["root"]


class _Document:
    """A page, and its tree of lxml once somebody has asked for it."""

    __slots__ = ("base_url", "elements", "huge_tree", "page")

    def __init__(self, page: Page, base_url: str | None, huge_tree: bool) -> None:
        self.page = page
        self.base_url = base_url
        self.huge_tree = huge_tree
        self.elements: list[Any] | None = None

    def element(self, node: Node) -> Any:
        """The element of lxml for a node: both trees are the same, so it has the same number among all elements."""
        if self.elements is None:
            parser = html.XHTMLParser(huge_tree=self.huge_tree, resolve_entities=False, recover=True)
            source = self.page.xpath("/*")[0].xml.encode()
            tree = etree.fromstring(source, parser, base_url=self.base_url)
            elements = list(tree.iter("*"))
            for element in elements:
                # As the HTML parser of lxml, which has no namespaces.
                element.tag = etree.QName(element).localname
            etree.cleanup_namespaces(tree)
            self.elements = elements
        before = node.xpath("count(preceding::* | ancestor::*)").value
        return self.elements[int(before or 0)]


class Selector(parsel.Selector):
    """As ``parsel.Selector``."""

    __slots__ = ("_document", "_node")

    _document: _Document | None
    _node: Node | None

    def __init__(
        self,
        text: str | None = None,
        type: str | None = None,
        body: bytes | bytearray = b"",
        encoding: str = "utf-8",
        namespaces: Mapping[str, str] | None = None,
        root: Any | None = _NOT_SET,
        base_url: str | None = None,
        _expr: str | None = None,
        huge_tree: bool = True,
    ) -> None:
        self._document = self._node = None
        page = _page(text, type, body, encoding, root)
        if page is None:
            super().__init__(text, type, body, encoding, namespaces, root, base_url, _expr, huge_tree)
            return
        self._document = _Document(page, base_url, huge_tree)
        self._node = page.xpath("/*")[0]
        self.type = "html"
        self.namespaces = dict(self._default_namespaces)
        if namespaces is not None:
            self.namespaces.update(namespaces)
        self._expr = _expr
        self._huge_tree = huge_tree
        self._text = text

    @property
    def root(self) -> Any:
        """The element of lxml, or the value."""
        if self._node is not None and self._document is not None:
            return self._document.element(self._node)
        return _ROOT.__get__(self)

    @root.setter
    def root(self, value: Any) -> None:
        self._document = self._node = None
        _ROOT.__set__(self, value)

    def _live(self) -> Node | None:
        """The node, as long as lxml was not asked for this page."""
        if self._document is not None and self._document.elements is None:
            return self._node
        return None

    def xpath(self, query: str, namespaces: Mapping[str, str] | None = None, **kwargs: Any) -> SelectorList[Any]:
        """As ``parsel.Selector.xpath``."""
        node = self._live()
        if node is None or self._lxml_smart_strings:
            return self._by_lxml(query, namespaces, kwargs)
        try:
            found = node.xpath(query, **kwargs)
        except (ExpressionError, EvaluationError, TypeError):
            # A prefix, a function of EXSLT or of one's own; or a mistake, which parsel shall report.
            return self._by_lxml(query, namespaces, kwargs)
        value = found.value
        if value is not None:
            return self.selectorlist_cls([self._made(None, value, query)])
        return self.selectorlist_cls([self._made(each, _NOT_SET, query) for each in found])

    def _by_lxml(
        self, query: str, namespaces: Mapping[str, str] | None, variables: dict[str, Any]
    ) -> SelectorList[Any]:
        found: SelectorList[Any] = super().xpath(query, namespaces, **variables)
        return found

    def _made(self, node: Node | None, value: Any, query: str) -> Selector:
        """A selector for a result, without parsing anything."""
        cls = self.__class__
        new = cls.__new__(cls)
        new._document = new._node = None
        if node is not None and node.kind in ("text", "attribute"):
            value = node.text
        if node is None or value is not _NOT_SET:
            _ROOT.__set__(new, value)
        else:
            new._document, new._node = self._document, node
        new.type = "html"
        new.namespaces = self.namespaces
        new._expr = query
        new._huge_tree = self._huge_tree
        new._text = None
        return new

    def get(self) -> Any:
        """As ``parsel.Selector.get``."""
        node = self._live()
        if node is not None:
            return node.get()
        if self._node is None and self.type == "html":
            root = _ROOT.__get__(self)
            if isinstance(root, str):
                return root
        return super().get()

    extract = get

    @property
    def attrib(self) -> dict[str, str]:
        """As ``parsel.Selector.attrib``."""
        node = self._live()
        return super().attrib if node is None else node.attrib


# Lists are parsel's own; a subclass may have another one.
Selector.selectorlist_cls = SelectorList


def _page(text: Any, kind: str | None, body: Any, encoding: str, root: Any) -> Page | None:
    """The page, if it is one for Wrapwright: HTML that is given as text or bytes."""
    if kind not in ("html", None) or root is not _NOT_SET:
        return None
    if isinstance(text, str):
        source = text
    elif text is None and body and isinstance(body, (bytes, bytearray)):
        source = bytes(body).decode(encoding, "replace")
    else:
        return None
    # As parsel: what is around a page is not part of it, and neither are null characters.
    source = source.strip().replace("\x00", "") or "<html/>"
    if kind is None and (source[0] in "{[" or source.lstrip("\ufeff").startswith("<?xml")):
        return None
    return Page(source)
