"""The Northwest Territories' register, asked at the sandbox over HTTP, and its page's lines made entries."""

import asyncio
import csv
import json
from pathlib import Path

import pytest

from bonafide.errors import InvalidInput, ParseFailed, SourceError, SourceRateLimited, SourceUnavailable
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.live import LiveQuery, RegistrationQuery
from bonafide.sources.registries.nt.live import find, report
from bonafide_sandbox.generator.business import LifecycleStatus
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.publisher_faults import (
    ChallengePageFault,
    FixedResponseFault,
    GarbageFault,
    HangFault,
    LiveFault,
    StatusFault,
)
from bonafide_sandbox.world.builder import DEFAULT_SEED
from tests.support.sources.entity_pages import NONE, Played, cros_row, table
from tests.support.sources.live_clients import asking
from tests.support.sources.live_faults import HTTP_FAULTS

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent
NT, HOME = Jurisdiction.NT, "Northwest Territories"
WORLD = [business for business in create_businesses(DEFAULT_SEED, 0, 1000) if business.register is NT]


def dumped(entries: list[RegistryEntry]) -> list[object]:
    return [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]


# ------------------------------------------------------------------------------------------------------------ over HTTP


async def test_it_gives_the_entries_that_are_written_down(live_world: Path) -> None:
    async with asking("nt", live_world) as context:
        entries = [await report(RegistrationQuery(NT, business.number), context) for business in WORLD]
    assert dumped([entry for entry in entries if entry is not None]) == json.loads((HERE / "nt" / "live.entries.json").read_text())
    assert not context.words.report.unknown_terms


@pytest.mark.parametrize("spelling", ["{}{}", " {} {} ", "NT {}{}", "File No. {}{}", "{}-{}"])
async def test_a_business_is_found_by_its_number_however_it_is_spelled(live_world: Path, spelling: str) -> None:
    number = WORLD[0].number
    asked = spelling.format(number[:3], number[3:])
    async with asking("nt", live_world) as context:
        [entry, *_] = await find(LiveQuery(None, asked), context)
        same = await report(RegistrationQuery(NT, asked), context)
    assert entry.entry_id == number
    assert entry == same


@pytest.mark.parametrize("spelling", ["{}", "{} Incorporated", "{} Ltd"])
async def test_a_business_is_found_by_a_part_of_its_name_and_whatever_its_form(live_world: Path, spelling: str) -> None:
    business = next(business for business in WORLD if not business.name[0].isdigit())
    async with asking("nt", live_world) as context:
        found = await find(LiveQuery(spelling.format(" ".join(business.name.split()[:2])).lower(), None), context)
    assert [entry.entry_id for entry in found] == [business.number]
    assert found[0].good_standing is (True if business.standing is LifecycleStatus.ACTIVE else None)


async def test_what_is_not_registered_is_not_found(live_world: Path) -> None:
    async with asking("nt", live_world) as context:
        assert await find(LiveQuery("Nowhere To Be Found Ltd.", "599998"), context) == []
        assert await report(RegistrationQuery(NT, "599998"), context) is None


async def test_a_number_that_the_register_can_not_have_given_is_not_asked_for(live_world: Path) -> None:
    async with asking("nt", live_world, StatusFault(500)) as context:
        with pytest.raises(
            InvalidInput, match=r"'12345' is not a valid number of the type Northwest Territories file number \(6 digits\)"
        ):
            await report(RegistrationQuery(NT, "12345"), context)


@pytest.mark.parametrize(("fault", "error", "told"), HTTP_FAULTS)
async def test_a_source_in_trouble_is_an_error(live_world: Path, fault: LiveFault, error: type[SourceError], told: str) -> None:
    async with asking("nt", live_world, fault) as context:
        with pytest.raises(error, match=told) as failed:
            await find(LiveQuery("Sample", None), context)
    assert not isinstance(failed.value, SourceRateLimited) or failed.value.retry_after_s == 1


@pytest.mark.parametrize(
    ("fault", "error", "told"),
    [
        (ChallengePageFault(), SourceUnavailable, "such as a CAPTCHA or a maintenance notice"),
        (GarbageFault(), ParseFailed, "nt: not utf-8"),
        (FixedResponseFault(b"", "text/html"), ParseFailed, "not an HTML page"),
        (FixedResponseFault(b'{"results": []}'), ParseFailed, "not an HTML page"),
        (FixedResponseFault("<p>Société</p>".encode("latin-1"), "text/html; charset=utf-8"), ParseFailed, "not utf-8"),
        (
            FixedResponseFault(b"<form><input name=search_name></form><table><tbody></tbody></table>", "text/html"),
            ParseFailed,
            "unexpected results page",
        ),
    ],
)
async def test_a_page_that_is_not_the_known_one_is_an_error(
    live_world: Path, fault: LiveFault, error: type[SourceError], told: str
) -> None:
    async with asking("nt", live_world, fault) as context:
        with pytest.raises(error, match=told):
            await report(RegistrationQuery(NT, "500001"), context)


