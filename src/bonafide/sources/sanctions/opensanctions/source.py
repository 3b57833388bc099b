"""OpenSanctions: one entry for each target of a state's measures, from an export and any deltas that follow it.

Files are read in the given order: the export first, then the deltas from the oldest to the newest. All are read twice, because the
listings and documents of a target are separate entities. `incremental_download` downloads them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.framework.context import ParseContext, Resource, SkippedRows
from bonafide.sources.sanctions.opensanctions.entity_lines import FtmEntity, is_delta, read_entities
from bonafide.sources.sanctions.opensanctions.incremental_download import fetch
from bonafide.sources.sanctions.opensanctions.listed_entity import (
    RelatedStatements,
    add_statement,
    build_listed_entity,
    get_targets,
)

__all__ = ["fetch", "parse"]
MEASURE = "measure"
"""The value in `terms` for topics of targets of a measure."""
_JOINED = {"Sanction", "Identification", "Passport"}


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the current targets of all files. Raises `ParseFailed` if the first is not an export, or another one is."""
    _check_order(resources, context)
    newest = _find_newest_lines(resources, context)
    joined = _collect_statements(resources, newest, context)
    skipped, last_seen = SkippedRows(context), ""
    for entity in _read_current(resources, newest, context):
        last_seen = max(last_seen, entity.last_seen)
        if entity.schema == "" or entity.schema in _JOINED:
            context.merge()
            continue
        kind = _classify_kind(entity, context)
        if kind is None:
            skipped.add(Message("not the target of a measure"))
            continue
        try:
            yield build_listed_entity(entity, kind, joined.get(entity.id, RelatedStatements()))
        except ValueError as error:
            context.reject(entity.resource, entity.line, error)
    skipped.note()
    with suppress(ValueError):
        context.set_as_of(datetime.fromisoformat(last_seen).date())


def _check_order(resources: Sequence[Resource], context: ParseContext) -> None:
    for position, resource in enumerate(resources):
        if resource.size == 0 and position == 0:
            raise ParseFailed(Message("{file}: the file is empty", file=resource.name))
        if resource.size > 0 and is_delta(resource) != (position > 0):
            raise ParseFailed(
                Message("{source}: the first file must be an export, the others its deltas", source=context.metadata.key)
            )


def _find_newest_lines(resources: Sequence[Resource], context: ParseContext) -> Mapping[str, tuple[int, int]]:
    """Return the position of the newest line about each entity of the deltas: the index of its file, and the line."""
    silent = ParseContext(context.metadata)
    return {
        entity.id: (position, entity.line)
        for position, resource in enumerate(resources[1:], start=1)
        for entity in read_entities(resource, silent)
    }


def _read_current(
    resources: Sequence[Resource], newest: Mapping[str, tuple[int, int]], context: ParseContext
) -> Iterator[FtmEntity]:
    """Yield every entity in its newest version; older lines about it are counted as merged."""
    for position, resource in enumerate(resources):
        for entity in read_entities(resource, context):
            if newest.get(entity.id, (0, entity.line)) == (position, entity.line):
                yield entity
            else:
                context.merge()


def _collect_statements(
    resources: Sequence[Resource], newest: Mapping[str, tuple[int, int]], context: ParseContext
) -> dict[str, RelatedStatements]:
    """Collect the data of listings and documents by target."""
    joined: dict[str, RelatedStatements] = defaultdict(RelatedStatements)
    for entity in _read_current(resources, newest, ParseContext(context.metadata)):
        if entity.schema in _JOINED:
            for target in get_targets(entity):
                add_statement(entity, joined[target])
    return joined


def _classify_kind(entity: FtmEntity, context: ParseContext) -> EntityKind | None:
    """Return the type of the target; None for other entities, or a type that can't be screened."""
    terms = context.metadata.terms
    if not entity.target or not any(terms.get(topic) == MEASURE for topic in entity.all("topics")):
        return None
    kind = terms.get(entity.schema)
    return EntityKind(kind) if kind in set(EntityKind) else None
