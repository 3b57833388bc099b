"""British Columbia's register, asked through the real client over HTTP, at the sandbox, and on saved answers in OrgBook's shape."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import pytest

from bonafide.errors import (
    InvalidInput,
    ParseFailed,
    SourceError,
    SourceNotFound,
    SourceRateLimited,
    SourceUnavailable,
    UpstreamFailed,
)
from bonafide.matching.entries.register_codes import parse_entity_type_code
from bonafide.model.entity import EntityTypeCode, NameHistoryItem, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.canonical.parser import parse_canonical
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import LiveConnector, LiveContext, LiveQuery, RegistrationQuery
from bonafide.sources.registries.bc.live import business_number, normalize_own_number
from bonafide.sources.registries.bc.orgbook import parse_day, read_credentials, read_page
from bonafide_sandbox.generator.business import LIVE_STATUSES, BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.protocols import ProtocolRequest
from bonafide_sandbox.protocols.orgbook import handle_request
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
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.sources.live_clients import ASKED_AT, asking

pytestmark = pytest.mark.anyio
HERE = Path(__file__).parent / "bc"
BC = Jurisdiction.BC
SLOW = next(fixed.business for fixed in KNOWN_BUSINESSES if fixed.business.register is BC)
KNOWN = [SLOW, *(business for business in create_businesses(DEFAULT_SEED, 0, 1000) if business.register is BC)]


@pytest.fixture(scope="module")
def source(register: Callable[[str], Source]) -> Source:
    return register("bc")


@pytest.fixture(scope="module")
def live(source: Source) -> LiveConnector:
    assert source.live is not None
    return source.live


async def found(
    live: LiveConnector, context: LiveContext, *, name: str | None = None, number: str | None = None
) -> list[RegistryEntry]:
    assert live.find is not None
    entries = [entry for entry in await live.find(LiveQuery(name, number), context) if isinstance(entry, RegistryEntry)]
    assert len({entry.entry_id for entry in entries}) == len(entries)
    return entries


async def reported(live: LiveConnector, context: LiveContext, number: str) -> RegistryEntry | None:
    assert live.report is not None
    return await live.report(RegistrationQuery(BC, number), context)


def one_of(**facts: object) -> SandboxBusiness:
    """The first business of the register with these facts."""
    return next(business for business in KNOWN if all(getattr(business, name) == value for name, value in facts.items()))


def counted(context: LiveContext) -> tuple[LiveContext, list[SourceRequest]]:
    """The same context, and the calls that are made with it."""
    calls: list[SourceRequest] = []

    async def ask(call: SourceRequest) -> SourceResponse:
        calls.append(call)
        return await context.ask(call)

    return replace(context, ask=ask), calls


def saved(source: Source) -> LiveContext:
    """A register that answers with the saved files."""

    async def ask(call: SourceRequest) -> SourceResponse:
        path = call.url.partition("/api/v4/")[2]
        name = "search_page" if path == "search/topic" else f"credential_set_{path.split('/')[1]}"
        return SourceResponse(call, 200, "application/json", (HERE / f"{name}.json").read_bytes(), ASKED_AT)

    return LiveContext(source.metadata, ask)


def dumped(entry: RegistryEntry) -> dict[str, Any]:
    return entry.model_dump(mode="json", by_alias=True, exclude_defaults=True)


# ------------------------------------------------------------------------------------------------------------ what it gives


async def test_saved_answers_give_the_entries_that_are_written_down(source: Source, live: LiveConnector) -> None:
    context = saved(source)
    given: dict[str, Any] = {"found": [dumped(entry) for entry in await found(live, context, name="Heron")]}
    for number in ("A0099001", "C0099002"):
        entry = await reported(live, context, number)
        assert entry is not None
        given[f"report of {number}"] = dumped(entry)
    given["notes"] = context.words.report.notes
    given["unknown"] = dict(context.words.report.unknown_terms)
    if os.environ.get("BONAFIDE_WRITE_GOLDEN"):
        (HERE / "entries.json").write_text(json.dumps(given, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert given == json.loads((HERE / "entries.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def canonical(source: Source, live_world: Path) -> dict[str, RegistryEntry]:
    """What the register's own file says of each business."""
    path = live_world / "bc" / "register.csv"
    resource = Resource("register", path, "", ASKED_AT, "", path.stat().st_size)
    entries = parse_canonical([resource], ParseContext(source.metadata), None)
    return {entry.entry_id: entry for entry in entries}


