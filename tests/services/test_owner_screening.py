"""The owners of a business are screened: parties with open hits count as listed, and none that was not screened is clear."""

from typing import Any
from uuid import UUID

import pytest

from bonafide.matching.ownership.owner_chains import MAX_STEPS
from bonafide.model.accounts.organizations import Principal
from bonafide.model.entry import EntityKind
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.roll_up import DeemedStatus
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.model.search.match import Screening, ScreeningStatus
from bonafide.runtime import Runtime
from bonafide.services.records import business_records
from bonafide.services.screening import history as screenings
from bonafide.services.screening.dismissals import dismiss
from bonafide.services.screening.owner_screening import read_ownership, record_ownership
from bonafide.services.screening.party_set import MAX_PARTIES, MAX_UNSCREENED
from bonafide.services.screening.standalone import get_official_lists
from tests.support.services.runtimes import principal_of, search
from tests.support.services.sanctions_lists import ANALYST, SEMA, UN, load, load_lists, party, request_for

pytestmark = pytest.mark.anyio
LISTED = "Quillon Brightwater"


@pytest.fixture
async def north(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north")


@pytest.fixture
def lists(empty_runtime: Runtime) -> None:
    """One person and one business are listed."""
    person = party(LISTED, "77", entity_type=EntityKind.PERSON, birth_dates=("1961-03-02",))
    load_lists(empty_runtime, {SEMA: [person, party("Zephyrine Marlowe Trading", "78")]})


async def create_business(runtime: Runtime, principal: Principal) -> UUID:
    wanted = BusinessUpsert.model_validate({"name": "Orlovska Catering"})
    return (await business_records.upsert(runtime, principal.organization_id, wanted, ANALYST)).record.id


def statement(business_id: UUID, *shares: tuple[dict[str, Any], float], **said: Any) -> OwnershipStatement:
    """The direct owners with their shares."""
    owners = [{"id": f"p{number}", "kind": "person"} | party for number, (party, _) in enumerate(shares)]
    interests = [
        {"id": str(number), "owner": owners[number]["id"], "owned": "b", "kind": "shares", "share": {"exact": share}}
        for number, (_, share) in enumerate(shares)
    ]
    business = {"id": "b", "kind": "business", "name": "Orlovska Catering", "businessId": str(business_id)}
    return OwnershipStatement.model_validate({"asOf": "2026-11-01", "parties": [business, *owners], "interests": interests} | said)


async def record(runtime: Runtime, principal: Principal, *shares: tuple[dict[str, Any], float]) -> OwnershipAnswer:
    business_id = await create_business(runtime, principal)
    return await record_ownership(runtime, principal.organization_id, business_id, statement(business_id, *shares), ANALYST)


def get_status(answer: OwnershipAnswer) -> DeemedStatus:
    assert answer.deemed_sanctioned is not None
    return answer.deemed_sanctioned.status


@pytest.mark.usefixtures("lists")
async def test_listed_owners_are_added_up(empty_runtime: Runtime, north: Principal) -> None:
    answer = await record(
        empty_runtime,
        north,
        ({"name": LISTED}, 0.3),
        ({"kind": "business", "name": "Zephyrine Marlowe Trading"}, 0.25),
        ({"name": "Ottoline Farrow"}, 0.45),
    )
    assert answer.deemed_sanctioned is not None
    assert (answer.deemed_sanctioned.status, answer.deemed_sanctioned.share.min) == (DeemedStatus.DEEMED, 0.55)
    assert answer.deemed_sanctioned.parties == ("p0", "p1")
    hits = {subject.name: subject.total_matches for subject in answer.screened_parties}
    assert hits == {"Ottoline Farrow": 0, LISTED: 1, "Zephyrine Marlowe Trading": 1}
    assert answer.deemed_sanctioned_reason is None


@pytest.mark.usefixtures("lists")
async def test_a_dismissal_of_every_hit_clears_the_owner(empty_runtime: Runtime, north: Principal) -> None:
    answer = await record(empty_runtime, north, ({"name": LISTED, "dateOfBirth": "1961"}, 0.5), ({"name": "Ottoline Farrow"}, 0.5))
    assert get_status(answer) is DeemedStatus.DEEMED
    (match,) = answer.screened_parties[0].matches
    await dismiss(empty_runtime, north, request_for(match, LISTED, entityType="person", dateOfBirth="1961"), ANALYST)
    answer = await read_ownership(empty_runtime, north.organization_id, answer.business_id)
    assert get_status(answer) is DeemedStatus.NOT_DEEMED
    (match,) = answer.screened_parties[0].matches
    assert match.dismissed is not None


@pytest.mark.usefixtures("lists")
async def test_the_date_of_birth_and_the_kind_are_compared(empty_runtime: Runtime, north: Principal) -> None:
    born = await record(empty_runtime, north, ({"name": LISTED, "dateOfBirth": "1999-01-01"}, 1.0))
    assert get_status(born) is DeemedStatus.NOT_DEEMED
    (subject,) = born.screened_parties
    assert (subject.date_of_birth, subject.kind) == ("1999-01-01", EntityKind.PERSON)


async def test_nobody_is_clear_without_lists(empty_runtime: Runtime, north: Principal) -> None:
    answer = await record(empty_runtime, north, ({"name": "Ottoline Farrow"}, 1.0))
    assert get_status(answer) is DeemedStatus.UNDETERMINED
    (subject,) = answer.screened_parties
    assert subject.status is ScreeningStatus.NOT_SCREENED
    assert answer.deemed_sanctioned_reason == "1 owner could not be screened and may be listed."


async def test_nobody_is_clear_if_one_list_is_missing(empty_runtime: Runtime, north: Principal) -> None:
    for source in get_official_lists(empty_runtime):
        if source.key != SEMA:
            load(empty_runtime, source.key, party("Qwxz Vbnm Society", "0"))
    answer = await record(empty_runtime, north, ({"name": "Ottoline Farrow"}, 1.0))
    (subject,) = answer.screened_parties
    assert (subject.status, subject.reason) == (ScreeningStatus.NOT_SCREENED, f"Not screened: {SEMA}.")
    assert get_status(answer) is DeemedStatus.UNDETERMINED


async def test_a_dismissal_does_not_clear_an_owner_while_a_list_is_missing(empty_runtime: Runtime, north: Principal) -> None:
    load(empty_runtime, UN, party(LISTED, "77", entity_type=EntityKind.PERSON))
    answer = await record(empty_runtime, north, ({"name": LISTED}, 1.0))
    assert get_status(answer) is DeemedStatus.DEEMED
    (match,) = answer.screened_parties[0].matches
    await dismiss(empty_runtime, north, request_for(match, LISTED, entityType="person"), ANALYST)
    answer = await read_ownership(empty_runtime, north.organization_id, answer.business_id)
    assert get_status(answer) is DeemedStatus.UNDETERMINED
    (subject,) = answer.screened_parties
    assert (subject.status, subject.open_hits) == (ScreeningStatus.NOT_SCREENED, 0)
    screening = await screen_record(empty_runtime, north, answer.business_id)
    assert screening.ownership is not None
    assert screening.ownership.status is DeemedStatus.UNDETERMINED


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(("count", "status"), [(210, DeemedStatus.UNDETERMINED), (190, DeemedStatus.NOT_DEEMED)])
async def test_owners_beyond_the_limit_are_counted_and_not_clear(
    empty_runtime: Runtime, north: Principal, count: int, status: DeemedStatus
) -> None:
    business_id = await create_business(empty_runtime, north)
    shares = [({"name": f"{chr(97 + number // 26)}{chr(97 + number % 26)}quor Stroudwick"}, 1 / count) for number in range(count)]
    stated = statement(business_id, *shares)
    await record_ownership(empty_runtime, north.organization_id, business_id, stated, ANALYST, is_screened=False)
    screening = await screen_record(empty_runtime, north, business_id)
    assert len(screening.subjects) == MAX_PARTIES + MAX_UNSCREENED
    assert {subject.status for subject in screening.subjects[MAX_PARTIES:]} == {ScreeningStatus.NOT_SCREENED}
    last = screening.subjects[-1].reason
    assert last is not None
    assert last.endswith(f" {count - len(screening.subjects)} more parties were not screened.")
    assert screening.ownership is not None
    assert screening.ownership.status is status
    assert screening.ownership.reason == f"{count - MAX_PARTIES} owners could not be screened and may be listed."


async def test_a_long_chain_of_businesses_has_a_short_result(empty_runtime: Runtime, north: Principal) -> None:
    business_id = await create_business(empty_runtime, north)
    count = 1000
    parties = [{"id": f"p{number}", "kind": "business", "name": f"Zephyr {number} Holding"} for number in range(count)]
    parties[0] |= {"name": "Orlovska Catering", "businessId": str(business_id)}
    interests = [
        {"id": f"{number}", "owner": f"p{number}", "owned": f"p{number - 1}", "kind": "shares", "share": {"exact": 1}}
        for number in range(1, count)
    ]
    stated = statement(business_id, parties=parties, interests=interests)
    await record_ownership(empty_runtime, north.organization_id, business_id, stated, ANALYST, is_screened=False)
    screening = await screen_record(empty_runtime, north, business_id)
    assert len(screening.subjects) == MAX_PARTIES + MAX_UNSCREENED
    assert max(len(subject.ownership_path) for subject in screening.subjects) == MAX_STEPS
    assert screening.ownership is not None
    assert screening.ownership.status is DeemedStatus.UNDETERMINED


@pytest.mark.usefixtures("lists")
async def test_a_generic_name_cannot_be_screened_and_is_not_clear(empty_runtime: Runtime, north: Principal) -> None:
    answer = await record(
        empty_runtime, north, ({"kind": "business", "name": "The Company"}, 0.6), ({"name": "Ottoline Farrow"}, 0.4)
    )
    assert get_status(answer) is DeemedStatus.UNDETERMINED


@pytest.mark.usefixtures("lists")
async def test_a_listed_director_owns_nothing(empty_runtime: Runtime, north: Principal) -> None:
    business_id = await create_business(empty_runtime, north)
    wanted = statement(business_id, ({"name": LISTED}, 0.0), ({"name": "Ottoline Farrow"}, 1.0)).model_dump(
        mode="json", by_alias=True
    )
    wanted["interests"][0] |= {"kind": "director", "share": None}
    answer = await record_ownership(
        empty_runtime, north.organization_id, business_id, OwnershipStatement.model_validate(wanted), ANALYST
    )
    assert [(subject.name, subject.role.value, subject.total_matches) for subject in answer.screened_parties] == [
        ("Ottoline Farrow", "owner", 0),
        (LISTED, "director", 1),
    ]
    assert get_status(answer) is DeemedStatus.NOT_DEEMED


@pytest.mark.usefixtures("lists")
async def test_a_listed_business_is_not_sanctioned_by_ownership(empty_runtime: Runtime, north: Principal) -> None:
    business_id = await create_business(empty_runtime, north)
    parties = [
        {"id": "b", "kind": "business", "name": "Zephyrine Marlowe Trading", "businessId": str(business_id)},
        {"id": "p0", "kind": "person", "name": "Ottoline Farrow"},
    ]
    wanted = statement(business_id, ({"name": "Ottoline Farrow"}, 1.0), parties=parties)
    answer = await record_ownership(empty_runtime, north.organization_id, business_id, wanted, ANALYST)
    assert get_status(answer) is DeemedStatus.NOT_DEEMED


# ------------------------------------------------------------------------------- searches and screenings of a record


LISTED_OWNERS = (
    ({"name": LISTED}, 0.3),
    ({"kind": "business", "name": "Zephyrine Marlowe Trading"}, 0.25),
    ({"name": "Ottoline Farrow"}, 0.45),
)


async def screen_record(runtime: Runtime, principal: Principal, business_id: UUID) -> Screening:
    request = ScreeningRequest.model_validate({"query": "Orlovska Catering", "businessId": str(business_id)})
    answer = await screenings.create_screening(runtime, principal, request)
    stored = await screenings.open_screening(runtime, principal.organization_id, answer.meta.screening_id)
    assert stored.screening == answer.screening
    return answer.screening


@pytest.mark.usefixtures("lists")
async def test_a_stored_screening_has_the_owners_and_the_ownership(empty_runtime: Runtime, north: Principal) -> None:
    business_id = (await record(empty_runtime, north, *LISTED_OWNERS)).business_id
    screening = await screen_record(empty_runtime, north, business_id)
    found = [(subject.name, subject.origin.value, subject.open_hits) for subject in screening.subjects]
    assert found == [("Ottoline Farrow", "ownership", 0), (LISTED, "ownership", 1), ("Zephyrine Marlowe Trading", "ownership", 1)]
    assert screening.open_hits == 2
    ownership = screening.ownership
    assert ownership is not None
    assert (ownership.status, ownership.share.min, ownership.reason) == (DeemedStatus.DEEMED, 0.55, None)
    words = [[step.description for step in path.steps] for path in ownership.paths]
    assert words == [
        [f"{LISTED} has 30% of the shares of Orlovska Catering", None],
        ["Zephyrine Marlowe Trading has 25% of the shares of Orlovska Catering", None],
    ]


@pytest.mark.usefixtures("lists")
async def test_a_later_dismissal_is_reported_and_a_new_screening_counts_it(empty_runtime: Runtime, north: Principal) -> None:
    business_id = (await record(empty_runtime, north, *LISTED_OWNERS)).business_id
    request = ScreeningRequest.model_validate({"query": "Orlovska Catering", "businessId": str(business_id)})
    first = await screenings.create_screening(empty_runtime, north, request)
    assert not first.screening.has_later_dismissals
    match = next(subject for subject in first.screening.subjects if subject.name == LISTED).matches[0]
    await dismiss(empty_runtime, north, request_for(match, LISTED, entityType="person"), ANALYST)
    opened = (await screenings.open_screening(empty_runtime, north.organization_id, first.meta.screening_id)).screening
    assert opened.ownership == first.screening.ownership
    assert opened.has_later_dismissals
    again = (await screenings.repeat_screening(empty_runtime, north, first.meta.screening_id)).screening
    assert again.ownership is not None
    assert (again.ownership.status, again.ownership.share.min) == (DeemedStatus.NOT_DEEMED, 0.25)


@pytest.mark.usefixtures("lists")
async def test_a_search_of_the_record_has_the_same(empty_runtime: Runtime, north: Principal) -> None:
    business_id = (await record(empty_runtime, north, *LISTED_OWNERS)).business_id
    request = {"businessId": str(business_id), "sanctionsScreening": True}
    sanctions = (await search(empty_runtime, north, **request)).sanctions
    assert sanctions is not None
    assert sanctions.ownership is not None
    assert sanctions.ownership.status is DeemedStatus.DEEMED
    assert {subject.role.value for subject in sanctions.subjects} == {"owner"}
    assert (sanctions.open_hits, sanctions.total_matches) == (2, 0)


@pytest.mark.usefixtures("lists")
async def test_a_record_without_statements_has_no_ownership(empty_runtime: Runtime, north: Principal) -> None:
    screening = await screen_record(empty_runtime, north, await create_business(empty_runtime, north))
    assert (screening.ownership, screening.subjects) == (None, ())


async def test_the_ownership_is_undetermined_without_lists(empty_runtime: Runtime, north: Principal) -> None:
    business_id = (await record(empty_runtime, north, ({"name": "Ottoline Farrow"}, 1.0))).business_id
    screening = await screen_record(empty_runtime, north, business_id)
    assert screening.ownership is not None
    assert screening.ownership.status is DeemedStatus.UNDETERMINED


@pytest.mark.usefixtures("lists")
async def test_a_screening_of_some_lists_leaves_the_ownership_undetermined(empty_runtime: Runtime, north: Principal) -> None:
    business_id = (await record(empty_runtime, north, ({"name": "Ottoline Farrow"}, 1.0))).business_id
    request = {"query": "Orlovska Catering", "businessId": str(business_id), "sources": [UN]}
    answer = await screenings.create_screening(empty_runtime, north, ScreeningRequest.model_validate(request))
    ownership = answer.screening.ownership
    assert ownership is not None
    assert ownership.status is DeemedStatus.UNDETERMINED
    assert ownership.reason == "1 owner could not be screened and may be listed."


@pytest.mark.usefixtures("lists")
async def test_a_generic_name_does_not_make_the_owners_unscreened(empty_runtime: Runtime, north: Principal) -> None:
    business_id = (await record(empty_runtime, north, ({"name": "Ottoline Farrow"}, 1.0))).business_id
    request = {"query": "The Company", "businessId": str(business_id)}
    screening = (await screenings.create_screening(empty_runtime, north, ScreeningRequest.model_validate(request))).screening
    assert screening.status is ScreeningStatus.NOT_SCREENED
    assert screening.ownership is not None
    assert (screening.ownership.status, screening.ownership.reason) == (DeemedStatus.NOT_DEEMED, None)
