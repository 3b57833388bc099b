"""The errors of pytest itself, printed once more as the last lines of the output.

A process of xdist that ends early leaves an assertion of xdist at the end of the output and the cause far above it, among the lines
that the other processes log while they end. The end of a long log is what is read first.
"""

import sys

import pytest

MAX_LINES = 16
"""Of one error, its last lines."""


class InternalErrors:
    """Collects the internal errors of this process, and those that the processes of xdist send."""

    def __init__(self) -> None:
        self._errors: list[str] = []

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Store the error; xdist reports that of another process as the message of an assertion."""
        self._errors.append(f"{excinfo.typename}: {excinfo.value}")

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Print what was stored, the first error last: later ones follow from it."""
        for error in reversed(self._errors):
            lines = error.splitlines()[-MAX_LINES:]
            sys.stderr.write("\n".join(["", "internal error of pytest:", *lines, ""]))