async def test_it_waits_as_long_as_it_is_let(live_world: Path) -> None:
    async with asking("nt", live_world, HangFault(0.5)) as context:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await find(LiveQuery("Sample", None), context)


# ------------------------------------------------------------------------------------------------------------ lines


@pytest.mark.realdata
async def test_the_real_lines_become_entries(shared_data: Path) -> None:
    with (shared_data / "registries/NT/cros_search_rows.csv").open(encoding="utf-8", newline="") as file:
        rows = [cros_row(*cells) for cells in list(csv.reader(file))[1:]]
    context = Played({"search_name=d&page=1": table(*rows)}).context("nt")
    entries = {entry.entry_id: entry for entry in await find(LiveQuery("d", None), context)}
    assert {number: (entry.status_code, entry.good_standing) for number, entry in entries.items()} == {
        "800005": (StatusCode.CONTINUED_OUT, None),
        "500152": (StatusCode.ACTIVE, True),
        "500551": (StatusCode.DISSOLVED, None),
    }
    assert entries["800005"].entity_type == "Co-operative Association"
    assert entries["500152"].legal_name == "SAMBAA K'E DEVELOPMENT CORPORATION LTD."
    assert all(entry.home_jurisdiction is None for entry in entries.values())
    assert not context.words.report.unknown_terms


async def test_the_names_of_one_file_become_one_entry() -> None:
    rows = [
        cros_row("OLD SAMPLE LTD.", "Corporation", "500001", HOME, "Former Name", "In Default"),
        cros_row("NEW SAMPLE LTD.", "Corporation", "500001", HOME, "", "In Default"),
        cros_row("SAMPLE TRADING", "Corporation", "500001", HOME, "Trade Name", "In Default"),
        cros_row("SAMPLE AUTRE", "Corporation", "500001", HOME, "Nom divers", "In Default"),
    ]
    context = Played({"reference=500001&page=1": table(*rows)}).context("nt")
    entry = await report(RegistrationQuery(NT, "500001"), context)
    assert entry is not None
    assert entry.legal_name == "NEW SAMPLE LTD."
    assert entry.alternate_names == ("SAMPLE TRADING", "SAMPLE AUTRE")
    assert [(item.type, item.name) for item in entry.name_history] == [("former", "OLD SAMPLE LTD.")]
    assert entry.good_standing is False
    assert context.words.report.unknown_terms == {"term: Nom divers": 1}


async def test_a_file_that_is_shown_by_a_former_name_alone_has_it_as_its_name_and_in_its_history() -> None:
    row = cros_row("OLD SAMPLE LTD.", "Corporation", "500001", HOME, "Former Name", "In Compliance")
    [entry] = await find(LiveQuery("Old Sample", None), Played({"search_name=Old Sample&page=1": table(row)}).context("nt"))
    assert entry.legal_name == "OLD SAMPLE LTD."
    assert [item.name for item in entry.name_history] == ["OLD SAMPLE LTD."]


@pytest.mark.parametrize(
    ("home", "code"), [("Alberta", "AB"), ("CANADA", "FED"), ("Delaware", "Delaware"), ("", None), ("Northwest  Territories", None)]
)
async def test_what_was_formed_elsewhere_says_where(home: str, code: str | None) -> None:
    row = cros_row("SAMPLE LTD.", "Extra-Territorial Corporation", "600001", home, "", "Petrified")
    context = Played({"reference=600001&page=1": table(row)}).context("nt")
    entry = await report(RegistrationQuery(NT, "600001"), context)
    assert entry is not None
    assert (entry.home_jurisdiction, entry.status_code) == (code, StatusCode.UNKNOWN)
    assert context.words.report.unknown_terms == {"status: Petrified": 1}


async def test_the_form_is_sent_whole_to_the_address_in_the_metadata() -> None:
    source = Played({"reference=500001&page=1": NONE})
    assert await report(RegistrationQuery(NT, "500001"), source.context("nt")) is None
    [call] = source.calls
    assert call.url == "https://www.justice.gov.nt.ca/app/cros-rsel/search"
    assert dict(call.params) == {"reference": "500001", "search_name": "", "btnSearch": "", "page": "1"}
