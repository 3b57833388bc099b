"""The section of a risk rating on the pages of results, verifications and business records (`risk/section.html`)."""

from typing import Any
from uuid import UUID

from bonafide.console.risk import labels
from bonafide.i18n.language import Language
from bonafide.model.risk.rating import RiskAssessment
from bonafide.runtime import Runtime
from bonafide.services.risk.active_rules import get_active_rules
from bonafide.services.risk.explanation import explain_rating

NO_RATING: dict[str, Any] = {"risk": None, "is_unrated": False, "rated_record": None, "risk_labels": labels}
"""What the template needs on the page of something that is never rated."""


async def build_rating_context(
    runtime: Runtime, organization_id: UUID, rating: RiskAssessment | None, language: Language, rated_record: UUID | None = None
) -> dict[str, Any]:
    """What the template needs: the `risk` in words, and whether what has no rating would have one (`is_unrated`).

    `rated_record` is the record whose rating it is, on the page of something else.
    """
    return {
        **NO_RATING,
        "risk": explain_rating(rating, runtime.sources, language) if rating is not None else None,
        "is_unrated": rating is None and await get_active_rules(runtime.store, organization_id) is not None,
        "rated_record": rated_record,
    }
