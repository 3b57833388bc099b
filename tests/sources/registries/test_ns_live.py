"""Nova Scotia's registry, asked at the sandbox over HTTP, and what its documents may and may not lack."""

import asyncio
import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from bonafide.errors import InvalidInput, ParseFailed, SourceError, SourceNotFound, SourceUnavailable
from bonafide.model.entity import RoleCategory, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.canonical.parser import parse_canonical
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.discovery import get_source as find_source
from bonafide.sources.framework.live import LiveContext, LiveQuery, RegistrationQuery
from bonafide.sources.registries.ns.live import find, report
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.protocols.rjsc import PERSON_ID
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    FixedResponseFault,
    GarbageFault,
    HangFault,
    LiveFault,
    StatusFault,
)
from bonafide_sandbox.world.builder import DEFAULT_SEED
from tests.support.sources.live_clients import asking
from tests.support.sources.live_faults import HTTP_FAULTS

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent
NS = Jurisdiction.NS
WORLD = [business for business in create_businesses(DEFAULT_SEED, 0, 1000) if business.register is NS]
ADDRESS = {"addressOneLine": "1 Sample Street,  Halifax, NS"}
PROFILE = {
    "entityRegNumber": "3000001",
    "entityRegName": "SAMPLE FISHERIES ULC",
    "entityTypeDesc": "N.S. Unlimited Liability Company",
    "entityStatusDesc": "Active",
    "entityStatusEffectiveDate": "2020-02-03T00:00:00",
    "entityRegDate": "2020-02-03T00:00:00",
    "annualReturnDueDate": "2027-02-28T00:00:00",
    "entityRegAddress": ADDRESS,
    "personInd": False,
}
DOCUMENTS: dict[str, Any] = {
    "rjscentity/3000001": PROFILE,
    "entity/names/3000001": [{"name": "SAMPLE FISHERIES ULC", "effectiveFrom": "2020-02-03T00:00:00"}],
    "rjscentity/allrelationships/3000001": [],
    "entity/otheraddresses/3000001": [],
    "rjscentity/latest-events/3000001": [],
}


def related(name: str, role: str, **others: Any) -> dict[str, Any]:
    return {"entityRegName": name, "relationshipTypeDesc": role, "entityRegAddress": None, **others}


def saying(**documents: Any) -> LiveContext:
    """A registry with one business; `documents` replace some of its own, named by what stands in front of the ID."""
    said = DOCUMENTS | {f"{name.replace('_', '/')}/3000001": document for name, document in documents.items()}

    async def ask(call: SourceRequest) -> SourceResponse:
        document = said[call.url.removeprefix("https://api.rjsc.novascotia.ca/api/")]
        body, status = (document, 404) if isinstance(document, bytes) else (json.dumps({"data": document}).encode(), 200)
        return SourceResponse(call, status, "application/json", body, datetime(2026, 11, 20, tzinfo=UTC))

    return LiveContext(find_source("ns").metadata, ask)


async def reported(**documents: Any) -> RegistryEntry:
    entry = await report(RegistrationQuery(NS, "3000001"), saying(**documents))
    assert entry is not None
    return entry


# ------------------------------------------------------------------------------------------------------------ over HTTP


async def test_it_gives_the_entries_that_are_written_down(live_world: Path) -> None:
    written = json.loads((HERE / "ns" / "live.entries.json").read_text(encoding="utf-8"))
    async with asking("ns", live_world) as context:
        entries = [await report(RegistrationQuery(NS, entry["entryId"]), context) for entry in written]
    assert [entry and entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries] == written


@pytest.mark.slow
async def test_each_business_is_as_the_extract_of_the_register_says(live_world: Path, as_resource: Any) -> None:
    parsing = ParseContext(find_source("ns").metadata)
    extract = {entry.entry_id: entry for entry in parse_canonical([as_resource(live_world / "ns" / "register.csv")], parsing, None)}
    assert len(extract) == len(WORLD)
    async with asking("ns", live_world) as context:
        for number, expected in extract.items():
            entry = await report(RegistrationQuery(NS, number), context)
            assert entry is not None
            assert (entry.legal_name, entry.entity_type, entry.status) == (
                expected.legal_name,
                expected.entity_type,
                expected.status,
            )
            assert entry.incorporation_date == expected.incorporation_date
            assert {item.name for item in entry.name_history} == {item.name for item in expected.name_history}
            assert {(person.name, person.role_details) for person in entry.people} == {
                (person.name, person.role_details) for person in expected.people
            }
            assert str(entry.addresses[0].raw).startswith(str(expected.addresses[0].raw).removesuffix(", CA"))
    assert not context.words.report.unknown_terms


