"""Pages of sources: a map of coverage, tables of all sources, and one source.

Every member may read them. They change nothing.
"""

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame.charts import StepChart, build_step_chart
from bonafide.console.frame.console_request import ServedRuntime, Viewer
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.sources.canada_map import build_canada_map
from bonafide.model.entry import SourceKind
from bonafide.model.loading import RunOutcome, SourceRun
from bonafide.services.catalog.source_overview import BEST_FIRST, SourceProfile, read_source_overview, read_source_profile

MAX_RUNS = 20
MAX_CHARTED_LOADS = 120
"""The maximum number of loads in the chart and its table."""
router = APIRouter(prefix="/console/sources", include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def list_sources(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The map and the tables."""
    overview = await read_source_overview(runtime, signed_in.membership.world)
    places = {place.jurisdiction: place for place in overview.places}
    return render_page(
        request,
        "sources/list.html",
        overview=overview,
        map=build_canada_map(),
        places=places,
        states=[(state, sum(place.state == state for place in places.values())) for state in BEST_FIRST],
        registers=[row for place in overview.places for row in place.rows] + overview.joint,
        kinds=[(kind, overview.of_kind(kind)) for kind in SourceKind if kind is not SourceKind.REGISTRY],
    )


@router.get("/{key}")
async def read_source(request: Request, signed_in: Viewer, runtime: ServedRuntime, key: str) -> Response:
    """One source."""
    profile = await read_source_profile(runtime, signed_in.membership.world, key)
    drawn = _select_charted_loads(profile)
    failed = [run for run in profile.runs if run.outcome is not RunOutcome.LOADED]
    return render_page(
        request,
        "sources/source.html",
        profile=profile,
        runs=profile.runs[:MAX_RUNS],
        loads=drawn,
        failures=len(failed),
        chart=_build_chart(drawn, failed, profile) if drawn else None,
    )


def _select_charted_loads(profile: SourceProfile) -> list[SourceRun]:
    """The loads of the chart, oldest first. A load without a recorded run is taken from the index."""
    loads = [run for run in profile.runs if run.outcome is RunOutcome.LOADED][:MAX_CHARTED_LOADS][::-1]
    if loads or profile.load is None:
        return loads
    load = profile.load
    known = SourceRun(
        started_at=load.retrieved_at,
        finished_at=load.loaded_at,
        outcome=RunOutcome.LOADED,
        entries=load.entries,
        rejected=load.rejected,
    )
    return [known]


def _build_chart(loads: list[SourceRun], failed: list[SourceRun], profile: SourceProfile) -> StepChart:
    since = loads[0].finished_at
    values = [(run.finished_at, run.entries or 0) for run in loads]
    marks = [run.finished_at for run in failed if run.finished_at >= since]
    return build_step_chart(values, marks, max(profile.row.as_of, since))
