"""Find names that match a typed prefix: the start of the name, or whole words followed by the start of another.

    lexical_names      the numbers of the names in the lexical order of their typed forms (u4)
    lexical_minima     the minimum rank in each block of them, one row for each facet group (u8)
    posting_minima     the same for the blocks of the postings, whose words are in lexical order (u8)
    name_ranks         length and activity of each name (u2)

The prefix is matched literally (lower case, no accents, no punctuation), since a partial word must not be parsed as an
abbreviation or a legal form. Typos are not corrected. The best of all matching names are returned, however many match.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import DocumentFilter, IndexHit
from bonafide.index.format.postings import NameIds, NamePostings, NameTable
from bonafide.index.format.segment_files import Arrays, FieldWriter
from bonafide.index.format.typed_forms import TypedForms, compute_prefix_keys, sort_lexically
from bonafide.index.format.vocabulary import SegmentVocabulary
from bonafide.index.search.prefix_intersection import PrefixIntersection, write_lightest_names
from bonafide.index.search.ranked_names import FacetGroups, NameRanking, OfferedNames, RankedNames, compute_block_minima
from bonafide.index.search.short_prefixes import ShortPrefixes, write_short_prefixes
from bonafide.matching.entries.index_terms import build_business_terms, to_typed_form

SHORTEST_PREFIX = 2
_START_SCORE, _WORD_SCORE, _COVERAGE_SCORE = 0.7, 0.4, 0.3
BEST_INNER_SCORE = _WORD_SCORE + _COVERAGE_SCORE
"""The highest score of a name that doesn't start as typed."""
_INACTIVE_FACTOR = 0.4
"""The score factor of inactive businesses, which puts them below all active ones."""
_MAX_TEXTS_READ = 64
"""The maximum number of names whose text is read."""
_MAX_JOINED_WORDS = 3
"""The maximum number of written words in one typed word, such as a grouped number."""
_CACHED_PREFIXES = 1024
"""The number of cached prefixes: each segment of each register reads the same one."""
_AFTER_UTF8 = b"\xff"
"""Greater than any UTF-8 byte."""


def write_typeahead(
    writer: FieldWriter,
    forms: TypedForms,
    ranking: NameRanking,
    groups: FacetGroups,
    word_heads: NDArray[np.uint64],
    postings: NamePostings,
) -> None:
    """Write the arrays that typeahead needs in addition to a field's typed forms, names and postings."""
    order = sort_lexically(forms)
    lexical = RankedNames(order, compute_block_minima(order, ranking, groups), ranking)
    words = RankedNames(postings.names, compute_block_minima(postings.names, ranking, groups), ranking)
    writer.save("name_ranks", ranking.keys, "<u2")
    writer.save("lexical_names", order, "<u4")
    writer.save("lexical_minima", lexical.minima, "<u8")
    writer.save("posting_minima", words.minima, "<u8")
    write_short_prefixes(writer, "starts", compute_prefix_keys(forms)[order], np.arange(len(order) + 1), lexical)
    write_short_prefixes(writer, "words", word_heads, postings.offsets, words)
    write_lightest_names(writer, postings, ranking)


def has_typeahead(arrays: Arrays) -> bool:
    """Whether a field was written with typeahead."""
    return "lexical_names" in arrays


