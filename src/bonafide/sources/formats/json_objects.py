"""Read JSON strictly: a whole document, or the objects of a list in it one by one, however long the list.

A document that is none, that breaks off, or that has something else where the list should be is refused. Objects are given as they
stand; what their keys mean is the source's business.
"""

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import TableRow, normalize_whitespace

CHUNK_CHARACTERS = 1 << 18
MAX_OBJECT_CHARACTERS = 1 << 20
"""Of one object: the longest that is known, a licence with all its classes, has three thousand."""
_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_DECODER = json.JSONDecoder()

JsonObject = Mapping[str, Any]


def read_objects(text: io.TextIOBase, name: str, key: str | None = None) -> Iterator[JsonObject]:
    """The objects of the list that a document is or, with a `key`, of the list that it has as its first value, under that key.

    `name` is what errors call the document. Raises `ParseFailed`.
    """
    document = _JsonReader(text, name)
    if key is not None:
        document.expect("{")
        if document.value() != key:
            raise ParseFailed(f"{name}: not the document that is known: its first key is not {key!r}")
        document.expect(":")
    document.expect("[")
    if document.peek() == "]":
        return
    while True:
        item = document.value()
        if not isinstance(item, dict):
            raise ParseFailed(f"{name}: not the document that is known: the list has something else than objects")
        yield item
        if document.peek() == "]":
            return
        document.expect(",")


def create_table_row(place: int, item: JsonObject, columns: Iterable[str]) -> TableRow:
    """The values of an object under these keys as a row of a table; what is no text stays as it is."""
    cells: dict[str, Any] = {column: item.get(column) for column in columns}
    return TableRow(
        place, {column: normalize_whitespace(value) if isinstance(value, str) else value for column, value in cells.items()}
    )


@dataclass(slots=True)
class _JsonReader:
    """A document as far as it was read, without what was taken of it."""

    text: io.TextIOBase
    name: str
    buffer: str = ""
    place: int = 0

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            space = _SPACE.match(self.buffer, self.place)
            self.place = space.end() if space is not None else self.place
            if self.place < len(self.buffer):
                return self.buffer[self.place]
            if not self._read():
                return ""

    def expect(self, mark: str) -> None:
        """Take this character. Raises `ParseFailed` when another one comes."""
        found = self.peek()
        if found != mark:
            told = repr(found) if found else "its end"
            raise ParseFailed(f"{self.name}: not JSON, or another document than is known: {mark!r} is expected, and {told} comes")
        self.place += 1

    def value(self) -> Any:
        """Take the next value, an object or a text: both say themselves where they end. Raises `ParseFailed`."""
        self.peek()
        while True:
            try:
                value, self.place = _DECODER.raw_decode(self.buffer, self.place)
            except (ValueError, RecursionError) as error:
                # What is read so far may be half an object.
                if len(self.buffer) - self.place > MAX_OBJECT_CHARACTERS or not self._read():
                    raise ParseFailed(f"{self.name}: not JSON, or it breaks off: {error}"[:200]) from error
            else:
                return value

    def _read(self) -> bool:
        more = self.text.read(CHUNK_CHARACTERS)
        self.buffer, self.place = self.buffer[self.place :] + more, 0
        return bool(more)


_HALF_CHARACTER = "\\ud"
"""How the escape of half a character begins, which text in UTF-8 can't have (RFC 8259, section 8.2)."""


def parse_strict_json(content: bytes) -> Any:
    """The document, which is in UTF-8 (RFC 8259, section 8.1).

    Raises `ValueError` for anything else: for NaN, for a number that is too long, for lists within lists without end, for half a
    character.
    """
    text = content.decode("utf-8-sig")
    try:
        document = json.loads(text, parse_constant=_reject_constant)
        if _HALF_CHARACTER in text.lower():
            json.dumps(document, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return document


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
