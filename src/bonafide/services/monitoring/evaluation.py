"""Evaluate one monitored record: screen it, compare its entries, and store everything with the events in one transaction.

An evaluation concerns all that is watched of the record, whatever it was queued for, so that evaluations of one record can't miss
each other's changes. Two evaluations of a record at once record each change once: the second one compares with what the first one
has stored.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.index.generations.entry_changes import hash_entry_id
from bonafide.matching.risk.record_facts import SCREENING_PATHS, build_screening_facts
from bonafide.model.accounts.organizations import DEFAULT_RATE_LIMIT, Organization, Principal, Scope
from bonafide.model.accounts.users import NO_KEY
from bonafide.model.events.event import EventType, NewEvent
from bonafide.model.monitoring.evaluations import (
    EvaluationOutcome,
    StoredRecordEvaluation,
    StoredSourceEvaluation,
    WatchedParties,
    WatchedParty,
)
from bonafide.model.monitoring.policy import MonitoringKind, MonitoringPolicy
from bonafide.model.query import ScreeningSubject
from bonafide.model.records.business_record import BusinessRecord, SystemFields
from bonafide.model.screening.requests import ScreeningAnswer, ScreeningRequest
from bonafide.model.search.match import SubjectRole
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.events.recording import record_events
from bonafide.services.monitoring.entry_evaluation import EntryComparison, FoundEntries, compare_entries, find_entries
from bonafide.services.monitoring.entry_rating import BY_MONITORING, rate_entry_changes
from bonafide.services.monitoring.linked_entries import list_names, list_numbers
from bonafide.services.monitoring.overdue import apply_verification_policy, is_still_overdue
from bonafide.services.monitoring.query_planning import plan_queries
from bonafide.services.monitoring.runs import open_generation
from bonafide.services.ownership.statements import load_ownership
from bonafide.services.records.business_records import find_record, lock_record
from bonafide.services.risk.record_rating import CheckFacts, record_check
from bonafide.services.screening.history import build_screening_row
from bonafide.services.screening.hit_events import ScreeningDocument
from bonafide.services.screening.owner_parties import list_owner_parties
from bonafide.services.screening.party_set import MAX_PARTIES, list_record_parties
from bonafide.services.screening.record_hits import update_open_hits
from bonafide.services.screening.standalone import get_official_lists, screen_submitted
from bonafide.store.database.engine import Connection
from bonafide.store.monitoring import monitored_records, queries, runs, targets
from bonafide.store.monitoring.monitored_records import MonitoredEntry, MonitoredRecord, MonitoringGap, StoredEvaluation
from bonafide.store.monitoring.runs import MonitoringRun
from bonafide.store.monitoring.targets import MonitoringTarget
from bonafide.store.records import screenings

NO_NAME = Message("The record has no name that could be screened.")
WAIT = timedelta(seconds=10)
"""Before a record is evaluated again on a machine that does not have the latest load of every list yet."""


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """What an evaluation has found before it is stored."""

    at: datetime
    answer: ScreeningAnswer | None
    parties: tuple[WatchedParty, ...] = ()
    sources: list[StoredSourceEvaluation] = field(default_factory=list)
    gaps: list[MonitoringGap] = field(default_factory=list)

    def without_gaps_beyond(self, sources: Collection[str]) -> "_Evaluated":
        """The same with the gaps of these sources. The first run of any other source concerns every record."""
        return replace(self, gaps=[gap for gap in self.gaps if gap.source in sources])

    def with_entries(self, sources: Sequence[StoredSourceEvaluation], gaps: Sequence[MonitoringGap]) -> "_Evaluated":
        """The same with the evaluations of registers and regulators."""
        return replace(self, sources=[*self.sources, *sources], gaps=[*self.gaps, *gaps])


async def evaluate_record(
    runtime: Runtime, organization: Organization, business_id: UUID, queued: Sequence[MonitoringTarget]
) -> list[NewEvent]:
    """Evaluate a record, and remove what was queued for it; returns the events that were recorded.

    Nothing is stored, and the record is evaluated again later, where a list is older on this machine than the load of its latest
    run, or where the record has been screened meanwhile: the changes since then would be reported again in reverse.
    """
    try:
        record = await find_record(runtime, organization.id, business_id=business_id)
    except NotFound:
        return await _end_monitoring(runtime, organization.id, business_id)
    settings = await read_settings(runtime, organization.id)
    policy = record.monitoring.apply_to(settings.monitoring)
    loaded = await asyncio.to_thread(_list_loads, runtime, organization)
    async with runtime.store.read() as connection:
        newest_id = await screenings.get_newest_id(connection, organization.id, business_id)
        known = await monitored_records.list_entries(connection, organization.id, business_id)
    found = _Evaluated(runtime.clock(), None)
    if policy.watches(MonitoringKind.SANCTIONS):
        found = await _screen(runtime, organization, record, settings.search.sanctions_threshold)
    entries = await asyncio.to_thread(find_entries, runtime, organization.world, record, policy, known)
    loaded |= {source: load.loaded_at for source, load in entries.loads.items()}
    async with runtime.store.write() as connection:
        current = await lock_record(connection, organization.id, business_id)
        row = await monitored_records.get(connection, organization.id, business_id)
        if row is None:
            return []
        latest = await runs.list_latest(connection, organization.world)
        known_id = await screenings.get_newest_id(connection, organization.id, business_id)
        if known_id != newest_id or _is_outdated(loaded, latest):
            await targets.postpone(connection, organization.id, queued, runtime.clock() + WAIT)
            return []
        events = await _update_hits(connection, organization.id, current, found.answer)
        known = await monitored_records.list_entries(connection, organization.id, business_id)
        compared = _compare_entries(entries, known, row, record)
        events += compared.events
        await monitored_records.replace_entries(connection, organization.id, business_id, compared.rows)
        planned = plan_queries(runtime, organization.world, record, policy, entries.unloaded)
        await queries.plan(connection, organization.id, business_id, planned, runtime.clock())
        await targets.settle(connection, organization.id, queued)
        is_overdue = await is_still_overdue(connection, organization.id, current, policy, runtime.clock())
        row = replace(row, overdue_since=row.overdue_since if is_overdue else None)
        found = found.without_gaps_beyond(latest).with_entries(compared.sources, entries.list_gaps())
        await _store(runtime, connection, organization.id, (row, record, policy), found, events)
        events += await rate_entry_changes(connection, organization.id, business_id, events, runtime.clock())
        await record_events(connection, organization.id, events, runtime.clock(), policy.min_severity)
    return events


async def _end_monitoring(runtime: Runtime, organization_id: UUID, business_id: UUID) -> list[NewEvent]:
    async with runtime.store.write() as connection:
        await monitored_records.unwatch(connection, organization_id, business_id)
    return []


def _list_loads(runtime: Runtime, organization: Organization) -> dict[str, datetime]:
    """When each list was loaded that is in use on this machine."""
    found = {}
    for source in get_official_lists(runtime):
        generation = open_generation(runtime, organization.world, source.key)
        if generation is not None:
            found[source.key] = generation.manifest.loaded_at
    return found


def _is_outdated(loaded: Mapping[str, datetime], latest: Mapping[str, MonitoringRun]) -> bool:
    """Whether a list was older here than the load of its latest run, when the evaluation began."""
    return any(source in loaded and loaded[source] < run.loaded_at for source, run in latest.items())


async def _screen(runtime: Runtime, organization: Organization, record: BusinessRecord, threshold: float) -> _Evaluated:
    now = runtime.clock()
    query = next(iter([*([record.name] if record.name is not None else []), *record.operating_names]), None)
    if query is None:
        not_evaluated = StoredSourceEvaluation(
            kind=MonitoringKind.SANCTIONS, source=None, as_of=None, outcome=EvaluationOutcome.NOT_EVALUATED
        )
        return _Evaluated(now, None, (), [not_evaluated])
    request = ScreeningRequest(query=query, threshold=threshold, business_id=record.id)
    answer = await screen_submitted(runtime, _build_principal(organization), request.submitted())
    parties = tuple(await _list_parties(runtime, organization.id, record, query))
    sources = [
        StoredSourceEvaluation(
            kind=MonitoringKind.SANCTIONS, source=item.source, as_of=item.as_of, outcome=EvaluationOutcome.NO_CHANGE
        )
        for item in answer.lists
    ]
    gaps = [MonitoringGap(item.source, now, item.message) for item in answer.screening.lists_not_screened]
    return _Evaluated(now, answer, parties, sources, gaps)


def _compare_entries(
    entries: FoundEntries, known: Sequence[MonitoredEntry], row: MonitoredRecord, record: BusinessRecord
) -> EntryComparison:
    before = WatchedParties.model_validate_json(row.parties) if row.parties is not None else None
    is_same = before is not None and before.model_copy(update={"parties": ()}) == _list_identity(record)
    stored = StoredRecordEvaluation.model_validate_json(row.evaluation) if row.evaluation is not None else StoredRecordEvaluation()
    compared_before = [one.source for one in stored.sources if one.kind is MonitoringKind.LICENCES and one.source is not None]
    return compare_entries(entries, known, compared_before, record, is_same=is_same)


def _list_identity(record: BusinessRecord) -> WatchedParties:
    """The names and numbers by which regulators' entries are linked."""
    numbers = list_numbers(record)
    return WatchedParties(names=tuple(list_names(record)), own_numbers=numbers.own, joined_numbers=numbers.joined)


