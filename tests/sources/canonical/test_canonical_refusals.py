"""What is wrong with a file refuses it whole, what is wrong with a row rejects that row; both say what it is."""

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.canonical.parser import parse_canonical
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource
from bonafide.sources.framework.metadata import SourceMetadata

Imported = Callable[..., tuple[list[RegistryEntry], ParseReport]]
Written = Callable[[str, str | bytes], Resource]

HEAD = "registration_number,legal_name,"
METADATA = SourceMetadata.model_validate(
    {
        "key": "sample",
        "kind": "registry",
        "title": "Register of Samples",
        "jurisdiction": "NS",
        "publisher": {"name": "Ministry of Samples", "url": "https://samples.example"},
        "licence": {"name": "None"},
        "page": "https://samples.example/search",
        "access": "none",
        "description": "Invented.",
        "number_label": "Sample Number",
    }
)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", "a.csv: the file is empty"),
        ("a.jsonl", "", "a.jsonl: the file is empty"),
        ("a.csv", "registration_number,legal_nme\n1,x\n", "'legal_nme' is not a column .* most similar one is legal_name"),
        ("a.csv", "registration_number,legal_name,Postcode\n", "'Postcode' is not a column .* most similar one is postal_code"),
        ("a.csv", "registration_number,status\n1,x\n", "the column legal_name is missing"),
        ("a.csv", "\n\n", "the column registration_number is missing"),
        ("a.csv", "legal_name,legalName,registration_number\n", "two columns are mapped to legal_name"),
        ("a.csv", 'registration_number,"legal_name\n', "the header is not valid CSV"),
        (
            "a.csv",
            "registration_number,legal_name\n1,Caf\xe9\n".encode("latin-1"),
            "not utf-8-sig.*cp1252.*`encoding` in a mapping file",
        ),
        ("a.csv", "registration_number,legal_name\n".encode("utf-16"), "not utf-8-sig.*utf-16"),
        ("a.jsonl", '{"registrationNumber": 1, "legalNam": "x"}\n', "'legalNam' is not a column .* most similar one is legal_name"),
        ("a.jsonl", b'{"legalName": "\xe9"}\n', "not utf-8-sig"),
    ],
)
def test_a_file_that_is_not_in_the_layout_is_refused(
    imported: Imported, written: Written, name: str, content: str | bytes, message: str
) -> None:
    with pytest.raises(ParseFailed, match=f"(?s){message}"):
        imported(written(name, content))


