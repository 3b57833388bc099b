"""Read the rows of the file of all licences (CSV, zipped or not, or JSON), and build the entry of a licence from its rows.

The CSV has a row for each sub-category and other name of a licence, the JSON an object for each licence. Most fields of a licence
are repeated in each of its rows and are taken from the first. `source` groups the rows by licence.
"""

import codecs
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from pydantic import JsonValue

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.matching.text.folding import fold
from bonafide.model.entity import Address
from bonafide.model.entry import JoinNumber, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import (
    DelimitedDialect,
    format_postal_code,
    normalize_whitespace,
    open_text,
    read_delimited,
)
from bonafide.sources.formats.json_objects import read_objects
from bonafide.sources.formats.zip_archive import is_zip, open_member, open_zip
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.load_limits import LoadLimits

ENCODING = "utf-8-sig"
MAX_DETAIL_CHARACTERS = 200
"""Of the error in the reason for a rejected object."""
LIST, ITEM = "Liste Licence", "Licence"
OTHER_NAME = "Autre nom"
CATEGORY, SUBCATEGORY = "Categorie", "Sous-catégories"
SUBCATEGORIES = "Catégories et sous-catégories"
_JSON = ".json"
_BEGINNING_BYTES = 256

Cells = Mapping[str, str | None]
Subcategory = tuple[str | None, str | None]
"""The category and the code."""


@dataclass(frozen=True, slots=True)
class RbqRecord:
    """A row or an object: a licence, or a part of one."""

    resource: Resource
    line: int
    cells: Cells
    """By the publisher's column names."""
    subcategories: tuple[Subcategory, ...]
    other_names: tuple[str | None, ...]


def read_records(resource: Resource, context: ParseContext) -> Iterator[RbqRecord]:
    """Yield the records of a file. Raises `ParseFailed`."""
    if not is_zip(resource):
        with open_text(resource, ENCODING) as text:
            yield from (_read_objects if _is_json(resource) else _read_rows)(text, resource, context)
        return
    with _open_part(resource, context.metadata.limits) as (text, part):
        yield from (_read_objects if part.name.lower().endswith(_JSON) else _read_rows)(text, part, context)


def _is_json(resource: Resource) -> bool:
    with resource.path.open("rb") as file:
        return file.read(_BEGINNING_BYTES).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{")


@contextmanager
def _open_part(resource: Resource, limits: LoadLimits) -> Iterator[tuple[io.TextIOBase, Resource]]:
    """Open the only file of an archive and name it. Raises `ParseFailed`."""
    with open_zip(resource, limits) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith((".csv", _JSON))]
        if len(names) != 1:
            raise ParseFailed(
                Message(
                    "{file}: the archive contains {count} CSV or JSON files; 1 is expected", file=resource.name, count=len(names)
                )
            )
        part = replace(resource, name=f"{resource.name}/{names[0]}")
        with open_member(archive, names[0], resource) as member, io.TextIOWrapper(member, ENCODING, newline="") as text:
            try:
                yield text, part
            except UnicodeDecodeError as error:
                raise ParseFailed(Message("{file}: not {encoding} text", file=part.name, encoding=ENCODING)) from error


def _read_rows(text: io.TextIOBase, resource: Resource, context: ParseContext) -> Iterator[RbqRecord]:
    for _, row in read_delimited(text, resource, context, DelimitedDialect()):
        cells = row.cells
        yield RbqRecord(resource, row.line, cells, ((cells[CATEGORY], cells[SUBCATEGORY]),), (cells[OTHER_NAME],))


def _read_objects(text: io.TextIOBase, resource: Resource, context: ParseContext) -> Iterator[RbqRecord]:
    keys: dict[str, None] = {}
    for position, item in enumerate(read_objects(text, resource.name, LIST), start=1):
        context.row()
        try:
            licence = dict(item[ITEM])
            keys |= dict.fromkeys(licence)
            yield _parse_record(resource, position, licence)
        except (LookupError, TypeError, ValueError) as error:
            detail = f"{type(error).__name__}: {error}"[:MAX_DETAIL_CHARACTERS]
            context.reject(resource, position, Message("unexpected format: {detail}", detail=detail))
    # A key that is null may be left out of one licence, but not out of all.
    context.layout(list(keys), resource)


