"""A designation of the UK's list as a listed entity: its names graded by the list's own words, its numbers under their labels.

A spelling of the primary name is an alias; only what the list calls a low quality alias is weak.
"""

import re
from collections.abc import Iterator

from bonafide.matching.text.countries import parse_country_codes
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.sanctions.uk_sanctions_list.designation import UkDesignation, UkDocument, UkName
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import (
    ListedNames,
    build_names,
    build_numbers,
    deduplicate_numbers,
    extract_imo_numbers,
    format_remarks,
)

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
