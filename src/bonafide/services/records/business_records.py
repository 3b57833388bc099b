"""Find, create and change business records.

Each change is one short transaction that locks the organization's audit head, so that it has an instant of its own and an entry in
the audit log.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

from bonafide.errors import ApiError, Conflict, NotFound, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.connections.connection_keys import list_record_traits
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.events.event import NewEvent
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord, CallerFields, FieldChange, SystemFields, list_changes
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.records.record_events import build_record_event
from bonafide.services.records.watching import update_watch
from bonafide.store.database.engine import Connection, Store
from bonafide.store.records import business_traits, businesses
from bonafide.store.records.businesses import NaturalKey, StoredBusiness
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditLogState
from bonafide.store.work.pending_key import complete_key

LONGEST_NUMBER = 64
"""The longest number that is indexed as it is; a longer text is indexed by its digest."""
UNKNOWN = Message("We couldn’t find that business record.")
UNKNOWN_EXTERNAL = Message("There is no business record with this externalId.")
REFUSALS = (Conflict, StaleWrite, ValidationFailed, NotFound)
"""Errors of one edit that do not affect the other edits of a batch."""


@dataclass(frozen=True, slots=True)
class UpsertResult:
    """The current record, whether it is new, and whether it changed."""

    record: BusinessRecord
    created: bool
    changed: bool = True


@dataclass(frozen=True, slots=True)
class RecordEdit:
    """An edit of a record, which is found by `business_id` or else by the identifiers of the request."""

    request: BusinessUpsert
    business_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """A record before an edit (None for a new one) and after it, and the changes."""

    old: BusinessRecord | None
    new: BusinessRecord
    changes: Sequence[FieldChange]


# ------------------------------------------------------------------------------------------------------------- finding


async def find_record(
    runtime: Runtime, organization_id: UUID, *, business_id: UUID | None = None, external_id: str | None = None
) -> BusinessRecord:
    """The record that a request refers to. Raises `NotFound`, and `ValidationFailed` for two references to different records."""
    if business_id is not None and external_id is None:
        return BusinessRecord.model_validate_json(await _get_document(runtime.store, organization_id, business_id))
    async with runtime.store.read() as connection:
        return await load_record(connection, organization_id, business_id, external_id)


async def load_record(
    connection: Connection, organization_id: UUID, business_id: UUID | None, external_id: str | None
) -> BusinessRecord:
    """The same within an open transaction; at least one of the two identifiers must be given."""
    by_id = await _get_document(connection, organization_id, business_id) if business_id is not None else None
    named = (await businesses.find_matching(connection, organization_id, external_id, None))[0] if external_id is not None else None
    if external_id is not None and named is None:
        raise NotFound(UNKNOWN_EXTERNAL)
    if by_id is not None and named is not None and by_id != named:
        raise ValidationFailed.of_field("businessExternalId", Message("refers to a different record than businessId"))
    return BusinessRecord.model_validate_json(by_id if by_id is not None else str(named))


async def _get_document(database: Connection | Store, organization_id: UUID, business_id: UUID) -> str:
    document = await businesses.get(database, organization_id, business_id)
    if document is None:
        raise NotFound(UNKNOWN)
    return document


def build_natural_key(jurisdiction: Jurisdiction | None, number: str | None) -> NaturalKey | None:
    """The key of a registration, equal for every spelling of its number; None without a jurisdiction or number."""
    if jurisdiction is None or number is None:
        return None
    keys = frozenset(key if len(key) <= LONGEST_NUMBER else sha256(key.encode()).hexdigest() for key in build_number_keys(number))
    return NaturalKey(jurisdiction, keys) if keys else None


# ------------------------------------------------------------------------------------------------------------ upserting


async def upsert(runtime: Runtime, organization_id: UUID, request: BusinessUpsert, author: Author) -> UpsertResult:
    """Create the record, or change the fields that were sent. Without a change the record stays as it is.

    Raises `NotFound` for an unknown id, `Conflict` if the request identifies two records, `StaleWrite` if the record is not the
    version that the caller expects, and `ValidationFailed` for a new record without any identifying field.
    """
    async with runtime.store.write() as connection:
        done = await _apply_single_edit(connection, organization_id, RecordEdit(request), author, runtime.clock())
        await complete_key(connection, done)
    return done


async def edit(runtime: Runtime, organization_id: UUID, business_id: UUID, request: BusinessUpsert, author: Author) -> UpsertResult:
    """Edit the record of this id. Raises `NotFound`, `StaleWrite`, and `Conflict` for identifiers of another record."""
    async with runtime.store.write() as connection:
        done = await _apply_single_edit(connection, organization_id, RecordEdit(request, business_id), author, runtime.clock())
        await complete_key(connection, done)
    return done


async def apply_edits(
    runtime: Runtime, organization_id: UUID, edits: Sequence[RecordEdit], author: Author
) -> list[UpsertResult | ApiError]:
    """Apply edits in order in one transaction, and return the outcome of each.

    A refused edit does not affect the others. Other writers of the organization wait for all of them.
    """
    outcomes: list[UpsertResult | ApiError] = []
    recorded: list[NewEvent] = []
    async with runtime.store.write() as connection:
        for one in edits:
            try:
                done, event = await _apply_edit(connection, organization_id, one, author, runtime.clock())
            except REFUSALS as refusal:
                outcomes.append(refusal)
            else:
                outcomes.append(done)
                recorded += [event] if event is not None else []
        await record_events(connection, organization_id, recorded, runtime.clock())
    return outcomes


async def preview_edits(runtime: Runtime, organization_id: UUID, edits: Sequence[RecordEdit]) -> list[PlannedEdit | ApiError]:
    """What each edit by itself would do to the current records, or why it would be refused. Nothing is changed."""
    outcomes: list[PlannedEdit | ApiError] = []
    async with runtime.store.read() as connection:
        for one in edits:
            try:
                outcomes.append(await _plan_edit(connection, organization_id, one, runtime.clock()))
            except REFUSALS as refusal:
                outcomes.append(refusal)
    return outcomes


async def _apply_single_edit(
    connection: Connection, organization_id: UUID, one: RecordEdit, author: Author, now: datetime
) -> UpsertResult:
    """Apply one edit within an open transaction, and record its event."""
    done, event = await _apply_edit(connection, organization_id, one, author, now)
    if event is not None:
        await record_events(connection, organization_id, [event], done.record.updated_at)
    return done


async def _apply_edit(
    connection: Connection, organization_id: UUID, one: RecordEdit, author: Author, now: datetime
) -> tuple[UpsertResult, NewEvent | None]:
    """Apply one edit within an open transaction. Returns its result and its event, None without a change."""
    ledger = await audit_log.lock_head(connection, organization_id)
    step = await _plan_edit(connection, organization_id, one, ledger.next_instant(now))
    if step.old is not None and not step.changes:
        return UpsertResult(step.old, created=False, changed=False), None
    await _store_change(connection, organization_id, ledger, step, author)
    event = build_record_event(step.old, step.new, step.changes, author)
    return UpsertResult(step.new, created=step.old is None), event


async def _plan_edit(connection: Connection, organization_id: UUID, one: RecordEdit, instant: datetime) -> PlannedEdit:
    """Plan an edit. Every refusal is raised here, before anything is written."""
    request = one.request
    business_id = one.business_id if one.business_id is not None else request.id
    if business_id is not None:
        old: BusinessRecord | None = await load_record(connection, organization_id, business_id, None)
    else:
        old = await _find_target(connection, organization_id, request)
    _check_version(old, request)
    before = old if old is not None else BusinessRecord(id=uuid4(), created_at=instant, updated_at=instant)
    new = before.model_copy(update={**request.apply_to(before), "updated_at": instant})
    if old is None and new.name is None and new.external_id is None and _get_natural_key(new) is None:
        raise ValidationFailed.of_field(
            "name", Message("a new record needs a name, an externalId, or a jurisdiction with a registrationNumber")
        )
    if old is not None:
        await _check_owners(connection, organization_id, old, new)
    return PlannedEdit(old, new, list_changes(old, new, CallerFields))


async def _find_target(connection: Connection, organization_id: UUID, request: BusinessUpsert) -> BusinessRecord | None:
    """The record of the request, by its external id or else by its registration; None if there is none yet."""
    key = build_natural_key(request.jurisdiction, request.registration_number)
    named, registered = await businesses.find_matching(connection, organization_id, request.external_id, key)
    if named is not None:
        if any(document != named for document in registered):
            raise Conflict(Message("externalId and the registration number belong to different records."))
        return BusinessRecord.model_validate_json(named)
    if len(registered) > 1:
        raise Conflict(Message("The registration number belongs to several records. Send the externalId of the intended one."))
    found = BusinessRecord.model_validate_json(registered[0]) if registered else None
    if found is not None and request.external_id is not None and found.external_id is not None:
        raise Conflict(Message("The registration number belongs to a record with a different externalId."))
    return found


def _check_version(old: BusinessRecord | None, request: BusinessUpsert) -> None:
    expected = request.expected_updated_at
    if expected is None:
        return
    if old is None:
        raise StaleWrite(Message("The record doesn’t exist. It may have been removed or renamed since you read it."))
    if old.updated_at != expected:
        raise StaleWrite


def _get_natural_key(record: BusinessRecord | None) -> NaturalKey | None:
    return build_natural_key(record.jurisdiction, record.registration_number) if record is not None else None


async def _check_owners(connection: Connection, organization_id: UUID, old: BusinessRecord, new: BusinessRecord) -> None:
    """Raise `Conflict` if a new identifier of the record belongs to another record."""
    external_id = new.external_id if new.external_id != old.external_id else None
    key = _get_natural_key(new) if _get_natural_key(new) != _get_natural_key(old) else None
    if external_id is None and key is None:
        return
    named, owners = await businesses.find_matching(connection, organization_id, external_id, key)
    if named is not None:
        raise Conflict(Message("Another record has this externalId."))
    if any(BusinessRecord.model_validate_json(owner).id != new.id for owner in owners):
        raise Conflict(Message("Another record has this registration number."))


async def _store_change(
    connection: Connection, organization_id: UUID, ledger: AuditLogState, step: PlannedEdit, author: Author
) -> None:
    """Store the changed record and its audit entries."""
    new, key = step.new, _get_natural_key(step.new)
    if step.old is None:
        await businesses.add(connection, organization_id, _to_row(new))
        await businesses.add_numbers(connection, organization_id, new.id, key)
        await business_traits.add(connection, organization_id, new.id, _list_trait_keys(new))
    else:
        await businesses.replace(connection, organization_id, _to_row(new))
        if key != _get_natural_key(step.old):
            await businesses.set_numbers(connection, organization_id, new.id, key)
        # The stored keys may be those of an earlier release, which parsed the same values differently.
        await business_traits.replace(connection, organization_id, new.id, _list_trait_keys(new))
    await update_watch(connection, organization_id, step.old, new, new.updated_at)
    await audit_log.record_change(
        connection, organization_id, ledger, audit_log.AuditChange(new.id, new.updated_at, author, step.changes)
    )


def _list_trait_keys(record: BusinessRecord) -> frozenset[str]:
    return frozenset(key for trait in list_record_traits(record) for key in trait.keys)


def _to_row(record: BusinessRecord) -> StoredBusiness:
    return StoredBusiness(
        id=record.id,
        external_id=record.external_id,
        is_monitored=record.is_monitored,
        is_archived=record.is_archived,
        updated_at=record.updated_at,
        document=record.to_json(),
        sought=businesses.build_search_text(record.registration_number, record.external_id, record.name),
        has_discrepancies=record.has_unresolved_discrepancies,
        jurisdiction=record.jurisdiction,
        verification_status=record.verification_status,
    )


# -------------------------------------------------------------------------------------------------------- system fields


async def lock_record(connection: Connection, organization_id: UUID, business_id: UUID) -> BusinessRecord:
    """Lock the record until the caller's transaction ends, and return it. Raises `NotFound`."""
    await audit_log.lock_head(connection, organization_id)
    return await load_record(connection, organization_id, business_id, None)


async def record_system_fields(
    connection: Connection, organization_id: UUID, business_id: UUID, fields: SystemFields, author: Author, now: datetime
) -> BusinessRecord:
    """Set the system fields that `fields` was given, in the caller's transaction. Fields of callers are unchanged.

    It updates `updated_at` and is audited under `author`, unless nothing changes. Lock other rows of the change (a search, a
    verification) before this, never after, to avoid deadlocks. Raises `NotFound`.
    """
    ledger = await audit_log.lock_head(connection, organization_id)
    old = await load_record(connection, organization_id, business_id, None)
    instant = ledger.next_instant(now)
    given: dict[str, Any] = {name: getattr(fields, name) for name in fields.model_fields_set}
    new = old.model_copy(update={**given, "updated_at": instant})
    changes = list_changes(old, new, SystemFields)
    if not changes:
        return old
    await _store_change(connection, organization_id, ledger, PlannedEdit(old, new, changes), author)
    return new
