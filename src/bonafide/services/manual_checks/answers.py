"""Find the result of a manual check that is to be used instead of the data of a register that no program can query."""

from dataclasses import dataclass
from uuid import UUID

from bonafide.i18n.message import Message
from bonafide.model.entity import Person, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.loading import ManualOrigin
from bonafide.model.manual_checks.manual_check import ManualCheckEvidence, ManualCheckResult
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.runtime import Runtime
from bonafide.services.lookup.source_result import EntryCandidate, SourceResult
from bonafide.services.manual_checks.check_rows import parse_content, to_evidence
from bonafide.services.manual_checks.opening import get_number_key, is_register_for
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import RegistrationQuery
from bonafide.store.cases import manual_checks
from bonafide.store.cases.manual_checks import StoredManualCheck
from bonafide.store.records import registry_lookups


@dataclass(frozen=True, slots=True)
class ManualAnswer:
    """What a person has seen of a registration. Without a `report`, the register did not have it."""

    evidence: ManualCheckEvidence
    report: RegistryReport | None

    def describe_absence(self, number: str) -> Message:
        """That the register did not have the number, for a result without a report."""
        result = self.evidence.result
        return Message(
            "{who} searched the register on {day}. It had no registration with the number {number}.",
            who=result.seen_by,
            day=result.retrieved_at.date().isoformat(),
            number=number,
        )


async def find_manual_answer(runtime: Runtime, organization_id: UUID, registration: RegistrationQuery) -> ManualAnswer | None:
    """The newest result of a manual check of a registration; None if there is none, or it is too old."""
    key = get_number_key(registration.number)
    if key is None:
        return None
    async with runtime.store.read() as connection:
        row = await manual_checks.find_newest_seen(connection, organization_id, registration.jurisdiction, key, runtime.clock())
        if row is None:
            return None
        evidence = to_evidence(row)
        report_id = evidence.result.report_id
        document = None
        if report_id is not None:
            document = await registry_lookups.get_extract(connection, organization_id, report_id)
    if document is None:
        # A report that retention has deleted leaves nothing to compare with.
        return ManualAnswer(evidence, None) if report_id is None else None
    report = document.parse(RegistryReport)
    # The check may have been of another number than the one that was seen.
    return ManualAnswer(evidence, report.model_copy(update={"registration_number": registration.number, "cached": True}))


async def add_manual_results(
    runtime: Runtime, organization_id: UUID, business_id: UUID, results: list[SourceResult]
) -> list[SourceResult]:
    """The results of a search of a record, with those of its manual checks for registers that could not be searched."""
    if not any(_is_missing(result) for result in results):
        return results
    async with runtime.store.read() as connection:
        found = await manual_checks.list_newest_of_record(connection, organization_id, business_id, runtime.clock())
    return [_to_result(result, found[result.source.key]) if _can_replace(result, found) else result for result in results]


def _can_replace(result: SourceResult, found: dict[str, StoredManualCheck]) -> bool:
    return _is_missing(result) and result.source.key in found


def _is_missing(result: SourceResult) -> bool:
    jurisdiction = result.source.metadata.jurisdiction
    return (
        not result.is_conclusive and result.requested and jurisdiction is not None and is_register_for(result.source, jurisdiction)
    )


def _to_result(missing: SourceResult, row: StoredManualCheck) -> SourceResult:
    result = to_evidence(row).result
    origin = ManualOrigin(result.retrieved_at)
    candidates = []
    if result.found:
        entry = build_seen_entry(missing.source, row, result)
        candidates.append(EntryCandidate(missing.source, origin, 1.0, lambda: entry))
    return SourceResult(missing.source, origin, candidates, None, missing.elapsed_ms, describe_seen(result))


def describe_seen(result: ManualCheckResult) -> Message:
    """Who has seen it, and when."""
    return Message("Seen by {who} on {day}.", who=result.seen_by, day=result.retrieved_at.date().isoformat())


def build_seen_entry(source: Source, row: StoredManualCheck, result: ManualCheckResult) -> RegistryEntry:
    """What a person has seen, as an entry of the register. The business was found."""
    content = parse_content(row)
    assert result.name is not None  # noqa: S101 - required for a business that was found
    assert result.registration_number is not None  # noqa: S101 - the same
    label = source.metadata.number_label
    return RegistryEntry(
        entry_id=result.registration_number,
        source_url=content.url,
        jurisdiction=row.jurisdiction,
        legal_name=result.name,
        registration_numbers=(
            RegistrationNumber(label=str(label) if label is not None else "Registration Number", value=result.registration_number),
        ),
        status=result.status,
        status_code=result.status_code,
        addresses=(result.address,) if result.address is not None else (),
        people=tuple(Person(name=person.name, roles=person.roles) for person in result.people),
    )
