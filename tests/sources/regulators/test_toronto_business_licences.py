"""Licences and permits of Toronto."""

from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from tests.support.sources.regulator_files import assert_golden, load

KEY = "torontoBusinessLicences"
FOLDER = Path(__file__).parent / KEY
FILE = FOLDER / "licences.csv"


def test_the_file_gives_the_golden_entries() -> None:
    assert_golden(load(KEY, FILE), FOLDER / "licences.golden.json")


def test_the_licences_of_a_business_at_one_place_are_one_entry_by_the_newest_that_is_not_cancelled() -> None:
    loaded = load(KEY, FILE)
    entry = next(entry for entry in loaded.entries if entry.addresses[0].street == "12 EXAMPLE ST, #304")
    assert (entry.legal_name, entry.registration_number, entry.status) == ("EXAMPLE DINERS INC", "B71-1000002", "Active")
    assert entry.details["otherLicenceNumbers"] == ["P70-1000003", "B71-1000001"]
    assert entry.details["otherCategories"] == ["SIDEWALK CAFE"]
    assert entry.alternate_names == ("EXAMPLE GRILL", "OLD EXAMPLE GRILL")
    assert entry.details["conditions"] == ["NO LIVE MUSIC", "MAXIMUM 40 SEATS"]
    assert entry.details["phone"] == "4165550100 ext. 12"
    assert loaded.report.merged == 2


def test_the_three_lines_of_an_address_are_taken_apart() -> None:
    [elsewhere] = [entry for entry in load(KEY, FILE).entries if "EXAMPLE GRILL NORTH" in entry.alternate_names]
    [address] = elsewhere.addresses
    assert (address.city, address.province, address.postal_code, address.country) == ("MISSISSAUGA", "ON", "L5A 1W5", "CA")


def test_a_status_is_derived_and_an_old_record_makes_it_doubtful() -> None:
    entry = load(KEY, FILE).named("SAMPLE HOLISTIC LTD")
    assert (entry.status, entry.status_code) == ("Active", "unknown")
    assert (entry.details["statusDerived"], entry.details["statusDoubtful"]) == (True, True)


def test_of_a_person_nothing_is_kept_that_the_licence_does_not_need() -> None:
    entry = load(KEY, FILE).named("SAMPLE, JANE")
    assert set(entry.details) == {"soleProprietor", "statusDerived", "category", "issuedDate", "lastRecordUpdate"}
    [address] = entry.addresses
    assert (address.street, address.postal_code, address.raw) == (None, None, "TORONTO, ON, CA, M9N")


def test_a_comma_before_a_legal_form_makes_no_person() -> None:
    assert "soleProprietor" not in load(KEY, FILE).named("SAMPLE FOODS, INC.").details


def test_plates_and_licences_to_drive_are_passed_over_and_no_name_of_theirs_is_kept() -> None:
    loaded = load(KEY, FILE)
    assert loaded.report.notes == [
        "1 row skipped: drivers",
        "1 row skipped: driving instructors",
        "2 rows skipped: taxi plates",
    ]
    names = {name for entry in loaded.entries for name in entry.list_search_names()}
    assert not {"SAMPLE, JOHN", "SAMPLE TAXI LTD", "SAMPLE, JOE", "SAMPLE, JILL"} & names


def test_the_word_none_is_no_text_and_a_name_of_trade_alone_is_marked() -> None:
    entry = load(KEY, FILE).named("NULL GARAGE")
    assert entry.details["nameType"] == "trade"
    assert not {"phone", "ward", "conditions"} & set(entry.details)


def test_rows_that_cannot_be_read_are_rejected() -> None:
    assert load(KEY, FILE).report.reasons == {
        "Client Name, Operating Name are empty": 2,
        "Issued is not a date": 1,
    }


def test_a_missing_column_refuses_the_file(tmp_path: Path) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_bytes(FILE.read_bytes().replace(b"Cancel Date", b"Cancelled On"))
    with pytest.raises(ParseFailed, match="missing columns: Cancel Date; unknown columns: Cancelled On"):
        load(KEY, changed)
