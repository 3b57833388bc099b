"""Manitoba's listings of filings, as real PDF files made by the test."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import ParseReport
from tests.support.sources.notice_issues import Cells, pdf

Parsed = Callable[..., tuple[list[RegistryEntry], ParseReport]]
HERE = Path(__file__).parent / "mb"

FIRST: list[str | Cells] = [
    "Companies Office",
    "Listing of Recent Filings",
    "Week ending September 19, 2026",
    "The Corporations Act",
    "Incorporations",
    "File No.: 7654321",
    "SAMPLE PRAIRIE LTD.",
    "Date of Incorporation: 2026-09-14",
    "Registered Office: 200-330 PORTAGE AVENUE,",
    "WINNIPEG MB, R3C 0C4",
    ((50, "File No.: 7654339"), (250, "Date of Incorporation: September 15, 2026")),
    "SAMPLE BISON WITH A NAME SO LONG THAT IT NEEDS",
    "TWO LINES INC.",
    "Amendments with Name Change",
    "File No.: 3456789",
    "SAMPLE OLD NAME LTD.",
    "New Name: SAMPLE NEW NAME LTD.",
    "Effective Date: 2026-09-16",
    "Page 1 of 2",
]
SECOND: list[str | Cells] = [
    "Martian Mergers",
    "File No.: 3456000",
    "SAMPLE X LTD.",
    "Dissolutions",
    "File No.: 3456111",
    "SAMPLE Y LTD.",
    "Effective Date: 2026-09-31",
    "File No.: 7654321",
    "SAMPLE PRAIRIE LTD.",
    "Effective Date: 2026-09-18",
    "The Business Names Registration Act",
    "Registrations",
    "File No.: ABC",
    "SAMPLE W",
    "File No.: 1112223",
    "Registered Office: SOMEWHERE",
    "File No.: 1112224",
    "SAMPLE CORNER STORE",
    "Date of Registration: 2026-09-17",
    "Registered Office: 5 BROADWAY, BRANDON MB",
    "Page 2 of 2",
]
NAME = "2026-09-19.en.pdf"


def test_a_listing_gives_the_entries_that_are_written_down(parsed: Parsed, tmp_path: Path) -> None:
    entries, report = parsed("mb", HERE / NAME)
    # The saved file is these pages, in a form that other readers of it can be tried on.
    assert (HERE / NAME).read_bytes() == pdf(tmp_path / NAME, FIRST, SECOND).read_bytes()
    given = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]
    assert given == json.loads((HERE / "entries.json").read_text(encoding="utf-8"))
    assert [(rejection.line, rejection.reason) for rejection in report.rejections] == [
        (21, "the notice is under an unknown heading"),
        (24, "Effective Date is not a date"),
        (32, "File No. is not a number"),
        (34, "the notice has no name"),
    ]
    assert report.unknown_terms == {"term: Martian Mergers": 1}


def test_weeks_are_read_in_their_order_whatever_the_order_of_the_files(parsed: Parsed, tmp_path: Path) -> None:
    heads = ["Companies Office", "The Corporations Act"]
    newer = pdf(
        tmp_path / "2026-09-26.en.pdf", [*heads, "Revivals", "File No.: 7654321", "SAMPLE LTD.", "Effective Date: 2026-09-24"]
    )
    older = pdf(
        tmp_path / "2026-09-19.en.pdf", [*heads, "Dissolutions", "File No.: 7654321", "SAMPLE LTD.", "Effective Date: 2026-09-18"]
    )
    (entry,), report = parsed("mb", newer, older)
    assert (entry.status, entry.good_standing) == ("Active (derived from filings)", None)
    assert entry.source_url == "https://companiesoffice.gov.mb.ca/comp_off/listings/2026-09-26.en.pdf"
    assert report.merged == 1


def test_a_listing_without_a_filing_that_is_understood_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    with pytest.raises(ParseFailed, match="no filing under a known heading"):
        parsed("mb", pdf(tmp_path / "2026-09-19.en.pdf", ["Companies Office", "Nouvelles constitutions", "No de dossier 7654321"]))


def test_a_file_whose_name_does_not_tell_its_week_is_refused(parsed: Parsed, tmp_path: Path) -> None:
    with pytest.raises(ParseFailed, match="the file name has no date"):
        parsed("mb", pdf(tmp_path / "newest.pdf", FIRST))
