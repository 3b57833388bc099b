"""Canada's autonomous sanctions: one entry a record, kept apart by regulation, schedule and item, as the list has no ids.

The file is read twice: first to see that its records still have names and which keys stand twice, then for the entries. It takes
no nationality from the list, as there is none in it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from bonafide.errors import ParseFailed
from bonafide.matching.identifiers import is_imo_number
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.sanctions.ca_sanctions_autonomous.names import halves, split_aliases, split_birth
from bonafide.sources.sanctions.ca_sanctions_autonomous.records import Record, read_records

MIN_NAMED_SHARE = 0.99
"""Below this the tags have changed under us: an empty record must never pass for a cleared name."""
_IMO = re.compile(r"(?<!\d)\d{7}(?!\d)")
_EXCEL_DAY_ZERO = date(1899, 12, 30)
_EXCEL_SERIAL = re.compile(r"[1-4]\d{4}")
"""10000 to 49999: May 1927 to November 2036."""


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of a listing. Weak is a single word beside a person: a spelling of one name ("Alexei") or a byname ("Motorola")."""

    main: str
    aliases: tuple[str, ...]
    weak: tuple[str, ...]
    birth: str | None
    """A date of birth that is printed behind the name."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The listings of all files. Raises `ParseFailed` before the first one when too few records have a name."""
    counts = _survey(resources, context)
    used: Counter[str] = Counter()
    for resource in resources:
        for record in read_records(resource, context.metadata.terms):
            context.row()
            name = record.printed_name
            if name is None:
                context.reject(resource, record.line, "no name in any field that is known")
                continue
            key = _key(record)
            entry_id = key if counts[key] == 1 else f"{key} | {name}"
            used[entry_id] += 1
            yield _entity(record, name, entry_id if used[entry_id] == 1 else f"{entry_id} #{used[entry_id]}")


def _survey(resources: Sequence[Resource], context: ParseContext) -> Counter[str]:
    """How often each key stands in the files; unknown tags are counted in the report."""
    keys: Counter[str] = Counter()
    named = 0
    unknown: Counter[str] = Counter()
    for resource in resources:
        for record in read_records(resource, context.metadata.terms):
            keys[_key(record)] += 1
            named += record.printed_name is not None
            unknown.update(record.unknown_tags)
    if not keys:
        raise ParseFailed(f"{context.metadata.key}: {', '.join(resource.name for resource in resources)}: there is no record in it")
    context.report.unknown_terms.update({f"tag: {tag}": count for tag, count in unknown.items()})
    if named == 0 or named < keys.total() * MIN_NAMED_SHARE:
        tags = f"; new are {', '.join(sorted(unknown))}" if unknown else ""
        raise ParseFailed(f"{context.metadata.key}: only {named:,} of {keys.total():,} records have a name in a known field{tags}")
    return keys


def _key(record: Record) -> str:
    program, _ = halves(record.regime or "")
    return f"{program} | {record.schedule or '-'} | {record.item or record.printed_name}"


def _entity(record: Record, printed: str, entry_id: str) -> ListedEntity:
    imo = _imo(record.imo)
    kind = _kind(record, imo)
    names = _names(record, kind, printed)
    person = kind is EntityKind.PERSON
    program, _ = halves(record.regime or "")
    return ListedEntity(
        entry_id=entry_id,
        entity_type=kind,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=(program,) if program else (),
        identifiers=(RegistrationNumber(label="IMO number", value=imo),) if imo is not None else (),
        listing_date=_day(record.listed),
        date_of_birth=(_day(record.born_or_built) or names.birth) if person else None,
        remarks=_remarks(record, kind, imo),
    )


def _kind(record: Record, imo: str | None) -> EntityKind:
    """By which fields there are; an entity has no title, so what stands there is a ship's type."""
    if imo is not None or (record.entity is not None and record.title is not None):
        return EntityKind.VESSEL
    return EntityKind.ORGANIZATION if record.entity is not None else EntityKind.PERSON


def _names(record: Record, kind: EntityKind, printed: str) -> _Names:
    person = kind is EntityKind.PERSON
    main, birth = split_birth(printed) if person else (printed, None)
    main, french = (main, None) if person else halves(main)
    aliases = [*([french] if french is not None else []), *split_aliases(record.aliases or "")]
    others = [name for name in dict.fromkeys(aliases) if name.casefold() != main.casefold()]
    weak = tuple(name for name in others if person and " " not in name)
    return _Names(main, tuple(name for name in others if name not in weak), weak, birth)


def _imo(text: str | None) -> str | None:
    """The ship's number in the text, if its check digit holds; some people have other text in that field."""
    found = _IMO.search(text or "")
    return found[0] if found is not None and is_imo_number(found[0]) else None


def _day(text: str | None) -> str | None:
    """The date as it is printed, even an impossible one; only a bare spreadsheet serial (31801) becomes the day it stands for."""
    if text is None or _EXCEL_SERIAL.fullmatch(text) is None:
        return text
    return (_EXCEL_DAY_ZERO + timedelta(days=int(text))).isoformat()


def _remarks(record: Record, kind: EntityKind, imo: str | None) -> str | None:
    """What has no field of its own: where the regulation lists it, title or ship type, build date, text in the IMO field."""
    vessel = kind is EntityKind.VESSEL
    title = halves(record.title)[0] if record.title is not None else None
    labelled = {
        "Schedule": record.schedule,
        "Item": record.item,
        "Ship type" if vessel else "Title": title,
        "Built": _day(record.born_or_built) if vessel else None,
        "Date": _day(record.born_or_built) if kind is EntityKind.ORGANIZATION else None,
        "IMO field": record.imo if imo is None else None,
    }
    return "; ".join(f"{label}: {text}" for label, text in labelled.items() if text is not None) or None
