"""Compare a search result with the stored business record and the web site, and build the updates of the record. Pure.

`matching/entries/record_comparison` compares the fields.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from bonafide.matching.entries.record_comparison import compare_record
from bonafide.model.records.business_record import BusinessRecord, SystemFields
from bonafide.model.search.match import Baseline, BusinessMatch, FieldStatus
from bonafide.model.search.result import Comparison, MatchSelection, SearchResult
from bonafide.model.search.website import WebsiteAnalysis, WebsiteStatus
from bonafide.website.match_comparison import compare_with_match

DISCREPANCIES = frozenset({FieldStatus.PARTIAL, FieldStatus.MISMATCHED})
_READ = frozenset({WebsiteStatus.SUCCESS, WebsiteStatus.PARTIAL})
"""Statuses of a site that was read at least in part."""


def select_compared_match(matches: Sequence[BusinessMatch], selection: MatchSelection | None) -> BusinessMatch | None:
    """The match that a record and a web site are compared with: the selected one, otherwise the best; None without matches."""
    selected = _find_selected_match(matches, selection) if selection is not None else None
    return selected if selected is not None else next(iter(matches), None)


def compare_website(website: WebsiteAnalysis, match: BusinessMatch | None) -> WebsiteAnalysis:
    """The analysis with the site's statements compared with a match; unchanged for a site that was not read."""
    if website.status not in _READ:
        return website
    comparison = compare_with_match(website.extracted, match) if match is not None else None
    return website.model_copy(update={"comparison": comparison})


def refresh_comparisons(document: SearchResult, record: BusinessRecord | None) -> SearchResult:
    """The document with its comparisons updated after another match was selected; `record` is the record of the search, if any."""
    match = select_compared_match(document.businesses or (), document.match_selection)
    changed: dict[str, object] = {}
    if record is not None:
        changed["comparison"] = compare_record_with_match(record, match) if match is not None else None
    if document.website is not None:
        changed["website"] = compare_website(document.website, match)
    return document.model_copy(update=changed)


def compare_record_with_match(record: BusinessRecord, match: BusinessMatch) -> Comparison:
    """Compare a record with a match, and count the fields that agree, differ, and can't be compared."""
    fields = compare_record(record, match.to_entry())
    statuses = Counter(field.status for field in fields)
    matched, differing = statuses[FieldStatus.MATCHED], sum(statuses[status] for status in DISCREPANCIES)
    return Comparison(
        match_id=match.match_id,
        baseline=Baseline.RECORD,
        fields=fields,
        matched_count=matched,
        discrepancy_count=differing,
        not_checked_count=len(fields) - matched - differing,
    )


def build_record_updates(document: SearchResult) -> SystemFields:
    """The fields of a record that a search updates; others are not set."""
    meta = document.meta
    known: dict[str, object] = {"last_searched_at": meta.searched_at, "last_search_job_id": meta.search_id}
    if document.sanctions is not None:
        known["last_screened_at"] = meta.searched_at
    return SystemFields.model_validate({**known, **build_match_updates(document).model_dump(exclude_unset=True)})


def build_match_updates(document: SearchResult) -> SystemFields:
    """The fields of a record that the compared match and the selected match update."""
    known: dict[str, object] = {}
    if document.comparison is not None:
        known["has_unresolved_discrepancies"] = document.comparison.discrepancy_count > 0
    if document.match_selection is not None:
        selected = _find_selected_match(document.businesses or (), document.match_selection)
        known["source_entity_type"] = selected.entity_type if selected is not None else None
        known["source_urls"] = (selected.source_url,) if selected is not None and selected.source_url is not None else ()
    return SystemFields.model_validate(known)


def _find_selected_match(matches: Iterable[BusinessMatch], selection: MatchSelection) -> BusinessMatch | None:
    return next((match for match in matches if match.match_id == selection.selected_match_id), None)
