"""Build the listed entity of a party of the EU's list: choose the main name, grade the others, convert dates and numbers.

Both formats of the list, XML elements and CSV rows, become the same values, with texts as published and white space normalized.
The list has no official name and marks nearly every name as strong; the quality of an alias is given in its remark.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bonafide.i18n.message import Message
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import (
    ListedNames,
    build_names,
    build_numbers,
    deduplicate_numbers,
    extract_imo_numbers,
    format_remarks,
)


@dataclass(frozen=True, slots=True)
class EuName:
    """One name. `language` is the alpha-2 code of its language, "" if the list does not have it."""

    text: str
    strong: bool
    language: str = ""
    function: str | None = None
    title: str | None = None
    remark: str | None = None
    """Line breaks are kept: they separate annotations."""


@dataclass(frozen=True, slots=True)
class EuBirth:
    """One date of birth. If the calendar is not Gregorian, only `day`, which is converted, can be compared."""

    day: str | None = None
    """The ISO date, if the list has all three parts."""
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
    """One number of a passport, a register or a ship owner. `code` is the list's code of the type, `kind` its description."""

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
    """Alpha-2 codes of citizenships, then of addresses."""


NO_COUNTRY = "00"
"""The list's code for an unknown country."""
_CLAUSE = re.compile(r"[\n;]")
_OPENING = " \t\"'‘(“"
_LOW = re.compile(r"low?\s+quality\b", re.IGNORECASE)
_GRADED = re.compile(
    r"(?:low?|go?od|high)\s+quality|formerly\s+(?:known\s+as|listed)|former\s+name|[fa]\.?k\.?a\b|maiden\s+name",
    re.IGNORECASE,
)
"""The beginning of a remark that grades an alias. Inside a sentence, the same words refer to another name."""


def build_listed_entity(party: EuParty, kind: EntityKind, entry_id: str) -> ListedEntity:
    """Build the entity. Raises `ValueError` if it has no name."""
    names = _build_names(party)
    person = kind is EntityKind.PERSON
    births = [birth for birth in party.births if format_birth(birth) is not None] if person else []
    urls = [regulation.url for regulation in party.regulations if regulation.url is not None]
    return ListedEntity(
        entry_id=entry_id,
        source_url=urls[0] if urls else None,
        entity_type=kind,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=tuple(dict.fromkeys(act.programme for act in party.regulations if act.programme is not None)),
        countries=tuple(dict.fromkeys(code for code in party.countries if code != NO_COUNTRY)),
        identifiers=deduplicate_numbers(_build_identifiers(party)),
        listing_date=party.designated
        or min((act.published for act in party.regulations if act.published is not None), default=None),
        date_of_birth="; ".join(dict.fromkeys(text for birth in births if (text := format_birth(birth)) is not None)) or None,
        birth_dates=tuple(dict.fromkeys(date for birth in births for date in to_comparable_dates(birth))),
        remarks=_build_remarks(party, person=person),
    )


def _build_names(party: EuParty) -> ListedNames:
    found = [name for name in party.names if name.text]
    if not found:
        raise ValueError(Message("no name in a known field"))
    main = min(found, key=_rank_name)
    return build_names(main.text, ((name.text, _is_weak(name)) for name in found if name is not main))


def _rank_name(name: EuName) -> tuple[bool, bool, bool]:
    """Sort key for the main name: no remark of an alias, Latin letters, English or no language, then the order of the list."""
    annotated = not name.strong or any(_GRADED.match(clause) for clause in _split_clauses(name))
    return annotated, not _is_latin(name.text), name.language not in {"", "EN"}


def _is_weak(name: EuName) -> bool:
    return not name.strong or any(_LOW.match(clause) for clause in _split_clauses(name))


def _split_clauses(name: EuName) -> Iterator[str]:
    return (clause.lstrip(_OPENING) for clause in _CLAUSE.split(name.remark or ""))


def _is_latin(text: str) -> bool:
    return all("LATIN" in unicodedata.name(letter, "") for letter in text if letter.isalpha())


def _build_identifiers(party: EuParty) -> Iterator[RegistrationNumber]:
    yield from build_numbers("UN reference", party.united_nations_id)
    for document in party.documents:
        for number in dict.fromkeys((document.number, document.latin_number)):
            yield from extract_imo_numbers(number) if document.code == "imo" else build_numbers(_build_label(document), number)


def _build_label(document: EuDocument) -> str:
    country = f" ({document.country})" if document.country not in {None, NO_COUNTRY} else ""
    return f"{document.kind or document.code or 'Document'}{country}" + (", known to be false" if document.known_false else "")


def format_birth(birth: EuBirth) -> str | None:
    """Format a date of birth as published; None if there is only a place of birth."""
    circa = "circa " if birth.circa else ""
    if birth.year is None and birth.day is None:
        years = [year for year in (birth.year_from, birth.year_to) if year is not None]
        return f"{circa}{'-'.join(years)}" if len(years) > 1 else _format_half_open(birth)
    own = "-".join(part.zfill(2) for part in (birth.year, birth.month, birth.day_of_month) if part is not None)
    if birth.gregorian:
        return circa + (birth.day or own)
    return f"{birth.day} ({own} in another calendar)" if birth.day is not None else f"{own} (another calendar)"


def _format_half_open(birth: EuBirth) -> str | None:
    if birth.year_from is not None:
        return f"{birth.year_from} or later"
    return f"{birth.year_to} or earlier" if birth.year_to is not None else None


def to_comparable_dates(birth: EuBirth) -> tuple[str, ...]:
    """Return the date in the format of `parse_birth_dates`; nothing for a year of another calendar or an open-ended range."""
    if not birth.gregorian:
        return parse_birth_dates(birth.day)
    open_ended = (birth.year, birth.day) == (None, None) and None in {birth.year_from, birth.year_to}
    return parse_birth_dates(format_birth(birth)) if not open_ended else ()


def _build_remarks(party: EuParty, *, person: bool) -> str | None:
    imo = [number for document in party.documents if document.code == "imo" and (number := document.number) is not None]
    return format_remarks({
        "": [party.remark or ""],
        "Title": _skip_missing(name.title for name in party.names),
        "Function": _skip_missing(name.function for name in party.names),
        "Names": _skip_missing(_build_annotation(name) for name in party.names),
        "Documents": _skip_missing(document.remark for document in party.documents),
        "IMO field": (number for number in imo if not extract_imo_numbers(number)),
        "Date": () if person else _skip_missing(map(format_birth, party.births)),
        "Regulation": _skip_missing(act.title for act in party.regulations),
    })  # fmt: skip


def _skip_missing(texts: Iterable[str | None]) -> Iterator[str]:
    return (text for text in texts if text is not None)


def _build_annotation(name: EuName) -> str | None:
    """Return the name with its remark, unless the remark only grades the alias."""
    if name.remark is None or all(_GRADED.match(clause) or not clause for clause in _split_clauses(name)):
        return None
    return f"{name.text} ({name.remark})"
