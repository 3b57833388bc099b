"""Compare the name, the address and the people of a claim with what a register states.

The name is compared with the current names of a business, without legal forms. A former name is described as such and is a
mismatch. Words have their static weights, regardless of the loaded registers, so that the same claim and report have the same score
on any machine. A person whom the register names in another role is a mismatch with its own reason. A register does not show whether
two people with the same name are the same person.
"""

from collections.abc import Iterable, Sequence

from bonafide.i18n.message import JoinedValues, Message, join_messages, join_values
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

_OTHER_NAME = Message("another registered name")


def check_name(claimed: str, threshold: float, report: RegistryReport) -> CheckedField:
    """Compare a name with the legal name and the other current names; names that are equal after normalisation score 1."""
    current = [*strip_legal_forms(parse_name(report.legal_name)), *_parse_alternate_names(report.alternate_names)]
    match = find_best_name(claimed, current)
    status = CheckStatus.MATCHED if match.score >= threshold else CheckStatus.MISMATCHED
    former = _describe_former_name(claimed, threshold, report) if status is CheckStatus.MISMATCHED else None
    return CheckedField(
        status=status,
        score=match.score,
        threshold=threshold,
        provided=claimed,
        registry=match.found.text if former is None else report.legal_name,
        reason=former if former is not None else _append_form_difference(match.reason, claimed, match),
    )


def find_best_name(claimed: str, names: Iterable[ParsedName]) -> NameMatch:
    """The name that is most similar to the claimed one; there must be one."""
    match = find_best_match(list(strip_legal_forms(parse_name(claimed))), names, STATIC_RARITY, 0.0)
    assert match is not None  # noqa: S101 - no score is below 0, and the report has a legal name
    return match


def strip_legal_forms(names: Iterable[ParsedName]) -> Iterable[ParsedName]:
    """The names without their legal forms, which are not compared."""
    return (name._replace(normal=name.normal._replace(legal_forms=())) for name in names)


def _parse_alternate_names(names: Iterable[str]) -> Iterable[ParsedName]:
    return (parsed for name in names for parsed in strip_legal_forms(parse_name(name, _OTHER_NAME)))


def _append_form_difference(reason: Message, claimed: str, match: NameMatch) -> Message:
    """Add to the reason that the legal forms differ, which does not affect the result."""
    submitted, found = (parse_name(text)[0].normal.legal_forms for text in (claimed, match.found.text))
    if not submitted or not found or set(submitted) == set(found):
        return reason
    difference = Message(
        "the legal form is {found} instead of {submitted}, which is not compared",
        found=_join_labels(found),
        submitted=_join_labels(submitted),
    )
    return join_messages([reason, difference])


def _join_labels(forms: Iterable[str]) -> JoinedValues:
    return join_values([LEGAL_FORMS[form].label for form in forms])


def _describe_former_name(claimed: str, threshold: float, report: RegistryReport) -> Message | None:
    """The reason for a claimed former name; None if the claimed name is not a former one."""
    current = {report.legal_name, *report.alternate_names}
    for item in report.business_report.details.name_history:
        if item.name not in current and find_best_name(claimed, strip_legal_forms(parse_name(item.name))).score >= threshold:
            return _build_former_name_reason(item, report.legal_name)
    return None


def _build_former_name_reason(item: NameHistoryItem, legal_name: str) -> Message:
    if item.end_date is None:
        return Message("former name {former}; the legal name is now {name}", former=item.name, name=legal_name)
    day = item.end_date.isoformat()
    return Message("former name {former}, until {day}; the legal name is now {name}", former=item.name, day=day, name=legal_name)


_UNCOMPARED = {
    FieldStatus.NOT_PROVIDED: CheckStatus.NOT_PROVIDED,
    FieldStatus.NOT_PUBLISHED: CheckStatus.NOT_PUBLISHED,
}


