"""Verify, screen, archive or monitor many business records at once, as a job, and report what became of each record.

The effect on a record and the row that reports it are written in one transaction, so that an interrupted job continues with the
records that are left and does nothing twice. A job does a few records at a time and is queued again, so that the jobs of other
organizations run between.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.errors import ApiError, Conflict, NotFound, ServerBusy, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import DEFAULT_RATE_LIMIT, Principal, Scope
from bonafide.model.accounts.users import NO_KEY
from bonafide.model.lists.bulk_actions import MAX_BULK_RECORDS, BulkAction, BulkActionKind, BulkItem, BulkItemStatus
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.model.screening.requests import ScreeningAnswer, ScreeningRequest
from bonafide.model.verification.requests import VerifyRequest
from bonafide.runtime import Runtime
from bonafide.services.jobs.queue import JobContext, check_backlog
from bonafide.services.records import business_records
from bonafide.services.records.business_records import UpsertResult
from bonafide.services.screening.history import create_screening
from bonafide.services.verification.lifecycle import VerificationReply, create_verification
from bonafide.services.verification.spec import VerificationRequester
from bonafide.store.lists import bulk_actions
from bonafide.store.records import business_traits, businesses
from bonafide.store.records.businesses import RecordFilter
from bonafide.store.tenants import organizations
from bonafide.store.work import jobs
from bonafide.store.work.pending_key import ResultGuard

BULK_JOB = "bulk-action"
MAX_ATTEMPTS = 20
RECORDS_AT_ONCE = 20
RETRY_AFTER = timedelta(seconds=15)
"""When the service is too busy to go on."""
KEEP_REPORTS = timedelta(days=30)
PURGED_AT_ONCE = 20
UNKNOWN_ACTION = Message("We couldn’t find that action.")
_SETTLED = Message("Another worker has done this record already.")
_FLAGS: Mapping[BulkActionKind, BusinessUpsert] = {
    BulkActionKind.ARCHIVE: BusinessUpsert(is_archived=True),
    BulkActionKind.RESTORE: BusinessUpsert(is_archived=False),
    BulkActionKind.MONITOR: BusinessUpsert(is_monitored=True),
    BulkActionKind.STOP_MONITORING: BusinessUpsert(is_monitored=False),
}


@dataclass(frozen=True, slots=True)
class BulkReport:
    """An action with the number of its records by status, and the first records: failed ones first."""

    action: BulkAction
    counts: Counter[BulkItemStatus]
    items: Sequence[tuple[BulkItem, BusinessRecord | None]]
    """With the record, unless it is gone."""

    @property
    def total(self) -> int:
        """The number of all records."""
        return sum(self.counts.values())

    @property
    def done(self) -> int:
        """The number of records that nothing is left to do for."""
        return self.total - self.counts[BulkItemStatus.QUEUED]


async def select_records(runtime: Runtime, organization_id: UUID, chosen: RecordFilter) -> list[UUID]:
    """The IDs of all records that a filter lists. Raises `ValidationFailed` for more than `MAX_BULK_RECORDS`."""
    async with runtime.store.read() as connection:
        found = await businesses.list_ids(connection, organization_id, chosen, MAX_BULK_RECORDS + 1)
    if len(found) > MAX_BULK_RECORDS:
        raise ValidationFailed(Message("More than {n} records match. Filter the list first.", n=MAX_BULK_RECORDS))
    return found


async def begin_action(
    runtime: Runtime, principal: Principal, kind: BulkActionKind, business_ids: Sequence[UUID], language: Language
) -> UUID:
    """Queue an action on records of the organization, and return its ID. IDs that are no records are left out.

    Raises `ValidationFailed` without any record, and `ShareExceeded` with too many unfinished actions.
    """
    organization_id, now, context = principal.organization_id, runtime.clock(), JobContext.current(principal.world)
    await check_backlog(runtime, organization_id, BULK_JOB)
    action = BulkAction(uuid4(), kind, principal.identity, context.request_id, language, now)
    async with runtime.store.write() as connection:
        known = await businesses.list_known_ids(connection, organization_id, business_ids[:MAX_BULK_RECORDS])
        chosen = [business_id for business_id in dict.fromkeys(business_ids) if business_id in known]
        if not chosen:
            raise ValidationFailed(Message("Select at least one record."))
        items = [BulkItem(position, business_id) for position, business_id in enumerate(chosen)]
        await bulk_actions.add(connection, organization_id, action, items)
        await jobs.enqueue(connection, organization_id, jobs.NewJob(BULK_JOB, str(action.id), context.to_json(), now, MAX_ATTEMPTS))
    return action.id


async def read_report(runtime: Runtime, organization_id: UUID, action_id: UUID, limit: int) -> BulkReport:
    """What has become of an action so far. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        action = await bulk_actions.get(connection, organization_id, action_id)
        if action is None:
            raise NotFound(UNKNOWN_ACTION)
        counts = await bulk_actions.count_by_status(connection, organization_id, action_id)
        failed = await bulk_actions.list_items(connection, organization_id, action_id, limit, BulkItemStatus.FAILED)
        others = await bulk_actions.list_items(connection, organization_id, action_id, limit)
        shown = [*failed, *(item for item in others if item.status is not BulkItemStatus.FAILED)][:limit]
        documents = await business_traits.list_documents(connection, organization_id, [item.business_id for item in shown])
    records = {record.id: record for record in map(BusinessRecord.model_validate_json, documents)}
    return BulkReport(action, counts, [(item, records.get(item.business_id)) for item in shown])


