"""What people are to a business: the words for it, folded to the common categories.

A role of which no word is known is of no category; it can still be the same as another by its letters. Who a person is, is not
looked at here.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table
from bonafide.model.entity import Person, RoleCategory

_PHRASES: list[tuple[str, RoleCategory]] = sorted(
    ((phrase, RoleCategory(category)) for category, phrases in read_table("roles").items() for phrase in phrases),
    key=lambda row: -len(row[0]),
)


def normalize_role(role: str) -> str:
    """A role in its plain words: two roles with the same words are the same."""
    return " ".join("".join(character if character.isalnum() else " " for character in fold(role)).split())


@lru_cache(maxsize=2**10)  # registers have few words for it
def classify_role(role: str) -> frozenset[RoleCategory]:
    """The categories that a role names: "Director and President" names two, one in no known word none."""
    return frozenset(_find_categories(f" {normalize_role(role)} "))


def _find_categories(text: str) -> Iterator[RoleCategory]:
    for phrase, category in _PHRASES:
        if f" {phrase} " in text:
            text = text.replace(f" {phrase} ", "  ")
            yield category


def has_role(person: Person, role: str) -> bool:
    """Whether a register names a person in a role, by the same words or by the categories that they stand for."""
    if normalize_role(role) in {normalize_role(own) for own in list_roles(person)}:
        return True
    asked = classify_role(role)
    return bool(asked) and asked <= _list_categories(person)


def list_roles(person: Person) -> tuple[str, ...]:
    """A person's roles in the register's own words, each once."""
    return tuple(dict.fromkeys((*person.roles, *(detail.label for detail in person.role_details))))


def _list_categories(person: Person) -> frozenset[RoleCategory]:
    told: Iterable[RoleCategory] = (detail.category for detail in person.role_details)
    return frozenset(told).union(*map(classify_role, person.roles))
