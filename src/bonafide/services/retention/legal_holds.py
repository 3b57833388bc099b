"""Legal holds on single business records: nothing of a held record is deleted by a policy or erased on request."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from bonafide.model.accounts.retention import LegalHold, LegalHoldChange
from bonafide.model.records.business_record import Author, BusinessRecord, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.records.business_records import find_record, lock_record
from bonafide.store.retention import legal_holds
from bonafide.store.retention.legal_holds import StoredHold
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditChange

HOLD_SET = "legalHold.set"
"""The field of the audit entry of a hold. Its new value has the reason, and its old value that of the hold before."""
HOLD_LIFTED = "legalHold.lifted"
"""The field of the audit entry when a hold is lifted. Its values have the reason of the hold, and why it is lifted."""


@dataclass(frozen=True, slots=True)
class HeldRecord:
    """A record that is held."""

    hold: LegalHold
    record: BusinessRecord


async def read_hold(runtime: Runtime, organization_id: UUID, business_id: UUID) -> LegalHold:
    """Whether a record is held. Raises `NotFound`."""
    await find_record(runtime, organization_id, business_id=business_id)
    return _to_hold(business_id, await legal_holds.get(runtime.store, organization_id, business_id))


async def list_held_records(runtime: Runtime, organization_id: UUID, limit: int) -> Sequence[HeldRecord]:
    """The records that are held, those first whose hold was set last."""
    async with runtime.store.read() as connection:
        found = await legal_holds.list_newest(connection, organization_id, limit)
    return [HeldRecord(_to_hold(hold.business_id, hold), BusinessRecord.model_validate_json(document)) for hold, document in found]


async def change_hold(
    runtime: Runtime, organization_id: UUID, business_id: UUID, change: LegalHoldChange, author: Author
) -> LegalHold:
    """Set a hold on a record, replace its reason, or lift it. Raises `NotFound`.

    A hold that is already as requested stays as it is.
    """
    async with runtime.store.write() as connection:
        await lock_record(connection, organization_id, business_id)
        ledger = await audit_log.lock_head(connection, organization_id)
        before = await legal_holds.get(connection, organization_id, business_id)
        after, at = before, ledger.next_instant(runtime.clock())
        changed = FieldChange(
            HOLD_SET if change.held else HOLD_LIFTED,
            {"reason": before.reason} if before is not None else None,
            {"reason": change.reason},
        )
        if change.held and (before is None or before.reason != change.reason):
            after = StoredHold(business_id, change.reason, at, author.actor)
            await legal_holds.put(connection, organization_id, after)
        elif not change.held and before is not None:
            after = None
            await legal_holds.remove(connection, organization_id, business_id)
        if after != before:
            audited = AuditChange(business_id, at, author, [changed])
            await audit_log.record_change(connection, organization_id, ledger, audited)
    return _to_hold(business_id, after)


def _to_hold(business_id: UUID, stored: StoredHold | None) -> LegalHold:
    if stored is None:
        return LegalHold(business_id=business_id, held=False)
    return LegalHold(business_id=business_id, held=True, reason=stored.reason, set_at=stored.set_at, set_by=stored.set_by)
