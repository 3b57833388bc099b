"""Review the ownership of a business: compare the declared owners with the register, and open a discrepancy for each difference.

A review that finds a difference again refers to the discrepancy of the earlier review, so that its clock goes on. One that was
reported or recorded by hand is found again only if both sides state the same as then. The comparison is computed before the
transaction that stores it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.ownership.owner_differences import OwnersBelow, compare_owners
from bonafide.matching.ownership.stated_owners import list_stated_owners
from bonafide.model.base import StoredDocument
from bonafide.model.events.event import EventBusiness
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.discrepancies import (
    ComparisonRequest,
    DeclaredAddress,
    DiscrepancyRecord,
    DiscrepancyRequest,
    DiscrepancyStatus,
    OwnershipReview,
    ReviewedDifference,
    ReviewedSide,
    ReviewOutcome,
    RiskRating,
)
from bonafide.model.ownership.owner_comparison import MAX_OWNERS, OwnerComparison, OwnerDifference, StatedOwner
from bonafide.model.ownership.statement import Claimant, OwnershipStatement
from bonafide.model.records.business_record import Author, BusinessRecord, FieldChange
from bonafide.model.search.result import Pagination
from bonafide.runtime import Runtime
from bonafide.services.ownership.claims import find_subject
from bonafide.services.ownership.discrepancies import (
    CHANGED,
    OPENED,
    build_row,
    compute_reminder,
    parse_discrepancy,
    plan_reminder,
    record_changes,
    send_discrepancy,
)
from bonafide.services.ownership.ownership_events import build_opening_event
from bonafide.services.ownership.statements import StatementVersion, read_statement
from bonafide.services.records import business_records
from bonafide.services.records.documents import load_documents
from bonafide.store.database.engine import Connection
from bonafide.store.records import discrepancies, ownership_reviews
from bonafide.store.records.discrepancies import StoredDiscrepancy
from bonafide.store.records.ownership_reviews import StoredReview
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

UNKNOWN_REVIEW = Message("We couldn’t find that ownership review.")
REVIEWED = "ownership.reviewed"
"""The field of the audit entry of a review."""
_NO_STATEMENT = Message("is required: the business has no ownership statement of this claimant")
_TOO_MANY = Message("names more than {limit} individuals")
_STATEMENT_CHANGED = Message(
    "The declaration of owners has changed since the page was opened. Check the declared owners, then compare again."
)


@dataclass(frozen=True, slots=True)
class ReviewFindings:
    """Both sides of a comparison, and what it found; without sides for a discrepancy that a person has found."""

    declared: ReviewedSide | None
    registry: ReviewedSide | None
    comparison: OwnerComparison


async def review_ownership(
    runtime: Runtime,
    organization_id: UUID,
    business_id: UUID,
    request: DiscrepancyRequest,
    author: Author,
    *,
    expected: StatementVersion | None = None,
) -> ReviewOutcome:
    """Make and store a review, and open a discrepancy for each difference that has none yet.

    Raises `NotFound` for an unknown business, `Conflict` if the stored declaration isn't `expected`, and `ValidationFailed` for a
    side that is neither sent nor recorded, for a document that the business doesn't have, and for a day in the future.
    """
    now = runtime.clock()
    if request.found_at is not None and request.found_at > now:
        raise ValidationFailed.of_field("foundAt", Message("must not be in the future"))
    findings = await _find_differences(runtime, organization_id, business_id, request, expected, now)
    differences = findings.comparison.differences
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        record = await business_records.load_record(connection, organization_id, business_id, None)
        documents = await load_documents(connection, organization_id, business_id, request.document_ids, "documentIds")
        at = ledger.next_instant(now)
        known = await discrepancies.list_with_status(
            connection, organization_id, business_id, [DiscrepancyStatus.OPEN, DiscrepancyStatus.REPORTED]
        )
        opening = _Opening(request, record, author, at, known)
        found = opening.find_or_open(differences)
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
                for difference, one in zip(differences, found, strict=True)
            ),
            agreed=findings.comparison.agreed,
            gone=opening.list_gone(differences) if request.comparison is not None else (),
            documents=documents,
            note=request.note,
        )
        await _store(connection, organization_id, review, opening, now)
        fields = [FieldChange(REVIEWED, None, _describe_review(review)), *opening.describe_changes()]
        business = EventBusiness.from_record(record)
        events = [build_opening_event(business, one, author) for one in opening.opened]
        await record_changes(connection, organization_id, ledger, audit_log.AuditChange(business_id, at, author, fields), events)
        outcome = ReviewOutcome(review=review, discrepancies=tuple(send_discrepancy(runtime, one) for one in found))
        await complete_key(connection, outcome)
    return outcome


@dataclass(frozen=True, slots=True)
class _Update:
    """A known discrepancy that a review changes: its row, and the discrepancy before and after."""

    row: StoredDiscrepancy
    old: DiscrepancyRecord
    new: DiscrepancyRecord


class _Opening:
    """Opens the discrepancies of one review, or finds and updates those of earlier ones."""

    def __init__(
        self, request: DiscrepancyRequest, record: BusinessRecord, author: Author, at: datetime, known: Sequence[StoredDiscrepancy]
    ) -> None:
        self.review_id = uuid4()
        self.is_reportable = record.jurisdiction is Jurisdiction.FED and request.risk_rating is RiskRating.HIGH
        self.opened: list[DiscrepancyRecord] = []
        self.updated: list[_Update] = []
        self._request, self._business_id, self._author, self._at = request, record.id, author, at
        self._rows = {row.id: row for row in known}
        self._known = [parse_discrepancy(row.document) for row in known]

    def find_or_open(self, differences: Sequence[OwnerDifference]) -> list[DiscrepancyRecord]:
        """The discrepancy of each difference. Those of which both sides state the same as then are found before all others."""
        same = [self._take(self._find_same(difference)) for difference in differences]
        return [
            self._settle(known if known is not None else self._take(self._find_changed(difference)), difference)
            for known, difference in zip(same, differences, strict=True)
        ]

    def list_gone(self, differences: Sequence[OwnerDifference]) -> tuple[UUID, ...]:
        """The open discrepancies of people of whom these differences are not."""
        found = {_name_pair(difference) for difference in differences}
        open_ones = [known for known in self._known if known.status is DiscrepancyStatus.OPEN]
        return tuple(known.id for known in open_ones if _name_pair(known) not in found)

    def describe_changes(self) -> list[FieldChange]:
        """The fields of the audit log."""
        updated = [FieldChange(CHANGED, _describe_facts(one.old), _describe_facts(one.new)) for one in self.updated]
        return [*map(_describe_opened, self.opened), *updated]

    def _find_same(self, difference: OwnerDifference) -> DiscrepancyRecord | None:
        """A discrepancy of the same facts. Nobody's own words are replaced by those of somebody else."""
        by_hand = self._request.discrepancy is not None
        return next(
            (
                known
                for known in self._list_of_people(difference)
                if _list_facts(known) == _list_facts(difference)
                and (known.found_kind.is_material or not difference.kind.is_material)
                and (not by_hand or (known.found_kind, known.reason) == (difference.kind, difference.reason))
            ),
            None,
        )

    def _find_changed(self, difference: OwnerDifference) -> DiscrepancyRecord | None:
        """An open discrepancy of a comparison about the same people. One that counts as immaterial doesn't cover a material one."""
        if self._request.discrepancy is not None:
            return None
        return next(
            (
                known
                for known in self._list_of_people(difference)
                if known.status is DiscrepancyStatus.OPEN
                and not known.is_by_hand
                and (known.kind.is_material or not difference.kind.is_material)
            ),
            None,
        )

    def _list_of_people(self, difference: OwnerDifference) -> Iterator[DiscrepancyRecord]:
        """The known discrepancies of the same people; none without a clock where the difference needs one."""
        for known in self._known:
            if (known.is_reportable or not self.is_reportable) and _name_pair(known) == _name_pair(difference):
                yield known

    def _take(self, known: DiscrepancyRecord | None) -> DiscrepancyRecord | None:
        if known is not None:
            self._known.remove(known)
        return known

    def _settle(self, known: DiscrepancyRecord | None, difference: OwnerDifference) -> DiscrepancyRecord:
        """The known discrepancy with what both sides state now, or a new one."""
        if known is None:
            opened = self._open(difference)
            self.opened.append(opened)
            return opened
        changed = self._update(known, difference)
        if changed == known:
            return known
        new = changed.model_copy(update={"updated_at": self._at})
        self.updated.append(_Update(self._rows[known.id], known, new))
        return new

    def _update(self, known: DiscrepancyRecord, difference: OwnerDifference) -> DiscrepancyRecord:
        """The clock never begins later. The class stays as it is: it is for a person to decide that no report is due any more."""
        update: dict[str, object] = {}
        if known.status is DiscrepancyStatus.OPEN and not known.is_by_hand:
            stated = {"declared": difference.declared, "registry": difference.registry, "reason": difference.reason}
            update = {**stated, "found_kind": difference.kind}
        found_at = self._request.found_at
        if found_at is not None and found_at < known.opened_at:
            update["opened_at"] = found_at
        changed = known.model_copy(update=update)
        return changed.model_copy(update={"due_at": changed.compute_due_at(changed.kind)})

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
            is_by_hand=self._request.discrepancy is not None,
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


