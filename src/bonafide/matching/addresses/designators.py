"""Find unit, floor, building, post-office box, post office, rural route and lot in an address line.

Each is recognised by a word before or after its number. `civic_numbers` parses units without such a word ("5-123 Main St").
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from bonafide.matching.addresses import terms
from bonafide.matching.addresses.tokens import AddressTokens

_VALUE = re.compile(r"[a-z]{0,3}\d\w*|[a-z]")
ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|e|er|re|eme|ieme)")
_GLUED = re.compile(r"(rr|ss|unit|suite|ste|apt|app|box|bureau)(?=\d)")
_LETTERS_AND_NUMBER = re.compile(r"([a-z]{1,3})-(\d\w*)|(\d+)-([a-z])")
_FILLERS = frozenset({"#", "-", "no"})
_LISTING = frozenset({"&", "and", "et"})
_LONGEST_VALUE = 12
_LONGEST_LISTED = 4
_STATION_WORDS = 3


@dataclass(slots=True)
class AddressDesignators:
    """The recognised designators in normal form, and the words that were used; `rural` is in the order of the line."""

    unit: str | None = None
    floor: str | None = None
    box: str | None = None
    station: str | None = None
    rural: list[str] = field(default_factory=list)
    used: list[bool] = field(default_factory=list)

    @property
    def is_postal(self) -> bool:
        """Whether the address is a post-office box or a rural route, so that a post office may be named."""
        return self.box is not None or self.rural != []


@dataclass(slots=True)
class _Scan:
    tokens: AddressTokens
    found: AddressDesignators

    def take(self, start: int, end: int) -> int:
        """Mark words as used; returns the index after them."""
        self.found.used[start:end] = [True] * (end - start)
        return end

    def follows(self, place: int) -> bool:
        """Whether there is a word at this index without a comma before it."""
        return place < len(self.tokens) and not self.tokens.parted[place]

    def is_leading(self, place: int) -> bool:
        """Whether only designators precede it."""
        return False not in self.found.used[:place]


def find_designators(tokens: AddressTokens) -> AddressDesignators:
    """Find all designators in one line. A word joined with its number is split. Never raises."""
    found = AddressDesignators(used=[False] * len(tokens))
    scan = _Scan(tokens, found)
    words, place = tokens.words, 0
    while place < len(words):
        word = words[place]
        reader = _READERS.get(word)
        if reader is None and word[-1].isdigit() and (glued := _GLUED.match(word)) is not None:
            reader = _READERS[glued[1]]
            _split_joined_word(scan, place, glued.end())
        after = reader(scan, place) if reader is not None and not found.used[place] else None
        place = after if after is not None else place + 1
    return found


def _split_joined_word(scan: _Scan, place: int, length: int) -> None:
    """Make two words of one: "RR2"."""
    tokens = scan.tokens
    word, start = tokens.words[place], tokens.starts[place]
    tokens.words[place : place + 1] = [word[:length], word[length:]]
    tokens.starts.insert(place + 1, start + length)
    tokens.ends.insert(place, start + length)
    tokens.parted.insert(place + 1, False)
    scan.found.used.insert(place, False)


# ------------------------------------------------------------------------------------------------------------------------- numbers


def _read_value(scan: _Scan, place: int) -> tuple[str, int] | None:
    """The number or letter after a designator, and the index after it; None if there is none."""
    words = scan.tokens.words
    while scan.follows(place) and words[place] in _FILLERS:
        place += 1
    if not scan.follows(place):
        return None
    word = words[place]
    if _VALUE.fullmatch(word) is None or len(word) > _LONGEST_VALUE or ORDINAL.fullmatch(word) is not None:
        return _read_two_word_value(scan, place)
    return word, place + 1


def _read_two_word_value(scan: _Scan, place: int) -> tuple[str, int] | None:
    """Letters and a number apart: "LG 14"."""
    word = scan.tokens.words[place]
    is_short = len(word) < _LONGEST_LISTED and word.isalpha() and word not in terms.TYPES and word not in _READERS
    if is_short and scan.follows(place + 1) and scan.tokens.words[place + 1].isdigit():
        return word + scan.tokens.words[place + 1], place + 2
    return None


def _read_listed_values(scan: _Scan, value: str, place: int, *, leading: bool) -> tuple[str, int]:
    """Further values after the first: "2 & 3", "3,4,5", "101-102"; a leading one may belong to the street number instead."""
    words = scan.tokens.words
    while place < len(words):
        following = place + 1 if words[place] in _LISTING or words[place] == "-" else place
        if not _is_listed(scan, following, joint=words[place] if following > place else ""):
            break
        if leading and words[place] not in _LISTING and scan.follows(following + 1):
            break
        value, place = f"{value}-{words[following]}", following + 1
    return value, place


def _is_listed(scan: _Scan, place: int, *, joint: str) -> bool:
    if place >= len(scan.tokens):
        return False
    word = scan.tokens.words[place]
    if joint != "":
        return not scan.tokens.parted[place] and _VALUE.fullmatch(word) is not None and (joint != "-" or word[0].isdigit())
    is_small = word[0].isdigit() and len(word) < _LONGEST_LISTED
    return scan.tokens.parted[place] and is_small and not scan.follows(place + 1)


def normalize_unit(value: str) -> str:
    """A unit in one spelling: "A-021B" is `a021b`, "01" is `1`."""
    hyphenated = _LETTERS_AND_NUMBER.fullmatch(value)
    return (value.replace("-", "") if hyphenated is not None else value).lstrip("0") or value


# ------------------------------------------------------------------------------------------------------------- parts of a building


def _read_unit(scan: _Scan, place: int) -> int | None:
    found = _read_value(scan, place + 1)
    if found is None:
        return _skip_unit_word(scan, place)
    value, after = _read_listed_values(scan, *found, leading=scan.is_leading(place))
    if scan.found.unit is None:
        scan.found.unit = normalize_unit(value)
    return scan.take(place, after)


def _skip_unit_word(scan: _Scan, place: int) -> int | None:
    """A word for a unit without a number, after a street: it is neither part of the street's name nor of the town's."""
    words = scan.tokens.words
    is_after_street = place > 0 and scan.tokens.words[0][0].isdigit() and not scan.is_leading(place)
    if words[place] not in terms.SURE_UNITS or not is_after_street:
        return None
    if scan.follows(place) and words[place - 1][0].isdigit():
        return None  # "12 Bureau Street"
    return scan.take(place, place + 1)


def _read_suite_or_saint(scan: _Scan, place: int) -> int | None:
    found = _read_value(scan, place + 1)
    is_suite = found is not None and (found[0][-1].isdigit() or scan.tokens.parted[place])
    return _read_unit(scan, place) if is_suite else None


def _read_number_sign(scan: _Scan, place: int) -> int | None:
    return None if scan.follows(place) and _is_numbered_road(scan.tokens.words, place - 1) else _read_unit(scan, place)


def _is_numbered_road(words: list[str], place: int) -> bool:
    """Whether a road is named by its number: "Highway #7", "County Road #12"; not "Brant Road #22"."""
    if place < 0 or words[place] not in terms.NUMBERED_TYPES:
        return False
    before = words[place - 1] if place > 0 else ""
    return terms.TYPES[words[place]] == "highway" or before.isdigit() or before == "" or before in terms.ROAD_WORDS


def _read_bay(scan: _Scan, place: int) -> int | None:
    found = _read_value(scan, place + 1)
    is_unit = found is not None and found[0][0].isdigit() and scan.is_leading(place) and not scan.follows(found[1])
    return _read_unit(scan, place) if is_unit else None


def _read_floor(scan: _Scan, place: int) -> int | None:
    """Read "3rd floor", "main floor", "floor 3"."""
    words = scan.tokens.words
    if scan.follows(place) and place > 0 and not scan.found.used[place - 1]:
        floor = _parse_floor_word(words[place - 1])
        if floor is not None:
            scan.found.floor = floor
            return scan.take(place - 1, place + 1)
    found = _read_value(scan, place + 1)
    if found is None or not found[0][0].isdigit():
        return None
    scan.found.floor = found[0]
    return scan.take(place, found[1])


def _parse_floor_word(word: str) -> str | None:
    ordinal = ORDINAL.fullmatch(word)
    if ordinal is not None or word.isdigit():
        return ordinal[1] if ordinal is not None else word
    return terms.FLOOR_NAMES.get(word) or terms.ORDINALS.get(word)


def _read_floor_name(scan: _Scan, place: int) -> int | None:
    word = scan.tokens.words[place]
    is_alone = scan.tokens.parted[place] and not scan.follows(place + 1)
    if not (is_alone or (word in terms.LONE_FLOORS and not scan.is_leading(place))):
        return None
    scan.found.floor = terms.FLOOR_NAMES[word]
    return scan.take(place, place + 1)


def _read_building(scan: _Scan, place: int) -> int | None:
    found = _read_value(scan, place + 1)
    return scan.take(place, found[1]) if found is not None and not scan.is_leading(place) else None


# -------------------------------------------------------------------------------------------------------------------- post offices


def _read_box(scan: _Scan, place: int) -> int | None:
    found = _read_value(scan, place + 1)
    if found is None:
        return None
    start = place - _count_words_before_box(scan, place)
    scan.found.box = found[0]
    return scan.take(start, found[1])


def _count_words_before_box(scan: _Scan, place: int) -> int:
    """How many words before "box" go with it: "P.O.", "post office"."""
    words = scan.tokens.words
    if not scan.follows(place) or place == 0:
        return 0
    if words[place - 1] in {"po", "postal", "gpo"}:
        return 1
    if words[place - 1] == "rpo":
        return _count_post_office_words(scan, place)
    return 2 if " ".join(words[max(place - 2, 0) : place]) in {"p o", "post office", "postal office"} else 0


def _count_post_office_words(scan: _Scan, place: int) -> int:
    """The words of "Micmac RPO Box 12", in which the post office's name precedes the box."""
    start = place - 1
    while start > 0 and not scan.tokens.parted[start] and not scan.found.used[start - 1]:
        start -= 1
    scan.found.station = " ".join(scan.tokens.words[start : place - 1]) or None
    return place - start


