"""Load the fixed businesses that exist in every world from `fixed.yml`."""

from dataclasses import dataclass
from typing import Any

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import (
    BusinessKind,
    FormerName,
    LifecycleStatus,
    OfficeAddress,
    SandboxBusiness,
    SandboxOfficer,
)
from bonafide_sandbox.generator.data_tables import read_table


@dataclass(frozen=True, slots=True)
class KnownBusiness:
    """A fixed business, with the lists and the website on which it appears."""

    business: SandboxBusiness
    shows: str
    """The scenario that this business demonstrates."""
    website: str | None
    lists: tuple[str, ...]
    """Source keys of the lists that include it."""
    list_aliases: tuple[str, ...]
    """Additional names used by those lists."""


def _read(facts: dict[str, Any]) -> KnownBusiness:
    business = SandboxBusiness(
        register=Jurisdiction(facts["register"]),
        number=facts["number"],
        kind=BusinessKind.COMPANY,
        french=facts.get("french", False),
        name=facts["name"],
        other_names=tuple(facts.get("other_names", ())),
        former_names=tuple(FormerName(name, until) for name, until in facts.get("former_names", {}).items()),
        business_number=facts["business_number"],
        standing=LifecycleStatus(facts.get("standing", LifecycleStatus.ACTIVE)),
        registered_on=facts["registered_on"],
        address=OfficeAddress(**{"unit": None, **facts["address"]}),
        people=tuple(SandboxOfficer(name, tuple(roles)) for name, roles in facts["people"].items()),
        random_bits=0,
    )
    return KnownBusiness(
        business, facts["shows"], facts.get("website"), tuple(facts.get("lists", ())), tuple(facts.get("list_aliases", ()))
    )


KNOWN_BUSINESSES = tuple(_read(facts) for facts in read_table("fixed")["businesses"])
