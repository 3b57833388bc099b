"""The Alberta Non-Profit Listing: a workbook of societies and other non-profits with a status of their own, and without numbers."""

from collections.abc import Iterator

from bonafide.sources.formats.delimited_text import TableRow, parse_date, read_csv
from bonafide.sources.formats.xlsx_workbook import is_xlsx, read_xlsx
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.notices.events import Notice, NoticeAddress, NoticeEvent


def read_listing(resource: Resource, context: ParseContext) -> Iterator[tuple[int, Notice | str]]:
    """Its rows as notices of being listed, dated to the file; a row that can't be read is the reason."""
    rows = read_xlsx(resource, context) if is_xlsx(resource) else read_csv(resource, context)
    for _, row in rows:
        try:
            yield row.line, _build_notice(row, resource)
        except ValueError as error:
            yield row.line, str(error)


def _build_notice(row: TableRow, resource: Resource) -> Notice:
    try:
        registered_on = parse_date(row.get("Registration Date"), "%Y/%m/%d", "%Y-%m-%d")
    except ValueError as error:
        raise ValueError("Registration Date is not a date") from error
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
