"""Arrange a search for the review page: its best matches, and the reason why it needs review.

Pure: the stored document in, values for a template out. A search doesn't store its thresholds, so the current ones are
used; the page says if they lead to another outcome.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from bonafide.matching.addresses.word_differences import WordDiff, diff_words
from bonafide.matching.text.folding import fold
from bonafide.model.accounts.account_settings import MatchSelectionSettings
from bonafide.model.entry import SourceKind
from bonafide.model.search.match import BusinessMatch, FieldMatch
from bonafide.model.search.result import CoverageStatus, SearchResult, SelectionStatus
from bonafide.services.results.match_selection import SEARCHED, determine_selection, find_rival
from bonafide.services.screening.party_set import has_new_name_hits

MAX_CANDIDATES = 9
"""One for each digit key. Further matches are on the result page."""
MAX_REASONS = 3


@dataclass(frozen=True, slots=True)
class ReviewCandidate:
    """One match: its number key, its name with differences, and the fields that affect the score most."""

    number: int
    match: BusinessMatch
    name: WordDiff
    address: str | None
    former_names: tuple[str, ...]
    good_standing: bool | None
    """None if the register doesn't state it."""
    reasons: tuple[FieldMatch, ...]
    differing: frozenset[str] = frozenset()
    """The facts that are not the same for all candidates, by their names in `_FACTS`."""


_FACTS: Mapping[str, Callable[[ReviewCandidate], object]] = {
    "status": lambda one: one.match.status_code,
    "jurisdiction": lambda one: one.match.jurisdiction,
    "entity_type": lambda one: one.match.entity_type,
    "incorporated": lambda one: one.match.incorporation_date,
    "standing": lambda one: one.good_standing,
    "address": lambda one: fold(one.address or ""),
    "people": lambda one: frozenset(fold(person.name) for person in one.match.people),
    "other_names": lambda one: frozenset(map(fold, one.match.alternate_names)),
    "former_names": lambda one: frozenset(map(fold, one.former_names)),
}
"""The facts of a candidate that are compared with those of the others. Numbers always differ."""


def build_candidates(result: SearchResult) -> tuple[ReviewCandidate, ...]:
    """The best matches, best first."""
    submitted = result.meta.submitted.name or ""
    found = [_build_candidate(number, match, submitted) for number, match in enumerate(_select_best(result), start=1)]
    differing = frozenset(name for name, get_fact in _FACTS.items() if len({get_fact(one) for one in found}) > 1)
    return tuple(replace(one, differing=differing) for one in found)


def count_left_out(result: SearchResult) -> int:
    """The number of matches that are not candidates."""
    return len(result.businesses or ()) - len(_select_best(result))


def format_submitted_address(result: SearchResult) -> str | None:
    """The submitted address in one line."""
    address = result.meta.submitted.params.address
    return address.as_address().raw if address is not None else None


def _select_best(result: SearchResult) -> tuple[BusinessMatch, ...]:
    return (result.businesses or ())[:MAX_CANDIDATES]


def _build_candidate(number: int, match: BusinessMatch, submitted: str) -> ReviewCandidate:
    addresses = [line for address in match.addresses if (line := address.raw or address.street) is not None]
    scored = [(field.score, field) for field in match.match.fields if field.score is not None]
    reasons = [field for _, field in sorted(scored, key=lambda pair: pair[0])]
    details = match.business_report.details if match.business_report is not None else None
    return ReviewCandidate(
        number=number,
        match=match,
        name=diff_words(submitted, match.legal_name.name),
        address=next(iter(addresses), None),
        former_names=tuple(former.name for former in details.name_history) if details is not None else (),
        good_standing=details.good_standing if details is not None else None,
        reasons=tuple(reasons[:MAX_REASONS]),
    )


class ReviewCause(StrEnum):
    """Why a search needs review."""

    NOTHING_FOUND = "nothing_found"
    ALL_LOW = "all_low"
    """Every match scores below the review threshold."""
    LOW = "low"
    """The best match scores below the auto-select threshold."""
    RIVAL = "rival"
    """The best match doesn't lead enough over a match of another business."""
    LISTED = "listed"
    """A name of the best match is on a sanctions list."""
    OTHERWISE_TODAY = "otherwise_today"
    """The current thresholds lead to another outcome."""


@dataclass(frozen=True, slots=True)
class ReviewReason:
    """The cause, the score of the best match, and the best score of another business."""

    cause: ReviewCause
    best: float | None = None
    rival: float | None = None


@dataclass(frozen=True, slots=True)
class RegisterCoverage:
    """The number of registers that were checked and requested."""

    checked: int
    requested: int


def build_review_reason(result: SearchResult, settings: MatchSelectionSettings) -> ReviewReason | None:
    """Why the search needs review; None if match selection was not requested."""
    matches, selection = result.businesses or (), result.match_selection
    if selection is None:
        return None
    if not matches:
        return ReviewReason(ReviewCause.NOTHING_FOUND)
    rival = find_rival(matches)
    best, second = matches[0].match.score, rival.match.score if rival is not None else None
    expected = determine_selection(matches, settings, is_complete=selection.reason is None)[0]
    screening = result.sanctions
    is_held_back = selection.status is SelectionStatus.NEEDS_REVIEW and expected is SelectionStatus.AUTO_SELECTED
    if is_held_back and screening is not None and has_new_name_hits(screening):
        return ReviewReason(ReviewCause.LISTED, best, second)
    if expected is not selection.status:
        return ReviewReason(ReviewCause.OTHERWISE_TODAY, best, second)
    if best < settings.review_threshold:
        return ReviewReason(ReviewCause.ALL_LOW, best, second)
    return ReviewReason(ReviewCause.LOW if best < settings.auto_select_threshold else ReviewCause.RIVAL, best, second)


def count_searched_registers(result: SearchResult) -> RegisterCoverage:
    """Count the registers that were requested and those that were checked."""
    requested = [row.status for row in result.meta.coverage if row.kind == SourceKind.REGISTRY]
    requested = [status for status in requested if status is not CoverageStatus.NOT_REQUESTED]
    return RegisterCoverage(sum(status in SEARCHED for status in requested), len(requested))
