"""The outcomes of many queries as a table for people. It judges nothing; the tests do."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from statistics import mean, median

from real_answers import Outcome

TOP = 5
_WIDTH = 24


def first_share(outcomes: Sequence[Outcome]) -> float:
    """How many of the queries brought the wanted entry first, 0 to 1."""
    return sum(outcome.place == 0 for outcome in outcomes) / len(outcomes)


def table(outcomes: Sequence[Outcome]) -> str:
    """Figures by source, by kind of disturbance, and of all."""
    header = f"{'':{_WIDTH}}{'queries':>8}{'first':>8}{'top 5':>8}{'missed':>8}{'first %':>9}{'mean ms':>9}{'median':>8}"
    by_source = _rows(outcomes, lambda outcome: outcome.query.source)
    by_kind = _rows(outcomes, lambda outcome: outcome.query.kind)
    return "\n".join([header, *by_source, "", *by_kind, "", _row("all", outcomes)])


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
    counts = f"{len(places):8}{first:8}{near:8}{missed:8}{first / len(places):9.1%}"
    return f"{name:{_WIDTH}}{counts}{mean(times):9.1f}{median(times):8.1f}"
