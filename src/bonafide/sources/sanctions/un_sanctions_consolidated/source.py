"""The Security Council's list: one entry for each record, by its permanent reference number.

Strong and weak aliases are as in the list. The regime of a listing is a program, not a nationality.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.formats.xml_elements import Element, get_line, read_elements, read_root_attributes
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.sanctions.un_sanctions_consolidated.record_fields import (
    extract_noted_names,
    find_text,
    find_values,
    read_births,
    read_countries,
    read_identifiers,
    split_alias_names,
    split_entity_names,
    strip_time_zone,
)
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import ListedNames, build_names, expand_bracket_forms, format_remarks

ENTITY_KINDS = {"INDIVIDUAL": EntityKind.PERSON, "ENTITY": EntityKind.ORGANIZATION}
WEAK = "low"
"""The list's word for an alias of low quality; all other grades are strong."""
_NAME_FIELDS = ("FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the entries of all files. Raises `ParseFailed` for a file that is not this list."""
    used: set[str] = set()
    for resource in resources:
        _read_date(resource, context)
        for element in read_elements(resource, *ENTITY_KINDS):
            context.row()
            _count_unknown(element, context)
            name = _read_printed_name(element)
            if name is None:
                context.reject(resource, get_line(element), Message("no name in a known field"))
                continue
            yield _build_entity(element, name, _build_entry_id(element, name, used), context)


def _read_date(resource: Resource, context: ParseContext) -> None:
    """Read the date of the file."""
    generated = read_root_attributes(resource).get("dateGenerated")
    if generated is None:
        raise ParseFailed(Message("{file}: the date of the list is missing", file=resource.name))
    try:
        context.set_as_of(date.fromisoformat(generated[:10]))
    except ValueError as error:
        raise ParseFailed(Message("{file}: invalid date “{date}”", file=resource.name, date=generated)) from error


def _count_unknown(element: Element, context: ParseContext) -> None:
    layout = context.metadata.layouts["record"]
    for child in element:
        if child.tag not in layout.columns and child.tag not in layout.ignored:
            context.report.unknown_terms[f"tag: {child.tag}"] += 1


def _read_printed_name(element: Element) -> str | None:
    # A comma after a person's first name does not mark it as the family name.
    parts = [text.rstrip(",") for tag in _NAME_FIELDS if (text := find_text(element, tag)) is not None]
    first, *others = parts or [""]
    whole = " ".join([first.replace(",", "") if element.tag == "INDIVIDUAL" else first, *others])
    return " ".join(whole.split()) or None


def _build_entry_id(element: Element, name: str, used: set[str]) -> str:
    key = find_text(element, "REFERENCE_NUMBER") or find_text(element, "DATAID") or name
    if key in used:
        key = f"{key} | {find_text(element, 'DATAID') or name}"
    used.add(key)
    return key


def _build_entity(element: Element, printed: str, entry_id: str, context: ParseContext) -> ListedEntity:
    terms = context.metadata.terms
    names = _build_names(element, printed)
    born = list(dict.fromkeys(read_births(element)))
    regime = find_text(element, "UN_LIST_TYPE")
    return ListedEntity(
        entry_id=entry_id,
        entity_type=ENTITY_KINDS[element.tag],
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=(terms.get(regime, regime),) if regime is not None else (),
        countries=read_countries(element),
        identifiers=read_identifiers(element, terms),
        listing_date=strip_time_zone(find_text(element, "LISTED_ON")),
        date_of_birth="; ".join(born) or None,
        birth_dates=tuple(dict.fromkeys(date for text in born for date in parse_birth_dates(text))),
        remarks=format_remarks(
            {
                "Title": find_values(element, "TITLE"),
                "Designation": find_values(element, "DESIGNATION"),
                "": [find_text(element, "COMMENTS1") or ""],
            }
        ),
    )


def _build_names(element: Element, printed: str) -> ListedNames:
    main, others = (printed, []) if element.tag == "INDIVIDUAL" else split_entity_names(printed)
    original = find_text(element, "NAME_ORIGINAL_SCRIPT")
    if original is not None:
        others.append((original, False))
    for alias in element.iterfind(f"{element.tag}_ALIAS"):
        is_weak = (find_text(alias, "QUALITY") or "").casefold() == WEAK
        written = [*split_alias_names(find_text(alias, "ALIAS_NAME") or ""), *extract_noted_names(find_text(alias, "NOTE") or "")]
        others += [(name, is_weak) for name in written]
        if element.tag == "ENTITY":
            others += [(form, is_weak or is_short) for name in written for form, is_short in expand_bracket_forms(name)]
    return build_names(main, others)
