"""Change single rules or the bands of the draft. What others change in other rules meanwhile is kept.

A caller names what it has seen by a digest, so that nobody overwrites a change that they have not read.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from uuid import UUID

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bonafide.errors import FieldProblem, NotFound, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import FIELD
from bonafide.model.records.business_record import Author
from bonafide.model.risk.rules import RiskBand, RiskRule, RiskRules, RiskRulesInput
from bonafide.model.validation_messages import describe_validation_error
from bonafide.runtime import Runtime
from bonafide.services.risk.rule_versions import change_draft, load_version, save_draft

_NO_RULE = Message("There is no such rule in the draft.")
_MAX_ID_CHARACTERS = 60
_OTHER_CHARACTERS = re.compile(r"[^a-z0-9]+")


async def start_draft(runtime: Runtime, organization_id: UUID, version: int, author: Author, *, expected: str) -> None:
    """Save the rules of a version as the draft, in place of the draft with the digest `expected` (`NO_DRAFT` without any).

    Raises `NotFound`, `StaleWrite`, and `ValidationFailed` for rules that this release does not accept.
    """
    async with runtime.store.read() as connection:
        rules = await load_version(connection, organization_id, version)
    await save_draft(runtime, organization_id, rules, author, expected=expected)


async def add_rule(runtime: Runtime, organization_id: UUID, rule: RiskRule, author: Author) -> None:
    """Add a rule. Its ID is derived from its title. Raises as `change_draft` does."""

    def add(draft: RiskRulesInput) -> RiskRulesInput:
        named = rule.model_copy(update={"id": create_rule_id(rule.title, [one.id for one in draft.rules])})
        return _build_input([*draft.rules, named], draft.bands)

    await change_draft(runtime, organization_id, add, author)


async def replace_rule(runtime: Runtime, organization_id: UUID, rule: RiskRule, author: Author, *, expected: str) -> None:
    """Replace the rule with the same ID. Raises `StaleWrite` if its digest is not `expected`, and as `change_draft` does."""
    await change_draft(runtime, organization_id, _create_change(rule.id, rule, expected), author)


async def remove_rule(runtime: Runtime, organization_id: UUID, rule_id: str, author: Author, *, expected: str) -> None:
    """Remove a rule. Raises `StaleWrite` if its digest is not `expected`, and as `change_draft` does, also for the last rule."""
    await change_draft(runtime, organization_id, _create_change(rule_id, None, expected), author)


async def replace_bands(
    runtime: Runtime, organization_id: UUID, bands: Sequence[RiskBand], author: Author, *, expected: Sequence[RiskBand]
) -> None:
    """Replace the bands. Raises `StaleWrite` if they are not `expected`, and as `change_draft` does."""

    def change(draft: RiskRulesInput) -> RiskRulesInput:
        if draft.bands != tuple(expected):
            raise StaleWrite(Message("Somebody else has changed the bands since you opened them."))
        return _build_input(draft.rules, bands)

    await change_draft(runtime, organization_id, change, author)


def find_rule(draft: RiskRules | None, rule_id: str) -> RiskRule:
    """The rule with that ID. Raises `NotFound`."""
    found = next((rule for rule in draft.rules if rule.id == rule_id), None) if draft is not None else None
    if found is None:
        raise NotFound(_NO_RULE)
    return found


def create_rule_id(title: str, taken: Collection[str]) -> str:
    """A new ID from the words of a title: `owner-is-listed`, or `owner-is-listed-2` if that is taken."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    stem = _OTHER_CHARACTERS.sub("-", plain).strip("-")[:_MAX_ID_CHARACTERS].strip("-") or "rule"
    candidates = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return next(candidate for candidate in candidates if candidate not in taken)


def _create_change(rule_id: str, new: RiskRule | None, expected: str) -> Callable[[RiskRulesInput], RiskRulesInput]:
    def change(draft: RiskRulesInput) -> RiskRulesInput:
        known = next((rule for rule in draft.rules if rule.id == rule_id), None)
        if known is None:
            raise NotFound(_NO_RULE)
        if known.digest != expected:
            raise StaleWrite(Message("Somebody else has changed this rule since you opened it."))
        others = [(new if rule is known else rule) for rule in draft.rules]
        return _build_input([rule for rule in others if rule is not None], draft.bands)

    return change


def _build_input(rules: Sequence[RiskRule], bands: Sequence[RiskBand]) -> RiskRulesInput:
    """The rules and bands. Raises `ValidationFailed` for bands that overlap, and too few or too many rules."""
    try:
        return RiskRulesInput(rules=tuple(rules), bands=tuple(bands))
    except ValidationError as error:
        raise ValidationFailed.of_fields([_to_problem(details) for details in error.errors()]) from None


def _to_problem(details: ErrorDetails) -> FieldProblem:
    path = [str(part) for part in details["loc"]]
    field = details.get("ctx", {}).get(FIELD)
    return FieldProblem(".".join([*path, *([str(field)] if field is not None else [])]), describe_validation_error(details))
