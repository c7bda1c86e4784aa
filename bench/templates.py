#!/usr/bin/env python3
"""Random templates in the sense of EXALG's paper, with exact truth: tuples, sets, optionals and disjunctions inside one another, with and without tags, with words as separators.

    python3 bench/templates.py --seed 1 --sites 40                # makes a template of each site with the program, and scores it on the same pages and on others
    python3 bench/templates.py --only "set, words" --show 1       # which attributes are not right

Each site obeys the paper's assumptions: a constructor has three tokens of its own or more (words or tags), and is on a third of the pages or more. So every
attribute is to be right: one field has, on every page, exactly its values in their order. Sites are grouped by what is in their template.
"""

import collections
import importlib.util
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("made_up", HERE / "made_sites.py")
made_up = importlib.util.module_from_spec(spec)
spec.loader.exec_module(made_up)

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu bra cle dri flo gru ste pli tro".split()
LABELS = """name price author year size colour maker model origin weight height language genre rating format edition publisher status
category region agent phone server version licence holder keeper owner sender target route carrier vessel harbour captain""".split()
FILLERS = """was made from with under against between near towards during since until unless because whose where after before about among
sold lent kept sent found given taken moved bought known seen called held paid owed""".split()


def word(r):
    return "".join(r.choice(SYLLABLES) for _ in range(r.randint(2, 3)))


def value(r, most=3):
    """A value: one to three words that no template has, or a number."""
    if r.random() < 0.25:
        return str(r.randint(10, 99999))
    return " ".join(word(r).capitalize() if at == 0 else word(r) for at in range(r.randint(1, most)))


class Words:
    """Words for one template: each is given once."""

    def __init__(self, r):
        self.labels = r.sample(LABELS, len(LABELS))
        self.fillers = r.sample(FILLERS, len(FILLERS))

    def label(self):
        return self.labels.pop().capitalize() if self.labels else "Label"

    def filler(self):
        return self.fillers.pop() if self.fillers else "and"


class Leaf:
    def __init__(self, name):
        self.name = name

    def write(self, r, truth):
        text = value(r)
        truth[self.name].append(text)
        return text


class Tuple:
    """Strings with parts between them."""

    def __init__(self, strings, parts):
        assert len(strings) == len(parts) + 1
        self.strings, self.parts = strings, parts

    def write(self, r, truth):
        out = [self.strings[0]]
        for string, part in zip(self.strings[1:], self.parts):
            out += [part.write(r, truth), string]
        return "".join(out)


class Set:
    def __init__(self, of, separator, least, most):
        self.of, self.separator, self.least, self.most = of, separator, least, most

    def write(self, r, truth):
        return self.separator.join(self.of.write(r, truth) for _ in range(r.randint(self.least, self.most)))


class Opt:
    def __init__(self, of, share):
        self.of, self.share = of, share

    def write(self, r, truth):
        return self.of.write(r, truth) if r.random() < self.share else ""


class Either:
    def __init__(self, parts):
        self.parts = parts

    def write(self, r, truth):
        return r.choice(self.parts).write(r, truth)