class Typeahead:
    """Typeahead over the names of an opened segment."""

    def __init__(self, arrays: Arrays, vocabulary: SegmentVocabulary, postings: NamePostings, names: NameTable) -> None:
        self._forms = TypedForms.read(arrays)
        self._ranking = NameRanking(arrays["name_ranks"], names.documents)
        self._active = names.active
        self._starts = RankedNames(arrays["lexical_names"], arrays["lexical_minima"], self._ranking)
        self._short_starts = ShortPrefixes(arrays, "starts")
        self._short_words = ShortPrefixes(arrays, "words")
        words = RankedNames(postings.names, arrays["posting_minima"], self._ranking)
        self._words = PrefixIntersection(arrays, vocabulary, postings, names, words)

    def complete(self, prefix: str, limit: int, admission: DocumentFilter) -> list[IndexHit]:
        """Documents with a matching name: active before inactive, matches at the start before others, short names first."""
        typed = _read_typed_form(prefix)
        if len(typed) < SHORTEST_PREFIX or limit < 1:
            return []
        wanted = OfferedNames(admission, self._ranking.documents)
        if wanted.is_empty:
            return []
        encoded = typed.encode()
        starting = self._starting_with(encoded, limit, wanted)
        # No match inside a name scores more than an active business whose name starts as typed.
        if len(starting) == limit and self._active[self._ranking.documents[starting]].all():
            return self._hits(starting, np.full(limit, _START_SCORE), len(encoded))
        before, last = _split_typed_words(prefix, typed)
        holding = self._holding(before, last, limit, wanted)
        if before and len(starting) == len(holding) == 0:
            holding = self._holding_apart(before, last, limit, wanted)
        found = np.concatenate((starting, holding))
        base = np.repeat([_START_SCORE, _WORD_SCORE], [len(starting), len(holding)])
        return self._hits(found, base, len(encoded))[:limit]

    def _starting_with(self, prefix: bytes, limit: int, wanted: OfferedNames) -> NameIds:
        at_hand = self._short_starts.best(prefix, limit, wanted)
        if at_hand is not None:
            return at_hand
        ordered = self._starts.names
        start = bisect_left(ordered, prefix, key=self._forms.encoded)
        stop = bisect_left(ordered, prefix + _AFTER_UTF8, lo=start, key=self._forms.encoded)
        return self._starts.best(start, stop, limit, wanted)

    def _holding(self, before: Sequence[str], last: str, limit: int, wanted: OfferedNames) -> NameIds:
        """Names with a word that starts with the last typed word, and with all distinctive words before it."""
        if not before:
            at_hand = self._short_words.best(last.encode(), limit, wanted)
            if at_hand is not None:
                return at_hand
        return self._words.best(before, last, limit, wanted)

    def _holding_apart(self, before: Sequence[str], last: str, limit: int, wanted: OfferedNames) -> NameIds:
        """Some matching names if the last word is not indexed, such as a legal form.

        Only the best name of each document is examined.
        """
        likely = self._words.best(before[:-1], before[-1], _MAX_TEXTS_READ, wanted)
        fits = [f" {last}" in f" {form}" for form in self._forms.decode(likely.tolist())]
        return likely[fits][:limit]

    def _hits(self, found: NameIds, base: NDArray[np.float64], typed_bytes: int) -> list[IndexHit]:
        """Each document with its best score, best first; ties in the given order."""
        documents = self._ranking.documents[found]
        active = self._active[documents] == 1
        coverage = np.minimum(typed_bytes / self._forms.lengths[found], 1)
        scores = (base + _COVERAGE_SCORE * coverage) * np.where(active, 1, _INACTIVE_FACTOR)
        hits: dict[int, IndexHit] = {}
        order = np.argsort(-scores, kind="stable")
        for hit in map(IndexHit, documents[order].tolist(), scores[order].tolist(), active[order].tolist()):
            hits.setdefault(hit.document, hit)
        return list(hits.values())


@lru_cache(maxsize=_CACHED_PREFIXES)
def _read_typed_form(prefix: str) -> str:
    return to_typed_form(prefix)


@lru_cache(maxsize=_CACHED_PREFIXES)
def _split_typed_words(prefix: str, typed: str) -> tuple[tuple[str, ...], str]:
    """The distinctive words before the last one, of the last name if several are typed, and the last word as typed."""
    begun, _, last = typed.rpartition(" ")
    # The original text is parsed better ("d'Or" is not the word "dor"), unless the last word begins within a written one.
    written = prefix.split()
    texts = (" ".join(written[:-dropped]) for dropped in range(1, _MAX_JOINED_WORDS + 1))
    before = build_business_terms([next((text for text in texts if to_typed_form(text) == begun), begun)]).words
    return before[-1] if before else (), last