def _build_principal(organization: Organization) -> Principal:
    return Principal(
        organization_id=organization.id,
        organization=organization.name,
        world=organization.world,
        key_id=NO_KEY,
        identity=BY_MONITORING.actor,
        scopes=frozenset({Scope.BUSINESSES_READ}),
        rate_limit=DEFAULT_RATE_LIMIT,
    )


async def _list_parties(runtime: Runtime, organization_id: UUID, record: BusinessRecord, query: str) -> list[WatchedParty]:
    """The watched parties of a record: its names, the people who are not excluded, and its owners."""
    owned = (await load_ownership(runtime, organization_id, record.id)).joined
    excluded = _list_unwatched_names(record)
    found = [ScreeningSubject(query)]
    found += [
        party.subject
        for party in list_record_parties(record)
        if party.role is not SubjectRole.RECORD_PERSON or party.subject.name not in excluded
    ]
    if owned is not None:
        with runtime.compute_for(organization_id):
            found += [party.subject for party in await run_cpu_bound(list_owner_parties, owned, runtime.clock().date())]
    return [_to_watched_party(subject) for subject in dict.fromkeys(found[:MAX_PARTIES])]


def _to_watched_party(subject: ScreeningSubject) -> WatchedParty:
    return WatchedParty(
        name=subject.name,
        entity_type=subject.entity_type,
        countries=subject.countries,
        date_of_birth=subject.date_of_birth,
    )


