"""Read the texts of a batch of documents as words; runs in several processes for a large build.

Each result is a few arrays for thousands of texts, because transfers between processes cost per object. `matching` defines the
words of a text.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, repeat

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import FieldName
from bonafide.index.format.hash_table import Hashes, hash_texts
from bonafide.index.format.jagged_arrays import concatenate_texts
from bonafide.matching.entries.bulk_addresses import build_address_arrays
from bonafide.matching.entries.bulk_terms import build_business_arrays, build_person_arrays
from bonafide.matching.entries.term_arrays import TermArrays
from bonafide.matching.identifiers.number_matching import build_number_keys

MAX_HELD_WORDS = 2**18
"""Numbered words of a field above which the dictionary that finds them is emptied."""
_SEPARATOR = " "
_READERS: Mapping[FieldName, Callable[[Sequence[str]], TermArrays]] = {
    FieldName.NAMES: build_business_arrays,
    FieldName.PEOPLE: build_person_arrays,
    FieldName.ADDRESSES: build_address_arrays,
}


class WordNumbering:
    """Gives each new word the next number, from 0.

    A dictionary finds the numbers. When it has more than `most_held` words, they are stored as text and it is emptied, so that it
    stays small in a large build. A word that occurs again then gets a further number.
    """

    def __init__(self, most_held: int = MAX_HELD_WORDS) -> None:
        # Not a subclass of dict: the garbage collector would traverse all its words repeatedly.
        self._numbers: dict[str, int] = {}
        self._most_held = most_held
        self._stored: list[bytes] = []
        self._count = 0

    def __len__(self) -> int:
        """The number of numbered words."""
        return self._count

    @property
    def has_repeats(self) -> bool:
        """Whether a word may have several numbers."""
        return len(self._stored) > 0

    def assign(self, words: Sequence[str]) -> NDArray[np.uint32]:
        """The numbers of these distinct words."""
        if len(self._numbers) > self._most_held:
            self._stored.append(_SEPARATOR.join(self._numbers).encode())
            self._numbers = {}
        numbers = np.fromiter(map(self._numbers.get, words, repeat(-1)), np.int64, len(words))
        # Lookups among millions of words miss the cache, so each word is looked up once.
        fresh = np.flatnonzero(numbers < 0)
        numbers[fresh] = np.arange(self._count, self._count + len(fresh))
        self._numbers.update(zip(map(words.__getitem__, fresh.tolist()), count(self._count), strict=False))
        self._count += len(fresh)
        return numbers.astype(np.uint32)

    def words(self) -> list[str]:
        """The words by their numbers."""
        earlier = (words.decode().split(_SEPARATOR) for words in self._stored)
        return [*chain.from_iterable(earlier), *self._numbers]


@dataclass(frozen=True, slots=True)
class TextBatch:
    """The texts of a batch of documents, those of one document after the other."""

    fields: dict[FieldName, list[str]] = field(default_factory=lambda: {name: [] for name in FieldName})
    numbers: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        """The number of items."""
        return sum(map(len, self.fields.values())) + len(self.numbers)


@dataclass(frozen=True, slots=True)
class ReadField:
    """Rows of words read from `count` texts.

    `places`: the text of each row. `lengths`: how many words each row has; `words` concatenates them, as positions in
    `distinct`. `typed`: the typed forms of the rows in UTF-8, concatenated, each of `typed_lengths` bytes.
    """

    count: int
    places: NDArray[np.uint32]
    distinct: str
    words: NDArray[np.uint32]
    lengths: NDArray[np.uint8]
    typed: bytes
    typed_lengths: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class ReadKeys:
    """The hashes of all keys of `count` registration numbers or names, and the number or name to which each belongs."""

    count: int
    places: NDArray[np.uint32]
    hashes: Hashes


_NO_KEYS = ReadKeys(0, np.zeros(0, np.uint32), np.zeros(0, np.uint64))


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """The result of reading a batch."""

    fields: dict[FieldName, ReadField]
    acronyms: ReadKeys
    numbers: ReadKeys


def read_batch(texts: TextBatch) -> ReadBatch:
    """Read a batch."""
    rows = {name: _READERS[name](own) for name, own in texts.fields.items() if own}
    fields = {name: _read_field(own, len(texts.fields[name])) for name, own in rows.items()}
    names = texts.fields[FieldName.NAMES]
    acronyms = _read_acronyms(rows[FieldName.NAMES], len(names)) if names else _NO_KEYS
    return ReadBatch(fields, acronyms, _read_numbers(texts.numbers))


def _read_field(rows: TermArrays, texts: int) -> ReadField:
    typed, offsets = concatenate_texts(rows.typed)
    return ReadField(
        count=texts,
        places=rows.places,
        distinct=_SEPARATOR.join(rows.distinct),
        words=rows.words,
        lengths=rows.lengths,
        typed=typed.tobytes(),
        typed_lengths=np.diff(offsets).astype(np.uint16),
    )


def _read_acronyms(rows: TermArrays, names: int) -> ReadKeys:
    return ReadKeys(names, rows.acronym_places, hash_texts(rows.acronyms))


def _read_numbers(numbers: Sequence[str]) -> ReadKeys:
    # Bypass the cache of `build_number_keys`, which is for few numbers that are looked up often.
    keys = [(number,) if _is_own_key(number) else sorted(build_number_keys.__wrapped__(number)) for number in numbers]
    places = np.repeat(np.arange(len(keys), dtype=np.uint32), np.fromiter(map(len, keys), np.int64, len(keys)))
    return ReadKeys(len(numbers), places, hash_texts(list(chain.from_iterable(keys))))


def _is_own_key(number: str) -> bool:
    """Whether a number is its only key: digits without leading zeros."""
    return number.isdigit() and number.isascii() and number[0] != "0"
