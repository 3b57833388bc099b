"""List the people, addresses and names that a register states and a claim does not.

They are no discrepancies by themselves: a claim need not be complete. A person or an address counts as claimed if it is similar
enough to a claimed one, in any role.
"""

from collections.abc import Sequence

from bonafide.i18n.message import Message
from bonafide.matching.addresses.address_comparison import compare_addresses
from bonafide.matching.entries.register_codes import list_roles
from bonafide.matching.names.entry_names import parse_name
from bonafide.matching.people.person_name_comparison import compare_person_names
from bonafide.matching.verification.field_checks import (
    check_address_part,
    find_best_name,
    get_address_status,
    strip_legal_forms,
)
from bonafide.model.accounts.account_settings import VerificationSettings
from bonafide.model.entity import Address, NameHistoryItem, Person
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import CheckedPerson, CheckStatus, RegistryOnlyData, RegistryPerson, Subject

NOT_CLAIMED = Message("the register names this person, and the request does not")
ALTERNATE = "alternate"
"""The type of a current name other than the legal name."""


def list_unclaimed_people(
    claimed: Sequence[CheckedPerson], threshold: float, people: Sequence[Person]
) -> tuple[CheckedPerson, ...]:
    """The people of the register whom the claim does not name, with their roles, in the order of the register."""
    return tuple(
        CheckedPerson(
            name=person.name,
            provided=None,
            role=None,
            status=CheckStatus.NOT_PROVIDED,
            score=None,
            threshold=threshold,
            reason=NOT_CLAIMED,
            registry=RegistryPerson(name=person.name, roles=list_roles(person)),
        )
        for person in people
        if not any(compare_person_names(other.name, person.name).score >= threshold for other in claimed)
    )


def list_registry_only_data(subject: Subject, settings: VerificationSettings, report: RegistryReport) -> RegistryOnlyData:
    """The addresses and the other names of the register that the claim does not state. Names have the days of their use."""
    addresses: tuple[Address, ...] = ()
    if settings.address.enabled:
        known = subject.address.as_address() if subject.address is not None else None
        # One address may have several labels, of which the first is kept.
        distinct: dict[Address, Address] = {}
        for address in report.addresses:
            distinct.setdefault(address.model_copy(update={"label": None}), address)
        stated = [address for parts, address in distinct.items() if parts != Address()]
        addresses = tuple(address for address in stated if not _is_same_address(known, address, settings.address.threshold))
    threshold = settings.legal_name.threshold
    names = [
        *(NameHistoryItem(type=ALTERNATE, name=name) for name in report.alternate_names),
        *report.business_report.details.name_history,
    ]
    by_name: dict[str, NameHistoryItem] = {}
    for item in names:
        if item.name != report.legal_name:
            by_name.setdefault(item.name, item)
    return RegistryOnlyData(
        addresses=addresses,
        names=tuple(item for item in by_name.values() if not _is_same_name(subject.legal_name, item.name, threshold)),
    )


def _is_same_address(claimed: Address | None, address: Address, threshold: float) -> bool:
    if claimed is None:
        return False
    rows = compare_addresses(claimed, address).rows
    return get_address_status({row.field: check_address_part(row, threshold) for row in rows}) is CheckStatus.MATCHED


def _is_same_name(claimed: str, name: str, threshold: float) -> bool:
    return find_best_name(claimed, strip_legal_forms(parse_name(name))).score >= threshold
