"""Select the registry match that stands for the business: the initial outcome, and the choice of a person. Pure.

Both are pure functions of the document. Comparison with a stored record is not made here.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar
from uuid import UUID

from bonafide.errors import Conflict, MatchNotFound
from bonafide.model.accounts.organizations import MatchSelectionSettings
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import BusinessMatch, FieldStatus
from bonafide.model.search.result import MatchSelection, SearchResult, SelectionStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.services.results.related_registrations import LinkableMatch, find_home_registration, find_registrations

HOME_REGISTRATION_MARGIN = 0.05
"""A registration at home that scores less far below the best one matches about as well."""
# Scores are products of floating-point weights: 0.95 - 0.90 must still count as a margin of 0.05.
_TOLERANCE = 1e-9


class SelectableField(Protocol):
    """As much of a compared field as selection asks about."""

    @property
    def field(self) -> str:
        """Which."""

    @property
    def status(self) -> FieldStatus:
        """How it came out."""


class SelectableScore(Protocol):
    """A score, and the fields that it was made from."""

    @property
    def score(self) -> float:
        """0 to 1."""

    @property
    def fields(self) -> Sequence[SelectableField]:
        """In any order."""


class SelectableMatch(LinkableMatch, Protocol):
    """As much of a match as decides whether it is selected."""

    @property
    def match(self) -> SelectableScore:
        """How well it matches."""


S = TypeVar("S", bound=SelectableMatch)


def build_initial_selection(search_id: UUID, matches: Sequence[BusinessMatch], settings: MatchSelectionSettings) -> MatchSelection:
    """The outcome of a search by the account's thresholds: selected by itself, to be reviewed, no match. `matches` are best first.

    Registrations of one business in several registers are no rivals of each other; where they are selected, it is the one at home.
    """
    status, chosen = determine_selection(matches, settings)
    path = f"/v1/search/{search_id}"
    return MatchSelection(status=status, selected_match_id=chosen, status_url=path, selection_url=f"{path}/selection")


def determine_selection(matches: Sequence[S], settings: MatchSelectionSettings) -> tuple[SelectionStatus, UUID | None]:
    """The same as a status and, where one is selected, the id of the match."""
    by_number = [match for match in matches if _has_exact_number(match)]
    if by_number and len(find_registrations(by_number[0], by_number)) == len(by_number):
        return SelectionStatus.AUTO_SELECTED, _choose_registration(by_number).match_id
    if not matches or matches[0].match.score < settings.review_threshold:
        return SelectionStatus.NO_MATCH_FOUND, None
    registrations = find_registrations(matches[0], matches)
    rival = find_rival(matches)
    best = matches[0].match.score
    second = rival.match.score if rival is not None else 0.0
    if best >= settings.auto_select_threshold and best - second >= settings.auto_select_margin - _TOLERANCE:
        return SelectionStatus.AUTO_SELECTED, _choose_registration(registrations).match_id
    return SelectionStatus.NEEDS_REVIEW, None


def find_rival(matches: Sequence[S]) -> S | None:
    """The best of the matches, which are best first, that is of another business than the first; None where there is none."""
    own = {match.match_id for match in find_registrations(matches[0], matches)} if matches else set()
    return next((match for match in matches if match.match_id not in own), None)


def get_jurisdiction(document: SearchResult) -> Jurisdiction | None:
    """Where the business is registered: by the match that stands for it or, while none is ruled out, by the best one."""
    matches, selection = document.businesses or (), document.match_selection
    if selection is None or selection.status is SelectionStatus.NEEDS_REVIEW:
        return matches[0].jurisdiction if matches else None
    return next((match.jurisdiction for match in matches if match.match_id == selection.selected_match_id), None)


def _choose_registration(registrations: Sequence[S]) -> S:
    """Of the registrations of one business, best first: the one at home if it matches about as well as the best, else the best."""
    best, home = registrations[0], find_home_registration(registrations)
    near = home is not None and best.match.score - home.match.score < HOME_REGISTRATION_MARGIN - _TOLERANCE
    return home if home is not None and near else best


def _has_exact_number(match: SelectableMatch) -> bool:
    return any(field.field == "registrationNumber" and field.status is FieldStatus.MATCHED for field in match.match.fields)


def apply_choice(document: SearchResult, choice: MatchChoice) -> SearchResult:
    """The document with a person's choice in it; any earlier outcome may be replaced.

    Raises `Conflict` when match selection is not enabled for the search, `MatchNotFound` for a match that is not the search's.
    """
    _check_enabled(document)
    if choice.match_id is None:
        outcome = SelectionStatus(choice.status or SelectionStatus.NO_SELECTION)
        return _replace_selection(document, outcome, None)
    for match in document.businesses or ():
        if str(match.match_id) == choice.match_id.lower():
            return _replace_selection(document, SelectionStatus.SELECTED, match.match_id)
    raise MatchNotFound(f"{choice.match_id} is not one of this search's matches")


def clear_choice(document: SearchResult, status: SelectionStatus) -> SearchResult:
    """Return the document without a person's choice, at `status`. Raises `Conflict` as `apply_choice` does."""
    _check_enabled(document)
    return _replace_selection(document, status, None)


def _check_enabled(document: SearchResult) -> None:
    if document.match_selection is None:
        raise Conflict("match selection is not enabled for this search: send matchSelection: true with the search")


def _replace_selection(document: SearchResult, status: SelectionStatus, chosen: UUID | None) -> SearchResult:
    assert document.match_selection is not None  # noqa: S101 - `apply_choice` has refused the other case
    selection = document.match_selection.model_copy(update={"status": status, "selected_match_id": chosen})
    return document.model_copy(update={"match_selection": selection})
