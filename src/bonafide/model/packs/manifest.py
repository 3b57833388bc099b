"""The manifest of an examiner's pack: its scope, who requested it, and the size and digest of every file."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document, Instant

FORMAT: Literal[1] = 1
"""The format of packs; raise it when an earlier release can't verify them any more."""
MANIFEST = "manifest.json"
"""The name of the manifest, which is the last file of a pack."""
AUDIT_LOG = "audit.jsonl"
"""The name of the audit log in a pack."""
MAX_FILES = 50_000
"""Files of one pack. A ZIP file without extensions has at most 65,535."""
MAX_BYTES = 2_000_000_000
"""Bytes of all files of one pack, uncompressed. A ZIP file without extensions has less than 2 GiB."""
MAX_NAME_CHARACTERS = 200
NAME_PATTERN = r"^(?:[a-z0-9][a-z0-9_-]*/)*[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9]+)+$"
"""The names of files: relative paths of lower-case letters, digits, hyphens and underscores."""
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
PackedName = Annotated[str, Field(pattern=NAME_PATTERN, max_length=MAX_NAME_CHARACTERS)]


class PackedFile(Document):
    """A file of a pack: its name, its size in bytes without compression, and its SHA-256."""

    name: PackedName
    size: Annotated[int, Field(ge=0, le=MAX_BYTES)]
    sha256: Sha256


class PackedAuditHead(Document):
    """The end of the audit log that a pack was made from, and how many entries it has in full."""

    entries: Annotated[int, Field(ge=0)]
    hash: Sha256
    disclosed: Annotated[int, Field(ge=0)]
    intact: bool
    """Whether the hash chain of the whole log was intact when the pack was made."""


class PackManifest(Document):
    """The manifest. `files` has every other file of the pack, in the order in which they are in it."""

    format: Literal[1] = FORMAT
    version: str
    """Version of the software that made the pack."""
    pack_id: UUID
    organization_id: UUID
    organization: str
    world: World
    business_id: UUID | None
    from_: Instant | None = Field(alias="from")
    to: Instant | None
    language: Language
    requested_at: Instant
    requested_by: str
    items: Annotated[int, Field(ge=0)]
    audit: PackedAuditHead
    files: Annotated[tuple[PackedFile, ...], Field(max_length=MAX_FILES)]


class DisclosedAuditEntry(Document):
    """An entry of the audit log in full. `old` and `new` are texts of JSON, exactly as they are hashed."""

    id: Annotated[int, Field(ge=1)]
    organization_id: UUID
    subject: UUID
    at: str
    """UTC in ISO 8601 with microseconds, as it is hashed."""
    actor: str
    request_id: str | None
    field: str
    old: str
    new: str
    hash: Sha256


class WithheldAuditEntries(Document):
    """Consecutive entries that concern something else: their numbers, and the hash of the last one."""

    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]
    hash: Sha256
