"""Read the rows of a CSV stream one at a time. A row that can't be read does not affect the rows after it."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from bonafide.i18n.message import Message

MAX_LINE_BYTES = 100_000
MAX_SHOWN_CHARACTERS = 100
"""How many characters of an overlong line are kept."""
BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
_OPEN_QUOTE = "unexpected end of data"
"""The csv module's message for an unclosed quote."""


@dataclass(frozen=True, slots=True)
class CsvLine:
    """A line, or its problem. Bytes that are not UTF-8 are lone surrogates."""

    number: int
    text: str
    problem: Message | None = None


class CsvRowError(ValueError):
    """A line does not begin a valid row of CSV."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class CsvLineReader:
    """The lines of a stream. A row has at most `max_row_lines`: a quoted cell may contain line breaks."""

    def __init__(self, stream: BinaryIO, max_row_lines: int, *, needs_utf8: bool) -> None:
        self._fresh = _read_lines(stream, needs_utf8=needs_utf8)
        self._again: list[CsvLine] = []
        self._max_row_lines = max_row_lines

    def next(self) -> CsvLine | None:
        """The next line; None at the end."""
        return self._again.pop() if self._again else next(self._fresh, None)

    def put_back(self, lines: Sequence[CsvLine]) -> None:
        """Return these lines before any others."""
        self._again += reversed(lines)

    def read_cells(self, first: CsvLine, delimiter: str) -> list[str]:
        """The cells of the row that begins with this line. Raises `CsvRowError`; the lines after the first are then read again."""
        taken: list[CsvLine] = []

        def texts() -> Iterator[str]:
            yield first.text
            while len(taken) < self._max_row_lines - 1 and (line := self.next()) is not None:
                taken.append(line)
                if line.problem is not None:
                    return
                yield line.text

        try:
            return next(csv.reader(texts(), delimiter=delimiter, strict=True), [])
        except csv.Error as error:
            self.put_back(taken)
            raise CsvRowError(_describe_csv_error(str(error))) from None


def _describe_csv_error(text: str) -> Message:
    return Message("a quote is not closed") if text == _OPEN_QUOTE else Message("not CSV: {problem}", problem=text)


def split_line(text: str, delimiter: str) -> list[str]:
    """The cells of one line; empty if it is not CSV."""
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []


def _read_lines(stream: BinaryIO, *, needs_utf8: bool) -> Iterator[CsvLine]:
    number = 0
    while raw := stream.readline(MAX_LINE_BYTES):
        number += 1
        text = raw.decode(errors="surrogateescape")
        text = text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text
        if not raw.endswith(b"\n") and len(raw) == MAX_LINE_BYTES:
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(MAX_LINE_BYTES)
            yield CsvLine(number, text[:MAX_SHOWN_CHARACTERS], Message("longer than {most:,} bytes", most=MAX_LINE_BYTES))
        else:
            yield CsvLine(number, text, None if not needs_utf8 or is_utf8(text) else Message("not UTF-8"))


def is_utf8(text: str) -> bool:
    """Whether the text was UTF-8: no byte of it is a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