def _list_unwatched_names(record: BusinessRecord) -> set[str]:
    watched = {person.name for person in record.people if person.is_monitored}
    return {person.name for person in record.people} - watched


async def _update_hits(
    connection: Connection, organization_id: UUID, record: BusinessRecord, answer: ScreeningAnswer | None
) -> list[NewEvent]:
    """Update the record's open hits, and return their events. People who are not monitored have none."""
    if answer is None:
        return []
    document = ScreeningDocument.from_answer(answer).without_record_people(_list_unwatched_names(record))
    return await update_open_hits(connection, organization_id, record, document)


async def _store(
    runtime: Runtime,
    connection: Connection,
    organization_id: UUID,
    evaluated: tuple[MonitoredRecord, BusinessRecord, MonitoringPolicy],
    found: _Evaluated,
    events: list[NewEvent],
) -> None:
    """Store an evaluation with its screening, hits and gaps, and add the event of the rating. The caller holds the audit head."""
    (row, record, policy), answer = evaluated, found.answer
    business_id, verified = row.business_id, apply_verification_policy(record, policy)
    if answer is not None:
        screened = SystemFields(last_screened_at=answer.meta.screened_at)
        checks = [CheckFacts(build_screening_facts(answer.screening, answer.meta.screened_at.date()), SCREENING_PATHS)]
        _, rated = await record_check(connection, organization_id, business_id, screened, checks, BY_MONITORING, runtime.clock())
        events.extend(rated)
        await screenings.add(connection, organization_id, build_screening_row(answer), answer.to_stored())
    changed = {event.subject.source for event in events if event.type in _HIT_EVENTS}
    sources = [
        source.model_copy(update={"outcome": EvaluationOutcome.CHANGED}) if source.source in changed else source
        for source in found.sources
    ]
    evaluation = StoredEvaluation(
        evaluated_at=found.at,
        verified_at=verified.verified_at,
        own_due_at=verified.own_due_at,
        overdue_since=row.overdue_since,
        screening_id=answer.meta.screening_id if answer is not None else row.screening_id,
        parties=_list_identity(record).model_copy(update={"parties": found.parties}).to_json(),
        evaluation=StoredRecordEvaluation(sources=tuple(sources)).to_json(),
    )
    await monitored_records.put_evaluation(connection, organization_id, business_id, evaluation)
    await monitored_records.replace_hits(connection, organization_id, business_id, _list_hits(answer))
    await monitored_records.replace_gaps(connection, organization_id, business_id, found.gaps)


_HIT_EVENTS = frozenset({EventType.SCREENING_HIT_FOUND, EventType.SCREENING_HIT_CHANGED, EventType.SCREENING_HIT_CLEARED})


def _list_hits(answer: ScreeningAnswer | None) -> set[tuple[str, int]]:
    """The lists and the hashes of the IDs of all parties that were hit, dismissed ones included."""
    if answer is None:
        return set()
    screening = answer.screening
    matches = [*screening.matches, *(match for subject in screening.subjects for match in subject.matches)]
    return {(match.source, hash_entry_id(match.entry_id)) for match in matches if match.entry_id is not None}
