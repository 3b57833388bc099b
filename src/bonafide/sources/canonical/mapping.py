"""The columns of the canonical layout, and the mapping file that maps the columns, words and dates of a file to them.

A mapping renames columns and words. It does not compute, join or split columns. `fields` parses the values.
"""

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message, join_messages
from bonafide.model.entity import StatusCode
from bonafide.sources.framework.context import get_reason
from bonafide.sources.framework.table_metadata import DateFormats, EncodingName

MAX_MAPPING_BYTES = 1024**2
MAX_COMPARED_CHARACTERS = 100
"""The part of an unknown word that is compared with known ones."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class CanonicalColumn:
    """One column as the reference page lists it: name, meaning, format and an example."""

    name: str
    meaning: str
    form: str
    example: str
    required: bool = False


COLUMNS = (
    CanonicalColumn("registration_number", "The number that the register assigned", "text", "`1000017`", required=True),
    CanonicalColumn(
        "number_label",
        "The label of the number, if it is not the register's usual one",
        "text",
        "`Business Identification Number`",
    ),
    CanonicalColumn("legal_name", "The legal name", "text", "`Sample Bakery Inc.`", required=True),
    CanonicalColumn(
        "alternate_names",
        "Other names in use: the form in the other language, trade names",
        "list",
        "`Boulangerie Sample inc.; The Oven`",
    ),
    CanonicalColumn(
        "former_names",
        "Former names",
        "list of `Name` or `Name (date to date)`, either date or both",
        "`Old Bakery Ltd. (2001-02-03 to 2010-01-31)`",
    ),
    CanonicalColumn("business_number", "The CRA business number", "text", "`123456782`"),
    CanonicalColumn("other_numbers", "Other numbers, each with its label", "list of `label=number`", "`NEQ=1160000017`"),
    CanonicalColumn("entity_type", "The legal form, in the register's words", "text", "`Business corporation`"),
    CanonicalColumn("status", "The status, in the register's words", "text", "`In Compliance`"),
    CanonicalColumn("status_code", "The common status code, if it doesn't follow from the status", "a status code", "`active`"),
    CanonicalColumn("incorporation_date", "The day of incorporation or first registration", "date", "`2001-02-03`"),
    CanonicalColumn("good_standing", "Whether the business is in good standing; empty if unknown", "yes or no", "`yes`"),
    CanonicalColumn(
        "home_jurisdiction",
        "The jurisdiction of incorporation, if it is another one; a Canadian jurisdiction by code or name",
        "text",
        "`FED`",
    ),
    CanonicalColumn("home_number", "The number in the home jurisdiction", "text", "`426160-7`"),
    CanonicalColumn("street", "Street of the registered office", "text", "`100 Bay St`"),
    CanonicalColumn("unit", "Unit, suite or floor", "text", "`200`"),
    CanonicalColumn("city", "City", "text", "`Toronto`"),
    CanonicalColumn("province", "Province, territory or state", "text", "`ON`"),
    CanonicalColumn("postal_code", "Postal code, with or without its space", "text", "`M5J 2N8`"),
    CanonicalColumn("country", "Country", "text", "`CA`"),
    CanonicalColumn("directors", "Directors", "list of names", "`Ann Sample; Luc Exemple`"),
    CanonicalColumn(
        "people",
        "The people that the register names, with their roles",
        "list of `Name` or `Name [Role, Role]`",
        "`Ann Sample [Director, President]`",
    ),
    CanonicalColumn("source_url", "The register's page of this business", "web address", "`https://register.example/1000017`"),
)
COLUMN_NAMES = tuple(column.name for column in COLUMNS)
REQUIRED_COLUMNS = tuple(column.name for column in COLUMNS if column.required)


def to_snake_case(name: str) -> str:
    """`legalName` as `legal_name`; a name in snake case is not changed."""
    return _CAMEL.sub("_", name.strip()).lower()


def find_nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most similar to an unknown one."""
    return difflib.get_close_matches(to_snake_case(word[:MAX_COMPARED_CHARACTERS]), list(known), n=1, cutoff=0.0)[0]


def _check_column_name(name: str) -> str:
    if name not in COLUMN_NAMES:
        nearest = find_nearest(name, COLUMN_NAMES)
        sentence = Message(
            "'{column}' is not a column of the canonical layout; the most similar one is {nearest}", column=name, nearest=nearest
        )
        raise ValueError(sentence)
    return name


def _check_separator(text: str) -> str:
    if "," in text or text.strip() == "":
        raise ValueError(Message("commas and spaces can’t separate lists, because names contain them"))
    return text


CanonicalName = Annotated[str, AfterValidator(_check_column_name)]


class CanonicalMapping(BaseModel):
    """A mapping file. Every part is optional."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: dict[CanonicalName, str] = Field(default_factory=dict)
    """Canonical column to the file's own name for it."""
    ignored: tuple[str, ...] = ()
    """The file's columns that are not read."""
    statuses: dict[str, StatusCode] = Field(default_factory=dict)
    """The file's status words, compared without case. They take precedence over the source's vocabulary."""
    date_formats: DateFormats = ("%Y-%m-%d",)
    """The formats of `incorporation_date`; the first that fits applies. Dates in `former_names` are always YYYY-MM-DD."""
    list_separator: Annotated[str, AfterValidator(_check_separator)] = ";"
    encoding: EncodingName = "utf-8-sig"
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    """Of a CSV file. By default, the most frequent of comma, semicolon and tab in its first line."""
    defaults: dict[CanonicalName, bool | int | date | str] = Field(default_factory=dict)
    """Values of columns that the file lacks, or that are empty."""


def load_mapping(path: Path) -> CanonicalMapping:
    """Read a mapping file. Raises `ConfigurationError` with the problems of an invalid one."""
    try:
        if path.exists() and (not path.is_file() or path.stat().st_size > MAX_MAPPING_BYTES):
            problem = Message("{file}: not a file of at most {limit:,} bytes", file=path.name, limit=MAX_MAPPING_BYTES)
            raise ConfigurationError(problem)
        return CanonicalMapping.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")) or {})
    except ValidationError as error:
        problems = join_messages(_describe_problems(error))
        raise ConfigurationError(Message("{file}: {problems}", file=path.name, problems=problems)) from error
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise ConfigurationError(Message("{file}: not a valid mapping file: {error}", file=path.name, error=str(error))) from error


def _describe_problems(error: ValidationError) -> Iterator[Message]:
    for found in error.errors():
        raised = found.get("ctx", {}).get("error")
        problem = get_reason(raised) if isinstance(raised, ValueError) else Message.untranslated(found["msg"])
        # YAML reads `No` as false and `1` as a number; both are likely names of columns and statuses.
        template = Message("{field}: {problem}; quote it") if found["type"] == "string_type" else Message("{field}: {problem}")
        yield template.fill(field=".".join(map(str, found["loc"])), problem=problem)
