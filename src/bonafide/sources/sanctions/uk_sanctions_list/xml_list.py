"""The UK's list as XML: one `Designation` a party, its names, addresses and numbers each in an element of its own.

What is repeated is taken once. It reads designations; listings are made of them in `listing`.
"""

from collections.abc import Iterator

from bonafide.errors import ParseFailed
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import squeeze
from bonafide.sources.parse_xml import Element, line_of, read_children
from bonafide.sources.sanctions.uk_sanctions_list.designation import Designation, Document, Name, day_of, joined

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
_TOLD = {
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


def read_xml(resource: Resource, context: ParseContext) -> Iterator[tuple[int, Designation]]:
    """Each designation with the line where it begins. Raises `ParseFailed` when the file is not well-formed or has no date."""
    dated = False
    for element in read_children(resource, "DateGenerated", "Designation"):
        if str(element.tag).endswith("DateGenerated"):
            context.dated(day_of(element.text or "", resource))
            dated = True
            continue
        context.row()
        yield line_of(element), _designation(element)
    if not dated:
        raise ParseFailed(f"{resource.name}: not the list that is known: it doesn't say when it was made")


def _designation(element: Element) -> Designation:
    found = Designation(
        unique_id=_text(element, "UniqueID") or "",
        subject=_text(element, "IndividualEntityShip") or "",
        regime=_text(element, "RegimeName"),
        ofsi_group=_text(element, "OFSIGroupID"),
        un_reference=_text(element, "UNReferenceNumber"),
        designated=_text(element, "DateDesignated"),
        other_scripts=_texts(element, "NonLatinNames/NonLatinName/NameNonLatinScript"),
        births=_texts(element, f"{_PERSON}/DOBs/DOB"),
        imo_numbers=_texts(element, f"{_SHIP}/IMONumbers/IMONumber"),
        kinds_of_entity=_texts(element, f"{_ENTITY}/TypeOfEntities/TypeOfEntity"),
    )
    found.names += [name for name in map(_name, element.findall("Names/Name")) if name.text]
    found.countries += [country for path in _COUNTRIES for country in _texts(element, path)]
    for label, path, number, note in _NUMBERS:
        pairs = dict.fromkeys((_text(part, number), _text(part, note)) for part in element.findall(path))
        found.documents += [Document(label, value, told) for value, told in pairs if value is not None]
    found.documents += [Document("Business registration number", number) for number in _texts(element, _REGISTRATION)]
    found.told = {label: [text for path in paths for text in _texts(element, path)] for label, paths in _TOLD.items()}
    return found


def _name(element: Element) -> Name:
    parts = [_text(element, f"Name{place}") for place in range(1, 7)]
    return Name(joined(parts), _text(element, "NameType") or "", _text(element, "AliasStrength"))


def _text(element: Element, path: str) -> str | None:
    return next(iter(_texts(element, path)), None)


def _texts(element: Element, path: str) -> list[str]:
    """What stands at a path, each text once."""
    return list(dict.fromkeys(text for part in element.findall(path) if (text := squeeze(part.text)) is not None))
