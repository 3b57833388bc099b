"""`bonafide screen --file`: every row of a file answered in its order, however many, whatever stands in it."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from bonafide.model.accounts.organizations import World
from bonafide.services.screening.batch import ScreenedChunk, ScreeningBatch, screen_rows
from bonafide.services.screening.name_file import NameFileRow, NameRow
from bonafide.settings import Settings
from tests.support.cli_commands import Command, Outcome

LISTED = "Sandbox Sanctioned Trading Ltd."
SEMA = "ca-sanctions-autonomous"


@pytest.fixture
def screened(bonafide: Command, sandbox_dir: Path, tmp_path: Path) -> Any:
    def run(content: str | bytes, *options: str) -> Outcome:
        path = tmp_path / "names.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return bonafide("screen", "--file", path, "--sandbox", "--data-dir", sandbox_dir, *options)

    return run


def table(found: Outcome) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(found.out)))


def documents(found: Outcome) -> list[dict[str, Any]]:
    return [json.loads(line) for line in found.out.splitlines()]


def test_a_row_says_who_is_meant_how_alike_and_why(screened: Any) -> None:
    found = screened(f"name\n{LISTED}\nNobody At All\n")
    assert found.status == 0, found.err
    hit, clear = table(found)
    assert (hit["line"], hit["name"], hit["status"], hit["listedName"], hit["source"]) == ("2", LISTED, "match", LISTED, SEMA)
    assert (hit["score"], hit["matchedName"], hit["entityType"], hit["reasons"]) == ("1.0", LISTED, "organization", "same name")
    assert hit["entryId"]
    assert (clear["line"], clear["status"], clear["totalMatches"], clear["score"], clear["reasons"]) == ("3", "clear", "0", "", "")
    assert "2 names: 1 match, 1 clear. Screened: " in found.said
    assert f"{SEMA} (" in found.said


def test_for_a_program_each_row_is_a_document(screened: Any) -> None:
    hit, clear = documents(screened(f"{LISTED}\nNobody At All\n", "--json"))
    assert (hit["line"], hit["status"], hit["totalMatches"], hit["error"]) == (1, "match", 1, None)
    assert hit["matches"][0]["reasons"] == ["same name"]
    assert (clear["line"], clear["status"], clear["matches"], clear["notScreened"]) == (2, "clear", [], [])


@pytest.mark.slow
def test_a_bad_row_is_told_with_its_line_and_the_others_are_screened(screened: Any) -> None:
    content = (
        f"name,dateOfBirth,country\nA,B,C,D\n{LISTED},,\n***,,\nX,,Utopia\nY,,Atlantis\n{LISTED},,ca\n".encode() + b"Caf\xe9,,\n"
    )
    found = screened(content, "--json")
    rows = documents(found)
    assert found.status == 1
    assert [(row["line"], row["status"]) for row in rows] == [
        (2, "error"), (3, "match"), (4, "error"), (5, "error"), (6, "error"), (7, "match"), (8, "error"),
    ]  # fmt: skip
    assert [row["error"] for row in rows if row["error"]] == [
        "4 cells, but the header has 3 columns",
        "name: must have at least one letter or digit",
        "country: “Utopia” is not a country",
        "country: “Atlantis” is not a country",
        "not UTF-8",
    ]
    assert table(screened(content))[0]["reasons"] == "4 cells, but the header has 3 columns"


def test_a_row_with_an_impossible_date_of_birth_is_screened_without_it(screened: Any) -> None:
    content = f"name,dateOfBirth\n{LISTED},1961-13\nNobody At All,2990\n{LISTED},1961\n"
    found = screened(content, "--json")
    rows = documents(found)
    assert [row["error"] for row in rows] == [None, None, None]
    assert (found.status, [row["status"] for row in rows]) == (0, ["match", "clear", "match"])
    assert [[warning["code"] for warning in row["warnings"]] for row in rows] == [["INVALID_DATE_OF_BIRTH"]] * 2 + [[]]
    assert "2 names were screened without their dates of birth" in found.said
    hit, clear, dated = table(screened(content))
    assert "“1961-13”" in hit["warnings"]
    assert "“2990”" in clear["warnings"]
    assert (clear["reasons"], dated["warnings"]) == ("", "")


@pytest.mark.slow
def test_a_name_that_cannot_be_screened_is_an_error(screened: Any) -> None:
    found = screened("Sandboх Sanctioned Trading Ltd.\nInc.\n", "--json")
    hit, generic = documents(found)
    assert found.status == 1
    assert (hit["status"], generic["status"]) == ("match", "error")
    assert "consists only of generic words" in generic["error"]


def test_the_kind_of_a_row_counts(screened: Any) -> None:
    rows = documents(screened(f"name,entityType\n{LISTED},organization\n{LISTED},Vessel\n", "--json"))
    assert [row["status"] for row in rows] == ["match", "clear"]


@pytest.mark.slow
def test_a_name_is_never_a_formula_of_a_spreadsheet(screened: Any) -> None:
    rows = table(screened('name\n"=HYPERLINK(""https://evil.example"")"\n@SUM(A1)\n'))
    assert [row["name"] for row in rows] == ['\'=HYPERLINK("https://evil.example")', "'@SUM(A1)"]
    assert [row["name"] for row in documents(screened("name\n=1+1 Ltd.\n", "--json"))] == ["=1+1 Ltd."]


@pytest.mark.slow
def test_names_come_from_standard_input_too(bonafide: Command, sandbox_dir: Path) -> None:
    words = ("screen", "--file", "-", "--sandbox", "--data-dir", sandbox_dir, "--json")
    assert [row["status"] for row in documents(bonafide(*words, stdin=LISTED.encode()))] == ["match"]


@pytest.mark.slow
def test_matches_of_a_row_are_limited_and_all_are_counted(screened: Any) -> None:
    (row,) = documents(screened("Sandbox Sanctioned Trading\n", "--json", "--limit", "1", "--threshold", "0.7"))
    assert len(row["matches"]) == 1
    assert row["totalMatches"] >= 1


@pytest.mark.slow
def test_columns_that_are_not_read_are_named(screened: Any) -> None:
    assert "Ignored columns: id, DateofBrith" in screened("id,name,DateofBrith\n1,Nobody,\n").said


def test_an_empty_file_is_an_empty_table(screened: Any) -> None:
    found = screened("")
    assert (found.status, table(found)) == (0, [])
    assert found.out.startswith("line,name,status,")


def test_without_any_list_nothing_is_told_to_be_clear(bonafide: Command, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("Somebody\n")
    found = bonafide("screen", "--file", tmp_path / "names.txt")
    assert (found.status, found.out) == (1, "")
    assert "No sanctions list could be screened" in found.said


def test_a_list_that_is_missing_makes_a_row_incomplete(bonafide: Command, sandbox_dir: Path, tmp_path: Path) -> None:
    lists = tmp_path / "data" / "index" / "sandbox"
    lists.mkdir(parents=True)
    (lists / SEMA).symlink_to(sandbox_dir / "index" / "sandbox" / SEMA)
    (tmp_path / "names.txt").write_text(f"Nobody At All\n{LISTED}\n")
    words = ("screen", "--file", tmp_path / "names.txt", "--sandbox")
    found = bonafide(*words)
    assert found.status == 1
    clear, hit = table(found)
    assert (clear["status"], hit["status"]) == ("incomplete", "match")
    assert "not screened: " in clear["reasons"]
    assert "un-sanctions-consolidated" in clear["reasons"]
    assert "Not screened: " in found.said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("screen",), "Give either a name or --file"),
        (("screen", "Somebody", "--file", "x.csv"), "Give either a name or --file"),
        (("screen", "--file", "x.csv", "--limit", "0"), "--limit"),
        (("screen", "--file", "x.csv", "--processes", "0"), "--processes"),
        (("screen", "--file", "x.csv", "--threshold", "0.5"), "--threshold"),
    ],
)
def test_what_cannot_be_meant_is_refused(bonafide: Command, words: tuple[str, ...], sentence: str) -> None:
    found = bonafide(*words)
    assert (found.status, found.out) == (2, "")
    assert sentence in found.said


def test_a_file_that_cannot_be_read_is_a_sentence(bonafide: Command, tmp_path: Path) -> None:
    found = bonafide("screen", "--file", tmp_path / "missing.csv")
    assert (found.status, found.out) == (1, "")
    assert "No such file" in found.said
    (tmp_path / "twice.csv").write_text("name,country,Countries\n")
    found = bonafide("screen", "--file", tmp_path / "twice.csv")
    assert found.status == 1
    assert "twice.csv: line 1: the column “country” is repeated" in found.said


def parts(folder: Path, names: list[str], processes: int) -> list[ScreenedChunk]:
    rows: list[NameFileRow] = [NameRow(line, name) for line, name in enumerate(names, 1)]
    batch = ScreeningBatch(Settings(data_dir=folder), World.SANDBOX, threshold=0.85, limit=3, processes=processes, alone=32)
    return list(screen_rows(batch, iter(rows)))


@pytest.mark.slow
def test_processes_side_by_side_write_what_one_alone_does_in_the_same_order(sandbox_dir: Path) -> None:
    names = [LISTED if number % 7 == 0 else "***" if number % 11 == 0 else f"Nobody {number}" for number in range(400)]
    alone = [row for part in parts(sandbox_dir, names, 1) for row in part.rows]
    together = [row for part in parts(sandbox_dir, names, 2) for row in part.rows]
    assert [row.line for row in together] == list(range(1, 401))
    assert together == alone
    assert {row.status for row in alone} == {"match", "clear", "error"}
