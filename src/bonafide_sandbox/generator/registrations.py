"""Register numbers and registration dates: serial numbers rise with time, as in the real registers.

Numbers are unique in their register for every business of the largest world, and none is a fixed business's. Nothing is counted:
a number follows from the business's ordinal.
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
"""The day to which the made-up Canada's files are dated; nothing in them is later."""
FIRST_DAY = date(1958, 3, 3)

STEP = 7_368_787
"""A prime beyond every span: ordinals times this, modulo the span, meet each serial once."""
GROWTH = 0.45
"""Registrations accelerate: half the serials fall into the last quarter of the years."""
BUSINESS_NUMBERS = 80_000_000
ONTARIO_CHANGE = 2_500_000
"""From this serial on Ontario's numbers have ten digits."""
KNOWN_NUMBERS = range(1_000_000, 1_001_000)
"""Seven-digit numbers that belong to the fixed businesses."""

_FIRM_ROWS = np.array([kind in FIRM_KINDS for kind in KINDS])


@dataclass(frozen=True, slots=True)
class RegistrationColumns:
    """For each row: its register's number, how a numbered company spells it in its name, and the day of registration."""

    numbers: list[str]
    spelled: list[str]
    days: NDArray[np.datetime64]


RegisterNumberFormat = Callable[[IntArray, IntArray], tuple[list[str], list[str]]]
"""From serials and kinds to the numbers and to what a numbered company's name shows of them."""


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
    """Companies: seven digits, ten for the newest. Firms: nine digits that pass Luhn."""
    companies = np.where(serials < ONTARIO_CHANGE, 1_100_000 + serials, 1_000_000_000 + serials - ONTARIO_CHANGE)
    payloads = 10_000_000 + serials * 3
    firms = payloads * 10 + check_digits.compute_luhn(payloads)
    numbers = [str(number) for number in np.where(_FIRM_ROWS[kinds], firms, companies).tolist()]
    return numbers, numbers


def _quebec(serials: IntArray, kinds: IntArray) -> tuple[list[str], list[str]]:
    """An NEQ's beginning tells the kind; a numbered company's name shows a number of its own."""
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
    """The first digit tells the kind."""
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


# How many serials a register has (more than its share of the largest world), and how it spells them.
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
    """Numbers and days of a column of businesses, given by their register's number, their ordinal there and their kind's number."""
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
    """Nine-digit Business Numbers that pass Luhn, one for each index and unique up to the largest world."""
    payloads = 10_000_000 + (indices * STEP + seed) % BUSINESS_NUMBERS
    return [str(number) for number in (payloads * 10 + check_digits.compute_luhn(payloads)).tolist()]
