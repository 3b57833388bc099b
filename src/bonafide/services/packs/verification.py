"""Verify an examiner's pack without the service: the digest of every file, and the hash chain of the audit log.

A digest shows that a file is as it was packed. Somebody who builds another pack can compute all digests again; the SHA-256 of the
ZIP that the service recorded, or the audit log of the service, shows that too.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO
from uuid import UUID

from pydantic import TypeAdapter

from bonafide.i18n.message import Message
from bonafide.model.packs.manifest import (
    AUDIT_LOG,
    MANIFEST,
    MAX_BYTES,
    DisclosedAuditEntry,
    PackManifest,
    WithheldAuditEntries,
)
from bonafide.services.packs.archive import compute_digest
from bonafide.services.packs.zip_reader import NotAPack, PackReader, ZipMember
from bonafide.store.tenants.audit_log import GENESIS, StoredAuditEntry

MAX_PROBLEMS = 100
MAX_MANIFEST_BYTES = 32 * 1024**2
MAX_LINE_BYTES = 8 * 1024**2
ARCHIVE = "ZIP"
"""The name in problems of the archive itself."""
ALTERED = Message("was altered")
_LINE: TypeAdapter[DisclosedAuditEntry | WithheldAuditEntries] = TypeAdapter(DisclosedAuditEntry | WithheldAuditEntries)


@dataclass(frozen=True, slots=True)
class PackProblem:
    """What is wrong with one file."""

    file: str
    problem: Message


@dataclass(slots=True)
class PackCheck:
    """The result: the manifest as far as it could be read, the digest of the ZIP file, and the problems."""

    sha256: str
    manifest: PackManifest | None = None
    problems: list[PackProblem] = field(default_factory=list)
    points: list[tuple[int, str]] = field(default_factory=list)
    """Numbers of entries of the audit log, with their hashes."""

    @property
    def is_intact(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    def report(self, file: str, problem: Message) -> None:
        """Add a problem, up to `MAX_PROBLEMS`."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(PackProblem(file, problem))


def verify_pack(file: IO[bytes]) -> PackCheck:
    """Check every file of a pack. The memory that it needs does not depend on the size of the files."""
    check = PackCheck(compute_digest(file, file.seek(0, 2)))
    try:
        reader = PackReader(file)
    except NotAPack as error:
        check.report(ARCHIVE, error.message)
        return check
    check.manifest = manifest = _read_manifest(check, reader)
    if manifest is not None:
        _check_files(check, reader, manifest)
        log = next((member for member in reader.members if member.name == AUDIT_LOG), None)
        if log is not None:
            _AuditChainCheck(check, manifest).read_all(_read_lines(reader, log))
    if check.is_intact and not reader.is_unaltered:
        check.report(ARCHIVE, Message("was altered outside the content of its files"))
    return check


def _read_manifest(check: PackCheck, reader: PackReader) -> PackManifest | None:
    member = reader.members[-1]
    if member.name != MANIFEST:
        check.report(MANIFEST, Message("is missing"))
        return None
    if member.size > MAX_MANIFEST_BYTES:
        check.report(MANIFEST, Message("is too large"))
        return None
    try:
        return PackManifest.model_validate_json(b"".join(reader.read(member)))
    except ValueError:  # pydantic's errors are ValueErrors too
        check.report(MANIFEST, Message("was altered, or belongs to another release"))
        return None


def _check_files(check: PackCheck, reader: PackReader, manifest: PackManifest) -> None:
    """Compare every file with the manifest."""
    listed = {file.name: file for file in manifest.files}
    members = reader.members[:-1]
    if len(listed) != len(manifest.files) or sum(file.size for file in manifest.files) > MAX_BYTES:
        check.report(MANIFEST, Message("lists a file twice, or more than a pack may have"))
        return
    for member in members:
        expected = listed.pop(member.name, None)
        if expected is None:
            check.report(member.name, Message("is not in the manifest"))
        elif member.size != expected.size or _compute_content_digest(reader, member) != expected.sha256:
            check.report(member.name, ALTERED)
    for name in listed:
        check.report(name, Message("is missing"))


def _compute_content_digest(reader: PackReader, member: ZipMember) -> str | None:
    """The SHA-256 of the content of a file; None if it is damaged."""
    digest = hashlib.sha256()
    try:
        for piece in reader.read(member):
            digest.update(piece)
    except ValueError:
        return None
    return digest.hexdigest()


def _read_lines(reader: PackReader, member: ZipMember) -> Iterator[bytes]:
    """The lines of a file. Raises `ValueError` for a damaged one, and for a line that is too long."""
    rest = b""
    for piece in reader.read(member):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > MAX_LINE_BYTES:
            raise ValueError("the line is too long")
    if rest:
        yield rest


class _AuditChainCheck:
    """The hash chain of the audit log of a pack, up to some line."""

    def __init__(self, check: PackCheck, manifest: PackManifest) -> None:
        self._check = check
        self._manifest = manifest
        self._entries = 0
        self._hash = GENESIS
        self._disclosed = 0

    def read_all(self, lines: Iterator[bytes]) -> None:
        """Check every line, and the end of the log against the manifest."""
        try:
            for line in lines:
                self._read(line)
        except ValueError:
            self._report(Message("has a line that is not of an audit log"))
            return
        head = self._manifest.audit
        if (self._entries, self._hash, self._disclosed) != (head.entries, head.hash, head.disclosed):
            self._report(Message("does not end as the manifest says"))
        if not head.intact:
            self._report(Message("was not intact in the service when the pack was made"))

    def _read(self, line: bytes) -> None:
        entry = _LINE.validate_json(line)
        if isinstance(entry, WithheldAuditEntries):
            self._advance(entry.first, entry.last, entry.hash)
            return
        self._disclosed += 1
        is_own = entry.organization_id == self._manifest.organization_id
        if not is_own or _restore(entry).hash_after(self._hash) != entry.hash:
            self._report(Message("entry {entry} or the one before it was changed", entry=entry.id))
        self._advance(entry.id, entry.id, entry.hash)

    def _advance(self, first: int, last: int, last_hash: str) -> None:
        if first != self._entries + 1 or last < first:
            self._report(Message("entry {entry} is missing", entry=self._entries + 1))
        self._entries, self._hash = last, last_hash
        self._check.points.append((last, last_hash))

    def _report(self, problem: Message) -> None:
        self._check.report(AUDIT_LOG, problem)


def _restore(entry: DisclosedAuditEntry) -> StoredAuditEntry:
    """The entry as it is stored. Raises `ValueError` for an invalid time."""
    return StoredAuditEntry(
        organization_id=entry.organization_id,
        id=entry.id,
        subject=entry.subject,
        at=datetime.fromisoformat(entry.at),
        actor=entry.actor,
        request_id=entry.request_id,
        field=entry.field,
        old=entry.old,
        new=entry.new,
        hash=entry.hash,
    )


def compare_with_log(check: PackCheck, organization_id: UUID, known: Mapping[int, str]) -> None:
    """Report the entries of a pack whose hashes are not those of the audit log; `known` has the hashes of the log by number."""
    if check.manifest is not None and check.manifest.organization_id != organization_id:
        check.report(MANIFEST, Message("is of another organization"))
        return
    for entry, entry_hash in check.points:
        if known.get(entry) != entry_hash:
            check.report(AUDIT_LOG, Message("entry {entry} is not that of the organization’s audit log", entry=entry))
