"""Compare the name, the address and the people of a claim with what a register states.

The name is compared with the names that a business bears now, without legal forms in both languages. A former name is described as
such and is a mismatch. Words weigh what the tables say, not what the loaded registers hold, so that the same claim and the same
report give the same score on any machine. A person whom the register names in another role is a mismatch that says so. A register
does not show whether two people of one name are the same person.
"""

from collections.abc import Iterable, Sequence

from bonafide.matching.addresses.address_comparison import AddressComparison, AddressRow, compare_addresses
from bonafide.matching.entries.evidence import format_one_line
from bonafide.matching.entries.register_codes import has_role, list_roles
from bonafide.matching.names.best_name_match import NameMatch, find_best_match
from bonafide.matching.names.entry_names import ParsedName, parse_name
from bonafide.matching.names.legal_forms import LEGAL_FORMS
from bonafide.matching.people.person_name_comparison import compare_person_names
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.name_comparison import NameComparison
from bonafide.matching.scoring.word_rarity import STATIC_RARITY
from bonafide.model.entity import Address, NameHistoryItem, Person
from bonafide.model.search.match import FieldStatus
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import (
    CheckedAddress,
    CheckedAddressPart,
    CheckedField,
    CheckedPerson,
    CheckStatus,
    ClaimedPerson,
    RegistryPerson,
)


def check_name(claimed: str, threshold: float, report: RegistryReport) -> CheckedField:
    """Compare a name with the legal name and the other current ones; 1 is equality after normalisation."""
    current = [*_strip_legal_forms(parse_name(report.legal_name)), *_parse_alternate_names(report.alternate_names)]
    match = _find_best_match(claimed, current)
    status = CheckStatus.MATCHED if match.score >= threshold else CheckStatus.MISMATCHED
    former = _describe_former_name(claimed, threshold, report) if status is CheckStatus.MISMATCHED else None
    return CheckedField(
        status=status,
        score=match.score,
        threshold=threshold,
        provided=claimed,
        registry=match.found.text if former is None else report.legal_name,
        reason=f"{match.reason}{_describe_form_difference(claimed, match)}" if former is None else former,
    )


def _find_best_match(claimed: str, names: Iterable[ParsedName]) -> NameMatch:
    match = find_best_match(list(_strip_legal_forms(parse_name(claimed))), names, STATIC_RARITY, 0.0)
    assert match is not None  # noqa: S101 - no score is below 0, and the report has a legal name
    return match


def _strip_legal_forms(names: Iterable[ParsedName]) -> Iterable[ParsedName]:
    """The names without their legal forms, which are not compared."""
    return (name._replace(normal=name.normal._replace(legal_forms=())) for name in names)


def _parse_alternate_names(names: Iterable[str]) -> Iterable[ParsedName]:
    return (read for name in names for read in _strip_legal_forms(parse_name(name, "another name that is registered for it")))


def _describe_form_difference(claimed: str, match: NameMatch) -> str:
    """That the legal forms differ, which decides nothing and is worth knowing."""
    asked, found = (parse_name(text)[0].normal.legal_forms for text in (claimed, match.found.text))
    if not asked or not found or set(asked) == set(found):
        return ""
    return f"; the legal form is {_format_forms(found)} and not {_format_forms(asked)}, which does not count"


def _format_forms(forms: Iterable[str]) -> str:
    return ", ".join(LEGAL_FORMS[form].label for form in forms)


def _describe_former_name(claimed: str, threshold: float, report: RegistryReport) -> str | None:
    """The sentence on the former name that was claimed; None when it was none."""
    current = {report.legal_name, *report.alternate_names}
    for item in report.business_report.details.name_history:
        if item.name not in current and _find_best_match(claimed, _strip_legal_forms(parse_name(item.name))).score >= threshold:
            return f"a former name{_describe_end_date(item)}; the legal name is now {report.legal_name}"
    return None


def _describe_end_date(item: NameHistoryItem) -> str:
    until = f" until {item.end_date.isoformat()}" if item.end_date is not None else ""
    return f", {item.name}{until}"


_UNCOMPARED = {
    FieldStatus.NOT_PROVIDED: CheckStatus.NOT_PROVIDED,
    FieldStatus.NOT_PUBLISHED: CheckStatus.NOT_PUBLISHED,
}


def check_address(claimed: Address, threshold: float, addresses: Sequence[Address], *, published: bool) -> CheckedAddress:
    """Compare an address with the one that is most like it. One part below the threshold makes the whole a mismatch.

    `published`: whether the source says anything of addresses; where it does and has none, that is still nothing to compare with.
    """
    compared = [(compare_addresses(claimed, address), address) for address in addresses]
    comparison, found = max(
        compared, key=lambda pair: _rank_key(pair[0], threshold), default=(compare_addresses(claimed, Address()), None)
    )
    parts = {row.field: _check_part(row, threshold) for row in comparison.rows}
    status = _get_status(parts)
    return CheckedAddress(
        status=status,
        score=comparison.score,
        threshold=threshold,
        provided=format_one_line(claimed),
        registry=format_one_line(found) if found is not None else None,
        reason=comparison.reason if comparison.score is not None else _explain_uncompared(found, published=published),
        fields=parts,
    )


def _rank_key(comparison: AddressComparison, threshold: float) -> tuple[bool, float]:
    """The address of which every part agrees comes first, then the one that is most alike."""
    scores = [row.score for row in comparison.rows if row.score is not None]
    return bool(scores) and min(scores) >= threshold, comparison.score if comparison.score is not None else -1.0


def _check_part(row: AddressRow, threshold: float) -> CheckedAddressPart:
    status = _UNCOMPARED.get(row.status)
    if status is None or row.score is not None:
        status = CheckStatus.MATCHED if row.score is not None and row.score >= threshold else CheckStatus.MISMATCHED
    return CheckedAddressPart(status=status, score=row.score, provided=row.submitted, registry=row.found, reason=row.reason)


def _get_status(parts: dict[str, CheckedAddressPart]) -> CheckStatus:
    found = {part.status for part in parts.values()}
    for status in (CheckStatus.MISMATCHED, CheckStatus.MATCHED, CheckStatus.NOT_PUBLISHED):
        if status in found:
            return status
    return CheckStatus.NOT_PROVIDED


def _explain_uncompared(found: Address | None, *, published: bool) -> str:
    if found is not None:
        return "the register publishes no part of the address that was given"
    return "the register states no address for this business" if published else "the register does not publish addresses this way"


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
