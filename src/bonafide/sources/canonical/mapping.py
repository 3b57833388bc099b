"""The mapping file: how the columns, words and dates of a file translate to the canonical layout.

It renames and translates; it does not compute, join or split columns.
"""

from datetime import date
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from bonafide.errors import ConfigurationError
from bonafide.model.entity import StatusCode
from bonafide.sources.canonical.columns import COLUMN_NAMES, find_nearest
from bonafide.sources.framework.table_metadata import DateFormats, EncodingName


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
