"""Two tables are linked by the names of their rows, and by numbers where these are comparable."""

import json
import subprocess
import sys
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import bonafide
from bonafide.errors import ValidationFailed

LEFT = pa.table({
    "Company": ["Sandbox Bakery Inc.", None, "Nobody At All Ltd.", "ACME Widgets Ltd", ""],
    "id": [11, 12, 13, 14, None],
    "No": ["17", "", "", "5", None],
    "Prov": ["ON", "", "", "Ontario", None],
})  # fmt: skip
RIGHT = pa.table({
    "legal name": ["Acme Widgets Limited", "Sandbox Bakery Incorporated", None, "Other Thing", "!!", "Acme Widgets (Canada) Ltd."],
    "id": ["a", "b", None, "c", "d", "e"],
    "No": [None, "17", None, "5", "9", "5"],
    "Prov": ["QC", "BC", None, "ontario", None, "QC"],
})  # fmt: skip
NUMBERS = {"registrationNumber": "No"}
PLACES = {**NUMBERS, "jurisdiction": "Prov"}


def link(left: Any = LEFT, right: Any = RIGHT, **options: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = bonafide.match_table(left, right, **options).to_pylist()
    return rows


def find_pairs(rows: list[dict[str, Any]]) -> set[tuple[int, int]]:
    return {(row["leftIndex"], row["rightIndex"]) for row in rows if row["status"] == "match"}


def test_every_row_of_the_left_table_has_a_result() -> None:
    rows = link(limit=1)
    # The last row is empty.
    assert [(row["leftIndex"], row["leftReference"], row["status"]) for row in rows] == [
        (0, "11", "match"), (1, "12", "error"), (2, "13", "no_match"), (3, "14", "match"),
    ]  # fmt: skip
    assert rows[1]["error"] == "name: is required"
    assert (rows[0]["rightIndex"], rows[0]["rightReference"], rows[0]["rightName"]) == (1, "b", "Sandbox Bakery Incorporated")
    [field] = rows[0]["fields"]
    assert (field["field"], field["left"], field["right"]) == ("legalName", "Sandbox Bakery Inc.", "Sandbox Bakery Incorporated")
    assert field["reason"]
    assert field["score"] == rows[0]["score"] == 1


def test_positions_are_those_of_the_tables() -> None:
    found = bonafide.match_table(LEFT, RIGHT, limit=1)
    pairs = found.filter(pc.equal(found["status"], "match"))
    assert RIGHT.take(pairs["rightIndex"])["legal name"].to_pylist() == pairs["rightName"].to_pylist()
    assert LEFT.take(pairs["leftIndex"])["Company"].to_pylist() == pairs["leftName"].to_pylist()


def test_rows_of_the_right_table_that_cannot_be_linked_are_listed() -> None:
    found = bonafide.match_table(LEFT, RIGHT, language="fr")
    [problem] = json.loads(found.schema.metadata[b"unlinkedRight"])
    assert problem["index"] == 4
    assert problem["error"].startswith("name")


def test_numbers_are_compared_only_if_both_columns_are_named() -> None:
    by_name = find_pairs(link())
    assert (3, 3) not in by_name
    assert find_pairs(link(left_columns=NUMBERS)) == by_name
    assert (3, 3) in find_pairs(link(left_columns=NUMBERS, right_columns=NUMBERS))


def test_numbers_of_other_jurisdictions_are_not_compared() -> None:
    rows = link(left_columns=PLACES, right_columns=PLACES)
    fields = {(row["leftIndex"], row["rightIndex"]): {field["field"]: field["status"] for field in row["fields"]} for row in rows}
    assert fields[3, 3]["registrationNumber"] == "matched"
    assert "registrationNumber" not in fields[0, 1]
    assert "registrationNumber" not in fields[3, 5]


def test_an_address_affects_the_score() -> None:
    left = pa.table({"name": ["Sandbox Bakery"], "street": ["100 King St W"], "city": ["Toronto"]})
    right = pa.table({
        "name": ["Sandbox Bakery Inc.", "Sandbox Bakery Inc."],
        "Address": ["5 Other Road", "100 King Street West"],
        "city": ["Ottawa", "Toronto"],
    })  # fmt: skip
    best, other = link(left, right)
    assert (best["rightIndex"], other["rightIndex"], best["rank"], other["rank"]) == (1, 0, 1, 2)
    assert best["score"] > other["score"]


def test_empty_tables_have_empty_results() -> None:
    assert link(LEFT.slice(0, 0)) == []
    assert {row["status"] for row in link(right=RIGHT.slice(0, 0))} == {"no_match", "error"}


def test_the_package_imports_no_library_before_it_is_used() -> None:
    code = "import sys, bonafide; print(*sorted({'pyarrow', 'pydantic', 'numpy'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603 - this interpreter
    assert found.stdout.split() == []


def test_a_wrong_column_or_option_is_refused() -> None:
    with pytest.raises(ValidationFailed, match="Nom"):
        link(left_columns={"name": "Nom"})
    for options in ({"threshold": 0.1}, {"limit": 0}, {"language": "de"}, {"left_columns": {"nom": "Company"}}):
        with pytest.raises(ValueError, match=r".+"):
            link(**options)
    with pytest.raises(AttributeError):
        bonafide.missing  # noqa: B018
