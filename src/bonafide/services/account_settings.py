"""Account settings of an organization: read, and changed by those that are sent; every change stands in the trail.

What the settings do is decided where they are used.
"""

import json
from typing import Any
from uuid import UUID

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.model.business import AuditPage, Author, changes_between
from bonafide.model.organization import AccountSettings
from bonafide.model.result import Pagination
from bonafide.runtime import Runtime
from bonafide.store import account_settings, audit, ledgers
from bonafide.store.engine import Connection


async def settings_of(runtime: Runtime, organization_id: UUID) -> AccountSettings:
    """The organization's settings, defaults filled in."""
    async with runtime.store.read() as connection:
        return await settings_in(connection, organization_id)


async def settings_in(connection: Connection, organization_id: UUID) -> AccountSettings:
    """The same in a transaction that is open already."""
    return _with_defaults(await _set_in(connection, organization_id))


async def change_settings(runtime: Runtime, organization_id: UUID, sent: AccountSettings, author: Author) -> AccountSettings:
    """Set what was sent and leave the rest; returns all settings. Raises `ValidationFailed` for settings that don't agree."""
    async with runtime.store.write() as connection:
        ledger = await ledgers.hold(connection, organization_id)
        before = await _set_in(connection, organization_id)
        after = _merged(before, sent.model_dump(mode="json", by_alias=True, exclude_unset=True))
        old, new = _with_defaults(before), _with_defaults(after)
        _check(new)
        if before != after:
            await account_settings.put(connection, organization_id, json.dumps(after))
        fields = changes_between(old, new, AccountSettings)
        if fields:
            instant = ledger.next_instant(runtime.clock())
            await audit.record(connection, organization_id, ledger, audit.Change(organization_id, instant, author, fields))
    return new


async def read_settings_trail(runtime: Runtime, organization_id: UUID, limit: int, offset: int) -> AuditPage:
    """What became of the settings, oldest first."""
    async with runtime.store.read() as connection:
        entries, total = await audit.of_subject(connection, organization_id, organization_id, limit, offset)
    pagination = Pagination(total=total, limit=limit, offset=offset, has_more=offset + len(entries) < total)
    return AuditPage(entries=tuple(entries), pagination=pagination)


async def _set_in(connection: Connection, organization_id: UUID) -> dict[str, Any]:
    """Only what the organization has set: a default that is changed in a later release then holds for the others."""
    document = await account_settings.get(connection, organization_id)
    found: dict[str, Any] = json.loads(document) if document is not None else {}
    return found


def _with_defaults(given: dict[str, Any]) -> AccountSettings:
    return AccountSettings.model_validate(given)


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {**old, **{name: _merged(old.get(name, {}), value) if isinstance(value, dict) else value for name, value in new.items()}}


def _check(settings: AccountSettings) -> None:
    chosen = settings.match_selection
    if chosen.review_threshold > chosen.auto_select_threshold:
        problem = FieldProblem("matchSelection.reviewThreshold", "must not be above autoSelectThreshold")
        raise ValidationFailed(f"The request is not valid: {problem.path}: {problem.message}", details=[problem])
