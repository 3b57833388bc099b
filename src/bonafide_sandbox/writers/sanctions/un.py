"""The Security Council's list as XML: elements instead of attributes, and empty elements for missing values.

It reproduces quirks of the real list: dates with a time zone, several names in one alias, year ranges, references with trailing
spaces.
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

FIRST_DATA_ID = 9_900_000
_REGIMES = {"RU": "GB", "IR": "Iran", "SY": "Al-Qaida", "MM": "DPRK", "VE": "Haiti"}
"""The regime by a party's country. The choice is arbitrary."""
_REFERENCES = {"GB": "GB", "Iran": "IR", "Al-Qaida": "QD", "DPRK": "KP", "Haiti": "HT"}
_SUMMARY = "Made up. Web link: https://www.interpol.int/sandbox"
_ODD = 7
"""One in this many records has one of the list's quirks."""

TARGET = TargetFile(
    "un-sanctions-consolidated", "consolidated", "un-sanctions-consolidated/consolidated.xml", DeliveryRoute.DOWNLOAD
)


def create_un_writer(folder: Path, seed: int, day: int) -> StandaloneListWriter:
    """Return the writer of the list, which contains people and organizations."""
    return StandaloneListWriter(folder, TARGET, lambda path: write_document(_document(create_foreign_parties(seed, day)), path))


def _document(parties: Iterable[ForeignParty]) -> Element:
    root = etree.Element("CONSOLIDATED_LIST", {"dateGenerated": f"{UPDATED}T00:00:09.554Z"})
    people, entities = add_element(root, "INDIVIDUALS"), add_element(root, "ENTITIES")
    for party in parties:
        if party.kind is ForeignPartyKind.PERSON:
            _add_person(people, party)
        elif party.kind is ForeignPartyKind.ORGANISATION:
            _add_entity(entities, party)
    return root


def _add_person(people: Element, party: ForeignParty) -> None:
    record = add_element(people, "INDIVIDUAL")
    given, *others = party.given
    names = (given, *others, party.name)
    _add_head(record, party, zip(("FIRST_NAME", "SECOND_NAME", "THIRD_NAME"), names, strict=False), "i")
    if party.title is not None:
        add_element(add_element(record, "TITLE"), "VALUE", party.title)
    add_element(add_element(record, "NATIONALITY"), "VALUE", party.country_name)
    _add_tail(record)
    _add_aliases(record, party, "INDIVIDUAL", ("Good", "Low"))
    add_element(add_element(record, "INDIVIDUAL_ADDRESS"), "COUNTRY")
    for birth in party.births or (None,):
        _add_birth(record, birth)
    add_element(add_element(record, "INDIVIDUAL_PLACE_OF_BIRTH"), "COUNTRY")
    document = add_element(record, "INDIVIDUAL_DOCUMENT")
    if party.serial % 3 == 0:
        add_element(document, "TYPE_OF_DOCUMENT", "Passport")
        add_element(document, "NUMBER", f"{party.country_name} number {party.number}" if _is_odd(party) else party.number)
    _add_sort_keys(record)


def _add_entity(entities: Element, party: ForeignParty) -> None:
    record = add_element(entities, "ENTITY")
    _add_head(record, party, [("FIRST_NAME", party.name.upper())], "e")
    _add_tail(record)
    _add_aliases(record, party, "ENTITY", ("a.k.a.", "a.k.a."))
    address = add_element(record, "ENTITY_ADDRESS")
    add_element(address, "CITY", party.city)
    add_element(address, "COUNTRY", party.country_name)
    _add_sort_keys(record)


def _add_head(record: Element, party: ForeignParty, names: Iterable[tuple[str, str]], letter: str) -> None:
    regime = _REGIMES[party.country]
    add_element(record, "DATAID", str(FIRST_DATA_ID + party.serial))
    add_element(record, "VERSIONNUM", "1")
    for tag, name in names:
        add_element(record, tag, name)
    add_element(record, "UN_LIST_TYPE", regime)
    add_element(record, "REFERENCE_NUMBER", f"{_REFERENCES[regime]}{letter}.{party.serial:03}{' ' if _is_odd(party) else ''}")
    add_element(record, "LISTED_ON", f"{party.listed}-04:00" if _is_odd(party) else str(party.listed))
    if party.other_script is not None:
        add_element(record, "NAME_ORIGINAL_SCRIPT", party.other_script)
    add_element(record, "COMMENTS1", _SUMMARY)


def _add_tail(record: Element) -> None:
    add_element(add_element(record, "LIST_TYPE"), "VALUE", "UN List")
    add_element(add_element(record, "LAST_DAY_UPDATED"), "VALUE", str(UPDATED))


def _add_aliases(record: Element, party: ForeignParty, kind: str, qualities: tuple[str, str]) -> None:
    """Add aliases marked good or low quality, an empty alias if there are none, and sometimes two names in one alias."""
    for alias in party.aliases:
        element = add_element(record, f"{kind}_ALIAS")
        add_element(element, "QUALITY", qualities[alias.weak])
        add_element(
            element, "ALIAS_NAME", f"{alias.text}; {alias.text} {party.city}" if _is_odd(party) and not alias.weak else alias.text
        )
    if not party.aliases:
        element = add_element(record, f"{kind}_ALIAS")
        add_element(element, "QUALITY")
        add_element(element, "ALIAS_NAME")


def _add_birth(record: Element, birth: ForeignBirthDate | None) -> None:
    element = add_element(record, "INDIVIDUAL_DATE_OF_BIRTH")
    if birth is None:
        add_element(element, "TYPE_OF_DATE")
        return
    kind = "BETWEEN" if birth.until is not None else "APPROXIMATELY" if birth.circa else "EXACT"
    add_element(element, "TYPE_OF_DATE", kind)
    if birth.until is not None:
        add_element(element, "FROM_YEAR", str(birth.year))
        add_element(element, "TO_YEAR", str(birth.until))
    elif birth.month is not None and birth.day is not None:
        add_element(element, "DATE", f"{birth.year}-{birth.month:02}-{birth.day:02}")
    else:
        add_element(element, "YEAR", str(birth.year))


def _add_sort_keys(record: Element) -> None:
    add_element(record, "SORT_KEY")
    add_element(record, "SORT_KEY_LAST_MOD")


def _is_odd(party: ForeignParty) -> bool:
    return party.serial % _ODD == 0


WRITERS = (StandaloneListWriterFactory("un-sanctions-consolidated", create_un_writer),)
