"""The ownership of a business as a table: one row for each interest, with the columns of both parties beside it.

Parties without an interest have no row.
"""

from collections.abc import Iterator, Mapping

from bonafide.model.ownership.answer import ClaimedParty, OwnershipAnswer

PARTY_COLUMNS = ("id", "kind", "name", "jurisdiction", "registration_number", "date_of_birth", "countries", "business_id")
"""The columns of a party, behind `owner_` or `owned_`."""
SHARE_COLUMNS = ("exact", "min", "max", "exclusive_min", "exclusive_max")
"""The columns of a share, behind `share_`: fractions of 1."""
COLUMNS = (
    "interest_id",
    "claimed_by",
    "kind",
    *(f"share_{name}" for name in SHARE_COLUMNS),
    "from",
    "to",
    "evidence",
    *(f"{end}_{name}" for end in ("owner", "owned") for name in PARTY_COLUMNS),
)
Cell = str | float | bool | list[str] | None


def list_interest_rows(answer: OwnershipAnswer) -> Iterator[dict[str, Cell]]:
    """A row for each interest, with a value or None for each of `COLUMNS`. Countries are a list."""
    parties = {party.id: _describe_party(party) for party in answer.parties}
    for interest in answer.interests:
        share = interest.share.model_dump() if interest.share is not None else {}
        yield {
            "interest_id": interest.id,
            "claimed_by": interest.claimed_by.value,
            "kind": interest.kind.value,
            **{f"share_{name}": share.get(name) for name in SHARE_COLUMNS},
            "from": interest.from_,
            "to": interest.to,
            "evidence": interest.evidence,
            **{f"owner_{name}": value for name, value in parties[interest.owner].items()},
            **{f"owned_{name}": value for name, value in parties[interest.owned].items()},
        }


def _describe_party(party: ClaimedParty) -> Mapping[str, Cell]:
    dumped = party.model_dump(mode="json")
    return {name: dumped[name] for name in PARTY_COLUMNS}
