"""A stored search result arranged for its page.

Pure: the document and the sources' metadata in, values for a template out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from bonafide.console.frame import code_labels
from bonafide.console.frame.explanation import ExplainedFields, explain_fields
from bonafide.i18n.language import Language
from bonafide.model.entry import SourceKind
from bonafide.model.search.match import BusinessMatch, RegulatoryMatch, Relation, SanctionsMatch
from bonafide.model.search.result import CheckError, CheckErrors, Coverage, CoverageStatus, SearchResult
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import SourceMetadata

SHOWN_IN_FULL = 4
"""Matches with all that is known of them; the others are a line each, with a link that shows them so too."""
NOT_SEARCHED = frozenset({CoverageStatus.FAILED, CoverageStatus.STALE, CoverageStatus.NOT_AVAILABLE})
_SEARCHED = frozenset({CoverageStatus.SEARCHED, CoverageStatus.STALE})


@dataclass(frozen=True, slots=True)
class SourceName:
    """The name of a source, and the page where a person can look; a source that this installation no longer has goes by its key."""

    key: str
    metadata: SourceMetadata | None

    @property
    def page(self) -> str | None:
        """The publisher's page, if it is known."""
        return self.metadata.page if self.metadata is not None else None

    def get_title(self, language: Language) -> str:
        """The display name in the language."""
        return self.metadata.get_display_name(language) if self.metadata is not None else self.key


@dataclass(frozen=True, slots=True)
class RelatedMatchView:
    """Another match that is a registration of the same business."""

    match: BusinessMatch
    relation: Relation
    evidence: str


@dataclass(frozen=True, slots=True)
class MatchView:
    """A register's entry in full."""

    match: BusinessMatch
    source: SourceName
    why: ExplainedFields
    related: tuple[RelatedMatchView, ...]
    is_selected: bool


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry of a regulator or a listing."""

    match: RegulatoryMatch
    why: ExplainedFields
    details: tuple[tuple[str, object], ...]
    """Label and value, in the source's order."""


@dataclass(frozen=True, slots=True)
class SourceEntries:
    """What one regulator or listing has."""

    source: SourceName
    coverage: Coverage | None
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class CoverageGap:
    """A source that was not looked at, or only in old data; `reason` is a sentence of a service."""

    source: SourceName
    coverage: Coverage
    reason: str


@dataclass(frozen=True, slots=True)
class HitView:
    """A listed party that the name may be. `number` is its place in the document, by which it is dismissed."""

    number: int
    match: SanctionsMatch
    source: SourceName
    why: ExplainedFields


@dataclass(frozen=True, slots=True)
class CoverageCounts:
    """Of one kind of source: how many were looked at, of how many that were asked for, and how much was found."""

    looked: int
    asked: int
    found: int


