"""Which registry match stands for the business: the outcome that a search starts with, and a person's choice.

Both are pure functions of the document. Comparison with a stored record is not made here.
"""

from collections.abc import Sequence
from uuid import UUID

from bonafide.errors import Conflict, MatchNotFound
from bonafide.model.match import BusinessMatch, FieldStatus
from bonafide.model.organization import MatchSelectionSettings
from bonafide.model.result import MatchSelection, SearchResult, SelectionStatus
from bonafide.model.selection import MatchChoice
from bonafide.services.registrations import at_home, registrations_of

AS_WELL = 0.05
"""A registration at home that scores less far below the best one matches about as well."""
# Scores are products of floating-point weights: 0.95 - 0.90 must still count as a margin of 0.05.
_TOLERANCE = 1e-9


def initial_selection(search_id: UUID, matches: Sequence[BusinessMatch], settings: MatchSelectionSettings) -> MatchSelection:
    """The outcome of a search by the account's thresholds: selected by itself, to be reviewed, no match. `matches` are best first.

    Registrations of one business in several registers are no rivals of each other; where they are selected, it is the one at home.
    """
    status, chosen = _initial(matches, settings)
    path = f"/v1/search/{search_id}"
    return MatchSelection(status=status, selected_match_id=chosen, status_url=path, selection_url=f"{path}/selection")


def _initial(matches: Sequence[BusinessMatch], settings: MatchSelectionSettings) -> tuple[SelectionStatus, UUID | None]:
    by_number = [match for match in matches if _has_exact_number(match)]
    if by_number and len(registrations_of(by_number[0], by_number)) == len(by_number):
        return SelectionStatus.AUTO_SELECTED, _registration_to_select(by_number).match_id
    if not matches or matches[0].match.score < settings.review_threshold:
        return SelectionStatus.NO_MATCH_FOUND, None
    registrations = registrations_of(matches[0], matches)
    own = {match.match_id for match in registrations}
    rivals = [match for match in matches if match.match_id not in own]
    best = matches[0].match.score
    second = rivals[0].match.score if rivals else 0.0
    if best >= settings.auto_select_threshold and best - second >= settings.auto_select_margin - _TOLERANCE:
        return SelectionStatus.AUTO_SELECTED, _registration_to_select(registrations).match_id
    return SelectionStatus.NEEDS_REVIEW, None


def _registration_to_select(registrations: Sequence[BusinessMatch]) -> BusinessMatch:
    """Of the registrations of one business, best first: the one at home if it matches about as well as the best, else the best."""
    best, home = registrations[0], at_home(registrations)
    near = home is not None and best.match.score - home.match.score < AS_WELL - _TOLERANCE
    return home if home is not None and near else best


def _has_exact_number(match: BusinessMatch) -> bool:
    return any(field.field == "registrationNumber" and field.status is FieldStatus.MATCHED for field in match.match.fields)


def choose(document: SearchResult, choice: MatchChoice) -> SearchResult:
    """The document with a person's choice in it; any earlier outcome may be replaced.

    Raises `Conflict` when match selection is not enabled for the search, `MatchNotFound` for a match that is not the search's.
    """
    if document.match_selection is None:
        raise Conflict("match selection is not enabled for this search: send matchSelection: true with the search")
    if choice.match_id is None:
        outcome = SelectionStatus(choice.status or SelectionStatus.NO_SELECTION)
        return _with(document, outcome, None)
    for match in document.businesses or ():
        if str(match.match_id) == choice.match_id.lower():
            return _with(document, SelectionStatus.SELECTED, match.match_id)
    raise MatchNotFound(f"{choice.match_id} is not one of this search's matches")


def _with(document: SearchResult, status: SelectionStatus, chosen: UUID | None) -> SearchResult:
    assert document.match_selection is not None  # noqa: S101 - `choose` has refused the other case
    selection = document.match_selection.model_copy(update={"status": status, "selected_match_id": chosen})
    return document.model_copy(update={"match_selection": selection})
