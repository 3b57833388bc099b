"""Read the rows of two tables that are linked: their names, numbers and addresses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bonafide.i18n.message import Message
from bonafide.matching.text.folding import fold
from bonafide.model.batches.batch import BatchKind, BatchMapping
from bonafide.model.batches.rows import NAME, REFERENCE, BatchInputRow
from bonafide.model.entity import Address
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import AddressInput, SearchedNameText
from bonafide.services.batches.column_mapping import list_mapped, map_row, resolve_mapping
from bonafide.services.batches.row_checks import RowRefused, read_address
from bonafide.services.batches.row_files import open_table

NUMBER, JURISDICTION = "registrationNumber", "jurisdiction"
_NEVER_GUESSED = (NUMBER, JURISDICTION)
"""Equal numbers of two registers say nothing, so columns of numbers are used only if the caller names them."""
_NAME = TypeAdapter[str](SearchedNameText)


@dataclass(frozen=True, slots=True)
class LinkedRow:
    """A row of a table: its position from 0, and what it is linked by."""

    index: int
    reference: str | None
    name: str
    number: str | None
    jurisdiction: str | None
    """The code of a Canadian jurisdiction, or the text without case and accents of another one."""
    address: Address | None


@dataclass(frozen=True, slots=True)
class UnlinkedRow:
    """A row that can't be linked, and why."""

    index: int
    reference: str | None
    name: str
    problem: Message


@dataclass(frozen=True, slots=True)
class LinkedColumns:
    """The columns of a table by field."""

    by_field: Mapping[str, str]

    @classmethod
    def resolve(cls, columns: Sequence[str], given: BatchMapping) -> "LinkedColumns":
        """The columns that are given, and those that are found by their names. Raises `ValidationFailed` as `resolve_mapping`."""
        stated = list_mapped(given)
        found = list_mapped(resolve_mapping(BatchKind.SEARCH, columns, given))
        return cls({field: column for field, column in found.items() if field in stated or field not in _NEVER_GUESSED})

    def has(self, field: str) -> bool:
        """Whether the table has the field."""
        return field in self.by_field


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A table whose columns are known."""

    table: Any
    columns: LinkedColumns

    @classmethod
    def open(cls, table: Any, given: BatchMapping) -> "LinkedTable":
        """Open a pyarrow table. Raises `BatchFileInvalid` and `ValidationFailed`."""
        return cls(table, LinkedColumns.resolve(open_table(table).columns, given))

    def read(self) -> Iterator[LinkedRow | UnlinkedRow]:
        """Its rows. Empty rows are left out."""
        for raw in open_table(self.table).rows:
            # The line of a row of a table is its number from 1, also after empty rows.
            row = map_row(raw.line, raw, self.columns.by_field)
            try:
                yield _read_row(row)
            except RowRefused as error:
                yield UnlinkedRow(row.line - 1, row.values.get(REFERENCE), row.values.get(NAME, ""), error.problem)


def _read_row(row: BatchInputRow) -> LinkedRow:
    values = row.values
    if row.problem is not None:
        raise RowRefused(row.problem)
    if NAME not in values:
        raise RowRefused(Message("{column}: {problem}", column=NAME, problem=Message("is required")))
    parts = read_address(values)
    try:
        name = _NAME.validate_python(values[NAME])
        address = AddressInput.model_validate(parts).as_address() if parts is not None else None
    except ValidationError as error:
        raise RowRefused.of_validation(error, {}) from None
    return LinkedRow(
        row.line - 1, values.get(REFERENCE), name, values.get(NUMBER), _read_jurisdiction(values.get(JURISDICTION)), address
    )


def _read_jurisdiction(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return Jurisdiction.parse(text).value
    except ValueError:
        return fold(text)
