"""Names that fit what a person has typed so far: the start of the name, or all words but the last and the start of the last.

    typed_bytes, typed_offsets    the names as one would type them, in UTF-8, in lexical order (u1, i8)
    typed_names                   the number of each of these names (u4)
    typed_lengths                 the length in bytes of each name, by its number (u2)

What is typed is matched as it stands (lower case, no accents, no punctuation), since half a word must not be taken for an
abbreviation or a legal form. Spelling mistakes are not forgiven here.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bonafide.index.document import Hit
from bonafide.index.files import Arrays, SegmentWriter
from bonafide.index.postings import Names, NameTable, Postings
from bonafide.index.ragged import Positions, offsets_of
from bonafide.index.score import rank
from bonafide.index.tokens import index_tokens
from bonafide.index.vocabulary import Vocabulary
from bonafide.matching.folding import fold
from bonafide.matching.names import normalise

SHORTEST_PREFIX = 2
COMPLETION_BUDGET = 20_000
"""Names looked at for one prefix. Two letters may fit more; then the first of them in lexical order are taken."""
_LONGEST_TYPED = 200
_START_SCORE, _WORD_SCORE, _COVERAGE_SCORE = 0.7, 0.4, 0.3
_INACTIVE_FACTOR = 0.5
_PUNCTUATION = str.maketrans({"'": "", ".": "", "&": " and ", ",": " ", "-": " ", "(": " ", ")": " "})
_BETWEEN_DIGITS = re.compile(r"(?<=\d) +(?=\d)")


def typed_form(text: str) -> str:
    """A name as one would type it: lower-case words, single spaces, no punctuation, digits in one group."""
    plain = " ".join(fold(text).translate(_PUNCTUATION).split())
    return _BETWEEN_DIGITS.sub("", plain)[:_LONGEST_TYPED]


def write_typeahead(writer: SegmentWriter, typed: Sequence[str]) -> None:
    """Write the table from the typed forms of all names, in the order of their numbers."""
    encoded = [form.encode() for form in typed]
    order = sorted(range(len(encoded)), key=encoded.__getitem__)
    lengths = np.fromiter(map(len, encoded), np.int64)
    writer.save("typed_bytes", np.frombuffer(b"".join(encoded[name] for name in order), np.uint8), "<u1")
    writer.save("typed_offsets", offsets_of(lengths[order]), "<i8")
    writer.save("typed_names", order, "<u4")
    writer.save("typed_lengths", lengths, "<u2")


class Typeahead:
    """The typed forms of an opened segment."""

    def __init__(self, arrays: Arrays, vocabulary: Vocabulary, postings: Postings, names: NameTable) -> None:
        self._content: NDArray[np.uint8] = arrays["typed_bytes"]
        self._offsets: Positions = arrays["typed_offsets"]
        self._ordered: Names = arrays["typed_names"]
        self._lengths: NDArray[np.uint16] = arrays["typed_lengths"]
        self._vocabulary = vocabulary
        self._postings = postings
        self._names = names

    def complete(self, prefix: str, limit: int) -> list[Hit]:
        """Documents with a name that fits: active before inactive, fitting at its start before elsewhere, short names first."""
        typed = typed_form(prefix)
        if len(typed) < SHORTEST_PREFIX:
            return []
        starting, holding = self._starting_with(typed.encode()), self._holding(typed)
        found = np.concatenate((starting, holding))
        base = np.repeat([_START_SCORE, _WORD_SCORE], [len(starting), len(holding)])
        coverage = np.minimum(len(typed.encode()) / self._lengths[found], 1)
        active = self._names.active[self._names.documents[found]] == 1
        scores = (base + _COVERAGE_SCORE * coverage) * np.where(active, 1, _INACTIVE_FACTOR)
        return rank(found, scores, self._names, limit)

    def _starting_with(self, prefix: bytes) -> Names:
        start = bisect_left(range(len(self._ordered)), prefix, key=self._encoded)
        beyond = bisect_left(range(start, len(self._ordered)), 1, key=lambda place: not self._encoded(place).startswith(prefix))
        return self._ordered[start : start + min(beyond, COMPLETION_BUDGET)]

    def _encoded(self, place: int) -> bytes:
        return self._content[self._offsets[place] : self._offsets[place + 1]].tobytes()

    def _holding(self, typed: str) -> Names:
        """Names with a word that starts with the last one typed, and with all distinctive words before it."""
        before, _, last = typed.rpartition(" ")
        words = index_tokens(normalise(before))
        known = self._vocabulary.find(words)
        (fitting,) = self._vocabulary.starting_with([last])
        if len(known) < len(words) or len(fitting) == 0:
            return self._ordered[:0]
        if not words:
            return self._postings.of_range(fitting, COMPLETION_BUDGET)
        return self._with_all(np.array(list(known.values()), np.int64), fitting)

    def _with_all(self, tokens: NDArray[np.int64], fitting: range) -> Names:
        rarest = tokens[[np.argmin(self._postings.frequencies(tokens))]]
        names = self._postings.of(rarest)[:COMPLETION_BUDGET]
        owners, words = self._names.words_of(names)
        typed = np.isin(words, tokens)
        begun = (words >= fitting.start) & (words < fitting.stop) & ~typed
        has_all = np.bincount(owners[typed], minlength=len(names)) == len(tokens)
        has_begun = np.bincount(owners[begun], minlength=len(names)) > 0
        fits: Names = names[has_all & has_begun]
        return fits
