"""The fourteen registers: their share of businesses, business kinds, and vocabulary.

A business's register depends only on its index, by a pattern with a period of 1,000. Shares are exact, every register occurs in
every period, and a business's ordinal within its register is computed without counting.
"""

from dataclasses import dataclass

import numpy as np

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FIRM_KINDS, BusinessKind, LifecycleStatus
from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.generator.seeded_random import IntArray
from bonafide_sandbox.generator.weighted_choice import CumulativeWeights

PERIOD = 1_000
"""The pattern of registers repeats after this many businesses."""

KINDS = tuple(BusinessKind)


@dataclass(frozen=True, slots=True)
class SandboxRegister:
    """One register, read from `registers.yml`."""

    jurisdiction: Jurisdiction
    share: int
    """Businesses per thousand."""
    french: float
    kinds: dict[BusinessKind, float]
    numbered: tuple[str, ...]
    types: dict[BusinessKind, str]
    statuses: dict[LifecycleStatus, str]
    firm_statuses: dict[LifecycleStatus, str]

    def status(self, kind: BusinessKind, standing: LifecycleStatus) -> str:
        """Return the register's term for a lifecycle status."""
        return (self.firm_statuses if kind in FIRM_KINDS else self.statuses)[standing]


def _read_registers() -> tuple[SandboxRegister, ...]:
    return tuple(
        SandboxRegister(
            jurisdiction=Jurisdiction(code),
            share=facts["share"],
            french=facts["french"],
            kinds={BusinessKind(kind): weight for kind, weight in facts["kinds"].items()},
            numbered=tuple(facts["numbered"]),
            types={BusinessKind(kind): label for kind, label in facts["types"].items()},
            statuses=_parse_statuses(facts["statuses"]),
            firm_statuses=_parse_statuses(facts.get("firm_statuses", facts["statuses"])),
        )
        for code, facts in read_table("registers").items()
    )


def _parse_statuses(facts: dict[str, str]) -> dict[LifecycleStatus, str]:
    return {LifecycleStatus(standing): word for standing, word in facts.items()}


REGISTERS = _read_registers()
"""In the order of `registers.yml`. The index in this tuple is the register's number in all columns."""

BY_JURISDICTION = {register.jurisdiction: register for register in REGISTERS}
FRENCH_SHARES = np.array([register.french for register in REGISTERS])
KIND_WEIGHTS = CumulativeWeights.of([register.kinds.get(kind, 0) for kind in KINDS] for register in REGISTERS)

_SHARES = np.array([register.share for register in REGISTERS], dtype=np.int64)


def _pattern() -> tuple[IntArray, IntArray]:
    """Return the register of each slot and its rank among that register's slots, evenly interleaved."""
    slots = sorted(
        ((rank + 0.5) / register.share, number, rank) for number, register in enumerate(REGISTERS) for rank in range(register.share)
    )
    numbers = np.array([number for _, number, _ in slots], dtype=np.int64)
    return numbers, np.array([rank for _, _, rank in slots], dtype=np.int64)


_SLOT_REGISTERS, _SLOT_RANKS = _pattern()


def assign_registers(indices: IntArray) -> tuple[IntArray, IntArray]:
    """Return each business's register number and its ordinal in that register."""
    slots = indices % PERIOD
    registers = _SLOT_REGISTERS[slots]
    return registers, indices // PERIOD * _SHARES[registers] + _SLOT_RANKS[slots]


def list_indices(jurisdiction: Jurisdiction, start: int, periods: int) -> IntArray:
    """Return the indices of a register's businesses in the given number of periods. `start` is a multiple of `PERIOD`."""
    number = REGISTERS.index(BY_JURISDICTION[jurisdiction])
    slots = np.flatnonzero(number == _SLOT_REGISTERS)
    return (start + np.arange(periods)[:, None] * PERIOD + slots).ravel()
