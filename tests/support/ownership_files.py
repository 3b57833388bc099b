"""Ownership statements and answers for the tests of their files: a fixed one with every term, and arbitrary ones."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from hypothesis import assume
from hypothesis import strategies as st
from pydantic import ValidationError

from bonafide.matching.ownership.roll_up import roll_up
from bonafide.model.ownership.answer import OwnershipAnswer, RecordedStatement
from bonafide.model.ownership.statement import MEASURED, Claimant, InterestKind, OwnershipStatement, PartyKind, find_excess
from bonafide.services.ownership.claims import join_statements
from bonafide.services.ownership.formats.statement_draft import StatementSubject
from tests.support.ownership.answers import NOT_LOOKED_UP

BUSINESS_ID = UUID("6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11")
SUBJECT = StatementSubject(BUSINESS_ID, "Sandbox Bakery Inc.")
DAY = date(2026, 11, 23)
RECORDED_AT = datetime(2026, 11, 2, 15, 30, tzinfo=UTC)

EVERY_TERM: dict[str, Any] = {
    "asOf": "2026-11-01",
    "declaredBy": "Jean Tremblay, director",
    "parties": [
        {
            "id": "business",
            "kind": "business",
            "name": "Sandbox Bakery Inc.",
            "jurisdiction": "ON",
            "registrationNumber": "1000017",
            "businessId": str(BUSINESS_ID),
        },
        {"id": "holding", "kind": "business", "name": "Holding B.V.", "jurisdiction": "NLD", "countries": ["NL"]},
        {"id": "jane", "kind": "person", "name": "Jane Doe", "dateOfBirth": "1975-06", "countries": ["CA", "Freedonia"]},
        {"id": "trust", "kind": "trust", "name": "Doe Family Trust"},
        {"id": "state", "kind": "government", "name": "Government of Canada"},
        {"id": "minority", "kind": "unknown", "name": "Minority shareholders"},
        {"id": "fund", "kind": "unknown", "jurisdiction": "SK"},
    ],
    "interests": [
        {
            "id": "1",
            "owner": "holding",
            "owned": "business",
            "kind": "shares",
            "share": {"exact": 0.57},
            "from": "2021",
            "evidence": "Shareholders’ register, page 2",
        },
        {
            "id": "2",
            "owner": "jane",
            "owned": "holding",
            "kind": "shares",
            "share": {"min": 0.5, "max": 0.75, "exclusiveMin": True},
            "from": "2019-05-02",
        },
        {"id": "3", "owner": "minority", "owned": "business", "kind": "shares", "share": {"max": 0.25, "exclusiveMax": True}},
        {"id": "4", "owner": "trust", "owned": "business", "kind": "votes", "share": {"min": 0.1}},
        {"id": "5", "owner": "jane", "owned": "trust", "kind": "settlor"},
        {"id": "6", "owner": "fund", "owned": "trust", "kind": "beneficiary"},
        {"id": "7", "owner": "jane", "owned": "trust", "kind": "trustee"},
        {"id": "8", "owner": "state", "owned": "holding", "kind": "control", "to": "2024-02"},
        {"id": "9", "owner": "jane", "owned": "business", "kind": "director", "to": "2025-12-31"},
    ],
}
"""A statement with every kind of party and interest, bands with open ends, and partial dates."""


def build_answer(statements: Sequence[OwnershipStatement], day: date = DAY) -> OwnershipAnswer:
    """What the API answers for statements of different claimants."""
    joined = join_statements(statements, BUSINESS_ID)
    result = roll_up(joined.to_claims(), (), day)
    recorded = tuple(
        RecordedStatement(
            claimed_by=one.claimed_by,
            as_of=one.as_of,
            declared_by=one.declared_by,
            recorded_at=RECORDED_AT,
            recorded_by="ops@north.example",
        )
        for one in statements
    )
    return OwnershipAnswer(
        business_id=BUSINESS_ID,
        party=joined.subject,
        as_of=day,
        statements=recorded,
        lei_lookup=NOT_LOOKED_UP,
        parties=joined.parties,
        interests=joined.interests,
        beneficial_owners=result.beneficial_owners,
        screened_parties=(),
        deemed_sanctioned=None,
        deemed_sanctioned_reason=None,
        unknown_share=result.unknown_share,
    )


def build_statement(**changes: Any) -> OwnershipStatement:
    """The statement with every term, with other fields if they are given."""
    return OwnershipStatement.model_validate({**EVERY_TERM, **changes})


_names = st.text("abcdefghij ÉéŁ'.&-", min_size=1, max_size=12).map(lambda text: " ".join(text.split())).filter(bool)
_ids = st.text("abcdefg/#: é", min_size=1, max_size=8).map(str.strip).filter(bool)
_days = st.dates(date(900, 1, 1), date(2100, 12, 31)).flatmap(
    lambda day: st.sampled_from([day.isoformat(), day.isoformat()[:7], day.isoformat()[:4], f"{day.isoformat()}T10:00:00Z"])
)
_fractions = st.integers(0, 10_000).map(lambda number: number / 10_000)
_places = st.sampled_from(["ON", "FED", "QC", "GB", "US-DE", "NLD", "SVK", "CAN", "SU", "Freedonia"])


@st.composite
def _shares(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"exact": draw(_fractions)}
    low, high = sorted((draw(_fractions), draw(_fractions)))
    if draw(st.sampled_from([False, False, True])):
        high = low
    ends = draw(st.sampled_from([("min", "max"), ("min",), ("max",)]))
    is_open = low < high and draw(st.booleans())
    share: dict[str, Any] = {name: value for name, value in (("min", low), ("max", high)) if name in ends}
    if is_open and "min" in ends and low < 1:
        share["exclusiveMin"] = True
    if is_open and "max" in ends and high > 0:
        share["exclusiveMax"] = True
    return share


@st.composite
def _parties(draw: st.DrawFn, party_id: str) -> dict[str, Any]:
    kind = draw(st.sampled_from(list(PartyKind)))
    party: dict[str, Any] = {"id": party_id, "kind": kind.value}
    if kind is not PartyKind.UNKNOWN or draw(st.booleans()):
        party["name"] = draw(_names)
    optional = {
        "dateOfBirth": _days,
        "jurisdiction": _places,
        "registrationNumber": _names,
        "businessId": st.uuids(version=4).map(str),
    }
    party |= {name: draw(values) for name, values in optional.items() if draw(st.booleans())}
    party["countries"] = draw(st.lists(st.sampled_from(["CA", "NL", "YU", "Freedonia", "Here; there"]), unique=True, max_size=2))
    return party


@st.composite
def statements(draw: st.DrawFn, claimed_by: Claimant = Claimant.DECLARED) -> OwnershipStatement:
    """Arbitrary statements about the business, as far as the standards can say them."""
    ids = draw(st.lists(_ids, unique=True, max_size=5))
    kind_of_subject = draw(st.sampled_from(["business", "business", "trust"]))
    parties = [{"id": "the business", "kind": kind_of_subject, "name": "Sandbox Bakery Inc.", "businessId": str(BUSINESS_ID)}]
    parties += [draw(_parties(party_id)) for party_id in ids]
    ownable = [party["id"] for party in parties if party["kind"] in {"business", "trust"}]
    interests = []
    for number in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(list(InterestKind)))
        interest: dict[str, Any] = {
            "id": f"{number}",
            "owner": draw(st.sampled_from([party["id"] for party in parties])),
            "owned": draw(st.sampled_from(ownable)),
            "kind": kind.value,
        }
        if kind in MEASURED and draw(st.booleans()):
            interest["share"] = draw(_shares())
        if draw(st.booleans()):
            interest[draw(st.sampled_from(["from", "to"]))] = draw(_days)
        if draw(st.booleans()):
            interest["evidence"] = draw(_names)
        interests.append(interest)
    as_of = draw(st.sampled_from(["2026-11-01", "2030-01-01"]))
    given = {"claimedBy": claimed_by.value, "asOf": as_of, "parties": parties, "interests": interests}
    try:
        statement = OwnershipStatement.model_validate(given)
    except ValidationError:
        assume(False)  # noqa: FBT003 - shares of more than 100 %, or repeated interests
        raise
    assume(find_excess(statement) is None)
    return statement
