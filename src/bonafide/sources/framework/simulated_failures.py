"""The interface by which a sandbox tells for which names and registration numbers its registers fail."""

from enum import StrEnum
from functools import cache
from typing import Protocol

from bonafide.matching.names.normalization import NormalName
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.plugins import load_entry_points

ENTRY_POINT_GROUP = "bonafide.failure_simulators"


class SimulatedFailure(StrEnum):
    """How a register fails: the first two for a search by name, the others for the report of a registration."""

    TIMEOUT = "timeout"
    """It does not answer."""
    OUTAGE = "outage"
    """It is out of service."""
    SLOW = "slow"
    """It asks to retry later."""
    FAILING = "failing"
    """It refuses the request."""


class FailureSimulator(Protocol):
    """Tells which names and registration numbers simulate a failure. Used in the sandbox world only."""

    def find_search_failure(self, name: NormalName) -> SimulatedFailure | None:
        """Return the failure that a search for this name simulates, None for nearly every name."""

    def find_report_failure(self, jurisdiction: Jurisdiction, number: str) -> SimulatedFailure | None:
        """Return the failure that the report of this registration simulates, None for nearly every registration."""


class NoSimulatedFailures:
    """The simulator of an installation without a sandbox."""

    def find_search_failure(self, name: NormalName) -> SimulatedFailure | None:  # noqa: ARG002 - the interface's
        """Return None."""
        return None

    def find_report_failure(self, jurisdiction: Jurisdiction, number: str) -> SimulatedFailure | None:  # noqa: ARG002
        """Return None."""
        return None


@cache
def load_failure_simulator() -> FailureSimulator:
    """Return the installed sandbox's simulator (entry point group `bonafide.failure_simulators`), else one without failures."""
    for simulator in load_entry_points(ENTRY_POINT_GROUP):
        installed: FailureSimulator = simulator()
        return installed
    return NoSimulatedFailures()
