"""Evaluate risk rules over facts: a pure function from facts and one version of the rules to a rating."""

from dataclasses import dataclass
from functools import lru_cache

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.risk.condition_language import CompiledCondition, ConditionError, FactActivation, compile_condition
from bonafide.model.risk.facts import Facts
from bonafide.model.risk.rating import RiskAssessment, RiskContribution, RiskLevel, UnknownRisk
from bonafide.model.risk.rules import RiskRule, RiskRules, RiskRulesInput

_REMEMBERED = 64
"""How many compiled versions are cached: every result is rated by the active version of its organization."""
_MAX_ERROR_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class CompiledRules:
    """A version of the rules with its compiled conditions, in the order of the rules."""

    rules: RiskRules
    conditions: tuple[CompiledCondition, ...]


def check_conditions(rules: RiskRulesInput) -> None:
    """Raises `ValidationFailed` with the field and the reason for each condition that is not valid."""
    problems = []
    for place, rule in enumerate(rules.rules):
        try:
            compile_condition(rule.when)
        except ConditionError as error:
            problems.append(FieldProblem(f"rules.{place}.when", error.problem))
    if problems:
        raise ValidationFailed.of_fields(problems)


@lru_cache(maxsize=_REMEMBERED)
def compile_rules(document: str) -> CompiledRules:
    """The compiled rules of a stored version. Raises `ConditionError` for a condition that this release does not accept."""
    rules = RiskRules.model_validate_json(document)
    return CompiledRules(rules, tuple(compile_condition(rule.when) for rule in rules.rules))


def rate_facts(compiled: CompiledRules, facts: Facts) -> RiskAssessment:
    """The rating of the facts. A rule whose condition can't be evaluated is listed in `unknown`."""
    activation = FactActivation(facts)
    contributions: list[RiskContribution] = []
    unknown: list[UnknownRisk] = []
    for rule, condition in zip(compiled.rules.rules, compiled.conditions, strict=True):
        result = activation.evaluate(condition)
        if result is True:
            contributions.append(_build_contribution(rule, condition, facts))
        elif result is not False:
            unknown.append(_build_unknown(rule, condition, facts, result))
    points = sum(one.points for one in contributions) + sum(one.points for one in unknown)
    band = compiled.rules.find_band(points).name
    return RiskAssessment(
        band=band,
        level=_find_level(compiled.rules, band),
        points=points,
        version=compiled.rules.version,
        is_complete=not unknown,
        contributions=tuple(sorted(contributions, key=lambda one: -one.points)),
        unknown=tuple(sorted(unknown, key=lambda one: -one.points)),
    )


def _find_level(rules: RiskRules, band: str) -> RiskLevel:
    rank = rules.rank(band)
    if not rank:
        return RiskLevel.LOWEST
    return RiskLevel.HIGHEST if rank == len(rules.bands) - 1 else RiskLevel.MIDDLE


def _build_contribution(rule: RiskRule, condition: CompiledCondition, facts: Facts) -> RiskContribution:
    known = tuple(facts[path] for path in condition.paths if path in facts)
    return RiskContribution(rule_id=rule.id, title=rule.title, points=rule.points, reason=rule.reason, facts=known)


def _build_unknown(rule: RiskRule, condition: CompiledCondition, facts: Facts, error: str) -> UnknownRisk:
    missing = tuple(path for path in condition.paths if path not in facts)
    return UnknownRisk(
        rule_id=rule.id,
        title=rule.title,
        points=rule.points_if_unknown,
        missing=missing,
        facts=tuple(facts[path] for path in condition.paths if path in facts),
        error=Message.untranslated(error[:_MAX_ERROR_CHARACTERS]) if not missing else None,
    )
