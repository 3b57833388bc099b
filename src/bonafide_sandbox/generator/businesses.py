"""Generate the businesses of the sandbox world in columnar blocks.

Business `i` depends only on (seed, i), so a small world is a prefix of every larger one. This module writes no files.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

import numpy as np

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator import addresses
from bonafide_sandbox.generator.business import FormerName, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.business_names import NamingInputs, create_names
from bonafide_sandbox.generator.data_tables import to_word_array
from bonafide_sandbox.generator.people import draw_officers
from bonafide_sandbox.generator.registers import (
    FRENCH_SHARES,
    KIND_WEIGHTS,
    KINDS,
    PERIOD,
    REGISTERS,
    assign_registers,
    list_indices,
)
from bonafide_sandbox.generator.registrations import TODAY, RegistrationColumns, assign_registrations, create_business_numbers
from bonafide_sandbox.generator.seeded_random import BoolArray, IntArray, SeededRandom
from bonafide_sandbox.generator.weighted_choice import CumulativeWeights

MIN_SIZE = 1_000
MAX_SIZE = 10_000_000
"""Register numbers are unique up to this many businesses."""
BLOCK = 20_000
UNREGISTERED_PERIODS = 4
"""Number of index periods searched at once for unregistered businesses."""

_STANDINGS = tuple(LifecycleStatus)
_STANDING_WEIGHTS = CumulativeWeights.of([[62, 5, 1, 24, 4, 2, 2]])


def create_businesses(seed: int, start: int, stop: int) -> Iterator[SandboxBusiness]:
    """Yield the businesses with these indices, in order."""
    for first in range(start, stop, BLOCK):
        with pause_garbage_collection():
            made = create_block(seed, np.arange(first, min(first + BLOCK, stop), dtype=np.int64))
        yield from made


def create_unregistered(seed: int, jurisdiction: Jurisdiction) -> Iterator[SandboxBusiness]:
    """Yield, without end, businesses of a jurisdiction that no register contains. Their indices lie beyond the largest world."""
    first = MAX_SIZE
    while True:
        yield from create_block(seed, list_indices(jurisdiction, first, UNREGISTERED_PERIODS))
        first += UNREGISTERED_PERIODS * PERIOD


@dataclass(frozen=True, slots=True)
class BusinessTraits:
    """What the names, addresses and people of a column of businesses are drawn from."""

    draws: SeededRandom
    registers: IntArray
    kinds: IntArray
    french: BoolArray
    cities: addresses.CityColumns
    in_quebec: BoolArray
    registrations: RegistrationColumns

    def create_naming_inputs(self, draws: SeededRandom) -> NamingInputs:
        """Return the inputs for names that are drawn from `draws`."""
        return NamingInputs(
            draws,
            self.registers,
            self.kinds,
            self.french,
            self.cities.city_names,
            self.in_quebec,
            to_word_array(self.registrations.spelled),
        )


def draw_traits(seed: int, indices: IntArray) -> BusinessTraits:
    """Draw the traits of the businesses with these indices."""
    draws = SeededRandom.of(seed, indices)
    registers, ordinals = assign_registers(indices)
    kinds = KIND_WEIGHTS.pick(registers, draws.unit("kind")) % len(KINDS)
    cities = addresses.draw_cities(draws, registers)
    return BusinessTraits(
        draws,
        registers,
        kinds,
        draws.chance("french", FRENCH_SHARES[registers]),
        cities,
        cities.provinces == addresses.PROVINCES.index(Jurisdiction.QC),
        assign_registrations(seed, registers, ordinals, kinds),
    )


def create_block(seed: int, indices: IntArray) -> list[SandboxBusiness]:
    """Generate the businesses with these indices."""
    traits = draw_traits(seed, indices)
    draws, filings = traits.draws, traits.registrations
    names = create_names(traits.create_naming_inputs(draws))
    days: list[date] = filings.days.astype("datetime64[D]").tolist()
    columns = zip(
        [REGISTERS[register].jurisdiction for register in traits.registers.tolist()],
        filings.numbers,
        [KINDS[kind] for kind in traits.kinds.tolist()],
        traits.french.tolist(),
        names.legal,
        names.others,
        _date_former_names(draws, names.former, days),
        create_business_numbers(seed, indices),
        [_STANDINGS[standing] for standing in _STANDING_WEIGHTS.pick(0, draws.unit("standing")).tolist()],
        days,
        addresses.draw_addresses(draws, traits.cities),
        draw_officers(draws, traits.kinds, traits.in_quebec),
        (draws.bits("grain") >> np.uint64(2)).tolist(),
        strict=True,
    )
    return [SandboxBusiness(*row) for row in columns]


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Disable garbage collection: a block has 200,000 objects without cycles, and scanning them takes a fifth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _date_former_names(draws: SeededRandom, former: list[tuple[str, ...]], days: list[date]) -> list[tuple[FormerName, ...]]:
    """Assign each former name an end date between registration and today."""
    units = draws.unit("renamed").tolist()
    return [
        tuple(FormerName(name, day + (TODAY - day) * unit) for name in names) if names else ()
        for names, day, unit in zip(former, days, units, strict=True)
    ]
