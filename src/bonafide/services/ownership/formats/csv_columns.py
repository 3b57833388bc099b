"""The columns of ownership in CSV: their English and French names, the words of their cells, and the header of a file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.matching.text.folding import fold
from bonafide.model.ownership.statement import Claimant, InterestKind, PartyKind
from bonafide.services.ownership.formats.statement_draft import MAX_PROBLEMS
from bonafide.services.records.csv_lines import CsvLine, CsvLineReader, CsvRowError, split_line

DELIMITERS = ",;\t"
PARTY_FIELDS: Mapping[str, tuple[str, ...]] = {
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
ENDS: Mapping[str, tuple[str, ...]] = {
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
EXPORTED = (*(f"{end}{part}" for end in ENDS for part in PARTY_FIELDS), *_FIELDS)
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
    """Letters and digits of a word of a table, without case and accents."""
    return "".join(filter(str.isalnum, fold(text)))


def _index_columns() -> dict[str, str]:
    columns = {_normalize(word): name for name, words in _FIELDS.items() for word in (name, *words)}
    for end, names in ENDS.items():
        for part, words in PARTY_FIELDS.items():
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


def parse_party_kind(text: str) -> PartyKind:
    """The kind of a party. Raises `ValueError` with a `Message`."""
    kind = _KNOWN_PARTY_KINDS.get(_normalize(text))
    if kind is None:
        raise ValueError(Message("must be one of {values}", values=join_values(PartyKind)))
    return kind


def parse_interest_kind(text: str) -> InterestKind:
    """The kind of an interest. Raises `ValueError` with a `Message`."""
    kind = _KNOWN_INTEREST_KINDS.get(_normalize(text))
    if kind is None:
        raise ValueError(Message("must be one of {values}", values=join_values(InterestKind)))
    return kind


def parse_claimant(text: str) -> Claimant:
    """The claimant. Raises `ValueError` with a `Message`."""
    try:
        return Claimant(text.casefold())
    except ValueError:
        raise ValueError(Message("must be one of {values}", values=join_values(Claimant))) from None


@dataclass(frozen=True, slots=True)
class CsvHeader:
    """The columns of a file, in its order, the names that it gives them, and its delimiter."""

    columns: Sequence[str]
    names: Mapping[str, str]
    delimiter: str

    def locate(self, line: int, column: str) -> str:
        """The path of a cell: its line, and the column as the file names it."""
        return f"lines.{line}.{self.names.get(column, column)}"


def read_header(lines: CsvLineReader) -> CsvHeader:
    """The header, which is the first line. Raises `ValidationFailed`."""
    first = lines.next()
    if first is None or not first.text.strip():
        raise ValidationFailed.of_field("lines.1", Message("must name the columns"))
    if first.problem is not None:
        raise ValidationFailed.of_field("lines.1", first.problem)
    if "\r" in first.text.rstrip("\r\n"):
        message = Message("the lines end with carriage returns only: save the file with line feeds")
        raise ValidationFailed.of_field("lines.1", message)
    readings = [([cell.strip() for cell in split_line(first.text, delimiter)], delimiter) for delimiter in DELIMITERS]
    names, delimiter = max(readings, key=lambda reading: sum(_normalize(cell) in _COLUMNS for cell in reading[0]))
    if not names:
        _refuse_header(lines, first)
    columns = [_COLUMNS.get(_normalize(name), "") for name in names]
    problems: list[FieldProblem] = []
    seen: set[str] = set()
    for place, (name, column) in enumerate(zip(names, columns, strict=True)):
        if not column or column in seen:
            message = Message("is duplicated") if column else Message("is not a column of ownership")
            problems.append(FieldProblem(f"lines.1.{name or place}", message))
        seen.add(column)
    if not {"owner", "ownerId"} & seen:
        problems.append(FieldProblem("lines.1", Message("must have the column {column}", column="owner")))
    if problems:
        raise ValidationFailed.of_fields(problems[:MAX_PROBLEMS])
    return CsvHeader(columns, dict(zip(columns, names, strict=True)), delimiter)


def _refuse_header(lines: CsvLineReader, first: CsvLine) -> NoReturn:
    """Refuse a first line that is not a row of CSV, with the reason."""
    try:
        lines.read_cells(first, DELIMITERS[0])
    except CsvRowError as error:
        raise ValidationFailed.of_field("lines.1", error.message) from None
    raise ValidationFailed.of_field("lines.1", Message("must name the columns"))
