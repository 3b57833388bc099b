"""Look up one registration in its register: live if possible, otherwise in loaded data.

A register that can't be queried is an error with its reason, never the result that a number does not exist.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from bonafide.errors import SegmentCorrupt, SourceAuthFailed, SourceError, SourceNotFound, SourceUnavailable
from bonafide.i18n.message import Message, end_sentence, join_messages
from bonafide.index import Generation
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import DataOrigin, LiveOrigin, LoadRecord
from bonafide.net.http_messages import SourceResponse
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.lookup.live_query import LiveQueryFailed, LiveResponse, find_live_query_blocker, query_live_source
from bonafide.services.lookup.source_result import ANSWERED, add_manual_lookup
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import RegistrationQuery
from bonafide.sources.framework.simulated_failures import SimulatedFailure


@dataclass(frozen=True, slots=True)
class RegistrationResult:
    """A registration as its register states it, with the source, the raw responses and notes for the reader."""

    entry: RegistryEntry
    source: Source
    origin: DataOrigin
    answers: tuple[SourceResponse, ...]
    """The responses of a live register; empty for loaded data."""
    notes: tuple[Message, ...]


class NoSourceAvailable(SourceUnavailable):
    """No source that may be queried covers the register."""

    @property
    def is_retryable(self) -> bool:
        """Always false: the installation or the register would have to change."""
        return False


async def look_up_registration(runtime: Runtime, world: World, registration: RegistrationQuery) -> RegistrationResult:
    """Look up a registration. Raises `SourceNotFound` if the register does not have it, otherwise another `SourceError`."""
    simulate_failure(runtime, world, registration)
    problems: list[SourceError] = []
    reasons: list[Message] = []
    for source in _list_sources(runtime, registration.jurisdiction):
        reason = find_live_query_blocker(runtime, world, source)
        if source.live is None or source.live.report is None or reason is not None:
            reasons += [reason] if reason is not None and source.live is not None else []
            continue
        try:
            return await _query_live(runtime, world, source, registration)
        except SourceNotFound:
            raise
        except SourceError as error:
            problems.append(error)
    loaded = await read_loaded_registration(runtime, world, registration, [error.message for error in problems])
    if loaded is not None:
        return loaded
    raise problems[0] if problems else NoSourceAvailable(_explain_no_source(runtime, registration.jurisdiction, reasons))


async def read_loaded_registration(
    runtime: Runtime, world: World, registration: RegistrationQuery, problems: Sequence[Message] = ()
) -> RegistrationResult | None:
    """Look up a registration in loaded data, with the given problems added to its notes; None if no data is loaded.

    Raises `SourceNotFound` if the whole register is loaded and does not have it, `NotInPartialData` if only a part is loaded.
    """
    return await asyncio.to_thread(look_up_loaded, runtime, world, registration, problems)


def is_live_lookup_available(runtime: Runtime, world: World, jurisdiction: Jurisdiction) -> bool:
    """Whether a register can be queried live for a number."""
    return any(
        source.live is not None and source.live.report is not None and find_live_query_blocker(runtime, world, source) is None
        for source in _list_sources(runtime, jurisdiction)
    )


def get_register_page(runtime: Runtime, jurisdiction: Jurisdiction) -> str | None:
    """Return the page where a person can search a register; None for an unknown register."""
    return next((source.metadata.page for source in _list_sources(runtime, jurisdiction)), None)


def simulate_failure(runtime: Runtime, world: World, registration: RegistrationQuery) -> None:
    """Raise `SourceAuthFailed` for the sandbox's registration that simulates a failing register."""
    if world is not World.SANDBOX:
        return
    failure = runtime.failure_simulator.find_report_failure(registration.jurisdiction, registration.number)
    if failure is SimulatedFailure.FAILING:
        raise SourceAuthFailed(
            Message(
                "The register of {jurisdiction} refuses queries for this number.",
                jurisdiction=Message(registration.jurisdiction.label),
            )
        )


def _list_sources(runtime: Runtime, jurisdiction: Jurisdiction) -> list[Source]:
    """The sources of a register: its own first, then those with several registers."""
    registers = runtime.list_registers()
    own = [source for source in registers if source.metadata.jurisdiction is jurisdiction]
    return [*own, *(source for source in registers if source.metadata.jurisdiction is None)]


async def _query_live(runtime: Runtime, world: World, source: Source, registration: RegistrationQuery) -> RegistrationResult:
    try:
        response = await query_register(runtime, world, source, registration)
    except LiveQueryFailed as failure:
        raise failure.error from failure
    if response.value is None:
        message = Message(
            "{source} has no registration with the number {number}.", source=source.metadata.title, number=registration.number
        )
        raise SourceNotFound(message)
    return RegistrationResult(response.value, source, LiveOrigin(response.responded_at), response.answers, response.notes)


