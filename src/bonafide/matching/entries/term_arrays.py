"""The terms of many texts as arrays: what `index_terms` returns, built by operations on all words of a batch at once.

A large index reads millions of names. Most of them consist of words that need no closer look, so that a few operations on arrays of
word numbers replace several calls for each name. Texts that need more are parsed one at a time by the functions of `index_terms`.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress, count

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.entries.index_terms import MAX_WORD_CHARACTERS, MAX_WORDS

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_LINE_END = "\x04"
"""A word in place of a line end. Folded text has no control characters but those of `punctuation`."""
ASCII_END = 0x80
"""The first code point beyond ASCII."""
_ROW_BITS = 8
"""The bits of a row's number within its text."""


@dataclass(frozen=True, slots=True)
class TermArrays:
    """The terms of texts, one row each. `places` is the text of each row and `lengths` the number of its words.

    `words` are the words of all rows, as positions in `distinct`; `typed` the typed form of each row. `acronyms` are those of the
    texts at `acronym_places`.
    """

    places: NDArray[np.uint32]
    distinct: list[str]
    words: NDArray[np.uint32]
    lengths: NDArray[np.uint8]
    typed: list[str]
    acronym_places: NDArray[np.uint32]
    acronyms: list[str]


class WordLines:
    """Lines of words, with a number for each distinct word.

    `words` are the numbers of all words; `lines` is the line of each, and `starts` and `stops` are where each line begins and ends
    among them.
    """

    def __init__(self, text: str) -> None:
        # The line end in front gets the number 0.
        split = f"{_LINE_END} {text}\n".replace("\n", f" {_LINE_END} ").split()
        # A word that is looked up for the first time gets the next number, so that each word is hashed once.
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        numbers = np.fromiter(map(self._numbers.__getitem__, split), np.int64, len(split))
        ends = np.flatnonzero(numbers == 0)[1:]
        self.words: Numbers = numbers[numbers > 0]
        self.stops: Numbers = ends - np.arange(1, len(ends) + 1)
        self.starts: Numbers = np.concatenate((np.zeros(1, np.int64), self.stops[:-1]))
        self.lengths: Numbers = self.stops - self.starts
        self.lines: Numbers = np.repeat(np.arange(len(ends)), self.lengths)
        self.distinct = list(self._numbers)
        """The words by their numbers; the first is the line end."""

    def __len__(self) -> int:
        """The number of lines."""
        return len(self.stops)

    def number(self, words: Iterable[str]) -> list[int]:
        """The numbers of words, which are added if they are new."""
        return list(map(self._numbers.__getitem__, words))

    def list_words(self) -> list[str]:
        """All words by their numbers, with those that were added."""
        return list(self._numbers)

    def flag(self, words: AbstractSet[str]) -> Flags:
        """Whether each distinct word is among these."""
        flags = np.zeros(len(self.distinct), np.bool_)
        flags[[self._numbers[word] for word in self._numbers.keys() & words]] = True
        return flags

    @cached_property
    def distinct_lengths(self) -> Numbers:
        """The number of characters of each distinct word."""
        return np.fromiter(map(len, self.distinct), np.int64, len(self.distinct))

    @cached_property
    def first_characters(self) -> NDArray[np.uint32]:
        """The code point of the first character of each distinct word."""
        characters = np.frombuffer("".join(self.distinct).encode("utf-32-le"), "<u4")
        ends: Numbers = np.cumsum(self.distinct_lengths, dtype=np.int64)
        first: NDArray[np.uint32] = characters[ends - self.distinct_lengths]
        return first

    def count(self, flags: Flags) -> Numbers:
        """The number of flagged words in each line, given a flag for each word of the lines."""
        sums = np.concatenate((np.zeros(1, np.int64), np.cumsum(flags, dtype=np.int64)))
        counts: Numbers = sums[self.stops] - sums[self.starts]
        return counts

    def take(self, line: int) -> list[str]:
        """The words of a line."""
        return [self.distinct[number] for number in self.words[self.starts[line] : self.stops[line]].tolist()]


class TermRows:
    """Collects the rows of a batch, in any order."""

    def __init__(self, lines: WordLines) -> None:
        self._lines = lines
        self._keys: list[Numbers] = []
        self._words: list[Numbers] = []
        self._single_keys: list[int] = []
        self._single_words: list[Sequence[str]] = []
        self._typed: dict[int, str] = {}

    def add_words(self, places: Numbers, words: Numbers) -> None:
        """Add the first row of texts, given the text of each word: at most `MAX_WORDS` of a text; equal ones count once."""
        keys = places << _ROW_BITS
        first = _flag_first(keys, words, len(self._lines))
        self._keys.append(keys[first])
        self._words.append(words[first])

    def add_row(self, place: int, words: Sequence[str], row: int = 0, typed: str | None = None) -> None:
        """Add a row of a text, with its distinct words. A further one of the text has a number and a typed form of its own."""
        key = place << _ROW_BITS | row
        self._single_keys.append(key)
        self._single_words.append(words)
        if typed is not None:
            self._typed[key] = typed

    def build(self, typed: list[str], acronym_places: Sequence[int] = (), acronyms: Sequence[str] = ()) -> TermArrays:
        """The rows in order, given the typed form of each text, and acronyms with the indexes of their texts."""
        single = self._lines.number(chain.from_iterable(self._single_words))
        counts = list(map(len, self._single_words))
        keys = np.concatenate((*self._keys, np.repeat(np.array(self._single_keys, np.int64), counts)))
        words = np.concatenate((*self._words, np.array(single, np.int64)))
        order = np.argsort(keys, kind="stable")
        keys, words = keys[order], words[order]
        firsts = np.flatnonzero(np.concatenate((np.ones(min(1, len(keys)), np.bool_), keys[1:] != keys[:-1])))
        rows, distinct = keys[firsts], self._lines.list_words()
        used = np.zeros(len(distinct), np.bool_)
        used[words] = True
        places = rows >> _ROW_BITS
        forms = typed if len(rows) == len(typed) and not self._typed else [typed[place] for place in places.tolist()]
        for key, form in self._typed.items():
            forms[int(rows.searchsorted(key))] = form
        return TermArrays(
            places=places.astype(np.uint32),
            distinct=list(compress(distinct, used.tolist())),
            words=(np.cumsum(used) - 1)[words].astype(np.uint32),
            lengths=np.diff(firsts, append=len(keys)).astype(np.uint8),
            typed=forms,
            acronym_places=np.array(acronym_places, np.uint32),
            acronyms=list(acronyms),
        )


def _flag_first(keys: Numbers, words: Numbers, texts: int) -> Flags:
    """Whether each word is the first of its kind in its row."""
    pairs = words * (texts << _ROW_BITS) + keys
    first = np.ones(len(pairs), np.bool_)
    ordered = np.sort(pairs)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(repeated) > 0:  # a stable sort is slow, so only these few pairs are sorted by it
        places = repeated.searchsorted(pairs)
        places[places == len(repeated)] = 0
        rows = np.flatnonzero(repeated[places] == pairs)
        order = np.argsort(pairs[rows], kind="stable")
        ordered = pairs[rows][order]
        first[rows[order[1:][ordered[1:] == ordered[:-1]]]] = False
    return first


def flag_ordinary(lines: WordLines) -> Flags:
    """Whether each line has words, no more than a row may have, and none that is longer than a word of the index."""
    has_long = lines.distinct_lengths > MAX_WORD_CHARACTERS
    ordinary: Flags = (lines.lengths > 0) & (lines.lengths <= MAX_WORDS)
    if has_long.any():
        ordinary &= lines.count(has_long[lines.words]) == 0
    return ordinary