@pytest.mark.parametrize("spelling", ["{}{}", " {} {} ", "NS {}{}", "Registry ID {}-{}", "RJSC # {}{}"])
async def test_a_business_is_found_by_its_number_however_it_is_spelled(live_world: Path, spelling: str) -> None:
    asked = spelling.format(WORLD[0].number[:4], WORLD[0].number[4:])
    async with asking("ns", live_world) as context:
        [found] = await find(LiveQuery("whatever name", asked), context)
        full = await report(RegistrationQuery(NS, asked), context)
    assert full is not None
    assert (found.entry_id, found.people) == (WORLD[0].number, ())
    assert full.model_copy(update={"people": (), "name_history": (), "addresses": found.addresses}) == found


async def test_what_is_not_registered_is_not_found_and_a_person_is_no_business(live_world: Path) -> None:
    async with asking("ns", live_world) as context:
        for number in ("2000001", PERSON_ID):
            assert await find(LiveQuery(None, number), context) == []
            assert await report(RegistrationQuery(NS, number), context) is None


@pytest.mark.parametrize(("name", "number"), [("Sample", None), ("Sample", "2000001"), ("Sample", "NEQ 1160000017"), (None, "123")])
async def test_what_nobody_has_looked_for_is_not_said_to_be_missing(live_world: Path, name: str | None, number: str | None) -> None:
    async with asking("ns", live_world) as context:
        with pytest.raises(InvalidInput, match=r"can be queried by Registry ID \(7 digits\) only"):
            await find(LiveQuery(name, number), context)


@pytest.mark.parametrize(("fault", "error", "told"), HTTP_FAULTS)
async def test_a_source_in_trouble_is_an_error(live_world: Path, fault: LiveFault, error: type[SourceError], told: str) -> None:
    async with asking("ns", live_world, fault) as context:
        with pytest.raises(error, match=told):
            await report(RegistrationQuery(NS, WORLD[0].number), context)


@pytest.mark.parametrize(
    ("fault", "error", "told"),
    [
        (ChallengePageFault(), SourceUnavailable, "a web page instead of data"),
        (GarbageFault(), ParseFailed, "not JSON"),
        (FixedResponseFault(b""), ParseFailed, "not JSON"),
        (FixedResponseFault(b'{"message": "try later"}'), ParseFailed, "rjscentity: data is missing"),
        (FixedResponseFault(b'[{"data": null}]'), ParseFailed, "rjscentity: data is missing"),
        (FixedResponseFault(b'{"data": []}'), ParseFailed, "rjscentity: an object is expected"),
        (FixedResponseFault(b'{"data": {}}'), ParseFailed, "rjscentity: personInd is missing"),
        (
            FixedResponseFault(json.dumps({"data": PROFILE}).encode()),
            ParseFailed,
            f"returned the number 3000001 instead of {WORLD[0].number}",
        ),
    ],
)
async def test_an_answer_that_is_not_the_known_one_is_an_error(
    live_world: Path, fault: LiveFault, error: type[SourceError], told: str
) -> None:
    async with asking("ns", live_world, fault) as context:
        with pytest.raises(error, match=told):
            await find(LiveQuery(None, WORLD[0].number), context)


async def test_a_number_that_the_register_can_not_have_given_is_not_asked_for(live_world: Path) -> None:
    async with asking("ns", live_world, StatusFault(500)) as context:
        with pytest.raises(InvalidInput, match=r"'12345' is not a valid number of the type Nova Scotia Registry ID \(7 digits\)"):
            await report(RegistrationQuery(NS, "12345"), context)


async def test_it_waits_as_long_as_it_is_let(live_world: Path) -> None:
    async with asking("ns", live_world, HangFault(0.5)) as context:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await report(RegistrationQuery(NS, WORLD[0].number), context)


# ------------------------------------------------------------------------------------------------------------ documents


async def test_the_last_filings_are_notes() -> None:
    event = {"eventDesc": "Annual Renewal", "eventTypeDesc": "Filed"}
    context = saying(**{"rjscentity_latest-events": [{**event, "eventDate": "2026-01-31T00:00:00"}, {**event, "eventDate": None}]})
    assert await report(RegistrationQuery(NS, "3000001"), context) is not None
    assert context.words.report.notes == ["On file: Annual Renewal, 2026-01-31", "On file: Annual Renewal, no date"]


async def test_people_have_all_their_roles_once_and_only_those_of_today() -> None:
    people = [
        related("Ann Sample", "Director", entityRegAddress=ADDRESS),
        related("SAMPLE LAW INC.", "Recognized Agent"),
        related("Ann Sample", "President", effectiveTo=None),
        related("Ann Sample", "Director"),
        related("Old Sample", "Director", effectiveTo="2021-05-06T00:00:00"),
        related("Odd Sample", "Harbour Pilot"),
    ]
    context = saying(rjscentity_allrelationships=people)
    entry = await report(RegistrationQuery(NS, "3000001"), context)
    assert entry is not None
    assert [(person.name, person.roles) for person in entry.people] == [
        ("Ann Sample", ("Director", "President")),
        ("SAMPLE LAW INC.", ("Recognized Agent",)),
        ("Odd Sample", ("Harbour Pilot",)),
    ]
    categories = [detail.category for person in entry.people for detail in person.role_details]
    assert categories == [RoleCategory.DIRECTOR, RoleCategory.OFFICER, RoleCategory.AGENT, RoleCategory.OTHER]
    assert [address.raw for address in entry.people[0].addresses] == ["1 Sample Street, Halifax, NS"]
    assert context.words.report.unknown_terms == {"role: Harbour Pilot": 1}


