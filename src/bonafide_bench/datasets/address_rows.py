"""Real Canadian addresses as the separate fields of published registers and lists: what a parser should find in their lines.

The rows are in the sample files of Ontario's business register, Ontario's cannabis stores and health service providers, Alberta's
cannabis licensees, Vancouver's business licences and the list of charities. Each folder's README names the publisher and the
licence. No address is in this repository.
"""

import csv
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_ON_FILES = ("registries/ON/OntarioTOB_LegalCorpSample.csv", "registries/ON/OntarioTOB_BNLPSample.csv")
_MOH_FILE = "regulatory/mohServiceProviders/moh_service_provider_locations_2025-04.csv"
_VANCOUVER_FILE = "regulatory/vancouverBusinessLicences/business-licences_restaurants_2024-2025_export.csv"
_CRA_FILES = (
    "regulatory/craCharities/charities_results_12col_2022_sample.txt",
    "regulatory/craCharities/charities_results_14col_2026-05-02_excerpt.txt",
)
PROVINCES = {
    "ON": ("Ontario", "Ontario"),
    "QC": ("Quebec", "Québec"),
    "PQ": ("Quebec", "Québec"),
    "NS": ("Nova Scotia", "Nouvelle-Écosse"),
    "NB": ("New Brunswick", "Nouveau-Brunswick"),
    "MB": ("Manitoba", "Manitoba"),
    "BC": ("British Columbia", "Colombie-Britannique"),
    "PE": ("Prince Edward Island", "Île-du-Prince-Édouard"),
    "SK": ("Saskatchewan", "Saskatchewan"),
    "AB": ("Alberta", "Alberta"),
    "NL": ("Newfoundland and Labrador", "Terre-Neuve-et-Labrador"),
}
"""The English and French names of the provinces in the sources, by code."""
_DIRECTIONS = {
    "n": "north", "s": "south", "e": "east", "w": "west", "o": "west", "nw": "northwest", "ne": "northeast", "sw": "southwest",
    "se": "southeast", "north": "north", "south": "south", "east": "east", "west": "west", "est": "east", "ouest": "west",
}  # fmt: skip
_TYPES = {
    "st": "street", "street": "street", "rue": "street", "ave": "avenue", "av": "avenue", "avenue": "avenue", "rd": "road",
    "road": "road", "dr": "drive", "drive": "drive", "blvd": "boulevard", "boulevard": "boulevard", "boul": "boulevard",
    "cres": "crescent", "crescent": "crescent", "crt": "court", "court": "court", "lane": "lane", "trail": "trail",
    "parkway": "parkway", "pky": "parkway", "pkwy": "parkway", "hwy": "highway", "place": "place", "circle": "circle",
}  # fmt: skip
_NUMBER = r"\d+[A-Za-z]?"
_UNIT = r"[A-Za-z]?\d+[A-Za-z]?|[A-Za-z]"
_STREET = r"(?:\d+(?:st|nd|rd|th)? )?[A-Za-z][A-Za-z.' ]*[A-Za-z.]"
_PLAIN_LINE = re.compile(
    rf"(?:(?P<before>{_UNIT})-)?(?P<number>{_NUMBER}) (?P<street>{_STREET}?)(?:,? (?:unit|suite) #?(?P<behind>{_UNIT}))?",
    re.IGNORECASE,
)
"""A line of the simplest shape: `5-123 Main St W`, `123 10 Ave SW`, `123 Main St Unit 5`."""
_NOT_PLAIN = re.compile(
    r"\b(?:unit|suite|box|bldg|building|floor|rr|r r|hwy|highway|line|concession|road (?:[a-z]|no)|county|regional|lot)\b",
    re.IGNORECASE,
)
_LONGEST_RANGE = 10
"""The largest difference of two numbers that may be a range of street numbers."""
_UNITS = re.compile(rf"(?:{_UNIT})(?: ?[&,] ?(?:{_UNIT}))*")
_BOX = re.compile(r"(?:p\.? ?o\.? )?box (\w+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AddressFields:
    """The columns of one address: the whole street line, its parts as far as they are known, and the town."""

    line: str
    city: str
    province: str
    postal_code: str | None = None
    parts: dict[str, str | None] = field(default_factory=dict)
    occupant: str | None = None
    """The name of the building or of the facility in it."""


def digest_address(place: AddressFields) -> bytes:
    """A hash of an address, from which everything that is random about it is drawn: the same for the same address."""
    return hashlib.sha256("|".join((place.line, place.city, place.province, place.postal_code or "")).casefold().encode()).digest()


def join_parts(*parts: str | None, by: str = ", ") -> str:
    """The parts that are not empty, with a separator."""
    return by.join(part for part in parts if part)


_UNIT_FORMS: tuple[Callable[[str, str, str], str], ...] = (
    lambda unit, number, street: f"{unit}-{number} {street}",
    lambda unit, number, street: f"{unit} - {number} {street}",
    lambda unit, number, street: f"{number} {street}, Unit {unit}",
    lambda unit, number, street: f"{number} {street} Suite {unit}",
    lambda unit, number, street: f"Unit {unit}, {number} {street}",
    lambda unit, number, street: f"Suite {unit} - {number} {street}",
    lambda unit, number, street: f"{number} {street} #{unit}",
    lambda unit, number, street: f"#{unit}, {number} {street}",
    lambda unit, number, street: f"{number}, {street}, bureau {unit}",
    lambda unit, number, street: f"{number} {street}, app. {unit}",
)


def _with_unit(unit: str | None, number: str, street: str) -> str:
    if unit is None:
        return f"{number} {street}"
    if not unit.isalnum():  # "101 & 102"
        return f"{number} {street}, Unit {unit}"
    choice = hashlib.sha256(f"{unit}|{number}|{street}".encode()).digest()[0]
    return _UNIT_FORMS[choice % len(_UNIT_FORMS)](unit, number, street)


# ------------------------------------------------------------------------------------------------- the parts of a street line


def _parts(unit: str | None, number: str, street: str) -> dict[str, str | None]:
    return {"unit": unit, "number": number, "street": street, **_type_and_direction(street)}


def _type_and_direction(street: str) -> dict[str, str | None]:
    """The type and the direction after it, if the last words of a street are such words; otherwise neither is known."""
    *name, last = street.lower().replace(".", "").split()
    direction = None
    if last in _DIRECTIONS and name:
        direction = _DIRECTIONS[last]
        *name, last = name
    if last not in _TYPES or not name or name[0] in {*_TYPES, *_DIRECTIONS, "the"} or name[-1] in _DIRECTIONS:
        return {}
    return {"kind": _TYPES[last], "direction": direction}


def _parts_of_plain(line: str) -> dict[str, str | None]:
    """The parts of a line of the simplest shape; none of any other line."""
    found = _PLAIN_LINE.fullmatch(line)
    if found is None or _NOT_PLAIN.search(found["street"]) is not None or (found["before"] and found["behind"]):
        return {}
    if _may_be_range(found["before"] or "", found["number"]):
        return {}
    return _parts(found["before"] or found["behind"], found["number"], found["street"])


def _may_be_range(one: str, other: str) -> bool:
    """Whether "203-207" may be a range of street numbers as well as a unit and a number."""
    return one.isdigit() and other.isdigit() and len(one) == len(other) > 1 and 0 < int(other) - int(one) <= _LONGEST_RANGE


def _cells(row: Mapping[str | None, str | None]) -> dict[str, str]:
    return {key: " ".join((value or "").split()) for key, value in row.items() if key is not None}


def _table(path: Path, delimiter: str = ",") -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        yield from map(_cells, csv.DictReader(stream, delimiter=delimiter))


def _ontario(folder: Path) -> Iterator[AddressFields]:
    for row in (row for name in _ON_FILES for row in _table(folder / name)):
        street, more, city = row["Street Name"], row["Additional Info"], row["Municipality"].rstrip(",")
        shifted = street.split()[:1] in (["STREET"], ["AVENUE"], ["HIGHWAY"]) or row["Street Number"].endswith("-Jan")
        if row["Country"] != "CA" or city == "" or shifted or street + more == "":
            continue
        unit = re.sub(r"^(?:UNIT|APT|#| )+", "", row["Suite Number"]) or None
        if unit is not None and not unit.isalnum():  # "8TH FLOOR"
            continue
        line = _with_unit(unit, row["Street Number"], street) if row["Street Number"] else street
        plain = row["Street Number"].isdigit() and street != "" and more == "" and _NOT_PLAIN.search(street) is None
        parts = _parts(unit, row["Street Number"], street) if plain else {}
        box = _BOX.fullmatch(more)
        parts |= {"box": box[1]} if box is not None else {}
        yield AddressFields(join_parts(line.strip(), more), city, row["Province"], row["Postal code"] or None, parts)


def _vancouver(folder: Path) -> Iterator[AddressFields]:
    for row in _table(folder / _VANCOUVER_FILE, ";"):
        unit = row["Unit"] or None
        if row["House"] == "" or row["Street"] == "" or (unit is not None and _UNITS.fullmatch(unit) is None):
            continue
        line = _with_unit(unit, row["House"], row["Street"])
        yield AddressFields(
            line, row["City"], row["Province"], row["PostalCode"] or None, _parts(unit, row["House"], row["Street"])
        )


def _alberta(folder: Path) -> Iterator[AddressFields]:
    for row in _table(folder / "regulatory/aglcCannabis/aglc_cannabis_licensee_report_2025-11.csv"):
        line, province = join_parts(row["Site Address Line 1"], row["Site Address Line 2"]), row["Site Province Abbrev"]
        if province in PROVINCES and line != "":
            yield AddressFields(line, row["Site City Name"], province, row["Site Postal Code"] or None, _parts_of_plain(line))


def _stores(folder: Path) -> Iterator[AddressFields]:
    for row in _table(folder / "regulatory/agcoCannabis/agco_crsa_web_export_2025-11.csv"):
        if row["Address"] != "" and row["Municipality or First Nation"] != "":
            yield AddressFields(row["Address"], row["Municipality or First Nation"], "ON", None, _parts_of_plain(row["Address"]))


def _providers(folder: Path) -> Iterator[AddressFields]:
    for row in _table(folder / _MOH_FILE):
        line = join_parts(row["ADDRESS_LINE_1"].rstrip(","), row["ADDRESS_LINE_2"])
        if line != "" and row["COMMUNITY"] != "":
            parts = _parts_of_plain(line)
            yield AddressFields(line, row["COMMUNITY"], "ON", row["POSTAL_CODE"] or None, parts, row["ENGLISH_NAME"] or None)


def _charities(folder: Path) -> Iterator[AddressFields]:
    for name in _CRA_FILES:
        for row in _table(folder / name, "\t"):
            cells = {key.strip(" :"): value for key, value in row.items()}
            if cells["Country"] == "CA" and cells["Address"] != "":
                line, city = cells["Address"], cells["City"]
                yield AddressFields(
                    line,
                    city,
                    cells["Province, territory, outside of Canada"],
                    cells["Postal code/Zip code"] or None,
                    _parts_of_plain(line),
                )


ADDRESS_SOURCES: dict[str, Callable[[Path], Iterator[AddressFields]]] = {
    "on": _ontario,
    "vancouverBusinessLicences": _vancouver,
    "aglcCannabis": _alberta,
    "agcoCannabis": _stores,
    "mohServiceProviders": _providers,
    "craCharities": _charities,
}
