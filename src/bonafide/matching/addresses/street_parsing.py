"""Parse Canadian street lines, English and French: number, street, type, direction, unit, floor, box, rural route.

It parses one line ("1-123 rue Principale Ouest, bureau 2"). `line_parsing` parses cities, provinces and postal codes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest

from bonafide.matching.addresses import terms
from bonafide.matching.addresses.civic_numbers import VALUE, parse_civic_number
from bonafide.matching.addresses.designators import ORDINAL, AddressDesignators, find_designators, normalize_unit
from bonafide.matching.addresses.tokens import AddressTokens, normalize_text, tokenize_address

_ELISION = re.compile(r"^[ld]'(?=\w)")
_NUMERAL = re.compile(r"\d+[a-z]?(?:-\d+)?|[a-z]")
_SIGNS = frozenset("-&#")
_CARE_OF = frozenset({"c-o", "a-s", "attn", "att", "attention"})
_LAND = re.compile(
    r"\b(?:lsd ?\d{1,2}|[ns][ew](?: ?1-4| quarter)?)[ -]+(?:sec(?:tion)? ?)?\d{1,2}[ -]+(?:(?:twp|tp|township) ?)?\d{1,3}"
    r"[ -]+(?:(?:rge|rg|range|r) ?)?\d{1,2}[ -]+w ?(?:of (?:the )?)?\d(?:th|rd|st|nd)?m?\b"
)
"""A quarter or legal subdivision, section, township, range and meridian of the Dominion Land Survey."""
_MERIDIAN = re.compile(r"\bw ?(?:of )?(?:the )?[1-6]")
_PIECES_OF_LAND = re.compile(r"lsd|[ns][ew]\b|\d+")


@dataclass(frozen=True, slots=True)
class ParsedStreet:
    """A street line in its parts, in one spelling; each is None, or empty, where the line has none.

    `rural` replaces a street in rural addresses ("rr 2", "lot 4 concession 3", "lsd 5 12 34 6 w 4"); `spelled` is the
    street's name with type and direction as it was written.
    """

    number: str | None = None
    name: tuple[str, ...] = ()
    kind: str | None = None
    direction: str | None = None
    unit: str | None = None
    floor: str | None = None
    box: str | None = None
    rural: str | None = None
    station: str | None = None
    spelled: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class AddressWordRun:
    """Adjacent words of a line, without a comma or a designator between them."""

    start: int
    end: int


@lru_cache(maxsize=2**10)  # the requested address is compared with every candidate's
def parse_street(text: str) -> ParsedStreet:
    """Parse a street line. Never raises: unrecognised words stay in the name."""
    text, folded = normalize_text(text)
    folded, land = strip_land_description(folded)
    tokens = tokenize_address(text, folded)
    found = find_designators(tokens)
    runs = find_word_runs(tokens, found)
    place = find_street_run(tokens, runs)
    return build_street(tokens, found, land, runs[place] if runs else None)


def strip_land_description(folded: str) -> tuple[str, str | None]:
    """The folded line without its description in the land survey, and that in one spelling."""
    found = _LAND.search(folded) if _MERIDIAN.search(folded) is not None else None
    if found is None:
        return folded, None
    *pieces, meridian = _PIECES_OF_LAND.findall(found[0].replace("1-4", ""))
    blank = "," + " " * (found.end() - found.start() - 1)
    return f"{folded[: found.start()]}{blank}{folded[found.end() :]}", " ".join([*(it.lstrip("0") for it in pieces), "w", meridian])


# ------------------------------------------------------------------------------------------------------ which words are the street


def find_word_runs(tokens: AddressTokens, found: AddressDesignators) -> list[AddressWordRun]:
    """The words that are not designators, without units that are only separated by commas.

    A number before a comma belongs to the words after it; a number after the street is its unit.
    """
    runs: list[AddressWordRun] = []
    start = None
    used, parted = found.used, tokens.parted
    for place in range(len(tokens)):
        if start is not None and (used[place] or parted[place]):
            runs.append(AddressWordRun(start, place))
            start = None
        if start is None and not used[place] and tokens.words[place] not in _SIGNS:
            start = place
    if start is not None:
        runs.append(AddressWordRun(start, len(tokens)))
    runs = [run for run in runs if tokens.words[run.start] not in _CARE_OF]
    if len(runs) > 1 and runs[0].end == runs[1].start and _is_numbers(tokens, runs[0]):
        runs[:2] = [AddressWordRun(runs[0].start, runs[1].end)]
    return _strip_units(tokens, found, runs)


def _is_numbers(tokens: AddressTokens, run: AddressWordRun) -> bool:
    return all(word in _SIGNS or (word[-1:].isdigit() or word[0].isdigit()) for word in tokens.words[run.start : run.end])


def _strip_units(tokens: AddressTokens, found: AddressDesignators, runs: Sequence[AddressWordRun]) -> list[AddressWordRun]:
    """The runs without the unit that only commas mark: "11 Lakeside Terrace, LL01, Barrie"."""
    kept = list(runs[:1])
    for run in runs[1:]:
        word = tokens.words[run.start]
        is_unit = word[-1].isdigit() and VALUE.fullmatch(word) is not None and tokens.words[runs[0].start][0].isdigit()
        if not is_unit or terms.normalize_place_name(" ".join(tokens.words[run.start : run.end])) in terms.TOWNS:
            kept.append(run)
            continue
        found.unit = found.unit if found.unit is not None else normalize_unit(word)
        if run.end - run.start > 1:
            kept.append(AddressWordRun(run.start + 1, run.end))
    return kept


def find_street_run(tokens: AddressTokens, runs: Sequence[AddressWordRun]) -> int:
    """Which of the runs is the street: one that begins with a number, else one with a street type, else the first."""
    for place, run in enumerate(runs):
        if tokens.words[run.start][0].isdigit() and run.end - run.start > 1:
            return place
    for place, run in enumerate(runs):
        if has_street_type(tokens, run):
            return place
    return 0


def has_street_type(tokens: AddressTokens, run: AddressWordRun) -> bool:
    """Whether a word of the run is a street type, and it isn't alone."""
    return run.end - run.start > 1 and not terms.TYPES.keys().isdisjoint(tokens.words[run.start : run.end])


