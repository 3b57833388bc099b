"""Names that fit what a person has typed so far: the start of the name, or all words but the last and the start of the last.

    typed_bytes, typed_offsets    the names as one would type them, in UTF-8, in lexical order (u1, i8)
    typed_names                   the number of each of these names (u4)
    typed_lengths                 the length in bytes of each name, by its number (u2)

What is typed is matched as it stands (lower case, no accents, no punctuation), since half a word must not be taken for an
abbreviation or a legal form. Spelling mistakes are not forgiven here.
"""

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
COMPLETION_BUDGET = 50_000
"""Names looked at for one prefix; two letters may fit more, of which the lexically first are taken."""
_LONGEST_TYPED = 200
_START_SCORE, _WORD_SCORE, _COVERAGE_SCORE = 0.7, 0.4, 0.3
_INACTIVE_FACTOR = 0.5
_REMOVED = str.maketrans({"'": "", ".": "", "&": " and "})


def typed_form(text: str) -> str:
    """A name as one would type it: lower-case letters and digits in words with single spaces."""
    plain = fold(text).translate(_REMOVED)
    return " ".join("".join(letter if letter.isalnum() else " " for letter in plain).split())[:_LONGEST_TYPED]