async def query_register(
    runtime: Runtime, world: World, source: Source, registration: RegistrationQuery
) -> LiveResponse[RegistryEntry | None]:
    """Query a live register, whose connector has a report, for a registration; the value is None if there is none.

    Raises `LiveQueryFailed`. The response is never from the live cache: stored reports have the requested age, and their evidence.
    """
    report = source.live.report if source.live is not None else None
    assert report is not None  # noqa: S101 - checked by the caller
    started, outcome = perf_counter(), ANSWERED
    with span("lookup", {"bonafide.source": source.key}) as noted:
        try:
            return await query_live_source(runtime, world, source, lambda context: report(registration, context))
        except LiveQueryFailed as failure:
            outcome = failure.error.code.value
            raise
        finally:
            noted.set("bonafide.outcome", outcome)
            runtime.metrics.observe_lookup(source.key, perf_counter() - started)
            runtime.metrics.count_lookup(source.key, outcome)


def look_up_loaded(
    runtime: Runtime, world: World, registration: RegistrationQuery, problems: Sequence[Message]
) -> RegistrationResult | None:
    """The registration in loaded data; None if no data is loaded. Blocks. Raises as `read_loaded_registration`."""
    missing: SourceNotFound | None = None
    for source in _list_sources(runtime, registration.jurisdiction):
        try:
            generation = runtime.generations[world].current(source.key)
        except SegmentCorrupt as error:
            message = Message("{source}: {problem}", source=source.metadata.title, problem=error.message)
            raise SourceUnavailable(message) from error
        if generation is None:
            continue
        entry = find_loaded_entry(generation, registration)
        if entry is not None:
            return RegistrationResult(
                entry, source, generation.manifest, (), (*problems, *_describe_limits(source, generation.manifest))
            )
        missing = missing if missing is not None else _build_not_found(source, generation.manifest, registration)
    if missing is not None:
        raise missing
    return None


def find_loaded_entry(generation: Generation[LoadRecord], registration: RegistrationQuery) -> RegistryEntry | None:
    """The entry with the number; if two have it, the one for which it is the first number."""
    wanted = build_number_keys(registration.number)
    second: RegistryEntry | None = None
    for document in generation.index.lookup(registration.number):
        entry = RegistryEntry.model_validate_json(generation.index.payload(document))
        if entry.jurisdiction is not registration.jurisdiction:
            continue
        keys = [build_number_keys(number.value) for number in entry.registration_numbers]
        if keys and keys[0] & wanted:
            return entry
        if second is None and any(own & wanted for own in keys):
            second = entry
    return second


def _describe_limits(source: Source, load: LoadRecord) -> list[Message]:
    """Describe the age and the gaps of loaded data."""
    note = Message("Read from loaded data of {source} as of {day}.", source=source.metadata.title, day=load.day.isoformat())
    return [note, *([source.metadata.gaps] if source.metadata.gaps is not None else [])]


def _build_not_found(source: Source, load: LoadRecord, registration: RegistrationQuery) -> SourceNotFound:
    """Build the error that loaded data has no such number: `NotInPartialData` if the data is incomplete."""
    text = Message(
        "The loaded data of {source} (as of {day}) has no number {number}.",
        source=source.metadata.title,
        day=load.day.isoformat(),
        number=registration.number,
    )
    # The sandbox's files contain all of its registers.
    if source.metadata.gaps is None or load.world is World.SANDBOX:
        return SourceNotFound(text)
    reason = join_messages([text, source.metadata.gaps], " ")
    return NotInPartialData(add_manual_lookup(reason, source.metadata.page))


class NotInPartialData(SourceNotFound):
    """Incomplete data does not have the number, which may be registered nevertheless."""


def _explain_no_source(runtime: Runtime, jurisdiction: Jurisdiction, reasons: Sequence[Message]) -> Message:
    """Explain why no source could be queried, with the page for a manual search."""
    own = [source.metadata for source in _list_sources(runtime, jurisdiction) if source.metadata.jurisdiction is jurisdiction]
    notes = [*reasons, *(metadata.access_note for metadata in own if metadata.access_note is not None and not reasons)]
    opening = Message("The register of {jurisdiction} is unavailable.", jurisdiction=Message(jurisdiction.label))
    why = [end_sentence(note) for note in notes] or [Message("No data is loaded.")]
    reason = join_messages([opening, *why], " ")
    return add_manual_lookup(reason, own[0].page) if own else reason
