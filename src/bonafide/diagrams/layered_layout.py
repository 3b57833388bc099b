"""Place the boxes of a directed graph in rows, so that lines lead downwards and cross little (Sugiyama, Tagawa and Toda, 1981).

Four steps: reverse the edges that close cycles, assign rows, order each row by the barycentres of its neighbours, and compute
positions. An edge has a label, which has a place of its own in the row below the edge's upper end, so that no label covers a line.
Lengths are in user units of SVG. The same graph always gets the same positions.
"""

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

Line = tuple[tuple[float, float], ...]
MAX_ROW = 7
"""The most boxes in a row. Further ones are placed above it."""
SWEEPS = 12
"""Of ordering and of placing; more of them change little."""
MIN_SWEEPS = 2
SWEPT_CELLS = 40_000
"""The most cells that all sweeps of one step visit: long lines through many rows have thousands, and get fewer sweeps."""
BOX_GAP = 24.0
LINE_GAP = 10.0
ROW_GAP = 20.0
MAX_ROW_GAP = 90.0
PORT_GAP = 26.0
"""Between lines that meet the same box."""
_PORTS_WIDTH = 0.8
"""The part of a box's width at which lines may meet it."""
_SLOPE = 0.13
"""The height between two rows for each unit that a line goes to the side."""
_STRAIGHT = 4.0
"""How much more a neighbour counts if both are parts of a line, so that long lines are straight."""


@dataclass(frozen=True, slots=True)
class LayoutEdge:
    """An edge between two boxes, with the size of its label."""

    upper: str
    lower: str
    label: tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlacedEdge:
    """The points of an edge from its `upper` end to its `lower` one, before and behind its label, and the label's place.

    The edge leads upwards if it closes a cycle.
    """

    lines: tuple[Line, Line]
    label: "PlacedBox"


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """The place of a box: its centre and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class LayeredLayout:
    """The places of all boxes, those of the edges in their order, and the size of the whole."""

    boxes: Mapping[str, PlacedBox]
    edges: Sequence[PlacedEdge]
    width: float
    height: float


def compute_layout(boxes: Mapping[str, tuple[float, float]], edges: Sequence[LayoutEdge], bottom: str | None) -> LayeredLayout:
    """The layout of boxes of these sizes. `bottom` is where the search for cycles begins; it stays below whatever leads to it."""
    downward = _remove_cycles(list(boxes), edges, bottom)
    rows_of_boxes = _assign_rows(list(boxes), edges, downward)
    grid = _LayoutGrid(boxes, edges, downward, rows_of_boxes)
    grid.order_rows()
    return grid.place()


def _remove_cycles(boxes: Sequence[str], edges: Sequence[LayoutEdge], bottom: str | None) -> list[bool]:
    """For each edge whether it leads downwards; the others close a cycle. An edge from a box to itself isn't allowed."""
    upwards: nx.DiGraph[str] = nx.DiGraph()
    upwards.add_nodes_from([bottom] if bottom is not None else [])
    upwards.add_nodes_from(boxes)
    upwards.add_edges_from((edge.lower, edge.upper) for edge in edges)
    closing: set[tuple[str, str]] = set()
    open_boxes: set[str] = set()
    for lower, upper, step in nx.dfs_labeled_edges(upwards):
        if step == "forward":
            open_boxes.add(upper)
        elif step == "nontree":
            if upper in open_boxes:
                closing.add((lower, upper))
        else:
            open_boxes.discard(upper)
    return [(edge.lower, edge.upper) not in closing for edge in edges]


def _assign_rows(boxes: Sequence[str], edges: Sequence[LayoutEdge], downward: Sequence[bool]) -> dict[str, int]:
    """The row of each box, counted from the bottom: above everything that it leads to, and at most `MAX_ROW` in a row."""
    upwards: nx.DiGraph[str] = nx.DiGraph()
    upwards.add_nodes_from(boxes)
    for edge, leads_down in zip(edges, downward, strict=True):
        upwards.add_edge(*((edge.lower, edge.upper) if leads_down else (edge.upper, edge.lower)))
    rows: dict[str, int] = {}
    filled: dict[int, int] = defaultdict(int)
    order = {box: number for number, box in enumerate(boxes)}
    for box in nx.lexicographical_topological_sort(upwards, key=order.__getitem__):
        row = max((rows[lower] + 1 for lower in upwards.predecessors(box)), default=0)
        while filled[row] >= MAX_ROW:
            row += 1
        rows[box] = row
        filled[row] += 1
    return rows


