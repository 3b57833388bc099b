"""Find the issues of the Registrar's Periodical in the links of the yearly pages, and parse the names of issue files.

Names are taken from the page, because they follow no rule: the 15th is sometimes the 13th, and September has two abbreviations.
"""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from bonafide.errors import ParseFailed, SourceNotFound
from bonafide.i18n.message import Message
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.framework.metadata import SourceMetadata

ISSUE_COUNT = 48
"""The issues of two years: a fixed number, so that a load in January is not smaller than one in December."""
YEAR_COUNT = 3
"""The number of calendar years that the issues span."""
_NAME = re.compile(r"(?P<label>\d\d_(?P<month>[A-Za-z]{3,9})(?P<day>\d{1,2})_Registrar)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_LINK = re.compile(r"gazette/(?P<year>\d{4})/text/(?P<label>\d\d_[A-Za-z]{3,9}\d{1,2}_Registrar)\.cfm", re.IGNORECASE)
PERIODICAL, YEAR_PAGE = "periodical", "periodical_year"


@dataclass(frozen=True, slots=True)
class PeriodicalIssue:
    """One issue: its day, and the address of its page."""

    day: date
    url: str


def parse_issue_name(resource: Resource, metadata: SourceMetadata) -> PeriodicalIssue:
    """The issue of a file, from its name and the year in the name or the folder. Raises `ParseFailed` without them."""
    found = _NAME.search(resource.path.name)
    year = _find_year(resource.path)
    if found is None or year is None:
        sentence = Message(
            "{file}: the issue can’t be determined from the file name. Use a name such as 2026_11_Jun15_Registrar.cfm, or the "
            "original name in a folder named after the year.",
            file=resource.name,
        )
        raise ParseFailed(sentence)
    try:
        day = datetime.strptime(f"{year} {found['month'][:3]} {found['day']}", "%Y %b %d").date()  # noqa: DTZ007 - a day has no zone
    except ValueError as error:
        raise ParseFailed(
            Message("{file}: the file name has no valid date: {error}", file=resource.name, error=str(error))
        ) from error
    return PeriodicalIssue(day, metadata.resource(PERIODICAL).url.format(year=year, issue=found["label"]))


def _find_year(path: Path) -> str | None:
    for name in (path.name, path.parent.name):
        found = _YEAR.search(name)
        if found is not None:
            return found[1]
    return None


async def download_issues(context: FetchContext, today: date) -> list[Resource]:
    """Download the newest issues, oldest first, each dated to the day of the newest. Raises a `SourceError`."""
    links: set[tuple[str, str]] = set()
    for year in range(today.year - YEAR_COUNT + 1, today.year + 1):
        links |= await _read_links(context, year)
    if not links:
        raise ParseFailed(Message("{source}: the pages of the last years list no issues", source=context.metadata.key))
    template = context.metadata.resource(PERIODICAL)
    wanted = [
        template.model_copy(update={"name": f"{PERIODICAL}_{year}_{label}", "url": template.url.format(year=year, issue=label)})
        for year, label in sorted(links)[-ISSUE_COUNT:]
    ]
    issues = await download_sequentially(context, wanted)
    last = max(parse_issue_name(issue, context.metadata).day for issue in issues)
    return [replace(issue, as_of=last) for issue in issues]


async def _read_links(context: FetchContext, year: int) -> set[tuple[str, str]]:
    """Year and name of the issues that the page of a year lists; none if the page does not exist yet."""
    try:
        page = await context.read(context.metadata.resource(YEAR_PAGE).url.format(year=year))
    except SourceNotFound:
        return set()
    return {(found["year"], found["label"]) for found in _LINK.finditer(page.decode("utf-8", "replace"))}
