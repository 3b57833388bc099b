"""The report of an ownership review: what it compared and found, and what has become of each difference since."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.i18n.language import Language
from bonafide.matching.ownership.owner_differences import format_band
from bonafide.model.ownership.discrepancies import Discrepancy, DiscrepancyDecision, OwnershipReview
from bonafide.model.ownership.owner_comparison import OwnerDifference, StatedOwner
from bonafide.model.ownership.statement import Claimant
from bonafide.model.records.documents import BusinessDocument
from bonafide.pdf.print_models import PrintedDecision, PrintedDifference, PrintedOwner, PrintedOwnershipReview
from bonafide.runtime import Runtime
from bonafide.services.ownership.discrepancies import read_discrepancy
from bonafide.services.ownership.reviews import find_review
from bonafide.services.records.documents import list_documents


@dataclass(frozen=True, slots=True)
class ReviewContent:
    """A review, the discrepancies of its differences and those that are gone as they are now, and the documents by ID."""

    review: OwnershipReview
    discrepancies: tuple[Discrepancy, ...]
    gone: tuple[Discrepancy, ...]
    documents: dict[UUID, BusinessDocument]

    def to_text(self) -> str:
        """Everything that determines the report."""
        return "\n".join([self.review.to_json(), *(one.to_json() for one in (*self.discrepancies, *self.gone))])


async def load_review_content(runtime: Runtime, organization_id: UUID, review_id: UUID) -> ReviewContent:
    """Read what a review's report prints. Raises `NotFound`."""
    review = await find_review(runtime, organization_id, review_id)

    async def read(ids: Iterable[UUID]) -> tuple[Discrepancy, ...]:
        return tuple([await read_discrepancy(runtime, organization_id, review.business_id, one) for one in ids])

    found = await read(difference.discrepancy_id for difference in review.differences)
    kept = await list_documents(runtime, organization_id, review.business_id)
    return ReviewContent(review, found, await read(review.gone), {document.id: document for document in kept.documents})


def build_review_sheet(
    content: ReviewContent, document_id: UUID, issued_at: datetime, language: Language
) -> PrintedOwnershipReview:
    """The print model of a review."""
    review = content.review
    used = dict.fromkeys([document.id for document in review.documents])
    for one in (*content.discrepancies, *content.gone):
        for decision in one.decisions:
            if decision.acknowledgement is not None:
                used[decision.acknowledgement.document_id] = None
            used.update(dict.fromkeys(decision.document_ids))
    sides = {Claimant.DECLARED: review.declared, Claimant.REGISTRY: review.registry}
    unknown = {claimant: side.describe_unknown_share() for claimant, side in sides.items() if side is not None}
    return PrintedOwnershipReview(
        language=language,
        document_id=document_id,
        issued_at=issued_at,
        review=review,
        differences=tuple(
            _print_difference(difference, one, content.documents, is_new=difference.is_new)
            for difference, one in zip(review.differences, content.discrepancies, strict=True)
        ),
        agreed=tuple((_print_owner(one.declared), _print_owner(one.registry)) for one in review.agreed),
        gone=tuple(_print_difference(_to_difference(one), one, content.documents, is_new=False) for one in content.gone),
        is_complete=review.is_complete,
        unknown_shares={claimant: sentence for claimant, sentence in unknown.items() if sentence is not None},
        documents=tuple(content.documents[one] for one in used if one in content.documents),
    )


def _to_difference(discrepancy: Discrepancy) -> OwnerDifference:
    """The difference as it was found last."""
    return OwnerDifference(
        kind=discrepancy.found_kind, declared=discrepancy.declared, registry=discrepancy.registry, reason=discrepancy.reason
    )


def _print_difference(
    difference: OwnerDifference, discrepancy: Discrepancy, documents: dict[UUID, BusinessDocument], *, is_new: bool
) -> PrintedDifference:
    return PrintedDifference(
        kind=discrepancy.kind,
        found_kind=difference.kind,
        reason=difference.reason,
        is_new=is_new,
        declared=_print_owner(difference.declared) if difference.declared is not None else None,
        registry=_print_owner(difference.registry) if difference.registry is not None else None,
        status=discrepancy.status,
        overdue=discrepancy.overdue,
        opened_at=discrepancy.opened_at,
        opened_by=discrepancy.opened_by,
        due_at=discrepancy.due_at,
        resolution=discrepancy.resolution,
        acknowledgement=discrepancy.acknowledgement,
        decisions=tuple(_print_decision(decision, documents) for decision in discrepancy.decisions),
    )


def _print_decision(decision: DiscrepancyDecision, documents: dict[UUID, BusinessDocument]) -> PrintedDecision:
    return PrintedDecision(
        at=decision.at,
        by=decision.by,
        status=decision.status,
        kind=decision.kind,
        resolution=decision.resolution,
        acknowledgement=decision.acknowledgement,
        documents=tuple(documents[one].name for one in decision.document_ids if one in documents),
    )


def _print_owner(owner: StatedOwner) -> PrintedOwner:
    return PrintedOwner(
        name=owner.name,
        date_of_birth=owner.date_of_birth,
        from_=owner.from_,
        to=owner.to,
        kinds=owner.kinds,
        share=format_band(owner.share) if owner.share is not None else None,
        votes=format_band(owner.votes) if owner.votes is not None else None,
        control=owner.control,
        address=owner.address,
    )
