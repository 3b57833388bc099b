"""Yukon's register, asked at the sandbox over HTTP: what it shows of a record makes the entry that the snapshot's row makes."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bonafide.errors import InvalidInput, ParseFailed, SourceError, SourceUnavailable
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.context import ParseReport
from bonafide.sources.framework.live import LiveQuery, RegistrationQuery
from bonafide.sources.registries.yt.live import find, report
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    FixedResponseFault,
    GarbageFault,
    HangFault,
    LiveFault,
    StatusFault,
)
from tests.support.sources.entity_pages import NONE, TOO_MANY, Played, table, ycor_row
from tests.support.sources.live_clients import asking
from tests.support.sources.live_faults import HTTP_FAULTS

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent
YT = Jurisdiction.YT
Parsed = Callable[..., tuple[list[RegistryEntry], ParseReport]]


@pytest.fixture(scope="module")
def snapshot(live_world: Path, parsed: Parsed) -> dict[str, RegistryEntry]:
    """The world's entries from the file that the register's own writer wrote."""
    entries, _ = parsed("yt", live_world / "yt" / "corporate_entities.csv")
    return {entry.entry_id: entry for entry in entries}


# ------------------------------------------------------------------------------------------------------------ over HTTP


async def test_each_business_has_the_entry_that_the_snapshot_has(live_world: Path, snapshot: dict[str, RegistryEntry]) -> None:
    async with asking("yt", live_world) as context:
        for number, entry in snapshot.items():
            assert await report(RegistrationQuery(YT, number), context) == entry
            [found, *_] = await find(LiveQuery(entry.legal_name, None), context)
            assert found == entry
    assert len(snapshot) >= 4
    assert not context.words.report.unknown_terms


async def test_it_gives_the_entries_that_are_written_down(live_world: Path, snapshot: dict[str, RegistryEntry]) -> None:
    async with asking("yt", live_world) as context:
        entries = [await report(RegistrationQuery(YT, number), context) for number in snapshot]
    given = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries if entry is not None]
    assert given == json.loads((HERE / "yt" / "live.entries.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("spelling", ["{}{}", " {} {}", "YT {}{}", "Registry Number: {}.{}", "ycor {}-{}"])
async def test_a_business_is_found_by_its_number_however_it_is_spelled(
    live_world: Path, snapshot: dict[str, RegistryEntry], spelling: str
) -> None:
    number, entry = next(iter(snapshot.items()))
    async with asking("yt", live_world) as context:
        assert await find(LiveQuery(None, spelling.format(number[:3], number[3:])), context) == [entry]


async def test_a_business_is_found_by_a_part_of_its_name_and_whatever_its_form(
    live_world: Path, snapshot: dict[str, RegistryEntry]
) -> None:
    entry = next(entry for entry in snapshot.values() if entry.entity_type == "Corporation")
    async with asking("yt", live_world) as context:
        found = await find(LiveQuery(f"{entry.legal_name.split()[0].title()} Ltée", None), context)
    assert found == [entry]


async def test_what_is_not_registered_is_not_found(live_world: Path) -> None:
    async with asking("yt", live_world) as context:
        assert await find(LiveQuery("Nowhere To Be Found Ltd.", None), context) == []
        assert await report(RegistrationQuery(YT, "599998"), context) is None


async def test_a_number_that_the_register_can_not_have_given_is_not_asked_for(live_world: Path) -> None:
    async with asking("yt", live_world, StatusFault(500)) as context:
        with pytest.raises(
            InvalidInput, match=r"'NEQ 1160000017' is not a valid number of the type Yukon registry number \(6 digits\)"
        ):
            await report(RegistrationQuery(YT, "NEQ 1160000017"), context)


@pytest.mark.parametrize(("fault", "error", "told"), HTTP_FAULTS)
async def test_a_source_in_trouble_is_an_error(live_world: Path, fault: LiveFault, error: type[SourceError], told: str) -> None:
    async with asking("yt", live_world, fault) as context:
        with pytest.raises(error, match=told):
            await report(RegistrationQuery(YT, "500001"), context)


@pytest.mark.parametrize(
    ("fault", "error", "told"),
    [
        (ChallengePageFault(), SourceUnavailable, "such as a CAPTCHA or a maintenance notice"),
        (GarbageFault(), ParseFailed, "yt: not utf-8"),
        (FixedResponseFault(b'{"results": []}'), ParseFailed, "not an HTML page"),
        (FixedResponseFault(TOO_MANY.encode(), "text/html"), InvalidInput, "too many results for “Sample Ltd”"),
    ],
)
async def test_a_page_that_is_not_the_known_one_is_an_error(
    live_world: Path, fault: LiveFault, error: type[SourceError], told: str
) -> None:
    async with asking("yt", live_world, fault) as context:
        with pytest.raises(error, match=told):
            await find(LiveQuery("Sample Ltd", None), context)


async def test_it_waits_as_long_as_it_is_let(live_world: Path) -> None:
    async with asking("yt", live_world, HangFault(0.5)) as context:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await report(RegistrationQuery(YT, "500001"), context)


# ------------------------------------------------------------------------------------------------------------ records


async def test_a_name_that_was_given_up_is_joined_to_its_successor_on_the_page() -> None:
    rows = [
        ycor_row("500001 YUKON LTD.", "Corporation", "500001", "Yukon", "Changed Name"),
        ycor_row("SAMPLE & SONS LTD.*", "Corporation", "500002", "Yukon", "In Compliance", former="500001 YUKON LTD."),
    ]
    context = Played({"name=500001": table(*rows)}).context("yt")
    entry = await report(RegistrationQuery(YT, "500001"), context)
    assert entry is not None
    assert (entry.entry_id, entry.legal_name, entry.good_standing) == ("500002", "SAMPLE & SONS LTD.", True)
    assert [(number.label, number.value) for number in entry.registration_numbers] == [
        ("Registry Number", "500002"),
        ("Registry Number (former name)", "500001"),
    ]
    assert [item.name for item in entry.name_history] == ["500001 YUKON LTD."]


async def test_a_number_that_another_business_is_called_by_is_not_that_business() -> None:
    row = ycor_row("500003 ALBERTA LTD.", "Extra-Territorial Corporation", "600001", "ALBERTA", "In Compliance")
    source = Played({"name=500003": table(row)})
    assert await report(RegistrationQuery(YT, "500003"), source.context("yt")) is None
    [found] = await find(LiveQuery(None, "500003"), source.context("yt"))
    assert (found.entry_id, found.home_jurisdiction) == ("600001", "AB")


async def test_the_page_is_asked_in_one_field_at_the_address_in_the_metadata() -> None:
    source = Played({"name=500001": NONE, "name=Sample": NONE})
    assert await find(LiveQuery("Sample", "500001"), source.context("yt")) == []
    assert [call.url for call in source.calls] == ["https://ycor-reey.gov.yk.ca/search"] * 2
    assert [call.params for call in source.calls] == [(("name", "500001"),), (("name", "Sample"),)]