def published(entry: RegistryEntry, business: SandboxBusiness) -> RegistryEntry:
    """An entry of the register's own file, less what OrgBook does not publish."""
    leaving = business.standing is LifecycleStatus.LEAVING
    return entry.model_copy(
        update={
            "alternate_names": entry.alternate_names[:1],
            "addresses": (),
            "people": (),
            "good_standing": None if business.standing in LIVE_STATUSES else False,
            "status_code": StatusCode.ACTIVE if leaving else entry.status_code,
        }
    )


@pytest.mark.slow
async def test_the_report_of_every_business_is_what_the_registers_own_file_says(
    source: Source, live: LiveConnector, live_world: Path, canonical: dict[str, RegistryEntry]
) -> None:
    assert {business.standing for business in KNOWN} >= set(LifecycleStatus) - {LifecycleStatus.LEAVING}
    async with asking(source, live_world) as context:
        for business in KNOWN:
            entry = await reported(live, context, business.number)
            assert entry is not None
            home = entry.home_jurisdiction
            plain = entry.model_copy(update={"home_jurisdiction": None, "status_history": ()})
            assert plain == published(canonical[business.number], business)
            assert bool(entry.status_history) == (entry.status == "Historical")
            assert home is None or business.kind is BusinessKind.EXTRA_PROVINCIAL
            assert home != BC
    assert not context.words.report.unknown_terms


async def test_what_is_found_is_what_is_reported_but_for_the_past(source: Source, live: LiveConnector, live_world: Path) -> None:
    renamed = next(business for business in KNOWN if business.former_names)
    async with asking(source, live_world) as context:
        [entry] = await found(live, context, number=renamed.number)
        report = await reported(live, context, renamed.number)
    assert report is not None
    assert entry == report.model_copy(update={"name_history": ()})
    [former] = renamed.former_names
    assert report.name_history == (
        NameHistoryItem(type="former", name=former.name, effective_date=renamed.registered_on, end_date=former.until),
    )
    assert report.source_url == f"https://orgbook.gov.bc.ca/entity/{renamed.number}"


async def test_companies_from_elsewhere_name_their_home(source: Source, live: LiveConnector, live_world: Path) -> None:
    homes = set()
    async with asking(source, live_world) as context:
        for business in KNOWN:
            if business.kind is BusinessKind.EXTRA_PROVINCIAL:
                entry = await reported(live, context, business.number)
                assert entry is not None
                homes.add(entry.home_jurisdiction)
    assert len(homes) > 2
    assert not homes & {"FD", "OT", "BC"}


async def test_the_day_of_an_amalgamation_is_said_not_to_be_that_of_an_incorporation(
    source: Source, live: LiveConnector, live_world: Path
) -> None:
    begun = next(business for business in KNOWN if business.kind is BusinessKind.COMPANY and business.random_bits % 12 == 1)
    async with asking(source, live_world) as context:
        entry = await reported(live, context, begun.number)
    assert entry is not None
    assert entry.incorporation_date == begun.registered_on
    assert f"{begun.number}: the registration date is that of an amalgamation, not of an incorporation" in (
        context.words.report.notes
    )


# ------------------------------------------------------------------------------------------------------------ finding


@pytest.mark.parametrize("name", ["Sandbox Slow Registry Inc.", "sandbox slow reg", "Slow Registry"])
async def test_a_business_is_found_by_its_name_or_a_part_of_it(
    source: Source, live: LiveConnector, live_world: Path, name: str
) -> None:
    async with asking(source, live_world) as context:
        entries = await found(live, context, name=name)
    assert entries[0].legal_name == "Sandbox Slow Registry Inc."
    assert {entry.jurisdiction for entry in entries} == {BC}


@pytest.mark.parametrize(
    "number",
    ["BC1000033", "bc 1000033", "1000033", "BC-1000033", "Incorporation No. BC1000033", "990000051", "BN 99000 0051 RC0001"],
)
async def test_a_business_is_found_by_its_number_in_any_spelling(
    source: Source, live: LiveConnector, live_world: Path, number: str
) -> None:
    async with asking(source, live_world) as context:
        assert [entry.entry_id for entry in await found(live, context, number=number)] == ["BC1000033"]


@pytest.mark.parametrize("standing", [LifecycleStatus.DISSOLVED, LifecycleStatus.AMALGAMATED, LifecycleStatus.CANCELLED])
async def test_what_has_ended_is_found_too(
    source: Source, live: LiveConnector, live_world: Path, standing: LifecycleStatus
) -> None:
    business = one_of(standing=standing)
    async with asking(source, live_world) as context:
        entries = await found(live, context, name=business.name, number=business.business_number)
    assert entries[0].entry_id == business.number
    assert (entries[0].status, entries[0].status_code, entries[0].good_standing) == ("Historical", standing.value, False)


