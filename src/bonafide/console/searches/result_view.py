"""A stored search result arranged for its page.

Pure: the document and the sources' metadata in, values for a template out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from bonafide.console.frame import code_labels
from bonafide.console.frame.explanation import ExplainedFields, explain_fields
from bonafide.console.frame.manual_lookup import split_manual_lookup
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.entry import SourceKind
from bonafide.model.search.match import BusinessMatch, RegulatoryMatch, Relation, SanctionsMatch, ScreenedSubject
from bonafide.model.search.result import CheckError, CheckErrors, Coverage, CoverageStatus, SearchResult
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import SourceMetadata

SHOWN_IN_FULL = 4
"""The number of matches that are shown in full. The others are rows of a table, with links that show them in full."""
NOT_SEARCHED = frozenset({CoverageStatus.FAILED, CoverageStatus.STALE, CoverageStatus.NOT_AVAILABLE})
_SEARCHED = frozenset({CoverageStatus.SEARCHED, CoverageStatus.STALE})


@dataclass(frozen=True, slots=True)
class SourceName:
    """The name of a source and its page. A source that this release doesn't have is named by its key."""

    key: str
    metadata: SourceMetadata | None

    def get_page(self, language: Language) -> str | None:
        """The page where a person can check the source, in the language."""
        return self.metadata.get_page(language) if self.metadata is not None else None

    def get_url(self, url: str, language: Language) -> str:
        """The version in the language of a page of the source."""
        return self.metadata.get_localized_url(url, language) if self.metadata is not None else url

    def get_title(self, language: Language) -> str:
        """The display name in the language."""
        return self.metadata.get_display_name(language) if self.metadata is not None else self.key


@dataclass(frozen=True, slots=True)
class RelatedMatchView:
    """Another match that is a registration of the same business."""

    match: BusinessMatch
    relation: Relation
    evidence: Message


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match of a register, shown in full."""

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
    details: tuple[tuple[Message, object], ...]
    """Label and value, in the source's order."""


@dataclass(frozen=True, slots=True)
class SourceEntries:
    """The entries of one regulator or listing."""

    source: SourceName
    coverage: Coverage | None
    entries: tuple[EntryView, ...]


@dataclass(frozen=True, slots=True)
class CoverageGap:
    """A source that was not checked, or only in outdated data."""

    source: SourceName
    coverage: Coverage
    reason: Message


@dataclass(frozen=True, slots=True)
class HitView:
    """A sanctions hit. `number` is its position in the document, which identifies it for dismissal."""

    number: int
    match: SanctionsMatch
    source: SourceName
    why: ExplainedFields


@dataclass(frozen=True, slots=True)
class CoverageCounts:
    """For one kind of source: the number checked, the number requested, and the number of entries found."""

    checked: int
    requested: int
    found: int


@dataclass(frozen=True, slots=True)
class ResultVerdict:
    """The verdict of a page: the colour, the selected match, and the number of open sanctions hits."""

    colour: str
    selected: BusinessMatch | None
    open_hits: int


