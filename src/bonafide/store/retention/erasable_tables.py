"""What an erasure does to each table that has rows of organizations: every table is erased, or kept for a stated reason."""

from collections.abc import Mapping
from types import MappingProxyType

from bonafide.store.database.tables import businesses, events, extracts
from bonafide.store.retention.removal import CHECKS_OF_A_BUSINESS, DEPENDENT_ROWS, ROWS_OF_A_BUSINESS

ERASED_TABLES = frozenset(
    {
        businesses.name,
        events.name,
        extracts.name,
        *(table.name for table in (*ROWS_OF_A_BUSINESS, *CHECKS_OF_A_BUSINESS)),
        *(column.table.name for columns in DEPENDENT_ROWS.values() for column in columns),
    }
)
"""The tables whose rows about a business are deleted."""
BLANKED_TABLES: Mapping[str, str] = MappingProxyType({
    "audit_entries": "entries about it keep their ID and hash, for the chain, and lose their content",
    "idempotency_keys": "stored responses that mention it are replaced, so that no request is repeated",
})  # fmt: skip
"""The tables whose rows about a business stay without their content."""
KEPT_TABLES: Mapping[str, str] = MappingProxyType({
    "account_settings": "settings of the organization",
    "api_keys": "keys of the organization",
    "batch_partitions": "counts of rows, deleted with the files of their batch",
    "batches": "counts of rows and the name of a file; the rows belong to no record, and their files are deleted after some time",
    "bulk_actions": "what a member did with many records at once; it names none",
    "bulk_items": "the ID and the outcome for each record of such an action",
    "case_positions": "the number of an event, and a counter",
    "erased_subjects": "IDs only, until the erasure has finished",
    "erasures": "that something was erased, when and by whom",
    "event_heads": "the number of an event",
    "fetches": "a lock on a registration, purged after an hour",
    "file_deletions": "names of files, which are IDs, until they are deleted",
    "jobs": "IDs only, purged after a week",
    "key_usage": "counts of requests",
    "legal_holds": "holds on records, which are not erased while they are held",
    "ledgers": "the head of the audit log",
    "links": "invitations of members",
    "mail_outbox": "numbers of events; the text is written from the events when a mail is sent",
    "mail_positions": "numbers of events",
    "memberships": "members of the organization",
    "monitoring_chunks": "ranges of IDs, until a run has been matched",
    "provisioned_group_members": "members of the organization",
    "provisioned_groups": "groups of members",
    "provisioned_users": "members of the organization",
    "provisioning_tokens": "tokens of the organization",
    "risk_rules": "rules of the organization",
    "saved_views": "filters of lists that members have saved",
    "sessions": "sessions of members",
    "webhook_endpoints": "endpoints of the organization; a filter may have the ID of the business",
})  # fmt: skip
"""The tables whose rows stay, with the reason."""
