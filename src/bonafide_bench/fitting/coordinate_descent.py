"""Coordinate descent: change one number at a time while that reduces the loss, until a pass over all numbers changes nothing."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Protocol

from bonafide_bench.fitting.loss import LEAST_GAIN, FittedNumber
from bonafide_bench.fitting.number_ranges import get_step, keeps_order

_DECIMALS = 3
_MULTIPLES = (1, 2, 5)
"""Steps tried in each direction, in multiples of the smallest step of the number."""
MOST_PASSES = 4


class DescentTarget(Protocol):
    """What depends on the numbers."""

    def compute_loss(self, key: str, value: float) -> float:
        """The loss without penalty if one number had another value and all others their present one."""

    def keep(self, key: str, value: float) -> None:
        """Give a number another value for good."""


def fit_numbers(
    numbers: Sequence[FittedNumber],
    values: dict[str, float],
    start: float,
    target: DescentTarget,
    chance: Random,
    passes: int = MOST_PASSES,
) -> float:
    """Change `values` so that the loss with penalties falls; returns the loss without penalties.

    `values` has the present value of every number, and `start` is their loss. A pass takes the numbers in random order.
    """
    loss = start
    for _ in range(passes):
        changed = False
        for number in chance.sample(list(numbers), len(numbers)):
            found = _find_better_value(number, values, loss, target)
            if found is not None:
                values[number.key], loss = found
                target.keep(number.key, values[number.key])
                changed = True
        if not changed:
            break
    return loss


def _find_better_value(
    number: FittedNumber, values: Mapping[str, float], loss: float, target: DescentTarget
) -> tuple[float, float] | None:
    """The value with the lowest loss and penalty, and its loss; None if no value gains at least `LEAST_GAIN`."""
    present = values[number.key]
    best, bound = None, loss + number.compute_penalty(present) - LEAST_GAIN
    for value in list_candidates(number, present, values):
        found = target.compute_loss(number.key, value)
        if found + number.compute_penalty(value) <= bound:
            best, bound = (value, found), found + number.compute_penalty(value)
    return best


def list_candidates(number: FittedNumber, present: float, values: Mapping[str, float]) -> list[float]:
    """Other values to try: inside the range, in the order that `keeps_order` demands, with at most three decimals."""
    step = get_step(present)
    moved = (round(present + sign * multiple * step, _DECIMALS) for multiple in _MULTIPLES for sign in (1, -1))
    return [
        value for value in dict.fromkeys(moved) if number.low <= value <= number.high and keeps_order(number.key, value, values)
    ]
