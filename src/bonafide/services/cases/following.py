"""Update the cases of each organization from its events, which are followed in their order.

The changes of the cases and the position behind the last event that was read are written in one transaction, so that no event is
left out or counted twice, whichever process is killed. The changes that the events report wait for nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from bonafide.model.base import StoredDocument
from bonafide.model.cases.case import CaseItemContent, CaseItemStatus, CaseOutcome
from bonafide.model.cases.policy import CaseItemKind, CaseSettings
from bonafide.model.events.event import Event, EventType
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.cases.case_changes import BY_CASES, CaseSubject, CaseTransaction
from bonafide.services.cases.causes import (
    CAUSING_TYPES,
    CaseEffect,
    HitDismissal,
    HitReopening,
    ItemOpening,
    ItemSettlement,
    build_subject,
    list_effects,
)
from bonafide.services.cases.hit_checks import HitState, find_hit_state, is_hit_dismissed
from bonafide.services.events.feed import to_event
from bonafide.services.events.recording import record_events
from bonafide.store.cases import case_parts, case_positions, cases
from bonafide.store.cases.case_parts import StoredCaseItem
from bonafide.store.cases.case_positions import CasePosition
from bonafide.store.cases.cases import StoredCase
from bonafide.store.database.engine import Connection
from bonafide.store.records import events
from bonafide.store.records.events import EventFilter, StoredEvent
from bonafide.store.tenants import audit_log

BATCH = 50
"""Events of one organization that are followed at once, before it is another organization's turn: a transaction must be short."""
ORGANIZATIONS = 100
MAX_REOPENED = 200
"""Earlier items about a hit among which those are found that a revoked dismissal had settled."""
_CAUSES = EventFilter(types=CAUSING_TYPES)
_log = get_logger(__name__)


async def update_cases(runtime: Runtime) -> bool:
    """Update the cases of all organizations from their next events; False if no organization has any. Raises `ServerBusy`."""
    async with runtime.store.read() as connection:
        behind = await case_positions.list_behind(connection, ORGANIZATIONS)
    for seen in behind:
        await _update_organization(runtime, seen)
    return bool(behind)


async def _update_organization(runtime: Runtime, seen: CasePosition) -> None:
    async with runtime.store.read() as connection:
        listed = await events.list_after(connection, seen.organization_id, _CAUSES, seen.position, BATCH)
    found, end = _cut_batch([row for row in listed if row.sequence <= seen.head], seen.head, is_full=len(listed) == BATCH)
    causing = [row.sequence for row in found if _list_effects(row)]
    if not causing:
        # May be lost with the machine: the events would be read again.
        async with runtime.store.write(durable=False) as connection:
            await case_positions.move(connection, seen, end)
        return
    settings = (await read_settings(runtime, seen.organization_id)).cases
    dismissed = await _find_dismissed_items(runtime, seen.organization_id, found)
    reopened = await _find_reopened_hits(runtime, seen.organization_id, found)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, seen.organization_id)
        if not await case_positions.move(connection, seen, end):
            return
        # Read again: whoever acknowledges an alert holds the audit head too, so its state no longer changes.
        rows = await events.list_numbered(connection, seen.organization_id, causing)
        changes = CaseTransaction(connection, seen.organization_id, ledger, runtime.clock())
        for row in rows:
            for effect in _list_effects(row):
                if isinstance(effect, HitReopening):
                    for hit in reopened.get(effect.cause, ()):
                        await changes.open_item(to_event(row), hit.opening, settings, hit.subject)
                else:
                    await _apply(connection, changes, to_event(row), effect, settings, dismissed)
        await changes.finish()
        await record_events(connection, seen.organization_id, changes.events, changes.at)


def _cut_batch(rows: Sequence[StoredEvent], head: int, *, is_full: bool) -> tuple[Sequence[StoredEvent], int]:
    """The events to follow now, and the position behind them.

    A dismissal or its end ends the batch before it: which items it settles or opens again is found out before the transaction, when
    what earlier events open and settle has to be there.
    """
    for place, row in enumerate(rows):
        if place > 0 and row.type in {EventType.DISMISSAL_CREATED, EventType.DISMISSAL_REVOKED}:
            return rows[:place], rows[place - 1].sequence
    return rows, rows[-1].sequence if is_full and rows else head


def _list_effects(row: StoredEvent) -> Sequence[CaseEffect]:
    """The effects of an event. One that can't be read has none: it must not stop those that follow it."""
    try:
        return list_effects(to_event(row))
    except (LookupError, TypeError, ValueError):
        _log.exception("case.event_skipped", event_id=str(row.id), event_type=row.type.value)
        return ()


