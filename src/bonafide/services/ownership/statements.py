"""Record, withdraw and load the ownership statements of a business.

A change is one short transaction with its audit entries. `screening/owner_screening` screens the parties and rolls the shares up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from pydantic import JsonValue

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import NotFound, ServerBusy, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.base import format_instant
from bonafide.model.ownership.answer import LeiLookup, LeiLookupStatus, RecordedStatement
from bonafide.model.ownership.statement import Claimant, OwnershipStatement, find_excess
from bonafide.model.records.business_record import Author, BusinessRecord, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.ownership.claims import JoinedStatements, check_cycles, find_subject, join_statements
from bonafide.services.ownership.lei_claims import read_lei_claims
from bonafide.services.ownership.ownership_events import build_statement_event
from bonafide.services.records import business_records
from bonafide.services.records.rating_queue import queue_rating
from bonafide.services.records.watching import note_change
from bonafide.store.database.engine import Connection
from bonafide.store.records import ownership_statements
from bonafide.store.records.ownership_statements import StoredStatement
from bonafide.store.tenants import audit_log, organizations

StatementVersion = str
"""When a statement was recorded, to recognize one that has been replaced since it was read."""
MAX_ATTEMPTS = 5
"""How often a statement is compared again because another one has changed meanwhile."""
NO_VERSION: StatementVersion = ""
"""The version of a statement that doesn't exist."""


@dataclass(frozen=True, slots=True)
class BusinessOwnership:
    """What everybody says about the owners of a business. `joined` is None without a statement."""

    business_id: UUID
    world: World
    statements: tuple[RecordedStatement, ...]
    joined: JoinedStatements | None
    lei_lookup: LeiLookup


async def replace_statement(
    runtime: Runtime,
    organization_id: UUID,
    business_id: UUID,
    statement: OwnershipStatement,
    author: Author,
    *,
    expected: StatementVersion | None = None,
) -> None:
    """Replace what the statement's claimant says about the business; a statement without parties withdraws it.

    Raises `NotFound` for an unknown business, `StaleWrite` if the claimant's statement isn't `expected`, `ValidationFailed` if the
    business isn't a party of the statement, if its shares add up to more than the whole, if it contradicts who is who in that of
    another claimant, or if too many parties own each other, and `ServerBusy` if others change the statements all the time.
    """
    for _ in range(MAX_ATTEMPTS):
        if await _try_to_replace(runtime, organization_id, business_id, statement, author, expected):
            return
    raise ServerBusy


async def _try_to_replace(
    runtime: Runtime,
    organization_id: UUID,
    business_id: UUID,
    statement: OwnershipStatement,
    author: Author,
    expected: StatementVersion | None,
) -> bool:
    """Replace the statement, unless one about the business has changed since the statements were compared with it.

    The comparison takes CPU time, and must not hold the audit head.
    """
    async with runtime.store.read() as connection:
        await business_records.load_record(connection, organization_id, business_id, None)
        known = await ownership_statements.list_for_business(connection, organization_id, business_id)
    if expected is not None and _find_version(known, statement.claimed_by) != expected:
        raise StaleWrite
    with runtime.compute_for(organization_id):
        changes, document = await run_cpu_bound(_prepare_change, known, statement, business_id)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        record = await business_records.load_record(connection, organization_id, business_id, None)
        stored = await ownership_statements.list_for_business(connection, organization_id, business_id)
        if _list_versions(stored) != _list_versions(known):
            return False
        if changes:
            instant = ledger.next_instant(runtime.clock())
            new = StoredStatement(business_id, statement.claimed_by, instant, author.actor, document)
            await _store(connection, organization_id, new, is_withdrawn=not statement.parties)
            await note_change(connection, organization_id, business_id, instant)
            await queue_rating(connection, organization_id, business_id, instant)
            change = audit_log.AuditChange(business_id, instant, author, changes)
            await audit_log.record_change(connection, organization_id, ledger, change)
            event = build_statement_event(record, statement, changes, author)
            await record_events(connection, organization_id, [event], instant)
    return True


