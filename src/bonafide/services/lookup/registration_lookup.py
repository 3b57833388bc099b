"""Look up one registration in its register: live if possible, otherwise in loaded data.

A register that can't be queried is an error with its reason, never the result that a number does not exist.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from bonafide.errors import SegmentCorrupt, SourceAuthFailed, SourceError, SourceNotFound, SourceUnavailable
from bonafide.index import Generation
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import RegistryEntry, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import DataOrigin, LiveOrigin, LoadRecord
from bonafide.net.http_messages import SourceResponse
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.lookup.live_query import LiveQueryFailed, find_live_query_blocker, query_live_source
from bonafide.services.lookup.source_result import ANSWERED
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
    """Of a live register; empty for loaded data."""
    notes: tuple[str, ...]


class NoSourceAvailable(SourceUnavailable):
    """No source that may be queried covers the register."""

    retryable = False


async def look_up_registration(runtime: Runtime, world: World, registration: RegistrationQuery) -> RegistrationResult:
    """Look a registration up. Raises `SourceNotFound` when the register says that there is none, else another `SourceError`."""
    _simulate_failure(runtime, world, registration)
    problems: list[SourceError] = []
    reasons: list[str] = []
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
    runtime: Runtime, world: World, registration: RegistrationQuery, problems: Sequence[str] = ()
) -> RegistrationResult | None:
    """Look a registration up in loaded data, with the given problems added to its notes; None when no data is loaded.

    Raises `SourceNotFound` when the whole register is loaded, without it; `NotInPartialData` when a part of it is.
    """
    return await asyncio.to_thread(_look_up_loaded, runtime, world, registration, problems)


def is_live_lookup_available(runtime: Runtime, world: World, jurisdiction: Jurisdiction) -> bool:
    """Whether a register can be queried live for a number."""
    return any(
        source.live is not None and source.live.report is not None and find_live_query_blocker(runtime, world, source) is None
        for source in _list_sources(runtime, jurisdiction)
    )


def get_register_page(runtime: Runtime, jurisdiction: Jurisdiction) -> str | None:
    """Return the page where a person can search a register; None for an unknown register."""
    return next((source.metadata.page for source in _list_sources(runtime, jurisdiction)), None)


def _simulate_failure(runtime: Runtime, world: World, registration: RegistrationQuery) -> None:
    """Raise `SourceAuthFailed` for the sandbox's registration that simulates a failing register."""
    if world is not World.SANDBOX:
        return
    failure = runtime.failure_simulator.find_report_failure(registration.jurisdiction, registration.number)
    if failure is SimulatedFailure.FAILING:
        raise SourceAuthFailed(f"The register of {registration.jurisdiction.label} refuses to answer for this number")


def _list_sources(runtime: Runtime, jurisdiction: Jurisdiction) -> list[Source]:
    """The sources that have a register: its own first, then those that have several."""
    registers = [source for source in runtime.sources.values() if source.metadata.kind is SourceKind.REGISTRY]
    own = [source for source in registers if source.metadata.jurisdiction is jurisdiction]
    return [*own, *(source for source in registers if source.metadata.jurisdiction is None)]


async def _query_live(runtime: Runtime, world: World, source: Source, registration: RegistrationQuery) -> RegistrationResult:
    report = source.live.report if source.live is not None else None
    assert report is not None  # noqa: S101 - the caller has looked
    # Never from the live cache: stored reports have the requested age, and their evidence.
    started, outcome = perf_counter(), ANSWERED
    with span("lookup", {"bonafide.source": source.key}) as noted:
        try:
            said = await query_live_source(runtime, world, source, lambda context: report(registration, context))
        except LiveQueryFailed as failure:
            outcome = failure.error.code.value
            raise failure.error from failure
        finally:
            noted.set("bonafide.outcome", outcome)
            runtime.metrics.observe_lookup(source.key, perf_counter() - started)
            runtime.metrics.count_lookup(source.key, outcome)
    if said.value is None:
        raise SourceNotFound(f"{source.metadata.title} says that it has no registration with the number {registration.number}")
    return RegistrationResult(said.value, source, LiveOrigin(said.responded_at), said.answers, said.notes)


def _look_up_loaded(
    runtime: Runtime, world: World, registration: RegistrationQuery, problems: Sequence[str]
) -> RegistrationResult | None:
    """The registration in loaded data; None when none is loaded. Raises `SourceNotFound` when the whole register is, without it."""
    missing: SourceNotFound | None = None
    for source in _list_sources(runtime, registration.jurisdiction):
        try:
            generation = runtime.generations[world].current(source.key)
        except SegmentCorrupt as error:
            raise SourceUnavailable(f"{source.metadata.title}: {error.message}") from error
        if generation is None:
            continue
        entry = _find_entry(generation, registration)
        if entry is not None:
            return RegistrationResult(
                entry, source, generation.manifest, (), (*problems, *_describe_limits(source, generation.manifest))
            )
        missing = missing if missing is not None else _build_not_found(source, generation.manifest, registration)
    if missing is not None:
        raise missing
    return None


def _find_entry(generation: Generation[LoadRecord], registration: RegistrationQuery) -> RegistryEntry | None:
    """The entry that has the number; where two have it, the one whose own register number it is."""
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


def _describe_limits(source: Source, load: LoadRecord) -> list[str]:
    """Describe the age and the gaps of loaded data."""
    note = f"Read from the data of {source.metadata.title} that is loaded here, which holds to {load.day.isoformat()}"
    return [note, *([source.metadata.gaps] if source.metadata.gaps is not None else [])]


def _build_not_found(source: Source, load: LoadRecord, registration: RegistrationQuery) -> SourceNotFound:
    """Build the error that loaded data has no such number: `NotInPartialData` if the data is incomplete."""
    text = f"The data of {source.metadata.title} that is loaded here ({load.day.isoformat()}) has no number {registration.number}"
    # The made-up Canada's files hold all of its registers.
    if source.metadata.gaps is None or load.world is World.SANDBOX:
        return SourceNotFound(text)
    return NotInPartialData(f"{text}. {source.metadata.gaps} A person can look here: {source.metadata.page}")


class NotInPartialData(SourceNotFound):
    """Data that is known to be incomplete has no such number: it may be registered all the same."""


def _explain_no_source(runtime: Runtime, jurisdiction: Jurisdiction, reasons: Sequence[str]) -> str:
    """Explain why no source could be queried, and where a person can look."""
    own = [source.metadata for source in _list_sources(runtime, jurisdiction) if source.metadata.jurisdiction is jurisdiction]
    notes = [*reasons, *(metadata.access_note for metadata in own if metadata.access_note is not None and not reasons)]
    pages = [f"A person can look here: {metadata.page}" for metadata in own]
    why = [note.strip().rstrip(".") for note in notes] or ["No data is loaded"]
    return ". ".join([f"Nobody could look into the register of {jurisdiction.label}", *why, *pages])
