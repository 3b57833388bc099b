"""The people of a verification: each person claimed against the person of the register's whose name is most like theirs.

`person_name_features` compares names. A person whom the register names in another role is a mismatch that says so. A register
does not show whether two people of one name are the same person.
"""

from collections.abc import Sequence

from bonafide.matching.people.person_name_comparison import compare_person_names
from bonafide.matching.people.roles import has_role, list_roles
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.name_comparison import NameComparison
from bonafide.model.entity import Person
from bonafide.model.verification.results import CheckedPerson, CheckStatus, ClaimedPerson, RegistryPerson


def check_people(
    claimed: Sequence[ClaimedPerson], threshold: float, people: Sequence[Person], *, published: bool
) -> tuple[CheckedPerson, ...]:
    """Compare each person. `published`: whether the source names people at all; one that does and names none contradicts."""
    return tuple(_check_person(person, threshold, people, published=published) for person in claimed)


def _check_person(person: ClaimedPerson, threshold: float, people: Sequence[Person], *, published: bool) -> CheckedPerson:
    compared = [(compare_person_names(person.name, found.name), found) for found in people]
    alike = [pair for pair in compared if pair[0].score >= threshold]
    # Of several who bear the name the one in the role that was claimed is meant.
    comparison, best = max(
        alike or compared, key=lambda pair: (_is_as_claimed(pair[1], person) and bool(alike), pair[0].score), default=(None, None)
    )
    if comparison is None or best is None:
        status = CheckStatus.MISMATCHED if published else CheckStatus.NOT_PUBLISHED
        reason = "the register names nobody" if published else "the register does not name people this way"
        return _build_checked_person(person, threshold, status, reason)
    if not alike:
        shown = best if comparison.score >= score_parameters.PARTIAL else None
        return _build_checked_person(
            person, threshold, CheckStatus.MISMATCHED, _explain_no_match(best, comparison), comparison, shown
        )
    status, reason = _compare_role(person, best, comparison)
    return _build_checked_person(person, threshold, status, reason, comparison, best)


def _is_as_claimed(found: Person, person: ClaimedPerson) -> bool:
    return all(has_role(found, role) for role in person.roles)


def _compare_role(person: ClaimedPerson, found: Person, comparison: NameComparison) -> tuple[CheckStatus, str]:
    """Whether the register's person is what was claimed; where it gives no role, nothing speaks against."""
    own = list_roles(found)
    lacking = [role for role in person.roles if not has_role(found, role)]
    if not own and person.roles:
        return CheckStatus.MATCHED, f"{comparison.reason}; the register gives no role"
    if lacking:
        return CheckStatus.MISMATCHED, f"{comparison.reason}; found as {', '.join(own)}, not as {', '.join(lacking)}"
    return CheckStatus.MATCHED, f"{comparison.reason}; {', '.join(own)}" if own else comparison.reason


def _explain_no_match(best: Person, comparison: NameComparison) -> str:
    if comparison.score < score_parameters.PARTIAL:
        return "the register names nobody of this name"
    return f"the register names {best.name}: {comparison.reason}"


def _build_checked_person(
    person: ClaimedPerson,
    threshold: float,
    status: CheckStatus,
    reason: str,
    comparison: NameComparison | None = None,
    found: Person | None = None,
) -> CheckedPerson:
    return CheckedPerson(
        name=person.name,
        role=", ".join(person.roles) or None,
        status=status,
        score=comparison.score if comparison is not None else None,
        threshold=threshold,
        reason=reason,
        registry=RegistryPerson(name=found.name, roles=list_roles(found)) if found is not None else None,
    )
