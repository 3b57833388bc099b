"""Gaming registrants of Alberta, page by page: one entry for each business, with all its classes of registration.

The list has no numbers, so registrants are identified by name alone.
"""

import re
from collections.abc import Iterator, Sequence

import anyio
from pydantic import JsonValue

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.html_page import LexborNode
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource, SkippedRows
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide.sources.regulators.aglc_gaming_registrants.registrant_page import (
    GamingRegistrant,
    find_present_parts,
    parse_registrant,
    read_page,
)

PAGES = "registrants"
MAX_PAGES = 200
"""Ten registrants each. The limit ends the download if the site ignores the page number."""
_STATUS = "Active"
_WORD = re.compile(r"[a-z]+")


async def fetch(context: FetchContext) -> list[Resource]:
    """Download pages until one is empty. Raises a `SourceError`."""
    got: list[Resource] = []
    for number in range(MAX_PAGES):
        page = await context.download(_create_page_resource(context.metadata.resource(PAGES), number))
        if not read_page(page):
            break
        if got and page.sha256 == got[-1].sha256:
            raise ParseFailed(Message("{file}: the page is identical to the one before it", file=page.name))
        got.append(page)
        await anyio.sleep(context.metadata.pause_s)
    else:
        raise ParseFailed(Message("{source}: the list has more than {n} pages", source=context.metadata.key, n=MAX_PAGES))
    if not got:
        raise ParseFailed(Message("{source}: the first page is empty", source=context.metadata.key))
    return got


def _create_page_resource(resource: ResourceMetadata, number: int) -> ResourceMetadata:
    return resource.model_copy(update={"name": f"{resource.name}_{number + 1}", "url": resource.url.format(page=number)})


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the registrants of all pages."""
    businesses: dict[str, list[GamingRegistrant]] = {}
    skipped = SkippedRows(context)
    parts: dict[str, None] = {}
    for resource in resources:
        articles = read_page(resource)
        if not articles:
            raise ParseFailed(Message("{file}: the page is empty", file=resource.name))
        parts |= dict.fromkeys(find_present_parts(articles))
        for registrant in _read_registrants(resource, articles, context, skipped):
            known = businesses.setdefault(registrant.name.casefold(), [])
            if known:
                context.merge()
            known.append(registrant)
    if resources:
        context.layout(list(parts), resources[-1])
    skipped.note()
    for key, registrants in businesses.items():
        yield _build_entry(key, registrants, context)


def _read_registrants(
    resource: Resource, articles: Sequence[LexborNode], context: ParseContext, skipped: SkippedRows
) -> Iterator[GamingRegistrant]:
    for position, article in enumerate(articles, start=1):
        context.row()
        try:
            registrant = parse_registrant(article)
        except ValueError as error:
            context.reject(resource, position, error)
            continue
        if registrant.classes and all(_is_person_class(kind, context) for kind in registrant.classes):
            skipped.add(Message("people who work in gaming"))
            continue
        yield registrant


def _is_person_class(kind: str, context: ParseContext) -> bool:
    return any(word in context.metadata.terms for word in _WORD.findall(kind.casefold()))


def _build_entry(key: str, registrants: Sequence[GamingRegistrant], context: ParseContext) -> RegulatoryEntry:
    names = [name for registrant in registrants for name in (*registrant.other_names, *registrant.brands)]
    return RegulatoryEntry(
        entry_id=key,
        legal_name=registrants[0].name,
        alternate_names=tuple(name for name in dict.fromkeys(names) if name.casefold() != key),
        status=_STATUS,
        status_code=context.status(_STATUS),
        details=_build_details(registrants),
    )


def _build_details(registrants: Sequence[GamingRegistrant]) -> dict[str, JsonValue]:
    details: dict[str, JsonValue] = {
        "statusDerived": True,
        "classesOfRegistration": _to_json_list(kind for registrant in registrants for kind in registrant.classes),
        "brands": _to_json_list(brand for registrant in registrants for brand in registrant.brands),
        "websites": _to_json_list(site for registrant in registrants for site in registrant.sites),
    }
    return {key: value for key, value in details.items() if value is not None}


def _to_json_list(texts: Iterator[str]) -> list[JsonValue] | None:
    return list[JsonValue](dict.fromkeys(texts)) or None
