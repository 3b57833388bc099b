"""The Global LEI index asked through the real client over HTTP, at the sandbox, against what its golden copy says."""

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from bonafide.errors import ParseFailed, SourceError, SourceNotFound, SourceRateLimited, SourceUnavailable, UpstreamFailed
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entry import RegulatoryEntry
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import Source, get_source
from bonafide.sources.framework.live import LiveConnector, LiveContext, LiveQuery
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    FixedResponseFault,
    GarbageFault,
    HangFault,
    LiveFault,
    StatusFault,
)
from tests.support.sources.live_clients import ASKED_AT, asking

pytestmark = pytest.mark.anyio
HERE = Path(__file__).parent / "gleif"


@pytest.fixture(scope="module")
def source() -> Source:
    return get_source("gleif")


@pytest.fixture(scope="module")
def live(source: Source) -> LiveConnector:
    assert source.live is not None
    return source.live


@pytest.fixture(scope="module")
def golden(source: Source, live_world: Path) -> list[RegulatoryEntry]:
    """What the parser of files makes of the golden copy of the same world."""
    [path] = (live_world / "gleif").glob("*lei2*.zip")
    assert source.parse is not None
    resource = Resource(path.name, path, path.name, ASKED_AT, "", path.stat().st_size)
    entries = list(source.parse([resource], ParseContext(source.metadata)))
    return [entry for entry in entries if isinstance(entry, RegulatoryEntry)]


async def found(
    live: LiveConnector, context: LiveContext, *, name: str | None = None, number: str | None = None
) -> list[RegulatoryEntry]:
    assert live.find is not None
    entries = list(await live.find(LiveQuery(name, number), context))
    assert len({entry.entry_id for entry in entries}) == len(entries)
    return [entry for entry in entries if isinstance(entry, RegulatoryEntry)]


def record(**entity: object) -> FixedResponseFault:
    """One page with the first record of the saved answer, changed."""
    answer = saved()
    answer["data"] = answer["data"][:1]
    answer["data"][0]["attributes"]["entity"] |= entity
    return FixedResponseFault(json.dumps(answer).encode())


def saved() -> Any:
    return json.loads((HERE / "lei_records.json").read_bytes())


# ------------------------------------------------------------------------------------------------------------ what it gives


