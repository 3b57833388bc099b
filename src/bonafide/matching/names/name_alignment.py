"""Align the words of two names of organizations, with the readings of whole names: acronyms, known bodies, names cut off.

`scoring.alignment` aligns the words of any names. The readings are only tried where words are left unpaired.
"""

from bonafide.matching.names.acronyms import FEWEST_WORDS, FUNCTION_WORDS, find_known_body
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.alignment import WordAlignment, WordComparator, WordPair, Words, align_names
from bonafide.matching.scoring.word_similarity import WordSimilarity
from bonafide.model.search.match import WordDifference

FIELD_WIDTHS = frozenset({26, 30, 35, 40})
"""Characters of the name fields of payment messages and older registers, which cut names off."""
_FEWEST_CUT_WORDS = 2
_ACRONYM = WordSimilarity(score_parameters.ACRONYM, WordDifference.ACRONYM)
_KNOWN_BODY = WordSimilarity(score_parameters.KNOWN_BODY, WordDifference.OFFICIAL_NAME)
_CUT_OFF = WordSimilarity(score_parameters.CUT_OFF, WordDifference.CUT_OFF)


def align_organization_names(a: NormalName, b: NormalName, compare: WordComparator) -> WordAlignment:
    """The alignment of the distinguishing words of two names.

    If words are left unpaired, both names may be those of one known body, one may be the beginning of the other, cut off by a field
    of fixed width, or a word of one may be the acronym of several words of the other.
    """
    found = align_names(a.core, b.core, compare)
    missing, added = len(found.left_only), len(found.right_only)
    if not missing and not added:
        return found
    body = find_known_body(a)
    if body is not None and body == find_known_body(b):
        return WordAlignment((WordPair(a.core, b.core, _KNOWN_BODY, 0, 0),), (), ())
    if len(a.text) in FIELD_WIDTHS and len(b.text) > len(a.text) and _is_beginning(a.core, b.core):
        return _align_beginning(a.core, b.core, left_is_cut=True)
    if len(b.text) in FIELD_WIDTHS and len(a.text) > len(b.text) and _is_beginning(b.core, a.core):
        return _align_beginning(b.core, a.core, left_is_cut=False)
    return _pair_acronym(found, a.core, b.core) if missing and added and max(missing, added) >= FEWEST_WORDS else found


def _is_beginning(short: Words, long: Words) -> bool:
    """Whether a name is another one without its end, which is cut off in the middle of a word.

    A name that ends with a word is rather another name, of a parent company for instance.
    """
    last = len(short) - 1
    return (
        len(long) > last >= _FEWEST_CUT_WORDS - 1
        and short[:last] == long[:last]
        and short[last] != long[last]
        and long[last].startswith(short[last])
    )


def _align_beginning(short: Words, long: Words, *, left_is_cut: bool) -> WordAlignment:
    """The alignment of a name that is cut off: its last word corresponds to the rest of the other name."""
    last = len(short) - 1
    sides = (short[last:], long[last:]) if left_is_cut else (long[last:], short[last:])
    equal = align_names(short[:last], long[:last], _never_similar).pairs
    return WordAlignment((*equal, WordPair(*sides, _CUT_OFF, last, last)), (), ())


def _never_similar(_one: str, _other: str) -> None:
    return None


def _pair_acronym(found: WordAlignment, left: Words, right: Words) -> WordAlignment:
    """The alignment with an unpaired word of one name paired with the unpaired words of the other name that it abbreviates."""
    for alone, others in ((found.left_only, found.right_only), (found.right_only, found.left_only)):
        if len(others) < FEWEST_WORDS:
            continue
        for word in alone:
            if not FEWEST_WORDS <= len(word) <= len(others):
                continue
            run = _find_run(word, others)
            if run is None:
                continue
            rest_alone, rest_others = _without(alone, (word,)), _without(others, run)
            if alone is found.left_only:
                pair = WordPair((word,), run, _ACRONYM, left.index(word), right.index(run[0]))
                return WordAlignment((*found.pairs, pair), rest_alone, rest_others)
            pair = WordPair(run, (word,), _ACRONYM, left.index(run[0]), right.index(word))
            return WordAlignment((*found.pairs, pair), rest_others, rest_alone)
    return found


def _find_run(acronym: str, words: Words) -> Words | None:
    """The consecutive words whose initials are the acronym, with their function words or without them."""
    content = tuple([word for word in words if word not in FUNCTION_WORDS])
    for read in (words, content) if len(content) < len(words) else (words,):
        at = "".join([word[0] for word in read]).find(acronym)
        if at >= 0:
            return read[at : at + len(acronym)]
    return None


def _without(words: Words, removed: Words) -> Words:
    rest = list(words)
    for word in removed:
        rest.remove(word)
    return tuple(rest)
