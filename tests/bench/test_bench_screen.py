"""The bench of screening, on few names: every engine is asked, and the figures are of what was asked."""

from bonafide_bench.datasets.screening_names import create_parties, create_party_sets, create_probes
from bonafide_bench.measurements.screen import OWN, SCANNED_NAMES, measure_screening


def test_a_run_measures_every_engine_on_the_same_names() -> None:
    heard = []
    report = measure_screening(3000, 60, 0.85, lambda done, count: heard.append((done, count)))
    assert report.names >= 3000
    assert [figures.asked for figures in report.engines] == [60, min(60, SCANNED_NAMES), min(60, SCANNED_NAMES)]
    own = report.engines[0]
    assert (own.engine, own.found >= 0.9, own.alarms <= 0.1) == (OWN, True, True)
    assert own.median_ms > 0
    assert report.kinds["as listed"] == 1
    assert 0 < report.party_set_ms <= report.party_set_p95_ms
    assert heard[-1] == (60, 60)


def test_the_same_parties_and_names_are_made_every_time() -> None:
    parties = create_parties(500)
    assert parties == create_parties(500)
    probes = create_probes(parties, 40)
    assert probes == create_probes(parties, 40)
    sets = create_party_sets(5, 12)
    assert sets == create_party_sets(5, 12)
    assert [len(names) for names in sets] == [12] * 5
    assert sum(probe.party is None for probe in probes) == 20
