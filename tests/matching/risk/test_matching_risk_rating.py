"""Ratings: points with the facts behind them, bands, and rules that could not be evaluated."""

from typing import Any

import pytest
from pydantic import ValidationError

from bonafide.errors import ValidationFailed
from bonafide.matching.risk.default_rules import get_default_rules
from bonafide.matching.risk.evaluation import check_conditions, compile_rules, rate_facts
from bonafide.matching.risk.expected_licences import find_expected_regulators
from bonafide.matching.risk.record_facts import replace_facts
from bonafide.model.risk.facts import FACT_SPECS, FactBuilder, Facts, FactType, StoredFacts
from bonafide.model.risk.rating import RiskAssessment, RiskLevel
from bonafide.model.risk.rules import RiskRules, RiskRulesInput
from bonafide.sources.framework.discovery import list_regulator_keys

BANDS = [{"name": "low", "from": 0}, {"name": "medium", "from": 20}, {"name": "high", "from": 60}]


def rule(number: int, when: str, points: float, **fields: Any) -> dict[str, Any]:
    return {"id": f"rule-{number}", "title": f"Rule {number}", "when": when, "points": points, "reason": "Because.", **fields}


def parse(*rules: dict[str, Any], bands: list[dict[str, Any]] | None = None) -> RiskRulesInput:
    return RiskRulesInput.model_validate({"rules": rules, "bands": BANDS if bands is None else bands})


def rate(facts: Facts, *rules: dict[str, Any]) -> RiskAssessment:
    sent = parse(*rules)
    return rate_facts(compile_rules(RiskRules(rules=sent.rules, bands=sent.bands, version=3, status="active").to_json()), facts)


def known(**values: Any) -> Facts:
    builder = FactBuilder()
    for name, value in values.items():
        builder.add(name.replace("__", "."), value, "on")
    return builder.build()


def test_each_point_is_traced_to_the_facts_of_its_rule() -> None:
    found = rate(
        known(registry__active=False, business__ageDays=30),
        rule(1, "!registry.active", 40),
        rule(2, "business.ageDays < 365 && !registry.active", 10),
        rule(3, "business.ageDays > 365", 99),
    )
    assert (found.band, found.points, found.version, found.is_complete) == ("medium", 50, 3, True)
    assert [(one.rule_id, one.points) for one in found.contributions] == [("rule-1", 40), ("rule-2", 10)]
    assert [(fact.path, fact.value, fact.source) for fact in found.contributions[1].facts] == [
        ("business.ageDays", 30, "on"),
        ("registry.active", False, "on"),
    ]


def test_an_unknown_rule_gives_its_points_and_is_listed() -> None:
    found = rate(known(registry__active=True), rule(1, "registry.active && business.ageDays < 365", 30))
    assert (found.band, found.points, found.is_complete, found.contributions) == ("medium", 30, False, ())
    (unknown,) = found.unknown
    assert (unknown.missing, [fact.path for fact in unknown.facts]) == (("business.ageDays",), ["registry.active"])


@pytest.mark.parametrize(("points", "stated", "expected"), [(30, None, 30), (30, 5, 5), (30, 0, 0), (-30, None, 0), (-30, 20, 20)])
def test_the_points_of_an_unknown_rule(points: int, stated: int | None, expected: int) -> None:
    found = rate({}, rule(1, "registry.active", points, unknownPoints=stated))
    assert (found.points, found.is_complete) == (expected, False)


def test_an_error_with_all_facts_known_is_stated() -> None:
    (unknown,) = rate(known(business__ageDays=0), rule(1, "1 / business.ageDays > 0", 10)).unknown
    assert unknown.missing == ()
    assert unknown.error is not None


@pytest.mark.parametrize(("points", "band"), [(-5, "low"), (0, "low"), (19, "low"), (20, "medium"), (60, "high"), (1000, "high")])
def test_a_band_reaches_from_its_number_to_the_next(points: int, band: str) -> None:
    assert rate(known(registry__active=True), rule(1, "registry.active", points)).band == band


