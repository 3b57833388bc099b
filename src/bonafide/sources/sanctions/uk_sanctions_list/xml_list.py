"""Read the UK's list as XML: one `Designation` for each party, with elements for its names, addresses and numbers.

Repeated values are removed. `listed_entity` builds the entries.
"""

from collections.abc import Iterator

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, get_line, read_children
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.sanctions.uk_sanctions_list.listed_entity import (
    UkDesignation,
    UkDocument,
    UkName,
    join_name_parts,
    parse_list_date,
)

_PERSON, _ENTITY, _SHIP = "IndividualDetails/Individual", "EntityDetails/Entity", "ShipDetails/Ship"
_COUNTRIES = (
    f"{_PERSON}/Nationalities/Nationality",
    f"{_SHIP}/CurrentBelievedFlagOfShips/CurrentBelievedFlagOfShip",
    "Addresses/Address/AddressCountry",
)
_NUMBERS = (
    ("Passport", f"{_PERSON}/PassportDetails/Passport", "PassportNumber", "PassportAdditionalInformation"),
    (
        "National identifier",
        f"{_PERSON}/NationalIdentifierDetails/NationalIdentifier",
        "NationalIdentifierNumber",
        "NationalIdentifierAdditionalInformation",
    ),
)
_REGISTRATION = f"{_ENTITY}/BusinessRegistrationNumbers/BusinessRegistrationNumber"
_REMARK_PATHS = {
    "": ("OtherInformation", "UKStatementofReasons"),
    "Title": ("Titles/Title",),
    "Position": (f"{_PERSON}/Positions/Position",),
    "Sanctions imposed": ("SanctionsImposed",),
    "Subsidiaries": (f"{_ENTITY}/Subsidiaries/Subsidiary",),
    "Parent company": (f"{_ENTITY}/ParentCompanies/ParentCompany",),
    "Owner or operator": (f"{_SHIP}/CurrentOwnerOperators/CurrentOwnerOperator",),
    "Type of ship": (f"{_SHIP}/TypeOfShipDetails/TypeOfShip",),
    "Year built": (f"{_SHIP}/YearsBuilt/YearBuilt",),
    "Designation source": ("DesignationSource",),
}


def read_xml(resource: Resource, context: ParseContext) -> Iterator[tuple[int, UkDesignation]]:
    """Yield each designation with the line where it begins. Raises `ParseFailed` if the file is not well-formed or has no date."""
    dated = False
    for element in read_children(resource, "DateGenerated", "Designation"):
        if str(element.tag).endswith("DateGenerated"):
            context.set_as_of(parse_list_date(element.text or "", resource))
            dated = True
            continue
        context.row()
        yield get_line(element), _parse_designation(element)
    if not dated:
        raise ParseFailed(Message("{file}: the date of the list is missing", file=resource.name))


def _parse_designation(element: Element) -> UkDesignation:
    found = UkDesignation(
        unique_id=_read_text(element, "UniqueID") or "",
        subject=_read_text(element, "IndividualEntityShip") or "",
        regime=_read_text(element, "RegimeName"),
        ofsi_group=_read_text(element, "OFSIGroupID"),
        un_reference=_read_text(element, "UNReferenceNumber"),
        designated=_read_text(element, "DateDesignated"),
        other_scripts=_read_texts(element, "NonLatinNames/NonLatinName/NameNonLatinScript"),
        births=_read_texts(element, f"{_PERSON}/DOBs/DOB"),
        imo_numbers=_read_texts(element, f"{_SHIP}/IMONumbers/IMONumber"),
        kinds_of_entity=_read_texts(element, f"{_ENTITY}/TypeOfEntities/TypeOfEntity"),
    )
    found.names += [name for name in map(_parse_name, element.findall("Names/Name")) if name.text]
    found.countries += [country for path in _COUNTRIES for country in _read_texts(element, path)]
    for label, path, number, note in _NUMBERS:
        pairs = dict.fromkeys((_read_text(part, number), _read_text(part, note)) for part in element.findall(path))
        found.documents += [UkDocument(label, value, comment) for value, comment in pairs if value is not None]
    found.documents += [UkDocument("Business registration number", number) for number in _read_texts(element, _REGISTRATION)]
    found.remarks = {
        label: [text for path in paths for text in _read_texts(element, path)] for label, paths in _REMARK_PATHS.items()
    }
    return found


def _parse_name(element: Element) -> UkName:
    parts = [_read_text(element, f"Name{number}") for number in range(1, 7)]
    return UkName(join_name_parts(parts), _read_text(element, "NameType") or "", _read_text(element, "AliasStrength"))


def _read_text(element: Element, path: str) -> str | None:
    return next(iter(_read_texts(element, path)), None)


def _read_texts(element: Element, path: str) -> list[str]:
    """Return the texts at a path, each once."""
    return list(dict.fromkeys(text for part in element.findall(path) if (text := normalize_whitespace(part.text)) is not None))
