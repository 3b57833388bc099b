"""Verify the hash chain of the audit log of an organization.

It detects entries that were edited, removed, inserted or truncated. The content of an entry may be erased: its stored hash then
takes part in the chain, and a later entry must list it (`ENTRIES_ERASED`). An attacker with write access to the database could
rebuild the whole log; a count and hash recorded elsewhere (`AuditAnchor`) detect that too.
"""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from uuid import UUID

from bonafide.i18n.message import Message
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.records import businesses
from bonafide.store.records.businesses import FeedFilter
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import ENTRIES_ERASED, GENESIS, StoredAuditEntry

ENTRIES_AT_ONCE = 5000
LOWEST_ID = -(2**62)
"""Lower than every id, including those of entries that were inserted before the first."""
MAX_PROBLEMS = 20
"""The maximum number of reported problems of one audit log."""


@dataclass(frozen=True, slots=True)
class AuditAnchor:
    """The state of an audit log at some time: the number of entries and the hash of the last one."""

    entries: int
    hash: str


@dataclass(slots=True)
class AuditLogCheck:
    """The state of the audit log, to be recorded for the next check, and its problems."""

    entries: int = 0
    hash: str = GENESIS
    problems: list[Message] = field(default_factory=list)
    erased: int = 0
    """The number of entries whose content was erased."""
    unlisted: dict[int, str] = field(default_factory=dict)
    """The hashes of erased entries that no entry has listed so far."""

    @property
    def is_whole(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    def report(self, problem: Message) -> None:
        """Add a problem, up to `MAX_PROBLEMS`."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def finish(self) -> None:
        """Report the erased entries that no entry of the log lists. Call it after the last entry."""
        for entry in self.unlisted:
            self.report(Message("entry {entry} was erased, but no entry of the log lists it", entry=entry))
        self.unlisted.clear()


async def verify_audit_log(runtime: Runtime, organization_id: UUID, anchor: AuditAnchor | None = None) -> AuditLogCheck:
    """Read the whole audit log of an organization, and compare it with its head and with an earlier state."""
    check = AuditLogCheck()
    async with runtime.store.read(at_length=True) as connection:
        async for entry in _read_entries(connection, organization_id):
            check_entry(check, entry)
            if anchor is not None and entry.id == anchor.entries and entry.hash != anchor.hash:
                check.report(Message("entry {entry} has changed since its hash was recorded", entry=entry.id))
        check.finish()
        ledger = await audit_log.get_head(connection, organization_id)
        records = await businesses.list_changes(connection, organization_id, FeedFilter(), None, 1)
    kept = AuditAnchor(ledger.entries, ledger.head) if ledger is not None else AuditAnchor(0, GENESIS)
    if check.entries != kept.entries:
        check.report(_describe_count(check, kept))
    elif check.hash != kept.hash:
        check.report(Message("the last entry ({entry}) does not match the stored head", entry=check.entries))
    if kept.entries == 0 and records:
        check.report(Message("there are business records but no audit log"))
    if anchor is not None and check.entries < anchor.entries:
        check.report(
            Message(
                "the log ends with entry {found}, but had {expected} entries when its hash was recorded",
                found=check.entries,
                expected=anchor.entries,
            )
        )
    return check


def _describe_count(check: AuditLogCheck, kept: AuditAnchor) -> Message:
    return Message("the log has {found} entries, but the stored head counts {expected}", found=check.entries, expected=kept.entries)


async def _read_entries(connection: Connection, organization_id: UUID) -> AsyncIterator[StoredAuditEntry]:
    last = LOWEST_ID
    while True:
        found = await audit_log.list_after(connection, organization_id, last, ENTRIES_AT_ONCE)
        for entry in found:
            yield entry
        if len(found) < ENTRIES_AT_ONCE:
            return
        last = found[-1].id


def check_entry(check: AuditLogCheck, entry: StoredAuditEntry) -> None:
    """Check the next entry. A wrong one is reported once: the next is compared with its stored hash."""
    expected = check.entries + 1
    if entry.id < expected:
        check.report(Message("entry {entry} does not belong to this log", entry=entry.id))
        return
    if entry.id > expected:
        is_single = entry.id == expected + 1
        check.report(
            Message("entry {entry} is missing", entry=expected)
            if is_single
            else Message("entries {first} to {last} are missing", first=expected, last=entry.id - 1)
        )
    elif entry.erased:
        check.erased += 1
        check.unlisted[entry.id] = entry.hash
    elif entry.hash_after(check.hash) != entry.hash:
        check.report(Message("entry {entry} or the one before it was changed", entry=entry.id))
    elif entry.field == ENTRIES_ERASED:
        _check_listed(check, entry)
    check.entries, check.hash = entry.id, entry.hash


def _check_listed(check: AuditLogCheck, entry: StoredAuditEntry) -> None:
    """Compare the erased entries with the hashes that an entry lists of them."""
    for listed, digest in json.loads(entry.new)["entries"]:
        if check.unlisted.pop(listed, digest) != digest:
            check.report(Message("erased entry {entry} has another hash than its erasure recorded", entry=listed))
