"""The built-in risk rules, which an organization may start from. They are a starting point and not advice."""

from collections.abc import Mapping
from functools import cache

from bonafide.i18n.message import Message
from bonafide.matching.text.tables import read_table
from bonafide.model.risk.rules import DEFAULT_VERSION, RiskRules, RiskRulesInput, RiskRulesStatus


@cache
def get_default_rules() -> RiskRules:
    """The built-in rules as version 0."""
    rules = RiskRulesInput.model_validate(read_table("default_risk_rules"))
    return RiskRules(rules=rules.rules, bands=rules.bands, version=DEFAULT_VERSION, status=RiskRulesStatus.DEFAULT)


def to_rule_message(text: str) -> Message:
    """The title or the reason of a rule as a message. Only the texts of the built-in rules are translated."""
    return _map_built_in_texts().get(text) or Message.untranslated(text)


@cache
def _map_built_in_texts() -> Mapping[str, Message]:
    return {text: Message(text) for rule in get_default_rules().rules for text in (rule.title, rule.reason)}
