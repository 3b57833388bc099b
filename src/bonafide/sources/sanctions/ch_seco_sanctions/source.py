"""The Swiss list of the State Secretariat for Economic Affairs: one entry for each target that is still listed.

The file is read twice, because the data that targets refer to is before and after them. Delisted targets stay in the file and are
skipped, as is the history, which repeats whole targets inside of targets.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import ListedEntity
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, get_line, read_children, read_root_attributes
from bonafide.sources.framework.context import ParseContext, Resource, SkippedRows
from bonafide.sources.sanctions.ch_seco_sanctions.listed_entity import (
    SecoLookups,
    build_listed_entity,
    is_delisted,
    read_changes,
    read_country,
)

WHOLE_LIST = "whole-list"
_BODIES = ("individual", "entity", "object")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the targets of all files. Raises `ParseFailed` for a file that is not the whole list or has no targets."""
    skipped, seen = SkippedRows(context), set[str]()
    for resource in resources:
        context.set_as_of(_read_day(resource))
        lookups = _read_lookups(resource)
        targets = 0
        for targets, target in enumerate(read_children(resource, "target"), start=1):  # noqa: B007 - used after the loop
            context.row()
            if is_delisted(read_changes(target)):
                skipped.add(Message("removed from the list"))
                continue
            entry = _build_entry(target, resource, lookups, context)
            if entry is not None and entry.entry_id in seen:
                context.reject(resource, get_line(target), Message("the number is not unique"))
            elif entry is not None:
                seen.add(entry.entry_id)
                yield entry
        if targets == 0:
            raise ParseFailed(Message("{file}: the file contains no listed parties", file=resource.name))
    skipped.note()


def _build_entry(target: Element, resource: Resource, lookups: SecoLookups, context: ParseContext) -> ListedEntity | None:
    body = next((found for tag in _BODIES if (found := target.find(f"{{*}}{tag}")) is not None), None)
    if body is None or not target.get("ssid"):
        context.reject(resource, get_line(target), Message("the target has an unknown type or no number"))
        return None
    try:
        return build_listed_entity(target, body, read_changes(target), lookups, context)
    except ValueError as error:
        context.reject(resource, get_line(target), error)
        return None


def _read_day(resource: Resource) -> date:
    """Return the date of the list. Raises `ParseFailed` if the file is not the whole list."""
    attributes = read_root_attributes(resource)
    try:
        day = date.fromisoformat(attributes.get("date", ""))
    except ValueError as error:
        raise ParseFailed(Message("{file}: the date of the list is missing", file=resource.name)) from error
    list_type = attributes.get("list-type")
    if list_type != WHOLE_LIST:
        raise ParseFailed(
            Message(
                "{file}: the file contains “{found}” instead of “{expected}”",
                file=resource.name,
                found=list_type or "",
                expected=WHOLE_LIST,
            )
        )
    return day


def _read_lookups(resource: Resource) -> SecoLookups:
    programs: dict[str, str] = {}
    places: dict[str, str] = {}
    # Targets are read only to be freed: they make up nearly all of the file.
    for element in read_children(resource, "sanctions-program", "target", "place"):
        tag = str(element.tag).rpartition("}")[2]
        if tag == "sanctions-program":
            programs |= dict.fromkeys(_read_sets(element), _choose_program_name(element))
        elif tag == "place" and (country := read_country(element)) is not None:
            places[element.get("ssid") or ""] = country
    return SecoLookups(programs, places)


def _read_sets(program: Element) -> Iterator[str]:
    return (number for found in program.findall("{*}sanctions-set") if (number := found.get("ssid")) is not None)


def _choose_program_name(program: Element) -> str:
    """Return the English name of the ordinance, else the first name of the program."""
    for tag in ("program-name", "program-key"):
        named = sorted(program.findall(f"{{*}}{tag}"), key=lambda found: found.get("lang") != "eng")
        text = next((name for found in named if (name := normalize_whitespace(found.text)) is not None), None)
        if text is not None:
            return text
    return program.get("ssid") or ""
