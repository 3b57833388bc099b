"""The joint search of eight registers, asked through the real client over HTTP, at the sandbox."""

import json
import os
from collections.abc import Callable
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
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import LiveConnector, LiveContext, LiveQuery, RegistrationQuery
from bonafide_sandbox.generator.business import BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.protocols.cbr import FIRM_TYPES, SHOWN, SOURCES
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
from bonafide_sandbox.writers.canonical import STATUS_CODES
from tests.support.sources.live_clients import ASKED_AT, asking

pytestmark = pytest.mark.anyio
HERE = Path(__file__).parent / "cbr"
ABSENT = [jurisdiction for jurisdiction in Jurisdiction if jurisdiction not in SOURCES]
BAKERY = RegistrationQuery(Jurisdiction.ON, "1000017")


@pytest.fixture(scope="module")
def source(register: Callable[[str], Source]) -> Source:
    return register("cbr")


@pytest.fixture(scope="module")
def live(source: Source) -> LiveConnector:
    assert source.live is not None
    return source.live


async def found(
    live: LiveConnector, context: LiveContext, *, name: str | None = None, number: str | None = None
) -> list[RegistryEntry]:
    assert live.find is not None
    answered = await live.find(LiveQuery(name, number), context)
    entries = [entry for entry in answered if isinstance(entry, RegistryEntry)]
    assert len({entry.entry_id for entry in entries}) == len(entries) == len(answered)
    return entries


async def reported(live: LiveConnector, context: LiveContext, jurisdiction: Jurisdiction, number: str) -> RegistryEntry | None:
    assert live.report is not None
    return await live.report(RegistrationQuery(jurisdiction, number), context)


# ------------------------------------------------------------------------------------------------------------ what it gives


