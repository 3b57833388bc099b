"""A constant unit of work (serialize and parse JSON) to which measured times are compared.

Absolute times vary between machines and over time. The baseline runs between the measurements, so ratios to it are comparable.
"""

import json
from time import perf_counter_ns

_DOCUMENT = {
    "matches": [
        {"name": f"Exemple Ltée {n}", "score": n / 100, "addresses": [{"city": "Montréal", "raw": "x" * 60}]} for n in range(60)
    ]
}


def measure_baseline_ns() -> int:
    """Run the baseline once and return its duration in nanoseconds."""
    started = perf_counter_ns()
    json.loads(json.dumps(_DOCUMENT))
    return perf_counter_ns() - started
