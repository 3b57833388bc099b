"""Tables that `source.yml` describes: what is checked of the description, and what it makes of rows."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import SourceMetadata
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import parse_day

HEADER = "Number,Name,Town,Kinds"
TABLE: dict[str, Any] = {
    "columns": {"registration_number": "Number", "legal_name": "Name", "city": "Town", "kinds": "Kinds"},
    "defaults": {"status": "Listed"},
    "required": ["registration_number"],
    "list_separator": ";",
}


def describe(**changed: Any) -> SourceMetadata:
    metadata = get_source("mohServiceProviders").metadata.model_dump()
    layouts = {"csv": {"columns": HEADER.split(",")}}
    details = [{"key": "kinds", "label": "Kinds", "type": "strings"}]
    return SourceMetadata.model_validate(metadata | {"layouts": layouts, "details": details, "table": TABLE | changed})


def parse(folder: Path, metadata: SourceMetadata, *rows: str) -> tuple[list[tuple[str, str | None, Any]], ParseContext]:
    path = folder / "table.csv"
    path.write_text("\n".join([HEADER, *rows]), encoding="utf-8")
    context = ParseContext(metadata)
    resource = Resource(path.name, path, "file:table.csv", datetime(2026, 11, 20, tzinfo=UTC), "", path.stat().st_size)
    entries = list(parse_table([resource], context))
    report = context.report
    assert report.rows == len(entries) + report.merged + report.rejected
    return [(entry.entry_id, entry.legal_name, entry.details.get("kinds")) for entry in entries], context


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"defaults": {"stauts": "Listed"}}, "neither fields of an entry nor declared details: stauts"),
        ({"columns": {"legal_name": "Nmae"}}, "not columns of the layout csv: Nmae"),
        ({"date_formats": ["%d"]}, "not a date format with year, month and day"),
        ({"encoding": "utf-9"}, "is not an encoding"),
    ],
)
def test_a_description_that_does_not_fit_the_source_is_refused(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        describe(**changed)


@pytest.mark.parametrize(
    ("rule", "name", "kinds"),
    [("first", "One", ["a"]), ("last", "Two", ["b", "c"]), ("fill", "One", ["a"]), ("combine", "One", ["a", "b", "c"])],
)
def test_a_further_row_of_an_entry_follows_the_rule(tmp_path: Path, rule: str, name: str, kinds: list[str]) -> None:
    found, context = parse(tmp_path, describe(repeated_rows=rule), "1,One,Here,a", "1,Two,There,b; c")
    assert found == [("1", name, kinds)]
    assert context.report.merged == 1


def test_blank_columns_reject_a_row_or_skip_it_with_a_reason(tmp_path: Path) -> None:
    skip = [{"field": "city", "values": ["Nowhere"], "reason": "no place"}]
    rows = ("1,One,Here,", ",Two,Here,", "3,n/a,Here,", "4,Four,Nowhere,", "5,Five")
    found, context = parse(tmp_path, describe(skip=skip, blank="n/a"), *rows)
    assert found == [("1", "One", None)]
    assert context.report.reasons == {"Number is empty": 1, "Name is empty": 1, "the row has 2 cells, the header has 4": 1}
    assert "1 row skipped: no place" in context.report.notes


def test_the_id_of_a_row_without_a_number_follows_the_template(tmp_path: Path) -> None:
    found, _ = parse(tmp_path, describe(required=[], entry_id="{legal_name} | {city}"), ",One,Here,", ",Two,,")
    assert [entry_id for entry_id, _, _ in found] == ["one | here", "two | none"]


def test_a_form_of_ten_figures_reads_the_day_of_an_instant_and_another_form_the_whole_text() -> None:
    assert parse_day("2026-02-03T10:00:00", ["%Y-%m-%d"]) == parse_day("2026/02/03 10:00", ["%Y/%m/%d"]) == date(2026, 2, 3)
    with pytest.raises(ValueError, match="'02/03/2026 10:00' is not a date"):
        parse_day("02/03/2026 10:00", ["%m/%d/%Y"])
