"""The tools: each reads its arguments, calls one service and shortens the document that it returns."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from uuid import UUID

from bonafide.api.mcp import answer_coverage as checks
from bonafide.api.mcp import result_summaries as summaries
from bonafide.api.mcp.tool_answers import ToolAnswer, build_answer, pick, to_wire
from bonafide.api.mcp.tool_inputs import (
    CoverageToolInput,
    EventsToolInput,
    ExplainMatchToolInput,
    ReadBusinessToolInput,
    ReportToolInput,
    ScreenToolInput,
    SearchToolInput,
    VerifyToolInput,
)
from bonafide.api.protocol.concurrency_limits import hold_limited_slot
from bonafide.errors import MatchNotFound
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.entity import Part
from bonafide.model.loading import Route
from bonafide.model.query import SearchRequest
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.model.search.match import BusinessMatch
from bonafide.model.search.result import SearchResult, SearchStatus, SelectionStatus
from bonafide.model.verification.registry_report import RegistryReport, ReportRequest
from bonafide.model.verification.requests import VerifyRequest
from bonafide.model.verification.results import (
    CheckStatus,
    VerificationDocument,
    VerificationFailed,
    VerificationPending,
    VerifyResponse,
)
from bonafide.runtime import Runtime
from bonafide.services.catalog import coverage as coverage_service
from bonafide.services.events import feed
from bonafide.services.manual_checks import report_requests
from bonafide.services.monitoring import status as monitoring
from bonafide.services.records.business_records import find_record
from bonafide.services.screening import history as screenings
from bonafide.services.search import execution
from bonafide.services.verification import lifecycle
from bonafide.services.verification.spec import VerificationRequester
from bonafide.store.records.events import EventFilter

POLL_S = 0.5
WAIT_S = 25.0
"""How long `verify_business` waits for a register. Clients end calls that take a minute."""
_SELECTED = frozenset({SelectionStatus.SELECTED, SelectionStatus.AUTO_SELECTED})
_NOT_COMPARED = frozenset({CheckStatus.NOT_PUBLISHED, CheckStatus.NOT_CHECKED})
"""The statuses of claims that were not compared."""


@dataclass(frozen=True, slots=True)
class ToolCaller:
    """Who calls a tool. `start_verification` runs a queued verification where no worker does."""

    runtime: Runtime
    principal: Principal
    language: Language
    request_id: str | None = None
    start_verification: Callable[[UUID], None] | None = None


async def search_business(caller: ToolCaller, arguments: SearchToolInput) -> ToolAnswer:
    """Search registers and regulators, and store the search."""
    given = arguments.model_dump(exclude={"limit"}, exclude_unset=True)
    request = SearchRequest(**given, website_analysis=True if arguments.website is not None else None)
    async with hold_limited_slot(caller.runtime, caller.principal.organization_id):
        reply = await execution.create_search(caller.runtime, caller.principal, request, respond_async=False)
    found = reply.document.parse(SearchResult)
    return build_answer(
        summaries.summarize_search(to_wire(found, caller.language), arguments.limit),
        checks.list_checked(found.meta.coverage),
        checks.list_unchecked_of_search(found),
        Message("`explain_match` explains the score of a match."),
    )


async def explain_match(caller: ToolCaller, arguments: ExplainMatchToolInput) -> ToolAnswer:
    """The explanation of one registry match of a stored search."""
    stored = await execution.read_search(caller.runtime, caller.principal.organization_id, arguments.search_id)
    found = stored.parse(SearchResult)
    if found.meta.status is SearchStatus.LOADING:
        return build_answer(
            {"searchId": str(arguments.search_id), "status": found.meta.status},
            unchecked=[("search", Message("The search has not finished."))],
            next_action=Message("Call `explain_match` again in some seconds."),
        )
    match = _choose_match(found, arguments.match_id)
    result = {"searchId": str(arguments.search_id), **summaries.explain_business(to_wire(match, caller.language))}
    return build_answer(result, checks.list_checked(found.meta.coverage), checks.list_unchecked_of_search(found))


def _choose_match(found: SearchResult, match_id: UUID | None) -> BusinessMatch:
    """The match with this ID; without one the selected match, or else the best. Raises `MatchNotFound`."""
    matches, selection = found.businesses or (), found.match_selection
    if match_id is None and selection is not None and selection.status in _SELECTED:
        match_id = selection.selected_match_id
    chosen = next((match for match in matches if match_id in {None, match.match_id}), None)
    if chosen is None:
        raise MatchNotFound
    return chosen


async def verify_business(caller: ToolCaller, arguments: VerifyToolInput) -> ToolAnswer:
    """Verify a claim, or read a verification that was pending. Waits for the register for up to `WAIT_S` seconds."""
    verification_id = arguments.verification_id
    if verification_id is None:
        request = VerifyRequest(**arguments.model_dump(exclude={"verification_id"}, exclude_unset=True))
        requester = VerificationRequester(
            identity=caller.principal.identity, request_id=caller.request_id, language=caller.language
        )
        async with hold_limited_slot(caller.runtime, caller.principal.organization_id):
            reply = await lifecycle.create_verification(caller.runtime, caller.principal, request, requester)
        if not reply.pending:
            return _answer_verification(caller, reply.document)
        verification_id = reply.verification_id
        if caller.start_verification is not None:
            caller.start_verification(verification_id)
    else:
        caller.principal.check_scope(Scope.VERIFY_READ, "verificationId")
    return _answer_verification(caller, await _wait_for_verification(caller, verification_id))


async def _wait_for_verification(caller: ToolCaller, verification_id: UUID) -> VerificationDocument:
    ends_at = monotonic() + WAIT_S
    while True:
        document = await lifecycle.read_verification(
            caller.runtime, caller.principal.organization_id, verification_id, caller.language
        )
        if not isinstance(document, VerificationPending) or monotonic() >= ends_at:
            return document
        await asyncio.sleep(POLL_S)


def _answer_verification(caller: ToolCaller, document: VerificationDocument) -> ToolAnswer:
    if isinstance(document, VerificationPending):
        return build_answer(
            {"status": document.status, "verificationId": str(document.report_fetch_id)},
            unchecked=[("register", Message("The register has not responded yet."))],
            next_action=Message("Call `verify_business` with this `verificationId` in some seconds."),
        )
    if isinstance(document, VerificationFailed):
        return build_answer({"status": document.status}, unchecked=[("register", document.error)])
    sources = [checks.describe_report_source(document.registry_data)] if document.registry_data is not None else []
    unchecked: list[tuple[str, Message]] = []
    if document.sanctions is not None:
        sources += checks.list_screened(document.sanctions)
        unchecked += checks.list_unscreened(document.sanctions, document.errors)
    return build_answer(
        summaries.summarize_verification(to_wire(document, caller.language)), sources, [*unchecked, *_list_unpublished(document)]
    )


def _list_unpublished(document: VerifyResponse) -> list[tuple[str, Message]]:
    """The claimed fields that the register does not publish."""
    compared, people = document.results.fields, document.results.people
    fields = {"legalName": compared.legal_name, "registrationNumber": compared.registration_number, "address": compared.address}
    found = [(name, one.reason) for name, one in fields.items() if one is not None and one.status in _NOT_COMPARED]
    return found + [("people", person.reason) for person in people if person.status in _NOT_COMPARED]


async def screen_sanctions(caller: ToolCaller, arguments: ScreenToolInput) -> ToolAnswer:
    """Screen a name and further subjects against the sanctions lists, and store the screening."""
    request = ScreeningRequest(**arguments.model_dump(exclude_unset=True))
    async with hold_limited_slot(caller.runtime, caller.principal.organization_id):
        answer = await screenings.create_screening(caller.runtime, caller.principal, request)
    wire = to_wire(answer, caller.language)
    result = {**pick(wire["meta"], "screeningId", "screenedAt", "warnings"), **summaries.summarize_screening(wire["screening"])}
    return build_answer(result, checks.list_screened(answer.screening), checks.list_unscreened(answer.screening, answer.errors))


async def get_business(caller: ToolCaller, arguments: ReadBusinessToolInput) -> ToolAnswer:
    """A business record with the state of its monitoring."""
    runtime, organization_id = caller.runtime, caller.principal.organization_id
    record = await find_record(
        runtime, organization_id, business_id=arguments.business_id, external_id=arguments.business_external_id
    )
    state = await monitoring.read_record_monitoring(runtime, organization_id, record.id)
    watched = to_wire(state, caller.language)
    result = {**to_wire(record, caller.language), "monitoring": pick(watched, "status", "isQueued", "evaluations")}
    return build_answer(result, checks.list_evaluated(state.evaluations), checks.list_not_evaluated(state.evaluations))


async def get_coverage(caller: ToolCaller, arguments: CoverageToolInput) -> ToolAnswer:
    """The sources, the age of their data and their gaps."""
    overview = await coverage_service.read_coverage(caller.runtime, caller.principal.world)
    wanted = arguments.jurisdiction
    sources = [one for one in overview.sources if wanted is None or one.jurisdiction is wanted]
    areas = [one for one in overview.jurisdictions if wanted is None or one.jurisdiction is wanted]
    result = {
        "asOf": to_wire(overview, caller.language)["asOf"],
        "jurisdictions": [pick(to_wire(one, caller.language), "jurisdiction", "label", "status", "note", "page") for one in areas],
        "sources": [summaries.summarize_source(to_wire(one, caller.language)) for one in sources],
    }
    return build_answer(result, checks.list_checked(sources), checks.list_unchecked(sources))


async def list_events(caller: ToolCaller, arguments: EventsToolInput) -> ToolAnswer:
    """The events of the organization after a cursor or a time, oldest first."""
    runtime, principal = caller.runtime, caller.principal
    if arguments.business_id is not None:
        principal.check_scope(Scope.BUSINESSES_READ, "businessId")
    position = feed.decode_position(arguments.cursor) if arguments.cursor is not None else None
    chosen = EventFilter(frozenset(arguments.types) if arguments.types else None, arguments.business_id)
    page = await feed.read_events(
        runtime, principal.organization_id, chosen, arguments.limit, position=position, since=arguments.start
    )
    result = {
        "events": [summaries.summarize_event(to_wire(event, caller.language)) for event in page.events],
        "cursor": page.cursor.next,
        "hasMore": page.pagination.has_more,
    }
    more = Message("Call `list_events` with this `cursor` for the next events.") if page.pagination.has_more else None
    if Scope.BUSINESSES_READ not in principal.scopes:
        unknown = Message("The key lacks the scope `businesses:read`, so it is not known which sources hold monitoring up.")
        return build_answer(result, unchecked=[("monitoring", unknown)], next_action=more)
    sources = (await monitoring.read_organization_overview(runtime, principal.organization_id, principal.world)).sources
    return build_answer(result, checks.list_monitored(sources), checks.list_held_up(sources), more)


async def get_registry_report(caller: ToolCaller, arguments: ReportToolInput) -> ToolAnswer:
    """Everything that a register publishes about one registration."""
    request = ReportRequest(**arguments.model_dump(exclude_unset=True))
    async with hold_limited_slot(caller.runtime, caller.principal.organization_id):
        report = await report_requests.get_business_report(caller.runtime, caller.principal, request)
    return build_answer(
        summaries.summarize_report(to_wire(report, caller.language)),
        [checks.describe_report_source(report)],
        _list_unpublished_parts(caller.runtime, report),
    )


def _list_unpublished_parts(runtime: Runtime, report: RegistryReport) -> list[tuple[str, Message]]:
    """The parts of a profile that the source does not publish: that the report lacks them means nothing."""
    metadata = runtime.sources[report.source].metadata if report.source in runtime.sources else None
    if metadata is None or report.route is Route.MANUAL:
        return []
    live = metadata.live.publishes if metadata.live is not None else ()
    published = live if report.route is Route.LIVE else metadata.publishes
    reason = Message("{source} does not publish this.", source=metadata.title)
    return [(part.value, reason) for part in Part if part not in published]
