"""The columns of the canonical layout, and the mapping file that translates a file's columns, words and dates to them.

It renames and translates; it does not compute, join or split columns. How a value is read is in `fields`.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from bonafide.errors import ConfigurationError
from bonafide.model.entity import StatusCode
from bonafide.sources.framework.table_metadata import DateFormats, EncodingName

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class CanonicalColumn:
    """One column: its name, what it means, the form of its values and an example, as the reference page prints them."""

    name: str
    meaning: str
    form: str
    example: str
    required: bool = False


COLUMNS = (
    CanonicalColumn("registration_number", "The number that the register gave", "text", "`1000017`", required=True),
    CanonicalColumn(
        "number_label",
        "What that number is called, where it is not the register's usual one",
        "text",
        "`Business Identification Number`",
    ),
    CanonicalColumn("legal_name", "The legal name", "text", "`Sample Bakery Inc.`", required=True),
    CanonicalColumn(
        "alternate_names",
        "Names in use beside it: the other language's form, trade names",
        "list",
        "`Boulangerie Sample inc.; The Oven`",
    ),
    CanonicalColumn(
        "former_names",
        "Names borne before",
        "list of `Name` or `Name (date to date)`, either date or both",
        "`Old Bakery Ltd. (2001-02-03 to 2010-01-31)`",
    ),
    CanonicalColumn("business_number", "The CRA business number", "text", "`123456782`"),
    CanonicalColumn("other_numbers", "Other numbers, each with what it is called", "list of `label=number`", "`NEQ=1160000017`"),
    CanonicalColumn("entity_type", "The legal form, in the register's words", "text", "`Business corporation`"),
    CanonicalColumn("status", "The status, in the register's words", "text", "`In Compliance`"),
    CanonicalColumn("status_code", "The common status, where you know better than the words", "a status code", "`active`"),
    CanonicalColumn("incorporation_date", "The day of incorporation or first registration", "date", "`2001-02-03`"),
    CanonicalColumn(
        "good_standing", "Whether the register calls it in good standing; empty when it doesn't say", "yes or no", "`yes`"
    ),
    CanonicalColumn(
        "home_jurisdiction",
        "Where it was formed, if that is elsewhere; a Canadian jurisdiction by code or name",
        "text",
        "`FED`",
    ),
    CanonicalColumn("home_number", "Its number there", "text", "`426160-7`"),
    CanonicalColumn("street", "Street of the registered office", "text", "`100 Bay St`"),
    CanonicalColumn("unit", "Unit, suite or floor", "text", "`200`"),
    CanonicalColumn("city", "City", "text", "`Toronto`"),
    CanonicalColumn("province", "Province, territory or state", "text", "`ON`"),
    CanonicalColumn("postal_code", "Postal code, with or without its space", "text", "`M5J 2N8`"),
    CanonicalColumn("country", "Country", "text", "`CA`"),
    CanonicalColumn("directors", "Directors", "list of names", "`Ann Sample; Luc Exemple`"),
    CanonicalColumn(
        "people",
        "Anyone whom the register names, with their roles",
        "list of `Name` or `Name [Role, Role]`",
        "`Ann Sample [Director, President]`",
    ),
    CanonicalColumn("source_url", "The register's page of this business", "web address", "`https://register.example/1000017`"),
)
COLUMN_NAMES = tuple(column.name for column in COLUMNS)
REQUIRED_COLUMNS = tuple(column.name for column in COLUMNS if column.required)


def to_snake_case(name: str) -> str:
    """`legalName` as `legal_name`; a name in snake case is left as it is."""
    return _CAMEL.sub("_", name.strip()).lower()


def find_nearest(word: str, known: Iterable[str]) -> str:
    """The one of the known words that is most like a word that is not among them."""
    return difflib.get_close_matches(to_snake_case(word), list(known), n=1, cutoff=0.0)[0]


def _check_column_name(name: str) -> str:
    if name not in COLUMN_NAMES:
        raise ValueError(f"{name!r} is not a column of the canonical layout; the nearest is {find_nearest(name, COLUMN_NAMES)!r}")
    return name


def _check_separator(text: str) -> str:
    if "," in text or text.strip() == "":
        raise ValueError("a comma or a blank can't separate a list: names have them")
    return text


CanonicalName = Annotated[str, AfterValidator(_check_column_name)]


class CanonicalMapping(BaseModel):
    """A mapping file; every part of it may be left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: dict[CanonicalName, str] = Field(default_factory=dict)
    """Canonical column to the file's own name for it."""
    ignored: tuple[str, ...] = ()
    """The file's columns that are not read."""
    statuses: dict[str, StatusCode] = Field(default_factory=dict)
    """The file's status words, compared without case; they go before the source's own vocabulary."""
    date_formats: DateFormats = ("%Y-%m-%d",)
    """The forms of `incorporation_date`, the first that fits; dates inside `former_names` are always YYYY-MM-DD."""
    list_separator: Annotated[str, AfterValidator(_check_separator)] = ";"
    encoding: EncodingName = "utf-8-sig"
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    """Between the cells of a CSV file; whichever of comma, semicolon and tab its first line has most of when it is not given."""
    defaults: dict[CanonicalName, bool | int | date | str] = Field(default_factory=dict)
    """Values of columns that the file does not have, or leaves empty."""


def load_mapping(path: Path) -> CanonicalMapping:
    """Read a mapping file. Raises `ConfigurationError` that says what is wrong with it, and where."""
    try:
        return CanonicalMapping.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")) or {})
    except ValidationError as error:
        raise ConfigurationError(f"{path.name}: {'; '.join(_describe_problems(error))}") from error
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise ConfigurationError(f"{path.name}: not a mapping file: {error}") from error


def _describe_problems(error: ValidationError) -> list[str]:
    return [f"{'.'.join(map(str, found['loc']))}: {found['msg']}{_build_hint(found['type'])}" for found in error.errors()]


def _build_hint(kind: str) -> str:
    # YAML reads `No` as false and `1` as a number; both are likely names of columns and statuses.
    return "; quote it" if kind == "string_type" else ""
