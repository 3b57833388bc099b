"""The reference page of the canonical layout says what the code does: every column is in it, and its examples can be read."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.sources.canonical.files import SUFFIXES
from bonafide.sources.canonical.mapping import COLUMNS, CanonicalColumn
from bonafide.sources.canonical.parser import CanonicalMapping
from bonafide.sources.framework.context import ParseReport, Resource

Imported = Callable[..., tuple[list[RegistryEntry], ParseReport]]
Written = Callable[[str, str | bytes], Resource]

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "canonical-layout.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_every_column_is_on_the_page_with_its_meaning_form_and_example(column: CanonicalColumn) -> None:
    name = f"`{column.name}` (required)" if column.required else f"`{column.name}`"
    assert f"| {name} | {column.meaning} | {column.form} | {column.example} |" in PAGE


def test_the_page_names_no_column_that_the_code_does_not_know() -> None:
    table = PAGE.split("## Columns")[1].split("| Form | In CSV")[0]
    assert re.findall(r"^\| `(\w+)`", table, flags=re.MULTILINE) == [column.name for column in COLUMNS]


def test_every_suffix_code_and_part_of_a_mapping_file_is_on_the_page() -> None:
    missing = [word for word in (*SUFFIXES, *StatusCode, *CanonicalMapping.model_fields) if f"`{word}`" not in PAGE]
    assert missing == []


def test_the_example_file_is_read(imported: Imported, written: Written) -> None:
    entries, report = imported(written("example.csv", blocks("csv")[0]))
    assert [entry.legal_name for entry in entries] == ["Sample Bakery Inc.", "Sample Holdings Inc."]
    assert (report.rejected, entries[0].people[0].roles) == (0, ("Director", "President"))


def test_the_example_line_is_read(imported: Imported, written: Written) -> None:
    entries, report = imported(written("example.jsonl", blocks("json")[0]))
    assert (entries[0].name_history[0].name, report.rejected) == ("Old Bakery Ltd.", 0)


def test_the_example_mapping_reads_the_example_file(imported: Imported, written: Written) -> None:
    mapping = CanonicalMapping.model_validate(yaml.safe_load(blocks("yaml")[0]))
    entries, report = imported(written("example.csv", blocks("csv")[1].encode(mapping.encoding)), mapping=mapping)
    assert [(entry.entry_id, entry.status_code) for entry in entries] == [("3001234", "active"), ("3001235", "dissolved")]
    assert (report.rejected, len(report.unknown_terms)) == (0, 0)
