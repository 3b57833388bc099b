"""The people of a verification: each person claimed against the person of the register's whose name is most like theirs.

Names are compared by `person_names`. A person whom the register names in another role is a mismatch that says so. Whether two
people of one name are the same person can't be known from a register.
"""

from collections.abc import Sequence

from bonafide.matching import features
from bonafide.matching.comparison import NameComparison
from bonafide.matching.person_names import compare_person_names
from bonafide.matching.roles import has_role, roles_of
from bonafide.model.entity import Person
from bonafide.model.verification import CheckedPerson, CheckStatus, ClaimedPerson, RegistryPerson


def checked_people(
    claimed: Sequence[ClaimedPerson], threshold: float, people: Sequence[Person], *, published: bool
) -> tuple[CheckedPerson, ...]:
    """Compare each person. `published`: whether the source names people at all; one that does and names none contradicts."""
    return tuple(_checked(person, threshold, people, published=published) for person in claimed)


def _checked(person: ClaimedPerson, threshold: float, people: Sequence[Person], *, published: bool) -> CheckedPerson:
    compared = [(compare_person_names(person.name, found.name), found) for found in people]
    alike = [pair for pair in compared if pair[0].score >= threshold]
    # Of several who bear the name the one in the role that was claimed is meant.
    comparison, best = max(
        alike or compared, key=lambda pair: (_as_claimed(pair[1], person) and bool(alike), pair[0].score), default=(None, None)
    )
    if comparison is None or best is None:
        status = CheckStatus.MISMATCHED if published else CheckStatus.NOT_PUBLISHED
        reason = "the register names nobody" if published else "the register does not name people this way"
        return _row(person, threshold, status, reason)
    if not alike:
        shown = best if comparison.score >= features.PARTIAL else None
        return _row(person, threshold, CheckStatus.MISMATCHED, _nobody(best, comparison), comparison, shown)
    status, reason = _by_role(person, best, comparison)
    return _row(person, threshold, status, reason, comparison, best)


def _as_claimed(found: Person, person: ClaimedPerson) -> bool:
    return all(has_role(found, role) for role in person.roles)


def _by_role(person: ClaimedPerson, found: Person, comparison: NameComparison) -> tuple[CheckStatus, str]:
    """Whether the register's person is what was claimed; where it gives no role, nothing speaks against."""
    own = roles_of(found)
    lacking = [role for role in person.roles if not has_role(found, role)]
    if not own and person.roles:
        return CheckStatus.MATCHED, f"{comparison.reason}; the register gives no role"
    if lacking:
        return CheckStatus.MISMATCHED, f"{comparison.reason}; found as {', '.join(own)}, not as {', '.join(lacking)}"
    return CheckStatus.MATCHED, f"{comparison.reason}; {', '.join(own)}" if own else comparison.reason


def _nobody(best: Person, comparison: NameComparison) -> str:
    if comparison.score < features.PARTIAL:
        return "the register names nobody of this name"
    return f"the register names {best.name}: {comparison.reason}"


def _row(
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
        registry=RegistryPerson(name=found.name, roles=roles_of(found)) if found is not None else None,
    )
