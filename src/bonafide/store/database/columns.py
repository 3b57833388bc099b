"""The metadata that all tables belong to, and column types that SQLAlchemy does not have."""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import DateTime, Dialect, Enum, MetaData, Text, TypeDecorator
from sqlalchemy.types import TypeEngine

from bonafide.i18n.message import Message, decode_message, encode_message

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
    }
)

EPHEMERAL = "ephemeral"
"""In a table's `info`: why its rows are meaningless after a restore, so that backups skip them."""


class UtcInstant(TypeDecorator[datetime]):
    """An aware instant: `timestamptz` on PostgreSQL, `2026-11-20T14:33:00.125000Z` on SQLite, where text sorts as time does."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[datetime] | TypeEngine[str]:
        """The column's own type."""
        kept: TypeEngine[datetime] | TypeEngine[str] = Text() if dialect.name == "sqlite" else DateTime(timezone=True)
        return kept

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | str | None:
        """The driver's form. Raises `ValueError` for an instant without a time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant needs a time zone")
        utc = value.astimezone(UTC)
        return utc.isoformat(timespec="microseconds").replace("+00:00", "Z") if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | str | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """In UTC, whatever the time zone of the session."""
        if value is None:
            return None
        return (datetime.fromisoformat(value) if isinstance(value, str) else value).astimezone(UTC)


class MessageText(TypeDecorator[Message]):
    """A message with what is needed to translate it; text of earlier releases is read as English."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Message | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's signature
        """As text."""
        return encode_message(value) if value is not None else None

    def process_result_value(self, value: str | None, dialect: Dialect) -> Message | None:  # noqa: ARG002 - SQLAlchemy's signature
        """As a message."""
        return decode_message(value) if value is not None else None


def create_enum_type(kind: type[StrEnum]) -> Enum:
    """A column type for the values of `kind`, stored as text, so that a new value needs no migration."""
    return Enum(kind, native_enum=False, length=32, values_callable=lambda words: [word.value for word in words])
