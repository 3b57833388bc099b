"""Saskatchewan: what the Gazette announced of businesses until March 2023, folded into entries.

It is history: nothing has been announced since, and most businesses are told by their names alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.metadata import SourceMetadata
from bonafide.sources.registries.sk.catalogue import ISSUE, download_issues
from bonafide.sources.registries.sk.gazette import read_issue
from bonafide.sources.shared.notices.entries import ReadNotice, build_entries

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_FILE = re.compile(r"_p(?P<product>\d+)_f(?P<format>\d+)")


async def fetch(context: FetchContext) -> list[Resource]:
    """All issues with corporate notices, dated to the day of the last ones."""
    last = context.metadata.snapshot_as_of
    if last is None:
        raise ParseFailed(f"{context.metadata.key}: the day of the last notices is not known")
    return [replace(issue, as_of=last) for issue in await download_issues(context, last)]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry a business, read in the order of the issues."""
    issues = sorted(((_parse_day(resource), resource) for resource in resources), key=lambda pair: (pair[0], pair[1].name))
    yield from build_entries(_read_issues(issues, context), context)


def _read_issues(issues: Sequence[tuple[date, Resource]], context: ParseContext) -> Iterator[ReadNotice]:
    for day, resource in issues:
        for line, found in read_issue(resource, day, _build_url(resource, context.metadata), context):
            context.row()
            yield resource, line, found


def _parse_day(resource: Resource) -> date:
    """The day in the file's name. Raises `ParseFailed` when there is none."""
    found = _DAY.search(resource.path.name)
    try:
        return date.fromisoformat(found[0] if found is not None else "")
    except ValueError:
        raise ParseFailed(f"{resource.name}: the name does not tell the issue: call it like G1_2022-03-18.pdf") from None


def _build_url(resource: Resource, metadata: SourceMetadata) -> str | None:
    """The issue's address: its own if it was downloaded, or what its name tells."""
    found = _FILE.search(resource.path.name)
    if found is None:
        return resource.url if resource.url.startswith("https://") else None
    return metadata.resource(ISSUE).url.format(**found.groupdict())
