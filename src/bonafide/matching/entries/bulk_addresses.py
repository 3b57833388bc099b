"""The terms of thousands of address lines, as arrays; the same as those of `index_terms.build_address_terms`, in less time.

The rules are those of `addresses.index_words`, applied to all words of a batch. Lines with a post-office box, or that may end in a
region of several words, are read one at a time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bonafide.matching.addresses.index_words import (
    AMBIGUOUS_WORDS,
    AREA_CHARACTERS,
    BOX_STARTS,
    CANONICAL_WORDS,
    COUNTRIES,
    DIRECTIONS,
    EMPTY_ADDRESS_WORDS,
    FLOORS,
    POSTAL_CODE,
    PROVINCES,
    STREET_TYPES,
    UNITS,
    normalize_plain_word,
    replace_punctuation,
    split_address_words,
    strip_marks,
)
from bonafide.matching.entries.index_terms import MAX_WORD_CHARACTERS, MAX_WORDS, limit_words, to_typed_lines
from bonafide.matching.entries.term_arrays import ASCII_END, Flags, Numbers, TermArrays, TermRows, WordLines
from bonafide.matching.text.folding import fold_lines

_COMMA, _SAINT, _STREET = ",", "st", "street"
_CODE_WORDS = 2
"""The words of a postal code: the whole code and its first half."""
_REGION_ENDS = frozenset(name.split()[-1] for name in COUNTRIES | PROVINCES if " " in name)
"""The last words of regions of several words."""


def build_address_arrays(addresses: Sequence[str]) -> TermArrays:
    """The rows of address lines."""
    folded = fold_lines(addresses)
    plain, code_places, codes = _strip_postal_codes(strip_marks(folded))
    lines = WordLines(replace_punctuation(plain).replace(_COMMA, f" {_COMMA} "))
    read, pieces = _select_pieces(lines)
    places, words = _normalize_pieces(lines, pieces)
    places = np.concatenate((places, np.repeat(code_places, _CODE_WORDS)))
    words = np.concatenate((words, _number_code_words(lines, codes)))
    read &= np.bincount(places, minlength=len(lines)) <= MAX_WORDS
    rows = TermRows(lines)
    kept = read[places]
    rows.add_words(places[kept], words[kept])
    unread = np.flatnonzero(~read).tolist()
    split = folded.split("\n") if unread else []
    for place in unread:
        rows.add_row(place, limit_words(split_address_words(split[place])))
    return rows.build(to_typed_lines(folded))


def _strip_postal_codes(plain: str) -> tuple[str, Numbers, list[str]]:
    """The lines without the first postal code of each, the indexes of the lines that have one, and these codes."""
    found = list(POSTAL_CODE.finditer(plain))
    ends = np.cumsum(np.fromiter(map(len, plain.split("\n")), np.int64) + 1)
    places, first = np.unique(ends.searchsorted([match.start() for match in found], "right"), return_index=True)
    rest, codes, end = [], [], 0
    for match in map(found.__getitem__, first.tolist()):
        start = match.start() - 1
        rest.append(plain[end:start])
        codes.append(plain[start : match.end()])
        end = match.end()
    return " ".join([*rest, plain[end:]]), places.astype(np.int64), codes


def _number_code_words(lines: WordLines, codes: Sequence[str]) -> Numbers:
    """The numbers of the words of all postal codes: for each code, `_CODE_WORDS` in a row."""
    compact = "\n".join(codes).replace(" ", "").replace("-", "").split("\n") if codes else []
    numbers = np.empty((len(compact), _CODE_WORDS), np.int64)
    numbers[:, 0] = lines.number(compact)
    numbers[:, 1] = lines.number([code[:AREA_CHARACTERS] for code in compact])
    return numbers.ravel()


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Words between commas, without a region at the end of the line: the number and line of each word, and where pieces begin."""

    words: Numbers
    lines: Numbers
    begins: Flags


