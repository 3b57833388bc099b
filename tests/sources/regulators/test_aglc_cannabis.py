"""Cannabis licensees of Alberta, as the legacy workbook that is published and as CSV."""

import csv
from pathlib import Path

import pytest
import xlwt

from bonafide.errors import ParseFailed
from tests.support.sources.regulator_files import assert_golden, load

KEY = "aglcCannabis"
FOLDER = Path(__file__).parent / KEY
SHEET = "CannabisLicenseeList_EXCEL"
NUMERIC = {"Authorization Number", "Telephone Number"}


def as_xls(csv_file: Path, xls_file: Path, sheet: str = SHEET) -> Path:
    """The same rows as the regulator's own file has them: two columns numeric, everything else text as it stands."""
    with csv_file.open(encoding="utf-8-sig", newline="") as text:
        header, *rows = csv.reader(text)
    book = xlwt.Workbook()
    cells = book.add_sheet(sheet)
    for at, row in enumerate([header, *rows]):
        for column, value in enumerate(row):
            if value:
                cells.write(at, column, float(value) if at > 0 and header[column] in NUMERIC else value)
    book.save(str(xls_file))
    return xls_file


@pytest.mark.parametrize("form", ["csv", "xls"])
def test_workbook_and_csv_give_the_same_golden_entries(tmp_path: Path, form: str) -> None:
    report = FOLDER / "report.csv"
    file = report if form == "csv" else as_xls(report, tmp_path / "report.xls")
    assert_golden(load(KEY, file), FOLDER / "report.golden.json")


@pytest.mark.parametrize("form", ["csv", "xls"])
def test_no_managers_name_is_imported(tmp_path: Path, form: str) -> None:
    report = FOLDER / "report.csv"
    file = report if form == "csv" else as_xls(report, tmp_path / "report.xls")
    entries = load(KEY, file).entries
    assert "NOBODY" in report.read_text(encoding="utf-8")
    assert not any("NOBODY" in entry.to_json() for entry in entries)


def test_a_file_without_the_managers_loads_as_well(tmp_path: Path) -> None:
    with (FOLDER / "report.csv").open(encoding="utf-8", newline="") as text:
        rows = [row[:3] + row[4:] for row in csv.reader(text)]
    with (tmp_path / "report.csv").open("w", encoding="utf-8", newline="") as text:
        csv.writer(text).writerows(rows)
    assert load(KEY, tmp_path / "report.csv").entries == load(KEY, FOLDER / "report.csv").entries


def test_a_number_that_stands_twice_is_one_licensee_with_both_names_and_sites() -> None:
    licensee = load(KEY, FOLDER / "report.csv").named("River Valley Cannabis")
    assert licensee.alternate_names == ("River Valley South",)
    assert [address.street for address in licensee.addresses] == ["100 EXAMPLE ST, UNIT 2", "200 EXAMPLE ST"]


def test_the_type_of_licensee_is_given_only_where_number_and_province_leave_no_doubt() -> None:
    loaded = load(KEY, FOLDER / "report.csv")
    types = {entry.legal_name: entry.details.get("licenseeType") for entry in loaded.entries}
    assert types == {
        "Prairie Cannabis": "retail",
        "River Valley Cannabis": None,
        "Orchard Growers Ltd.": "supplier",
        "Rocky Supplies Inc.": "supplier",
    }


def test_dates_are_month_first_and_one_that_is_not_rejects_its_row() -> None:
    loaded = load(KEY, FOLDER / "report.csv")
    assert loaded.named("Prairie Cannabis").details["initialEffectiveDate"] == "2018-10-17"
    assert loaded.report.reasons == {"'31/12/2024' is not a date": 1}


def test_a_supplier_in_the_united_states_is_not_placed_in_canada() -> None:
    (address,) = load(KEY, FOLDER / "report.csv").named("Rocky Supplies Inc.").addresses
    assert (address.province, address.country) == ("CO", "US")


def test_a_workbook_without_the_sheet_is_refused_and_says_what_it_has(tmp_path: Path) -> None:
    file = as_xls(FOLDER / "report.csv", tmp_path / "report.xls", sheet="Sheet1")
    with pytest.raises(ParseFailed, match="no sheet 'CannabisLicenseeList_EXCEL', only Sheet1"):
        load(KEY, file)


def test_a_page_that_is_served_in_place_of_the_workbook_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "report.xls"
    page.write_text("<html><body>Try again later</body></html>", encoding="utf-8")
    with pytest.raises(ParseFailed, match="unknown header"):
        load(KEY, page)


@pytest.mark.realdata
@pytest.mark.parametrize("form", ["csv", "xls"])
def test_the_real_report_loads_whole(shared_data: Path, tmp_path: Path, form: str) -> None:
    real = shared_data / "regulatory" / KEY / "aglc_cannabis_licensee_report_2025-11.csv"
    loaded = load(KEY, real if form == "csv" else as_xls(real, tmp_path / "report.xls"))
    report = loaded.report
    assert (report.rows, report.entries, report.merged, report.rejected) == (931, 931, 0, 0)
    assert report.unknown_terms == {}
    assert sum(entry.addresses[0].country == "US" for entry in loaded.entries) == 7
    assert sum(entry.details["onlineSales"] is True for entry in loaded.entries) == 356
    assert not any("REDACTED" in entry.to_json() for entry in loaded.entries)
    assert loaded.named("Freedom Cannabis").details["telephone"] == "8774523760"
