"""Corporations Canada asked by number: through the real client at the sandbox, and on saved answers."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import pytest

from bonafide.errors import (
    InvalidInput,
    ParseFailed,
    SourceAuthFailed,
    SourceError,
    SourceNotFound,
    SourceRateLimited,
    SourceTimeout,
    SourceUnavailable,
    UpstreamFailed,
)
from bonafide.i18n.message import Message
from bonafide.model.entity import RoleCategory, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.live import LiveContext, LiveQuery, RegistrationQuery
from bonafide_sandbox.generator.business import LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    FixedResponseFault,
    GarbageFault,
    HangFault,
    LiveFault,
    RateLimitFault,
    StatusFault,
)
from bonafide_sandbox.world.builder import DEFAULT_SEED
from tests.support.sources.live_clients import ASKED_AT, asking

pytestmark = pytest.mark.anyio
HERE = Path(__file__).parent / "fed"
SOURCE = get_source("fed")
FEDERAL = [business for business in create_businesses(DEFAULT_SEED, 0, 1000) if business.register is Jurisdiction.FED]
MONEY = next(fixed.business for fixed in KNOWN_BUSINESSES if fixed.business.name == "Sandbox Money Services Inc.")
DISSOLVED = next(fixed.business for fixed in KNOWN_BUSINESSES if fixed.business.standing is LifecycleStatus.DISSOLVED)
RENAMED = next(business for business in FEDERAL if business.former_names and business.other_names)
KEY = "a key of the API Store"


def directed(business: SandboxBusiness) -> bool:
    return any({"Director", "Administrateur"}.intersection(person.roles) for person in business.people)


async def found(context: LiveContext, number: str | None, name: str | None = None) -> list[RegistryEntry]:
    assert SOURCE.live is not None
    assert SOURCE.live.find is not None
    entries = await SOURCE.live.find(LiveQuery(name, number), context)
    return [entry for entry in entries if isinstance(entry, RegistryEntry)]


async def reported(context: LiveContext, number: str) -> RegistryEntry | None:
    assert SOURCE.live is not None
    assert SOURCE.live.report is not None
    return await SOURCE.live.report(RegistrationQuery(Jurisdiction.FED, number), context)


def saved(name: str) -> Any:
    return json.loads((HERE / "live" / name).read_text(encoding="utf-8"))


def answering(bodies: Mapping[str, Any], key: str | None = None) -> LiveContext:
    """A context in which what an address ends with decides what is answered: JSON, bytes, or an error."""

    async def ask(call: SourceRequest) -> SourceResponse:
        body = next(body for end, body in bodies.items() if call.url.endswith(end))
        if isinstance(body, SourceError):
            raise body
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return SourceResponse(call, 200, "application/json", content, ASKED_AT)

    return LiveContext(SOURCE.metadata, ask, key)


async def refuses_to_ask(call: SourceRequest) -> SourceResponse:
    raise AssertionError(f"nothing was to be asked, and {call.url} was")


# ------------------------------------------------------------------------------------------------------------ at the sandbox


async def test_reports_are_those_that_are_written_down(live_world: Path) -> None:
    written = json.loads((HERE / "live.entries.json").read_text(encoding="utf-8"))
    async with asking("fed", live_world, key=KEY) as context:
        given = [await reported(context, entry["entryId"]) for entry in written]
    assert [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in given if entry is not None] == written


@pytest.mark.slow
async def test_it_says_of_every_corporation_what_the_daily_files_say_and_its_past(live_world: Path) -> None:
    daily = {entry.entry_id: entry for entry in _daily(live_world)}
    known = {business.number: business for business in [*FEDERAL, MONEY, DISSOLVED]}
    async with asking("fed", live_world) as context:
        for number, business in known.items():
            [entry] = await found(context, number)
            same = daily[number].model_copy(
                update={
                    "status": entry.status,
                    "name_history": entry.name_history,
                    "incorporation_date": business.registered_on,
                }
            )
            assert entry == same
            assert [(item.name, item.end_date) for item in entry.name_history] == [
                (former.name, former.until) for former in business.former_names
            ]
            if business.standing is not LifecycleStatus.CANCELLED:
                assert str(entry.status).casefold() == str(daily[number].status).casefold()
        assert not context.words.report.unknown_terms
        assert not context.words.report.notes


def _daily(world: Path) -> list[RegistryEntry]:
    paths = sorted((world / "fed").glob("*.csv"))
    resources = [Resource(path.name, path, f"file:{path.name}", ASKED_AT, "", path.stat().st_size) for path in paths]
    assert SOURCE.parse is not None
    return [entry for entry in SOURCE.parse(resources, ParseContext(SOURCE.metadata)) if isinstance(entry, RegistryEntry)]


async def test_any_spelling_of_a_number_finds_its_corporation(live_world: Path) -> None:
    number, business_number = RENAMED.number, RENAMED.business_number
    grouped = f"{business_number[:3]} {business_number[3:6]} {business_number[6:]}"
    spellings = [
        number,
        f"{number[:-1]}-{number[-1]}",
        f"Corporation No. {number[:-1]}-{number[-1]}",
        f"00{number}",
        business_number,
        grouped,
        f"{grouped} RC0001",
        f"BN {business_number}RT",
    ]
    async with asking("fed", live_world) as context:
        for spelling in spellings:
            assert [entry.entry_id for entry in await found(context, spelling)] == [number], spelling
            assert (await reported(context, spelling)) is not None, spelling


async def test_a_number_of_another_register_or_none_is_not_asked_for() -> None:
    context = LiveContext(SOURCE.metadata, refuses_to_ask)
    for number in (None, "", "BC0772006", "1160000017", "NEQ 1160000017", "RC0001", "549300MLUDYVRQOOXS22", "n/a"):
        assert await found(context, number) == [], number
    with pytest.raises(InvalidInput, match="by number only"):
        await found(context, None, name="Sandbox Money Services")
    for number in ("BC0772006", "1160000017"):
        with pytest.raises(InvalidInput):
            await reported(context, number)


async def test_a_number_that_nobody_has_is_not_found(live_world: Path) -> None:
    async with asking("fed", live_world, key=KEY) as context:
        for number in ("99999999", "999999998"):
            assert await found(context, number) == []
            assert await reported(context, number) is None


async def test_the_address_of_old_has_moved(live_world: Path) -> None:
    url = f"https://www.ic.gc.ca/app/scr/cc/CorporationsCanada/api/corporations/{MONEY.number}.json"
    async with asking("fed", live_world) as context:
        with pytest.raises(SourceError, match=r"ised-isde\.canada\.ca \(HTTP 301\)"):
            await context.ask(SourceRequest(url))


FAULTS: list[tuple[LiveFault, type[SourceError], str]] = [
    (StatusFault(429, 1), SourceRateLimited, "limits the rate of requests"),
    (RateLimitFault(1), SourceRateLimited, "limits the rate of requests"),
    (StatusFault(503), UpstreamFailed, "503"),
    (StatusFault(403), SourceAuthFailed, "403"),
    (StatusFault(404), SourceNotFound, "not found"),
    (ChallengePageFault(), SourceUnavailable, "web page"),
    (GarbageFault(), ParseFailed, "not JSON"),
    (FixedResponseFault(b""), ParseFailed, "not JSON"),
    (FixedResponseFault(b"{}"), ParseFailed, "not a list"),
    (FixedResponseFault(b"[]"), ParseFailed, "not a list"),
    (FixedResponseFault(b"[null]"), ParseFailed, "unexpected response"),
    (FixedResponseFault(b'["The service is out of order", "Le service est en panne"]'), UpstreamFailed, "out of order"),
]


@pytest.mark.parametrize(("fault", "error", "message"), FAULTS, ids=lambda value: repr(value)[:40])
async def test_what_goes_wrong_is_an_error_and_never_an_empty_answer(
    live_world: Path, fault: LiveFault, error: type[SourceError], message: str
) -> None:
    async with asking("fed", live_world, fault) as context:
        with pytest.raises(error, match=message):
            await found(context, MONEY.number)


@pytest.mark.slow
async def test_a_register_that_does_not_answer_can_be_left(live_world: Path) -> None:
    async with asking("fed", live_world, HangFault(2)) as context:
        with anyio.move_on_after(0.2) as waiting:
            await found(context, MONEY.number)
    assert waiting.cancelled_caught


# ------------------------------------------------------------------------------------------------------------ directors


async def test_directors_are_named_to_who_has_a_key_and_to_nobody_else(live_world: Path) -> None:
    business = next(business for business in FEDERAL if directed(business))
    async with asking("fed", live_world) as context:
        entry = await reported(context, business.number)
        assert entry is not None
        assert entry.people == ()
        [note] = context.words.report.notes
        assert isinstance(note, Message)
        assert note.template == "The directors are unknown, because no API key is configured for this register."
        with pytest.raises(SourceAuthFailed):
            await context.ask(SourceRequest(SOURCE.metadata.terms["directors at"].format(number=business.number)))
    async with asking("fed", live_world, key=KEY) as context:
        entry = await reported(context, business.number)
        assert entry is not None
        assert entry.people
        assert {person.name for person in entry.people} <= {person.name for person in business.people}
        assert {detail.category for person in entry.people for detail in person.role_details} == {RoleCategory.DIRECTOR}
        assert not context.words.report.unknown_terms


async def test_that_no_directors_are_on_file_is_told_from_not_knowing(live_world: Path) -> None:
    told: set[bool] = set()
    async with asking("fed", live_world, key=KEY) as context:
        for business in [DISSOLVED, *(business for business in FEDERAL if not directed(business))]:
            context.words.report.notes.clear()
            entry = await reported(context, business.number)
            assert entry is not None
            assert (entry.legal_name, entry.people) == (business.name, ())
            failed = any("could not be retrieved" in note and "500" in note for note in context.words.report.notes)
            assert failed == (business.random_bits % 3 == 2)
            told.add(failed)
    assert told == {True, False}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (SourceTimeout(Message("too slow")), "too slow"),
        (SourceAuthFailed(Message("HTTP 403")), "403"),
        (b"<html>are you a person?</html>", "web page"),
        ([], "valid dictionary"),
        ({}, "_links: Field required"),
        ({"_links": {}, "_embedded": {}}, "_embedded.directors: Field required"),
        ({"_links": {}, "_embedded": {"directors": [{"serviceAddress": {}}]}}, "a director has no name"),
    ],
    ids=repr,
)
async def test_a_corporation_is_known_when_its_directors_are_not(answer: Any, why: str) -> None:
    context = answering({"/corporations/9000001.json": saved("corporation.json"), "/directors.json": answer}, KEY)
    entry = await reported(context, "9000001")
    assert entry is not None
    assert entry.legal_name == "SAMPLE BAKERY INC."
    [note] = context.words.report.notes
    assert note.startswith("The directors could not be retrieved: ")
    assert why in note


async def test_directors_that_go_on_elsewhere_are_told() -> None:
    directors = saved("directors.json") | {"_links": {"next": {"href": "more"}}}
    context = answering({"/corporations/9000001.json": saved("corporation.json"), "/directors.json": directors}, KEY)
    entry = await reported(context, "9000001")
    assert entry is not None
    assert [person.name for person in entry.people] == ["ALICE EXAMPLE", "Prudence"]
    assert context.words.report.notes == ["list of directors: further pages were not read"]


# ------------------------------------------------------------------------------------------------------------ saved answers


async def test_a_saved_answer_gives_the_entry_that_is_written_down() -> None:
    bodies = {"/corporations/9000001.json": saved("corporation.json"), "/directors.json": saved("directors.json")}
    context = answering(bodies, KEY)
    entry = await reported(context, "9000001")
    assert entry is not None
    assert entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) == saved("entry.json")
    assert not context.words.report.notes
    assert not context.words.report.unknown_terms


async def test_null_and_absence_and_a_missing_second_element_are_the_same() -> None:
    [corporation, null] = saved("corporation.json")
    assert null is None
    bare = {key: corporation[key] for key in ("corporationId", "status", "corporationNames")}
    empty = dict.fromkeys(("act", "adresses", "businessNumbers", "annualReturns", "activities", "directorLimits"))
    [one] = await found(answering({".json": [bare]}), "9000001")
    [other] = await found(answering({".json": [bare | empty, None]}), "9000001")
    assert one == other
    assert (one.entity_type, one.addresses, one.incorporation_date, one.good_standing) == (None, (), None, None)


@pytest.mark.parametrize(
    ("status", "code", "good_standing"),
    [
        ("ACTIVE", StatusCode.ACTIVE, True),
        ("Active - dissolution pending (NON-COMPLIANCE)", StatusCode.PENDING_DISSOLUTION, False),
        ("active - Intent To Dissolve filed", StatusCode.PENDING_DISSOLUTION, None),
        ("Inactive - amalgamated", StatusCode.AMALGAMATED, None),
        ("dissolved", StatusCode.DISSOLVED, None),
    ],
)
async def test_status_words_are_known_in_any_case(status: str, code: StatusCode, good_standing: bool | None) -> None:  # noqa: FBT001
    [corporation, _] = saved("corporation.json")
    [entry] = await found(answering({".json": [corporation | {"status": status}]}), "9000001")
    assert (entry.status, entry.status_code, entry.good_standing) == (status, code, good_standing)


async def test_a_status_that_nobody_knows_and_a_new_part_are_told() -> None:
    [corporation, _] = saved("corporation.json")
    context = answering({".json": [corporation | {"status": "Bewitched", "owners": []}]})
    [entry] = await found(context, "9000001")
    assert entry.status_code is StatusCode.UNKNOWN
    assert context.words.report.unknown_terms == {"status: Bewitched": 1}
    assert context.words.report.notes == ["lookup by number: the unknown field owners was ignored"]


async def test_without_a_current_name_the_last_one_is_the_name() -> None:
    [corporation, _] = saved("corporation.json")
    names = [
        {"CorporationName": {"name": "OLDEST INC.", "effectiveDate": "1970-01-01", "expiryDate": "1980-01-01"}},
        {"CorporationName": {"name": "LAST INC.", "effectiveDate": "1980-01-01", "current": False}},
    ]
    [entry] = await found(answering({".json": [corporation | {"corporationNames": names}]}), "9000001")
    assert (entry.legal_name, [item.name for item in entry.name_history]) == ("LAST INC.", ["OLDEST INC."])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"corporationId": None}, "corporationId: Field required"),
        ({"status": None}, "status: Field required"),
        ({"corporationNames": None}, "corporationNames: Field required"),
        ({"corporationNames": []}, "the corporation has no name"),
        ({"corporationNames": [{"name": "X"}]}, "corporationNames.0.CorporationName: Field required"),
        ({"adresses": [{"typeCode": "2"}]}, "adresses.0.address: Field required"),
        ({"activities": [{"activity": {"activity": "Incorporation", "date": "long ago"}}]}, "a date can’t be read"),
        ({"corporationId": "9000002", "businessNumbers": {}}, "another corporation"),
        ({"corporationId": "9000001X"}, "another corporation"),
        ({"corporationId": "9-000001"}, "corporationId is not a number"),
    ],
    ids=repr,
)
async def test_a_changed_shape_is_refused_and_named(change: dict[str, Any], message: str) -> None:
    [corporation, _] = saved("corporation.json")
    with pytest.raises(ParseFailed, match=message):
        await found(answering({".json": [corporation | change, None]}), "9000001")


async def test_two_corporations_in_one_answer_are_refused() -> None:
    [corporation, _] = saved("corporation.json")
    with pytest.raises(ParseFailed, match="more than one corporation"):
        await found(answering({".json": [corporation, corporation]}), "9000001")


# ------------------------------------------------------------------------------------------------------------ real answers


@pytest.mark.realdata
async def test_the_real_answer_is_read(live_world: Path, shared_data: Path) -> None:
    body = (shared_data / "registries" / "FED" / "api_corporation_1007_eng.json").read_bytes()
    async with asking("fed", live_world, FixedResponseFault(body)) as context:
        for number in ("1007", "100-7", "106679285RC0001"):
            [entry] = await found(context, number)
            assert (entry.entry_id, entry.legal_name) == ("1007", "Abbotsford Chamber of Commerce")
            assert (entry.status_code, entry.good_standing) == (StatusCode.ACTIVE, True)
            assert entry.incorporation_date == date(1947, 1, 10)
            assert entry.entity_type == "Boards of Trade Act - Part II"
            assert entry.list_search_numbers() == ["1007", "106679285"]
            assert entry.addresses[0].raw == "207 - 32900 SOUTH FRASER WAY, ABBOTSFORD, BC, V2S 5A1, CA"
        assert not context.words.report.notes
        assert not context.words.report.unknown_terms


@pytest.mark.realdata
async def test_the_real_answer_for_nobody_is_read(live_world: Path, shared_data: Path) -> None:
    body = (shared_data / "registries" / "FED" / "api_corporation_not_found.json").read_bytes()
    async with asking("fed", live_world, FixedResponseFault(body)) as context:
        assert await reported(context, "999999") is None


@pytest.mark.realdata
async def test_the_known_shape_of_directors_is_read(shared_data: Path) -> None:
    folder = shared_data / "registries" / "FED"
    bodies = {
        "/corporations/1007.json": (folder / "api_corporation_1007_eng.json").read_bytes(),
        "/directors.json": (folder / "api_v2_directors_shape.json").read_bytes(),
    }
    context = answering(bodies, KEY)
    entry = await reported(context, "1007")
    assert entry is not None
    assert [(person.name, person.roles, person.addresses[0].raw) for person in entry.people] == [
        ("ALICE EXAMPLE", ("Director",), "1 MAIN ST, VANCOUVER, BC, V6B 1A1, CA")
    ]
    assert not context.words.report.notes
