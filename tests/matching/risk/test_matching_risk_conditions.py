"""Conditions of risk rules: what is refused when a rule is saved, what they read, and that unknown facts decide nothing."""

import pytest

from bonafide.matching.risk.condition_language import ConditionError, FactActivation, compile_condition
from bonafide.model.risk.facts import FactBuilder, Facts


def facts(**values: object) -> Facts:
    builder = FactBuilder()
    for name, value in values.items():
        builder.add(name.replace("__", "."), value, "on")  # type: ignore[arg-type]
    return builder.build()


def refusal(condition: str) -> str:
    with pytest.raises(ConditionError) as refused:
        compile_condition(condition)
    return str(refused.value.problem)


def evaluate(condition: str, known: Facts) -> bool | str:
    return FactActivation(known).evaluate(compile_condition(condition))


def test_a_misspelt_fact_is_refused_with_the_nearest_one() -> None:
    assert "did you mean “registry.active”" in refusal("!registry.actve")
    assert "“nothing”" in refusal("nothing")


@pytest.mark.parametrize(
    "condition",
    ["registry.active > 3", "registry.status == 1", "match.score + 1", "registry.active &&", "licences.held == registry.status"],
)
def test_wrong_types_and_syntax_are_refused_with_the_place(condition: str) -> None:
    assert "line 1, column" in refusal(condition)


def test_a_whole_number_beside_decimals_is_explained() -> None:
    assert "`1.0`" in refusal("match.score >= 1")


@pytest.mark.parametrize("condition", ["business.ageDays", "registry.status", "licences.held", "1 + business.ageDays"])
def test_only_true_or_false_is_a_condition(condition: str) -> None:
    assert "must be true or false" in refusal(condition)


def test_a_condition_reads_a_fact() -> None:
    assert refusal("true") == "must read at least one fact"
    assert refusal('"registry.active" == "x"') == "must read at least one fact"


@pytest.mark.parametrize(
    "condition",
    [
        "[1, 2].all(a, [1, 2].all(b, a == b)) && registry.active",
        "licences.held.exists(a, licences.missing.exists(b, a == b))",
        "licences.held.exists(a, size(licences.missing) > 0 && [a].exists_one(b, b == a))",
        "licences.held . exists (a, licences.missing // comment (\n . exists(b, a == b))",
    ],
)
def test_a_loop_inside_a_loop_is_refused(condition: str) -> None:
    assert "inside a loop" in refusal(condition)


@pytest.mark.parametrize(
    "condition",
    [
        'registry.status.matches("(a+)+") || registry.active',
        'registry.status + registry.status == "aa"',
        "[registry.active].map(x, x)[0]",
        "licences.held + licences.held == licences.held",
        "dyn(registry.active) == 1",
        "has(registry.active)",
        "(" * 200 + "registry.active" + ")" * 200,
        'registry.status == "\ud800"',
    ],
)
def test_what_has_no_bound_is_not_available(condition: str) -> None:
    assert refusal(condition)


def test_loops_beside_each_other_are_allowed() -> None:
    condition = 'licences.held.exists(a, a == "x") && licences.missing.all(a, a.startsWith("y("))'
    assert compile_condition(condition).paths == ("licences.held", "licences.missing")
    assert evaluate(condition, facts(licences__held=("x",), licences__missing=("y(1",))) is True


def test_a_condition_names_the_facts_that_it_reads() -> None:
    condition = (
        'registry.status != "business.ageDays" // match.score\n && size(licences.held) > 0 && registry.jurisdictions[0] == "ON"'
    )
    assert compile_condition(condition).paths == ("registry.status", "licences.held", "registry.jurisdictions")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("registry.active || business.ageDays < 10", True),
        ("business.ageDays < 10 || registry.active", True),
        ("!registry.active && business.ageDays < 10", False),
        ("registry.active ? registry.active : business.ageDays < 10", True),
    ],
)
def test_known_facts_may_decide_alone(condition: str, *, expected: bool) -> None:
    assert evaluate(condition, facts(registry__active=True)) is expected


@pytest.mark.parametrize(
    "condition",
    [
        "business.ageDays < 10",
        "!(business.ageDays < 10)",
        "registry.active && business.ageDays < 10",
        "business.ageDays == business.ageDays",
    ],
)
def test_an_unknown_fact_is_neither_true_nor_false(condition: str) -> None:
    assert isinstance(evaluate(condition, facts(registry__active=True)), str)


def test_an_error_is_not_false() -> None:
    assert "zero" in str(evaluate("business.ageDays / business.ageDays == 1", facts(business__ageDays=0)))
