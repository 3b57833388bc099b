"""Select the registry match that stands for the business: the initial outcome, and the choice of a person. Pure.

Both are pure functions of the document. Comparison with a stored record is not made here. Matches that are registrations of one
business are linked with each other: `matching/entries/related_registrations` decides which belong together.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar
from uuid import UUID

from bonafide.errors import Conflict, MatchNotFound
from bonafide.matching.entries.related_registrations import RelatedRegistration
from bonafide.model.accounts.organizations import MatchSelectionSettings
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import BusinessMatch, FieldStatus, RelatedMatch, Relation
from bonafide.model.search.result import MatchSelection, SearchResult, SelectionStatus
from bonafide.model.search.selection import MatchChoice

HOME_REGISTRATION_MARGIN = 0.05
"""A registration at home that scores less far below the best one matches about as well."""
# Scores are products of floating-point weights: 0.95 - 0.90 must still count as a margin of 0.05.
_TOLERANCE = 1e-9


class LinkedMatch(Protocol):
    """As much of another match as says that it is a registration of the same business."""

    @property
    def match_id(self) -> UUID:
        """Which."""

    @property
    def relation(self) -> Relation:
        """What it is to the match that names it."""


class LinkableMatch(Protocol):
    """As much of a match as tells which others are registrations of its business."""

    @property
    def match_id(self) -> UUID:
        """Its own id."""

    @property
    def source(self) -> str:
        """The register's key."""

    @property
    def related_matches(self) -> Sequence[LinkedMatch]:
        """The others, as far as they are known."""


M = TypeVar("M", bound=LinkableMatch)


def build_related_matches(related: Iterable[RelatedRegistration], match_ids: Sequence[UUID]) -> tuple[RelatedMatch, ...]:
    """The links of one match to the other registrations of its business; `match_ids` are those of all matches, in their order."""
    return tuple(RelatedMatch(match_id=match_ids[item.place], relation=item.relation, evidence=item.evidence) for item in related)


def find_registrations(match: M, matches: Sequence[M]) -> list[M]:
    """A match and all that are registrations of its business in other registers, in the order given.

    Links within one register are not followed, even those of one business number: which of the two is meant a person has to say.
    """
    by_id = {other.match_id: other for other in matches}
    found = {match.match_id}
    waiting = [match]
    while waiting:
        one = waiting.pop()
        for link in one.related_matches:
            other = by_id.get(link.match_id)
            if other is not None and other.match_id not in found and other.source != one.source:
                found.add(other.match_id)
                waiting.append(other)
    return [other for other in matches if other.match_id in found]


def find_home_registration(registrations: Sequence[M]) -> M | None:
    """The registration that the others call their home; None when none does."""
    homes = {
        link.match_id for match in registrations for link in match.related_matches if link.relation is Relation.HOME_REGISTRATION
    }
    return next((match for match in registrations if match.match_id in homes), None)


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
