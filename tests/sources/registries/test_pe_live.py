"""Prince Edward Island asked live: saved pages, the made-up register over HTTP, and all that can come instead of an answer."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bonafide.errors import InvalidInput, ParseFailed, SourceError, SourceRateLimited, SourceUnavailable, UpstreamFailed
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.canonical.parser import parse_canonical
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import LiveContext, LiveQuery, RegistrationQuery
from bonafide.sources.registries.pe.gateway import SEARCH, VIEW, fetch_page
from bonafide.sources.registries.pe.live import find, report
from bonafide.sources.registries.pe.search import MAX_PAGES, PAGE_SIZE, PeiNumbers, parse_numbers
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.protocols import pei
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    FixedResponseFault,
    GarbageFault,
    HangFault,
    LiveFault,
    StatusFault,
)
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import DirectoryWriter
from tests.support.sources.live_clients import ASKED_AT, asking

pytestmark = pytest.mark.anyio
SAVED = Path(__file__).parent / "pe"
PE = Jurisdiction.PE
BY_NAME = LiveQuery("Sandbox Lobster", None)
NOT_AVAILABLE = {"data": [{"type": "Paragraph", "data": {"text": "The service is not available at this time."}, "children": []}]}
MANY = 10_000
"""Businesses of a directory in which some dozens are Prince Edward Island's."""


@pytest.fixture(scope="session")
def pe(register: Callable[[str], Source]) -> Source:
    return register("pe")


