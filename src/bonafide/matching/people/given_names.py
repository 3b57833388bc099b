"""Given names: which words are given names, their other forms and spellings, and how common a name is.

The tables are `people.yml` (curated forms), `given_name_forms.yml` (English nicknames) and `name_frequencies.yml` (census, lists).
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from bonafide.matching.people.person_name_parsing import PEOPLE_TABLE
from bonafide.matching.text.tables import read_table

_FREQUENCIES = read_table("name_frequencies")
_MALE, _FEMALE = frozenset[str](_FREQUENCIES["male"].split()), frozenset[str](_FREQUENCIES["female"].split())
_GIVEN_BY_BOTH = frozenset[str](_FREQUENCIES["both"].split())


def _index_forms(rows: Iterable[Iterable[str]]) -> dict[str, frozenset[str]]:
    forms: dict[str, frozenset[str]] = {}
    for row in map(frozenset, rows):
        for form in row:
            forms[form] = forms.get(form, frozenset()) | (row - {form})
    return forms


_NICKNAMES: dict[str, str] = read_table("given_name_forms")["nicknames"]
GIVEN_NAME_FORMS = _index_forms(
    [*PEOPLE_TABLE["forms"], *([name, nickname] for name, nicknames in _NICKNAMES.items() for nickname in nicknames.split())]
)
"""The other forms of each form of a given name."""
_CURATED = frozenset(form for row in PEOPLE_TABLE["forms"] for form in row) | frozenset[str](PEOPLE_TABLE["given"].split())
_GIVEN = GIVEN_NAME_FORMS.keys() | _CURATED | _MALE | _FEMALE | _GIVEN_BY_BOTH
_RATHER_FAMILY = frozenset[str](_FREQUENCIES["rather_family"].split())


def _index_shares() -> dict[str, int]:
    shares: dict[str, int] = {}
    for table in ("listed", "family_names"):
        for share, words in _FREQUENCIES[table].items():
            for word in words.split():
                shares[word] = max(shares.get(word, 0), share)
    return shares


_SHARES = _index_shares()
_PATRONYMIC = re.compile(r".{2,}(?:[aeiouy]v[iy]ch|[iy]ch|[oe]vna|[iy]vna|[aeo]una|[iy]chna)")
_DOUBLED = re.compile(r"(.)\1+")
_SHORT_KEY, _LONG_KEY = 3, 6
"""Letters above which a final "e" is silent, and from which a final "i" is an ending: "Zoe" is not "Zo", nor "Dani" "Dan"."""
_SOFT_C = re.compile(r"c(?=[eiy])")
_SILENT_H = re.compile(r"(?<!^)(?<![cs])h")


def is_given_name(part: str) -> bool:
    """Whether it is a common given name of the curated table, which has no words such as "hope" and "forest"."""
    return part in _CURATED


def is_known_given_name(part: str) -> bool:
    """Whether it is a given name of any table."""
    return part in _GIVEN


def is_rather_given_name(part: str) -> bool:
    """Whether it is a given name of any table that is not more common as a family name."""
    return part in _GIVEN and part not in _RATHER_FAMILY


@lru_cache(maxsize=2**15)
def is_patronymic(part: str) -> bool:
    """Whether it is formed like a Russian, Ukrainian or Belarusian patronymic: Viktorovich, Viktoriŭna."""
    return _PATRONYMIC.fullmatch(part) is not None


def get_name_share(part: str) -> int:
    """How many of 100,000 people have this name, rounded down to a band of `name_frequencies.yml`; 0 for a rare name."""
    return _SHARES.get(part, 0)


def are_forms(one: str, other: str) -> bool:
    """Whether two different words are forms or spellings of one given name: Bob and Robert, Bryan and Brian."""
    if other in GIVEN_NAME_FORMS.get(one, ()):
        return True
    if one not in _GIVEN or other not in _GIVEN:
        return False
    return _build_spelling_key(one) == _build_spelling_key(other) and _have_one_gender(one, other)


def _have_one_gender(one: str, other: str) -> bool:
    return not ((one in _MALE and other in _FEMALE) or (one in _FEMALE and other in _MALE))


@lru_cache(maxsize=2**14)
def _build_spelling_key(name: str) -> str:
    """The name in one spelling of letters that are exchanged without another sound: y and i, c and k, ph and f, doubled letters."""
    plain = _SOFT_C.sub("s", name.replace("ph", "f").replace("ck", "k")).replace("y", "i").replace("z", "s")
    plain = re.sub(r"c(?!h)", "k", _SILENT_H.sub("", plain))
    key = _DOUBLED.sub(r"\1", plain)
    if len(key) >= _LONG_KEY:
        return key.removesuffix("i").removesuffix("e")
    return key.removesuffix("e") if len(key) > _SHORT_KEY else key
