"""The holders of a regulator's list on a day: licences that have lapsed, been revoked or removed, and changed addresses and names.

A list changes independently of the register and of other lists: a store that has moved is found at its new address on the list of
one regulator, and at its former address on that of another.
"""

import zlib
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from bonafide_sandbox.generator.business import LicenceStanding, OfficeAddress, SandboxBusiness
from bonafide_sandbox.generator.changes.schedule import draw_change_days
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.generator.seeded_random import SeededRandom

LAPSED, REVOKED, GONE, RENAMED = 0.3, 0.4, 0.55, 0.65
"""Cumulative shares of the changes. The others are changes of address."""
_TRADING_AS = " Group"


class LicenceChanges:
    """The changes of one list by a day."""

    def __init__(self, seed: int, source: str, day: int) -> None:
        self._day = day
        self._seed = seed ^ zlib.crc32(source.encode())

    def apply(self, businesses: Iterable[SandboxBusiness]) -> list[SandboxBusiness]:
        """Return the businesses as this list states them."""
        listed = list(businesses)
        if self._day == 0:
            return listed
        draws = SeededRandom.of(self._seed, np.array([business.random_bits for business in listed], dtype=np.int64))
        days = draw_change_days(draws)
        first_days = np.array([max((business.registered_on - TODAY).days, 0) for business in listed])
        rows = np.flatnonzero((days <= self._day) & (days > first_days))
        units = draws.at(rows).unit("kind of change").tolist()
        doors = draws.at(rows).below("door", 900).tolist()
        for row, unit, door in zip(rows.tolist(), units, doors, strict=True):
            listed[row] = _change(listed[row], unit, door)
        return listed


def _change(business: SandboxBusiness, unit: float, door: int) -> SandboxBusiness:
    if unit < LAPSED:
        return replace(business, licence=LicenceStanding.LAPSED)
    if unit < REVOKED:
        return replace(business, licence=LicenceStanding.REVOKED)
    if unit < GONE:
        return replace(business, licence=LicenceStanding.GONE)
    if unit < RENAMED:
        return replace(business, name=f"{business.name}{_TRADING_AS}")
    return replace(business, address=_move(business.address, door))


def _move(address: OfficeAddress, door: int) -> OfficeAddress:
    """Return an address on the same street."""
    return replace(address, street_number=str(int(address.street_number) + 1 + door))
