"""The relationships of the Global LEI index are claims about the owners of a business whose LEI is known."""

from datetime import date
from typing import Any

import pytest

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import StatusCode
from bonafide.model.entry import JoinNumber, RegulatoryEntry, RelationshipEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.answer import LeiLookupStatus, OwnershipAnswer
from bonafide.model.ownership.roll_up import DeemedStatus
from bonafide.model.ownership.statement import Claimant, OwnershipStatement
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.runtime import Runtime
from bonafide.services.records import business_records
from bonafide.services.screening.owner_screening import read_ownership, record_ownership
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.services.loading import put
from tests.support.services.runtimes import principal_of
from tests.support.services.sanctions_lists import ANALYST, load_lists

pytestmark = pytest.mark.anyio
CHILD, PARENT, ABROAD = "999900SBT00000000A80", "999900SBT00000000B77", "999900SBT00000000C74"
DIRECT, ULTIMATE = "IS_DIRECTLY_CONSOLIDATED_BY", "IS_ULTIMATELY_CONSOLIDATED_BY"


@pytest.fixture
async def north(empty_runtime: Runtime) -> Principal:
    load_lists(empty_runtime, {})
    return await principal_of(empty_runtime, "north")


def entity(lei: str, name: str, number: str) -> RegulatoryEntry:
    joined = JoinNumber(label="Ontario Corporation Number", value=number, jurisdiction=Jurisdiction.ON)
    return RegulatoryEntry(entry_id=lei, legal_name=name, registration_number=lei, join_numbers=(joined,))


def parent(lei: str, relationship: str, parent_lei: str, **said: Any) -> RelationshipEntry:
    known = {"status": "PUBLISHED", "status_code": StatusCode.ACTIVE} | said
    return RelationshipEntry(
        entry_id=f"{lei}/{relationship}/{parent_lei}", lei=lei, relationship=relationship, parent_lei=parent_lei, **known
    )


def exception(lei: str, *reasons: str) -> RelationshipEntry:
    category = "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT"
    return RelationshipEntry(entry_id=f"{lei}/{category}", lei=lei, relationship=category, reasons=reasons)


def load(runtime: Runtime, *relationships: RelationshipEntry) -> None:
    """The entity of the business and its Canadian parent, and these relationships."""
    entities = [entity(CHILD, "ORLOVSKA CATERING INC.", "7654320"), entity(PARENT, "KWIATEK HOLDINGS INC.", "7654321")]
    put(runtime, "gleif", entities, World.SANDBOX)
    put(runtime, "gleifRelationships", relationships, World.SANDBOX)


async def read(runtime: Runtime, principal: Principal, *owners: dict[str, Any], **facts: Any) -> OwnershipAnswer:
    """The ownership of a record, after a declared statement in which these are the only owners, with equal shares."""
    given = {"name": "Orlovska Catering", "jurisdiction": "ON", "registrationNumber": "7654320"} | facts
    wanted = BusinessUpsert.model_validate(given)
    record = (await business_records.upsert(runtime, principal.organization_id, wanted, ANALYST)).record
    if not owners:
        return await read_ownership(runtime, principal.organization_id, record.id)
    statement = OwnershipStatement.model_validate(
        {
            "asOf": "2026-11-01",
            "parties": [{"id": "b", "kind": "business", "name": "Orlovska", "businessId": str(record.id)}, *owners],
            "interests": [
                {"id": owner["id"], "owner": owner["id"], "owned": "b", "kind": "shares", "share": {"exact": 1 / len(owners)}}
                for owner in owners
            ],
        }
    )
    return await record_ownership(runtime, principal.organization_id, record.id, statement, ANALYST)


JANE = {"id": "jane", "kind": "person", "name": "Ottoline Farrow"}


