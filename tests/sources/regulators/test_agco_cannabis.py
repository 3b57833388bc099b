"""Cannabis stores of Ontario, in the open-data file and in the table that the page exports."""

from collections import Counter
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from tests.support.sources.regulator_files import assert_golden, load

KEY = "agcoCannabis"
FOLDER = Path(__file__).parent / KEY


@pytest.mark.parametrize("layout", ["open_data", "web_export"])
def test_each_layout_gives_the_golden_entries(layout: str) -> None:
    assert_golden(load(KEY, FOLDER / f"{layout}.csv"), FOLDER / f"{layout}.golden.json")


def test_the_newest_row_of_a_licence_stands_and_keeps_the_older_name() -> None:
    loaded = load(KEY, FOLDER / "open_data.csv")
    store = loaded.named("New Name Cannabis")
    assert store.alternate_names == ("Old Name Cannabis",)
    assert (store.status, store.status_code) == ("Expired - Deemed to Continue", "active")
    assert loaded.report.merged == 1


def test_without_file_numbers_a_store_in_force_is_not_hidden_by_a_cancelled_application() -> None:
    store = load(KEY, FOLDER / "web_export.csv").named("River Cannabis")
    assert (store.status, store.alternate_names) == ("Authorized to Open", ())


def test_a_cancelled_application_stays_and_says_what_was_cancelled() -> None:
    store = load(KEY, FOLDER / "open_data.csv").named("Withdrawn Cannabis")
    assert (store.status, store.status_code, store.details["statusOf"]) == ("Cancelled", "cancelled", "application")


def test_a_status_word_with_a_day_is_folded_and_the_day_kept() -> None:
    store = load(KEY, FOLDER / "web_export.csv").named("Coming Cannabis")
    assert store.status == "Public Notice Period: Ended 2021/03/27"
    assert (store.status_code, store.details["noticePeriodEnd"]) == ("inactive", "2021-03-27")


def test_an_application_without_a_number_is_known_by_name_and_place() -> None:
    store = load(KEY, FOLDER / "web_export.csv").named("Coming Cannabis")
    assert (store.entry_id, store.registration_number) == ("coming cannabis | 4 example st, unit b | barrie", None)


def test_a_store_without_a_name_is_rejected_with_its_line() -> None:
    (rejection,) = load(KEY, FOLDER / "open_data.csv").report.rejections
    assert (rejection.line, rejection.reason) == (7, "the store has no name yet")


def test_an_unknown_status_word_is_counted() -> None:
    loaded = load(KEY, FOLDER / "web_export.csv")
    assert loaded.report.unknown_terms == {"status: Moved to Mars": 1}
    assert loaded.named("Odd Cannabis").status_code == "unknown"


def test_a_missing_column_refuses_the_file(tmp_path: Path) -> None:
    changed = tmp_path / "changed.csv"
    text = (FOLDER / "open_data.csv").read_text(encoding="utf-8-sig")
    changed.write_text(text.replace("LicenceStatus", "LicenseStatus"), encoding="utf-8-sig")
    with pytest.raises(ParseFailed, match="missing columns: LicenceStatus"):
        load(KEY, changed)


@pytest.mark.realdata
def test_the_real_web_export_loads_whole(shared_data: Path) -> None:
    loaded = load(KEY, shared_data / "regulatory" / KEY / "agco_crsa_web_export_2025-11.csv")
    report = loaded.report
    assert (report.rows, report.entries, report.merged, report.rejected) == (2493, 2475, 17, 1)
    assert report.unknown_terms == {}
    assert Counter(entry.status_code for entry in loaded.entries) == {"active": 1789, "cancelled": 611, "inactive": 75}
    assert sum(entry.registration_number is None for entry in loaded.entries) == 75
    assert loaded.named("CanDream Cannabis").registration_number == "CRSA1202256"
