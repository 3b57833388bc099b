"""Names and registration numbers for which the sandbox's registers simulate a failure.

This module only maps names and numbers to failures. The service simulates timeouts and outages, and the server simulates slowness.
"""

from functools import cache

from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.names.normalization import NormalName, normalise
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.simulated_failures import SimulatedFailure
from bonafide_sandbox.generator.data_tables import read_table

BY_NAME = frozenset({SimulatedFailure.TIMEOUT, SimulatedFailure.OUTAGE})


def find_search_failure(name: str) -> SimulatedFailure | None:
    """Return the failure that a search for this name simulates, or None. Ignores case, accents and legal forms."""
    return _load_by_name().get(normalise(name).core)


def find_report_failure(jurisdiction: Jurisdiction, number: str) -> SimulatedFailure | None:
    """Return the failure that a report for this registration simulates, or None. Ignores number formatting."""
    keys = build_number_keys(number)
    return next((failure for own, key, failure in _load_by_number() if own is jurisdiction and key & keys), None)


class SandboxFailureSimulator:
    """The sandbox's simulated failures for the service (entry point group `bonafide.failure_simulators`)."""

    def find_search_failure(self, name: NormalName) -> SimulatedFailure | None:
        """Return the failure that a search for this name simulates, or None."""
        return _load_by_name().get(name.core)

    def find_report_failure(self, jurisdiction: Jurisdiction, number: str) -> SimulatedFailure | None:
        """Return the failure that the report of this registration simulates, or None."""
        return find_report_failure(jurisdiction, number)


@cache
def _load_by_name() -> dict[tuple[str, ...], SimulatedFailure]:
    facts = read_table("fixed")["businesses"]
    failing = ((fact["name"], SimulatedFailure(fact["trouble"])) for fact in facts if "trouble" in fact)
    return {normalise(name).core: failure for name, failure in failing if failure in BY_NAME}


@cache
def _load_by_number() -> list[tuple[Jurisdiction, frozenset[str], SimulatedFailure]]:
    facts = read_table("fixed")["businesses"]
    failing = ((fact, SimulatedFailure(fact["trouble"])) for fact in facts if "trouble" in fact)
    return [
        (Jurisdiction(fact["register"]), build_number_keys(fact["number"]), failure)
        for fact, failure in failing
        if failure not in BY_NAME
    ]
