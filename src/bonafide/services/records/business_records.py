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
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord, CallerFields, FieldChange, SystemFields, list_changes
from bonafide.model.search.result import Pagination
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.records import businesses
from bonafide.store.records.businesses import NaturalKey, RecordFilter, StoredBusiness
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditLogState

LONGEST_NUMBER = 64
"""Of what counts as a number as it is; a longer text counts by its digest, for an index takes no text of any length."""
UNKNOWN = "there is no business record with this id"
UNKNOWN_EXTERNAL = "there is no business record with this externalId"
REFUSALS = (Conflict, StaleWrite, ValidationFailed, NotFound)
"""Why one of many edits changes nothing, while the others stand."""


@dataclass(frozen=True, slots=True)
class UpsertResult:
    """The record as it is now, whether it is new, and whether anything of it has changed."""

    record: BusinessRecord
    created: bool
    changed: bool = True


@dataclass(frozen=True, slots=True)
class RecordEdit:
    """What is to be stored. Of which record is said by its id, or else by the ids within the request."""

    request: BusinessUpsert
    business_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """A record before (None for a new one) and after an edit, and what the edit changes."""

    old: BusinessRecord | None
    new: BusinessRecord
    changes: Sequence[FieldChange]


# ------------------------------------------------------------------------------------------------------------- finding


async def find_record(
    runtime: Runtime, organization_id: UUID, *, business_id: UUID | None = None, external_id: str | None = None
) -> BusinessRecord:
    """The record that a request refers to. Raises `NotFound`, and `ValidationFailed` for two references to different records."""
    async with runtime.store.read() as connection:
        return await load_record(connection, organization_id, business_id, external_id)


async def load_record(
    connection: Connection, organization_id: UUID, business_id: UUID | None, external_id: str | None
) -> BusinessRecord:
    """The same in a transaction that is open already; at least one of the two must be given."""
    by_id = await businesses.get(connection, organization_id, business_id) if business_id is not None else None
    if business_id is not None and by_id is None:
        raise NotFound(UNKNOWN)
    named = (await businesses.find_matching(connection, organization_id, external_id, None))[0] if external_id is not None else None
    if external_id is not None and named is None:
        raise NotFound(UNKNOWN_EXTERNAL)
    if by_id is not None and named is not None and by_id != named:
        raise ValidationFailed.of_field("businessExternalId", "is the id of another record than businessId")
    return BusinessRecord.model_validate_json(by_id if by_id is not None else str(named))


async def list_records(
    runtime: Runtime, organization_id: UUID, chosen: RecordFilter, limit: int, offset: int
) -> tuple[list[BusinessRecord], Pagination]:
    """A page of the organization's records, newest change first."""
    async with runtime.store.read_lagging() as connection:
        documents, total = await businesses.list_newest(connection, organization_id, chosen, limit, offset)
    has_more = offset + len(documents) < total
    records = [BusinessRecord.model_validate_json(document) for document in documents]
    return records, Pagination(total=total, limit=limit, offset=offset, has_more=has_more)


def build_natural_key(jurisdiction: Jurisdiction | None, number: str | None) -> NaturalKey | None:
    """The registration that these name, in every spelling; None when they name none."""
    if jurisdiction is None or number is None:
        return None
    keys = frozenset(key if len(key) <= LONGEST_NUMBER else sha256(key.encode()).hexdigest() for key in build_number_keys(number))
    return NaturalKey(jurisdiction, keys) if keys else None


# ------------------------------------------------------------------------------------------------------------ upserting


async def upsert(runtime: Runtime, organization_id: UUID, request: BusinessUpsert, author: Author) -> UpsertResult:
    """Create the record, or change the fields that were sent of the one that is meant; a change of nothing leaves it as it is.

    Raises `Conflict` when the request names two records, `StaleWrite` when the record is not the version that the caller expects,
    and `ValidationFailed` for a new record that nothing would tell from another.
    """
    async with runtime.store.write() as connection:
        return await _apply_edit(connection, organization_id, RecordEdit(request), author, runtime.clock())


async def edit(runtime: Runtime, organization_id: UUID, business_id: UUID, request: BusinessUpsert, author: Author) -> UpsertResult:
    """The same for the record of this id. Raises `NotFound`, `StaleWrite`, and `Conflict` for the ids of another record."""
    async with runtime.store.write() as connection:
        return await _apply_edit(connection, organization_id, RecordEdit(request, business_id), author, runtime.clock())


async def apply_edits(
    runtime: Runtime, organization_id: UUID, edits: Sequence[RecordEdit], author: Author
) -> list[UpsertResult | ApiError]:
    """Several edits, one after another in one transaction: what became of each, in their order.

    One that is refused changes nothing, and the others stand. The organization's other writers wait for all of them.
    """
    outcomes: list[UpsertResult | ApiError] = []
    async with runtime.store.write() as connection:
        for one in edits:
            try:
                outcomes.append(await _apply_edit(connection, organization_id, one, author, runtime.clock()))
            except REFUSALS as refusal:
                outcomes.append(refusal)
    return outcomes


async def preview_edits(runtime: Runtime, organization_id: UUID, edits: Sequence[RecordEdit]) -> list[PlannedEdit | ApiError]:
    """What each edit by itself would do to the records as they are now, or why it would be refused. It changes nothing."""
    outcomes: list[PlannedEdit | ApiError] = []
    async with runtime.store.read() as connection:
        for one in edits:
            try:
                outcomes.append(await _plan_edit(connection, organization_id, one, runtime.clock()))
            except REFUSALS as refusal:
                outcomes.append(refusal)
    return outcomes


