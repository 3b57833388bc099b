"""Alberta's Periodical, made by hand in its real form, and its listing of non-profits in a real workbook."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import ParseReport
from tests.support.sources.notice_issues import periodical

Parsed = Callable[..., tuple[list[RegistryEntry], ParseReport]]

HERE = Path(__file__).parent / "ab"
ISSUES = (HERE / "2026_01_Jan15_Registrar.cfm", HERE / "2025_24_Dec31_Registrar.cfm")
"""The newer one first: they are read in the order of their days all the same."""
HEADER = ("Legal Entity Type Description", "Legal Entity Name", "Status", "Registration Date", "City", "Postal Code")
STRUCK = "Corporations Dissolved / Struck Off"
REGISTRATIONS = "Corporate Registrations, Incorporations, and Continuations"


def listing(path: Path, *rows: tuple[object, ...]) -> Path:
    """The workbook as a spreadsheet program writes it: shared texts, days as days, an empty row above the header."""
    book = openpyxl.Workbook()
    for row in ((), HEADER, *rows):
        book.active.append(row)
    book.save(path)
    return path


def test_two_issues_give_the_entries_that_are_written_down(parsed: Parsed) -> None:
    entries, _ = parsed("ab", *ISSUES)
    given = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]
    assert given == json.loads((HERE / "entries.json").read_text(encoding="utf-8"))


def test_the_load_is_dated_to_the_newest_issue(parsed: Parsed) -> None:
    _, report = parsed("ab", *ISSUES)
    assert report.as_of == date(2026, 1, 15)


def test_what_was_refused_is_told_with_its_line(parsed: Parsed) -> None:
    _, report = parsed("ab", *ISSUES)
    assert [(rejection.resource, rejection.line, rejection.reason) for rejection in report.rejections] == [
        ("2025_24_Dec31_Registrar.cfm", 14, "not a valid registration line"),
        ("2025_24_Dec31_Registrar.cfm", 22, "the notice has only a name, which several businesses have"),
        ("2026_01_Jan15_Registrar.cfm", 18, "'2026 JAN 32' is not a date"),
        ("2026_01_Jan15_Registrar.cfm", 38, "incomplete amalgamation notice"),
    ]
    assert report.unknown_terms == {"term: Lunar Corporation": 1}


def test_the_status_says_that_it_is_derived_and_the_address_is_the_issues(parsed: Parsed) -> None:
    entries, _ = parsed("ab", *ISSUES)
    struck = next(entry for entry in entries if entry.legal_name == "SAMPLE PUNCTUAL LTD.")
    assert (struck.status, struck.status_code) == ("Struck off or dissolved (derived from notices)", "dissolved")
    assert struck.good_standing is False
    assert struck.source_url == "https://kings-printer.alberta.ca/documents/gazette/2026/text/01_Jan15_Registrar.cfm"
    assert [(item.name, item.effective_date, item.end_date) for item in struck.name_history] == [
        ("SAMPLE LATE LTD.", date(2001, 6, 5), date(2026, 1, 7))
    ]


def test_a_registration_from_elsewhere_is_no_incorporation_and_a_federal_one_is_at_home_there(parsed: Parsed) -> None:
    entries, _ = parsed("ab", *ISSUES)
    federal = next(entry for entry in entries if entry.entity_type == "Federal Corporation")
    assert (federal.incorporation_date, federal.home_jurisdiction) == (None, "FED")


def test_every_notice_of_a_company_called_by_its_number_is_read(parsed: Parsed, tmp_path: Path) -> None:
    path = periodical(tmp_path / "2026/02_Jan31_Registrar.cfm", STRUCK, "1234567 ALBERTA LTD. 2026 JAN 20.", "7654321 ALBERTA INC")
    entries, _ = parsed("ab", path)
    assert [entry.legal_name for entry in entries] == ["1234567 ALBERTA LTD.", "7654321 ALBERTA INC"]


def test_a_company_whose_name_begins_like_the_pages_own_words_is_not_passed_over(parsed: Parsed, tmp_path: Path) -> None:
    path = periodical(
        tmp_path / "2026/02_Jan31_Registrar.cfm", STRUCK, "SERVICE ALBERTA", "SERVICE ALBERTA PLUMBING LTD. 2026 JAN 20."
    )
    entries, report = parsed("ab", path)
    assert [entry.legal_name for entry in entries] == ["SERVICE ALBERTA PLUMBING LTD."]
    assert report.rows == 1


def test_an_issue_read_twice_changes_nothing(parsed: Parsed, tmp_path: Path) -> None:
    again = tmp_path / "2025_24_Dec31_Registrar.cfm"
    again.write_bytes(ISSUES[1].read_bytes())
    assert parsed("ab", *ISSUES, again)[0] == parsed("ab", *ISSUES)[0]


def test_a_listed_non_profit_is_the_one_that_was_announced_or_an_entry_without_a_number(parsed: Parsed, tmp_path: Path) -> None:
    book = listing(
        tmp_path / "non_profits.xlsx",
        ("Alberta Society", "SAMPLE SOCIETY FOR PIGEONS", "Inactive", "2025/09/03", " CALGARY", "T2P 1G1"),
        ("Alberta Society", "SAMPLE CHOIR", "Active", date(1971, 5, 2), " EDMONTON", None),
        ("Religious Society", "SAMPLE MONKS", "Enlightened", "1950/01/02", None, None),
        ("Alberta Society", None, "Active", "1950/01/02", None, None),
        ("Alberta Society", "SAMPLE LATE SOCIETY", "Active", "soon", None, None),
    )
    entries, report = parsed("ab", *ISSUES, book)
    named = {entry.legal_name: entry for entry in entries}
    pigeons, choir = named["SAMPLE SOCIETY FOR PIGEONS"], named["SAMPLE CHOIR"]
    assert (pigeons.entry_id, pigeons.status, pigeons.status_code) == ("5029012385", "Inactive", "inactive")
    assert (choir.entry_id, choir.registration_numbers, choir.incorporation_date) == ("SAMPLECHOIR", (), date(1971, 5, 2))
    assert choir.addresses[0].raw == "EDMONTON, AB, CA"
    assert report.unknown_terms["status: Enlightened"] == 1
    assert report.reasons["Legal Entity Name is empty"] == report.reasons["Registration Date is not a date"] == 1


def test_a_changed_header_of_the_listing_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append([*HEADER[:-1], "Zip"])
    book.save(tmp_path / "non_profits.xlsx")
    with pytest.raises(ParseFailed, match="missing columns: Postal Code; unknown columns: Zip"):
        parsed("ab", tmp_path / "non_profits.xlsx")


@pytest.mark.parametrize(
    "name", ["issue.cfm", "02_Jan31_Registrar.cfm", "2026_02_Foo31_Registrar.cfm", "2026_02_Feb31_Registrar.cfm"]
)
def test_a_file_whose_name_does_not_tell_its_issue_is_refused(parsed: Parsed, tmp_path: Path, name: str) -> None:
    with pytest.raises(ParseFailed, match="the file name"):
        parsed("ab", periodical(tmp_path / "folder" / name, REGISTRATIONS))


@pytest.mark.parametrize("text", ["<html><body>Page not found</body></html>", "<html><pre>Nothing here</pre></html>", ""])
def test_a_page_that_is_no_issue_is_refused(parsed: Parsed, tmp_path: Path, text: str) -> None:
    path = tmp_path / "2026_02_Jan31_Registrar.cfm"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ParseFailed, match=r"does not contain the text of an issue|no known section"):
        parsed("ab", path)


def test_letters_of_windows_are_read_and_noted_and_bytes_that_are_neither_refused(parsed: Parsed, tmp_path: Path) -> None:
    path = tmp_path / "2026_02_Jan31_Registrar.cfm"
    path.write_bytes(f"<pre>\n{STRUCK}\nSAMPLE CAFÉ LTD. 2026 JAN 20.\n</pre>".encode("cp1252"))
    entries, report = parsed("ab", path)
    assert entries[0].legal_name == "SAMPLE CAFÉ LTD."
    assert any("read as windows-1252" in note for note in report.notes)
    path.write_bytes(b"<pre>\n\x81\xff</pre>")
    with pytest.raises(ParseFailed, match="neither UTF-8 nor windows-1252"):
        parsed("ab", path)
