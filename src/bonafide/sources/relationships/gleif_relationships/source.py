"""Relationship records and reporting exceptions of the Global LEI index, from the CSV files of the golden copy.

Each row is an entry of its own, so that memory does not grow with the files. The metadata has the columns and the codes.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import date

from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_matching import is_lei
from bonafide.model.entry import RelationshipEntry
from bonafide.sources.formats.delimited_text import TableRow, read_csv
from bonafide.sources.formats.zip_archive import extract_only_member, is_zip
from bonafide.sources.framework.context import ParseContext, Resource

RELATIONSHIPS = "relationships"
"""The layout of relationship records; the other one has reporting exceptions."""
NUMBERED = range(1, 6)
"""The golden copy has up to five periods and five reasons in numbered columns."""
RELATIONSHIP_PERIOD = "RELATIONSHIP_PERIOD"
"""The period of the relationship itself; others are of accounts and filings."""
LEI = "LEI"
_PUBLISHED = re.compile(r"(?<!\d)(\d{4})(\d{2})(\d{2})-\d{4}-gleif")
"""The day in the name of a file, as in `20261120-0000-gleif-goldencopy-rr-golden-copy.csv`."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RelationshipEntry]:
    """Yield every relationship between two LEIs and every reporting exception. Raises `ParseFailed` for an unknown header."""
    for resource in resources:
        with ExitStack() as opened:
            file = opened.enter_context(extract_only_member(resource, context.metadata.limits)) if is_zip(resource) else resource
            _set_day(file, context)
            for layout, row in read_csv(file, context):
                try:
                    build = _build_relationship if layout == RELATIONSHIPS else _build_exception
                    yield build(row, context)
                except ValueError as error:
                    context.reject(file, row.line, error)


def _set_day(file: Resource, context: ParseContext) -> None:
    """Take the day of the publication from the name of the file. A name without one states none."""
    found = _PUBLISHED.search(file.name)
    if found is not None:
        context.set_as_of(date.fromisoformat("-".join(found.groups())))


def _build_relationship(row: TableRow, context: ParseContext) -> RelationshipEntry:
    """Build the entry of a relationship record. Raises `ValueError` if an end is not an LEI, or for an invalid date or period."""
    start, end = (_read_lei(row, f"Relationship.{node}.NodeID") for node in ("StartNode", "EndNode"))
    relationship = row.need("Relationship.RelationshipType")
    since, until = _find_period(row)
    context.term(relationship)
    return RelationshipEntry(
        entry_id=f"{start}/{relationship}/{end}",
        source_url=str(context.metadata.entry_url).format(number=start),
        lei=start,
        relationship=relationship,
        parent_lei=end,
        is_active=row.need("Relationship.RelationshipStatus") == "ACTIVE",
        since=since,
        until=until,
        status=row.get("Registration.RegistrationStatus"),
        status_code=context.status(row.get("Registration.RegistrationStatus")),
        updated=_parse_day(row.get("Registration.LastUpdateDate"), "Registration.LastUpdateDate"),
    )


def _build_exception(row: TableRow, context: ParseContext) -> RelationshipEntry:
    """Build the entry of a reporting exception. Raises `ValueError` for an invalid LEI, and without a category or a reason."""
    lei, category = _read_lei(row, LEI), row.need("Exception.Category")
    columns = (f"Exception.Reason.{number}" for number in NUMBERED)
    reasons = tuple(reason for column in columns if (reason := row.cells.get(column)) is not None)
    if not reasons:
        raise ValueError(Message("{column} is empty", column="Exception.Reason.1"))
    for word in (category, *reasons):
        context.term(word)
    return RelationshipEntry(
        entry_id=f"{lei}/{category}",
        source_url=str(context.metadata.entry_url).format(number=lei),
        lei=lei,
        relationship=category,
        reasons=reasons,
    )


def _read_lei(row: TableRow, column: str) -> str:
    text = row.need(column)
    if not is_lei(text):
        raise ValueError(Message("{column} is not an LEI", column=column))
    return text.upper()


def _find_period(row: TableRow) -> tuple[str | None, str | None]:
    """The first and the last day of the relationship; None where the record has none. Raises `ValueError` if they are reversed."""
    for number in NUMBERED:
        prefix = f"Relationship.Period.{number}."
        if row.cells.get(f"{prefix}periodType") == RELATIONSHIP_PERIOD:
            since, until = (_parse_day(row.cells.get(column), column) for column in (f"{prefix}startDate", f"{prefix}endDate"))
            if since is not None and until is not None and until < since:
                raise ValueError(Message("{column} is before the first day", column=f"{prefix}endDate"))
            return since, until
    return None, None


def _parse_day(text: str | None, column: str) -> str | None:
    """The date of an instant as text. Raises `ValueError`."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        raise ValueError(Message("{column} is not a date", column=column)) from None
