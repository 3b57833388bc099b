"""Select the registry match of the business: automatically at first, or by a person's choice.

Both are pure functions of the document. `matching/entries/related_registrations` links matches that are registrations of the same
business. `record_comparison` compares the selected match with a stored record.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Protocol, TypeVar
from uuid import UUID

from bonafide.errors import Conflict, MatchNotFound
from bonafide.i18n.message import Message, join_values
from bonafide.matching.entries.related_registrations import RelatedRegistration
from bonafide.model.accounts.account_settings import MatchSelectionSettings
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import BusinessMatch, FieldStatus, RelatedMatch, Relation
from bonafide.model.search.result import CoverageStatus, MatchSelection, SearchResult, SelectionStatus
from bonafide.model.search.selection import MatchChoice

HOME_REGISTRATION_MARGIN = 0.05
"""A home registration whose score is less than this below the best one is selected instead of it."""
# Scores are products of floating-point weights: 0.95 - 0.90 must still count as a margin of 0.05.
_TOLERANCE = 1e-9
SEARCHED = frozenset({CoverageStatus.SEARCHED, CoverageStatus.STALE})
"""The statuses of a source that was searched."""


class LinkedMatch(Protocol):
    """The parts of a link to another registration of the same business."""

    @property
    def match_id(self) -> UUID:
        """Which."""

    @property
    def relation(self) -> Relation:
        """Its relation to the linking match."""


class LinkableMatch(Protocol):
    """The parts of a match that link it to other registrations of the same business."""

    @property
    def match_id(self) -> UUID:
        """Its own id."""

    @property
    def source(self) -> str:
        """The register's key."""

    @property
    def related_matches(self) -> Sequence[LinkedMatch]:
        """The other registrations, as far as they are known."""


M = TypeVar("M", bound=LinkableMatch)


def build_related_matches(related: Iterable[RelatedRegistration], match_ids: Sequence[UUID]) -> tuple[RelatedMatch, ...]:
    """The links of one match to the other registrations of its business; `match_ids` are those of all matches, in their order."""
    return tuple(RelatedMatch(match_id=match_ids[item.place], relation=item.relation, evidence=item.evidence) for item in related)


def find_registrations(match: M, matches: Sequence[M]) -> list[M]:
    """A match and the registrations of its business in other registers, in the given order.

    Links within one register are not followed, even those by business number: a person has to choose between the two.
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
    """The registration that the others state as their home; None if none does."""
    homes = {
        link.match_id for match in registrations for link in match.related_matches if link.relation is Relation.HOME_REGISTRATION
    }
    return next((match for match in registrations if match.match_id in homes), None)


class SelectableField(Protocol):
    """The parts of a compared field that selection uses."""

    @property
    def field(self) -> str:
        """Which."""

    @property
    def status(self) -> FieldStatus:
        """The result of the comparison."""


class SelectableScore(Protocol):
    """A score and its compared fields."""

    @property
    def score(self) -> float:
        """0 to 1."""

    @property
    def fields(self) -> Sequence[SelectableField]:
        """In any order."""


class SelectableMatch(LinkableMatch, Protocol):
    """The parts of a match that selection uses."""

    @property
    def match(self) -> SelectableScore:
        """How well it matches."""


S = TypeVar("S", bound=SelectableMatch)


class RegisterCoverageRow(Protocol):
    """The parts of a row of `meta.coverage` that selection uses."""

    @property
    def source(self) -> str:
        """The source's key."""

    @property
    def kind(self) -> str:
        """The kind of the source."""

    @property
    def jurisdiction(self) -> Jurisdiction | None:
        """The jurisdiction of a register; None for a source of several."""

    @property
    def status(self) -> CoverageStatus:
        """Whether the source was searched."""


def find_named_jurisdictions(jurisdictions: Iterable[Jurisdiction] | None, province: str | None) -> frozenset[Jurisdiction]:
    """The jurisdictions that a search names: those that it is limited to, and that of its address."""
    named = set(jurisdictions if jurisdictions is not None else ())
    if province is not None:
        with suppress(ValueError):
            named.add(Jurisdiction.parse(province))
    return frozenset(named)


def find_unsearched_registers(coverage: Iterable[RegisterCoverageRow], named: Collection[Jurisdiction]) -> Message | None:
    """The registers without which a search can't state that there is no match, as a sentence; None if it can.

    These are the registers whose query failed, and those of the jurisdictions that the search names if none of their sources was
    searched. A register that this installation can't query (`not_available`) matters only to a search that names its jurisdiction.
    """
    rows = [row for row in coverage if row.kind == SourceKind.REGISTRY and row.status is not CoverageStatus.NOT_REQUESTED]
    searched = {row.jurisdiction for row in rows if row.status in SEARCHED}
    if not searched:
        return Message("No register was searched.")
    missing = [
        row.jurisdiction.label if row.jurisdiction is not None else row.source
        for row in rows
        if row.status is CoverageStatus.FAILED or (row.jurisdiction in named and row.jurisdiction not in searched)
    ]
    if not missing:
        return None
    return Message("These registers could not be searched: {registers}.", registers=join_values(dict.fromkeys(missing)))