@pytest.fixture(scope="session")
def full_register(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory, without the files of a world, that has more of the register's businesses than it shows on two pages."""
    folder = tmp_path_factory.mktemp("full")
    writer = DirectoryWriter(folder)
    for business in (*(fixed.business for fixed in KNOWN_BUSINESSES), *create_businesses(DEFAULT_SEED, 0, MANY)):
        writer.take(business)
    writer.close()
    return folder


@pytest.fixture(scope="session")
def in_file(pe: Source, live_world: Path, as_resource: Callable[[Path], Resource]) -> dict[str, RegistryEntry]:
    """The world's businesses as the register's canonical file has them, by number."""
    entries = parse_canonical([as_resource(live_world / "pe" / "register.csv")], ParseContext(pe.metadata), None)
    return {entry.entry_id: entry for entry in entries}


class Saying:
    """A gateway that says these things one after another, and remembers what it was asked."""

    def __init__(self, *contents: Any) -> None:
        self._contents = [content if isinstance(content, bytes) else json.dumps(content).encode() for content in contents]
        self.asked: list[Any] = []

    async def __call__(self, call: SourceRequest) -> SourceResponse:
        self.asked.append(call.json)
        return SourceResponse(call, 200, "application/json", self._contents[len(self.asked) - 1], ASKED_AT)


def saved(name: str) -> Any:
    return json.loads((SAVED / f"{name}.json").read_bytes())


def expected(document: Any) -> RegistryEntry:
    """A saved entry; what entries have gained since it was saved is empty in it."""
    return RegistryEntry.model_validate_json(json.dumps(document))


def element(kind: str, *children: Any, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data, "children": list(children)}


def results(*numbers: str, total: int | None = None) -> dict[str, Any]:
    """A page of a search on which each number has a row."""
    links = [element("LinkV2", text=f"FIRM {number}", queryParams={"id": f"9{number[-6:]}"}) for number in numbers]
    rows = [
        element(
            "TableV2Row",
            element("TableV2Cell", link),
            *(element("TableV2Cell", text=text) for text in (number, "Partnership", "Active")),
        )
        for number, link in zip(numbers, links, strict=True)
    ]
    counted = element("Paragraph", text=f"Showing results 1-{len(numbers)} of {total if total is not None else len(numbers):,}")
    return {"data": [counted, *rows]}


def record(**changes: str | None) -> dict[str, Any]:
    """The saved record with other values, by label with an underscore for a blank."""
    page: dict[str, Any] = saved("view")
    table = page["data"][1]
    for label, value in changes.items():
        for row in table["children"]:
            if row["children"][0]["data"]["text"] == label.replace("_", " "):
                row["children"][1]["data"]["text"] = value
    return page


async def one_report(pe: Source, page: Any) -> tuple[RegistryEntry, LiveContext]:
    """What is made of a record."""
    context = LiveContext(pe.metadata, Saying(results("990000879-140010"), page))
    entry = await report(RegistrationQuery(PE, "140010"), context)
    assert entry is not None
    return entry, context


# ------------------------------------------------------------------------------------------------------------ saved pages


class TestSavedPages:
    async def test_every_row_of_a_search_is_an_entry(self, pe: Source) -> None:
        context = LiveContext(pe.metadata, Saying(saved("search")))
        entries = await find(BY_NAME, context)
        assert list(entries) == [expected(entry) for entry in saved("search.entries")]
        assert not context.words.report.unknown_terms

    async def test_a_record_is_an_entry_with_all_that_it_says(self, pe: Source) -> None:
        entry, context = await one_report(pe, saved("view"))
        assert entry == expected(saved("view.entry"))
        assert not context.words.report.unknown_terms

    async def test_what_an_entry_has_no_place_for_is_told(self, pe: Source) -> None:
        _, context = await one_report(pe, saved("view"))
        assert context.words.report.notes[1:] == [
            "Nature of business: seafood restaurant & take-out",
            "Former owner: LUC BEAUVALLON",
            "Renewal date: October 22, 2024",
            "Expiry date: December 3, 2027",
        ]

    async def test_the_form_is_sent_whole_with_null_for_what_is_blank(self, pe: Source) -> None:
        gateway = Saying(results("990000879-140010"), saved("view"))
        await report(RegistrationQuery(PE, "140010"), LiveContext(pe.metadata, gateway))
        searched, viewed = gateway.asked
        assert searched["queryVars"].keys() == pei.NEEDED[SEARCH]
        assert viewed["queryVars"].keys() == pei.NEEDED[VIEW]
        assert (searched["queryVars"]["business_number"], searched["queryVars"]["name"]) == ("140010", None)
        assert viewed["queryVars"]["id"] == "9140010"


@pytest.mark.realdata
class TestRealSamples:
    async def test_the_request_is_the_one_that_was_seen(self, pe: Source, shared_data: Path) -> None:
        seen = json.loads((shared_data / "registries" / "PE" / "business_search_request.json").read_bytes())
        gateway = Saying(results("990000879-140010"))
        await find(LiveQuery("BABA", None), LiveContext(pe.metadata, gateway))
        [asked] = gateway.asked
        # A full request also carries the page; the one that was kept does not.
        paging = {"page_number": "1", "page_size": "20"}
        assert asked == {**seen, "queryVars": {**seen["queryVars"], **paging}}

    async def test_a_record_is_read(self, pe: Source, shared_data: Path) -> None:
        sample = json.loads((shared_data / "registries" / "PE" / "business_view_24436.json").read_bytes())
        rows = [
            element("TableV2Row", element("TableV2Header", text=label), element("TableV2Cell", text=value))
            for label, value in sample["rows"].items()
        ]
        number = sample["rows"]["Business Number"]
        context = LiveContext(pe.metadata, Saying(results(number), {"data": rows}))
        entry = await report(RegistrationQuery(PE, sample["rows"]["Registration Number"]), context)
        assert entry is not None
        assert (entry.legal_name, entry.entity_type, entry.status_code) == ("BABA'S LOUNGE", "Trade Name", StatusCode.ACTIVE)
        assert [f"{known.label}: {known.value}" for known in entry.registration_numbers] == [
            "Registration Number: 141006",
            "Business Number (BN): 832815864",
        ]
        assert str(entry.incorporation_date) == "2009-12-23"
        assert [(owner.name, owner.role_details[0].category) for owner in entry.people] == [
            ("CEDARS FOODS (2010) LIMITED", "owner")
        ]
        # In the sample the lines of the address have run together: nothing sets the street apart from the city.
        [address] = entry.addresses
        assert (address.street, address.city, address.province, address.postal_code) == (None, None, "PE", "C1A 4L1")
        assert address.raw == "181 GREAT GEORGE ST CHARLOTTETOWN, PE C1A 4L1"
        assert entry.good_standing is None
        assert not context.words.report.unknown_terms

    async def test_every_status_is_known_as_a_code_and_as_its_page_shows_it(self, pe: Source, shared_data: Path) -> None:
        lines = (shared_data / "registries" / "PE" / "codes.csv").read_text().splitlines()
        codes = [value for kind, _, value in (line.partition(",") for line in lines) if kind == "status"]
        assert codes
        for code in codes:
            for shown in (code, code.replace("_", " ").title(), code.replace("_", " - ", 1).upper()):
                entry, context = await one_report(pe, record(Status=shown))
                assert entry.status == shown
                assert entry.status_code is pe.metadata.statuses[code]
                assert not context.words.report.unknown_terms


# ------------------------------------------------------------------------------------------------------------ the made-up register


class TestTheMadeUpRegister:
    async def test_a_record_says_what_the_registers_file_says(
        self, pe: Source, live_world: Path, in_file: dict[str, RegistryEntry]
    ) -> None:
        async with asking(pe, live_world) as context:
            live = {number: await report(RegistrationQuery(PE, number), context) for number in in_file}
        assert live
        for number, written in in_file.items():
            assert comparable(live[number]) == comparable(written), number
        assert not context.words.report.unknown_terms

    async def test_a_search_says_what_the_record_says_as_far_as_it_goes(
        self, pe: Source, live_world: Path, in_file: dict[str, RegistryEntry]
    ) -> None:
        fields = {
            "entry_id",
            "source_url",
            "legal_name",
            "registration_numbers",
            "entity_type",
            "status",
            "status_code",
            "good_standing",
        }
        async with asking(pe, live_world) as context:
            for number in in_file:
                [found] = await find(LiveQuery(None, number), context)
                whole = await report(RegistrationQuery(PE, number), context)
                assert whole is not None
                assert found.model_dump(include=fields) == whole.model_dump(include=fields)

    @pytest.mark.parametrize(
        "spelling",
        [
            "{number}",
            " 000{number} ",
            "PE {number}",
            "No. {number}",
            "PEI registration number {number}",
            "{bn}-{number}",
            "{bn} - {number}",
        ],
    )
    async def test_a_number_is_found_however_it_is_spelt(
        self, pe: Source, live_world: Path, in_file: dict[str, RegistryEntry], spelling: str
    ) -> None:
        entry = next(iter(in_file.values()))
        asked = spelling.format(number=entry.entry_id, bn=entry.registration_numbers[1].value)
        async with asking(pe, live_world) as context:
            reported = await report(RegistrationQuery(PE, asked), context)
            found = await find(LiveQuery(None, asked), context)
        assert reported is not None
        assert [reported.entry_id, *(hit.entry_id for hit in found)] == [entry.entry_id] * 2

    @pytest.mark.parametrize("spelling", ["{bn}", "BN {bn}", "{bn} RC0001"])
    async def test_a_business_number_finds_its_registration(
        self, pe: Source, live_world: Path, in_file: dict[str, RegistryEntry], spelling: str
    ) -> None:
        entry = next(iter(in_file.values()))
        asked = spelling.format(bn=entry.registration_numbers[1].value)
        async with asking(pe, live_world) as context:
            reported = await report(RegistrationQuery(PE, asked), context)
            found = await find(LiveQuery("no such name at all", asked), context)
        assert reported is not None
        assert [reported.entry_id, *(hit.entry_id for hit in found)] == [entry.entry_id] * 2

    async def test_a_part_of_the_name_is_enough(self, pe: Source, live_world: Path, in_file: dict[str, RegistryEntry]) -> None:
        async with asking(pe, live_world) as context:
            for entry in in_file.values():
                part = entry.legal_name.rpartition(" ")[0]
                assert entry.entry_id in [found.entry_id for found in await find(LiveQuery(part, None), context)]

    async def test_what_is_not_there_is_none_and_nothing(self, pe: Source, live_world: Path) -> None:
        async with asking(pe, live_world) as context:
            assert await report(RegistrationQuery(PE, "999999"), context) is None
            assert await report(RegistrationQuery(PE, "990000010"), context) is None
            assert await find(LiveQuery("Xyzzyx Qwortle", "999999"), context) == []

    async def test_the_number_of_another_register_is_not_asked_for(self, pe: Source) -> None:
        context = LiveContext(pe.metadata, Saying())
        assert await find(LiveQuery(None, "1160000017"), context) == []
        with pytest.raises(InvalidInput, match="'1160000017' is not a number of"):
            await report(RegistrationQuery(PE, "1160000017"), context)


class TestManyResults:
    async def test_all_rows_of_two_pages_are_given_and_the_rest_is_told(self, pe: Source, full_register: Path) -> None:
        there = [business for business in create_businesses(DEFAULT_SEED, 0, MANY) if business.register is PE]
        wanted = there[7]
        # Each word brings the businesses that have it.
        words = " ".join(dict.fromkeys(word for business in there for word in business.name.split() if word.isalnum()))
        async with asking(pe, full_register) as context:
            entries = await find(LiveQuery(words, None), context)
            first = await find(LiveQuery(wanted.name, None), context)
        assert len(entries) == len({entry.entry_id for entry in entries}) == MAX_PAGES * PAGE_SIZE
        assert any("more results for the name, which were not read" in note for note in context.words.report.notes)
        assert wanted.number in [entry.entry_id for entry in first]

    async def test_a_second_page_is_asked_for_only_when_there_is_one(self, pe: Source) -> None:
        numbers = [f"{140_000 + place}" for place in range(PAGE_SIZE)]
        gateway = Saying(results(*numbers))
        assert len(await find(BY_NAME, LiveContext(pe.metadata, gateway))) == PAGE_SIZE
        gateway = Saying(results(*numbers, total=21), results("150000", total=21))
        assert len(await find(BY_NAME, LiveContext(pe.metadata, gateway))) == PAGE_SIZE + 1
        assert [asked["queryVars"]["page_number"] for asked in gateway.asked] == ["1", "2"]

    async def test_a_number_that_several_registrations_bear_is_no_ones_report(self, pe: Source) -> None:
        context = LiveContext(pe.metadata, Saying(results("990000879-140009", "990000879-140010")))
        with pytest.raises(InvalidInput, match="2 registrations have the number 990000879: 990000879-140009 "):
            await report(RegistrationQuery(PE, "990000879"), context)

    async def test_rows_that_bear_another_number_are_passed_over(self, pe: Source) -> None:
        context = LiveContext(pe.metadata, Saying(results("140010", "990000879-140011", "141001"), results("141001")))
        assert [entry.entry_id for entry in await find(LiveQuery(None, "140011"), context)] == ["140011"]
        assert await report(RegistrationQuery(PE, "140012"), context) is None

    async def test_a_number_that_may_be_among_what_is_held_back_is_not_said_to_be_missing(self, pe: Source) -> None:
        page = results(*(f"{140_000 + place}" for place in range(PAGE_SIZE)), total=1_209)
        context = LiveContext(pe.metadata, Saying(page, page))
        with pytest.raises(InvalidInput, match="may include 150000"):
            await report(RegistrationQuery(PE, "150000"), context)


# ------------------------------------------------------------------------------------------------------------ what else can come

ROW = results("140010")["data"][1]
ODD: Mapping[str, tuple[Any, type[SourceError], str]] = {
    "the one sentence": (
        NOT_AVAILABLE,
        SourceUnavailable,
        "the same for an outage",
    ),
    "a page for people": (b"<!DOCTYPE html><html></html>", SourceUnavailable, "web page"),
    "nothing": (b"", ParseFailed, "not JSON"),
    "half an answer": (b'{"data": [', ParseFailed, "not JSON"),
    "a list": ([], ParseFailed, "no list of elements"),
    "no data": ({"messages": {"error": []}}, ParseFailed, "no list of elements"),
    "data of the older register": ({"data": {"data": {"keyValuePairs": []}}}, ParseFailed, "no list of elements"),
    "an element of no type": ({"data": [{"data": {"text": "x"}}]}, ParseFailed, "no type"),
    "no elements": ({"data": []}, ParseFailed, "no statement that there are none"),
    "a sentence that is not known": (
        {"data": [element("Paragraph", text="Try again.")]},
        ParseFailed,
        "no statement that there are none",
    ),
    "a count without rows": (
        {"data": [element("Paragraph", text="Showing results 1-3 of 3")]},
        ParseFailed,
        "counts 3 results but lists none",
    ),
    "a full page without a count": ({"data": [ROW] * PAGE_SIZE}, ParseFailed, "does not state the number of results"),
    "rows of fewer columns": ({"data": [element("TableV2Row", *ROW["children"][:3])]}, ParseFailed, "3 cells"),
    "rows without links": (
        {"data": [element("TableV2Row", *[element("TableV2Cell", text="x")] * 4)]},
        ParseFailed,
        "no link with the name",
    ),
    "links that lead nowhere": (
        {"data": [element("TableV2Row", element("TableV2Cell", element("LinkV2", text="FIRM")), *ROW["children"][1:])]},
        ParseFailed,
        "the row of FIRM has no record ID",
    ),
}


@pytest.mark.parametrize(("content", "error", "words"), ODD.values(), ids=ODD)
async def test_an_odd_answer_is_an_error_and_never_nothing(pe: Source, content: Any, error: type[SourceError], words: str) -> None:
    for question in (
        find(BY_NAME, LiveContext(pe.metadata, Saying(content))),
        report(RegistrationQuery(PE, "140010"), LiveContext(pe.metadata, Saying(content))),
    ):
        with pytest.raises(error, match=words):
            await question


@pytest.mark.parametrize("text", ["Showing results 0-0 of 0", "No results found.", "No records match your search."])
async def test_that_nothing_was_found_is_believed_when_it_is_said(pe: Source, text: str) -> None:
    page = {"data": [element("Paragraph", text=text)]}
    assert await find(BY_NAME, LiveContext(pe.metadata, Saying(page))) == []
    assert await report(RegistrationQuery(PE, "140010"), LiveContext(pe.metadata, Saying(page))) is None


FAULTS: Mapping[str, tuple[LiveFault, type[SourceError]]] = {
    "too many questions": (StatusFault(429, 1), SourceRateLimited),
    "an outage": (StatusFault(503), UpstreamFailed),
    "a captcha": (ChallengePageFault(), SourceUnavailable),
    "a gateway that is gone": (StatusFault(404), SourceUnavailable),
    "garbage": (GarbageFault(), ParseFailed),
    "the one sentence": (FixedResponseFault(json.dumps(NOT_AVAILABLE).encode()), SourceUnavailable),
}


class TestOverHttp:
    @pytest.mark.parametrize(("fault", "error"), FAULTS.values(), ids=FAULTS)
    async def test_what_goes_wrong_is_told(self, pe: Source, live_world: Path, fault: LiveFault, error: type[SourceError]) -> None:
        async with asking(pe, live_world, fault) as context:
            with pytest.raises(error) as by_name:
                await find(BY_NAME, context)
            with pytest.raises(error):
                await report(RegistrationQuery(PE, "101867"), context)
        assert by_name.value.retry_after_s == (1 if error is SourceRateLimited else None)

    @pytest.mark.slow
    async def test_silence_ends_with_whoever_waits(self, pe: Source, live_world: Path) -> None:
        async with asking(pe, live_world, HangFault(5)) as context:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await find(BY_NAME, context)

    async def test_a_record_that_is_not_there_reads_like_an_outage(self, pe: Source, live_world: Path) -> None:
        async with asking(pe, live_world) as context:
            with pytest.raises(SourceUnavailable, match="the same for an outage"):
                await fetch_page(VIEW, {"id": "1"}, context)

    @pytest.mark.parametrize("missing", sorted(pei.NEEDED[SEARCH]))
    async def test_the_made_up_gateway_refuses_a_form_that_lacks_a_key(self, pe: Source, live_world: Path, missing: str) -> None:
        gateway = Saying(results("140010"))
        await find(BY_NAME, LiveContext(pe.metadata, gateway))
        [body] = gateway.asked
        del body["queryVars"][missing]
        async with asking(pe, live_world) as context:
            answer = await context.post("", body)
        assert answer.status == 200
        assert pei.NOT_AVAILABLE in answer.body.decode()


# ------------------------------------------------------------------------------------------------------------ values


class TestRecords:
    async def test_a_label_that_is_missing_is_named(self, pe: Source) -> None:
        page = saved("view")
        page["data"][1]["children"] = [
            row
            for row in page["data"][1]["children"]
            if row["children"][0]["data"]["text"] not in {"Status", "Registration Number"}
        ]
        with pytest.raises(ParseFailed, match="missing fields: Status, Registration Number"):
            await one_report(pe, page)

    async def test_a_label_that_is_new_is_counted(self, pe: Source) -> None:
        page = saved("view")
        page["data"][1]["children"].append(
            element("TableV2Row", element("TableV2Header", text="Directors"), element("TableV2Cell", text="LUC BEAUVALLON"))
        )
        _, context = await one_report(pe, page)
        assert dict(context.words.report.unknown_terms) == {"term: Directors": 1}

    async def test_a_status_that_is_new_is_counted_and_kept(self, pe: Source) -> None:
        entry, context = await one_report(pe, record(Status="Under Review"))
        assert (entry.status, entry.status_code, entry.good_standing) == ("Under Review", StatusCode.UNKNOWN, None)
        assert dict(context.words.report.unknown_terms) == {"status: under_review": 1}

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"Entity_Name": None}, "has no Entity Name"),
            ({"Registration_Number": "140011"}, "is that of 140011"),
            ({"Registration_Date": "3/12/2009"}, "Registration Date: '3/12/2009' is not a date"),
        ],
    )
    async def test_a_record_that_can_not_be_right_is_refused(self, pe: Source, changes: dict[str, str | None], words: str) -> None:
        with pytest.raises(ParseFailed, match=words):
            await one_report(pe, record(**changes))

    async def test_an_owner_may_be_a_link(self, pe: Source) -> None:
        page = record(Owner=None)
        [row] = [row for row in page["data"][1]["children"] if row["children"][0]["data"]["text"] == "Owner"]
        row["children"][1]["children"] = [element("LinkV2", text="SANDBOX LOBSTER HOLDINGS INC.", queryParams={"id": "24003"})]
        entry, _ = await one_report(pe, page)
        assert [owner.name for owner in entry.people] == ["SANDBOX LOBSTER HOLDINGS INC."]

    @pytest.mark.parametrize(
        ("status", "kind", "good_standing"),
        [
            ("Active", "Incorporated Company", True),
            ("Active", "Non Profit", True),
            ("Active", "Trade Name", None),
            ("Active", "Partnership", None),
            ("Inactive Non Payment", "Incorporated Company", False),
            ("Inactive Non Payment", "Partnership", False),
            ("Pending Dissolution", "Cooperative", False),
            ("Administratively Dissolved", "Incorporated Company", False),
            ("Expired", "Trade Name", None),
            ("Transitioning", "Incorporated Company", None),
        ],
    )
    async def test_good_standing_follows_from_the_status_where_it_does(
        self,
        pe: Source,
        status: str,
        kind: str,
        good_standing: bool | None,  # noqa: FBT001 - a column of the table
    ) -> None:
        entry, _ = await one_report(pe, record(Status=status, Business_Type=kind))
        assert entry.good_standing is good_standing

    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("1 WATER ST&#10;SOURIS, PE C0A 2B0", ("1 WATER ST", "SOURIS", "PE", "C0A 2B0", None)),
            ("1 WATER ST&#10;SOURIS PE C0A2B0&#10;CANADA", ("1 WATER ST", "SOURIS", "PE", "C0A 2B0", "CANADA")),
            ("C/O A FIRM&#10;PO BOX 1&#10;SAINT JOHN, NB, E2L 1A1", ("C/O A FIRM, PO BOX 1", "SAINT JOHN", "NB", "E2L 1A1", None)),
            ("1 WATER ST SOURIS, PE C0A 2B0", (None, None, "PE", "C0A 2B0", None)),
            ("1 MAIN ST&#10;BOSTON, MA 02101&#10;USA", (None, None, None, None, None)),
        ],
    )
    async def test_an_address_is_taken_apart_as_far_as_its_lines_tell(
        self, pe: Source, text: str, parts: tuple[str | None, ...]
    ) -> None:
        entry, _ = await one_report(pe, record(Address=text))
        [address] = entry.addresses
        assert (address.street, address.city, address.province, address.postal_code, address.country) == parts
        assert address.raw is not None

    @pytest.mark.parametrize("text", [None, "", " &#10; "])
    async def test_no_address_is_none(self, pe: Source, text: str | None) -> None:
        entry, _ = await one_report(pe, record(Address=text))
        assert entry.addresses == ()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("990000879-140010", PeiNumbers("990000879", "140010")),
        ("990000879 – 0140", PeiNumbers("990000879", "140")),
        ("140010", PeiNumbers(None, "140010")),
        ("PE000141", PeiNumbers(None, "141")),
        ("000140010", PeiNumbers(None, "140010")),
        ("BN 000140010", PeiNumbers("000140010", None)),
        ("990 000 879", PeiNumbers("990000879", None)),
        ("990000879RT0001", PeiNumbers("990000879", None)),
        ("1000017", None),
        ("BC0772006", None),
        ("", None),
        (None, None),
    ],
)
def test_numbers_are_read_in_any_usual_spelling(text: str | None, numbers: PeiNumbers | None) -> None:
    assert parse_numbers(text) == numbers


def comparable(entry: RegistryEntry | None) -> dict[str, Any]:
    """What the live register and its canonical file both tell, in one form.

    Live there are no countries, no days of former names, nobody of a corporation and one word for all owners; the file has the
    codes of statuses, and a good standing for firms.
    """
    assert entry is not None
    document: dict[str, Any] = json.loads(entry.model_copy(update={"source_url": None}).to_json())
    document["status"] = document["status"].casefold().replace("_", " ")
    document["nameHistory"] = [item["name"] for item in document["nameHistory"]]
    for address in document["addresses"]:
        address |= {"country": None, "raw": address["raw"].removesuffix(", CA")}
    firm = document["entityType"] in {"Sole Proprietorship", "Partnership"}
    document["people"] = [person["name"] for person in document["people"]] if firm else []
    document["goodStanding"] = document["goodStanding"] if not firm and document["statusCode"] == "active" else None
    return document
