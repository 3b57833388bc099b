"""Manitoba: entries from the weekly listings of filings of the last three months.

The listings are a feed of changes, not the register: businesses without a filing in these weeks are missing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.framework.metadata import SourceMetadata
from bonafide.sources.registries.mb.weekly_listing import read_listing
from bonafide.sources.shared.notices.entries import ReadNotice, build_entries

WEEKS = 14
"""The usual number of listings on the page; if it has more, the newest are loaded."""
PAGE, LISTING = "listings", "listing"
_LINK = re.compile(r"href=[\"']?[^\"'>]*?(?P<day>\d{4}-\d\d-\d\d)\.en\.pdf", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the listings on the page, oldest first, all dated to the newest one. Raises a `SourceError`."""
    page = (await context.read(context.metadata.resource(PAGE).url)).decode("utf-8", "replace")
    days = sorted({found["day"] for found in _LINK.finditer(page)})[-WEEKS:]
    if not days:
        raise ParseFailed(Message("{source}: the page has no listings", source=context.metadata.key))
    template = context.metadata.resource(LISTING)
    wanted = [template.model_copy(update={"name": f"{LISTING}_{day}", "url": template.url.format(day=day)}) for day in days]
    last = date.fromisoformat(days[-1])
    return [replace(listing, as_of=last) for listing in await download_sequentially(context, wanted)]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry for each file number, from listings in the order of weeks."""
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
    """The date in the file name. Raises `ParseFailed` without one."""
    found = _DAY.search(resource.path.name)
    try:
        return date.fromisoformat(found[0] if found is not None else "")
    except ValueError:
        sentence = Message(
            "{file}: the file name has no date. Use a name such as {example}.", file=resource.name, example="2026-09-19.en.pdf"
        )
        raise ParseFailed(sentence) from None


def _build_url(week: date, metadata: SourceMetadata) -> str:
    return metadata.resource(LISTING).url.format(day=week.isoformat())
