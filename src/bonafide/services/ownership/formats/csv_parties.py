"""The parties of an ownership sheet: rows name the same party by its ID or, without one, by its name.

The business itself is the owned party that has no name, that of its business record, or its name.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from bonafide.errors import FieldProblem
from bonafide.i18n.message import Message
from bonafide.model.ownership.statement import PartyKind
from bonafide.services.ownership.formats.csv_columns import ENDS, CsvHeader, parse_party_kind
from bonafide.services.ownership.formats.statement_draft import StatementSubject
from bonafide.services.records.csv_format import parse_items

SUBJECT_ID = "business"
"""The ID of the business itself, unless the file gives another or has another party with it."""
_OWNED = "owned"


@dataclass(slots=True, eq=False)
class SheetParty:
    """A party as the rows describe it: its fields by their wire names, and the cell of each."""

    line: int
    id: str
    fields: dict[str, Any] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    is_owned: bool = False


class PartyTable:
    """The parties of one file. Problems are added to a list that the caller owns."""

    def __init__(self, subject: StatementSubject, header: CsvHeader, problems: list[FieldProblem]) -> None:
        self._subject = subject
        self._header = header
        self._problems = problems
        self._parties: dict[tuple[str, str], SheetParty] = {}
        self._ids_by_name: dict[str, set[str]] = {}
        self._same: list[SheetParty] = []

    def index_names(self, rows: Iterable[Mapping[str, str]]) -> None:
        """Remember which names have IDs in any row, before a party is read."""
        for row in rows:
            for end in ENDS:
                if row.get(f"{end}Id") and row.get(end):
                    self._ids_by_name.setdefault(_identify(row[end]), set()).add(row[f"{end}Id"])

    def read_party(self, line: int, end: str, cells: Mapping[str, str]) -> SheetParty:
        """The party at one end of an interest, with its details joined with those of other rows."""
        party = self._find_party(line, end, cells)
        party.is_owned = party.is_owned or end == _OWNED
        for name, value in self._read_details(line, end, cells).items():
            column = f"{end}{name[0].upper()}{name[1:]}" if name != "name" else end
            self._join_field(party, name, value, self._header.locate(line, column))
        return party

    def _find_party(self, line: int, end: str, cells: Mapping[str, str]) -> SheetParty:
        name, party_id = cells.get(end, ""), cells.get(f"{end}Id", "")
        if not party_id and (known_ids := self._ids_by_name.get(_identify(name), set())):
            party_id = min(known_ids)
            if len(known_ids) > 1:
                message = Message("is the name of several parties: give the ID")
                self._problems.append(FieldProblem(self._header.locate(line, end), message))
        if party_id:
            key = ("id", party_id)
        elif name:
            key = ("name", _identify(name))
        elif end == _OWNED:
            key = ("business", "")
        else:
            key, party_id = ("line", str(line)), f"unknown, line {line}"
        return self._parties.setdefault(key, SheetParty(line, party_id))

    def _read_details(self, line: int, end: str, cells: Mapping[str, str]) -> dict[str, Any]:
        """The fields that a row states of a party."""
        kind = None
        if text := cells.get(f"{end}Kind"):
            try:
                kind = parse_party_kind(text)
            except ValueError as error:
                self._problems.append(FieldProblem(self._header.locate(line, f"{end}Kind"), error.args[0]))
        if end != _OWNED and not cells.get(end) and not cells.get(f"{end}Id") and kind is not PartyKind.UNKNOWN:
            self._problems.append(FieldProblem(self._header.locate(line, end), Message("is required")))
        details = {
            "name": cells.get(end),
            "kind": kind,
            "jurisdiction": cells.get(f"{end}Jurisdiction"),
            "registrationNumber": cells.get(f"{end}RegistrationNumber"),
            "dateOfBirth": cells.get(f"{end}DateOfBirth"),
            "countries": parse_items(cells.get(f"{end}Countries", "")),
            "businessId": _parse_business_id(cells.get(f"{end}BusinessId", "")),
        }
        return {name: value for name, value in details.items() if value}

    def _join_field(self, party: SheetParty, name: str, value: Any, place: str) -> None:
        other = party.fields.setdefault(name, value)
        party.places.setdefault(name, place)
        if other != value and not (name == "name" and _identify(other) == _identify(value)):
            message = Message("differs from line {line}: give different parties different IDs", line=party.line)
            self._problems.append(FieldProblem(place, message))

    # ------------------------------------------------------------------------------------------------------- the business

    def list_parties(self) -> Sequence[SheetParty]:
        """All parties with their IDs, the business first. To be called once, after all rows."""
        subject = self._find_subject()
        if subject is None:
            return ()
        others = [party for party in self._parties.values() if party is not subject and party not in self._same]
        for party in others:
            party.id = party.id or party.fields["name"]
            kind = party.fields.setdefault("kind", PartyKind.BUSINESS if party.is_owned else None)
            if kind is None:
                self._problems.append(FieldProblem(self._header.locate(party.line, "ownerKind"), Message("is required")))
        subject.id = subject.id or _choose_id({party.id for party in others})
        for party in self._same:
            party.id = subject.id
        subject.fields = {
            "name": self._subject.name,
            "kind": PartyKind.BUSINESS,
            **subject.fields,
            "businessId": str(self._subject.business_id),
        }
        return (subject, *others)

    def _find_subject(self) -> SheetParty | None:
        """The business, with what the rows say of it in different ways; None after a problem."""
        found = [party for party in self._parties.values() if self._is_identified(party)]
        blank = self._parties.get(("business", ""))
        if blank is not None and blank not in found:
            found.append(blank)
        found += [party for party in self._parties.values() if party not in found and self._is_named(party, is_known=bool(found))]
        if not any(party.is_owned for party in found):
            self._refuse_without_owners()
            return None
        wrong = [party for party in found if party.fields.get("businessId") not in {None, str(self._subject.business_id)}]
        for party in wrong:
            self._problems.append(FieldProblem(party.places["businessId"], Message("is not the ID of the business")))
        subject, *same = found
        for party in same:
            self._merge(subject, party)
        return subject

    def _is_identified(self, party: SheetParty) -> bool:
        own = str(self._subject.business_id)
        return own in {party.fields.get("businessId"), party.id}

    def _is_named(self, party: SheetParty, *, is_known: bool) -> bool:
        """Whether a party has the name of the business. Beside the business, one with an ID is another party of the same name."""
        if not party.is_owned or self._subject.name is None or (is_known and party.id):
            return False
        return _identify(party.fields.get("name", "")) == _identify(self._subject.name)

    def _merge(self, subject: SheetParty, party: SheetParty) -> None:
        if subject.id and party.id and subject.id != party.id:
            message = Message("differs from line {line}: the business has one ID", line=subject.line)
            self._problems.append(FieldProblem(self._header.locate(party.line, "ownedId"), message))
        subject.id = subject.id or party.id
        subject.is_owned = subject.is_owned or party.is_owned
        for name, value in party.fields.items():
            self._join_field(subject, name, value, party.places[name])
        self._same.append(party)

    def _refuse_without_owners(self) -> None:
        first = min((party for party in self._parties.values() if party.is_owned), key=lambda party: party.line)
        message = Message(
            "is not the business, and no other line has an interest in it: leave the owned party empty, or state the name {name}",
            name=self._subject.name or str(self._subject.business_id),
        )
        self._problems.append(FieldProblem(self._header.locate(first.line, _OWNED), message))


def _identify(name: str) -> str:
    """The name by which rows mean the same party: without differences of case, width and spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _parse_business_id(text: str) -> str:
    """The ID in its usual form; a text that is no ID stays, and is refused with the statement."""
    try:
        return str(UUID(text))
    except ValueError:
        return text


def _choose_id(taken: set[str]) -> str:
    """The ID of the business that no other party has."""
    number = 1
    while (chosen := SUBJECT_ID if number == 1 else f"{SUBJECT_ID} {number}") in taken:
        number += 1
    return chosen
