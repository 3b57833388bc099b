"""OpenSanctions: one entry a target on which a state has put a measure, from an export and any deltas that follow it.

Files are taken in the order in which they are given: the export first, then the deltas from the oldest to the newest. All are read
twice, as listings and papers of a target are entities of their own. How they are downloaded is decided in `versions`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

from bonafide.errors import ParseFailed
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
"""What `terms` call the topics of those whom a state has put a measure on."""
_JOINED = {"Sanction", "Identification", "Passport"}


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The targets that all files together leave. Raises `ParseFailed` when the first is no export, or another one is."""
    _check_order(resources, context)
    newest = _find_newest_lines(resources, context)
    joined = _collect_statements(resources, newest, context)
    passed_over, last_seen = SkippedRows(context), ""
    for entity in _read_current(resources, newest, context):
        last_seen = max(last_seen, entity.last_seen)
        if entity.schema == "" or entity.schema in _JOINED:
            context.merge()
            continue
        kind = _classify_kind(entity, context)
        if kind is None:
            passed_over.add("no target of a measure")
            continue
        try:
            yield build_listed_entity(entity, kind, joined.get(entity.id, RelatedStatements()))
        except ValueError as error:
            context.reject(entity.resource, entity.line, str(error))
    passed_over.note()
    with suppress(ValueError):
        context.set_as_of(datetime.fromisoformat(last_seen).date())


def _check_order(resources: Sequence[Resource], context: ParseContext) -> None:
    for place, resource in enumerate(resources):
        if resource.size == 0 and place == 0:
            raise ParseFailed(f"{context.metadata.key}: {resource.name}: there is no entity in it")
        if resource.size > 0 and is_delta(resource) != (place > 0):
            what = "a delta, and stands first" if place == 0 else "an export of its own, and stands behind another file"
            raise ParseFailed(f"{context.metadata.key}: {resource.name}: it is {what}; give the export first, then its deltas")


def _find_newest_lines(resources: Sequence[Resource], context: ParseContext) -> Mapping[str, tuple[int, int]]:
    """Where the newest line about each entity of the deltas stands: the place of its file, and the line."""
    silent = ParseContext(context.metadata)
    return {
        entity.id: (place, entity.line)
        for place, resource in enumerate(resources[1:], start=1)
        for entity in read_entities(resource, silent)
    }


def _read_current(
    resources: Sequence[Resource], newest: Mapping[str, tuple[int, int]], context: ParseContext
) -> Iterator[FtmEntity]:
    """Every entity as its newest line has it; older lines about it are counted as merged."""
    for place, resource in enumerate(resources):
        for entity in read_entities(resource, context):
            if newest.get(entity.id, (0, entity.line)) == (place, entity.line):
                yield entity
            else:
                context.merge()


def _collect_statements(
    resources: Sequence[Resource], newest: Mapping[str, tuple[int, int]], context: ParseContext
) -> dict[str, RelatedStatements]:
    """What listings and papers say, by target."""
    joined: dict[str, RelatedStatements] = defaultdict(RelatedStatements)
    for entity in _read_current(resources, newest, ParseContext(context.metadata)):
        if entity.schema in _JOINED:
            for target in get_targets(entity):
                add_statement(entity, joined[target])
    return joined


def _classify_kind(entity: FtmEntity, context: ParseContext) -> EntityKind | None:
    """What the target is; None for what is none, or none that can be screened."""
    terms = context.metadata.terms
    if not entity.target or not any(terms.get(topic) == MEASURE for topic in entity.all("topics")):
        return None
    kind = terms.get(entity.schema)
    return EntityKind(kind) if kind in set(EntityKind) else None
