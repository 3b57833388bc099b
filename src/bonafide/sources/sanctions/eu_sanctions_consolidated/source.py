"""The EU's consolidated list of financial sanctions: one entry for each party, from the XML or, if that is unavailable, the CSV.

The XML is generated on request, which takes more than a minute and often fails; then the CSV with the same data is downloaded.
Parties are identified by their EU reference, the few without one by their number in the database.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.formats.xml_elements import is_xml, read_root_attributes
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_with_fallback
from bonafide.sources.sanctions.eu_sanctions_consolidated.csv_list import read_list
from bonafide.sources.sanctions.eu_sanctions_consolidated.listed_entity import EuParty, build_listed_entity
from bonafide.sources.sanctions.eu_sanctions_consolidated.xml_list import read_xml


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the list in one of its formats. Raises a `SourceError`."""
    return await download_with_fallback(context, context.metadata.resource("xml_full"), context.metadata.resource("csv_full"))


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the parties of all files. Raises `ParseFailed` for a file in neither format of the list, or without parties."""
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
            raise ParseFailed(Message("{file}: the file contains no listed parties", file=resource.name))


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
        raise ParseFailed(Message("{file}: the date of the list is missing", file=resource.name)) from error


def _build_entry(party: EuParty, resource: Resource, line: int, context: ParseContext) -> ListedEntity | None:
    kind = context.term(party.subject)
    if kind not in set(EntityKind):
        context.reject(resource, line, Message("unknown type of party “{type}”", type=party.subject))
        return None
    entry_id = party.reference or f"logical id {party.logical_id}"
    try:
        return build_listed_entity(party, EntityKind(kind), entry_id)
    except ValueError as error:
        context.reject(resource, line, error)
        return None
