"""Serialized entries of canonical rows are those that the models give, and invalid rows are rejected for the same reasons."""

import csv
import io
import json
from datetime import date
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonafide.model.entry import RegistryEntry
from bonafide.model.serialized_entry import SerializedEntry
from bonafide.sources.canonical.entry_ids import EntryIds
from bonafide.sources.canonical.files import BLOCK_ROWS
from bonafide.sources.canonical.mapping import COLUMN_NAMES
from bonafide.sources.canonical.parser import CanonicalMapping, parse_canonical, serialize_canonical
from bonafide.sources.framework.context import ParseContext
from tests.sources.canonical.conftest import METADATA, imported_from, resource_at

VALUES: dict[str, tuple[str, ...]] = {
    "registration_number": ("1000017", "300-1234", "3001234", "x 1", "--", "é9", "１２"),
    "number_label": ("Sample Number", "Business Identification Number", "№"),
    "legal_name": (
        "Sample Bakery Inc.",
        'The "Oven" \\ Co.',
        "Boulangerie Élan",
        "Ac\u200bme",
        "a" * 1001,
        "Tab\tbed",
        "\x07",
        "Ok\u00a0Ltd",
    ),
    "alternate_names": ("Oven; Oven; Four", ";", "One", '"A"; B\\', "The Oven;The  Oven"),
    "former_names": (
        "Old Ltd. (2001-02-03 to 2010-01-31)",
        "Old; Older (to 2010-01-31)",
        "Bad (2010-13-01 to )",
        "Old\u200b Ltd.",
        ";",
    ),
    "business_number": ("123456782", "123 456 782"),
    "other_numbers": ("NEQ=1160000017", "NEQ=1; LEI = 5", "NEQ", "=5", "A=B=C", ";"),
    "entity_type": ("Business corporation", 'Company "A"'),
    "status": ("In Bloom", "withered", "ACTIVE", "Dissolved", "Nobody knows", "in_bloom"),
    "status_code": ("active", "ACTIVE", "unknown", "no such code"),
    "incorporation_date": ("2001-02-03", "2001-2-3", "2001-02-30", "2000-02-29", "2001-02-29", "03/02/2001", "0001-01-01"),
    "good_standing": ("yes", "NON", "0", "perhaps"),
    "home_jurisdiction": ("FED", "Ontario", "NS", "Delaware", '"X"'),
    "home_number": ("426160-7",),
    "street": ("100 Bay St", "Main St", '"5" Rd', "\\ Rd"),
    "unit": ("200", "Floor 2", "#4B"),
    "city": ("Toronto", "Montréal"),
    "province": ("ON",),
    "postal_code": ("m5j2n8", "M5J 2N8", "90210"),
    "country": ("CA", "US"),
    "directors": ("Ann Sample; Luc Exemple", "Ann Sample", "Ann [x]", ";"),
    "people": (
        "Ann Sample [Director, President]",
        "Ann Sample [Gardener]; Luc Exemple",
        "Ann Sample [Director]; Ann Sample [Director, Owner]",
        "Ann [Grand Vizier]",
        "Ann [",
        "[Director]",
        "Ann ] Bo [Director]",
        "Ann [Director] Jr.",
        'Ann "A" Sample []',
        "Ann [Director,, Director]",
        "Ann [Directors; Luc]",
    ),
    "source_url": ("https://register.example/1", "ftp://register.example/1"),
}
MAPPINGS = (
    CanonicalMapping(),
    CanonicalMapping(list_separator="|", date_formats=("%d/%m/%Y", "%Y-%m-%d"), statuses={"Nobody knows": "inactive"}),
    CanonicalMapping(defaults={"country": "CA", "entity_type": "Company", "status": "In Bloom"}),
    CanonicalMapping(defaults={"good_standing": True, "incorporation_date": date(2001, 2, 3)}),
    CanonicalMapping(defaults={"city": "  Two  spaces "}),
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(values) | st.text(max_size=4) for name, values in VALUES.items()}
    ).map(lambda row: {"registration_number": "1", "legal_name": "Sample Ltd."} | row),
    max_size=8,
)


def test_every_column_has_values() -> None:
    assert set(VALUES) == set(COLUMN_NAMES)


