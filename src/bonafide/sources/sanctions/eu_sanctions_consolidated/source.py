"""The EU's consolidated list of financial sanctions: one entry a party, from the XML or, when that can't be had, from the CSV.

The XML is made when it is asked for, which takes more than a minute and fails in bursts: then the CSV of the same data is taken.
Parties are told apart by their EU reference; the few that have none by the number of the database.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.formats.xml_elements import is_xml, read_root_attributes
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_with_fallback
from bonafide.sources.sanctions.eu_sanctions_consolidated.csv_list import read_list
from bonafide.sources.sanctions.eu_sanctions_consolidated.listed_entity import EuParty, build_listed_entity
from bonafide.sources.sanctions.eu_sanctions_consolidated.xml_list import read_xml


async def fetch(context: FetchContext) -> list[Resource]:
    """The list in one of its forms. Raises a `SourceError`."""
    return await download_with_fallback(context, context.metadata.resource("xml_full"), context.metadata.resource("csv_full"))


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The parties of all files. Raises `ParseFailed` for a file that is neither form of the list, or has no party in it."""
    used: Counter[str] = Counter()
    for resource in resources:
        before = context.report.rows
        for line, party in _read_parties(resource, context):
            entry = _build_entry(party, resource, line, context)
            if entry is not None:
                used[entry.entry_id] += 1
                again = used[entry.entry_id]
                yield entry if again == 1 else entry.model_copy(update={"entry_id": f"{entry.entry_id} #{again}"})
        if context.report.rows == before:
            raise ParseFailed(f"{context.metadata.key}: {resource.name}: there is no party in it")


def _read_parties(resource: Resource, context: ParseContext) -> Iterator[tuple[int, EuParty]]:
    if not is_xml(resource):
        yield from read_list(resource, context)
        return
    context.set_as_of(_read_generation_date(resource))
    yield from read_xml(resource, context)


def _read_generation_date(resource: Resource) -> date:
    text = read_root_attributes(resource).get("generationDate", "")
    try:
        return datetime.fromisoformat(text).date()
    except ValueError as error:
        raise ParseFailed(f"{resource.name}: not the list that is known: it doesn't say when it was made") from error


def _build_entry(party: EuParty, resource: Resource, line: int, context: ParseContext) -> ListedEntity | None:
    kind = context.term(party.subject)
    if kind not in set(EntityKind):
        context.reject(resource, line, f"a party of a kind that is not known: {party.subject!r}")
        return None
    entry_id = party.reference or f"logical id {party.logical_id}"
    try:
        return build_listed_entity(party, EntityKind(kind), entry_id)
    except ValueError as error:
        context.reject(resource, line, str(error))
        return None
