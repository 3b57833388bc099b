"""Business licences of Calgary, as exported, as the portal's interface gives them, and as exported before 2020."""

from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from tests.support.sources.regulator_files import assert_golden, load

KEY = "calgaryBusinessLicences"
FOLDER = Path(__file__).parent / KEY
CURRENT, OLD = "calgary_business_licences_2025-02_head5.csv", "calgary_business_licences_2018-10_head5_old_schema.csv"


@pytest.mark.parametrize("layout", ["export", "fields", "until_2020"])
def test_each_layout_gives_the_golden_entries(layout: str) -> None:
    assert_golden(load(KEY, FOLDER / f"{layout}.csv"), FOLDER / f"{layout}.golden.json")


def test_types_are_parted_at_line_breaks_because_some_have_commas() -> None:
    entry = load(KEY, FOLDER / "export.csv").named("EXAMPLE WHOLESALE")
    assert entry.details["licenceTypes"] == ["RETAIL DEALER - PREMISES", "MANUFACTURER, PROCESSOR OR PACKAGER", "WHOLESALER"]


def test_a_name_is_marked_as_one_of_trade_and_a_licence_that_is_due_is_in_force() -> None:
    entry = load(KEY, FOLDER / "export.csv").named("EXAMPLE CAFE (THE)")
    assert (entry.details["nameType"], entry.details["homeOccupation"]) == ("trade", True)
    assert (entry.status, entry.status_code) == ("Pending Renewal", "active")


def test_a_unit_stands_before_the_door() -> None:
    [address] = load(KEY, FOLDER / "export.csv").named("EXAMPLE WHOLESALE").addresses
    assert address.raw == "4-2015 32 AV NE, Calgary, AB, CA"


def test_the_later_of_two_rows_of_a_licence_stands() -> None:
    loaded = load(KEY, FOLDER / "export.csv")
    assert (loaded.named("MOVING SAMPLE").status, loaded.report.merged) == ("Licensed", 1)


def test_a_list_of_before_2020_has_no_numbers() -> None:
    entry = load(KEY, FOLDER / "until_2020.csv").named("OLDER EXAMPLE")
    assert (entry.registration_number, entry.entry_id) == (None, "older example | 11201 30 st sw")
    assert entry.details["createdDate"] == "2009-06-11"


def test_rows_that_cannot_be_read_are_rejected_and_an_unknown_status_is_counted() -> None:
    report = load(KEY, FOLDER / "export.csv").report
    assert report.reasons == {"TRADENAME is empty": 1, "'yesterday' is not a date": 1}
    assert report.unknown_terms == {"status: Licence on the Moon": 1}


def test_a_missing_column_refuses_the_file(tmp_path: Path) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_bytes((FOLDER / "export.csv").read_bytes().replace(b"JOBSTATUSDESC", b"STATUS"))
    with pytest.raises(ParseFailed, match="missing columns: JOBSTATUSDESC"):
        load(KEY, changed)


@pytest.mark.realdata
def test_the_real_rows_load(shared_data: Path) -> None:
    folder = shared_data / "regulatory" / KEY
    current, old = load(KEY, folder / CURRENT), load(KEY, folder / OLD)
    assert [(loaded.report.rows, loaded.report.entries) for loaded in (current, old)] == [(5, 5), (5, 5)]
    assert current.report.unknown_terms == old.report.unknown_terms == {}
    assert [len(str(entry.details["licenceTypes"])) > 0 for entry in current.entries] == [True] * 5
    several = next(entry for entry in current.entries if entry.registration_number == "12857785")
    assert several.details["licenceTypes"] == ["RETAIL DEALER - PREMISES", "WHOLESALER"]
