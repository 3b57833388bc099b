"""What an examiner's pack has of one check or decision: a printed item, and files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.records.documents import BusinessDocument
from bonafide.pdf.print_packs import PrintedPackDetail, PrintedPackItem
from bonafide.services.printing.pdf_reports import PRINTED
from bonafide.sources.framework.discovery import Source

JSON = "json"


@dataclass(frozen=True, slots=True)
class StoredAttachment:
    """A stored file that is copied to the pack: its name in the pack, in the storage, and its digest if one was recorded."""

    name: str
    stored_name: str
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class PackEntry:
    """A check or a decision. `item` has no files yet; `files` are their contents by name.

    `folders` are those of stored files that may have printed reports, which are copied to the pack.
    """

    id: UUID
    item: PrintedPackItem
    files: Mapping[str, str]
    attachments: tuple[StoredAttachment, ...] = ()
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemContext:
    """What is needed to describe items: the sources by key, the language of the pack, and the time of its request."""

    sources: Mapping[str, Source]
    language: Language
    now: datetime

    def get_source_name(self, key: str) -> str:
        """The name of a source; the key of one that no longer exists."""
        source = self.sources.get(key)
        return source.metadata.get_display_name(self.language) if source is not None else key


def build_entry(
    entry_id: UUID,
    item: PrintedPackItem,
    folder: str,
    body: str,
    attachments: Sequence[StoredAttachment] = (),
    folders: Sequence[str] = (),
) -> PackEntry:
    """An entry with one document, in a folder."""
    return PackEntry(entry_id, item, {f"{folder}/{entry_id}.{JSON}": body}, tuple(attachments), tuple(folders))


def build_print_folder(subject: UUID) -> str:
    """The folder of the stored printed reports of a check, an ownership review or a business record."""
    return f"{PRINTED}/{subject}/"


def describe_text(label: str, text: str | int | None) -> PrintedPackDetail | None:
    """A detail with a text; None without one. `label` is a key of the group `packDetail`."""
    if text is None or text == "":
        return None
    return PrintedPackDetail(label=f"packDetail.{label}", text=to_text(str(text) if isinstance(text, int) else text))


def describe_code(label: str, code: str | None) -> PrintedPackDetail | None:
    """A detail with the key of a label; None without one."""
    return PrintedPackDetail(label=f"packDetail.{label}", code=code) if code is not None else None


def describe_day(label: str, day: date | None) -> PrintedPackDetail | None:
    """A detail with a day; None without one."""
    return PrintedPackDetail(label=f"packDetail.{label}", on=day) if day is not None else None


def describe_instant(label: str, at: datetime | None) -> PrintedPackDetail | None:
    """A detail with an instant; None without one."""
    return PrintedPackDetail(label=f"packDetail.{label}", at=at) if at is not None else None


def describe_attachment(label: str, document: BusinessDocument) -> PrintedPackDetail:
    """A detail with the name of an uploaded file, who uploaded it, and when."""
    uploaded = Message("{name}, uploaded by {who}", name=document.name, who=document.uploaded_by)
    return PrintedPackDetail(label=f"packDetail.{label}", text=uploaded, at=document.uploaded_at)


def list_details(*details: PrintedPackDetail | None) -> tuple[PrintedPackDetail, ...]:
    """The details that exist."""
    return tuple(detail for detail in details if detail is not None)


def to_text(text: str) -> Message:
    """A text as it is printed: a message is translated, any other text is not."""
    return Message.untranslated(text)
