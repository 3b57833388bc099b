"""Canada's autonomous sanctions: one entry a record, kept apart by regulation, schedule and item, as the list has no ids.

The list is read twice: first to see that its records still have names and which keys stand twice, then for the entries, each
beside its item in the regulations. An item that no record has becomes an entry of its own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bonafide.errors import ParseFailed
from bonafide.model.entry import ListedEntity
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.sanctions.ca_sanctions_autonomous.cross_check import RegulationCrossCheck
from bonafide.sources.sanctions.ca_sanctions_autonomous.list_records import AutonomousListRecord, read_records
from bonafide.sources.sanctions.ca_sanctions_autonomous.listed_entity import (
    build_record_entity,
    build_regulation_entity,
    get_program,
)
from bonafide.sources.shared.lists.regulations import is_regulation, read_regulation

LIST = "sema_lmes"
MIN_NAMED_SHARE = 0.99
"""Below this the tags have changed under us: an empty record must never pass for a cleared name."""


async def fetch(context: FetchContext) -> list[Resource]:
    """The list and all regulations. Raises a `SourceError` when one can't be had: some parties stand only in one of them."""
    got = await download_sequentially(context, context.metadata.resources)
    # A regulation that was last amended years ago doesn't make the list old.
    return [resource if resource.name == LIST else replace(resource, as_of=None) for resource in got]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The listings of all files. Raises `ParseFailed` before the first one when too few records have a name."""
    laws = [resource for resource in resources if is_regulation(resource)]
    lists = [resource for resource in resources if resource not in laws]
    check = RegulationCrossCheck([read_regulation(resource) for resource in laws])
    counts = _count_keys(lists, context) if lists else Counter()
    _note_missing(len(laws), context)
    programs: set[str] = set()
    used: Counter[str] = Counter()
    for resource in lists:
        for record in read_records(resource, context.metadata.terms):
            context.row()
            name = record.printed_name
            if name is None:
                context.reject(resource, record.line, "no name in any field that is known")
                continue
            law = check.take(record, name)
            if law is not None:
                context.row()
                context.merge()
            programs.add(get_program(record))
            key = _build_key(record)
            yield build_record_entity(record, name, _make_unique(key if counts[key] == 1 else f"{key} | {name}", used), law)
    yield from _build_regulation_entities(check, programs, used, context)
    check.tell(context)


def _build_regulation_entities(
    check: RegulationCrossCheck, programs: set[str], used: Counter[str], context: ParseContext
) -> Iterator[ListedEntity]:
    for placed in check.rest(programs):
        context.row()
        key = f"{placed.number} | {placed.item.schedule or '-'} | {placed.item.label or placed.party().name}"
        yield build_regulation_entity(placed, _make_unique(key, used))


def _make_unique(key: str, used: Counter[str]) -> str:
    used[key] += 1
    return key if used[key] == 1 else f"{key} #{used[key]}"


def _note_missing(laws: int, context: ParseContext) -> None:
    wanted = sum(resource.name != LIST for resource in context.metadata.resources)
    if laws < wanted:
        context.note(f"{wanted - laws} of the {wanted} regulations were not given: parties that only they list are missing")


def _count_keys(resources: Sequence[Resource], context: ParseContext) -> Counter[str]:
    """How often each key stands in the files; unknown tags are counted in the report."""
    keys: Counter[str] = Counter()
    named = 0
    unknown: Counter[str] = Counter()
    for resource in resources:
        for record in read_records(resource, context.metadata.terms):
            keys[_build_key(record)] += 1
            named += record.printed_name is not None
            unknown.update(record.unknown_tags)
    if not keys:
        raise ParseFailed(f"{context.metadata.key}: {', '.join(resource.name for resource in resources)}: there is no record in it")
    context.report.unknown_terms.update({f"tag: {tag}": count for tag, count in unknown.items()})
    if named == 0 or named < keys.total() * MIN_NAMED_SHARE:
        tags = f"; new are {', '.join(sorted(unknown))}" if unknown else ""
        raise ParseFailed(f"{context.metadata.key}: only {named:,} of {keys.total():,} records have a name in a known field{tags}")
    return keys


def _build_key(record: AutonomousListRecord) -> str:
    return f"{get_program(record)} | {record.schedule or '-'} | {record.item or record.printed_name}"
