"""Record, withdraw and read the ownership statements of a business.

A change is one short transaction with its audit entries; the roll-up is computed when it is read, on the day of the request.
"""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from pydantic import JsonValue

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.matching.ownership.roll_up import roll_up
from bonafide.model.ownership.answer import OwnershipAnswer, RecordedStatement
from bonafide.model.ownership.roll_up import ShareRange
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.ownership.claims import find_subject, join_statements
from bonafide.services.records import business_records
from bonafide.store.database.engine import Connection
from bonafide.store.records import ownership_statements
from bonafide.store.records.ownership_statements import StoredStatement
from bonafide.store.tenants import audit_log

ALL_UNKNOWN = ShareRange(min=1.0, max=1.0)
"""Without a statement, nothing is known."""


async def replace_statement(
    runtime: Runtime, organization_id: UUID, business_id: UUID, statement: OwnershipStatement, author: Author
) -> OwnershipAnswer:
    """Replace what the statement's claimant says about the business; a statement without parties withdraws it.

    Raises `NotFound` for an unknown business, and `ValidationFailed` if the business isn't a party of the statement, or if the
    statement contradicts who is who in that of another claimant.
    """
    if statement.parties:
        find_subject(statement, business_id)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        await business_records.load_record(connection, organization_id, business_id, None)
        stored = await ownership_statements.list_for_business(connection, organization_id, business_id)
        old = next((_parse(one) for one in stored if one.claimed_by is statement.claimed_by), None)
        others = [_parse(one) for one in stored if one.claimed_by is not statement.claimed_by]
        if statement.parties and others:
            join_statements([statement, *others], business_id)
        changes = _list_changes(old, statement if statement.parties else None, statement.claimed_by)
        if changes:
            instant = ledger.next_instant(runtime.clock())
            new = StoredStatement(business_id, statement.claimed_by, instant, author.actor, statement.to_json())
            await _store(connection, organization_id, new, is_withdrawn=not statement.parties)
            change = audit_log.AuditChange(business_id, instant, author, changes)
            await audit_log.record_change(connection, organization_id, ledger, change)
        kept = await ownership_statements.list_for_business(connection, organization_id, business_id)
    return await _build_answer(runtime, organization_id, business_id, kept)


async def read_ownership(runtime: Runtime, organization_id: UUID, business_id: UUID) -> OwnershipAnswer:
    """What everybody says about the owners of a business, and what it adds up to today. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await business_records.load_record(connection, organization_id, business_id, None)
        stored = await ownership_statements.list_for_business(connection, organization_id, business_id)
    return await _build_answer(runtime, organization_id, business_id, stored)


def _parse(stored: StoredStatement) -> OwnershipStatement:
    return OwnershipStatement.model_validate_json(stored.document)


def _list_changes(old: OwnershipStatement | None, new: OwnershipStatement | None, claimant: str) -> list[FieldChange]:
    """The fields of a statement that differ, as `ownership.declared.parties`."""
    before, after = _dump(old), _dump(new)
    fields = (
        OwnershipStatement.model_fields[name].alias or name for name in OwnershipStatement.model_fields if name != "claimed_by"
    )
    return [
        FieldChange(f"ownership.{claimant}.{field}", before.get(field), after.get(field))
        for field in fields
        if before.get(field) != after.get(field)
    ]


def _dump(statement: OwnershipStatement | None) -> dict[str, JsonValue]:
    return statement.model_dump(mode="json", by_alias=True) if statement is not None else {}


async def _store(connection: Connection, organization_id: UUID, new: StoredStatement, *, is_withdrawn: bool) -> None:
    if is_withdrawn:
        await ownership_statements.remove(connection, organization_id, new.business_id, new.claimed_by)
    else:
        await ownership_statements.put(connection, organization_id, new)


async def _build_answer(
    runtime: Runtime, organization_id: UUID, business_id: UUID, stored: Sequence[StoredStatement]
) -> OwnershipAnswer:
    with runtime.compute_for(organization_id):
        return await run_cpu_bound(_roll_up_stored, business_id, stored, runtime.clock().date())


def _roll_up_stored(business_id: UUID, stored: Sequence[StoredStatement], day: date) -> OwnershipAnswer:
    statements = [_parse(one) for one in stored]
    recorded = tuple(
        RecordedStatement(
            claimed_by=one.claimed_by,
            as_of=statement.as_of,
            declared_by=statement.declared_by,
            recorded_at=one.recorded_at,
            recorded_by=one.recorded_by,
        )
        for one, statement in zip(stored, statements, strict=True)
    )
    joined = join_statements(statements, business_id) if statements else None
    result = roll_up(joined.to_claims(), (), day) if joined is not None else None
    return OwnershipAnswer(
        business_id=business_id,
        party=joined.subject if joined is not None else None,
        as_of=day,
        statements=recorded,
        parties=joined.parties if joined is not None else (),
        interests=joined.interests if joined is not None else (),
        beneficial_owners=result.beneficial_owners if result is not None else (),
        # The parties are not screened here: nothing can be said of listed ones.
        deemed_sanctioned=None,
        unknown_share=result.unknown_share if result is not None else ALL_UNKNOWN,
    )
