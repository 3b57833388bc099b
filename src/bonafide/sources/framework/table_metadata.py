"""The schema of `table` in `source.yml`: how the columns, words and dates of a source's tables become the fields of its entries.

The mapping file of the canonical layout has encodings and date formats of the same types.
"""

import codecs
import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from bonafide.i18n.message import Message
from bonafide.model.base import MessageTemplate

_SAMPLE_DAY = date(2001, 12, 31)
_SAMPLE_YEAR = re.compile(f"{_SAMPLE_DAY:%Y|%y}")

ENTRY_FIELDS = frozenset({"registration_number", "legal_name", "alternate_names", "status"})
ADDRESS_FIELDS = ("street", "unit", "city", "province", "postal_code", "country")


def _check_encoding(name: str) -> str:
    try:
        codecs.lookup(name)
    except LookupError:
        raise ValueError(Message("'{name}' is not an encoding", name=name)) from None
    return name


def _check_date_format(text: str) -> str:
    try:
        # Check for a year first: Python 3.13 and later warn of a day and month that are parsed without one.
        dated = _SAMPLE_YEAR.search(_SAMPLE_DAY.strftime(text)) is not None
        known = dated and datetime.strptime(_SAMPLE_DAY.strftime(text), text).date() == _SAMPLE_DAY  # noqa: DTZ007 - a day has no zone
    except (ValueError, re.error):
        # `strptime` compiles the format to a pattern, which fails for a repeated directive.
        known = False
    if not known:
        raise ValueError(Message("'{format}' is not a date format with year, month and day, such as %d/%m/%Y", format=text))
    return text


DateFormat = Annotated[str, AfterValidator(_check_date_format)]
EncodingName = Annotated[str, AfterValidator(_check_encoding)]
DateFormats = Annotated[tuple[DateFormat, ...], Field(min_length=1)]
ColumnNames = str | tuple[str, ...]


class TableFormat(StrEnum):
    """Formats of a table besides CSV, which is always allowed."""

    XLS = "xls"
    XLSX = "xlsx"


class RepeatedRows(StrEnum):
    """How further rows of the same entry are handled."""

    FIRST = "first"
    """Ignored: the first row is the entry."""
    LAST = "last"
    """The last row replaces the entry."""
    NAMES_AND_PLACES = "names_and_places"
    """Names, addresses and numbers are added."""
    FILL = "fill"
    """These are added, and the details that the entry lacks."""
    COMBINE = "combine"
    """These are added, and the items of the details that are lists."""


class _StrictModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SkippedRowRule(_StrictModel):
    """Rows that are skipped: those whose field has one of the values, or is blank if `values` is empty."""

    field: str
    values: tuple[str, ...] = ()
    reason: MessageTemplate


class TableMetadata(_StrictModel):
    """How the rows of a source's tables become entries.

    A field is one of `ENTRY_FIELDS`, one of `ADDRESS_FIELDS` or the key of a detail; its type determines how a detail is read.
    """

    columns: dict[str, ColumnNames]
    """Field to column. Several columns are the lines of a street, the items of a list, or names: the first that is not blank is the
    legal name, the others are alternate names."""
    layout_columns: dict[str, dict[str, ColumnNames]] = Field(default_factory=dict)
    """The same for layouts with other columns, instead of `columns`."""
    defaults: dict[str, JsonValue] = Field(default_factory=dict)
    """Values of fields that have no column, or whose column is blank."""
    required: tuple[str, ...] = ()
    """Fields whose column must not be blank if the layout has it. The legal name is always required."""
    entry_id: str | None = None
    """Template of the ID where an entry has no registration number (`{legal_name} | {city}`), its texts in lower case.
    A blank field is written `none`."""
    is_number_shared: bool = False
    """Whether several entries can have the same registration number. The ID is then always made from the template."""
    formats: tuple[TableFormat, ...] = ()
    sheet: str | None = None
    """The sheet of a legacy workbook (`xls`)."""
    encoding: EncodingName = "utf-8-sig"
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] = ","
    date_formats: DateFormats = ("%Y-%m-%d",)
    """The first format that fits applies. A format of ten digits and separators also parses the day of an instant."""
    list_separator: str | None = None
    """The separator between the items of a list; None if a cell has one item."""
    blank: str | None = None
    """Pattern of texts that mean a blank cell."""
    blank_in: tuple[str, ...] = ()
    """The fields to which `blank` applies; empty for all."""
    words: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Field to words that are replaced. Other words are kept, and not counted as unknown."""
    street_pattern: str | None = None
    """Pattern with the groups `street`, and `unit` or `house`, that splits a street."""
    is_address_verbatim: bool = False
    """Whether the postal code is kept as written and the address line ends before the country."""
    skip: tuple[SkippedRowRule, ...] = ()
    repeated_rows: RepeatedRows = RepeatedRows.FIRST

    def get_columns(self, layout: str) -> Mapping[str, ColumnNames]:
        """The columns of a layout by field."""
        return self.layout_columns.get(layout, self.columns)

    def list_columns(self, layout: str) -> set[str]:
        """The names of the columns of a layout that are read."""
        found = self.get_columns(layout).values()
        return {column for columns in found for column in ([columns] if isinstance(columns, str) else columns)}

    def list_fields(self) -> set[str]:
        """Every field that this section names."""
        named = {field for columns in (self.columns, *self.layout_columns.values()) for field in columns}
        named |= {*self.defaults, *self.required, *self.blank_in, *self.words}
        return named | {rule.field for rule in self.skip}