async def test_an_answer_gives_the_entries_that_are_written_down(source: Source, live: LiveConnector, live_world: Path) -> None:
    async with asking(source, live_world, FixedResponseFault((HERE / "lei_records.json").read_bytes())) as context:
        entries = await found(live, context, name="Zephyrine")
    given = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]
    if os.environ.get("BONAFIDE_WRITE_GOLDEN"):
        (HERE / "lei_records.golden.json").write_text(json.dumps(given, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert given == json.loads((HERE / "lei_records.golden.json").read_text(encoding="utf-8"))
    assert context.words.report.unknown_terms == {"status: PETRIFIED": 1}
    declared = {detail.key for detail in source.metadata.details}
    assert all(set(entry.details) <= declared for entry in entries)


async def test_an_answer_and_the_golden_copy_give_the_same_entry(source: Source, live: LiveConnector, live_world: Path) -> None:
    async with asking(source, live_world, FixedResponseFault((HERE / "lei_records.json").read_bytes())) as context:
        entry = (await found(live, context, name="Zephyrine"))[0]
    kept = json.loads((HERE / "golden_copy.golden.json").read_text(encoding="utf-8"))[0]
    assert entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) == kept


async def test_every_entity_of_the_golden_copy_is_found_the_same_by_its_lei(
    source: Source, live: LiveConnector, live_world: Path, golden: list[RegulatoryEntry]
) -> None:
    assert len(golden) > 20
    async with asking(source, live_world) as context:
        for entry in golden:
            assert await found(live, context, number=entry.entry_id) == [entry]


async def test_every_entity_of_the_golden_copy_is_found_by_its_name_and_the_beginning_of_it(
    source: Source, live: LiveConnector, live_world: Path, golden: list[RegulatoryEntry]
) -> None:
    async with asking(source, live_world) as context:
        # The sandbox's directory finds neither initials nor numbers with zeros in front by the normaliser's words for them.
        for entry in [entry for entry in golden if entry.legal_name.split()[0].isalpha()][::3]:
            name = entry.legal_name
            for text in (name, name.partition(" ")[0], name.upper().replace(" ", ", ")):
                entries = await found(live, context, name=text)
                assert entry in entries
                assert all(entry in golden for entry in entries)


async def test_a_registers_number_finds_the_entity_and_none_of_another_country(
    source: Source, live: LiveConnector, live_world: Path, golden: list[RegulatoryEntry]
) -> None:
    async with asking(source, live_world) as context:
        for entry in golden[::3]:
            number = entry.list_search_numbers()[1]
            entries = await found(live, context, number=number)
            assert entry in entries
            assert all(
                not build_number_keys(number).isdisjoint(build_number_keys(entry.list_search_numbers()[1])) for entry in entries
            )


@pytest.mark.slow
@pytest.mark.parametrize(
    "spell",
    [
        lambda entry: f"LEI {entry.entry_id}",
        lambda entry: " ".join((entry.entry_id[:8], entry.entry_id[8:].lower())),
        lambda entry: f"{entry.join_numbers[0].jurisdiction} {entry.join_numbers[0].value}",
        lambda entry: f"{entry.join_numbers[0].value[:-1]}-{entry.join_numbers[0].value[-1]}",
        lambda entry: entry.join_numbers[0].value.removeprefix("BC"),
    ],
    ids=["with words", "with a space", "with its register's letters", "with a dash", "without British Columbia's letters"],
)
async def test_a_number_is_found_in_the_usual_spellings(
    source: Source, live: LiveConnector, live_world: Path, golden: list[RegulatoryEntry], spell: Callable[[RegulatoryEntry], str]
) -> None:
    for prefix in ("BC", "1", "2"):
        entry = next(entry for entry in golden if entry.list_search_numbers()[1].startswith(prefix))
        async with asking(source, live_world) as context:
            assert entry in await found(live, context, number=spell(entry))


async def test_what_has_the_number_comes_before_what_has_the_name(
    source: Source, live: LiveConnector, live_world: Path, golden: list[RegulatoryEntry]
) -> None:
    named, numbered = golden[0], golden[1]
    async with asking(source, live_world) as context:
        entries = await found(live, context, name=named.legal_name, number=numbered.entry_id)
    assert entries[0] == numbered
    assert named in entries


@pytest.mark.parametrize(
    "asked",
    [LiveQuery("Zzyzzx Qwvk", None), LiveQuery(None, "5493008ZYIONF7JPJL24"), LiveQuery(None, "199999999"), LiveQuery(",", " - ")],
)
async def test_what_is_not_in_the_index_is_not_found(
    source: Source, live: LiveConnector, live_world: Path, asked: LiveQuery
) -> None:
    async with asking(source, live_world) as context:
        assert await found(live, context, name=asked.name, number=asked.number) == []


def test_there_is_no_report_beyond_what_is_found(live: LiveConnector) -> None:
    assert live.report is None


# ------------------------------------------------------------------------------------------------------------ the protocol


async def test_the_sandbox_pages_and_refuses_as_the_interface_does(
    source: Source, live_world: Path, golden: list[RegulatoryEntry]
) -> None:
    words = " ".join(entry.legal_name.split()[0] for entry in golden[:6])
    async with asking(source, live_world) as context:

        async def page(*params: tuple[str, str]) -> Any:
            answer = await context.get("", params, {"Accept": "application/vnd.api+json"})
            assert answer.content_type == "application/vnd.api+json"
            return json.loads(answer.body)

        filters = (("filter[fulltext]", words), ("filter[entity.legalAddress.country]", "CA"))
        whole = await page(*filters, ("page[size]", "200"))
        total = whole["meta"]["pagination"]["total"]
        assert total == len(whole["data"]) > 2
        pages = [await page(*filters, ("page[size]", "2"), ("page[number]", str(number))) for number in (1, -(-total // 2))]
        assert [one["meta"]["pagination"]["lastPage"] for one in pages] == [-(-total // 2)] * 2
        assert (pages[0]["data"], pages[1]["data"][-1]) == (whole["data"][:2], whole["data"][-1])
        for params in ((("filter[nonsense]", "x"),), (("page[size]", "201"),), (("page[number]", "0"),)):
            with pytest.raises(UpstreamFailed, match="400"):
                await page(*params)
        with pytest.raises(UpstreamFailed, match="406"):
            await context.get("", filters, {"Accept": "text/html"})


async def test_pages_are_turned_until_the_last_or_the_limit(source: Source, live: LiveConnector) -> None:
    asked: list[SourceRequest] = []

    async def ask(call: SourceRequest) -> SourceResponse:
        asked.append(call)
        answer = copy.deepcopy(saved())
        answer["meta"]["pagination"]["lastPage"] = 9
        return SourceResponse(call, 200, "application/vnd.api+json", json.dumps(answer).encode(), ASKED_AT)

    assert len(await found(live, LiveContext(source.metadata, ask), name="Zephyrine")) == 2
    assert [dict(call.params)["page[number]"] for call in asked] == ["1", "2", "3"]
    assert all(call.headers["Accept"] == "application/vnd.api+json" for call in asked)


# ------------------------------------------------------------------------------------------------------------ failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        (StatusFault(429, 1), SourceRateLimited, "limits the rate of requests"),
        (StatusFault(503), UpstreamFailed, "503"),
        (StatusFault(404), SourceNotFound, "does not exist"),
        (ChallengePageFault(), SourceUnavailable, "web page"),
        (GarbageFault(), ParseFailed, "not JSON"),
        (FixedResponseFault(b"null"), ParseFailed, "data or"),
        (FixedResponseFault(b"[]"), ParseFailed, "data or"),
        (FixedResponseFault(b'{"data": []}'), ParseFailed, "lastPage"),
        (FixedResponseFault(b'{"data": {}, "meta": {"pagination": {"lastPage": 1}}}'), ParseFailed, "data is not a list"),
        (FixedResponseFault(b'{"data": [null], "meta": {"pagination": {"lastPage": 1}}}'), ParseFailed, r"data\[\] is missing"),
        (FixedResponseFault(b'{"errors": [{"status": "400", "title": "Invalid filter"}]}'), ParseFailed, "Invalid filter"),
        (record(legalName=None), ParseFailed, "LegalName is empty"),
        (record(legalName="ZEPHYRINE"), ParseFailed, "legalName"),
        (record(registeredAs=4300017), ParseFailed, "registeredAs is not text"),
        (record(legalAddress=None), ParseFailed, "legalAddress is missing"),
        (record(otherNames={"name": "x"}), ParseFailed, "otherNames is not a list"),
        (record(otherNames=["x"]), ParseFailed, r"otherNames\[\] is missing"),
        (record(creationDate="long ago"), ParseFailed, "EntityCreationDate is not a date"),
    ],
)
async def test_what_goes_wrong_ends_in_an_error_and_never_in_nothing_found(
    source: Source, live: LiveConnector, live_world: Path, fault: LiveFault, error: type[SourceError], message: str
) -> None:
    async with asking(source, live_world, fault) as context:
        for asked in ({"name": "Zephyrine"}, {"number": "999900ZEPH0000000145"}, {"number": "4300017"}):
            with pytest.raises(error, match=message) as raised:
                await found(live, context, **asked)
            assert raised.value.retry_after_s == (1 if error is SourceRateLimited else None)


@pytest.mark.slow
async def test_an_index_that_hangs_can_be_given_up(source: Source, live: LiveConnector, live_world: Path) -> None:
    async with asking(source, live_world, HangFault(5)) as context:
        with pytest.raises(TimeoutError), anyio.fail_after(0.2):
            await found(live, context, name="Zephyrine")
