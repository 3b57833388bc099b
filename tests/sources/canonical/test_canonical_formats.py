"""The three formats give the same entries, and a file is known by its suffix, its first bytes and its header."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.canonical.files import BLOCK_ROWS, CanonicalFormat, detect_format
from bonafide.sources.canonical.parser import CanonicalMapping, is_canonical, parse_canonical
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource
from bonafide.sources.framework.metadata import SourceMetadata

Imported = Callable[..., tuple[list[RegistryEntry], ParseReport]]
Written = Callable[[str, str | bytes], Resource]

HERE = Path(__file__).parent
EXPECTED = json.loads((HERE / "entries.json").read_text(encoding="utf-8"))
PLAIN = "registration_number,legal_name\n1,Sample Ltd.\n2,Example Ltd.\n"


def dumped(entries: list[RegistryEntry]) -> list[dict[str, object]]:
    return [entry.model_dump(mode="json", by_alias=True, exclude_defaults=True) for entry in entries]


@pytest.mark.parametrize("name", ["sample.csv", "sample.jsonl"])
def test_text_files_give_the_entries_that_are_written_down(
    imported: Imported, as_resource: Callable[[Path], Resource], name: str
) -> None:
    entries, report = imported(as_resource(HERE / name))
    assert dumped(entries) == EXPECTED
    assert report.unknown_terms == {"role: Grand Vizier": 1}


def test_parquet_with_its_own_types_gives_the_same_entries(
    imported: Imported, as_resource: Callable[[Path], Resource], tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in (HERE / "sample.jsonl").read_text(encoding="utf-8").splitlines() if line]
    bakery, holdings, firm = rows
    # A column of a Parquet file has one type, so a list is all objects or all texts.
    bakery |= {
        "unit": "200",
        "incorporationDate": date(2001, 2, 3),
        "formerNames": ["Old Bakery Ltd. (2001-02-03 to 2010-01-31)", "Older Bakery (to 2001-02-03)", "Oldest Bakery"],
        "otherNumbers": [{"label": "NEQ", "value": "1160000017"}, {"label": "Old File", "value": "7"}],
        "directors": [{"name": "Ann Sample"}, {"name": "Luc Exemple"}],
        "people": [
            {"name": "Ann Sample", "roles": ["Gardener", "President"]},
            {"name": "Pat Third", "roles": ["Grand Vizier"]},
            {"name": "Kim Fourth", "roles": None},
        ],
    }
    holdings = {"registrationNumber": "1000025", "legalName": "Sample Holdings Inc.", "status": "Withered", "goodStanding": False}
    holdings |= {"homeJurisdiction": "CA-BC", "homeNumber": "BC0772006"}
    columns = dict.fromkeys([*bakery, *holdings, *firm])
    table = pa.Table.from_pylist([{key: row.get(key) for key in columns} for row in (bakery, holdings, firm)])
    pq.write_table(table, tmp_path / "sample.parquet", row_group_size=1)
    entries, _ = imported(as_resource(tmp_path / "sample.parquet"))
    assert dumped(entries) == EXPECTED


def test_whole_numbers_of_a_parquet_file_are_registration_numbers(
    imported: Imported, as_resource: Callable[[Path], Resource], tmp_path: Path
) -> None:
    pq.write_table(pa.table({"registration_number": [1, 2], "legal_name": ["A Ltd.", "B Ltd."]}), tmp_path / "sample.parquet")
    entries, _ = imported(as_resource(tmp_path / "sample.parquet"))
    assert [entry.registration_numbers[0].value for entry in entries] == ["1", "2"]


def test_a_parquet_file_that_is_none_is_refused(imported: Imported, written: Written) -> None:
    with pytest.raises(ParseFailed, match="not a readable Parquet file"):
        imported(written("sample.parquet", b"PAR1 and nothing that follows"))


def test_a_parquet_column_of_the_wrong_type_rejects_its_rows(
    imported: Imported, as_resource: Callable[[Path], Resource], tmp_path: Path
) -> None:
    table = pa.table({"registration_number": [1.5, None], "legal_name": ["Sample Ltd.", "Example Ltd."], "Co. Name": ["a", "b"]})
    pq.write_table(table, tmp_path / "sample.pq")
    _, report = imported(as_resource(tmp_path / "sample.pq"), mapping=CanonicalMapping(ignored=("Co. Name",)))
    assert [(row.line, row.reason) for row in report.rejections] == [
        (1, "registration_number is not text"),
        (2, "registration_number is empty"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", "{", CanonicalFormat.CSV),
        ("a.TSV", "", CanonicalFormat.CSV),
        ("a.ndjson", "x", CanonicalFormat.JSON_LINES),
        ("a.json", "x", CanonicalFormat.JSON_LINES),
        ("a.pq", "x", CanonicalFormat.PARQUET),
        ("a", "PAR1...", CanonicalFormat.PARQUET),
        ("a.dat", '\ufeff \n{"legalName": ""}', CanonicalFormat.JSON_LINES),
        ("a.dat", "registration_number;legal_name", CanonicalFormat.CSV),
    ],
)
def test_the_format_is_told_by_the_suffix_and_failing_that_by_the_content(
    written: Written, name: str, content: str | bytes, expected: object
) -> None:
    assert detect_format(written(name, content)) is expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (PLAIN, True),
        ("\ufeffLegalName;number\n", True),
        ("\n\nregistration_number;nombre\n", True),
        ("number,name,former_name,kind,jurisdiction,status\n", False),
        ("Corporation number,Business number (BN)\n", False),
        ("", False),
        (b"\xff\xfer\x00e\x00", False),
    ],
)
def test_a_canonical_csv_file_is_known_by_its_required_columns(written: Written, content: str | bytes, expected: object) -> None:
    assert is_canonical(written("a.csv", content)) is expected


def test_json_lines_and_parquet_are_canonical_whatever_is_in_them(written: Written) -> None:
    assert is_canonical(written("a.jsonl", "{}"))
    assert is_canonical(written("a.parquet", "x"))


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        "\n\n" + PLAIN.replace(",", ";") + "\n\n;\n",
        'registration_number ,"legal_name"\n1,"Sample Ltd."\n"2", Example   Ltd. ',
        "registrationNumber,legalName\n1,Sample Ltd.\n2,Example Ltd.\n",
    ],
)
def test_csv_is_read_in_whatever_way_it_is_written(imported: Imported, written: Written, content: str | bytes) -> None:
    entries, report = imported(written("a.csv", content))
    assert [(entry.entry_id, entry.legal_name) for entry in entries] == [("1", "Sample Ltd."), ("2", "Example Ltd.")]
    assert report.rows == 2


def test_quotes_inside_a_cell_are_part_of_the_name(imported: Imported, written: Written) -> None:
    entries, _ = imported(written("a.csv", 'registration_number,legal_name\n1,"The ""Sample"", Ltd.\nand Sons"\n'))
    assert entries[0].legal_name == 'The "Sample", Ltd. and Sons'


def test_several_files_of_different_formats_are_one_register(imported: Imported, written: Written) -> None:
    others = '{"registrationNumber": "2", "legalName": "Again Ltd."}\n{"registrationNumber": "3", "legalName": "Third Ltd."}\n'
    entries, report = imported(written("a.csv", PLAIN), written("b.jsonl", others))
    assert [entry.entry_id for entry in entries] == ["1", "2", "3"]
    assert [(row.resource, row.line, row.reason) for row in report.rejections] == [
        ("b.jsonl", 1, "an earlier row has the same registration number"),
    ]


def test_rows_are_read_in_blocks_as_they_are_needed(written: Written, metadata: SourceMetadata) -> None:
    context = ParseContext(metadata)
    rows = "".join(f"{number},Sample {number} Ltd.\n" for number in range(10_000))
    next(parse_canonical([written("a.csv", "registration_number,legal_name\n" + rows)], context, None))
    assert context.report.rows == BLOCK_ROWS
