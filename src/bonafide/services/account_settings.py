"""Account settings of an organization: read, and changed by those that are sent; every change stands in the trail.

What the settings do is decided where they are used.
"""

import asyncio
import hashlib
import json
from functools import lru_cache
from typing import Any
from uuid import UUID

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.model.accounts.branding import Branding
from bonafide.model.records.business_record import (AuditPage, Author, FieldChange, list_changes)
from bonafide.model.accounts.organizations import AccountSettings
from bonafide.model.search.result import Pagination
from bonafide.pdf.render import is_logo_drawable
from bonafide.runtime import Runtime
from bonafide.store.tenants import account_settings, audit_log, audit_heads

LOGO = "branding.logo"
_REMEMBERED = 64
"""Documents of settings; those of an organization are read with each of its searches."""


async def settings_of(runtime: Runtime, organization_id: UUID) -> AccountSettings:
    """The organization's settings, defaults filled in."""
    return _read(await account_settings.get_autocommit(runtime.store, organization_id))


async def change_settings(runtime: Runtime, organization_id: UUID, sent: AccountSettings, author: Author) -> AccountSettings:
    """Set what was sent and leave the rest; returns all settings.

    Raises `ValidationFailed` for settings that don't agree, and for a logo that is damaged.
    """
    logo = sent.branding.logo
    if logo is not None and not await asyncio.to_thread(is_logo_drawable, logo):
        raise _refused(LOGO, "the image is damaged")
    async with runtime.store.write() as connection:
        ledger = await audit_heads.lock(connection, organization_id)
        before = _set(await account_settings.get(connection, organization_id))
        after = _merged(before, _as_sent(sent))
        old, new = _with_defaults(before), _with_defaults(after)
        _check(new)
        if before != after:
            await account_settings.put(connection, organization_id, json.dumps(after))
        fields = tuple(_for_trail(change) for change in list_changes(old, new, AccountSettings))
        if fields:
            instant = ledger.next_instant(runtime.clock())
            await audit_log.record_change(connection, organization_id, ledger, audit_log.AuditChange(organization_id, instant, author, fields))
    return new


def foreseen(settings: AccountSettings, sent: AccountSettings) -> AccountSettings:
    """What the settings would be with what was sent. Raises `ValidationFailed` for settings that don't agree."""
    after = _with_defaults(_merged(_as_sent(settings), _as_sent(sent)))
    _check(after)
    return after


async def branding_of(runtime: Runtime, organization_id: UUID) -> Branding:
    """How the organization's documents look."""
    return (await settings_of(runtime, organization_id)).branding


async def read_settings_trail(runtime: Runtime, organization_id: UUID, limit: int, offset: int) -> AuditPage:
    """What became of the settings, oldest first."""
    async with runtime.store.read_lagging() as connection:
        entries, total = await audit_log.list_for_subject(connection, organization_id, organization_id, limit, offset)
    pagination = Pagination(total=total, limit=limit, offset=offset, has_more=offset + len(entries) < total)
    return AuditPage(entries=tuple(entries), pagination=pagination)


@lru_cache(maxsize=_REMEMBERED)
def _read(document: str | None) -> AccountSettings:
    return _with_defaults(_set(document))


def _set(document: str | None) -> dict[str, Any]:
    """Only what the organization has set: a default that is changed in a later release then holds for the others."""
    found: dict[str, Any] = json.loads(document) if document is not None else {}
    return found


def _with_defaults(given: dict[str, Any]) -> AccountSettings:
    return AccountSettings.model_validate(given)


def _as_sent(settings: AccountSettings) -> dict[str, Any]:
    """Only what was set in it."""
    return settings.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {**old, **{name: _merged(old.get(name, {}), value) if isinstance(value, dict) else value for name, value in new.items()}}


def _for_trail(change: FieldChange) -> FieldChange:
    """A change as the trail keeps it for good: of a logo its digest, which is short and tells one from another."""
    if change.field != LOGO:
        return change
    old, new = (
        f"sha256:{hashlib.sha256(str(value).encode()).hexdigest()}" if value is not None else None
        for value in (change.old, change.new)
    )
    return FieldChange(change.field, old, new)


def _check(settings: AccountSettings) -> None:
    chosen = settings.match_selection
    if chosen.review_threshold > chosen.auto_select_threshold:
        raise _refused("matchSelection.reviewThreshold", "must not be above autoSelectThreshold")


def _refused(path: str, message: str) -> ValidationFailed:
    return ValidationFailed(f"The request is not valid: {path}: {message}", details=[FieldProblem(path, message)])
