"""Parse Canadian addresses in one line, English and French, into street, city, province, postal code and country.

Without a comma before it ("534 Bayfield St N Barrie"), the town begins after the street's type and direction, or with a town of
several words from a small table. Parts are returned as written: they are not looked up, corrected or derived from each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bonafide.matching.addresses import terms
from bonafide.matching.addresses.civic_numbers import VALUE, parse_civic_number
from bonafide.matching.addresses.designators import AddressDesignators, find_designators
from bonafide.matching.addresses.postal_codes import find_postal_code
from bonafide.matching.addresses.street_parsing import (
    AddressWordRun,
    ParsedStreet,
    build_street,
    find_street_run,
    find_word_runs,
    strip_land_description,
)
from bonafide.matching.addresses.tokens import AddressTokens, normalize_text, tokenize_address


def find_town_start(words: Sequence[str], *, hangs: bool) -> int | None:
    """The index of the town's first word among the words after the street number; None if no town is recognised.

    With `hangs`, a province or postal code follows without a comma, so that the last word is assumed to be the town.
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
    """The index of an English street's type: the first unambiguous one after a name, otherwise the first one."""
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
        start += 1  # a unit without a designator
    return start if start < len(words) and words[start][0].isalpha() else None


def _find_town_after_french_name(words: Sequence[str], *, hangs: bool) -> int | None:
    """After a direction, or otherwise the last word with preceding words that begin a town's name ("Trois Rivières")."""
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


_REGIONS = (*terms.PROVINCES, *terms.COUNTRIES)
_LONGEST_REGION = max(len(name.split()) for name in _REGIONS)
_LAST_WORDS = frozenset(name.split()[-1] for name in _REGIONS)
_CAPITAL_AREAS = ("G1", "G2", "G3")
"""Postal areas in which "Québec" alone after a street is the city."""
_ZIP_DIGITS, _ZIP_MORE_DIGITS = 5, 4
_STATE_LETTERS = 2


@dataclass(frozen=True, slots=True)
class ParsedAddressLine:
    """A line in its parts. `street` is in one spelling; the others are as they were written, None where the line has none.

    `line` is everything before the city.
    """

    street: ParsedStreet
    line: str | None = None
    city: str | None = None
    province: str | None = None
    postal_code: str | None = None
    country: str | None = None


@dataclass(frozen=True, slots=True)
class _Tail:
    """The end of a line; `hangs` if no comma precedes it."""

    province: str | None
    postal_code: str | None
    country: str | None
    hangs: bool


@lru_cache(maxsize=2**10)  # the requested address is compared with every candidate's
def parse_address_line(text: str) -> ParsedAddressLine:
    """Parse an address line, with or without commas. Never raises; a line with only a province has no street."""
    text, folded = normalize_text(text)
    folded, land = strip_land_description(folded)
    code = find_postal_code(folded)
    if code is not None:
        folded = f"{folded[: code.start]}{' ' * (code.end - code.start)}{folded[code.end :]}"
    tokens = tokenize_address(text, folded)
    tail = _parse_tail(tokens, text[code.start : code.end] if code is not None else None)
    found = find_designators(tokens)
    street, town = _find_street_and_town(tokens, found, hangs=tail.hangs)
    city = tokens.spelled(town.start, town.end) if town is not None else None
    return ParsedAddressLine(
        street=build_street(tokens, found, land, street),
        line=_text_before(tokens, town.start if town is not None else len(tokens), has_land=land is not None),
        city=tail.province if city is None and _is_capital(tail) else city,
        province=tail.province,
        postal_code=tail.postal_code,
        country=tail.country,
    )


def _text_before(tokens: AddressTokens, end: int, *, has_land: bool) -> str | None:
    """The original text before a word; a land description is not a word."""
    if not has_land:
        return tokens.spelled(0, end)
    stop = tokens.starts[end] if end < len(tokens) else max(tokens.ends, default=len(tokens.text))
    return tokens.text[:stop].strip(" ,-(") or None


# ------------------------------------------------------------------------------------------------------------ province and country


def _parse_tail(tokens: AddressTokens, code: str | None) -> _Tail:
    """Parse and remove country, code and province at the end of the words."""
    country = _parse_region(tokens, terms.COUNTRIES)
    province = None
    if code is None and (country is None or terms.parse_address_country(country) == "US"):
        province, code = _parse_state_and_zip(tokens)
    if province is None:
        province = _parse_region(tokens, terms.PROVINCES)
    if province is None and code is None:
        return _Tail(None, None, country, hangs=False)
    rest = tokens.text[tokens.ends[-1] :].lstrip(" .") if len(tokens) > 0 else ""
    return _Tail(province, code, country, hangs=rest[:1] not in {",", "("})


