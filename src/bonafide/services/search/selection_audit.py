"""Record in the audit log which match people select, and why, and read it from there. The subject of the entries is the search."""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.search.result import MatchSelection
from bonafide.model.search.selection import RecordedChoice
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log

STATUS, MATCH, NOTE = "matchSelection.status", "matchSelection.selectedMatchId", "matchSelection.note"
"""The fields of the entries."""
MAX_ENTRIES = 60
"""The entries of one search that are read."""


@dataclass(frozen=True, slots=True)
class SelectionAuthorship:
    """Who makes a choice, or undoes one (`is_choice` false), when and why. Without an author the audit log has no entry."""

    author: Author | None
    at: datetime
    note: str | None = None
    is_choice: bool = True

    @property
    def decided(self) -> tuple[str | None, datetime | None]:
        """Who has decided and when, for the row of the search; nobody once the choice is undone."""
        if not self.is_choice:
            return None, None
        return self.author.actor if self.author is not None else None, self.at


async def audit_choice(
    connection: Connection,
    organization_id: UUID,
    search_id: UUID,
    selections: tuple[MatchSelection, MatchSelection],
    made: SelectionAuthorship,
) -> None:
    """Add a choice, from one selection to another, to the audit log, in the caller's transaction.

    Locks the audit head: call it after the rows of the search and of its record are locked.
    """
    old, new = selections
    before, after = (str(one.selected_match_id) if one.selected_match_id is not None else None for one in selections)
    values = ((STATUS, old.status.value, new.status.value), (MATCH, before, after), (NOTE, None, made.note))
    fields = [FieldChange(field, one, other) for field, one, other in values if one != other]
    if made.author is None or not fields:
        return
    ledger = await audit_log.lock_head(connection, organization_id)
    change = audit_log.AuditChange(search_id, ledger.next_instant(made.at), made.author, fields)
    await audit_log.record_change(connection, organization_id, ledger, change)


async def read_choices(runtime: Runtime, organization_id: UUID, search_id: UUID) -> tuple[RecordedChoice, ...]:
    """What people have decided about a search, newest first."""
    async with runtime.store.read() as connection:
        page = await audit_log.list_for_subject(connection, organization_id, search_id, MAX_ENTRIES, 0)
    choices = []
    for (at, by), entries in groupby(page.entries, key=lambda entry: (entry.at, entry.actor)):
        new = {entry.field: entry.new for entry in entries}
        choices.append(RecordedChoice.model_validate({"at": at, "by": by, "status": new.get(STATUS), "note": new.get(NOTE)}))
    return tuple(reversed(choices))
