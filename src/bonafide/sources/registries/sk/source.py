"""Saskatchewan: entries from the notices of the Gazette until March 2023.

The data is historical: there have been no notices since, and most businesses are identified by name only.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.metadata import SourceMetadata
from bonafide.sources.registries.sk.catalogue import ISSUE, download_issues
from bonafide.sources.registries.sk.gazette import read_issue
from bonafide.sources.shared.notices.entries import ReadNotice, build_entries

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_FILE = re.compile(r"_p(?P<product>\d+)_f(?P<format>\d+)")


async def fetch(context: FetchContext) -> list[Resource]:
    """Download all issues with corporate notices, dated to the day of the last ones. Raises a `SourceError`."""
    last = context.metadata.snapshot_as_of
    if last is None:
        raise ParseFailed(Message("{source}: source.yml has no `snapshot_as_of`", source=context.metadata.key))
    return [replace(issue, as_of=last) for issue in await download_issues(context, last)]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry for each business, from notices in the order of the issues."""
    issues = sorted(((_parse_day(resource), resource) for resource in resources), key=lambda pair: (pair[0], pair[1].name))
    yield from build_entries(_read_issues(issues, context), context)


def _read_issues(issues: Sequence[tuple[date, Resource]], context: ParseContext) -> Iterator[ReadNotice]:
    for day, resource in issues:
        for line, found in read_issue(resource, day, _build_url(resource, context.metadata), context):
            context.row()
            yield resource, line, found


def _parse_day(resource: Resource) -> date:
    """The date in the file name. Raises `ParseFailed` without one."""
    found = _DAY.search(resource.path.name)
    try:
        return date.fromisoformat(found[0] if found is not None else "")
    except ValueError:
        sentence = Message(
            "{file}: the file name has no date. Use a name such as {example}.", file=resource.name, example="G1_2022-03-18.pdf"
        )
        raise ParseFailed(sentence) from None


def _build_url(resource: Resource, metadata: SourceMetadata) -> str | None:
    """The address of the issue: from its name, or that of its download."""
    found = _FILE.search(resource.path.name)
    if found is None:
        return resource.url if resource.url.startswith("https://") else None
    return metadata.resource(ISSUE).url.format(**found.groupdict())
