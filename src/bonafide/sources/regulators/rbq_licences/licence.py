"""A licence as far as its rows were read, and the entry that it becomes.

Most of a licence stands in each of its rows, and is taken from the first. Which rows belong to it is decided in `source`.
"""

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from pydantic import JsonValue

from bonafide.matching.text.folding import fold
from bonafide.model.entity import Address
from bonafide.model.entry import JoinNumber, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import format_postal_code
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.regulators.rbq_licences.files import Cells, RbqRecord, Subcategory

NUMBER = "Numéro de licence"
NAME = "Nom de l'intervenant"
NEQ_LABEL = "NEQ"
_NUMBER = re.compile(r"\d{4}-\d{4}-\d{2}")
_NEQ = re.compile(r"(?:11|22|33|88)\d{8}")
_PERSONS_NEQ = "22"
"""With these digits begin the enterprise numbers of people who are in business by themselves."""
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
    """A licence; of its rows only what differs is kept, and each text once for all licences."""

    number: str
    cells: tuple[str | None, ...]
    """Of its first row those that are read, in the order of `_PARSERS`."""
    subcategories: dict[Subcategory, None] = field(default_factory=dict)
    other_names: dict[str, None] = field(default_factory=dict)

    def add(self, record: RbqRecord) -> None:
        """What a row adds."""
        for category, code in record.subcategories:
            if code is not None:
                self.subcategories[_intern_text(category), _intern_text(code)] = None
        self.other_names |= dict.fromkeys(name for name in record.other_names if name is not None)


def parse_licence(record: RbqRecord) -> RbqLicence:
    """The licence that a row begins. Raises `ValueError` for one without a number of the known form, or without a holder."""
    number = parse_licence_number(record)
    if record.cells.get(NAME) is None:
        raise ValueError(f"{NAME} is empty")
    for column in _DATES.values():
        _read_day(record.cells, column)
    return RbqLicence(number, tuple(_intern_text(record.cells.get(column)) for column in _READ))


def parse_licence_number(record: RbqRecord) -> str:
    """The number of a row's licence. Raises `ValueError`."""
    number = record.cells.get(NUMBER)
    if number is None or _NUMBER.fullmatch(number) is None:
        raise ValueError(f"{NUMBER} is {'empty' if number is None else 'of another form'}")
    return number


def _intern_text(text: str | None) -> str | None:
    """The same object for the same text: there are some hundred sub-categories, towns, providers of bonds and days."""
    return sys.intern(text) if text is not None else None


def build_entry(licence: RbqLicence, context: ParseContext) -> RegulatoryEntry:
    """The licence as an entry."""
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
    """The enterprise number, if what stands in its place has the form of one."""
    neq = cells[NEQ_LABEL]
    return neq if neq is not None and _NEQ.fullmatch(neq) is not None else None


def _build_address(line: str | None, city: str | None) -> Address | None:
    """The line as it stands, with the parts of which it leaves no doubt: the town comes from a column of its own."""
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


def _extract_street(place: str, city: str | None) -> str | None:
    """What stands before the town; None where the line does not end in the town, or has nothing else."""
    words, town = place.split(), city.split() if city is not None else []
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
    """Whether a person holds the licence: by the legal status, by the kind of the enterprise number, or for want of both."""
    status, neq = cells["Statut juridique"], cells[NEQ_LABEL]
    if status is None and neq is None:
        return True
    return _PERSON in (status or "").casefold() or (neq or "").startswith(_PERSONS_NEQ)


def _read_day(cells: Cells, column: str) -> str | None:
    """The day of a date or an instant, as text. Raises `ValueError`."""
    text = cells.get(column)
    if text is None:
        return None
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        raise ValueError(f"{column} is not a date") from None
