"""The terms of thousands of names of businesses and people, as arrays.

Each function returns the same terms as that of `index_terms` (`build_business_terms`, …), in less time. The one for address
lines is in `bulk_addresses`.
"""

from collections.abc import Sequence

import numpy as np

from bonafide.matching.entries.acronym_terms import collect_acronyms
from bonafide.matching.entries.bulk_acronyms import PlainNames, build_plain_acronyms
from bonafide.matching.entries.index_terms import (
    LITTLE_WORDS,
    MARKING_WORDS,
    IndexTerms,
    add_slashed_names,
    build_part_terms,
    extract_cores,
    limit_words,
    to_typed_lines,
)
from bonafide.matching.entries.term_arrays import Flags, TermArrays, TermRows, WordLines, flag_ordinary
from bonafide.matching.names.legal_forms import SINGLE_WORDS
from bonafide.matching.names.normalization import separate_text
from bonafide.matching.people.person_name_parsing import MARKED_WORDS, parse_person_name, split_person_lines
from bonafide.matching.text.folding import fold_lines


def build_business_arrays(names: Sequence[str]) -> TermArrays:
    """The rows of business names, each followed by the rows of its parts, and their acronyms."""
    folded = fold_lines(names)
    lines = WordLines(separate_text(folded))
    plain = _select_plain_names(lines)
    rows = TermRows(lines)
    rows.add_words(lines.lines[plain.kept], lines.words[plain.kept])
    acronyms, unread = build_plain_acronyms(plain)
    parsed = np.flatnonzero((lines.lengths > 0) & ~plain.lines).tolist()
    words = [lines.take(place) for place in parsed]
    cores, several = extract_cores(words)
    for place, core in zip(parsed, cores, strict=True):
        rows.add_row(place, limit_words(core))
    acronyms.extend(parsed, collect_acronyms(zip(words, cores, strict=True)))
    acronyms.extend(unread, collect_acronyms([(lines.take(place), plain.take_core(place)) for place in unread]))
    acronyms.sort()
    inside = build_part_terms(names, add_slashed_names(names, [parsed[place] for place in several]))
    _add_parts(rows, inside, plain, dict(zip(parsed, cores, strict=True)))
    acronyms.extend(range(len(names)), inside.acronyms)
    return rows.build(to_typed_lines(folded), acronyms.places, acronyms.texts)


def build_person_arrays(names: Sequence[str]) -> TermArrays:
    """The rows of people's names."""
    folded = fold_lines(names)
    lines = WordLines(split_person_lines(folded))
    plain = flag_ordinary(lines) & (lines.count(lines.flag(MARKED_WORDS)[lines.words]) == 0)
    kept = plain[lines.lines]
    rows = TermRows(lines)
    rows.add_words(lines.lines[kept], lines.words[kept])
    for place in np.flatnonzero((lines.lengths > 0) & ~plain).tolist():
        rows.add_row(place, limit_words(parse_person_name(names[place]).parts))
    return rows.build(to_typed_lines(folded))


def _select_plain_names(lines: WordLines) -> PlainNames:
    """The names whose core is their words without articles, connectors and a legal form of one word at the end."""
    marking, little, form = (lines.flag(words) for words in (MARKING_WORDS, LITTLE_WORDS, SINGLE_WORDS))
    plain = flag_ordinary(lines) & (lines.count(marking[lines.words]) == 0)
    numbers = np.concatenate((lines.words, np.zeros(2, np.int64)))
    # The first of the distinct words is no word and has no flag, so that it stands for a missing one.
    last = np.where(lines.lengths > 0, numbers[lines.stops - 1], 0)
    before = np.where(lines.lengths > 1, numbers[lines.stops - 2], 0)
    full = lines.lengths - lines.count(little[lines.words])
    has_form = form[last]
    has_core = np.where(has_form, (full > 1) & ~form[before] & ~little[before], (full > 0) & ~little[last])
    plain &= has_core
    kept: Flags = plain[lines.lines] & ~little[lines.words]
    kept[lines.stops[plain & has_form] - 1] = False
    return PlainNames(lines, plain, kept, last, plain & has_form)


def _add_parts(rows: TermRows, inside: IndexTerms, plain: PlainNames, cores: dict[int, Sequence[str]]) -> None:
    """Add the rows of the parts of names; of rows of a name with the same words, the whole name or else the last one counts."""
    parts: dict[int, dict[tuple[str, ...], str]] = {}
    for place, words, typed in zip(reversed(inside.places), reversed(inside.words), reversed(inside.typed), strict=True):
        parts.setdefault(place, {}).setdefault(words, typed)
    for place, found in parts.items():
        whole = limit_words(cores[place] if place in cores else plain.take_core(place))
        further = [(words, typed) for words, typed in reversed(found.items()) if words != whole]
        for row, (words, typed) in enumerate(further, start=1):
            rows.add_row(place, words, row, typed)