# --------------------------------------------------------------------------------------------------------------- the street's name


def build_street(tokens: AddressTokens, found: AddressDesignators, land: str | None, run: AddressWordRun | None) -> ParsedStreet:
    """Parse the words of a street."""
    rural = " ".join([*found.rural, *([land] if land is not None else [])]) or None
    if run is None:
        return ParsedStreet(unit=found.unit, floor=found.floor, box=found.box, rural=rural, station=found.station)
    start = _skip_addressee(tokens, run)
    civic = parse_civic_number(tokens, start, run.end)
    after, end, behind = civic.after, run.end, None
    if _ends_with_unit(tokens.words, after, end):
        end -= 1
        behind = tokens.words[end]
    name, kind, direction = parse_street_name(tokens.words[after:end])
    unit = next((unit for unit in (found.unit, civic.unit, behind) if unit is not None), None)
    station = found.station
    if found.box is not None and civic.number is None and kind is None:
        # The remaining words are the post office ("C.P. 4, Mont-Royal").
        name, station = (), station or tokens.spelled(after, end)
    spelled = tokens.spelled(after, end) if name else None
    return ParsedStreet(civic.number, name, kind, direction, unit, found.floor, found.box, rural, station, spelled)


def _skip_addressee(tokens: AddressTokens, run: AddressWordRun) -> int:
    """The position of the street number after an addressee ("Director of Services 2370 Speers Road")."""
    words = tokens.words
    if words[run.start][0].isdigit():
        return run.start
    for place in range(run.start + 1, run.end - 1):
        before = words[place - 1]
        if before in terms.TYPES or before in _SIGNS or before == "no":
            return run.start
        if words[place].isdigit() and words[place + 1].isalpha() and len(before) > 1:
            return place
    return run.start


def _ends_with_unit(words: Sequence[str], start: int, end: int) -> bool:
    """Whether a number without a designator follows the type or direction ("1980 St Clair Ave W F108")."""
    if end - start < 3 or not words[end - 1][-1].isdigit() or VALUE.fullmatch(words[end - 1]) is None:  # noqa: PLR2004 - name, type, unit
        return False
    before = words[end - 2]
    return (before in terms.SURE_TYPES and before not in terms.NUMBERED_TYPES) or (
        before in terms.DIRECTIONS and before != "no" and not terms.TYPES.keys().isdisjoint(words[start + 1 : end - 2])
    )


def parse_street_name(words: Sequence[str]) -> tuple[tuple[str, ...], str | None, str | None]:
    """The words that name the street, its type and its direction; a line with only a type keeps it as its name."""
    rest = [piece for word in words if word not in _SIGNS for piece in word.split("-") if piece != ""]
    rest = [word for word, behind in zip_longest(rest, rest[1:], fillvalue="") if word != "no" or not behind[:1].isdigit()]
    rest, direction = _strip_direction(rest)
    rest, kind = _strip_type(rest)
    if direction is None and len(rest) > 1 and rest[0] in terms.DIRECTIONS and rest[0] != "no":
        direction = terms.DIRECTIONS[rest.pop(0)]
    return tuple(_normalize_name_word(word) for word in rest if word not in terms.ARTICLES or len(rest) == 1), kind, direction


def _strip_direction(words: list[str]) -> tuple[list[str], str | None]:
    if len(words) > 2 and (pair := f"{words[-2]} {words[-1]}") in terms.TWO_WORD_DIRECTIONS:  # noqa: PLR2004 - a name and two words
        return words[:-2], terms.TWO_WORD_DIRECTIONS[pair]
    if len(words) > 1:
        direction = terms.DIRECTIONS.get(words[-1]) or terms.TWO_WORD_DIRECTIONS.get(words[-1])
        if direction is not None:
            return words[:-1], direction
    return words, None


def _strip_type(words: list[str]) -> tuple[list[str], str | None]:
    """The words without the type, which is before a French name, after an English one, and before a road's number."""
    place = _find_type(words)
    return (words, None) if place is None else (words[:place] + words[place + 1 :], terms.TYPES[words[place]])


def _find_type(words: list[str]) -> int | None:
    last = len(words) - 1
    if last < 1:
        return None
    if terms.is_french_street(words) or (last == 1 and _is_numbered(words)):
        return 0
    if words[last] in terms.TYPES:
        return last
    # "County Road 20"; "Knottwood Road East", of which a direction was taken
    if last > 1 and (_is_numbered(words) or (words[last] in terms.DIRECTIONS and words[last - 1] in terms.TYPES)):
        return last - 1
    return 0 if words[0] in terms.TYPES and words[0] not in terms.SAINTS else None


def _is_numbered(words: list[str]) -> bool:
    """Whether the words end with a road's type and its number: "Highway 7"."""
    return words[-2] in terms.NUMBERED_TYPES and _NUMERAL.fullmatch(words[-1]) is not None


def _normalize_name_word(word: str) -> str:
    word = _ELISION.sub("", word).replace("'", "")
    if word in terms.DIRECTIONS and len(word) > 2:  # noqa: PLR2004 - one or two letters may be initials
        return terms.DIRECTIONS[word]
    ordinal = ORDINAL.fullmatch(word)
    return ordinal[1] if ordinal is not None else terms.ORDINALS.get(word) or terms.NAME_WORDS.get(word, word)