class ResultView:
    """One result for one page. `wanted` is a match to show in full at any position."""

    def __init__(self, result: SearchResult, sources: Mapping[str, Source], wanted: UUID | None = None) -> None:
        self.result = result
        self._sources = sources
        self._wanted = wanted
        self._coverage = {row.source: row for row in result.meta.coverage}

    @cached_property
    def verdict(self) -> ResultVerdict:
        """What the page states first. Open hits are red, failed checks amber; green is only an active business without either."""
        hits = sum(hit.match.dismissed is None for hit in self.all_hits)
        selection = self.result.match_selection
        selected = next((match for match in self._matches if match.match_id == self.selected_id), None)
        colour = code_labels.SELECTION_COLOUR[selection.status] if selection is not None else "note"
        if hits > 0:
            colour = "bad"
        elif self.errors:
            colour = "warn"
        elif selected is not None:
            colour = code_labels.STATUS_COLOUR.get(selected.status_code, "bad") or "warn"
        return ResultVerdict(colour, selected, hits)

    # ---- registers

    @property
    def selected_id(self) -> UUID | None:
        """The selected match, if there is one."""
        selection = self.result.match_selection
        return selection.selected_match_id if selection is not None else None

    @cached_property
    def shown(self) -> tuple[MatchView, ...]:
        """The matches that are shown in full, best first."""
        return tuple(self._match(match) for place, match in enumerate(self._matches) if self._is_shown(place, match))

    @cached_property
    def others(self) -> tuple[tuple[BusinessMatch, SourceName], ...]:
        """The matches that are rows of the table."""
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
        """The regulators with at least one entry."""
        return tuple(self._list_entries(key, found) for key, found in self.result.regulatory.items() if found)

    @cached_property
    def listings(self) -> tuple[SourceEntries, ...]:
        """The unverified listings with at least one entry."""
        return tuple(self._list_entries(key, found) for key, found in (self.result.listings or {}).items() if found)

    @cached_property
    def empty_regulators(self) -> tuple[tuple[Coverage, SourceName], ...]:
        """The regulators that were checked and have no entry."""
        rows = (row for row in self._rows(SourceKind.REGULATOR) if row.status in _SEARCHED and row.matches == 0)
        return tuple((row, self.source(row.source)) for row in rows)

    def _list_entries(self, key: str, found: Iterable[RegulatoryMatch]) -> SourceEntries:
        entries = tuple(EntryView(match, explain_fields(match.match.fields), self._details(key, match)) for match in found)
        return SourceEntries(self.source(key), self._coverage.get(key), entries)

    def _details(self, key: str, match: RegulatoryMatch) -> tuple[tuple[Message, object], ...]:
        source = self._sources.get(key)
        labels = {detail.key: detail.label for detail in source.metadata.details} if source is not None else {}
        return tuple(
            (labels.get(name, Message.untranslated(name)), value)
            for name, value in match.details.items()
            if value not in (None, "", [])
        )

    # ---- sanctions

    @cached_property
    def hits(self) -> tuple[HitView, ...]:
        """The sanctions hits, open ones first."""
        return self._hits(self.result.sanctions.matches) if self.result.sanctions is not None else ()

    @cached_property
    def subject_hits(self) -> tuple[tuple[ScreenedSubject, tuple[HitView, ...]], ...]:
        """The further names that were screened and have hits, with these."""
        subjects = self.result.sanctions.subjects if self.result.sanctions is not None else ()
        return tuple((subject, self._hits(subject.matches)) for subject in subjects if subject.matches)

    @property
    def all_hits(self) -> tuple[HitView, ...]:
        """The hits of all names."""
        return (*self.hits, *(hit for _, hits in self.subject_hits for hit in hits))

    def _hits(self, matches: Sequence[SanctionsMatch]) -> tuple[HitView, ...]:
        hits = [
            HitView(number, match, self.source(match.source), explain_fields(match.match.fields))
            for number, match in enumerate(matches)
        ]
        return tuple(sorted(hits, key=lambda hit: hit.match.dismissed is not None))

    # ---- comparisons

    @property
    def site_comparison(self) -> ExplainedFields | None:
        """The website compared with its match."""
        site = self.result.website
        return explain_fields(site.comparison.fields) if site is not None and site.comparison is not None else None

    @property
    def record_comparison(self) -> ExplainedFields | None:
        """The business record compared with its match."""
        return explain_fields(self.result.comparison.fields) if self.result.comparison is not None else None

    # ---- coverage

    def source(self, key: str) -> SourceName:
        """The name of a source."""
        known = self._sources.get(key)
        return SourceName(key, known.metadata if known is not None else None)

    def tally(self, kind: str) -> CoverageCounts:
        """The coverage of one kind of source."""
        rows = [row for row in self._rows(SourceKind(kind)) if row.status is not CoverageStatus.NOT_REQUESTED]
        checked = sum(row.status in _SEARCHED for row in rows)
        return CoverageCounts(checked, len(rows), sum(row.matches for row in rows))

    @cached_property
    def gaps(self) -> tuple[CoverageGap, ...]:
        """The requested sources that were not checked, or only in outdated data; failures first."""
        gaps = [self._gap(row) for row in self.result.meta.coverage if row.status in NOT_SEARCHED]
        return tuple(sorted(gaps, key=lambda gap: gap.coverage.status is not CoverageStatus.FAILED))

    @cached_property
    def errors(self) -> Sequence[tuple[Message, CheckError]]:
        """The incomplete checks with their errors."""
        return list_failed_checks(self.result.errors)

    @property
    def not_requested(self) -> tuple[Message, ...]:
        """The labels of the checks that were not requested."""
        params = self.result.meta.submitted.params
        checks = ("business_registry", "regulatory_registry", "sanctions_screening", "website_analysis")
        return tuple(code_labels.CHECK[name] for name in checks if not getattr(params, name))

    @property
    def coverage(self) -> tuple[tuple[Coverage, SourceName], ...]:
        """Every source with its outcome."""
        return tuple((row, self.source(row.source)) for row in self.result.meta.coverage)

    def _gap(self, row: Coverage) -> CoverageGap:
        # The page shows the address for a manual check as a separate link.
        reason = split_manual_lookup(row.note)[0] if row.note is not None else Message.untranslated("")
        return CoverageGap(self.source(row.source), row, reason)

    def _rows(self, kind: SourceKind) -> Iterable[Coverage]:
        return (row for row in self.result.meta.coverage if row.kind == kind)


def list_failed_checks(errors: CheckErrors | None) -> Sequence[tuple[Message, CheckError]]:
    """The labels of the incomplete checks of a search, with their errors."""
    if errors is None:
        return ()
    named = ((code_labels.CHECK[name], getattr(errors, name)) for name in CheckErrors.model_fields)
    return [(name, error) for name, error in named if error is not None]