async def test_numbers_of_a_series_of_their_own_keep_its_letters(source: Source, live: LiveConnector, live_world: Path) -> None:
    firm = one_of(kind=BusinessKind.FIRM)
    async with asking(source, live_world) as context:
        assert [entry.entry_id for entry in await found(live, context, number=f"BC {firm.number}")] == [firm.number]
        assert await found(live, context, number=firm.number[2:]) == []


async def test_a_question_takes_three_calls_at_the_most_and_a_report_two(
    source: Source, live: LiveConnector, live_world: Path
) -> None:
    async with asking(source, live_world) as plain:
        context, calls = counted(plain)
        entries = await found(live, context, name="Inc Ltd Holdings Services Sandbox Foundation", number="BC1000033")
        assert len(calls) <= 3
        assert len(entries) <= 21
        assert entries[0].entry_id == "BC1000033"
        calls.clear()
        await reported(live, context, "BC1000033")
        assert [call.url.partition("/v4/")[2] for call in calls] == ["search/topic", "topic/1000033/credential-set"]


async def test_a_number_that_no_business_of_the_register_can_have_is_not_asked_for(
    source: Source, live: LiveConnector, live_world: Path
) -> None:
    async with asking(source, live_world) as plain:
        context, calls = counted(plain)
        assert await found(live, context, number="1160000017") == []
        assert calls == []


@pytest.mark.parametrize(
    ("name", "number"),
    [("Zyzzyva Nonesuch Qqq", None), (None, "BC9999999"), (None, "FM1000033"), (None, "990000010"), (None, "123456789")],
    ids=["a name", "a number", "another series", "a business number of another register", "a business number that is none"],
)
async def test_what_it_does_not_have_is_not_found(
    source: Source, live: LiveConnector, live_world: Path, name: str | None, number: str | None
) -> None:
    async with asking(source, live_world) as context:
        assert await found(live, context, name=name, number=number) == []


async def test_a_number_that_it_does_not_have_has_no_report(source: Source, live: LiveConnector, live_world: Path) -> None:
    async with asking(source, live_world) as context:
        assert await reported(live, context, "BC9999999") is None


@pytest.mark.parametrize("number", ["1160000017", "990000051", "Heron", ""])
async def test_a_report_of_what_is_no_number_of_the_register_is_refused(source: Source, live: LiveConnector, number: str) -> None:
    with pytest.raises(InvalidInput, match="British Columbia"):
        await reported(live, saved(source), number)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("772006", "BC0772006"),
        ("BC 0772006", "BC0772006"),
        ("BC FM530375", "FM0530375"),
        ("S-12345", "S0012345"),
        ("reg no XCP0000123", "XCP0000123"),
        ("835752437", None),
        ("835752437RC0001", None),
        ("ABCD12", None),
        ("12345678", None),
    ],
)
def test_a_number_is_padded_behind_the_letters_of_its_series(text: str, number: str | None) -> None:
    assert normalize_own_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [("835752437", "835752437"), ("BN 835752437 RC0001", "835752437"), ("835752437BC0001", "835752437"), ("BC0772006", None)],
)
def test_a_business_number_is_its_nine_digits(text: str, number: str | None) -> None:
    assert business_number(text) == number


# ------------------------------------------------------------------------------------------------------------ words and days


def test_every_kind_of_the_register_has_words_and_most_have_a_common_code(source: Source) -> None:
    kinds = {word: label for word, label in source.metadata.terms.items() if word.isupper() and word not in {"ACT", "HIS"}}
    assert len(kinds) == 51
    assert parse_entity_type_code(kinds["BC"]) is parse_entity_type_code(kinds["C"]) is EntityTypeCode.CORPORATION
    assert parse_entity_type_code(kinds["XP"]) is EntityTypeCode.LIMITED_PARTNERSHIP
    without = {word for word, label in kinds.items() if parse_entity_type_code(label) is None}
    assert without == {"FI", "NON", "OTH", "VP", *(f"{ulc}Q{letter}" for ulc in ("", "U") for letter in "ABCDE")}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2014-02-01T05:49:01+00:00", date(2014, 1, 31)),
        ("2014-07-01T06:59:59Z", date(2014, 6, 30)),
        ("2014-07-01T07:00:00+00:00", date(2014, 7, 1)),
        ("2015-02-17T23:24:41-08:00", date(2015, 2, 17)),
        ("2018-01-01", date(2018, 1, 1)),
        ("0001-01-01T00:00:00+00:00", None),
        (None, None),
    ],
)
def test_an_instant_is_of_the_day_that_it_was_in_british_columbia(text: str | None, day: date | None) -> None:
    assert parse_day(text, "registration_date") == day


