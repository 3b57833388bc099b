"""Canadian street lines, English and French, taken apart and compared: number, street, type, direction, unit, box.

It reads one line ("1-123 rue Principale Ouest, bureau 2"). Cities, provinces and postal codes are the business of `addresses`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bonafide.matching import features
from bonafide.matching.alignment import align
from bonafide.matching.folding import fold
from bonafide.matching.likeness import EQUAL, Likeness, slip
from bonafide.matching.tables import read_table

_TABLE = read_table("street_types")


def _by_spelling(rows: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {spelling: key for key, spellings in rows.items() for spelling in spellings}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_TYPES = _by_spelling(_TABLE["types"])
_DIRECTIONS = _by_spelling(_TABLE["directions"])
_EMPTY = frozenset({"de", "du", "des", "la", "le", "les", "of", "the"})
_SAINTS = {"st": "saint", "ste": "sainte"}

_ELISION = re.compile(r"\b[ld]'(?=\w)")
_INITIAL_STOP = re.compile(r"(?<=\b[a-z])\.")
_BOX = re.compile(rf"\b(?:{_any_of(_TABLE['boxes'])}) ?(\d+)\b")
_RURAL_ROUTE = re.compile(rf"\b(?:{_any_of(_TABLE['rural_routes'])}) ?(\d+)\b")
_UNIT = re.compile(rf"\b(?:{_any_of(_TABLE['units'])}) ?-? ?(\d+[a-z]?|[a-z]\d*)\b")
_FLOOR = re.compile(rf"\b(\d+)(?:st|nd|rd|th|er|e|eme|ieme)? (?:{_any_of(_TABLE['floors'])})\b")
_UNIT_DASH_NUMBER = re.compile(r"^(\d+[a-z]?|[a-z]\d*) ?- ?(\d+[a-z]?)\b")
_UNIT_AND_NUMBER = re.compile(r"^(\d+[a-z]?|[a-z]) (\d+[a-z]?) (?=([a-z]+))")
_NUMBER = re.compile(r"^(\d+[a-z]?)\b")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|e|er|re|eme|ieme)")


@dataclass(frozen=True, slots=True)
class Street:
    """A street line in its parts; each is None, or empty, where the line has none."""

    number: str | None
    name: tuple[str, ...]
    kind: str | None
    direction: str | None
    unit: str | None
    box: str | None


@dataclass(frozen=True, slots=True)
class StreetComparison:
    """How alike two street lines are (0 to 1), and why."""

    score: float
    reason: str


@lru_cache(maxsize=2**10)  # the address asked for is compared with every candidate's
def parse_street(text: str) -> Street:
    """Take a street line apart. Never raises: what is not recognised stays in the name."""
    line = _plain(text)
    line, box = _taken(_BOX, line)
    if box is None:
        line, route = _taken(_RURAL_ROUTE, line)
        box = f"rr {route}" if route is not None else None
    line, unit = _taken(_UNIT, line)
    if unit is None:
        line, unit = _taken(_FLOOR, line)
    front, number, line = _number(line)
    name, kind, direction = _name(line.replace("-", " ").split())
    if box is not None and number is None:
        name = ()  # what is left is the post office ("succ. A")
    return Street(number, name, kind, direction, unit if unit is not None else front, box)


def _plain(text: str) -> str:
    line = _INITIAL_STOP.sub("", _ELISION.sub("", fold(text))).replace("'", "")
    return " ".join(line.translate(str.maketrans(".,()&", "     ")).split())


def _taken(pattern: re.Pattern[str], line: str) -> tuple[str, str | None]:
    found = pattern.search(line)
    if found is None:
        return line, None
    return " ".join(f"{line[: found.start()]} {line[found.end() :]}".split()), found[1]


def _number(line: str) -> tuple[str | None, str | None, str]:
    """The unit that stands in front, the street number, and the rest of the line."""
    line = line.strip(" -")
    both = _UNIT_DASH_NUMBER.match(line) or _UNIT_AND_NUMBER.match(line)
    # "123 10 Avenue SW" has no unit: the street's name is a number.
    if both is not None and not (both.re is _UNIT_AND_NUMBER and both[3] in _TYPES):
        return both[1], both[2], line[both.end(2) :]
    single = _NUMBER.match(line)
    return (None, single[1], line[single.end() :]) if single is not None else (None, None, line)


def _name(words: Sequence[str]) -> tuple[tuple[str, ...], str | None, str | None]:
    """The words that name the street, its type and its direction; a line that is nothing else keeps its last word as its name."""
    kind = direction = None
    words = list(words)
    if len(words) > 1 and words[-1] in _DIRECTIONS:
        direction = _DIRECTIONS[words.pop()]
    if len(words) > 1 and words[0] in _TYPES and words[0] not in _SAINTS:
        kind = _TYPES[words.pop(0)]
    elif len(words) > 1 and words[-1] in _TYPES:
        kind = _TYPES[words.pop()]
    if direction is None and len(words) > 1 and words[0] in _DIRECTIONS:
        direction = _DIRECTIONS[words.pop(0)]
    return tuple(_street_word(word) for word in words if word not in _EMPTY), kind, direction


def _street_word(word: str) -> str:
    ordinal = _ORDINAL.fullmatch(word)
    return ordinal[1] if ordinal is not None else _SAINTS.get(word, word)


def compare_streets(asked: str, found: str) -> StreetComparison:
    """Compare two street lines. Symmetric; another street number makes another address, another unit only a neighbour."""
    left, right = parse_street(asked), parse_street(found)
    if not left.name or not right.name:
        return _compare_boxes(left, right)
    score, reasons = _name_score(left.name, right.name)
    for label, one, other, factor in _details(left, right):
        if one != other:
            missing = one is None or other is None
            score *= features.STREET_DETAIL_MISSING if missing else factor
            reasons.append(_difference(label, one, other))
    if left.number is not None and right.number is not None and left.number != right.number:
        score = min(score, features.OTHER_STREET_NUMBER_CAP)
        reasons.insert(0, _difference("street number", left.number, right.number))
    elif left.number != right.number:
        score *= features.STREET_NUMBER_MISSING
        reasons.append(_difference("street number", left.number, right.number))
    return StreetComparison(round(score, features.DECIMALS), "; ".join(reasons) or "same street address")


def _details(left: Street, right: Street) -> tuple[tuple[str, str | None, str | None, float], ...]:
    return (
        ("street type", left.kind, right.kind, features.OTHER_STREET_TYPE),
        ("direction", left.direction, right.direction, features.OTHER_DIRECTION),
        ("unit", left.unit, right.unit, features.OTHER_UNIT),
    )


def _difference(label: str, asked: str | None, found: str | None) -> str:
    if asked is None:
        return f"{label} {found} added"
    return f"{label} {asked} missing" if found is None else f"{label} {found} instead of {asked}"


def _name_score(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[float, list[str]]:
    found = align(left, right, _street_likeness)
    score = sum(pair.likeness.score for pair in found.pairs) / max(len(left), len(right))
    return score, [] if score == 1 else [f"street '{' '.join(right)}' for '{' '.join(left)}'"]


def _street_likeness(one: str, other: str) -> Likeness | None:
    if one == other:
        return EQUAL
    return slip(one, other, features.SLIP) if one.isalpha() and other.isalpha() else None


def _compare_boxes(left: Street, right: Street) -> StreetComparison:
    if left.box is not None and left.box == right.box:
        return StreetComparison(1.0, "same box")
    if left.box is not None and right.box is not None:
        return StreetComparison(features.OTHER_BOX, _difference("box", left.box, right.box))
    same = left == right
    return StreetComparison(1.0 if same else 0.0, "same street address" if same else "no street name in common")