def _read_two_word_box(scan: _Scan, place: int) -> int | None:
    """Read "C P 12", "case postale 12"."""
    pair = " ".join(scan.tokens.words[place : place + 2])
    found = _read_value(scan, place + 2) if pair in {"c p", "b p", "case postale", "boite postale", "casier postal"} else None
    if found is None:
        return None
    scan.found.box = found[0]
    return scan.take(place, found[1])


def _read_general_delivery(scan: _Scan, place: int) -> int | None:
    words = scan.tokens.words
    if words[place] == "gd":
        length = 0 if scan.follows(place + 1) or not scan.tokens.parted[place] else 1
    else:
        length = 2 if " ".join(words[place : place + 2]) in {"general delivery", "poste restante", "livraison generale"} else 0
    if length == 0:
        return None
    scan.found.box = "general delivery"
    return scan.take(place, place + length)


def _read_station(scan: _Scan, place: int) -> int | None:
    """The post office of a box: "Stn A", "succ. Centre-ville"; without a comma after it, it is one word."""
    if not scan.found.is_postal:
        return None
    end = place + 1
    while scan.follows(end) and end - place <= _STATION_WORDS:
        end += 1
    if end == len(scan.tokens):
        end = min(end, place + 2)
    scan.found.station = " ".join(scan.tokens.words[place + 1 : end]) or scan.found.station
    return scan.take(place, end)


