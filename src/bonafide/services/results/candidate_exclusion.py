"""Exclude candidates whose names can't reach a score, from the names alone: most entries are never read in full."""

import json
import re
from collections.abc import Sequence

from bonafide.matching.entries.query import Query
from bonafide.matching.entries.ranking import compute_minimum_name_score, create_query_filters
from bonafide.matching.names.normalized_parts import normalize_parts
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.invisible_characters import remove_invisible_characters
from bonafide.services.lookup.source_result import EntryCandidate

_LEGAL_NAME = re.compile(rb'"legal_name":("(?:[^"\\]|\\.)*")')
_FURTHER_NAMES = (b'"alternate_names":', b'"name_history":')
"""Keys that are stored only if the entry has more names than the legal one."""


def exclude_candidates(
    query: Query, candidates: Sequence[EntryCandidate], floor: float, rarity: WordRarity
) -> Sequence[EntryCandidate]:
    """The candidates without those whose scores are certainly below `floor`, in their order.

    None is excluded if the query has a number, which may outweigh any name.
    """
    least = compute_minimum_name_score(query, floor)
    filters = create_query_filters(query, least, len(candidates), rarity)
    if not filters:
        return candidates
    stored = [read_stored_names(candidate) for candidate in candidates]
    parts = normalize_parts([name for names in stored for name in names])
    kept = []
    for candidate, names in zip(candidates, stored, strict=True):
        # The factors of parts and former names only lower a score.
        normal = [part for _ in names for _, part in next(parts)]
        if not normal or not all(excluding.excludes(part, least) for part in normal for excluding in filters):
            kept.append(candidate)
    return kept


def read_stored_names(candidate: EntryCandidate) -> list[str]:
    """The names of an entry as `Entry.list_search_names`, in any order; none if they are not known without reading the entry."""
    if candidate.read_stored is None:
        return []
    stored = candidate.read_stored()
    if any(key in stored for key in _FURTHER_NAMES):
        entry = json.loads(stored)
        former = [item["name"] for item in entry.get("name_history", ())]
        texts = [entry.get("legal_name"), *entry.get("alternate_names", ()), *former]
    else:
        # A quotation mark inside a text follows a backslash, so that this is a key; the entry's own is the first one.
        found = _LEGAL_NAME.search(stored)
        texts = [json.loads(found[1])] if found is not None else [None]
    # An entry in any other form is read in full.
    return [remove_invisible_characters(text) or text for text in texts] if None not in texts else []
