"""The EU list as XML 1.1: all data in attributes, every name marked strong, and weak names indicated only in remarks.

It reproduces quirks of the real list: country `00` for unknown, and names in other scripts before the Latin one.
"""

from collections.abc import Iterable
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

NAMESPACE = "http://eu.europa.ec/fpi/fsd/export"
FIRST_REFERENCE = 90_000
_PROGRAMMES = {"RU": "RUS", "IR": "IRN", "SY": "SYR", "MM": "MMR", "VE": "VEN"}
_KINDS = {ForeignPartyKind.PERSON: ("person", "P"), ForeignPartyKind.ORGANISATION: ("enterprise", "E")}
"""The list contains no ships."""


TARGET = TargetFile(
    "eu-sanctions-consolidated", "xml_full", "eu-sanctions-consolidated/xmlFullSanctionsList_1_1.xml", DeliveryRoute.DOWNLOAD
)


def create_eu_writer(folder: Path, seed: int, day: int) -> StandaloneListWriter:
    """Return the writer of the list, which contains people and organizations."""
    return StandaloneListWriter(folder, TARGET, lambda path: write_document(_document(create_foreign_parties(seed, day)), path))


def _document(parties: Iterable[ForeignParty]) -> Element:
    root = etree.Element("export", {"generationDate": f"{UPDATED}T16:47:04.449+02:00", "globalFileId": "1"})
    root.set("xmlns", NAMESPACE)
    for party in parties:
        if party.kind in _KINDS:
            _add_party(root, party)
    return root


def _add_party(root: Element, party: ForeignParty) -> None:
    entity = add_element(
        root,
        "sanctionEntity",
        designationDate=str(party.listed),
        designationDetails="",
        unitedNationId="",
        euReferenceNumber=f"EU.{FIRST_REFERENCE + party.serial}.1",
        logicalId=str(party.serial),
    )
    act = add_element(entity, "regulation", publicationDate=str(party.listed), programme=_PROGRAMMES[party.country])
    act.set("numberTitle", f"2026/{party.serial} (OJ L1)")
    add_element(act, "publicationUrl", f"https://eur-lex.europa.eu/sandbox/{party.serial}")
    code, classification = _KINDS[party.kind]
    add_element(entity, "subjectType", code=code, classificationCode=classification)
    _add_names(entity, party)
    add_element(entity, "citizenship", countryIso2Code=party.country, countryDescription=party.country_name.upper())
    add_element(entity, "address", city=party.city, countryIso2Code="00", countryDescription="UNKNOWN")
    for birth in party.births:
        add_element(entity, "birthdate", **_birth(birth))
    _add_document(entity, party)


def _add_names(entity: Element, party: ForeignParty) -> None:
    if party.other_script is not None:
        _add_name(entity, wholeName=party.other_script, nameLanguage="RU")
    parts = {"firstName": party.given[0], "middleName": party.given[1], "lastName": party.name} if party.given else {}
    _add_name(entity, wholeName=party.full_name, title=party.title or "", **parts)
    for alias in party.aliases:
        name = _add_name(entity, wholeName=alias.text, nameLanguage="EN")
        add_element(name, "remark", "low quality alias" if alias.weak else "good quality alias")


def _add_name(entity: Element, **attributes: str) -> Element:
    empty = dict.fromkeys(("firstName", "middleName", "lastName", "function", "title", "nameLanguage"), "")
    return add_element(entity, "nameAlias", **(empty | attributes), strong="true", regulationLanguage="en")


def _birth(birth: ForeignBirthDate) -> dict[str, str]:
    attributes = {"circa": str(birth.circa).lower(), "calendarType": "GREGORIAN", "countryIso2Code": "00"}
    if birth.until is not None:
        return attributes | {"yearRangeFrom": str(birth.year), "yearRangeTo": str(birth.until)}
    parts = {"year": birth.year, "monthOfYear": birth.month, "dayOfMonth": birth.day}
    attributes |= {name: str(part) for name, part in parts.items() if part is not None}
    if birth.month is not None and birth.day is not None:
        attributes["birthdate"] = f"{birth.year}-{birth.month:02}-{birth.day:02}"
    return attributes


def _add_document(entity: Element, party: ForeignParty) -> None:
    passport = ("passport", "National passport")
    code, kind = passport if party.kind is ForeignPartyKind.PERSON else ("regnumber", "Registration Number")
    document = add_element(
        entity, "identification", number=party.number, latinNumber="", knownFalse="false", countryIso2Code=party.country
    )
    document.set("identificationTypeCode", code)
    document.set("identificationTypeDescription", kind)


WRITERS = (StandaloneListWriterFactory("eu-sanctions-consolidated", create_eu_writer),)