def _select_pieces(lines: WordLines) -> tuple[Flags, _Pieces]:
    """Whether each line can be read by these rules, and the pieces of these lines."""
    comma = lines.flag({_COMMA})[lines.words]
    read = lines.distinct_lengths <= MAX_WORD_CHARACTERS
    read &= ~np.array([word.startswith(BOX_STARTS) for word in lines.distinct])
    is_read = lines.count(~read[lines.words]) == 0
    words, own = lines.words[~comma], lines.lines[~comma]
    piece = np.cumsum(comma)[~comma]
    begins = np.ones(len(words), np.bool_)
    begins[1:] = (own[1:] != own[:-1]) | (piece[1:] != piece[:-1])
    counts = np.bincount(own, minlength=len(lines))
    starts = np.cumsum(counts) - counts
    several = lines.flag(_REGION_ENDS)
    for regions in (COUNTRIES, PROVINCES):
        last = np.where(counts > 0, np.append(words, 0)[starts + counts - 1], 0)
        is_read &= ~several[last]
        counts -= lines.flag(regions)[last] & (counts > 1)
    kept = is_read[own] & (np.arange(len(words)) < (starts + counts)[own])
    return is_read, _Pieces(words[kept], own[kept], begins[kept])


def _normalize_pieces(lines: WordLines, pieces: _Pieces) -> tuple[Numbers, Numbers]:
    """The line and the number of each word of the pieces in its canonical spelling, without those that only label a number."""
    words, begins = pieces.words, pieces.begins
    unit, floor, empty, direction, kind = (
        lines.flag(among)[words] for among in (UNITS, FLOORS, EMPTY_ADDRESS_WORDS, DIRECTIONS.keys(), STREET_TYPES.keys())
    )
    is_digit = _flag_digits(lines)[words]
    ends = np.append(begins[1:], True)[: len(words)]
    before_number = _shift_left(is_digit | (lines.distinct_lengths == 1)[words], ends)
    after_number = _shift_right(is_digit, begins)
    filler = np.where(unit, before_number, empty | (floor & after_number))
    is_last = ends | _shift_left(direction | unit, ends)
    is_street = lines.flag({_SAINT})[words] & ~begins & (is_last | ~(after_number | _shift_right(kind, begins)))
    # A piece that has only labels keeps its words as they are.
    piece = np.cumsum(begins) - 1
    is_left = np.bincount(piece, ~filler)[piece] > 0
    normal = np.where(is_left, _number_normal_words(lines)[words], words)
    normal[is_street & is_left] = lines.number((_STREET,))[0]
    kept = ~filler | ~is_left
    return pieces.lines[kept], normal[kept]


def _flag_digits(lines: WordLines) -> Flags:
    """Whether each distinct word begins with a digit."""
    first = lines.first_characters
    flags: Flags = (first >= ord("0")) & (first <= ord("9"))
    beyond = np.flatnonzero(first >= ASCII_END)
    flags[beyond] = [chr(code).isdigit() for code in first[beyond].tolist()]
    return flags


def _number_normal_words(lines: WordLines) -> Numbers:
    """The number of the canonical spelling of each distinct word."""
    numbers = np.arange(len(lines.distinct))
    changed = lines.flag(CANONICAL_WORDS.keys())
    changed |= _flag_digits(lines) & ~lines.flag(AMBIGUOUS_WORDS)
    places = np.flatnonzero(changed)
    own = [lines.distinct[place] for place in places.tolist()]
    spelled = [CANONICAL_WORDS.get(word, word) if word in AMBIGUOUS_WORDS else normalize_plain_word(word) for word in own]
    numbers[places] = lines.number(spelled)
    return numbers


def _shift_left(flags: Flags, ends: Flags) -> Flags:
    """The flag of the next word of the piece; False at its end."""
    return np.append(flags[1:], False)[: len(flags)] & ~ends


def _shift_right(flags: Flags, begins: Flags) -> Flags:
    """The flag of the previous word of the piece; False at its beginning."""
    return np.append(False, flags[:-1])[: len(flags)] & ~begins
