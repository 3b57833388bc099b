"""Cannabis stores of Ontario: one entry for each licence number, or for each application that has no number yet.

A cancelled row is a cancelled application, not a closed store. It is kept, and `statusOf` says what the status is of. The operator
of a store is not published.
"""

import re
from collections.abc import Iterator, Sequence

from bonafide.i18n.message import Message
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import parse_date
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import TableRecord

_NO_NAME = frozenset({"tbd", "tba", "n/a"})
_DATED = re.compile(r"(?P<word>.+?)\s*(?P<day>\d{4}/\d{2}/\d{2})")
"""`Public Notice: Ends on 2026/10/02`."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the stores and applications of all files. Rows of one licence become its newest row with the names of all."""
    return parse_table(resources, context, complete=_complete, merge=_merge)


def _complete(record: TableRecord, context: ParseContext) -> None:
    """Separate the status of a licence from that of an application, and the status word of an application from its date."""
    values, name = record.values, record.text("legal_name")
    if name is None or name.casefold() in _NO_NAME:
        raise ValueError(Message("the store has no name yet"))
    application, licence = record.text("applicationStatus"), record.text("status")
    dated = _DATED.fullmatch(application or "")
    if dated is not None:
        values["noticePeriodEnd"] = parse_date(dated["day"], "%Y/%m/%d")
    values["statusOf"] = "licence" if licence is not None else "application"
    values["status"] = licence or application
    values["status_code"] = context.status(licence or (dated["word"] if dated is not None else application))
    values["municipality"] = values["city"]


def _merge(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """Choose the row with the higher file number, then the active one, then the later one, and keep the names of both."""
    newest = first if _build_recency_key(first) > _build_recency_key(other) else other
    names = dict.fromkeys((*first.list_search_names(), *other.list_search_names()))
    return newest.model_copy(update={"alternate_names": tuple(name for name in names if name != newest.legal_name)})


def _build_recency_key(entry: RegulatoryEntry) -> tuple[int, bool]:
    number = str(entry.details.get("fileNumber", ""))
    return int(number) if number.isdecimal() else 0, entry.status_code is StatusCode.ACTIVE