class Maker:
    """Draws a template."""

    def __init__(self, r):
        self.r, self.words, self.count = r, Words(r), 0

    def leaf(self):
        self.count += 1
        return Leaf(f"a{self.count:02}")

    # Tuples of leaves in tags.
    def cells(self, number, row="tr", cell="td"):
        return Tuple([f"<{row}><{cell}>"] + [f"</{cell}><{cell}>"] * (number - 1) + [f"</{cell}></{row}>\n"], [self.leaf() for _ in range(number)])

    def labelled(self, number, around):
        """Labels in bold with values after them, in an element."""
        labels = [self.words.label() for _ in range(number)]
        strings = [f"<{around}><b>{labels[0]}</b> "] + [f" <b>{label}</b> " for label in labels[1:]] + [f"</{around}>\n"]
        return Tuple(strings, [self.leaf() for _ in range(number)])

    def phrase(self, number, end=True):
        """Words only: at least three of its own, one between any two values at least."""
        strings = [self.words.filler() + " "] + [f" {self.words.filler()} " for _ in range(number - 1)] + [f" {self.words.filler()}" if end or number < 3 else ""]
        while sum(len(string.split()) for string in strings) < 3:
            strings[0] = self.words.filler() + " " + strings[0]
        return Tuple(strings, [self.leaf() for _ in range(number)])

    def marked(self, number):
        """Inline elements and words."""
        tags = self.r.sample(["b", "i", "em", "u", "tt", "strong"], number)
        strings = [f"<{tags[0]}>"] + [f"</{a}> {self.words.filler()} <{b}>" for a, b in zip(tags, tags[1:])] + [f"</{tags[-1]}>"]
        return Tuple(strings, [self.leaf() for _ in range(number)])

    # Kinds of sites.
    def page(self, parts):
        """The page around the parts, each between labels of the page."""
        strings, all = ["<html><head><title>Made up</title></head><body><h1>"], [self.leaf()]
        for before, part, after in parts:
            strings.append(("</h1>" if len(strings) == 1 else "") + before)
            all.append(part)
            strings.append(after)
            # Two strings of the page in a row: join them below.
        merged = [strings[0]]
        rest = strings[1:]
        for at in range(0, len(rest), 2):
            if at == 0:
                merged.append(rest[0])
            else:
                merged[-1] += rest[at]
            merged.append(rest[at + 1])
        merged[-1] += f"<hr><p>{self.words.filler()} {self.words.filler()} 2003</p></body></html>"
        return Tuple(merged, all)

    def heading(self):
        return f"<h3>{self.words.label()} {self.words.label()}</h3>"


def sets_tags(m):
    r = m.r
    make = r.choice(["table", "list", "divs", "paragraphs"])
    number = r.randint(2, 4)
    low, high = r.choice([(0, 5), (1, 6), (2, 9)])
    if make == "table":
        return [(m.heading() + "<table>", Set(m.cells(number), "", low, high), "</table>")]
    if make == "list":
        return [(m.heading() + "<ul>", Set(m.labelled(number, "li"), "", low, high), "</ul>")]
    if make == "divs":
        return [(m.heading() + "<div>", Set(m.labelled(number, "div"), "", low, high), "</div>")]
    return [(m.heading() + "<div>", Set(m.labelled(number, "p"), "", low, high), "</div>")]


SEPARATORS = [", ", " and ", " | ", "; ", " / ", " or "]


def sets_marked(m):
    """{<b>*</b>}_S with words between, in an element of its own."""
    r = m.r
    number = r.choice([1, 1, 2])
    low, high = r.choice([(1, 5), (1, 7), (2, 6)])
    return [(m.heading() + f"<p>{m.words.label()}: ", Set(m.marked(number), r.choice(SEPARATORS), low, high), "</p>")]


def sets_words(m):
    r = m.r
    separator = r.choice(["; ", ", ", " | ", " and ", " "])
    number = r.randint(1, 3)
    return [(m.heading() + "<p>", Set(m.phrase(number), separator, *r.choice([(1, 4), (1, 6), (0, 5)])), "</p>")]


def optionals_tags(m):
    r = m.r
    out = []
    for _ in range(r.randint(2, 4)):
        part = m.labelled(r.randint(1, 3), r.choice(["p", "div"]))
        out.append((m.heading(), Opt(part, r.choice([0.4, 0.5, 0.7])) if r.random() < 0.7 else part, "<hr>"))
    return out


def optionals_words(m):
    """Words before, an optional phrase, words after; the phrase in the same text."""
    r = m.r
    out = []
    for _ in range(r.randint(1, 2)):
        phrase = m.phrase(r.randint(1, 2))
        phrase.strings[0] = " " + phrase.strings[0]
        out.append((f"<p>{m.words.label()} <b>{m.words.label()}</b>", Opt(phrase, 0.6), f"</p>"))
    return out