def check_address(claimed: Address, threshold: float, addresses: Sequence[Address], *, published: bool) -> CheckedAddress:
    """Compare an address with the most similar one. One part below the threshold makes the whole a mismatch.

    `published`: whether the source publishes addresses at all, for the reason if there is none to compare with.
    """
    compared = [(compare_addresses(claimed, address), address) for address in addresses]
    comparison, found = max(
        compared, key=lambda pair: _rank_key(pair[0], threshold), default=(compare_addresses(claimed, Address()), None)
    )
    parts = {row.field: check_address_part(row, threshold) for row in comparison.rows}
    status = get_address_status(parts)
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
    """An address of which every part matches comes first, then the most similar one."""
    scores = [row.score for row in comparison.rows if row.score is not None]
    return bool(scores) and min(scores) >= threshold, comparison.score if comparison.score is not None else -1.0


def check_address_part(row: AddressRow, threshold: float) -> CheckedAddressPart:
    """The outcome of one compared part of an address."""
    status = _UNCOMPARED.get(row.status)
    if status is None or row.score is not None:
        status = CheckStatus.MATCHED if row.score is not None and row.score >= threshold else CheckStatus.MISMATCHED
    return CheckedAddressPart(status=status, score=row.score, provided=row.submitted, registry=row.found, reason=row.reason)


def get_address_status(parts: dict[str, CheckedAddressPart]) -> CheckStatus:
    """The outcome of an address as a whole: one part that differs makes it a mismatch."""
    found = {part.status for part in parts.values()}
    for status in (CheckStatus.MISMATCHED, CheckStatus.MATCHED, CheckStatus.NOT_PUBLISHED):
        if status in found:
            return status
    return CheckStatus.NOT_PROVIDED


def _explain_uncompared(found: Address | None, *, published: bool) -> Message:
    if found is not None:
        return Message("the register publishes no part of the provided address")
    if published:
        return Message("the register states no address for this business")
    return Message("this data of the register does not include addresses")


def check_people(
    claimed: Sequence[ClaimedPerson], threshold: float, people: Sequence[Person], *, published: bool
) -> tuple[CheckedPerson, ...]:
    """Compare each person. `published`: whether the source names people at all; if it does, an unnamed person is a mismatch."""
    return tuple(_check_person(person, threshold, people, published=published) for person in claimed)


def _check_person(person: ClaimedPerson, threshold: float, people: Sequence[Person], *, published: bool) -> CheckedPerson:
    compared = [(compare_person_names(person.name, found.name), found) for found in people]
    alike = [pair for pair in compared if pair[0].score >= threshold]
    # Of several people with the name, the one in the claimed role is compared.
    comparison, best = max(
        alike or compared, key=lambda pair: (_is_as_claimed(pair[1], person) and bool(alike), pair[0].score), default=(None, None)
    )
    if comparison is None or best is None:
        status = CheckStatus.MISMATCHED if published else CheckStatus.NOT_PUBLISHED
        reason = (
            Message("the register names no people") if published else Message("this data of the register does not include people")
        )
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


def _compare_role(person: ClaimedPerson, found: Person, comparison: NameComparison) -> tuple[CheckStatus, Message]:
    """Compare the claimed roles with those in the register. Without a role in the register they match."""
    own = list_roles(found)
    lacking = [role for role in person.roles if not has_role(found, role)]
    if not own and person.roles:
        return CheckStatus.MATCHED, join_messages([comparison.reason, Message("the register states no role")])
    if lacking:
        found_as = Message("found as {roles}, not as {claimed}", roles=join_values(own), claimed=join_values(lacking))
        return CheckStatus.MISMATCHED, join_messages([comparison.reason, found_as])
    if own:
        return CheckStatus.MATCHED, Message("{reason}; {roles}", reason=comparison.reason, roles=join_values(own))
    return CheckStatus.MATCHED, comparison.reason


def _explain_no_match(best: Person, comparison: NameComparison) -> Message:
    if comparison.score < score_parameters.PARTIAL:
        return Message("the register names no person with this name")
    return Message("the register names {person}: {reason}", person=best.name, reason=comparison.reason)


def _build_checked_person(
    person: ClaimedPerson,
    threshold: float,
    status: CheckStatus,
    reason: Message,
    comparison: NameComparison | None = None,
    found: Person | None = None,
) -> CheckedPerson:
    return CheckedPerson(
        name=person.name,
        provided=person.name,
        role=", ".join(person.roles) or None,
        status=status,
        score=comparison.score if comparison is not None else None,
        threshold=threshold,
        reason=reason,
        registry=RegistryPerson(name=found.name, roles=list_roles(found)) if found is not None else None,
    )
