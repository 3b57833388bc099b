"""A small examiner's pack without a database: a few files, and an audit log of five entries of which three are disclosed."""

from collections.abc import Mapping
from datetime import UTC, datetime
from io import BytesIO
from uuid import UUID

from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from bonafide.model.packs.manifest import AUDIT_LOG, PackedAuditHead, PackManifest, WithheldAuditEntries
from bonafide.services.packs.archive import PackArchive
from bonafide.services.packs.audit_extract import to_disclosed
from bonafide.store.tenants.audit_log import GENESIS, StoredAuditEntry

ORGANIZATION, SUBJECT = UUID(int=1), UUID(int=2)
AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
WITHHELD = frozenset({2, 3})
FILES: Mapping[str, bytes] = {
    "business.json": b'{"name": "Sandbox Bakery Inc."}',
    "searches/one.json": b'{"matches": [1, 2, 3]}' * 40,
    "attachments/two.pdf": bytes(range(256)),
    "empty.jsonl": b"",
}


def build_log() -> list[StoredAuditEntry]:
    """The whole audit log."""
    log, previous = list[StoredAuditEntry](), GENESIS
    for number in range(1, 6):
        entry = StoredAuditEntry(ORGANIZATION, number, SUBJECT, AT, "ann@north.example", None, "name", "null", f'"é{number}"', "")
        previous = entry.hash_after(previous)
        log.append(StoredAuditEntry(ORGANIZATION, number, SUBJECT, AT, entry.actor, None, "name", "null", entry.new, previous))
    return log


def write_log(log: list[StoredAuditEntry]) -> bytes:
    """The lines of the log in a pack."""
    lines = [to_disclosed(entry).to_json() for entry in log if entry.id not in WITHHELD]
    withheld = WithheldAuditEntries(first=min(WITHHELD), last=max(WITHHELD), hash=log[max(WITHHELD) - 1].hash)
    return "".join(f"{line}\n" for line in (lines[0], withheld.to_json(), *lines[1:])).encode()


def build_small_pack(files: Mapping[str, bytes] = FILES, log: bytes | None = None) -> bytes:
    """The ZIP, with these files and these lines of the log."""
    entries, file = build_log(), BytesIO()
    archive = PackArchive(file, AT)
    for name, content in {**files, AUDIT_LOG: write_log(entries) if log is None else log}.items():
        archive.add(name, content)
    archive.finish(
        PackManifest(
            version="1.0",
            pack_id=UUID(int=3),
            organization_id=ORGANIZATION,
            organization="North",
            world=World.SANDBOX,
            business_id=SUBJECT,
            from_=None,
            to=None,
            language=Language.ENGLISH,
            requested_at=AT,
            requested_by="ann@north.example",
            items=1,
            audit=PackedAuditHead(entries=5, hash=entries[-1].hash, disclosed=3, intact=True),
            files=tuple(archive.files.values()),
        )
    )
    return file.getvalue()
