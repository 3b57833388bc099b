"""Business records of the sandbox: what its registers and sanctions lists have on some days, from its generator."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LIVE_STATUSES, SandboxBusiness
from bonafide_sandbox.generator.canadian_listings import CanadianListing, create_listings
from bonafide_sandbox.generator.changes.business_changes import EvolvedBusiness, WorldPopulation
from bonafide_sandbox.generator.changes.known_changes import evolve_known_businesses
from bonafide_sandbox.generator.foreign_parties import ForeignPartyKind, create_foreign_parties
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.world.builder import DEFAULT_SEED

LIVE_REGISTERS = frozenset({Jurisdiction.BC})
"""Registers that are queried when they are needed. No load contains their changes."""
LISTED_PARTIES = 107
"""Records of parties on sanctions lists, more than the calendar changes."""
LEGAL_FORMS = frozenset(
    {"co", "company", "corp", "corporation", "inc", "incorporated", "limited", "ltd", "llc", "lp", "ulc"}
    | {"cie", "compagnie", "enr", "limitee", "ltee", "senc", "sencrl", "srl"}
)

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class PortfolioRecord:
    """A monitored record, as a client creates it. `external_id` contains the origin of its name."""

    external_id: str
    name: str
    jurisdiction: str | None = None
    registration_number: str | None = None
    people: tuple[str, ...] = ()

    def to_request(self) -> dict[str, Any]:
        """The body of the request that creates it."""
        known = {
            "externalId": self.external_id,
            "name": self.name,
            "jurisdiction": self.jurisdiction,
            "registrationNumber": self.registration_number,
            "people": [{"name": person} for person in self.people],
            "isMonitored": True,
        }
        return {name: value for name, value in known.items() if value}

    @property
    def parties(self) -> tuple[str, ...]:
        """The names that are watched on sanctions lists."""
        return self.name, *self.people


def create_portfolio(world_size: int, last_day: int, count: int) -> list[PortfolioRecord]:
    """Return `count` records.

    They are the businesses of all registers that are loaded, first those that are registered or change until the last day; and
    `LISTED_PARTIES` listed parties: those that are listed, changed or removed until then, and then those that do not change and
    share no word with those that do.
    """
    known = list(_list_known_businesses())
    records = [*islice(_list_businesses(world_size, last_day), count - len(known) - LISTED_PARTIES), *known]
    parties = dict.fromkeys(_list_changing_parties(last_day))
    words = {word for name, _ in parties for word in split_words(name)}
    unchanged = (_name_listing(listing) for listing in create_listings(DEFAULT_SEED) if listing.imo is None)
    parties |= dict.fromkeys(party for party in unchanged if words.isdisjoint(split_words(party[0])))
    chosen = islice(parties.items(), count - len(records))
    records += [_from_party(name, number, is_person=is_person) for number, ((name, is_person), _) in enumerate(chosen)]
    assert len(records) == count
    return records


def _list_businesses(world_size: int, last_day: int) -> Iterator[PortfolioRecord]:
    for evolved in sorted(WorldPopulation(DEFAULT_SEED, world_size, last_day), key=_is_unchanged):
        if evolved.first.register not in LIVE_REGISTERS:
            yield _from_business(evolved.first)


def _is_unchanged(evolved: EvolvedBusiness) -> bool:
    """Whether a business is registered before the first day, and the same on the last."""
    return evolved.first == evolved.now and evolved.first.registered_on <= TODAY


def _list_known_businesses() -> Iterator[PortfolioRecord]:
    for known in KNOWN_BUSINESSES:
        if known.business.register not in LIVE_REGISTERS:
            yield _from_business(known.business, tuple(person.name for person in known.business.people))


def list_changed_records(world_size: int, first_day: int, last_day: int) -> tuple[set[str], set[str]]:
    """Return the records whose registers the calendar changes after the first day: those of which all registers show it, and all.

    All registers show names, numbers and the end of a business; not all show people, addresses and notices.
    """
    shown, changed = set(), set()
    for old, new in _list_evolved(world_size, first_day, last_day):
        if old != new and old is not None and old.register not in LIVE_REGISTERS:
            external_id = _from_business(old).external_id
            changed.add(external_id)
            if new is None or (old.name, old.number, _is_live(old)) != (new.name, new.number, _is_live(new)):
                shown.add(external_id)
    return shown, changed


def _list_evolved(world_size: int, *days: int) -> Iterator[tuple[SandboxBusiness | None, SandboxBusiness | None]]:
    """Each business on two days. One that is registered in between is left out."""
    first, last = (WorldPopulation(DEFAULT_SEED, world_size, day) for day in days)
    yield from ((one.now, other.now) for one, other in zip(first, last, strict=False))
    known = (evolve_known_businesses(day) for day in days)
    yield from ((one.business, other.business) for one, other in zip(*known, strict=True))


def _is_live(business: SandboxBusiness) -> bool:
    return business.standing in LIVE_STATUSES


def _from_business(business: SandboxBusiness, people: tuple[str, ...] = ()) -> PortfolioRecord:
    register = business.register.value
    return PortfolioRecord(f"{register} {business.number}", business.name, register, business.number, people)


def _list_changing_parties(last_day: int) -> Iterator[tuple[str, bool]]:
    """The name of each listed party that a day changes, and whether it is a person. Ships are left out."""
    for day in range(1, last_day + 1):
        listings = [{_identify(one): one for one in create_listings(DEFAULT_SEED, one_day)} for one_day in (day - 1, day)]
        yield from (_name_listing(one) for one in _list_differences(*listings) if one.imo is None)
        parties = [{one.serial: one for one in create_foreign_parties(DEFAULT_SEED, one_day)} for one_day in (day - 1, day)]
        yield from (
            (one.full_name, one.kind is ForeignPartyKind.PERSON)
            for one in _list_differences(*parties)
            if one.kind is not ForeignPartyKind.SHIP
        )


def _identify(listing: CanadianListing) -> tuple[str, str, str]:
    return listing.regime, listing.schedule, listing.item


def _list_differences(before: dict[K, V], after: dict[K, V]) -> Iterator[V]:
    for key, value in (before | after).items():
        if before.get(key) != after.get(key):
            yield value


def _name_listing(listing: CanadianListing) -> tuple[str, bool]:
    """The name of a Canadian listing, and whether it is a person."""
    if listing.last_name is not None:
        return f"{listing.given_name} {listing.last_name.strip()}", True
    assert listing.entity is not None
    return listing.entity, False


def _from_party(name: str, number: int, *, is_person: bool) -> PortfolioRecord:
    """A record with the name of a listed organization, or with a listed person."""
    external_id = f"party {name}"
    return (
        PortfolioRecord(external_id, f"Client {number} Inc.", people=(name,)) if is_person else PortfolioRecord(external_id, name)
    )


def split_words(name: str) -> tuple[str, ...]:
    """The words of a name, sorted, without case, accents and legal forms."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    words = re.findall(r"\w+", "".join(letter for letter in plain if not unicodedata.combining(letter)).replace(".", ""))
    return tuple(sorted(word for word in words if word not in LEGAL_FORMS))
