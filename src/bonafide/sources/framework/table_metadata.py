"""The schema of `table` in `source.yml`: how the columns, words and dates of a source's tables become the fields of its entries.

The mapping file of the canonical layout uses the same terms, and checks its encodings and date formats here.
"""

import codecs
import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from bonafide.i18n.message import MessageTemplate

_SAMPLE_DAY = date(2001, 12, 31)
_SAMPLE_YEAR = re.compile(f"{_SAMPLE_DAY:%Y|%y}")

ENTRY_FIELDS = frozenset({"registration_number", "legal_name", "alternate_names", "status"})
ADDRESS_FIELDS = ("street", "unit", "city", "province", "postal_code", "country")


def _check_encoding(name: str) -> str:
    try:
        codecs.lookup(name)
    except LookupError:
        raise ValueError(f"{name!r} is not an encoding") from None
    return name


def _check_date_format(text: str) -> str:
    try:
        # The year is looked for first: Python 3.13 on warns of a day and month that are read without one.
        dated = _SAMPLE_YEAR.search(_SAMPLE_DAY.strftime(text)) is not None
        known = dated and datetime.strptime(_SAMPLE_DAY.strftime(text), text).date() == _SAMPLE_DAY  # noqa: DTZ007 - a day has no zone
    except (ValueError, re.error):
        # `strptime` makes a pattern of it, in which a part that is given twice has no place.
        known = False
    if not known:
        raise ValueError(f"{text!r} does not say year, month and day, as '%d/%m/%Y' does")
    return text


DateFormat = Annotated[str, AfterValidator(_check_date_format)]
EncodingName = Annotated[str, AfterValidator(_check_encoding)]
DateFormats = Annotated[tuple[DateFormat, ...], Field(min_length=1)]
ColumnNames = str | tuple[str, ...]


class TableFormat(StrEnum):
    """What a table can be, beside the CSV that every table can be."""

    XLS = "xls"
    XLSX = "xlsx"


class RepeatedRows(StrEnum):
    """What a further row of the same entry does."""

    FIRST = "first"
    """Nothing: the first row is the entry."""
    LAST = "last"
    """It replaces the entry."""
    NAMES_AND_PLACES = "names_and_places"
    """It adds its names, addresses and numbers."""
    FILL = "fill"
    """It adds these, and the details that the entry lacks."""
    COMBINE = "combine"
    """It adds these, and the items of the details that are lists."""


class _StrictModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SkippedRowRule(_StrictModel):
    """Rows that are no entries: those whose field has one of the values, or is blank where there are none."""

    field: str
    values: tuple[str, ...] = ()
    reason: MessageTemplate


class TableMetadata(_StrictModel):
    """How the rows of a source's tables become entries.

    A field is one of `ENTRY_FIELDS`, one of `ADDRESS_FIELDS` or the key of a detail; the type of a detail says how it is read.
    """

    columns: dict[str, ColumnNames]
    """Field to column. Several columns are the lines of a street, the items of a list, or names of which the first that is filled
    is the legal name and the others are alternate names."""
    layout_columns: dict[str, dict[str, ColumnNames]] = Field(default_factory=dict)
    """The same for the layouts that have other columns, instead of `columns`."""
    defaults: dict[str, JsonValue] = Field(default_factory=dict)
    """Values of fields that have no column, or whose column is blank."""
    required: tuple[str, ...] = ()
    """Fields whose column must be filled where the layout has it. The legal name always must."""
    entry_id: str | None = None
    """Template of the ID where an entry has no registration number (`{legal_name} | {city}`), its texts in small letters.
    A blank field is written `none`."""
    is_number_shared: bool = False
    """Whether several entries can have the same registration number: the ID then always follows the template."""
    formats: tuple[TableFormat, ...] = ()
    sheet: str | None = None
    """The sheet of a legacy workbook (`xls`)."""
    encoding: EncodingName = "utf-8-sig"
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] = ","
    date_formats: DateFormats = ("%Y-%m-%d",)
    """The first that fits counts. A form of ten figures also reads the day of an instant."""
    list_separator: str | None = None
    """Between the items of a list; None where a cell has one item."""
    blank: str | None = None
    """Pattern of the texts that stand for a blank cell."""
    blank_in: tuple[str, ...] = ()
    """The fields that have such texts; empty for all."""
    words: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Field to words that are replaced; other words stay as they are, and are not counted as unknown."""
    street_pattern: str | None = None
    """Pattern with the groups `street`, and `unit` or `house`, that takes a street apart."""
    is_address_verbatim: bool = False
    """Whether the postal code stays as it is written and the line of the address ends before the country."""
    skip: tuple[SkippedRowRule, ...] = ()
    repeated_rows: RepeatedRows = RepeatedRows.FIRST

    def get_columns(self, layout: str) -> Mapping[str, ColumnNames]:
        """The columns of a layout by field."""
        return self.layout_columns.get(layout, self.columns)

    def list_columns(self, layout: str) -> set[str]:
        """The names of the columns that are read of a layout."""
        found = self.get_columns(layout).values()
        return {column for columns in found for column in ([columns] if isinstance(columns, str) else columns)}

    def list_fields(self) -> set[str]:
        """Every field that the description names."""
        named = {field for columns in (self.columns, *self.layout_columns.values()) for field in columns}
        named |= {*self.defaults, *self.required, *self.blank_in, *self.words}
        return named | {rule.field for rule in self.skip}
