"""Generate registration numbers and dates. As in real registers, serial numbers increase over time.

Numbers are unique within their register up to the largest world and never equal a fixed business's number. A number is computed
from the business's ordinal, without counting.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator import check_digits
from bonafide_sandbox.generator.business import FIRM_KINDS, BusinessKind
from bonafide_sandbox.generator.registers import KINDS, REGISTERS
from bonafide_sandbox.generator.seeded_random import IntArray

TODAY = date(2026, 11, 1)
"""The reference date of the sandbox files. They contain no later date."""
FIRST_DAY = date(1958, 3, 3)

STEP = 7_368_787
"""A prime larger than every range: ordinals times this, modulo the range, visit each serial exactly once."""
GROWTH = 0.45
"""Registrations accelerate: half of the serials fall in the last quarter of the period."""
BUSINESS_NUMBERS = 80_000_000
ONTARIO_CHANGE = 2_500_000
"""Ontario numbers have ten digits from this serial on."""
KNOWN_NUMBERS = range(1_000_000, 1_001_000)
"""Seven-digit numbers reserved for the fixed businesses."""

_FIRM_ROWS = np.array([kind in FIRM_KINDS for kind in KINDS])


@dataclass(frozen=True, slots=True)
class RegistrationColumns:
    """For each row: the registration number, its form in a numbered company's name, and the registration date."""

    numbers: list[str]
    spelled: list[str]
    days: NDArray[np.datetime64]


RegisterNumberFormat = Callable[[IntArray, IntArray], tuple[list[str], list[str]]]
"""Converts serials and kinds to registration numbers and their form in a numbered company's name."""


def _create_plain_format(first: int, width: int = 0) -> RegisterNumberFormat:
    def spell(serials: IntArray, _: IntArray) -> tuple[list[str], list[str]]:
        numbers = [f"{number:0{width}d}" for number in (first + serials).tolist()]
        return numbers, numbers

    return spell


def _federal(serials: IntArray, _: IntArray) -> tuple[list[str], list[str]]:
    payloads = 200_000 + serials
    numbers = [str(number) for number in (payloads * 10 + check_digits.compute_federal(payloads)).tolist()]
    return numbers, numbers


def _ontario(serials: IntArray, kinds: IntArray) -> tuple[list[str], list[str]]:
    """Companies have seven digits, or ten for recent ones. Firms have nine digits that pass Luhn."""
    companies = np.where(serials < ONTARIO_CHANGE, 1_100_000 + serials, 1_000_000_000 + serials - ONTARIO_CHANGE)
    payloads = 10_000_000 + serials * 3
    firms = payloads * 10 + check_digits.compute_luhn(payloads)
    numbers = [str(number) for number in np.where(_FIRM_ROWS[kinds], firms, companies).tolist()]
    return numbers, numbers


def _quebec(serials: IntArray, kinds: IntArray) -> tuple[list[str], list[str]]:
    """The prefix of an NEQ depends on the kind. A numbered company's name contains a different number."""
    prefixes = _by_kind("11", {BusinessKind.FIRM: "22", BusinessKind.PARTNERSHIP: "33", BusinessKind.LIMITED_PARTNERSHIP: "33"})[
        kinds
    ].tolist()
    serial_list = serials.tolist()
    numbers = [f"{prefix}{61_000_000 + serial}" for prefix, serial in zip(prefixes, serial_list, strict=True)]
    return numbers, [f"{(90_200_000 + serial) // 10_000}-{serial % 10_000:04d}" for serial in serial_list]


def _alberta(serials: IntArray, _: IntArray) -> tuple[list[str], list[str]]:
    payloads = 200_000_000 + 1_100_000 + serials
    numbers = [str(number) for number in (payloads * 10 + check_digits.compute_luhn(payloads)).tolist()]
    return numbers, [number[2:9] for number in numbers]


