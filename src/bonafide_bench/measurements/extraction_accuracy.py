"""Compare the facts extracted from a site with its ground truth.

Formatting is ignored: capitals, spaces in numbers and the order of an address do not matter. The roles of a person with a correct
name are counted separately.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.text.folding import fold
from bonafide.model.entity import Address
from bonafide.model.search.website import Extracted
from bonafide_sandbox.sites.content.ground_truth import PlantedAddress, SiteFacts

P = TypeVar("P")
G = TypeVar("G")
_JOINING = frozenset({"and", "et", "of", "de", "des", "the"})
"""Words of a role that are ignored."""
_HONORIFIC = re.compile(r"^dre?\.? ", re.IGNORECASE)
"""A title that may or may not be part of a name."""


@dataclass(slots=True)
class FactCounts:
    """Counts for one kind of fact: expected, found and extracted ones, with the missed and the wrong ones."""

    planted: int = 0
    found: int = 0
    given: int = 0
    missed: list[str] = field(default_factory=list)
    """Each as `host: fact`."""
    invented: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The share of expected facts that were found; 1 if none were expected."""
        return self.found / self.planted if self.planted else 1.0

    @property
    def precision(self) -> float:
        """The share of extracted values that are expected; 1 if none were extracted."""
        return 1 - len(self.invented) / self.given if self.given else 1.0

    def add(self, other: "FactCounts") -> None:
        """Add the counts of another site."""
        self.planted += other.planted
        self.found += other.found
        self.given += other.given
        self.missed += other.missed
        self.invented += other.invented


def count_facts(facts: SiteFacts, extracted: Extracted) -> Mapping[str, FactCounts]:
    """The counts of one site by kind of fact."""
    contact, host = extracted.contact_info, facts.host
    wanted_name = [facts.legal_name] if facts.legal_name is not None else []
    given_name = [extracted.legal_name] if extracted.legal_name is not None else []
    # A firm without a legal form has only its brand as a name: extracting it is neither expected nor wrong.
    allowed_names = [] if wanted_name else [facts.brand]
    people = {_normalise_name(person.name): person.roles for person in extracted.people}
    roles = [(role, people[_normalise_name(name)]) for name, role in facts.people if _normalise_name(name) in people]
    faxes = [facts.fax] if facts.fax is not None else []
    return {
        "legal name": _count_kind(host, wanted_name, given_name, _is_same_name, allowed_names),
        "addresses": _count_kind(host, facts.addresses, extracted.addresses, _is_same_address),
        "people": _count_kind(
            host, [name for name, _ in facts.people], [person.name for person in extracted.people], _is_same_name
        ),
        "roles": _count_kind(host, [role for role, _ in roles], [" ".join(given) for _, given in roles], _is_same_role),
        "registrations": _count_kind(
            host, [number for _, number in facts.registrations], [item.value for item in extracted.registrations], _is_same_number
        ),
        "e-mails": _count_kind(host, facts.emails, contact.emails, lambda one, other: one.casefold() == other.casefold()),
        "phones": _count_kind(host, facts.phones, contact.phone_numbers, lambda one, other: one == other, faxes),
    }


def _count_kind(
    host: str, planted: Sequence[P], given: Sequence[G], same: Callable[[P, G], bool], allowed: Iterable[P] = ()
) -> FactCounts:
    """Count one kind; `allowed` values are neither expected nor wrong."""
    missed = [wanted for wanted in planted if not any(same(wanted, value) for value in given)]
    right = (*planted, *allowed)
    invented = [value for value in given if not any(same(fact, value) for fact in right)]
    return FactCounts(
        planted=len(planted),
        found=len(planted) - len(missed),
        given=len(given),
        missed=[f"{host}: {fact}" for fact in missed],
        invented=[f"{host}: {value}" for value in invented],
    )


# ------------------------------------------------------------------------------------------------------------ equality


def _to_alphanumeric(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text)))


def _is_same_name(planted: str, given: str) -> bool:
    return _normalise_name(planted) == _normalise_name(given)


def _normalise_name(name: str) -> str:
    return _to_alphanumeric(_HONORIFIC.sub("", name))


def _is_same_role(planted: str, given: str) -> bool:
    return _role_words(planted) == _role_words(given)


def _role_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", fold(text))) - _JOINING


def _is_same_number(planted: str, given: str) -> bool:
    return not build_number_keys(planted).isdisjoint(build_number_keys(given))


def _is_same_address(planted: PlantedAddress, given: Address) -> bool:
    """Whether civic number, city and postal code are equal."""
    door = re.findall(r"[0-9]+", given.street or "")
    code = _to_alphanumeric(given.postal_code or "")
    return (
        planted.door in door
        and code == _to_alphanumeric(planted.postal_code or "")
        and _to_alphanumeric(given.city or "") == _to_alphanumeric(planted.city)
    )
