"""Canada's autonomous sanctions: one entry for each record, identified by regulation, schedule and item, as the list has no IDs.

The list is read twice: first to check that its records still have names and to count the keys, then to build the entries, each
joined to its item in the regulations. Items without a record become entries of their own.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_messages, join_values, plural_message
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
"""Below this share, the tags have changed. Records without names must not be taken for an empty list."""


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the list and all regulations. Raises a `SourceError` if one is unavailable: some parties are in only one of them."""
    got = await download_sequentially(context, context.metadata.resources)
    # The date of a regulation that was last amended years ago is not the date of the list.
    return [resource if resource.name == LIST else replace(resource, as_of=None) for resource in got]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the listings of all files. Raises `ParseFailed` before the first one if too few records have a name."""
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
                context.reject(resource, record.line, Message("no name in a known field"))
                continue
            law = check.take(record, name)
            if law is not None:
                context.row()
                context.merge()
            programs.add(get_program(record))
            key = _build_key(record)
            yield build_record_entity(record, name, _make_unique(key if counts[key] == 1 else f"{key} | {name}", used), law)
    yield from _build_regulation_entities(check, programs, used, context)
    check.add_notes(context)


def _build_regulation_entities(
    check: RegulationCrossCheck, programs: set[str], used: Counter[str], context: ParseContext
) -> Iterator[ListedEntity]:
    for regulated in check.rest(programs):
        context.row()
        key = f"{regulated.number} | {regulated.item.schedule or '-'} | {regulated.item.label or regulated.party().name}"
        yield build_regulation_entity(regulated, _make_unique(key, used))


def _make_unique(key: str, used: Counter[str]) -> str:
    used[key] += 1
    return key if used[key] == 1 else f"{key} #{used[key]}"


def _note_missing(laws: int, context: ParseContext) -> None:
    expected = sum(resource.name != LIST for resource in context.metadata.resources)
    if laws < expected:
        missing = expected - laws
        context.note(
            plural_message(
                "{n} of {expected} regulations is missing; parties that are only in it are not included",
                "{n} of {expected} regulations are missing; parties that are only in them are not included",
                missing,
                expected=expected,
            )
        )


def _count_keys(resources: Sequence[Resource], context: ParseContext) -> Counter[str]:
    """Count each key of the files, and add unknown tags to the report."""
    keys: Counter[str] = Counter()
    named = 0
    unknown: Counter[str] = Counter()
    for resource in resources:
        for record in read_records(resource, context.metadata.terms):
            keys[_build_key(record)] += 1
            named += record.printed_name is not None
            unknown.update(record.unknown_tags)
    if not keys:
        files = join_values([resource.name for resource in resources])
        raise ParseFailed(Message("{source}: the list contains no records ({files})", source=context.metadata.key, files=files))
    context.report.unknown_terms.update({f"tag: {tag}": count for tag, count in unknown.items()})
    if named == 0 or named < keys.total() * MIN_NAMED_SHARE:
        problems = [
            Message(
                "{source}: only {named:,} of {total:,} records have a name",
                source=context.metadata.key,
                named=named,
                total=keys.total(),
            )
        ]
        if unknown:
            problems.append(Message("unknown tags: {tags}", tags=join_values(sorted(unknown))))
        raise ParseFailed(join_messages(problems))
    return keys


def _build_key(record: AutonomousListRecord) -> str:
    return f"{get_program(record)} | {record.schedule or '-'} | {record.item or record.printed_name}"