# ------------------------------------------------------------------------------------------------------------------ in the country


def _read_rural(scan: _Scan, place: int, label: str | None = None, length: int = 1) -> int | None:
    found = _read_value(scan, place + length)
    if found is None:
        return None
    scan.found.rural.append(f"{label or scan.tokens.words[place]} {found[0]}")
    return scan.take(place, found[1])


def _read_route(scan: _Scan, place: int) -> int | None:
    return _read_rural(scan, place, "rr")


def _read_two_word_route(scan: _Scan, place: int) -> int | None:
    """Read "R R 2", "rural route 2", "route rurale 2"."""
    pair = " ".join(scan.tokens.words[place : place + 2])
    return _read_rural(scan, place, "rr", 2) if pair in {"r r", "rural route", "route rurale", "rte rurale", "rural rte"} else None


def _read_lot(scan: _Scan, place: int) -> int | None:
    """Read "Lot 4", "Lot 22 Concession 3"."""
    after = _read_rural(scan, place)
    if after is None or after >= len(scan.tokens) or terms.TYPES.get(scan.tokens.words[after]) != "concession":
        return after
    return _read_rural(scan, after, "concession") or after


_READERS: dict[str, Callable[[_Scan, int], int | None]] = {
    **dict.fromkeys(terms.FLOOR_NAMES, _read_floor_name),
    **dict.fromkeys(terms.UNITS, _read_unit),
    **dict.fromkeys(terms.BUILDINGS, _read_building),
    **dict.fromkeys(terms.FLOORS | terms.LEVELS, _read_floor),
    **dict.fromkeys(("pobox", "pob", "box", "cp", "bp", "bag"), _read_box),
    **dict.fromkeys(("c", "b", "case", "boite", "casier"), _read_two_word_box),
    **dict.fromkeys(("general", "poste", "livraison", "gd"), _read_general_delivery),
    **dict.fromkeys(terms.STATIONS, _read_station),
    **dict.fromkeys(terms.RURAL, _read_rural),
    **dict.fromkeys(("r", "rural", "route", "rte"), _read_two_word_route),
    "rr": _read_route,
    "lot": _read_lot,
    "ste": _read_suite_or_saint,
    "#": _read_number_sign,
    "bay": _read_bay,
}
