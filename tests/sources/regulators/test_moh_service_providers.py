"""Health service providers of Ontario."""

from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from tests.support.sources.regulator_files import assert_golden, load

KEY = "mohServiceProviders"
FOLDER = Path(__file__).parent / KEY
REAL = "moh_service_provider_locations_2025-04.csv"


def test_the_file_gives_the_golden_entries() -> None:
    assert_golden(load(KEY, FOLDER / "locations.csv"), FOLDER / "locations.golden.json")


def test_one_number_and_name_is_one_provider_with_all_its_services_and_places() -> None:
    loaded = load(KEY, FOLDER / "locations.csv")
    provider = loaded.named("Northern Example Health Centre")
    assert provider.details["serviceTypes"] == ["HIV AIDS and Hep C Program", "Community Health Centre"]
    assert provider.alternate_names == ("Centre de santé Exemple du Nord", "Northern Health Holdings")
    assert [address.postal_code for address in provider.addresses] == ["P7C1A1", "P7C1A2"]
    assert loaded.report.merged == 1


def test_one_number_with_two_names_is_two_providers() -> None:
    loaded = load(KEY, FOLDER / "locations.csv")
    assert [entry.legal_name for entry in loaded.entries if entry.registration_number == "202"] == [
        "Northern Example Health Centre",
        "Unrelated Manor",
    ]


def test_the_numbered_company_behind_a_trade_name_can_be_found() -> None:
    assert "9999991 Ontario Inc." in load(KEY, FOLDER / "locations.csv").named("Example Pharmacy").list_search_names()


def test_a_listing_is_marked_as_no_status_of_a_licence() -> None:
    provider = load(KEY, FOLDER / "locations.csv").named("Unrelated Manor")
    assert (provider.status, provider.details["statusDerived"]) == ("Listed", True)


def test_a_row_without_a_number_is_rejected_and_one_without_coordinates_is_not() -> None:
    loaded = load(KEY, FOLDER / "locations.csv")
    assert loaded.report.reasons == {"MOH_SERVICE_PROVIDER_IDENT is empty": 1}
    assert "latitude" not in loaded.named("Hospital Without Coordinates").details


def test_a_renamed_column_refuses_the_file(tmp_path: Path) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_bytes((FOLDER / "locations.csv").read_bytes().replace(b"ENGLISH_NAME,", b"NAME_EN,"))
    with pytest.raises(ParseFailed, match="missing columns: ENGLISH_NAME; unknown columns: NAME_EN"):
        load(KEY, changed)


@pytest.mark.realdata
def test_the_real_file_loads_whole(shared_data: Path) -> None:
    loaded = load(KEY, shared_data / "regulatory" / KEY / REAL)
    report = loaded.report
    assert (report.rows, report.entries, report.merged, report.rejected) == (11974, 11966, 8, 0)
    assert report.unknown_terms == {}
    assert sum("9421467 Canada Inc." in entry.alternate_names for entry in loaded.entries) > 0
    assert len({entry.registration_number for entry in loaded.entries}) == 11409
