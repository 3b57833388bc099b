"""A constant piece of work (JSON written and read) with which measured times are compared.

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


def measure_baseline_ns() -> int:
    """How long it takes now, in nanoseconds."""
    started = perf_counter_ns()
    json.loads(json.dumps(_DOCUMENT))
    return perf_counter_ns() - started