class ResultView:
    """One result for one page. `wanted` is a match that is to be shown in full wherever it stands."""

    def __init__(self, result: SearchResult, sources: Mapping[str, Source], wanted: UUID | None = None) -> None:
        self.result = result
        self._sources = sources
        self._wanted = wanted
        self._coverage = {row.source: row for row in result.meta.coverage}

    # ---- registers

    @property
    def selected_id(self) -> UUID | None:
        """The match that stands for the business, if one does."""
        selection = self.result.match_selection
        return selection.selected_match_id if selection is not None else None

    @cached_property
    def shown(self) -> tuple[MatchView, ...]:
        """The matches in full, best first."""
        return tuple(self._match(match) for place, match in enumerate(self._matches) if self._is_shown(place, match))

    @cached_property
    def others(self) -> tuple[tuple[BusinessMatch, SourceName], ...]:
        """The matches that get a line."""
        rest = [match for place, match in enumerate(self._matches) if not self._is_shown(place, match)]
        return tuple((match, self.source(match.source)) for match in rest)

    @property
    def _matches(self) -> Sequence[BusinessMatch]:
        return self.result.businesses or ()

    def _is_shown(self, place: int, match: BusinessMatch) -> bool:
        return place < SHOWN_IN_FULL or match.match_id in {self.selected_id, self._wanted}

    def _match(self, match: BusinessMatch) -> MatchView:
        by_id = {other.match_id: other for other in self._matches}
        links = [link for link in match.related_matches if link.match_id in by_id]
        return MatchView(
            match=match,
            source=self.source(match.source),
            why=explain_fields(match.match.fields),
            related=tuple(RelatedMatchView(by_id[link.match_id], link.relation, link.evidence) for link in links),
            is_selected=match.match_id == self.selected_id,
        )

    # ---- regulators and listings

    @cached_property
    def regulators(self) -> tuple[SourceEntries, ...]:
        """The regulators that list the business or one like it."""
        return tuple(self._list_entries(key, found) for key, found in self.result.regulatory.items() if found)

    @cached_property
    def listings(self) -> tuple[SourceEntries, ...]:
        """The same of what is merely listed."""
        return tuple(self._list_entries(key, found) for key, found in (self.result.listings or {}).items() if found)

    @cached_property
    def empty_regulators(self) -> tuple[tuple[Coverage, SourceName], ...]:
        """The regulators that were looked at and have nothing like it."""
        rows = (row for row in self._rows(SourceKind.REGULATOR) if row.status in _SEARCHED and row.matches == 0)
        return tuple((row, self.source(row.source)) for row in rows)

    def _list_entries(self, key: str, found: Iterable[RegulatoryMatch]) -> SourceEntries:
        entries = tuple(EntryView(match, explain_fields(match.match.fields), self._details(key, match)) for match in found)
        return SourceEntries(self.source(key), self._coverage.get(key), entries)

    def _details(self, key: str, match: RegulatoryMatch) -> tuple[tuple[str, object], ...]:
        source = self._sources.get(key)
        labels = {detail.key: detail.label for detail in source.metadata.details} if source is not None else {}
        return tuple((labels.get(name, name), value) for name, value in match.details.items() if value not in (None, "", []))

    # ---- sanctions

    @cached_property
    def hits(self) -> tuple[HitView, ...]:
        """The listed parties, those that nobody has dismissed first."""
        found = self.result.sanctions.matches if self.result.sanctions is not None else ()
        hits = [
            HitView(number, match, self.source(match.source), explain_fields(match.match.fields))
            for number, match in enumerate(found)
        ]
        return tuple(sorted(hits, key=lambda hit: hit.match.dismissed is not None))

    # ---- comparisons with what the business, or the caller, says

    @property
    def site_comparison(self) -> ExplainedFields | None:
        """What the web site says beside the match that it was compared with."""
        site = self.result.website
        return explain_fields(site.comparison.fields) if site is not None and site.comparison is not None else None

    @property
    def record_comparison(self) -> ExplainedFields | None:
        """The stored business beside the match that it was compared with."""
        return explain_fields(self.result.comparison.fields) if self.result.comparison is not None else None

    # ---- what was looked at

    def source(self, key: str) -> SourceName:
        """The name of a source."""
        known = self._sources.get(key)
        return SourceName(key, known.metadata if known is not None else None)

    def tally(self, kind: str) -> CoverageCounts:
        """How much was looked at of one kind of source."""
        rows = [row for row in self._rows(SourceKind(kind)) if row.status is not CoverageStatus.NOT_REQUESTED]
        looked = sum(row.status in _SEARCHED for row in rows)
        return CoverageCounts(looked, len(rows), sum(row.matches for row in rows))

    @cached_property
    def gaps(self) -> tuple[CoverageGap, ...]:
        """The sources that were asked for and not looked at, or only in old data; failures first."""
        gaps = [self._gap(row) for row in self.result.meta.coverage if row.status in NOT_SEARCHED]
        return tuple(sorted(gaps, key=lambda gap: gap.coverage.status is not CoverageStatus.FAILED))

    @cached_property
    def errors(self) -> Sequence[tuple[str, CheckError]]:
        """The checks that are incomplete, and why."""
        return list_failed_checks(self.result.errors)

    @property
    def not_requested(self) -> tuple[str, ...]:
        """The checks that were not asked for: of them nothing is known either."""
        params = self.result.meta.submitted.params
        checks = ("business_registry", "regulatory_registry", "sanctions_screening", "website_analysis")
        return tuple(code_labels.CHECK[name] for name in checks if not getattr(params, name))

    @property
    def coverage(self) -> tuple[tuple[Coverage, SourceName], ...]:
        """Every source with what came of it."""
        return tuple((row, self.source(row.source)) for row in self.result.meta.coverage)

    def _gap(self, row: Coverage) -> CoverageGap:
        # Where a person can look is a link of its own beside it.
        reason = row.note.values.get("reason", row.note) if row.note is not None else ""
        return CoverageGap(self.source(row.source), row, reason if isinstance(reason, str) else "")

    def _rows(self, kind: SourceKind) -> Iterable[Coverage]:
        return (row for row in self.result.meta.coverage if row.kind == kind)


def list_failed_checks(errors: CheckErrors | None) -> Sequence[tuple[str, CheckError]]:
    """The checks of a search that are incomplete, as people call them, and why."""
    if errors is None:
        return ()
    named = ((code_labels.CHECK[name], getattr(errors, name)) for name in CheckErrors.model_fields)
    return [(name, error) for name, error in named if error is not None]
