"""Alberta: what the Registrar's Periodical has announced, folded into entries, and the listing of non-profits.

Neither is the register: of corporations without an event in the issues that are read nothing is known.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from bonafide.model.entry import RegistryEntry
from bonafide.sources.formats.xlsx_workbook import is_xlsx
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.registries.ab.issues import PeriodicalIssue, download_issues, parse_issue_name
from bonafide.sources.registries.ab.nonprofit_listing import read_listing
from bonafide.sources.registries.ab.periodical import read_issue
from bonafide.sources.shared.notices.entries import ReadNotice, build_entries

LISTING = "non_profits"


async def fetch(context: FetchContext) -> list[Resource]:
    """The workbook and the issues of the last two years; the day on which the workbook came is today."""
    listing = await context.download(context.metadata.resource(LISTING))
    return [listing, *await download_issues(context, listing.retrieved_at.date())]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry a business: the issues are read in the order of their days, the listing last."""
    listings = [resource for resource in resources if is_xlsx(resource) or resource.path.suffix.lower() == ".csv"]
    issues = [(parse_issue_name(resource, context.metadata), resource) for resource in resources if resource not in listings]
    issues.sort(key=lambda pair: (pair[0].day, pair[1].name))
    if issues:
        context.set_as_of(issues[-1][0].day)
    yield from build_entries(chain(_read_issues(issues, context), _read_listings(listings, context)), context)


def _read_issues(issues: Sequence[tuple[PeriodicalIssue, Resource]], context: ParseContext) -> Iterator[ReadNotice]:
    for issue, resource in issues:
        for line, found in read_issue(resource, issue, context):
            context.row()
            yield resource, line, found


def _read_listings(listings: Sequence[Resource], context: ParseContext) -> Iterator[ReadNotice]:
    for resource in listings:
        for line, found in read_listing(resource, context):
            yield resource, line, found
