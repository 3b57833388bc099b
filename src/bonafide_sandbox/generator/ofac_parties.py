"""Generate the parties of the two OFAC lists: people, companies, ships and aircraft. All are fictional.

Parties depend only on the seed. Their ids are higher than any that OFAC has assigned. `writers.sanctions.ofac` formats them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from types import MappingProxyType

import numpy as np

from bonafide_sandbox.generator import check_digits
from bonafide_sandbox.generator.changes.schedule import ListSchedule
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.generator.registrations import TODAY

FIRST_NUMBER = 900_001
FIRST_IMO = 340_000
"""Real IMO numbers begin with 5 to 9. The sandbox's Canadian list uses 30 to 34."""
FIRST_LISTING = date(2002, 6, 3)
_TABLE = read_table("sanctions")
_SPREAD = 7_919
_REGIMES = (
    ("RUSSIA-EO14024", "slavic", "Russia", "Moscow"),
    ("BELARUS-EO14038", "slavic", "Belarus", "Minsk"),
    ("IRAN", "persian", "Iran", "Tehran"),
    ("SYRIA", "arabic", "Syria", "Damascus"),
    ("BURMA-EO14014", "burmese", "Burma", "Yangon"),
    ("VENEZUELA-EO13850", "spanish", "Venezuela", "Caracas"),
)
"""Program, name tradition, country and city."""
_CYRILLIC = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "АБКДЕФГХИЖКЛМНОПКРСТУВВКЫЗ")
"""A letter-for-letter mapping, sufficient for fictional names."""


@dataclass(frozen=True, slots=True)
class SandboxOfacName:
    """One name: the family name (or the full name of a non-person), given names, and the list's qualifiers."""

    family: str
    given: str | None = None
    kind: str | None = None
    """`A.K.A.` or `F.K.A.`, or None for the primary name."""
    weak: bool = False
    cyrillic: str | None = None

    @property
    def full(self) -> str:
        """Return the name as printed in the list: `HENTZAU, Rupert`."""
        return f"{self.family.upper()}, {self.given}" if self.given is not None else self.family.upper()


@dataclass(frozen=True, slots=True)
class SandboxOfacParty:
    """One entity of the XML file."""

    number: int
    kind: str
    names: tuple[SandboxOfacName, ...]
    program: str
    listed: date
    city: str
    country: str
    features: tuple[tuple[str, str], ...] = ()
    documents: tuple[tuple[str, str, str | None], ...] = ()
    """Type, number and issuing country."""
    title: str | None = None


def create_ofac_parties(seed: int, listing: str, shares: Mapping[str, int], day: int = 0) -> list[SandboxOfacParty]:
    """Generate the parties of the named list on a day.

    `shares` are the numbers of parties per type (`Individual`, `Entity`, `Vessel`, `Aircraft`) on day 0.
    """
    random = Random(f"{listing} of {seed}")
    kinds = [kind for kind, count in shares.items() for _ in range(count)]
    # Each list has its own id range, so no party appears on both.
    first = FIRST_NUMBER if len(shares) == len(_MAKERS) else FIRST_NUMBER + 50_000
    schedule = ListSchedule(seed, listing, len(kinds), day)
    # The types of new parties are spread over the list, which is ordered by type.
    kinds += [kinds[place * _SPREAD % len(kinds)] for place in range(schedule.total - len(kinds))]
    parties = [_create_party(random, first + place, kind) for place, kind in enumerate(kinds)]
    return schedule.apply(parties, _amend, lambda party, day: replace(party, listed=day))


def _amend(party: SandboxOfacParty) -> SandboxOfacParty:
    """Return a party with another alias."""
    name = party.names[0]
    alias = SandboxOfacName(name.family, f"{name.given[0]}." if name.given is not None else None, "A.K.A.")
    alias = alias if name.given is not None else replace(alias, family=f"{name.family} II")
    return replace(party, names=(*party.names, alias))


def _create_party(random: Random, number: int, kind: str) -> SandboxOfacParty:
    program, tradition, country, city = random.choice(_REGIMES)
    listed = FIRST_LISTING + timedelta(days=random.randrange((TODAY - FIRST_LISTING).days))
    party = SandboxOfacParty(number, kind, (), program, listed, city, country)
    return _MAKERS[kind](random, party, tradition)