def _parse_record(resource: Resource, position: int, licence: dict[str, Any]) -> RbqRecord:
    """Parse an object. Raises `LookupError`, `TypeError` or `ValueError` for an unexpected format."""
    listed, others = licence.pop(SUBCATEGORIES) or (), licence.pop(OTHER_NAME) or ()
    subcategories = [(_to_text(item.get(CATEGORY)), _to_text(item[SUBCATEGORY])) for item in map(dict, listed)]
    # A single name is text, several are objects.
    names = [others] if isinstance(others, str) else [item[OTHER_NAME] for item in map(dict, others)]
    cells = {key: _to_text(value) for key, value in licence.items()}
    return RbqRecord(resource, position, cells, tuple(subcategories), tuple(map(_to_text, names)))


def _to_text(value: object) -> str | None:
    """Return the text of a value; a number is written as in JSON. Raises `TypeError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise TypeError(f"{type(value).__name__} instead of text")
    return normalize_whitespace(str(value)) if value is not None else None


NUMBER = "Numéro de licence"
NAME = "Nom de l'intervenant"
NEQ_LABEL = "NEQ"
_NUMBER = re.compile(r"\d{4}-\d{4}-\d{2}")
_NEQ = re.compile(r"(?:11|22|33|88)\d{8}")
_PERSONS_NEQ = "22"
"""The enterprise numbers of sole proprietors begin with these digits."""
_PERSON = "physique"
"""`Personne physique`."""
_ADDRESS = re.compile(r"(?P<place>.+?) (?P<province>[A-Z]{2}) CANADA(?: (?P<postal_code>[A-Z]\d[A-Z] ?\d[A-Z]\d))?", re.IGNORECASE)
_TEXTS = {
    "licenceType": "Type de licence",
    "bondProvider": "Association ou compagnie fournissant le cautionnement",
    "bondAmount": "Montant de la caution",
    "mandatary": "Mandataire",
    "legalStatus": "Statut juridique",
    "region": "Région administrative",
}
_DATES = {
    "issueDate": "Date de délivrance",
    "nextPaymentDate": "Date du paiement annuel",
    "restrictionStartDate": "Date de début de la restriction",
    "restrictionEndDate": "Date de fin de la restriction",
}
_CONTACTS = {"email": "Courriel", "phone": "Numéro de téléphone"}
_CITY, _ADDRESS_LINE, _STATUS, _RESTRICTION = "Municipalité", "Adresse", "Statut de la licence", "Restriction"
_READ = (NAME, NEQ_LABEL, _CITY, _ADDRESS_LINE, _STATUS, _RESTRICTION, *_TEXTS.values(), *_DATES.values(), *_CONTACTS.values())
_BOOLEANS = {"yes": True, "no": False}


@dataclass(slots=True)
class RbqLicence:
    """A licence. Only what differs between its rows is kept, and equal texts are stored once for all licences."""

    number: str
    cells: tuple[str | None, ...]
    """The cells of its first row, in the order of `_READ`."""
    subcategories: dict[Subcategory, None] = field(default_factory=dict)
    other_names: dict[str, None] = field(default_factory=dict)

    def add(self, record: RbqRecord) -> None:
        """Add the sub-categories and other names of a row."""
        for category, code in record.subcategories:
            if code is not None:
                self.subcategories[_intern_text(category), _intern_text(code)] = None
        self.other_names |= dict.fromkeys(name for name in record.other_names if name is not None)


def parse_licence(record: RbqRecord) -> RbqLicence:
    """Parse the first row of a licence. Raises `ValueError` if it has no valid number or no holder."""
    number = parse_licence_number(record)
    if record.cells.get(NAME) is None:
        raise ValueError(Message("{column} is empty", column=NAME))
    for column in _DATES.values():
        _read_day(record.cells, column)
    return RbqLicence(number, tuple(_intern_text(record.cells.get(column)) for column in _READ))


def parse_licence_number(record: RbqRecord) -> str:
    """Return the licence number of a row. Raises `ValueError`."""
    number = record.cells.get(NUMBER)
    if number is None:
        raise ValueError(Message("{column} is empty", column=NUMBER))
    if _NUMBER.fullmatch(number) is None:
        raise ValueError(Message("{column} is not in the expected format", column=NUMBER))
    return number


def _intern_text(text: str | None) -> str | None:
    """Return the same object for equal texts: there are only some hundred sub-categories, towns, bond providers and dates."""
    return sys.intern(text) if text is not None else None


def build_entry(licence: RbqLicence, context: ParseContext) -> RegulatoryEntry:
    """Build the entry of a licence."""
    cells = dict(zip(_READ, licence.cells, strict=True))
    name, neq, status = str(cells[NAME]), _read_neq(cells), cells[_STATUS]
    address = _build_address(cells[_ADDRESS_LINE], cells[_CITY])
    return RegulatoryEntry(
        entry_id=licence.number,
        source_url=str(context.metadata.entry_url).format(number=licence.number.replace("-", "")),
        legal_name=name,
        alternate_names=tuple(other for other in licence.other_names if other != name),
        registration_number=licence.number,
        join_numbers=(JoinNumber(label=NEQ_LABEL, value=neq, jurisdiction=Jurisdiction.QC),) if neq is not None else (),
        status=status,
        status_code=context.status(status),
        addresses=(address,) if address is not None else (),
        details=_build_details(cells, licence.subcategories, context),
    )


def _read_neq(cells: Cells) -> str | None:
    """Return the enterprise number if it has the expected format."""
    neq = cells[NEQ_LABEL]
    return neq if neq is not None and _NEQ.fullmatch(neq) is not None else None


def _build_address(line: str | None, city: str | None) -> Address | None:
    """Build the address from its line, with the parts that can be identified. The town has its own column."""
    found = _ADDRESS.fullmatch(line) if line is not None else None
    if found is None:
        return Address(city=city, raw=line) if line is not None or city is not None else None
    return Address(
        street=_extract_street(found["place"], city),
        city=city,
        province=found["province"].upper(),
        postal_code=format_postal_code(found["postal_code"]),
        country="CA",
        raw=line,
    )


def _extract_street(line: str, city: str | None) -> str | None:
    """Return the text before the town; None if the line does not end with the town, or has nothing else."""
    words, town = line.split(), city.split() if city is not None else []
    street = words[: len(words) - len(town)]
    is_town = [fold(word) for word in words[len(street) :]] == [fold(word) for word in town]
    return " ".join(street) or None if town and is_town else None


def _build_details(cells: Cells, subcategories: Iterable[Subcategory], context: ParseContext) -> dict[str, JsonValue]:
    restriction = cells[_RESTRICTION]
    person = _is_person(cells)
    details: dict[str, JsonValue] = {"neq": cells[NEQ_LABEL], "soleProprietor": person or None}
    details |= {key: cells[column] for key, column in _TEXTS.items()}
    details |= {key: _read_day(cells, column) for key, column in _DATES.items()}
    details |= {
        "restriction": _BOOLEANS.get(context.term(restriction)) if restriction is not None else None,
        "subcategories": [" ".join(filter(None, pair)) for pair in subcategories] or None,
    }
    if not person:
        details |= {key: cells[column] for key, column in _CONTACTS.items()}
    return {key: value for key, value in details.items() if value is not None}


def _is_person(cells: Cells) -> bool:
    """Whether an individual holds the licence: by legal status or type of enterprise number. True if both are missing."""
    status, neq = cells["Statut juridique"], cells[NEQ_LABEL]
    if status is None and neq is None:
        return True
    return _PERSON in (status or "").casefold() or (neq or "").startswith(_PERSONS_NEQ)


def _read_day(cells: Cells, column: str) -> str | None:
    """Return the date of a date or an instant, as text. Raises `ValueError`."""
    text = cells.get(column)
    if text is None:
        return None
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        raise ValueError(Message("{column} is not a date", column=column)) from None
