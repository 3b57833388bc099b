"""Compare a screening with the one that it repeats. Pure.

Only what both screenings could find is compared: a list that one of them did not screen says nothing about new or removed hits.
"""

from collections.abc import Iterable, Mapping

from bonafide.model.screening.history import HitChange, ScreeningChanges
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.model.search.match import SanctionsMatch, Screening, ScreeningStatus

_Hits = Mapping[tuple[str, str | None], SanctionsMatch]


def compare_screenings(previous: ScreeningAnswer, current: ScreeningAnswer) -> ScreeningChanges:
    """The hits of the current screening that are new, gone or changed since the previous one."""
    before, now = list_complete_names(previous.screening), list_complete_names(current.screening)
    old_lists, new_lists = {item.source for item in previous.lists}, {item.source for item in current.lists}
    compared = old_lists & new_lists
    new: list[HitChange] = []
    gone: list[HitChange] = []
    changed: list[HitChange] = []
    for name in (name for name in now if name in before):
        old_hits, new_hits = _select_hits(before[name], compared), _select_hits(now[name], compared)
        new += [_build_change(name, hit, None) for key, hit in new_hits.items() if key not in old_hits]
        gone += [_build_change(name, None, hit) for key, hit in old_hits.items() if key not in new_hits]
        changed += [
            _build_change(name, hit, old_hits[key])
            for key, hit in new_hits.items()
            if key in old_hits and _has_changed(old_hits[key], hit)
        ]
    names = dict.fromkeys((*_list_names(previous), *_list_names(current)))
    return ScreeningChanges(
        previous_screening_id=previous.meta.screening_id,
        previous_screened_at=previous.meta.screened_at,
        new=tuple(new),
        gone=tuple(gone),
        changed=tuple(changed),
        lists_not_compared=tuple(sorted(old_lists ^ new_lists)),
        subjects_not_compared=tuple(name for name in names if name not in before or name not in now),
    )


def _list_names(answer: ScreeningAnswer) -> list[str]:
    return [answer.screening.query, *(subject.name for subject in answer.screening.subjects)]


def list_complete_names(screening: Screening) -> dict[str, tuple[SanctionsMatch, ...]]:
    """The hits of each name that was screened and whose hits were all stored, by name."""
    parts = [(screening.query, screening.status, screening.total_matches, screening.matches)]
    parts += [(subject.name, subject.status, subject.total_matches, subject.matches) for subject in screening.subjects]
    return {name: matches for name, status, total, matches in parts if status is ScreeningStatus.SCREENED and total == len(matches)}


def _select_hits(matches: Iterable[SanctionsMatch], lists: set[str]) -> _Hits:
    return {(match.source, match.entry_id): match for match in matches if match.source in lists}


def _has_changed(old: SanctionsMatch, new: SanctionsMatch) -> bool:
    return old.digest != new.digest or old.match.score != new.match.score


def _build_change(subject: str, current: SanctionsMatch | None, previous: SanctionsMatch | None) -> HitChange:
    shown = current if current is not None else previous
    assert shown is not None  # noqa: S101 - a change has at least one of the two
    return HitChange(
        subject=subject,
        source=shown.source,
        entry_id=shown.entry_id,
        name=shown.legal_name.name,
        score=current.match.score if current is not None else None,
        previous_score=previous.match.score if previous is not None else None,
    )
