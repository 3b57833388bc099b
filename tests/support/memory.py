"""The peak memory of each process that runs tests, which fails a run that needs too much of it.

A process keeps what fixtures of the session and modules hold, so that its memory grows with the number of tests.
"""

import resource

import pytest

MAX_PEAK_MIB = 1536
_PEAK = "peak_mib"
_PEAKS = pytest.StashKey[dict[str, int]]()


class MemoryCheck:
    """Collects the peaks of the processes of xdist, or this one's, and fails the run when one is too high."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Store the peak that a process of xdist sent when it ended."""
        output = getattr(node, "workeroutput", {})
        config: pytest.Config = node.config  # type: ignore[attr-defined]  # xdist's WorkerController is untyped here
        if _PEAK in output:
            config.stash.setdefault(_PEAKS, {})[node.gateway.id] = output[_PEAK]  # type: ignore[attr-defined]  # as above

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send this process's peak, or judge all."""
        output: dict[str, int] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[_PEAK] = _get_peak_mib()
            return
        peaks = session.config.stash.setdefault(_PEAKS, {})
        peaks.setdefault("main", _get_peak_mib())
        if max(peaks.values()) > MAX_PEAK_MIB and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the peaks."""
        peaks = terminalreporter.config.stash.get(_PEAKS, {})
        text = ", ".join(f"{name} {peak} MiB" for name, peak in sorted(peaks.items()))
        terminalreporter.write_line(f"peak memory: {text}")
        if peaks and max(peaks.values()) > MAX_PEAK_MIB:
            terminalreporter.write_line(f"FAILED: a process may use {MAX_PEAK_MIB} MiB at most", red=True)


def _get_peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
