"""A record of the list, or an item that only a regulation has, as a listed entity.

It takes no nationality from either, as there is none in them: what the list calls a country is the regulation.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from bonafide.matching.names.normalization import normalise
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.sanctions.ca_sanctions_autonomous.list_records import (
    AutonomousListRecord,
    split_aliases,
    split_birth,
    split_languages,
)
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import ListedNames, build_names, expand_bracket_forms, extract_imo_numbers
from bonafide.sources.shared.lists.regulations import RegulationParty, ScheduleItem, parse_party

SHIP_NUMBER = "IMO number"
_EXCEL_DAY_ZERO = date(1899, 12, 30)
_EXCEL_SERIAL = re.compile(r"[1-4]\d{4}")
"""10000 to 49999: May 1927 to November 2036."""
_NO_PARTY = RegulationParty("", ())


@dataclass(frozen=True, slots=True)
class RegulationItem:
    """An item of a regulation, the regulation's number, and under which program the list has it."""

    number: str
    program: str
    item: ScheduleItem

    def party(self, *, person: bool = False) -> RegulationParty:
        """What the item's text says, if it is known to be a person's."""
        return parse_party(self.item.text, person=person) if not self.item.cells else RegulationParty(self.item.text, ())

    def ship_numbers(self) -> list[RegistrationNumber]:
        """The number of a ship in a table; none of anybody else."""
        return [number for cell in self.item.cells for number in extract_ship_numbers(cell)]


def get_program(record: AutonomousListRecord) -> str:
    """The regulation that the list names, in English."""
    return split_languages(record.regime or "")[0]


def classify_record(record: AutonomousListRecord) -> EntityKind:
    """By which fields there are; an entity has no title, so what stands there is a ship's type."""
    if extract_ship_numbers(record.imo) or (record.entity is not None and record.title is not None):
        return EntityKind.VESSEL
    return EntityKind.ORGANIZATION if record.entity is not None else EntityKind.PERSON


def build_record_entity(record: AutonomousListRecord, printed: str, entry_id: str, law: RegulationItem | None) -> ListedEntity:
    """The entity of a record, with what only the regulation tells of it: other names, a date of birth."""
    kind, program = classify_record(record), get_program(record)
    main, birth = split_birth(printed) if kind is EntityKind.PERSON else (printed, None)
    main, french = (main, None) if kind is EntityKind.PERSON else split_languages(main)
    aliases = [*([french] if french is not None else []), *split_aliases(record.aliases or "")]
    party = law.party(person=kind is EntityKind.PERSON) if law is not None else _NO_PARTY
    told = _build_names(kind, main, aliases, party)
    born = _combine_births(_read_day(record.born_or_built) or birth, party.birth) if kind is EntityKind.PERSON else []
    return ListedEntity(
        entry_id=entry_id,
        entity_type=kind,
        name=told.main,
        aliases=told.aliases,
        weak_aliases=told.weak,
        programs=(program,) if program else (),
        identifiers=tuple(extract_ship_numbers(record.imo)),
        listing_date=_read_day(record.listed),
        date_of_birth="; ".join(born) or None,
        birth_dates=tuple(dict.fromkeys(found for text in born for found in parse_birth_dates(text))),
        remarks=_build_remarks(record, kind),
    )


def build_regulation_entity(placed: RegulationItem, entry_id: str) -> ListedEntity:
    """The entity of an item that the list doesn't have."""
    item = placed.item
    kind = _classify_item(item, placed.party())
    party = placed.party(person=kind is EntityKind.PERSON)
    told = _build_names(kind, party.name, [], party)
    labelled = {
        "Only in the regulation": placed.number,
        "Schedule": item.schedule,
        "Item": item.label,
        "Text in force since": item.in_force,
        "Text": party.remark,
    }
    return ListedEntity(
        entry_id=entry_id,
        entity_type=kind,
        name=told.main,
        aliases=told.aliases,
        weak_aliases=told.weak,
        programs=(placed.program,),
        identifiers=tuple(placed.ship_numbers()),
        date_of_birth=party.birth if kind is EntityKind.PERSON else None,
        birth_dates=parse_birth_dates(party.birth) if kind is EntityKind.PERSON else (),
        remarks=_format_labelled(labelled),
    )


def _classify_item(item: ScheduleItem, party: RegulationParty) -> EntityKind:
    heading = (item.heading or "").casefold()
    if item.cells:
        return EntityKind.VESSEL
    # "Persons" are people and entities in law; of the latter only a legal form tells.
    if "entit" in heading or ("individual" not in heading and party.birth is None and normalise(party.name).legal_forms):
        return EntityKind.ORGANIZATION
    return EntityKind.PERSON


def _build_names(kind: EntityKind, main: str, aliases: list[str], party: RegulationParty) -> ListedNames:
    """Weak is a single word beside a person ("Alexei", "Motorola"), a bare abbreviation, and what may be half a name."""
    # "A and B" is not one name when the list has both.
    listed = set(map(_normalize_name, aliases))
    lawful = party.aliases if not party.unsure or not listed.issuperset(map(_normalize_name, party.unsure)) else ()
    others = list(dict.fromkeys([*aliases, *([party.name] if party.name else []), *lawful]))
    said = [(name, kind is EntityKind.PERSON and " " not in name) for name in others]
    if kind is not EntityKind.PERSON:
        said += [form for name in (main, *others) for form in expand_bracket_forms(name)]
    return build_names(main, _skip_same_spelling([main], [*said, *((name, True) for name in party.unsure)]))


def _skip_same_spelling(known: list[str], others: list[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """The names without those that differ from an earlier one in apostrophes and capitals only."""
    seen = {_normalize_name(name) for name in known}
    for name, is_weak in others:
        if _normalize_name(name) not in seen or is_weak:
            seen.add(_normalize_name(name))
            yield name, is_weak


def _normalize_name(name: str) -> str:
    return name.casefold().replace("’", "'")


def _combine_births(listed: str | None, law: str | None) -> list[str]:
    """Both dates where they differ: the list's, then the regulation's."""
    if listed is None or law is None:
        return [text for text in (listed, law) if text is not None]
    return [listed] if parse_birth_dates(listed) == parse_birth_dates(law) else [listed, law]


def extract_ship_numbers(text: str | None) -> list[RegistrationNumber]:
    """The ship's number in the text, if its check digit holds; some people have other text in that field."""
    return [number for number in extract_imo_numbers(text) if number.label == SHIP_NUMBER]


def _read_day(text: str | None) -> str | None:
    """The date as it is printed, even an impossible one; only a bare spreadsheet serial (31801) becomes the day it stands for."""
    if text is None or _EXCEL_SERIAL.fullmatch(text) is None:
        return text
    return (_EXCEL_DAY_ZERO + timedelta(days=int(text))).isoformat()


def _build_remarks(record: AutonomousListRecord, kind: EntityKind) -> str | None:
    """What has no field of its own: where the regulation lists it, title or ship type, build date, text in the IMO field."""
    vessel = kind is EntityKind.VESSEL
    title = split_languages(record.title)[0] if record.title is not None else None
    return _format_labelled(
        {
            "Schedule": record.schedule,
            "Item": record.item,
            "Ship type" if vessel else "Title": title,
            "Built": _read_day(record.born_or_built) if vessel else None,
            "Date": _read_day(record.born_or_built) if kind is EntityKind.ORGANIZATION else None,
            "IMO field": record.imo if not extract_ship_numbers(record.imo) else None,
        }
    )


def _format_labelled(texts: dict[str, str | None]) -> str | None:
    return "; ".join(f"{label}: {text}" for label, text in texts.items() if text is not None) or None
