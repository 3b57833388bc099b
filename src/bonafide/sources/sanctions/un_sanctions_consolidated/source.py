"""The Security Council's list: one entry a record, under its permanent reference number.

Strong and weak aliases are as the list says. The regime under which somebody is listed is a program, never a nationality.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.listed_dates import birth_dates
from bonafide.sources.listed_names import bracket_forms
from bonafide.sources.listed_party import Names, names, remarks
from bonafide.sources.parse_xml import Element, line_of, read_elements, root_attributes
from bonafide.sources.sanctions.un_sanctions_consolidated.names import alias_names, entity_names, noted_names
from bonafide.sources.sanctions.un_sanctions_consolidated.record import births, countries, day, identifiers, text_of, values

KINDS = {"INDIVIDUAL": EntityKind.PERSON, "ENTITY": EntityKind.ORGANIZATION}
WEAK = "low"
"""How the list calls an alias of low quality; all its other words for one are strong."""
_NAME_FIELDS = ("FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The entries of all files. Raises `ParseFailed` for a file that is none of this list."""
    used: set[str] = set()
    for resource in resources:
        _date(resource, context)
        for element in read_elements(resource, *KINDS):
            context.row()
            _count_unknown(element, context)
            name = _printed_name(element)
            if name is None:
                context.reject(resource, line_of(element), "no name in any field that is known")
                continue
            yield _entity(element, name, _entry_id(element, name, used), context)


def _date(resource: Resource, context: ParseContext) -> None:
    """The day that the file says it was made on."""
    made = root_attributes(resource).get("dateGenerated")
    if made is None:
        raise ParseFailed(f"{context.metadata.key}: {resource.name}: it doesn't say when it was made, as this list does")
    try:
        context.dated(date.fromisoformat(made[:10]))
    except ValueError as error:
        raise ParseFailed(f"{context.metadata.key}: {resource.name}: {made!r} is no day on which it was made") from error


def _count_unknown(element: Element, context: ParseContext) -> None:
    layout = context.metadata.layouts["record"]
    for child in element:
        if child.tag not in layout.columns and child.tag not in layout.ignored:
            context.report.unknown_terms[f"tag: {child.tag}"] += 1


def _printed_name(element: Element) -> str | None:
    # A comma behind the first of a person's names doesn't say that it is the family name.
    parts = [text.rstrip(",") for tag in _NAME_FIELDS if (text := text_of(element, tag)) is not None]
    first, *others = parts or [""]
    whole = " ".join([first.replace(",", "") if element.tag == "INDIVIDUAL" else first, *others])
    return " ".join(whole.split()) or None


def _entry_id(element: Element, name: str, used: set[str]) -> str:
    key = text_of(element, "REFERENCE_NUMBER") or text_of(element, "DATAID") or name
    if key in used:
        key = f"{key} | {text_of(element, 'DATAID') or name}"
    used.add(key)
    return key


def _entity(element: Element, printed: str, entry_id: str, context: ParseContext) -> ListedEntity:
    terms = context.metadata.terms
    told = _names(element, printed)
    born = list(dict.fromkeys(births(element)))
    regime = text_of(element, "UN_LIST_TYPE")
    return ListedEntity(
        entry_id=entry_id,
        entity_type=KINDS[element.tag],
        name=told.main,
        aliases=told.aliases,
        weak_aliases=told.weak,
        programs=(terms.get(regime, regime),) if regime is not None else (),
        countries=countries(element),
        identifiers=identifiers(element, terms),
        listing_date=day(text_of(element, "LISTED_ON")),
        date_of_birth="; ".join(born) or None,
        birth_dates=tuple(dict.fromkeys(date for text in born for date in birth_dates(text))),
        remarks=remarks(
            {
                "Title": values(element, "TITLE"),
                "Designation": values(element, "DESIGNATION"),
                "": [text_of(element, "COMMENTS1") or ""],
            }
        ),
    )


def _names(element: Element, printed: str) -> Names:
    main, others = (printed, []) if element.tag == "INDIVIDUAL" else entity_names(printed)
    original = text_of(element, "NAME_ORIGINAL_SCRIPT")
    if original is not None:
        others.append((original, False))
    for alias in element.iterfind(f"{element.tag}_ALIAS"):
        is_weak = (text_of(alias, "QUALITY") or "").casefold() == WEAK
        written = [*alias_names(text_of(alias, "ALIAS_NAME") or ""), *noted_names(text_of(alias, "NOTE") or "")]
        others += [(name, is_weak) for name in written]
        if element.tag == "ENTITY":
            others += [(form, is_weak or is_short) for name in written for form, is_short in bracket_forms(name)]
    return names(main, others)
