"""Read the parties of real sanctions lists from the publishers' files in a folder.

The readers take names, aliases, kinds, dates of birth and identifiers only. They do not use the parsers of the sources, so that a
fault in a parser does not hide one in the scoring. No name of these files is in the repository.
"""

import csv
import gzip
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from bonafide.matching.identifiers.number_matching import is_imo_number
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity

_KINDS = {
    "individual": EntityKind.PERSON, "Individual": EntityKind.PERSON, "Person": EntityKind.PERSON,
    "vessel": EntityKind.VESSEL, "Vessel": EntityKind.VESSEL, "Ship": EntityKind.VESSEL,
    "aircraft": EntityKind.AIRCRAFT,
}  # fmt: skip
_ALIAS_COLUMN, _REMARKS_COLUMN = 3, 11
"""Of OFAC's CSV files, which have no header."""
_OFAC_BIRTH = re.compile(r"\bDOB (?:circa )?(?:\d{1,2} )?(?:[A-Z][a-z]{2} )?((?:19|20)\d\d)")
_OFAC_NUMBER = re.compile(
    r"\b(Passport|Tax ID No\.|Registration ID|Registration Number|IMO|National ID No\.|Identification Number|Cedula No\.)"
    r" ([A-Z]{0,3}\d[\w/-]{4,})"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBER = re.compile(r"\b[A-Z]{0,3}\d[\dA-Z/-]{4,}\b")


def ofac(folder: Path) -> Iterator[ListedEntity]:
    """The whole list of November 2022, with the aliases of December 2025."""
    aliases: dict[str, list[str]] = defaultdict(list)
    for row in _csv(folder / "us_ofac/set_2025-12_partial/alt.csv.gz"):
        if len(row) > _ALIAS_COLUMN:
            aliases[row[0]].append(row[_ALIAS_COLUMN])
    for row in _csv(folder / "us_ofac/sdn_2022-11-28.csv.gz"):
        if len(row) > _REMARKS_COLUMN:
            remarks = row[_REMARKS_COLUMN]
            numbers = [_number(label, value) for label, value in _OFAC_NUMBER.findall(remarks)]
            births = _OFAC_BIRTH.findall(remarks)
            yield _Party(row[1], _kind(row[2].strip()), aliases[row[0]], births=births, numbers=numbers).entity(f"us:{row[0]}")


def ofac_consolidated(folder: Path) -> Iterator[ListedEntity]:
    """The smaller list beside it, of December 2025."""
    aliases: dict[str, list[str]] = defaultdict(list)
    for row in _csv(folder / "us_ofac/cons_2025-12-19/cons_alt.csv.gz"):
        if len(row) > _ALIAS_COLUMN:
            aliases[row[0]].append(row[_ALIAS_COLUMN])
    for row in _csv(folder / "us_ofac/cons_2025-12-19/cons_prim.csv.gz"):
        if len(row) > _REMARKS_COLUMN:
            births = _OFAC_BIRTH.findall(row[_REMARKS_COLUMN])
            yield _Party(row[1], _kind(row[2].strip()), aliases[row[0]], births=births).entity(f"usc:{row[0]}")


def united_nations(folder: Path) -> Iterator[ListedEntity]:
    """The list of February 2026."""
    root = etree.fromstring(gzip.decompress((folder / "un_sc/consolidated_2026-02-27.xml.gz").read_bytes()))
    for tag, kind in (("INDIVIDUAL", EntityKind.PERSON), ("ENTITY", EntityKind.ORGANIZATION)):
        for node in root.iter(tag):
            parts = [_text(node, f"{number}_NAME") for number in ("FIRST", "SECOND", "THIRD", "FOURTH")]
            strong = [_text(node, "NAME_ORIGINAL_SCRIPT")]
            weak: list[str] = []
            for alias in node.iter(f"{tag}_ALIAS"):
                names = _text(alias, "ALIAS_NAME").split("; ")
                (weak if _text(alias, "QUALITY") == "Low" else strong).extend(names)
            written = ["".join(map(str, birth.itertext())) for birth in node.iter(f"{tag}_DATE_OF_BIRTH")]
            births = [year for text in written for year in _YEAR.findall(text)]
            numbers = [_number(_text(item, "TYPE_OF_DOCUMENT"), _text(item, "NUMBER")) for item in node.iter("INDIVIDUAL_DOCUMENT")]
            reference = _text(node, "REFERENCE_NUMBER")
            numbers.append(_number("UN reference", reference))
            yield _Party(" ".join(filter(None, parts)), kind, strong, weak, births, numbers).entity(f"un:{reference}")


def canada(folder: Path) -> Iterator[ListedEntity]:
    """The autonomous list of July 2026."""
    root = etree.fromstring(gzip.decompress((folder / "ca/sema-lmes_reconstructed_2026-07.xml.gz").read_bytes()))
    for place, record in enumerate(root.iter("record")):
        fields = {child.tag.partition("-")[0]: (child.text or "").strip() for child in record}
        entity, imo = fields.get("EntityOrShip", ""), fields.get("ShipIMONumber", "")
        kind = EntityKind.VESSEL if is_imo_number(imo) else EntityKind.ORGANIZATION if entity else EntityKind.PERSON
        name = entity or f"{fields.get('GivenName', '')} {fields.get('LastName', '')}"
        name = re.split(r",? \(?born |, date of birth", name)[0]
        aliases = [re.sub(r"^[A-Z][a-z]+: ", "", alias) for alias in fields.get("Aliases", "").split("; ")]
        weak = [alias for alias in aliases if kind is EntityKind.PERSON and " " not in alias]
        births = _YEAR.findall(fields.get("DateOfBirthOrShipBuildDate", "")) if kind is EntityKind.PERSON else []
        numbers = [_number("IMO", imo)] if kind is EntityKind.VESSEL else []
        strong = [alias for alias in aliases if alias not in weak]
        yield _Party(name.strip(), kind, strong, weak, births, numbers).entity(f"ca:{place}")


def european_union(folder: Path) -> Iterator[ListedEntity]:
    """The annexes of August 2026."""
    for path in sorted((folder / "eu/oj_annexes_2026-08/consolidated").glob("*.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                aliases = [*row["alias"].split("; "), *row["previousName"].split("; ")]
                columns = ("imoNumber", "innCode", "ogrnCode", "registrationNumber", "passportNumber", "taxNumber", "idNumber")
                numbers = [_number(column, value) for column in columns for value in _NUMBER.findall(row[column])]
                births = _YEAR.findall(row["birthDate"])
                found = _Party(row["name"], _kind(row["schema"]), aliases, row["weakAlias"].split("; "), births, numbers)
                yield found.entity(f"eu:{row['celex']}/{row['annex']}/{row['recordId']}")


def united_kingdom(folder: Path) -> Iterator[ListedEntity]:
    """The names of 2018 in the present layout; one row a name and address."""
    groups: dict[str, list[dict[str, str]]] = defaultdict(list)
    with gzip.open(folder / "uk/UK-Sanctions-List_reconstructed_from_ConList.csv.gz", "rt", encoding="utf-8", newline="") as lines:
        next(lines)
        for row in csv.DictReader(lines):
            groups[row["Unique ID"]].append(row)
    for key, rows in groups.items():
        names = [(" ".join(filter(None, (row[f"Name {n}"].strip() for n in (1, 2, 3, 4, 5, 6)))), row) for row in rows]
        names.sort(key=lambda item: not item[1]["Name type"].lower().startswith("primary"))
        weak = [name for name, row in names if row["Alias strength"].lower().startswith("low")]
        strong = [name for name, row in names if name not in weak]
        scripts = [row["Name non-latin script"] for row in rows]
        births = [year for row in rows for year in _YEAR.findall(row["D.O.B"])]
        numbers = [_number("Passport", value) for row in rows for value in _NUMBER.findall(row["Passport number"])]
        numbers += [_number("UN reference", row["UN Reference Number"]) for row in rows]
        kind = _kind(rows[0]["Designation Type"])
        yield _Party(names[0][0], kind, [*strong[1:], *scripts], weak, births, numbers).entity(f"uk:{key}")


def ukraine(folder: Path) -> Iterator[ListedEntity]:
    """The targets of the Ukrainian list of March 2026, in the layout of OpenSanctions (CC BY-NC 4.0: measurements only)."""
    with gzip.open(folder / "opensanctions/ua_war_sanctions_2026-03-13.targets.simple.csv.gz", "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            numbers = [_number("identifier", value) for value in row["identifiers"].split(";")]
            births = _YEAR.findall(row["birth_date"])
            found = _Party(row["name"], _kind(row["schema"]), row["aliases"].split(";"), births=births, numbers=numbers)
            yield found.entity(f"ua:{row['id']}")


READERS = (canada, united_nations, ofac, ofac_consolidated, european_union, united_kingdom)


def read_all(folder: Path) -> list[ListedEntity]:
    """Every party of every list. Its entry id begins with its list's letters."""
    return [entity for reader in READERS for entity in reader(folder)]


def _csv(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", errors="replace", newline="") as lines:
        yield from csv.reader(lines)


def _text(node: etree._Element, tag: str) -> str:
    return (node.findtext(tag) or "").strip()


def _kind(word: str) -> EntityKind:
    return _KINDS.get(word, EntityKind.ORGANIZATION)


def _number(label: str, value: str) -> tuple[str, str]:
    return label, value.strip()


@dataclass(slots=True)
class _Party:
    """What a reader has found of one party."""

    name: str
    kind: EntityKind
    strong: Iterable[str] = ()
    weak: Iterable[str] = ()
    births: Iterable[str] = ()
    numbers: Iterable[tuple[str, str]] = ()

    def entity(self, entry_id: str) -> ListedEntity:
        """The same as a list's entry: each name once, none that is empty."""
        strong, weak = (list(dict.fromkeys(text.strip() for text in texts if _is_name(text))) for texts in (self.strong, self.weak))
        births = tuple(dict.fromkeys(self.births))
        return ListedEntity(
            entry_id=entry_id,
            entity_type=self.kind,
            name=self.name,
            aliases=tuple(alias for alias in strong if alias != self.name),
            weak_aliases=tuple(alias for alias in weak if alias not in strong),
            identifiers=tuple(
                RegistrationNumber(label=label or "-", value=value) for label, value in dict.fromkeys(self.numbers) if value
            ),
            birth_dates=births,
            date_of_birth="; ".join(births) or None,
        )


def _is_name(text: str) -> bool:
    return any(character.isalnum() for character in text)
