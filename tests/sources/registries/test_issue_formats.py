"""The readers of PDF and of workbooks: what they give, and that whatever is wrong with a file is a refusal."""

from datetime import UTC, date, datetime
from pathlib import Path

import openpyxl
import pytest

from bonafide.errors import ParseFailed
from bonafide.sources.formats.pdf_text import MAX_PDF_BYTES, read_lines
from bonafide.sources.formats.xlsx_workbook import MAX_XLSX_BYTES, is_xlsx, read_xlsx
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import HeaderLayout
from tests.support.sources.notice_issues import pdf


def resource(path: Path) -> Resource:
    return Resource(path.name, path, "", datetime(2026, 11, 20, tzinfo=UTC), "", path.stat().st_size)


def context() -> ParseContext:
    metadata = get_source("ab").metadata
    return ParseContext(metadata.model_copy(update={"layouts": {"pair": HeaderLayout(columns=("Name", "Value"))}}))


def workbook(path: Path, *rows: tuple[object, ...]) -> Resource:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return resource(path)


class TestPdf:
    def test_lines_come_from_top_to_bottom_and_runs_from_left_to_right(self, tmp_path: Path) -> None:
        path = pdf(tmp_path / "a.pdf", [((300, "right (2)"), (50, "left é"))], ["Second \\ page"])
        lines = list(read_lines(resource(path)))
        assert [(line.number, line.page, line.text) for line in lines] == [(1, 1, "left é right (2)"), (2, 2, "Second \\ page")]
        assert [round(run.x) for run in lines[0].runs] == [50, 300]

    def test_a_file_without_text_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match="may be a scan"):
            list(read_lines(resource(pdf(tmp_path / "a.pdf", []))))

    def test_a_damaged_file_is_refused_or_gives_less_whatever_is_wrong_with_it(self, tmp_path: Path) -> None:
        whole = pdf(tmp_path / "a.pdf", *[[f"Line {n} of {page}" for n in range(40)] for page in range(3)]).read_bytes()
        for cut in range(0, len(whole), 173):
            damaged = tmp_path / "damaged.pdf"
            damaged.write_bytes(whole[:cut] + bytes(40) + whole[cut + 40 :])
            try:
                lines = list(read_lines(resource(damaged)))
            except ParseFailed:
                continue
            assert len(lines) <= 120

    @pytest.mark.parametrize("content", [b"", b"%PDF-1.4\n", b"<html>Not found</html>"])
    def test_what_is_no_pdf_is_refused(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "a.pdf").write_bytes(content)
        with pytest.raises(ParseFailed, match="not a readable PDF"):
            list(read_lines(resource(tmp_path / "a.pdf")))

    def test_a_file_that_is_too_large_is_not_read(self, tmp_path: Path) -> None:
        with (tmp_path / "a.pdf").open("wb") as file:
            file.truncate(MAX_PDF_BYTES + 1)
        with pytest.raises(ParseFailed, match="the limit is"):
            list(read_lines(resource(tmp_path / "a.pdf")))


class TestXlsx:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            ("  two   words ", "two words"),
            ("   ", None),
            (803780, "803780"),
            (2.0, "2"),
            (2.5, "2.5"),
            (date(2026, 10, 2), "2026-10-02"),
            (datetime(2026, 10, 2, 14, 30), "2026-10-02 14:30:00"),  # noqa: DTZ001 - a cell has no zone
            (True, "TRUE"),
            (None, None),
        ],
    )
    def test_a_cell_is_read_as_a_person_sees_it(self, tmp_path: Path, value: object, text: str | None) -> None:
        ((layout, row),) = read_xlsx(workbook(tmp_path / "a.xlsx", ("Name", "Value"), ("Example", value)), context())
        assert (layout, row.get("Value")) == ("pair", text)

    def test_empty_rows_are_passed_over_and_lines_are_numbered_as_in_excel(self, tmp_path: Path) -> None:
        seen = context()
        file = workbook(tmp_path / "a.xlsx", (), ("Name", "Value"), ("A", 1), (), ("B", 2, "more"), ("C",))
        assert [(row.line, row.get("Name")) for _, row in read_xlsx(file, seen)] == [(3, "A"), (6, "C")]
        assert (seen.report.rows, dict(seen.report.reasons)) == (3, {"the row has 3 cells, the header has 2": 1})

    def test_a_sheet_without_rows_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ParseFailed, match="the first sheet is empty"):
            list(read_xlsx(workbook(tmp_path / "a.xlsx"), context()))

    def test_a_damaged_workbook_is_refused_whatever_is_wrong_with_it(self, tmp_path: Path) -> None:
        whole = workbook(tmp_path / "a.xlsx", ("Name", "Value"), *((f"Name {n}", n) for n in range(200))).path.read_bytes()
        for cut in range(0, len(whole), 397):
            damaged = tmp_path / "damaged.xlsx"
            damaged.write_bytes(whole[:cut] + bytes(64) + whole[cut + 64 :])
            is_xlsx(resource(damaged))
            try:
                rows = list(read_xlsx(resource(damaged), context()))
            except ParseFailed:
                continue
            assert len(rows) <= 200

    def test_a_workbook_is_known_by_its_content_not_its_name(self, tmp_path: Path) -> None:
        book = workbook(tmp_path / "a.xlsx", ("Name", "Value"))
        assert is_xlsx(resource(book.path.rename(tmp_path / "a.bin")))
        (tmp_path / "b.xlsx").write_text("Name,Value\n", encoding="utf-8")
        assert not is_xlsx(resource(tmp_path / "b.xlsx"))

    def test_a_file_that_is_too_large_is_not_read(self, tmp_path: Path) -> None:
        with (tmp_path / "a.xlsx").open("wb") as file:
            file.truncate(MAX_XLSX_BYTES + 1)
        with pytest.raises(ParseFailed, match="the limit is"):
            list(read_xlsx(resource(tmp_path / "a.xlsx"), context()))
