"""The acronyms of many plain names at once, as `acronym_terms.collect_acronyms` finds them one at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.entries.acronym_terms import SHORTEST_SPELLED_FORM, list_first_words
from bonafide.matching.entries.term_arrays import ASCII_END, Flags, Numbers, WordLines
from bonafide.matching.names.acronyms import FEWEST_WORDS, FUNCTION_WORDS, MOST_WORDS, find_known_acronyms
from bonafide.matching.names.normalization import NormalName

PackedInitials = NDArray[np.uint64]
"""Up to eight letters of ASCII as the bytes of a number, the first in the lowest; 0 for a name without an acronym."""
_LETTER_BITS = 8
_AND = ord("a")
"""The initial of "and", as which "&" is read."""


@dataclass(frozen=True, slots=True)
class PlainNames:
    """The plain names among lines of words.

    `lines` flags the plain names, `kept` the words of their cores, `last` has the last word of each line, and `has_form` flags
    the plain names whose last word is a legal form.
    """

    words: WordLines
    lines: Flags
    kept: Flags
    last: Numbers
    has_form: Flags

    def take_core(self, line: int) -> list[str]:
        """The words of the core of a plain name, in order."""
        words = slice(self.words.starts[line], self.words.stops[line])
        return [self.words.distinct[number] for number in self.words.words[words][self.kept[words]].tolist()]


@dataclass(slots=True)
class NameAcronyms:
    """Acronyms with the indexes of their names."""

    places: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def extend(self, places: Sequence[int], found: Iterable[tuple[int, str]]) -> None:
        """Add acronyms, each with the position of its name among `places`."""
        for place, text in found:
            self.places.append(places[place])
            self.texts.append(text)

    def add_packed(self, packed: PackedInitials) -> None:
        """Add an acronym for each name that has one."""
        places = np.flatnonzero(packed)
        if len(places) > 0:
            self.places += places.tolist()
            self.texts += b"\n".join(packed[places].astype("<u8").view("S8").tolist()).decode().split("\n")

    def sort(self) -> None:
        """Order them by name. Those of a name keep their order."""
        order = np.argsort(np.array(self.places, np.int64), kind="stable").tolist()
        self.places = [self.places[row] for row in order]
        self.texts = [self.texts[row] for row in order]


def build_plain_acronyms(names: PlainNames) -> tuple[NameAcronyms, list[int]]:
    """The acronyms of plain names, and the names that have to be read one at a time.

    Those have words that do not begin with a character of ASCII.
    """
    words, kept = names.words, names.kept
    function = words.flag(FUNCTION_WORDS)[words.words]
    unread = names.lines & (words.count((words.first_characters >= ASCII_END)[words.words]) > 0)
    read = names.lines & ~unread & (words.lengths >= FEWEST_WORDS)
    has_function = words.count(function) > 0
    is_repeated = words.count(kept & (words.words == names.last[words.lines])) > 0
    is_last = np.zeros(len(kept), np.bool_)
    is_last[words.stops[names.has_form & is_repeated] - 1] = True
    initials = _encode_initials(words)
    content = _pack(words, kept & ~function, initials, read)
    # A word of the core that is repeated as the legal form counts as one of the core.
    whole = _pack(words, kept | function | is_last, initials, read & has_function)
    spelled_out = names.has_form & (words.distinct_lengths >= SHORTEST_SPELLED_FORM)[names.last]
    form = _pack(words, ~function, initials, read & spelled_out & ~(has_function & is_repeated))
    form[form == whole] = 0
    found = NameAcronyms()
    _add_known_bodies(names, names.lines & ~unread, found)
    for packed in (content, whole, form):
        found.add_packed(packed)
    return found, np.flatnonzero(unread).tolist()


def _add_known_bodies(names: PlainNames, read: Flags, found: NameAcronyms) -> None:
    """Add the acronyms of the names that are those of a known body."""
    words = names.words
    places = np.flatnonzero(names.kept)
    lines = words.lines[places]
    first = np.concatenate((np.ones(min(1, len(lines)), np.bool_), lines[1:] != lines[:-1]))
    begins = words.flag(list_first_words())[words.words[places]] & first & read[lines]
    for line in lines[begins].tolist():
        for acronym in find_known_acronyms(NormalName("", (), tuple(names.take_core(line)), ())):
            found.places.append(line)
            found.texts.append(acronym)


def _encode_initials(words: WordLines) -> PackedInitials:
    """The initial of each word of the lines as a code; 0 for a word that does not begin with a letter of ASCII."""
    first = words.first_characters
    codes = np.where((first >= ord("a")) & (first <= ord("z")), first, 0)
    codes[words.flag({"&"})] = _AND
    return codes.astype(np.uint64)[words.words]


def _pack(words: WordLines, chosen: Flags, initials: PackedInitials, read: Flags) -> PackedInitials:
    """The initials of the chosen words of each name to read; 0 unless three to eight words are chosen that begin with a letter."""
    counts = words.count(chosen)
    packed = np.zeros(len(words), np.uint64)
    fitting = read & (counts >= FEWEST_WORDS) & (counts <= MOST_WORDS)
    fitting &= words.count(chosen & (initials == 0)) == 0
    used = chosen & fitting[words.lines]
    letters = initials[used]
    if len(letters) > 0:
        lengths = counts[fitting]
        starts = np.cumsum(lengths) - lengths
        positions = np.arange(len(letters)) - np.repeat(starts, lengths)
        packed[fitting] = np.bitwise_or.reduceat(letters << (positions * _LETTER_BITS).astype(np.uint64), starts)
    return packed
