"""Read the texts of a batch of documents as words; runs in several processes for a large build.

Each result is a few arrays for thousands of texts, because transfers between processes cost per object. `matching` defines the
words of a text.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, repeat

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import FieldName
from bonafide.index.format.hash_table import Hashes, hash_texts
from bonafide.index.format.jagged_arrays import concatenate_texts
from bonafide.matching.entries.index_terms import IndexTerms, build_address_terms, build_business_terms, build_person_terms
from bonafide.matching.identifiers.number_matching import build_number_keys

_READERS: Mapping[FieldName, Callable[[Sequence[str]], IndexTerms]] = {
    FieldName.NAMES: build_business_terms,
    FieldName.PEOPLE: build_person_terms,
    FieldName.ADDRESSES: build_address_terms,
}


class WordNumbering:
    """Gives each new word the next number, from 0."""

    def __init__(self) -> None:
        # Not a subclass of dict: the garbage collector would traverse all its words repeatedly.
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        """The number of distinct words."""
        return len(self._numbers)

    def assign(self, words: Sequence[str]) -> NDArray[np.uint32]:
        """The numbers of these distinct words."""
        numbers = np.fromiter(map(self._numbers.get, words, repeat(-1)), np.int64, len(words))
        # Lookups among millions of words miss the cache, so each word is looked up once.
        fresh = np.flatnonzero(numbers < 0)
        numbers[fresh] = np.arange(len(self._numbers), len(self._numbers) + len(fresh))
        self._numbers.update(zip(map(words.__getitem__, fresh.tolist()), count(len(self._numbers)), strict=False))
        return numbers.astype(np.uint32)

    def words(self) -> Collection[str]:
        """The words by their numbers."""
        return self._numbers.keys()


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
    acronyms = rows[FieldName.NAMES].acronyms if names else []
    return ReadBatch(fields, _read_acronyms(acronyms, len(names)), _read_numbers(texts.numbers))


def _read_field(rows: IndexTerms, texts: int) -> ReadField:
    words = list(chain.from_iterable(rows.words))
    numbers = dict(zip(dict.fromkeys(words), count(), strict=False))
    typed, offsets = concatenate_texts(rows.typed)
    return ReadField(
        count=texts,
        places=np.array(rows.places, np.uint32),
        distinct=" ".join(numbers),
        words=np.fromiter(map(numbers.__getitem__, words), np.uint32, len(words)),
        lengths=np.fromiter(map(len, rows.words), np.uint8, len(rows.words)),
        typed=typed.tobytes(),
        typed_lengths=np.diff(offsets).astype(np.uint16),
    )


def _read_acronyms(acronyms: Sequence[tuple[int, str]], names: int) -> ReadKeys:
    places = np.fromiter((place for place, _ in acronyms), np.uint32, len(acronyms))
    return ReadKeys(names, places, hash_texts([acronym for _, acronym in acronyms]))


def _read_numbers(numbers: Sequence[str]) -> ReadKeys:
    # Bypass the cache of `build_number_keys`, which is for few numbers that are looked up often.
    keys = [sorted(build_number_keys.__wrapped__(number)) for number in numbers]
    places = np.repeat(np.arange(len(keys), dtype=np.uint32), np.fromiter(map(len, keys), np.int64, len(keys)))
    return ReadKeys(len(numbers), places, hash_texts(list(chain.from_iterable(keys))))
