"""Generate the parties of the EU, UK, Swiss, Australian and Dutch sanctions lists. All are fictional.

As in the real lists, most parties appear on several lists with the same spelling. Parties depend only on the seed. The writers
format them.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import Enum
from random import Random

import numpy as np

from bonafide_sandbox.generator import check_digits
from bonafide_sandbox.generator.changes.schedule import ListSchedule
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.generator.registrations import TODAY

_CYRILLIC = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "АБКДЕФГХИЖКЛМНОПКРСТУВВКЫЗабкдефгхижклмнопкрстуввкыз"
)


def to_cyrillic(name: str) -> str:
    """Transliterate a name to Cyrillic. Other characters are unchanged."""
    return name.translate(_CYRILLIC)


PARTIES = 260
TERRORISTS = 60
FIRST_IMO = 360_000
"""Real IMO numbers begin with 5 to 9. The other sandbox lists use 30 to 34."""
FIRST_LISTING = date(2011, 3, 1)
UPDATED = date(2026, 10, 1)
"""The publication date of the lists."""
_TABLE = read_table("sanctions")
_COUNTRIES = {
    "slavic": ("RU", "Russia", "Moscow"),
    "persian": ("IR", "Iran", "Tehran"),
    "arabic": ("SY", "Syria", "Damascus"),
    "burmese": ("MM", "Myanmar", "Yangon"),
    "spanish": ("VE", "Venezuela", "Caracas"),
}


class ForeignPartyKind(Enum):
    """The type of a party."""

    PERSON = "person"
    ORGANISATION = "organisation"
    SHIP = "ship"


_SHARES = {ForeignPartyKind.PERSON: 60, ForeignPartyKind.ORGANISATION: 25, ForeignPartyKind.SHIP: 15}


@dataclass(frozen=True, slots=True)
class ForeignBirthDate:
    """A full or partial date of birth. With `until`, it is a range of years."""

    year: int
    month: int | None = None
    day: int | None = None
    until: int | None = None
    circa: bool = False


@dataclass(frozen=True, slots=True)
class ForeignAlias:
    """An alias, and whether it is a weak (low-quality) one."""

    text: str
    weak: bool


@dataclass(frozen=True, slots=True)
class ForeignParty:
    """One party. Only people have `given`. `number` is a passport, registration or IMO number."""

    serial: int
    kind: ForeignPartyKind
    name: str
    """The family name of a person, or the full name of any other party."""
    country: str
    country_name: str
    city: str
    listed: date
    number: str
    given: tuple[str, ...] = ()
    title: str | None = None
    aliases: tuple[ForeignAlias, ...] = ()
    other_script: str | None = None
    births: tuple[ForeignBirthDate, ...] = ()

    @property
    def full_name(self) -> str:
        """Return the given names followed by the name."""
        return " ".join((*self.given, self.name))


def create_foreign_parties(seed: int, day: int = 0) -> list[ForeignParty]:
    """Return the pool of parties that the lists share on a day."""
    schedule = ListSchedule(seed, "foreign parties", PARTIES, day)
    random = Random(f"foreign listings of {seed}")
    kinds = [kind for kind, share in _SHARES.items() for _ in range(share)]
    parties = [
        _create_party(random, serial, random.choice(kinds), random.choice(list(_COUNTRIES)))
        for serial in range(1, schedule.total + 1)
    ]
    return _select_listed(schedule, parties)


def create_terrorists(seed: int, day: int = 0) -> list[ForeignParty]:
    """Return the people and organizations of a national list on a day. They appear on no other list."""
    schedule = ListSchedule(seed, "national list", TERRORISTS, day)
    random = Random(f"national listings of {seed}")
    kinds = [ForeignPartyKind.PERSON] * 9 + [ForeignPartyKind.ORGANISATION]
    parties = [_create_party(random, serial, random.choice(kinds), "arabic") for serial in range(1, schedule.total + 1)]
    return _select_listed(schedule, parties)


def _select_listed(schedule: ListSchedule, parties: list[ForeignParty]) -> list[ForeignParty]:
    """Return the parties that are listed on the day. One that has changed has another alias."""
    return schedule.apply(parties, _amend, lambda party, day: replace(party, listed=day))


def _amend(party: ForeignParty) -> ForeignParty:
    alias = f"{party.given[0][0]}. {party.name}" if party.given else f"{party.name} II"
    return replace(party, aliases=(*party.aliases, ForeignAlias(alias, weak=False)))


def _create_party(random: Random, serial: int, kind: ForeignPartyKind, tradition: str) -> ForeignParty:
    place = _COUNTRIES[tradition]
    listed = FIRST_LISTING + timedelta(days=random.randrange((TODAY - FIRST_LISTING).days))
    if kind is ForeignPartyKind.PERSON:
        return _person(random, serial, tradition, listed)
    if kind is ForeignPartyKind.SHIP:
        return _ship(random, serial, place, listed)
    names = _TABLE["organisations"]
    stem = f"{random.choice(names['stems'])}-{random.randrange(2, 999)}"
    aliases = [ForeignAlias(f"{stem} Group", weak=False)] if _happens(random, 0.6) else []
    name = random.choice(names["forms"]).format(stem)
    script = to_cyrillic(stem) if tradition == "slavic" else None
    number = str(random.randrange(10**9, 10**10))
    return ForeignParty(serial, kind, name, *place, listed, number, aliases=tuple(aliases), other_script=script)


def _person(random: Random, serial: int, tradition: str, listed: date) -> ForeignParty:
    names = _TABLE["people"][tradition]
    given = (random.choice(names["given"]), random.choice(names["second"]))
    family = random.choice(names["stems"]) + random.choice(names["endings"])
    aliases = [ForeignAlias(f"{given[0]} {family}", weak=False)] if _happens(random, 0.5) else []
    aliases += [ForeignAlias(family[: random.randrange(3, 6)].strip(), weak=True)] if _happens(random, 0.25) else []
    return ForeignParty(
        serial,
        ForeignPartyKind.PERSON,
        family,
        *_COUNTRIES[tradition],
        listed,
        f"{random.choice('ABKP')}{random.randrange(10**6, 10**7)}",
        given=given,
        title=random.choice([None, None, "Dr", "General"]),
        aliases=tuple(aliases),
        other_script=to_cyrillic(f"{given[0]} {family}") if tradition == "slavic" else None,
        births=_births(random),
    )


def _births(random: Random) -> tuple[ForeignBirthDate, ...]:
    """Generate dates of birth: mostly one full date, otherwise partial, approximate, a range, several dates or none."""
    year, month, day = random.randrange(1938, 1992), random.randrange(1, 13), random.randrange(1, 29)
    forms: tuple[tuple[ForeignBirthDate, ...], ...] = (
        (ForeignBirthDate(year, month, day),),
        (ForeignBirthDate(year),),
        (ForeignBirthDate(year, month),),
        (ForeignBirthDate(year, month, day), ForeignBirthDate(year + 1)),
        (ForeignBirthDate(year, until=year + 2),),
        (ForeignBirthDate(year, circa=True),),
        (),
    )
    return random.choices(forms, (66, 10, 4, 4, 4, 4, 8))[0]


def _ship(random: Random, serial: int, place: tuple[str, str, str], listed: date) -> ForeignParty:
    names = _TABLE["ships"]
    payload = np.array([FIRST_IMO + serial])
    former = (ForeignAlias(random.choice(names["stems"]), weak=False),) if _happens(random, 0.4) else ()
    number = f"{payload[0]}{check_digits.compute_imo(payload)[0]}"
    return ForeignParty(
        serial,
        ForeignPartyKind.SHIP,
        random.choice(names["stems"]) + random.choice(names["marks"]),
        *place,
        listed,
        number,
        aliases=former,
    )


def _happens(random: Random, share: float) -> bool:
    return random.random() < share
