"""Parse the free text of registers into common codes: entity types, home jurisdictions and roles of people.

The register's own words are kept in addition to the codes. Unknown words have no code: entity types are not guessed, a place
outside Canada keeps its words, and a role without a category is compared by its text.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table
from bonafide.model.entity import EntityTypeCode, Person, RoleCategory
from bonafide.model.jurisdiction import Jurisdiction

_TABLE = read_table("entity_types")
_NOT_WORDS = re.compile(r"[^a-z0-9]+")


def _normalize_words(words: str) -> str:
    return _NOT_WORDS.sub(" ", fold(words.replace(".", ""))).strip()


_EXTRA_PROVINCIAL = re.compile(
    rf"\b(?:{'|'.join(sorted(map(_normalize_words, _TABLE.pop('from_elsewhere')), key=len, reverse=True))})\b"
)
_CODES = {_normalize_words(words): EntityTypeCode(code) for code, kinds in _TABLE.items() for words in kinds}


@lru_cache(maxsize=2**9)  # registers have a few dozen entity types
def parse_entity_type_code(words: str | None) -> EntityTypeCode | None:
    """The common code of a register's words; None for unknown or missing words."""
    if words is None:
        return None
    plain = _normalize_words(words)
    found = _CODES.get(plain)
    if found is not None:
        return found
    kind = " ".join(_EXTRA_PROVINCIAL.sub(" ", plain).split())
    # Registers that state only the origin mean a corporation.
    return _CODES.get(kind) if kind else EntityTypeCode.CORPORATION if plain else None


_HOMES = read_table("homes")
_NO_JURISDICTION = frozenset(_HOMES.pop("nowhere")) | {""}
_ISO = re.compile(r"ca ([a-z]{2})")
"""ISO 3166-2: "CA-ON"."""
_AMBIGUOUS = frozenset({"ne", "alb", "man", "tn", "lb", "cb", "qu"})
"""Also abbreviations of other places (Nebraska, Tennessee), and no codes of Canadian registers."""


def _index_spellings() -> dict[str, Jurisdiction]:
    provinces = read_table("provinces")["provinces"]
    known = {word: Jurisdiction(code) for code, words in provinces.items() for word in words if word not in _AMBIGUOUS}
    return known | {fold(word): Jurisdiction(code) for code, words in _HOMES.items() for word in words}


_SPELLINGS = _index_spellings()


def parse_home_jurisdiction(text: str | None, own: Jurisdiction) -> str | None:
    """The home jurisdiction of a business in the register `own`: a jurisdiction's code, or the given words outside Canada.

    None for the register's own jurisdiction, and for words that name no place.
    """
    words = " ".join(text.split()) if text is not None else ""
    plain = " ".join(re.sub(r"[^\w&]+", " ", fold(words)).split())
    iso = _ISO.fullmatch(plain)
    known = _SPELLINGS.get(iso[1] if iso is not None else plain)
    if known is not None:
        return known.value if known is not own else None
    return words if plain not in _NO_JURISDICTION else None


def is_same_home(one: str, other: str) -> bool:
    """Whether two homes have the same words."""
    return fold(one).split() == fold(other).split()


_PHRASES: list[tuple[str, RoleCategory]] = sorted(
    ((phrase, RoleCategory(category)) for category, phrases in read_table("roles").items() for phrase in phrases),
    key=lambda row: -len(row[0]),
)


def normalize_role(role: str) -> str:
    """The plain words of a role, for comparison."""
    return " ".join("".join(character if character.isalnum() else " " for character in fold(role)).split())


@lru_cache(maxsize=2**10)  # registers use few words for roles
def classify_role(role: str) -> frozenset[RoleCategory]:
    """The categories that a role names: two for "Director and President", none for unknown words."""
    return frozenset(_find_categories(f" {normalize_role(role)} "))


def _find_categories(text: str) -> Iterator[RoleCategory]:
    for phrase, category in _PHRASES:
        if f" {phrase} " in text:
            text = text.replace(f" {phrase} ", "  ")
            yield category


def has_role(person: Person, role: str) -> bool:
    """Whether a register names a person in a role, by the same words or the same categories."""
    if normalize_role(role) in {normalize_role(own) for own in list_roles(person)}:
        return True
    categories = classify_role(role)
    return bool(categories) and categories <= _list_categories(person)


def list_roles(person: Person) -> tuple[str, ...]:
    """A person's roles in the register's own words, each once."""
    return tuple(dict.fromkeys((*person.roles, *(detail.label for detail in person.role_details))))


def _list_categories(person: Person) -> frozenset[RoleCategory]:
    stated: Iterable[RoleCategory] = (detail.category for detail in person.role_details)
    return frozenset(stated).union(*map(classify_role, person.roles))
