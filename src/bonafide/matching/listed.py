"""How alike a name is to a name on a sanctions list: people by the rules for people, all else by those for businesses.

A caller seldom says whose name is screened, so the kind of what is listed decides. It reads names only, no dates, no countries.
"""

from dataclasses import dataclass

from bonafide.matching.business_names import compare_business_names
from bonafide.matching.comparison import NameComparison
from bonafide.matching.names import NormalName, normalise
from bonafide.matching.people import PersonName, person_name
from bonafide.matching.person_names import compare_people
from bonafide.matching.rarity import STATIC, Rarity
from bonafide.model.entry import EntityKind

ListedName = NormalName | PersonName
"""A name of a listed entity, read by the rules for what it is."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The name that is screened, read once as a business and in each way in which it may be a person's."""

    business: NormalName
    people: tuple[PersonName, ...]


def subject(query: str) -> Subject:
    """Read a name for screening: "Jean Tremblay Inc." may hide Jean Tremblay, but in "Maria de Sá" nothing is a legal form."""
    business = normalise(query)
    person = person_name(query)
    return Subject(business, (person, person_name(" ".join(business.core))) if business.legal_forms else (person,))


def listed_name(text: str, kind: EntityKind) -> ListedName:
    """Read one name of a listed entity."""
    return person_name(text) if kind is EntityKind.PERSON else normalise(text)


def compare_subject(screened: Subject, listed: ListedName, rarity: Rarity = STATIC) -> NameComparison:
    """Compare it with one name of a listed entity. A single given or family name never reaches 0.7 against a fuller name."""
    if isinstance(listed, NormalName):
        return compare_business_names(screened.business, listed, rarity)
    return max((compare_people(person, listed) for person in screened.people), key=lambda comparison: comparison.score)