class _LayoutGrid:
    """Rows of cells: boxes in every second row, and for each edge a cell in every row between its ends, one of them its label.

    A cell is the ID of a box, or the number of an edge and that of a row.
    """

    def __init__(
        self,
        boxes: Mapping[str, tuple[float, float]],
        edges: Sequence[LayoutEdge],
        downward: Sequence[bool],
        rows: Mapping[str, int],
    ) -> None:
        top = max(rows.values(), default=0)
        self._row = {box: 2 * (top - row) for box, row in rows.items()}
        self._rows: list[list[Hashable]] = [[] for _ in range(2 * top + 1)]
        self._sizes: dict[Hashable, tuple[float, float]] = {box: boxes[box] for box in boxes}
        self._above: dict[Hashable, list[Hashable]] = defaultdict(list)
        self._below: dict[Hashable, list[Hashable]] = defaultdict(list)
        self._chains: list[list[Hashable]] = []
        self._labels: list[Hashable] = []
        self._boxes, self._downward = boxes, downward
        for box in boxes:
            self._rows[self._row[box]].append(box)
        for number, (edge, leads_down) in enumerate(zip(edges, downward, strict=True)):
            self._add_edge(number, edge, leads_down=leads_down)

    def _add_edge(self, number: int, edge: LayoutEdge, *, leads_down: bool) -> None:
        first, last = (edge.upper, edge.lower) if leads_down else (edge.lower, edge.upper)
        begin, end = self._row[first], self._row[last]
        labelled = begin + 1 if leads_down else end - 1
        chain: list[Hashable] = [first]
        for row in range(begin + 1, end):
            cell = (number, row)
            self._sizes[cell] = edge.label if row == labelled else (0.0, 0.0)
            self._rows[row].append(cell)
            chain.append(cell)
        chain.append(last)
        for upper, lower in pairwise(chain):
            self._below[upper].append(lower)
            self._above[lower].append(upper)
        self._chains.append(chain)
        self._labels.append((number, labelled))

    def _count_sweeps(self) -> int:
        return max(MIN_SWEEPS, min(SWEEPS, SWEPT_CELLS // max(len(self._sizes), 1)))

    # ----------------------------------------------------------------------------------------------------------- order

    def order_rows(self) -> None:
        """Reorder the rows by the barycentres of the neighbours above and below in turn; keep the one with the fewest crossings."""
        best, fewest = self._rows, self._count_crossings()
        for sweep in range(self._count_sweeps()):
            if fewest == 0:
                break
            self._rows = self._sweep(is_downward=sweep % 2 == 0)
            crossings = self._count_crossings()
            if crossings < fewest:
                best, fewest = self._rows, crossings
        self._rows = best

    def _sweep(self, *, is_downward: bool) -> list[list[Hashable]]:
        """The rows, each sorted by the one before it."""
        near = self._above if is_downward else self._below
        done: list[list[Hashable]] = []
        for row in self._rows if is_downward else self._rows[::-1]:
            place = {cell: number for number, cell in enumerate(done[-1])} if done else {}
            done.append(_sort_row(row, near, place))
        return done if is_downward else done[::-1]

    def _count_crossings(self) -> int:
        return sum(_count_inversions(list(self._list_ends(*rows))) for rows in pairwise(self._rows))

    def _list_ends(self, row: Sequence[Hashable], following: Sequence[Hashable]) -> Iterator[int]:
        place = {cell: number for number, cell in enumerate(following)}
        for cell in row:
            yield from sorted(place[lower] for lower in self._below[cell])

    # -------------------------------------------------------------------------------------------------------- positions

    def place(self) -> LayeredLayout:
        """The positions of boxes, labels and lines."""
        across = self._place_across()
        left = min((across[cell] - self._sizes[cell][0] / 2 for cell in across), default=0.0)
        right = max((across[cell] + self._sizes[cell][0] / 2 for cell in across), default=0.0)
        across = {cell: x - left for cell, x in across.items()}
        ports = self._place_ports(across)
        extents = self._place_down(across)
        places = {
            cell: PlacedBox(round(across[cell], 1), round((top + bottom) / 2, 1), *self._sizes[cell])
            for row, (top, bottom) in zip(self._rows, extents, strict=True)
            for cell in row
        }
        edges = []
        for number, leads_down in enumerate(self._downward):
            above, below = self._draw_lines(number, places, ports[number], extents)
            label = places[self._labels[number]]
            edges.append(PlacedEdge((above, below) if leads_down else (below[::-1], above[::-1]), label))
        return LayeredLayout({box: places[box] for box in self._boxes}, edges, round(right - left, 1), extents[-1][1])

    def _place_across(self) -> dict[Hashable, float]:
        """The centre of each cell: as near to the mean of its neighbours as the order and the sizes allow."""
        across: dict[Hashable, float] = {}
        for row in self._rows:
            across.update(zip(row, _separate([0.0] * len(row), self._list_gaps(row)), strict=True))
        for sweep in range(self._count_sweeps()):
            for row in self._rows if sweep % 2 == 0 else self._rows[::-1]:
                wanted = [self._find_wanted(cell, across) for cell in row]
                across.update(zip(row, _separate(wanted, self._list_gaps(row)), strict=True))
        return across

    def _find_wanted(self, cell: Hashable, across: Mapping[Hashable, float]) -> float:
        neighbours = [*self._above[cell], *self._below[cell]]
        if not neighbours:
            return across[cell]
        weights = [_STRAIGHT if isinstance(cell, tuple) and isinstance(one, tuple) else 1.0 for one in neighbours]
        return sum(weight * across[one] for weight, one in zip(weights, neighbours, strict=True)) / sum(weights)

    def _list_gaps(self, row: Sequence[Hashable]) -> list[float]:
        """The least distances of the centres of neighbouring cells."""
        widths = [self._sizes[cell][0] for cell in row]
        return [(one + other) / 2 + (BOX_GAP if one > 0 and other > 0 else LINE_GAP) for one, other in pairwise(widths)]

    def _place_ports(self, across: Mapping[Hashable, float]) -> list[tuple[float, float]]:
        """Where each line leaves its upper box and meets its lower one: side by side, in the order of where the lines go."""
        ports = [[0.0, 0.0] for _ in self._chains]
        for end, here, beside in ((0, 0, 1), (1, -1, -2)):
            lines: dict[Hashable, list[int]] = defaultdict(list)
            for number, chain in enumerate(self._chains):
                lines[chain[here]].append(number)
            for box, numbers in lines.items():
                numbers.sort(key=lambda number: across[self._chains[number][beside]])
                step = min(PORT_GAP, self._sizes[box][0] * _PORTS_WIDTH / len(numbers))
                for place, number in enumerate(numbers):
                    ports[number][end] = across[box] + (place - (len(numbers) - 1) / 2) * step
        return [(round(first, 1), round(last, 1)) for first, last in ports]

    def _place_down(self, across: Mapping[Hashable, float]) -> list[tuple[float, float]]:
        """The upper and the lower end of each row. Rows are farther apart where a line goes far to the side."""
        extents, y = [], 0.0
        for row in self._rows:
            height = max((self._sizes[cell][1] for cell in row), default=0.0)
            extents.append((round(y, 1), round(y + height, 1)))
            far = max((abs(across[cell] - across[lower]) for cell in row for lower in self._below[cell]), default=0.0)
            y += height + min(max(ROW_GAP, far * _SLOPE), MAX_ROW_GAP)
        return extents

    def _draw_lines(
        self, number: int, places: Mapping[Hashable, PlacedBox], ports: tuple[float, float], extents: Sequence[tuple[float, float]]
    ) -> tuple[Line, Line]:
        """The points above and below the label. Lines go sideways between rows only, so that they pass no box or label."""
        chain, label = self._chains[number], self._labels[number]
        above: list[tuple[float, float]] = []
        below: list[tuple[float, float]] = []
        begin = self._row[str(chain[0])]
        points = above
        for row, cell in enumerate(chain, begin):
            place, (top, bottom) = places[cell], extents[row]
            if cell is chain[0]:
                points += [(ports[0], place.bottom), (ports[0], bottom)]
            elif cell is chain[-1]:
                points += [(ports[1], top), (ports[1], place.top)]
            elif cell == label:
                above += [(place.x, top), (place.x, place.top)]
                below += [(place.x, place.bottom), (place.x, bottom)]
                points = below
            else:
                points += [(place.x, top), (place.x, bottom)]
        return tuple(above), tuple(below)


def _sort_row(cells: Sequence[Hashable], near: Mapping[Hashable, list[Hashable]], place: Mapping[Hashable, int]) -> list[Hashable]:
    """The cells by the mean place of their neighbours. A cell without neighbours stays behind the one before it."""
    keys: dict[Hashable, float] = {}
    last = -1.0
    for cell in cells:
        found = [place[neighbour] for neighbour in near[cell] if neighbour in place]
        last = keys[cell] = sum(found) / len(found) if found else last
    return sorted(cells, key=keys.__getitem__)


def _count_inversions(numbers: Sequence[int]) -> int:
    """How many pairs are in the wrong order: the crossings of lines whose upper ends are in order."""
    seen: list[int] = []
    crossings = 0
    for number in numbers:
        crossings += len(seen) - bisect_right(seen, number)
        insort(seen, number)
    return crossings


def _separate(wanted: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The positions with at least these gaps that are closest to the wanted ones (least squares, pool adjacent violators)."""
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    blocks: list[tuple[float, int]] = []
    for value, offset in zip(wanted, offsets, strict=False):
        total, count = value - offset, 1
        while blocks and blocks[-1][0] * count >= total * blocks[-1][1]:
            before = blocks.pop()
            total, count = total + before[0], count + before[1]
        blocks.append((total, count))
    shifts = [total / count for total, count in blocks for _ in range(count)]
    return [shift + offset for shift, offset in zip(shifts, offsets, strict=False)]
