"""An open hit of a business record, as it was last reported by an event."""

import hashlib
from uuid import UUID

from bonafide.model.base import Document
from bonafide.model.search.match import SubjectRole

HitKey = str
"""Identifies a screened name, a list and a listed party: 64 hexadecimal digits."""


class OpenHit(Document):
    """A hit that is not dismissed: a screened name, and a listed party with its score."""

    screened: str
    """Name that was screened."""
    role: SubjectRole | None
    """What the screened party is to the business; null for the name that the request gives."""
    source: str
    """Key of the list."""
    entry_id: str | None
    """ID of the listed party in the list."""
    party: str
    """Name of the listed party."""
    digest: str | None
    """Changes with the listing of the party."""
    score: float
    """Score of the hit."""
    document_id: UUID
    """ID of the screening, search or verification that found it, or found it changed."""

    @property
    def key(self) -> HitKey:
        """Identifies the screened name, the list and the listed party."""
        entry_id = self.entry_id if self.entry_id is not None else ""
        return hashlib.sha256(f"{self.screened}\0{self.source}\0{entry_id}".encode()).hexdigest()