def test_an_invalid_condition_is_refused_with_its_field() -> None:
    sent = parse(rule(1, "registry.active", 1), rule(2, "registry.actve", 1), rule(3, "business.ageDays", 1))
    with pytest.raises(ValidationFailed) as refused:
        check_conditions(sent)
    assert [problem.path for problem in refused.value.details] == ["rules.1.when", "rules.2.when"]


@pytest.mark.parametrize(
    ("rules", "bands"),
    [
        ([rule(1, "registry.active", 1), rule(1, "registry.active", 1)], BANDS),
        ([rule(1, "registry.active", 1)], [{"name": "low", "from": 0}, {"name": "low", "from": 9}]),
        ([rule(1, "registry.active", 1)], [{"name": "low", "from": 5}, {"name": "high", "from": 5}]),
        ([rule(1, "registry.active", 1)], []),
        ([], BANDS),
        ([rule(1, "registry.active", 1001)], BANDS),
        ([rule(1, "registry.active", 1.5)], BANDS),
        ([rule(1, "registry.active " + "|| true" * 100, 1)], BANDS),
        ([{**rule(1, "registry.active", 1), "id": "Not An Id"}], BANDS),
        ([rule(number, "registry.active", 1) for number in range(101)], BANDS),
    ],
)
def test_inconsistent_rules_are_refused(rules: list[dict[str, Any]], bands: list[dict[str, Any]]) -> None:
    with pytest.raises(ValidationError):
        parse(*rules, bands=bands)


def test_a_later_check_replaces_all_facts_of_its_kind() -> None:
    before = known(registry__active=True, business__ageDays=3, website__given=True)
    after = replace_facts(before, known(registry__found=False), ("registry.", "business."))
    assert sorted(after) == ["registry.found", "website.given"]
    assert StoredFacts.model_validate_json(StoredFacts.of(after).to_json()).by_path() == after


def test_nothing_known_is_not_the_lowest_band_by_the_default_rules() -> None:
    rating = rate_facts(compile_rules(get_default_rules().to_json()), {})
    assert (rating.contributions, rating.is_complete) == ((), False)
    assert rating.band != get_default_rules().bands[0].name


def test_the_default_rules_are_valid_and_rate_a_sound_business_low() -> None:
    check_conditions(get_default_rules())
    sound: dict[str, Any] = {
        FactType.BOOL: True, FactType.INT: 0, FactType.DOUBLE: 1.0, FactType.STRING: "matched", FactType.LIST: (),
    }  # fmt: skip
    facts = known(**{path.replace(".", "__"): sound[spec.type] for path, spec in FACT_SPECS.items()})
    facts = {
        **facts,
        **known(
            business__ageDays=4000, website__domainAgeDays=4000, ownership__listedStatus="not_deemed",
            ownership__unknownShare=0.0, verification__status="verified",
        ),
    }  # fmt: skip
    rating = rate_facts(compile_rules(get_default_rules().to_json()), facts)
    assert (rating.points, rating.band, rating.is_complete) == (0, "low", True)


def test_by_the_default_rules_a_business_of_which_nothing_is_known_is_neither_clean_nor_an_alarm() -> None:
    rating = rate_facts(compile_rules(get_default_rules().to_json()), {})
    assert (rating.band, rating.level, rating.is_complete, rating.contributions) == ("medium", RiskLevel.MIDDLE, False, ())
    screened = rate_facts(compile_rules(get_default_rules().to_json()), known(sanctions__openHits=0))
    assert rating.points - screened.points == 30


def test_an_industry_needs_the_licence_of_its_place() -> None:
    assert find_expected_regulators("459993", ["ON"]) == ("agcoCannabis",)
    assert find_expected_regulators("459993", ["NS"]) == ()
    assert find_expected_regulators("236110", ["QC", "ON"]) == ("rbqLicences",)
    assert find_expected_regulators("522390", []) == ("fintracMsb",)


def test_expected_licences_name_regulators_that_exist() -> None:
    named = {
        regulator
        for naics in ("459993", "111412", "522390", "522329", "236110", "713210")
        for regulator in find_expected_regulators(naics, ["ON", "AB", "BC", "QC"])
    }
    assert named <= set(list_regulator_keys())
    assert len(named) == 8
