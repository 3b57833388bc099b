"""Versions of an organization's risk rules: read, save the draft, activate. Each change is one transaction with its audit entry.

An active or retired version never changes, so that every rating can be traced to the rules that made it. A draft does until it is
activated.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from pydantic import JsonValue

from bonafide.errors import Conflict, NotFound, ServerBusy, StaleWrite
from bonafide.i18n.message import Message
from bonafide.matching.risk.default_rules import get_default_rules
from bonafide.matching.risk.evaluation import check_conditions
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.risk.facts import describe_facts
from bonafide.model.risk.rules import (
    DEFAULT_VERSION,
    MAX_KEPT_VERSIONS,
    RiskRules,
    RiskRulesAnswer,
    RiskRulesInput,
    RiskRulesStatus,
    RiskRulesVersion,
)
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.risk import risk_rules
from bonafide.store.risk.risk_rules import StoredRiskRules
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditLogState
from bonafide.store.work.pending_key import complete_key

UNKNOWN_VERSION = Message("There is no version {version} of the risk rules.")
NO_DRAFT = ""
"""The digest of a draft that does not exist."""
MAX_ATTEMPTS = 5
"""How often a change is made to the draft again because somebody else has changed it meanwhile."""
_CHANGED = Message("The rules have changed since you opened them.")


async def read_rules(runtime: Runtime, organization_id: UUID, version: int | None = None) -> RiskRulesAnswer:
    """One version. Without a number: the draft, else the active version, else the built-in rules. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        stored = await risk_rules.list_newest(connection, organization_id, MAX_KEPT_VERSIONS)
        if version is None:
            found = await risk_rules.get_by_status(connection, organization_id, RiskRulesStatus.DRAFT)
            if found is None:
                found = await risk_rules.get_by_status(connection, organization_id, RiskRulesStatus.ACTIVE)
            rules = _parse(found) if found is not None else get_default_rules()
        else:
            rules = await load_version(connection, organization_id, version)
    return _build_answer(rules, stored)


async def load_version(connection: Connection, organization_id: UUID, version: int) -> RiskRules:
    """One version; 0 is the built-in one. Raises `NotFound`."""
    if version == DEFAULT_VERSION:
        return get_default_rules()
    found = await risk_rules.get(connection, organization_id, version)
    if found is None:
        raise NotFound(UNKNOWN_VERSION.fill(version=version))
    return _parse(found)


def _parse(stored: StoredRiskRules) -> RiskRules:
    return RiskRules.model_validate_json(stored.document).model_copy(update={"status": stored.status})


def _build_answer(rules: RiskRules, stored: Sequence[StoredRiskRules]) -> RiskRulesAnswer:
    return RiskRulesAnswer(
        rules=rules.rules,
        bands=rules.bands,
        version=rules.version,
        status=rules.status,
        versions=tuple(
            RiskRulesVersion(
                version=one.version,
                status=one.status,
                saved_at=one.saved_at,
                saved_by=one.saved_by,
                activated_at=one.activated_at,
                activated_by=one.activated_by,
            )
            for one in stored
        ),
        facts=describe_facts(),
    )


async def read_draft(runtime: Runtime, organization_id: UUID) -> RiskRules | None:
    """The draft; None without one."""
    async with runtime.store.read() as connection:
        found = await risk_rules.get_by_status(connection, organization_id, RiskRulesStatus.DRAFT)
    return _parse(found) if found is not None else None


async def change_draft(
    runtime: Runtime, organization_id: UUID, change: Callable[[RiskRulesInput], RiskRulesInput], author: Author
) -> RiskRulesAnswer:
    """Change a part of the draft, and keep what others change in other parts at the same time.

    Raises `NotFound` without a draft, `ValidationFailed` for a condition that is not valid, what `change` raises, and `ServerBusy`
    if others change the draft all the time.
    """
    for _ in range(MAX_ATTEMPTS):
        draft = await read_draft(runtime, organization_id)
        if draft is None:
            raise NotFound(Message("There is no draft of the risk rules."))
        changed = change(draft)
        try:
            return await save_draft(runtime, organization_id, changed, author, expected=draft.digest)
        except StaleWrite:
            continue
    raise ServerBusy


