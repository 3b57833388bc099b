"""Group the notices of many issues by business: by number where one is printed, else by exact name.

Read in the order of their issues, they also determine which businesses have a name at the time: a business that changed its name or
was merged into another no longer has it. If a name is ambiguous, the notice is rejected. Notices are kept in a temporary file, so
that twenty years of them need little memory. `entries` builds the entries.
"""

import os
from array import array
from collections.abc import Iterator
from tempfile import TemporaryFile
from types import TracebackType
from typing import Self

import numpy as np

from bonafide.i18n.message import Message
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.notices.events import Notice, NoticeEvent, normalize_name

AMBIGUOUS = Message("the notice has only a name, which several businesses have")
_BUFFER_BYTES = 1 << 20
_FIRST_NAMELESS = -(1 << 62)
"""Businesses without a number get IDs from here on, below every number, in the order in which they were read."""
_KEEPS_NAME = frozenset({NoticeEvent.REVIVED, NoticeEvent.RENAMED, NoticeEvent.CHANGED, NoticeEvent.INTENT})
"""Events of an existing business: earlier notices that have only its name belong to it."""


class NoticeGrouper:
    """Groups notices by business. A context manager that closes its temporary file."""

    def __init__(self, context: ParseContext) -> None:
        self._context = context
        self._file = TemporaryFile("w+b", buffering=_BUFFER_BYTES)  # noqa: SIM115 - closed with the grouper
        self._ends = array("q", [0])
        self._businesses = array("q")
        self._by_name: dict[int, int | tuple[int, ...]] = {}
        self._merged: dict[int, int] = {}
        self._nameless = _FIRST_NAMELESS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def add(self, notice: Notice, resource: Resource, line: int) -> None:
        """Add a notice, or reject it as ambiguous. Notices must be added in the order of their issues."""
        key = _hash_name(notice.name, notice)
        business = (
            self._find_numbered(int(notice.number), notice.event, key)
            if notice.number is not None
            else self._find_named(notice, key)
        )
        if business is None:
            self._context.reject(resource, line, AMBIGUOUS)
            return
        if notice.event is NoticeEvent.AMALGAMATED or notice.new_name is not None:
            self._remove_name(key, business)
        if notice.new_name is not None:
            self._add_name(_hash_name(notice.new_name, notice), business)
        text = notice.to_line()
        self._file.write(text)
        self._ends.append(self._ends[-1] + len(text))
        self._businesses.append(business)

    def groups(self) -> Iterator[list[Notice]]:
        """Yield the notices of each business, in the order in which they were added."""
        self._file.flush()
        numbers = np.frombuffer(self._businesses, dtype=np.int64) if self._businesses else np.empty(0, dtype=np.int64)
        if self._merged:
            numbers = np.array([self._merged.get(number, number) for number in numbers.tolist()], dtype=np.int64)
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

    # -------------------------------------------------------------------------------------------------------- businesses by name

    def _find_numbered(self, business: int, event: NoticeEvent, key: int) -> int:
        """Return the business with the number. Earlier notices with only its name are assigned to it if it existed before."""
        businesses = self._get_businesses(key)
        if event in _KEEPS_NAME and len(businesses) == 1 and businesses[0] < 0:
            self._merged[businesses[0]] = business
            self._by_name[key] = business
        else:
            self._add_name(key, business)
        return business

    def _find_named(self, notice: Notice, key: int) -> int | None:
        """Return the only business with the name, or a new one; None if there are several."""
        businesses = self._get_businesses(key)
        if notice.successor is not None:
            businesses = tuple(business for business in businesses if business != int(notice.successor))
        if len(businesses) > 1:
            return None
        if businesses:
            return businesses[0]
        self._nameless += 1
        self._add_name(key, self._nameless)
        return self._nameless

    def _get_businesses(self, key: int) -> tuple[int, ...]:
        """Return the businesses with a name. Nearly every name has one, which is stored without a tuple to halve the memory."""
        businesses = self._by_name.get(key, ())
        return businesses if isinstance(businesses, tuple) else (businesses,)

    def _add_name(self, key: int, business: int) -> None:
        businesses = self._get_businesses(key)
        if business not in businesses:
            self._by_name[key] = (*businesses, business) if businesses else business

    def _remove_name(self, key: int, business: int) -> None:
        left = tuple(other for other in self._get_businesses(key) if other != business)
        if left:
            self._by_name[key] = left
        else:
            self._by_name.pop(key, None)


def _hash_name(name: str, notice: Notice) -> int:
    """Return a 64-bit hash of a name. Among two million names, a collision occurs once in ten million loads."""
    return hash((normalize_name(name), notice.series))
