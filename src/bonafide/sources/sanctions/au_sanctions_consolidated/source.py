"""The Australian consolidated list: one entry for each party, by the number of its reference.

If two parties have the same number by mistake, each row with a primary name begins a new party.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import ListedEntity
from bonafide.sources.formats.delimited_text import TableRow
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.sanctions.au_sanctions_consolidated.listed_entity import (
    build_listed_entity,
    collect_column,
    is_primary_row,
    read_parties,
)
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the parties of all files. Raises `ParseFailed` for a file that is not the list or has no parties."""
    used: Counter[str] = Counter()
    edited: list[date] = []
    for resource in resources:
        before = context.report.rows
        for number, rows in read_parties(resource, context):
            edited = sorted([*edited[-1:], *_read_edit_dates(rows)])[-1:]
            parties = list(_split_parties(rows, context))
            # Each party but the first was counted as merged.
            context.report.merged -= len(parties) - 1
            for party in parties:
                entry = _build_entry(number, party, resource, context)
                if entry is not None:
                    used[number] += 1
                    yield entry if used[number] == 1 else entry.model_copy(update={"entry_id": f"{number} #{used[number]}"})
        if context.report.rows == before:
            raise ParseFailed(Message("{file}: the file contains no listed parties", file=resource.name))
    for day in edited:
        context.set_as_of(day)


def _split_parties(rows: list[TableRow], context: ParseContext) -> Iterator[list[TableRow]]:
    """Split the rows of a number into one list for each party."""
    party: list[TableRow] = []
    named = False
    for row in rows:
        primary = is_primary_row(row, context)
        if primary and named:
            yield party
            party = []
        party.append(row)
        named = named or primary
    yield party


def _build_entry(number: str, rows: list[TableRow], resource: Resource, context: ParseContext) -> ListedEntity | None:
    try:
        return build_listed_entity(number, rows, context)
    except ValueError as error:
        context.reject(resource, rows[0].line, error)
        return None


def _read_edit_dates(rows: list[TableRow]) -> Iterator[date]:
    """Yield the dates on which the party was edited; the newest of all is the date of the list."""
    for text in collect_column(rows, "Control Date"):
        for day in parse_birth_dates(text):
            try:
                yield date.fromisoformat(day)
            except ValueError:
                continue
