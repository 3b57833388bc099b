"""The UK list as XML: one designation per party, names in six numbered parts, dates with letters for unknown digits.

It reproduces quirks of the real list: inconsistent case of name types, and IMO numbers with and without an "IMO" prefix.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from bonafide_sandbox.generator.foreign_parties import (
    UPDATED,
    ForeignBirthDate,
    ForeignParty,
    ForeignPartyKind,
    create_foreign_parties,
)
from bonafide_sandbox.writers.formats.standalone_list import StandaloneListWriter, add_element, write_document
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import StandaloneListWriterFactory, TargetFile

_KINDS = {ForeignPartyKind.PERSON: "Individual", ForeignPartyKind.ORGANISATION: "Entity", ForeignPartyKind.SHIP: "Ship"}
_STRENGTHS = {True: "Low quality a.k.a", False: "Good quality a.k.a"}
_PREFIXES = {"RU": "RUS", "IR": "IRN", "SY": "SYR", "MM": "MMR", "VE": "VEN"}


TARGET = TargetFile("uk-sanctions-list", "xml", "uk-sanctions-list/UK-Sanctions-List.xml", DeliveryRoute.DOWNLOAD)


def create_british_writer(folder: Path, seed: int, day: int) -> StandaloneListWriter:
    """Return the writer of the list, which contains all parties."""
    return StandaloneListWriter(folder, TARGET, lambda path: write_document(_document(create_foreign_parties(seed, day)), path))


def _document(parties: Iterable[ForeignParty]) -> Element:
    root = etree.Element("Designations")
    add_element(root, "DateGenerated", f"{UPDATED:%d/%m/%Y}")
    for party in parties:
        _add_designation(root, party)
    return root


def _add_designation(root: Element, party: ForeignParty) -> None:
    designation = add_element(root, "Designation")
    add_element(designation, "LastUpdated", f"{UPDATED:%d/%m/%Y}")
    add_element(designation, "DateDesignated", f"{party.listed:%d/%m/%Y}")
    add_element(designation, "UniqueID", f"{_PREFIXES[party.country]}{party.serial:04}")
    names = add_element(designation, "Names")
    _add_name(names, (*party.given, party.name.upper()), "Primary Name" if party.serial % 3 else "Primary name")
    if party.given:
        _add_name(names, (party.given[0], party.name), "Primary Name Variation")
    for alias in party.aliases:
        add_element(_add_name(names, (alias.text,), "Alias"), "AliasStrength", _STRENGTHS[alias.weak])
    if party.other_script is not None:
        add_element(
            add_element(add_element(designation, "NonLatinNames"), "NonLatinName"), "NameNonLatinScript", party.other_script
        )
    if party.title is not None:
        add_element(add_element(designation, "Titles"), "Title", party.title)
    add_element(designation, "RegimeName", f"The {party.country_name} (Sanctions) (EU Exit) Regulations 2019")
    add_element(designation, "IndividualEntityShip", _KINDS[party.kind])
    add_element(designation, "DesignationSource", "UK")
    add_element(designation, "SanctionsImposed", "Asset freeze|Travel Ban")
    add_element(designation, "UKStatementofReasons", "\nMade up for the sandbox.\n")
    add_element(add_element(add_element(designation, "Addresses"), "Address"), "AddressCountry", party.country_name)
    _DETAILS[party.kind](designation, party)


def _add_name(names: Element, parts: Sequence[str], kind: str) -> Element:
    """Add a name. The sixth part is the family name of a person or the full name of any other party."""
    name = add_element(names, "Name")
    for place, part in enumerate(parts[:-1], start=1):
        add_element(name, f"Name{place}", part)
    add_element(name, "Name6", parts[-1])
    add_element(name, "NameType", kind)
    return name


def _add_person(designation: Element, party: ForeignParty) -> None:
    person = add_element(add_element(designation, "IndividualDetails"), "Individual")
    births = add_element(person, "DOBs")
    for text in (text for birth in party.births for text in _printed(birth)):
        add_element(births, "DOB", text)
    passport = add_element(add_element(person, "PassportDetails"), "Passport")
    add_element(passport, "PassportNumber", party.number)
    add_element(passport, "PassportAdditionalInformation", f"{party.country_name} passport")
    add_element(add_element(person, "Nationalities"), "Nationality", party.country_name)


def _printed(birth: ForeignBirthDate) -> list[str]:
    years = range(birth.year, (birth.until or birth.year) + 1)
    day = "dd" if birth.day is None else f"{birth.day:02}"
    month = "mm" if birth.month is None else f"{birth.month:02}"
    return [f"{day}/{month}/{year}" for year in years]


def _add_entity(designation: Element, party: ForeignParty) -> None:
    entity = add_element(add_element(designation, "EntityDetails"), "Entity")
    add_element(add_element(entity, "BusinessRegistrationNumbers"), "BusinessRegistrationNumber", f"INN: {party.number}")
    add_element(add_element(entity, "TypeOfEntities"), "TypeOfEntity", "Company")


def _add_ship(designation: Element, party: ForeignParty) -> None:
    ship = add_element(add_element(designation, "ShipDetails"), "Ship")
    add_element(add_element(ship, "IMONumbers"), "IMONumber", party.number if party.serial % 5 == 0 else f"IMO{party.number}")
    add_element(add_element(ship, "CurrentBelievedFlagOfShips"), "CurrentBelievedFlagOfShip", party.country_name)
    add_element(add_element(ship, "TypeOfShipDetails"), "TypeOfShip", "Oil Tanker")


_DETAILS = {ForeignPartyKind.PERSON: _add_person, ForeignPartyKind.ORGANISATION: _add_entity, ForeignPartyKind.SHIP: _add_ship}


WRITERS = (StandaloneListWriterFactory("uk-sanctions-list", create_british_writer),)