@given(ROWS, st.sampled_from(MAPPINGS))
@example([{name: values[0] for name, values in VALUES.items()}], MAPPINGS[0])
@example(
    [{name: values[0] for name, values in VALUES.items()} | {"registration_number": str(row)} for row in range(3)], MAPPINGS[2]
)
def test_cells(rows: list[dict[str, str]], mapping: CanonicalMapping) -> None:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMN_NAMES, restval="")
    writer.writeheader()
    writer.writerows(rows)
    _check_file("a.csv", text.getvalue().encode(errors="replace"), mapping)


@given(st.lists(ROWS.map(lambda rows: rows[:1]), max_size=4), st.sampled_from(MAPPINGS), st.randoms(use_true_random=False))
def test_json_values(rows: list[list[dict[str, str]]], mapping: CanonicalMapping, chance: Random) -> None:
    found: list[dict[str, object]] = [dict(row) for own in rows for row in own]
    for row in found:
        row[chance.choice(COLUMN_NAMES)] = chance.choice(
            [5, 1.5, True, False, 0, None, [], {}, ["A", "B [Director]"], [{"name": "A"}], {"name": "B"}]
        )
    _check_file("a.jsonl", "\n".join(map(json.dumps, found)).encode() or b"{}", mapping)


@pytest.mark.parametrize(
    "values", [{"good_standing": False}, {"city": 0}, {"city": []}, {"alternate_names": []}, {"people": "Ann [Directors; Luc]"}]
)
def test_a_column_of_unusual_values_alone(values: dict[str, object]) -> None:
    row = {"registration_number": "1", "legal_name": "Sample Ltd.", **values}
    _check_file("a.jsonl", json.dumps(row).encode(), MAPPINGS[0])


def _check_file(name: str, content: bytes, mapping: CanonicalMapping) -> None:
    """Both ways of reading the file give the same; `imported_from` compares them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        imported_from([resource_at(path)], mapping)


def test_an_ordinary_row_is_serialized_without_models(tmp_path: Path) -> None:
    header = [*VALUES]
    path = tmp_path / "a.csv"
    path.write_text(f"{','.join(header)}\n" + ",".join(f'"{VALUES[name][0]}"' for name in header) + "\n")
    (entry,) = serialize_canonical([resource_at(path)], ParseContext(METADATA), None)
    assert isinstance(entry, SerializedEntry)


def test_counted_fields_are_those_that_are_true_in_the_entry(tmp_path: Path) -> None:
    fields = tuple(name for name in RegistryEntry.model_fields if name != "kind")
    checks = METADATA.checks.model_copy(update={"min_fill": dict.fromkeys(fields, 0.0)})
    metadata = METADATA.model_copy(update={"checks": checks})
    path = tmp_path / "a.csv"
    rows = [
        {name: values[0] for name, values in VALUES.items()},
        {"registration_number": "2", "legal_name": "B", "good_standing": "no"},
    ]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMN_NAMES, restval="")
        writer.writeheader()
        writer.writerows(rows)
    parsed = list(parse_canonical([resource_at(path)], ParseContext(metadata), None))
    for entry, serialized in zip(parsed, serialize_canonical([resource_at(path)], ParseContext(metadata), None), strict=True):
        assert isinstance(serialized, SerializedEntry)
        assert serialized.filled == tuple(name for name in fields if getattr(entry, name))


@pytest.mark.parametrize("unreadable", ["7,Two,cells too many", '8,"open'])
def test_rows_keep_their_lines_across_blocks(tmp_path: Path, unreadable: str) -> None:
    lines = ["registration_number,legal_name", *(f"{row},Name {row}" for row in range(2 * BLOCK_ROWS)), "5,Again"]
    lines.insert(BLOCK_ROWS + 10, unreadable)
    path = tmp_path / "a.csv"
    path.write_text("\n".join(lines))
    entries, report = imported_from([resource_at(path)])
    assert report.rejections[0].line >= BLOCK_ROWS + 11
    assert len({entry.entry_id for entry in entries}) == len(entries) == report.rows - report.rejected


@given(st.lists(st.lists(st.integers(0, 60).map(str), max_size=20), max_size=20))
def test_an_id_is_new_once(blocks: list[list[str]]) -> None:
    ids, seen = EntryIds(), set[str]()
    for block in blocks:
        expected = []
        for entry_id in block:
            expected.append(entry_id not in seen)
            seen.add(entry_id)
        assert ids.add(block) == expected
