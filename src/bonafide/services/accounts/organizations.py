"""Find organizations, and read and change their settings; every change is recorded in the audit log."""

import asyncio
import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.branding import Branding
from bonafide.model.accounts.organizations import Organization, World
from bonafide.model.accounts.time_zones import get_time_zone
from bonafide.model.records.business_record import AuditPage, Author, FieldChange, list_changes
from bonafide.pdf.render import is_logo_drawable
from bonafide.runtime import Runtime
from bonafide.store.monitoring import targets
from bonafide.store.tenants import audit_log, organizations

LOGO = "branding.logo"
_REMEMBERED = 64
"""How many parsed settings are cached. Every search reads the settings of its organization."""


@dataclass(frozen=True, slots=True)
class PrintStyle:
    """What the documents of an organization have in common: the branding, and the time zone of printed times."""

    branding: Branding
    time_zone: ZoneInfo

    @property
    def digest(self) -> str:
        """SHA-256 of the whole in hexadecimal."""
        return hashlib.sha256(f"{self.branding.digest}/{self.time_zone.key}".encode()).hexdigest()


async def list_organizations(runtime: Runtime) -> list[Organization]:
    """Every organization, ordered by name."""
    async with runtime.store.read() as connection:
        return await organizations.list_all(connection)


async def find_organization(runtime: Runtime, name: str, world: World) -> Organization:
    """The organization with this name or ID in this world. Raises `NotFound` with the known names."""
    async with runtime.store.read() as connection:
        found = await organizations.find(connection, name, world)
        if found is not None:
            return found
        known = [organization.name for organization in await organizations.list_all(connection) if organization.world is world]
    raise NotFound(_describe_unknown_organization(name, world, known))


def _describe_unknown_organization(name: str, world: World, known: list[str]) -> Message:
    if not known:
        return Message("There is no {world} organization named '{name}', and no other.", world=world.value, name=name)
    return Message(
        "There is no {world} organization named '{name}'. Known organizations: {known}.",
        world=world.value,
        name=name,
        known=join_values(known),
    )


async def read_settings(runtime: Runtime, organization_id: UUID) -> AccountSettings:
    """The organization's settings, defaults filled in."""
    return parse_settings(await organizations.get_settings(runtime.store, organization_id))


async def change_settings(runtime: Runtime, organization_id: UUID, sent: AccountSettings, author: Author) -> AccountSettings:
    """Set the settings that were sent, leave the others, and return all settings.

    Raises `ValidationFailed` for inconsistent settings and for a damaged logo.
    """
    logo = sent.branding.logo
    if logo is not None and not await asyncio.to_thread(is_logo_drawable, logo):
        raise ValidationFailed.of_field(LOGO, Message("the image is damaged"))
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        before = _dump_stored_fields(await organizations.get_settings(connection, organization_id))
        after = _merge_settings(before, _dump_sent_fields(sent))
        old, new = AccountSettings.model_validate(before), AccountSettings.model_validate(after)
        _check_settings(new)
        if before != after:
            await organizations.put_settings(connection, organization_id, json.dumps(after))
        fields = tuple(_to_audit_change(change) for change in list_changes(old, new, AccountSettings))
        if (old.monitoring, old.search.sanctions_threshold) != (new.monitoring, new.search.sanctions_threshold):
            await targets.queue_all(connection, organization_id, runtime.clock())
        if fields:
            instant = ledger.next_instant(runtime.clock())
            await audit_log.record_change(
                connection, organization_id, ledger, audit_log.AuditChange(organization_id, instant, author, fields)
            )
    return new


def preview_settings(settings: AccountSettings, sent: AccountSettings) -> AccountSettings:
    """The settings as they would be after the change. Raises `ValidationFailed` for inconsistent settings."""
    after = AccountSettings.model_validate(_merge_settings(_dump_sent_fields(settings), _dump_sent_fields(sent)))
    _check_settings(after)
    return after


async def read_branding(runtime: Runtime, organization_id: UUID) -> Branding:
    """The branding of the organization's documents."""
    return (await read_settings(runtime, organization_id)).branding


async def read_print_style(runtime: Runtime, organization_id: UUID) -> PrintStyle:
    """The branding and the time zone of the organization's documents."""
    settings = await read_settings(runtime, organization_id)
    return PrintStyle(settings.branding, get_time_zone(settings.notifications.time_zone))


async def read_settings_audit_log(runtime: Runtime, organization_id: UUID, limit: int, offset: int) -> AuditPage:
    """A page of the changes of the settings, oldest first."""
    async with runtime.store.read_lagging() as connection:
        return await audit_log.list_for_subject(connection, organization_id, organization_id, limit, offset)


@lru_cache(maxsize=_REMEMBERED)
def parse_settings(document: str | None) -> AccountSettings:
    """The settings of a stored text (`organizations.get_settings`), defaults filled in."""
    return AccountSettings.model_validate(_dump_stored_fields(document))


def _dump_stored_fields(document: str | None) -> dict[str, Any]:
    """Only the settings that the organization has set, so that a changed default of a later release applies to the others."""
    found: dict[str, Any] = json.loads(document) if document is not None else {}
    return found


def _dump_sent_fields(settings: AccountSettings) -> dict[str, Any]:
    """Only what was set in it."""
    return settings.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _merge_settings(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {
        **old,
        **{name: _merge_settings(old.get(name, {}), value) if isinstance(value, dict) else value for name, value in new.items()},
    }


def _to_audit_change(change: FieldChange) -> FieldChange:
    """A change as the audit log stores it: a logo is replaced by its digest."""
    if change.field != LOGO:
        return change
    old, new = (
        f"sha256:{hashlib.sha256(str(value).encode()).hexdigest()}" if value is not None else None
        for value in (change.old, change.new)
    )
    return FieldChange(change.field, old, new)


def _check_settings(settings: AccountSettings) -> None:
    chosen = settings.match_selection
    if chosen.review_threshold > chosen.auto_select_threshold:
        raise ValidationFailed.of_field("matchSelection.reviewThreshold", Message("must not be above autoSelectThreshold"))
