"""Where the town begins in a line that has no comma before it: "534 Bayfield St N Barrie", "68 boul. Cartier O Laval".

It goes by the street's type, by directions, and by a small table of towns of several words; no other town is known here.
"""

from collections.abc import Sequence

from bonafide.matching.addresses import terms
from bonafide.matching.addresses.civic_numbers import VALUE


def find_town_start(words: Sequence[str], *, hangs: bool) -> int | None:
    """The place of the town's first word among those behind the street number; None where there is no town to be seen.

    With `hangs`, a province or postal code follows without a comma: a town is to be expected; failing a sign it is the last word.
    """
    known = _find_known_town(words)
    if known is not None:
        return known
    if words[:1] and (terms.is_french_street(words) or _find_type(words) is None):
        return _find_town_after_french_name(words, hangs=hangs)
    return _find_town_after_type(words)


def _find_known_town(words: Sequence[str]) -> int | None:
    for count in range(min(terms.LONGEST_TOWN, len(words) - 1), 0, -1):
        start = len(words) - count
        if terms.normalize_place_name(" ".join(words[start:])) in terms.TOWNS:
            return start
    return None


def _find_type(words: Sequence[str]) -> int | None:
    """The place of an English street's type: the first sure one behind a name, failing that the first other one."""
    places = [place for place in range(1, len(words)) if words[place] in terms.TYPES]
    sure = [place for place in places if words[place] in terms.SURE_TYPES]
    if not sure:
        return places[0] if places else None
    first = sure[0]
    if words[first] in terms.SAINTS and len(sure) > 1 and sure[1] > first + 1:
        return sure[1]  # "Upper St Clair Ave"
    return sure[1] if len(sure) > 1 and sure[1] == first + 1 and words[sure[1]] not in terms.SAINTS else first


def _find_town_after_type(words: Sequence[str]) -> int | None:
    place = _find_type(words)
    start = place + 1 if place is not None else len(words)
    if start < len(words) and words[start - 1] in terms.NUMBERED_TYPES and VALUE.fullmatch(words[start]) is not None:
        start += 1
    while start < len(words) and words[start] in terms.DIRECTIONS:
        start += 1
    if start < len(words) and words[start][-1].isdigit() and VALUE.fullmatch(words[start]) is not None:
        start += 1  # a unit without a word for it
    return start if start < len(words) and words[start][0].isalpha() else None


def _find_town_after_french_name(words: Sequence[str], *, hangs: bool) -> int | None:
    """Behind a direction, or else the last word with those that begin a town's name before it ("Trois Rivières")."""
    first = 2 if words[0] in terms.TYPES else 1
    for place in range(first, len(words) - 1):
        if words[place] in terms.DIRECTIONS:
            return place + 1
    start = len(words) - 1
    if not hangs or start < first or not words[start][0].isalpha() or words[start] in terms.DIRECTIONS:
        return None
    while start > first and words[start - 1] in terms.FIRST_WORDS and words[start - 2] not in terms.ARTICLES:
        start -= 1
    return start
