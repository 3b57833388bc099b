"""One statement of a page: a value, the page, how it was found and the surrounding text.

What several pages state of the same thing is put together elsewhere (`extract`).
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from bonafide.model.search.website import FoundBy, WebsiteEvidence

MAX_SNIPPET: Final = 240
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PageStatement(Generic[T]):
    """A value as a page states it. `strength` tells how sure it is among values of its kind, more is surer."""

    value: T
    page: str
    found_by: FoundBy
    snippet: str
    strength: int = 0

    def evidence(self, field: str, shown: str) -> WebsiteEvidence:
        """The row of evidence for this statement under a field's name; `shown` is the value as the result has it."""
        return WebsiteEvidence(field=field, value=shown, page=self.page, found_by=self.found_by, snippet=self.snippet)


@dataclass(frozen=True, slots=True)
class StatementGroup(Generic[T]):
    """Statements of the same thing, in the order of the pages, and the one that says it best."""

    best: PageStatement[T]
    statements: tuple[PageStatement[T], ...]


def group_statements(
    statements: Iterable[PageStatement[T]], key: Callable[[T], Hashable], quality: Callable[[PageStatement[T]], Any]
) -> list[StatementGroup[T]]:
    """Statements of the same thing together, in the order in which each was first met, each with the first of its best."""
    by_key: dict[Hashable, list[PageStatement[T]]] = {}
    for statement in statements:
        by_key.setdefault(key(statement.value), []).append(statement)
    return [StatementGroup(max(same, key=quality), tuple(same)) for same in by_key.values()]


def cut_snippet(text: str, start: int = 0, end: int | None = None) -> str:
    """At most `MAX_SNIPPET` characters of a text around what stands from `start` to `end`."""
    if len(text) <= MAX_SNIPPET:
        return text
    middle = (start + (end if end is not None else start)) // 2
    first = min(max(middle - MAX_SNIPPET // 2, 0), len(text) - MAX_SNIPPET)
    return text[first : first + MAX_SNIPPET].strip()


def join_snippet(lines: Sequence[str]) -> str:
    """The words of several lines in one."""
    return cut_snippet(" / ".join(lines))
