"""How long the hot functions take in the mean: printed (`pytest -s`), and bounded so loosely that only a blunder fails."""

import time
from collections.abc import Callable
from itertools import product

from bonafide.matching.business_names import compare_business_names
from bonafide.matching.names import normalise
from bonafide.matching.rank import rank_entries
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import Query

RARE = ("Zephyrine", "Orlovska", "Kwiatek", "Brzoza-Lipowa", "L'Équipe Dorval")
TRADES = ("Bakery", "Plumbing & Heating", "Consulting Services", "Immobilier", "Transport")
FORMS = ("Inc.", "Ltée", "Holdings Ltd.", "s.e.n.c.r.l.", "")
NAMES = [" ".join(parts) for parts in product(RARE, TRADES, FORMS)]


def mean_us(what: str, work: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    work()
    mean = (time.perf_counter() - start) / count * 1e6
    print(f"{what}: {mean:.1f} us")  # noqa: T201  # the figure is the point
    return mean


def test_normalising_a_name_takes_microseconds() -> None:
    normalise(NAMES[0])
    assert mean_us("normalise a name", lambda: [normalise(name) for name in NAMES], len(NAMES)) < 500


def test_comparing_two_names_takes_tens_of_microseconds() -> None:
    pairs = list(product(map(normalise, NAMES[::3]), map(normalise, NAMES[::2])))
    mean = mean_us("compare two names", lambda: [compare_business_names(a, b) for a, b in pairs], len(pairs))
    assert mean < 2_000


def test_ranking_the_shortlist_of_a_search_takes_milliseconds() -> None:
    entries = [RegistryEntry(entry_id=name, jurisdiction=Jurisdiction.ON, legal_name=name) for name in NAMES[:60]]
    query = Query(name="Zephyrine Orlovska Bakery Inc.")
    assert mean_us("rank 60 entries", lambda: rank_entries(query, entries, floor=0.7, limit=20), 1) < 200_000