async def save_draft(
    runtime: Runtime, organization_id: UUID, sent: RiskRulesInput, author: Author, *, expected: str | None = None
) -> RiskRulesAnswer:
    """Save rules as the draft, in place of the earlier draft.

    Raises `ValidationFailed` for a condition that is not valid, and `StaleWrite` if the digest of the earlier draft is not
    `expected`.
    """
    check_conditions(sent)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        at = ledger.next_instant(runtime.clock())
        old = await risk_rules.get_by_status(connection, organization_id, RiskRulesStatus.DRAFT)
        if expected is not None and expected != (_parse(old).digest if old is not None else NO_DRAFT):
            raise StaleWrite(_CHANGED)
        version = old.version if old is not None else await risk_rules.get_last_version(connection, organization_id) + 1
        rules = RiskRules(rules=sent.rules, bands=sent.bands, version=version, status=RiskRulesStatus.DRAFT)
        row = StoredRiskRules(version, rules.status, at, author.actor, None, None, rules.to_json())
        if old is None:
            await risk_rules.add(connection, organization_id, row)
        elif old.document != row.document:
            await risk_rules.replace(connection, organization_id, row)
        before = _parse(old) if old is not None else None
        await _record_change(connection, organization_id, ledger, (before, rules, at), author)
        answer = _build_answer(rules, await risk_rules.list_newest(connection, organization_id, MAX_KEPT_VERSIONS))
        await complete_key(connection, answer)
    return answer


async def activate(
    runtime: Runtime, organization_id: UUID, version: int, author: Author, *, expected: str | None = None
) -> RiskRulesAnswer:
    """Activate a version, and retire the active one. Version 0 is stored as a new version first.

    Raises `NotFound`, `Conflict` for the active version, `ValidationFailed` for rules that this release does not accept, and
    `StaleWrite` if the digest of the rules is not `expected`.
    """
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        at = ledger.next_instant(runtime.clock())
        rules = await load_version(connection, organization_id, version)
        if expected is not None and expected != rules.digest:
            raise StaleWrite(_CHANGED)
        check_conditions(rules)
        if rules.status is RiskRulesStatus.ACTIVE:
            raise Conflict(Message("Version {version} of the risk rules is active already.", version=version))
        old = await risk_rules.get_by_status(connection, organization_id, RiskRulesStatus.ACTIVE)
        if old is not None:
            await risk_rules.replace(connection, organization_id, replace(old, status=RiskRulesStatus.RETIRED))
        number = version if version != DEFAULT_VERSION else await risk_rules.get_last_version(connection, organization_id) + 1
        active = rules.model_copy(update={"version": number, "status": RiskRulesStatus.ACTIVE})
        stored = await risk_rules.get(connection, organization_id, number)
        saved_at, saved_by = (stored.saved_at, stored.saved_by) if stored is not None else (at, author.actor)
        row = StoredRiskRules(number, active.status, saved_at, saved_by, at, author.actor, active.to_json())
        await (risk_rules.replace if stored is not None else risk_rules.add)(connection, organization_id, row)
        change = FieldChange("riskRules.activeVersion", old.version if old is not None else None, number)
        await audit_log.record_change(
            connection, organization_id, ledger, audit_log.AuditChange(organization_id, at, author, (change,))
        )
        answer = _build_answer(active, await risk_rules.list_newest(connection, organization_id, MAX_KEPT_VERSIONS))
        await complete_key(connection, answer)
    return answer


async def _record_change(
    connection: Connection,
    organization_id: UUID,
    ledger: AuditLogState,
    change: tuple[RiskRules | None, RiskRules, datetime],
    author: Author,
) -> None:
    """Record each rule and the bands of a draft that changed; nothing without a change."""
    old, new, at = change
    before, after = (_list_parts(rules) if rules is not None else {} for rules in (old, new))
    fields = tuple(
        FieldChange(f"riskRules.{new.version}.{name}", before.get(name), after.get(name))
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    )
    if fields:
        await audit_log.record_change(
            connection, organization_id, ledger, audit_log.AuditChange(organization_id, at, author, fields)
        )


def _list_parts(rules: RiskRules) -> dict[str, JsonValue]:
    dumped = rules.model_dump(mode="json", by_alias=True)
    return {**{f"rules.{rule['id']}": rule for rule in dumped["rules"]}, "bands": dumped["bands"]}