def build_initial_selection(
    search_id: UUID, matches: Sequence[BusinessMatch], settings: MatchSelectionSettings, unsearched: Message | None
) -> MatchSelection:
    """The outcome of a search by the account's thresholds: auto-selected, to be reviewed, or no match. `matches` are best first.

    Registrations of one business in several registers do not compete with each other; the home registration is selected. Without
    a match, the outcome is `no_match_found` only if no register is `unsearched` (`find_unsearched_registers`).
    """
    status, chosen = determine_selection(matches, settings, is_complete=unsearched is None)
    path = f"/v1/search/{search_id}"
    return MatchSelection(
        status=status,
        selected_match_id=chosen,
        reason=unsearched if status is SelectionStatus.NEEDS_REVIEW and not _has_match(matches, settings) else None,
        status_url=path,
        selection_url=f"{path}/selection",
    )


def determine_selection(
    matches: Sequence[S], settings: MatchSelectionSettings, *, is_complete: bool
) -> tuple[SelectionStatus, UUID | None]:
    """The same as a status and the id of the selected match, if any; `is_complete` if no register is unsearched."""
    by_number = [match for match in matches if _has_exact_number(match)]
    if by_number and len(find_registrations(by_number[0], by_number)) == len(by_number):
        return SelectionStatus.AUTO_SELECTED, _choose_registration(by_number).match_id
    if not _has_match(matches, settings):
        return SelectionStatus.NO_MATCH_FOUND if is_complete else SelectionStatus.NEEDS_REVIEW, None
    registrations = find_registrations(matches[0], matches)
    rival = find_rival(matches)
    best = matches[0].match.score
    second = rival.match.score if rival is not None else 0.0
    if best >= settings.auto_select_threshold and best - second >= settings.auto_select_margin - _TOLERANCE:
        return SelectionStatus.AUTO_SELECTED, _choose_registration(registrations).match_id
    return SelectionStatus.NEEDS_REVIEW, None


def _has_match(matches: Sequence[SelectableMatch], settings: MatchSelectionSettings) -> bool:
    """Whether the best match reaches the review threshold."""
    return len(matches) > 0 and matches[0].match.score >= settings.review_threshold


def find_rival(matches: Sequence[S]) -> S | None:
    """The best match of another business than the first match; None if there is none. `matches` are best first."""
    own = {match.match_id for match in find_registrations(matches[0], matches)} if matches else set()
    return next((match for match in matches if match.match_id not in own), None)


def get_jurisdiction(document: SearchResult) -> Jurisdiction | None:
    """Where the business is registered: by the selected match or, before a selection, by the best one."""
    matches, selection = document.businesses or (), document.match_selection
    if selection is None or selection.status is SelectionStatus.NEEDS_REVIEW:
        return matches[0].jurisdiction if matches else None
    return next((match.jurisdiction for match in matches if match.match_id == selection.selected_match_id), None)


def _choose_registration(registrations: Sequence[S]) -> S:
    """The home registration if its score is close to the best one, otherwise the best. `registrations` are best first."""
    best, home = registrations[0], find_home_registration(registrations)
    near = home is not None and best.match.score - home.match.score < HOME_REGISTRATION_MARGIN - _TOLERANCE
    return home if home is not None and near else best


def _has_exact_number(match: SelectableMatch) -> bool:
    return any(field.field == "registrationNumber" and field.status is FieldStatus.MATCHED for field in match.match.fields)


def apply_choice(document: SearchResult, choice: MatchChoice) -> SearchResult:
    """The document with a person's choice, which replaces any earlier outcome.

    Raises `Conflict` if match selection is not enabled for the search, and `MatchNotFound` for an unknown match.
    """
    _check_enabled(document)
    if choice.match_id is None:
        outcome = SelectionStatus(choice.status or SelectionStatus.NO_SELECTION)
        return _replace_selection(document, outcome, None)
    for match in document.businesses or ():
        if str(match.match_id) == choice.match_id.lower():
            return _replace_selection(document, SelectionStatus.SELECTED, match.match_id)
    raise MatchNotFound(Message("{match_id} is not a match of this search.", match_id=choice.match_id))


def clear_choice(document: SearchResult, status: SelectionStatus) -> SearchResult:
    """Return the document without a person's choice, at `status`. Raises `Conflict` as `apply_choice` does."""
    _check_enabled(document)
    return _replace_selection(document, status, None)


def _check_enabled(document: SearchResult) -> None:
    if document.match_selection is None:
        raise Conflict(
            Message("Match selection is not enabled for this search. Set `matchSelection: true` when you create the search.")
        )


def _replace_selection(document: SearchResult, status: SelectionStatus, chosen: UUID | None) -> SearchResult:
    assert document.match_selection is not None  # noqa: S101 - the callers have checked it
    selection = document.match_selection.model_copy(update={"status": status, "selected_match_id": chosen})
    return document.model_copy(update={"match_selection": selection})
