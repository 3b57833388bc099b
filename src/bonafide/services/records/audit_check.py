"""Verify the hash chain of the audit log of an organization.

It detects entries that were edited, removed, inserted or cut off at the end. Whoever can write to the database could rebuild the
whole log; a count and hash noted elsewhere (`AuditAnchor`) detect that too.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from uuid import UUID

from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.records import businesses
from bonafide.store.records.businesses import FeedFilter
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import GENESIS, StoredAuditEntry

ENTRIES_AT_ONCE = 5000
LOWEST_ID = -(2**62)
"""Before every entry, also those that someone has put in front of the first."""
MAX_PROBLEMS = 20
"""Problems that are reported of one audit log."""


@dataclass(frozen=True, slots=True)
class AuditAnchor:
    """The state of an audit log at some time: how many entries it had, and the hash of the last one."""

    entries: int
    hash: str


@dataclass(slots=True)
class AuditLogCheck:
    """The state of the audit log, to be noted for the next check, and what is wrong with it."""

    entries: int = 0
    hash: str = GENESIS
    problems: list[str] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether nothing was found to be wrong."""
        return not self.problems

    def report(self, problem: str) -> None:
        """Note a problem, unless there are many already."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)


async def verify_audit_log(runtime: Runtime, organization_id: UUID, anchor: AuditAnchor | None = None) -> AuditLogCheck:
    """Read the whole audit log of an organization, and compare it with its head and with an earlier state."""
    check = AuditLogCheck()
    async with runtime.store.read(at_length=True) as connection:
        async for entry in _read_entries(connection, organization_id):
            check_entry(check, entry)
            if anchor is not None and entry.id == anchor.entries and entry.hash != anchor.hash:
                check.report(f"entry {entry.id} is another one than when its hash was noted")
        ledger = await audit_log.get_head(connection, organization_id)
        records = await businesses.list_changes(connection, organization_id, FeedFilter(), None, 1)
    kept = AuditAnchor(ledger.entries, ledger.head) if ledger is not None else AuditAnchor(0, GENESIS)
    if check.entries < kept.entries:
        check.report(f"the trail ends with entry {check.entries}, and the ledger counts {kept.entries}")
    elif check.entries > kept.entries:
        check.report(f"the trail has {check.entries} entries, and the ledger counts {kept.entries}")
    elif check.hash != kept.hash:
        check.report(f"entry {check.entries} is not the one that the ledger names as the last")
    if kept.entries == 0 and records:
        check.report("there are business records, and no trail of them")
    if anchor is not None and check.entries < anchor.entries:
        check.report(f"the trail ends with entry {check.entries}, and had {anchor.entries} when its hash was noted")
    return check


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
        check.report(f"entry {entry.id} is none of this trail")
        return
    if entry.id > expected:
        missing = f"entry {expected} is" if entry.id == expected + 1 else f"entries {expected} to {entry.id - 1} are"
        check.report(f"{missing} missing")
    elif entry.hash_after(check.hash) != entry.hash:
        check.report(f"entry {entry.id} is not what was recorded, or the one before it is not")
    check.entries, check.hash = entry.id, entry.hash
