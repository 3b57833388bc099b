"""What happens to the web sites of the fixed businesses from day to day (`data/calendar.yml`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from bonafide_sandbox.generator.data_tables import read_table


@dataclass(frozen=True, slots=True)
class SiteOwner:
    """A business that has registered the domain of a site after its first owner gave it up."""

    name: str
    business_number: str
    domain_registered_on: date


@dataclass(frozen=True, slots=True)
class SiteChange:
    """The state of a site whose owner has given it up: it is gone, or has another owner."""

    is_gone: bool
    owner: SiteOwner | None


@cache
def find_site_changes(day: int) -> Mapping[str, SiteChange]:
    """Return the sites that have changed by the day, by host."""
    found = {}
    for facts in read_table("calendar")["sites"]:
        if facts["day"] <= day:
            owner = SiteOwner(**facts["owner"]) if "owner" in facts else None
            found[facts["host"]] = SiteChange(facts.get("gone", False), owner)
    return found
