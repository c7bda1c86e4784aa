"""What is reported about wrappers: objects for programs, with a text for people and HTML for notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from wrapwright._wrapwright import Wrapper


class Field(NamedTuple):
    """A field of a wrapper."""

    name: str
    sort: str
    """What its values are: text, number, price, date, link, image and others."""
    records: int
    """On how many records it is."""
    of: int
    """Of how many records."""
    different: int
    """How many different values it has."""
    samples: list[str]
    shown: bool
    """Is it part of the records that the wrapper gives?"""


class Fields(list[Field]):
    """The fields of a wrapper, those that it shows first."""

    def __init__(self, rows: list[tuple[Any, ...]], text: str, page: str) -> None:
        super().__init__(Field(*row) for row in rows)
        self._text = text
        self._html = page

    @property
    def names(self) -> list[str]:
        """The names of the fields that the wrapper shows."""
        return [field.name for field in self if field.shown]

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self._html


class _Report:
    def __init__(self, text: str, page: str) -> None:
        self.text = text
        self._html = page

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self._html


class Check(_Report):
    """What a check found. It is true if the wrapper works as it did."""

    def __init__(self, fine: bool, text: str, page: str, data: dict[str, Any]) -> None:
        super().__init__(text, page)
        self.fine = fine
        self._data = data

    def to_dict(self) -> dict[str, Any]:
        """Everything that was found, for programs."""
        return self._data

    def __bool__(self) -> bool:
        return self.fine

    def __repr__(self) -> str:
        return f"<Check {'fine' if self.fine else 'changed'}>"


class Repair(_Report):
    """What became of a repair: ``outcome`` is healthy, repaired, partly or unsure."""

    def __init__(
        self, outcome: str, wrapper: Wrapper | None, text: str, page: str, data: dict[str, Any] | None
    ) -> None:
        super().__init__(text, page)
        self.outcome = outcome
        self.wrapper = wrapper
        """The wrapper to use from now on; None if the old one still works, or if the new one is not sure enough."""
        self._data = data

    def to_dict(self) -> dict[str, Any] | None:
        """The fields with how sure they are and values of before and now; None if nothing was repaired."""
        return self._data

    def __bool__(self) -> bool:
        return self.wrapper is not None

    def __repr__(self) -> str:
        return f"<Repair {self.outcome}>"


class View(_Report):
    """A wrapper in words, or a page with its values coloured."""

    def __init__(self, text: str, page: str, whole: bool) -> None:
        super().__init__(text, page)
        self.html = page
        self._whole = whole

    def _repr_html_(self) -> str:
        if not self._whole:
            return self.html
        # A whole page has styles of its own, which must not reach the notebook.
        return (
            f'<iframe sandbox srcdoc="{html.escape(self.html)}" '
            'style="width:100%;height:480px;border:1px solid #ccc"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<View {self.text.splitlines()[0] if self.text else ''}>"
