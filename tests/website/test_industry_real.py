"""The industry by the real classification: official phrases held out of the index, made-up sites in both languages, time."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest

from bonafide.website.industry.classifier import IndustryClassifier
from bonafide.website.industry.index_building import build_index
from bonafide.website.industry.naics_index import write_index
from bonafide.website.industry.naics_tables import build_editions, read_naics_table
from bonafide.website.industry.site_texts import collect_site_texts
from bonafide_bench.measurements.naics import NaicsReport, measure_naics
from tests.support.recorded_figures import FIGURES
from tests.support.sampling import WHOLE
from tests.support.website.industry_sites import OF_NO_TRADE, SITES

pytestmark = [pytest.mark.realdata, pytest.mark.slow]
LEAST_FIRST, LEAST_TOP = 0.60, 0.85
LEAST_RIGHT = 0.75
"""Of the phrases that got a code."""
LEAST_SITES_TOP, LEAST_SITES_RIGHT = 0.95, 0.85
HELD_OUT = 300 if WHOLE else 100


@pytest.fixture(scope="module")
def files(shared_data: Path) -> list[Path]:
    return sorted((shared_data / "registries" / "NAICS").glob("*.csv"))


@pytest.fixture(scope="module")
def industries(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> IndustryClassifier:
    path = tmp_path_factory.mktemp("naics") / "index.npz"
    write_index(build_index(build_editions([read_naics_table(file, file.name) for file in files]), {}), path)
    return IndustryClassifier.load(path)


@pytest.fixture
def report(files: list[Path], record_property: Callable[[str, object], None]) -> NaicsReport:
    found = measure_naics(files, HELD_OUT, 8, lambda _done, _count: None)
    record_property(
        FIGURES,
        f"NAICS: {found.held_out} phrases held out of {found.indexed:,}: first {found.first:.1%}, among five {found.top:.1%}; "
        f"code given {found.coded:.1%}, of which right {found.right:.1%}; {found.times.p50:.1f} ms in the median",
    )
    return found


def test_held_out_phrases_find_their_class(report: NaicsReport) -> None:
    assert report.held_out == HELD_OUT
    assert report.first >= LEAST_FIRST
    assert report.top >= LEAST_TOP
    assert report.right >= LEAST_RIGHT


def test_sites_find_their_class_in_both_languages(industries: IndustryClassifier) -> None:
    found = [(site, industries.classify(collect_site_texts([site.page]))) for site in SITES]
    among = [any(candidate.naics_code in site.codes for candidate in industry.candidates) for site, industry in found]
    assert sum(among) / len(among) >= LEAST_SITES_TOP
    right = [industry.naics_code in site.codes for site, industry in found if industry.naics_code is not None]
    assert len(right) >= len(SITES) * 2 / 3
    assert sum(right) / len(right) >= LEAST_SITES_RIGHT


def test_sites_of_no_trade_hardly_ever_get_a_code(industries: IndustryClassifier) -> None:
    # A couple's page of their wedding gets one: the classification has marrying services.
    found = {site.title: industries.classify(collect_site_texts([site.page])).naics_code for site in OF_NO_TRADE}
    assert sum(code is not None for code in found.values()) <= 1, found


def test_the_index_is_small_and_reads_quickly(industries: IndustryClassifier, tmp_path: Path) -> None:
    path = tmp_path / "index.npz"
    write_index(industries.index, path)
    assert path.stat().st_size < 10_000_000
    started = perf_counter()
    IndustryClassifier.load(path)
    print(f"\nread in {1000 * (perf_counter() - started):.0f} ms, {path.stat().st_size:,} bytes")  # noqa: T201 - a figure for people
