"""Labels of risk rules: states of versions, types of facts, and colours of bands."""

from types import MappingProxyType

from bonafide.i18n.message import Message, context_message
from bonafide.model.risk.facts import FactType
from bonafide.model.risk.rating import RiskLevel
from bonafide.model.risk.rules import RiskRulesStatus

VERSION_STATUS = MappingProxyType({
    RiskRulesStatus.DEFAULT: Message("Built-in"),
    RiskRulesStatus.DRAFT: Message("Draft"),
    RiskRulesStatus.ACTIVE: context_message("rules", "In use"),
    RiskRulesStatus.RETIRED: Message("No longer in use"),
})  # fmt: skip
VERSION_STATUS_COLOUR = MappingProxyType({RiskRulesStatus.ACTIVE: "good", RiskRulesStatus.DRAFT: "note"})
FACT_TYPE = MappingProxyType({
    FactType.BOOL: Message("true or false"),
    FactType.INT: Message("whole number"),
    FactType.DOUBLE: Message("number with decimals"),
    FactType.STRING: Message("text"),
    FactType.LIST: Message("list of texts"),
})  # fmt: skip
FIELD = MappingProxyType({
    "title": Message("Title"),
    "when": Message("Condition"),
    "points": Message("Points"),
    "unknownPoints": Message("Points if it can’t be evaluated"),
    "reason": Message("Reason"),
})  # fmt: skip
"""The fields of a rule."""


def choose_level_colour(level: RiskLevel, *, is_complete: bool = True) -> str:
    """The colour of a band. The lowest one is green only for a rating that is complete."""
    if level is RiskLevel.LOWEST:
        return "good" if is_complete else ""
    return "bad" if level is RiskLevel.HIGHEST else "warn"
