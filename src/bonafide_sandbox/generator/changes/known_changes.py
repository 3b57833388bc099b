"""What happens to the fixed businesses from day to day, and which people are listed for some days (`data/calendar.yml`)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LicenceStanding, LifecycleStatus, SandboxBusiness, SandboxOfficer
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES, KnownBusiness


@dataclass(frozen=True, slots=True)
class KnownListing:
    """A person who is on the Canadian list of autonomous sanctions from the first to the last day."""

    first_day: int
    last_day: int
    last_name: str
    given_name: str
    listed: str
    """The date of the listing."""


@cache
def evolve_known_businesses(day: int) -> tuple[KnownBusiness, ...]:
    """Return the fixed businesses as their registers state them on the day, in the order of `KNOWN_BUSINESSES`."""
    return tuple(replace(fixed, business=_evolve(fixed.business, day)) for fixed in KNOWN_BUSINESSES)


def evolve_known_licence(fixed: KnownBusiness, source: str, day: int) -> KnownBusiness:
    """Return a fixed business with the standing of its licence on one source's list."""
    for change in _find_changes(fixed.business, day):
        licence = change.get("licence")
        if licence is not None and licence["source"] == source:
            standing = LicenceStanding(licence["standing"])
            fixed = replace(fixed, business=replace(fixed.business, licence=standing))
    return fixed


def find_known_listings(day: int) -> list[KnownListing]:
    """Return the people who are listed on the day."""
    listings = (KnownListing(**facts) for facts in read_table("calendar")["listings"])
    return [listing for listing in listings if listing.first_day <= day <= listing.last_day]


def _evolve(business: SandboxBusiness, day: int) -> SandboxBusiness:
    for change in _find_changes(business, day):
        if "people" in change:
            people = tuple(SandboxOfficer(name, tuple(roles)) for name, roles in change["people"].items())
            business = replace(business, people=people)
        if "standing" in change:
            business = replace(business, standing=LifecycleStatus(change["standing"]))
    return business


def _find_changes(business: SandboxBusiness, day: int) -> Iterator[dict[str, Any]]:
    """Yield the changes of a business until the day, in order."""
    for change in read_table("calendar")["businesses"]:
        key = Jurisdiction(change["register"]), change["number"]
        if key == (business.register, business.number) and change["day"] <= day:
            yield change
