"""Ownership as CSV: a row for each interest, with both parties in it, as people keep it in a sheet.

A party is known by its ID or, without one, by its name; rows may leave out details that another row has. Without an owned party the
interest is in the business itself. Columns have English or French names, in any case and order.
"""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.matching.text.folding import fold
from bonafide.model.ownership.answer import ClaimedParty, OwnershipAnswer
from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import MAX_INTERESTS, Claimant, InterestKind, PartyKind
from bonafide.services.ownership.formats.csv_shares import format_share, parse_share
from bonafide.services.ownership.formats.statement_draft import MAX_PROBLEMS, StatementDraft, StatementSubject
from bonafide.services.records.csv_format import escape_formula, format_csv, unescape_formula
from bonafide.services.records.csv_lines import CsvLineReader, CsvRowError, split_line

CSV_MEDIA_TYPE = "text/csv"
DELIMITERS = ",;\t"
MAX_ROW_LINES = 20
"""A quotation mark that is still open after so many lines is treated as unclosed."""
_BREAKS = re.compile(r"[\r\n\t]+")
SUBJECT_ID = "business"
"""The ID of the business itself, unless the file gives another."""
_PARTY_FIELDS: Mapping[str, tuple[str, ...]] = {
    "": ("name", "nom"),
    "Id": ("id",),
    "Kind": ("kind", "type", "genre"),
    "Jurisdiction": ("jurisdiction", "juridiction", "juridiction d'immatriculation"),
    "RegistrationNumber": ("registration number", "number", "numéro", "numéro d'immatriculation"),
    "DateOfBirth": ("date of birth", "birth date", "date de naissance"),
    "Countries": ("countries", "country", "pays"),
    "BusinessId": ("business id",),
}
"""The columns of a party by the end of their names, with the words for each."""
_ENDS: Mapping[str, tuple[str, ...]] = {
    "owner": ("owner", "propriétaire", "détenteur"),
    "owned": ("owned", "détenue", "entité détenue"),
}
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "interest id"),
    "kind": ("kind", "interest", "intérêt", "nature"),
    "share": ("share", "part", "pourcentage", "percentage"),
    "from": ("from", "de", "depuis", "start date", "date de début"),
    "to": ("to", "à", "jusqu'à", "end date", "date de fin"),
    "evidence": ("evidence", "preuve", "source"),
    "claimedBy": ("claimed by", "déclaré par"),
}
EXPORTED = (*(f"{end}{part}" for end in _ENDS for part in _PARTY_FIELDS), *_FIELDS)
"""The columns of an export."""
_PARTY_KINDS: Mapping[str, PartyKind] = {
    **{kind.value: kind for kind in PartyKind},
    **dict.fromkeys(("company", "corporation", "entreprise", "société"), PartyKind.BUSINESS),
    **dict.fromkeys(("individual", "personne", "particulier"), PartyKind.PERSON),
    "fiducie": PartyKind.TRUST,
    "gouvernement": PartyKind.GOVERNMENT,
    "inconnu": PartyKind.UNKNOWN,
}
_INTEREST_KINDS: Mapping[str, InterestKind] = {
    **{kind.value: kind for kind in InterestKind},
    "actions": InterestKind.SHARES,
    **dict.fromkeys(("voting rights", "droits de vote"), InterestKind.VOTES),
    "contrôle": InterestKind.CONTROL,
    "fiduciaire": InterestKind.TRUSTEE,
    "constituant": InterestKind.SETTLOR,
    "bénéficiaire": InterestKind.BENEFICIARY,
    **dict.fromkeys(("administrateur", "administratrice"), InterestKind.DIRECTOR),
}


def _normalize(text: str) -> str:
    """Letters and digits without case and accents."""
    return "".join(filter(str.isalnum, fold(text)))


def _index_columns() -> dict[str, str]:
    columns = {_normalize(word): name for name, words in _FIELDS.items() for word in (name, *words)}
    for end, names in _ENDS.items():
        for part, words in _PARTY_FIELDS.items():
            columns[_normalize(f"{end}{part}")] = f"{end}{part}"
            columns |= {_normalize(f"{name} {word}"): f"{end}{part}" for name in names for word in words}
        columns |= {_normalize(name): end for name in names}
        columns |= {
            _normalize(f"{word} {link} {name}"): f"{end}Kind" for name in names for word in ("type",) for link in ("de", "du")
        }
    return columns


_COLUMNS: Final = _index_columns()
_KNOWN_PARTY_KINDS: Final = {_normalize(word): kind for word, kind in _PARTY_KINDS.items()}
_KNOWN_INTEREST_KINDS: Final = {_normalize(word): kind for word, kind in _INTEREST_KINDS.items()}


# --------------------------------------------------------------------------------------------------------------- writing


def write_csv(answer: OwnershipAnswer) -> bytes:
    """The interests of all claimants, in UTF-8. Parties without an interest have no row."""
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
    return format_csv([EXPORTED, *([escape_formula(cell) for cell in row] for row in rows)], ",")