def _british_columbia(serials: IntArray, kinds: IntArray) -> tuple[list[str], list[str]]:
    payloads = 100_000 + serials
    payloads = np.where(payloads >= KNOWN_NUMBERS.start, payloads + len(KNOWN_NUMBERS), payloads)
    prefixes = _by_kind(
        "BC",
        {
            BusinessKind.FIRM: "FM",
            BusinessKind.PARTNERSHIP: "FM",
            BusinessKind.LIMITED_PARTNERSHIP: "LP",
            BusinessKind.NONPROFIT: "S",
            BusinessKind.COOPERATIVE: "CP",
            BusinessKind.EXTRA_PROVINCIAL: "A",
        },
    )[kinds].tolist()
    digits = [f"{payload:07d}" for payload in payloads.tolist()]
    return [prefix + number for prefix, number in zip(prefixes, digits, strict=True)], digits


def _yukon(serials: IntArray, kinds: IntArray) -> tuple[list[str], list[str]]:
    """The first digit depends on the kind."""
    prefixes = _by_kind(
        "5",
        {
            BusinessKind.FIRM: "2",
            BusinessKind.PARTNERSHIP: "3",
            BusinessKind.LIMITED_PARTNERSHIP: "3",
            BusinessKind.EXTRA_PROVINCIAL: "6",
            BusinessKind.NONPROFIT: "7",
            BusinessKind.COOPERATIVE: "8",
        },
    )[kinds].tolist()
    numbers = [f"{prefix}{serial:05d}" for prefix, serial in zip(prefixes, serials.tolist(), strict=True)]
    return numbers, numbers


def _by_kind(usual: str, others: Mapping[BusinessKind, str]) -> NDArray[np.object_]:
    return np.array([others.get(kind, usual) for kind in KINDS], dtype=object)


# Each register's serial range (larger than its share of the largest world) and its number format.
RANGES: Mapping[Jurisdiction, tuple[int, RegisterNumberFormat]] = {
    Jurisdiction.ON: (3_000_000, _ontario),
    Jurisdiction.QC: (5_000_000, _quebec),
    Jurisdiction.FED: (1_700_000, _federal),
    Jurisdiction.AB: (1_500_000, _alberta),
    Jurisdiction.BC: (1_400_000, _british_columbia),
    Jurisdiction.MB: (1_000_000, _create_plain_format(3_500_000)),
    Jurisdiction.SK: (900_000, _create_plain_format(101_000_000)),
    Jurisdiction.NS: (1_500_000, _create_plain_format(2_100_000)),
    Jurisdiction.NB: (200_000, _create_plain_format(500_000)),
    Jurisdiction.NL: (100_000, _create_plain_format(20_000)),
    Jurisdiction.PE: (60_000, _create_plain_format(100_000)),
    Jurisdiction.YT: (80_000, _yukon),
    Jurisdiction.NT: (30_000, _create_plain_format(500_000)),
    Jurisdiction.NU: (20_000, _create_plain_format(1_000, width=6)),
}


def assign_registrations(seed: int, registers: IntArray, ordinals: IntArray, kinds: IntArray) -> RegistrationColumns:
    """Assign numbers and dates to a column of businesses from their register, ordinal and kind."""
    numbers = np.empty(len(registers), dtype=object)
    spelled = np.empty(len(registers), dtype=object)
    ages = np.empty(len(registers))
    for place, register in enumerate(REGISTERS):
        rows = np.flatnonzero(registers == place)
        span, spell = RANGES[register.jurisdiction]
        serials = (ordinals[rows] * STEP + seed) % span
        numbers[rows], spelled[rows] = spell(serials, kinds[rows])
        ages[rows] = np.power(serials / span, GROWTH)
    days = (ages * (TODAY - FIRST_DAY).days).astype(np.int64)
    return RegistrationColumns(numbers.tolist(), spelled.tolist(), np.datetime64(FIRST_DAY) + days)


def create_business_numbers(seed: int, indices: IntArray) -> list[str]:
    """Return a nine-digit Business Number that passes Luhn for each index, unique up to the largest world."""
    payloads = 10_000_000 + (indices * STEP + seed) % BUSINESS_NUMBERS
    return [str(number) for number in (payloads * 10 + check_digits.compute_luhn(payloads)).tolist()]
