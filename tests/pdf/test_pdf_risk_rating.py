"""The risk rating in search and verification reports: each point with its facts, and what is not known."""

from bonafide.i18n.language import Language
from bonafide.matching.risk.default_rules import get_default_rules
from bonafide.matching.risk.evaluation import compile_rules, rate_facts
from bonafide.model.risk.facts import FactBuilder
from bonafide.model.risk.rating import RiskAssessment
from bonafide.pdf.render import render
from bonafide.services.printing.pdf_reports import DocumentIssue, build_verification_sheet
from bonafide.sources.framework.discovery import discover_sources
from bonafide_bench.datasets.sample_search import create_sample_search
from tests.support.loaded_sandbox import LOADED_AT
from tests.support.pdf.reports import DOCUMENT_ID, ISSUED_AT, printed, verification
from tests.support.pdf.sheets import text_of


def rated() -> RiskAssessment:
    facts = FactBuilder()
    facts.add("registry.found", value=True, source="on", as_of=LOADED_AT.date())
    facts.add("registry.active", value=False, source="on", as_of=LOADED_AT.date())
    facts.add("match.nameScore", 0.87, "on")
    facts.add_list("coverage.unavailable", ["pe"], "coverage")
    return rate_facts(compile_rules(get_default_rules().to_json()), facts.build())


def test_a_search_report_states_each_point_and_what_is_not_known() -> None:
    result = create_sample_search(1).model_copy(update={"risk": rated()})
    text = text_of(printed(result))
    for words in ("Risk rating", "+50", "The business is not active", "Active in the register: No", "Score of the name: 0.87"):
        assert words in text
    assert "Not complete: " in text
    assert "Not known: Open hits" in text
    assert "Sources that could not be searched: Prince Edward Island" in text


def test_a_verification_report_states_the_rating_of_the_record() -> None:
    issue = DocumentIssue(DOCUMENT_ID, ISSUED_AT, Language.FRENCH)
    text = text_of(render(build_verification_sheet(verification(), discover_sources(), issue, rated())))
    assert "+50" in text
    assert "0,87" in text
