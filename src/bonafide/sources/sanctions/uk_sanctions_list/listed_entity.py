"""Build the listed entity of a designation of the UK's list: its names with the list's own grades, its numbers with their labels.

Both formats of the list, XML elements and CSV rows, become the same values. A variation of the primary name is an alias; only
low quality aliases are weak.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.matching.text.countries import parse_country_codes
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.framework.context import ParseContext, Resource
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
class UkName:
    """One name: parts 1 to 6 joined in order. `strength` is the list's grade of an alias."""

    text: str
    kind: str
    strength: str | None = None


@dataclass(frozen=True, slots=True)
class UkDocument:
    """One number, with the list's note on it."""

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
    remarks: dict[str, list[str]] = field(default_factory=dict)
    """Texts without a field of their own, by label."""


def join_name_parts(parts: list[str | None]) -> str:
    """Join the parts that are not None into one name."""
    return " ".join(part for part in parts if part is not None)


def parse_list_date(text: str, resource: Resource) -> date:
    """Return the date of the list. Raises `ParseFailed` if it is not a date."""
    try:
        return date.fromisoformat(parse_birth_dates(text)[0])
    except (IndexError, ValueError) as error:
        raise ParseFailed(Message("{file}: invalid date “{date}”", file=resource.name, date=text.strip()[:40])) from error


_MAIN, _WEAK = "main", "weak"
_LABELLED = re.compile(r"(?P<label>[A-Za-z][\w ./()]{0,60}?)\s*:\s*(?P<number>[\w/.-]*\d[\w/.-]*)[\s;,|]*")
"""`INN: 7710137066`, the format of Russian registration numbers, often several in one text."""


def build_listed_entity(found: UkDesignation, kind: EntityKind, context: ParseContext) -> ListedEntity:
    """Build the entity. Raises `ValueError` if it has no name."""
    names = _build_names(found, context)
    person = kind is EntityKind.PERSON
    return ListedEntity(
        entry_id=found.unique_id,
        entity_type=kind,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=(found.regime,) if found.regime is not None else (),
        countries=tuple(dict.fromkeys(code for country in found.countries for code in parse_country_codes(country))),
        identifiers=deduplicate_numbers(_build_identifiers(found)),
        listing_date=next(iter(parse_birth_dates(found.designated)), found.designated),
        date_of_birth="; ".join(found.births) or None if person else None,
        birth_dates=tuple(dict.fromkeys(day for text in found.births for day in parse_birth_dates(text))) if person else (),
        remarks=_build_remarks(found),
        legal_form="; ".join(found.kinds_of_entity) or None,
    )


def _build_names(found: UkDesignation, context: ParseContext) -> ListedNames:
    ranks = {name: context.term(name.kind.casefold()) for name in found.names}
    if not ranks:
        raise ValueError(Message("no name in a known field"))
    # Some have variations of a primary name, but no primary name.
    main = min(ranks, key=lambda name: (ranks[name] != _MAIN, _is_weak(name, context)))
    others = [(name.text, _is_weak(name, context)) for name in ranks if name is not main]
    return build_names(main.text, [*others, *((text, False) for text in found.other_scripts)])


def _is_weak(name: UkName, context: ParseContext) -> bool:
    return name.strength is not None and context.term(name.strength.casefold().rstrip(".")) == _WEAK


def _build_identifiers(found: UkDesignation) -> Iterator[RegistrationNumber]:
    yield from build_numbers("UN reference", found.un_reference)
    for text in found.imo_numbers:
        yield from extract_imo_numbers(text)
    for document in found.documents:
        yield from _split_numbers(document)


def _split_numbers(document: UkDocument) -> Iterator[RegistrationNumber]:
    """Yield the number, or each of several if the text consists of numbers with labels."""
    several = list(_LABELLED.finditer(document.number))
    if several and "".join(found[0] for found in several) == document.number:
        for found in several:
            yield from build_numbers(f"{document.label}, {found['label'].strip()}", found["number"])
    else:
        yield from build_numbers(document.label, document.number)


def _build_remarks(found: UkDesignation) -> str | None:
    return format_remarks({
        **found.remarks,
        "Documents": (document.note for document in found.documents if document.note is not None),
        "IMO field": (text for text in found.imo_numbers if not extract_imo_numbers(text)),
        "OFSI group ID": [found.ofsi_group or ""],
    })  # fmt: skip
