"""GLEIF's relationship records and reporting exceptions: what each row gives, and what is refused."""

import zipfile
from datetime import date
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RelationshipEntry, SourceKind
from bonafide.services.indexing.index_documents import build_index_document
from bonafide.sources.framework.context import ParseReport
from bonafide.sources.framework.discovery import get_source, list_regulator_keys
from bonafide.sources.framework.reference_page import render_page
from bonafide_sandbox.writers.relationships.gleif_relationships import EXCEPTION_COLUMNS, RELATIONSHIP_COLUMNS
from tests.support.sources.parsed_files import assert_golden, parse_files

HERE = Path(__file__).parent / "gleifRelationships"
RELATIONSHIPS = HERE / "20261120-0000-gleif-goldencopy-rr-golden-copy.csv"
EXCEPTIONS = HERE / "20261120-0000-gleif-goldencopy-repex-golden-copy.csv"
A, B, C = "999900SBT00000000A80", "999900SBT00000000B77", "999900SBT00000000C74"


def load(*paths: Path) -> tuple[list[RelationshipEntry], ParseReport]:
    return parse_files("gleifRelationships", RelationshipEntry, paths)


@pytest.mark.parametrize("path", [RELATIONSHIPS, EXCEPTIONS], ids=["relationships", "exceptions"])
def test_the_table_gives_the_entries_that_are_written_down(path: Path) -> None:
    assert_golden(load(path)[0], path.with_suffix(".golden.json"))


def test_the_period_is_that_of_the_relationship_and_not_of_the_accounts() -> None:
    first = load(RELATIONSHIPS)[0][0]
    assert (first.lei, first.relationship, first.parent_lei) == (A, "IS_DIRECTLY_CONSOLIDATED_BY", B)
    assert (first.since, first.until, first.is_active, first.status_code) == ("2016-04-01", None, True, StatusCode.ACTIVE)


def test_a_relationship_that_has_ended_is_kept_with_its_end() -> None:
    (ended,) = [entry for entry in load(RELATIONSHIPS)[0] if not entry.is_active]
    assert (ended.until, ended.status_code) == ("2024-06-30", StatusCode.CANCELLED)


def test_every_reason_of_an_exception_is_kept() -> None:
    assert [entry.reasons for entry in load(EXCEPTIONS)[0]] == [("NATURAL_PERSONS",)] * 2 + [("NO_LEI", "NON_PUBLIC")]


def test_what_is_refused_is_told_with_its_reason() -> None:
    _, report = load(RELATIONSHIPS, EXCEPTIONS)
    assert [(rejection.line, rejection.reason) for rejection in report.rejections] == [
        (8, "Relationship.StartNode.NodeID is not an LEI"),
        (9, "Relationship.Period.1.startDate is not a date"),
        (5, "Exception.Reason.1 is empty"),
    ]
    assert report.unknown_terms == {}


def test_a_relationship_that_ends_before_it_begins_is_refused_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / RELATIONSHIPS.name
    lines = RELATIONSHIPS.read_text().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if "2024-06-30" in line)
    lines[place] = lines[place].replace("2024-06-30", "1999-06-30")
    path.write_text("".join(lines))
    entries, report = load(path)
    assert len(entries) == len(load(RELATIONSHIPS)[0]) - 1
    assert {rejection.line: str(rejection.reason) for rejection in report.rejections}[place + 1].endswith("is before the first day")


def test_an_unknown_word_is_counted(tmp_path: Path) -> None:
    path = tmp_path / EXCEPTIONS.name
    path.write_bytes(EXCEPTIONS.read_bytes().replace(b"NON_PUBLIC", b"SECRET"))
    _, report = load(path)
    assert report.unknown_terms == {"term: SECRET": 1}


def test_the_day_is_in_the_name_of_the_file_in_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "latest.csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(EXCEPTIONS, EXCEPTIONS.name)
    entries, report = load(path)
    assert (len(entries), report.as_of) == (3, date(2026, 11, 20))


def test_another_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "repex.csv"
    path.write_bytes(EXCEPTIONS.read_bytes().replace(b"Exception.Category", b"Category"))
    with pytest.raises(ParseFailed, match=r"Exception\.Category"):
        load(path)


def test_an_entry_is_found_by_its_lei_and_by_no_name() -> None:
    document = build_index_document(load(RELATIONSHIPS)[0][0])
    assert (document.numbers, document.names, document.people, document.addresses) == ((A,), (), (), ())


def test_the_source_is_none_of_the_regulators_and_has_its_own_section() -> None:
    source = get_source("gleifRelationships")
    assert source.metadata.kind is SourceKind.RELATIONSHIPS
    assert source.key not in list_regulator_keys()
    assert f"### `{source.key}`" in render_page().partition("## Relationships")[2]


def test_the_sandbox_writes_the_columns_of_the_golden_copy() -> None:
    layouts = get_source("gleifRelationships").metadata.layouts
    assert set(layouts["relationships"].columns) <= set(RELATIONSHIP_COLUMNS)
    assert set(layouts["exceptions"].columns) <= set(EXCEPTION_COLUMNS)
    assert len(RELATIONSHIP_COLUMNS) == 54
