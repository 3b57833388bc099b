"""Link matches that are registrations of one business, and find its home registration.

`matching/entries/related_registrations` decides which entries belong together; this module writes that into the document.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar
from uuid import UUID

from bonafide.matching.entries.related_registrations import RelatedRegistration
from bonafide.model.search.match import RelatedMatch, Relation


class LinkedMatch(Protocol):
    """As much of another match as says that it is a registration of the same business."""

    @property
    def match_id(self) -> UUID:
        """Which."""

    @property
    def relation(self) -> Relation:
        """What it is to the match that names it."""


class LinkableMatch(Protocol):
    """As much of a match as tells which others are registrations of its business."""

    @property
    def match_id(self) -> UUID:
        """Its own id."""

    @property
    def source(self) -> str:
        """The register's key."""

    @property
    def related_matches(self) -> Sequence[LinkedMatch]:
        """The others, as far as they are known."""


M = TypeVar("M", bound=LinkableMatch)


def build_related_matches(related: Iterable[RelatedRegistration], match_ids: Sequence[UUID]) -> tuple[RelatedMatch, ...]:
    """The links of one match to the other registrations of its business; `match_ids` are those of all matches, in their order."""
    return tuple(RelatedMatch(match_id=match_ids[item.place], relation=item.relation, evidence=item.evidence) for item in related)


def find_registrations(match: M, matches: Sequence[M]) -> list[M]:
    """A match and all that are registrations of its business in other registers, in the order given.

    Links within one register are not followed, even those of one business number: which of the two is meant a person has to say.
    """
    by_id = {other.match_id: other for other in matches}
    found = {match.match_id}
    waiting = [match]
    while waiting:
        one = waiting.pop()
        for link in one.related_matches:
            other = by_id.get(link.match_id)
            if other is not None and other.match_id not in found and other.source != one.source:
                found.add(other.match_id)
                waiting.append(other)
    return [other for other in matches if other.match_id in found]


def find_home_registration(registrations: Sequence[M]) -> M | None:
    """The registration that the others call their home; None when none does."""
    homes = {
        link.match_id for match in registrations for link in match.related_matches if link.relation is Relation.HOME_REGISTRATION
    }
    return next((match for match in registrations if match.match_id in homes), None)
