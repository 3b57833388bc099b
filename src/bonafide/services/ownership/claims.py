"""Join the statements of several claimants about one business: the same party has one ID in all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import networkx as nx

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.ownership.roll_up import OwnershipClaims
from bonafide.model.ownership.answer import ClaimedInterest, ClaimedParty
from bonafide.model.ownership.statement import Claimant, OwnershipInterest, OwnershipParty, OwnershipStatement

MAX_CYCLE = 100
"""Equations of so many parties are solved in milliseconds. No structure on record has a cycle of more than some dozens."""


@dataclass(frozen=True, slots=True)
class JoinedStatements:
    """The parties and interests of all statements about a business, and the ID of the business among them."""

    parties: tuple[ClaimedParty, ...]
    interests: tuple[ClaimedInterest, ...]
    subject: str

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
    """Join at least one statement. Parties with the same `id` or `businessId` are one, by its ID in the first statement.

    Raises `ValidationFailed` for a party of different kinds, and for two parties of one statement that are one in another.
    """
    known: dict[str, ClaimedParty] = {}
    by_business: dict[UUID, str] = {}
    interests: list[ClaimedInterest] = []
    for statement in statements:
        ids = {
            party.id: by_business.get(party.business_id, party.id) if party.business_id else party.id for party in statement.parties
        }
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
    return known.model_copy(update={"claimed_by": (*known.claimed_by, statement.claimed_by)})


def _rename(interest: OwnershipInterest, ids: Mapping[str, str], statement: OwnershipStatement) -> ClaimedInterest:
    ends = {"owner": ids[interest.owner], "owned": ids[interest.owned]}
    return ClaimedInterest(**interest.model_dump() | ends, claimed_by=statement.claimed_by)
