"""The made-up list of the UK as XML: a designation a party, names in six numbered parts, dates with letters for figures.

Its oddities are kept: kinds of names in several cases, numbers of ships with and without "IMO" before them.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from bonafide.sandbox.foreign_listings import UPDATED, Birth, Kind, Party, invent_parties
from bonafide.sandbox.manifest import Route
from bonafide.sandbox.writers.base import Target
from bonafide.sandbox.writers.whole_list import WholeList, add, write_document

_KINDS = {Kind.PERSON: "Individual", Kind.ORGANISATION: "Entity", Kind.SHIP: "Ship"}
_STRENGTHS = {True: "Low quality a.k.a", False: "Good quality a.k.a"}
_PREFIXES = {"RU": "RUS", "IR": "IRN", "SY": "SYR", "MM": "MMR", "VE": "VEN"}


TARGET = Target("uk-sanctions-list", "xml", "uk-sanctions-list/UK-Sanctions-List.xml", Route.DOWNLOAD)


def british_list(folder: Path, seed: int) -> WholeList:
    """All parties."""
    return WholeList(folder, TARGET, lambda path: write_document(_document(invent_parties(seed)), path))


def _document(parties: Iterable[Party]) -> Element:
    root = etree.Element("Designations")
    add(root, "DateGenerated", f"{UPDATED:%d/%m/%Y}")
    for party in parties:
        _add_designation(root, party)
    return root


def _add_designation(root: Element, party: Party) -> None:
    designation = add(root, "Designation")
    add(designation, "LastUpdated", f"{UPDATED:%d/%m/%Y}")
    add(designation, "DateDesignated", f"{party.listed:%d/%m/%Y}")
    add(designation, "UniqueID", f"{_PREFIXES[party.country]}{party.serial:04}")
    names = add(designation, "Names")
    _add_name(names, (*party.given, party.name.upper()), "Primary Name" if party.serial % 3 else "Primary name")
    if party.given:
        _add_name(names, (party.given[0], party.name), "Primary Name Variation")
    for alias in party.aliases:
        add(_add_name(names, (alias.text,), "Alias"), "AliasStrength", _STRENGTHS[alias.weak])
    if party.other_script is not None:
        add(add(add(designation, "NonLatinNames"), "NonLatinName"), "NameNonLatinScript", party.other_script)
    if party.title is not None:
        add(add(designation, "Titles"), "Title", party.title)
    add(designation, "RegimeName", f"The {party.country_name} (Sanctions) (EU Exit) Regulations 2019")
    add(designation, "IndividualEntityShip", _KINDS[party.kind])
    add(designation, "DesignationSource", "UK")
    add(designation, "SanctionsImposed", "Asset freeze|Travel Ban")
    add(designation, "UKStatementofReasons", "\nMade up for the sandbox.\n")
    add(add(add(designation, "Addresses"), "Address"), "AddressCountry", party.country_name)
    _DETAILS[party.kind](designation, party)


def _add_name(names: Element, parts: Sequence[str], kind: str) -> Element:
    """The last part is the sixth, the family name or the whole."""
    name = add(names, "Name")
    for place, part in enumerate(parts[:-1], start=1):
        add(name, f"Name{place}", part)
    add(name, "Name6", parts[-1])
    add(name, "NameType", kind)
    return name


def _add_person(designation: Element, party: Party) -> None:
    person = add(add(designation, "IndividualDetails"), "Individual")
    births = add(person, "DOBs")
    for text in (text for birth in party.births for text in _printed(birth)):
        add(births, "DOB", text)
    passport = add(add(person, "PassportDetails"), "Passport")
    add(passport, "PassportNumber", party.number)
    add(passport, "PassportAdditionalInformation", f"{party.country_name} passport")
    add(add(person, "Nationalities"), "Nationality", party.country_name)


def _printed(birth: Birth) -> list[str]:
    years = range(birth.year, (birth.until or birth.year) + 1)
    day = "dd" if birth.day is None else f"{birth.day:02}"
    month = "mm" if birth.month is None else f"{birth.month:02}"
    return [f"{day}/{month}/{year}" for year in years]


def _add_entity(designation: Element, party: Party) -> None:
    entity = add(add(designation, "EntityDetails"), "Entity")
    add(add(entity, "BusinessRegistrationNumbers"), "BusinessRegistrationNumber", f"INN: {party.number}")
    add(add(entity, "TypeOfEntities"), "TypeOfEntity", "Company")


def _add_ship(designation: Element, party: Party) -> None:
    ship = add(add(designation, "ShipDetails"), "Ship")
    add(add(ship, "IMONumbers"), "IMONumber", party.number if party.serial % 5 == 0 else f"IMO{party.number}")
    add(add(ship, "CurrentBelievedFlagOfShips"), "CurrentBelievedFlagOfShip", party.country_name)
    add(add(ship, "TypeOfShipDetails"), "TypeOfShip", "Oil Tanker")


_DETAILS = {Kind.PERSON: _add_person, Kind.ORGANISATION: _add_entity, Kind.SHIP: _add_ship}
