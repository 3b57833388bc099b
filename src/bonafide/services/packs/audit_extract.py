"""Extract from the audit log of an organization what an examiner's pack discloses, and verify the whole log on the way.

Entries about something else, and erased ones, are withheld: the pack has their numbers and the hash of the last one of each run.
With that hash, the entry that follows them can be verified.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from typing import IO
from uuid import UUID

from bonafide.i18n.message import Message
from bonafide.model.packs.manifest import DisclosedAuditEntry, WithheldAuditEntries
from bonafide.model.packs.pack import PackAudit
from bonafide.runtime import Runtime
from bonafide.services.records.audit_check import ENTRIES_AT_ONCE, LOWEST_ID, AuditLogCheck, check_entry
from bonafide.store.database.engine import Connection
from bonafide.store.packs import pack_rows
from bonafide.store.packs.pack_rows import PackRange
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import GENESIS, AuditLogState, StoredAuditEntry

MAX_LISTED = 1000
"""The number of disclosed entries that the PDF lists."""
NEWLINE = b"\n"
IsDisclosed = Callable[[StoredAuditEntry], bool]


@dataclass(slots=True)
class AuditExtract:
    """The result: the state of the log, and the first disclosed entries."""

    audit: PackAudit
    listed: list[StoredAuditEntry] = field(default_factory=list)


async def write_audit_extract(
    runtime: Runtime, organization_id: UUID, chosen: PackRange, subjects: Collection[UUID], file: IO[bytes]
) -> AuditExtract:
    """Write the extract as JSON lines, and return the result of the verification. The log is read as of one instant.

    `subjects` are what the pack is about and has in it. The pack of a period also discloses changes of other records.
    """
    writer = _ExtractWriter(file)
    async with runtime.store.read(at_length=True) as connection:
        head = await audit_log.get_head(connection, organization_id)
        async for batch in _read_entries(connection, organization_id):
            others = await _find_known_subjects(connection, organization_id, chosen, batch)
            await asyncio.to_thread(writer.write_all, batch, _build_rule(chosen, subjects, others))
    return writer.finish(head)


def _build_rule(chosen: PackRange, subjects: Collection[UUID], others: Collection[UUID]) -> IsDisclosed:
    """The rule by which entries are disclosed: those of a business, or those of a period."""

    def is_disclosed(entry: StoredAuditEntry) -> bool:
        return chosen.has(entry.at) and (entry.subject in subjects or entry.subject in others)

    return is_disclosed


async def _find_known_subjects(
    connection: Connection, organization_id: UUID, chosen: PackRange, entries: Sequence[StoredAuditEntry]
) -> set[UUID]:
    """For a period: the subjects of its entries that are stored, and the organization, whose settings have changed."""
    if chosen.business_id is not None:
        return set()
    subjects = {entry.subject for entry in entries if chosen.has(entry.at)}
    if not subjects:
        return set()
    return {organization_id, *await pack_rows.list_known_subjects(connection, organization_id, sorted(subjects))}


async def _read_entries(connection: Connection, organization_id: UUID) -> AsyncIterator[list[StoredAuditEntry]]:
    last = LOWEST_ID
    while found := await audit_log.list_after(connection, organization_id, last, ENTRIES_AT_ONCE):
        yield found
        last = found[-1].id


class _ExtractWriter:
    """Writes the lines of the extract. Blocking: use it in a thread."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._check = AuditLogCheck()
        self._listed: list[StoredAuditEntry] = []
        self._disclosed = 0
        self._withheld: WithheldAuditEntries | None = None

    def write_all(self, entries: Sequence[StoredAuditEntry], is_disclosed: IsDisclosed) -> None:
        """Verify and write the next entries."""
        for entry in entries:
            check_entry(self._check, entry)
            if is_disclosed(entry) and not entry.erased:
                self._disclose(entry)
            else:
                self._withhold(entry)

    def _disclose(self, entry: StoredAuditEntry) -> None:
        self._write_withheld()
        self._disclosed += 1
        if len(self._listed) < MAX_LISTED:
            self._listed.append(entry)
        self._file.write(to_disclosed(entry).to_json().encode() + NEWLINE)

    def _withhold(self, entry: StoredAuditEntry) -> None:
        before = self._withheld
        if before is None or entry.id != before.last + 1:
            self._write_withheld()
            self._withheld = WithheldAuditEntries(first=entry.id, last=entry.id, hash=entry.hash)
        else:
            self._withheld = before.model_copy(update={"last": entry.id, "hash": entry.hash})

    def _write_withheld(self) -> None:
        if self._withheld is not None:
            self._file.write(self._withheld.to_json().encode() + NEWLINE)
            self._withheld = None

    def finish(self, head: AuditLogState | None) -> AuditExtract:
        """Write what is left, and compare the log with its head."""
        self._write_withheld()
        check = self._check
        check.finish()
        entries, last_hash = (head.entries, head.head) if head is not None else (0, GENESIS)
        if (check.entries, check.hash) != (entries, last_hash):
            check.report(
                Message(
                    "the log ends with entry {found}, which does not match the stored head of {expected} entries",
                    found=check.entries,
                    expected=entries,
                )
            )
        audit = PackAudit(
            entries=entries,
            hash=last_hash,
            disclosed=self._disclosed,
            is_intact=check.is_whole,
            problems=tuple(check.problems),
        )
        return AuditExtract(audit, self._listed)


def to_disclosed(entry: StoredAuditEntry) -> DisclosedAuditEntry:
    """An entry as a pack has it."""
    return DisclosedAuditEntry(
        id=entry.id,
        organization_id=entry.organization_id,
        subject=entry.subject,
        at=entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        actor=entry.actor,
        request_id=entry.request_id,
        field=entry.field,
        old=entry.old,
        new=entry.new,
        hash=entry.hash,
    )
