"""Build the listed entity of a record of the list, or of an item that is only in a regulation.

Neither has nationalities: the country field of the list is the regulation.
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
    """An item of a regulation, with the regulation's number and the list's name of its program."""

    number: str
    program: str
    item: ScheduleItem

    def party(self, *, person: bool = False) -> RegulationParty:
        """Parse the text of the item; `person` says whether it is known to be a person."""
        return parse_party(self.item.text, person=person) if not self.item.cells else RegulationParty(self.item.text, ())

    def ship_numbers(self) -> list[RegistrationNumber]:
        """Return the IMO number of a ship in a table; nothing for other parties."""
        return [number for cell in self.item.cells for number in extract_ship_numbers(cell)]


def get_program(record: AutonomousListRecord) -> str:
    """Return the English name of the regulation on the list."""
    return split_languages(record.regime or "")[0]


def classify_record(record: AutonomousListRecord) -> EntityKind:
    """Determine the type from the fields that the record has. Entities have no title, so a title is a ship's type."""
    if extract_ship_numbers(record.imo) or (record.entity is not None and record.title is not None):
        return EntityKind.VESSEL
    return EntityKind.ORGANIZATION if record.entity is not None else EntityKind.PERSON


def build_record_entity(record: AutonomousListRecord, printed: str, entry_id: str, law: RegulationItem | None) -> ListedEntity:
    """Build the entity of a record, with the other names and date of birth that only the regulation has."""
    kind, program = classify_record(record), get_program(record)
    main, birth = split_birth(printed) if kind is EntityKind.PERSON else (printed, None)
    main, french = (main, None) if kind is EntityKind.PERSON else split_languages(main)
    aliases = [*([french] if french is not None else []), *split_aliases(record.aliases or "")]
    party = law.party(person=kind is EntityKind.PERSON) if law is not None else _NO_PARTY
    names = _build_names(kind, main, aliases, party)
    born = _combine_births(_read_day(record.born_or_built) or birth, party.birth) if kind is EntityKind.PERSON else []
    return ListedEntity(
        entry_id=entry_id,
        entity_type=kind,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=(program,) if program else (),
        identifiers=tuple(extract_ship_numbers(record.imo)),
        listing_date=_read_day(record.listed),
        date_of_birth="; ".join(born) or None,
        birth_dates=tuple(dict.fromkeys(found for text in born for found in parse_birth_dates(text))),
        remarks=_build_remarks(record, kind),
    )


def build_regulation_entity(regulated: RegulationItem, entry_id: str) -> ListedEntity:
    """Build the entity of an item that is not on the list."""
    item = regulated.item
    kind = _classify_item(item, regulated.party())
    party = regulated.party(person=kind is EntityKind.PERSON)
    names = _build_names(kind, party.name, [], party)
    labelled = {
        "Only in the regulation": regulated.number,
        "Schedule": item.schedule,
        "Item": item.label,
        "Text in force since": item.in_force,
        "Text": party.remark,
    }
    return ListedEntity(
        entry_id=entry_id,
        entity_type=kind,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=(regulated.program,),
        identifiers=tuple(regulated.ship_numbers()),
        date_of_birth=party.birth if kind is EntityKind.PERSON else None,
        birth_dates=parse_birth_dates(party.birth) if kind is EntityKind.PERSON else (),
        remarks=_format_labelled(labelled),
    )


def _classify_item(item: ScheduleItem, party: RegulationParty) -> EntityKind:
    heading = (item.heading or "").casefold()
    if item.cells:
        return EntityKind.VESSEL
    # In law, "persons" are individuals and entities. Only a legal form identifies an entity.
    if "entit" in heading or ("individual" not in heading and party.birth is None and normalise(party.name).legal_forms):
        return EntityKind.ORGANIZATION
    return EntityKind.PERSON


def _build_names(kind: EntityKind, main: str, aliases: list[str], party: RegulationParty) -> ListedNames:
    """Collect the names. Single words for a person ("Alexei"), abbreviations and possible parts of names are weak."""
    # "A and B" is not one name when the list has both.
    listed = set(map(_normalize_name, aliases))
    lawful = party.aliases if not party.unsure or not listed.issuperset(map(_normalize_name, party.unsure)) else ()
    others = list(dict.fromkeys([*aliases, *([party.name] if party.name else []), *lawful]))
    graded = [(name, kind is EntityKind.PERSON and " " not in name) for name in others]
    if kind is not EntityKind.PERSON:
        graded += [form for name in (main, *others) for form in expand_bracket_forms(name)]
    return build_names(main, _skip_same_spelling([main], [*graded, *((name, True) for name in party.unsure)]))


def _skip_same_spelling(known: list[str], others: list[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Yield the names, without those that differ from an earlier one only in apostrophes and case."""
    seen = {_normalize_name(name) for name in known}
    for name, is_weak in others:
        if _normalize_name(name) not in seen or is_weak:
            seen.add(_normalize_name(name))
            yield name, is_weak


def _normalize_name(name: str) -> str:
    return name.casefold().replace("’", "'")


def _combine_births(listed: str | None, law: str | None) -> list[str]:
    """Return both dates if they differ: the list's, then the regulation's."""
    if listed is None or law is None:
        return [text for text in (listed, law) if text is not None]
    return [listed] if parse_birth_dates(listed) == parse_birth_dates(law) else [listed, law]


def extract_ship_numbers(text: str | None) -> list[RegistrationNumber]:
    """Return the valid ship numbers in the text; for some people, the field has other text."""
    return [number for number in extract_imo_numbers(text) if number.label == SHIP_NUMBER]


def _read_day(text: str | None) -> str | None:
    """Return the date as published, even an impossible one; a spreadsheet serial number (31801) is converted."""
    if text is None or _EXCEL_SERIAL.fullmatch(text) is None:
        return text
    return (_EXCEL_DAY_ZERO + timedelta(days=int(text))).isoformat()


def _build_remarks(record: AutonomousListRecord, kind: EntityKind) -> str | None:
    """Join the data without a field of its own: schedule and item, title or ship type, build date, text in the IMO field."""
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
