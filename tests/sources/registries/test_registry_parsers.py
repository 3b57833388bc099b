"""Each register's parser on a small invented file in the register's real layout, against the entries that it must give."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import ParseReport

Parsed = Callable[..., tuple[list[RegistryEntry], ParseReport]]

HERE = Path(__file__).parent
FILES = {
    "fed": ("corporations-active.csv", "corporations-inactive.csv"),
    "on": ("business_names.csv", "corporations.csv"),
    "yt": ("corporate_entities.csv",),
}


@pytest.mark.parametrize("folder", FILES)
def test_it_gives_the_entries_that_are_written_down(parsed: Parsed, folder: str) -> None:
    entries, _ = parsed(folder, *(HERE / folder / name for name in FILES[folder]))
    given = [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]
    assert given == json.loads((HERE / folder / "entries.json").read_text(encoding="utf-8"))


def rejections(report: ParseReport) -> list[tuple[str, int, str]]:
    return [(rejection.resource, rejection.line, rejection.reason) for rejection in report.rejections]


def test_the_federal_parser_says_what_it_refused_and_what_it_did_not_know(parsed: Parsed) -> None:
    _, report = parsed("fed", *(HERE / "fed" / name for name in FILES["fed"]))
    assert rejections(report) == [
        ("corporations-active.csv", 7, "Corporation number is not a number"),
        ("corporations-active.csv", 8, "Corporate name is empty"),
        ("corporations-active.csv", 9, "the row has 3 cells, the header has 18"),
        ("corporations-inactive.csv", 6, "an earlier row has the same registration number"),
    ]
    assert report.unknown_terms == {"status: Hibernating": 1}
    assert report.notes == ["the status detail 'Active - Under a Spell' is unknown, so the status was used"]


def test_the_ontario_parser_says_what_it_refused_and_what_it_did_not_know(parsed: Parsed) -> None:
    _, report = parsed("on", *(HERE / "on" / name for name in FILES["on"]))
    assert rejections(report) == [
        ("corporations.csv", 7, "Registration Date is not a date"),
        ("corporations.csv", 8, "orgId is empty"),
        ("corporations.csv", 9, "Company Name is empty"),
        ("corporations.csv", 10, "an earlier row has the same registration number"),
        ("corporations.csv", 11, "the row has 5 cells, the header has 24"),
    ]
    assert report.unknown_terms == {"status: Q": 1, "term: Q": 1}


def test_the_yukon_parser_merges_former_names_and_says_what_it_refused(parsed: Parsed) -> None:
    _, report = parsed("yt", HERE / "yt" / "corporate_entities.csv")
    assert report.merged == 2
    assert rejections(report) == [
        ("corporate_entities.csv", 22, "an earlier row has the same registration number"),
        ("corporate_entities.csv", 23, "name is empty"),
        ("corporate_entities.csv", 24, "the row has 2 cells, the header has 6"),
    ]
    assert report.unknown_terms == {"status: Petrified": 1}


@pytest.mark.parametrize("folder", FILES)
def test_a_header_that_is_not_known_is_refused(parsed: Parsed, tmp_path: Path, folder: str) -> None:
    path = tmp_path / "other.csv"
    path.write_text("Number,Company,State\n1,Sample Ltd.,Active\n", encoding="utf-8")
    with pytest.raises(ParseFailed, match="unknown header"):
        parsed(folder, path)


def test_good_standing_of_a_federal_corporation_depends_on_the_year_of_the_download(parsed: Parsed, tmp_path: Path) -> None:
    header = (HERE / "fed" / "corporations-active.csv").read_text(encoding="utf-8-sig").splitlines()[0]
    path = tmp_path / "corporations.csv"
    rows = [f"{number},,SAMPLE {year} INC.,,An Act,Active,,,{year},,,,,,,,," for number, year in enumerate(("2025", "2024", ""), 1)]
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    entries, _ = parsed("fed", path)
    assert [entry.good_standing for entry in entries] == [True, None, None]
