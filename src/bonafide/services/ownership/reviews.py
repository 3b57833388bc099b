"""Review the ownership of a business: compare the declared owners with the register, and open a discrepancy for each difference.

A review that finds a difference again refers to the discrepancy of the earlier review, so that its clock goes on. The comparison is
computed before the transaction that stores it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.ownership.owner_differences import compare_owners
from bonafide.matching.ownership.stated_owners import list_stated_owners
from bonafide.model.base import StoredDocument
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.discrepancies import (
    ComparisonRequest,
    DiscrepancyRecord,
    DiscrepancyRequest,
    DiscrepancyStatus,
    OwnershipReview,
    ReviewedDifference,
    ReviewedSide,
    ReviewOutcome,
    RiskRating,
)
from bonafide.model.ownership.owner_comparison import MAX_OWNERS, OwnerComparison, OwnerDifference
from bonafide.model.ownership.statement import Claimant, OwnershipStatement
from bonafide.model.records.business_record import Author, BusinessRecord, FieldChange
from bonafide.model.search.result import Pagination
from bonafide.runtime import Runtime
from bonafide.services.ownership.claims import find_subject
from bonafide.services.ownership.discrepancies import (
    OPENED,
    build_row,
    parse_discrepancy,
    record_changes,
    send_discrepancy,
)
from bonafide.services.records import business_records
from bonafide.services.records.documents import load_documents
from bonafide.store.database.engine import Connection
from bonafide.store.records import discrepancies, ownership_reviews, ownership_statements
from bonafide.store.records.ownership_reviews import StoredReview
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

UNKNOWN_REVIEW = Message("We couldn’t find that ownership review.")
REVIEWED = "ownership.reviewed"
"""The field of the audit entry of a review."""
_NO_STATEMENT = Message("is required: the business has no ownership statement of this claimant")
_TOO_MANY = Message("names more than {limit} individuals")


@dataclass(frozen=True, slots=True)
class ReviewFindings:
    """Both sides of a comparison, and what it found; without sides for a discrepancy that a person has found."""

    declared: ReviewedSide | None
    registry: ReviewedSide | None
    comparison: OwnerComparison


async def review_ownership(
    runtime: Runtime, organization_id: UUID, business_id: UUID, request: DiscrepancyRequest, author: Author
) -> ReviewOutcome:
    """Make and store a review, and open a discrepancy for each difference that has none yet.

    Raises `NotFound` for an unknown business, and `ValidationFailed` for a side that is neither sent nor recorded, for a document
    that the business doesn't have, and for a day in the future.
    """
    now = runtime.clock()
    if request.found_at is not None and request.found_at > now:
        raise ValidationFailed.of_field("foundAt", Message("must not be in the future"))
    findings = await _find_differences(runtime, organization_id, business_id, request, now)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        record = await business_records.load_record(connection, organization_id, business_id, None)
        documents = await load_documents(connection, organization_id, business_id, request.document_ids, "documentIds")
        at = ledger.next_instant(now)
        known = await discrepancies.list_with_status(
            connection, organization_id, business_id, [DiscrepancyStatus.OPEN, DiscrepancyStatus.REPORTED]
        )
        opening = _Opening(request, record, author, at, [parse_discrepancy(document) for document in known])
        found = [opening.find_or_open(difference) for difference in findings.comparison.differences]
        review = OwnershipReview(
            id=opening.review_id,
            business_id=business_id,
            business_name=record.name,
            jurisdiction=record.jurisdiction,
            registration_number=record.registration_number,
            risk_rating=request.risk_rating,
            is_reportable=opening.is_reportable,
            reviewed_at=at,
            reviewed_by=author.actor,
            declared=findings.declared,
            registry=findings.registry,
            differences=tuple(
                ReviewedDifference(**dict(difference), discrepancy_id=one.id, is_new=one.review_id == opening.review_id)
                for difference, one in zip(findings.comparison.differences, found, strict=True)
            ),
            agreed=findings.comparison.agreed,
            gone=opening.list_gone(findings.comparison.differences) if request.comparison is not None else (),
            documents=documents,
            note=request.note,
        )
        new = [one for one in found if one.review_id == review.id]
        await _store(connection, organization_id, review, new, now)
        fields = [FieldChange(REVIEWED, None, _describe_review(review)), *(_describe_opened(one) for one in new)]
        await record_changes(connection, organization_id, ledger, audit_log.AuditChange(business_id, at, author, fields))
        outcome = ReviewOutcome(review=review, discrepancies=tuple(send_discrepancy(runtime, one) for one in found))
        await complete_key(connection, outcome)
    return outcome


class _Opening:
    """Opens the discrepancies of one review, or finds those of earlier ones."""

    def __init__(
        self, request: DiscrepancyRequest, record: BusinessRecord, author: Author, at: datetime, known: Sequence[DiscrepancyRecord]
    ) -> None:
        self.review_id = uuid4()
        self.is_reportable = record.jurisdiction is Jurisdiction.FED and request.risk_rating is RiskRating.HIGH
        self._request, self._business_id, self._author, self._at = request, record.id, author, at
        self._known = list(known)

    def find_or_open(self, difference: OwnerDifference) -> DiscrepancyRecord:
        """The discrepancy of a difference. A known one isn't taken for a difference that needs a clock which it doesn't have."""
        for known in self._known:
            has_class = known.found_kind.is_material or not difference.kind.is_material
            has_clock = known.is_reportable or not self.is_reportable
            if has_class and has_clock and _name_pair(known) == _name_pair(difference):
                self._known.remove(known)
                return known
        return self._open(difference)

    def list_gone(self, differences: Sequence[OwnerDifference]) -> tuple[UUID, ...]:
        """The open discrepancies of people of whom these differences are not."""
        found = {_name_pair(difference) for difference in differences}
        open_ones = [known for known in self._known if known.status is DiscrepancyStatus.OPEN]
        return tuple(known.id for known in open_ones if _name_pair(known) not in found)

    def _open(self, difference: OwnerDifference) -> DiscrepancyRecord:
        opened_at = self._request.found_at if self._request.found_at is not None else self._at
        opened = DiscrepancyRecord(
            id=uuid4(),
            business_id=self._business_id,
            review_id=self.review_id,
            kind=difference.kind,
            found_kind=difference.kind,
            declared=difference.declared,
            registry=difference.registry,
            reason=difference.reason,
            is_reportable=self.is_reportable,
            opened_at=opened_at,
            opened_by=self._author.actor,
            due_at=None,
            status=DiscrepancyStatus.OPEN,
            resolution=None,
            acknowledgement=None,
            decisions=(),
            updated_at=self._at,
        )
        return opened.model_copy(update={"due_at": opened.compute_due_at(opened.kind)})


def _name_pair(one: DiscrepancyRecord | OwnerDifference) -> tuple[str | None, ...]:
    """The people of whom it is, whatever differs about them."""
    return tuple(" ".join(side.name.casefold().split()) if side is not None else None for side in (one.declared, one.registry))


async def _store(
    connection: Connection, organization_id: UUID, review: OwnershipReview, new: Sequence[DiscrepancyRecord], now: datetime
) -> None:
    stored = StoredReview(review.id, review.business_id, review.reviewed_at, review.to_stored().to_text())
    await ownership_reviews.add(connection, organization_id, stored)
    for one in new:
        await discrepancies.add(connection, organization_id, build_row(one, now))


def _describe_review(review: OwnershipReview) -> JsonValue:
    described: dict[str, JsonValue] = review.model_dump(mode="json", by_alias=True, include={"id", "risk_rating", "is_reportable"})
    return described | {"documents": [document.sha256 for document in review.documents]}


def _describe_opened(one: DiscrepancyRecord) -> FieldChange:
    described = one.model_dump(mode="json", by_alias=True, exclude={"business_id", "decisions", "resolution", "acknowledgement"})
    return FieldChange(OPENED, None, described)


# ------------------------------------------------------------------------------------------------------------- comparing


async def _find_differences(
    runtime: Runtime, organization_id: UUID, business_id: UUID, request: DiscrepancyRequest, now: datetime
) -> ReviewFindings:
    if request.discrepancy is not None:
        found = request.discrepancy
        reason = Message.untranslated(found.reason)
        difference = OwnerDifference(kind=found.kind, declared=found.declared, registry=found.registry, reason=reason)
        return ReviewFindings(None, None, OwnerComparison(differences=(difference,), agreed=()))
    assert request.comparison is not None  # noqa: S101 - a request has one of the two
    comparison = request.comparison
    if comparison.registry is not None and comparison.registry.consulted_on > now.date():
        raise ValidationFailed.of_field("comparison.registry.consultedOn", Message("must not be in the future"))
    async with runtime.store.read() as connection:
        await business_records.load_record(connection, organization_id, business_id, None)
        stored = await ownership_statements.list_for_business(connection, organization_id, business_id)
    texts = {one.claimed_by: one.document for one in stored}
    with runtime.compute_for(organization_id):
        return await run_cpu_bound(_compare, business_id, comparison, texts, now.date())


def _compare(business_id: UUID, request: ComparisonRequest, statements: Mapping[Claimant, str], today: date) -> ReviewFindings:
    entry = request.registry
    if entry is not None:
        day, registry = entry.consulted_on, None
    else:
        registry = _parse_statement(statements, Claimant.REGISTRY, "comparison.registry")
        day = min(registry.as_of, today)
    if entry is not None:
        right = ReviewedSide(name=entry.name, as_of=day, owners=entry.individuals, uncompared=(), unknown_share=None)
    else:
        assert registry is not None  # noqa: S101 - one of the two is given
        right = _build_side(registry, business_id, day, "comparison.registry")
    if request.declared is not None:
        left = ReviewedSide(name=None, as_of=day, owners=request.declared, uncompared=(), unknown_share=None)
    else:
        declared = _parse_statement(statements, Claimant.DECLARED, "comparison.declared")
        left = _build_side(declared, business_id, day, "comparison.declared")
    return ReviewFindings(left, right, compare_owners(left.owners, right.owners, day))


def _parse_statement(statements: Mapping[Claimant, str], claimant: Claimant, field: str) -> OwnershipStatement:
    if claimant not in statements:
        raise ValidationFailed.of_field(field, _NO_STATEMENT)
    return OwnershipStatement.model_validate_json(statements[claimant])


def _build_side(statement: OwnershipStatement, business_id: UUID, day: date, field: str) -> ReviewedSide:
    stated = list_stated_owners(statement, find_subject(statement, business_id), day)
    if len(stated.owners) > MAX_OWNERS:
        raise ValidationFailed.of_field(field, _TOO_MANY.fill(limit=MAX_OWNERS))
    return ReviewedSide(
        name=statement.declared_by,
        as_of=statement.as_of,
        owners=stated.owners,
        uncompared=stated.uncompared,
        unknown_share=stated.unknown_share,
    )


async def read_declared_side(runtime: Runtime, organization_id: UUID, business_id: UUID) -> ReviewedSide | None:
    """The declared owners today, for a person to compare; None without a declaration. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await business_records.load_record(connection, organization_id, business_id, None)
        stored = await ownership_statements.list_for_business(connection, organization_id, business_id)
    texts = {one.claimed_by: one.document for one in stored}
    if Claimant.DECLARED not in texts:
        return None
    statement = OwnershipStatement.model_validate_json(texts[Claimant.DECLARED])
    with runtime.compute_for(organization_id):
        return await run_cpu_bound(_build_side, statement, business_id, runtime.clock().date(), "comparison.declared")


