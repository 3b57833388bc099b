"""The job of an erasure: delete the checks, cases and events of what was erased, and erase its entries of the audit log.

It works in short transactions, each of which may be repeated: every step deletes what it finds, so a job that was interrupted
begins again. Checks that ran while the record was erased may have stored something afterwards, so the job runs again later.
"""

import re
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Table

from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.events.event import EventSubject, EventSubjectKind, EventType, NewEvent, StoredEventBody
from bonafide.model.events.event_data import DataErasedData
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.events.recording import record_events
from bonafide.services.printing.pdf_reports import PRINTED
from bonafide.services.records.business_records import build_natural_key
from bonafide.services.retention.audit_erasure import erase_audit_entries
from bonafide.services.retention.erased_rows import (
    erase_reports,
    erase_rows,
    remove_covering_packs,
    remove_packs_of_times,
)
from bonafide.services.retention.file_removal import remove_files
from bonafide.services.retention.stored_files import list_files
from bonafide.services.verification.spec import VerificationSpec
from bonafide.store.database.engine import Connection
from bonafide.store.database.schema.case_tables import cases
from bonafide.store.database.schema.manual_check_tables import manual_checks
from bonafide.store.database.tables import events, extracts, verifications
from bonafide.store.records import businesses
from bonafide.store.retention import erasures, file_deletions, legal_holds, removal
from bonafide.store.retention.covering_packs import PackedTime
from bonafide.store.retention.erasures import Erasure, EventReference
from bonafide.store.retention.removal import CHECKS_OF_A_BUSINESS
from bonafide.store.tenants import audit_log

BY_ERASURE = Author("system:erasure")
"""The author of what the job erases."""
ROWS_AT_ONCE = 100
TEXTS_AT_ONCE = 500
"""Rows that one transaction reads to find mentions."""
HOLD_RETRY = timedelta(hours=1)
SECOND_PASS_AFTER = timedelta(minutes=15)
"""Longer than a check takes that was running at the time of the request, unless its deadline is later."""
NAMED_DEPTH = 3
"""The slashes in the name of a printed report: folder, subject, document, file."""
ERASED_STATUS = 404
ERASED_ANSWER = b'{"error":"The response was erased.","code":"NOT_FOUND","requestId":"erased"}'
"""The response to a repeated request whose first response had erased data."""
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_WITHOUT_RECORD: tuple[Table, ...] = (cases, manual_checks)
"""The tables whose rows may be about a check without a business record."""


async def run_erasure(runtime: Runtime, organization_id: UUID, erasure_id: UUID) -> datetime | None:
    """Erase what there is; returns when to run again, None when the erasure has finished. Raises `ServerBusy`."""
    async with runtime.store.read() as connection:
        erasure = await erasures.get(connection, organization_id, erasure_id)
    if erasure is None or erasure.finished_at is not None:
        return None
    if await _is_held(runtime, organization_id, erasure):
        return runtime.clock() + HOLD_RETRY
    job = _ErasureJob(runtime, organization_id, erasure_id)
    if erasure.erased_at is None:
        await job.remove_unnamed_files()
    await job.erase_events_of_business()
    for table in CHECKS_OF_A_BUSINESS:
        await job.erase_checks(table)
    for table in _WITHOUT_RECORD:
        await job.erase_mentions_in(table)
    await job.erase_mentions_in_events()
    await job.erase_answers()
    await job.erase_audit_entries()
    await remove_files(runtime)
    return await _end_pass(runtime, organization_id, erasure)


async def _is_held(runtime: Runtime, organization_id: UUID, erasure: Erasure) -> bool:
    """Whether the organization is held, or the record of the erased check."""
    if (await read_settings(runtime, organization_id)).legal_hold:
        return True
    if erasure.business_id is None:
        return False
    async with runtime.store.read() as connection:
        return await legal_holds.get(connection, organization_id, erasure.business_id) is not None


