"""A designation of the UK's list as a listed entity: its names graded by the list's own words, its numbers under their labels.

Both of the list's forms, XML elements and CSV rows, become the same values. A spelling of the primary name is an alias; only what
the list calls a low quality alias is weak.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from bonafide.errors import ParseFailed
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


_MAIN, _WEAK = "main", "weak"
_LABELLED = re.compile(r"(?P<label>[A-Za-z][\w ./()]{0,60}?)\s*:\s*(?P<number>[\w/.-]*\d[\w/.-]*)[\s;,|]*")
"""`INN: 7710137066`, as the registration numbers of Russian firms are printed, often several in one text."""


def build_listed_entity(found: UkDesignation, kind: EntityKind, context: ParseContext) -> ListedEntity:
    """The entity. Raises `ValueError` when it has no name."""
    told = _build_names(found, context)
    person = kind is EntityKind.PERSON
    return ListedEntity(
        entry_id=found.unique_id,
        entity_type=kind,
        name=told.main,
        aliases=told.aliases,
        weak_aliases=told.weak,
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
        raise ValueError("no name in any field that is known")
    # Some have spellings of a primary name and no primary name.
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
    """The number, or each of several if the text is nothing but numbers with their labels."""
    several = list(_LABELLED.finditer(document.number))
    if several and "".join(found[0] for found in several) == document.number:
        for found in several:
            yield from build_numbers(f"{document.label}, {found['label'].strip()}", found["number"])
    else:
        yield from build_numbers(document.label, document.number)


def _build_remarks(found: UkDesignation) -> str | None:
    return format_remarks({
        **found.told,
        "Documents": (document.note for document in found.documents if document.note is not None),
        "IMO field": (text for text in found.imo_numbers if not extract_imo_numbers(text)),
        "OFSI group ID": [found.ofsi_group or ""],
    })  # fmt: skip