async def test_a_parent_controls_the_business_and_has_no_invented_share(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT, since="2016-04-01"), parent(CHILD, ULTIMATE, PARENT))
    answer = await read(empty_runtime, north)
    (interest,) = answer.interests
    assert (interest.claimed_by, interest.kind, interest.share, interest.from_) == (Claimant.LEI, "control", None, "2016-04-01")
    assert interest.evidence == f"{DIRECT} (PUBLISHED); {ULTIMATE} (PUBLISHED)"
    assert [(party.id, party.name) for party in answer.parties] == [
        (f"lei:{CHILD}", "Orlovska Catering"),
        (f"lei:{PARENT}", "KWIATEK HOLDINGS INC."),
    ]
    (statement,) = answer.statements
    assert (statement.claimed_by, statement.recorded_by) == (Claimant.LEI, "gleifRelationships")
    assert (answer.lei_lookup.status, answer.lei_lookup.lei) == (LeiLookupStatus.STATED, CHILD)
    assert answer.lei_lookup.as_of == statement.as_of
    assert answer.unknown_share.min == 1


async def test_contradictory_days_of_an_earlier_load_are_left_out(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT, since="2020-01-01", until="2019-12-31"))
    answer = await read(empty_runtime, north)
    (interest,) = answer.interests
    assert (answer.lei_lookup.status, interest.from_, interest.to) == (LeiLookupStatus.STATED, None, None)


@pytest.mark.parametrize(
    ("first", "second", "period"),
    [
        ({"since": "2026-12-31"}, {"since": "2015-01-01"}, ("2015-01-01", None)),
        (
            {"since": "2015-01-01", "until": "2020-12-31"},
            {"since": "2018-01-01", "until": "2025-12-31"},
            ("2015-01-01", "2025-12-31"),
        ),
        ({"until": "2020-12-31"}, {}, (None, None)),
    ],
)
@ON_SQLITE_ONLY
async def test_the_records_of_one_pair_are_one_interest_from_the_first_day_to_the_last(
    empty_runtime: Runtime, north: Principal, first: dict[str, str], second: dict[str, str], period: tuple[str | None, str | None]
) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT, **first), parent(CHILD, ULTIMATE, PARENT, **second))
    (interest,) = (await read(empty_runtime, north)).interests
    assert (interest.from_, interest.to) == period


async def test_the_chain_goes_on_through_parents_with_a_name(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT), parent(PARENT, DIRECT, ABROAD), exception(ABROAD, "NATURAL_PERSONS"))
    answer = await read(empty_runtime, north)
    owners = [(interest.owner, interest.owned) for interest in answer.interests]
    assert owners == [(f"lei:{PARENT}", f"lei:{CHILD}"), (f"lei:{ABROAD}", f"lei:{PARENT}")]
    # Only the LEI of the parent abroad is known: it is nobody who could be screened.
    abroad = next(party for party in answer.parties if party.registration_number == ABROAD)
    assert (abroad.kind, abroad.name) == ("unknown", None)
    assert answer.deemed_sanctioned is not None
    assert answer.deemed_sanctioned.status is DeemedStatus.UNDETERMINED


@pytest.mark.parametrize(
    "entry",
    [
        parent(CHILD, DIRECT, PARENT, is_active=False),
        parent(CHILD, DIRECT, PARENT, status="ANNULLED", status_code=StatusCode.CANCELLED),
        parent(CHILD, "IS_FEEDER_TO", PARENT),
        parent(CHILD, "IS_SOMETHING_NEW", PARENT),
        parent(PARENT, DIRECT, CHILD),
    ],
)
@ON_SQLITE_ONLY
async def test_what_is_no_control_is_no_claim(empty_runtime: Runtime, north: Principal, entry: RelationshipEntry) -> None:
    load(empty_runtime, entry)
    answer = await read(empty_runtime, north)
    assert (answer.statements, answer.lei_lookup.status) == ((), LeiLookupStatus.NOTHING_REPORTED)


async def test_a_hidden_parent_is_an_unknown_party_beside_declared_owners(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, exception(CHILD, "NON_PUBLIC"))
    answer = await read(empty_runtime, north, JANE)
    unreported = next(interest for interest in answer.interests if interest.claimed_by is Claimant.LEI)
    assert (unreported.owner, unreported.owned) == (f"lei:{CHILD}:unreported", "b")
    assert unreported.evidence == "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT: NON_PUBLIC"
    assert answer.deemed_sanctioned is not None
    assert answer.deemed_sanctioned.status is DeemedStatus.UNDETERMINED


