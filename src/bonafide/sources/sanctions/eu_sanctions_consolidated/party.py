"""A party of the EU's list as both of its forms state it: XML elements and CSV rows become the same values.

Texts are as they are printed, white space squeezed. What they mean together is decided in `listing`.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class EuName:
    """One name; `language` is the alpha-2 code of the language that it is written for, "" where the list doesn't say."""

    text: str
    strong: bool
    language: str = ""
    function: str | None = None
    title: str | None = None
    remark: str | None = None
    """Line breaks are kept: they separate annotations."""


@dataclass(frozen=True, slots=True)
class EuBirth:
    """One date of birth. In another calendar than the Gregorian only `day`, which is converted, can be compared."""

    day: str | None = None
    """ISO, where the list has all three parts."""
    year: str | None = None
    month: str | None = None
    day_of_month: str | None = None
    year_from: str | None = None
    year_to: str | None = None
    circa: bool = False
    gregorian: bool = True
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class EuDocument:
    """One number: a passport's, a register's, a ship owner's. `code` is the list's word for the kind, `kind` its description."""

    code: str
    kind: str
    number: str | None
    latin_number: str | None = None
    country: str | None = None
    known_false: bool = False
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class EuRegulation:
    """The legal act of a listing."""

    programme: str | None
    title: str | None
    published: str | None
    url: str | None


@dataclass(slots=True)
class EuParty:
    """A party, filled while its element or rows are read."""

    logical_id: str
    reference: str | None
    subject: str
    united_nations_id: str | None = None
    designated: str | None = None
    remark: str | None = None
    regulations: list[EuRegulation] = field(default_factory=list)
    names: list[EuName] = field(default_factory=list)
    births: list[EuBirth] = field(default_factory=list)
    documents: list[EuDocument] = field(default_factory=list)
    countries: list[str] = field(default_factory=list)
    """Of citizenships, then of addresses: alpha-2 codes."""
