"""The outcomes of many queries as a table for people. It judges nothing; the tests do."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from statistics import mean, median

from tests.support.realdata.search_outcomes import Outcome

Report = Callable[[str], None]
"""Prints figures where a person sees them."""
TOP = 5
SURE = 0.85
"""The threshold that applies to regulators and sanctions unless a caller lowers it."""
_WIDTH = 24
_HEADER = "".join(
    [
        " " * _WIDTH,
        *(f"{title:>8}" for title in ("queries", "first", f">= {SURE}", f"top {TOP}", "missed", "first %", "mean ms", "median")),
    ]
)


def first_share(outcomes: Sequence[Outcome]) -> float:
    """How many of the queries brought the wanted entry first, 0 to 1."""
    return sum(outcome.place == 0 for outcome in outcomes) / len(outcomes)


def table(outcomes: Sequence[Outcome]) -> str:
    """Figures by source, by kind of disturbance, and of all."""
    by_source = _rows(outcomes, lambda outcome: outcome.query.source)
    by_kind = _rows(outcomes, lambda outcome: outcome.query.kind)
    return "\n".join([_HEADER, *by_source, "", *by_kind, "", _row("all", outcomes)])


def _rows(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> list[str]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[key(outcome)].append(outcome)
    return [_row(name, group) for name, group in groups.items()]


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    places = [outcome.place for outcome in outcomes]
    first, missed = places.count(0), places.count(None)
    near = sum(place is not None and place < TOP for place in places)
    times = [outcome.elapsed_ms for outcome in outcomes]
    sure = sum(outcome.place == 0 and outcome.found[0].score >= SURE for outcome in outcomes)
    counts = f"{len(places):8}{first:8}{sure:8}{near:8}{missed:8}{first / len(places):8.1%}"
    return f"{name:{_WIDTH}}{counts}{mean(times):8.1f}{median(times):8.1f}"
