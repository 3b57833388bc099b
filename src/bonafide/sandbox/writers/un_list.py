"""The made-up list of the Security Council as XML: elements in place of attributes, empty ones for what there is none of.

Its oddities are kept: dates with a zone, several names in one alias, years between two, references with a blank behind.
"""

from collections.abc import Iterable
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from bonafide.sandbox.foreign_listings import UPDATED, Birth, Kind, Party, invent_parties
from bonafide.sandbox.manifest import Route
from bonafide.sandbox.writers.base import Target
from bonafide.sandbox.writers.whole_list import WholeList, add, write_document

FIRST_DATA_ID = 9_900_000
_REGIMES = {"RU": "GB", "IR": "Iran", "SY": "Al-Qaida", "MM": "DPRK", "VE": "Haiti"}
"""Country of a party to the regime; any will do, as it is no nationality."""
_REFERENCES = {"GB": "GB", "Iran": "IR", "Al-Qaida": "QD", "DPRK": "KP", "Haiti": "HT"}
_SUMMARY = "Made up. Web link: https://www.interpol.int/sandbox"
_ODD = 7
"""Each so-many-th record shows one of the list's oddities."""

TARGET = Target("un-sanctions-consolidated", "consolidated", "un-sanctions-consolidated/consolidated.xml", Route.DOWNLOAD)


def security_council_list(folder: Path, seed: int) -> WholeList:
    """The people and organisations."""
    return WholeList(folder, TARGET, lambda path: write_document(_document(invent_parties(seed)), path))


def _document(parties: Iterable[Party]) -> Element:
    root = etree.Element("CONSOLIDATED_LIST", {"dateGenerated": f"{UPDATED}T00:00:09.554Z"})
    people, entities = add(root, "INDIVIDUALS"), add(root, "ENTITIES")
    for party in parties:
        if party.kind is Kind.PERSON:
            _add_person(people, party)
        elif party.kind is Kind.ORGANISATION:
            _add_entity(entities, party)
    return root


def _add_person(people: Element, party: Party) -> None:
    record = add(people, "INDIVIDUAL")
    given, *others = party.given
    names = (given, *others, party.name)
    _add_head(record, party, zip(("FIRST_NAME", "SECOND_NAME", "THIRD_NAME"), names, strict=False), "i")
    if party.title is not None:
        add(add(record, "TITLE"), "VALUE", party.title)
    add(add(record, "NATIONALITY"), "VALUE", party.country_name)
    _add_tail(record)
    _add_aliases(record, party, "INDIVIDUAL", ("Good", "Low"))
    add(add(record, "INDIVIDUAL_ADDRESS"), "COUNTRY")
    for birth in party.births or (None,):
        _add_birth(record, birth)
    add(add(record, "INDIVIDUAL_PLACE_OF_BIRTH"), "COUNTRY")
    document = add(record, "INDIVIDUAL_DOCUMENT")
    if party.serial % 3 == 0:
        add(document, "TYPE_OF_DOCUMENT", "Passport")
        add(document, "NUMBER", f"{party.country_name} number {party.number}" if _is_odd(party) else party.number)
    _add_sort_keys(record)


def _add_entity(entities: Element, party: Party) -> None:
    record = add(entities, "ENTITY")
    _add_head(record, party, [("FIRST_NAME", party.name.upper())], "e")
    _add_tail(record)
    _add_aliases(record, party, "ENTITY", ("a.k.a.", "a.k.a."))
    address = add(record, "ENTITY_ADDRESS")
    add(address, "CITY", party.city)
    add(address, "COUNTRY", party.country_name)
    _add_sort_keys(record)


def _add_head(record: Element, party: Party, names: Iterable[tuple[str, str]], letter: str) -> None:
    regime = _REGIMES[party.country]
    add(record, "DATAID", str(FIRST_DATA_ID + party.serial))
    add(record, "VERSIONNUM", "1")
    for tag, name in names:
        add(record, tag, name)
    add(record, "UN_LIST_TYPE", regime)
    add(record, "REFERENCE_NUMBER", f"{_REFERENCES[regime]}{letter}.{party.serial:03}{' ' if _is_odd(party) else ''}")
    add(record, "LISTED_ON", f"{party.listed}-04:00" if _is_odd(party) else str(party.listed))
    if party.other_script is not None:
        add(record, "NAME_ORIGINAL_SCRIPT", party.other_script)
    add(record, "COMMENTS1", _SUMMARY)


def _add_tail(record: Element) -> None:
    add(add(record, "LIST_TYPE"), "VALUE", "UN List")
    add(add(record, "LAST_DAY_UPDATED"), "VALUE", str(UPDATED))


def _add_aliases(record: Element, party: Party, kind: str, qualities: tuple[str, str]) -> None:
    """Strong and weak by the list's own words; an empty alias where there is none, and two names in one now and then."""
    for alias in party.aliases:
        element = add(record, f"{kind}_ALIAS")
        add(element, "QUALITY", qualities[alias.weak])
        add(element, "ALIAS_NAME", f"{alias.text}; {alias.text} {party.city}" if _is_odd(party) and not alias.weak else alias.text)
    if not party.aliases:
        element = add(record, f"{kind}_ALIAS")
        add(element, "QUALITY")
        add(element, "ALIAS_NAME")


def _add_birth(record: Element, birth: Birth | None) -> None:
    element = add(record, "INDIVIDUAL_DATE_OF_BIRTH")
    if birth is None:
        add(element, "TYPE_OF_DATE")
        return
    kind = "BETWEEN" if birth.until is not None else "APPROXIMATELY" if birth.circa else "EXACT"
    add(element, "TYPE_OF_DATE", kind)
    if birth.until is not None:
        add(element, "FROM_YEAR", str(birth.year))
        add(element, "TO_YEAR", str(birth.until))
    elif birth.month is not None and birth.day is not None:
        add(element, "DATE", f"{birth.year}-{birth.month:02}-{birth.day:02}")
    else:
        add(element, "YEAR", str(birth.year))


def _add_sort_keys(record: Element) -> None:
    add(record, "SORT_KEY")
    add(record, "SORT_KEY_LAST_MOD")


def _is_odd(party: Party) -> bool:
    return party.serial % _ODD == 0
