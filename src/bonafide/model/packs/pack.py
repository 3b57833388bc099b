"""An examiner's pack: the request, its state, and what it consists of."""

from enum import StrEnum
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error
from bonafide.model.events.event import EXAMPLE_BUSINESS_ID
from bonafide.model.packs.manifest import Sha256
from bonafide.model.records.business_record import Cursor, FeedPagination

EXAMPLE_PACK_ID = "0c9d8e7f-6a5b-4c3d-9e2f-1a0b9c8d7e6f"
ZIP = "application/zip"
_EXAMPLE_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


class PackStatus(StrEnum):
    """How far a pack is."""

    QUEUED = "queued"
    BUILDING = "building"
    READY = "ready"
    FAILED = "failed"
    EXPIRED = "expired"
    """Its files have been deleted."""


class PackFormat(StrEnum):
    """The two files of a pack."""

    PDF = "pdf"
    ZIP = "zip"


class PackRequest(Document):
    """Of what a pack is made: of a business record, or of a period of the whole organization."""

    business_id: Annotated[UUID | None, Field(examples=[EXAMPLE_BUSINESS_ID])] = None
    """ID of a stored business record. The pack has everything about it, whenever it happened."""
    from_: Annotated[Instant | None, Field(alias="from", examples=[None])] = None
    """Beginning of the period, inclusive. The pack has everything of the organization that happened in the period."""
    to: Annotated[Instant | None, Field(examples=[None])] = None
    """End of the period, exclusive."""

    @model_validator(mode="after")
    def _has_one_scope(self) -> Self:
        if self.business_id is not None:
            if self.from_ is not None or self.to is not None:
                raise create_field_error("businessId", Message("cannot be combined with a period"))
            return self
        if self.from_ is None or self.to is None:
            missing = "businessId" if self.from_ is None and self.to is None else "from" if self.from_ is None else "to"
            raise create_field_error(missing, Message("is required: send `businessId`, or `from` and `to`"))
        if self.to <= self.from_:
            raise create_field_error("to", Message("must be later than `from`"))
        return self


class PackAudit(Document):
    """The audit log of the organization when the pack was made, and the result of its verification."""

    entries: Annotated[int, Field(examples=[57])]
    """Number of entries of the whole log."""
    hash: Annotated[str, Field(examples=[_EXAMPLE_HASH])]
    """Hash of the last entry."""
    disclosed: Annotated[int, Field(examples=[12])]
    """Number of entries that the pack has in full; the others are in it by their hash."""
    is_intact: Annotated[bool, Field(alias="intact", examples=[True])]
    """Whether the hash chain of the whole log was intact."""
    problems: Annotated[tuple[Message, ...], Field(examples=[[]])] = ()
    """What is wrong with it; empty for an intact log."""


class PackFile(Document):
    """One file of a pack."""

    name: Annotated[str, Field(examples=["sandbox-bakery-inc-2026-11-22.zip"])]
    """Name to save it under."""
    size: Annotated[int, Field(examples=[48213])]
    """Size in bytes."""
    sha256: Annotated[Sha256, Field(examples=[_EXAMPLE_HASH])]
    """SHA-256 of the file."""


class SignedPackFile(PackFile):
    """One file of a pack, and where to download it."""

    url: Annotated[str, Field(examples=["https://bonafide.north.example/v1/documents/Tm90IGEgcmVhbCB0b2tlbg"])]
    """Signed URL of the file. It needs no API key."""
    url_expires_at: Instant
    """When the URL expires. Read the pack again for a new one."""


class PackItem(Document):
    """A pack in a list."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_PACK_ID])]
    """ID of the pack."""
    status: Annotated[PackStatus, Field(examples=["ready"])]
    """How far the pack is."""
    business_id: Annotated[UUID | None, Field(examples=[EXAMPLE_BUSINESS_ID])]
    """ID of the business record; null for the pack of a period."""
    business_name: Annotated[str | None, Field(examples=["Sandbox Bakery Inc."])]
    """Name of the business when the pack was requested; null for the pack of a period."""
    from_: Annotated[Instant | None, Field(alias="from", examples=[None])]
    """Beginning of the period, inclusive; null for the pack of a business."""
    to: Annotated[Instant | None, Field(examples=[None])]
    """End of the period, exclusive; null for the pack of a business."""
    language: Annotated[Language, Field(examples=["en"])]
    """Language of the PDF."""
    requested_at: Instant
    """When the pack was requested."""
    requested_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who requested it."""
    ready_at: Instant | None
    """When it was ready; null until then."""
    expires_at: Annotated[Instant | None, Field(examples=["2026-12-22T14:33:00.125Z"])]
    """When its files are deleted; null until it is ready."""
    items: Annotated[int | None, Field(examples=[14])]
    """Number of checks, decisions and changes that it has; null until it is ready."""
    intact: Annotated[bool | None, Field(examples=[True])]
    """Whether the audit log of the organization was intact when the pack was made; null until it is ready."""
    sha256: Annotated[str | None, Field(examples=[_EXAMPLE_HASH])]
    """SHA-256 of the ZIP; null until the pack is ready. Give it to whoever receives the pack, by another way."""
    problem: Annotated[Message | None, Field(examples=[None])]
    """Why it could not be made; null otherwise."""


class Pack(PackItem):
    """A pack with its files."""

    audit: PackAudit | None
    """State of the audit log; null until the pack is ready."""
    pdf: SignedPackFile | None
    """The PDF for a person; null unless the pack is ready."""
    zip: SignedPackFile | None
    """The ZIP with the PDF, everything that it lists, and a manifest of digests; null unless the pack is ready."""


class PackPage(Document):
    """A page of packs, newest first."""

    packs: tuple[PackItem, ...]
    """Packs, newest first."""
    cursor: Cursor
    """Position of the next page, which has older packs."""
    pagination: FeedPagination
    """Size of the page."""


class StoredPackFile(PackFile):
    """A file of a pack as it is stored: in parts of `part_size` bytes, the last of which may be shorter."""

    part_size: int


class PackContent(Document):
    """What is stored of a pack besides its columns. All but the first two fields are None until it is ready."""

    business_name: str | None
    language: Language
    items: int | None = None
    audit: PackAudit | None = None
    pdf: StoredPackFile | None = None
    zip: StoredPackFile | None = None

    def get_file(self, file_format: PackFormat) -> StoredPackFile | None:
        """One of the two files; None until the pack is ready."""
        return self.pdf if file_format is PackFormat.PDF else self.zip
