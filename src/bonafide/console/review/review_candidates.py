"""The best matches of a search as a reviewer sees them.

Pure: the stored document in, values for a template out.
"""

from dataclasses import dataclass

from bonafide.console.frame.word_diff import WordDiff, diff_words
from bonafide.model.search.match import BusinessMatch, FieldMatch
from bonafide.model.search.result import SearchResult

MAX_CANDIDATES = 9
"""One for each digit on the keyboard; what matches still worse is on the result page."""
MAX_REASONS = 3


@dataclass(frozen=True, slots=True)
class ReviewCandidate:
    """One match: its key, its name with what differs marked, and the fields that say most about the score."""

    number: int
    match: BusinessMatch
    name: WordDiff
    address: str | None
    reasons: tuple[FieldMatch, ...]


def build_candidates(result: SearchResult) -> tuple[ReviewCandidate, ...]:
    """The best matches, best first."""
    submitted = result.meta.submitted.name or ""
    return tuple(_build_candidate(number, match, submitted) for number, match in enumerate(_select_best(result), start=1))


def count_left_out(result: SearchResult) -> int:
    """How many matches there are beside the candidates."""
    return len(result.businesses or ()) - len(_select_best(result))


def format_submitted_address(result: SearchResult) -> str | None:
    """What was searched for with the name, in one line."""
    address = result.meta.submitted.params.address
    return address.as_address().raw if address is not None else None


def _select_best(result: SearchResult) -> tuple[BusinessMatch, ...]:
    return (result.businesses or ())[:MAX_CANDIDATES]


def _build_candidate(number: int, match: BusinessMatch, submitted: str) -> ReviewCandidate:
    addresses = [line for address in match.addresses if (line := address.raw or address.street) is not None]
    scored = [(field.score, field) for field in match.match.fields if field.score is not None]
    reasons = [field for _, field in sorted(scored, key=lambda pair: pair[0])]
    return ReviewCandidate(
        number=number,
        match=match,
        name=diff_words(submitted, match.legal_name.name),
        address=next(iter(addresses), None),
        reasons=tuple(reasons[:MAX_REASONS]),
    )
