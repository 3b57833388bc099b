"""Read JSON strictly: a whole document, or the objects of a list in it one by one, however long the list.

A document that is invalid or truncated, or that has no list where one is expected, is refused. Objects are returned unchanged; the
source interprets their keys.
"""

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import TableRow, normalize_whitespace

CHUNK_CHARACTERS = 1 << 18
MAX_OBJECT_CHARACTERS = 1 << 20
"""Maximum length of one object. The longest known one, a licence with all its classes, has 3,000 characters."""
_MAX_DETAIL_CHARACTERS = 200
_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_DECODER = json.JSONDecoder()

JsonObject = Mapping[str, Any]


def read_objects(text: io.TextIOBase, name: str, key: str | None = None) -> Iterator[JsonObject]:
    """The objects of the list that a document is or, with a `key`, of the list that it has as its first value, under that key.

    Errors name the document `name`. Raises `ParseFailed`.
    """
    document = _JsonReader(text, name)
    if key is not None:
        document.expect("{")
        if document.value() != key:
            raise ParseFailed(Message("{file}: unknown document layout: the first key is not '{key}'", file=name, key=key))
        document.expect(":")
    document.expect("[")
    if document.peek() == "]":
        return
    while True:
        item = document.value()
        if not isinstance(item, dict):
            raise ParseFailed(Message("{file}: unknown document layout: an item of the list is not an object", file=name))
        yield item
        if document.peek() == "]":
            return
        document.expect(",")


def create_table_row(place: int, item: JsonObject, columns: Iterable[str]) -> TableRow:
    """The values of an object under these keys as a row of a table. Values that are not text are not changed."""
    cells: dict[str, Any] = {column: item.get(column) for column in columns}
    return TableRow(
        place, {column: normalize_whitespace(value) if isinstance(value, str) else value for column, value in cells.items()}
    )


@dataclass(slots=True)
class _JsonReader:
    """A document that is read in chunks: the part that is read and not yet consumed."""

    text: io.TextIOBase
    name: str
    buffer: str = ""
    place: int = 0

    def peek(self) -> str:
        """The next character that is not white space; empty at the end."""
        while True:
            space = _SPACE.match(self.buffer, self.place)
            self.place = space.end() if space is not None else self.place
            if self.place < len(self.buffer):
                return self.buffer[self.place]
            if not self._read():
                return ""

    def expect(self, mark: str) -> None:
        """Consume this character. Raises `ParseFailed` when the next one is another."""
        found = self.peek()
        if found != mark:
            if found == "":
                raise ParseFailed(Message("{file}: the document is truncated: {mark} is expected", file=self.name, mark=mark))
            raise ParseFailed(
                Message("{file}: unknown document layout: {mark} is expected, not {found}", file=self.name, mark=mark, found=found)
            )
        self.place += 1

    def value(self) -> Any:
        """Consume the next value, an object or a string. Raises `ParseFailed`."""
        self.peek()
        while True:
            try:
                value, self.place = _DECODER.raw_decode(self.buffer, self.place)
            except (ValueError, RecursionError) as error:
                # The buffer may end within an object.
                if len(self.buffer) - self.place > MAX_OBJECT_CHARACTERS or not self._read():
                    detail = str(error)[:_MAX_DETAIL_CHARACTERS]
                    raise ParseFailed(
                        Message("{file}: invalid or truncated JSON: {error}", file=self.name, error=detail)
                    ) from error
            else:
                return value

    def _read(self) -> bool:
        more = self.text.read(CHUNK_CHARACTERS)
        self.buffer, self.place = self.buffer[self.place :] + more, 0
        return bool(more)


_SURROGATE_ESCAPE = "\\ud"
"""The start of the escape of a surrogate; a lone one can't be encoded in UTF-8 (RFC 8259, section 8.2)."""


def parse_strict_json(content: bytes) -> Any:
    """Parse a document in UTF-8 (RFC 8259, section 8.1).

    Raises `ValueError` for anything else: NaN, a number that is too long, excessive nesting, a lone surrogate.
    """
    text = content.decode("utf-8-sig")
    try:
        document = json.loads(text, parse_constant=_reject_constant)
        if _SURROGATE_ESCAPE in text.lower():
            json.dumps(document, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return document


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
