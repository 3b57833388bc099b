"""Which indirect interests of BODS follow from other interests of the same file, so that none is lost and none counts twice.

A relationship with `componentRecords` may state indirect interests, which follow from its components, and direct ones beside them.
An indirect interest without components is an interest like others, unless the file has the links that it sums up.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.ownership.statement import InterestKind
from bonafide.services.ownership.formats.bods_records import BodsRecords, PlacedRelationship
from bonafide.services.ownership.formats.bods_statements import AnyBodsStatement, BodsInterest, BodsRelationshipStatement
from bonafide.services.ownership.formats.bods_terms import find_interest_kind

UNSPECIFIED = ""
"""The end of a relationship that is not a record. No record has an empty ID."""
_Links = dict[str, list[tuple[str, str]]]
"""By owner: what it owns or controls, and the ID of the relationship that says so."""


def get_ends(statement: BodsRelationshipStatement) -> tuple[str, str]:
    """The records of the interested party and of the subject of a relationship."""
    details = statement.record_details
    return (
        details.interested_party if isinstance(details.interested_party, str) else UNSPECIFIED,
        details.subject if isinstance(details.subject, str) else UNSPECIFIED,
    )


def list_interests(statement: BodsRelationshipStatement) -> Sequence[BodsInterest]:
    """The interests. A relationship without any says that there is one, and not which; with components it is indirect."""
    details = statement.record_details
    return details.interests or (BodsInterest(direct_or_indirect="indirect" if details.component_records else None),)


def list_own_interests(statement: BodsRelationshipStatement) -> list[tuple[int, BodsInterest]]:
    """The interests that don't follow from components, with their numbers."""
    has_components = len(statement.record_details.component_records) > 0
    return [
        (number, interest)
        for number, interest in enumerate(list_interests(statement))
        if not (has_components and interest.direct_or_indirect == "indirect")
    ]


def is_derived(statement: AnyBodsStatement) -> bool:
    """Whether all that a statement says follows from other records: it is nobody's claim."""
    return isinstance(statement, BodsRelationshipStatement) and not list_own_interests(statement)


class ComponentChecker:
    """Checks the indirect interests of one file."""

    def __init__(self, records: BodsRecords) -> None:
        self._records = records
        current = [placed.statement for placed in records.relationships.values() if not placed.is_closed]
        self._carrying = {statement.record_id: _list_carrying(statement) for statement in current}
        self._links = _index_links(statement for statement in current if self._carrying[statement.record_id])

    def check(self, placed: PlacedRelationship) -> None:
        """Refuse indirect interests that would be lost or count twice."""
        own = list_own_interests(placed.statement)
        if len(own) < len(list_interests(placed.statement)):
            self._check_components(placed)
        details = placed.statement.record_details
        uncertain = {"indirect"} if not details.component_records else {"indirect", "unknown", None}
        found = [(number, interest) for number, interest in own if interest.direct_or_indirect in uncertain]
        if not found or not self._is_reached_otherwise(placed.statement):
            return
        number, interest = found[0]
        message = (
            Message(
                "is indirect, and the interested party also reaches the subject by other interests: list them in componentRecords"
            )
            if interest.direct_or_indirect == "indirect"
            else Message("must be direct or indirect: the interested party also reaches the subject by other interests")
        )
        raise ValidationFailed.of_field(f"{placed.index}.recordDetails.interests.{number}.directOrIndirect", message)

    def _is_reached_otherwise(self, statement: BodsRelationshipStatement) -> bool:
        """Whether the interested party, if it is named, has other interests that lead to the subject."""
        owner, subject = get_ends(statement)
        return owner != UNSPECIFIED and _is_connected(self._links, owner, subject, without=statement.record_id)

    def _check_components(self, placed: PlacedRelationship) -> None:
        """Refuse indirect interests that don't follow from the components."""
        path = f"{placed.index}.recordDetails.componentRecords"
        statement = placed.statement
        components = []
        for number, component in enumerate(statement.record_details.component_records):
            found = self._records.relationships.get(component)
            if found is None and component not in self._records.parties:
                raise ValidationFailed.of_field(f"{path}.{number}", Message("is not the ID of a record in the file"))
            if found is not None and not found.is_closed and component != statement.record_id:
                components.append(found.statement)
        day = statement.statement_date
        own = {number for number, _ in list_own_interests(statement)}
        # What has ended may follow from interests that have ended.
        is_current = any(_is_in_force(one, day) for number, one in enumerate(list_interests(statement)) if number not in own)
        links = _index_links(
            one
            for one in components
            if any(not is_current or _is_in_force(interest, day) for interest in self._carrying[one.record_id])
        )
        owner, subject = get_ends(statement)
        if not _is_connected(links, owner, subject):
            message = Message(
                "must have relationships in force that lead from the interested party to the subject by ownership or control: "
                "without them the indirect interest would be lost"
            )
            raise ValidationFailed.of_field(path, message)


def _list_carrying(statement: BodsRelationshipStatement) -> list[BodsInterest]:
    """The interests of a relationship, apart from those that follow from components, that are ownership or control."""
    without = {None, InterestKind.DIRECTOR}
    return [interest for _, interest in list_own_interests(statement) if find_interest_kind(interest) not in without]


def _is_in_force(interest: BodsInterest, day: date) -> bool:
    has_begun = interest.start_date is None or interest.start_date <= day
    return has_begun and (interest.end_date is None or interest.end_date > day)


def _index_links(statements: Iterable[BodsRelationshipStatement]) -> _Links:
    links: _Links = {}
    for statement in statements:
        owner, owned = get_ends(statement)
        links.setdefault(owner, []).append((owned, statement.record_id))
    return links


def _is_connected(links: _Links, owner: str, subject: str, without: str | None = None) -> bool:
    """Whether links lead from the owner to the subject, apart from those of one relationship."""
    return any(owned == subject for owned in _iterate_reached(links, owner, without))


def _iterate_reached(links: _Links, start: str, without: str | None) -> Iterator[str]:
    """The parties that somebody has links to, directly or not."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        for owned, record_id in links.get(waiting.pop(), ()):
            if owned not in reached and record_id != without:
                reached.add(owned)
                waiting.append(owned)
                yield owned
