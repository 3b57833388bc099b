"""Draw the ownership of a business (`bonafide.diagrams`)."""

from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.diagrams.ownership_svg import draw_ownership
from bonafide.i18n.language import Language
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.runtime import Runtime


async def draw_diagram(runtime: Runtime, organization_id: UUID, answer: OwnershipAnswer, language: Language) -> str:
    """The diagram as an SVG element. One of the most parties and lines takes up to two seconds of a processor."""
    with runtime.compute_for(organization_id):
        return await run_cpu_bound(draw_ownership, answer, language)
