"""The reader of legacy workbooks."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import xlwt

from bonafide.errors import ParseFailed
from bonafide.sources.formats.xls_workbook import MAX_XLS_BYTES, is_xls, read_xls
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import HeaderLayout, SourceMetadata

HEADER = ["Name", "Value"]


def metadata() -> SourceMetadata:
    return get_source("aglcCannabis").metadata.model_copy(update={"layouts": {"pair": HeaderLayout(columns=tuple(HEADER))}})


def workbook(path: Path, rows: Sequence[Sequence[object]]) -> Resource:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Data")
    day = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for at, row in enumerate(rows):
        for column, value in enumerate(row):
            sheet.write(at, column, value, day) if isinstance(value, date) else sheet.write(at, column, value)
    book.save(str(path))
    return resource(path)


def resource(path: Path) -> Resource:
    return Resource(path.name, path, "", datetime(2026, 11, 20, tzinfo=UTC), "", path.stat().st_size)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("  two   words ", "two words"),
        ("   ", None),
        (803780, "803780"),
        (4035550100, "4035550100"),
        (2.5, "2.5"),
        (date(2026, 10, 2), "2026-10-02"),
        (datetime(2026, 10, 2, 14, 30), "2026-10-02 14:30:00"),  # noqa: DTZ001 - a cell has no zone
        (True, "TRUE"),
        (None, None),
    ],
)
def test_a_cell_is_read_as_a_person_sees_it(tmp_path: Path, value: object, text: str | None) -> None:
    file = workbook(tmp_path / "book.xls", [HEADER, ["Example", value]])
    ((layout, row),) = read_xls(file, ParseContext(metadata()), sheet="Data")
    assert (layout, row.get("Value")) == ("pair", text)


def test_a_day_that_there_is_not_is_read_as_its_number(tmp_path: Path) -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Data")
    for column, name in enumerate(HEADER):
        sheet.write(0, column, name)
    sheet.write(1, 1, 1e12, xlwt.easyxf(num_format_str="YYYY-MM-DD"))
    book.save(str(tmp_path / "book.xls"))
    ((_, row),) = read_xls(resource(tmp_path / "book.xls"), ParseContext(metadata()), sheet="Data")
    assert row.get("Value") == "1000000000000.0"


def test_rows_are_numbered_as_in_excel_and_empty_ones_are_passed_over(tmp_path: Path) -> None:
    file = workbook(tmp_path / "book.xls", [HEADER, ["A", 1], ["", ""], ["B", 2]])
    context = ParseContext(metadata())
    assert [row.line for _, row in read_xls(file, context, sheet="Data")] == [2, 4]
    assert context.report.rows == 2


def test_a_sheet_without_rows_is_refused(tmp_path: Path) -> None:
    file = workbook(tmp_path / "book.xls", [])
    with pytest.raises(ParseFailed, match="the sheet 'Data' is empty"):
        list(read_xls(file, ParseContext(metadata()), sheet="Data"))


def test_a_damaged_workbook_is_refused_whatever_is_wrong_with_it(tmp_path: Path) -> None:
    whole = workbook(tmp_path / "book.xls", [HEADER, *([f"Name {n}", n] for n in range(200))]).path.read_bytes()
    for cut in range(0, len(whole), 997):
        damaged = tmp_path / "damaged.xls"
        damaged.write_bytes(whole[:cut] + bytes(64) + whole[cut + 64 :])
        try:
            rows = list(read_xls(resource(damaged), ParseContext(metadata()), sheet="Data"))
        except ParseFailed:
            continue
        assert len(rows) <= 200


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.xls"
    with path.open("wb") as file:
        file.truncate(MAX_XLS_BYTES + 1)
    with pytest.raises(ParseFailed, match="the limit is"):
        list(read_xls(resource(path), ParseContext(metadata()), sheet="Data"))


def test_a_workbook_is_known_by_its_content_not_its_name(tmp_path: Path) -> None:
    path = tmp_path / "book.xls"
    path.write_text("Name,Value\n", encoding="utf-8")
    assert not is_xls(resource(path))
    assert is_xls(workbook(path, [HEADER]))
