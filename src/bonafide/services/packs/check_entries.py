"""The entries of checks: searches, verifications, screenings, business reports and manual checks. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bonafide.i18n.message import LIST_SEPARATOR, Message, join_messages
from bonafide.model.base import StoredDocument, format_instant
from bonafide.model.manual_checks.manual_check import ManualCheckAttachment, ManualCheckContent
from bonafide.model.risk.rating import RiskAssessment
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.model.search.match import Screening
from bonafide.model.search.result import CheckErrors, SearchResult, SearchStatus
from bonafide.model.verification.acceptance import AcceptedDiscrepancy
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import CheckedField, CheckedPerson, CheckStatus, VerifyResponse
from bonafide.pdf.print_packs import PrintedPackDetail, PrintedPackItem
from bonafide.services.packs.entries import (
    ItemContext,
    PackEntry,
    StoredAttachment,
    build_entry,
    build_print_folder,
    describe_attachment,
    describe_code,
    describe_day,
    describe_instant,
    describe_text,
    list_details,
    to_text,
)
from bonafide.services.records.uploads import UploadFolder, build_upload_name
from bonafide.services.reports.business_reports import build_evidence_name
from bonafide.services.reports.report_pdf import REPORTS, SEARCHES
from bonafide.services.risk.explanation import describe_band
from bonafide.services.screening.history import determine_outcome
from bonafide.services.verification.spec import VerificationSpec
from bonafide.store.packs.pack_rows import PackedRow


def build_search_entry(row: PackedRow, _context: ItemContext, _related: Sequence[str]) -> PackEntry:
    """The entry of a search, with the match that was selected and who selected it."""
    stored = StoredDocument(row.document, row.messages) if row.document is not None else None
    status = SearchStatus(row.others["status"])
    item = PrintedPackItem(
        at=row.at,
        by=row.others["searched_by"],
        title=to_text(row.others["query"]),
        outcome=f"searchStatus.{status}",
        details=_describe_search(stored.parse(SearchResult), row) if stored is not None else (),
    )
    body = stored.body if stored is not None else "null"
    return build_entry(row.id, item, "searches", body, folders=(build_print_folder(row.id), f"{SEARCHES}/{row.id}/"))


def _describe_search(result: SearchResult, row: PackedRow) -> tuple[PrintedPackDetail, ...]:
    selection = result.match_selection
    matches = result.businesses
    selected_id = selection.selected_match_id if selection is not None else None
    selected = next((match for match in matches or () if match.match_id == selected_id), None)
    return list_details(
        describe_text("matches", len(matches) if matches is not None else None),
        describe_code("selection", f"selection.{selection.status}" if selection is not None else None),
        (
            describe_text(
                "selected",
                _describe_registration(
                    selected.legal_name.name,
                    selected.jurisdiction,
                    selected.registration_numbers[0].value if selected.registration_numbers else None,
                ),
            )
            if selected is not None
            else None
        ),
        describe_text("decidedBy", row.others["decided_by"]),
        describe_instant("decidedAt", row.others["decided_at"]),
        *_describe_screening(result.sanctions),
        describe_text("risk", _describe_risk(result.risk)),
        *_describe_errors(result.errors),
    )


def build_verification_entry(row: PackedRow, _context: ItemContext, related: Sequence[str]) -> PackEntry:
    """The entry of a verification, with its discrepancies, the decisions about them (`related`), and the raw responses it used.

    The report that the responses belong to may have been obtained for an earlier verification, or for another business record.
    """
    acceptances = [StoredDocument.from_text(text).parse(AcceptedDiscrepancy) for text in related]
    spec = VerificationSpec.model_validate_json(row.others["request"])
    claim, state = spec.subject, row.others["state"]
    submitted = describe_text("claimed", _describe_registration(claim.legal_name, claim.jurisdiction, claim.registration_number))
    evidence: Sequence[StoredAttachment] = ()
    if row.document is None:
        details = list_details(submitted, describe_text("problem", row.others["reason"]))
        outcome = f"verificationState.{state}"
    else:
        document = StoredDocument(row.document, row.messages).parse(VerifyResponse)
        details = list_details(
            submitted,
            *_describe_discrepancies(document),
            *(describe_text("accepted", _describe_acceptance(one)) for one in acceptances),
            *_describe_screening(document.sanctions),
            *_describe_errors(document.errors),
        )
        outcome = f"result.{document.results.status}"
        evidence = _list_evidence(document.registry_data) if document.registry_data is not None else ()
    item = PrintedPackItem(at=row.at, by=spec.asked_by.identity, title=to_text(claim.legal_name), outcome=outcome, details=details)
    body = row.document if row.document is not None else "null"
    entry = build_entry(row.id, item, "verifications", body, evidence, [build_print_folder(row.id)])
    if not acceptances:
        return entry
    decisions = {f"verifications/{row.id}-accepted.json": "[" + ",".join(one.to_json() for one in acceptances) + "]"}
    return replace(entry, files={**entry.files, **decisions})


def _describe_acceptance(acceptance: AcceptedDiscrepancy) -> Message:
    values = {
        "field": acceptance.field,
        "who": acceptance.accepted_by,
        "when": format_instant(acceptance.accepted_at),
        "reason": join_messages([part for part in (acceptance.reason_title, acceptance.note) if part is not None]),
    }
    if acceptance.revoked_at is None:
        return Message("{field}: accepted by {who}, {when}: {reason}", **values)
    return Message("{field}: accepted by {who}, {when}, and revoked later: {reason}", **values)


def _describe_discrepancies(document: VerifyResponse) -> Iterator[PrintedPackDetail | None]:
    fields = document.results.fields
    compared: Sequence[CheckedField | CheckedPerson | None] = (
        fields.legal_name,
        fields.registration_number,
        fields.address,
        *document.results.people,
    )
    for checked in compared:
        if checked is not None and checked.status is CheckStatus.MISMATCHED:
            yield describe_text("discrepancy", checked.reason)


def build_screening_entry(row: PackedRow, _context: ItemContext, _related: Sequence[str]) -> PackEntry:
    """The entry of a standalone screening."""
    stored = StoredDocument(str(row.document), row.messages)
    answer = stored.parse(ScreeningAnswer)
    item = PrintedPackItem(
        at=row.at,
        by=answer.meta.screened_by,
        title=to_text(answer.meta.submitted.query),
        outcome=f"screeningOutcome.{determine_outcome(answer)}",
        details=list_details(*_describe_screening(answer.screening), *_describe_errors(answer.errors)),
    )
    return build_entry(row.id, item, "screenings", stored.body, folders=[build_print_folder(row.id)])


def build_report_entry(row: PackedRow, context: ItemContext, _related: Sequence[str]) -> PackEntry:
    """The entry of a business report, with every raw response that it was made from."""
    stored = StoredDocument(str(row.document), row.messages)
    report = stored.parse(RegistryReport)
    item = PrintedPackItem(
        at=row.at,
        by=None,
        title=to_text(report.legal_name),
        outcome=None,
        details=list_details(
            describe_text(
                "registration", _describe_registration(report.legal_name, report.jurisdiction, report.registration_number)
            ),
            describe_text("source", context.get_source_name(report.source)),
            describe_code("route", f"route.{report.route}"),
            describe_day("asOf", report.as_of),
            *(describe_text("evidence", f"{evidence.url} ({evidence.sha256})") for evidence in report.evidence),
        ),
    )
    return build_entry(row.id, item, REPORTS, stored.body, _list_evidence(report), [f"{REPORTS}/{row.id}/"])


def _list_evidence(report: RegistryReport) -> list[StoredAttachment]:
    names = [build_evidence_name(report.report_id, number) for number in range(len(report.evidence))]
    return [StoredAttachment(name, name, evidence.sha256) for name, evidence in zip(names, report.evidence, strict=True)]


def build_manual_check_entry(row: PackedRow, context: ItemContext, related: Sequence[str]) -> PackEntry:
    """The entry of a manual check, with what was seen and the uploaded files (`related`)."""
    files = [ManualCheckAttachment.model_validate_json(text) for text in related]
    content = ManualCheckContent.model_validate_json(str(row.document))
    result, seen = content.result, None
    if result is not None:
        seen = (
            _describe_registration(result.name or "", None, result.registration_number)
            if result.found
            else Message("not in the register")
        )
    item = PrintedPackItem(
        at=result.retrieved_at if result is not None else row.at,
        by=result.seen_by if result is not None else content.opened_by,
        title=to_text(content.name or content.registration_number or str(row.id)),
        outcome=f"manualCheckStatus.{row.others['status']}",
        details=list_details(
            describe_text("source", context.get_source_name(row.others["source"])),
            describe_text("register", seen),
            describe_text("status", result.status if result is not None else None),
            describe_text("note", result.note if result is not None else content.cancel_note),
            *(describe_attachment("attachment", file) for file in files),
        ),
    )
    attachments = [
        StoredAttachment(name, name, file.sha256)
        for file in files
        for name in (build_upload_name(UploadFolder.ATTACHMENTS, file.id, file.media_type),)
    ]
    return build_entry(row.id, item, "manual-checks", str(row.document), attachments)


def _describe_registration(name: str, jurisdiction: str | None, number: str | None) -> str:
    registration = " ".join(part for part in (jurisdiction, number) if part is not None)
    return f"{name} ({registration})" if registration else name


def _describe_screening(screening: Screening | None) -> Iterator[PrintedPackDetail | None]:
    if screening is not None:
        yield describe_text("openHits", screening.open_hits)
        yield describe_text("listsScreened", len(screening.lists))
        missing = [unscreened.source for unscreened in screening.lists_not_screened]
        yield describe_text("listsNotScreened", LIST_SEPARATOR.join(missing))


def _describe_risk(risk: RiskAssessment | None) -> Message | None:
    return Message("{band} ({points})", band=describe_band(risk.band), points=risk.points) if risk is not None else None


def _describe_errors(errors: CheckErrors | None) -> Iterator[PrintedPackDetail | None]:
    if errors is not None:
        found = [getattr(errors, name) for name in CheckErrors.model_fields]
        messages = [error.message for error in found if error is not None]
        if messages:
            yield describe_text("problem", join_messages(messages))
