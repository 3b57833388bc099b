"""A piece of work that is always the same: writing and reading one JSON document with the standard library.

Machines differ and drift, so milliseconds say little; run between the measurements, this drifts along, and ratios to it can be
compared.
"""

import json
from time import perf_counter_ns

_DOCUMENT = {
    "matches": [
        {"name": f"Exemple Ltée {n}", "score": n / 100, "addresses": [{"city": "Montréal", "raw": "x" * 60}]} for n in range(60)
    ]
}


def yardstick_ns() -> int:
    """How long it takes now, in nanoseconds."""
    started = perf_counter_ns()
    json.loads(json.dumps(_DOCUMENT))
    return perf_counter_ns() - started