def _parse_region(tokens: AddressTokens, names: dict[str, str]) -> str | None:
    """Parse and remove the province or country at the end of the words, unless it is part of a street or town name."""
    words = tokens.words
    if not words or words[-1].rpartition("-")[2] not in _LAST_WORDS:
        return None
    for count in range(min(_LONGEST_REGION, len(words)), 0, -1):
        start = len(words) - count
        if any(tokens.parted[start + 1 :]):
            continue
        name = " ".join(words[start:]).replace("-", " ")
        if name in names and not _belongs_to_name(tokens, start):
            region = tokens.spelled(start, len(words))
            tokens.cut(start)
            return region
    return None


def _belongs_to_name(tokens: AddressTokens, start: int) -> bool:
    """Whether an apparent province is part of a street or town: "rue Ontario", "123 Quebec", "Fort Saskatchewan"."""
    words = tokens.words
    if start == 0 or tokens.parted[start]:
        return False
    before, word = words[start - 1], words[start]
    begins_street = start == 1 or tokens.parted[start - 1] or words[start - 2][-1].isdigit()
    if word in terms.DIRECTIONS or (begins_street and (before in terms.FRENCH_TYPES or before[0].isdigit())):
        return True
    return terms.normalize_place_name(f"{before} {' '.join(words[start:])}") in terms.TOWNS


def _parse_state_and_zip(tokens: AddressTokens) -> tuple[str | None, str | None]:
    """The state and its code of an address in the United States ("Buffalo NY 14202-1234")."""
    words = tokens.words
    end = len(words)
    if words[-2:-1] == ["-"] and len(words[-1]) == _ZIP_MORE_DIGITS and words[-1].isdigit():
        end -= 2
    if end < 3 or len(words[end - 1]) != _ZIP_DIGITS or not words[end - 1].isdigit():  # noqa: PLR2004 - something, state, code
        return None, None
    state = words[end - 2]
    if len(state) != _STATE_LETTERS or not state.isalpha() or state in terms.TYPES or state in terms.DIRECTIONS:
        return None, None
    code = tokens.spelled(end - 1, len(words))
    spelled = tokens.spelled(end - 2, end - 1)
    tokens.cut(end - 2)
    return spelled, code


def _is_capital(tail: _Tail) -> bool:
    if tail.province is None or tail.postal_code is None:
        return False
    return terms.normalize_place_name(tail.province) == "quebec" and tail.postal_code.upper().startswith(_CAPITAL_AREAS)


# ----------------------------------------------------------------------------------------------------------------- street and town


def _find_street_and_town(
    tokens: AddressTokens, found: AddressDesignators, *, hangs: bool
) -> tuple[AddressWordRun | None, AddressWordRun | None]:
    runs = find_word_runs(tokens, found)
    if not runs:
        return None, None
    place = find_street_run(tokens, runs)
    if place < len(runs) - 1:
        town = runs[-1]
        return runs[place], None if _has_digit(tokens, town) and not _is_known_town(tokens, town) else town
    run = runs[place]
    if _is_town(tokens, run):
        return runs[0] if place > 0 else None, run
    civic = parse_civic_number(tokens, run.start, run.end)
    start = find_town_start(tokens.words[civic.after : run.end], hangs=hangs and run.end == len(tokens))
    if start is None:
        return run, None
    return AddressWordRun(run.start, civic.after + start), AddressWordRun(civic.after + start, run.end)


def _is_town(tokens: AddressTokens, run: AddressWordRun) -> bool:
    """Whether the words are a town rather than a street: no number, no sure street type, or a town that is known."""
    words = tokens.words[run.start : run.end]
    if _is_known_town(tokens, run):
        return True
    behind_saint = words[1:] if words[0] in terms.SAINTS else words  # "St. Catharines" is no street
    is_street = len(words) > 1 and not terms.SURE_TYPES.isdisjoint(behind_saint)
    return not is_street and not _has_digit(tokens, run)


def _is_known_town(tokens: AddressTokens, run: AddressWordRun) -> bool:
    return terms.normalize_place_name(" ".join(tokens.words[run.start : run.end])) in terms.TOWNS


def _has_digit(tokens: AddressTokens, run: AddressWordRun) -> bool:
    """Whether the words contain a number, except that of a reserve or municipality ("Sandy Lake 88")."""
    words = tokens.words[run.start : run.end]
    if words[0].isalpha() and len(words) > 1 and words[-2] not in terms.TYPES:
        words = words[:-1]
    return any(word[0].isdigit() for word in words)
