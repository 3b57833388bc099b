"""The built-in risk rules, which an organization may start from. They are a starting point and not advice."""

from functools import cache

from bonafide.matching.text.tables import read_table
from bonafide.model.risk.rules import DEFAULT_VERSION, RiskRules, RiskRulesInput, RiskRulesStatus


@cache
def get_default_rules() -> RiskRules:
    """The built-in rules as version 0."""
    rules = RiskRulesInput.model_validate(read_table("default_risk_rules"))
    return RiskRules(rules=rules.rules, bands=rules.bands, version=DEFAULT_VERSION, status=RiskRulesStatus.DEFAULT)
