"""The open hits of stored searches as lists show them: those of the screening without what has been dismissed since.

A stored document does not change when a hit is dismissed, and lists do not read documents. The keys of the hits are therefore
stored beside the document, and compared with the dismissals that are active when the list is read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.matching.screening.dismissal_keys import build_subject_key
from bonafide.model.base import Document, StoredDocument
from bonafide.model.query import ScreeningSubject
from bonafide.model.screening.dismissals import DismissalRecord
from bonafide.model.search.match import SanctionsMatch, Screening
from bonafide.model.search.result import SearchResult
from bonafide.store.database.engine import Connection
from bonafide.store.records import dismissals
from bonafide.store.records.searches import OpenHits

MAX_KEYS = 200
"""Keys that are stored of one search."""


class StoredHitKey(Document):
    """A hit: the key of its subject, and the party as a dismissal names it."""

    subject: str
    source: str
    entry_id: str
    digest: str


class StoredHitKeys(Document):
    """All hits of a search: their number, the keys of those that the result has, and the business record that was screened."""

    total: int
    business_id: UUID | None = None
    keys: Annotated[tuple[StoredHitKey, ...], Field(max_length=MAX_KEYS)] = ()


@dataclass(frozen=True, slots=True)
class StoredHits:
    """The columns of a search about its hits; both are None without a screening."""

    open_hits: int | None
    hit_keys: str | None


def build_stored_hits(document: SearchResult) -> StoredHits:
    """The hits of a search as they are stored beside its document. Without open hits there are no keys."""
    screening, submitted = document.sanctions, document.meta.submitted
    if screening is None:
        return StoredHits(None, None)
    if screening.open_hits == 0:
        return StoredHits(0, None)
    keys = tuple(_list_keys(screening, ScreeningSubject(submitted.name or "")))[:MAX_KEYS]
    total = screening.total_matches + sum(subject.total_matches for subject in screening.subjects)
    return StoredHits(screening.open_hits, StoredHitKeys(total=total, business_id=submitted.business_id, keys=keys).to_json())


def _list_keys(screening: Screening, subject: ScreeningSubject) -> Iterable[StoredHitKey]:
    yield from _to_keys(screening.matches, subject)
    for further in screening.subjects:
        yield from _to_keys(further.matches, further.to_subject())


def _to_keys(matches: tuple[SanctionsMatch, ...], subject: ScreeningSubject) -> Iterable[StoredHitKey]:
    if not matches:
        return
    key = build_subject_key(subject)
    for match in matches:
        if match.entry_id is not None and match.digest is not None:
            yield StoredHitKey(subject=key, source=match.source, entry_id=match.entry_id, digest=match.digest)


async def count_open_hits(
    connection: Connection, organization_id: UUID, stored: Mapping[UUID, OpenHits], now: datetime
) -> dict[UUID, int]:
    """The number of hits of each search that are open now."""
    parsed = {
        search_id: StoredHitKeys.model_validate_json(hits.keys) for search_id, hits in stored.items() if hits.keys is not None
    }
    subjects = {key.subject for hits in parsed.values() for key in hits.keys}
    dismissed: dict[tuple[str, str, str, str], set[UUID | None]] = {}
    for party, document in await dismissals.list_for_subjects(connection, organization_id, subjects, now) if subjects else ():
        record = StoredDocument.from_text(document).parse(DismissalRecord)
        dismissed.setdefault((party.subject, party.source, party.entry_id, record.hit.digest), set()).add(party.business_id)
    counts = {search_id: hits.count for search_id, hits in stored.items()}
    for search_id, hits in parsed.items():
        scopes = (dismissed.get((key.subject, key.source, key.entry_id, key.digest), set()) for key in hits.keys)
        counts[search_id] = hits.total - sum(None in scope or hits.business_id in scope for scope in scopes)
    return counts
