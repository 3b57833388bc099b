"""The Swiss list of the State Secretariat for Economic Affairs: one entry a target that is still listed.

The file is read twice, as what targets refer to stands before and behind them. Targets that were taken off the list stay in it;
they are passed over, and so is the history, which repeats whole targets inside of targets.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.model.entry import ListedEntity
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import squeeze
from bonafide.sources.parse_xml import Element, line_of, read_children, root_attributes
from bonafide.sources.passed_over import PassedOver
from bonafide.sources.sanctions.ch_seco_sanctions.listing import Lookups, country_of, listing
from bonafide.sources.sanctions.ch_seco_sanctions.target import changes, is_delisted

WHOLE = "whole-list"
_BODIES = ("individual", "entity", "object")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The targets of all files. Raises `ParseFailed` for a file that is not the whole list, or has no target in it."""
    passed_over, seen = PassedOver(context), set[str]()
    for resource in resources:
        context.dated(_day(resource))
        lookups = _lookups(resource)
        targets = 0
        for targets, target in enumerate(read_children(resource, "target"), start=1):  # noqa: B007 - counted for what follows
            context.row()
            if is_delisted(changes(target)):
                passed_over.add("taken off the list")
                continue
            entry = _entry(target, resource, lookups, context)
            if entry is not None and entry.entry_id in seen:
                context.reject(resource, line_of(target), "a target that stands twice")
            elif entry is not None:
                seen.add(entry.entry_id)
                yield entry
        if targets == 0:
            raise ParseFailed(f"{context.metadata.key}: {resource.name}: there is no target in it")
    passed_over.note()


def _entry(target: Element, resource: Resource, lookups: Lookups, context: ParseContext) -> ListedEntity | None:
    body = next((found for tag in _BODIES if (found := target.find(f"{{*}}{tag}")) is not None), None)
    if body is None or not target.get("ssid"):
        context.reject(resource, line_of(target), "a target of no kind that is known, or without a number")
        return None
    try:
        return listing(target, body, changes(target), lookups, context)
    except ValueError as error:
        context.reject(resource, line_of(target), str(error))
        return None


def _day(resource: Resource) -> date:
    """The day of the list. Raises `ParseFailed` for a file that holds something else than the whole list."""
    said = root_attributes(resource)
    try:
        day = date.fromisoformat(said.get("date", ""))
    except ValueError as error:
        raise ParseFailed(f"{resource.name}: not the list that is known: its first tag has no date") from error
    if said.get("list-type") != WHOLE:
        raise ParseFailed(f"{resource.name}: it says that it is {said.get('list-type')!r}, not {WHOLE!r}")
    return day


def _lookups(resource: Resource) -> Lookups:
    programs: dict[str, str] = {}
    places: dict[str, str] = {}
    # Targets are asked for only to be let go of: they make up nearly all of the file.
    for element in read_children(resource, "sanctions-program", "target", "place"):
        tag = str(element.tag).rpartition("}")[2]
        if tag == "sanctions-program":
            programs |= dict.fromkeys(_sets(element), _program(element))
        elif tag == "place" and (country := country_of(element)) is not None:
            places[element.get("ssid") or ""] = country
    return Lookups(programs, places)


def _sets(program: Element) -> Iterator[str]:
    return (number for found in program.findall("{*}sanctions-set") if (number := found.get("ssid")) is not None)


def _program(program: Element) -> str:
    """The ordinance in English, else whatever the program is called first."""
    for tag in ("program-name", "program-key"):
        named = sorted(program.findall(f"{{*}}{tag}"), key=lambda found: found.get("lang") != "eng")
        text = next((told for found in named if (told := squeeze(found.text)) is not None), None)
        if text is not None:
            return text
    return program.get("ssid") or ""
