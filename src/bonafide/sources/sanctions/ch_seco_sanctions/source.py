"""The Swiss list of the State Secretariat for Economic Affairs: one entry a target that is still listed.

The file is read twice, as what targets refer to stands before and behind them. Targets that were taken off the list stay in it;
they are passed over, and so is the history, which repeats whole targets inside of targets.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from bonafide.errors import ParseFailed
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
    """The targets of all files. Raises `ParseFailed` for a file that is not the whole list, or has no target in it."""
    passed_over, seen = SkippedRows(context), set[str]()
    for resource in resources:
        context.set_as_of(_read_day(resource))
        lookups = _read_lookups(resource)
        targets = 0
        for targets, target in enumerate(read_children(resource, "target"), start=1):  # noqa: B007 - counted for what follows
            context.row()
            if is_delisted(read_changes(target)):
                passed_over.add("taken off the list")
                continue
            entry = _build_entry(target, resource, lookups, context)
            if entry is not None and entry.entry_id in seen:
                context.reject(resource, get_line(target), "a target that stands twice")
            elif entry is not None:
                seen.add(entry.entry_id)
                yield entry
        if targets == 0:
            raise ParseFailed(f"{context.metadata.key}: {resource.name}: there is no target in it")
    passed_over.note()


def _build_entry(target: Element, resource: Resource, lookups: SecoLookups, context: ParseContext) -> ListedEntity | None:
    body = next((found for tag in _BODIES if (found := target.find(f"{{*}}{tag}")) is not None), None)
    if body is None or not target.get("ssid"):
        context.reject(resource, get_line(target), "a target of no kind that is known, or without a number")
        return None
    try:
        return build_listed_entity(target, body, read_changes(target), lookups, context)
    except ValueError as error:
        context.reject(resource, get_line(target), str(error))
        return None


def _read_day(resource: Resource) -> date:
    """The day of the list. Raises `ParseFailed` for a file that holds something else than the whole list."""
    said = read_root_attributes(resource)
    try:
        day = date.fromisoformat(said.get("date", ""))
    except ValueError as error:
        raise ParseFailed(f"{resource.name}: not the list that is known: its first tag has no date") from error
    if said.get("list-type") != WHOLE_LIST:
        raise ParseFailed(f"{resource.name}: it says that it is {said.get('list-type')!r}, not {WHOLE_LIST!r}")
    return day


def _read_lookups(resource: Resource) -> SecoLookups:
    programs: dict[str, str] = {}
    places: dict[str, str] = {}
    # Targets are asked for only to be let go of: they make up nearly all of the file.
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
    """The ordinance in English, else whatever the program is called first."""
    for tag in ("program-name", "program-key"):
        named = sorted(program.findall(f"{{*}}{tag}"), key=lambda found: found.get("lang") != "eng")
        text = next((told for found in named if (told := normalize_whitespace(found.text)) is not None), None)
        if text is not None:
            return text
    return program.get("ssid") or ""
