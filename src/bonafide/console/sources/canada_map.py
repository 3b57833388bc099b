"""The map of Canada as SVG paths in a conformal conic projection.

Outlines are simplified and not authoritative.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, floor, log, pi, radians, sin, tan

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.package_data import read_yaml

WIDTH = 1000
"""The width of the drawing in its own units. Margins leave room for labels."""
MARGIN = 12
_CENTRE_W = 95.0
_PARALLELS = (49.0, 77.0)
"""The standard parallels of the Atlas of Canada."""
_STEP_DEGREES = 2.0
"""Straight borders are subdivided into steps of this length."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MapRegion:
    """A province or territory: its outline as an SVG path, the position of its label, and whether a line leads to the label."""

    jurisdiction: Jurisdiction
    path: str
    inside: Point
    label: Point
    is_aside: bool


@dataclass(frozen=True, slots=True)
class CanadaMap:
    """All regions and the size of the drawing."""

    width: int
    height: int
    places: tuple[MapRegion, ...]


@cache
def build_canada_map() -> CanadaMap:
    """The map, built once."""
    drawn = read_yaml(__package__, "canada.yml")
    rings = {code: [_project_ring(_parse_points(ring)) for ring in place["rings"]] for code, place in drawn.items()}
    points = [point for own in rings.values() for ring in own for point in ring]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    scale = (WIDTH - 2 * MARGIN) / (right - left)

    def to_drawing(point: Point) -> Point:
        return round(MARGIN + (point[0] - left) * scale, 1), round(MARGIN + (point[1] - top) * scale, 1)

    places = []
    for code, place in drawn.items():
        outside = place.get("aside")
        path = "".join(_build_path([to_drawing(point) for point in ring]) for ring in rings[code])
        inside = to_drawing(_project(*place["label"]))
        label = to_drawing(_project(*outside)) if outside is not None else inside
        places.append(MapRegion(Jurisdiction(code), path, inside, label, is_aside=outside is not None))
    return CanadaMap(WIDTH, round((bottom - top) * scale + 2 * MARGIN), tuple(places))


def _parse_points(ring: Sequence[str]) -> list[Point]:
    return [(float(west), float(north)) for west, north in (pair.split() for pair in ring)]


def _project_ring(ring: Sequence[Point]) -> list[Point]:
    """The closed ring in the plane, with its long sides subdivided."""
    sides = zip(ring, [*ring[1:], ring[0]], strict=True)
    return [_project(*point) for start, end in sides for point in _subdivide(start, end)]


def _subdivide(start: Point, end: Point) -> Iterator[Point]:
    """The start of the side, and points between it and the end."""
    length = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    count = max(1, floor(length / _STEP_DEGREES))
    for step in range(count):
        share = step / count
        yield start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _project(west: float, north: float) -> Point:
    """Lambert's conformal conic projection of a sphere, y downwards (Snyder, Map Projections: A Working Manual, 15-1 to 15-4)."""
    first, second = (radians(parallel) for parallel in _PARALLELS)
    cone = log(cos(first) / cos(second)) / log(_stretch(second) / _stretch(first))
    factor = cos(first) * _stretch(first) ** cone / cone
    distance = factor / _stretch(radians(north)) ** cone
    angle = cone * radians(_CENTRE_W - west)
    return distance * sin(angle), distance * cos(angle)


def _stretch(latitude: float) -> float:
    return tan(pi / 4 + latitude / 2)


def _build_path(ring: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in ring) + "Z"