# ------------------------------------------------------------------------------------------------------------ real answers


def answered(path: Path) -> SourceResponse:
    return SourceResponse(SourceRequest("https://orgbook.gov.bc.ca/api/v4/"), 200, "application/json", path.read_bytes(), ASKED_AT)


@pytest.mark.realdata
async def test_the_answers_of_the_published_guide_are_in_the_shape_that_is_read(shared_data: Path) -> None:
    folder = shared_data / "registries" / "BC"
    page = read_page(answered(folder / "orgbook_v4_search_topic_BC0772006.json"))
    assert [(topic.id, topic.source_id) for topic in page.results] == [(785314, "BC0772006")]
    [registration] = read_credentials(answered(folder / "orgbook_v4_topic_785314_credential_set.json"))
    assert (registration.fact("entity_status"), registration.fact("entity_type")) == ("ACT", "BC")


@pytest.mark.realdata
async def test_every_code_of_the_published_tables_has_its_words(source: Source, shared_data: Path) -> None:
    folder, metadata = shared_data / "registries" / "BC", source.metadata
    kinds = json.loads((folder / "orgbook_entity_type_labels.json").read_text(encoding="utf-8"))
    reasons = set(json.loads((folder / "orgbook_reason_description_labels.json").read_text(encoding="utf-8")))
    assert len(kinds) == 50
    assert kinds.keys() <= metadata.terms.keys()
    assert {word for word in metadata.statuses if ":" in word} <= reasons
    assert {word.removeprefix("begins by ") for word in metadata.terms if word.startswith("begins by ")} <= reasons


# ------------------------------------------------------------------------------------------------------------ failures


def page_of(**changes: object) -> FixedResponseFault:
    """A page of one business that is whole but for the changes; None takes a key away."""
    topic: dict[str, object] = {
        "id": 1,
        "source_id": "BC1000033",
        "type": "registration.registries.ca",
        "names": [{"type": "entity_name", "text": "HERON INC."}],
        "attributes": [{"type": "entity_status", "value": "ACT"}],
    }
    topic = {key: value for key, value in (topic | changes).items() if value is not None}
    return FixedResponseFault(json.dumps({"total": 1, "next": None, "results": [topic]}).encode())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        (StatusFault(429, 1), SourceRateLimited, "limits the rate of requests"),
        (RateLimitFault(1), SourceRateLimited, "limits the rate of requests"),
        (StatusFault(400), UpstreamFailed, "400"),
        (StatusFault(503), UpstreamFailed, "503"),
        (StatusFault(404), SourceNotFound, "was not found"),
        (ChallengePageFault(), SourceUnavailable, "web page"),
        (GarbageFault(), ParseFailed, "not JSON"),
        (FixedResponseFault(b"null"), ParseFailed, "unexpected response"),
        (FixedResponseFault(b"[]"), ParseFailed, "unexpected response"),
        (FixedResponseFault(b'{"detail": "Please wait."}'), ParseFailed, "total: Field required"),
        (FixedResponseFault(b'{"total": 0, "next": null}'), ParseFailed, "results: Field required"),
        (FixedResponseFault(b'{"total": 3, "next": null, "results": []}'), ParseFailed, "counts 3 results but lists none"),
        (page_of(id=None), ParseFailed, r"results\.0\.id: Field required"),
        (page_of(names=None), ParseFailed, r"results\.0\.names: Field required"),
        (page_of(names=["HERON"]), ParseFailed, r"results\.0\.names\.0"),
        (page_of(names=[]), ParseFailed, "no business has the field entity_name"),
        (page_of(attributes=[{"type": "status", "value": "ACT"}]), ParseFailed, "no business has the field entity_status"),
        (page_of(attributes=[{"type": "entity_status", "value": 1}]), ParseFailed, r"results\.0\.attributes\.0\.value"),
    ],
)
async def test_what_goes_wrong_ends_in_an_error_and_never_in_nothing_found(
    source: Source, live: LiveConnector, live_world: Path, fault: LiveFault, error: type[SourceError], message: str
) -> None:
    async with asking(source, live_world, fault) as context:
        with pytest.raises(error, match=message):
            await found(live, context, name="Sandbox Slow")
        if not isinstance(fault, RateLimitFault):
            with pytest.raises(error, match=message):
                await reported(live, context, "BC1000033")


async def test_a_date_that_is_none_is_an_error(source: Source, live: LiveConnector, live_world: Path) -> None:
    facts = [{"type": "entity_status", "value": "ACT"}, {"type": "registration_date", "value": "yesterday"}]
    async with asking(source, live_world, page_of(attributes=facts)) as context:
        with pytest.raises(ParseFailed, match="registration_date is not a date: 'yesterday'"):
            await found(live, context, name="Sandbox Slow")


