"""A verification may screen its parties: the claimed ones, those of the register and the record, and the owners."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from bonafide.errors import ScopeMissing
from bonafide.matching.summary.screening_sentences import MAX_NAMES
from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.model.accounts.organizations import Principal, Scope, World
from bonafide.model.entity import NameHistoryItem, Person, RegistrationNumber, RoleCategory, RoleDetail
from bonafide.model.entry import EntityKind, RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.roll_up import DeemedStatus
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.search.match import ScreeningStatus, SubjectOrigin
from bonafide.model.verification.results import ResultStatus, VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.ownership.statements import replace_statement
from bonafide.services.records import business_records
from bonafide.services.screening.dismissals import dismiss, revoke
from bonafide.services.verification.sanctions import apply_current_dismissals
from tests.support.services.loading import put
from tests.support.services.runtimes import principal_of
from tests.support.services.sanctions_lists import ANALYST, SEMA, load, load_lists, party, request_for
from tests.support.services.verifications import document, ordered, worked

pytestmark = pytest.mark.anyio
LISTED = "Quillon Brightwater"
CLAIM = {"legalName": "Orlovska Catering Inc.", "jurisdiction": "ON", "registrationNumber": "7654320"}


@pytest.fixture
async def north(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north")


def person(name: str, category: RoleCategory = RoleCategory.DIRECTOR) -> Person:
    label = category.value.title()
    return Person(name=name, roles=(label,), role_details=(RoleDetail(category=category, label=label),))


def register(runtime: Runtime, people: Sequence[Person] = (), **said: Any) -> None:
    entry = {
        "entry_id": "1",
        "jurisdiction": Jurisdiction.ON,
        "legal_name": "Orlovska Catering Inc.",
        "registration_numbers": [RegistrationNumber(label="Corporation number", value="7654320")],
        "status": "Active",
        "status_code": "active",
        "people": people,
        **said,
    }
    put(runtime, "on", [RegistryEntry.model_validate(entry)], World.SANDBOX)


@pytest.fixture
def lists(empty_runtime: Runtime) -> None:
    listed = party(LISTED, "77", entity_type=EntityKind.PERSON)
    load_lists(empty_runtime, {SEMA: [listed, party("Zephyrine Marlowe Trading", "78")]})


async def verified(runtime: Runtime, principal: Principal, **changes: Any) -> VerifyResponse:
    reply = await ordered(runtime, principal, **{**CLAIM, "sanctionsScreening": True, **changes})
    if reply.pending:
        await worked(runtime)
    found = await document(runtime, principal, reply.verification_id)
    assert reply.pending or found == reply.document
    return found


async def create_business(runtime: Runtime, principal: Principal, **said: Any) -> UUID:
    wanted = BusinessUpsert.model_validate({"name": CLAIM["legalName"], "jurisdiction": "ON", **said})
    return (await business_records.upsert(runtime, principal.organization_id, wanted, ANALYST)).record.id


async def state_owner(runtime: Runtime, principal: Principal, business_id: UUID, name: str, share: float) -> None:
    said = {
        "asOf": "2026-11-01",
        "parties": [
            {"id": "b", "kind": "business", "name": "Orlovska Catering Inc.", "businessId": str(business_id)},
            {"id": "p", "kind": "person", "name": name},
        ],
        "interests": [{"id": "1", "owner": "p", "owned": "b", "kind": "shares", "share": {"exact": share}}],
    }
    statement = OwnershipStatement.model_validate(said)
    await replace_statement(runtime, principal.organization_id, business_id, statement, ANALYST)


def sentences(answer: VerifyResponse) -> list[str]:
    return [one.text for one in answer.results.summary_sentences if one.field.startswith("sanctions.")]


@pytest.mark.usefixtures("lists")
async def test_claimed_and_registered_parties_are_screened_by_their_roles(empty_runtime: Runtime, north: Principal) -> None:
    history = [NameHistoryItem(type="former", name="Hollis Provisions Ltd.")]
    register(empty_runtime, [person(LISTED), person("Ottoline Farrow", RoleCategory.OFFICER)], name_history=history)
    answer = await verified(empty_runtime, north, people=[{"name": "Wendeline Ash", "role": "Secretary"}])
    assert answer.sanctions is not None
    found = {subject.name: (subject.role.value, subject.origin.value) for subject in answer.sanctions.subjects}
    assert found == {
        "Wendeline Ash": ("submitted", "request"),
        "Hollis Provisions Ltd.": ("formerName", "match"),
        LISTED: ("director", "match"),
        "Ottoline Farrow": ("officer", "match"),
    }
    assert (answer.sanctions.query, answer.sanctions.total_matches, answer.sanctions.open_hits) == (CLAIM["legalName"], 0, 1)
    assert (answer.meta.thresholds.sanctions, answer.errors) == (0.85, None)
    # Hits don't affect the comparison with the register.
    assert answer.results.status is ResultStatus.DISCREPANCIES
    assert answer.results.discrepancy_count == 1


@pytest.mark.usefixtures("lists")
async def test_nothing_is_screened_unless_requested(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, [person(LISTED)])
    for wanted in (None, False):
        answer = await verified(empty_runtime, north, sanctionsScreening=wanted)
        assert (answer.sanctions, answer.errors, answer.meta.thresholds.sanctions) == (None, None, None)
        assert sentences(answer) == []


@pytest.mark.usefixtures("lists")
async def test_the_summary_names_the_hits_and_the_next_step(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, [person(LISTED)])
    answer = await verified(empty_runtime, north)
    assert sentences(answer) == [
        "2 names and people were screened against sanctions lists.",
        "1 open hit was found.",
        f"Names with open hits: “{LISTED}”.",
        "Have a person decide on the open hits before any agreement with the business.",
    ]
    assert "No further steps are required." not in answer.results.analyst_summary


@pytest.mark.usefixtures("lists")
async def test_many_names_with_hits_are_not_all_listed(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, SEMA, *(party(f"Quillon Bright{end}", str(end)) for end in "abcdefg"))
    register(empty_runtime, [person(f"Quillon Bright{end}") for end in "abcdefg"])
    answer = await verified(empty_runtime, north)
    (listed,) = [text for text in sentences(answer) if text.endswith(", and others.")]
    assert listed.count("“") == MAX_NAMES


@pytest.mark.usefixtures("lists")
async def test_without_hits_the_summary_says_so(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime)
    answer = await verified(empty_runtime, north)
    assert sentences(answer) == ["1 name was screened against sanctions lists.", "No open hits were found."]
    assert "No further steps are required." in answer.results.analyst_summary


async def test_a_missing_list_is_an_error_and_no_clear_result(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, SEMA, party("Qwxz Vbnm Society", "0"))
    register(empty_runtime, [person("Ottoline Farrow")])
    answer = await verified(empty_runtime, north)
    assert answer.sanctions is not None
    assert answer.sanctions.lists_not_screened != ()
    assert answer.errors is not None
    assert answer.errors.sanctions_screening is not None
    texts = sentences(answer)
    assert "No open hits were found in what was screened." in texts
    assert "Screen again what could not be screened." in texts


async def test_without_any_list_nobody_was_screened(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, [person("Ottoline Farrow")])
    answer = await verified(empty_runtime, north)
    assert answer.sanctions is not None
    assert {subject.status for subject in answer.sanctions.subjects} == {ScreeningStatus.NOT_SCREENED}
    assert sentences(answer) == [
        "No sanctions list could be screened, so that the result is not clear.",
        "Screen again what could not be screened.",
    ]


@pytest.mark.usefixtures("lists")
async def test_a_generic_name_is_not_screened_while_its_people_are(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, [person(LISTED)])
    answer = await verified(empty_runtime, north, legalName="The Inc.")
    assert answer.sanctions is not None
    assert answer.sanctions.status is ScreeningStatus.NOT_SCREENED
    assert answer.sanctions.open_hits == 1
    assert (
        sentences(answer)[0]
        == "The name “The Inc.” could not be screened against sanctions lists, so that the result is not clear."
    )


@pytest.mark.usefixtures("lists")
async def test_a_number_that_is_not_registered_is_screened_all_the_same(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime)
    answer = await verified(empty_runtime, north, registrationNumber="1111111", people=[{"name": LISTED}])
    assert answer.results.status is ResultStatus.NOT_FOUND
    assert answer.sanctions is not None
    assert answer.sanctions.open_hits == 1


@pytest.mark.usefixtures("lists")
async def test_the_people_of_the_record_and_its_owners_are_screened(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime)
    business_id = await create_business(empty_runtime, north, registrationNumber="7654320", people=[{"name": "Ottoline Farrow"}])
    await state_owner(empty_runtime, north, business_id, LISTED, 0.6)
    answer = await verified(empty_runtime, north, businessId=business_id)
    assert answer.sanctions is not None
    origins = {subject.name: subject.origin for subject in answer.sanctions.subjects}
    assert origins == {"Ottoline Farrow": SubjectOrigin.RECORD, LISTED: SubjectOrigin.OWNERSHIP}
    assert answer.sanctions.ownership is not None
    assert answer.sanctions.ownership.status is DeemedStatus.DEEMED
    assert "Owners with open hits own or control half of the business or more." in sentences(answer)
    record = await business_records.find_record(empty_runtime, north.organization_id, business_id=business_id)
    assert record.last_screened_at == answer.meta.verified_at


@pytest.mark.usefixtures("lists")
async def test_dismissed_hits_are_not_open_until_the_dismissal_is_revoked(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, [person(LISTED)])
    before = await verified(empty_runtime, north)
    assert before.sanctions is not None
    (match,) = before.sanctions.subjects[0].matches
    decision = await dismiss(empty_runtime, north, request_for(match, LISTED), ANALYST)
    shown = await apply_current_dismissals(empty_runtime, north.organization_id, before)
    assert shown is not None
    assert shown.open_hits == 0
    after = await verified(empty_runtime, north)
    assert after.sanctions is not None
    assert after.sanctions.open_hits == 0
    await revoke(empty_runtime, north.organization_id, decision.id, None, ANALYST)
    shown = await apply_current_dismissals(empty_runtime, north.organization_id, after)
    assert shown is not None
    assert shown.open_hits == 1


@pytest.mark.usefixtures("lists")
async def test_the_threshold_is_that_of_searches(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime, [person("Quillon Brightwaters")])
    change = SettingsChange.model_validate({"search": {"sanctionsThreshold": 1.0}})
    await change_settings(empty_runtime, north.organization_id, change, ANALYST)
    answer = await verified(empty_runtime, north)
    assert answer.sanctions is not None
    assert (answer.sanctions.open_hits, answer.meta.thresholds.sanctions) == (0, 1.0)


@pytest.mark.usefixtures("lists")
async def test_screening_needs_its_scope(empty_runtime: Runtime, north: Principal) -> None:
    register(empty_runtime)
    narrow = replace(north, scopes=frozenset(scope for scope in Scope if scope is not Scope.SANCTIONS_WRITE))
    with pytest.raises(ScopeMissing, match="sanctions:write"):
        await ordered(empty_runtime, narrow, **CLAIM, sanctionsScreening=True)
