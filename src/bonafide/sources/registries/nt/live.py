"""Query the search page of the corporate registries of the Northwest Territories: names, entity types and statuses.

The page has one line for each name, so the lines of an entity are combined. Profiles need a login and a fee, and are not read.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.model.entity import NameHistoryItem, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.live import MAX_RESULTS, LiveContext, LiveQuery, RegistrationQuery, require_number
from bonafide.sources.shared.entity_search import EntitySearchRow, EntitySearchSite, search_entities, search_number

SITE = EntitySearchSite(
    numbers=NumberType.NORTHWEST_TERRITORIES_FILE,
    record="company",
    status="real-status",
    by_name="search_name",
    by_number="reference",
    others=(("search_name", ""), ("reference", ""), ("btnSearch", "")),
    page="page",
)
GOOD_STANDING = {"In Compliance": True, "In Default": False}
"""Entities with annual filings have these statuses. For `Active`, and for entities transferred to Nunavut, it is unknown."""
LEGAL, FORMER = "legal", "former"
"""The meanings of name types in `source.yml`; the third is any other name."""


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """The entities with a number, or a current or former name. Raises a `SourceError`."""
    return _build_entries(await search_entities(query, SITE, context), context)[:MAX_RESULTS]


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """The entity with a file number. It has no more data than the results of `find`. Raises a `SourceError`."""
    number = require_number(registration.number, SITE.numbers)
    entries = _build_entries(await search_number(number, SITE, context), context)
    return next((entry for entry in entries if entry.entry_id == number), None)


def _build_entries(lines: Iterable[EntitySearchRow], context: LiveContext) -> list[RegistryEntry]:
    files: dict[str, list[EntitySearchRow]] = defaultdict(list)
    for line in lines:
        files[line.number].append(line)
    return [_build_entry(number, named, context) for number, named in files.items()]


def _build_entry(number: str, lines: list[EntitySearchRow], context: LiveContext) -> RegistryEntry:
    """One entity with all its names. The first is the legal name if the page marks none."""
    kinds = {line: _read_entity_type(line, context) for line in lines}
    main = next((line for line in lines if kinds[line] == LEGAL), lines[0])
    others = [line for line in lines if line.name != main.name]
    former = [line.name for line in lines if kinds[line] == FORMER] + [
        line.former_name for line in lines if line.former_name is not None
    ]
    return RegistryEntry(
        entry_id=number,
        jurisdiction=Jurisdiction.NT,
        legal_name=main.name,
        alternate_names=tuple(dict.fromkeys(line.name for line in others if kinds[line] != FORMER)),
        name_history=tuple(NameHistoryItem(type="former", name=name) for name in dict.fromkeys(former)),
        registration_numbers=(RegistrationNumber(label=str(context.metadata.number_label), value=number),),
        entity_type=main.entity_type,
        status=main.status,
        status_code=context.words.status(main.status),
        good_standing=GOOD_STANDING.get(main.status) if main.status is not None else None,
        home_jurisdiction=parse_home_jurisdiction(main.jurisdiction, Jurisdiction.NT),
    )


def _read_entity_type(line: EntitySearchRow, context: LiveContext) -> str:
    return context.words.term(line.name_type) if line.name_type is not None else LEGAL
