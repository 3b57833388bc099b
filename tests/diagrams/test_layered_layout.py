"""Boxes in rows: nothing overlaps, lines lead downwards where they can, and the same graph always looks the same."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from bonafide.diagrams.layered_layout import MAX_ROW, LayeredLayout, LayoutEdge, PlacedBox, compute_layout

BOX, LABEL = (100.0, 40.0), (60.0, 28.0)


def lay_out(*edges: tuple[str, str], boxes: str = "", bottom: str | None = None) -> LayeredLayout:
    """Edges are pairs of the upper and the lower box."""
    names = dict.fromkeys([*boxes, *(name for edge in edges for name in edge)])
    return compute_layout(dict.fromkeys(names, BOX), [LayoutEdge(*edge, LABEL) for edge in edges], bottom)


def overlap(one: PlacedBox, other: PlacedBox) -> bool:
    return abs(one.x - other.x) * 2 < one.width + other.width and abs(one.y - other.y) * 2 < one.height + other.height


def test_owners_are_above() -> None:
    boxes = lay_out(("a", "b"), ("b", "c"), ("a", "c")).boxes
    assert boxes["a"].bottom < boxes["b"].top < boxes["b"].bottom < boxes["c"].top


def test_a_cycle_has_one_line_that_leads_upwards() -> None:
    layout = lay_out(("c", "b"), ("b", "a"), ("a", "c"), bottom="a")
    assert layout.boxes["c"].y < layout.boxes["b"].y < layout.boxes["a"].y
    downward = [edge.lines[0][0][1] < edge.lines[1][-1][1] for edge in layout.edges]
    assert downward == [True, True, False]


def test_a_crossing_that_can_be_avoided_is_avoided() -> None:
    boxes = lay_out(("a", "y"), ("b", "x"), boxes="abxy").boxes
    assert (boxes["a"].x < boxes["b"].x) == (boxes["y"].x < boxes["x"].x)


def test_an_only_owner_is_straight_above() -> None:
    layout = lay_out(("a", "b"))
    assert layout.boxes["a"].x == layout.boxes["b"].x == layout.edges[0].label.x


def test_no_row_is_too_wide() -> None:
    owners = [f"p{number}" for number in range(30)]
    layout = compute_layout(dict.fromkeys([*owners, "b"], BOX), [LayoutEdge(owner, "b", LABEL) for owner in owners], "b")
    rows = [box.y for box in layout.boxes.values()]
    assert max(rows.count(row) for row in rows) == MAX_ROW
    assert all(layout.boxes[owner].y < layout.boxes["b"].y for owner in owners)


def test_a_graph_without_boxes_is_empty() -> None:
    layout = lay_out()
    assert (layout.width, layout.height, layout.boxes, layout.edges) == (0, 0, {}, [])


NAMES = st.sampled_from("abcdefgh")
EDGES = st.lists(st.tuples(NAMES, NAMES).filter(lambda edge: edge[0] != edge[1]), max_size=20)


@given(EDGES)
def test_nothing_overlaps_and_every_line_arrives(edges: list[tuple[str, str]]) -> None:
    layout = lay_out(*edges, boxes="abcdefgh", bottom="a")
    placed = [*layout.boxes.values(), *(edge.label for edge in layout.edges)]
    assert not any(overlap(one, other) for one, other in combinations(placed, 2))
    assert all(box.x - box.width / 2 + 0.1 >= 0 and box.x + box.width / 2 <= layout.width + 0.1 for box in placed)
    assert all(box.top >= 0 and box.bottom <= layout.height for box in placed)
    for (upper, lower), edge in zip(edges, layout.edges, strict=True):
        (begin_x, begin_y), (end_x, end_y) = edge.lines[0][0], edge.lines[1][-1]
        assert begin_y in {layout.boxes[upper].top, layout.boxes[upper].bottom}
        assert end_y in {layout.boxes[lower].top, layout.boxes[lower].bottom}
        assert abs(begin_x - layout.boxes[upper].x) <= BOX[0] / 2
        assert abs(end_x - layout.boxes[lower].x) <= BOX[0] / 2
    assert layout == lay_out(*edges, boxes="abcdefgh", bottom="a")


@given(EDGES)
def test_a_line_passes_no_box_and_no_label(edges: list[tuple[str, str]]) -> None:
    layout = lay_out(*edges, boxes="abcdefgh", bottom="a")
    placed = [*layout.boxes.values(), *(edge.label for edge in layout.edges)]
    for edge in layout.edges:
        for line in edge.lines:
            for (x, y), (next_x, next_y) in pairwise(line):
                if x == next_x:
                    top, bottom = sorted((y, next_y))
                    inside = [
                        box
                        for box in placed
                        if abs(box.x - x) < box.width / 2 - 1 and box.top < bottom - 0.2 and box.bottom > top + 0.2
                    ]
                    assert inside == []
