"""One row of a file of names, screened: what a batch writes for it. How rows are read and screened is the services' business."""

from enum import StrEnum

from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.entry import EntityKind
from bonafide.model.search.match import SanctionsMatch, Score, ScreeningWarning


class RowStatus(StrEnum):
    """What came of a row."""

    MATCH = "match"
    CLEAR = "clear"
    """All lists were screened, and none has anybody like it."""
    INCOMPLETE = "incomplete"
    """Nobody like it was found, and not all lists could be screened."""
    ERROR = "error"
    """It was not screened."""


class RowMatch(Document):
    """A listed party that a row may mean: how alike, by which of its names, and why."""

    score: Score
    listed_name: str
    matched_name: str
    source: str
    entry_id: str | None
    entity_type: EntityKind
    reasons: tuple[Message, ...]

    @classmethod
    def of(cls, match: SanctionsMatch) -> "RowMatch":
        """The same of a screening's match."""
        return cls(
            score=match.legal_name.match_score,
            listed_name=match.legal_name.name,
            matched_name=match.legal_name.matched_name,
            source=match.source,
            entry_id=match.entry_id,
            entity_type=match.entity_type,
            reasons=match.match.reasons,
        )


class ScreenedRow(Document):
    """A row by the line on which it begins: its best matches and how many there are, or why it was not screened."""

    line: int
    name: str
    status: RowStatus
    total_matches: int = 0
    matches: tuple[RowMatch, ...] = ()
    not_screened: tuple[str, ...] = ()
    """Lists that could not be screened."""
    warnings: tuple[ScreeningWarning, ...] = ()
    """Reasons to read the result with caution."""
    error: Message | None = None