def _individual(random: Random, party: SandboxOfacParty, tradition: str) -> SandboxOfacParty:
    names = _TABLE["people"][tradition]
    given, second = random.choice(names["given"]), random.choice(names["second"])
    family = random.choice(names["stems"]) + random.choice(names["endings"])
    written = _cyrillic(f"{family}, {given}") if tradition == "slavic" else None
    others = [SandboxOfacName(family, given, "A.K.A.")] if _happens(random, 0.5) else []
    others += [SandboxOfacName(family[: random.randrange(3, 6)], None, "A.K.A.", weak=True)] if _happens(random, 0.2) else []
    features = [("Gender", random.choice(["Male", "Female"])), ("Nationality Country", party.country)]
    features += [("Birthdate", _birth(random))] if _happens(random, 0.8) else []
    passport = ("Passport", f"{random.choice('ABKP')}{random.randrange(10**6, 10**7)}", party.country)
    return replace(
        party,
        names=(SandboxOfacName(family, f"{given} {second}", cyrillic=written), *others),
        features=tuple(features),
        documents=(passport,) if _happens(random, 0.5) else (),
        title=random.choice([None, None, "Deputy Minister", "Brigadier General"]),
    )


def _birth(random: Random) -> str:
    """Generate a date of birth: mostly a full date, sometimes a year, an approximate year or a range."""
    year = random.randrange(1938, 1992)
    day = date(year, 1, 1) + timedelta(days=random.randrange(365))
    forms = (f"{day:%d %b %Y}", str(year), f"circa {year}", f"{day:%b %Y}", f"{year} to {year + 2}")
    return random.choices(forms, (70, 16, 6, 4, 4))[0]


def _entity(random: Random, party: SandboxOfacParty, tradition: str) -> SandboxOfacParty:
    table = _TABLE["organisations"]
    stem = f"{random.choice(table['stems'])}-{random.randrange(2, 999)}"
    name = random.choice(table["forms"]).format(stem)
    others = [SandboxOfacName(f"{stem} Group", None, random.choice(["A.K.A.", "F.K.A."]))] if _happens(random, 0.7) else []
    others += (
        [SandboxOfacName("".join(word[0] for word in name.split()), None, "A.K.A.", weak=True)] if _happens(random, 0.2) else []
    )
    return replace(
        party,
        names=(SandboxOfacName(name, cyrillic=_cyrillic(stem) if tradition == "slavic" else None), *others),
        features=(("Organization Established Date", str(random.randrange(1950, 2020))), ("Website", "www.example.com")),
        documents=(("Tax ID No.", str(random.randrange(10**9, 10**10)), party.country),),
    )


def _vessel(random: Random, party: SandboxOfacParty, _tradition: str) -> SandboxOfacParty:
    table = _TABLE["ships"]
    payload = np.array([FIRST_IMO + party.number % 10_000])
    imo = f"IMO {payload[0]}{check_digits.compute_imo(payload)[0]}"
    former = (SandboxOfacName(random.choice(table["stems"]), None, "F.K.A."),) if _happens(random, 0.4) else ()
    return replace(
        party,
        names=(SandboxOfacName(random.choice(table["stems"]) + random.choice(table["marks"])), *former),
        features=(("VESSEL TYPE", random.choice(table["types"]).partition(" |")[0]), ("Vessel Flag", party.country)),
        documents=(("Vessel Registration Identification", imo, None), ("MMSI", str(random.randrange(10**8, 10**9)), None)),
    )


def _aircraft(random: Random, party: SandboxOfacParty, _tradition: str) -> SandboxOfacParty:
    tail = f"ZZ-{''.join(random.choices('ABCDEFGH', k=3))}{party.number % 100}"
    serial = ("Aircraft Manufacturer's Serial Number (MSN)", str(random.randrange(10_000, 99_999)))
    return replace(party, names=(SandboxOfacName(tail),), features=(("Aircraft Model", "B.747"), serial))


def _happens(random: Random, share: float) -> bool:
    return random.random() < share


def _cyrillic(name: str) -> str:
    return name.upper().translate(_CYRILLIC)


_MAKERS: Mapping[str, Callable[[Random, SandboxOfacParty, str], SandboxOfacParty]] = MappingProxyType(
    {"Individual": _individual, "Entity": _entity, "Vessel": _vessel, "Aircraft": _aircraft}
)
