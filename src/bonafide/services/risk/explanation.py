"""Describe a risk rating in words, with the names of the sources of its facts."""

from collections.abc import Mapping

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, join_messages
from bonafide.matching.risk.default_rules import to_rule_message
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.roll_up import describe_fraction
from bonafide.model.risk.explanation import ExplainedFact, ExplainedRating, ExplainedRule
from bonafide.model.risk.facts import RiskFact
from bonafide.model.risk.rating import RiskAssessment
from bonafide.model.risk.wording import BAND_LABEL, FACT_LABEL, FACT_SOURCE, SHARES, SOURCE_LISTS, VALUE_LABEL
from bonafide.sources.framework.discovery import Source

_NONE = Message("None")


def describe_band(name: str) -> Message:
    """The name of a band; those of the built-in rules are translated."""
    return BAND_LABEL.get(name) or Message.untranslated(name)


def describe_fact_path(path: str) -> Message:
    """The label of a fact; its path if this release no longer has it."""
    return FACT_LABEL.get(path) or Message.untranslated(path)


def explain_rating(rating: RiskAssessment, sources: Mapping[str, Source], language: Language) -> ExplainedRating:
    """The rating in words. Names of sources are in the `language`; messages are translated when they are shown."""

    def explain(facts: tuple[RiskFact, ...]) -> tuple[ExplainedFact, ...]:
        return tuple(_explain_fact(fact, sources, language) for fact in facts)

    return ExplainedRating(
        band=describe_band(rating.band),
        level=rating.level,
        points=rating.points,
        version=rating.version,
        is_complete=rating.is_complete,
        contributions=tuple(
            ExplainedRule(
                title=to_rule_message(one.title),
                points=one.points,
                reason=to_rule_message(one.reason),
                facts=explain(one.facts),
            )
            for one in rating.contributions
        ),
        unknown=tuple(
            ExplainedRule(
                title=to_rule_message(one.title),
                points=one.points,
                reason=None,
                facts=explain(one.facts),
                missing=tuple(map(describe_fact_path, one.missing)),
                error=one.error,
            )
            for one in rating.unknown
        ),
    )


def _explain_fact(fact: RiskFact, sources: Mapping[str, Source], language: Language) -> ExplainedFact:
    value = fact.value
    explained = ExplainedFact(
        label=describe_fact_path(fact.path),
        path=fact.path,
        source=FACT_SOURCE.get(fact.source) or _name_source(fact.source, sources, language),
        as_of=fact.as_of,
    )
    if isinstance(value, bool):
        return explained.model_copy(update={"text": Message("Yes") if value else Message("No")})
    if isinstance(value, int):
        return explained.model_copy(update={"count": value})
    if isinstance(value, float):
        return explained.model_copy(update={"text": describe_fraction(value)} if fact.path in SHARES else {"score": value})
    values = value if isinstance(value, tuple) else (value,)
    words = [_describe_value(fact.path, one, sources, language) for one in values]
    return explained.model_copy(update={"text": join_messages(words, ", ") if words else _NONE})


def _describe_value(path: str, value: str, sources: Mapping[str, Source], language: Language) -> Message:
    if path in SOURCE_LISTS:
        return _name_source(value, sources, language)
    if path == "registry.jurisdictions":
        return Jurisdiction(value).label
    return VALUE_LABEL.get(path, {}).get(value) or Message.untranslated(value)


def _name_source(key: str, sources: Mapping[str, Source], language: Language) -> Message:
    source = sources.get(key)
    return Message.untranslated(source.metadata.get_display_name(language) if source is not None else key)
