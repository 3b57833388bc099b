"""The Australian list as a workbook: one row per name, with a letter suffix after the party's number.

It reproduces quirks of the real list: several dates in one cell, a carriage return escaped by the spreadsheet, and the date of the
last edit in the column for the listing date.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from bonafide_sandbox.generator.foreign_parties import (
    UPDATED,
    ForeignBirthDate,
    ForeignParty,
    ForeignPartyKind,
    create_foreign_parties,
)
from bonafide_sandbox.writers.formats.standalone_list import StandaloneListWriter
from bonafide_sandbox.writers.formats.xlsx import XlsxFile
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import StandaloneListWriterFactory, TargetFile

HEADER = (
    *("Reference", "Name of Individual or Entity", "Type", "Name Type", "Alias Strength", "Date of Birth", "Place of Birth"),
    *("Citizenship", "Address", "Additional Information", "Listing Information", "IMO Number", "Committees", "Control Date"),
    *("Instrument of Designation", "Targeted Financial Sanction", "Travel Ban", "Arms Embargo", "Maritime Restriction"),
)
_KINDS = {ForeignPartyKind.PERSON: "Individual", ForeignPartyKind.ORGANISATION: "Entity", ForeignPartyKind.SHIP: "Vessel"}


TARGET = TargetFile(
    "au-sanctions-consolidated",
    "consolidated_list",
    "au-sanctions-consolidated/Australian_Sanctions_Consolidated_List.xlsx",
    DeliveryRoute.DOWNLOAD,
)


def create_australian_writer(folder: Path, seed: int, day: int) -> StandaloneListWriter:
    """Return the writer of the list, which contains all parties."""
    return StandaloneListWriter(folder, TARGET, lambda path: _write(path, create_foreign_parties(seed, day)))


def _write(path: Path, parties: Iterable[ForeignParty]) -> None:
    workbook = XlsxFile(path)
    workbook.write(HEADER)
    for party in parties:
        for row in _rows(party):
            workbook.write([row.get(column, "") for column in HEADER])
    workbook.close()


def _rows(party: ForeignParty) -> Iterator[dict[str, str]]:
    named = [(party.full_name, "Primary Name", "")]
    named += [(alias.text, "Alias", "Weak" if alias.weak else "Strong") for alias in party.aliases]
    named += [(party.other_script, "Original Script", "")] if party.other_script is not None else []
    for place, (name, kind, strength) in enumerate(named):
        letter = chr(ord("a") + place - 1) if place > 0 else ""
        own = {"Reference": f"{party.serial}{letter}", "Name of Individual or Entity": name, "Name Type": kind}
        yield _shared(party) | own | {"Alias Strength": strength}


def _shared(party: ForeignParty) -> dict[str, str]:
    """Return the cells that are repeated in each row of a party."""
    return {
        "Type": _KINDS[party.kind],
        "Date of Birth": ", ".join(map(_printed, party.births)),
        "Citizenship": party.country_name if party.kind is ForeignPartyKind.PERSON else "",
        "Address": f"a) {party.city}, {party.country_name} b) 1 Sandbox Street_x000D_, {party.country_name}",
        "Additional Information": "Made up for the sandbox.",
        "Listing Information": f"Listed on {party.listed:%d %b. %Y}" if party.serial % 2 else "Sandbox Sanctions Regulations 2011",
        "IMO Number": party.number if party.kind is ForeignPartyKind.SHIP else "",
        "Committees": f"Autonomous ({party.country_name})",
        "Control Date": str(UPDATED),
        "Instrument of Designation": "Sandbox Sanctions Instrument 2024",
        "Targeted Financial Sanction": "1",
        "Travel Ban": "1" if party.kind is ForeignPartyKind.PERSON else "0",
        "Arms Embargo": "0",
        "Maritime Restriction": "1" if party.kind is ForeignPartyKind.SHIP else "0",
    }


def _printed(birth: ForeignBirthDate) -> str:
    if birth.until is not None:
        return f"Between {birth.year} and {birth.until}"
    parts = [f"{part:02}" for part in (birth.day, birth.month) if part is not None]
    return ("Approximately " if birth.circa else "") + "/".join([*parts, str(birth.year)])


WRITERS = (StandaloneListWriterFactory("au-sanctions-consolidated", create_australian_writer),)
