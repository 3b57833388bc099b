"""`bonafide bench pdf`: every kind of document is printed anew in every round, and timed."""

from bonafide.model.search.result import SearchResult
from bonafide.sources.framework.discovery import list_regulator_keys
from bonafide_bench.datasets.sample_search import create_sample_search
from bonafide_bench.datasets.sample_website import create_sample_website
from bonafide_bench.measurements.pdf import measure_pdfs


def test_every_document_is_timed_in_every_round() -> None:
    heard: list[tuple[int, int]] = []
    figures = measure_pdfs(3, lambda done, count: heard.append((done, count)))
    assert heard == [(done, 5) for done in range(1, 6)]
    assert [item.rounds for item in figures] == [3] * 5
    assert all(0 < item.median_ms <= item.p95_ms and item.cpu_ms > 0 for item in figures)
    assert figures[0].size < figures[1].size < figures[3].size


def test_a_made_up_result_survives_its_wire_form() -> None:
    regulators = len(list_regulator_keys())
    result = create_sample_search(3, listed=regulators, website=create_sample_website())
    assert SearchResult.model_validate_json(result.to_json()) == result
    assert result.businesses is not None
    assert len(result.businesses) == 3
    assert sum(map(len, result.regulatory.values())) == regulators