async def _apply_edit(
    connection: Connection, organization_id: UUID, one: RecordEdit, author: Author, now: datetime
) -> UpsertResult:
    """In a transaction that is open already."""
    ledger = await audit_log.lock_head(connection, organization_id)
    step = await _plan_edit(connection, organization_id, one, ledger.next_instant(now))
    if step.old is not None and not step.changes:
        return UpsertResult(step.old, created=False, changed=False)
    await _store_change(connection, organization_id, ledger, step, author)
    return UpsertResult(step.new, created=step.old is None)


async def _plan_edit(connection: Connection, organization_id: UUID, one: RecordEdit, instant: datetime) -> PlannedEdit:
    """What an edit comes to. Whatever can be refused is so here, before anything is written."""
    request = one.request
    if one.business_id is not None:
        old: BusinessRecord | None = await load_record(connection, organization_id, one.business_id, None)
    else:
        old = await _find_target(connection, organization_id, request)
    _check_version(old, request)
    before = old if old is not None else BusinessRecord(id=uuid4(), created_at=instant, updated_at=instant)
    new = before.model_copy(update={**request.apply_to(before), "updated_at": instant})
    if old is None and new.name is None and new.external_id is None and _get_natural_key(new) is None:
        raise ValidationFailed.of_field(
            "name", "a new record needs a name, an externalId, or a jurisdiction with a registrationNumber"
        )
    if old is not None:
        await _check_owners(connection, organization_id, old, new)
    return PlannedEdit(old, new, list_changes(old, new, CallerFields))


async def _find_target(connection: Connection, organization_id: UUID, request: BusinessUpsert) -> BusinessRecord | None:
    """The record that the request means: by its external id, else by its registration; None when there is none yet."""
    key = build_natural_key(request.jurisdiction, request.registration_number)
    named, registered = await businesses.find_matching(connection, organization_id, request.external_id, key)
    if named is not None:
        if any(document != named for document in registered):
            raise Conflict("externalId and the registration number name two different records")
        return BusinessRecord.model_validate_json(named)
    if len(registered) > 1:
        raise Conflict("the registration number names more than one record: send the externalId of the one that is meant")
    found = BusinessRecord.model_validate_json(registered[0]) if registered else None
    if found is not None and request.external_id is not None and found.external_id is not None:
        raise Conflict("the registration number is that of a record with another externalId")
    return found


def _check_version(old: BusinessRecord | None, request: BusinessUpsert) -> None:
    expected = request.expected_updated_at
    if expected is None:
        return
    if old is None:
        raise StaleWrite("There is no such record: it was removed or renamed since it was read, or never was.")
    if old.updated_at != expected:
        raise StaleWrite


def _get_natural_key(record: BusinessRecord | None) -> NaturalKey | None:
    return build_natural_key(record.jurisdiction, record.registration_number) if record is not None else None


async def _check_owners(connection: Connection, organization_id: UUID, old: BusinessRecord, new: BusinessRecord) -> None:
    """Raises `Conflict` when what a record is to be known by from now on is another record's."""
    external_id = new.external_id if new.external_id != old.external_id else None
    key = _get_natural_key(new) if _get_natural_key(new) != _get_natural_key(old) else None
    if external_id is None and key is None:
        return
    named, owners = await businesses.find_matching(connection, organization_id, external_id, key)
    if named is not None:
        raise Conflict("another record has this externalId")
    if any(BusinessRecord.model_validate_json(owner).id != new.id for owner in owners):
        raise Conflict("another record has this registration number")


async def _store_change(
    connection: Connection, organization_id: UUID, ledger: AuditLogState, step: PlannedEdit, author: Author
) -> None:
    """Store the changed record and its audit entries."""
    new, key = step.new, _get_natural_key(step.new)
    if step.old is None:
        await businesses.add(connection, organization_id, _to_row(new))
        await businesses.add_numbers(connection, organization_id, new.id, key)
    else:
        await businesses.replace(connection, organization_id, _to_row(new))
        if key != _get_natural_key(step.old):
            await businesses.set_numbers(connection, organization_id, new.id, key)
    await audit_log.record_change(
        connection, organization_id, ledger, audit_log.AuditChange(new.id, new.updated_at, author, step.changes)
    )


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
    )


# -------------------------------------------------------------------------------------------------------- system fields


async def lock_record(connection: Connection, organization_id: UUID, business_id: UUID) -> BusinessRecord:
    """The record as it is until the caller's transaction ends: nobody else can change it before. Raises `NotFound`."""
    await audit_log.lock_head(connection, organization_id)
    return await load_record(connection, organization_id, business_id, None)


async def record_system_fields(
    connection: Connection, organization_id: UUID, business_id: UUID, fields: SystemFields, author: Author, now: datetime
) -> BusinessRecord:
    """Set those of a record's system fields that `fields` was given, in the caller's transaction; what callers wrote stays.

    It moves `updated_at` and is audited under `author`, unless nothing changes. Hold whatever other row the change concerns
    (a search, a verification) before this, never after, so that two of them can't wait for each other. Raises `NotFound`.
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