_FACTS = {"date_of_birth", "from_", "to", "kinds", "share", "votes"}
"""What can contradict beside the name; descriptions and addresses can't."""


def _list_facts(one: DiscrepancyRecord | OwnerDifference) -> list[dict[str, object] | None]:
    return [side.model_dump(include=_FACTS) if side is not None else None for side in (one.declared, one.registry)]


async def _store(connection: Connection, organization_id: UUID, review: OwnershipReview, opening: _Opening, now: datetime) -> None:
    stored = StoredReview(review.id, review.business_id, review.reviewed_at, review.to_stored().to_text())
    await ownership_reviews.add(connection, organization_id, stored)
    for one in opening.opened:
        await discrepancies.add(connection, organization_id, build_row(one, compute_reminder(one.due_at, now)))
    for update in opening.updated:
        reminder_at = plan_reminder(update.row, update.old, update.new, now)
        await discrepancies.replace(connection, organization_id, build_row(update.new, reminder_at))


def _describe_review(review: OwnershipReview) -> JsonValue:
    described: dict[str, JsonValue] = review.model_dump(mode="json", by_alias=True, include={"id", "risk_rating", "is_reportable"})
    return described | {"documents": [document.sha256 for document in review.documents]}


def _describe_opened(one: DiscrepancyRecord) -> FieldChange:
    described = one.model_dump(mode="json", by_alias=True, exclude={"business_id", "decisions", "resolution", "acknowledgement"})
    return FieldChange(OPENED, None, described)


