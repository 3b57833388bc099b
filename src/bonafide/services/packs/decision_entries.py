"""The entries of decisions and evidence: cases, dismissed hits, ownership reviews and discrepancies, documents. Pure."""

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from bonafide.i18n.message import Message, join_messages
from bonafide.model.base import StoredDocument, format_instant
from bonafide.model.cases.case import Case, CaseDecision, CaseStatus
from bonafide.model.cases.policy import CaseDecisionKind
from bonafide.model.ownership.discrepancies import DiscrepancyRecord, OwnershipReview
from bonafide.model.records.documents import BusinessDocument
from bonafide.model.screening.dismissals import DismissalRecord
from bonafide.pdf.print_packs import PrintedPackDetail, PrintedPackItem
from bonafide.services.packs.entries import (
    ItemContext,
    PackEntry,
    StoredAttachment,
    build_entry,
    build_print_folder,
    describe_attachment,
    describe_code,
    describe_instant,
    describe_text,
    list_details,
    to_text,
)
from bonafide.services.records.uploads import UploadFolder, build_upload_name
from bonafide.store.packs.pack_rows import PackedRow

_DECISION = MappingProxyType({
    CaseDecisionKind.APPROVE: Message("Approve"),
    CaseDecisionKind.REJECT: Message("Reject"),
    CaseDecisionKind.REQUEST_INFORMATION: Message("Request information"),
    CaseDecisionKind.ESCALATE: Message("Escalate"),
})  # fmt: skip


def build_case_entry(case: Case) -> PackEntry:
    """The entry of a case, with its items, notes, decisions and attachments."""
    status = case.outcome if case.status is CaseStatus.DECIDED and case.outcome is not None else case.status
    item = PrintedPackItem(
        at=case.opened_at,
        by=None,
        title=Message("Case {number}: {name}", number=case.number, name=case.name if case.name is not None else ""),
        outcome=f"caseStatus.{status}",
        details=list_details(
            *(describe_text("item", one.summary) for one in case.items),
            *(describe_text("note", f"{note.text} ({note.created_by})") for note in case.notes),
            *(describe_text("decision", _describe_decision(decision)) for decision in case.decisions),
            *(describe_attachment("attachment", file) for file in case.attachments),
            describe_text("assignee", case.assignee),
            describe_instant("due", case.due_at),
        ),
    )
    attachments = [
        StoredAttachment(name, name, file.sha256)
        for file in case.attachments
        for name in (build_upload_name(UploadFolder.ATTACHMENTS, file.id, file.media_type),)
    ]
    return build_entry(case.id, item, "cases", case.to_json(), attachments)


def _describe_decision(decision: CaseDecision) -> Message:
    """The decision with its reason: of the first person, or of the second who reviewed it."""
    reasons = [to_text(part) for part in (decision.reason_title, decision.note) if part is not None]
    values = {
        "decision": _DECISION[decision.decision],
        "who": decision.decided_by,
        "when": format_instant(decision.decided_at),
        "reason": join_messages(reasons),
    }
    if decision.reviews is None:
        return Message("{decision}, {who}, {when}: {reason}", **values)
    return Message("{decision}, in second review by {who}, {when}: {reason}", **values)


def build_dismissal_entry(row: PackedRow, context: ItemContext, _related: Sequence[str]) -> PackEntry:
    """The entry of a dismissed hit."""
    stored = StoredDocument.from_text(str(row.document))
    dismissal = stored.parse(DismissalRecord)
    item = PrintedPackItem(
        at=dismissal.dismissed_at,
        by=dismissal.dismissed_by,
        title=to_text(dismissal.subject.name),
        outcome=f"dismissalStatus.{dismissal.status_at(context.now)}",
        details=list_details(
            describe_text("hit", f"{dismissal.hit.name} ({context.get_source_name(dismissal.hit.source)})"),
            describe_text("reason", dismissal.reason),
            describe_instant("dismissedUntil", dismissal.until),
            *_describe_revocation(dismissal),
        ),
    )
    return build_entry(row.id, item, "dismissals", stored.body)


def _describe_revocation(dismissal: DismissalRecord) -> Iterator[PrintedPackDetail | None]:
    if dismissal.revoked is not None:
        yield describe_instant("revoked", dismissal.revoked.at)
        yield describe_text("decidedBy", dismissal.revoked.by)
        yield describe_text("reason", dismissal.revoked.reason)


def build_review_entry(row: PackedRow, _context: ItemContext, _related: Sequence[str]) -> PackEntry:
    """The entry of an ownership review."""
    stored = StoredDocument.from_text(str(row.document))
    review = stored.parse(OwnershipReview)
    item = PrintedPackItem(
        at=review.reviewed_at,
        by=review.reviewed_by,
        title=to_text(review.business_name if review.business_name is not None else str(review.business_id)),
        outcome=None,
        details=list_details(
            *(describe_code("discrepancy", f"differenceKind.{difference.kind}") for difference in review.differences),
            describe_text("note", review.note),
        ),
    )
    return build_entry(row.id, item, "ownership-reviews", stored.body, folders=[build_print_folder(row.id)])


def build_discrepancy_entry(row: PackedRow, _context: ItemContext, _related: Sequence[str]) -> PackEntry:
    """The entry of an ownership discrepancy, with the decisions about it."""
    stored = StoredDocument.from_text(str(row.document))
    discrepancy = stored.parse(DiscrepancyRecord)
    owners = [owner.name for owner in (discrepancy.declared, discrepancy.registry) if owner is not None]
    item = PrintedPackItem(
        at=discrepancy.opened_at,
        by=discrepancy.opened_by,
        title=to_text(owners[0] if owners else str(discrepancy.id)),
        outcome=f"discrepancyStatus.{discrepancy.status}",
        details=list_details(
            describe_code("discrepancy", f"differenceKind.{discrepancy.kind}"),
            describe_text("reason", discrepancy.reason),
            describe_text("declared", discrepancy.declared.name if discrepancy.declared is not None else None),
            describe_text("register", discrepancy.registry.name if discrepancy.registry is not None else None),
            *(
                detail
                for decision in discrepancy.decisions
                for detail in (
                    describe_code("decision", f"discrepancyStatus.{decision.status}"),
                    describe_text("decidedBy", decision.by),
                    describe_instant("decidedAt", decision.at),
                    describe_text("resolution", decision.resolution),
                    describe_text("acknowledgement", decision.acknowledgement.number if decision.acknowledgement else None),
                )
            ),
        ),
    )
    return build_entry(row.id, item, "discrepancies", stored.body)


def build_document_entry(row: PackedRow, _context: ItemContext, _related: Sequence[str]) -> PackEntry:
    """The entry of a document that is kept with a business record, with the file."""
    document = BusinessDocument.model_validate_json(str(row.document))
    item = PrintedPackItem(
        at=document.uploaded_at,
        by=document.uploaded_by,
        title=to_text(document.name),
        outcome=None,
        details=list_details(describe_text("fileName", document.name)),
    )
    name = build_upload_name(UploadFolder.DOCUMENTS, document.id, document.media_type)
    return build_entry(row.id, item, "documents", str(row.document), [StoredAttachment(name, name, document.sha256)])