async def test_an_answer_gives_the_entries_that_are_written_down(source: Source, live: LiveConnector, live_world: Path) -> None:
    async with asking(source, live_world, FixedResponseFault((HERE / "answer.json").read_bytes())) as context:
        entries = await found(live, context, name="Quillon")
    given = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]
    if os.environ.get("BONAFIDE_WRITE_GOLDEN"):
        (HERE / "entries.json").write_text(json.dumps(given, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert given == json.loads((HERE / "entries.json").read_text(encoding="utf-8"))
    assert context.words.report.unknown_terms == {"status: Bewitched": 1}


@pytest.mark.realdata
async def test_the_document_that_was_seen_is_read(source: Source, live: LiveConnector, live_world: Path, shared_data: Path) -> None:
    sample = (shared_data / "registries" / "CBR" / "search_response_shape.json").read_bytes()
    async with asking(source, live_world, FixedResponseFault(sample)) as context:
        entry = await reported(live, context, Jurisdiction.FED, "426160-7")
    assert entry is not None
    assert (entry.entry_id, entry.legal_name) == ("CC_4261607", "SHOPIFY INC.")
    assert entry.list_search_numbers() == ["4261607", "847871746RC0001"]
    assert (entry.status_code, entry.incorporation_date) == (StatusCode.ACTIVE, date(2004, 9, 28))
    assert [address.raw for address in entry.addresses] == ["OTTAWA, ON"]


def shown_businesses() -> list[SandboxBusiness]:
    """A few of every register that is there, of each standing and kind that comes first."""
    chosen: dict[tuple[Jurisdiction, BusinessKind, LifecycleStatus], SandboxBusiness] = {}
    for business in create_businesses(DEFAULT_SEED, 0, 1000):
        if business.register in SOURCES and (business.register is not Jurisdiction.AB or business.kind is BusinessKind.COMPANY):
            chosen.setdefault((business.register, business.kind, business.standing), business)
    return list(chosen.values())


@pytest.mark.slow
async def test_what_it_says_of_a_business_is_what_the_registers_own_file_says(
    source: Source, live: LiveConnector, live_world: Path
) -> None:
    known = shown_businesses()
    assert {business.register for business in known} == set(SOURCES)
    async with asking(source, live_world) as context:
        for business in known:
            entry = await reported(live, context, business.register, business.number)
            assert entry is not None
            assert (entry.jurisdiction, entry.legal_name, entry.alternate_names) == (
                business.register,
                business.name,
                business.other_names,
            )
            assert entry.registration_numbers[0].value == business.number
            assert entry.incorporation_date == business.registered_on
            assert entry.entity_type == (FIRM_TYPES | BY_JURISDICTION[business.register].types)[business.kind]
            # That a company is about to leave it says by a word that means anything.
            expected = StatusCode.ACTIVE if business.standing is LifecycleStatus.LEAVING else STATUS_CODES[business.standing]
            assert entry.status_code is expected
            assert (entry.addresses[0].city, entry.addresses[0].province) == (business.address.city, business.address.province)
            assert (entry.home_jurisdiction is not None) == (business.kind is BusinessKind.EXTRA_PROVINCIAL)
    assert not context.words.report.unknown_terms


async def test_the_neq_of_quebec_is_not_taken_for_a_business_number(source: Source, live: LiveConnector, live_world: Path) -> None:
    async with asking(source, live_world) as context:
        entry = await reported(live, context, Jurisdiction.QC, "1160000017")
    assert entry is not None
    assert [(number.label, number.value) for number in entry.registration_numbers] == [("NEQ", "1160000017")]


# ------------------------------------------------------------------------------------------------------------ finding


@pytest.mark.parametrize("name", ["Sandbox Bakery Inc.", "sandbox bak", "{Sandbox} Bakery"])
async def test_a_business_is_found_by_its_name_or_a_part_of_it(
    source: Source, live: LiveConnector, live_world: Path, name: str
) -> None:
    async with asking(source, live_world) as context:
        assert (await found(live, context, name=name))[0].entry_id == "ON_1000017"


async def test_registrations_of_one_name_in_several_registers_are_all_found(
    source: Source, live: LiveConnector, live_world: Path
) -> None:
    async with asking(source, live_world) as context:
        entries = await found(live, context, name="Sandbox Twin Holdings")
    assert {"ON_1000025", "AB_2010000025"} <= {entry.entry_id for entry in entries}


@pytest.mark.parametrize(
    ("number", "entry_id"),
    [
        ("990000051", "BC_BC1000033"),
        ("BN 99000 0051 RC0001", "BC_BC1000033"),
        ("BC1000033", "BC_BC1000033"),
        ("bc 1000033", "BC_BC1000033"),
        ("1000033", "BC_BC1000033"),
        ("NEQ 1160-000-017", "QC_1160000017"),
        ("QC1160000017", "QC_1160000017"),
        ("100005-8", "CC_1000058"),
    ],
)
async def test_a_business_is_found_by_its_number(
    source: Source, live: LiveConnector, live_world: Path, number: str, entry_id: str
) -> None:
    async with asking(source, live_world) as context:
        entries = await found(live, context, number=number)
    assert entry_id in {entry.entry_id for entry in entries}
    stated = (text for entry in entries for text in [*entry.list_search_numbers(), entry.home_number or ""])
    assert any(not build_number_keys(number).isdisjoint(build_number_keys(text)) for text in stated)


async def test_what_has_the_number_comes_before_what_has_the_name(source: Source, live: LiveConnector, live_world: Path) -> None:
    async with asking(source, live_world) as context:
        entries = await found(live, context, name="Sandbox Bakery", number="1160000017")
    assert [entry.entry_id for entry in entries][:2] == ["QC_1160000017", "ON_1000017"]


async def test_no_more_is_shown_than_the_search_shows_and_the_operator_is_told(
    source: Source, live: LiveConnector, live_world: Path
) -> None:
    async with asking(source, live_world) as context:
        entries = await found(live, context, name="Ontario Québec Alberta")
    assert len(entries) == SHOWN
    assert any(note.startswith("Canada's Business Registries returned 29 of ") for note in context.words.report.notes)


@pytest.mark.parametrize("asked", [LiveQuery("Zzyzzx Qwvk", None), LiveQuery(None, "199999999"), LiveQuery("{}", " - ")])
async def test_what_it_does_not_have_is_not_found(source: Source, live: LiveConnector, live_world: Path, asked: LiveQuery) -> None:
    async with asking(source, live_world) as context:
        assert await found(live, context, name=asked.name, number=asked.number) == []


# ------------------------------------------------------------------------------------------------------------ reports


@pytest.mark.parametrize(
    ("jurisdiction", "number"),
    [
        (Jurisdiction.BC, "1000033"),
        (Jurisdiction.BC, "BC 1000033"),
        (Jurisdiction.ON, "ON 1000017"),
        (Jurisdiction.FED, "100006-6"),
    ],
)
async def test_a_report_is_of_the_register_and_number_asked_for(
    source: Source, live: LiveConnector, live_world: Path, jurisdiction: Jurisdiction, number: str
) -> None:
    async with asking(source, live_world) as context:
        entry = await reported(live, context, jurisdiction, number)
    assert entry is not None
    assert entry.jurisdiction is jurisdiction
    assert not build_number_keys(number).isdisjoint(build_number_keys(entry.registration_numbers[0].value))


@pytest.mark.parametrize(
    ("jurisdiction", "number"),
    [(Jurisdiction.ON, "1999999"), (Jurisdiction.AB, "1000017"), (Jurisdiction.ON, "990000010"), (Jurisdiction.BC, "1999999")],
    ids=["no such number", "the number is another register's", "the number is a business number", "nor with its letters"],
)
async def test_a_number_that_the_register_does_not_have_has_no_report(
    source: Source, live: LiveConnector, live_world: Path, jurisdiction: Jurisdiction, number: str
) -> None:
    async with asking(source, live_world) as context:
        assert await reported(live, context, jurisdiction, number) is None


@pytest.mark.parametrize("jurisdiction", ABSENT)
async def test_a_register_that_is_not_there_is_said_not_to_be(
    source: Source, live: LiveConnector, live_world: Path, jurisdiction: Jurisdiction
) -> None:
    async with asking(source, live_world) as context:
        with pytest.raises(InvalidInput, match=jurisdiction.label):
            await reported(live, context, jurisdiction, "1000017")


async def test_a_number_that_may_be_held_back_is_not_said_to_be_unknown(
    source: Source, live: LiveConnector, live_world: Path
) -> None:
    answer = json.loads((HERE / "answer.json").read_bytes()) | {"totalResults": 31}
    async with asking(source, live_world, FixedResponseFault(json.dumps(answer).encode())) as context:
        with pytest.raises(InvalidInput, match="omitted 27 results"):
            await reported(live, context, Jurisdiction.ON, "1000017")


# ------------------------------------------------------------------------------------------------------------ the protocol


async def test_the_words_stand_in_braces_and_nothing_is_asked_that_has_no_effect(source: Source, live: LiveConnector) -> None:
    asked: list[SourceRequest] = []

    async def ask(call: SourceRequest) -> SourceResponse:
        asked.append(call)
        return SourceResponse(call, 200, "application/json", b'{"totalResults": 0, "count": 0, "docs": []}', ASKED_AT)

    assert await found(live, LiveContext(source.metadata, ask), name="Smith {& Sons}", number="426160-7") == []
    assert [dict(call.params)["fq"] for call in asked] == [
        "keyword:{4261607}",
        "keyword:{BC4261607}",
        "keyword:{Smith & Sons}",
    ]
    assert {name for call in asked for name, _ in call.params} == {"fq", "lang", "queryaction", "sortfield", "sortorder", "page"}


async def test_the_sandbox_ignores_what_the_register_ignores_and_wants_the_braces(source: Source, live_world: Path) -> None:
    async with asking(source, live_world) as context:

        async def docs(*params: tuple[str, str]) -> Any:
            return json.loads((await context.get("", params)).body)

        plain = await docs(("fq", "keyword:{Sandbox}"))
        rows = (("rows", "3"), ("start", "7"), ("page", "2"))
        assert await docs(("fq", "keyword:{Sandbox}"), *rows) == plain
        assert (await docs(("fq", "keyword:Sandbox")))["totalResults"] == 0
        active = await docs(("fq", "keyword:{Sandbox} Status_State:Active"))
    names = {document["Company_Name"] for document in plain["docs"]} - {document["Company_Name"] for document in active["docs"]}
    assert names == {"Sandbox Dissolved Corp."}


def test_the_terms_stand_before_every_question(source: Source) -> None:
    assert source.metadata.live is not None
    assert source.metadata.live.terms is not None
    assert "permission" in source.metadata.live.terms.text
    assert source.metadata.jurisdiction is None


# ------------------------------------------------------------------------------------------------------------ failures


ONE: dict[str, object] = {
    "Registry_Source": "ON",
    "Company_Name": "QUILLON INC.",
    "Juri_ID": "1000017",
    "Status_State": "Active",
}


def one(**changes: object) -> FixedResponseFault:
    document = {field: value for field, value in (ONE | changes).items() if value is not None}
    return FixedResponseFault(json.dumps({"totalResults": 1, "count": 1, "docs": [document]}).encode())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        (StatusFault(429, 1), SourceRateLimited, "limits the rate of requests"),
        (RateLimitFault(1), SourceRateLimited, "limits the rate of requests"),
        (StatusFault(503), UpstreamFailed, "503"),
        (StatusFault(404), SourceNotFound, "was not found"),
        (ChallengePageFault(), SourceUnavailable, "web page"),
        (GarbageFault(), ParseFailed, "not JSON"),
        (FixedResponseFault(b"[]"), ParseFailed, "not an object"),
        (FixedResponseFault(b'{"docs": []}'), ParseFailed, "totalResults"),
        (FixedResponseFault(b'{"totalResults": 0}'), ParseFailed, "docs"),
        (FixedResponseFault(b'{"totalResults": 3, "docs": []}'), ParseFailed, "lists none"),
        (FixedResponseFault(b'{"totalResults": 1, "docs": ["x"]}'), ParseFailed, "not an object"),
        (FixedResponseFault(b'{"error": {"msg": "undefined field keyword", "code": 400}}'), ParseFailed, "totalResults"),
        (one(Registry_Source=None), ParseFailed, "no Registry_Source"),
        (one(Registry_Source="NB"), ParseFailed, "unknown register 'NB'"),
        (one(Company_Name=" "), ParseFailed, "no Company_Name"),
        (one(Juri_ID=None), ParseFailed, "no MRAS_ID"),
        (one(Status_State=None), ParseFailed, "no Status_State"),
        (one(Date_Incorporated="yesterday"), ParseFailed, "not a date: 'yesterday'"),
        (one(BN=847871746), ParseFailed, "BN of a document is not text"),
        (one(Alternate_Name="QUILLON"), ParseFailed, "Alternate_Name of a document is not a list"),
    ],
)
async def test_what_goes_wrong_ends_in_an_error_and_never_in_nothing_found(
    source: Source, live: LiveConnector, live_world: Path, fault: LiveFault, error: type[SourceError], message: str
) -> None:
    async with asking(source, live_world, fault) as context:
        with pytest.raises(error, match=message):
            await found(live, context, name="Quillon")
        if not isinstance(fault, RateLimitFault):
            with pytest.raises(error, match=message):
                await reported(live, context, BAKERY.jurisdiction, BAKERY.number)


@pytest.mark.slow
async def test_a_search_that_hangs_can_be_given_up(source: Source, live: LiveConnector, live_world: Path) -> None:
    async with asking(source, live_world, HangFault(5)) as context:
        with pytest.raises(TimeoutError), anyio.fail_after(0.2):
            await found(live, context, name="Sandbox")
