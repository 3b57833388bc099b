"""A statement on a page: a value, the page, how it was found and the surrounding text.

`extractor` merges the statements of several pages.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from bonafide.model.search.website import FoundBy, WebsiteEvidence

MAX_SNIPPET: Final = 240
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PageStatement(Generic[T]):
    """A value as stated on a page. A higher `strength` means a more reliable statement among values of the same kind."""

    value: T
    page: str
    found_by: FoundBy
    snippet: str
    strength: int = 0

    def evidence(self, field: str, shown: str) -> WebsiteEvidence:
        """The evidence row of this statement for a field; `shown` is the value in the result."""
        return WebsiteEvidence(field=field, value=shown, page=self.page, found_by=self.found_by, snippet=self.snippet)


@dataclass(frozen=True, slots=True)
class StatementGroup(Generic[T]):
    """Statements of the same value in page order, and the best one."""

    best: PageStatement[T]
    statements: tuple[PageStatement[T], ...]


def group_statements(
    statements: Iterable[PageStatement[T]], key: Callable[[T], Hashable], quality: Callable[[PageStatement[T]], Any]
) -> list[StatementGroup[T]]:
    """Group statements of the same value in order of first appearance. On ties, the first statement is the best."""
    by_key: dict[Hashable, list[PageStatement[T]]] = {}
    for statement in statements:
        by_key.setdefault(key(statement.value), []).append(statement)
    return [StatementGroup(max(same, key=quality), tuple(same)) for same in by_key.values()]


def cut_snippet(text: str, start: int = 0, end: int | None = None) -> str:
    """At most `MAX_SNIPPET` characters of a text around the range from `start` to `end`."""
    if len(text) <= MAX_SNIPPET:
        return text
    middle = (start + (end if end is not None else start)) // 2
    first = min(max(middle - MAX_SNIPPET // 2, 0), len(text) - MAX_SNIPPET)
    return text[first : first + MAX_SNIPPET].strip()


def join_snippet(lines: Sequence[str]) -> str:
    """Join several lines into one."""
    return cut_snippet(" / ".join(lines))
