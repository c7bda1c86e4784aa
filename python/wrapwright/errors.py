"""Exceptions and warnings. All exceptions are a WrapwrightError."""

from __future__ import annotations

# As `typing.TYPE_CHECKING`, without the time that importing `typing` takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class WrapwrightError(Exception):
    """Something went wrong. ``hint`` says what can be done about it, if that is known."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message if hint is None else f"{message}\nhint: {hint}")
        self.hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)


class ExpressionError(WrapwrightError, SyntaxError):
    """An expression that does not compile. As other syntax errors, it is shown with a caret where it is wrong.

    ``diagnostics`` has everything that is wrong: ``message``, ``code``, ``severity``, ``start`` and ``end`` (in
    characters), and ``hints``.
    """

    diagnostics: list[dict[str, Any]]

    def __init__(self, filename: str, source: str, diagnostics: list[dict[str, Any]], rendered: str) -> None:
        serious = [found for found in diagnostics if found["severity"] == "error"]
        first = (serious or diagnostics or [{"message": rendered, "start": 0, "end": 0, "hints": []}])[0]
        before = source[: first["start"]]
        line = before.count("\n") + 1
        begin = before.rfind("\n") + 1
        text = source[begin:].split("\n", 1)[0]
        column = first["start"] - begin + 1
        end = min(max(first["end"] - begin + 1, column + 1), len(text) + 2)
        SyntaxError.__init__(self, first["message"], (filename, line, column, text, line, end))
        self.diagnostics = diagnostics
        self.rendered = rendered
        self.hint = _hint(filename, source, first) or next(iter(first["hints"]), None)
        if self.hint and hasattr(self, "add_note"):
            # Shown after the caret; Python 3.10 has no notes.
            self.add_note(f"hint: {self.hint}")

    def __str__(self) -> str:
        return self.rendered

    def __reduce__(self) -> tuple[Any, ...]:
        source = self.text or ""
        return ExpressionError, (self.filename, source, self.diagnostics, self.rendered)


class EvaluationError(WrapwrightError, ValueError):
    """An expression that cannot be evaluated on a page."""


class PageError(WrapwrightError, ValueError):
    """A page that cannot be read."""


class WrapperError(WrapwrightError, ValueError):
    """Not a wrapper, or one that cannot do what was asked for."""


class LearnError(WrapwrightError, ValueError):
    """No wrapper could be made."""


class ExtractError(WrapwrightError, ValueError):
    """Nothing can be extracted."""


class CheckError(WrapwrightError, ValueError):
    """A wrapper could not be checked."""


class RepairError(WrapwrightError, ValueError):
    """A wrapper could not be repaired."""


class RunError(WrapwrightError, RuntimeError):
    """A run could not begin, or nothing came of it."""


class WrapwrightWarning(UserWarning):
    """Something that may make a result worse."""


class LearnWarning(WrapwrightWarning):
    """Something that may make a wrapper worse than wanted."""


class RunWarning(WrapwrightWarning):
    """Something that failed in a run or an extraction; the rest went on."""


class ExpressionWarning(WrapwrightWarning):
    """Something in an expression that is allowed and hardly meant."""


def _hint(filename: str, source: str, found: dict[str, Any]) -> str | None:
    """What to do about a mistake, in Python's words."""
    if found.get("code") == "XPST0008":
        name = source[found["start"] : found["end"]].lstrip("$")
        bound = f'bindings={{"{name}": …}}' if filename == "<oxpath>" else f"{name}=…"
        return f"give its value as an argument: {bound}"
    if filename == "<oxpath>" and source.endswith((".oxp", ".json")) and not source.split()[1:]:
        return f"there is no file {source}, so this was read as an expression"
    return None


def _again(kind: type[WrapwrightError], args: tuple[Any, ...], state: dict[str, Any]) -> WrapwrightError:
    """An exception that was pickled. Its arguments contain the hint already."""
    error = kind.__new__(kind, *args)
    Exception.__init__(error, *args)
    error.__dict__.update(state)
    return error