async def test_an_address_that_nobody_has_given_is_none_and_one_given_twice_is_one() -> None:
    nothing = {"addressOneLine": ", ********NO ADDRESS DETAILS*******, "}
    entry = await reported(entity_otheraddresses=[nothing, ADDRESS, {"addressOneLine": "PO Box 1, Halifax, NS"}])
    assert [address.raw for address in entry.addresses] == ["1 Sample Street, Halifax, NS", "PO Box 1, Halifax, NS"]


async def test_former_names_keep_the_days_that_are_known() -> None:
    names = [
        {"name": "FIRST SAMPLE LTD.", "effectiveFrom": None, "effectiveTo": "2020-02-03T00:00:00"},
        {"name": "SECOND SAMPLE LTD.", "effectiveFrom": "2020-02-03T00:00:00"},
        {"name": "SAMPLE FISHERIES ULC", "effectiveFrom": "2022-01-01T00:00:00", "effectiveTo": None},
    ]
    history = (await reported(entity_names=names)).name_history
    assert [(item.name, item.effective_date, item.end_date) for item in history] == [
        ("FIRST SAMPLE LTD.", None, date(2020, 2, 3)),
        ("SECOND SAMPLE LTD.", date(2020, 2, 3), None),
    ]


@pytest.mark.parametrize(
    ("status", "due", "code", "good"),
    [
        ("Active", "2026-11-20T00:00:00", StatusCode.ACTIVE, True),
        ("Active", "2026-11-19T00:00:00", StatusCode.ACTIVE, None),
        ("Active", None, StatusCode.ACTIVE, None),
        ("REVOKED FOR NON-PAYMENT", "2026-12-31T00:00:00", StatusCode.INACTIVE, False),
        ("Dissolved", None, StatusCode.DISSOLVED, None),
        ("Petrified", "2027-01-01T00:00:00", StatusCode.UNKNOWN, None),
        (None, "2027-01-01T00:00:00", StatusCode.UNKNOWN, None),
    ],
)
async def test_good_standing_is_said_where_it_follows(
    status: str | None, due: str | None, code: StatusCode, *, good: bool | None
) -> None:
    entry = await reported(rjscentity=PROFILE | {"entityStatusDesc": status, "annualReturnDueDate": due})
    assert (entry.status_code, entry.good_standing) == (code, good)


@pytest.mark.parametrize(
    ("documents", "told"),
    [
        ({"rjscentity": PROFILE | {"entityRegName": " "}}, "rjscentity: entityRegName is empty"),
        ({"rjscentity": PROFILE | {"entityRegDate": "February"}}, "rjscentity: entityRegDate is not a date: 'February'"),
        ({"rjscentity": PROFILE | {"entityRegAddress": "1 Sample Street"}}, r"entityRegAddress is not of type dict"),
        ({"rjscentity": PROFILE | {"entityRegAddress": {}}}, "rjscentity.entityRegAddress: addressOneLine is missing"),
        ({"entity_names": [{"entityName": "SAMPLE"}]}, "entity/names: name is missing"),
        ({"rjscentity_allrelationships": {"items": []}}, "rjscentity/allrelationships: data is not a list"),
        ({"rjscentity_allrelationships": [{"name": "Ann Sample"}]}, "rjscentity/allrelationships: entityRegName is missing"),
        ({"rjscentity_latest-events": ["Annual Renewal"]}, "rjscentity/latest-events: an object is expected"),
    ],
)
async def test_a_document_in_another_shape_is_an_error_that_names_what_is_missing(documents: dict[str, Any], told: str) -> None:
    with pytest.raises(ParseFailed, match=told):
        await reported(**documents)


async def test_a_document_that_is_null_is_empty_and_one_that_is_not_there_is_an_error() -> None:
    assert (await reported(entity_names=None)).name_history == ()
    with pytest.raises(SourceNotFound, match=r"/entity/names/3000001 was not found"):
        await reported(entity_names=b'{"message": "Not Found"}')


async def test_nothing_at_all_is_no_answer_but_that_there_is_none_is_one() -> None:
    assert await report(RegistrationQuery(NS, "3000001"), saying(rjscentity=b' {"message": "No such entity"}')) is None
    with pytest.raises(SourceNotFound, match="was not found"):
        await report(RegistrationQuery(NS, "3000001"), saying(rjscentity=b"<html>Not Found</html>"))
