"""Spreadsheets: what is written is what a reader of spreadsheets reads back."""

import io
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from python_calamine import CalamineWorkbook

from bonafide.services.lists.spreadsheet import MAX_CELL_CHARACTERS, Cell, SpreadsheetWriter

TORONTO = ZoneInfo("America/Toronto")


def written(columns: list[str], *batches: list[list[Cell]], name: str = "Searches") -> CalamineWorkbook:
    writer = SpreadsheetWriter(name, TORONTO)
    pieces = [writer.begin(columns), *(writer.write(batch) for batch in batches), writer.finish()]
    return CalamineWorkbook.from_filelike(io.BytesIO(b"".join(pieces)))


def test_cells_of_each_kind_are_read_back() -> None:
    at = datetime(2026, 7, 1, 3, 30, tzinfo=UTC)
    first: list[Cell] = ["Éclair & <fils>", 3, 0.25, True, at, None]
    second: list[Cell] = ["", -1, 1.5, False, None, "last"]
    sheet = written(["Name", "a", "b", "c", "d", "e"], [first], [second]).get_sheet_by_index(0).to_python()
    assert sheet[0] == ["Name", "a", "b", "c", "d", "e"]
    # An instant is the local time of the time zone.
    assert sheet[1] == ["Éclair & <fils>", 3.0, 0.25, True, datetime(2026, 6, 30, 23, 30), ""]  # noqa: DTZ001
    assert sheet[2] == ["", -1.0, 1.5, False, "", "last"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("https://evil.example")', "\t=1"])
def test_what_looks_like_a_formula_is_text(text: str) -> None:
    assert written(["Name"], [[text]]).get_sheet_by_index(0).to_python()[1] == [text]


def test_what_xml_does_not_have_is_replaced_and_long_texts_are_cut() -> None:
    rows = written(["Name"], [["a\x00b\x1f\ud800"], ["x" * (MAX_CELL_CHARACTERS + 5)]]).get_sheet_by_index(0).to_python()
    assert rows[1] == ["a\ufffdb\ufffd\ufffd"]
    assert len(str(rows[2][0])) == MAX_CELL_CHARACTERS


def test_many_columns_and_a_name_that_sheets_can_not_have() -> None:
    book = written([f"c{number}" for number in range(60)], [list(range(60))], name="a/b:" + "c" * 40)
    assert book.sheet_names == ["a b " + "c" * 27]
    assert book.get_sheet_by_index(0).to_python()[1][-1] == 59.0
