"""Manitoba: the weekly listings of filings of the last three months, folded into entries.

It is a feed of changes, not the register: of a business that has filed nothing in these weeks nothing is known.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.framework.metadata import SourceMetadata
from bonafide.sources.registries.mb.weekly_listing import read_listing
from bonafide.sources.shared.notices.entries import ReadNotice, build_entries

WEEKS = 14
"""As many as the page has named; should it name more, the newest are enough for a feed."""
PAGE, LISTING = "listings", "listing"
_LINK = re.compile(r"href=[\"']?[^\"'>]*?(?P<day>\d{4}-\d\d-\d\d)\.en\.pdf", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


async def fetch(context: FetchContext) -> list[Resource]:
    """The listings that the page names, oldest first, all dated to the newest one."""
    page = (await context.read(context.metadata.resource(PAGE).url)).decode("utf-8", "replace")
    days = sorted({found["day"] for found in _LINK.finditer(page)})[-WEEKS:]
    if not days:
        raise ParseFailed(f"{context.metadata.key}: the page of listings names none")
    template = context.metadata.resource(LISTING)
    wanted = [template.model_copy(update={"name": f"{LISTING}_{day}", "url": template.url.format(day=day)}) for day in days]
    last = date.fromisoformat(days[-1])
    return [replace(listing, as_of=last) for listing in await download_sequentially(context, wanted)]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry a file number, read in the order of the weeks."""
    weeks = sorted(((_parse_week(resource), resource) for resource in resources), key=lambda pair: pair[0])
    if weeks:
        context.set_as_of(weeks[-1][0])
    yield from build_entries(_read_listings(weeks, context), context)


def _read_listings(weeks: Sequence[tuple[date, Resource]], context: ParseContext) -> Iterator[ReadNotice]:
    for week, resource in weeks:
        for line, found in read_listing(resource, week, _build_url(week, context.metadata), context):
            context.row()
            yield resource, line, found


def _parse_week(resource: Resource) -> date:
    """The day in the file's name. Raises `ParseFailed` when there is none."""
    found = _DAY.search(resource.path.name)
    try:
        return date.fromisoformat(found[0] if found is not None else "")
    except ValueError:
        raise ParseFailed(f"{resource.name}: the name does not tell the week: call it like 2026-09-19.en.pdf") from None


def _build_url(week: date, metadata: SourceMetadata) -> str:
    return metadata.resource(LISTING).url.format(day=week.isoformat())
