"""Compare a search result with the stored business record, and build the updates of the record. Pure.

Pure: documents in, documents out. How fields are compared is the business of `matching/records`.
"""

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from bonafide.matching.entries.record_comparison import compare_record
from bonafide.model.records.business_record import BusinessRecord, SystemFields
from bonafide.model.search.match import Baseline, BusinessMatch, FieldStatus, ListingMatch, RegulatoryMatch, SanctionsMatch
from bonafide.model.search.result import Comparison, MatchSelection, SearchResult
from bonafide.model.search.website import WebsiteStatus
from bonafide.website.match_comparison import compare_with_match

DISCREPANCIES = frozenset({FieldStatus.PARTIAL, FieldStatus.MISMATCHED})
_READ = frozenset({WebsiteStatus.SUCCESS, WebsiteStatus.PARTIAL})
"""Of a site that was read at least in part."""
M = TypeVar("M", BusinessMatch, RegulatoryMatch, ListingMatch, SanctionsMatch)


def link_record(document: SearchResult, record: BusinessRecord) -> SearchResult:
    """A finished search as one of this record: every match says so, and the selected or else the best one is compared with it."""
    linked: dict[str, object] = {
        "businesses": _mark_linked(document.businesses) if document.businesses is not None else None,
        "regulatory": {key: _mark_linked(matches) for key, matches in document.regulatory.items()},
        "listings": {key: _mark_linked(matches) for key, matches in document.listings.items()}
        if document.listings is not None
        else None,
    }
    if document.sanctions is not None:
        linked["sanctions"] = document.sanctions.model_copy(update={"matches": _mark_linked(document.sanctions.matches)})
    return refresh_comparisons(document.model_copy(update=linked), record)


def refresh_comparisons(document: SearchResult, record: BusinessRecord) -> SearchResult:
    """The document with the comparisons as they are now, after another match was selected or the record was changed."""
    match = _find_compared_match(document)
    comparison = compare_record_with_match(record, match) if match is not None else None
    return compare_website(document.model_copy(update={"comparison": comparison}))


def compare_website(document: SearchResult) -> SearchResult:
    """The document with what the web site states compared with the selected match or else the best one, where there are both."""
    if document.website is None or document.website.status not in _READ:
        return document
    match = _find_compared_match(document)
    comparison = compare_with_match(document.website.extracted, match) if match is not None else None
    return document.model_copy(update={"website": document.website.model_copy(update={"comparison": comparison})})


def compare_record_with_match(record: BusinessRecord, match: BusinessMatch) -> Comparison:
    """A record against a match, and how many fields agree, differ, and can't be compared."""
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
    """What a record learns of a search of it; fields that the search says nothing of are not set."""
    meta = document.meta
    known: dict[str, object] = {"last_searched_at": meta.searched_at, "last_search_job_id": meta.search_id}
    if document.sanctions is not None:
        known["last_screened_at"] = meta.searched_at
    return SystemFields.model_validate({**known, **build_match_updates(document).model_dump(exclude_unset=True)})


def build_match_updates(document: SearchResult) -> SystemFields:
    """What a record learns of the match that its search is compared with, and of the one that is selected."""
    known: dict[str, object] = {}
    if document.comparison is not None:
        known["has_unresolved_discrepancies"] = document.comparison.discrepancy_count > 0
    if document.match_selection is not None:
        selected = _find_selected_match(document, document.match_selection)
        known["source_entity_type"] = selected.entity_type if selected is not None else None
        known["source_urls"] = (selected.source_url,) if selected is not None and selected.source_url is not None else ()
    return SystemFields.model_validate(known)


def _mark_linked(matches: Iterable[M]) -> tuple[M, ...]:
    return tuple(
        match.model_copy(update={"match": match.match.model_copy(update={"baseline": Baseline.RECORD})}) for match in matches
    )


def _find_compared_match(document: SearchResult) -> BusinessMatch | None:
    selection, matches = document.match_selection, document.businesses or ()
    selected = _find_selected_match(document, selection) if selection is not None else None
    return selected if selected is not None else next(iter(matches), None)


def _find_selected_match(document: SearchResult, selection: MatchSelection) -> BusinessMatch | None:
    return next((match for match in document.businesses or () if match.match_id == selection.selected_match_id), None)
