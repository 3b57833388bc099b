"""`bonafide bench website` on a few sites: every figure is there, in JSON and in print."""

import pytest

from tests.support.cli_commands import Command

pytestmark = pytest.mark.slow


OPTIONS = ("bench", "website", "--sites", "4")


def test_the_report_has_every_kind_of_fact_and_the_times(bonafide: Command) -> None:
    report = bonafide(*OPTIONS, "--json").json()

    assert set(report) == {"sites", "pages", "kinds", "written", "statuses", "times"}
    assert set(report["kinds"]) == {"legal name", "addresses", "people", "roles", "registrations", "e-mails", "phones"}
    assert all(tally["planted"] >= tally["found"] >= 0 for tally in report["kinds"].values())
    assert report["sites"] == sum(report["statuses"].values()) == 4
    assert report["times"]["pages"] == 5
    assert report["times"]["analysis_ms"] > 0 < report["times"]["yardstick_ms"]


def test_a_person_reads_tables(bonafide: Command) -> None:
    found = bonafide(*OPTIONS)
    assert found.status == 0
    for part in ("Precision", "legal name", "e-mails", "Written by hand", "plain fetch"):
        assert part in found.out
