"""The tables of the console's lists: saved views, and actions on many records at once. The others are in `tables`."""

from sqlalchemy import Boolean, Column, ForeignKey, ForeignKeyConstraint, Index, Integer, PrimaryKeyConstraint, Table, Text, Uuid

from bonafide.i18n.language import Language
from bonafide.model.lists.bulk_actions import BulkActionKind, BulkItemStatus
from bonafide.model.lists.saved_views import ListName
from bonafide.store.database.columns import MessageText, UtcInstant, create_enum_type, metadata

saved_views = Table(
    "saved_views",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("list", create_enum_type(ListName), nullable=False),
    # The user whose view it is; NULL for a view that the organization shares.
    Column("user_id", Uuid, ForeignKey("users.id")),
    Column("name", Text, nullable=False),
    # The filter as the query of an address.
    Column("query", Text, nullable=False),
    Column("is_default", Boolean, nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    Column("created_by", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
)
Index(None, saved_views.c.organization_id, saved_views.c.list)

bulk_actions = Table(
    "bulk_actions",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("kind", create_enum_type(BulkActionKind), nullable=False),
    Column("requested_by", Text, nullable=False),
    Column("request_id", Text),
    Column("language", create_enum_type(Language), nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    Column("finished_at", UtcInstant),
    PrimaryKeyConstraint("organization_id", "id"),
)
# Finished actions, which are deleted after a while.
Index(None, bulk_actions.c.finished_at)

bulk_items = Table(
    "bulk_items",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("action_id", Uuid, nullable=False),
    Column("position", Integer, nullable=False),
    # No reference: a record may be erased.
    Column("business_id", Uuid, nullable=False),
    Column("status", create_enum_type(BulkItemStatus), nullable=False),
    # Why nothing was done.
    Column("reason", MessageText),
    # The verification or the screening.
    Column("result_id", Uuid),
    PrimaryKeyConstraint("organization_id", "action_id", "position"),
    ForeignKeyConstraint(["organization_id", "action_id"], ["bulk_actions.organization_id", "bulk_actions.id"]),
)
