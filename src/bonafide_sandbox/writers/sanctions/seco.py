"""The Swiss list as XML: names in parts with spelling variants, programs before the targets and places after them.

It reproduces quirks of the real list: delisted targets, and targets repeated inside change records.
"""

from collections.abc import Sequence
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from bonafide_sandbox.generator.foreign_parties import UPDATED, ForeignParty, ForeignPartyKind, create_foreign_parties
from bonafide_sandbox.writers.formats.standalone_list import StandaloneListWriter, add_element, write_document
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import StandaloneListWriterFactory, TargetFile

_TAGS = {ForeignPartyKind.PERSON: "individual", ForeignPartyKind.ORGANISATION: "entity", ForeignPartyKind.SHIP: "object"}
TAKEN_OFF_EVERY = 6
"""One in this many parties is delisted."""
_COUNTRIES = {"RU": 1, "IR": 2, "SY": 3, "MM": 4, "VE": 5}
_SETS, _PLACES, _NAMES = 4_000, 5_000, 600_000
"""The first ids of sanctions sets, places and names."""


TARGET = TargetFile("ch-seco-sanctions", "whole_list", "ch-seco-sanctions/sesam.xml", DeliveryRoute.DOWNLOAD)


def create_swiss_writer(folder: Path, seed: int, day: int) -> StandaloneListWriter:
    """Return the writer of the list, which contains all parties, one in six of them delisted."""
    return StandaloneListWriter(folder, TARGET, lambda path: write_document(_document(create_foreign_parties(seed, day)), path))


def _document(parties: Sequence[ForeignParty]) -> Element:
    root = etree.Element("swiss-sanctions-list", {"list-type": "whole-list", "date": str(UPDATED)})
    named = {party.country: party.country_name for party in parties}
    for code, name in named.items():
        _add_program(root, code, name)
    for party in parties:
        _add_target(root, party)
    for code, name in named.items():
        place = add_element(root, "place", ssid=str(_PLACES + _COUNTRIES[code]))
        add_element(place, "country", name, iso_code=code)
    return root


def _add_program(root: Element, code: str, name: str) -> None:
    program = add_element(root, "sanctions-program", ssid=str(_COUNTRIES[code]))
    add_element(program, "program-key", name, lang="eng")
    add_element(program, "program-name", f"Verordnung über Massnahmen gegenüber {name}", lang="ger")
    add_element(program, "program-name", f"Ordinance on measures against {name}", lang="eng")
    add_element(program, "sanctions-set", "annex 1", ssid=str(_SETS + _COUNTRIES[code]), lang="eng")


def _add_target(root: Element, party: ForeignParty) -> None:
    target = add_element(root, "target", ssid=str(party.serial))
    add_element(target, "sanctions-set-id", str(_SETS + _COUNTRIES[party.country]))
    _add_body(target, party)
    if party.serial % TAKEN_OFF_EVERY == 0:
        _add_change(target, "de-listed", "2026-06-30")
    listed = _add_change(target, "listed", str(party.listed))
    _add_body(add_element(add_element(listed, "added"), "target", ssid=str(party.serial)), party)


def _add_change(target: Element, kind: str, day: str) -> Element:
    return add_element(target, "modification", modification_type=kind, enactment_date=day, publication_date=day, effective_date=day)


def _add_body(target: Element, party: ForeignParty) -> None:
    body = add_element(target, _TAGS[party.kind])
    if party.kind is ForeignPartyKind.SHIP:
        body.set("object-type", "vessel")
    identity = add_element(body, "identity", main="true")
    _add_names(identity, party)
    for birth in party.births:
        parts = {"year": birth.year, "month": birth.month, "day": birth.day}
        known = {name: str(part) for name, part in parts.items() if part is not None}
        add_element(identity, "day-month-year", **known, calendar="Gregorian")
    add_element(identity, "address", place_id=str(_PLACES + _COUNTRIES[party.country]))
    if party.kind is ForeignPartyKind.PERSON:
        add_element(add_element(identity, "nationality"), "country", party.country_name, iso_code=party.country)
        document = add_element(identity, "identification-document", document_type="passport")
        add_element(document, "number", party.number)
        add_element(document, "issuer", party.country_name, code=party.country)
    add_element(body, "justification", "Made up for the sandbox.")
    if party.kind is not ForeignPartyKind.PERSON:
        label = "IMO Number" if party.kind is ForeignPartyKind.SHIP else "Registration number"
        add_element(body, "other-information", f"{label}: {party.number}")


def _add_names(identity: Element, party: ForeignParty) -> None:
    name = add_element(identity, "name", ssid=str(_NAMES + party.serial), name_type="primary-name", quality="good")
    if party.given:
        words = (party.other_script or "").split()
        _add_part(name, 1, "family-name", party.name, " ".join(words[1:]))
        _add_part(name, 2, "given-name", party.given[0], "".join(words[:1]))
        _add_part(name, 3, "father-name", party.given[1])
    else:
        _add_part(name, 1, "whole-name", party.name, party.other_script or "")
    for alias in party.aliases:
        other = add_element(identity, "name", name_type="alias", quality="low" if alias.weak else "good")
        _add_part(other, 1, "whole-name", alias.text)


def _add_part(name: Element, order: int, kind: str, text: str, spelling: str = "") -> None:
    part = add_element(name, "name-part", order=str(order), name_part_type=kind)
    add_element(part, "value", text)
    if spelling:
        add_element(part, "spelling-variant", spelling, lang="RUS", script="CYRL")


WRITERS = (StandaloneListWriterFactory("ch-seco-sanctions", create_swiss_writer),)