async def load_ownership(runtime: Runtime, organization_id: UUID, business_id: UUID) -> BusinessOwnership:
    """What everybody says about the owners of a business, the Global LEI index included. Raises `NotFound` for an unknown one."""
    async with runtime.store.read() as connection:
        record = await business_records.load_record(connection, organization_id, business_id, None)
        stored = await ownership_statements.list_for_business(connection, organization_id, business_id)
        organization = await organizations.get(connection, organization_id)
    if organization is None:
        raise NotFound(Message("We couldn’t find that organization."))
    with runtime.compute_for(organization_id):
        return await run_cpu_bound(_join_stored, runtime, organization.world, record, stored)


async def read_statement(
    runtime: Runtime, organization_id: UUID, business_id: UUID, claimant: Claimant
) -> tuple[OwnershipStatement | None, StatementVersion]:
    """What the claimant says, as it was recorded, and its version; None if the claimant says nothing. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await business_records.load_record(connection, organization_id, business_id, None)
        stored = await ownership_statements.list_for_business(connection, organization_id, business_id)
    found = next((one for one in stored if one.claimed_by is claimant), None)
    if found is None:
        return None, NO_VERSION
    with runtime.compute_for(organization_id):
        return await run_cpu_bound(_parse, found), _find_version(stored, claimant)


def _prepare_change(
    stored: Sequence[StoredStatement], statement: OwnershipStatement, business_id: UUID
) -> tuple[list[FieldChange], str]:
    """What the statement changes, and its text. Raises `ValidationFailed`. CPU-bound."""
    old = next((_parse(one) for one in stored if one.claimed_by is statement.claimed_by), None)
    if statement.parties:
        find_subject(statement, business_id)
        excess = find_excess(statement)
        if excess is not None:
            raise ValidationFailed.of_field(f"interests.{excess[0]}.share", excess[1])
        others = [_parse(one) for one in stored if one.claimed_by is not statement.claimed_by]
        check_cycles(join_statements([statement, *others], business_id))
    changes = _list_changes(old, statement if statement.parties else None, statement.claimed_by)
    return changes, statement.to_json()


def _list_versions(stored: Sequence[StoredStatement]) -> dict[Claimant, datetime]:
    return {one.claimed_by: one.recorded_at for one in stored}


def _find_version(stored: Sequence[StoredStatement], claimant: Claimant) -> StatementVersion:
    return next((format_instant(one.recorded_at) for one in stored if one.claimed_by is claimant), NO_VERSION)


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


def _join_stored(runtime: Runtime, world: World, record: BusinessRecord, stored: Sequence[StoredStatement]) -> BusinessOwnership:
    statements = [_parse(one) for one in stored]
    recorded = [
        RecordedStatement(
            claimed_by=one.claimed_by,
            as_of=statement.as_of,
            declared_by=statement.declared_by,
            recorded_at=one.recorded_at,
            recorded_by=one.recorded_by,
        )
        for one, statement in zip(stored, statements, strict=True)
    ]
    joined = join_statements(statements, record.id) if statements else None
    claims = read_lei_claims(runtime, world, record, [one.claimed_by for one in stored], joined)
    statement, entry = claims.statement, claims.recorded
    if statement is not None and entry is not None:
        try:
            with_index = join_statements([*statements, statement], record.id)
            check_cycles(with_index)
        except ValidationFailed as error:
            # A caller's ID of a party may be one of the index by chance. The caller's statements must stay readable.
            claims = claims.fail(error.message)
        else:
            joined = with_index
            recorded.append(entry)
    if joined is not None and claims.lookup.status is LeiLookupStatus.FAILED:
        joined = replace(joined, unreadable=claims.lookup.note)
    return BusinessOwnership(record.id, world, tuple(recorded), joined, claims.lookup)
