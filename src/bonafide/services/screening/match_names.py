"""Screen the names of the automatically selected registry match that differ from the submitted name."""

from collections.abc import Iterator
from uuid import UUID, uuid5

from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import ParsedSubject, parse_organization_name, parse_subject
from bonafide.model.entry import EntityKind
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import BusinessMatch, ScreenedSubject, Screening, SubjectOrigin, SubjectRole
from bonafide.services.screening.list_cache import LoadedScreeningLists
from bonafide.services.screening.subject_screening import build_screening_result

MAX_NAMES = 10
"""Most names of a match that are screened: the legal name, then trade names and former names in the order of the register."""
_NAME_FIELD = "name"


def screen_match_names(
    search_id: UUID,
    match: BusinessMatch,
    submitted: ParsedSubject,
    lists: LoadedScreeningLists,
    threshold: float,
    rarity: WordRarity,
) -> tuple[ScreenedSubject, ...]:
    """Screen each name of a match with other words than the submitted name. Pure and CPU-bound, some milliseconds for each name.

    The id of a subject is a function of the search and the name.
    """
    seen = {name.core for name in submitted.businesses}
    found: list[ScreenedSubject] = []
    for role, name in _list_names(match):
        core = parse_organization_name(name).core
        if core in seen or len(found) == MAX_NAMES:
            continue
        seen.add(core)
        parsed = parse_subject(ScreeningSubject(name))
        results = lists.find_candidates(parsed, threshold, rarity)
        screening = build_screening_result(parsed, results, threshold, rarity).screening
        found.append(_to_subject(uuid5(search_id, f"subject/{name}"), role, screening))
    return tuple(found)


def _list_names(match: BusinessMatch) -> Iterator[tuple[SubjectRole, str]]:
    yield SubjectRole.LEGAL_NAME, match.legal_name.name
    yield from ((SubjectRole.TRADE_NAME, name) for name in match.alternate_names)
    if match.business_report is not None:
        yield from ((SubjectRole.FORMER_NAME, item.name) for item in match.business_report.details.name_history)


def _to_subject(subject_id: UUID, role: SubjectRole, screening: Screening) -> ScreenedSubject:
    return ScreenedSubject(
        subject_id=subject_id,
        name=screening.query,
        kind=EntityKind.ORGANIZATION,
        role=role,
        origin=SubjectOrigin.MATCH,
        status=screening.status,
        reason=screening.reason,
        total_matches=screening.total_matches,
        matches=screening.matches,
        warnings=tuple(warning.model_copy(update={"field": _NAME_FIELD}) for warning in screening.warnings),
    )


def has_new_hits(screening: Screening) -> bool:
    """Whether a further subject has an open hit that the submitted name does not have."""
    known = {(match.source, match.entry_id) for match in screening.matches}
    return any(
        match.dismissed is None and (match.source, match.entry_id) not in known
        for subject in screening.subjects
        for match in subject.matches
    )
