"""Alberta: entries from the notices of the Registrar's Periodical, and from the listing of non-profits.

Neither is the register: corporations without a notice in the loaded issues are missing.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from bonafide.i18n.message import Message
from bonafide.model.entry import RegistryEntry
from bonafide.sources.formats.delimited_text import TableRow, parse_date, read_csv
from bonafide.sources.formats.xlsx_workbook import is_xlsx, read_xlsx
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource, get_reason
from bonafide.sources.registries.ab.issues import PeriodicalIssue, download_issues, parse_issue_name
from bonafide.sources.registries.ab.periodical import read_issue
from bonafide.sources.shared.notices.entries import ReadNotice, build_entries
from bonafide.sources.shared.notices.events import Notice, NoticeAddress, NoticeEvent

LISTING = "non_profits"


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the workbook and the issues of the last two years, counted from the day of the download."""
    listing = await context.download(context.metadata.resource(LISTING))
    return [listing, *await download_issues(context, listing.retrieved_at.date())]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry for each business. Issues are read by date, the listing last."""
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


def read_listing(resource: Resource, context: ParseContext) -> Iterator[tuple[int, Notice | Message]]:
    """The rows as notices with the date of the file; for an unreadable row the reason."""
    rows = read_xlsx(resource, context) if is_xlsx(resource) else read_csv(resource, context)
    for _, row in rows:
        try:
            yield row.line, _build_notice(row, resource)
        except ValueError as error:
            yield row.line, get_reason(error)


def _build_notice(row: TableRow, resource: Resource) -> Notice:
    try:
        registered_on = parse_date(row.get("Registration Date"), "%Y/%m/%d", "%Y-%m-%d")
    except ValueError as error:
        raise ValueError(Message("{column} is not a date", column="Registration Date")) from error
    return Notice(
        event=NoticeEvent.LISTED,
        day=resource.as_of if resource.as_of is not None else resource.retrieved_at.date(),
        name=row.need("Legal Entity Name"),
        entity_type=row.get("Legal Entity Type Description"),
        incorporated_on=registered_on,
        status=row.need("Status"),
        place=NoticeAddress(city=row.get("City"), province="AB", postal_code=row.get("Postal Code"))
        if row.get("City") is not None
        else None,
    )
