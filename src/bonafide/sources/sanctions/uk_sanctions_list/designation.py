"""A designation of the UK's list as both of its forms state it: XML elements and CSV rows become the same values.

Texts are as they are printed, white space squeezed. What they mean together is decided in `listing`.
"""

from dataclasses import dataclass, field
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.sources.framework.context import Resource
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates


@dataclass(frozen=True, slots=True)
class UkName:
    """One name: the six parts joined as they are said, 1 to 6. `strength` is the list's word for how good an alias is."""

    text: str
    kind: str
    strength: str | None = None


@dataclass(frozen=True, slots=True)
class UkDocument:
    """One number, and what the list adds to it."""

    label: str
    number: str
    note: str | None = None


@dataclass(slots=True)
class UkDesignation:
    """One designation, filled while its element or rows are read."""

    unique_id: str
    subject: str
    regime: str | None = None
    ofsi_group: str | None = None
    un_reference: str | None = None
    designated: str | None = None
    names: list[UkName] = field(default_factory=list)
    other_scripts: list[str] = field(default_factory=list)
    births: list[str] = field(default_factory=list)
    countries: list[str] = field(default_factory=list)
    """Names of countries: nationalities, flags, addresses."""
    documents: list[UkDocument] = field(default_factory=list)
    imo_numbers: list[str] = field(default_factory=list)
    kinds_of_entity: list[str] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)
    """What has no field of its own, by its label."""


def join_name_parts(parts: list[str | None]) -> str:
    """The parts that are there, as one name."""
    return " ".join(part for part in parts if part is not None)


def parse_list_date(text: str, resource: Resource) -> date:
    """The day to which the list dates itself. Raises `ParseFailed` when it doesn't: a list without a date is another file."""
    try:
        return date.fromisoformat(parse_birth_dates(text)[0])
    except (IndexError, ValueError) as error:
        raise ParseFailed(f"{resource.name}: not the list that is known: {text.strip()[:40]!r} is no day") from error