_UPDATED = {"id", "found_kind", "declared", "registry", "reason", "opened_at", "due_at"}


def _describe_facts(one: DiscrepancyRecord) -> JsonValue:
    described: JsonValue = one.model_dump(mode="json", by_alias=True, include=_UPDATED)
    return described


# ------------------------------------------------------------------------------------------------------------- comparing


async def _find_differences(
    runtime: Runtime,
    organization_id: UUID,
    business_id: UUID,
    request: DiscrepancyRequest,
    expected: StatementVersion | None,
    now: datetime,
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
    statements: dict[Claimant, OwnershipStatement] = {}
    for claimant, sent in ((Claimant.REGISTRY, comparison.registry), (Claimant.DECLARED, comparison.declared)):
        if sent is None:
            statement, version = await read_statement(runtime, organization_id, business_id, claimant)
            if claimant is Claimant.DECLARED and expected not in {None, version}:
                raise Conflict(_STATEMENT_CHANGED)
            if statement is None:
                raise ValidationFailed.of_field(f"comparison.{claimant}", _NO_STATEMENT)
            statements[claimant] = statement
    with runtime.compute_for(organization_id):
        return await run_cpu_bound(_compare, business_id, comparison, statements, now.date())


def _compare(
    business_id: UUID, request: ComparisonRequest, statements: Mapping[Claimant, OwnershipStatement], today: date
) -> ReviewFindings:
    entry = request.registry
    if entry is not None:
        day = entry.consulted_on
        right = ReviewedSide(name=entry.name, as_of=day, owners=entry.individuals, uncompared=(), unknown_share=None)
    else:
        statement = statements[Claimant.REGISTRY]
        day = min(statement.as_of, today)
        right = _build_side(statement, business_id, day)
    if request.declared is not None:
        left = ReviewedSide(name=None, as_of=day, owners=request.declared, uncompared=(), unknown_share=None)
    else:
        statement = statements[Claimant.DECLARED]
        left = _add_addresses(_build_side(statement, business_id, day), statement, request.declared_addresses)
    below = OwnersBelow(left.below_threshold, right.below_threshold)
    return ReviewFindings(left, right, compare_owners(left.owners, right.owners, day, below))


def _build_side(statement: OwnershipStatement, business_id: UUID, day: date) -> ReviewedSide:
    stated = list_stated_owners(statement, find_subject(statement, business_id), day)
    if len(stated.owners) > MAX_OWNERS:
        raise ValidationFailed.of_field(f"comparison.{statement.claimed_by}", _TOO_MANY.fill(limit=MAX_OWNERS))
    return ReviewedSide(
        name=statement.declared_by,
        as_of=statement.as_of,
        owners=stated.owners,
        below_threshold=stated.below,
        uncompared=stated.uncompared,
        unknown_share=stated.unknown_share,
    )


def _add_addresses(side: ReviewedSide, statement: OwnershipStatement, declared: Sequence[DeclaredAddress]) -> ReviewedSide:
    """The side with the addresses of its individuals. One of a party who is no owner on the day isn't needed."""
    parties = {party.id for party in statement.parties}
    for number, one in enumerate(declared):
        if one.party not in parties:
            raise ValidationFailed.of_field(f"comparison.declaredAddresses.{number}.party", Message("is not the ID of a party"))
    addresses = {one.party: one.address for one in declared}

    def add(owners: Sequence[StatedOwner]) -> tuple[StatedOwner, ...]:
        return tuple(owner.model_copy(update={"address": addresses.get(owner.party or "")}) for owner in owners)

    return side.model_copy(update={"owners": add(side.owners), "below_threshold": add(side.below_threshold)})


@dataclass(frozen=True, slots=True)
class DeclaredSide:
    """The declaration on a day, for a person to compare; None without one. The version changes when it is replaced."""

    side: ReviewedSide | None
    version: StatementVersion


async def read_declared_side(runtime: Runtime, organization_id: UUID, business_id: UUID, day: date) -> DeclaredSide:
    """The declared owners on a day. Raises `NotFound`, and `ValidationFailed` for too many."""
    statement, version = await read_statement(runtime, organization_id, business_id, Claimant.DECLARED)
    if statement is None:
        return DeclaredSide(None, version)
    with runtime.compute_for(organization_id):
        return DeclaredSide(await run_cpu_bound(_build_side, statement, business_id, day), version)


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
