"""Join the statements of several claimants about one business: the same party has one ID in all of them.

A caller's ID names one party in all statements only if what they state of it agrees. Otherwise these are two parties: a name that a
second claimant gives must be screened, and its shares must not count for somebody else.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from uuid import UUID

import networkx as nx

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_matching import build_number_keys, is_lei
from bonafide.matching.names.normalization import normalise
from bonafide.matching.ownership.owner_pairing import agree_as_far_as_stated
from bonafide.matching.ownership.roll_up import OwnershipClaims
from bonafide.matching.people.person_name_parsing import parse_person_name
from bonafide.model.ownership.answer import ClaimedInterest, ClaimedParty
from bonafide.model.ownership.statement import (
    MAX_PARTY_ID,
    Claimant,
    OwnershipInterest,
    OwnershipParty,
    OwnershipStatement,
    PartyKind,
)

MAX_CYCLE = 100
"""Equations of so many parties are solved in milliseconds. No structure on record has a cycle of more than some dozens."""


@dataclass(frozen=True, slots=True)
class JoinedStatements:
    """The parties and interests of all statements about a business, and the ID of the business among them."""

    parties: tuple[ClaimedParty, ...]
    interests: tuple[ClaimedInterest, ...]
    subject: str
    unreadable: Message | None = None
    """Why the statement of a claimant could not be read, so that it is missing here; None if all were."""

    def to_claims(self) -> OwnershipClaims:
        """The claims, as they are rolled up."""
        interests: dict[Claimant, list[OwnershipInterest]] = {}
        for interest in self.interests:
            interests.setdefault(interest.claimed_by, []).append(interest)
        return OwnershipClaims({party.id: party.kind for party in self.parties}, interests, self.subject)


def find_subject(statement: OwnershipStatement, business_id: UUID) -> str:
    """The ID of the party that is the business itself. Raises `ValidationFailed` unless there is exactly one."""
    found = [party.id for party in statement.parties if party.business_id == business_id]
    if len(found) != 1:
        raise ValidationFailed.of_field("parties", Message("must have one party with the businessId of the business itself"))
    return found[0]


def join_statements(statements: Sequence[OwnershipStatement], business_id: UUID) -> JoinedStatements:
    """Join at least one statement. Parties with the same `businessId` are one, by its ID in the first statement.

    Parties with the same `id` are one if their names are equal, and no date of birth and no number contradicts it. Otherwise the ID
    of the later one ends with its claimant, as `owner-1 (document)`.

    Raises `ValidationFailed` for a party of different kinds, and for two parties of one statement that are one in another.
    """
    known: dict[str, ClaimedParty] = {}
    by_business: dict[UUID, str] = {}
    interests: list[ClaimedInterest] = []
    for statement in statements:
        own = {party.id for party in statement.parties}
        ids = {party.id: _choose_id(party, known, by_business, own, statement.claimed_by) for party in statement.parties}
        if len(set(ids.values())) < len(ids):
            raise ValidationFailed.of_field("parties", Message("has two parties that another statement names as one"))
        for party in statement.parties:
            known[ids[party.id]] = _join_party(known.get(ids[party.id]), party, ids[party.id], statement)
            if party.business_id is not None:
                by_business.setdefault(party.business_id, ids[party.id])
        interests += [_rename(interest, ids, statement) for interest in statement.interests]
    subject = next(party.id for party in known.values() if party.business_id == business_id)
    return JoinedStatements(tuple(known.values()), tuple(interests), subject)


def check_cycles(joined: JoinedStatements) -> None:
    """Raise `ValidationFailed` if more than `MAX_CYCLE` parties have interests in each other."""
    edges: nx.DiGraph[str] = nx.DiGraph((interest.owner, interest.owned) for interest in joined.interests)
    if max(map(len, nx.strongly_connected_components(edges)), default=0) > MAX_CYCLE:
        raise ValidationFailed.of_field("interests", Message("makes more than {n} parties own or control each other", n=MAX_CYCLE))


def _join_party(known: ClaimedParty | None, party: OwnershipParty, party_id: str, statement: OwnershipStatement) -> ClaimedParty:
    if known is None:
        return ClaimedParty(**party.model_dump() | {"id": party_id}, claimed_by=(statement.claimed_by,))
    if known.kind is not party.kind:
        raise ValidationFailed.of_field(
            "parties", Message("{party} is of another kind in the statement of another claimant", party=party.id)
        )
    return known.model_copy(update={"name": known.name or party.name, "claimed_by": (*known.claimed_by, statement.claimed_by)})


def _choose_id(
    party: OwnershipParty,
    known: Mapping[str, ClaimedParty],
    by_business: Mapping[UUID, str],
    own: Collection[str],
    claimant: Claimant,
) -> str:
    """The party's ID among those of earlier statements. `own` are the IDs of its own statement."""
    if party.business_id is not None and party.business_id in by_business:
        return by_business[party.business_id]
    if party.id not in known or _may_be_one(known[party.id], party):
        return party.id
    suffixes = chain([f" ({claimant})"], (f" ({claimant} {number})" for number in count(2)))
    others = (f"{party.id[: MAX_PARTY_ID - len(suffix)]}{suffix}" for suffix in suffixes)
    return next(one for one in others if one not in own and (one not in known or _may_be_one(known[one], party)))


def _may_be_one(known: ClaimedParty, party: OwnershipParty) -> bool:
    """Whether nothing that is stated of a party contradicts that it is the same. Parties of different kinds are a mistake."""
    if known.kind is not party.kind:
        return True
    has_other_business = None not in (known.business_id, party.business_id) and known.business_id != party.business_id
    return (
        not has_other_business
        and _are_equal_names(known, party)
        and agree_as_far_as_stated(known.date_of_birth, party.date_of_birth)
        and _agree_on_number(known, party)
    )


def _are_equal_names(one: OwnershipParty, other: OwnershipParty) -> bool:
    """Whether two names have the same normal form. A name that is not stated equals any."""
    if one.name is None or other.name is None or one.name == other.name:
        return True
    if one.kind is PartyKind.PERSON:
        people = [parse_person_name(name) for name in (one.name, other.name)]
        normal = [(sorted(person.parts), person.generation) for person in people]
        return normal[0] == normal[1] and len(people[0].parts) > 0
    first, second = normalise(one.name), normalise(other.name)
    return (first.core, first.legal_forms) == (second.core, second.legal_forms) and len(first.core) > 0


def _agree_on_number(one: OwnershipParty, other: OwnershipParty) -> bool:
    """Whether two numbers of one register are the same. Numbers of different registers say nothing about each other."""
    if one.registration_number is None or other.registration_number is None:
        return True
    jurisdictions = {one.jurisdiction or other.jurisdiction, other.jurisdiction or one.jurisdiction}
    if is_lei(one.registration_number) != is_lei(other.registration_number) or len(jurisdictions) > 1:
        return True
    keys = (set(build_number_keys(party.registration_number or "")) for party in (one, other))
    return one.registration_number == other.registration_number or not set.isdisjoint(*keys)


def _rename(interest: OwnershipInterest, ids: Mapping[str, str], statement: OwnershipStatement) -> ClaimedInterest:
    ends = {"owner": ids[interest.owner], "owned": ids[interest.owned]}
    return ClaimedInterest(**interest.model_dump() | ends, claimed_by=statement.claimed_by)