def choices_tags(m):
    r = m.r
    parts = [m.labelled(r.randint(1, 3), around) for around in r.sample(["p", "div", "blockquote"], 2)]
    return [(m.heading(), Either(parts), "<hr>")]


def choices_words(m):
    r = m.r
    return [(m.heading() + "<p>", Either([m.phrase(r.randint(1, 2)), m.phrase(r.randint(1, 2))]), "</p>")]


def nested_tags(m):
    """Sets in rows of sets."""
    r = m.r
    inner = Set(m.labelled(r.randint(1, 2), "li"), "", *r.choice([(0, 3), (1, 4)]))
    label = m.words.label()
    outer = Tuple([f"<div><h4>", f"</h4><b>{label}</b> ", "<ul>", "</ul></div>\n"], [m.leaf(), m.leaf(), inner])
    return [(m.heading() + "<div>", Set(outer, "", 1, 5), "</div>")]


def nested_optional(m):
    """A tuple inside of an optional one inside of rows."""
    r = m.r
    inner = Opt(m.labelled(r.randint(1, 3), "small"), r.choice([0.4, 0.6]))
    label = m.words.label()
    outer = Tuple(["<li><b>", f"</b> {label} <i>", "</i>", "</li>\n"], [m.leaf(), m.leaf(), inner])
    return [(m.heading() + "<ul>", Set(outer, "", 2, 7), "</ul>")]


def two_tables(m):
    """Sets of two tables of one shape, below headings; some pages lack one of them."""
    r = m.r
    number = r.randint(2, 4)
    out = []
    for at in range(2):
        table = Tuple([m.heading() + "<table>", "</table>"], [Set(m.cells(number), "", 1, 6)])
        out.append(("", Opt(table, 0.75) if at == r.randint(0, 1) else table, "<hr>"))
    return out


def set_in_optional(m):
    r = m.r
    part = Tuple([m.heading() + "<ul>", f"</ul><p>{m.words.label()} {m.words.filler()} ", "</p>"], [Set(m.labelled(r.randint(1, 2), "li"), "", 1, 5), m.leaf()])
    return [("<hr>", Opt(part, 0.6), "<hr>")]


def words_in_rows(m):
    """Rows with an optional phrase of words alone, or a set with words between in a cell."""
    r = m.r
    if r.random() < 0.5:
        phrase = m.phrase(1)
        phrase.strings[0] = " " + phrase.strings[0]
        row = Tuple(["<tr><td>", "</td><td><b>", "</b>", "</td></tr>\n"], [m.leaf(), m.leaf(), Opt(phrase, 0.5)])
    else:
        row = Tuple(["<tr><td>", f"</td><td>{m.words.filler()} ", "</td></tr>\n"], [m.leaf(), Set(m.marked(1), r.choice(SEPARATORS), 1, 4)])
    return [(m.heading() + "<table>", Set(row, "", 2, 8), "</table>")]


def everything(m):
    kinds = m.r.sample([sets_tags, sets_marked, optionals_tags, choices_tags, nested_tags, nested_optional, set_in_optional, optionals_words], 3)
    return [part for kind in kinds for part in kind(m)]


KINDS = {
    "set, tags": sets_tags, "set, words between": sets_marked, "set, words": sets_words, "optional, tags": optionals_tags, "optional, words": optionals_words,
    "choice, tags": choices_tags, "choice, words": choices_words, "set in set": nested_tags, "optional in set": nested_optional, "set in optional": set_in_optional,
    "two tables": two_tables, "words in rows": words_in_rows, "everything": everything,
}


def pages(kind, r, count):
    maker = Maker(r)
    template = maker.page(KINDS[kind](maker))
    made = []
    for _ in range(count):
        truth = collections.defaultdict(list)
        made.append((template.write(r, truth), truth))
    return made


if __name__ == "__main__":
    made_up.run(__doc__, KINDS, pages)
