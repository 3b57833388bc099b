"""Split an address line into the words of an index: numbers, street words in one spelling, city, postal code as one word.

Provinces and countries are omitted, because many lines don't have them. `line_parsing` parses addresses into parts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from bonafide.matching.text.tables import read_table

_STREETS = read_table("street_types")
_REGIONS = read_table("provinces")


def _index_by_spelling(rows: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {spelling: key for key, spellings in rows.items() for spelling in spellings}


_DIRECTIONS = _index_by_spelling(_STREETS["directions"])
_TYPES = _index_by_spelling(_STREETS["types"])
_SAINTS = {"st": "saint", "ste": "sainte"}
_CANONICAL = {**_TYPES, **_DIRECTIONS, **_SAINTS, "mtl": "montreal"}
_UNITS = frozenset[str](_STREETS["units"])
_FLOORS = frozenset[str](_STREETS["floors"])
_EMPTY = frozenset({"de", "du", "des", "la", "le", "les", "of", "the", "and", "et", "no", "co", "aux", "au"})
# The French code of Nova Scotia, NE, is a direction far more often.
_PROVINCES = frozenset(name for names in _REGIONS["provinces"].values() for name in names) - _DIRECTIONS.keys()
_COUNTRIES = frozenset(name for names in _REGIONS["countries"].values() for name in names)
_LONGEST_REGION = max(len(name.split()) for name in _PROVINCES | _COUNTRIES)

_CARE = _UNITS | _FLOORS | _EMPTY | {"st"}
"""Words whose meaning depends on adjacent words."""
_BOX_STARTS = tuple(spelling.split()[-1] for spelling in (*_STREETS["boxes"], *_STREETS["rural_routes"]))

_POSTAL_CODE = re.compile(r"[0-9](?<=\b[a-z][0-9])[a-z] ?-? ?[0-9][a-z][0-9]\b")
_BOX = re.compile(rf"\b(?:{'|'.join(sorted(_STREETS['boxes'], key=len, reverse=True))}) ?(\d+)\b")
_RURAL_ROUTE = re.compile(rf"\b(?:{'|'.join(sorted(_STREETS['rural_routes'], key=len, reverse=True))}) ?(\d+)\b")
_ELISION = re.compile(r"\b[ld]'(?=\w)")
_INITIALS_STOP = re.compile(r"\.(?<=\b[a-z]\.)(?=[a-z]\b)")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|e|er|re|eme|ieme)")
_SPACES = str.maketrans(".()&-", "     ", "'")
_AREA_CHARACTERS = 3


def split_address_words(folded: str) -> list[str]:
    """The words of one folded line in their order, the postal code and its first half at the end. Never raises; may be empty."""
    plain, postal = _strip_postal_code(_strip_marks(folded))
    pieces = [words for piece in plain.split(",") if (words := _normalize_boxes(piece.split()))]
    pieces = _strip_region(_strip_region(pieces, _COUNTRIES), _PROVINCES)
    return [word for piece in pieces for word in _normalize_words(piece)] + postal


def _strip_marks(folded: str) -> str:
    if "'" in folded:
        folded = _ELISION.sub("", folded)
    return _INITIALS_STOP.sub("", folded) if "." in folded else folded


def _strip_postal_code(plain: str) -> tuple[str, list[str]]:
    found = _POSTAL_CODE.search(plain)
    if found is None:
        return plain.translate(_SPACES), []
    start = found.start() - 1
    code = "".join(filter(str.isalnum, plain[start : found.end()]))
    return f"{plain[:start]} {plain[found.end() :]}".translate(_SPACES), [code, code[:_AREA_CHARACTERS]]


def _normalize_boxes(words: list[str]) -> list[str]:
    """Post-office boxes and rural routes in one spelling each: "C.P. 123" is "box 123"."""
    if not any(word.startswith(_BOX_STARTS) for word in words):
        return words
    return _RURAL_ROUTE.sub(r"rr \1", _BOX.sub(r"box \1", " ".join(words))).split()


def _strip_region(pieces: list[list[str]], regions: frozenset[str]) -> list[list[str]]:
    """The pieces of a line without the province or country at the end, unless the line is only that."""
    if not pieces:
        return pieces
    *before, last = pieces
    for count in range(min(_LONGEST_REGION, len(last)), 0, -1):
        if " ".join(last[-count:]) in regions and (before or len(last) > count):
            return [*before, last[:-count]] if len(last) > count else before
    return pieces


def _normalize_words(words: Sequence[str]) -> list[str]:
    found = []
    for place, word in enumerate(words):
        if word in _CARE:
            found += [] if _is_filler(words, place) else [_normalize_word(words, place)]
        elif word[0].isdigit() and not word.isdigit():
            ordinal = _ORDINAL.fullmatch(word)
            found.append(ordinal[1] if ordinal is not None else word)
        else:
            found.append(_CANONICAL.get(word, word))
    return found or list(words)


def _is_filler(words: Sequence[str], place: int) -> bool:
    """Whether the word only labels the adjacent number, or is an article."""
    word = words[place]
    if word in _UNITS:
        # "Ste 100" is a suite, "Ste-Catherine" a saint.
        return place + 1 < len(words) and (_begins_with_digit(words, place + 1) or len(words[place + 1]) == 1)
    return word in _EMPTY or (word in _FLOORS and _begins_with_digit(words, place - 1))


def _normalize_word(words: Sequence[str], place: int) -> str:
    word = words[place]
    return "street" if word == "st" and _is_street(words, place) else _CANONICAL.get(word, word)


def _is_street(words: Sequence[str], place: int) -> bool:
    """Whether "St" is a street, not a saint: it ends the street's name and does not begin one."""
    if place + 1 == len(words) or words[place + 1] in _DIRECTIONS or words[place + 1] in _UNITS:
        return place > 0
    return place > 0 and not _begins_with_digit(words, place - 1) and words[place - 1] not in _TYPES


def _begins_with_digit(words: Sequence[str], place: int) -> bool:
    return 0 <= place < len(words) and words[place][0].isdigit()
