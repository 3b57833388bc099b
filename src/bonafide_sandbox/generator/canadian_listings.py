"""Generate the people, organizations and ships of the sandbox's Canadian sanctions list. All are fictional.

The list depends only on the seed, so it is the same for worlds of any size.
"""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

import numpy as np

from bonafide_sandbox.generator import check_digits
from bonafide_sandbox.generator.changes.known_changes import KnownListing
from bonafide_sandbox.generator.changes.schedule import ListSchedule
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY

LISTINGS = 1_200
PEOPLE_SHARE = 0.62
ORGANISATIONS_SHARE = 0.25
"""The remaining listings are ships."""
FIRST_IMO = 300_000
"""Real IMO numbers begin with 5 to 9, so these are never real."""
FIRST_LISTING = date(2014, 3, 17)
KNOWN_SCHEDULE = "2"
NBSP = "\u00a0"

_TABLE = read_table("sanctions")


@dataclass(frozen=True, slots=True)
class CanadianListing:
    """One record. Fields that are None are omitted from the list."""

    regime: str
    schedule: str
    item: str
    listed: str
    last_name: str | None = None
    given_name: str | None = None
    entity: str | None = None
    title: str | None = None
    imo: str | None = None
    aliases: str | None = None
    born_or_built: str | None = None


def create_listings(seed: int, day: int = 0) -> list[CanadianListing]:
    """Return the listings of a seed on a day, numbered within their regulation and schedule."""
    random = Random(f"listings of {seed}")
    items: Counter[tuple[str, str]] = Counter()
    schedule = ListSchedule(seed, "Canadian listings", LISTINGS, day)
    listings = [_create_listing(random, items) for _ in range(schedule.total)]
    return schedule.apply(listings, _amend, lambda listing, day: replace(listing, listed=day.isoformat()))


def create_known_listing(fixed: KnownBusiness) -> CanadianListing:
    """Return a fixed business as a listed organization, in its own schedule."""
    return CanadianListing(
        regime=_TABLE["regimes"][1]["name"],
        schedule=KNOWN_SCHEDULE,
        item=fixed.business.number[-2:],
        listed="2024-02-29",
        entity=fixed.business.name,
        aliases="; ".join(fixed.list_aliases) or None,
    )


def create_known_person(person: KnownListing) -> CanadianListing:
    """Return a person who is listed for some days, in the schedule of the fixed businesses."""
    return CanadianListing(
        regime=_TABLE["regimes"][1]["name"],
        schedule=KNOWN_SCHEDULE,
        item="101",
        listed=person.listed,
        last_name=person.last_name,
        given_name=person.given_name,
    )


def _amend(listing: CanadianListing) -> CanadianListing:
    """Return a listing with another alias."""
    if listing.given_name is not None and listing.last_name is not None:
        alias = f"{listing.given_name[0]}. {listing.last_name.strip().title()}"
    else:
        alias = f"{listing.entity} II"
    return replace(listing, aliases=alias if listing.aliases is None else f"{listing.aliases}; {alias}")


def _create_listing(random: Random, items: Counter[tuple[str, str]]) -> CanadianListing:
    regime = random.choices(_TABLE["regimes"], [regime["weight"] for regime in _TABLE["regimes"]])[0]
    roll = random.random()
    if roll < PEOPLE_SHARE:
        schedule, fields = "1, Part 1", _person(random, regime["people"])
    elif roll < PEOPLE_SHARE + ORGANISATIONS_SHARE:
        schedule, fields = "1, Part 2", _organisation(random)
    else:
        schedule, fields = "1.1", _ship(random, items.total())
    items[regime["name"], schedule] += 1
    listed = FIRST_LISTING + timedelta(days=random.randrange((TODAY - FIRST_LISTING).days))
    return CanadianListing(regime["name"], schedule, str(items[regime["name"], schedule]), listed.isoformat(), **fields)


def _person(random: Random, tradition: str) -> dict[str, str | None]:
    names = _TABLE["people"][tradition]
    given, second = random.choice(names["given"]), random.choice(names["second"])
    surname = random.choice(names["stems"]) + random.choice(names["endings"])
    aliases = [f"{_respell(given)} {_respell(surname)}", f"{given} {surname}"] if _happens(random, 0.3) else []
    return {
        "last_name": surname.upper() + (NBSP if _happens(random, 0.12) else ""),
        "given_name": f"{given} {second}",
        "aliases": "; ".join(aliases) or None,
        "born_or_built": _birth(random),
    }


def _happens(random: Random, share: float) -> bool:
    return random.random() < share


def _respell(name: str) -> str:
    """Return an alternative transliteration of the name."""
    for one, other in (("zh", "j"), ("kh", "h"), ("y", "i"), ("v", "w"), ("ei", "ey"), ("ou", "u"), ("sh", "sch")):
        name = name.replace(one, other)
    return name


def _birth(random: Random) -> str | None:
    """Generate a date of birth: often none, otherwise a date, a year, a pair or free text."""
    year = random.randrange(1938, 1992)
    day = date(year, 1, 1) + timedelta(days=random.randrange(365))
    forms = (
        day.isoformat(),
        str(year),
        f"{day} or {day + timedelta(days=1)}",
        f"{year}-{year + 1}",
        f"born in the early {year // 10}0s",
        None,
    )
    return random.choices(forms, (70, 8, 2, 1, 1, 18))[0]


def _organisation(random: Random) -> dict[str, str | None]:
    names = _TABLE["organisations"]
    stem, form = random.choice(names["stems"]), random.choice(names["forms"])
    number = f"-{random.randrange(2, 99)}" if _happens(random, 0.35) else ""
    aliases = f"{_respell(stem)}{number}; {stem.upper()}{number} Group" if _happens(random, 0.3) else None
    return {"entity": form.format(stem + number), "aliases": aliases}


def _ship(random: Random, serial: int) -> dict[str, str | None]:
    names = _TABLE["ships"]
    payload = np.array([FIRST_IMO + serial * 37])
    name = random.choice(names["stems"]) + random.choice(names["marks"])
    return {
        "entity": f"M/V {name}" if _happens(random, 0.2) else name,
        "title": random.choice(names["types"]),
        "imo": f"{payload[0]}{check_digits.compute_imo(payload)[0]}",
        "aliases": random.choice(names["stems"]) if _happens(random, 0.25) else None,
        "born_or_built": str(random.randrange(1984, 2024)),
    }
