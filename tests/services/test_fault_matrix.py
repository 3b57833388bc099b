"""Every live source in every trouble: the right error, nothing else missing, and never "nothing found".

The sources are those that are there, the troubles those of `network_faults`. A search asks all of them at once, over data that is
loaded for all other sources; a report asks one register. All goes through the service's own door, its guard of addresses included.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bonafide.errors import SourceError, SourceErrorCode
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.search.match import BusinessMatch, RegulatoryMatch, SanctionsMatch
from bonafide.model.search.result import CheckErrors, Coverage, CoverageStatus, SearchResult, SearchStatus
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.reports import business_reports
from bonafide.services.reports.business_reports import ReportSubject
from bonafide.services.search.execution import read_search
from bonafide.sources.framework.discovery import Source, discover_sources
from bonafide.sources.framework.live import RegistrationQuery
from bonafide.store.database.engine import Store
from bonafide_sandbox.generator.business import BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from bonafide_sandbox.writers.regulators.gleif import has_lei
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.loaded_sandbox import Remembered
from tests.support.recorded_figures import FIGURES
from tests.support.services.network_faults import PREFIX, RETRYABLE, TROUBLES, Trouble, line_to
from tests.support.services.runtimes import ManualClock, principal_of, runtime_over, search
from tests.support.waiting import TIMEOUT_S

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
LIVE = {key: source for key, source in discover_sources().items() if source.live is not None}
SEARCHED = {key: source for key, source in LIVE.items() if source.live is not None and source.live.find is not None}
REPORTED = {key: source for key, source in LIVE.items() if source.live is not None and source.live.report is not None}
NAME = "Sandbox Sanctioned Trading Ltd."
"""A name that stands in a register and on a list."""
"""On PostgreSQL the failures, which are tried at the same time, would share the state of the throttle."""
every_source = pytest.mark.parametrize("key", SEARCHED)
every_register = pytest.mark.parametrize("key", REPORTED)


def wanted_of(source: Source) -> SandboxBusiness:
    """A business that the source has, with a number that it can be asked for."""
    own = source.metadata.jurisdiction
    register = own if own is not None else Jurisdiction.ON
    known = (
        business
        for business in create_businesses(DEFAULT_SEED, 0, 1000)
        if business.kind is BusinessKind.COMPANY
        and business.standing is LifecycleStatus.ACTIVE
        and (has_lei(business) if source.metadata.kind is not SourceKind.REGISTRY else business.register is register)
    )
    return next(known)


@pytest.fixture(scope="module")
def others_loaded(sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Remembered:
    """The loaded sandbox without the data of what can be asked live, so that it is asked."""
    folder = tmp_path_factory.mktemp("others")
    for world in World:
        (folder / "index" / world.value).mkdir(parents=True)
    for loaded in (sandbox_data / "index" / World.SANDBOX.value).iterdir():
        if loaded.name not in LIVE:
            (folder / "index" / World.SANDBOX.value / loaded.name).symlink_to(loaded)
    return Remembered(folder)


@pytest.fixture(scope="module")
def matrix() -> dict[str, list[int]]:
    """By source, the milliseconds that each trouble took."""
    return {}


@pytest.fixture
def half_loaded(store: Store, others_loaded: Remembered, tmp_path: Path, clock: ManualClock) -> Runtime:
    """Every source that is never asked live is loaded, and every set of terms accepted."""
    made = others_loaded.by(runtime_over(store, tmp_path, clock))
    terms = {key: source.metadata.live.terms for key, source in LIVE.items() if source.metadata.live is not None}
    accepted = {key: wanted.version for key, wanted in terms.items() if wanted is not None}
    return replace(made, settings=made.settings.model_copy(update={"accepted_terms": accepted, "terms_accepted_by": "Ann"}))


def at_the_line(source: Source, timeout_s: float, prefix: str = "") -> Source:
    """The source at the same address without TLS, which the line does not speak, and with this deadline."""
    live = source.metadata.live
    assert live is not None
    moved = live.model_copy(update={"base_url": live.base_url.replace("https://", f"http://{prefix}"), "timeout_s": timeout_s})
    return replace(source, metadata=source.metadata.model_copy(update={"live": moved}))


@dataclass(frozen=True)
class Tried:
    """A runtime whose line to one source is in trouble, and how often something private was connected to."""

    runtime: Runtime
    live_world: Path

    @asynccontextmanager
    async def with_trouble(self, key: str, trouble: Trouble | None) -> AsyncIterator[Runtime]:
        timeout_s = trouble.timeout_s if trouble is not None else TIMEOUT_S
        moved = {
            **{other: at_the_line(source, TIMEOUT_S) for other, source in LIVE.items()},
            key: at_the_line(LIVE[key], timeout_s, PREFIX),
        }
        register = create_sandbox_app(self.live_world, {}, None, BusinessDirectory(self.live_world, DEFAULT_SEED))
        async with line_to(register, trouble) as line:
            door = Fetcher(self.runtime.settings, self.runtime.clock, resolve=line.resolve, sockets=line.sockets)
            try:
                yield replace(self.runtime, sources={**self.runtime.sources, **moved}, fetchers={World.SANDBOX: door}, throttles={})
            finally:
                await door.close()
        assert line.sockets.trap.accepted == 0


@pytest.fixture
def tried(half_loaded: Runtime, live_world: Path) -> Tried:
    return Tried(half_loaded, live_world)


async def found(tried: Tried, caller: Principal, key: str, trouble: Trouble | None) -> SearchResult:
    """A search that needs the source, the federal register and every list; what it says is what is stored."""
    sought = wanted_of(LIVE[key])
    request = {"name": NAME, "registrationNumber": sought.number, "jurisdictions": sorted({sought.register, Jurisdiction.FED})}
    async with tried.with_trouble(key, trouble) as runtime, asyncio.timeout(TIMEOUT_S):
        result = await search(runtime, caller, **request, sanctionsScreening=True)
        stored = await read_search(runtime, caller.organization_id, result.meta.search_id)
    assert stored.parse(SearchResult) == result
    return result


def row(result: SearchResult, key: str) -> Coverage:
    return next(row for row in result.meta.coverage if row.source == key)


def told(result: SearchResult, key: str) -> tuple[SourceErrorCode, bool]:
    """The error of the check that the source belongs to, the only one there is."""
    errors = result.errors
    assert errors is not None
    said = {name: error for name in CheckErrors.model_fields if (error := getattr(errors, name)) is not None}
    check = "business_registry" if LIVE[key].metadata.kind is SourceKind.REGISTRY else "regulatory_registry"
    assert list(said) == [check]
    return said[check].code, said[check].retryable


def found_elsewhere(result: SearchResult, key: str) -> set[tuple[str, str]]:
    """What all the other sources have found, and that each of them could be looked at."""
    others = [other for other in result.meta.coverage if other.source != key and other.status is not CoverageStatus.NOT_REQUESTED]
    assert [other.source for other in others if other.status is CoverageStatus.FAILED] == []
    assert result.sanctions is not None
    assert len(result.sanctions.matches) > 0
    parts: list[Sequence[BusinessMatch | SanctionsMatch | RegulatoryMatch]] = [
        result.businesses or (),
        result.sanctions.matches,
        *result.regulatory.values(),
    ]
    return {(match.source, match.legal_name.name) for matches in parts for match in matches if match.source != key}


@ON_SQLITE_ONLY
@every_source
async def test_a_search_says_what_was_wrong_and_has_all_the_rest(tried: Tried, key: str, matrix: dict[str, list[int]]) -> None:
    caller = await principal_of(tried.runtime, "north")
    whole = await found(tried, caller, key, None)
    results = await asyncio.gather(*(found(tried, caller, key, trouble) for trouble in TROUBLES))
    for trouble, result in zip(TROUBLES, results, strict=True):
        assert (trouble.name, *told(result, key)) == (trouble.name, trouble.code, RETRYABLE[trouble.code])
        assert (row(result, key).status, row(result, key).route, row(result, key).matches) == (CoverageStatus.FAILED, None, 0)
        assert result.meta.status is SearchStatus.COMPLETED_WITH_ERRORS
        # There may be more: a register's entry gives way to that of a source that has it at first hand.
        assert found_elsewhere(whole, key) <= found_elsewhere(result, key)
    matrix[key] = [row(result, key).duration_ms for result in results]
    again = await found(tried, caller, key, None)
    assert (again.meta.status, row(again, key).status, row(again, key).route) == (
        SearchStatus.COMPLETED,
        CoverageStatus.SEARCHED,
        Route.LIVE,
    )
    assert row(again, key).matches == row(whole, key).matches > 0


def alone(runtime: Runtime, key: str) -> Runtime:
    """The runtime in which no other register can be asked."""
    return replace(runtime, sources={other: source for other, source in runtime.sources.items() if other == key})


async def reported(tried: Tried, caller: Principal, key: str, trouble: Trouble | None) -> SourceError | Route:
    """The error of a report that can be had nowhere else, or the route by which it was had."""
    sought = wanted_of(LIVE[key])
    wanted = ReportSubject(caller.organization_id, caller.world, RegistrationQuery(sought.register, sought.number))
    async with tried.with_trouble(key, trouble) as runtime, asyncio.timeout(TIMEOUT_S):
        try:
            report = await business_reports.obtain_report(alone(runtime, key), wanted)
        except SourceError as error:
            return error
    return report.route


@ON_SQLITE_ONLY
@every_register
async def test_a_report_says_what_was_wrong_and_never_that_there_is_none(tried: Tried, key: str) -> None:
    caller = await principal_of(tried.runtime, "north")
    errors = await asyncio.gather(*(reported(tried, caller, key, trouble) for trouble in TROUBLES))
    for trouble, error in zip(TROUBLES, errors, strict=True):
        assert isinstance(error, SourceError)
        assert (trouble.name, error.code, error.is_retryable) == (trouble.name, trouble.code, RETRYABLE[trouble.code])
    sought = wanted_of(LIVE[key])
    wanted = ReportSubject(caller.organization_id, caller.world, RegistrationQuery(sought.register, sought.number))
    assert await business_reports.find_recent_report(tried.runtime, wanted, datetime.min.replace(tzinfo=UTC)) is None
    assert await reported(tried, caller, key, None) is Route.LIVE


def test_one_table_has_every_source_in_every_trouble(
    matrix: dict[str, list[int]], record_property: Callable[[str, object], None]
) -> None:
    """Printed for people; what the cells of a row have in common, the tests above have found."""
    cells = [f"{key:>6}" for key in matrix]
    lines = [f"{'A live source in trouble, and the ms until its error':<54}{'code':<15}retryable{''.join(cells)}"]
    for number, trouble in enumerate(TROUBLES):
        cells = [f"{taken[number]:>6}" for taken in matrix.values()]
        lines.append(f"{trouble.name:<54}{trouble.code:<15}{'yes' if RETRYABLE[trouble.code] else 'no':<9}{''.join(cells)}")
    record_property(FIGURES, "\n".join(lines))


def test_the_documentation_has_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    assert documented() in page


def documented() -> str:
    """The table as the documentation prints it."""
    rows = [f"| {trouble.name}. | `{trouble.code}` | {'yes' if RETRYABLE[trouble.code] else 'no'} |" for trouble in TROUBLES]
    return "\n".join(["| What happens | Code | Retryable |", "|---|---|---|", *rows])