async def _end_pass(runtime: Runtime, organization_id: UUID, erasure: Erasure) -> datetime | None:
    """Record the event at the end of the first pass, and the end of the erasure after the second."""
    now = runtime.clock()
    deadline = timedelta(seconds=max(runtime.settings.search_deadline_s, runtime.settings.verification_deadline_s))
    again_at = erasure.requested_at + max(SECOND_PASS_AFTER, deadline)
    async with runtime.store.write() as connection:
        await audit_log.lock_head(connection, organization_id)
        is_last = now >= again_at
        if await erasures.mark_erased(connection, organization_id, erasure.id, now):
            await record_events(connection, organization_id, [_build_event(erasure)], now)
        if is_last:
            await erasures.finish(connection, organization_id, erasure.id, now)
    return None if is_last else again_at


def _build_event(erasure: Erasure) -> NewEvent:
    return NewEvent(
        EventType.DATA_ERASED,
        EventSubject(kind=EventSubjectKind.ERASURE, id=erasure.id),
        DataErasedData(erasure_id=erasure.id, requested_at=erasure.requested_at, requested_by=erasure.requested_by),
    )


class _ErasureJob:
    """The steps of one pass."""

    def __init__(self, runtime: Runtime, organization_id: UUID, erasure_id: UUID) -> None:
        self._runtime = runtime
        self._organization_id = organization_id
        self._erasure_id = erasure_id

    async def remove_unnamed_files(self) -> None:
        """Delete the printed reports of earlier releases, whose names do not have the ID of their subject."""
        printed = [name async for name in self._runtime.files.list_folder(self._organization_id, f"{PRINTED}/")]
        unnamed = [name for name in printed if name.count("/") < NAMED_DEPTH]
        async with self._runtime.store.write() as connection:
            await file_deletions.add(connection, self._organization_id, unnamed, self._runtime.clock())

    async def erase_events_of_business(self) -> None:
        """Delete the events of a business record, with their alerts and deliveries."""
        while True:
            async with self._runtime.store.write() as connection:
                found = await erasures.list_events_of_business(connection, self._organization_id, self._erasure_id, ROWS_AT_ONCE)
                await self._remove_events(connection, found)
            if len(found) < ROWS_AT_ONCE:
                return

    async def _remove_events(self, connection: Connection, found: Sequence[tuple[int, UUID]]) -> None:
        if not found:
            return
        numbers = [sequence for sequence, _ in found]
        condition = removal.has_keys(self._organization_id, events, numbers)
        await remove_covering_packs(connection, self._organization_id, events, condition, self._runtime.clock())
        await removal.remove_rows(connection, self._organization_id, events, numbers)
        ids = [event_id for _, event_id in found]
        # Only later events can be about an event.
        await erasures.add_subjects(connection, self._organization_id, self._erasure_id, ids, min(numbers))
        self._runtime.metrics.count_erased(events.name, len(found))

    async def erase_checks(self, table: Table) -> None:
        """Delete the rows of a table that have the business record, with their reports and files."""
        while True:
            async with self._runtime.store.write() as connection:
                # Those who change them hold the audit head.
                if table in {cases, manual_checks}:
                    await audit_log.lock_head(connection, self._organization_id)
                found = await erasures.list_checks(connection, self._organization_id, self._erasure_id, table, ROWS_AT_ONCE)
                await self._remove_checks(connection, table, found)
            if len(found) < ROWS_AT_ONCE:
                return

    async def _remove_checks(self, connection: Connection, table: Table, ids: Sequence[UUID]) -> None:
        if not ids:
            return
        now = self._runtime.clock()
        if table is verifications:
            reports = await self._remove_reports(connection, ids)
            await file_deletions.add(connection, self._organization_id, list_files(extracts, reports), now)
            await erasures.add_subjects(connection, self._organization_id, self._erasure_id, reports)
        await erase_rows(connection, self._organization_id, self._erasure_id, table, ids, now)
        self._runtime.metrics.count_erased(table.name, len(ids))

    async def _remove_reports(self, connection: Connection, verification_ids: Collection[UUID]) -> set[UUID]:
        """Delete the reports that verifications may have used, except those of the numbers of other records."""
        removed = set[UUID]()
        for text in await erasures.list_requests(connection, self._organization_id, verifications, verification_ids):
            subject = VerificationSpec.model_validate_json(text).subject
            keys = build_number_keys(subject.registration_number)
            key = build_natural_key(subject.jurisdiction, subject.registration_number)
            _, owners = await businesses.find_matching(connection, self._organization_id, None, key)
            if keys and not owners:
                number, now = min(keys), self._runtime.clock()
                removed.update(await erase_reports(connection, self._organization_id, subject.jurisdiction, number, now))
        return removed

    async def erase_mentions_in(self, table: Table) -> None:
        """Delete the cases or manual checks that are about an erased check without a business record."""
        subjects, after = await self._list_subjects(), None
        while True:
            async with self._runtime.store.read() as connection:
                found = await erasures.list_subjects_of_cases(connection, self._organization_id, table, after, TEXTS_AT_ONCE)
            about = [row_id for row_id, subject in found if _find_ids(subject) & subjects]
            if about:
                async with self._runtime.store.write() as connection:
                    await audit_log.lock_head(connection, self._organization_id)
                    await self._remove_checks(connection, table, about)
            if len(found) < TEXTS_AT_ONCE:
                return
            after = found[-1][0]

    async def erase_mentions_in_events(self) -> None:
        """Delete the events that are about an erased row without naming its business record, such as that of a report.

        Each event is read once, unless more has been erased since: the position is kept with what a batch deletes.
        """
        subjects = await self._list_subjects()
        position = await self._read_position()
        while True:
            async with self._runtime.store.read() as connection:
                found = await erasures.list_event_texts(connection, self._organization_id, position, TEXTS_AT_ONCE)
            if not found:
                return
            about = []
            for event in found:
                if _is_about(event, subjects):
                    about.append((event.sequence, event.id))
                    subjects.add(event.id)
            position = found[-1].sequence
            async with self._runtime.store.write() as connection:
                await self._remove_events(connection, about)
                await erasures.set_position(connection, self._organization_id, self._erasure_id, position)
            if len(found) < TEXTS_AT_ONCE:
                return

    async def _read_position(self) -> int:
        async with self._runtime.store.read() as connection:
            erasure = await erasures.get(connection, self._organization_id, self._erasure_id)
        return erasure.events_position if erasure is not None else 0

    async def erase_answers(self) -> None:
        """Replace the stored responses that mention an erased row."""
        subjects, after = await self._list_subjects(), None
        while True:
            async with self._runtime.store.read() as connection:
                found = await erasures.list_answers(connection, self._organization_id, after, ROWS_AT_ONCE)
            about = [
                answer
                for answer in found
                if answer.resource_id in subjects or _find_ids((answer.body or b"").decode("utf-8", "replace")) & subjects
            ]
            if about:
                async with self._runtime.store.write() as connection:
                    for answer in about:
                        await erasures.replace_answer(connection, self._organization_id, answer, ERASED_STATUS, ERASED_ANSWER)
            if len(found) < ROWS_AT_ONCE:
                return
            after = found[-1].key_id, found[-1].idempotency_key

    async def erase_audit_entries(self) -> None:
        """Erase the content of the entries about what was erased."""
        subjects = sorted(await self._list_subjects())
        for first in range(0, len(subjects), ROWS_AT_ONCE):
            while await self._erase_entries_about(subjects[first : first + ROWS_AT_ONCE]):
                pass

    async def _erase_entries_about(self, subjects: Sequence[UUID]) -> int:
        """Erase a batch of entries about some of what was erased; returns how many there were."""
        now = self._runtime.clock()
        async with self._runtime.store.write() as connection:
            ledger = await audit_log.lock_head(connection, self._organization_id)
            erasure = (self._erasure_id, now, BY_ERASURE)
            _, erased = await erase_audit_entries(connection, self._organization_id, ledger, subjects, erasure)
            times = [PackedTime(at, at) for at in erased]
            await remove_packs_of_times(connection, self._organization_id, times, now)
        return len(erased)

    async def _list_subjects(self) -> set[UUID]:
        async with self._runtime.store.read() as connection:
            return await erasures.list_subjects(connection, self._organization_id, self._erasure_id)


def _find_ids(text: str) -> set[UUID]:
    """The IDs that a text contains."""
    return {UUID(found) for found in _UUID.findall(text)}


def _is_about(event: EventReference, subjects: set[UUID]) -> bool:
    """Whether an event is about an erased row. An event of another business record may mention one, and is kept."""
    if subjects.isdisjoint(_find_ids(event.document)):
        return False
    if event.business_id is None:
        return True
    body = StoredEventBody.model_validate_json(event.document)
    return body.subject.id in subjects or not subjects.isdisjoint(_find_ids(body.resource or ""))