@pytest.mark.parametrize(
    ("column", "cell", "reason"),
    [
        ("incorporation_date", "2001-02-30", "incorporation_date is not a date"),
        ("incorporation_date", "03/02/2001", "incorporation_date is not a date"),
        ("status_code", "alive", "status_code is not one of active, inactive, dissolved"),
        ("good_standing", "perhaps", "good_standing is neither yes nor no"),
        ("source_url", "javascript:alert(1)", "source_url is not a web address"),
        ("other_numbers", "1160000017", "other_numbers has an item that is not label=number"),
        ("other_numbers", "NEQ=", "other_numbers has an item that is not label=number"),
        ("former_names", "Old Ltd. (2001-13-01 to )", "former_names has an invalid date"),
        ("people", "Ann Sample [Director", "people has an item that is not Name [Role]"),
        ("people", "[Director]", "people has an item that is not Name [Role]"),
        ("city", "a\x00b", "city has control characters"),
        ("city", "x" * 1_001, "city has more than 1,000 characters"),
    ],
)
def test_a_cell_that_cannot_be_read_rejects_its_row_by_line_and_reason(
    imported: Imported, written: Written, column: str, cell: str, reason: str
) -> None:
    entries, report = imported(written("a.csv", f"{HEAD}{column}\n1,Good Ltd.,\n2,Bad Ltd.,{cell}\n3,Good Too Ltd.,\n"))
    assert [entry.entry_id for entry in entries] == ["1", "3"]
    assert [row.line for row in report.rejections] == [3]
    assert report.rejections[0].reason.startswith(reason)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (",Sample Ltd.", "registration_number is empty"),
        ("2,", "legal_name is empty"),
        ("--,Sample Ltd.", "registration_number has no letter or digit"),
        ("2", "the row has 1 cells, the header has 2"),
        ("2,Sample Ltd.,more", "the row has 3 cells, the header has 2"),
        ("1,Again Ltd.", "an earlier row has the same registration number"),
        ('2,"Sample" Ltd.', "not valid CSV: ',' expected after '\"'"),
        ('2,"never closed', "not valid CSV: unexpected end of data"),
        ("2," + "x" * 1_000_001, "not valid CSV: field larger than field limit (1000000)"),
    ],
)
def test_a_row_that_cannot_be_read_is_rejected_and_the_rest_is_not(
    imported: Imported, written: Written, row: str, reason: str
) -> None:
    entries, report = imported(written("a.csv", f"registration_number,legal_name\n1,First Ltd.\n{row}\n"))
    assert [entry.legal_name for entry in entries] == ["First Ltd."]
    assert report.reasons == {reason: 1}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"registrationNumber": ' + "9" * 5_000 + "}", "not valid JSON"),
        ("[1]", "not a JSON object; each line must be one"),
        ('{"registrationNumber": "2", "legalName": "x", "colour": "red"}', "a key is not a column of the canonical layout"),
        ('{"registrationNumber": "2", "registration_number": "2", "legalName": "x"}', "two keys are mapped to registration_number"),
        ('{"registrationNumber": 2.5, "legalName": "x"}', "registration_number is not text"),
        ('{"registrationNumber": true, "legalName": "x"}', "registration_number is not text"),
        ('{"registrationNumber": "2", "legalName": "\\ud800"}', "legal_name has control characters"),
        ('{"registrationNumber": "2", "legalName": {"en": "x"}}', "legal_name is not text"),
        (
            '{"registrationNumber": "2", "legalName": "x", "people": [{"nom": "Ann"}]}',
            "people has an object with a key other than name, role, roles",
        ),
        ('{"registrationNumber": "2", "legalName": "x", "people": [{"role": "Director"}]}', "people has an item without a name"),
        (
            '{"registrationNumber": "2", "legalName": "x", "people": [["Ann"]]}',
            "people has an item that is neither text nor an object",
        ),
        ('{"registrationNumber": "2", "legalName": "x", "formerNames": [{"effectiveDate": "2001-01-01"}]}', "name is empty"),
        ('"' + "x" * 3_000_000 + '"', "the line has more than 1,000,000 characters"),
    ],
)
def test_a_line_of_json_that_cannot_be_read_is_rejected_and_the_rest_is_not(
    imported: Imported, written: Written, line: str, reason: str
) -> None:
    first = '{"registrationNumber": "1", "legalName": "First Ltd."}'
    last = '{"registrationNumber": "3", "legalName": "Last Ltd."}'
    entries, report = imported(written("a.jsonl", f"{first}\n{line}\n\n{last}"))
    assert [entry.legal_name for entry in entries] == ["First Ltd.", "Last Ltd."]
    assert [(row.line, row.reason) for row in report.rejections] == [(2, reason)]


def test_a_word_that_nobody_knows_is_counted_and_kept(imported: Imported, written: Written) -> None:
    entries, report = imported(written("a.csv", f"{HEAD}status\n1,Sample Ltd.,Levitating\n"))
    assert (entries[0].status, entries[0].status_code) == ("Levitating", "unknown")
    assert report.unknown_terms == {"status: Levitating": 1}


def test_a_source_that_is_no_register_does_not_take_the_layout(written: Written, metadata: SourceMetadata) -> None:
    context = ParseContext(SourceMetadata.model_validate(metadata.model_dump() | {"jurisdiction": None}))
    with pytest.raises(ParseFailed, match="sample is not a register"):
        next(parse_canonical([written("a.csv", HEAD)], context, None))


@given(
    st.sampled_from(["a.csv", "a.jsonl"]),
    st.lists(st.text(alphabet='ab1,;"[]{}:=\n\r\t \x00é', max_size=40), max_size=8),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_whatever_follows_a_good_first_line_every_row_is_accounted_for(name: str, rows: list[str], end: str) -> None:
    good = (
        '{"registrationNumber": "1", "legalName": "x"}'
        if name == "a.jsonl"
        else "registration_number,legal_name,people,former_names"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(end.join([good, *rows]).encode())
        context = ParseContext(METADATA)
        resource = Resource(name, path, f"file:{name}", datetime(2026, 11, 20, tzinfo=UTC), "0" * 64, path.stat().st_size)
        entries = sum(1 for _ in parse_canonical([resource], context, None))
    assert context.report.rows == entries + context.report.rejected
