"""Holders of federal cannabis licences: a table of a web page, a line a site, names and notes in one cell."""

from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ParseFailed, SourceNotFound
from bonafide.model.entity import Address, StatusCode
from bonafide.sources.formats.html_page import read_html
from bonafide_sandbox.publisher_faults import ChallengePageFault, GarbageFault, PublisherFault, ReplacedFileFault, StatusFault
from tests.support.sources.changed_files import write_changed
from tests.support.sources.regulator_files import Loaded, assert_golden, load
from tests.support.sources.served_publisher import fetched, parsed

KEY = "healthCanadaCannabis"
SAVED = Path(__file__).parent / KEY / "licence_holders.html"


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(KEY, SAVED)


def test_the_page_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, SAVED.with_name("licence_holders.golden.json"))


def test_the_sites_of_a_holder_are_one_entry_without_their_numbers(loaded: Loaded) -> None:
    entry = loaded.named("2100000 ALBERTA LTD.")
    assert (entry.entry_id, entry.alternate_names) == ("2100000 alberta ltd.", ())
    assert entry.details["sites"] == ["AB, 2019-05-01", "AB, 2026-06-26, 2nd site"]
    assert entry.details["licenceTypes"] == ["Cultivation", "Processing", "Sale (medical)"]
    assert (entry.details["initialLicensingDate"], entry.details["clientCarePhone"]) == ("2019-05-01", "1-800-555-0100")
    assert loaded.report.merged == 1


def test_other_names_stand_behind_the_name_or_in_parentheses(loaded: Loaded) -> None:
    assert loaded.named("Invented Greens Inc.").alternate_names == ("Happy Marmot",)
    assert loaded.named("Fictive Farms Ltd.").alternate_names == ("Loon Lake Cannabis",)


def test_a_note_of_suspension_or_revocation_is_the_status_and_no_part_of_the_name(loaded: Loaded) -> None:
    halted, withdrawn = loaded.named("Halted Harvest Corp."), loaded.named("Withdrawn Weeds Inc.")
    assert (halted.status, halted.status_code, halted.details["sites"]) == (
        "Suspended",
        StatusCode.INACTIVE,
        ["QC, 2018-11-11, suspended"],
    )
    assert (withdrawn.status, withdrawn.status_code) == ("Revoked", StatusCode.CANCELLED)
    assert withdrawn.details["licenceTypes"] == ["Sale (medical)"]
    assert "statusDerived" not in halted.details


def test_a_name_may_have_such_a_word_in_it(loaded: Loaded) -> None:
    entry = loaded.named("Suspended Gardens Inc.")
    assert (entry.status, entry.details["statusDerived"]) == ("Active", True)


def test_a_holder_is_in_force_where_one_of_its_sites_is(tmp_path: Path) -> None:
    loaded = load(KEY, write_changed(SAVED, tmp_path, "2100000 ALBERTA LTD.", "2100000 Alberta Ltd. (suspended)"))
    entry = loaded.named("2100000 Alberta Ltd.")
    assert (entry.status, entry.alternate_names) == ("Active", ())
    assert entry.details["sites"] == ["AB, 2019-05-01, suspended", "AB, 2026-06-26, 2nd site"]


def test_province_and_country_are_all_there_is_of_an_address(loaded: Loaded) -> None:
    assert loaded.named("Invented Greens Inc.").addresses == (Address(province="BC", country="CA"),)
    assert {entry.registration_number for entry in loaded.entries} == {None}


def test_an_unknown_licence_is_counted_and_kept_as_it_stands(loaded: Loaded) -> None:
    assert loaded.report.unknown_terms == {"term: teleportation": 1}
    assert loaded.named("Odd Orchids Ltd.").details["licenceTypes"] == ["Teleportation"]


def test_lines_that_can_not_be_read_are_rejected_with_their_row(loaded: Loaded) -> None:
    assert [(rejection.line, rejection.reason) for rejection in loaded.report.rejections] == [
        (11, "Licence holder is empty"),
        (12, "'some day' is not a date"),
    ]


def test_the_long_headings_are_known_too(tmp_path: Path, loaded: Loaded) -> None:
    text = SAVED.read_text(encoding="utf-8")
    path = tmp_path / SAVED.name
    path.write_text(
        text.replace("Classes authorized to sell", "Classes of cannabis authorized to sell to")
        .replace("Provincial / territorial", "provincial/territorial distributors")
        .replace("Registered patients", "registered patients"),
        encoding="utf-8",
    )
    assert load(KEY, path).entries == loaded.entries


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Licence holder", "Company", "missing columns: Licence holder"),
        ("Client Care", "Telephone", "missing columns: client care; unknown columns: Telephone"),
        (
            "Registered patients",
            "Animals",
            "missing columns: classes patients; unknown columns: Classes authorized to sell: Animals",
        ),
    ],
)
def test_a_changed_heading_refuses_the_page_by_its_name(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(ParseFailed, match=told):
        load(KEY, write_changed(SAVED, tmp_path, old, new))


@pytest.mark.anyio
async def test_the_made_up_page_is_fetched_and_read_whole(live_world: Path, tmp_path: Path) -> None:
    [resource] = await fetched(KEY, live_world, tmp_path)
    entries, report = parsed(KEY, [resource])
    rows = read_html((live_world / "healthCanadaCannabis/licensed-cultivators.html").read_bytes()).table("Licence holder").rows
    assert (report.rows, report.rejected, dict(report.unknown_terms)) == (len(rows), 0, {})
    holders = [row.need("Licence holder") for row in rows]
    for entry in entries:
        mine = [holder for holder in holders if holder.casefold().startswith(entry.entry_id)]
        assert mine
        assert all(holder.startswith(entry.legal_name) for holder in mine)
    [fixed] = [entry for entry in entries if entry.legal_name == "Sandbox Cannabis Co."]
    assert (fixed.status, fixed.addresses) == ("Active", (Address(province="ON", country="CA"),))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (StatusFault(404), SourceNotFound),
        (ChallengePageFault(), ParseFailed),
        (GarbageFault(), ParseFailed),
        (ReplacedFileFault(b""), ParseFailed),
    ],
    ids=["moved", "a page for people", "garbage", "empty"],
)
async def test_what_goes_wrong_is_told(live_world: Path, tmp_path: Path, fault: PublisherFault, error: type[BonafideError]) -> None:
    with pytest.raises(error):
        parsed(KEY, await fetched(KEY, live_world, tmp_path, {"licence_holders": fault}))


@pytest.mark.realdata
def test_the_real_row_is_read_with_its_two_row_heading(shared_data: Path) -> None:
    loaded = load(KEY, shared_data / "regulatory" / KEY / "hc_licence_table_one_row.html")
    [entry] = loaded.entries
    assert entry.details["sites"] == ["AB, 2026-06-26, 2nd site"]
    assert (dict(loaded.report.unknown_terms), loaded.report.rejected) == ({}, 0)
