"""Group the notices of many issues by business: by number where one is printed, else by exact name.

Read in the order of their issues, they also say who bears a name at the time: whoever changed its name or went into another
business bears it no more. Where a name alone could mean two businesses, the notice is refused; nothing is guessed. The notices
themselves wait in a temporary file, so that twenty years of them need little memory. What an entry says is the business of
`entries`.
"""

import os
from array import array
from collections.abc import Iterator
from tempfile import TemporaryFile
from types import TracebackType
from typing import Self

import numpy as np

from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.notices.events import Notice, NoticeEvent, normalize_name

AMBIGUOUS = "the notice prints a name only, and several businesses bear it"
_BUFFER_BYTES = 1 << 20
_FIRST_NAMELESS = -(1 << 62)
"""Businesses without a number are counted up from here: below every number, in the order in which they came."""
_KEEPS_NAME = frozenset({NoticeEvent.REVIVED, NoticeEvent.RENAMED, NoticeEvent.CHANGED, NoticeEvent.INTENT})
"""Events of a business that was there before: earlier notices that printed only its name are its own."""


class NoticeGrouper:
    """Gathers notices; a context manager, for the sake of its temporary file."""

    def __init__(self, context: ParseContext) -> None:
        self._context = context
        self._file = TemporaryFile("w+b", buffering=_BUFFER_BYTES)  # noqa: SIM115 - closed when the ledger is
        self._ends = array("q", [0])
        self._businesses = array("q")
        self._bearers: dict[int, int | tuple[int, ...]] = {}
        self._same: dict[int, int] = {}
        self._nameless = _FIRST_NAMELESS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def add(self, notice: Notice, resource: Resource, line: int) -> None:
        """Take a notice, or reject it as ambiguous; it must be no earlier than the issue of the one before."""
        key = _hash_name(notice.name, notice)
        business = self._numbered(int(notice.number), notice.event, key) if notice.number is not None else self._named(notice, key)
        if business is None:
            self._context.reject(resource, line, AMBIGUOUS)
            return
        if notice.event is NoticeEvent.AMALGAMATED or notice.new_name is not None:
            self._give_up(key, business)
        if notice.new_name is not None:
            self._bear(_hash_name(notice.new_name, notice), business)
        text = notice.to_line()
        self._file.write(text)
        self._ends.append(self._ends[-1] + len(text))
        self._businesses.append(business)

    def groups(self) -> Iterator[list[Notice]]:
        """The notices of each business, in the order in which they came."""
        self._file.flush()
        numbers = np.frombuffer(self._businesses, dtype=np.int64) if self._businesses else np.empty(0, dtype=np.int64)
        if self._same:
            numbers = np.array([self._same.get(number, number) for number in numbers.tolist()], dtype=np.int64)
        order = np.argsort(numbers, kind="stable")
        group: list[Notice] = []
        last = 0
        for at in order:
            if group and numbers[at] != last:
                yield group
                group = []
            last = numbers[at]
            group.append(self._read(int(at)))
        if group:
            yield group

    def _read(self, at: int) -> Notice:
        start, end = self._ends[at], self._ends[at + 1]
        return Notice.from_line(os.pread(self._file.fileno(), end - start, start))

    # -------------------------------------------------------------------------------------------------------- whose it is

    def _numbered(self, business: int, event: NoticeEvent, key: int) -> int:
        """The business of a number; what has been told of its name alone is told of it, if it was there before."""
        bearers = self._who(key)
        if event in _KEEPS_NAME and len(bearers) == 1 and bearers[0] < 0:
            self._same[bearers[0]] = business
            self._bearers[key] = business
        else:
            self._bear(key, business)
        return business

    def _named(self, notice: Notice, key: int) -> int | None:
        """The one business of the name, or a new one; None when there are several."""
        bearers = self._who(key)
        if notice.successor is not None:
            bearers = tuple(bearer for bearer in bearers if bearer != int(notice.successor))
        if len(bearers) > 1:
            return None
        if bearers:
            return bearers[0]
        self._nameless += 1
        self._bear(key, self._nameless)
        return self._nameless

    def _who(self, key: int) -> tuple[int, ...]:
        """Who bears a name. Nearly every name has one bearer, which is kept as itself: a tuple each would double the memory."""
        bearers = self._bearers.get(key, ())
        return bearers if isinstance(bearers, tuple) else (bearers,)

    def _bear(self, key: int, business: int) -> None:
        bearers = self._who(key)
        if business not in bearers:
            self._bearers[key] = (*bearers, business) if bearers else business

    def _give_up(self, key: int, business: int) -> None:
        left = tuple(bearer for bearer in self._who(key) if bearer != business)
        if left:
            self._bearers[key] = left
        else:
            self._bearers.pop(key, None)


def _hash_name(name: str, notice: Notice) -> int:
    """Sixty-four bits stand for a name: of two million names, two meet by chance once in ten million loads."""
    return hash((normalize_name(name), notice.series))
