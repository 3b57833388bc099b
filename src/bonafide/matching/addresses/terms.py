"""The words of Canadian addresses as the parser looks them up: street types, directions, units, boxes, towns, provinces, countries.

It also normalizes place names. The meaning of a word in its context is decided by the parsers; `postal_codes` has postal codes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table

_STREETS = read_table("street_types")
_TERMS = read_table("address_terms")
_REGIONS = read_table("provinces")
_PLACES = read_table("address_places")


def _index_by_spelling(*tables: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {spelling: key for table in tables for key, spellings in table.items() for spelling in spellings}


TYPES = _index_by_spelling(_TERMS["types"], _STREETS["types"])
SURE_TYPES = frozenset(spelling for spelling, kind in TYPES.items() if kind in _TERMS["sure_types"])
NUMBERED_TYPES = frozenset(spelling for spelling, kind in TYPES.items() if kind in _TERMS["numbered_types"])
FRENCH_TYPES = frozenset[str](_TERMS["french_types"])
DIRECTIONS = _index_by_spelling(_STREETS["directions"])
TWO_WORD_DIRECTIONS = _index_by_spelling(_TERMS["directions"])
NAME_WORDS = _index_by_spelling(_TERMS["name_words"])
ROAD_WORDS = frozenset(word for word, name in NAME_WORDS.items() if name in {"township", "range", "county", "regional"})
"""Words before "road" and a number: "County Road 12"."""
ORDINALS = _index_by_spelling(_TERMS["ordinals"])
SAINTS = frozenset({"st", "ste"})
_FRENCH_ARTICLES = frozenset({"de", "du", "des", "la", "le", "les"})
ARTICLES = _FRENCH_ARTICLES | {"of", "the", "no"}

UNITS = frozenset[str]([*_STREETS["units"], *_TERMS["units"]])
SURE_UNITS = frozenset[str](_TERMS["sure_units"])
BUILDINGS = frozenset[str](_TERMS["buildings"])
FLOORS = frozenset[str]([*_STREETS["floors"], *_TERMS["floors"]])
LEVELS = frozenset[str](_TERMS["levels"])
FLOOR_NAMES = _index_by_spelling(_TERMS["floor_names"])
LONE_FLOORS = frozenset[str](_TERMS["lone_floors"])
KILOMETRES = frozenset[str](_TERMS["kilometres"])
MILEPOSTS = KILOMETRES | frozenset[str](_TERMS["miles"])
"""Words before the number of a place on a highway."""
STATIONS = frozenset[str](_TERMS["stations"])
RURAL = frozenset[str](_TERMS["rural"])

PROVINCES = _index_by_spelling(_REGIONS["provinces"])
COUNTRIES = _index_by_spelling(_REGIONS["countries"])
_INITIALS = re.compile(r"\b[a-z](?:\.-?[a-z]\b)+")
_ELISION = re.compile(r"\b[dl]'")
_SHORT_PLACE_WORDS = {"st": "saint", "ste": "sainte", "mtl": "montreal", "ft": "fort", "mt": "mount"}
_STYLES = (
    "ville de ",
    "city of ",
    "town of ",
    "township of ",
    "municipality of ",
    "municipalite de ",
    "village of ",
    "village de ",
)


def is_french_street(words: Sequence[str]) -> bool:
    """Whether a street's name begins with its type, as in French: "rue Main", "avenue du Parc"."""
    if len(words) < 2 or words[0] not in TYPES:  # noqa: PLR2004 - a type and a name
        return False
    return words[0] in FRENCH_TYPES or words[1] in _FRENCH_ARTICLES or words[1].startswith(("d'", "l'"))


@lru_cache(maxsize=2**12)  # entries name some thousand towns, over and over
def normalize_place_name(text: str) -> str:
    """A town's or region's name in one spelling: "St. John's" is `saint johns`, "Ville de Montréal" `montreal`."""
    folded = _INITIALS.sub(lambda found: "".join(filter(str.isalpha, found[0])), fold(text))
    folded = _ELISION.sub(" ", folded).replace("'", "")
    plain = "".join(character if character.isalnum() else " " for character in folded)
    name = " ".join(_SHORT_PLACE_WORDS.get(word, word) for word in plain.split())
    return next((name.removeprefix(style) for style in _STYLES if name.startswith(style)), name)


TOWNS = frozenset(
    normalize_place_name(name)
    for name in [*_PLACES["towns"].split(","), *(name for names in _PLACES["merged"].values() for name in names)]
    if " " in name
)
"""Towns of several words, in the one spelling of `normalize_place_name`."""
LONGEST_TOWN = max(len(name.split()) for name in TOWNS)
FIRST_WORDS = frozenset[str](_PLACES["first_words"].split())
_MERGED: dict[str, frozenset[str]] = {
    normalize_place_name(former): frozenset(city for city, formers in _PLACES["merged"].items() if former in formers)
    for formers in _PLACES["merged"].values()
    for former in formers
}


def parse_province_code(text: str) -> str | None:
    """The two letters of a province or territory, by any name or code of it ("PQ", "Nouvelle-Écosse"); None for another text."""
    return PROVINCES.get(normalize_place_name(text))


def parse_address_country(text: str) -> str | None:
    """`CA` or `US` by any of their names; None for another text."""
    return COUNTRIES.get(normalize_place_name(text))


def is_merged_into(former: str, city: str) -> bool:
    """Whether the first of two `normalize_place_name`s is a former municipality, or a community, of the second."""
    return city in _MERGED.get(former, ())