def _list_party_cells(party: ClaimedParty) -> list[str]:
    """The cells of `_PARTY_FIELDS`."""
    return [
        party.name or "",
        party.id,
        party.kind.value,
        party.jurisdiction or "",
        party.registration_number or "",
        party.date_of_birth or "",
        "; ".join(party.countries),
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
    reader = _InterestReader(subject)
    reader.read(content)
    claimed_by = options.claimed_by or reader.get_claimant()
    reader.draft.fields = {"claimedBy": claimed_by, "asOf": options.as_of, "declaredBy": options.declared_by}
    return reader.draft


class _InterestReader:
    """Reads the rows of one file."""

    def __init__(self, subject: StatementSubject) -> None:
        self.draft = StatementDraft()
        self._subject = subject
        self._parties: dict[str, tuple[int, dict[str, Any]]] = {}
        self._ids_by_name: dict[str, set[str]] = {}
        self._subject_key: str | None = None
        self._claimants: dict[str, int] = {}
        self._problems: list[FieldProblem] = []
        self._interests: list[tuple[int, dict[str, Any]]] = []

    def read(self, content: bytes) -> None:
        """Read all rows. Raises `ValidationFailed` with the problems of the rows."""
        lines = CsvLineReader(io.BytesIO(content), MAX_ROW_LINES, needs_utf8=True)
        names, columns, delimiter = _read_header(lines)
        rows: list[tuple[int, dict[str, str]]] = []
        for number, cells in self._iterate_rows(lines, len(columns), delimiter):
            if len(rows) == MAX_INTERESTS:
                message = Message("the file has more than {limit} interests", limit=MAX_INTERESTS)
                raise ValidationFailed.of_field(f"lines.{number}", message)
            rows.append((number, dict(zip(columns, cells, strict=True))))
        for end in _ENDS:
            for _, row in rows:
                if row.get(f"{end}Id") and row.get(end):
                    self._ids_by_name.setdefault(_normalize(row[end]), set()).add(row[f"{end}Id"])
        for number, row in rows:
            self._read_row(number, row, dict(zip(columns, names, strict=True)))
        if not self._problems:
            self._add_parties()
        if self._problems:
            raise ValidationFailed.of_fields(self._problems[:MAX_PROBLEMS])
        for number, fields in self._interests:
            self.draft.add_interest(f"lines.{number}", fields)

    def get_claimant(self) -> Claimant:
        """The claimant that the rows name. Without one it is the business, as in a document."""
        if len(self._claimants) > 1:
            line = max(self._claimants.values())
            raise ValidationFailed.of_field(
                f"lines.{line}.claimedBy", Message("differs from the lines above: send one file for each")
            )
        return Claimant(next(iter(self._claimants))) if self._claimants else Claimant.DECLARED

    def _iterate_rows(self, lines: CsvLineReader, width: int, delimiter: str) -> Iterator[tuple[int, Sequence[str]]]:
        while (first := lines.next()) is not None:
            place = f"lines.{first.number}"
            if first.problem is not None:
                self._problems.append(FieldProblem(place, first.problem))
                continue
            try:
                cells = lines.read_cells(first, delimiter)
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

    def _read_row(self, number: int, cells: Mapping[str, str], names: Mapping[str, str]) -> None:
        values: dict[str, Any] = {}
        for column, parse in (("kind", _parse_interest_kind), ("share", parse_share), ("claimedBy", _parse_claimant)):
            if cells.get(column):
                try:
                    values[column] = parse(cells[column])
                except ValueError as error:
                    self._problems.append(FieldProblem(f"lines.{number}.{names[column]}", error.args[0]))
        if "claimedBy" in values:
            self._claimants.setdefault(values.pop("claimedBy"), number)
        owner, owned = (self._read_party(number, end, cells, names) for end in _ENDS)
        fields = {
            "id": cells.get("id") or f"line {number}",
            "owner": owner,
            "owned": owned,
            "kind": InterestKind.SHARES,
            **{name: cells[name] for name in ("from", "to", "evidence") if cells.get(name)},
            **values,
        }
        self._interests.append((number, fields))

    def _read_party(self, number: int, end: str, cells: Mapping[str, str], names: Mapping[str, str]) -> str:
        """The ID of a party; its details are joined with those of other rows."""
        name, party_id = cells.get(end, ""), cells.get(f"{end}Id", "")
        if not party_id and len(known_ids := self._ids_by_name.get(_normalize(name), set())) > 0:
            party_id = min(known_ids)
            if len(known_ids) > 1:
                message = Message("is the name of several parties: give the ID")
                self._problems.append(FieldProblem(f"lines.{number}.{names.get(end, end)}", message))
        kind_text = cells.get(f"{end}Kind", "")
        kind = _KNOWN_PARTY_KINDS.get(_normalize(kind_text)) if kind_text else None
        if kind_text and kind is None:
            message = Message("must be one of {values}", values=join_values(PartyKind))
            self._problems.append(FieldProblem(f"lines.{number}.{names[f'{end}Kind']}", message))
        is_subject = self._is_subject(end, name, party_id, cells)
        if is_subject:
            self._subject_key = party_id = self._subject_key or party_id or SUBJECT_ID
            kind = kind or PartyKind.BUSINESS
        elif not name and not party_id:
            if kind is not PartyKind.UNKNOWN:
                self._problems.append(FieldProblem(f"lines.{number}.{names.get(end, end)}", Message("is required")))
            party_id = f"unknown, line {number}"
        countries = cells.get(f"{end}Countries", "")
        details = {
            "name": name or (self._subject.name if is_subject else None),
            "kind": kind,
            "jurisdiction": cells.get(f"{end}Jurisdiction"),
            "registrationNumber": cells.get(f"{end}RegistrationNumber"),
            "dateOfBirth": cells.get(f"{end}DateOfBirth"),
            "countries": [country.strip() for country in countries.split(";") if country.strip()],
            "businessId": str(self._subject.business_id) if is_subject else cells.get(f"{end}BusinessId"),
        }
        given = {field: value for field, value in details.items() if value}
        first, known = self._parties.setdefault(party_id or f"name:{_normalize(name)}", (number, {"id": party_id or name}))
        for field, value in given.items():
            other = known.setdefault(field, value)
            if other != value and not (field == "name" and _normalize(str(other)) == _normalize(str(value))):
                column = names.get(f"{end}{field[0].upper()}{field[1:]}", names.get(end, end))
                message = Message("differs from line {line}: give different parties different IDs", line=first)
                self._problems.append(FieldProblem(f"lines.{number}.{column}", message))
        return str(known["id"])

    def _is_subject(self, end: str, name: str, party_id: str, cells: Mapping[str, str]) -> bool:
        if cells.get(f"{end}BusinessId") == str(self._subject.business_id):
            return True
        if party_id:
            return party_id == self._subject_key
        is_named = self._subject.name is not None and _normalize(name) == _normalize(self._subject.name)
        return is_named or (end == "owned" and not name)

    def _add_parties(self) -> None:
        if self._subject_key is None:
            # Owners of owners only: the business has no row of its own.
            subject = {"id": SUBJECT_ID, "kind": PartyKind.BUSINESS, "name": self._subject.name}
            self._parties[SUBJECT_ID] = (1, {**subject, "businessId": str(self._subject.business_id)})
        key = self._subject_key or SUBJECT_ID
        for number, fields in (self._parties.pop(key), *self._parties.values()):
            is_owned = any(interest["owned"] == fields["id"] for _, interest in self._interests)
            kind = fields.setdefault("kind", PartyKind.BUSINESS if is_owned else None)
            if kind is None:
                self._problems.append(FieldProblem(f"lines.{number}.ownerKind", Message("is required")))
            self.draft.add_party(f"lines.{number}", fields)


def _parse_interest_kind(text: str) -> InterestKind:
    kind = _KNOWN_INTEREST_KINDS.get(_normalize(text))
    if kind is None:
        raise ValueError(Message("must be one of {values}", values=join_values(InterestKind)))
    return kind


def _parse_claimant(text: str) -> Claimant:
    try:
        return Claimant(text.casefold())
    except ValueError:
        raise ValueError(Message("must be one of {values}", values=join_values(Claimant))) from None


def _read_header(lines: CsvLineReader) -> tuple[list[str], list[str], str]:
    """The columns as the file names them, their fields, and the delimiter."""
    first = lines.next()
    if first is None or not first.text.strip():
        raise ValidationFailed.of_field("lines.1", Message("must name the columns"))
    if first.problem is not None:
        raise ValidationFailed.of_field("lines.1", first.problem)
    readings = [([cell.strip() for cell in split_line(first.text, delimiter)], delimiter) for delimiter in DELIMITERS]
    names, delimiter = max(readings, key=lambda reading: sum(_normalize(cell) in _COLUMNS for cell in reading[0]))
    columns = [_COLUMNS.get(_normalize(name), "") for name in names]
    problems = [
        FieldProblem(f"lines.1.{name}" if name else f"lines.1.{place}", _describe_column(column, columns[:place]))
        for place, (name, column) in enumerate(zip(names, columns, strict=True))
        if not column or column in columns[:place]
    ]
    if not {"owner", "ownerId"} & set(columns):
        problems.append(FieldProblem("lines.1", Message("must have the column {column}", column="owner")))
    if problems:
        raise ValidationFailed.of_fields(problems[:MAX_PROBLEMS])
    return names, columns, delimiter


def _describe_column(column: str, before: Sequence[str]) -> Message:
    return Message("is duplicated") if column in before and column else Message("is not a column of ownership")
