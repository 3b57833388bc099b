"""Business licences of Vancouver, with the portal's field names and with labels for headings."""

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from tests.support.sources.regulator_files import assert_golden, load

KEY = "vancouverBusinessLicences"
FOLDER = Path(__file__).parent / KEY
REAL = "business-licences_restaurants_2024-2025_export.csv"


@pytest.mark.parametrize("layout", ["fields", "labels"])
def test_each_layout_gives_the_golden_entries(layout: str) -> None:
    assert_golden(load(KEY, FOLDER / f"{layout}.csv"), FOLDER / f"{layout}.golden.json")


def test_years_and_revisions_of_a_business_at_one_place_are_one_entry_by_the_licence_in_force() -> None:
    loaded = load(KEY, FOLDER / "fields.csv")
    entry = next(entry for entry in loaded.entries if entry.addresses[0].street == "100 SAMPLE ST")
    assert (entry.registration_number, entry.status, entry.details["numberOfEmployees"]) == ("26-100002", "Issued", 14.0)
    assert entry.details["otherLicenceNumbers"] == ["27-100004", "26-100003", "25-100001"]
    assert entry.details["otherBusinessTypes"] == ["Liquor Retail Store"]
    assert entry.alternate_names == ("Example Cafe", "Old Example Cafe")
    assert loaded.report.merged == 4


def test_the_same_business_elsewhere_is_an_entry_of_its_own() -> None:
    entries = [entry for entry in load(KEY, FOLDER / "fields.csv").entries if entry.legal_name == "Example Kitchens Ltd"]
    assert [entry.addresses[0].raw for entry in entries] == [
        "100 SAMPLE ST, Vancouver, BC, V6B 1A1, CA",
        "5-200 SAMPLE ST, Vancouver, BC, V6B 1A1, CA",
    ]


def test_an_issued_licence_past_its_last_day_is_called_expired_and_says_that_this_is_derived() -> None:
    entry = load(KEY, FOLDER / "fields.csv").named("Sample Tailors Inc")
    assert (entry.status, entry.status_code, entry.details["statusDerived"]) == ("Expired", "inactive", True)


def test_of_a_person_who_trades_alone_nothing_is_kept_that_the_licence_does_not_need() -> None:
    entry = load(KEY, FOLDER / "fields.csv").named("Jane Sample")
    assert entry.details["soleProprietor"] is True
    assert set(entry.details) == {"soleProprietor", "businessType", "issuedDate", "expiryDate", "licenceRsn"}
    assert [address.street for address in entry.addresses] == [None]


def test_a_person_named_in_full_and_in_use_is_found_by_both_names() -> None:
    loaded = load(KEY, FOLDER / "fields.csv")
    assert loaded.named("Ann Marie Sample").alternate_names == ("Ann Sample", "Sample Nails")
    for company in ("Sample Noodles Ltd (Harbour)", "Sample Sushi Ltd (Sample Sushi)"):
        assert "soleProprietor" not in loaded.named(company).details


def test_a_holder_without_a_name_is_passed_over_and_one_with_a_trade_name_is_marked() -> None:
    loaded = load(KEY, FOLDER / "fields.csv")
    assert loaded.named("Nameless Noodles").details["nameType"] == "trade"
    assert loaded.report.notes == ["1 row skipped: no name is published"]


def test_the_extract_dates_the_load_and_the_evening_of_a_day_is_that_day() -> None:
    loaded = load(KEY, FOLDER / "fields.csv")
    assert loaded.report.as_of == date(2026, 11, 1)
    assert loaded.named("Sample Tailors Inc").details["issuedDate"] == "2024-11-28"


def test_rows_that_cannot_be_read_are_rejected_and_an_unknown_status_is_counted() -> None:
    report = load(KEY, FOLDER / "fields.csv").report
    assert report.reasons == {"numberofemployees is not a number": 1, "licencenumber is empty": 1}
    assert report.unknown_terms == {"status: Moved to the Moon": 1}


def test_a_renamed_column_refuses_the_file(tmp_path: Path) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_bytes((FOLDER / "fields.csv").read_bytes().replace(b"businesstradename", b"tradename"))
    with pytest.raises(ParseFailed, match="missing columns: businesstradename; unknown columns: tradename"):
        load(KEY, changed)


@pytest.mark.realdata
def test_the_real_export_of_restaurants_loads_whole(shared_data: Path) -> None:
    loaded = load(KEY, shared_data / "regulatory" / KEY / REAL)
    report = loaded.report
    assert (report.rows, report.entries, report.merged, report.rejected) == (3385, 1880, 1505, 0)
    assert report.unknown_terms == {}
    assert report.notes == []
    assert report.as_of == date(2025, 10, 4)
    assert Counter(entry.status for entry in loaded.entries) == {"Issued": 1678, "Expired": 202}
    assert sum(entry.details.get("soleProprietor") is True for entry in loaded.entries) == 48
    assert sum(not entry.addresses for entry in loaded.entries) == 0
    # The two folder years of a restaurant are one entry.
    assert sum("otherLicenceNumbers" in entry.details for entry in loaded.entries) > 1_400


def test_the_golden_files_hold_no_person_beyond_the_name() -> None:
    for golden in FOLDER.glob("*.golden.json"):
        for entry in json.loads(golden.read_text(encoding="utf-8")):
            if entry["details"].get("soleProprietor"):
                assert not {"numberOfEmployees", "localArea"} & set(entry["details"])
