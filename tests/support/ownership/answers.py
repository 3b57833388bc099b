"""Ownership answers, written as short lists of parties and interests."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from bonafide.i18n.message import Message
from bonafide.matching.ownership.roll_up import roll_up
from bonafide.model.ownership.answer import LeiLookup, LeiLookupStatus, OwnershipAnswer
from bonafide.model.ownership.statement import Claimant, OwnershipStatement
from bonafide.services.ownership.claims import join_statements

BUSINESS_ID = UUID("6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11")
DAY = date(2026, 11, 23)
Interest = tuple[str, str, str, Mapping[str, Any] | float | None]
"""Owner, owned, kind, and the share: exact, a band, or not stated."""


def build_statement(
    parties: Mapping[str, str], interests: Sequence[Interest], claimant: Claimant = Claimant.DECLARED
) -> OwnershipStatement:
    """A statement. `parties` are kinds by name, which is also the ID; the first party is the business."""
    first = next(iter(parties))
    listed_parties = [
        {
            "id": name,
            "kind": kind,
            "name": name if kind != "unknown" else None,
            "businessId": BUSINESS_ID if name == first else None,
        }
        for name, kind in parties.items()
    ]
    listed_interests = [
        {
            "id": str(number),
            "owner": owner,
            "owned": owned,
            "kind": kind,
            "share": {"exact": share} if isinstance(share, float) else share,
        }
        for number, (owner, owned, kind, share) in enumerate(interests)
    ]
    return OwnershipStatement.model_validate(
        {"claimedBy": claimant, "asOf": DAY, "parties": listed_parties, "interests": listed_interests}
    )


NOT_LOOKED_UP = LeiLookup(
    status=LeiLookupStatus.UNKNOWN_LEI, lei=None, source="gleifRelationships", as_of=None, note=Message("No LEI is known.")
)


def build_answer(*statements: OwnershipStatement, listed: Sequence[str] | None = None) -> OwnershipAnswer:
    """What the statements add up to; screened only if `listed` is given."""
    joined = join_statements(statements, BUSINESS_ID)
    done = roll_up(joined.to_claims(), listed or (), DAY)
    return OwnershipAnswer(
        business_id=BUSINESS_ID,
        party=joined.subject,
        as_of=DAY,
        statements=(),
        lei_lookup=NOT_LOOKED_UP,
        parties=joined.parties,
        interests=joined.interests,
        beneficial_owners=done.beneficial_owners,
        screened_parties=(),
        deemed_sanctioned=done.deemed_sanctioned if listed is not None else None,
        deemed_sanctioned_reason=None,
        unknown_share=done.unknown_share,
    )
