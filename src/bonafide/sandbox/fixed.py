"""The businesses that are in every world. They are data (`fixed.yml`); what their trouble is, is in `faults`."""

from dataclasses import dataclass
from typing import Any

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sandbox.business import Address, Business, FormerName, Kind, Officer, Standing
from bonafide.sandbox.tables import read_table


@dataclass(frozen=True, slots=True)
class FixedBusiness:
    """A business that every world has, and where it stands besides its register."""

    business: Business
    shows: str
    """What it is for."""
    website: str | None
    lists: tuple[str, ...]
    """Source keys of the lists that name it."""
    list_aliases: tuple[str, ...]
    """Further names that those lists give it."""


def _read(facts: dict[str, Any]) -> FixedBusiness:
    business = Business(
        register=Jurisdiction(facts["register"]),
        number=facts["number"],
        kind=Kind.COMPANY,
        french=facts.get("french", False),
        name=facts["name"],
        other_names=tuple(facts.get("other_names", ())),
        former_names=tuple(FormerName(name, until) for name, until in facts.get("former_names", {}).items()),
        business_number=facts["business_number"],
        standing=Standing(facts.get("standing", Standing.ACTIVE)),
        registered_on=facts["registered_on"],
        address=Address(**{"unit": None, **facts["address"]}),
        people=tuple(Officer(name, tuple(roles)) for name, roles in facts["people"].items()),
        grain=0,
    )
    return FixedBusiness(
        business, facts["shows"], facts.get("website"), tuple(facts.get("lists", ())), tuple(facts.get("list_aliases", ()))
    )


FIXED = tuple(_read(facts) for facts in read_table("fixed")["businesses"])
