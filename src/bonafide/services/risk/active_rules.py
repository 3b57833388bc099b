"""The active risk rules of an organization, compiled."""

from uuid import UUID

from bonafide.matching.risk.condition_language import ConditionError
from bonafide.matching.risk.evaluation import CompiledRules, compile_rules
from bonafide.observability.log import get_logger
from bonafide.store.database.engine import Connection, Store
from bonafide.store.risk import risk_rules

_log = get_logger(__name__)


async def get_active_rules(database: Connection | Store, organization_id: UUID) -> CompiledRules | None:
    """The active rules; None if the organization has none, or has rules that this release does not accept, which is logged."""
    document = await risk_rules.get_active_document(database, organization_id)
    if document is None:
        return None
    try:
        return compile_rules(document)
    except (ConditionError, ValueError) as error:
        # A release that removes a fact must not make searches fail. Without a rating nothing counts as clean.
        _log.warning("risk_rules.refused", organization_id=str(organization_id), error=type(error).__name__)
        return None
