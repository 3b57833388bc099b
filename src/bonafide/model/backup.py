"""What a backup says of itself: its manifest, by which every file of it can be checked. How files are written stands elsewhere."""

from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document, Instant

FORMAT: Literal[1] = 1
"""Of the folder and its files; raise it when an older release could not read them any more."""
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
SqlName = Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$")]
"""Of a table or a column: it becomes part of a path, and of a statement."""


class ColumnKind(StrEnum):
    """What a column holds, and how a value of it is written in JSON; null is null."""

    TEXT = "text"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    UUID = "uuid"
    """32 hexadecimal digits."""
    INSTANT = "instant"
    """`2026-11-20T14:33:00.125000Z`."""
    DATE = "date"
    BYTES = "bytes"
    """Base64."""


class BackedUpColumn(Document):
    """A column; the values of a row stand in the order of its table's columns."""

    name: SqlName
    kind: ColumnKind


class BackedUpFile(Document):
    """A file of the backup: bytes on disk, and their SHA-256."""

    size: Annotated[int, Field(ge=0)]
    sha256: Digest


class BackedUpTable(BackedUpFile):
    """A table, as a file of so many JSON lines."""

    name: SqlName
    columns: tuple[BackedUpColumn, ...]
    rows: Annotated[int, Field(ge=0)]


class BackedUpFileList(BackedUpFile):
    """The list of the stored files: so many files of so many bytes."""

    files: Annotated[int, Field(ge=0)]
    bytes: Annotated[int, Field(ge=0)]


class SigningKeyRecord(Document):
    """The key that signs addresses. `kept` describes its file; None when it was a setting, which a backup does not hold."""

    fingerprint: Digest
    kept: BackedUpFile | None


class AuditHead(Document):
    """How many entries the audit trail of an organization has, and the hash of the last one."""

    organization_id: UUID
    entries: int
    hash: str


class BackupManifest(Document):
    """All of a backup. Tables stand in an order in which none refers to a later one."""

    format: Literal[1] = FORMAT
    release: str
    """Of the program that wrote it."""
    revision: str
    """Of the database's schema."""
    taken_at: Instant
    database: Literal["sqlite", "postgresql"]
    tables: tuple[BackedUpTable, ...]
    left_out: tuple[SqlName, ...]
    """Tables whose rows mean nothing after a restore."""
    trails: tuple[AuditHead, ...]
    files: BackedUpFileList | None
    """None when the stored files were left out."""
    signing_key: SigningKeyRecord | None
    """None when there was no key yet."""

    @property
    def rows(self) -> int:
        """Of all tables."""
        return sum(table.rows for table in self.tables)

    @property
    def size(self) -> int:
        """Bytes on disk, all but the manifest's own."""
        tables = sum(table.size for table in self.tables)
        return tables + (self.files.size + self.files.bytes if self.files is not None else 0)
