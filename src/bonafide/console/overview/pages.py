"""The overview: what waits, the condition of the sources, and the last days. Every member may read it."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.cases.labels import KIND
from bonafide.console.events.labels import CASE_STATUS
from bonafide.console.frame.charts import ChartBar, build_bars
from bonafide.console.frame.console_request import ServedRuntime, Viewer, get_console_request
from bonafide.console.frame.navigation_counts import ALERTS, CASES, DISCREPANCIES, MANUAL_CHECKS, REVIEW, format_count
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.overview import labels
from bonafide.i18n.message import Message
from bonafide.model.cases.policy import CaseItemKind
from bonafide.services.overview.daily_activity import DAYS, WEEK, DailyActivity
from bonafide.services.overview.overview import read_overview
from bonafide.store.overview.daily_counts import DailyCounts
from bonafide.store.overview.open_work import OpenWorkCounts

ADDRESS = "/console/overview"
CHART_WIDTH, CHART_HEIGHT = 240, 48
MAX_SOURCES = 8
"""The maximum number of sources in trouble that are listed."""
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class WorkTile:
    """How much of one kind waits, and the page on which it does."""

    title: Message
    address: str
    count: int
    note: Message | None = None
    is_urgent: bool = False

    @property
    def shown(self) -> str:
        """The count as text."""
        return format_count(self.count)


@dataclass(frozen=True, slots=True)
class ActivityChart:
    """A chart with a bar for each day, and its sums."""

    name: str
    title: Message
    week_total: int
    total: int
    most: int
    bars: tuple[ChartBar, ...]


@router.get("")
async def read_page(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The overview of the organization."""
    visit = get_console_request(request)
    overview = await read_overview(runtime, signed_in.organization_id, signed_in.membership.world, visit.time_zone)
    work = visit.open_work
    return render_page(
        request,
        "overview/overview.html",
        overview=overview,
        tiles=list(_build_tiles(work)) if work is not None else (),
        labels=labels,
        kinds=KIND,
        statuses=CASE_STATUS,
        zone=visit.time_zone.key,
        assignee_address=_build_assignee_address,
        charts=[_build_chart(overview.activity, name, title) for name, title in labels.ACTIVITY.items()],
        recent_from=CHART_WIDTH * (DAYS - WEEK) / DAYS,
        nothing=DailyCounts(),
        troubled=list(overview.sources.troubled.items())[:MAX_SOURCES],
        sources={key: source.metadata for key, source in runtime.sources.items()},
        given={"name": ""},
        problems={},
        record=None,
        is_focused=False,
    )


def _build_tiles(work: OpenWorkCounts) -> Iterator[WorkTile]:
    own = Message("{count} assigned to you", count=format_count(work.own_cases)) if work.own_cases > 0 else None
    yield WorkTile(Message("Cases to decide"), CASES, work.cases, note=own)
    yield WorkTile(Message("Searches to review"), REVIEW, work.searches_to_review)
    hits = f"{CASES}?{urlencode({'kind': CaseItemKind.SANCTIONS_HIT.value})}"
    yield WorkTile(Message("Open sanctions hits"), hits, work.open_hits, is_urgent=True)
    yield WorkTile(Message("Open discrepancies"), DISCREPANCIES, work.discrepancies)
    yield WorkTile(Message("Open manual checks"), MANUAL_CHECKS, work.manual_checks)
    yield WorkTile(Message("Open alerts"), ALERTS, work.alerts)


def _build_assignee_address(assignee: str | None) -> str:
    return f"{CASES}?{urlencode({'assignee': assignee if assignee is not None else 'none'})}"


def _build_chart(activity: DailyActivity, name: str, title: Message) -> ActivityChart:
    values = activity.list_values(name)
    bars = build_bars([(value, 0) for value in values], CHART_WIDTH, CHART_HEIGHT)
    return ActivityChart(name, title, activity.sum_week(name), activity.sum_all(name), max(values), bars)
