"""Geometry of bar charts and step charts for SVG.

Scales begin at zero.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log10

_TICKS = 4
"""The approximate number of lines of the scale."""


@dataclass(frozen=True, slots=True)
class ChartBar:
    """One bar: its position, its height, and the part of the height, from the top, that has the second colour."""

    x: float
    y: float
    width: float
    height: float
    second_height: float


@dataclass(frozen=True, slots=True)
class ChartTick:
    """A line of the scale: its position and its value."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class StepChart:
    """Values that hold until the next one: the line, the area below it, its points, and marks on the time axis."""

    width: int
    height: int
    line: str
    ground: str
    points: tuple[tuple[float, float], ...]
    marks: tuple[float, ...]
    ticks: tuple[ChartTick, ...]


def build_bars(values: Sequence[tuple[int, int]], width: int, height: int) -> tuple[ChartBar, ...]:
    """A bar for each pair of a total and the part of it that has the second colour. A total above 0 always has a visible bar."""
    most = max((value for value, _ in values), default=0)
    place = width / max(len(values), 1)
    bars = []
    for index, (value, second) in enumerate(values):
        tall = max(height * value / most, 1.5) if value > 0 else 0.0
        numbers = (index * place + place * 0.1, height - tall, place * 0.8, tall, tall * second / max(value, 1))
        bars.append(ChartBar(*(round(number, 2) for number in numbers)))
    return tuple(bars)


def build_step_chart(
    values: Sequence[tuple[datetime, int]], marks: Sequence[datetime], now: datetime, width: int = 640, height: int = 180
) -> StepChart:
    """A stepped line of values, oldest first, up to now. `marks` are instants to mark on the time axis."""
    first = min([*(instant for instant, _ in values), *marks], default=now)
    length = max((now - first).total_seconds(), 1.0)
    most = _round_up(max((value for _, value in values), default=0))

    def x(instant: datetime) -> float:
        return round((instant - first).total_seconds() / length * width, 1)

    def y(value: int) -> float:
        return round(height - value / most * height, 1)

    points = tuple((x(instant), y(value)) for instant, value in values)
    line = "".join(f"M{px:g} {py:g}" if index == 0 else f"H{px:g}V{py:g}" for index, (px, py) in enumerate(points))
    line = f"{line}H{width}" if points else ""
    return StepChart(
        width=width,
        height=height,
        line=line,
        ground=f"{line}V{height}H{points[0][0]:g}Z" if points else "",
        points=points,
        marks=tuple(x(instant) for instant in marks),
        ticks=tuple(ChartTick(y(value), value) for value in (most * line // _TICKS for line in range(_TICKS + 1))),
    )


def _round_up(value: int) -> int:
    """The next round number, a power of ten times 1, 2, 2.5, 4, 5, 8 or 10: 23,400 becomes 25,000."""
    if value <= _TICKS:
        return _TICKS
    power = 10 ** int(log10(value))
    return next(int(step * power) for step in (1, 2, 2.5, 4, 5, 8, 10) if step * power >= value)
