"""The businesses of the made-up Canada, in blocks of columns that are turned into values: nothing of the world is held but a block.

Business `i` follows from (seed, i) alone, so a small world is the beginning of every larger one. Nothing is written here.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import numpy as np

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sandbox import places
from bonafide.sandbox.business import Business, FormerName, Standing
from bonafide.sandbox.draws import Draws, Integers
from bonafide.sandbox.filings import TODAY, business_numbers, file_all
from bonafide.sandbox.names import Naming, name_all
from bonafide.sandbox.people import officers
from bonafide.sandbox.registers import (
    FRENCH_SHARES,
    KIND_WEIGHTS,
    KINDS,
    PERIOD,
    REGISTERS,
    indices_in,
    registers_of,
)
from bonafide.sandbox.tables import words
from bonafide.sandbox.weights import Weights

MIN_SIZE = 1_000
MAX_SIZE = 10_000_000
"""Register numbers are unique up to this many businesses."""
BLOCK = 20_000
STRANGER_PERIODS = 4
"""How many thousands of indices are searched at once for businesses that are in no register."""

_STANDINGS = tuple(Standing)
_STANDING_WEIGHTS = Weights.of([[62, 5, 1, 24, 4, 2, 2]])


def businesses(seed: int, start: int, stop: int) -> Iterator[Business]:
    """The businesses with these indices, in order."""
    for first in range(start, stop, BLOCK):
        with _uncollected():
            made = block(seed, np.arange(first, min(first + BLOCK, stop), dtype=np.int64))
        yield from made


def strangers(seed: int, jurisdiction: Jurisdiction) -> Iterator[Business]:
    """Businesses of a jurisdiction that no register of any world has, without end: they lie behind the largest world."""
    first = MAX_SIZE
    while True:
        yield from block(seed, indices_in(jurisdiction, first, STRANGER_PERIODS))
        first += STRANGER_PERIODS * PERIOD


def block(seed: int, indices: Integers) -> list[Business]:
    """The businesses with these indices."""
    draws = Draws.of(seed, indices)
    registers, ordinals = registers_of(indices)
    kinds = KIND_WEIGHTS.pick(registers, draws.unit("kind")) % len(KINDS)
    french = draws.chance("french", FRENCH_SHARES[registers])
    settled = places.settle(draws, registers)
    in_quebec = settled.provinces == places.PROVINCES.index(Jurisdiction.QC)
    filings = file_all(seed, registers, ordinals, kinds)
    names = name_all(Naming(draws, registers, kinds, french, settled.city_names, in_quebec, words(filings.spelled)))
    days: list[date] = filings.days.astype("datetime64[D]").tolist()
    columns = zip(
        [REGISTERS[register].jurisdiction for register in registers.tolist()],
        filings.numbers,
        [KINDS[kind] for kind in kinds.tolist()],
        french.tolist(),
        names.legal,
        names.others,
        _dated(draws, names.former, days),
        business_numbers(seed, indices),
        [_STANDINGS[standing] for standing in _STANDING_WEIGHTS.pick(0, draws.unit("standing")).tolist()],
        days,
        places.addresses(draws, settled),
        officers(draws, kinds, in_quebec),
        (draws.bits("grain") >> np.uint64(2)).tolist(),
        strict=True,
    )
    return [Business(*row) for row in columns]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Put off garbage collection: a block is 200,000 objects without a cycle, and looking for one takes a fifth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _dated(draws: Draws, former: list[tuple[str, ...]], days: list[date]) -> list[tuple[FormerName, ...]]:
    """Each former name with a day between registration and today on which it was given up."""
    units = draws.unit("renamed").tolist()
    return [
        tuple(FormerName(name, day + (TODAY - day) * unit) for name in names) if names else ()
        for names, day, unit in zip(former, days, units, strict=True)
    ]
