"""Split an address line into the words of an index: numbers, street words in one spelling, city, postal code as one word.

Provinces and countries are omitted, because many lines don't have them. `line_parsing` parses addresses into parts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from bonafide.matching.addresses.designators import ORDINAL
from bonafide.matching.text.tables import read_table

_STREETS = read_table("street_types")
_REGIONS = read_table("provinces")


def _index_by_spelling(rows: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {spelling: key for key, spellings in rows.items() for spelling in spellings}


DIRECTIONS = _index_by_spelling(_STREETS["directions"])
STREET_TYPES = _index_by_spelling(_STREETS["types"])
_SAINTS = {"st": "saint", "ste": "sainte"}
CANONICAL_WORDS = {**STREET_TYPES, **DIRECTIONS, **_SAINTS, "mtl": "montreal"}
UNITS = frozenset[str](_STREETS["units"])
FLOORS = frozenset[str](_STREETS["floors"])
EMPTY_ADDRESS_WORDS = frozenset({"de", "du", "des", "la", "le", "les", "of", "the", "and", "et", "no", "co", "aux", "au"})
# The French code of Nova Scotia, NE, is a direction far more often.
PROVINCES = frozenset(name for names in _REGIONS["provinces"].values() for name in names) - DIRECTIONS.keys()
COUNTRIES = frozenset(name for names in _REGIONS["countries"].values() for name in names)
_LONGEST_REGION = max(len(name.split()) for name in PROVINCES | COUNTRIES)

AMBIGUOUS_WORDS = UNITS | FLOORS | EMPTY_ADDRESS_WORDS | {"st"}
"""Words whose meaning depends on adjacent words."""
BOX_STARTS = tuple(spelling.split()[-1] for spelling in (*_STREETS["boxes"], *_STREETS["rural_routes"]))

POSTAL_CODE = re.compile(r"[0-9](?<=\b[a-z][0-9])[a-z] ?-? ?[0-9][a-z][0-9]\b")
_BOX = re.compile(rf"\b(?:{'|'.join(sorted(_STREETS['boxes'], key=len, reverse=True))}) ?(\d+)\b")
_RURAL_ROUTE = re.compile(rf"\b(?:{'|'.join(sorted(_STREETS['rural_routes'], key=len, reverse=True))}) ?(\d+)\b")
_ELISION = re.compile(r"\b[ld]'(?=\w)")
_INITIALS_STOP = re.compile(r"\.(?<=\b[a-z]\.)(?=[a-z]\b)")
_SPACES = bytes.maketrans(b".()&-", b"     ")
AREA_CHARACTERS = 3


def split_address_words(folded: str) -> list[str]:
    """The words of one folded line in their order, the postal code and its first half at the end. Never raises; may be empty."""
    plain, postal = _strip_postal_code(strip_marks(folded))
    pieces = [words for piece in plain.split(",") if (words := _normalize_boxes(piece.split()))]
    pieces = _strip_region(_strip_region(pieces, COUNTRIES), PROVINCES)
    return [word for piece in pieces for word in _normalize_words(piece)] + postal


def strip_marks(folded: str) -> str:
    """Folded lines without elided articles and without the periods of initials."""
    if "'" in folded:
        folded = _ELISION.sub("", folded)
    return _INITIALS_STOP.sub("", folded) if "." in folded else folded


def replace_punctuation(plain: str) -> str:
    """Lines without apostrophes and with spaces for all other punctuation but commas."""
    return plain.encode().translate(_SPACES, b"'").decode()


def _strip_postal_code(plain: str) -> tuple[str, list[str]]:
    found = POSTAL_CODE.search(plain)
    if found is None:
        return replace_punctuation(plain), []
    start = found.start() - 1
    code = "".join(filter(str.isalnum, plain[start : found.end()]))
    return replace_punctuation(f"{plain[:start]} {plain[found.end() :]}"), [code, code[:AREA_CHARACTERS]]


def _normalize_boxes(words: list[str]) -> list[str]:
    """Post-office boxes and rural routes in one spelling each: "C.P. 123" is "box 123"."""
    if not any(word.startswith(BOX_STARTS) for word in words):
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
        if word in AMBIGUOUS_WORDS:
            found += [] if _is_filler(words, place) else [_normalize_word(words, place)]
        else:
            found.append(normalize_plain_word(word))
    return found or list(words)


def normalize_plain_word(word: str) -> str:
    """The canonical spelling of a word whose meaning does not depend on adjacent words. An ordinal number becomes a number."""
    if word[0].isdigit() and not word.isdigit():
        ordinal = ORDINAL.fullmatch(word)
        return ordinal[1] if ordinal is not None else word
    return CANONICAL_WORDS.get(word, word)


def _is_filler(words: Sequence[str], place: int) -> bool:
    """Whether the word only labels the adjacent number, or is an article."""
    word = words[place]
    if word in UNITS:
        # "Ste 100" is a suite, "Ste-Catherine" a saint.
        return place + 1 < len(words) and (_begins_with_digit(words, place + 1) or len(words[place + 1]) == 1)
    return word in EMPTY_ADDRESS_WORDS or (word in FLOORS and _begins_with_digit(words, place - 1))


def _normalize_word(words: Sequence[str], place: int) -> str:
    word = words[place]
    return "street" if word == "st" and _is_street(words, place) else CANONICAL_WORDS.get(word, word)


def _is_street(words: Sequence[str], place: int) -> bool:
    """Whether "St" is a street, not a saint: it ends the street's name and does not begin one."""
    if place + 1 == len(words) or words[place + 1] in DIRECTIONS or words[place + 1] in UNITS:
        return place > 0
    return place > 0 and not _begins_with_digit(words, place - 1) and words[place - 1] not in STREET_TYPES


def _begins_with_digit(words: Sequence[str], place: int) -> bool:
    return 0 <= place < len(words) and words[place][0].isdigit()
