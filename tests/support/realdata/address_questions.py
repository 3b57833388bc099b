"""Real addresses as questions: a row's columns, joined by rule into one line as people write it, and the columns as the answer.

How a row is joined, and whether it is kept back from whoever tunes the parser, is drawn from a hash of the row and never
changes. It knows which column is what; nothing here takes a line apart but by the plainest of shapes.
"""

import csv
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Row = Mapping[str, str]
MAX_A_SOURCE = 400
_ON_FILES = ("registries/ON/OntarioTOB_LegalCorpSample.csv", "registries/ON/OntarioTOB_BNLPSample.csv")
_MOH_FILE = "regulatory/mohServiceProviders/moh_service_provider_locations_2025-04.csv"
_VANCOUVER_FILE = "regulatory/vancouverBusinessLicences/business-licences_restaurants_2024-2025_export.csv"
_CRA_FILES = (
    "regulatory/craCharities/charities_results_12col_2022_sample.txt",
    "regulatory/craCharities/charities_results_14col_2026-05-02_excerpt.txt",
)
_PROVINCES = {
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
"""A line of the plainest shape: `5-123 Main St W`, `123 10 Ave SW`, `123 Main St Unit 5`."""
_NOT_PLAIN = re.compile(
    r"\b(?:unit|suite|box|bldg|building|floor|rr|r r|hwy|highway|line|concession|road (?:[a-z]|no)|county|regional|lot)\b",
    re.IGNORECASE,
)
_UNITS = re.compile(rf"(?:{_UNIT})(?: ?[&,] ?(?:{_UNIT}))*")
_BOX = re.compile(r"(?:p\.? ?o\.? )?box (\w+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """A line, what its columns say of it, and where it comes from. A field that is not among the answers is not asked for."""

    source: str
    form: str
    line: str
    answer: dict[str, str | None]
    held_back: bool


@dataclass(frozen=True, slots=True)
class Place:
    """What the columns say: the whole of the street line, what is known of its parts, and the town."""

    line: str
    city: str
    province: str
    postal_code: str | None = None
    parts: dict[str, str | None] = field(default_factory=dict)


def questions(folder: Path) -> list[Question]:
    """Every question, the same ones each time."""
    return [_question(source, place) for source, places in _SOURCES.items() for place in _drawn(places(folder))]


def _drawn(places: Iterable[Place]) -> list[Place]:
    """At most so many different places of a source, those of which the columns tell a unit first."""
    distinct = {_digest(place): place for place in places}
    drawn = sorted(distinct, key=lambda digest: (distinct[digest].parts.get("unit") is None, digest))
    units = [digest for digest in drawn if distinct[digest].parts.get("unit") is not None][: MAX_A_SOURCE // 2]
    others = sorted(set(drawn) - set(units))
    return [distinct[digest] for digest in (units + others)[:MAX_A_SOURCE]]


def _digest(place: Place) -> bytes:
    return hashlib.sha256("|".join((place.line, place.city, place.province, place.postal_code or "")).casefold().encode()).digest()


def _question(source: str, place: Place) -> Question:
    digest = _digest(place)
    forms = list(_FORMS)
    form = forms[digest[1] % len(forms)]
    line, country = _FORMS[form](place)
    answer = {**place.parts, "line": place.line, "city": place.city, "province": place.province}
    answer |= {"postalCode": place.postal_code, "country": country}
    return Question(source, form, line, answer, held_back=digest[0] % 2 == 0)


# ------------------------------------------------------------------------------------------------------------- how a line is joined


def _names(place: Place) -> tuple[str, str]:
    return _PROVINCES.get(place.province, (place.province, place.province))


def _joined(*parts: str | None, by: str = ", ") -> str:
    return by.join(part for part in parts if part)


_FORMS: dict[str, Callable[[Place], tuple[str, str | None]]] = {
    "commas": lambda it: (_joined(it.line, it.city, it.province, it.postal_code), None),
    "canada": lambda it: (_joined(it.line, it.city, _joined(it.province, it.postal_code, by=" "), "Canada"), "Canada"),
    "post": lambda it: (_joined(it.line, _joined(it.city, it.province, it.postal_code, by="  ")), None),
    "name": lambda it: (_joined(it.line, it.city, _names(it)[0], it.postal_code, "CA"), "CA"),
    "french": lambda it: (_joined(it.line, _joined(it.city, f"({_names(it)[1]})", it.postal_code, by=" ")), None),
    "lines": lambda it: (_joined(it.line, _joined(it.city, it.province, by=", "), it.postal_code, "CANADA", by="\n"), "CANADA"),
    "compact": lambda it: (_joined(it.line, it.city, it.province, (it.postal_code or "").replace(" ", "").lower()).lower(), None),
    "spaces": lambda it: (_joined(it.line, it.city, it.province, it.postal_code, by=" "), None),
}
"""How the town is joined to the street line, and what country that names."""

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


# ---------------------------------------------------------------------------------------------------------- what the columns answer


def _parts(unit: str | None, number: str, street: str) -> dict[str, str | None]:
    return {"unit": unit, "number": number, "street": street, **_type_and_direction(street)}


def _type_and_direction(street: str) -> dict[str, str | None]:
    """The type, and the direction behind it, where the last words of a street are such words; else they are not asked for."""
    *name, last = street.lower().replace(".", "").split()
    direction = None
    if last in _DIRECTIONS and name:
        direction = _DIRECTIONS[last]
        *name, last = name
    if last not in _TYPES or not name or name[0] in {*_TYPES, *_DIRECTIONS, "the"} or name[-1] in _DIRECTIONS:
        return {}
    return {"kind": _TYPES[last], "direction": direction}


def _parts_of_plain(line: str) -> dict[str, str | None]:
    """What a line of the plainest shape says of itself; nothing of any other."""
    found = _PLAIN_LINE.fullmatch(line)
    if found is None or _NOT_PLAIN.search(found["street"]) is not None or (found["before"] and found["behind"]):
        return {}
    if _may_be_range(found["before"] or "", found["number"]):
        return {}
    return _parts(found["before"] or found["behind"], found["number"], found["street"])


def _may_be_range(one: str, other: str) -> bool:
    """Whether "203-207" may be a row of doors as well as a unit and a number; the columns don't say which."""
    return one.isdigit() and other.isdigit() and len(one) == len(other) > 1 and 0 < int(other) - int(one) <= 10


def _cells(row: Mapping[str | None, str | None]) -> dict[str, str]:
    return {key: " ".join((value or "").split()) for key, value in row.items() if key is not None}


def _table(path: Path, delimiter: str = ",") -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        yield from map(_cells, csv.DictReader(stream, delimiter=delimiter))


def _ontario(folder: Path) -> Iterator[Place]:
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
        yield Place(_joined(line.strip(), more), city, row["Province"], row["Postal code"] or None, parts)


def _vancouver(folder: Path) -> Iterator[Place]:
    for row in _table(folder / _VANCOUVER_FILE, ";"):
        unit = row["Unit"] or None
        if row["House"] == "" or row["Street"] == "" or (unit is not None and _UNITS.fullmatch(unit) is None):
            continue
        line = _with_unit(unit, row["House"], row["Street"])
        yield Place(line, row["City"], row["Province"], row["PostalCode"] or None, _parts(unit, row["House"], row["Street"]))


def _alberta(folder: Path) -> Iterator[Place]:
    for row in _table(folder / "regulatory/aglcCannabis/aglc_cannabis_licensee_report_2025-11.csv"):
        line, province = _joined(row["Site Address Line 1"], row["Site Address Line 2"]), row["Site Province Abbrev"]
        if province in _PROVINCES and line != "":
            yield Place(line, row["Site City Name"], province, row["Site Postal Code"] or None, _parts_of_plain(line))


def _stores(folder: Path) -> Iterator[Place]:
    for row in _table(folder / "regulatory/agcoCannabis/agco_crsa_web_export_2025-11.csv"):
        if row["Address"] != "" and row["Municipality or First Nation"] != "":
            yield Place(row["Address"], row["Municipality or First Nation"], "ON", None, _parts_of_plain(row["Address"]))


def _providers(folder: Path) -> Iterator[Place]:
    for row in _table(folder / _MOH_FILE):
        line = _joined(row["ADDRESS_LINE_1"].rstrip(","), row["ADDRESS_LINE_2"])
        if line != "" and row["COMMUNITY"] != "":
            yield Place(line, row["COMMUNITY"], "ON", row["POSTAL_CODE"] or None, _parts_of_plain(line))


def _charities(folder: Path) -> Iterator[Place]:
    for name in _CRA_FILES:
        for row in _table(folder / name, "\t"):
            cells = {key.strip(" :"): value for key, value in row.items()}
            if cells["Country"] == "CA" and cells["Address"] != "":
                line, city = cells["Address"], cells["City"]
                yield Place(
                    line,
                    city,
                    cells["Province, territory, outside of Canada"],
                    cells["Postal code/Zip code"] or None,
                    _parts_of_plain(line),
                )


_SOURCES: dict[str, Callable[[Path], Iterator[Place]]] = {
    "on": _ontario,
    "vancouverBusinessLicences": _vancouver,
    "aglcCannabis": _alberta,
    "agcoCannabis": _stores,
    "mohServiceProviders": _providers,
    "craCharities": _charities,
}