async def _apply(
    connection: Connection,
    changes: CaseTransaction,
    event: Event,
    effect: ItemOpening | ItemSettlement | HitDismissal,
    settings: CaseSettings,
    dismissed: Mapping[UUID, str],
) -> None:
    if isinstance(effect, ItemOpening):
        await changes.open_item(event, effect, settings)
        return
    known = await case_parts.list_open_with_cause(connection, changes.organization_id, effect.cause)
    if isinstance(effect, HitDismissal):
        await changes.settle([item for item in known if item.id in dismissed], CaseItemStatus.SETTLED, effect.by)
        return
    by = effect.by if effect.by is not None else BY_CASES.actor
    if not effect.in_all_cases:
        known = await _choose_of_subject(connection, changes.organization_id, known, _list_subjects(event))
    await changes.settle(known, CaseItemStatus.SETTLED, by)


def _list_subjects(event: Event) -> frozenset[str]:
    """The subjects of the cases of which the event settles items: without a record, also the document with which it compares."""
    previous = event.data.get("previousScreeningId") if event.business is None else None
    compared = {f"/v1/sanctions/{previous}"} if isinstance(previous, str) else set()
    return frozenset({build_subject(event), *compared})


async def _choose_of_subject(
    connection: Connection, organization_id: UUID, items: Sequence[StoredCaseItem], subjects: frozenset[str]
) -> list[StoredCaseItem]:
    known = await cases.list_by_id(connection, organization_id, [item.case_id for item in items])
    return [item for item in items if item.case_id in known and known[item.case_id].subject in subjects]


async def _find_dismissed_items(runtime: Runtime, organization_id: UUID, rows: Sequence[StoredEvent]) -> dict[UUID, str]:
    """The open items whose hits the dismissals among the events have dismissed, with their causes.

    It is found out before the transaction, which must be short.
    """
    causes = {effect.cause for row in rows for effect in _list_effects(row) if isinstance(effect, HitDismissal)}
    async with runtime.store.read() as connection:
        items = [
            item
            for cause in sorted(causes)
            for item in await case_parts.list_open_with_cause(connection, organization_id, cause)
            if item.kind is CaseItemKind.SANCTIONS_HIT
        ]
    dismissed = {}
    for item in items:
        ref = StoredDocument.from_text(item.document).parse(CaseItemContent).ref
        if await is_hit_dismissed(runtime, organization_id, ref, item.cause):
            dismissed[item.id] = item.cause
    return dismissed


@dataclass(frozen=True, slots=True)
class ReopenedHit:
    """A hit of an earlier item that is open again."""

    opening: ItemOpening
    subject: CaseSubject


async def _find_reopened_hits(runtime: Runtime, organization_id: UUID, rows: Sequence[StoredEvent]) -> dict[str, list[ReopenedHit]]:
    """The hits that the revoked dismissals among the events had settled and that are open again, by cause, once for each subject.

    It is found out before the transaction, which must be short.
    """
    ended = {effect.cause: effect for row in rows for effect in _list_effects(row) if isinstance(effect, HitReopening)}
    found: dict[str, list[ReopenedHit]] = {}
    for cause, effect in sorted(ended.items()):
        async with runtime.store.read() as connection:
            items = await case_parts.list_closed_with_cause(connection, organization_id, cause, MAX_REOPENED)
            known = await cases.list_by_id(connection, organization_id, [item.case_id for item in items])
        subjects = set[str]()
        for item in items:
            case = known.get(item.case_id)
            if case is None or case.subject in subjects or not _was_dismissed(item, case, effect.dismissed_by):
                continue
            subjects.add(case.subject)
            content = StoredDocument.from_text(item.document).parse(CaseItemContent)
            if await find_hit_state(runtime, organization_id, content.ref, cause) is HitState.OPEN:
                opening = ItemOpening(item.kind, cause, content.summary, content.ref)
                found.setdefault(cause, []).append(ReopenedHit(opening, CaseSubject.from_case(case)))
    return found


def _was_dismissed(item: StoredCaseItem, case: StoredCase, dismissed_by: str) -> bool:
    """Whether the dismissal has settled the item: it names who dismissed it, and a case with an open hit can't be approved."""
    if item.kind is not CaseItemKind.SANCTIONS_HIT:
        return False
    is_settled = item.status is CaseItemStatus.SETTLED and item.settled_by == dismissed_by
    return is_settled or (item.status is CaseItemStatus.DECIDED and case.outcome is CaseOutcome.APPROVED)