async def purge_reports(runtime: Runtime) -> None:
    """Delete the reports of actions that were finished `KEEP_REPORTS` ago."""
    async with runtime.store.write() as connection:
        await bulk_actions.purge_finished(connection, runtime.clock() - KEEP_REPORTS, PURGED_AT_ONCE)


async def run_bulk_job(runtime: Runtime, organization_id: UUID, action_id: UUID) -> datetime | None:
    """Do the next records of an action; returns when to go on, and None if nothing is left to do."""
    async with runtime.store.read() as connection:
        action = await bulk_actions.get(connection, organization_id, action_id)
        organization = await organizations.get(connection, organization_id)
        items = await bulk_actions.list_items(connection, organization_id, action_id, RECORDS_AT_ONCE, BulkItemStatus.QUEUED)
    if action is None or organization is None:
        return None
    if not items:
        async with runtime.store.write() as connection:
            await bulk_actions.finish(connection, organization_id, action_id, runtime.clock())
        return None
    principal = Principal(
        organization_id=organization.id,
        organization=organization.name,
        world=organization.world,
        key_id=NO_KEY,
        identity=action.requested_by,
        scopes=frozenset(Scope),
        rate_limit=DEFAULT_RATE_LIMIT,
    )
    for item in items:
        try:
            await do_item(runtime, principal, action, item)
        except ServerBusy:
            return runtime.clock() + RETRY_AFTER
    return runtime.clock()


async def do_item(runtime: Runtime, principal: Principal, action: BulkAction, item: BulkItem) -> None:
    """Do one record of an action, unless another worker has. Raises `ServerBusy`; any other refusal is stored as the reason."""
    guard = _ItemGuard(principal.organization_id, action.id, item)
    try:
        with guard.active():
            await _TASKS[action.kind](runtime, principal, action, item)
    except ServerBusy:
        raise
    except ApiError as refusal:
        failed = replace(item, status=BulkItemStatus.FAILED, reason=refusal.message)
        async with runtime.store.write() as connection:
            await bulk_actions.settle_item(connection, principal.organization_id, action.id, failed)


class _ItemGuard(ResultGuard):
    """Requires that the effect on a record and the row that reports it are written in one transaction."""

    def __init__(self, organization_id: UUID, action_id: UUID, item: BulkItem) -> None:
        super().__init__()
        self._organization_id = organization_id
        self._action_id = action_id
        self._item = item

    async def complete(self, connection: AsyncConnection, result: Any) -> None:
        """Store what became of the record. Raises `Conflict` if that is stored already."""
        settled = replace(self._item, status=BulkItemStatus.DONE, result_id=_get_result_id(result))
        if isinstance(result, UpsertResult) and not result.changed:
            settled = replace(settled, status=BulkItemStatus.UNCHANGED)
        if not await bulk_actions.settle_item(connection, self._organization_id, self._action_id, settled):
            raise Conflict(_SETTLED)
        self.satisfy(connection)


def _get_result_id(result: Any) -> UUID | None:
    if isinstance(result, VerificationReply):
        return result.verification_id
    return result.meta.screening_id if isinstance(result, ScreeningAnswer) else None


async def _verify(runtime: Runtime, principal: Principal, action: BulkAction, item: BulkItem) -> None:
    requester = VerificationRequester(identity=action.requested_by, request_id=action.request_id, language=action.language)
    await create_verification(runtime, principal, VerifyRequest(business_id=item.business_id), requester)


async def _screen(runtime: Runtime, principal: Principal, _action: BulkAction, item: BulkItem) -> None:
    record = await business_records.find_record(runtime, principal.organization_id, business_id=item.business_id)
    if record.name is None:
        raise ValidationFailed(Message("The record has no name to screen."))
    await create_screening(runtime, principal, ScreeningRequest(query=record.name, business_id=record.id))


async def _set_flag(runtime: Runtime, principal: Principal, action: BulkAction, item: BulkItem) -> None:
    author = Author(action.requested_by, action.request_id)
    await business_records.edit(runtime, principal.organization_id, item.business_id, _FLAGS[action.kind], author)


_TASKS: Mapping[BulkActionKind, Callable[[Runtime, Principal, BulkAction, BulkItem], Awaitable[None]]] = {
    BulkActionKind.VERIFY: _verify,
    BulkActionKind.SCREEN: _screen,
    **dict.fromkeys(_FLAGS, _set_flag),
}
