"""Which issues of the Registrar's Periodical there are: the links of a year's page, and what the name of a file tells of its issue.

Names are taken from the page and never made up: the 15th is now and then the 13th, and September has two abbreviations.
"""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from bonafide.errors import ParseFailed, SourceNotFound
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.framework.metadata import SourceMetadata

ISSUE_COUNT = 48
"""Issues of two years: always as many, so that January's load is no smaller than December's."""
YEAR_COUNT = 3
"""Years in which the window can lie."""
_NAME = re.compile(r"(?P<label>\d\d_(?P<month>[A-Za-z]{3,9})(?P<day>\d{1,2})_Registrar)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_LINK = re.compile(r"gazette/(?P<year>\d{4})/text/(?P<label>\d\d_[A-Za-z]{3,9}\d{1,2}_Registrar)\.cfm", re.IGNORECASE)
PERIODICAL, YEAR_PAGE = "periodical", "periodical_year"


@dataclass(frozen=True, slots=True)
class PeriodicalIssue:
    """One issue: its day, and its own page."""

    day: date
    url: str


def parse_issue_name(resource: Resource, metadata: SourceMetadata) -> PeriodicalIssue:
    """The issue that a file's name tells, with the year from it or from its folder. Raises `ParseFailed` when they don't."""
    found = _NAME.search(resource.path.name)
    year = _find_year(resource.path)
    if found is None or year is None:
        raise ParseFailed(
            f"{resource.name}: the name does not tell the issue: call it like 2026_11_Jun15_Registrar.cfm, or keep it under its own"
            " name in a folder named by the year"
        )
    try:
        day = datetime.strptime(f"{year} {found['month'][:3]} {found['day']}", "%Y %b %d").date()  # noqa: DTZ007 - a day has no zone
    except ValueError as error:
        raise ParseFailed(f"{resource.name}: the name does not tell a day: {error}") from error
    return PeriodicalIssue(day, metadata.resource(PERIODICAL).url.format(year=year, issue=found["label"]))


def _find_year(path: Path) -> str | None:
    for name in (path.name, path.parent.name):
        found = _YEAR.search(name)
        if found is not None:
            return found[1]
    return None


async def download_issues(context: FetchContext, today: date) -> list[Resource]:
    """The newest issues, oldest first, each dated to the day of the newest: up to then they tell what has happened."""
    links: set[tuple[str, str]] = set()
    for year in range(today.year - YEAR_COUNT + 1, today.year + 1):
        links |= await _read_links(context, year)
    if not links:
        raise ParseFailed(f"{context.metadata.key}: the pages of the last years name no issue")
    template = context.metadata.resource(PERIODICAL)
    wanted = [
        template.model_copy(update={"name": f"{PERIODICAL}_{year}_{label}", "url": template.url.format(year=year, issue=label)})
        for year, label in sorted(links)[-ISSUE_COUNT:]
    ]
    issues = await download_sequentially(context, wanted)
    last = max(parse_issue_name(issue, context.metadata).day for issue in issues)
    return [replace(issue, as_of=last) for issue in issues]


async def _read_links(context: FetchContext, year: int) -> set[tuple[str, str]]:
    """Year and name of the issues that a year's page names; none where the year has no page yet."""
    try:
        page = await context.read(context.metadata.resource(YEAR_PAGE).url.format(year=year))
    except SourceNotFound:
        return set()
    return {(found["year"], found["label"]) for found in _LINK.finditer(page.decode("utf-8", "replace"))}
