"""The bench of monitoring finds what an ordinary screening finds, in one process and in several."""

from bonafide_bench.monitoring.portfolio_matching import MonitorPlan, measure_monitoring


def test_planted_changes_are_found() -> None:
    report = measure_monitoring(MonitorPlan(1000, 1000, 200, 20, 2, 0.85))
    assert report.parties >= 1000
    assert report.expected > 0
    assert report.missed == 0