OTHER: dict[str, object] = {
    "credential_type": {"description": "other.example"},
    "effective_date": None,
    "names": [],
    "attributes": [],
}


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (404, b'{"detail": "Not found."}', SourceNotFound),
        (200, b"[]", ParseFailed),
        (200, b'[{"id": 1}]', ParseFailed),
        (200, json.dumps([{"credentials": [OTHER]}]).encode(), ParseFailed),
    ],
)
async def test_a_business_without_its_credentials_is_an_error(
    source: Source, live: LiveConnector, status: int, body: bytes, error: type[SourceError]
) -> None:
    whole = saved(source)

    async def ask(call: SourceRequest) -> SourceResponse:
        answer = await whole.ask(call)
        return answer if call.url.endswith("search/topic") else replace(answer, status=status, body=body)

    with pytest.raises(error):
        await reported(live, LiveContext(source.metadata, ask), "A0099001")


@pytest.mark.slow
async def test_a_register_that_hangs_can_be_given_up(source: Source, live: LiveConnector, live_world: Path) -> None:
    async with asking(source, live_world, HangFault(5)) as context:
        with pytest.raises(TimeoutError), anyio.fail_after(0.2):
            await found(live, context, name="Sandbox")


# ------------------------------------------------------------------------------------------------------------ the protocol


async def said(context: LiveContext, path: str, *params: tuple[str, str]) -> Any:
    return json.loads((await context.get(path, params)).body)


async def test_the_sandbox_pages_by_ten_and_refuses_what_lies_behind_the_tenth(source: Source, live_world: Path) -> None:
    asked = (("q", "inc ltd"), ("inactive", "any"))
    async with asking(source, live_world) as context:
        first = await said(context, "search/topic", *asked)
        assert (first["page"], first["page_size"], first["first_index"], first["last_index"]) == (1, 10, 1, 10)
        assert first["next"].endswith("page=2")
        assert first["previous"] is None
        seen: list[str] = []
        for page in range(1, first["total"] // 10 + 2):
            seen += [topic["source_id"] for topic in (await said(context, "search/topic", *asked, ("page", str(page))))["results"]]
        assert len(set(seen)) == len(seen) == first["total"]
        assert (await context.get("search/topic", (*asked, ("page", "10")))).status == 404
        with pytest.raises(UpstreamFailed, match="400"):
            await context.get("search/topic", (*asked, ("page", "11")))


async def test_the_sandbox_leaves_out_what_is_historical_unless_it_is_asked_for(source: Source, live_world: Path) -> None:
    ended = one_of(standing=LifecycleStatus.DISSOLVED)
    async with asking(source, live_world) as context:
        totals = [
            (await said(context, "search/topic", ("q", ended.number), *more))["total"]
            for more in ((), (("inactive", "any"),), (("inactive", "true"),), (("inactive", "false"),))
        ]
    assert totals == [0, 1, 1, 0]


async def test_the_sandbox_completes_names_and_numbers(source: Source, live_world: Path) -> None:
    async with asking(source, live_world) as context:
        for query, hit in {
            "Sandbox Slow": ("name", "entity_name", "Sandbox Slow Registry Inc."),
            "BC1000033": ("topic", "source_id", "BC1000033"),
            "990000051": ("name", "business_number", "990000051"),
        }.items():
            best = (await said(context, "search/autocomplete", ("q", query)))["results"][0]
            assert (best["type"], best["sub_type"], best["value"], best["topic_source_id"]) == (*hit, "BC1000033")


def test_the_sandbox_announces_its_limits(live_world: Path) -> None:
    response = handle_request(
        ProtocolRequest("GET", "search/topic", {"q": "BC1000033"}, {}, b""), BusinessDirectory(live_world, DEFAULT_SEED)
    )
    assert (response.status_code, response.headers["ratelimit-limit"]) == (200, "25")


async def test_the_sandbox_has_topics_without_addresses(source: Source, live_world: Path) -> None:
    async with asking(source, live_world) as context:
        topic = (await said(context, "search/topic", ("q", "BC1000033")))["results"][0]
        assert topic["addresses"] == []
        assert await said(context, f"topic/{topic['id']}") == {
            "id": topic["id"],
            "source_id": "BC1000033",
            "type": "registration.registries.ca",
            "related_to": [],
            "related_from": [],
        }
        for path in ("topic/99999999", "topic/99999999/credential-set", "topic/1000033/formatted", "issuer"):
            assert (await context.get(path)).status == 404
