"""The current tables. `migrations/` creates them; a test checks that both agree.

The organization is the first column of every key, so that PostgreSQL can be sharded by it. The exceptions are read before the
organization is known: `api_keys.digest` and the tables of accounts (`account_tables`), or belong to no organization
(`shared_tables`). These tables and `organizations` would be copied to every shard (Citus calls it a reference table), and the
others distributed. Indexes without the organization serve maintenance for all organizations.
"""

from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    and_,
    false,
    literal_column,
)

from bonafide.model.accounts.notifications import MailKind
from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadProblem, RunOutcome
from bonafide.model.ownership.discrepancies import DiscrepancyStatus
from bonafide.model.ownership.statement import Claimant
from bonafide.model.records.business_record import VerificationStatus
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.model.verification.results import ResultStatus, VerificationState
from bonafide.store.database.columns import EPHEMERAL, MessageText, UtcInstant, create_enum_type
from bonafide.store.database.schema import (
    account_tables,
    batch_tables,
    case_tables,
    console_tables,
    manual_check_tables,
    monitoring_tables,
    pack_tables,
    provisioning_tables,
    retention_tables,
    risk_tables,
    shared_tables,
    webhook_tables,
)

(metadata,) = {
    account_tables.users.metadata,
    batch_tables.batches.metadata,
    case_tables.cases.metadata,
    manual_check_tables.manual_checks.metadata,
    console_tables.saved_views.metadata,
    monitoring_tables.monitored_records.metadata,
    pack_tables.packs.metadata,
    provisioning_tables.provisioned_users.metadata,
    retention_tables.erasures.metadata,
    risk_tables.risk_rules.metadata,
    shared_tables.leases.metadata,
    webhook_tables.webhook_endpoints.metadata,
}
"""The metadata of all tables, including those of accounts, cases, machines, provisioning, risk rating and webhooks."""


class MailState(StrEnum):
    """The state of a mail. All but the first are final."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"
    CANCELLED = "cancelled"
    """The recipient has left, was disabled or does not want it any more."""


class JobState(StrEnum):
    """The state of a job. The first two are live; the last two are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"


