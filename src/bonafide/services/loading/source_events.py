"""Transitions of the condition of a source, and the event of each. Pure.

A source is in good condition if its last load succeeded and its data is not older than it should be. Each transition has one event,
whatever follows within the same condition: of several failures in a row only the first one, and of a refused file after them once
more, because it needs somebody's attention.
"""

from dataclasses import dataclass
from datetime import date

from bonafide.errors import BonafideError, ParseFailed, RefreshRefused, SourceError, SourceErrorCode
from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import (
    EventChange,
    EventSeverity,
    EventSource,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
)
from bonafide.model.events.event_data import SourceConditionData
from bonafide.model.loading import LoadProblem, LoadRecord, SourceCondition, compute_age_days
from bonafide.sources.framework.metadata import SourceMetadata

_COVERAGE_PATH = "/v1/coverage"


@dataclass(frozen=True, slots=True)
class ConditionChange:
    """The condition of a source after an observation, and the event of the transition; None if there is none."""

    condition: SourceCondition
    event: NewEvent | None


@dataclass(frozen=True, slots=True)
class ObservedSource:
    """A source of a world on a day."""

    metadata: SourceMetadata
    world: World
    today: date

    def apply_load(self, before: SourceCondition | None, load: LoadRecord) -> ConditionChange:
        """The source has been loaded. Without an earlier condition it was never loaded before, or not since conditions are kept."""
        is_stale = load.is_stale(self.metadata.max_age_days, self.today)
        after = SourceCondition(problem=None, is_stale=is_stale, as_of=load.as_of, retrieved_at=load.retrieved_at)
        event_type = None
        if is_stale and (before is None or not before.is_stale):
            event_type = EventType.SOURCE_STALE
        elif not is_stale and before is not None and not before.is_good:
            event_type = EventType.SOURCE_RECOVERED
        return self._build_change(event_type, before, after)

    def apply_failure(self, before: SourceCondition, error: BonafideError) -> ConditionChange:
        """The source could not be loaded. A failure changes nothing after a refused file: the source has a problem already."""
        problem = LoadProblem.DRIFTED if isinstance(error, RefreshRefused | ParseFailed) else LoadProblem.FAILED
        if before.problem is problem or before.problem is LoadProblem.DRIFTED:
            return ConditionChange(before, None)
        event_type = EventType.SOURCE_DRIFTED if problem is LoadProblem.DRIFTED else EventType.SOURCE_FAILED
        code = error.code if isinstance(error, SourceError) else None
        return self._build_change(event_type, before, before.model_copy(update={"problem": problem}), code)

    def apply_age(self, before: SourceCondition) -> ConditionChange:
        """Time has passed."""
        if before.is_stale or not self._is_too_old(before):
            return ConditionChange(before, None)
        return self._build_change(EventType.SOURCE_STALE, before, before.model_copy(update={"is_stale": True}))

    def _build_change(
        self,
        event_type: EventType | None,
        before: SourceCondition | None,
        after: SourceCondition,
        error_code: SourceErrorCode | None = None,
    ) -> ConditionChange:
        if event_type is None:
            return ConditionChange(after, None)
        metadata = self.metadata
        is_urgent = self._is_too_old(after) and event_type in {EventType.SOURCE_FAILED, EventType.SOURCE_DRIFTED}
        event = NewEvent(
            event_type,
            EventSubject(
                kind=EventSubjectKind.SOURCE, name=str(metadata.title), jurisdiction=metadata.jurisdiction, source=metadata.key
            ),
            SourceConditionData(
                kind=metadata.kind,
                jurisdiction=metadata.jurisdiction,
                problem=after.problem,
                error_code=error_code,
                is_stale=self._is_too_old(after),
                age_days=self._compute_age_days(after),
                max_age_days=metadata.max_age_days,
            ),
            changes=_list_changes(before, after),
            source=EventSource(key=metadata.key, as_of=after.as_of, retrieved_at=after.retrieved_at),
            resource=_COVERAGE_PATH,
            severity=EventSeverity.HIGH if is_urgent else None,
        )
        return ConditionChange(after, event)

    def _compute_age_days(self, condition: SourceCondition) -> int:
        return compute_age_days(self.world, condition.as_of, condition.retrieved_at, self.today)

    def _is_too_old(self, condition: SourceCondition) -> bool:
        limit = self.metadata.max_age_days
        return limit is not None and self._compute_age_days(condition) > limit


def _list_changes(before: SourceCondition | None, after: SourceCondition) -> tuple[EventChange, ...]:
    old_problem, was_stale = (before.problem, before.is_stale) if before is not None else (None, False)
    values = (("problem", old_problem, after.problem), ("isStale", was_stale, after.is_stale))
    return tuple(EventChange(field=field, from_=one, to=other) for field, one, other in values if one != other)
