"""Ownership as CSV: a row for each interest, with both parties in it, as people keep it in a sheet.

A party is known by its ID or, without one, by its name; rows may leave out details that another row has. Without an owned party the
interest is in the business itself. Columns have English or French names, in any case and order.
"""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.ownership.answer import ClaimedParty, OwnershipAnswer
from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import MAX_INTERESTS, Claimant, InterestKind
from bonafide.services.ownership.formats.csv_columns import (
    EXPORTED,
    CsvHeader,
    parse_claimant,
    parse_interest_kind,
    read_header,
)
from bonafide.services.ownership.formats.csv_parties import PartyTable, SheetParty
from bonafide.services.ownership.formats.csv_shares import format_share, parse_share
from bonafide.services.ownership.formats.statement_draft import MAX_PROBLEMS, StatementDraft, StatementSubject
from bonafide.services.records.csv_format import escape_formula, format_csv, format_items, unescape_formula
from bonafide.services.records.csv_lines import CsvLineReader, CsvRowError

CSV_MEDIA_TYPE = "text/csv"
MAX_ROW_LINES = 20
"""A quotation mark that is still open after so many lines is treated as unclosed."""
_BREAKS = re.compile(r"[\r\n\t]+")


# --------------------------------------------------------------------------------------------------------------- writing


def write_csv(answer: OwnershipAnswer) -> bytes:
    """The interests of all claimants, in UTF-8 with a byte order mark. Parties without an interest have no row."""
    parties = {party.id: party for party in answer.parties}
    rows = [
        [
            *_list_party_cells(parties[interest.owner]),
            *_list_party_cells(parties[interest.owned]),
            interest.id,
            interest.kind.value,
            format_share(interest.share) if interest.share is not None else "",
            interest.from_ or "",
            interest.to or "",
            interest.evidence or "",
            interest.claimed_by.value,
        ]
        for interest in answer.interests
    ]
    return format_csv([EXPORTED, *([escape_formula(cell) for cell in row] for row in rows)], ",", is_marked=True)


def _list_party_cells(party: ClaimedParty) -> list[str]:
    """The cells of `PARTY_FIELDS`."""
    return [
        party.name or "",
        party.id,
        party.kind.value,
        party.jurisdiction or "",
        party.registration_number or "",
        party.date_of_birth or "",
        format_items(party.countries),
        str(party.business_id) if party.business_id is not None else "",
    ]


# --------------------------------------------------------------------------------------------------------------- reading


def read_csv(content: bytes, subject: StatementSubject, options: OwnershipFileOptions) -> StatementDraft:
    """The statement of a file, before it is checked as a whole.

    Raises `ValidationFailed`; paths are `lines.7` or `lines.7.share`, with the column as the file names it.
    """
    if options.as_of is None:
        raise ValidationFailed.of_field("asOf", Message("is required with CSV: the file does not say on which day it is true"))
    if options.subject is not None:
        raise ValidationFailed.of_field("subject", Message("is for BODS only; leave the owned party of the business empty"))
    lines = CsvLineReader(io.BytesIO(content), MAX_ROW_LINES, needs_utf8=True)
    reader = _InterestReader(subject, read_header(lines))
    reader.read(lines)
    claimed_by = options.claimed_by or reader.get_claimant()
    reader.draft.fields = {"claimedBy": claimed_by, "asOf": options.as_of, "declaredBy": options.declared_by}
    return reader.draft


class _InterestReader:
    """Reads the rows of one file."""

    def __init__(self, subject: StatementSubject, header: CsvHeader) -> None:
        self.draft = StatementDraft()
        self._header = header
        self._problems: list[FieldProblem] = []
        self._parties = PartyTable(subject, header, self._problems)
        self._claimants: dict[str, int] = {}
        self._interests: list[tuple[int, SheetParty, SheetParty, dict[str, Any]]] = []

    def read(self, lines: CsvLineReader) -> None:
        """Read all rows. Raises `ValidationFailed` with the problems of the rows."""
        rows: list[tuple[int, dict[str, str]]] = []
        for number, cells in self._iterate_rows(lines):
            if len(rows) == MAX_INTERESTS:
                message = Message("the file has more than {limit} interests", limit=MAX_INTERESTS)
                raise ValidationFailed.of_field(f"lines.{number}", message)
            rows.append((number, dict(zip(self._header.columns, cells, strict=True))))
        if not rows and not self._problems:
            raise ValidationFailed.of_field("", Message("the file has no interests"))
        self._parties.index_names(row for _, row in rows)
        for number, row in rows:
            self._read_row(number, row)
        self._refuse_problems()
        parties = self._parties.list_parties()
        self._refuse_problems()
        for party in parties:
            self.draft.add_party(f"lines.{party.line}", {"id": party.id, **party.fields}, party.places)
        self._add_interests()

    def get_claimant(self) -> Claimant:
        """The claimant that the rows name. Without one it is the business, as in a document."""
        if len(self._claimants) > 1:
            path = self._header.locate(max(self._claimants.values()), "claimedBy")
            raise ValidationFailed.of_field(path, Message("differs from the lines above: send one file for each"))
        return Claimant(next(iter(self._claimants))) if self._claimants else Claimant.DECLARED

    def _refuse_problems(self) -> None:
        if self._problems:
            raise ValidationFailed.of_fields(self._problems[:MAX_PROBLEMS])

    def _iterate_rows(self, lines: CsvLineReader) -> Iterator[tuple[int, Sequence[str]]]:
        width = len(self._header.columns)
        while len(self._problems) < MAX_PROBLEMS and (first := lines.next()) is not None:
            place = f"lines.{first.number}"
            if first.problem is not None:
                self._problems.append(FieldProblem(place, first.problem))
                continue
            try:
                cells = lines.read_cells(first, self._header.delimiter)
            except CsvRowError as error:
                self._problems.append(FieldProblem(place, error.message))
                continue
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != width:
                message = Message("{cells} cells, but the header has {columns} columns", cells=len(cells), columns=width)
                self._problems.append(FieldProblem(place, message))
                continue
            yield first.number, [_BREAKS.sub(" ", unescape_formula(cell)).strip() for cell in cells]

    def _read_row(self, number: int, cells: Mapping[str, str]) -> None:
        values: dict[str, Any] = {}
        for column, parse in (("kind", parse_interest_kind), ("share", parse_share), ("claimedBy", parse_claimant)):
            if cells.get(column):
                try:
                    values[column] = parse(cells[column])
                except ValueError as error:
                    self._problems.append(FieldProblem(self._header.locate(number, column), error.args[0]))
        if "claimedBy" in values:
            self._claimants.setdefault(values.pop("claimedBy"), number)
        fields = {
            "id": cells.get("id") or f"line {number}",
            "kind": InterestKind.SHARES,
            **{name: cells[name] for name in ("from", "to", "evidence") if cells.get(name)},
            **values,
        }
        owner, owned = (self._parties.read_party(number, end, cells) for end in ("owner", "owned"))
        self._interests.append((number, owner, owned, fields))

    def _add_interests(self) -> None:
        columns = ("id", "kind", "share", "from", "to", "evidence", "owner", "owned")
        for number, owner, owned, fields in self._interests:
            ends = {"owner": owner.id, "owned": owned.id}
            places = {column: self._header.locate(number, column) for column in columns if column in self._header.names}
            self.draft.add_interest(f"lines.{number}", {**fields, **ends}, places)