async def test_the_absence_of_a_parent_adds_nothing_to_declared_owners(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, exception(CHILD, "NATURAL_PERSONS"))
    declared = await read(empty_runtime, north, JANE)
    assert declared.deemed_sanctioned is not None
    assert declared.deemed_sanctioned.status is DeemedStatus.NOT_DEEMED
    assert [statement.claimed_by for statement in declared.statements] == [Claimant.DECLARED]


async def test_without_other_claims_a_reason_is_the_evidence_of_an_unknown_party(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, exception(CHILD, "NATURAL_PERSONS"))
    answer = await read(empty_runtime, north)
    (interest,) = answer.interests
    assert interest.evidence == "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT: NATURAL_PERSONS"
    assert {party.kind.value for party in answer.parties} == {"business", "unknown"}


@pytest.mark.parametrize("number", [{"registrationNumber": PARENT}, {"jurisdiction": "ON", "registrationNumber": "7654321"}])
async def test_a_declared_party_with_the_same_number_is_the_same(
    empty_runtime: Runtime, north: Principal, number: dict[str, str]
) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT))
    holding = {"id": "holding", "kind": "business", "name": "Kwiatek Holdings"} | number
    answer = await read(empty_runtime, north, holding)
    assert {party.id: party.claimed_by for party in answer.parties} == {
        "b": (Claimant.DECLARED, Claimant.LEI),
        "holding": (Claimant.DECLARED, Claimant.LEI),
    }


async def test_a_party_with_a_colliding_id_does_not_hide_the_other_statements(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT))
    answer = await read(empty_runtime, north, JANE | {"id": f"lei:{PARENT}"})
    assert [statement.claimed_by for statement in answer.statements] == [Claimant.DECLARED]
    assert answer.lei_lookup.status is LeiLookupStatus.FAILED
    # Without the index's statement, nobody knows whether a parent is listed.
    assert answer.deemed_sanctioned is not None
    assert answer.deemed_sanctioned.status is DeemedStatus.UNDETERMINED
    assert answer.deemed_sanctioned_reason is not None
    assert answer.deemed_sanctioned_reason.endswith(answer.lei_lookup.note)


async def test_the_lei_of_the_record_counts(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT))
    registrations = [{"label": "LEI", "value": CHILD}]
    answer = await read(empty_runtime, north, jurisdiction="AB", registrationNumber="1", registrations=registrations)
    assert answer.lei_lookup.status is LeiLookupStatus.STATED


async def test_a_number_of_another_register_is_not_the_business(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT))
    answer = await read(empty_runtime, north, jurisdiction="AB")
    assert (answer.lei_lookup.status, answer.lei_lookup.lei) == (LeiLookupStatus.UNKNOWN_LEI, None)


async def test_data_that_is_not_loaded_is_not_an_empty_answer(empty_runtime: Runtime, north: Principal) -> None:
    answer = await read(empty_runtime, north)
    assert answer.lei_lookup.status is LeiLookupStatus.NOT_LOADED


async def test_a_recorded_statement_of_the_claimant_takes_precedence(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT))
    business_id = (await read(empty_runtime, north)).business_id
    own = OwnershipStatement.model_validate(
        {
            "claimedBy": "lei",
            "asOf": date(2026, 11, 1),
            "parties": [{"id": "b", "kind": "business", "name": "Orlovska", "businessId": str(business_id)}],
        }
    )
    answer = await record_ownership(empty_runtime, north.organization_id, business_id, own, ANALYST)
    assert (len(answer.statements), answer.lei_lookup.status) == (1, LeiLookupStatus.RECORDED)


async def test_cycles_of_parents_end(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, parent(CHILD, DIRECT, PARENT), parent(PARENT, DIRECT, CHILD))
    answer = await read(empty_runtime, north)
    assert len(answer.interests) == 2
