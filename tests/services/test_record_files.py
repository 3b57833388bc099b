"""Business records as CSV: what is written is read back as it was, and each row that can't be read is told."""

import io
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.errors import ValidationFailed
from bonafide.model.invisible_characters import find_invisible_characters
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import BusinessRecord
from bonafide.services.records.csv_format import EXPORTED, WRITABLE, escape_formula, format_csv, to_cells
from bonafide.services.records.csv_reader import InvalidRecordRow, RecordRow, read_records
from tests.support.loaded_sandbox import LOADED_AT

SPREADSHEET = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a cell begins with that a spreadsheet takes for a formula."""


def read(text: str | bytes, *, clear_empty: bool = False) -> list[RecordRow | InvalidRecordRow]:
    content = text if isinstance(text, bytes) else text.encode()
    return list(read_records(io.BytesIO(content), clear_empty=clear_empty).rows)


def sent(row: RecordRow | InvalidRecordRow) -> dict[str, Any]:
    """The fields that a good row sends."""
    assert isinstance(row, RecordRow)
    return row.edit.request.model_dump(by_alias=True, exclude_unset=True)


def problems(row: RecordRow | InvalidRecordRow) -> list[tuple[int, str, str]]:
    assert isinstance(row, InvalidRecordRow)
    return [(row.line, problem.path, problem.message) for problem in row.problems]


def record_of(**fields: Any) -> BusinessRecord:
    blank = BusinessRecord(id=UUID(int=7), created_at=LOADED_AT, updated_at=LOADED_AT)
    return blank.model_copy(update=BusinessUpsert.model_validate(fields).apply_to(blank))


awkward = st.sampled_from(["=", "+", "-", "@", "'", ";", ",", '"', "\\", " ", "é", "a", "1", "\uff1d"])
line_of_text = st.lists(st.one_of(awkward, st.characters(exclude_categories=("Cc", "Cs"))), min_size=1, max_size=12).map("".join)
texts = line_of_text.filter(lambda text: text.strip() != "" and not find_invisible_characters(text))
names = texts.map(lambda text: f"{text}a")
prose = st.lists(st.one_of(awkward, st.sampled_from(["\n", "\r", "\t"])), min_size=1, max_size=12).map("".join).filter(str.strip)


class TestRoundTrip:
    @given(
        st.fixed_dictionaries(
            {"name": names},
            optional={
                "externalId": texts,
                "operatingNames": st.lists(names, max_size=4),
                "additionalWebsites": st.lists(texts, max_size=3),
                "street": texts,
                "notes": prose,
                "registrationNumber": texts,
                "incorporationYear": st.integers(1600, 2200),
                "isMonitored": st.booleans(),
                "jurisdiction": st.sampled_from(["ON", "FED"]),
            },
        ),
        st.sampled_from([",", ";"]),
    )
    def test_a_record_is_read_back_as_it_was_written(self, fields: dict[str, Any], delimiter: str) -> None:
        record = record_of(**fields)
        (row,) = read(format_csv([EXPORTED, to_cells(record)], delimiter))
        assert isinstance(row, RecordRow), row
        assert row.edit.business_id == record.id
        again = record.model_copy(update=row.edit.request.apply_to(record))
        assert again == record
        new = BusinessRecord(id=record.id, created_at=LOADED_AT, updated_at=LOADED_AT)
        assert new.model_copy(update=row.edit.request.apply_to(new)) == record

    @given(st.one_of(prose, texts))
    def test_no_cell_begins_as_a_formula_does(self, text: str) -> None:
        assert not escape_formula(text).startswith(SPREADSHEET)

    def test_an_apostrophe_of_a_name_is_its_own(self) -> None:
        assert escape_formula("'Tis the Season Inc.") == "'Tis the Season Inc."
        assert sent(read("name\n'Tis the Season Inc.\n")[0]) == {"name": "'Tis the Season Inc."}

    def test_every_field_that_a_caller_may_send_has_a_column_unless_it_is_an_object_or_a_list_of_them(self) -> None:
        sendable = {str(field.alias) for field in BusinessUpsert.model_fields.values() if not field.exclude}
        assert sendable == {*WRITABLE, "id", "registrations", "addresses", "people", "address", "monitoring", "expectedUpdatedAt"}


class TestHeader:
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    @pytest.mark.parametrize("delimiter", [",", ";"])
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_it_may_have_a_mark_and_either_delimiter_and_either_end(self, mark: str, delimiter: str, end: str) -> None:
        (row,) = read(f"{mark}name{delimiter}city{end}Acme Ltd.{delimiter}Lévis{end}")
        assert sent(row) == {"name": "Acme Ltd.", "city": "Lévis"}

    @pytest.mark.parametrize(
        ("header", "path", "message"),
        [
            ("name,External ID", "External ID", "is not a column of a business record; did you mean 'externalId'?"),
            ("name,postal_code", "postal_code", "is not a column of a business record; did you mean 'postalCode'?"),
            ("name,zzz", "zzz", "is not a column of a business record"),
            ("name,people", "people", "is not a column of a business record"),
            ("name,city,name", "name", "is duplicated"),
            ("name,,city", "column 2", "has no name"),
        ],
    )
    def test_a_column_that_is_not_known_refuses_the_file(self, header: str, path: str, message: str) -> None:
        with pytest.raises(ValidationFailed) as refused:
            read(f"{header}\nAcme,x,y\n")
        assert [(problem.path, problem.message) for problem in refused.value.details] == [(path, message)]

    @pytest.mark.parametrize("content", ["", "\n", "\ufeff\nAcme\n", "updatedAt,id\nx,y\n", b"PK\x03\x04\xff\xfe\x00"])
    def test_a_file_without_one_is_refused(self, content: str | bytes) -> None:
        with pytest.raises(ValidationFailed):
            read(content)


class TestRows:
    def test_each_bad_row_is_told_and_the_others_are_read(self) -> None:
        rows = read(
            "name,incorporationYear,jurisdiction,email\n"
            "Acme Ltd.,1999,Ontario,ann@acme.example\n"
            "...,soon,Narnia,ann\n"
            "Two cells,1999\n"
            ",,,\n"
            "\n"
            "Birch Inc.,,,\n"
        )
        assert [row.line for row in rows] == [2, 3, 4, 7]
        assert [(row.label, isinstance(row, RecordRow)) for row in rows] == [
            ("Acme Ltd.", True), ("...", False), ("Two cells,1999", False), ("Birch Inc.", True),
        ]  # fmt: skip
        assert [path for _, path, _ in problems(rows[1])] == ["name", "jurisdiction", "incorporationYear", "email"]
        assert problems(rows[2]) == [(4, "", "2 cells, but the header has 4 columns")]

    def test_a_quote_that_is_not_closed_costs_its_own_row_only(self) -> None:
        rows = read('name,notes\nAcme,"open\nBirch,closed\nCedar,"two\nlines"\n')
        assert problems(rows[0])[0][:2] == (2, "")
        assert [row.label for row in rows[1:]] == ["Birch", "Cedar"]
        assert sent(rows[2])["notes"] == "two\nlines"

    def test_what_is_no_utf_8_is_told_by_its_column(self) -> None:
        rows = read("name,city\nAcme,Lévis\n".encode("latin-1") + "Birch,Lévis\n".encode())
        assert problems(rows[0]) == [(2, "city", "is not UTF-8: save the file as CSV in UTF-8")]
        assert sent(rows[1])["city"] == "Lévis"

    def test_a_line_without_end_is_refused_and_the_next_is_read(self) -> None:
        rows = read("name\n" + "x" * 250_000 + "\nAcme\n")
        assert problems(rows[0]) == [(2, "", "longer than 100,000 bytes")]
        assert sent(rows[1]) == {"name": "Acme"}

    def test_an_empty_cell_leaves_a_field_unless_it_is_to_clear_it(self) -> None:
        text = "name,city,isMonitored,id\nAcme, ,,\n"
        assert sent(read(text)[0]) == {"name": "Acme"}
        assert sent(read(text, clear_empty=True)[0]) == {"name": "Acme", "city": None, "isMonitored": None}

    @pytest.mark.parametrize(("cell", "value"), [("true", True), ("VRAI", True), ("non", False), ("0", False), ("Yes", True)])
    def test_a_switch_is_read_as_spreadsheets_write_it(self, cell: str, value: object) -> None:
        assert sent(read(f"name,isArchived\nAcme,{cell}\n")[0])["isArchived"] is value

    def test_an_id_names_the_record_and_what_is_none_is_told(self) -> None:
        mine = uuid4()
        rows = read(f"id,name\n{mine},Acme\n17,Birch\n")
        assert isinstance(rows[0], RecordRow)
        assert rows[0].edit.business_id == mine
        assert problems(rows[1])[0][1] == "id"

    def test_what_only_an_export_tells_is_taken_and_ignored(self) -> None:
        assert sent(read("name,verificationStatus,updatedAt\nAcme,verified,yesterday\n")[0]) == {"name": "Acme"}