# ------------------------------------------------------------------------------------------------------------- reading


async def list_reviews(
    runtime: Runtime, organization_id: UUID, business_id: UUID, limit: int, offset: int
) -> tuple[list[OwnershipReview], Pagination]:
    """A page of the reviews of a business, newest first. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        await business_records.load_record(connection, organization_id, business_id, None)
        documents, total = await ownership_reviews.list_page(connection, organization_id, business_id, limit, offset)
    has_more = offset + len(documents) < total
    return [_parse(text) for text in documents], Pagination(total=total, limit=limit, offset=offset, has_more=has_more)


async def read_review(runtime: Runtime, organization_id: UUID, business_id: UUID, review_id: UUID) -> OwnershipReview:
    """One review of a business. Raises `NotFound`."""
    review = await find_review(runtime, organization_id, review_id)
    if review.business_id != business_id:
        raise NotFound(UNKNOWN_REVIEW)
    return review


async def find_review(runtime: Runtime, organization_id: UUID, review_id: UUID) -> OwnershipReview:
    """One review of any business. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        document = await ownership_reviews.get(connection, organization_id, review_id)
    if document is None:
        raise NotFound(UNKNOWN_REVIEW)
    return _parse(document)


def _parse(document: str) -> OwnershipReview:
    return StoredDocument.from_text(document).parse(OwnershipReview)
