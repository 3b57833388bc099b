"""When records were evaluated: of one record, and of all of an organization.

An evaluation without a change has no row for each record. It follows from the last finished run of a source, unless the record was
evaluated by itself since.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.loading import LoadRecord, SourceCondition
from bonafide.model.monitoring.evaluations import (
    Evaluation,
    EvaluationOutcome,
    MonitoredKindState,
    MonitoredSource,
    MonitoringCounts,
    MonitoringOverview,
    MonitoringStatus,
    RecordMonitoringAnswer,
    StoredRecordEvaluation,
)
from bonafide.model.monitoring.policy import MonitoringKind, MonitoringPolicy
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.monitoring.evaluation import NO_NAME
from bonafide.services.monitoring.linked_entries import list_registers, list_registrations, list_regulators
from bonafide.services.monitoring.overdue import compute_verification_due
from bonafide.services.monitoring.query_planning import find_query_blocker
from bonafide.services.monitoring.runs import list_monitored_sources
from bonafide.services.records.business_records import load_record
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.screening.subject_screening import NOT_LOADED
from bonafide.sources.framework.discovery import Source
from bonafide.store.monitoring import monitored_records, queries, runs, targets
from bonafide.store.monitoring.monitored_records import MonitoredRecord, MonitoringGap
from bonafide.store.monitoring.queries import MonitoredQuery, QueryCounts
from bonafide.store.monitoring.runs import MonitoringRun
from bonafide.store.records import source_conditions
from bonafide.store.tenants import organizations

_KINDS = {
    SourceKind.SANCTIONS: MonitoringKind.SANCTIONS,
    SourceKind.REGISTRY: MonitoringKind.REGISTRY,
    SourceKind.REGULATOR: MonitoringKind.LICENCES,
}
NOT_FINISHED = Message("The evaluation is not finished.")
NEVER_VERIFIED = Message("The record has never been verified.")
NOT_QUERIED = Message("It has not been queried yet.")
LATE = Message("Queries are overdue.")
FAILING = Message("Queries fail.")
TOO_OLD = Message("The data is older than it should be.")
NOT_RENEWED = Message("The last attempt to load the source failed, so its data may be out of date.")


async def read_record_monitoring(runtime: Runtime, organization_id: UUID, business_id: UUID) -> RecordMonitoringAnswer:
    """The monitoring of a record. Raises `NotFound`."""
    settings = await read_settings(runtime, organization_id)
    async with runtime.store.read() as connection:
        record = await load_record(connection, organization_id, business_id, None)
        organization = await organizations.get(connection, organization_id)
        if organization is None:
            raise NotFound(Message("We couldn’t find that organization."))
        row = await monitored_records.get(connection, organization_id, business_id)
        finished = await runs.list_latest(connection, organization.world, finished=True)
        waiting_since = await targets.get_oldest(connection, organization_id, business_id)
        gaps = await monitored_records.list_gaps(connection, organization_id, business_id)
        repeated = await queries.list_of_record(connection, organization_id, business_id)
        conditions = await source_conditions.list_all(connection, organization.world)
    policy = record.monitoring.apply_to(settings.monitoring)
    if row is None or not policy.enabled:
        return RecordMonitoringAnswer(
            business_id=business_id, status=MonitoringStatus.OFF, policy=policy, is_queued=False, evaluations=()
        )
    states = _SourceStates(runtime, organization.world, finished, conditions)
    expected = await asyncio.to_thread(list, _list_expected_sources(runtime, organization.world, record, policy))
    queried = {query.source for query in repeated}
    # A record may have several registrations in one register.
    expected = [one for one in dict.fromkeys(expected) if one[1] not in queried]
    evaluations = [
        *await asyncio.to_thread(list, _list_evaluations(states, row, expected, gaps)),
        *map(_build_queried, repeated),
        *_list_verification_age(runtime, record, policy),
    ]
    return RecordMonitoringAnswer(
        business_id=business_id,
        status=_determine_status(row),
        policy=policy,
        is_queued=waiting_since is not None,
        evaluations=tuple(evaluations),
    )


def _determine_status(row: MonitoredRecord) -> MonitoringStatus:
    if row.evaluated_at is None:
        return MonitoringStatus.NEVER_EVALUATED
    return MonitoringStatus.OVERDUE if row.overdue_since is not None else MonitoringStatus.CURRENT


@dataclass(frozen=True, slots=True)
class _SourceStates:
    """The sources of a world: the last finished run against each, and the condition of each."""

    runtime: Runtime
    world: World
    finished: Mapping[str, MonitoringRun]
    conditions: Mapping[str, SourceCondition]

    def get_load(self, source: Source) -> LoadRecord | None:
        """The data in use; None if none is loaded."""
        return get_current_load(self.runtime, self.world, source)

    def explain_condition(self, source: Source) -> Message | None:
        """Why the data in use may be out of date; None if there is no reason, or no data."""
        load, condition = self.get_load(source), self.conditions.get(source.key)
        if load is None:
            return None
        if load.is_stale(source.metadata.max_age_days, self.runtime.clock().date()):
            return TOO_OLD
        return NOT_RENEWED if condition is not None and condition.problem is not None else None


def _list_evaluations(
    states: _SourceStates,
    row: MonitoredRecord,
    expected: Sequence[tuple[MonitoringKind, str]],
    gaps: Sequence[MonitoringGap],
) -> Iterator[Evaluation]:
    """The evaluations against the expected sources, in their order. Data that may be out of date is a reason too."""
    stored = StoredRecordEvaluation.model_validate_json(row.evaluation) if row.evaluation is not None else StoredRecordEvaluation()
    # A register with several entries of the record has changed if one of them has.
    own = {one.source: one for one in sorted(stored.sources, key=lambda one: one.outcome is EvaluationOutcome.CHANGED)}
    reasons = {gap.source: gap.reason for gap in gaps}
    for kind, source in expected:
        run, mine = states.finished.get(source), own.get(source)
        is_after = run is not None and row.evaluated_at is not None and run.started_at > row.evaluated_at
        if source in reasons:
            yield _build_missing(kind, source, reasons[source])
        elif run is not None and is_after:
            yield Evaluation(
                kind=kind,
                source=source,
                as_of=run.as_of,
                evaluated_at=run.started_at,
                outcome=EvaluationOutcome.NO_CHANGE,
                reason=states.explain_condition(states.runtime.sources[source]),
            )
        elif mine is not None:
            yield Evaluation(
                kind=kind,
                source=source,
                as_of=mine.as_of,
                evaluated_at=row.evaluated_at,
                outcome=mine.outcome,
                reason=states.explain_condition(states.runtime.sources[source]),
            )
        else:
            yield _build_missing(kind, source, _explain_missing(states, source, row, stored))


def _list_expected_sources(
    runtime: Runtime, world: World, record: BusinessRecord, policy: MonitoringPolicy
) -> Iterator[tuple[MonitoringKind, str]]:
    """The sources that the record is to be evaluated against. Of regulators, only those that are loaded."""
    if policy.watches(MonitoringKind.SANCTIONS):
        yield from ((MonitoringKind.SANCTIONS, source.key) for source in get_official_lists(runtime))
    if policy.watches(MonitoringKind.REGISTRY):
        for registration in list_registrations(record):
            yield from ((MonitoringKind.REGISTRY, source.key) for source in list_registers(runtime, registration.jurisdiction))
    if policy.watches(MonitoringKind.LICENCES):
        for source in list_regulators(runtime):
            if get_current_load(runtime, world, source) is not None:
                yield MonitoringKind.LICENCES, source.key


def _explain_missing(states: _SourceStates, source: str, row: MonitoredRecord, stored: StoredRecordEvaluation) -> Message:
    """Why a record has no evaluation against a source."""
    if any(one.source is None for one in stored.sources):
        return NO_NAME
    known = states.runtime.sources[source]
    if states.get_load(known) is not None or row.evaluated_at is None:
        return NOT_FINISHED
    blocker = find_query_blocker(states.runtime, states.world, known) if known.live is not None else NOT_LOADED
    return blocker if blocker is not None else NOT_QUERIED


def _build_queried(query: MonitoredQuery) -> Evaluation:
    """The evaluation by the last answer to a repeated query, and why there is no later one."""
    outcome = EvaluationOutcome.CHANGED if query.has_changed else EvaluationOutcome.NO_CHANGE
    reason = query.problem
    if reason is None and query.queried_at is None:
        reason = NOT_QUERIED
    return Evaluation(
        kind=query.kind,
        source=query.source,
        as_of=query.as_of,
        evaluated_at=query.queried_at,
        outcome=outcome if reason is None else EvaluationOutcome.NOT_EVALUATED,
        reason=reason,
    )


def _build_missing(kind: MonitoringKind, source: str, reason: Message) -> Evaluation:
    return Evaluation(
        kind=kind, source=source, as_of=None, evaluated_at=None, outcome=EvaluationOutcome.NOT_EVALUATED, reason=reason
    )


def _list_verification_age(runtime: Runtime, record: BusinessRecord, policy: MonitoringPolicy) -> Iterator[Evaluation]:
    """Whether the record is to be verified again: a change of its state."""
    due_at = compute_verification_due(record, policy)
    if due_at is None:
        return
    is_due = due_at <= runtime.clock()
    is_verified = record.last_verified_at is not None
    yield Evaluation(
        kind=MonitoringKind.VERIFICATION_AGE,
        source=None,
        as_of=None,
        evaluated_at=record.last_verified_at,
        outcome=(EvaluationOutcome.CHANGED if is_due else EvaluationOutcome.NO_CHANGE)
        if is_verified
        else EvaluationOutcome.NOT_EVALUATED,
        reason=None if is_verified else NEVER_VERIFIED,
    )


async def list_never_evaluated(runtime: Runtime, organization_id: UUID, limit: int) -> list[BusinessRecord]:
    """Monitored records that have never been evaluated, those first that have waited longest."""
    async with runtime.store.read() as connection:
        documents = await monitored_records.list_never_evaluated(connection, organization_id, limit)
    return [BusinessRecord.model_validate_json(document) for document in documents]


async def read_organization_overview(runtime: Runtime, organization_id: UUID, world: World) -> MonitoringOverview:
    """The monitoring of an organization of this world."""
    policy = (await read_settings(runtime, organization_id)).monitoring
    async with runtime.store.read() as connection:
        counted = await monitored_records.count_records(connection, organization_id)
        gaps = await monitored_records.count_gaps(connection, organization_id)
        queued = await targets.count(connection, organization_id)
        repeated = await queries.count_by_source(connection, organization_id, runtime.clock())
        latest = await runs.list_latest(connection, world)
        finished = await runs.list_latest(connection, world, finished=True)
        conditions = await source_conditions.list_all(connection, world)
    states = _SourceStates(runtime, world, finished, conditions)
    watching_lists = counted.records if policy.watches(MonitoringKind.SANCTIONS) else 0
    loaded = await asyncio.to_thread(list, _list_sources(states, latest, gaps, watching_lists))
    sources = (*loaded, *map(_build_queried_source, repeated))
    counts = MonitoringCounts(
        current=counted.records - counted.never_evaluated - counted.overdue,
        overdue=counted.overdue,
        never_evaluated=counted.never_evaluated,
        off=0,
    )
    return MonitoringOverview(
        counts=counts if policy.enabled else MonitoringCounts(current=0, overdue=0, never_evaluated=0, off=counted.records),
        kinds=tuple(_list_kinds(policy, sources)),
        queued=queued,
        due_queries=sum(one.due for one in repeated),
        oldest_evaluation_at=counted.oldest,
        sources=sources,
    )


def _list_kinds(policy: MonitoringPolicy, sources: tuple[MonitoredSource, ...]) -> Iterator[MonitoredKindState]:
    for kind in MonitoringKind:
        own = [source for source in sources if source.kind is kind]
        missing = sum(source.reason is not None for source in own)
        yield MonitoredKindState(kind=kind, enabled=policy.watches(kind), sources=len(own), not_evaluated=missing)


def _build_queried_source(counts: QueryCounts) -> MonitoredSource:
    """A source that is queried at an interval. Its date is that of the oldest answer."""
    reason = LATE if counts.overdue else FAILING if counts.failing == counts.queries else None
    return MonitoredSource(
        source=counts.source,
        kind=counts.kind,
        as_of=counts.oldest.date() if counts.oldest is not None else None,
        evaluated_at=counts.oldest,
        is_evaluating=counts.due > 0,
        records_not_evaluated=counts.unevaluated,
        reason=reason,
    )


def _list_sources(
    states: _SourceStates, latest: Mapping[str, MonitoringRun], gaps: Mapping[str, int], watching_lists: int
) -> Iterator[MonitoredSource]:
    for source in list_monitored_sources(states.runtime):
        kind = _KINDS[source.metadata.kind]
        load, run, newest = states.get_load(source), states.finished.get(source.key), latest.get(source.key)
        if load is None and kind is not MonitoringKind.SANCTIONS:
            # No record depends on a register or regulator of which no data is loaded, or it is shown with the record.
            continue
        reason = NOT_LOADED if load is None else states.explain_condition(source)
        yield MonitoredSource(
            source=source.key,
            kind=kind,
            as_of=run.as_of if run is not None else None,
            evaluated_at=run.started_at if run is not None else None,
            is_evaluating=newest is not None and newest.finished_at is None,
            # A list without data is in no gap of a record: it has not been evaluated against any.
            records_not_evaluated=watching_lists if load is None else gaps.get(source.key, 0),
            reason=reason,
        )