organizations = Table(
    "organizations",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("world", create_enum_type(World), nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    UniqueConstraint("name", "world"),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("digest", String(64), nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    Column("last4", Text, nullable=False),
    Column("label", Text),
    Column("owner", Text),
    Column("scopes", Text, nullable=False),
    Column("rate_limit", Integer, nullable=False),
    Column("lifetime_s", Integer),
    Column("created_at", UtcInstant, nullable=False),
    Column("last_used_at", UtcInstant),
    Column("expires_at", UtcInstant),
    Column("revoked_at", UtcInstant),
    Column("lenient", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("organization_id", "id"),
)

searches = Table(
    "searches",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("query", Text, nullable=False),
    Column("folded_query", Text, nullable=False),
    Column("website", Text),
    Column("request", Text, nullable=False),
    Column("status", create_enum_type(SearchStatus), nullable=False),
    Column("archived", Boolean, nullable=False),
    Column("searched_at", UtcInstant, nullable=False),
    Column("searched_by", Text, nullable=False),
    Column("deadline_at", UtcInstant, nullable=False),
    Column("finished_at", UtcInstant),
    Column("errors", Text),
    # Behind the others: SQLite reads a row from its start, so lists do not read through the document.
    Column("document", Text),
    # Added later, so behind the document; lists read these two from their index.
    Column("selection", create_enum_type(SelectionStatus)),
    # Of the selected match; of the best one while none is selected.
    Column("jurisdiction", create_enum_type(Jurisdiction)),
    # Of a selection by a person.
    Column("decided_by", Text),
    Column("decided_at", UtcInstant),
    # What is needed to write the messages of the document in another language.
    Column("messages", Text),
    # The business record of the request. Checks of an erased record are deleted after it, so this is no foreign key.
    Column("business_id", Uuid),
    # Hits that were not dismissed when the lists were screened; NULL without a screening. Lists read the number from its index.
    Column("open_hits", Integer),
    # The keys of these hits as JSON, by which later dismissals are found.
    Column("hit_keys", Text),
    PrimaryKeyConstraint("organization_id", "id"),
)
# The order of the history, read backwards; it has all columns that the history is filtered by, so paging reads no rows.
Index(
    "ix_searches_history",
    searches.c.organization_id,
    searches.c.searched_at,
    searches.c.id,
    searches.c.archived,
    searches.c.status,
    searches.c.selection,
    searches.c.jurisdiction,
    searches.c.folded_query,
)
Index(
    "ix_searches_unfinished",
    searches.c.deadline_at,
    sqlite_where=searches.c.finished_at.is_(None),
    postgresql_where=searches.c.finished_at.is_(None),
)
# The history of one person.
Index(
    "ix_searches_person",
    searches.c.organization_id,
    searches.c.searched_by,
    searches.c.searched_at,
    searches.c.id,
    searches.c.archived,
    searches.c.status,
    searches.c.selection,
    searches.c.jurisdiction,
)
WITH_OPEN_HITS = searches.c.open_hits > literal_column("0")
"""The condition for searches with open sanctions hits."""
Index(
    "ix_searches_open_hits",
    searches.c.organization_id,
    searches.c.searched_at,
    searches.c.id,
    searches.c.archived,
    searches.c.status,
    searches.c.selection,
    searches.c.jurisdiction,
    searches.c.open_hits,
    sqlite_where=WITH_OPEN_HITS,
    postgresql_where=WITH_OPEN_HITS,
)
UNDECIDED = and_(searches.c.selection.is_not(None), searches.c.decided_at.is_(None))
"""The condition for searches that no person has decided."""
# The review queues, oldest first.
Index(
    "ix_searches_undecided",
    searches.c.organization_id,
    searches.c.selection,
    searches.c.archived,
    searches.c.searched_at,
    searches.c.id,
    sqlite_where=UNDECIDED,
    postgresql_where=UNDECIDED,
)
INCOMPLETE = searches.c.errors.is_not(None)
"""The condition for searches with a failed check."""
Index(
    "ix_searches_incomplete",
    searches.c.organization_id,
    searches.c.archived,
    searches.c.searched_at,
    searches.c.id,
    sqlite_where=INCOMPLETE,
    postgresql_where=INCOMPLETE,
)

SEARCH_OF_A_RECORD = searches.c.business_id.is_not(None)
"""The condition for searches of a business record."""
Index(
    "ix_searches_business",
    searches.c.organization_id,
    searches.c.business_id,
    sqlite_where=SEARCH_OF_A_RECORD,
    postgresql_where=SEARCH_OF_A_RECORD,
)

extracts = Table(
    "extracts",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("jurisdiction", create_enum_type(Jurisdiction), nullable=False),
    Column("number", Text, nullable=False),
    Column("obtained_at", UtcInstant, nullable=False),
    Column("document", Text, nullable=False),
    Column("messages", Text),
    PrimaryKeyConstraint("organization_id", "id"),
)
# Read backwards: the first row is the newest extract of a registration.
Index("ix_extracts_newest", extracts.c.organization_id, extracts.c.jurisdiction, extracts.c.number, extracts.c.obtained_at)
# The extracts of a period, and the order in which retention deletes them.
Index("ix_extracts_time", extracts.c.organization_id, extracts.c.obtained_at, extracts.c.id)

verifications = Table(
    "verifications",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("state", create_enum_type(VerificationState), nullable=False),
    Column("request", Text, nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    Column("deadline_at", UtcInstant, nullable=False),
    Column("finished_at", UtcInstant),
    # Why the verification waits, or why it failed.
    Column("reason", MessageText),
    Column("document", Text),
    Column("outcome", create_enum_type(ResultStatus)),
    Column("messages", Text),
    # The business record of the request, as for searches.
    Column("business_id", Uuid),
    # What lists are filtered by.
    Column("requested_by", Text, nullable=False, server_default=""),
    Column("jurisdiction", create_enum_type(Jurisdiction)),
    Column("search_text", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("organization_id", "id"),
)
# The order of the list, read backwards, with the columns that it is filtered by.
Index(
    "ix_verifications_newest",
    verifications.c.organization_id,
    verifications.c.created_at,
    verifications.c.id,
    verifications.c.state,
    verifications.c.outcome,
    verifications.c.jurisdiction,
    verifications.c.requested_by,
    verifications.c.search_text,
)
Index(
    "ix_verifications_unfinished",
    verifications.c.deadline_at,
    sqlite_where=verifications.c.finished_at.is_(None),
    postgresql_where=verifications.c.finished_at.is_(None),
)

VERIFICATION_OF_A_RECORD = verifications.c.business_id.is_not(None)
"""The condition for verifications of a business record."""
Index(
    "ix_verifications_business",
    verifications.c.organization_id,
    verifications.c.business_id,
    sqlite_where=VERIFICATION_OF_A_RECORD,
    postgresql_where=VERIFICATION_OF_A_RECORD,
)

fetches = Table(
    # One row for each registration that is being looked up, and for a while afterwards.
    "fetches",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("jurisdiction", create_enum_type(Jurisdiction), nullable=False),
    Column("number", Text, nullable=False),
    Column("holder", Uuid),
    Column("expires_at", UtcInstant, nullable=False),
    Column("refusals", Integer, nullable=False),
    Column("ended_at", UtcInstant),
    Column("ending", Text),
    PrimaryKeyConstraint("organization_id", "jurisdiction", "number"),
    info={EPHEMERAL: "nobody looks a registration up any more whose job was begun before a restore"},
)
Index(None, fetches.c.expires_at)

ledgers = Table(
    # One row for each organization, locked by writers of its records, which gives instants and the audit log one order.
    "ledgers",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), primary_key=True),
    Column("changed_at", UtcInstant, nullable=False),
    Column("entries", BigInteger, nullable=False),
    Column("head", String(64), nullable=False),
)

audit_entries = Table(
    "audit_entries",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", BigInteger, nullable=False),
    Column("subject", Uuid, nullable=False),
    Column("at", UtcInstant, nullable=False),
    Column("actor", Text, nullable=False),
    Column("request_id", Text),
    Column("field", Text, nullable=False),
    Column("old", Text, nullable=False),
    Column("new", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    # Whether the content of the entry was erased, so that its hash can't be computed again.
    Column("erased", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("organization_id", "id"),
)
Index("ix_audit_entries_subject", audit_entries.c.organization_id, audit_entries.c.subject, audit_entries.c.id)

businesses = Table(
    "businesses",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("external_id", Text),
    Column("is_monitored", Boolean, nullable=False),
    Column("is_archived", Boolean, nullable=False),
    Column("updated_at", UtcInstant, nullable=False),
    Column("document", Text, nullable=False),
    # Added later, so behind even the document; lists read both from their index.
    Column("sought", Text, nullable=False, server_default=""),
    Column("has_discrepancies", Boolean, nullable=False, server_default=false()),
    Column("jurisdiction", create_enum_type(Jurisdiction)),
    Column("verification_status", create_enum_type(VerificationStatus)),
    PrimaryKeyConstraint("organization_id", "id"),
    UniqueConstraint("organization_id", "external_id"),
)
# The order of the change feed, with all columns that records are filtered by, so that only listed rows are read.
Index(
    "ix_businesses_feed",
    businesses.c.organization_id,
    businesses.c.updated_at,
    businesses.c.id,
    businesses.c.is_monitored,
    businesses.c.is_archived,
    businesses.c.has_discrepancies,
    businesses.c.jurisdiction,
    businesses.c.verification_status,
    businesses.c.sought,
)

business_numbers = Table(
    # The spellings of a record's registration number; two records can't share one.
    "business_numbers",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("jurisdiction", create_enum_type(Jurisdiction), nullable=False),
    Column("number", Text, nullable=False),
    Column("business_id", Uuid, nullable=False),
    PrimaryKeyConstraint("organization_id", "jurisdiction", "number"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)
Index(None, business_numbers.c.organization_id, business_numbers.c.business_id)

business_traits = Table(
    # The keys of what a record may share with others: people, addresses, phone numbers, websites.
    "business_traits",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("key", String(32), nullable=False),
    Column("business_id", Uuid, nullable=False),
    PrimaryKeyConstraint("organization_id", "key", "business_id"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)
Index(None, business_traits.c.organization_id, business_traits.c.business_id)

dismissals = Table(
    # Dismissed sanctions hits. Rows are ended and never deleted.
    "dismissals",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("subject", String(64), nullable=False),
    Column("source", Text, nullable=False),
    Column("entry_id", Text, nullable=False),
    Column("business_id", Uuid),
    Column("dismissed_at", UtcInstant, nullable=False),
    Column("ends_at", UtcInstant),
    Column("revoked_at", UtcInstant),
    Column("document", Text, nullable=False),
    # When the event of its expiry is due; NULL if it has been recorded, or if none is to be.
    Column("expiry_due_at", UtcInstant),
    # What the list is filtered by.
    Column("dismissed_by", Text, nullable=False, server_default=""),
    Column("search_text", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("organization_id", "id"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)
# The order of the list, read backwards, with the columns that it is filtered by.
Index(
    "ix_dismissals_newest",
    dismissals.c.organization_id,
    dismissals.c.dismissed_at,
    dismissals.c.id,
    dismissals.c.revoked_at,
    dismissals.c.ends_at,
    dismissals.c.source,
    dismissals.c.dismissed_by,
    dismissals.c.search_text,
)
Index(
    "ix_dismissals_subject",
    dismissals.c.organization_id,
    dismissals.c.subject,
    sqlite_where=dismissals.c.revoked_at.is_(None),
    postgresql_where=dismissals.c.revoked_at.is_(None),
)

WITH_EXPIRY = dismissals.c.expiry_due_at.is_not(None)
"""The condition for dismissals whose expiry is still to be recorded."""
Index("ix_dismissals_expiry", dismissals.c.expiry_due_at, sqlite_where=WITH_EXPIRY, postgresql_where=WITH_EXPIRY)

screenings = Table(
    # Screenings without a search.
    "screenings",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("query", Text, nullable=False),
    Column("folded_query", Text, nullable=False),
    Column("outcome", create_enum_type(ScreeningOutcome), nullable=False),
    Column("open_hits", Integer, nullable=False),
    # The number of screened names and people.
    Column("subjects", Integer, nullable=False),
    Column("screened_at", UtcInstant, nullable=False),
    Column("screened_by", Text, nullable=False),
    Column("business_id", Uuid),
    # Behind the others: SQLite reads a row from its start, so lists do not read through the document.
    Column("document", Text, nullable=False),
    Column("messages", Text),
    PrimaryKeyConstraint("organization_id", "id"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)
# The order of the history, read backwards, with the columns that it is filtered by.
Index(
    "ix_screenings_history",
    screenings.c.organization_id,
    screenings.c.screened_at,
    screenings.c.id,
    screenings.c.outcome,
    screenings.c.folded_query,
)
# The history of one person.
Index("ix_screenings_person", screenings.c.organization_id, screenings.c.screened_by, screenings.c.screened_at, screenings.c.id)
OF_A_BUSINESS = screenings.c.business_id.is_not(None)
"""The condition for screenings of a business record."""
Index(
    "ix_screenings_business",
    screenings.c.organization_id,
    screenings.c.business_id,
    screenings.c.screened_at,
    screenings.c.id,
    sqlite_where=OF_A_BUSINESS,
    postgresql_where=OF_A_BUSINESS,
)

open_hits = Table(
    # The open hits of business records, as events have reported them.
    "open_hits",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("key", String(64), nullable=False),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "business_id", "key"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)

ownership_statements = Table(
    # What each claimant says about the owners of a business.
    "ownership_statements",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("claimed_by", create_enum_type(Claimant), nullable=False),
    Column("recorded_at", UtcInstant, nullable=False),
    Column("recorded_by", Text, nullable=False),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "business_id", "claimed_by"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)

business_documents = Table(
    # Uploaded evidence. The files are in the file storage.
    "business_documents",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("uploaded_at", UtcInstant, nullable=False),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)
Index(
    "ix_business_documents_newest",
    business_documents.c.organization_id,
    business_documents.c.business_id,
    business_documents.c.uploaded_at,
    business_documents.c.id,
)
# The order in which retention deletes them.
Index(
    "ix_business_documents_age",
    business_documents.c.organization_id,
    business_documents.c.uploaded_at,
    business_documents.c.id,
)

ownership_reviews = Table(
    # Comparisons of declared owners with a register. Rows are never changed.
    "ownership_reviews",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("reviewed_at", UtcInstant, nullable=False),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)
Index(
    "ix_ownership_reviews_newest",
    ownership_reviews.c.organization_id,
    ownership_reviews.c.business_id,
    ownership_reviews.c.reviewed_at,
    ownership_reviews.c.id,
)

discrepancies = Table(
    # Discrepancies of ownership reviews.
    "discrepancies",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("status", create_enum_type(DiscrepancyStatus), nullable=False),
    Column("opened_at", UtcInstant, nullable=False),
    Column("due_at", UtcInstant),
    # NULL while the discrepancy is open.
    Column("decided_at", UtcInstant),
    # The instant of the next reminder; NULL without one.
    Column("reminder_at", UtcInstant),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)
Index(
    "ix_discrepancies_newest",
    discrepancies.c.organization_id,
    discrepancies.c.business_id,
    discrepancies.c.opened_at,
    discrepancies.c.id,
)
OPEN_DISCREPANCY = discrepancies.c.decided_at.is_(None)
"""The condition for open discrepancies."""
Index(
    "ix_discrepancies_open",
    discrepancies.c.organization_id,
    discrepancies.c.due_at,
    sqlite_where=OPEN_DISCREPANCY,
    postgresql_where=OPEN_DISCREPANCY,
)
WITH_REMINDER = discrepancies.c.reminder_at.is_not(None)
"""The condition for discrepancies of which a reminder is still to be recorded."""
Index(
    "ix_discrepancies_reminder",
    discrepancies.c.reminder_at,
    sqlite_where=WITH_REMINDER,
    postgresql_where=WITH_REMINDER,
)

event_heads = Table(
    # The number and the time of an organization's last event. Its row lock gives events the order in which they are committed.
    "event_heads",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), primary_key=True),
    Column("sequence", BigInteger, nullable=False),
    Column("occurred_at", UtcInstant, nullable=False),
)

events = Table(
    # Rows are never changed. An event outlives the record that it is about, so its business is no foreign key.
    "events",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("id", Uuid, nullable=False),
    Column("type", create_enum_type(EventType), nullable=False),
    Column("severity", create_enum_type(EventSeverity), nullable=False),
    Column("occurred_at", UtcInstant, nullable=False),
    Column("business_id", Uuid),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "sequence"),
    UniqueConstraint("organization_id", "id"),
)
Index("ix_events_type", events.c.organization_id, events.c.type, events.c.sequence)
Index("ix_events_time", events.c.organization_id, events.c.occurred_at, events.c.sequence)
AT_LEAST = {
    lowest: events.c.severity.in_([literal_column(f"'{severity}'") for severity in list(EventSeverity)[rank:]])
    for rank, lowest in enumerate(EventSeverity)
    if rank > 0
}
"""The conditions for events of at least a severity. They are literal, so that the indexes below serve them."""
for _lowest, _condition in AT_LEAST.items():
    _columns = (events.c.organization_id, events.c.sequence)
    Index(f"ix_events_at_least_{_lowest}", *_columns, sqlite_where=_condition, postgresql_where=_condition)
OF_A_RECORD = events.c.business_id.is_not(None)
"""The condition for events of a business record."""
Index(
    "ix_events_business",
    events.c.organization_id,
    events.c.business_id,
    events.c.sequence,
    sqlite_where=OF_A_RECORD,
    postgresql_where=OF_A_RECORD,
)

alerts = Table(
    # One row for each event that a person should acknowledge. It is stored with the event and changed once.
    "alerts",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("acknowledged_at", UtcInstant),
    Column("acknowledged_by", Text),
    Column("note", Text),
    PrimaryKeyConstraint("organization_id", "sequence"),
    ForeignKeyConstraint(["organization_id", "sequence"], ["events.organization_id", "events.sequence"]),
)
IS_OPEN_ALERT = alerts.c.acknowledged_at.is_(None)
"""The condition for alerts that nobody has acknowledged."""
Index(
    "ix_alerts_open",
    alerts.c.organization_id,
    alerts.c.sequence,
    sqlite_where=IS_OPEN_ALERT,
    postgresql_where=IS_OPEN_ALERT,
)

mail_positions = Table(
    # Up to which of its events an organization's mail has been prepared. Without a row: up to none.
    "mail_positions",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), primary_key=True),
    Column("alert_position", BigInteger, nullable=False),
    Column("digest_position", BigInteger, nullable=False),
    # The time of the last digest; of the first look at the feed since digests were turned on. None while they are off.
    Column("digested_at", UtcInstant),
)

mail_outbox = Table(
    # One row for each mail. It is written from the events when it is sent.
    "mail_outbox",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("user_id", Uuid, ForeignKey("users.id"), nullable=False),
    Column("kind", create_enum_type(MailKind), nullable=False),
    Column("after_sequence", BigInteger, nullable=False),
    Column("until_sequence", BigInteger, nullable=False),
    Column("state", create_enum_type(MailState), nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    Column("due_at", UtcInstant, nullable=False),
    Column("worker", Text),
    Column("attempts", Integer, nullable=False),
    Column("finished_at", UtcInstant),
    # What is needed to choose the events again, and the log of attempts.
    Column("content", Text, nullable=False),
    Column("log", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
)
PENDING_MAIL = mail_outbox.c.finished_at.is_(None)
"""The condition for mails that are still to be sent."""
Index(
    "ix_mail_outbox_due",
    mail_outbox.c.due_at,
    mail_outbox.c.organization_id,
    sqlite_where=PENDING_MAIL,
    postgresql_where=PENDING_MAIL,
)
Index("ix_mail_outbox_created", mail_outbox.c.organization_id, mail_outbox.c.created_at)
Index("ix_mail_outbox_finished", mail_outbox.c.finished_at)

account_settings = Table(
    "account_settings",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), primary_key=True),
    Column("document", Text, nullable=False),
)

terms_acceptances = Table(
    # The operator's, for all organizations.
    "terms_acceptances",
    metadata,
    Column("source", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("accepted_by", Text, nullable=False),
    Column("terms", Text, nullable=False),
    Column("recorded_at", UtcInstant, nullable=False),
    PrimaryKeyConstraint("source", "version"),
)

source_runs = Table(
    # The operator's: the result of each load of a source. The key, read backwards, is the order of the list.
    "source_runs",
    metadata,
    Column("world", create_enum_type(World), nullable=False),
    Column("source", Text, nullable=False),
    Column("finished_at", UtcInstant, nullable=False),
    Column("id", Uuid, nullable=False),
    Column("started_at", UtcInstant, nullable=False),
    Column("outcome", create_enum_type(RunOutcome), nullable=False),
    Column("entries", BigInteger),
    Column("rejected", BigInteger),
    Column("note", MessageText),
    PrimaryKeyConstraint("world", "source", "finished_at", "id"),
)

source_conditions = Table(
    # The operator's: the condition of each source, as it was last announced. Without `retrieved_at` the source was never loaded.
    "source_conditions",
    metadata,
    Column("world", create_enum_type(World), nullable=False),
    Column("source", Text, nullable=False),
    Column("problem", create_enum_type(LoadProblem)),
    Column("is_stale", Boolean, nullable=False),
    Column("as_of", Date),
    Column("retrieved_at", UtcInstant),
    PrimaryKeyConstraint("world", "source"),
)

announcements = Table(
    # The operator's: events for all organizations of a world that are still being recorded, one organization after another.
    "announcements",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("world", create_enum_type(World), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("announced_at", UtcInstant, nullable=False),
    Column("type", create_enum_type(EventType), nullable=False),
    Column("severity", create_enum_type(EventSeverity)),
    Column("document", Text, nullable=False),
    Column("last_organization_id", Uuid),
)

announced_releases = Table(
    # The operator's: the releases in the changelog whose entries were announced.
    "announced_releases",
    metadata,
    Column("day", Date, primary_key=True),
    Column("announced_at", UtcInstant, nullable=False),
)

key_usage = Table(
    # The requests of each key on each day (UTC), and how many of them exceeded its limit.
    "key_usage",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("key_id", Uuid, nullable=False),
    Column("day", Date, nullable=False),
    Column("requests", BigInteger, nullable=False),
    Column("refused", BigInteger, nullable=False),
    PrimaryKeyConstraint("organization_id", "key_id", "day"),
    ForeignKeyConstraint(["organization_id", "key_id"], ["api_keys.organization_id", "api_keys.id"]),
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("key_id", Uuid, nullable=False),
    Column("idempotency_key", Text, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("body_sha256", String(64), nullable=False),
    Column("token", Uuid, nullable=False),
    Column("expires_at", UtcInstant, nullable=False),
    Column("status", Integer),
    Column("headers", Text),
    Column("body", LargeBinary),
    Column("reserved_until", UtcInstant),
    Column("resource_id", Uuid),
    Column("model", Text),
    Column("messages", Text),
    Column("file", Text),
    PrimaryKeyConstraint("organization_id", "key_id", "idempotency_key"),
    ForeignKeyConstraint(["organization_id", "key_id"], ["api_keys.organization_id", "api_keys.id"]),
)
Index(None, idempotency_keys.c.expires_at)

jobs = Table(
    "jobs",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("kind", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("state", create_enum_type(JobState), nullable=False),
    Column("due_at", UtcInstant, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("max_attempts", Integer, nullable=False),
    Column("worker", Text),
    Column("last_error", Text),
    Column("finished_at", UtcInstant),
    PrimaryKeyConstraint("organization_id", "id"),
)
FINISHED_JOB = jobs.c.finished_at.is_not(None)
LIVE_JOB = jobs.c.finished_at.is_(None)
"""The condition for live jobs, which must be unique."""
Index(
    "uq_jobs_live",
    jobs.c.organization_id,
    jobs.c.kind,
    jobs.c.key,
    unique=True,
    sqlite_where=LIVE_JOB,
    postgresql_where=LIVE_JOB,
)
# The order in which jobs are claimed, so that a claim reads a single row.
Index("ix_jobs_due", jobs.c.due_at, jobs.c.id, sqlite_where=LIVE_JOB, postgresql_where=LIVE_JOB)
# Without live jobs: SQLite would otherwise use this index for them, which has no order for claims.
Index("ix_jobs_finished", jobs.c.finished_at, sqlite_where=FINISHED_JOB, postgresql_where=FINISHED_JOB)
