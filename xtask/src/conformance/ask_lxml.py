"""Answers XPath questions with libxml2, for `cargo xtask conformance`.

Reads one JSON object per line and writes one JSON object per line:

    {"load": "<?xml …"}                         ->  {"nodes": 1234}
    {"context": 17, "expression": "//a[@href]"} ->  {"type": "nodes", "value": [20, 31]}

A node is named by its rank in document order: the document is 0, an element is followed by its attributes and then by
its children. The program that asks counts in the same way, so a rank is the same node on both sides as long as the two
trees are the same, and `nodes`, how many there are, is a first check of that.

lxml hands nodes other than elements and comments out as strings that know where they come from, which is exact here: a
text node is either the text of an element or the tail of an element or comment, because the dump has no two text nodes
side by side. The document node lxml leaves out of its lists; `count()` tells whether it was there.
"""

import json
import sys

try:
    from lxml import etree
except ImportError:
    print(json.dumps({"missing": "lxml"}), flush=True)
    sys.exit(0)


class Page:
    """A tree and the rank of each of its nodes."""

    def __init__(self, xml):
        parser = etree.XMLParser(huge_tree=True, remove_blank_text=False, resolve_entities=False)
        self.root = etree.fromstring(xml.encode("utf-8"), parser)
        self.rank = {}
        self.by_rank = {}
        self.count = 1
        before = list(self.root.itersiblings(preceding=True))
        for node in reversed(before):
            self.add(node)
        self.add(self.root)
        for node in self.root.itersiblings():
            self.add(node)

    def take(self, key):
        self.rank[key] = self.count
        self.count += 1

    def add(self, top):
        """Numbers a node and what is below it; a loop, since pages may be deep."""
        if not isinstance(top.tag, str):
            self.by_rank[self.count] = top
            self.take(top)
            return
        for event, node in etree.iterwalk(top, events=("start", "end", "comment")):
            if event == "start":
                self.by_rank[self.count] = node
                self.take(node)
                for name in node.attrib:
                    self.take((node, "@" + name))
                if node.text:
                    self.take((node, "text"))
            else:
                if event == "comment":
                    self.by_rank[self.count] = node
                    self.take(node)
                if node.tail and node is not top:
                    self.take((node, "tail"))

    def rank_of(self, node):
        if isinstance(node, str):
            owner = node.getparent()
            part = "@" + node.attrname if node.is_attribute else "text" if node.is_text else "tail"
            return self.rank[owner, part]
        return self.rank[node]

    def ask(self, context, expression):
        node = self.by_rank[context]
        value = etree.XPath(expression)(node)
        if isinstance(value, bool):
            return {"type": "boolean", "value": value}
        if isinstance(value, float):
            return {"type": "number", "value": repr(value)}
        if isinstance(value, str):
            return {"type": "string", "value": str(value)}
        ranks = sorted(self.rank_of(node) for node in value)
        with_document = etree.XPath("count(" + expression + ")")(node)
        if with_document != len(ranks):
            ranks = [0] + ranks
        return {"type": "nodes", "value": ranks, "count": int(with_document)}


def main():
    page = None
    versions = {"lxml": etree.__version__, "libxml2": ".".join(map(str, etree.LIBXML_VERSION))}
    print(json.dumps(versions), flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        try:
            if "load" in question:
                page = Page(question["load"])
                answer = {"nodes": page.count}
            else:
                answer = page.ask(question["context"], question["expression"])
        except etree.Error as error:
            answer = {"type": "error", "value": str(error)}
        print(json.dumps(answer), flush=True)


main()
