"""Iterate over the items of a list that the API returns in pages."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from bonafide_client.models import Cursor, FeedPagination, Pagination

ItemT = TypeVar("ItemT")


class CursorPage(Protocol):
    """A page with a cursor for the next one."""

    cursor: Cursor
    pagination: FeedPagination


class OffsetPage(Protocol):
    """A page that says how many items precede it."""

    pagination: Pagination


CursorPageT = TypeVar("CursorPageT", bound=CursorPage)
OffsetPageT = TypeVar("OffsetPageT", bound=OffsetPage)


@dataclass(slots=True)
class CursorItems(Iterator[ItemT], Generic[CursorPageT, ItemT]):
    """The items of all pages, which are read as they are needed.

    After the last item, `cursor` is where to continue later: pass it to the same method. Before, it is the beginning of the next
    page.
    """

    read_page: Callable[[str | None], CursorPageT]
    get_items: Callable[[CursorPageT], Sequence[ItemT]]
    cursor: str | None = None
    _items: Iterator[ItemT] = field(default_factory=lambda: iter(()), init=False)
    _has_more: bool = field(default=True, init=False)

    def __next__(self) -> ItemT:
        while True:
            for item in self._items:
                return item
            if not self._has_more:
                raise StopIteration
            page = self.read_page(self.cursor)
            self.cursor, self._has_more = page.cursor.next, page.pagination.has_more
            self._items = iter(self.get_items(page))


@dataclass(slots=True)
class AsyncCursorItems(AsyncIterator[ItemT], Generic[CursorPageT, ItemT]):
    """As `CursorItems`, for `async for`."""

    read_page: Callable[[str | None], Awaitable[CursorPageT]]
    get_items: Callable[[CursorPageT], Sequence[ItemT]]
    cursor: str | None = None
    _items: Iterator[ItemT] = field(default_factory=lambda: iter(()), init=False)
    _has_more: bool = field(default=True, init=False)

    async def __anext__(self) -> ItemT:
        while True:
            for item in self._items:
                return item
            if not self._has_more:
                raise StopAsyncIteration
            page = await self.read_page(self.cursor)
            self.cursor, self._has_more = page.cursor.next, page.pagination.has_more
            self._items = iter(self.get_items(page))


@dataclass(slots=True)
class OffsetItems(Iterator[ItemT], Generic[OffsetPageT, ItemT]):
    """The items of all pages, which are read as they are needed. `total` is the number of items once a page was read."""

    read_page: Callable[[int], OffsetPageT]
    get_items: Callable[[OffsetPageT], Sequence[ItemT]]
    offset: int = 0
    total: int | None = field(default=None, init=False)
    _items: Iterator[ItemT] = field(default_factory=lambda: iter(()), init=False)
    _has_more: bool = field(default=True, init=False)

    def __next__(self) -> ItemT:
        while True:
            for item in self._items:
                return item
            if not self._has_more:
                raise StopIteration
            page = self.read_page(self.offset)
            items = self.get_items(page)
            self.offset, self.total = self.offset + len(items), page.pagination.total
            self._has_more = page.pagination.has_more and len(items) > 0
            self._items = iter(items)


@dataclass(slots=True)
class AsyncOffsetItems(AsyncIterator[ItemT], Generic[OffsetPageT, ItemT]):
    """As `OffsetItems`, for `async for`."""

    read_page: Callable[[int], Awaitable[OffsetPageT]]
    get_items: Callable[[OffsetPageT], Sequence[ItemT]]
    offset: int = 0
    total: int | None = field(default=None, init=False)
    _items: Iterator[ItemT] = field(default_factory=lambda: iter(()), init=False)
    _has_more: bool = field(default=True, init=False)

    async def __anext__(self) -> ItemT:
        while True:
            for item in self._items:
                return item
            if not self._has_more:
                raise StopAsyncIteration
            page = await self.read_page(self.offset)
            items = self.get_items(page)
            self.offset, self.total = self.offset + len(items), page.pagination.total
            self._has_more = page.pagination.has_more and len(items) > 0
            self._items = iter(items)
