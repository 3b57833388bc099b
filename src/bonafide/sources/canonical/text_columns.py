"""Blocks of rows as columns of text, which are checked as a whole: most have nothing to normalize or to examine."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from json.encoder import encode_basestring
from typing import Final, Generic, TypeVar

from bonafide.model.invisible_characters import INVISIBLE
from bonafide.sources.canonical.fields import MAX_TEXT_CHARACTERS
from bonafide.sources.canonical.files import RowBlock

_CACHED_VALUES = 50_000
"""The maximum number of distinct values of a column whose results are kept."""
T = TypeVar("T")


quote: Final = encode_basestring
"""Writes a text as JSON. A text without control characters is written as pydantic writes it."""


class ParsedValues(Generic[T]):
    """The results of a parser by text, each parsed once. The parser raises `ValueError` for an unusual text."""

    def __init__(self, parse: Callable[[str], T]) -> None:
        self._parse = parse
        self._results: dict[str, T | None] = {}
        self._unusual: set[str] = set()

    def find(self, text: str) -> T | None:
        """The result of one text; None for an unusual one."""
        if text not in self._results:
            self._add({text})
        return self._results.get(text)

    def find_all(self, texts: Sequence[str], unusual: set[int]) -> list[T | None]:
        """The result of each text; None for an empty one, and for an unusual one, whose row is added to `unusual`."""
        distinct = set(texts)
        self._add(distinct)
        if not self._unusual.isdisjoint(distinct):
            unusual.update(row for row, text in enumerate(texts) if text in self._unusual)
        return list(map(self._results.get, texts))

    def _add(self, texts: AbstractSet[str]) -> None:
        if len(self._results) + len(self._unusual) > _CACHED_VALUES:
            self._results.clear()
            self._unusual.clear()
        for text in texts - self._results.keys() - self._unusual:
            try:
                self._results[text] = self._parse(text) if text != "" else None
            except ValueError:
                self._unusual.add(text)


class TextColumns:
    """The columns of a block. `unusual` are the rows with values that are not plain text, which have to be read one at a time."""

    def __init__(self, block: RowBlock, defaults: Mapping[str, str]) -> None:
        self.count: Final = len(block.rows)
        self.unusual: Final[set[int]] = set()
        self._texts: dict[str, Sequence[str]] = {}
        self._escaped: dict[str, Sequence[str]] = {}
        for name, values in zip(block.columns, zip(*block.rows, strict=True), strict=True):
            if name is None:
                continue
            if block.are_cells:
                if any(values):
                    self._texts[name] = self._normalize_cells(values)
            # False and 0 are values, too.
            elif values.count(None) < len(values):
                self._texts[name] = self._select_texts(values)
        for name, default in defaults.items():
            self._texts[name] = [text or default for text in self.get(name)]

    def get(self, name: str) -> Sequence[str]:
        """The values of a column with normalized white space; empty ones for blanks."""
        texts = self._texts.get(name)
        return texts if texts is not None else [""] * self.count

    def get_escaped(self, name: str) -> Sequence[str]:
        """The same as they are written within the quotes of JSON."""
        escaped = self._escaped.get(name)
        if escaped is None:
            escaped = self._escaped[name] = escape_all(self.get(name))
        return escaped

    def has(self, name: str) -> bool:
        """Whether any row has a value in the column."""
        return name in self._texts

    def require(self, name: str) -> Sequence[str]:
        """The values of a required column. Rows without one are unusual."""
        texts = self.get(name)
        self.unusual.update(row for row, text in enumerate(texts) if text == "")
        return texts

    def parse(self, name: str, parsed: ParsedValues[T]) -> list[T | None]:
        """The results of the values of a column; None for blanks."""
        return parsed.find_all(self.get(name), self.unusual) if self.has(name) else [None] * self.count

    def write(self, name: str) -> list[str]:
        """The values of a column as members of a JSON object, as `write_members` writes them."""
        return write_members(name, self.get_escaped(name)) if self.has(name) else [""] * self.count

    def list_filled(self, name: str) -> Iterable[tuple[int, str]]:
        """The rows that have a value in a column, and the values."""
        return ((row, text) for row, text in enumerate(self._texts.get(name, ())) if text)

    def _normalize_cells(self, cells: Sequence[str]) -> Sequence[str]:
        if _are_plain(cells):
            return cells
        texts = [" ".join(cell.split()) for cell in cells]
        self.unusual.update(row for row, text in enumerate(texts) if not _is_plain(text))
        return texts

    def _select_texts(self, values: Sequence[object]) -> Sequence[str]:
        texts = [value if isinstance(value, str) else "" for value in values]
        self.unusual.update(row for row, value in enumerate(values) if value is not None and not isinstance(value, str))
        if not _are_plain(texts):
            self.unusual.update(row for row, text in enumerate(texts) if text and not is_plain_text(text))
        return texts


def escape_all(texts: Sequence[str]) -> Sequence[str]:
    """Texts as they are written within the quotes of JSON."""
    joined = "".join(texts)
    return [quote(text)[1:-1] for text in texts] if '"' in joined or "\\" in joined else texts


def write_members(name: str, escaped: Iterable[str | None]) -> list[str]:
    """Escaped texts as members of JSON objects, each preceded by a comma; nothing for None and empty texts."""
    return [f',"{name}":"{text}"' if text else "" for text in escaped]


def _are_plain(texts: Sequence[str]) -> bool:
    """Whether nothing in these texts has to be normalized or examined."""
    lines = "\n".join(texts)
    characters = lines.replace("\n", "")
    if len(lines) - len(characters) != len(texts) - 1 or not characters.isprintable():
        return False
    if "  " in lines or " \n" in lines or "\n " in lines or lines[:1] == " " or lines[-1:] == " ":
        return False
    return max(map(len, texts)) <= MAX_TEXT_CHARACTERS and (characters.isascii() or INVISIBLE.search(characters) is None)


def is_plain_text(text: str) -> bool:
    """Whether nothing in a text has to be normalized or examined."""
    return " ".join(text.split()) == text != "" and _is_plain(text)


def _is_plain(text: str) -> bool:
    return len(text) <= MAX_TEXT_CHARACTERS and text.isprintable() and (text.isascii() or INVISIBLE.search(text) is None)
